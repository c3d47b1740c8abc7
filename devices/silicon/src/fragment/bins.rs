//! Spreads work over threads: chunks of vertices and primitives, bins of the screen. The only place that starts
//! threads.
//!
//! Results do not depend on the number of threads: each chunk writes its own output, each bin sees its primitives in
//! submission order, and the error submitted first is returned. No lock per pixel.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;

use crate::fragment::edges::Edges;
use crate::fragment::tile::Rect;
use crate::geometry::setup::{Grid, Primitive, Shape};
use crate::memory::{Addr, Memory, MemoryError};

/// A pool of threads. A device has one of its own.
#[derive(Debug)]
pub struct Threads {
    /// `None`: the calling thread runs everything.
    pool: Option<rayon::ThreadPool>,
    count: usize,
}

/// An error and its submission order: the lowest is reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure<E> {
    /// Place in submission order.
    pub order: u64,
    /// What went wrong.
    pub error: E,
}

impl Threads {
    /// Most threads of a pool: a state for each of 256 takes 64 MiB and a fifth of a second.
    pub const MOST: usize = 256;

    /// A pool of `count` threads, at least one and at most [`Threads::MOST`]. If the system refuses to start them, the caller's thread does the work.
    pub fn new(count: usize) -> Threads {
        let count = count.clamp(1, Threads::MOST);
        let pool = (count > 1)
            .then(|| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(count)
                    .thread_name(|i| format!("girih-{i}"))
                    .build()
                    .ok()
            })
            .flatten();
        let count = if pool.is_some() { count } else { 1 };
        Threads { pool, count }
    }

    /// As many threads as the environment variable `GIRIH_THREADS` says, or one per processor.
    pub fn from_env() -> Threads {
        let wanted = std::env::var("GIRIH_THREADS")
            .ok()
            .and_then(|v| v.parse().ok())
            .filter(|n| *n > 0);
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        Threads::new(wanted.unwrap_or_else(processors))
    }

    /// Threads that work.
    pub fn count(&self) -> usize {
        self.count
    }

    /// One state per thread, to be passed to every call and so reused.
    pub fn workers<W>(&self, make: impl FnMut() -> W) -> Vec<W> {
        std::iter::repeat_with(make).take(self.count).collect()
    }

    /// Calls `work` with one worker state per thread; returns when all have.
    fn spread<W: Send>(&self, workers: &mut [W], most: usize, work: impl Fn(&mut W) + Sync) {
        let useful = workers.len().min(self.count).min(most);
        let workers = &mut workers[..useful];
        match (&self.pool, workers) {
            (_, []) => {}
            (None, [worker, ..]) | (_, [worker]) => work(worker),
            // The calling thread works too: the first worker starts without waiting for a thread to wake.
            (Some(pool), [own, others @ ..]) => pool.in_place_scope(|scope| {
                for worker in others {
                    let work = &work;
                    scope.spawn(move |_| work(worker));
                }
                work(own);
            }),
        }
    }

    /// Runs `run(index, &mut out[index], worker)` for every index; returns the error of the lowest failed index. One
    /// thread per worker state; with none, nothing runs.
    pub fn chunks<T: Send, W: Send, E: Send>(
        &self,
        out: &mut [T],
        workers: &mut [W],
        run: impl Fn(usize, &mut T, &mut W) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let count = out.len();
        let queue = Mutex::new(out.iter_mut().enumerate());
        let first = First::new();
        self.spread(workers, count, |worker| {
            loop {
                let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((index, chunk)) = next else {
                    break;
                };
                if let Err(error) = run(index, chunk, worker) {
                    first.offer((index as u64, 0), error);
                }
            }
        });
        first.result()
    }

    /// Runs `run(bin, worker)` for every bin, even if some fail. Returns the error of lowest order, then lowest bin.
    /// `workers` as in [`Threads::chunks`].
    pub fn for_each_bin<W: Send, E: Send>(
        &self,
        bins: &Bins,
        workers: &mut [W],
        run: impl Fn(Bin, &mut W) -> Result<(), Failure<E>> + Sync,
    ) -> Result<(), E> {
        let next = AtomicUsize::new(0);
        let first = First::new();
        self.spread(workers, bins.count(), |worker| {
            loop {
                let index = next.fetch_add(1, Relaxed);
                if index >= bins.count() {
                    break;
                }
                if let Err(failure) = run(bins.bin(index), worker) {
                    first.offer((failure.order, index), failure.error);
                }
            }
        });
        first.result()
    }
}

