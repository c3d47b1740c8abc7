//! Double precision beyond the basic operations: plain integer and double arithmetic, the same on every host.

use crate::op::canon64;

const SIGN: u64 = 1 << 63;
const MANTISSA: u64 = (1 << 52) - 1;

/// Minimum; the other operand when one is NaN; -0 below +0.
#[inline(always)]
pub fn min(a: f64, b: f64) -> f64 {
    let pick_a = a < b || b.is_nan() || (a == b && a.is_sign_negative());
    canon64(if pick_a { a } else { b })
}

/// Maximum; the other operand when one is NaN; -0 below +0.
#[inline(always)]
pub fn max(a: f64, b: f64) -> f64 {
    let pick_a = a > b || b.is_nan() || (a == b && a.is_sign_positive());
    canon64(if pick_a { a } else { b })
}

/// `a - floor(a)`, at most the largest double below 1.
#[inline(always)]
pub fn fract(a: f64) -> f64 {
    let whole = if a.abs() < 4_503_599_627_370_496.0 {
        a as i64 as f64
    } else {
        a
    };
    let floor = if whole > a { whole - 1.0 } else { whole };
    // Adding +0 turns the -0 of -0 into the +0 that -0 - -0 is.
    let fract = a - floor + 0.0;
    canon64(if fract >= 1.0 {
        1.0f64.next_down()
    } else {
        fract
    })
}

/// Exponent such that `a = m * 2^e` with `m` in 0.5..1; 0 for zero, infinity and NaN.
#[inline(always)]
pub fn frexp_exp(a: f64) -> i32 {
    if a == 0.0 || !a.is_finite() {
        0
    } else {
        unpack(a).1 + 53
    }
}

/// The mantissa of the same, with the sign; zero, infinity and NaN unchanged.
#[inline(always)]
pub fn frexp_mant(a: f64) -> f64 {
    if a == 0.0 || !a.is_finite() {
        return a;
    }
    let mantissa = unpack(a).0 & MANTISSA;
    f64::from_bits(a.to_bits() & SIGN | 1022 << 52 | mantissa)
}

/// Bit of the class of a double, numbered as [`crate::LaneOp::FClass`] does.
#[inline(always)]
pub fn class(a: f64) -> u32 {
    use std::num::FpCategory;
    let positive = a.is_sign_positive();
    let bit = match (a.classify(), positive) {
        (FpCategory::Nan, _) => a.to_bits() >> 51 & 1,
        (FpCategory::Infinite, false) => 2,
        (FpCategory::Normal, false) => 3,
        (FpCategory::Subnormal, false) => 4,
        (FpCategory::Zero, false) => 5,
        (FpCategory::Zero, true) => 6,
        (FpCategory::Subnormal, true) => 7,
        (FpCategory::Normal, true) => 8,
        (FpCategory::Infinite, true) => 9,
    };
    1 << bit
}

/// Mantissa with its leading one at bit 52 and the exponent of bit 0. For finite values except zero.
#[inline(always)]
fn unpack(a: f64) -> (u64, i32) {
    let bits = a.to_bits();
    let (exponent, mantissa) = ((bits >> 52 & 2047) as i32, bits & MANTISSA);
    if exponent == 0 {
        let shift = mantissa.leading_zeros() as i32 - 11;
        (mantissa << (shift & 63), -1074 - shift)
    } else {
        (mantissa | 1 << 52, exponent - 1075)
    }
}

/// A finite magnitude `mantissa * 2^exponent`; the leading one at bit 126, or zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Magnitude {
    exponent: i32,
    mantissa: u128,
}

impl Magnitude {
    fn new(mantissa: u128, exponent: i32) -> Magnitude {
        if mantissa == 0 {
            let exponent = i32::MIN / 2;
            return Magnitude { exponent, mantissa };
        }
        let shift = mantissa.leading_zeros() as i32 - 1;
        Magnitude {
            exponent: exponent - shift,
            mantissa: mantissa << shift,
        }
    }
}

/// `(a * b + c) * 2^scale` rounded once in `mode` (see [`crate::round`]); NaN is canonical.
pub fn fma(a: f64, b: f64, c: f64, scale: i32, mode: u32) -> f64 {
    if !a.is_finite() || !b.is_finite() {
        return canon64(a * b + c);
    }
    if !c.is_finite() {
        return canon64(c);
    }
    let mode = mode & 3;
    let product_negative = a.is_sign_negative() != b.is_sign_negative();
    let product = if a == 0.0 || b == 0.0 {
        Magnitude::new(0, 0)
    } else {
        let ((ma, ea), (mb, eb)) = (unpack(a), unpack(b));
        Magnitude::new(u128::from(ma) * u128::from(mb), ea + eb)
    };
    let addend = if c == 0.0 {
        Magnitude::new(0, 0)
    } else {
        let (mc, ec) = unpack(c);
        Magnitude::new(u128::from(mc), ec)
    };
    let (big, small, negative) = if product >= addend {
        (product, addend, product_negative)
    } else {
        (addend, product, c.is_sign_negative())
    };
    let subtract = product_negative != c.is_sign_negative();
    let aligned = shift_sticky(small.mantissa, big.exponent.wrapping_sub(small.exponent));
    let mantissa = if subtract {
        big.mantissa - aligned
    } else {
        big.mantissa + aligned
    };
    if mantissa == 0 {
        let negative = if subtract { mode == 2 } else { negative };
        return if negative { -0.0 } else { 0.0 };
    }
    round(
        negative,
        mantissa,
        big.exponent + scale.clamp(-5000, 5000),
        mode,
    )
}

