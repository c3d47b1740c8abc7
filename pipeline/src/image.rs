//! How an image lies in video memory, and moving rows of texels in and out of it.
//!
//! A chip decides offsets, pitches and the order of elements; an *element* is a texel, or a block of a compressed
//! format. What goes in and comes out is plain rows, left to right, top to bottom, without padding rules.

use std::ops::Range;

use silicon::fragment::bins::Threads;
pub use silicon::fragment::resolve::ResolveMode;
pub use silicon::fragment::transfer::{ElementBytes, Elements, Rows};
use silicon::fragment::transfer::{from_lanes, to_lanes};
use silicon::{Addr, Format};
use wgpu_types as wgt;
use wgt::TextureAspect;

use crate::copy;
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
    /// Bytes from one slice to the next.
    pub slice_bytes: u64,
    /// How elements are ordered, in the chip's own numbering.
    pub tiling: u32,
}

impl Level {
    /// Bytes of some slices where a plane keeps them side by side ([`Plane::keeps_slices`]).
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

impl Region {
    pub(crate) fn axes(&self) -> [Range<u32>; 3] {
        [self.x.clone(), self.y.clone(), self.slices.clone()]
    }
}

impl Plane {
    /// Whether other planes, or unused bytes, lie between the elements.
    pub fn is_interleaved(&self) -> bool {
        self.stored_bytes != self.held_bytes
    }

    /// Whether any slices of a level are one range of memory in which nothing else lies.
    pub(crate) fn keeps_slices(&self, level: &Level, samples: u32) -> bool {
        let slice = u64::from(level.pitch) * u64::from(level.rows) * u64::from(samples);
        !self.is_interleaved() && level.slice_bytes == slice * u64::from(self.stored_bytes)
    }

    pub(crate) fn bytes(&self) -> ElementBytes {
        ElementBytes {
            plain: self.element_bytes,
            held: self.held_bytes,
            stored: self.stored_bytes,
        }
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
    pub(crate) fn elements(&self, chip: &dyn Chip) -> Elements {
        chip.elements(self.image, self.region, self.sample)
    }
}

/// Copies plain rows into an image.
pub fn write(driver: &Driver, to: Part<'_>, rows: Rows, texels: &[u8]) -> Result<()> {
    let elements = to.elements(driver.target.chip);
    elements.write(&driver.threads, (&driver.memory, to.base), rows, texels)
}

/// Copies plain rows out of an image.
pub fn read(driver: &Driver, from: Part<'_>, rows: Rows, texels: &mut [u8]) -> Result<()> {
    let elements = from.elements(driver.target.chip);
    elements.read(&driver.threads, (&driver.memory, from.base), rows, texels)
}

/// Makes texels of one sample from texels of several. The regions have the same size, the planes elements of `format`.
pub fn resolve(
    driver: &Driver,
    format: silicon::Format,
    mode: ResolveMode,
    [from, to]: [Part<'_>; 2],
) -> Result<()> {
    let mut bands = bands(&from.region.y, &driver.threads);
    let mut workers = driver.threads.workers(|| ());
    driver
        .threads
        .chunks(&mut bands, &mut workers, |_, lines, ()| {
            let lines = |part: &Part<'_>| {
                let first = part.region.y.start + (lines.start - from.region.y.start);
                Region {
                    y: first..first + lines.len() as u32,
                    ..part.region.clone()
                }
            };
            let regions = [&from, &to].map(lines);
            let [from, to] = [(from, &regions[0]), (to, &regions[1])]
                .map(|(part, region)| Part { region, ..part });
            resolve_band(driver, format, mode, [from, to])
        })
}

/// Lines of a band are a multiple of this, so that tiles stay whole.
const BAND: u32 = 64;

/// Lines in bands, two for each thread where there are enough: each band makes tables of its own.
pub(crate) fn bands(lines: &Range<u32>, threads: &Threads) -> Vec<Range<u32>> {
    let count = 2 * threads.count() as u32;
    let band = match threads.count() {
        1 => u32::MAX,
        _ => (lines.len() as u32 / count)
            .next_multiple_of(BAND)
            .max(BAND),
    };
    let mut bands = Vec::new();
    let mut start = lines.start;
    while start < lines.end {
        let end = (start / band + 1).saturating_mul(band).min(lines.end);
        bands.push(start..end);
        start = end;
    }
    bands
}

fn resolve_band(
    driver: &Driver,
    format: silicon::Format,
    mode: ResolveMode,
    [from, to]: [Part<'_>; 2],
) -> Result<()> {
    let bytes = format.size_bytes() as usize;
    let row_bytes = from.region.x.len() * bytes;
    let memory = &driver.memory;
    let chip = driver.target.chip;
    let count = from.image.shape.samples;
    let of = |sample| Part { sample, ..from }.elements(chip);
    let elements: Vec<Elements> = (0..count).map(of).collect();
    let target = to.elements(chip);
    let skips = [&from, &to].map(|part| part.region.y.start);
    let groups = copy::line_groups(row_bytes * (count as usize + 1), from.region.y.len(), skips);
    let most = groups.iter().map(|lines| lines.len()).max().unwrap_or(0);
    let mut texels = vec![0; most * row_bytes];
    let mut samples: Vec<Vec<u8>> = (0..count).map(|_| texels.clone()).collect();
    let level = silicon::SimdLevel::current();
    let mut words = vec![[[0; 64]; 4]; count as usize];
    let mut result = [[0; 64]; 4];
    for slice in 0..from.region.slices.len() {
        for lines in &groups {
            let texels = &mut texels[..lines.len() * row_bytes];
            let place = (slice, lines.clone());
            for (elements, samples) in elements.iter().zip(&mut samples) {
                let place = place.clone();
                elements.read_lines((memory, from.base), place, row_bytes as u64, samples)?;
            }
            for first in (0..texels.len()).step_by(64 * bytes) {
                let end = texels.len().min(first + 64 * bytes);
                for (words, samples) in words.iter_mut().zip(&samples) {
                    to_lanes(&samples[first..end], bytes, words);
                }
                silicon::fragment::resolve::resolve(level, format, mode, &words, &mut result);
                from_lanes(&result, bytes, &mut texels[first..end]);
            }
            target.write_lines((memory, to.base), place, row_bytes as u64, texels)?;
        }
    }
    Ok(())
}

/// The bytes of a region in all its samples, from the image's start, as ascending ranges that do not touch.
pub fn pieces(chip: &dyn Chip, image: &ImageMemory, region: &Region) -> Vec<Range<u64>> {
    let mut found = Vec::new();
    for sample in 0..image.shape.samples {
        chip.elements(image, region, sample).ranges(&mut found);
    }
    found.sort_unstable_by_key(|range| range.start);
    let mut pieces: Vec<Range<u64>> = Vec::new();
    for range in found {
        match pieces.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => pieces.push(range),
        }
    }
    pieces
}

/// Planes of a video format: aspect, format, and the shape of each, of which those behind the first are half as large.
pub fn video_planes(
    shape: &ImageShape,
    format: Format,
) -> impl Iterator<Item = (TextureAspect, Format, ImageShape)> {
    let aspects = [
        TextureAspect::Plane0,
        TextureAspect::Plane1,
        TextureAspect::Plane2,
    ];
    let planes = aspects.into_iter().zip(format.planes());
    planes.map(|(aspect, format)| {
        let mut shape = shape.clone();
        if aspect != TextureAspect::Plane0 {
            shape.size.width /= 2;
            shape.size.height /= 2;
        }
        (aspect, *format, shape)
    })
}
