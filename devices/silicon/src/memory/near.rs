//! Texels of lanes that lie within sixteen columns, lines and slices, as tiles of pixels access and sample them: vectors hold
//! the shares of these, from which lanes permute theirs. Loads and stores name texels by number, nearest samples by position.
//!
//! # Safety
//!
//! Shares are entries of the plane's tables, so that the check of [`Memory::plane`](super::Memory::plane) holds for what
//! they join to, as in [`super::plane`]. A [`Lookup`] permutes only where the host has AVX-512.

#[cfg(any(test, all(not(miri), target_arch = "x86_64")))]
use super::plane::LANES;
use super::plane::{Plane, Positions, Row};
use super::window::Lookup;

/// How the texels of lanes follow each other in memory.
#[cfg(any(test, all(not(miri), target_arch = "x86_64")))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Runs {
    /// In no way that helps.
    Apart,
    /// Those of odd lanes are behind the ones before.
    Pairs,
    /// Those of a quad's lanes are side by side, from a multiple of four texels on.
    Quads,
}

/// What lanes access: numbers of texels along the axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near<'a> {
    /// Lanes that take part.
    pub exec: u64,
    /// Column, line and slice of each; a plane without slices has no use for the last one.
    pub numbers: [&'a Row; 3],
    /// Columns, lines and slices of the texture.
    pub counts: [u32; 3],
    /// Table entries of the first of each.
    pub start: [u32; 3],
}

impl Plane<'_> {
    /// Reads the words of texels to rows; false, and nothing is read, where some lane is outside or further away, where the
    /// host does not permute, or of blocks and where levels combine shares in ways of their own.
    #[inline(always)]
    pub(crate) fn near(&self, lookup: Lookup, near: &Near, rows: &mut [Row; 4]) -> bool {
        #[cfg(all(not(miri), target_arch = "x86_64"))]
        if lookup.permutes() && !self.is_blocks() {
            let mut offsets = [0; LANES];
            // SAFETY: the host has AVX-512; and offsets are those of texels, which are inside.
            return unsafe {
                let found = vectors::offsets(self, near, &mut offsets);
                if let Some(runs) = found {
                    self.fetch(&offsets, runs, rows.each_mut());
                }
                found.is_some()
            };
        }
        let _ = (lookup, near, rows);
        false
    }

    /// Where these texels are, in bytes from the start of the plane; false where [`Plane::near`] reads nothing. Lanes that do
    /// not take part get the offset of any texel.
    #[inline(always)]
    pub(crate) fn near_bytes(&self, lookup: Lookup, near: &Near, offsets: &mut Row) -> bool {
        #[cfg(all(not(miri), target_arch = "x86_64"))]
        if lookup.permutes() && !self.is_blocks() {
            // SAFETY: the host has AVX-512.
            let found = unsafe { vectors::offsets(self, near, offsets) }.is_some();
            if found && self.bytes.is_multiple_of(4) {
                offsets.iter_mut().for_each(|offset| *offset *= 4);
            }
            return found;
        }
        let _ = (lookup, near, offsets);
        false
    }

    /// Reads the one texel at each lane's position, `rows[w]` to get words `w`, or of a plane of blocks the place in one: false,
    /// and nothing read, where some lane is further away, or where the host does not permute. Positions must belong to this
    /// plane, and have the [box](Positions::span) of the lanes that read.
    #[inline(always)]
    pub(super) fn nearest(
        &self,
        lookup: Lookup,
        positions: &Positions,
        rows: [&mut Row; 4],
    ) -> bool {
        #[cfg(all(not(miri), target_arch = "x86_64"))]
        if lookup.permutes() {
            assert_eq!(positions.masks, self.masks, "positions in another plane");
            let mut offsets = [0; LANES];
            // SAFETY: the host has AVX-512; and offsets are those of texels, which are inside.
            return unsafe {
                let found = vectors::entries(self, positions, &mut offsets);
                if let Some(runs) = found {
                    self.fetch(&offsets, runs, rows);
                }
                found.is_some()
            };
        }
        let _ = (lookup, positions, rows);
        false
    }
}

