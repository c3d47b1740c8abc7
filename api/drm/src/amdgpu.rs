//! Ioctls of the kernel's `amdgpu`. [`amdgpu_drm.h`]

mod info;
mod submit;

use std::ffi::c_void;

use bytemuck::{Pod, Zeroable};

use crate::argument;
use crate::buffer::DOMAIN_VRAM;
use crate::errno::{Answer, Errno};
use crate::file::{Context, File};
use crate::machine::FIRST_ADDRESS;
use crate::pinned::Userptr;
use crate::range::PAGE;

/// Numbers of `amdgpu_drm.h`.
mod number {
    pub(super) const GEM_CREATE: u32 = 0x00;
    pub(super) const GEM_MMAP: u32 = 0x01;
    pub(super) const CTX: u32 = 0x02;
    pub(super) const BO_LIST: u32 = 0x03;
    pub(super) const CS: u32 = 0x04;
    pub(super) const INFO: u32 = 0x05;
    pub(super) const GEM_METADATA: u32 = 0x06;
    pub(super) const GEM_WAIT_IDLE: u32 = 0x07;
    pub(super) const GEM_VA: u32 = 0x08;
    pub(super) const WAIT_CS: u32 = 0x09;
    pub(super) const GEM_OP: u32 = 0x10;
    pub(super) const GEM_USERPTR: u32 = 0x11;
    pub(super) const WAIT_FENCES: u32 = 0x12;
    pub(super) const VM: u32 = 0x13;
    pub(super) const FENCE_TO_HANDLE: u32 = 0x14;
    pub(super) const SCHED: u32 = 0x15;
}

/// `drm_amdgpu_gem_create`, whose answer lies over its first word.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct GemCreate {
    size: u64,
    alignment: u64,
    domains: u64,
    flags: u64,
}

/// A union of 64 bits: a handle in, a value out.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct HandleOrValue {
    value: u64,
}

impl HandleOrValue {
    fn handle(self) -> u32 {
        self.value as u32
    }
}

