//! Video memory: bounds-checked little-endian bytes that threads share.
//!
//! [`Memory`] is a handle; clones name the same bytes. Every access is relaxed atomics of whole 32-bit words: racing
//! programs get one of the values written, never undefined behaviour. [`Memory::fetch`] is atomic against all accesses
//! of its word, [`Memory::fetch64`] only against other `fetch64`s: programs that mix it need waves in order.
//! Fixed-function blocks on different threads own different bins and never touch a word at the same time.
//!
//! # Safety
//!
//! Four things are unsafe here, and all others are built on them.
//!
//! - The words are allocated as `u32` and used as [`AtomicU32`], which has the same size, alignment and valid values;
//!   the box is the only owner at that time. (Zeroed pages cost nothing until they are written.)
//! - A handle keeps a pointer to the first word beside the `Arc` that owns the words. The words are neither moved nor
//!   freed while a handle lives, the pointer came from that very box or from a caller who promises it, and it is only
//!   dereferenced below `len`.
//! - Rows are copied by vector moves in inline assembly, see [`copy`]. The pointers are checked before for length and
//!   alignment.
//! - Lanes that look words up, here or in a table, are checked together: the union of their indices is an upper bound
//!   of each, and when it is inside, none needs a check of its own. What [`plane`] reads is checked there.

#![expect(unsafe_code, reason = "see the module documentation")]

mod copy;
mod elements;
pub(crate) mod halves;
pub(crate) mod near;
pub(crate) mod plane;
mod texels;
mod vector;
pub(crate) mod window;

use std::any::Any;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use crate::fragment::interpolate::lanes as lanes_of;
use copy::Vectors;

/// A byte address in video memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Addr(pub u64);

/// Has the first line of a value of the host's, which will be used soon, brought near.
#[inline(always)]
pub(crate) fn bring_near<T>(value: &T) {
    copy::prefetch(value);
}

/// An access that video memory refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// Outside the memory.
    #[error("{len} bytes at {address:#x} are outside the {size} bytes of video memory")]
    OutOfBounds {
        /// First byte.
        address: u64,
        /// Bytes.
        len: u64,
        /// Size of the memory.
        size: u64,
    },
    /// Not aligned as the access needs.
    #[error("address {address:#x} is not a multiple of {align}")]
    Misaligned {
        /// The address.
        address: u64,
        /// What it must be a multiple of.
        align: u64,
    },
    /// No free range is large enough.
    #[error("no {len} bytes aligned to {align} are free in {size} bytes of video memory")]
    Full {
        /// Bytes wanted.
        len: u64,
        /// Alignment wanted.
        align: u64,
        /// Size of the memory.
        size: u64,
    },
    /// An alignment that no address can have.
    #[error("alignment {align} is not a power of two")]
    Alignment {
        /// The alignment.
        align: u64,
    },
    /// Freed, but not handed out before.
    #[error("nothing is allocated at {address:#x}")]
    NotAllocated {
        /// The address.
        address: u64,
    },
}

/// Words of a row: one per lane of a wave, or one per pixel of an 8x8 tile.
pub const ROW_WORDS: usize = 64;

/// Alignment of the host address of byte 0 and of addresses given to the row functions.
const ROW_ALIGN: u64 = 64;

/// Words that are read at once on their way to bytes.
const BLOCK_WORDS: usize = 256;

struct Storage {
    /// Keeps the words where they are.
    _owner: Box<dyn Any + Send + Sync>,
    wide: Mutex<()>,
}

/// Video memory.
#[derive(Clone)]
pub struct Memory {
    base: NonNull<AtomicU32>,
    len: usize,
    vectors: Vectors,
    storage: Arc<Storage>,
}

// SAFETY: the pointer is to words that the `Arc` keeps alive and that are atomics, which threads may share.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

