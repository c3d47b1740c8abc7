//! Permutations of vectors of sixteen words: what lanes take from the texels of a window.
//!
//! # Safety
//!
//! Callers have seen that the host has AVX-512: [`super::Lookup`]. Vectors and arrays of sixteen words are 64 bytes of any
//! value.

#![expect(
    clippy::needless_range_loop,
    reason = "numbers of chunks, taps and components index several arrays"
)]

use std::arch::x86_64::{
    __m512, __m512i, __mmask16, _CMP_LT_OQ, _CMP_UNORD_Q, _mm512_add_epi32, _mm512_add_ps,
    _mm512_and_si512, _mm512_castps_si512, _mm512_castsi512_ps, _mm512_cmp_ps_mask,
    _mm512_cmplt_epu32_mask, _mm512_fmadd_ps, _mm512_mask_add_epi32, _mm512_mask_cmp_ps_mask,
    _mm512_mask_cvtepi32_ps, _mm512_mask_max_epu32, _mm512_mask_min_epu32, _mm512_mask_mov_epi32,
    _mm512_mask_sub_epi32, _mm512_maskz_compress_epi32, _mm512_maskz_mul_ps,
    _mm512_maskz_ternarylogic_epi32, _mm512_max_epu32, _mm512_movepi32_mask, _mm512_mul_ps,
    _mm512_permutex2var_epi32, _mm512_set1_epi32, _mm512_setzero_ps, _mm512_setzero_si512,
    _mm512_shuffle_epi32, _mm512_shuffle_i32x4, _mm512_slli_epi32, _mm512_test_epi32_mask,
    _mm512_xor_si512,
};

use super::{LANES, Numbers, Positions, Row, TEXELS, Terms, flat, numbers};
use crate::texture::exact::SMALL;

pub(in crate::memory) const CHUNK: usize = 16;

/// A vector of sixteen words.
#[inline(always)]
pub(in crate::memory) fn vector(words: &[u32; CHUNK]) -> __m512i {
    // SAFETY: both are 64 bytes, of any value.
    unsafe { std::mem::transmute::<[u32; CHUNK], __m512i>(*words) }
}

/// Its words.
#[inline(always)]
pub(in crate::memory) fn words(vector: __m512i) -> [u32; CHUNK] {
    // SAFETY: as above.
    unsafe { std::mem::transmute::<__m512i, [u32; CHUNK]>(vector) }
}

/// Sixteen lanes of a mask.
#[inline(always)]
pub(in crate::memory) fn part(mask: u64, chunk: usize) -> __mmask16 {
    (mask >> (CHUNK * chunk)) as u16
}

