//! Images in memory, and descriptors: buffers, images, samplers.
//!
//! In: shapes, views and samplers. Out: where levels lie, and the words of resources and samplers. [R600D]

use ::r600::formats;
use ::r600::resource::{
    Sampler, TexResourceWord0, TexResourceWord1, TexResourceWord4, TexResourceWord5,
    TexResourceWord6, TexSamplerWord0, TexSamplerWord1, TexSamplerWord2, TextureResource,
    VertexResource, VtxConstantWord2, dim, kind, mip_filter, num_format, xy_filter,
};
use ::r600::tiling::{self, ArrayMode, Config, ImageKind, Surface, Swizzle, TileMode, array_mode};
use silicon::texture::format::{Aspects, FormatCapabilities};
use silicon::{Addr, Format};
use wgpu_types as wgt;
use wgt::TextureAspect;

use super::memory::{BORDER_AT, BYTES};
use super::state::R600;
use crate::codegen::radeon::r6xx::codes::{address_mode, comparison};
use crate::codegen::radeon::r6xx::images as r6xx;
use crate::driver::{ConstantTable, TableFull};
use crate::format::{texture_format, vertex_format};
use crate::image::{Elements, ImageMemory, ImageShape, Level, Plane, Region, video_planes};
use crate::layout::DescriptorBytes;
use crate::state::{AttributeFetch, BufferRange, ImageBinding, SamplerState, TexelRange};
use crate::targets::{Surfaces, Unsupported};

/// Word of a buffer's descriptor that holds its address / 256; the next holds its bytes / 256. Resources have no use
/// for these words, constant buffers are loaded from them. Of texel buffers, the first is the number of texels.
pub(super) const BANK_WORD: u32 = 3;
/// Bytes of scratch memory that a pipeline may have, unless a few waves need more.
const SCRATCH_BYTES: u64 = 8 << 20;

/// Pipes, banks and groups: lower bits of a surface's address turn its channels, so that images start at zeros.
const SWIZZLE_BYTES: u64 = 2048;

/// How the elements of a level are ordered, as its `tiling` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order {
    /// ARRAY_MODE.
    pub mode: u8,
    /// Depth surfaces have an order of their own within a tile.
    pub depth: bool,
}

impl Order {
    pub fn from_word(word: u32) -> Order {
        Order {
            mode: word as u8,
            depth: word >> 8 != 0,
        }
    }

    fn word(self) -> u32 {
        u32::from(self.mode) | u32::from(self.depth) << 8
    }
}

/// One plane of an image: aspect, bytes of an element, how many of them are stored, and their place in the stored format.
struct Part {
    aspect: TextureAspect,
    bytes: u32,
    held: u32,
    place: u32,
}

