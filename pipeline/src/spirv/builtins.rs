//! Built-in inputs and outputs. [SPIRV 3.21 BuiltIn]

use spirv::{BuiltIn, Decoration};

use super::lower::Lowerer;
use super::module::Result;
use super::words::Inst;
use crate::ir::{Builtin, LaneOp, Op, OutputBuiltin, Stage, Type as WordType, Value};

impl<'a> Lowerer<'a> {
    pub(super) fn input_builtin(
        &mut self,
        inst: &Inst,
        builtin: BuiltIn,
        words: usize,
    ) -> Result<Vec<Value>> {
        if let Some(words) = self.workgroup_builtin(builtin) {
            return Ok(words);
        }
        if let Some(words) = self.subgroup_builtin(builtin)? {
            return Ok(words);
        }
        let (module, stage) = (self.module, self.b.function().stage);
        let mut word = |builtin| {
            vec![
                self.b
                    .single(Op::Builtin(builtin), Vec::new(), WordType::Word),
            ]
        };
        Ok(match (builtin, stage) {
            (BuiltIn::VertexIndex, Stage::Vertex) => word(Builtin::VertexIndex),
            (BuiltIn::InstanceIndex, Stage::Vertex) => word(Builtin::InstanceIndex),
            (BuiltIn::DrawIndex, Stage::Vertex) => word(Builtin::DrawIndex),
            (BuiltIn::BaseVertex, Stage::Vertex) => word(Builtin::BaseVertex),
            (BuiltIn::BaseInstance, Stage::Vertex) => word(Builtin::BaseInstance),
            (BuiltIn::FragCoord, Stage::Fragment) => {
                (0..4).flat_map(|at| word(Builtin::FragCoord(at))).collect()
            }
            (BuiltIn::PointCoord, Stage::Fragment) => (0..2)
                .flat_map(|at| word(Builtin::PointCoord(at)))
                .collect(),
            (BuiltIn::FrontFacing, Stage::Fragment) => {
                let op = Op::Builtin(Builtin::FrontFacing);
                vec![self.b.single(op, Vec::new(), WordType::Bool)]
            }
            (BuiltIn::BaryCoordKHR | BuiltIn::BaryCoordNoPerspKHR, Stage::Fragment) => {
                for place in [Decoration::Centroid, Decoration::Sample] {
                    if module.decoration(inst.id, place).is_some() {
                        let feature = format!("{builtin:?} with {place:?}");
                        return module.lacks(inst, feature);
                    }
                }
                let first = 3 * u8::from(builtin == BuiltIn::BaryCoordNoPerspKHR);
                (first..first + 3)
                    .flat_map(|at| word(Builtin::Barycentric(at)))
                    .collect()
            }
            (BuiltIn::PrimitiveId, Stage::Fragment) => word(Builtin::PrimitiveIndex),
            (BuiltIn::PrimitiveId, Stage::Geometry) => word(Builtin::PrimitiveIndex),
            (BuiltIn::InvocationId, Stage::Geometry) => word(Builtin::InvocationIndex),
            (BuiltIn::SampleId, Stage::Fragment) => word(Builtin::SampleIndex),
            // Fragments lie where their sample does; without samples, in the middle of the pixel.
            (BuiltIn::SamplePosition, Stage::Fragment) => {
                let at: Vec<Value> = (0..2).flat_map(|at| word(Builtin::FragCoord(at))).collect();
                self.b.function().interface.sample_shading = true;
                at.iter()
                    .map(|at| self.b.alu(LaneOp::FFract, &[*at]))
                    .collect()
            }
            (BuiltIn::Layer, Stage::Fragment) => word(Builtin::Layer),
            (BuiltIn::SampleMask, Stage::Fragment) => {
                // One word for each 32 samples.
                let mut mask = word(Builtin::SampleMask);
                let zero = self.b.word(0);
                mask.resize(words.max(1), zero);
                mask
            }
            // One view is drawn at a time, and on one device.
            (BuiltIn::ViewIndex | BuiltIn::DeviceIndex, _) => vec![self.b.word(0)],
            (BuiltIn::HelperInvocation, Stage::Fragment) => vec![self.is_helper()],
            (other, _) => {
                return self
                    .module
                    .lacks(inst, format!("the built-in input {other:?}"));
            }
        })
    }

    /// Whether the invocation covers no sample, or was made a helper.
    pub(super) fn is_helper(&mut self) -> Value {
        let op = Op::Builtin(Builtin::SampleMask);
        let mask = self.b.single(op, Vec::new(), WordType::Word);
        let zero = self.b.word(0);
        let uncovered = self.b.alu(LaneOp::IEq, &[mask, zero]);
        match self.demoted {
            Some(demoted) => {
                let demoted = self.env[demoted];
                self.b.or(uncovered, demoted)
            }
            None => uncovered,
        }
    }

    pub(super) fn output_builtin(
        &mut self,
        inst: &Inst,
        builtin: BuiltIn,
        leaves: &[Value],
    ) -> Result<()> {
        let stage = self.b.function().stage;
        let (output, words) = match (builtin, stage) {
            (BuiltIn::Position, Stage::Vertex) => (OutputBuiltin::Position, 4),
            (BuiltIn::PointSize, Stage::Vertex) => (OutputBuiltin::PointSize, 1),
            (BuiltIn::Layer, Stage::Vertex) => (OutputBuiltin::Layer, 1),
            (BuiltIn::ViewportIndex, Stage::Vertex) => (OutputBuiltin::Viewport, 1),
            (BuiltIn::FragDepth, Stage::Fragment) => (OutputBuiltin::FragDepth, 1),
            (BuiltIn::FragStencilRefEXT, Stage::Fragment) => (OutputBuiltin::FragStencil, 1),
            (BuiltIn::SampleMask, Stage::Fragment) => (OutputBuiltin::SampleMask, 1),
            (BuiltIn::ClipDistance | BuiltIn::CullDistance, Stage::Vertex) => {
                return self.output_distances(inst, builtin == BuiltIn::CullDistance, leaves);
            }
            (other, _) => {
                return self
                    .module
                    .lacks(inst, format!("the built-in output {other:?}"));
            }
        };
        match leaves.get(..words).filter(|leaves| self.are_words(leaves)) {
            Some(leaves) => self.b.effect(Op::OutputBuiltin(output), leaves.to_vec()),
            None => return self.error(inst, format!("its built-in has {words} words")),
        }
        Ok(())
    }

    /// Clip and cull distances share eight places: those that cull follow all that clip.
    fn output_distances(&mut self, inst: &Inst, cull: bool, leaves: &[Value]) -> Result<()> {
        let first = if cull { self.clip_distances } else { 0 };
        if first + leaves.len() > 8 || !self.are_words(leaves) {
            let count = first + leaves.len();
            return self.error(inst, format!("there are {count} distances"));
        }
        for (at, &leaf) in (first as u8..).zip(leaves) {
            let output = OutputBuiltin::ClipDistance(at);
            self.b.effect(Op::OutputBuiltin(output), vec![leaf]);
            if cull {
                self.b.function().interface.cull_distances |= 1 << at;
            }
        }
        Ok(())
    }
}
