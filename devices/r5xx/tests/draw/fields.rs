//! Fields that draws of public drivers leave alone: each moves, replaces or keeps what a hand can compute.

use crate::rig::*;
use r5xx::packets::DRAW_INDX_2;
use r5xx::regs::*;
use radeon::packets::header;

/// Alpha, red, green and blue of a pixel.
fn bytes(pixel: u32) -> [u32; 4] {
    [24, 16, 8, 0].map(|low| pixel >> low & 0xff)
}

/// A rectangle of pixels.
fn rectangle(s: &mut Stream, [x0, y0, x1, y1]: [f32; 4], vector: [f32; 4]) {
    let corner = |x: f32, y: f32| [[x / 8.0 - 1.0, y / 8.0 - 1.0, 0.5, 1.0], vector];
    let [a, b, c, d] = [
        corner(x0, y0),
        corner(x1, y0),
        corner(x1, y1),
        corner(x0, y1),
    ];
    s.draw(TRIANGLES, &[a, b, c, a, c, d]);
}

/// Triangles around the target: what a vector's first component and its depth are at the left, and 32 pixels to the right.
fn ramp(s: &mut Stream, [left, right]: [f32; 2], [near, far]: [f32; 2]) {
    let corner = |x, y, z, first| [[x, y, z, 1.0], [first, 0.0, 0.0, 1.0]];
    let (a, b, c) = (
        corner(-1.0, -1.0, near, left),
        corner(3.0, -1.0, far, right),
        corner(-1.0, 3.0, near, left),
    );
    s.draw(TRIANGLES, &[a, b, c]);
}

fn depths(s: &mut Stream) {
    s.fields(
        ZB_CNTL,
        &[(ZB_CNTL::Z_ENABLE, 1), (ZB_CNTL::ZWRITEENABLE, 1)],
    );
    s.fields(ZB_FORMAT, &[(ZB_FORMAT::DEPTHFORMAT, 2)]);
    s.word(ZB_DEPTHOFFSET, 0, DEPTH as u32);
    s.fields(
        ZB_DEPTHPITCH,
        &[(ZB_DEPTHPITCH::DEPTHPITCH, SIZE as u32 / 4)],
    );
}

fn depth(rig: &Rig, x: u64, y: u64) -> u32 {
    rig.memory.load(DEPTH + 4 * (SIZE * y + x)).unwrap() >> 8
}

/// 7/8 to 1/8 is three quarters back, or one quarter on around the cylinder.
#[test]
fn coordinates_wrap_around_a_cylinder() {
    let mut s = Stream::state();
    s.coordinates();
    ramp(&mut s, [0.875, 0.125], [0.5, 0.5]);
    let red = |s: &Stream| [0, 15].map(|x| bytes(drawn(s).0[3][x])[1]);
    assert_eq!(red(&s), [220, 130]);
    let mut s = Stream::state();
    s.coordinates();
    s.fields(SU_TEX_WRAP, &[(SU_TEX_WRAP::T0C0, 1)]);
    ramp(&mut s, [0.875, 0.125], [0.5, 0.5]);
    // (0.875 + 0.25 * 0.5 / 32) * 255 and (0.875 + 0.25 * 15.5 / 32) * 255.
    assert_eq!(red(&s), [224, 254]);
    // Half a turn is no shorter the other way, and another component does not wrap.
    for (field, ends, expected) in [
        (SU_TEX_WRAP::T0C0, [0.75, 0.25], 130),
        (SU_TEX_WRAP::T0C1, [0.875, 0.125], 130),
    ] {
        let mut s = Stream::state();
        s.coordinates();
        s.fields(SU_TEX_WRAP, &[(field, 1)]);
        ramp(&mut s, ends, [0.5, 0.5]);
        assert!(
            red(&s)[1].abs_diff(expected) <= 1,
            "{}: {:?}",
            field.name,
            red(&s)
        );
    }
}

#[test]
fn colours_come_from_vectors() {
    let mut s = Stream::state();
    s.coordinates();
    s.word(PS3_ENABLE, 0, 1);
    s.fields(PS3_VTX_FMT, &[(PS3_VTX_FMT::TEX_0_COMP_CNT, 4)]);
    use GA_COLOR_CONTROL_PS3::*;
    s.fields(
        GA_COLOR_CONTROL_PS3,
        &[(TEX0_SHADING_PS3, 2), (COLOR0_TEX_OVERRIDE, 1)],
    );
    s.fields(RS_INST, &[(RS_INST::COL_CN, 1)]);
    s.fill(0.5, [0.2, 0.4, 0.6, 0.8]);
    assert_eq!(bytes(drawn(&s).0[5][5]), [204, 51, 102, 153]);
}

