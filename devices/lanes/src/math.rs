//! The functions behind the operations, same bits on every host: IEEE basic operations in a fixed order, no host maths
//! library, no approximate instructions.

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
    let least = if a < b { a } else { b };
    // Equal operands have the same bits or are zeros, of which one may have a sign.
    let bits = if a == b {
        a.to_bits() | b.to_bits()
    } else {
        least.to_bits()
    };
    let bits = if b.is_nan() { a.to_bits() } else { bits };
    crate::op::canon(f32::from_bits(bits))
}

/// Maximum; the other operand when one is NaN; -0 below +0.
#[inline(always)]
pub fn max(a: f32, b: f32) -> f32 {
    let most = if a > b { a } else { b };
    let bits = if a == b {
        a.to_bits() & b.to_bits()
    } else {
        most.to_bits()
    };
    let bits = if b.is_nan() { a.to_bits() } else { bits };
    crate::op::canon(f32::from_bits(bits))
}

/// Clamped to 0..1; NaN gives 0.
#[inline(always)]
pub fn saturate(a: f32) -> f32 {
    let a = if a > 0.0 { a } else { 0.0 };
    if a < 1.0 { a } else { 1.0 }
}

/// Median; the minimum when an operand is NaN.
#[inline(always)]
pub fn med3(a: f32, b: f32, c: f32) -> f32 {
    // As integers that are in the order of the floats. NaN is above all, so that the minimum ignores it.
    let key = |x: f32| {
        let bits = x.to_bits() as i32;
        let key = bits ^ ((bits >> 31) as u32 >> 1) as i32;
        if x.is_nan() { i32::MAX } else { key }
    };
    let unordered = a.is_nan() | b.is_nan() | c.is_nan();
    let (a, b, c) = (key(a), key(b), key(c));
    let low = a.min(b);
    let least = low.min(c);
    let median = low.max(a.max(b).min(c));
    let key = if unordered { least } else { median };
    crate::op::canon(f32::from_bits(
        (key ^ ((key >> 31) as u32 >> 1) as i32) as u32,
    ))
}

/// `a * b + c` rounded once.
#[inline(always)]
pub fn fma(a: f32, b: f32, c: f32) -> f32 {
    // The product is exact in double precision. The sum is rounded to odd, so that the second rounding is correct.
    crate::round::sum_to_odd(f64::from(a) * f64::from(b), f64::from(c)) as f32
}

/// 2^23: at and above it every float is an integer; adding it to a smaller one rounds to an integer.
const SHIFT: f32 = 8_388_608.0;

/// Largest integer not above.
#[inline(always)]
pub fn floor(a: f32) -> f32 {
    let near = round_even(a);
    if near > a { near - 1.0 } else { near }
}

/// Smallest integer not below.
#[inline(always)]
pub fn ceil(a: f32) -> f32 {
    -floor(-a)
}

/// Toward zero.
#[inline(always)]
pub fn trunc(a: f32) -> f32 {
    floor(a.abs()).copysign(a)
}

/// To the nearest integer, ties to even.
#[inline(always)]
pub fn round_even(a: f32) -> f32 {
    let near = ((a.abs() + SHIFT) - SHIFT).copysign(a);
    if a.abs() < SHIFT { near } else { a }
}

/// An integral float to an integer, saturating; NaN gives 0.
#[inline(always)]
pub fn to_i32(a: f32) -> i32 {
    let result = low_word(a) as i32;
    let result = if a >= 2_147_483_648.0 {
        i32::MAX
    } else {
        result
    };
    let result = if a < -2_147_483_648.0 {
        i32::MIN
    } else {
        result
    };
    if a.is_nan() { 0 } else { result }
}

/// An integral float to an unsigned integer, saturating; NaN gives 0.
#[inline(always)]
pub fn to_u32(a: f32) -> u32 {
    let result = low_word(a);
    let result = if a >= 4_294_967_296.0 {
        u32::MAX
    } else {
        result
    };
    if a > 0.0 { result } else { 0 }
}

