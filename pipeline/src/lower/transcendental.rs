//! Functions built from the few that chips have: `2^x`, `log2 x`, sine and cosine of turns, roots.
//!
//! Every function is within the error that WGSL allows ("Accuracy of Floating Point Expressions"); the tests in
//! `tests/accuracy.rs` hold it to that.

use std::f32::consts::{FRAC_1_PI, FRAC_PI_2, LN_2, LOG2_E, PI};

use naga::MathFunction;

use super::Writer;
use crate::ir::{LaneOp, Value};

/// Odd coefficients of the arctangent on 0..1, from the highest power down. [Abramowitz-Stegun 4.4.49]
const ATAN: [f32; 9] = [
    0.002_866_225_7,
    -0.016_165_737,
    0.042_909_614,
    -0.075_289_64,
    0.106_562_64,
    -0.142_089,
    0.199_935_51,
    -0.333_331_45,
    1.0,
];

/// Where the hyperbolic tangent is 1 in single precision.
const TANH_END: f32 = 10.0;

impl Writer {
    pub(crate) fn transcendental(
        &mut self,
        fun: MathFunction,
        x: Value,
        y: Value,
    ) -> Option<Value> {
        use MathFunction as M;
        Some(match fun {
            M::Exp2 => self.b.alu(LaneOp::FExp2, &[x]),
            M::Log2 => self.b.alu(LaneOp::FLog2, &[x]),
            M::Exp => self.exp(x),
            M::Log => self.log(x),
            M::Pow => {
                let log = self.b.alu(LaneOp::FLog2, &[x]);
                let product = self.b.alu(LaneOp::FMul, &[y, log]);
                self.b.alu(LaneOp::FExp2, &[product])
            }
            M::Sin => self.turns(LaneOp::FSinTurns, x),
            M::Cos => self.turns(LaneOp::FCosTurns, x),
            M::Tan => {
                let sin = self.turns(LaneOp::FSinTurns, x);
                let cos = self.turns(LaneOp::FCosTurns, x);
                self.divide(sin, cos)
            }
            M::Atan => {
                let one = self.b.float(1.0);
                self.atan2(x, one)
            }
            M::Atan2 => self.atan2(x, y),
            M::Asin => {
                let other = self.other_leg(x);
                self.atan2(x, other)
            }
            M::Acos => {
                let other = self.other_leg(x);
                self.atan2(other, x)
            }
            M::Sinh => self.exp_pair(x, LaneOp::FSub),
            M::Cosh => self.exp_pair(x, LaneOp::FAdd),
            M::Tanh => {
                let (low, high) = (self.b.float(-TANH_END), self.b.float(TANH_END));
                let x = self.b.alu(LaneOp::FMed3, &[x, low, high]);
                let twice = self.b.alu(LaneOp::FAdd, &[x, x]);
                let power = self.exp(twice);
                let one = self.b.float(1.0);
                let over = self.b.alu(LaneOp::FSub, &[power, one]);
                let under = self.b.alu(LaneOp::FAdd, &[power, one]);
                self.divide(over, under)
            }
            M::Asinh => {
                // Of the magnitude, so that nothing cancels.
                let size = self.b.alu(LaneOp::FAbs, &[x]);
                let square = self.b.alu(LaneOp::FMul, &[x, x]);
                let one = self.b.float(1.0);
                let sum = self.b.alu(LaneOp::FAdd, &[square, one]);
                let root = self.b.alu(LaneOp::FSqrt, &[sum]);
                let sum = self.b.alu(LaneOp::FAdd, &[size, root]);
                let log = self.log(sum);
                self.copy_sign(log, x)
            }
            M::Acosh => {
                let square = self.b.alu(LaneOp::FMul, &[x, x]);
                let one = self.b.float(1.0);
                let rest = self.b.alu(LaneOp::FSub, &[square, one]);
                let root = self.b.alu(LaneOp::FSqrt, &[rest]);
                let sum = self.b.alu(LaneOp::FAdd, &[x, root]);
                self.log(sum)
            }
            M::Atanh => {
                let one = self.b.float(1.0);
                let over = self.b.alu(LaneOp::FAdd, &[one, x]);
                let under = self.b.alu(LaneOp::FSub, &[one, x]);
                let quotient = self.divide(over, under);
                let log = self.log(quotient);
                self.times(log, 0.5)
            }
            _ => return None,
        })
    }

