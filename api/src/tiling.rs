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

pub use pipeline::image::{ImageMemory, Level, Plane};
use pipeline::image::{Region, Rows};
use pipeline::targets::Target;

use crate::error::Label;
use crate::image::{Image, ImageDescriptor, ImageError};
use crate::instance::PhysicalDevice;
use crate::validate::image::lay_out;

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

/// An image as a chip lays it out, without video memory: it may be larger than that.
///
/// ```
/// use girih::*;
///
/// let gpu = Instance::new().physical_devices().next().ok_or("no device")?;
/// let surface = gpu.surface(&ImageDescriptor {
///     label: None,
///     dimension: TextureDimension::D2,
///     size: Extent3d { width: 8192, height: 8192, depth_or_array_layers: 64 },
///     levels: 1,
///     samples: 1,
///     format: TextureFormat::Rgba32Float,
///     usage: TextureUsages::TEXTURE_BINDING,
///     placement: None,
/// })?;
/// assert!(surface.memory().bytes >= 64 << 30 && surface.memory().bytes > gpu.limits().memory_bytes);
/// assert_eq!(surface.row_bytes(Part::default()), Some(64 << 30));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Surface {
    device: PhysicalDevice,
    memory: ImageMemory,
}

impl PhysicalDevice {
    /// How an image would lie in video memory.
    ///
    /// Errors: those of [`ImageError`] that are not about memory; the placement is not looked at.
    pub fn surface(&self, desc: &ImageDescriptor<'_>) -> Result<Surface, ImageError> {
        let label = Label::new("image", desc.label, None);
        Ok(Surface {
            device: *self,
            memory: lay_out(self.target, &label, desc)?,
        })
    }
}

impl Surface {
    /// Planes, levels, pitches, the order of elements.
    pub fn memory(&self) -> &ImageMemory {
        &self.memory
    }

    /// Bytes of the rows of a part. None when the image has no such part.
    pub fn row_bytes(&self, part: Part) -> Option<u64> {
        Some(rows_of(&self.memory, part)?.bytes)
    }

    /// As [`Image::untile`].
    pub fn untile(&self, tiled: &[u8], part: Part) -> Option<Vec<u8>> {
        untile(self.device.target, &self.memory, tiled, part)
    }

    /// As [`Image::tile`].
    pub fn tile(&self, rows_bytes: &[u8], part: Part, tiled: &mut [u8]) -> Option<()> {
        tile(self.device.target, &self.memory, rows_bytes, part, tiled)
    }
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
        untile(self.device(), self.surface(), tiled, part)
    }

    /// Puts rows as [`Image::untile`] gives them where they lie among bytes in the chip's order. None, and nothing is
    /// changed, when the image has no such part or another number of bytes, or the part another number of rows.
    pub fn tile(&self, rows_bytes: &[u8], part: Part, tiled: &mut [u8]) -> Option<()> {
        tile(self.device(), self.surface(), rows_bytes, part, tiled)
    }
}

/// The elements of a part, and how their rows lie.
struct PartRows {
    region: Region,
    rows: Rows,
    bytes: u64,
}

fn rows_of(memory: &ImageMemory, part: Part) -> Option<PartRows> {
    if part.sample >= memory.shape.samples {
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
    Some(PartRows {
        region,
        rows,
        bytes,
    })
}

fn untile(target: &Target, memory: &ImageMemory, tiled: &[u8], part: Part) -> Option<Vec<u8>> {
    let found = rows_of(memory, part)?;
    if tiled.len() as u64 != memory.bytes {
        return None;
    }
    let mut out = vec![0; found.bytes as usize];
    let elements = target.chip.elements(memory, &found.region, part.sample);
    elements.untile(tiled, found.rows, &mut out);
    Some(out)
}

fn tile(
    target: &Target,
    memory: &ImageMemory,
    rows_bytes: &[u8],
    part: Part,
    tiled: &mut [u8],
) -> Option<()> {
    let found = rows_of(memory, part)?;
    if tiled.len() as u64 != memory.bytes || rows_bytes.len() as u64 != found.bytes {
        return None;
    }
    let elements = target.chip.elements(memory, &found.region, part.sample);
    elements.tile(rows_bytes, found.rows, tiled);
    Some(())
}
