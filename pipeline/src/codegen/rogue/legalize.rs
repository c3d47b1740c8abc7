//! SSA to SSA: operations that the chip lacks become several that it has.
//!
//! [`inexact`] lists those that are not the same to the bit: `fma` rounds twice; minima and maxima of NaN are the second
//! operand; rounding, roots, and numbers taken apart are made of operations that flush denormals.

use crate::codegen::elements;
use crate::codegen::expand::{Expand, expand};
use crate::codegen::signed;
use crate::ir::{Function, Inst, LaneOp, Op, Value};

use LaneOp::*;

/// Above it every float is an integer.
const INTEGERS: f32 = 8_388_608.0;
const SIGN: u32 = 1 << 31;

/// Replaces what the chip computes less exactly than the SSA says by what it does compute.
pub fn inexact(function: &mut Function) {
    let rule = |x: &mut Expand<'_>, op: &Op, args: &[Value]| match op {
        Op::Alu(op) => x.less_exact(*op, args),
        _ => None,
    };
    // Some are made of others.
    expand(function, rule);
    expand(function, rule);
    expand(function, rule);
}

/// Leaves only operations that selection knows.
pub(super) fn run(function: &mut Function) {
    elements::run(function);
    inexact(function);
    signed::run(function, signed::Conversion::Saturating);
    expand(function, |x, op, args| match op {
        Op::Alu(op) => x.rogue(*op, args),
        _ => None,
    });
    crate::passes::share(function);
}

impl Expand<'_> {
    fn less_exact(&mut self, op: LaneOp, args: &[Value]) -> Option<Value> {
        let a = *args.first()?;
        Some(match op {
            FFma => self.op(FMad, args),
            FMin => self.op(FMinLegacy, args),
            FMax => self.op(FMaxLegacy, args),
            FMin3 | FMax3 => {
                let two = if op == FMin3 { FMinLegacy } else { FMaxLegacy };
                let first = self.op(two, &args[..2]);
                self.op(two, &[first, args[2]])
            }
            FMed3 => self.median(FMinLegacy, FMaxLegacy, args),
            FFract => self.op(FFractOne, args),
            FCeil => {
                let turned = self.op(FNeg, &[a]);
                let floor = self.op(FFloor, &[turned]);
                self.op(FNeg, &[floor])
            }
            FTrunc => {
                let magnitude = self.op(FAbs, &[a]);
                let floor = self.op(FFloor, &[magnitude]);
                self.signed_as(floor, a)
            }
            FRound => {
                let magnitude = self.op(FAbs, &[a]);
                let limit = self.float(INTEGERS);
                let moved = self.op(FAdd, &[magnitude, limit]);
                let rounded = self.op(FSub, &[moved, limit]);
                let small = self.op(FLt, &[magnitude, limit]);
                let found = self.select(small, rounded, magnitude);
                self.signed_as(found, a)
            }
            FSqrt => {
                let inverse = self.op(FRsq, &[a]);
                self.op(FRcp, &[inverse])
            }
            FLdexp => self.ldexp(a, args[1]),
            FFrexpExp => self.frexp(a).0,
            FFrexpMant => self.frexp(a).1,
            F32ToI32Round => {
                let half = self.float(0.5);
                let sum = self.op(FAdd, &[a, half]);
                let floor = self.op(FFloor, &[sum]);
                self.op(F32ToI32, &[floor])
            }
            F32ToI32Floor => {
                let floor = self.op(FFloor, &[a]);
                self.op(F32ToI32, &[floor])
            }
            _ => return None,
        })
    }

    /// A magnitude with the sign of another.
    fn signed_as(&mut self, magnitude: Value, sign: Value) -> Value {
        let mask = self.word(SIGN);
        self.op(Bfi, &[mask, sign, magnitude])
    }

    fn rogue(&mut self, op: LaneOp, args: &[Value]) -> Option<Value> {
        let a = *args.first()?;
        let b = args.get(1).copied().unwrap_or(a);
        let c = args.get(2).copied().unwrap_or(b);
        Some(match op {
            UDiv => self.quotient(a, b).0,
            URem => self.quotient(a, b).1,
            UMul24 | IMul24 => {
                let [a, b] = [a, b].map(|v| self.low_24(v, op == IMul24));
                self.op(IMul, &[a, b])
            }
            IMin3 | IMax3 | UMin3 | UMax3 => {
                let two = match op {
                    IMin3 => IMin,
                    IMax3 => IMax,
                    UMin3 => UMin,
                    _ => UMax,
                };
                let first = self.op(two, &[a, b]);
                self.op(two, &[first, c])
            }
            IMed3 => self.median(IMin, IMax, args),
            UMed3 => self.median(UMin, UMax, args),
            FClass => return self.class(a, b),
            CarryAdd => {
                let sum = self.op(IAdd, &[a, b]);
                self.op(ULt, &[sum, a])
            }
            Byte0ToF32 | Byte1ToF32 | Byte2ToF32 | Byte3ToF32 => {
                let at = self.word(8 * (op as u32 - Byte0ToF32 as u32));
                let width = self.word(8);
                let byte = self.op(BfeU, &[a, at, width]);
                self.op(U32ToF32, &[byte])
            }
            _ => return self.comparison(op, a, b),
        })
    }

    /// Quotient and remainder; where the divisor is not known, a float estimate of 2^32 / b, one Newton step, two corrections.
    fn quotient(&mut self, a: Value, b: Value) -> (Value, Value) {
        if let Some(found) = self.divide_known(a, b) {
            return found;
        }
        let float = self.op(U32ToF32, &[b]);
        let inverse = self.op(FRcp, &[float]);
        // Just below 2^32, so that the estimate never exceeds the true value.
        let below = self.word(0x4f7f_fffe);
        let scaled = self.op(FMul, &[inverse, below]);
        let estimate = self.op(F32ToU32, &[scaled]);
        let zero = self.word(0);
        let minus = self.op(ISub, &[zero, b]);
        let error = self.op(IMul, &[minus, estimate]);
        let step = self.op(UMulHigh, &[estimate, error]);
        let refined = self.op(IAdd, &[estimate, step]);
        let mut quotient = self.op(UMulHigh, &[a, refined]);
        let back = self.op(IMul, &[quotient, b]);
        let mut rest = self.op(ISub, &[a, back]);
        let one = self.word(1);
        for _ in 0..2 {
            let above = self.op(UGe, &[rest, b]);
            let next = self.op(IAdd, &[quotient, one]);
            quotient = self.select(above, next, quotient);
            let less = self.op(ISub, &[rest, b]);
            rest = self.select(above, less, rest);
        }
        let none = self.op(IEq, &[b, zero]);
        let ones = self.word(u32::MAX);
        (
            self.select(none, ones, quotient),
            self.select(none, a, rest),
        )
    }
}

