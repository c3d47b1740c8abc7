//! Upper bounds of numbers, from a few of the operations that make them.

use crate::ir::{Builtin, LaneOp, Op, Value};

/// How far operations are looked back at.
const DEPTH: u32 = 6;

/// No window is larger; limits of the devices are below it.
const WINDOW: f32 = 32_768.0;

/// What is known of the values of a function.
pub(crate) trait Values {
    /// A constant.
    fn word(&self, value: Value) -> Option<u32>;
    /// Operation and operands that make a value.
    fn made(&self, value: Value) -> Option<(&Op, &[Value])>;
    /// Invocations of a workgroup along each axis.
    fn workgroup(&self) -> [u32; 3];
}

/// An upper bound of an unsigned number.
pub(crate) fn most(values: &impl Values, value: Value) -> u32 {
    word(values, value, DEPTH)
}

/// Whether a number is not negative as a signed one.
pub(crate) fn is_natural(values: &impl Values, value: Value) -> bool {
    most(values, value) <= i32::MAX as u32
}

/// An upper bound of a float that is no NaN and not below 0.
pub(crate) fn most_float(values: &impl Values, value: Value) -> Option<f32> {
    float(values, value, DEPTH)
}

fn word(values: &impl Values, value: Value, depth: u32) -> u32 {
    if let Some(word) = values.word(value) {
        return word;
    }
    let (Some((op, args)), Some(depth)) = (values.made(value), depth.checked_sub(1)) else {
        return u32::MAX;
    };
    const NATURAL: u32 = i32::MAX as u32;
    let most = |at: usize| word(values, args[at], depth);
    let constant = args.get(1).and_then(|value| values.word(*value));
    let op = match op {
        Op::Builtin(Builtin::LocalId(axis)) => {
            return values.workgroup()[usize::from(*axis)].saturating_sub(1);
        }
        Op::Select => return most(1).max(most(2)),
        Op::Alu(op) => *op,
        _ => return u32::MAX,
    };
    match (op, constant) {
        (LaneOp::URem, Some(c)) if c != 0 => (c - 1).min(most(0)),
        (LaneOp::UDiv, Some(c)) if c != 0 => most(0) / c,
        (LaneOp::Shr, Some(c)) => most(0) >> (c & 31),
        (LaneOp::Sar, Some(c)) if most(0) <= NATURAL => most(0) >> (c & 31),
        (LaneOp::Shl, Some(c)) if c < 32 => most(0).saturating_mul(1 << c),
        (LaneOp::IMul, Some(c)) => most(0).saturating_mul(c),
        (LaneOp::And | LaneOp::UMin, _) => most(0).min(most(1)),
        // No bit above those of the operands.
        (LaneOp::Or | LaneOp::Xor, _) => u32::MAX
            .checked_shr((most(0) | most(1)).leading_zeros())
            .unwrap_or(0),
        (LaneOp::UMax, _) => most(0).max(most(1)),
        (LaneOp::IMin, _) if most(0).max(most(1)) <= NATURAL => most(0).min(most(1)),
        (LaneOp::IMax, _) => match (most(0), most(1)) {
            (a, b) if a.max(b) <= NATURAL => a.max(b),
            (a, b) if a.min(b) <= NATURAL => NATURAL,
            _ => u32::MAX,
        },
        (LaneOp::IAdd, _) => most(0).saturating_add(most(1)),
        (LaneOp::BfeU, _) => match values.word(args[2]).map(|width| width & 31) {
            Some(width) => (1 << width) - 1,
            None => u32::MAX,
        },
        (LaneOp::F32ToI32 | LaneOp::F32ToI32Floor | LaneOp::F32ToU32, _) => {
            match float(values, args[0], depth) {
                Some(most) if most < 2_147_483_648.0 => most as u32,
                _ => u32::MAX,
            }
        }
        _ => u32::MAX,
    }
}

fn float(values: &impl Values, value: Value, depth: u32) -> Option<f32> {
    if let Some(word) = values.word(value) {
        let constant = f32::from_bits(word);
        return (constant >= 0.0 && constant.is_finite()).then_some(constant);
    }
    let (op, args) = values.made(value)?;
    let depth = depth.checked_sub(1)?;
    let most = |at: usize| float(values, args[at], depth);
    let bound = match op {
        Op::Builtin(Builtin::FragCoord(0 | 1)) => WINDOW,
        Op::Builtin(Builtin::PointCoord(_)) => 1.0,
        Op::Select => most(1)?.max(most(2)?),
        Op::Alu(op) => match op {
            LaneOp::FSat => 1.0,
            LaneOp::FMul => most(0)? * most(1)?,
            LaneOp::FAdd => most(0)? + most(1)?,
            LaneOp::FMad => most(0)? * most(1)? + most(2)?,
            LaneOp::FFloor | LaneOp::FTrunc => most(0)?,
            LaneOp::FMin => most(0)?.min(most(1)?),
            LaneOp::U32ToF32 => word(values, args[0], depth) as f32,
            LaneOp::I32ToF32 => match word(values, args[0], depth) {
                most @ ..=0x7fff_ffff => most as f32,
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    bound.is_finite().then_some(bound)
}
