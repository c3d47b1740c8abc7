//! The whole chip without a compiler: hand-encoded shaders and hand-written packets draw, and pixels are checked.
#![allow(clippy::unwrap_used)]

mod clears;
mod code;
mod groups;
mod hi_z;
mod lines;
mod packets;
mod programs;
mod rig;
mod stores;
mod tessellation;
mod triangles;
mod unexecuted;
mod viewports;