/// Words that a thread fills or copies at a time.
const STRETCH: u64 = 1 << 16;

impl Threads {
    /// [`Memory::fill`], in parallel where it pays.
    pub fn fill(
        &self,
        memory: &Memory,
        at: Addr,
        words: u64,
        value: u32,
    ) -> Result<(), MemoryError> {
        if self.count == 1 || words <= STRETCH {
            return memory.fill(at, words, value);
        }
        // Out-of-range fills fail before the first write.
        memory.check_words(at, words)?;
        let mut stretches = vec![(); words.div_ceil(STRETCH) as usize];
        let mut workers = self.workers(|| ());
        self.chunks(&mut stretches, &mut workers, |n, (), ()| {
            let first = n as u64 * STRETCH;
            let count = STRETCH.min(words - first);
            memory.fill(Addr(at.0 + 4 * first), count, value)
        })
    }
}

impl Threads {
    /// [`Memory::copy`], in parallel where it pays.
    pub fn copy(
        &self,
        memory: &Memory,
        [from, to]: [Addr; 2],
        bytes: u64,
    ) -> Result<(), MemoryError> {
        const BYTES: u64 = 4 * STRETCH;
        if self.count == 1 || bytes <= BYTES {
            return memory.copy(from, to, bytes);
        }
        // Out-of-range copies fail before the first write.
        memory.check_words(from, bytes / 4)?;
        memory.check_words(to, bytes / 4)?;
        let mut stretches = vec![(); bytes.div_ceil(BYTES) as usize];
        let mut workers = self.workers(|| ());
        self.chunks(&mut stretches, &mut workers, |n, (), ()| {
            let first = n as u64 * BYTES;
            let [from, to] = [from, to].map(|at| Addr(at.0 + first));
            memory.copy(from, to, BYTES.min(bytes - first))
        })
    }
}

/// Items in flight in [`Threads::ahead`].
const AHEAD: usize = 2;

/// The consumer of [`Threads::ahead`] failed: stop producing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl Threads {
    /// Producer and consumer: `make` runs on the calling thread, `take` on the others, in the order of production.
    ///
    /// `make` swaps each item for a used one; `spare` keeps used items between calls. Returns the first error of
    /// `take`, after which `make` is stopped.
    pub fn ahead<T: Default + Send, E: Send>(
        &self,
        spare: &mut Vec<T>,
        make: impl FnOnce(&mut dyn FnMut(&mut T) -> Result<(), Stopped>) -> Result<(), Stopped>,
        exchange: impl Fn(&mut T, &mut T),
        mut take: impl FnMut(&mut T) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let mut result = Ok(());
        let failed = &mut result;
        let Some(pool) = &self.pool else {
            let stopped = make(&mut |thing| {
                *failed = take(thing);
                failed.is_ok().then_some(()).ok_or(Stopped)
            });
            debug_assert_eq!(stopped.is_ok(), result.is_ok());
            return result;
        };
        spare.resize_with(AHEAD, T::default);
        let (made, to_take) = mpsc::sync_channel(AHEAD);
        let (used, to_make) = mpsc::sync_channel(AHEAD);
        for thing in spare.drain(..) {
            let sent = used.send(thing);
            debug_assert!(sent.is_ok(), "there is room for all");
        }
        pool.in_place_scope(|scope| {
            scope.spawn(move |_| {
                for mut thing in to_take {
                    if let Err(error) = take(&mut thing) {
                        *failed = Err(error);
                        break;
                    }
                    if used.send(thing).is_err() {
                        break;
                    }
                }
            });
            // An error is where `take` has failed.
            let _ = make(&mut |thing| {
                let mut next = to_make.recv().map_err(|_| Stopped)?;
                exchange(thing, &mut next);
                made.send(next).map_err(|_| Stopped)
            });
            drop(made);
        });
        spare.extend(to_make.try_iter());
        result
    }
}

