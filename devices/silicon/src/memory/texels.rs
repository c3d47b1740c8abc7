//! Texels of a flat plane at numbers of lanes, without rows of positions in between.
//!
//! # Safety
//!
//! Numbers are masked to the tables' lengths, so that the check of [`Memory::plane`](super::Memory::plane) holds for
//! them, as in [`super::plane`]: of a column and of the next one, as both are in one entry.

use super::copy::{four_pairs, four_quads, two_words};
#[cfg(any(test, all(not(miri), target_arch = "x86_64")))]
use super::near::Runs;
use super::plane::{
    Carry, Combine, Join, LANES, Plane, Positions, Row, Sum, Xor, both, by_bytes, by_join,
};
#[cfg(any(test, all(not(miri), target_arch = "x86_64")))]
use super::window::group;

impl Plane<'_> {
    /// Whether [`Plane::texels`] reads it.
    pub(crate) fn has_texels(&self) -> bool {
        !self.is_deep() && !self.is_blocks() && self.join != Join::Carries
    }

    /// The texel at each lane's column and line; numbers out of range wrap around. `rows[w]` gets word `w`. Where lanes are
    /// in `pairs`, the column of each odd lane is that behind the lane before, and its line the same.
    pub(crate) fn texels(&self, columns: &Row, lines: &Row, pairs: bool, rows: &mut [Row; 4]) {
        assert!(self.has_texels(), "a plane of one slice without blocks");
        let positions = &Positions::ZERO;
        macro_rules! of {
            ($bytes:literal) => {
                by_join!(self, positions, |join| match pairs {
                    true => self.texels_by::<$bytes, true>(columns, lines, rows, join),
                    false => self.texels_by::<$bytes, false>(columns, lines, rows, join),
                })
            };
        }
        by_bytes!(self.bytes, of);
    }

    #[inline(never)]
    fn texels_by<const BYTES: u32, const PAIRS: bool>(
        &self,
        columns: &Row,
        lines: &Row,
        rows: &mut [Row; 4],
        join: impl Fn(u64, u64, usize) -> u64,
    ) {
        let [across, down, _] = self.masks;
        // Where the texels at a column and behind it are.
        let both_at = |lane: usize| {
            let (x, y) = (
                (columns[lane] & across) as usize,
                (lines[lane] & down) as usize,
            );
            // SAFETY: masks are the lengths of the tables less one.
            let (column, [line, _]) =
                unsafe { (*self.columns.get_unchecked(x), *self.lines.get_unchecked(y)) };
            let both = join(column, line, lane);
            [both as u32, (both >> 32) as u32]
        };
        if BYTES == 4 && PAIRS {
            let [row, ..] = rows;
            for (pair, to) in row.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                let [first, second] = both_at(2 * pair);
                // SAFETY: `Memory::plane` saw that the largest offset is inside.
                *to = unsafe {
                    if second == first + 1 {
                        let [a, b, ..] = two_words(self.words, first).words();
                        [a, b]
                    } else {
                        [self.word(first), self.word(second)]
                    }
                };
            }
            return;
        }
        for four in 0..LANES / 4 {
            let lane = 4 * four;
            let at = match PAIRS {
                true => {
                    let ([a, b], [c, d]) = (both_at(lane), both_at(lane + 2));
                    [a, b, c, d]
                }
                false => {
                    let [a, b] = [both_at(lane)[0], both_at(lane + 1)[0]];
                    [a, b, both_at(lane + 2)[0], both_at(lane + 3)[0]]
                }
            };
            // SAFETY: `Memory::plane` saw that the last word of the largest offset is inside.
            unsafe { self.four::<BYTES>(at, four, rows.each_mut()) };
        }
    }
}

