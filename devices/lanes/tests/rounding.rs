//! Fused multiply-add, directed rounding and divisions by Newton steps are exact.
#![allow(clippy::unwrap_used)]

use lanes::LaneOp::{self, *};
use lanes::WideOp::{self, *};

/// A fixed sequence of bit patterns that favours what goes wrong: near-equal exponents, denormals, specials.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn single(&mut self) -> f32 {
        let bits = (self.word() >> 32) as u32;
        f32::from_bits(match self.word() >> 60 {
            0 => bits & 0x807f_ffff,
            1 => bits & 0x8000_0007 | 0x0080_0000,
            2 => bits | 0x7f00_0000,
            3..=7 => bits & 0x8fff_ffff | 0x3800_0000,
            8 => bits & 0xffff_0000,
            9 => [0, 1 << 31, 0x7f80_0000, 0x3f80_0000][bits as usize & 3],
            _ => bits,
        })
    }

    fn double(&mut self) -> f64 {
        let bits = self.word();
        f64::from_bits(match self.word() >> 60 {
            0 => bits & 0x800f_ffff_ffff_ffff,
            1 => bits & 0x8000_0000_0000_0007 | 1 << 52,
            2 => bits | 0x7fe0_0000_0000_0000,
            3..=7 => bits & 0x80ff_ffff_ffff_ffff | 0x3f00_0000_0000_0000,
            8 => bits & 0xffff_ffff_0000_0000,
            9 => [0, 1 << 63, 2047 << 52, 1023 << 52][bits as usize & 3],
            _ => bits,
        })
    }
}

fn f(op: LaneOp, args: [f32; 3]) -> f32 {
    f32::from_bits(op.eval(args.map(f32::to_bits)))
}

fn d(op: WideOp, args: [f64; 3]) -> f64 {
    f64::from_bits(op.eval(args.map(f64::to_bits)))
}

fn bits(x: f32) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() }
}

fn bits64(x: f64) -> u64 {
    if x.is_nan() {
        0x7ff8 << 48
    } else {
        x.to_bits()
    }
}

/// The software operation equals the host's, which is exact by instruction or by library.
#[test]
fn fused() {
    let mut random = Random(1);
    for round in 0..1_000_000 {
        let mut args = [random.single(), random.single(), random.single()];
        if round % 4 == 0 {
            // Cancellation: the addend is near the product.
            let near = -(args[0] * args[1]);
            args[2] = f32::from_bits(near.to_bits().wrapping_add(round / 4 % 5).wrapping_sub(2));
        }
        let [a, b, c] = args;
        assert_eq!(f(FFma, args).to_bits(), bits(a.mul_add(b, c)), "{args:?}");
    }
    for round in 0..300_000 {
        let mut args = [random.double(), random.double(), random.double()];
        if round % 4 == 0 {
            let near = -(args[0] * args[1]);
            args[2] = f64::from_bits(near.to_bits().wrapping_add(round / 4 % 5).wrapping_sub(2));
        }
        let [a, b, c] = args;
        assert_eq!(d(DFma, args).to_bits(), bits64(a.mul_add(b, c)), "{args:?}");
    }
}

/// What `mode` makes of an exact value, given as a double and the sign of what that double lacks.
fn directed(mode: u32, value: f64, lacks: f64) -> f32 {
    let near = value as f32;
    let back = f64::from(near);
    let above = back > value || (back == value && lacks < 0.0);
    let below = back < value || (back == value && lacks > 0.0);
    match mode {
        1 if below => near.next_up(),
        2 if above => near.next_down(),
        3 if above && value > 0.0 => near.next_down(),
        3 if below && value < 0.0 => near.next_up(),
        _ => near,
    }
}

