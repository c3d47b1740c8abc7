//! Video memory: bounds-checked little-endian bytes that threads share.
//!
//! [`Memory`] is a handle; clones name the same bytes. Every access goes through 32-bit relaxed atomics, so programs
//! that race are defined (each word is one of the values written), and no access is unsafe.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A byte address in video memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Addr(pub u64);

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
}

/// Video memory.
#[derive(Clone)]
pub struct Memory {
    words: Arc<[AtomicU32]>,
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Memory({} bytes)", self.size())
    }
}

impl Memory {
    /// Zeroed memory of `size` bytes, a multiple of 4.
    pub fn new(size: u64) -> Memory {
        Memory {
            words: (0..size / 4).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        self.words.len() as u64 * 4
    }

    /// The word at a byte address that is a multiple of 4, or `None` outside.
    #[inline(always)]
    pub fn word(&self, address: u64) -> Option<&AtomicU32> {
        self.words.get(usize::try_from(address >> 2).ok()?)
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

    /// Copies bytes out.
    pub fn read(&self, at: Addr, out: &mut [u8]) -> Result<(), MemoryError> {
        self.check(at.0..at.0.saturating_add(out.len() as u64))?;
        for (i, byte) in out.iter_mut().enumerate() {
            let address = at.0 + i as u64;
            *byte =
                (self.words[(address >> 2) as usize].load(Relaxed) >> (8 * (address & 3))) as u8;
        }
        Ok(())
    }

    /// Copies bytes in.
    pub fn write(&self, at: Addr, bytes: &[u8]) -> Result<(), MemoryError> {
        self.check(at.0..at.0.saturating_add(bytes.len() as u64))?;
        for (i, byte) in bytes.iter().enumerate() {
            let address = at.0 + i as u64;
            let shift = 8 * (address & 3);
            let word = &self.words[(address >> 2) as usize];
            word.store(
                word.load(Relaxed) & !(0xff << shift) | u32::from(*byte) << shift,
                Relaxed,
            );
        }
        Ok(())
    }

    fn check(&self, range: Range<u64>) -> Result<(), MemoryError> {
        if range.end > self.size() || range.start > range.end {
            return Err(MemoryError::OutOfBounds {
                address: range.start,
                len: range.end - range.start,
                size: self.size(),
            });
        }
        Ok(())
    }
}
