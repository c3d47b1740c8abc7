//! Several waves of one program side by side, as long as they take the same way.

use std::ops::Range;

use super::once::Once;
use super::prepare::{Block, Then};
use super::{Interpreter, Prepared, holds, in_all_lanes, in_some_lanes};
use crate::engine::Stop;
use crate::wave::{Ports, Wave};

/// Waves of the same program, and what they reach together.
pub trait Waves {
    /// How many.
    fn count(&self) -> usize;

    /// One of them.
    fn wave(&mut self, index: usize) -> &mut Wave;

    /// Gives all the registers that they start with, and forgets what they did before. It may be asked for twice: they
    /// must have no other effects until they end.
    fn start(&mut self);

    /// Performs `count` ports from `first` on for every wave, and leaves the waves their registers. Otherwise it says so,
    /// and each wave starts again by itself.
    fn call_run(&mut self, first: u32, count: u32) -> bool;

    /// As [`Waves::call_run`], for ports that make scalars from scalars which all waves have alike: see
    /// [`crate::PortEffects`]. It is enough to perform them for the first wave, from where what they write goes to the
    /// others.
    fn call_first(&mut self, first: u32, count: u32) -> bool {
        self.call_run(first, count)
    }

    /// Runs one of them by itself, with what it reaches.
    fn alone(
        &mut self,
        index: usize,
        run: impl FnOnce(&mut Wave, &mut dyn Ports) -> Result<(), Stop>,
    ) -> Result<(), Stop>;
}

/// Where waves go on one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Resume {
    pub(super) block: usize,
    /// The block's steps are done, but for the control step at its end.
    pub(super) at_end: bool,
}

impl Interpreter {
    /// Runs waves to their end, together as far as they take the same way and then in order; how many have ended, and
    /// what stopped the one after those. Each leaves what it leaves alone. In a program from
    /// [`Interpreter::prepare_together`] they must start with the same scalars but for those that it names; others may
    /// differ that it writes before it reads them, but not in debug builds, which compare them all.
    pub fn run_all(
        &self,
        prepared: &Prepared,
        waves: &mut impl Waves,
    ) -> (usize, Result<(), Stop>) {
        waves.start();
        let count = waves.count();
        let Some(rest) = self.run_together(prepared, waves) else {
            return (count, Ok(()));
        };
        if rest == Resume::default() {
            waves.start();
        }
        for n in 0..count {
            let result = waves.alone(n, |wave, ports| self.run_from(prepared, rest, wave, ports));
            if result.is_err() {
                return (n, result);
            }
        }
        (count, Ok(()))
    }

    /// Runs waves from the start as far as they can go together: they branch alike, and nothing fails. Nothing is left if all have ended; otherwise [`Interpreter::run_from`] goes on with each, where it
    /// says that they are at the start after they are started again.
    fn run_together(&self, prepared: &Prepared, waves: &mut impl Waves) -> Option<Resume> {
        let count = waves.count();
        let mut at = Resume::default();
        if count == 0 {
            return None;
        }
        if !(0..count).all(|n| prepared.check_registers(waves.wave(n)).is_ok()) {
            return Some(at);
        }
        debug_assert!(
            have_same_scalars(prepared, waves),
            "the waves start with the same scalars"
        );
        loop {
            let (block, once) = (&prepared.blocks[at.block], &prepared.once[at.block]);
            if block.first < block.end {
                straight(prepared, block, once, waves);
            }
            at.at_end = true;
            match block.then {
                Then::Next => {}
                Then::Tick { instructions } => {
                    let instructions = u64::from(instructions);
                    let may = |wave: &Wave| wave.instructions + instructions <= wave.limit;
                    if !(0..count).all(|n| may(waves.wave(n))) {
                        return Some(at);
                    }
                    for n in 0..count {
                        waves.wave(n).instructions += instructions;
                    }
                }
                Then::Branch { when, to } => {
                    let asked = if once.then { 1 } else { count };
                    let taken = (0..asked).filter(|n| holds(when, waves.wave(*n))).count();
                    if taken == asked {
                        at = Resume {
                            block: to as usize,
                            at_end: false,
                        };
                        continue;
                    }
                    if taken > 0 {
                        return Some(at);
                    }
                }
                Then::Ports { first, count } => {
                    let done = match once.then {
                        true => waves.call_first(first, count),
                        false => waves.call_run(first, count),
                    };
                    if !done {
                        return Some(Resume::default());
                    }
                    spread(prepared, &once.then_spread, waves);
                }
                Then::End => return None,
                Then::Indirect { .. } | Then::Trap { .. } => return Some(at),
            }
            at = Resume {
                block: at.block + 1,
                at_end: false,
            };
        }
    }
}

/// Whether waves hold the scalars alike that they are to start with alike.
fn have_same_scalars(prepared: &Prepared, waves: &mut impl Waves) -> bool {
    let Some(own) = &prepared.own else {
        return true;
    };
    let first = waves.wave(0).scalars.clone();
    (1..waves.count()).all(|n| {
        let mut pairs = (0..).zip(waves.wave(n).scalars.iter().zip(&first));
        pairs.all(|(at, (scalar, first))| scalar == first || own.has(at))
    })
}

/// Performs the steps of a block.
#[inline(always)]
fn straight(prepared: &Prepared, block: &Block, once: &Once, waves: &mut impl Waves) {
    let codes = |from: u32, to: u32| &prepared.codes[from as usize..to as usize];
    if block.first < once.end {
        // Steps of the scalar unit, which have no lanes.
        in_all_lanes(codes(block.first, once.end), waves.wave(0));
        spread(prepared, &once.spread, waves);
    }
    if once.end < block.end {
        let codes = codes(once.end, block.end);
        for n in 0..waves.count() {
            let wave = waves.wave(n);
            match wave.mask(prepared.exec) {
                u64::MAX => in_all_lanes(codes, wave),
                exec => in_some_lanes(&prepared.expand, codes, exec, wave),
            }
        }
    }
}

/// Gives all waves scalars of the first.
#[inline(always)]
fn spread(prepared: &Prepared, list: &Range<u32>, waves: &mut impl Waves) {
    for spread in &prepared.spreads[list.start as usize..list.end as usize] {
        spread.run(waves);
    }
}