#[test]
fn vertices_move_by_subpixels() {
    let mut s = Stream::state();
    // Two pixels right, one up: sixteenths.
    s.fields(
        GA_OFFSET,
        &[(GA_OFFSET::X_OFFSET, 32), (GA_OFFSET::Y_OFFSET, 0xfff0)],
    );
    rectangle(&mut s, [4.0, 4.0, 8.0, 8.0], [1.0; 4]);
    let pixels = drawn(&s).0;
    for (y, row) in pixels.iter().enumerate() {
        for (x, pixel) in row.iter().enumerate() {
            let inside = (6..10).contains(&x) && (3..7).contains(&y);
            assert_eq!(*pixel != 0, inside, "{x}, {y}");
        }
    }
}

#[test]
fn coverage_that_stays_in_the_depth_block_leaves_depths() {
    let mut rig = Rig::new(1);
    let mut s = Stream::state();
    depths(&mut s);
    let fields = [
        (ZB_ZSTENCILCNTL::ZFUNC, 7),
        (ZB_ZSTENCILCNTL::ZERO_OUTPUT_MASK, 1),
    ];
    s.fields(ZB_ZSTENCILCNTL, &fields);
    s.fill(0.5, [1.0; 4]);
    rig.run(&s).unwrap();
    assert_eq!(depth(&rig, 3, 3), 0x80_0000);
    assert!(rig.pixels().as_flattened().iter().all(|pixel| *pixel == 0));
}

#[test]
fn depths_stop_at_vertices_or_at_pixels() {
    let run = |extended: u32| {
        let mut rig = Rig::new(1);
        let mut s = Stream::state();
        depths(&mut s);
        s.fields(ZB_ZSTENCILCNTL, &[(ZB_ZSTENCILCNTL::ZFUNC, 7)]);
        s.fields(VAP_CLIP_CNTL, &[(VAP_CLIP_CNTL::CLIP_DISABLE, 1)]);
        let tile = [
            (GB_TILE_CONFIG::SUBPIXEL, 1),
            (GB_TILE_CONFIG::Z_EXTENDED, extended),
        ];
        s.fields(GB_TILE_CONFIG, &tile);
        ramp(&mut s, [0.0, 0.0], [-1.0, 1.0]);
        rig.run(&s).unwrap();
        depth(&rig, 12, 3)
    };
    // 0 to 1 in 32 pixels, at 12.5 of them; -1 to 1 is still below 0 there.
    assert!(run(0).abs_diff(6_553_599) <= 2, "{}", run(0));
    assert_eq!(run(1), 0);
}

#[test]
fn fog_takes_the_place_of_a_component() {
    let green = |select: u32| {
        let mut s = Stream::state();
        s.coordinates();
        use GB_SELECT::*;
        let fields = [
            (FOG_SELECT, select),
            (FOG_STUFF_ENABLE, 1),
            (FOG_STUFF_COMP, 1),
        ];
        s.fields(GB_SELECT, &fields);
        let corner = |x: f32, y: f32| [[x / 4.0, y / 4.0, 0.1, 0.25], [0.2, 0.9, 0.6, 1.0]];
        s.draw(
            TRIANGLES,
            &[corner(-1.0, -1.0), corner(3.0, -1.0), corner(-1.0, 3.0)],
        );
        bytes(drawn(&s).0[7][4])
    };
    // w is a quarter; the depth 0.1 / 0.25.
    assert_eq!(green(4), [255, 51, 64, 153]);
    assert_eq!(green(5), [255, 51, 102, 153]);
}

/// Corners of a triangle around the target, and a colour.
fn vertices(color: [f32; 4]) -> [[[f32; 4]; 3]; 2] {
    let corner = |x: f32, y: f32| [x, y, 0.5, 1.0];
    [
        [corner(-1.0, -1.0), corner(3.0, -1.0), corner(-1.0, 3.0)],
        [color; 3],
    ]
}

