//! Sample positions, and alpha to coverage.

use crate::fragment::mask::collect;
use crate::texture::sample::Lanes;
use host::{Kernel, Rounding, SimdLevel};

/// Sample positions of a pixel in sixteenths, from its upper left corner; the centre is (8, 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Samples {
    positions: [(u8, u8); 16],
    count: u8,
}

/// Alpha to coverage: `floor(a * samples + offset / 4)` samples, lowest numbers first, for alpha `a` clamped to 0..1
/// (NaN is 0). 0 covers none, 1 all; monotonic between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaToMask {
    /// Quarters of a sample, below 4: for the pixels of a quad in lane order.
    pub offsets: [u8; 4],
}

impl AlphaToMask {
    /// The covered samples of a lane, one bit each.
    #[inline(always)]
    pub fn mask(&self, lane: usize, alpha: f32, samples: usize) -> u32 {
        let alpha = if alpha > 0.0 { alpha.min(1.0) } else { 0.0 };
        let offset = f32::from(self.offsets[lane & 3].min(3)) / 4.0;
        let covered = (alpha * samples as f32 + offset) as u32;
        (1 << covered.min(samples as u32)) - 1
    }

    /// The same of a row of alphas: takes lanes away from the masks of all samples.
    pub fn cover(&self, level: SimdLevel, alphas: &Lanes, masks: &mut [u64]) {
        level.run(Cover {
            offsets: self.offsets.map(|offset| f32::from(offset.min(3)) / 4.0),
            alphas,
            masks,
        });
    }
}

/// One call of [`AlphaToMask::cover`].
struct Cover<'a> {
    offsets: [f32; 4],
    alphas: &'a Lanes,
    masks: &'a mut [u64],
}

impl Kernel for Cover<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let samples = self.masks.len() as f32;
        let mut sums = [0.0; 64];
        for (i, (sum, bits)) in sums.iter_mut().zip(self.alphas).enumerate() {
            let alpha = f32::from_bits(*bits);
            let alpha = if alpha > 0.0 { alpha } else { 0.0 };
            let alpha = if alpha < 1.0 { alpha } else { 1.0 };
            *sum = alpha * samples + self.offsets[i & 3];
        }
        for (sample, mask) in self.masks.iter_mut().enumerate() {
            let least = (sample + 1) as f32;
            *mask &= collect(|i| sums[i] >= least);
        }
    }
}

/// Takes the lanes away that a row of sample masks lacks.
pub(crate) fn keep_samples(level: SimdLevel, row: &Lanes, masks: &mut [u64]) {
    level.run(KeepSamples { row, masks });
}

struct KeepSamples<'a> {
    row: &'a Lanes,
    masks: &'a mut [u64],
}

impl Kernel for KeepSamples<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (sample, mask) in self.masks.iter_mut().enumerate() {
            *mask &= collect(|i| self.row[i] >> sample & 1 != 0);
        }
    }
}

impl Samples {
    /// One sample in the centre.
    pub const ONE: Samples = Samples::standard(1);

    /// The standard positions of Direct3D and Vulkan for 1, 2, 4, 8 or 16 samples; any other count gives one sample.
    /// [VULKAN Standard Sample Locations]
    pub const fn standard(count: u32) -> Samples {
        match count {
            2 => Samples::at(&[(12, 12), (4, 4)]),
            4 => Samples::at(&[(6, 2), (14, 6), (2, 10), (10, 14)]),
            8 => Samples::at(&[
                (9, 5),
                (7, 11),
                (13, 9),
                (5, 3),
                (3, 13),
                (1, 7),
                (11, 15),
                (15, 1),
            ]),
            16 => Samples::at(&[
                (9, 9),
                (7, 5),
                (5, 10),
                (12, 7),
                (3, 6),
                (10, 13),
                (13, 11),
                (11, 3),
                (6, 14),
                (8, 1),
                (4, 2),
                (2, 12),
                (0, 8),
                (15, 4),
                (14, 15),
                (1, 0),
            ]),
            _ => Samples::at(&[(8, 8)]),
        }
    }

