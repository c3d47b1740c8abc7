//! Vector instructions that touch masks, other lanes or computed register numbers.

use lanes::LaneOp::*;
use lanes::WideOp::{Bfm64, Mov64};
use lanes::{Move, Operand, Src, Step, Swizzle};

use super::super::operand::VGPR;
use super::super::vector::{Carry, Half, Indexed, Sem};
use super::super::words::Ds;
use super::operands::three;
use super::vector::Vector;
use super::{EXEC, Lifter, M0};

impl Lifter {
    pub(super) fn special(&mut self, sem: Sem, v: &Vector) {
        match sem {
            Sem::Select => {
                let [no, yes, _] = self.sources(v, &[Operand::U32, Operand::U32]);
                let mask = self.mask(v.src[2]);
                if self.has_rows(v.vdst, 1) {
                    self.select(v.vdst.into(), mask, no, yes);
                }
            }
            Sem::Carry(carry) => self.carry(carry, v),
            Sem::CarryIn(carry) => self.carry_in(carry, v),
            Sem::CountBelow(half) => {
                let [mask, addend, _] = self.sources(v, &[Operand::U32, Operand::U32]);
                if !self.has_rows(v.vdst, 1) {
                    return;
                }
                // 64 ones below the lane, cut to the half.
                let (lane, below) = (self.temp_row(), self.temp_row_pair());
                self.b.push(Step::LaneId { dst: lane });
                self.wide(Bfm64, below, &[Src::Row(lane), Src::Const(0)]);
                let below = match half {
                    Half::Low => below,
                    Half::High => below + 1,
                };
                self.b.alu(And, below, &[Src::Row(below), mask]);
                let dst = v.vdst.into();
                self.b.alu(BitCount, dst, &[Src::Row(below), addend]);
            }
            Sem::ReadLane => {
                let src = self.vector(v.src[0], Operand::U32);
                let lane = self.lane_number(v.src[1]);
                let dst = self.scalar_destination(v.vdst, 1);
                match src {
                    Src::Row(src) => self.b.push(Step::ReadLane { dst, src, lane }),
                    _ => self.b.uniform(Mov, dst, &[src]),
                }
            }
            Sem::ReadFirstLane => {
                let src = self.vector(v.src[0], Operand::U32);
                let dst = self.scalar_destination(v.vdst, 1);
                match src {
                    Src::Row(src) => self.b.push(Step::ReadFirstLane { dst, src }),
                    _ => self.b.uniform(Mov, dst, &[src]),
                }
            }
            Sem::WriteLane => {
                let src = self.vector(v.src[0], Operand::U32);
                let value = self.first_lane(src);
                let lane = self.lane_number(v.src[1]);
                if self.has_rows(v.vdst, 1) {
                    let dst = v.vdst.into();
                    self.b.push(Step::WriteLane { dst, value, lane });
                }
            }
            Sem::Relative(indexed) => self.relative(indexed, v),
            _ => {}
        }
    }

    /// The scalar pair of a mask operand.
    fn mask(&mut self, code: u16) -> u16 {
        match self.scalar_wide(code.min(255)) {
            Src::Scalar(mask) if code < VGPR => mask,
            src => {
                let temp = self.temp();
                self.uniform_wide(Mov64, temp, &[src]);
                temp
            }
        }
    }

    /// A source made uniform: the lowest enabled lane of a row.
    fn first_lane(&mut self, src: Src) -> Src {
        match src {
            Src::Row(src) => {
                let dst = self.temp();
                self.b.push(Step::ReadFirstLane { dst, src });
                Src::Scalar(dst)
            }
            src => src,
        }
    }

    fn lane_number(&mut self, code: u16) -> Src {
        let src = self.vector(code, Operand::U32);
        self.first_lane(src)
    }

    /// Sum or difference, and its unsigned carry or borrow as a mask.
    fn carry(&mut self, carry: Carry, v: &Vector) {
        let [a, b, _] = self.sources(v, &[Operand::U32, Operand::U32]);
        if !self.has_rows(v.vdst, 1) {
            return;
        }
        let (flag, op, a, b) = match carry {
            Carry::Add => (CarryAdd, IAdd, a, b),
            Carry::SubRev => (BorrowSub3, ISub, b, a),
            _ => (BorrowSub3, ISub, a, b),
        };
        let mask = self.scalar_destination(v.sdst, 2);
        let reads_mask = [a, b]
            .iter()
            .any(|src| matches!(src, Src::Scalar(at) if at & !1 == mask));
        // EXEC as the mask must not disable lanes before the sum is written.
        let late = reads_mask || mask == EXEC;
        let carried = if late { self.temp() } else { mask };
        self.compare(flag, carried, three(&[a, b]));
        self.b.alu(op, v.vdst.into(), &[a, b]);
        if late {
            self.uniform_wide(Mov64, mask, &[Src::Scalar(carried)]);
        }
    }

