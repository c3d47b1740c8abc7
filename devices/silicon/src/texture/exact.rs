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

    /// The reciprocal, as a sum.
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    pub(crate) const fn reciprocal(self) -> [f32; 2] {
        self.reciprocal
    }
}

/// Bits of magnitudes from which on [`Exact::small_product`] is a plain product that is not subnormal.
pub(crate) const SMALL: u32 = 26 << 23;

/// [`Exact::to_unorm`] makes 0 of this and of what is less. As a lower limit it keeps subnormal numbers, with which a product
/// takes a processor a hundred times as long, from the product.
const LEAST_UNORM: f32 = 1.0 / (1u32 << 24) as f32;

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

    /// The same of any `x`, limited to 0..=1. NaN becomes 0.
    #[inline(always)]
    fn limited_unorm(x: f32, bits: u32) -> u32 {
        let x = if x > LEAST_UNORM { x } else { LEAST_UNORM };
        Self::to_unorm(if x < 1.0 { x } else { 1.0 }, bits)
    }

    /// [`Exact::to_unorm`] to 24 bits.
    #[inline(always)]
    fn to_unorm24(x: f32) -> u32 {
        if !Self::FUSED {
            return crate::texture::fixed::to_unorm(x, 24);
        }
        // From 2^23 to 2^24 floats are the whole numbers, to which the product rounds. Below, the sum with 2^23 does.
        const MAX: f32 = ((1u32 << 24) - 1) as f32;
        const MAGIC: f32 = (1u32 << 23) as f32;
        let (product, sum) = (x * MAX, x.mul_add(MAX, MAGIC));
        let above = |v: f32| v.to_bits().wrapping_sub(MAGIC.to_bits());
        if product < MAGIC {
            above(sum)
        } else {
            above(product) + (1 << 23)
        }
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

    /// `x * weight` for a weight of 0 or 2^-24 to 1, without subnormal operands, which take a processor a hundred times
    /// as long.
    #[inline(always)]
    fn small_product(x: f32, weight: f32) -> f32 {
        if !Self::FUSED {
            return x * weight;
        }
        // Magnitudes up to 2^-101 are scaled by 2^64. A product that is to be subnormal rounds to a multiple of 2^-149
        // in a sum, whose low bits then count these: they are the product's bits.
        const MAGIC: f32 = f32::from_bits((127 - 62) << 23);
        const SCALE: u32 = 64 << 23;
        const UNIT: f32 = f32::from_bits((127 + 64 - 149) << 23);
        let bits = x.to_bits() & 0x7fff_ffff;
        let subnormal = bits < 0x80_0000;
        let counted = bits as i32 as f32 * UNIT;
        let scaled = f32::from_bits(bits.wrapping_add(SCALE));
        let scaled = if subnormal { counted } else { scaled };
        let product = scaled * weight;
        let low = scaled
            .mul_add(weight, MAGIC)
            .to_bits()
            .wrapping_sub(MAGIC.to_bits());
        let high = product.to_bits().wrapping_sub(SCALE);
        let small = if product < MAGIC { low } else { high };
        // A maximum, as the compiler would take what is not used from the plain product.
        let large = f32::from_bits(bits.max(SMALL)) * weight;
        let magnitude = if bits < SMALL { small } else { large.to_bits() };
        f32::from_bits(magnitude | x.to_bits() & 0x8000_0000)
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

    #[test]
    fn small_products_are_products() {
        let weights = [0, 1, 2, 3, 255, 256, 257, 40_000, 65_535, 65_536];
        let weights = weights.map(|w| w as f32 / 65_536.0);
        let deep = [1.0 / 16_777_216.0, 16_777_215.0 / 16_777_216.0];
        let tiny = (0..1 << 17).step_by(7);
        let all = (0..0x7f80_0000u32).step_by(40_009);
        let near = (0..1 << 14).map(|i| i * 16_384 + i * 17);
        for bits in tiny.chain(all).chain(near) {
            for weight in weights.into_iter().chain(deep) {
                for x in [f32::from_bits(bits), -f32::from_bits(bits)] {
                    let expected = x * weight;
                    for got in [
                        Separate::small_product(x, weight),
                        Fused::small_product(x, weight),
                    ] {
                        assert_eq!(got.to_bits(), expected.to_bits(), "{x:e} * {weight:e}");
                    }
                }
            }
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
                        assert!(x > LEAST_UNORM || R::to_unorm(x, 16) == 0);
                        let [c, d] = [R::to_unorm24(x), Separate::to_unorm24(x)];
                        u32::from(a != b || c != d)
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
