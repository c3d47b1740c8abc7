//! Images in memory, and what a set says of them: the chip has no descriptors, so the driver's hold words of registers.
//!
//! In: shapes, views and samplers. Out: where levels lie, and the words that [`super::textures`] reads when it sets a unit.
//! [R5XX 2, 14]

use ::r5xx::regs::{
    TX_FILTER0, TX_FILTER1, TX_FORMAT0, TX_FORMAT1, TX_FORMAT2, TX_OFFSET, US_FORMAT0,
};
use ::r5xx::tiling::{self, Micro, Shape, Surface, Tiling};
use ::r5xx::tx::MAX_ANISO;
use silicon::texture::format::{Aspects, Class, FormatCapabilities};
use silicon::{Addr, Format};
use wgpu_types as wgt;
use wgt::TextureAspect;

use super::formats;
use super::interface::BYTES;
use super::packets::word;
use super::state::R5xx;
use crate::codegen::radeon::r6xx::images as r6xx;
use crate::driver::{ConstantTable, TableFull};
use crate::format::{texture_format, vertex_format};
use crate::image::{Elements, ImageMemory, ImageShape, Level, Plane, Region, video_planes};
use crate::layout::DescriptorBytes;
use crate::state::{AttributeFetch, BufferRange, ImageBinding, SamplerState};
use crate::targets::{Surfaces, Unsupported};

/// What images start at a multiple of: macro tiles.
const ALIGN: u64 = tiling::MACRO_BYTES as u64;
/// Faces of a cube.
const FACES: u32 = 6;

/// Words of a texture's descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextureWords {
    /// TX_FORMAT0, TX_FORMAT1, TX_FORMAT2, TX_OFFSET.
    pub registers: [u32; 4],
    /// US_FORMAT0.
    pub scale: u32,
    /// Format of the view, for the border: its place in the table.
    pub format: u32,
    /// Width, height, depth and layers.
    pub size: [u32; 4],
}

impl TextureWords {
    const LEN: usize = 10;

    fn pack(self) -> [u32; Self::LEN] {
        let [f0, f1, f2, offset] = self.registers;
        let [width, height, depth, layers] = self.size;
        let (scale, format) = (self.scale, self.format);
        [
            f0, f1, f2, offset, scale, format, width, height, depth, layers,
        ]
    }

    /// From the words of a set.
    pub(super) fn unpack(words: &[u32]) -> TextureWords {
        let at = |n: usize| words.get(n).copied().unwrap_or(0);
        TextureWords {
            registers: [at(0), at(1), at(2), at(3)],
            scale: at(4),
            format: at(5),
            size: [at(6), at(7), at(8), at(9)],
        }
    }

    /// Whether texels are floats, which the unit does not filter.
    pub(super) fn is_float(&self) -> bool {
        let format = Format::ALL.get(self.format as usize);
        format.is_some_and(|format| format.class() == Class::Float)
    }
}

/// Words of a sampler's descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SamplerWords {
    /// TX_FILTER0 without the finest level, TX_FILTER1.
    pub registers: [u32; 2],
    /// Finest and coarsest level.
    pub levels: [u32; 2],
    /// Border colour: register bits of red, green, blue and alpha.
    pub border: [u32; 4],
    /// Whether a reference less than, equal to and greater than a texel passes, where programs compare.
    pub compares: [bool; 3],
}

/// Where a word of levels has what is compared, a bit each.
const COMPARES: u32 = 16;

impl SamplerWords {
    fn pack(self) -> [u32; 8] {
        let ([f0, f1], [min, max], [r, g, b, a]) = (self.registers, self.levels, self.border);
        let [less, equal, greater] = self.compares.map(u32::from);
        let compares = less | equal << 1 | greater << 2;
        [f0, f1, min | compares << COMPARES, max, r, g, b, a]
    }

    /// From the words of a set.
    pub(super) fn unpack(words: &[u32]) -> SamplerWords {
        let at = |n: usize| words.get(n).copied().unwrap_or(0);
        let bit = |n: u32| at(2) >> (COMPARES + n) & 1 == 1;
        SamplerWords {
            registers: [at(0), at(1)],
            levels: [at(2) & 0xff, at(3)],
            border: [at(4), at(5), at(6), at(7)],
            compares: [bit(0), bit(1), bit(2)],
        }
    }

