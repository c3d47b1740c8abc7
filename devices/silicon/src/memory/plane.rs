//! Reads of 2x2 neighbours in planes of texels. An address is a column share plus a line share plus, where there are
//! several, a slice share; tables hold per position the shares of the texel and of its successor, so one entry of each
//! table addresses four texels. Shares count words, or bytes where texels are smaller.
//!
//! # Safety
//!
//! No check per texel. [`Memory::plane`] checks once that the sum of the largest shares is inside the memory. Table
//! lengths are powers of two, so length minus one masks any position into the table. [`Positions`] are masked when
//! stored and remember the mask.

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::Memory;
use super::copy::{FourLanes, four_pairs, four_quads};
use super::elements;
use super::window::{Lookup, spans};
use crate::fragment::mask;
use crate::texture::exact::Exact;

/// Lanes whose words are read by one call.
pub(crate) const CHUNK: usize = 16;

/// Lanes of a wave.
pub(super) const LANES: usize = 64;

/// Positions of a wave's lanes on both axes, inside the tables of some plane.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Positions {
    /// At most `masks[0]`.
    pub(super) columns: [u32; LANES],
    /// Twice the position, as lines have two table entries: at most twice `masks[1]`.
    pub(super) lines: [u32; LANES],
    /// The same of slices.
    pub(super) slices: [u32; LANES],
    /// Bits that carry in each lane's sum, for [`Join::Carries`].
    pub(super) carries: [u32; LANES],
    /// Lengths of the tables of columns, lines and slices, less 1.
    pub(super) masks: [u32; 3],
    /// Least and largest entry on each axis, of lanes that [`Positions::span`] was given.
    pub(super) spans: [[u32; 2]; 3],
}

/// The positions along an axis, to be set.
pub(crate) struct Cut<'a> {
    row: &'a mut [u32; LANES],
    mask: u32,
    /// All ones where positions are doubled.
    twice: u32,
}

impl Positions {
    pub(crate) const ZERO: Positions = Positions {
        columns: [0; LANES],
        lines: [0; LANES],
        slices: [0; LANES],
        carries: [0; LANES],
        masks: [0; 3],
        spans: [[0; 2]; 3],
    };

    /// Finds the box of the positions of some lanes, which a [window](super::window::Window::load) is placed by. Least and
    /// largest positions are a chain of operations, so all waves of a batch find theirs before texels are read.
    #[inline(always)]
    pub(crate) fn span(&mut self, lookup: Lookup, exec: u64, deep: bool) {
        let [columns, lines] = spans(lookup, [&self.columns, &self.lines], exec);
        let slices = match deep {
            true => spans(lookup, [&self.slices; 2], exec)[0],
            false => [0; 2],
        };
        self.spans = [columns, lines, slices];
    }

    /// Lanes whose column or line is not the one behind that of other positions in the plane.
    #[inline(always)]
    pub(crate) fn not_behind(&self, other: &Positions) -> u64 {
        mask::collect(|lane| {
            let column = self.columns[lane] ^ (other.columns[lane] + 1);
            let line = self.lines[lane] ^ (other.lines[lane] + 2);
            column | line != 0
        })
    }

    /// Sets which bits carry in each lane's sum.
    pub(crate) fn carry(&mut self, bits: &[u32; LANES]) {
        self.carries = *bits;
    }

    /// Positions on axis 0, columns, 1, lines, or 2, slices, of a plane.
    #[inline(always)]
    pub(crate) fn cut(&mut self, plane: &Plane, axis: usize) -> Cut<'_> {
        let mask = plane.masks[axis];
        let (row, twice) = match axis {
            0 => (&mut self.columns, 0),
            1 => (&mut self.lines, u32::MAX),
            _ => (&mut self.slices, u32::MAX),
        };
        if self.masks[axis] != mask {
            // Unset lanes may exceed a smaller table.
            *row = [0; LANES];
            self.masks[axis] = mask;
        }
        Cut { row, mask, twice }
    }
}

impl Cut<'_> {
    #[inline(always)]
    pub(crate) fn put(&mut self, lane: usize, at: u32) {
        let at = at & self.mask;
        self.row[lane] = at + (at & self.twice);
    }
}

