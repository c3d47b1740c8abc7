//! The node as a driver sees it: ioctls with the numbers and structures of the UAPI headers.

use std::fs::{File, OpenOptions};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// What `drm.h` numbers.
pub const VERSION: u32 = 0x00;
pub const GEM_CLOSE: u32 = 0x09;
pub const PRIME_HANDLE_TO_FD: u32 = 0x2d;
pub const PRIME_FD_TO_HANDLE: u32 = 0x2e;
/// `radeon_drm.h`, from `DRM_COMMAND_BASE` on.
pub const RADEON_GEM_CREATE: u32 = 0x40 + 0x1d;
pub const RADEON_GEM_MMAP: u32 = 0x40 + 0x1e;
pub const RADEON_CS: u32 = 0x40 + 0x26;

pub struct Node(pub File);

impl Node {
    pub fn open() -> Node {
        let mut options = OpenOptions::new();
        Node(
            options
                .read(true)
                .write(true)
                .open("/dev/dri/renderD128")
                .unwrap(),
        )
    }

    /// An ioctl of `d` with an argument of words; the error's number.
    pub fn ioctl(&self, number: u32, argument: &mut [u64]) -> Result<(), i32> {
        // Read and write, and the size of the argument.
        let request =
            3 << 30 | (8 * argument.len() as u64) << 16 | u64::from(b'd') << 8 | u64::from(number);
        // SAFETY: an argument of that size; what it points at is the caller's.
        let done = unsafe { libc::ioctl(self.0.as_raw_fd(), request, argument.as_mut_ptr()) };
        match done {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error().raw_os_error().unwrap()),
        }
    }

    /// A new buffer's handle.
    pub fn create(&self, bytes: u64) -> u32 {
        let mut create = [bytes, 4096, 4 << 32, 0];
        self.ioctl(RADEON_GEM_CREATE, &mut create).unwrap();
        create[2] as u32
    }

    pub fn close(&self, handle: u32) -> Result<(), i32> {
        self.ioctl(GEM_CLOSE, &mut [handle.into()])
    }

    /// A descriptor that other nodes and processes know a buffer by.
    pub fn export(&self, handle: u32) -> OwnedFd {
        let mut prime = [handle.into(), 0];
        self.ioctl(PRIME_HANDLE_TO_FD, &mut prime).unwrap();
        // SAFETY: a new descriptor that nobody else has.
        unsafe { OwnedFd::from_raw_fd(prime[1] as i32) }
    }

    /// The handle of a buffer that came by a descriptor.
    pub fn import(&self, file: &OwnedFd) -> u32 {
        let mut prime = [0, file.as_raw_fd() as u64];
        self.ioctl(PRIME_FD_TO_HANDLE, &mut prime).unwrap();
        prime[0] as u32
    }

    /// Runs words of a stream that names buffers by their handles.
    pub fn submit(&self, words: &[u32], handles: &[u32]) -> Result<(), i32> {
        let relocations: Vec<u32> = handles
            .iter()
            .flat_map(|handle| [*handle, 0, 4, 0])
            .collect();
        let chunk =
            |id: u64, words: &[u32]| [id | (words.len() as u64) << 32, words.as_ptr() as u64];
        let chunks = [chunk(1, &relocations), chunk(2, words)];
        let places = chunks.each_ref().map(|chunk| chunk.as_ptr() as u64);
        let mut stream = [places.len() as u64, places.as_ptr() as u64, 0, 0];
        self.ioctl(RADEON_CS, &mut stream)
    }

    /// The words of a buffer.
    pub fn read(&self, handle: u32, count: usize) -> Vec<u32> {
        let bytes = 4 * count;
        let mut map = [handle.into(), 0, bytes as u64, 0];
        self.ioctl(RADEON_GEM_MMAP, &mut map).unwrap();
        // SAFETY: a new mapping, read while it is there.
        unsafe {
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            let (file, at) = (self.0.as_raw_fd(), map[3] as i64);
            let place = libc::mmap(
                std::ptr::null_mut(),
                bytes,
                protection,
                libc::MAP_SHARED,
                file,
                at,
            );
            assert_ne!(place, libc::MAP_FAILED);
            let words = std::slice::from_raw_parts(place.cast::<u32>(), count).to_vec();
            libc::munmap(place, bytes);
            words
        }
    }
}

/// A stream of R600 that writes a value to the first word of relocation 0: MEM_WRITE of 32 bits, then the relocation.
pub fn write_value(value: u32) -> [u32; 7] {
    [0xc003_3d00, 0, 1 << 18, value, 0, 0xc000_1000, 0]
}
