//! Words against the encodings worked out from the field tables.
#![allow(clippy::unwrap_used)]

use r600::isa::{Cf, Program};

fn decodes_to_itself(words: &[u32]) -> Program {
    let program = Program::decode(words).unwrap();
    assert_eq!(program.encode().unwrap(), words);
    program
}

/// Control-flow instructions that need no clause.
#[test]
fn control_flow_words() {
    let words = [
        (0x0000_0007, 0x8800_0000u32, "JUMP"),
        (0x0000_0009, 0x8880_0000, "ELSE"),
        (0x0000_000a, 0x8600_0001, "POP"),
        (0x0000_0014, 0x8300_0000, "LOOP_START_DX10"),
        (0x0000_0004, 0x8280_0000, "LOOP_END"),
        (0x0000_0013, 0x8480_0001, "LOOP_BREAK"),
        (0x0000_0000, 0x8900_0000, "EMIT_VERTEX"),
        (0x0000_8000, 0x9420_0688, "EXP_DONE"),
        (0x0002_003d, 0x9400_0ff8, "EXP_DONE"),
        (0x0001_203c, 0x9400_0688, "EXP_DONE"),
        (0x0001_c000, 0x9382_0688, "EXPORT"),
        (0xc000_8000, 0x9300_ffff, "MEM_RING"),
        (0xc302_e002, 0x9200_f007, "MEM_SCRATCH"),
        (0x0000_0000, 0x8020_0000, "NOP"),
    ];
    for (low, high, name) in words {
        let program = decodes_to_itself(&[low, high]);
        assert_eq!(program.cf[0].name(), name);
        assert_eq!(program.cf[0].ends(), high >> 21 & 1 == 1, "{name}");
    }
}

#[test]
fn a_program_of_clauses() {
    let words = [
        0x0000_0004,
        0xa400_0000, // ALU_PUSH_BEFORE at 4, no locks
        0x0000_0006,
        0x8080_0000, // TEX at 6
        0x0000_8000,
        0x9420_0688, // EXPORT_DONE, end
        0,
        0, //
        0x801f_2002,
        0x0020_0010, // ADD R1.x, R2.x, 1.0
        0,
        0, //
        0x0001_0010,
        0xf00d_1002,
        0x9080_0000,
        0,
    ];
    let program = decodes_to_itself(&words);
    assert_eq!(program.cf.len(), 3);
    assert!(matches!(&program.cf[0], Cf::Alu { groups, .. } if groups.len() == 1));
    assert!(matches!(&program.cf[1], Cf::Fetch { insts, .. } if insts.len() == 1));
}

/// Errors show the word that has the opcode.
#[test]
fn unknown_opcodes_are_shown() {
    let alu = [0x0000_0001, 0xa000_0000, 0x8000_0000, 0x0000_7f10];
    let error = Program::decode(&alu).unwrap_err();
    assert_eq!((error.pc, error.word), (12, 0x0000_7f10));
    assert_eq!(error.to_string(), "ALU_INST has no opcode 127 of 2 sources");
    let error = Program::decode(&[0x1234_5678, 0x8f80_0000]).unwrap_err();
    assert_eq!((error.pc, error.word), (4, 0x8f80_0000));
    assert_eq!(error.to_string(), "CF_INST has no opcode 31");
}
