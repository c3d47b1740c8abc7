//! The whole chip without a compiler: hand-made programs and hand-written packets draw, and pixels are checked.
#![allow(clippy::unwrap_used)]

mod code;
mod fetches;
mod geometry;
mod packets;
mod rig;
mod state;
mod textures;
mod triangles;
mod unexecuted;
mod waves;
