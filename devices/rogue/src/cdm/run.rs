//! Groups of a dispatch: over all threads where no group needs to know what others have done, otherwise one after the
//! other.
//!
//! Which addresses a program reaches is known when it reaches them: every group keeps what it loads and stores in a log
//! ([`silicon::groups`]), and groups run in order from the first on that loads what one before it stores. They do so from
//! the start where an atomic operation returns a value that is read, and where tasks lock a mutex.

use std::ops::Range;

use lanes::{DefaultEngine, LANES, Resume, Row, Wave};
use silicon::fragment::scan::batch_of;
use silicon::groups::{Batches, Done, Races, StoreLog, independent};
use silicon::{Memory, SimdLevel, Stats, Trap};

use super::Dispatch;
use super::memory::{GroupPorts, GroupSlot, Unit, stores_texels};
use crate::device::Rogue;
use crate::isa::backend::Atomic;
use crate::lift::{ACTIVE, Port, TASK};
use crate::regs::counter;
use crate::usc::SCRATCH_WAVES;

/// What a thread keeps to run groups.
#[derive(Default)]
pub struct GroupWorker {
    waves: Vec<Wave>,
    stands: Vec<Resume>,
    slots: Vec<GroupSlot>,
    unit: Unit,
    /// Number of the thread.
    slot: usize,
}

impl GroupWorker {
    /// Of a thread.
    pub fn new(slot: usize) -> GroupWorker {
        GroupWorker {
            slot,
            ..GroupWorker::default()
        }
    }
}

/// What all groups of a dispatch need.
struct Groups<'a> {
    dispatch: &'a Dispatch,
    /// Places of the instances of a group, by wave.
    numbers: Vec<[Row; 3]>,
    engine: &'a DefaultEngine,
    memory: &'a Memory,
    level: SimdLevel,
    stores_texels: bool,
    /// Cost allowed to a wave.
    limit: u64,
}

/// Whether groups may tell when others run, whatever they load.
fn is_ordered(dispatch: &Dispatch) -> bool {
    let program = &dispatch.program;
    let ports = program.lifted.ports.iter();
    let told = |(port, unread): (&Port, &bool)| matches!(port, Port::Atomic { .. }) && !unread;
    program.lifted.locks || ports.zip(program.unread()).any(told)
}

impl Rogue {
    /// Runs the groups of a dispatch.
    pub(crate) fn run_groups(&mut self, dispatch: &Dispatch) -> Result<(), Trap> {
        let count = dispatch.count();
        if count == 0 {
            return Ok(());
        }
        let engine = self.engine.clone();
        let groups = Groups {
            dispatch,
            numbers: dispatch.numbers(),
            engine: &engine,
            memory: &self.memory.clone(),
            level: self.start.level,
            stores_texels: stores_texels(&dispatch.program.lifted),
            limit: self.start.wave_cost,
        };
        for worker in &mut self.group_workers {
            worker.unit.tpu.borders = dispatch.borders;
        }
        let before = self.totals.compute_lanes;
        let ordered = count == 1 || self.start.strict || is_ordered(dispatch);
        let result = match ordered {
            true => self.run_in_order(&groups, 0),
            false => self.run_independent(&groups),
        };
        for worker in &mut self.group_workers {
            let unit = &mut worker.unit;
            (unit.logs.current, unit.races) = (None, None);
            unit.logs.watched = 0..0;
            self.totals.texels += std::mem::take(&mut unit.tpu.texels);
        }
        if let Some(at) = dispatch.statistics {
            let ran = self.totals.compute_lanes - before;
            let at = at + 8 * counter::COMPUTE_INVOCATIONS;
            let _ = self.memory.fetch64(at, |before| before + ran);
        }
        result
    }

    /// Runs groups from a number on one after the other.
    fn run_in_order(&mut self, groups: &Groups<'_>, first: u64) -> Result<(), Trap> {
        let (dispatch, worker) = (groups.dispatch, &mut self.group_workers[0]);
        let strict = self.start.strict;
        worker.unit.races =
            strict.then(|| Races::new(dispatch.words, ["task", "the group's memory"]));
        for number in first..dispatch.count() {
            let (instructions, result) = groups.run_batch(worker, number, 1, false);
            self.totals.instructions += instructions;
            dispatch.count_into(1, &mut self.totals);
            result.map_err(|(task, trap)| {
                let [x, y, z] = dispatch.place(number);
                let reason = format!("group {x}, {y}, {z}, task {task}: {}", trap.reason);
                Trap { reason, ..trap }
            })?;
        }
        Ok(())
    }

    /// Runs groups at the same time, and from one that loads what one before it stores on in order.
    fn run_independent(&mut self, groups: &Groups<'_>) -> Result<(), Trap> {
        let dispatch = groups.dispatch;
        for worker in &mut self.group_workers {
            worker.unit.logs.watched = 0..u32::MAX;
        }
        // Memory of their own is there for so many waves.
        let most = match dispatch.program.uses_scratch() {
            true => (SCRATCH_WAVES / dispatch.waves()).max(1),
            false => usize::MAX,
        };
        let most = most.min(self.group_workers.len());
        let totals = &mut self.totals;
        let take = |numbers: Range<u64>, done: Done| {
            totals.instructions += done.instructions;
            totals.texels += done.texels;
            dispatch.count_into(numbers.end - numbers.start, totals);
        };
        let machine = (&*self.threads, &mut self.group_workers[..most]);
        let first = independent(groups, machine, (groups.memory, &mut self.chunks), take);
        self.run_in_order(groups, first)
    }
}