/// Right shift that keeps a one in bit 0 when ones are shifted out.
fn shift_sticky(value: u128, shift: i32) -> u128 {
    match shift {
        0 => value,
        1..=127 => value >> shift | u128::from(value << (128 - shift) != 0),
        _ => u128::from(value != 0),
    }
}

/// `mantissa * 2^exponent`, not zero, rounded to double.
fn round(negative: bool, mantissa: u128, exponent: i32, mode: u32) -> f64 {
    let lead = exponent + 127 - mantissa.leading_zeros() as i32;
    // The lowest bit of the result, then two more for the rounding.
    let lowest = (lead - 52).max(-1074);
    let shift = lowest - 2 - exponent;
    let kept = if shift >= 0 {
        shift_sticky(mantissa, shift)
    } else {
        mantissa << -shift
    } as u64;
    let (whole, rest) = (kept >> 2, kept & 3);
    let up = match mode {
        0 => rest > 2 || (rest == 2 && whole & 1 == 1),
        1 => !negative && rest != 0,
        2 => negative && rest != 0,
        _ => false,
    };
    let whole = whole + u64::from(up);
    // A carry out of the mantissa moves to the next exponent by itself.
    let biased = (lead + 1023).max(1) as u64;
    let bits = if lead > 1023 {
        u64::MAX >> 1
    } else if whole >> 52 == 0 {
        whole
    } else {
        (biased << 52) + (whole - (1 << 52))
    };
    let infinity = 2047 << 52;
    let bits = if bits < infinity {
        bits
    } else if mode == 0 || (mode == 1 && !negative) || (mode == 2 && negative) {
        infinity
    } else {
        infinity - 1
    };
    f64::from_bits(bits | u64::from(negative) << 63)
}

/// Sum rounded in `mode`.
pub fn add(a: f64, b: f64, mode: u32) -> f64 {
    fma(a, 1.0, b, 0, mode)
}

/// Product rounded in `mode`.
pub fn mul(a: f64, b: f64, mode: u32) -> f64 {
    // Adding a zero of the product's own sign changes nothing, not even the sign of a zero.
    let zero = if a.is_sign_negative() == b.is_sign_negative() {
        0.0
    } else {
        -0.0
    };
    fma(a, b, zero, 0, mode)
}

/// `a * 2^b`, rounded once.
pub fn ldexp(a: f64, b: i32, mode: u32) -> f64 {
    fma(a, 1.0, 0.0f64.copysign(a), b, mode)
}

/// The last step of a scaled division: `a * b + c`, times 2^128 when the biased exponent of `c` is above 1023, times
/// 2^-128 otherwise, rounded once after scaling.
pub fn fma_div(a: f64, b: f64, c: f64) -> f64 {
    let up = c.to_bits() >> 52 & 2047 > 1023;
    fma(a, b, c, if up { 128 } else { -128 }, 0)
}

/// The first 1201 bits of 2/pi behind the binary point.
pub(crate) const TWO_OVER_PI: [u64; 19] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_0000,
];

/// Segment `b & 31` of 2/pi, 53 bits, that matters for the argument `a` of a sine. [SI-ADDENDUM V_TRIG_PREOP_F64]
pub fn trig_preop(a: f64, b: u32) -> f64 {
    let exponent = (a.to_bits() >> 52 & 2047) as i32;
    let shift = 53 * (b & 31) as i32 + (exponent - 1077).max(0);
    let (word, bit) = (shift as usize / 64, shift as u32 % 64);
    let at = |index: usize| u128::from(TWO_OVER_PI.get(index).copied().unwrap_or(0));
    let window = (at(word) << 64 | at(word + 1)) << bit >> (128 - 53);
    let scale = -53 - shift + if exponent >= 1968 { 128 } else { 0 };
    ldexp(window as u64 as f64, scale, 3)
}

/// Sums of absolute differences of the four bytes of `b` with four windows of `a`, one byte apart, each added to a
/// 16-bit part of `c`. `masked` skips bytes where the byte of `b` is zero. [SI-ADDENDUM V_QSAD_U8, V_MQSAD_U8]
#[inline(always)]
pub fn quad_sad(a: u64, b: u32, c: u64, masked: bool) -> u64 {
    (0..4).fold(0, |result, i| {
        let window = (a >> (8 * i)) as u32;
        let sad = if masked {
            crate::math::masked_sad_u8(window, b)
        } else {
            crate::math::sad_u8(window, b)
        };
        let sum = (c >> (16 * i)) as u16;
        result | u64::from(sum.wrapping_add(sad as u16)) << (16 * i)
    })
}
