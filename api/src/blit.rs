//! Scaled copies between images, with filter and conversion of formats, and levels made from the level above. [VULKAN
//! Image Copies With Scaling]

use pipeline::blit::Side;
use pipeline::blit::{Axis, converts};
use pipeline::names::Name;
use pipeline::silicon::texture::sample::Filter;
use wgpu_types as wgt;
use wgt::{FilterMode, Origin3d, TextureAspect, TextureDimension, TextureFormat, TextureUsages};

use crate::command::{CommandBuffer, CommandError};
use crate::copy::{FROM, TO};
use crate::error::{Label, rules};
use crate::image::{Image, ImageLayout, Subresources};
use crate::recorded::{Blit, Command, Corners, Transfer};

rules! {
    /// A scaled copy that cannot be recorded.
    pub enum BlitError {
        /// The image that is read has usage COPY_SRC, the one that is written COPY_DST.
        "blit-usage", "{image} lacks the usage {usage}", usage = usage.name()
        => Usage { image: Label, usage: TextureUsages };
        /// The device can read scaled copies from the one format and write them to the other.
        "blit-capability", "scaled copies {direction} {image} are not possible: its format is {format}", format = format.name()
        => Capability { image: Label, format: TextureFormat, direction: &'static str };
        /// Corners lie within a level that the image has, and differ along each axis.
        "blit-region", "{from} to {to} of level {level} is no box in {image}, which is {width}x{height}x{depth} there"
        => Region { image: Label, level: u32, from: String, to: String, width: u32, height: u32, depth: u32 };
        /// One aspect is copied, and it is one that the format has.
        "blit-aspect", "{image} of format {format} has no single aspect `{aspect}`; name depth or stencil",
        format = format.name(), aspect = aspect.name()
        => Aspect { image: Label, format: TextureFormat, aspect: TextureAspect };
        /// Layers are copied one by one: there are as many of them, in the same order.
        "blit-layers", "{from_layers} slices of {from} do not go to {to_layers} of {to} one by one"
        => Layers { from: Label, from_layers: i64, to: Label, to_layers: i64 };
        /// Floats are copied to floats, integers to integers of the same kind, depth and stencil to the same format.
        "blit-format", "texels of {from}, {from_format}, cannot become {to_format} in {to}",
        from_format = from_format.name(), to_format = to_format.name()
        => Format { from: Label, from_format: TextureFormat, to: Label, to_format: TextureFormat };
        /// Integers, depth and stencil are copied without a filter, and so is what the device cannot filter.
        "blit-filter", "{image} of format {format} cannot be filtered", format = format.name()
        => Filter { image: Label, format: TextureFormat };
        /// Scaled copies have one sample a texel.
        "blit-samples", "{image} has {samples} samples; resolve it"
        => Samples { image: Label, samples: u32 };
        /// What is read and what is written are different levels or layers.
        "blit-overlap", "level {level} of {image} is read and written"
        => Overlap { image: Label, level: u32 };
        /// Scaled copies are recorded outside of passes.
        "blit-outside-pass", "{command}"
        => Recording { command: CommandError };
        /// Levels are made for an image that has more than one.
        "blit-levels", "{image} has one level, so there is none to make"
        => Levels { image: Label, levels: u32 };
    }
}

/// A box of texels in one level of an image, between two corners. What lies at the first corner of the source comes to
/// the first corner of the target, so corners that run backwards turn the picture around. The third number counts
/// depth in a 3D image and layers in any other.
#[derive(Clone, Copy, Debug)]
pub struct ImageBlit<'a> {
    /// The image.
    pub image: &'a Image,
    /// Mip level, from 0.
    pub level: u32,
    /// Colour, depth or stencil; formats with several need one named.
    pub aspect: TextureAspect,
    /// Two opposite corners, in edges of texels: 0 is the first edge of the level, its size the last. They differ along
    /// each axis.
    pub corners: [Origin3d; 2],
}

