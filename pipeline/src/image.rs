//! How an image lies in video memory, and moving rows of texels in and out of it.
//!
//! A chip decides offsets, pitches and the order of elements; an *element* is a texel, or a block of a compressed
//! format. What goes in and comes out is plain rows, left to right, top to bottom, without padding rules.

use std::ops::Range;

use silicon::Addr;
pub use silicon::fragment::resolve::ResolveMode;
use wgpu_types as wgt;

use crate::driver::Driver;
use crate::targets::Chip;
use crate::upload::Result;

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
    /// Bytes of one element outside of the image.
    pub element_bytes: u32,
    /// How many of them memory holds, from the first; the others are zeros when read.
    pub held_bytes: u32,
    /// Bytes from one element to the next: more than those of one where another plane lies between.
    pub stored_bytes: u32,
    /// Where the plane's bytes begin within those.
    pub place: u32,
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

impl Level {
    /// Bytes of some slices: one range, whatever the order of their elements.
    pub fn bytes(&self, slices: Range<u32>) -> Range<u64> {
        let at = |slice: u32| self.offset + u64::from(slice) * self.slice_bytes;
        at(slices.start)..at(slices.end)
    }
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

impl Plane {
    /// Whether other planes, or unused bytes, lie between the elements.
    pub fn is_interleaved(&self) -> bool {
        self.stored_bytes != self.held_bytes
    }

    /// Bytes of an element that memory does not hold.
    fn padding(&self) -> usize {
        (self.element_bytes - self.held_bytes) as usize
    }
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

impl Rows {
    /// Rows without padding, `height` of them a slice.
    pub fn tight(row_bytes: u64, height: u64) -> Rows {
        let slice_bytes = row_bytes * height;
        Rows {
            row_bytes,
            slice_bytes,
        }
    }
}

/// Elements of an image, in one sample.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Where the image starts.
    pub base: Addr,
    /// How it lies in memory.
    pub image: &'a ImageMemory,
    /// The elements.
    pub region: &'a Region,
    /// The sample.
    pub sample: u32,
}

impl Part<'_> {
    fn padding(&self) -> usize {
        self.image.planes[self.region.plane].padding()
    }
}

/// Copies plain rows into an image.
pub fn write(driver: &Driver, to: Part<'_>, rows: Rows, texels: &[u8]) -> Result<()> {
    walk(driver.target.chip, to, rows, |address, at, bytes| {
        driver.memory.write(address, &texels[at..at + bytes])
    })
}

/// Copies plain rows out of an image.
pub fn read(driver: &Driver, from: Part<'_>, rows: Rows, texels: &mut [u8]) -> Result<()> {
    walk(driver.target.chip, from, rows, |address, at, bytes| {
        texels[at + bytes..][..from.padding()].fill(0);
        driver.memory.read(address, &mut texels[at..at + bytes])
    })
}

/// Copies plain rows to where they lie among the bytes that hold an image.
pub fn tile(chip: &dyn Chip, to: Part<'_>, rows: Rows, texels: &[u8], tiled: &mut [u8]) {
    // The visit cannot fail.
    let _ = walk(chip, to, rows, |Addr(to), at, bytes| {
        tiled[to as usize..][..bytes].copy_from_slice(&texels[at..][..bytes]);
        Ok(())
    });
}

/// Copies plain rows from where they lie among the bytes that hold an image.
pub fn untile(chip: &dyn Chip, from: Part<'_>, rows: Rows, tiled: &[u8], texels: &mut [u8]) {
    let _ = walk(chip, from, rows, |Addr(start), at, bytes| {
        texels[at + bytes..][..from.padding()].fill(0);
        texels[at..][..bytes].copy_from_slice(&tiled[start as usize..][..bytes]);
        Ok(())
    });
}

