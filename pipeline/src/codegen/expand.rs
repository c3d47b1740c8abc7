//! SSA to SSA: what the legalisers of several chips share, and operations made of others that every chip has.
//!
//! Shift counts are below 32 wherever one is made here, so that `ShlOver` and its kin may be any shift.

use super::reciprocal::Reciprocal;
use crate::ir::{BoolOp, Function, Inst, LaneOp, Op, Origin, Type, Value, result_type};

use LaneOp::*;

/// Replaces instructions with one result by what `rule` makes.
pub fn expand(
    function: &mut Function,
    rule: impl Fn(&mut Expand<'_>, &Op, &[Value]) -> Option<Value>,
) {
    replace(function, |x, inst| match inst.results[..] {
        [_] => Some(vec![rule(x, &inst.op, &inst.args)?]),
        _ => None,
    });
}

/// Replaces the results of instructions by those that `rule` makes.
pub fn replace(
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
pub struct Expand<'a> {
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

    pub fn push(&mut self, op: Op, args: Vec<Value>, ty: Type) -> Value {
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

    pub fn float(&mut self, value: f32) -> Value {
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
    pub fn with(&mut self, op: LaneOp, a: Value, b: u32) -> Value {
        let b = self.word(b);
        self.op(op, &[a, b])
    }

    pub fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        self.push(Op::Select, vec![condition, yes, no], Type::Word)
    }

    pub fn not(&mut self, value: Value) -> Value {
        self.push(Op::BoolNot, vec![value], Type::Bool)
    }

    pub fn logic(&mut self, op: BoolOp, a: Value, b: Value) -> Value {
        self.push(Op::Bool(op), vec![a, b], Type::Bool)
    }

    /// A shift count modulo 32: the instructions take all bits of it.
    pub fn count(&mut self, b: Value) -> Value {
        self.with(And, b, 31)
    }

    /// Comparisons that are true of NaN, and comparisons of order.
    pub fn comparison(&mut self, op: LaneOp, a: Value, b: Value) -> Option<Value> {
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
                        self.logic(BoolOp::Or, x, y)
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

    pub fn opposite(&mut self, op: LaneOp, a: Value, b: Value) -> Value {
        let is = self.op(op, &[a, b]);
        self.not(is)
    }

    pub fn different(&mut self, a: Value, b: Value) -> Value {
        let [less, more] = [FLt, FGt].map(|op| self.op(op, &[a, b]));
        self.logic(BoolOp::Or, less, more)
    }

    /// This many ones, at bit 0.
    pub fn ones(&mut self, width: Value) -> Value {
        let one = self.word(1);
        let power = self.op(ShlOver, &[one, width]);
        self.op(ISub, &[power, one])
    }

    pub fn low_24(&mut self, value: Value, signed: bool) -> Value {
        if !signed {
            return self.with(And, value, 0xff_ffff);
        }
        let up = self.with(ShlOver, value, 8);
        self.with(SarOver, up, 8)
    }

    /// A field that reaches past bit 31 has its sign there.
    pub fn bfe_signed(&mut self, a: Value, b: Value, c: Value) -> Value {
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

    /// Quotient and remainder by a constant other than 0.
    pub fn divide_known(&mut self, a: Value, b: Value) -> Option<(Value, Value)> {
        let divisor = self.known(b).filter(|divisor| *divisor != 0)?;
        if divisor.is_power_of_two() {
            let quotient = self.with(ShrOver, a, divisor.trailing_zeros());
            return Some((quotient, self.with(And, a, divisor - 1)));
        }
        let quotient = self.divide_by(a, divisor);
        let product = self.op(IMul, &[quotient, b]);
        Some((quotient, self.op(ISub, &[a, product])))
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

    pub fn median(&mut self, min: LaneOp, max: LaneOp, args: &[Value]) -> Value {
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

    pub fn float_median(&mut self, args: &[Value]) -> Value {
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
                Some(sum) => self.logic(BoolOp::Or, sum, one),
            });
        }
        let Some(wrong) = wrong else { return median };
        let least = self.op(FMin, &[args[0], args[1]]);
        let least = self.op(FMin, &[least, args[2]]);
        self.select(wrong, least, median)
    }

    /// Three products with powers of two. Small steps come first, so that only the last can leave the normal numbers
    /// with something left.
    pub fn ldexp(&mut self, a: Value, b: Value) -> Value {
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
    pub fn frexp(&mut self, a: Value) -> (Value, Value) {
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
    pub fn class(&mut self, a: Value, set: Value) -> Option<Value> {
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
                Some(sum) => x.logic(BoolOp::Or, sum, one),
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
}
