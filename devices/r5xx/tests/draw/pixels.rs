//! What decides whether and how pixels are written: depth, stencil, blending, alpha test, kills.

use crate::rig::*;
use r5xx::regs::*;

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const BLUE: [f32; 4] = [0.0, 0.0, 1.0, 1.0];

fn depth_state() -> Stream {
    let mut s = Stream::state();
    s.word(ZB_DEPTHOFFSET, 0, DEPTH as u32);
    s.fields(
        ZB_DEPTHPITCH,
        &[(ZB_DEPTHPITCH::DEPTHPITCH, SIZE as u32 / 4)],
    );
    s.fields(ZB_FORMAT, &[(ZB_FORMAT::DEPTHFORMAT, 2)]);
    s.fields(
        ZB_CNTL,
        &[(ZB_CNTL::Z_ENABLE, 1), (ZB_CNTL::ZWRITEENABLE, 1)],
    );
    s
}

fn compare(stream: &mut Stream, code: u32) {
    stream.fields(ZB_ZSTENCILCNTL, &[(ZB_ZSTENCILCNTL::ZFUNC, code)]);
}

/// From depth 0 at the left to 1 at the right.
fn slope(stream: &mut Stream, color: [f32; 4]) {
    let corner = |x: f32, y: f32| [[x, y, (x + 1.0) / 2.0, 1.0], color];
    let [a, b, c, d] = [
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    stream.draw(TRIANGLES, &[a, b, c, a, c, d]);
}

#[test]
fn nearer_pixels_win() {
    for early in [0, 1] {
        let mut stream = depth_state();
        stream.word(ZB_ZTOP, 0, early);
        compare(&mut stream, 7);
        stream.fill(0.5, RED);
        // Less.
        compare(&mut stream, 1);
        slope(&mut stream, BLUE);
        let mut rig = Rig::new(1);
        rig.run(&stream).unwrap();
        for row in rig.pixels() {
            assert_eq!(row[..8], [0xff00_00ff; 8]);
            assert_eq!(row[8..], [0xffff_0000; 8]);
        }
        // Depths in the upper 24 bits.
        let at = |x: u64| rig.memory.load(DEPTH + 4 * x).unwrap() >> 8;
        assert!(at(15).abs_diff(0x7f_ffff) <= 1, "{:#x}", at(15));
        assert!(at(0).abs_diff(0xff_ffff / 32) <= 1, "{:#x}", at(0));
        let state = rig.chip.command_processor().state();
        assert_eq!(ZB_ZPASS_DATA.read(&state.registers, 0), 256 + 128);
    }
}

#[test]
fn stencil_values_count_passes() {
    let mut stream = depth_state();
    let on = [
        (ZB_CNTL::Z_ENABLE, 1),
        (ZB_CNTL::ZWRITEENABLE, 1),
        (ZB_CNTL::STENCIL_ENABLE, 1),
    ];
    stream.fields(ZB_CNTL, &on);
    stream.word(ZB_STENCILREFMASK, 0, 0x00ff_ff01);
    use ZB_ZSTENCILCNTL::*;
    // Always, and increment where depth passes.
    stream.fields(
        ZB_ZSTENCILCNTL,
        &[(ZFUNC, 1), (STENCILFUNC, 7), (STENCILZPASS, 3)],
    );
    let mut rig = Rig::new(1);
    for n in 0..256 {
        rig.put(DEPTH + 4 * n, &[0x8000_0000]);
    }
    slope(&mut stream, RED);
    // Where the value is 1.
    stream.fields(ZB_ZSTENCILCNTL, &[(ZFUNC, 7), (STENCILFUNC, 3)]);
    stream.fill(0.9, BLUE);
    rig.run(&stream).unwrap();
    for row in rig.pixels() {
        assert_eq!(row[..8], [0xff00_00ff; 8]);
        assert_eq!(row[8..], [0; 8]);
    }
}

#[test]
fn sources_are_blended_over_what_is_there() {
    let mut stream = Stream::state();
    stream.fill(0.5, [0.0, 0.0, 1.0, 1.0]);
    use RB3D_BLENDCNTL::*;
    // Source alpha and one minus it.
    let blend = [
        (ALPHA_BLEND_ENABLE, 1),
        (READ_ENABLE, 1),
        (SRCBLEND, 38),
        (DESTBLEND, 39),
    ];
    stream.fields(RB3D_BLENDCNTL, &blend);
    stream.fill(0.5, [1.0, 0.0, 0.0, 0.25]);
    let (pixels, _) = drawn(&stream);
    // 0.25 * 0.25 + 0.75 of alpha is 207.2 of 255.
    assert!(
        pixels.iter().flatten().all(|pixel| *pixel == 0xcf40_00bf),
        "{:#x}",
        pixels[0][0]
    );
}

#[test]
fn channels_are_masked() {
    let mut stream = Stream::state();
    stream.fill(0.5, BLUE);
    stream.word(RB3D_COLOR_CHANNEL_MASK, 0, 0b0100);
    stream.fill(0.5, [1.0, 1.0, 0.0, 0.0]);
    let (pixels, _) = drawn(&stream);
    assert!(
        pixels.iter().flatten().all(|pixel| *pixel == 0xffff_00ff),
        "{:#x}",
        pixels[0][0]
    );
}

#[test]
fn alpha_is_tested() {
    let mut stream = depth_state();
    compare(&mut stream, 7);
    use FG_ALPHA_FUNC::*;
    // Greater than 128 of 255.
    stream.fields(
        FG_ALPHA_FUNC,
        &[(AF_VAL, 128), (AF_FUNC, 4), (AF_EN, 1), (AF_EN_8BIT, 1)],
    );
    let corner = |x: f32, y: f32| [[x, y, 0.5, 1.0], [1.0, 0.0, 0.0, (x + 1.0) / 2.0]];
    let [a, b, c, d] = [
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    stream.draw(TRIANGLES, &[a, b, c, a, c, d]);
    let mut rig = Rig::new(1);
    let stats = rig.run(&stream).unwrap();
    for row in rig.pixels() {
        assert_eq!(row[..8], [0; 8]);
        assert!(row[8..].iter().all(|pixel| pixel >> 16 & 0xff == 0xff));
    }
    // Pixels that fail write no depth.
    let depths: Vec<u32> = (0..16)
        .map(|x| rig.memory.load(DEPTH + 4 * x).unwrap())
        .collect();
    assert!(depths[..8].iter().all(|depth| *depth == 0));
    assert!(depths[8..].iter().all(|depth| *depth != 0));
    assert_eq!(stats.samples_passed, 128);
}

#[test]
fn programs_kill_pixels() {
    let mut stream = Stream::state();
    stream.coordinates();
    stream.pixel_program(
        "TEX TEXKILL T1.r = t0.rgba, T0.rgba\nOUT.last MAX A.rgb = src0.111, src0.111 / MAX A.a = src0.1, src0.1",
        2,
    );
    let corner = |x: f32, y: f32| [[x, y, 0.5, 1.0], [x, 0.0, 0.0, 0.0]];
    let [a, b, c] = [corner(-1.0, -1.0), corner(3.0, -1.0), corner(-1.0, 3.0)];
    stream.draw(TRIANGLES, &[a, b, c]);
    let (pixels, _) = drawn(&stream);
    for row in pixels {
        assert_eq!(row[..8], [0; 8]);
        assert_eq!(row[8..], [u32::MAX; 8]);
    }
}

#[test]
fn programs_give_depths() {
    let mut stream = depth_state();
    compare(&mut stream, 1);
    stream.fields(FG_DEPTH_SRC, &[(FG_DEPTH_SRC::DEPTH_SRC, 1)]);
    stream.fields(US_W_FMT, &[(US_W_FMT::W_FMT, 1)]);
    stream.pixel_program(
        "OUT.last MAX A.rgb = src0.111, src0.111 / MAX A.a, W = src0.a, src0.a [T0]",
        1,
    );
    let mut rig = Rig::new(1);
    for n in 0..256 {
        rig.put(DEPTH + 4 * n, &[0x8000_0000]);
    }
    let corner = |x: f32, y: f32| [[x, y, 0.9, 1.0], [0.0, 0.0, 0.0, (x + 1.0) / 2.0]];
    let [a, b, c, d] = [
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    stream.draw(TRIANGLES, &[a, b, c, a, c, d]);
    rig.run(&stream).unwrap();
    for row in rig.pixels() {
        assert!(row[..8].iter().all(|pixel| pixel & 0xff_ffff == 0xff_ffff));
        assert_eq!(row[8..], [0; 8]);
    }
}

#[test]
fn programs_know_their_pixel_and_side() {
    let mut stream = Stream::state();
    stream.pixel_program(
        "OUT.last MAD A.rgb = src0.rgb, src1.rrr, src0.000 [T0, C0] / MAX A.a = src0.1, src0.1",
        1,
    );
    // Pixels over 255.
    stream.word(GA_US_VECTOR_INDEX, 0, 1 << 16);
    for _ in 0..4 {
        stream.word(GA_US_VECTOR_DATA, 0, (1.0f32 / 255.0).to_bits());
    }
    stream.fields(RS_INST, &[(RS_INST::COL_CN, 2)]);
    stream.fill(0.5, RED);
    let (pixels, _) = drawn(&stream);
    for (y, row) in (0..).zip(&pixels) {
        for (x, pixel) in (0..).zip(row) {
            assert_eq!(*pixel, 0xff00_0000 | x << 16 | y << 8);
        }
    }
    stream.0.truncate(stream.0.len() - 26);
    stream.pixel_program(PASS, 1);
    stream.fields(RS_INST, &[(RS_INST::COL_CN, 3)]);
    for (face, red) in [(0, 0xff), (1, 0)] {
        let mut stream = stream.clone();
        stream.fields(SU_CULL_MODE, &[(SU_CULL_MODE::FACE, face)]);
        stream.fill(0.5, RED);
        let (pixels, _) = drawn(&stream);
        assert_eq!(pixels[2][2] >> 16 & 0xff, red, "{face}");
    }
}
