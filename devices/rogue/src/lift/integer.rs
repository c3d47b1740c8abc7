//! Integers of 8, 16, 32 and 64 bits. [Rogue 9.6, 9.7]

use lanes::LaneOp::*;
use lanes::Src;

use super::LiftError;
use super::flow::Lifter;
use crate::isa::Main;
use crate::isa::alu::{Alu, Modifiers, Narrow, Wide};

const ZERO: Src = Src::Const(0);

impl Lifter<'_> {
    /// An operand with its magnitude taken or its sign changed, in two's complement.
    fn integer(&mut self, source: Src, mods: Modifiers) -> Src {
        let source = match mods.abs {
            true => self.op(IAbs, &[source]),
            false => source,
        };
        match mods.neg {
            true => self.op(ISub, &[ZERO, source]),
            false => source,
        }
    }

    /// An operation on elements of words.
    pub(super) fn narrow(&mut self, alu: &Alu) -> Result<Src, LiftError> {
        let Alu::Narrow {
            op,
            signed,
            wide,
            sat,
            mods,
            elements,
        } = *alu
        else {
            return Ok(ZERO);
        };
        let bits = if wide { 16 } else { 8 };
        let mut operands = [ZERO; 3];
        let count = if op == Narrow::MAD { 3 } else { 2 };
        for n in 0..count {
            let source = self.source(n as u8)?;
            let element = self.element(source, elements[n], bits, signed);
            operands[n] = self.integer(element, mods[n]);
        }
        let [a, b, c] = operands;
        // Sums and products of elements fit 34 bits at most; only saturation looks beyond the low ones.
        if !sat {
            let value = match op {
                Narrow::ADD => self.op(IAdd, &[a, b]),
                Narrow::MUL => self.op(IMul, &[a, b]),
                Narrow::MAD => self.op(IMad, &[a, b, c]),
            };
            return Ok(self.element(value, 0, bits, signed));
        }
        let [least, most] = match signed {
            true => [-(1i32 << (bits - 1)), (1 << (bits - 1)) - 1],
            false => [0, (1 << bits) - 1],
        };
        let [least, most] = [least, most].map(|limit| Src::Const(limit as u32));
        let value = match op {
            Narrow::ADD => self.op(IAdd, &[a, b]),
            Narrow::MUL | Narrow::MAD => {
                let product = match signed || bits == 8 {
                    true => self.op(IMul, &[a, b]),
                    false => self.product_of_halves(elements, mods[0].neg)?,
                };
                match op {
                    Narrow::MAD => self.clamped_sum(product, c),
                    _ => product,
                }
            }
        };
        let value = self.op(IMax, &[value, least]);
        Ok(self.op(IMin, &[value, most]))
    }

    /// The product of two unsigned halves, which may need 32 bits, at most the largest signed number.
    fn product_of_halves(&mut self, elements: [u8; 3], negate: bool) -> Result<Src, LiftError> {
        let [a, b] = [0, 1].map(|n| self.source(n));
        let a = self.element(a?, elements[0], 16, false);
        let b = self.element(b?, elements[1], 16, false);
        let product = self.op(IMul, &[a, b]);
        let product = self.op(UMin, &[product, Src::Const(i32::MAX as u32)]);
        Ok(match negate {
            true => self.op(ISub, &[ZERO, product]),
            false => product,
        })
    }

    /// A sum that stays at the ends of the range.
    fn clamped_sum(&mut self, a: Src, b: Src) -> Src {
        let sum = self.op(IAdd, &[a, b]);
        let overflow = self.op(OverflowAdd, &[a, b]);
        // Overflow has the sign of the operands.
        let sign = self.op(Sar, &[a, Src::Const(31)]);
        let end = self.op(Xor, &[sign, Src::Const(i32::MAX as u32)]);
        self.op(Pick, &[end, sum, overflow])
    }

    /// Low and high word of the operation of phase 0; its carry is kept for TSTC.
    pub(super) fn integer_64(&mut self, main: &Main) -> Result<[Src; 2], LiftError> {
        let Some(Alu::Wide {
            op,
            signed,
            carry,
            mods,
        }) = main.p0
        else {
            return Ok([ZERO; 2]);
        };
        let mut s = [ZERO; 3];
        for (n, source) in s.iter_mut().enumerate() {
            let operand = self.source(n as u8)?;
            *source = self.integer(operand, mods[n]);
        }
        let carry = match carry {
            true => self.p0_bit(),
            false => ZERO,
        };
        let [low, high, add_low, add_high] = match op {
            Wide::MADD32 => [self.op(IMul, &[s[0], s[1]]), ZERO, s[2], ZERO],
            Wide::MADD64 => {
                let low = self.op(IMul, &[s[0], s[1]]);
                let op = if signed { IMulHigh } else { UMulHigh };
                let high = self.op(op, &[s[0], s[1]]);
                [low, high, s[2], self.source(main.selectors.is0)?]
            }
            Wide::ADD64 => [s[0], s[1], s[2], self.source(main.selectors.is0)?],
            Wide::ADD6432 => {
                let sign = match signed {
                    true => self.op(Sar, &[s[2], Src::Const(31)]),
                    false => ZERO,
                };
                [s[0], s[1], s[2], sign]
            }
        };
        let one_word = op == Wide::MADD32;
        if one_word && carry == ZERO && !self.tests_carry(main) {
            let low = self.op(IMad, &[s[0], s[1], s[2]]);
            return Ok([low, ZERO]);
        }
        let sum = self.op(IAdd, &[low, add_low]);
        let sum = match carry {
            ZERO => sum,
            carry => self.op(IAdd, &[sum, carry]),
        };
        let over = self.op(CarryAdd3, &[low, add_low, carry]);
        if one_word {
            self.carry = Some(over);
            return Ok([sum, ZERO]);
        }
        let upper = self.op(IAdd, &[high, add_high]);
        let upper = self.op(IAdd, &[upper, over]);
        if self.tests_carry(main) {
            let over = self.op(CarryAdd3, &[high, add_high, over]);
            self.carry = Some(over);
        }
        Ok([sum, upper])
    }

    fn tests_carry(&self, main: &Main) -> bool {
        let tst = main.p2.tst;
        tst.is_some_and(|tst| tst.op == crate::isa::phase2::Test::TSTC)
    }
}
