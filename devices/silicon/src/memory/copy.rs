//! Copies blocks of words between video memory and rows by aligned vector moves in inline assembly, as the compiler
//! does not merge atomics. Each move stands for the plain loop beside it: relaxed word accesses in any order; x86-64
//! does not tear words. Miri and other hosts run the loop. Move width matches the kernels that use the rows next, for
//! store forwarding.

use std::sync::atomic::AtomicU32;
#[cfg(any(miri, not(target_arch = "x86_64")))]
use std::sync::atomic::Ordering::Relaxed;

use super::vector::{self, transposed};
use host::SimdLevel;

/// The vectors that blocks are moved by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vectors {
    /// 16 bytes, which every x86-64 processor has; also the plain loop.
    Baseline,
    /// 32 bytes.
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    Avx2,
    /// 64 bytes.
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    Avx512,
}

impl Vectors {
    /// Those of the level in use, which the host has.
    pub(super) fn current() -> Vectors {
        Vectors::of(SimdLevel::current())
    }

    fn of(level: SimdLevel) -> Vectors {
        match level.name() {
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            "avx2" => Vectors::Avx2,
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            "avx512" => Vectors::Avx512,
            _ => Vectors::Baseline,
        }
    }
}

#[cfg(any(miri, not(target_arch = "x86_64")))]
impl Vectors {
    /// Reads words that are aligned to 64 bytes, a multiple of 16 of them.
    pub(super) fn copy_out<const WORDS: usize>(
        self,
        words: &[AtomicU32; WORDS],
        block: &mut [u32; WORDS],
    ) {
        for (to, word) in block.iter_mut().zip(words) {
            *to = word.load(Relaxed);
        }
    }

    /// Writes them.
    pub(super) fn copy_in<const WORDS: usize>(
        self,
        words: &[AtomicU32; WORDS],
        block: &[u32; WORDS],
    ) {
        for (from, word) in block.iter().zip(words) {
            word.store(*from, Relaxed);
        }
    }
}

#[cfg(all(not(miri), target_arch = "x86_64"))]
impl Vectors {
    /// Reads words that are aligned to 64 bytes, a multiple of 16 of them.
    #[inline]
    pub(super) fn copy_out<const WORDS: usize>(
        self,
        words: &[AtomicU32; WORDS],
        block: &mut [u32; WORDS],
    ) {
        debug_assert!((words.as_ptr() as usize).is_multiple_of(64));
        let (from, to) = (words.as_ptr(), block.as_mut_ptr());
        // SAFETY: both arrays have `WORDS` words, a multiple of 16, `words` is aligned to 64 bytes, and a value of
        // these vectors exists only where the host has them.
        unsafe {
            match self {
                Vectors::Baseline => out_16::<WORDS>(from, to),
                Vectors::Avx2 => out_32::<WORDS>(from, to),
                Vectors::Avx512 => out_64::<WORDS>(from, to),
            }
        }
    }

    /// Writes them.
    #[inline]
    pub(super) fn copy_in<const WORDS: usize>(
        self,
        words: &[AtomicU32; WORDS],
        block: &[u32; WORDS],
    ) {
        debug_assert!((words.as_ptr() as usize).is_multiple_of(64));
        let (from, to) = (block.as_ptr(), words.as_ptr());
        // SAFETY: as in `copy_out`.
        unsafe {
            match self {
                Vectors::Baseline => in_16::<WORDS>(from, to),
                Vectors::Avx2 => in_32::<WORDS>(from, to),
                Vectors::Avx512 => in_64::<WORDS>(from, to),
            }
        }
    }
}

/// All ones in the lanes of a quad that a mask of four bits has.
pub(super) static LANES_OF_QUAD: [[u32; 4]; 16] = {
    let mut rows = [[0; 4]; 16];
    let mut n = 0;
    while n < 64 {
        if (n / 4) >> (n % 4) & 1 != 0 {
            rows[n / 4][n % 4] = u32::MAX;
        }
        n += 1;
    }
    rows
};

