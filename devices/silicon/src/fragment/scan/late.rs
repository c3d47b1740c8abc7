//! After the pixel shader: late depth tests, then colour output.

use std::ops::Range;

use super::pack::{Pack, bit, place};
use super::waves::passed;
use super::{Drawn, MAX_BATCH, MAX_SAMPLES, PixelShader, PixelWorker, Scan};
use crate::fragment::interpolate::{self, InTile, ScreenPlane};
use crate::fragment::multisample::keep_samples;
use crate::fragment::output::{Depths, TestedTiles, TileBatch, TileDepths, TileTest};
use crate::fragment::stencil::Facing;
use crate::fragment::surface::{LanePixels, Texels};
use crate::texture::sample::Lanes;

impl<S: PixelShader> Scan<'_, S> {
    /// Late tests and colour output of a finished batch of full tiles of a primitive, of all samples or one.
    pub(super) fn finish_tiles(
        &mut self,
        (tiles, sample): (&[[i32; 2]], Option<usize>),
        of: &Drawn,
    ) {
        let stage = self.stage;
        let count = stage.sample_positions.len();
        let samples = sample.map_or(0..count, |sample| sample..sample + 1);
        if let Some(test) = self.late_tiles
            && self.test_tiles(test, tiles, of)
        {
            return;
        }
        let whole = |wave| S::finished(self.worker, wave).exports.valid == u64::MAX;
        if stage.cuts_waves() || !(0..tiles.len()).all(whole) {
            let front = if of.front { u64::MAX } else { 0 };
            let mut drawn = FinishedTiles::default();
            for (wave, &at) in tiles.iter().enumerate() {
                let lanes = (u64::MAX, front, of.viewport);
                let mut masks = [0; MAX_SAMPLES];
                masks[samples.clone()].fill(u64::MAX);
                let masks = &mut masks[..count];
                self.finish_tile((wave, at), lanes, masks, &of.planes.z, &mut drawn);
            }
            self.write_finished(&mut drawn);
            return;
        }
        if !stage.depth.early || !stage.depth.counts_early {
            self.stats.samples_passed += 64 * (samples.len() * tiles.len()) as u64;
        }
        let batch = TileBatch {
            at: tiles,
            masks: &[u64::MAX; MAX_BATCH][..tiles.len()],
            samples,
        };
        self.write_colors(batch, |n| n);
    }

    /// Late tests of a finished batch in one pass, and colour output; false, with nothing done, where some waves have depths
    /// of their own and others have none.
    fn test_tiles(&mut self, test: TileTest, tiles: &[[i32; 2]], of: &Drawn) -> bool {
        let stage = self.stage;
        let mut tested = TestedTiles::default();
        let mut waves = [0; MAX_BATCH];
        let mut with_depths = 0;
        for (wave, at) in tiles.iter().enumerate() {
            let exports = S::finished(self.worker, wave).exports;
            if exports.valid != 0 {
                waves[tested.at().len()] = wave;
                tested.add(*at, exports.valid);
                with_depths += usize::from(exports.has_depth);
            }
        }
        let count = tested.at().len();
        if count == 0 {
            return true;
        }
        let mut rows = [&NO_DEPTHS; MAX_BATCH];
        let depths = match stage.depth.exports_depth {
            true if with_depths == count => {
                for (row, wave) in rows.iter_mut().zip(&waves).take(count) {
                    *row = S::depth(self.worker, *wave, 0);
                }
                TileDepths::Rows(&rows[..count])
            }
            true if with_depths > 0 => return false,
            _ => TileDepths::Plane(&of.planes.z, &stage.sample_positions[0]),
        };
        let depth_rows = &mut self.pixels.depth_rows;
        let held = depth_rows.slots(tested.at());
        let (level, memory) = (stage.level, &stage.memory);
        let lanes = (&mut tested, of.front);
        match held {
            Some(slots) => test.finish_held(level, memory, &slots, lanes, depth_rows),
            None => test.run_tiles(level, memory, depths, lanes, depth_rows),
        }
        self.stats.samples_passed += passed(tested.masks());
        let batch = TileBatch {
            at: tested.at(),
            masks: tested.masks(),
            samples: 0..1,
        };
        self.write_colors(batch, |n| waves[n]);
        true
    }

    /// Late tests of a finished wave of a tile, whose colours wait for those of other tiles.
    pub(super) fn finish_tile(
        &mut self,
        (wave, at @ [x, y]): (usize, [i32; 2]),
        lanes: (u64, u64, u8),
        masks: &mut [u64],
        z: &ScreenPlane,
        drawn: &mut FinishedTiles,
    ) {
        let place = LanePixels::Tile(x, y);
        if !self.passes(wave, place, lanes, masks, LatePlanes::Tile(z)) {
            return;
        }
        let Some((samples, mask)) = samples_of(masks) else {
            self.write_finished(drawn);
            self.write_wave(wave, place, masks);
            return;
        };
        if drawn.count == MAX_BATCH || drawn.has(at) || drawn.samples != samples {
            self.write_finished(drawn);
        }
        drawn.samples = samples;
        drawn.add(wave, at, mask);
    }

    /// Writes the colours of tiles that wait.
    pub(super) fn write_finished(&mut self, drawn: &mut FinishedTiles) {
        let FinishedTiles {
            count,
            waves,
            at,
            masks,
            ref samples,
            ..
        } = *drawn;
        if count > 0 {
            let batch = TileBatch {
                at: &at[..count],
                masks: &masks[..count],
                samples: samples.clone(),
            };
            self.write_colors(batch, |n| waves[n].into());
            *drawn = FinishedTiles::default();
        }
    }

    /// Writes the colours of tiles; `wave_of` tells the wave of each.
    fn write_colors(&mut self, tiles: TileBatch, wave_of: impl Fn(usize) -> usize) {
        let stage = self.stage;
        let rows = &mut self.pixels.color_rows;
        let worker = &*self.worker;
        let exported = |n| S::finished(worker, wave_of(n)).exports.color_mask;
        let color_of = |n, target, source: &mut _| *source = S::color(worker, wave_of(n), target);
        for color in stage.targets(S::packed(worker)) {
            let colors = (&exported, &color_of);
            let tiles = tiles.clone();
            color.write_tiles(stage.level, &stage.memory, tiles, colors, rows);
        }
    }

    /// Late tests and colour output of a finished wave: its lanes, front-facing lanes and viewport. `masks` are the
    /// lanes of each sample.
    pub(super) fn finish(
        &mut self,
        wave: usize,
        place: LanePixels,
        lanes: (u64, u64, u8),
        masks: &mut [u64],
        planes: LatePlanes,
    ) {
        if self.passes(wave, place, lanes, masks, planes) {
            self.write_wave(wave, place, masks);
        }
    }

    /// Writes the colours of a wave: `masks` are the lanes of each sample.
    fn write_wave(&mut self, wave: usize, place: LanePixels, masks: &[u64]) {
        let stage = self.stage;
        let exports = S::finished(self.worker, wave).exports;
        let rows = &mut self.pixels.color_rows;
        let worker = &*self.worker;
        for color in stage.targets(S::packed(worker)) {
            let colors = (exports.color_mask, |target| S::color(worker, wave, target));
            color.write_samples(stage.level, &stage.memory, place, masks, colors, rows);
        }
    }

    /// What the shader, coverage of alphas and late tests leave of the lanes of each sample, and whether that is any.
    fn passes(
        &mut self,
        wave: usize,
        place: LanePixels,
        (exec, front, viewport): (u64, u64, u8),
        masks: &mut [u64],
        planes: LatePlanes,
    ) -> bool {
        let stage = self.stage;
        let exports = S::finished(self.worker, wave).exports;
        let alive = exec & exports.valid;
        let exported = exports.has_depth;
        if let Some(alpha) = stage.alpha_to_mask.filter(|_| exports.color_mask & 1 != 0) {
            alpha.cover(stage.level, S::color(self.worker, wave, 0)[3], masks);
        }
        if stage.depth.exports_mask && exported {
            keep_samples(stage.level, S::depth(self.worker, wave, 2), masks);
        }
        masks.iter_mut().for_each(|mask| *mask &= alive);
        if masks.iter().all(|mask| *mask == 0) {
            return false;
        }
        if stage.tests_late() {
            self.late_depth(wave, (place, planes), (front, viewport), masks);
        }
        if !stage.depth.early || !stage.depth.counts_early {
            self.stats.samples_passed += passed(masks);
        }
        masks.iter().any(|mask| *mask != 0)
    }

    /// Tests the lanes of each sample; the masks keep the lanes that pass.
    fn late_depth(
        &mut self,
        wave: usize,
        (place, planes): (LanePixels, LatePlanes),
        (front, viewport): (u64, u8),
        masks: &mut [u64],
    ) {
        let stage = self.stage;
        let exports = S::finished(self.worker, wave).exports;
        let exported = stage.depth.exports_depth && exports.has_depth;
        let own = stage.depth.exports_stencil && exports.has_depth;
        let references = own.then(|| S::depth(self.worker, wave, 1));
        let range = stage.depth_range(viewport);
        let PixelWorker { z, depth_rows, .. } = &mut *self.pixels;
        if let (Some(test), LanePixels::Tile(x, y), LatePlanes::Tile(plane)) =
            (self.late, place, planes)
            && (range.is_none() || !exported)
            && references.is_none()
        {
            let depths = match exported {
                true => Depths::Row(S::depth(self.worker, wave, 0)),
                false => Depths::Plane(plane, &stage.sample_positions, range),
            };
            let place = ([x, y], front != 0);
            test.run(stage.level, &stage.memory, place, depths, masks, depth_rows);
            return;
        }
        if exported {
            *z = S::depth(self.worker, wave, 0).map(f32::from_bits);
            stage.limit_depths(viewport, z);
        }
        for (sample, mask) in masks.iter_mut().enumerate() {
            if *mask == 0 {
                continue;
            }
            if !exported {
                let positions = &stage.sample_positions[sample];
                match (planes, place) {
                    (LatePlanes::Tile(plane), LanePixels::Tile(x, y)) => {
                        let plane = InTile { plane, x, y };
                        interpolate::values(stage.level, plane, positions, z);
                    }
                    (LatePlanes::Quads(pack), _) => {
                        let positions = pack.sample_positions(positions);
                        interpolate::values(stage.level, &pack.planes.z, &positions, z);
                    }
                    _ => {}
                }
                stage.limit_depths(viewport, z);
            }
            let texels = Texels {
                place,
                sample,
                mask: *mask,
            };
            let (level, memory) = (stage.level, &stage.memory);
            let facing = Facing { front, references };
            *mask = stage
                .depth
                .run(level, memory, &texels, facing, z, depth_rows);
        }
    }
}