    /// Its registers with the nearest texel of the level that a program names.
    pub(super) fn nearest(&self) -> [u32; 2] {
        use TX_FILTER0::*;
        let filters = [MAG_FILTER, MIN_FILTER, MIP_FILTER, MAX_ANISO];
        let other = filters.map(|field| field.bits(!0)).iter().sum::<u32>();
        let filters = [MAG_FILTER, MIN_FILTER, MIP_FILTER].map(|field| (field, POINT));
        [self.registers[0] & !other | word(&filters), no_bias()]
    }

    /// Whether it filters within a level.
    pub(super) fn is_linear(&self) -> bool {
        TX_FILTER0::MAG_FILTER.get(self.registers[0]) != POINT
    }

    /// Whether it filters between levels.
    pub(super) fn is_linear_between(&self) -> bool {
        TX_FILTER0::MIP_FILTER.get(self.registers[0]) == LINEAR
    }

    /// What it adds to levels of detail.
    pub(super) fn bias(&self) -> f32 {
        (TX_FILTER1::LOD_BIAS.signed(self.registers[1]) - NO_BIAS) as f32 / BIAS_STEPS
    }

    /// That of texels which are read at integers: nearest, clamped, the level that the program gives.
    pub(super) fn texels() -> SamplerWords {
        use TX_FILTER0::*;
        let filters = [MAG_FILTER, MIN_FILTER, MIP_FILTER, VOL_FILTER].map(|field| (field, POINT));
        let clamps = [CLAMP_S, CLAMP_T, CLAMP_R].map(|field| (field, CLAMP_TO_EDGE));
        SamplerWords {
            registers: [word(&filters) | word(&clamps), no_bias()],
            levels: [0, MOST_LEVEL],
            border: [0; 4],
            compares: [false; 3],
        }
    }
}

/// TX_FILTER1 with nothing in it.
fn no_bias() -> u32 {
    TX_FILTER1::LOD_BIAS.bits(NO_BIAS as u32)
}

/// Filters of TX_FILTER0.
const POINT: u32 = 1;
const LINEAR: u32 = 2;
const ANISOTROPIC: u32 = 3;
/// Steps of LOD_BIAS between two levels.
const BIAS_STEPS: f32 = 32.0;
/// LOD_BIAS that leaves levels of detail as they are. [R5XX ERRATA 28]
const NO_BIAS: i32 = 1;
/// CLAMP_S of coordinates that stay on the texture.
const CLAMP_TO_EDGE: u32 = 2;
/// Largest level of a texture.
const MOST_LEVEL: u32 = 12;

/// How the elements of a level are ordered, as its `tiling` says: the macro bit, then MICRO_TILE.
pub(super) fn order(word: u32) -> Tiling {
    Tiling::new(word & 1 == 1, word >> 1).unwrap_or_default()
}

fn order_word(tiling: Tiling) -> u32 {
    u32::from(tiling.macro_tiled) | tiling.micro.code() << 1
}

impl Surfaces for R5xx {
    fn descriptor_bytes(&self) -> DescriptorBytes {
        BYTES
    }

    fn format_capabilities(&self, format: Format) -> FormatCapabilities {
        formats::capabilities(format)
    }

    /// Lays an image out. Depth and stencil lie in one surface; the planes of a video format apart.
    fn image_memory(&self, shape: &ImageShape) -> Result<ImageMemory, Unsupported> {
        let format = r6xx::format(shape)?;
        let mut image = r6xx::empty(shape);
        image.align = ALIGN;
        if !format.planes().is_empty() {
            for (aspect, plane, shape) in video_planes(shape, format) {
                let bytes = plane.size_bytes();
                add(&mut image, &shape, plane, &[(aspect, bytes, 0)])?;
            }
            return Ok(image);
        }
        let stored = formats::stored(format);
        let (depth, stencil) = (TextureAspect::DepthOnly, TextureAspect::StencilOnly);
        let parts = match format.aspects() {
            Aspects::Color | Aspects::Planes => vec![(TextureAspect::All, stored.size_bytes(), 0)],
            Aspects::Depth if stored == format => vec![(depth, stored.size_bytes(), 0)],
            // Stencil is the lowest byte.
            Aspects::Depth => vec![(depth, 3, 1)],
            Aspects::Stencil => vec![(stencil, 1, 0)],
            Aspects::DepthStencil => vec![(depth, 3, 1), (stencil, 1, 0)],
        };
        add(&mut image, shape, stored, &parts)?;
        Ok(image)
    }

