//! Fetches of raw programs: constants with an index, vertices of many formats, texels.
#![allow(clippy::unwrap_used)]

use isa::{ExecInput, ExecOutput, LaneValue, MemoryBlock};
use r600::exec::exec;
use r600::isa::assemble;

type Vector = [u32; 4];

fn input(registers: &[(&str, LaneValue)]) -> ExecInput {
    let named = registers.iter();
    ExecInput {
        registers: named
            .map(|(name, value)| ((*name).into(), value.clone()))
            .collect(),
        ..ExecInput::default()
    }
}

/// R0.x is the lane.
fn lanes() -> LaneValue {
    LaneValue::Vectors((0..64).map(|n| [n, 0, 0, 0]).collect())
}

fn run(text: &str, input: &ExecInput) -> ExecOutput {
    let words = match assemble(text) {
        Ok(lines) => lines.concat(),
        Err(error) => panic!("{error}"),
    };
    exec("fragment", &words, input).unwrap()
}

fn exported(output: &ExecOutput, lane: usize) -> Vector {
    output.exports[0].lanes[lane].unwrap()
}

#[test]
fn constants_with_an_index() {
    // Made by llc from fetch.ll: element R0.x of two constant buffers, added.
    for cpu in ["r600", "rv670"] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
        let text = std::fs::read_to_string(format!("{folder}/fetch.{cpu}.hex")).unwrap();
        let words = text.split_whitespace();
        let words: Vec<u32> = words.map(|w| u32::from_str_radix(w, 16).unwrap()).collect();
        let buffer = |scale: f32| {
            let at = |n: usize| [0, 1, 2, 3].map(|e| (scale * (4 * n + e) as f32).to_bits());
            LaneValue::Vectors((0..80).map(at).collect())
        };
        let input = input(&[("R0", lanes()), ("KC0", buffer(1.0)), ("KC1", buffer(0.5))]);
        let output = exec("fragment", &words, &input).unwrap();
        for lane in 0..64 {
            let want = [0, 1, 2, 3].map(|e| (1.5 * (4 * lane + e) as f32).to_bits());
            assert_eq!(exported(&output, lane), want, "{cpu} lane {lane}");
        }
    }
}

/// One element of `bytes`, fetched with these flags.
fn fetched(bytes: &[u8], flags: &str) -> Vector {
    let text =
        format!("VTX:\nVFETCH R1.xyzw, R0.x, fc3 {flags}\nEXP_DONE: PIX0, R1 END_OF_PROGRAM");
    let [same, differ] = [0, 1].map(|other| {
        // Lanes that fetch one element are a case of their own.
        let index = |lane: u32| [if lane == 7 { 0 } else { other }, 0, 0, 0];
        let mut input = input(&[("R0", LaneValue::Vectors((0..64).map(index).collect()))]);
        input.memory = vec![MemoryBlock::new(0, bytes)];
        exported(&run(&text, &input), 7)
    });
    assert_eq!(same, differ, "{flags}");
    same
}

#[test]
fn formats_of_vertices() {
    let floats = |v: [f32; 4]| v.map(f32::to_bits);
    let bytes = [
        0x80, 0x7f, 0xff, 0x01, 0x44, 0x33, 0x22, 0x11, 9, 8, 7, 6, 5, 4, 3, 2,
    ];
    let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|n| bytes[at + n]));
    let cases: [(&str, Vector); 14] = [
        (
            "FORMAT(26)",
            floats([128.0 / 255.0, 127.0 / 255.0, 1.0, 1.0 / 255.0]),
        ),
        (
            "FORMAT(26) SIGNED",
            floats([-1.0, 1.0, -1.0 / 127.0, 1.0 / 127.0]),
        ),
        (
            "FORMAT(26) SIGNED NO_ZERO",
            floats([-1.0, 1.0, -1.0 / 255.0, 3.0 / 255.0]),
        ),
        ("FORMAT(26) NUM(INT)", [0x80, 0x7f, 0xff, 1]),
        (
            "FORMAT(26) NUM(INT) SIGNED",
            [0xffff_ff80, 0x7f, 0xffff_ffff, 1],
        ),
        ("FORMAT(26) NUM(SCALED)", floats([128.0, 127.0, 255.0, 1.0])),
        (
            "FORMAT(26) NUM(SCALED) SIGNED",
            floats([-128.0, 127.0, -1.0, 1.0]),
        ),
        ("FORMAT(5) NUM(INT)", [0x7f80, 0, 0, 1]),
        ("FORMAT(15) NUM(INT) SIGNED", [0x7f80, 0x1ff, 0, 1]),
        ("FORMAT(35)", [word(0), word(4), word(8), word(12)]),
        ("FORMAT(29) NUM(INT)", [word(0), word(4), 0, 1]),
        ("FORMAT(13) NUM(INT) ENDIAN(8IN32)", [0x807f_ff01, 0, 0, 1]),
        (
            "FORMAT(13) NUM(INT) ENDIAN(8IN16)",
            [0xff01_807f_u32, 0, 0, 1],
        ),
        ("FORMAT(13) NUM(INT) OFFSET(4)", [word(4), 0, 0, 1]),
    ];
    for (flags, want) in cases {
        assert_eq!(fetched(&bytes, flags), want, "{flags}");
    }
    // Outside the memory everything is zero.
    assert_eq!(fetched(&bytes, "FORMAT(35) OFFSET(65520)"), [0; 4]);
}

