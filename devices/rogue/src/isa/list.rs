//! The instructions, as lists show them.

use isa::InstructionRow;

use super::alu::Single;
use super::backend::Uvsw;
use super::bitwise::Logical;
use super::control::{Cnd, Control};
use super::phase2::Test;

const fn row(encoding: &'static str, mnemonic: &'static str, opcode: u32) -> InstructionRow {
    InstructionRow {
        encoding,
        mnemonic,
        opcode,
    }
}

/// First of our own numbers.
const OWN: u32 = 0x1000;

/// Instructions of the manual whose binary form is not public, with numbers of our own: no group has them. [Rogue 13.12]
pub const UNPUBLISHED: &[InstructionRow] = &[
    row("main", "FSQRT", OWN),
    row("main", "F16SOP", OWN + 1),
    row("main", "SOPMOV", OWN + 2),
    row("main", "F16SOP.MAD", OWN + 3),
    row("main", "F16SOP.U8", OWN + 4),
    row("main", "SOPMOV.U8", OWN + 5),
    row("main", "F16SOP.U8MAD", OWN + 6),
    row("main", "SOPU8MADMOV", OWN + 7),
    row("main", "CONVERTTOF64", OWN + 8),
    row("main", "CONVERTFROMF64", OWN + 9),
    row("main", "GTA", OWN + 10),
    row("main", "TSTMIN", OWN + 11),
    row("main", "TSTMAX", OWN + 12),
    row("bitwise", "FTB_SHI", OWN + 13),
    row("bitwise", "FTB_MSB", OWN + 14),
    row("backend", "TESSW", OWN + 15),
    row("backend", "ST.TEXELMODE", OWN + 16),
    row("control", "BPRET", OWN + 17),
    row("control", "UNIQ", OWN + 18),
    row("control", "FETCH", OWN + 19),
    row("f64", "F64MUL", OWN + 20),
    row("f64", "F64ADD", OWN + 21),
    row("f64", "F64MAD", OWN + 22),
    row("f64", "F64DIV", OWN + 23),
    row("f64", "F64RCP", OWN + 24),
    row("f64", "F64SQRT", OWN + 25),
    row("f64", "F64RSQ", OWN + 26),
    row("f64", "F64BYP", OWN + 27),
];

/// Every instruction, those without a public form last. The opcode is the first byte of the operation without its
/// modifiers, or what the guide numbers the operation with in its unit.
pub fn rows() -> Vec<InstructionRow> {
    let mut rows = vec![
        row("main", "FADD", 0),
        row("main", "FMUL", 2 << 5),
        row("main", "FMAD", 6 << 5),
        row("main", "GCMP", 4 << 5 | 6),
        row("main", "GEXP", 4 << 5 | 6 | 4 << 8),
        row("main", "UNPCK", 4 << 5 | 12),
        row("main", "FRED", 4 << 5 | 13),
        row("main", "MOV", 6 << 5 | 2 << 8),
        row("main", "MOVC", 6 << 5),
        row("main", "PCK", 0x9c),
        row("main", "PCK.PROG", 0x9c | 0x80 << 8),
    ];
    let single = Single::ROWS.iter();
    rows.extend(single.map(|op| row("main", op.mnemonic, 4 << 5 | u32::from(op.code))));
    let narrow = [
        ("UADD8", 0),
        ("UMUL8", 4),
        ("UMAD8", 8),
        ("IADD8", 2),
        ("IMUL8", 6),
        ("IMAD8", 10),
        ("UADD16", 1),
        ("UMUL16", 5),
        ("UMAD16", 9),
        ("IADD16", 3),
        ("IMUL16", 7),
        ("IMAD16", 11),
    ];
    rows.extend(narrow.map(|(name, op)| row("main", name, 5 << 5 | op)));
    let wide = [
        ("UADD6432", 0),
        ("ADD64", 1),
        ("UMADD32", 2),
        ("UMADD64", 3),
        ("SADD6432", 8),
        ("SMADD32", 10),
        ("SMADD64", 11),
    ];
    rows.extend(wide.map(|(name, op)| row("main", name, 7 << 5 | op)));
    rows.extend(Test::ROWS.iter().map(|op| op.listed("main")));
    rows.extend(bitwise());
    rows.extend(backend());
    rows.extend(control());
    rows.extend_from_slice(UNPUBLISHED);
    rows
}

fn bitwise() -> Vec<InstructionRow> {
    let logical = Logical::ROWS.iter().map(|op| op.listed("bitwise"));
    let others = [
        ("SHFL", 1),
        ("REV", 2),
        ("LSL", 0),
        ("CPS", 3),
        ("SHR", 1),
        ("ASR", 4),
        ("ROL", 2),
        ("TZ", 0),
        ("TNZ", 1),
        ("MSK", 1),
        ("CBS", 0),
        ("FTB", 1),
    ];
    logical
        .chain(others.map(|(name, code)| row("bitwise", name, code)))
        .collect()
}

fn backend() -> Vec<InstructionRow> {
    let names = [
        ("UVSW", u32::from(Uvsw::WRITE.code())),
        ("SAVMSK", 1 << 5),
        ("MOVMSK", 1 << 5 | 1 << 4),
        ("PHAS", 2 << 5),
        ("SETL", 3 << 5),
        ("ATST", 4 << 5 | 2),
        ("DEPTHF", 4 << 5),
        ("FITR", 5 << 5),
        ("FITRP", 5 << 5 | 1 << 4),
        ("EMITPIX", 6 << 5),
        ("IDF", 7 << 5),
        ("LD", 7 << 5 | 1),
        ("ST", 7 << 5 | 2),
        ("SMP1D", 7 << 5 | 4 | 1 << 13),
        ("SMP2D", 7 << 5 | 4 | 2 << 13),
        ("SMP3D", 7 << 5 | 4 | 3 << 13),
        ("ATOM", 7 << 5 | 5),
    ];
    names
        .map(|(name, code)| row("backend", name, code))
        .to_vec()
}

fn control() -> Vec<InstructionRow> {
    let opcode = |control: Control| u32::from(control.opcode().0);
    let branch = 1 << 8;
    let mut rows = vec![
        row("control", "BR", 0),
        row("control", "BA", branch * 2),
        row("control", "BRL", branch * 16),
        row("control", "BAL", branch * 18),
        row("control", "LAPC", opcode(Control::Lapc)),
        row("control", "SAVL", opcode(Control::Savl)),
        row("control", "WOP", opcode(Control::Wop)),
        row("control", "WDF", opcode(Control::Wdf(0))),
        row("control", "MUTEX", 6),
        row("control", "NOP", opcode(Control::Nop { end: false })),
        row("control", "ITRSMP1D", 8 | 1 << 8),
        row("control", "ITRSMP2D", 8 | 2 << 8),
        row("control", "ITRSMP3D", 8 | 3 << 8),
        row("control", "SBO.COEFF", 11),
        row("control", "SBO.SHARED", 11 | 1 << 8),
        row("control", "DITR", 12),
    ];
    rows.extend(Cnd::ROWS.iter().map(|op| {
        let mnemonic = match op.op {
            Cnd::CNDSETL_A => "CNDSETL.A",
            Cnd::CNDSETL_B => "CNDSETL.B",
            _ => op.mnemonic,
        };
        row("control", mnemonic, 3 | u32::from(op.code) << 8)
    }));
    rows
}
