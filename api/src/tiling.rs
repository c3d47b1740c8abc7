//! How images lie in video memory: the surface as the chip has it, its bytes, and plain rows out of them and into them.
//!
//! ```
//! # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
//! # use girih::*;
//! # let (device, queue) = setup::device()?;
//! # let (image, _) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
//! let part = Part::default();
//! let mut tiled = image.tiled_bytes();
//! assert_eq!(tiled.len() as u64, image.surface().bytes);
//!
//! let mut rows = image.untile(&tiled, part).ok_or("no such part")?;
//! assert_eq!(rows.len(), 16 * 16 * 4);
//! rows[4 * 16 + 8] = 1; // texel 2 of row 1
//! image.tile(&rows, part, &mut tiled).ok_or("no such part")?;
//! assert_eq!(tiled.iter().filter(|byte| **byte == 1).count(), 1);
//! assert_eq!(image.untile(&tiled, part), Some(rows));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use pipeline::image::{self, Region, Rows};
pub use pipeline::image::{ImageMemory, Level, Plane};
use pipeline::silicon::Addr;

use crate::image::Image;

/// A part of an image that rows are made of: all slices of one level of one plane, in one sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Part {
    /// Index into [`ImageMemory::planes`]: colour or depth is 0, stencil beside depth 1.
    pub plane: usize,
    /// Mip level, from 0.
    pub level: u32,
    /// Sample, from 0.
    pub sample: u32,
}

impl Image {
    /// The image as its chip has it: planes, levels, pitches, the order of elements.
    pub fn surface(&self) -> &ImageMemory {
        &self.inner.memory
    }

    /// The bytes of the image in video memory, padding included, in the chip's order; as many as
    /// [`ImageMemory::bytes`].
    pub fn tiled_bytes(&self) -> Vec<u8> {
        let inner = &self.inner;
        let mut bytes = vec![0; inner.memory.bytes as usize];
        let memory = &self.shared().driver.memory;
        memory
            .read(inner.base, &mut bytes)
            .expect("an image lies within video memory");
        bytes
    }

    /// The elements of a part of bytes in the chip's order, as rows from left to right and top to bottom, slice after
    /// slice, without padding. None when the image has no such part or another number of bytes.
    pub fn untile(&self, tiled: &[u8], part: Part) -> Option<Vec<u8>> {
        let (region, rows, bytes) = self.part(part, tiled)?;
        let mut out = vec![0; bytes];
        let (chip, from) = (self.device().chip, self.plain(&region, part.sample));
        image::untile(chip, from, rows, tiled, &mut out);
        Some(out)
    }

    /// Puts rows as [`Image::untile`] gives them where they lie among bytes in the chip's order. None, and nothing is
    /// changed, when the image has no such part or another number of bytes, or the part another number of rows.
    pub fn tile(&self, rows_bytes: &[u8], part: Part, tiled: &mut [u8]) -> Option<()> {
        let (region, rows, bytes) = self.part(part, tiled)?;
        if rows_bytes.len() != bytes {
            return None;
        }
        let (chip, to) = (self.device().chip, self.plain(&region, part.sample));
        image::tile(chip, to, rows, rows_bytes, tiled);
        Some(())
    }

    /// A region of an image whose bytes start at 0.
    fn plain<'a>(&'a self, region: &'a Region, sample: u32) -> image::Part<'a> {
        image::Part {
            base: Addr(0),
            image: self.surface(),
            region,
            sample,
        }
    }

    /// The elements of a part, how their rows lie, and how many bytes the rows have.
    fn part(&self, part: Part, tiled: &[u8]) -> Option<(Region, Rows, usize)> {
        let memory = self.surface();
        if tiled.len() as u64 != memory.bytes || part.sample >= memory.shape.samples {
            return None;
        }
        let plane = memory.planes.get(part.plane)?;
        let level = plane.levels.get(part.level as usize)?;
        let region = Region {
            plane: part.plane,
            level: part.level,
            x: 0..level.width,
            y: 0..level.height,
            slices: 0..level.slices,
        };
        let row_bytes = u64::from(level.width) * u64::from(plane.element_bytes);
        let rows = Rows::tight(row_bytes, level.height.into());
        let bytes = rows.slice_bytes * u64::from(level.slices);
        Some((region, rows, bytes as usize))
    }
}
