//! Pixel instructions: vectors, text, random words.
#![allow(clippy::unwrap_used)]

use isa::InstructionRow;
use isa::suite::{InstructionSet, Random, random_words_survive, samples_survive, vectors_hold};
use lanes::{DefaultEngine, Engine};
use r5xx::isa::us::{self, DecodeError, Inst, LiftError, Setup};

/// US.
struct Set;

impl InstructionSet for Set {
    type Inst = Inst;
    type Error = DecodeError;

    /// The reserved codes have rows but no instructions.
    fn rows() -> Vec<InstructionRow> {
        let rows = us::rows().into_iter();
        rows.filter(|row| !row.mnemonic.starts_with("RESERVED"))
            .collect()
    }

    fn decode(words: &[u32]) -> Result<(Inst, usize), DecodeError> {
        Ok((Inst::decode(words[..6].try_into().unwrap())?, 6))
    }

    fn encode(inst: &Inst, out: &mut Vec<u32>) {
        out.extend(inst.encode());
    }

    fn sample(row: &InstructionRow, random: &mut Random) -> Vec<u32> {
        let mut words = Self::words(random);
        let kind = match row.encoding {
            "RGB" | "ALPHA" => random.below(2) as u32,
            "FC" => 2,
            _ => 3,
        };
        words[0] = words[0] & !3 | kind;
        match row.encoding {
            "RGB" => words[5] = words[5] & !15 | row.opcode,
            "ALPHA" => words[4] = words[4] & !15 | row.opcode,
            "FC" => words[2] = words[2] & !7 | row.opcode,
            _ => words[1] = words[1] & !(7 << 22) | row.opcode << 22,
        }
        words
    }

    /// Six words; in half of them what would be stray is clear.
    fn words(random: &mut Random) -> Vec<u32> {
        let mut words = [(); 6].map(|()| random.word() as u32);
        if random.below(2) == 0 {
            return words.to_vec();
        }
        // Inline constants have no loop variable; predicates are below 6.
        words[0] &= !(1 << 4 | 1 << 26);
        match words[0] & 3 {
            2 => {
                words[0] &= 0xf000_07ff;
                words[1] = 0;
                words[2] &= 0x1a1f_ff77 & !(1 << 7);
                words[3] &= 0x81ff_1f1f;
                [words[4], words[5]] = [0; 2];
            }
            3 => {
                words[0] &= !0x01bf_8000 | 1 << 22;
                words[1] &= 0x0fcf_0000;
                words[3] &= if words[1] >> 22 & 7 == 6 { !0 } else { 0 };
                [words[4], words[5]] = [0; 2];
            }
            _ => {
                for word in &mut words[1..3] {
                    *word &= !(1 << 9 | 1 << 19 | 1 << 29);
                }
                words[0] &= if words[3] >> 31 == 0 {
                    !0x01a0_0000
                } else {
                    !0
                };
            }
        }
        words.to_vec()
    }

