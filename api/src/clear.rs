//! Clearing images outside of passes, and rectangles of attachments inside them.

use pipeline::image::Region;
use wgpu_types as wgt;
use wgt::{Color, TextureAspect, TextureDimension, TextureFormat, TextureUsages};

use crate::command::{Command, CommandBuffer, CommandError};
use crate::copy::TO;
use crate::encode::{pack_color, pack_depth};
use crate::error::{Label, rules};
use crate::image::{Image, ImageView, Subresources};
use crate::pass::Pass;
use crate::{Addr, MemoryError, Rect};
use pipeline::encode::Encoder;

rules! {
    /// A clear that cannot be recorded.
    pub enum ClearError {
        /// An image that is cleared has the usage COPY_DST.
        "clear-usage", "{image} lacks the usage COPY_DST"
        => Usage { image: Label };
        /// Colour is cleared in formats of plain texels, depth and stencil where the format has them.
        "clear-format", "{image} of format {format:?} has no {what} to clear"
        => Format { image: Label, format: TextureFormat, what: &'static str };
        /// Levels and layers that are cleared are ones that the image has.
        "clear-subresources", "{range:?} is not within {image} of {levels} levels and {layers} layers"
        => Subresources { image: Label, range: Subresources, levels: u32, layers: u32 };
        /// Depth is cleared to 0..1.
        "clear-depth", "depth is cleared to {value}"
        => Depth { value: f32 };
        /// An attachment that is cleared is one that the pass has and writes.
        "clear-attachment", "{pass} has no {attachment} that it writes"
        => Attachment { pass: Label, attachment: String };
        /// A rectangle that is cleared has an area and lies within its pass.
        "clear-rect", "{rect:?} is not within {pass} of {width}x{height}"
        => Rect { rect: Rect, pass: Label, width: u32, height: u32 };
        /// Images are cleared outside of passes, attachments inside.
        "clear-recording", "{command}"
        => Recording { command: CommandError };
    }
}

/// What an attachment of the pass is cleared to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClearAttachment {
    /// A colour attachment, by number.
    Color {
        /// Which.
        index: u32,
        /// To what; integer formats take the whole numbers.
        value: Color,
    },
    /// Depth of the depth-stencil attachment.
    Depth(f32),
    /// Stencil of the depth-stencil attachment.
    Stencil(u32),
}

/// A checked clear of one plane.
#[derive(Clone, Debug)]
pub(crate) struct Clear {
    pub(crate) image: Image,
    plane: usize,
    range: Subresources,
    /// A rectangle in one layer, or in one depth slice of a 3D image; none clears all of each level.
    rect: Option<(Rect, u32)>,
    texel: Texel,
}

/// A packed texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Texel {
    bytes: [u8; 16],
    len: usize,
}

impl Texel {
    fn color(format: TextureFormat, value: &Color) -> Texel {
        let mut bytes = [0; 16];
        let len = pack_color(format, value, &mut bytes);
        Texel { bytes, len }
    }

    fn depth(image: &Image, plane: usize, value: f32) -> Texel {
        let mut bytes = [0; 16];
        let plane = &image.inner.memory.planes[plane];
        let format = image.format().aspect_specific_format(plane.aspect);
        pack_depth(format.unwrap_or(image.format()), value, &mut bytes);
        Texel {
            bytes,
            len: plane.held_bytes as usize,
        }
    }

    fn stencil(value: u32) -> Texel {
        let mut bytes = [0; 16];
        bytes[0] = value as u8;
        Texel { bytes, len: 1 }
    }
}

impl Clear {
    /// Writes what does it.
    pub(crate) fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), MemoryError> {
        let inner = &self.image.inner;
        let texel = &self.texel.bytes[..self.texel.len];
        let levels = &inner.memory.planes[self.plane].levels;
        let range = self.range;
        let deep = self.image.shape().dimension == TextureDimension::D3;
        for index in range.level..range.level + range.levels {
            let level = &levels[index as usize];
            let slices = match (self.rect, deep) {
                (Some((_, slice)), _) => slice..slice + 1,
                (None, true) => 0..level.slices,
                (None, false) => range.layer..range.layer + range.layers,
            };
            let whole = Rect {
                x: 0,
                y: 0,
                width: level.width,
                height: level.height,
            };
            let interleaved = inner.memory.planes[self.plane].is_interleaved();
            let rect = self.rect.map(|(rect, _)| rect);
            let Some(rect) = rect.or(interleaved.then_some(whole)) else {
                // Slices are ranges of memory, whatever the order of their texels.
                let start = level.offset + u64::from(slices.start) * level.slice_bytes;
                let bytes = level.slice_bytes * slices.len() as u64;
                encoder.fill(Addr(inner.base.0 + start), bytes, texel)?;
                continue;
            };
            let region = Region {
                plane: self.plane,
                level: index,
                x: rect.x..rect.x + rect.width,
                y: rect.y..rect.y + rect.height,
                slices,
            };
            let chip = inner.allocation.shared.driver.target.chip;
            let pieces = pipeline::image::pieces(chip, &inner.memory, &region);
            encoder.fill_pieces(inner.base, &pieces, texel)?;
        }
        Ok(())
    }
}

