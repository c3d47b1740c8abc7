//! The pixel half of a draw, bin by bin. In: primitives after set-up. Out: depth, stencil and colour in surfaces. A
//! wave holds the 8x8 pixels of one tile or quads of several; no result depends on the number of threads.

pub mod bins;
pub mod blend;
pub mod depth;
pub mod edges;
pub(crate) mod hi_z;
pub mod interpolate;
pub mod mask;
pub mod multisample;
pub mod output;
pub mod quads;
pub mod raster;
pub mod resolve;
pub mod scan;
mod shading;
pub(crate) mod small;
pub mod stencil;
pub mod surface;
pub mod target;
pub mod tile;
pub mod transfer;
pub mod turns;
mod undo;

pub use shading::{Binned, Waiting, shade};
