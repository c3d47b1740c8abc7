//! What a shader starts with and what it leaves behind: preloaded registers, fetched attributes, exports.
//!
//! `docs/driver-r600.md` says where everything is.

use std::collections::HashMap;

use r600::isa::alu::Op2;
use r600::isa::export::{Export, ExportOp};
use r600::isa::fetch::{Fetch, Vtx};
use r600::isa::words::{ExportType, FetchType};
use wgpu_types::VertexFormat;

use super::geometry;
use super::machine::{FlowKind, From, Inst, Lane, Operand, Part, Unit};
use super::memory::{DRIVER_CONSTANT, PUSH_BANK};
use super::select::Select;
use crate::codegen::geometry::VertexRole;
use crate::codegen::outputs::{Outputs, Words, mask};
use crate::codegen::{HELPER_ROUNDS, Result};
use crate::front::messages::separated;
use crate::ir::{Builtin, Inst as IrInst, Op as IrOp, Stage, Value};
use crate::names::Name;

/// Target of depth in X and sample mask in Z. [R600 15.1, INPUTS]
const PIXEL_DEPTH: u16 = 61;
/// Target of the first position vector.
const POSITION: u16 = 60;

/// Inputs and outputs of the function being compiled.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// Registers that are filled before the shader starts.
    preloaded: HashMap<u8, [Unit; 4]>,
    /// Fetched attributes.
    pub(super) attributes: HashMap<u32, [Unit; 4]>,
    /// Their locations.
    pub locations: Vec<u32>,
    pub outputs: Outputs,
    /// Registers that hold interpolated inputs; what follows is position, then facing.
    pub inputs: u8,
    pub position: Option<u8>,
    pub facing: Option<u8>,
    pub sample: Option<u8>,
    /// Number of the primitive, of a copied vertex.
    pub primitive_index: Option<Unit>,
    pub reads_primitive: bool,
    pub reads_point: bool,
    /// Differences within quads are taken, so that helpers run.
    pub quads: bool,
    /// Rounds left to a helper that no live lane is with in a loop.
    pub helper_rounds: Option<Unit>,
    pub discards: bool,
    /// The push constants are fetched, not only read as constants.
    pub fetches_push: bool,
    /// Descriptor sets that are fetched from.
    pub reads_sets: u8,
    /// The driver's constants behind the push constants are read.
    pub draw_constants: bool,
    /// Colours exported, a bit each; components, four bits each.
    pub colors: u8,
    pub color_mask: u32,
    pub parameters: u32,
}

