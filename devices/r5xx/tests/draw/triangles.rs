//! Vertices, coverage and colours.

use crate::rig::*;
use r5xx::packets::{DRAW_VBUF_2, LOAD_VBPNTR};
use r5xx::regs::*;
use radeon::packets::header;

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const BLACK: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// Half of the target: red at the upper left, black at the other corners.
fn half() -> [[[f32; 4]; 2]; 3] {
    [
        [[-1.0, -1.0, 0.5, 1.0], RED],
        [[1.0, -1.0, 0.5, 1.0], BLACK],
        [[-1.0, 1.0, 0.5, 1.0], BLACK],
    ]
}

/// What that leaves: the long edge runs through centres of pixels, and those are out.
fn expected(x: u32, y: u32) -> u32 {
    if x + y >= 15 {
        return 0;
    }
    let red = 255.0 * (1.0 - (x + y + 1) as f32 / 16.0);
    0xff00_0000 | (red.round() as u32) << 16
}

fn check(pixels: &[[u32; 16]], expected: impl Fn(u32, u32) -> u32) {
    for (y, row) in (0..).zip(pixels) {
        for (x, pixel) in (0..).zip(row) {
            assert_eq!(*pixel, expected(x, y), "pixel {x}, {y}: {pixel:#x}");
        }
    }
}

#[test]
fn a_triangle_covers_and_blends_its_corners() {
    let mut stream = Stream::state();
    stream.draw(TRIANGLES, &half());
    let (pixels, stats) = drawn(&stream);
    check(&pixels, expected);
    assert_eq!((stats.draws, stats.vertices, stats.primitives), (1, 3, 1));
    assert_eq!((stats.vertex_waves, stats.vertex_lanes), (1, 3));
    assert_eq!((stats.clipped_primitives, stats.fragment_lanes), (1, 120));
    assert_eq!(stats.samples_passed, 120);
}

#[test]
fn threads_change_nothing() {
    let mut stream = Stream::state();
    stream.draw(TRIANGLES, &half());
    let mut rig = Rig::new(3);
    let stats = rig.run(&stream).unwrap();
    let (pixels, one) = drawn(&stream);
    assert_eq!(rig.pixels(), pixels);
    assert_eq!(stats, one);
}

#[test]
fn vertices_come_from_arrays() {
    let mut stream = Stream::state();
    // Position and colour in arrays of their own.
    stream.0.extend([
        header(LOAD_VBPNTR, 4),
        2,
        0x0404_0404,
        VERTICES as u32,
        VERTICES as u32 + 0x100,
    ]);
    stream.0.push(header(DRAW_VBUF_2, 1));
    stream.0.push(
        VAP_VF_CNTL::PRIM_TYPE.bits(TRIANGLES)
            | VAP_VF_CNTL::PRIM_WALK.bits(2)
            | VAP_VF_CNTL::NUM_VERTICES.bits(3),
    );
    let mut rig = Rig::new(1);
    for (n, [position, color]) in half().into_iter().enumerate() {
        rig.put(VERTICES + 16 * n as u64, &position.map(f32::to_bits));
        rig.put(VERTICES + 0x100 + 16 * n as u64, &color.map(f32::to_bits));
    }
    rig.run(&stream).unwrap();
    check(&rig.pixels(), expected);
}

#[test]
fn triangles_are_clipped_in_front_and_by_user_planes() {
    // Behind the eye at its left corners.
    let near = [
        [[-1.0, -1.0, -1.0, 1.0], RED],
        [[1.5, 0.0, 1.0, 1.0], RED],
        [[-1.0, 1.0, -1.0, 1.0], RED],
    ];
    let mut stream = Stream::state();
    stream.draw(TRIANGLES, &near);
    let (pixels, stats) = drawn(&stream);
    // Half of the way from -1 to 1.5.
    for row in &pixels {
        assert_eq!(row[..10], [0; 10]);
    }
    assert_eq!(pixels[8][10..], [0xffff_0000; 6]);
    assert_eq!((stats.primitives, stats.clipped_primitives), (1, 1));
    // Only y below 0.
    let mut stream = Stream::state();
    stream.word(VAP_PVS_VECTOR_INDX_REG, 0, r5xx::cp::CLIP_PLANES as u32);
    for value in [0.0, -1.0, 0.0, 0.0] {
        stream.word(VAP_PVS_VECTOR_DATA_REG, 0, f32::to_bits(value));
    }
    stream.fields(VAP_CLIP_CNTL, &[(VAP_CLIP_CNTL.fields[0], 1)]);
    stream.fill(0.5, RED);
    let (pixels, _) = drawn(&stream);
    check(&pixels, |_, y| if y < 8 { 0xffff_0000 } else { 0 });
}

#[test]
fn perspective_divides_by_w() {
    // The right corners are twice as far away.
    let vertex =
        |x: f32, y: f32, w: f32, red: f32| [[x * w, y * w, 0.5 * w, w], [red, 0.0, 0.0, 1.0]];
    let [a, b, c, d] = [
        vertex(-1.0, -1.0, 1.0, 0.0),
        vertex(1.0, -1.0, 2.0, 1.0),
        vertex(1.0, 1.0, 2.0, 1.0),
        vertex(-1.0, 1.0, 1.0, 0.0),
    ];
    // With a constant in the place of 1 / w nothing is divided.
    for affine in [0, 1] {
        let mut stream = Stream::state();
        stream.fields(GB_SELECT, &[(GB_SELECT::W_SELECT, affine)]);
        stream.draw(TRIANGLES, &[a, b, c, a, c, d]);
        let (pixels, _) = drawn(&stream);
        for (x, pixel) in pixels[5].iter().enumerate() {
            let at = (x as f64 + 0.5) / 16.0;
            let part = match affine {
                0 => (at / 2.0) / (1.0 - at / 2.0),
                _ => at,
            };
            let (red, red_drawn) = (255.0 * part, f64::from(pixel >> 16 & 0xff));
            assert!((red - red_drawn).abs() <= 0.51, "{x}: {red} {red_drawn}");
        }
    }
}

#[test]
fn colors_are_clamped_unless_the_register_says_no() {
    for (mode, red) in [(0x35, 0xc0), (0x05, 0x80)] {
        let mut stream = Stream::state();
        stream.word(GA_ROUND_MODE, 0, mode);
        // Half of 1.5, or of 1.
        stream.pixel_program(
            "OUT.last MAD A.rgb = src0.rgb, src0.hhh, src0.000 [T0] / MAX A.a = src0.1, src0.1",
            1,
        );
        stream.fill(0.5, [1.505, 0.5, -1.0, 1.0]);
        let (pixels, _) = drawn(&stream);
        assert_eq!(pixels[3][3], 0xff00_4000 | red << 16);
    }
}

#[test]
fn what_is_not_executed_is_named() {
    let mut stream = Stream::state();
    stream.fields(
        ZB_CNTL,
        &[(ZB_CNTL::Z_ENABLE, 1), (ZB_CNTL::ZSIGNED_COMPARE, 1)],
    );
    stream.fill(0.5, RED);
    let error = Rig::new(1).run(&stream).unwrap_err().to_string();
    assert!(
        error.contains("ZB_CNTL.ZSIGNED_COMPARE 0x1 is not executed"),
        "{error}"
    );
    let mut stream = Stream::state();
    stream.word(RB3D_COLOROFFSET, 0, 0x10_0000 - 64);
    stream.fill(0.5, RED);
    let error = Rig::new(1).run(&stream).unwrap_err().to_string();
    assert!(error.contains("beyond video memory"), "{error}");
}
