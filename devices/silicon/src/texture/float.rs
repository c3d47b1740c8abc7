//! Small floats: 16, 11 and 10 bits, and RGB9E5. To `f32` exact, from `f32` to nearest even. Free of branches and
//! calls, so loops over rows vectorise.

/// The `f32` of a float with 5 exponent bits and `M` mantissa bits, bit `5 + M` being the sign; exact, NaN keeps its
/// payload.
#[inline(always)]
pub fn from_small<const M: u32>(bits: u32) -> u32 {
    let magnitude = bits & ((1 << (M + 5)) - 1);
    let sign = (bits >> (M + 5)) << 31;
    let shifted = magnitude << (23 - M);
    let normal = shifted + (112 << 23);
    // Below 2^-14 the mantissa counts units of 2^-(14 + M): put it under a leading one and take that away again.
    let smallest = 113 << 23;
    let denormal = (f32::from_bits(smallest | shifted) - f32::from_bits(smallest)).to_bits();
    let special = shifted | 0xff << 23;
    let value = if magnitude < 1 << M {
        denormal
    } else if magnitude >= 31 << M {
        special
    } else {
        normal
    };
    value | sign
}

/// Magnitude of a float with 5 exponent and `M` mantissa bits nearest to the magnitude of `x`; a value too large gives
/// infinity. NaN keeps the upper part of its payload.
#[inline(always)]
fn small_magnitude<const M: u32>(x: u32) -> u32 {
    let shift = 23 - M;
    let magnitude = x & 0x7fff_ffff;
    let infinity = 31 << M;
    let odd = (magnitude >> shift) & 1;
    let normal = magnitude
        .wrapping_sub(112 << 23)
        .wrapping_add((1 << (shift - 1)) - 1 + odd)
        >> shift;
    // The unit of the last place of `magic` is that of the small float's denormals.
    let magic = (127 + 9 - M) << 23;
    let denormal = (f32::from_bits(magnitude) + f32::from_bits(magic))
        .to_bits()
        .wrapping_sub(magic);
    let payload = (magnitude >> shift) & ((1 << M) - 1);
    let nan = infinity | payload | (if payload == 0 { 1 << (M - 1) } else { 0 });
    if magnitude > 0x7f80_0000 {
        nan
    } else if magnitude < 113 << 23 {
        denormal
    } else if magnitude >= 143 << 23 || normal > infinity {
        infinity
    } else {
        normal
    }
}

/// `f32` of a half float.
#[inline(always)]
pub fn from_f16(bits: u32) -> u32 {
    from_small::<10>(bits & 0xffff)
}

/// Half float nearest to the `f32` with bits `x`; too large gives infinity.
#[inline(always)]
pub fn to_f16(x: u32) -> u32 {
    small_magnitude::<10>(x) | (x >> 31) << 15
}

/// [`to_f16`] of magnitudes below 2^16, and whether this one is none: infinite, NaN or too large.
#[inline(always)]
pub(crate) fn to_moderate_f16(x: u32) -> (u32, bool) {
    let magnitude = x & 0x7fff_ffff;
    let odd = magnitude >> 13 & 1;
    let normal = magnitude
        .wrapping_sub((112 << 23) - 0xfff)
        .wrapping_add(odd)
        >> 13;
    // As in `small_magnitude`.
    const MAGIC: u32 = 126 << 23;
    let sum = f32::from_bits(magnitude) + f32::from_bits(MAGIC);
    let denormal = sum.to_bits().wrapping_sub(MAGIC);
    let half = if magnitude < 113 << 23 {
        denormal
    } else {
        normal
    };
    (half | x >> 16 & 0x8000, magnitude >= 143 << 23)
}

/// Unsigned float with `M` mantissa bits nearest to the `f32` with bits `x`: negative values give 0, finite values too
/// large the largest finite one.
#[inline(always)]
pub fn to_unsigned_small<const M: u32>(x: u32) -> u32 {
    let magnitude = small_magnitude::<M>(x);
    let infinity = 31 << M;
    if x & 0x7fff_ffff > 0x7f80_0000 {
        magnitude
    } else if x >> 31 != 0 {
        0
    } else if magnitude == infinity && x != 0x7f80_0000 {
        infinity - 1
    } else {
        magnitude
    }
}

/// Three floats of a texel with a shared exponent; exact.
#[inline(always)]
pub fn from_shared_exponent(bits: u32) -> [f32; 3] {
    let scale = f32::from_bits(((bits >> 27) + 127 - 24) << 23);
    [
        (bits & 0x1ff) as i32 as f32 * scale,
        (bits >> 9 & 0x1ff) as i32 as f32 * scale,
        (bits >> 18 & 0x1ff) as i32 as f32 * scale,
    ]
}