#[test]
fn resources_and_semantics() {
    // Buffer 2 at 0x100: stride 8, three elements of 16_16 SNORM of which the second lanes' index is beyond.
    let mut input = input(&[
        ("R0", lanes()),
        (
            "VTX2",
            LaneValue::Lanes(vec![
                0x100,
                23,
                8 << 8 | 15 << 20 | 1 << 28,
                0,
                0,
                0,
                0xc000_0000,
            ]),
        ),
        ("SEMANTIC", LaneValue::Lanes(vec![40, 41, 42])),
    ]);
    let bytes: Vec<u8> = (0..24).map(|n| if n % 8 == 1 { 0x40 } else { n }).collect();
    input.memory = vec![MemoryBlock::new(0x100, &bytes)];
    let text = "
        VTX:
            VFETCH_SEMANTIC S[42].xy_1, R0.x, fc2 USE_CONST_FIELDS MEGA(4)
            VFETCH_SEMANTIC S[50].xyzw, R0.x, fc2 USE_CONST_FIELDS
        EXP_DONE: PIX0, R3 END_OF_PROGRAM";
    let output = run(text, &input);
    for lane in 0..3u32 {
        let component = |low: u32, high: u32| ((low + 256 * high) as f32 / 32767.0).to_bits();
        let want = [
            component(8 * lane, 0x40),
            component(8 * lane + 2, 8 * lane + 3),
            0,
            1f32.to_bits(),
        ];
        assert_eq!(exported(&output, lane as usize), want, "lane {lane}");
    }
    assert_eq!(exported(&output, 3), [0, 0, 0, 1f32.to_bits()]);
}

/// A linear image of 4 x 4 texels of four bytes with rows of 64 texels, at 0x1000, texel (x, y) = (x, y, 10 x + y, 255).
fn textured() -> ExecInput {
    let mut bytes = vec![0; 64 * 4 * 4];
    for y in 0..4u8 {
        for x in 0..4u8 {
            let at = usize::from(y) * 256 + usize::from(x) * 4;
            bytes[at..at + 4].copy_from_slice(&[x, y, 10 * x + y, 255]);
        }
    }
    let word0 = 3 << 19 | 7 << 8 | 1 << 3 | 1;
    let words = vec![word0, 26 << 26 | 3, 0x10, 0x10, 0x0688_0000, 0, 0x8000_0000];
    let mut input = input(&[
        ("TEX1", LaneValue::Lanes(words)),
        // Last texel in all directions, bilinear.
        (
            "SAMPLER2",
            LaneValue::Lanes(vec![
                2 | 2 << 3 | 2 << 6 | 1 << 9 | 1 << 12,
                0x3ff << 10,
                0x8000_0000,
            ]),
        ),
    ]);
    input.memory = vec![MemoryBlock::new(0x1000, &bytes)];
    input
}

