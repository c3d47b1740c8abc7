//! Splits a program into straight blocks, each ended by one control step.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::ops::Range;

use super::hoist::{Broadcast, Run};
use super::link::Link;
use super::waterfall::Waterfall;
use super::{Span, Straight, equal as equal_in_all};
use crate::analysis::PortEffects;
use crate::analysis::cost::tick_costs;
use crate::analysis::live::{LiveRows, RegisterSet, live_scalars};
use crate::analysis::uniform::{Scalars, Uniformity, uniform_steps};
use crate::step::{Program, Step, When};
use crate::wave::Wave;

/// A program in blocks. A block ends at its control step, where the execution mask may change, or before a branch
/// target.
#[derive(Clone, Debug)]
pub(super) struct Plan<S> {
    /// The steps of all blocks.
    pub(super) code: S,
    pub(super) blocks: Vec<Block>,
    /// Scalars to broadcast from the first wave, by block.
    pub(super) broadcasts: Vec<Broadcast>,
    /// Scalars that only the first wave has until the batch parts or ends.
    pub(super) kept: Range<u32>,
    pub(super) waterfalls: Vec<Waterfall>,
    /// Byte addresses with their blocks, sorted.
    pub(super) entries: Vec<(u64, u32)>,
    /// In ascending order of their steps.
    pub(super) meetings: Vec<Meeting>,
}

/// Barriers, ports and ends: where waves that parted may become a batch again.
#[derive(Clone, Debug)]
pub(super) struct Meeting {
    /// The control step of a block.
    pub(super) step: u32,
    /// The block behind it.
    pub(super) behind: u32,
    /// Scalars that have to be equal in all waves, as hoisted steps may read them; `None` if only jumps lead here.
    equal: Option<Vec<u16>>,
    /// Those of them that waves without a port on their way may have changed.
    changed: Vec<u16>,
}

impl Meeting {
    /// Whether waves that stand here are a batch.
    pub(super) fn joins(&self, waves: &[Wave]) -> bool {
        let equal = self.equal.as_ref();
        equal.is_some_and(|equal| equal_in_all(equal, waves))
    }

    /// Whether two waves are that were a batch before their last port.
    #[inline(always)]
    pub(super) fn joins_again(&self, wave: &Wave, next: &Wave) -> bool {
        let mut changed = self.changed.iter().map(|at| usize::from(*at));
        self.equal.is_some() && changed.all(|at| wave.scalars[at] == next.scalars[at])
    }
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
    /// Ports that neither charge waves nor read their counters.
    pub(super) uncounted: bool,
    /// Ports that do not read their counters.
    pub(super) blind: bool,
    /// A loop without ports begins here: each wave of a batch runs it alone, so that its registers stay near.
    pub(super) alone: bool,
    /// A wave alone does more from here on than this block at a time.
    pub(super) goes_on: bool,
}

/// A control step. Targets are blocks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Then {
    Next,
    Tick {
        instructions: u32,
        /// Of the steps up to the next tick.
        cost: u64,
        /// The loop that begins here, if it is in the list of [`Plan::waterfalls`].
        waterfall: Option<u32>,
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
    Barrier,
    End,
    Trap {
        reason: u32,
    },
}

impl Then {
    /// Whether a loop begins here that is done at once.
    fn is_waterfall(&self) -> bool {
        matches!(
            self,
            Then::Tick {
                waterfall: Some(_),
                ..
            }
        )
    }

    /// Whether it is nothing to other waves.
    pub(super) fn is_private(&self) -> bool {
        matches!(self, Then::Next | Then::Tick { .. } | Then::Branch { .. })
    }
}

impl<S: Straight> Plan<S> {
    /// The meeting at a control step.
    pub(super) fn meeting(&self, step: u32) -> Option<&Meeting> {
        let found = self.meetings.binary_search_by_key(&step, |at| at.step);
        found.ok().map(|at| &self.meetings[at])
    }

    /// Marks waterfalls, and loops without ports that the engine follows and in which a wave alone has little to do again
    /// that the first wave of a batch does for all. Waves meet at the same ports either way. `counts` are the steps of
    /// blocks that the first wave does, and the others.
    fn find_loops(&mut self, counts: &[[usize; 2]]) {
        for (at, block) in self.blocks.iter_mut().enumerate() {
            block.goes_on = self.code.follows(at) || block.then.is_waterfall();
        }
        for end in 0..self.blocks.len() {
            let Then::Branch { to, .. } = self.blocks[end].then else {
                continue;
            };
            let all = to as usize..=end;
            let Some(blocks @ [first, ..]) = self.blocks.get(all.clone()) else {
                continue;
            };
            let counts = &counts[all.clone()];
            let [shared, others] = counts.iter().fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
            // About what a block costs to enter, and what is gained by rows that stay near.
            let little = shared <= 2 * blocks.len() + others / 4;
            let followed = all.clone().zip(blocks);
            let mut followed = followed.filter(|(_, block)| !block.then.is_waterfall());
            let private = blocks.iter().all(|block| block.then.is_private());
            let alone = first.then.is_waterfall()
                || little && followed.all(|(at, _)| self.code.follows(at));
            if private && alone {
                self.blocks[to as usize].alone = true;
            }
        }
    }

