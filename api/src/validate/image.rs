//! Images: what a device can make, and how its chip lays it out.

use pipeline::image::{ImageMemory, ImageShape};
use pipeline::silicon::texture::format::FormatCapabilities;
use pipeline::targets::{Target, Unsupported};
use wgpu_types::{Extent3d, TextureDimension, TextureFormat, TextureUsages};

use crate::error::Label;
use crate::image::{ImageDescriptor, ImageError};

/// Where the bytes of an image lie on a chip.
pub(crate) fn lay_out(
    target: &Target,
    label: &Label,
    desc: &ImageDescriptor<'_>,
) -> Result<ImageMemory, ImageError> {
    check_image(target, label, desc)?;
    let shape = ImageShape {
        format: desc.format,
        dimension: desc.dimension,
        size: desc.size,
        levels: desc.levels,
        samples: desc.samples,
        usage: desc.usage,
    };
    let memory = target.chip.image_memory(&shape);
    memory.map_err(|Unsupported(reason)| ImageError::Shape {
        label: label.clone(),
        reason,
    })
}

fn check_image(
    target: &Target,
    label: &Label,
    desc: &ImageDescriptor<'_>,
) -> Result<(), ImageError> {
    let label = || label.clone();
    let limits = &target.info.limits;
    let Extent3d {
        width,
        height,
        depth_or_array_layers: depth,
    } = desc.size;
    let (limit, depth_limit) = match desc.dimension {
        TextureDimension::D3 => (limits.image_3d, limits.image_3d),
        _ => (limits.image_2d, limits.image_layers),
    };
    let height_limit = if desc.dimension == TextureDimension::D1 {
        1
    } else {
        limit
    };
    if !(1..=limit).contains(&width)
        || !(1..=height_limit).contains(&height)
        || !(1..=depth_limit).contains(&depth)
    {
        return Err(ImageError::Size {
            label: label(),
            width,
            height,
            depth,
            limit,
            depth_limit,
        });
    }
    let most = desc.size.max_mips(desc.dimension);
    if !(1..=most).contains(&desc.levels) {
        return Err(ImageError::Levels {
            label: label(),
            levels: desc.levels,
            most,
        });
    }
    let support = target.format_capabilities(desc.format);
    let reason = if desc.samples == 1 {
        None
    } else if desc.dimension != TextureDimension::D2 {
        Some("only 2D images have several")
    } else if desc.levels != 1 {
        Some("images with several have one level")
    } else if !desc.usage.contains(TextureUsages::RENDER_ATTACHMENT) {
        Some("only images with usage RENDER_ATTACHMENT have several")
    } else if desc.usage.contains(TextureUsages::STORAGE_BINDING) {
        Some("images with usage STORAGE_BINDING have one")
    } else if !support.has_samples(desc.samples) {
        Some("the device does not have that many of this format")
    } else {
        None
    };
    if let Some(reason) = reason {
        return Err(ImageError::Samples {
            label: label(),
            samples: desc.samples,
            reason,
        });
    }
    if desc.usage.is_empty() {
        return Err(ImageError::NoUsage { label: label() });
    }
    let missing = unsupported(&support, desc.format, desc.usage);
    if !missing.is_empty() {
        return Err(ImageError::Format {
            label: label(),
            format: desc.format,
            usage: missing,
        });
    }
    let planar = desc.format.is_multi_planar_format();
    let (block, block_height) = match planar {
        true => desc.format.subsampling_factors(Some(1)),
        false => desc.format.block_dimensions(),
    };
    if block > 1
        && (desc.dimension != TextureDimension::D2
            || !width.is_multiple_of(block)
            || !height.is_multiple_of(block_height)
            || (planar && desc.levels > 1))
    {
        return Err(ImageError::Blocks {
            label: label(),
            width,
            height,
            format: desc.format,
            block,
        });
    }
    Ok(())
}

/// The part of a usage that a device cannot give.
fn unsupported(
    support: &FormatCapabilities,
    format: TextureFormat,
    usage: TextureUsages,
) -> TextureUsages {
    let mut missing = TextureUsages::empty();
    if !support.sampled {
        missing |= usage & TextureUsages::TEXTURE_BINDING;
    }
    if !support.storage {
        missing |= usage & TextureUsages::STORAGE_BINDING;
    }
    if !support.storage_atomic {
        missing |= usage & TextureUsages::STORAGE_ATOMIC;
    }
    let attachment = if format.is_depth_stencil_format() {
        support.depth_stencil
    } else {
        support.renderable
    };
    if !attachment {
        missing |= usage & TextureUsages::RENDER_ATTACHMENT;
    }
    if !support.sampled && !attachment {
        missing |= usage & (TextureUsages::COPY_SRC | TextureUsages::COPY_DST);
    }
    missing
}
