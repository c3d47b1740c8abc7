//! Structures that lie in the program's memory: copied by the kernel, so that a bad address is EFAULT and no fault.

use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::{AnyBitPattern, NoUninit, Pod};
use libc::c_void;

use crate::errno::{Answer, Errno};

/// Most bytes of a list.
const MOST_BYTES: usize = 256 << 20;

/// Which way bytes go.
#[derive(Clone, Copy)]
enum Way {
    FromProgram,
    ToProgram,
}

/// Copies bytes between the program's memory and ours. Where the kernel may not, such as in some sandboxes, a bad address
/// ends the program as it would in libc.
///
/// # Safety
///
/// `ours` has as many bytes; `theirs` has them if it is not a bad address.
unsafe fn copy(way: Way, theirs: u64, ours: *mut c_void, bytes: usize) -> Answer {
    /// The kernel refused.
    static REFUSED: AtomicBool = AtomicBool::new(false);
    if bytes == 0 {
        return Ok(());
    }
    if !REFUSED.load(Ordering::Relaxed) {
        let part = |base| libc::iovec {
            iov_base: base,
            iov_len: bytes,
        };
        let (ours, theirs) = (part(ours), part(theirs as *mut c_void));
        // SAFETY: as the caller says; the kernel checks both places.
        let done = unsafe {
            let process = libc::getpid();
            match way {
                Way::FromProgram => libc::process_vm_readv(process, &ours, 1, &theirs, 1, 0),
                Way::ToProgram => libc::process_vm_writev(process, &ours, 1, &theirs, 1, 0),
            }
        };
        if done == bytes as isize {
            return Ok(());
        }
        if done >= 0 || Errno::last() == Errno::FAULT {
            return Err(Errno::FAULT);
        }
        REFUSED.store(true, Ordering::Relaxed);
    }
    let theirs = theirs as *mut u8;
    // SAFETY: as the caller says.
    unsafe {
        match way {
            Way::FromProgram => std::ptr::copy(theirs, ours.cast(), bytes),
            Way::ToProgram => std::ptr::copy(ours.cast(), theirs, bytes),
        }
    }
    Ok(())
}

/// The argument of an ioctl, read and later written by `body`.
///
/// # Safety
///
/// `at` is the third argument of an ioctl whose structure is `T`.
pub(crate) unsafe fn with<T: Pod>(at: *mut c_void, body: impl FnOnce(&mut T) -> Answer) -> Answer {
    let mut value = T::zeroed();
    let ours = (&raw mut value).cast();
    // SAFETY: the program says that a `T` lies there.
    unsafe { copy(Way::FromProgram, at as u64, ours, size_of::<T>())? };
    let result = body(&mut value);
    let ours = (&raw mut value).cast();
    // SAFETY: as above.
    unsafe { copy(Way::ToProgram, at as u64, ours, size_of::<T>())? };
    result
}

/// Values that an ioctl's argument points at.
///
/// # Safety
///
/// The program says that `count` of `T` lie at `address`.
pub(crate) unsafe fn list<T: AnyBitPattern + NoUninit>(
    address: u64,
    count: usize,
) -> Answer<Vec<T>> {
    let bytes = count.checked_mul(size_of::<T>());
    let bytes = bytes
        .filter(|bytes| *bytes <= MOST_BYTES)
        .ok_or(Errno::NO_MEMORY)?;
    let mut values = vec![T::zeroed(); count];
    // SAFETY: as the caller says.
    unsafe { copy(Way::FromProgram, address, values.as_mut_ptr().cast(), bytes)? };
    Ok(values)
}

/// A value that an ioctl's argument points at.
///
/// # Safety
///
/// The program says that a `T` lies at `address`.
pub(crate) unsafe fn one<T: AnyBitPattern + NoUninit>(address: u64) -> Answer<T> {
    // SAFETY: as the caller says.
    unsafe { list::<T>(address, 1).map(|values| values[0]) }
}

/// Writes values where an ioctl's argument points.
///
/// # Safety
///
/// The program says that there is room for them at `address`.
pub(crate) unsafe fn store<T: NoUninit>(address: u64, values: &[T]) -> Answer {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    let ours = bytes.as_ptr().cast_mut().cast();
    // SAFETY: as the caller says; our bytes are only read.
    unsafe { copy(Way::ToProgram, address, ours, bytes.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_addresses_are_errors() {
        // SAFETY: the page at 0 is never mapped; the other places are variables.
        unsafe {
            assert_eq!(list::<u32>(16, 3), Err(Errno::FAULT));
            assert_eq!(list::<u64>(16, usize::MAX / 2), Err(Errno::NO_MEMORY));
            assert_eq!(store(16, &[1_u32]), Err(Errno::FAULT));
            assert_eq!(
                with(std::ptr::null_mut(), |_: &mut u64| Ok(())),
                Err(Errno::FAULT)
            );
            let mut words = [1_u32, 2];
            assert_eq!(list((&raw const words) as u64, 2), Ok(vec![1_u32, 2]));
            assert_eq!(store((&raw mut words) as u64, &[7_u32, 8]), Ok(()));
            assert_eq!(words, [7, 8]);
        }
    }
}