impl Batches for Groups<'_> {
    type Worker = GroupWorker;
    type Change = Atomic;

    fn count(&self) -> u64 {
        self.dispatch.count()
    }

    fn waves(&self) -> usize {
        self.dispatch.waves()
    }

    fn batch(&self) -> usize {
        let program = &self.dispatch.program;
        match program.uses_scratch() {
            true => 1,
            false => batch_of(program.lifted.layout.temporaries.len()) / self.waves(),
        }
    }

    /// Groups whose atomic operations give back what was there run in order.
    fn queued(&self) -> bool {
        false
    }

    fn run(
        &self,
        worker: &mut GroupWorker,
        first: u64,
        logs: &mut [StoreLog<Atomic>],
        _old: &mut Vec<(u32, u32)>,
    ) -> Option<Done> {
        let of_unit = &mut worker.unit.logs.logs;
        of_unit.resize_with(logs.len(), StoreLog::default);
        logs.swap_with_slice(of_unit);
        let (instructions, result) = self.run_batch(worker, first, logs.len(), true);
        logs.swap_with_slice(&mut worker.unit.logs.logs);
        let texels = std::mem::take(&mut worker.unit.tpu.texels);
        result.ok()?;
        Some(Done {
            instructions,
            texels,
        })
    }
}

impl Groups<'_> {
    /// Runs consecutive groups as one batch: how many instructions, and the task that stopped and why.
    fn run_batch(
        &self,
        worker: &mut GroupWorker,
        first: u64,
        count: usize,
        logged: bool,
    ) -> (u64, Result<(), (usize, Trap)>) {
        let dispatch = self.dispatch;
        let (words, of_group) = (dispatch.words, dispatch.waves());
        let GroupWorker {
            waves,
            stands,
            slots,
            unit,
            slot,
        } = worker;
        let all = count * of_group;
        if waves.len() < all {
            waves.resize_with(all, || Wave::new(0, 0));
        }
        let waves = &mut waves[..all];
        slots.clear();
        for (n, waves) in waves.chunks_mut(of_group).enumerate() {
            slots.extend((0..of_group).map(|wave| GroupSlot {
                shared: n * words..(n + 1) * words,
                log: logged.then_some(n),
                wave: wave as u8,
            }));
            let group = dispatch.place(first + n as u64);
            let started = (waves, *slot * of_group);
            let given = (self.memory, self.limit);
            dispatch.start(&self.numbers, group, started, given);
        }
        unit.shared.clear();
        unit.shared.resize(count * words, 0);
        stands.clear();
        stands.resize(all, Resume::START);
        let strict = unit.races.is_some();
        let mut ports = GroupPorts {
            lifted: &dispatch.program.lifted,
            stores_texels: self.stores_texels,
            memory: self.memory,
            level: self.level,
            private: &dispatch.private,
            slots,
            first: 0,
            unit,
        };
        let result = match strict || dispatch.program.lifted.locks {
            true => self.run_one_by_one(&mut ports, waves, stands),
            false => {
                let program = &dispatch.program;
                program.run_groups(self.engine, waves, stands, &mut ports)
            }
        };
        let result = result.map_err(|(wave, lane, trap)| {
            let lane = lane.unwrap_or_else(|| waves[wave].mask(ACTIVE).trailing_zeros());
            let half = usize::from((TASK..LANES as u32).contains(&lane));
            (2 * (wave % of_group) + half, trap)
        });
        (waves.iter().map(|wave| wave.instructions).sum(), result)
    }

    /// Runs the waves of a group one by one from barrier to barrier; a strict run reports what a group must not do.
    fn run_one_by_one(
        &self,
        ports: &mut GroupPorts<'_>,
        waves: &mut [Wave],
        stands: &mut [Resume],
    ) -> Result<(), (usize, Option<u32>, Trap)> {
        let program = &self.dispatch.program;
        let masks: Vec<u64> = waves.iter().map(|wave| wave.mask(ACTIVE)).collect();
        while !stands.iter().all(|stand| stand.has_ended()) {
            let mut met: Option<(usize, u32)> = None;
            for n in 0..waves.len() {
                ports.first = n;
                let (wave, stand) = (&mut waves[n..=n], &mut stands[n..=n]);
                program
                    .advance(self.engine, wave, stand, ports)
                    .map_err(|(_, lane, trap)| (n, lane, trap))?;
                let (Some(step), true) = (stands[n].barrier(), ports.unit.races.is_some()) else {
                    continue;
                };
                let fail = |reason: String| Err((n, None, program.trap_at(step, reason)));
                let mask = waves[n].mask(ACTIVE);
                if mask != masks[n] {
                    return fail(format!(
                        "a barrier in divergent flow: lanes {mask:#x} of {:#x} are there",
                        masks[n]
                    ));
                }
                let address = |step: u32| program.trap_at(step, String::new()).address;
                match met {
                    Some((other, first)) if address(first) != address(step) => {
                        return fail(format!(
                            "the tasks of the group wait at different barriers: wave {other} at {:#x}",
                            address(first)
                        ));
                    }
                    _ => met = met.or(Some((n, step))),
                }
            }
            if let Some(races) = &mut ports.unit.races {
                races.meet();
            }
        }
        Ok(())
    }
}

impl Dispatch {
    /// Counts groups that have run.
    fn count_into(&self, groups: u64, totals: &mut Stats) {
        totals.compute_lanes += groups * self.instances() as u64;
        totals.compute_waves += groups * self.waves() as u64;
    }
}
