//! Normalised integers. To `f32`: the correctly rounded quotient. From `f32`: the exact product, rounded to nearest
//! even; NaN gives 0. The product of 24 by at most 24 significant bits is exact in `f64`, so it rounds once.

/// `1 / (2^bits - 1)` in two parts: the product of the first and a `bits`-bit number is exact.
const fn reciprocal(bits: u32) -> [f32; 2] {
    let exact = 1.0 / ((1u64 << bits) - 1) as f64;
    let dropped = 52 - (23 - bits);
    let high = f64::from_bits(exact.to_bits() >> dropped << dropped);
    [high as f32, (exact - high) as f32]
}

/// [`reciprocal`] of 0 to 16 bits.
pub(crate) const RECIPROCALS: [[f32; 2]; 17] = {
    let mut table = [[0.0; 2]; 17];
    let mut bits = 1;
    while bits < table.len() {
        table[bits] = reciprocal(bits as u32);
        bits += 1;
    }
    table
};

/// `c / (2^bits - 1)`, correctly rounded; `bits` at most 24. Up to 16 bits a sum of two products, where only the sum
/// rounds; tested exhaustively.
#[inline(always)]
pub fn from_unorm(c: u32, bits: u32) -> f32 {
    let c = c as i32 as f32;
    match RECIPROCALS.get(bits as usize) {
        Some([high, low]) => c * high + c * low,
        None => c / ((1u32 << bits) - 1) as f32,
    }
}

/// `max(c / (2^(bits - 1) - 1), -1)`, correctly rounded; `c` sign-extended, `bits` 2 to 24.
#[inline(always)]
pub fn from_snorm(c: i32, bits: u32) -> f32 {
    let x = c as f32 / ((1u32 << (bits - 1)) - 1) as f32;
    if x > -1.0 { x } else { -1.0 }
}

/// The nearest of 0..=`2^bits - 1`.
#[inline(always)]
pub fn to_unorm(x: f32, bits: u32) -> u32 {
    let x = if x > 0.0 { x } else { 0.0 };
    let x = if x < 1.0 { x } else { 1.0 };
    // 2^52 leaves no fraction bits: the sum rounds to an integer, which its low bits hold.
    const MAGIC: f64 = (1u64 << 52) as f64;
    (f64::from(x) * f64::from((1u32 << bits) - 1) + MAGIC).to_bits() as u32
}

/// The nearest of `-(2^(bits - 1) - 1)..=2^(bits - 1) - 1`, sign-extended.
#[inline(always)]
pub fn to_snorm(x: f32, bits: u32) -> i32 {
    let x = if x.is_nan() { 0.0 } else { x };
    let x = if x > -1.0 { x } else { -1.0 };
    let x = if x < 1.0 { x } else { 1.0 };
    const MAGIC: f64 = (3u64 << 51) as f64;
    (f64::from(x) * f64::from((1u32 << (bits - 1)) - 1) + MAGIC).to_bits() as u32 as i32
}

/// `(2 c + 1) / (2^bits - 1)`, correctly rounded; `c` sign-extended, `bits` 2 to 23.
#[inline(always)]
pub fn from_snorm_no_zero(c: i32, bits: u32) -> f32 {
    (2 * c + 1) as f32 / ((1u32 << bits) - 1) as f32
}

/// The nearest of `-2^(bits - 1)..=2^(bits - 1) - 1` that [`from_snorm_no_zero`] reads, sign-extended.
#[inline(always)]
pub fn to_snorm_no_zero(x: f32, bits: u32) -> i32 {
    let x = if x.is_nan() { 0.0 } else { x };
    let x = if x > -1.0 { x } else { -1.0 };
    let x = if x < 1.0 { x } else { 1.0 };
    const MAGIC: f64 = (3u64 << 51) as f64;
    let doubled = f64::from(x) * f64::from((1u32 << bits) - 1) - 1.0;
    (doubled * 0.5 + MAGIC).to_bits() as u32 as i32
}

/// The nearest integer of `min..=max`, ties to even; NaN is 0. Both ends have at most 33 bits.
#[inline(always)]
pub fn to_integer(x: f32, min: i64, max: i64) -> i64 {
    let x = if x.is_nan() { 0.0 } else { f64::from(x) };
    let (min, max) = (min as f64, max as f64);
    let x = if x > min { x } else { min };
    let x = if x < max { x } else { max };
    const MAGIC: f64 = (3u64 << 51) as f64;
    ((x + MAGIC).to_bits() as i64) << 13 >> 13
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unorm() {
        for bits in 1..=16 {
            let max = (1u32 << bits) - 1;
            for c in 0..=max {
                let exact = f64::from(c) / f64::from(max);
                let x = from_unorm(c, bits);
                assert_eq!(x, exact as f32);
                assert_eq!(to_unorm(x, bits), c);
                // Half way to the next: below goes down, above goes up.
                if c < max && bits <= 16 {
                    let middle = (f64::from(c) + 0.5) / f64::from(max);
                    let near = middle as f32;
                    let expected =
                        c + u32::from(f64::from(near) * f64::from(max) > f64::from(c) + 0.5);
                    let tie = f64::from(near) * f64::from(max) == f64::from(c) + 0.5;
                    let expected = if tie { c + (c & 1) } else { expected };
                    assert_eq!(to_unorm(near, bits), expected, "{c} of {max}");
                }
            }
        }
        assert_eq!(from_unorm(0xff_ffff, 24), 1.0);
        assert_eq!(to_unorm(1.0, 24), 0xff_ffff);
        for (x, c) in [
            (f32::NAN, 0),
            (-1.0, 0),
            (2.0, 255),
            (f32::INFINITY, 255),
            (0.5, 128),
        ] {
            assert_eq!(to_unorm(x, 8), c);
        }
    }

    #[test]
    fn snorm() {
        for bits in [2, 8, 10, 16] {
            let max = (1i32 << (bits - 1)) - 1;
            for c in -max..=max {
                let x = from_snorm(c, bits);
                assert_eq!(x, (f64::from(c) / f64::from(max)) as f32);
                assert_eq!(to_snorm(x, bits), c);
            }
            assert_eq!(from_snorm(-max - 1, bits), -1.0);
        }
        for (x, c) in [
            (f32::NAN, 0),
            (-2.0, -127),
            (2.0, 127),
            (0.5, 64),
            (-0.5, -64),
        ] {
            assert_eq!(to_snorm(x, 8), c);
        }
    }
}
