//! Splits a program into straight blocks, each ended by one control step.

use std::ops::Range;

use super::hoist::{Broadcast, Run};
use super::{Span, Straight};
use crate::analysis::PortEffects;
use crate::analysis::cost::tick_costs;
use crate::analysis::live::LiveRows;
use crate::analysis::uniform::{Scalars, uniform_steps};
use crate::step::{Program, Step, When};

/// A program in blocks. A block ends at its control step, where the execution mask may change, or before a branch
/// target.
#[derive(Clone, Debug)]
pub(super) struct Plan<S> {
    /// The steps of all blocks.
    pub(super) code: S,
    pub(super) blocks: Vec<Block>,
    /// Scalars to broadcast from the first wave, by block.
    pub(super) broadcasts: Vec<Broadcast>,
    /// Byte addresses with their blocks, sorted.
    pub(super) entries: Vec<(u64, u32)>,
}

/// Straight steps and their control step.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Steps that run in the first wave only, before the others.
    pub(super) hoisted: Span,
    /// Scalars that they write.
    pub(super) broadcast: Range<u32>,
    /// Steps that run in each wave.
    pub(super) each: Span,
    pub(super) then: Then,
    /// The control step is wave-uniform: run in the first wave for all.
    pub(super) uniform: bool,
    /// Scalars that it writes.
    pub(super) then_broadcast: Range<u32>,
    /// Index of the last step.
    pub(super) step: u32,
}

/// A control step. Targets are blocks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Then {
    Next,
    Tick {
        instructions: u32,
        /// Of the steps up to the next tick.
        cost: u64,
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

impl<S: Straight> Plan<S> {
    /// Plans a valid program for batches that start with equal scalars except these.
    pub(super) fn new(program: &Program, per_wave: &[u16], code: S) -> Plan<S> {
        let mut differ = Scalars::none(program.scalars);
        differ.add(per_wave.iter().copied());
        let uniform = uniform_steps(program, &differ);
        let costs = tick_costs(program);
        let live = LiveRows::new(program);
        let mut targets = vec![false; program.steps.len()];
        for step in &program.steps {
            if let Step::Branch { to, .. } = step {
                targets[*to as usize] = true;
            }
        }
        for entry in &program.entries {
            targets[entry.1 as usize] = true;
        }

        let mut plan = Plan {
            code,
            blocks: Vec::new(),
            broadcasts: Vec::new(),
            entries: program.entries.clone(),
        };
        // Block that starts at or holds each step.
        let mut block_of = vec![0; program.steps.len()];
        let mut run = Run::new(program);
        for (index, step) in program.steps.iter().enumerate() {
            block_of[index] = plan.blocks.len() as u32;
            let uniform = uniform[index];
            if !targets[index] && run.is_empty() && plan.joins(step, uniform) {
                block_of[index] -= 1;
                continue;
            }
            let then = match control(step, costs[index]) {
                Some(then) => Some(then),
                None => {
                    run.push(step, uniform);
                    let target_next = targets.get(index + 1) == Some(&true);
                    (target_next || writes_exec(step, program.exec)).then_some(Then::Next)
                }
            };
            if let Some(then) = then {
                // A control step is behind the steps.
                let live = match then {
                    Then::Next => live.after(index),
                    _ => live.before(index),
                };
                plan.blocks.push(Block {
                    hoisted: plan.code.add(&run.hoisted, live),
                    broadcast: Broadcast::add(run.written_hoisted(), &mut plan.broadcasts),
                    each: plan.code.add(&run.each, live),
                    then,
                    uniform,
                    then_broadcast: 0..0,
                    step: index as u32,
                });
                run.clear();
            }
        }
        plan.list_ports(program.scalars, &program.ports);
        for block in &mut plan.blocks {
            if let Then::Branch { to, .. } = &mut block.then {
                *to = block_of[*to as usize];
            }
        }
        for entry in &mut plan.entries {
            entry.1 = block_of[entry.1 as usize];
        }
        plan
    }

    /// Lists the scalars of ports that run in the first wave only.
    fn list_ports(&mut self, scalars: u16, ports: &[PortEffects]) {
        for block in self.blocks.iter_mut().filter(|block| block.uniform) {
            if let Then::Ports { first, count } = block.then {
                let mut written = Scalars::none(scalars);
                for port in &ports[first as usize..][..count as usize] {
                    written.add(port.writes_scalars.iter().copied());
                }
                block.then_broadcast = Broadcast::add(&written, &mut self.broadcasts);
            }
        }
    }

    /// Merges a port into the last block if it follows that block's ports, by step and by number.
    fn joins(&mut self, step: &Step, uniform: bool) -> bool {
        let Some(block) = self.blocks.last_mut() else {
            return false;
        };
        match (step, &mut block.then) {
            (Step::Port { port }, Then::Ports { first, count })
                if *port == *first + *count && uniform == block.uniform =>
            {
                *count += 1;
                block.step += 1;
                true
            }
            _ => false,
        }
    }
}

/// The control step, its targets still step numbers; `None` for steps that compute.
fn control(step: &Step, cost: u64) -> Option<Then> {
    Some(match *step {
        Step::Branch { when, to } => Then::Branch { when, to },
        Step::Indirect { target } => Then::Indirect { target },
        Step::Tick { instructions } => Then::Tick { instructions, cost },
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
