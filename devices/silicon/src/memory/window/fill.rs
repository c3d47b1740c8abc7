//! Reads the texels of a window from its plane: line by line, two or four texels at a time where they lie side by side or
//! have several words.
//!
//! # Safety
//!
//! Offsets are those of [`crate::memory::plane`], whose checks hold for them.

use std::sync::atomic::Ordering::Relaxed;

use super::{ACROSS, Bounds, Plane, Row, TEXELS};
use crate::memory::copy::{four_pairs, four_quads, two_words};
use crate::memory::elements;

/// Reads the texels of a box.
#[inline(never)]
pub(super) fn lines<const BYTES: u32>(
    plane: &Plane,
    bounds: &Bounds,
    join: impl Fn(u64, u64, usize) -> u64,
    words: &mut [[Row; 4]; 4],
) {
    let [x, y, z] = bounds.first;
    let [across, down, slices] = bounds.size.map(|size| size as usize);
    let across = across.min(ACROSS as usize);
    let mut columns = [0u64; ACROSS as usize];
    for (at, column) in (x..).zip(&mut columns[..across]) {
        *column = plane.columns[(at & plane.masks[0]) as usize] & 0xffff_ffff;
    }
    let columns = &columns[..across];
    let paired = Pairs::<BYTES>::of(columns);
    let mut start = 0;
    for z in (z..).take(slices) {
        let slice = match plane.is_deep() {
            true => plane.slices[(z & plane.masks[2]) as usize][0],
            false => 0,
        };
        for y in (y..).take(down) {
            let mut line = plane.lines[(y & plane.masks[1]) as usize][0];
            if plane.is_deep() {
                line = join(line, slice, 0);
            }
            let at = |column: u64| join(column, line, 0) as u32;
            // SAFETY: `Memory::plane` saw that the largest offset is inside.
            unsafe {
                match &paired {
                    Some(pairs) if pairs.fit(line) => pairs.read(plane, start, at, words),
                    _ if matches!(BYTES, 8 | 16) => {
                        four_texels::<BYTES>(plane, columns, start, at, words);
                    }
                    _ => {
                        for (lane, column) in (start..).zip(columns) {
                            texel::<BYTES>(plane, at(*column), lane % TEXELS, words);
                        }
                    }
                }
            }
            start += across;
        }
    }
    // Places in blocks are looked up as well: those of no lane are copies.
    if BYTES == 0 {
        let [places, ..] = words;
        let places = places.as_flattened_mut();
        let rest = places[0];
        places[start.min(TEXELS)..].fill(rest);
    }
}

/// Columns whose texels lie side by side in twos: those of tiles.
struct Pairs<'a, const BYTES: u32> {
    /// The column before the first two, if there is one.
    first: Option<&'a u64>,
    pairs: &'a [[u64; 2]],
    last: Option<&'a u64>,
}

impl<'a, const BYTES: u32> Pairs<'a, BYTES> {
    /// What shares of texels that lie side by side differ in.
    const STEP: u64 = match BYTES {
        1 | 2 => BYTES as u64,
        _ => 1,
    };

    #[inline(always)]
    fn of(columns: &'a [u64]) -> Option<Self> {
        if !matches!(BYTES, 1 | 2 | 4) {
            return None;
        }
        let odd = columns.first()? & Self::STEP != 0;
        let (first, rest) = columns.split_at(usize::from(odd));
        let (pairs, last) = rest.as_chunks();
        let beside = |[a, b]: &[u64; 2]| a & Self::STEP == 0 && *b == a + Self::STEP;
        pairs.iter().all(beside).then_some(Pairs {
            first: first.first(),
            pairs,
            last: last.first(),
        })
    }

    /// Whether they do so in a line.
    #[inline(always)]
    fn fit(&self, line: u64) -> bool {
        line & (2 * Self::STEP - 1) == 0
    }

    /// Reads a line to the texels from `start` on.
    ///
    /// # Safety
    ///
    /// All are inside, and the line fits.
    #[inline(always)]
    unsafe fn read(
        &self,
        plane: &Plane,
        start: usize,
        at: impl Fn(u64) -> u32,
        words: &mut [[Row; 4]; 4],
    ) {
        let mut lane = start;
        // SAFETY: as the caller promises: the second of two is one step behind the first in this line as well.
        unsafe {
            if let Some(column) = self.first {
                texel::<BYTES>(plane, at(*column), lane % TEXELS, words);
                lane += 1;
            }
            for [column, _] in self.pairs {
                let two = two::<BYTES>(plane, at(*column));
                if let Some(to) = words[0].as_flattened_mut().get_mut(lane..lane + 2) {
                    to.copy_from_slice(&two);
                }
                lane += 2;
            }
            if let Some(column) = self.last {
                texel::<BYTES>(plane, at(*column), lane % TEXELS, words);
            }
        }
    }
}

/// Two texels from an offset on that is a multiple of their size.
///
/// # Safety
///
/// They are inside.
#[inline(always)]
unsafe fn two<const BYTES: u32>(plane: &Plane, at: u32) -> [u32; 2] {
    // SAFETY: as the caller promises.
    unsafe {
        match BYTES {
            1 => {
                let both = elements::half(plane.words, at);
                [both & 0xff, both >> 8]
            }
            2 => {
                let both = plane.words.get_unchecked(at as usize / 4).load(Relaxed);
                [both & 0xffff, both >> 16]
            }
            _ => {
                let [a, b, ..] = two_words(plane.words, at).words();
                [a, b]
            }
        }
    }
}

/// Reads a line of texels of two or four words to those from `start` on, four at a time: the last column stands for those
/// behind it, whose texels the next line replaces.
///
/// # Safety
///
/// All are inside.
#[inline(always)]
unsafe fn four_texels<const BYTES: u32>(
    plane: &Plane,
    columns: &[u64],
    start: usize,
    at: impl Fn(u64) -> u32,
    words: &mut [[Row; 4]; 4],
) {
    let last = columns.len().saturating_sub(1);
    for four in (0..columns.len()).step_by(4) {
        let at = [0, 1, 2, 3].map(|n| at(columns[(four + n).min(last)]));
        // SAFETY: as the caller promises.
        let texels = unsafe {
            match BYTES {
                8 => four_pairs(plane.words, at),
                _ => four_quads(plane.words, at),
            }
        };
        for (row, texels) in words.iter_mut().zip(&texels).take(BYTES as usize / 4) {
            let row = row.as_flattened_mut();
            if let Some(to) = row.get_mut(start + four..start + four + 4) {
                to.copy_from_slice(texels);
            }
        }
    }
}

/// Reads the texel at an offset.
///
/// # Safety
///
/// It is inside.
#[inline(always)]
unsafe fn texel<const BYTES: u32>(plane: &Plane, at: u32, to: usize, rows: &mut [[Row; 4]; 4]) {
    let rows = rows.each_mut().map(|rows| rows.as_flattened_mut());
    // SAFETY: as the caller promises.
    unsafe { plane.one::<BYTES>(at, to, rows) }
}
