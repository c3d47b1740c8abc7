//! The driver's part for Southern Islands: state to registers, commands to packets.
//!
//! The agreements with shaders are in `docs/driver-southern-islands.md`. Registers that follow from a shader's code alone
//! come with its `Binary`; those that follow from state or from both shaders are set here.

use ::southern_islands::packets::{self, source};
use ::southern_islands::regs::{self, cb_mode, stencil_op};
use silicon::Addr;
use wgpu_types as wgt;

use super::images;
use super::multisample::multisample;
use super::packets::{Packets, start};
use super::staging::Staging;
use crate::codegen::geometry::VertexWords;
use crate::codegen::radeon::r6xx::codes::{cut_mode, out_prim_type, rop3};
use crate::codegen::radeon::r6xx::constants::constants;
use crate::codegen::radeon::r6xx::state::{
    ROP3_COPY, blend_control, depth_bias, depth_tests, has_logic,
};
use crate::codegen::radeon::r6xx::{self, Family};
use crate::driver::ConstantTable;
use crate::encode::{Encoder, OpenPass};
use crate::immediate::{self, ImmediateMode};
use crate::ir::Interpolation;
use crate::state::{
    Attachment, BufferRange, ClearAttachment, Draw, DynamicState, GraphicsState, IndirectDraw,
    LineMode, PassTargets, Rect,
};
use crate::stream::{StreamDraw, Streams};
use crate::targets::{Bindings, Chip, Compute, DrawConstants, PipelineParts, Rings, UserData};
use crate::upload::Result;

/// Southern Islands as the driver sees it.
pub struct SouthernIslands;

/// User SGPRs of the vertex shader that a draw sets: base vertex, first instance, draw index.
const DRAW_SGPR: u32 = 12;

impl Chip for SouthernIslands {
    fn code_align(&self) -> u64 {
        256
    }

    fn constants(&self, push: &[u8], scratch: &[u32], _: DrawConstants) -> Vec<u8> {
        constants(push, scratch)
    }

    fn constants_align(&self) -> u64 {
        16
    }

    fn begin(&self, out: &mut Vec<u32>) {
        begin(&mut Self::packets(out));
    }

    fn begin_pass(&self, targets: &PassTargets<'_>, out: &mut Encoder<'_>) -> Result<Option<Addr>> {
        immediate::load(targets, out)?;
        let staging = Staging::begin(targets, out)?;
        let staged = staging.map(|staging| (staging.plane, staging.at));
        super::pass::attachments(targets, staged, &mut Self::packets(&mut out.words));
        Ok(staged.map(|(_, at)| at))
    }

    fn clear_attachment(
        &self,
        pass: &OpenPass<'_>,
        clear: ClearAttachment,
        rect: Rect,
        out: &mut Encoder<'_>,
    ) -> Result<()> {
        let staging = Staging::of(pass);
        staging.iter().for_each(|staging| staging.store(out));
        immediate::clear(&pass.targets, clear, rect, out)?;
        staging.iter().for_each(|staging| staging.load(out));
        Ok(())
    }

    fn end_pass(&self, pass: &OpenPass<'_>, out: &mut Encoder<'_>) -> Result<()> {
        let staging = Staging::of(pass);
        staging.iter().for_each(|staging| staging.store(out));
        immediate::resolve(self, &pass.targets, out)
    }

    fn pipeline(&self, parts: &PipelineParts<'_>, out: &mut Vec<u32>) {
        let out = &mut Self::packets(out);
        programs(parts, out);
        interpolation(parts, out);
        colors(parts.state, out);
        depth_stencil(parts.state, out);
        r6xx::state::primitives(parts.state, out);
        lines(parts.state, out);
        multisample(parts.state, parts.per_sample, out);
        stages(parts, out);
        let scratch = parts.scratch_bytes();
        if scratch > 0 {
            out.set(regs::SPI_TMPRING_SIZE, &[scratch_ring(scratch)]);
        }
        for (register, value) in parts.binaries().flat_map(|binary| &binary.registers) {
            out.set(*register, &[*value]);
        }
    }