    /// The instruction before the end of a program.
    fn lift(words: &[u32]) -> Result<(), String> {
        let code = [words[..6].try_into().unwrap(), [1, 0, 0, 0, 0, 0]];
        let few = Setup {
            temps: 70,
            full_flow: false,
            zero_wins: true,
            raw_inputs: false,
            ..Setup::whole(2)
        };
        for setup in [Setup::whole(2), few] {
            match us::lift(&code, &setup) {
                Ok(lifted) => {
                    let prepared = DefaultEngine::new().prepare(&lifted.program);
                    prepared.map_err(|error| error.to_string())?;
                }
                // Random temporaries and targets pass what there is.
                Err(LiftError::Temporary { temps: 70, .. } | LiftError::End { count: 2, .. }) => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok(())
    }
}

#[test]
fn vectors() {
    assert_eq!(
        vectors_hold::<Set>(include_str!("vectors/pixel.txt")),
        Ok(25)
    );
}

#[test]
fn samples_of_every_row_survive() {
    let draws = samples_survive::<Set>(60).unwrap();
    assert!(draws > 42 * 60, "{draws}");
}

#[test]
fn random_words_encode_to_themselves() {
    let decoded = random_words_survive::<Set>(400_000, 5).unwrap();
    assert!(decoded > 40_000, "{decoded}");
}

#[test]
fn text_names_most_instructions() {
    let mut random = Random(9);
    let (mut named, mut found) = (0, 0);
    for _ in 0..20_000 {
        if let Ok((inst, _)) = Set::decode(&Set::words(&mut random)) {
            found += 1;
            named += u32::from(!inst.to_string().starts_with(".words"));
        }
    }
    assert!(named * 3 > found, "{named} of {found}");
}

#[test]
fn illegal_words_are_named() {
    let cases = [
        (
            [0, 0, 0, 0, 0, 6],
            "RGB_OP is 6, which is reserved (word 0x00000006)",
        ),
        (
            [0, 0, 0, 0, 0, 13],
            "RGB_OP is 13, which is reserved (word 0x0000000d)",
        ),
        (
            [0, 0, 0, 0, 4, 0],
            "ALPHA_OP is 4, which is reserved (word 0x00000004)",
        ),
        (
            [3, 7 << 22, 0, 0, 0, 0],
            "INST is 7, which is reserved (word 0x01c00000)",
        ),
        (
            [2, 0, 3 << 6, 0, 0, 0],
            "A_OP is 3, which is reserved (word 0x000000c0)",
        ),
        (
            [2, 0, 3 << 24, 0, 0, 0],
            "B_OP0 is 3, which is reserved (word 0x03000000)",
        ),
        (
            [2, 0, 3 << 26, 0, 0, 0],
            "B_OP1 is 3, which is reserved (word 0x0c000000)",
        ),
        (
            [6 << 3, 0, 0, 0, 0, 0],
            "RGB_PRED_SEL is 6, which is reserved (word 0x00000030)",
        ),
        (
            [7 << 25, 0, 0, 0, 0, 0],
            "ALPHA_PRED_SEL is 7, which is reserved (word 0x0e000000)",
        ),
        (
            [0, 1 << 9 | 128, 0, 0, 0, 0],
            "source 0 adds the loop variable to an inline constant (word 0x00000280)",
        ),
        (
            [1 << 11, 0, 0, 0, 0, 10],
            "SOP takes the result of MAD, which has none (word 0x0000000a)",
        ),
        (
            [1 << 14, 0, 0, 0, 1, 0],
            "DP takes the result of MAD, which has none (word 0x00000001)",
        ),
    ];
    for (words, text) in cases {
        assert_eq!(Inst::decode(words).unwrap_err().to_string(), text);
    }
}

#[test]
fn wrong_text_is_refused() {
    let lines = [
        "MAD T0.rgb = src0.rgb / MAD =",
        "ALU MAD T0.rgb = src0.rgb",
        "ALU MAD T0.rga = src0.rgb / MAD =",
        "ALU MAD T0.rgb = src0.rg / MAD =",
        "ALU MAD T128.rgb = src0.rgb / MAD =",
        "ALU MAD A.rgb = src0.rgb / MAD =",
        "OUT MAD Peq.rgb = src0.rgb / MAD =",
        "ALU MAD_x3 T0.rgb = src0.rgb / MAD =",
        "ALU MAD T0.rgb = src0.rgb [T0, T1, T2, T3] / MAD =",
        "ALU MAD T0.rgb = src0.rgb [K128] / MAD =",
        "ALU MAD T0.rgb = src0.rgb ?q / MAD =",
        "ALU MAD T0.rgb = src0.rgb a?r / MAD =",
        "ALU MAD W = src0.rgb / MAD =",
        "ALU.often MAD = / MAD =",
        "TEX.redge LD T0.rgba = t0.rgba, T0.rgba",
        "TEX LD T0.rgba = t16.rgba, T0.rgba",
        "TEX LD T0.rgba = t1.rgb, T0.rgba",
        "TEX LD_twice T0.rgba = t1.rgba, T0.rgba",
        "TEX DXDY T0.rgba = t1.rgba, T0.rgba",
        "FC JUMP func 0x100",
        "FC JUMP func 0x10, to 512",
        "FC JUMP func 0x10, to nowhere",
        "FC JUMP func 0x10, bool 32",
        "FC JUMP func 0x10, stay often",
        "FC HOP func 0x10",
        ".words 0x1, 0x2",
    ];
    for line in lines {
        let error = us::assemble(line).map(|words| format!("{words:08x?}"));
        assert!(error.is_err(), "{line}: {error:?}");
    }
}

#[test]
fn labels_are_addresses() {
    let text = "FC JUMP func 0xff, to end\nstart: FC JUMP func 0xff, any, to start\nend: OUT MAD = / MAD =";
    let words = us::assemble(text).unwrap();
    assert_eq!([words[0][3], words[1][3]], [2 << 16, 1 << 16]);
}
