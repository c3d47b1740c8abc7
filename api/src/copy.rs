//! Copies between buffers and images, and between the host and images. Rows of texels lie tightly packed unless the
//! caller says otherwise; there are no alignment rules for them. [VULKAN Copy Commands]

use pipeline::image::{Part, Region, ResolveMode, Rows};
use pipeline::names::Name;
use wgpu_types as wgt;
use wgt::{BufferUsages, Extent3d, Origin3d, TextureAspect, TextureFormat, TextureUsages};

use crate::buffer::Buffer;
use crate::command::{CommandBuffer, CommandError, check_buffer};
use crate::error::{Label, counted, rules};
use crate::image::{Image, ImageLayout, Subresources};
use crate::recorded::{Command, Texels, Transfer};

rules! {
    /// Texels that cannot be copied.
    pub enum CopyError {
        /// A copied buffer or image has the usage.
        "copy-usage", "{object} lacks the usage {usage}"
        => Usage { object: Label, usage: String };
        /// A copied region lies within its level, and has at least one texel.
        "copy-region", "{width}x{height}x{depth} texels at {x},{y},{z} are not within level {level} of {image}, which is {level_width}x{level_height}x{level_depth}"
        => Region { image: Label, level: u32, x: u32, y: u32, z: u32, width: u32, height: u32, depth: u32, level_width: u32, level_height: u32, level_depth: u32 };
        /// Regions of compressed images are whole blocks.
        "copy-blocks", "{width}x{height} texels at {x},{y} of {image} are not whole blocks of {block}"
        => Blocks { image: Label, x: u32, y: u32, width: u32, height: u32, block: u32 };
        /// Texels of several samples are copied to images with as many, and to nothing else.
        "copy-samples", "{image} has {samples} a texel, where {wanted}", samples = counted(*samples, "sample")
        => Samples { image: Label, samples: u32, wanted: &'static str };
        /// Several samples are resolved to one, in the same format, in a way that the format has.
        "copy-resolve", "{from} of {from_format} cannot be resolved to {to} of {to_format}: {reason}",
        from_format = from_format.name(), to_format = to_format.name()
        => Resolve { from: Label, from_format: TextureFormat, to: Label, to_format: TextureFormat, reason: &'static str };
        /// Depth and stencil are copied one at a time.
        "copy-aspect", "{image} of format {format} has no single aspect `{aspect}`; name depth or stencil",
        format = format.name(), aspect = aspect.name()
        => Aspect { image: Label, format: TextureFormat, aspect: TextureAspect };
        /// Texels lie within the buffer or slice they are copied from or to.
        "copy-bytes", "{bytes} bytes at {offset} are needed, but {holder} has {size}"
        => Bytes { holder: Label, offset: u64, bytes: u64, size: u64 };
        /// A row pitch holds a row, a slice pitch whole rows of the region.
        "copy-pitch", "{pitch} bytes are less than the {needed} of a {what}"
        => Pitch { what: &'static str, pitch: u64, needed: u64 };
        /// Images copied to each other have elements of the same size.
        "copy-format", "{from} of {from_format} cannot be copied to {to} of {to_format}: their elements differ in size",
        from_format = from_format.name(), to_format = to_format.name()
        => Format { from: Label, from_format: TextureFormat, to: Label, to_format: TextureFormat };
        /// The host copies through the queue of the image's device.
        "copy-device", "{image} was made for another device"
        => Device { image: Label };
        /// A host copy finds the image in a layout for copies, or General.
        "copy-layout", "{image} is {found} but must be {wanted} or General"
        => Layout { image: Label, found: ImageLayout, wanted: ImageLayout };
        /// Copies are recorded outside of passes.
        "copy-outside-pass", "{command}"
        => Recording { command: CommandError };
        /// A picture is read from a format of colours or depths, without blocks and planes.
        "copy-picture", "{image} has format {format}, which is no picture", format = format.name()
        => Picture { image: Label, format: TextureFormat };
    }
}

/// A place in a buffer. For texels, also how rows and slices follow each other there; absent means tightly.
#[derive(Clone, Copy, Debug)]
pub struct BufferCopy<'a> {
    /// The buffer.
    pub buffer: &'a Buffer,
    /// First byte; a multiple of 4 for [`CommandBuffer::copy_buffer`](crate::CommandBuffer::copy_buffer).
    pub offset: u64,
    /// Bytes from one row of texels (or blocks) to the next, no less than a row of the copied box; tight when absent.
    pub bytes_per_row: Option<u64>,
    /// Rows (of texels or blocks) from one slice to the next, no less than those of the copied box; tight when absent.
    pub rows_per_slice: Option<u64>,
}

impl<'a> BufferCopy<'a> {
    /// Tightly packed from a byte on.
    pub fn at(buffer: &'a Buffer, offset: u64) -> BufferCopy<'a> {
        BufferCopy {
            buffer,
            offset,
            bytes_per_row: None,
            rows_per_slice: None,
        }
    }
}

/// A place in an image. With a size in texels it is a box; boxes in compressed images are whole blocks.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let (image, _) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
/// # let upload = setup::buffer(&device, 64, BufferUsages::COPY_SRC)?;
/// # let download = setup::buffer(&device, 64, BufferUsages::COPY_DST)?;
/// upload.write(0, &std::array::from_fn::<u8, 64, _>(|i| i as u8))?;
/// let square = |edge| Extent3d { width: edge, height: edge, depth_or_array_layers: 1 };
/// let at = |x, y| ImageCopy { origin: Origin3d { x, y, z: 0 }, ..ImageCopy::level(&image, 0) };
///
/// let mut commands = device.create_command_buffer(None);
/// commands.copy_buffer_to_image(&BufferCopy::at(&upload, 0), &at(0, 0), square(4))?;
/// commands.copy_image(&at(2, 1), &at(8, 8), square(2))?;
/// commands.copy_image_to_buffer(&at(8, 8), &BufferCopy::at(&download, 0), square(2))?;
/// queue.submit(&[&commands], &[])?;
///
/// let mut texels = [0; 16];
/// download.read(0, &mut texels)?;
/// assert_eq!(texels, [24, 25, 26, 27, 28, 29, 30, 31, 40, 41, 42, 43, 44, 45, 46, 47]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ImageCopy<'a> {
    /// The image.
    pub image: &'a Image,
    /// Mip level, from 0.
    pub level: u32,
    /// First texel; z is the first layer, or the depth in a 3D image.
    pub origin: Origin3d,
    /// Colour, depth or stencil, or one plane; formats with several need one named.
    pub aspect: TextureAspect,
}

impl<'a> ImageCopy<'a> {
    /// The first texel of a level.
    pub fn level(image: &'a Image, level: u32) -> ImageCopy<'a> {
        ImageCopy {
            image,
            level,
            origin: Origin3d::ZERO,
            aspect: TextureAspect::All,
        }
    }
}

pub(crate) const FROM: &[ImageLayout] = &[ImageLayout::CopySource, ImageLayout::General];
pub(crate) const TO: &[ImageLayout] = &[ImageLayout::CopyDestination, ImageLayout::General];

impl Transfer {
    pub(crate) fn upload(
        from: &BufferCopy<'_>,
        to: &ImageCopy<'_>,
        size: Extent3d,
    ) -> Result<Transfer, CopyError> {
        let place = Texels::new(to, size, TextureUsages::COPY_DST, from)?;
        place.check_buffer(from, BufferUsages::COPY_SRC)?;
        Ok(Transfer::Upload {
            from: (from.buffer.clone(), from.offset),
            to: place,
        })
    }

    pub(crate) fn download(
        from: &ImageCopy<'_>,
        to: &BufferCopy<'_>,
        size: Extent3d,
    ) -> Result<Transfer, CopyError> {
        let place = Texels::new(from, size, TextureUsages::COPY_SRC, to)?;
        place.check_buffer(to, BufferUsages::COPY_DST)?;
        Ok(Transfer::Download {
            from: place,
            to: (to.buffer.clone(), to.offset),
        })
    }

    pub(crate) fn image(
        from: &ImageCopy<'_>,
        to: &ImageCopy<'_>,
        size: Extent3d,
    ) -> Result<Transfer, CopyError> {
        let source = Texels::with_rows(from, size, TextureUsages::COPY_SRC, None, None)?;
        let size = source.size_in(to.image);
        let target = Texels::with_rows(to, size, TextureUsages::COPY_DST, None, None)?;
        if from.image.samples() != to.image.samples() {
            return Err(CopyError::Samples {
                image: to.image.label().clone(),
                samples: to.image.samples(),
                wanted: "the image copied from has another number",
            });
        }
        if source.element_bytes() != target.element_bytes() || source.bytes != target.bytes {
            return Err(CopyError::Format {
                from: from.image.label().clone(),
                from_format: from.image.format(),
                to: to.image.label().clone(),
                to_format: to.image.format(),
            });
        }
        Ok(Transfer::Image {
            from: source,
            to: target,
        })
    }

    pub(crate) fn resolve(
        from: &ImageCopy<'_>,
        to: &ImageCopy<'_>,
        size: Extent3d,
        mode: ResolveMode,
    ) -> Result<Transfer, CopyError> {
        let source = Texels::with_rows(from, size, TextureUsages::COPY_SRC, None, None)?;
        let target = Texels::tight(to, size, TextureUsages::COPY_DST)?;
        let format = from.image.format().aspect_specific_format(from.aspect);
        let row = format.and_then(pipeline::format::texture_format);
        let reason = if from.image.samples() == 1 {
            "it has one sample already"
        } else if format != to.image.format().aspect_specific_format(to.aspect) {
            "the formats differ"
        } else if !row.is_some_and(|row| mode.suits(row)) {
            "the format cannot be resolved so"
        } else {
            return Ok(Transfer::Resolve {
                from: source,
                to: target,
                mode,
            });
        };
        Err(CopyError::Resolve {
            from: from.image.label().clone(),
            from_format: from.image.format(),
            to: to.image.label().clone(),
            to_format: to.image.format(),
            reason,
        })
    }

    /// Images with the layouts that they must be in.
    pub(crate) fn images(&self) -> Vec<(Image, Subresources, &'static [ImageLayout])> {
        let one = |place: &Texels, allowed| (place.image.clone(), place.subresources(), allowed);
        match self {
            Transfer::Buffer { .. } => Vec::new(),
            Transfer::Upload { to, .. } => vec![one(to, TO)],
            Transfer::Download { from, .. } => vec![one(from, FROM)],
            Transfer::Image { from, to } | Transfer::Resolve { from, to, .. } => {
                vec![one(from, FROM), one(to, TO)]
            }
            Transfer::Blit(blit) => vec![
                (blit.from.image.clone(), blit.from.subresources(), FROM),
                (blit.to.image.clone(), blit.to.subresources(), TO),
            ],
        }
    }
}

impl CopyError {
    pub(crate) fn from_command(command: CommandError) -> CopyError {
        CopyError::Recording { command }
    }
}

/// The ranges of copies are checked when they are recorded.
const INSIDE: &str = "images and buffers lie within video memory";

impl Texels {
    /// A region with tightly packed rows.
    pub(crate) fn tight(
        at: &ImageCopy<'_>,
        size: Extent3d,
        usage: TextureUsages,
    ) -> Result<Texels, CopyError> {
        Texels::with_rows(at, size, usage, None, None)?.with_one_sample()
    }

    fn with_one_sample(self) -> Result<Texels, CopyError> {
        match self.image.samples() {
            1 => Ok(self),
            samples => Err(CopyError::Samples {
                image: self.image.label().clone(),
                samples,
                wanted: "one can be copied",
            }),
        }
    }

    fn new(
        at: &ImageCopy<'_>,
        size: Extent3d,
        usage: TextureUsages,
        buffer: &BufferCopy<'_>,
    ) -> Result<Texels, CopyError> {
        Texels::with_rows(at, size, usage, buffer.bytes_per_row, buffer.rows_per_slice)?
            .with_one_sample()
    }

    pub(crate) fn with_rows(
        at: &ImageCopy<'_>,
        size: Extent3d,
        usage: TextureUsages,
        bytes_per_row: Option<u64>,
        rows_per_slice: Option<u64>,
    ) -> Result<Texels, CopyError> {
        let region = region(at, size, usage)?;
        let bytes = u64::from(at.image.inner.memory.planes[region.plane].element_bytes);
        let row = region.x.len() as u64 * bytes;
        let row_bytes = bytes_per_row.unwrap_or(row);
        let height = region.y.len() as u64;
        let slice_rows = rows_per_slice.unwrap_or(height);
        for (what, pitch, needed) in [
            ("row", row_bytes, row),
            ("slice of rows", slice_rows, height),
        ] {
            if pitch < needed {
                return Err(CopyError::Pitch {
                    what,
                    pitch,
                    needed,
                });
            }
        }
        let slice_bytes = row_bytes.saturating_mul(slice_rows);
        let slices = region.slices.len() as u64;
        let total = slice_bytes
            .saturating_mul(slices - 1)
            .saturating_add(row_bytes.saturating_mul(height - 1))
            .saturating_add(row);
        Ok(Texels {
            image: at.image.clone(),
            region,
            rows: Rows {
                row_bytes,
                slice_bytes,
            },
            bytes: total,
        })
    }

    /// Texels that as many elements have in another image, where blocks may have another size. At the edge of a small
    /// level they are cut off.
    fn size_in(&self, other: &Image) -> Extent3d {
        let (block, block_height) = other.format().block_dimensions();
        Extent3d {
            width: self.region.x.len() as u32 * block,
            height: self.region.y.len() as u32 * block_height,
            depth_or_array_layers: self.region.slices.len() as u32,
        }
    }

    fn element_bytes(&self) -> u32 {
        self.image.inner.memory.planes[self.region.plane].element_bytes
    }

    fn check_buffer(&self, at: &BufferCopy<'_>, usage: BufferUsages) -> Result<(), CopyError> {
        if !at.buffer.usage().contains(usage) {
            return Err(CopyError::Usage {
                object: at.buffer.label().clone(),
                usage: usage.name(),
            });
        }
        self.check_bytes(at.buffer.label(), at.offset, at.buffer.size())
    }

    pub(crate) fn check_bytes(
        &self,
        holder: &Label,
        offset: u64,
        size: u64,
    ) -> Result<(), CopyError> {
        let end = offset.checked_add(self.bytes);
        if end.is_some_and(|end| end <= size) {
            return Ok(());
        }
        Err(CopyError::Bytes {
            holder: holder.clone(),
            offset,
            bytes: self.bytes,
            size,
        })
    }

    pub(crate) fn subresources(&self) -> Subresources {
        let flat = self.image.shape().dimension == wgt::TextureDimension::D3;
        Subresources {
            level: self.region.level,
            levels: 1,
            layer: if flat { 0 } else { self.region.slices.start },
            layers: if flat {
                1
            } else {
                self.region.slices.len() as u32
            },
        }
    }

    /// Copies texels out of the image.
    pub(crate) fn read(&self, texels: &mut [u8]) {
        let driver = &self.image.shared().driver;
        pipeline::image::read(driver, self.part(0), self.rows, texels).expect(INSIDE);
    }

    /// Copies texels into the image.
    pub(crate) fn write(&self, texels: &[u8]) {
        let driver = &self.image.shared().driver;
        pipeline::image::write(driver, self.part(0), self.rows, texels).expect(INSIDE);
    }

    /// Copies texels into the image, from byte `offset` of a buffer on.
    pub(crate) fn upload(&self, (buffer, offset): &(Buffer, u64)) {
        let driver = &self.image.shared().driver;
        let from = buffer.range(*offset, self.bytes).address;
        pipeline::copy::upload(driver, from, self.rows, self.part(0)).expect(INSIDE);
    }

    /// Copies texels out of the image, to byte `offset` of a buffer and on.
    pub(crate) fn download(&self, (buffer, offset): &(Buffer, u64)) {
        let driver = &self.image.shared().driver;
        let to = buffer.range(*offset, self.bytes).address;
        pipeline::copy::download(driver, self.part(0), self.rows, to).expect(INSIDE);
    }

    /// Copies all samples of texels to those of another image.
    pub(crate) fn copy_to(&self, to: &Texels) {
        let driver = &self.image.shared().driver;
        pipeline::copy::copy(driver, [self.part(0), to.part(0)]).expect(INSIDE);
    }

    /// Makes texels with one sample from texels with several.
    pub(crate) fn resolve_to(&self, to: &Texels, mode: ResolveMode) {
        let driver = &self.image.shared().driver;
        let aspect = self.image.inner.memory.planes[self.region.plane].aspect;
        let format = self.image.format().aspect_specific_format(aspect);
        let format = format
            .and_then(pipeline::format::texture_format)
            .expect("a plane of an image has a format of the table");
        pipeline::image::resolve(driver, format, mode, [self.part(0), to.part(0)])
            .expect("an image lies within video memory");
    }

    fn part(&self, sample: u32) -> Part<'_> {
        Part {
            base: self.image.inner.base,
            image: &self.image.inner.memory,
            region: &self.region,
            sample,
        }
    }
}

/// The elements that texels of a level lie in.
fn region(at: &ImageCopy<'_>, size: Extent3d, usage: TextureUsages) -> Result<Region, CopyError> {
    let image = at.image;
    if !image.usage().contains(usage) {
        return Err(CopyError::Usage {
            object: image.label().clone(),
            usage: usage.name(),
        });
    }
    let format = image.format();
    let Some(plane) = image.single_plane(at.aspect) else {
        return Err(CopyError::Aspect {
            image: image.label().clone(),
            format,
            aspect: at.aspect,
        });
    };
    let level = at.level.min(image.levels() - 1);
    let mut whole = image.slices_size(level);
    if format.is_multi_planar_format() {
        let (across, down) = format.subsampling_factors(Some(plane as u32));
        whole.width /= across;
        whole.height /= down;
    }
    let (block, block_height) = format.block_dimensions();
    // Blocks at the edge of a small level reach beyond it.
    let limits = [
        whole.width.next_multiple_of(block),
        whole.height.next_multiple_of(block_height),
        whole.depth_or_array_layers,
    ];
    let origin = [at.origin.x, at.origin.y, at.origin.z];
    let extent = [size.width, size.height, size.depth_or_array_layers];
    let inside = (0..3).all(|i| {
        let end = origin[i].checked_add(extent[i]);
        extent[i] > 0 && end.is_some_and(|end| end <= limits[i])
    });
    if !inside || level != at.level {
        return Err(CopyError::Region {
            image: image.label().clone(),
            level: at.level,
            x: origin[0],
            y: origin[1],
            z: origin[2],
            width: extent[0],
            height: extent[1],
            depth: extent[2],
            level_width: whole.width,
            level_height: whole.height,
            level_depth: whole.depth_or_array_layers,
        });
    }
    let ends = |at: u32, size: u32, limit: u32, block: u32| {
        at.is_multiple_of(block) && (size.is_multiple_of(block) || at + size == limit)
    };
    if !ends(origin[0], extent[0], whole.width, block)
        || !ends(origin[1], extent[1], whole.height, block_height)
    {
        return Err(CopyError::Blocks {
            image: image.label().clone(),
            x: origin[0],
            y: origin[1],
            width: extent[0],
            height: extent[1],
            block,
        });
    }
    Ok(Region {
        plane,
        level,
        x: origin[0] / block..(origin[0] + extent[0]).div_ceil(block),
        y: origin[1] / block_height..(origin[1] + extent[1]).div_ceil(block_height),
        slices: origin[2]..origin[2] + extent[2],
    })
}

impl CommandBuffer {
    /// Copies bytes between buffers; pitches do not count. Offsets and `bytes` are multiples of 4.
    ///
    /// Errors: as [`CommandBuffer::fill_buffer`], for COPY_SRC and COPY_DST.
    pub fn copy_buffer(
        &mut self,
        from: &BufferCopy<'_>,
        to: &BufferCopy<'_>,
        bytes: u64,
    ) -> Result<(), CommandError> {
        let command = "copy_buffer";
        self.outside_pass(command)?;
        check_buffer(
            command,
            from.buffer,
            BufferUsages::COPY_SRC,
            from.offset,
            bytes,
            4,
        )?;
        check_buffer(
            command,
            to.buffer,
            BufferUsages::COPY_DST,
            to.offset,
            bytes,
            4,
        )?;
        self.push(Command::Copy(Box::new(Transfer::Buffer {
            from: (from.buffer.clone(), from.offset),
            to: (to.buffer.clone(), to.offset),
            bytes,
        })));
        Ok(())
    }

    /// Copies a box of `size` texels from a buffer to an image in layout `CopyDestination` or `General`. See
    /// [`ImageCopy`].
    ///
    /// Errors: any of [those of copies](crate::CopyError) but for the host's and for resolves.
    pub fn copy_buffer_to_image(
        &mut self,
        from: &BufferCopy<'_>,
        to: &ImageCopy<'_>,
        size: Extent3d,
    ) -> Result<(), CopyError> {
        let transfer = Transfer::upload(from, to, size)?;
        self.copy("copy_buffer_to_image", transfer)
    }

    /// Copies a box of `size` texels from an image in layout `CopySource` or `General` to a buffer. See [`ImageCopy`].
    ///
    /// Errors: as [`CommandBuffer::copy_buffer_to_image`].
    pub fn copy_image_to_buffer(
        &mut self,
        from: &ImageCopy<'_>,
        to: &BufferCopy<'_>,
        size: Extent3d,
    ) -> Result<(), CopyError> {
        let transfer = Transfer::download(from, to, size)?;
        self.copy("copy_image_to_buffer", transfer)
    }

    /// Copies a box of `size` texels between images with the same number of samples, bit for bit: elements (texels, or
    /// blocks of compressed formats) have the same number of bytes. `size` counts texels of the source.
    ///
    /// Errors: as [`CommandBuffer::copy_buffer_to_image`], and [`Format`](crate::CopyError::Format).
    pub fn copy_image(
        &mut self,
        from: &ImageCopy<'_>,
        to: &ImageCopy<'_>,
        size: Extent3d,
    ) -> Result<(), CopyError> {
        let transfer = Transfer::image(from, to, size)?;
        self.copy("copy_image", transfer)
    }

    /// Makes one sample of several in a box of `size` texels, for one aspect of images of the same format. [VULKAN
    /// Resolving Multisample Images]
    ///
    /// Errors: as [`CommandBuffer::copy_buffer_to_image`], and [`Resolve`](crate::CopyError::Resolve).
    pub fn resolve_image(
        &mut self,
        from: &ImageCopy<'_>,
        to: &ImageCopy<'_>,
        size: Extent3d,
        mode: ResolveMode,
    ) -> Result<(), CopyError> {
        let transfer = Transfer::resolve(from, to, size, mode)?;
        self.copy("resolve_image", transfer)
    }

    fn copy(&mut self, command: &'static str, transfer: Transfer) -> Result<(), CopyError> {
        self.outside_pass(command)
            .map_err(CopyError::from_command)?;
        let user = self.recording.next(command);
        for (image, range, allowed) in transfer.images() {
            self.require(&image, range, allowed, user.clone());
        }
        self.push(Command::Copy(Box::new(transfer)));
        Ok(())
    }
}
