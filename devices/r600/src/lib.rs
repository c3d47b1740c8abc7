//! An AMD R600 GPU, executed from its machine code.
#![forbid(unsafe_code)]

pub mod exec;
pub mod formats;
pub mod isa;
pub mod regs;
pub mod resource;
pub mod smx;
pub mod sx;
pub mod tiling;
mod tools;

pub use tools::R600Tools;

/// Name of the chip, as on the command line and in traps.
pub const CHIP: &str = "r600";
