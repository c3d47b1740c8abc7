//! Triangles: coverage, interpolation, fetch programs, depth.

use r600::regs::*;
use r600::tiling::ArrayMode;
use silicon::Format;

use super::code;
use super::rig::*;

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];

/// Red, green and blue in the corners.
fn triangle() -> Vec<Vertex> {
    vec![
        [-1.0, -1.0, 0.5, 1.0, 1.0, 0.0, 0.0, 1.0],
        [1.0, -1.0, 0.5, 1.0, 0.0, 1.0, 0.0, 1.0],
        [-1.0, 1.0, 0.5, 1.0, 0.0, 0.0, 1.0, 1.0],
    ]
}

fn channels(texel: u32) -> [i32; 4] {
    texel.to_le_bytes().map(i32::from)
}

#[test]
fn a_triangle_of_three_colours() {
    let mut rig = Rig::new(1);
    rig.setup(&triangle(), &code::pixel());
    rig.draw(3);
    let stats = rig.run().unwrap();
    assert_eq!((stats.draws, stats.primitives, stats.vertices), (1, 1, 3));
    // Lower left, lower right, upper left, and the upper right that it does not cover.
    for (x, y) in [(0, 119), (199, 119), (0, 0), (20, 90), (60, 60)] {
        let [x_part, y_part] = [(x as f64 + 0.5) / 200.0, 1.0 - (y as f64 + 0.5) / 120.0];
        let expected = [1.0 - x_part - y_part, x_part, y_part, 1.0];
        let found = channels(rig.pixel(x, y));
        let inside = x_part + y_part < 1.0;
        for (found, expected) in found.into_iter().zip(expected) {
            let expected = if inside { expected * 255.0 } else { 0.0 };
            assert!((f64::from(found) - expected).abs() <= 0.6, "({x}, {y})");
        }
    }
    assert_eq!(rig.pixel(150, 20), 0);
    let covered = rig.picture().iter().filter(|texel| **texel != 0).count() as u64;
    assert_eq!(stats.fragment_lanes, covered);
    assert_eq!(stats.samples_passed, covered);
}

#[test]
fn threads_do_not_change_the_picture() {
    let pictures = [1, 2, 5].map(|threads| {
        let mut rig = Rig::new(threads);
        let many: Vec<Vertex> = (0..60)
            .flat_map(|n| {
                let at = |k: usize| ((n * 7 + k * 37) % 41) as f32 / 20.0 - 1.0;
                let color = [n as f32 / 60.0, 0.3, 1.0 - n as f32 / 60.0, 1.0];
                corners(
                    &[(at(0), at(1)), (at(2), at(3)), (at(4), at(5))],
                    0.5,
                    color,
                )
            })
            .collect();
        rig.setup(&many, &code::pixel());
        rig.draw(180);
        rig.run().unwrap();
        rig.picture()
    });
    assert!(pictures[0].iter().any(|texel| *texel != 0));
    assert_eq!(pictures[0], pictures[1]);
    assert_eq!(pictures[0], pictures[2]);
}

/// The same picture in every array mode that colour targets can have, and through other formats.
#[test]
fn array_modes_of_targets() {
    let picture = |mode: ArrayMode| {
        let mut rig = Rig::new(1);
        rig.color = layout(mode, false, 4, [WIDTH, HEIGHT]);
        rig.setup(&triangle(), &code::pixel());
        rig.draw(3);
        rig.run().unwrap();
        rig.picture()
    };
    let expected = picture(ArrayMode::LinearAligned);
    for mode in ArrayMode::ALL
        .into_iter()
        .filter(|mode| mode.thickness() == 1)
    {
        assert_eq!(picture(mode), expected, "{mode:?}");
    }
}

#[test]
fn a_fetch_program_gives_the_same_picture() {
    let mut rig = Rig::new(1);
    rig.setup(&triangle(), &code::pixel());
    rig.draw(3);
    rig.run().unwrap();
    let expected = rig.picture();
    let mut rig = Rig::new(1);
    rig.setup(&triangle(), &code::pixel());
    let [program, fetch] = code::vertex_with_fetch();
    rig.words(VERTEX_CODE, &program);
    rig.words(FETCH_CODE, &fetch);
    rig.set(SQ_PGM_START_FS, (FETCH_CODE >> 8) as u32);
    rig.draw(3);
    rig.run().unwrap();
    assert_eq!(rig.picture(), expected);
}

