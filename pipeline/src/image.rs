//! How an image lies in video memory, and moving rows of texels in and out of it.
//!
//! A chip decides offsets, pitches and the order of elements; an *element* is a texel, or a block of a compressed
//! format. What goes in and comes out is plain rows, left to right, top to bottom, without padding rules.

use std::ops::Range;

use silicon::{Addr, Memory, MemoryError};
use wgpu_types as wgt;

use crate::targets::Chip;

/// What an image is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageShape {
    /// Format.
    pub format: wgt::TextureFormat,
    /// Dimensionality.
    pub dimension: wgt::TextureDimension,
    /// Size of level 0; the third number is layers or depth.
    pub size: wgt::Extent3d,
    /// Levels.
    pub levels: u32,
    /// Samples of a texel.
    pub samples: u32,
    /// What it is used for.
    pub usage: wgt::TextureUsages,
}

/// Where the bytes of an image lie, relative to its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageMemory {
    /// What the image is.
    pub shape: ImageShape,
    /// Bytes of the whole.
    pub bytes: u64,
    /// Alignment of the start.
    pub align: u64,
    /// Colour or depth first, then stencil.
    pub planes: Vec<Plane>,
}

/// One aspect of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    /// Which aspect.
    pub aspect: wgt::TextureAspect,
    /// Bytes of one element.
    pub element_bytes: u32,
    /// Levels from the largest.
    pub levels: Vec<Level>,
}

/// One level of a plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// Byte offset of the first slice.
    pub offset: u64,
    /// Elements across, without padding.
    pub width: u32,
    /// Elements down, without padding.
    pub height: u32,
    /// Layers or depth slices, without padding.
    pub slices: u32,
    /// Elements from one row to the next.
    pub pitch: u32,
    /// Rows with padding.
    pub rows: u32,
    /// Bytes from one slice to the next. A slice is one range of memory.
    pub slice_bytes: u64,
    /// How elements are ordered, in the chip's own numbering.
    pub tiling: u32,
}

/// A box of elements in one level of one plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Index into [`ImageMemory::planes`].
    pub plane: usize,
    /// Level.
    pub level: u32,
    /// Columns of elements.
    pub x: Range<u32>,
    /// Rows of elements.
    pub y: Range<u32>,
    /// Layers or depth slices.
    pub slices: Range<u32>,
}

impl ImageMemory {
    /// The plane that holds an aspect.
    pub fn plane(&self, aspect: wgt::TextureAspect) -> Option<usize> {
        if aspect == wgt::TextureAspect::All {
            return Some(0);
        }
        self.planes.iter().position(|plane| plane.aspect == aspect)
    }
}

/// How rows of texels lie outside of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Bytes from one row of elements to the next.
    pub row_bytes: u64,
    /// Bytes from one slice to the next.
    pub slice_bytes: u64,
}

/// Copies plain rows into an image.
pub fn write(
    chip: &dyn Chip,
    memory: &Memory,
    base: Addr,
    image: &ImageMemory,
    region: &Region,
    rows: Rows,
    texels: &[u8],
) -> Result<(), MemoryError> {
    walk(chip, base, image, region, rows, |address, at, bytes| {
        memory.write(address, &texels[at..at + bytes])
    })
}

/// Copies plain rows out of an image.
pub fn read(
    chip: &dyn Chip,
    memory: &Memory,
    base: Addr,
    image: &ImageMemory,
    region: &Region,
    rows: Rows,
    texels: &mut [u8],
) -> Result<(), MemoryError> {
    walk(chip, base, image, region, rows, |address, at, bytes| {
        memory.read(address, &mut texels[at..at + bytes])
    })
}

/// Visits the elements of a region in rows; neighbours in memory are joined into one visit.
fn walk(
    chip: &dyn Chip,
    base: Addr,
    image: &ImageMemory,
    region: &Region,
    rows: Rows,
    mut visit: impl FnMut(Addr, usize, usize) -> Result<(), MemoryError>,
) -> Result<(), MemoryError> {
    let bytes = u64::from(image.planes[region.plane].element_bytes);
    let mut offsets = Vec::with_capacity(region.x.len());
    for (z, slice) in region.slices.clone().enumerate() {
        for (row, y) in region.y.clone().enumerate() {
            offsets.clear();
            chip.row_offsets(image, region, y, slice, &mut offsets);
            let start = z as u64 * rows.slice_bytes + row as u64 * rows.row_bytes;
            let mut first = 0;
            while first < offsets.len() {
                let run = offsets[first..]
                    .iter()
                    .enumerate()
                    .take_while(|(i, offset)| **offset == offsets[first] + *i as u64 * bytes)
                    .count();
                visit(
                    Addr(base.0 + offsets[first]),
                    (start + first as u64 * bytes) as usize,
                    run * bytes as usize,
                )?;
                first += run;
            }
        }
    }
    Ok(())
}