impl Surfaces for R600 {
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
        if !format.planes().is_empty() {
            for (aspect, plane, shape) in video_planes(shape, format) {
                let bytes = plane.size_bytes();
                let part = Part {
                    aspect,
                    bytes,
                    held: bytes,
                    place: 0,
                };
                add(&mut image, &shape, plane, ImageKind::Color, &[part]);
            }
            return Ok(image);
        }
        let stored = formats::stored(format);
        let part = |aspect, bytes, place| Part {
            aspect,
            bytes,
            held: bytes,
            place,
        };
        let whole = stored.size_bytes();
        let depth = match stored {
            Format::D32FloatS8Uint => part(TextureAspect::DepthOnly, 4, 0),
            Format::D24UnormS8Uint => Part {
                held: 3,
                ..part(TextureAspect::DepthOnly, 4, 0)
            },
            _ => part(TextureAspect::DepthOnly, whole, 0),
        };
        let stencil = match stored {
            Format::D32FloatS8Uint => part(TextureAspect::StencilOnly, 1, 4),
            _ => part(TextureAspect::StencilOnly, 1, 3),
        };
        let (kind, parts) = match format.aspects() {
            Aspects::Color | Aspects::Planes => {
                (ImageKind::Color, vec![part(TextureAspect::All, whole, 0)])
            }
            Aspects::Depth => (ImageKind::Depth, vec![depth]),
            Aspects::Stencil => (ImageKind::Depth, vec![stencil]),
            Aspects::DepthStencil => (ImageKind::Depth, vec![depth, stencil]),
        };
        add(&mut image, shape, stored, kind, &parts);
        Ok(image)
    }

    /// Where the elements of a region lie, in one sample.
    fn elements(&self, image: &ImageMemory, region: &Region, sample: u32) -> Elements {
        let plane = &image.planes[region.plane];
        let level = &plane.levels[region.level as usize];
        let order = Order::from_word(level.tiling);
        let surface = Surface {
            config: Config::CHIP,
            mode: ArrayMode::from_code(order.mode),
            depth_order: order.depth,
            element_bytes: plane.stored_bytes,
            pitch: level.pitch,
            height: level.rows,
            slices: level.slices,
            samples: image.shape.samples,
            swizzle: Swizzle::default(),
        };
        let (surface, start) = surface.at(level.offset);
        let start = start + u64::from(plane.place);
        Elements::new(&surface, start, region.axes(), sample, plane.bytes())
    }

    /// A buffer of bytes: accesses outside of it read zero.
    fn buffer_descriptor(&self, range: BufferRange, out: &mut Vec<u32>) {
        let resource = VertexResource {
            base: range.address.0,
            size: range.bytes.min(u32::MAX.into()) as u32,
            word2: VtxConstantWord2 {
                // Indices are byte offsets.
                stride: 1,
                num_format_all: num_format::INT,
                ..VtxConstantWord2::from_word(0)
            },
        };
        let mut words = resource.words();
        words[BANK_WORD as usize] = (range.address.0 >> 8) as u32;
        words[BANK_WORD as usize + 1] = range.bytes.div_ceil(256) as u32;
        push(out, &words, BYTES.buffer);
    }

    /// A view of an image.
    fn image_descriptor(&self, view: &ImageBinding<'_>, out: &mut Vec<u32>) {
        let image = view.memory;
        let Some((plane, format, size)) = r6xx::shown(view) else {
            return;
        };
        let levels = &image.planes[plane].levels;
        let level = &levels[0];
        let order = Order::from_word(level.tiling);
        // The layout depends on all layers, so the whole image is described and the view cut out of it.
        let deep = match image.shape.dimension {
            wgt::TextureDimension::D3 => size.depth_or_array_layers,
            _ => described_layers(size.depth_or_array_layers, image.shape.levels),
        };
        let depth = match view.dimension {
            wgt::TextureViewDimension::Cube | wgt::TextureViewDimension::CubeArray => deep / 6,
            _ => deep,
        };
        // Stencil is the integer of a format that holds it beside depth.
        let stencil = image.planes[plane].aspect == TextureAspect::StencilOnly;
        let stored = match texture_format(image.shape.format).map(formats::stored) {
            Some(stored) if order.depth || stencil => stored,
            _ => format,
        };
        let mut number = formats::number_format(stored);
        let mut selects = formats::selectors(format);
        if stencil {
            number.num_format = num_format::INT;
            selects = [0, 4, 4, 5];
        }
        let comp = formats::format_comps(stored);
        let [x, y, z, w] = selects;
        let base = (view.base.0 + level.offset) >> 8;
        let mips = levels.get(1).map_or(0, |next| next.offset - level.offset);
        let resource = TextureResource {
            word0: TexResourceWord0 {
                dim: dim::D1 + r6xx::dimension(view),
                tile_mode: order.mode,
                tile_type: order.depth,
                // Counts texels, not blocks.
                pitch: (level.pitch * stored.block_size().0 / 8 - 1) as u16,
                tex_width: (size.width - 1) as u16,
            },
            word1: TexResourceWord1 {
                tex_height: (size.height - 1) as u16,
                tex_depth: (depth - 1) as u16,
                data_format: formats::data_format(stored).unwrap_or(0),
            },
            base: base as u32,
            mip_base: (base + (mips >> 8)) as u32,
            word4: TexResourceWord4 {
                format_comp_x: comp,
                format_comp_y: comp,
                format_comp_z: comp,
                format_comp_w: comp,
                num_format_all: number.num_format,
                force_degamma: number.degamma,
                dst_sel_x: x,
                dst_sel_y: y,
                dst_sel_z: z,
                dst_sel_w: w,
                base_level: view.first_level as u8,
                ..TexResourceWord4::from_word(0)
            },
            word5: TexResourceWord5 {
                last_level: r6xx::last_level(view),
                base_array: view.first_layer as u16,
                last_array: (view.first_layer + view.layers - 1) as u16,
                ..TexResourceWord5::from_word(0)
            },
            word6: TexResourceWord6 {
                kind: kind::VALID_TEXTURE,
                ..TexResourceWord6::from_word(0)
            },
        };
        push(out, &resource.words(), BYTES.texture);
    }

    /// A sampler.
    fn sampler_descriptor(
        &self,
        state: &SamplerState,
        _: &mut ConstantTable,
        out: &mut Vec<u32>,
    ) -> Result<(), TableFull> {
        let sampler = &state.base;
        let filter = |mode| r6xx::xy_filter(mode, state, xy_filter::ANISO_POINT);
        let words = Sampler {
            word0: TexSamplerWord0 {
                depth_compare_function: sampler.compare.map_or(0, comparison),
                border_color_type: r6xx::border_type(state),
                max_aniso_ratio: r6xx::aniso_ratio(state),
                mip_filter: r6xx::mip_filter(state),
                xy_min_filter: filter(sampler.min_filter),
                xy_mag_filter: filter(sampler.mag_filter),
                clamp_x: address_mode(sampler.address_mode_u),
                clamp_y: address_mode(sampler.address_mode_v),
                clamp_z: address_mode(sampler.address_mode_w),
                ..TexSamplerWord0::from_word(0)
            },
            word1: TexSamplerWord1 {
                // Signed, six bits behind the point.
                lod_bias: (state.lod_bias * 64.0).round_ties_even() as i16,
                max_lod: lod(sampler.lod_max_clamp),
                min_lod: lod(sampler.lod_min_clamp),
            },
            word2: TexSamplerWord2 {
                kind: true,
                ..TexSamplerWord2::from_word(0)
            },
        };
        let point = Sampler {
            word0: TexSamplerWord0 {
                max_aniso_ratio: 0,
                mip_filter: mip_filter::NONE,
                xy_min_filter: xy_filter::POINT,
                xy_mag_filter: xy_filter::POINT,
                ..words.word0
            },
            ..words
        };
        let color = state.border_color.unwrap_or_default();
        for sampler in [words, point] {
            push(out, &sampler.words(), BORDER_AT);
            push(out, &color, BYTES.sampler / 2 - BORDER_AT);
        }
        Ok(())
    }

    /// Elements of a vertex buffer: those that do not lie wholly within the buffer read as zero.
    fn attribute_descriptor(&self, attribute: &AttributeFetch, out: &mut Vec<u32>) {
        let Some(format) = vertex_format(attribute.format) else {
            debug_assert!(false, "{:?} is no vertex format", attribute.format);
            return;
        };
        let number = formats::number_format(format);
        let bytes = attribute.bytes();
        let resource = VertexResource {
            base: attribute.buffer.address.0 + u64::from(attribute.offset),
            size: bytes.min(u32::MAX.into()) as u32,
            word2: VtxConstantWord2 {
                stride: attribute.stride as u16,
                data_format: formats::vertex_format(format).unwrap_or(0),
                num_format_all: number.num_format,
                format_comp_all: number.signed,
                ..VtxConstantWord2::from_word(0)
            },
        };
        push(out, &resource.words(), BYTES.buffer);
    }

    /// No format of a vertex fetch starts with blue.
    fn loads_texels(&self, format: Format) -> bool {
        formats::vertex_format(format).is_some() && formats::selectors(format)[0] == 0
    }

    fn texel_descriptor(&self, texels: &TexelRange, out: &mut Vec<u32>) {
        let format = texels.format;
        let number = formats::number_format(format);
        let resource = VertexResource {
            base: texels.buffer.address.0,
            size: texels.count() * format.size_bytes(),
            word2: VtxConstantWord2 {
                stride: format.size_bytes() as u16,
                data_format: formats::vertex_format(format).unwrap_or(0),
                num_format_all: number.num_format,
                format_comp_all: number.signed,
                ..VtxConstantWord2::from_word(0)
            },
        };
        let mut words = resource.words();
        words[BANK_WORD as usize] = texels.count();
        push(out, &words, BYTES.buffer);
    }

    /// Bytes of scratch memory for as many waves as may run at once.
    fn scratch_bytes(&self, wave_bytes: u32) -> u64 {
        let wave = u64::from(wave_bytes.max(1));
        let waves = (SCRATCH_BYTES / wave).clamp(4, 64);
        (waves * wave).next_multiple_of(256)
    }

    /// Base and size of the scratch memory of both stages, which take turns.
    fn scratch_descriptor(&self, at: Addr, wave_bytes: u32, out: &mut Vec<u32>) {
        let half = self.scratch_bytes(wave_bytes) / 512;
        let base = (at.0 >> 8) as u32;
        out.extend([base, half as u32, base + half as u32, half as u32]);
    }
}