    fn carry_in(&mut self, carry: Carry, v: &Vector) {
        let [a, b, _] = self.sources(v, &[Operand::U32, Operand::U32]);
        let carried = self.mask(v.src[2]);
        if !self.has_rows(v.vdst, 1) {
            return;
        }
        let (flag, op, a, b) = match carry {
            Carry::Add => (CarryAdd3, IAdd, a, b),
            Carry::SubRev => (BorrowSub3, ISub, b, a),
            _ => (BorrowSub3, ISub, a, b),
        };
        let (bit, sum) = (self.temp_row(), self.temp_row());
        self.select(bit, carried, Src::Const(0), Src::Const(1));
        let bit = Src::Row(bit);
        let mask = self.temp();
        self.compare(flag, mask, [a, b, bit]);
        self.b.alu(op, sum, &[a, b]);
        self.b.alu(op, v.vdst.into(), &[Src::Row(sum), bit]);
        let dst = self.scalar_destination(v.sdst, 2);
        self.uniform_wide(Mov64, dst, &[Src::Scalar(mask)]);
    }

    /// V_MOVREL: M0 is added to register numbers. [SI 6.4.2]
    fn relative(&mut self, indexed: Indexed, v: &Vector) {
        let end = self.allocation.vgprs;
        let dst = u16::from(v.vdst);
        let src = self.vector(v.src[0], Operand::U32);
        if dst >= end {
            return;
        }
        if let (Src::Row(base), true) = (src, indexed != Indexed::Destination) {
            self.check_index(base, 1, end);
        }
        if indexed != Indexed::Source {
            self.check_index(dst, 1, end);
        }
        let value = match (src, indexed) {
            (Src::Row(row), Indexed::Destination) => row,
            (Src::Row(base), _) => {
                let row = match indexed {
                    Indexed::Source => dst,
                    _ => self.temp_row(),
                };
                // The step reads its base when the register does not exist, and that has to be V0.
                let index = self.temp();
                self.b
                    .uniform(IAdd, index, &[Src::Scalar(M0), Src::Const(base.into())]);
                self.b.push(Step::Relative {
                    kind: Move::FromRow,
                    dst: row,
                    base: 0,
                    index: Src::Scalar(index),
                    end,
                });
                row
            }
            (src, Indexed::Source) => {
                self.b.alu(Mov, dst, &[src]);
                dst
            }
            (src, _) => {
                let row = self.temp_row();
                self.b.alu(Mov, row, &[src]);
                row
            }
        };
        if indexed != Indexed::Source {
            self.b.push(Step::Relative {
                kind: Move::ToRow,
                dst,
                base: value,
                index: Src::Scalar(M0),
                end,
            });
        }
    }

    /// DS_SWIZZLE_B32: data between lanes; a source lane that is not enabled gives zero. [SI p.11-20]
    pub(super) fn swizzle(&mut self, w: Ds) {
        if !self.has_rows(w.vdst, 1) {
            return;
        }
        let src = match self.vector(VGPR + u16::from(w.addr), Operand::U32) {
            Src::Row(row) => row,
            _ => 0,
        };
        let dst = w.vdst.into();
        let offset = u16::from(w.offset1) << 8 | u16::from(w.offset0);
        let part = |at: u16| (offset >> at & 31) as u8;
        if offset >> 15 == 0 {
            let (and, or, xor) = (part(0), part(5), part(10));
            let pattern = Swizzle::Bits { and, or, xor };
            self.b.push(Step::Swizzle { dst, src, pattern });
            return;
        }
        let lanes = [0, 2, 4, 6].map(|at| (offset >> at & 3) as u8);
        if let Some(pattern) = quad_as_bits(lanes) {
            self.b.push(Step::Swizzle { dst, src, pattern });
            return;
        }
        // The quad swizzle reads lanes that are not enabled: give them zero.
        let (clean, saved) = (self.temp_row(), self.temp());
        self.uniform_wide(Mov64, saved, &[Src::Scalar(EXEC)]);
        for half in 0..2 {
            self.b.uniform(Mov, EXEC + half, &[Src::Const(u32::MAX)]);
        }
        self.b.alu(Mov, clean, &[Src::Const(0)]);
        self.uniform_wide(Mov64, EXEC, &[Src::Scalar(saved)]);
        self.b.alu(Mov, clean, &[Src::Row(src)]);
        self.b.push(Step::Swizzle {
            dst,
            src: clean,
            pattern: Swizzle::Quad(lanes),
        });
    }
}

/// A quad pattern as and, or, xor of the lane number, where there is one.
fn quad_as_bits(lanes: [u8; 4]) -> Option<Swizzle> {
    (0..64u8).find_map(|bits| {
        let (and, or, xor) = (bits & 3, bits >> 2 & 3, bits >> 4);
        let fits = (0..4).all(|lane| ((lane & and) | or) ^ xor == lanes[usize::from(lane)]);
        fits.then_some(Swizzle::Bits {
            and: and | 0b11100,
            or,
            xor,
        })
    })
}