/// How column, line and slice shares combine to an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    /// Their sum.
    Sum,
    /// Their exclusive or.
    Xor,
    /// Their sum, in which these bits do not carry. Lower bits are in one of the two only.
    Without(u32),
    /// The same with bits that do carry of each lane: [`Positions::carry`].
    Carries,
}

impl Join {
    /// Bits that carry, where that is the same for all lanes.
    pub(crate) fn carries(self) -> u32 {
        match self {
            Join::Sum | Join::Carries => u32::MAX,
            Join::Xor => 0,
            Join::Without(bits) => !bits,
        }
    }
}

/// Shares of columns: of a column in the low half, of the next one in the high half.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    entries: Box<[u64]>,
    bits: u32,
}

/// Shares of lines, or of slices: of one, then of the next one, each in both halves.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    entries: Box<[[u64; 2]]>,
    bits: u32,
}

fn padded<T: Copy + Default>(mut entries: Vec<T>) -> Box<[T]> {
    entries.resize(entries.len().next_power_of_two(), T::default());
    entries.into_boxed_slice()
}

pub(super) fn both(share: u32) -> u64 {
    u64::from(share) | u64::from(share) << 32
}

impl Columns {
    /// From the shares of each position and its neighbour.
    pub(crate) fn new(pairs: &[[u32; 2]]) -> Columns {
        let joined = |[a, b]: &[u32; 2]| u64::from(*a) | u64::from(*b) << 32;
        Columns {
            entries: padded(pairs.iter().map(joined).collect()),
            bits: pairs
                .as_flattened()
                .iter()
                .fold(0, |bits, share| bits | share),
        }
    }
}

impl Lines {
    /// From the shares of each position and its neighbour.
    pub(crate) fn new(pairs: &[[u32; 2]]) -> Lines {
        Lines {
            entries: padded(pairs.iter().map(|[a, b]| [both(*a), both(*b)]).collect()),
            bits: pairs
                .as_flattened()
                .iter()
                .fold(0, |bits, share| bits | share),
        }
    }
}

/// Texels of a memory in columns, lines and slices, all of them inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane<'a> {
    pub(super) words: &'a [AtomicU32],
    pub(super) columns: &'a [u64],
    pub(super) lines: &'a [[u64; 2]],
    /// None for the one slice, which adds nothing.
    pub(super) slices: &'a [[u64; 2]],
    /// Lengths of the tables, less 1; all are below 2^31.
    pub(super) masks: [u32; 3],
    pub(super) join: Join,
    /// Of a texel: 1, 2, 3, 6, or a multiple of 4 up to 16; 0 where what is read are places in blocks.
    pub(super) bytes: u32,
}

/// How the texels of a plane are found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tables<'a> {
    pub columns: &'a Columns,
    pub lines: &'a Lines,
    /// None for one slice, which adds nothing.
    pub slices: Option<&'a Lines>,
    pub join: Join,
    /// Of a texel: 1, 2, 3, 6, or a multiple of 4 up to 16. Shares are in words for the latter, in bytes for others.
    pub bytes: u32,
    /// Elements are blocks of 4 by 4 texels: shares are twice the bytes, plus a part of the texel's number in its block.
    pub blocks: bool,
}

