//! The arithmetic of sampling, one value at a time, shared by reference and row code. No host maths library;
//! branch-free where rows use it.

use super::Address;
use crate::texture::exact::Exact;
use host::Separate;

/// Evaluates an expression with an axis's mode as a constant.
macro_rules! each_mode {
    ($given:expr, $mode:ident => $run:expr) => {
        each_mode!($given, $mode => $run, [
            Repeat Mirror ClampToEdge MirrorClampToEdge HalfBorder MirrorHalfBorder Border MirrorBorder
        ])
    };
    ($given:expr, $mode:ident => $run:expr, [$($name:ident)*]) => {
        match $given {
            $(Address::$name => {
                const $mode: Address = Address::$name;
                $run
            })*
        }
    };
}
pub(super) use each_mode;

/// Fraction bits of weights and levels as they are passed around; a chip with fewer leaves the low ones zero.
pub const FRACTION_BITS: u32 = 8;

/// One, in units of a weight.
pub const ONE: u32 = 1 << FRACTION_BITS;

/// `floor(x)` as float and integer, for magnitudes below 2^22; beyond, any value; NaN gives NaN. Additions only, as
/// saturating conversions do not vectorise.
#[inline(always)]
fn whole(x: f32) -> (f32, i32) {
    // The sum leaves no fraction bits: it is rounded, and its low bits count.
    const MAGIC: f32 = 12_582_912.0;
    let sum = x + MAGIC;
    let near = sum - MAGIC;
    let number = (sum.to_bits() as i32).wrapping_sub(MAGIC.to_bits() as i32);
    if near > x {
        (near - 1.0, number.wrapping_sub(1))
    } else {
        (near, number)
    }
}

/// Largest integer not above `x`, whose magnitude is below 2^22.
#[inline(always)]
pub fn floor(x: f32) -> i32 {
    whole(x).1
}

/// `x` modulo a period of 1 or 2: 0 to the period. 0 for what is not finite.
#[inline(always)]
fn modulo<F: Exact>(x: f32, period: f32) -> f32 {
    let rest = x - period * F::floor(x * (1.0 / period));
    if rest > 0.0 { rest } else { 0.0 }
}

#[inline(always)]
fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x > low { x } else { low };
    if x < high { x } else { high }
}

/// Furthest that a texel offset reaches, with room to spare.
const REACH: f32 = 64.0;

/// Position in texels of coordinate `s` on an axis of `size` texels, before the texel offset.
#[inline(always)]
pub fn position(mode: Address, s: f32, size: f32, unnormalized: bool) -> f32 {
    let scale = if unnormalized { 1.0 } else { size };
    match mode {
        Address::Repeat | Address::Mirror if unnormalized => clamp(s, -1_048_576.0, 1_048_576.0),
        Address::Repeat => modulo::<Separate>(s, 1.0) * size,
        Address::Mirror => modulo::<Separate>(s, 2.0) * size,
        Address::ClampToEdge | Address::Border => clamp(s * scale, -REACH, size + REACH),
        Address::MirrorClampToEdge | Address::MirrorBorder => {
            clamp(s * scale, -REACH - size, size + REACH)
        }
        Address::HalfBorder => clamp(s * scale, 0.0, size),
        Address::MirrorHalfBorder => clamp((s * scale).abs(), 0.0, size),
    }
}

/// [`position`] with a texel offset, and what of the offset is added to texel numbers: half borders stop what is moved.
#[inline(always)]
pub fn moved_position(
    mode: Address,
    s: f32,
    size: f32,
    unnormalized: bool,
    offset: i32,
) -> (f32, i32) {
    let scale = if unnormalized { 1.0 } else { size };
    match mode {
        Address::HalfBorder => (clamp(s * scale + offset as f32, 0.0, size), 0),
        Address::MirrorHalfBorder => (clamp((s * scale + offset as f32).abs(), 0.0, size), 0),
        _ => (position(mode, s, size, unnormalized), offset),
    }
}

