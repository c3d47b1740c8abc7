//! The scalar unit.

use lanes::LaneOp::{self, *};
use lanes::WideOp::{self, *};
use lanes::{Move, Src, Step, When};

use super::super::decode::Inst;
use super::super::operand;
use super::super::scalar::{Condition, Extension, Scc, Sem, SemC, SemK, SemP};
use super::super::vector::Carry;
use super::super::words::{Sop1, Sop2, Sopc, Sopk, Sopp};
use super::flow::{Flow, HwReg, Next, Site};
use super::operands::{high_half, is_wide, three};
use super::{EXEC, Lifter, M0, MODE_SLOT, Mode, OutOfRange, PRIV_SLOT, SCC_SLOT, VCC};

const SCC: Src = Src::Scalar(SCC_SLOT);

impl Lifter {
    pub(super) fn sop2(&mut self, flow: &Flow, w: Sop2) {
        self.scalar_sem(flow, w.op.sem(), w.sdst, [w.ssrc0, w.ssrc1]);
    }

    pub(super) fn sop1(&mut self, flow: &Flow, w: Sop1) {
        // A zero second source: code 128 is the integer 0.
        self.scalar_sem(flow, w.op.sem(), w.sdst, [w.ssrc0, 128]);
    }

    fn scalar_sem(&mut self, flow: &Flow, sem: Sem, sdst: u8, codes: [u8; 2]) {
        let codes = codes.map(u16::from);
        match sem {
            Sem::Alu(op, scc) => {
                let src = codes.map(|code| self.scalar(code));
                let dst = self.scalar_destination(sdst, 1);
                self.scalar_alu(op, scc, dst, src);
            }
            Sem::Wide(op, scc) => {
                let src = self.typed(op, codes);
                self.scalar_wide_alu(op, scc, sdst, src);
            }
            Sem::Inverted(op) => {
                let src = codes.map(|code| self.scalar(code));
                let dst = self.scalar_destination(sdst, 1);
                self.b.uniform(op, dst, &src);
                self.scalar_alu(Not, Scc::NonZero, dst, [Src::Scalar(dst), Src::Const(0)]);
            }
            Sem::WideInverted(op) => {
                let src = self.typed(op, codes);
                let dst = self.scalar_destination(sdst, 2);
                self.uniform_wide(op, dst, &src);
                self.scalar_wide_alu(Not64, Scc::NonZero, sdst, three(&[Src::Scalar(dst)]));
            }
            Sem::OfInverted(op, scc) => {
                let src = self.scalar(codes[0]);
                let temp = self.temp();
                self.b.uniform(Not, temp, &[src]);
                let dst = self.scalar_destination(sdst, 1);
                self.scalar_alu(op, scc, dst, [Src::Scalar(temp), Src::Const(0)]);
            }
            Sem::OfWideInverted(op, scc) => {
                let src = self.scalar_wide(codes[0]);
                let temp = self.temp();
                self.uniform_wide(Not64, temp, &[src]);
                self.scalar_wide_alu(op, scc, sdst, three(&[Src::Scalar(temp)]));
            }
            Sem::Chain(carry) => self.chain(carry, sdst, codes),
            Sem::Pick(1) => {
                let [a, b] = codes.map(|code| self.scalar(code));
                let dst = self.scalar_destination(sdst, 1);
                self.b.uniform(Pick, dst, &[a, b, SCC]);
            }
            Sem::Pick(_) => {
                let [a, b] = codes.map(|code| self.scalar_wide(code));
                let dst = self.scalar_destination(sdst, 2);
                self.uniform_wide(Pick64, dst, &[a, b, SCC]);
            }
            Sem::PickMove(1) => {
                let src = self.scalar(codes[0]);
                let dst = self.scalar_destination(sdst, 1);
                self.b.uniform(Pick, dst, &[src, Src::Scalar(dst), SCC]);
            }
            Sem::PickMove(_) => {
                let src = self.scalar_wide(codes[0]);
                let dst = self.scalar_destination(sdst, 2);
                self.uniform_wide(Pick64, dst, &[src, Src::Scalar(dst), SCC]);
            }
            Sem::Extend(bits) => {
                let src = self.scalar(codes[0]);
                let dst = self.scalar_destination(sdst, 1);
                let width = Src::Const(bits.into());
                self.b.uniform(BfeI, dst, &[src, Src::Const(0), width]);
            }
            Sem::BitSet { value, size: 1 } => {
                let src = self.scalar(codes[0]);
                let dst = self.scalar_destination(sdst, 1);
                let bit = self.temp();
                self.b.uniform(Bfm, bit, &[Src::Const(1), src]);
                let op = if value { Or } else { AndNot };
                self.b
                    .uniform(op, dst, &[Src::Scalar(dst), Src::Scalar(bit)]);
            }
            Sem::BitSet { value, .. } => {
                let src = self.scalar(codes[0]);
                let dst = self.scalar_destination(sdst, 2);
                let bit = self.temp();
                self.uniform_wide(Bfm64, bit, &[Src::Const(1), src]);
                let op = if value { Or64 } else { AndNot64 };
                self.uniform_wide(op, dst, &[Src::Scalar(dst), Src::Scalar(bit)]);
            }
            Sem::SaveExec(op) => self.save_exec(op, false, sdst, codes[0]),
            Sem::SaveExecInverted(op) => self.save_exec(op, true, sdst, codes[0]),
            Sem::RelativeSource(size) => self.relative_source(sdst, codes[0], size),
            Sem::RelativeDestination(size) => self.relative_destination(sdst, codes[0], size),
            Sem::GetPc => {
                let dst = self.scalar_destination(sdst, 2);
                self.next_address(dst);
            }
            Sem::SetPc => {
                let target = self.scalar_wide(codes[0]);
                self.jump(flow, target);
            }
            Sem::SwapPc => {
                let target = self.scalar_wide(codes[0]);
                let saved = self.temp();
                self.uniform_wide(Mov64, saved, &[target]);
                let dst = self.scalar_destination(sdst, 2);
                self.next_address(dst);
                self.jump(flow, Src::Scalar(saved));
            }
            Sem::ReturnFromTrap => {
                self.b.uniform(Mov, PRIV_SLOT, &[Src::Const(0)]);
                self.jump(flow, Src::Scalar(operand::TTMP.into()));
            }
            Sem::Fork => {
                let mask = self.scalar_wide(codes[0]);
                let target = self.scalar_wide(codes[1]);
                self.fork(flow, mask, target);
            }
            Sem::Join => {
                let saved = self.scalar(codes[0]);
                self.join(flow, saved);
            }
        }
    }

