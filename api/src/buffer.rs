//! Buffers: ranges of bytes that stay mapped for the host. [VULKAN Buffers]

use std::sync::Arc;

use pipeline::silicon::{Addr, MemoryError};
use pipeline::state::BufferRange;
use wgpu_types::BufferUsages;

use crate::device::{Device, Shared};
use crate::error::{Label, rules};
use crate::memory::{Allocation, Placement};

rules! {
    /// A buffer that cannot be made.
    pub enum BufferError {
        /// A buffer has at least one byte.
        "buffer-size", "{label} would have no bytes"
        => Empty { label: Label };
        /// A buffer is used for something.
        "buffer-usage", "{label} has no usage"
        => NoUsage { label: Label };
        /// A placed buffer starts at a multiple of its alignment.
        "buffer-placement-align", "{label} is placed at byte {offset} of {heap}; it must be a multiple of {align}"
        => Misaligned { label: Label, heap: Label, offset: u64, align: u64 };
        /// A placed buffer lies within its heap.
        "buffer-placement-range", "{label} of {bytes} bytes is placed at byte {offset} of {heap}, which has {heap_bytes} bytes"
        => OutsideHeap { label: Label, heap: Label, offset: u64, bytes: u64, heap_bytes: u64 };
        /// A placed buffer lies in a heap of its device.
        "buffer-placement-device", "{label} is placed in {heap}, which was made for another device"
        => OtherHeap { label: Label, heap: Label };
        /// The buffer fits into the free video memory.
        "buffer-memory", "{label}: {source}"
        => Memory { label: Label, source: MemoryError };
    }
}

rules! {
    /// A host access that a buffer refuses.
    pub enum AccessError {
        /// Host reads and writes stay within the buffer.
        "buffer-access-range", "{bytes} bytes at {offset} are outside {label}, which has {size} bytes"
        => OutOfRange { label: Label, offset: u64, bytes: u64, size: u64 };
    }
}

/// Describes a buffer, for [`Device::create_buffer`]. The default lacks size and usage.
#[derive(Clone, Copy, Debug)]
pub struct BufferDescriptor<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
    /// Bytes, at least 1.
    pub size: u64,
    /// Everything that commands do with it; a use that is not named here is refused. The host always reads and writes.
    pub usage: BufferUsages,
    /// Where it lies, at a multiple of 256 bytes; none gives it memory of its own.
    pub placement: Option<Placement<'a>>,
}

impl Default for BufferDescriptor<'_> {
    fn default() -> Self {
        BufferDescriptor {
            label: None,
            size: 0,
            usage: BufferUsages::empty(),
            placement: None,
        }
    }
}

/// Describes a buffer by what it holds, for [`Device::create_buffer_init`]. The default lacks contents and usage.
#[derive(Clone, Copy, Debug)]
pub struct BufferInitDescriptor<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
    /// Bytes, at least 1. The buffer is as large as they are.
    pub contents: &'a [u8],
    /// As in [`BufferDescriptor`].
    pub usage: BufferUsages,
}

impl Default for BufferInitDescriptor<'_> {
    fn default() -> Self {
        BufferInitDescriptor {
            label: None,
            contents: &[],
            usage: BufferUsages::empty(),
        }
    }
}

/// A range of bytes in video memory, in a place that never changes. Clones name the same bytes.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// let buffer = device.create_buffer(&BufferDescriptor {
///     label: Some("numbers"),
///     size: 8,
///     usage: BufferUsages::STORAGE,
///     placement: None,
/// })?;
/// buffer.write(4, &[1, 2, 3, 4])?;
/// let mut bytes = [9; 8];
/// buffer.read(0, &mut bytes)?;
/// assert_eq!(bytes, [0, 0, 0, 0, 1, 2, 3, 4]);
/// assert_eq!(buffer.write(5, &[0; 4]).err().map(|e| e.rule()), Some("buffer-access-range"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Buffer {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) label: Label,
    pub(crate) allocation: Arc<Allocation>,
    pub(crate) address: Addr,
    pub(crate) size: u64,
    pub(crate) usage: BufferUsages,
}

