//! Draws at 1280 by 720 with hand-encoded shaders, on the threads that `GIRIH_THREADS` names.
//!
//! `cargo bench -p girih-r600 --bench draw`
#![allow(clippy::unwrap_used, dead_code, missing_docs)]

#[path = "../tests/draw/code.rs"]
mod code;
#[path = "../tests/draw/rig.rs"]
mod rig;

use criterion::{Criterion, criterion_group, criterion_main};
use r600::regs::*;
use silicon::Addr;
use silicon::Format;

use rig::{Rig, STREAM, Vertex, depth_test};

const SIZE: [u32; 2] = [1280, 720];

fn threads() -> usize {
    std::env::var("GIRIH_THREADS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(2)
}

/// Two triangles that cover the screen, `layers` times.
fn layers(layers: usize) -> Vec<Vertex> {
    let corners = [
        (-1., -1.),
        (1., -1.),
        (-1., 1.),
        (-1., 1.),
        (1., -1.),
        (1., 1.),
    ];
    (0..layers)
        .flat_map(|n| {
            corners.map(|(x, y)| {
                [
                    x,
                    y,
                    0.9 - n as f32 / 100.0,
                    1.0,
                    x * 0.5 + 0.5,
                    0.4,
                    0.7,
                    0.3,
                ]
            })
        })
        .collect()
}

/// Small triangles in a grid, a few pixels each.
fn grid(columns: usize, lines: usize) -> Vec<Vertex> {
    let at = |c: usize, l: usize| {
        let (x, y) = (c as f32 / columns as f32, l as f32 / lines as f32);
        [x * 2.0 - 1.0, y * 2.0 - 1.0, 0.5, 1.0, x, y, 0.5, 1.0]
    };
    (0..lines)
        .flat_map(|l| (0..columns).map(move |c| (c, l)))
        .flat_map(|(c, l)| {
            let (a, b, d, e) = (at(c, l), at(c + 1, l), at(c, l + 1), at(c + 1, l + 1));
            [a, b, d, d, b, e]
        })
        .collect()
}

fn bench(criterion: &mut Criterion, name: &str, vertices: &[Vertex], blended: bool) {
    let mut rig = Rig::sized(threads(), SIZE);
    rig.setup(vertices, &code::pixel());
    let test = depth_test(compare::ALWAYS, true);
    rig.depth(Format::D32Float, 1f32.to_bits(), test);
    if blended {
        let control = CbBlendControl {
            separate_alpha_blend: true,
            color_srcblend: blend::SRC_ALPHA,
            color_destblend: blend::ONE_MINUS_SRC_ALPHA,
            alpha_srcblend: blend::ONE,
            alpha_destblend: blend::ONE_MINUS_SRC_ALPHA,
            ..CbBlendControl::from_word(0)
        };
        rig.set(CB_BLEND_CONTROL, control.pack());
        let targets = CbColorControl {
            target_blend_enable: 1,
            rop3: ROP3_COPY,
            ..CbColorControl::from_word(0)
        };
        rig.set(CB_COLOR_CONTROL, targets.pack());
    }
    rig.draw(vertices.len() as u32);
    let words = std::mem::take(&mut rig.stream);
    rig.words(STREAM, &words);
    let stream = Addr(STREAM)..Addr(STREAM + 4 * words.len() as u64);
    criterion.bench_function(name, |bencher| {
        bencher.iter(|| rig.gpu.execute(stream.clone()).unwrap());
    });
}

fn draws(criterion: &mut Criterion) {
    bench(criterion, "screen/1", &layers(1), false);
    bench(criterion, "screen/32 blended", &layers(32), true);
    bench(criterion, "triangles/100k", &grid(250, 200), false);
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_secs(3));
    targets = draws
}
criterion_main!(benches);
