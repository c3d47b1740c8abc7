//! The functions behind the operations: plain arithmetic with the same result on every host.
//!
//! No host mathematics library and no approximate host instruction is used; what is not an IEEE basic operation is
//! built from basic operations in a fixed order.

/// Field of `a`, zero-extended.
#[inline(always)]
pub fn bfe_u(a: u32, offset: u32, width: u32) -> u32 {
    (a >> offset) & ((1u32 << width) - 1)
}

/// Field of `a`, sign-extended from the field's top bit (from bit 31 when the field reaches past it).
#[inline(always)]
pub fn bfe_i(a: u32, offset: u32, width: u32) -> u32 {
    if width == 0 {
        0
    } else if offset + width >= 32 {
        (a as i32 >> offset) as u32
    } else {
        ((a << (32 - offset - width)) as i32 >> (32 - width)) as u32
    }
}

/// The low 24 bits, sign-extended.
#[inline(always)]
pub fn sext24(a: u32) -> i32 {
    (a << 8) as i32 >> 8
}

/// Sum of absolute differences of four bytes.
#[inline(always)]
pub fn sad_u8(a: u32, b: u32) -> u32 {
    (0..4)
        .map(|i| (a >> (8 * i) & 255).abs_diff(b >> (8 * i) & 255))
        .sum()
}

/// The same without bytes whose reference byte in `b` is zero.
#[inline(always)]
pub fn masked_sad_u8(a: u32, b: u32) -> u32 {
    (0..4)
        .map(|i| (a >> (8 * i) & 255, b >> (8 * i) & 255))
        .map(|(x, y)| if y == 0 { 0 } else { x.abs_diff(y) })
        .sum()
}

/// Sum of absolute differences of two halves.
#[inline(always)]
pub fn sad_u16(a: u32, b: u32) -> u32 {
    (a & 0xffff).abs_diff(b & 0xffff) + (a >> 16).abs_diff(b >> 16)
}

/// Per byte average, rounding up where bit 0 of the byte of `c` is set.
#[inline(always)]
pub fn lerp_u8(a: u32, b: u32, c: u32) -> u32 {
    (0..4).map(|i| 8 * i).fold(0, |sum, s| {
        sum | ((((a >> s & 255) + (b >> s & 255) + (c >> s & 1)) >> 1) << s)
    })
}

/// Every group of four bits becomes all ones when one of its bits is set.
#[inline(always)]
pub fn whole_quads(a: u64) -> u64 {
    quads_low(a) * 15
}

/// Bit 0 of every group of four bits in which a bit is set.
#[inline(always)]
fn quads_low(a: u64) -> u64 {
    let pairs = a | a >> 1;
    (pairs | pairs >> 2) & 0x1111_1111_1111_1111
}

/// Bit `i` is set when one of bits `4i..4i+4` is.
#[inline(always)]
pub fn quad_mask(a: u64) -> u64 {
    let low = quads_low(a);
    (0..16).fold(0, |mask, i| mask | (low >> (4 * i) & 1) << i)
}

/// Minimum; the other operand when one is NaN; -0 below +0.
#[inline(always)]
pub fn min(a: f32, b: f32) -> f32 {
    let pick_a = a < b || b.is_nan() || (a == b && a.is_sign_negative());
    crate::op::canon(if pick_a { a } else { b })
}

/// Maximum; the other operand when one is NaN; -0 below +0.
#[inline(always)]
pub fn max(a: f32, b: f32) -> f32 {
    let pick_a = a > b || b.is_nan() || (a == b && a.is_sign_positive());
    crate::op::canon(if pick_a { a } else { b })
}

/// Median; the minimum when an operand is NaN.
#[inline(always)]
pub fn med3(a: f32, b: f32, c: f32) -> f32 {
    if a.is_nan() || b.is_nan() || c.is_nan() {
        min(min(a, b), c)
    } else {
        max(min(a, b), min(max(a, b), c))
    }
}

/// `a * b + c` rounded once.
#[inline(always)]
pub fn fma(a: f32, b: f32, c: f32) -> f32 {
    // The product is exact in double precision. The sum is rounded to odd, so that the second rounding is correct.
    crate::round::sum_to_odd(f64::from(a) * f64::from(b), f64::from(c)) as f32
}

/// Largest integer not above.
#[inline(always)]
pub fn floor(a: f32) -> f32 {
    let t = trunc(a);
    let t = if t > a { t - 1.0 } else { t };
    t.copysign(a)
}

/// Smallest integer not below.
#[inline(always)]
pub fn ceil(a: f32) -> f32 {
    -floor(-a)
}

/// Toward zero.
#[inline(always)]
pub fn trunc(a: f32) -> f32 {
    if a.abs() < 8_388_608.0 {
        (a as i32 as f32).copysign(a)
    } else {
        a
    }
}