    /// Several samples that are all the centre: what a draw of one sample a pixel gives surfaces of several.
    pub fn centres(count: usize) -> Samples {
        Samples::at(&[(8, 8); 16][..count.min(16)])
    }

    /// At positions of the caller's, at most 16, each coordinate below 16.
    pub const fn at(positions: &[(u8, u8)]) -> Samples {
        let mut out = Samples {
            positions: [(8, 8); 16],
            count: if positions.len() < 16 {
                positions.len() as u8
            } else {
                16
            },
        };
        let mut i = 0;
        while i < out.count as usize {
            out.positions[i] = (positions[i].0 & 15, positions[i].1 & 15);
            i += 1;
        }
        out
    }

    /// Samples per pixel.
    #[inline(always)]
    pub const fn count(&self) -> usize {
        self.count as usize
    }

    /// Positions.
    #[inline(always)]
    pub fn positions(&self) -> &[(u8, u8)] {
        &self.positions[..self.count as usize]
    }

    /// Offset of a sample from the pixel centre, in pixels.
    #[inline(always)]
    pub fn offset(&self, sample: usize) -> (f32, f32) {
        let (x, y) = self.positions[sample & 15];
        ((f32::from(x) - 8.0) / 16.0, (f32::from(y) - 8.0) / 16.0)
    }

    /// Whether the only sample is the pixel centre.
    #[inline(always)]
    pub fn is_centre(&self) -> bool {
        self.count == 1 && self.positions[0] == (8, 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_covers_from_none_to_all() {
        for count in [2, 4, 8] {
            for offset in 0..4 {
                let state = AlphaToMask {
                    offsets: [offset; 4],
                };
                let covered =
                    |step: i32| state.mask(0, step as f32 / 256.0, count).count_ones() as usize;
                assert_eq!((covered(-9), covered(0)), (0, 0));
                assert_eq!((covered(256), covered(999)), (count, count));
                assert!((0..256).all(|step| covered(step) <= covered(step + 1)));
                assert_eq!(state.mask(0, f32::NAN, count), 0);
            }
        }
        let rounding = AlphaToMask { offsets: [2; 4] };
        assert_eq!(
            [0.12, 0.125, 0.4, 0.7].map(|a| rounding.mask(3, a, 4)),
            [0, 1, 3, 7]
        );
        let dithered = AlphaToMask {
            offsets: [0, 1, 2, 3],
        };
        let half = [0, 1, 2, 3].map(|lane| dithered.mask(lane, 0.1875, 4));
        assert_eq!(half, [0, 1, 1, 1]);
    }

    #[test]
    fn rows_are_as_their_lanes() {
        let awkward = [f32::NAN, f32::INFINITY, -1.0, -0.0, 1.0, 1.5, 1e-30, 0.25];
        let alphas: Lanes = std::array::from_fn(|i| match i % 3 {
            0 => awkward[i / 3 % awkward.len()].to_bits(),
            _ => (i as f32 / 64.0).to_bits(),
        });
        for offsets in [[2; 4], [0, 1, 2, 3], [3, 1, 0, 7]] {
            let state = AlphaToMask { offsets };
            for count in [1, 2, 4, 8, 16] {
                for level in SimdLevel::available() {
                    let start = 0xffff_0ff0_ffff_ffff;
                    let mut masks = vec![start; count];
                    state.cover(level, &alphas, &mut masks);
                    let words = [(); 64].map(|()| 0x5a5a_a5c3);
                    let mut kept = masks.clone();
                    keep_samples(level, &words, &mut kept);
                    for (sample, mask) in masks.iter().enumerate() {
                        let lane = |i: usize| state.mask(i, f32::from_bits(alphas[i]), count);
                        let expected = collect(|i| lane(i) >> sample & 1 != 0) & start;
                        assert_eq!(*mask, expected, "{offsets:?} {count} {sample} {level:?}");
                        let all = if words[0] >> sample & 1 != 0 {
                            *mask
                        } else {
                            0
                        };
                        assert_eq!(kept[sample], all);
                    }
                }
            }
        }
    }
}