impl Memory {
    /// The plane of texels from byte `base` on; `None` where it is not aligned or some texel may be outside.
    pub(crate) fn plane<'a>(&'a self, base: u64, tables: Tables<'a>) -> Option<Plane<'a>> {
        let Tables {
            columns,
            lines,
            slices,
            join,
            bytes,
            blocks,
        } = tables;
        let first = usize::try_from(base >> 2).ok()?;
        let words = self.words().get(first..)?;
        // No share exceeds the union of their bits, and no join exceeds the sum.
        let bits = slices.map_or(0, |slices| slices.bits);
        let bits = [columns.bits, lines.bits, bits];
        let last = usize::try_from(
            bits[1..]
                .iter()
                .try_fold(bits[0], |a, b| a.checked_add(*b))?,
        );
        let (last, whole) = match bytes {
            8 | 16 if blocks => ((last.ok()? / 16 * 8 + bytes as usize) / 4 - 1, true),
            _ if blocks => return None,
            1 | 3 => ((last.ok()? + bytes as usize - 1) / 4, true),
            2 | 6 => {
                let even = bits.iter().all(|bits| bits % 2 == 0);
                ((last.ok()? + bytes as usize - 1) / 4, even)
            }
            4 | 8 | 12 | 16 => (last.ok()? + bytes as usize / 4 - 1, true),
            _ => return None,
        };
        let mask = |entries: usize| u32::try_from(entries - 1).ok().filter(|m| *m < 1 << 31);
        let slices = slices.map_or(&[] as &[_], |slices| &slices.entries);
        let masks = [
            mask(columns.entries.len())?,
            mask(lines.entries.len())?,
            mask(slices.len().max(1))?,
        ];
        (base.is_multiple_of(4) && last < words.len() && whole).then_some(Plane {
            words,
            columns: &columns.entries,
            lines: &lines.entries,
            slices,
            masks,
            join,
            bytes: if blocks { 0 } else { bytes },
        })
    }
}

/// One row of lanes.
pub(super) type Row = [u32; LANES];

/// How shares combine. A type, as closures with several callers are not always inlined.
pub(super) trait Combine: Copy {
    fn of(self, a: u64, b: u64) -> u64;
}

/// [`Join::Sum`].
#[derive(Clone, Copy)]
pub(super) struct Sum;

impl Combine for Sum {
    #[inline(always)]
    fn of(self, a: u64, b: u64) -> u64 {
        a.wrapping_add(b)
    }
}

/// [`Join::Xor`].
#[derive(Clone, Copy)]
pub(super) struct Xor;

impl Combine for Xor {
    #[inline(always)]
    fn of(self, a: u64, b: u64) -> u64 {
        a ^ b
    }
}

/// [`Join::Without`] all but these bits, which are the same in both halves.
#[derive(Clone, Copy)]
pub(super) struct Carry(pub(super) u64);

impl Combine for Carry {
    #[inline(always)]
    fn of(self, a: u64, b: u64) -> u64 {
        (a ^ b).wrapping_add((a & b & self.0) << 1)
    }
}

/// Runs a block with `$join` as the way shares combine.
macro_rules! by_join {
    ($plane:ident, $positions:ident, |$join:ident| $body:expr) => {
        match $plane.join {
            Join::Sum => {
                let $join = |c: u64, l: u64, _: usize| Sum.of(c, l);
                $body
            }
            Join::Xor => {
                let $join = |c: u64, l: u64, _: usize| Xor.of(c, l);
                $body
            }
            Join::Without(bits) => {
                let carry = Carry(both(!bits));
                let $join = |c: u64, l: u64, _: usize| carry.of(c, l);
                $body
            }
            Join::Carries => {
                let rows = &$positions.carries;
                let $join = |c: u64, l: u64, lane: usize| Carry(both(rows[lane % LANES])).of(c, l);
                $body
            }
        }
    };
}
pub(super) use by_join;

/// Calls a macro with the bytes of a texel as a constant.
macro_rules! by_bytes {
    ($bytes:expr, $call:ident) => {
        match $bytes {
            1 => $call!(1),
            2 => $call!(2),
            3 => $call!(3),
            4 => $call!(4),
            6 => $call!(6),
            8 => $call!(8),
            12 => $call!(12),
            _ => $call!(16),
        }
    };
}
pub(super) use by_bytes;