    /// Plans a valid program for batches that start with equal scalars except these.
    pub(super) fn new(program: &Program, per_wave: &[u16], code: S) -> Plan<S> {
        let mut differ = Scalars::none(program.scalars);
        differ.add(per_wave.iter().copied());
        let Uniformity {
            steps: uniform,
            meetings,
        } = uniform_steps(program, &differ);
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
            kept: 0..0,
            waterfalls: Vec::new(),
            entries: program.entries.clone(),
            meetings: Vec::new(),
        };
        let mut first_wave = FirstWave::new(program);
        // Block that starts at or holds each step.
        let mut block_of = vec![0; program.steps.len()];
        let mut run = Run::new(program);
        let mut counts = Vec::new();
        for (index, step) in program.steps.iter().enumerate() {
            block_of[index] = plan.blocks.len() as u32;
            let uniform = uniform[index];
            if !uniform {
                first_wave.reads_in_each(step);
            }
            if !targets[index] && run.is_empty() && plan.joins(step, uniform) {
                block_of[index] -= 1;
                continue;
            }
            let then = match control(step, costs[index]) {
                Some(then) => Some(then),
                None => {
                    run.push(step, uniform);
                    let target_next = targets.get(index + 1) == Some(&true);
                    let next = program.steps.get(index + 1);
                    let computes_next = next.is_some_and(|next| control(next, 0).is_none());
                    let ends = target_next || writes_exec(step, program.exec) && computes_next;
                    ends.then_some(Then::Next)
                }
            };
            if let Some(mut then) = then {
                if let Then::Tick { waterfall, .. } = &mut then
                    && let Some(found) = Waterfall::at(program, index)
                {
                    *waterfall = Some(plan.waterfalls.len() as u32);
                    plan.waterfalls.push(found);
                }
                // A control step is behind the steps, of which the last may change the mask.
                let live = match then {
                    Then::Next => live.after(index),
                    _ if run.is_empty() => live.before(index),
                    _ => live.after(index - 1),
                };
                run.each
                    .iter()
                    .for_each(|step| first_wave.reads_in_each(step));
                first_wave.hoisted.push(run.written_hoisted().clone());
                counts.push([run.hoisted.len(), run.each.len()]);
                plan.blocks.push(Block {
                    hoisted: plan.code.add(&run.hoisted, live),
                    broadcast: 0..0,
                    each: plan.code.add(&run.each, live),
                    then,
                    uniform,
                    then_broadcast: 0..0,
                    step: index as u32,
                    uncounted: false,
                    blind: false,
                    alone: false,
                    goes_on: false,
                });
                run.clear();
            }
        }
        let kept = plan.list_broadcasts(program, &first_wave);
        for block in &mut plan.blocks {
            match &mut block.then {
                Then::Branch { to, .. } => *to = block_of[*to as usize],
                Then::Ports { first, count } => {
                    let ports = *first as usize..(*first + *count) as usize;
                    let ports = program.ports.get(ports);
                    let ports = ports.unwrap_or(&[]);
                    let all = |what: fn(&PortEffects) -> bool| {
                        !ports.is_empty() && ports.iter().all(what)
                    };
                    block.uncounted = all(|port| port.uncounted);
                    block.blind = all(|port| port.uncounted || port.blind);
                }
                _ => {}
            }
        }
        let live = LazyCell::new(|| live_scalars(program, &RegisterSet::none(program.scalars)));
        for waterfall in &mut plan.waterfalls {
            if waterfall.is_unread(program, &live[waterfall.end]) {
                waterfall.exit = Some(block_of[waterfall.end + 1]);
            }
        }
        let links: Vec<Link> = plan.blocks.iter().map(Block::link).collect();
        plan.code.link(&links);
        plan.code.seal();
        plan.find_loops(&counts);
        for entry in &mut plan.entries {
            entry.1 = block_of[entry.1 as usize];
        }
        plan.list_meetings(program, &meetings, &kept, &live);
        plan
    }

    /// Lists the meetings with what waves have to agree on there. `kept` are the scalars of [`Plan::kept`], which the end
    /// gives to all waves, `live` those that are read behind each step.
    fn list_meetings(
        &mut self,
        program: &Program,
        meetings: &BTreeMap<usize, Scalars>,
        kept: &Scalars,
        live: &LazyCell<Vec<RegisterSet>, impl FnOnce() -> Vec<RegisterSet>>,
    ) {
        let mut steps = program.steps.iter();
        if !steps.any(|step| matches!(step, Step::Branch { .. } | Step::Barrier)) {
            return;
        }
        let mut written = Scalars::none(program.scalars);
        for step in &program.steps {
            written.add(step.written_scalars());
        }
        for (block, planned) in self.blocks.iter().enumerate() {
            let first = match planned.then {
                Then::Ports { count, .. } => planned.step + 1 - count,
                Then::Barrier | Then::End => planned.step,
                _ => continue,
            } as usize;
            let equal: Option<Vec<u16>> = meetings.get(&first).map(|differ| {
                let mut read = live[first].clone();
                match program.steps[first] {
                    Step::End => read.add(kept.iter()),
                    Step::Port { port } => match program.ports.get(port as usize) {
                        Some(port) => read.add(port.reads_scalars.iter().copied()),
                        None => read.add(0..program.scalars),
                    },
                    _ => {}
                }
                let equal = |scalar: &u16| read.has(*scalar) && !differ.has(*scalar);
                (0..program.scalars).filter(equal).collect()
            });
            let changed = equal.iter().flatten().copied();
            self.meetings.push(Meeting {
                step: planned.step,
                behind: block as u32 + 1,
                changed: changed.filter(|at| written.has(*at)).collect(),
                equal,
            });
        }
    }

    /// Lists the scalars that blocks and their ports write in the first wave and each wave reads. Returns those that only
    /// the first wave has until the batch parts.
    fn list_broadcasts(&mut self, program: &Program, first_wave: &FirstWave) -> Scalars {
        let (none, eager) = (Scalars::none(program.scalars), &first_wave.eager);
        let mut kept = none.clone();
        let blocks = self.blocks.iter_mut().zip(&first_wave.hoisted);
        for (block, hoisted) in blocks {
            let mut in_port = none.clone();
            if let Then::Ports { first, count } = block.then
                && block.uniform
            {
                for port in &program.ports[first as usize..][..count as usize] {
                    in_port.add(port.writes_scalars.iter().copied());
                }
            }
            for (written, list) in [
                (hoisted, &mut block.broadcast),
                (&in_port, &mut block.then_broadcast),
            ] {
                let mut now = none.clone();
                now.add(written.iter().filter(|scalar| eager.has(*scalar)));
                kept.add(written.iter().filter(|scalar| !eager.has(*scalar)));
                *list = Broadcast::add(&now, &mut self.broadcasts);
            }
        }
        self.kept = Broadcast::add(&kept, &mut self.broadcasts);
        kept
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

/// Which scalars the first wave of a batch may keep to itself: all that write them run in that wave only, and so do all
/// that read them.
struct FirstWave<'a> {
    program: &'a Program,
    /// Scalars that hoisted steps write, by block.
    hoisted: Vec<Scalars>,
    /// Scalars that steps of each wave read or write.
    eager: Scalars,
}

