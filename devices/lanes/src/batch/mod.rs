//! Control flow of a wave batch; a single wave is a batch of one. In: a program as straight blocks, each ended by one
//! control step. Waves run block by block while their branches agree, then neighbours that go the same way. Uniform steps
//! are hoisted: run in the first wave, broadcast to the rest. [`Straight`] engines run the blocks.

mod account;
mod groups;
mod hoist;
pub(crate) mod link;
mod plan;
mod waterfall;

use std::sync::OnceLock;

use crate::analysis::Liveness;
use crate::analysis::live::RegisterSet;
use crate::engine::{BatchStop, ProgramError, Resume, Stand, Stop};
use crate::step::{Program, Step, When};
use crate::validate::validate;
use crate::wave::{Batch, Fault, PortFault, Ports, Wave};
pub use account::Account;
use hoist::Broadcast;
use host::SimdLevel;
use link::Link;
use plan::{Block, Plan, Then};

/// An engine's code for straight blocks.
pub trait Straight: Clone + Send + Sync {
    /// Adds consecutive compute steps under one execution mask, which only the last may change. `live` are the rows that
    /// are read behind them.
    fn add(&mut self, steps: &[Step], live: &RegisterSet) -> Span;

    /// Vector instructions of the host.
    fn level(&self) -> SimdLevel;

    /// How the blocks follow each other, all of which are added.
    fn link(&mut self, _links: &[Link]) {}

    /// Nothing more is added.
    fn seal(&mut self) {}

    /// Whether [`Straight::follow`] goes on from a block.
    fn follows(&self, _block: usize) -> bool {
        false
    }

    /// Runs a wave alone from the start of a block, if this engine can: until another way is to be found. Returns where
    /// that is: a block, and whether its steps are done.
    #[inline(always)]
    fn follow(
        &self,
        _block: usize,
        _wave: &mut Wave,
        _account: &mut Account,
    ) -> Option<(usize, bool)> {
        None
    }

    /// Runs them in a wave.
    fn run(&self, steps: Span, wave: &mut Wave);

    /// Runs them in the waves of a batch.
    #[inline(always)]
    fn run_all(&self, steps: Span, waves: &mut [Wave]) {
        for wave in waves {
            self.run(steps, wave);
        }
    }

    /// Runs them in a wave; all are scalar.
    fn run_scalar(&self, steps: Span, wave: &mut Wave);
}

/// A range of steps in a [`Straight`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    pub(crate) first: u32,
    pub(crate) end: u32,
}

impl Span {
    fn is_empty(self) -> bool {
        self.first == self.end
    }
}

/// A validated program. Two plans, made on first use: for batches with equal scalars (a single wave is one), and for
/// batches that differ in [`Program::per_wave`].
#[derive(Clone, Debug)]
pub struct Prepared<S> {
    program: Program,
    /// Scalars that are equal in all waves at the start of a batch.
    shared: Vec<u16>,
    /// Empty code, the template of a plan.
    empty: S,
    uniform: OnceLock<Plan<S>>,
    varying: OnceLock<Plan<S>>,
}