/// Positions in one array, colours in another, four words each.
fn arrays(s: &mut Stream) {
    s.word(VAP_VTX_NUM_ARRAYS, 0, 2);
    use VAP_VTX_AOS_ATTR::*;
    let each = [
        (VTX_AOS_COUNT0, 4),
        (VTX_AOS_STRIDE0, 4),
        (VTX_AOS_COUNT1, 4),
        (VTX_AOS_STRIDE1, 4),
    ];
    s.fields(VAP_VTX_AOS_ATTR, &each);
    s.word(VAP_VTX_AOS_ADDR_EVEN, 0, VERTICES as u32);
    s.word(VAP_VTX_AOS_ADDR_ODD, 0, VERTICES as u32 + 0x100);
}

#[test]
fn words_of_vertices_are_swapped() {
    let color = [0.2, 0.4, 0.6, 0.8];
    let orders: [fn(u32) -> u32; 4] = [
        |word| word,
        |word| (word & 0x00ff_00ff) << 8 | word >> 8 & 0x00ff_00ff,
        u32::swap_bytes,
        |word: u32| word.rotate_left(16),
    ];
    for (swap, order) in (0..).zip(orders) {
        let mut rig = Rig::new(1);
        for (at, vectors) in [0, 0x100].into_iter().zip(vertices(color)) {
            let words: Vec<u32> = vectors
                .as_flattened()
                .iter()
                .map(|v| order(v.to_bits()))
                .collect();
            rig.put(VERTICES + at, &words);
        }
        let mut s = Stream::state();
        arrays(&mut s);
        s.word(VAP_CNTL_STATUS, 0, VAP_CNTL_STATUS::VC_SWAP.bits(swap));
        use VAP_VF_CNTL::*;
        let control = [(PRIM_TYPE, TRIANGLES), (PRIM_WALK, 2), (NUM_VERTICES, 3)];
        s.fields(VAP_VF_CNTL, &control);
        rig.run(&s).unwrap();
        assert_eq!(bytes(rig.pixels()[5][5]), [204, 51, 102, 153], "{swap}");
    }
}

/// Bits 16 to 23 of an index choose the position, bits 0 to 15 the colour.
#[test]
fn indices_are_two() {
    let mut rig = Rig::new(1);
    let [corners, _] = vertices([0.0; 4]);
    let colors = [[1.0f32, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]];
    let words = |of: &[[f32; 4]]| {
        of.as_flattened()
            .iter()
            .map(|v| v.to_bits())
            .collect::<Vec<_>>()
    };
    rig.put(VERTICES, &words(&corners));
    rig.put(VERTICES + 0x100, &words(&colors));
    let mut s = Stream::state();
    arrays(&mut s);
    s.word(VAP_VF_MAX_VTX_INDX, 0, 0xff_ffff);
    use VAP_VF_CNTL::*;
    let control = PRIM_TYPE.bits(TRIANGLES)
        | PRIM_WALK.bits(1)
        | INDEX_SIZE.bits(1)
        | DUAL_INDEX_MODE.bits(1)
        | NUM_VERTICES.bits(3);
    s.0.extend([
        header(DRAW_INDX_2, 4),
        control,
        0x0000_0001,
        0x0001_0001,
        0x0002_0001,
    ]);
    rig.run(&s).unwrap();
    assert_eq!(bytes(rig.pixels()[5][5]), [255, 0, 0, 255]);
}

/// The second vector goes to the place of colour 0 without a program.
#[test]
fn vertices_pass_by_the_program() {
    let mut s = Stream::state();
    s.vertex_program("VE_ADD OUT0, I0.0000, I0.0000");
    s.word(VAP_CNTL_STATUS, 0, VAP_CNTL_STATUS::PVS_BYPASS.bits(1));
    use VAP_PROG_STREAM_CNTL::*;
    let elements = [
        (DATA_TYPE_0, 3),
        (DATA_TYPE_1, 3),
        (DST_VEC_LOC_1, 2),
        (LAST_VEC_1, 1),
    ];
    s.fields(VAP_PROG_STREAM_CNTL, &elements);
    s.fill(0.5, [0.2, 0.4, 0.6, 0.8]);
    assert_eq!(bytes(drawn(&s).0[5][5]), [204, 51, 102, 153]);
}

/// A byte and two: I8 stores component 2, UV88 components 2 and 0.
#[test]
fn narrow_targets_store_their_components() {
    for (format, bits, expected) in [(9, 8, 51), (13, 16, 51 | 102 << 8)] {
        let mut rig = Rig::new(1);
        let mut s = Stream::state();
        s.fields(
            US_OUT_FMT,
            &[(US_OUT_FMT::C0_SEL, 2), (US_OUT_FMT::C2_SEL, 1)],
        );
        use RB3D_COLORPITCH::*;
        s.fields(RB3D_COLORPITCH, &[(COLORPITCH, 16), (COLORFORMAT, format)]);
        s.fill(0.5, [0.2, 0.4, 0.6, 0.8]);
        rig.run(&s).unwrap();
        let word = rig.memory.load(TARGET).unwrap();
        assert_eq!(word & ((1 << bits) - 1), expected, "{format}");
    }
}

