//! Programs of a third visitor: games and tools of tiles, charts, voxels, cloth and video, and what they draw in several
//! passes.

mod compute;
mod frames;
mod meshes;
mod programs;
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

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = programs::cells();
    cells.extend(meshes::cells());
    cells.extend(frames::cells());
    cells.extend(compute::cells());
    cells.extend(targets::cells());
    cells.extend(worlds::cells());
    cells
}
