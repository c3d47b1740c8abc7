//! Shades pixel waves: a batch of fully covered tiles of one primitive, or what is queued.

use super::list::{FullTiles, List, PixelWaves};
use super::{Drawn, MAX_SAMPLES, PixelShader, Scan, TileLanes};
use crate::fragment::interpolate::CENTRES;
use crate::fragment::mask::ones;
use crate::fragment::turns::{BinStores, Turn};
use crate::gpu::{Stats, Trap};

/// From this many full tiles of one primitive on, a batch of its own pays: per-primitive work is shared.
pub(super) const ENOUGH: usize = 4;

impl<S: PixelShader> Scan<'_, S> {
    /// Ends a primitive: shades its remaining full tiles as a batch ([`Scan::whole_tiles`]) or, if few, queues them
    /// with other waves.
    pub(super) fn last_whole_tiles(
        &mut self,
        shader: &S,
        of: &Drawn,
        block: Option<u32>,
    ) -> Result<(), Trap> {
        let Some(block) = block else {
            return Ok(());
        };
        let (whole, queue) = (&self.pixels.whole, &self.pixels.queue);
        if whole.len() >= ENOUGH && !whole.iter().any(|at| queue.waits(*at)) {
            return self.whole_tiles(shader, of, Some(block));
        }
        for n in 0..self.pixels.whole.len() {
            let all = [u64::MAX; MAX_SAMPLES];
            let at = self.pixels.whole[n];
            if self.stage.per_sample {
                let all = &all[..self.stage.sample_positions.len()];
                self.queue_samples(shader, of, (at, all), block)?;
                continue;
            }
            let lanes = TileLanes {
                at,
                exec: u64::MAX,
                masks: &all,
                covered: &all,
                sample: None,
                block,
            };
            self.queue_tile(shader, of, &lanes)?;
        }
        self.pixels.whole.clear();
        Ok(())
    }

    /// Shades the collected full tiles of the primitive as one batch, or one for each sample. They overlap no packed quads: overlapping ones
    /// were flushed first, and tiles of a primitive are disjoint.
    pub(super) fn whole_tiles(
        &mut self,
        shader: &S,
        of: &Drawn,
        block: Option<u32>,
    ) -> Result<(), Trap> {
        let Some(block) = block else {
            return Ok(());
        };
        if self.pixels.whole.is_empty() {
            return Ok(());
        }
        let queue = &self.pixels.queue;
        if !queue.is_empty() && self.pixels.whole.iter().any(|at| queue.waits(*at)) {
            self.drain(shader)?;
        }
        let mut at = std::mem::take(&mut self.pixels.whole);
        let mut result = Ok(());
        for sample in self.stage.shaded() {
            let tiles = FullTiles {
                planes: of.planes,
                at: &at,
                block,
                front: of.front,
                sample,
                samples: match sample {
                    Some(sample) => &self.stage.sample_positions[sample],
                    None => &CENTRES,
                },
            };
            let ran = self.run(shader, List::Full(tiles), |_| u64::MAX);
            self.finish_tiles((&at[..ran.0], sample), of);
            result = ran.1;
            if result.is_err() {
                break;
            }
        }
        at.clear();
        self.pixels.whole = at;
        if result.is_err() {
            // Queued waves come earlier in submission order.
            self.drain(shader)?;
        }
        result
    }

    /// Shades everything packed and queued.
    pub fn flush(&mut self) -> Result<(), Trap> {
        self.end_pack()?;
        match &self.stage.shader {
            Some(shader) => self.drain(shader),
            None => Ok(()),
        }
    }

    /// Closes the pack: shades or queues its wave.
    pub(super) fn end_pack(&mut self) -> Result<(), Trap> {
        let filled = self.pixels.pack.take_if(|pack| pack.count > 0);
        if let Some(pack) = &filled {
            let samples = self.stage.sample_positions.len();
            self.pixels.packed.forget(pack, samples);
        }
        match (&self.stage.shader, filled) {
            (Some(shader), Some(pack)) => self.queue_pack(shader, pack),
            _ => Ok(()),
        }
    }

    /// Runs waves, as [`PixelShader::run`], and counts them.
    pub(super) fn run(
        &mut self,
        shader: &S,
        list: List<'_>,
        lanes: impl Fn(usize) -> u64,
    ) -> (usize, Result<(), Trap>) {
        let waves = PixelWaves {
            list,
            blocks: &self.pixels.blocks,
            inputs: self.stage.inputs(),
        };
        run(
            shader,
            self.worker,
            (self.stats, self.turn.as_mut()),
            &waves,
            lanes,
        )
    }
}

/// Runs waves and counts them; `lanes` tells the lanes that a wave starts with.
fn run<S: PixelShader>(
    shader: &S,
    worker: &mut S::Worker,
    (stats, turn): (&mut Stats, Option<&mut Turn<'_, S::Stores>>),
    waves: &PixelWaves,
    lanes: impl Fn(usize) -> u64,
) -> (usize, Result<(), Trap>) {
    let (ended, result) = match turn {
        Some(turn) => {
            let ran = shader.run_storing(worker, waves, Some(turn.stores()));
            match turn.stores().is_full() {
                true => {
                    turn.take();
                    shader.run_storing(worker, waves, None)
                }
                false => ran,
            }
        }
        None => shader.run(worker, waves),
    };
    let ran = ended + usize::from(result.is_err());
    stats.fragment_waves += ran as u64;
    for wave in 0..ran {
        stats.fragment_lanes += ones(lanes(wave));
        stats.instructions += S::finished(worker, wave).instructions;
    }
    (ended, result)
}

pub(super) fn passed(masks: &[u64]) -> u64 {
    match masks {
        [mask] => ones(*mask),
        _ => masks.iter().map(|mask| ones(*mask)).sum(),
    }
}
