//! After the pixel shader: late depth tests, then colour output.

use super::{Drawn, MAX_SAMPLES, PixelShader, Scan};
use crate::fragment::interpolate::{self, InTile};
use crate::fragment::mask::ones;
use crate::fragment::surface::{LanePixels, Texels};

impl<S: PixelShader> Scan<'_, S> {
    /// Late tests and colour output of a finished batch of full tiles of a primitive.
    pub(super) fn finish_tiles(&mut self, tiles: &[[i32; 2]], of: &Drawn) {
        let stage = self.stage;
        let count = stage.sample_positions.len();
        let whole = |wave| S::finished(self.worker, wave).exports.valid == u64::MAX;
        if stage.cuts_waves() || !(0..tiles.len()).all(whole) {
            let front = if of.front { u64::MAX } else { 0 };
            for (wave, &[x, y]) in tiles.iter().enumerate() {
                let lanes = (u64::MAX, front, of.viewport);
                let plane = InTile {
                    plane: &of.planes.z,
                    x,
                    y,
                };
                let masks = &mut [u64::MAX; MAX_SAMPLES][..count];
                let place = LanePixels::Tile(x, y);
                self.finish(wave, place, lanes, masks, |sample, z| {
                    let positions = &stage.sample_positions[sample];
                    interpolate::values(stage.level, plane, positions, z);
                });
            }
            return;
        }
        if !stage.depth.early || !stage.depth.counts_early {
            self.stats.samples_passed += 64 * (count * tiles.len()) as u64;
        }
        let rows = &mut self.pixels.color_rows;
        let worker = &*self.worker;
        for color in &stage.colors {
            let exported = |wave| S::finished(worker, wave).exports.color_mask;
            for sample in 0..count {
                let colors = (exported, |wave, target| S::color(worker, wave, target));
                let tiles = (tiles, sample);
                color.write_tiles(stage.level, &stage.memory, tiles, colors, rows);
            }
        }
    }

    /// Late tests and colour output of a finished wave: its lanes, front-facing lanes and viewport. `masks` are the
    /// lanes of each sample; `z` gives the depths of one.
    pub(super) fn finish(
        &mut self,
        wave: usize,
        place: LanePixels,
        (exec, front, viewport): (u64, u64, u8),
        masks: &mut [u64],
        z: impl Fn(usize, &mut [f32; 64]),
    ) {
        let stage = self.stage;
        let exports = S::finished(self.worker, wave).exports;
        let alive = exec & exports.valid;
        let exported = exports.has_depth;
        let count = masks.len();
        if let Some(alpha) = stage.alpha_to_mask.filter(|_| exports.color_mask & 1 != 0) {
            let covered = masks.iter().fold(0, |any, mask| any | mask) & alive;
            let row = S::color(self.worker, wave, 0)[3];
            for lane in interpolate::lanes(covered) {
                let value = f32::from_bits(row[lane]);
                let kept = alpha.mask(lane, value, count);
                for (sample, mask) in masks.iter_mut().enumerate() {
                    *mask &= !(u64::from(kept >> sample & 1 == 0) << lane);
                }
            }
        }
        for (sample, mask) in masks.iter_mut().enumerate() {
            *mask &= alive;
            if stage.depth.exports_mask && exported {
                let row = &exports.depth[2];
                for lane in interpolate::lanes(*mask) {
                    if row[lane] >> sample & 1 == 0 {
                        *mask &= !(1 << lane);
                    }
                }
            }
            if *mask == 0 {
                continue;
            }
            let mut texels = Texels {
                place,
                sample,
                mask: *mask,
            };
            if stage.tests_late() {
                let depths = &mut self.pixels.z;
                if stage.depth.exports_depth && exported {
                    *depths = exports.depth[0].map(f32::from_bits);
                } else {
                    z(sample, depths);
                }
                stage.limit_depths(viewport, depths);
                texels.mask = stage.depth.run(
                    stage.level,
                    &stage.memory,
                    &texels,
                    front,
                    depths,
                    &mut self.pixels.depth_rows,
                );
            }
            if !stage.depth.early || !stage.depth.counts_early {
                self.stats.samples_passed += ones(texels.mask);
            }
            let rows = &mut self.pixels.color_rows;
            let worker = &*self.worker;
            for color in &stage.colors {
                let colors = (exports.color_mask, |target| S::color(worker, wave, target));
                color.write(stage.level, &stage.memory, &texels, colors, rows);
            }
        }
    }
}
