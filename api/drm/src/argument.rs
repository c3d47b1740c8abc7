//! Structures that lie in the program's memory.

use bytemuck::{AnyBitPattern, NoUninit, Pod};
use libc::c_void;

/// The argument of an ioctl, read and later written by `body`.
///
/// # Safety
///
/// `at` is the third argument of an ioctl whose structure is `T`.
pub(crate) unsafe fn with<T: Pod, R>(at: *mut c_void, body: impl FnOnce(&mut T) -> R) -> R {
    let at = at.cast::<T>();
    // SAFETY: the program says that a `T` lies there. It need not be aligned.
    let mut value = unsafe { at.read_unaligned() };
    let result = body(&mut value);
    // SAFETY: as above.
    unsafe { at.write_unaligned(value) };
    result
}

/// Values that an ioctl's argument points at.
///
/// # Safety
///
/// The program says that `count` of `T` lie at `address`.
pub(crate) unsafe fn list<T: AnyBitPattern>(address: u64, count: usize) -> Vec<T> {
    let at = address as *const T;
    // SAFETY: as the caller says.
    (0..count)
        .map(|n| unsafe { at.add(n).read_unaligned() })
        .collect()
}

/// Writes values where an ioctl's argument points.
///
/// # Safety
///
/// The program says that there is room for them at `address`.
pub(crate) unsafe fn store<T: NoUninit>(address: u64, values: &[T]) {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    // SAFETY: as the caller says; a new allocation does not overlap the values.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, bytes.len()) }
}