impl Plane<'_> {
    /// Whether texels are words.
    pub(crate) fn is_words(&self) -> bool {
        self.bytes == 4
    }

    /// Whether texels are words of one slice, which [`Plane::read`] needs.
    pub(crate) fn is_flat_words(&self) -> bool {
        self.is_words() && self.slices.is_empty()
    }

    /// The same texels where shares combine in another way.
    #[inline(always)]
    pub(crate) fn joined(self, join: Join) -> Self {
        Plane { join, ..self }
    }

    /// Whether what is read are places in blocks: twice the offset of the block, and the number of the texel in its low
    /// four bits.
    #[inline(always)]
    pub(crate) fn is_blocks(&self) -> bool {
        self.bytes == 0
    }

    /// How shares combine.
    #[inline(always)]
    pub(crate) fn join(&self) -> Join {
        self.join
    }

    /// Whether there are slices.
    #[inline(always)]
    pub(crate) fn is_deep(&self) -> bool {
        !self.slices.is_empty()
    }

    /// Reads the texels of all lanes: one, or the 2x2 neighbours, in slice `k` (0 or 1) of the pair. `rows[w][t]` gets
    /// word `w` of texel `t`. Positions must belong to this plane.
    pub(crate) fn rows(
        &self,
        positions: &Positions,
        k: usize,
        one: bool,
        rows: &mut [[Row; 4]; 4],
    ) {
        assert_eq!(positions.masks, self.masks, "positions in another plane");
        macro_rules! of {
            ($bytes:literal) => {
                by_join!(
                    self,
                    positions,
                    |join| match (self.slices.is_empty(), one) {
                        (true, true) => self.rows_by::<$bytes, false, 1>(positions, k, rows, join),
                        (true, false) => self.rows_by::<$bytes, false, 4>(positions, k, rows, join),
                        (false, true) => self.rows_by::<$bytes, true, 1>(positions, k, rows, join),
                        (false, false) => self.rows_by::<$bytes, true, 4>(positions, k, rows, join),
                    }
                )
            };
        }
        match self.bytes {
            0 => of!(0),
            bytes => by_bytes!(bytes, of),
        }
    }

    #[inline(never)]
    fn rows_by<const BYTES: u32, const DEEP: bool, const N: usize>(
        &self,
        positions: &Positions,
        k: usize,
        rows: &mut [[Row; 4]; 4],
        join: impl Fn(u64, u64, usize) -> u64,
    ) {
        let shares = self.lines.as_flattened();
        let slices = self.slices.as_flattened();
        let k = k & 1;
        // Where the texels of a lane are.
        let find = |lane: usize| {
            let (x, y) = (
                positions.columns[lane] as usize,
                positions.lines[lane] as usize,
            );
            // SAFETY: columns are at most one less than the length, lines and slices two, as their masks are those of
            // this plane; and `k` is at most one.
            let (column, mut lines) = unsafe {
                let lines = [*shares.get_unchecked(y), *shares.get_unchecked(y + 1)];
                (*self.columns.get_unchecked(x), lines)
            };
            if DEEP {
                let z = positions.slices[lane] as usize + k;
                // SAFETY: as above.
                let slice = unsafe { *slices.get_unchecked(z) };
                lines = [join(lines[0], slice, lane), join(lines[1], slice, lane)];
            }
            let (top, low) = (join(column, lines[0], lane), join(column, lines[1], lane));
            [
                top as u32,
                (top >> 32) as u32,
                low as u32,
                (low >> 32) as u32,
            ]
        };
        if BYTES == 8 || BYTES == 16 {
            for four in 0..LANES / 4 {
                let lane = 4 * four;
                let at = [find(lane), find(lane + 1), find(lane + 2), find(lane + 3)];
                for tap in 0..N {
                    let at = [at[0][tap], at[1][tap], at[2][tap], at[3][tap]];
                    // SAFETY: `Memory::plane` saw that the last word of the largest offset is inside.
                    let words = unsafe {
                        match BYTES {
                            8 => four_pairs(self.words, at),
                            _ => four_quads(self.words, at),
                        }
                    };
                    for (row, words) in rows.iter_mut().zip(words).take(BYTES as usize / 4) {
                        row[tap].as_chunks_mut::<4>().0[four] = words;
                    }
                }
            }
            return;
        }
        for lane in 0..LANES {
            for (tap, &at) in find(lane).iter().take(N).enumerate() {
                // SAFETY: `Memory::plane` saw that the largest offset is inside.
                unsafe {
                    self.one::<BYTES>(at, lane, rows.each_mut().map(|rows| &mut rows[tap][..]))
                };
            }
        }
    }

    /// The word at an offset.
    ///
    /// # Safety
    ///
    /// It is inside.
    #[inline(always)]
    pub(super) unsafe fn word(&self, at: u32) -> u32 {
        // SAFETY: as the caller promises.
        unsafe { self.words.get_unchecked(at as usize) }.load(Relaxed)
    }

    /// Reads the texel at an offset to rows of its words; of a plane of blocks, the place in a block.
    ///
    /// # Safety
    ///
    /// It is inside.
    #[inline(always)]
    pub(super) unsafe fn one<const BYTES: u32>(&self, at: u32, to: usize, rows: [&mut [u32]; 4]) {
        let [a, b, c, d] = rows;
        // SAFETY: as the caller promises.
        unsafe {
            match BYTES {
                0 => a[to] = at,
                1 => a[to] = elements::byte(self.words, at),
                2 => a[to] = elements::half(self.words, at),
                3 => a[to] = elements::three(self.words, at),
                6 => [a[to], b[to]] = elements::halves(self.words, at),
                _ => {
                    for (row, at) in [a, b, c, d].into_iter().zip(at..).take(BYTES as usize / 4) {
                        row[to] = self.word(at);
                    }
                }
            }
        }
    }

    /// Reads `N` words for each of sixteen lanes: 1, or the 2x2 neighbours (column, next column, both in the next
    /// line), of a plane of words with one slice. Positions must belong to this plane.
    #[inline(always)]
    pub(crate) fn read<F: Exact, const N: usize>(
        &self,
        positions: &Positions,
        chunk: usize,
        out: [&mut [u32; CHUNK]; 4],
    ) {
        by_join!(self, positions, |join| self
            .read_by::<F, N>(positions, chunk, out, join));
    }

    #[inline(always)]
    fn read_by<F: Exact, const N: usize>(
        &self,
        positions: &Positions,
        chunk: usize,
        out: [&mut [u32; CHUNK]; 4],
        join: impl Fn(u64, u64, usize) -> u64,
    ) {
        assert_eq!(positions.masks, self.masks, "positions in another plane");
        debug_assert!(self.is_flat_words());
        let columns = &positions.columns.as_chunks::<CHUNK>().0[chunk];
        let lines = &positions.lines.as_chunks::<CHUNK>().0[chunk];
        let shares = self.lines.as_flattened();
        // Where the words of a lane are.
        let at = |lane: usize| {
            let (x, y) = (columns[lane] as usize, lines[lane] as usize);
            // SAFETY: columns are at most one less than the length, lines two, as their masks are those of this plane.
            let (column, line) = unsafe {
                let line = [*shares.get_unchecked(y), *shares.get_unchecked(y + 1)];
                (*self.columns.get_unchecked(x), line)
            };
            let all = CHUNK * chunk + lane;
            let (top, low) = (join(column, line[0], all), join(column, line[1], all));
            [
                top as u32,
                (top >> 32) as u32,
                low as u32,
                (low >> 32) as u32,
            ]
        };
        if F::AVX2 && N > 1 {
            let [out0, out1, out2, out3] = out.map(|row| row.as_chunks_mut::<4>().0);
            for four in 0..CHUNK / 4 {
                // SAFETY: `Memory::plane` saw that the largest offset is inside, and the host has AVX2.
                let [a, b, c, d] = unsafe {
                    let four_lanes = FourLanes::first(self.words, at(4 * four));
                    let four_lanes = four_lanes.next::<1>(self.words, at(4 * four + 1));
                    let four_lanes = four_lanes.next::<2>(self.words, at(4 * four + 2));
                    four_lanes.next::<3>(self.words, at(4 * four + 3)).rows()
                };
                (out0[four], out1[four], out2[four], out3[four]) = (a, b, c, d);
            }
            return;
        }
        let [out0, out1, out2, out3] = out;
        for lane in 0..CHUNK {
            // SAFETY: as above.
            let word = |at: u32| unsafe { self.words.get_unchecked(at as usize) }.load(Relaxed);
            let at = at(lane);
            out0[lane] = word(at[0]);
            if N > 1 {
                out1[lane] = word(at[1]);
                out2[lane] = word(at[2]);
                out3[lane] = word(at[3]);
            }
        }
    }
}
