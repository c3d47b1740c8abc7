//! Reads one element of 1 to 16 bytes for each of 64 lanes. Out-of-range elements are zero.
//!
//! # Safety
//!
//! No check per lane: the union of the offsets' bits is an upper bound of each, and the last word of an element there
//! must be inside. Bytes and halves are read by inline assembly that stands for a relaxed load of their word and a
//! shift; Miri and other hosts run that.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::copy::four_quads;
use super::{Memory, ROW_WORDS};

type Row = [u32; ROW_WORDS];

/// The byte at `at` in the low bits.
///
/// # Safety
///
/// It is inside.
#[inline(always)]
pub(super) unsafe fn byte(words: &[AtomicU32], at: u32) -> u32 {
    #[cfg(any(miri, not(target_arch = "x86_64")))]
    {
        // SAFETY: as the caller promises.
        unsafe { words.get_unchecked((at >> 2) as usize) }.load(Relaxed) >> (8 * (at & 3)) & 0xff
    }
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    {
        let value: u32;
        // SAFETY: the byte is inside, as the caller promises; see the module.
        unsafe {
            std::arch::asm!(
                "movzx {value:e}, byte ptr [{words} + {at}]",
                words = in(reg) words.as_ptr(),
                at = in(reg) u64::from(at),
                value = lateout(reg) value,
                options(nostack, preserves_flags, readonly),
            );
        }
        value
    }
}

/// The two bytes at `at`, a multiple of 2, in the low bits.
///
/// # Safety
///
/// They are inside.
#[inline(always)]
pub(super) unsafe fn half(words: &[AtomicU32], at: u32) -> u32 {
    #[cfg(any(miri, not(target_arch = "x86_64")))]
    {
        // SAFETY: as the caller promises.
        unsafe { words.get_unchecked((at >> 2) as usize) }.load(Relaxed) >> (8 * (at & 2)) & 0xffff
    }
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    {
        let value: u32;
        // SAFETY: the bytes are inside, as the caller promises; see the module.
        unsafe {
            std::arch::asm!(
                "movzx {value:e}, word ptr [{words} + {at}]",
                words = in(reg) words.as_ptr(),
                at = in(reg) u64::from(at & !1),
                value = lateout(reg) value,
                options(nostack, preserves_flags, readonly),
            );
        }
        value
    }
}

/// The three bytes at `at`.
///
/// # Safety
///
/// They are inside.
#[inline(always)]
pub(super) unsafe fn three(words: &[AtomicU32], at: u32) -> u32 {
    // SAFETY: as the caller promises.
    unsafe { byte(words, at) | byte(words, at + 1) << 8 | byte(words, at + 2) << 16 }
}

/// The six bytes at `at`, a multiple of 2, as a word and a half.
///
/// # Safety
///
/// They are inside.
#[inline(always)]
pub(super) unsafe fn halves(words: &[AtomicU32], at: u32) -> [u32; 2] {
    // SAFETY: as the caller promises.
    unsafe {
        let low = half(words, at) | half(words, at + 2) << 16;
        [low, half(words, at + 4)]
    }
}

/// Elements of `N` words, at most 3.
///
/// # Safety
///
/// All are inside.
#[inline(always)]
unsafe fn words_of<const N: usize>(words: &[AtomicU32], offsets: &Row, rows: &mut [&mut Row; 4]) {
    let [a, b, c, _] = rows;
    for lane in 0..ROW_WORDS {
        let at = (offsets[lane] >> 2) as usize;
        // SAFETY: as the caller promises.
        let word = |n: usize| unsafe { words.get_unchecked(at + n) }.load(Relaxed);
        a[lane] = word(0);
        if N > 1 {
            b[lane] = word(1);
        }
        if N > 2 {
            c[lane] = word(2);
        }
    }
}

/// Elements of four words.
///
/// # Safety
///
/// All are inside.
#[inline(always)]
unsafe fn quads_of(words: &[AtomicU32], offsets: &Row, rows: &mut [&mut Row; 4]) {
    for first in (0..ROW_WORDS).step_by(4) {
        let at = [0, 1, 2, 3].map(|lane| offsets[first + lane] >> 2);
        // SAFETY: as the caller promises.
        let quads = unsafe { four_quads(words, at) };
        for (row, quad) in rows.iter_mut().zip(quads) {
            row[first..first + 4].copy_from_slice(&quad);
        }
    }
}

