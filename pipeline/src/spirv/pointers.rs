//! Pointers into storage buffers that are values: chosen, met in phis, moved by elements. [SPIRV 2.16.1 VariablePointers]
//!
//! Such a pointer stays in one buffer, which is known; its offset there is a value. So all ways to it agree in the buffer
//! and differ in words alone, as other values do.

use std::rc::Rc;

use spirv::{Decoration, Op};

use super::lower::{Lowerer, Val};
use super::module::Result;
use super::words::Inst;
use crate::ir::{Access, LaneOp, Value};
use crate::lower::place::{Pointer, Root};

impl<'a> Lowerer<'a> {
    /// A pointer with its offset as a value.
    fn movable(&mut self, inst: &Inst, id: u32, by: Value) -> Result<(Pointer, Access)> {
        let place = self.pointer(inst, id)?;
        let moved = self.writer.by_offset(&place, by);
        match (moved, place.root) {
            (Some(moved), Root::Buffer(access)) => Ok((moved, access)),
            _ => self
                .module
                .lacks(inst, "a pointer that varies outside of storage buffers"),
        }
    }

    fn fixed(&mut self, inst: &Inst, id: u32) -> Result<(Pointer, Access)> {
        let zero = self.b.word(0);
        self.movable(inst, id, zero)
    }

    /// Two pointers may be one: they are into one buffer, or elements of one array of buffers.
    fn check_same(&self, inst: &Inst, one: Access, other: Access) -> Result<()> {
        let kind = (one.resource, one.element.is_some());
        match kind == (other.resource, other.element.is_some()) {
            true => Ok(()),
            false => self
                .module
                .lacks(inst, "a pointer into one of several buffers"),
        }
    }

    pub(super) fn select_pointer(&mut self, inst: &Inst) -> Result<()> {
        let [condition, yes, no] = self.operands(inst)?;
        let condition = self.bit(inst, condition)?;
        let ((yes, access), (no, other)) = (self.fixed(inst, yes)?, self.fixed(inst, no)?);
        self.check_same(inst, access, other)?;
        let sides: Vec<(Value, Value)> = yes.values().zip(no.values()).collect();
        let sides = sides.into_iter();
        let chosen: Vec<Value> = sides
            .map(|(yes, no)| self.b.select(condition, yes, no))
            .collect();
        self.set(inst, Val::Pointer(yes.with(&chosen)))
    }

    /// The values that a pointer arrives with at a phi. The first way to arrive says what buffer it is.
    pub(super) fn arriving_pointer(
        &mut self,
        inst: &Inst,
        phi: u32,
        id: u32,
    ) -> Result<Rc<[Value]>> {
        let (place, access) = self.fixed(inst, id)?;
        match self.known_val(phi) {
            Some(Val::Pointer(known)) => {
                let root = known.root;
                if let Root::Buffer(known) = root {
                    self.check_same(inst, known, access)?;
                }
            }
            _ => self.keep_val(phi, Val::Pointer(place.clone())),
        }
        Ok(place.values().collect())
    }

    /// A pointer to an element behind or before that of another pointer, and to a part of it.
    pub(super) fn element_chain(&mut self, inst: &Inst, ids: &[u32]) -> Result<()> {
        let &[base, element, ref indices @ ..] = ids else {
            return self.error(inst, "it has two operands at least");
        };
        let ty = self.module.definition(base).map_or(0, |of| of.ty);
        let Some(stride) = self.module.decorated(ty, Decoration::ArrayStride) else {
            return self.error(inst, "the type of its pointer has no ArrayStride");
        };
        let element = self.word(inst, element)?;
        let stride = self.b.word(stride);
        let by = self.b.alu(LaneOp::IMul, &[element, stride]);
        let (mut place, _) = self.movable(inst, base, by)?;
        for &index in indices {
            let index = self.word(inst, index)?;
            place = self.inside(inst, place, index)?;
        }
        self.set(inst, Val::Pointer(place))
    }

    pub(super) fn same_pointers(&mut self, inst: &Inst) -> Result<()> {
        let [one, other] = self.operands(inst)?;
        let ((one, access), (other, others)) = (self.fixed(inst, one)?, self.fixed(inst, other)?);
        let mut same = self.b.bit(access.resource == others.resource);
        let pairs: Vec<(Value, Value)> = one.values().zip(other.values()).collect();
        for (a, b) in pairs {
            let equal = self.b.alu(LaneOp::IEq, &[a, b]);
            same = self.b.and(same, equal);
        }
        if inst.op == Op::PtrNotEqual {
            same = self.b.not(same);
        }
        self.set(inst, Val::Words([same].into()))
    }
}
