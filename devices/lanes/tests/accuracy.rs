//! Transcendental operations are within 1 ulp of the true value and exact where that is promised.
//!
//! The references are series in double precision, good to 2^-48 and better. Every `STRIDE`th input is tried; with
//! `GIRIH_STRIDE=1` all 2^32 are, which takes minutes in a release build.
#![allow(clippy::unwrap_used)]

use lanes::LaneOp;

/// Coprime to powers of two, so that all exponents and low bits occur.
const STRIDE: usize = 1021;

fn stride() -> usize {
    let stride = std::env::var("GIRIH_STRIDE");
    stride.map_or(STRIDE, |text| text.parse().unwrap())
}

fn eval(op: LaneOp, a: f32) -> f32 {
    f32::from_bits(op.eval([a.to_bits(), 0, 0]))
}

/// Distance in units of the last place of the reference rounded to single precision.
fn ulps(actual: f32, reference: f64) -> f64 {
    let near = reference as f32;
    if !near.is_finite() || !actual.is_finite() {
        // Overflow may come one unit early or late.
        let limit = f64::from(f32::MAX);
        let close = reference.abs() > limit * 0.999_999 && actual.abs() >= f32::MAX;
        let same = actual.to_bits() == near.to_bits() || close;
        return if same { 0.0 } else { f64::INFINITY };
    }
    let magnitude = near.abs().max(f32::MIN_POSITIVE);
    let ulp = f64::from(magnitude) - f64::from(magnitude.next_down());
    let ulp = if near.abs() < f32::MIN_POSITIVE * 2.0 {
        f64::from(f32::from_bits(1))
    } else {
        ulp
    };
    (f64::from(actual) - reference).abs() / ulp
}

/// Tries an operation on a share of all floats.
fn check(op: LaneOp, bound: f64, domain: impl Fn(f32) -> bool, reference: impl Fn(f64) -> f64) {
    let mut worst = (0.0, 0.0f32);
    for bits in (0..=u32::MAX).step_by(stride()) {
        let a = f32::from_bits(bits);
        let actual = eval(op, a);
        if a.is_nan() {
            assert_eq!(actual.to_bits(), 0x7fc0_0000, "{op:?} of NaN {bits:#x}");
        } else if domain(a) {
            let error = ulps(actual, reference(f64::from(a)));
            if error > worst.0 {
                worst = (error, a);
            }
        }
    }
    println!("{op:?}: {:.4} ulp at {:e}", worst.0, worst.1);
    assert!(worst.0 <= bound, "{op:?}: {} ulp at {:e}", worst.0, worst.1);
}

/// Horner's rule, highest coefficient first.
fn horner(x: f64, coefficients: impl Iterator<Item = f64>) -> f64 {
    coefficients.fold(0.0, |sum, c| sum * x + c)
}

/// 1 / n!, from n = `from` down to 0.
fn inverse_factorials(from: u32) -> impl Iterator<Item = f64> {
    (0..=from)
        .rev()
        .map(|n| 1.0 / (1..=n).map(f64::from).product::<f64>())
}

fn exp2(x: f64) -> f64 {
    let x = x.clamp(-400.0, 400.0);
    let n = (x + 0.5).floor();
    let mantissa = horner((x - n) * std::f64::consts::LN_2, inverse_factorials(16));
    mantissa * f64::from_bits(((n as i64 + 1023) as u64) << 52)
}

fn log2(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut e = (bits >> 52) as f64 - 1023.0;
    let mut m = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000);
    if m > std::f64::consts::SQRT_2 {
        m *= 0.5;
        e += 1.0;
    }
    let s = (m - 1.0) / (m + 1.0);
    let odd = (0..12).rev().map(|k| 1.0 / f64::from(2 * k + 1));
    e + 2.0 * s * horner(s * s, odd) * std::f64::consts::LOG2_E
}

fn sin_turns(t: f64) -> f64 {
    let t = t - (t + 0.5).floor();
    let t = if t > 0.25 {
        0.5 - t
    } else if t < -0.25 {
        -0.5 - t
    } else {
        t
    };
    let x = t * std::f64::consts::TAU;
    let signs = (0..10u32).rev().map(|k| {
        let factorial: f64 = (1..=2 * k + 1).map(f64::from).product();
        if k % 2 == 0 {
            1.0 / factorial
        } else {
            -1.0 / factorial
        }
    });
    x * horner(x * x, signs)
}