impl<'a> ImageBlit<'a> {
    /// All of a level.
    pub fn level(image: &'a Image, level: u32) -> ImageBlit<'a> {
        let size = image.slices_size(level.min(image.levels() - 1));
        ImageBlit {
            image,
            level,
            aspect: TextureAspect::All,
            corners: [
                Origin3d::ZERO,
                Origin3d {
                    x: size.width,
                    y: size.height,
                    z: size.depth_or_array_layers,
                },
            ],
        }
    }
}

impl Corners {
    fn new(at: &ImageBlit<'_>, usage: TextureUsages) -> Result<Corners, BlitError> {
        let image = at.image;
        let label = || image.label().clone();
        if !image.usage().contains(usage) {
            return Err(BlitError::Usage {
                image: label(),
                usage,
            });
        }
        let capabilities = image.device().format_capabilities(image.format());
        let (able, direction) = match usage {
            TextureUsages::COPY_SRC => (capabilities.blit_source, "from"),
            _ => (capabilities.blit_target, "to"),
        };
        if !able {
            return Err(BlitError::Capability {
                image: label(),
                format: image.format(),
                direction,
            });
        }
        if image.samples() != 1 {
            return Err(BlitError::Samples {
                image: label(),
                samples: image.samples(),
            });
        }
        let (Some(plane), Some(format)) = (
            image.single_plane(at.aspect),
            image.format().aspect_specific_format(at.aspect),
        ) else {
            return Err(BlitError::Aspect {
                image: label(),
                format: image.format(),
                aspect: at.aspect,
            });
        };
        let level = at.level.min(image.levels() - 1);
        let size = image.slices_size(level);
        let limits = [size.width, size.height, size.depth_or_array_layers];
        let corners = at.corners.map(|corner| [corner.x, corner.y, corner.z]);
        let is_box = (0..3).all(|i| {
            corners[0][i] != corners[1][i] && corners.iter().all(|corner| corner[i] <= limits[i])
        });
        if !is_box || level != at.level {
            let [from, to] = corners.map(|[x, y, z]| format!("{x},{y},{z}"));
            return Err(BlitError::Region {
                image: label(),
                level: at.level,
                from,
                to,
                width: limits[0],
                height: limits[1],
                depth: limits[2],
            });
        }
        Ok(Corners {
            image: image.clone(),
            plane,
            level,
            corners,
            format,
        })
    }

    /// Slices from the first corner to the second.
    fn slices(&self) -> i64 {
        i64::from(self.corners[1][2]) - i64::from(self.corners[0][2])
    }

    fn is_deep(&self) -> bool {
        self.image.shape().dimension == TextureDimension::D3
    }

    pub(crate) fn subresources(&self) -> Subresources {
        let (a, b) = (self.corners[0][2], self.corners[1][2]);
        let deep = self.is_deep();
        Subresources {
            level: self.level,
            levels: 1,
            layer: if deep { 0 } else { a.min(b) },
            layers: if deep { 1 } else { a.abs_diff(b) },
        }
    }

    fn side(&self) -> Side<'_> {
        let inner = &self.image.inner;
        let format = pipeline::format::texture_format(self.format);
        Side {
            base: inner.base,
            image: &inner.memory,
            plane: self.plane,
            level: self.level,
            format: format.expect("an image has a format of the table"),
        }
    }
}

impl Blit {
    fn new(
        from: &ImageBlit<'_>,
        to: &ImageBlit<'_>,
        filter: FilterMode,
    ) -> Result<Blit, BlitError> {
        let from = Corners::new(from, TextureUsages::COPY_SRC)?;
        let to = Corners::new(to, TextureUsages::COPY_DST)?;
        let (from_layers, to_layers) = (from.slices(), to.slices());
        if !(from.is_deep() && to.is_deep()) && from_layers != to_layers {
            return Err(BlitError::Layers {
                from: from.image.label().clone(),
                from_layers,
                to: to.image.label().clone(),
                to_layers,
            });
        }
        let depth = from.format.is_depth_stencil_format() || to.format.is_depth_stencil_format();
        let kept = converts(from.side().format, to.side().format);
        if (depth && from.format != to.format) || !kept {
            return Err(BlitError::Format {
                from: from.image.label().clone(),
                from_format: from.format,
                to: to.image.label().clone(),
                to_format: to.format,
            });
        }
        let device = from.image.device();
        let filterable = device.format_capabilities(from.format).filterable;
        if filter == FilterMode::Linear && (depth || !filterable) {
            return Err(BlitError::Filter {
                image: from.image.label().clone(),
                format: from.format,
            });
        }
        if from.image == to.image && from.subresources().overlaps(to.subresources()) {
            return Err(BlitError::Overlap {
                image: from.image.label().clone(),
                level: from.level,
            });
        }
        let filter = match filter {
            FilterMode::Nearest => Filter::Nearest,
            FilterMode::Linear => Filter::Linear,
        };
        Ok(Blit { from, to, filter })
    }

    /// Does it.
    pub(crate) fn run(&self) {
        let (from, to) = (&self.from, &self.to);
        let size = from.image.slices_size(from.level);
        let sizes = [size.width, size.height, size.depth_or_array_layers];
        let axes = [0, 1, 2].map(|i: usize| Axis {
            from: from.corners.map(|corner| corner[i]),
            to: to.corners.map(|corner| corner[i]),
            size: sizes[i],
        });
        let driver = &from.image.shared().driver;
        pipeline::blit::blit(driver, [from.side(), to.side()], axes, self.filter)
            .expect("an image lies within video memory");
    }
}

