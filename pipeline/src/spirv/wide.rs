//! Integers of 64 bits as two words, the low one first.

use spirv::{GlslStd450Op as G, Op};

use super::lower::Lowerer;
use super::module::Result;
use super::numbers::Number;
use super::words::Inst;
use crate::ir::{LaneOp, Loop, Type, Value};

/// Low and high word.
type Wide = [Value; 2];

impl<'a> Lowerer<'a> {
    /// The numbers of an operand of an operation on 64 bits: smaller ones are extended by their sign.
    fn wides(&mut self, inst: &Inst, id: u32, signed: bool) -> Result<Vec<Wide>> {
        let words = self.words(inst, id)?;
        let words = self.as_taken(inst, id, &words);
        if !self.are_words(&words) {
            return self.error(inst, "it takes numbers");
        }
        match self.module.number_of(id).map(Number::words) {
            Some(2) => Ok(words
                .chunks_exact(2)
                .map(|pair| [pair[0], pair[1]])
                .collect()),
            _ => Ok(words
                .iter()
                .map(|&low| self.extended_word(low, signed))
                .collect()),
        }
    }

    fn extended_word(&mut self, low: Value, signed: bool) -> Wide {
        let count = self.b.word(31);
        let high = match signed {
            true => self.b.alu(LaneOp::Sar, &[low, count]),
            false => self.b.word(0),
        };
        [low, high]
    }