/// Has the first line of a value brought near.
#[inline(always)]
pub(super) fn prefetch<T>(value: &T) {
    #[cfg(any(miri, not(target_arch = "x86_64")))]
    let _ = value;
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    // SAFETY: a prefetch changes nothing but what is near, and every x86-64 processor has it.
    unsafe {
        std::arch::asm!(
            "prefetcht0 [{value}]",
            value = in(reg) std::ptr::from_ref(value),
            options(nostack, preserves_flags, readonly),
        );
    }
}

/// Reads four words that are aligned to 16 bytes.
#[cfg(any(miri, not(target_arch = "x86_64")))]
pub(super) fn quad_out(words: &[AtomicU32; 4], quad: &mut [u32; 4]) {
    for (to, word) in quad.iter_mut().zip(words) {
        *to = word.load(Relaxed);
    }
}

/// Writes four words that are aligned to 16 bytes.
#[cfg(any(miri, not(target_arch = "x86_64")))]
pub(super) fn quad_in(words: &[AtomicU32; 4], quad: &[u32; 4]) {
    for (from, word) in quad.iter().zip(words) {
        word.store(*from, Relaxed);
    }
}

/// Reads two pairs that are aligned to 8 bytes.
#[cfg(any(miri, not(target_arch = "x86_64")))]
pub(super) fn pairs_out(pairs: [&[AtomicU32; 2]; 2], quad: &mut [u32; 4]) {
    for (to, word) in quad.iter_mut().zip(pairs.into_iter().flatten()) {
        *to = word.load(Relaxed);
    }
}

/// Replaces words of two pairs, aligned to 8 bytes, by those of a quad where `lanes` is all ones.
#[cfg(any(miri, not(target_arch = "x86_64")))]
pub(super) fn merge_pairs(pairs: [&[AtomicU32; 2]; 2], quad: &[u32; 4], lanes: &[u32; 4]) {
    for (n, word) in pairs.into_iter().flatten().enumerate() {
        let kept = word.load(Relaxed) & !lanes[n];
        word.store(kept | quad[n] & lanes[n], Relaxed);
    }
}

/// Reads four words that are aligned to 16 bytes.
#[cfg(all(not(miri), target_arch = "x86_64"))]
#[inline(always)]
pub(super) fn quad_out(words: &[AtomicU32; 4], quad: &mut [u32; 4]) {
    debug_assert!((words.as_ptr() as usize).is_multiple_of(16));
    // SAFETY: both arrays have four words, `words` is aligned to 16 bytes, and every x86-64 processor has these moves;
    // see the module.
    unsafe {
        std::arch::asm!(
            "movaps {vector}, [{from}]",
            "movups [{to}], {vector}",
            from = in(reg) words.as_ptr(),
            to = in(reg) quad.as_mut_ptr(),
            vector = out(xmm_reg) _,
            options(nostack, preserves_flags),
        );
    }
}

/// Writes four words that are aligned to 16 bytes.
#[cfg(all(not(miri), target_arch = "x86_64"))]
#[inline(always)]
pub(super) fn quad_in(words: &[AtomicU32; 4], quad: &[u32; 4]) {
    debug_assert!((words.as_ptr() as usize).is_multiple_of(16));
    // SAFETY: as in `quad_out`.
    unsafe {
        std::arch::asm!(
            "movups {vector}, [{from}]",
            "movaps [{to}], {vector}",
            from = in(reg) quad.as_ptr(),
            to = in(reg) words.as_ptr(),
            vector = out(xmm_reg) _,
            options(nostack, preserves_flags),
        );
    }
}

/// Reads two pairs that are aligned to 8 bytes.
#[cfg(all(not(miri), target_arch = "x86_64"))]
#[inline(always)]
pub(super) fn pairs_out(pairs: [&[AtomicU32; 2]; 2], quad: &mut [u32; 4]) {
    let [first, second] = pairs;
    // SAFETY: the pairs are as long as the moves, as is the quad, and every x86-64 processor has these; see the module.
    unsafe {
        std::arch::asm!(
            "movlps {vector}, [{first}]",
            "movhps {vector}, [{second}]",
            "movups [{to}], {vector}",
            first = in(reg) first.as_ptr(),
            second = in(reg) second.as_ptr(),
            to = in(reg) quad.as_mut_ptr(),
            vector = out(xmm_reg) _,
            options(nostack, preserves_flags),
        );
    }
}