/// `drm_amdgpu_ctx`: 16 bytes in, 16 bytes out.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Ctx {
    /// In: the operation. Out: the context, or the low half of flags.
    op: u32,
    flags: u32,
    /// In: the context. Out: failures.
    context: u32,
    /// In: a priority. Out: what happened since the last call.
    priority: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct BoList {
    /// In: the operation. Out: the list.
    operation: u32,
    handle: u32,
    count: u32,
    entry_bytes: u32,
    entries: u64,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Metadata {
    handle: u32,
    op: u32,
    flags: u64,
    tiling: u64,
    bytes: u32,
    data: [u32; 64],
    pad: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct WaitIdle {
    /// In: the handle and flags. Out: 0 for idle, and the domain.
    words: [u32; 2],
    timeout: u64,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct GemAddress {
    handle: u32,
    pad: u32,
    operation: u32,
    flags: u32,
    address: u64,
    offset: u64,
    bytes: u64,
}

/// `drm_amdgpu_wait_cs` and `drm_amdgpu_fence_to_handle` start with words that the answer lies over.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct WaitSubmission {
    /// In: the submission. Out: 0 for done.
    status: u64,
    timeout: u64,
    words: [u32; 4],
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct WaitFences {
    /// In: where the fences are. Out: 1 for signalled, and the first of them.
    fences: u64,
    count: u32,
    all: u32,
    timeout: u64,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct GemOp {
    handle: u32,
    op: u32,
    value: u64,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct FenceToHandle {
    /// In: the context. Out: the handle or descriptor.
    handle: u32,
    kind: u32,
    instance: u32,
    ring: u32,
    number: u64,
    what: u32,
    pad: u32,
}

/// Answers an ioctl of `amdgpu`, by its number behind `DRM_COMMAND_BASE`.
///
/// # Safety
///
/// `at` is what the program gave as the argument of this request.
pub(crate) unsafe fn ioctl(file: &File, number: u32, at: *mut c_void) -> Answer {
    // SAFETY: the structures are those of the numbers, and lie where the program says; so do what they point at.
    unsafe {
        match number {
            number::INFO => argument::with(at, |asked| info::info(file, asked)),
            number::GEM_CREATE => argument::with(at, |made: &mut GemCreate| {
                let alignment = made.alignment.checked_next_multiple_of(PAGE);
                let alignment = alignment.ok_or(Errno::INVALID)?;
                let handle = file.create(made.size, made.domains, made.flags)?;
                let buffer = file.objects().buffers.get(handle)?.clone();
                // Drivers that import it ask whether texels of theirs may lie there.
                buffer.note(|notes| notes.alignment = alignment);
                made.size = handle.into();
                Ok(())
            }),
            number::GEM_MMAP => argument::with(at, |map: &mut HandleOrValue| {
                map.value = file.objects().map_offset(map.handle())?;
                Ok(())
            }),
            number::CTX => argument::with(at, |asked| context(file, asked)),
            number::BO_LIST => argument::with(at, |asked| list(file, asked)),
            number::CS => argument::with(at, |stream| submit::submit(file, stream)),
            number::GEM_METADATA => argument::with(at, |asked| metadata(file, asked)),
            number::GEM_WAIT_IDLE => argument::with(at, |asked: &mut WaitIdle| {
                file.objects().buffers.get(asked.words[0])?;
                asked.words = [0, DOMAIN_VRAM];
                Ok(())
            }),
            number::GEM_VA => argument::with(at, |asked| address(file, asked)),
            // What was submitted has run.
            number::WAIT_CS => argument::with(at, |asked: &mut WaitSubmission| {
                asked.status = 0;
                Ok(())
            }),
            number::WAIT_FENCES => argument::with(at, |asked: &mut WaitFences| {
                asked.fences = 1;
                Ok(())
            }),
            number::GEM_OP => argument::with(at, |asked| operation(file, asked)),
            number::GEM_USERPTR => argument::with(at, |asked: &mut Userptr| {
                asked.check()?;
                asked.handle = file.pin(asked.address, asked.bytes)?;
                Ok(())
            }),
            // Page tables and priorities are for chips that several programs share.
            number::VM | number::SCHED => Ok(()),
            number::FENCE_TO_HANDLE => argument::with(at, |asked: &mut FenceToHandle| {
                asked.handle = submit::fence(file, asked.what)?;
                Ok(())
            }),
            number => {
                tracing::warn!("ioctl {number:#x} of amdgpu_drm.h is refused");
                Err(Errno::INVALID)
            }
        }
    }
}

/// `DRM_IOCTL_AMDGPU_CTX`.
fn context(file: &File, asked: &mut Ctx) -> Answer {
    const ALLOC: u32 = 1;
    const FREE: u32 = 2;
    const QUERY_STATE: u32 = 3;
    const QUERY_STATE2: u32 = 4;
    const GET_STABLE_PSTATE: u32 = 5;
    const SET_STABLE_PSTATE: u32 = 6;
    /// `AMDGPU_CTX_*_RESET`.
    const GUILTY: u32 = 1;
    const INNOCENT: u32 = 2;
    /// `AMDGPU_CTX_QUERY2_FLAGS_*`.
    const RESET: u32 = 1;
    const RESET_BY_THIS: u32 = 4;
    let resets = file.machine().resets();
    let mut objects = file.objects();
    let (op, id) = (asked.op, asked.context);
    *asked = Ctx::zeroed();
    match op {
        ALLOC => {
            let made = Context {
                resets_before: resets,
                ..Context::default()
            };
            asked.op = objects.contexts.add(made);
        }
        FREE => {
            objects.contexts.remove(id)?;
        }
        QUERY_STATE => {
            let context = objects.contexts.get_mut(id)?;
            asked.context = context.failed;
            asked.priority = match resets - context.resets_before {
                0 => 0,
                _ if context.failed > context.told => GUILTY,
                _ => INNOCENT,
            };
            (context.resets_before, context.told) = (resets, context.failed);
        }
        QUERY_STATE2 => {
            let context = objects.contexts.get(id)?;
            let reset = if resets > context.resets_before {
                RESET
            } else {
                0
            };
            let by_this = if context.failed > 0 { RESET_BY_THIS } else { 0 };
            asked.op = reset | by_this;
        }
        GET_STABLE_PSTATE | SET_STABLE_PSTATE => {
            objects.contexts.get(id)?;
        }
        _ => return Err(Errno::INVALID),
    }
    Ok(())
}

/// `DRM_IOCTL_AMDGPU_BO_LIST`: buffers are always resident, so lists are handles.
fn list(file: &File, asked: &mut BoList) -> Answer {
    const CREATE: u32 = 0;
    const DESTROY: u32 = 1;
    const UPDATE: u32 = 2;
    let mut objects = file.objects();
    match asked.operation {
        CREATE => asked.operation = objects.lists.add(()),
        DESTROY => {
            objects.lists.remove(asked.handle)?;
            asked.operation = 0;
        }
        UPDATE => {
            objects.lists.get(asked.handle)?;
            asked.operation = asked.handle;
        }
        _ => return Err(Errno::INVALID),
    }
    Ok(())
}

/// `DRM_IOCTL_AMDGPU_GEM_METADATA`: how a buffer's texels lie, for whoever imports it.
fn metadata(file: &File, asked: &mut Metadata) -> Answer {
    const SET: u32 = 1;
    const GET: u32 = 2;
    let buffer = file.objects().buffers.get(asked.handle)?.clone();
    match asked.op {
        SET if asked.bytes as usize > size_of_val(&asked.data) => return Err(Errno::INVALID),
        SET => buffer.note(|notes| {
            notes.metadata_flags = asked.flags;
            notes.metadata_tiling = asked.tiling;
            notes.metadata_bytes = asked.bytes;
            notes.metadata = asked.data;
        }),
        GET => {
            let notes = buffer.notes();
            asked.flags = notes.metadata_flags;
            asked.tiling = notes.metadata_tiling;
            asked.bytes = notes.metadata_bytes;
            asked.data = notes.metadata;
        }
        _ => return Err(Errno::INVALID),
    }
    Ok(())
}

/// `DRM_IOCTL_AMDGPU_GEM_VA`: the driver chooses where the chip sees a part of a buffer.
fn address(file: &File, asked: &mut GemAddress) -> Answer {
    const MAP: u32 = 1;
    const UNMAP: u32 = 2;
    const CLEAR: u32 = 3;
    const REPLACE: u32 = 4;
    /// `AMDGPU_VM_PAGE_PRT`: pages without a buffer, which read as 0.
    const PRT: u32 = 1 << 4;
    let mut machine = file.machine();
    match asked.operation {
        MAP | REPLACE if asked.flags & PRT != 0 => machine.unmap(asked.address, asked.bytes),
        MAP | REPLACE => {
            if asked.address < FIRST_ADDRESS {
                return Err(Errno::INVALID);
            }
            let buffer = file.objects().buffers.get(asked.handle)?.clone();
            machine.map(asked.address, &buffer, asked.offset, asked.bytes)
        }
        UNMAP | CLEAR => machine.unmap(asked.address, asked.bytes),
        _ => Err(Errno::INVALID),
    }
}

/// `DRM_IOCTL_AMDGPU_GEM_OP`.
///
/// # Safety
///
/// The program says that there is room for a [`GemCreate`] where it says.
unsafe fn operation(file: &File, asked: &mut GemOp) -> Answer {
    const GET_GEM_CREATE_INFO: u32 = 0;
    const SET_PLACEMENT: u32 = 1;
    let buffer = file.objects().buffers.get(asked.handle)?.clone();
    match asked.op {
        GET_GEM_CREATE_INFO => {
            let notes = buffer.notes();
            let made = GemCreate {
                size: buffer.size(),
                alignment: notes.alignment.max(PAGE),
                domains: notes.domain,
                flags: notes.flags,
            };
            // SAFETY: as the caller says.
            unsafe { argument::store(asked.value, &[made])? };
        }
        SET_PLACEMENT => buffer.note(|notes| notes.domain = asked.value),
        _ => return Err(Errno::INVALID),
    }
    Ok(())
}