impl<S: Straight> Prepared<S> {
    /// Validates a program. Its blocks go to copies of `empty`.
    pub(crate) fn new(program: &Program, empty: S) -> Result<Prepared<S>, ProgramError> {
        validate(program)?;
        let live = Liveness::new(program);
        let shared = live.live_in().filter(|at| !program.per_wave.contains(at));
        Ok(Prepared {
            shared: shared.collect(),
            program: program.clone(),
            empty,
            uniform: OnceLock::new(),
            varying: OnceLock::new(),
        })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Runs a batch to its end: see [`crate::Engine::run_batch`].
    pub(crate) fn run(&self, waves: &mut [Wave], ports: &mut dyn Ports) -> Result<(), BatchStop> {
        let Some(first) = waves.first() else {
            return Ok(());
        };
        // All that is asked of the waves before they run, in one pass.
        let (count, mut room, mut uniform) = (waves.len(), u64::MAX, true);
        for (n, wave) in waves.iter().enumerate() {
            if let Some(fault) = self.lack(wave) {
                self.run(&mut waves[..n], ports)?;
                let stop = self.stop(0, fault);
                return Err(BatchStop { wave: n, stop });
            }
            room = room.min(Account::room(wave, count));
            for at in &self.program.per_wave {
                let at = usize::from(*at);
                uniform &= wave.scalars[at] == first.scalars[at];
            }
        }
        let control = Control {
            prepared: self,
            plan: self.plan(waves, uniform),
        };
        let account = Account::of_room(room);
        control.run(ResumePoint::START, account, 0, (waves, None), ports)
    }

    /// The plan of waves that start as a batch, which may be equal in [`Program::per_wave`] as well.
    fn plan(&self, waves: &[Wave], uniform: bool) -> &Plan<S> {
        debug_assert!(
            equal(&self.shared, waves),
            "waves of a batch start with the same scalars"
        );
        match uniform {
            true => self.uniform(),
            false => self.varying(),
        }
    }

    /// The plan of a batch with equal scalars.
    fn uniform(&self) -> &Plan<S> {
        let plan = || Plan::new(&self.program, &[], self.empty.clone());
        self.uniform.get_or_init(plan)
    }

    /// The plan of a batch that differs in [`Program::per_wave`].
    fn varying(&self) -> &Plan<S> {
        let plan = || Plan::new(&self.program, &self.program.per_wave, self.empty.clone());
        self.varying.get_or_init(plan)
    }

    /// What a wave with fewer registers than the program needs stops with.
    #[inline(always)]
    fn lack(&self, wave: &Wave) -> Option<Fault> {
        let Program { rows, scalars, .. } = self.program;
        let has = wave.rows.len() >= rows.into() && wave.scalars.len() >= scalars.into();
        (!has).then(|| Fault::Registers {
            rows: wave.rows.len(),
            scalars: wave.scalars.len(),
            needed_rows: rows,
            needed_scalars: scalars,
        })
    }

    /// The first such wave.
    fn first_without_registers(&self, waves: &[Wave]) -> Option<(usize, Fault)> {
        let mut waves = waves.iter().enumerate();
        waves.find_map(|(n, wave)| Some((n, self.lack(wave)?)))
    }

    /// A stop at a step.
    fn stop(&self, step: u32, fault: Fault) -> Stop {
        let origin = self.program.origins[step as usize];
        Stop {
            fault,
            step,
            origin,
        }
    }
}

/// Whether all waves have the same values in these scalars.
fn equal(scalars: &[u16], waves: &[Wave]) -> bool {
    scalars.iter().map(|at| usize::from(*at)).all(|at| {
        let value = waves[0].scalars[at];
        waves.iter().all(|wave| wave.scalars[at] == value)
    })
}

/// A point in the program where waves resume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResumePoint {
    block: usize,
    done: Done,
}

/// Progress inside a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Done {
    #[default]
    Nothing,
    /// All but the control step.
    Steps,
    /// All but the ports behind this many.
    Ports(u32),
}

impl ResumePoint {
    const START: ResumePoint = ResumePoint::block(0);

    const fn block(block: usize) -> ResumePoint {
        let done = Done::Nothing;
        ResumePoint { block, done }
    }
}

/// A program and the batch that runs it.
struct Control<'p, S> {
    prepared: &'p Prepared<S>,
    plan: &'p Plan<S>,
}

