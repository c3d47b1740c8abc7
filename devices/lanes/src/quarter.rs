//! Angles in quarter turns: exact reduction of radians of any size, and functions divided by their argument. In double
//! precision with fixed sequences of IEEE operations: the same bits on every host, within 1 ulp.

use crate::double::TWO_OVER_PI;

/// Bits of 2/pi in its first part; the product with a single is exact.
const HEAD: f64 = f64::from_bits(0x3fe4_5f30_6d00_0000);
/// 2/pi less its first part.
const TAIL: f64 = f64::from_bits(0x3e19_3910_54a7_f09d);
/// Adding it to a number below 2^51 in magnitude rounds to an integer, which the low bits then hold.
const SHIFT: f64 = 6_755_399_441_055_744.0;

/// Whether an angle needs more of 2/pi than two doubles hold; false for NaN.
#[inline(always)]
pub(crate) fn is_far(a: f32) -> bool {
    a.abs() >= 4_194_304.0
}

/// `a` radians in quarter turns: their number modulo 4, and what is left, -0.5..0.5. For angles that are not far; what
/// is left of NaN is NaN.
#[inline(always)]
fn near(a: f32) -> (u32, f64) {
    let a = f64::from(a);
    let turns = a * HEAD;
    let shifted = turns + SHIFT;
    let rest = turns - (shifted - SHIFT) + a * TAIL;
    (shifted.to_bits() as u32, rest)
}

/// The same of large numbers: the mantissa times those bits of 2/pi that are no whole turns.
#[cold]
fn far(a: f32) -> (u32, f64) {
    let exponent = (a.to_bits() >> 23 & 0xff) as i32 - 150;
    let mantissa = u128::from(a.to_bits() & 0x7f_ffff | 0x80_0000);
    // From the bit that is worth 2 quarters of the mantissa's last place on; a word of zeros stands in front.
    let start = (exponent - 2 + 64) as usize;
    let word = |n: usize| match n {
        0 => 0,
        n => u128::from(TWO_OVER_PI.get(n - 1).copied().unwrap_or(0)),
    };
    let (at, off) = (start / 64, start % 64);
    let bits = (word(at) << 64 | word(at + 1)) << off | word(at + 2) >> (64 - off);
    let turns = (bits >> 24).wrapping_mul(mantissa) << 24;
    // Two bits are whole quarters.
    let count = (turns >> 126) + (turns >> 125 & 1);
    let rest = turns.wrapping_sub(count << 126) as i128 as f64;
    let rest = rest * f64::from_bits((1023 - 126) << 52);
    match a < 0.0 {
        true => ((count as u32).wrapping_neg(), -rest),
        false => (count as u32, rest),
    }
}

/// Height of a triangle wave; no denormal.
#[inline(always)]
fn height(a: f32, (count, rest): (u32, f64)) -> f32 {
    let odd = count & 1 != 0;
    let height = if odd { 1.0 - rest.abs() } else { rest };
    let height = crate::op::flush(height as f32);
    // Zero has the sign of the angle.
    let height = if a == 0.0 { a } else { height };
    f32::from_bits(height.to_bits() ^ count << 30 & 1 << 31)
}

/// [`sin_argument`] or, a quarter further, [`cos_argument`] of an angle that is not far.
#[inline(always)]
pub(crate) fn near_argument(a: f32, add: u32) -> f32 {
    let (count, rest) = near(a);
    height(
        if add == 0 { a } else { 1.0 },
        (count.wrapping_add(add), rest),
    )
}

#[inline(always)]
fn argument(a: f32, add: u32) -> f32 {
    if !is_far(a) {
        return near_argument(a, add);
    }
    if a.is_infinite() {
        return f32::NAN;
    }
    let (count, rest) = far(a);
    height(1.0, (count.wrapping_add(add), rest))
}

/// `x` in -1..1 with `sin(a) = sin(x pi/2)`; no denormal.
#[inline(always)]
pub(crate) fn sin_argument(a: f32) -> f32 {
    argument(a, 0)
}

/// `x` in -1..1 with `cos(a) = sin(x pi/2)`; no denormal.
#[inline(always)]
pub(crate) fn cos_argument(a: f32) -> f32 {
    argument(a, 1)
}

/// One over the factorials of 21, 19, ... to 1, of alternating signs.
const SINC: [f64; 11] = {
    let mut factors = [1.0; 11];
    let mut n = 1;
    while n < 11 {
        let k = 2.0 * n as f64;
        factors[10 - n] = -factors[11 - n] / (k * (k + 1.0));
        n += 1;
    }
    factors
};

/// `sin(x pi/2) / x` on -1..1; beyond, that of 1.
#[inline(always)]
pub(crate) fn sinc(x: f32) -> f32 {
    let limit = |x: f32| if x.abs() < 1.0 { x } else { 1.0 };
    let t = f64::from(limit(x)) * std::f64::consts::FRAC_PI_2;
    let z = t * t;
    // The series of the sine, error 2^-52.
    let p = SINC.iter().fold(0.0, |p, factor| p * z + factor);
    let found = (p * std::f64::consts::FRAC_PI_2) as f32;
    if x.is_nan() { f32::NAN } else { found }
}

/// `atan(x) / x`; 1 below 0x39c00000.
#[inline(always)]
pub(crate) fn arctan_ratio(x: f32) -> f32 {
    if x.is_nan() {
        return f32::NAN;
    }
    if x.abs() < f32::from_bits(0x39c0_0000) {
        return 1.0;
    }
    let y = f64::from(x.abs());
    let inverse = y > 1.0;
    let y = if inverse { 1.0 / y } else { y };
    // atan(y) = pi/4 + atan((y - 1) / (y + 1)).
    let turned = y > 0.414_213_562_373_095_03;
    let t = if turned { (y - 1.0) / (y + 1.0) } else { y };
    let z = t * t;
    // The series, error 2^-46.
    let mut p = 0.0;
    let mut n = 35.0;
    while n > 0.0 {
        p = 1.0 / n - z * p;
        n -= 2.0;
    }
    let angle = t * p
        + if turned {
            std::f64::consts::FRAC_PI_4
        } else {
            0.0
        };
    let angle = if inverse {
        std::f64::consts::FRAC_PI_2 - angle
    } else {
        angle
    };
    (angle / f64::from(x.abs())) as f32
}
