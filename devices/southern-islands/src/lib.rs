//! An AMD Southern Islands (GCN1) GPU, a Tahiti, executed from its machine code.
#![forbid(unsafe_code)]

pub mod atomic;
pub mod descriptor;
pub mod exec;
pub mod formats;
pub mod isa;
pub mod lds;
pub mod pm4;
pub mod regs;
pub mod sqc;
pub mod ta;
pub mod tiling;
mod tools;

/// Name of the chip, as on the command line and in traps.
pub const CHIP: &str = "southern-islands";

pub use tools::SouthernIslandsTools;