/// An integral float below 2^32 in magnitude, modulo 2^32. Without conversion instructions, which saturate
/// differently from host to host.
#[inline(always)]
fn low_word(a: f32) -> u32 {
    // Adding 1.5 * 2^23 leaves a 16-bit integer, positive or not, in the low bits.
    const SHIFT: f32 = 12_582_912.0;
    let high = a * (1.0 / 65536.0) + SHIFT;
    let low = (a - (high - SHIFT) * 65536.0) + SHIFT;
    (high.to_bits() << 16).wrapping_add(low.to_bits().wrapping_sub(SHIFT.to_bits()))
}

/// Quotient of integers; all ones when `b` is 0.
#[inline(always)]
pub fn udiv(a: u32, b: u32) -> u32 {
    // The quotient of doubles cannot round up to an integer that it does not reach: it would have to be nearer than
    // 2^-32 of itself.
    const SHIFT: f64 = 4_503_599_627_370_496.0;
    let quotient = f64::from(a) / f64::from(b);
    let near = quotient + SHIFT;
    let below = u32::from(near - SHIFT > quotient);
    let result = (near.to_bits() as u32).wrapping_sub(below);
    if b == 0 { u32::MAX } else { result }
}

/// `a - floor(a)`, at most the largest float below 1.
#[inline(always)]
pub fn fract(a: f32) -> f32 {
    fract_of(a, floor(a))
}

