//! Registers that results go to, sixteen lanes at a time.

use super::{LANES, Lanes};
use crate::fragment::mask;
use crate::memory::plane::CHUNK;

/// Chunks of a wave.
pub(super) const CHUNKS: usize = LANES / CHUNK;

/// Sixteen lanes of a row.
#[inline(always)]
pub(super) fn part(row: &Lanes, chunk: usize) -> &[u32; CHUNK] {
    &row.as_chunks().0[chunk]
}

#[inline(always)]
pub(super) fn part_mut(row: &mut Lanes, chunk: usize) -> &mut [u32; CHUNK] {
    &mut row.as_chunks_mut().0[chunk]
}

/// Registers that results go to.
pub(super) struct Target<'a> {
    /// Lanes that get one.
    pub exec: u64,
    /// Destination register of each byte or component of texels. A comparison goes to the first.
    pub rows: [Option<&'a mut Lanes>; 4],
}

impl Target<'_> {
    /// Of a wave that gets nothing.
    pub const NONE: Self = Target {
        exec: 0,
        rows: [None, None, None, None],
    };

    /// Which of the sixteen lanes of a chunk get a result.
    #[inline(always)]
    pub fn mask(&self, chunk: usize) -> u64 {
        self.exec >> (CHUNK * chunk) & 0xffff
    }
}

/// Writes the enabled lanes of sixteen.
#[inline(always)]
pub(super) fn put(mask: u64, row: &mut [u32; CHUNK], values: &[u32; CHUNK]) {
    if mask == 0xffff {
        *row = *values;
    } else {
        // A test of a vector of bits; shifts of the mask become a long chain of operations on masks.
        let (word, values, mut chosen) = (mask as u32, *values, *row);
        for l in 0..CHUNK {
            let taken = word & mask::BIT[l] != 0;
            chosen[l] = if taken { values[l] } else { chosen[l] };
        }
        mask::store(row, chosen);
    }
}
