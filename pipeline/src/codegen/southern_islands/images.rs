//! Images in memory, and descriptors: buffers (V#), images (T#), samplers (S#).
//!
//! In: shapes, views and samplers. Out: where levels lie, and the words of descriptors. [SI 8.1, 8.2]

use ::southern_islands::descriptor::{
    BufferResource, ImageResource, ImageResourceHigh, ImageSampler, dim, dst_sel, xy_filter,
};
use ::southern_islands::formats;
use ::southern_islands::tiling::{
    self, ArrayMode, ImageKind, Surface, TAHITI, tile_index, tile_mode,
};
use silicon::texture::format::FormatCapabilities;
use silicon::{Addr, Format};
use wgpu_types as wgt;
use wgt::{TextureAspect, TextureUsages};

use super::memory::BYTES;
use super::state::SouthernIslands;
use crate::codegen::geometry::VertexWords;
use crate::codegen::radeon::r6xx::codes::{address_mode, comparison};
use crate::codegen::radeon::r6xx::images as r6xx;
use crate::driver::{ConstantTable, TableFull};
use crate::format::vertex_format;
use crate::image::{Elements, ImageMemory, ImageShape, Level, Plane, Region, video_planes};
use crate::layout::DescriptorBytes;
use crate::state::{
    AttributeFetch, BufferRange, ImageBinding, Reduction, SamplerState, TexelRange,
};
use crate::targets::{Surfaces, Unsupported};

/// A buffer of untyped words: 32 bits, unsigned.
fn raw_buffer() -> BufferResource {
    BufferResource {
        dst_sel_x: dst_sel::X,
        dst_sel_y: dst_sel::Y,
        dst_sel_z: dst_sel::Z,
        dst_sel_w: dst_sel::W,
        data_format: 4,
        num_format: formats::num_format::UINT,
        ..BufferResource::from_word(0)
    }
}

impl Surfaces for SouthernIslands {
    fn descriptor_bytes(&self) -> DescriptorBytes {
        BYTES
    }

    fn format_capabilities(&self, format: Format) -> FormatCapabilities {
        formats::capabilities(format)
    }

    /// Lays an image out: one plane, or depth and stencil apart.
    fn image_memory(&self, shape: &ImageShape) -> Result<ImageMemory, Unsupported> {
        let format = r6xx::format(shape)?;
        let planes: Vec<(TextureAspect, Format, ImageShape)> = match formats::depth_planes(format) {
            _ if !format.planes().is_empty() => video_planes(shape, format).collect(),
            (None, None) => vec![(TextureAspect::All, format, shape.clone())],
            (depth, stencil) => {
                let depth = depth.map(|f| (TextureAspect::DepthOnly, f, shape.clone()));
                let stencil = stencil.map(|f| (TextureAspect::StencilOnly, f, shape.clone()));
                depth.into_iter().chain(stencil).collect()
            }
        };
        let mut image = r6xx::empty(shape);
        // Depth and stencil share one pitch, that of the plane with the smaller elements.
        let pitch = match planes.as_slice() {
            [_, stencil @ (TextureAspect::StencilOnly, ..)] => {
                plane_layout(stencil, 0).levels[0].surface.pitch
            }
            _ => 0,
        };
        for plane in planes {
            let layout = plane_layout(&plane, pitch);
            let start = image.bytes.next_multiple_of(layout.align);
            image.align = image.align.max(layout.align);
            image.bytes = start + layout.bytes;
            let levels = layout.levels.iter().map(|level| Level {
                offset: start + level.offset,
                width: level.width,
                height: level.height,
                slices: level.slices,
                pitch: level.surface.pitch,
                rows: level.surface.height,
                slice_bytes: level.surface.slice_bytes(),
                tiling: level.mode.into(),
            });
            image.planes.push(Plane {
                aspect: plane.0,
                element_bytes: plane.1.size_bytes(),
                held_bytes: plane.1.size_bytes(),
                stored_bytes: plane.1.size_bytes(),
                place: 0,
                levels: levels.collect(),
            });
        }
        if shape.usage.contains(TextureUsages::RENDER_ATTACHMENT) {
            share_pitches(&mut image)?;
        }
        Ok(image)
    }

    /// Where the elements of a region lie, in one sample.
    fn elements(&self, image: &ImageMemory, region: &Region, sample: u32) -> Elements {
        let plane = &image.planes[region.plane];
        let level = &plane.levels[region.level as usize];
        let surface = Surface {
            mode: tile_mode(TAHITI[level.tiling as usize]),
            element_bytes: plane.element_bytes,
            pitch: level.pitch,
            height: level.rows,
            samples: image.shape.samples,
            swizzle: tiling::Swizzle::default(),
        };
        Elements::new(&surface, level.offset, region.axes(), sample, plane.bytes())
    }

    /// A buffer of bytes: accesses outside of it read zero and write nothing.
    fn buffer_descriptor(&self, range: BufferRange, out: &mut Vec<u32>) {
        let resource = BufferResource {
            base_address: range.address.0,
            num_records: range.bytes.min(u32::MAX.into()) as u32,
            ..raw_buffer()
        };
        push(out, resource.pack());
    }

