//! Groups of a dispatch: in batches over all threads where no group can tell whether others have run, otherwise one after
//! the other.
//!
//! Groups that run at the same time store into logs, which are replayed in ascending order. Memory, counters and the trap
//! are those of groups that run one after the other, with any number of threads. Where groups load and store one buffer,
//! they run at the same time as long as none loads what a group before it stores.

use std::ops::Range;
use std::sync::Arc;

use lanes::{DefaultEngine, LANES, Resume, Row, Wave};
use silicon::draw::Worker;
use silicon::fragment::scan::batch_of;
use silicon::{Stats, Trap};

use super::reach::{Order, order};
use super::{Dispatch, MAX_WAVES};
use crate::SouthernIslands;
use crate::draw::WaveWorker;
use crate::isa::operand::EXEC;
use crate::isa::{Inst, Port};
use crate::lds::Races;
use crate::sq::{GroupSlot, PortHandler, Shader};
use crate::sx::ExportFormats;
use crate::ta::{LDS_WORDS, StoreLog};

/// Most waves that a thread runs before it asks for more.
const CHUNK_WAVES: usize = 64;
/// Chunks of a thread that run before their logs are replayed.
const CHUNKS: usize = 8;

/// Groups that one thread runs.
#[derive(Default)]
struct Chunk {
    /// Number of the first.
    first: u64,
    count: usize,
    /// Of each group.
    logs: Vec<StoreLog>,
    instructions: u64,
    texels: u64,
    /// Groups before one whose batch stopped, or stores more than its log takes.
    done: usize,
}

