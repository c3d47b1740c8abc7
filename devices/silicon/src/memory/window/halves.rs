//! Texels of 16-bit floats: their conversion, and weighted sums, in which lanes take both halves of a word by one permutation, and convert what they
//! took. A window has more texels than a wave has lanes, and fewer words than components.
//!
//! # Safety
//!
//! As in [`super::vectors`].

#![expect(
    clippy::needless_range_loop,
    reason = "numbers of chunks, taps, words and components index several arrays"
)]

use std::arch::x86_64::{
    __m512i, __mmask32, _CMP_UNORD_Q, _mm512_add_epi16, _mm512_add_epi32, _mm512_add_ps,
    _mm512_castps_si512, _mm512_castsi256_si512, _mm512_castsi512_ps, _mm512_castsi512_si256,
    _mm512_cmp_ps_mask, _mm512_cvtepi32_epi16, _mm512_cvtph_ps, _mm512_extracti64x4_epi64,
    _mm512_inserti64x4, _mm512_mask_mov_epi16, _mm512_mask_testn_epi32_mask, _mm512_mask_xor_epi32,
    _mm512_maskz_mul_ps, _mm512_movepi16_mask, _mm512_permutex2var_epi16, _mm512_set1_epi16,
    _mm512_set1_epi32, _mm512_setzero_ps, _mm512_slli_epi16, _mm512_srli_epi32, _mm512_srlv_epi32,
    _mm512_test_epi32_mask,
};

use super::vectors::{CHUNK, finished, look_up, table, vector, words};
use super::{LANES, Row, flat};

/// [`super::vectors::blend`] of the halves of the first two words.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn blend(
    texels: [&[Row; 4]; 2],
    pairs: u32,
    first: &Row,
    step: [u32; 2],
    weights: &[[Row; 4]],
    clean: bool,
    out: &mut [&mut Row],
) {
    match out {
        [a] => by_pairs::<1, 1>(texels, pairs, first, step, weights, clean, [&mut **a]),
        [a, b] => {
            let out = [&mut **a, &mut **b];
            by_pairs::<1, 2>(texels, pairs, first, step, weights, clean, out);
        }
        [a, b, c] => {
            let out = [&mut **a, &mut **b, &mut **c];
            by_pairs::<2, 3>(texels, pairs, first, step, weights, clean, out);
        }
        [a, b, c, d, ..] => {
            let out = [&mut **a, &mut **b, &mut **c, &mut **d];
            by_pairs::<2, 4>(texels, pairs, first, step, weights, clean, out);
        }
        [] => {}
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
fn by_pairs<const WORDS: usize, const COUNT: usize>(
    texels: [&[Row; 4]; 2],
    pairs: u32,
    first: &Row,
    step: [u32; 2],
    weights: &[[Row; 4]],
    clean: bool,
    out: [&mut Row; COUNT],
) {
    macro_rules! by {
        ($($pairs:literal)+) => {
            match pairs {
                0 | 1 => sums::<1, WORDS, COUNT>(texels, first, step, weights, clean, out),
                $($pairs => {
                    sums::<$pairs, WORDS, COUNT>(texels, first, step, weights, clean, out);
                })+
                _ => sums::<8, WORDS, COUNT>(texels, first, step, weights, clean, out),
            }
        };
    }
    by!(2 3 4 5 6 7);
}

/// The floats in the half of each word from bit `shift` on, 0 or 16, with the bits of what is not a number.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn convert(from: &Row, shift: u32, out: &mut Row) {
    let (from, out) = (from.as_chunks::<CHUNK>().0, out.as_chunks_mut::<CHUNK>().0);
    let shift = _mm512_set1_epi32(shift as i32);
    // The highest bit of a fraction says that a NaN is quiet. Conversion sets it.
    let (half, float) = (_mm512_set1_epi32(0x200), _mm512_set1_epi32(0x40_0000));
    for chunk in 0..LANES / CHUNK {
        let halves = _mm512_srlv_epi32(vector(&from[chunk]), shift);
        let floats = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(halves));
        let nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(floats, floats);
        let signals = _mm512_mask_testn_epi32_mask(nan, halves, half);
        let floats = _mm512_castps_si512(floats);
        out[chunk] = words(_mm512_mask_xor_epi32(floats, signals, floats, float));
    }
}

/// The halves of texels with these numbers, as [`super::vectors::one`]: low ones, then high ones.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
fn one<const PAIRS: usize>(
    table: &[[__m512i; 2]; PAIRS],
    at: __m512i,
    bits: [__mmask32; 3],
) -> __m512i {
    look_up!(
        table,
        at,
        bits,
        _mm512_permutex2var_epi16,
        _mm512_mask_mov_epi16
    )
}

/// Numbers of sixteen texels as those of their low and high halves.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
fn both(at: __m512i) -> __m512i {
    let narrow = _mm512_cvtepi32_epi16(_mm512_add_epi32(at, at));
    let high = _mm512_castsi512_si256(_mm512_set1_epi16(1));
    let one = _mm512_inserti64x4::<1>(_mm512_set1_epi32(0), high);
    let both = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(narrow), narrow);
    _mm512_add_epi16(both, one)
}