/// Texel offset along an axis from what a lane has for all: six bits each, from bits 0, 8 and 16 on.
#[inline(always)]
pub fn offset(packed: u32, axis: usize) -> i32 {
    (packed << (26 - 8 * axis)) as i32 >> 26
}

/// Texel offsets from -32 to 31 in one word.
#[inline(always)]
pub fn pack_offsets([x, y, z]: [i32; 3]) -> u32 {
    let six = |offset: i32, low: u32| (offset as u32 & 63) << low;
    six(x, 0) | six(y, 8) | six(z, 16)
}

/// Texel of a nearest filter at a position.
#[inline(always)]
pub fn nearest_texel(x: f32) -> i32 {
    floor(x)
}

/// First texel of a linear filter at a position, and the weight of the second one: the position is rounded to `bits`
/// fraction bits, half up.
#[inline(always)]
pub fn linear_texel(x: f32, bits: u32) -> (i32, u32) {
    let (first, number) = whole(x);
    let fraction = floor((x - first) * (1u32 << bits) as i32 as f32 + 0.5);
    let q = (number << bits) + fraction - (1 << bits >> 1);
    let weight = (q as u32 & ((1 << bits) - 1)) << (FRACTION_BITS - bits);
    (q >> bits, weight)
}

/// What a whole number from 0 to 2^23 is added to, so that the low bits of the sum, which is exact, count.
const COUNTS: f32 = 8_388_608.0;

/// [`linear_texel`] with [`FRACTION_BITS`] at a position 0 to 2^23 in 1/256 texel: texel number above, weight in the
/// low bits.
#[inline(always)]
pub(super) fn near_linear_texel<F: Exact>(x: f32) -> i32 {
    let sum = F::floor(x + 0.5) + COUNTS;
    (sum.to_bits() as i32).wrapping_sub(COUNTS.to_bits() as i32 + ONE as i32 / 2)
}

/// [`linear_texel`] with [`FRACTION_BITS`].
#[inline(always)]
pub(super) fn exact_linear_texel<F: Exact>(x: f32) -> (i32, u32) {
    if !F::FUSED {
        return linear_texel(x, FRACTION_BITS);
    }
    let first = F::floor(x);
    let fraction = F::floor((x - first) * ONE as i32 as f32 + 0.5);
    let q = (whole_bits(first) << FRACTION_BITS) + whole_bits(fraction) - (ONE as i32 >> 1);
    (q >> FRACTION_BITS, q as u32 & (ONE - 1))
}

/// [`position`] clamped to the edges, for modes without border or mirror. Sizes in 1/256 give positions in 1/256, as
/// that scales by a power of two.
#[inline(always)]
pub(super) fn near_position<F: Exact>(mode: Address, s: f32, size: f32) -> f32 {
    match mode {
        Address::ClampToEdge => clamp(s * size, 0.0, size),
        Address::Repeat => modulo::<F>(s, 1.0) * size,
        Address::Mirror => modulo::<F>(s, 2.0) * size,
        _ => position(mode, s, size, false),
    }
}

/// [`floor`] of magnitudes below 2^22, which positions on axes that have tables are.
#[inline(always)]
pub(super) fn near_floor<F: Exact>(x: f32) -> i32 {
    whole_bits(F::floor(x))
}

/// A whole number of such a magnitude, from the low bits of a sum.
#[inline(always)]
fn whole_bits(x: f32) -> i32 {
    const MAGIC: f32 = 12_582_912.0;
    ((x + MAGIC).to_bits() as i32).wrapping_sub(MAGIC.to_bits() as i32)
}

/// First texel of a gather at a position.
#[inline(always)]
pub fn gather_texel(x: f32) -> i32 {
    floor(x - 0.5)
}

/// A texel number that means the border colour.
pub const OUTSIDE: i32 = -1;