/// The first error in submission order. Locked only when something fails.
struct First<E>(Mutex<Option<((u64, usize), E)>>);

impl<E> First<E> {
    fn new() -> First<E> {
        First(Mutex::new(None))
    }

    fn offer(&self, order: (u64, usize), error: E) {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.as_ref().is_none_or(|(held, _)| order < *held) {
            *slot = Some((order, error));
        }
    }

    fn result(self) -> Result<(), E> {
        match self.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }
}

/// Bins of several layers, at most, unless they are as large as bins get.
const LAYERED_BINS: usize = 1 << 14;
/// log2 of the largest edge of a bin.
const LARGEST: u32 = 12;

/// A screen cut into squares, or each of several layers of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bins {
    area: Rect,
    shift: u32,
    columns: i32,
    lines: i32,
    layers: u32,
}

/// One square of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Layer by layer and line by line, from 0.
    pub index: usize,
    /// The layer.
    pub layer: u32,
    /// Its pixels, cut by the screen.
    pub area: Rect,
}

impl Bins {
    /// Cuts `area` into squares with an edge of `2^shift` pixels (3..=12), aligned to multiples of it.
    pub fn new(area: Rect, shift: u32) -> Bins {
        let shift = shift.clamp(3, LARGEST);
        let area = if area.is_empty() {
            Rect::default()
        } else {
            area
        };
        let span = |from: i32, to: i32| {
            if from < to {
                ((to - 1) >> shift) - (from >> shift) + 1
            } else {
                0
            }
        };
        Bins {
            area,
            shift,
            columns: span(area.x0, area.x1),
            lines: span(area.y0, area.y1),
            layers: 1,
        }
    }

    /// The same squares for each of several layers.
    pub fn in_layers(self, layers: u32) -> Bins {
        Bins { layers, ..self }
    }

    /// The same for each of several layers; the bins of many are larger.
    pub fn with_layers(self, layers: u32) -> Bins {
        let mut bins = self.in_layers(layers);
        while layers > 1 && bins.count() > LAYERED_BINS && bins.shift < LARGEST {
            bins = Bins {
                layers,
                ..Bins::new(bins.area, bins.shift + 1)
            };
        }
        bins
    }

    /// Number of bins.
    #[inline]
    pub fn count(&self) -> usize {
        self.squares() * self.layers as usize
    }

    /// How many layers there are.
    pub fn layers(&self) -> u32 {
        self.layers
    }

    /// Bins of a layer.
    #[inline]
    fn squares(&self) -> usize {
        self.columns as usize * self.lines as usize
    }

    /// The screen.
    pub fn area(&self) -> Rect {
        self.area
    }

    /// Pixels along the edge of a bin.
    pub(crate) fn edge(&self) -> i32 {
        1 << self.shift
    }

    /// A bin by its index.
    #[inline]
    pub fn bin(&self, index: usize) -> Bin {
        let columns = self.columns.max(1);
        let squares = self.squares().max(1);
        let square = (index % squares) as i32;
        let (column, line) = (square % columns, square / columns);
        Bin {
            index,
            layer: (index / squares) as u32,
            area: self.square(column, line).intersect(self.area),
        }
    }

    #[inline(always)]
    fn square(&self, column: i32, line: i32) -> Rect {
        Rect::new(
            ((self.area.x0 >> self.shift) + column) << self.shift,
            ((self.area.y0 >> self.shift) + line) << self.shift,
            1 << self.shift,
            1 << self.shift,
        )
    }
}

/// Per bin, the primitives that may touch it, in submission order. Built per chunk, read by every bin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lists {
    /// Bin and primitive, as pushed.
    pairs: Vec<(u32, u32)>,
    /// Where the list of each bin ends, once sorted.
    ends: Vec<u32>,
    items: Vec<u32>,
    /// Pixels of the bounds of all primitives.
    pixels: u64,
}

