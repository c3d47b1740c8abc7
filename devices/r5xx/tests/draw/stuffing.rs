//! Vectors that GA makes of lines and triangles.

use crate::rig::*;
use r5xx::regs::*;

const LINES: u32 = 2;
const LINE_STRIP: u32 = 3;

/// State of a draw whose first texture set GA makes for primitives of a kind.
fn made(enable: Field) -> Stream {
    let mut s = Stream::state();
    s.coordinates();
    let vector = [(enable, 1), (GB_ENABLE::TEX0_SOURCE, 2)];
    s.fields(GB_ENABLE, &vector);
    use RS_IP::*;
    let slots = [
        (TEX_PTR_S, 0),
        (TEX_PTR_T, 1),
        (TEX_PTR_R, 2),
        (TEX_PTR_Q, 63),
    ];
    s.fields(RS_IP, &slots);
    s.fields(
        GA_LINE_CNTL,
        &[(GA_LINE_CNTL::WIDTH, 8), (GA_LINE_CNTL::END_TYPE, 2)],
    );
    s
}

/// A sixteenth of each pixel centre from 0 on, as a byte.
fn ramp() -> [u32; 16] {
    std::array::from_fn(|n| ((n as f32 + 0.5) / 16.0 * 255.0).round() as u32)
}

fn channel(row: [u32; 16], low: u32) -> [u32; 16] {
    row.map(|pixel| pixel >> low & 0xff)
}

/// Corners of the target's line 5.
fn ends(from: f32, to: f32) -> [[[f32; 4]; 2]; 2] {
    [from, to].map(|x| [[x, 5.5 / 8.0 - 1.0, 0.5, 1.0], [9.0; 4]])
}

#[test]
fn triangles_have_places_of_pixels() {
    let mut s = made(GB_ENABLE::TRIANGLE_STUFF_ENABLE);
    use GA_TRIANGLE_STIPPLE::*;
    s.fields(GA_TRIANGLE_STIPPLE, &[(X_SHIFT, 4), (Y_SHIFT, 5)]);
    s.fill(0.5, [9.0; 4]);
    let (pixels, _) = drawn(&s);
    for (y, row) in pixels.into_iter().enumerate() {
        assert_eq!(channel(row, 16), ramp());
        let green = ((y as f32 + 0.5) / 32.0 * 255.0).round() as u32;
        assert_eq!(channel(row, 8), [green; 16]);
        assert_eq!(channel(row, 0), [255; 16], "2 is the third coordinate");
    }
}

#[test]
fn lines_have_places_along_them() {
    for (from, to, sorts, vertices) in [
        (-1.0, 1.0, 0, [0.0, 1.0]),
        (1.0, -1.0, 0, [1.0, 0.0]),
        (1.0, -1.0, 1, [0.0, 1.0]),
    ] {
        let mut s = made(GB_ENABLE::LINE_STUFF_ENABLE);
        use GA_LINE_CNTL::*;
        let fields = [(WIDTH, 8), (END_TYPE, 2), (SORT, sorts)];
        s.fields(GA_LINE_CNTL, &fields);
        s.float(GA_LINE_S0, vertices[0]);
        s.float(GA_LINE_S1, vertices[1]);
        s.draw(LINES, &ends(from, to));
        let (pixels, _) = drawn(&s);
        assert_eq!(channel(pixels[5], 16), ramp(), "{from} {sorts}");
        assert_eq!(channel(pixels[5], 8), [0; 16]);
        assert_eq!(
            channel(pixels[5], 0),
            [255; 16],
            "1 is the third coordinate"
        );
        assert_eq!(pixels[4], [0; 16]);
    }
}

/// A line whose second coordinate counts from its start, in subpixels of which a pixel has 16.
fn stippled(reset: u32, kind: u32, vertices: &[[[f32; 4]; 2]]) -> Stream {
    let mut s = made(GB_ENABLE::LINE_STUFF_ENABLE);
    let scale = (1.0f32 / 256.0).to_bits();
    s.word(GA_LINE_STIPPLE_CONFIG, 0, scale | reset);
    s.draw(kind, vertices);
    s
}