    /// Where the elements of a region lie, in one sample.
    fn elements(&self, image: &ImageMemory, region: &Region, sample: u32) -> Elements {
        let plane = &image.planes[region.plane];
        let level = &plane.levels[region.level as usize];
        let surface = Surface {
            tiling: order(level.tiling),
            element_bytes: plane.stored_bytes,
            pitch: level.pitch,
            height: level.rows,
            samples: image.shape.samples,
            origin: [0; 2],
        };
        let start = level.offset + u64::from(plane.place);
        Elements::new(&surface, start, region.axes(), sample, plane.bytes())
    }

    /// Address and bytes.
    fn buffer_descriptor(&self, range: BufferRange, out: &mut Vec<u32>) {
        let bytes = range.bytes.min(u32::MAX.into()) as u32;
        push(out, &[range.address.0 as u32, bytes], BYTES.buffer);
    }

    /// Registers of a view: its first level is the texture's level 0.
    fn image_descriptor(&self, view: &ImageBinding<'_>, out: &mut Vec<u32>) {
        let Some((plane, format, size)) = r6xx::shown(view) else {
            return;
        };
        let words = texture(view, plane, format, size).map(TextureWords::pack);
        push(out, &words.unwrap_or_default(), BYTES.texture);
    }

    /// Registers of a sampler; a border is packed when the texture is known.
    fn sampler_descriptor(
        &self,
        state: &SamplerState,
        _: &mut ConstantTable,
        out: &mut Vec<u32>,
    ) -> Result<(), TableFull> {
        push(out, &sampler(state).pack(), BYTES.sampler);
        Ok(())
    }

    /// Address, bytes behind it, bytes from one element to the next, and the format's place in the table.
    fn attribute_descriptor(&self, attribute: &AttributeFetch, out: &mut Vec<u32>) {
        let Some(format) = vertex_format(attribute.format) else {
            debug_assert!(false, "{:?} is no vertex format", attribute.format);
            return;
        };
        let address = attribute.buffer.address.0 + u64::from(attribute.offset);
        let bytes = attribute.bytes().min(u32::MAX.into()) as u32;
        let words = [address as u32, bytes, attribute.stride, format as u32];
        push(out, &words, BYTES.buffer);
    }

    fn scratch_bytes(&self, _: u32) -> u64 {
        0
    }

    fn scratch_descriptor(&self, _: Addr, _: u32, _: &mut Vec<u32>) {
        debug_assert!(false, "no shader of the chip has scratch memory");
    }
}

/// Appends a surface and the planes that are parts of its elements: aspect, bytes, place in an element.
fn add(
    image: &mut ImageMemory,
    shape: &ImageShape,
    format: Format,
    parts: &[(TextureAspect, u32, u32)],
) -> Result<(), Unsupported> {
    let start = image.bytes.next_multiple_of(ALIGN);
    let levels = levels(shape, format)?;
    let end = levels
        .iter()
        .map(|level| level.bytes(0..level.slices).end)
        .max();
    image.bytes = start + end.unwrap_or(0);
    for &(aspect, bytes, place) in parts {
        let levels = levels.iter().map(|level| Level {
            offset: start + level.offset,
            ..level.clone()
        });
        image.planes.push(Plane {
            aspect,
            // Depth of 24 bits is a word outside.
            element_bytes: if bytes == 3 { 4 } else { bytes },
            held_bytes: bytes,
            stored_bytes: format.size_bytes(),
            place,
            levels: levels.collect(),
        });
    }
    Ok(())
}