/// To the nearest integer, ties to even.
#[inline(always)]
pub fn round_even(a: f32) -> f32 {
    const SHIFT: f32 = 8_388_608.0;
    if a.abs() < SHIFT {
        ((a.abs() + SHIFT) - SHIFT).copysign(a)
    } else {
        a
    }
}

/// `a - floor(a)`, at most the largest float below 1.
#[inline(always)]
pub fn fract(a: f32) -> f32 {
    let f = a - floor(a);
    if f >= 1.0 { 0.999_999_94 } else { f }
}

/// Reciprocal square root.
#[inline(always)]
pub fn rsq(a: f32) -> f32 {
    (1.0 / f64::from(a).sqrt()) as f32
}

/// 2 to the power `a`.
#[inline(always)]
pub fn exp2(a: f32) -> f32 {
    if a.is_nan() {
        return a;
    }
    let x = f64::from(a.clamp(-160.0, 130.0));
    let n = f64::from(round_even(x as f32));
    // Taylor series of 2^f on -0.5..0.5.
    let f = (x - n) * std::f64::consts::LN_2;
    let mut sum = 1.0 / 39_916_800.0;
    for k in [
        3_628_800.0,
        362_880.0,
        40_320.0,
        5_040.0,
        720.0,
        120.0,
        24.0,
        6.0,
        2.0,
        1.0,
        1.0,
    ] {
        sum = sum * f + 1.0 / k;
    }
    (sum * f64::from_bits(((n as i64 + 1023) as u64) << 52)) as f32
}

/// Logarithm to base 2.
#[inline(always)]
pub fn log2(a: f32) -> f32 {
    if a.is_nan() || a < 0.0 {
        return f32::NAN;
    }
    if a == 0.0 {
        return f32::NEG_INFINITY;
    }
    if a.is_infinite() {
        return a;
    }
    let bits = f64::from(a).to_bits();
    let mut e = (bits >> 52) as i64 - 1023;
    let mut m = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000);
    if m > std::f64::consts::SQRT_2 {
        m *= 0.5;
        e += 1;
    }
    // ln m = 2 atanh((m - 1) / (m + 1))
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let mut sum = 1.0 / 17.0;
    for k in [15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        sum = sum * z + 1.0 / k;
    }
    (e as f64 + 2.0 * s * sum * std::f64::consts::LOG2_E) as f32
}

/// Sine of `a` revolutions.
#[inline(always)]
pub fn sin_turns(a: f32) -> f32 {
    if a.abs() > 256.0 {
        0.0
    } else {
        sin_reduced(f64::from(a)) as f32
    }
}

/// Cosine of `a` revolutions.
#[inline(always)]
pub fn cos_turns(a: f32) -> f32 {
    if a.abs() > 256.0 {
        1.0
    } else {
        sin_reduced(f64::from(a.abs()) + 0.25) as f32
    }
}

#[inline(always)]
fn sin_reduced(turns: f64) -> f64 {
    let t = turns - f64::from(round_even(turns as f32));
    let t = if t > 0.25 {
        0.5 - t
    } else if t < -0.25 {
        -0.5 - t
    } else {
        t
    };
    let x = t * std::f64::consts::TAU;
    let z = x * x;
    let mut sum = -1.0 / 1_307_674_368_000.0;
    for k in [
        6_227_020_800.0,
        -39_916_800.0,
        362_880.0,
        -5_040.0,
        120.0,
        -6.0,
        1.0,
    ] {
        sum = sum * z + 1.0 / k;
    }
    x * sum
}

/// `a * 2^b`, rounded once.
#[inline(always)]
pub fn ldexp(a: f32, b: i32) -> f32 {
    ldexp_exact(a, b) as f32
}

/// `a * 2^b`, exact; a power beyond what any result in single precision can show is limited.
#[inline(always)]
pub fn ldexp_exact(a: f32, b: i32) -> f64 {
    let b = b.clamp(-400, 400);
    f64::from(a) * f64::from_bits(((b + 1023) as u64) << 52)
}

/// The exponent of [`frexp_mant`].
#[inline(always)]
pub fn frexp_exp(a: f32) -> i32 {
    if a == 0.0 || !a.is_finite() {
        0
    } else {
        (f64::from(a).abs().to_bits() >> 52) as i32 - 1022
    }
}

/// The mantissa in 0.5..1, with the sign.
#[inline(always)]
pub fn frexp_mant(a: f32) -> f32 {
    if a == 0.0 || !a.is_finite() {
        return a;
    }
    let bits = f64::from(a).to_bits();
    f64::from_bits(bits & 0x800f_ffff_ffff_ffff | 0x3fe0_0000_0000_0000) as f32
}

