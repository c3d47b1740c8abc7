//! Resources and samplers made ready for silicon's sampler. [R600D SQ_TEX_RESOURCE, SQ_TEX_SAMPLER]

use std::collections::HashMap;
use std::sync::Arc;

use radeon::r6xx::codes;
use radeon::r6xx::texture::{Fields, View};
use radeon::registers::RegisterFile;
use silicon::texture::format::{Aspects, Read};
use silicon::texture::sample::{
    Aspect, Dim, Filter, Precision, PreparedSampler, PreparedTexture, Reduction, Sampler, Texture,
    TextureError,
};
use silicon::{Format, Memory};

use crate::formats::{self, NumberFormat};
use crate::resource::{
    Sampler as Words, TextureResource, dim, format_comp, num_format, sel, xy_filter,
};
use crate::tiling::{self, ArrayMode, TileMode};

/// Fraction bits of this chip's texture unit.
pub(super) const PRECISION: Precision = Precision {
    weight_bits: 8,
    lod_bits: 8,
};
/// Images that are kept.
const KEPT: usize = 256;

/// An image as instructions see it.
#[derive(Debug)]
pub(crate) struct Image {
    /// `resource::dim`.
    pub(crate) kind: u8,
    /// Width, height, depth of every level; slices or whole cubes for depth in arrays.
    pub(crate) sizes: Vec<[u32; 3]>,
    /// Samples of a texel.
    pub(crate) samples: u32,
    /// What the sampler works on.
    pub(crate) texture: PreparedTexture,
}

/// Why a texture resource cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ResourceError {
    #[error("a resource with data format {data}, number format {num}, signs {signed}")]
    Format { data: u8, num: u8, signed: u8 },
    #[error("a resource with levels {base} to {last}")]
    Levels { base: u8, last: u8 },
    #[error(
        "a resource of {bytes} bytes at {address:#x}, outside the {size} bytes of video memory"
    )]
    Outside { address: u64, bytes: u64, size: u64 },
    #[error("a resource: {0}")]
    Surface(String),
    #[error("a resource: {0}")]
    Texture(#[from] TextureError),
}

/// Images of a device, by the words of their resources.
#[derive(Debug, Default)]
pub(crate) struct Images {
    kept: HashMap<[u32; 7], Arc<Image>>,
}

impl Images {
    /// The image of a resource; none when nothing is bound.
    pub(crate) fn get(
        &mut self,
        resource: &TextureResource,
        memory: &Memory,
    ) -> Result<Option<Arc<Image>>, ResourceError> {
        if resource.word1.data_format == 0 {
            return Ok(None);
        }
        let words = resource.words();
        if let Some(image) = self.kept.get(&words) {
            return Ok(Some(image.clone()));
        }
        let image = Arc::new(decode(resource, memory)?);
        if self.kept.len() >= KEPT {
            self.kept.clear();
        }
        self.kept.insert(words, image.clone());
        Ok(Some(image))
    }
}

/// The format of a resource and which part of it is read.
fn format(resource: &TextureResource) -> Option<(Format, Aspect)> {
    let (data, word) = (resource.word1.data_format, &resource.word4);
    let number = NumberFormat {
        num_format: word.num_format_all,
        signed: word.format_comp_x == format_comp::SIGNED,
        degamma: word.force_degamma,
    };
    if word.num_format_all == num_format::INT {
        // Stencil is the integer of a depth-stencil format.
        let both = |format: Format| format.aspects() == Aspects::DepthStencil;
        let mut rows = formats::DATA_FORMATS.iter();
        let found = rows.find(|(format, code)| *code == data && both(*format));
        if let Some((format, _)) = found {
            return Some((*format, Aspect::Stencil));
        }
    }
    formats::from_resource(data, number).map(|format| (format, Aspect::First))
}

/// The texels that a resource shows; none when it has no level.
fn view(resource: &TextureResource) -> Option<View> {
    let TextureResource {
        word0,
        word1,
        word4,
        word5,
        ..
    } = resource;
    let dim = match word0.dim {
        dim::D1 | dim::D1_ARRAY => Dim::D1,
        dim::D3 => Dim::D3,
        dim::CUBEMAP => Dim::Cube,
        _ => Dim::D2,
    };
    let depth = u32::from(word1.tex_depth) + 1;
    let fields = Fields {
        dim,
        arrayed: matches!(
            word0.dim,
            dim::D1_ARRAY | dim::D2_ARRAY | dim::D2_ARRAY_MSAA | dim::CUBEMAP
        ),
        multisampled: matches!(word0.dim, dim::D2_MSAA | dim::D2_ARRAY_MSAA),
        size: [word0.tex_width, word1.tex_height, word1.tex_depth],
        // Cubes count whole, their slices six by six.
        layers: if dim == Dim::Cube { 6 * depth } else { depth },
        levels: [word4.base_level, word5.last_level],
        array: [word5.base_array, word5.last_array],
    };
    fields.view()
}

