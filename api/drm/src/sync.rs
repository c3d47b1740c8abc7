//! Fences of the kernel's `syncobj`: counters that submissions and programs raise, and that programs wait for.
//!
//! A counter lies in a file without a name, so that it can be given to other processes. A plain fence is a counter that
//! is signalled at 1.

use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::buffer::Buffer;
use crate::errno::{Answer, Errno};
use crate::range::PAGE;

/// A fence.
#[derive(Clone)]
pub(crate) struct Fence(Arc<Buffer>);

impl Fence {
    pub(crate) fn new(point: u64) -> Answer<Fence> {
        let fence = Fence(Buffer::new(PAGE)?);
        fence.set(point);
        Ok(fence)
    }

    pub(crate) fn import(file: BorrowedFd) -> Answer<Fence> {
        Buffer::import(file).map(Fence)
    }

    pub(crate) fn export(&self) -> Answer<OwnedFd> {
        self.0.export()
    }

    fn counter(&self) -> &AtomicU64 {
        self.0.counter()
    }

    /// The last point that was signalled; 0 before any.
    pub(crate) fn point(&self) -> u64 {
        self.counter().load(Ordering::Acquire)
    }

    /// Signals up to a point.
    pub(crate) fn signal(&self, point: u64) {
        self.counter().fetch_max(point, Ordering::AcqRel);
    }

    /// Puts the counter to a point.
    pub(crate) fn set(&self, point: u64) {
        self.counter().store(point, Ordering::Release);
    }
}

/// Nanoseconds of the clock that timeouts are of.
pub(crate) fn now() -> i64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: room for the answer.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Waits for points of fences, all or any of them, until a time of [`now`]. The number of a fence that is signalled.
///
/// Errors: ETIME; EINVAL where a fence has no submission and the caller does not wait for one.
pub(crate) fn wait(
    fences: &[(Fence, u64)],
    all: bool,
    for_submissions: bool,
    until: i64,
) -> Answer<u32> {
    let mut pause = Duration::from_micros(20);
    loop {
        let signalled = |(fence, point): &(Fence, u64)| fence.point() >= (*point).max(1);
        let found = fences.iter().position(signalled);
        let done = if all {
            fences.iter().all(signalled)
        } else {
            found.is_some()
        };
        if done {
            return Ok(found.unwrap_or(0) as u32);
        }
        // What is submitted has run: who is not signalled has not been submitted.
        if !for_submissions {
            return Err(Errno::INVALID);
        }
        if now() >= until {
            return Err(Errno::TIMED_OUT);
        }
        // Another thread or process signals; nothing here hears of it.
        std::thread::sleep(pause);
        pause = (2 * pause).min(Duration::from_millis(1));
    }
}

/// A descriptor that is ready to be read: a `sync_file` whose fences are signalled.
pub(crate) fn signalled_file() -> Answer<OwnedFd> {
    Buffer::new(PAGE)?.export()
}

/// A copy of a descriptor that the program gave. Errors: EBADF.
pub(crate) fn opened(file: i32) -> Answer<OwnedFd> {
    if file < 0 {
        return Err(Errno::BAD_FILE);
    }
    // SAFETY: borrowed for the time of the call, which finds out whether it is open.
    crate::buffer::duplicate(unsafe { BorrowedFd::borrow_raw(file) }).map_err(|_| Errno::BAD_FILE)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::os::fd::AsFd;

    #[test]
    fn fences_reach_other_owners() {
        let fence = Fence::new(0).unwrap();
        let file = fence.export().unwrap();
        let other = Fence::import(file.as_fd()).unwrap();
        let soon = now() + 1_000_000;
        let both = [(fence.clone(), 3), (Fence::new(0).unwrap(), 1)];
        assert_eq!(wait(&both, false, true, soon), Err(Errno::TIMED_OUT));
        assert_eq!(wait(&both, false, false, soon), Err(Errno::INVALID));
        other.signal(3);
        other.signal(2);
        assert_eq!(fence.point(), 3);
        assert_eq!(wait(&both, false, true, soon), Ok(0));
        assert_eq!(wait(&both, true, true, soon), Err(Errno::TIMED_OUT));
        let late = std::thread::spawn({
            let fence = both[1].0.clone();
            move || fence.signal(1)
        });
        assert_eq!(wait(&both, true, true, now() + 10_000_000_000), Ok(0));
        late.join().unwrap();
    }
}
