//! The driver's part for Southern Islands: state to registers, commands to packets.
//!
//! The agreements with shaders are in `docs/driver-southern-islands.md`. Registers that follow from a shader's code alone
//! come with its `Binary`; those that follow from state or from both shaders are set here.

use ::southern_islands::formats;
use ::southern_islands::packets::{self, source};
use ::southern_islands::regs::{self, cb_mode, stencil_op};
use silicon::texture::format::{Class, FormatCapabilities};
use silicon::{Addr, Format, MemoryError};
use wgpu_types as wgt;

use super::images;
use super::memory::BYTES;
use super::multisample::multisample;
use super::packets::{Packets, packets, start};
use super::staging::Staging;
use crate::codegen::radeon::codes::{
    comparison, equation, factor, half_size, rop3, stipple_reset, topology,
};
use crate::codegen::radeon::constants::constants;
use crate::codegen::radeon::queries;
use crate::codegen::{Binary, ColorExport};
use crate::driver::{ConstantTable, TableFull};
use crate::encode::{Encoder, OpenPass};
use crate::format::texture_format;
use crate::image::{ImageMemory, ImageShape, Region};
use crate::immediate::{self, ImmediateMode};
use crate::ir::Interpolation;
use crate::layout::DescriptorBytes;
use crate::query::{QueryKind, QueryValue};
use crate::state::{
    AttributeFetch, BufferRange, ClearAttachment, Draw, DynamicState, GraphicsState, ImageBinding,
    IndirectDraw, LineMode, PassTargets, ProvokingVertex, Rect, SamplerState,
};
use crate::targets::{Chip, PipelineParts, Unsupported, UserData};

/// Southern Islands as the driver sees it.
pub struct SouthernIslands;

/// User SGPRs of the vertex shader that a draw sets: base vertex, first instance, draw index.
const DRAW_SGPR: u32 = 12;

impl Chip for SouthernIslands {
    fn descriptor_bytes(&self) -> DescriptorBytes {
        BYTES
    }

    fn code_align(&self) -> u64 {
        256
    }

    fn constants(&self, push: &[u8], scratch: &[u32]) -> Vec<u8> {
        constants(push, scratch)
    }

    fn constants_align(&self) -> u64 {
        16
    }

    fn format_capabilities(&self, format: Format) -> FormatCapabilities {
        formats::capabilities(format)
    }

    fn color_export(&self, color: &wgt::ColorTargetState) -> ColorExport {
        use wgt::TextureFormat as F;
        // Packed integers become the same texels, as both ways saturate. Packed floats are rounded twice or to zero,
        // so they would not.
        match color.format {
            F::R8Uint | F::Rg8Uint | F::Rgba8Uint | F::Rgb10a2Uint => ColorExport::Uint16,
            F::R16Uint | F::Rg16Uint | F::Rgba16Uint => ColorExport::Uint16,
            F::R8Sint | F::Rg8Sint | F::Rgba8Sint => ColorExport::Sint16,
            F::R16Sint | F::Rg16Sint | F::Rgba16Sint => ColorExport::Sint16,
            _ => ColorExport::Full,
        }
    }

    fn image_memory(&self, shape: &ImageShape) -> Result<ImageMemory, Unsupported> {
        images::memory(shape)
    }

    fn row_offsets(
        &self,
        image: &ImageMemory,
        region: &Region,
        y_slice_sample: [u32; 3],
        out: &mut Vec<u64>,
    ) {
        images::row_offsets(image, region, y_slice_sample, out);
    }

    fn buffer_descriptor(&self, range: BufferRange, out: &mut Vec<u32>) {
        images::buffer_descriptor(range, out);
    }

    fn image_descriptor(&self, view: &ImageBinding<'_>, out: &mut Vec<u32>) {
        images::image_descriptor(view, out);
    }

    fn sampler_descriptor(
        &self,
        sampler: &SamplerState,
        constants: &mut ConstantTable,
        out: &mut Vec<u32>,
    ) -> Result<(), TableFull> {
        images::sampler_descriptor(sampler, constants, out)
    }