/// Replaces words of two pairs, aligned to 8 bytes, by those of a quad where `lanes` is all ones.
#[cfg(all(not(miri), target_arch = "x86_64"))]
#[inline(always)]
pub(super) fn merge_pairs(pairs: [&[AtomicU32; 2]; 2], quad: &[u32; 4], lanes: &[u32; 4]) {
    let [first, second] = pairs;
    // SAFETY: all arrays are as long as the moves, and every x86-64 processor has these; see the module.
    unsafe {
        std::arch::asm!(
            "movlps {old}, [{first}]",
            "movhps {old}, [{second}]",
            "movups {lanes}, [{mask}]",
            "movups {new}, [{quad}]",
            "andps {new}, {lanes}",
            "andnps {lanes}, {old}",
            "orps {new}, {lanes}",
            "movlps [{first}], {new}",
            "movhps [{second}], {new}",
            first = in(reg) first.as_ptr(),
            second = in(reg) second.as_ptr(),
            quad = in(reg) quad.as_ptr(),
            mask = in(reg) lanes.as_ptr(),
            old = out(xmm_reg) _,
            new = out(xmm_reg) _,
            lanes = out(xmm_reg) _,
            options(nostack, preserves_flags),
        );
    }
}

/// The four words that follow each offset, one row per word.
///
/// # Safety
///
/// They are inside.
#[inline(always)]
pub(super) unsafe fn four_quads(words: &[AtomicU32], at: [u32; 4]) -> [[u32; 4]; 4] {
    let [a, b, c, d] = at;
    // SAFETY: as the caller promises.
    let of = |at: u32| unsafe { four_words(words, at) };
    let [a, b, c, d] = transposed([of(a), of(b), of(c), of(d)]);
    [a.words(), b.words(), c.words(), d.words()]
}

/// The two words that follow each offset, one row per word, before two rows of zeros.
///
/// # Safety
///
/// They are inside.
#[inline(always)]
pub(super) unsafe fn four_pairs(words: &[AtomicU32], at: [u32; 4]) -> [[u32; 4]; 4] {
    let [a, b, c, d] = at;
    // SAFETY: as the caller promises.
    let of = |at: u32| unsafe { two_words(words, at) };
    let [a, b, c, d] = transposed([of(a), of(b), of(c), of(d)]);
    [a.words(), b.words(), c.words(), d.words()]
}

/// The two words that follow an offset, before two zeros.
///
/// # Safety
///
/// They are inside.
#[inline(always)]
pub(super) unsafe fn two_words(words: &[AtomicU32], at: u32) -> vector::Four {
    #[cfg(any(miri, not(target_arch = "x86_64")))]
    {
        // SAFETY: as the caller promises.
        let word = |n: usize| unsafe { words.get_unchecked(at as usize + n) }.load(Relaxed);
        vector::Four::new(&[word(0), word(1), 0, 0])
    }
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    {
        let pair: std::arch::x86_64::__m128;
        // SAFETY: the words are inside, as the caller promises; see the module.
        unsafe {
            std::arch::asm!(
                "movq {pair}, qword ptr [{words} + 4 * {at}]",
                words = in(reg) words.as_ptr(),
                at = in(reg) u64::from(at),
                pair = lateout(xmm_reg) pair,
                options(nostack, preserves_flags, readonly),
            );
        }
        vector::Four::from(pair)
    }
}

/// The four words that follow an offset.
///
/// # Safety
///
/// They are inside.
#[inline(always)]
pub(super) unsafe fn four_words(words: &[AtomicU32], at: u32) -> vector::Four {
    #[cfg(any(miri, not(target_arch = "x86_64")))]
    {
        // SAFETY: as the caller promises.
        let word = |n: usize| unsafe { words.get_unchecked(at as usize + n) }.load(Relaxed);
        vector::Four::new(&[word(0), word(1), word(2), word(3)])
    }
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    {
        let quad: std::arch::x86_64::__m128;
        // SAFETY: the words are inside, as the caller promises; see the module.
        unsafe {
            std::arch::asm!(
                "movups {quad}, [{words} + 4 * {at}]",
                words = in(reg) words.as_ptr(),
                at = in(reg) u64::from(at),
                quad = lateout(xmm_reg) quad,
                options(nostack, preserves_flags, readonly),
            );
        }
        vector::Four::from(quad)
    }
}

