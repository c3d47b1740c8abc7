//! A PowerVR Series6XT (Rogue) GPU, executed from its machine code.
//!
//! | Block | Does |
//! |---|---|
//! | [`mod@isa`] | the instruction set of the unified shading cluster: instruction groups as bytes and as text |
//! | [`formats`], [`layout`] | what formats are called; where texels lie |
//! | [`pbe`] | the pixel back end: what output registers hold, texels from and to memory |
//! | [`exec`] | one wave of raw machine code, outside any draw |
//! | [`lift`] | that instruction set as programs of lanes |
//! | [`tools`] | lists, assembler, disassembler and raw execution as the command line shows them |
#![forbid(unsafe_code)]

pub mod exec;
pub mod formats;
pub mod isa;
pub mod layout;
pub mod lift;
pub mod pbe;
pub mod tools;

/// Name of the chip, as on the command line and in traps.
pub const CHIP: &str = "rogue";