impl Memory {
    /// Reads the element of `bytes` bytes, at most 16, at `base + offsets[lane]` of each lane, one row per word of it.
    /// Elements of an even size are at multiples of 2, those of whole words at words.
    #[inline]
    pub fn elements(&self, base: u64, bytes: u32, offsets: &Row, mut rows: [&mut Row; 4]) {
        let first = usize::try_from(base >> 2).unwrap_or(usize::MAX);
        let words = self.words().get(first..).unwrap_or(&[]);
        let bits = offsets.iter().fold(0, |bits, offset| bits | offset);
        let last = (bits as usize + bytes as usize).div_ceil(4);
        if !base.is_multiple_of(4) || last > words.len() {
            self.checked(base, bytes, offsets, &mut rows);
            return;
        }
        // SAFETY: no offset exceeds the union of their bits, and the element there ends inside.
        unsafe {
            match bytes {
                1 => {
                    for (value, at) in rows[0].iter_mut().zip(offsets) {
                        *value = byte(words, *at);
                    }
                }
                2 => {
                    for (value, at) in rows[0].iter_mut().zip(offsets) {
                        *value = half(words, *at);
                    }
                }
                3 => {
                    for (value, at) in rows[0].iter_mut().zip(offsets) {
                        *value = three(words, *at);
                    }
                }
                4 => words_of::<1>(words, offsets, &mut rows),
                6 => {
                    for (lane, at) in offsets.iter().enumerate() {
                        [rows[0][lane], rows[1][lane]] = halves(words, *at);
                    }
                }
                8 => words_of::<2>(words, offsets, &mut rows),
                12 => words_of::<3>(words, offsets, &mut rows),
                16 => quads_of(words, offsets, &mut rows),
                _ => self.checked(base, bytes, offsets, &mut rows),
            }
        }
    }

    /// Elements that may be outside, or lie across words.
    #[cold]
    fn checked(&self, base: u64, bytes: u32, offsets: &Row, rows: &mut [&mut Row; 4]) {
        for (word, row) in rows.iter_mut().enumerate().take(bytes.div_ceil(4) as usize) {
            let first = 4 * word as u64;
            let count = (u64::from(bytes) - first).min(4);
            for (value, offset) in row.iter_mut().zip(offsets) {
                let at = base.saturating_add(u64::from(*offset) + first);
                let byte = |n: u64| u32::from(self.load_byte(at.saturating_add(n)).unwrap_or(0));
                *value = (0..count).fold(0, |word, n| word | byte(n) << (8 * n));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs under Miri: `cargo +nightly miri test -p girih-silicon --lib memory::elements`.
    #[test]
    fn elements_of_every_size() {
        let memory = Memory::new(1024);
        for at in 0..1024 {
            let _ = memory.store_byte(at, (at * 7 + 3) as u8);
        }
        for bytes in [1, 2, 3, 4, 6, 8, 12, 16] {
            // Inside, and with lanes beyond the end.
            for step in [1, 40] {
                let align = if bytes % 2 == 0 {
                    bytes.min(4) / 2 * 2
                } else {
                    1
                };
                let align = if bytes == 6 { 2 } else { align };
                let offsets: Row = std::array::from_fn(|lane| align * step * lane as u32);
                let mut rows = [[7; ROW_WORDS]; 4];
                memory.elements(16, bytes, &offsets, rows.each_mut());
                for (lane, offset) in offsets.iter().enumerate() {
                    for byte in 0..bytes as usize {
                        let at = 16 + u64::from(*offset) + byte as u64;
                        let got = rows[byte / 4][lane] >> (8 * (byte % 4)) & 0xff;
                        let expected = memory.load_byte(at).unwrap_or(0);
                        assert_eq!(got, u32::from(expected), "{bytes} bytes at {at}");
                    }
                }
                assert_eq!(rows[3][0] == 7, bytes < 13);
            }
        }
    }
}