#[cfg(all(not(miri), target_arch = "x86_64"))]
mod vectors {
    use std::arch::x86_64::{
        __m512i, __mmask16, _mm512_add_epi32, _mm512_and_si512, _mm512_cmpgt_epu32_mask,
        _mm512_cmpneq_epu32_mask, _mm512_maskz_sub_epi32, _mm512_max_epu32,
        _mm512_permutex2var_epi32, _mm512_permutexvar_epi32, _mm512_set1_epi32, _mm512_set4_epi32,
        _mm512_setzero_si512, _mm512_shuffle_epi32, _mm512_slli_epi32, _mm512_srli_epi32,
        _mm512_sub_epi32, _mm512_ternarylogic_epi32, _mm512_test_epi32_mask, _mm512_xor_si512,
    };

    use super::super::plane::{Join, LANES, Plane, Positions, Row};
    use super::super::window::{CHUNK, part, vector, words};
    use super::{Near, Runs};

    /// Calls a function with how shares combine; nothing where lanes differ in that.
    macro_rules! by_join {
        ($plane:expr, $call:ident $args:tt) => {
            match $plane.join {
                Join::Sum => by_join!($call $args, |a, b| _mm512_add_epi32(a, b)),
                Join::Xor => by_join!($call $args, |a, b| _mm512_xor_si512(a, b)),
                Join::Without(bits) => {
                    let carry = _mm512_set1_epi32(!bits as i32);
                    by_join!($call $args, |a, b| {
                        let both = _mm512_and_si512(_mm512_and_si512(a, b), carry);
                        _mm512_add_epi32(_mm512_xor_si512(a, b), _mm512_slli_epi32::<1>(both))
                    })
                }
                Join::Carries => None,
            }
        };
        ($call:ident ($($args:expr),*), $join:expr) => { $call($($args,)* $join) };
    }

