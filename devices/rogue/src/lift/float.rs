//! Phases 0 and 1: floats, moves, derivatives. [Rogue 9.1, 9.4]

use lanes::LaneOp::*;
use lanes::Src;

use super::constants::constant;
use super::flow::Lifter;
use super::network::Feeds;
use super::{LiftError, PREDICATE};
use crate::isa::alu::{Alu, Float2, Modifiers, Single};

/// Whether FMAD rounds once, at the end. The guide leaves it open.
const FUSED: bool = false;

/// What changes no number that it is added to.
const MINUS_ZERO: u32 = 1 << 31;

impl Lifter<'_> {
    /// The result of an operation whose sources start at slot `first`.
    pub(super) fn alu(
        &mut self,
        alu: &Alu,
        first: u8,
        step: u16,
        feeds: &mut Feeds,
    ) -> Result<Src, LiftError> {
        match *alu {
            Alu::Float2 {
                op, sat, a, b_abs, ..
            } => {
                let (x, neg) = self.operand(first, a)?;
                let b = Modifiers {
                    abs: b_abs,
                    ..Modifiers::default()
                };
                let (y, _) = self.operand(first + 1, b)?;
                // Clamping what nothing is added to; a NaN becomes zero in any case.
                if (op, neg, sat, y) == (Float2::FADD, false, true, Src::Const(MINUS_ZERO)) {
                    return Ok(self.op(FSat, &[x]));
                }
                let value = match (op, neg) {
                    (Float2::FADD, false) => self.op(FAddFlush, &[x, y]),
                    (Float2::FADD, true) => self.op(FSubFlush, &[y, x]),
                    (Float2::FMUL, neg) => {
                        let x = self.negated(x, neg);
                        self.op(FMulFlush, &[x, y])
                    }
                };
                Ok(self.saturated(value, sat))
            }
            Alu::Fmad { sat, mods, .. } => {
                let (a, a_neg) = self.operand(first, mods[0])?;
                let (b, b_neg) = self.operand(first + 1, mods[1])?;
                let (c, c_neg) = self.operand(first + 2, mods[2])?;
                let c = self.negated(c, c_neg);
                let value = match a_neg ^ b_neg {
                    _ if FUSED => {
                        let a = self.negated(a, a_neg ^ b_neg);
                        let value = self.op(FFma, &[a, b, c]);
                        self.op(FFlush, &[value])
                    }
                    false => self.op(FMadFlush, &[a, b, c]),
                    true => self.op(FMadNegFlush, &[a, b, c]),
                };
                Ok(self.saturated(value, sat))
            }
            Alu::Single { op, mods } => self.single(op, mods, first),
            Alu::Gamma { expand, mods } => {
                let (x, neg) = self.operand(first, mods)?;
                let x = self.negated(x, neg);
                Ok(match expand {
                    true => self.expand(x),
                    false => self.compress(x),
                })
            }
            Alu::Fred { cos, p0, mods, .. } => {
                let (x, neg) = self.operand(first, mods)?;
                let x = self.negated(x, neg);
                let reduced = match cos {
                    true => self.op(FQuarterCos, &[x]),
                    false => self.op(FQuarterSin, &[x]),
                };
                // One part is enough, so that the other carries the angle on.
                feeds.w = Some([reduced, x]);
                if p0 {
                    let none = self.mask();
                    self.set(none, 0);
                    self.set_predicate(none);
                }
                Ok(reduced)
            }
            Alu::Unpack {
                format,
                element,
                scale,
            } => {
                let source = self.source(first)?;
                self.unpack(format, element + step as u8, scale, source)
            }
            Alu::Narrow { .. } => self.narrow(alu),
            Alu::Wide { .. } => Err(self.meaningless("an integer operation of phase 1")),
        }
    }

    /// A float operand: flushed, rounded down, without its sign; and whether its sign is to change.
    fn operand(&mut self, at: u8, mods: Modifiers) -> Result<(Src, bool), LiftError> {
        let source = self.source(at)?;
        let mut source = self.float(source);
        if mods.floor {
            source = self.op(FFloor, &[source]);
        }
        if mods.abs {
            source = self.op(FAbs, &[source]);
        }
        Ok((source, mods.neg))
    }

    pub(super) fn negated(&mut self, source: Src, neg: bool) -> Src {
        match neg {
            true => self.op(FNeg, &[source]),
            false => source,
        }
    }

    fn saturated(&mut self, value: Src, sat: bool) -> Src {
        match sat {
            true => self.op(FSat, &[value]),
            false => value,
        }
    }

    fn single(&mut self, op: Single, mods: Modifiers, first: u8) -> Result<Src, LiftError> {
        let function = match op {
            Single::MBYP => {
                let source = self.source(first)?;
                return Ok(self.bits(source, mods));
            }
            Single::FDSX => return self.derivative(first, mods, [[1; 4], [0; 4]]),
            Single::FDSY => return self.derivative(first, mods, [[2; 4], [0; 4]]),
            Single::FDSXF => return self.derivative(first, mods, [[1, 1, 3, 3], [0, 0, 2, 2]]),
            Single::FDSYF => return self.derivative(first, mods, [[2, 3, 2, 3], [0, 1, 0, 1]]),
            Single::FRCP => FRcp,
            Single::FRSQ => FRsq,
            Single::FLOG | Single::FLOGCN => FLog2,
            Single::FEXP => FExp2,
            Single::FSINC => FQuarterSinc,
            Single::FARCTANC => FArcTanC,
        };
        let (x, neg) = self.operand(first, mods)?;
        let x = self.negated(x, neg);
        let value = self.op(function, &[x]);
        if let Src::Row(row) = value {
            let of_root = matches!(x, Src::Row(from) if self.roots.contains(&from));
            match function {
                FRsq => _ = self.roots.insert(row),
                FRcp if of_root => _ = self.clean.insert(row),
                _ => {}
            }
        }
        if op == Single::FSINC {
            let number = self.mask();
            self.compare(number, FOrdered, x, x);
            self.set_predicate(number);
        }
        Ok(self.float(value))
    }

    /// Bits with their sign changed.
    pub(super) fn bits(&mut self, source: Src, mods: Modifiers) -> Src {
        let source = match mods.abs {
            true => self.op(FAbs, &[source]),
            false => source,
        };
        self.negated(source, mods.neg)
    }

    /// The difference of two pixels of the quad. Pixels that are off have their values, too.
    fn derivative(
        &mut self,
        first: u8,
        mods: Modifiers,
        pixels: [[u8; 4]; 2],
    ) -> Result<Src, LiftError> {
        let source = self.source(first)?;
        let [there, here] = pixels.map(|lanes| {
            let value = self.quad(source, lanes);
            let value = self.op(FFlush, &[value]);
            self.bits(value, mods)
        });
        Ok(self.op(FSubFlush, &[there, here]))
    }

    /// `c[number]` as an operand.
    fn special(number: u16) -> Src {
        Src::Const(constant(number))
    }

    /// Linear to sRGB.
    fn compress(&mut self, x: Src) -> Src {
        let curve = self.power(x, Self::special(138));
        let offset = self.op(FNeg, &[Self::special(140)]);
        let curve = self.op(FMadFlush, &[Self::special(139), curve, offset]);
        let line = self.op(FMulFlush, &[x, Self::special(137)]);
        self.below(x, Self::special(136), line, curve)
    }

    /// sRGB to linear.
    fn expand(&mut self, x: Src) -> Src {
        let base = self.op(FAddFlush, &[x, Self::special(140)]);
        let base = self.op(FMulFlush, &[base, Self::special(158)]);
        let curve = self.power(base, Self::special(159));
        let line = self.op(FMulFlush, &[x, Self::special(157)]);
        self.below(x, Self::special(156), line, curve)
    }

    fn power(&mut self, x: Src, exponent: Src) -> Src {
        let log = self.op(FLog2, &[x]);
        let product = self.op(FMulFlush, &[log, exponent]);
        let value = self.op(FExp2, &[product]);
        self.op(FFlush, &[value])
    }

    /// `line` where `x` is at most `limit`, else `curve`.
    fn below(&mut self, x: Src, limit: Src, line: Src, curve: Src) -> Src {
        let low = self.mask();
        self.compare(low, FLe, x, limit);
        self.select(low, curve, line)
    }

    /// 0 or 1 for P0 of each lane.
    pub(super) fn p0_bit(&mut self) -> Src {
        self.select(PREDICATE, Src::Const(0), Src::Const(1))
    }
}