    /// Sources of a 64-bit operation, each as wide as its type.
    fn typed(&mut self, op: WideOp, codes: [u16; 2]) -> [Src; 3] {
        let mut src = [Src::Const(0); 3];
        for (at, ty) in op.params().iter().take(2).enumerate() {
            src[at] = match is_wide(*ty) {
                true => self.scalar_wide(codes[at]),
                false => self.scalar(codes[at]),
            };
        }
        src
    }

    fn scalar_alu(&mut self, op: LaneOp, scc: Scc, dst: u16, src: [Src; 2]) {
        match scc {
            Scc::Of(flag) if src.contains(&SCC) => {
                let temp = self.temp();
                self.b.uniform(flag, temp, &src);
                self.b.uniform(op, dst, &src);
                self.b.uniform(Mov, SCC_SLOT, &[Src::Scalar(temp)]);
            }
            Scc::Of(flag) => {
                self.b.uniform(flag, SCC_SLOT, &src);
                self.b.uniform(op, dst, &src);
            }
            Scc::Keep => self.b.uniform(op, dst, &src),
            Scc::NonZero => {
                self.b.uniform(op, dst, &src);
                self.non_zero(dst);
            }
        }
    }

    fn scalar_wide_alu(&mut self, op: WideOp, scc: Scc, sdst: u8, src: [Src; 3]) {
        let wide = is_wide(op.result());
        let dst = self.scalar_destination(sdst, 1 + u16::from(wide));
        self.uniform_wide(op, dst, &src);
        match (scc, wide) {
            (Scc::NonZero, true) => self.mask_non_zero(dst),
            (Scc::NonZero, false) => self.non_zero(dst),
            _ => {}
        }
    }

    fn non_zero(&mut self, dst: u16) {
        self.b
            .uniform(INe, SCC_SLOT, &[Src::Scalar(dst), Src::Const(0)]);
    }

    fn mask_non_zero(&mut self, dst: u16) {
        self.uniform_wide(INe64, SCC_SLOT, &[Src::Scalar(dst), Src::Const(0)]);
    }

