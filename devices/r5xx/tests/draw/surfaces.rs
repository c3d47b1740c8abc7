//! How surfaces lie in memory and what they hold: byte orders, origins, depth formats, targets that nothing is written to.

use crate::rig::*;
use r5xx::regs::*;
use r5xx::tiling::{Surface, Tiling};

const ADD: u32 = 1;
const ONE: u32 = 2;
const SOURCE_ALPHA: u32 = 5;

fn swapped(word: u32, swap: u32) -> u32 {
    let [a, b, c, d] = word.to_le_bytes();
    u32::from_le_bytes(match swap {
        0 => [a, b, c, d],
        1 => [b, a, d, c],
        2 => [d, c, b, a],
        _ => [c, d, a, b],
    })
}

/// A target of a format and an order.
fn target(s: &mut Stream, format: u32, swap: u32) {
    use RB3D_COLORPITCH::*;
    let pitch = [
        (COLORPITCH, SIZE as u32 / 2),
        (COLORFORMAT, format),
        (COLORENDIAN, swap),
    ];
    s.fields(RB3D_COLORPITCH, &pitch);
}

/// Blended draws, a texture that shows the target of the draws before, and draws again.
#[test]
fn colours_lie_in_any_order() {
    for format in [6, 4] {
        let image = |swap: u32| {
            let mut s = Stream::state();
            target(&mut s, format, swap);
            s.fill(0.5, [0.25, 0.5, 0.75, 1.0]);
            use RB3D_BLENDCNTL::*;
            let blend = [
                (ALPHA_BLEND_ENABLE, 1),
                (COMB_FCN, ADD),
                (SRCBLEND, SOURCE_ALPHA),
                (DESTBLEND, ONE),
            ];
            s.fields(RB3D_BLENDCNTL, &blend);
            // Other rows have another area.
            let corner = [(SC_SCISSOR1.fields[0], 15), (SC_SCISSOR1.fields[1], 7)];
            s.fields(SC_SCISSOR1, &corner);
            s.fill(0.5, [0.5, 0.25, 0.0, 0.5]);
            s.fill(0.5, [0.0, 0.25, 0.0, 0.5]);
            let mut rig = Rig::new(1);
            rig.run(&s).unwrap();
            rig
        };
        let plain = image(0);
        assert!(
            plain.pixels().as_flattened()[..64]
                .iter()
                .all(|word| *word != 0)
        );
        for swap in [1, 2, 3] {
            let other = image(swap);
            let words = |rig: &Rig| rig.pixels().concat();
            let expected: Vec<u32> = words(&plain)
                .into_iter()
                .map(|w| swapped(w, swap))
                .collect();
            assert_eq!(words(&other), expected, "{format} {swap}");
        }
    }
}

