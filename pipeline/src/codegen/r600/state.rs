//! The driver's part for R600: state to registers, commands to packets.
//!
//! The agreements with shaders are in `docs/driver-r600.md`. Registers that follow from a shader's code alone come with
//! its `Binary`; those that follow from state or from both shaders are set here.

use ::r600::regs::{self, special_op, stencil_op};
use ::r600::{formats, packets};
use silicon::texture::format::{Class, FormatCapabilities};
use silicon::{Addr, Format, MemoryError};
use wgpu_types as wgt;

use super::memory::{BORDER_AT, BYTES, DRIVER_CONSTANT, PUSH_BANK, PUSH_RESOURCE, SET_RESOURCE};
use super::multisample::{self, multisample};
use super::packets::{Packets, load, packets, start};
use super::{images, pass};
use crate::codegen::radeon::codes::{
    comparison, equation, factor, half_size, rop3, stipple_reset, topology,
};
use crate::codegen::radeon::constants::{SCRATCH_AT, constants};
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

/// R600 as the driver sees it.
pub struct R600;

/// Bytes that the memory of the push constants has: their own, then scratch registers and the driver's constants.
const PUSH_BYTES: u64 = 512;
/// Words of a resource.
const RESOURCE_WORDS: u32 = 7;
/// Words of a sampler.
const SAMPLER_WORDS: u32 = 3;

impl Chip for R600 {
    fn descriptor_bytes(&self) -> DescriptorBytes {
        BYTES
    }

    fn code_align(&self) -> u64 {
        256
    }

    fn constants(&self, push: &[u8], scratch: &[u32]) -> Vec<u8> {
        let mut bytes = constants(push, scratch);
        bytes.resize(PUSH_BYTES as usize, 0);
        bytes
    }

    fn constants_align(&self) -> u64 {
        256
    }

    fn format_capabilities(&self, format: Format) -> FormatCapabilities {
        formats::capabilities(format)
    }

    fn color_export(&self, _: &wgt::ColorTargetState) -> ColorExport {
        ColorExport::Full
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
        _: &mut ConstantTable,
        out: &mut Vec<u32>,
    ) -> Result<(), TableFull> {
        images::sampler_descriptor(sampler, out);
        Ok(())
    }

    fn attribute_descriptor(&self, attribute: &AttributeFetch, out: &mut Vec<u32>) {
        images::attribute_descriptor(attribute, out);
    }

    fn scratch_bytes(&self, wave_bytes: u32) -> u64 {
        images::scratch_bytes(wave_bytes)
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
        self.attachments(targets, &mut out.words);
        Ok(None)
    }

    fn clear_attachment(
        &self,
        pass: &OpenPass<'_>,
        clear: ClearAttachment,
        rect: Rect,
        out: &mut Encoder<'_>,
    ) -> Result<(), MemoryError> {
        immediate::clear(&pass.targets, clear, rect, out)
    }

    fn end_pass(&self, pass: &OpenPass<'_>, out: &mut Encoder<'_>) -> Result<(), MemoryError> {
        immediate::resolve(self, &pass.targets, out)
    }

    fn pipeline(&self, parts: &PipelineParts<'_>, out: &mut Vec<u32>) {
        let out = &mut packets(out);
        for (register, address) in [
            (regs::SQ_PGM_START_VS, parts.vertex.1),
            (regs::SQ_PGM_START_PS, parts.fragment.1),
        ] {
            out.set(register, &[(address.0 >> 8) as u32]);
        }
        interpolation(parts, out);
        colors(parts.state, out);
        depth_stencil(parts.state, out);
        primitives(parts, out);
        multisample(parts.state, parts.per_sample, out);
        for (register, value) in [parts.vertex.0, parts.fragment.0]
            .iter()
            .flat_map(|binary| &binary.registers)
        {
            out.set(*register, &[*value]);
        }
    }

    fn dynamic(&self, dynamic: &DynamicState, pipeline: &GraphicsState, out: &mut Vec<u32>) {
        pass::dynamic(dynamic, pipeline, &mut packets(out));
    }

    fn user_data(&self, data: &UserData, shaders: [&Binary; 2], out: &mut Vec<u32>) {
        let out = &mut packets(out);
        let [vertex, fragment] = shaders;
        for attribute in &vertex.slots.attributes {
            let at = Addr(data.attributes.0 + u64::from(BYTES.buffer * attribute));
            resource(out, regs::RESOURCES_VS + attribute, at);
        }
        bind(out, &STAGES[0], vertex, data);
        bind(out, &STAGES[1], fragment, data);
        if vertex.scratch_bytes.max(fragment.scratch_bytes) > 0 {
            let at = Addr(data.push_constants.0 + u64::from(SCRATCH_AT));
            load(out, regs::SQ_VSTMP_RING_BASE, 4, at);
        }
    }

