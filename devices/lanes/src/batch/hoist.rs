//! Hoisting: uniform steps run in the first wave of a batch; their scalars are broadcast to the others.

use std::ops::Range;

use crate::analysis::uniform::Scalars;
use crate::step::{Program, Step};
use crate::wave::Wave;

/// A straight block split in two: hoisted steps, then per-wave steps. A uniform step that cannot move to the front
/// stays per-wave: a second loop over the waves costs more. The execution mask is constant; its writer, the last step,
/// is hoisted only if no per-wave step is left.
pub(super) struct Run {
    pub(super) hoisted: Vec<Step>,
    pub(super) each: Vec<Step>,
    /// First scalar of the execution mask.
    exec: u16,
    written_hoisted: Scalars,
    /// Scalars that per-wave steps write, and that they write or read.
    written: Scalars,
    touched: Scalars,
}

impl Run {
    /// An empty run.
    pub(super) fn new(program: &Program) -> Run {
        let none = Scalars::none(program.scalars);
        Run {
            hoisted: Vec::new(),
            each: Vec::new(),
            exec: program.exec,
            written_hoisted: none.clone(),
            written: none.clone(),
            touched: none,
        }
    }

    /// Begins the next run.
    pub(super) fn clear(&mut self) {
        self.hoisted.clear();
        self.each.clear();
        for set in [
            &mut self.written_hoisted,
            &mut self.written,
            &mut self.touched,
        ] {
            set.clear();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.hoisted.is_empty() && self.each.is_empty()
    }

    /// Appends a step, uniform or not.
    pub(super) fn push(&mut self, step: &Step, uniform: bool) {
        let (read, written) = (step.read_scalars(), step.written_scalars());
        let mut mask = self.exec..self.exec + 2;
        let keeps_mask = self.each.is_empty() || !mask.any(|at| written.contains(&at));
        let goes_first = uniform
            && keeps_mask
            && !self.touched.has_any(written.clone())
            && !self.written.has_any(read.clone().into_iter().flatten());
        if goes_first {
            self.written_hoisted.add(written);
            self.hoisted.push(*step);
            return;
        }
        self.written.add(written.clone());
        self.touched.add(written);
        self.touched.add(read.into_iter().flatten());
        self.each.push(*step);
    }

    /// Scalars that hoisted steps write.
    pub(super) fn written_hoisted(&self) -> &Scalars {
        &self.written_hoisted
    }
}

/// Scalars to broadcast from the first wave to the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Broadcast {
    at: u16,
    /// A power of two up to [`Broadcast::MOST`].
    count: u16,
}

impl Broadcast {
    const MOST: u16 = 16;

    /// Appends the scalars of a set to the list; returns their range.
    pub(super) fn add(scalars: &Scalars, list: &mut Vec<Broadcast>) -> Range<u32> {
        let first = list.len() as u32;
        let mut scalars = scalars.iter().peekable();
        while let Some(at) = scalars.next() {
            let mut end = at + 1;
            while scalars.next_if_eq(&end).is_some() {
                end += 1;
            }
            let mut at = at;
            while at < end {
                let count = 1 << (end - at).min(Broadcast::MOST).ilog2();
                list.push(Broadcast { at, count });
                at += count;
            }
        }
        first..list.len() as u32
    }

    /// Copies them.
    #[inline]
    pub(super) fn run(self, first: &Wave, others: &mut [Wave]) {
        match self.count {
            1 => self.copy::<1>(first, others),
            2 => self.copy::<2>(first, others),
            4 => self.copy::<4>(first, others),
            8 => self.copy::<8>(first, others),
            _ => self.copy::<16>(first, others),
        }
    }

    #[inline(always)]
    fn copy<const COUNT: usize>(self, first: &Wave, others: &mut [Wave]) {
        let registers = usize::from(self.at)..usize::from(self.at) + COUNT;
        let mut values = [0; COUNT];
        values.copy_from_slice(&first.scalars[registers.clone()]);
        for wave in others {
            wave.scalars[registers.clone()].copy_from_slice(&values);
        }
    }
}
