//! Weighted means of rows of floats, for scaled copies: sums in double precision in the order of the corners.

use crate::texture::sample::Lanes;
use host::per_level;

/// A number of each lane, in double precision.
pub type Doubles = [f64; 64];

/// Lanes whose sums stay in registers.
const CHUNK: usize = 8;

per_level! {
    /// Component by component the sum of each corner's values times its weights, rounded once. A corner whose weight is
    /// zero does not count in that lane; its value may be a NaN.
    pub fn weighted_mean<'a>(
        weights: &'a [Doubles],
        corners: &'a [&'a [Lanes; 4]],
        out: &'a mut [Lanes; 4],
    ) {
        for (component, out) in out.iter_mut().enumerate() {
            for (first, out) in (0..64).step_by(CHUNK).zip(out.as_chunks_mut::<CHUNK>().0) {
                let mut sums = [0.0; CHUNK];
                for (weights, values) in weights.iter().zip(corners) {
                    let weights = &weights[first..first + CHUNK];
                    let values = &values[component][first..first + CHUNK];
                    for n in 0..CHUNK {
                        let more = sums[n] + weights[n] * f64::from(f32::from_bits(values[n]));
                        sums[n] = if weights[n] == 0.0 { sums[n] } else { more };
                    }
                }
                for (out, sum) in out.iter_mut().zip(sums) {
                    *out = (sum as f32).to_bits();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::SimdLevel;

    /// Every lane by itself.
    fn plain(weights: &[Doubles], corners: &[&[Lanes; 4]], component: usize, lane: usize) -> f32 {
        let mut sum = 0.0;
        for (weights, values) in weights.iter().zip(corners) {
            if weights[lane] != 0.0 {
                sum += weights[lane] * f64::from(f32::from_bits(values[component][lane]));
            }
        }
        sum as f32
    }

    #[test]
    fn corners_are_summed_in_order() {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 20)
        };
        for count in [1, 2, 4, 8] {
            let weights: Vec<Doubles> = (0..count)
                .map(|_| std::array::from_fn(|lane| if lane % 5 == 0 { 0.0 } else { random() }))
                .collect();
            let values: Vec<[Lanes; 4]> = (0..count)
                .map(|_| {
                    [(); 4].map(|()| {
                        std::array::from_fn(|lane| match lane % 5 {
                            0 => f32::NAN.to_bits(),
                            _ => (random() as f32).to_bits(),
                        })
                    })
                })
                .collect();
            let corners: Vec<&[Lanes; 4]> = values.iter().collect();
            for level in SimdLevel::available() {
                let mut out = [[1; 64]; 4];
                weighted_mean(level, &weights, &corners, &mut out);
                for (component, row) in out.iter().enumerate() {
                    for (lane, bits) in row.iter().enumerate() {
                        let expected = plain(&weights, &corners, component, lane);
                        assert_eq!(*bits, expected.to_bits(), "{count} corners, lane {lane}");
                    }
                }
            }
        }
    }
}
