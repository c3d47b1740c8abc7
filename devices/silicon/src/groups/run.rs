//! Chunks of groups over threads, their logs replayed in ascending order: by the thread that has run a chunk, if its turn
//! comes soon, as what it has logged is in its caches; else by the thread that runs the chunk before. Chunks with queues
//! are replayed when all of a round have run, as only then it is known that nobody can tell.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::change::Change;
use super::commits::{Commits, Waiting};
use super::log::{StoreLog, take_back, tell_turns};
use super::queues::{Queue, Watch};
use crate::fragment::bins::Threads;
use crate::memory::Memory;

/// Most waves that a thread runs before it asks for more.
const CHUNK_WAVES: usize = 64;
/// Chunks a thread that wait for their turn.
const WAITING: usize = 8;
/// Chunks a thread of a round, each of which is one batch.
const ROUND: usize = 32;

/// What groups that have run count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Instructions of their waves.
    pub instructions: u64,
    /// Texels that they read.
    pub texels: u64,
}

/// The groups of a dispatch, as a chip runs them.
pub trait Batches: Sync {
    /// What a thread keeps.
    type Worker: Send;
    /// Atomic operations.
    type Change: Change;

    /// How many groups there are.
    fn count(&self) -> u64;
    /// Waves of the largest group.
    fn waves(&self) -> usize;
    /// Groups that run side by side as one batch.
    fn batch(&self) -> usize;
    /// Whether batches wait for each other in [`Queues`](super::Queues): then each begins at a multiple of
    /// [`Batches::batch`].
    fn queued(&self) -> bool;
    /// Runs groups from a number on as one batch, a log for each; nothing if one stops. Adds the words to `old` that they
    /// change in their turns, with what was there.
    fn run(
        &self,
        worker: &mut Self::Worker,
        first: u64,
        logs: &mut [StoreLog<Self::Change>],
        old: &mut Vec<(u32, u32)>,
    ) -> Option<Done>;
}

/// Groups that one thread runs.
#[derive(Debug)]
pub(super) struct Chunk<A> {
    /// Number of the first group.
    pub(super) first: u64,
    pub(super) count: usize,
    /// Of each group.
    pub(super) logs: Vec<StoreLog<A>>,
    /// Words that they have changed in their turns, and what was there, in order.
    pub(super) old: Vec<(u32, u32)>,
    pub(super) counted: Done,
    /// Groups before one whose batch stopped, or stores more than its log takes.
    pub(super) done: usize,
}

impl<A> Default for Chunk<A> {
    fn default() -> Chunk<A> {
        Chunk {
            first: 0,
            count: 0,
            logs: Vec::new(),
            old: Vec::new(),
            counted: Done::default(),
            done: 0,
        }
    }
}

/// Logs that one dispatch leaves for the next.
#[derive(Debug)]
pub struct Chunks<A>(Vec<Chunk<A>>);

impl<A> Default for Chunks<A> {
    fn default() -> Chunks<A> {
        Chunks(Vec::new())
    }
}

/// Runs groups at the same time, up to one that loads what one before it stores, stops, stores too much, or may tell what
/// others change in their turns: the number of the first that has to run in order, all of them if there is none. `take` is
/// told of groups that have run.
pub fn independent<B: Batches>(
    batches: &B,
    machine: (&Threads, &mut [B::Worker]),
    (memory, Chunks(chunks)): (&Memory, &mut Chunks<B::Change>),
    take: impl FnMut(Range<u64>, Done) + Send,
) -> u64 {
    match batches.queued() {
        true => rounds(batches, machine, (memory, chunks), take),
        false => stream(batches, machine, (memory, chunks), take),
    }
}