/// Weighted sums of rows of texels, tap by tap: `words[w][t]` is word `w` of texel `t`. Added to what is there unless they
/// are the `first`.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn add(
    words: [&[Row; 4]; 2],
    weights: &[Row; 4],
    (first, clean): (bool, bool),
    out: &mut [&mut Row],
) {
    match out {
        [a] => added::<1, 1>(words, weights, first, clean, [&mut **a]),
        [a, b] => added::<1, 2>(words, weights, first, clean, [&mut **a, &mut **b]),
        [a, b, c] => {
            let out = [&mut **a, &mut **b, &mut **c];
            added::<2, 3>(words, weights, first, clean, out);
        }
        [a, b, c, d, ..] => {
            let out = [&mut **a, &mut **b, &mut **c, &mut **d];
            added::<2, 4>(words, weights, first, clean, out);
        }
        [] => {}
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn added<const WORDS: usize, const COUNT: usize>(
    texels: [&[Row; 4]; 2],
    weights: &[Row; 4],
    first: bool,
    clean: bool,
    out: [&mut Row; COUNT],
) {
    for chunk in 0..LANES / CHUNK {
        let mut sums = [_mm512_setzero_ps(); COUNT];
        if !first {
            for c in 0..COUNT {
                sums[c] = _mm512_castsi512_ps(vector(&out[c].as_chunks::<CHUNK>().0[chunk]));
            }
        }
        for tap in 0..4 {
            let weight = vector(&weights[tap].as_chunks::<CHUNK>().0[chunk]);
            let some = _mm512_test_epi32_mask(weight, weight);
            let weight = _mm512_castsi512_ps(weight);
            for word in 0..WORDS {
                let texel = vector(&texels[word][tap].as_chunks::<CHUNK>().0[chunk]);
                for half in 0..2 {
                    let c = 2 * word + half;
                    if c < COUNT {
                        let bits = match half {
                            0 => texel,
                            _ => _mm512_srli_epi32::<16>(texel),
                        };
                        let value = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(bits));
                        let term = _mm512_maskz_mul_ps(some, value, weight);
                        sums[c] = _mm512_add_ps(sums[c], term);
                    }
                }
            }
        }
        for c in 0..COUNT {
            out[c].as_chunks_mut::<CHUNK>().0[chunk] = words(finished(sums[c], clean));
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn sums<const PAIRS: usize, const WORDS: usize, const COUNT: usize>(
    texels: [&[Row; 4]; 2],
    first: &Row,
    [slice, stride]: [u32; 2],
    weights: &[[Row; 4]],
    clean: bool,
    out: [&mut Row; COUNT],
) {
    let mut tables = [[[_mm512_set1_epi32(0); 2]; PAIRS]; WORDS];
    for word in 0..WORDS {
        tables[word] = table::<PAIRS>(flat(texels[word]));
    }
    let twice = |texels: u32| _mm512_set1_epi16(2 * texels as i16);
    let (right, down, slice) = (twice(1), twice(stride), twice(slice));
    let first = first.as_chunks::<CHUNK>().0;
    for chunk in 0..LANES / CHUNK {
        let mut sums = [_mm512_setzero_ps(); COUNT];
        let mut top = both(vector(&first[chunk]));
        for weights in weights {
            let low = _mm512_add_epi16(top, down);
            let taps = [
                top,
                _mm512_add_epi16(top, right),
                low,
                _mm512_add_epi16(low, right),
            ];
            for tap in 0..4 {
                let weight = vector(&weights[tap].as_chunks::<CHUNK>().0[chunk]);
                let some = _mm512_test_epi32_mask(weight, weight);
                let weight = _mm512_castsi512_ps(weight);
                let at = taps[tap];
                let bits = [
                    _mm512_movepi16_mask(_mm512_slli_epi16::<9>(at)),
                    _mm512_movepi16_mask(_mm512_slli_epi16::<8>(at)),
                    _mm512_movepi16_mask(_mm512_slli_epi16::<7>(at)),
                ];
                for word in 0..WORDS {
                    let texel = one(&tables[word], at, bits);
                    let halves = [
                        _mm512_castsi512_si256(texel),
                        _mm512_extracti64x4_epi64::<1>(texel),
                    ];
                    for half in 0..2 {
                        let c = 2 * word + half;
                        if c < COUNT {
                            let value = _mm512_cvtph_ps(halves[half]);
                            let term = _mm512_maskz_mul_ps(some, value, weight);
                            sums[c] = _mm512_add_ps(sums[c], term);
                        }
                    }
                }
            }
            top = _mm512_add_epi16(top, slice);
        }
        for c in 0..COUNT {
            out[c].as_chunks_mut::<CHUNK>().0[chunk] = words(finished(sums[c], clean));
        }
    }
}