    fn attribute_descriptor(&self, attribute: &AttributeFetch, out: &mut Vec<u32>) {
        images::attribute_descriptor(attribute, out);
    }

    fn scratch_bytes(&self, wave_bytes: u32) -> u64 {
        u64::from(images::scratch_waves(wave_bytes)) * u64::from(wave_bytes.next_multiple_of(1024))
    }

    fn scratch_descriptor(&self, at: Addr, wave_bytes: u32, out: &mut Vec<u32>) {
        images::scratch_descriptor(at, wave_bytes, out);
    }

    fn begin(&self, out: &mut Vec<u32>) {
        begin(&mut packets(out));
    }

    fn begin_pass(
        &self,
        targets: &PassTargets<'_>,
        out: &mut Encoder<'_>,
    ) -> Result<Option<Addr>, MemoryError> {
        immediate::load(targets, out)?;
        let staging = Staging::begin(targets, out)?;
        let staged = staging.map(|staging| (staging.plane, staging.at));
        super::pass::attachments(targets, staged, &mut packets(&mut out.words));
        Ok(staged.map(|(_, at)| at))
    }

    fn clear_attachment(
        &self,
        pass: &OpenPass<'_>,
        clear: ClearAttachment,
        rect: Rect,
        out: &mut Encoder<'_>,
    ) -> Result<(), MemoryError> {
        let staging = Staging::of(pass);
        staging.iter().for_each(|staging| staging.store(out));
        immediate::clear(&pass.targets, clear, rect, out)?;
        staging.iter().for_each(|staging| staging.load(out));
        Ok(())
    }

    fn end_pass(&self, pass: &OpenPass<'_>, out: &mut Encoder<'_>) -> Result<(), MemoryError> {
        let staging = Staging::of(pass);
        staging.iter().for_each(|staging| staging.store(out));
        immediate::resolve(self, &pass.targets, out)
    }

    fn pipeline(&self, parts: &PipelineParts<'_>, out: &mut Vec<u32>) {
        let out = &mut packets(out);
        programs(parts, out);
        interpolation(parts, out);
        colors(parts.state, out);
        depth_stencil(parts.state, out);
        primitives(parts, out);
        multisample(parts.state, parts.per_sample, out);
        let scratch = parts
            .vertex
            .0
            .scratch_bytes
            .max(parts.fragment.0.scratch_bytes);
        if scratch > 0 {
            // The size of a wave counts 256 words.
            let ring = regs::SpiTmpringSize {
                waves: images::scratch_waves(scratch),
                wavesize: scratch.div_ceil(1024) as u16,
                ..regs::SpiTmpringSize::from_word(0)
            };
            out.set(regs::SPI_TMPRING_SIZE, &[ring.pack()]);
        }
        for (register, value) in [parts.vertex.0, parts.fragment.0]
            .iter()
            .flat_map(|binary| &binary.registers)
        {
            out.set(*register, &[*value]);
        }
    }

    fn dynamic(&self, dynamic: &DynamicState, pipeline: &GraphicsState, out: &mut Vec<u32>) {
        super::pass::dynamic(dynamic, pipeline, &mut packets(out));
    }

    fn user_data(&self, data: &UserData, _: [&Binary; 2], out: &mut Vec<u32>) {
        let mut words = Vec::with_capacity(12);
        for address in data.sets.iter().chain([&data.push_constants]) {
            words.extend([address.0 as u32, (address.0 >> 32) as u32]);
        }
        let out = &mut packets(out);
        out.set(regs::SPI_SHADER_USER_DATA_PS_0, &words);
        words.extend([data.attributes.0 as u32, (data.attributes.0 >> 32) as u32]);
        out.set(regs::SPI_SHADER_USER_DATA_VS_0, &words);
    }

    fn draw(&self, draw: &Draw, _: &UserData, out: &mut Vec<u32>) {
        let out = &mut packets(out);
        let base = match draw.indices {
            Some(indices) => indices.base_vertex as u32,
            None => draw.first,
        };
        out.set(
            regs::SPI_SHADER_USER_DATA_VS_0 + 4 * DRAW_SGPR,
            &[base, draw.first_instance, draw.draw_index],
        );
        out.draw(draw);
    }

