//! Ioctls of the kernel's `radeon`. [`radeon_drm.h`]

mod info;
mod r300;
mod r600;
mod submit;

use std::ffi::c_void;

use bytemuck::{Pod, Zeroable};

use crate::argument;
use crate::buffer::DOMAIN_VRAM;
use crate::card::Addressing;
use crate::errno::{Answer, Errno};
use crate::file::File;
use crate::machine::FIRST_ADDRESS;
use crate::pinned::Userptr;

pub(crate) use info::{CLOCK_KHZ, ticks};

/// Bytes of video memory, and of the machine's that the chip reaches.
const VRAM_BYTES: u64 = 1 << 29;

/// Numbers of `radeon_drm.h`.
mod number {
    pub(super) const GEM_INFO: u32 = 0x1c;
    pub(super) const GEM_CREATE: u32 = 0x1d;
    pub(super) const GEM_MMAP: u32 = 0x1e;
    pub(super) const GEM_SET_DOMAIN: u32 = 0x23;
    pub(super) const GEM_WAIT_IDLE: u32 = 0x24;
    pub(super) const CS: u32 = 0x26;
    pub(super) const INFO: u32 = 0x27;
    pub(super) const GEM_SET_TILING: u32 = 0x28;
    pub(super) const GEM_GET_TILING: u32 = 0x29;
    pub(super) const GEM_BUSY: u32 = 0x2a;
    pub(super) const GEM_VA: u32 = 0x2b;
    pub(super) const GEM_OP: u32 = 0x2c;
    pub(super) const GEM_USERPTR: u32 = 0x2d;
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct GemInfo {
    gart_size: u64,
    vram_size: u64,
    vram_visible: u64,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct GemCreate {
    size: u64,
    alignment: u64,
    handle: u32,
    domain: u32,
    flags: u32,
    pad: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct GemMap {
    handle: u32,
    pad: u32,
    offset: u64,
    size: u64,
    at: u64,
}

/// `drm_radeon_gem_set_tiling` and `drm_radeon_gem_get_tiling`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct GemTiling {
    handle: u32,
    tiling: u32,
    pitch: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct GemBusy {
    handle: u32,
    domain: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct GemAddress {
    handle: u32,
    operation: u32,
    vm: u32,
    flags: u32,
    offset: u64,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct GemOp {
    handle: u32,
    op: u32,
    value: u64,
}

/// Answers an ioctl of `radeon`, by its number behind `DRM_COMMAND_BASE`.
///
/// # Safety
///
/// `at` is what the program gave as the argument of this request.
pub(crate) unsafe fn ioctl(file: &File, number: u32, at: *mut c_void) -> Answer {
    // SAFETY: the structures are those of the numbers, and lie where the program says.
    unsafe {
        match number {
            number::INFO => argument::with(at, |asked| info::info(file, asked)),
            number::GEM_INFO => argument::with(at, |info: &mut GemInfo| {
                *info = GemInfo {
                    gart_size: VRAM_BYTES,
                    vram_size: VRAM_BYTES,
                    vram_visible: VRAM_BYTES,
                };
                Ok(())
            }),
            number::GEM_CREATE => argument::with(at, |made: &mut GemCreate| {
                made.handle = file.create(made.size, made.domain.into(), made.flags.into())?;
                Ok(())
            }),
            number::GEM_MMAP => argument::with(at, |map: &mut GemMap| {
                let first = file.objects().map_offset(map.handle)?;
                map.at = first.checked_add(map.offset).ok_or(Errno::INVALID)?;
                Ok(())
            }),
            // What was submitted has run, and the pages are where they are.
            number::GEM_SET_DOMAIN | number::GEM_WAIT_IDLE => {
                argument::with(at, |asked: &mut GemBusy| {
                    file.objects().buffers.get(asked.handle).map(|_| ())
                })
            }
            number::GEM_BUSY => argument::with(at, |asked: &mut GemBusy| {
                file.objects().buffers.get(asked.handle)?;
                asked.domain = DOMAIN_VRAM;
                Ok(())
            }),
            number::GEM_SET_TILING => argument::with(at, |set: &mut GemTiling| {
                file.objects().buffers.get(set.handle)?.note(|notes| {
                    notes.tiling = set.tiling;
                    notes.pitch = set.pitch;
                });
                Ok(())
            }),
            number::GEM_GET_TILING => argument::with(at, |get: &mut GemTiling| {
                let notes = file.objects().buffers.get(get.handle)?.notes();
                (get.tiling, get.pitch) = (notes.tiling, notes.pitch);
                Ok(())
            }),
            number::GEM_VA => argument::with(at, |asked| address(file, asked)),
            number::GEM_OP => argument::with(at, |asked: &mut GemOp| {
                let buffer = file.objects().buffers.get(asked.handle)?.clone();
                match asked.op {
                    0 => asked.value = buffer.notes().domain,
                    1 => buffer.note(|notes| notes.domain = asked.value),
                    _ => return Err(Errno::INVALID),
                }
                Ok(())
            }),
            number::GEM_USERPTR => argument::with(at, |asked: &mut Userptr| {
                asked.check()?;
                asked.handle = file.pin(asked.address, asked.bytes)?;
                Ok(())
            }),
            number::CS => argument::with(at, |stream| submit::submit(file, stream)),
            number => {
                tracing::warn!("ioctl {number:#x} of radeon_drm.h is refused");
                Err(Errno::INVALID)
            }
        }
    }
}

/// `DRM_IOCTL_RADEON_GEM_VA`: the driver chooses where the chip sees a buffer.
fn address(file: &File, asked: &mut GemAddress) -> Answer {
    const MAP: u32 = 1;
    const UNMAP: u32 = 2;
    const OK: u32 = 0;
    const ERROR: u32 = 1;
    const EXISTS: u32 = 2;
    if file.card.addressing != Addressing::Virtual {
        return Err(Errno::NOT_A_TTY);
    }
    let mut machine = file.machine();
    let buffer = file.objects().buffers.get(asked.handle)?.clone();
    let operation = std::mem::replace(&mut asked.operation, ERROR);
    match (operation, machine.address(&buffer)) {
        (MAP, Some(at)) if at != asked.offset => {
            asked.operation = EXISTS;
            asked.offset = at;
            return Ok(());
        }
        (MAP, Some(_)) => {}
        (MAP, None) => {
            if asked.offset < FIRST_ADDRESS {
                return Err(Errno::INVALID);
            }
            machine.map(asked.offset, &buffer, 0, buffer.size())?;
        }
        (UNMAP, _) => machine.forget(&buffer),
        _ => return Err(Errno::INVALID),
    }
    asked.operation = OK;
    Ok(())
}
