//! Fog: the coordinate that GA scales and moves, the functions, and what is blended.

use r5xx::regs::*;

use crate::rig::{Stream, TRIANGLES, drawn};

/// Fog of 1, 0.5 and 0.25, and the scale and offset of its coordinate.
fn fogged(function: u32, source: u32, scale: f32, offset: f32) -> Stream {
    let mut s = Stream::state();
    use FG_FOG_BLEND::*;
    s.fields(FG_FOG_BLEND, &[(ENABLE, 1), (FN, function)]);
    s.word(FG_FOG_COLOR_R, 0, 1023);
    s.word(FG_FOG_COLOR_G, 0, 511);
    s.word(FG_FOG_COLOR_B, 0, 256);
    s.word(FG_FOG_FACTOR, 0, 1023 / 3);
    s.fields(GB_SELECT, &[(GB_SELECT::FOG_SELECT, source)]);
    s.float(GA_FOG_SCALE, scale);
    s.float(GA_FOG_OFFSET, offset);
    s
}

/// What of black is drawn where this much of it is left.
fn expected(factor: f64) -> [f64; 3] {
    [1023.0, 511.0, 256.0].map(|fog| fog / 1023.0 * (1.0 - factor) * 255.0)
}

fn near(pixel: u32, expected: [f64; 3], what: &str) {
    let [blue, green, red, _] = pixel.to_le_bytes().map(f64::from);
    for (found, expected) in [red, green, blue].into_iter().zip(expected) {
        assert!(
            (found - expected).abs() <= 0.51,
            "{what}: {found} {expected}"
        );
    }
}

#[test]
fn a_constant_is_what_is_left() {
    let mut s = fogged(3, 0, 0.0, 0.0);
    s.fill(0.5, [0.0, 0.0, 0.0, 0.8]);
    let (pixels, _) = drawn(&s);
    for pixel in pixels.as_flattened() {
        near(*pixel, expected(341.0 / 1023.0), "constant");
        // Alpha has no fog.
        assert_eq!(pixel >> 24, 204);
    }
}

#[test]
fn functions_are_those_of_opengl() {
    for (function, of) in [
        (0, (|x| x) as fn(f64) -> f64),
        (1, |x| (-x).exp()),
        (2, |x| (-x * x).exp()),
    ] {
        // The coordinate is alpha, from 0 on the left to 1 on the right, then 1.5 of it and 0.25.
        let mut s = fogged(function, 0, 1.5, 0.25);
        let corner = |x: f32, y: f32| [[x, y, 0.5, 1.0], [0.0, 0.0, 0.0, (x + 1.0) / 2.0]];
        let [a, b, c, d] = [
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
        ];
        s.draw(TRIANGLES, &[a, b, c, a, c, d]);
        let (pixels, _) = drawn(&s);
        for row in &pixels {
            for (x, pixel) in row.iter().enumerate() {
                let at = 1.5 * (x as f64 + 0.5) / 16.0 + 0.25;
                near(*pixel, expected(of(at).clamp(0.0, 1.0)), "function");
            }
        }
    }
}

#[test]
fn coordinates_are_depths_or_w() {
    // A depth of 0.375, and a w of 4.
    for (source, scale, left) in [(5, 2.0, 0.75), (4, 0.125, 0.5)] {
        let mut s = fogged(0, source, scale, 0.0);
        let corner = |x: f32, y: f32| [[4.0 * x, 4.0 * y, 1.5, 4.0], [0.0; 4]];
        s.draw(
            TRIANGLES,
            &[corner(-1.0, -1.0), corner(3.0, -1.0), corner(-1.0, 3.0)],
        );
        let (pixels, _) = drawn(&s);
        near(pixels[7][9], expected(left), "source");
    }
    let mut s = fogged(0, 1, 1.0, 0.0);
    s.fill(0.5, [0.0; 4]);
    let error = crate::rig::Rig::new(1).run(&s).unwrap_err().to_string();
    assert!(
        error.contains("FOG_SELECT 1: the vertices have no colour 1"),
        "{error}"
    );
}

#[test]
fn one_output_goes_to_several_targets() {
    const SECOND: u32 = 0x2_0000;
    let mut s = Stream::state();
    s.fields(RB3D_CCTL, &[(RB3D_CCTL::NUM_MULTIWRITES, 1)]);
    s.word(RB3D_COLOROFFSET, 1, SECOND);
    let pitch = RB3D_COLORPITCH.fields[0].bits(8) | RB3D_COLORPITCH::COLORFORMAT.bits(6);
    s.word(RB3D_COLORPITCH, 1, pitch);
    s.fill(0.5, [1.0, 0.0, 0.2, 1.0]);
    let mut rig = crate::rig::Rig::new(1);
    rig.run(&s).unwrap();
    for n in 0..256 {
        let found = [crate::rig::TARGET, SECOND.into()].map(|base| rig.memory.load(base + 4 * n));
        assert_eq!(found, [Some(0xffff_0033); 2]);
    }
}