/// Address mode: the texel of number `i` on an axis of `size` texels, or [`OUTSIDE`]. `linear` matters to half-border
/// modes only: whether a footprint may blend with the border.
pub fn wrap(mode: Address, i: i32, size: i32, linear: bool) -> i32 {
    let mirrored = if i < 0 { -1 - i } else { i };
    let clamped = |i: i32| i.max(0).min(size - 1);
    let bordered = |i: i32| if i < 0 || i >= size { OUTSIDE } else { i };
    match mode {
        Address::Repeat => i.rem_euclid(size),
        Address::Mirror => {
            let m = i.rem_euclid(2 * size);
            if m < size { m } else { 2 * size - 1 - m }
        }
        Address::ClampToEdge => clamped(i),
        Address::MirrorClampToEdge => clamped(mirrored),
        Address::HalfBorder if !linear => clamped(i),
        Address::MirrorHalfBorder if !linear => clamped(mirrored),
        Address::HalfBorder | Address::Border => bordered(i),
        Address::MirrorHalfBorder | Address::MirrorBorder => bordered(mirrored),
    }
}

/// `i` modulo `size` for magnitudes up to 2^21: a product with the reciprocal is exact enough, as the quotient of
/// `i + 1/2` is no closer than `1 / (2 size)` to a whole number.
#[inline(always)]
fn modulo_texel<F: Exact>(i: i32, size: i32) -> i32 {
    let quotient = near_floor::<F>((i as f32 + 0.5) * (1.0 / size as f32));
    i.wrapping_sub(quotient.wrapping_mul(size))
}

/// [`wrap`] without integer division, for numbers up to 2^21.
#[inline(always)]
pub fn wrap_far(mode: Address, i: i32, size: i32, linear: bool) -> i32 {
    match mode {
        Address::Repeat => modulo_texel::<Separate>(i, size),
        Address::Mirror => {
            let m = modulo_texel::<Separate>(i, 2 * size);
            if m < size { m } else { 2 * size - 1 - m }
        }
        _ => wrap(mode, i, size, linear),
    }
}

/// Entry of a texel that an offset moved in the neighbour table of a mode, counted from that of texel 0.
#[inline(always)]
pub(super) fn moved_entry<F: Exact>(mode: Address, i: i32, size: i32) -> i32 {
    use Address::{Border, ClampToEdge, HalfBorder, Mirror, Repeat};
    match mode {
        Repeat => modulo_texel::<F>(i, size),
        Mirror => modulo_texel::<F>(i, 2 * size),
        ClampToEdge | HalfBorder | Border => i.max(-1).min(size),
        _ => i.max(-1 - size).min(size),
    }
}

/// What [`block_of`] multiplies by.
#[inline(always)]
pub(super) fn block_factor(size: u32) -> u32 {
    (1 << 19) / size + u32::from(!size.is_power_of_two())
}

/// `number / size`, for numbers below 2^15 and block sizes up to 12, 3 excepted.
#[inline(always)]
pub(super) fn block_of(number: u32, size: u32, factor: u32) -> u32 {
    // Powers of two divide both sides, so that products stay below 2^32.
    if size.is_power_of_two() {
        number >> size.trailing_zeros()
    } else {
        (number * factor) >> 19
    }
}

/// [`wrap`] without division, for texel numbers that [`position`] gives without offset and unnormalised coordinates.
#[inline(always)]
pub fn wrap_near(mode: Address, i: i32, size: i32, linear: bool) -> i32 {
    match mode {
        Address::Repeat => {
            let i = if i < 0 { i + size } else { i };
            if i >= size { i - size } else { i }
        }
        Address::Mirror => {
            let i = if i < 0 { -1 - i } else { i };
            let i = if i >= size { 2 * size - 1 - i } else { i };
            // 2 * size stands for 0.
            if i < 0 { -1 - i } else { i }
        }
        _ => wrap(mode, i, size, linear),
    }
}

