//! Integer operations on floats that hold integers.

use super::flatten::Flatten;
use super::kinds::Kind;
use super::ranges::{EXACT, Range};
use crate::codegen::{CompileError, Result};
use crate::ir::{Inst, LaneOp, Value};

/// The first float beyond integers with a sign.
const BEYOND_INT: f64 = 2_147_483_648.0;

impl Flatten<'_> {
    fn range(&self, value: Value) -> Range {
        self.ranges.of(&self.known, value, Kind::Integer)
    }

    /// Bits of a constant operand.
    fn literal(&self, inst: &Inst, at: usize) -> Option<u32> {
        self.known.constant(*inst.args.get(at)?)
    }

    fn may_be_negative(&self, inst: &Inst) -> CompileError {
        let what = "an unsigned operation on a number that may be negative";
        self.errors.lacks(what, inst.origin)
    }

    /// An operation that takes or gives integers.
    pub(super) fn integer(&mut self, op: LaneOp, inst: &Inst, args: &[Value]) -> Result<Value> {
        use LaneOp::*;
        let a = args[0];
        let b = args.get(1).copied().unwrap_or(a);
        let c = args.get(2).copied().unwrap_or(a);
        let to = &mut self.to;
        Ok(match op {
            IAdd => to.add(a, b),
            ISub => to.sub(a, b),
            IMul | IMul24 | UMul24 => to.mul(a, b),
            IMad => to.op(FMad, &[a, b, c]),
            IMin => to.op(FMin, &[a, b]),
            IMax => to.op(FMax, &[a, b]),
            IMed3 => {
                let [b_range, c_range] = [1, 2].map(|at| self.range(inst.args[at]));
                if b_range.high > c_range.low {
                    return Err(self.lacks_op(op, inst));
                }
                let above = self.to.op(FMax, &[a, b]);
                self.to.op(FMin, &[above, c])
            }
            IAbs => to.op(FAbs, &[a]),
            Not => {
                let one = to.float(-1.0);
                to.sub(one, a)
            }
            IEq => to.compare(FEq, a, b),
            INe => to.compare(FNe, a, b),
            ILt => to.compare(FLt, a, b),
            ILe => to.compare(FLe, a, b),
            IGt => to.compare(FGt, a, b),
            IGe => to.compare(FGe, a, b),
            ULt | ULe | UGt | UGe | UMin | UMax => return self.unsigned(op, inst, [a, b]),
            UDiv | URem => return self.divide(op, inst, [a, b]),
            Shl | ShlOver | Shr | ShrOver | Sar | SarOver => return self.shift(op, inst, a),
            And | Or | Xor => return self.bitwise(op, inst, [a, b]),
            I32ToF32 => a,
            U32ToF32 => match self.range(inst.args[0]).is_natural() {
                true => a,
                false => return Err(self.may_be_negative(inst)),
            },
            F32ToI32 => {
                let a = self.within(a, inst, -BEYOND_INT, BEYOND_INT);
                self.to.truncate(a)
            }
            F32ToI32Floor => {
                let a = self.within(a, inst, -BEYOND_INT, BEYOND_INT);
                self.to.floor(a)
            }
            F32ToU32 => {
                let a = self.within(a, inst, 0.0, 2.0 * BEYOND_INT);
                self.to.floor(a)
            }
            FLdexp => {
                let factor = to.op(FExp2, &[b]);
                to.mul(a, factor)
            }
            _ => return Err(self.lacks_op(op, inst)),
        })
    }

    /// A float that may become an integer: one beyond becomes the last that does.
    fn within(&mut self, a: Value, inst: &Inst, low: f64, high: f64) -> Value {
        let range = self.ranges.of(&self.known, inst.args[0], Kind::Float);
        let mut a = a;
        if range.low < low {
            let low = self.to.float(low as f32);
            a = self.to.op(LaneOp::FMax, &[a, low]);
        }
        if range.high > high {
            let high = self.to.float(high as f32);
            a = self.to.op(LaneOp::FMin, &[a, high]);
        }
        a
    }

    /// A number that is not negative: where one could be, it is a large one.
    fn natural(&mut self, value: Value, range: Range) -> Value {
        if range.is_natural() {
            return value;
        }
        let zero = self.to.float(0.0);
        let most = self.to.float(2.0 * BEYOND_INT as f32);
        let natural = self.to.compare(LaneOp::FGe, value, zero);
        self.to.select(natural, value, most)
    }

    fn unsigned(&mut self, op: LaneOp, inst: &Inst, values: [Value; 2]) -> Result<Value> {
        use LaneOp::*;
        let ranges = [0, 1].map(|at| self.range(inst.args[at]));
        let naturals = ranges.map(|range| range.is_natural());
        // Two large numbers could not be told apart.
        if naturals == [false; 2] || (op == UMax && naturals != [true; 2]) {
            return Err(self.may_be_negative(inst));
        }
        let a = self.natural(values[0], ranges[0]);
        let b = self.natural(values[1], ranges[1]);
        Ok(match op {
            UMin => self.to.op(FMin, &[a, b]),
            UMax => self.to.op(FMax, &[a, b]),
            ULt => self.to.compare(FLt, a, b),
            ULe => self.to.compare(FLe, a, b),
            UGt => self.to.compare(FGt, a, b),
            _ => self.to.compare(FGe, a, b),
        })
    }

    /// Quotient and remainder: the product with the reciprocal is at most one off, which the remainder shows.
    fn divide(&mut self, op: LaneOp, inst: &Inst, [a, b]: [Value; 2]) -> Result<Value> {
        let [over, under] = [0, 1].map(|at| self.range(inst.args[at]));
        if !over.is_natural() || !under.is_natural() {
            return Err(self.may_be_negative(inst));
        }
        if over.high + under.high > EXACT {
            let what = format!(
                "a quotient of numbers up to {:.0} and {:.0}, where their sum is exact to {EXACT:.0}",
                over.high, under.high
            );
            return Err(self.errors.lacks(what, inst.origin));
        }
        let to = &mut self.to;
        let reciprocal = to.op(LaneOp::FRcp, &[b]);
        let about = to.mul(a, reciprocal);
        let guess = to.floor(about);
        let product = to.mul(guess, b);
        let rest = to.sub(a, product);
        let (zero, one) = (to.float(0.0), to.float(1.0));
        let positive = to.compare(LaneOp::FGe, rest, zero);
        let below = to.compare(LaneOp::FLt, rest, b);
        let quotient = op == LaneOp::UDiv;
        let [less, more] = match quotient {
            true => [to.sub(guess, one), to.add(guess, one)],
            false => [to.add(rest, b), to.sub(rest, b)],
        };
        let as_is = if quotient { guess } else { rest };
        let upper = to.select(below, as_is, more);
        Ok(to.select(positive, upper, less))
    }

    fn shift(&mut self, op: LaneOp, inst: &Inst, a: Value) -> Result<Value> {
        use LaneOp::*;
        let Some(by) = self.literal(inst, 1) else {
            return Err(self.errors.lacks(
                "a shift by a number of bits that is not constant",
                inst.origin,
            ));
        };
        let by = by & 31;
        let range = self.range(inst.args[0]);
        if matches!(op, Shr | ShrOver) && !range.is_natural() {
            return Err(self.may_be_negative(inst));
        }
        let power = (1u64 << by) as f32;
        Ok(match op {
            Shl | ShlOver => {
                let factor = self.to.float(power);
                self.to.mul(a, factor)
            }
            _ => {
                let factor = self.to.float(1.0 / power);
                let moved = self.to.mul(a, factor);
                self.to.floor(moved)
            }
        })
    }

    /// Remainder by a power of two: the low bits, of negative numbers too.
    fn low_bits(&mut self, a: Value, bits: u32) -> Value {
        let power = (1u64 << bits) as f32;
        let inverse = self.to.float(1.0 / power);
        let moved = self.to.mul(a, inverse);
        let part = self.to.op(LaneOp::FFractOne, &[moved]);
        let power = self.to.float(power);
        self.to.mul(part, power)
    }

    /// `a & mask`, run of bits by run of bits.
    fn masked(&mut self, a: Value, mask: u32) -> Value {
        let mut sum = self.to.float(0.0);
        let mut rest = mask;
        while rest != 0 {
            let low = rest.trailing_zeros();
            let high = low + (!(rest >> low)).trailing_zeros();
            let mut run = self.low_bits(a, high);
            if low > 0 {
                let below = self.low_bits(a, low);
                run = self.to.sub(run, below);
            }
            sum = self.to.add(run, sum);
            rest &= u32::MAX.checked_shl(high).unwrap_or(0);
        }
        sum
    }

    fn bitwise(&mut self, op: LaneOp, inst: &Inst, [a, b]: [Value; 2]) -> Result<Value> {
        use LaneOp::*;
        let ranges = [0, 1].map(|at| self.range(inst.args[at]));
        let literal = self.literal(inst, 1).map(|word| (word, a));
        let literal = literal.or(self.literal(inst, 0).map(|word| (word, b)));
        // Bits of negative numbers beyond those that a float holds are those of the sign.
        if let Some((mask, other)) = literal.filter(|(mask, _)| *mask < EXACT as u32) {
            let common = self.masked(other, mask);
            if op == And {
                return Ok(common);
            }
            let number = self.to.float(mask as f32);
            let sum = self.to.add(other, number);
            let less = self.to.sub(sum, common);
            return Ok(if op == Or {
                less
            } else {
                self.to.sub(less, common)
            });
        }
        // A mask that keeps all but low bits.
        if let (And, Some((mask, other))) = (op, literal)
            && (!mask).wrapping_add(1).is_power_of_two()
        {
            let low = self.low_bits(other, mask.trailing_zeros());
            return Ok(self.to.sub(other, low));
        }
        let apart = |low: Range, high: Range| {
            low.is_natural() && low.high < f64::from(1u32 << high.zeros.min(24))
        };
        let bit = |range: Range| range.low >= 0.0 && range.high <= 1.0;
        if op != And && (apart(ranges[0], ranges[1]) || apart(ranges[1], ranges[0])) {
            return Ok(self.to.add(a, b));
        }
        if ranges.into_iter().all(bit) {
            return Ok(match op {
                And => self.to.mul(a, b),
                Or => self.to.op(FMax, &[a, b]),
                _ => {
                    let difference = self.to.sub(a, b);
                    self.to.op(FAbs, &[difference])
                }
            });
        }
        let what = format!(
            "the operation {} on numbers that are not constant",
            op.name()
        );
        Err(self.errors.lacks(what, inst.origin))
    }
}