impl<S: Straight> Control<'_, S> {
    /// Runs waves from a point to their end, or to a barrier where there are `stands` to say so. `first` is the number
    /// of the first wave, `account` a new one of the waves.
    fn run(
        &self,
        mut place: ResumePoint,
        mut account: Account,
        first: usize,
        (waves, mut stands): (&mut [Wave], Option<&mut [Resume]>),
        ports: &mut dyn Ports,
    ) -> Result<(), BatchStop> {
        loop {
            if let [wave] = waves {
                if self.plan.blocks[place.block].goes_on {
                    place = self.alone(place, wave, &mut account)?;
                }
            } else if place.done == Done::Nothing && self.plan.blocks[place.block].alone {
                account.settle(waves);
                let batch = (&mut *waves, stands.as_deref_mut());
                match self.each_alone(place, first, batch, ports)? {
                    Some(met) => place = met,
                    None => return Ok(()),
                }
                account = Account::new(waves);
            }
            let block = &self.plan.blocks[place.block];
            if place.done == Done::Nothing {
                self.straight(block, waves);
            }
            let mut next = place.block + 1;
            match block.then {
                Then::Next => {}
                Then::Tick {
                    instructions, cost, ..
                } => {
                    if !account.adds(instructions, cost) {
                        account.settle(waves);
                        let [wave] = waves else {
                            return self.part(place, first, (waves, stands), ports);
                        };
                        return Err(self.run_away(block, instructions, wave));
                    }
                }
                Then::Branch { when, to } => {
                    let asked = if block.uniform { 1 } else { waves.len() };
                    let asked = &waves[..asked];
                    let taken = asked.iter().filter(|wave| holds(when, wave)).count();
                    if taken == asked.len() {
                        next = to as usize;
                    } else if taken > 0 {
                        account.settle(waves);
                        place.done = Done::Steps;
                        let batch = (&mut *waves, stands.as_deref_mut());
                        match self.each_alone(place, first, batch, ports)? {
                            Some(met) => place = met,
                            None => return Ok(()),
                        }
                        account = Account::new(waves);
                        continue;
                    }
                }
                Then::Indirect { target } => {
                    account.settle(waves);
                    account = Account::new(waves);
                    let [wave] = waves else {
                        return self.part(place, first, (waves, stands), ports);
                    };
                    let target = wave.mask(target);
                    let entries = &self.plan.entries;
                    let Ok(entry) = entries.binary_search_by_key(&target, |entry| entry.0) else {
                        return Err(self.stop(block, Fault::InvalidJumpTarget { target }));
                    };
                    next = entries[entry].1 as usize;
                }
                Then::Ports { first: port, count } => {
                    let done = match place.done {
                        Done::Ports(done) => done,
                        Done::Nothing | Done::Steps => 0,
                    };
                    let called = if block.uniform { 1 } else { waves.len() };
                    if !block.blind {
                        account.settle(waves);
                    }
                    let batch = Batch {
                        first,
                        waves: &mut waves[..called],
                    };
                    let result = ports.call(port + done..port + count, batch);
                    debug_assert!(
                        !block.uncounted || account.holds(waves),
                        "ports say when they charge"
                    );
                    if let Err(fault) = result {
                        account.settle(waves);
                        let waves = (waves, stands);
                        return self.part_at_fault(place.block, fault, (first, waves), ports);
                    }
                    debug_assert!(
                        self.prepared.first_without_registers(waves).is_none(),
                        "ports leave waves their registers"
                    );
                    self.broadcast(&block.then_broadcast, waves);
                    if !block.blind {
                        account = Account::new(waves);
                    } else if !block.uncounted {
                        account.look(waves);
                    }
                }
                Then::Barrier => {
                    if let Some(stands) = stands.as_deref_mut() {
                        account.settle(waves);
                        self.broadcast(&self.plan.kept, waves);
                        stands.fill(Resume(Stand::Behind(block.step)));
                        return Ok(());
                    }
                }
                Then::End => {
                    account.settle(waves);
                    self.broadcast(&self.plan.kept, waves);
                    if let Some(stands) = stands.as_deref_mut() {
                        stands.fill(Resume(Stand::End));
                    }
                    return Ok(());
                }
                Then::Trap { reason } => {
                    account.settle(waves);
                    let reason = self.prepared.program.reasons[reason as usize].clone();
                    return Err(self.stop(block, Fault::Illegal { reason }));
                }
            }
            place = ResumePoint::block(next);
        }
    }

    /// Does rounds of a loop at once, each of so many instructions and that cost. Returns the block behind it if all are done.
    fn fall(
        &self,
        number: u32,
        (instructions, cost): (u32, u64),
        wave: &mut Wave,
        account: &mut Account,
    ) -> Option<u32> {
        let waterfall = &self.plan.waterfalls[number as usize];
        let most = account.left() / cost.max(1);
        let rounds = waterfall.run(self.plan.code.level(), wave, most);
        account.add(rounds * u64::from(instructions), rounds * cost);
        waterfall.exit.filter(|_| rounds > 0)
    }

    /// Runs a wave from a point up to a control step that is not its own affair: a port, a barrier, a jump to an address, the
    /// end. All steps before that one are done.
    fn alone(
        &self,
        mut place: ResumePoint,
        wave: &mut Wave,
        account: &mut Account,
    ) -> Result<ResumePoint, BatchStop> {
        loop {
            if place.done == Done::Nothing
                && let Some((block, done)) = self.plan.code.follow(place.block, wave, account)
            {
                let done = if done { Done::Steps } else { Done::Nothing };
                place = ResumePoint { block, done };
            }
            let block = &self.plan.blocks[place.block];
            if place.done == Done::Nothing {
                self.straight(block, std::slice::from_mut(wave));
                place.done = Done::Steps;
            }
            let mut next = place.block + 1;
            match block.then {
                Then::Next => {}
                Then::Tick {
                    instructions,
                    cost,
                    waterfall,
                } => {
                    if let Some(number) = waterfall
                        && let Some(exit) = self.fall(number, (instructions, cost), wave, account)
                    {
                        place = ResumePoint::block(exit as usize);
                        continue;
                    }
                    if !account.adds(instructions, cost) {
                        account.settle(std::slice::from_mut(wave));
                        return Err(self.run_away(block, instructions, wave));
                    }
                }
                Then::Branch { when, to } => {
                    if holds(when, wave) {
                        next = to as usize;
                    }
                }
                _ => return Ok(place),
            }
            place = ResumePoint::block(next);
        }
    }

    /// Runs each wave alone from a point, in order. `None` if they have run to their ends, or to barriers; otherwise they are
    /// a batch again at a control step. Their accounts are settled.
    fn each_alone(
        &self,
        place: ResumePoint,
        first: usize,
        (waves, stands): (&mut [Wave], Option<&mut [Resume]>),
        ports: &mut dyn Ports,
    ) -> Result<Option<ResumePoint>, BatchStop> {
        self.broadcast(&self.plan.kept, waves);
        let (mut stopped, count) = (None, waves.len());
        for (number, wave) in waves.iter_mut().enumerate() {
            let mut account = Account::new(std::slice::from_ref(wave));
            match self.alone(place, wave, &mut account) {
                Ok(reached) => wave.place = reached,
                Err(stop) => {
                    stopped = Some(stop.behind(number));
                    break;
                }
            }
            account.settle(std::slice::from_mut(wave));
        }
        let reached = stopped.as_ref().map_or(count, |stop| stop.wave);
        let waves = &mut waves[..reached];
        // They part where a batch of them would have.
        let parted = waves.iter().any(|wave| Account::is_passed(wave, count));
        let meet = |wave: &Wave, next: &Wave| !parted && self.meet(wave, next);
        if let (None, Some(first)) = (&stopped, waves.first())
            && waves.is_sorted_by(meet)
        {
            return Ok(Some(first.place));
        }
        self.run_parts(first, (waves, stands), meet, ports)?;
        stopped.map_or(Ok(None), Err)
    }

    /// Runs waves from their places, neighbours that stay with each other as a batch, in order.
    fn run_parts(
        &self,
        first: usize,
        (waves, mut stands): (&mut [Wave], Option<&mut [Resume]>),
        stay: impl FnMut(&Wave, &Wave) -> bool,
        ports: &mut dyn Ports,
    ) -> Result<(), BatchStop> {
        let mut ended = 0;
        for some in waves.chunk_by_mut(stay) {
            let next = ended + some.len();
            let stands = stands.as_deref_mut().map(|stands| &mut stands[ended..next]);
            let (place, account) = (some[0].place, Account::new(some));
            self.run(place, account, first + ended, (some, stands), ports)
                .map_err(|stopped| stopped.behind(ended))?;
            ended = next;
        }
        Ok(())
    }

    /// Whether neighbours that stand where they are to run on do so as a batch.
    fn meet(&self, wave: &Wave, next: &Wave) -> bool {
        let step = self.plan.blocks[wave.place.block].step;
        wave.place == next.place
            && wave.place.done == Done::Steps
            && self
                .plan
                .meeting(step)
                .is_some_and(|meeting| meeting.joins_again(wave, next))
    }

    /// Runs each wave alone from a point to its end, in order. The steps of the block are done.
    fn part(
        &self,
        place: ResumePoint,
        first: usize,
        (waves, stands): (&mut [Wave], Option<&mut [Resume]>),
        ports: &mut dyn Ports,
    ) -> Result<(), BatchStop> {
        let done = match place.done {
            Done::Nothing => Done::Steps,
            done => done,
        };
        let place = ResumePoint { done, ..place };
        self.broadcast(&self.plan.kept, waves);
        for wave in &mut *waves {
            wave.place = place;
        }
        self.run_parts(first, (waves, stands), |_, _| false, ports)
    }

    /// A port stopped a wave. The waves before it have passed that port and run to their end.
    fn part_at_fault(
        &self,
        block: usize,
        fault: PortFault,
        (first, (waves, stands)): (usize, (&mut [Wave], Option<&mut [Resume]>)),
        ports: &mut dyn Ports,
    ) -> Result<(), BatchStop> {
        let PortFault { port, wave, fault } = fault;
        let planned = &self.plan.blocks[block];
        let Then::Ports { first: from, count } = planned.then else {
            unreachable!("a block that calls ports");
        };
        let claimed = self.prepared.program.ports.get(port as usize);
        debug_assert!(claimed.is_none_or(|port| port.may_fail), "{fault}");
        let done = port - from + 1;
        let stop = self.prepared.stop(planned.step + done - count, fault);
        let place = ResumePoint {
            block,
            done: Done::Ports(done),
        };
        self.broadcast(&self.plan.kept, waves);
        let stands = stands.map(|stands| &mut stands[..wave]);
        self.part(place, first, (&mut waves[..wave], stands), ports)?;
        Err(BatchStop { wave, stop })
    }

    /// The stop of the first wave at the control step of a block.
    fn stop(&self, block: &Block, fault: Fault) -> BatchStop {
        let stop = self.prepared.stop(block.step, fault);
        BatchStop { wave: 0, stop }
    }

    /// The stop of a wave whose next tick costs too much.
    fn run_away(&self, block: &Block, instructions: u32, wave: &mut Wave) -> BatchStop {
        wave.instructions += u64::from(instructions);
        let limit = wave.limit;
        self.stop(block, Fault::Runaway { limit })
    }

    /// Runs the steps of a block.
    #[inline(always)]
    fn straight(&self, block: &Block, waves: &mut [Wave]) {
        if !block.hoisted.is_empty() {
            self.plan.code.run_scalar(block.hoisted, &mut waves[0]);
            self.broadcast(&block.broadcast, waves);
        }
        if !block.each.is_empty() {
            self.plan.code.run_all(block.each, waves);
        }
    }

    /// Broadcasts scalars of the first wave.
    #[inline(always)]
    fn broadcast(&self, list: &std::ops::Range<u32>, waves: &mut [Wave]) {
        if let Some((first, others)) = waves.split_first_mut()
            && !others.is_empty()
        {
            let list: &[Broadcast] = &self.plan.broadcasts[list.start as usize..list.end as usize];
            for scalars in list {
                scalars.run(first, others);
            }
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