// Only vectors find offsets first.
#[cfg(any(test, all(not(miri), target_arch = "x86_64")))]
impl Plane<'_> {
    /// The texels at offsets, which follow each other as `runs` says; `rows[w]` gets word `w`, and of a plane of blocks the
    /// first one places.
    ///
    /// # Safety
    ///
    /// They are inside.
    #[inline(always)]
    pub(super) unsafe fn fetch(&self, offsets: &Row, runs: Runs, rows: [&mut Row; 4]) {
        macro_rules! of {
            // SAFETY: as the caller promises.
            ($bytes:literal) => {
                unsafe { self.fetch_by::<$bytes>(offsets, runs, rows) }
            };
        }
        match self.bytes {
            0 => {
                let [places, ..] = rows;
                *places = *offsets;
            }
            bytes => by_bytes!(bytes, of),
        }
    }

    /// # Safety
    ///
    /// As above.
    #[inline(never)]
    unsafe fn fetch_by<const BYTES: u32>(
        &self,
        offsets: &Row,
        runs: Runs,
        mut rows: [&mut Row; 4],
    ) {
        let quads = offsets.as_chunks::<4>().0;
        let to = &mut *rows[0];
        match runs {
            Runs::Quads if matches!(BYTES, 1 | 2 | 4) => {
                for ([at, ..], to) in quads.iter().zip(to.as_chunks_mut::<4>().0) {
                    // SAFETY: all four are inside, and the first is a multiple of four texels.
                    *to = unsafe { group::<BYTES>(self, *at) };
                }
            }
            Runs::Pairs if BYTES == 4 => {
                let (pairs, to) = (offsets.as_chunks::<2>().0, to.as_chunks_mut::<2>().0);
                for ([at, _], to) in pairs.iter().zip(to) {
                    // SAFETY: as the caller promises.
                    let [a, b, ..] = unsafe { two_words(self.words, *at) }.words();
                    *to = [a, b];
                }
            }
            _ => {
                for (four, at) in quads.iter().enumerate() {
                    // SAFETY: as the caller promises.
                    unsafe { self.four::<BYTES>(*at, four, rows.each_mut().map(|row| &mut **row)) };
                }
            }
        }
    }
}