    fn draw(&self, draw: &Draw, data: &UserData, out: &mut Vec<u32>) {
        let out = &mut packets(out);
        let base = match draw.indices {
            Some(indices) => indices.base_vertex as u32,
            None => draw.first,
        };
        out.set(regs::VGT_INDX_OFFSET, &[base]);
        out.set(regs::SQ_VTX_BASE_VTX_LOC, &[0, draw.first_instance]);
        let at = data.push_constants.0 + 16 * u64::from(DRIVER_CONSTANT);
        let payload = [
            at as u32,
            (at >> 32) as u32,
            draw.draw_index,
            draw.first_instance,
        ];
        out.packet(packets::MEM_WRITE, &payload);
        out.draw(draw);
    }

    fn draw_indirect(&self, _: &IndirectDraw, _: &mut Vec<u32>) {
        debug_assert!(false, "the command processor has no packet for it");
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

impl ImmediateMode for R600 {
    fn attachments(&self, targets: &PassTargets<'_>, out: &mut Vec<u32>) {
        pass::attachments(targets, &mut packets(out));
    }

    fn average(&self, samples: u32, out: &mut Vec<u32>) {
        let control = regs::CbColorControl {
            rop3: regs::ROP3_COPY,
            special_op: special_op::RESOLVE_BOX,
            ..regs::CbColorControl::from_word(0)
        };
        let mut out = packets(out);
        out.set(regs::CB_COLOR_CONTROL, &[control.pack()]);
        // A colour target does not say how many samples it has.
        multisample::count(samples, regs::PaScModeCntl::from_word(0), &mut out);
    }
}

/// Registers of a stage's slots.
struct StageSlots {
    resources: u32,
    samplers: u32,
    borders: u32,
    bank_bases: u32,
    bank_sizes: u32,
}

/// Vertex, pixel.
const STAGES: [StageSlots; 2] = [
    StageSlots {
        resources: regs::RESOURCES_VS,
        samplers: regs::SAMPLERS_VS,
        borders: regs::TD_VS_SAMPLER0_BORDER_RED,
        bank_bases: regs::ALU_CONST_CACHE_VS_0,
        bank_sizes: regs::ALU_CONST_BUFFER_SIZE_VS_0,
    },
    StageSlots {
        resources: regs::RESOURCES_PS,
        samplers: regs::SAMPLERS_PS,
        borders: regs::TD_PS_SAMPLER0_BORDER_RED,
        bank_bases: regs::ALU_CONST_CACHE_PS_0,
        bank_sizes: regs::ALU_CONST_BUFFER_SIZE_PS_0,
    },
];

/// Loads a resource from its descriptor.
fn resource(out: &mut Packets<'_>, number: u32, at: Addr) {
    load(out, regs::resource_at(number), RESOURCE_WORDS, at);
}

/// Loads what a shader has bound into its slots.
fn bind(out: &mut Packets<'_>, stage: &StageSlots, shader: &Binary, data: &UserData) {
    let slots = &shader.slots;
    let at = |set: u32, offset: u32| Addr(data.sets[set as usize].0 + u64::from(offset));
    for bound in &slots.resources {
        let number = stage.resources + bound.slot;
        resource(out, number, at(bound.set, bound.offset));
    }
    for bound in &slots.samplers {
        let register = regs::sampler_at(stage.samplers + bound.slot);
        load(out, register, SAMPLER_WORDS, at(bound.set, bound.offset));
        let border = stage.borders + 16 * bound.slot;
        load(out, border, 4, at(bound.set, bound.offset + BORDER_AT));
    }
    for bound in &slots.banks {
        let first = bound.offset + 4 * images::BANK_WORD;
        let base = at(bound.set, first);
        load(out, stage.bank_bases + 4 * bound.slot, 1, base);
        let size = at(bound.set, first + 4);
        load(out, stage.bank_sizes + 4 * bound.slot, 1, size);
    }
    let bank = 4 * u32::from(PUSH_BANK);
    let push = data.push_constants;
    out.set(stage.bank_bases + bank, &[(push.0 >> 8) as u32]);
    out.set(stage.bank_sizes + bank, &[(PUSH_BYTES / 256) as u32]);
    let whole = |address, bytes| {
        let mut words = Vec::new();
        images::buffer_descriptor(BufferRange { address, bytes }, &mut words);
        words.truncate(RESOURCE_WORDS as usize);
        words
    };
    if slots.fetches_push {
        let number = stage.resources + PUSH_RESOURCE;
        out.set(regs::resource_at(number), &whole(push, SCRATCH_AT.into()));
    }
    for set in (0..4).filter(|set| slots.sets >> set & 1 == 1) {
        let number = stage.resources + SET_RESOURCE + set;
        let range = whole(data.sets[set as usize], 1 << 20);
        out.set(regs::resource_at(number), &range);
    }
}

/// State that no command changes.
fn begin(out: &mut Packets<'_>) {
    start(out);
    let config = regs::SqConfig {
        alu_inst_prefer_vector: true,
        dx10_clamp: true,
        vc_enable: true,
        ..regs::SqConfig::from_word(0)
    };
    let registers = regs::SqGprResourceMgmt1 {
        num_vs_gprs: 124,
        num_ps_gprs: 124,
        ..regs::SqGprResourceMgmt1::from_word(0)
    };
    out.set(regs::SQ_CONFIG, &[config.pack(), registers.pack()]);
    out.set(regs::GB_TILING_CONFIG, &[regs::TILING_CONFIG]);
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
    out.set(regs::PA_SC_EDGERULE, &[0xaaaa_aaaa]);
    out.set(
        regs::PA_SU_POINT_MINMAX,
        &[regs::PaSuPointMinmax {
            max_size: 0xffff,
            min_size: 0,
        }
        .pack()],
    );
    out.set(regs::VGT_MAX_VTX_INDX, &[!0, 0]);
    out.set(regs::VGT_GS_MODE, &[0]);
    out.set(regs::SQ_PGM_START_FS, &[0]);
    out.set(regs::DB_RENDER_CONTROL, &[0, 0]);
    out.set(regs::SX_ALPHA_TEST_CONTROL, &[0]);
}

/// Name of a parameter; 0 is none.
fn semantic(parameter: u32) -> u8 {
    parameter as u8 + 1
}

/// Joins parameter exports to inputs.
fn interpolation(parts: &PipelineParts<'_>, out: &mut Packets<'_>) {
    let (vertex, fragment) = (parts.vertex.0, parts.fragment.0);
    let names: Vec<u8> = (0..40).map(semantic).collect();
    let names: Vec<u32> = names
        .chunks_exact(4)
        .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        .collect();
    out.set(regs::SPI_VS_OUT_ID_0, &names);
    let control = |parameter: u32, how: Interpolation| {
        use Interpolation as I;
        let linear = matches!(how, I::Linear | I::LinearCentroid | I::LinearSample);
        let sample = matches!(how, I::PerspectiveSample | I::LinearSample);
        let centroid = matches!(how, I::PerspectiveCentroid | I::LinearCentroid);
        regs::SpiPsInputCntl {
            semantic: semantic(parameter),
            flat_shade: how == I::Flat,
            sel_linear: linear,
            sel_sample: sample || (parts.per_sample && how != I::Flat),
            sel_centroid: centroid,
            ..regs::SpiPsInputCntl::from_word(0)
        }
        .pack()
    };
    let mut controls: Vec<u32> = parts
        .links
        .iter()
        .map(|link| control(link.parameter, link.interpolation))
        .collect();
    if fragment.primitive_index {
        let parameter = vertex.interface.outputs.len() as u32;
        controls.push(control(parameter, Interpolation::Flat));
    }
    if fragment.point_coord {
        // Not a parameter: the rasteriser makes it.
        let place = regs::SpiPsInputCntl {
            pt_sprite_tex: true,
            ..regs::SpiPsInputCntl::from_word(0)
        };
        controls.push(place.pack());
    }
    use radeon::r6xx::codes::point_sprite as sprite;
    out.set(
        regs::SPI_INTERP_CONTROL_0,
        &[regs::SpiInterpControl0 {
            flat_shade_ena: true,
            pnt_sprite_ena: fragment.point_coord,
            pnt_sprite_ovrd_x: sprite::S,
            pnt_sprite_ovrd_y: sprite::T,
            pnt_sprite_ovrd_z: sprite::ZERO,
            pnt_sprite_ovrd_w: sprite::ONE,
            ..regs::SpiInterpControl0::from_word(0)
        }
        .pack()],
    );
    if !controls.is_empty() {
        out.set(regs::SPI_PS_INPUT_CNTL_0, &controls);
    }
    let wanted = u32::from(vertex.primitive_index);
    out.set(regs::VGT_PRIMITIVEID_EN, &[wanted]);
}

/// Write masks and blending.
fn colors(state: &GraphicsState, out: &mut Packets<'_>) {
    let (mut masks, mut blended) = (0, 0);
    for (i, target) in state.targets.iter().enumerate().take(8) {
        let Some(target) = target else { continue };
        masks |= target.write_mask.bits() << (4 * i);
        if let Some(blend) = &target.blend {
            blended |= 1 << i;
            let control = blend_control(blend);
            out.set(regs::CB_BLEND0_CONTROL + 4 * i as u32, &[control]);
        }
    }
    out.set(regs::CB_TARGET_MASK, &[masks]);
    out.set(
        regs::CB_COLOR_CONTROL,
        &[regs::CbColorControl {
            rop3: match (state.raster.logic_op, has_logic(state)) {
                (Some(op), true) => rop3(op),
                _ => regs::ROP3_COPY,
            },
            target_blend_enable: blended,
            per_mrt_blend: true,
            special_op: match masks {
                0 => special_op::DISABLE,
                _ => special_op::NORMAL,
            },
            ..regs::CbColorControl::from_word(0)
        }
        .pack()],
    );
}

/// Logic operations are for integers, with or without a point.
fn has_logic(state: &GraphicsState) -> bool {
    state.targets.iter().flatten().any(|target| {
        texture_format(target.format)
            .is_some_and(|format| !format.is_srgb() && format.class() != Class::Float)
    })
}

fn blend_control(state: &wgt::BlendState) -> u32 {
    regs::CbBlendControl {
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
    if let Some(depth) = &state.depth_stencil {
        let stencil = &depth.stencil;
        control.z_enable = depth.is_depth_enabled();
        control.z_write_enable = depth.depth_write_enabled.unwrap_or_default();
        control.zfunc = comparison(depth.depth_compare.unwrap_or_default());
        control.stencil_enable = stencil.is_enabled();
        control.backface_enable = stencil.is_enabled();
        control.stencilfunc = comparison(stencil.front.compare);
        control.stencilfunc_bf = comparison(stencil.back.compare);
        control.stencilfail = operation(stencil.front.fail_op);
        control.stencilzfail = operation(stencil.front.depth_fail_op);
        control.stencilzpass = operation(stencil.front.pass_op);
        control.stencilfail_bf = operation(stencil.back.fail_op);
        control.stencilzfail_bf = operation(stencil.back.depth_fail_op);
        control.stencilzpass_bf = operation(stencil.back.pass_op);
    }
    out.set(regs::DB_DEPTH_CONTROL, &[control.pack()]);
    depth_bias(state, out);
}

fn depth_bias(state: &GraphicsState, out: &mut Packets<'_>) {
    let Some(depth) = &state.depth_stencil else {
        return;
    };
    let bias = &depth.bias;
    // The unit of the constant bias: 2^-bits, or relative to the exponent for floats.
    let (bits, float) = match texture_format(depth.format) {
        Some(Format::D16Unorm) => (-16, false),
        Some(Format::D24UnormX8 | Format::D24UnormS8Uint) => (-24, false),
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

fn operation(operation: wgt::StencilOperation) -> u8 {
    use wgt::StencilOperation as O;
    match operation {
        O::Keep => stencil_op::KEEP,
        O::Zero => stencil_op::ZERO,
        O::Replace => stencil_op::REPLACE,
        O::Invert => stencil_op::INVERT,
        O::IncrementClamp => stencil_op::INCR,
        O::DecrementClamp => stencil_op::DECR,
        O::IncrementWrap => stencil_op::INCR_WRAP,
        O::DecrementWrap => stencil_op::DECR_WRAP,
    }
}

/// Topology, clipping, culling.
fn primitives(parts: &PipelineParts<'_>, out: &mut Packets<'_>) {
    let primitive = &parts.state.primitive;
    out.set(regs::VGT_PRIMITIVE_TYPE, &[topology(primitive.topology)]);
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
    let raster = &parts.state.raster;
    let point = half_size(raster.point_size);
    out.set(
        regs::PA_SU_POINT_SIZE,
        &[regs::PaSuPointSize {
            width: point,
            height: point,
        }
        .pack()],
    );
    out.set(
        regs::PA_SU_LINE_CNTL,
        &[regs::PaSuLineCntl {
            width: half_size(raster.line_width),
            ..regs::PaSuLineCntl::from_word(0)
        }
        .pack()],
    );
    out.set(
        regs::PA_SC_LINE_CNTL,
        &[regs::PaScLineCntl {
            expand_line_width: raster.line_mode == LineMode::Rectangular,
            ..regs::PaScLineCntl::from_word(0)
        }
        .pack()],
    );
    if let Some(stipple) = raster.line_stipple {
        let line = regs::PaScLineStipple {
            auto_reset_cntl: stipple_reset(primitive.topology),
            repeat_count: (stipple.factor - 1) as u8,
            line_pattern: stipple.pattern,
            ..regs::PaScLineStipple::from_word(0)
        };
        out.set(regs::PA_SC_LINE_STIPPLE, &[line.pack()]);
    }
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
            provoking_vtx_last: raster.provoking_vertex == ProvokingVertex::Last,
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