/// What all groups of a dispatch need.
struct Groups<'a> {
    dispatch: &'a Dispatch,
    shader: &'a Shader,
    /// Numbers of the threads of a whole group, by wave.
    numbers: Vec<[Row; 3]>,
    engine: DefaultEngine,
    /// Cost allowed to a wave.
    limit: u64,
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
        }
        let groups = Groups {
            dispatch,
            shader: &shader,
            numbers: dispatch.numbers(),
            engine: *self.programs.engine(),
            limit: self.start.wave_cost,
        };
        let first = &mut self.workers[0].shader.unit;
        let many = dispatch.count() > 1 && !self.start.strict;
        let order = match many {
            true => order(dispatch, &shader, first),
            false => Order::Ascending,
        };
        let result = match order {
            Order::Any => self.run_independent(&groups),
            Order::Watched(bytes) => {
                let word = |byte: u64| u32::try_from(byte).unwrap_or(u32::MAX);
                let words = word(bytes.start / 4)..word(bytes.end.div_ceil(4));
                for worker in &mut self.workers {
                    worker.shader.unit.logs.watched = words.clone();
                }
                self.run_independent(&groups)
            }
            Order::Ascending => self.run_in_order(&groups, 0),
        };
        for worker in &mut self.workers {
            let unit = &mut worker.shader.unit;
            unit.lds.resize(LDS_WORDS, 0);
            (unit.share, unit.logs.current, unit.races) = (0..LDS_WORDS, None, None);
            unit.logs.watched = 0..0;
            self.totals.texels += std::mem::take(&mut unit.texels);
        }
        result
    }

    /// Runs groups from a number on one after the other.
    fn run_in_order(&mut self, groups: &Groups<'_>, first: u64) -> Result<(), Trap> {
        let (dispatch, worker) = (groups.dispatch, &mut self.workers[0].shader);
        if self.start.strict {
            worker.unit.races = Some(Races::new(dispatch.shared_words()));
        }
        for number in first..dispatch.count() {
            let group = dispatch.place(number);
            let (instructions, result) = groups.run(worker, number, 1, false);
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

    /// Runs groups that cannot tell who runs when, up to one that could.
    fn run_independent(&mut self, groups: &Groups<'_>) -> Result<(), Trap> {
        let (dispatch, count) = (groups.dispatch, groups.dispatch.count());
        // Small dispatches go to all threads, too.
        let share = count.div_ceil(2 * self.threads.count() as u64);
        let of_chunk = (CHUNK_WAVES / groups.most_waves()).max(1) as u64;
        let of_chunk = of_chunk.min(share);
        let mut chunks: Vec<Chunk> = Vec::new();
        chunks.resize_with(self.threads.count() * CHUNKS, Chunk::default);
        let mut next = 0;
        let mut stored = Stored::default();
        while next < count {
            let first = next;
            stored.0.clear();
            for chunk in &mut chunks {
                chunk.first = next;
                chunk.count = (count - next).min(of_chunk) as usize;
                next += chunk.count as u64;
            }
            let used = chunks.partition_point(|chunk| chunk.count > 0);
            let chunks = &mut chunks[..used];
            let run = |_, chunk: &mut Chunk, worker: &mut Worker<WaveWorker>| {
                groups.run_chunk(&mut worker.shader, chunk);
                Ok::<(), Trap>(())
            };
            self.threads.chunks(chunks, &mut self.workers, run)?;
            for chunk in chunks {
                if !chunk.logs[..chunk.done].iter().all(|log| stored.add(log)) {
                    // A group loads what one before it stores, which is not what it has found.
                    return self.run_in_order(groups, chunk.first);
                }
                for log in &mut chunk.logs[..chunk.done] {
                    log.replay(&self.memory);
                }
                self.totals.instructions += chunk.instructions;
                self.totals.texels += chunk.texels;
                for number in chunk.first..chunk.first + chunk.done as u64 {
                    dispatch.count_into(dispatch.place(number), &mut self.totals);
                }
                if chunk.done < chunk.count {
                    // The groups behind have stored nothing yet.
                    return self.run_in_order(groups, chunk.first + chunk.done as u64);
                }
            }
            debug_assert!(next > first, "every chunk has a group");
        }
        Ok(())
    }
}

/// Watched words that groups have stored while others ran, ascending by group.
#[derive(Default)]
struct Stored(Vec<Range<u32>>);

/// Most ranges that are kept apart.
const MOST_RANGES: usize = 64;

impl Stored {
    /// Adds what a group has stored, unless it loads what is stored already.
    fn add(&mut self, log: &StoreLog) -> bool {
        if self.0.iter().any(|words| log.loads(words)) {
            return false;
        }
        let words = log.stored();
        let full = self.0.len() == MOST_RANGES;
        match self.0.last_mut() {
            _ if words.is_empty() => {}
            // Neighbours store slices that lie one behind the other.
            Some(last) if last.end == words.start || full => {
                *last = last.start.min(words.start)..last.end.max(words.end);
            }
            _ => self.0.push(words),
        }
        true
    }
}

impl Groups<'_> {
    /// Waves of the largest group.
    fn most_waves(&self) -> usize {
        let threads: u32 = self
            .dispatch
            .threads
            .iter()
            .map(|[full, _]| *full)
            .product();
        (threads as usize).div_ceil(LANES).clamp(1, MAX_WAVES)
    }

    /// Runs the groups of a chunk in batches, up to one that stops or stores too much.
    fn run_chunk(&self, worker: &mut WaveWorker, chunk: &mut Chunk) {
        let most = batch_of(self.dispatch.resources.vgprs.into());
        let of_batch = (most / self.most_waves()).max(1);
        (chunk.done, chunk.instructions, chunk.texels) = (0, 0, 0);
        while chunk.done < chunk.count {
            let count = of_batch.min(chunk.count - chunk.done);
            if chunk.logs.len() < chunk.done + count {
                chunk
                    .logs
                    .resize_with(chunk.done + count, StoreLog::default);
            }
            let logs = &mut chunk.logs[chunk.done..][..count];
            logs.iter_mut().for_each(StoreLog::clear);
            let of_unit = &mut worker.unit.logs.logs;
            of_unit.resize_with(count.max(of_unit.len()), StoreLog::default);
            logs.swap_with_slice(&mut of_unit[..count]);
            let first = chunk.first + chunk.done as u64;
            let (instructions, result) = self.run(worker, first, count, true);
            logs.swap_with_slice(&mut worker.unit.logs.logs[..count]);
            let texels = std::mem::take(&mut worker.unit.texels);
            if result.is_err() || logs.iter().any(StoreLog::is_full) {
                return;
            }
            chunk.texels += texels;
            chunk.instructions += instructions;
            chunk.done += count;
        }
    }

    /// Runs consecutive groups as one batch: how many instructions, and the wave that stopped and why.
    fn run(
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
            dispatch.start(fixed, group, &mut slots.waves[waves], self.limit);
        }
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