    /// A view of an image.
    fn image_descriptor(&self, view: &ImageBinding<'_>, out: &mut Vec<u32>) {
        let image = view.memory;
        let Some((plane, whole, size)) = r6xx::shown(view) else {
            return;
        };
        let (depth, stencil) = formats::depth_planes(whole);
        let format = match plane {
            0 => depth.or(stencil).unwrap_or(whole),
            _ => stencil.unwrap_or(whole),
        };
        let (data_format, num_format) = formats::image_format(format).unwrap_or((0, 0));
        let level = &image.planes[plane].levels[0];
        let [x, y, z, w] = formats::selectors(format);
        let base = view.base.0 + level.offset;
        let low = ImageResource {
            kind: dim::D1 + r6xx::dimension(view),
            tiling_index: level.tiling as u8,
            base_level: view.first_level as u8,
            last_level: r6xx::last_level(view),
            pow2_pad: image.shape.levels > 1,
            dst_sel_x: x,
            dst_sel_y: y,
            dst_sel_z: z,
            dst_sel_w: w,
            width: (size.width - 1) as u16,
            height: (size.height - 1) as u16,
            num_format,
            data_format,
            base_address: base >> 8,
            ..ImageResource::from_word(0)
        };
        // The layout of the levels depends on all layers, so the whole image is described and the view cut out of it.
        let high = ImageResourceHigh {
            depth: (size.depth_or_array_layers - 1) as u16,
            // In texels.
            pitch: (level.pitch * format.block_size().0 - 1) as u16,
            base_array: view.first_layer as u16,
            last_array: (view.first_layer + view.layers - 1) as u16,
            ..ImageResourceHigh::from_word(0)
        };
        push(out, low.pack());
        push(out, high.pack());
    }

    /// A sampler. A border colour of its own is an entry of the table.
    fn sampler_descriptor(
        &self,
        state: &SamplerState,
        constants: &mut ConstantTable,
        out: &mut Vec<u32>,
    ) -> Result<(), TableFull> {
        let entry = state.border_color.map(|color| constants.entry(color));
        let border_entry = entry.transpose()?;
        let sampler = &state.base;
        let filter = |mode| r6xx::xy_filter(mode, state, xy_filter::ANISO_POINT);
        let resource = ImageSampler {
            border_color_type: r6xx::border_type(state),
            border_color_ptr: border_entry.unwrap_or(0),
            mip_filter: r6xx::mip_filter(state),
            xy_min_filter: filter(sampler.min_filter),
            xy_mag_filter: filter(sampler.mag_filter),
            // Signed, eight bits behind the point.
            lod_bias: (state.lod_bias * 256.0).round_ties_even() as i16,
            max_lod: lod(sampler.lod_max_clamp),
            min_lod: lod(sampler.lod_min_clamp),
            filter_mode: match state.reduction {
                Reduction::Average => 0,
                Reduction::Min => 1,
                Reduction::Max => 2,
            },
            disable_cube_wrap: !state.seamless,
            force_unnormalized: state.unnormalized,
            depth_compare_func: sampler.compare.map_or(0, comparison),
            max_aniso_ratio: r6xx::aniso_ratio(state),
            clamp_x: address_mode(sampler.address_mode_u),
            clamp_y: address_mode(sampler.address_mode_v),
            clamp_z: address_mode(sampler.address_mode_w),
            ..ImageSampler::from_word(0)
        };
        push(out, resource.pack());
        Ok(())
    }

    /// Elements of a vertex buffer: those that do not lie wholly within the buffer read as zero.
    fn attribute_descriptor(&self, attribute: &AttributeFetch, out: &mut Vec<u32>) {
        let Some(format) = vertex_format(attribute.format) else {
            debug_assert!(false, "{:?} is no vertex format", attribute.format);
            return;
        };
        let (data_format, num_format) = formats::buffer_format(format).unwrap_or((0, 0));
        let [x, y, z, w] = formats::selectors(format);
        let bytes = attribute.bytes();
        let size = u64::from(format.size_bytes());
        let records = match u64::from(attribute.stride) {
            // All elements are the same one, which is a matter of bytes.
            0 => bytes,
            _ if bytes < size => 0,
            stride => (bytes - size) / stride + 1,
        };
        let resource = BufferResource {
            base_address: attribute.buffer.address.0 + u64::from(attribute.offset),
            stride: attribute.stride as u16,
            num_records: records.min(u32::MAX.into()) as u32,
            dst_sel_x: x,
            dst_sel_y: y,
            dst_sel_z: z,
            dst_sel_w: w,
            data_format,
            num_format,
            ..BufferResource::from_word(0)
        };
        push(out, resource.pack());
    }

    fn loads_texels(&self, format: Format) -> bool {
        formats::buffer_format(format).is_some()
    }

    fn stores_texels(&self, format: Format) -> bool {
        self.loads_texels(format) && formats::capabilities(format).storage
    }