#[test]
fn texels() {
    let mut input = textured();
    let at = |n: u32| [n % 4, n / 4 % 4, 0, 0];
    input
        .registers
        .insert("R0".into(), LaneValue::Vectors((0..64).map(at).collect()));
    let text = "
        TEX:
            LD R1.xyzw, R0.xyzw, t1, s2 UNNORM(xyzw)
            GET_TEXTURE_RESINFO R2.xyzw, R0.0000, t1, s2
        EXP: PIX0, R1
        EXP_DONE: PIX1, R2 END_OF_PROGRAM";
    let output = run(text, &input);
    for lane in 0..64 {
        let [x, y, ..] = at(lane as u32);
        let want = [x, y, 10 * x + y, 255].map(|n| (n as f32 / 255.0).to_bits());
        assert_eq!(exported(&output, lane), want, "lane {lane}");
        assert_eq!(output.exports[1].lanes[lane].unwrap(), [4, 4, 1, 1]);
    }
}

#[test]
fn samples_and_gradients() {
    let mut input = textured();
    // Quads of pixels: x and y of the middle between texels.
    let at = |n: u32| {
        let (x, y) = (n & 1 | n >> 1 & 2, n >> 1 & 1 | n >> 2 & 2);
        [
            (x as f32 + 1.0) / 4.0,
            (y as f32 + 1.0) / 4.0,
            x as f32 + 1.0,
            y as f32 + 1.0,
        ]
        .map(f32::to_bits)
    };
    input
        .registers
        .insert("R0".into(), LaneValue::Vectors((0..64).map(at).collect()));
    let text = "
        TEX:
            SAMPLE_LZ R1.xyz_, R0.xy00, t1, s2
            SAMPLE_LZ R2.xyzw, R0.zw00, t1, s2 UNNORM(xy)
            GET_GRADIENTS_H R3.xyzw, R0.zw00, t1, s2
            GET_GRADIENTS_V R4.xyzw, R0.zw00, t1, s2
        EXP: PIX0, R1 BURST_CNT(4)
        NOP: END_OF_PROGRAM";
    let output = run(text, &input);
    for lane in 0..16 {
        let [_, _, x, y] = at(lane as u32).map(f32::from_bits);
        // Halfway between texels x - 1 and x, the last one beyond the edge.
        let blend = |n: f32| ((n - 1.0) + n.min(3.0)) / 2.0;
        let found = |export: usize| {
            output.exports[export].lanes[lane]
                .unwrap()
                .map(f32::from_bits)
        };
        for export in [0, 1] {
            let [r, g, b, _] = found(export);
            for (found, want) in [
                (r, blend(x)),
                (g, blend(y)),
                (b, 10.0 * blend(x) + blend(y)),
            ] {
                assert!(
                    (found * 255.0 - want).abs() < 1e-3,
                    "lane {lane} {export}: {found} {want}"
                );
            }
        }
        assert_eq!(found(2)[..2], [1.0, 0.0], "lane {lane}");
        assert_eq!(found(3)[..2], [0.0, 1.0], "lane {lane}");
    }
}

#[test]
fn footprints_are_told() {
    let mut input = textured();
    // Clamped to the border; a quarter texel right of the middle of texel (0, 0), and the same left of it.
    let sampler = vec![
        6 | 6 << 3 | 6 << 6 | 1 << 9 | 1 << 12,
        0x3ff << 10,
        0x8000_0000,
    ];
    input
        .registers
        .insert("SAMPLER2".into(), LaneValue::Lanes(sampler));
    let at = |n: u32| {
        let x = if n.is_multiple_of(2) { 0.75 } else { 0.25 };
        [x / 4.0, 0.5 / 4.0, 0.0, 0.0].map(f32::to_bits)
    };
    input
        .registers
        .insert("R0".into(), LaneValue::Vectors((0..64).map(at).collect()));
    let text = "
        TEX:
            GET_LERP_FACTORS R1.xyzw, R0.xy00, t1, s2
            GET_WEIGHTS R2.xyzw, R0.xy00, t1, s2
            GET_BORDER_COLOR_FRAC R3.xyzw, R0.xy00, t1, s2
            SAMPLE R4.xyzw, R0.xy00, t1, s2 BC_FRAC
        EXP_DONE: PIX0, R1 BURST_CNT(4) END_OF_PROGRAM";
    let output = run(text, &input);
    let found = |export: usize, lane: usize| {
        output.exports[export].lanes[lane]
            .unwrap()
            .map(f32::from_bits)
    };
    assert_eq!(found(0, 0), [0.25, 0.0, 0.0, 0.0]);
    assert_eq!(found(0, 1), [0.75, 0.0, 0.0, 0.0]);
    assert_eq!(found(1, 0), [0.75, 0.25, 0.0, 0.0]);
    // The texel left of the first is border.
    assert_eq!(found(2, 0)[..3], [0.0; 3]);
    assert_eq!(found(2, 1)[..3], [0.25, 0.0, 0.0]);
    assert_eq!(found(3, 1), [0.25; 4]);
}