    /// What an instruction computes where an operand or the result has 64 bits; none where it only moves them.
    pub(super) fn compute_wide(
        &mut self,
        inst: &Inst,
        op: Op,
        ids: &[u32],
    ) -> Result<Option<Vec<Value>>> {
        use LaneOp as L;
        let signed = matches!(
            op,
            Op::SConvert | Op::ConvertSToF | Op::SDiv | Op::SRem | Op::SMod
        );
        let mut operands = Vec::with_capacity(2);
        for &id in ids.iter().take(2) {
            match op {
                Op::Bitcast | Op::Select | Op::ConvertFToS | Op::ConvertFToU => {}
                _ if self.module.number_of(id).is_some() => {
                    operands.push(self.wides(inst, id, signed)?);
                }
                _ => {}
            }
        }
        let unary = |all: &[Vec<Wide>]| all.first().cloned().unwrap_or_default();
        let pairs: Vec<[Wide; 2]> = match &operands[..] {
            [a, b] if a.len() == b.len() => a.iter().zip(b).map(|(&a, &b)| [a, b]).collect(),
            _ => Vec::new(),
        };
        let compared = |this: &mut Self, one: &dyn Fn(&mut Self, Wide, Wide) -> Value| {
            Some(pairs.iter().map(|&[a, b]| one(this, a, b)).collect())
        };
        let binary = |this: &mut Self, one: &dyn Fn(&mut Self, Wide, Wide) -> Wide| {
            Some(pairs.iter().flat_map(|&[a, b]| one(this, a, b)).collect())
        };
        let by_words = |this: &mut Self, lane: LaneOp| {
            let of =
                |this: &mut Self, a: Wide, b: Wide| [0, 1].map(|n| this.b.alu(lane, &[a[n], b[n]]));
            binary(this, &of)
        };
        Ok(match op {
            Op::IAdd => binary(self, &Self::add_wide),
            Op::ISub => binary(self, &Self::subtract_wide),
            Op::IMul => binary(self, &Self::multiply_wide),
            Op::BitwiseAnd => by_words(self, L::And),
            Op::BitwiseOr => by_words(self, L::Or),
            Op::BitwiseXor => by_words(self, L::Xor),
            Op::Not => {
                let words = unary(&operands);
                Some(
                    words
                        .iter()
                        .flatten()
                        .map(|&word| self.b.alu(L::Not, &[word]))
                        .collect(),
                )
            }
            Op::SNegate => {
                let zero = [self.b.word(0); 2];
                let words = unary(&operands);
                Some(
                    words
                        .iter()
                        .flat_map(|&a| self.subtract_wide(zero, a))
                        .collect(),
                )
            }
            Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => {
                // Counts may be of any size.
                binary(self, &|this: &mut Self, a, [count, _]| {
                    this.shift_wide(op, a, count)
                })
            }
            Op::IEqual => compared(self, &Self::same_wide),
            Op::INotEqual => compared(self, &|this: &mut Self, a, b| {
                let same = this.same_wide(a, b);
                this.b.not(same)
            }),
            Op::ULessThan => compared(self, &|this: &mut Self, a, b| this.less_wide(L::ULt, a, b)),
            Op::SLessThan => compared(self, &|this: &mut Self, a, b| this.less_wide(L::ILt, a, b)),
            Op::UGreaterThan => {
                compared(self, &|this: &mut Self, a, b| this.less_wide(L::ULt, b, a))
            }
            Op::SGreaterThan => {
                compared(self, &|this: &mut Self, a, b| this.less_wide(L::ILt, b, a))
            }
            Op::ULessThanEqual => {
                compared(self, &|this: &mut Self, a, b| this.not_less(L::ULt, b, a))
            }
            Op::SLessThanEqual => {
                compared(self, &|this: &mut Self, a, b| this.not_less(L::ILt, b, a))
            }
            Op::UGreaterThanEqual => {
                compared(self, &|this: &mut Self, a, b| this.not_less(L::ULt, a, b))
            }
            Op::SGreaterThanEqual => {
                compared(self, &|this: &mut Self, a, b| this.not_less(L::ILt, a, b))
            }
            Op::UDiv => binary(self, &|this: &mut Self, a, b| this.divide_wide(a, b)[0]),
            Op::UMod => binary(self, &|this: &mut Self, a, b| this.divide_wide(a, b)[1]),
            Op::SDiv | Op::SRem | Op::SMod => {
                binary(self, &|this: &mut Self, a, b| this.divide_signed(op, a, b))
            }
            Op::UConvert | Op::SConvert => {
                let wide = self.module.number(inst.ty).map(Number::words) == Some(2);
                let words = unary(&operands);
                let words = words
                    .iter()
                    .flat_map(|pair| &pair[..if wide { 2 } else { 1 }]);
                let words: Vec<Value> = words.copied().collect();
                Some(self.fit(inst, words)?)
            }
            Op::ConvertUToF | Op::ConvertSToF => {
                let words = unary(&operands);
                let floats = words.iter().map(|&a| self.float_of(a, signed)).collect();
                Some(self.fit(inst, floats)?)
            }
            Op::ConvertFToU | Op::ConvertFToS => {
                let Some(&id) = ids.first() else {
                    return self.error(inst, "it has no operands");
                };
                let words = self.words(inst, id)?;
                if !self.are_words(&words) {
                    return self.error(inst, "it takes floats");
                }
                let signed = op == Op::ConvertFToS;
                Some(
                    words
                        .iter()
                        .flat_map(|&a| self.wide_of_float(a, signed))
                        .collect(),
                )
            }
            Op::Bitcast => match *ids {
                [id, ..] => Some(self.bit_cast(inst, id)?),
                [] => return self.error(inst, "it has no operands"),
            },
            _ => None,
        })
    }

    fn add_wide(&mut self, a: Wide, b: Wide) -> Wide {
        let low = self.b.alu(LaneOp::IAdd, &[a[0], b[0]]);
        let carry = self.b.alu(LaneOp::ULt, &[low, a[0]]);
        let carry = self.as_word(carry);
        let high = self.b.alu(LaneOp::IAdd, &[a[1], b[1]]);
        [low, self.b.alu(LaneOp::IAdd, &[high, carry])]
    }

    fn subtract_wide(&mut self, a: Wide, b: Wide) -> Wide {
        let low = self.b.alu(LaneOp::ISub, &[a[0], b[0]]);
        let borrow = self.b.alu(LaneOp::ULt, &[a[0], b[0]]);
        let borrow = self.as_word(borrow);
        let high = self.b.alu(LaneOp::ISub, &[a[1], b[1]]);
        [low, self.b.alu(LaneOp::ISub, &[high, borrow])]
    }