/// `log2(p) / 2` of a square `p`, within 2^-16; exact for powers of two. Zero and NaN give -63.5.
#[inline(always)]
pub fn half_log2(p: f32) -> f32 {
    let p = if p > 0.0 { p } else { 0.0 };
    let bits = p.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let t = f32::from_bits(bits & 0x7f_ffff | 0x3f80_0000) - 1.0;
    // log2(1 + t) = t + t (1 - t) c(t), c fitted for the least squared error.
    let c = ((-0.044_243_74 * t + 0.147_018_77) * t - 0.266_536_28) * t + 0.441_835_87;
    (exponent as f32 + (t + t * (1.0 - t) * c)) * 0.5
}

/// Level of detail clamped: NaN gives the lower bound, and the upper bound wins.
#[inline(always)]
pub fn clamp_lod(lod: f32, low: f32, high: f32) -> f32 {
    clamp(lod, low, high)
}

/// Level of detail in units of 1/256, rounded half up to `bits` fraction bits.
#[inline(always)]
pub fn fixed_lod(lod: f32, bits: u32) -> i32 {
    let lod = clamp(lod, -1024.0, 1024.0);
    floor(lod * (1u32 << bits) as i32 as f32 + 0.5) << (FRACTION_BITS - bits)
}

/// A level of detail whose fraction stays at a level for longer: 0 leaves it, 1 to 3 begin to mix at an eighth, a quarter
/// and three eighths of the way.
#[inline(always)]
pub fn steepen(lod: i32, steepness: u32) -> i32 {
    if steepness == 0 {
        return lod;
    }
    let one = ONE as i32;
    let (whole, part) = (lod & !(one - 1), lod & (one - 1));
    let flat = steepness as i32 * one / 8;
    whole + ((part - flat) * one / (one - 2 * flat)).clamp(0, one)
}

/// Level of a nearest mip filter; half rounds down.
#[inline(always)]
pub fn nearest_level(lod: i32, last: i32) -> i32 {
    ((lod + (ONE as i32 / 2 - 1)) >> FRACTION_BITS).clamp(0, last)
}

/// Larger level of a linear mip filter, and the weight of the next one.
#[inline(always)]
pub fn linear_level(lod: i32, last: i32) -> (i32, u32) {
    let lod = lod.clamp(0, last << FRACTION_BITS);
    (lod >> FRACTION_BITS, lod as u32 & (ONE - 1))
}

/// Number of the layer that float `layer` names.
#[inline(always)]
pub fn layer(layer: f32, layers: u32) -> u32 {
    // The sum leaves no fraction bits, so it rounds to nearest even.
    const MAGIC: f32 = 8_388_608.0;
    let layer = clamp(layer, 0.0, layers.saturating_sub(1) as i32 as f32);
    (layer + MAGIC).to_bits() & 0x7f_ffff
}

