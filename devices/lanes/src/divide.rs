//! The helpers that machines put around a division by Newton steps: scaling before, fixing after, and the lighting
//! product. [SI V_DIV_FIXUP_F32; SI-ADDENDUM]

const QUIET: u32 = 1 << 22;
const INFINITY: u32 = 0x7f80_0000;
const QUIET64: u64 = 1 << 51;
const INFINITY64: u64 = 0x7ff0_0000_0000_0000;

/// How an operand of a division is scaled, and whether the quotient is scaled back at the end.
#[derive(Clone, Copy)]
struct Scaling {
    /// Power of two for the operand; `None` gives NaN.
    operand: Option<i32>,
    /// The quotient is scaled back.
    back: bool,
}

/// What decides about the scaling of a division.
struct Division {
    /// An operand is zero.
    zero: bool,
    /// Biased exponents.
    numerator_exponent: i32,
    denominator_exponent: i32,
    denominator_denormal: bool,
    reciprocal_denormal: bool,
    quotient_denormal: bool,
    /// The operand to scale is the denominator; else it is the numerator.
    is_denominator: bool,
}

/// The rule, with the three numbers in which the precisions differ.
fn scaling(d: &Division, far: i32, step: i32, small: i32) -> Scaling {
    let plain = |power| Scaling {
        operand: Some(power),
        back: false,
    };
    let back_if = |scaled: bool| Scaling {
        operand: Some(if scaled { step } else { 0 }),
        back: true,
    };
    if d.zero {
        Scaling {
            operand: None,
            back: false,
        }
    } else if d.numerator_exponent - d.denominator_exponent >= far {
        back_if(d.is_denominator)
    } else if d.denominator_denormal {
        plain(step)
    } else if d.reciprocal_denormal && d.quotient_denormal {
        back_if(d.is_denominator)
    } else if d.reciprocal_denormal {
        plain(-step)
    } else if d.quotient_denormal {
        back_if(!d.is_denominator)
    } else if d.numerator_exponent <= small {
        plain(step)
    } else {
        plain(0)
    }
}

fn scaling32(a: f32, denominator: f32, numerator: f32) -> Scaling {
    let exponent = |x: f32| (x.to_bits() >> 23 & 255) as i32;
    let denormal = |x: f32| x != 0.0 && exponent(x) == 0;
    let division = Division {
        zero: denominator == 0.0 || numerator == 0.0,
        numerator_exponent: exponent(numerator),
        denominator_exponent: exponent(denominator),
        denominator_denormal: denormal(denominator),
        reciprocal_denormal: denormal(1.0 / denominator),
        quotient_denormal: denormal(numerator / denominator),
        is_denominator: a.to_bits() == denominator.to_bits(),
    };
    scaling(&division, 96, 64, 23)
}

fn scaling64(a: f64, denominator: f64, numerator: f64) -> Scaling {
    let exponent = |x: f64| (x.to_bits() >> 52 & 2047) as i32;
    let denormal = |x: f64| x != 0.0 && exponent(x) == 0;
    let division = Division {
        zero: denominator == 0.0 || numerator == 0.0,
        numerator_exponent: exponent(numerator),
        denominator_exponent: exponent(denominator),
        denominator_denormal: denormal(denominator),
        reciprocal_denormal: denormal(1.0 / denominator),
        quotient_denormal: denormal(numerator / denominator),
        is_denominator: a.to_bits() == denominator.to_bits(),
    };
    scaling(&division, 768, 128, 53)
}

/// `a`, which is one of the two other operands, scaled so that a division by Newton steps neither overflows nor
/// loses bits.
pub fn scale(a: f32, denominator: f32, numerator: f32) -> f32 {
    match scaling32(a, denominator, numerator).operand {
        None => f32::from_bits(0x7fc0_0000),
        Some(0) => crate::op::canon(a),
        Some(power) => crate::op::canon(crate::math::ldexp(a, power)),
    }
}

/// Whether the quotient of operands scaled so is scaled back by [`crate::round::fma_div`].
pub fn scale_flag(a: f32, denominator: f32, numerator: f32) -> bool {
    scaling32(a, denominator, numerator).back
}

/// [`scale`] in double precision.
pub fn scale64(a: f64, denominator: f64, numerator: f64) -> f64 {
    match scaling64(a, denominator, numerator).operand {
        None => f64::from_bits(INFINITY64 | QUIET64),
        Some(0) => crate::op::canon64(a),
        Some(power) => crate::double::ldexp(a, power, 0),
    }
}

/// [`scale_flag`] in double precision.
pub fn scale_flag64(a: f64, denominator: f64, numerator: f64) -> bool {
    scaling64(a, denominator, numerator).back
}

/// The quotient, or what the special cases of numerator and denominator ask for.
///
/// The sign of a special result is that of numerator times denominator: the manual names the quotient's sign, which
/// cannot be meant, as the quotient is NaN in these cases. A quotient that is NaN for operands that are not stands for
/// an overflow, says the manual; the rules of the scaling also let a large denominator overflow when the quotient is
/// too small, and then the quotient is computed here. A zero takes the sign of numerator times denominator.
#[inline(always)]
pub fn fixup(quotient: u32, denominator: u32, numerator: u32) -> u32 {
    let (d, n) = (denominator & !(1 << 31), numerator & !(1 << 31));
    let sign = (denominator ^ numerator) & 1 << 31;
    let signalling = n > INFINITY && n & QUIET == 0;
    if d > INFINITY && !signalling {
        denominator | QUIET
    } else if n > INFINITY {
        numerator | QUIET
    } else if (d == 0 && n == 0) || (d == INFINITY && n == INFINITY) {
        0xffc0_0000
    } else if d == 0 || n == INFINITY {
        sign | INFINITY
    } else if d == INFINITY || n == 0 || quotient << 1 == 0 {
        sign
    } else if quotient & !(1 << 31) > INFINITY {
        let exact = f32::from_bits(numerator) / f32::from_bits(denominator);
        if exact.abs() < f32::MIN_POSITIVE {
            exact.to_bits()
        } else {
            sign | INFINITY
        }
    } else {
        quotient
    }
}

/// [`fixup`] in double precision.
#[inline(always)]
pub fn fixup64(quotient: u64, denominator: u64, numerator: u64) -> u64 {
    let (d, n) = (denominator & !(1 << 63), numerator & !(1 << 63));
    let sign = (denominator ^ numerator) & 1 << 63;
    let signalling = n > INFINITY64 && n & QUIET64 == 0;
    if d > INFINITY64 && !signalling {
        denominator | QUIET64
    } else if n > INFINITY64 {
        numerator | QUIET64
    } else if (d == 0 && n == 0) || (d == INFINITY64 && n == INFINITY64) {
        0xfff8_0000_0000_0000
    } else if d == 0 || n == INFINITY64 {
        sign | INFINITY64
    } else if d == INFINITY64 || n == 0 || quotient << 1 == 0 {
        sign
    } else if quotient & !(1 << 63) > INFINITY64 {
        let exact = f64::from_bits(numerator) / f64::from_bits(denominator);
        if exact.abs() < f64::MIN_POSITIVE {
            exact.to_bits()
        } else {
            sign | INFINITY64
        }
    } else {
        quotient
    }
}

/// The lighting product: `a * b` with zero times anything zero where `b` and `c` are above zero, -MAX elsewhere.
#[inline(always)]
pub fn mullit(a: f32, b: f32, c: f32) -> f32 {
    let product = if a == 0.0 { 0.0 } else { a * b };
    let lit = (b > 0.0) & (c > 0.0);
    crate::op::canon(if lit { product } else { f32::MIN })
}
