//! Exponential, logarithm, sine, cosine and reciprocal square root, branch-free so that loops over lanes vectorise.
//! Fixed sequences of IEEE operations and exact FMAs: same bits on every host, within 1 ulp (`tests/accuracy.rs`).
//! Near-minimax polynomials, errors noted beside them.

use crate::arithmetic::Host;
use host::Separate;

/// 1.5 * 2^23: adding it to a number below 2^22 in magnitude rounds to an integer, which the low bits then hold.
pub(crate) const SHIFT: f32 = 12_582_912.0;

/// Factors of (2^f - 1) / f on -0.5..0.5, the highest power first; error 2^-28.
pub(crate) const EXP2: [f32; 6] = [
    0.000_154_531_63,
    0.001_339_086_4,
    0.009_618_083,
    0.055_503_57,
    0.240_226_5,
    std::f32::consts::LN_2,
];

/// Factors of (log2(1 + f) - f log2(e)) / f^2, the highest power first; error 2^-27.
pub(crate) const LOG2: [f32; 10] = [
    0.097_656_37,
    -0.166_736_42,
    0.170_413_1,
    -0.179_194_47,
    0.205_328_94,
    -0.240_461_73,
    0.288_559_88,
    -0.360_673_92,
    0.480_898_2,
    -0.721_347_5,
];

/// The square root of 1/2.
pub(crate) const SQRT_HALF: u32 = 0x3f35_04f3;

/// What single precision loses of log2(e).
pub(crate) const LOG2_E_REST: f32 = 1.925_963e-8;

/// The polynomial with these factors, rounded after each operation.
#[inline(always)]
fn horner<const COUNT: usize>(factors: [f32; COUNT], x: f32) -> f32 {
    let mut sum = factors[0];
    for factor in &factors[1..] {
        sum = sum * x + factor;
    }
    sum
}

/// 2 to the power `a`.
#[inline(always)]
pub(crate) fn exp2<H: Host>(a: f32) -> f32 {
    let x = if a > -160.0 { a } else { -160.0 };
    let x = if x < 130.0 { x } else { 130.0 };
    let shifted = x + SHIFT;
    let f = x - (shifted - SHIFT);
    let q = horner(EXP2, f);
    let mantissa = H::fma(f, q, 1.0);
    // In two factors, so that a denormal result is rounded once and 2^128 is reached.
    let n = shifted.to_bits().wrapping_sub(SHIFT.to_bits()) as i32;
    let half = n >> 1;
    let power = |n: i32| f32::from_bits(((n + 127) as u32) << 23);
    let result = mantissa * power(half) * power(n - half);
    if a.is_nan() { a } else { result }
}

/// Logarithm to base 2.
#[inline(always)]
pub(crate) fn log2<H: Host>(a: f32) -> f32 {
    use std::f32::consts::LOG2_E;
    let denormal = a < f32::MIN_POSITIVE;
    let x = if denormal { a * 4_294_967_296.0 } else { a };
    // a = (1 + f) * 2^e with 1 + f between the square roots of 1/2 and 2.
    let e = x.to_bits().wrapping_sub(SQRT_HALF) as i32 >> 23;
    let f = f32::from_bits(x.to_bits().wrapping_sub((e as u32) << 23)) - 1.0;
    let e = e as f32 - if denormal { 32.0 } else { 0.0 };
    let p = horner(LOG2, f);
    // f log2(e) in two parts; then the sum with e, of which the larger part is e or nothing.
    let high = f * LOG2_E;
    let square = f * f;
    let square_rest = H::fma(f, f, -square);
    let rest = H::fma(f, LOG2_E, -high) + (f * LOG2_E_REST + square_rest * LOG2[9]);
    let low = H::fma(square, p, rest);
    let sum = e + high;
    let rest = high - (sum - e);
    let result = sum + (rest + low);
    let result = if a == 0.0 { f32::NEG_INFINITY } else { result };
    let result = if a == f32::INFINITY { a } else { result };
    if a >= 0.0 { result } else { f32::NAN }
}

/// The revolutions from -1/4 to 1/4 with the sine of those from -1/2 to 1/2, exact: a minimum and a maximum.
macro_rules! folded {
    ($t:expr) => {{
        let t = $t;
        let half = 0.5 - t;
        let t = if t > half { half } else { t };
        let half = -0.5 - t;
        if half > t { half } else { t }
    }};
}

/// Factors of sin(2 pi t) / t in t^2 on -1/4..1/4, the highest power first; error 2^-33.
pub(crate) const SINE: [f64; 6] = [
    -14.393_966_295_455_94,
    42.009_779_303_153_91,
    -76.704_279_876_042_62,
    81.605_226_174_029_66,
    -41.341_702_116_744,
    6.283_185_307_072_264,
];