impl<'a> FirstWave<'a> {
    fn new(program: &'a Program) -> FirstWave<'a> {
        let mut eager = Scalars::none(program.scalars);
        // Every row step reads the execution mask.
        eager.add(program.exec..program.exec + 2);
        eager.add(program.per_wave.iter().copied());
        FirstWave {
            program,
            hoisted: Vec::new(),
            eager,
        }
    }

    /// A step runs in each wave.
    fn reads_in_each(&mut self, step: &Step) {
        self.eager.add(step.read_scalars().into_iter().flatten());
        self.eager.add(step.written_scalars());
        if let Step::Port { port } = step {
            match self.program.ports.get(*port as usize) {
                Some(port) => {
                    let scalars = port.reads_scalars.iter().chain(&port.writes_scalars);
                    self.eager.add(scalars.copied());
                }
                None => self.eager.add(0..self.program.scalars),
            }
        }
    }
}

/// The control step, its targets still step numbers; `None` for steps that compute.
fn control(step: &Step, cost: u64) -> Option<Then> {
    Some(match *step {
        Step::Branch { when, to } => Then::Branch { when, to },
        Step::Indirect { target } => Then::Indirect { target },
        Step::Tick { instructions } => Then::Tick {
            instructions,
            cost,
            waterfall: None,
        },
        Step::Port { port } => Then::Ports {
            first: port,
            count: 1,
        },
        Step::Barrier => Then::Barrier,
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
