//! Integer and normalised arithmetic that rounds once, with or without the host's FMA.

use host::Rounding;

/// A divisor, and its reciprocal as the sum of two floats.
#[derive(Clone, Copy)]
pub(crate) struct Divisor {
    value: f32,
    reciprocal: [f32; 2],
}

impl Divisor {
    pub(crate) const fn new(value: f32) -> Divisor {
        let exact = 1.0 / value as f64;
        let near = exact as f32;
        Divisor {
            value,
            reciprocal: [near, (exact - near as f64) as f32],
        }
    }
}

/// Host arithmetic. Both kinds of [`Rounding`] give the same bytes.
pub(crate) trait Exact: Rounding {
    /// The largest whole number not above `x`; `x` itself if it is not finite.
    #[inline(always)]
    fn floor(x: f32) -> f32 {
        if Self::FUSED {
            return x.floor();
        }
        // The sum leaves no fraction bits; larger numbers have none.
        const MAGIC: f32 = (1u32 << 23) as f32;
        let near = (x.abs() + MAGIC - MAGIC).copysign(x);
        let near = if x.abs() < MAGIC { near } else { x };
        if near > x { near - 1.0 } else { near }
    }

    /// `x` in 0..=1 to the nearest of 0..=`2^bits - 1`, ties to even; at most 16 bits.
    #[inline(always)]
    fn to_unorm(x: f32, bits: u32) -> u32 {
        if !Self::FUSED {
            return crate::texture::fixed::to_unorm(x, bits);
        }
        // 2^23 leaves no fraction bits: the sum rounds to an integer, which its low bits hold.
        const MAGIC: f32 = (1u32 << 23) as f32;
        x.mul_add(((1u32 << bits) - 1) as f32, MAGIC).to_bits() & 0x7f_ffff
    }

    /// `c / (2^bits - 1)`, correctly rounded; at most 16 bits.
    #[inline(always)]
    fn from_unorm(c: u32, bits: u32) -> f32 {
        if !Self::FUSED {
            return crate::texture::fixed::from_unorm(c, bits);
        }
        // `c / (2^bits - 1)` is `x + x / (2^bits - 1)` with `x = c / 2^bits`, which is assembled from bits: one product
        // on the critical path.
        let x = f32::from_bits(0x3f80_0000 | c << (23 - bits)) - 1.0;
        x.mul_add(1.0 / ((1u32 << bits) - 1) as f32, x)
    }

    /// `x / by`, correctly rounded, for whole numbers and divisors of one fewer than 2^8 times a power of two.
    #[inline(always)]
    fn quotient(x: f32, by: Divisor) -> f32 {
        if !Self::FUSED {
            return x / by.value;
        }
        // The product is wrong by 2^-48 of the quotient, which is no closer than 2^-34 to where rounding changes.
        let [near, rest] = by.reciprocal;
        x.mul_add(near, x * rest)
    }
}

impl<R: Rounding> Exact for R {}

#[cfg(test)]
mod tests {
    use super::*;
    use host::{Fused, Kernel, Separate, SimdLevel};

    /// Every quotient of 24 bits.
    #[test]
    fn fused_quotients_agree() {
        const BY: Divisor = Divisor::new((255u32 << 16) as f32);
        struct Differences;
        impl Kernel for Differences {
            type Output = u32;
            #[inline(always)]
            fn run<R: Rounding>(self) -> u32 {
                let numbers = (0..1 << 24).map(|x: i32| x as f32);
                let differs = |x| R::quotient(x, BY) != Separate::quotient(x, BY);
                numbers.map(|x| u32::from(differs(x))).sum()
            }
        }
        for level in SimdLevel::available() {
            assert_eq!(level.run(Differences), 0);
        }
    }

    /// Products of 24 and 8 bits, rounded once, and every number of up to 16 bits.
    #[test]
    fn fused_rounding_agrees() {
        struct Differences(u32);
        impl Kernel for Differences {
            type Output = u32;
            #[inline(always)]
            fn run<R: Rounding>(self) -> u32 {
                (0..=0x3f80_0000u32)
                    .step_by(self.0 as usize)
                    .map(|bits| {
                        let x = f32::from_bits(0x3f80_0000 - bits);
                        let [a, b] = [R::to_unorm(x, 8), Separate::to_unorm(x, 8)];
                        u32::from(a != b)
                    })
                    .chain((1..=16).flat_map(|bits| {
                        (0..1 << bits).map(move |c| {
                            let [a, b] = [R::from_unorm(c, bits), Separate::from_unorm(c, bits)];
                            u32::from(a.to_bits() != b.to_bits())
                        })
                    }))
                    .sum()
            }
        }
        for level in SimdLevel::available() {
            assert_eq!(level.run(Differences(997)), 0);
        }
    }

    #[test]
    fn floors_agree() {
        for bits in (0..=u32::MAX).step_by(1009) {
            let x = f32::from_bits(bits);
            let [a, b] = [Separate::floor(x), Fused::floor(x)];
            assert!(
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
                "{x}"
            );
        }
        for x in [
            0.0,
            -0.0,
            -1e-30,
            0.999_999_94,
            8_388_607.5,
            -8_388_607.5,
            8_388_608.0,
        ] {
            assert_eq!(
                Separate::floor(x).to_bits(),
                Fused::floor(x).to_bits(),
                "{x}"
            );
        }
    }
}
