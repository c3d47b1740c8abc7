//! The geometry half of a draw. In: indices, and positions that vertex waves export. Out: primitives in screen space,
//! set up for the rasteriser, with the parameters of their vertices.

pub mod amplify;
pub mod assembly;
pub mod attributes;
pub mod binning;
pub mod borders;
pub mod clip;
pub(crate) mod cull;
pub(crate) mod line;
pub mod outlines;
pub mod patches;
pub mod planes;
pub mod positions;
pub mod setup;
pub mod stipple;
pub mod stream;
pub mod tessellator;
pub mod topology;
pub mod vertices;
