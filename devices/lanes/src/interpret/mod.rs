//! The interpreter: each step of a prepared program is a function and its operands.
//!
//! A program becomes straight runs of steps with one control step behind each (see [`prepare`]). A run is performed
//! by calling one function a step; each works on whole rows in a loop that the compiler vectorises. Where a lane is
//! disabled the loop still computes and then keeps the old value; a wave without enabled lanes skips vector steps. Where
//! a step takes what another computes, the two may be one function (see [`pair`]).

mod memory;
mod once;
mod pair;
mod plan;
mod prepare;
mod scalar;
mod together;
mod vector;

pub(crate) use memory::{Code, Registers};
pub use prepare::Prepared;
pub use together::Waves;

use prepare::Then;
use together::Resume;

use crate::engine::{Engine, ProgramError, Stop};
use crate::step::{Program, When};
use crate::wave::{Fault, Ports, Row, Wave};
use host::SimdLevel;

/// Runs prepared programs, on one level of the host's instructions.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter {
    level: SimdLevel,
}

impl Interpreter {
    /// An interpreter for this host: [`SimdLevel::current`].
    pub fn new() -> Interpreter {
        Interpreter {
            level: SimdLevel::current(),
        }
    }

    /// An interpreter for one level.
    pub fn at(level: SimdLevel) -> Interpreter {
        Interpreter { level }
    }

    /// The level used.
    pub fn level(&self) -> SimdLevel {
        self.level
    }
}

impl Default for Interpreter {
    fn default() -> Interpreter {
        Interpreter::new()
    }
}

impl Engine for Interpreter {
    type Prepared = Prepared;

    fn prepare(&self, program: &Program) -> Result<Prepared, ProgramError> {
        Prepared::new(program, None, self.level)
    }

    fn run(&self, prepared: &Prepared, wave: &mut Wave, ports: &mut dyn Ports) -> Result<(), Stop> {
        self.run_from(prepared, Resume::default(), wave, ports)
    }
}

impl Interpreter {
    /// As [`Engine::prepare`], for waves that start with the same scalars where they go side by side, but for those in
    /// `own`: what follows from the others alone is then done once in
    /// [`Interpreter::run_together`].
    pub fn prepare_together(
        &self,
        program: &Program,
        own: &[u16],
    ) -> Result<Prepared, ProgramError> {
        Prepared::new(program, Some(own), self.level)
    }

    /// Runs a wave from a place where [`Interpreter::run_together`] left it to its end.
    fn run_from(
        &self,
        prepared: &Prepared,
        start: Resume,
        wave: &mut Wave,
        ports: &mut dyn Ports,
    ) -> Result<(), Stop> {
        let Resume { mut block, at_end } = start;
        prepared
            .check_registers(wave)
            .map_err(|fault| (0, fault))
            .and_then(|()| run_blocks(prepared, (&mut block, at_end), wave, ports))
            .map_err(|(back, fault)| {
                let step = prepared.blocks[block].step - back;
                let origin = prepared.origins[step as usize];
                Stop {
                    fault,
                    step,
                    origin,
                }
            })
    }
}

/// The execution mask of all lanes, spread.
static ALL: Row = Row::splat(u32::MAX);

/// Runs until the end or a fault, from block `at` on or from the control step at its end; `at` is left at the block
/// whose control step failed, and the number is how many steps before its last one that was.
fn run_blocks(
    prepared: &Prepared,
    (at, mut at_end): (&mut usize, bool),
    wave: &mut Wave,
    ports: &mut dyn Ports,
) -> Result<(), (u32, Fault)> {
    loop {
        let block = &prepared.blocks[*at];
        let skips = std::mem::take(&mut at_end);
        if block.first < block.end && !skips {
            let codes = &prepared.codes[block.first as usize..block.end as usize];
            match wave.mask(prepared.exec) {
                u64::MAX => in_all_lanes(codes, wave),
                exec => in_some_lanes(&prepared.expand, codes, exec, wave),
            }
        }
        match block.then {
            Then::Next => {}
            Then::Tick { instructions } => {
                wave.instructions += u64::from(instructions);
                if wave.instructions > wave.limit {
                    return Err((0, Fault::Runaway { limit: wave.limit }));
                }
            }
            Then::Branch { when, to } => {
                if holds(when, wave) {
                    *at = to as usize;
                    continue;
                }
            }
            Then::Indirect { target } => {
                let target = wave.mask(target);
                let entries = &prepared.entries;
                let found = entries.binary_search_by_key(&target, |entry| entry.0);
                let index = found.map_err(|_| (0, Fault::WildJump { target }))?;
                *at = entries[index].1 as usize;
                continue;
            }
            Then::Ports { first, count } => {
                match count {
                    1 => ports.call(first, wave).map_err(|fault| (0, fault))?,
                    _ => ports
                        .call_run(first, count, wave)
                        .map_err(|(done, fault)| (count - 1 - done, fault))?,
                }
                prepared.check_registers(wave).map_err(|fault| (0, fault))?;
            }
            Then::End => return Ok(()),
            Then::Trap { reason } => {
                let reason = prepared.reasons[reason as usize].clone();
                return Err((0, Fault::Illegal { reason }));
            }
        }
        *at += 1;
    }
}

/// Performs steps in a wave whose lanes are all enabled.
#[inline(always)]
fn in_all_lanes(codes: &[Code], wave: &mut Wave) {
    let registers = &mut Registers {
        rows: &mut wave.rows,
        scalars: &mut wave.scalars,
        exec: u64::MAX,
        lanes: &ALL,
    };
    for code in codes {
        code.kernel.call(code, registers);
    }
}

/// Performs steps in a wave in which these lanes are enabled. `expand` makes one word a lane of a mask.
fn in_some_lanes(expand: &Code, codes: &[Code], exec: u64, wave: &mut Wave) {
    let enabled = &mut *wave.enabled;
    if exec != enabled.mask {
        enabled.mask = exec;
        let registers = &mut Registers {
            rows: std::slice::from_mut(&mut enabled.lanes),
            scalars: &mut [],
            exec,
            lanes: &ALL,
        };
        expand.kernel.call(expand, registers);
    }
    let registers = &mut Registers {
        rows: &mut wave.rows,
        scalars: &mut wave.scalars,
        exec,
        lanes: &enabled.lanes,
    };
    if exec != 0 {
        for code in codes {
            code.kernel.call(code, registers);
        }
    } else {
        for code in codes.iter().filter(|code| code.always) {
            code.kernel.call(code, registers);
        }
    }
}

fn holds(when: When, wave: &Wave) -> bool {
    match when {
        When::Always => true,
        When::Zero(at) => wave.scalars[at as usize] == 0,
        When::NonZero(at) => wave.scalars[at as usize] != 0,
        When::MaskZero(at) => wave.mask(at) == 0,
        When::MaskNonZero(at) => wave.mask(at) != 0,
    }
}