/// Runs chunks, each of which stores when all before it have.
fn stream<B: Batches>(
    batches: &B,
    (threads, workers): (&Threads, &mut [B::Worker]),
    (memory, chunks): (&Memory, &mut Vec<Chunk<B::Change>>),
    take: impl FnMut(Range<u64>, Done) + Send,
) -> u64 {
    let count = batches.count();
    // Small dispatches go to all threads, too.
    let share = count.div_ceil(2 * workers.len().max(1) as u64);
    let of_chunk = (CHUNK_WAVES / batches.waves()).max(1) as u64;
    let of_chunk = of_chunk.min(share).max(1);
    let most = workers.len() * WAITING;
    let mut workers: Vec<_> = (workers.iter_mut())
        .map(|worker| (worker, chunks.pop().unwrap_or_default()))
        .collect();
    let queue = Queue::default();
    // A chunk begins less than so many behind the first that has not stored.
    let ahead = workers.len() + most;
    let waiting = Mutex::new(Waiting::new(Commits::new(memory, ahead, take), chunks));
    let lock = || waiting.lock().unwrap_or_else(PoisonError::into_inner);
    let run = |n: usize, (): &mut (), (worker, chunk): &mut (&mut B::Worker, Chunk<B::Change>)| {
        let n = n as u64;
        let _watch = Watch(&queue);
        if queue.has_stopped() {
            return Ok::<(), std::convert::Infallible>(());
        }
        chunk.first = n * of_chunk;
        chunk.count = (count - chunk.first).min(of_chunk) as usize;
        run_chunk(batches, worker, chunk);
        let soon = queue.comes(n);
        let mut waiting = lock();
        if !soon && queue.turn() < n {
            if waiting.count() < most {
                waiting.put(n, chunk);
                return Ok(());
            }
            drop(waiting);
            queue.wait(n);
            waiting = lock();
        }
        if !queue.has_stopped() {
            queue.give(waiting.commit(n, chunk));
        }
        Ok(())
    };
    let mut numbers = vec![(); count.div_ceil(of_chunk) as usize];
    // No chunk fails.
    let Ok(()) = threads.chunks(&mut numbers, &mut workers, run);
    let waiting = waiting.into_inner().unwrap_or_else(PoisonError::into_inner);
    let stop = waiting.end();
    chunks.extend(workers.into_iter().map(|(_, chunk)| chunk));
    stop.unwrap_or(count)
}

/// Runs chunks round by round, which store when all of a round have run.
fn rounds<B: Batches>(
    batches: &B,
    (threads, workers): (&Threads, &mut [B::Worker]),
    (memory, chunks): (&Memory, &mut Vec<Chunk<B::Change>>),
    mut take: impl FnMut(Range<u64>, Done) + Send,
) -> u64 {
    let of_round = workers.len() * ROUND;
    if chunks.len() < of_round {
        chunks.resize_with(of_round, Chunk::default);
    }
    // Threads that run several batches one after the other would keep others waiting.
    let (count, of_chunk) = (batches.count(), batches.batch().max(1) as u64);
    let mut next = 0;
    while next < count {
        let first = next;
        for chunk in &mut chunks[..of_round] {
            chunk.first = next;
            chunk.count = (count - next).min(of_chunk) as usize;
            next += chunk.count as u64;
        }
        let used = chunks[..of_round].partition_point(|chunk| chunk.count > 0);
        let chunks = &mut chunks[..used];
        let run = |_, chunk: &mut Chunk<B::Change>, worker: &mut B::Worker| {
            run_chunk(batches, worker, chunk);
            Ok::<(), std::convert::Infallible>(())
        };
        // No chunk fails.
        let Ok(()) = threads.chunks(chunks, workers, run);
        let logs = |chunk: &Chunk<B::Change>| chunk.logs.len().min(chunk.count);
        if tell_turns(chunks.iter().flat_map(|chunk| &chunk.logs[..logs(chunk)])) {
            undo(chunks, memory);
            return first;
        }
        let mut commits = Commits::new(memory, used, &mut take);
        for n in 0..used {
            if let Err(next) = commits.commit(n as u64, &mut chunks[n]) {
                undo(&chunks[n..], memory);
                return next;
            }
        }
        debug_assert!(next > first, "every chunk has a group");
    }
    count
}

/// Takes back what chunks have changed in their turns. Each is one batch: all of it has run, or nothing.
fn undo<A>(chunks: &[Chunk<A>], memory: &Memory) {
    for chunk in chunks.iter().rev() {
        take_back(&chunk.old, memory);
    }
}

/// Runs the groups of a chunk in batches, up to one that stops or stores too much.
fn run_chunk<B: Batches>(batches: &B, worker: &mut B::Worker, chunk: &mut Chunk<B::Change>) {
    let of_batch = batches.batch().max(1);
    (chunk.done, chunk.counted) = (0, Done::default());
    chunk.old.clear();
    while chunk.done < chunk.count {
        let count = of_batch.min(chunk.count - chunk.done);
        if chunk.logs.len() < chunk.done + count {
            let wanted = chunk.done + count;
            chunk.logs.resize_with(wanted, StoreLog::default);
        }
        let logs = &mut chunk.logs[chunk.done..][..count];
        logs.iter_mut().for_each(StoreLog::clear);
        let first = chunk.first + chunk.done as u64;
        let ran = batches.run(worker, first, logs, &mut chunk.old);
        let Some(counted) = ran.filter(|_| !logs.iter().any(StoreLog::is_full)) else {
            return;
        };
        chunk.counted.instructions += counted.instructions;
        chunk.counted.texels += counted.texels;
        chunk.done += count;
    }
}
