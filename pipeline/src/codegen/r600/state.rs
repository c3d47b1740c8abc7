//! The driver's part for R600: state to registers, commands to packets.
//!
//! The agreements with shaders are in `docs/driver-r600.md`. Registers that follow from a shader's code alone come with
//! its `Binary`; those that follow from state or from both shaders are set here.

use ::r600::regs::{self, special_op, stencil_op};
use silicon::Addr;
use wgpu_types as wgt;

use super::geometry::emitted_record;
use super::memory::{
    BORDER_AT, BYTES, DRIVER_CONSTANT, PUSH_BANK, PUSH_RESOURCE, RING_RESOURCE, SET_RESOURCE,
};
use super::multisample::{self, multisample};
use super::packets::{Packets, load, start};
use super::{images, pass};
use crate::codegen::Binary;
use crate::codegen::geometry::VertexWords;
use crate::codegen::radeon::r6xx::codes::{cut_mode, out_prim_type, rop3};
use crate::codegen::radeon::r6xx::constants::SCRATCH_AT;
use crate::codegen::radeon::r6xx::state::{
    ROP3_COPY, blend_control, depth_bias, depth_tests, has_logic,
};
use crate::codegen::radeon::r6xx::{self, Family};
use crate::encode::{Encoder, OpenPass};
use crate::immediate::{self, ImmediateMode};
use crate::ir::Interpolation;
use crate::state::{
    Attachment, BufferRange, ClearAttachment, Draw, DynamicState, GraphicsState, IndirectDraw,
    LineMode, PassTargets, Rect,
};
use crate::stream::{StreamDraw, Streams};
use crate::targets::{
    Bindings, Chip, Compute, DrawConstants, PipelineParts, Rings, Surfaces, UserData,
};
use crate::upload::Result;

/// R600 as the driver sees it.
pub struct R600;

/// Bytes that the memory of the push constants has: their own, then the driver's constants, then scratch registers.
const PUSH_BYTES: u64 = 512;
/// Words of a resource.
const RESOURCE_WORDS: u32 = 7;
/// Words of a sampler.
const SAMPLER_WORDS: u32 = 3;

/// Stencil operations in the order of the interface.
const STENCIL_OPERATIONS: [u8; 8] = [
    stencil_op::KEEP,
    stencil_op::ZERO,
    stencil_op::REPLACE,
    stencil_op::INVERT,
    stencil_op::INCR,
    stencil_op::DECR,
    stencil_op::INCR_WRAP,
    stencil_op::DECR_WRAP,
];

impl Chip for R600 {
    fn code_align(&self) -> u64 {
        256
    }

    fn constants(&self, push: &[u8], scratch: &[u32], draw: DrawConstants) -> Vec<u8> {
        let mut bytes = push.to_vec();
        bytes.resize(16 * usize::from(DRIVER_CONSTANT), 0);
        for word in [draw.index, draw.first_instance, draw.base_vertex, 0]
            .iter()
            .chain(scratch)
        {
            bytes.extend(word.to_le_bytes());
        }
        bytes.resize(PUSH_BYTES as usize, 0);
        bytes
    }

    fn draw_constants(&self, draw: &Draw) -> DrawConstants {
        DrawConstants {
            index: draw.draw_index,
            first_instance: draw.first_instance,
            base_vertex: base_vertex(draw),
        }
    }

    fn constants_align(&self) -> u64 {
        256
    }

    fn begin(&self, out: &mut Vec<u32>) {
        begin(&mut Self::packets(out));
    }

    fn begin_pass(&self, targets: &PassTargets<'_>, out: &mut Encoder<'_>) -> Result<Option<Addr>> {
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
    ) -> Result<()> {
        immediate::clear(&pass.targets, clear, rect, out)
    }

    fn end_pass(&self, pass: &OpenPass<'_>, out: &mut Encoder<'_>) -> Result<()> {
        immediate::resolve(self, &pass.targets, out)
    }

    fn pipeline(&self, parts: &PipelineParts<'_>, out: &mut Vec<u32>) {
        let out = &mut Self::packets(out);
        for (register, address) in [
            (regs::SQ_PGM_START_VS, parts.vertex.1),
            (regs::SQ_PGM_START_PS, parts.fragment.1),
        ] {
            out.set(register, &[(address.0 >> 8) as u32]);
        }
        interpolation(parts, out);
        colors(parts.state, out);
        depth_stencil(parts.state, out);
        r6xx::state::primitives(parts.state, out);
        lines(parts.state, out);
        multisample(parts.state, parts.per_sample, out);
        geometry(parts, out);
        for (register, value) in parts.binaries().flat_map(|binary| &binary.registers) {
            out.set(*register, &[*value]);
        }
    }

