//! Averages of texels of bytes, from a window to registers. Sums are whole numbers; up to the last product, two of 16
//! bits share a word.
//!
//! # Safety
//!
//! As in [`super::vectors`].

#![expect(
    clippy::needless_range_loop,
    reason = "numbers of chunks, taps and bytes index several arrays"
)]

use std::arch::x86_64::{
    __m512, __m512i, __mmask16, __mmask32, _mm512_add_epi16, _mm512_add_epi32, _mm512_and_si512,
    _mm512_castps_si512, _mm512_castsi512_ps, _mm512_cvtepi32_ps, _mm512_cvtepu32_ps,
    _mm512_fmadd_ps, _mm512_madd_epi16, _mm512_mask_blend_epi16, _mm512_mask_mov_epi32,
    _mm512_mul_ps, _mm512_mullo_epi16, _mm512_mullo_epi32, _mm512_or_si512, _mm512_set1_epi16,
    _mm512_set1_epi32, _mm512_set1_ps, _mm512_slli_epi16, _mm512_slli_epi32, _mm512_srli_epi16,
    _mm512_srli_epi32, _mm512_srlv_epi32, _mm512_sub_epi16, _mm512_sub_epi32, _mm512_sub_ps,
    _mm512_xor_si512,
};

use super::vectors::{CHUNK, one, pairs_of, part, table, vector, words};
use super::{ByteFilter, ByteTaps, LANES, PAIR, Row, flat};
use crate::texture::exact::Divisor;

/// Sums are results.
const FINISH: u8 = 0;
/// They wait for those of the next level.
const KEEP: u8 = 1;
/// They are mixed with those that wait.
const MIX: u8 = 2;

/// High halves of words.
const HIGH: __mmask32 = 0xaaaa_aaaa;

