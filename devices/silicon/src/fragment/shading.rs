//! Shades bins, one thread each. In: binned primitives of one draw or of a pass. Out: texels.

use super::bins::{Failure, Threads};
use super::scan::{PixelShader, PixelStage, Scan};
use crate::draw::Worker;
use crate::geometry::binning::BinnedPrimitives;
use crate::gpu::Trap;

/// Up to this many pixels the calling thread shades alone: others would take longer to wake.
const FEW_PIXELS: u64 = 4096;

/// Shades every bin, draw by draw, primitives in order: one draw on an immediate-mode chip, those of a pass on a
/// deferred one. All draws share the bins. Returns the trap of the earliest primitive.
pub fn shade<W: Send, S: PixelShader<Worker = W>>(
    threads: &Threads,
    workers: &mut [Worker<W>],
    draws: &[(&BinnedPrimitives, &PixelStage<S>)],
) -> Result<(), Trap> {
    let Some((first, _)) = draws.first() else {
        return Ok(());
    };
    let bins = first.bins();
    debug_assert!(
        draws
            .iter()
            .all(|(primitives, _)| primitives.bins() == bins)
    );
    let pixels: u64 = draws
        .iter()
        .map(|(primitives, _)| primitives.pixels())
        .sum();
    let most = workers.len();
    let workers = match pixels <= FEW_PIXELS {
        true => &mut workers[..1.min(most)],
        false => workers,
    };
    threads.for_each_bin(bins, workers, |bin, worker| {
        for (number, (primitives, stage)) in (0u64..).zip(draws) {
            if !primitives.touch(bin.index) {
                continue;
            }
            worker.stats.bins += 1;
            worker.stats.bin_entries += primitives.entries(bin.index);
            let kept = (&mut worker.pixels, &mut worker.stats);
            let mut scan = Scan::begin(stage, primitives.parameters(), &mut worker.shader, kept);
            let result = primitives
                .in_bin(bin.index)
                .try_for_each(|primitive| scan.primitive(primitive, bin.area))
                .and_then(|()| scan.flush());
            result.map_err(|error| Failure {
                order: number << 32 | scan.order(),
                error,
            })?;
        }
        Ok(())
    })
}
