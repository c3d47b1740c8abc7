//! From a program to straight runs of packed steps.

use super::memory::{Code, Source};
use super::once::{Once, Run, Spread};
use super::plan::{Part, plan};
use super::{scalar, vector};
use crate::analysis::PortEffects;
use crate::analysis::uniform::{Scalars, uniform_steps};
use crate::engine::ProgramError;
use host::SimdLevel;

use crate::arithmetic::Kernel;
use crate::step::{Origin, Program, Src, Step, When};
use crate::validate::validate;
use crate::wave::{Fault, Wave};

/// A program that the interpreter has checked and packed. It holds straight runs of steps; each ends in one control
/// step, or where the execution mask may change, or before a step that is branched to.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(super) codes: Vec<Code>,
    pub(super) blocks: Vec<Block>,
    /// Scalars with which waves that go side by side start differently, if they start with the others alike.
    pub(super) own: Option<Scalars>,
    /// What of each block is done once for waves that go side by side.
    pub(super) once: Vec<Once>,
    /// Scalars that go from the first of them to the others.
    pub(super) spreads: Vec<Spread>,
    /// Makes one word a lane of the execution mask.
    pub(super) expand: Code,
    /// Scalar pair of the execution mask.
    pub(super) exec: u16,
    /// Byte addresses with their blocks, sorted.
    pub(super) entries: Vec<(u64, u32)>,
    pub(super) reasons: Vec<String>,
    pub(super) origins: Vec<Origin>,
    rows: u16,
    scalars: u16,
}

/// A straight run and what follows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// First code.
    pub(super) first: u32,
    /// Behind the last code.
    pub(super) end: u32,
    /// What follows.
    pub(super) then: Then,
    /// Index of the last step.
    pub(super) step: u32,
}

/// What follows a straight run. Targets are blocks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Then {
    Next,
    Tick {
        instructions: u32,
    },
    Branch {
        when: When,
        to: u32,
    },
    Indirect {
        target: u16,
    },
    /// Ports `first`, `first + 1`, …
    Ports {
        first: u32,
        count: u32,
    },
    End,
    Trap {
        reason: u32,
    },
}

impl Prepared {
    /// Checks and packs a program for a level that this host has. With `together`, for waves that start with the same
    /// scalars where they go side by side, but for these.
    pub(super) fn new(
        program: &Program,
        together: Option<&[u16]>,
        level: SimdLevel,
    ) -> Result<Prepared, ProgramError> {
        validate(program)?;
        let own = together.map(|own| {
            let mut scalars = Scalars::none(program.scalars);
            scalars.add(own.iter().copied());
            scalars
        });
        let steps = program.steps.len();
        let uniform = match &own {
            Some(own) => uniform_steps(program, own),
            None => vec![false; steps],
        };
        let mut targets = vec![false; steps];
        for step in &program.steps {
            if let Step::Branch { to, .. } = step {
                targets[*to as usize] = true;
            }
        }
        for entry in &program.entries {
            targets[entry.1 as usize] = true;
        }

        let mut prepared = Prepared {
            codes: Vec::with_capacity(steps),
            blocks: Vec::new(),
            own,
            once: Vec::new(),
            spreads: Vec::new(),
            expand: code(vector::expansion(level), 0, [Src::Const(0); 3], 0),
            exec: program.exec,
            entries: program.entries.clone(),
            reasons: program.reasons.clone(),
            origins: program.origins.clone(),
            rows: program.rows,
            scalars: program.scalars,
        };
        // Block that starts at or holds each step.
        let mut block_of = vec![0; steps];
        let mut run = Run::new(program);
        for (index, step) in program.steps.iter().enumerate() {
            block_of[index] = prepared.blocks.len() as u32;
            let same = uniform[index];
            if !targets[index] && run.is_empty() && prepared.joins(step, same) {
                block_of[index] -= 1;
                continue;
            }
            let then = match control(step) {
                Some(then) => Some(then),
                None => {
                    run.push(step, same);
                    let target_next = targets.get(index + 1) == Some(&true);
                    (target_next || writes_exec(step, program.exec)).then_some(Then::Next)
                }
            };
            if let Some(then) = then {
                let first = prepared.codes.len() as u32;
                pack_run(level, &run.once, &mut prepared.codes);
                prepared.once.push(Once {
                    end: prepared.codes.len() as u32,
                    spread: Spread::add(run.written_once(), &mut prepared.spreads),
                    then: same,
                    then_spread: 0..0,
                });
                pack_run(level, &run.each, &mut prepared.codes);
                run.clear();
                prepared.blocks.push(Block {
                    first,
                    end: prepared.codes.len() as u32,
                    then,
                    step: index as u32,
                });
            }
        }
        prepared.spread_ports(&program.ports);
        for block in &mut prepared.blocks {
            if let Then::Branch { to, .. } = &mut block.then {
                *to = block_of[*to as usize];
            }
        }
        for entry in &mut prepared.entries {
            entry.1 = block_of[entry.1 as usize];
        }
        Ok(prepared)
    }

    /// Lists what ports that are called once write.
    fn spread_ports(&mut self, ports: &[PortEffects]) {
        for (block, once) in self.blocks.iter().zip(&mut self.once) {
            if let Then::Ports { first, count } = block.then
                && once.then
            {
                let mut written = Scalars::none(self.scalars);
                for port in &ports[first as usize..][..count as usize] {
                    written.add(port.writes_scalars.iter().copied());
                }
                once.then_spread = Spread::add(&written, &mut self.spreads);
            }
        }
    }