impl CommandBuffer {
    /// Clears levels and layers of an image to a colour; integer formats take the whole numbers.
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
        self.push_clear(image, 0, range, None, texel);
        Ok(())
    }

    /// Clears depth, stencil or both in levels and layers of an image.
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
            clears.push((plane, Texel::depth(image, plane, value)));
        }
        if let Some(value) = stencil {
            let plane = plane(TextureAspect::StencilOnly, "stencil")?;
            clears.push((plane, Texel::stencil(value)));
        }
        for (plane, texel) in clears {
            self.push_clear(image, plane, range, None, texel);
        }
        Ok(())
    }

    /// Clears rectangles of attachments of the pass, whatever is bound. No rectangle clears nothing.
    pub fn clear_attachments(
        &mut self,
        attachments: &[ClearAttachment],
        rects: &[Rect],
    ) -> Result<(), ClearError> {
        self.inside_pass("clear_attachments").map_err(recording)?;
        let begun = self
            .commands
            .iter()
            .rev()
            .find_map(|command| match command {
                Command::BeginPass(pass) => Some((**pass).clone()),
                _ => None,
            });
        let pass = begun.expect("an open pass was begun");
        for &rect in rects {
            let ends = |at: u32, size: u32, limit: u32| {
                size > 0 && at.checked_add(size).is_some_and(|end| end <= limit)
            };
            if !ends(rect.x, rect.width, pass.width) || !ends(rect.y, rect.height, pass.height) {
                return Err(ClearError::Rect {
                    rect,
                    pass: pass.label.clone(),
                    width: pass.width,
                    height: pass.height,
                });
            }
        }
        let found: Vec<_> = attachments
            .iter()
            .map(|attachment| target(&pass, attachment))
            .collect::<Result<_, _>>()?;
        for (view, plane, texel) in found {
            for &rect in rects {
                let range = view.subresources();
                let place = Some((rect, view.first_slice()));
                self.push_clear(view.image(), plane, range, place, texel);
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
        rect: Option<(Rect, u32)>,
        texel: Texel,
    ) {
        if rect.is_none() {
            self.require(image, range, TO);
        }
        self.push(Command::Clear(Box::new(Clear {
            image: image.clone(),
            plane,
            range,
            rect,
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

/// The view, plane and texel of an attachment that is cleared.
fn target(
    pass: &Pass,
    attachment: &ClearAttachment,
) -> Result<(ImageView, usize, Texel), ClearError> {
    let missing = |attachment: String| ClearError::Attachment {
        pass: pass.label.clone(),
        attachment,
    };
    if let ClearAttachment::Color { index, value } = attachment {
        let color = pass.colors.get(*index as usize).and_then(Option::as_ref);
        let Some((view, _)) = color else {
            return Err(missing(format!("color attachment {index}")));
        };
        return Ok((view.clone(), 0, Texel::color(view.format(), value)));
    }
    let depth = matches!(attachment, ClearAttachment::Depth(_));
    let (aspect, name) = match depth {
        true => (TextureAspect::DepthOnly, "depth attachment"),
        false => (TextureAspect::StencilOnly, "stencil attachment"),
    };
    // A view of one aspect attaches that aspect alone.
    let found = pass.depth_stencil.as_ref().filter(|found| match depth {
        true => !found.depth_read_only && found.view.format().has_depth_aspect(),
        false => !found.stencil_read_only && found.view.format().has_stencil_aspect(),
    });
    let plane = found.and_then(|found| found.view.image().inner.memory.plane(aspect));
    let (Some(found), Some(plane)) = (found, plane) else {
        return Err(missing(name.to_owned()));
    };
    let view = found.view.clone();
    let texel = match attachment {
        ClearAttachment::Stencil(value) => Texel::stencil(*value),
        ClearAttachment::Depth(value) => {
            check_depth(*value)?;
            Texel::depth(view.image(), plane, *value)
        }
        ClearAttachment::Color { .. } => unreachable!("handled above"),
    };
    Ok((view, plane, texel))
}
