//! Groups of a dispatch: in batches over all threads where no group can tell whether others have run, otherwise one after
//! the other.
//!
//! Groups that run at the same time store into logs: [`silicon::groups`]. Where groups load and store one buffer or image,
//! they run at the same time as long as none loads what a group before it stores.

use std::ops::Range;
use std::sync::Arc;

use lanes::{DefaultEngine, LANES, Resume, Row, Wave};
use silicon::draw::Worker;
use silicon::fragment::scan::batch_of;
use silicon::groups::{Batches, Done, Place, Queues, Races, StoreLog, independent, log::words_of};
use silicon::{Addr, Stats, Trap};

use super::{Dispatch, MAX_WAVES};
use crate::SouthernIslands;
use crate::draw::WaveWorker;
use crate::isa::memory::Atomic;
use crate::isa::operand::EXEC;
use crate::isa::{Inst, Port};
use crate::reach::{Conditions, Known, known};
use crate::sq::{GroupSlot, PortHandler, Shader};
use crate::sx::ExportFormats;
use crate::ta::LDS_WORDS;

/// What all groups of a dispatch need.
struct Groups<'a> {
    dispatch: &'a Dispatch,
    shader: &'a Shader,
    /// Numbers of the threads of a whole group, by wave.
    numbers: Vec<[Row; 3]>,
    engine: DefaultEngine,
    /// Cost allowed to a wave.
    limit: u64,
    /// Where scratch memory begins, if each wave reaches its slot of it alone: cleared when the wave starts.
    scratch: Option<u64>,
    /// Where batches make changes in their order.
    queues: Option<Arc<Queues>>,
}

impl SouthernIslands {
    /// Runs the groups of a dispatch.
    pub(crate) fn dispatch(&mut self, dispatch: &Dispatch) -> Result<(), Trap> {
        let shader: Arc<Shader> = self.programs.get(&self.memory, dispatch.resources)?;
        let of_pixels = |port: &&Port| matches!(port.inst, Inst::Exp(_) | Inst::Vintrp(_));
        if let Some(port) = shader.ports.iter().find(of_pixels) {
            let at = dispatch.resources.address + u64::from(port.pc);
            let reason = "compute waves have no exports and no parameters";
            return Err(crate::cp::trap(at, port.word, reason));
        }
        for worker in &mut self.workers {
            let unit = &mut worker.shader.unit;
            unit.clock = self.totals.instructions;
            unit.border_colors = dispatch.border_colors;
            unit.lines.clear();
        }
        let groups = Groups {
            dispatch,
            shader: &shader,
            numbers: dispatch.numbers(),
            engine: *self.programs.engine(),
            limit: self.start.wave_cost,
            scratch: None,
            queues: None,
        };
        let first = &mut self.workers[0].shader.unit;
        let many = dispatch.count() > 1 && !self.start.strict && !shader.runs_in_order();
        let known = match many {
            true => known(dispatch, &shader, first),
            false => Known::NOTHING,
        };
        let queued = (known.conditions.as_ref()).filter(|found| !found.queues.is_empty());
        let groups = Groups {
            scratch: known.scratch,
            queues: queued.map(|found| Arc::new(Queues::new(found.queues.clone()))),
            ..groups
        };
        for (slot, worker) in self.workers.iter_mut().enumerate() {
            let unit = &mut worker.shader.unit;
            (unit.private, unit.scratch_slot) = (known.scratch.is_some(), slot);
        }
        let result = match known.conditions {
            Some(Conditions { watched, .. }) => {
                let words = watched.map_or(0..0, |bytes| words_of(&bytes));
                for worker in &mut self.workers {
                    worker.shader.unit.logs.watched = words.clone();
                }
                self.run_independent(&groups)
            }
            None => self.run_in_order(&groups, 0),
        };
        for worker in &mut self.workers {
            let unit = &mut worker.shader.unit;
            unit.lds.resize(LDS_WORDS, 0);
            (unit.share, unit.logs.current, unit.races) = (0..LDS_WORDS, None, None);
            unit.logs.watched = 0..0;
            unit.private = false;
            self.totals.texels += std::mem::take(&mut unit.texels);
        }
        result
    }

