//! ALU and OUT: both halves read before either writes. [R5XX 8.4]

use lanes::LaneOp::*;
use lanes::Src;

use super::super::codes::{Modifier, Omod};
use super::super::inst::{Alu, Half, Input, Source};
use super::super::ops::{AluSem, Dot, Function};
use super::clean::selects;
use super::flow::Lifter;
use super::result::Sum;
use super::{LiftError, TEMP};
use crate::isa::arithmetic::{
    ONE, Signed, ZERO, compare, float, mov, plain, product, product_sum, select,
};

/// A value of an operation before OMOD.
pub(super) struct Computed {
    pub(super) value: Src,
    /// How it came about, where the range of numbers in between is larger than a float's.
    pub(super) sum: Option<Sum>,
    /// It holds no denormal and no foreign NaN.
    pub(super) flushed: bool,
}

/// What is common to the channels of one half.
struct Unit<'a, Op, const N: usize> {
    half: &'a Half<Op, N>,
    sem: AluSem,
    /// The first channel: 0 or 3.
    first: usize,
}

impl Lifter<'_> {
    /// Appends an ALU or OUT instruction.
    pub(super) fn alu(&mut self, alu: &Alu) -> Result<(), LiftError> {
        for (dst, mask) in [
            (alu.rgb.dst, alu.rgb.wmask),
            (alu.alpha.dst, alu.alpha.wmask),
        ] {
            if mask != 0 && !dst.relative {
                self.check(dst.at)?;
            }
        }
        let rgb = Unit {
            half: &alu.rgb,
            sem: alu.rgb.op.sem(),
            first: 0,
        };
        let alpha = Unit {
            half: &alu.alpha,
            sem: alu.alpha.op.sem(),
            first: 3,
        };
        let red = u8::from(matches!(alu.result, Some((false, _))));
        let rgb_mask = rgb.half.wmask | rgb.half.omask | red;
        let alpha_wanted = alu.writes_alpha();
        // What one half may take from the other comes first: it reads everything before anything is written.
        let dot = match rgb.sem {
            AluSem::Dot(dot) if rgb_mask != 0 || alpha_wanted => Some(self.dot(alu, dot)?),
            _ => None,
        };
        let scalar = match alpha.sem {
            AluSem::Function(function) if alu.writes_rgb() || alpha_wanted => {
                Some(self.function(alu, function)?)
            }
            _ => None,
        };
        let mut values = [None; 4];
        for channel in (0..3).filter(|channel| rgb_mask >> channel & 1 == 1) {
            let shared = match rgb.sem {
                AluSem::Dot(_) => dot.as_ref(),
                AluSem::TakeScalar => scalar.as_ref(),
                _ => None,
            };
            let value = match (shared, values.iter().flatten().next()) {
                // All channels are the same.
                (Some(_), Some(value)) => *value,
                (Some(shared), None) => self.finish(shared, alu.rgb.omod, alu.rgb.clamp, None),
                (None, _) => self.evaluate(alu, &rgb, channel)?,
            };
            values[channel] = Some(value);
        }
        if alpha_wanted {
            let shared = match alpha.sem {
                AluSem::TakeDot => dot.as_ref(),
                AluSem::Function(_) => scalar.as_ref(),
                _ => None,
            };
            values[3] = Some(match shared {
                Some(shared) => self.finish(shared, alu.alpha.omod, alu.alpha.clamp, None),
                None => self.evaluate(alu, &alpha, 3)?,
            });
        }
        self.write_results(alu, &values)
    }

    /// One channel of an operation that works on each, with its modifiers.
    fn evaluate<Op, const N: usize>(
        &mut self,
        alu: &Alu,
        unit: &Unit<'_, Op, N>,
        channel: usize,
    ) -> Result<Src, LiftError> {
        let half = unit.half;
        let direct = self.direct(alu, channel);
        let row = match direct {
            Some(row) => row,
            None => self.row(),
        };
        let computed = self.compute(alu, unit, channel, row)?;
        Ok(self.finish(&computed, half.omod, half.clamp, direct))
    }

    /// The row of the temporary that a channel may be computed in at once: it is written in all pixels that run, and no
    /// later channel reads it.
    fn direct(&self, alu: &Alu, channel: usize) -> Option<u16> {
        let (dst, mask, gated, plain) = match channel {
            0..3 => {
                let half = &alu.rgb;
                let gate = Self::gate(half.predicate.select, half.predicate.invert, channel);
                (
                    half.dst,
                    half.wmask >> channel & 1,
                    gate.is_some(),
                    half.omod,
                )
            }
            _ => {
                let half = &alu.alpha;
                let gate = Self::gate(half.predicate.select, half.predicate.invert, channel);
                (half.dst, half.wmask & 1, gate.is_some(), half.omod)
            }
        };
        let scaled = !matches!(plain, Omod::X1 | Omod::Raw);
        if mask == 0 || gated || dst.relative || scaled {
            return None;
        }
        let row = 4 * u16::from(dst.at) + channel as u16;
        // A comparison of the predicates reads the result after the writes.
        for later in channel + 1..4 {
            if Self::reads(alu, later)?.contains(&row) {
                return None;
            }
        }
        Some(row)
    }

    /// Rows that a channel reads; `None` if an index decides.
    fn reads(alu: &Alu, channel: usize) -> Option<Vec<u16>> {
        let mut rows = Vec::new();
        if channel < 3 {
            let sem = alu.rgb.op.sem();
            rows.extend(own_source(alu.rgb.sources.src[0], channel, sem)?);
            for (input, read) in alu.rgb.inputs.iter().zip(sem.operands()) {
                if read {
                    rows.extend(Self::rows_of(alu, input.select, input.swizzle[channel])?);
                }
            }
        } else {
            let sem = alu.alpha.op.sem();
            rows.extend(own_source(alu.alpha.sources.src[0], channel, sem)?);
            for (input, read) in alu.alpha.inputs.iter().zip(sem.operands()) {
                if read {
                    rows.extend(Self::rows_of(alu, input.select, input.swizzle[0])?);
                }
            }
        }
        Some(rows)
    }

    /// One channel of an operation, in `row`; nothing is read after it is written.
    fn compute<Op, const N: usize>(
        &mut self,
        alu: &Alu,
        unit: &Unit<'_, Op, N>,
        channel: usize,
        row: u16,
    ) -> Result<Computed, LiftError> {
        let half = unit.half;
        let at = channel - unit.first;
        let [a, b, c] = &half.inputs;
        let raw = half.omod == Omod::Raw;
        let value = Src::Row(row);
        if selects(unit.sem) {
            self.choose(alu, unit, at, row)?;
            let flushed = !raw;
            return Ok(Computed {
                value,
                sum: None,
                flushed,
            });
        }
        let mut sum = None;
        match unit.sem {
            AluSem::Mad => {
                let x = self.signed(alu, a, at, false)?;
                let y = self.signed(alu, b, at, false)?;
                let z = self.signed(alu, c, at, false)?;
                sum = Some(self.mad(x, y, z, row));
            }
            AluSem::Derivative(other) => {
                let source = half.sources.src[0];
                let first = self.of_quad(source, channel as u8, 0)?;
                let second = self.of_quad(source, channel as u8, other)?;
                let x = self.modified(first, a.modifier);
                let y = self.signed(alu, b, at, false)?;
                let z = self.modified(second, c.modifier);
                sum = Some(self.mad(x, y, z, row));
            }
            AluSem::Frc => {
                let x = self.input(alu, a, at, false)?;
                let floor = self.op(FFloor, &[x]);
                self.b.alu(FSub, row, &[x, floor]);
            }
            // The others do not work channel by channel, or have nothing to take.
            _ => mov(&mut self.b, row, ZERO),
        }
        Ok(Computed {
            value,
            sum,
            flushed: false,
        })
    }

    /// `row = x * y + z`
    fn mad(&mut self, x: Signed, y: Signed, z: Signed, row: u16) -> Sum {
        let spares = [self.row(), self.row(), self.row()];
        if self.setup.zero_wins {
            let [x, y, z] = [(x, 0), (y, 1), (z, 2)]
                .map(|(signed, at): (Signed, usize)| plain(&mut self.b, signed, spares[at]));
            self.b.alu(FMadZero, row, &[x, y, z]);
        } else if z.src == ZERO && z.negate {
            // A product minus zero is the product, with either sign of zero.
            product(&mut self.b, row, x, y);
        } else if let Some(factor) = times_one(x, y) {
            crate::isa::arithmetic::sum(&mut self.b, row, factor, z, spares[0]);
        } else {
            product_sum(&mut self.b, row, x, y, z, spares[0]);
        }
        Sum {
            products: vec![(x, y)],
            addend: Some(z),
        }
    }

    /// MIN, MAX, CND and CMP: one of A and B. NaN and zeros on both sides give B.
    fn choose<Op, const N: usize>(
        &mut self,
        alu: &Alu,
        unit: &Unit<'_, Op, N>,
        at: usize,
        row: u16,
    ) -> Result<(), LiftError> {
        let [a, b, c] = &unit.half.inputs;
        let raw = unit.half.omod == Omod::Raw;
        let yes = self.input(alu, a, at, raw)?;
        if same(a, b, at) {
            mov(&mut self.b, row, yes);
            return Ok(());
        }
        let no = self.input(alu, b, at, raw)?;
        let (op, x, y) = match unit.sem {
            AluSem::Min => (FLt, a, b),
            AluSem::Max => (FGt, a, b),
            AluSem::Cnd => (FGt, c, c),
            _ => {
                let Signed { src, negate } = self.signed(alu, c, at, false)?;
                // -c is at least zero where c is at most zero.
                let op = if negate { FLe } else { FGe };
                compare(&mut self.b, op, TEMP, src, ZERO);
                select(&mut self.b, row, TEMP, no, yes);
                return Ok(());
            }
        };
        let x = self.input(alu, x, at, false)?;
        let y = match unit.sem {
            AluSem::Cnd => float(0.5),
            _ => self.input(alu, y, at, false)?,
        };
        compare(&mut self.b, op, TEMP, x, y);
        select(&mut self.b, row, TEMP, no, yes);
        Ok(())
    }

    /// The dot product of the colour half.
    fn dot(&mut self, alu: &Alu, dot: Dot) -> Result<Computed, LiftError> {
        let [a, b, c] = &alu.rgb.inputs;
        let count = match dot {
            Dot::TwoAdd => 2,
            Dot::Three | Dot::Four => 3,
        };
        let mut products = Vec::with_capacity(4);
        for at in 0..count {
            let x = self.signed(alu, a, at, false)?;
            products.push((x, self.signed(alu, b, at, false)?));
        }
        if dot == Dot::Four {
            let [a, b, _] = &alu.alpha.inputs;
            let x = self.signed(alu, a, 0, false)?;
            products.push((x, self.signed(alu, b, 0, false)?));
        }
        let addend = match dot {
            Dot::TwoAdd => Some(self.signed(alu, c, 2, false)?),
            Dot::Three | Dot::Four => None,
        };
        let row = self.row();
        let so_far = Signed {
            src: Src::Row(row),
            negate: false,
        };
        for (at, (x, y)) in products.iter().enumerate() {
            let spares = [self.row(), self.row()];
            if self.setup.zero_wins {
                let [x, y] = [(*x, 0), (*y, 1)]
                    .map(|(signed, at): (Signed, usize)| plain(&mut self.b, signed, spares[at]));
                match at {
                    0 => self.b.alu(FMulZero, row, &[x, y]),
                    _ => self.b.alu(FMadZero, row, &[x, y, so_far.src]),
                }
            } else if at == 0 {
                product(&mut self.b, row, *x, *y);
            } else {
                product_sum(&mut self.b, row, *x, *y, so_far, spares[0]);
            }
        }
        if let Some(addend) = addend {
            let spare = self.row();
            crate::isa::arithmetic::sum(&mut self.b, row, so_far, addend, spare);
        }
        Ok(Computed {
            value: so_far.src,
            sum: Some(Sum { products, addend }),
            flushed: false,
        })
    }

    /// A transcendental function of the alpha half. [R5XX 8.7.3]
    fn function(&mut self, alu: &Alu, function: Function) -> Result<Computed, LiftError> {
        let input = &alu.alpha.inputs[0];
        let x = self.input(alu, input, 0, false)?;
        let value = match function {
            Function::Lane(op) => self.op(op, &[x]),
            Function::Rsq => {
                // The sum turns -0 into +0.
                let x = match input.modifier {
                    Modifier::Abs => x,
                    _ => self.op(FAdd, &[x, ZERO]),
                };
                self.op(FRsq, &[x])
            }
            Function::Turns(op) => {
                // The lane operations end at 256 revolutions; above, the part of one is exact.
                let part = self.op(FFract, &[x]);
                let magnitude = self.op(FAbs, &[x]);
                compare(&mut self.b, FGt, TEMP, magnitude, float(256.0));
                let turns = self.row();
                select(&mut self.b, turns, TEMP, x, part);
                self.op(op, &[Src::Row(turns)])
            }
        };
        Ok(Computed {
            value,
            sum: None,
            flushed: false,
        })
    }
}

/// The product where one factor is 1.
fn times_one(x: Signed, y: Signed) -> Option<Signed> {
    let (one, other) = match (x.src, y.src) {
        (_, ONE) => (y, x),
        (ONE, _) => (x, y),
        _ => return None,
    };
    Some(Signed {
        src: other.src,
        negate: one.negate ^ other.negate,
    })
}

/// The row of source 0 that a derivative reads.
fn own_source(source: Source, channel: usize, sem: AluSem) -> Option<Vec<u16>> {
    match (sem, source) {
        (AluSem::Derivative(_), Source::Temp { relative: true, .. }) => None,
        (AluSem::Derivative(_), Source::Temp { at, .. }) => {
            Some(vec![4 * u16::from(at) + channel as u16])
        }
        _ => Some(Vec::new()),
    }
}

/// Two inputs that are the same in a channel.
fn same<const N: usize>(a: &Input<N>, b: &Input<N>, at: usize) -> bool {
    let of = |input: &Input<N>| (input.select, input.swizzle[at], input.modifier);
    of(a) == of(b)
}
