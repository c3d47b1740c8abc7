//! Images in memory, and descriptors. `docs/driver-rogue.md` says what is in them.

use ::rogue::SCRATCH_WAVES;
use ::rogue::formats;
use ::rogue::layout::{self, IMAGE_ALIGN, Order, Shape, Surface};
use ::rogue::tpu::state::{BORDERS, Image0, Image1, Sampler0, Sampler1, textype};
use silicon::texture::format::FormatCapabilities;
use silicon::{Addr, Format};
use wgpu_types as wgt;
use wgt::{TextureAspect, TextureDimension, TextureViewDimension as View};

use super::BYTES;
use super::packets::address;
use super::state::{Rogue, comparison};
use crate::driver::{ConstantTable, TableFull};
use crate::format::{texture_format, vertex_format};
use crate::image::{Elements, ImageMemory, ImageShape, Level, Plane, Region, video_planes};
use crate::layout::DescriptorBytes;
use crate::state::{AttributeFetch, BufferRange, ImageBinding, SamplerState, TexelRange};
use crate::targets::{Surfaces, Unsupported};

/// Most rows of texels.
const MOST_ROWS: u32 = 1 << 14;

/// Depth and stencil have planes of their own.
pub(super) fn planes(format: Format) -> Vec<(TextureAspect, Format)> {
    use TextureAspect::{DepthOnly, StencilOnly};
    match format {
        Format::D24UnormS8Uint => vec![
            (DepthOnly, Format::D24UnormX8),
            (StencilOnly, Format::S8Uint),
        ],
        Format::D32FloatS8Uint => {
            vec![(DepthOnly, Format::D32Float), (StencilOnly, Format::S8Uint)]
        }
        Format::D16Unorm | Format::D24UnormX8 | Format::D32Float => vec![(DepthOnly, format)],
        Format::S8Uint => vec![(StencilOnly, format)],
        _ => vec![(TextureAspect::All, format)],
    }
}

/// A plane of an image as the chip lays it out.
fn shape(image: &ImageShape, format: Format) -> Shape {
    let block: [u32; 2] = format.block_size().into();
    let size = image.size;
    let is_3d = image.dimension == TextureDimension::D3;
    Shape {
        order: match is_3d {
            true => Order::Twiddled3d,
            false => Order::Twiddled,
        },
        element_bytes: format.size_bytes(),
        block,
        size: [
            size.width,
            size.height,
            if is_3d { size.depth_or_array_layers } else { 1 },
        ],
        pitch: None,
        levels: image.levels,
        samples: image.samples,
    }
}

fn layers(image: &ImageShape) -> u32 {
    match image.dimension {
        TextureDimension::D3 => 1,
        _ => image.size.depth_or_array_layers,
    }
}

/// A level of a plane as a surface.
pub(super) fn surface(image: &ImageMemory, plane: &Plane, level: &Level) -> Surface {
    let is_3d = image.shape.dimension == TextureDimension::D3;
    Surface {
        order: match is_3d {
            true => Order::Twiddled3d,
            false => Order::Twiddled,
        },
        element_bytes: plane.element_bytes,
        pitch: level.pitch,
        height: level.rows,
        depth: match is_3d {
            true => level.slices.next_power_of_two().max(4),
            false => 1,
        },
        samples: image.shape.samples,
        layer_bytes: level.slice_bytes,
    }
}

/// Index of a border colour that is an entry of the driver's table: six bits, behind the fixed ones.
fn border_entry(entry: u16) -> Result<u8, TableFull> {
    let index = BORDERS.len() + usize::from(entry);
    let fits = index < 1 << 6;
    if fits {
        Ok(index as u8)
    } else {
        Err(TableFull)
    }
}

impl Surfaces for Rogue {
    fn descriptor_bytes(&self) -> DescriptorBytes {
        BYTES
    }

    fn format_capabilities(&self, format: Format) -> FormatCapabilities {
        formats::capabilities(format)
    }