/// What the chip's float arithmetic makes of the SSA's: operands and results without denormals, sine and cosine by
/// quarter turns. For comparing; selection takes the operations as they are.
pub fn flushed(function: &mut Function) {
    expand(function, |x, op, args| match op {
        Op::Alu(op) => x.flushing(*op, args),
        Op::Derivative { .. } => {
            let plain = x.op(FFlush, args);
            let change = x.push(op.clone(), vec![plain], crate::ir::Type::Word);
            Some(x.op(FFlush, &[change]))
        }
        _ => None,
    });
    flush_where_made(function);
}

/// What derivatives flush is flushed where it is made: they take it from lanes, too, that run no more.
fn flush_where_made(function: &mut Function) {
    let derivatives = function
        .insts()
        .filter(|inst| matches!(inst.op, Op::Derivative { .. }));
    let taken: Vec<Value> = derivatives.map(|inst| inst.args[0]).collect();
    let mut moved = Vec::new();
    for block in &mut function.blocks {
        let own: Vec<Value> = block
            .insts
            .iter()
            .flat_map(|inst| inst.results.clone())
            .collect();
        let far = |inst: &mut Inst| {
            let flush = inst.op == Op::Alu(FFlush) && taken.contains(&inst.results[0]);
            flush && !own.contains(&inst.args[0]) && !block.params.contains(&inst.args[0])
        };
        moved.extend(block.insts.extract_if(.., far));
    }
    for inst in moved {
        let made = |at: &Inst| at.results.contains(&inst.args[0]);
        let found = function.blocks.iter_mut().find_map(|block| {
            let behind = block.insts.iter().position(made).map(|at| at + 1);
            let param = block.params.contains(&inst.args[0]).then_some(0);
            behind.or(param).map(|at| (block, at))
        });
        if let Some((block, at)) = found {
            block.insts.insert(at, inst);
        }
    }
}

impl Expand<'_> {
    fn flushing(&mut self, op: LaneOp, args: &[Value]) -> Option<Value> {
        let float = |of: &lanes::Operand| *of == lanes::Operand::F32;
        if !op.params().iter().all(float) {
            return None;
        }
        let plain: Vec<Value> = args.iter().map(|&arg| self.op(FFlush, &[arg])).collect();
        let minus_zero = self.word(SIGN);
        Some(match op {
            FAdd => self.op(FAddFlush, &plain),
            FSub => self.op(FSubFlush, &plain),
            FMul => self.op(FMulFlush, &plain),
            FMad => self.op(FMadFlush, &plain),
            FFloor => {
                let floor = self.op(FFloor, &plain);
                self.op(FAddFlush, &[floor, minus_zero])
            }
            FFractOne => {
                let floor = self.op(FFloor, &plain);
                self.op(FSubFlush, &[plain[0], floor])
            }
            FSat => {
                let sum = self.op(FAddFlush, &[plain[0], minus_zero]);
                self.op(FSat, &[sum])
            }
            FRcp | FRsq | FLog2 | FExp2 => {
                let found = self.op(op, &plain);
                self.op(FFlush, &[found])
            }
            FSinTurns | FCosTurns => {
                let two_pi = self.float(std::f32::consts::TAU);
                let angle = self.op(FMulFlush, &[plain[0], two_pi]);
                let reduce = if op == FSinTurns {
                    FQuarterSin
                } else {
                    FQuarterCos
                };
                let place = self.op(reduce, &[angle]);
                let place_plain = self.op(FFlush, &[place]);
                let quotient = self.op(FQuarterSinc, &[place_plain]);
                let quotient = self.op(FFlush, &[quotient]);
                let product = self.op(FMulFlush, &[place_plain, quotient]);
                let number = self.op(FOrdered, &[place_plain, place_plain]);
                self.select(number, product, quotient)
            }
            FMinLegacy => self.choose_flushed(FLt, args, &plain),
            FMaxLegacy => self.choose_flushed(FGe, args, &plain),
            _ if crate::ir::result_type(op) == crate::ir::Type::Bool => self.op(op, &plain),
            _ => return None,
        })
    }

    fn choose_flushed(&mut self, op: LaneOp, args: &[Value], plain: &[Value]) -> Value {
        let first = self.op(op, plain);
        self.select(first, args[0], args[1])
    }
}
