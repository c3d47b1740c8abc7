//! The first half of a draw: from indices to primitives that the rasteriser takes.
//!
//! Comes in: indices, positions that vertex waves exported. Goes out: primitives in screen space, set up, with the
//! parameters of their vertices.

pub mod assembly;
pub mod attributes;
pub mod binning;
pub mod clip;
pub(crate) mod cull;
pub(crate) mod line;
pub mod setup;
pub mod stipple;
pub mod topology;
pub mod vertices;
