//! Several waves of one program side by side, as long as they take the same way.

use super::prepare::{Block, Then};
use super::{ALL, Interpreter, Prepared, Registers, holds};
use crate::wave::Wave;

/// Waves of the same program, and what they reach together.
pub trait Waves {
    /// How many.
    fn count(&self) -> usize;

    /// One of them.
    fn wave(&mut self, index: usize) -> &mut Wave;

    /// Performs `count` ports from `first` on for every wave, and leaves the waves their registers. Otherwise it says so,
    /// and has done nothing, or the waves start again.
    fn call_run(&mut self, first: u32, count: u32) -> bool;
}

/// Where waves go on one by one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Resume {
    pub(super) block: usize,
    /// The block's steps are done, but for the control step at its end.
    pub(super) at_end: bool,
}

impl Interpreter {
    /// Runs waves from the start as far as they can go together: all their lanes are enabled, they branch alike, and
    /// nothing fails. Nothing is left if all have ended; otherwise [`Interpreter::run_from`] goes on with each.
    pub fn run_together(&self, prepared: &Prepared, waves: &mut impl Waves) -> Option<Resume> {
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
                        return Some(at);
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
