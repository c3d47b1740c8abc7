//! A mutex that a forked process finds unlocked.
//!
//! `fork` copies a mutex as it is: one that another thread holds stays locked for ever in the child. Handlers of
//! `pthread_atfork` take these locks before and free them after, so that the child sees whole values.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};

/// Like [`std::sync::Mutex`], without poison; see the module.
pub(crate) struct Lock<T> {
    raw: UnsafeCell<libc::pthread_mutex_t>,
    value: UnsafeCell<T>,
}

// SAFETY: the mutex lets one thread at a time reach the value.
unsafe impl<T: Send> Sync for Lock<T> {}

pub(crate) struct Guard<'a, T>(&'a Lock<T>);

impl<T> Lock<T> {
    pub(crate) const fn new(value: T) -> Lock<T> {
        Lock {
            raw: UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER),
            value: UnsafeCell::new(value),
        }
    }

    pub(crate) fn lock(&self) -> Guard<'_, T> {
        self.take();
        Guard(self)
    }

    /// Locks without a guard: before a fork.
    pub(crate) fn take(&self) {
        // SAFETY: initialised by its constant. Locks are statics or lie in an `Arc`: none moves while it is locked.
        unsafe { libc::pthread_mutex_lock(self.raw.get()) };
    }

    /// The value.
    ///
    /// # Safety
    ///
    /// This thread has taken the lock, and has no guard.
    pub(crate) unsafe fn held(&self) -> &T {
        // SAFETY: as the caller says.
        unsafe { &*self.value.get() }
    }

    /// Unlocks what [`Lock::take`] locked: after a fork, in the parent and in the child, by the thread that forked.
    pub(crate) fn give(&self) {
        // SAFETY: as above.
        unsafe { libc::pthread_mutex_unlock(self.raw.get()) };
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: this thread holds the mutex.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: this thread holds the mutex, and has one guard.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        self.0.give();
    }
}