#[test]
fn directed_singles() {
    let mut random = Random(2);
    for _ in 0..300_000 {
        let [a, b, c] = [random.single(), random.single(), random.single()];
        if !(a.is_finite() && b.is_finite() && c.is_finite()) {
            continue;
        }
        let product = f64::from(a) * f64::from(b);
        let sum = product + f64::from(c);
        // What the sum of doubles lost, by the larger operand first.
        let (large, small) = if product.abs() > f64::from(c).abs() {
            (product, f64::from(c))
        } else {
            (f64::from(c), product)
        };
        let lost = small - (sum - large);
        for (mode, fused) in [(1, FFmaUp), (2, FFmaDown), (3, FFmaZero)] {
            let word = |op: LaneOp, x: f32, y: f32| {
                f32::from_bits(op.eval([x.to_bits(), y.to_bits(), mode]))
            };
            let expected = directed(mode, product, 0.0);
            assert_eq!(word(FMulMode, a, b), expected, "{a:e} * {b:e} in {mode}");
            let near_is_sum = sum as f32;
            if f64::from(near_is_sum) == sum || lost == 0.0 {
                let expected = directed(mode, sum, lost);
                assert_eq!(
                    f(fused, [a, b, c]),
                    expected,
                    "fma {a:e} {b:e} {c:e} in {mode}"
                );
            }
            let exact = f64::from(a) + f64::from(b);
            if exact - f64::from(a) == f64::from(b) && exact - f64::from(b) == f64::from(a) {
                let expected = directed(mode, exact, 0.0);
                assert_eq!(word(FAddMode, a, b), expected, "{a:e} + {b:e} in {mode}");
            }
            let wide = random.double();
            let narrow = F64ToF32Mode.eval([wide.to_bits(), mode.into(), 0]) as u32;
            assert_eq!(
                narrow,
                bits(directed(mode, wide, 0.0)),
                "{wide:e} in {mode}"
            );
            let integer = (random.word() >> 32) as u32;
            let converted = f32::from_bits(U32ToF32Mode.eval([integer, mode, 0]));
            assert_eq!(converted, directed(mode, integer.into(), 0.0));
            let converted = f32::from_bits(I32ToF32Mode.eval([integer, mode, 0]));
            assert_eq!(converted, directed(mode, (integer as i32).into(), 0.0));
        }
        let near =
            |op: LaneOp, x: f32, y: f32| f32::from_bits(op.eval([x.to_bits(), y.to_bits(), 0]));
        assert_eq!(near(FAddMode, a, b).to_bits(), (a + b).to_bits());
        assert_eq!(near(FMulMode, a, b).to_bits(), (a * b).to_bits());
    }
    // The sign of an exact zero.
    let zero = |op: LaneOp, x: f32, y: f32, mode| op.eval([x.to_bits(), y.to_bits(), mode]);
    assert_eq!(zero(FAddMode, 1.5, -1.5, 1), 0);
    assert_eq!(zero(FAddMode, 1.5, -1.5, 2), 1 << 31);
    assert_eq!(zero(FAddMode, 0.0, 0.0, 2), 0);
    assert_eq!(zero(FAddMode, -0.0, -0.0, 1), 1 << 31);
    assert_eq!(zero(FMulMode, -0.0, 3.0, 1), 1 << 31);
    // Overflow stops at the largest number when rounding away from infinity.
    assert_eq!(zero(FMulMode, f32::MAX, 2.0, 3), f32::MAX.to_bits());
    assert_eq!(zero(FMulMode, f32::MAX, -2.0, 1), f32::MIN.to_bits());
    assert_eq!(zero(FMulMode, f32::MAX, 2.0, 1), f32::INFINITY.to_bits());
}

#[test]
fn directed_doubles() {
    let mut random = Random(3);
    let mode_of = |op: WideOp, a: f64, b: f64, mode: u64| {
        f64::from_bits(op.eval([a.to_bits(), b.to_bits(), mode]))
    };
    let fixed = |mode: u64, near: f64, lost: f64| match mode {
        1 if lost > 0.0 => near.next_up(),
        2 if lost < 0.0 => near.next_down(),
        3 if lost < 0.0 && near > 0.0 => near.next_down(),
        3 if lost > 0.0 && near < 0.0 => near.next_up(),
        _ => near,
    };
    for _ in 0..300_000 {
        let [a, b] = [random.double(), random.double()];
        let usual = |x: f64| x.is_finite() && x.abs() > 1e-150 && x.abs() < 1e150;
        let (sum, product) = (a + b, a * b);
        assert_eq!(mode_of(DAddMode, a, b, 0).to_bits(), bits64(sum));
        assert_eq!(mode_of(DMulMode, a, b, 0).to_bits(), bits64(product));
        if !(usual(a) && usual(b)) {
            continue;
        }
        for (mode, fused) in [(1, DFmaUp), (2, DFmaDown), (3, DFmaZero)] {
            let lost = a.mul_add(b, -product);
            assert_eq!(mode_of(DMulMode, a, b, mode), fixed(mode, product, lost));
            assert_eq!(d(fused, [a, b, 0.0]), fixed(mode, product, lost));
            let (large, small) = if a.abs() > b.abs() { (a, b) } else { (b, a) };
            let lost = small - (sum - large);
            if sum != 0.0 {
                assert_eq!(mode_of(DAddMode, a, b, mode), fixed(mode, sum, lost));
                assert_eq!(d(fused, [1.0, a, b]), fixed(mode, sum, lost));
            }
        }
    }
    let zero = |a: f64, b: f64, mode| mode_of(DAddMode, a, b, mode).to_bits();
    assert_eq!(zero(1.5, -1.5, 2), 1 << 63);
    assert_eq!(zero(1.5, -1.5, 3), 0);
    assert_eq!(mode_of(DMulMode, f64::MAX, 2.0, 2), f64::MAX);
    let ldexp = |a: f64, b: i32| f64::from_bits(DLdexp.eval([a.to_bits(), u64::from(b as u32), 0]));
    assert_eq!(ldexp(1.0, -1074), f64::from_bits(1));
    assert_eq!(ldexp(1.5, -1074), f64::from_bits(2));
    assert_eq!(ldexp(f64::from_bits(1), 1074), 1.0);
    assert_eq!(ldexp(-3.0, 5000), f64::NEG_INFINITY);
    assert_eq!(ldexp(-3.0, i32::MIN).to_bits(), 1 << 63);
    assert_eq!(
        ldexp(f64::from_bits((1 << 52) - 1), 1022),
        1.0 - f64::EPSILON
    );
}