impl CommandBuffer {
    /// Copies a box of texels to a box of another size, or turned around, in any format that the texels convert to. A
    /// filter takes what it needs beyond the box from the level, and beyond the level from its edge.
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
    /// # use girih::*;
    /// # let (device, queue) = setup::device()?;
    /// # let (small, _) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
    /// # let (image, _) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
    /// # let size = Extent3d { width: 2, height: 1, depth_or_array_layers: 1 };
    /// queue.write_image(&ImageCopy::level(&small, 0), size, &[255, 0, 0, 255, 0, 255, 0, 255])?;
    /// let [mut two, all] = [&small, &image].map(|image| ImageBlit::level(image, 0));
    /// two.corners = [Origin3d { x: 2, y: 0, z: 0 }, Origin3d { x: 0, y: 1, z: 1 }]; // from right to left
    ///
    /// let mut commands = device.create_command_buffer(None);
    /// commands.blit_image(&two, &all, FilterMode::Nearest)?;
    /// queue.submit(&[&commands], &[])?;
    /// let picture = queue.read_picture(&image)?;
    /// assert_eq!(picture.get_pixel(7, 15).0, [0, 255, 0, 255]);
    /// assert_eq!(picture.get_pixel(8, 0).0, [255, 0, 0, 255]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Errors: any of [`BlitError`] but [`BlitError::Levels`].
    pub fn blit_image(
        &mut self,
        from: &ImageBlit<'_>,
        to: &ImageBlit<'_>,
        filter: FilterMode,
    ) -> Result<(), BlitError> {
        self.outside_pass("blit_image")
            .map_err(|command| BlitError::Recording { command })?;
        let blit = Blit::new(from, to, filter)?;
        let user = self.recording.next("blit_image");
        self.require(
            &blit.from.image,
            blit.from.subresources(),
            FROM,
            user.clone(),
        );
        self.require(&blit.to.image, blit.to.subresources(), TO, user);
        self.push(Command::Copy(Box::new(Transfer::Blit(blit))));
        Ok(())
    }

    /// Makes each level but the first from the one above it: by a linear filter, or by the nearest texel for integers.
    /// All levels come from layout `from` to layout `to`; what the smaller ones held is given up. The image has usages
    /// COPY_SRC and COPY_DST.
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
    /// # use girih::*;
    /// # let (device, queue) = setup::device()?;
    /// # let size = |edge| Extent3d { width: edge, height: edge, depth_or_array_layers: 1 };
    /// # let image = device.create_image(&ImageDescriptor {
    /// #     label: None, dimension: TextureDimension::D2, size: size(4), levels: 3, samples: 1, placement: None,
    /// #     format: TextureFormat::R8Unorm, usage: TextureUsages::COPY_SRC | TextureUsages::COPY_DST,
    /// # })?;
    /// # queue.transition(&image, ImageLayout::General)?;
    /// let texels = [[0, 0, 100, 100]; 4].concat();
    /// queue.write_image(&ImageCopy::level(&image, 0), size(4), &texels)?;
    /// let mut commands = device.create_command_buffer(None);
    /// commands.generate_levels(&image, ImageLayout::General, ImageLayout::CopySource)?;
    /// queue.submit(&[&commands], &[])?;
    /// assert_eq!(queue.read_image(&ImageCopy::level(&image, 1), size(2))?, [0, 100, 0, 100]);
    /// assert_eq!(queue.read_image(&ImageCopy::level(&image, 2), size(1))?, [50]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Errors: any of [`BlitError`]; then nothing is recorded.
    pub fn generate_levels(
        &mut self,
        image: &Image,
        from: ImageLayout,
        to: ImageLayout,
    ) -> Result<(), BlitError> {
        if image.levels() < 2 {
            return Err(BlitError::Levels {
                image: image.label().clone(),
                levels: image.levels(),
            });
        }
        let capabilities = image.device().format_capabilities(image.format());
        let filter = match capabilities.filterable {
            true => FilterMode::Linear,
            false => FilterMode::Nearest,
        };
        let begun = self.commands.len();
        let recorded = self.record_levels(image, from, to, filter);
        if recorded.is_err() {
            self.commands.truncate(begun);
        }
        recorded
    }

    fn record_levels(
        &mut self,
        image: &Image,
        from: ImageLayout,
        to: ImageLayout,
        filter: FilterMode,
    ) -> Result<(), BlitError> {
        use ImageLayout::{CopyDestination, CopySource, Undefined};
        let wrap = |command| BlitError::Recording { command };
        let one = |level| Subresources {
            level,
            levels: 1,
            ..image.subresources()
        };
        self.transition_range(image, one(0), from, CopySource)
            .map_err(wrap)?;
        for level in 1..image.levels() {
            self.transition_range(image, one(level), Undefined, CopyDestination)
                .map_err(wrap)?;
            let [above, below] = [level - 1, level].map(|level| ImageBlit::level(image, level));
            self.blit_image(&above, &below, filter)?;
            self.transition_range(image, one(level), CopyDestination, CopySource)
                .map_err(wrap)?;
        }
        if to != CopySource {
            self.transition(image, CopySource, to).map_err(wrap)?;
        }
        Ok(())
    }
}