impl Select<'_> {
    pub(super) fn preloaded(&mut self, gpr: u8) -> [Unit; 4] {
        if let Some(&units) = self.entry.preloaded.get(&gpr) {
            return units;
        }
        let units = self.code.pinned(gpr);
        self.entry.preloaded.insert(gpr, units);
        units
    }

    /// Registers taken before the shader starts.
    pub fn preloaded_registers(&self) -> u8 {
        match self.function.stage {
            Stage::Vertex => 1,
            Stage::Geometry => geometry::registers(self.function),
            _ => {
                let entry = &self.entry;
                let more = [entry.position, entry.facing, entry.sample];
                let last = more.into_iter().flatten().max().map(|gpr| gpr + 1);
                last.unwrap_or(entry.inputs).max(1)
            }
        }
    }

    /// Code before the first block.
    pub fn prologue(&mut self) -> Result<()> {
        let first = self.code.block();
        match self.function.stage {
            Stage::Vertex => {
                self.start(first);
                self.make_arrays()?;
                match self.options.role {
                    VertexRole::Copies { .. } => self.fetch_emitted(),
                    _ => self.fetch_attributes(),
                }
            }
            Stage::Geometry => {
                self.start(first);
                self.make_arrays()?;
                self.check_emitted()?;
            }
            Stage::Fragment => {
                self.fragment_inputs();
                if self.entry.quads {
                    // Helpers become active until the end of the shader.
                    let label = self.code.label();
                    self.flow(FlowKind::PushQuads, label, 0);
                    self.depth += 1;
                }
                self.start(first);
                if self.entry.quads && self.structure.loops.iter().any(|node| node.discards) {
                    let rounds = self.code.unit();
                    self.move_to(rounds, Operand::word(HELPER_ROUNDS));
                    self.entry.helper_rounds = Some(rounds);
                }
                self.make_arrays()?;
            }
            stage => return Err(self.unsupported(format!("the stage {}", stage.name()))),
        }
        Ok(())
    }

    fn fragment_inputs(&mut self) {
        let function = self.function;
        let (mut position, mut facing, mut sample) = (false, false, false);
        for inst in function.insts() {
            self.entry.quads |= inst.op.needs_quad();
            if let IrOp::Builtin(builtin) = inst.op {
                match builtin {
                    Builtin::FragCoord(_) => position = true,
                    Builtin::FrontFacing | Builtin::SampleMask => facing = true,
                    Builtin::SampleIndex => sample = true,
                    Builtin::PrimitiveIndex => self.entry.reads_primitive = true,
                    Builtin::PointCoord(_) => self.entry.reads_point = true,
                    _ => {}
                }
            }
        }
        let mut next = function.interface.inputs.len() as u8;
        next += u8::from(self.entry.reads_primitive) + u8::from(self.entry.reads_point);
        self.entry.inputs = next;
        let mut take = |wanted: bool| {
            let gpr = wanted.then_some(next);
            next += u8::from(wanted);
            gpr
        };
        self.entry.position = take(position);
        self.entry.facing = take(facing);
        self.entry.sample = take(sample);
    }

    fn fetch_attributes(&mut self) {
        let function = self.function;
        let mut wanted: HashMap<u32, [bool; 4]> = HashMap::new();
        for inst in function.insts() {
            if let IrOp::Input { input, first } = inst.op {
                let used = wanted.entry(input).or_default();
                for (i, &result) in inst.results.iter().enumerate() {
                    used[first as usize + i] |= self.is_used(result);
                }
            }
        }
        for (input, varying) in function.interface.inputs.iter().enumerate() {
            let input = input as u32;
            let Some(used) = wanted.get(&input) else {
                continue;
            };
            if !used.contains(&true) {
                continue;
            }
            self.entry.locations.push(varying.location);
            let instanced = self.options.instance_attributes >> varying.location & 1 == 1;
            let index = self.preloaded(0)[if instanced { 3 } else { 0 }];
            let units = [0; 4].map(|_: u8| self.code.unit());
            let mut dst: [Option<Unit>; 4] = std::array::from_fn(|i| used[i].then_some(units[i]));
            self.keep_together(dst);
            // No format of a vertex fetch starts with blue, so red and blue arrive reversed.
            let format = self.options.attribute_formats.get(&varying.location);
            if format == Some(&VertexFormat::Unorm8x4Bgra) {
                dst.swap(0, 2);
            }
            let mut vtx = Vtx::new(0, 0, varying.location as u8);
            vtx.fetch_type = match instanced {
                true => FetchType::InstanceData,
                false => FetchType::VertexData,
            };
            self.push(Inst::Fetch(vec![Part {
                inst: Fetch::Vtx(vtx),
                src: [Lane::Unit(index), Lane::None, Lane::None, Lane::None],
                dst,
            }]));
            self.entry.attributes.insert(input, units);
        }
    }

    pub fn input(&mut self, input: u32, first: u32, inst: &IrInst) {
        let units = match self.function.stage {
            Stage::Vertex => self.entry.attributes.get(&input).copied(),
            _ => Some(self.preloaded(input as u8)),
        };
        let Some(units) = units else { return };
        for (i, &result) in inst.results.iter().enumerate() {
            self.define(result, Operand::unit(units[first as usize + i]));
        }
    }

    pub fn builtin(&mut self, builtin: Builtin, result: Value) -> Result<()> {
        if !self.is_used(result) {
            return Ok(());
        }
        let vertex = self.function.stage == Stage::Vertex;
        let geometry = self.function.stage == Stage::Geometry;
        let operand = match builtin {
            Builtin::VertexIndex => Operand::unit(self.preloaded(0)[0]),
            Builtin::InstanceIndex => {
                let id = Operand::unit(self.preloaded(0)[3]);
                let first = self.driver_constant(1);
                self.two(Op2::ADD_INT, &[id, first])
            }
            Builtin::DrawIndex if vertex => self.driver_constant(0),
            Builtin::BaseVertex if vertex => self.driver_constant(2),
            Builtin::BaseInstance if vertex => self.driver_constant(1),
            Builtin::FragCoord(component) => {
                let gpr = self.entry.position.unwrap_or(0);
                Operand::unit(self.preloaded(gpr)[usize::from(component)])
            }
            Builtin::FrontFacing => {
                let gpr = self.entry.facing.unwrap_or(0);
                let facing = Operand::unit(self.preloaded(gpr)[0]);
                self.two(Op2::SETNE_INT, &[facing, Operand::word(0)])
            }
            Builtin::SampleMask => {
                let gpr = self.entry.facing.unwrap_or(0);
                Operand::unit(self.preloaded(gpr)[2])
            }
            Builtin::SampleIndex => {
                let gpr = self.entry.sample.unwrap_or(0);
                Operand::unit(self.preloaded(gpr)[3])
            }
            Builtin::SampleCount => Operand::word(self.options.samples.max(1)),
            Builtin::PrimitiveIndex if geometry => {
                Operand::unit(self.preloaded(geometry::PRIMITIVE.0)[geometry::PRIMITIVE.1])
            }
            // The driver makes a loop of several.
            Builtin::InvocationIndex => Operand::word(0),
            Builtin::PrimitiveIndex if !vertex => {
                let at = self.function.interface.inputs.len() as u8;
                Operand::unit(self.preloaded(at)[0])
            }
            Builtin::PointCoord(component) => {
                let at = self.entry.inputs - 1;
                Operand::unit(self.preloaded(at)[usize::from(component)])
            }
            Builtin::Barycentric(_) => return Err(self.unsupported("barycentric coordinates")),
            Builtin::Layer => {
                return Err(self.unsupported("the layer as an input of fragment shaders"));
            }
            Builtin::SubgroupSize
            | Builtin::SubgroupInvocation
            | Builtin::SubgroupId
            | Builtin::SubgroupCount => return Err(self.unsupported("subgroup operations")),
            _ => {
                return Err(self.unsupported(format!(
                    "the input {}",
                    separated(&format!("{builtin:?}"), ' ')
                )));
            }
        };
        self.define(result, operand);
        Ok(())
    }

    fn driver_constant(&mut self, elem: u8) -> Operand {
        self.entry.draw_constants = true;
        Operand::new(From::Kcache(PUSH_BANK, DRIVER_CONSTANT, elem))
    }

    /// Code behind the last block.
    pub fn epilogue(&mut self) -> Result<()> {
        match self.function.stage {
            Stage::Vertex if self.options.role == VertexRole::Feeds => {
                self.feed();
                Ok(())
            }
            Stage::Vertex => {
                self.stream();
                self.export_vertex()
            }
            Stage::Geometry => {
                self.push(Inst::End);
                Ok(())
            }
            _ => self.export_pixel(),
        }
    }

    /// The register of an export is gathered before helpers are dropped; the export itself comes after.
    fn export(&mut self, kind: ExportType, base: u16, values: Words) -> Inst {
        let operands = values.map(|value| value.map(|value| self.word(value)));
        let lanes = self.gather(operands);
        Inst::Export(Export::new(ExportOp::EXPORT, kind, base, 0), lanes)
    }

    fn export_vertex(&mut self) -> Result<()> {
        let mut exports = Vec::new();
        for (number, words) in self.entry.outputs.position_vectors() {
            exports.push(self.export(ExportType::Pos, POSITION + u16::from(number), words));
        }
        finish(exports.last_mut());
        let positions = exports.len();
        let count = self.function.interface.outputs.len() as u32;
        for output in 0..count {
            let words = self.entry.outputs.words(output);
            exports.push(self.export(ExportType::Param, output as u16, words));
        }
        self.entry.parameters = count;
        if self.options.export_primitive_index {
            let index = match self.entry.primitive_index {
                Some(index) => index,
                None => self.preloaded(0)[2],
            };
            let lanes = [Lane::Unit(index), Lane::None, Lane::None, Lane::None];
            let export = Export::new(ExportOp::EXPORT, ExportType::Param, count as u16, 0);
            exports.push(Inst::Export(export, lanes));
            self.entry.parameters += 1;
        }
        if exports.len() == positions {
            // A vertex has a parameter at least.
            exports.push(self.export(ExportType::Param, 0, [None; 4]));
        }
        finish(exports.last_mut());
        self.push_exports(exports);
        Ok(())
    }

    fn export_pixel(&mut self) -> Result<()> {
        let mut exports = Vec::new();
        for color in self.entry.outputs.colors(self.function, self.options) {
            self.entry.colors |= 1 << color.target;
            self.entry.color_mask |= mask(&color.words) << (4 * color.target);
            exports.push(self.export(ExportType::Pixel, color.target as u16, color.words));
        }
        if let Some(words) = self.entry.outputs.depth() {
            exports.push(self.export(ExportType::Pixel, PIXEL_DEPTH, words));
        }
        if exports.is_empty() {
            exports.push(self.export(ExportType::Pixel, 0, [None; 4]));
        }
        finish(exports.last_mut());
        if self.entry.quads {
            // Helpers leave.
            let next = self.code.block();
            self.lanes_to(next);
            self.pop();
            self.depth -= 1;
            self.start(next);
        }
        self.push_exports(exports);
        Ok(())
    }

    fn push_exports(&mut self, mut exports: Vec<Inst>) {
        if let Some(Inst::Export(export, _)) = exports.last_mut() {
            export.end_of_program = true;
        }
        exports.into_iter().for_each(|export| self.push(export));
    }
}

/// Makes an export the last of its type.
fn finish(export: Option<&mut Inst>) {
    if let Some(Inst::Export(export, _)) = export {
        export.op = ExportOp::EXPORT_DONE;
    }
}
