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

/// 255 of 256 parts: the next smaller byte. Constants stay.
#[test]
fn bytes_are_divided_by_256() {
    let alpha = |s: &mut Stream, divided: u32| {
        s.fields(TX_FORMAT2, &[(TX_FORMAT2::POW2FIX2FLT, divided)]);
        use TX_FORMAT1::*;
        let format = [
            (TXFORMAT, 12),
            (SEL_RED, 3),
            (SEL_GREEN, 5),
            (SEL_BLUE, 4),
            (SEL_ALPHA, 3),
        ];
        s.fields(TX_FORMAT1, &format);
        quad(s, 1.0);
        let mut rig = rig();
        rig.run(s).unwrap();
        rig.pixels()[4][4]
    };
    assert_eq!(alpha(&mut textured(1), 0), 0xffff_ff00);
    assert_eq!(alpha(&mut textured(1), 1), 0xfefe_ff00);
}

/// A red block: component 0 is red, or component 2 where bit 21 of TX_FILTER1 says so.
#[test]
fn blocks_have_red_first_or_third() {
    for (swapped, expected) in [(0, 0xff00_00ff), (1, 0xffff_0000)] {
        let mut rig = Rig::new(1);
        rig.put(TEXTURE, &[0xf800_f800, 0]);
        let mut s = textured(1);
        s.fields(
            TX_FORMAT0,
            &[(TX_FORMAT0::TXWIDTH, 3), (TX_FORMAT0::TXHEIGHT, 3)],
        );
        s.fields(TX_FILTER1, &[(TX_FILTER1::RESERVED_21, swapped)]);
        use TX_FORMAT1::*;
        let format = [
            (TXFORMAT, 15),
            (SEL_RED, 2),
            (SEL_GREEN, 1),
            (SEL_BLUE, 0),
            (SEL_ALPHA, 3),
        ];
        s.fields(TX_FORMAT1, &format);
        quad(&mut s, 1.0);
        rig.run(&s).unwrap();
        assert_eq!(rig.pixels()[4][4], expected);
    }
}

/// The middle of a texture of one row of texels, drawn over the target without a filter.
fn row(s: &mut Stream, words: &[u32], width: u32) -> [u32; 16] {
    s.fields(
        TX_FORMAT0,
        &[(TX_FORMAT0::TXWIDTH, width - 1), (TX_FORMAT0::TXHEIGHT, 0)],
    );
    quad(s, 1.0);
    let mut rig = Rig::new(1);
    rig.put(TEXTURE, words);
    rig.run(s).unwrap();
    rig.pixels()[8]
}

/// Black, white, red and blue of ITU-R BT.601, in pairs that share differences and in words.
#[test]
fn luminance_and_differences_become_colours() {
    use TX_FORMAT1::*;
    let colors = |code: u32, fields: &[(Field, u32)], words: &[u32], width: u32| {
        let mut s = textured(1);
        s.fields(TX_FORMAT1, &[&[(TXFORMAT, code)], fields].concat());
        let pixels = row(&mut s, words, width);
        [pixels[0], pixels[15]]
    };
    let rgb = [(YUV_TO_RGB, 1)];
    // Y 16 and 235 with both differences 128.
    assert_eq!(
        colors(20, &rgb, &[0x80eb_8010], 2),
        [0xff00_0000, 0xffff_ffff]
    );
    assert_eq!(
        colors(21, &rgb, &[0xeb80_1080], 2),
        [0xff00_0000, 0xffff_ffff]
    );
    // Red: Y 81, U 90, V 240. (81 - 16) / 219 + 1.402 * 112 / 224 = 0.998; green and blue are below a half of 255.
    assert_eq!(colors(20, &rgb, &[0xf051_5a51], 2), [0xfffe_0000; 2]);
    // Blue: Y 41, U 240, V 110, alpha 7: 0.114 + 0.886 = 1.0, red 0.1142 - 0.1127 = 0.0015, green -0.0003.
    assert_eq!(colors(19, &rgb, &[0x076e_29f0], 1), [0x0700_00ff; 2]);
    // The same with the top bits of U and V inverted in memory.
    let swapped = [(YUV_TO_RGB, 1), (SWAP_YUV, 1)];
    assert_eq!(colors(19, &swapped, &[0x07ee_2970], 1), [0x0700_00ff; 2]);
    // Without conversion V is red, Y green and U blue.
    assert_eq!(colors(19, &[], &[0x1234_5678], 1), [0x1234_5678; 2]);
}