/// A 4x4 transpose in progress: four words of each of four lanes, one row per word.
#[derive(Clone, Copy)]
pub(super) struct FourLanes([Four; 4]);

#[cfg(all(not(miri), target_arch = "x86_64"))]
type Four = std::arch::x86_64::__m128i;
#[cfg(any(miri, not(target_arch = "x86_64")))]
type Four = [u32; 4];

#[cfg(any(miri, not(target_arch = "x86_64")))]
impl FourLanes {
    /// The words of the first lane.
    ///
    /// # Safety
    ///
    /// They are inside, and an x86-64 host has AVX2.
    #[inline(always)]
    pub(super) unsafe fn first(words: &[AtomicU32], at: [u32; 4]) -> FourLanes {
        // SAFETY: as the caller promises.
        unsafe { FourLanes([[0; 4]; 4]).next::<0>(words, at) }
    }

    /// Adds the words of another lane.
    ///
    /// # Safety
    ///
    /// As in [`FourLanes::first`].
    #[inline(always)]
    pub(super) unsafe fn next<const LANE: usize>(
        mut self,
        words: &[AtomicU32],
        at: [u32; 4],
    ) -> FourLanes {
        for (row, at) in self.0.iter_mut().zip(at) {
            // SAFETY: as the caller promises.
            row[LANE] = unsafe { words.get_unchecked(at as usize) }.load(Relaxed);
        }
        self
    }

    /// The rows.
    #[inline(always)]
    pub(super) fn rows(self) -> [[u32; 4]; 4] {
        self.0
    }
}

#[cfg(all(not(miri), target_arch = "x86_64"))]
impl FourLanes {
    /// The words of the first lane.
    ///
    /// # Safety
    ///
    /// They are inside, and an x86-64 host has AVX2.
    #[inline(always)]
    pub(super) unsafe fn first(words: &[AtomicU32], at: [u32; 4]) -> FourLanes {
        FourLanes(at.map(|at| {
            let row: Four;
            // SAFETY: the word is inside, as the caller promises; see the module.
            unsafe {
                std::arch::asm!(
                    "vmovd {row}, dword ptr [{words} + 4 * {at}]",
                    words = in(reg) words.as_ptr(),
                    at = in(reg) u64::from(at),
                    row = lateout(xmm_reg) row,
                    options(nostack, preserves_flags, readonly),
                );
            }
            row
        }))
    }

    /// Adds the words of another lane.
    ///
    /// # Safety
    ///
    /// As in [`FourLanes::first`].
    #[inline(always)]
    pub(super) unsafe fn next<const LANE: usize>(
        mut self,
        words: &[AtomicU32],
        at: [u32; 4],
    ) -> FourLanes {
        for (row, at) in self.0.iter_mut().zip(at) {
            // SAFETY: as above.
            unsafe {
                std::arch::asm!(
                    "vpinsrd {row}, {row}, dword ptr [{words} + 4 * {at}], {lane}",
                    words = in(reg) words.as_ptr(),
                    at = in(reg) u64::from(at),
                    row = inout(xmm_reg) *row,
                    lane = const LANE,
                    options(nostack, preserves_flags, readonly),
                );
            }
        }
        self
    }

    /// The rows.
    #[inline(always)]
    pub(super) fn rows(self) -> [[u32; 4]; 4] {
        // SAFETY: both are 16 bytes, of any value.
        self.0
            .map(|row| unsafe { std::mem::transmute::<Four, [u32; 4]>(row) })
    }
}