    fn image_memory(&self, image: &ImageShape) -> Result<ImageMemory, Unsupported> {
        let format = texture_format(image.format)
            .ok_or_else(|| Unsupported(format!("there is no format {:?}", image.format)))?;
        let parts: Vec<(TextureAspect, Format, ImageShape)> = match format.planes() {
            [] => {
                let whole = |(aspect, format)| (aspect, format, image.clone());
                planes(format).into_iter().map(whole).collect()
            }
            _ => video_planes(image, format).collect(),
        };
        let mut memory = ImageMemory {
            shape: image.clone(),
            bytes: 0,
            align: IMAGE_ALIGN,
            planes: Vec::new(),
        };
        for (aspect, format, part) in parts {
            let shape = shape(&part, format);
            let start = memory.bytes.next_multiple_of(IMAGE_ALIGN);
            let layer = layout::layer_bytes(&shape);
            let levels = layout::levels(&shape);
            memory.bytes = start + layer * u64::from(layers(image));
            let level = |level: &layout::ImageLevel| {
                let [width, height, depth] = level.size;
                let [across, down] = shape.block;
                let is_3d = shape.order == Order::Twiddled3d;
                Level {
                    offset: start + level.offset,
                    width: width.div_ceil(across),
                    height: height.div_ceil(down),
                    slices: if is_3d { depth } else { layers(image) },
                    pitch: level.surface.pitch,
                    rows: level.surface.height,
                    // The slices of a box are no ranges of memory.
                    slice_bytes: match (is_3d, layers(image)) {
                        (true, _) => 0,
                        (_, 1) => level.surface.level_bytes(),
                        _ => layer,
                    },
                    tiling: shape.order as u32,
                }
            };
            memory.planes.push(Plane {
                aspect,
                element_bytes: format.size_bytes(),
                held_bytes: format.size_bytes(),
                stored_bytes: format.size_bytes(),
                place: 0,
                levels: levels.iter().map(level).collect(),
            });
        }
        Ok(memory)
    }

    fn elements(&self, image: &ImageMemory, region: &Region, sample: u32) -> Elements {
        let plane = &image.planes[region.plane];
        let level = &plane.levels[region.level as usize];
        let surface = surface(image, plane, level);
        Elements::new(&surface, level.offset, region.axes(), sample, plane.bytes())
    }

    fn buffer_descriptor(&self, range: BufferRange, out: &mut Vec<u32>) {
        let [low, high] = address(range.address);
        let bytes = range.bytes.min(u32::MAX.into()) as u32;
        out.extend([low, high, bytes, 0, 0, 0, 0, 0]);
    }

    fn image_descriptor(&self, view: &ImageBinding<'_>, out: &mut Vec<u32>) {
        let image = view.memory;
        let (Some(plane), Some(whole)) = (image.plane(view.aspect), texture_format(view.format))
        else {
            debug_assert!(false, "{:?} of {:?} is no view", view.aspect, view.format);
            return;
        };
        let all = planes(whole);
        let format = all
            .get(plane)
            .or(all.first())
            .map_or(whole, |(_, format)| *format);
        let Some(code) = formats::code(format) else {
            debug_assert!(false, "{format:?} is no texture format");
            return;
        };
        let is_3d = view.dimension == View::D3;
        let cube = matches!(view.dimension, View::Cube | View::CubeArray);
        let level = &image.planes[plane].levels[0];
        let layer = u64::from(view.first_layer) * if is_3d { 0 } else { level.slice_bytes };
        let base = view.base.0 + level.offset + layer;
        let mut size = image.shape.size;
        if matches!(view.aspect, TextureAspect::Plane1 | TextureAspect::Plane2) {
            (size.width, size.height) = (level.width, level.height);
        }
        let depth = match view.dimension {
            View::D3 => size.depth_or_array_layers,
            _ if cube => view.layers / 6,
            _ => view.layers,
        };
        let swap = matches!(
            format,
            Format::B8G8R8A8Unorm | Format::B8G8R8A8Srgb | Format::B8G8R8X8Unorm
        );
        let [red, blue] = if swap { [2, 0] } else { [0, 2] };
        let word0 = Image0 {
            smpcnt: image.shape.samples.trailing_zeros() as u8,
            height: (size.height - 1) as u16,
            width: (size.width - 1) as u16,
            texformat: code.number,
            swiz0: red,
            swiz1: 1,
            swiz2: blue,
            swiz3: if format == Format::B8G8R8X8Unorm {
                4
            } else {
                3
            },
            gamma: format.is_srgb(),
            textype: match view.dimension {
                View::D1 => textype::D1,
                View::D3 => textype::D3,
                _ if cube => textype::CUBE,
                _ => textype::D2,
            },
            ..Image0::from_word(0)
        };
        let word1 = Image1 {
            baselevel: view.first_level as u8,
            compressed: code.compressed,
            texaddr: base >> 2,
            mipmaps_present: image.shape.levels > 1,
            depth: (depth - 1) as u16,
            num_mip_levels: view.levels as u8,
            ..Image1::from_word(0)
        };
        for word in [word0.pack(), word1.pack()] {
            out.extend([word as u32, (word >> 32) as u32]);
        }
        let half = |size: u32| (size >> view.first_level).max(1);
        out.extend([
            half(size.width),
            half(size.height),
            if is_3d { half(depth) } else { depth },
            view.levels | image.shape.samples << 8,
        ]);
    }

