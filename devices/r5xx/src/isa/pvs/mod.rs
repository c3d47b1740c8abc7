//! The vertex shader's instruction set. [R5XX 7.5]
//!
//! An instruction has four words: opcode and destination, then three sources. Flow control is no instruction; sixteen
//! register slots attach it to addresses.

pub mod ops;
pub mod words;

use isa::InstructionRow;

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