/// [`fract`] of `a` whose `floor` is known.
#[inline(always)]
pub fn fract_of(a: f32, floor: f32) -> f32 {
    let f = a - floor;
    if f >= 1.0 { 0.999_999_94 } else { f }
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

/// 2^32 / `a` rounded down; all ones for 0 and 1. [`crate::LaneOp::URcp`]
#[inline(always)]
pub fn urcp(a: u32) -> u32 {
    // In double precision the quotient is at most 2^-21 off, which is less than its distance from the next integer
    // unless it is one: then it is exact.
    let quotient = 4_294_967_296.0 / f64::from(a);
    quotient as u32
}

/// 2^31 / `a` rounded toward zero, saturating; the largest number for 0. [`crate::LaneOp::IRcp`]
#[inline(always)]
pub fn ircp(a: i32) -> i32 {
    let magnitude = 2_147_483_648.0 / f64::from(a.unsigned_abs());
    let quotient = if a < 0 { -magnitude } else { magnitude };
    quotient as i32
}

/// Toward zero modulo 2^32; infinity and NaN give 0. [`crate::LaneOp::F32ToI32Wrap`]
#[inline(always)]
pub fn to_i32_wrapping(a: f32) -> i32 {
    let bits = a.to_bits();
    let exponent = (bits >> 23 & 255) as i32 - 150;
    let mantissa = bits & 0x7f_ffff | 0x80_0000;
    // Bits that leave the word on either side are lost.
    let left = if exponent > 31 {
        0
    } else {
        mantissa << (exponent & 31)
    };
    let right = if exponent < -31 {
        0
    } else {
        mantissa >> (exponent.wrapping_neg() & 31)
    };
    let magnitude = if exponent >= 0 { left } else { right } as i32;
    if a < 0.0 {
        magnitude.wrapping_neg()
    } else {
        magnitude
    }
}

/// Bit of the class of a float. [`crate::LaneOp::FClass`]
#[inline(always)]
pub fn class(a: u32) -> u32 {
    let magnitude = a & 0x7fff_ffff;
    // 0 infinity, 1 normal, 2 denormal, 3 zero: bits 2 to 5 for negative numbers, 9 to 6 for others.
    let kind = if magnitude >= 0x7f80_0000 { 0 } else { 1 };
    let kind = if magnitude < 0x0080_0000 { 2 } else { kind };
    let kind = if magnitude == 0 { 3 } else { kind };
    let bit = if a >> 31 == 1 { 2 + kind } else { 9 - kind };
    let quiet = a >> 22 & 1;
    1 << if magnitude > 0x7f80_0000 { quiet } else { bit }
}

/// To half precision, round to nearest even.
#[inline(always)]
pub fn f32_to_f16(a: f32) -> u32 {
    let bits = a.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let rounding = 0xfff + (magnitude >> 13 & 1);
    let normal = magnitude.wrapping_sub(0x3800_0000).wrapping_add(rounding) >> 13;
    // Adding 0.5 puts the rounded mantissa of a denormal into the low bits.
    let sum = f32::from_bits(magnitude) + 0.5;
    let denormal = sum.to_bits().wrapping_sub(0x3f00_0000);
    let half = if magnitude < 0x3880_0000 {
        denormal
    } else {
        normal
    };
    let half = if magnitude >= 0x4780_0000 {
        0x7c00
    } else {
        half
    };
    let half = if magnitude > 0x7f80_0000 {
        0x7e00
    } else {
        half
    };
    bits >> 16 & 0x8000 | half
}

/// To half precision, toward zero; finite values stay finite.
#[inline(always)]
pub fn f32_to_f16_zero(a: f32) -> u32 {
    let bits = a.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let normal = magnitude.wrapping_sub(0x3800_0000) >> 13;
    // A multiple of 2^-24, below 2^10 of them.
    let units = f32::from_bits(magnitude) * 16_777_216.0;
    let near = units + SHIFT;
    let above = u32::from(near - SHIFT > units);
    let denormal = near.to_bits().wrapping_sub(SHIFT.to_bits() + above);
    let half = if magnitude < 0x3880_0000 {
        denormal
    } else {
        normal
    };
    let half = if magnitude >= 0x4780_0000 {
        0x7bff
    } else {
        half
    };
    let half = if magnitude == 0x7f80_0000 {
        0x7c00
    } else {
        half
    };
    let half = if magnitude > 0x7f80_0000 {
        0x7e00
    } else {
        half
    };
    bits >> 16 & 0x8000 | half
}

/// From half precision.
#[inline(always)]
pub fn f16_to_f32(a: u32) -> f32 {
    let magnitude = a & 0x7fff;
    // The exponent is 112 less; scaling afterwards makes denormals come out right.
    let scaled = f32::from_bits(magnitude << 13) * 5.192_297e33;
    let special = if magnitude > 0x7c00 {
        0x7fc0_0000
    } else {
        0x7f80_0000
    };
    let sign = if magnitude > 0x7c00 {
        0
    } else {
        (a & 0x8000) << 16
    };
    let bits = if magnitude >= 0x7c00 {
        special
    } else {
        scaled.to_bits()
    };
    f32::from_bits(bits | sign)
}

/// 16-bit signed normalised, round to nearest even, NaN to 0.
#[inline(always)]
pub fn snorm16(a: f32) -> u32 {
    let x = if a > -1.0 { a } else { -1.0 };
    let x = if x < 1.0 { x } else { 1.0 };
    let x = if a.is_nan() { 0.0 } else { x };
    small_integer(x * 32767.0) & 0xffff
}

/// 16-bit unsigned normalised, round to nearest even, NaN to 0.
#[inline(always)]
pub fn unorm16(a: f32) -> u32 {
    let x = if a > 0.0 { a } else { 0.0 };
    let x = if x < 1.0 { x } else { 1.0 };
    small_integer(x * 65535.0)
}

/// Above this, up to 2^24, floats are the whole numbers.
pub const WHOLE: f32 = (1u32 << 23) as f32;

/// Of up to 16 bits, round to nearest even, NaN to 0.
#[inline(always)]
pub fn unorm(fma: impl Fn(f32, f32, f32) -> f32, a: f32, bits: u32) -> u32 {
    let most = (1u32 << bits.min(16)) - 1;
    // Rounded once.
    fma(saturate(a), most as f32, WHOLE).to_bits() & most
}

/// A float below 2^22 in magnitude to the nearest integer, ties to even, modulo 2^32.
#[inline(always)]
fn small_integer(a: f32) -> u32 {
    const SHIFT: f32 = 12_582_912.0;
    (a + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits())
}

/// Toward zero to 0..255; NaN gives 0.
#[inline(always)]
pub fn to_u8(a: f32) -> u32 {
    let x = if a > 0.0 { a } else { 0.0 };
    let x = if x < 255.0 { x } else { 255.0 };
    let near = x + SHIFT;
    let above = u32::from(near - SHIFT > x);
    near.to_bits().wrapping_sub(SHIFT.to_bits() + above)
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
