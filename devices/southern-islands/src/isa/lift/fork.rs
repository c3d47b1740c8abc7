//! Fork and join: divergent branches with a stack of masks and addresses in SGPRs. [SI 4.6]
//!
//! Entry `i` of the stack lies in s[4i..4i+3]: EXEC, then the byte address. MODE[31:29] counts the entries.

use lanes::LaneOp::*;
use lanes::WideOp::*;
use lanes::{Move, Src, Step, When};

use super::flow::{Flow, Key};
use super::operands::high_half;
use super::{EXEC, Lifter, MODE_SLOT};

/// One entry more or less in MODE.
const ENTRY: u32 = 1 << 29;

impl Lifter {
    /// S_CBRANCH_I_FORK: the lanes in `mask` go to `target`, the others on.
    pub(super) fn fork_to(&mut self, mask: Src, target: Key) {
        let address = self.address(target.pc);
        let address = self.wide_constant(address);
        let label = self.label(target);
        self.divide(mask, address, |lifter| {
            lifter.b.branch(When::Always, label);
        });
    }

    /// S_CBRANCH_G_FORK: the same with an address in registers.
    pub(super) fn fork(&mut self, flow: &Flow, mask: Src, target: Src) {
        let saved = self.temp();
        self.uniform_wide(Mov64, saved, &[target]);
        self.divide(mask, Src::Scalar(saved), |lifter| {
            let temps = lifter.temps;
            lifter.jump(flow, Src::Scalar(saved));
            lifter.temps = temps;
        });
    }

    /// Pushes the larger side and continues with the smaller; falls through for the lanes that go on.
    fn divide(&mut self, mask: Src, target: Src, mut jump: impl FnMut(&mut Lifter)) {
        let exec = Src::Scalar(EXEC);
        let (pass, fail) = (self.temp(), self.temp());
        self.uniform_wide(And64, pass, &[mask, exec]);
        self.uniform_wide(AndNot64, fail, &[exec, mask]);
        let (mixed, next, push_fail) = (self.b.label(), self.b.label(), self.b.label());
        self.b.branch(When::MaskNonZero(fail), mixed);
        jump(self);
        self.b.place(mixed);
        self.b.branch(When::MaskZero(pass), next);
        let count = self.temp();
        self.uniform_wide(BitCount64, count, &[Src::Scalar(fail)]);
        self.uniform_wide(BitCount64, count + 1, &[Src::Scalar(pass)]);
        let counts = [Src::Scalar(count), Src::Scalar(count + 1)];
        self.b.uniform(ULt, count, &counts);
        self.b.branch(When::Zero(count), push_fail);
        self.push_entry(count, Src::Scalar(pass), target);
        self.uniform_wide(Mov64, EXEC, &[Src::Scalar(fail)]);
        self.b.branch(When::Always, next);
        self.b.place(push_fail);
        let address = self.address(self.next_pc);
        let address = self.wide_constant(address);
        self.push_entry(count, Src::Scalar(fail), address);
        self.uniform_wide(Mov64, EXEC, &[Src::Scalar(pass)]);
        jump(self);
        self.b.place(next);
    }

    fn push_entry(&mut self, index: u16, mask: Src, address: Src) {
        self.entry_index(index);
        let value = self.temp();
        for (dst, part) in [mask, high_half(mask), address, high_half(address)]
            .into_iter()
            .enumerate()
        {
            self.b.uniform(Mov, value, &[part]);
            self.b.push(Step::Relative {
                kind: Move::ToScalar,
                dst: dst as u16,
                base: value,
                index: Src::Scalar(index),
                end: self.allocation.sgprs,
            });
        }
        self.temps -= 2;
        let mode = Src::Scalar(MODE_SLOT);
        self.b.uniform(IAdd, MODE_SLOT, &[mode, Src::Const(ENTRY)]);
    }

    /// `index` = number of the first SGPR of the entry that MODE counts to.
    fn entry_index(&mut self, index: u16) {
        let mode = Src::Scalar(MODE_SLOT);
        self.b.uniform(Shr, index, &[mode, Src::Const(29)]);
        self.b
            .uniform(Shl, index, &[Src::Scalar(index), Src::Const(2)]);
    }

    /// S_CBRANCH_JOIN: goes on when the stack is as high as `saved` says, else takes the last entry.
    pub(super) fn join(&mut self, flow: &Flow, saved: Src) {
        let (index, address) = (self.temp(), self.temp());
        let mode = Src::Scalar(MODE_SLOT);
        self.b.uniform(Shr, index, &[mode, Src::Const(29)]);
        self.b.uniform(IEq, index, &[Src::Scalar(index), saved]);
        let next = self.b.label();
        self.b.branch(When::NonZero(index), next);
        self.b.uniform(ISub, MODE_SLOT, &[mode, Src::Const(ENTRY)]);
        self.entry_index(index);
        for (base, dst) in [EXEC, EXEC + 1, address, address + 1]
            .into_iter()
            .enumerate()
        {
            self.b.push(Step::Relative {
                kind: Move::FromScalar,
                dst,
                base: base as u16,
                index: Src::Scalar(index),
                end: self.allocation.sgprs,
            });
        }
        self.jump(flow, Src::Scalar(address));
        self.b.place(next);
    }
}
