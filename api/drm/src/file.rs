//! One opened node: its handles of buffers, fences and contexts, and the chip that runs for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::buffer::{Buffer, DOMAIN_GTT};
use crate::card::{Addressing, Card, Settings};
use crate::errno::{Answer, Errno};
use crate::lock::{Guard, Lock};
use crate::machine::Machine;
use crate::pinned;
use crate::range::PAGE;
use crate::sync::Fence;

/// Bits of an offset given to `mmap` that lie in the buffer; its handle is above them.
const OFFSET_BITS: u32 = 40;

/// Things with handles, from 1 on.
pub(crate) struct Handles<T> {
    things: BTreeMap<u32, T>,
    last: u32,
}

impl<T> Default for Handles<T> {
    fn default() -> Handles<T> {
        Handles {
            things: BTreeMap::new(),
            last: 0,
        }
    }
}

impl<T> Handles<T> {
    /// A new handle. Handles are used again only when all others have been.
    pub(crate) fn add(&mut self, thing: T) -> u32 {
        loop {
            self.last = self.last.wrapping_add(1) & 0xff_ffff;
            if self.last != 0 && !self.things.contains_key(&self.last) {
                self.things.insert(self.last, thing);
                return self.last;
            }
        }
    }

    /// What a handle names. Errors: ENOENT.
    pub(crate) fn get(&self, handle: u32) -> Answer<&T> {
        self.things.get(&handle).ok_or(Errno::NO_ENTRY)
    }

    pub(crate) fn get_mut(&mut self, handle: u32) -> Answer<&mut T> {
        self.things.get_mut(&handle).ok_or(Errno::NO_ENTRY)
    }

    /// Takes a handle away. Errors: EINVAL for one that names nothing.
    pub(crate) fn remove(&mut self, handle: u32) -> Answer<T> {
        self.things.remove(&handle).ok_or(Errno::INVALID)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.things.iter().map(|(handle, thing)| (*handle, thing))
    }
}

/// A context of `amdgpu`.
#[derive(Clone, Copy, Default)]
pub(crate) struct Context {
    /// Resets of the chip when it was made.
    pub(crate) resets_before: u32,
    /// Submissions of its own that failed.
    pub(crate) failed: u32,
    /// Those that the program has been told of.
    pub(crate) told: u32,
}

/// What handles name.
#[derive(Default)]
pub(crate) struct Objects {
    pub(crate) buffers: Handles<Arc<Buffer>>,
    pub(crate) fences: Handles<Fence>,
    pub(crate) contexts: Handles<Context>,
    /// Lists of buffers: residency, which all buffers have.
    pub(crate) lists: Handles<()>,
    /// Submissions, which number their fences.
    pub(crate) submissions: u64,
}

impl Objects {
    /// The handle that a buffer has.
    fn known(&self, buffer: &Buffer) -> Option<u32> {
        let known = self.buffers.iter().find(|(_, b)| b.inode == buffer.inode);
        known.map(|(handle, _)| handle)
    }

    /// The buffer and the offset in it that an offset given to `mmap` means.
    pub(crate) fn mapped(&self, offset: u64) -> Answer<(Arc<Buffer>, u64)> {
        let buffer = self.buffers.get((offset >> OFFSET_BITS) as u32)?;
        Ok((buffer.clone(), offset & ((1 << OFFSET_BITS) - 1)))
    }

    /// The offset that `mmap` takes for a buffer.
    pub(crate) fn map_offset(&self, handle: u32) -> Answer<u64> {
        self.buffers.get(handle)?;
        Ok(u64::from(handle) << OFFSET_BITS)
    }
}

/// An opened node.
pub(crate) struct File {
    pub(crate) card: &'static Card,
    objects: Lock<Objects>,
    machine: Lock<Machine>,
}

impl File {
    pub(crate) fn new(card: &'static Card, settings: &Settings) -> Answer<Arc<File>> {
        Ok(Arc::new(File {
            card,
            objects: Lock::new(Objects::default()),
            machine: Lock::new(Machine::new(card, settings.clone())?),
        }))
    }

    /// Locks the objects. Whoever wants the machine as well locks it first.
    pub(crate) fn objects(&self) -> Guard<'_, Objects> {
        self.objects.lock()
    }

    /// Locks the chip, for as long as a submission takes.
    pub(crate) fn machine(&self) -> Guard<'_, Machine> {
        self.machine.lock()
    }

    /// A new buffer of a number of bytes.
    pub(crate) fn create(&self, bytes: u64, domain: u64, flags: u64) -> Answer<u32> {
        if bytes == 0 || bytes > self.card.reach - PAGE {
            return Err(Errno::INVALID);
        }
        let buffer = Buffer::new(bytes)?;
        buffer.note(|notes| {
            notes.domain = domain;
            notes.flags = flags;
        });
        self.seen(&buffer)?;
        Ok(self.objects().buffers.add(buffer))
    }

    /// A buffer in the program's own memory.
    ///
    /// # Safety
    ///
    /// As [`pinned::pin`].
    pub(crate) unsafe fn pin(&self, address: u64, bytes: u64) -> Answer<u32> {
        if bytes > self.card.reach - PAGE {
            return Err(Errno::INVALID);
        }
        // SAFETY: as the caller says.
        let buffer = unsafe { pinned::pin(address, bytes)? };
        buffer.note(|notes| notes.domain = DOMAIN_GTT.into());
        self.seen(&buffer)?;
        Ok(self.objects().buffers.add(buffer))
    }

    /// Gives a buffer its address where drivers do not choose it.
    fn seen(&self, buffer: &Arc<Buffer>) -> Answer {
        if self.card.addressing != Addressing::Virtual {
            self.machine().place(buffer)?;
        }
        Ok(())
    }

    /// The handle of a buffer that came from another process or another node.
    pub(crate) fn import(&self, buffer: Arc<Buffer>) -> Answer<u32> {
        let known = self.objects().known(&buffer);
        if let Some(handle) = known {
            return Ok(handle);
        }
        self.seen(&buffer)?;
        Ok(self.objects().buffers.add(buffer))
    }

    /// `DRM_IOCTL_GEM_CLOSE`.
    pub(crate) fn close(&self, handle: u32) -> Answer {
        let mut machine = self.machine();
        let buffer = self.objects().buffers.remove(handle)?;
        machine.forget(&buffer);
        Ok(())
    }

    /// Before a fork.
    pub(crate) fn take(&self) {
        self.machine.take();
        self.objects.take();
    }

    /// After it.
    pub(crate) fn give(&self) {
        self.objects.give();
        self.machine.give();
    }
}