/// Sine of `a` revolutions; 0 outside -256..256.
#[inline(always)]
pub(crate) fn sin_turns<H: Host>(a: f32) -> f32 {
    let t = a - ((a + SHIFT) - SHIFT);
    let result = sin_quarter::<H>(f64::from(folded!(t)));
    if a.abs() > 256.0 { 0.0 } else { result }
}

/// Cosine of `a` revolutions; 1 outside -256..256.
#[inline(always)]
pub(crate) fn cos_turns<H: Host>(a: f32) -> f32 {
    let t = a - ((a + SHIFT) - SHIFT);
    let result = sin_quarter::<H>(0.25 - f64::from(t.abs()));
    if a.abs() > 256.0 { 1.0 } else { result }
}

/// Sine of `a` radians, within 1 ulp where -pi <= a <= pi; 0 outside -256..256.
#[inline(always)]
pub(crate) fn sin(a: f32) -> f32 {
    let t = part_of_turn(a);
    let result = sin_quarter::<Separate>(folded!(t));
    if a.abs() > 256.0 { 0.0 } else { result }
}

/// Cosine of `a` radians, within 1 ulp where -pi <= a <= pi; 1 outside -256..256.
#[inline(always)]
pub(crate) fn cos(a: f32) -> f32 {
    let result = sin_quarter::<Separate>(0.25 - part_of_turn(a).abs());
    if a.abs() > 256.0 { 1.0 } else { result }
}

/// `a` radians in revolutions, less the nearest whole number of them.
#[inline(always)]
fn part_of_turn(a: f32) -> f64 {
    /// Adding it to a number below 2^51 in magnitude rounds to an integer.
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    let turns = f64::from(a) * (0.5 * std::f64::consts::FRAC_1_PI);
    turns - ((turns + SHIFT) - SHIFT)
}

/// Sine of -1/4..1/4 revolutions. FMAs give other doubles, but the same single of each of the 2^30 numbers that sine and cosine
/// of revolutions reduce to: all were compared, and a test compares some. Of two angles in radians they give another one.
#[inline(always)]
fn sin_quarter<H: Host>(t: f64) -> f32 {
    // Pairs of terms do not wait for each other.
    let z = t * t;
    let [a, b, c, d, e, f] = SINE;
    let (high, middle, low) = (term::<H>(a, z, b), term::<H>(c, z, d), term::<H>(e, z, f));
    let square = z * z;
    let p = term::<H>(term::<H>(high, square, middle), square, low);
    (t * p) as f32
}

/// `a * b + c`, rounded once where the host has FMA, else twice.
#[inline(always)]
fn term<H: Host>(a: f64, b: f64, c: f64) -> f64 {
    match H::FMA64 {
        true => H::fma64(a, b, c),
        false => a * b + c,
    }
}

/// Reciprocal square root.
#[inline(always)]
pub(crate) fn rsq<H: Host>(a: f32) -> f32 {
    // The residuals below must not vanish.
    let small = a < 1e-30;
    let x = if small {
        a * 18_446_744_073_709_551_616.0
    } else {
        a
    };
    let root = x.sqrt();
    let y = 1.0 / root;
    // What the two roundings lost: x = root^2 + below, 1 = root * y + rest.
    let below = H::fma(-root, root, x);
    let rest = H::fma(-root, y, 1.0);
    let fixed = H::fma(y, rest - 0.5 * (below * y) * y, y);
    // Zero and infinity: 0 * infinity above.
    let result = if rest.is_nan() { y } else { fixed };
    if small {
        result * 4_294_967_296.0
    } else {
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::{Kernel, Rounding, SimdLevel};

    /// Singles from 0 on, one of so many; whether for cosines.
    struct Differences(u32, bool);

    impl Kernel for Differences {
        type Output = u32;
        #[inline(always)]
        fn run<R: Rounding>(self) -> u32 {
            let Differences(step, cosine) = self;
            let most = if cosine { 0.5f32 } else { 0.25 };
            let mut count = 0;
            for n in 0..=most.to_bits() / step {
                let t = f64::from(f32::from_bits(n * step));
                let t = if cosine { 0.25 - t } else { t };
                let [a, b] = [sin_quarter::<R>(t), sin_quarter::<Separate>(t)];
                count += u32::from(a.to_bits() != b.to_bits());
            }
            count
        }
    }

    /// A step of 1 compares all.
    #[test]
    fn fused_sines_are_the_others() {
        for level in SimdLevel::available() {
            for cosine in [false, true] {
                assert_eq!(level.run(Differences(1009, cosine)), 0, "{level:?}");
            }
        }
    }
}
