//! The driver's part for Rogue: state to registers, commands to control streams.
//!
//! The agreements with shaders are in `docs/driver-rogue.md`.

use ::rogue::regs::{self, *};
use ::rogue::stream::header;
use silicon::Addr;
use wgpu_types as wgt;

use super::packets::{Stream, address};
use super::{bindings, draws, pass};
use crate::codegen::geometry::VertexWords;
use crate::codegen::viewports::viewports;
use crate::driver::ConstantTable;
use crate::encode::{Encoder, OpenPass};
use crate::ir::Interpolation;
use crate::layout::MAX_PUSH_CONSTANT_BYTES;
use crate::state::{
    BufferRange, ClearAttachment, Draw, DynamicState, GeometryOutput, GraphicsState, IndirectDraw,
    LineMode, PassTargets, ProvokingVertex, Rect,
};
use crate::targets::{
    Bindings, Chip, Compute, DrawConstants, GeometryParts, GeometryPath, PipelineParts, Rings,
};
use crate::upload::Result;

/// Rogue as the driver sees it.
pub struct Rogue;

/// Behind the push constants: the address of scratch memory.
pub(super) const SCRATCH_AT: u64 = MAX_PUSH_CONSTANT_BYTES as u64;

/// Codes of comparisons, in the order of the ISP.
pub(super) fn comparison(function: wgt::CompareFunction) -> u8 {
    use wgt::CompareFunction as C;
    match function {
        C::Never => 0,
        C::Less => 1,
        C::Equal => 2,
        C::LessEqual => 3,
        C::Greater => 4,
        C::NotEqual => 5,
        C::GreaterEqual => 6,
        C::Always => 7,
    }
}

fn stencil_operation(operation: wgt::StencilOperation) -> u8 {
    use wgt::StencilOperation as S;
    match operation {
        S::Keep => 0,
        S::Zero => 1,
        S::Replace => 2,
        S::IncrementClamp => 3,
        S::DecrementClamp => 4,
        S::Invert => 5,
        S::IncrementWrap => 6,
        S::DecrementWrap => 7,
    }
}

impl Chip for Rogue {
    fn code_align(&self) -> u64 {
        16
    }

    fn constants(&self, push: &[u8], scratch: &[u32], _: DrawConstants) -> Vec<u8> {
        let mut bytes = push.to_vec();
        bytes.resize(SCRATCH_AT as usize, 0);
        bytes.extend(scratch.iter().flat_map(|word| word.to_le_bytes()));
        bytes
    }

    fn constants_align(&self) -> u64 {
        16
    }

    fn begin(&self, out: &mut Vec<u32>) {
        let out = &mut Stream(out);
        out.set(VISIBILITY_LO, &[0; 4]);
        out.set(TPU_BORDERS_LO, &address(ConstantTable::START));
    }

    fn begin_pass(&self, targets: &PassTargets<'_>, out: &mut Encoder<'_>) -> Result<Option<Addr>> {
        pass::begin(targets, out)
    }

    fn clear_attachment(
        &self,
        pass: &OpenPass<'_>,
        clear: ClearAttachment,
        rect: Rect,
        out: &mut Encoder<'_>,
    ) -> Result<()> {
        pass::clear(&pass.targets, clear, rect, &mut Stream(&mut out.words));
        Ok(())
    }

    fn end_pass(&self, _: &OpenPass<'_>, out: &mut Encoder<'_>) -> Result<()> {
        Stream(&mut out.words).job(::rogue::stream::job::KICK, 0, &[]);
        Ok(())
    }

    fn pipeline(&self, parts: &PipelineParts<'_>, out: &mut Vec<u32>) {
        let out = &mut Stream(out);
        vertices(parts, out);
        pixels(parts, out);
        primitives(parts, out);
        // The last stage before the tiler says what vertices have.
        let geometry = parts.geometry.iter().map(|geometry| geometry.shader.0);
        let binaries = [parts.vertex.0].into_iter().chain(geometry);
        for binary in binaries.chain([parts.fragment.0]) {
            for (register, value) in &binary.registers {
                match *register {
                    OUTPUT_SEL => out.ppp(header::OUTSELECTS, &[*value]),
                    USC_GS_CONTROL => out.set(USC_GS_CONTROL, &[*value | invocations(parts.state)]),
                    other => out.set(other, &[*value]),
                }
            }
        }
        if let Some(geometry) = &parts.geometry {
            self::geometry(geometry, out);
        }
    }