#[test]
fn constants_of_a_buffer() {
    let mut rig = Rig::new(1);
    rig.setup(&corners(&STRIP, 0.5, [1.0; 4]), &code::pixel_scaled());
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    rig.words(CONSTANTS, &[1.0f32, 0.4, 0.2, 0.0].map(f32::to_bits));
    rig.set(ALU_CONST_CACHE_PS_0, (CONSTANTS >> 8) as u32);
    rig.set(ALU_CONST_BUFFER_SIZE_PS_0, 1);
    rig.draw(4);
    rig.run().unwrap();
    assert_eq!(rig.pixel(100, 60), 0x0033_66ff);
    // A buffer without constants reads as zero.
    rig.set(ALU_CONST_BUFFER_SIZE_PS_0, 0);
    rig.draw(4);
    rig.run().unwrap();
    assert_eq!(rig.pixel(100, 60), 0);
}

#[test]
fn constants_of_the_file() {
    let mut rig = Rig::new(1);
    rig.setup(
        &corners(&STRIP, 0.5, [1.0; 4]),
        &code::pixel_constant_file(),
    );
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    let constant = [0.0f32, 0.2, 0.4, 1.0].map(f32::to_bits);
    rig.set_all(ALU_CONST.start + 5 * 16, &constant);
    // The same number of the vertex stage.
    rig.set_all(ALU_CONST.start + (256 + 5) * 16, &[0x7f80_0000; 4]);
    rig.draw(4);
    rig.run().unwrap();
    assert_eq!(rig.pixel(100, 60), 0xff66_3300);
}

/// Scratch memory gives back what a lane wrote, on any number of threads; a ring without room is refused.
#[test]
fn scratch_memory_of_waves() {
    const RING: u64 = 0x1a0_0000;
    let picture = |threads, waves: u32| {
        let mut rig = Rig::new(threads);
        rig.setup(&triangle(), &code::pixel_scratch());
        // Sixteen words a lane.
        rig.set(SQ_PSTMP_RING_ITEMSIZE, 16);
        rig.set(SQ_PSTMP_RING_BASE, (RING >> 8) as u32);
        rig.set(SQ_PSTMP_RING_SIZE, waves * 16 * 64 * 4 / 256);
        rig.draw(3);
        rig.run().map(|_| rig.picture())
    };
    let mut rig = Rig::new(1);
    rig.setup(&triangle(), &code::pixel());
    rig.draw(3);
    rig.run().unwrap();
    let expected = rig.picture();
    for (threads, waves) in [(1, 1), (4, 4), (4, 2)] {
        assert!(
            picture(threads, waves).unwrap() == expected,
            "{threads} threads"
        );
    }
    let trap = picture(2, 0).unwrap_err();
    assert!(trap.reason.contains("no room"), "{trap}");
}

#[test]
fn flat_attributes_are_those_of_the_provoking_vertex() {
    for (last, expected) in [(false, 0xff00_00ff), (true, 0xffff_0000)] {
        let mut rig = Rig::new(1);
        rig.setup(&triangle(), &code::pixel());
        rig.set(SPI_PS_INPUT_CNTL_0, 1 | 1 << 10);
        rig.set(PA_SU_SC_MODE_CNTL, u32::from(last) << 19);
        rig.draw(3);
        rig.run().unwrap();
        assert_eq!(rig.pixel(60, 60), expected, "last {last}");
    }
}

/// The fourth corner is opposite the first, whichever provokes, and attributes go on to it.
#[test]
fn rectangles_are_whole_whichever_vertex_provokes() {
    let corners = [(-0.5, -0.5, 0.0), (0.5, -0.5, 0.5), (-0.5, 0.5, 0.5)];
    let pictures = [false, true].map(|last| {
        let vertices = corners.map(|(x, y, red)| [x, y, 0.5, 1.0, red, 0.0, 1.0, 1.0]);
        let mut rig = Rig::new(1);
        rig.setup(&vertices, &code::pixel());
        rig.set(VGT_PRIMITIVE_TYPE, prim_type::RECTLIST);
        rig.set(PA_SU_SC_MODE_CNTL, u32::from(last) << 19);
        rig.draw(3);
        let stats = rig.run().unwrap();
        assert_eq!(stats.fragment_lanes, u64::from(WIDTH / 2 * HEIGHT / 2));
        rig.picture()
    });
    for (first, last) in pictures[0].iter().zip(&pictures[1]) {
        assert_eq!(first & 0xffff_ff00, last & 0xffff_ff00);
        assert!((first & 0xff).abs_diff(last & 0xff) <= 1);
    }
    // The fourth corner is red.
    let fourth = pictures[1][(HEIGHT / 4 * WIDTH + 3 * WIDTH / 4 - 1) as usize];
    assert!(fourth & 0xff > 250, "{fourth:#x}");
}

