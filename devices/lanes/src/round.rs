//! Directed rounding, exact, without the host's rounding mode. Modes as chips encode them, low two bits: 0 nearest
//! even, 1 toward +infinity, 2 toward -infinity, 3 toward zero. Single precision computes in double rounded to odd
//! (sticky last bit), so the second rounding to 24 bits or fewer is correct.

use crate::op::canon;

/// The sum rounded in `mode`.
#[inline(always)]
pub fn add(a: f32, b: f32, mode: u32) -> f32 {
    sum(f64::from(a), f64::from(b), mode)
}

/// The product rounded in `mode`.
#[inline(always)]
pub fn mul(a: f32, b: f32, mode: u32) -> f32 {
    to_f32(f64::from(a) * f64::from(b), mode)
}

/// `a * b + c` rounded once, in `mode`.
#[inline(always)]
pub fn fma(a: f32, b: f32, c: f32, mode: u32) -> f32 {
    sum(f64::from(a) * f64::from(b), f64::from(c), mode)
}

/// `a * b + c` as the last step of a scaled division: times 2^64 when the biased exponent of `c` is above 127, times
/// 2^-64 otherwise, rounded once after scaling.
#[inline(always)]
pub fn fma_div(a: f32, b: f32, c: f32) -> f32 {
    let up = c.to_bits() >> 23 & 255 > 127;
    let scale = if up {
        18_446_744_073_709_551_616.0
    } else {
        1.0 / 18_446_744_073_709_551_616.0
    };
    canon((sum_to_odd(f64::from(a) * f64::from(b), f64::from(c)) * scale) as f32)
}

/// `a + b` for doubles that are exact sums or products of singles; the sign of an exact zero follows `mode`.
#[inline(always)]
fn sum(a: f64, b: f64, mode: u32) -> f32 {
    let sum = sum_to_odd(a, b);
    let both_positive = a.is_sign_positive() && b.is_sign_positive();
    if sum == 0.0 && mode & 3 == 2 && !both_positive {
        -0.0
    } else {
        to_f32(sum, mode)
    }
}

/// `a + b` rounded to odd: an inexact sum is truncated and its last bit set.
#[inline(always)]
pub fn sum_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let bits = sum.to_bits();
    let part = sum - a;
    let error = (a - (sum - part)) + (b - part);
    let exact = error == 0.0 || bits & 1 == 1 || !sum.is_finite();
    let away = (error > 0.0) == (sum > 0.0);
    // An even last bit came from rounding: the truncated value is this one or the next below.
    let odd = if away { bits | 1 } else { bits.wrapping_sub(1) };
    f64::from_bits(if exact { bits } else { odd })
}

/// A double rounded to single in `mode`.
#[inline(always)]
pub fn to_f32(x: f64, mode: u32) -> f32 {
    let near = x as f32;
    let back = f64::from(near);
    let fixed = match mode & 3 {
        1 if back < x => near.next_up(),
        2 if back > x => near.next_down(),
        3 if back.abs() > x.abs() => f32::from_bits(near.to_bits() - 1),
        _ => near,
    };
    canon(fixed)
}

/// A single rounded to half in `mode`, in the low 16 bits.
#[inline(always)]
pub fn to_f16(a: f32, mode: u32) -> u32 {
    let near = crate::math::f32_to_f16(a);
    let back = crate::math::f16_to_f32(near);
    let negative = near & 0x8000 != 0;
    // Magnitude one step up or down; the encoding is monotonic, infinity included.
    match mode & 3 {
        1 if back < a && negative => near - 1,
        1 if back < a => near + 1,
        2 if back > a && negative => near + 1,
        2 if back > a => near - 1,
        3 if back.abs() > a.abs() => near - 1,
        _ => near,
    }
}
