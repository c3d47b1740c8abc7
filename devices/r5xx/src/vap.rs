//! The vertex side's fixed functions: words of vertices to input vectors, output vectors to positions and parameters,
//! clipping and the viewport. [R5xx 8 "VAP"]

mod clip;
mod outputs;
mod stream;

pub use clip::{POINT_DISTANCES, PositionFormat, clip, distances, planes, point_bounds};
pub use outputs::{Output, outputs};
pub use stream::{Element, INPUTS, Kind, Stream, StreamError};
