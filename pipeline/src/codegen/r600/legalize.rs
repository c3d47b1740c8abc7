//! SSA to SSA: operations that the chip lacks become several that it has.
//!
//! Everything keeps its meaning to the bit, but for three operations. `FFma` rounds twice (there is no fused
//! instruction). Sine and cosine of turns go through radians, within 2^-20 of the exact value. A coarse derivative is
//! the fine one. [`inexact`] is the list.

use std::f32::consts::PI;

use crate::ir::{Detail, Function, Inst, LaneOp, Op, Origin, Type, Value, result_type};

use super::elements;
use crate::codegen::reciprocal::Reciprocal;
use LaneOp::*;

/// Replaces what the chip computes less exactly than the SSA says by what it does compute.
pub fn inexact(function: &mut Function) {
    expand(function, |x, op, args| match op {
        Op::Alu(FFma) => Some(x.op(FMad, args)),
        Op::Alu(FSinTurns) => Some(x.turns(FSin, args[0])),
        Op::Alu(FCosTurns) => Some(x.turns(FCos, args[0])),
        _ => None,
    });
    for block in &mut function.blocks {
        for inst in &mut block.insts {
            if let Op::Derivative { detail, .. } = &mut inst.op {
                *detail = Detail::Fine;
            }
        }
    }
}

/// Leaves only operations that have an instruction, or that selection makes into one or two.
pub(super) fn run(function: &mut Function) {
    elements::run(function);
    inexact(function);
    expand(function, |x, op, args| match op {
        Op::Alu(op) => x.alu(*op, args),
        _ => None,
    });
    crate::passes::share(function);
}