    fn dynamic(&self, dynamic: &DynamicState, pipeline: &GraphicsState, out: &mut Vec<u32>) {
        let out = &mut Stream(out);
        let count = match pipeline.chooses_viewport() {
            true => regs::VIEWPORTS,
            false => 1,
        };
        let mut words = tests(dynamic, pipeline);
        for viewport in &dynamic.viewports[..count as usize] {
            let half = [viewport.width / 2.0, viewport.height / 2.0];
            let depth = viewport.max_depth - viewport.min_depth;
            let values = [
                viewport.x + half[0],
                half[0],
                viewport.y + half[1],
                -half[1],
                viewport.min_depth,
                depth,
            ];
            words.extend(values.map(f32::to_bits));
        }
        let bits = header::FA | header::FB | header::BA | header::BB | header::VIEWPORT;
        out.ppp(bits | (count - 1) << 12, &words);
        // Triangles are clipped at the guard band: the scissors cut at the viewports' edges.
        let scissors = viewports(dynamic, pipeline).scissors;
        let edges = |edge: fn(&Rect) -> [u32; 2]| -> Vec<u32> {
            let word = |rect: &Rect| {
                let [first, size] = edge(rect);
                first << 16 | (first + size).min(0xffff)
            };
            scissors.iter().map(word).collect()
        };
        out.set(SCISSOR_X, &edges(|rect| [rect.x, rect.width]));
        out.set(SCISSOR_Y, &edges(|rect| [rect.y, rect.height]));
        out.set(USC_FS_SHARED, &dynamic.blend_constant.map(f32::to_bits));
    }

    fn geometry_path(&self) -> GeometryPath {
        GeometryPath::Taken
    }

    fn rings(&self) -> Option<&dyn Rings> {
        Some(self)
    }

    fn user_data(&self, bound: &Bindings<'_>, out: &mut Encoder<'_>) -> Result<()> {
        bindings::set(bound, out)
    }

    fn draw(&self, draw: &Draw, bound: &Bindings<'_>, out: &mut Encoder<'_>) -> Result<()> {
        draws::draw(draw, bound.state, &mut Stream(&mut out.words));
        Ok(())
    }

    fn draw_indirect(&self, draw: &IndirectDraw, _: &Bindings<'_>, out: &mut Vec<u32>) {
        draws::draw_indirect(draw, &mut Stream(out));
    }

    fn compute(&self) -> Result<&dyn Compute, &'static str> {
        Ok(self)
    }
}

/// Words of ISPA and ISPB of both sides.
fn tests(dynamic: &DynamicState, state: &GraphicsState) -> Vec<u32> {
    let Some(depth) = &state.depth_stencil else {
        let always = IspA {
            dcmpmode: 7,
            dwrite_disable: true,
            ..IspA::from_word(0)
        };
        let pass = IspB {
            scmpmode: 7,
            ..IspB::from_word(0)
        };
        return [always.pack(), pass.pack()].repeat(2);
    };
    let compare = depth.depth_compare.map_or(7, comparison);
    let a = IspA {
        dcmpmode: compare,
        dwrite_disable: !depth.depth_write_enabled.unwrap_or(false),
        sref: dynamic.stencil_reference as u8,
        ..IspA::from_word(0)
    };
    let stencil = &depth.stencil;
    let b = |face: &wgt::StencilFaceState| IspB {
        scmpmode: comparison(face.compare),
        sop1: stencil_operation(face.fail_op),
        sop2: stencil_operation(face.depth_fail_op),
        sop3: stencil_operation(face.pass_op),
        scmpmask: stencil.read_mask as u8,
        swmask: stencil.write_mask as u8,
        ..IspB::from_word(0)
    };
    vec![
        a.pack(),
        b(&stencil.front).pack(),
        a.pack(),
        b(&stencil.back).pack(),
    ]
}

