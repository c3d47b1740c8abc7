//! An ATI R5xx GPU, executed from its machine code.
//!
//! | Block | Does |
//! |---|---|
//! | [`mod@isa`] | the instruction sets of both shader units: PVS for vertices, US for pixels |
//! | [`mod@exec`] | raw machine code, outside any draw |
//! | [`regs`], [`registers`] | every register and field of the manual; the register file |
//! | [`packets`] | PM4 packets by name; prints streams |
//! | [`cp`] | packets to registers, uploads, draws and 2D operations |
//! | [`tiling`] | coordinates to byte offsets |
//! | [`formats`], [`tx`] | what formats are called; textures and samplers |
//! | [`vap`] | vertices to input vectors, output vectors, clipping and viewport |
//! | [`pvs`], [`us`] | what vertex and pixel programs run with |
//! | [`ga`], [`su`], [`sc`] | primitives, set-up, scissor |
//! | [`rs`] | what fragment programs start from |
//! | [`fg`] | alpha test |
//! | [`zb`], [`cb`] | depth and stencil; targets and blending |
//! | [`R5xx`], [`Pipeline`] | the chip; its draws from end to end |
#![forbid(unsafe_code)]

pub mod cb;
pub mod cp;
mod device;
mod draw;
mod endian;
pub mod exec;
pub mod fg;
pub mod formats;
pub mod ga;
pub mod isa;
pub mod packets;
pub mod pvs;
pub mod registers;
pub mod regs;
pub mod rs;
pub mod sc;
pub mod su;
pub mod tiling;
mod tools;
pub mod tx;
pub mod us;
pub mod vap;
pub mod zb;

pub use device::{INFO, R5xx};
pub use draw::Pipeline;
pub use silicon::Start;
pub use tools::TOOLS;

/// Name of the chip, as on the command line and in traps.
pub const CHIP: &str = "r5xx";
