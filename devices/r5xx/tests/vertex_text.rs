//! Vertex instructions: vectors, text, random words.
#![allow(clippy::unwrap_used)]

use isa::InstructionRow;
use isa::suite::{InstructionSet, Random, random_words_survive, samples_survive, vectors_hold};
use lanes::{DefaultEngine, Engine};
use r5xx::isa::pvs::{self, Control, DecodeError, FlowSlot, Inst, LiftError};

/// PVS.
struct Set;

impl InstructionSet for Set {
    type Inst = Inst;
    type Error = DecodeError;

    fn rows() -> Vec<InstructionRow> {
        let rows = pvs::rows().into_iter();
        rows.filter(|row| row.encoding != "FLOW").collect()
    }

    fn decode(words: &[u32]) -> Result<(Inst, usize), DecodeError> {
        Ok((Inst::decode(words[..4].try_into().unwrap())?, 4))
    }

    fn encode(inst: &Inst, out: &mut Vec<u32>) {
        out.extend(inst.encode());
    }

    fn sample(row: &InstructionRow, random: &mut Random) -> Vec<u32> {
        let mut words = Self::words(random);
        let engine = match row.encoding {
            "ME" => 0x40,
            "MACRO" => 0x80,
            _ => 0,
        };
        words[0] = words[0] & !0xff | engine | row.opcode;
        words
    }

    /// Four words, in most of which selects and memories exist.
    fn words(random: &mut Random) -> Vec<u32> {
        let mut words = [(); 4].map(|()| random.word() as u32);
        if random.below(8) > 0 {
            words[0] = words[0] & !0xe80 | words[0] >> 9 & 1 << 7 & random.word() as u32;
            words[0] &= !(1 << 12);
            for word in &mut words[1..] {
                // Codes 4 and 5 are left of those above 3, no mode 3.
                *word &= !(0b010_010_010_010 << 13 & *word >> 1) & !(1 << 31);
            }
            words[3] &= if words[0] >> 28 & 1 == 1 {
                !0x0060_0000
            } else {
                !0
            };
        }
        words.to_vec()
    }

    fn lift(words: &[u32]) -> Result<(), String> {
        let code = [words[..4].try_into().unwrap()];
        match pvs::lift(&code, &Control::straight(1)) {
            Ok(lifted) => match DefaultEngine::new().prepare(&lifted.program) {
                Ok(_) => Ok(()),
                Err(error) => Err(error.to_string()),
            },
            // Random offsets pass the end of the memories.
            Err(LiftError::Register { .. }) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }
}

#[test]
fn vectors() {
    assert_eq!(
        vectors_hold::<Set>(include_str!("vectors/vertex.txt")),
        Ok(8)
    );
}

#[test]
fn samples_of_every_row_survive() {
    let draws = samples_survive::<Set>(40).unwrap();
    assert!(draws > 59 * 40, "{draws}");
}

#[test]
fn random_words_encode_to_themselves() {
    let decoded = random_words_survive::<Set>(400_000, 5).unwrap();
    assert!(decoded > 20_000, "{decoded}");
}

#[test]
fn illegal_words_are_named() {
    let of = |words: [u32; 4]| Inst::decode(words).unwrap_err().to_string();
    let cases = [
        (29, "the vector engine has no opcode 29 (word 0x0000001d)"),
        (0x82, "a macro has no opcode 2 (word 0x00000082)"),
        (0x5d, "the math engine has no opcode 29 (word 0x0000005d)"),
        (
            0xc0,
            "an instruction is a macro and a math operation (word 0x000000c0)",
        ),
        (0x603, "there is no destination memory 6 (word 0x00000603)"),
        (0x0010_0103, "VE_ADD cannot write A0 (word 0x00100103)"),
        (0x8000_1003, "there is no address mode 3 (word 0x80001003)"),
        (
            0x1000_0004,
            "VE_MULTIPLY_ADD with 3 operands cannot be half of a dual instruction (word 0x10000004)",
        ),
    ];
    for (word, text) in cases {
        assert_eq!(of([word, 0, 0, 0]), text);
    }
    assert_eq!(
        of([3, 6 << 13, 0, 0]),
        "there is no swizzle 6 (word 0x0000c000)"
    );
    assert_eq!(
        of([3, 0, 1 << 31 | 1 << 4, 0]),
        "there is no address mode 3 (word 0x80000010)"
    );
    // A power with a clamp has three operands.
    let dual = of([1 << 28, 0, 0, 13 << 21]);
    assert!(dual.contains("ME_POWER_FUNC_FF_CLAMP_B with 3"), "{dual}");
}

#[test]
fn wrong_text_is_refused() {
    let lines = [
        "VE_SUM T0, T1, T2",
        "VE_ADD",
        "VE_ADD T0",
        "VE_ADD T0.yx, T1, T2",
        "VE_ADD T128, T1, T2",
        "VE_ADD T0, T1.xyz, T2",
        "VE_ADD T0, T1.xyzq, T2",
        "VE_ADD T0, OUT1, T2",
        "VE_ADD T0, T1, T2, T3, T4",
        "VE_ADD T0, |T1, T2",
        "VE_ADD T0, T[1+A0.q], T2",
        "VE_ADD T0, T300, T2",
        "VE_ADD A0.x, T1, T2",
        "VE_ADD T0, T1, T2 + ME_RECIP_DX T0.x, T1.xy",
        "VE_ADD T0, T1, T2 + ME_RECIP_DX AT4.x, T1.xy",
        "VE_ADD T0, T1, T2, T3 + ME_RECIP_DX AT0.x, T1.xy",
        ".words 0x1, 0x2",
    ];
    for line in lines {
        let error = pvs::assemble(line).map(|words| format!("{words:08x?}"));
        assert!(error.is_err(), "{line}: {error:?}");
    }
}

#[test]
fn slots_have_text_and_words() {
    let lines = [
        "PVS_FC_NO_OP act 0",
        "PVS_FC_JUMP act 3, target 700",
        "PVS_FC_LOOP act 0, count 4, last 3, rtn 1, init 200, step -1",
        "PVS_FC_LOOP act 0, count 255, last 3, rtn 1, inherit, step 0",
        "PVS_FC_JSR act 1, target 9, last 12, rtn 2",
    ];
    for line in lines {
        let slot: FlowSlot = line.parse().unwrap();
        assert_eq!(slot.to_string(), line);
        let [low, high, index] = slot.words();
        assert_eq!(FlowSlot::from_words(slot.op, low, high, index), slot);
    }
    let slots = FlowSlot::all(0b11_01_10, &[[7; 3]; 16]);
    let names = slots.map(|slot| slot.op.code());
    assert_eq!(names[..4], [2, 1, 3, 0]);
    assert_eq!(FlowSlot::opc(&slots), 0b11_01_10);
    assert!("PVS_FC_JUMP at 3".parse::<FlowSlot>().is_err());
}
