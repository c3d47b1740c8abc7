//! Results: output modifiers, clamps, masks, predicates, targets. [R5XX 8.4.5 to 8.4.10]

use lanes::LaneOp::{self, *};
use lanes::{Move, Src, Step, When, WideOp};

use super::super::codes::{Omod, Test};
use super::super::inst::{Alu, Predicate, Register};
use super::alu::Computed;
use super::flow::Lifter;
use super::{ACTIVE, INDEX, LiftError, PREDICATES, RESULT, TEMP};
use crate::isa::arithmetic::{Signed, ZERO, compare, copy, float, mov, plain, select, wide};

/// Products and what is added to them.
pub(super) struct Sum {
    pub(super) products: Vec<(Signed, Signed)>,
    pub(super) addend: Option<Signed>,
}

/// Classes of [`LaneOp::FClass`] that a larger range may change: infinities and denormals.
const BEYOND: u32 = 1 << 2 | 1 << 9 | 1 << 4 | 1 << 7;

impl Test {
    /// The comparison with zero; NaN is not equal only.
    fn op(self) -> LaneOp {
        match self {
            Test::Equal => FEq,
            Test::Less => FLt,
            Test::GreaterEqual => FGe,
            Test::NotEqual => FNe,
        }
    }
}

impl Lifter<'_> {
    /// OMOD and clamp; the result is flushed unless bits stay. It goes to the row of the value where that is `direct`.
    pub(super) fn finish(
        &mut self,
        computed: &Computed,
        omod: Omod,
        clamp: bool,
        direct: Option<u16>,
    ) -> Src {
        let mut value = computed.value;
        if omod == Omod::Raw {
            return value;
        }
        let mut flushed = computed.flushed;
        if omod != Omod::X1 {
            // Functions have no larger range: what is infinite or denormal stays so.
            if computed.sum.is_none() && !flushed {
                value = self.op(FFlushNan, &[value]);
            }
            let unscaled = value;
            let row = self.row();
            self.b.alu(FMul, row, &[value, float(omod.factor())]);
            if let (Some(sum), false) = (&computed.sum, self.setup.zero_wins) {
                self.rescue(sum, omod.factor(), unscaled, row);
            }
            (value, flushed) = (Src::Row(row), false);
        }
        let row = |lifter: &mut Self| direct.unwrap_or_else(|| lifter.row());
        if clamp {
            let row = row(self);
            self.b.alu(FSat, row, &[value]);
            (value, flushed) = (Src::Row(row), computed.flushed && omod == Omod::X1);
        }
        if !flushed {
            let row = row(self);
            self.b.alu(FFlushNan, row, &[value]);
            value = Src::Row(row);
        }
        value
    }

    /// Sums that leave the range of a float and come back by OMOD are computed with a larger range. [R5XX 8.7.2]
    fn rescue(&mut self, sum: &Sum, factor: f32, unscaled: Src, row: u16) {
        let over = self.b.label();
        compare(&mut self.b, FClass, TEMP, unscaled, Src::Const(BEYOND));
        self.b.branch(When::MaskZero(TEMP), over);
        let [total, x, y] = [self.rows(2), self.rows(2), self.rows(2)];
        let mut first = true;
        for (a, b) in &sum.products {
            self.widen(*a, x);
            self.widen(*b, y);
            self.wide(WideOp::DMul, x, [x, y]);
            match first {
                true => self.wide(WideOp::Mov64, total, [x, x]),
                false => self.wide(WideOp::DAdd, total, [total, x]),
            }
            first = false;
        }
        if let Some(addend) = sum.addend {
            self.widen(addend, x);
            self.wide(WideOp::DAdd, total, [total, x]);
        }
        let factor = Signed {
            src: float(factor),
            negate: false,
        };
        self.widen(factor, x);
        self.wide(WideOp::DMul, total, [total, x]);
        self.wide(WideOp::F64ToF32, x, [total, total]);
        select(&mut self.b, row, TEMP, Src::Row(row), Src::Row(x));
        self.b.place(over);
    }

    fn widen(&mut self, value: Signed, dst: u16) {
        let spare = self.row();
        let value = plain(&mut self.b, value, spare);
        self.b.push(Step::Wide {
            op: WideOp::F32ToF64,
            dst,
            src: [value, ZERO, ZERO],
        });
    }

    fn wide(&mut self, op: WideOp, dst: u16, [a, b]: [u16; 2]) {
        let b = match op.params().len() {
            1 => ZERO,
            _ => Src::Row(b),
        };
        self.b.push(Step::Wide {
            op,
            dst,
            src: [Src::Row(a), b, ZERO],
        });
    }

    /// Writes channels to temporaries, targets, predicates and the ALU result, in this order: old predicates gate.
    pub(super) fn write_results(
        &mut self,
        alu: &Alu,
        values: &[Option<Src>; 4],
    ) -> Result<(), LiftError> {
        let halves = [
            (alu.rgb.dst, alu.rgb.wmask, alu.rgb.predicate),
            (alu.alpha.dst, alu.alpha.wmask << 3, alu.alpha.predicate),
        ];
        let gates = [
            alu.rgb.predicate,
            alu.rgb.predicate,
            alu.rgb.predicate,
            alu.alpha.predicate,
        ];
        for (dst, mask, predicate) in halves {
            self.write_temporary(dst, mask, predicate, values);
        }
        let omask = alu.rgb.omask | alu.alpha.omask << 3;
        if alu.out {
            let targets = [
                alu.rgb.target,
                alu.rgb.target,
                alu.rgb.target,
                alu.alpha.target,
            ];
            for channel in (0..4).filter(|channel| omask >> channel & 1 == 1) {
                let target = self.layout.targets[usize::from(targets[channel] & 3)];
                if let (Some(first), Some(value)) = (target, values[channel]) {
                    let row = first + channel as u16;
                    self.gated(gates[channel], channel, row, value);
                }
            }
        }
        if let (true, Some(row), Some(value)) = (alu.depth, self.layout.depth, values[3]) {
            self.gated(alu.alpha.predicate, 3, row, value);
        }
        let tests = [
            alu.rgb.target,
            alu.rgb.target,
            alu.rgb.target,
            alu.alpha.target,
        ];
        let raw = [alu.rgb.omod, alu.rgb.omod, alu.rgb.omod, alu.alpha.omod];
        if let Some((of_alpha, test)) = alu.result {
            let channel = if of_alpha { 3 } else { 0 };
            self.test(test, values[channel], raw[channel] == Omod::Raw, RESULT);
        }
        for channel in (0..4).filter(|channel| !alu.out && omask >> channel & 1 == 1) {
            let test = Test::from_code(tests[channel]).unwrap_or_default();
            self.test(test, values[channel], raw[channel] == Omod::Raw, TEMP);
            let predicate = PREDICATES + 2 * channel as u16;
            wide(&mut self.b, WideOp::AndNot64, predicate, predicate, ACTIVE);
            wide(&mut self.b, WideOp::Or64, predicate, predicate, TEMP);
        }
        Ok(())
    }

    /// `pair` = active pixels whose value passes a test; denormals are zero.
    fn test(&mut self, test: Test, value: Option<Src>, raw: bool, pair: u16) {
        let Some(mut value) = value else { return };
        if raw {
            value = self.op(FFlushNan, &[value]);
        }
        compare(&mut self.b, test.op(), pair, value, ZERO);
    }

    /// Writes a row where a predicate lets it.
    fn gated(&mut self, predicate: Predicate, channel: usize, row: u16, value: Src) {
        let old = Src::Row(row);
        match Self::gate(predicate.select, predicate.invert, channel) {
            None => mov(&mut self.b, row, value),
            Some((pair, false)) => select(&mut self.b, row, pair, old, value),
            Some((pair, true)) => select(&mut self.b, row, pair, value, old),
        }
    }

    /// Writes channels of a temporary.
    pub(super) fn write_temporary(
        &mut self,
        dst: Register,
        mask: u8,
        predicate: Predicate,
        values: &[Option<Src>; 4],
    ) {
        let channels = (0..4).filter(|channel| mask >> channel & 1 == 1);
        if !dst.relative {
            for channel in channels {
                if let Some(value) = values[channel] {
                    let row = 4 * u16::from(dst.at) + channel as u16;
                    self.gated(predicate, channel, row, value);
                }
            }
            return;
        }
        if mask == 0 {
            return;
        }
        self.index(dst.at, self.setup.temps);
        for channel in channels {
            let Some(value) = values[channel] else {
                continue;
            };
            let row = self.row();
            mov(&mut self.b, row, value);
            let gate = Self::gate(predicate.select, predicate.invert, channel);
            if let Some((pair, invert)) = gate {
                copy(&mut self.b, TEMP, ACTIVE);
                let op = if invert {
                    WideOp::AndNot64
                } else {
                    WideOp::And64
                };
                wide(&mut self.b, op, ACTIVE, ACTIVE, pair);
            }
            self.b.push(Step::Relative {
                kind: Move::ToRow,
                dst: channel as u16,
                base: row,
                index: Src::Scalar(INDEX),
                end: self.layout.temps.end,
            });
            if gate.is_some() {
                copy(&mut self.b, ACTIVE, TEMP);
            }
        }
    }
}
