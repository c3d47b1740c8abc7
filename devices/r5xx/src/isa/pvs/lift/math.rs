//! The math engine. [R5XX 7.5.8]

use lanes::LaneOp::{self, *};
use lanes::{Src, WideOp};

use super::super::ops::{AtZero, MeSem, PowerClamp};
use super::TEMP;
use super::flow::Lifter;
use super::operands::Output;
use super::vector::every;
use crate::isa::arithmetic::{
    INFINITY, LARGEST, LOWEST, ONE, ZERO, clear, compare, float, select, wide,
};

/// pi, as near as a float gets.
const PI: Src = Src::Const(0x4049_0fdb);
/// What sine and cosine do not fall below, zero excepted: 2^-24.
const LEAST: Src = Src::Const(0x3380_0000);

impl Lifter<'_> {
    /// Computes a math operation of the scalars A, B and C; gives the wanted components.
    pub(super) fn math(&mut self, sem: MeSem, abc: [Src; 3], wanted: &[usize]) -> Vec<Output> {
        let [a, b, c] = abc;
        let row = self.row();
        let result = Src::Row(row);
        match sem {
            MeSem::Nop => return Vec::new(),
            MeSem::ExpParts => return self.parts(wanted, |lifter, at| lifter.exp_part(a, at)),
            MeSem::LogParts => return self.parts(wanted, |lifter, at| lifter.log_part(a, at)),
            MeSem::Light => return self.parts(wanted, |lifter, at| lifter.light_part(abc, at)),
            MeSem::ExpE => {
                self.b.alu(FMul, row, &[a, float(std::f32::consts::LOG2_E)]);
                self.b.alu(FExp2, row, &[result]);
            }
            MeSem::Exp2 => self.b.alu(FExp2, row, &[a]),
            MeSem::Power(clamp) => self.power(clamp, [a, b, c], row),
            MeSem::Recip(zero) => self.at_zero(FRcp, a, zero, false, row),
            MeSem::RecipSqrt(zero) => {
                let magnitude = self.magnitude(a);
                self.at_zero(FRsq, magnitude, zero, false, row);
            }
            MeSem::Log2(zero) => {
                let magnitude = self.magnitude(a);
                self.at_zero(FLog2, magnitude, zero, true, row);
            }
            MeSem::Multiply => self.b.alu(FMul, row, &[a, b]),
            MeSem::Sin => self.sine(a, row),
            MeSem::Cos => self.cosine(a, row),
            MeSem::PredSet(_)
            | MeSem::PredClear
            | MeSem::PredInvert
            | MeSem::PredPop
            | MeSem::PredRestore => self.predicate(sem, a, row),
        }
        if may_be_small(sem) {
            self.b.alu(FFlush, row, &[result]);
        }
        every(wanted, result)
    }

    /// Results that differ by component.
    fn parts(
        &mut self,
        wanted: &[usize],
        mut part: impl FnMut(&mut Self, usize) -> Src,
    ) -> Vec<Output> {
        let outputs = wanted.iter().map(|component| Output {
            component: *component,
            value: part(self, *component),
            lanes: None,
        });
        outputs.collect()
    }

    fn magnitude(&mut self, a: Src) -> Src {
        let row = self.row();
        self.b.alu(FAbs, row, &[a]);
        Src::Row(row)
    }

    fn alu(&mut self, op: LaneOp, src: &[Src]) -> Src {
        let row = self.row();
        self.b.alu(op, row, src);
        Src::Row(row)
    }

    /// A function whose value at zero is the largest number, zero, or what it is anyway; negative for logarithms.
    fn at_zero(&mut self, op: LaneOp, a: Src, zero: AtZero, negative: bool, row: u16) {
        self.b.alu(op, row, &[a]);
        let value = match (zero, negative) {
            (AtZero::Infinity, true) => return,
            (AtZero::Infinity, false) => INFINITY,
            (AtZero::Largest, false) => LARGEST,
            (AtZero::Largest, true) => LOWEST,
            (AtZero::Zero, _) => ZERO,
        };
        compare(&mut self.b, FEq, TEMP, a, ZERO);
        select(&mut self.b, row, TEMP, Src::Row(row), value);
    }

    fn exp_part(&mut self, a: Src, component: usize) -> Src {
        match component {
            0 => {
                let floor = self.alu(FFloor, &[a]);
                let power = self.alu(FExp2, &[floor]);
                self.alu(FFlush, &[power])
            }
            1 => {
                let floor = self.alu(FFloor, &[a]);
                let row = self.row();
                self.b.alu(FSub, row, &[a, floor]);
                compare(&mut self.b, FGt, TEMP, a, float(128.0));
                select(&mut self.b, row, TEMP, Src::Row(row), ZERO);
                Src::Row(row)
            }
            2 => {
                let power = self.alu(FExp2, &[a]);
                self.alu(FFlush, &[power])
            }
            _ => ONE,
        }
    }

    fn log_part(&mut self, a: Src, component: usize) -> Src {
        let magnitude = self.magnitude(a);
        let (value, zero) = match component {
            0 => {
                let exponent = self.alu(Shr, &[magnitude, Src::Const(23)]);
                let exponent = self.alu(ISub, &[exponent, Src::Const(127)]);
                (self.alu(I32ToF32, &[exponent]), LOWEST)
            }
            1 => {
                let fraction = self.alu(And, &[magnitude, Src::Const(0x7f_ffff)]);
                (self.alu(Or, &[fraction, ONE]), ONE)
            }
            2 => (self.alu(FLog2, &[magnitude]), LOWEST),
            _ => return ONE,
        };
        let row = self.row();
        compare(&mut self.b, FEq, TEMP, a, ZERO);
        select(&mut self.b, row, TEMP, value, zero);
        Src::Row(row)
    }

    fn light_part(&mut self, [a, b, c]: [Src; 3], component: usize) -> Src {
        match component {
            1 => self.alu(FMax, &[b, ZERO]),
            2 => {
                let base = self.alu(FMax, &[a, ZERO]);
                let power = self.alu(FMax, &[c, float(-128.0)]);
                let power = self.alu(FMin, &[power, float(128.0)]);
                let row = self.row();
                self.power(PowerClamp::None, [base, ZERO, power], row);
                self.b.alu(FFlush, row, &[Src::Row(row)]);
                compare(&mut self.b, FGt, TEMP, b, ZERO);
                select(&mut self.b, row, TEMP, ZERO, Src::Row(row));
                Src::Row(row)
            }
            _ => ONE,
        }
    }

    /// `a^c` by logarithms, odd in `a`. Zero to the power of zero is zero. [ERRATA 3]
    fn power(&mut self, clamp: PowerClamp, [a, low, c]: [Src; 3], row: u16) {
        let magnitude = self.magnitude(a);
        let log = self.alu(FLog2, &[magnitude]);
        let log = self.alu(FMul, &[log, c]);
        let power = self.alu(FExp2, &[log]);
        let result = Src::Row(row);
        compare(&mut self.b, FEq, TEMP, c, ZERO);
        compare(&mut self.b, FEq, TEMP + 2, a, ZERO);
        select(&mut self.b, row, TEMP, power, ONE);
        wide(&mut self.b, WideOp::And64, TEMP, TEMP, TEMP + 2);
        select(&mut self.b, row, TEMP, result, ZERO);
        let negative = self.alu(FNeg, &[result]);
        compare(&mut self.b, FLt, TEMP, a, ZERO);
        select(&mut self.b, row, TEMP, result, negative);
        if matches!(clamp, PowerClamp::LowAndOne | PowerClamp::ZeroAndOne) {
            compare(&mut self.b, FGt, TEMP, a, ONE);
            select(&mut self.b, row, TEMP, result, ONE);
        }
        let below = match clamp {
            PowerClamp::None => return,
            PowerClamp::Low | PowerClamp::LowAndOne => (FLt, low),
            PowerClamp::ZeroAndOne => (FLe, ZERO),
        };
        compare(&mut self.b, below.0, TEMP, a, below.1);
        select(&mut self.b, row, TEMP, result, ZERO);
    }

    /// `TEMP` = lanes whose angle does not lie inside -pi..pi, NaN among them.
    fn outside(&mut self, a: Src) {
        let magnitude = self.magnitude(a);
        compare(&mut self.b, FNlt, TEMP, magnitude, PI);
    }

    /// Magnitudes below the least become the least, of the same sign.
    fn at_least(&mut self, row: u16) {
        let result = Src::Row(row);
        let magnitude = self.magnitude(result);
        let sign = self.alu(And, &[result, Src::Const(1 << 31)]);
        let least = self.alu(Or, &[sign, LEAST]);
        compare(&mut self.b, FLt, TEMP + 2, magnitude, LEAST);
        select(&mut self.b, row, TEMP + 2, result, least);
    }

    fn sine(&mut self, a: Src, row: u16) {
        self.b.alu(FSin, row, &[a]);
        self.at_least(row);
        let result = Src::Row(row);
        self.outside(a);
        select(&mut self.b, row, TEMP, result, ZERO);
        compare(&mut self.b, FEq, TEMP, a, ZERO);
        select(&mut self.b, row, TEMP, result, a);
    }

    fn cosine(&mut self, a: Src, row: u16) {
        self.b.alu(FCos, row, &[a]);
        self.at_least(row);
        self.outside(a);
        select(&mut self.b, row, TEMP, Src::Row(row), float(-1.0));
    }

    /// Predicates, with the counter of false branches as the result. [R5XX 7.5.3]
    fn predicate(&mut self, sem: MeSem, a: Src, row: u16) {
        let result = Src::Row(row);
        match sem {
            MeSem::PredSet(op) => {
                compare(&mut self.b, op, TEMP, a, ZERO);
                select(&mut self.b, row, TEMP, ONE, ZERO);
            }
            MeSem::PredInvert => {
                compare(&mut self.b, FEq, TEMP + 2, a, ZERO);
                select(&mut self.b, row, TEMP + 2, a, ONE);
                compare(&mut self.b, FEq, TEMP, a, ONE);
                select(&mut self.b, row, TEMP, result, ZERO);
            }
            MeSem::PredPop => {
                // Up to zero: the listing's "below zero" never ends an inner block. [ERRATA 2]
                self.b.alu(FSub, row, &[a, ONE]);
                compare(&mut self.b, FLe, TEMP, result, ZERO);
                select(&mut self.b, row, TEMP, result, ZERO);
            }
            MeSem::PredRestore => {
                compare(&mut self.b, FEq, TEMP, a, ZERO);
                select(&mut self.b, row, TEMP, a, ZERO);
            }
            _ => {
                // PredClear: the text clears the predicate, the listing sets it. [ERRATA 1]
                clear(&mut self.b, TEMP);
                self.b.alu(Mov, row, &[LARGEST]);
            }
        }
        self.set_predicate();
    }
}

/// Whether a function of normal numbers may be a denormal, which the engine gives as zero. [ERRATA 5]
fn may_be_small(sem: MeSem) -> bool {
    matches!(
        sem,
        MeSem::ExpE | MeSem::Exp2 | MeSem::Power(_) | MeSem::Recip(_) | MeSem::Multiply
    )
}
