//! The interpreter.

use crate::engine::{Engine, ProgramError, Stop};
use crate::op::WideOp;
use crate::step::{Move, Program, Src, Step, Swizzle, When};
use crate::validate::{validate, width};
use crate::wave::{Fault, LANES, Ports, Row, Wave};

/// Runs prepared programs step by step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpreter {}

/// A program that the interpreter has checked.
#[derive(Clone, Debug)]
pub struct Prepared {
    program: Program,
}

impl Interpreter {
    /// An interpreter for this host.
    pub fn new() -> Interpreter {
        Interpreter {}
    }
}

impl Engine for Interpreter {
    type Prepared = Prepared;

    fn prepare(&self, program: &Program) -> Result<Prepared, ProgramError> {
        validate(program)?;
        Ok(Prepared {
            program: program.clone(),
        })
    }

    fn run(&self, prepared: &Prepared, wave: &mut Wave, ports: &mut dyn Ports) -> Result<(), Stop> {
        let program = &prepared.program;
        let mut at = 0;
        check_registers(program, wave)
            .and_then(|()| run_steps(program, &mut at, wave, ports))
            .map_err(|fault| Stop {
                fault,
                step: at as u32,
                origin: program.origins[at],
            })
    }
}

fn check_registers(program: &Program, wave: &Wave) -> Result<(), Fault> {
    let (rows, scalars) = (wave.rows.len(), wave.scalars.len());
    if rows >= program.rows.into() && scalars >= program.scalars.into() {
        return Ok(());
    }
    Err(Fault::Registers {
        rows,
        scalars,
        needed_rows: program.rows,
        needed_scalars: program.scalars,
    })
}

