//! An AMD R600 GPU, executed from its machine code.
#![forbid(unsafe_code)]

pub mod isa;

/// Name of the chip, as on the command line and in traps.
pub const CHIP: &str = "r600";
