//! What texels are and how a texture unit reads them.
//!
//! Comes in: format rows, bytes, coordinates. Goes out: rows of 64 lanes. Every kernel has a lane-by-lane reference
//! that its tests compare it with.

pub mod block;
pub(crate) mod exact;
pub mod fixed;
pub mod float;
pub mod format;
pub mod sample;
pub mod srgb;
pub mod texel;
