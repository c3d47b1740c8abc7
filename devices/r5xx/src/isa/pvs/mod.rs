//! The vertex shader's instruction set. [R5XX 7.5]
//!
//! An instruction has four words: opcode and destination, then three sources. Flow control is no instruction; sixteen
//! register slots attach it to addresses.

mod check;
mod codec;
mod inst;
mod lift;
pub mod ops;
mod program;
mod text;
pub mod words;

pub use check::{RuleError, check};
pub use inst::{
    DecodeError, DstFile, DualMath, Inst, Mode, Op, Operand, Select, SrcFile, Target, Third, XYZW,
};
pub use lift::{
    ACTIVE, Access, CONSTANTS, Constant, Layout, LiftError, Lifted, MAX_FRAMES, Port, lift,
};
pub use program::{Control, FlowSlot, MAX_INSTRUCTIONS, NO_FLOW, SLOTS};

use isa::text::statements;
use isa::{InstructionRow, Line, TextError};

/// The instructions, in the manual's order.
pub fn rows() -> Vec<InstructionRow> {
    let mut rows = Vec::with_capacity(64);
    rows.extend(ops::VeOp::ROWS.iter().map(|row| row.listed("VE")));
    rows.extend(ops::MacroOp::ROWS.iter().map(|row| row.listed("MACRO")));
    rows.extend(ops::MeOp::ROWS.iter().map(|row| row.listed("ME")));
    rows.extend(ops::FlowOp::ROWS.iter().map(|row| row.listed("FLOW")));
    rows
}

/// Text to words, four an instruction. The grammar is that of [`Inst`]'s text; labels mean nothing, as addresses stand in
/// registers.
pub fn assemble(text: &str) -> Result<Vec<Vec<u32>>, TextError> {
    super::assemble(&statements(text), |text| {
        text.parse::<Inst>().map(|inst| inst.encode())
    })
}

/// Words to text.
pub fn disassemble(words: &[u32]) -> Result<Vec<Line>, TextError> {
    super::disassemble(words, |words: [u32; 4]| {
        Inst::decode(words).map(|inst| inst.to_string())
    })
}
