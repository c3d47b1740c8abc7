//! SSA to SSA: operations that the chip lacks become several that it has.
//!
//! Everything keeps its meaning to the bit, but for three operations. `FFma` rounds twice (there is no fused
//! instruction). Sine and cosine of turns go through radians, within 2^-20 of the exact value. A coarse derivative is
//! the fine one. [`inexact`] is the list.

use std::f32::consts::PI;

use crate::codegen::elements;
use crate::codegen::expand::{Expand, expand};
use crate::codegen::signed;
use crate::ir::{Detail, Function, LaneOp, Op, Value};

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
    signed::run(function, signed::Conversion::Wrapping);
    expand(function, |x, op, args| match op {
        Op::Alu(op) => x.alu(*op, args),
        _ => None,
    });
    crate::passes::share(function);
}

impl Expand<'_> {
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
        match self.divide_known(a, b) {
            Some(found) => found,
            None => self.divide_any(a, b),
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
