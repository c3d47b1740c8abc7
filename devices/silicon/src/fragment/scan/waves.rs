//! Shades pixel waves: one at a time, or a batch of fully covered tiles of one primitive.

use super::list::{AnyWave, FullTiles, List, PixelWaves};
use super::pack::Pack;
use super::queue::QueuedTile;
use super::{Drawn, PixelShader, PixelStage, PixelWave, PixelWorker, Scan, TileWork};
use crate::fragment::interpolate::{self, CENTRES, SamplePositions};
use crate::fragment::mask::ones;
use crate::fragment::surface::LanePixels;
use crate::fragment::tile::{LANE_X, LANE_Y};
use crate::gpu::{Stats, Trap};

/// From this many full tiles of one primitive on, a batch of its own pays: per-primitive work is shared.
const ENOUGH: usize = 4;

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
            let tile = QueuedTile {
                planes: *of.planes,
                at: self.pixels.whole[n],
                exec: u64::MAX,
                front: of.front,
                block,
            };
            self.queue_tile(shader, tile)?;
        }
        self.pixels.whole.clear();
        Ok(())
    }

    /// Shades the collected full tiles of the primitive as one batch. They overlap no packed quads: overlapping ones
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
        if self.pixels.whole.iter().any(|at| queue.waits(*at)) {
            self.drain(shader)?;
        }
        let mut at = std::mem::take(&mut self.pixels.whole);
        let tiles = FullTiles {
            planes: of.planes,
            at: &at,
            block,
            front: of.front,
        };
        let (ended, result) = self.run(shader, List::Full(tiles), |_| u64::MAX);
        self.finish_tiles(&at[..ended], of.front);
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
        let (Some(shader), Some(mut pack)) = (&self.stage.shader, self.pixels.pack.take()) else {
            return Ok(());
        };
        if pack.count > 0 && self.pixels.batch > 1 {
            return self.queue_pack(shader, pack);
        }
        let result = match pack.count {
            0 => Ok(()),
            _ => self.packed(shader, &pack),
        };
        pack.clear();
        self.pixels.pack = Some(pack);
        result
    }

    fn packed(&mut self, shader: &S, pack: &Pack) -> Result<(), Trap> {
        let stage = self.stage;
        let coverage = self.coverage_rows(&pack.samples);
        let planes = &pack.planes;
        let wave = pack.wave(&self.pixels.blocks, coverage.as_ref());
        let waves = one_wave(stage, AnyWave::Quads(wave), wave.blocks);
        run(shader, self.worker, self.stats, &waves, |_| pack.exec).1?;
        let mut masks = pack.samples;
        self.finish(
            0,
            LanePixels::Lanes([&pack.columns, &pack.lines]),
            (pack.exec, pack.front, 0),
            &mut masks[..stage.sample_positions.len()],
            |_, out| interpolate::values(stage.level, &planes.z, &planes.sample_positions, out),
        );
        Ok(())
    }

    /// Shades the lanes of `masks` in a tile: one sample, or the pixel for all samples.
    pub(super) fn tile(
        &mut self,
        shader: &S,
        work: &TileWork,
        masks: &mut [u64],
        sample: Option<usize>,
        block: u32,
    ) -> Result<(), Trap> {
        let stage = self.stage;
        let exec = match sample {
            Some(sample) => masks[sample],
            None => work.any,
        };
        if stage.needs_position {
            let PixelWorker { columns, lines, .. } = &mut *self.pixels;
            for lane in 0..64 {
                columns[lane] = work.x + LANE_X[lane];
                lines[lane] = work.y + LANE_Y[lane];
            }
        }
        let front = if work.of.front { u64::MAX } else { 0 };
        let coverage = self.coverage_rows(masks);
        let centroids;
        let places = if let Some(sample) = sample {
            (
                &stage.sample_positions[sample],
                &stage.sample_positions[sample],
            )
        } else if stage.needs_places && stage.sample_positions.len() > 1 {
            centroids = SamplePositions::centroid(&stage.samples, masks);
            (&centroids, &stage.sample_positions[0])
        } else {
            (&CENTRES, &CENTRES)
        };
        let wave = PixelWave {
            planes: work.planes(),
            exec,
            starts: 0,
            primitives: &[block],
            blocks: &self.pixels.blocks,
            position: [&self.pixels.columns, &self.pixels.lines],
            front,
            centres: &CENTRES,
            centroids: places.0,
            samples: places.1,
            coverage: coverage.as_ref(),
            sample: sample.unwrap_or(0) as u32,
        };
        let waves = one_wave(stage, AnyWave::Tile(wave), wave.blocks);
        run(shader, self.worker, self.stats, &waves, |_| exec).1?;
        self.finish(
            0,
            LanePixels::Tile(work.x, work.y),
            (exec, front, work.of.viewport),
            masks,
            |sample, out| {
                let z = work.inside(&work.of.planes.z);
                interpolate::values(stage.level, z, &stage.sample_positions[sample], out);
            },
        );
        Ok(())
    }

    /// Runs waves of surfaces of one sample, as [`PixelShader::run`], and counts them.
    pub(super) fn run(
        &mut self,
        shader: &S,
        list: List<'_>,
        lanes: impl Fn(usize) -> u64,
    ) -> (usize, Result<(), Trap>) {
        let waves = PixelWaves {
            list,
            blocks: &self.pixels.blocks,
            needs_position: self.stage.needs_position,
        };
        run(shader, self.worker, self.stats, &waves, lanes)
    }

    /// Sample coverage per lane, with several samples.
    fn coverage_rows(&mut self, masks: &[u64]) -> Option<[u32; 64]> {
        if self.stage.sample_positions.len() == 1 {
            return None;
        }
        let rows = &mut self.pixels.coverage_row;
        for (lane, row) in rows.iter_mut().enumerate() {
            *row = masks.iter().enumerate().fold(0, |row, (sample, mask)| {
                row | ((mask >> lane & 1) as u32) << sample
            });
        }
        Some(*rows)
    }
}

fn one_wave<'a, S>(stage: &PixelStage<S>, wave: AnyWave<'a>, blocks: &'a [u32]) -> PixelWaves<'a> {
    PixelWaves {
        list: List::One(wave),
        blocks,
        needs_position: stage.needs_position,
    }
}

/// Runs waves and counts them; `lanes` tells the lanes that a wave starts with.
fn run<S: PixelShader>(
    shader: &S,
    worker: &mut S::Worker,
    stats: &mut Stats,
    waves: &PixelWaves,
    lanes: impl Fn(usize) -> u64,
) -> (usize, Result<(), Trap>) {
    let (ended, result) = shader.run(worker, waves);
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
