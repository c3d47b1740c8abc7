//! The instruction set: microcode words, opcode tables, text, and the lift to lane programs.
//!
//! [`decode`] and [`encode`] turn words into an [`Inst`] and back; [`assemble`] and [`disassemble`] do the same with
//! text; [`lift`] makes a lane program of a whole shader. An instruction is one row in the table of its format
//! ([`scalar`], [`vector`], [`compare`], [`memory`], [`image`]); everything else is written once per format.

pub mod compare;
mod decode;
pub mod effects;
pub mod image;
mod lift;
pub mod memory;
pub mod operand;
pub mod scalar;
mod text;
mod timing;
pub mod vector;
pub mod words;

pub use decode::{DecodeError, Inst, decode, encode};
pub(crate) use lift::TEMP_ROWS;
pub use lift::{
    Allocation, LDS_DIRECT_SLOT, LiftError, Lifted, MODE_SLOT, Mode, OutOfRange, PRIV_SLOT, Port,
    SCALAR_SLOTS, SCC_SLOT, lift, lift_with_handler,
};
pub use text::{assemble, disassemble, export_target, is_export_target, parse, rows};
pub use timing::{Hazard, Rule, check_timing};
