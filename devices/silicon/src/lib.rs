//! What every GPU is built from, knowing no chip and no shader.
//!
//! | Room | What is in it |
//! |---|---|
//! | [`memory`] | addresses, bytes, planes of words |
//! | [`texture`] | formats, texels, compressed blocks, addressing, level of detail, filtering |
//! | [`geometry`] | input assembly, primitive assembly, clip, cull, set-up, lines |
//! | [`fragment`] | bins, raster, interpolation, coverage, Hi-Z, depth, stencil, blend, outputs, resolve |
//! | [`exports`] | rows that waves export |
//! | [`groups`] | groups of a dispatch over threads |
//! | [`draw`] | the two halves of a draw, one after the other |
//! | [`gpu`] | a powered-on device as its driver sees it |
//! | [`stats`] | what a device counts |

pub mod draw;
pub mod exports;
pub mod fragment;
pub mod geometry;
pub mod gpu;
pub mod groups;
pub mod memory;
pub mod stats;
pub mod texture;

pub use gpu::{Features, Gpu, Info, Limits, Start, Stats, Trap, WAVE_COST, WorkgroupLimits};
pub use host;
pub use host::SimdLevel;
pub use memory::{Addr, Memory, MemoryError};
pub use texture::format::Format;
