//! Textures in pixel programs.

use crate::rig::*;
use r5xx::regs::*;

const LOOKUP: &str = "TEX LD_acquire T0.rgba = t0.rgba, T0.rgba\nOUT.last.wait MAX A.rgb = src0.rgb, src0.rgb [T0] / MAX A.a = src0.a, src0.a [T0]";

/// A colour for each texel of 8 by 8.
fn texel(x: u32, y: u32) -> u32 {
    0xff00_0000 | x << 20 | y << 12 | (x ^ y)
}

/// State with a texture of bytes blue, green, red, alpha in rows; filters as in TX_FILTER0.
fn textured(filter: u32) -> Stream {
    let mut s = Stream::state();
    s.coordinates();
    s.pixel_program(LOOKUP, 1);
    s.word(TX_ENABLE, 0, 1);
    use TX_FILTER0::*;
    s.fields(
        TX_FILTER0,
        &[
            (CLAMP_S, 2),
            (CLAMP_T, 2),
            (MAG_FILTER, filter),
            (MIN_FILTER, filter),
        ],
    );
    s.fields(
        TX_FORMAT0,
        &[(TX_FORMAT0::TXWIDTH, 7), (TX_FORMAT0::TXHEIGHT, 7)],
    );
    use TX_FORMAT1::*;
    let format = [
        (TXFORMAT, 12),
        (SEL_RED, 2),
        (SEL_GREEN, 1),
        (SEL_BLUE, 0),
        (SEL_ALPHA, 3),
    ];
    s.fields(TX_FORMAT1, &format);
    s.word(TX_OFFSET, 0, TEXTURE as u32);
    s
}

fn rig() -> Rig {
    let rig = Rig::new(1);
    for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (x, y))) {
        rig.put(TEXTURE + u64::from(32 * y + 4 * x), &[texel(x, y)]);
    }
    rig
}

/// Corners of the target, and coordinates there.
fn quad(stream: &mut Stream, size: f32) {
    let corner = |x: f32, y: f32| {
        let at = |n: f32| (n + 1.0) / 2.0 * size;
        [[x, y, 0.5, 1.0], [at(x), at(y), 0.0, 1.0]]
    };
    let [a, b, c, d] = [
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    stream.draw(TRIANGLES, &[a, b, c, a, c, d]);
}

#[test]
fn every_texel_covers_four_pixels() {
    let mut stream = textured(1);
    quad(&mut stream, 1.0);
    let mut rig = rig();
    let stats = rig.run(&stream).unwrap();
    for (y, row) in (0..).zip(rig.pixels()) {
        for (x, pixel) in (0..).zip(row) {
            assert_eq!(pixel, texel(x / 2, y / 2), "{x}, {y}");
        }
    }
    // Two helpers in each of the eight quads on the diagonal, of either triangle.
    assert_eq!(stats.texels, 256 + 2 * 16);
}

#[test]
fn coordinates_may_be_texels() {
    let mut stream = textured(1);
    stream.pixel_program(&LOOKUP.replace("LD_acquire", "LD_acquire_unscaled"), 1);
    quad(&mut stream, 8.0);
    let mut rig = rig();
    rig.run(&stream).unwrap();
    assert_eq!(
        rig.pixels()[7],
        std::array::from_fn(|x| texel(x as u32 / 2, 3))
    );
}

#[test]
fn linear_filters_average() {
    let mut stream = textured(2);
    quad(&mut stream, 1.0);
    let mut rig = rig();
    rig.run(&stream).unwrap();
    // A quarter and three quarters of neighbours: red steps by 16.
    let red: Vec<u32> = rig.pixels()[0]
        .iter()
        .map(|pixel| pixel >> 16 & 0xff)
        .collect();
    assert_eq!(
        red,
        [
            0, 4, 12, 20, 28, 36, 44, 52, 60, 68, 76, 84, 92, 100, 108, 112
        ]
    );
}

#[test]
fn units_that_are_off_give_black() {
    let mut stream = textured(1);
    stream.word(TX_ENABLE, 0, 0);
    quad(&mut stream, 1.0);
    let mut rig = rig();
    rig.run(&stream).unwrap();
    assert!(
        rig.pixels()
            .iter()
            .flatten()
            .all(|pixel| *pixel == 0xff00_0000)
    );
}

#[test]
fn cubes_are_looked_up_by_direction() {
    // Six faces of 8 by 8 texels, each of one colour.
    for (direction, face) in [
        ([1.0, 0.2, -0.3], 0u32),
        ([-2.0, 0.2, -0.3], 1),
        ([0.1, 0.5, -0.3], 2),
        ([0.1, -0.5, -0.3], 3),
        ([0.1, 0.5, 0.8], 4),
        ([0.1, 0.5, -0.8], 5),
    ] {
        let mut stream = textured(1);
        use TX_FORMAT1::*;
        let format = [
            (TXFORMAT, 12),
            (SEL_RED, 2),
            (SEL_GREEN, 1),
            (SEL_BLUE, 0),
            (SEL_ALPHA, 3),
            (TEX_COORD_TYPE, 2),
        ];
        stream.fields(TX_FORMAT1, &format);
        let [x, y, z] = direction;
        stream.fill(0.5, [x, y, z, 1.0]);
        let mut rig = Rig::new(1);
        for n in 0..6 {
            rig.put(
                TEXTURE + 256 * u64::from(n),
                &[0xff00_0000 | (n + 1) << 4; 64],
            );
        }
        rig.run(&stream).unwrap();
        assert_eq!(
            rig.pixels()[4][4],
            0xff00_0000 | (face + 1) << 4,
            "{direction:?}"
        );
    }
}
