//! An AMD Southern Islands (GCN1) GPU, a Tahiti, executed from its machine code.
#![forbid(unsafe_code)]

pub mod descriptor;
pub mod formats;
pub mod isa;
pub mod pm4;
pub mod regs;
pub mod tiling;