#[test]
fn texels_lie_in_other_orders() {
    for (swap, word) in [
        (0, 0xff11_2233),
        (1, 0x11ff_3322),
        (2, 0x3322_11ff),
        (3, 0x2233_ff11),
    ] {
        let mut s = textured(1);
        s.word(
            TX_OFFSET,
            0,
            TEXTURE as u32 | TX_OFFSET::ENDIAN_SWAP.bits(swap),
        );
        assert_eq!(row(&mut s, &[word], 1)[3], 0xff11_2233, "{swap}");
    }
}

/// Half of each texel: the key makes the left one zero before the filter.
#[test]
fn texels_that_match_a_key_are_zero() {
    let middle = |mode: u32, filter: u32| {
        let mut s = textured(filter);
        s.fields(TX_FILTER1, &[(TX_FILTER1::CHROMA_KEY_MODE, mode)]);
        s.word(TX_CHROMA_KEY, 0, 0xff00_ff00);
        let pixels = row(&mut s, &[0xff00_ff00, 0xffff_0000], 2);
        [pixels[1], pixels[14]]
    };
    assert_eq!(middle(0, 1), [0xff00_ff00, 0xffff_0000]);
    assert_eq!(middle(2, 1), [0, 0xffff_0000]);
    // 7 / 16 of the way between the centres of two texels: pixel 7 of 16.
    let mut s = textured(2);
    s.fields(TX_FILTER1, &[(TX_FILTER1::CHROMA_KEY_MODE, 2)]);
    s.word(TX_CHROMA_KEY, 0, 0xff00_ff00);
    let between = row(&mut s, &[0xff00_ff00, 0xffff_0000], 2)[7];
    // (7.5 / 8 - 0.5) * 255 = 111.6.
    assert_eq!(between, 0x7070_0000);
}

/// A byte of luminance in the sRGB encoding, and one of alpha that is not: 188 stands for 0.503.
#[test]
fn gamma_is_removed_from_luminance() {
    use TX_FORMAT1::*;
    let mut s = textured(1);
    s.fields(TX_FORMAT1, &[(TXFORMAT, 3), (SEL_ALPHA, 1), (GAMMA, 1)]);
    assert_eq!(row(&mut s, &[0x64bc], 1)[8], 0x6480_8080);
    let mut s = textured(1);
    s.fields(TX_FORMAT1, &[(TXFORMAT, 0), (SEL_ALPHA, 5), (GAMMA, 1)]);
    assert_eq!(row(&mut s, &[0xbc], 1)[8], 0xff80_8080);
}

/// Pixels to which a texel with weight matches are not drawn.
#[test]
fn texels_that_match_a_key_stop_pixels() {
    let drawn = |filter: u32| {
        let mut s = textured(filter);
        s.fields(TX_FILTER1, &[(TX_FILTER1::CHROMA_KEY_MODE, 1)]);
        s.word(TX_CHROMA_KEY, 0, 0xff00_ff00);
        row(&mut s, &[0xff00_ff00, 0xffff_0000], 2).map(|pixel| pixel == 0xffff_0000)
    };
    // The first texel lies below eight pixels, and has weight up to the centre of the second.
    assert_eq!(drawn(1), std::array::from_fn(|x| x > 7));
    assert_eq!(drawn(2), std::array::from_fn(|x| x > 11));
}

/// Two levels, zero and one: what is between is the fraction of the level of detail.
#[test]
fn fractions_of_levels_are_steeper() {
    let fraction = |level: f32, steeper: u32| {
        let mut s = textured(1);
        s.pixel_program(&LOOKUP.replace("LD_acquire", "LOD_acquire"), 1);
        use TX_FILTER0::*;
        let filter = [(MAG_FILTER, 1), (MIN_FILTER, 1), (MIP_FILTER, 2)];
        s.fields(TX_FILTER0, &filter);
        use TX_FORMAT0::*;
        s.fields(TX_FORMAT0, &[(TXWIDTH, 7), (TXHEIGHT, 7), (NUM_LEVELS, 1)]);
        let filter1 = [(TX_FILTER1::TRI_PERF, steeper), (TX_FILTER1::LOD_BIAS, 1)];
        s.fields(TX_FILTER1, &filter1);
        s.fill(0.5, [0.5, 0.5, 0.0, level]);
        let mut rig = Rig::new(1);
        rig.put(TEXTURE + 256, &[u32::MAX; 64]);
        rig.run(&s).unwrap();
        rig.pixels()[4][4] & 0xff
    };
    assert_eq!([0, 1, 2, 3].map(|n| fraction(0.25, n)), [64, 42, 0, 0]);
    assert_eq!([0, 1, 2, 3].map(|n| fraction(0.375, n)), [96, 85, 64, 0]);
    assert_eq!(
        [0, 1, 2, 3].map(|n| fraction(0.75, n)),
        [191, 212, 255, 255]
    );
}
