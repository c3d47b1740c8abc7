//! What decides how an image lies in memory, and fields of descriptors.

use radeon::r6xx::codes::{border, mip_filter};
use radeon::r6xx::tiling::{ImageKind, ImageShape as Tiled};
use silicon::Format;
use wgpu_types as wgt;
use wgt::{Extent3d, TextureAspect, TextureDimension};

use crate::format::texture_format;
use crate::image::{ImageMemory, ImageShape};
use crate::state::{ImageBinding, SamplerState};
use crate::targets::Unsupported;

/// The format of an image.
pub fn format(shape: &ImageShape) -> Result<Format, Unsupported> {
    texture_format(shape.format)
        .ok_or_else(|| Unsupported(format!("there is no format {:?}", shape.format)))
}

/// A plane as tiling sees it. `mode` chooses its tile mode, given what the plane is for, bytes of an element, samples, and
/// elements across and down.
pub fn tiled<M>(
    shape: &ImageShape,
    format: Format,
    kind: ImageKind,
    mode: impl Fn(ImageKind, u32, u32, [u32; 2]) -> M,
) -> Tiled<M> {
    let block: [u32; 2] = format.block_size().into();
    let size = shape.size;
    let (depth, layers) = match shape.dimension {
        TextureDimension::D3 => (size.depth_or_array_layers, 1),
        _ => (1, size.depth_or_array_layers),
    };
    let kind = match shape.dimension {
        TextureDimension::D1 => ImageKind::Linear,
        _ => kind,
    };
    let elements = [
        size.width.div_ceil(block[0]),
        size.height.div_ceil(block[1]),
    ];
    Tiled {
        mode: mode(kind, format.size_bytes(), shape.samples, elements),
        element_bytes: format.size_bytes(),
        block,
        width: size.width,
        height: size.height,
        depth,
        layers,
        single_cube: false,
        levels: shape.levels,
        samples: shape.samples,
        pitch: 0,
    }
}

/// BORDER_COLOR_TYPE of a sampler.
pub fn border_type(state: &SamplerState) -> u8 {
    match state.base.border_color {
        _ if state.border_color.is_some() => border::REGISTER,
        Some(wgt::SamplerBorderColor::OpaqueBlack) => border::OPAQUE_BLACK,
        Some(wgt::SamplerBorderColor::OpaqueWhite) => border::OPAQUE_WHITE,
        _ => border::TRANSPARENT_BLACK,
    }
}

/// MIP_FILTER of a sampler.
pub fn mip_filter(state: &SamplerState) -> u8 {
    match state.base.mipmap_filter {
        _ if state.unnormalized => mip_filter::NONE,
        wgt::MipmapFilterMode::Nearest => mip_filter::POINT,
        wgt::MipmapFilterMode::Linear => mip_filter::LINEAR,
    }
}

/// XY_MIN_FILTER or XY_MAG_FILTER; `anisotropic` is the first code of filters with several samples along the footprint.
pub fn xy_filter(mode: wgt::FilterMode, sampler: &SamplerState, anisotropic: u8) -> u8 {
    let along = match sampler.base.anisotropy_clamp > 1 {
        true => anisotropic,
        false => 0,
    };
    along + u8::from(mode == wgt::FilterMode::Linear)
}

/// Logarithm of MAX_ANISO_RATIO.
pub fn aniso_ratio(sampler: &SamplerState) -> u8 {
    sampler.base.anisotropy_clamp.clamp(1, 16).ilog2() as u8
}

/// What a view shows: index of the plane, format, and the size of its level 0.
pub fn shown(view: &ImageBinding<'_>) -> Option<(usize, Format, Extent3d)> {
    let Some(plane) = view.memory.plane(view.aspect) else {
        debug_assert!(false, "{:?} is no aspect of the image", view.aspect);
        return None;
    };
    let Some(format) = texture_format(view.format) else {
        debug_assert!(false, "{:?} is no format", view.format);
        return None;
    };
    let level = &view.memory.planes[plane].levels[0];
    let mut size = view.memory.shape.size;
    if matches!(view.aspect, TextureAspect::Plane1 | TextureAspect::Plane2) {
        (size.width, size.height) = (level.width, level.height);
    }
    Some((plane, format, size))
}

/// An image without planes yet.
pub fn empty(shape: &ImageShape) -> ImageMemory {
    ImageMemory {
        shape: shape.clone(),
        bytes: 0,
        align: 256,
        planes: Vec::new(),
    }
}

/// DIM of a view, counted from that of one dimension.
pub fn dimension(view: &ImageBinding<'_>) -> u8 {
    use wgt::TextureViewDimension as View;
    match (view.dimension, view.memory.shape.samples) {
        (View::D1, _) => 0,
        (View::D2, 1) => 1,
        (View::D3, _) => 2,
        (View::Cube | View::CubeArray, _) => 3,
        (View::D2Array, 1) => 5,
        (View::D2, _) => 6,
        (View::D2Array, _) => 7,
    }
}

/// LAST_LEVEL of a view; with several samples the logarithm of their number. [SI table 8.11]
pub fn last_level(view: &ImageBinding<'_>) -> u8 {
    match view.memory.shape.samples {
        1 => (view.first_level + view.levels - 1) as u8,
        samples => samples.ilog2() as u8,
    }
}
