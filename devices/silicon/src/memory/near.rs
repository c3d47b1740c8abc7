//! Texels of lanes that lie within sixteen columns and lines behind those of the first one, as tiles of pixels load them:
//! vectors hold the shares of these columns and lines, from which lanes permute theirs.
//!
//! # Safety
//!
//! Shares are entries of the plane's tables, so that the check of [`Memory::plane`](super::Memory::plane) holds for what
//! they join to, as in [`super::plane`]. A [`Lookup`] permutes only where the host has AVX-512.

#[cfg(any(test, all(not(miri), target_arch = "x86_64")))]
use super::plane::LANES;
use super::plane::{Plane, Row};
use super::window::Lookup;

/// What lanes read: numbers of texels along both axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near<'a> {
    /// Lanes that read.
    pub exec: u64,
    /// Column and line of each.
    pub numbers: [&'a Row; 2],
    /// Columns and lines of the texture.
    pub counts: [u32; 2],
    /// Table entries of the first column and line.
    pub start: [u32; 2],
}

impl Plane<'_> {
    /// Reads the words of texels of a [flat plane](Plane::has_texels) to rows; false, and nothing is read, where some lane is
    /// outside or further away, or where the host does not permute.
    #[inline(always)]
    pub(crate) fn near(&self, lookup: Lookup, near: Near, rows: &mut [Row; 4]) -> bool {
        #[cfg(all(not(miri), target_arch = "x86_64"))]
        if lookup.permutes() {
            assert!(self.has_texels(), "a plane of one slice without blocks");
            let mut offsets = [0; LANES];
            // SAFETY: the host has AVX-512; and offsets are those of texels, which are inside.
            return unsafe {
                let found = vectors::offsets(self, near, &mut offsets);
                if let Some(pairs) = found {
                    self.fetch(&offsets, pairs, rows);
                }
                found.is_some()
            };
        }
        let _ = (lookup, near, rows);
        false
    }
}

#[cfg(all(not(miri), target_arch = "x86_64"))]
mod vectors {
    use std::arch::x86_64::{
        __m512i, __mmask16, _mm512_add_epi32, _mm512_and_si512, _mm512_castsi256_si512,
        _mm512_cmpgt_epu32_mask, _mm512_cmpneq_epu32_mask, _mm512_cvtepi64_epi32,
        _mm512_inserti64x4, _mm512_mask_mov_epi32, _mm512_permutexvar_epi32, _mm512_set1_epi32,
        _mm512_set1_epi64, _mm512_shuffle_epi32, _mm512_slli_epi32, _mm512_sub_epi32,
        _mm512_xor_si512,
    };

    use super::super::plane::{Join, LANES, Plane, Row};
    use super::super::window::{CHUNK, part, vector, words};
    use super::Near;

    /// The offset of each lane's texel, and whether those of odd lanes are behind the ones before; nothing where a lane is
    /// not near.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn offsets(plane: &Plane, near: Near, offsets: &mut Row) -> Option<bool> {
        match plane.join {
            Join::Sum => joined(plane, near, offsets, |a, b| _mm512_add_epi32(a, b)),
            Join::Xor => joined(plane, near, offsets, |a, b| _mm512_xor_si512(a, b)),
            Join::Without(bits) => {
                let carry = _mm512_set1_epi32(!bits as i32);
                joined(plane, near, offsets, |a, b| {
                    let both = _mm512_and_si512(_mm512_and_si512(a, b), carry);
                    _mm512_add_epi32(_mm512_xor_si512(a, b), _mm512_slli_epi32::<1>(both))
                })
            }
            Join::Carries => None,
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline]
    fn joined(
        plane: &Plane,
        near: Near,
        offsets: &mut Row,
        join: impl Fn(__m512i, __m512i) -> __m512i,
    ) -> Option<bool> {
        let Near {
            exec,
            numbers,
            counts,
            start,
        } = near;
        // No closures with vectors: what calls them would be compiled for the least instructions.
        let lead = exec.trailing_zeros() as usize % LANES;
        let [x, y] = [numbers[0][lead], numbers[1][lead]];
        if x >= counts[0] || y >= counts[1] {
            return None;
        }
        let entry = |start: u32, first: u32| start.wrapping_add(first) as usize;
        let columns = plane.columns.get(entry(start[0], x)..)?.first_chunk()?;
        let lines = plane.lines.get(entry(start[1], y)..)?.first_chunk()?;
        let shares = [shares_of_columns(columns), shares_of_lines(lines)];
        let first = [_mm512_set1_epi32(x as i32), _mm512_set1_epi32(y as i32)];
        // The furthest that is near and inside.
        let last = |first: u32, count: u32| (count - first - 1).min(CHUNK as u32 - 1) as i32;
        let most = [
            _mm512_set1_epi32(last(x, counts[0])),
            _mm512_set1_epi32(last(y, counts[1])),
        ];
        // One more in odd lanes than in the one before.
        let behind = _mm512_set1_epi64(1 << 32);
        let (mut far, mut apart): (__mmask16, __mmask16) = (0, 0);
        for (chunk, offsets) in offsets.as_chunks_mut().0.iter_mut().enumerate() {
            let lanes = part(exec, chunk);
            let mut shared = first;
            for axis in 0..2 {
                let at = vector(&numbers[axis].as_chunks().0[chunk]);
                let at = _mm512_mask_mov_epi32(first[axis], lanes, at);
                let step = _mm512_sub_epi32(at, first[axis]);
                far |= _mm512_cmpgt_epu32_mask(step, most[axis]);
                shared[axis] = _mm512_permutexvar_epi32(step, shares[axis]);
            }
            let at = join(shared[0], shared[1]);
            let even = _mm512_shuffle_epi32::<0b10_10_00_00>(at);
            apart |= _mm512_cmpneq_epu32_mask(at, _mm512_add_epi32(even, behind));
            *offsets = words(at);
        }
        (far == 0).then_some(apart == 0)
    }

