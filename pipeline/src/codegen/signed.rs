//! Signed quotients and remainders of constants, for chips that have the upper half of a signed product.

use std::collections::HashMap;

use super::definitions::Definitions;
use crate::ir::{Function, Inst, LaneOp, Op, Type, Value};
use crate::passes::bounds::{self, Values};

/// What a chip converts with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Conversion {
    /// Saturating conversions.
    Saturating,
    /// [`LaneOp::F32ToI32Wrap`], around which saturating ones are built.
    Wrapping,
}

/// Finds quotients and remainders by constants as the lowering writes them, from magnitudes, and computes them from products;
/// converts floats that fit into an integer as the chip does it best.
pub(super) fn run(function: &mut Function, conversion: Conversion) {
    let known = Definitions::new(function);
    let mut found: HashMap<Value, Found> = HashMap::new();
    for inst in function.insts() {
        let (Op::Alu(op), [result]) = (&inst.op, &inst.results[..]) else {
            continue;
        };
        let made = match op {
            LaneOp::ISub => quotient(&known, &inst.args),
            LaneOp::F32ToI32 | LaneOp::F32ToU32 if conversion == Conversion::Wrapping => {
                let most = bounds::most_float(&known, inst.args[0]);
                let fits = most.is_some_and(|most| most < 2_147_483_648.0);
                fits.then_some(Found::Fits(inst.args[0]))
            }
            _ => None,
        };
        if let Some(made) = made {
            found.insert(*result, made);
        }
    }
    if found.is_empty() {
        return;
    }
    for number in 0..function.blocks.len() {
        let insts = std::mem::take(&mut function.blocks[number].insts);
        let mut to = Writer {
            kept: Vec::with_capacity(insts.len()),
            function,
        };
        for inst in insts {
            match inst.results.first().and_then(|result| found.get(result)) {
                Some(found) => to.write(*found, &inst),
                None => to.kept.push(inst),
            }
        }
        let kept = to.kept;
        function.blocks[number].insts = kept;
    }
    crate::passes::share(function);
}

/// What an instruction's result is.
#[derive(Clone, Copy)]
enum Found {
    /// `a / b`, toward zero.
    Quotient(Value, i32),
    /// `a % b`, with the sign of `a`.
    Remainder(Value, i32),
    /// A float of at least 0 below 2^31 as an integer.
    Fits(Value),
}

impl Values for Definitions<'_> {
    fn word(&self, value: Value) -> Option<u32> {
        match self.inst(value)?.op {
            Op::Const(word) => Some(word),
            _ => None,
        }
    }

    fn made(&self, value: Value) -> Option<(&Op, &[Value])> {
        let inst = self.inst(value)?;
        Some((&inst.op, &inst.args))
    }

    fn workgroup(&self) -> [u32; 3] {
        self.function().interface.workgroup.size
    }
}

/// What an operation takes, if it makes the value.
fn taken<'a>(known: &Definitions<'a>, value: Value, op: LaneOp) -> Option<&'a [Value]> {
    let (found, args) = known.alu(value)?;
    (found == op).then_some(args)
}

/// `(q ^ m) - m`, where `q` comes from magnitudes and `m` is all ones where the result is negative.
fn quotient(known: &Definitions<'_>, args: &[Value]) -> Option<Found> {
    let &[flipped, mask] = args else { return None };
    let other = other_of(taken(known, flipped, LaneOp::Xor)?, mask)?;
    let sign = taken(known, mask, LaneOp::Sar)?;
    if known.constant(sign[1])? & 31 != 31 {
        return None;
    }
    let parts = |op| {
        let args = taken(known, other, op)?;
        let dividend = taken(known, args[0], LaneOp::IAbs)?[0];
        let divisor = known.constant(args[1]).filter(|b| *b != 0)?;
        Some((dividend, i32::try_from(divisor).ok()?))
    };
    if let Some((a, b)) = parts(LaneOp::URem) {
        return (sign[0] == a).then_some(Found::Remainder(a, b));
    }
    let (a, b) = parts(LaneOp::UDiv)?;
    let by = match sign[0] == a {
        true => b,
        false => known.constant(other_of(taken(known, sign[0], LaneOp::Xor)?, a)?)? as i32,
    };
    match by {
        by if by == b => Some(Found::Quotient(a, b)),
        // The sign of the divisor, which has this magnitude.
        by if by < 0 => Some(Found::Quotient(a, -b)),
        _ => None,
    }
}

/// The operand of two that is not `value`.
fn other_of(args: &[Value], value: Value) -> Option<Value> {
    match *args {
        [a, b] if b == value => Some(a),
        [a, b] if a == value => Some(b),
        _ => None,
    }
}

struct Writer<'a> {
    kept: Vec<Inst>,
    function: &'a mut Function,
}

