//! Arithmetic: floats, integers, conversions.

use ::rogue::isa::Format;
use ::rogue::isa::alu::{Alu, Float2, Modifiers, Single, Wide};
use ::rogue::isa::phase2::{Feed, Mov, Pck, Selectors};
use lanes::LaneOp;

use super::machine::{Class, Dst, MINUS_ZERO, Main, ONE, Operand, Phase, UNIT, ZERO, fed};
use super::select::{Select, Source, bypass};
use crate::codegen::Result;
use crate::ir::{Inst as IrInst, Type, Value};

/// Whether the operation takes sign changes of its operands along.
pub(super) fn takes_signs(op: LaneOp) -> bool {
    use LaneOp::*;
    matches!(
        op,
        FAdd | FSub
            | FMul
            | FMad
            | FRcp
            | FRsq
            | FLog2
            | FExp2
            | FSat
            | FMinLegacy
            | FMaxLegacy
            | F32ToI32
            | F32ToU32
            | F32ToF16
            | FEq
            | FNe
            | FLt
            | FLe
            | FGt
            | FGe
    )
}

const fn neg_if(neg: bool) -> Modifiers {
    Modifiers {
        floor: false,
        abs: false,
        neg,
    }
}

/// An operation on 32-bit integers.
const fn wide(op: Wide, signed: bool, mods: [Modifiers; 3]) -> Alu {
    Alu::Wide {
        op,
        signed,
        carry: false,
        mods,
    }
}

const PLAIN: Modifiers = neg_if(false);

