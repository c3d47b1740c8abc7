//! The instruction set against the manual's list, vectors, its own text and random words.
#![allow(clippy::unwrap_used)]

use isa::InstructionRow;
use isa::suite::{InstructionSet, Random};
use southern_islands::isa as si;
use southern_islands::isa::{Allocation, DecodeError, Inst, Mode};

/// Southern Islands.
struct Set;

/// Fixed bits of an encoding, where its opcode lies, and its number of words.
fn template(encoding: &str) -> (u32, u32, usize) {
    match encoding {
        "SOP2" => (0b10 << 30, 23, 1),
        "SOPK" => (0b1011 << 28, 23, 1),
        "SOP1" => (0b1_0111_1101 << 23, 8, 1),
        "SOPC" => (0b1_0111_1110 << 23, 16, 1),
        "SOPP" => (0b1_0111_1111 << 23, 16, 1),
        "SMRD" => (0b11000 << 27, 22, 1),
        "VOP2" => (0, 25, 1),
        "VOP1" => (0b0111111 << 25, 9, 1),
        "VOPC" => (0b0111110 << 25, 17, 1),
        "VOP3" => (0b110100 << 26, 17, 2),
        "VINTRP" => (0b110010 << 26, 16, 1),
        "DS" => (0b110110 << 26, 18, 2),
        "MUBUF" => (0b111000 << 26, 18, 2),
        "MTBUF" => (0b111010 << 26, 16, 2),
        "MIMG" => (0b111100 << 26, 18, 2),
        "EXP" => (0b111110 << 26, 0, 2),
        _ => unreachable!("the table has no other encoding"),
    }
}

/// Bits beside fixed bits and opcode that an instruction may set.
fn free(encoding: &str) -> (u32, u32) {
    match encoding {
        "SOP2" => (0x007f_ffff, !0),
        "SOPK" => (0x007f_ffff, !0),
        "SOP1" => (0x007f_00ff, !0),
        "SOPC" => (0x0000_ffff, !0),
        "SOPP" => (0x0000_ffff, !0),
        "SMRD" => (0x003f_ffff, !0),
        "VOP2" | "VOPC" => (0x01ff_ffff, !0),
        "VOP1" => (0x01fe_01ff, !0),
        "VOP3" => (0x0001_ffff, !0),
        "VINTRP" => (0x03fc_ffff, 0),
        "DS" => (0x0002_ffff, !0),
        "MUBUF" => (0x0001_ffff, !0),
        "MTBUF" => (0x03f8_ffff, !0),
        "MIMG" => (0x0203_ff00, 0x03ff_ffff),
        "EXP" => (0x0000_1fff, !0),
        _ => unreachable!("the table has no other encoding"),
    }
}

/// The instruction without the fields that have no meaning, as its text gives it. Operands that are reserved, or of which
/// a part does not exist, have no text that assembles.
fn meant(inst: &Inst) -> Option<Inst> {
    si::parse(&inst.to_string()).ok()
}

impl InstructionSet for Set {
    type Inst = Inst;
    type Error = DecodeError;

    fn rows() -> Vec<InstructionRow> {
        si::rows()
    }

    fn decode(words: &[u32]) -> Result<(Inst, usize), DecodeError> {
        si::decode(words)
    }

    fn encode(inst: &Inst, out: &mut Vec<u32>) {
        si::encode(*inst, out);
    }

    fn sample(row: &InstructionRow, random: &mut Random) -> Vec<u32> {
        let (fixed, at, _) = template(row.encoding);
        let (low, high) = free(row.encoding);
        let [mut a, b] = [random.word() as u32, random.word() as u32];
        // Sparse bits now and then: most fields of most instructions are zero.
        if random.below(2) == 0 {
            a &= random.word() as u32;
        }
        let opcode_bits = match row.encoding {
            "VOPC" => 0x01fe_0000,
            "VOP2" => 0x7e00_0000,
            _ => 0,
        };
        let words = vec![fixed | row.opcode << at | a & low & !opcode_bits, b & high];
        let decoded = si::decode(&words).ok();
        let Some(inst) = decoded.and_then(|(inst, _)| meant(&inst)) else {
            return words;
        };
        let mut words = Vec::new();
        si::encode(inst, &mut words);
        words
    }

    fn has_text(inst: &Inst) -> bool {
        meant(inst) == Some(*inst)
    }

    fn lift(words: &[u32]) -> Result<(), String> {
        use lanes::Engine;
        let mut program = words.to_vec();
        program.push(0xbf81_0000);
        for mode in [0xf0, 0x10f, 0xff] {
            let allocation = Allocation {
                vgprs: 24,
                sgprs: 16,
                ..Allocation::ALL
            };
            for allocation in [Allocation::ALL, allocation] {
                let lifted = si::lift(&program, 0x1_0000, Mode(mode), allocation)
                    .map_err(|error| error.to_string())?;
                lanes::DefaultEngine::new()
                    .prepare(&lifted.program)
                    .map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }
}

isa::suite!(Set, 103_501);

#[test]
fn random_programs_lift() {
    let mut random = Random(7);
    for _ in 0..2000 {
        let words: Vec<u32> = (0..12)
            .map(|_| {
                let word = random.word() as u32;
                // Mostly scalar instructions: they hold the control flow.
                if random.below(2) == 0 {
                    word | 0xb000_0000
                } else {
                    word
                }
            })
            .collect();
        match si::lift(&words, 0, Mode(0xf0), Allocation::ALL) {
            Ok(lifted) => {
                use lanes::Engine;
                let prepared = lanes::DefaultEngine::new().prepare(&lifted.program);
                assert!(prepared.is_ok(), "{words:08x?}: {:?}", prepared.err());
            }
            Err(error) => panic!("{words:08x?}: {error}"),
        }
    }
}

#[test]
fn disassembly_assembles_to_the_same_words() {
    let mut random = Random(3);
    let mut words = Vec::new();
    while words.len() < 20_000 {
        let pair = [random.word() as u32, random.word() as u32];
        if let Ok((_, count)) = si::decode(&pair) {
            words.extend_from_slice(&pair[..count]);
        }
    }
    let lines = si::disassemble(&words).unwrap();
    let text: Vec<String> = lines.into_iter().map(|line| line.text).collect();
    let again: Vec<u32> = si::assemble(&text.join("\n")).unwrap().concat();
    assert_eq!(words, again);
}

#[test]
fn labels_are_branch_targets() {
    let text = "
        start:                    // a label on its own line
        s_mov_b32 s0, 0x12345678  ; two words
        loop: s_branch loop
        s_cbranch_scc0 end
        s_branch start
        end: s_endpgm";
    let words = si::assemble(text).unwrap().concat();
    assert_eq!(
        words,
        [
            0xbe80_03ff,
            0x1234_5678,
            0xbf82_ffff,
            0xbf84_0001,
            0xbf82_fffb,
            0xbf81_0000
        ]
    );
}

#[test]
fn a_line_that_is_no_instruction_is_named() {
    let error = si::assemble("s_nop 0\nv_add_f32 v1, s2, s3, s4\n").unwrap_err();
    assert!(error.to_string().contains("line 2"), "{error}");
    let error = si::assemble("s_branch nowhere").unwrap_err();
    assert!(error.to_string().contains("no label `nowhere`"), "{error}");
}
