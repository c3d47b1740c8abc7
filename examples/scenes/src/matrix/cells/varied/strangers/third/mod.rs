//! Still more programs from elsewhere: games and tools of tiles, charts, voxels and cloth, and what they draw in several
//! passes.

mod airs;
mod compute;
mod frames;
mod grounds;
mod meshes;
mod panels;
mod programs;
mod streams;
mod targets;
mod worlds;

use std::ops::Range;

use super::compute::shown;
use super::second::*;
use super::*;

/// Another kind of view of a made image with so many levels.
fn made_as(format: F, view: D, size: [u32; 3], levels: u32, make: fn() -> Vec<u8>) -> Texture {
    Texture {
        contents: Contents::Made(make),
        ..noise_texture(format, view, size, levels)
    }
}

/// A float of 16 bits, rounded toward zero; 0 below 2^-14.
fn half(n: f32) -> [u8; 2] {
    let bits = n.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let exponent = (bits >> 23 & 255) as i32 - 112;
    let short = if exponent <= 0 {
        0
    } else {
        (exponent as u16) << 10 | (bits >> 13 & 1023) as u16
    };
    (sign | short).to_le_bytes()
}

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = programs::cells();
    cells.extend(meshes::cells());
    cells.extend(frames::cells());
    cells.extend(compute::cells());
    cells.extend(targets::cells());
    cells.extend(grounds::cells());
    cells.extend(airs::cells());
    cells.extend(streams::cells());
    cells.extend(panels::cells());
    cells.extend(worlds::cells());
    cells
}
