//! Weighted means of rows of floats, for scaled copies: sums in double precision in the order of the calls.

use crate::texture::sample::Lanes;
use host::per_level;

/// A number of each lane, in double precision.
pub type Doubles = [f64; 64];

per_level! {
    /// Adds to each sum the lane's weight times its float. A lane whose weight is zero is left alone; its float may be a NaN.
    pub fn add_weighted<'a>(weights: &'a Doubles, floats: &'a Lanes, sums: &'a mut Doubles) {
        for ((sum, float), weight) in sums.iter_mut().zip(floats).zip(weights) {
            let more = *sum + *weight * f64::from(f32::from_bits(*float));
            *sum = if *weight == 0.0 { *sum } else { more };
        }
    }

    /// The sums in single precision, rounded once.
    pub fn round<'a>(sums: &'a Doubles, floats: &'a mut Lanes) {
        for (float, sum) in floats.iter_mut().zip(sums) {
            *float = (*sum as f32).to_bits();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::SimdLevel;

    #[test]
    fn what_has_no_weight_does_not_count() {
        for level in SimdLevel::available() {
            let weights = std::array::from_fn(|lane| (lane % 3) as f64 / 4.0);
            let floats = std::array::from_fn(|lane| match lane % 3 {
                0 => f32::NAN.to_bits(),
                _ => (lane as f32).to_bits(),
            });
            let mut sums = [1.0; 64];
            add_weighted(level, &weights, &floats, &mut sums);
            add_weighted(level, &weights, &floats, &mut sums);
            let mut rounded = [0; 64];
            round(level, &sums, &mut rounded);
            for (lane, bits) in rounded.into_iter().enumerate() {
                let expected = 1.0 + (lane * (lane % 3)) as f32 / 2.0;
                assert_eq!(f32::from_bits(bits), expected, "lane {lane}");
            }
        }
    }
}
