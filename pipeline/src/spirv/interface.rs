//! What an entry point exchanges with the fixed-function parts: execution modes, its inputs, outputs and private variables.
//! [SPIRV 3.6 Execution Mode, VULKAN Shader Interfaces]

use spirv::{BuiltIn, ExecutionMode, StorageClass};

use super::geometry::is_geometry_mode;
use super::lower::{Lowerer, Val};
use super::module::{Entry, Result};
use super::places::{Piece, Place};
use super::varyings::{primitive_index, varying_builtins};
use super::words::Inst;
use crate::ir::{Interpolation, Op, Stage, Value, Varying};
use crate::lower::place::Pointer;

/// An output variable.
pub(super) struct Outlet {
    pub(super) inst: Inst,
    place: Pointer,
    pub(super) pieces: Vec<Piece>,
}
impl<'a> Lowerer<'a> {
    /// Execution modes.
    pub(super) fn modes(&mut self, entry: &Entry) -> Result<()> {
        use ExecutionMode as M;
        let inst = &self.module.words.insts[entry.inst];
        for (mode, operands) in &entry.modes {
            let of_words = operands.first() == Some(&32);
            match M::from_u32(*mode) {
                Some(M::EarlyFragmentTests) => self.b.function().interface.early_depth = true,
                Some(M::SignedZeroInfNanPreserve) => self.keeps_nan |= of_words,
                Some(M::DenormPreserve | M::DenormFlushToZero | M::RoundingModeRTZ)
                    if !of_words => {}
                Some(
                    M::OriginUpperLeft
                    | M::DepthReplacing
                    | M::DepthGreater
                    | M::DepthLess
                    | M::DepthUnchanged
                    | M::StencilRefReplacingEXT
                    | M::RoundingModeRTE
                    | M::Xfb,
                ) => {}
                Some(M::LocalSize) => self.local_size(inst, operands, false)?,
                Some(M::LocalSizeId) => self.local_size(inst, operands, true)?,
                Some(mode) if is_geometry_mode(mode) && self.is_geometry() => {}
                Some(mode) => {
                    return self
                        .module
                        .lacks(inst, format!("the execution mode {mode:?}"));
                }
                None => return self.module.lacks(inst, format!("execution mode {mode}")),
            }
        }
        if self.is_geometry() {
            self.geometry_modes(entry)?;
        }
        self.workgroup_size_constant()
    }

    /// Makes the inputs, outputs and private variables that are used; their resources are in `resources`.
    pub(super) fn variables(&mut self, entry: &Entry) -> Result<()> {
        let module = self.module;
        let (mut inputs, mut vertices) = (Vec::new(), Vec::new());
        let mut outputs = Vec::new();
        let mut resources = Vec::new();
        let mut types = Vec::new();
        let mut zeroed = false;
        for &id in &module.variables {
            let (Some(inst), Some((class, pointee))) = (module.definition(id), module.variable(id))
            else {
                continue;
            };
            if !self.uses.variables.contains(&id) {
                continue;
            }
            match class {
                StorageClass::Input => match self.vertex_type(inst, pointee)? {
                    Some(of) => {
                        types.push(of);
                        vertices.push((inst, self.pieces(inst, of, true)?));
                    }
                    None => inputs.push((inst, self.pieces(inst, pointee, false)?)),
                },
                StorageClass::Output => outputs.push((inst, self.pieces(inst, pointee, false)?)),
                StorageClass::Private => self.private_variable(inst, pointee)?,
                StorageClass::UniformConstant
                | StorageClass::Uniform
                | StorageClass::StorageBuffer => resources.push((inst, class, pointee)),
                StorageClass::Workgroup => zeroed |= self.workgroup_variable(inst, pointee)?,
                StorageClass::PushConstant => self.push_constants(inst, pointee)?,
                class => {
                    let feature = format!("a variable of the storage class {class:?}");
                    return module.lacks(inst, feature);
                }
            }
        }
        if zeroed {
            self.clear_shared();
        }
        self.resources(resources)?;
        let between = match self.b.function().stage {
            Stage::Fragment => &mut inputs,
            _ => &mut vertices,
        };
        for (_, pieces) in between {
            *pieces = pieces.iter().flat_map(varying_builtins).collect();
        }
        let corners = match self.b.function().stage {
            Stage::Fragment => {
                let mut per_vertex = self.varyings(&vertices)?;
                for varying in &mut per_vertex {
                    varying.interpolation = Interpolation::Flat;
                }
                self.b.function().interface.per_vertex = per_vertex;
                for (inst, pieces) in &mut vertices {
                    *pieces = self.in_halves(inst, pieces)?;
                }
                self.varyings(&vertices)?
            }
            _ => Vec::new(),
        };
        let varyings = match self.is_geometry() {
            true => self.varyings(&vertices)?,
            false => self.varyings(&inputs)?,
        };
        let mut varyings = self.with_other_places(&inputs, varyings);
        let words = match self.is_geometry() {
            true => Vec::new(),
            false => self.read_inputs(&varyings),
        };
        varyings.extend(corners);
        self.b.function().interface.inputs = varyings.clone();
        for (inst, pieces) in inputs {
            self.input(inst, &pieces, &varyings, &words)?;
        }
        for ((inst, pieces), of) in vertices.into_iter().zip(types) {
            self.vertices(inst, of, &pieces, &varyings)?;
        }
        if self.is_geometry() {
            for piece in outputs.iter_mut().flat_map(|(_, pieces)| pieces) {
                primitive_index(piece);
            }
        }
        self.b.function().interface.outputs = self.varyings(&outputs)?;
        self.b.function().interface.stream = self.streams(entry, &outputs)?;
        let clip = |piece: &&Piece| matches!(piece.at, Place::BuiltIn(BuiltIn::ClipDistance));
        let pieces = outputs.iter().flat_map(|(_, pieces)| pieces);
        self.clip_distances = pieces.filter(clip).map(|piece| piece.words).sum();
        for (inst, pieces) in outputs {
            let place = self.output_variable(inst)?;
            self.outlets.push(Outlet {
                inst: *inst,
                place,
                pieces,
            });
        }
        match self.is_geometry() {
            true => self.note_emitted(entry),
            false => Ok(()),
        }
    }