    fn multiply_wide(&mut self, a: Wide, b: Wide) -> Wide {
        let low = self.b.alu(LaneOp::IMul, &[a[0], b[0]]);
        let mut high = self.b.alu(LaneOp::UMulHigh, &[a[0], b[0]]);
        for (a, b) in [(a[0], b[1]), (a[1], b[0])] {
            let part = self.b.alu(LaneOp::IMul, &[a, b]);
            high = self.b.alu(LaneOp::IAdd, &[high, part]);
        }
        [low, high]
    }

    fn same_wide(&mut self, a: Wide, b: Wide) -> Value {
        let [low, high] = [0, 1].map(|n| self.b.alu(LaneOp::IEq, &[a[n], b[n]]));
        self.b.and(low, high)
    }

    fn less_wide(&mut self, less: LaneOp, a: Wide, b: Wide) -> Value {
        let high = self.b.alu(less, &[a[1], b[1]]);
        let same = self.b.alu(LaneOp::IEq, &[a[1], b[1]]);
        let low = self.b.alu(LaneOp::ULt, &[a[0], b[0]]);
        let low = self.b.and(same, low);
        self.b.or(high, low)
    }

    fn not_less(&mut self, less: LaneOp, a: Wide, b: Wide) -> Value {
        let less = self.less_wide(less, a, b);
        self.b.not(less)
    }

    fn choose_wide(&mut self, condition: Value, yes: Wide, no: Wide) -> Wide {
        [0, 1].map(|n| self.b.select(condition, yes[n], no[n]))
    }

    /// Shifts by a count below 64.
    fn shift_wide(&mut self, op: Op, a: Wide, count: Value) -> Wide {
        let (all, one) = (self.b.word(31), self.b.word(1));
        let bit = self.b.word(32);
        let far = self.b.alu(LaneOp::And, &[count, bit]);
        let zero = self.b.word(0);
        let far = self.b.alu(LaneOp::INe, &[far, zero]);
        let near = self.b.alu(LaneOp::And, &[count, all]);
        let rest = self.b.alu(LaneOp::ISub, &[all, near]);
        if op == Op::ShiftLeftLogical {
            let low = self.b.alu(LaneOp::Shl, &[a[0], near]);
            // The count of the second shift stays below 32.
            let over = self.b.alu(LaneOp::Shr, &[a[0], one]);
            let over = self.b.alu(LaneOp::Shr, &[over, rest]);
            let high = self.b.alu(LaneOp::Shl, &[a[1], near]);
            let high = self.b.alu(LaneOp::Or, &[high, over]);
            return self.choose_wide(far, [zero, low], [low, high]);
        }
        let shift = match op {
            Op::ShiftRightLogical => LaneOp::Shr,
            _ => LaneOp::Sar,
        };
        let high = self.b.alu(shift, &[a[1], near]);
        let over = self.b.alu(LaneOp::Shl, &[a[1], one]);
        let over = self.b.alu(LaneOp::Shl, &[over, rest]);
        let low = self.b.alu(LaneOp::Shr, &[a[0], near]);
        let low = self.b.alu(LaneOp::Or, &[low, over]);
        let above = match op {
            Op::ShiftRightLogical => zero,
            _ => self.b.alu(LaneOp::Sar, &[a[1], all]),
        };
        self.choose_wide(far, [high, above], [low, high])
    }

    fn magnitude(&mut self, a: Wide) -> (Wide, Value) {
        let zero = self.b.word(0);
        let negative = self.b.alu(LaneOp::ILt, &[a[1], zero]);
        let other = self.subtract_wide([zero; 2], a);
        (self.choose_wide(negative, other, a), negative)
    }

    /// Signed quotient or rest. The rest of SRem has the sign of `a`, that of SMod the sign of `b`.
    fn divide_signed(&mut self, op: Op, a: Wide, b: Wide) -> Wide {
        let ((a_size, a_negative), (b_size, b_negative)) = (self.magnitude(a), self.magnitude(b));
        let [quotient, rest] = self.divide_wide(a_size, b_size);
        let zero = [self.b.word(0); 2];
        if op == Op::SDiv {
            let negative = self.b.logic(crate::ir::BoolOp::Xor, a_negative, b_negative);
            let other = self.subtract_wide(zero, quotient);
            return self.choose_wide(negative, other, quotient);
        }
        let other = self.subtract_wide(zero, rest);
        let rest = self.choose_wide(a_negative, other, rest);
        if op == Op::SRem {
            return rest;
        }
        let differ = self.b.logic(crate::ir::BoolOp::Xor, a_negative, b_negative);
        let none = self.same_wide(rest, zero);
        let some = self.b.not(none);
        let adds = self.b.and(differ, some);
        let sum = self.add_wide(rest, b);
        self.choose_wide(adds, sum, rest)
    }