/// Makes texels of one sample from texels of several. The regions have the same size, the planes elements of `format`.
pub fn resolve(
    driver: &Driver,
    format: silicon::Format,
    mode: ResolveMode,
    [from, to]: [Part<'_>; 2],
) -> Result<()> {
    let bytes = format.size_bytes() as usize;
    let width = from.region.x.len();
    let height = from.region.y.len();
    let rows = Rows::tight((width * bytes) as u64, height as u64);
    let count = from.image.shape.samples;
    let mut texels = vec![0; width * height * from.region.slices.len() * bytes];
    let mut samples = Vec::with_capacity(count as usize);
    for sample in 0..count {
        read(driver, Part { sample, ..from }, rows, &mut texels)?;
        samples.push(texels.clone());
    }
    let level = silicon::SimdLevel::current();
    let mut words = vec![[[0; 64]; 4]; count as usize];
    let mut result = [[0; 64]; 4];
    for first in (0..texels.len()).step_by(64 * bytes) {
        let end = texels.len().min(first + 64 * bytes);
        for (words, texels) in words.iter_mut().zip(&samples) {
            for (lane, texel) in texels[first..end].chunks(bytes).enumerate() {
                let mut block = [0; 16];
                block[..bytes].copy_from_slice(texel);
                let block: [u32; 4] = bytemuck::cast(block);
                for (row, word) in words.iter_mut().zip(block) {
                    row[lane] = word;
                }
            }
        }
        silicon::fragment::resolve::resolve(level, format, mode, &words, &mut result);
        for (lane, texel) in texels[first..end].chunks_mut(bytes).enumerate() {
            let block: [u8; 16] = bytemuck::cast(result.map(|row| row[lane]));
            texel.copy_from_slice(&block[..bytes]);
        }
    }
    write(driver, to, rows, &texels)
}

/// The bytes of a region in all its samples, from the image's start, as ascending ranges that do not touch.
pub fn pieces(chip: &dyn Chip, image: &ImageMemory, region: &Region) -> Vec<Range<u64>> {
    let bytes = u64::from(image.planes[region.plane].held_bytes);
    let mut offsets = Vec::new();
    for slice in region.slices.clone() {
        for y in region.y.clone() {
            for sample in 0..image.shape.samples {
                chip.row_offsets(image, region, [y, slice, sample], &mut offsets);
            }
        }
    }
    offsets.sort_unstable();
    let mut pieces: Vec<Range<u64>> = Vec::new();
    for offset in offsets {
        match pieces.last_mut() {
            Some(last) if last.end == offset => last.end += bytes,
            _ => pieces.push(offset..offset + bytes),
        }
    }
    pieces
}

/// Visits elements in rows; neighbours in memory are joined into one visit.
fn walk(
    chip: &dyn Chip,
    part: Part<'_>,
    rows: Rows,
    mut visit: impl FnMut(Addr, usize, usize) -> Result<()>,
) -> Result<()> {
    let Part {
        base,
        image,
        region,
        sample,
    } = part;
    let plane = &image.planes[region.plane];
    let (bytes, held) = (plane.element_bytes as usize, plane.held_bytes as usize);
    let mut offsets = Vec::with_capacity(region.x.len());
    for (z, slice) in region.slices.clone().enumerate() {
        for (row, y) in region.y.clone().enumerate() {
            offsets.clear();
            chip.row_offsets(image, region, [y, slice, sample], &mut offsets);
            let start = z as u64 * rows.slice_bytes + row as u64 * rows.row_bytes;
            let mut first = 0;
            while first < offsets.len() {
                let next = |i: usize| offsets[first] + (i * bytes) as u64;
                let run = match held == bytes {
                    true => offsets[first..]
                        .iter()
                        .enumerate()
                        .take_while(|(i, offset)| **offset == next(*i))
                        .count(),
                    false => 1,
                };
                visit(
                    Addr(base.0 + offsets[first]),
                    start as usize + first * bytes,
                    run * held,
                )?;
                first += run;
            }
        }
    }
    Ok(())
}