    fn draw_indirect(&self, draw: &IndirectDraw, out: &mut Vec<u32>) {
        let out = &mut packets(out);
        let register = |n: u32| regs::SPI_SHADER_USER_DATA_VS_0 + 4 * (DRAW_SGPR + n);
        // The packet names registers by their words from the start of their space.
        let slot = |n: u32| (register(n) - regs::SH.start) / 4;
        let initiator = match draw.indices {
            None => source::AUTO_INDEX,
            Some((buffer, format)) => {
                let address = buffer.address.0;
                let most = buffer.bytes / u64::from(format.byte_size());
                let wide = u32::from(format == wgt::IndexFormat::Uint32);
                out.packet(packets::INDEX_TYPE, &[wide]);
                out.packet(
                    packets::INDEX_BASE,
                    &[address as u32, (address >> 32) as u32],
                );
                out.packet(packets::INDEX_BUFFER_SIZE, &[most as u32]);
                source::DMA
            }
        };
        out.set(register(2), &[draw.draw_index]);
        let (base, offset) = (draw.arguments.0 & !0xff, draw.arguments.0 as u32 & 0xff);
        out.packet(packets::SET_BASE, &[1, base as u32, (base >> 32) as u32]);
        let opcode = match draw.indices {
            None => packets::DRAW_INDIRECT,
            Some(_) => packets::DRAW_INDEX_INDIRECT,
        };
        out.packet(opcode, &[offset, slot(0), slot(1), initiator]);
    }

    fn query_bytes(&self, kind: QueryKind) -> u64 {
        queries::bytes(kind)
    }

    fn begin_query(&self, kind: QueryKind, at: Addr, out: &mut Vec<u32>) {
        packets(out).begin_query(kind, at);
    }

    fn end_query(&self, kind: QueryKind, at: Addr, out: &mut Vec<u32>) {
        packets(out).end_query(kind, at);
    }

    fn query_value(&self, kind: QueryKind, bytes: &[u8]) -> Option<QueryValue> {
        queries::value(kind, bytes)
    }

    fn fill(&self, at: Addr, bytes: u64, word: u32, out: &mut Vec<u32>) {
        packets(out).fill(at, bytes, word);
    }

    fn copy(&self, from: Addr, to: Addr, bytes: u64, out: &mut Vec<u32>) {
        packets(out).copy(from, to, bytes);
    }

    fn end(&self, out: &mut Vec<u32>) {
        packets(out).flush();
    }
}

impl ImmediateMode for SouthernIslands {
    fn attachments(&self, targets: &PassTargets<'_>, out: &mut Vec<u32>) {
        super::pass::attachments(targets, None, &mut packets(out));
    }

    fn average(&self, _samples: u32, out: &mut Vec<u32>) {
        let control = regs::CbColorControl {
            rop3: ROP3_COPY,
            mode: cb_mode::RESOLVE,
            ..regs::CbColorControl::from_word(0)
        };
        packets(out).set(regs::CB_COLOR_CONTROL, &[control.pack()]);
    }
}

/// State that no command changes.
fn begin(out: &mut Packets<'_>) {
    start(out);
    out.set(
        regs::PA_CL_VTE_CNTL,
        &[regs::PaClVteCntl {
            vtx_w0_fmt: true,
            vport_x_scale_ena: true,
            vport_x_offset_ena: true,
            vport_y_scale_ena: true,
            vport_y_offset_ena: true,
            vport_z_scale_ena: true,
            vport_z_offset_ena: true,
            ..regs::PaClVteCntl::from_word(0)
        }
        .pack()],
    );
    // Pixel centres at halves, round to nearest even, 1/256 of a pixel.
    out.set(
        regs::PA_SU_VTX_CNTL,
        &[regs::PaSuVtxCntl {
            pix_center: true,
            round_mode: 2,
            quant_mode: 5,
            ..regs::PaSuVtxCntl::from_word(0)
        }
        .pack()],
    );
    out.set(regs::PA_SC_CLIPRECT_RULE, &[0xffff]);
    out.set(
        regs::TA_BC_BASE_ADDR,
        &[(ConstantTable::START.0 >> 8) as u32],
    );
    out.set(regs::PA_SC_EDGERULE, &[0xaaaa_aaaa]);
    out.set(
        regs::PA_SU_POINT_MINMAX,
        &[regs::PaSuPointMinmax {
            max_size: 0xffff,
            min_size: 0,
        }
        .pack()],
    );
    out.set(regs::VGT_MAX_VTX_INDX, &[!0, 0, 0]);
    out.set(regs::VGT_SHADER_STAGES_EN, &[0]);
    out.set(regs::DB_RENDER_CONTROL, &[0]);
    out.set(regs::DB_RENDER_OVERRIDE, &[0]);
}

