//! Roots, exponentials and logarithms.

use super::assembler::*;
use super::emitter::Emitter;
use super::recipe::{EQ, GT, K, LT, ONE, SIGN, T, UNORDERED};
use crate::step::Src;

/// The arithmetic of [`crate::transcendental`], instruction by instruction.
impl Emitter<'_> {
    /// `t = t * x + constant`, rounded twice.
    fn horner(&mut self, t: Zmm, x: Zmm, constants: &[f32]) {
        for constant in constants {
            self.vector(MUL_F, ALL, (t, t), Place::Zmm(x), None);
            self.vector(ADD_F, ALL, (t, t), Place::Const(constant.to_bits()), None);
        }
    }

    pub(super) fn reciprocal_root(&mut self, a: Src, out: Zmm) {
        let a = self.reg(a);
        let [x, root, y, t, rest, _] = T;
        let small = Place::Const(1e-30f32.to_bits());
        self.vector(COMPARE_F, ALL, (K[0], a), small, Some(LT));
        self.vector(LOAD, ALL, (x, 0), Place::Zmm(a), None);
        let up = Place::Const(18_446_744_073_709_551_616f32.to_bits());
        self.vector(MUL_F, only(K[0]), (x, a), up, None);
        self.vector(SQRT_F, ALL, (root, 0), Place::Zmm(x), None);
        self.vector(BROADCAST, ALL, (y, 0), Place::Const(ONE), None);
        self.vector(DIV_F, ALL, (y, y), Place::Zmm(root), None);
        self.vector(LOAD, ALL, (t, 0), Place::Zmm(root), None);
        self.vector(FNMA_213, ALL, (t, root), Place::Zmm(x), None);
        self.vector(LOAD, ALL, (rest, 0), Place::Zmm(root), None);
        self.vector(FNMA_213, ALL, (rest, y), Place::Const(ONE), None);
        self.vector(MUL_F, ALL, (t, t), Place::Zmm(y), None);
        self.vector(MUL_F, ALL, (t, t), Place::Const(0.5f32.to_bits()), None);
        self.vector(MUL_F, ALL, (t, t), Place::Zmm(y), None);
        self.vector(SUB_F, ALL, (out, rest), Place::Zmm(t), None);
        self.vector(FMA_213, ALL, (out, y), Place::Zmm(y), None);
        self.vector(
            COMPARE_F,
            ALL,
            (K[1], rest),
            Place::Zmm(rest),
            Some(UNORDERED),
        );
        self.vector(LOAD, only(K[1]), (out, 0), Place::Zmm(y), None);
        let down = Place::Const(4_294_967_296f32.to_bits());
        self.vector(MUL_F, only(K[0]), (out, out), down, None);
    }

    pub(super) fn exponential(&mut self, a: Src, out: Zmm) {
        use crate::transcendental::{EXP2, SHIFT};
        let [x, n, f, q, ..] = T;
        self.two(MAX_F, x, a, Src::Const((-160f32).to_bits()));
        self.two(MIN_F, x, Place::Zmm(x), Src::Const(130f32.to_bits()));
        let shift = Place::Const(SHIFT.to_bits());
        self.vector(ADD_F, ALL, (n, x), shift, None);
        self.vector(SUB_F, ALL, (f, n), shift, None);
        self.vector(SUB_F, ALL, (f, x), Place::Zmm(f), None);
        self.vector(
            BROADCAST,
            ALL,
            (q, 0),
            Place::Const(EXP2[0].to_bits()),
            None,
        );
        self.horner(q, f, &EXP2[1..]);
        self.vector(FMA_213, ALL, (q, f), Place::Const(ONE), None);
        self.vector(SUB, ALL, (n, n), shift, None);
        // Half of the exponent, and the rest.
        self.vector(SHIFT_BY, ALL, (4, x), Place::Zmm(n), Some(1));
        self.vector(SUB, ALL, (n, n), Place::Zmm(x), None);
        for part in [x, n] {
            self.vector(ADD, ALL, (part, part), Place::Const(127), None);
            self.vector(SHIFT_BY, ALL, (6, part), Place::Zmm(part), Some(23));
        }
        self.vector(MUL_F, ALL, (q, q), Place::Zmm(x), None);
        self.vector(MUL_F, ALL, (out, q), Place::Zmm(n), None);
        self.keep_nan(a, out);
    }

    pub(super) fn logarithm(&mut self, a: Src, out: Zmm) {
        use crate::transcendental::{LOG2, LOG2_E_REST, SQRT_HALF};
        use std::f32::consts::LOG2_E;
        let a = self.reg(a);
        let [f, e, p, high, square, rest] = T;
        let constant = |value: f32| Place::Const(value.to_bits());
        self.vector(
            COMPARE_F,
            ALL,
            (K[0], a),
            constant(f32::MIN_POSITIVE),
            Some(LT),
        );
        self.vector(LOAD, ALL, (f, 0), Place::Zmm(a), None);
        self.vector(MUL_F, only(K[0]), (f, a), constant(4_294_967_296.0), None);
        self.vector(SUB, ALL, (e, f), Place::Const(SQRT_HALF), None);
        self.vector(SHIFT_BY, ALL, (4, e), Place::Zmm(e), Some(23));
        self.vector(SHIFT_BY, ALL, (6, p), Place::Zmm(e), Some(23));
        self.vector(SUB, ALL, (f, f), Place::Zmm(p), None);
        self.vector(SUB_F, ALL, (f, f), Place::Const(ONE), None);
        self.vector(I32_TO_F32, ALL, (e, 0), Place::Zmm(e), None);
        self.vector(SUB_F, only(K[0]), (e, e), constant(32.0), None);
        self.vector(BROADCAST, ALL, (p, 0), constant(LOG2[0]), None);
        self.horner(p, f, &LOG2[1..]);
        self.vector(MUL_F, ALL, (high, f), constant(LOG2_E), None);
        self.vector(MUL_F, ALL, (square, f), Place::Zmm(f), None);
        // What the square loses, then what the product loses.
        self.vector(LOAD, ALL, (rest, 0), Place::Zmm(f), None);
        self.vector(FMS_213, ALL, (rest, f), Place::Zmm(square), None);
        let last = LOG2[LOG2.len() - 1];
        self.vector(MUL_F, ALL, (rest, rest), constant(-last), None);
        self.vector(MUL_F, ALL, (out, f), constant(LOG2_E_REST), None);
        self.vector(SUB_F, ALL, (rest, out), Place::Zmm(rest), None);
        self.vector(BROADCAST, ALL, (out, 0), constant(LOG2_E), None);
        self.vector(FMS_213, ALL, (out, f), Place::Zmm(high), None);
        self.vector(ADD_F, ALL, (rest, out), Place::Zmm(rest), None);
        self.vector(FMA_213, ALL, (p, square), Place::Zmm(rest), None);
        self.vector(ADD_F, ALL, (out, e), Place::Zmm(high), None);
        self.vector(SUB_F, ALL, (e, out), Place::Zmm(e), None);
        self.vector(SUB_F, ALL, (e, high), Place::Zmm(e), None);
        self.vector(ADD_F, ALL, (e, e), Place::Zmm(p), None);
        self.vector(ADD_F, ALL, (out, out), Place::Zmm(e), None);
        self.vector(COMPARE_F, ALL, (K[0], a), Place::Const(0), Some(EQ));
        let least = constant(f32::NEG_INFINITY);
        self.vector(BROADCAST, only(K[0]), (out, 0), least, None);
        let infinity = constant(f32::INFINITY);
        self.vector(COMPARE_F, ALL, (K[0], a), infinity, Some(EQ));
        self.vector(BROADCAST, only(K[0]), (out, 0), infinity, None);
        // Below zero, and NaN.
        self.vector(COMPARE_F, ALL, (K[0], a), Place::Const(0), Some(9));
        self.vector(BROADCAST, only(K[0]), (out, 0), constant(f32::NAN), None);
    }

    /// Sine or cosine of revolutions, eight lanes at a time in double precision.
    pub(super) fn sine_of_turns(&mut self, a: Src, cosine: bool, out: Zmm) {
        use crate::transcendental::{SHIFT, SINE};
        let a = self.reg(a);
        let [t, other, z, p, q, square] = T;
        let shift = Place::Const(SHIFT.to_bits());
        let magnitude = Place::Const(!SIGN);
        self.vector(ADD_F, ALL, (t, a), shift, None);
        self.vector(SUB_F, ALL, (t, t), shift, None);
        self.vector(SUB_F, ALL, (t, a), Place::Zmm(t), None);
        if cosine {
            self.vector(AND, ALL, (t, t), magnitude, None);
        } else {
            for (half, fold) in [(0.5f32, MIN_F), (-0.5, MAX_F)] {
                let half = Place::Const(half.to_bits());
                self.vector(BROADCAST, ALL, (z, 0), half, None);
                self.vector(SUB_F, ALL, (z, z), Place::Zmm(t), None);
                self.vector(fold, ALL, (t, z), Place::Zmm(t), None);
            }
        }
        self.vector(QUARTERS, ALL, (other, t), Place::Zmm(t), Some(0b11_10));
        for t in [t, other] {
            self.vector(F32_TO_F64, ALL, (t, 0), Place::Zmm(t), None);
            if cosine {
                self.double(BROADCAST_D, (z, 0), 0.25);
                self.vector(SUB_D, ALL, (t, z), Place::Zmm(t), None);
            }
            self.vector(MUL_D, ALL, (z, t), Place::Zmm(t), None);
            self.vector(MUL_D, ALL, (square, z), Place::Zmm(z), None);
            let [high, middle, low] = [0, 2, 4].map(|n| [SINE[n], SINE[n + 1]]);
            let pair = |e: &mut Self, to: Zmm, [a, b]: [f64; 2]| {
                e.double(BROADCAST_D, (to, 0), a);
                e.double(FMA_213_D, (to, z), b);
            };
            pair(self, p, high);
            pair(self, q, middle);
            self.vector(FMA_213_D, ALL, (p, square), Place::Zmm(q), None);
            pair(self, q, low);
            self.vector(FMA_213_D, ALL, (p, square), Place::Zmm(q), None);
            self.vector(MUL_D, ALL, (t, t), Place::Zmm(p), None);
            self.vector(F64_TO_F32, ALL, (t, 0), Place::Zmm(t), None);
        }
        self.vector(WITH_HALF, ALL, (out, t), Place::Zmm(other), Some(1));
        // Too far from zero.
        self.vector(AND, ALL, (z, a), magnitude, None);
        let most = Place::Const(256f32.to_bits());
        self.vector(COMPARE_F, ALL, (K[0], z), most, Some(GT));
        let far = Place::Const(if cosine { ONE } else { 0 });
        self.vector(BROADCAST, only(K[0]), (out, 0), far, None);
    }
}
