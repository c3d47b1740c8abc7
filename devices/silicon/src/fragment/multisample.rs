//! Sample positions, and alpha to coverage.

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
}
