//! Compares the floats of a window with a reference, on the way from permutations to a register.
//!
//! # Safety
//!
//! As in [`super::vectors`].

use std::arch::x86_64::{
    _CMP_LE_OQ, _CMP_LT_OQ, _mm512_add_epi32, _mm512_castsi512_ps, _mm512_cmp_ps_mask,
    _mm512_cvtepi32_ps, _mm512_fmadd_ps, _mm512_mask_add_ps, _mm512_maskz_mov_ps, _mm512_mul_ps,
    _mm512_set1_epi32, _mm512_set1_ps, _mm512_sub_ps, _mm512_xor_si512,
};

use super::bytes::put;
use super::vectors::{CHUNK, one, pairs_of, part, table, vector};
use super::{Comparison, LANES, PAIR, Row, Window, flat};
use crate::fragment::depth::Compare;

/// Sums the weights of texels that pass; false, and nothing done, for comparisons that are not of order.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn compare(window: &Window, by: &Comparison, out: &mut Row) -> bool {
    macro_rules! of {
        ($op:ident, $flips:literal: $($pairs:literal)+) => {
            match window.count.div_ceil(PAIR) {
                0 | 1 => each::<1, $op>(window, by, $flips, out),
                $($pairs => each::<$pairs, $op>(window, by, $flips, out),)+
                _ => each::<8, $op>(window, by, $flips, out),
            }
        };
    }
    // What is greater is less with the other sign.
    match by.op {
        Compare::Less => of!(_CMP_LT_OQ, false: 2 3 4 5 6 7),
        Compare::Greater => of!(_CMP_LT_OQ, true: 2 3 4 5 6 7),
        Compare::LessEqual => of!(_CMP_LE_OQ, false: 2 3 4 5 6 7),
        Compare::GreaterEqual => of!(_CMP_LE_OQ, true: 2 3 4 5 6 7),
        Compare::Never | Compare::Equal | Compare::NotEqual | Compare::Always => return false,
    }
    true
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn each<const PAIRS: usize, const OP: i32>(
    window: &Window,
    by: &Comparison,
    flips: bool,
    out: &mut Row,
) {
    let table = table::<PAIRS>(flat(window.words(0)));
    let sign = _mm512_set1_epi32(if flips { i32::MIN } else { 0 });
    let (right, down) = (
        _mm512_set1_epi32(1),
        _mm512_set1_epi32(window.stride as i32),
    );
    // Whole numbers up to 65536: no float is rounded.
    let whole = _mm512_set1_ps(256.0);
    let scale = _mm512_set1_ps(1.0 / 65_536.0);
    let first = window.first.as_chunks::<CHUNK>().0;
    let reference = by.reference.as_chunks::<CHUNK>().0;
    let [across, below] = by.weights.map(|row| row.as_chunks::<CHUNK>().0);
    for chunk in 0..LANES / CHUNK {
        let mask = part(by.exec, chunk);
        if mask == 0 {
            continue;
        }
        let given = _mm512_castsi512_ps(_mm512_xor_si512(vector(&reference[chunk]), sign));
        let holds = |at| {
            let texel = _mm512_xor_si512(one(&table, at, pairs_of(at)), sign);
            _mm512_cmp_ps_mask::<OP>(given, _mm512_castsi512_ps(texel))
        };
        let [x, y] = [across, below].map(|row| _mm512_cvtepi32_ps(vector(&row[chunk])));
        let (left, above) = (_mm512_sub_ps(whole, x), _mm512_sub_ps(whole, y));
        let line = |at| {
            let sum = _mm512_maskz_mov_ps(holds(at), left);
            _mm512_mask_add_ps(sum, holds(_mm512_add_epi32(at, right)), sum, x)
        };
        let top = vector(&first[chunk]);
        let (upper, lower) = (line(top), line(_mm512_add_epi32(top, down)));
        let sum = _mm512_fmadd_ps(lower, y, _mm512_mul_ps(upper, above));
        put(out, chunk, mask, _mm512_mul_ps(sum, scale));
    }
}
