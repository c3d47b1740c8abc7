//! The rules that take more than a line to check, one file per call family.
//!
//! What passes here cannot be wrong further down; the driver only asserts it.

pub(crate) mod descriptor;
pub(crate) mod dispatch;
pub(crate) mod draw;
pub(crate) mod image;
mod indirect;
pub(crate) mod interface;
pub(crate) mod pipeline;
pub(crate) mod raster;
pub(crate) mod sets;
pub(crate) mod submit;
