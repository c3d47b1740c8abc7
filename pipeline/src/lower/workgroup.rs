//! What the invocations of a workgroup know of themselves, what they share, and where they wait for each other.

use std::rc::Rc;

use super::place::{Pointer, Root};
use super::types::Ty;
use super::{Expr, Frame, Lowerer, Result, Writer};
use crate::error::ShaderError;
use crate::ir::{Builtin, LaneOp, Loop, Op, Stage, Type, Value};

/// Rounds of stores that clear the memory of a workgroup one after the other; more of them are a loop.
const ROUNDS: u32 = 8;

impl Writer {
    /// Sets the size of the workgroups.
    pub(crate) fn workgroup_size(&mut self, size: [u32; 3]) -> Result<()> {
        if size.contains(&0) {
            let [x, y, z] = size;
            let message = format!("a workgroup of {x} x {y} x {z} invocations is none");
            let at = self.here();
            return Err(ShaderError::Invalid { message, at });
        }
        self.b.function().interface.workgroup.size = size;
        Ok(())
    }

    fn word_of(&mut self, builtin: Builtin) -> Value {
        self.b.single(Op::Builtin(builtin), Vec::new(), Type::Word)
    }

    fn size_along(&mut self, axis: u8) -> u32 {
        self.b.function().interface.workgroup.size[usize::from(axis)]
    }

    /// Place in the workgroup along an axis.
    pub(crate) fn local_id(&mut self, axis: u8) -> Value {
        match self.size_along(axis) {
            1 => self.b.word(0),
            _ => self.word_of(Builtin::LocalId(axis)),
        }
    }

    /// Place among all invocations of the dispatch along an axis.
    pub(crate) fn global_id(&mut self, axis: u8) -> Value {
        let group = self.workgroup_id(axis);
        let size = self.size_along(axis);
        let first = self.scale(group, size);
        let local = self.local_id(axis);
        self.b.alu(LaneOp::IAdd, &[first, local])
    }

    /// Number in the workgroup, x first.
    pub(crate) fn local_index(&mut self) -> Value {
        let mut index = self.local_id(0);
        let mut below = 1u32;
        for axis in 1..3 {
            // Sizes of more than a word are refused by every chip.
            below = below.wrapping_mul(self.size_along(axis - 1));
            let local = self.local_id(axis);
            let part = self.scale(local, below);
            index = self.b.alu(LaneOp::IAdd, &[index, part]);
        }
        index
    }

    /// Place of the workgroup along an axis.
    pub(crate) fn workgroup_id(&mut self, axis: u8) -> Value {
        self.word_of(Builtin::WorkgroupId(axis))
    }

    /// Number of workgroups along an axis.
    pub(crate) fn workgroup_count(&mut self, axis: u8) -> Value {
        self.word_of(Builtin::WorkgroupCount(axis))
    }

    /// Takes memory of the workgroup for a variable.
    pub(crate) fn shared_variable(&mut self, ty: Rc<Ty>) -> Result<Pointer> {
        let words = ty.words();
        let workgroup = &mut self.b.function().interface.workgroup;
        let first = workgroup.shared_bytes / 4;
        let all = (u64::from(first) + words).saturating_mul(4);
        // Far more than any device has, which is checked where the device is known.
        let Ok(bytes) = i32::try_from(all) else {
            return self.refuse(format!("{all} bytes of workgroup memory"));
        };
        workgroup.shared_bytes = bytes as u32;
        Ok(Pointer::shared(first, ty))
    }

    /// Sets the memory of the workgroup to zero, all invocations taking part.
    pub(crate) fn clear_shared(&mut self) {
        let workgroup = self.b.function().interface.workgroup;
        let (words, step) = (workgroup.shared_bytes / 4, workgroup.invocations());
        if words == 0 {
            return;
        }
        let index = self.local_index();
        let first = self.scale(index, 4);
        let zero = self.b.word(0);
        let rounds = words.div_ceil(step);
        if rounds <= ROUNDS {
            // What the last round stores behind the end is dropped.
            for round in 0..rounds {
                let at = self.plus(first, 4 * step * round);
                self.b.effect(Op::StoreShared, vec![at, zero]);
            }
        } else {
            let [header, continuing, merge] = [(); 3].map(|()| self.b.block());
            let entry = self.b.jump(header);
            self.b.add_argument(entry, first);
            self.b.start(header);
            self.b.set_loop(header, Loop { merge, continuing });
            let at = self.b.param(header, Type::Word);
            self.b.effect(Op::StoreShared, vec![at, zero]);
            self.b.jump(continuing);
            self.b.start(continuing);
            let next = self.plus(at, 4 * step);
            let end = self.b.word(4 * words);
            let more = self.b.alu(LaneOp::ULt, &[next, end]);
            let [back, _] = self.b.branch(more, header, merge, merge);
            self.b.add_argument(back, next);
            self.b.start(merge);
        }
        self.b.effect(Op::Barrier, Vec::new());
    }

    /// Waits for the other invocations of the workgroup.
    pub(crate) fn barrier(&mut self) -> Result<()> {
        if self.b.function().stage != Stage::Compute {
            return self.refuse("a barrier outside a compute shader");
        }
        self.b.effect(Op::Barrier, Vec::new());
        Ok(())
    }

    /// What was stored before is seen before what follows. Other stages have nobody to see it in between.
    pub(crate) fn fence(&mut self) {
        if self.b.function().stage == Stage::Compute {
            self.b.effect(Op::Fence, Vec::new());
        }
    }
}

impl<'a> Lowerer<'a> {
    /// Whether it points to an atomic that the workgroup shares: read and written by atomic operations alone, so that no
    /// plain access meets them between two barriers.
    pub(super) fn shared_atomic(&self, f: &Frame<'a>, pointer: Expr, place: &Pointer) -> bool {
        let Some(info) = f.info.filter(|_| matches!(place.root, Root::Shared)) else {
            return false;
        };
        let types = &self.module.types;
        let base = info[pointer].ty.inner_with(types).pointer_base_type();
        base.is_some_and(|base| matches!(base.inner_with(types), naga::TypeInner::Atomic(_)))
    }
}