/// A point of 4 pixels beyond the right edge, whose centre is inside or outside the bound of the discard.
#[test]
fn points_are_discarded_by_their_centres() {
    let covered = |x: f32, bound: f32| {
        let mut s = Stream::state();
        s.fields(
            GA_POINT_SIZE,
            &[(GA_POINT_SIZE::WIDTH, 32), (GA_POINT_SIZE::HEIGHT, 32)],
        );
        s.float(VAP_GB_HORZ_DISC_ADJ, bound);
        s.float(VAP_GB_VERT_DISC_ADJ, bound);
        s.draw(1, &[[[x, 0.0, 0.5, 1.0], [1.0; 4]]]);
        drawn(&s)
            .0
            .as_flattened()
            .iter()
            .filter(|pixel| **pixel != 0)
            .count()
    };
    // Columns 13.2 to 17.2, then 14.8 to 18.8, of 16; rows 6 to 9.
    assert_eq!(covered(0.9, 1.0), 12);
    assert_eq!(covered(1.1, 1.0), 0);
    assert_eq!(covered(1.1, 1.25), 4);
}

/// The vertex of a fan's triangles behind the hub, the last of a strip's quadrilateral.
#[test]
fn flat_colours_are_those_of_the_vertex_that_provokes() {
    let grey = |code: u32, kind: u32, order: [usize; 4]| {
        let mut s = Stream::state();
        let flat = 0x5555 | code << 16;
        s.word(GA_COLOR_CONTROL, 0, flat);
        let places = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let vertices: Vec<[[f32; 4]; 2]> = order
            .iter()
            .enumerate()
            .map(|(n, at)| {
                let [x, y] = places[*at];
                [[x, y, 0.5, 1.0], [0.2 * (n + 1) as f32; 4]]
            })
            .collect();
        s.draw(kind, &vertices);
        let pixels = drawn(&s).0;
        // Lower right and upper left halves.
        [bytes(pixels[3][12])[1], bytes(pixels[12][3])[1]]
    };
    assert_eq!(grey(1, 5, [0, 1, 2, 3]), [102, 153]);
    assert_eq!(grey(3, 5, [0, 1, 2, 3]), [153, 204]);
    assert_eq!(grey(3, 14, [0, 1, 3, 2]), [204, 204]);
}

/// Colours 2 and 3 are those of back faces where vertices have all four.
#[test]
fn back_faces_have_colours_of_their_own() {
    let red = |reversed: bool, face: u32, four: bool| {
        let mut s = Stream::state();
        let copies = ["I1", "I1", "I1.zyxw", "I1"].iter().enumerate();
        let copies = copies.map(|(n, from)| format!("\nVE_ADD OUT{}, {from}, I1.0000", n + 1));
        s.vertex_program(&("VE_ADD OUT0, I0, I0.0000".to_owned() + &copies.collect::<String>()));
        use VAP_OUT_VTX_FMT_0::*;
        let outputs = [
            (VTX_POS_PRESENT, 1),
            (VTX_COLOR_0_PRESENT, 1),
            (VTX_COLOR_1_PRESENT, 1),
            (VTX_COLOR_2_PRESENT, 1),
            (VTX_COLOR_3_PRESENT, u32::from(four)),
        ];
        s.fields(VAP_OUT_VTX_FMT_0, &outputs);
        s.fields(SU_CULL_MODE, &[(SU_CULL_MODE::FACE, face)]);
        let corner = |x, y| [[x, y, 0.5, 1.0], [0.2, 0.4, 0.6, 1.0]];
        let mut corners = [corner(-1.0, -1.0), corner(3.0, -1.0), corner(-1.0, 3.0)];
        if reversed {
            corners.swap(1, 2);
        }
        s.draw(TRIANGLES, &corners);
        bytes(drawn(&s).0[6][6])[1]
    };
    let [front, back] = [51, 153];
    // FACE 0: counter-clockwise as the screen shows it, with y down, is the front; these go clockwise.
    assert_eq!([red(false, 0, true), red(true, 0, true)], [back, front]);
    assert_eq!([red(false, 1, true), red(true, 1, true)], [front, back]);
    assert_eq!([red(false, 0, false), red(true, 0, false)], [front; 2]);
}

