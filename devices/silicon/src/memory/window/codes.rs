//! Tables of 256 words that bytes look up, such as the sRGB scale.
//!
//! # Safety
//!
//! As in [`super::vectors`]; permutations of bytes where [`super::Lookup`] saw that the host has those as well.

#[cfg(all(not(miri), target_arch = "x86_64"))]
use super::vectors::{CHUNK, one, pairs_of, table, vector, words};
use super::{Lookup, Row, TEXELS};
#[cfg(all(not(miri), target_arch = "x86_64"))]
use std::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_mask_blend_epi8, _mm512_mask_shuffle_epi8,
    _mm512_movepi8_mask, _mm512_permutex2var_epi8, _mm512_set1_epi32, _mm512_setzero_si512,
    _mm512_srlv_epi32, _mm512_unpackhi_epi8, _mm512_unpackhi_epi16, _mm512_unpacklo_epi8,
    _mm512_unpacklo_epi16,
};

/// A word for each value of a byte.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct ByteTable {
    words: [u32; TEXELS],
    /// A byte of each word, the lowest ones first, four to a word.
    #[cfg_attr(
        any(miri, not(target_arch = "x86_64")),
        expect(dead_code, reason = "lanes load")
    )]
    bytes: [u32; TEXELS],
}

impl ByteTable {
    pub(crate) const fn new(words: [u32; TEXELS]) -> ByteTable {
        let mut bytes = [0; TEXELS];
        let mut n = 0;
        while n < 4 * TEXELS {
            let (byte, entry) = (n / TEXELS, n % TEXELS);
            let value = words[entry] >> (8 * byte) & 0xff;
            bytes[n / 4] |= value << (8 * (n % 4));
            n += 1;
        }
        ByteTable { words, bytes }
    }

    /// The words, by number.
    pub(crate) const fn words(&self) -> &[u32; TEXELS] {
        &self.words
    }

    /// The entries that bits 0 to 7 of words from `shift` on name.
    #[inline(always)]
    pub(crate) fn look_up(&self, lookup: Lookup, from: &Row, shift: u32, out: &mut Row) {
        match lookup.kind {
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            // SAFETY: the host has AVX-512, and VBMI.
            super::Kind::Permutations if lookup.bytes => unsafe {
                by_bytes(&self.bytes, from, shift, out);
            },
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            // Callers have other ways as well, and the compiler is not to load the table for all of them: it cannot do so before
            // it knows where that is.
            // SAFETY: the host has AVX-512.
            super::Kind::Permutations => unsafe {
                by_words(std::hint::black_box(&self.words), from, shift, out);
            },
            super::Kind::Loads => {
                for (out, word) in out.iter_mut().zip(from) {
                    *out = self.words[(word >> shift & 0xff) as usize];
                }
            }
        }
    }
}

#[cfg(all(not(miri), target_arch = "x86_64"))]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn by_words(entries: &[u32; TEXELS], from: &Row, shift: u32, out: &mut Row) {
    let table = table::<8>(entries);
    let (from, out) = (from.as_chunks::<CHUNK>().0, out.as_chunks_mut::<CHUNK>().0);
    let shift = _mm512_set1_epi32(shift as i32);
    for (from, out) in from.iter().zip(out) {
        let at = _mm512_srlv_epi32(vector(from), shift);
        let at = _mm512_and_si512(at, _mm512_set1_epi32(0xff));
        *out = words(one(&table, at, pairs_of(at)));
    }
}

/// Bytes of 64 words are one vector, and what each of the four bytes of entries is, another.
#[cfg(all(not(miri), target_arch = "x86_64"))]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn by_bytes(entries: &[u32; TEXELS], from: &Row, shift: u32, out: &mut Row) {
    let from = from.as_chunks::<CHUNK>().0;
    let shift = _mm512_set1_epi32(shift as i32);
    // Four words of each sixteen share 128 bits, in the order in which bytes become words again.
    let lowest = _mm512_set1_epi32(0x0c08_0400);
    let mut at = _mm512_setzero_si512();
    for (n, from) in from.iter().enumerate() {
        let from = _mm512_srlv_epi32(vector(from), shift);
        at = _mm512_mask_shuffle_epi8(at, 0x000f_000f_000f_000f << (4 * n), from, lowest);
    }
    let upper = _mm512_movepi8_mask(at);
    let table = table::<8>(entries);
    let byte = |n: usize| -> __m512i {
        let ([a, b], [c, d]) = (table[2 * n], table[2 * n + 1]);
        let low = _mm512_permutex2var_epi8(a, at, b);
        let high = _mm512_permutex2var_epi8(c, at, d);
        _mm512_mask_blend_epi8(upper, low, high)
    };
    let [a, b, c, d] = [byte(0), byte(1), byte(2), byte(3)];
    let (low, high) = (_mm512_unpacklo_epi8(a, b), _mm512_unpacklo_epi8(c, d));
    let (low_2, high_2) = (_mm512_unpackhi_epi8(a, b), _mm512_unpackhi_epi8(c, d));
    let all = [
        _mm512_unpacklo_epi16(low, high),
        _mm512_unpackhi_epi16(low, high),
        _mm512_unpacklo_epi16(low_2, high_2),
        _mm512_unpackhi_epi16(low_2, high_2),
    ];
    for (out, all) in out.as_chunks_mut::<CHUNK>().0.iter_mut().zip(all) {
        *out = words(all);
    }
}

#[cfg(test)]
mod tests {
    use super::super::LANES;
    use super::*;
    use host::SimdLevel;

    #[test]
    fn bytes_name_entries() {
        let entry = |n: usize| (n as u32).wrapping_mul(0x9e37_79b9) ^ 0x5bd1_e995;
        let table = ByteTable::new(std::array::from_fn(entry));
        // Each value of each byte, in another order for each.
        for (shift, step) in [(0, 1), (8, 5), (16, 77), (24, 131), (3, 9)] {
            for first in (0..TEXELS).step_by(LANES) {
                let from: Row = std::array::from_fn(|lane| {
                    let byte = ((first + lane) * step + 3) as u32 & 0xff;
                    byte << shift | !(0xff << shift) & entry(lane)
                });
                for level in SimdLevel::available() {
                    let lookup = Lookup::of(level);
                    for lookup in [lookup, lookup.without_bytes()] {
                        let mut out = [0; LANES];
                        table.look_up(lookup, &from, shift, &mut out);
                        let expected = from.map(|word| entry((word >> shift & 0xff) as usize));
                        assert_eq!(out, expected, "{lookup:?}, bits from {shift} on");
                    }
                }
            }
        }
    }
}
