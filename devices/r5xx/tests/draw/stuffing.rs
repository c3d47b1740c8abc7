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
    for (reset, kind) in [(0, LINES), (2, LINE_STRIP)] {
        let error = Rig::new(1)
            .run(&stippled(reset, kind, &[a, b, c]))
            .unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains("GA_LINE_STIPPLE_CONFIG.LINE_RESET"),
            "{error}"
        );
    }
}
