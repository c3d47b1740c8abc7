//! Lane masks and rows: one bit per lane against one value per lane.

use std::hint::black_box;

use host::{Kernel, MASK_LANES, Rounding, SimdLevel, lanes};

/// Bit of lane `i` in its half of a mask.
pub(crate) const BIT: [u32; 32] = {
    let mut bits = [0; 32];
    let mut i = 0;
    while i < 32 {
        bits[i] = 1 << i;
        i += 1;
    }
    bits
};

/// Bit `i` is `keep(i)`.
#[inline(always)]
pub fn collect(keep: impl Fn(usize) -> bool) -> u64 {
    let mut parts = [0; 64 / MASK_LANES];
    for (n, part) in parts.iter_mut().enumerate() {
        *part = lanes(|lane| keep(MASK_LANES * n + lane));
    }
    joined(parts)
}

/// A mask from those of its sixteen lanes each.
#[inline(always)]
pub(crate) fn joined([a, b, c, d]: [u32; 4]) -> u64 {
    u64::from(a | b << 16) | u64::from(c | d << 16) << 32
}

/// Values on their way to a row.
#[repr(C, align(64))]
struct Staged<T, const N: usize>([T; N]);

/// Stores values of which some were chosen from those that they replace. Where the compiler sees the choice it stores
/// under a mask, which takes AMD's processors with AVX2 fourteen cycles for eight lanes.
#[inline(always)]
pub(crate) fn store<T: Copy, const N: usize>(row: &mut [T; N], values: [T; N]) {
    let staged = Staged(values);
    *row = black_box(&staged).0;
}

/// Lane count of a mask, mostly full: not every host has a popcount.
#[inline(always)]
pub(crate) fn ones(mask: u64) -> u64 {
    match mask {
        u64::MAX => 64,
        _ => mask.count_ones().into(),
    }
}

struct Expand<'a> {
    mask: u64,
    values: [u32; 2],
    row: &'a mut [u32; 64],
}

impl Kernel for Expand<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let [clear, set] = self.values;
        for half in 0..2 {
            let word = (self.mask >> (32 * half)) as u32;
            for (value, bit) in self.row[32 * half..][..32].iter_mut().zip(&BIT) {
                *value = if word & bit != 0 { set } else { clear };
            }
        }
    }
}

/// Fills a row with one of two values a lane: the first where the mask is clear, the second where it is set.
pub fn expand(level: SimdLevel, mask: u64, values: [u32; 2], row: &mut [u32; 64]) {
    level.run(Expand { mask, values, row });
}

/// Replaces a row where the mask is set.
pub fn merge(level: SimdLevel, mask: u64, new: &[u32; 64], old: &mut [u32; 64]) {
    match mask {
        0 => {}
        u64::MAX => level.run(CopyRow { new, old }),
        mask => level.run(Merge { mask, new, old }),
    }
}

/// A copy by vectors of the level, which wide loads need not wait for.
struct CopyRow<'a> {
    new: &'a [u32; 64],
    old: &'a mut [u32; 64],
}

impl Kernel for CopyRow<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (old, new) in self.old.iter_mut().zip(self.new) {
            *old = *new;
        }
    }
}

struct Merge<'a> {
    mask: u64,
    new: &'a [u32; 64],
    old: &'a mut [u32; 64],
}

impl Kernel for Merge<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let new = self.new;
        blend(self.mask, self.old, |i| new[i]);
    }
}

/// Replaces `old[i]` by `new(i)` where the mask is set.
#[inline(always)]
pub(crate) fn replace<T: Copy>(mask: u64, old: &mut [T; 64], new: impl Fn(usize) -> T) {
    if mask == u64::MAX {
        for (i, old) in old.iter_mut().enumerate() {
            *old = new(i);
        }
        return;
    }
    blend(mask, old, new);
}

#[inline(always)]
fn blend<T: Copy>(mask: u64, old: &mut [T; 64], new: impl Fn(usize) -> T) {
    for (part, old) in old.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let word = (mask >> (16 * part)) as u32;
        let mut values = *old;
        for i in 0..16 {
            let value = new(16 * part + i);
            values[i] = if word & BIT[i] != 0 { value } else { values[i] };
        }
        store(old, values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for mask in [0, 1, 1 << 63, u64::MAX, 0x1234_5678_9abc_def0] {
            assert_eq!(collect(|i| mask >> i & 1 != 0), mask);
            for level in SimdLevel::available() {
                let mut row = [1; 64];
                expand(level, mask, [5, 9], &mut row);
                assert_eq!(collect(|i| row[i] == 9), mask);
                assert_eq!(collect(|i| row[i] == 5), !mask);
            }
            let mut row = [7u32; 64];
            replace(mask, &mut row, |i| i as u32 + 100);
            for (i, v) in row.iter().enumerate() {
                let expected = if mask >> i & 1 != 0 {
                    i as u32 + 100
                } else {
                    7
                };
                assert_eq!(*v, expected);
            }
        }
    }
}
