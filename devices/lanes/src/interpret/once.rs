//! What is done once for waves that go side by side: in the first of them, whose scalars then go to the others.

use std::ops::Range;

use super::together::Waves;
use crate::analysis::uniform::Scalars;
use crate::step::{Program, Step};

/// What of a block is done once.
#[derive(Clone, Debug)]
pub(super) struct Once {
    /// Behind the codes that are; they are the block's first.
    pub(super) end: u32,
    /// What those write.
    pub(super) spread: Range<u32>,
    /// The control step at the end.
    pub(super) then: bool,
    /// What that writes.
    pub(super) then_spread: Range<u32>,
}

/// The steps of a straight run: those that are done once before the others, and the others. One that is alike in all
/// waves is among the others nevertheless where it cannot go before them, since a second turn through the waves costs
/// more than a step. The execution mask is that of the run's beginning throughout: a step that changes it, the last, goes
/// first only where no wave has others to do.
pub(super) struct Run {
    pub(super) once: Vec<Step>,
    pub(super) each: Vec<Step>,
    /// First scalar of the execution mask.
    exec: u16,
    written_once: Scalars,
    /// Scalars that steps done in each wave write, and those that they write or read.
    written: Scalars,
    touched: Scalars,
}

impl Run {
    /// An empty run.
    pub(super) fn new(program: &Program) -> Run {
        let none = Scalars::none(program.scalars);
        Run {
            once: Vec::new(),
            each: Vec::new(),
            exec: program.exec,
            written_once: none.clone(),
            written: none.clone(),
            touched: none,
        }
    }

    /// Begins the next run.
    pub(super) fn clear(&mut self) {
        self.once.clear();
        self.each.clear();
        for set in [&mut self.written_once, &mut self.written, &mut self.touched] {
            set.clear();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.once.is_empty() && self.each.is_empty()
    }

    /// Appends a step, alike in all waves or not.
    pub(super) fn push(&mut self, step: &Step, alike: bool) {
        let (read, written) = (step.read_scalars(), step.written_scalars());
        let mut mask = self.exec..self.exec + 2;
        let keeps_mask = self.each.is_empty() || !mask.any(|at| written.contains(&at));
        let goes_first = alike
            && keeps_mask
            && !self.touched.has_any(written.clone())
            && !self.written.has_any(read.clone().into_iter().flatten());
        if goes_first {
            self.written_once.add(written);
            self.once.push(*step);
            return;
        }
        self.written.add(written.clone());
        self.touched.add(written);
        self.touched.add(read.into_iter().flatten());
        self.each.push(*step);
    }

    /// Scalars that are written once.
    pub(super) fn written_once(&self) -> &Scalars {
        &self.written_once
    }
}

/// Scalars that go from the first wave to the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread {
    at: u16,
    /// A power of two up to [`Spread::MOST`].
    count: u16,
}

impl Spread {
    const MOST: u16 = 16;

    /// Lists the scalars of a set; where they are in the list.
    pub(super) fn add(scalars: &Scalars, list: &mut Vec<Spread>) -> Range<u32> {
        let first = list.len() as u32;
        let mut scalars = scalars.iter().peekable();
        while let Some(at) = scalars.next() {
            let mut end = at + 1;
            while scalars.next_if_eq(&end).is_some() {
                end += 1;
            }
            let mut at = at;
            while at < end {
                let count = 1 << (end - at).min(Spread::MOST).ilog2();
                list.push(Spread { at, count });
                at += count;
            }
        }
        first..list.len() as u32
    }

    /// Copies them.
    #[inline]
    pub(super) fn run(self, waves: &mut impl Waves) {
        match self.count {
            1 => self.copy::<1>(waves),
            2 => self.copy::<2>(waves),
            4 => self.copy::<4>(waves),
            8 => self.copy::<8>(waves),
            _ => self.copy::<16>(waves),
        }
    }

    #[inline(always)]
    fn copy<const COUNT: usize>(self, waves: &mut impl Waves) {
        let registers = usize::from(self.at)..usize::from(self.at) + COUNT;
        let mut values = [0; COUNT];
        values.copy_from_slice(&waves.wave(0).scalars[registers.clone()]);
        for n in 1..waves.count() {
            waves.wave(n).scalars[registers.clone()].copy_from_slice(&values);
        }
    }
}
