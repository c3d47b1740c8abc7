//! Rows of floats to the halves of words and back, by the conversions that hosts have: as [`to_f16`], to nearest even, where
//! too large gives infinity, and [`from_f16`], which is exact.
//!
//! # Safety
//!
//! [`pack`] and [`unpack`] call what needs AVX2 and F16C only at levels that have both. Vectors and arrays of eight words
//! are 32 bytes of any value.
//!
//! [`to_f16`]: crate::texture::float::to_f16

use super::plane::Row;
use crate::texture::exact::Exact;
use crate::texture::float::from_f16;
use host::SimdLevel;

/// Converts floats to the low halves of words, and others, where there are some, to the high ones, which are zero otherwise.
/// False, with any words, where some are NaN, whose bits hosts change, and at levels that convert nothing.
pub(crate) fn pack(level: SimdLevel, low: &Row, high: Option<&Row>, out: &mut Row) -> bool {
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    if level != SimdLevel::BASELINE {
        // SAFETY: levels above the baseline have AVX2 and F16C.
        return unsafe {
            match high {
                Some(high) => x86::pack::<true>(low, high, out),
                None => x86::pack::<false>(low, low, out),
            }
        };
    }
    let _ = (level, low, high, out);
    false
}

/// The floats in the half of each word from bit `shift` on, 0 or 16.
#[inline(always)]
pub(crate) fn unpack<F: Exact>(words: &Row, shift: u32, out: &mut Row) {
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    if F::AVX2 {
        // SAFETY: levels above the baseline have AVX2 and F16C.
        return unsafe { x86::unpack(words, shift, out) };
    }
    for (out, word) in out.iter_mut().zip(words) {
        *out = from_f16(word >> shift);
    }
}

#[cfg(all(not(miri), target_arch = "x86_64"))]
mod x86 {
    use std::arch::x86_64::{
        __m128i, __m256, __m256i, _CMP_UNORD_Q, _MM_FROUND_TO_NEAREST_INT, _mm_cvtsi32_si128,
        _mm_setzero_si128, _mm_unpackhi_epi16, _mm_unpacklo_epi16, _mm256_and_si256,
        _mm256_andnot_si256, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_castsi256_si128,
        _mm256_cmp_ps, _mm256_cmpgt_epi32, _mm256_cvtph_ps, _mm256_cvtps_ph, _mm256_movemask_ps,
        _mm256_or_ps, _mm256_packus_epi32, _mm256_permute4x64_epi64, _mm256_set_m128i,
        _mm256_set1_epi32, _mm256_setzero_ps, _mm256_slli_epi32, _mm256_srl_epi32,
        _mm256_xor_si256,
    };

    use super::Row;

    /// Words of a vector.
    const EIGHT: usize = 8;

    /// A vector of eight words.
    #[inline(always)]
    fn vector(words: &[u32; EIGHT]) -> __m256i {
        // SAFETY: both are 32 bytes, of any value.
        unsafe { std::mem::transmute::<[u32; EIGHT], __m256i>(*words) }
    }

    /// Its words.
    #[inline(always)]
    fn words(vector: __m256i) -> [u32; EIGHT] {
        // SAFETY: as above.
        unsafe { std::mem::transmute::<__m256i, [u32; EIGHT]>(vector) }
    }

    #[target_feature(enable = "avx2,f16c")]
    fn halves(floats: __m256) -> __m128i {
        _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(floats)
    }

