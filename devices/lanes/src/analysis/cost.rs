//! What steps cost, for the watchdog. A unit is about a nanosecond on one core of the machine of `docs/performance.md`;
//! what counts is that it is the same on every host. Measured per row of 64 lanes, enabled or not.

use crate::op::{LaneOp, WideOp};
use crate::step::{Move, Program, Step};

/// A step of the scalar unit, and what control costs.
const SCALAR: u64 = 8;
/// An operation on a row.
const ROW: u64 = 32;
/// A port that [`Program::ports`] does not list.
const UNLISTED_PORT: u64 = 1024;

/// Costs of the instructions that each tick announces, by step: the steps from there to the next tick that counts
/// instructions. Other steps have 0.
pub(crate) fn tick_costs(program: &Program) -> Vec<u64> {
    let mut costs = vec![0; program.steps.len()];
    let mut region = 0;
    for (at, step) in program.steps.iter().enumerate().rev() {
        match step {
            Step::Tick { instructions: 0 } => {}
            Step::Tick { .. } => costs[at] = std::mem::take(&mut region) + SCALAR,
            step => region += of(program, step),
        }
    }
    costs
}

fn of(program: &Program, step: &Step) -> u64 {
    match *step {
        Step::Alu { op, .. } | Step::Compare { op, .. } => lane_op(op),
        Step::Wide { op, .. } | Step::CompareWide { op, .. } => wide_op(op),
        Step::Select { .. } | Step::LaneId { .. } | Step::Swizzle { .. } => ROW,
        Step::Relative { kind, .. } => match kind {
            Move::FromRow | Move::ToRow => ROW,
            Move::FromScalar | Move::ToScalar => SCALAR,
        },
        // One lane of a slow operation costs no more.
        Step::Uniform { .. } | Step::UniformWide { .. } => SCALAR,
        Step::ReadLane { .. } | Step::ReadFirstLane { .. } | Step::WriteLane { .. } => SCALAR,
        Step::Branch { .. }
        | Step::Indirect { .. }
        | Step::Barrier
        | Step::End
        | Step::Trap { .. } => SCALAR,
        Step::Tick { .. } => 0,
        Step::Port { port } => match program.ports.get(port as usize) {
            Some(effects) => SCALAR + u64::from(effects.cost),
            None => UNLISTED_PORT,
        },
    }
}

fn lane_op(op: LaneOp) -> u64 {
    use LaneOp::*;
    match op {
        FExp2 | FLog2 | FSin | FCos | FSinTurns | FCosTurns | FDivScale | FDivScaleFlag
        | FAddMode | FMulMode | FMulZeroMode | FFmaDiv | FFmaUp | FFmaDown | FFmaZero
        | FLdexpMode | F32ToF16Mode | I32ToF32Mode | U32ToF32Mode => 8 * ROW,
        _ => ROW,
    }
}

fn wide_op(op: WideOp) -> u64 {
    use WideOp::*;
    match op {
        DLdexp | DLdexpMode | DAddMode | DMulMode | DFmaDiv | DFmaUp | DFmaDown | DFmaZero
        | TrigPreop => 48 * ROW,
        QuadSadU8 | MaskedQuadSadU8 | DDivScale => 16 * ROW,
        _ => 3 * ROW,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tick pays for its steps, a tick of no instructions divides nothing.
    #[test]
    fn ticks_pay_for_the_steps_after_them() {
        let head = "rows 1\nscalars 4\nexec s0\nport 0 fails cost 100\n";
        let steps = [
            "tick 2",
            "v0 = FSin v0",
            "tick 0",
            "port 0",
            "tick 1",
            "end",
        ];
        let lines = steps.iter().enumerate();
        let lines = lines.map(|(n, step)| format!("{n}: {step} ; 0x0 0x00000000\n"));
        let text = head.to_owned() + &lines.collect::<String>();
        let program: Result<Program, _> = text.parse();
        let costs = program.map(|program| tick_costs(&program));
        assert_eq!(costs, Ok(vec![8 + 256 + 108, 0, 0, 0, 16, 0]));
    }
}