    /// Quotient and rest, bit by bit. Of a division by 0 all bits of the quotient are set.
    fn divide_wide(&mut self, a: Wide, b: Wide) -> [Wide; 2] {
        let [header, continuing, merge] = [(); 3].map(|()| self.b.block());
        let (zero, one) = (self.b.word(0), self.b.word(1));
        let all = self.b.word(31);
        let entry = self.b.jump(header);
        for first in [zero, a[0], a[1], zero, zero] {
            self.b.add_argument(entry, first);
        }
        self.b.start(header);
        self.b.set_loop(header, Loop { merge, continuing });
        let [round, low, high, rest_low, rest_high] =
            [(); 5].map(|()| self.b.param(header, Type::Word));
        self.b.jump(continuing);
        self.b.start(continuing);
        // The next bit of the dividend comes into the rest, and that of the quotient takes its place.
        let next = self.b.alu(LaneOp::Shr, &[high, all]);
        let lost = self.b.alu(LaneOp::Shr, &[rest_high, all]);
        let rest = self.double([rest_low, rest_high]);
        let rest = [self.b.alu(LaneOp::Or, &[rest[0], next]), rest[1]];
        let lost = self.b.alu(LaneOp::INe, &[lost, zero]);
        let below = self.less_wide(LaneOp::ULt, rest, b);
        let reaches = self.b.not(below);
        let fits = self.b.or(lost, reaches);
        let smaller = self.subtract_wide(rest, b);
        let rest = self.choose_wide(fits, smaller, rest);
        let doubled = self.double([low, high]);
        let bit = self.as_word(fits);
        let left = [self.b.alu(LaneOp::Or, &[doubled[0], bit]), doubled[1]];
        let count = self.b.alu(LaneOp::IAdd, &[round, one]);
        let end = self.b.word(64);
        let more = self.b.alu(LaneOp::ULt, &[count, end]);
        let [back, out] = self.b.branch(more, header, merge, merge);
        for value in [count, left[0], left[1], rest[0], rest[1]] {
            self.b.add_argument(back, value);
        }
        self.b.start(merge);
        let results = [left[0], left[1], rest[0], rest[1]].map(|value| {
            let result = self.b.param(merge, Type::Word);
            self.b.add_argument(out, value);
            result
        });
        [[results[0], results[1]], [results[2], results[3]]]
    }

    fn double(&mut self, a: Wide) -> Wide {
        let (one, all) = (self.b.word(1), self.b.word(31));
        let low = self.b.alu(LaneOp::Shl, &[a[0], one]);
        let over = self.b.alu(LaneOp::Shr, &[a[0], all]);
        let high = self.b.alu(LaneOp::Shl, &[a[1], one]);
        [low, self.b.alu(LaneOp::Or, &[high, over])]
    }

    /// The nearest float. What is below the 32 bits that are converted shows in the lowest of them.
    fn float_of(&mut self, a: Wide, signed: bool) -> Value {
        let zero = self.b.word(0);
        let (mut size, negative) = match signed {
            true => self.magnitude(a),
            false => (a, self.b.bit(false)),
        };
        let mut scale = self.b.float(1.0);
        // As far to the left as it goes.
        for step in [32_u32, 16, 8, 4, 2, 1] {
            let bits = self.b.word(32 - step.min(31));
            let top = match step {
                32 => size[1],
                _ => self.b.alu(LaneOp::Shr, &[size[1], bits]),
            };
            let empty = self.b.alu(LaneOp::IEq, &[top, zero]);
            let count = self.b.word(step);
            let moved = self.shift_wide(Op::ShiftLeftLogical, size, count);
            size = self.choose_wide(empty, moved, size);
            let factor = self.b.float(1.0 / 2.0_f32.powi(step as i32));
            let smaller = self.b.alu(LaneOp::FMul, &[scale, factor]);
            scale = self.b.select(empty, smaller, scale);
        }
        let below = self.b.alu(LaneOp::INe, &[size[0], zero]);
        let below = self.as_word(below);
        let word = self.b.alu(LaneOp::Or, &[size[1], below]);
        let float = self.b.alu(LaneOp::U32ToF32, &[word]);
        let all = self.b.float(4_294_967_296.0);
        let float = self.b.alu(LaneOp::FMul, &[float, all]);
        let float = self.b.alu(LaneOp::FMul, &[float, scale]);
        let other = self.b.alu(LaneOp::FNeg, &[float]);
        self.b.select(negative, other, float)
    }

