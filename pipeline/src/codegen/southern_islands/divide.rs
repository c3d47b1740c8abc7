//! Unsigned integer division, which the chip has no instruction for.

use lanes::LaneOp;
use southern_islands::isa::vector::{VectorOp, Vop1Op, Vop2Op, Vop3Op};

use super::machine::Operand;
use super::select::Select;
use crate::codegen::reciprocal::Reciprocal;
use crate::ir::Value;

impl Select<'_> {
    /// Selects a quotient or remainder. A divisor of 0 gives all ones, its remainder the dividend.
    pub(super) fn divide(&mut self, op: LaneOp, result: Value, args: &[Value]) {
        let dst = match self.defs.constant(args[1]) {
            Some(b) if b.is_power_of_two() => {
                let a = self.word(args[0]);
                match op {
                    LaneOp::UDiv => self.shifted(a, b.trailing_zeros()),
                    _ => self.two(Vop2Op::V_AND_B32, Operand::Const(b - 1), a),
                }
            }
            Some(b) if b != 0 => self.divide_by(op, args[0], b),
            _ => self.divide_any(op, args),
        };
        self.define(result, dst);
    }

    fn shifted(&mut self, a: Operand, by: u32) -> Operand {
        match by {
            0 => a,
            _ => self.two(Vop2Op::V_LSHRREV_B32, Operand::Const(by), a),
        }
    }

    fn divide_by(&mut self, op: LaneOp, dividend: Value, divisor: u32) -> Operand {
        let dividend = self.vector_word(dividend);
        let how = Reciprocal::new(divisor);
        let a = self.shifted(dividend, how.before);
        let factor = Operand::Const(how.factor);
        let mut quotient = self.compute(VectorOp::Three(Vop3Op::V_MUL_HI_U32), &[a, factor]);
        if how.wide {
            let rest = self.two(Vop2Op::V_SUB_I32, a, quotient);
            let half = self.shifted(rest, 1);
            quotient = self.two(Vop2Op::V_ADD_I32, half, quotient);
        }
        let quotient = self.shifted(quotient, how.after);
        if op == LaneOp::UDiv {
            return quotient;
        }
        let mul_lo = VectorOp::Three(Vop3Op::V_MUL_LO_U32);
        let back = self.compute(mul_lo, &[quotient, Operand::Const(divisor)]);
        self.two(Vop2Op::V_SUB_I32, dividend, back)
    }

    /// A float estimate of 2^32 / b, one Newton step, and two corrections.
    fn divide_any(&mut self, op: LaneOp, args: &[Value]) -> Operand {
        let (a, b) = (self.vector_word(args[0]), self.vector_word(args[1]));
        let float = self.one(Vop1Op::V_CVT_F32_U32, b);
        let inverse = self.one(Vop1Op::V_RCP_F32, float);
        // Just below 2^32, so that the estimate never exceeds the true value.
        let scaled = self.two(Vop2Op::V_MUL_F32, Operand::Const(0x4f7f_fffe), inverse);
        let estimate = self.one(Vop1Op::V_CVT_U32_F32, scaled);
        let minus = self.two(Vop2Op::V_SUB_I32, Operand::Const(0), b);
        let mul_lo = VectorOp::Three(Vop3Op::V_MUL_LO_U32);
        let mul_hi = VectorOp::Three(Vop3Op::V_MUL_HI_U32);
        let error = self.compute(mul_lo, &[minus, estimate]);
        let step = self.compute(mul_hi, &[estimate, error]);
        let refined = self.two(Vop2Op::V_ADD_I32, estimate, step);
        let mut quotient = self.compute(mul_hi, &[a, refined]);
        let back = self.compute(mul_lo, &[quotient, b]);
        let mut rest = self.two(Vop2Op::V_SUB_I32, a, back);
        for round in 0..2 {
            let above = self.test(LaneOp::UGe, rest, b);
            if op == LaneOp::UDiv {
                let next = self.two(Vop2Op::V_ADD_I32, Operand::Const(1), quotient);
                quotient = self.pick(above, next, quotient);
            }
            if op == LaneOp::URem || round == 0 {
                let less = self.two(Vop2Op::V_SUB_I32, rest, b);
                rest = self.pick(above, less, rest);
            }
        }
        match op {
            LaneOp::URem => rest,
            _ => {
                let zero = self.test(LaneOp::IEq, Operand::Const(0), b);
                self.pick(zero, Operand::Const(u32::MAX), quotient)
            }
        }
    }
}