    fn chain(&mut self, carry: Carry, sdst: u8, codes: [u16; 2]) {
        let [a, b] = codes.map(|code| self.scalar(code));
        let dst = self.scalar_destination(sdst, 1);
        let (flag, value) = (self.temp(), self.temp());
        let (out, op) = match carry {
            Carry::Add => (CarryAdd3, IAdd),
            _ => (BorrowSub3, ISub),
        };
        self.b.uniform(out, flag, &[a, b, SCC]);
        self.b.uniform(op, value, &[a, b]);
        self.b.uniform(op, dst, &[Src::Scalar(value), SCC]);
        self.b.uniform(Mov, SCC_SLOT, &[Src::Scalar(flag)]);
    }

    fn save_exec(&mut self, op: WideOp, inverted: bool, sdst: u8, code: u16) {
        let src = self.scalar_wide(code);
        let dst = self.scalar_destination(sdst, 2);
        let exec = Src::Scalar(EXEC);
        let value = match src == Src::Scalar(dst) || src == exec {
            true => self.temp(),
            false => EXEC,
        };
        if value == EXEC {
            self.uniform_wide(Mov64, dst, &[exec]);
        }
        self.uniform_wide(op, value, &[src, exec]);
        if inverted {
            self.uniform_wide(Not64, value, &[Src::Scalar(value)]);
        }
        if value != EXEC {
            self.uniform_wide(Mov64, dst, &[exec]);
            self.uniform_wide(Mov64, EXEC, &[Src::Scalar(value)]);
        }
        self.mask_non_zero(EXEC);
    }

    /// In a strict lift: a fault unless `count` registers from `first + M0` on lie below `end`.
    pub(super) fn check_index(&mut self, first: u16, count: u16, end: u16) {
        if self.allocation.out_of_range == OutOfRange::Ignored {
            return;
        }
        let index = self.temp();
        let limit = Src::Const(u32::from((end + 1).saturating_sub(first + count)));
        self.b.uniform(ULt, index, &[Src::Scalar(M0), limit]);
        let inside = self.b.label();
        self.b.branch(When::NonZero(index), inside);
        self.b.trap(format!(
            "M0 and register number {first} together reach out_of_range the {end} registers of the wave"
        ));
        self.b.place(inside);
    }

    /// S_MOVRELS: M0 is added to the number of the source. [SI 5.8]
    fn relative_source(&mut self, sdst: u8, code: u16, size: u8) {
        let dst = self.scalar_destination(sdst, size.into());
        let (value, index) = (self.temp(), self.temp());
        // The step reads its base when the register does not exist, and that has to be S0.
        self.b
            .uniform(IAdd, index, &[Src::Scalar(M0), Src::Const(code.into())]);
        if code < operand::SGPRS {
            self.check_index(code, size.into(), self.allocation.sgprs);
            for at in 0..u16::from(size) {
                self.b.push(Step::Relative {
                    kind: Move::FromScalar,
                    dst: value + at,
                    base: 0,
                    index: Src::Scalar(index),
                    end: self.allocation.sgprs,
                });
                let next = Src::Scalar(index);
                self.b.uniform(IAdd, index, &[next, Src::Const(1)]);
            }
        } else if size == 1 {
            let src = self.scalar(code);
            self.b.uniform(Mov, value, &[src]);
        } else {
            let src = self.scalar_wide(code);
            self.uniform_wide(Mov64, value, &[src]);
        }
        for at in 0..u16::from(size) {
            self.b.uniform(Mov, dst + at, &[Src::Scalar(value + at)]);
        }
    }

    /// S_MOVRELD: M0 is added to the number of the destination.
    fn relative_destination(&mut self, sdst: u8, code: u16, size: u8) {
        let value = self.temp();
        match size {
            1 => {
                let src = self.scalar(code);
                self.b.uniform(Mov, value, &[src]);
            }
            _ => {
                let src = self.scalar_wide(code);
                self.uniform_wide(Mov64, value, &[src]);
            }
        }
        let first = u16::from(sdst);
        if first < operand::SGPRS {
            self.check_index(first, size.into(), self.allocation.sgprs);
        }
        for dst in first..first + u16::from(size) {
            let base = value + dst - first;
            match dst {
                0..operand::SGPRS if dst < self.allocation.sgprs => self.b.push(Step::Relative {
                    kind: Move::ToScalar,
                    dst,
                    base,
                    index: Src::Scalar(M0),
                    end: self.allocation.sgprs,
                }),
                0..operand::SGPRS => {}
                _ => self.b.uniform(Mov, dst, &[Src::Scalar(base)]),
            }
        }
    }