/// The levels of a surface.
fn levels(shape: &ImageShape, format: Format) -> Result<Vec<Level>, Unsupported> {
    let (width, height) = (shape.size.width, shape.size.height);
    let third = shape.size.depth_or_array_layers;
    let volume = shape.dimension == wgt::TextureDimension::D3;
    if volume && !third.is_power_of_two() {
        return Err(Unsupported(format!(
            "{third} slices: TXDEPTH is a logarithm, so volumes have 1, 2, 4 and so on"
        )));
    }
    let cube = !volume && third == FACES && width == height && shape.samples == 1;
    if !volume && !cube && third != 1 {
        return Err(Unsupported(format!(
            "{third} layers of {width} by {height}: textures have one, or are cubes of six"
        )));
    }
    let (bytes, block) = (format.size_bytes(), <[u32; 2]>::from(format.block_size()));
    let tiling = tiling_of(shape, format);
    if shape.samples > 1 {
        let surface = Surface::new(tiling, bytes, [width, height], shape.samples);
        let surface = surface.map_err(Unsupported)?;
        let level = tiling::Level {
            offset: 0,
            size: [width, height, 1],
            slices: 1,
            surface,
        };
        return Ok(vec![self::level(&level, block)]);
    }
    let found = tiling::layout(&Shape {
        tiling,
        element_bytes: bytes,
        block,
        size: [width, height, if volume { third } else { 1 }],
        pitch: None,
        levels: shape.levels,
        cube,
        macro_switch: false,
    });
    let found = found.map_err(Unsupported)?;
    Ok(found.iter().map(|found| level(found, block)).collect())
}

/// Micro and macro tiles where there are such; blocks, and images of one line, lie in rows.
fn tiling_of(shape: &ImageShape, format: Format) -> Tiling {
    let rows = format.is_block() || shape.size.height == 1;
    let micro = Micro::Tiled.size(format.size_bytes()).is_some() && !rows;
    Tiling {
        macro_tiled: !rows,
        micro: if micro { Micro::Tiled } else { Micro::Linear },
    }
}

fn level(found: &tiling::Level, [across, down]: [u32; 2]) -> Level {
    let [width, height, _] = found.size;
    Level {
        offset: found.offset,
        width: width.div_ceil(across),
        height: height.div_ceil(down),
        slices: found.slices,
        pitch: found.surface.pitch,
        rows: found.surface.height,
        slice_bytes: found.surface.slice_bytes(),
        tiling: order_word(found.surface.tiling),
    }
}

/// The registers of a view; nothing where the chip has no such format.
fn texture(
    view: &ImageBinding<'_>,
    plane: usize,
    format: Format,
    size: wgt::Extent3d,
) -> Option<TextureWords> {
    use wgt::TextureViewDimension as View;
    let code = formats::texture_code(format)?;
    let level = &view.memory.planes[plane].levels[view.first_level as usize];
    let tiling = order(level.tiling);
    let at = |edge: u32| (edge >> view.first_level).max(1);
    let (kind, depth) = match view.dimension {
        View::D3 => (1, at(size.depth_or_array_layers)),
        View::Cube | View::CubeArray => (2, 1),
        View::D1 | View::D2 | View::D2Array => (0, 1),
    };
    let first = view.base.0 + level.offset + u64::from(view.first_layer) * level.slice_bytes;
    let (width, height) = (at(size.width) - 1, at(size.height) - 1);
    let format0 = {
        use TX_FORMAT0::*;
        [
            (TXWIDTH, width),
            (TXHEIGHT, height),
            (TXDEPTH, depth.ilog2()),
            (NUM_LEVELS, view.levels - 1),
        ]
    };
    let format1 = {
        use TX_FORMAT1::*;
        let [red, green, blue, alpha] = code.select;
        [
            (TXFORMAT, code.code),
            (SIGNED_COMP0, code.signs),
            (SIGNED_COMP1, code.signs >> 1),
            (SIGNED_COMP2, code.signs >> 2),
            (SIGNED_COMP3, code.signs >> 3),
            (SEL_RED, red),
            (SEL_GREEN, green),
            (SEL_BLUE, blue),
            (SEL_ALPHA, alpha),
            (GAMMA, u32::from(code.gamma)),
            (TEX_COORD_TYPE, kind),
        ]
    };
    let format2 = {
        use TX_FORMAT2::*;
        [
            (TXFORMAT_MSB, code.code >> 5),
            (TXWIDTH_11, width >> 11),
            (TXHEIGHT_11, height >> 11),
        ]
    };
    let offset = [
        (TX_OFFSET::MACRO_TILE, u32::from(tiling.macro_tiled)),
        (TX_OFFSET::MICRO_TILE, tiling.micro.code()),
    ];
    let scale = [(US_FORMAT0::TXWIDTH, width), (US_FORMAT0::TXHEIGHT, height)];
    Some(TextureWords {
        registers: [
            word(&format0),
            word(&format1),
            word(&format2),
            first as u32 | word(&offset),
        ],
        scale: word(&scale),
        format: format as u32,
        size: [width + 1, height + 1, depth, view.layers],
    })
}