    /// Those of a column, of entries with its own and those of the one behind it.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline]
    fn shares_of_columns(columns: &[u64; CHUNK]) -> __m512i {
        // SAFETY: both are 128 bytes, of any value.
        let [a, b] = unsafe { std::mem::transmute::<[u64; CHUNK], [__m512i; 2]>(*columns) };
        even_words(a, b)
    }

    /// The same of lines, whose entries have each twice.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline]
    fn shares_of_lines(lines: &[[u64; 2]; CHUNK]) -> __m512i {
        // SAFETY: both are 256 bytes, of any value.
        let [a, b, c, d] =
            unsafe { std::mem::transmute::<[[u64; 2]; CHUNK], [__m512i; 4]>(*lines) };
        even_words(even_words(a, b), even_words(c, d))
    }

    /// Every other word of two vectors.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline]
    fn even_words(a: __m512i, b: __m512i) -> __m512i {
        let low = _mm512_cvtepi64_epi32(a);
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), _mm512_cvtepi64_epi32(b))
    }
}

#[cfg(all(test, not(miri), target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::Memory;
    use super::super::plane::{Columns, Join, Lines, Tables};
    use super::*;
    use host::SimdLevel;

    /// Tiles in all ways that shares combine, and lanes that are outside or too far.
    #[test]
    fn near_texels_are_texels() {
        let memory = Memory::new(1 << 16);
        for at in 0..1 << 16 {
            memory.store_byte(at, (at * 13 + at / 251) as u8).unwrap();
        }
        let lookups = SimdLevel::available().into_iter().map(Lookup::of);
        let lookups: Vec<Lookup> = lookups.filter(|lookup| lookup.permutes()).collect();
        // Entries of texels from -1 to 30 and from -1 to 20, in tables of 32.
        let (start, counts) = ([1, 1], [30, 20]);
        for (bytes, join) in [1, 2, 4, 8, 16]
            .into_iter()
            .flat_map(|bytes| [Join::Sum, Join::Xor, Join::Without(64)].map(|join| (bytes, join)))
        {
            let unit = if bytes % 4 == 0 { bytes / 4 } else { bytes };
            // Columns and lines share a bit.
            let share = |x: u32| (x & 15 | (x & 16) << 2) * unit;
            let pairs: Vec<[u32; 2]> = (0..31).map(|x| [x, x + 1].map(share)).collect();
            let down: Vec<[u32; 2]> = (0..21).map(|y| [y, y + 1].map(|y| 16 * y * unit)).collect();
            let (columns, lines) = (Columns::new(&pairs), Lines::new(&down));
            let tables = Tables {
                columns: &columns,
                lines: &lines,
                slices: None,
                join,
                bytes,
                blocks: false,
            };
            let plane = memory.plane(64, tables).unwrap();
            for [x, y] in [
                [0, 0],
                [3, 1],
                [15, 2],
                [22, 12],
                [23, 3],
                [4, 13],
                [29, 0],
                [u32::MAX, 2],
            ] {
                for (across, exec) in [
                    (8, u64::MAX),
                    (16, u64::MAX),
                    (17, 7),
                    (8, 0xff07_0ff1_8421_7770),
                ] {
                    let at = |axis: usize| {
                        std::array::from_fn(|lane| {
                            let lane = lane as u32;
                            let steps = [lane % across, lane / across];
                            match exec >> lane & 1 {
                                1 => [x, y][axis].wrapping_add(steps[axis]),
                                _ => lane.wrapping_mul(77_777),
                            }
                        })
                    };
                    let numbers: [Row; 2] = [at(0), at(1)];
                    let lanes = || (0..LANES).filter(|lane| exec >> lane & 1 != 0);
                    let lead = exec.trailing_zeros() as usize;
                    let is_near = |lane: usize| {
                        [0, 1].into_iter().all(|axis| {
                            let number = numbers[axis][lane];
                            number < counts[axis]
                                && number.wrapping_sub(numbers[axis][lead]) < 16
                                && start[axis] + numbers[axis][lead] + 16 <= 32
                        })
                    };
                    let expected = lanes().all(is_near);
                    let near = Near {
                        exec,
                        numbers: numbers.each_ref(),
                        counts,
                        start,
                    };
                    let [column, line] =
                        [0, 1].map(|axis| numbers[axis].map(|at| at.wrapping_add(start[axis])));
                    let mut texels = [[0; LANES]; 4];
                    plane.texels(&column, &line, false, &mut texels);
                    for lookup in &lookups {
                        let mut rows = [[0; LANES]; 4];
                        let found = plane.near(*lookup, near, &mut rows);
                        assert_eq!(found, expected, "{bytes} bytes, {join:?}, {x} {y} {across}");
                        for (row, texels) in rows.iter().zip(&texels).filter(|_| found) {
                            for lane in lanes() {
                                assert_eq!(row[lane], texels[lane], "{bytes} bytes, {join:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}