/// Where the code is.
fn programs(parts: &PipelineParts<'_>, out: &mut Packets<'_>) {
    for (register, address) in [
        (regs::SPI_SHADER_PGM_LO_VS, parts.vertex.1),
        (regs::SPI_SHADER_PGM_LO_PS, parts.fragment.1),
    ] {
        out.set(
            register,
            &[(address.0 >> 8) as u32, (address.0 >> 40) as u32],
        );
    }
}

/// Joins parameter exports to attributes.
fn interpolation(parts: &PipelineParts<'_>, out: &mut Packets<'_>) {
    let (vertex, fragment) = (parts.vertex.0, parts.fragment.0);
    let control = |parameter: u32, flat: bool| {
        regs::SpiPsInputCntl {
            offset: parameter as u8,
            flat_shade: flat,
            ..regs::SpiPsInputCntl::from_word(0)
        }
        .pack()
    };
    let mut controls: Vec<u32> = parts
        .links
        .iter()
        .map(|link| control(link.parameter, link.interpolation == Interpolation::Flat))
        .collect();
    if fragment.primitive_index {
        controls.push(control(vertex.interface.outputs.len() as u32, true));
    }
    if fragment.point_coord {
        // Not a parameter: the rasteriser makes it.
        let place = regs::SpiPsInputCntl {
            offset: 0x20,
            pt_sprite_tex: true,
            ..regs::SpiPsInputCntl::from_word(0)
        };
        controls.push(place.pack());
    }
    use regs::point_sprite;
    out.set(
        regs::SPI_INTERP_CONTROL_0,
        &[regs::SpiInterpControl0 {
            flat_shade_ena: true,
            pnt_sprite_ena: fragment.point_coord,
            pnt_sprite_ovrd_x: point_sprite::S,
            pnt_sprite_ovrd_y: point_sprite::T,
            pnt_sprite_ovrd_z: point_sprite::ZERO,
            pnt_sprite_ovrd_w: point_sprite::ONE,
            ..regs::SpiInterpControl0::from_word(0)
        }
        .pack()],
    );
    if !controls.is_empty() {
        out.set(regs::SPI_PS_INPUT_CNTL_0, &controls);
    }
    out.set(
        regs::VGT_PRIMITIVEID_EN,
        &[u32::from(vertex.primitive_index)],
    );
}

/// Write masks and blending.
fn colors(state: &GraphicsState, out: &mut Packets<'_>) {
    let mut masks = 0;
    for (i, target) in state.targets.iter().enumerate().take(8) {
        let Some(target) = target else { continue };
        masks |= target.write_mask.bits() << (4 * i);
        out.set(
            regs::CB_BLEND0_CONTROL + 4 * i as u32,
            &[blend_control(target)],
        );
    }
    out.set(regs::CB_TARGET_MASK, &[masks]);
    let mode = if masks == 0 {
        cb_mode::DISABLE
    } else {
        cb_mode::NORMAL
    };
    out.set(
        regs::CB_COLOR_CONTROL,
        &[regs::CbColorControl {
            rop3: state.raster.logic_op.map_or(ROP3_COPY, rop3),
            mode,
            ..regs::CbColorControl::from_word(0)
        }
        .pack()],
    );
}

/// ROP3 that copies the source.
const ROP3_COPY: u8 = 0xcc;

