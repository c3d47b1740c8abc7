//! What chunks of groups leave in memory, one after the other. In: chunks that have run, each beside others. Out: memory as
//! they leave it one after the other, or the first group that loads what one before it stores and did not find it.

use std::collections::BTreeMap;
use std::ops::Range;

use super::change::Change;
use super::log::StoreLog;
use super::queues::STOPPED;
use super::run::{Chunk, Done};
use crate::memory::Memory;

/// Most ranges of stored words that are kept apart.
const MOST_RANGES: usize = 64;

/// Stores of chunks, in ascending order.
pub(super) struct Commits<'a, F> {
    memory: &'a Memory,
    /// A chunk runs beside less than so many before it.
    ahead: u64,
    /// What chunks have stored since a multiple of `ahead`, and what those have that it follows. Not only the ones that did run
    /// beside a chunk: that depends on time.
    stored: [Stored; 2],
    take: F,
}

impl<'a, F: FnMut(Range<u64>, Done)> Commits<'a, F> {
    /// Of chunks that run beside less than so many before them. `take` is told of groups that have run.
    pub(super) fn new(memory: &'a Memory, ahead: usize, take: F) -> Commits<'a, F> {
        Commits {
            memory,
            ahead: ahead as u64,
            stored: Default::default(),
            take,
        }
    }

    /// Makes the stores of a chunk. All before it have made theirs. Otherwise the first group that has to run again.
    pub(super) fn commit<A: Change>(&mut self, n: u64, chunk: &mut Chunk<A>) -> Result<(), u64> {
        if n.is_multiple_of(self.ahead) {
            self.stored.swap(0, 1);
            self.stored[0].0.clear();
        }
        for log in &chunk.logs[..chunk.done] {
            if self.stored.iter().any(|stored| stored.is_loaded(log)) {
                // A group loads what one before it stores, which may not be what it has found.
                return Err(chunk.first);
            }
            for words in log.stored() {
                self.stored[0].put(words);
            }
        }
        for log in &mut chunk.logs[..chunk.done] {
            log.replay(self.memory);
            log.shrink();
        }
        let end = chunk.first + chunk.done as u64;
        (self.take)(chunk.first..end, chunk.counted);
        // The groups behind have stored nothing yet.
        (chunk.done == chunk.count).then_some(()).ok_or(end)
    }
}

/// Chunks that have run and wait for their turn.
pub(super) struct Waiting<'a, A, F> {
    commits: Commits<'a, F>,
    chunks: BTreeMap<u64, Chunk<A>>,
    /// Used memory.
    free: &'a mut Vec<Chunk<A>>,
    /// The first group that has to run again.
    stop: Option<u64>,
}

impl<'a, A: Change, F: FnMut(Range<u64>, Done)> Waiting<'a, A, F> {
    pub(super) fn new(commits: Commits<'a, F>, free: &'a mut Vec<Chunk<A>>) -> Waiting<'a, A, F> {
        Waiting {
            commits,
            chunks: BTreeMap::new(),
            free,
            stop: None,
        }
    }

    /// How many wait.
    pub(super) fn count(&self) -> usize {
        self.chunks.len()
    }

    /// Takes a chunk whose turn has not come, and leaves another in its place.
    pub(super) fn put(&mut self, n: u64, chunk: &mut Chunk<A>) {
        let free = self.free.pop().unwrap_or_default();
        self.chunks.insert(n, std::mem::replace(chunk, free));
    }

    /// Makes the stores of a chunk, whose turn it is, and of those behind it that wait; gives the number of the next.
    pub(super) fn commit(&mut self, n: u64, chunk: &mut Chunk<A>) -> u64 {
        let mut done = self.commits.commit(n, chunk);
        let mut next = n + 1;
        while done.is_ok()
            && let Some(mut chunk) = self.chunks.remove(&next)
        {
            done = self.commits.commit(next, &mut chunk);
            self.free.push(chunk);
            next += 1;
        }
        match done {
            Ok(()) => next,
            Err(first) => {
                self.stop = Some(first);
                STOPPED
            }
        }
    }

    /// The first group that has to run again, if there is one. Chunks that still wait have stored nothing.
    pub(super) fn end(self) -> Option<u64> {
        self.free.extend(self.chunks.into_values());
        self.stop
    }
}

/// Watched words that groups of a chunk have stored, ascending by group.
#[derive(Default)]
struct Stored(Vec<Range<u32>>);

impl Stored {
    /// Whether a group loads some of them.
    fn is_loaded<A: Change>(&self, log: &StoreLog<A>) -> bool {
        self.0.iter().any(|words| log.loads(words))
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
    use crate::groups::StoreLogs;
    use crate::groups::change::Add;

    /// One group that stores its number to a word, and loads another one.
    fn chunk(first: u64, store: u64, load: u64) -> Chunk<Add> {
        let memory = Memory::new(1 << 12);
        let mut logs = StoreLogs::<Add> {
            watched: 0..u32::MAX,
            logs: vec![StoreLog::default()],
            current: Some(0),
            ..StoreLogs::default()
        };
        logs.load(0, 4 * load..4 * load + 4);
        let stored = logs.stores(1, &memory).store(4 * store, first as u32);
        assert!(stored.is_some());
        Chunk {
            first,
            count: 1,
            done: 1,
            logs: logs.logs,
            ..Chunk::default()
        }
    }

    #[test]
    fn chunks_store_in_their_order_and_tell_who_loads_too_soon() {
        let memory = Memory::new(1 << 12);
        let (mut order, mut free) = (Vec::new(), Vec::new());
        let commits = Commits::new(&memory, 2, |groups: Range<u64>, _| order.push(groups.start));
        let mut waiting = Waiting::new(commits, &mut free);
        for n in [2, 1, 4] {
            waiting.put(n, &mut chunk(10 + n, 8, 9));
        }
        assert_eq!(waiting.count(), 3);
        // The first alone stores to word 7.
        assert_eq!(waiting.commit(0, &mut chunk(10, 7, 9)), 3);
        assert_eq!(memory.load(32), Some(12));
        assert_eq!(waiting.commit(3, &mut chunk(13, 8, 9)), 5);
        // It began when the first had stored: what it has found is right.
        assert_eq!(waiting.commit(5, &mut chunk(15, 6, 7)), 6);
        // It may have run beside the one before.
        assert_eq!(waiting.commit(6, &mut chunk(16, 5, 6)), STOPPED);
        assert_eq!(waiting.end(), Some(16));
        assert_eq!(
            [20, 24, 28, 32].map(|at| memory.load(at)),
            [0, 15, 10, 14].map(Some)
        );
        assert_eq!(order, [10, 11, 12, 13, 14, 15]);
    }

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