/// The opcode has the samples of a texel in element W. (ERRATA 46)
#[test]
fn samples_are_counted() {
    let mut input = textured();
    // Four samples in macro tiles of 32x16 elements.
    let word0 = 3 << 19 | 3 << 8 | 4 << 3 | 6;
    let words = vec![word0, 26 << 26 | 3, 0x40, 0x40, 0x0688_0000, 2, 0x8000_0000];
    input
        .registers
        .insert("TEX3".into(), LaneValue::Lanes(words));
    input.memory.push(MemoryBlock::new(0x4000, &[0; 8192]));
    let text = "
        TEX:
            GET_BORDER_COLOR_FRAC R1.w___, R0.0000, t1, s2
            GET_BORDER_COLOR_FRAC R1._w__, R0.0000, t3, s2
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    assert_eq!(exported(&run(text, &input), 0)[..2], [1, 4]);
}

/// An image of two levels, white over black, with point filters and a comparison.
fn white_over_black(compare: u32) -> ExecInput {
    let mut bytes = vec![0xff; 64 * 4 * 4];
    bytes.extend(vec![0; 64 * 4 * 2]);
    let mut input = textured();
    let word0 = 3 << 19 | 7 << 8 | 1 << 3 | 1;
    let words = vec![word0, 26 << 26 | 3, 0x10, 0x14, 0x0688_0000, 1, 0x8000_0000];
    input
        .registers
        .insert("TEX1".into(), LaneValue::Lanes(words));
    let word0 = 2 | 2 << 3 | 2 << 6 | 1 << 17 | compare << 26;
    let sampler = vec![word0, 0x3ff << 10, 0x8000_0000];
    input
        .registers
        .insert("SAMPLER2".into(), LaneValue::Lanes(sampler));
    input.memory = vec![MemoryBlock::new(0x1000, &bytes)];
    input
}

/// A level or a bias takes the place of the reference, which then is in Z. (ERRATA 45)
#[test]
fn comparisons_at_levels() {
    const LESS: u32 = 1;
    let mut input = white_over_black(LESS);
    // A texel from lane to lane of a quad; every other quad goes to the second level.
    let at = |n: u32| {
        let [x, y] = [n, n / 2].map(|step| 0.125 + 0.25 * (step % 2) as f32);
        [x, y, 0.75, (n / 4 % 2) as f32].map(f32::to_bits)
    };
    input
        .registers
        .insert("R0".into(), LaneValue::Vectors((0..64).map(at).collect()));
    let text = "
        TEX:
            SAMPLE_C_L R1.xxxx, R0.xyzw, t1, s2
            SAMPLE_C_LB R2.xxxx, R0.xyzw, t1, s2
            SAMPLE_C R3.xxxx, R0.xyzz, t1, s2
        EXP_DONE: PIX0, R1 BURST_CNT(3) END_OF_PROGRAM";
    let output = run(text, &input);
    for lane in 0..64 {
        let white = if lane / 4 % 2 == 0 { 1f32 } else { 0.0 };
        for (export, wanted) in [(0, white), (1, white), (2, 1.0)] {
            let found = output.exports[export].lanes[lane].unwrap();
            assert_eq!(found, [wanted.to_bits(); 4], "{export}, lane {lane}");
        }
    }
}

#[test]
fn gradients_with_a_bias() {
    // Gradients of one texel stay in the first level, a bias of one goes to the second.
    let mut input = white_over_black(0);
    let at = |n: u32| [0.5, 0.5, 0.25, (n % 2) as f32].map(f32::to_bits);
    input
        .registers
        .insert("R0".into(), LaneValue::Vectors((0..64).map(at).collect()));
    let text = "
        TEX:
            SET_GRADIENTS_H R1.____, R0.z000, t1, s2
            SET_GRADIENTS_V R1.____, R0.0z00, t1, s2
            SAMPLE_G_LB R1.xyzw, R0.xy0w, t1, s2
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    let output = run(text, &input);
    assert_eq!(exported(&output, 0), [1f32.to_bits(); 4]);
    assert_eq!(exported(&output, 1), [0; 4]);
}
