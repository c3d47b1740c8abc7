//! Signs that are copied bit by bit, as arcs and areas have them: the chip's registers are floats.

use crate::codegen::expand::expand;
use crate::ir::{Function, LaneOp, Op, Type};

/// All bits of a float but its sign.
const MAGNITUDE: u32 = 0x7fff_ffff;

/// Makes insertions of a sign into operations on floats; zeros count as positive.
pub(super) fn run(function: &mut Function) {
    expand(function, |x, op, args| {
        let [mask, value, sign] = *args else {
            return None;
        };
        if *op != Op::Alu(LaneOp::Bfi) || x.known[mask.0 as usize] != Some(MAGNITUDE) {
            return None;
        }
        let zero = x.float(0.0);
        let below = x.push(Op::Alu(LaneOp::FLt), vec![sign, zero], Type::Bool);
        let positive = x.op(LaneOp::FAbs, &[value]);
        let negative = x.op(LaneOp::FNeg, &[positive]);
        Some(x.push(Op::Select, vec![below, negative, positive], Type::Word))
    });
}
