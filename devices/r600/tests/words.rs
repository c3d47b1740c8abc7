//! Words against the encodings worked out from the field tables.
#![allow(clippy::unwrap_used)]

use r600::isa::{Cf, Numbering, Program, assemble, disassemble, parse};

fn decodes_to_itself(words: &[u32]) -> Program {
    let program = Program::decode(words).unwrap();
    assert_eq!(program.encode().unwrap(), words);
    program
}

/// Control-flow instructions that need no clause.
#[test]
fn control_flow_words() {
    let words = [
        (0x0000_0007, 0x8500_0000u32, "JUMP"),
        (0x0000_0009, 0x8680_0000, "ELSE"),
        (0x0000_000a, 0x8700_0001, "POP"),
        (0x0000_0014, 0x8300_0000, "LOOP_START_DX10"),
        (0x0000_0004, 0x8280_0000, "LOOP_END"),
        (0x0000_0013, 0x8480_0001, "LOOP_BREAK"),
        (0x0000_0000, 0x8a80_0000, "EMIT_VERTEX"),
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

/// Numbers that the manual has for other instructions: a fetch program ends with 20, its CUT_VERTEX, and a program
/// before a geometry stage calls one by 19, its EMIT_CUT_VERTEX.
#[test]
fn numbers_are_those_of_the_chip_in_every_program() {
    let fetch = [
        0x0000_0002,
        0x8100_0000, // VTX at 2
        0x0000_0000,
        0x8a00_0000, // RETURN
        0x3c00_0000,
        0x0035_1001,
        0x0008_0000,
        0x0000_0000,
    ];
    let program = decodes_to_itself(&fetch);
    let names: Vec<_> = program.cf.iter().map(Cf::name).collect();
    assert_eq!(names, ["VTX", "RETURN"]);
    let es = [
        0x0000_0000,
        0x8980_0000, // CALL_FS
        0xc000_8000,
        0x9300_ffff, // MEM_RING
        0x0000_0000,
        0x8020_0000, // NOP, end
    ];
    let program = decodes_to_itself(&es);
    let names: Vec<_> = program.cf.iter().map(Cf::name).collect();
    assert_eq!(names, ["CALL_FS", "MEM_RING", "NOP"]);
    assert_eq!(disassemble(&es).unwrap()[0].text, "00 CALL_FS:");
}

/// The manual's numbers are written where the text asks for them, and read where the caller does.
#[test]
fn the_manuals_numbers_are_an_option() {
    let text = "PUSH: ADDR(3)\nELSE: ADDR(2)\nPOP: POP_CNT(1)\nNOP: END_OF_PROGRAM";
    let numbers =
        |words: &[u32]| -> Vec<u32> { words.chunks(2).map(|slot| slot[1] >> 23 & 127).collect() };
    let words = assemble(text).unwrap().concat();
    assert_eq!(numbers(&words), [11, 13, 14, 0]);
    let manual = assemble(&format!(".manual\n{text}")).unwrap().concat();
    assert_eq!(numbers(&manual), [10, 17, 12, 0]);
    let read = Program::decode_as(&manual, Numbering::Manual).unwrap();
    assert_eq!(read.cf, Program::decode(&words).unwrap().cf);
    assert_eq!(read.encode().unwrap(), manual);
    let lines = r600::isa::listing(&read, &manual);
    assert_eq!(lines[0].text, ".manual");
    let again: Vec<_> = lines.into_iter().map(|line| line.text).collect();
    assert_eq!(parse(&again.join("\n")).unwrap().program, read);
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