/// Replaces instructions with one result by what `rule` makes.
fn expand(function: &mut Function, rule: impl Fn(&mut Expand<'_>, &Op, &[Value]) -> Option<Value>) {
    replace(function, |x, inst| match inst.results[..] {
        [_] => Some(vec![rule(x, &inst.op, &inst.args)?]),
        _ => None,
    });
}

/// Replaces the results of instructions by those that `rule` makes.
pub(super) fn replace(
    function: &mut Function,
    rule: impl Fn(&mut Expand<'_>, &Inst) -> Option<Vec<Value>>,
) {
    let mut map: Vec<Option<Value>> = vec![None; function.types.len()];
    let mut known: Vec<Option<u32>> = vec![None; function.types.len()];
    for block in &function.blocks {
        for inst in &block.insts {
            if let Op::Const(word) = inst.op {
                known[inst.results[0].0 as usize] = Some(word);
            }
        }
    }
    for number in 0..function.blocks.len() {
        let insts = std::mem::take(&mut function.blocks[number].insts);
        let mut x = Expand {
            types: &mut function.types,
            known: &mut known,
            out: Vec::with_capacity(insts.len()),
            origin: Origin::default(),
        };
        for inst in insts {
            x.origin = inst.origin;
            let Some(made) = rule(&mut x, &inst) else {
                x.out.push(inst);
                continue;
            };
            for (old, new) in inst.results.iter().zip(made) {
                map[old.0 as usize] = Some(new);
            }
        }
        function.blocks[number].insts = x.out;
    }
    map.resize(function.types.len(), None);
    function.rename(&map);
}

/// Writes the code of one block.
pub(super) struct Expand<'a> {
    pub types: &'a mut Vec<Type>,
    /// Constants among the values.
    pub known: &'a mut Vec<Option<u32>>,
    pub out: Vec<Inst>,
    /// Where the instruction being replaced comes from.
    pub origin: Origin,
}

impl Expand<'_> {
    /// A new value.
    pub fn value(&mut self, ty: Type) -> Value {
        self.types.push(ty);
        self.known.push(None);
        Value(self.types.len() as u32 - 1)
    }

    fn push(&mut self, op: Op, args: Vec<Value>, ty: Type) -> Value {
        let value = self.value(ty);
        self.out.push(Inst {
            op,
            args,
            results: vec![value],
            origin: self.origin,
        });
        value
    }

    pub fn word(&mut self, word: u32) -> Value {
        let value = self.push(Op::Const(word), Vec::new(), Type::Word);
        self.known[value.0 as usize] = Some(word);
        value
    }

    fn float(&mut self, value: f32) -> Value {
        self.word(value.to_bits())
    }

    pub fn known(&self, value: Value) -> Option<u32> {
        self.known[value.0 as usize]
    }

    pub fn op(&mut self, op: LaneOp, args: &[Value]) -> Value {
        let mut bits = [0; 3];
        let all = bits.iter_mut().zip(args).all(|(bit, arg)| {
            let known = self.known[arg.0 as usize];
            *bit = known.unwrap_or(0);
            known.is_some()
        });
        let ty = result_type(op);
        if all && ty == Type::Word {
            return self.word(op.eval(bits));
        }
        self.push(Op::Alu(op), args.to_vec(), ty)
    }

    /// With a constant second operand.
    fn with(&mut self, op: LaneOp, a: Value, b: u32) -> Value {
        let b = self.word(b);
        self.op(op, &[a, b])
    }

    pub fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        self.push(Op::Select, vec![condition, yes, no], Type::Word)
    }

    fn not(&mut self, value: Value) -> Value {
        self.push(Op::BoolNot, vec![value], Type::Bool)
    }

    fn logic(&mut self, op: crate::ir::BoolOp, a: Value, b: Value) -> Value {
        self.push(Op::Bool(op), vec![a, b], Type::Bool)
    }

    /// A shift count modulo 32: the instructions take all bits of it.
    fn count(&mut self, b: Value) -> Value {
        self.with(And, b, 31)
    }

    /// Sine or cosine of turns by an instruction that takes -pi..pi.
    fn turns(&mut self, op: LaneOp, turns: Value) -> Value {
        let half = self.float(0.5);
        let moved = self.op(FAdd, &[turns, half]);
        let part = self.op(FFract, &[moved]);
        let (full, half) = (self.float(2.0 * PI), self.float(-PI));
        let radians = self.op(FMad, &[part, full, half]);
        self.op(op, &[radians])
    }

    /// What an operation is made of, where the chip lacks it.
    fn alu(&mut self, op: LaneOp, args: &[Value]) -> Option<Value> {
        let at = |i: usize| args.get(i).copied().unwrap_or(args[0]);
        let abc = [0, 1, 2].map(at);
        self.bits(op, abc)
            .or_else(|| self.arithmetic(op, abc))
            .or_else(|| self.conversion(op, abc[0]))
            .or_else(|| self.comparison(op, abc[0], abc[1]))
    }

    /// Shifts, fields, counts of bits.
    fn bits(&mut self, op: LaneOp, [a, b, c]: [Value; 3]) -> Option<Value> {
        Some(match op {
            Shl | Shr | Sar => {
                let over = match op {
                    Shl => ShlOver,
                    Shr => ShrOver,
                    _ => SarOver,
                };
                let count = self.count(b);
                self.op(over, &[a, count])
            }
            AndNot => {
                let not = self.op(Not, &[b]);
                self.op(And, &[a, not])
            }
            OrNot => {
                let not = self.op(Not, &[b]);
                self.op(Or, &[a, not])
            }
            Bfi => {
                let differ = self.op(Xor, &[b, c]);
                let taken = self.op(And, &[differ, a]);
                self.op(Xor, &[taken, c])
            }
            Bfm => {
                let (width, at) = (self.count(a), self.count(b));
                let ones = self.ones(width);
                self.op(ShlOver, &[ones, at])
            }
            BfeU => {
                let (at, width) = (self.count(b), self.count(c));
                let moved = self.op(ShrOver, &[a, at]);
                let ones = self.ones(width);
                self.op(And, &[moved, ones])
            }
            BfeI => self.bfe_signed(a, b, c),
            BitCount => {
                let count = self.bit_count(a);
                self.op(IAdd, &[count, b])
            }
            BitReverse => self.bit_reverse(a),
            FirstHighU => self.first_high(a),
            FirstHighI => {
                let sign = self.with(SarOver, a, 31);
                let magnitude = self.op(Xor, &[a, sign]);
                self.first_high(magnitude)
            }
            FirstLow => {
                let zero = self.word(0);
                let negative = self.op(ISub, &[zero, a]);
                let lowest = self.op(And, &[a, negative]);
                let float = self.op(U32ToF32, &[lowest]);
                let exponent = self.with(ShrOver, float, 23);
                let found = self.with(ISub, exponent, 127);
                let none = self.op(IEq, &[a, zero]);
                let ones = self.word(u32::MAX);
                self.select(none, ones, found)
            }
            _ => return None,
        })
    }

    /// Integer and float arithmetic.
    fn arithmetic(&mut self, op: LaneOp, args: [Value; 3]) -> Option<Value> {
        let [a, b, c] = args;
        Some(match op {
            IMad => {
                let product = self.op(IMul, &[a, b]);
                self.op(IAdd, &[product, c])
            }
            UMul24 | IMul24 => {
                let [a, b] = [a, b].map(|v| self.low_24(v, op == IMul24));
                self.op(IMul, &[a, b])
            }
            UDiv => self.divide(a, b).0,
            URem => self.divide(a, b).1,
            IAbs => {
                let zero = self.word(0);
                let negative = self.op(ISub, &[zero, a]);
                self.op(IMax, &[a, negative])
            }
            IMin3 | IMax3 | UMin3 | UMax3 | FMin3 | FMax3 => {
                let two = match op {
                    IMin3 => IMin,
                    IMax3 => IMax,
                    UMin3 => UMin,
                    UMax3 => UMax,
                    FMin3 => FMin,
                    _ => FMax,
                };
                let first = self.op(two, &[a, b]);
                self.op(two, &[first, c])
            }
            IMed3 => self.median(IMin, IMax, &args),
            UMed3 => self.median(UMin, UMax, &args),
            FMed3 => self.float_median(&args),
            FSub => {
                let negative = self.op(FNeg, &[b]);
                self.op(FAdd, &[a, negative])
            }
            FFract => {
                // The instruction can give 1.0 just below an integer; the minimum leaves its second operand if that is NaN.
                let part = self.op(FFractOne, &[a]);
                let below = self.float(0.999_999_94);
                self.op(FMinLegacy, &[below, part])
            }
            FLdexp => self.ldexp(a, b),
            FFrexpExp => self.frexp(a).0,
            FFrexpMant => self.frexp(a).1,
            FClass => return self.class(a, b),
            _ => return None,
        })
    }

    /// Between integers, floats and halves.
    fn conversion(&mut self, op: LaneOp, a: Value) -> Option<Value> {
        Some(match op {
            F32ToI32 => self.signed_integer(a),
            F32ToI32Round => {
                let half = self.float(0.5);
                let sum = self.op(FAdd, &[a, half]);
                let floor = self.op(FFloor, &[sum]);
                self.signed_integer(floor)
            }
            F32ToI32Floor => {
                let floor = self.op(FFloor, &[a]);
                self.signed_integer(floor)
            }
            F32ToU32 => {
                let zero = self.float(0.0);
                let positive = self.op(FMax, &[a, zero]);
                let bits = self.op(F32ToI32Wrap, &[positive]);
                let limit = self.float(4_294_967_296.0);
                let above = self.op(FGe, &[a, limit]);
                let most = self.word(u32::MAX);
                self.select(above, most, bits)
            }
            F32ToF16 => self.half(a),
            F16ToF32 => self.float_of_half(a),
            Byte0ToF32 | Byte1ToF32 | Byte2ToF32 | Byte3ToF32 => {
                let shift = 8 * (op as u32 - Byte0ToF32 as u32);
                let moved = self.with(ShrOver, a, shift);
                let byte = self.with(And, moved, 255);
                self.op(U32ToF32, &[byte])
            }
            _ => return None,
        })
    }

    /// Comparisons that are true of NaN, and comparisons of order.
    fn comparison(&mut self, op: LaneOp, a: Value, b: Value) -> Option<Value> {
        Some(match op {
            FNge => self.opposite(FGe, a, b),
            FNgt => self.opposite(FGt, a, b),
            FNle => self.opposite(FLe, a, b),
            FNlt => self.opposite(FLt, a, b),
            FNlg => {
                let different = self.different(a, b);
                self.not(different)
            }
            FLg => self.different(a, b),
            FOrdered | FUnordered => {
                let wrong = match a == b {
                    true => self.op(FNe, &[a, a]),
                    false => {
                        let [x, y] = [a, b].map(|v| self.op(FNe, &[v, v]));
                        self.logic(crate::ir::BoolOp::Or, x, y)
                    }
                };
                match op {
                    FUnordered => wrong,
                    _ => self.not(wrong),
                }
            }
            _ => return None,
        })
    }

    fn opposite(&mut self, op: LaneOp, a: Value, b: Value) -> Value {
        let is = self.op(op, &[a, b]);
        self.not(is)
    }

    fn different(&mut self, a: Value, b: Value) -> Value {
        let [less, more] = [FLt, FGt].map(|op| self.op(op, &[a, b]));
        self.logic(crate::ir::BoolOp::Or, less, more)
    }

    /// This many ones, at bit 0.
    fn ones(&mut self, width: Value) -> Value {
        let one = self.word(1);
        let power = self.op(ShlOver, &[one, width]);
        self.op(ISub, &[power, one])
    }

    fn low_24(&mut self, value: Value, signed: bool) -> Value {
        if !signed {
            return self.with(And, value, 0xff_ffff);
        }
        let up = self.with(ShlOver, value, 8);
        self.with(SarOver, up, 8)
    }

    /// A field that reaches past bit 31 has its sign there.
    fn bfe_signed(&mut self, a: Value, b: Value, c: Value) -> Value {
        let (at, width) = (self.count(b), self.count(c));
        let limit = self.word(32);
        let end = self.op(IAdd, &[at, width]);
        let end = self.op(UMin, &[end, limit]);
        let left = self.op(ISub, &[limit, end]);
        let up = self.op(ShlOver, &[a, left]);
        let down = self.op(IAdd, &[left, at]);
        let field = self.op(SarOver, &[up, down]);
        match self.known(width) {
            Some(0) => self.word(0),
            Some(_) => field,
            None => {
                let zero = self.word(0);
                let none = self.op(IEq, &[width, zero]);
                self.select(none, zero, field)
            }
        }
    }

    fn bit_count(&mut self, a: Value) -> Value {
        let half = self.with(ShrOver, a, 1);
        let odd = self.with(And, half, 0x5555_5555);
        let pairs = self.op(ISub, &[a, odd]);
        let low = self.with(And, pairs, 0x3333_3333);
        let high = self.with(ShrOver, pairs, 2);
        let high = self.with(And, high, 0x3333_3333);
        let fours = self.op(IAdd, &[low, high]);
        let above = self.with(ShrOver, fours, 4);
        let sum = self.op(IAdd, &[fours, above]);
        let bytes = self.with(And, sum, 0x0f0f_0f0f);
        let total = self.with(IMul, bytes, 0x0101_0101);
        self.with(ShrOver, total, 24)
    }

    fn bit_reverse(&mut self, a: Value) -> Value {
        let mut bits = a;
        for (shift, mask) in [
            (1, 0x5555_5555),
            (2, 0x3333_3333),
            (4, 0x0f0f_0f0f),
            (8, 0x00ff_00ff),
        ] {
            let down = self.with(ShrOver, bits, shift);
            let down = self.with(And, down, mask);
            let up = self.with(And, bits, mask);
            let up = self.with(ShlOver, up, shift);
            bits = self.op(Or, &[down, up]);
        }
        let down = self.with(ShrOver, bits, 16);
        let up = self.with(ShlOver, bits, 16);
        self.op(Or, &[down, up])
    }

    /// Zeros above the highest one, all ones for 0: from the exponent of the float. Without the ones that follow
    /// another the conversion cannot round up to the next power of two.
    fn first_high(&mut self, a: Value) -> Value {
        let half = self.with(ShrOver, a, 1);
        let others = self.op(Not, &[half]);
        let leading = self.op(And, &[a, others]);
        let float = self.op(U32ToF32, &[leading]);
        let exponent = self.with(ShrOver, float, 23);
        let top = self.word(158);
        let found = self.op(ISub, &[top, exponent]);
        let zero = self.word(0);
        let none = self.op(IEq, &[a, zero]);
        let ones = self.word(u32::MAX);
        self.select(none, ones, found)
    }

    /// Quotient and remainder.
    fn divide(&mut self, a: Value, b: Value) -> (Value, Value) {
        match self.known(b) {
            Some(b) if b.is_power_of_two() => {
                let quotient = self.with(ShrOver, a, b.trailing_zeros());
                (quotient, self.with(And, a, b - 1))
            }
            Some(divisor) if divisor != 0 => {
                let quotient = self.divide_by(a, divisor);
                let product = self.op(IMul, &[quotient, b]);
                (quotient, self.op(ISub, &[a, product]))
            }
            _ => self.divide_any(a, b),
        }
    }

    fn divide_by(&mut self, a: Value, divisor: u32) -> Value {
        let how = Reciprocal::new(divisor);
        let a = match how.before {
            0 => a,
            before => self.with(ShrOver, a, before),
        };
        let mut quotient = self.with(UMulHigh, a, how.factor);
        if how.wide {
            let rest = self.op(ISub, &[a, quotient]);
            let half = self.with(ShrOver, rest, 1);
            quotient = self.op(IAdd, &[half, quotient]);
        }
        match how.after {
            0 => quotient,
            after => self.with(ShrOver, quotient, after),
        }
    }

    /// The reciprocal is rounded down, so the quotient is right or one too small.
    fn divide_any(&mut self, a: Value, b: Value) -> (Value, Value) {
        let reciprocal = self.op(URcp, &[b]);
        let estimate = self.op(UMulHigh, &[a, reciprocal]);
        let product = self.op(IMul, &[estimate, b]);
        let rest = self.op(ISub, &[a, product]);
        let one = self.word(1);
        let small = self.op(UGe, &[rest, b]);
        let next = self.op(IAdd, &[estimate, one]);
        let less = self.op(ISub, &[rest, b]);
        let quotient = self.select(small, next, estimate);
        let rest = self.select(small, less, rest);
        let zero = self.word(0);
        let none = self.op(IEq, &[b, zero]);
        let ones = self.word(u32::MAX);
        (
            self.select(none, ones, quotient),
            self.select(none, a, rest),
        )
    }

    fn median(&mut self, min: LaneOp, max: LaneOp, args: &[Value]) -> Value {
        let [a, b, c] = [args[0], args[1], args[2]];
        if let (Some(low), Some(high)) = (self.known(b), self.known(c))
            && min.eval([low, high, 0]) == low
        {
            let least = self.op(max, &[a, b]);
            return self.op(min, &[least, c]);
        }
        let low = self.op(min, &[a, b]);
        let high = self.op(max, &[a, b]);
        let rest = self.op(min, &[high, c]);
        self.op(max, &[low, rest])
    }

    fn float_median(&mut self, args: &[Value]) -> Value {
        let median = self.median(FMin, FMax, args);
        let number = |v: &Value| self.known(*v).is_some_and(|k| !f32::from_bits(k).is_nan());
        let [b, c] = [number(&args[1]), number(&args[2])];
        if b && c {
            // Bounds in order: the minimum ignores NaN as it should.
            let known = |v: Value| self.known(v).unwrap_or(0);
            let ordered = FMin.eval([known(args[1]), known(args[2]), 0]) == known(args[1]);
            if ordered {
                return median;
            }
        }
        let mut wrong = None;
        for &arg in args {
            if self.known(arg).is_some_and(|k| !f32::from_bits(k).is_nan()) {
                continue;
            }
            let one = self.op(FNe, &[arg, arg]);
            wrong = Some(match wrong {
                None => one,
                Some(sum) => self.logic(crate::ir::BoolOp::Or, sum, one),
            });
        }
        let Some(wrong) = wrong else { return median };
        let least = self.op(FMin, &[args[0], args[1]]);
        let least = self.op(FMin, &[least, args[2]]);
        self.select(wrong, least, median)
    }

    /// Three products with powers of two. Small steps come first, so that only the last can leave the normal numbers
    /// with something left.
    fn ldexp(&mut self, a: Value, b: Value) -> Value {
        let mut rest = b;
        let mut powers = Vec::new();
        for _ in 0..3 {
            let low = self.with(IMax, rest, -126i32 as u32);
            let step = self.with(IMin, low, 127);
            rest = self.op(ISub, &[rest, step]);
            let biased = self.with(IAdd, step, 127);
            powers.push(self.with(ShlOver, biased, 23));
        }
        let mut product = a;
        for power in powers.into_iter().rev() {
            product = self.op(FMul, &[product, power]);
        }
        product
    }

    /// Exponent and mantissa.
    fn frexp(&mut self, a: Value) -> (Value, Value) {
        let zero = self.word(0);
        let magnitude = self.with(And, a, 0x7fff_ffff);
        let denormal = self.with(ILt, magnitude, 0x0080_0000);
        let scale = self.float(4_294_967_296.0);
        let large = self.op(FMul, &[a, scale]);
        let scaled = self.select(denormal, large, a);
        let field = self.with(ShrOver, scaled, 23);
        let field = self.with(And, field, 255);
        let (normal_bias, denormal_bias) = (self.word(126), self.word(158));
        let bias = self.select(denormal, denormal_bias, normal_bias);
        let exponent = self.op(ISub, &[field, bias]);
        let bits = self.with(And, scaled, 0x807f_ffff);
        let mantissa = self.with(Or, bits, 0x3f00_0000);
        // Zero, infinity and NaN: one below the magnitude is not below that of infinity less one.
        let before = self.with(ISub, magnitude, 1);
        let special = self.with(UGe, before, 0x7f7f_ffff);
        let exponent = self.select(special, zero, exponent);
        let mantissa = self.select(special, a, mantissa);
        (exponent, mantissa)
    }

    /// Membership in a constant set of classes.
    fn class(&mut self, a: Value, set: Value) -> Option<Value> {
        let set = self.known(set)?;
        let magnitude = self.with(And, a, 0x7fff_ffff);
        let mut found: Option<Value> = None;
        // (negative class, positive class, lowest and highest magnitude)
        let classes = [
            (2, 9, 0x7f80_0000, 0x7f80_0000),
            (3, 8, 0x0080_0000, 0x7f7f_ffff),
            (4, 7, 1, 0x007f_ffff),
            (5, 6, 0, 0),
        ];
        let mut add = |x: &mut Self, one: Value| {
            found = Some(match found {
                None => one,
                Some(sum) => x.logic(crate::ir::BoolOp::Or, sum, one),
            });
        };
        let within = |x: &mut Self, of: Value, low: u32, high: u32| {
            if low == high {
                return x.with(IEq, of, low);
            }
            let from = x.with(ISub, of, low);
            x.with(ULe, from, high - low)
        };
        for (negative, positive, low, high) in classes {
            match (set >> negative & 1, set >> positive & 1) {
                (0, 0) => {}
                (1, 1) => {
                    let one = within(self, magnitude, low, high);
                    add(self, one);
                }
                (0, _) => {
                    let one = within(self, a, low, high);
                    add(self, one);
                }
                _ => {
                    let one = within(self, a, low | 1 << 31, high | 1 << 31);
                    add(self, one);
                }
            }
        }
        let quiet = [(1, 0x7f80_0001, 0x7fbf_ffff), (2, 0x7fc0_0000, 0x7fff_ffff)];
        for (bit, low, high) in quiet {
            if set & bit != 0 {
                let one = within(self, magnitude, low, high);
                add(self, one);
            }
        }
        Some(match found {
            Some(found) => found,
            None => self.push(Op::ConstBool(false), Vec::new(), Type::Bool),
        })
    }

    fn signed_integer(&mut self, a: Value) -> Value {
        let bits = self.op(F32ToI32Wrap, &[a]);
        let limit = self.float(2_147_483_648.0);
        let above = self.op(FGe, &[a, limit]);
        let most = self.word(i32::MAX as u32);
        let bits = self.select(above, most, bits);
        let limit = self.float(-2_147_483_648.0);
        let below = self.op(FLt, &[a, limit]);
        let least = self.word(i32::MIN as u32);
        self.select(below, least, bits)
    }

    fn half(&mut self, a: Value) -> Value {
        let magnitude = self.with(And, a, 0x7fff_ffff);
        let down = self.with(ShrOver, magnitude, 13);
        let odd = self.with(And, down, 1);
        let moved = self.with(IAdd, magnitude, 0x0fffu32.wrapping_sub(0x3800_0000));
        let rounded = self.op(IAdd, &[moved, odd]);
        let normal = self.with(ShrOver, rounded, 13);
        // Adding 0.5 puts the rounded mantissa of a denormal into the low bits.
        let half = self.float(0.5);
        let sum = self.op(FAdd, &[magnitude, half]);
        let denormal = self.with(ISub, sum, 0x3f00_0000);
        let small = self.with(ILt, magnitude, 0x3880_0000);
        let bits = self.select(small, denormal, normal);
        let large = self.with(IGe, magnitude, 0x4780_0000);
        let infinity = self.word(0x7c00);
        let bits = self.select(large, infinity, bits);
        let wrong = self.with(IGt, magnitude, 0x7f80_0000);
        let nan = self.word(0x7e00);
        let bits = self.select(wrong, nan, bits);
        let sign = self.with(ShrOver, a, 16);
        let sign = self.with(And, sign, 0x8000);
        self.op(Or, &[sign, bits])
    }

    fn float_of_half(&mut self, a: Value) -> Value {
        let magnitude = self.with(And, a, 0x7fff);
        let up = self.with(ShlOver, magnitude, 13);
        // The exponent is 112 less; scaling afterwards makes denormals come out right.
        let scale = self.float(5.192_297e33);
        let scaled = self.op(FMul, &[up, scale]);
        let special = self.with(IGe, magnitude, 0x7c00);
        let infinity = self.word(0x7f80_0000);
        let bits = self.select(special, infinity, scaled);
        let sign = self.with(And, a, 0x8000);
        let sign = self.with(ShlOver, sign, 16);
        let bits = self.op(Or, &[bits, sign]);
        let wrong = self.with(IGt, magnitude, 0x7c00);
        let nan = self.word(0x7fc0_0000);
        self.select(wrong, nan, bits)
    }
}
