//! Which steps machine code does, which of them may be one piece of it, and what becomes of what they read and write.

use std::collections::HashMap;

use super::assembler::Width;
use super::recipe::{comparison, recipe};
use crate::analysis::live::RegisterSet;
use crate::op::{LaneOp, WideOp};
use crate::step::{Src, Step};

/// Whether machine code of a width does a step.
pub(super) fn has_code(step: &Step, width: Width) -> bool {
    let known = match *step {
        // Exponents and mantissas are instructions of the wide ones; sines are doubles.
        Step::Alu {
            op:
                LaneOp::FLdexp
                | LaneOp::FFrexpExp
                | LaneOp::FFrexpMant
                | LaneOp::FSinTurns
                | LaneOp::FCosTurns,
            ..
        } if width == Width::Eight => false,
        Step::Alu { op, src, .. } => recipe(op, src).is_some(),
        Step::Compare { op, .. } => comparison(op).is_some(),
        Step::Select { .. } => true,
        Step::Swizzle { pattern, .. } => pattern.in_quad().is_some(),
        Step::UniformWide { op, src, .. } => on_masks(op, src),
        _ => false,
    };
    // A step may be in its own way: what it reads of a mask is half of what it writes.
    known && Parts::default().add(step)
}

/// About how many instructions a step takes.
pub(super) fn cost(step: &Step) -> usize {
    match *step {
        Step::Alu { op, src, .. } => recipe(op, src).map_or(1, |recipe| recipe.cost()),
        _ => 2,
    }
}

/// Whether an operation works on masks bit by bit.
fn on_masks(op: WideOp, src: [Src; 3]) -> bool {
    use WideOp::*;
    let count = op.params().len();
    let scalars = src[..count].iter().all(|src| matches!(src, Src::Scalar(_)));
    scalars
        && matches!(
            op,
            Mov64 | Not64 | And64 | Or64 | Xor64 | AndNot64 | OrNot64
        )
}

/// Scalars of which a step handles the part of a vector's lanes at a time: those that it reads, and the pair that it writes.
fn masks(step: &Step) -> (Vec<u16>, Option<u16>) {
    match *step {
        Step::Compare { dst, .. } => (Vec::new(), Some(dst)),
        Step::Select { mask, .. } => (vec![mask], None),
        Step::UniformWide { op, dst, src } => {
            let pairs = src[..op.params().len()].iter().filter_map(|src| match src {
                Src::Scalar(at) => Some(*at),
                _ => None,
            });
            (pairs.collect(), Some(dst))
        }
        _ => (Vec::new(), None),
    }
}

/// Rows, and scalars that are the same for all lanes, which a step reads.
fn operands(step: &Step) -> impl Iterator<Item = Src> + Clone {
    let (count, src) = match *step {
        Step::Alu { op, src, .. } | Step::Compare { op, src, .. } => (op.params().len(), src),
        Step::Select { no, yes, .. } => (2, [no, yes, no]),
        Step::Swizzle { src, .. } => (1, [Src::Row(src); 3]),
        _ => (0, [Src::Const(0); 3]),
    };
    src.into_iter().take(count)
}

/// Numbers that code keeps aside, at most.
pub(super) const SAVED: usize = 16;

/// Whether code may do these steps chunk by chunk: no scalar that one has written by parts is a number to a later one.
#[derive(Default)]
pub(super) struct Parts {
    numbers: Vec<u16>,
    /// Numbers that lie in pairs which their own step or a later one writes: code reads them before its first chunk.
    saved: Vec<u16>,
    /// Pairs that are read, and that are written.
    read: Vec<u16>,
    written: Vec<u16>,
}

impl Parts {
    /// Adds a step; false where it must begin new code.
    pub(super) fn add(&mut self, step: &Step) -> bool {
        let numbers = operands(step).filter_map(|src| match src {
            Src::Scalar(at) => Some(at),
            _ => None,
        });
        let numbers: Vec<u16> = numbers.collect();
        let (read, written) = masks(step);
        let apart = |pairs: &[u16], numbers: &[u16]| {
            let has = |pair: &u16| numbers.contains(pair) || numbers.contains(&(pair + 1));
            !pairs.iter().any(has)
        };
        let whole = |pairs: &[u16], others: &[u16]| {
            let half = |pair: &u16| others.iter().any(|other| other.abs_diff(*pair) == 1);
            !pairs.iter().any(half)
        };
        let written = written.as_slice();
        let mut saved = self.saved.clone();
        for number in self.numbers.iter().chain(&numbers) {
            if !apart(written, std::slice::from_ref(number)) && !saved.contains(number) {
                saved.push(*number);
            }
        }
        let free = apart(&self.written, &numbers)
            && saved.len() <= SAVED
            && whole(&self.written, &read)
            && whole(&self.written, written)
            && whole(&read, written)
            && whole(&self.read, written);
        if free {
            self.numbers.extend(numbers);
            self.read.extend(read);
            self.written.extend(written);
            self.saved = saved;
        }
        free
    }

    /// Of steps that are one piece: numbers to read before the first chunk.
    pub(super) fn saved(steps: &[Step]) -> Vec<u16> {
        let mut parts = Parts::default();
        for step in steps {
            parts.add(step);
        }
        parts.saved
    }
}

/// Scalar pairs that steps write as masks, which they do without an enabled lane too.
pub(super) fn written_masks(steps: &[Step]) -> Vec<u16> {
    let mut written: Vec<u16> = steps.iter().filter_map(|step| masks(step).1).collect();
    written.sort_unstable();
    written.dedup();
    written
}

/// What becomes of a value behind a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Future {
    /// The next step that reads it.
    pub(super) read: Option<usize>,
    /// A step or what follows the steps reads it.
    pub(super) live: bool,
}

/// Operands of a step, and what becomes of them and of the row that it writes.
#[derive(Clone, Copy, Default)]
pub(super) struct Use {
    operands: [Option<(Src, Future)>; 3],
    pub(super) result: Future,
}

/// The uses of each step. `live` are the rows that are read behind the last.
pub(super) fn uses(steps: &[Step], live: &RegisterSet) -> Vec<Use> {
    let mut uses = vec![Use::default(); steps.len()];
    let mut futures: HashMap<Src, Future> = HashMap::new();
    let behind = |src: Src| Future {
        read: None,
        live: matches!(src, Src::Row(row) if live.has(row)),
    };
    for (at, (step, used)) in steps.iter().zip(&mut uses).enumerate().rev() {
        for row in step.written_rows() {
            let now = futures.insert(Src::Row(row), Future::default());
            used.result = now.unwrap_or_else(|| behind(Src::Row(row)));
        }
        let operands = operands(step);
        for (operand, src) in used.operands.iter_mut().zip(operands.clone()) {
            let future = futures.get(&src).copied();
            *operand = Some((src, future.unwrap_or_else(|| behind(src))));
        }
        for src in operands {
            let (read, live) = (Some(at), true);
            futures.insert(src, Future { read, live });
        }
    }
    uses
}

impl Use {
    /// What becomes of an operand.
    pub(super) fn of(&self, src: Src) -> Option<Future> {
        let mut operands = self.operands.iter().flatten();
        operands
            .find(|(operand, _)| *operand == src)
            .map(|(_, future)| *future)
    }
}