/// Runs until the end or a fault; `at` is left at the step that failed.
fn run_steps(
    program: &Program,
    at: &mut usize,
    wave: &mut Wave,
    ports: &mut dyn Ports,
) -> Result<(), Fault> {
    loop {
        let step = program.steps[*at];
        match step {
            Step::Branch { when, to } => {
                if holds(when, wave) {
                    *at = to as usize;
                    continue;
                }
            }
            Step::Indirect { target } => {
                let target = wave.mask(target);
                let found = program
                    .entries
                    .binary_search_by_key(&target, |entry| entry.0);
                let index = found.map_err(|_| Fault::WildJump { target })?;
                *at = program.entries[index].1 as usize;
                continue;
            }
            Step::Tick { instructions } => {
                wave.instructions += u64::from(instructions);
                if wave.instructions > wave.limit {
                    return Err(Fault::Runaway { limit: wave.limit });
                }
            }
            Step::Port { port } => {
                ports.call(port, wave)?;
                check_registers(program, wave)?;
            }
            Step::End => return Ok(()),
            Step::Trap { reason } => {
                let reason = program.reasons[reason as usize].clone();
                return Err(Fault::Illegal { reason });
            }
            _ => data(step, wave, wave.mask(program.exec)),
        }
        *at += 1;
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

/// One step that moves or computes data.
fn data(step: Step, wave: &mut Wave, exec: u64) {
    match step {
        Step::Alu { op, dst, src } => {
            for lane in enabled(exec) {
                let args = src.map(|src| value(wave, src, lane));
                wave.rows[dst as usize].0[lane] = op.eval(args);
            }
        }
        Step::Wide { op, dst, src } => {
            for lane in enabled(exec) {
                let result = op.eval(wide_args(wave, op, src, lane));
                wave.rows[dst as usize].0[lane] = result as u32;
                if width(op.result()) == 2 {
                    wave.rows[dst as usize + 1].0[lane] = (result >> 32) as u32;
                }
            }
        }
        Step::Compare { op, dst, src } => {
            let holds = |lane| op.eval(src.map(|src| value(wave, src, lane))) != 0;
            let mask = enabled(exec).fold(0, |mask, lane| mask | u64::from(holds(lane)) << lane);
            wave.set_mask(dst, mask);
        }
        Step::CompareWide { op, dst, src } => {
            let holds = |lane| op.eval(wide_args(wave, op, src, lane)) != 0;
            let mask = enabled(exec).fold(0, |mask, lane| mask | u64::from(holds(lane)) << lane);
            wave.set_mask(dst, mask);
        }
        Step::Select { dst, mask, no, yes } => {
            let mask = wave.mask(mask);
            for lane in enabled(exec) {
                let src = if mask >> lane & 1 == 1 { yes } else { no };
                wave.rows[dst as usize].0[lane] = value(wave, src, lane);
            }
        }
        Step::Uniform { op, dst, src } => {
            wave.scalars[dst as usize] = op.eval(src.map(|src| wave.uniform(src)));
        }
        Step::UniformWide { op, dst, src } => {
            let result = op.eval(wide_args(wave, op, src, 0));
            wave.scalars[dst as usize] = result as u32;
            if width(op.result()) == 2 {
                wave.scalars[dst as usize + 1] = (result >> 32) as u32;
            }
        }
        Step::ReadLane { dst, src, lane } => {
            let lane = wave.uniform(lane) as usize % LANES;
            wave.scalars[dst as usize] = wave.rows[src as usize].0[lane];
        }
        Step::ReadFirstLane { dst, src } => {
            let lane = exec.trailing_zeros() as usize % LANES;
            wave.scalars[dst as usize] = wave.rows[src as usize].0[lane];
        }
        Step::WriteLane { dst, value, lane } => {
            let lane = wave.uniform(lane) as usize % LANES;
            wave.rows[dst as usize].0[lane] = wave.uniform(value);
        }
        Step::LaneId { dst } => {
            for lane in enabled(exec) {
                wave.rows[dst as usize].0[lane] = lane as u32;
            }
        }
        Step::Relative {
            kind,
            dst,
            base,
            index,
            end,
        } => relative(kind, [dst, base, end].map(u64::from), index, wave, exec),
        Step::Swizzle { dst, src, pattern } => {
            let old = wave.rows[src as usize];
            for lane in enabled(exec) {
                wave.rows[dst as usize].0[lane] = swizzled(&old, pattern, exec, lane);
            }
        }
        Step::Branch { .. }
        | Step::Indirect { .. }
        | Step::Tick { .. }
        | Step::Port { .. }
        | Step::End
        | Step::Trap { .. } => {}
    }
}

fn relative(kind: Move, [dst, base, end]: [u64; 3], index: Src, wave: &mut Wave, exec: u64) {
    let index = u64::from(wave.uniform(index));
    let from = if base + index < end {
        base + index
    } else {
        base
    } as usize;
    let to = (dst + index < end).then_some((dst + index) as usize);
    let (dst, base) = (dst as usize, base as usize);
    match (kind, to) {
        (Move::FromRow, _) => copy_row(wave, dst, from, exec),
        (Move::ToRow, Some(to)) => copy_row(wave, to, base, exec),
        (Move::FromScalar, _) => wave.scalars[dst] = wave.scalars[from],
        (Move::ToScalar, Some(to)) => wave.scalars[to] = wave.scalars[base],
        (Move::ToRow | Move::ToScalar, None) => {}
    }
}

fn copy_row(wave: &mut Wave, to: usize, from: usize, exec: u64) {
    for lane in enabled(exec) {
        wave.rows[to].0[lane] = wave.rows[from].0[lane];
    }
}

/// What a lane reads through a swizzle.
fn swizzled(row: &Row, pattern: Swizzle, exec: u64, lane: usize) -> u32 {
    match pattern {
        Swizzle::Quad(lanes) => row.0[lane & !3 | lanes[lane & 3] as usize],
        Swizzle::Bits { and, or, xor } => {
            let from = ((lane & 31 & and as usize) | or as usize) ^ xor as usize | (lane & 32);
            if exec >> from & 1 == 1 {
                row.0[from]
            } else {
                0
            }
        }
    }
}

/// The enabled lanes in ascending order.
fn enabled(exec: u64) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |&lane| exec >> lane & 1 == 1)
}

fn value(wave: &Wave, src: Src, lane: usize) -> u32 {
    match src {
        Src::Row(at) => wave.rows[at as usize].0[lane],
        Src::Scalar(at) => wave.scalars[at as usize],
        Src::Const(value) => value,
    }
}

fn wide_args(wave: &Wave, op: WideOp, src: [Src; 3], lane: usize) -> [u64; 3] {
    std::array::from_fn(|index| {
        let low = u64::from(value(wave, src[index], lane));
        let wide = op.params().get(index).is_some_and(|&p| width(p) == 2);
        let high = match src[index] {
            Src::Row(at) if wide => wave.rows[at as usize + 1].0[lane],
            Src::Scalar(at) if wide => wave.scalars[at as usize + 1],
            _ => 0,
        };
        low | u64::from(high) << 32
    })
}
