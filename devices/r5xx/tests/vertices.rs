//! Words of vertices to input vectors; outputs, clipping and the viewport.

#![allow(clippy::unwrap_used)]

use r5xx::cp::{CLIP_PLANES, IndexPart, Source, State, VertexArray};
use r5xx::registers;
use r5xx::regs::*;
use r5xx::vap::{Output, PositionFormat, Stream, StreamError, clip, distances, outputs, planes};
use radeon::registers::RegisterFile;
use silicon::Memory;
use silicon::geometry::clip::DepthRange;
use silicon::geometry::setup::Grid;
use silicon::geometry::vertices::VertexInput;

/// x, y, z and w as they are, all written.
const PLAIN: u32 = 0xf688;
const LAST: u32 = 1 << 13;
const SIGNED: u32 = 1 << 14;
const NORMALIZE: u32 = 1 << 15;

/// Registers with these elements: halves of VAP_PROG_STREAM_CNTL and of its extension.
fn elements(list: &[(u32, u32)]) -> RegisterFile {
    let mut registers = registers::power_on();
    for (n, (control, extended)) in (0..).zip(list) {
        for (register, half) in [
            (VAP_PROG_STREAM_CNTL, control),
            (VAP_PROG_STREAM_CNTL_EXT, extended),
        ] {
            let at = register.at(n / 2);
            let word = registers.get(at) | half << (16 * (n % 2));
            registers.set(at, word);
        }
    }
    registers
}

fn source(words: &[u32]) -> Source {
    Source::Stream {
        words: words.to_vec(),
        each: words.len() as u32,
    }
}

/// Input vectors of one vertex with these words; what is not written is 7.
fn load(registers: &RegisterFile, words: &[u32]) -> Vec<[f32; 4]> {
    let source = source(words);
    let stream = Stream::new(registers, &source).unwrap();
    let mut inputs = Box::new([[[7f32.to_bits(); 64]; 4]; 32]);
    let vertex = VertexInput::default();
    let memory = Memory::new(64);
    stream
        .load(&memory, &source, &[vertex], &mut Vec::new(), &mut inputs)
        .unwrap();
    let vectors = inputs.iter();
    vectors
        .map(|vector| vector.map(|row| f32::from_bits(row[0])))
        .collect()
}

#[test]
fn every_type_unpacks() {
    let float = |values: [f32; 4]| values.map(f32::to_bits);
    let words = float([1.5, -2.0, 0.25, 8.0]);
    let bytes = [0x80_7f_ff_01];
    let shorts = [0x8000_7fff, 0xffff_0001];
    let halves = [0xc000_3c00, 0x0001_7bff];
    let norm = SIGNED | NORMALIZE;
    let tiny = 2f32.powi(-24);
    let cases: [(u32, &[u32], [f32; 4]); 19] = [
        (0, &words, [1.5, 0.0, 0.0, 1.0]),
        (1, &words, [1.5, -2.0, 0.0, 1.0]),
        (2, &words, [1.5, -2.0, 0.25, 1.0]),
        (3, &words, [1.5, -2.0, 0.25, 8.0]),
        (4, &bytes, [1.0, 255.0, 127.0, 128.0]),
        (4 | SIGNED, &bytes, [1.0, -1.0, 127.0, -128.0]),
        (4 | NORMALIZE, &[0xff00_33ff], [1.0, 0.2, 0.0, 1.0]),
        (
            4 | norm,
            &bytes,
            [1.0 / 127.0, -1.0 / 127.0, 1.0, -128.0 / 127.0],
        ),
        (5, &bytes, [127.0, 255.0, 1.0, 128.0]),
        (6, &shorts, [32767.0, 32768.0, 0.0, 1.0]),
        (6 | SIGNED, &shorts, [32767.0, -32768.0, 0.0, 1.0]),
        (7 | SIGNED, &shorts, [32767.0, -32768.0, 1.0, -1.0]),
        (
            7 | norm,
            &shorts,
            [1.0, -32768.0 / 32767.0, 1.0 / 32767.0, -1.0 / 32767.0],
        ),
        (8, &[0x3ff0_0801], [1.0, 2.0, 1023.0, 1.0]),
        (8 | SIGNED, &[0x3ff0_0801], [1.0, 2.0, -1.0, 1.0]),
        (9, &[0xffc0_1001], [1.0, 2.0, 1023.0, 1.0]),
        (
            9 | SIGNED | NORMALIZE,
            &[0x7fc0_0400],
            [-1024.0 / 1023.0, 0.0, 1.0, 1.0],
        ),
        (11, &halves, [1.0, -2.0, 0.0, 1.0]),
        (12, &halves, [1.0, -2.0, 65504.0, tiny]),
    ];
    for (control, words, expected) in cases {
        let registers = elements(&[(control | LAST | 3 << 8, PLAIN)]);
        assert_eq!(load(&registers, words)[3], expected, "{control:#x}");
    }
    // The other rules of signed fractions, by element.
    for (method, expected) in [
        (1, [-1.0, 1.0]),
        (2, [-1.0, 1.0]),
        (0, [-128.0 / 127.0, 1.0]),
    ] {
        let mut registers = elements(&[(4 | norm | LAST, PLAIN)]);
        registers.set(VAP_PSC_SGN_NORM_CNTL.address, method);
        let [x, y, ..] = load(&registers, &[0x0000_7f80])[0];
        assert_eq!([x, y], expected, "{method}");
    }
    let mut registers = elements(&[(4 | norm | LAST, PLAIN)]);
    registers.set(VAP_PSC_SGN_NORM_CNTL.address, 2);
    assert_eq!(load(&registers, &[0])[0][0], 1.0 / 255.0);
}