    fn dynamic(&self, dynamic: &DynamicState, pipeline: &GraphicsState, out: &mut Vec<u32>) {
        pass::dynamic(dynamic, pipeline, &mut Self::packets(out));
    }

    fn user_data(&self, bound: &Bindings<'_>, out: &mut Encoder<'_>) -> Result<()> {
        let out = &mut Self::packets(&mut out.words);
        let data = &bound.data;
        let [vertex, fragment] = bound.shaders;
        let geometry = bound.geometry.map(|geometry| &geometry.shader);
        for attribute in &vertex.slots.attributes {
            let at = Addr(data.attributes.0 + u64::from(BYTES.buffer * attribute));
            resource(out, regs::RESOURCES_VS + attribute, at);
        }
        bind(out, &STAGES[0], vertex, data);
        bind(out, &STAGES[1], fragment, data);
        if let Some(geometry) = geometry {
            bind(out, &STAGES[2], geometry, data);
        }
        let mut shaders = [vertex, fragment].into_iter().chain(geometry);
        if shaders.any(|shader| shader.scratch_bytes > 0) {
            let at = Addr(data.push_constants.0 + 16 * (u64::from(DRIVER_CONSTANT) + 1));
            load(out, regs::SQ_VSTMP_RING_BASE, 4, at);
            if geometry.is_some() {
                // The waves of no two of these stages run at once.
                load(out, regs::SQ_ESTMP_RING_BASE, 4, at);
            }
        }
        Ok(())
    }

    fn draw(&self, draw: &Draw, _: &Bindings<'_>, out: &mut Encoder<'_>) -> Result<()> {
        let out = &mut Self::packets(&mut out.words);
        first_vertices(base_vertex(draw), draw.first_instance, out);
        out.draw(draw);
        Ok(())
    }

    fn draw_counted(&self, draw: &StreamDraw, _: &Bindings<'_>, out: &mut Vec<u32>) {
        let out = &mut Self::packets(out);
        first_vertices(0, draw.first_instance, out);
        out.draw_counted(draw.instances);
    }

    fn draw_indirect(&self, _: &IndirectDraw, _: &Bindings<'_>, _: &mut Vec<u32>) {
        debug_assert!(false, "the command processor has no packet for it");
    }

    fn rings(&self) -> Option<&dyn Rings> {
        Some(self)
    }

    fn streams(&self) -> Option<&dyn Streams> {
        Some(self)
    }

    fn compute(&self) -> Result<&dyn Compute, &'static str> {
        Err("no packet starts groups of threads, and waves share no memory and no barrier")
    }
}

/// Sets what is added to indices, and to the numbers of instances that fetches take.
fn first_vertices(base: u32, instance: u32, out: &mut Packets<'_>) {
    out.set(regs::VGT_INDX_OFFSET, &[base]);
    out.set(regs::SQ_VTX_BASE_VTX_LOC, &[0, instance]);
}

/// What is added to indices; of a draw without them, its first vertex.
fn base_vertex(draw: &Draw) -> u32 {
    match draw.indices {
        Some(indices) => indices.base_vertex as u32,
        None => draw.first,
    }
}

impl ImmediateMode for R600 {
    fn attachments(&self, targets: &PassTargets<'_>, out: &mut Vec<u32>) {
        pass::attachments(targets, &mut Self::packets(out));
    }