    fn dynamic(&self, dynamic: &DynamicState, pipeline: &GraphicsState, out: &mut Vec<u32>) {
        super::pass::dynamic(dynamic, pipeline, &mut Self::packets(out));
    }

    fn user_data(&self, bound: &Bindings<'_>, out: &mut Encoder<'_>) -> Result<()> {
        let data = &bound.data;
        let mut words = addresses(data);
        let out = &mut Self::packets(&mut out.words);
        out.set(regs::SPI_SHADER_USER_DATA_PS_0, &words);
        if bound.geometry.is_some() {
            out.set(regs::SPI_SHADER_USER_DATA_GS_0, &words);
            out.set(regs::SPI_SHADER_USER_DATA_VS_0, &words);
        }
        words.extend([data.attributes.0 as u32, (data.attributes.0 >> 32) as u32]);
        out.set(first_user(bound), &words);
        Ok(())
    }

    fn draw(&self, draw: &Draw, bound: &Bindings<'_>, out: &mut Encoder<'_>) -> Result<()> {
        let out = &mut Self::packets(&mut out.words);
        let base = match draw.indices {
            Some(indices) => indices.base_vertex as u32,
            None => draw.first,
        };
        // Draws that differ in no user data may run as one.
        let [vertex, _] = bound.shaders;
        let [offset, user] = match vertex.base_vertex {
            true => [0, base],
            false => [base, 0],
        };
        out.set(regs::VGT_INDX_OFFSET, &[offset]);
        out.set(
            first_user(bound) + 4 * DRAW_SGPR,
            &[user, draw.first_instance, draw.draw_index],
        );
        out.draw(draw);
        Ok(())
    }

    fn draw_indirect(&self, draw: &IndirectDraw, bound: &Bindings<'_>, out: &mut Vec<u32>) {
        let out = &mut Self::packets(out);
        let register = |n: u32| first_user(bound) + 4 * (DRAW_SGPR + n);
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
        out.set(regs::VGT_INDX_OFFSET, &[0]);
        out.set(register(2), &[draw.draw_index]);
        let (base, offset) = (draw.arguments.0 & !0xff, draw.arguments.0 as u32 & 0xff);
        out.packet(packets::SET_BASE, &[1, base as u32, (base >> 32) as u32]);
        let opcode = match draw.indices {
            None => packets::DRAW_INDIRECT,
            Some(_) => packets::DRAW_INDEX_INDIRECT,
        };
        out.packet(opcode, &[offset, slot(0), slot(1), initiator]);
    }

    fn draw_counted(&self, draw: &StreamDraw, bound: &Bindings<'_>, out: &mut Vec<u32>) {
        let out = &mut Self::packets(out);
        out.set(regs::VGT_INDX_OFFSET, &[0]);
        out.set(
            first_user(bound) + 4 * DRAW_SGPR,
            &[0, draw.first_instance, 0],
        );
        out.draw_counted(draw.instances);
    }

    fn rings(&self) -> Option<&dyn Rings> {
        Some(self)
    }

    fn streams(&self) -> Option<&dyn Streams> {
        Some(self)
    }

    fn compute(&self) -> Result<&dyn Compute, &'static str> {
        Ok(self)
    }
}

/// The first user SGPR of the vertex shader.
fn first_user(bound: &Bindings<'_>) -> u32 {
    match bound.geometry {
        Some(_) => regs::SPI_SHADER_USER_DATA_ES_0,
        None => regs::SPI_SHADER_USER_DATA_VS_0,
    }
}

/// The first user SGPRs of every stage: sets and push constants.
pub(super) fn addresses(data: &UserData) -> Vec<u32> {
    let mut words = Vec::with_capacity(12);
    for address in data.sets.iter().chain([&data.push_constants]) {
        words.extend([address.0 as u32, (address.0 >> 32) as u32]);
    }
    words
}

impl ImmediateMode for SouthernIslands {
    fn attachments(&self, targets: &PassTargets<'_>, out: &mut Vec<u32>) {
        super::pass::attachments(targets, None, &mut Self::packets(out));
    }

