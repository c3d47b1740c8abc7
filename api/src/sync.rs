//! Timeline fences. [VULKAN Semaphores, timeline]

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::device::{Device, lock};
use crate::error::{Label, rules};

rules! {
    /// A fence that cannot be signalled.
    pub enum FenceError {
        /// A fence is signalled with a value above its own.
        "fence-order", "{label} is at {value} and can only be signalled with more, not with {wanted}"
        => Order { label: Label, value: u64, wanted: u64 };
    }
}

/// A 64-bit value that grows with every signal; submissions set it when they are done. Clones, and `==`, mean the same fence.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// use std::time::Duration;
///
/// let fence = device.create_fence(Some("frames"), 0);
/// let frame = device.create_command_buffer(None);
/// queue.submit(&[&frame], &[(&fence, 1)])?;
/// assert!(fence.wait(1, Duration::from_secs(1)));
/// assert!(!fence.wait(2, Duration::ZERO));
///
/// fence.signal(5)?;
/// assert_eq!(fence.value(), 5);
/// assert_eq!(fence.signal(5).err().map(|e| e.rule()), Some("fence-order"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fence {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    label: Label,
    value: Mutex<u64>,
    changed: Condvar,
}

/// The same fence, not one like it.
impl PartialEq for Fence {
    fn eq(&self, other: &Fence) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

impl Eq for Fence {}

impl Device {
    /// Makes a fence with a starting value. It belongs to no device: any queue may signal it.
    pub fn create_fence(&self, label: Option<&str>, value: u64) -> Fence {
        Fence {
            inner: Arc::new(Inner {
                label: self.label_of("fence", label),
                value: Mutex::new(value),
                changed: Condvar::new(),
            }),
        }
    }
}

impl Fence {
    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.inner.label
    }

    /// The value that was reached.
    pub fn value(&self) -> u64 {
        *lock(&self.inner.value)
    }

    /// Sets the value from the host, and wakes who waits for it.
    ///
    /// Errors: [`FenceError::Order`] for a value that is not above the fence's. [VULKAN vkSignalSemaphore]
    pub fn signal(&self, value: u64) -> Result<(), FenceError> {
        let mut now = lock(&self.inner.value);
        if value <= *now {
            return Err(FenceError::Order {
                label: self.inner.label.clone(),
                value: *now,
                wanted: value,
            });
        }
        *now = value;
        self.inner.changed.notify_all();
        Ok(())
    }

    /// Waits until the value is reached, up to `timeout`; false when the time runs out first.
    pub fn wait(&self, value: u64, timeout: Duration) -> bool {
        let now = lock(&self.inner.value);
        let (now, _) = self
            .inner
            .changed
            .wait_timeout_while(now, timeout, |now| *now < value)
            .unwrap_or_else(PoisonError::into_inner);
        *now >= value
    }
}