impl Plane<'_> {
    /// Reads the texels at offsets to rows of four lanes.
    ///
    /// # Safety
    ///
    /// They are inside.
    #[inline(always)]
    unsafe fn four<const BYTES: u32>(&self, at: [u32; 4], four: usize, mut rows: [&mut Row; 4]) {
        // SAFETY: as the caller promises.
        unsafe {
            if BYTES == 8 || BYTES == 16 {
                let words = match BYTES {
                    8 => four_pairs(self.words, at),
                    _ => four_quads(self.words, at),
                };
                for (row, words) in rows.into_iter().zip(words).take(BYTES as usize / 4) {
                    row.as_chunks_mut::<4>().0[four] = words;
                }
            } else {
                for (n, at) in at.into_iter().enumerate() {
                    let rows = rows.each_mut().map(|row| &mut row[..]);
                    self.one::<BYTES>(at, 4 * four + n, rows);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::Memory;
    use super::super::plane::{Columns, Lines, Tables};
    use super::*;

    /// Runs under Miri: `cargo +nightly miri test -p girih-silicon --lib memory::texels`.
    #[test]
    fn texels_are_where_tables_say() {
        let memory = Memory::new(1 << 12);
        for word in 0..1 << 10 {
            memory.store(4 * word, 7 * word as u32 + 1).unwrap();
        }
        let pairs = |step: u32| -> Vec<[u32; 2]> { (0..20).map(|i| [i * step, 0]).collect() };
        type Joined = fn(u32, u32) -> u32;
        let joins: [(Join, Joined); 3] = [
            (Join::Sum, |c, l| c + l),
            (Join::Xor, |c, l| c ^ l),
            (Join::Without(4), |c, l| (c ^ l) + ((c & l & !4) << 1)),
        ];
        for (join, expected) in joins {
            let (columns, lines) = (Columns::new(&pairs(1)), Lines::new(&pairs(20)));
            let tables = Tables {
                columns: &columns,
                lines: &lines,
                slices: None,
                join,
                bytes: 4,
                blocks: false,
            };
            let plane = memory.plane(16, tables).unwrap();
            assert!(plane.has_texels());
            // Runs, one column, one line, anything, and what is out of range.
            let at = |lane: u32| match lane / 8 {
                0 => [lane, 3],
                1 => [4 + lane, 19],
                2 => [12 + lane % 8, 2],
                3 => [5, lane % 8],
                4 => [9, 9],
                5 => [19 - lane % 8, 1],
                6 => [lane * 7 % 20, lane * 11 % 20],
                _ => [30 + lane % 8, 64 + lane],
            };
            let [xs, ys] = [0, 1].map(|axis| std::array::from_fn(|lane| at(lane as u32)[axis]));
            let mut rows = [[0; LANES]; 4];
            plane.texels(&xs, &ys, false, &mut rows);
            let [out, ..] = rows;
            for lane in 0..LANES {
                // Tables have 32 entries, of which the last are zero.
                let entry = |n: u32, step: u32| if n % 32 < 20 { n % 32 * step } else { 0 };
                let word = 4 + expected(entry(xs[lane], 1), entry(ys[lane], 20));
                assert_eq!(out[lane], 7 * word + 1, "{join:?}, lane {lane}");
            }
        }
    }

    /// Texels of every size that lie in pairs. Runs under Miri, as above.
    #[test]
    fn pairs_are_texels() {
        let memory = Memory::new(1 << 16);
        for at in 0..1 << 16 {
            let _ = memory.store_byte(at, (at * 13 + at / 256) as u8);
        }
        for bytes in [1, 2, 3, 4, 6, 8, 12, 16] {
            let unit = if bytes % 4 == 0 { 4 } else { 1 };
            // Side by side, and in tiles of two columns.
            let shares: [fn(u32) -> u32; 2] = [|x| x, |x| (x & 1) | x >> 1 << 6];
            for (share, down) in shares.into_iter().zip([20, 2]) {
                let pairs: Vec<[u32; 2]> = (0..20)
                    .map(|x| [x, x + 1].map(|x| share(x) * bytes / unit))
                    .collect();
                let step = |y: u32| [y, y + 1].map(|y| y * down * bytes / unit);
                let lines: Vec<[u32; 2]> = (0..20).map(step).collect();
                let (columns, lines) = (Columns::new(&pairs), Lines::new(&lines));
                let tables = Tables {
                    columns: &columns,
                    lines: &lines,
                    slices: None,
                    join: Join::Sum,
                    bytes,
                    blocks: false,
                };
                let plane = memory.plane(64, tables).unwrap();
                for first in [0, 3] {
                    let xs = std::array::from_fn(|l| first + l as u32 % 16);
                    let ys = std::array::from_fn(|l| l as u32 / 16);
                    let [mut got, mut expected] = [[[0; LANES]; 4]; 2];
                    plane.texels(&xs, &ys, true, &mut got);
                    plane.texels(&xs, &ys, false, &mut expected);
                    assert_eq!(got, expected, "{bytes} bytes");
                    let at = |lane: usize| share(xs[lane]) + down * ys[lane];
                    let offsets: Row = std::array::from_fn(|lane| at(lane) * bytes / unit);
                    let [evens, odds] = [0, 1].map(|odd| offsets.iter().skip(odd).step_by(2));
                    let runs = match evens.zip(odds).all(|(even, odd)| *odd == even + 1) {
                        true => Runs::Pairs,
                        false => Runs::Apart,
                    };
                    got = [[0; LANES]; 4];
                    // SAFETY: they are those of texels.
                    unsafe { plane.fetch(&offsets, runs, got.each_mut()) };
                    assert_eq!(got, expected, "{bytes} bytes");
                    assert_ne!(got[0][1], got[0][2], "{bytes} bytes");
                    if matches!(bytes, 1 | 2 | 4) && down == 20 && first == 0 {
                        got = [[0; LANES]; 4];
                        // SAFETY: as above, and quads begin at multiples of four texels.
                        unsafe { plane.fetch(&offsets, Runs::Quads, got.each_mut()) };
                        assert_eq!(got, expected, "{bytes} bytes");
                    }
                }
            }
        }
    }
}
