//! First halves of several small draws, a draw to a thread. In: draws that may wait. Out: their primitives, in order,
//! among those that wait.

use std::slice;

use super::{Draw, Worker};
use crate::fragment::Waiting;
use crate::fragment::scan::PixelShader;
use crate::geometry::binning::{BinnedPrimitives, Store, VertexShader};
use crate::geometry::vertices::Part;
use crate::gpu::{Stats, Trap};
use crate::memory::Memory;

/// What first halves leave, and what threads need for them; reused from call to call.
#[derive(Debug, Default)]
pub struct FirstHalves {
    /// One for each thread.
    stores: Vec<Store>,
    halves: Vec<FirstHalf>,
}

/// Of a run of draws as one.
#[derive(Debug, Default)]
struct FirstHalf {
    /// Those in use are in front; the others keep their memory.
    batches: Vec<BinnedPrimitives>,
    count: usize,
    counts: Stats,
}

impl FirstHalf {
    /// Takes a batch; used memory comes back.
    fn take(&mut self, primitives: &mut BinnedPrimitives) {
        match self.batches.get_mut(self.count) {
            Some(batch) => std::mem::swap(batch, primitives),
            None => self.batches.push(std::mem::take(primitives)),
        }
        self.count += 1;
    }
}

/// Runs draws that may wait, each several draws as one, and leaves them waiting; as [`Draw::run`] does one after the
/// other. `store` is for those of a draw that fails.
pub fn run_several<W, V, S>(
    draws: &[(Draw<'_, V, S>, &[Part])],
    memory: &Memory,
    workers: &mut [Worker<W>],
    (kept, store, waiting): (&mut FirstHalves, &mut Store, &mut Waiting<S>),
    totals: &mut Stats,
) -> Result<(), Trap>
where
    W: Send,
    V: VertexShader<Worker = W>,
    S: PixelShader<Worker = W>,
{
    debug_assert!(draws.iter().all(|(draw, _)| draw.waits && !draw.serial));
    let Some(((first, _), _)) = draws.split_first() else {
        return Ok(());
    };
    let threads = first.threads;
    kept.stores.resize_with(workers.len(), Store::default);
    if kept.halves.len() < draws.len() {
        kept.halves.resize_with(draws.len(), FirstHalf::default);
    }
    let halves = &mut kept.halves[..draws.len()];
    for worker in workers.iter_mut() {
        worker.take_stats();
    }
    let mut seats: Vec<_> = workers.iter_mut().zip(&mut kept.stores).collect();
    let result = threads.chunks(halves, &mut seats, |n, half, (worker, store)| {
        let (draw, parts) = &draws[n];
        half.count = 0;
        let mut counts = Stats {
            draws: parts.len() as u64,
            ..Stats::default()
        };
        let workers = slice::from_mut(&mut **worker);
        let geometry = draw.geometry();
        let result = geometry.run(memory, parts, workers, store, &mut counts, |batch, _| {
            half.take(batch);
            Ok(())
        });
        half.counts = counts.plus(worker.take_stats());
        result
    });
    if result.is_err() {
        // First halves store to nothing. Once more, in order: the draws before the one that fails are drawn.
        let mut draws = draws.iter();
        return draws.try_for_each(|(draw, parts)| {
            let kept = (&mut *store, &mut *waiting);
            draw.run(memory, parts, workers, kept, totals)
        });
    }
    let mut counts = Stats::default();
    let mut ready = halves.iter_mut().zip(draws);
    let result = ready.try_for_each(|(half, (draw, _))| {
        counts = counts.plus(half.counts);
        let mut batches = half.batches[..half.count].iter_mut();
        batches.try_for_each(|primitives| {
            if !waiting.takes(primitives) {
                waiting.shade(threads, workers)?;
            }
            waiting.push(primitives, draw.stage, draw.own.clone());
            Ok(())
        })
    });
    let done = workers.iter_mut().map(Worker::take_stats);
    *totals = done.chain([counts]).fold(*totals, Stats::plus);
    result
}
