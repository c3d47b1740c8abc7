//! Triangles that are drawn as lines and as points: what GA makes for them, their offsets, solid and mixed shading.

use crate::rig::*;
use r5xx::regs::*;

/// GA_POLY_MODE.
const POINTS: u32 = 0;
const LINES: u32 = 1;
const SOLID: u32 = 2;

/// The texture set goes to temporary 0, the colour to temporary 1 and its alpha to the target.
const BOTH: &str = "OUT.last MAX A.rgb = src0.rgb, src0.rgb [T0] / MAX A.a = src0.a, src0.a [T1]";

/// A corner at a place of the target, whose colour has an alpha.
fn corner(x: f32, y: f32, alpha: f32) -> [[f32; 4]; 2] {
    let at = [x / 8.0 - 1.0, y / 8.0 - 1.0, 0.5, 1.0];
    [at, [0.0, 0.0, 0.0, alpha]]
}

/// State of a draw whose first texture set GA makes for pieces of some kinds.
fn made(enables: &[Field], [front, back]: [u32; 2]) -> Stream {
    let mut s = Stream::state();
    let mut fields: Vec<_> = enables.iter().map(|field| (*field, 1)).collect();
    fields.push((GB_ENABLE::TEX0_SOURCE, 2));
    s.fields(GB_ENABLE, &fields);
    use RS_IP::*;
    let slots = [
        (TEX_PTR_S, 0),
        (TEX_PTR_T, 1),
        (TEX_PTR_R, 2),
        (TEX_PTR_Q, 63),
    ];
    s.fields(RS_IP, &slots);
    let both = [
        (RS_INST::TEX_CN, 1),
        (RS_INST::COL_CN, 1),
        (RS_INST::COL_ADDR, 1),
    ];
    s.fields(RS_INST, &both);
    s.pixel_program(BOTH, 2);
    use GA_POLY_MODE::*;
    let modes = [(POLY_MODE, 1), (FRONT_PTYPE, front), (BACK_PTYPE, back)];
    s.fields(GA_POLY_MODE, &modes);
    // Lines of a pixel.
    let line = [(GA_LINE_CNTL::WIDTH, 8), (GA_LINE_CNTL::END_TYPE, 2)];
    s.fields(GA_LINE_CNTL, &line);
    s.float(GA_LINE_S1, 1.0);
    s
}

fn channel(pixel: u32, low: u32) -> i32 {
    (pixel >> low & 0xff) as i32
}

fn is_near(found: i32, expected: f32) -> bool {
    (found as f32 - 255.0 * expected).abs() <= 1.0
}

/// Along the bottom, then up the right side, as the first vertex provokes or the last.
#[test]
fn edges_have_places_along_them() {
    let scale = (1.0f32 / 512.0).to_bits();
    for (provoking, reset) in [(0, 0), (0, 1), (0, 2), (3, 2)] {
        let mut s = made(&[GB_ENABLE::LINE_STUFF_ENABLE], [LINES, LINES]);
        s.word(GA_COLOR_CONTROL, 0, 0xaaaa | provoking << 16);
        s.word(GA_LINE_STIPPLE_CONFIG, 0, scale | reset);
        let [a, b, c] = [
            corner(0.0, 5.5, 0.0),
            corner(12.5, 5.5, 0.0),
            corner(12.5, 15.5, 1.0),
        ];
        s.draw(TRIANGLES, &[a, b, c]);
        let mut rig = Rig::new(1);
        rig.run(&s).unwrap();
        let pixels = rig.pixels();
        for (x, pixel) in pixels[5].into_iter().enumerate().take(12).skip(1) {
            let along = x as f32 + 0.5;
            assert!(is_near(channel(pixel, 16), along / 12.5), "{x}: {pixel:#x}");
            assert!(is_near(channel(pixel, 8), along / 32.0), "{x}: {pixel:#x}");
            assert_eq!(channel(pixel, 0), 255);
        }
        let before = if reset == 1 { 0.0 } else { 12.5 };
        for (y, row) in pixels.iter().enumerate().take(14).skip(7) {
            let (along, pixel) = (y as f32 - 5.0, row[12]);
            assert!(is_near(channel(pixel, 16), along / 10.0), "{y}: {pixel:#x}");
            assert!(is_near(channel(pixel, 8), (before + along) / 32.0), "{y}");
            // The colour is the triangle's.
            assert!(is_near(channel(pixel, 24), along / 10.0), "{y}: {pixel:#x}");
        }
        // 200, 160 and 256.1 subpixels.
        let registers = &rig.chip.command_processor().state().registers;
        let counted = if reset == 1 { 0 } else { 200 + 160 + 256 };
        assert_eq!(GA_LINE_STIPPLE_VALUE.read(registers, 0), counted);
    }
}