impl Writer<'_> {
    fn write(&mut self, found: Found, inst: &Inst) {
        match found {
            Found::Fits(a) => self.last(inst, LaneOp::F32ToI32Wrap, [a]),
            Found::Quotient(a, by) => {
                let (op, args) = self.quotient(inst, a, by);
                self.last(inst, op, args);
            }
            Found::Remainder(a, by) => {
                let (op, args) = self.quotient(inst, a, by);
                let quotient = self.op(inst, op, args);
                let by = self.word(inst, by as u32);
                let product = self.op(inst, LaneOp::IMul, [quotient, by]);
                self.last(inst, LaneOp::ISub, [a, product]);
            }
        }
    }

    /// The last operation of `a / by`, and what it takes.
    ///
    /// The upper half of the product with 2^(32 + shift) / by, rounded away from zero, is the quotient rounded down;
    /// one more where that is negative. [Granlund, Montgomery: Division by invariant integers using multiplication, 1994]
    fn quotient(&mut self, inst: &Inst, a: Value, by: i32) -> (LaneOp, [Value; 2]) {
        let magnitude = by.unsigned_abs();
        let thirty_one = self.word(inst, 31);
        if magnitude == 1 {
            let zero = self.word(inst, 0);
            return match by {
                1 => (LaneOp::IAdd, [a, zero]),
                _ => (LaneOp::ISub, [zero, a]),
            };
        }
        if magnitude.is_power_of_two() {
            let shift = magnitude.trailing_zeros();
            let sign = self.op(inst, LaneOp::Sar, [a, thirty_one]);
            let (left, right) = (self.word(inst, 32 - shift), self.word(inst, shift));
            let bias = self.op(inst, LaneOp::Shr, [sign, left]);
            let sum = self.op(inst, LaneOp::IAdd, [a, bias]);
            if by > 0 {
                return (LaneOp::Sar, [sum, right]);
            }
            let quotient = self.op(inst, LaneOp::Sar, [sum, right]);
            let zero = self.word(inst, 0);
            return (LaneOp::ISub, [zero, quotient]);
        }
        let (factor, shift) = factor(by);
        let constant = self.word(inst, factor as u32);
        let mut high = self.op(inst, LaneOp::IMulHigh, [a, constant]);
        // The factor stands for 2^32 more, or less.
        if by > 0 && factor < 0 {
            high = self.op(inst, LaneOp::IAdd, [high, a]);
        } else if by < 0 && factor > 0 {
            high = self.op(inst, LaneOp::ISub, [high, a]);
        }
        if shift > 0 {
            let shift = self.word(inst, shift);
            high = self.op(inst, LaneOp::Sar, [high, shift]);
        }
        let negative = self.op(inst, LaneOp::Shr, [high, thirty_one]);
        (LaneOp::IAdd, [high, negative])
    }

    fn word(&mut self, inst: &Inst, word: u32) -> Value {
        self.push(inst, Op::Const(word), Vec::new())
    }

    fn op<const N: usize>(&mut self, inst: &Inst, op: LaneOp, args: [Value; N]) -> Value {
        self.push(inst, Op::Alu(op), args.to_vec())
    }

    fn push(&mut self, inst: &Inst, op: Op, args: Vec<Value>) -> Value {
        let value = self.function.value(Type::Word);
        let results = vec![value];
        self.kept.push(Inst {
            op,
            args,
            results,
            ..inst.clone()
        });
        value
    }

    /// The operation whose result is that of the instruction.
    fn last<const N: usize>(&mut self, inst: &Inst, op: LaneOp, args: [Value; N]) {
        self.kept.push(Inst {
            op: Op::Alu(op),
            args: args.to_vec(),
            ..inst.clone()
        });
    }
}

/// Factor and shift for a divisor that is no power of two: the least shift for which the factor is exact enough.
fn factor(by: i32) -> (i32, u32) {
    let d = i64::from(by.unsigned_abs());
    // The largest dividend, in magnitude, that leaves `d - 1`.
    let limit = (1i64 << 31) + i64::from(by < 0);
    let largest = limit - 1 - limit % d;
    let shift = (32..64).find(|&p| {
        let power = 1i128 << p;
        let rest = i128::from(d) - power % i128::from(d);
        power > i128::from(largest) * rest
    });
    let p = shift.unwrap_or(63);
    let magnitude = (1i128 << p) / i128::from(d) + 1;
    let factor = if by < 0 { -magnitude } else { magnitude };
    (factor as i32, p - 32)
}

#[cfg(test)]
mod tests {
    use super::factor;

    /// The quotient as the instructions find it.
    fn divide(a: i32, by: i32) -> i32 {
        let (factor, shift) = factor(by);
        let mut high = ((i64::from(a) * i64::from(factor)) >> 32) as i32;
        if by > 0 && factor < 0 {
            high = high.wrapping_add(a);
        } else if by < 0 && factor > 0 {
            high = high.wrapping_sub(a);
        }
        high >>= shift;
        high.wrapping_add((high as u32 >> 31) as i32)
    }

    #[test]
    fn constants_divide_like_division() {
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state as i32
        };
        let mut divisors: Vec<i32> = (-2000..2000).collect();
        divisors.extend((0..2000).map(|n| next() >> (n % 31)));
        divisors.extend([i32::MAX, i32::MAX - 1, -i32::MAX, i32::MIN + 2, 0x5555_5555]);
        for by in divisors {
            if by.unsigned_abs().is_power_of_two() || by == 0 {
                continue;
            }
            let whole = i32::MAX / by * by;
            let mut numbers = vec![0, 1, -1, i32::MAX, i32::MIN, i32::MIN + 1];
            numbers.extend([by, -by, whole, whole - 1, -whole, 1 - whole]);
            numbers.extend((0..40).map(|_| next()));
            for a in numbers {
                assert_eq!(divide(a, by), a.wrapping_div(by), "{a} / {by}");
            }
        }
    }
}
