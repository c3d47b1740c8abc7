//! Draws from end to end: streams to pixels.
#![allow(clippy::unwrap_used)]

mod effects;
mod fields;
mod fog;
mod hyper_z;
mod kernel;
mod outlines;
mod pixels;
mod rig;
mod samples;
mod stuffing;
mod surfaces;
mod textures;
mod triangles;
mod waiting;
