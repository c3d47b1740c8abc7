//! Reads windows of tiles in which four texels that follow each other are a square, or part of a line. Windows are made
//! of whole groups of four, and code is chosen once by how many lie side by side: loops that end one step sooner or later
//! with every wave are ones that a processor guesses wrongly.
//!
//! # Safety
//!
//! Offsets are those of [`crate::memory::plane`], whose checks hold for them. A group begins at a multiple of its size,
//! and planes that are read so have a multiple of four words.

use std::sync::atomic::Ordering::Relaxed;

use super::{ACROSS, Bounds, Plane, Row};
use crate::memory::copy::{four_words, two_words};
use crate::memory::plane::Combine;

/// Most groups side by side.
const MOST: usize = ACROSS as usize / 2;

/// What shares of texels that lie side by side differ in.
const fn step(bytes: u32) -> u32 {
    match bytes {
        1 | 2 => bytes,
        _ => 1,
    }
}

/// How four texels that follow each other lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Group {
    /// Two columns of two lines.
    Square,
    /// Four columns.
    Line,
}

impl Group {
    /// Columns and lines.
    const fn size(self) -> [u32; 2] {
        match self {
            Group::Square => [2, 2],
            Group::Line => [4, 1],
        }
    }

    /// Whether a group begins at a column.
    #[inline(always)]
    fn has_column(self, plane: &Plane, at: u32, step: u32) -> bool {
        let shares = |at: u32| {
            let entry = plane.columns[(at & plane.masks[0]) as usize];
            [entry as u32, (entry >> 32) as u32]
        };
        let [share, next] = shares(at);
        let two = share & (4 * step - 1) == 0 && next == share + step;
        match self {
            Group::Square => two,
            Group::Line => two && shares(at + 2) == [share + 2 * step, share + 3 * step],
        }
    }

    /// Whether it begins at a line, given the share of that and of the next one.
    #[inline(always)]
    fn has_line(self, [this, next]: [u32; 2], step: u32) -> bool {
        let begins = this & (4 * step - 1) == 0;
        begins && (self == Group::Line || next == this + 2 * step)
    }

    /// The whole groups around a box, where its first texel is in one.
    #[inline(always)]
    fn around(self, plane: &Plane, bounds: Bounds) -> Option<Bounds> {
        let step = step(plane.bytes);
        let Bounds {
            first: [x, y, z],
            size: [across, down, slices],
        } = bounds;
        let line = |y: u32| plane.lines[(y & plane.masks[1]) as usize].map(|share| share as u32);
        let column = plane.columns[(x & plane.masks[0]) as usize] as u32;
        let [wide, high] = self.size();
        // Steps are 1 or 2: a shift, as the quotient would be a division.
        let shift = step / 2;
        let left = column >> shift & (wide - 1);
        let above = line(y)[0] >> (shift + 1) & (high - 1);
        let (x, y) = (x.checked_sub(left)?, y.checked_sub(above)?);
        let whole = self.has_column(plane, x, step) && self.has_line(line(y), step);
        whole.then_some(Bounds {
            first: [x, y, z],
            size: [
                (across + left).next_multiple_of(wide),
                (down + above).next_multiple_of(high),
                slices,
            ],
        })
    }
}

/// The whole groups around a box, where its first texel is in one, and their kind.
#[inline(always)]
pub(super) fn around(plane: &Plane, bounds: Bounds) -> Option<(Bounds, Group)> {
    if !matches!(plane.bytes, 1 | 2 | 4) || !plane.words.len().is_multiple_of(4) {
        return None;
    }
    if let Some(squares) = Group::Square.around(plane, bounds) {
        return Some((squares, Group::Square));
    }
    let lines = Group::Line.around(plane, bounds)?;
    Some((lines, Group::Line))
}

