//! Several waves of one program side by side, as long as they take the same way.

use super::prepare::{Block, Then};
use super::{ALL, Interpreter, Prepared, Registers, holds};
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
    /// what stopped the one after those. Each leaves what it leaves alone.
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

    /// Runs waves from the start as far as they can go together: all their lanes are enabled, they branch alike, and
    /// nothing fails. Nothing is left if all have ended; otherwise [`Interpreter::run_from`] goes on with each, where it
    /// says that they are at the start after they are started again.
    fn run_together(&self, prepared: &Prepared, waves: &mut impl Waves) -> Option<Resume> {
        let count = waves.count();
        let mut at = Resume::default();
        let fit = |waves: &mut dyn FnMut(usize) -> bool| (0..count).all(waves);
        if !fit(&mut |n| prepared.check_registers(waves.wave(n)).is_ok()) {
            return Some(at);
        }
        loop {
            let block = &prepared.blocks[at.block];
            if block.first < block.end {
                if !fit(&mut |n| waves.wave(n).mask(prepared.exec) == u64::MAX) {
                    return Some(at);
                }
                for n in 0..count {
                    steps(prepared, block, waves.wave(n));
                }
            }
            at.at_end = true;
            match block.then {
                Then::Next => {}
                Then::Tick { instructions } => {
                    let instructions = u64::from(instructions);
                    let may = |wave: &Wave| wave.instructions + instructions <= wave.limit;
                    if !fit(&mut |n| may(waves.wave(n))) {
                        return Some(at);
                    }
                    for n in 0..count {
                        waves.wave(n).instructions += instructions;
                    }
                }
                Then::Branch { when, to } => {
                    let taken = (0..count).filter(|n| holds(when, waves.wave(*n))).count();
                    if taken == count {
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
                    if !waves.call_run(first, count) {
                        return Some(Resume::default());
                    }
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

/// The steps of a block in a wave whose lanes are all enabled.
#[inline(always)]
fn steps(prepared: &Prepared, block: &Block, wave: &mut Wave) {
    let registers = &mut Registers {
        rows: &mut wave.rows,
        scalars: &mut wave.scalars,
        exec: u64::MAX,
        lanes: &ALL,
    };
    for code in &prepared.codes[block.first as usize..block.end as usize] {
        code.kernel.call(code, registers);
    }
}