#[test]
fn inputs_without_a_parameter_get_their_default() {
    for (code, expected) in [(0, 0), (1, 0xff00_0000), (2, 0x00ff_ffff), (3, 0xffff_ffff)] {
        let mut rig = Rig::new(1);
        rig.setup(&triangle(), &code::pixel());
        rig.set(SPI_PS_INPUT_CNTL_0, 9 | code << 8);
        rig.draw(3);
        rig.run().unwrap();
        assert_eq!(rig.pixel(20, 90), expected);
    }
}

/// Perspective: the middle of the screen is not the middle of the attribute.
#[test]
fn attributes_are_divided_by_w_unless_linear() {
    let vertices: Vec<Vertex> = [
        (-1.0, -1.0, 1.0),
        (1.0, -1.0, 3.0),
        (-1.0, 1.0, 1.0),
        (1.0, 1.0, 3.0),
    ]
    .iter()
    .map(|(x, y, w)| [x * w, y * w, 0.5 * w, *w, (x + 1.0) / 2.0, 0.0, 0.0, 1.0])
    .collect();
    for (linear, expected) in [(false, 255.0 / 4.0), (true, 255.0 / 2.0)] {
        let mut rig = Rig::new(1);
        rig.setup(&vertices, &code::pixel());
        rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
        rig.set(SPI_PS_INPUT_CNTL_0, 1 | u32::from(linear) << 12);
        rig.draw(4);
        rig.run().unwrap();
        let [red, ..] = channels(rig.pixel(99, 60));
        assert!(
            (f64::from(red) - expected).abs() < 1.5,
            "linear {linear}: {red}"
        );
    }
}

/// Position with pixel centres, and which side is seen.
#[test]
fn position_and_front_face_go_to_registers() {
    let mut rig = Rig::new(1);
    rig.format = Format::R32Float;
    rig.setup(&triangle(), &code::pixel_of(1));
    rig.set(SPI_PS_IN_CONTROL_0, 1 | 1 << 8 | 1 << 10);
    rig.set(SPI_INPUT_Z, 1);
    rig.draw(3);
    rig.run().unwrap();
    assert_eq!(f32::from_bits(rig.pixel(33, 90)), 33.5);
    for (face, expected) in [(0, 1.0), (1 << 2, -1.0)] {
        let mut rig = Rig::new(1);
        rig.format = Format::R32Float;
        rig.setup(&triangle(), &code::pixel_of(2));
        rig.set(PA_SU_SC_MODE_CNTL, face);
        rig.set(SPI_PS_IN_CONTROL_1, 1 << 8 | 2 << 12);
        rig.draw(3);
        rig.run().unwrap();
        assert_eq!(f32::from_bits(rig.pixel(33, 90)), expected);
    }
}

#[test]
fn nearer_triangles_hide_farther_ones() {
    for (format, clear) in [
        (Format::D32Float, 1f32.to_bits()),
        (Format::D24UnormX8, 0x00ff_ffff),
        (Format::D24UnormS8Uint, 0x55ff_ffff),
        (Format::D16Unorm, 0xffff_ffff),
    ] {
        let mut rig = Rig::new(2);
        let mut vertices = corners(&STRIP, 0.25, RED);
        vertices.extend(corners(&STRIP, 0.75, GREEN));
        vertices.extend(corners(&[(-1., -1.), (1., -1.), (-1., 1.)], 0.1, GREEN));
        rig.setup(&vertices, &code::pixel());
        let depth = rig.depth(format, clear, depth_test(compare::LESS, true));
        rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
        for (first, count) in [(0, 4), (4, 4), (8, 3)] {
            rig.set(VGT_INDX_OFFSET, first);
            rig.draw(count);
        }
        rig.run().unwrap();
        // Upper right: red in front; lower left: the third triangle in front of it.
        assert_eq!(rig.pixel(190, 5), 0xff00_00ff, "{format:?}");
        assert_eq!(rig.pixel(5, 110), 0xff00_ff00, "{format:?}");
        let at = DEPTH + depth.levels[0].surface.offset(190, 5, 0, 0);
        let word = rig.memory.load(at).unwrap();
        match format {
            Format::D32Float => assert_eq!(word, 0.25f32.to_bits()),
            Format::D24UnormX8 => assert_eq!(word & 0xff_ffff, 0x40_0000),
            // Stencil, which is not tested, stays.
            Format::D24UnormS8Uint => assert_eq!(word, 0x5540_0000),
            _ => assert_eq!(word >> (8 * (at & 3)) & 0xffff, 0x4000),
        }
    }
}