    /// `dst = address of the next instruction`
    fn next_address(&mut self, dst: u16) {
        let address = self.address(self.next_pc);
        self.b.uniform(Mov, dst, &[Src::Const(address as u32)]);
        let high = Src::Const((address >> 32) as u32);
        self.b.uniform(Mov, dst + 1, &[high]);
    }

    pub(super) fn address(&self, pc: i64) -> u64 {
        self.base.wrapping_add((4 * pc) as u64)
    }

    /// Jump to a byte address. The mode at the jump is part of the address of an entry.
    pub(super) fn jump(&mut self, flow: &Flow, target: Src) {
        let at = self.temp();
        self.b.uniform(And, at, &[target, Src::Const(!3)]);
        self.b
            .uniform(And, at + 1, &[high_half(target), Src::Const(0xffff)]);
        let tag = (flow.tag(self.mode) as u32) << 16;
        if tag != 0 {
            let high = Src::Scalar(at + 1);
            self.b.uniform(Or, at + 1, &[high, Src::Const(tag)]);
        }
        self.b.push(Step::Indirect { target: at });
    }

    pub(super) fn sopc(&mut self, w: Sopc, site: &Site) {
        let codes = [w.ssrc0, w.ssrc1].map(u16::from);
        match w.op.sem() {
            SemC::Compare(op) => {
                let src = codes.map(|code| self.scalar(code));
                self.b.uniform(op, SCC_SLOT, &src);
            }
            SemC::BitTest { value, size } => {
                let at = self.scalar(codes[1]);
                let bit = self.temp();
                match size {
                    1 => {
                        let src = self.scalar(codes[0]);
                        self.b.uniform(Shr, bit, &[src, at]);
                    }
                    _ => {
                        let src = self.scalar_wide(codes[0]);
                        self.uniform_wide(Shr64, bit, &[src, at]);
                    }
                }
                self.b.uniform(And, bit, &[Src::Scalar(bit), Src::Const(1)]);
                let wanted = Src::Const(value.into());
                self.b.uniform(IEq, SCC_SLOT, &[Src::Scalar(bit), wanted]);
            }
            SemC::SetSkip => {
                let [src, at] = codes.map(|code| self.scalar(code));
                let bit = self.temp();
                self.b.uniform(Shr, bit, &[src, at]);
                self.b
                    .uniform(Shl, bit, &[Src::Scalar(bit), Src::Const(28)]);
                self.set_mode_bits(Mode::VSKIP, Src::Scalar(bit));
                self.branch_by_mode(site);
            }
        }
    }

    /// Replaces the bits of MODE under `mask`.
    fn set_mode_bits(&mut self, mask: u32, bits: Src) {
        self.b.uniform(
            Bfi,
            MODE_SLOT,
            &[Src::Const(mask), bits, Src::Scalar(MODE_SLOT)],
        );
    }

    pub(super) fn sopk(&mut self, w: Sopk, site: &Site) {
        let signed = Src::Const(w.simm16 as i16 as i32 as u32);
        match w.op.sem() {
            SemK::Move => {
                let dst = self.scalar_destination(w.sdst, 1);
                self.b.uniform(Mov, dst, &[signed]);
            }
            SemK::PickMove => {
                let dst = self.scalar_destination(w.sdst, 1);
                self.b.uniform(Pick, dst, &[signed, Src::Scalar(dst), SCC]);
            }
            SemK::Compare(op, extension) => {
                let src = self.scalar(w.sdst.into());
                let constant = match extension {
                    Extension::Sign => signed,
                    Extension::Zero => Src::Const(w.simm16.into()),
                };
                self.b.uniform(op, SCC_SLOT, &[src, constant]);
            }
            SemK::Alu(op, scc) => {
                let src = self.scalar(w.sdst.into());
                let dst = self.scalar_destination(w.sdst, 1);
                self.scalar_alu(op, scc, dst, [src, signed]);
            }
            SemK::Fork => {
                let mask = self.scalar_wide(w.sdst.into());
                if let Next::Target(target) = site.next {
                    self.fork_to(mask, target);
                }
            }
            SemK::GetReg => self.get_register(w),
            SemK::SetReg => {
                let value = self.scalar(w.sdst.into());
                self.set_register(w, value, site);
            }
            SemK::SetRegLiteral => {
                let value = Src::Const(self.literal);
                self.set_register(w, value, site);
            }
        }
    }

