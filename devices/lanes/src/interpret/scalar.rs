//! Kernels of the scalar unit and of moves between lanes: the same at every level.

use super::memory::{Code, Registers};
use super::vector::WIDE_RESULT;
use crate::op::{Function, LaneOp, Visit, WideOp};
use crate::step::Move;
use crate::wave::{LANES, Row};
use host::Separate;

/// A function that performs a step.
pub(super) type Run = fn(&Code, &mut Registers);

/// Picks the function of an operation of the scalar unit.
struct Pick;

impl Visit<u32> for Pick {
    type Out = Run;
    fn visit<F: Function<Word = u32>>(self) -> Run {
        uniform_step::<F>
    }
}

impl Visit<u64> for Pick {
    type Out = Run;
    fn visit<F: Function<Word = u64>>(self) -> Run {
        uniform_wide_step::<F>
    }
}

/// What performs `Step::Uniform`.
pub(super) fn uniform(op: LaneOp) -> Run {
    op.visit(Pick)
}

/// What performs `Step::UniformWide`.
pub(super) fn uniform_wide(op: WideOp) -> Run {
    op.visit(Pick)
}

fn uniform_step<F: Function<Word = u32>>(code: &Code, registers: &mut Registers) {
    let mut args = [0; 3];
    for (arg, source) in args.iter_mut().zip(code.src).take(F::ARITY) {
        *arg = registers.uniform(source);
    }
    registers.scalars[code.dst as usize] = F::eval::<Separate>(args);
}

fn uniform_wide_step<F: Function<Word = u64>>(code: &Code, registers: &mut Registers) {
    let mut args = [0; 3];
    for (index, (arg, source)) in args.iter_mut().zip(code.src).take(F::ARITY).enumerate() {
        *arg = match code.extra >> index & 1 {
            1 => registers.uniform_wide(source),
            _ => u64::from(registers.uniform(source)),
        };
    }
    let result = F::eval::<Separate>(args);
    let dst = code.dst as usize;
    match code.extra & WIDE_RESULT {
        0 => registers.scalars[dst] = result as u32,
        _ => registers.set_mask(dst, result),
    }
}

/// `scalar[dst] = row[extra]` at lane `src[0]`.
pub(super) fn read_lane(code: &Code, registers: &mut Registers) {
    let lane = registers.uniform(code.src[0]) as usize % LANES;
    registers.scalars[code.dst as usize] = registers.rows[code.extra as usize].0[lane];
}

/// `scalar[dst] = row[extra]` at the lowest enabled lane.
pub(super) fn read_first_lane(code: &Code, registers: &mut Registers) {
    let lane = registers.exec.trailing_zeros() as usize % LANES;
    registers.scalars[code.dst as usize] = registers.rows[code.extra as usize].0[lane];
}

/// `row[dst]` at lane `src[1]` = `src[0]`.
pub(super) fn write_lane(code: &Code, registers: &mut Registers) {
    let lane = registers.uniform(code.src[1]) as usize % LANES;
    registers.rows[code.dst as usize].0[lane] = registers.uniform(code.src[0]);
}

/// `row[dst] =` lane number.
pub(super) fn lane_id(code: &Code, registers: &mut Registers) {
    let numbers = Row(std::array::from_fn(|lane| lane as u32));
    blend(registers, code.dst as usize, &numbers);
}

/// Writes a row where lanes are enabled.
fn blend(registers: &mut Registers, dst: usize, value: &Row) {
    let target = &mut registers.rows[dst].0;
    for (lane, old) in target.iter_mut().enumerate() {
        let mask = registers.lanes.0[lane];
        *old = (value.0[lane] & mask) | (*old & !mask);
    }
}

/// The function of a move with a run-time index, which is `src[0]`. `Code::extra` is `base | end << 16`.
pub(super) fn relative(kind: Move) -> Run {
    match kind {
        Move::FromRow => |code, registers| {
            let value = registers.rows[relative_source(code, registers)];
            blend(registers, code.dst as usize, &value);
        },
        Move::ToRow => |code, registers| {
            if let Some(dst) = relative_destination(code, registers) {
                let value = registers.rows[code.extra as usize & 0xffff];
                blend(registers, dst, &value);
            }
        },
        Move::FromScalar => |code, registers| {
            let from = relative_source(code, registers);
            registers.scalars[code.dst as usize] = registers.scalars[from];
        },
        Move::ToScalar => |code, registers| {
            if let Some(dst) = relative_destination(code, registers) {
                registers.scalars[dst] = registers.scalars[code.extra as usize & 0xffff];
            }
        },
    }
}

fn relative_source(code: &Code, registers: &Registers) -> usize {
    let (base, end) = (code.extra & 0xffff, code.extra >> 16);
    let at = u64::from(base) + u64::from(registers.uniform(code.src[0]));
    if at < u64::from(end) {
        at as usize
    } else {
        base as usize
    }
}

fn relative_destination(code: &Code, registers: &Registers) -> Option<usize> {
    let at = u64::from(code.dst) + u64::from(registers.uniform(code.src[0]));
    (at < u64::from(code.extra >> 16)).then_some(at as usize)
}
