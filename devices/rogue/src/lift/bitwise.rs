//! Bitwise groups. [Rogue 9.9]

use lanes::LaneOp::*;
use lanes::Src;

use super::flow::Lifter;
use super::{LiftError, PREDICATE};
use crate::isa::bitwise::{Bitwise, Count, Logical, Mask, Phase0, Shift1, Shift2};

const ZERO: Src = Src::Const(0);
const ONES: Src = Src::Const(u32::MAX);

/// Results of the units.
#[derive(Clone, Copy)]
struct Units {
    ft: [Src; 6],
}

impl Lifter<'_> {
    /// Units in order; gives W0 and W1 and sets P0 if a test does.
    pub(super) fn bitwise(&mut self, group: &Bitwise) -> Result<[Src; 2], LiftError> {
        let mut units = Units { ft: [ZERO; 6] };
        if let Some(p0) = &group.p0 {
            self.first_phase(p0, &mut units)?;
        }
        if let Some(p1) = &group.p1 {
            let s3 = self.source(3)?;
            units.ft[4] = self.logical(p1.op, (p1.left, p1.right), units.ft, s3);
        }
        if let Some(p2) = &group.p2 {
            units.ft[5] = self.second_shift(p2.shift, &units)?;
            if let Some(test) = p2.test {
                let tested = units.ft[if test.of_ft3 { 3 } else { 5 }];
                let op = if test.not_zero { INe } else { IEq };
                let truth = self.mask();
                self.compare(truth, op, tested, ZERO);
                self.set_predicate(truth);
            }
        }
        // W0 is what the last phase gives.
        let last = match (&group.p2, &group.p1) {
            (Some(_), _) => 5,
            (None, Some(_)) => 4,
            (None, None) => 1,
        };
        Ok([units.ft[last], units.ft[3]])
    }

    fn first_phase(&mut self, p0: &Phase0, units: &mut Units) -> Result<(), LiftError> {
        let (s0, s1, s2) = (self.source(0)?, self.source(1)?, self.source(2)?);
        [units.ft[0], units.ft[1]] = match p0.mask {
            Mask::Byp => [s0, s1],
            Mask::Byp16(number) => [s0, Src::Const(number.into())],
            Mask::Byp32(number) => [s0, Src::Const(number)],
            Mask::Msk => {
                let six = Src::Const(63);
                let (width, offset) = (self.op(And, &[s0, six]), self.op(And, &[s1, six]));
                let end = self.op(IAdd, &[s0, s1]);
                let last = self.op(ISub, &[end, Src::Const(1)]);
                // 32 and more are all ones.
                let none = self.op(ShlOver, &[ONES, width]);
                let ones = self.op(Not, &[none]);
                [
                    self.op(And, &[last, six]),
                    self.op(ShlOver, &[ones, offset]),
                ]
            }
        };
        units.ft[2] = match p0.shift {
            Shift1::BYP => s2,
            Shift1::REV => self.op(BitReverse, &[s2]),
            Shift1::LSL => self.op(Shl, &[s2, s1]),
            Shift1::SHFL => {
                let odd = self.spread(s1);
                let odd = self.op(Shl, &[odd, Src::Const(1)]);
                let even = self.spread(s2);
                self.op(Or, &[odd, even])
            }
        };
        let counted = if p0.counts_ft2 { units.ft[2] } else { s2 };
        units.ft[3] = match p0.count {
            Count::BYP => counted,
            Count::CBS => self.op(BitCount, &[counted, ZERO]),
            Count::FTB => {
                let zeros = self.op(FirstHighU, &[counted]);
                let top = self.op(ISub, &[Src::Const(31), zeros]);
                // Nothing is set: 31 - (-1) = 32, and -1 is asked for.
                let none = self.op(IEq, &[counted, ZERO]);
                self.op(Pick, &[ONES, top, none])
            }
        };
        Ok(())
    }

    /// Bits 0 to 15 to the even bits.
    fn spread(&mut self, source: Src) -> Src {
        let mut value = self.op(And, &[source, Src::Const(0xffff)]);
        for (shift, mask) in [
            (8, 0x00ff_00ff),
            (4, 0x0f0f_0f0f),
            (2, 0x3333_3333),
            (1, 0x5555_5555),
        ] {
            let moved = self.op(Shl, &[value, Src::Const(shift)]);
            let both = self.op(Or, &[value, moved]);
            value = self.op(And, &[both, Src::Const(mask)]);
        }
        value
    }

    fn logical(&mut self, op: Logical, masks: (bool, bool), ft: [Src; 6], s3: Src) -> Src {
        if op == Logical::BYP {
            return ft[1];
        }
        if (op, masks) == (Logical::OR, (true, true)) {
            return self.op(Bfi, &[ft[1], ft[2], s3]);
        }
        let left = match masks.0 {
            true => self.op(And, &[ft[1], ft[2]]),
            false => ft[2],
        };
        let right = match masks.1 {
            true => self.op(AndNot, &[s3, ft[1]]),
            false => s3,
        };
        let (op, inverted) = match op {
            Logical::OR => (Or, false),
            Logical::AND => (And, false),
            Logical::XOR => (Xor, false),
            Logical::NOR => (Or, true),
            Logical::NAND => (And, true),
            Logical::XNOR | Logical::BYP => (Xor, true),
        };
        // The operation with zero or ones that changes nothing.
        let value = match (op, left, right) {
            (Or | Xor, ZERO, other) | (Or | Xor, other, ZERO) => other,
            (And, ONES, other) | (And, other, ONES) => other,
            _ => self.op(op, &[left, right]),
        };
        match inverted {
            true => self.op(Not, &[value]),
            false => value,
        }
    }

    fn second_shift(&mut self, shift: Shift2, units: &Units) -> Result<Src, LiftError> {
        let (value, amount) = (units.ft[4], self.source(4)?);
        let still = amount == ZERO;
        Ok(match shift {
            Shift2::LSL | Shift2::SHR | Shift2::ROL | Shift2::ASR_TWB if still => value,
            Shift2::LSL => self.op(Shl, &[value, amount]),
            Shift2::SHR => self.op(Shr, &[value, amount]),
            Shift2::ASR_TWB => self.op(Sar, &[value, amount]),
            Shift2::ROL => {
                let right = self.op(ISub, &[ZERO, amount]);
                self.op(AlignBit, &[value, value, right])
            }
            Shift2::CPS => {
                let cleared = self.op(AndNot, &[amount, value]);
                let set = self.op(Or, &[amount, value]);
                self.select(PREDICATE, cleared, set)
            }
            Shift2::ASR_PWB => self.shift_from(value, amount, Src::Const(15)),
            Shift2::ASR_MTB => self.shift_from(value, amount, units.ft[0]),
            Shift2::ASR_FTB => self.shift_from(value, amount, units.ft[3]),
        })
    }

    /// An arithmetic right shift of a number whose sign is bit `sign`.
    fn shift_from(&mut self, value: Src, amount: Src, sign: Src) -> Src {
        let sign = self.op(And, &[sign, Src::Const(31)]);
        let amount = self.op(And, &[amount, Src::Const(31)]);
        let up = self.op(ISub, &[Src::Const(31), sign]);
        let down = self.op(IAdd, &[up, amount]);
        let high = self.op(Shl, &[value, up]);
        self.op(SarOver, &[high, down])
    }
}