/// Face, horizontal, vertical and twice the major coordinate of a direction. [SI V_CUBE*]
#[inline(always)]
pub fn cube(x: f32, y: f32, z: f32) -> [f32; 4] {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    if az >= ax && az >= ay {
        if z < 0.0 {
            [5.0, -x, -y, 2.0 * z]
        } else {
            [4.0, x, -y, 2.0 * z]
        }
    } else if ay >= ax {
        if y < 0.0 {
            [3.0, x, -z, 2.0 * y]
        } else {
            [2.0, x, z, 2.0 * y]
        }
    } else if x < 0.0 {
        [1.0, z, -y, 2.0 * x]
    } else {
        [0.0, -z, -y, 2.0 * x]
    }
}

/// Bit of the class of a float. [`crate::LaneOp::FClass`]
#[inline(always)]
pub fn class(a: u32) -> u32 {
    let negative = a >> 31 == 1;
    let (exponent, mantissa) = (a >> 23 & 255, a & 0x7f_ffff);
    let bit = match (exponent, mantissa) {
        (255, 0) => {
            if negative {
                2
            } else {
                9
            }
        }
        (255, m) => {
            if m & 0x40_0000 == 0 {
                0
            } else {
                1
            }
        }
        (0, 0) => {
            if negative {
                5
            } else {
                6
            }
        }
        (0, _) => {
            if negative {
                4
            } else {
                7
            }
        }
        _ => {
            if negative {
                3
            } else {
                8
            }
        }
    };
    1 << bit
}

/// To half precision, round to nearest even.
#[inline(always)]
pub fn f32_to_f16(a: f32) -> u32 {
    let bits = a.to_bits();
    let sign = bits >> 16 & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    if magnitude >= 0x4780_0000 {
        return sign | 0x7c00;
    }
    if magnitude < 0x3880_0000 {
        // Denormal: adding 0.5 puts the rounded mantissa into the low bits.
        return sign | ((f32::from_bits(magnitude) + 0.5).to_bits() - 0x3f00_0000);
    }
    sign | ((magnitude - 0x3800_0000 + 0xfff + (magnitude >> 13 & 1)) >> 13)
}

/// To half precision, toward zero; finite values stay finite.
#[inline(always)]
pub fn f32_to_f16_zero(a: f32) -> u32 {
    let bits = a.to_bits();
    let sign = bits >> 16 & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        sign | 0x7e00
    } else if magnitude == 0x7f80_0000 {
        sign | 0x7c00
    } else if magnitude >= 0x4780_0000 {
        sign | 0x7bff
    } else if magnitude < 0x3880_0000 {
        sign | (f32::from_bits(magnitude) * 16_777_216.0) as u32
    } else {
        sign | (magnitude - 0x3800_0000) >> 13
    }
}

/// From half precision.
#[inline(always)]
pub fn f16_to_f32(a: u32) -> f32 {
    let sign = (a & 0x8000) << 16;
    let (exponent, mantissa) = (a >> 10 & 31, a & 0x3ff);
    match exponent {
        31 if mantissa != 0 => f32::from_bits(0x7fc0_0000),
        31 => f32::from_bits(sign | 0x7f80_0000),
        0 => f32::from_bits((mantissa as f32 / 16_777_216.0).to_bits() | sign),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | mantissa << 13),
    }
}

/// 16-bit signed normalised, round to nearest even, NaN to 0.
#[inline(always)]
pub fn snorm16(a: f32) -> u32 {
    let a = if a > -1.0 {
        if a < 1.0 { a } else { 1.0 }
    } else if a.is_nan() {
        0.0
    } else {
        -1.0
    };
    round_even(a * 32767.0) as i32 as u32 & 0xffff
}

/// 16-bit unsigned normalised, round to nearest even, NaN to 0.
#[inline(always)]
pub fn unorm16(a: f32) -> u32 {
    let a = if a > 0.0 {
        if a < 1.0 { a } else { 1.0 }
    } else {
        0.0
    };
    round_even(a * 65535.0) as u32
}

/// Field of the low `size` bits of `a` at bit `offset`, zero-extended; a width that passes the end is cut.
pub fn field_u(a: u64, offset: u32, width: u32, size: u32) -> u64 {
    match width.min(size - offset) {
        0 => 0,
        width => a >> offset & (u64::MAX >> (64 - width)),
    }
}

/// The same, sign-extended from the field's top bit.
pub fn field_i(a: u64, offset: u32, width: u32, size: u32) -> u64 {
    match width.min(size - offset) {
        0 => 0,
        width => ((a << (64 - width - offset)) as i64 >> (64 - width)) as u64,
    }
}