#[test]
fn exponential() {
    check(
        LaneOp::FExp2,
        1.0,
        |_| true,
        |a| {
            if a > 300.0 { f64::INFINITY } else { exp2(a) }
        },
    );
    for n in -149..=127 {
        let exact = (f64::from_bits(((n + 1023) as u64) << 52)) as f32;
        assert_eq!(eval(LaneOp::FExp2, n as f32), exact, "2^{n}");
    }
    assert_eq!(eval(LaneOp::FExp2, f32::NEG_INFINITY).to_bits(), 0);
    assert_eq!(eval(LaneOp::FExp2, f32::INFINITY), f32::INFINITY);
    assert_eq!(eval(LaneOp::FExp2, -0.0), 1.0);
    assert_eq!(eval(LaneOp::FExp2, 128.0), f32::INFINITY);
}

#[test]
fn logarithm() {
    check(LaneOp::FLog2, 1.0, |a| a > 0.0 && a < f32::INFINITY, log2);
    for n in -149..=127 {
        let power = (f64::from_bits(((n + 1023) as u64) << 52)) as f32;
        assert_eq!(eval(LaneOp::FLog2, power).to_bits(), (n as f32).to_bits());
    }
    assert_eq!(eval(LaneOp::FLog2, 0.0), f32::NEG_INFINITY);
    assert_eq!(eval(LaneOp::FLog2, -0.0), f32::NEG_INFINITY);
    assert_eq!(eval(LaneOp::FLog2, f32::INFINITY), f32::INFINITY);
    for bad in [-1.0, -f32::MIN_POSITIVE, f32::NEG_INFINITY] {
        assert_eq!(eval(LaneOp::FLog2, bad).to_bits(), 0x7fc0_0000);
    }
}

#[test]
fn angles() {
    let inside = |a: f32| a.abs() <= 256.0;
    check(LaneOp::FSinTurns, 1.0, inside, sin_turns);
    check(LaneOp::FCosTurns, 1.0, inside, |a| {
        sin_turns(a.abs() + 0.25)
    });
    check(LaneOp::FSinTurns, 0.0, |a| !inside(a), |_| 0.0);
    check(LaneOp::FCosTurns, 0.0, |a| !inside(a), |_| 1.0);
    for whole in [-256.0, -3.0, 0.0, 1.0, 200.0] {
        let quarters = [0.0, 0.25, 0.5, 0.75].map(|part| whole + part);
        let quarters = quarters.map(|a| if a > 256.0 { a - 256.0 } else { a });
        let sines = quarters.map(|a| eval(LaneOp::FSinTurns, a));
        let cosines = quarters.map(|a| eval(LaneOp::FCosTurns, a));
        assert_eq!(sines, [0.0, 1.0, 0.0, -1.0], "{whole}");
        assert_eq!(cosines, [1.0, 0.0, -1.0, 0.0], "{whole}");
    }
}

#[test]
fn roots() {
    let positive = |a: f32| a > 0.0 && a < f32::INFINITY;
    check(LaneOp::FRsq, 1.0, positive, |a| 1.0 / a.sqrt());
    check(LaneOp::FSqrt, 0.5, |a| a >= 0.0, f64::sqrt);
    check(LaneOp::FRcp, 0.500_001, |a| a != 0.0, |a| 1.0 / a);
    assert_eq!(eval(LaneOp::FRsq, 0.0), f32::INFINITY);
    assert_eq!(eval(LaneOp::FRsq, -0.0), f32::NEG_INFINITY);
    assert_eq!(eval(LaneOp::FRsq, f32::INFINITY).to_bits(), 0);
    assert_eq!(eval(LaneOp::FRsq, -1.0).to_bits(), 0x7fc0_0000);
    assert_eq!(eval(LaneOp::FRsq, 4.0), 0.5);
}

/// Conversions and rounding against what Rust's own conversions do.
#[test]
fn conversions() {
    let word = |op: LaneOp, a: f32| op.eval([a.to_bits(), 0, 0]);
    for bits in (0..=u32::MAX).step_by(stride()) {
        let a = f32::from_bits(bits);
        assert_eq!(word(LaneOp::F32ToI32, a) as i32, a as i32, "{a:e}");
        assert_eq!(word(LaneOp::F32ToU32, a), a as u32, "{a:e}");
        assert_eq!(word(LaneOp::F32ToI32Floor, a) as i32, a.floor() as i32);
        let nan = |x: f32| if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() };
        assert_eq!(word(LaneOp::FFloor, a), nan(a.floor()), "{a:e}");
        assert_eq!(word(LaneOp::FCeil, a), nan(a.ceil()), "{a:e}");
        assert_eq!(word(LaneOp::FTrunc, a), nan(a.trunc()), "{a:e}");
        assert_eq!(word(LaneOp::FRound, a), nan(a.round_ties_even()), "{a:e}");
        let byte = LaneOp::PackU8.eval([bits, 1, 0xffff_ffff]);
        assert_eq!(byte, (u32::from(a as u8) << 8) | 0xffff_00ff, "{a:e}");
    }
}