    fn texel_descriptor(&self, texels: &TexelRange, out: &mut Vec<u32>) {
        let (data_format, num_format) = formats::buffer_format(texels.format).unwrap_or((0, 0));
        let [x, y, z, w] = formats::selectors(texels.format);
        let resource = BufferResource {
            base_address: texels.buffer.address.0,
            stride: texels.format.size_bytes() as u16,
            num_records: texels.count(),
            dst_sel_x: x,
            dst_sel_y: y,
            dst_sel_z: z,
            dst_sel_w: w,
            data_format,
            num_format,
            ..BufferResource::from_word(0)
        };
        push(out, resource.pack());
    }

    fn scratch_bytes(&self, wave_bytes: u32) -> u64 {
        u64::from(scratch_waves(wave_bytes)) * u64::from(wave_bytes.next_multiple_of(1024))
    }

    /// Scratch memory of one wave: neighbouring lanes have neighbouring words.
    fn scratch_descriptor(&self, at: Addr, wave_bytes: u32, out: &mut Vec<u32>) {
        let resource = BufferResource {
            base_address: at.0,
            num_records: 64,
            stride: (wave_bytes / 64) as u16,
            swizzle_enable: true,
            add_tid_enable: true,
            // 4 bytes of 64 lanes.
            element_size: 1,
            index_stride: 3,
            ..raw_buffer()
        };
        push(out, resource.pack());
    }
}

/// Vertices as the lanes of the vertex shader see them, and all of them; the same of emitted vertices.
pub(super) fn ring_descriptors(
    [fed, emitted]: [BufferRange; 2],
    words: &VertexWords,
    out: &mut Vec<u32>,
) {
    let lanes = |ring: BufferRange, words: u32, index_stride: u8| BufferResource {
        base_address: ring.address.0,
        num_records: 64,
        stride: 4 * words as u16,
        swizzle_enable: true,
        add_tid_enable: true,
        element_size: 1,
        index_stride,
        ..raw_buffer()
    };
    let all = |ring: BufferRange| BufferResource {
        base_address: ring.address.0,
        num_records: ring.bytes as u32,
        ..raw_buffer()
    };
    // Words of 64 lanes side by side, and of 16.
    let descriptors = [
        lanes(fed, words.fed, 3),
        all(fed),
        lanes(emitted, words.emitted * words.max_vertices, 1),
        all(emitted),
    ];
    for descriptor in descriptors {
        push(out, descriptor.pack());
    }
}

fn plane_layout(
    (aspect, format, shape): &(TextureAspect, Format, ImageShape),
    pitch: u32,
) -> tiling::ImageLayout {
    let kind = match aspect {
        TextureAspect::DepthOnly | TextureAspect::StencilOnly => ImageKind::Depth,
        _ => ImageKind::Color,
    };
    tiling::layout(&tiling::ImageShape {
        pitch,
        ..r6xx::tiled(shape, *format, kind, tile_index)
    })
}

fn is_micro_tiled(level: &Level) -> bool {
    let mode = tile_mode(TAHITI[level.tiling as usize]);
    mode.array == ArrayMode::Micro
}

/// Depth and stencil are drawn to with one pitch. Small levels of the two have different ones: with one row of tiles that
/// does not matter, with more of them one plane is drawn to in a staging copy.
fn share_pitches(image: &mut ImageMemory) -> Result<(), Unsupported> {
    let [depth, stencil] = image.planes.as_slice() else {
        return Ok(());
    };
    if stencil.aspect != TextureAspect::StencilOnly {
        return Ok(());
    }
    for (n, (a, b)) in depth.levels.iter().zip(&stencil.levels).enumerate() {
        if a.pitch == b.pitch {
            continue;
        }
        let tiled_small = [a, b].iter().all(|level| is_micro_tiled(level));
        if (a.rows > 8 || b.rows > 8) && !tiled_small {
            return Err(Unsupported(format!(
                "level {n} of {} by {} texels would have a pitch of {} for depth and one of {} for stencil, \
                 but an attachment has one pitch for both",
                a.width, a.height, a.pitch, b.pitch
            )));
        }
        // The common pitch may seem to reach beyond the level, and must not seem to reach beyond video memory.
        let widest = u64::from(a.pitch.max(b.pitch) * a.rows * depth.element_bytes);
        image.bytes = image
            .bytes
            .max(a.offset + u64::from(a.slices) * a.slice_bytes + widest);
        image.bytes = image
            .bytes
            .max(b.offset + u64::from(b.slices) * b.slice_bytes + widest);
    }
    Ok(())
}

fn push(out: &mut Vec<u32>, bits: u128) {
    out.extend((0..4).map(|i| (bits >> (32 * i)) as u32));
}

/// Bytes of scratch memory that a pipeline may have, unless a few waves need more.
const SCRATCH_BYTES: u32 = 8 << 20;

/// Waves that may run at once with this much scratch memory each.
pub(super) fn scratch_waves(wave_bytes: u32) -> u16 {
    // The waves of a workgroup run at once.
    (SCRATCH_BYTES / wave_bytes.max(1)).clamp(16, 64) as u16
}

/// Level of detail as unsigned 4.8.
fn lod(value: f32) -> u16 {
    (value.clamp(0.0, 15.996) * 256.0) as u16
}