/// Least and largest numbers of some lanes in two rows. All four are found as one: of least ones the complements, which are
/// largest, so that a vector folds to a word of each.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn spans(rows: [&Row; 2], exec: u64) -> [[u32; 2]; 2] {
    let all = _mm512_set1_epi32(-1);
    let mut ends = [[_mm512_setzero_si512(); 2]; 2];
    for (row, [low, high]) in rows.into_iter().zip(&mut ends) {
        let mut least = all;
        for (chunk, words) in row.as_chunks::<CHUNK>().0.iter().enumerate() {
            let (at, lanes) = (vector(words), part(exec, chunk));
            least = _mm512_mask_min_epu32(least, lanes, least, at);
            *high = _mm512_mask_max_epu32(*high, lanes, *high, at);
        }
        *low = _mm512_xor_si512(least, all);
    }
    // Halves, then quarters of vectors side by side.
    let [a, b] = ends.map(|[low, high]| {
        let front = _mm512_shuffle_i32x4::<0b01_00_01_00>(low, high);
        let back = _mm512_shuffle_i32x4::<0b11_10_11_10>(low, high);
        _mm512_max_epu32(front, back)
    });
    let front = _mm512_shuffle_i32x4::<0b10_00_10_00>(a, b);
    let back = _mm512_shuffle_i32x4::<0b11_01_11_01>(a, b);
    let four = _mm512_max_epu32(front, back);
    let two = _mm512_max_epu32(four, _mm512_shuffle_epi32::<0b01_00_11_10>(four));
    let one = _mm512_max_epu32(two, _mm512_shuffle_epi32::<0b10_11_00_01>(two));
    let [low_x, high_x, low_y, high_y, ..] = words(_mm512_maskz_compress_epi32(0x1111, one));
    [[!low_x, high_x], [!low_y, high_y]]
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn number(positions: &Positions, by: Numbers, first: &mut Row) {
    numbers(positions, by, first);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn pick(texels: &[u32; TEXELS], pairs: u32, first: &Row, out: &mut Row) {
    macro_rules! by {
        ($($pairs:literal)+) => {
            match pairs {
                0 | 1 => single::<1>(texels, first, out),
                $($pairs => single::<$pairs>(texels, first, out),)+
                _ => single::<8>(texels, first, out),
            }
        };
    }
    by!(2 3 4 5 6 7);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn single<const PAIRS: usize>(texels: &[u32; TEXELS], first: &Row, out: &mut Row) {
    let table = table::<PAIRS>(texels);
    let (first, out) = (first.as_chunks::<CHUNK>().0, out.as_chunks_mut::<CHUNK>().0);
    for chunk in 0..LANES / CHUNK {
        let at = vector(&first[chunk]);
        out[chunk] = words(one(&table, at, pairs_of(at)));
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn blend(
    texels: &[&[Row; 4]],
    pairs: u32,
    first: &Row,
    step: [u32; 2],
    weights: &[[Row; 4]],
    terms: Terms,
    out: &mut [&mut Row],
) {
    match (texels, out) {
        ([a], [o]) => tables([*a], pairs, first, step, weights, terms, [&mut **o]),
        ([a, b], [o, p]) => {
            let out = [&mut **o, &mut **p];
            tables([*a, *b], pairs, first, step, weights, terms, out);
        }
        ([a, b, c], [o, p, q]) => {
            let out = [&mut **o, &mut **p, &mut **q];
            tables([*a, *b, *c], pairs, first, step, weights, terms, out);
        }
        ([a, b, c, d, ..], [o, p, q, r, ..]) => {
            let texels = [*a, *b, *c, *d];
            let out = [&mut **o, &mut **p, &mut **q, &mut **r];
            tables(texels, pairs, first, step, weights, terms, out);
        }
        _ => {}
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
fn tables<const COUNT: usize>(
    texels: [&[Row; 4]; COUNT],
    pairs: u32,
    first: &Row,
    step: [u32; 2],
    weights: &[[Row; 4]],
    terms: Terms,
    out: [&mut Row; COUNT],
) {
    macro_rules! by {
        ($small:literal: $($pairs:literal)+) => {
            match pairs {
                0 | 1 => sums::<1, COUNT, $small>(texels, first, step, weights, terms.clean, out),
                $($pairs => {
                    sums::<$pairs, COUNT, $small>(texels, first, step, weights, terms.clean, out);
                })+
                _ => sums::<8, COUNT, $small>(texels, first, step, weights, terms.clean, out),
            }
        };
    }
    match terms.small {
        true => by!(true: 2 3 4 5 6 7),
        false => by!(false: 2 3 4 5 6 7),
    }
}

/// Products of texels and weights, 0 where a weight is, without subnormal operands and results: as
/// [`Exact::small_product`](crate::texture::exact::Exact::small_product).
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
fn small_products(texels: __m512i, weights: __m512, some: __mmask16) -> __m512 {
    // Small magnitudes count units of 2^-149. From 2^23 of them on a product is not subnormal.
    let (units, least) = (_mm512_set1_epi32(149 << 23), _mm512_set1_epi32(150 << 23));
    let magnitudes = _mm512_and_si512(texels, _mm512_set1_epi32(i32::MAX));
    let small = _mm512_cmplt_epu32_mask(magnitudes, _mm512_set1_epi32(SMALL as i32));
    let subnormal = _mm512_cmplt_epu32_mask(magnitudes, _mm512_set1_epi32(1 << 23));
    let counts = _mm512_mask_add_epi32(magnitudes, small, magnitudes, units);
    let counts = _mm512_mask_cvtepi32_ps(_mm512_castsi512_ps(counts), subnormal, magnitudes);
    let products = _mm512_mul_ps(counts, weights);
    // What is to be subnormal rounds to a whole number in a sum, whose low bits are those of the product.
    let two_23 = _mm512_castsi512_ps(least);
    let whole = _mm512_castps_si512(_mm512_fmadd_ps(counts, weights, two_23));
    let low = _mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(small, products, two_23);
    let products = _mm512_castps_si512(products);
    let products = _mm512_mask_sub_epi32(products, small, products, units);
    let products = _mm512_mask_sub_epi32(products, low, whole, least);
    let sign = _mm512_set1_epi32(i32::MIN);
    let products = _mm512_maskz_ternarylogic_epi32::<CHOOSE>(some, products, sign, texels);
    _mm512_castsi512_ps(products)
}

/// Bits of the third operand where those of the second are set, else of the first.
const CHOOSE: i32 = 0xb8;

/// Sums as words; where they are to be clean, every NaN is the same one.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
pub(super) fn finished(sums: __m512, clean: bool) -> __m512i {
    let words = _mm512_castps_si512(sums);
    if !clean {
        return words;
    }
    let wrong = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(sums, sums);
    _mm512_mask_mov_epi32(words, wrong, _mm512_set1_epi32(0x7fc0_0000))
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn sums<const PAIRS: usize, const COUNT: usize, const SMALL_TERMS: bool>(
    texels: [&[Row; 4]; COUNT],
    first: &Row,
    [slice, stride]: [u32; 2],
    weights: &[[Row; 4]],
    clean: bool,
    out: [&mut Row; COUNT],
) {
    let mut tables = [[[_mm512_set1_epi32(0); 2]; PAIRS]; COUNT];
    for c in 0..COUNT {
        tables[c] = table::<PAIRS>(flat(texels[c]));
    }
    let (right, down) = (_mm512_set1_epi32(1), _mm512_set1_epi32(stride as i32));
    let first = first.as_chunks::<CHUNK>().0;
    for chunk in 0..LANES / CHUNK {
        let mut sums = [_mm512_setzero_ps(); COUNT];
        let mut top = vector(&first[chunk]);
        for weights in weights {
            let low = _mm512_add_epi32(top, down);
            let taps = [
                top,
                _mm512_add_epi32(top, right),
                low,
                _mm512_add_epi32(low, right),
            ];
            for tap in 0..4 {
                let weight = vector(&weights[tap].as_chunks::<CHUNK>().0[chunk]);
                let some = _mm512_test_epi32_mask(weight, weight);
                let weight = _mm512_castsi512_ps(weight);
                let here = pairs_of(taps[tap]);
                for c in 0..COUNT {
                    let texel = one(&tables[c], taps[tap], here);
                    let term = match SMALL_TERMS {
                        true => small_products(texel, weight, some),
                        false => _mm512_maskz_mul_ps(some, _mm512_castsi512_ps(texel), weight),
                    };
                    sums[c] = _mm512_add_ps(sums[c], term);
                }
            }
            top = _mm512_add_epi32(top, _mm512_set1_epi32(slice as i32));
        }
        for c in 0..COUNT {
            out[c].as_chunks_mut::<CHUNK>().0[chunk] = words(finished(sums[c], clean));
        }
    }
}

/// Takes the texels whose numbers are those of lanes and `slice` more, and their neighbours.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn take(
    texels: &[u32; TEXELS],
    pairs: u32,
    first: &Row,
    step: [u32; 2],
    four: bool,
    out: [&mut Row; 4],
) {
    macro_rules! by {
        ($($pairs:literal)+) => {
            match pairs {
                0 | 1 => each::<1>(texels, first, step, four, out),
                $($pairs => each::<$pairs>(texels, first, step, four, out),)+
                _ => each::<8>(texels, first, step, four, out),
            }
        };
    }
    by!(2 3 4 5 6 7);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
pub(super) fn table<const PAIRS: usize>(texels: &[u32; TEXELS]) -> [[__m512i; 2]; PAIRS] {
    let mut table = [[_mm512_set1_epi32(0); 2]; PAIRS];
    let halves = texels.as_chunks::<CHUNK>().0;
    for pair in 0..PAIRS {
        table[pair] = [vector(&halves[2 * pair]), vector(&halves[2 * pair + 1])];
    }
    table
}

/// Of sixteen numbers of texels, the bits that say which pair of vectors of a table each is in, lowest first. Signs become
/// masks on another port of the processor than the permutations, where comparisons would wait for these.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
pub(super) fn pairs_of(at: __m512i) -> [__mmask16; 3] {
    [
        _mm512_movepi32_mask(_mm512_slli_epi32::<26>(at)),
        _mm512_movepi32_mask(_mm512_slli_epi32::<25>(at)),
        _mm512_movepi32_mask(_mm512_slli_epi32::<24>(at)),
    ]
}

/// What numbers name in a table of pairs of vectors: of each pair, then of pairs of pairs, by their bits from
/// [`pairs_of`] or its like.
macro_rules! look_up {
    ($table:expr, $at:expr, $bits:expr, $permute:ident, $choose:ident) => {{
        let mut texels = [$at; PAIRS];
        for pair in 0..PAIRS {
            let [low, high] = $table[pair];
            texels[pair] = $permute(low, $at, high);
        }
        for (n, bit) in $bits.into_iter().enumerate() {
            let step = 1 << n;
            for pair in (0..PAIRS.saturating_sub(step)).step_by(2 * step) {
                texels[pair] = $choose(texels[pair], bit, texels[pair + step]);
            }
        }
        texels[0]
    }};
}

pub(super) use look_up;

/// The texels with these numbers.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
pub(super) fn one<const PAIRS: usize>(
    table: &[[__m512i; 2]; PAIRS],
    at: __m512i,
    bits: [__mmask16; 3],
) -> __m512i {
    look_up!(
        table,
        at,
        bits,
        _mm512_permutex2var_epi32,
        _mm512_mask_mov_epi32
    )
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn each<const PAIRS: usize>(
    texels: &[u32; TEXELS],
    first: &Row,
    [slice, stride]: [u32; 2],
    four: bool,
    out: [&mut Row; 4],
) {
    let table = table::<PAIRS>(texels);
    let (right, down) = (_mm512_set1_epi32(1), _mm512_set1_epi32(stride as i32));
    let slice = _mm512_set1_epi32(slice as i32);
    let first = first.as_chunks::<CHUNK>().0;
    let [a, b, c, d] = out;
    let [a, b] = [a.as_chunks_mut::<CHUNK>().0, b.as_chunks_mut::<CHUNK>().0];
    let [c, d] = [c.as_chunks_mut::<CHUNK>().0, d.as_chunks_mut::<CHUNK>().0];
    for chunk in 0..LANES / CHUNK {
        let at = _mm512_add_epi32(vector(&first[chunk]), slice);
        a[chunk] = words(one(&table, at, pairs_of(at)));
        if four {
            let low = _mm512_add_epi32(at, down);
            let (next, last) = (_mm512_add_epi32(at, right), _mm512_add_epi32(low, right));
            b[chunk] = words(one(&table, next, pairs_of(next)));
            c[chunk] = words(one(&table, low, pairs_of(low)));
            d[chunk] = words(one(&table, last, pairs_of(last)));
        }
    }
}