/// The vertex program and its attributes.
fn vertices(parts: &PipelineParts<'_>, out: &mut Stream<'_>) {
    let (binary, at) = parts.vertex;
    out.set(USC_VS_CODE_LO, &address(at));
    out.set(USC_VS_CODE_WORDS, &[binary.words.len() as u32]);
    let mut steps = 0;
    for buffer in &parts.state.vertex_buffers {
        if buffer.step == wgt::VertexStepMode::Instance {
            steps |= buffer
                .attributes
                .iter()
                .fold(0, |all, attribute| all | 1 << attribute.shader_location);
        }
    }
    let attributes = &binary.slots.attributes;
    out.set(PDS_ATTRIBUTE_COUNT, &[attributes.len() as u32, steps]);
    if !attributes.is_empty() {
        out.set(PDS_ATTRIBUTE_LOCATION, attributes);
    }
}

/// The geometry program and the unified vertex store around it.
fn geometry(parts: &GeometryParts<'_>, out: &mut Stream<'_>) {
    let (binary, at) = parts.shader;
    out.set(USC_GS_CODE_LO, &address(at));
    out.set(USC_GS_CODE_WORDS, &[binary.words.len() as u32]);
    let places = [UVS_VERTICES_LO, UVS_EMITTED_LO].into_iter();
    for (first, part) in places.zip(parts.rings) {
        let [low, high] = address(part.address);
        out.set(first, &[low, high, part.bytes as u32]);
    }
}

/// Bits of GsControl.
fn invocations(state: &GraphicsState) -> u32 {
    let count = state.geometry.map_or(1, |geometry| geometry.invocations);
    let control = GsControl {
        invocations: (count - 1) as u8,
        ..GsControl::from_word(0)
    };
    control.pack()
}

/// About the bytes of a part of the unified vertex store: many waves, but not more than caches hold.
const STORE_BYTES: u64 = 2 << 20;

impl Rings for Rogue {
    fn ring_bytes(&self, words: &VertexWords) -> [u64; 2] {
        // Emitted vertices have a parameter for each varying, of four words at most.
        let emitted = 4 * words.emitted * words.max_vertices;
        [words.fed, emitted].map(|lane| {
            let wave = 256 * u64::from(lane.max(1));
            (STORE_BYTES / wave).max(1) * wave
        })
    }

    /// Programs find nothing of the store by themselves.
    fn ring_descriptors(&self, _: [BufferRange; 2], _: &VertexWords, _: &mut Vec<u32>) {}
}

/// The pixel program and its inputs.
fn pixels(parts: &PipelineParts<'_>, out: &mut Stream<'_>) {
    let (binary, at) = parts.fragment;
    out.set(USC_FS_CODE_LO, &address(at));
    out.set(USC_FS_CODE_WORDS, &[binary.words.len() as u32]);
    let input = |parameter: u32, source: u8| {
        TspInput {
            parameter: parameter as u8,
            source,
            ..TspInput::from_word(0)
        }
        .pack()
    };
    let links = parts.links.iter().map(|link| {
        let source = match link.interpolation {
            Interpolation::Flat => source::FLAT,
            Interpolation::Linear | Interpolation::LinearCentroid | Interpolation::LinearSample => {
                source::LINEAR
            }
            _ => source::PERSPECTIVE,
        };
        input(link.parameter, source)
    });
    let mut inputs: Vec<u32> = links.collect();
    if binary.primitive_index {
        let last = (parts.geometry.as_ref()).map_or(parts.vertex.0, |geometry| geometry.shader.0);
        let parameter = last.interface.outputs.len() as u32;
        inputs.push(input(parameter, source::FLAT));
    }
    if binary.point_coord {
        inputs.push(input(0, source::POINT));
    }
    out.set(TSP_INPUTS, &[inputs.len() as u32]);
    if !inputs.is_empty() {
        out.set(TSP_INPUT, &inputs);
    }
    let ccw = u32::from(parts.state.primitive.front_face == wgt::FrontFace::Ccw);
    let mask = parts.state.multisample.mask as u32;
    out.set(USC_FS_SHARED + 6, &[mask, ccw]);
    out.set(SAMPLE_MASK, &[mask]);
}