/// `table[at[lane]]` per lane; 0 outside.
#[inline]
pub(crate) fn look_up(table: &[u32], at: &[u32; ROW_WORDS], out: &mut [u32; ROW_WORDS]) {
    let last = at.iter().fold(0, |last, at| *at.max(&last));
    if (last as usize) < table.len() {
        for (out, at) in out.iter_mut().zip(at) {
            // SAFETY: no index is above the largest one, which is below the length.
            *out = *unsafe { table.get_unchecked(*at as usize) };
        }
    } else {
        for (out, at) in out.iter_mut().zip(at) {
            *out = table.get(*at as usize).copied().unwrap_or(0);
        }
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Memory({} bytes)", self.size())
    }
}

impl Memory {
    /// Zeroed memory of `size` bytes, a multiple of 4. Pages that are never written cost nothing.
    pub fn new(size: u64) -> Memory {
        let len = (size / 4) as usize;
        let slack = ROW_ALIGN as usize / 4;
        let zeroed: Box<[u32]> = vec![0; len + slack].into_boxed_slice();
        // SAFETY: `AtomicU32` has size, alignment and valid values of `u32`, and the box is unique.
        let words = unsafe { Box::from_raw(Box::into_raw(zeroed) as *mut [AtomicU32]) };
        let skip = words.as_ptr().align_offset(ROW_ALIGN as usize).min(slack);
        // A box that moves is unique again, and no pointer taken before is good: it is taken where the box stays.
        let owner = Box::new(words);
        let base = NonNull::from(&owner[skip..]).cast();
        Memory::over(base, len, owner)
    }