/// Points take the offset of front faces where parallelograms do, without a slope; lines have one, which is not executed.
#[test]
fn parallelograms_have_the_offset_of_front_faces() {
    use SU_POLY_OFFSET_ENABLE::*;
    let state = |enabled: &[(Field, u32)], scale: f32| {
        let mut s = Stream::state();
        depths(&mut s);
        s.fields(ZB_ZSTENCILCNTL, &[(ZB_ZSTENCILCNTL::ZFUNC, 7)]);
        s.fields(SU_POLY_OFFSET_ENABLE, enabled);
        s.float(SU_POLY_OFFSET_FRONT_OFFSET, 4096.0);
        s.float(SU_POLY_OFFSET_FRONT_SCALE, scale);
        let size = [(GA_POINT_SIZE::WIDTH, 16), (GA_POINT_SIZE::HEIGHT, 16)];
        s.fields(GA_POINT_SIZE, &size);
        s
    };
    let point = |enabled: &[(Field, u32)]| {
        let mut s = state(enabled, 5.0);
        s.draw(1, &[[[0.0, 0.0, 0.5, 1.0], [1.0; 4]]]);
        let mut rig = Rig::new(1);
        rig.run(&s).unwrap();
        depth(&rig, 8, 8)
    };
    let plain = point(&[]);
    assert_eq!(point(&[(FRONT_ENABLE, 1)]), plain);
    assert_eq!(point(&[(PARA_ENABLE, 1)]), plain);
    let offset = point(&[(FRONT_ENABLE, 1), (PARA_ENABLE, 1)]);
    // Either depth may round.
    assert!(
        (4095..=4097).contains(&(offset - plain)),
        "{plain} {offset}"
    );
    let line = |scale: f32| {
        let mut s = state(&[(FRONT_ENABLE, 1), (PARA_ENABLE, 1)], scale);
        let end = |x: f32| [[x, 0.0, 0.5, 1.0], [1.0; 4]];
        s.draw(2, &[end(-1.0), end(1.0)]);
        Rig::new(1).run(&s).map(|_| ())
    };
    line(0.0).unwrap();
    let refused = line(5.0).unwrap_err().to_string();
    assert!(
        refused.contains("SU_POLY_OFFSET_FRONT_SCALE 5 of lines"),
        "{refused}"
    );
}

/// Rules are tables over the rectangles that a pixel lies in: each combination of inside and outside of four.
#[test]
fn clip_rules_are_tables() {
    let clips = [[2, 2, 9, 9], [6, 4, 13, 7], [0, 8, 15, 11], [5, 0, 5, 15]];
    let corners = [
        [SC_CLIP_0_A, SC_CLIP_0_B],
        [SC_CLIP_1_A, SC_CLIP_1_B],
        [SC_CLIP_2_A, SC_CLIP_2_B],
        [SC_CLIP_3_A, SC_CLIP_3_B],
    ];
    for rule in [0xffff, 0xaaaa, 0x5555, 0x8000, 0x7ffe, 0x0116, 0xcaca, 1, 0] {
        let mut s = Stream::state();
        s.word(SC_CLIP_RULE, 0, rule);
        for ([x0, y0, x1, y1], [first, last]) in clips.into_iter().zip(corners) {
            s.fields(first, &[(first.fields[0], x0), (first.fields[1], y0)]);
            s.fields(last, &[(last.fields[0], x1), (last.fields[1], y1)]);
        }
        s.fill(0.5, [0.25; 4]);
        let (pixels, stats) = drawn(&s);
        let mut count = 0;
        for (y, row) in (0..).zip(&pixels) {
            for (x, pixel) in (0..).zip(row) {
                let inside =
                    |[x0, y0, x1, y1]: [u32; 4]| (x0..=x1).contains(&x) && (y0..=y1).contains(&y);
                let flags = (0..)
                    .zip(clips)
                    .map(|(n, clip)| u32::from(inside(clip)) << n);
                let passes = rule >> flags.sum::<u32>() & 1;
                count += u64::from(passes);
                assert_eq!(u32::from(*pixel != 0), passes, "rule {rule:#x} at {x}, {y}");
            }
        }
        assert_eq!(stats.samples_passed, count, "rule {rule:#x}");
    }
}