    /// The whole part of a float.
    fn wide_of_float(&mut self, a: Value, signed: bool) -> Wide {
        let zero = self.b.word(0);
        let size = match signed {
            true => self.b.alu(LaneOp::FAbs, &[a]),
            false => a,
        };
        let part = self.b.float(1.0 / 4_294_967_296.0);
        let above = self.b.alu(LaneOp::FMul, &[size, part]);
        let high = self.b.alu(LaneOp::F32ToU32, &[above]);
        let whole = self.b.alu(LaneOp::FFloor, &[above]);
        let all = self.b.float(4_294_967_296.0);
        let whole = self.b.alu(LaneOp::FMul, &[whole, all]);
        let rest = self.b.alu(LaneOp::FSub, &[size, whole]);
        let low = self.b.alu(LaneOp::F32ToU32, &[rest]);
        if !signed {
            return [low, high];
        }
        let negative = self.b.alu(LaneOp::FLt, &[a, zero]);
        let other = self.subtract_wide([zero; 2], [low, high]);
        self.choose_wide(negative, other, [low, high])
    }

    /// An extended instruction on integers of 64 bits.
    pub(super) fn glsl_wide(&mut self, inst: &Inst, op: G, ids: &[u32]) -> Result<Vec<Value>> {
        let signed = matches!(op, G::SAbs | G::SSign | G::SMin | G::SMax | G::SClamp);
        let less = if signed { LaneOp::ILt } else { LaneOp::ULt };
        let mut operands = Vec::with_capacity(ids.len());
        for &id in ids {
            operands.push(self.wides(inst, id, signed)?);
        }
        if operands.iter().any(|of| of.len() != operands[0].len()) {
            return self.error(inst, "its operands are of different sizes");
        }
        let smaller = |this: &mut Self, a: Wide, b: Wide| {
            let is = this.less_wide(less, b, a);
            this.choose_wide(is, b, a)
        };
        let larger = |this: &mut Self, a: Wide, b: Wide| {
            let is = this.less_wide(less, a, b);
            this.choose_wide(is, b, a)
        };
        let count = operands.first().map_or(0, Vec::len);
        let mut words = Vec::with_capacity(2 * count);
        for at in 0..count {
            let one: Vec<Wide> = operands.iter().map(|of| of[at]).collect();
            words.extend(match (op, &one[..]) {
                (G::SAbs, &[a]) => self.magnitude(a).0,
                (G::SSign, &[a]) => {
                    let (_, negative) = self.magnitude(a);
                    let (zero, one) = (self.b.word(0), self.b.word(1));
                    let none = self.same_wide(a, [zero; 2]);
                    let all = self.b.word(u32::MAX);
                    let sign = self.choose_wide(negative, [all; 2], [one, zero]);
                    self.choose_wide(none, [zero; 2], sign)
                }
                (G::SMin | G::UMin, &[a, b]) => smaller(self, a, b),
                (G::SMax | G::UMax, &[a, b]) => larger(self, a, b),
                (G::SClamp | G::UClamp, &[a, low, high]) => {
                    let above = larger(self, a, low);
                    smaller(self, above, high)
                }
                _ => {
                    let feature = format!("the function {op:?} of 64-bit integers");
                    return self.module.lacks(inst, feature);
                }
            });
        }
        Ok(words)
    }
}
