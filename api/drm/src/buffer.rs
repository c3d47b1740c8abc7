//! Buffers: files without names, whose pages the driver, the chip and other processes map.
//!
//! A page behind the buffer's own says how its texels are tiled, so that it goes where the file goes: a process that
//! imports the file finds it there.

use std::ffi::{CStr, c_int, c_void};
use std::mem::offset_of;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use bytemuck::{Pod, Zeroable};

use crate::errno::{Answer, Errno};
use crate::lock::Lock;
use crate::range::PAGE;

/// The name of their files, which no folder has.
const NAME: &CStr = c"girih buffer";

/// What the page behind a buffer starts with: "girihbuf", in the order of its bytes.
const MAGIC: u64 = u64::from_le_bytes(*b"girihbuf");

/// `RADEON_GEM_DOMAIN_VRAM` and `AMDGPU_GEM_DOMAIN_VRAM`: where buffers are said to be.
pub(crate) const DOMAIN_VRAM: u32 = 4;
/// `RADEON_GEM_DOMAIN_GTT` and `AMDGPU_GEM_DOMAIN_GTT`.
pub(crate) const DOMAIN_GTT: u32 = 2;

/// What travels with a buffer, in the page behind it.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Notes {
    magic: u64,
    /// Bytes of the buffer, whole pages.
    size: u64,
    /// Domain that it was made in.
    pub(crate) domain: u64,
    /// Flags that it was made with.
    pub(crate) flags: u64,
    /// What its addresses are multiples of, whole pages.
    pub(crate) alignment: u64,
    /// `drm_radeon_gem_set_tiling`.
    pub(crate) tiling: u32,
    pub(crate) pitch: u32,
    /// `drm_amdgpu_gem_metadata`.
    pub(crate) metadata_flags: u64,
    pub(crate) metadata_tiling: u64,
    pub(crate) metadata_bytes: u32,
    pub(crate) metadata: [u32; 64],
    pub(crate) unused: u32,
}

/// A buffer.
pub(crate) struct Buffer {
    file: OwnedFd,
    /// All of the file, mapped.
    pages: NonNull<c_void>,
    size: u64,
    /// Tells it from other files.
    pub(crate) inode: u64,
}

// SAFETY: a buffer's pages are reached by atomics and by copies of `Notes` under a lock.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

/// Held while notes are read and written by this process.
static NOTES: Lock<()> = Lock::new(());

const _: () = assert!(offset_of!(Notes, unused) + 4 == size_of::<Notes>());

impl Buffer {
    /// A zeroed buffer of whole pages.
    pub(crate) fn new(bytes: u64) -> Answer<Arc<Buffer>> {
        let size = bytes
            .max(1)
            .checked_next_multiple_of(PAGE)
            .ok_or(Errno::INVALID)?;
        // SAFETY: a name that ends with 0, and a descriptor that nobody else has.
        let file = unsafe { libc::memfd_create(NAME.as_ptr(), libc::MFD_CLOEXEC) };
        if file < 0 {
            return Err(Errno::last());
        }
        // SAFETY: as above.
        let file = unsafe { OwnedFd::from_raw_fd(file) };
        let length = size.checked_add(PAGE).and_then(|n| i64::try_from(n).ok());
        // SAFETY: a descriptor of ours.
        if unsafe { libc::ftruncate(file.as_raw_fd(), length.ok_or(Errno::INVALID)?) } != 0 {
            return Err(Errno::NO_MEMORY);
        }
        let buffer = Buffer::mapped(file, size)?;
        buffer.note(|notes| {
            notes.magic = MAGIC;
            notes.size = size;
        });
        Ok(Arc::new(buffer))
    }

    /// The buffer that a descriptor is of.
    ///
    /// Errors: EINVAL for files that are no buffers.
    pub(crate) fn import(file: BorrowedFd) -> Answer<Arc<Buffer>> {
        let length = status(file)?.st_size as u64;
        let size = length
            .checked_sub(PAGE)
            .filter(|size| *size > 0 && size.is_multiple_of(PAGE));
        let buffer = Buffer::mapped(duplicate(file)?, size.ok_or(Errno::INVALID)?)?;
        let notes = buffer.notes();
        if notes.magic != MAGIC || notes.size != buffer.size {
            return Err(Errno::INVALID);
        }
        Ok(Arc::new(buffer))
    }

    fn mapped(file: OwnedFd, size: u64) -> Answer<Buffer> {
        let inode = status(file.as_fd())?.st_ino;
        // SAFETY: a new mapping of a file of ours, at a place that the kernel chooses.
        let pages = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                (size + PAGE) as usize,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        match NonNull::new(pages) {
            Some(pages) if pages.as_ptr() != libc::MAP_FAILED => Ok(Buffer {
                file,
                pages,
                size,
                inode,
            }),
            _ => Err(Errno::NO_MEMORY),
        }
    }

