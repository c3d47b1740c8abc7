//! Draws from end to end: streams to pixels.
#![allow(clippy::unwrap_used)]

mod pixels;
mod rig;
mod textures;
mod triangles;