/// Declares a function that moves 16 words after the other by vectors. `$upper` clears the upper halves of registers:
/// code of the baseline that follows would wait for the moves to merge with them.
#[cfg(all(not(miri), target_arch = "x86_64"))]
macro_rules! moves {
    ($name:ident, $feature:literal, $from:ty, $to:ty, $class:ident, $load:literal, $store:literal, [$($at:literal)+] $(, $upper:path)?) => {
        /// # Safety
        ///
        /// Both pointers are followed by `WORDS` words, a multiple of 16. The one that is to atomics is a multiple of
        /// 64.
        #[target_feature(enable = $feature)]
        pub(super) unsafe fn $name<const WORDS: usize>(from: *const $from, to: $to) {
            for i in (0..WORDS).step_by(16) {
                $(
                    // SAFETY: the words are inside, as the caller promises; see the module.
                    unsafe {
                        std::arch::asm!(
                            concat!($load, " {vector}, [{from} + ", $at, "]"),
                            concat!($store, " [{to} + ", $at, "], {vector}"),
                            from = in(reg) from.add(i),
                            to = in(reg) to.add(i),
                            vector = out($class) _,
                            options(nostack, preserves_flags),
                        );
                    }
                )+
            }
            $($upper();)?
        }
    };
}

#[cfg(all(not(miri), target_arch = "x86_64"))]
mod moves {
    use std::arch::x86_64::_mm256_zeroupper as clear;

    use super::AtomicU32;

    moves!(out_16, "sse2", AtomicU32, *mut u32, xmm_reg, "movaps", "movups", [0 16 32 48]);
    moves!(out_32, "avx2", AtomicU32, *mut u32, ymm_reg, "vmovaps", "vmovups", [0 32], clear);
    moves!(
        out_64,
        "avx512f",
        AtomicU32,
        *mut u32,
        zmm_reg,
        "vmovaps",
        "vmovups",
        [0],
        clear
    );
    moves!(in_16, "sse2", u32, *const AtomicU32, xmm_reg, "movups", "movaps", [0 16 32 48]);
    moves!(in_32, "avx2", u32, *const AtomicU32, ymm_reg, "vmovups", "vmovaps", [0 32], clear);
    moves!(
        in_64,
        "avx512f",
        u32,
        *const AtomicU32,
        zmm_reg,
        "vmovups",
        "vmovaps",
        [0],
        clear
    );
}
#[cfg(all(not(miri), target_arch = "x86_64"))]
use moves::{in_16, in_32, in_64, out_16, out_32, out_64};

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(align(64))]
    struct Aligned([AtomicU32; 128]);

    #[test]
    fn quads() {
        let words = Aligned(std::array::from_fn(|_| AtomicU32::new(7)));
        let Some(quad) = words.0[4..].first_chunk() else {
            unreachable!("128 words");
        };
        quad_in(quad, &[1, 2, 3, 4]);
        let mut row = [0; 6];
        let (_, to) = row.split_at_mut(1);
        let Some(to) = to.first_chunk_mut() else {
            unreachable!("5 words");
        };
        quad_out(quad, to);
        assert_eq!(row, [0, 1, 2, 3, 4, 0]);
        let mut around = [0; 128];
        Vectors::Baseline.copy_out(&words.0, &mut around);
        assert_eq!(around[3..9], [7, 1, 2, 3, 4, 7]);
    }

    #[test]
    fn all_vectors_move_all_words() {
        let words = Aligned(std::array::from_fn(|_| AtomicU32::new(0)));
        let all = SimdLevel::available().into_iter().map(Vectors::of);
        for (salt, vectors) in (1..).zip(all) {
            let block = std::array::from_fn(|i| i as u32 * 0x0101_0101 + salt);
            vectors.copy_in(&words.0, &block);
            // Rows need not be aligned.
            let mut rows = [[0; 128]; 2];
            let shifted: &mut [u32; 128] = rows.as_flattened_mut()[1..]
                .first_chunk_mut()
                .unwrap_or_else(|| unreachable!());
            vectors.copy_out(&words.0, shifted);
            assert_eq!(*shifted, block);
            assert_eq!((rows[0][0], rows[1][1]), (0, 0));
        }
    }
}