    /// Bytes, whole pages.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// A descriptor of the buffer that the program owns.
    pub(crate) fn export(&self) -> Answer<OwnedFd> {
        duplicate(self.file())
    }

    /// What travels with the buffer.
    pub(crate) fn notes(&self) -> Notes {
        let _alone = NOTES.lock();
        // SAFETY: the page behind the buffer is mapped and aligned.
        unsafe { self.notes_at().read_volatile() }
    }

    /// Changes it.
    pub(crate) fn note(&self, change: impl FnOnce(&mut Notes)) {
        let _alone = NOTES.lock();
        // SAFETY: as above.
        let mut notes = unsafe { self.notes_at().read_volatile() };
        change(&mut notes);
        // SAFETY: as above.
        unsafe { self.notes_at().write_volatile(notes) };
    }

    fn notes_at(&self) -> *mut Notes {
        self.pages
            .as_ptr()
            .wrapping_byte_add(self.size as usize)
            .cast()
    }

    /// Writes a value of 64 bits at a multiple of 8 inside the buffer, as a fence does.
    pub(crate) fn store(&self, offset: u64, value: u64) -> Answer {
        if !offset.is_multiple_of(8) || offset.checked_add(8).is_none_or(|end| end > self.size) {
            return Err(Errno::INVALID);
        }
        let at = self
            .pages
            .as_ptr()
            .wrapping_byte_add(offset as usize)
            .cast::<u64>();
        // SAFETY: inside of the mapping, aligned; others that map the page read it as they like.
        unsafe { at.write_volatile(value) };
        Ok(())
    }

    /// Copies all of its bytes from the program's memory.
    ///
    /// # Safety
    ///
    /// As many bytes may be read at `from`.
    pub(crate) unsafe fn fill(&self, from: *const c_void) {
        // SAFETY: as the caller says; the buffer's pages are mapped, and nobody else has them yet.
        unsafe { std::ptr::copy_nonoverlapping(from, self.pages.as_ptr(), self.size as usize) };
    }

    /// The first 64 bits, as a counter that processes share.
    pub(crate) fn counter(&self) -> &AtomicU64 {
        // SAFETY: the mapping starts with an aligned page, lives as long as the buffer, and is reached by atomics there.
        unsafe { self.pages.cast::<AtomicU64>().as_ref() }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: mapped as a whole by `mapped`; nobody has the buffer any more.
        unsafe { libc::munmap(self.pages.as_ptr(), (self.size + PAGE) as usize) };
    }
}

/// Whether a descriptor of the program's is one of a buffer.
pub(crate) fn is_buffer(fd: c_int) -> bool {
    let link = std::fs::read_link(format!("/proc/self/fd/{fd}"));
    let link = link
        .unwrap_or_default()
        .into_os_string()
        .into_encoded_bytes();
    let name = link.strip_prefix(b"/memfd:");
    name.is_some_and(|name| name.starts_with(NAME.to_bytes()))
}

/// Another descriptor of a file, closed by `exec`.
pub(crate) fn duplicate(file: BorrowedFd) -> Answer<OwnedFd> {
    file.try_clone_to_owned()
        .map_err(|error| Errno(error.raw_os_error().unwrap_or(libc::EMFILE)))
}

fn status(file: BorrowedFd) -> Answer<libc::stat> {
    let mut status = std::mem::MaybeUninit::uninit();
    // SAFETY: a descriptor and room for the answer. `fstat64` is not one of the functions that this library stands in for
    // with another meaning: buffers are plain files.
    if unsafe { libc::fstat(file.as_raw_fd(), status.as_mut_ptr()) } != 0 {
        return Err(Errno::BAD_FILE);
    }
    // SAFETY: written by the call.
    Ok(unsafe { status.assume_init() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn notes_travel_with_the_file() {
        let buffer = Buffer::new(PAGE + 1).unwrap();
        assert_eq!(buffer.size(), 2 * PAGE);
        buffer.note(|notes| notes.tiling = 7);
        buffer.store(PAGE, 42).unwrap();
        let file = buffer.export().unwrap();
        let again = Buffer::import(file.as_fd()).unwrap();
        assert_eq!((again.size(), again.notes().tiling), (2 * PAGE, 7));
        assert_eq!(again.inode, buffer.inode);
        assert_eq!(buffer.store(2 * PAGE, 1), Err(Errno::INVALID));
        assert_eq!(buffer.store(4, 1), Err(Errno::INVALID));
    }

    #[test]
    fn other_files_are_no_buffers() {
        let file = std::fs::File::open("/dev/null").unwrap();
        assert!(Buffer::import(file.as_fd()).is_err());
    }
}