fn blend_control(target: &wgt::ColorTargetState) -> u32 {
    let Some(state) = &target.blend else {
        // Logic operations are for integers, with or without a point.
        let plain = texture_format(target.format)
            .is_some_and(|format| format.is_srgb() || format.class() == Class::Float);
        let control = regs::CbBlendControl {
            disable_rop3: plain,
            ..regs::CbBlendControl::from_word(0)
        };
        return control.pack();
    };
    regs::CbBlendControl {
        disable_rop3: true,
        enable: true,
        separate_alpha_blend: true,
        alpha_destblend: factor(state.alpha.dst_factor),
        alpha_comb_fcn: equation(state.alpha.operation),
        alpha_srcblend: factor(state.alpha.src_factor),
        color_destblend: factor(state.color.dst_factor),
        color_comb_fcn: equation(state.color.operation),
        color_srcblend: factor(state.color.src_factor),
        ..regs::CbBlendControl::from_word(0)
    }
    .pack()
}

fn depth_stencil(state: &GraphicsState, out: &mut Packets<'_>) {
    let mut control = regs::DbDepthControl::from_word(0);
    let mut operations = regs::DbStencilControl::from_word(0);
    if let Some(depth) = &state.depth_stencil {
        let stencil = &depth.stencil;
        control.z_enable = depth.is_depth_enabled();
        control.z_write_enable = depth.depth_write_enabled.unwrap_or_default();
        control.zfunc = comparison(depth.depth_compare.unwrap_or_default());
        control.stencil_enable = stencil.is_enabled();
        control.backface_enable = stencil.is_enabled();
        control.stencilfunc = comparison(stencil.front.compare);
        control.stencilfunc_bf = comparison(stencil.back.compare);
        operations.stencilfail = operation(stencil.front.fail_op);
        operations.stencilzfail = operation(stencil.front.depth_fail_op);
        operations.stencilzpass = operation(stencil.front.pass_op);
        operations.stencilfail_bf = operation(stencil.back.fail_op);
        operations.stencilzfail_bf = operation(stencil.back.depth_fail_op);
        operations.stencilzpass_bf = operation(stencil.back.pass_op);
    }
    if let Some(bounds) = state.raster.depth_bounds {
        control.depth_bounds_enable = true;
        out.set(regs::DB_DEPTH_BOUNDS_MIN, &bounds.map(f32::to_bits));
    }
    out.set(regs::DB_DEPTH_CONTROL, &[control.pack()]);
    out.set(regs::DB_STENCIL_CONTROL, &[operations.pack()]);
    depth_bias(state, out);
}

fn depth_bias(state: &GraphicsState, out: &mut Packets<'_>) {
    let Some(depth) = &state.depth_stencil else {
        return;
    };
    let bias = &depth.bias;
    // The unit of the constant bias: 2^-bits, or relative to the exponent for floats.
    let (bits, float) = match texture_format(depth.format).and_then(|f| formats::depth_planes(f).0)
    {
        Some(silicon::Format::D16Unorm) => (-16, false),
        Some(silicon::Format::D24UnormX8) => (-24, false),
        _ => (-23, true),
    };
    let slope = bias.slope_scale * 16.0;
    let constant = bias.constant as f32;
    out.set(
        regs::PA_SU_POLY_OFFSET_DB_FMT_CNTL,
        &[
            regs::PaSuPolyOffsetDbFmtCntl {
                poly_offset_db_is_float_fmt: float,
                poly_offset_neg_num_db_bits: bits,
                ..regs::PaSuPolyOffsetDbFmtCntl::from_word(0)
            }
            .pack(),
            bias.clamp.to_bits(),
            slope.to_bits(),
            constant.to_bits(),
            slope.to_bits(),
            constant.to_bits(),
        ],
    );
}

/// STENCILOPVAL is 1, so that adding and subtracting it counts; the reference is STENCILTESTVAL.
fn operation(operation: wgt::StencilOperation) -> u8 {
    use wgt::StencilOperation as O;
    match operation {
        O::Keep => stencil_op::KEEP,
        O::Zero => stencil_op::ZERO,
        O::Replace => stencil_op::REPLACE_TEST,
        O::Invert => stencil_op::INVERT,
        O::IncrementClamp => stencil_op::ADD_CLAMP,
        O::DecrementClamp => stencil_op::SUB_CLAMP,
        O::IncrementWrap => stencil_op::ADD_WRAP,
        O::DecrementWrap => stencil_op::SUB_WRAP,
    }
}

