//! Why an ioctl is refused.

use libc::c_int;

/// A number of `errno.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errno(pub(crate) c_int);

impl Errno {
    pub(crate) const INVALID: Errno = Errno(libc::EINVAL);
    pub(crate) const FAULT: Errno = Errno(libc::EFAULT);
    pub(crate) const NO_ENTRY: Errno = Errno(libc::ENOENT);
    pub(crate) const NO_MEMORY: Errno = Errno(libc::ENOMEM);
    pub(crate) const NOT_A_TTY: Errno = Errno(libc::ENOTTY);
    pub(crate) const NOT_ALLOWED: Errno = Errno(libc::EACCES);
    pub(crate) const TIMED_OUT: Errno = Errno(libc::ETIME);
    pub(crate) const CANCELLED: Errno = Errno(libc::ECANCELED);
    pub(crate) const BAD_FILE: Errno = Errno(libc::EBADF);

    /// What the last call of libc in this thread left.
    pub(crate) fn last() -> Errno {
        Errno(
            std::io::Error::last_os_error()
                .raw_os_error()
                .unwrap_or(libc::EIO),
        )
    }
}

/// What an ioctl answers.
pub(crate) type Answer<T = ()> = Result<T, Errno>;