#[test]
fn elements_follow_each_other() {
    let registers = elements(&[
        // Two floats to vector 1, reversed into z and w; a word is skipped.
        (1 | 1 << 4 | 1 << 8, 1 << 6 | 0xc000),
        // Eight floats to vectors 4 and 5.
        (10 | 4 << 8, PLAIN),
        // A float to vector 0, with constants: x, 0, 1, x.
        (LAST, 4 << 3 | 5 << 6 | 0xf000),
    ]);
    let words: Vec<u32> = (1..13).map(|n| (n as f32).to_bits()).collect();
    let inputs = load(&registers, &words);
    assert_eq!(inputs[1], [7.0, 7.0, 2.0, 1.0]);
    assert_eq!(inputs[4], [4.0, 5.0, 6.0, 7.0]);
    assert_eq!(inputs[5], [8.0, 9.0, 10.0, 11.0]);
    assert_eq!(inputs[0], [12.0, 0.0, 1.0, 12.0]);
    assert_eq!(inputs[2], [7.0; 4]);
    let stream = Stream::new(&registers, &source(&words)).unwrap();
    assert_eq!(stream.vectors(), 0b11_0011);
    assert_eq!(stream.elements()[2].word, 11);
}

#[test]
fn vertices_come_from_arrays() {
    let memory = Memory::new(4096);
    for n in 0..1024 {
        memory.store(4 * n, (n as f32).to_bits()).unwrap();
    }
    let array = |address, words, stride| VertexArray {
        address,
        words,
        stride,
        index: IndexPart::Whole,
    };
    let source = Source::Arrays(vec![array(400, 2, 12), array(2000, 1, 4)]);
    let registers = elements(&[(1, PLAIN), (LAST | 1 << 8, PLAIN)]);
    let stream = Stream::new(&registers, &source).unwrap();
    let vertices = [0, 5, 2].map(|index| VertexInput {
        index,
        ..VertexInput::default()
    });
    let mut inputs = Box::new([[[0; 64]; 4]; 32]);
    stream
        .load(&memory, &source, &vertices, &mut Vec::new(), &mut inputs)
        .unwrap();
    for (lane, index) in [0.0, 5.0, 2.0].into_iter().enumerate() {
        let row = |vector: usize, component: usize| f32::from_bits(inputs[vector][component][lane]);
        assert_eq!(
            (row(0, 0), row(0, 1)),
            (100.0 + 3.0 * index, 101.0 + 3.0 * index)
        );
        assert_eq!(row(1, 0), 500.0 + index);
    }
    let far = [VertexInput {
        index: 600,
        ..VertexInput::default()
    }];
    let error = stream.load(&memory, &source, &far, &mut Vec::new(), &mut inputs);
    let outside = StreamError::Outside {
        vertex: 600,
        address: 400 + 600 * 12,
    };
    assert_eq!(error, Err(outside));
}

#[test]
fn broken_streams_are_errors() {
    let of = |registers: &RegisterFile, words: usize| {
        Stream::new(registers, &source(&vec![0; words]))
            .map(|_| ())
            .unwrap_err()
    };
    assert_eq!(of(&elements(&[]), 99), StreamError::Endless);
    let short = StreamError::Short { have: 3, need: 5 };
    assert_eq!(of(&elements(&[(0, PLAIN), (3 | LAST, PLAIN)]), 3), short);
    let vector = StreamError::Vector {
        element: 0,
        vector: 31,
    };
    assert_eq!(of(&elements(&[(10 | LAST | 31 << 8, PLAIN)]), 8), vector);
    let text = |control, extended| of(&elements(&[(control | LAST, extended)]), 9).to_string();
    assert_eq!(text(13, PLAIN), "element 0: DATA_TYPE_0 13 is reserved");
    assert_eq!(text(0, 6), "element 0: SWIZZLE_SELECT_X_0 6 is reserved");
    let mut registers = elements(&[(4 | SIGNED | NORMALIZE | LAST, PLAIN)]);
    registers.set(VAP_PSC_SGN_NORM_CNTL.address, 3);
    assert_eq!(
        of(&registers, 9).to_string(),
        "element 0: SGN_NORM_METHOD_0 3 is reserved"
    );
}

