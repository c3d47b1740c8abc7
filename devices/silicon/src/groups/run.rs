//! Chunks of groups over threads, their logs replayed in ascending order.

use std::ops::Range;

use super::change::Change;
use super::log::{StoreLog, take_back, tell_turns};
use crate::fragment::bins::Threads;
use crate::memory::Memory;

/// Most waves that a thread runs before it asks for more.
const CHUNK_WAVES: usize = 64;
/// Chunks of a thread that run before their logs are replayed.
const CHUNKS: usize = 8;
/// The same where a chunk is one batch.
const BATCHES: usize = 32;
/// Most ranges of stored words that are kept apart.
const MOST_RANGES: usize = 64;

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
struct Chunk<A> {
    /// Number of the first.
    first: u64,
    count: usize,
    /// Of each group.
    logs: Vec<StoreLog<A>>,
    /// Words that they have changed in their turns, and what was there, in order.
    old: Vec<(u32, u32)>,
    counted: Done,
    /// Groups before one whose batch stopped, or stores more than its log takes.
    done: usize,
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
    (threads, workers): (&Threads, &mut [B::Worker]),
    (memory, Chunks(chunks)): (&Memory, &mut Chunks<B::Change>),
    mut take: impl FnMut(Range<u64>, Done),
) -> u64 {
    let of_worker = if batches.queued() { BATCHES } else { CHUNKS };
    chunks.resize_with(workers.len() * of_worker, Chunk::default);
    let count = batches.count();
    // Small dispatches go to all threads, too.
    let share = count.div_ceil(2 * workers.len().max(1) as u64);
    let of_chunk = (CHUNK_WAVES / batches.waves()).max(1) as u64;
    let of_chunk = match batches.queued() {
        // Threads that run several batches one after the other would keep others waiting.
        true => batches.batch() as u64,
        false => of_chunk.min(share),
    };
    let of_chunk = of_chunk.max(1);
    let mut next = 0;
    let mut stored = Stored::default();
    while next < count {
        let first = next;
        stored.0.clear();
        for chunk in &mut *chunks {
            chunk.first = next;
            chunk.count = (count - next).min(of_chunk) as usize;
            next += chunk.count as u64;
        }
        let used = chunks.partition_point(|chunk| chunk.count > 0);
        let chunks = &mut chunks[..used];
        let run = |_, chunk: &mut Chunk<B::Change>, worker: &mut B::Worker| {
            run_chunk(batches, worker, chunk);
            Ok::<(), std::convert::Infallible>(())
        };
        // No chunk fails.
        let Ok(()) = threads.chunks(chunks, workers, run);
        let ran = |chunk: &Chunk<B::Change>| chunk.logs.len().min(chunk.count);
        if tell_turns(chunks.iter().flat_map(|chunk| &chunk.logs[..ran(chunk)])) {
            undo(chunks, memory);
            return first;
        }
        let mut stop = None;
        for (n, chunk) in chunks.iter_mut().enumerate() {
            if !chunk.logs[..chunk.done].iter().all(|log| stored.add(log)) {
                // A group loads what one before it stores, which is not what it has found.
                stop = Some((n, chunk.first));
                break;
            }
            for log in &mut chunk.logs[..chunk.done] {
                log.replay(memory);
                log.shrink();
            }
            let end = chunk.first + chunk.done as u64;
            take(chunk.first..end, chunk.counted);
            if chunk.done < chunk.count {
                // The groups behind have stored nothing yet.
                stop = Some((n, end));
                break;
            }
        }
        if let Some((n, next)) = stop {
            undo(&chunks[n..], memory);
            return next;
        }
        debug_assert!(next > first, "every chunk has a group");
    }
    count
}

/// Takes back what chunks have changed in their turns. One that has queues is one batch: all of it has run, or nothing.
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

/// Watched words that groups have stored while others ran, ascending by group.
#[derive(Default)]
struct Stored(Vec<Range<u32>>);

impl Stored {
    /// Adds what a group has stored, unless it loads what is stored already.
    fn add<A: Change>(&mut self, log: &StoreLog<A>) -> bool {
        if self.0.iter().any(|words| log.loads(words)) {
            return false;
        }
        for words in log.stored() {
            self.put(words);
        }
        true
    }

    /// Adds words. Ranges that touch become one: neighbours store slices that lie one behind the other.
    fn put(&mut self, words: Range<u32>) {
        let ranges = &mut self.0;
        let has = |range: &Range<u32>| range.start <= words.start && words.end <= range.end;
        if ranges.iter().any(has) {
            return;
        }
        let before = ranges.iter().position(|range| range.end == words.start);
        let behind = ranges.iter().position(|range| range.start == words.end);
        match (before, behind) {
            (Some(before), Some(behind)) => {
                ranges[before].end = ranges[behind].end;
                ranges.swap_remove(behind);
            }
            (Some(before), None) => ranges[before].end = words.end,
            (None, Some(behind)) => ranges[behind].start = words.start,
            (None, None) if ranges.len() < MOST_RANGES => ranges.push(words),
            (None, None) => {
                let last = &mut ranges[MOST_RANGES - 1];
                *last = last.start.min(words.start)..last.end.max(words.end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slices of halves of blocks become one range, in any order and as often as they come; others stay apart.
    #[test]
    fn ranges_that_touch_become_one() {
        let halves = |n: u32| {
            let low = n / 16 * 2048 + n % 16 * 64;
            [low, low + 1024].map(|first| first..first + 64)
        };
        let all = 0..2048 * 128;
        let mut stored = Stored::default();
        (0..2048)
            .flat_map(halves)
            .for_each(|words| stored.put(words));
        assert_eq!(stored.0, std::slice::from_ref(&all));
        stored.put(500..600);
        assert_eq!(stored.0.len(), 1);
        let mut stored = Stored::default();
        (0..2048)
            .rev()
            .flat_map(halves)
            .for_each(|words| stored.put(words));
        assert_eq!(stored.0, std::slice::from_ref(&all));
        let mut stored = Stored::default();
        let apart = |n: u32| 100 * n..100 * n + 50;
        (0..MOST_RANGES as u32).for_each(|n| stored.put(apart(n)));
        assert_eq!(stored.0.len(), MOST_RANGES);
        assert!(
            stored
                .0
                .iter()
                .zip(0..)
                .all(|(range, n)| *range == apart(n))
        );
        // More than are kept apart: the last takes them in.
        stored.put(9000..9001);
        assert_eq!(stored.0.last(), Some(&(6300..9001)));
    }
}
