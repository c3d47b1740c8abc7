//! Which steps of a straight block fuse into a superinstruction of two, or of three. The first runs inside the second and its row is
//! never written: nothing between may touch that row or the first's operands, and the row must be dead after the
//! second, in the block and behind it. The execution mask is constant in a block, so lanes that one step skips, all skip.

use std::ops::Range;

use super::fractions::Packing;
use super::superinstruction::{Alu, Superinstruction, starts};
use super::vector;
use crate::analysis::live::RegisterSet;
use crate::op::LaneOp;
use crate::step::{Src, Step};
use host::SimdLevel;

/// Largest distance between the two steps.
const REACH: usize = 48;

/// How a step is encoded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// Its own kernel.
    Alone,
    /// Inside the superinstruction of the second step.
    First,
    /// A superinstruction with its first step.
    Second(Superinstruction),
}

/// Fuses the steps of a straight block; `live` are the rows that are read behind it.
pub(super) fn fuse(level: SimdLevel, run: &[Step], live: &RegisterSet) -> Vec<Part> {
    let mut parts = vec![Part::Alone; run.len()];
    for at in 0..run.len() {
        if let Some((from, fused)) = fractions(level, (run, live), at) {
            parts[from..at].fill(Part::First);
            parts[at] = Part::Second(fused);
        }
    }
    for at in 0..run.len() {
        if !matches!(parts[at], Part::Alone) {
            continue;
        }
        if let Some((from, fused)) = choice(level, run, at) {
            parts[from] = Part::First;
            parts[at] = Part::Second(fused);
            continue;
        }
        let Some(second) = alu(&run[at]) else {
            continue;
        };
        if second.op == LaneOp::Mov {
            if let Some((from, moved)) = moved(level, (run, live), &parts, at, &second) {
                parts[from] = Part::First;
                parts[at] = Part::Second(moved);
            }
            continue;
        }
        let found = second.operands().iter().find_map(|operand| {
            let Src::Row(row) = *operand else {
                return None;
            };
            let from = writer(run, at, row)?;
            if let Part::Second(pair) = &parts[from] {
                let fused = pair.longer(level, row, &second)?;
                let moves = moves((run, live), [from, at], pair.operands(), row, second.dst);
                return moves.then_some((from, fused));
            }
            let first = alu(&run[from]).filter(|first| starts(first.op, second.op))?;
            let free = matches!(parts[from], Part::Alone);
            let moves = free
                && moves(
                    (run, live),
                    [from, at],
                    first.operands().iter(),
                    first.dst,
                    second.dst,
                );
            let fused = moves.then(|| Superinstruction::new(level, &first, &second));
            Some((from, fused??))
        });
        if let Some((from, fused)) = found {
            parts[from] = Part::First;
            parts[at] = Part::Second(fused);
        }
    }
    parts
}

/// Four fractions that are packed by the steps that end at `at`, and the first of these steps.
fn fractions(
    level: SimdLevel,
    (run, live): (&[Step], &RegisterSet),
    at: usize,
) -> Option<(usize, Superinstruction)> {
    let packing = Packing::find(run, at)?;
    let Step::Alu { dst, .. } = run[at] else {
        return None;
    };
    let mut rows = packing.rows.iter().map(|(_, row)| *row);
    let free = rows.all(|row| row == dst || dead(&run[at + 1..], live, row));
    let fused = packing.superinstruction(level)?;
    free.then_some((packing.first, fused))
}

/// A step whose result is only moved writes the row that it is moved to.
fn moved(
    level: SimdLevel,
    (run, live): (&[Step], &RegisterSet),
    parts: &[Part],
    at: usize,
    to: &Alu,
) -> Option<(usize, Superinstruction)> {
    let Src::Row(row) = to.src[0] else {
        return None;
    };
    let from = writer(run, at, row)?;
    let made = match &parts[from] {
        Part::Second(made) => *made,
        Part::Alone => {
            let first = alu(&run[from])?;
            let (kernel, src) = vector::alu(level, first.op, first.src);
            Superinstruction::other(kernel, src, [Src::Const(0); 2])
        }
        Part::First => return None,
    };
    let moves = moves((run, live), [from, at], made.operands(), row, to.dst);
    moves.then_some((from, made))
}