#[test]
fn stipples_count_along_lines() {
    for reset in [1, 2] {
        let (pixels, _) = drawn(&stippled(reset, LINES, &ends(-1.0, 1.0)));
        assert_eq!(channel(pixels[5], 8), ramp(), "{reset}");
    }
    // Each line of a strip counts from its own start.
    let [a, c] = ends(-1.0, 1.0);
    let [_, b] = ends(-1.0, 0.0);
    let (pixels, _) = drawn(&stippled(1, LINE_STRIP, &[a, b, c]));
    let half = &ramp()[..8];
    let green = channel(pixels[5], 8);
    assert_eq!([&green[..8], &green[8..]], [half, half]);
    // Or goes on from the line before.
    for reset in [0, 2] {
        let (pixels, _) = drawn(&stippled(reset, LINE_STRIP, &[a, b, c]));
        assert_eq!(channel(pixels[5], 8), ramp(), "{reset}");
    }
    let error = Rig::new(1).run(&stippled(3, LINES, &[a, c])).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("LINE_RESET 3 is reserved"), "{error}");
}

/// Two draws of a line each, of which the second counts on from the first, or anew.
#[test]
fn stipples_go_on_from_draw_to_draw() {
    let [a, c] = ends(-1.0, 1.0);
    let [_, b] = ends(-1.0, 0.0);
    let half = &ramp()[..8];
    for (reset, second, left) in [(0, &ramp()[8..], 256), (1, half, 0), (2, half, 128)] {
        let mut stream = stippled(reset, LINES, &[a, b]);
        stream.draw(LINES, &[b, c]);
        let mut rig = Rig::new(1);
        rig.run(&stream).unwrap();
        let green = channel(rig.pixels()[5], 8);
        assert_eq!([&green[..8], &green[8..]], [half, second], "{reset}");
        let registers = &rig.chip.command_processor().state().registers;
        assert_eq!(GA_LINE_STIPPLE_VALUE.read(registers, 0), left, "{reset}");
    }
    // 24 bits, which a stream may set.
    let mut stream = stippled(0, LINES, &[]);
    stream.word(GA_LINE_STIPPLE_VALUE, 0, 0xff_ffc0);
    stream.draw(LINES, &[a, b]);
    stream.draw(LINES, &[b, c]);
    let mut rig = Rig::new(1);
    rig.run(&stream).unwrap();
    assert_eq!(channel(rig.pixels()[5], 8)[8..12], ramp()[4..8]);
    let registers = &rig.chip.command_processor().state().registers;
    assert_eq!(GA_LINE_STIPPLE_VALUE.read(registers, 0), 0xc0);
    // Clip rectangles draw twice and count once.
    let mut stream = stippled(0, LINES, &[]);
    stream.fields(SC_CLIP_0_A, &[(SC_CLIP_0_A::XS0, 4)]);
    stream.fields(
        SC_CLIP_0_B,
        &[(SC_CLIP_0_B::XS1, 9), (SC_CLIP_0_B::YS1, 15)],
    );
    stream.word(SC_CLIP_RULE, 0, 0x5555);
    stream.draw(LINES, &[a, c]);
    rig.run(&stream).unwrap();
    let registers = &rig.chip.command_processor().state().registers;
    assert_eq!(GA_LINE_STIPPLE_VALUE.read(registers, 0), 0xc0 + 256);
}

/// A zigzag of short lines: more than are set up at once, on one thread and on several.
#[test]
fn many_lines_count_in_order() {
    let corner = |n: usize| {
        let x = (n / 2 % 64) as f32 / 32.0 - 1.0;
        let y = (n % 2) as f32 + (n / 128) as f32 / 64.0 - 1.0;
        [[x, y, 0.5, 1.0], [9.0; 4]]
    };
    let vertices: Vec<_> = (0..1500).map(corner).collect();
    let mut streams = stippled(0, LINE_STRIP, &[]);
    streams.float(
        GA_LINE_STIPPLE_CONFIG,
        f32::from_bits((1.0f32 / 65536.0).to_bits()),
    );
    streams.draw(LINE_STRIP, &vertices);
    let run = |threads: usize| {
        let mut rig = Rig::new(threads);
        rig.run(&streams).unwrap();
        let registers = &rig.chip.command_processor().state().registers;
        (rig.pixels(), GA_LINE_STIPPLE_VALUE.read(registers, 0))
    };
    let (pixels, counted) = run(1);
    // Lines of 128 subpixels and more.
    assert!(counted > 1499 * 128, "{counted}");
    assert_eq!(run(3), (pixels, counted));
}