/// The texel with a shared exponent for three floats: clamped to 0..=65408, NaN to 0, mantissas rounded half up.
#[inline(always)]
pub fn to_shared_exponent(rgb: [f32; 3]) -> u32 {
    const LARGEST: f32 = 65408.0;
    let clamp = |x: f32| {
        let x = if x > 0.0 { x } else { 0.0 };
        if x < LARGEST { x } else { LARGEST }
    };
    let [r, g, b] = [clamp(rgb[0]), clamp(rgb[1]), clamp(rgb[2])];
    let largest = if r > g { r } else { g };
    let largest = if largest > b { largest } else { b };
    // floor(log2) from the exponent field, not below -16.
    let log2 = (largest.to_bits() >> 23) as i32 - 127;
    let preliminary = (if log2 > -16 { log2 } else { -16 }) + 16;
    let mantissa = |x: f32, exponent: i32| {
        let scale = f64::from_bits(((24 - exponent + 1023) as u64) << 52);
        (f64::from(x) * scale + 0.5) as i32 as u32
    };
    let exponent = preliminary + i32::from(mantissa(largest, preliminary) == 512);
    mantissa(r, exponent)
        | mantissa(g, exponent) << 9
        | mantissa(b, exponent) << 18
        | (exponent as u32) << 27
}