/// Each corner is a sprite of four pixels in the colour of its vertex.
#[test]
fn corners_have_places_in_them() {
    for affine in [0, 1] {
        let mut s = made(&[GB_ENABLE::POINT_STUFF_ENABLE], [POINTS, POINTS]);
        s.fields(GB_SELECT, &[(GB_SELECT::W_SELECT, affine)]);
        let size = [(GA_POINT_SIZE::WIDTH, 32), (GA_POINT_SIZE::HEIGHT, 32)];
        s.fields(GA_POINT_SIZE, &size);
        s.float(GA_POINT_S1, 1.0);
        s.float(GA_POINT_T0, 1.0);
        let centres = [[3.0, 3.0], [12.0, 4.0], [8.0, 12.0]];
        let alphas = [0.2, 0.4, 0.8];
        let vertices: Vec<_> = centres
            .iter()
            .zip(alphas)
            .map(|([x, y], alpha)| corner(*x, *y, alpha))
            .collect();
        s.draw(TRIANGLES, &vertices);
        let (pixels, _) = drawn(&s);
        for ([x, y], alpha) in centres.into_iter().zip(alphas) {
            for (row, column) in (0..4).flat_map(|row| (0..4).map(move |column| (row, column))) {
                let pixel = pixels[y as usize - 2 + row][x as usize - 2 + column];
                assert!(is_near(channel(pixel, 24), alpha), "{pixel:#x}");
                assert!(is_near(channel(pixel, 16), (column as f32 + 0.5) / 4.0));
                assert!(is_near(channel(pixel, 8), (row as f32 + 0.5) / 4.0));
                assert_eq!(channel(pixel, 0), 0, "0 is the third coordinate");
            }
        }
        assert_eq!(
            pixels
                .as_flattened()
                .iter()
                .filter(|pixel| **pixel != 0)
                .count(),
            48
        );
    }
}

/// Lines in front, triangles behind: the vectors of each have their own third coordinate.
#[test]
fn sides_are_made_of_different_pieces() {
    let enables = [
        GB_ENABLE::LINE_STUFF_ENABLE,
        GB_ENABLE::TRIANGLE_STUFF_ENABLE,
    ];
    let mut s = made(&enables, [SOLID, LINES]);
    s.float(GA_LINE_STIPPLE_CONFIG, 0.0);
    use GA_TRIANGLE_STIPPLE::*;
    s.fields(GA_TRIANGLE_STIPPLE, &[(X_SHIFT, 4), (Y_SHIFT, 5)]);
    let [a, b, c] = [
        corner(0.0, 0.0, 1.0),
        corner(8.0, 0.0, 1.0),
        corner(0.0, 8.0, 1.0),
    ];
    let moved = |[at, color]: [[f32; 4]; 2]| [[at[0], at[1] + 1.0, at[2], at[3]], color];
    s.draw(TRIANGLES, &[a, c, b, moved(a), moved(b), moved(c)]);
    let (pixels, _) = drawn(&s);
    let inside = pixels[2][2];
    assert!(is_near(channel(inside, 16), 2.5 / 16.0), "{inside:#x}");
    assert!(is_near(channel(inside, 8), 2.5 / 32.0), "{inside:#x}");
    assert_eq!(channel(inside, 0), 255, "2 is the third coordinate");
    assert_eq!(pixels[10][2], 0);
    let edge = pixels[7][4];
    assert!(is_near(channel(edge, 16), 4.5 / 8.0), "{edge:#x}");
    assert_eq!(channel(edge, 8), 0);
    // What one side alone has made for it cannot be interpolated beside what the other side has not.
    let mut s = made(&[GB_ENABLE::LINE_STUFF_ENABLE], [SOLID, LINES]);
    s.draw(TRIANGLES, &[a, b, c]);
    let error = Rig::new(1).run(&s).unwrap_err().to_string();
    let reason = "GB_ENABLE.LINE_STUFF_ENABLE without GB_ENABLE.TRIANGLE_STUFF_ENABLE";
    assert!(error.contains(reason), "{error}");
}

