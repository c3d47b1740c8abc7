//! What R600 computes less exactly than the SSA says stays within the bounds of `docs/driver-r600.md`.
#![allow(clippy::unwrap_used)]

mod direct;

use lanes::LaneOp;
use pipeline::codegen::r600::legalize;
use pipeline::ir::Stage;

/// Largest difference between what a shader makes of angles in -pi..pi and the function.
fn worst(text: &str, exact: fn(f64) -> f64) -> f64 {
    let mut function = direct::compile(text, Some(Stage::Fragment));
    legalize::inexact(&mut function);
    let mut worst = 0f64;
    for round in 0..64u32 {
        let mut world = direct::World::random(&function, 1);
        let angle = |lane: u32| {
            let step = (64 * round + lane) as f32 / 4096.0;
            (step - 0.5) * 2.0 * std::f32::consts::PI
        };
        world.inputs[0][0] = (0..64).map(|lane| angle(lane).to_bits()).collect();
        world.run(&function);
        let (_, lanes, _) = &world.outputs[0];
        for (lane, bits) in lanes.iter().enumerate() {
            let wanted = exact(f64::from(angle(lane as u32)));
            worst = worst.max((f64::from(f32::from_bits(*bits)) - wanted).abs());
        }
    }
    worst
}

#[test]
fn sine_and_cosine() {
    let shader = |name: &str| {
        format!(
            "@fragment fn fs(@location(0) a: vec4f) -> @location(0) vec4f {{ return vec4f({name}(a.x)); }}"
        )
    };
    let bound = 2f64.powi(-20);
    let sine = worst(&shader("sin"), f64::sin);
    assert!(sine < bound, "{sine:e}");
    let cosine = worst(&shader("cos"), f64::cos);
    assert!(cosine < bound, "{cosine:e}");
}

/// The product is rounded before the sum.
#[test]
fn fused_products_are_not() {
    let mut function = direct::compile(
        "@fragment fn fs(@location(0) a: vec4f) -> @location(0) vec4f { return vec4f(fma(a.x, a.y, a.z)); }",
        Some(Stage::Fragment),
    );
    legalize::inexact(&mut function);
    let mut world = direct::World::random(&function, 3);
    world.run(&function);
    let (_, lanes, _) = world.outputs[0].clone();
    for (lane, found) in lanes.into_iter().enumerate() {
        let args = [0, 1, 2].map(|c| world.inputs[0][c][lane]);
        assert_eq!(found, LaneOp::FMad.eval(args));
    }
}
