//! Operations of several instructions. The last one writes the destination, which no operand lies in.

use super::assembler::*;
use super::emitter::{Emitter, Operand};
use super::recipe::{EQ, GE, K, NE, ONE, T, UNORDERED, is_number};
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
        (what, zeros, wins): (Instruction, Instruction, u32),
        [a, b, _]: [Src; 3],
        out: Zmm,
    ) {
        let simple = |src: Src| is_number(src) || src == Src::Const(wins);
        match (simple(a), simple(b)) {
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