/// In place of the depths of tiles that are none.
static NO_DEPTHS: Lanes = [0; 64];

/// Where depths that the shader does not write come from.
#[derive(Clone, Copy)]
pub(super) enum LatePlanes<'a> {
    /// A primitive in a tile.
    Tile(&'a ScreenPlane),
    /// The primitives of packed quads.
    Quads(&'a Pack),
}

/// Samples of a tile with the same lanes where the others have none, and these: all samples or one, or nothing where
/// lanes differ otherwise.
fn samples_of(masks: &[u64]) -> Option<(Range<usize>, u64)> {
    let first = masks.iter().position(|mask| *mask != 0)?;
    let mask = masks[first];
    if masks.iter().all(|other| *other == mask) {
        return Some((0..masks.len(), mask));
    }
    let alone = masks[first + 1..].iter().all(|mask| *mask == 0);
    alone.then_some((first..first + 1, mask))
}

/// Tiles of finished waves whose colours wait to be written side by side.
#[derive(Clone, Default)]
pub(super) struct FinishedTiles {
    count: usize,
    waves: [u8; MAX_BATCH],
    at: [[i32; 2]; MAX_BATCH],
    /// Lanes of each, in all of `samples`.
    masks: [u64; MAX_BATCH],
    samples: Range<usize>,
    /// Slots of the tiles, one bit each.
    places: u64,
}

impl FinishedTiles {
    /// Whether a tile waits. Tiles may share a bit, so the answer may be a false yes.
    fn has(&self, [x, y]: [i32; 2]) -> bool {
        self.places & bit(place(x, y)) != 0
    }

    fn add(&mut self, wave: usize, at @ [x, y]: [i32; 2], mask: u64) {
        self.waves[self.count] = wave as u8;
        self.at[self.count] = at;
        self.masks[self.count] = mask;
        self.count += 1;
        self.places |= bit(place(x, y));
    }
}