#[test]
fn a_texture_shows_what_was_drawn_in_its_order() {
    let mut s = Stream::state();
    target(&mut s, 6, 2);
    s.fill(0.5, [0.25, 0.5, 0.75, 1.0]);
    s.word(RB3D_DSTCACHE_CTLSTAT, 0, 0xa);
    s.word(RB3D_COLOROFFSET, 0, DEPTH as u32);
    target(&mut s, 6, 0);
    s.coordinates();
    s.pixel_program("TEX LD_acquire T0.rgba = t0.rgba, T0.rgba\nOUT.last.wait MAX A.rgb = src0.rgb, src0.rgb [T0] / MAX A.a = src0.a, src0.a [T0]", 1);
    s.word(TX_ENABLE, 0, 1);
    s.fields(
        TX_FILTER0,
        &[(TX_FILTER0::MAG_FILTER, 1), (TX_FILTER0::MIN_FILTER, 1)],
    );
    s.fields(
        TX_FORMAT0,
        &[(TX_FORMAT0::TXWIDTH, 15), (TX_FORMAT0::TXHEIGHT, 15)],
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
    s.word(TX_OFFSET, 0, TARGET as u32 | 2);
    s.fill(0.5, [0.5, 0.5, 0.0, 1.0]);
    let mut rig = Rig::new(1);
    rig.run(&s).unwrap();
    assert_eq!(rig.memory.load(TARGET), Some(0xbf80_40ff));
    assert_eq!(rig.memory.load(DEPTH), Some(0xff40_80bf));
}

fn tests_depth(s: &mut Stream, format: u32, function: u32) {
    let on = [(ZB_CNTL::Z_ENABLE, 1), (ZB_CNTL::ZWRITEENABLE, 1)];
    s.fields(ZB_CNTL, &on);
    s.fields(ZB_FORMAT, &[(ZB_FORMAT::DEPTHFORMAT, format)]);
    s.fields(ZB_ZSTENCILCNTL, &[(ZB_ZSTENCILCNTL::ZFUNC, function)]);
    s.word(ZB_DEPTHOFFSET, 0, DEPTH as u32);
}

#[test]
fn depths_lie_in_any_order() {
    for (swap, stored) in [
        (0, 0x8000_0012),
        (1, 0x0080_1200),
        (2, 0x1200_0080),
        (3, 0x0012_8000),
    ] {
        let mut s = Stream::state();
        tests_depth(&mut s, 2, 1);
        use ZB_DEPTHPITCH::*;
        s.fields(ZB_DEPTHPITCH, &[(DEPTHPITCH, 4), (DEPTHENDIAN, swap)]);
        s.fill(0.25, [1.0; 4]);
        s.fill(0.75, [0.5; 4]);
        let mut rig = Rig::new(1);
        let words = [swapped(0x8000_0012, swap); 256];
        rig.put(DEPTH, &words);
        assert_eq!(words[0], stored);
        rig.run(&s).unwrap();
        // A quarter is nearer than what was there, three quarters are not. The stencil stays.
        let depth = swapped(rig.memory.load(DEPTH + 4 * 37).unwrap(), swap);
        assert!(
            (depth >> 8).abs_diff(0x40_0000) <= 1 && depth & 0xff == 0x12,
            "{depth:#x}"
        );
        assert_eq!(rig.pixels()[3][3], u32::MAX);
    }
}

/// Clears by the depth block are words of its order.
#[test]
fn clears_lie_in_the_order_of_depths() {
    let mut s = Stream::state();
    s.fields(ZB_BW_CNTL, &[(ZB_BW_CNTL::ZB_CB_CLEAR, 1)]);
    s.fields(ZB_FORMAT, &[(ZB_FORMAT::DEPTHFORMAT, 2)]);
    s.word(ZB_DEPTHOFFSET, 0, DEPTH as u32);
    use ZB_DEPTHPITCH::*;
    s.fields(ZB_DEPTHPITCH, &[(DEPTHPITCH, 4), (DEPTHENDIAN, 2)]);
    s.word(ZB_DEPTHCLEARVALUE, 0, 0x0102_0304);
    s.fill(0.25, [1.0; 4]);
    let mut rig = Rig::new(1);
    rig.run(&s).unwrap();
    assert_eq!(rig.memory.load(DEPTH + 4 * 200), Some(0x0403_0201));
}

#[test]
fn overlapping_surfaces_have_one_order() {
    let mut s = Stream::state();
    tests_depth(&mut s, 2, 7);
    s.word(ZB_DEPTHOFFSET, 0, TARGET as u32 + 512);
    use ZB_DEPTHPITCH::*;
    s.fields(ZB_DEPTHPITCH, &[(DEPTHPITCH, 4), (DEPTHENDIAN, 2)]);
    s.fill(0.25, [1.0; 4]);
    let error = Rig::new(1).run(&s).unwrap_err().to_string();
    assert!(error.contains("0x10000 and 0x10200 overlap"), "{error}");
}

/// Pixel 0, 0 is at 32, 32 of the surface.
#[test]
fn depths_begin_at_an_origin() {
    for (macro_tiled, micro) in [(false, 0), (false, 1), (true, 1)] {
        let mut s = Stream::state();
        tests_depth(&mut s, 2, 7);
        use ZB_DEPTHPITCH::*;
        let pitch = [
            (DEPTHPITCH, 16),
            (DEPTHMACROTILE, u32::from(macro_tiled)),
            (DEPTHMICROTILE, micro),
        ];
        s.fields(ZB_DEPTHPITCH, &pitch);
        let origin = [
            (ZB_DEPTHXY_OFFSET::DEPTHX_OFFSET, 16),
            (ZB_DEPTHXY_OFFSET::DEPTHY_OFFSET, 16),
        ];
        s.fields(ZB_DEPTHXY_OFFSET, &origin);
        let corner = |x, y, z| [[x, y, z, 1.0], [1.0; 4]];
        s.draw(
            TRIANGLES,
            &[
                corner(-1.0, -1.0, 0.0),
                corner(3.0, -1.0, 0.5),
                corner(-1.0, 3.0, 0.5),
            ],
        );
        let mut rig = Rig::new(1);
        rig.run(&s).unwrap();
        let surface =
            Surface::new(Tiling::new(macro_tiled, micro).unwrap(), 4, [64, 64], 1).unwrap();
        for (x, y) in (0..64).flat_map(|y| (0..64).map(move |x| (x, y))) {
            let word = rig.memory.load(DEPTH + surface.offset(x, y, 0, 0)).unwrap();
            let inside = (32..48).contains(&x) && (32..48).contains(&y);
            let expected = match inside {
                true => f64::from(x - 32 + y - 32 + 1) / 64.0 * f64::from(0xff_ffff),
                false => 0.0,
            };
            assert!(
                (f64::from(word >> 8) - expected).abs() <= 1.0,
                "{x} {y} {word:#x}"
            );
        }
    }
    let mut s = Stream::state();
    tests_depth(&mut s, 2, 7);
    s.fields(ZB_DEPTHPITCH, &[(ZB_DEPTHPITCH::DEPTHPITCH, 16)]);
    s.fields(ZB_DEPTHXY_OFFSET, &[(ZB_DEPTHXY_OFFSET::DEPTHX_OFFSET, 4)]);
    s.fill(0.5, [1.0; 4]);
    let error = Rig::new(1).run(&s).unwrap_err().to_string();
    assert!(error.contains("[8, 0] is not a multiple of 32"), "{error}");
}

/// Counts of leading ones, or of zeros, and thirteen bits behind.
#[test]
fn depths_of_an_exponent() {
    for (invert, z, stored) in [
        (0, 0.25, 0x0fff..=0x1000),
        (0, 0.75, 0x3fff..=0x4000),
        (0, 1.0, 0xffff..=0xffff),
        (1, 0.75, 0xefff..=0xf000),
        (1, 0.25, 0xbfff..=0xc000),
        (1, 0.0, 0x0000..=0x0000),
    ] {
        let mut s = Stream::state();
        tests_depth(&mut s, 1, 7);
        let format = [(ZB_FORMAT::DEPTHFORMAT, 1), (ZB_FORMAT::INVERT, invert)];
        s.fields(ZB_FORMAT, &format);
        s.fields(ZB_DEPTHPITCH, &[(ZB_DEPTHPITCH::DEPTHPITCH, 4)]);
        s.fill(z, [1.0; 4]);
        // Equal to what was stored, and no less.
        for (function, color) in [(3, 0.5), (1, 0.75)] {
            s.fields(ZB_ZSTENCILCNTL, &[(ZB_ZSTENCILCNTL::ZFUNC, function)]);
            s.fill(z, [color; 4]);
        }
        let mut rig = Rig::new(1);
        rig.run(&s).unwrap();
        assert_eq!(rig.pixels()[5][5], 0x8080_8080, "{invert} {z}");
        let word = rig.memory.load(DEPTH + 32 * 5 + 8).unwrap();
        assert_eq!(word >> 16, word & 0xffff);
        assert!(stored.contains(&(word & 0xffff)), "{invert} {z} {word:#x}");
    }
}

/// US_W_FMT: zero, the program's depth, what the rasteriser has at a slot of its packet.
#[test]
fn depths_of_three_sources() {
    let depth = |format: u32, source: u32| {
        let mut s = Stream::state();
        tests_depth(&mut s, 2, 7);
        s.fields(ZB_DEPTHPITCH, &[(ZB_DEPTHPITCH::DEPTHPITCH, 4)]);
        s.word(FG_DEPTH_SRC, 0, 1);
        s.fields(
            US_W_FMT,
            &[(US_W_FMT::W_FMT, format), (US_W_FMT::W_SRC, source)],
        );
        s.coordinates();
        s.fields(RS_COUNT, &[(RS_COUNT::IT_COUNT, 4), (RS_COUNT::W_ADDR, 2)]);
        s.fields(RS_INST, &[(RS_INST::TEX_CN, 1), (RS_INST::W_CN, 1)]);
        s.pixel_program(
            "OUT.last MAX A.rgb = src0.rgb, src0.rgb [T0] / MAX A.a, W = src0.a, src0.a [T0]",
            1,
        );
        s.fill(0.5, [0.1, 0.2, 0.25, 0.75]);
        let mut rig = Rig::new(1);
        let result = rig.run(&s);
        result.map(|_| rig.memory.load(DEPTH + 4 * 40).unwrap() >> 8)
    };
    assert_eq!(depth(0, 0).unwrap(), 0);
    assert!(depth(1, 0).unwrap().abs_diff(0xc0_0000) <= 1);
    assert!(depth(1, 1).unwrap().abs_diff(0x40_0000) <= 1);
    let error = depth(2, 0).unwrap_err().to_string();
    assert!(
        error.contains("the layout of W24_FP is not given"),
        "{error}"
    );
}

/// Mesa's driver leaves output 0 on where no buffer is bound.
#[test]
fn targets_that_nothing_is_written_to_need_no_buffer() {
    let mut s = Stream::state();
    s.word(RB3D_COLOROFFSET, 0, 0xffff_ffe0);
    s.word(RB3D_COLORPITCH, 0, 0);
    s.word(RB3D_COLOR_CHANNEL_MASK, 0, 0);
    tests_depth(&mut s, 2, 7);
    s.fields(ZB_DEPTHPITCH, &[(ZB_DEPTHPITCH::DEPTHPITCH, 4)]);
    s.fill(1.0, [1.0; 4]);
    let mut rig = Rig::new(1);
    rig.run(&s).unwrap();
    assert_eq!(rig.memory.load(DEPTH).unwrap() >> 8, 0xff_ffff);
    s.word(RB3D_COLOR_CHANNEL_MASK, 0, 1);
    s.fields(RB3D_COLORPITCH, &[(RB3D_COLORPITCH::COLORFORMAT, 6)]);
    s.fill(1.0, [1.0; 4]);
    let error = rig.run(&s).unwrap_err().to_string();
    assert!(error.contains("a surface of 0 by 16 elements"), "{error}");
}

/// Sums of floats are clamped where the function says so; halves and whole floats.
#[test]
fn sums_of_floats_are_clamped_on_demand() {
    // ARGB16161616 and ARGB32323232, C4_16_FP and C4_32_FP.
    for (format, output, words) in [(10, 18, 2), (7, 21, 4)] {
        for (function, red) in [(0, 1.0f32), (1, 1.5)] {
            let mut s = Stream::state();
            use US_OUT_FMT::*;
            let fields = [(OUT_FMT, output), (C0_SEL, 3), (C1_SEL, 2), (C2_SEL, 1)];
            s.fields(US_OUT_FMT, &fields);
            target(&mut s, format, 0);
            s.word(RB3D_COLOR_CHANNEL_MASK, 0, 0xf);
            s.fill(0.5, [0.75; 4]);
            use RB3D_BLENDCNTL::*;
            let blend = [
                (ALPHA_BLEND_ENABLE, 1),
                (COMB_FCN, function),
                (SRCBLEND, ONE),
                (DESTBLEND, ONE),
            ];
            s.fields(RB3D_BLENDCNTL, &blend);
            s.fill(0.5, [0.75; 4]);
            let mut rig = Rig::new(1);
            rig.run(&s).unwrap();
            let word = rig.memory.load(TARGET + 4 * words).unwrap();
            let half = silicon::texture::float::to_f16(red.to_bits());
            let expected = if words == 4 {
                red.to_bits()
            } else {
                half * 0x1_0001
            };
            assert_eq!(word, expected, "{format} {function}");
        }
    }
}