/// Bits of a float; every NaN becomes the one quiet NaN that all hosts can agree on.
#[inline(always)]
pub fn canonical(x: f32) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every exponent, with the mantissas about each place where rounding changes.
    #[test]
    fn moderate_halves_are_halves() {
        let mut moderate = 0;
        for high in 0..=0xffff_ffffu32 >> 13 {
            for low in [0, 1, 0xfff, 0x1000, 0x1001, 0x1fff] {
                let bits = high << 13 | low;
                let (half, doubt) = to_moderate_f16(bits);
                let is_moderate = f32::from_bits(bits).abs() < 65536.0;
                assert_eq!(doubt, !is_moderate, "{bits:#x}");
                moderate += u32::from(!doubt);
                assert!(doubt || half == to_f16(bits), "{bits:#x}");
            }
        }
        assert!(moderate > 1 << 20);
    }

    #[test]
    fn halves_agree_with_the_half_crate() {
        for bits in 0..=0xffffu16 {
            let expected = half::f16::from_bits(bits);
            let got = f32::from_bits(from_f16(u32::from(bits)));
            if expected.is_nan() {
                assert!(got.is_nan());
            } else {
                assert_eq!(got.to_bits(), expected.to_f32().to_bits(), "{bits:#x}");
            }
            assert_eq!(to_f16(got.to_bits()), u32::from(bits));
        }
        let mut x = 1u32;
        for _ in 0..2_000_000 {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Spread over the exponents that matter.
            let bits = (x & 0x807f_ffff) | ((x >> 9) % 40 + 100) << 23;
            let expected = half::f16::from_f32(f32::from_bits(bits));
            assert_eq!(to_f16(bits), u32::from(expected.to_bits()), "{bits:#x}");
        }
        for bits in [
            0x477f_efff,
            0x477f_f000,
            0x7f80_0000,
            0x3300_0000,
            0x3300_0001,
            0xff80_0001,
        ] {
            let expected = half::f16::from_f32(f32::from_bits(bits));
            if !expected.is_nan() {
                assert_eq!(to_f16(bits), u32::from(expected.to_bits()), "{bits:#x}");
            } else {
                assert!(to_f16(bits) & 0x7fff > 0x7c00);
            }
        }
    }

    /// Nearest by search over all values, ties to the even pattern.
    fn nearest<const M: u32>(x: f32) -> u32 {
        let value = |b: u32| f64::from(f32::from_bits(from_small::<M>(b)));
        let mut best = 0;
        for candidate in 0..31 << M {
            let (old, new) = (
                (value(best) - f64::from(x)).abs(),
                (value(candidate) - f64::from(x)).abs(),
            );
            if new < old || new == old && candidate % 2 == 0 {
                best = candidate;
            }
        }
        best
    }

    #[test]
    fn unsigned_floats_round_to_nearest_even() {
        fn check<const M: u32>() {
            for bits in 0..1u32 << (M + 5) {
                assert_eq!(to_unsigned_small::<M>(from_small::<M>(bits)), bits);
            }
            let mut x = 7u32;
            for _ in 0..500 {
                x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let bits = (x & 0x007f_ffff) | ((x >> 9) % 34 + 108) << 23;
                assert_eq!(
                    to_unsigned_small::<M>(bits),
                    nearest::<M>(f32::from_bits(bits)),
                    "{bits:#x}"
                );
                // A tie: half way between two neighbours.
                let low = x >> 8 & ((31 << M) - 2);
                let middle = (f64::from(f32::from_bits(from_small::<M>(low)))
                    + f64::from(f32::from_bits(from_small::<M>(low + 1))))
                    / 2.0;
                assert_eq!(
                    to_unsigned_small::<M>((middle as f32).to_bits()),
                    low + (low & 1)
                );
            }
            assert_eq!(to_unsigned_small::<M>((-1f32).to_bits()), 0);
            assert_eq!(to_unsigned_small::<M>(f32::NEG_INFINITY.to_bits()), 0);
            assert_eq!(to_unsigned_small::<M>(f32::INFINITY.to_bits()), 31 << M);
            assert_eq!(to_unsigned_small::<M>(1e9f32.to_bits()), (31 << M) - 1);
        }
        check::<6>();
        check::<5>();
    }

    /// The definition, in exact arithmetic of doubles. [VULKAN RGB to Shared Exponent Conversion]
    fn shared_exponent_by_definition(rgb: [f32; 3]) -> u32 {
        let clamped = rgb.map(|x| {
            if x > 0.0 {
                f64::from(x).min(65408.0)
            } else {
                0.0
            }
        });
        let largest = clamped.iter().copied().fold(0.0, f64::max);
        let power = |n: i32| f64::from_bits(((n + 1023) as u64) << 52);
        let floor_log2 = (-16..16)
            .rev()
            .find(|n| largest >= power(*n))
            .unwrap_or(-16);
        let preliminary = floor_log2.max(-16) + 16;
        let mantissa = |x: f64, exponent: i32| (x / power(exponent - 24) + 0.5).floor() as u32;
        let carries = mantissa(largest, preliminary) == 512;
        let exponent = preliminary + i32::from(carries);
        let [r, g, b] = clamped.map(|x| mantissa(x, exponent));
        r | g << 9 | b << 18 | (exponent as u32) << 27
    }

    /// The largest component rounds up to 512 from 511.5 / 512 of a power of two on, which takes the next exponent; the
    /// other components are then rounded by that one.
    #[test]
    fn shared_exponents_carry() {
        let texel = |r: u32, g: u32, b: u32, e: u32| r | g << 9 | b << 18 | e << 27;
        for (part, expected) in [
            (511.0, texel(511, 0, 0, 15)),
            (511.25, texel(511, 0, 0, 15)),
            (511.499, texel(511, 0, 0, 15)),
            (511.5, texel(256, 0, 0, 16)),
            (511.75, texel(256, 0, 0, 16)),
            (512.0, texel(256, 0, 0, 16)),
        ] {
            let x: f32 = part / 512.0;
            assert_eq!(to_shared_exponent([x, 0.0, 0.0]), expected, "{part}");
            let turned = to_shared_exponent([0.0, x, 0.0]);
            assert_eq!(turned, (expected & 511) << 9 | expected & 31 << 27);
            let turned = to_shared_exponent([0.0, 0.0, x]);
            assert_eq!(turned, (expected & 511) << 18 | expected & 31 << 27);
        }
        // 3 / 512 is 3 units without the carry, 1.5 units with it: rounded up to 2.
        let three = 3.0 / 512.0;
        assert_eq!(
            to_shared_exponent([511.75 / 512.0, three, 0.0]),
            texel(256, 2, 0, 16)
        );
        assert_eq!(
            to_shared_exponent([511.25 / 512.0, three, 0.0]),
            texel(511, 3, 0, 15)
        );
        assert_eq!(
            to_shared_exponent([65408.0, 1e30, f32::INFINITY]),
            texel(511, 511, 511, 31)
        );
        // Below the smallest exponent there are denormals; half a unit rounds up.
        let unit = 1.0 / 16_777_216.0;
        assert_eq!(
            to_shared_exponent([unit, 0.5 * unit, 0.49 * unit]),
            texel(1, 1, 0, 0)
        );
        let mut x = 5u32;
        let mut next = || {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits(x >> 1 & 0x007f_ffff | ((x >> 20) % 40 + 104) << 23)
        };
        for _ in 0..200_000 {
            let rgb = [next(), next(), next()];
            let expected = shared_exponent_by_definition(rgb);
            assert_eq!(to_shared_exponent(rgb), expected, "{rgb:?}");
        }
    }

    #[test]
    fn shared_exponents() {
        assert_eq!(from_shared_exponent(0), [0.0; 3]);
        assert_eq!(
            to_shared_exponent([1.0, 0.5, 0.25]),
            256 | 128 << 9 | 64 << 18 | 16 << 27
        );
        assert_eq!(
            to_shared_exponent([f32::NAN, -1.0, 1e9]),
            511 << 18 | 31 << 27
        );
        let mut x = 3u32;
        for _ in 0..100_000 {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = from_shared_exponent(x);
            assert_eq!(
                from_shared_exponent(to_shared_exponent(value)),
                value,
                "{x:#x}"
            );
        }
    }
}
