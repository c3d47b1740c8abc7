//! Operations of several instructions. The last one writes the destination, which no operand lies in.

use super::assembler::*;
use super::emitter::{Emitter, Operand};
use super::recipe::{EQ, Extreme, GE, K, LT, NE, ONE, SIGN, T, UNORDERED, is_number};
use crate::math::WHOLE;
use crate::step::Src;

impl Emitter<'_> {
    /// `out = a` shifted by a constant: /6 left, /2 right, /4 right with copies of the sign.
    pub(super) fn shifted(&mut self, way: u8, out: Zmm, a: impl Into<Operand>, by: u8) {
        let a = self.place(a);
        self.vector(SHIFT_BY, ALL, (way, out), a, Some(by));
    }

    /// A shift, modulo 32 or not.
    pub(super) fn shift(
        &mut self,
        (way, by): (u8, Instruction),
        [a, b, _]: [Src; 3],
        out: Zmm,
        wraps: bool,
    ) {
        match (b, wraps) {
            (Src::Const(by), true) => self.shifted(way, out, a, (by & 31) as u8),
            (Src::Const(by), false) => self.shifted(way, out, a, by.min(32) as u8),
            (_, true) => {
                self.with(AND, T[0], b, 31);
                self.two(by, out, a, Place::Zmm(T[0]));
            }
            (_, false) => self.two(by, out, a, b),
        }
    }

    /// Product of the low 24 bits, extended by zeros (shift /2) or signs (/4).
    pub(super) fn product_24(&mut self, way: u8, [a, b, _]: [Src; 3], out: Zmm) {
        for (t, src) in [(T[0], a), (T[1], b)] {
            self.shifted(6, t, src, 8);
            self.shifted(way, t, Place::Zmm(t), 8);
        }
        self.two(MUL, out, Place::Zmm(T[0]), Place::Zmm(T[1]));
    }

    /// High words of products; the instruction multiplies every second word.
    pub(super) fn high(&mut self, product: Instruction, [a, b, _]: [Src; 3], out: Zmm) {
        let [a, b] = [self.reg(a), self.reg(b)];
        for (t, from) in [(T[0], a), (T[1], b)] {
            self.vector(SHIFT_PAIRS, ALL, (2, t), Place::Zmm(from), Some(32));
        }
        self.vector(product, ALL, (T[1], T[0]), Place::Zmm(T[1]), None);
        self.vector(product, ALL, (T[0], a), Place::Zmm(b), None);
        self.vector(SHIFT_PAIRS, ALL, (2, T[0]), Place::Zmm(T[0]), Some(32));
        // Bits of the odd words from the odd products: high word, where they are; the even ones from the others.
        self.vector(SHIFT_PAIRS, ALL, (2, out), Place::Zmm(T[1]), Some(32));
        self.vector(SHIFT_PAIRS, ALL, (6, out), Place::Zmm(out), Some(32));
        self.two(OR, out, Place::Zmm(out), Place::Zmm(T[0]));
    }

    pub(super) fn two_of_three(&mut self, what: Instruction, [a, b, c]: [Src; 3], out: Zmm) {
        self.two(what, T[0], a, b);
        self.two(what, out, Place::Zmm(T[0]), c);
    }

    pub(super) fn median(
        &mut self,
        (min, max): (Instruction, Instruction),
        [a, b, c]: [Src; 3],
        out: Zmm,
    ) {
        self.two(min, T[0], a, b);
        self.two(max, T[1], a, b);
        self.two(min, T[1], Place::Zmm(T[1]), c);
        self.two(max, out, Place::Zmm(T[0]), Place::Zmm(T[1]));
    }

    /// Zeros above the highest one; all ones for 0.
    pub(super) fn above_highest(&mut self, a: impl Into<Operand>, out: Zmm) {
        let a = self.reg(a);
        self.vector(TEST_NONE, ALL, (K[0], a), Place::Zmm(a), None);
        self.one(LEADING_ZEROS, out, Place::Zmm(a), None);
        let none = Place::Const(u32::MAX);
        self.vector(BROADCAST, only(K[0]), (out, 0), none, None);
    }

    /// How many ones there are: sums of 2, 4, 8 and 32 bits.
    pub(super) fn ones(&mut self, a: Src, out: Zmm) {
        let (t, place) = (T[1], Place::Zmm(out));
        self.shifted(2, t, a, 1);
        self.with(AND, t, Place::Zmm(t), 0x5555_5555);
        self.two(SUB, out, a, Place::Zmm(t));
        self.shifted(2, t, place, 2);
        self.with(AND, t, Place::Zmm(t), 0x3333_3333);
        self.with(AND, out, place, 0x3333_3333);
        self.two(ADD, out, place, Place::Zmm(t));
        self.shifted(2, t, place, 4);
        self.two(ADD, out, place, Place::Zmm(t));
        self.with(AND, out, place, 0x0f0f_0f0f);
        self.with(MUL, out, place, 0x0101_0101);
        self.shifted(2, out, place, 24);
    }

    /// Bits in reverse order: neighbours change places, then pairs, and so on.
    pub(super) fn reverse(&mut self, a: Src, out: Zmm) {
        let (mut from, t) = (Operand::from(a), T[0]);
        for (by, low) in [
            (1, 0x5555_5555),
            (2, 0x3333_3333),
            (4, 0x0f0f_0f0f),
            (8, 0x00ff_00ff),
        ] {
            self.shifted(2, t, from, by);
            self.with(AND, t, Place::Zmm(t), low);
            self.with(AND, T[1], from, low);
            self.shifted(6, T[1], Place::Zmm(T[1]), by);
            self.two(OR, out, Place::Zmm(t), Place::Zmm(T[1]));
            from = Place::Zmm(out).into();
        }
        self.shifted(2, t, from, 16);
        self.shifted(6, out, from, 16);
        self.two(OR, out, Place::Zmm(out), Place::Zmm(t));
    }

    /// Median; the minimum where one is NaN. As integers that are in the order of the floats, NaN above all.
    pub(super) fn median_of_floats(&mut self, src: [Src; 3], out: Zmm) {
        let src = src.map(|src| self.reg(src));
        for (t, a) in T.into_iter().zip(src) {
            let place = Place::Zmm(a);
            self.order(place, t);
            self.vector(COMPARE_F, ALL, (K[0], a), place, Some(UNORDERED));
            let most = Place::Const(i32::MAX as u32);
            self.vector(BROADCAST, only(K[0]), (t, 0), most, None);
        }
        let [a, b, c, low, high, _] = T;
        let [_, in_b, in_c] = src.map(Place::Zmm);
        self.vector(COMPARE_F, ALL, (K[0], src[0]), in_b, Some(UNORDERED));
        self.vector(COMPARE_F, ALL, (K[1], src[2]), in_c, Some(UNORDERED));
        self.two(MIN_I, low, Place::Zmm(a), Place::Zmm(b));
        self.two(MAX_I, high, Place::Zmm(a), Place::Zmm(b));
        self.two(MIN_I, high, Place::Zmm(high), Place::Zmm(c));
        self.two(MAX_I, high, Place::Zmm(high), Place::Zmm(low));
        for k in K {
            self.vector(MIN_I, only(k), (high, low), Place::Zmm(c), None);
        }
        self.order(Place::Zmm(high), out);
    }

    /// A float as an integer in the order of floats, and back.
    fn order(&mut self, a: Place, out: Zmm) {
        self.shifted(4, out, a, 31);
        self.shifted(2, out, Place::Zmm(out), 1);
        self.two(XOR, out, a, Place::Zmm(out));
    }

    /// A product in which zero times anything is +0.
    pub(super) fn product_zero(&mut self, a: Src, b: Src, out: Zmm) {
        let (first, zero) = (self.reg(a), Place::Const(0));
        self.vector(COMPARE_F, ALL, (K[0], first), zero, Some(NE));
        let second = self.reg(b);
        self.vector(COMPARE_F, only(K[0]), (K[0], second), zero, Some(NE));
        self.vector(MUL_F, zeroing(K[0]), (out, first), Place::Zmm(second), None);
    }

    /// A multiplication and an addition, rounded once.
    pub(super) fn fused(&mut self, what: Instruction, [a, b, c]: [Src; 3], out: Zmm) {
        self.one(LOAD, out, a, None);
        let (b, c) = (self.reg(b), self.place(c));
        self.vector(what, ALL, (out, b), c, None);
    }

    /// Minimum or maximum. The instruction gives the second operand where one is NaN or both are zeros, which `zeros`
    /// combines; a constant second operand other than those needs nothing more, nor does the zero that wins.
    pub(super) fn extreme(
        &mut self,
        (what, zeros, wins): Extreme,
        a: impl Into<Operand>,
        b: impl Into<Operand>,
        out: Zmm,
    ) {
        let [a, b] = [a.into(), b.into()];
        let simple = |operand: &Operand| match *operand {
            Operand::Src(src) => is_number(src) || src == Src::Const(wins),
            Operand::Place(_) => false,
        };
        match (simple(&a), simple(&b)) {
            (_, true) => return self.two(what, out, a, b),
            (true, false) => return self.two(what, out, b, a),
            _ => {}
        }
        let [a, b] = [self.reg(a), self.reg(b)];
        let second = Place::Zmm(b);
        self.vector(what, ALL, (out, a), second, None);
        self.vector(COMPARE_F, ALL, (K[0], a), second, Some(EQ));
        self.vector(zeros, only(K[0]), (out, a), second, None);
        self.vector(COMPARE_F, ALL, (K[1], b), second, Some(UNORDERED));
        self.vector(LOAD, only(K[1]), (out, 0), Place::Zmm(a), None);
    }

    /// Minimum or maximum of three.
    pub(super) fn extreme_of_three(&mut self, what: Extreme, [a, b, c]: [Src; 3], out: Zmm) {
        self.extreme(what, a, b, T[0]);
        self.extreme(what, Place::Zmm(T[0]), c, out);
    }

    /// `out` = the exponent as a float, one below that of a mantissa in 1/2..1; the mask has the lanes of which it is
    /// neither that of zero nor of infinity or NaN. Changes another temporary.
    pub(super) fn exponent(&mut self, a: Src, out: Zmm) {
        self.one(EXPONENT, out, a, None);
        self.with(AND, T[1], Place::Zmm(out), !SIGN);
        let infinity = Place::Const(f32::INFINITY.to_bits());
        self.vector(COMPARE_F, ALL, (K[0], T[1]), infinity, Some(LT));
    }

    pub(super) fn saturate(&mut self, a: Src, out: Zmm) {
        // The second operand where the first is NaN or both are zeros.
        self.two(MAX_F, T[0], a, Src::Const(0));
        self.two(MIN_F, out, Place::Zmm(T[0]), Src::Const(ONE));
    }

    /// NaN where the operand is.
    pub(super) fn keep_nan(&mut self, a: Src, out: Zmm) {
        let a = self.reg(a);
        self.vector(COMPARE_F, ALL, (K[0], a), Place::Zmm(a), Some(UNORDERED));
        self.vector(LOAD, only(K[0]), (out, 0), Place::Zmm(a), None);
    }

    /// Toward zero, saturating; 0 for NaN.
    pub(super) fn integer(&mut self, a: Zmm, out: Zmm) {
        let number = Place::Zmm(a);
        self.vector(F32_TO_I32, ALL, (out, 0), number, None);
        let end = Place::Const(2_147_483_648f32.to_bits());
        self.vector(COMPARE_F, ALL, (K[0], a), end, Some(GE));
        let most = Place::Const(i32::MAX as u32);
        self.vector(BROADCAST, only(K[0]), (out, 0), most, None);
        self.vector(COMPARE_F, ALL, (K[0], a), number, Some(UNORDERED));
        self.vector(XOR, only(K[0]), (out, out), Place::Zmm(out), None);
    }

    /// To an integer, of a number that is clamped and scaled, to even; 0 for NaN.
    pub(super) fn normalized(&mut self, (least, most): (f32, f32), a: Src, out: Zmm) {
        let a = self.reg(a);
        let constant = |value: f32| Src::Const(value.to_bits());
        self.two(MAX_F, out, Place::Zmm(a), constant(least));
        self.two(MIN_F, out, Place::Zmm(out), constant(1.0));
        self.two(MUL_F, out, Place::Zmm(out), constant(most));
        self.one(F32_TO_I32_NEAR, out, Place::Zmm(out), None);
        self.vector(COMPARE_F, ALL, (K[0], a), Place::Zmm(a), Some(UNORDERED));
        self.vector(XOR, only(K[0]), (out, out), Place::Zmm(out), None);
    }

    /// A normalised number of so many bits, shifted left, and the bits of a word.
    pub(super) fn unorm(&mut self, bits: u32, shift: u32, a: Src, c: Src, out: Zmm) {
        let (number, most) = (T[0], (1u32 << bits) - 1);
        self.two(MAX_F, number, a, Src::Const(0));
        self.two(MIN_F, number, Place::Zmm(number), Src::Const(ONE));
        let constant = |value: f32| Place::Const(value.to_bits());
        self.vector(BROADCAST, ALL, (T[1], 0), constant(most as f32), None);
        self.vector(FMA_213, ALL, (number, T[1]), constant(WHOLE), None);
        let alone = c == Src::Const(0);
        let last = if alone { out } else { number };
        // Bits 24 to 30 are the exponent's.
        if shift < 8 {
            let to = if shift == 0 { last } else { number };
            self.with(AND, to, Place::Zmm(number), most);
        }
        if shift > 0 {
            self.shifted(6, last, Place::Zmm(number), shift as u8);
        }
        if !alone {
            self.two(OR, out, Place::Zmm(number), c);
        }
    }

    /// A word of two halves: a number below 2^16, and the low bits of another, which is lost.
    pub(super) fn halves(&mut self, low: Zmm, high: Zmm, out: Zmm) {
        self.shifted(6, high, Place::Zmm(high), 16);
        self.two(OR, out, Place::Zmm(low), Place::Zmm(high));
    }

    pub(super) fn byte(&mut self, a: Src, by: u8, out: Zmm) {
        match by {
            0 => self.with(AND, T[0], a, 255),
            24 => self.shifted(2, T[0], a, 24),
            _ => {
                self.shifted(2, T[0], a, by);
                self.with(AND, T[0], Place::Zmm(T[0]), 255);
            }
        }
        self.one(I32_TO_F32, out, Place::Zmm(T[0]), None);
    }

    /// To a half in the low 16 bits, rounded to even (0) or toward zero (3). NaN keeps its sign and nothing else.
    pub(super) fn half(&mut self, a: Src, rounding: u8, out: Zmm) {
        let a = self.reg(a);
        self.vector(F32_TO_F16, ALL, (a, 0), Place::Zmm(T[0]), Some(rounding));
        self.vector(FROM_WORDS, ALL, (out, 0), Place::Zmm(T[0]), None);
        self.vector(COMPARE_F, ALL, (K[0], a), Place::Zmm(a), Some(UNORDERED));
        self.vector(AND, only(K[0]), (out, out), Place::Const(0x8000), None);
        self.vector(OR, only(K[0]), (out, out), Place::Const(0x7e00), None);
    }
}
