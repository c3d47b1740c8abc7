//! The instruction set: microcode words, opcode tables, whole programs.
//!
//! [`Program`] is a program with its clauses; [`Program::decode`] and [`Program::encode`] turn words into it and back.
//! An instruction is one row in the table of its format ([`cf`], [`export`], [`alu`], [`fetch`]); everything else is
//! written once per format. [`words`] holds the fields of every format, [`group`] the rules of the five-way groups.

pub mod alu;
pub mod cf;
pub mod check;
pub mod export;
pub mod fetch;
pub mod group;
mod lift;
pub mod ports;
mod program;
mod stack;
mod text;
pub mod words;

pub use lift::{
    ACTIVE, Action, CONSTANTS, Constant, Constants, Index, Kind, LiftError, Lifted, Local,
    OUT_OF_RANGE, Port, Setup, VALID, lift,
};
pub use program::{
    ALU_CLAUSE_SLOTS, Cf, DecodeError, DecodeReason, EncodeError, FETCH_CLAUSE_INSTS, MAX_SLOTS,
    Numbering, Program,
};

pub use stack::{StackError, StackFault, stack_size};
pub use text::{Parsed, assemble, disassemble, listing, parse};

use isa::InstructionRow;

/// Every instruction that the manual lists, of every format, in its order.
pub fn rows() -> Vec<InstructionRow> {
    let mut rows = Vec::with_capacity(182);
    macro_rules! table {
        ($encoding:literal, $Op:ty) => {
            table!($encoding, $Op, |_| true)
        };
        ($encoding:literal, $Op:ty, $listed:expr) => {
            let listed = <$Op>::ALL.iter().copied().map($listed);
            let listed = <$Op>::ROWS.iter().zip(listed).filter(|(_, listed)| *listed);
            rows.extend(listed.map(|(row, _)| InstructionRow {
                encoding: $encoding,
                mnemonic: row.mnemonic,
                opcode: row.code.into(),
            }));
        };
    }
    table!("CF", cf::CfOp);
    table!("CF_EXPORT", export::MemoryOp);
    table!("CF_EXPORT", export::ExportOp);
    table!("CF_ALU", cf::AluClauseOp);
    table!("ALU_OP2", alu::Op2, alu::Op2::is_listed);
    table!("ALU_OP3", alu::Op3);
    table!("VTX", fetch::VtxOp);
    table!("TEX", fetch::TexOp);
    rows
}
