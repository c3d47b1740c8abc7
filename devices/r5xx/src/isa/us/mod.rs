//! The pixel shader's instruction set. [R5XX 8]
//!
//! An instruction has six words, of one of four types: ALU and OUT work on colour and alpha at once, TEX looks up a
//! texture, FC controls the flow.

mod check;
mod codec;
pub mod codes;
mod inst;
pub mod ops;
mod text;
pub mod words;

mod lift;

pub use check::{RuleError, check};
pub use inst::{
    Alu, Body, DecodeError, Fc, Half, Input, Inst, Predicate, Register, Source, Sources, Tex,
    TexRegister,
};

pub use lift::{
    ACTIVE, CONSTANTS, COVERED, Constant, Layout, LiftError, Lifted, MAX_DEPTH, MAX_INSTRUCTIONS,
    Port, SQUARE, Setup, flushed, lift,
};
pub use text::{assemble, disassemble};

use isa::InstructionRow;

/// The instructions, in the manual's order.
pub fn rows() -> Vec<InstructionRow> {
    let mut rows = Vec::with_capacity(45);
    rows.extend(ops::RgbOp::ROWS.iter().map(|row| row.listed("RGB")));
    rows.extend(ops::AlphaOp::ROWS.iter().map(|row| row.listed("ALPHA")));
    rows.extend(ops::TexOp::ROWS.iter().map(|row| row.listed("TEX")));
    rows.extend(ops::FcOp::ROWS.iter().map(|row| row.listed("FC")));
    rows
}