impl Buffer {
    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.inner.label
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.inner.size
    }

    /// Everything that commands do with it.
    pub fn usage(&self) -> BufferUsages {
        self.inner.usage
    }

    /// Writes bytes from the host, from byte `offset` on. Commands submitted afterwards see them.
    ///
    /// Errors: [`AccessError::OutOfRange`], and nothing is written.
    pub fn write(&self, offset: u64, bytes: &[u8]) -> Result<(), AccessError> {
        let address = self.address_of(offset, bytes.len())?;
        self.memory()
            .write(address, bytes)
            .expect("a buffer lies within video memory");
        Ok(())
    }

    /// Reads bytes on the host, from byte `offset` on: what the host and the commands submitted before wrote.
    ///
    /// Errors: [`AccessError::OutOfRange`].
    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<(), AccessError> {
        let address = self.address_of(offset, bytes.len())?;
        self.memory()
            .read(address, bytes)
            .expect("a buffer lies within video memory");
        Ok(())
    }

    /// The host address of the first byte, valid for reads and writes of the whole buffer as long as the buffer lives.
    /// The device accesses the same bytes while commands run. Dereferencing it is up to the caller.
    pub fn host_address(&self) -> Option<std::ptr::NonNull<u8>> {
        let word = self.memory().word(self.inner.address.0)?;
        std::ptr::NonNull::new(word.as_ptr().cast())
    }

    pub(crate) fn range(&self, offset: u64, bytes: u64) -> BufferRange {
        BufferRange {
            address: Addr(self.inner.address.0 + offset),
            bytes,
        }
    }

    /// The device that it belongs to.
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.inner.allocation.shared
    }

    fn memory(&self) -> &pipeline::silicon::Memory {
        &self.inner.allocation.shared.driver.memory
    }

    fn address_of(&self, offset: u64, bytes: usize) -> Result<Addr, AccessError> {
        let end = offset.checked_add(bytes as u64);
        if end.is_none_or(|end| end > self.inner.size) {
            return Err(AccessError::OutOfRange {
                label: self.inner.label.clone(),
                offset,
                bytes: bytes as u64,
                size: self.inner.size,
            });
        }
        Ok(Addr(self.inner.address.0 + offset))
    }
}

/// Alignment of a buffer: that of the largest descriptor offset and of copies.
pub(crate) const BUFFER_ALIGN: u64 = 256;

impl Device {
    /// Makes a buffer whose bytes are zero (those of a placed one are what the heap holds).
    ///
    /// Errors: any of [`BufferError`].
    pub fn create_buffer(&self, desc: &BufferDescriptor<'_>) -> Result<Buffer, BufferError> {
        let label = self.label_of("buffer", desc.label);
        if desc.size == 0 {
            return Err(BufferError::Empty { label });
        }
        if desc.usage.is_empty() {
            return Err(BufferError::NoUsage { label });
        }
        let (allocation, address) = match desc.placement {
            None => {
                let texels = BufferUsages::UNIFORM | BufferUsages::STORAGE;
                let slack = match desc.usage.intersects(texels) {
                    true => self.shared.driver.target.chip.texel_slack(desc.size),
                    false => 0,
                };
                let bytes = desc.size.saturating_add(slack);
                let allocation = Allocation::new(&self.shared, bytes, BUFFER_ALIGN);
                match allocation {
                    Ok(allocation) => {
                        let address = allocation.address;
                        (Arc::new(allocation), address)
                    }
                    Err(source) => return Err(BufferError::Memory { label, source }),
                }
            }
            Some(Placement { heap, offset }) => {
                if !self.shared.owns(heap.shared()) {
                    let heap = heap.label.clone();
                    return Err(BufferError::OtherHeap { label, heap });
                }
                check_placement(&label, desc.size, heap, offset)?;
                let address = Addr(heap.allocation.address.0 + offset);
                (heap.allocation.clone(), address)
            }
        };
        Ok(Buffer {
            inner: Arc::new(Inner {
                label,
                allocation,
                address,
                size: desc.size,
                usage: desc.usage,
            }),
        })
    }
}

impl Device {
    /// Makes a buffer that holds some bytes.
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
    /// # use girih::*;
    /// # let (device, queue) = setup::device()?;
    /// let indices = device.create_buffer_init(&BufferInitDescriptor {
    ///     contents: &[0_u16, 1, 2].map(u16::to_le_bytes).concat(),
    ///     usage: BufferUsages::INDEX,
    ///     ..Default::default()
    /// })?;
    /// assert_eq!(indices.size(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Errors: as [`Device::create_buffer`].
    pub fn create_buffer_init(
        &self,
        desc: &BufferInitDescriptor<'_>,
    ) -> Result<Buffer, BufferError> {
        let buffer = self.create_buffer(&BufferDescriptor {
            label: desc.label,
            size: desc.contents.len() as u64,
            usage: desc.usage,
            placement: None,
        })?;
        buffer
            .write(0, desc.contents)
            .expect("the buffer is as large as its contents");
        Ok(buffer)
    }
}

fn check_placement(
    label: &Label,
    bytes: u64,
    heap: &crate::memory::Heap,
    offset: u64,
) -> Result<(), BufferError> {
    if !offset.is_multiple_of(BUFFER_ALIGN) {
        return Err(BufferError::Misaligned {
            label: label.clone(),
            heap: heap.label.clone(),
            offset,
            align: BUFFER_ALIGN,
        });
    }
    if offset
        .checked_add(bytes)
        .is_none_or(|end| end > heap.bytes())
    {
        return Err(BufferError::OutsideHeap {
            label: label.clone(),
            heap: heap.label.clone(),
            offset,
            bytes,
            heap_bytes: heap.bytes(),
        });
    }
    Ok(())
}
