//! Words of a flat plane at numbers of lanes, without rows of positions in between.
//!
//! # Safety
//!
//! Numbers are masked to the tables' lengths, so that the check of [`Memory::plane`](super::Memory::plane) holds for
//! them, as in [`super::plane`].

use std::sync::atomic::Ordering::Relaxed;

use super::plane::{Join, LANES, Plane};

impl Plane<'_> {
    /// Whether [`Plane::texels`] reads it.
    pub(crate) fn has_texels(&self) -> bool {
        self.is_flat_words() && self.join != Join::Carries
    }

    /// The word at each lane's column and line; numbers out of range wrap around.
    #[inline(always)]
    pub(crate) fn texels(
        &self,
        columns: &[u32; LANES],
        lines: &[u32; LANES],
        out: &mut [u32; LANES],
    ) {
        match self.join {
            Join::Sum | Join::Carries => self.joined_by(columns, lines, out, u32::wrapping_add),
            Join::Xor => self.joined_by(columns, lines, out, |c, l| c ^ l),
            Join::Without(bits) => {
                let join = |c: u32, l: u32| (c ^ l).wrapping_add((c & l & !bits) << 1);
                self.joined_by(columns, lines, out, join);
            }
        }
    }

    #[inline(always)]
    fn joined_by(
        &self,
        columns: &[u32; LANES],
        lines: &[u32; LANES],
        out: &mut [u32; LANES],
        join: impl Fn(u32, u32) -> u32,
    ) {
        assert!(self.has_texels(), "a plane of words of one slice");
        let [across, down, _] = self.masks;
        // SAFETY: the mask is the length of the table less one.
        let line = |y: u32| unsafe { self.lines.get_unchecked((y & down) as usize) }[0] as u32;
        // SAFETY: as above.
        let column = |x: u32| unsafe { *self.columns.get_unchecked((x & across) as usize) } as u32;
        for ((x, y), out) in columns.iter().zip(lines).zip(out) {
            let at = join(column(*x), line(*y));
            // SAFETY: `Memory::plane` saw that the largest offset is inside.
            *out = unsafe { self.words.get_unchecked(at as usize) }.load(Relaxed);
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
            let mut out = [0; LANES];
            plane.texels(&xs, &ys, &mut out);
            for lane in 0..LANES {
                // Tables have 32 entries, of which the last are zero.
                let entry = |n: u32, step: u32| if n % 32 < 20 { n % 32 * step } else { 0 };
                let word = 4 + expected(entry(xs[lane], 1), entry(ys[lane], 20));
                assert_eq!(out[lane], 7 * word + 1, "{join:?}, lane {lane}");
            }
        }
    }
}
