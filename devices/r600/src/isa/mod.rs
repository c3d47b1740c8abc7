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
    rows.extend(cf::CfOp::ROWS.iter().map(|row| row.listed("CF")));
    rows.extend(
        export::MemoryOp::ROWS
            .iter()
            .map(|row| row.listed("CF_EXPORT")),
    );
    rows.extend(
        export::ExportOp::ROWS
            .iter()
            .map(|row| row.listed("CF_EXPORT")),
    );
    rows.extend(cf::AluClauseOp::ROWS.iter().map(|row| row.listed("CF_ALU")));
    let op2 = alu::Op2::ROWS.iter().filter(|row| row.op.is_listed());
    rows.extend(op2.map(|row| row.listed("ALU_OP2")));
    rows.extend(alu::Op3::ROWS.iter().map(|row| row.listed("ALU_OP3")));
    rows.extend(fetch::VtxOp::ROWS.iter().map(|row| row.listed("VTX")));
    rows.extend(fetch::TexOp::ROWS.iter().map(|row| row.listed("TEX")));
    rows
}