    #[target_feature(enable = "avx2,f16c")]
    pub(super) fn unpack(row: &Row, shift: u32, out: &mut Row) {
        let by = _mm_cvtsi32_si128(shift as i32 & 16);
        let low = _mm256_set1_epi32(0xffff);
        let magnitude = _mm256_set1_epi32(0x7fff);
        let infinity = _mm256_set1_epi32(31 << 10);
        let eights = row.as_chunks().0;
        for (eight, out) in eights.iter().zip(out.as_chunks_mut().0) {
            let half = _mm256_and_si256(_mm256_srl_epi32(vector(eight), by), low);
            let packed = _mm256_permute4x64_epi64::<0b1000>(_mm256_packus_epi32(half, half));
            let float = _mm256_castps_si256(_mm256_cvtph_ps(_mm256_castsi256_si128(packed)));
            // A host makes every NaN quiet; all keep their bits.
            let nan = _mm256_cmpgt_epi32(_mm256_and_si256(half, magnitude), infinity);
            let loud =
                _mm256_andnot_si256(_mm256_slli_epi32::<13>(half), _mm256_set1_epi32(1 << 22));
            *out = words(_mm256_xor_si256(float, _mm256_and_si256(nan, loud)));
        }
    }

    #[target_feature(enable = "avx2,f16c")]
    pub(super) fn pack<const BOTH: bool>(low: &Row, high: &Row, out: &mut Row) -> bool {
        let rows = low.as_chunks().0.iter().zip(high.as_chunks().0);
        let mut strange = _mm256_setzero_ps();
        for ((low, high), out) in rows.zip(out.as_chunks_mut().0) {
            let (low, high) = (
                _mm256_castsi256_ps(vector(low)),
                _mm256_castsi256_ps(vector(high)),
            );
            strange = _mm256_or_ps(strange, _mm256_cmp_ps::<_CMP_UNORD_Q>(low, high));
            let low = halves(low);
            let high = match BOTH {
                true => halves(high),
                false => _mm_setzero_si128(),
            };
            *out = words(_mm256_set_m128i(
                _mm_unpackhi_epi16(low, high),
                _mm_unpacklo_epi16(low, high),
            ));
        }
        _mm256_movemask_ps(strange) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::plane::LANES;
    use super::*;
    use crate::texture::float::to_f16;
    use host::{Kernel, Rounding};

    struct Unpack<'a>(&'a Row, u32, &'a mut Row);

    impl Kernel for Unpack<'_> {
        type Output = ();
        #[inline(always)]
        fn run<R: Rounding>(self) {
            unpack::<R>(self.0, self.1, self.2);
        }
    }

    /// Every half in both places, and all bits of those that are not numbers.
    #[test]
    fn floats_are_those_of_halves() {
        for level in SimdLevel::available() {
            for first in (0..0x1_0000).step_by(LANES) {
                let words: Row = std::array::from_fn(|l| {
                    let half = first + l as u32;
                    half | (half ^ 0x5a5a) << 16
                });
                for shift in [0, 16] {
                    let mut out = [7; LANES];
                    level.run(Unpack(&words, shift, &mut out));
                    assert_eq!(out, words.map(|word| from_f16(word >> shift)), "{first:#x}");
                }
            }
        }
    }

    /// Floats of every exponent and sign, with what rounds up, down and to even.
    #[test]
    fn halves_are_nearest() {
        let ends = [
            0, 1, 0xfff, 0x1000, 0x1001, 0x1fff, 0x2fff, 0x3000, 0x7f_ffff,
        ];
        let all: Vec<u32> = (0..=0x1ff)
            .flat_map(|top: u32| ends.map(|end| top << 23 | end))
            .collect();
        for level in SimdLevel::available() {
            for (n, chunk) in all.chunks_exact(LANES).enumerate() {
                let low: Row = std::array::from_fn(|l| chunk[l]);
                let high: Row = std::array::from_fn(|l| chunk[(l * 7 + n) % LANES]);
                let nan = |row: &Row| row.iter().any(|x| f32::from_bits(*x).is_nan());
                for high in [None, Some(&high)] {
                    let mut out = [7; LANES];
                    let done = pack(level, &low, high, &mut out);
                    let plain = !nan(&low) && !high.is_some_and(nan);
                    assert_eq!(done, plain && level != SimdLevel::BASELINE);
                    for lane in (0..LANES).filter(|_| done) {
                        let high = high.map_or(0, |high| to_f16(high[lane]));
                        assert_eq!(out[lane], to_f16(low[lane]) | high << 16, "{lane} of {n}");
                    }
                }
            }
        }
    }
}
