//! The chip's addresses: a reserved part of the process's own, into which the pages of buffers are mapped.
//!
//! A buffer is a file without a name. The driver maps its pages where it likes, the chip sees them at their GPU address:
//! both are the same pages, nothing is copied. Between buffers the range reads as 0, and what is written there is
//! seen by nobody else: what a page table with a dummy page gives on a real machine.

use std::ffi::c_void;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr::NonNull;
use std::sync::Arc;

use silicon::Memory;

use crate::errno::{Answer, Errno};

/// Bytes of a page, on the machine and in the chip's page tables.
pub(crate) const PAGE: u64 = 4096;

/// Addresses 0 to `bytes` of a chip.
pub(crate) struct Range {
    base: NonNull<c_void>,
    bytes: u64,
}

// SAFETY: a range is a place in the address space; what lies there is reached through `Memory` alone, by atomics.
unsafe impl Send for Range {}
// SAFETY: mapping is the kernel's, which may be asked by any thread.
unsafe impl Sync for Range {}

impl Range {
    /// Reserves addresses. They cost no memory until they are written.
    pub(crate) fn reserve(bytes: u64) -> Answer<Arc<Range>> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping at a place that the kernel chooses.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes as usize,
                protection,
                flags,
                -1,
                0,
            )
        };
        match NonNull::new(base) {
            Some(base) if base.as_ptr() != libc::MAP_FAILED => Ok(Arc::new(Range { base, bytes })),
            _ => Err(Errno::last()),
        }
    }

    /// Bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The place of `len` bytes at a chip's address, in whole pages inside the range.
    fn place(&self, at: u64, len: u64) -> Answer<*mut c_void> {
        let end = at.checked_add(len).ok_or(Errno::INVALID)?;
        if !(at | len).is_multiple_of(PAGE) || len == 0 || end > self.bytes {
            return Err(Errno::INVALID);
        }
        Ok(self.base.as_ptr().wrapping_byte_add(at as usize))
    }

    /// Shows pages of a file at an address. What was there is gone.
    pub(crate) fn map(&self, at: u64, file: BorrowedFd, offset: u64, len: u64) -> Answer {
        let place = self.place(at, len)?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_SHARED | libc::MAP_FIXED;
        // SAFETY: the place lies inside of the reserved range, so the mapping replaces nothing but this range's pages.
        let done = unsafe {
            libc::mmap(
                place,
                len as usize,
                protection,
                flags,
                file.as_raw_fd(),
                offset as libc::off_t,
            )
        };
        if done == libc::MAP_FAILED {
            return Err(Errno::last());
        }
        Ok(())
    }

    /// Empties a part of the range.
    pub(crate) fn unmap(&self, at: u64, len: u64) -> Answer {
        let place = self.place(at, len)?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED;
        // SAFETY: as in `map`.
        let done = unsafe { libc::mmap(place, len as usize, protection, flags, -1, 0) };
        if done == libc::MAP_FAILED {
            return Err(Errno::last());
        }
        Ok(())
    }

    /// The range as a chip's memory.
    pub(crate) fn memory(self: &Arc<Range>) -> Memory {
        // SAFETY: the range has as many bytes, readable and writable at any time, and lives as long as the memory does.
        // Its pages are aligned to more than 64 bytes.
        unsafe { Memory::reserved(self.base.cast(), self.bytes, Box::new(self.clone())) }
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        // SAFETY: nobody has the range any more; it was mapped as a whole.
        unsafe { libc::munmap(self.base.as_ptr(), self.bytes as usize) };
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::buffer::Buffer;
    use silicon::Addr;

    #[test]
    fn buffers_are_seen_at_their_addresses() {
        let range = Range::reserve(1 << 30).unwrap();
        let memory = range.memory();
        let buffer = Buffer::new(3 * PAGE).unwrap();
        range.map(16 * PAGE, buffer.file(), 0, 3 * PAGE).unwrap();
        range.map(32 * PAGE, buffer.file(), PAGE, PAGE).unwrap();
        memory.write_words(Addr(17 * PAGE + 8), &[1, 2, 3]).unwrap();
        assert_eq!(memory.load(32 * PAGE + 12), Some(2));
        range.unmap(16 * PAGE, 3 * PAGE).unwrap();
        assert_eq!(memory.load(17 * PAGE + 8), Some(0));
        assert_eq!(memory.load(32 * PAGE + 16), Some(3));
        assert_eq!(memory.load(1 << 30), None);
    }

    #[test]
    fn pages_lie_inside() {
        let range = Range::reserve(1 << 20).unwrap();
        let buffer = Buffer::new(PAGE).unwrap();
        for (at, len) in [(1, PAGE), (0, 0), (1 << 20, PAGE), (!4095, PAGE), (0, 7)] {
            assert_eq!(range.map(at, buffer.file(), 0, len), Err(Errno::INVALID));
            assert_eq!(range.unmap(at, len), Err(Errno::INVALID));
        }
    }
}