/// Clipping, culling, sizes, depth bias.
fn primitives(parts: &PipelineParts<'_>, out: &mut Stream<'_>) {
    let state = parts.state;
    let (primitive, raster) = (&state.primitive, &state.raster);
    let ccw = primitive.front_face == wgt::FrontFace::Ccw;
    let [front, back] = match ccw {
        true => [cullmode::COUNTER_CLOCKWISE, cullmode::CLOCKWISE],
        false => [cullmode::CLOCKWISE, cullmode::COUNTER_CLOCKWISE],
    };
    let bias = state.depth_stencil.as_ref().map(|depth| depth.bias);
    let bias = bias.filter(wgt::DepthBiasState::is_enabled);
    let isp = IspCtl {
        two_sided: true,
        bpres: true,
        scenable: true,
        dbenable: bias.is_some(),
        ..IspCtl::from_word(0)
    };
    let ppp = PppCtrl {
        clip_mode: 1,
        // A vertex of several primitives is one for each of them, unless a geometry shader knows the number.
        prim_id: parts.vertex.0.primitive_index && parts.geometry.is_none(),
        gs_topology: match state.geometry.map(|geometry| geometry.output) {
            None => gs_topology::NONE,
            Some(GeometryOutput::Points) => gs_topology::POINTS,
            Some(GeometryOutput::LineStrip) => gs_topology::LINE_STRIP,
            Some(GeometryOutput::TriangleStrip) => gs_topology::TRIANGLE_STRIP,
        },
        cullmode: match primitive.cull_mode {
            None => cullmode::NONE,
            Some(wgt::Face::Front) => front,
            Some(wgt::Face::Back) => back,
        },
        ..PppCtrl::from_word(0)
    };
    out.ppp(header::ISPCTL | header::PPP_CTRL, &[isp.pack(), ppp.pack()]);
    let control = Raster {
        depth_clamp: primitive.unclipped_depth,
        fill: match primitive.polygon_mode {
            wgt::PolygonMode::Fill => fill::SOLID,
            wgt::PolygonMode::Line => fill::LINES,
            wgt::PolygonMode::Point => fill::POINTS,
        },
        rectangular_lines: raster.line_mode == LineMode::Rectangular,
        back_clockwise: ccw,
        ..Raster::from_word(0)
    };
    out.set(RASTER, &[control.pack()]);
    out.set(
        LINE_WIDTH,
        &[raster.line_width.to_bits(), raster.point_size.to_bits()],
    );
    if let Some(bias) = bias {
        let values = [bias.constant as f32, bias.slope_scale, bias.clamp];
        out.set(BIAS_CONSTANT, &values.map(f32::to_bits));
    }
    let stipple = raster.line_stipple.map_or(0, |stipple| {
        LineStipple {
            enable: true,
            restarts: !primitive.topology.is_strip(),
            repeat: (stipple.factor - 1) as u8,
            pattern: stipple.pattern,
            ..LineStipple::from_word(0)
        }
        .pack()
    });
    out.set(LINE_STIPPLE, &[stipple]);
    let restart = primitive.strip_index_format;
    let vdm = VdmControl {
        topology: draws::topology(state),
        provoking_last: raster.provoking_vertex == ProvokingVertex::Last,
        restart: restart.is_some(),
        ..VdmControl::from_word(0)
    };
    let index = match restart {
        Some(wgt::IndexFormat::Uint16) => 0xffff,
        _ => u32::MAX,
    };
    out.set(VDM_CONTROL, &[vdm.pack(), index]);
}
