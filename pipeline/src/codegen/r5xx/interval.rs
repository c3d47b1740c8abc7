//! Bounds of the results of operations, from those of their operands.

use super::ranges::{EXACT, Range, corners};
use crate::ir::LaneOp;

/// Bounds of a result; nothing while an operand has none.
pub fn result(
    op: LaneOp,
    a: Range,
    b: &dyn Fn() -> Option<Range>,
    c: Option<Range>,
    constant: &dyn Fn(usize) -> Option<u32>,
) -> Option<Range> {
    use LaneOp::*;
    let floor = |r: Range| Range::new(r.low.floor(), r.high.floor());
    let with_zeros = |r: Range, zeros: u32| Range {
        zeros: zeros.min(31),
        ..r
    };
    Some(match op {
        IAdd | FAdd => {
            let b = b()?;
            with_zeros(
                Range::new(a.low + b.low, a.high + b.high),
                a.zeros.min(b.zeros),
            )
        }
        ISub | FSub => {
            let b = b()?;
            with_zeros(
                Range::new(a.low - b.high, a.high - b.low),
                a.zeros.min(b.zeros),
            )
        }
        IMul | FMul | IMul24 | UMul24 => {
            let b = b()?;
            with_zeros(corners(a, b, |a, b| a * b), a.zeros + b.zeros)
        }
        IMad | FMad | FFma => {
            let (b, c) = (b()?, c?);
            let product = corners(a, b, |a, b| a * b);
            let zeros = (a.zeros + b.zeros).min(c.zeros);
            with_zeros(
                Range::new(product.low + c.low, product.high + c.high),
                zeros,
            )
        }
        IMin | FMin => {
            let b = b()?;
            with_zeros(
                Range::new(a.low.min(b.low), a.high.min(b.high)),
                a.zeros.min(b.zeros),
            )
        }
        IMax | FMax => {
            let b = b()?;
            with_zeros(
                Range::new(a.low.max(b.low), a.high.max(b.high)),
                a.zeros.min(b.zeros),
            )
        }
        UMin => {
            let b = b()?;
            // A negative number is a large one here.
            let natural = |r: Range| {
                if r.is_natural() {
                    r.high
                } else {
                    f64::INFINITY
                }
            };
            Range::new(0.0, natural(a).min(natural(b)))
        }
        UMax => {
            let b = b()?;
            match a.is_natural() && b.is_natural() {
                true => Range::new(a.low.max(b.low), a.high.max(b.high)),
                false => Range::ANY,
            }
        }
        FMed3 | IMed3 => {
            let (b, c) = (b()?, c?);
            Range::new(b.low.min(c.low), b.high.max(c.high))
        }
        FSat => Range::new(0.0, 1.0),
        FFract | FFractOne => Range::new(0.0, 1.0),
        FSinTurns | FCosTurns | FSin | FCos => Range::new(-1.0, 1.0),
        FNeg => Range::new(-a.high, -a.low),
        FAbs | IAbs => Range::new(0.0, a.low.abs().max(a.high.abs())),
        FFloor => floor(a),
        FCeil => Range::new(a.low.ceil(), a.high.ceil()),
        F32ToI32 | F32ToI32Floor => {
            let within = |v: f64| v.clamp(-2_147_483_648.0, 2_147_483_648.0);
            Range::new(within(a.low.floor()), within(a.high.ceil()))
        }
        FTrunc | FRound | F32ToI32Round => Range::new(a.low.floor(), a.high.ceil()),
        F32ToU32 => {
            let within = |v: f64| v.clamp(0.0, 4_294_967_296.0);
            Range::new(within(a.low.floor()), within(a.high.ceil()))
        }
        I32ToF32 | U32ToF32 | Mov => a,
        And => {
            let word = constant(1).or(constant(0));
            match word.map(|word| word as i32) {
                Some(mask) if mask >= 0 => {
                    with_zeros(Range::new(0.0, f64::from(mask)), mask.trailing_zeros())
                }
                _ => {
                    let b = b()?;
                    match a.is_natural() || b.is_natural() {
                        true => Range::new(0.0, if a.is_natural() { a.high } else { b.high }),
                        false => Range::ANY,
                    }
                }
            }
        }
        Or | Xor => {
            let b = b()?;
            match a.is_natural() && b.is_natural() && a.high <= EXACT && b.high <= EXACT {
                true => {
                    let most = a.high.max(b.high) as u64;
                    Range::new(0.0, ((most + 1).next_power_of_two() - 1) as f64)
                }
                false => Range::ANY,
            }
        }
        Not => Range::new(-1.0 - a.high, -1.0 - a.low),
        Shl | ShlOver => match constant(1) {
            Some(by) if by < 32 => {
                let factor = f64::from(by).exp2_exact();
                with_zeros(Range::new(a.low * factor, a.high * factor), a.zeros + by)
            }
            _ => Range::ANY,
        },
        Shr | ShrOver | Sar | SarOver => match constant(1) {
            Some(by) if by < 32 => {
                let factor = f64::from(by).exp2_exact();
                floor(Range::new(a.low / factor, a.high / factor))
            }
            _ => Range::ANY,
        },
        UDiv => {
            let b = b()?;
            match a.is_natural() && b.is_natural() {
                true => Range::new(0.0, (a.high / b.low.max(1.0)).floor()),
                false => Range::ANY,
            }
        }
        URem => {
            let b = b()?;
            match b.is_natural() {
                true => Range::new(0.0, (b.high - 1.0).max(0.0)),
                false => Range::ANY,
            }
        }
        _ => Range::ANY,
    })
}

/// Powers of two without a rounding.
trait Exp2 {
    fn exp2_exact(self) -> f64;
}

impl Exp2 for f64 {
    fn exp2_exact(self) -> f64 {
        (1u64 << (self as u32)) as f64
    }
}