/// Filters the texels of a wave to the rows of their bytes. `sums` keeps those of the first of two levels.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn filter(by: &ByteFilter, sums: &mut [Row; 4], out: &mut [Option<&mut Row>; 4]) {
    let (near, far) = &by.levels;
    match (far, near.weights.is_some()) {
        (None, false) => level::<false, FINISH>(near, by, sums, out),
        (None, true) => level::<true, FINISH>(near, by, sums, out),
        (Some(far), false) => {
            level::<false, KEEP>(near, by, sums, out);
            level::<false, MIX>(far, by, sums, out);
        }
        (Some(far), true) => {
            level::<true, KEEP>(near, by, sums, out);
            level::<true, MIX>(far, by, sums, out);
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn level<const FOUR: bool, const THEN: u8>(
    taps: &ByteTaps,
    by: &ByteFilter,
    sums: &mut [Row; 4],
    out: &mut [Option<&mut Row>; 4],
) {
    macro_rules! of {
        ($($pairs:literal)+) => {
            match taps.window.count.div_ceil(PAIR) {
                _ if taps.window.own => each::<0, FOUR, THEN>(taps, by, sums, out),
                0 | 1 => each::<1, FOUR, THEN>(taps, by, sums, out),
                $($pairs => each::<$pairs, FOUR, THEN>(taps, by, sums, out),)+
                _ => each::<8, FOUR, THEN>(taps, by, sums, out),
            }
        };
    }
    of!(2 3 4 5 6 7);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn each<const PAIRS: usize, const FOUR: bool, const THEN: u8>(
    taps: &ByteTaps,
    by: &ByteFilter,
    sums: &mut [Row; 4],
    out: &mut [Option<&mut Row>; 4],
) {
    let window = taps.window;
    let table = table::<PAIRS>(flat(window.words(0)));
    let (right, down) = (
        _mm512_set1_epi32(1),
        _mm512_set1_epi32(window.stride as i32),
    );
    let border = _mm512_set1_epi32(by.border as i32);
    let first = match PAIRS {
        0 => &window.words(0)[0],
        _ => &window.first,
    };
    let first = first.as_chunks::<CHUNK>().0;
    for chunk in 0..LANES / CHUNK {
        let mask = part(by.exec, chunk);
        if mask == 0 {
            continue;
        }
        let texel = |at: __m512i, tap: usize| {
            let texel = match PAIRS {
                // Lanes have their own.
                0 => at,
                _ => one(&table, at, pairs_of(at)),
            };
            match taps.bordered {
                true => _mm512_mask_mov_epi32(texel, part(taps.outside[tap], chunk), border),
                false => texel,
            }
        };
        let top = vector(&first[chunk]);
        let of_four;
        let new = match taps.weights {
            Some(weights) if FOUR => {
                let low = _mm512_add_epi32(top, down);
                let texels = [
                    texel(top, 0),
                    texel(_mm512_add_epi32(top, right), 1),
                    texel(low, 2),
                    texel(_mm512_add_epi32(low, right), 3),
                ];
                let weights = weights.map(|row| vector(&row.as_chunks::<CHUNK>().0[chunk]));
                of_four = average(texels, weights);
                &of_four
            }
            _ if THEN == FINISH => {
                let texel = texel(top, 0);
                for (byte, out) in out.iter_mut().enumerate() {
                    if let Some(out) = out {
                        put(out, chunk, mask, from_unorm(texel, byte));
                    }
                }
                continue;
            }
            _ => {
                of_four = alone(texel(top, 0));
                &of_four
            }
        };
        for byte in 0..4 {
            if THEN == KEEP {
                sums[byte].as_chunks_mut::<CHUNK>().0[chunk] = words(new[byte]);
                continue;
            }
            let Some(out) = &mut out[byte] else {
                continue;
            };
            let value = if THEN == FINISH {
                const BY: Divisor = Divisor::new((255u32 << 16) as f32);
                quotient(_mm512_cvtepi32_ps(new[byte]), BY)
            } else {
                const BY: Divisor = Divisor::new((255u64 << 24) as f32);
                let old = vector(&sums[byte].as_chunks::<CHUNK>().0[chunk]);
                let weight = vector(&by.mix.as_chunks::<CHUNK>().0[chunk]);
                let more = _mm512_mullo_epi32(_mm512_sub_epi32(new[byte], old), weight);
                let sum = _mm512_add_epi32(_mm512_slli_epi32::<8>(old), more);
                quotient(_mm512_cvtepu32_ps(sum), BY)
            };
            put(out, chunk, mask, value);
        }
    }
}

/// Writes the enabled lanes of sixteen.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
pub(super) fn put(out: &mut Row, chunk: usize, mask: __mmask16, value: __m512) {
    let out = &mut out.as_chunks_mut::<CHUNK>().0[chunk];
    let value = _mm512_castps_si512(value);
    *out = words(match mask {
        u16::MAX => value,
        _ => _mm512_mask_mov_epi32(vector(out), mask, value),
    });
}

/// [`Exact::quotient`](crate::texture::exact::Exact::quotient).
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
fn quotient(x: __m512, by: Divisor) -> __m512 {
    let [near, rest] = by.reciprocal().map(|part| _mm512_set1_ps(part));
    _mm512_fmadd_ps(x, near, _mm512_mul_ps(x, rest))
}

/// A byte of each word as a fraction: [`Exact::from_unorm`](crate::texture::exact::Exact::from_unorm).
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
fn from_unorm(texel: __m512i, byte: usize) -> __m512 {
    let one = _mm512_set1_ps(1.0);
    let places = match byte {
        0 => _mm512_slli_epi32::<15>(texel),
        1 => _mm512_slli_epi32::<7>(texel),
        2 => _mm512_srli_epi32::<1>(texel),
        _ => _mm512_srli_epi32::<9>(texel),
    };
    let fraction = _mm512_and_si512(places, _mm512_set1_epi32(0xff << 15));
    let bits = _mm512_or_si512(fraction, _mm512_castps_si512(one));
    let x = _mm512_sub_ps(_mm512_castsi512_ps(bits), one);
    _mm512_fmadd_ps(x, _mm512_set1_ps(1.0 / 255.0), x)
}

/// The bytes of texels in units of 2^-16.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
fn alone(texel: __m512i) -> [__m512i; 4] {
    let mut sums = [texel; 4];
    for byte in 0..4 {
        let right = _mm512_srlv_epi32(texel, _mm512_set1_epi32(8 * byte as i32));
        let value = _mm512_and_si512(right, _mm512_set1_epi32(0xff));
        sums[byte] = _mm512_slli_epi32::<16>(value);
    }
    sums
}

/// Weighted sums of the four bytes of four texels, in units of 2^-16.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
fn average(texels: [__m512i; 4], [x, y]: [__m512i; 2]) -> [__m512i; 4] {
    // Sums of a line have 16 bits as weights add to 256. They are moved down by 2^15, as the products of pairs are signed.
    let middle = _mm512_set1_epi16(i16::MIN);
    let low_bytes = _mm512_set1_epi16(0xff);
    let x = _mm512_or_si512(x, _mm512_slli_epi32::<16>(x));
    let even = |[a, b]: [__m512i; 2]| {
        let from = _mm512_and_si512(a, low_bytes);
        let step = _mm512_sub_epi16(_mm512_and_si512(b, low_bytes), from);
        let base = _mm512_xor_si512(_mm512_slli_epi16::<8>(a), middle);
        _mm512_add_epi16(base, _mm512_mullo_epi16(step, x))
    };
    let odd = |[a, b]: [__m512i; 2]| {
        let from = _mm512_srli_epi16::<8>(a);
        let step = _mm512_sub_epi16(_mm512_srli_epi16::<8>(b), from);
        let base = _mm512_xor_si512(_mm512_slli_epi16::<8>(from), middle);
        _mm512_add_epi16(base, _mm512_mullo_epi16(step, x))
    };
    let [a, b, c, d] = texels;
    let even = [even([a, b]), even([c, d])];
    let odd = [odd([a, b]), odd([c, d])];
    // 256 less y for the upper line, y for the lower one.
    let rest = _mm512_sub_epi32(_mm512_set1_epi32(256), y);
    let weights = _mm512_or_si512(rest, _mm512_slli_epi32::<16>(y));
    let down = |upper: __m512i, lower: __m512i| {
        let pairs = _mm512_mask_blend_epi16(HIGH, upper, lower);
        // What was moved down, times 256.
        _mm512_add_epi32(
            _mm512_madd_epi16(pairs, weights),
            _mm512_set1_epi32(1 << 23),
        )
    };
    let first = |[upper, lower]: [__m512i; 2]| down(upper, _mm512_slli_epi32::<16>(lower));
    let second = |[upper, lower]: [__m512i; 2]| down(_mm512_srli_epi32::<16>(upper), lower);
    [first(even), first(odd), second(even), second(odd)]
}
