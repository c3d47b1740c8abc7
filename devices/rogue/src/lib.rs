//! A PowerVR Series6XT (Rogue) GPU, executed from its machine code.
//!
//! | Block | Does |
//! |---|---|
//! | [`mod@isa`] | the instruction set of the unified shading cluster: instruction groups as bytes and as text |
//! | [`lift`], [`mod@exec`] | that instruction set as programs of lanes; one wave of raw machine code, outside any draw |
//! | [`TOOLS`] | lists, assembler, disassembler, raw execution and streams as the command line shows them |
//! | [`regs`], [`stream`] | registers; control streams as commands and as text |
//! | `vdm`, [`pds`] | index lists to vertex tasks; shared registers and attributes |
//! | `vertex`, `geometry` | vertex tasks; geometry tasks and the unified vertex store |
//! | [`cdm`] | groups of compute tasks |
//! | `te`, [`tiler`] | primitives to blocks and tile streams in the parameter buffer |
//! | `render`, `tile`, `isp` | tiles, what is on the chip, hidden surfaces |
//! | `tsp`, `shade`, `lot`, `usc`, [`tile_buffer`] | planes of attributes, pixel tasks, programs |
//! | [`formats`], [`layout`], [`tpu`] | what formats are called, where texels lie, samples |
//! | [`pbe`], `zls` | output registers, depth and stencil from and to memory |
//! | [`Rogue`] | the chip |
#![forbid(unsafe_code)]

pub mod cdm;
mod device;
pub mod exec;
pub mod formats;
mod geometry;
mod info;
pub mod isa;
mod isp;
pub mod layout;
pub mod lift;
mod lot;
pub mod pbe;
pub mod pds;
pub mod regs;
mod render;
mod shade;
mod state;
pub mod stream;
mod te;
mod tile;
pub mod tile_buffer;
pub mod tiler;
mod tools;
pub mod tpu;
mod tsp;
mod unexecuted;
mod usc;
mod vdm;
mod vertex;
mod zls;

pub use device::Rogue;
pub use info::INFO;
pub use tools::TOOLS;
pub use usc::SCRATCH_WAVES;

/// Name of the chip, as on the command line and in traps.
pub const CHIP: &str = "rogue";