    /// Runs groups from a number on one after the other.
    fn run_in_order(&mut self, groups: &Groups<'_>, first: u64) -> Result<(), Trap> {
        let (dispatch, worker) = (groups.dispatch, &mut self.workers[0].shader);
        if self.start.strict {
            worker.unit.races = Some(Races::new(
                dispatch.shared_words(),
                ["wave", "local data share"],
            ));
        }
        for number in first..dispatch.count() {
            let group = dispatch.place(number);
            let (instructions, result) = groups.run_batch(worker, number, 1, false);
            self.totals.instructions += instructions;
            dispatch.count_into(group, &mut self.totals);
            result.map_err(|(wave, trap)| {
                let [x, y, z] = group;
                let reason = format!("group {x}, {y}, {z}, wave {wave}: {}", trap.reason);
                Trap { reason, ..trap }
            })?;
        }
        Ok(())
    }

    /// Runs groups that cannot tell who runs when, and from one that could on in order.
    fn run_independent(&mut self, groups: &Groups<'_>) -> Result<(), Trap> {
        let (dispatch, totals) = (groups.dispatch, &mut self.totals);
        let take = |numbers: Range<u64>, done: Done| {
            totals.instructions += done.instructions;
            totals.texels += done.texels;
            for number in numbers {
                dispatch.count_into(dispatch.place(number), totals);
            }
        };
        // Slots of scratch memory are there for so many waves.
        let most = match groups.scratch {
            Some(_) => (dispatch.scratch_slots as usize / groups.waves()).max(1),
            None => usize::MAX,
        };
        let most = most.min(self.workers.len());
        let machine = (&*self.threads, &mut self.workers[..most]);
        let stores = (&self.memory, &mut self.chunks);
        let first = independent(groups, machine, stores, take);
        if first < dispatch.count() && groups.queues.is_some() {
            // What ran behind ran in vain.
            groups.shader.run_in_order();
        }
        self.run_in_order(groups, first)
    }
}

impl Batches for Groups<'_> {
    type Worker = Worker<WaveWorker>;
    type Change = Atomic;

    fn count(&self) -> u64 {
        self.dispatch.count()
    }

    /// Waves of the largest group.
    fn waves(&self) -> usize {
        let threads: u32 = self
            .dispatch
            .threads
            .iter()
            .map(|[full, _]| *full)
            .product();
        (threads as usize).div_ceil(LANES).clamp(1, MAX_WAVES)
    }

    fn batch(&self) -> usize {
        // Waves of one group come to a port in the order that they have alone.
        if self.scratch.is_some() || self.queued() && self.waves() > 1 {
            return 1;
        }
        (batch_of(self.dispatch.resources.vgprs.into()) / self.waves()).max(1)
    }

    fn queued(&self) -> bool {
        self.queues.is_some()
    }

    fn run(
        &self,
        worker: &mut Worker<WaveWorker>,
        first: u64,
        logs: &mut [StoreLog<Atomic>],
        old: &mut Vec<(u32, u32)>,
    ) -> Option<Done> {
        let (worker, count) = (&mut worker.shader, logs.len());
        worker.unit.place = self.queues.as_ref().map(|queues| {
            let waves = (self.waves() == 1).then_some(count);
            Place::new(queues, first / self.batch() as u64, waves)
        });
        std::mem::swap(&mut worker.unit.logs.old, old);
        let of_unit = &mut worker.unit.logs.logs;
        of_unit.resize_with(count, StoreLog::default);
        logs.swap_with_slice(of_unit);
        let (instructions, result) = self.run_batch(worker, first, count, true);
        logs.swap_with_slice(&mut worker.unit.logs.logs);
        std::mem::swap(&mut worker.unit.logs.old, old);
        let texels = std::mem::take(&mut worker.unit.texels);
        let place = worker.unit.place.take();
        result.ok()?;
        if !place.is_none_or(Place::finish) {
            return None;
        }
        Some(Done {
            instructions,
            texels,
        })
    }
}

