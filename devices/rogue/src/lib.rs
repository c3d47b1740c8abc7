//! A PowerVR Series6XT (Rogue) GPU, executed from its machine code.
//!
//! | Block | Does |
//! |---|---|
//! | [`mod@isa`] | the instruction set of the unified shading cluster: instruction groups as bytes and as text |
#![forbid(unsafe_code)]

pub mod isa;

/// Name of the chip, as on the command line and in traps.
pub const CHIP: &str = "rogue";