impl Select<'_> {
    /// Selects an arithmetic instruction.
    pub(super) fn alu(&mut self, op: LaneOp, inst: &IrInst) -> Result<()> {
        use LaneOp::*;
        let result = inst.results[0];
        if !self.is_used(result) || self.is_absorbed(result) {
            return Ok(());
        }
        let args = &inst.args[..];
        if self.function.types[result.0 as usize] == Type::Bool {
            let found = self.compare(op, args)?;
            self.define(result, found);
            return Ok(());
        }
        let found = match op {
            Mov => self.word(args[0]),
            FNeg | FAbs => self.signed(result),
            FAdd | FSub | FMul | FMad => return self.float(op, result, args),
            FSat => match self.clamped_by(args[0]) {
                true => return Ok(()),
                false => {
                    let source = self.source(args[0]);
                    self.phase(add(source.mods(), true), vec![source.operand, MINUS_ZERO])
                }
            },
            FFloor => self.floored(args[0], false, MINUS_ZERO),
            FFractOne => {
                let word = self.word(args[0]);
                self.floored(args[0], true, word)
            }
            FRcp => self.single(Single::FRCP, args[0]),
            FRsq => self.single(Single::FRSQ, args[0]),
            FLog2 => self.single(Single::FLOG, args[0]),
            FExp2 => self.single(Single::FEXP, args[0]),
            FSinTurns | FCosTurns => self.turns(op == FCosTurns, args[0]),
            FMinLegacy | FMaxLegacy | IMin | IMax | UMin | UMax => self.extreme(op, args),
            IAdd | ISub | IMul | IMad | IAbs | UMulHigh | IMulHigh => self.integer(op, args),
            F32ToI32 => self.packed_value(args[0], Format::S32, true, None),
            F32ToU32 => self.packed_value(args[0], Format::U32, true, None),
            // The half is in both halves of FT2; the upper one comes from c0.
            F32ToF16 => self.packed_value(args[0], Format::F16F16, false, Some(3)),
            I32ToF32 => self.unpacked(args[0], Format::S32),
            U32ToF32 => self.unpacked(args[0], Format::U32),
            F16ToF32 => self.unpacked(args[0], Format::F16F16),
            _ => match self.bit_operation(op, args) {
                Some(found) => found,
                None => return Err(self.unsupported(format!("the operation {}", op.name()))),
            },
        };
        self.define(result, found);
        Ok(())
    }

    /// Whether the saturation of a value is part of the operation that makes it.
    fn clamped_by(&self, value: Value) -> bool {
        self.clamped(value).is_some()
    }

    /// Sums and products.
    fn float(&mut self, op: LaneOp, result: Value, args: &[Value]) -> Result<()> {
        let mut src: Vec<Source> = args.iter().map(|arg| self.source(*arg)).collect();
        if op == LaneOp::FSub {
            src[1].neg ^= true;
        }
        let clamp = self.clamped(result);
        let sat = clamp.is_some();
        let found = match op {
            LaneOp::FMad => self.mad(sat, [src[0], src[1], src[2]]),
            LaneOp::FMul => self.product(sat, src[0], src[1]),
            _ => self.sum(sat, src[0], src[1]),
        };
        self.define(clamp.unwrap_or(result), found);
        Ok(())
    }

    /// The second operand of a sum has no negation, and stands where shared registers do not.
    pub(super) fn sum(&mut self, sat: bool, mut a: Source, mut b: Source) -> Operand {
        let second = |s: Source| !s.neg && s.operand.class() != Class::Common;
        if !second(b) && second(a) {
            std::mem::swap(&mut a, &mut b);
        }
        if !second(b) {
            // As a product with 1, which is exact, and a sum.
            return self.mad(sat, [a, Source::plain(UNIT), b]);
        }
        let alu = Alu::Float2 {
            op: Float2::FADD,
            low: false,
            sat,
            a: a.mods(),
            b_abs: b.abs,
        };
        self.phase(alu, vec![a.operand, b.operand])
    }

    pub(super) fn product(&mut self, sat: bool, mut a: Source, mut b: Source) -> Operand {
        let neg = a.neg ^ b.neg;
        if b.operand.class() == Class::Common {
            std::mem::swap(&mut a, &mut b);
        }
        a.neg = neg;
        let alu = Alu::Float2 {
            op: Float2::FMUL,
            low: false,
            sat,
            a: a.mods(),
            b_abs: b.abs,
        };
        self.phase(alu, vec![a.operand, b.operand])
    }

    pub(super) fn mad(&mut self, sat: bool, [mut a, mut b, c]: [Source; 3]) -> Operand {
        if b.operand.class() == Class::Common {
            std::mem::swap(&mut a, &mut b);
        }
        a.neg ^= b.neg;
        b.neg = false;
        let alu = Alu::Fmad {
            low: false,
            sat,
            mods: [a, b, c].map(Source::mods),
        };
        self.phase(alu, [a, b, c].map(|source| source.operand).to_vec())
    }

    /// A word clamped to 0..1.
    pub(super) fn saturated(&mut self, word: Operand) -> Operand {
        self.phase(add(PLAIN, true), vec![word, MINUS_ZERO])
    }

    /// The floor of a value, negated if asked for, plus something.
    fn floored(&mut self, value: Value, neg: bool, plus: Operand) -> Operand {
        let word = self.word(value);
        let alu = Alu::Float2 {
            op: Float2::FADD,
            low: false,
            sat: false,
            a: Modifiers {
                floor: true,
                ..neg_if(neg)
            },
            b_abs: false,
        };
        self.phase(alu, vec![word, plus])
    }

    pub(super) fn single(&mut self, op: Single, value: Value) -> Operand {
        let source = self.source(value);
        self.phase(
            Alu::Single {
                op,
                mods: source.mods(),
            },
            vec![source.operand],
        )
    }

    /// Sine or cosine of turns: range reduction, then a quotient that is multiplied out again where P0 says so.
    fn turns(&mut self, cos: bool, value: Value) -> Operand {
        let source = self.source(value);
        let two_pi = Source::plain(super::machine::constant(131));
        let angle = self.product(false, source, two_pi);
        self.reduced(cos, angle)
    }

    // ---- integers ----

    fn integer(&mut self, op: LaneOp, args: &[Value]) -> Operand {
        let words: Vec<Operand> = args.iter().map(|arg| self.word(*arg)).collect();
        match op {
            LaneOp::IAdd => self.integer_sum(words[0], words[1], false),
            // S0 takes the negation.
            LaneOp::ISub => self.integer_sum(words[1], words[0], true),
            LaneOp::IMul => self.integer_product(words[0], words[1], ZERO),
            LaneOp::IMad => self.integer_product(words[0], words[1], words[2]),
            LaneOp::IAbs => {
                let abs = Modifiers { abs: true, ..PLAIN };
                let alu = wide(Wide::MADD32, true, [abs, PLAIN, PLAIN]);
                self.phase(alu, vec![words[0], ONE, ZERO])
            }
            _ => {
                let signed = op == LaneOp::IMulHigh;
                let (a, b) = ordered(words[0], words[1]);
                let mut src = vec![a, b, ZERO];
                self.place(&mut src);
                let unit = self.code.unit();
                let alu = wide(Wide::MADD64, signed, [PLAIN; 3]);
                self.main(Main {
                    p0: Some(Phase { alu, src }),
                    extra: Some(ZERO),
                    selectors: fed(Feed::FTE),
                    w: [Some(Dst::Unit(unit)), None],
                    ..Main::default()
                });
                Operand::Unit(unit)
            }
        }
    }

    /// `a + b`, or `b - a`.
    pub(super) fn integer_sum(&mut self, a: Operand, b: Operand, neg: bool) -> Operand {
        let alu = wide(Wide::MADD32, true, [neg_if(neg), PLAIN, PLAIN]);
        self.phase(alu, vec![a, ONE, b])
    }

    /// `a * b + c`
    pub(super) fn integer_product(&mut self, a: Operand, b: Operand, c: Operand) -> Operand {
        let (a, b) = ordered(a, b);
        self.phase(wide(Wide::MADD32, true, [PLAIN; 3]), vec![a, b, c])
    }

    /// A pair of units: 64 bits of `base` plus an offset; `base` are two shared registers.
    pub(super) fn address(&mut self, base: [Operand; 2], offset: Operand) -> u32 {
        let pair = self.code.row(2);
        let offset = self.fitting(offset, 0);
        self.main(Main {
            p0: Some(Phase {
                alu: wide(Wide::ADD64, false, [PLAIN; 3]),
                src: vec![offset, ZERO, base[0]],
            }),
            extra: Some(base[1]),
            selectors: Selectors {
                is5: Feed::FTE,
                ..Selectors::default()
            },
            w: [Some(Dst::Unit(pair)), Some(Dst::Unit(pair + 1))],
            ..Main::default()
        });
        pair
    }

    // ---- conversions ----

    fn packed_value(
        &mut self,
        value: Value,
        format: Format,
        zero: bool,
        mask: Option<u8>,
    ) -> Operand {
        let source = self.source(value);
        self.packed(source, format, zero, mask)
    }

    /// A word packed; of the bytes that `mask` leaves out, it has zeros.
    pub(super) fn packed(
        &mut self,
        source: Source,
        format: Format,
        zero: bool,
        mask: Option<u8>,
    ) -> Operand {
        let operand = self.fitting(source.operand, 0);
        let unit = self.code.unit();
        let mov = mask.map(|mask| Mov {
            conditional: false,
            mask,
            w0: Feed::FT2,
            w1: Feed::FT0,
        });
        self.main(Main {
            p0: Some(Phase {
                alu: bypass(source.mods()),
                src: vec![operand],
            }),
            pck: Some(Pck {
                format,
                prog: false,
                round_zero: zero,
                scale: false,
            }),
            mov,
            extra: mask.map(|_| ZERO),
            selectors: fed(if mask.is_some() { Feed::FTE } else { Feed::FT2 }),
            w: [Some(Dst::Unit(unit)), None],
            ..Main::default()
        });
        Operand::Unit(unit)
    }

    /// The first component as a float.
    pub(super) fn unpacked(&mut self, value: Value, format: Format) -> Operand {
        let word = self.word(value);
        let alu = Alu::Unpack {
            format,
            element: 0,
            scale: false,
        };
        self.phase(alu, vec![word])
    }
}

