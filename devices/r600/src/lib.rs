//! An AMD R600 GPU, executed from its machine code.
#![forbid(unsafe_code)]

pub mod formats;
pub mod isa;
pub mod regs;
pub mod resource;
pub mod tiling;

/// Name of the chip, as on the command line and in traps.
pub const CHIP: &str = "r600";