impl Lists {
    /// Bins primitives by their bounds and layers, those without a layer to the first one; replaces the old contents. What is
    /// drawn to a layer that is not there is dropped.
    pub fn fill(
        &mut self,
        bins: &Bins,
        grid: Grid,
        multisampled: bool,
        scissor: Rect,
        (primitives, layers): (&[Primitive], &[u32]),
    ) {
        self.pairs.clear();
        self.ends.clear();
        self.ends.resize(bins.count() + 1, 0);
        self.pixels = 0;
        let area = bins.area.intersect(scissor);
        let (left, top) = (bins.area.x0 >> bins.shift, bins.area.y0 >> bins.shift);
        let squares = bins.squares() as u32;
        for (index, primitive) in primitives.iter().enumerate() {
            let layer = layers.get(index).copied().unwrap_or(0);
            if layer >= bins.layers {
                continue;
            }
            let bounds = primitive.bounds(grid, multisampled).intersect(area);
            if bounds.is_empty() {
                continue;
            }
            self.pixels += bounds.pixels();
            let square = |x: i32, y: i32| ((x >> bins.shift) - left, (y >> bins.shift) - top);
            let (first, last) = (
                square(bounds.x0, bounds.y0),
                square(bounds.x1 - 1, bounds.y1 - 1),
            );
            let mut push = |(column, line): (i32, i32)| {
                let bin = layer * squares + (line * bins.columns + column) as u32;
                self.ends[bin as usize] += 1;
                self.pairs.push((bin, index as u32));
            };
            if first == last {
                push(first);
                continue;
            }
            let large = primitive.shape == Shape::Triangle && last.0 > first.0 && last.1 > first.1;
            let edges = large.then(|| Edges::weights(primitive));
            for line in first.1..last.1 + 1 {
                for column in first.0..last.0 + 1 {
                    let misses = |edges: &Edges| edges.misses(grid, bins.square(column, line));
                    if !edges.as_ref().is_some_and(misses) {
                        push((column, line));
                    }
                }
            }
        }
        self.sort();
    }

    /// Stable counting sort by bin.
    fn sort(&mut self) {
        let mut start = 0;
        for end in &mut self.ends {
            (*end, start) = (start, start + *end);
        }
        self.items.clear();
        self.items.resize(self.pairs.len(), 0);
        for &(bin, item) in &self.pairs {
            let at = &mut self.ends[bin as usize];
            self.items[*at as usize] = item;
            *at += 1;
        }
    }

    /// Indices of the primitives of a bin, ascending.
    #[inline]
    pub fn of(&self, bin: usize) -> &[u32] {
        let end = self.ends.get(bin).copied().unwrap_or(0) as usize;
        let start = bin
            .checked_sub(1)
            .and_then(|b| self.ends.get(b))
            .copied()
            .unwrap_or(0) as usize;
        &self.items[start..end.max(start)]
    }

    /// Visits the bins with primitives, some more than once.
    pub fn touched(&self, visit: &mut impl FnMut(u32)) {
        if self.pairs.len() <= self.ends.len() {
            return self.pairs.iter().for_each(|(bin, _)| visit(*bin));
        }
        let touched = |bin: &usize| !self.of(*bin).is_empty();
        (0..self.ends.len())
            .filter(touched)
            .for_each(|bin| visit(bin as u32));
    }

    /// Pixels in the bounds of all primitives: no more than those are drawn.
    pub fn pixels(&self) -> u64 {
        self.pixels
    }

