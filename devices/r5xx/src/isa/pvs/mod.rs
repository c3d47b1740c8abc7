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

use crate::CHIP;

/// The instructions, in the manual's order.
pub fn rows() -> Vec<InstructionRow> {
    let mut rows = Vec::with_capacity(64);
    macro_rules! table {
        ($encoding:literal, $Op:ty) => {
            rows.extend(<$Op>::ROWS.iter().map(|row| InstructionRow {
                encoding: $encoding,
                mnemonic: row.mnemonic,
                opcode: row.code.into(),
            }))
        };
    }
    table!("VE", ops::VeOp);
    table!("MACRO", ops::MacroOp);
    table!("ME", ops::MeOp);
    table!("FLOW", ops::FlowOp);
    rows
}

/// Text to words, four an instruction. The grammar is that of [`Inst`]'s text; labels mean nothing, as addresses stand in
/// registers.
pub fn assemble(text: &str) -> Result<Vec<Vec<u32>>, TextError> {
    let lines = statements(text);
    let lines = lines.iter().filter(|line| !line.text.is_empty());
    lines
        .map(|line| match line.text.parse::<Inst>() {
            Ok(inst) => Ok(inst.encode().to_vec()),
            Err(reason) => Err(TextError::Line {
                line: line.line,
                text: line.text.to_owned(),
                reason,
            }),
        })
        .collect()
}

/// Words to text.
pub fn disassemble(words: &[u32]) -> Result<Vec<Line>, TextError> {
    let chunks = (0..).step_by(16).zip(words.chunks(4));
    chunks
        .map(|(pc, words)| {
            let wrong = |reason: String| TextError::Word {
                chip: CHIP,
                pc,
                word: words[0],
                reason,
            };
            let four = words.try_into();
            let four = four.map_err(|_| wrong("an instruction has four words".into()))?;
            let inst = Inst::decode(four).map_err(|error| wrong(error.to_string()))?;
            Ok(Line {
                pc,
                words: words.to_vec(),
                text: inst.to_string(),
            })
        })
        .collect()
}