/// The registers of a sampler. The chip joins no faces of a cube; programs compare.
fn sampler(state: &SamplerState) -> SamplerWords {
    let base = &state.base;
    // Probes along the longer axis of a footprint: 1, 2, 4, 8 or 16.
    let anisotropy = u32::from(base.anisotropy_clamp.clamp(1, 16)).ilog2();
    let filter = |mode| match mode {
        wgt::FilterMode::Linear if anisotropy > 0 => ANISOTROPIC,
        wgt::FilterMode::Linear => LINEAR,
        wgt::FilterMode::Nearest => POINT,
    };
    let clamp = |mode| match mode {
        wgt::AddressMode::Repeat => 0,
        wgt::AddressMode::MirrorRepeat => 1,
        wgt::AddressMode::ClampToEdge => CLAMP_TO_EDGE,
        wgt::AddressMode::ClampToBorder => 6,
    };
    let filter0 = {
        use TX_FILTER0::*;
        [
            (CLAMP_S, clamp(base.address_mode_u)),
            (CLAMP_T, clamp(base.address_mode_v)),
            (CLAMP_R, clamp(base.address_mode_w)),
            (MAG_FILTER, filter(base.mag_filter)),
            (MIN_FILTER, filter(base.min_filter)),
            (
                MIP_FILTER,
                match base.mipmap_filter {
                    wgt::MipmapFilterMode::Linear => LINEAR,
                    wgt::MipmapFilterMode::Nearest => POINT,
                },
            ),
            (MAX_ANISO, anisotropy),
        ]
    };
    let bias = (state.lod_bias * BIAS_STEPS).round_ties_even() + NO_BIAS as f32;
    let bias = bias.clamp(-512.0, 511.0);
    let filter1 = [(TX_FILTER1::LOD_BIAS, bias as i32 as u32)];
    let level = |lod: f32| lod.round_ties_even().clamp(0.0, MOST_LEVEL as f32) as u32;
    let one = 1f32.to_bits();
    SamplerWords {
        registers: [word(&filter0), word(&filter1)],
        levels: [level(base.lod_min_clamp), level(base.lod_max_clamp)],
        compares: {
            use wgt::CompareFunction as C;
            match base.compare.unwrap_or(C::Never) {
                C::Never => [false; 3],
                C::Less => [true, false, false],
                C::Equal => [false, true, false],
                C::LessEqual => [true, true, false],
                C::Greater => [false, false, true],
                C::NotEqual => [true, false, true],
                C::GreaterEqual => [false, true, true],
                C::Always => [true; 3],
            }
        },
        border: match (state.border_color, base.border_color) {
            (Some(color), _) => color,
            (None, Some(wgt::SamplerBorderColor::OpaqueWhite)) => [one; 4],
            (None, Some(wgt::SamplerBorderColor::OpaqueBlack)) => [0, 0, 0, one],
            _ => [0; 4],
        },
    }
}

/// TX_BORDER_COLOR: a texel of the format, of blocks of colours ARGB8888, of others bytes from component 0 on; of wider texels
/// the first word.
pub(super) fn border(format: u32, color: [u32; 4]) -> u32 {
    let Some(&format) = Format::ALL.get(format as usize) else {
        return 0;
    };
    let packed = match (format.is_block(), format.components(), format.class()) {
        (false, ..) => formats::stored(format),
        (true, 4, _) => Format::B8G8R8A8Unorm,
        (true, _, Class::Snorm) => Format::R8G8B8A8Snorm,
        (true, ..) => Format::R8G8B8A8Unorm,
    };
    let mut bytes = [0; 16];
    packed.pack(color, &mut bytes);
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// Width, height and depth of an image as [`texture_format`] and the shape of its plane give them.
pub(super) fn target_format(format: wgt::TextureFormat) -> Option<formats::TargetCode> {
    texture_format(format).and_then(formats::target_code)
}

/// Appends words and fills up to the size of a descriptor.
fn push(out: &mut Vec<u32>, words: &[u32], bytes: u32) {
    let end = out.len() + bytes as usize / 4;
    out.extend_from_slice(words);
    out.resize(end, 0);
}
