//! Vectors of four words, on any host.
//!
//! # Safety
//!
//! Every x86-64 processor has these instructions. Vectors and arrays of four words are 16 bytes of any value.

#[cfg(all(not(miri), target_arch = "x86_64"))]
use std::arch::x86_64::{
    __m128, _mm_add_ps, _mm_castps_si128, _mm_castsi128_ps, _mm_cmpunord_ps, _mm_movemask_ps,
    _mm_mul_ps, _mm_unpackhi_epi32, _mm_unpackhi_epi64, _mm_unpacklo_epi32, _mm_unpacklo_epi64,
};

/// Four words: floats by their bits where they are summed.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Four(Words);

#[cfg(all(not(miri), target_arch = "x86_64"))]
type Words = __m128;
#[cfg(any(miri, not(target_arch = "x86_64")))]
type Words = [u32; 4];

impl Four {
    // SAFETY: 16 bytes of zeros.
    pub(crate) const ZERO: Four = unsafe { std::mem::zeroed() };

    #[inline(always)]
    pub(crate) fn new(words: &[u32; 4]) -> Four {
        // SAFETY: both are 16 bytes, of any value.
        unsafe { std::mem::transmute::<[u32; 4], Four>(*words) }
    }

    #[inline(always)]
    pub(crate) fn words(self) -> [u32; 4] {
        // SAFETY: as above.
        unsafe { std::mem::transmute::<Four, [u32; 4]>(self) }
    }

    #[inline(always)]
    pub(crate) fn splat(word: u32) -> Four {
        Four::new(&[word; 4])
    }
}

#[cfg(all(not(miri), target_arch = "x86_64"))]
impl From<__m128> for Four {
    #[inline(always)]
    fn from(words: __m128) -> Four {
        Four(words)
    }
}

#[cfg(all(not(miri), target_arch = "x86_64"))]
impl Four {
    /// Sums of floats.
    #[inline(always)]
    pub(crate) fn plus(self, other: Four) -> Four {
        // SAFETY: see the module.
        Four(unsafe { _mm_add_ps(self.0, other.0) })
    }

    /// Products of floats.
    #[inline(always)]
    pub(crate) fn times(self, other: Four) -> Four {
        // SAFETY: see the module.
        Four(unsafe { _mm_mul_ps(self.0, other.0) })
    }

    /// Whether a float of either vector is not a number.
    #[inline(always)]
    pub(crate) fn any_nan(self, other: Four) -> bool {
        // SAFETY: see the module.
        unsafe { _mm_movemask_ps(_mm_cmpunord_ps(self.0, other.0)) != 0 }
    }
}

/// Rows to columns.
#[cfg(all(not(miri), target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn transposed([a, b, c, d]: [Four; 4]) -> [Four; 4] {
    // SAFETY: see the module.
    unsafe {
        let [a, b, c, d] = [a, b, c, d].map(|row| _mm_castps_si128(row.0));
        let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
        let (ef, gh) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
        [
            _mm_unpacklo_epi64(ab, cd),
            _mm_unpackhi_epi64(ab, cd),
            _mm_unpacklo_epi64(ef, gh),
            _mm_unpackhi_epi64(ef, gh),
        ]
        .map(|row| Four(_mm_castsi128_ps(row)))
    }
}

#[cfg(any(miri, not(target_arch = "x86_64")))]
impl Four {
    /// Sums of floats.
    #[inline(always)]
    pub(crate) fn plus(mut self, other: Four) -> Four {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = (f32::from_bits(*a) + f32::from_bits(b)).to_bits();
        }
        self
    }

    /// Products of floats.
    #[inline(always)]
    pub(crate) fn times(mut self, other: Four) -> Four {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = (f32::from_bits(*a) * f32::from_bits(b)).to_bits();
        }
        self
    }

    /// Whether a float of either vector is not a number.
    #[inline(always)]
    pub(crate) fn any_nan(self, other: Four) -> bool {
        let is_nan = |word: &u32| f32::from_bits(*word).is_nan();
        self.0.iter().any(is_nan) | other.0.iter().any(is_nan)
    }
}

/// Rows to columns.
#[cfg(any(miri, not(target_arch = "x86_64")))]
#[inline(always)]
pub(crate) fn transposed([a, b, c, d]: [Four; 4]) -> [Four; 4] {
    let mut columns = [Four::ZERO; 4];
    for (n, column) in columns.iter_mut().enumerate() {
        column.0 = [a.0[n], b.0[n], c.0[n], d.0[n]];
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_four() {
        let rows = [0u32, 4, 8, 12].map(|n| Four::new(&[n, n + 1, n + 2, n + 3]));
        let columns = transposed(rows).map(Four::words);
        assert_eq!(columns[1], [1, 5, 9, 13]);
        assert_eq!(transposed(transposed(rows))[2].words(), [8, 9, 10, 11]);
        let numbers = Four::new(&[1.5f32, -2.0, 0.0, 1e30].map(f32::to_bits));
        let half = Four::splat(0.5f32.to_bits());
        let sums = numbers.times(half).plus(half).words();
        assert_eq!(sums.map(f32::from_bits), [1.25, -0.5, 0.5, 5e29]);
        let nan = Four::new(&[0, 0, 0, 0x7fc0_0001]);
        assert!(nan.any_nan(half) && half.any_nan(nan) && !half.any_nan(numbers));
    }
}