#[test]
fn shaders_decide_depth_and_coverage() {
    // Depth is red: 0 to 1 from left to right, against 0.5 everywhere.
    let vertices: Vec<Vertex> = STRIP
        .iter()
        .map(|(x, y)| [*x, *y, 0.0, 1.0, (x + 1.0) / 2.0, 1.0, 0.0, 1.0])
        .collect();
    let mut rig = Rig::new(1);
    rig.setup(&vertices, &code::pixel_depth());
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    rig.depth(
        Format::D32Float,
        0.5f32.to_bits(),
        depth_test(compare::LESS, true),
    );
    rig.set(DB_SHADER_CONTROL, 1);
    rig.draw(4);
    rig.run().unwrap();
    assert_ne!(rig.pixel(99, 60), 0);
    assert_eq!(rig.pixel(101, 60), 0);
    // The same edge by a kill.
    let mut rig = Rig::new(1);
    rig.setup(&vertices, &code::pixel_kill());
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    rig.set(DB_SHADER_CONTROL, 1 << 6);
    rig.draw(4);
    rig.run().unwrap();
    assert_ne!(rig.pixel(99, 60), 0);
    assert_eq!(rig.pixel(101, 60), 0);
    // And by the alpha test.
    let vertices: Vec<Vertex> = STRIP
        .iter()
        .map(|(x, y)| [*x, *y, 0.0, 1.0, 1.0, 1.0, 0.0, (x + 1.0) / 2.0])
        .collect();
    let mut rig = Rig::new(1);
    rig.setup(&vertices, &code::pixel());
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    rig.set(SX_ALPHA_TEST_CONTROL, u32::from(compare::LESS) | 1 << 3);
    rig.set(SX_ALPHA_REF, 0.5f32.to_bits());
    rig.draw(4);
    rig.run().unwrap();
    assert_ne!(rig.pixel(99, 60), 0);
    assert_eq!(rig.pixel(101, 60), 0);
}

/// What lies behind a program that has ended is none of it, even where it looks like an instruction that does nothing.
#[test]
fn programs_end_where_they_say() {
    let mut rig = Rig::new(1);
    let mut program = code::pixel();
    program.extend([0x1234_5678, 0x0000_0010]);
    rig.setup(&corners(&STRIP, 0.5, [1.0; 4]), &program);
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    rig.draw(4);
    rig.run().unwrap();
    assert_eq!(rig.pixel(7, 7), u32::MAX);
}

/// A colour is what its register holds when it is exported, and a second export changes the elements that it names.
#[test]
fn colours_are_exported_in_parts() {
    let second = "EXP_DONE: PIX0, R0._x0_ END_OF_PROGRAM\n";
    let cases = [
        (format!("EXPORT: PIX0, R0.xy_1\n{second}"), 0xff00_4040),
        (
            format!("EXPORT: PIX0, R0.xy_1\nALU:\n0 x: MOV R0.x, 1.0\n{second}"),
            0xff00_ff40,
        ),
        (
            "EXP_DONE: PIX0, R0._yx0 END_OF_PROGRAM\n".to_owned(),
            0x0040_8000,
        ),
    ];
    for (text, expected) in cases {
        let words = r600::isa::assemble(&text).unwrap().concat();
        let mut rig = Rig::new(1);
        rig.setup(&corners(&STRIP, 0.5, [0.25, 0.5, 0.75, 0.1]), &words);
        rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
        rig.draw(4);
        rig.run().unwrap();
        assert_eq!(rig.pixel(77, 33), expected, "{text}");
        // Alpha of target 0 is tested wherever it is kept.
        let test = SxAlphaTestControl {
            alpha_func: 4,
            alpha_test_enable: true,
            ..SxAlphaTestControl::from_word(0)
        };
        rig.set(SX_ALPHA_TEST_CONTROL, test.pack());
        rig.set(SX_ALPHA_REF, 0.5f32.to_bits());
        rig.set(CB_TARGET_MASK, 1);
        rig.words(COLOR, &[0x1234_5678; 64]);
        let rejects = expected < 0x8000_0000;
        let before = rig.pixel(0, 0);
        rig.draw(4);
        rig.run().unwrap();
        assert_eq!(rig.pixel(0, 0) == before, rejects, "{text}");
    }
}