/// The second factor stands where shared registers do not.
fn ordered(a: Operand, b: Operand) -> (Operand, Operand) {
    match b.class() {
        Class::Common => (b, a),
        _ => (a, b),
    }
}

/// FADD with modifiers of its first source.
const fn add(a: Modifiers, sat: bool) -> Alu {
    Alu::Float2 {
        op: Float2::FADD,
        low: false,
        sat,
        a,
        b_abs: false,
    }
}

impl Select<'_> {
    /// The difference between neighbours of the quad.
    pub(super) fn derivative(
        &mut self,
        inst: &IrInst,
        axis: crate::ir::Axis,
        detail: crate::ir::Detail,
    ) {
        use crate::ir::{Axis, Detail};
        let result = inst.results[0];
        if !self.is_used(result) {
            return;
        }
        let op = match (axis, detail) {
            (Axis::X, Detail::Coarse) => Single::FDSX,
            (Axis::Y, Detail::Coarse) => Single::FDSY,
            (Axis::X, Detail::Fine) => Single::FDSXF,
            (Axis::Y, Detail::Fine) => Single::FDSYF,
        };
        let word = self.word(inst.args[0]);
        let mods = PLAIN;
        let found = self.phase(Alu::Single { op, mods }, vec![word]);
        self.define(result, found);
    }
}