    fn sampler_descriptor(
        &self,
        state: &SamplerState,
        constants: &mut ConstantTable,
        out: &mut Vec<u32>,
    ) -> Result<(), TableFull> {
        let sampler = &state.base;
        let filter = |mode| u8::from(mode == wgt::FilterMode::Linear);
        let mode = |mode| match mode {
            wgt::AddressMode::Repeat => 0,
            wgt::AddressMode::MirrorRepeat => 1,
            wgt::AddressMode::ClampToEdge => 2,
            wgt::AddressMode::ClampToBorder => 4,
        };
        let lod = |value: f32| (value.clamp(0.0, 14.98) * 64.0) as u16;
        let word = Sampler0 {
            addrmode_u: mode(sampler.address_mode_u),
            addrmode_v: mode(sampler.address_mode_v),
            addrmode_w: mode(sampler.address_mode_w),
            cmp_mode: sampler.compare.map_or(0, comparison),
            bordercolor: match (state.border_color, sampler.border_color) {
                (Some(color), _) => border_entry(constants.entry(color)?)?,
                (_, Some(wgt::SamplerBorderColor::OpaqueBlack)) => 1,
                (_, Some(wgt::SamplerBorderColor::OpaqueWhite)) => 2,
                _ => 0,
            },
            non_normalized: state.unnormalized,
            mipfilter: sampler.mipmap_filter == wgt::MipmapFilterMode::Linear,
            minfilter: filter(sampler.min_filter),
            magfilter: filter(sampler.mag_filter),
            anisoctl: sampler.anisotropy_clamp.clamp(1, 16).ilog2() as u8,
            maxlod: lod(sampler.lod_max_clamp),
            minlod: lod(sampler.lod_min_clamp),
            dadjust: (state.lod_bias * 256.0 + 4095.0)
                .round_ties_even()
                .clamp(0.0, 8191.0) as u16,
            ..Sampler0::from_word(0)
        }
        .pack();
        let edges = Sampler1 {
            cemedge_dontfilter: !state.seamless,
            ..Sampler1::from_word(0)
        }
        .pack();
        for word in [word, edges] {
            out.extend([word as u32, (word >> 32) as u32]);
        }
        Ok(())
    }

    fn attribute_descriptor(&self, attribute: &AttributeFetch, out: &mut Vec<u32>) {
        let Some(format) = vertex_format(attribute.format) else {
            debug_assert!(false, "{:?} is no vertex format", attribute.format);
            return;
        };
        let at = attribute.buffer.address.0 + u64::from(attribute.offset);
        let [low, high] = address(Addr(at));
        let bytes = attribute.bytes().min(u32::MAX.into()) as u32;
        let high = high | (format as u32) << 16;
        out.extend([low, high, attribute.stride, bytes, 0, 0, 0, 0]);
    }

    fn loads_texels(&self, format: Format) -> bool {
        formats::code(format).is_some() && formats::capabilities(format).sampled
    }

    fn stores_texels(&self, format: Format) -> bool {
        formats::capabilities(format).storage
    }

    /// Rows of texels with a stride, as few in a row as 16384 rows allow.
    fn texel_descriptor(&self, texels: &TexelRange, out: &mut Vec<u32>) {
        let format = texels.format;
        let Some(code) = formats::code(format) else {
            debug_assert!(false, "{format:?} is no texture format");
            return;
        };
        let count = texels.count().max(1);
        let row = count.div_ceil(MOST_ROWS).next_power_of_two();
        let [red, blue] = match format {
            Format::B8G8R8A8Unorm => [2, 0],
            _ => [0, 2],
        };
        let word0 = Image0 {
            height: (count.div_ceil(row) - 1) as u16,
            width: (row - 1) as u16,
            texformat: code.number,
            swiz0: red,
            swiz1: 1,
            swiz2: blue,
            swiz3: 3,
            textype: textype::STRIDE,
            ..Image0::from_word(0)
        };
        let word1 = Image1 {
            texaddr: texels.buffer.address.0 >> 2,
            ..Image1::from_word(0)
        };
        // The stride stands where other images have their depth and levels.
        let stride = u64::from(row - 1);
        for word in [word0.pack(), word1.pack() | stride] {
            out.extend([word as u32, (word >> 32) as u32]);
        }
        out.extend([count, row.ilog2(), row - 1, count - 1]);
    }

    /// The last row may be cut short.
    fn texel_slack(&self, bytes: u64) -> u64 {
        let texels_in_row = bytes.div_ceil(MOST_ROWS.into()).next_power_of_two();
        match texels_in_row {
            1 => 0,
            row => 2 * row,
        }
    }

    fn scratch_bytes(&self, wave_bytes: u32) -> u64 {
        SCRATCH_WAVES as u64 * u64::from(wave_bytes)
    }

    fn scratch_descriptor(&self, at: Addr, _: u32, out: &mut Vec<u32>) {
        out.extend(address(at));
    }
}
