//! Texels and the texture unit. In: format rows, bytes, coordinates. Out: rows of 64 lanes. Tests compare every kernel
//! with a lane-by-lane reference.

pub mod block;
pub(crate) mod exact;
pub mod fixed;
pub mod float;
pub mod format;
pub mod mean;
pub mod sample;
pub mod srgb;
pub mod texel;