    fn exp(&mut self, x: Value) -> Value {
        let scaled = self.times(x, LOG2_E);
        self.b.alu(LaneOp::FExp2, &[scaled])
    }

    fn log(&mut self, x: Value) -> Value {
        let log = self.b.alu(LaneOp::FLog2, &[x]);
        self.times(log, LN_2)
    }

    /// Sine or cosine of radians. The chips take turns, and only a limited number of them.
    fn turns(&mut self, op: LaneOp, x: Value) -> Value {
        let turns = self.times(x, 0.5 * FRAC_1_PI);
        let turns = self.b.alu(LaneOp::FFract, &[turns]);
        self.b.alu(op, &[turns])
    }

    /// `(e^x op e^-x) / 2`
    fn exp_pair(&mut self, x: Value, op: LaneOp) -> Value {
        let up = self.exp(x);
        let negative = self.b.alu(LaneOp::FNeg, &[x]);
        let down = self.exp(negative);
        let sum = self.b.alu(op, &[up, down]);
        self.times(sum, 0.5)
    }

    /// `sqrt(1 - x * x)`
    fn other_leg(&mut self, x: Value) -> Value {
        let square = self.b.alu(LaneOp::FMul, &[x, x]);
        let one = self.b.float(1.0);
        let rest = self.b.alu(LaneOp::FSub, &[one, square]);
        self.b.alu(LaneOp::FSqrt, &[rest])
    }

    /// The magnitude of `value` with the sign of `sign`.
    fn copy_sign(&mut self, value: Value, sign: Value) -> Value {
        let mask = self.b.word(0x7fff_ffff);
        self.b.alu(LaneOp::Bfi, &[mask, value, sign])
    }

    /// Angle of (x, y), -pi..pi.
    fn atan2(&mut self, y: Value, x: Value) -> Value {
        let zero = self.b.float(0.0);
        let [ax, ay] = [x, y].map(|v| self.b.alu(LaneOp::FAbs, &[v]));
        let small = self.b.alu(LaneOp::FMin, &[ax, ay]);
        let large = self.b.alu(LaneOp::FMax, &[ax, ay]);
        let ratio = self.divide(small, large);
        // At the origin and on its axes the angle is one of the quarter turns.
        let flat = self.b.alu(LaneOp::FEq, &[small, zero]);
        let ratio = self.b.select(flat, zero, ratio);
        let square = self.b.alu(LaneOp::FMul, &[ratio, ratio]);
        let mut sum = self.b.float(ATAN[0]);
        for coefficient in &ATAN[1..] {
            let coefficient = self.b.float(*coefficient);
            let product = self.b.alu(LaneOp::FMul, &[sum, square]);
            sum = self.b.alu(LaneOp::FAdd, &[product, coefficient]);
        }
        let angle = self.b.alu(LaneOp::FMul, &[sum, ratio]);
        let quarter = self.b.float(FRAC_PI_2);
        let reversed = self.b.alu(LaneOp::FSub, &[quarter, angle]);
        let steep = self.b.alu(LaneOp::FGt, &[ay, ax]);
        let angle = self.b.select(steep, reversed, angle);
        let half = self.b.float(PI);
        let reversed = self.b.alu(LaneOp::FSub, &[half, angle]);
        let behind = self.b.alu(LaneOp::FLt, &[x, zero]);
        let angle = self.b.select(behind, reversed, angle);
        self.copy_sign(angle, y)
    }
}