/// Topology, clipping, culling.
fn primitives(parts: &PipelineParts<'_>, out: &mut Packets<'_>) {
    let primitive = &parts.state.primitive;
    let topology = topology(primitive.topology);
    out.set(regs::VGT_PRIMITIVE_TYPE, &[topology]);
    let restart = primitive.strip_index_format;
    out.set(
        regs::VGT_MULTI_PRIM_IB_RESET_INDX,
        &[match restart {
            Some(wgt::IndexFormat::Uint16) => 0xffff,
            _ => !0,
        }],
    );
    out.set(
        regs::VGT_MULTI_PRIM_IB_RESET_EN,
        &[u32::from(restart.is_some())],
    );
    out.set(
        regs::PA_CL_CLIP_CNTL,
        &[regs::PaClClipCntl {
            zclip_near_disable: primitive.unclipped_depth,
            zclip_far_disable: primitive.unclipped_depth,
            dx_linear_attr_clip_ena: true,
            dx_clip_space_def: true,
            ..regs::PaClClipCntl::from_word(0)
        }
        .pack()],
    );
    sizes(parts.state, out);
    let depth = parts.state.depth_stencil.as_ref();
    let bias = depth.is_some_and(|depth| depth.bias.is_enabled());
    let kind = match primitive.polygon_mode {
        wgt::PolygonMode::Point => 0,
        wgt::PolygonMode::Line => 1,
        wgt::PolygonMode::Fill => 2,
    };
    out.set(
        regs::PA_SU_SC_MODE_CNTL,
        &[regs::PaSuScModeCntl {
            multi_prim_ib_ena: restart.is_some(),
            provoking_vtx_last: parts.state.raster.provoking_vertex == ProvokingVertex::Last,
            poly_offset_front_enable: bias,
            poly_offset_back_enable: bias,
            poly_mode: u8::from(primitive.polygon_mode != wgt::PolygonMode::Fill),
            polymode_front_ptype: kind,
            polymode_back_ptype: kind,
            face: primitive.front_face == wgt::FrontFace::Cw,
            cull_front: primitive.cull_mode == Some(wgt::Face::Front),
            cull_back: primitive.cull_mode == Some(wgt::Face::Back),
            ..regs::PaSuScModeCntl::from_word(0)
        }
        .pack()],
    );
}

/// Sizes of points and lines, as halves in sixteenths of a pixel.
fn sizes(state: &GraphicsState, out: &mut Packets<'_>) {
    let raster = &state.raster;
    let half = half_size;
    let (width, height) = (half(raster.point_size), half(raster.point_size));
    out.set(
        regs::PA_SU_POINT_SIZE,
        &[regs::PaSuPointSize { width, height }.pack()],
    );
    out.set(
        regs::PA_SU_LINE_CNTL,
        &[regs::PaSuLineCntl {
            width: half(raster.line_width),
            ..regs::PaSuLineCntl::from_word(0)
        }
        .pack()],
    );
    if let Some(stipple) = raster.line_stipple {
        let line = regs::PaScLineStipple {
            auto_reset_cntl: stipple_reset(state.primitive.topology),
            repeat_count: (stipple.factor - 1) as u8,
            line_pattern: stipple.pattern,
            ..regs::PaScLineStipple::from_word(0)
        };
        out.set(regs::PA_SC_LINE_STIPPLE, &[line.pack()]);
    }
    out.set(
        regs::PA_SC_LINE_CNTL,
        &[regs::PaScLineCntl {
            perpendicular_endcap_ena: raster.line_mode == LineMode::Rectangular,
            dx10_diamond_test_ena: raster.line_mode == LineMode::Bresenham,
            ..regs::PaScLineCntl::from_word(0)
        }
        .pack()],
    );
}
