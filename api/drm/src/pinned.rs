//! Buffers in the program's own memory: its pages become those of a file, at the place where they are.
//!
//! The program finds what it had there, and the chip sees the same pages. They stay the file's when the buffer is gone.

use std::ffi::c_void;
use std::os::fd::AsRawFd;
use std::sync::{Arc, Weak};

use bytemuck::{Pod, Zeroable};

use crate::buffer::Buffer;
use crate::errno::{Answer, Errno};
use crate::lock::Lock;
use crate::range::PAGE;

/// `drm_amdgpu_gem_userptr` and `drm_radeon_gem_userptr`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Userptr {
    pub(crate) address: u64,
    pub(crate) bytes: u64,
    flags: u32,
    pub(crate) handle: u32,
}

/// Flags of both interfaces.
const READ_ONLY: u32 = 1;
const ANONYMOUS_ONLY: u32 = 2;
const REGISTER: u32 = 8;
const ALL: u32 = 0xf;

impl Userptr {
    /// Whether a kernel would take the pages. Errors: EACCES for pages that are written without a notifier, which drivers try
    /// to learn whether there is this request at all.
    pub(crate) fn check(&self) -> Answer {
        if !(self.address | self.bytes).is_multiple_of(PAGE) || self.flags & !ALL != 0 {
            return Err(Errno::INVALID);
        }
        let written = self.flags & READ_ONLY == 0;
        if written && self.flags & (ANONYMOUS_ONLY | REGISTER) != ANONYMOUS_ONLY | REGISTER {
            return Err(Errno::NOT_ALLOWED);
        }
        match self.bytes {
            0 => Err(Errno::INVALID),
            _ => Ok(()),
        }
    }
}

/// Buffers whose pages lie in the program, and where.
static PINNED: Lock<Vec<(u64, Weak<Buffer>)>> = Lock::new(Vec::new());

/// A buffer of pages of the program.
///
/// Errors: EFAULT where nothing is mapped; EACCES for pages of files, and of another place of a buffer.
///
/// # Safety
///
/// The program says that these pages are its own, and that no thread of it writes them meanwhile.
pub(crate) unsafe fn pin(address: u64, bytes: u64) -> Answer<Arc<Buffer>> {
    let end = address.checked_add(bytes).ok_or(Errno::INVALID)?;
    let mut pinned = PINNED.lock();
    pinned.retain(|(_, buffer)| buffer.strong_count() > 0);
    for place in 0..pinned.len() {
        let (first, Some(buffer)) = (pinned[place].0, pinned[place].1.upgrade()) else {
            continue;
        };
        if first == address && buffer.size() == bytes {
            let again = Buffer::import(buffer.file())?;
            pinned.push((address, Arc::downgrade(&again)));
            return Ok(again);
        }
        if first < end && address < first + buffer.size() {
            return Err(Errno::NOT_ALLOWED);
        }
    }
    check_pages(address, end)?;
    let buffer = Buffer::new(bytes)?;
    let at = address as *mut c_void;
    // SAFETY: the pages are mapped and readable, and the buffer has as many.
    unsafe { buffer.fill(at) };
    // SAFETY: whole pages that the program calls its own; it finds the same bytes there.
    let done = unsafe {
        libc::mmap(
            at,
            bytes as usize,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED | libc::MAP_FIXED,
            buffer.file().as_raw_fd(),
            0,
        )
    };
    if done == libc::MAP_FAILED {
        return Err(Errno::last());
    }
    pinned.push((address, Arc::downgrade(&buffer)));
    Ok(buffer)
}

/// Before a fork.
pub(crate) fn take() {
    PINNED.take();
}

/// After it.
pub(crate) fn give() {
    PINNED.give();
}

/// Whether all pages may be read and written, and are no file's but one of [`pin`].
fn check_pages(address: u64, end: u64) -> Answer {
    let maps = std::fs::read_to_string("/proc/self/maps").map_err(|_| Errno::FAULT)?;
    let mut at = address;
    for line in maps.lines() {
        let mut fields = line.split_ascii_whitespace();
        let range = fields.next().and_then(|range| range.split_once('-'));
        let parsed = range.map(|(a, b)| [a, b].map(|text| u64::from_str_radix(text, 16)));
        let Some([Ok(first), Ok(behind)]) = parsed else {
            continue;
        };
        if !(first..behind).contains(&at) {
            continue;
        }
        let access = fields.next().unwrap_or_default();
        if !access.starts_with("rw") {
            return Err(Errno::FAULT);
        }
        let path = fields.nth(3).unwrap_or_default();
        let anonymous = path.is_empty() || path.starts_with('[');
        if !anonymous && !path.starts_with("/memfd:girih") {
            return Err(Errno::NOT_ALLOWED);
        }
        at = behind;
        if at >= end {
            return Ok(());
        }
    }
    Err(Errno::FAULT)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Pages of this process.
    fn pages(count: u64) -> *mut c_void {
        // SAFETY: a new mapping at a place that the kernel chooses.
        let at = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                (count * PAGE) as usize,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert_ne!(at, libc::MAP_FAILED);
        at
    }

    #[test]
    fn programs_and_buffers_share_pages() {
        let at = pages(3);
        let word = |n: usize| at.cast::<u64>().wrapping_add(n);
        // SAFETY: inside of the pages.
        unsafe { word(1).write_volatile(7) };
        // SAFETY: pages of this test.
        let buffer = unsafe { pin(at as u64, 2 * PAGE) }.unwrap();
        // SAFETY: as above.
        assert_eq!(unsafe { word(1).read_volatile() }, 7);
        buffer.store(16, 9).unwrap();
        // SAFETY: as above.
        assert_eq!(unsafe { word(2).read_volatile() }, 9);
        // SAFETY: pages of this test.
        let [again, overlapping] = [(at as u64, 2), (at as u64 + PAGE, 2)]
            .map(|(at, count)| unsafe { pin(at, count * PAGE) });
        assert_eq!(again.unwrap().inode, buffer.inode);
        assert_eq!(overlapping.err(), Some(Errno::NOT_ALLOWED));
        drop(buffer);
        // SAFETY: pages of this test; the buffer that had one of them is gone.
        let other = unsafe { pin(at as u64 + PAGE, 2 * PAGE) }.unwrap();
        other.store(0, 11).unwrap();
        // SAFETY: as above.
        assert_eq!(unsafe { word(512).read_volatile() }, 11);
    }

    #[test]
    fn pages_are_the_programs() {
        // SAFETY: nothing lies there.
        assert_eq!(unsafe { pin(PAGE, PAGE) }.err(), Some(Errno::FAULT));
        let asked = |address, bytes, flags| Userptr {
            address,
            bytes,
            flags,
            handle: 0,
        };
        assert_eq!(asked(0, 0, 0).check(), Err(Errno::NOT_ALLOWED));
        assert_eq!(asked(PAGE, 1, 0xa).check(), Err(Errno::INVALID));
        assert_eq!(asked(PAGE, PAGE, 0xa).check(), Ok(()));
    }
}