    fn private_variable(&mut self, inst: &Inst, pointee: u32) -> Result<()> {
        let ty = self.ty(Some(inst), pointee)?;
        let initial = match self.module.words.operands(inst) {
            [_, initial, ..] => Some(self.words(inst, *initial)?),
            _ => None,
        };
        let place = self.private(inst, ty, initial)?;
        self.globals.insert(inst.id, Val::Pointer(place));
        Ok(())
    }

    fn output_variable(&mut self, inst: &Inst) -> Result<Pointer> {
        let pointee = self
            .module
            .pointer(inst.ty)
            .map_or(0, |(_, pointee)| pointee);
        self.private_variable(inst, pointee)?;
        self.pointer(inst, inst.id)
    }
    /// Writes the outputs at the end of the entry point.
    pub(super) fn outputs(&mut self) -> Result<()> {
        let words = self.written(Self::output_builtin)?;
        for (output, words) in words.into_iter().enumerate() {
            let op = Op::Output {
                output: output as u32,
                first: 0,
            };
            self.b.effect(op, words);
        }
        Ok(())
    }

    /// What the output variables hold: hands out built-ins, and gives the words of users' outputs.
    pub(super) fn written(
        &mut self,
        mut builtin: impl FnMut(&mut Self, &Inst, BuiltIn, &[Value]) -> Result<()>,
    ) -> Result<Vec<Vec<Value>>> {
        let varyings = self.b.function().interface.outputs.clone();
        let zero = self.b.word(0);
        let all = varyings.iter().map(|v| vec![zero; v.components as usize]);
        let mut words: Vec<Vec<Value>> = all.collect();
        let outlets = std::mem::take(&mut self.outlets);
        for outlet in &outlets {
            let leaves = self.load(&outlet.place)?;
            for piece in &outlet.pieces {
                let leaves = &leaves[piece.first..piece.first + piece.words];
                match piece.at {
                    Place::Nowhere => {}
                    Place::BuiltIn(of) => builtin(self, &outlet.inst, of, leaves)?,
                    Place::Location(at) => {
                        let same = |v: &Varying| (v.location, v.second) == (at.location, at.second);
                        let to = varyings.iter().position(same).unwrap_or(0);
                        let first = at.component as usize;
                        words[to][first..first + leaves.len()].copy_from_slice(leaves);
                    }
                }
            }
        }
        self.outlets = outlets;
        Ok(words)
    }
}