/// The sequence that compilers emit for `numerator / denominator`.
fn divide(numerator: f32, denominator: f32) -> f32 {
    let scaled = |x| f(FDivScale, [x, denominator, numerator]);
    let (s, n) = (scaled(denominator), scaled(numerator));
    let flag = FDivScaleFlag.eval([numerator, denominator, numerator].map(f32::to_bits)) != 0;
    let r = f(FRcp, [s, 0.0, 0.0]);
    let e = f(FFma, [-s, r, 1.0]);
    let r = f(FFma, [e, r, r]);
    let q = f(FMul, [n, r, 0.0]);
    let e = f(FFma, [-s, q, n]);
    let q = f(FFma, [e, r, q]);
    let e = f(FFma, [-s, q, n]);
    let q = f(if flag { FFmaDiv } else { FFma }, [e, r, q]);
    f(FDivFixup, [q, denominator, numerator])
}

/// The same in double precision.
fn divide64(numerator: f64, denominator: f64) -> f64 {
    let scaled = |x| d(DDivScale, [x, denominator, numerator]);
    let (s, n) = (scaled(denominator), scaled(numerator));
    let flag = DDivScaleFlag.eval([numerator, denominator, numerator].map(f64::to_bits)) != 0;
    let r = d(DRcp, [s, 0.0, 0.0]);
    let e = d(DFma, [-s, r, 1.0]);
    let r = d(DFma, [e, r, r]);
    let e = d(DFma, [-s, r, 1.0]);
    let r = d(DFma, [e, r, r]);
    let q = d(DMul, [n, r, 0.0]);
    let e = d(DFma, [-s, q, n]);
    let q = d(if flag { DFmaDiv } else { DFma }, [e, r, q]);
    d(DDivFixup, [q, denominator, numerator])
}

#[test]
fn divisions() {
    let mut random = Random(4);
    for _ in 0..1_000_000 {
        let (n, m) = (random.single(), random.single());
        assert_eq!(bits(divide(n, m)), bits(n / m), "{n:e} / {m:e}");
    }
    for _ in 0..200_000 {
        let (n, m) = (random.double(), random.double());
        assert_eq!(bits64(divide64(n, m)), bits64(n / m), "{n:e} / {m:e}");
    }
}

/// Three segments put together reduce an angle.
#[test]
fn segments_of_two_over_pi() {
    let segment = |a: f64, s: u64| f64::from_bits(TrigPreop.eval([a.to_bits(), s, 0]));
    assert!((segment(1.0, 0) - std::f64::consts::FRAC_2_PI).abs() < 2e-16);
    let whole = segment(1.0, 0) + segment(1.0, 1);
    assert_eq!(whole, std::f64::consts::FRAC_2_PI);
    // For an argument of 2^60 the first segment begins after bits that only give whole revolutions.
    let big = 2f64.powi(60);
    let shift = (60 + 1023 - 1077) as f64;
    assert!(segment(big, 0) < 2f64.powf(-shift));
    assert_eq!(segment(1.0, 31), 0.0);
}

#[test]
fn byte_differences() {
    let a = 0x0807_0605_0403_0201u64;
    // Windows 04030201, 05040302, 06050403, 07060504 against 04030201: 0, 4, 8 and 12 apart.
    let expected = 0x000c_0008_0004_0000u64 + 0x0001_0001_0001_0001;
    let sums = QuadSadU8.eval([a, 0x0403_0201, 0x0001_0001_0001_0001]);
    assert_eq!(sums, expected);
    let masked = MaskedQuadSadU8.eval([a, 0x0403_0001, 0]);
    assert_eq!(masked, 0x0009_0006_0003_0000);
}