    fn average(&self, [from, _]: [&Attachment<'_>; 2], out: &mut Vec<u32>) {
        let control = regs::CbColorControl {
            rop3: ROP3_COPY,
            special_op: special_op::RESOLVE_BOX,
            ..regs::CbColorControl::from_word(0)
        };
        let mut out = Self::packets(out);
        out.set(regs::CB_COLOR_CONTROL, &[control.pack()]);
        // A colour target does not say how many samples it has.
        multisample::count(from.samples, regs::PaScModeCntl::from_word(0), &mut out);
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

/// Vertex, pixel, geometry.
const STAGES: [StageSlots; 3] = [
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
    StageSlots {
        resources: regs::RESOURCES_GS,
        samplers: regs::SAMPLERS_GS,
        borders: regs::TD_GS_SAMPLER0_BORDER_RED,
        bank_bases: regs::ALU_CONST_CACHE_GS_0,
        bank_sizes: regs::ALU_CONST_BUFFER_SIZE_GS_0,
    },
];

/// About the bytes of a ring: many waves, but not more than caches hold.
const RING_BYTES: u64 = 2 << 20;

impl Rings for R600 {
    fn ring_bytes(&self, words: &VertexWords) -> [u64; 2] {
        let records = [words.fed, emitted_record(words)].map(u64::from);
        // Whole waves.
        let waves = |record: u64| (RING_BYTES / (256 * record)).max(1) * 256 * record;
        records.map(|record| waves(record.max(1)))
    }

    fn ring_descriptors(&self, _: [BufferRange; 2], _: &VertexWords, _: &mut Vec<u32>) {
        // Rings are in registers of the pipeline.
    }

    fn has_invocations(&self) -> bool {
        false
    }
}

/// The stages around a geometry shader, where there is one.
fn geometry(parts: &PipelineParts<'_>, out: &mut Packets<'_>) {
    let (Some(geometry), Some(state)) = (&parts.geometry, &parts.state.geometry) else {
        out.set(regs::VGT_GS_MODE, &[0]);
        return;
    };
    for (register, address) in [
        (regs::SQ_PGM_START_ES, geometry.vertex.1),
        (regs::SQ_PGM_START_GS, geometry.shader.1),
    ] {
        out.set(register, &[(address.0 >> 8) as u32]);
    }
    let interface = geometry.shader.0.interface.geometry.as_ref();
    let mode = regs::VgtGsMode {
        mode: regs::GS_SCENARIO_G,
        cut_mode: cut_mode(interface.map_or(0, |geometry| geometry.max_vertices)),
        ..regs::VgtGsMode::from_word(0)
    };
    out.set(regs::VGT_GS_MODE, &[mode.pack()]);
    let output = out_prim_type(state.output);
    out.set(regs::VGT_GS_OUT_PRIM_TYPE, &[output.into()]);
    let [fed, emitted] = geometry.rings;
    let registers = [fed, emitted].map(|ring| [ring.address.0 >> 8, ring.bytes >> 8]);
    let registers: Vec<u32> = registers.concat().iter().map(|word| *word as u32).collect();
    out.set(regs::SQ_ESGS_RING_BASE, &registers);
    for (first, ring) in [(regs::RESOURCES_GS, fed), (regs::RESOURCES_VS, emitted)] {
        let resource = regs::resource_at(first + RING_RESOURCE);
        out.set(resource, &images::ring_resource(ring));
    }
}

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
        R600.buffer_descriptor(BufferRange { address, bytes }, &mut words);
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
    r6xx::state::begin(regs::PA_SU_VTX_CNTL, out);
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
    let place = regs::SpiPsInputCntl {
        pt_sprite_tex: true,
        ..regs::SpiPsInputCntl::from_word(0)
    };
    r6xx::state::interpolation(parts, control, place.pack(), out);
}

/// Write masks and blending.
fn colors(state: &GraphicsState, out: &mut Packets<'_>) {
    let control = |target: &wgt::ColorTargetState| target.blend.as_ref().map(blend_control);
    let masks = r6xx::state::colors(state, control, out);
    let targets = || (0..8).zip(&state.targets);
    let blends = |target: &wgt::ColorTargetState| target.blend.is_some();
    let blended = targets().filter(|(_, target)| target.as_ref().is_some_and(blends));
    let logic = state.targets.iter().flatten().any(|t| has_logic(t.format));
    let control = regs::CbColorControl {
        rop3: match (state.raster.logic_op, logic) {
            (Some(op), true) => rop3(op),
            _ => ROP3_COPY,
        },
        target_blend_enable: blended.fold(0, |bits, (i, _)| bits | 1 << i),
        per_mrt_blend: true,
        special_op: match masks {
            0 => special_op::DISABLE,
            _ => special_op::NORMAL,
        },
        ..regs::CbColorControl::from_word(0)
    };
    out.set(regs::CB_COLOR_CONTROL, &[control.pack()]);
}

/// Lines with square ends.
fn lines(state: &GraphicsState, out: &mut Packets<'_>) {
    let lines = regs::PaScLineCntl {
        expand_line_width: state.raster.line_mode == LineMode::Rectangular,
        ..regs::PaScLineCntl::from_word(0)
    };
    out.set(regs::PA_SC_LINE_CNTL, &[lines.pack()]);
}

fn depth_stencil(state: &GraphicsState, out: &mut Packets<'_>) {
    let tests = depth_tests(state, STENCIL_OPERATIONS);
    let [front, back] = tests.operations;
    let control = regs::DbDepthControl {
        stencil_enable: tests.stencil,
        stencilfunc: tests.functions[0],
        stencilfail: front[0],
        stencilzfail: front[1],
        stencilzpass: front[2],
        backface_enable: tests.stencil,
        stencilfunc_bf: tests.functions[1],
        stencilfail_bf: back[0],
        stencilzfail_bf: back[1],
        stencilzpass_bf: back[2],
        z_enable: tests.depth,
        z_write_enable: tests.writes,
        zfunc: tests.function,
        ..regs::DbDepthControl::from_word(0)
    };
    out.set(regs::DB_DEPTH_CONTROL, &[control.pack()]);
    depth_bias(regs::PA_SU_POLY_OFFSET_DB_FMT_CNTL, state, out);
}
