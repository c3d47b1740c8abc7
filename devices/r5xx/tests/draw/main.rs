//! Draws from end to end: streams to pixels.
#![allow(clippy::unwrap_used)]

mod effects;
mod fields;
mod fog;
mod hyper_z;
mod kernel;
mod pixels;
mod rig;
mod samples;
mod stuffing;
mod textures;
mod triangles;
mod waiting;
