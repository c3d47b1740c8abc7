//! Clearing images outside of passes, and rectangles of attachments inside them. [VULKAN Clear Commands]

use pipeline::encode::Encoder;
use pipeline::format::Texel;
use pipeline::names::Name;
use wgpu_types as wgt;
use wgt::{Color, TextureAspect, TextureDimension, TextureFormat, TextureUsages};

use crate::command::{CommandBuffer, CommandError};
use crate::copy::TO;
use crate::error::{Label, counted, rules};
use crate::image::{Image, Subresources};
use crate::recorded::{Clear, Command, Pass, User};
use crate::{MemoryError, Rect};

pub use pipeline::state::ClearAttachment;

rules! {
    /// A clear that cannot be recorded.
    pub enum ClearError {
        /// An image that is cleared has the usage COPY_DST.
        "clear-usage", "{image} lacks the usage COPY_DST"
        => Usage { image: Label };
        /// Colour is cleared in formats of plain texels, depth and stencil where the format has them.
        "clear-format", "{image} of format {format} has no {what} to clear", format = format.name()
        => Format { image: Label, format: TextureFormat, what: &'static str };
        /// Levels and layers that are cleared are ones that the image has.
        "clear-subresources", "{range} are not within {image} of {levels} and {layers}",
        levels = counted(*levels, "level"), layers = counted(*layers, "layer")
        => Subresources { image: Label, range: Subresources, levels: u32, layers: u32 };
        /// Depth is cleared to 0..1.
        "clear-depth", "depth is cleared to {value}"
        => Depth { value: f32 };
        /// An attachment that is cleared is one that the pass has and writes.
        "clear-attachment", "{pass} has no {attachment} that it writes"
        => Attachment { pass: Label, attachment: String };
        /// A rectangle that is cleared has an area and lies within its pass.
        "clear-rect", "{rect} is not within {pass} of {width}x{height}", rect = rect.name()
        => Rect { rect: Rect, pass: Label, width: u32, height: u32 };
        /// Images are cleared outside of passes, attachments inside.
        "clear-recording", "{command}"
        => Recording { command: CommandError };
    }
}

impl Clear {
    /// Writes what does it.
    pub(crate) fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), MemoryError> {
        let inner = &self.image.inner;
        let levels = &inner.memory.planes[self.plane].levels;
        let range = self.range;
        let deep = self.image.shape().dimension == TextureDimension::D3;
        for index in range.level..range.level + range.levels {
            let slices = match deep {
                true => 0..levels[index as usize].slices,
                false => range.layer..range.layer + range.layers,
            };
            let (memory, level) = (&inner.memory, (self.plane, index));
            encoder.fill_slices(inner.base, memory, level, slices, self.texel.bytes())?;
        }
        Ok(())
    }
}

impl CommandBuffer {
    /// Clears levels and layers of an image to a colour, converted to its format; integer formats take the whole
    /// numbers. The image has usage COPY_DST, a plain colour format, and is in layout `CopyDestination` or `General`.
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
    /// # use girih::*;
    /// # let (device, queue) = setup::device()?;
    /// # let (image, _) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
    /// let mut commands = device.create_command_buffer(None);
    /// commands.clear_color_image(&image, image.subresources(), Color { r: 1.0, g: 0.5, b: 0.0, a: 1.0 })?;
    /// queue.submit(&[&commands], &[])?;
    /// let picture = queue.read_picture(&image)?;
    /// assert!(picture.pixels().all(|pixel| pixel.0 == [255, 128, 0, 255]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Errors: [`ClearError::Usage`], [`ClearError::Format`], [`ClearError::Subresources`], [`ClearError::Recording`]
    /// in a pass.
    pub fn clear_color_image(
        &mut self,
        image: &Image,
        range: Subresources,
        value: Color,
    ) -> Result<(), ClearError> {
        self.check_clear("clear_color_image", image, range)?;
        let format = image.format();
        if format.is_depth_stencil_format()
            || format.is_compressed()
            || format.is_multi_planar_format()
        {
            return Err(no_aspect(image, "color"));
        }
        let texel = Texel::color(format, &value);
        let user = self.recording.next("clear_color_image");
        self.push_clear(image, 0, range, texel, user);
        Ok(())
    }

    /// Clears depth (to 0 to 1), stencil (to its low 8 bits) or both in levels and layers of an image. None leaves an
    /// aspect alone.
    ///
    /// Errors: as [`CommandBuffer::clear_color_image`], and [`ClearError::Depth`].
    pub fn clear_depth_stencil_image(
        &mut self,
        image: &Image,
        range: Subresources,
        depth: Option<f32>,
        stencil: Option<u32>,
    ) -> Result<(), ClearError> {
        self.check_clear("clear_depth_stencil_image", image, range)?;
        let plane = |aspect, what| {
            let found = image.inner.memory.plane(aspect);
            found.ok_or_else(|| no_aspect(image, what))
        };
        let mut clears = Vec::new();
        if let Some(value) = depth {
            check_depth(value)?;
            let plane = plane(TextureAspect::DepthOnly, "depth")?;
            clears.push((plane, Texel::depth(&image.inner.memory, plane, value)));
        }
        if let Some(value) = stencil {
            let plane = plane(TextureAspect::StencilOnly, "stencil")?;
            clears.push((plane, Texel::stencil(value)));
        }
        let user = self.recording.next("clear_depth_stencil_image");
        for (plane, texel) in clears {
            self.push_clear(image, plane, range, texel, user.clone());
        }
        Ok(())
    }