    /// Memory that lies where the caller says, such as a range of addresses into which pages of buffers are mapped, and
    /// stays there until `owner` is dropped with the last handle.
    ///
    /// Others that map the same pages see each word change as if a thread had stored it; where they write plain bytes
    /// while the chip runs, it reads any mixture.
    ///
    /// # Safety
    ///
    /// From `first` on, at a multiple of 64, lie `bytes`, a multiple of 4, that can be read and written at any time until
    /// `owner` is dropped. Nobody has references to them but to atomics.
    pub unsafe fn reserved(
        first: NonNull<u32>,
        bytes: u64,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Memory {
        debug_assert_eq!(first.addr().get() % ROW_ALIGN as usize, 0);
        Memory::over(first.cast(), (bytes / 4) as usize, owner)
    }

    fn over(base: NonNull<AtomicU32>, len: usize, owner: Box<dyn Any + Send + Sync>) -> Memory {
        Memory {
            base,
            len,
            vectors: Vectors::current(),
            storage: Arc::new(Storage {
                _owner: owner,
                wide: Mutex::new(()),
            }),
        }
    }

    #[inline(always)]
    fn words(&self) -> &[AtomicU32] {
        // SAFETY: `base` is followed by `len` words, which live as long as `self.storage`.
        unsafe { std::slice::from_raw_parts(self.base.as_ptr(), self.len) }
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        self.len as u64 * 4
    }

    /// The word at a byte address that is a multiple of 4, or `None` outside.
    #[inline(always)]
    pub fn word(&self, address: u64) -> Option<&AtomicU32> {
        self.words().get(usize::try_from(address >> 2).ok()?)
    }

    /// Reads the word that holds the byte address, or `None` outside.
    #[inline(always)]
    pub fn load(&self, address: u64) -> Option<u32> {
        self.word(address).map(|w| w.load(Relaxed))
    }

    /// Writes the word that holds the byte address; `None` outside.
    #[inline(always)]
    pub fn store(&self, address: u64, value: u32) -> Option<()> {
        self.word(address).map(|w| w.store(value, Relaxed))
    }

    /// Reads a byte, or `None` outside.
    #[inline(always)]
    pub fn load_byte(&self, address: u64) -> Option<u8> {
        Some((self.load(address)? >> (8 * (address & 3))) as u8)
    }

    /// Writes a byte; atomic against writes of its neighbours. `None` outside.
    #[inline]
    pub fn store_byte(&self, address: u64, value: u8) -> Option<()> {
        let shift = 8 * (address & 3);
        self.merge(address, 0xff << shift, u32::from(value) << shift)
    }

    /// Reads the 16-bit value that holds the byte address, or `None` outside.
    #[inline(always)]
    pub fn load_half(&self, address: u64) -> Option<u16> {
        Some((self.load(address)? >> (8 * (address & 2))) as u16)
    }

    /// Writes the 16-bit value at the byte address; atomic against writes of the other half. `None` outside.
    #[inline]
    pub fn store_half(&self, address: u64, value: u16) -> Option<()> {
        let shift = 8 * (address & 2);
        self.merge(address, 0xffff << shift, u32::from(value) << shift)
    }

    /// Replaces the bits of `mask` in a word by those of `value`; `None` outside.
    #[inline]
    pub fn merge(&self, address: u64, mask: u32, value: u32) -> Option<()> {
        self.fetch(address, |old| old & !mask | value & mask)
            .map(|_| ())
    }

    /// Replaces the word that holds the byte address by `op` of it, as one atomic step, and returns the old word;
    /// `None` outside. `op` may be called more than once.
    #[inline]
    pub fn fetch(&self, address: u64, op: impl Fn(u32) -> u32) -> Option<u32> {
        let word = self.word(address)?;
        let mut old = word.load(Relaxed);
        loop {
            match word.compare_exchange_weak(old, op(old), Relaxed, Relaxed) {
                Ok(_) => return Some(old),
                Err(now) => old = now,
            }
        }
    }

    /// Replaces the 64-bit value at a multiple of 4 by `op` of it and returns the old value; `None` outside. One step
    /// to other `fetch64`s; to word accesses it is two words read, then two written.
    pub fn fetch64(&self, address: u64, op: impl FnOnce(u64) -> u64) -> Option<u64> {
        let low = self.word(address)?;
        let high = self.word(address.checked_add(4)?)?;
        let _alone = self
            .storage
            .wide
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let old = u64::from(low.load(Relaxed)) | u64::from(high.load(Relaxed)) << 32;
        let new = op(old);
        low.store(new as u32, Relaxed);
        high.store((new >> 32) as u32, Relaxed);
        Some(old)
    }

    /// Whether these words lie from a byte address that is a multiple of 4 on.
    pub fn holds(&self, address: u64, words: &[u32]) -> bool {
        let first = usize::try_from(address >> 2).unwrap_or(usize::MAX);
        let held = self.words().get(first..).unwrap_or(&[]);
        let equal = |(held, word): (&AtomicU32, &u32)| held.load(Relaxed) == *word;
        held.len() >= words.len() && held.iter().zip(words).all(equal)
    }

    /// Reads words from a byte address that is a multiple of 4 on; words outside are left alone.
    pub fn load_words(&self, address: u64, out: &mut [u32]) {
        let first = usize::try_from(address >> 2).unwrap_or(usize::MAX);
        let words = self.words().get(first..).unwrap_or(&[]);
        let len = out.len().min(words.len());
        if len < ROW_WORDS {
            for (out, word) in out.iter_mut().zip(words) {
                *out = word.load(Relaxed);
            }
            return;
        }
        let before = ((address.wrapping_neg() % ROW_ALIGN) as usize / 4).min(len);
        // Whole rows in the middle, words at both ends.
        let (head, rest) = out[..len].split_at_mut(before);
        let (rows, tail) = rest.as_chunks_mut::<ROW_WORDS>();
        let (head_words, rest_words) = words[..len].split_at(before);
        let (row_words, tail_words) = rest_words.as_chunks::<ROW_WORDS>();
        for (row, words) in rows.iter_mut().zip(row_words) {
            self.vectors.copy_out(words, row);
        }
        let ends = head_words.iter().chain(tail_words);
        for (out, word) in head.iter_mut().chain(tail).zip(ends) {
            *out = word.load(Relaxed);
        }
    }

    /// Reads 16-bit numbers from a byte address that is a multiple of 2 on; those outside are 0.
    pub fn load_halves(&self, address: u64, out: &mut [u32]) {
        let odd = usize::from(!address.is_multiple_of(4)).min(out.len());
        let (first, rest) = out.split_at_mut(odd);
        for half in first {
            *half = self.load_half(address).unwrap_or(0).into();
        }
        let mut at = address.wrapping_add(2 * odd as u64);
        let mut words;
        for some in rest.chunks_mut(2 * ROW_WORDS) {
            words = [0; ROW_WORDS];
            self.load_words(at, &mut words[..some.len().div_ceil(2)]);
            for (pair, word) in some.chunks_mut(2).zip(words) {
                pair[0] = word & 0xffff;
                if let Some(high) = pair.get_mut(1) {
                    *high = word >> 16;
                }
            }
            at = at.wrapping_add(4 * ROW_WORDS as u64);
        }
    }

    /// Reads 256 bytes at a multiple of 64 as one word per lane.
    #[inline]
    pub fn load_row(&self, address: u64, row: &mut [u32; ROW_WORDS]) -> Result<(), MemoryError> {
        self.load_block(address, row)
    }

    /// Writes 256 bytes at a multiple of 64 from one word per lane.
    #[inline]
    pub fn store_row(&self, address: u64, row: &[u32; ROW_WORDS]) -> Result<(), MemoryError> {
        self.store_block(address, row)
    }

    /// Reads the words that hold byte `base + offsets[lane]`, one per lane; a word outside is 0.
    #[inline]
    pub fn gather(&self, base: u64, offsets: &[u32; ROW_WORDS], out: &mut [u32; ROW_WORDS]) {
        let first = usize::try_from(base >> 2).unwrap_or(usize::MAX);
        let words = self.words().get(first..).unwrap_or(&[]);
        // No offset is above the union of their bits.
        let bits = offsets.iter().fold(0, |bits, offset| bits | offset);
        if base.is_multiple_of(4) && ((bits >> 2) as usize) < words.len() {
            for (out, offset) in out.iter_mut().zip(offsets) {
                // SAFETY: `offset >> 2` is at most `bits >> 2`, which is below the length.
                *out = unsafe { words.get_unchecked((offset >> 2) as usize) }.load(Relaxed);
            }
        } else {
            for (out, offset) in out.iter_mut().zip(offsets) {
                *out = self
                    .load(base.saturating_add(u64::from(*offset)))
                    .unwrap_or(0);
            }
        }
    }

    /// Writes words by their numbers, in order; `None` if one is outside, which is not written.
    #[inline]
    pub fn scatter(&self, at: &[u32; ROW_WORDS], values: &[u32; ROW_WORDS]) -> Option<()> {
        let words = self.words();
        let mut inside = true;
        for (at, value) in at.iter().zip(values) {
            match words.get(*at as usize) {
                Some(word) => word.store(*value, Relaxed),
                None => inside = false,
            }
        }
        inside.then_some(())
    }

    /// Writes words that lie side by side from a number on; `None` if one is outside, and none is written.
    #[inline]
    pub fn store_line(&self, first: u32, values: &[u32; ROW_WORDS]) -> Option<()> {
        let address = 4 * u64::from(first);
        if address.is_multiple_of(ROW_ALIGN) {
            return self.store_row(address, values).ok();
        }
        self.write_words(Addr(address), values).ok()
    }

    /// Replaces words by their numbers by `op` of a lane and of what was there, in the order of lanes; nobody else writes them
    /// meanwhile. `None` if one is outside, which is left alone.
    #[inline]
    pub fn update(
        &self,
        at: &[u32; ROW_WORDS],
        lanes: u64,
        mut op: impl FnMut(usize, u32) -> u32,
    ) -> Option<()> {
        let words = self.words();
        let mut inside = true;
        let change = |lane: usize| match words.get(at[lane] as usize) {
            Some(word) => word.store(op(lane, word.load(Relaxed)), Relaxed),
            None => inside = false,
        };
        match lanes {
            u64::MAX => (0..ROW_WORDS).for_each(change),
            _ => lanes_of(lanes).for_each(change),
        }
        inside.then_some(())
    }

    /// The same where all lanes change one word.
    #[inline]
    pub fn update_one(
        &self,
        at: u32,
        lanes: u64,
        mut op: impl FnMut(usize, u32) -> u32,
    ) -> Option<()> {
        let word = self.words().get(at as usize)?;
        let mut now = word.load(Relaxed);
        match lanes {
            u64::MAX => (0..ROW_WORDS).for_each(|lane| now = op(lane, now)),
            _ => lanes_of(lanes).for_each(|lane| now = op(lane, now)),
        }
        word.store(now, Relaxed);
        Some(())
    }

    /// Reads four words at a multiple of 16 bytes; `None` outside or where the address is no such multiple.
    #[inline]
    pub fn load_quad(&self, address: u64, quad: &mut [u32; 4]) -> Option<()> {
        copy::quad_out(self.quad(address)?, quad);
        Some(())
    }

    /// Writes four words at a multiple of 16 bytes; `None` outside or where the address is no such multiple.
    #[inline]
    pub fn store_quad(&self, address: u64, quad: &[u32; 4]) -> Option<()> {
        copy::quad_in(self.quad(address)?, quad);
        Some(())
    }

    /// Reads two pairs of words, the second `apart` words behind the first; `None` outside or where an address is no
    /// multiple of 8.
    #[inline]
    pub fn load_pairs(&self, address: u64, apart: usize, quad: &mut [u32; 4]) -> Option<()> {
        copy::pairs_out(self.pairs(address, apart)?, quad);
        Some(())
    }

    /// Writes lanes of quads of words: two pairs each, the second `apart` words behind the first, which lies at the offset of
    /// the quad. The other words of quads that have lanes are read and written back. `None` outside or where an address is
    /// no multiple of 8.
    #[inline]
    pub(crate) fn merge_quads(
        &self,
        (base, offsets): (u64, &[u32; 16]),
        apart: usize,
        mask: u64,
        words: &[u32; ROW_WORDS],
    ) -> Option<()> {
        let (quads, _) = words.as_chunks();
        for (n, quad) in quads.iter().enumerate() {
            let lanes = (mask >> (4 * n) & 0xf) as usize;
            if lanes != 0 {
                let address = base + u64::from(offsets[n]);
                let pairs = self.pairs(address, apart)?;
                copy::merge_pairs(pairs, quad, &copy::LANES_OF_QUAD[lanes]);
            }
        }
        Some(())
    }

    #[inline(always)]
    fn pairs(&self, address: u64, apart: usize) -> Option<[&[AtomicU32; 2]; 2]> {
        let start = usize::try_from(address >> 2).ok()?;
        let words = self.words().get(start..start.wrapping_add(apart + 2))?;
        let aligned = address.is_multiple_of(8) && apart.is_multiple_of(2);
        let pairs = [words.first_chunk()?, words.last_chunk()?];
        aligned.then_some(pairs)
    }

    #[inline(always)]
    fn quad(&self, address: u64) -> Option<&[AtomicU32; 4]> {
        let start = usize::try_from(address >> 2).ok()?;
        let words = self.words().get(start..start.wrapping_add(4))?;
        address
            .is_multiple_of(16)
            .then(|| words.try_into().ok())
            .flatten()
    }

    /// Has a word that will be used soon brought near; nothing happens where there is none.
    #[inline]
    pub fn prefetch(&self, address: u64) {
        if let Some(word) = self.word(address) {
            copy::prefetch(word);
        }
    }

    /// Reads words, a multiple of 16 of them, at a multiple of 64 bytes.
    #[inline]
    pub fn load_block<const WORDS: usize>(
        &self,
        address: u64,
        block: &mut [u32; WORDS],
    ) -> Result<(), MemoryError> {
        let words = self.block::<WORDS>(address)?;
        self.vectors.copy_out(words, block);
        Ok(())
    }

    /// Writes words, a multiple of 16 of them, at a multiple of 64 bytes.
    #[inline]
    pub fn store_block<const WORDS: usize>(
        &self,
        address: u64,
        block: &[u32; WORDS],
    ) -> Result<(), MemoryError> {
        let words = self.block::<WORDS>(address)?;
        self.vectors.copy_in(words, block);
        Ok(())
    }

    #[inline(always)]
    fn block<const WORDS: usize>(&self, address: u64) -> Result<&[AtomicU32; WORDS], MemoryError> {
        const { assert!(WORDS.is_multiple_of(16)) };
        if !address.is_multiple_of(ROW_ALIGN) {
            return Err(MemoryError::Misaligned {
                address,
                align: ROW_ALIGN,
            });
        }
        usize::try_from(address >> 2)
            .ok()
            .and_then(|start| self.words().get(start..start.wrapping_add(WORDS)))
            .and_then(|w| w.try_into().ok())
            .ok_or_else(|| self.outside(address, WORDS as u64 * 4))
    }

    /// Copies bytes out.
    pub fn read(&self, at: Addr, out: &mut [u8]) -> Result<(), MemoryError> {
        let words = self.span(at, out.len())?;
        let (head, rest) = out.split_at_mut(head(at, out.len()));
        let skip = (at.0 & 3) as usize;
        if let [word, ..] = words
            && !head.is_empty()
        {
            head.copy_from_slice(&word.load(Relaxed).to_le_bytes()[skip..skip + head.len()]);
        }
        let words = &words[usize::from(!head.is_empty())..];
        let (whole, tail) = rest.as_chunks_mut();
        if whole.len() < ROW_WORDS {
            for (bytes, word) in whole.iter_mut().zip(words) {
                *bytes = word.load(Relaxed).to_le_bytes();
            }
        } else {
            let first = at.0.next_multiple_of(4);
            let mut block = [0; BLOCK_WORDS];
            for (n, whole) in whole.chunks_mut(BLOCK_WORDS).enumerate() {
                let block = &mut block[..whole.len()];
                self.load_words(first + (4 * BLOCK_WORDS * n) as u64, block);
                for (bytes, word) in whole.iter_mut().zip(block) {
                    *bytes = word.to_le_bytes();
                }
            }
        }
        if let Some(word) = words.get(whole.len()) {
            tail.copy_from_slice(&word.load(Relaxed).to_le_bytes()[..tail.len()]);
        }
        Ok(())
    }

    /// Copies bytes in. Neighbouring bytes of a word that is written in part stay as they are.
    pub fn write(&self, at: Addr, bytes: &[u8]) -> Result<(), MemoryError> {
        let words = self.span(at, bytes.len())?;
        let (head, rest) = bytes.split_at(head(at, bytes.len()));
        for (i, byte) in head.iter().enumerate() {
            self.store_byte(at.0 + i as u64, *byte);
        }
        let words = &words[usize::from(!head.is_empty())..];
        let (whole, tail) = rest.as_chunks();
        let first = at.0.next_multiple_of(4);
        // Whole rows in the middle, words at both ends.
        let before = ((first.next_multiple_of(ROW_ALIGN) - first) as usize / 4).min(whole.len());
        let (rows, after) = whole[before..].as_chunks::<ROW_WORDS>();
        let (row_words, after_words) = words[before..whole.len()].as_chunks::<ROW_WORDS>();
        for (row, words) in rows.iter().zip(row_words) {
            self.vectors.copy_in(words, &row.map(u32::from_le_bytes));
        }
        let ends = whole[..before].iter().zip(&words[..before]);
        for (bytes, word) in ends.chain(after.iter().zip(after_words)) {
            word.store(u32::from_le_bytes(*bytes), Relaxed);
        }
        let start = at.0 + (bytes.len() - tail.len()) as u64;
        for (i, byte) in tail.iter().enumerate() {
            self.store_byte(start + i as u64, *byte);
        }
        Ok(())
    }

    /// Copies words in, from a byte address that is a multiple of 4 on.
    pub fn write_words(&self, at: Addr, words: &[u32]) -> Result<(), MemoryError> {
        let all = self.words_at(at, words.len() as u64)?;
        for (word, value) in all.iter().zip(words) {
            word.store(*value, Relaxed);
        }
        Ok(())
    }

    /// Copies bytes to a place that does not overlap theirs; all three numbers are multiples of 4.
    pub fn copy(&self, from: Addr, to: Addr, bytes: u64) -> Result<(), MemoryError> {
        self.words_at(from, bytes / 4)?;
        self.words_at(to, bytes / 4)?;
        let mut block = [0; BLOCK_WORDS];
        let mut at = 0;
        if (from.0 | to.0).is_multiple_of(ROW_ALIGN) {
            while at + 4 * BLOCK_WORDS as u64 <= bytes {
                self.load_block(from.0 + at, &mut block)?;
                self.store_block(to.0 + at, &block)?;
                at += 4 * BLOCK_WORDS as u64;
            }
        }
        while at < bytes {
            let words = ((bytes - at) / 4).min(BLOCK_WORDS as u64) as usize;
            self.load_words(from.0 + at, &mut block[..words]);
            self.write_words(Addr(to.0 + at), &block[..words])?;
            at += 4 * words as u64;
        }
        Ok(())
    }

    /// Sets words from a byte address that is a multiple of 4 to `value`.
    pub fn fill(&self, at: Addr, words: u64, value: u32) -> Result<(), MemoryError> {
        let all = self.words_at(at, words)?;
        // Whole rows in the middle, words at both ends.
        let before = all
            .len()
            .min((at.0.next_multiple_of(ROW_ALIGN) - at.0) as usize / 4);
        let (head, rest) = all.split_at(before);
        let rows = rest.len() / ROW_WORDS;
        let row = [value; ROW_WORDS];
        let first = at.0 + 4 * before as u64;
        for n in 0..rows as u64 {
            self.store_row(first + n * 4 * ROW_WORDS as u64, &row)?;
        }
        for word in head.iter().chain(&rest[rows * ROW_WORDS..]) {
            word.store(value, Relaxed);
        }
        Ok(())
    }

    /// Whether there are words at a byte address that is a multiple of 4.
    pub(crate) fn check_words(&self, at: Addr, words: u64) -> Result<(), MemoryError> {
        self.words_at(at, words).map(|_| ())
    }

    fn words_at(&self, at: Addr, words: u64) -> Result<&[AtomicU32], MemoryError> {
        if !at.0.is_multiple_of(4) {
            return Err(MemoryError::Misaligned {
                address: at.0,
                align: 4,
            });
        }
        let len = usize::try_from(words.saturating_mul(4)).unwrap_or(usize::MAX);
        self.span(at, len)
    }

    /// The words that hold `len` bytes at `at`.
    fn span(&self, at: Addr, len: usize) -> Result<&[AtomicU32], MemoryError> {
        let outside = || self.outside(at.0, len as u64);
        let end = at.0.checked_add(len as u64).ok_or_else(outside)?;
        if end > self.size() {
            return Err(outside());
        }
        let Range { start, end } = (at.0 >> 2) as usize..end.div_ceil(4) as usize;
        Ok(&self.words()[start..end.max(start)])
    }

    fn outside(&self, address: u64, len: u64) -> MemoryError {
        MemoryError::OutOfBounds {
            address,
            len,
            size: self.size(),
        }
    }
}

/// Bytes before the first word boundary.
fn head(at: Addr, len: usize) -> usize {
    ((at.0.wrapping_neg() & 3) as usize).min(len)
}

#[cfg(test)]
mod tests;