/// Every half converts to single and back; rounding is to the nearest, or toward zero.
#[test]
fn halves() {
    let to_single = |half: u32| f32::from_bits(LaneOp::F16ToF32.eval([half, 0, 0]));
    for half in 0..0x1_0000u32 {
        let single = to_single(half);
        let (exponent, mantissa) = (half >> 10 & 31, half & 0x3ff);
        if exponent == 31 && mantissa != 0 {
            assert_eq!(single.to_bits(), 0x7fc0_0000);
            continue;
        }
        let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
        let expected = match exponent {
            0 => sign * mantissa as f32 * 2f32.powi(-24),
            31 => sign * f32::INFINITY,
            e => sign * (1024 + mantissa) as f32 * 2f32.powi(e as i32 - 25),
        };
        assert_eq!(single.to_bits(), expected.to_bits(), "{half:#x}");
        let back = |op: LaneOp| op.eval([single.to_bits(), 0, 0]) & 0xffff;
        assert_eq!(back(LaneOp::F32ToF16), half);
        assert_eq!(back(LaneOp::PackHalfZero), half);
    }
    for bits in (0..=u32::MAX).step_by(stride()) {
        let a = f32::from_bits(bits);
        if a.is_nan() {
            continue;
        }
        let zero = LaneOp::PackHalfZero.eval([bits, 0, 0]) & 0xffff;
        let low = to_single(zero);
        let high = to_single(zero + 1);
        assert!(low.abs() <= a.abs() && (a.is_infinite() || low.is_finite()));
        assert!(high.abs() > a.abs() || zero & 0x7fff >= 0x7bff, "{a:e}");
        let near = to_single(LaneOp::F32ToF16.eval([bits, 0, 0]));
        // Beyond the largest half, infinity stands where the next number would.
        let span = |x: f32| {
            if x.is_finite() {
                f64::from(x)
            } else {
                65536f64.copysign(x.into())
            }
        };
        let distance = (span(near) - span(a.clamp(-65536.0, 65536.0))).abs();
        let others = [low, high].map(|x| (span(x) - span(a.clamp(-65536.0, 65536.0))).abs());
        if zero & 0x7fff < 0x7c00 {
            assert!(others.iter().all(|&other| distance <= other), "{a:e}");
        }
    }
}

/// Division of integers against Rust's.
#[test]
fn integers() {
    let edge = [
        0,
        1,
        2,
        3,
        7,
        0xffff,
        0x1_0000,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_fffe,
        u32::MAX,
    ];
    let mut random = 1u32;
    for round in 0..200_000usize {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let a = if round % 2 == 0 {
            random
        } else {
            edge[round / 2 % 11]
        };
        let b = match round % 3 {
            0 => edge[round / 3 % 11],
            1 => random.rotate_left(13) >> (random & 31),
            _ => a.wrapping_div(1 + (random >> 20)).wrapping_add(random & 1),
        };
        assert_eq!(
            LaneOp::UDiv.eval([a, b, 0]),
            a.checked_div(b).unwrap_or(u32::MAX)
        );
        assert_eq!(LaneOp::URem.eval([a, b, 0]), a.checked_rem(b).unwrap_or(a));
    }
}

#[test]
fn radians() {
    // 1 / (2 pi) in two parts: one in single precision, so that its products are exact, and the rest.
    let turns = |a: f64| {
        let high = f64::from(0.159_154_94f32);
        let product = a * high;
        let whole = (product + 0.5).floor();
        (product - whole) + a * (std::f64::consts::FRAC_1_PI * 0.5 - high)
    };
    let inside = |a: f32| a.abs() <= std::f32::consts::PI;
    check(LaneOp::FSin, 1.0, inside, |a| sin_turns(turns(a)));
    // The quarter is added where the reference is exact: cos t = 1 - 2 sin(t/2)^2 loses nothing near zero.
    check(
        LaneOp::FCos,
        1.0,
        |a| inside(a) && a.abs() > 0.5,
        |a| {
            let t = turns(a);
            sin_turns(0.25 - t.abs())
        },
    );
    assert_eq!(eval(LaneOp::FCos, 0.0), 1.0);
    assert_eq!(eval(LaneOp::FSin, -0.0).to_bits(), 0x8000_0000);
    assert_eq!(eval(LaneOp::FSin, 1e6), 0.0);
    assert_eq!(eval(LaneOp::FCos, 1e6), 1.0);
}
