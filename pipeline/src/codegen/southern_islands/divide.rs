//! Unsigned integer division, which the chip has no instruction for.

use lanes::LaneOp;
use southern_islands::isa::vector::{VectorOp, Vop1Op, Vop2Op, Vop3Op};

use super::machine::Operand;
use super::select::Select;
use crate::ir::Value;

/// How to divide by a constant: the upper half of a product, and shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reciprocal {
    /// Bits that the dividend is shifted right by first.
    before: u32,
    /// What it is multiplied with.
    factor: u32,
    /// Half of the difference to the dividend is added to the product: the factor stands for 2^32 more.
    wide: bool,
    /// Bits that the result is shifted right by.
    after: u32,
}

impl Reciprocal {
    /// For a divisor that is no power of two.
    ///
    /// With m = ceil(2^(32 + s) / d) and m d - 2^(32 + s) <= 2^s, floor(n m / 2^(32 + s)) is floor(n / d) for every
    /// 32-bit n; where n has k bits less, 2^(s + k) is enough. [Granlund, Montgomery: Division by invariant integers
    /// using multiplication, 1994]
    fn new(divisor: u32) -> Reciprocal {
        let d = u64::from(divisor);
        let above = |d: u64, s: u32| (1u128 << (32 + s)).div_ceil(u128::from(d));
        let error = |d: u64, s: u32| above(d, s) * u128::from(d) - (1u128 << (32 + s));
        let log = 32 - divisor.leading_zeros();
        let narrow = |d: u64, lost: u32| {
            (0..log).find(|&s| error(d, s) <= 1 << (s + lost) && above(d, s) <= u32::MAX.into())
        };
        let before = divisor.trailing_zeros();
        let short = [0, before].into_iter().find_map(|before| {
            let d = d >> before;
            let after = narrow(d, before)?;
            Some(Reciprocal {
                before,
                factor: above(d, after) as u32,
                wide: false,
                after,
            })
        });
        short.unwrap_or(Reciprocal {
            before: 0,
            factor: (above(d, log) - (1 << 32)) as u32,
            wide: true,
            after: log - 1,
        })
    }

    /// The quotient of a number, as the instructions find it.
    #[cfg(test)]
    fn divide(self, n: u32) -> u32 {
        let n = n >> self.before;
        let high = ((u64::from(n) * u64::from(self.factor)) >> 32) as u32;
        let sum = if self.wide {
            ((n - high) >> 1) + high
        } else {
            high
        };
        sum >> self.after
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_divide_like_division() {
        let mut divisors: Vec<u32> = (3..2000).collect();
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state
        };
        divisors.extend((0..2000).map(|n| next() >> (n % 31)));
        divisors.extend([
            641,
            6_700_417,
            u32::MAX,
            u32::MAX - 1,
            0x8000_0001,
            0xaaaa_aaab,
        ]);
        for d in divisors {
            if d == 0 || d.is_power_of_two() {
                continue;
            }
            let how = Reciprocal::new(d);
            let edge = u32::MAX - u32::MAX % d;
            let mut numbers = vec![0, 1, d - 1, d, u32::MAX, edge, edge - 1];
            numbers.extend((0..40).map(|_| next()));
            numbers.extend((0..40).map(|_| (next() / d).wrapping_mul(d).wrapping_sub(1)));
            for n in numbers {
                assert_eq!(how.divide(n), n / d, "{n} / {d} by {how:?}");
            }
        }
    }
}