    fn get_register(&mut self, w: Sopk) {
        let field = HwReg::from_word(w.simm16);
        let dst = self.scalar_destination(w.sdst, 1);
        let value = match field.id {
            HwReg::MODE => Src::Scalar(MODE_SLOT),
            HwReg::STATUS => self.status(),
            HwReg::GPR_ALLOC => {
                let vgprs = u32::from(self.allocation.vgprs.div_ceil(4)) - 1;
                let sgprs = u32::from(self.allocation.sgprs.div_ceil(8)) - 1;
                Src::Const(vgprs << 8 | sgprs << 24)
            }
            // Nothing is ever pending, and the place in the machine is always the first.
            _ => Src::Const(0),
        };
        let shifted = self.temp();
        let offset = Src::Const(field.offset);
        self.b.uniform(Shr, shifted, &[value, offset]);
        let mask = Src::Const(u32::MAX >> (32 - field.size));
        self.b.uniform(And, dst, &[Src::Scalar(shifted), mask]);
    }

    /// S_TRAP: saves its own address with the trap's number and goes to the handler; without one it does nothing.
    /// [SI 3.10]
    fn enter_trap(&mut self, flow: &Flow, simm16: u16) {
        let (handler, saved) = (u16::from(operand::TBA), u16::from(operand::TTMP));
        let next = self.b.label();
        self.b.branch(When::MaskZero(handler), next);
        let pc = self.address(self.next_pc - 1);
        let high = (pc >> 32) as u32 & 0xffff | u32::from(simm16 & 0xff) << 16;
        self.b.uniform(Mov, saved, &[Src::Const(pc as u32)]);
        self.b.uniform(Mov, saved + 1, &[Src::Const(high)]);
        self.b.uniform(Mov, PRIV_SLOT, &[Src::Const(1 << 5)]);
        self.jump(flow, Src::Scalar(handler));
        self.b.place(next);
    }

    /// STATUS: SCC, PRIV, TRAP_EN, EXECZ, VCCZ and VALID. [SI table 5.4]
    fn status(&mut self) -> Src {
        let value = self.temp();
        self.b.uniform(Or, value, &[SCC, Src::Const(1 << 16)]);
        let private = Src::Scalar(PRIV_SLOT);
        self.b.uniform(Or, value, &[Src::Scalar(value), private]);
        let handler = u16::from(operand::TBA);
        for (test, mask, shift) in [(INe64, handler, 6), (IEq64, EXEC, 9), (IEq64, VCC, 10)] {
            let bit = self.temp();
            self.uniform_wide(test, bit, &[Src::Scalar(mask), Src::Const(0)]);
            self.b
                .uniform(Shl, bit, &[Src::Scalar(bit), Src::Const(shift)]);
            self.b
                .uniform(Or, value, &[Src::Scalar(value), Src::Scalar(bit)]);
        }
        Src::Scalar(value)
    }

    fn set_register(&mut self, w: Sopk, value: Src, site: &Site) {
        let field = HwReg::from_word(w.simm16);
        if field.id != HwReg::MODE {
            return;
        }
        let bits = self.temp();
        let offset = Src::Const(field.offset);
        self.b.uniform(Shl, bits, &[value, offset]);
        self.set_mode_bits(field.mask(), Src::Scalar(bits));
        self.branch_by_mode(site);
    }

    pub(super) fn sopp(&mut self, flow: &Flow, inst: Inst, w: Sopp, site: &Site) {
        match w.op.sem() {
            SemP::Nothing | SemP::Wait => {}
            SemP::End => self.b.push(Step::End),
            SemP::Barrier => self.b.push(Step::Barrier),
            SemP::Port => self.port(inst),
            SemP::PortHalt => {
                self.port(inst);
                self.b.trap("the wave halted itself");
            }
            SemP::Halt => {
                if w.simm16 & 1 == 1 {
                    self.b.trap("the wave halted itself");
                }
            }
            SemP::Trap => self.enter_trap(flow, w.simm16),
            SemP::Branch(condition) => {
                let Next::Target(target) = site.next else {
                    return;
                };
                debug_assert_eq!(target.mode, self.mode);
                let label = self.label(target);
                let when = match condition {
                    Condition::Always => When::Always,
                    Condition::Scc0 => When::Zero(SCC_SLOT),
                    Condition::Scc1 => When::NonZero(SCC_SLOT),
                    Condition::VccZ => When::MaskZero(VCC),
                    Condition::VccNz => When::MaskNonZero(VCC),
                    Condition::ExecZ => When::MaskZero(EXEC),
                    Condition::ExecNz => When::MaskNonZero(EXEC),
                };
                self.b.branch(when, label);
            }
        }
    }
}