/// Adds a weighted term; a weight of zero adds nothing, whatever the value.
#[inline(always)]
pub fn add_weighted(sum: f32, value: f32, weight: f32) -> f32 {
    let term = value * weight;
    sum + if weight == 0.0 { 0.0 } else { term }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::exact::Exact;
    use host::Fused;

    const MODES: [Address; 8] = [
        Address::Repeat,
        Address::Mirror,
        Address::ClampToEdge,
        Address::MirrorClampToEdge,
        Address::HalfBorder,
        Address::MirrorHalfBorder,
        Address::Border,
        Address::MirrorBorder,
    ];

    #[test]
    fn floors() {
        for (x, i) in [
            (0.0, 0),
            (-0.0, 0),
            (0.99, 0),
            (-0.01, -1),
            (-1.0, -1),
            (5.5, 5),
            (-0.5, -1),
            (1.5, 1),
            (2.5, 2),
            (4_000_000.5, 4_000_000),
            (-4_000_000.5, -4_000_001),
        ] {
            assert_eq!(floor(x), i, "{x}");
        }
    }

    #[test]
    fn wrapping() {
        let row = |mode, linear| [-5, -4, -1, 0, 3, 4, 7, 8].map(|i| wrap(mode, i, 4, linear));
        assert_eq!(row(Address::Repeat, true), [3, 0, 3, 0, 3, 0, 3, 0]);
        assert_eq!(row(Address::Mirror, true), [3, 3, 0, 0, 3, 3, 0, 0]);
        assert_eq!(row(Address::ClampToEdge, true), [0, 0, 0, 0, 3, 3, 3, 3]);
        assert_eq!(
            row(Address::MirrorClampToEdge, true),
            [3, 3, 0, 0, 3, 3, 3, 3]
        );
        assert_eq!(row(Address::Border, true), [-1, -1, -1, 0, 3, -1, -1, -1]);
        assert_eq!(
            row(Address::MirrorBorder, true),
            [-1, 3, 0, 0, 3, -1, -1, -1]
        );
        assert_eq!(
            row(Address::MirrorHalfBorder, false),
            [3, 3, 0, 0, 3, 3, 3, 3]
        );
        assert_eq!(
            row(Address::MirrorHalfBorder, true),
            [-1, 3, 0, 0, 3, -1, -1, -1]
        );
        assert_eq!(row(Address::HalfBorder, false), [0, 0, 0, 0, 3, 3, 3, 3]);
        assert_eq!(
            row(Address::HalfBorder, true),
            [-1, -1, -1, 0, 3, -1, -1, -1]
        );
    }

    /// What a coordinate shows on four texels with a nearest filter, worked out by hand: the texel, or -1 for the border.
    /// Half-border modes clamp half a texel before the border, so a nearest filter never sees it.
    /// [SI-ISA sampler CLAMP_X; GL ARB_texture_mirror_clamp]
    #[test]
    fn nearest_texels_of_every_mode() {
        let coordinates = [-2.3, -1.1, -0.9, -0.3, -0.1, 0.1, 0.3, 0.9, 1.1, 1.3, 2.3];
        for (mode, expected) in [
            (Address::Repeat, [2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 1]),
            (Address::Mirror, [1, 3, 3, 1, 0, 0, 1, 3, 3, 2, 1]),
            (Address::ClampToEdge, [0, 0, 0, 0, 0, 0, 1, 3, 3, 3, 3]),
            (Address::HalfBorder, [0, 0, 0, 0, 0, 0, 1, 3, 3, 3, 3]),
            (
                Address::MirrorClampToEdge,
                [3, 3, 3, 1, 0, 0, 1, 3, 3, 3, 3],
            ),
            (Address::MirrorHalfBorder, [3, 3, 3, 1, 0, 0, 1, 3, 3, 3, 3]),
            (Address::Border, [-1, -1, -1, -1, -1, 0, 1, 3, -1, -1, -1]),
            (
                Address::MirrorBorder,
                [-1, -1, 3, 1, 0, 0, 1, 3, -1, -1, -1],
            ),
        ] {
            for (s, expected) in coordinates.into_iter().zip(expected) {
                let i = nearest_texel(position(mode, s, 4.0, false));
                assert_eq!(wrap(mode, i, 4, false), expected, "{mode:?} {s}");
                assert_eq!(wrap_near(mode, i, 4, false), expected, "{mode:?} {s}");
            }
        }
    }

    #[test]
    fn half_borders_stop_moved_positions() {
        let moved = |mode, s, offset| moved_position(mode, s, 8.0, false, offset);
        assert_eq!(moved(Address::HalfBorder, -1.0, 3), (0.0, 0));
        assert_eq!(moved(Address::HalfBorder, 0.75, -3), (3.0, 0));
        assert_eq!(moved(Address::HalfBorder, 2.0, -3), (8.0, 0));
        assert_eq!(moved(Address::MirrorHalfBorder, 0.125, -3), (2.0, 0));
        assert_eq!(moved(Address::ClampToEdge, 0.5, -3), (4.0, -3));
    }

    #[test]
    fn offsets_of_all_axes() {
        for x in -32i32..32 {
            let given = [x, 31 - x.abs(), -1 - x];
            let packed = pack_offsets(given);
            assert_eq!([0, 1, 2].map(|axis| offset(packed, axis)), given);
            // Bits between the fields mean nothing.
            assert_eq!(offset(packed | 0xffc0_c0c0, 1), given[1]);
        }
    }

    /// Both texels of the entry that an offset leads to are those of the number, which may be far.
    #[test]
    fn moved_entries_are_texels() {
        for mode in MODES {
            for size in [1, 2, 3, 7, 64] {
                for i in -3 * size - 40..3 * size + 40 {
                    let entry = moved_entry::<Separate>(mode, i, size);
                    assert_eq!(entry, moved_entry::<Fused>(mode, i, size));
                    let table = match mode {
                        Address::Border | Address::HalfBorder => Address::ClampToEdge,
                        Address::MirrorBorder | Address::MirrorHalfBorder => {
                            Address::MirrorClampToEdge
                        }
                        other => other,
                    };
                    let texels = |i: i32| [i, i + 1].map(|i| wrap(table, i, size, true));
                    assert_eq!(texels(entry), texels(i), "{mode:?} {i} of {size}");
                }
            }
        }
    }

    #[test]
    fn wrap_near_is_wrap() {
        for mode in MODES {
            for size in [1, 2, 3, 7, 64, 100] {
                for k in -4000..4000 {
                    let x = position(mode, k as f32 * 0.001_237, size as f32, false);
                    let (i, _) = linear_texel(x, 8);
                    for i in [
                        i,
                        i + 1,
                        nearest_texel(x),
                        gather_texel(x),
                        gather_texel(x) + 1,
                    ] {
                        for linear in [false, true] {
                            assert_eq!(
                                wrap_near(mode, i, size, linear),
                                wrap(mode, i, size, linear),
                                "{mode:?} {i} of {size}"
                            );
                        }
                    }
                }
                for s in [f32::NAN, f32::INFINITY, -1e30, -1e-30, 0.999_999_94] {
                    let (i, _) = linear_texel(position(mode, s, size as f32, false), 8);
                    assert_eq!(wrap_near(mode, i, size, true), wrap(mode, i, size, true));
                    let outside = wrap(mode, i, size, true);
                    assert!((-1..size).contains(&outside));
                }
            }
        }
    }

    #[test]
    fn wrap_far_is_wrap() {
        for mode in MODES {
            for size in [1, 2, 3, 5, 7, 64, 100, 999, 4095, 32_767, 32_768] {
                let far = [1 << 20, (1 << 20) + 65, 1 << 21];
                let numbers = (-3000..3000).chain((-40..40).map(|i| 3 * size * i / 4 + i));
                for i in numbers.chain(far).chain(far.map(|i| -i)) {
                    for linear in [false, true] {
                        let [a, b] = [wrap_far, wrap].map(|wrap| wrap(mode, i, size, linear));
                        assert_eq!(a, b, "{mode:?} {i} of {size}");
                    }
                }
            }
        }
    }

    #[test]
    fn blocks_of_texels() {
        for size in [1, 2, 4, 5, 6, 8, 10, 12] {
            for number in 0..1 << 15 {
                assert_eq!(block_of(number, size, block_factor(size)), number / size);
            }
        }
    }

    #[test]
    fn linear_positions() {
        assert_eq!(linear_texel(0.5, 8), (0, 0));
        assert_eq!(linear_texel(1.0, 8), (0, 128));
        assert_eq!(linear_texel(0.0, 8), (-1, 128));
        assert_eq!(linear_texel(2.75, 8), (2, 64));
        assert_eq!(linear_texel(2.75, 1), (2, 128));
        assert_eq!(linear_texel(2.75, 2), (2, 64));
    }

    fn check_near<F: Exact>(mode: Address, size: i32, s: f32) {
        let size_f = size as f32;
        let far = position(mode, s, size_f, false);
        let near = near_position::<F>(mode, s, size_f);
        let scaled = near_position::<F>(mode, s, size_f * ONE as f32);
        assert_eq!(scaled, near * ONE as f32, "{mode:?} {s} of {size}");
        let (i, weight) = linear_texel(far, FRACTION_BITS);
        assert_eq!(
            exact_linear_texel::<F>(far),
            (i, weight),
            "{mode:?} {s} of {size}"
        );
        let q = near_linear_texel::<F>(scaled);
        let texels = |i: i32| [i, i + 1].map(|i| wrap(mode, i, size, true));
        assert_eq!(texels(q >> 8), texels(i), "{mode:?} {s} of {size}");
        let edge = texels(i)[0] == texels(i)[1];
        assert!(edge || q as u32 & 0xff == weight, "{mode:?} {s} of {size}");
        let [a, b] = [near, far].map(|x| wrap(mode, nearest_texel(x), size, false));
        assert_eq!(a, b, "{mode:?} {s} of {size}");
        assert_eq!(
            near_floor::<F>(near),
            nearest_texel(near),
            "{mode:?} {s} of {size}"
        );
        for x in [near, near - 0.5, far, far - 0.5] {
            assert_eq!(near_floor::<F>(x), floor(x), "{mode:?} {s} of {size}");
        }
    }

    #[test]
    fn near_positions_are_positions() {
        let check = |mode, size, s| {
            check_near::<Separate>(mode, size, s);
            check_near::<Fused>(mode, size, s);
        };
        for size in [1, 2, 3, 7, 64, 100, 4095, 16_384] {
            for mode in [Address::Repeat, Address::Mirror, Address::ClampToEdge] {
                for k in -40_000..40_000 {
                    check(mode, size, k as f32 * 0.000_061_7);
                    check(mode, size, k as f32 / (512 * size) as f32);
                }
                for s in [
                    f32::NAN,
                    f32::INFINITY,
                    -1e30,
                    -1e-30,
                    1e-30,
                    0.999_999_94,
                    6e6,
                ] {
                    check(mode, size, s);
                }
            }
        }
    }

    #[test]
    fn logarithms() {
        for e in -40..40 {
            assert_eq!(half_log2((e as f32).exp2()), e as f32 / 2.0);
        }
        let mut worst = 0f64;
        for i in 0..10_000 {
            let p = 1.0 + i as f32 / 10_000.0;
            worst = worst.max((f64::from(half_log2(p)) - f64::from(p).log2() / 2.0).abs());
        }
        assert!(worst < 1.0 / 65_536.0, "{worst}");
        assert_eq!(half_log2(f32::NAN), -63.5);
    }

    #[test]
    fn levels() {
        assert_eq!(nearest_level(128, 5), 0);
        assert_eq!(nearest_level(129, 5), 1);
        assert_eq!(nearest_level(-900, 5), 0);
        assert_eq!(nearest_level(9000, 5), 5);
        assert_eq!(linear_level(300, 5), (1, 44));
        assert_eq!(linear_level(1290, 5), (5, 0));
        assert_eq!(fixed_lod(1.501, 8), 384);
        assert_eq!(fixed_lod(1.3, 2), 256 + 64);
        // 4/3 f - 1/6, 2 f - 1/2, 4 f - 3/2.
        let eighths = [0, 32, 64, 96, 128, 160, 192, 224, 255].map(|part| 512 + part);
        let steeper = |steepness| eighths.map(|lod| steepen(lod, steepness) - 512);
        assert_eq!(steeper(0), eighths.map(|lod| lod - 512));
        assert_eq!(steeper(1), [0, 0, 42, 85, 128, 170, 213, 256, 256]);
        assert_eq!(steeper(2), [0, 0, 0, 64, 128, 192, 256, 256, 256]);
        assert_eq!(steeper(3), [0, 0, 0, 0, 128, 256, 256, 256, 256]);
        assert_eq!(steepen(-100, 2), -256 + 184);
        assert_eq!(layer(1.5, 4), 2);
        assert_eq!(layer(2.5, 4), 2);
        assert_eq!(layer(-3.0, 4), 0);
        assert_eq!(layer(9.0, 4), 3);
        assert_eq!(layer(f32::NAN, 4), 0);
    }
}