    fn average(&self, _: [&Attachment<'_>; 2], out: &mut Vec<u32>) {
        let control = regs::CbColorControl {
            rop3: ROP3_COPY,
            mode: cb_mode::RESOLVE,
            ..regs::CbColorControl::from_word(0)
        };
        Self::packets(out).set(regs::CB_COLOR_CONTROL, &[control.pack()]);
    }
}

/// How much scratch memory there is, for waves that need this much each.
pub(super) fn scratch_ring(wave_bytes: u32) -> u32 {
    regs::SpiTmpringSize {
        waves: images::scratch_waves(wave_bytes),
        // Counts 256 words.
        wavesize: wave_bytes.div_ceil(1024) as u16,
        ..regs::SpiTmpringSize::from_word(0)
    }
    .pack()
}

/// State that no command changes.
fn begin(out: &mut Packets<'_>) {
    start(out);
    r6xx::state::begin(regs::PA_SU_VTX_CNTL, out);
    out.set(
        regs::TA_BC_BASE_ADDR,
        &[(ConstantTable::START.0 >> 8) as u32],
    );
    out.set(regs::VGT_STRMOUT_CONFIG, &[0, 0]);
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

/// Which stages run, and the rings between them.
fn stages(parts: &PipelineParts<'_>, out: &mut Packets<'_>) {
    let (Some(geometry), Some(state)) = (&parts.geometry, &parts.state.geometry) else {
        out.set(regs::VGT_SHADER_STAGES_EN, &[0]);
        out.set(regs::VGT_GS_MODE, &[0]);
        return;
    };
    for (register, address) in [
        (regs::SPI_SHADER_PGM_LO_ES, geometry.vertex.1),
        (regs::SPI_SHADER_PGM_LO_GS, geometry.shader.1),
    ] {
        out.set(
            register,
            &[(address.0 >> 8) as u32, (address.0 >> 40) as u32],
        );
    }
    let stages = regs::VgtShaderStagesEn {
        es_en: regs::ES_STAGE_REAL,
        gs_en: true,
        vs_en: regs::VS_STAGE_COPY_SHADER,
        ..regs::VgtShaderStagesEn::from_word(0)
    };
    out.set(regs::VGT_SHADER_STAGES_EN, &[stages.pack()]);
    let interface = geometry.shader.0.interface.geometry.as_ref();
    let most = interface.map_or(0, |geometry| geometry.max_vertices);
    let mode = regs::VgtGsMode {
        mode: regs::GS_SCENARIO_G,
        cut_mode: cut_mode(most),
        es_write_optimize: true,
        gs_write_optimize: true,
        ..regs::VgtGsMode::from_word(0)
    };
    out.set(regs::VGT_GS_MODE, &[mode.pack()]);
    let output = out_prim_type(state.output);
    out.set(regs::VGT_GS_OUT_PRIM_TYPE, &[output.into()]);
    let count = regs::VgtGsInstanceCnt {
        enable: state.invocations > 1,
        cnt: state.invocations as u8,
        ..regs::VgtGsInstanceCnt::from_word(0)
    };
    out.set(regs::VGT_GS_INSTANCE_CNT, &[count.pack()]);
    let sizes = geometry.rings.map(|ring| (ring.bytes >> 8) as u32);
    out.set(regs::VGT_ESGS_RING_SIZE, &sizes);
}

impl Rings for SouthernIslands {
    fn ring_bytes(&self, words: &VertexWords) -> [u64; 2] {
        let lane = [words.fed, words.emitted * words.max_vertices].map(u64::from);
        // Whole waves.
        lane.map(|words| (RING_BYTES / (256 * words.max(1))).max(1) * 256 * words.max(1))
    }

    fn ring_descriptors(&self, rings: [BufferRange; 2], words: &VertexWords, out: &mut Vec<u32>) {
        images::ring_descriptors(rings, words, out);
    }
}

/// About the bytes of a ring: many waves, but not more than caches hold.
const RING_BYTES: u64 = 2 << 20;

/// Joins parameter exports to attributes.
fn interpolation(parts: &PipelineParts<'_>, out: &mut Packets<'_>) {
    let control = |parameter: u32, how: Interpolation| {
        regs::SpiPsInputCntl {
            offset: parameter as u8,
            flat_shade: how == Interpolation::Flat,
            ..regs::SpiPsInputCntl::from_word(0)
        }
        .pack()
    };
    let place = regs::SpiPsInputCntl {
        offset: 0x20,
        pt_sprite_tex: true,
        ..regs::SpiPsInputCntl::from_word(0)
    };
    r6xx::state::interpolation(parts, control, place.pack(), out);
}

/// Write masks and blending.
fn colors(state: &GraphicsState, out: &mut Packets<'_>) {
    let control = |target: &wgt::ColorTargetState| match &target.blend {
        Some(blend) => regs::CbBlendControl {
            disable_rop3: true,
            enable: true,
            ..blend_control(blend)
        },
        None => regs::CbBlendControl {
            disable_rop3: !has_logic(target.format),
            ..regs::CbBlendControl::from_word(0)
        },
    };
    let masks = r6xx::state::colors(state, |target| Some(control(target)), out);
    let control = regs::CbColorControl {
        rop3: state.raster.logic_op.map_or(ROP3_COPY, rop3),
        mode: match masks {
            0 => cb_mode::DISABLE,
            _ => cb_mode::NORMAL,
        },
        ..regs::CbColorControl::from_word(0)
    };
    out.set(regs::CB_COLOR_CONTROL, &[control.pack()]);
}

/// Lines with square ends, or with the pixels that the diamond rule names.
fn lines(state: &GraphicsState, out: &mut Packets<'_>) {
    let mode = state.raster.line_mode;
    let lines = regs::PaScLineCntl {
        perpendicular_endcap_ena: mode == LineMode::Rectangular,
        dx10_diamond_test_ena: mode == LineMode::Bresenham,
        ..regs::PaScLineCntl::from_word(0)
    };
    out.set(regs::PA_SC_LINE_CNTL, &[lines.pack()]);
}

/// Stencil operations in the order of the interface. STENCILOPVAL is 1, so that adding and subtracting it counts; the
/// reference is STENCILTESTVAL.
const STENCIL_OPERATIONS: [u8; 8] = [
    stencil_op::KEEP,
    stencil_op::ZERO,
    stencil_op::REPLACE_TEST,
    stencil_op::INVERT,
    stencil_op::ADD_CLAMP,
    stencil_op::SUB_CLAMP,
    stencil_op::ADD_WRAP,
    stencil_op::SUB_WRAP,
];

fn depth_stencil(state: &GraphicsState, out: &mut Packets<'_>) {
    let tests = depth_tests(state, STENCIL_OPERATIONS);
    let control = regs::DbDepthControl {
        z_enable: tests.depth,
        z_write_enable: tests.writes,
        depth_bounds_enable: state.raster.depth_bounds.is_some(),
        zfunc: tests.function,
        stencil_enable: tests.stencil,
        backface_enable: tests.stencil,
        stencilfunc: tests.functions[0],
        stencilfunc_bf: tests.functions[1],
        ..regs::DbDepthControl::from_word(0)
    };
    let [front, back] = tests.operations;
    let operations = regs::DbStencilControl {
        stencilfail: front[0],
        stencilzfail: front[1],
        stencilzpass: front[2],
        stencilfail_bf: back[0],
        stencilzfail_bf: back[1],
        stencilzpass_bf: back[2],
        ..regs::DbStencilControl::from_word(0)
    };
    if let Some(bounds) = state.raster.depth_bounds {
        out.set(regs::DB_DEPTH_BOUNDS_MIN, &bounds.map(f32::to_bits));
    }
    out.set(regs::DB_DEPTH_CONTROL, &[control.pack()]);
    out.set(regs::DB_STENCIL_CONTROL, &[operations.pack()]);
    depth_bias(regs::PA_SU_POLY_OFFSET_DB_FMT_CNTL, state, out);
}