    /// Pairs of bin and primitive.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether no primitive touches any bin.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn chunks_in_order_and_first_error() {
        for count in [1, 2, 7] {
            let threads = Threads::new(count);
            let mut workers = threads.workers(|| 0u32);
            let mut out = vec![0usize; 100];
            let result: Result<(), usize> = threads.chunks(&mut out, &mut workers, |i, o, w| {
                *o = i * i;
                *w += 1;
                Ok(())
            });
            assert_eq!(result, Ok(()));
            assert!(out.iter().enumerate().all(|(i, o)| *o == i * i));
            assert_eq!(workers.iter().sum::<u32>(), 100);
            let result = threads.chunks(&mut out, &mut workers, |i, _, _| {
                if i % 10 == 7 { Err(i) } else { Ok(()) }
            });
            assert_eq!(result, Err(7));
        }
    }

    #[test]
    fn pools_are_bounded() {
        for count in [0, 1, 2] {
            assert_eq!(Threads::new(count).count(), count.max(1));
        }
        let count = Threads::new(100_000).count();
        assert!(count <= Threads::MOST, "{count}");
    }

    #[test]
    fn fills_by_threads_are_fills() {
        let words = 3 * STRETCH + 77;
        let size = 4 * (words + 1000);
        for count in [1, 2, 7] {
            let threads = Threads::new(count);
            let memory = Memory::new(size);
            threads.fill(&memory, Addr(124), words, 9).unwrap();
            for word in 0..size / 4 {
                let expected = if (31..31 + words).contains(&word) {
                    9
                } else {
                    0
                };
                assert_eq!(memory.load(4 * word), Some(expected), "{word}");
            }
            for (at, words) in [(126, words), (8000, words), (0, u64::MAX)] {
                let error = threads.fill(&memory, Addr(at), words, 1);
                assert_eq!(error, memory.fill(Addr(at), words, 1));
                assert!(error.is_err());
            }
            assert_eq!(memory.load(8000), Some(9));
        }
    }

    #[test]
    fn things_made_ahead_are_taken_in_order() {
        for count in [1, 2, 7] {
            let threads = Threads::new(count);
            let mut spare = Vec::new();
            for fails_at in [3, 1000] {
                let mut taken = Vec::new();
                let mut workers = threads.workers(|| ());
                let mut made = 0;
                let make = |hand_over: &mut dyn FnMut(&mut Vec<u32>) -> Result<(), Stopped>| {
                    let mut thing = Vec::new();
                    (0..100u32).try_for_each(|n| {
                        thing.clear();
                        thing.push(n);
                        made += 1;
                        hand_over(&mut thing)
                    })
                };
                let take = |thing: &mut Vec<u32>| {
                    taken.push(thing[0]);
                    // What takes may use all threads itself.
                    let mut out = [0; 5];
                    threads.chunks(&mut out, &mut workers, |i, out, ()| {
                        *out = i;
                        if thing[0] == fails_at { Err(i) } else { Ok(()) }
                    })
                };
                let result = threads.ahead(&mut spare, make, std::mem::swap, take);
                let whole = fails_at == 1000;
                assert_eq!(result, if whole { Ok(()) } else { Err(0) });
                let last = if whole { 100 } else { 4 };
                assert_eq!(taken, (0..last).collect::<Vec<_>>());
                assert!(made >= last && (!whole || made == last));
            }
        }
    }

    #[test]
    fn bins_cover_the_screen_once() {
        let area = Rect::new(-10, 5, 200, 130);
        let bins = Bins::new(area, 6);
        let mut seen = 0;
        for index in 0..bins.count() {
            let bin = bins.bin(index);
            assert!(!bin.area.is_empty());
            assert_eq!(bin.area.intersect(area), bin.area);
            seen += (bin.area.x1 - bin.area.x0) * (bin.area.y1 - bin.area.y0);
        }
        assert_eq!(seen, 200 * 130);
        assert_eq!(Bins::new(Rect::default(), 6).count(), 0);
    }

    #[test]
    fn first_failure_of_bins() {
        let bins = Bins::new(Rect::new(0, 0, 640, 640), 6);
        for count in [1, 2, 7] {
            let threads = Threads::new(count);
            let mut workers = threads.workers(|| ());
            let result = threads.for_each_bin(&bins, &mut workers, |bin, ()| {
                // Two bins fail at the same place of the submission, one later.
                match bin.index {
                    12 => Err(Failure {
                        order: 9,
                        error: 12,
                    }),
                    30 | 77 => Err(Failure {
                        order: 3,
                        error: bin.index,
                    }),
                    _ => Ok(()),
                }
            });
            assert_eq!(result, Err(30));
        }
    }
}