/// The selection at `at` with the comparison that makes its mask, where nobody else reads that mask.
fn choice(level: SimdLevel, run: &[Step], at: usize) -> Option<(usize, Superinstruction)> {
    let Step::Select { mask, no, yes, .. } = run[at] else {
        return None;
    };
    let pair = mask..mask + 2;
    let among = |range: &Range<u16>| range.start < pair.end && pair.start < range.end;
    let reads = |step: &Step| step.read_scalars().iter().any(among);
    let writes = |step: &Step| among(&step.written_scalars());
    let reach = at.saturating_sub(REACH)..at;
    let from = reach.rev().find(|from| writes(&run[*from]))?;
    let Step::Compare { op, dst, src } = run[from] else {
        return None;
    };
    let still = run[from + 1..at].iter().all(|step| {
        let touch = Touch::of(step);
        !reads(step) && touch.is_some_and(|touch| !src.iter().any(|src| touch.writes(*src)))
    });
    let next = run[at + 1..]
        .iter()
        .find(|step| reads(step) || writes(step))?;
    let dead = !reads(next) && next.written_scalars() == pair;
    let fused = Superinstruction::choice(level, op, src, [no, yes])?;
    (dst == mask && still && dead).then_some((from, fused))
}

fn alu(step: &Step) -> Option<Alu> {
    match *step {
        Step::Alu { op, dst, src } => Some(Alu { op, dst, src }),
        _ => None,
    }
}

/// The nearest step before `at` that writes a row, within reach.
fn writer(run: &[Step], at: usize, row: u16) -> Option<usize> {
    for from in (at.saturating_sub(REACH)..at).rev() {
        if Touch::of(&run[from])?.row == Some(row) {
            return Some(from);
        }
    }
    None
}

/// Whether step `from` with these operands and this row may move to `at`, whose row is `to`, without writing its own.
fn moves<'a>(
    (run, live): (&[Step], &RegisterSet),
    [from, at]: [usize; 2],
    operands: impl Iterator<Item = &'a Src> + Clone,
    row: u16,
    to: u16,
) -> bool {
    let still = run[from + 1..at].iter().all(|step| {
        Touch::of(step).is_some_and(|touch| {
            let changes = operands.clone().any(|src| touch.writes(*src));
            touch.row != Some(row) && !touch.reads(row) && !changes
        })
    });
    still && (to == row || dead(&run[at + 1..], live, row))
}

/// Whether a row is dead: written before it is read, if it is read at all.
fn dead(run: &[Step], live: &RegisterSet, row: u16) -> bool {
    for step in run {
        match Touch::of(step) {
            Some(touch) if touch.reads(row) => return false,
            Some(touch) if touch.row == Some(row) => return true,
            Some(_) => {}
            None => return false,
        }
    }
    !live.has(row)
}

/// The registers of a step.
struct Touch {
    src: [Src; 3],
    /// The row it writes, in all enabled lanes.
    row: Option<u16>,
    /// The scalars it writes.
    scalars: Range<u16>,
}

impl Touch {
    /// `None` for steps with other inputs than their operands, or partial row writes.
    fn of(step: &Step) -> Option<Touch> {
        let none = Src::Const(0);
        let (src, row) = match *step {
            Step::Alu { dst, src, .. } => (src, Some(dst)),
            Step::Select { dst, no, yes, .. } => ([no, yes, none], Some(dst)),
            Step::LaneId { dst } => ([none; 3], Some(dst)),
            Step::Compare { src, .. }
            | Step::Uniform { src, .. }
            | Step::UniformWide { src, .. } => (src, None),
            _ => return None,
        };
        Some(Touch {
            src,
            row,
            scalars: step.written_scalars(),
        })
    }

    fn reads(&self, row: u16) -> bool {
        self.src.contains(&Src::Row(row))
    }

    fn writes(&self, src: Src) -> bool {
        match src {
            Src::Row(row) => self.row == Some(row),
            Src::Scalar(at) => self.scalars.contains(&at),
            Src::Const(_) => false,
        }
    }
}