/// Reads the texels of a box of groups; false, and any texels, where some are not. The box stays where it is: a copy would
/// be made by wide loads, which wait for the narrow stores before them.
#[inline(never)]
pub(super) fn read<const BYTES: u32>(
    plane: &Plane,
    (bounds, group): (&Bounds, Group),
    join: impl Combine,
    words: &mut [[Row; 4]; 4],
) -> bool {
    let step = step(BYTES);
    let [wide, _] = group.size();
    let groups = (bounds.size[0] / wide) as usize;
    let mut columns = [0; MOST];
    let mut all = true;
    for (n, column) in columns.iter_mut().enumerate() {
        let at = bounds.first[0] + wide * n as u32;
        all &= n >= groups || group.has_column(plane, at, step);
        *column = plane.columns[(at & plane.masks[0]) as usize] & 0xffff_ffff;
    }
    macro_rules! of {
        ($line:literal: $($groups:literal)+) => {
            match groups {
                $($groups => lines::<BYTES, $groups, $line>(plane, bounds, &columns, join, words),)+
                _ => lines::<BYTES, MOST, $line>(plane, bounds, &columns, join, words),
            }
        };
    }
    all && match group {
        Group::Square => of!(false: 1 2 3 4 5 6 7),
        Group::Line => of!(true: 1 2 3 4),
    }
}

/// Reads `GROUPS` squares side by side, or so many parts of a line. Not a closure for each line, as those are not always
/// inlined.
#[inline(always)]
fn lines<const BYTES: u32, const GROUPS: usize, const LINE: bool>(
    plane: &Plane,
    bounds: &Bounds,
    columns: &[u64; MOST],
    join: impl Combine,
    words: &mut [[Row; 4]; 4],
) -> bool {
    let kind = if LINE { Group::Line } else { Group::Square };
    let [_, high] = kind.size();
    let [_, y, z] = bounds.first;
    let [_, down, slices] = bounds.size;
    let texels = words[0].as_flattened_mut();
    let (mut start, mut all) = (0, true);
    for z in (z..).take(slices as usize) {
        let slice = match plane.is_deep() {
            true => plane.slices[(z & plane.masks[2]) as usize][0],
            false => 0,
        };
        for y in (y..y + down).step_by(high as usize) {
            let [this, next] = plane.lines[(y & plane.masks[1]) as usize];
            let line = join.of(this, slice);
            all &= kind.has_line([line as u32, join.of(next, slice) as u32], step(BYTES));
            let end = start + 4 * GROUPS;
            let Some(texels) = texels.get_mut(start..end) else {
                return false;
            };
            // SAFETY: `Memory::plane` saw that the largest offset is inside, and `around` that so is a whole group.
            let read =
                |n: usize| unsafe { group::<BYTES>(plane, join.of(columns[n], line) as u32) };
            if LINE {
                for (n, part) in texels.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                    *part = read(n);
                }
            } else {
                let (upper, lower) = texels.split_at_mut(2 * GROUPS);
                let [upper, lower] = [upper, lower].map(|line| line.as_chunks_mut::<2>().0);
                for n in 0..GROUPS {
                    let [a, b, c, d] = read(n);
                    (upper[n], lower[n]) = ([a, b], [c, d]);
                }
            }
            start = end;
        }
    }
    all
}

/// The texels of the group that an offset is in.
///
/// # Safety
///
/// All of them are inside.
#[inline(always)]
pub(in crate::memory) unsafe fn group<const BYTES: u32>(plane: &Plane, at: u32) -> [u32; 4] {
    let words = plane.words;
    // SAFETY: as the caller promises.
    unsafe {
        match BYTES {
            1 => {
                let bytes = words.get_unchecked(at as usize / 4).load(Relaxed);
                bytes.to_le_bytes().map(u32::from)
            }
            2 => {
                let [a, b, ..] = two_words(words, at / 8 * 2).words();
                [a & 0xffff, a >> 16, b & 0xffff, b >> 16]
            }
            _ => four_words(words, at & !3).words(),
        }
    }
}