    /// The offset of each lane's texel, and how they follow each other; nothing where a lane is not near.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn offsets(plane: &Plane, near: &Near, offsets: &mut Row) -> Option<Runs> {
        by_join!(plane, joined(plane, near, offsets))
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline]
    fn joined(
        plane: &Plane,
        near: &Near,
        offsets: &mut Row,
        join: impl Fn(__m512i, __m512i) -> __m512i,
    ) -> Option<Runs> {
        let Near {
            exec,
            numbers,
            counts,
            start,
        } = *near;
        // No closures with vectors that other functions call: these would be compiled for the least instructions.
        let lead = exec.trailing_zeros() as usize % LANES;
        let [x, y] = [numbers[0][lead], numbers[1][lead]];
        if x >= counts[0] || y >= counts[1] {
            return None;
        }
        let entry = |start: u32, first: u32| start.wrapping_add(first) as usize;
        let columns = plane.columns.get(entry(start[0], x)..)?.first_chunk()?;
        let lines = plane.lines.get(entry(start[1], y)..)?.first_chunk()?;
        let (columns, mut lines) = (shares_of_columns(columns), shares_of_lines(lines));
        let mut slices = None;
        if plane.is_deep() {
            let z = numbers[2][lead];
            if z >= counts[2] {
                return None;
            }
            let near = plane.slices.get(entry(start[2], z)..)?;
            let mut apart: __mmask16 = 0;
            for (chunk, numbers) in numbers[2].as_chunks().0.iter().enumerate() {
                let other = _mm512_cmpneq_epu32_mask(vector(numbers), _mm512_set1_epi32(z as i32));
                apart |= other & part(exec, chunk);
            }
            match apart {
                0 => {
                    let share = near.first()?[0];
                    lines = join(lines, _mm512_set1_epi32(share as i32));
                }
                _ => {
                    // A table may end before sixteen more.
                    let mut entries = [[0; 2]; CHUNK];
                    for (entry, near) in entries.iter_mut().zip(near) {
                        *entry = *near;
                    }
                    slices = Some(shares_of_lines(&entries));
                }
            }
        }
        match slices {
            None => placed::<false>(plane.bytes, near, [columns, lines, lines], offsets, join),
            Some(slices) => {
                placed::<true>(plane.bytes, near, [columns, lines, slices], offsets, join)
            }
        }
    }

    /// The offsets of lanes from the shares of the columns, lines and slices from the first lane's on.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline]
    fn placed<const DEEP: bool>(
        bytes: u32,
        near: &Near,
        [columns, lines, slices]: [__m512i; 3],
        offsets: &mut Row,
        join: impl Fn(__m512i, __m512i) -> __m512i,
    ) -> Option<Runs> {
        let lead = near.exec.trailing_zeros() as usize % LANES;
        let [x, y, z] = near.numbers;
        let (x0, y0, z0) = (x[lead], y[lead], z[lead]);
        let first = |number: u32| _mm512_set1_epi32(number as i32);
        let (first_x, first_y, first_z) = (first(x0), first(y0), first(z0));
        let (mut far_x, mut far_y, mut far_z) = (first(0), first(0), first(0));
        let mut gaps = Gaps::new(bytes);
        let (x, y, z) = (x.as_chunks().0, y.as_chunks().0, z.as_chunks().0);
        for (chunk, offsets) in offsets.as_chunks_mut().0.iter_mut().enumerate() {
            let lanes = part(near.exec, chunk);
            let across = _mm512_maskz_sub_epi32(lanes, vector(&x[chunk]), first_x);
            let down = _mm512_maskz_sub_epi32(lanes, vector(&y[chunk]), first_y);
            far_x = _mm512_max_epu32(far_x, across);
            far_y = _mm512_max_epu32(far_y, down);
            let mut line = _mm512_permutexvar_epi32(down, lines);
            if DEEP {
                let deep = _mm512_maskz_sub_epi32(lanes, vector(&z[chunk]), first_z);
                far_z = _mm512_max_epu32(far_z, deep);
                line = join(line, _mm512_permutexvar_epi32(deep, slices));
            }
            let at = join(_mm512_permutexvar_epi32(across, columns), line);
            gaps.look(at);
            *offsets = words(at);
        }
        // The furthest that is near and inside.
        let last = |first: u32, count: u32| (count - first - 1).min(CHUNK as u32 - 1);
        let beyond = |far: __m512i, axis: usize, first: u32| {
            _mm512_cmpgt_epu32_mask(
                far,
                _mm512_set1_epi32(last(first, near.counts[axis]) as i32),
            )
        };
        let mut far = beyond(far_x, 0, x0) | beyond(far_y, 1, y0);
        if DEEP {
            far |= beyond(far_z, 2, z0);
        }
        (far == 0).then_some(gaps.runs())
    }

    /// The same of positions. Lanes that do not read get the offset of any entry of the tables.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn entries(plane: &Plane, positions: &Positions, offsets: &mut Row) -> Option<Runs> {
        by_join!(plane, of_entries(plane, positions, offsets))
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    #[inline]
    fn of_entries(
        plane: &Plane,
        positions: &Positions,
        offsets: &mut Row,
        join: impl Fn(__m512i, __m512i) -> __m512i,
    ) -> Option<Runs> {
        const LAST: u32 = CHUNK as u32 - 1;
        let [across, down, deep] = positions.spans;
        // Positions of lines and slices count twice.
        let far = |[low, high]: [u32; 2], most: u32| high.wrapping_sub(low) > most;
        if far(across, LAST) || far(down, 2 * LAST) || far(deep, 2 * LAST) {
            return None;
        }
        // Sixteen entries from the least on, or the last ones of the table.
        let first = |low: u32, mask: u32| Some(low.min(mask.checked_sub(LAST)?));
        let x = first(across[0], plane.masks[0])?;
        let y = first(down[0] / 2, plane.masks[1])?;
        let columns = shares_of_columns(plane.columns.get(x as usize..)?.first_chunk()?);
        let mut lines = shares_of_lines(plane.lines.get(y as usize..)?.first_chunk()?);
        let mut slices = None;
        if plane.is_deep() {
            let low = deep[0] / 2;
            if deep[0] == deep[1] {
                let share = plane.slices.get(low as usize)?[0];
                lines = join(lines, _mm512_set1_epi32(share as i32));
            } else {
                let z = first(low, plane.masks[2])?;
                let shares = plane.slices.get(z as usize..)?.first_chunk()?;
                slices = Some((shares_of_lines(shares), _mm512_set1_epi32(z as i32)));
            }
        }
        let [x, y] = [_mm512_set1_epi32(x as i32), _mm512_set1_epi32(y as i32)];
        let mut gaps = Gaps::new(plane.bytes);
        for (chunk, offsets) in offsets.as_chunks_mut().0.iter_mut().enumerate() {
            let column = vector(&positions.columns.as_chunks().0[chunk]);
            let line = _mm512_srli_epi32::<1>(vector(&positions.lines.as_chunks().0[chunk]));
            let column = _mm512_permutexvar_epi32(_mm512_sub_epi32(column, x), columns);
            let mut line = _mm512_permutexvar_epi32(_mm512_sub_epi32(line, y), lines);
            if let Some((slices, z)) = slices {
                let slice = vector(&positions.slices.as_chunks().0[chunk]);
                let slice = _mm512_sub_epi32(_mm512_srli_epi32::<1>(slice), z);
                line = join(line, _mm512_permutexvar_epi32(slice, slices));
            }
            let at = join(column, line);
            gaps.look(at);
            *offsets = words(at);
        }
        Some(gaps.runs())
    }

    /// Where texels do not follow each other: bits that are not those of a run, of any lane.
    struct Gaps {
        /// How much further texels are in the lanes of a quad, and in odd lanes.
        behind: [__m512i; 2],
        /// Bits that are zero in the first lane of a quad.
        low: __m512i,
        quads: __m512i,
        pairs: __m512i,
        /// Whether so many bytes are read in runs.
        runs: bool,
    }

    impl Gaps {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        #[inline]
        fn new(bytes: u32) -> Gaps {
            let step = if bytes == 2 { 2 } else { 1 };
            let numbers = _mm512_set4_epi32(3 * step, 2 * step, step, 0);
            Gaps {
                behind: [numbers, _mm512_shuffle_epi32::<0b01_00_01_00>(numbers)],
                low: _mm512_set1_epi32(4 * step - 1),
                quads: _mm512_setzero_si512(),
                pairs: _mm512_setzero_si512(),
                runs: matches!(bytes, 1 | 2 | 4),
            }
        }

        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        #[inline]
        fn look(&mut self, at: __m512i) {
            // a | b ^ c and a | b & c
            const APART: i32 = 0b1111_0110;
            const BOTH: i32 = 0b1111_1000;
            let first = _mm512_shuffle_epi32::<0>(at);
            let even = _mm512_shuffle_epi32::<0b10_10_00_00>(at);
            let quads = _mm512_add_epi32(first, self.behind[0]);
            let pairs = _mm512_add_epi32(even, self.behind[1]);
            self.quads = _mm512_ternarylogic_epi32::<APART>(self.quads, at, quads);
            self.quads = _mm512_ternarylogic_epi32::<BOTH>(self.quads, first, self.low);
            self.pairs = _mm512_ternarylogic_epi32::<APART>(self.pairs, at, pairs);
        }

        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        #[inline]
        fn runs(&self) -> Runs {
            let quads = _mm512_test_epi32_mask(self.quads, self.quads);
            let pairs = _mm512_test_epi32_mask(self.pairs, self.pairs);
            match (self.runs, quads, pairs) {
                (true, 0, _) => Runs::Quads,
                (true, _, 0) => Runs::Pairs,
                _ => Runs::Apart,
            }
        }
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
        const EVEN: [u32; CHUNK] = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30];
        _mm512_permutex2var_epi32(a, vector(&EVEN), b)
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
                    let [columns, lines] = numbers.each_ref();
                    let near = Near {
                        exec,
                        numbers: [columns, lines, &[0; LANES]],
                        counts: [counts[0], counts[1], 1],
                        start: [start[0], start[1], 0],
                    };
                    let [column, line] =
                        [0, 1].map(|axis| numbers[axis].map(|at| at.wrapping_add(start[axis])));
                    let mut texels = [[0; LANES]; 4];
                    plane.texels(&column, &line, false, &mut texels);
                    // Positions of the same texels, wherever they lie.
                    let mut positions = Positions::ZERO;
                    for (axis, row) in [column, line].iter().enumerate() {
                        let mut cut = positions.cut(&plane, axis);
                        row.iter()
                            .enumerate()
                            .for_each(|(lane, at)| cut.put(lane, *at));
                    }
                    for lookup in &lookups {
                        positions.span(*lookup, exec, false);
                        let across = |[low, high]: [u32; 2], step: u32| (high - low) / step < 16;
                        let [columns, lines, _] = positions.spans;
                        let expected = across(columns, 1) && across(lines, 2);
                        let mut rows = [[0; LANES]; 4];
                        let found = plane.nearest(*lookup, &positions, rows.each_mut());
                        assert_eq!(found, expected, "{bytes} bytes, {join:?}, {x} {y}");
                        for (row, texels) in rows.iter().zip(&texels).filter(|_| found) {
                            for lane in lanes() {
                                assert_eq!(row[lane], texels[lane], "{bytes} bytes, {join:?}");
                            }
                        }
                    }
                    for lookup in &lookups {
                        let mut rows = [[0; LANES]; 4];
                        let found = plane.near(*lookup, &near, &mut rows);
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