/// Offsets of a side are those of its edges and corners.
#[test]
fn outlines_are_offset() {
    for (mode, at) in [(LINES, [5, 4]), (POINTS, [5, 0])] {
        let mut s = made(&[], [mode, mode]);
        s.colors();
        s.pixel_program(PASS, 1);
        let size = [(GA_POINT_SIZE::WIDTH, 16), (GA_POINT_SIZE::HEIGHT, 16)];
        s.fields(GA_POINT_SIZE, &size);
        let tests = [(ZB_CNTL::Z_ENABLE, 1), (ZB_CNTL::ZWRITEENABLE, 1)];
        s.fields(ZB_CNTL, &tests);
        s.fields(ZB_ZSTENCILCNTL, &[(ZB_ZSTENCILCNTL::ZFUNC, 7)]);
        s.fields(ZB_FORMAT, &[(ZB_FORMAT::DEPTHFORMAT, 2)]);
        s.word(ZB_DEPTHOFFSET, 0, DEPTH as u32);
        s.fields(ZB_DEPTHPITCH, &[(ZB_DEPTHPITCH::DEPTHPITCH, 4)]);
        let depth = |s: &Stream| {
            let mut s = s.clone();
            s.draw(
                TRIANGLES,
                &[
                    corner(0.0, 5.5, 1.0),
                    corner(12.5, 5.5, 1.0),
                    corner(12.5, 15.5, 1.0),
                ],
            );
            let mut rig = Rig::new(1);
            rig.run(&s).unwrap();
            let [y, x] = at;
            rig.memory.load(DEPTH + 4 * (SIZE * y + x)).unwrap() >> 8
        };
        let plain = depth(&s);
        assert!(plain.abs_diff(0x7f_ffff) <= 1, "{plain:#x}");
        use SU_POLY_OFFSET_ENABLE::*;
        s.fields(
            SU_POLY_OFFSET_ENABLE,
            &[(FRONT_ENABLE, 1), (BACK_ENABLE, 1)],
        );
        s.float(SU_POLY_OFFSET_FRONT_OFFSET, 1000.0);
        s.float(SU_POLY_OFFSET_BACK_OFFSET, 1000.0);
        assert!(depth(&s).abs_diff(plain + 1000) <= 1);
    }
}

#[test]
fn colours_are_solid_flat_or_interpolated() {
    let draw = |control: u32, words: [u32; 2]| {
        let mut s = Stream::state();
        s.word(GA_COLOR_CONTROL, 0, control);
        s.word(GA_SOLID_RG, 0, words[0]);
        s.word(GA_SOLID_BA, 0, words[1]);
        let at = |x: f32, y: f32, color: f32| [[x, y, 0.5, 1.0], [color; 4]];
        s.draw(
            TRIANGLES,
            &[at(-1.0, -1.0, 0.0), at(3.0, -1.0, 1.0), at(-1.0, 3.0, 0.0)],
        );
        drawn(&s).0[3][7]
    };
    // 0.75, 0.5, 0.25 and 1 in 4096ths.
    let words = [0x0c00_0800, 0x0400_1000];
    let interpolated = (7.5f32 / 32.0 * 255.0).round() as u32;
    assert_eq!(draw(0, words), 0xffbf_8040);
    assert_eq!(draw(8, words), interpolated << 24 | 0xbf_8040);
    assert_eq!(draw(2, words), 0xff00_0000 + interpolated * 0x1_0101);
    assert_eq!(
        draw(4 | 2, words),
        interpolated * 0x1_0101,
        "the first vertex"
    );
    // -1 is below the range of the target.
    assert_eq!(draw(0, [0xf000_1000, 0]), 0x0000_ff00);
    let mut s = Stream::state();
    s.word(GA_COLOR_CONTROL, 0, 0);
    s.word(GA_FILL_G, 0, 0x3f000);
    s.fill(0.5, [1.0; 4]);
    let error = Rig::new(1).run(&s).unwrap_err().to_string();
    assert!(
        error.contains("GA_FILL_G 0x3f000: the layout of FP20"),
        "{error}"
    );
}

/// A quadrilateral has four edges and no diagonal; the accumulator counts the four.
#[test]
fn quadrilaterals_have_outer_edges() {
    const QUADS: u32 = 13;
    for provoking in [0, 3] {
        let mut s = made(&[], [LINES, LINES]);
        s.colors();
        s.pixel_program(PASS, 1);
        s.word(GA_COLOR_CONTROL, 0, 0xaaaa | provoking << 16);
        s.float(GA_LINE_STIPPLE_CONFIG, 0.5);
        let at = |x: f32, y: f32| [[x / 8.0 - 1.0, y / 8.0 - 1.0, 0.5, 1.0], [1.0; 4]];
        let corners = [at(2.5, 2.5), at(12.5, 2.5), at(12.5, 12.5), at(2.5, 12.5)];
        s.draw(QUADS, &corners);
        let mut rig = Rig::new(1);
        rig.run(&s).unwrap();
        for (y, row) in rig.pixels().iter().enumerate() {
            for (x, pixel) in row.iter().enumerate() {
                let inside = (4..11).contains(&x) && (4..11).contains(&y);
                let outside = !(1..14).contains(&x) || !(1..14).contains(&y);
                let edge = (x == 2 || x == 12) && (4..11).contains(&y)
                    || (y == 2 || y == 12) && (4..11).contains(&x);
                if inside || outside || edge {
                    assert_eq!(*pixel != 0, edge, "{provoking} {x} {y}");
                }
            }
        }
        let registers = &rig.chip.command_processor().state().registers;
        assert_eq!(GA_LINE_STIPPLE_VALUE.read(registers, 0), 4 * 160);
    }
}