    /// Adds a port that directly follows the last block's ports, by step and by number, to that block.
    fn joins(&mut self, step: &Step, once: bool) -> bool {
        let (Some(block), Some(last)) = (self.blocks.last_mut(), self.once.last()) else {
            return false;
        };
        match (step, &mut block.then) {
            (Step::Port { port }, Then::Ports { first, count })
                if *port == *first + *count && once == last.then =>
            {
                *count += 1;
                block.step += 1;
                true
            }
            _ => false,
        }
    }

    /// Whether a wave has the registers that the program names.
    pub(super) fn check_registers(&self, wave: &Wave) -> Result<(), Fault> {
        let (rows, scalars) = (wave.rows.len(), wave.scalars.len());
        if rows >= self.rows.into() && scalars >= self.scalars.into() {
            return Ok(());
        }
        Err(Fault::Registers {
            rows,
            scalars,
            needed_rows: self.rows,
            needed_scalars: self.scalars,
        })
    }
}

/// The control step, with step numbers where blocks will stand; `None` for steps that compute.
fn control(step: &Step) -> Option<Then> {
    Some(match *step {
        Step::Branch { when, to } => Then::Branch { when, to },
        Step::Indirect { target } => Then::Indirect { target },
        Step::Tick { instructions } => Then::Tick { instructions },
        Step::Port { port } => Then::Ports {
            first: port,
            count: 1,
        },
        Step::End => Then::End,
        Step::Trap { reason } => Then::Trap { reason },
        _ => return None,
    })
}

/// Whether a step may change the execution mask.
fn writes_exec(step: &Step, exec: u16) -> bool {
    let written = step.written_scalars();
    written.start < exec + 2 && exec < written.end
}

/// A pair of steps in one kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joined {
    /// What performs both.
    pub(super) kernel: Kernel,
    /// Operands of the first.
    pub(super) src: [Src; 3],
    /// Operands of the second that the first does not give.
    pub(super) more: [Src; 2],
}

/// Packs a straight run of steps that compute.
fn pack_run(level: SimdLevel, run: &[Step], codes: &mut Vec<Code>) {
    for (step, part) in run.iter().zip(plan(level, run)) {
        match (part, step) {
            (Part::First, _) => {}
            (Part::Second(joined), Step::Alu { dst, .. }) => codes.push(Code {
                more: joined.more.map(Source::new),
                ..code(joined.kernel, *dst, joined.src, 0)
            }),
            _ => codes.push(pack(level, step)),
        }
    }
}

/// Packs a step that computes.
fn pack(level: SimdLevel, step: &Step) -> Code {
    let none = Src::Const(0);
    match *step {
        Step::Alu { op, dst, src } => {
            let (kernel, src) = vector::alu(level, op, src);
            code(kernel, dst, src, 0)
        }
        Step::Wide { op, dst, src } => {
            let (kernel, extra) = vector::wide(level, op);
            code(kernel, dst, src, extra)
        }
        Step::Compare { op, dst, src } => {
            let (kernel, extra) = vector::compare(level, op, src);
            always(code(kernel, dst, src, extra))
        }
        Step::CompareWide { op, dst, src } => {
            let (kernel, extra) = vector::compare_wide(level, op);
            always(code(kernel, dst, src, extra))
        }
        Step::Select { dst, mask, no, yes } => {
            let kernel = vector::select(level, no, yes);
            code(kernel, dst, [no, yes, none], mask.into())
        }
        Step::Uniform { op, dst, src } => {
            let kernel = Kernel::plain(scalar::uniform(op));
            always(code(kernel, dst, src, 0))
        }
        Step::UniformWide { op, dst, src } => {
            let kernel = Kernel::plain(scalar::uniform_wide(op));
            always(code(kernel, dst, src, vector::wide_extra(op)))
        }
        Step::ReadLane { dst, src, lane } => {
            let kernel = Kernel::plain(scalar::read_lane);
            always(code(kernel, dst, [lane, none, none], src.into()))
        }
        Step::ReadFirstLane { dst, src } => {
            let kernel = Kernel::plain(scalar::read_first_lane);
            always(code(kernel, dst, [none; 3], src.into()))
        }
        Step::WriteLane { dst, value, lane } => {
            let kernel = Kernel::plain(scalar::write_lane);
            always(code(kernel, dst, [value, lane, none], 0))
        }
        Step::LaneId { dst } => code(Kernel::plain(scalar::lane_id), dst, [none; 3], 0),
        Step::Relative {
            kind,
            dst,
            base,
            index,
            end,
        } => {
            let kernel = Kernel::plain(scalar::relative(kind));
            let extra = u32::from(base) | u32::from(end) << 16;
            always(code(kernel, dst, [index, none, none], extra))
        }
        Step::Swizzle { dst, src, pattern } => {
            let (run, extra) = scalar::swizzle(pattern);
            code(Kernel::plain(run), dst, [Src::Row(src), none, none], extra)
        }
        Step::Branch { .. }
        | Step::Indirect { .. }
        | Step::Tick { .. }
        | Step::Port { .. }
        | Step::End
        | Step::Trap { .. } => unreachable!("control steps end a block"),
    }
}

fn code(kernel: Kernel, dst: u16, src: [Src; 3], extra: u32) -> Code {
    Code {
        kernel,
        always: false,
        dst,
        src: src.map(Source::new),
        more: [Source::new(Src::Const(0)); 2],
        extra,
    }
}

fn always(code: Code) -> Code {
    Code {
        always: true,
        ..code
    }
}
