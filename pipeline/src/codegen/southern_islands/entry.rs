//! What a shader starts with and what it leaves behind: user data, fetches, interpolation, exports.
//!
//! `docs/driver-southern-islands.md` says where everything is.

use std::collections::HashMap;

use southern_islands::isa::memory::{MubufOp, SmrdOp};
use southern_islands::isa::scalar::{Sop1Op, Sop2Op, SoppOp};
use southern_islands::isa::vector::{VintrpOp, Vop1Op, Vop2Op, Vop3Op};
use southern_islands::regs::col_format;

use super::barycentric::weights;
use super::geometry;
use super::machine::{BufferBits, EXEC, ExportBits, Inst, M0, Op, Operand, Shape, VECTOR, When};
use super::select::Select;
use super::spill::Array;
use super::subgroup::LANES;
use crate::codegen::geometry::VertexRole;
use crate::codegen::outputs::{Outputs, Words};
use crate::codegen::{HELPER_ROUNDS, Result};
use crate::ir::{Builtin, Inst as IrInst, Interpolation, Op as IrOp, Stage, Value};

/// Where the push constants' address is.
const PUSH: u16 = 8;
/// Where the address of the vertex fetch table is.
const FETCH: u16 = 10;
const BASE_VERTEX: u16 = 12;
const FIRST_INSTANCE: u16 = 13;
const DRAW_INDEX: u16 = 14;
/// User scalars of a vertex shader.
pub(super) const VERTEX_USER: u8 = 15;
/// User scalars of a geometry shader and of a copy of what it emits. Of the first, the wave's place in the ring and its
/// number follow.
pub(super) const GEOMETRY_USER: u8 = 10;
/// User scalars of a fragment shader; PRIM_MASK follows.
pub(super) const FRAGMENT_USER: u8 = 10;

/// Where the address of the number of workgroups is.
const COUNT: u16 = 10;
/// User scalars of a compute shader; the place of the workgroup and TG_SIZE follow.
pub(super) const COMPUTE_USER: u8 = 12;
/// As many.
pub(super) const GROUP_SGPRS: u16 = 4;

/// Target of the first position vector.
const POSITION: u8 = 12;

/// Inputs and outputs of the function being compiled.
#[derive(Debug, Default)]
pub(super) struct Entry {
    scalars: HashMap<u16, Operand>,
    vectors: HashMap<u16, Operand>,
    /// Descriptors loaded at the start, by resource.
    pub descriptors: HashMap<u32, Operand>,
    /// Lanes that are no helpers and were not discarded, where that is not EXEC.
    pub live: Option<Operand>,
    /// Rounds left to helpers that are alone in a loop.
    pub helper_rounds: Option<Operand>,
    pub attributes: HashMap<u32, Operand>,
    /// Descriptors of rings, the wave's offset in the second, and its number.
    pub rings: Option<[Operand; 4]>,
    /// Scalars that nothing else gets.
    pub held: Vec<Operand>,
    /// Byte addresses of the vertices of the primitive, by vertex and page.
    pub pages: HashMap<(u32, u32), Operand>,
    /// Of a copied vertex.
    pub primitive_index: Option<Operand>,
    /// SPI_PS_INPUT_ENA.
    pub enables: u32,
    /// M0 is used for something besides PRIM_MASK.
    pub shares_m0: bool,
    pub outputs: Outputs,
    /// Vector registers that are written in lanes that are off.
    pub whole_rows: Vec<Operand>,
    /// Colour formats, four bits each. [SPI_SHADER_COL_FORMAT]
    pub color_format: u32,
    /// Components written, four bits each. [CB_SHADER_MASK]
    pub color_mask: u32,
    /// Targets that exports of the position block use.
    pub positions: u32,
    /// Parameters exported.
    pub parameters: u32,
    pub discards: bool,
    pub reads_primitive: bool,
    pub reads_point: bool,
    /// Code of a shader all of whose pixels are gone.
    dead_end: Option<usize>,
}

