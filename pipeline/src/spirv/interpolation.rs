//! Inputs at other places of the pixel than its middle. [GLSL.std.450 InterpolateAtOffset]

use spirv::{Decoration, Op, StorageClass};

use super::lower::{Lowerer, Val};
use super::module::Result;
use super::types::Type;
use super::words::Inst;
use crate::ir::{self, Axis, Builtin, Detail, LaneOp, Stage, Value};
use crate::lower::types::Kind;

/// How an input variable comes from the vertices.
enum Way {
    Perspective,
    Linear,
    Flat,
}

impl<'a> Lowerer<'a> {
    /// An input at an offset from the middle of the pixel. What is linear in the window is carried on by its derivatives:
    /// the input itself, or with perspective its quotient by w and the reciprocal of w.
    pub(super) fn interpolate_at_offset(&mut self, inst: &Inst, ids: &[u32]) -> Result<Vec<Value>> {
        let &[pointer, offset, ..] = ids else {
            return self.error(inst, "it takes an input and an offset");
        };
        if self.b.function().stage != Stage::Fragment {
            return self.error(inst, "only fragment shaders interpolate");
        }
        let way = self.way_of(inst, pointer)?;
        let Val::Pointer(place) = self.val(inst, pointer)? else {
            return self.error(inst, format!("{} is no input", self.module.name(pointer)));
        };
        let values = self.load(&place)?;
        let offset = self.words(inst, offset)?;
        if offset.len() != 2 || !self.are_words(&offset) || !self.are_words(&values) {
            return self.error(inst, "it takes numbers and an offset of two");
        }
        let floats = self.ty(Some(inst), inst.ty)?;
        let mut are_floats = true;
        floats.leaves(0, &mut |kind, _| are_floats &= kind == Kind::F32);
        match way {
            _ if !are_floats => Ok(values.to_vec()),
            Way::Flat => Ok(values.to_vec()),
            Way::Linear => Ok(values
                .iter()
                .map(|&value| self.carried(value, &offset))
                .collect()),
            Way::Perspective => {
                let op = ir::Op::Builtin(Builtin::FragCoord(3));
                let inverse = self.b.single(op, Vec::new(), ir::Type::Word);
                let divisor = self.carried(inverse, &offset);
                let mut found = Vec::with_capacity(values.len());
                for &value in &*values {
                    let flat = self.b.alu(LaneOp::FMul, &[value, inverse]);
                    let flat = self.carried(flat, &offset);
                    found.push(self.divide(flat, divisor));
                }
                Ok(found)
            }
        }
    }

    /// A value that is linear in the window, at an offset.
    fn carried(&mut self, value: Value, offset: &[Value]) -> Value {
        let mut sum = value;
        for (axis, &by) in [Axis::X, Axis::Y].into_iter().zip(offset) {
            let op = ir::Op::Derivative {
                axis,
                detail: Detail::Fine,
            };
            let slope = self.b.single(op, vec![value], ir::Type::Word);
            let part = self.b.alu(LaneOp::FMul, &[slope, by]);
            sum = self.b.alu(LaneOp::FAdd, &[sum, part]);
        }
        sum
    }

    /// How the variable behind a pointer comes from the vertices.
    fn way_of(&self, inst: &Inst, pointer: u32) -> Result<Way> {
        let module = self.module;
        let mut id = pointer;
        let variable = loop {
            match module.definition(id) {
                Some(of) if of.op == Op::Variable => break of,
                Some(of)
                    if matches!(
                        of.op,
                        Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject
                    ) =>
                {
                    id = module.words.operand(of, 0)?;
                }
                _ => return self.error(inst, format!("{} is no input", module.name(pointer))),
            }
        };
        let Some((StorageClass::Input, pointee)) = module.variable(variable.id) else {
            return self.error(inst, format!("{} is no input", module.name(pointer)));
        };
        let has = |what| module.decoration(variable.id, what).is_some();
        if has(Decoration::Centroid) || has(Decoration::Sample) {
            let feature = "an offset from an input that is not in the middle of the pixel";
            return module.lacks(inst, feature);
        }
        if matches!(module.types.get(&pointee), Some(Type::Struct(_))) {
            return module.lacks(inst, "an offset from a member of an input");
        }
        Ok(match () {
            () if has(Decoration::Flat) => Way::Flat,
            () if has(Decoration::NoPerspective) => Way::Linear,
            () => Way::Perspective,
        })
    }
}
