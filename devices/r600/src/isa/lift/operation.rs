//! What one instruction computes, in steps.

use lanes::LaneOp::{self, *};
use lanes::{Builder, Src, Step, WideOp};

use super::super::alu::Sem;
use super::super::words::Omod;
use super::TEMP;

/// 1.0
const ONE: Src = Src::Const(0x3f80_0000);
/// 0.0, also integer 0
const ZERO: Src = Src::Const(0);
/// All ones.
const ONES: Src = Src::Const(u32::MAX);
/// The largest finite number.
const LARGEST: Src = Src::Const(0x7f7f_ffff);
/// The most negative finite number.
const LOWEST: Src = Src::Const(0xff7f_ffff);

/// Scalar pairs as operands of 64-bit operations.
pub(super) fn wide(b: &mut Builder, op: WideOp, dst: u16, a: u16, c: u16) {
    b.push(Step::UniformWide {
        op,
        dst,
        src: [Src::Scalar(a), Src::Scalar(c), ZERO],
    });
}

/// `pair[dst] = pair[from]`
pub(super) fn copy(b: &mut Builder, dst: u16, from: u16) {
    b.push(Step::UniformWide {
        op: WideOp::Mov64,
        dst,
        src: [Src::Scalar(from), ZERO, ZERO],
    });
}

/// `pair[dst] = 0`
pub(super) fn clear(b: &mut Builder, dst: u16) {
    b.push(Step::UniformWide {
        op: WideOp::Mov64,
        dst,
        src: [ZERO; 3],
    });
}

/// `pair[dst] = ` enabled lanes where `op(a, c)`.
fn compare(b: &mut Builder, op: LaneOp, dst: u16, a: Src, c: Src) {
    b.push(Step::Compare {
        op,
        dst,
        src: [a, c, ZERO],
    });
}

fn select(b: &mut Builder, dst: u16, mask: u16, no: Src, yes: Src) {
    b.push(Step::Select { dst, mask, no, yes });
}

/// The element of the address register that a MOVA gives, to row `dst`. [R600 7.2 MOVA]
pub(super) fn address(b: &mut Builder, op: LaneOp, src: Src, dst: u16) {
    let value = Src::Row(dst);
    if op != Mov {
        // The conversion turns NaN into 0.
        compare(b, FUnordered, TEMP, src, src);
    }
    b.alu(op, dst, &[src]);
    // One range check: 0..=511 after the shift. What is outside becomes -256.
    b.alu(IAdd, dst, &[value, Src::Const(256)]);
    compare(b, UGt, TEMP + 2, value, Src::Const(511));
    if op != Mov {
        wide(b, WideOp::Or64, TEMP + 2, TEMP + 2, TEMP);
    }
    select(b, dst, TEMP + 2, value, ZERO);
    b.alu(ISub, dst, &[value, Src::Const(256)]);
}

/// OMOD and CLAMP on row `dst`.
pub(super) fn modify(b: &mut Builder, omod: Omod, clamp: bool, dst: u16) {
    scale(b, omod, dst);
    if clamp {
        b.alu(FSat, dst, &[Src::Row(dst)]);
    }
}

fn scale(b: &mut Builder, omod: Omod, dst: u16) {
    let factor = match omod {
        Omod::Off => return,
        Omod::Times2 => 2.0f32,
        Omod::Times4 => 4.0,
        Omod::Half => 0.5,
    };
    b.alu(FMul, dst, &[Src::Row(dst), Src::Const(factor.to_bits())]);
}

/// Appends the steps of an operation that is neither a reduction nor a write of AR. `dst` is written by the last step
/// that reads a source; `spare` is a row for values in between. Without `dst` only masks are computed. Predicates go
/// to the pair `predicate`, lanes hit by a kill too; lanes that a mask is made of to the pair `lanes`.
pub(super) fn compute(
    b: &mut Builder,
    sem: Sem,
    src: [Src; 3],
    dst: Option<u16>,
    (predicate, lanes): (u16, u16),
    spare: u16,
) {
    let [x, y, z] = src;
    let between = Src::Row(spare);
    // Predicates first: they are computed even where nobody reads the result.
    match sem {
        Sem::Predicate(op) | Sem::Kill(op) => compare(b, op, predicate, x, y),
        Sem::PredicatePush(op) => {
            compare(b, FEq, predicate, x, ZERO);
            compare(b, op, TEMP, y, ZERO);
            wide(b, WideOp::And64, predicate, predicate, TEMP);
        }
        Sem::PredicateInvert => compare(b, FEq, predicate, x, ONE),
        Sem::PredicatePop => compare(b, FLe, predicate, x, y),
        Sem::PredicateClear => clear(b, predicate),
        Sem::PredicateRestore => compare(b, FEq, predicate, x, ZERO),
        _ => {}
    }
    let Some(dst) = dst else { return };
    let result = Src::Row(dst);
    match sem {
        Sem::Alu(op) => b.alu(op, dst, &src[..op.params().len()]),
        Sem::Then(first, second) => {
            b.alu(first, dst, &[x]);
            b.alu(second, dst, &[result]);
        }
        Sem::Scaled(op, omod) => {
            b.alu(op, dst, &src);
            scale(b, omod, dst);
        }
        Sem::Set(op) => {
            compare(b, op, TEMP, x, y);
            select(b, dst, TEMP, ZERO, ONE);
        }
        Sem::SetMask(op) => {
            compare(b, op, lanes, x, y);
            select(b, dst, lanes, ZERO, ONES);
        }
        Sem::Choose(op) => {
            compare(b, op, TEMP, x, ZERO);
            select(b, dst, TEMP, z, y);
        }
        Sem::LogClamped => {
            b.alu(FLog2, dst, &[x]);
            compare(
                b,
                IEq,
                TEMP,
                result,
                Src::Const(f32::NEG_INFINITY.to_bits()),
            );
            select(b, dst, TEMP, result, LOWEST);
        }
        Sem::MulLit(omod) => {
            b.alu(FMulZero, spare, &[x, y]);
            compare(b, FGt, TEMP, y, LOWEST);
            compare(b, FGt, TEMP + 2, z, ZERO);
            wide(b, WideOp::And64, TEMP, TEMP, TEMP + 2);
            select(b, dst, TEMP, LOWEST, between);
            scale(b, omod, dst);
        }
        Sem::Predicate(_) => select(b, dst, predicate, ONE, ZERO),
        Sem::Kill(_) => select(b, dst, predicate, ZERO, ONE),
        Sem::PredicatePush(_) => {
            b.alu(FAdd, spare, &[x, ONE]);
            select(b, dst, predicate, between, ZERO);
        }
        Sem::PredicateInvert => {
            compare(b, FEq, TEMP, x, ZERO);
            select(b, spare, TEMP, x, ONE);
            select(b, dst, predicate, between, ZERO);
        }
        Sem::PredicatePop => {
            b.alu(FSub, spare, &[x, y]);
            select(b, dst, predicate, between, ZERO);
        }
        Sem::PredicateClear => b.alu(Mov, dst, &[LARGEST]),
        Sem::PredicateRestore => select(b, dst, predicate, x, ZERO),
        Sem::Mova(_) | Sem::Dot4(_) | Sem::Max4 | Sem::Cube | Sem::Nop => {}
    }
}