#[test]
fn outputs_are_packed() {
    let mut registers = registers::power_on();
    assert!(outputs(&registers).is_err());
    registers.set(VAP_OUT_VTX_FMT_0.address, 1 | 1 << 16 | 1 << 1 | 1 << 4);
    registers.set(VAP_OUT_VTX_FMT_1.address, 4 | 1 << 6);
    let texture = |set, components| Output::Texture { set, components };
    let expected = [
        Output::Position,
        Output::PointSize,
        Output::Color(0),
        Output::Color(3),
        texture(0, 4),
        texture(2, 1),
    ];
    assert_eq!(outputs(&registers).unwrap(), expected);
    registers.set(VAP_OUT_VTX_FMT_1.address, 5);
    let error = outputs(&registers).unwrap_err();
    assert_eq!(error, "VAP_OUT_VTX_FMT_1.TEX_0_COMP_CNT is 5");
}

fn set(registers: &mut RegisterFile, values: &[(Register, f32)]) {
    for (register, value) in values {
        registers.set(register.address, value.to_bits());
    }
}

const GRID: Grid = Grid::new(4);

#[test]
fn the_viewport_has_the_parts_that_are_enabled() {
    let mut registers = registers::power_on();
    let values = [
        (VAP_VPORT_XSCALE, 50.0),
        (VAP_VPORT_XOFFSET, 60.0),
        (VAP_VPORT_YSCALE, -20.0),
        (VAP_VPORT_YOFFSET, 30.0),
        (VAP_VPORT_ZSCALE, 0.5),
        (VAP_VPORT_ZOFFSET, 0.25),
    ];
    set(&mut registers, &values);
    registers.set(VAP_VTE_CNTL.address, 0x43f);
    let (viewport, volume) = clip(&registers, GRID).unwrap();
    assert_eq!(
        (viewport.scale, viewport.offset),
        ([50.0, -20.0, 0.5], [60.0, 30.0, 0.25])
    );
    assert_eq!(
        (volume.depth, volume.near, volume.far),
        (DepthRange::MinusOneToOne, true, true)
    );
    let same = [2.0, 3.0, 4.0, 5.0];
    assert_eq!(PositionFormat::new(&registers).homogeneous(same), same);
    registers.set(VAP_VTE_CNTL.address, 0x41);
    registers.set(VAP_CNTL.address, VAP_CNTL::DX_CLIP_SPACE_DEF.bits(1));
    let (viewport, volume) = clip(&registers, GRID).unwrap();
    assert_eq!(
        (viewport.scale, viewport.offset),
        ([50.0, 1.0, 1.0], [0.0; 3])
    );
    assert_eq!(volume.depth, DepthRange::ZeroToOne);
}

#[test]
fn window_coordinates_are_not_clipped() {
    // As Mesa's driver clears: x, y and z are there already, w is 1 / w.
    let mut registers = registers::power_on();
    registers.set(VAP_VTE_CNTL.address, 0x300);
    registers.set(VAP_CLIP_CNTL.address, 1 << 16 | 3);
    let (viewport, volume) = clip(&registers, GRID).unwrap();
    let format = PositionFormat::new(&registers);
    for position in [[8.0, 24.5, 0.75, 1.0], [4095.25, 0.5, 0.25, 0.5]] {
        let clip = format.homogeneous(position);
        assert_eq!(clip[3], 1.0 / position[3]);
        let inside = clip[0].abs() <= clip[3] && clip[1].abs() <= clip[3];
        assert!(inside, "{clip:?}");
        let seen = viewport.project(GRID, clip);
        assert_eq!(
            (seen.x, seen.y),
            (GRID.snap(position[0]), GRID.snap(position[1]))
        );
        assert_eq!((seen.z, seen.inv_w), (position[2], position[3]));
    }
    assert!(!volume.near && !volume.far);
    assert_eq!(volume.clip_distances, 0);
}

#[test]
fn user_planes_clip_or_cull() {
    let mut state = State::default();
    state.registers.set(VAP_CLIP_CNTL.address, 0b10_0010);
    state.vectors[CLIP_PLANES + 1] = [1.0, 2.0, 0.0, -4.0].map(f32::to_bits);
    state.vectors[CLIP_PLANES + 5] = [0.0, 0.0, 1.0, 0.0].map(f32::to_bits);
    assert_eq!(planes(&state.registers), 0b10_0010);
    let found = distances(&state, [3.0, 1.0, -7.0, 1.0]);
    assert_eq!(found, [0.0, 1.0, 0.0, 0.0, 0.0, -7.0, 0.0, 0.0]);
    let (_, volume) = clip(&state.registers, GRID).unwrap();
    assert_eq!(
        (volume.clip_distances, volume.cull_distances),
        (0b10_0010, 0)
    );
    state.registers.set(VAP_CLIP_CNTL.address, 1 << 17 | 1);
    let (_, volume) = clip(&state.registers, GRID).unwrap();
    assert_eq!((volume.clip_distances, volume.cull_distances), (0, 1));
    state.registers.set(VAP_CLIP_CNTL.address, 1 << 18);
    assert!(clip(&state.registers, GRID).is_err());
}
