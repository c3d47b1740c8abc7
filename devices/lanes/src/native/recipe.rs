//! How machine code computes an operation: one row per operation. What has no row runs as the interpreter's kernel.

use super::assembler::*;
use super::emitter::Emitter;
use crate::op::{LaneOp, Operand as Kind};
use crate::step::Src;

/// How an operation is computed.
#[derive(Clone, Copy)]
pub(super) enum How {
    /// The operand as it is.
    Move,
    /// One instruction of one operand.
    One(Instruction, Option<u8>),
    /// One instruction of two operands; whether they may change places.
    Two(Instruction, bool),
    /// One instruction of the operand and a constant.
    With(Instruction, u32),
    /// The product of the first two, rounded; then one more instruction with the third, which may be the first operand of
    /// that (`true`).
    Product(Instruction, bool),
    /// A comparison as 0 or 1.
    Compared,
    /// Instructions that end in another register than those of operands.
    Many(fn(&mut Emitter<'_>, [Src; 3], Zmm)),
}

/// An operation's row.
#[derive(Clone, Copy)]
pub(super) struct Recipe {
    pub(super) how: How,
    /// Operands, by bits, of which it counts which NaN they are: all that are not floats, unless NaN passes.
    pub(super) exact: u8,
    /// Which NaN the result is.
    pub(super) nan: Nan,
    /// Denormal results become zero.
    pub(super) flush: bool,
    /// About how many instructions there are besides.
    instructions: usize,
}

/// Which NaN a result may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Nan {
    /// What the operation says.
    Exact,
    /// Any, for the one that arithmetic gives.
    Any,
    /// What the operand of this number is.
    Of(u8),
}

impl Recipe {
    /// About how many instructions it takes.
    pub(super) fn cost(&self) -> usize {
        let flush = if self.flush { 2 } else { 0 };
        flush + self.instructions
    }
}

impl How {
    const fn instructions(&self) -> usize {
        match self {
            How::Move | How::One(..) | How::Two(..) | How::With(..) => 1,
            How::Product(..) | How::Compared => 2,
            How::Many(_) => 6,
        }
    }
}

const fn float(how: How) -> Option<Recipe> {
    Some(Recipe {
        instructions: how.instructions(),
        how,
        exact: 0,
        nan: Nan::Any,
        flush: false,
    })
}

/// The same of many more instructions than others have.
const fn long(instructions: usize, how: How) -> Option<Recipe> {
    Some(Recipe {
        how,
        exact: 0,
        nan: Nan::Any,
        flush: false,
        instructions,
    })
}

const fn flushed(how: How) -> Option<Recipe> {
    Some(Recipe {
        instructions: how.instructions(),
        how,
        exact: 0,
        nan: Nan::Any,
        flush: true,
    })
}

/// Floats to what is never NaN.
const fn number(how: How) -> Option<Recipe> {
    Some(Recipe {
        instructions: how.instructions(),
        how,
        exact: 0,
        nan: Nan::Exact,
        flush: false,
    })
}

const fn bits(how: How) -> Option<Recipe> {
    Some(Recipe {
        instructions: how.instructions(),
        how,
        exact: 7,
        nan: Nan::Exact,
        flush: false,
    })
}

const fn passing(how: How, exact: u8, of: u8) -> Option<Recipe> {
    Some(Recipe {
        instructions: how.instructions(),
        how,
        exact,
        nan: Nan::Of(of),
        flush: false,
    })
}

/// Roundings of [`ROUND_F`], without exceptions.
const EVEN: u8 = 8;
const DOWN: u8 = 9;
const UP: u8 = 10;
const ZERO: u8 = 11;

pub(super) const SIGN: u32 = 1 << 31;
pub(super) const ONE: u32 = 0x3f80_0000;

/// Registers for what lives within an operation only.
pub(super) const T: [Zmm; 6] = [26, 27, 28, 29, 30, 31];
pub(super) const K: [u8; 2] = [6, 7];

/// Minimum and maximum: the instruction, how it combines zeros, and the zero that wins.
pub(super) type Extreme = (Instruction, Instruction, u32);
const MIN: Extreme = (MIN_F, OR, SIGN);
const MAX: Extreme = (MAX_F, AND, 0);

/// A product that is added to.
pub(super) const PRODUCT: Zmm = T[0];

/// Predicates of [`COMPARE_F`].
pub(super) const EQ: u8 = 0;
pub(super) const LT: u8 = 1;
pub(super) const UNORDERED: u8 = 3;
pub(super) const NE: u8 = 4;
pub(super) const GE: u8 = 13;
pub(super) const GT: u8 = 14;

/// A comparison: its instruction and predicate.
pub(super) fn comparison(op: LaneOp) -> Option<(Instruction, u8)> {
    use LaneOp::*;
    Some(match op {
        FEq => (COMPARE_F, EQ),
        FNe => (COMPARE_F, NE),
        FLt => (COMPARE_F, LT),
        FLe => (COMPARE_F, 2),
        FGt => (COMPARE_F, GT),
        FGe => (COMPARE_F, GE),
        FLg => (COMPARE_F, 12),
        FOrdered => (COMPARE_F, 7),
        FUnordered => (COMPARE_F, UNORDERED),
        FNge => (COMPARE_F, 9),
        FNlg => (COMPARE_F, 8),
        FNgt => (COMPARE_F, 10),
        FNle => (COMPARE_F, 6),
        FNlt => (COMPARE_F, 5),
        IEq => (COMPARE_I, 0),
        INe => (COMPARE_I, 4),
        ILt => (COMPARE_I, 1),
        ILe => (COMPARE_I, 2),
        IGt => (COMPARE_I, 6),
        IGe => (COMPARE_I, 5),
        ULt => (COMPARE_U, 1),
        ULe => (COMPARE_U, 2),
        UGt => (COMPARE_U, 6),
        UGe => (COMPARE_U, 5),
        _ => return None,
    })
}

/// A constant operand that is a number other than zero.
pub(super) fn is_number(src: Src) -> bool {
    matches!(src, Src::Const(bits) if bits << 1 != 0 && bits & 0x7fff_ffff <= 0x7f80_0000)
}

/// A constant operand.
fn constant(src: Src) -> Option<u32> {
    match src {
        Src::Const(value) => Some(value),
        _ => None,
    }
}

/// The row of an operation with these operands.
pub(super) fn recipe(op: LaneOp, src: [Src; 3]) -> Option<Recipe> {
    let mut found = row(op, src)?;
    // It is told by what is NaN, not by its bits.
    let blind = op == LaneOp::FFlushNan;
    if !matches!(found.nan, Nan::Of(_)) && !blind {
        for (n, operand) in op.params().iter().enumerate() {
            found.exact |= u8::from(*operand != Kind::F32) << n;
        }
    }
    Some(found)
}

fn row(op: LaneOp, src: [Src; 3]) -> Option<Recipe> {
    use How::*;
    use LaneOp::*;
    match op {
        Mov => passing(Move, 0, 0),
        And => bits(Two(AND, true)),
        Or => bits(Two(OR, true)),
        Xor => bits(Two(XOR, true)),
        Not => bits(With(XOR, u32::MAX)),
        AndNot => bits(Many(|e, [a, b, _], out| e.two(AND_OF_NOT, out, b, a))),
        OrNot => bits(Many(|e, [a, b, _], out| {
            e.with(XOR, T[0], b, u32::MAX);
            e.two(OR, out, a, Place::Zmm(T[0]));
        })),
        Bfi => bits(Many(|e, [a, b, c], out| {
            e.one(LOAD, out, a, None);
            let (b, c) = (e.reg(b), e.place(c));
            e.vector(TERNARY, ALL, (out, b), c, Some(0xca));
        })),
        Shl => bits(Many(|e, src, out| e.shift((6, SHL), src, out, true))),
        Shr => bits(Many(|e, src, out| e.shift((2, SHR), src, out, true))),
        Sar => bits(Many(|e, src, out| e.shift((4, SAR), src, out, true))),
        ShlOver => bits(Many(|e, src, out| e.shift((6, SHL), src, out, false))),
        ShrOver => bits(Many(|e, src, out| e.shift((2, SHR), src, out, false))),
        SarOver => bits(Many(|e, src, out| e.shift((4, SAR), src, out, false))),
        BfeU if constant(src[1]).is_some() && constant(src[2]).is_some() => {
            bits(Many(|e, [a, b, c], out| {
                let [b, c] = [b, c].map(|src| constant(src).unwrap_or(0) & 31);
                e.shifted(2, out, a, b as u8);
                e.with(AND, out, Place::Zmm(out), (1 << c) - 1);
            }))
        }
        BfeI if constant(src[1]).is_some() && constant(src[2]).is_some_and(|c| c & 31 != 0) => {
            bits(Many(|e, [a, b, c], out| {
                let [b, c] = [b, c].map(|src| constant(src).unwrap_or(0) & 31);
                // The field to the top, then down again.
                let above = 32u32.saturating_sub(b + c);
                e.shifted(6, out, a, above as u8);
                e.shifted(4, out, Place::Zmm(out), (above + b) as u8);
            }))
        }
        AlignBit if constant(src[2]).is_some() => bits(Many(|e, [a, b, c], out| {
            let by = (constant(c).unwrap_or(0) & 31) as u8;
            e.shifted(2, T[0], b, by);
            e.shifted(6, T[1], a, 32 - by);
            e.two(OR, out, Place::Zmm(T[0]), Place::Zmm(T[1]));
        })),
        Bfm => bits(Many(|e, [a, b, _], out| {
            e.with(AND, T[0], a, 31);
            e.vector(BROADCAST, ALL, (T[1], 0), Place::Const(1), None);
            e.two(SHL, T[0], Place::Zmm(T[1]), Place::Zmm(T[0]));
            e.two(SUB, T[0], Place::Zmm(T[0]), Place::Zmm(T[1]));
            e.with(AND, T[1], b, 31);
            e.two(SHL, out, Place::Zmm(T[0]), Place::Zmm(T[1]));
        })),
        BitCount => bits(Many(|e, [a, b, _], out| {
            e.ones(a, T[0]);
            e.two(ADD, out, Place::Zmm(T[0]), b);
        })),
        BitReverse => bits(Many(|e, [a, ..], out| e.reverse(a, out))),
        FirstHighU => bits(Many(|e, [a, ..], out| e.above_highest(a, out))),
        FirstHighI => bits(Many(|e, [a, ..], out| {
            e.shifted(4, T[0], a, 31);
            e.two(XOR, T[0], a, Place::Zmm(T[0]));
            e.above_highest(Place::Zmm(T[0]), out);
        })),
        FirstLow => bits(Many(|e, [a, ..], out| {
            e.two(XOR, T[0], Place::Zmm(T[0]), Place::Zmm(T[0]));
            e.two(SUB, T[0], Place::Zmm(T[0]), a);
            e.two(AND, T[0], a, Place::Zmm(T[0]));
            // 31 less 32 where there is none.
            e.one(LEADING_ZEROS, T[0], Place::Zmm(T[0]), None);
            e.vector(BROADCAST, ALL, (T[1], 0), Place::Const(31), None);
            e.two(SUB, out, Place::Zmm(T[1]), Place::Zmm(T[0]));
        })),
        Pick => bits(Many(|e, [a, b, c], out| {
            let c = e.reg(c);
            e.vector(TEST, ALL, (K[0], c), Place::Zmm(c), None);
            let (b, a) = (e.reg(b), e.place(a));
            e.vector(BLEND, only(K[0]), (out, b), a, None);
        })),
        IAdd => bits(Two(ADD, true)),
        ISub => bits(Two(SUB, false)),
        IMul => bits(Two(MUL, true)),
        IMad => bits(Many(|e, [a, b, c], out| {
            e.two(MUL, T[0], a, b);
            e.two(ADD, out, Place::Zmm(T[0]), c);
        })),
        UMul24 => bits(Many(|e, src, out| e.product_24(2, src, out))),
        IMul24 => bits(Many(|e, src, out| e.product_24(4, src, out))),
        UMad24 => bits(Many(|e, src, out| {
            e.product_24(2, src, T[2]);
            e.two(ADD, out, Place::Zmm(T[2]), src[2]);
        })),
        IMad24 => bits(Many(|e, src, out| {
            e.product_24(4, src, T[2]);
            e.two(ADD, out, Place::Zmm(T[2]), src[2]);
        })),
        UMulHigh => bits(Many(|e, src, out| e.high(MUL_EVEN_U, src, out))),
        IMulHigh => bits(Many(|e, src, out| e.high(MUL_EVEN_I, src, out))),
        IMin => bits(Two(MIN_I, true)),
        IMax => bits(Two(MAX_I, true)),
        UMin => bits(Two(MIN_U, true)),
        UMax => bits(Two(MAX_U, true)),
        IMin3 => bits(Many(|e, src, out| e.two_of_three(MIN_I, src, out))),
        IMax3 => bits(Many(|e, src, out| e.two_of_three(MAX_I, src, out))),
        UMin3 => bits(Many(|e, src, out| e.two_of_three(MIN_U, src, out))),
        UMax3 => bits(Many(|e, src, out| e.two_of_three(MAX_U, src, out))),
        IMed3 => bits(Many(|e, src, out| e.median((MIN_I, MAX_I), src, out))),
        UMed3 => bits(Many(|e, src, out| e.median((MIN_U, MAX_U), src, out))),
        IAbs => bits(One(ABS, None)),

        FAdd => float(Two(ADD_F, true)),
        FSub => float(Two(SUB_F, false)),
        FMul => float(Two(MUL_F, true)),
        FAddFlush => flushed(Two(ADD_F, true)),
        FSubFlush => flushed(Two(SUB_F, false)),
        FMulFlush => flushed(Two(MUL_F, true)),
        FMulNeg => float(Many(|e, [a, b, _], out| {
            e.two(MUL_F, T[0], a, b);
            e.with(XOR, out, Place::Zmm(T[0]), SIGN);
        })),
        FMad => float(Product(ADD_F, false)),
        FMadSub => float(Product(SUB_F, false)),
        FMadNeg => float(Product(SUB_F, true)),
        FMadFlush => flushed(Product(ADD_F, false)),
        FMadNegFlush => flushed(Product(SUB_F, true)),
        FMulZero => float(Many(|e, [a, b, _], out| e.product_zero(a, b, out))),
        FMadZero => float(Many(|e, [a, b, c], out| {
            e.product_zero(a, b, T[2]);
            e.two(ADD_F, out, Place::Zmm(T[2]), c);
        })),
        FFma => float(Many(|e, src, out| e.fused(FMA_213, src, out))),
        FFmaNeg => float(Many(|e, src, out| e.fused(FNMA_213, src, out))),
        FFmaSub => float(Many(|e, src, out| e.fused(FMS_213, src, out))),
        FNeg => bits(With(XOR, SIGN)),
        // What arithmetic's NaN becomes is itself.
        FAbs => passing(With(AND, !SIGN), 0, 0),
        FMin => extreme(src, Many(|e, [a, b, _], out| e.extreme(MIN, a, b, out))),
        FMax => extreme(src, Many(|e, [a, b, _], out| e.extreme(MAX, a, b, out))),
        // The second operand where one is NaN or both are zeros.
        FMinLegacy => passing(Two(MIN_F, false), 0, 1),
        FMaxLegacy => passing(
            Many(|e, [a, b, _], out| {
                let (a, b) = (e.reg(a), e.place(b));
                e.vector(COMPARE_F, ALL, (K[0], a), b, Some(GE));
                e.one(LOAD, out, b, None);
                e.vector(LOAD, only(K[0]), (out, 0), Place::Zmm(a), None);
            }),
            0,
            1,
        ),
        FMed3 if clamps(src).is_none() => float(Many(|e, src, out| e.median_of_floats(src, out))),
        FMed3 => clamps(src).and_then(|_| {
            number(Many(|e, src, out| {
                let Some([low, high]) = clamps(src) else {
                    return;
                };
                // The lower bound where the operand is NaN or equal.
                e.two(MAX_F, T[0], src[0], Src::Const(low));
                e.two(MIN_F, out, Place::Zmm(T[0]), Src::Const(high));
            }))
        }),
        FSat => number(Many(|e, [a, ..], out| e.saturate(a, out))),
        FSatKeep => float(Many(|e, [a, ..], out| {
            e.saturate(a, out);
            e.keep_nan(a, out);
        })),
        FFlush => Some(Recipe {
            flush: true,
            ..passing(Move, 0, 0)?
        }),
        FFloor => float(One(ROUND_F, Some(DOWN))),
        FCeil => float(One(ROUND_F, Some(UP))),
        FTrunc => float(One(ROUND_F, Some(ZERO))),
        FRound => float(One(ROUND_F, Some(EVEN))),
        FFract => float(Many(|e, [a, ..], out| {
            e.one(ROUND_F, T[0], a, Some(DOWN));
            e.two(SUB_F, out, a, Place::Zmm(T[0]));
            e.vector(COMPARE_F, ALL, (K[0], out), Place::Const(ONE), Some(GE));
            e.vector(BROADCAST, only(K[0]), (out, 0), Place::Const(ONE - 1), None);
        })),
        FFractOne => float(Many(|e, [a, ..], out| {
            e.one(ROUND_F, T[0], a, Some(DOWN));
            e.two(SUB_F, out, a, Place::Zmm(T[0]));
        })),
        FRcp => float(Many(|e, [a, ..], out| {
            // No operand of the step: a register that holds one could be given up for those.
            e.vector(BROADCAST, ALL, (T[0], 0), Place::Const(ONE), None);
            e.two(DIV_F, out, Place::Zmm(T[0]), a);
        })),
        FDiv => float(Two(DIV_F, false)),
        FSqrt => float(One(SQRT_F, None)),
        FRsq => long(20, Many(|e, [a, ..], out| e.reciprocal_root(a, out))),
        FExp2 => long(32, Many(|e, [a, ..], out| e.exponential(a, out))),
        FLog2 => long(44, Many(|e, [a, ..], out| e.logarithm(a, out))),
        FSinTurns => long(44, Many(|e, [a, ..], out| e.sine_of_turns(a, false, out))),
        FCosTurns => long(44, Many(|e, [a, ..], out| e.sine_of_turns(a, true, out))),

        FLdexp => float(Many(|e, [a, b, _], out| {
            e.one(I32_TO_F32, T[0], b, None);
            e.two(SCALE, out, a, Place::Zmm(T[0]));
        })),
        FFrexpExp => number(Many(|e, [a, ..], out| {
            e.exponent(a, T[0]);
            e.vector(F32_TO_I32, zeroing(K[0]), (out, 0), Place::Zmm(T[0]), None);
            e.vector(ADD, only(K[0]), (out, out), Place::Const(1), None);
        })),
        // NaN keeps its bits.
        FFrexpMant => passing(
            Many(|e, [a, ..], out| {
                e.exponent(a, T[0]);
                let a = Place::Zmm(e.reg(a));
                e.vector(LOAD, ALL, (out, 0), a, None);
                // In 1/2..1, with the sign.
                e.vector(MANTISSA, only(K[0]), (out, 0), a, Some(2));
            }),
            0,
            0,
        ),
        FMin3 => float(Many(|e, src, out| e.extreme_of_three(MIN, src, out))),
        FMax3 => float(Many(|e, src, out| e.extreme_of_three(MAX, src, out))),

        I32ToF32 => number(One(I32_TO_F32, None)),
        U32ToF32 => number(One(U32_TO_F32, None)),
        CubeId => number(Many(|e, src, out| e.cube_face(src, out))),
        CubeSc => float(Many(|e, src, out| e.cube_column(src, out))),
        CubeTc => float(Many(|e, src, out| e.cube_row(src, out))),
        CubeMa => float(Many(|e, src, out| e.cube_major(src, out))),

        F32ToI32 => number(Many(|e, [a, ..], out| {
            let a = e.reg(a);
            e.integer(a, out);
        })),
        F32ToI32Floor => number(Many(|e, [a, ..], out| {
            e.one(ROUND_F, T[0], a, Some(DOWN));
            e.integer(T[0], out);
        })),
        F32ToI32Round => number(Many(|e, [a, ..], out| {
            e.two(ADD_F, T[0], a, Src::Const(0x3f00_0000));
            e.one(ROUND_F, T[0], Place::Zmm(T[0]), Some(DOWN));
            e.integer(T[0], out);
        })),
        F32ToI32Wrap => number(Many(|e, [a, ..], out| {
            let a = Place::Zmm(e.reg(a));
            // The exponent counts bits that the mantissa goes up, or down: shifts by 32 and more, also by negative numbers,
            // leave nothing.
            e.shifted(2, T[0], a, 23);
            e.with(AND, T[0], Place::Zmm(T[0]), 0xff);
            e.with(ADD, T[0], Place::Zmm(T[0]), 150u32.wrapping_neg());
            e.with(AND, T[1], a, 0x7f_ffff);
            e.with(OR, T[1], Place::Zmm(T[1]), 0x80_0000);
            e.two(SHL, T[2], Place::Zmm(T[1]), Place::Zmm(T[0]));
            e.two(XOR, T[3], Place::Zmm(T[3]), Place::Zmm(T[3]));
            e.two(SUB, T[0], Place::Zmm(T[3]), Place::Zmm(T[0]));
            e.two(SHR, T[1], Place::Zmm(T[1]), Place::Zmm(T[0]));
            e.two(OR, T[1], Place::Zmm(T[1]), Place::Zmm(T[2]));
            e.shifted(4, T[0], a, 31);
            e.two(XOR, T[1], Place::Zmm(T[1]), Place::Zmm(T[0]));
            e.two(SUB, out, Place::Zmm(T[1]), Place::Zmm(T[0]));
        })),
        F32ToU32 => number(Many(|e, [a, ..], out| {
            // 0 for NaN; all ones for what is too large.
            e.two(MAX_F, T[0], a, Src::Const(0));
            e.one(F32_TO_U32, out, Place::Zmm(T[0]), None);
        })),
        F16ToF32 => float(Many(|e, [a, ..], out| {
            // Halves side by side.
            let a = e.reg(a);
            e.vector(WORDS_OF, ALL, (a, 0), Place::Zmm(T[0]), None);
            e.one(F16_TO_F32, out, Place::Zmm(T[0]), None);
        })),
        F32ToF16 => bits(Many(|e, [a, ..], out| e.half(a, 0, out))),
        PackHalfZero => bits(Many(|e, [a, b, _], out| {
            e.half(a, 3, T[2]);
            e.half(b, 3, T[3]);
            e.halves(T[2], T[3], out);
        })),
        PackU16 => bits(Many(|e, [a, b, _], out| {
            e.with(MIN_U, T[2], a, 0xffff);
            e.with(MIN_U, T[3], b, 0xffff);
            e.halves(T[2], T[3], out);
        })),
        PackI16 => bits(Many(|e, [a, b, _], out| {
            for (t, src) in [(T[2], a), (T[3], b)] {
                e.with(MIN_I, t, src, 0x7fff);
                e.with(MAX_I, t, Place::Zmm(t), 0x8000u32.wrapping_neg());
            }
            e.with(AND, T[2], Place::Zmm(T[2]), 0xffff);
            e.halves(T[2], T[3], out);
        })),
        PackUnorm16 => bits(Many(|e, [a, b, _], out| {
            e.normalized((0.0, 65535.0), a, T[2]);
            e.normalized((0.0, 65535.0), b, T[3]);
            e.halves(T[2], T[3], out);
        })),
        PackSnorm16 => bits(Many(|e, [a, b, _], out| {
            e.normalized((-1.0, 32767.0), a, T[2]);
            e.normalized((-1.0, 32767.0), b, T[3]);
            e.with(AND, T[2], Place::Zmm(T[2]), 0xffff);
            e.halves(T[2], T[3], out);
        })),
        PackU8 if constant(src[1]).is_some() => bits(Many(|e, [a, b, c], out| {
            let by = 8 * (constant(b).unwrap_or(0) & 3);
            e.two(MAX_F, T[0], a, Src::Const(0));
            e.two(MIN_F, T[0], Place::Zmm(T[0]), Src::Const(255f32.to_bits()));
            e.one(F32_TO_I32, T[0], Place::Zmm(T[0]), None);
            e.shifted(6, T[0], Place::Zmm(T[0]), by as u8);
            e.with(AND, T[1], c, !(0xff << by));
            e.two(OR, out, Place::Zmm(T[0]), Place::Zmm(T[1]));
        })),
        PackUnorm if constant(src[1]).is_some() => number(Many(|e, [a, b, c], out| {
            let b = constant(b).unwrap_or(0);
            e.unorm((b & 31).min(16), b >> 8 & 31, a, c, out);
        })),
        Byte0ToF32 => number(Many(|e, [a, ..], out| e.byte(a, 0, out))),
        Byte1ToF32 => number(Many(|e, [a, ..], out| e.byte(a, 8, out))),
        Byte2ToF32 => number(Many(|e, [a, ..], out| e.byte(a, 16, out))),
        Byte3ToF32 => number(Many(|e, [a, ..], out| e.byte(a, 24, out))),
        FFlushNan => number(Many(|e, [a, ..], out| {
            e.one(LOAD, out, a, None);
            e.flush(out);
            e.vector(
                COMPARE_F,
                ALL,
                (K[0], out),
                Place::Zmm(out),
                Some(UNORDERED),
            );
            e.vector(BROADCAST, only(K[0]), (out, 0), Place::Const(!SIGN), None);
        })),
        _ => comparison(op).and_then(|_| number(Compared)),
    }
}

/// A minimum or maximum; with a number it is one.
fn extreme(src: [Src; 3], how: How) -> Option<Recipe> {
    match src.iter().any(|src| is_number(*src)) {
        true => number(how),
        false => float(how),
    }
}

/// Bounds of a median of an operand and two constants, if it is a clamp: see the order of zeros.
pub(super) fn clamps([_, b, c]: [Src; 3]) -> Option<[u32; 2]> {
    let [b, c] = [constant(b)?, constant(c)?].map(f32::from_bits);
    let (low, high) = if b < c { (b, c) } else { (c, b) };
    let first = low.to_bits() == 0 || low != 0.0;
    (low < high && high != 0.0 && first).then_some([low.to_bits(), high.to_bits()])
}