/// A ring as what its readers fetch from: places count words.
pub(super) fn ring_resource(ring: BufferRange) -> [u32; 7] {
    VertexResource {
        base: ring.address.0,
        size: ring.bytes as u32,
        word2: VtxConstantWord2 {
            stride: 4,
            num_format_all: num_format::INT,
            ..VtxConstantWord2::from_word(0)
        },
    }
    .words()
}

/// Appends a surface and the planes that are parts of its elements.
fn add(
    image: &mut ImageMemory,
    shape: &ImageShape,
    format: Format,
    kind: ImageKind,
    parts: &[Part],
) {
    let mode = |kind, bytes, samples, elements| TileMode {
        array: array_mode(kind, bytes, samples, elements),
        depth_order: kind == ImageKind::Depth,
    };
    let mut tiled = r6xx::tiled(shape, format, kind, mode);
    tiled.layers = described_layers(tiled.layers, tiled.levels);
    let layout = tiling::layout(&tiled);
    let align = layout.align.max(SWIZZLE_BYTES);
    let start = image.bytes.next_multiple_of(align);
    image.align = image.align.max(align);
    image.bytes = start + layout.bytes;
    for part in parts {
        let levels = layout.levels.iter().map(|level| {
            let order = Order {
                mode: level.surface.mode.code(),
                depth: level.surface.depth_order,
            };
            Level {
                offset: start + level.offset,
                width: level.width,
                height: level.height,
                slices: level.slices,
                pitch: level.surface.pitch,
                rows: level.surface.height,
                slice_bytes: level.surface.slice_bytes(),
                tiling: order.word(),
            }
        });
        image.planes.push(Plane {
            aspect: part.aspect,
            element_bytes: part.bytes,
            held_bytes: part.held,
            stored_bytes: format.size_bytes(),
            place: part.place,
            levels: levels.collect(),
        });
    }
}

/// Layers that descriptors have of an image. The chip places a single cube otherwise than an array of six layers, and an image may
/// be seen as both: of two cubes and of twelve layers it makes the same. Levels below the second are where that matters.
fn described_layers(layers: u32, levels: u32) -> u32 {
    match (layers, levels) {
        (6, 3..) => 12,
        _ => layers,
    }
}

/// Appends words and fills up to the size of a descriptor.
fn push(out: &mut Vec<u32>, words: &[u32], bytes: u32) {
    let end = out.len() + bytes as usize / 4;
    out.extend_from_slice(words);
    out.resize(end, 0);
}

/// Level of detail as unsigned 4.6.
fn lod(value: f32) -> u16 {
    (value.clamp(0.0, 15.98) * 64.0) as u16
}