fn decode(resource: &TextureResource, memory: &Memory) -> Result<Image, ResourceError> {
    let TextureResource { word0, word4, .. } = resource;
    let (format, aspect) = format(resource).ok_or(ResourceError::Format {
        data: resource.word1.data_format,
        num: word4.num_format_all,
        signed: word4.format_comp_x,
    })?;
    let view = view(resource).ok_or(ResourceError::Levels {
        base: word4.base_level,
        last: resource.word5.last_level,
    })?;
    let mode = TileMode {
        array: ArrayMode::from_code(word0.tile_mode),
        depth_order: word0.tile_type,
    };
    let (block_width, _) = format.block_size();
    let pitch = (u32::from(word0.pitch) + 1) * 8 / block_width;
    let layout = tiling::layout(&view.shape(mode, format, pitch));
    let [base, mip_base] = [resource.base, resource.mip_base].map(|base| u64::from(base) << 8);
    // Levels below the first lie at a base of their own.
    let mips = layout.levels.get(1).map_or(0, |level| level.offset);
    let size = memory.size();
    let cube = view.dim == Dim::Cube;
    let mut levels = Vec::new();
    let mut sizes = Vec::new();
    for level in view.levels[0]..=view.levels[1] {
        let at = &layout.levels[usize::from(level)];
        at.surface.check().map_err(ResourceError::Surface)?;
        let address = match level {
            0 => base,
            _ => mip_base + (at.offset - mips),
        };
        let (surface, address) = at.surface.at(address);
        let bytes = surface.bytes(at.slices);
        if address.checked_add(bytes).is_none_or(|end| end > size) {
            return Err(ResourceError::Outside {
                address,
                bytes,
                size,
            });
        }
        let offset = |x, y, z, s| surface.offset(x, y, z, s);
        levels.push(view.level(level, at, address, surface.xor_bits(), offset));
        let [width, height, deep] = view.level_size(level);
        sizes.push([width, height, if cube { deep / 6 } else { deep }]);
    }
    let selectors = [
        word4.dst_sel_x,
        word4.dst_sel_y,
        word4.dst_sel_z,
        word4.dst_sel_w,
    ];
    let texture = Texture {
        dim: view.dim,
        format,
        aspect,
        select: selectors.map(|select| component(format, aspect, select)),
        layers: match cube {
            true => (view.slices / 6).max(1),
            false => view.slices,
        },
        samples: view.samples,
        min_lod: 0.0,
        levels,
    };
    Ok(Image {
        kind: word0.dim,
        sizes,
        samples: view.samples,
        texture: PreparedTexture::new(&texture)?,
    })
}

/// Selectors name stored channels; silicon counts components as the format reads them.
fn component(format: Format, aspect: Aspect, selector: u8) -> Read {
    match selector {
        sel::ONE => Read::One,
        // Stencil is the second channel of the texel and the first component of the part that is read.
        sel::Y if aspect == Aspect::Stencil => Read::Channel(0),
        sel::X..=sel::W => codes::component_of(format, selector - sel::X),
        _ => Read::Zero,
    }
}

/// A sampler; `bias` is the instruction's, `unnormalized` what it says of its coordinates.
pub(crate) fn sampler(
    words: [u32; 3],
    registers: &RegisterFile,
    border_register: u32,
    (bias, unnormalized): (f32, bool),
) -> (PreparedSampler, Sampler) {
    let Words {
        word0: w0,
        word1: w1,
        ..
    } = Words::from_words(words);
    let filter = |code: u8| match code {
        xy_filter::POINT | xy_filter::ANISO_POINT => Filter::Nearest,
        _ => Filter::Linear,
    };
    let anisotropic = [w0.xy_min_filter, w0.xy_mag_filter]
        .iter()
        .any(|code| *code >= xy_filter::ANISO_POINT);
    let sampler = Sampler {
        address: [w0.clamp_x, w0.clamp_y, w0.clamp_z].map(codes::address),
        mag: filter(w0.xy_mag_filter),
        min: filter(w0.xy_min_filter),
        slices: codes::between_slices(w0.z_filter),
        mip: codes::between_levels(w0.mip_filter),
        lod_bias: f32::from(w1.lod_bias) / 64.0 + bias,
        lod_min: f32::from(w1.min_lod) / 64.0,
        lod_max: f32::from(w1.max_lod) / 64.0,
        border: codes::border_color(w0.border_color_type, || {
            [0, 4, 8, 12].map(|at| registers.get(border_register + at))
        }),
        compare: codes::comparison(w0.depth_compare_function),
        unnormalized,
        anisotropy: codes::anisotropy(anisotropic, w0.max_aniso_ratio),
        reduction: Reduction::Average,
        seamless: true,
    };
    (PreparedSampler::new(sampler, PRECISION), sampler)
}