    /// Clears rectangles, in pixels, of attachments of the pass, whatever is bound. No rectangle clears nothing.
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
    /// # use girih::*;
    /// # let (device, queue) = setup::device()?;
    /// # let (image, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
    /// # let blue = setup::blue(&view); // clears to blue
    /// # let mut commands = device.create_command_buffer(None);
    /// commands.begin_pass(&RenderPass { colors: &[Some(blue)], ..RenderPass::default() })?;
    /// let red = ClearAttachment::Color { index: 0, value: Color::RED };
    /// commands.clear_attachments(&[red], &[Rect { x: 4, y: 4, width: 8, height: 2 }])?;
    /// commands.end_pass()?;
    /// queue.submit(&[&commands], &[])?;
    /// let picture = queue.read_picture(&image)?;
    /// assert_eq!(picture.get_pixel(4, 5).0, [255, 0, 0, 255]);
    /// assert_eq!(picture.get_pixel(4, 6).0, [0, 0, 255, 255]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Errors: [`ClearError::Attachment`], [`ClearError::Rect`], [`ClearError::Depth`], [`ClearError::Recording`]
    /// outside of passes.
    pub fn clear_attachments(
        &mut self,
        attachments: &[ClearAttachment],
        rects: &[Rect],
    ) -> Result<(), ClearError> {
        let pass = self.inside_pass("clear_attachments").map_err(recording)?;
        let (width, height) = (pass.targets.width, pass.targets.height);
        for &rect in rects {
            let ends = |at: u32, size: u32, limit: u32| {
                size > 0 && at.checked_add(size).is_some_and(|end| end <= limit)
            };
            if !ends(rect.x, rect.width, width) || !ends(rect.y, rect.height, height) {
                return Err(ClearError::Rect {
                    rect,
                    pass: pass.label.clone(),
                    width,
                    height,
                });
            }
        }
        for attachment in attachments {
            check_target(pass, attachment)?;
        }
        for &clear in attachments {
            for &rect in rects {
                self.push(Command::ClearAttachment(clear, rect));
            }
        }
        Ok(())
    }

    fn check_clear(
        &self,
        command: &'static str,
        image: &Image,
        range: Subresources,
    ) -> Result<(), ClearError> {
        self.outside_pass(command).map_err(recording)?;
        if !image.usage().contains(TextureUsages::COPY_DST) {
            return Err(ClearError::Usage {
                image: image.label().clone(),
            });
        }
        if !image.contains(range) {
            return Err(ClearError::Subresources {
                image: image.label().clone(),
                range,
                levels: image.levels(),
                layers: image.layers(),
            });
        }
        Ok(())
    }

    fn push_clear(
        &mut self,
        image: &Image,
        plane: usize,
        range: Subresources,
        texel: Texel,
        user: User,
    ) {
        self.require(image, range, TO, user);
        self.push(Command::Clear(Box::new(Clear {
            image: image.clone(),
            plane,
            range,
            texel,
        })));
    }
}

fn recording(command: CommandError) -> ClearError {
    ClearError::Recording { command }
}

fn no_aspect(image: &Image, what: &'static str) -> ClearError {
    ClearError::Format {
        image: image.label().clone(),
        format: image.format(),
        what,
    }
}

fn check_depth(value: f32) -> Result<(), ClearError> {
    match (0.0..=1.0).contains(&value) {
        true => Ok(()),
        false => Err(ClearError::Depth { value }),
    }
}

/// An attachment that is cleared is one that the pass writes.
fn check_target(pass: &Pass, attachment: &ClearAttachment) -> Result<(), ClearError> {
    let color = |index: u32| pass.targets.colors.get(index as usize);
    let depth = pass.targets.depth_stencil.as_ref();
    // A view of one aspect attaches that aspect alone.
    let (found, name) = match *attachment {
        ClearAttachment::Color { index, .. } => (
            color(index).is_some_and(Option::is_some),
            format!("color attachment {index}"),
        ),
        ClearAttachment::Depth(_) => (
            depth.is_some_and(|d| !d.depth.is_read_only() && d.view.format().has_depth_aspect()),
            "depth attachment".to_owned(),
        ),
        ClearAttachment::Stencil(_) => (
            depth
                .is_some_and(|d| !d.stencil.is_read_only() && d.view.format().has_stencil_aspect()),
            "stencil attachment".to_owned(),
        ),
    };
    match *attachment {
        _ if !found => Err(ClearError::Attachment {
            pass: pass.label.clone(),
            attachment: name,
        }),
        ClearAttachment::Depth(value) => check_depth(value),
        _ => Ok(()),
    }
}
