//! Machine code that may run: pages that are written once and then only read and executed.
//!
//! # Safety
//!
//! [`Executable::run`] calls code of [`super::emitter`] and [`super::scalars`], [`Executable::follow`] that of
//! [`super::chain`]. It reads and writes rows and scalars whose numbers are below the counts that the code was made for; a
//! call checks them. The code needs AVX-512 or AVX2, which the [`SimdLevel`] proves. It takes rows, scalars and mask in registers
//! of the System V convention, keeps to registers that a caller gives up and to the 128 bytes below the stack pointer that are a
//! leaf function's, and returns; with eight lanes it has a frame of its own above these ([`super::narrow`]). A chain keeps the
//! others that it uses on the stack, calls functions of blocks and jumps to blocks; all of them lie in the same pages. Pages are
//! private, hold what [`Executable::new`] wrote, and are unmapped when nobody runs them any more.

#![expect(unsafe_code, reason = "maps pages and calls the machine code in them")]

use std::ffi::c_void;

use host::SimdLevel;

use super::assembler::{BIAS, Width};
use crate::batch::Account;
use crate::wave::Row;

/// Machine code of a program's blocks.
#[derive(Debug)]
pub(super) struct Executable {
    pages: *mut c_void,
    bytes: usize,
    /// Registers that the code names are below these numbers.
    rows: usize,
    scalars: usize,
}

// SAFETY: pages that nobody writes any more.
unsafe impl Send for Executable {}
// SAFETY: as above.
unsafe impl Sync for Executable {}

/// Function of a block: rows (behind the first one by a bias), scalars, execution mask.
type Function = unsafe extern "sysv64" fn(*mut c_void, *mut u32, u64);

/// Function of a chain: rows (biased), scalars, account, the first instruction of a block.
type Follow = unsafe extern "sysv64" fn(*mut c_void, *mut u32, *mut Account, *const c_void) -> u32;

impl Executable {
    /// Whether code of this level can run here: the host has the instructions, and gives pages that execute.
    pub(super) fn is_possible(level: SimdLevel) -> bool {
        // vzeroupper, ret
        Executable::new(level, &[0xc5, 0xf8, 0x77, 0xc3], [0; 2]).is_some()
    }

    /// Maps code that names registers below `rows` and `scalars`. `None` if the host gives no such pages.
    pub(super) fn new(
        level: SimdLevel,
        code: &[u8],
        [rows, scalars]: [u16; 2],
    ) -> Option<Executable> {
        if Width::of(level).is_none() || code.is_empty() {
            return None;
        }
        let bytes = code.len();
        let private = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let write = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: new pages, at an address that the host chooses.
        let pages = unsafe { libc::mmap(std::ptr::null_mut(), bytes, write, private, -1, 0) };
        if pages == libc::MAP_FAILED {
            return None;
        }
        let mapped = Executable {
            pages,
            bytes,
            rows: rows.into(),
            scalars: scalars.into(),
        };
        // SAFETY: the pages are new, writable and large enough.
        unsafe { std::ptr::copy_nonoverlapping(code.as_ptr(), pages.cast(), bytes) };
        // SAFETY: the pages are ours, and nobody writes them from here on.
        let done = unsafe { libc::mprotect(pages, bytes, libc::PROT_READ | libc::PROT_EXEC) };
        (done == 0).then_some(mapped)
    }

    /// Runs the function at an offset, which is one that the code begins at.
    #[inline(always)]
    pub(super) fn run(&self, at: Entry, rows: &mut [Row], scalars: &mut [u32], exec: u64) {
        assert!(rows.len() >= self.rows && scalars.len() >= self.scalars);
        let rows: *mut c_void = rows.as_mut_ptr().cast();
        // SAFETY: a function begins there (see `Entry`).
        let function =
            unsafe { std::mem::transmute::<*mut c_void, Function>(self.pages.byte_add(at.0)) };
        // SAFETY: all registers that it names are there, and the host has its instructions. The bias is an offset that
        // the code subtracts again.
        unsafe {
            function(
                rows.wrapping_byte_add(BIAS as usize),
                scalars.as_mut_ptr(),
                exec,
            )
        }
    }

    /// Runs blocks of a wave from one on, which is a place in the function `enter` ([`super::chain`]). Returns twice the block
    /// where it ends, and 1 if the steps of that block are done.
    #[inline(always)]
    pub(super) fn follow(
        &self,
        [enter, block]: [Entry; 2],
        rows: &mut [Row],
        scalars: &mut [u32],
        account: &mut Account,
    ) -> u32 {
        assert!(rows.len() >= self.rows && scalars.len() >= self.scalars);
        let rows: *mut c_void = rows.as_mut_ptr().cast();
        // SAFETY: the function begins there, and so does the block: offsets of the code that they were made with.
        let (function, block) = unsafe {
            let function = self.pages.byte_add(enter.0);
            (
                std::mem::transmute::<*mut c_void, Follow>(function),
                self.pages.byte_add(block.0),
            )
        };
        // SAFETY: as for `run`; the function reads and writes the account's three words.
        unsafe {
            function(
                rows.wrapping_byte_add(BIAS as usize),
                scalars.as_mut_ptr(),
                account,
                block,
            )
        }
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        // SAFETY: mapped by `new`, and nobody runs it.
        unsafe { libc::munmap(self.pages, self.bytes) };
    }
}

/// Where a function begins in the code that is made with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry(usize);

impl Entry {
    /// The place of the next instruction, which begins a function.
    pub(super) fn here(assembler: &super::assembler::Assembler) -> Entry {
        Entry(assembler.here())
    }

    /// How far it lies behind the first instruction.
    pub(super) fn offset(self) -> usize {
        self.0
    }
}