impl Groups<'_> {
    /// Runs consecutive groups as one batch: how many instructions, and the wave that stopped and why.
    fn run_batch(
        &self,
        worker: &mut WaveWorker,
        first: u64,
        count: usize,
        logged: bool,
    ) -> (u64, Result<(), (usize, Trap)>) {
        let (dispatch, shader) = (self.dispatch, self.shader);
        let words = dispatch.shared_words();
        let WaveWorker {
            unit,
            slots,
            groups,
            stands,
            ..
        } = worker;
        groups.clear();
        for n in 0..count {
            let group = dispatch.place(first + n as u64);
            let waves = groups.len()..groups.len() + dispatch.waves(group);
            slots.bind(waves.end, &shader.program);
            let slot = GroupSlot {
                share: n * words..(n + 1) * words,
                log: logged.then_some(n),
            };
            groups.resize(waves.end, slot);
            let fixed = (shader, self.numbers.as_slice());
            let slot = unit.scratch_slot * self.waves();
            let (bytes, count) = (u64::from(dispatch.scratch_bytes), waves.len() as u64);
            if let Some(base) = self.scratch {
                let at = Addr(base + slot as u64 * bytes);
                let cleared = unit.memory.fill(at, count * bytes / 4, 0);
                debug_assert!(cleared.is_ok(), "slots lie inside of memory");
            }
            let slot = self.scratch.map_or(0, |_| slot as u32);
            let started = (&mut slots.waves[waves], slot);
            dispatch.start(fixed, group, started, self.limit);
        }
        unit.lines.begin();
        (unit.logs.current, unit.logs.turn) = (logged.then_some(0), None);
        unit.lds.clear();
        unit.lds.resize(count * words, 0);
        let waves = &mut slots.waves[..groups.len()];
        stands.clear();
        stands.resize(waves.len(), Resume::START);
        let strict = unit.races.is_some();
        let handler = &mut PortHandler {
            shader,
            unit,
            states: &mut [],
            groups,
            formats: ExportFormats::default(),
            packed: None,
            attributes: (),
        };
        let result = match strict {
            true => self.run_strict(handler, waves, stands),
            false => shader
                .program
                .run_groups(&self.engine, waves, stands, handler),
        };
        (waves.iter().map(|wave| wave.instructions).sum(), result)
    }

    /// Runs the waves of a group one by one from barrier to barrier, and reports what a group must not do.
    fn run_strict(
        &self,
        handler: &mut PortHandler<'_, ()>,
        waves: &mut [Wave],
        stands: &mut [Resume],
    ) -> Result<(), (usize, Trap)> {
        let program = &self.shader.program;
        let masks: Vec<u64> = waves.iter().map(|wave| wave.mask(EXEC.into())).collect();
        let origins = &program.program().origins;
        let slots = handler.groups;
        while !stands.iter().all(|stand| stand.has_ended()) {
            let mut met: Option<(usize, u32)> = None;
            for n in 0..waves.len() {
                if let Some(races) = &mut handler.unit.races {
                    races.run(n as u8);
                }
                handler.groups = &slots[n..=n];
                let (wave, stand) = (&mut waves[n..=n], &mut stands[n..=n]);
                program
                    .advance(&self.engine, wave, stand, handler)
                    .map_err(|(_, trap)| (n, trap))?;
                let Some(step) = stands[n].barrier() else {
                    continue;
                };
                let at = origins[step as usize];
                let fail = |reason: String| Err((n, program.trap_at(at, reason)));
                let mask = waves[n].mask(EXEC.into());
                if mask != masks[n] {
                    return fail(format!(
                        "a barrier in divergent flow: lanes {mask:#x} of {:#x} are there",
                        masks[n]
                    ));
                }
                match met {
                    Some((other, first)) if origins[first as usize].pc != at.pc => {
                        return fail(format!(
                            "the waves of the group wait at different barriers: wave {other} at {:#x}",
                            self.dispatch.resources.address + u64::from(origins[first as usize].pc)
                        ));
                    }
                    _ => met = met.or(Some((n, step))),
                }
            }
            if let Some(races) = &mut handler.unit.races {
                races.meet();
            }
        }
        handler.groups = slots;
        Ok(())
    }
}

impl Dispatch {
    /// Counts a group that has run.
    fn count_into(&self, group: [u32; 3], totals: &mut Stats) {
        totals.compute_lanes += self
            .size(group)
            .iter()
            .map(|n| u64::from(*n))
            .product::<u64>();
        totals.compute_waves += self.waves(group) as u64;
    }
}
