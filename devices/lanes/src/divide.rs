//! The helpers that machines put around a division by Newton steps: scaling before, fixing after, and the lighting
//! product. [SI V_DIV_FIXUP_F32; SI-ADDENDUM]

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

/// The helpers in one precision: its float and bit types, the bits of exponent and mantissa, the numbers of the scaling
/// rule, and the functions of that precision.
macro_rules! precision {
    (
        $float:ty, $bits:ty, $mantissa:literal, ($far:literal, $step:literal, $small:literal),
        $canon:expr, $ldexp:expr, $scaling:ident;
        $(#[$scale_doc:meta])* $scale:ident;
        $(#[$flag_doc:meta])* $flag:ident;
        $(#[$fixup_doc:meta])* $fixup:ident;
    ) => {
        fn $scaling(a: $float, denominator: $float, numerator: $float) -> Scaling {
            const EXPONENTS: $bits = <$bits>::MAX >> ($mantissa + 1);
            let exponent = |x: $float| (x.to_bits() >> $mantissa & EXPONENTS) as i32;
            let denormal = |x: $float| x != 0.0 && exponent(x) == 0;
            let division = Division {
                zero: denominator == 0.0 || numerator == 0.0,
                numerator_exponent: exponent(numerator),
                denominator_exponent: exponent(denominator),
                denominator_denormal: denormal(denominator),
                reciprocal_denormal: denormal(1.0 / denominator),
                quotient_denormal: denormal(numerator / denominator),
                is_denominator: a.to_bits() == denominator.to_bits(),
            };
            scaling(&division, $far, $step, $small)
        }

        $(#[$scale_doc])*
        pub fn $scale(a: $float, denominator: $float, numerator: $float) -> $float {
            match $scaling(a, denominator, numerator).operand {
                None => $canon(<$float>::NAN),
                Some(0) => $canon(a),
                Some(power) => $canon($ldexp(a, power)),
            }
        }

        $(#[$flag_doc])*
        pub fn $flag(a: $float, denominator: $float, numerator: $float) -> bool {
            $scaling(a, denominator, numerator).back
        }

        $(#[$fixup_doc])*
        #[inline(always)]
        pub fn $fixup(quotient: $bits, denominator: $bits, numerator: $bits) -> $bits {
            const SIGN: $bits = 1 << (<$bits>::BITS - 1);
            const QUIET: $bits = 1 << ($mantissa - 1);
            const INFINITY: $bits = <$float>::INFINITY.to_bits();
            let (d, n) = (denominator & !SIGN, numerator & !SIGN);
            let sign = (denominator ^ numerator) & SIGN;
            let signalling = n > INFINITY && n & QUIET == 0;
            if d > INFINITY && !signalling {
                denominator | QUIET
            } else if n > INFINITY {
                numerator | QUIET
            } else if (d == 0 && n == 0) || (d == INFINITY && n == INFINITY) {
                SIGN | INFINITY | QUIET
            } else if d == 0 || n == INFINITY {
                sign | INFINITY
            } else if d == INFINITY || n == 0 || quotient << 1 == 0 {
                sign
            } else if quotient & !SIGN > INFINITY {
                let exact = <$float>::from_bits(numerator) / <$float>::from_bits(denominator);
                if exact.abs() < <$float>::MIN_POSITIVE {
                    exact.to_bits()
                } else {
                    sign | INFINITY
                }
            } else {
                quotient
            }
        }
    };
}

precision! {
    f32, u32, 23, (96, 64, 23), crate::op::canon, crate::math::ldexp, scaling32;
    /// Scales `a` (numerator or denominator) so that Newton steps neither overflow nor lose bits.
    scale;
    /// Whether [`crate::round::fma_div`] must scale the quotient back.
    scale_flag;
    /// The quotient, or the result of a special case. Special results and zeros take the sign of numerator times
    /// denominator: the manual names the quotient's sign, but the quotient is NaN there.
    ///
    /// The manual reads a NaN quotient of non-NaN operands as overflow. Scaling also lets a large denominator overflow
    /// when the quotient underflows; then the quotient is computed here.
    fixup;
}

precision! {
    f64, u64, 52, (768, 128, 53), crate::op::canon64, ldexp64, scaling64;
    /// [`scale`] in double precision.
    scale64;
    /// [`scale_flag`] in double precision.
    scale_flag64;
    /// [`fixup`] in double precision.
    fixup64;
}

fn ldexp64(a: f64, power: i32) -> f64 {
    crate::double::ldexp(a, power, 0)
}

/// Legacy lighting product: `a * b` with `0 * x = 0` where `b` and `c` are above zero, else -MAX.
#[inline(always)]
pub fn mullit(a: f32, b: f32, c: f32) -> f32 {
    let product = if a == 0.0 { 0.0 } else { a * b };
    let lit = (b > 0.0) & (c > 0.0);
    crate::op::canon(if lit { product } else { f32::MIN })
}