impl Select<'_> {
    pub(super) fn user(&mut self, at: u16, words: u8) -> Operand {
        if let Some(&found) = self.entry.scalars.get(&at) {
            return found;
        }
        let operand = self.code.scalar(words);
        self.code.pin(at);
        self.entry.scalars.insert(at, operand);
        operand
    }

    pub(super) fn system_vector(&mut self, at: u16, words: u8) -> Operand {
        if let Some(&found) = self.entry.vectors.get(&at) {
            return found;
        }
        let operand = self.code.group(VECTOR, words, 1);
        self.code.pin(at);
        self.entry.vectors.insert(at, operand);
        operand
    }

    /// Axes along which threads know their places: the last one counts those before.
    pub(super) fn thread_axes(&self) -> u8 {
        let axes = self.entry.vectors.keys();
        axes.max().map_or(0, |last| *last as u8)
    }

    pub(super) fn set_address(&mut self, group: u32) -> Operand {
        self.user(2 * group as u16, 2)
    }

    pub(super) fn push_address(&mut self) -> Operand {
        self.user(PUSH, 2)
    }

    fn prim_mask(&mut self) -> Operand {
        self.user(u16::from(FRAGMENT_USER), 1)
    }

    /// Code before the first block.
    pub(super) fn prologue(&mut self) -> Result<()> {
        let first = self.code.block();
        self.start(first);
        self.make_arrays()?;
        match self.function.stage {
            Stage::Vertex => match self.options.role {
                VertexRole::Draws | VertexRole::Merged => self.fetch_attributes()?,
                VertexRole::Feeds => {
                    self.feed_prologue();
                    self.fetch_attributes()?;
                }
                VertexRole::Copies { max_vertices } => self.fetch_emitted(max_vertices),
            },
            Stage::Geometry => self.geometry_prologue(),
            Stage::Fragment => self.fragment_prologue(),
            Stage::Compute => self.share_prologue(),
        }
        self.load_early_descriptors()
    }

    fn fragment_prologue(&mut self) {
        let function = self.function;
        let mut quads = false;
        let (mut m0, mut inputs) = (false, false);
        let (mut persp, mut w) = (false, false);
        for inst in function.insts() {
            quads |= inst.op.needs_quad();
            match &inst.op {
                IrOp::Discard => self.entry.discards = true,
                IrOp::LoadLocal(local) | IrOp::StoreLocal(local) => {
                    let held = matches!(self.arrays[*local as usize], Array::Registers(_));
                    m0 |= held && self.defs.constant(inst.args[0]).is_none();
                }
                IrOp::Input { input, .. } => {
                    inputs = true;
                    let how = function.interface.inputs[*input as usize].interpolation;
                    if let Some(bit) = self.barycentric(how) {
                        self.entry.enables |= 1 << bit;
                        persp |= bit < 4;
                    }
                }
                IrOp::VertexInput { .. } => inputs = true,
                IrOp::Builtin(builtin) => match builtin {
                    Builtin::FragCoord(i) => {
                        self.entry.enables |= 1 << (8 + i);
                        w |= *i == 3;
                    }
                    Builtin::FrontFacing => self.entry.enables |= 1 << 12,
                    Builtin::SampleIndex | Builtin::Layer => self.entry.enables |= 1 << 13,
                    Builtin::SampleMask => self.entry.enables |= 1 << 14,
                    Builtin::Barycentric(n) => {
                        if let Some(bit) = self.barycentric(weights(*n)) {
                            self.entry.enables |= 1 << bit;
                            persp |= bit < 4;
                        }
                    }
                    Builtin::PrimitiveIndex => {
                        inputs = true;
                        self.entry.reads_primitive = true;
                    }
                    Builtin::PointCoord(_) => {
                        inputs = true;
                        self.entry.reads_point = true;
                        if let Some(bit) = self.barycentric(Interpolation::Linear) {
                            self.entry.enables |= 1 << bit;
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        // Some barycentric pair must be there, a perspective one for 1/w.
        if self.entry.enables & 0x7f == 0 || (w && !persp) {
            self.entry.enables |= 2;
        }
        self.entry.shares_m0 = m0;
        let exec = Operand::Code(EXEC);
        if quads || self.entry.discards {
            let live = self.code.mask();
            self.scalar1(Sop1Op::S_MOV_B64, live, exec);
            self.entry.live = Some(live);
        }
        if quads {
            self.scalar1(Sop1Op::S_WQM_B64, exec, exec);
            if self.structure.loops.iter().any(|node| node.discards) {
                let rounds = self.code.scalar(1);
                let limit = Operand::Const(HELPER_ROUNDS);
                self.scalar1(Sop1Op::S_MOV_B32, rounds, limit);
                self.entry.helper_rounds = Some(rounds);
            }
        }
        let swizzles = function
            .insts()
            .any(|inst| matches!(inst.op, IrOp::Derivative { .. }));
        let swizzles = swizzles || self.has_subgroups();
        if (inputs && !m0) || swizzles {
            let mask = self.prim_mask();
            self.scalar1(Sop1Op::S_MOV_B32, Operand::Code(M0), mask);
        }
    }

    /// Bit of SPI_PS_INPUT_ENA for an interpolation, none for a flat one.
    pub(super) fn barycentric(&self, how: Interpolation) -> Option<u32> {
        let sample = self.options.per_sample;
        let bit = match how {
            Interpolation::Flat => return None,
            Interpolation::PerspectiveSample => 0,
            Interpolation::Perspective if sample => 0,
            Interpolation::Perspective => 1,
            Interpolation::PerspectiveCentroid if sample => 0,
            Interpolation::PerspectiveCentroid => 2,
            Interpolation::LinearSample => 4,
            Interpolation::Linear if sample => 4,
            Interpolation::Linear => 5,
            Interpolation::LinearCentroid if sample => 4,
            Interpolation::LinearCentroid => 6,
        };
        Some(bit)
    }

    /// The registers of a pixel input, by its bit in SPI_PS_INPUT_ENA: enabled inputs are packed in bit order.
    pub(super) fn pixel_input(&mut self, bit: u32) -> Operand {
        let size = |bit: u32| match bit {
            3 => 3,
            0..=6 => 2,
            _ => 1,
        };
        let enables = self.entry.enables;
        let before = (0..bit).filter(|b| enables >> b & 1 == 1).map(size).sum();
        self.system_vector(before, size(bit) as u8)
    }

    /// Fetches all vertex attributes. The table holds one V# a location.
    fn fetch_attributes(&mut self) -> Result<()> {
        let function = self.function;
        let mut components: HashMap<u32, u32> = HashMap::new();
        for inst in function.insts() {
            if let IrOp::Input { input, first } = inst.op {
                let used = inst.results.iter().enumerate().rev();
                let mut used = used.filter(|(_, v)| self.structure.uses[v.0 as usize] > 0);
                if let Some((last, _)) = used.next() {
                    let most = components.entry(input).or_default();
                    *most = (*most).max(first + last as u32 + 1);
                }
            }
        }
        let mut wanted: Vec<(u32, u32, u32)> = components
            .into_iter()
            .map(|(input, count)| {
                let location = function.interface.inputs[input as usize].location;
                (location, input, count)
            })
            .collect();
        wanted.sort_unstable();
        let mut at = 0;
        while at < wanted.len() {
            // Descriptors of consecutive locations come in one load.
            let run = (at..wanted.len())
                .take_while(|&i| wanted[i].0 == wanted[at].0 + (i - at) as u32)
                .count();
            let (count, op) = match run {
                0 | 1 => (1, SmrdOp::S_LOAD_DWORDX4),
                2 | 3 => (2, SmrdOp::S_LOAD_DWORDX8),
                _ => (4, SmrdOp::S_LOAD_DWORDX16),
            };
            let table = self.user(FETCH, 2);
            let descriptors = self.code.scalar(4 * count as u8);
            let offset = Operand::Const(16 * wanted[at].0);
            self.scalar_load(op, descriptors, table, offset);
            for i in 0..count {
                let (location, input, components) = wanted[at + i];
                let instanced = self.options.instance_attributes >> location & 1 == 1;
                let index = if instanced {
                    self.instance_index()
                } else {
                    self.vertex_index()
                };
                let dst = self.code.vector(components as u8);
                let op = match components {
                    1 => MubufOp::BUFFER_LOAD_FORMAT_X,
                    2 => MubufOp::BUFFER_LOAD_FORMAT_XY,
                    3 => MubufOp::BUFFER_LOAD_FORMAT_XYZ,
                    _ => MubufOp::BUFFER_LOAD_FORMAT_XYZW,
                };
                let bits = BufferBits {
                    idxen: true,
                    ..BufferBits::default()
                };
                let shape = Shape {
                    address: true,
                    ..Shape::default()
                };
                let descriptor = descriptors.part(4 * i as u32, 4);
                let src = vec![descriptor, Operand::Const(0), index];
                self.push(Inst::new(Op::Buffer(op, bits, shape), Some(dst), src));
                self.entry.attributes.insert(input, dst);
            }
            at += count;
        }
        Ok(())
    }

    fn vertex_index(&mut self) -> Operand {
        self.sum_index(0, BASE_VERTEX)
    }

    fn instance_index(&mut self) -> Operand {
        self.sum_index(3, FIRST_INSTANCE)
    }

    fn sum_index(&mut self, vector: u16, scalar: u16) -> Operand {
        // Made in the first block only, so the sum reaches every block.
        let key = 0x100 + vector;
        if let Some(&found) = self.entry.vectors.get(&key) {
            return found;
        }
        let id = self.system_vector(vector, 1);
        let base = self.user(scalar, 1);
        let sum = self.two(Vop2Op::V_ADD_I32, base, id);
        if self.at == 0 {
            self.entry.vectors.insert(key, sum);
        }
        sum
    }

    pub(super) fn input(&mut self, input: u32, first: u32, inst: &IrInst) {
        if self.function.stage == Stage::Vertex {
            if let Some(&loaded) = self.entry.attributes.get(&input) {
                for (i, &result) in inst.results.iter().enumerate() {
                    if self.structure.uses[result.0 as usize] > 0 {
                        self.define(result, loaded.word(first + i as u32));
                    }
                }
            }
            return;
        }
        let how = self.function.interface.inputs[input as usize].interpolation;
        for (i, &result) in inst.results.iter().enumerate() {
            if self.structure.uses[result.0 as usize] > 0 {
                let dst = self.interpolate(how, input as u8, first as u8 + i as u8);
                self.define(result, dst);
            }
        }
    }

    /// Makes M0 what V_INTERP takes there.
    pub(super) fn point_to_attributes(&mut self) {
        if self.entry.shares_m0 {
            let mask = self.prim_mask();
            self.scalar1(Sop1Op::S_MOV_B32, Operand::Code(M0), mask);
        }
    }

    fn interpolate(&mut self, how: Interpolation, attribute: u8, channel: u8) -> Operand {
        self.point_to_attributes();
        let dst = self.code.vector(1);
        let op = |op| Op::Interpolate(op, attribute, channel);
        match self.barycentric(how) {
            None => {
                // Selector 2 is P0, the provoking vertex. [SI 8.5]
                let src = vec![Operand::Const(2)];
                self.push(Inst::new(op(VintrpOp::V_INTERP_MOV_F32), Some(dst), src));
            }
            Some(bit) => {
                let ij = self.pixel_input(bit);
                let first = vec![ij.word(0)];
                self.push(Inst::new(op(VintrpOp::V_INTERP_P1_F32), Some(dst), first));
                let second = vec![ij.word(1), dst];
                self.push(Inst::new(op(VintrpOp::V_INTERP_P2_F32), Some(dst), second));
            }
        }
        dst
    }

    pub(super) fn builtin(&mut self, builtin: Builtin, result: Value) -> Result<()> {
        let inputs = self.function.interface.inputs.len() as u8;
        let word = match builtin {
            Builtin::VertexIndex => self.vertex_index(),
            Builtin::InstanceIndex => self.instance_index(),
            Builtin::DrawIndex => self.user(DRAW_INDEX, 1),
            Builtin::BaseVertex => self.user(BASE_VERTEX, 1),
            Builtin::BaseInstance => self.user(FIRST_INSTANCE, 1),
            Builtin::PrimitiveIndex if !self.is_fragment() => {
                self.system_vector(geometry::PRIMITIVE_VGPR, 1)
            }
            Builtin::PrimitiveIndex => self.interpolate(Interpolation::Flat, inputs, 0),
            Builtin::PointCoord(i) => {
                let attribute = inputs + u8::from(self.entry.reads_primitive);
                self.interpolate(Interpolation::Linear, attribute, i)
            }
            Builtin::Barycentric(n) => self.weight(n),
            // The register holds w.
            Builtin::FragCoord(3) => {
                let w = self.pixel_input(11);
                self.one(Vop1Op::V_RCP_F32, w)
            }
            Builtin::FragCoord(i) => self.pixel_input(8 + u32::from(i)),
            Builtin::FrontFacing => {
                let face = self.pixel_input(12);
                let mask = self.test(lanes::LaneOp::INe, Operand::Const(0), face);
                self.define_mask(result, mask);
                return Ok(());
            }
            Builtin::SampleIndex => {
                let ancillary = self.pixel_input(13);
                let src = [ancillary, Operand::Const(8), Operand::Const(4)];
                self.three(Vop3Op::V_BFE_U32, src)
            }
            Builtin::Layer => {
                let ancillary = self.pixel_input(13);
                let src = [ancillary, Operand::Const(16), Operand::Const(11)];
                self.three(Vop3Op::V_BFE_U32, src)
            }
            Builtin::SampleMask => self.pixel_input(14),
            Builtin::InvocationIndex => self.system_vector(geometry::INVOCATION_VGPR, 1),
            Builtin::SampleCount => Operand::Const(self.options.samples.max(1)),
            Builtin::SubgroupSize => Operand::Const(LANES),
            Builtin::SubgroupInvocation => self.lane_number(),
            Builtin::SubgroupId => {
                // TG_SIZE has the wave's number in bits 6 to 11.
                let size = self.user(u16::from(COMPUTE_USER) + 3, 1);
                let number = self.code.scalar(1);
                let field = Operand::Const(6 << 16 | 6);
                self.scalar2(Sop2Op::S_BFE_U32, number, size, field);
                number
            }
            Builtin::SubgroupCount => {
                let invocations = self.function.interface.workgroup.invocations();
                Operand::Const(invocations.div_ceil(LANES))
            }
            Builtin::LocalId(axis) => self.system_vector(axis.into(), 1),
            Builtin::WorkgroupId(axis) => self.user(u16::from(COMPUTE_USER) + u16::from(axis), 1),
            Builtin::WorkgroupCount(axis) => {
                let base = self.user(COUNT, 2);
                let count = self.code.scalar(1);
                let offset = Operand::Const(4 * u32::from(axis));
                self.scalar_load(SmrdOp::S_LOAD_DWORD, count, base, offset);
                count
            }
        };
        self.define(result, word);
        Ok(())
    }

    pub(super) fn discard(&mut self, condition: Value) {
        let Some(live) = self.entry.live else { return };
        let mask = self.mask(condition);
        let gone = self.enabled(mask);
        if gone == Operand::Const(0) {
            return;
        }
        self.scalar2(Sop2Op::S_ANDN2_B64, live, live, gone);
        let end = match self.entry.dead_end {
            Some(end) => end,
            None => {
                let end = self.code.block();
                self.entry.dead_end = Some(end);
                end
            }
        };
        self.branch(When::Scc0, end, false);
        let next = self.code.block();
        self.fall(next);
    }

    /// Exports and the end of the program.
    pub(super) fn epilogue(&mut self) -> Result<()> {
        match self.function.stage {
            Stage::Vertex if self.options.role == VertexRole::Feeds => self.feed(),
            Stage::Vertex => {
                self.stream();
                self.export_vertex()?;
            }
            Stage::Geometry => self.geometry_epilogue(),
            Stage::Compute => {}
            _ => self.export_pixel()?,
        }
        self.program(SoppOp::S_ENDPGM, 0);
        if let Some(end) = self.entry.dead_end {
            self.start(end);
            self.scalar1(Sop1Op::S_MOV_B64, Operand::Code(EXEC), Operand::Const(0));
            self.export(9, 0, Vec::new(), true, true);
            self.program(SoppOp::S_ENDPGM, 0);
        }
        Ok(())
    }

    fn export(&mut self, target: u8, en: u8, src: Vec<Operand>, done: bool, valid: bool) {
        let bits = ExportBits {
            target,
            en,
            compressed: false,
            done,
            valid,
        };
        self.push(Inst::new(Op::Export(bits), None, src));
    }

    /// Words as export sources: vector registers, as far as they are there.
    fn export_words(&mut self, words: &Words) -> (u8, Vec<Operand>) {
        let mut en = 0;
        let mut src = Vec::new();
        for (i, word) in words.iter().enumerate() {
            match word {
                Some(value) => {
                    en |= 1 << i;
                    let word = self.vector_word(*value);
                    src.push(word);
                }
                None => src.push(Operand::Const(0)),
            }
        }
        // Disabled components name a register that is there anyway.
        let any = src.iter().copied().find(|s| s.is_vector());
        for operand in &mut src {
            if !operand.is_vector() {
                *operand = any.unwrap_or(*operand);
            }
        }
        (en, src)
    }

    fn export_vertex(&mut self) -> Result<()> {
        let vectors = self.entry.outputs.position_vectors();
        let exports = vectors.iter().map(|(_, words)| self.export_words(words));
        let exports: Vec<(u8, Vec<Operand>)> = exports.collect();
        self.entry.positions = exports.len() as u32;
        for (i, (en, src)) in (1..).zip(exports) {
            let done = i == self.entry.positions;
            self.export(POSITION + i as u8 - 1, en, src, done, false);
        }
        let count = self.function.interface.outputs.len() as u32;
        for output in 0..count {
            let words = self.entry.outputs.words(output);
            let (en, src) = self.export_words(&words);
            self.export(32 + output as u8, en, src, false, false);
        }
        self.entry.parameters = count;
        if self.options.export_primitive_index {
            let index = match self.entry.primitive_index {
                Some(index) => index,
                None => self.system_vector(geometry::PRIMITIVE_VGPR, 1),
            };
            self.export(32 + count as u8, 1, vec![index; 4], false, false);
            self.entry.parameters += 1;
        }
        Ok(())
    }

    fn export_pixel(&mut self) -> Result<()> {
        let bits = |target: u32, en| ExportBits {
            target: target as u8,
            en,
            ..ExportBits::default()
        };
        let mut exports: Vec<(ExportBits, Vec<Operand>)> = Vec::new();
        if let Some(words) = self.entry.outputs.depth() {
            let (en, src) = self.export_words(&words);
            exports.push((bits(8, en), src));
        }
        for color in self.entry.outputs.colors(self.function, self.options) {
            let (en, src) = self.export_words(&color.words);
            // [SPI_SHADER_COL_FORMAT]
            self.entry.color_format |= u32::from(col_format::ABGR_32) << (4 * color.target);
            self.entry.color_mask |= u32::from(en) << (4 * color.target);
            exports.push((bits(color.target, en), src));
        }
        if exports.is_empty() {
            exports.push((bits(9, 0), Vec::new()));
        }
        if let Some(live) = self.entry.live {
            self.scalar1(Sop1Op::S_MOV_B64, Operand::Code(EXEC), live);
        }
        let last = exports.len() - 1;
        for (i, (mut bits, src)) in exports.into_iter().enumerate() {
            bits.done = i == last;
            bits.valid = i == last;
            self.push(Inst::new(Op::Export(bits), None, src));
        }
        Ok(())
    }
}
