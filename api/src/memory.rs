//! Video memory handed out: heaps that buffers and images are placed in.
//!
//! All memory is visible to the host. Memory that was used before is zeroed when it is handed out again, but for what the
//! driver writes before it reads, so that what a program sees never depends on what ran earlier. [VULKAN Memory Allocation]

use std::sync::Arc;

use pipeline::driver::DRIVER_BYTES;
use pipeline::silicon::{Addr, MemoryError};
use pipeline::upload::{Allocate, Request};

use crate::device::{Device, Shared, lock};
use crate::error::{Label, rules};

/// Alignment of every heap, and the least alignment of the offsets of images inside one, in bytes.
pub const HEAP_ALIGN: u64 = 1 << 16;

rules! {
    /// Memory that cannot be had.
    pub enum HeapError {
        /// A heap has at least one byte.
        "heap-size", "{label} would have no bytes"
        => Empty { label: Label };
        /// The heap fits into the free video memory.
        "heap-memory", "{label}: {source}"
        => Memory { label: Label, source: MemoryError };
    }
}

/// Describes a heap, for [`Device::create_heap`].
#[derive(Clone, Copy, Debug, Default)]
pub struct HeapDescriptor<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
    /// Bytes, at least 1 and at most what video memory has free in one piece.
    pub bytes: u64,
}

/// A range of video memory that buffers and images can be placed in. It lives as long as it or anything placed in it
/// does. What is placed over each other shares bytes:
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// let heap = device.create_heap(&HeapDescriptor { label: Some("frame"), bytes: 1 << 16 })?;
/// let buffer = |offset, size| {
///     let placement = Some(Placement { heap: &heap, offset });
///     let usage = BufferUsages::STORAGE;
///     device.create_buffer(&BufferDescriptor { label: None, size, usage, placement })
/// };
/// let (whole, second) = (buffer(0, 512)?, buffer(256, 256)?);
/// second.write(0, &[7])?;
/// let mut byte = [0];
/// whole.read(256, &mut byte)?;
/// assert_eq!(byte, [7]);
/// assert_eq!(buffer(100, 4).err().map(|e| e.rule()), Some("buffer-placement-align"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Heap {
    pub(crate) label: Label,
    pub(crate) allocation: Arc<Allocation>,
}

impl Heap {
    /// Size in bytes, as asked for.
    pub fn bytes(&self) -> u64 {
        self.allocation.bytes
    }

    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.label
    }

    /// The device that it belongs to.
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.allocation.shared
    }
}

/// A place inside a heap, for [`BufferDescriptor`](crate::BufferDescriptor) and
/// [`ImageDescriptor`](crate::ImageDescriptor). [VULKAN Resource Memory Association]
#[derive(Clone, Copy, Debug)]
pub struct Placement<'a> {
    /// The heap.
    pub heap: &'a Heap,
    /// Byte offset: a multiple of 256 for buffers, of [`HEAP_ALIGN`] and
    /// [`ImageMemory::align`](crate::ImageMemory::align) for images.
    pub offset: u64,
}

impl Device {
    /// Reserves video memory. Its bytes are zero.
    ///
    /// Errors: [`HeapError::Empty`] for no bytes, [`HeapError::Memory`] when no free range is large enough.
    pub fn create_heap(&self, desc: &HeapDescriptor<'_>) -> Result<Heap, HeapError> {
        let label = self.label_of("heap", desc.label);
        if desc.bytes == 0 {
            return Err(HeapError::Empty { label });
        }
        // A texel buffer may be placed at the end.
        let slack = self.shared.driver.target.chip.texel_slack(desc.bytes);
        let bytes = desc.bytes.saturating_add(slack);
        match Allocation::new(&self.shared, bytes, HEAP_ALIGN) {
            Ok(mut allocation) => {
                allocation.bytes = desc.bytes;
                Ok(Heap {
                    label,
                    allocation: Arc::new(allocation),
                })
            }
            Err(source) => Err(HeapError::Memory { label, source }),
        }
    }
}

/// A range of video memory; free again when dropped.
pub(crate) struct Allocation {
    pub(crate) shared: Arc<Shared>,
    pub(crate) address: Addr,
    pub(crate) bytes: u64,
}

impl std::fmt::Debug for Allocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Allocation({:#x}, {})", self.address.0, self.bytes)
    }
}

impl Allocation {
    /// The memory that a compiled pipeline takes for its code.
    pub(crate) fn of_code(
        shared: &Arc<Shared>,
        upload: impl FnOnce(&mut Allocate<'_>) -> Result<(), MemoryError>,
    ) -> Result<Vec<Allocation>, MemoryError> {
        let mut code = Vec::new();
        upload(&mut |request| {
            let allocation = Allocation::requested(shared, request)?;
            let address = allocation.address;
            code.push(allocation);
            Ok(address)
        })?;
        Ok(code)
    }

    pub(crate) fn new(
        shared: &Arc<Shared>,
        bytes: u64,
        align: u64,
    ) -> Result<Allocation, MemoryError> {
        Allocation::requested(shared, Request::zeroed(bytes, align))
    }

    /// Memory as the driver asks for it.
    pub(crate) fn requested(
        shared: &Arc<Shared>,
        request: Request,
    ) -> Result<Allocation, MemoryError> {
        let Request {
            bytes,
            align,
            zeroed,
        } = request;
        let mut ranges = lock(&shared.ranges);
        let (address, used) = ranges.take(bytes, align)?;
        drop(ranges);
        if zeroed && used > 0 {
            zero(shared, address, used)?;
        }
        Ok(Allocation {
            shared: shared.clone(),
            address: Addr(address),
            bytes,
        })
    }
}

fn zero(shared: &Shared, address: u64, bytes: u64) -> Result<(), MemoryError> {
    let zeros = [0; 4096];
    let mut done = 0;
    while done < bytes {
        let step = (bytes - done).min(zeros.len() as u64);
        shared
            .driver
            .memory
            .write(Addr(address + done), &zeros[..step as usize])?;
        done += step;
    }
    Ok(())
}

impl Drop for Allocation {
    fn drop(&mut self) {
        lock(&self.shared.ranges).give(self.address.0);
    }
}

/// What of video memory is handed out, and what was handed out before.
#[derive(Debug)]
pub(crate) struct Ranges {
    heap: pipeline::heap::Heap,
    /// Memory from here on was never handed out, and is zero.
    fresh: u64,
}

impl Ranges {
    pub(crate) fn new(size: u64) -> Ranges {
        Ranges {
            heap: pipeline::heap::Heap::new(Addr(DRIVER_BYTES)..Addr(size)),
            fresh: DRIVER_BYTES,
        }
    }

    /// Takes a range; also tells how many of its bytes were used before.
    fn take(&mut self, bytes: u64, align: u64) -> Result<(u64, u64), MemoryError> {
        let Addr(at) = self.heap.alloc(bytes, align)?;
        let end = at + bytes;
        let used = self.fresh.clamp(at, end) - at;
        self.fresh = self.fresh.max(end);
        Ok((at, used))
    }

    fn give(&mut self, address: u64) {
        let freed = self.heap.free(Addr(address));
        debug_assert_eq!(freed, Ok(()));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn used_bytes_are_told() {
        let mut ranges = Ranges::new(1 << 20);
        let (a, used) = ranges.take(100, 256).unwrap();
        assert!(a >= DRIVER_BYTES);
        assert_eq!(used, 0);
        ranges.give(a);
        assert_eq!(ranges.take(300, 256).unwrap(), (a, 100));
        assert!(ranges.take(1 << 20, 4).is_err());
        assert!(ranges.take(u64::MAX, 4).is_err());
    }
}
