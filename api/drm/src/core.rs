//! Ioctls that all drivers of the kernel have: versions, handles, files, fences. [`drm.h`]

use std::ffi::c_void;
use std::os::fd::{AsFd, IntoRawFd};

use bytemuck::{Pod, Zeroable};

use crate::argument;
use crate::buffer::Buffer;
use crate::card::Interface;
use crate::errno::{Answer, Errno};
use crate::file::File;
use crate::sync::{self, Fence};
use crate::tree::BUS;
use crate::{amdgpu, radeon};

/// Numbers of `drm.h`.
mod number {
    pub(super) const VERSION: u32 = 0x00;
    pub(super) const GET_UNIQUE: u32 = 0x01;
    pub(super) const GET_CLIENT: u32 = 0x05;
    pub(super) const SET_VERSION: u32 = 0x07;
    pub(super) const GEM_CLOSE: u32 = 0x09;
    pub(super) const GEM_FLINK: u32 = 0x0a;
    pub(super) const GEM_OPEN: u32 = 0x0b;
    pub(super) const GET_CAP: u32 = 0x0c;
    pub(super) const SET_CLIENT_CAP: u32 = 0x0d;
    pub(super) const PRIME_HANDLE_TO_FD: u32 = 0x2d;
    pub(super) const PRIME_FD_TO_HANDLE: u32 = 0x2e;
    /// First and behind the last of the driver's own.
    pub(super) const COMMANDS: std::ops::Range<u32> = 0x40..0xa0;
    pub(super) const SYNCOBJ_CREATE: u32 = 0xbf;
    pub(super) const SYNCOBJ_DESTROY: u32 = 0xc0;
    pub(super) const SYNCOBJ_HANDLE_TO_FD: u32 = 0xc1;
    pub(super) const SYNCOBJ_FD_TO_HANDLE: u32 = 0xc2;
    pub(super) const SYNCOBJ_WAIT: u32 = 0xc3;
    pub(super) const SYNCOBJ_RESET: u32 = 0xc4;
    pub(super) const SYNCOBJ_SIGNAL: u32 = 0xc5;
    pub(super) const SYNCOBJ_TIMELINE_WAIT: u32 = 0xca;
    pub(super) const SYNCOBJ_QUERY: u32 = 0xcb;
    pub(super) const SYNCOBJ_TRANSFER: u32 = 0xcc;
    pub(super) const SYNCOBJ_TIMELINE_SIGNAL: u32 = 0xcd;
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Text {
    len: u64,
    at: u64,
}

impl Text {
    /// Writes as much of a text as there is room for, and its length.
    ///
    /// # Safety
    ///
    /// The program says that there is room for `len` bytes.
    unsafe fn put(&mut self, text: &str) -> Answer {
        let room = text.len().min(self.len as usize);
        if self.at != 0 {
            // SAFETY: as the caller says.
            unsafe { argument::store(self.at, &text.as_bytes()[..room])? };
        }
        self.len = text.len() as u64;
        Ok(())
    }
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Version {
    version: [i32; 3],
    pad: u32,
    name: Text,
    date: Text,
    description: Text,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Client {
    index: i32,
    authenticated: i32,
    process: u64,
    user: u64,
    magic: u64,
    ioctls: u64,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Capability {
    capability: u64,
    value: u64,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Close {
    handle: u32,
    pad: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Prime {
    handle: u32,
    flags: u32,
    file: i32,
}

/// `drm_syncobj_create` and `drm_syncobj_destroy`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct FenceHandle {
    handle: u32,
    flags: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct FenceFile {
    handle: u32,
    flags: u32,
    file: i32,
    pad: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Wait {
    handles: u64,
    until: i64,
    count: u32,
    flags: u32,
    first: u32,
    pad: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct TimelineWait {
    handles: u64,
    points: u64,
    until: i64,
    count: u32,
    flags: u32,
    first: u32,
    pad: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct FenceList {
    handles: u64,
    count: u32,
    pad: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Timeline {
    handles: u64,
    points: u64,
    count: u32,
    flags: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Transfer {
    from: u32,
    to: u32,
    from_point: u64,
    to_point: u64,
    flags: u32,
    pad: u32,
}

/// `DRM_SYNCOBJ_CREATE_SIGNALED`.
const CREATE_SIGNALLED: u32 = 1;
/// Of both conversions: a `sync_file` instead of the fence itself.
const SYNC_FILE: u32 = 1;
/// `DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL`, `WAIT_FOR_SUBMIT`.
const WAIT_ALL: u32 = 1;
const WAIT_FOR_SUBMIT: u32 = 2;

/// Answers an ioctl of an opened node.
///
/// # Safety
///
/// `at` is what the program gave as the argument of this request.
pub(crate) unsafe fn ioctl(file: &File, request: u64, at: *mut c_void) -> Answer {
    let number = request as u32 & 0xff;
    if request >> 8 & 0xff != u64::from(b'd') {
        return Err(Errno::NOT_A_TTY);
    }
    if number::COMMANDS.contains(&number) {
        let own = number - number::COMMANDS.start;
        // SAFETY: as the caller says.
        return unsafe {
            match file.card.interface {
                Interface::Radeon => radeon::ioctl(file, own, at),
                Interface::Amdgpu => amdgpu::ioctl(file, own, at),
            }
        };
    }
    // SAFETY: the structures are those of the numbers, and lie where the program says; so do what they point at.
    unsafe {
        match number {
            number::VERSION => argument::with(at, |version: &mut Version| {
                let interface = file.card.interface;
                version.version = interface.version();
                version.name.put(interface.name())?;
                version.date.put("20150101")?;
                version.description.put("girih")
            }),
            number::GET_UNIQUE => {
                argument::with(at, |text: &mut Text| text.put(&format!("pci:{BUS}")))
            }
            number::GET_CLIENT => argument::with(at, |client: &mut Client| {
                client.authenticated = 1;
                client.process = u64::from(std::process::id());
                Ok(())
            }),
            number::SET_VERSION | number::SET_CLIENT_CAP => Ok(()),
            number::GEM_CLOSE => argument::with(at, |close: &mut Close| file.close(close.handle)),
            // Names for every process are not for render nodes.
            number::GEM_FLINK | number::GEM_OPEN => Err(Errno::NOT_ALLOWED),
            number::GET_CAP => argument::with(at, |asked| capability(file, asked)),
            number::PRIME_HANDLE_TO_FD => argument::with(at, |prime: &mut Prime| {
                let exported = file.objects().buffers.get(prime.handle)?.export()?;
                prime.file = exported.into_raw_fd();
                Ok(())
            }),
            number::PRIME_FD_TO_HANDLE => argument::with(at, |prime: &mut Prime| {
                let copy = sync::opened(prime.file)?;
                let buffer = Buffer::import(copy.as_fd())?;
                prime.handle = file.import(buffer)?;
                Ok(())
            }),
            number => fence(file, number, at),
        }
    }
}

fn capability(file: &File, asked: &mut Capability) -> Answer {
    const PRIME: u64 = 5;
    const TIMESTAMP_MONOTONIC: u64 = 6;
    const SYNCOBJ: u64 = 0x13;
    const SYNCOBJ_TIMELINE: u64 = 0x14;
    asked.value = match asked.capability {
        // Import and export.
        PRIME => 3,
        TIMESTAMP_MONOTONIC => 1,
        SYNCOBJ | SYNCOBJ_TIMELINE => u64::from(file.card.interface == Interface::Amdgpu),
        // What displays have.
        _ => 0,
    };
    Ok(())
}

/// The fences of handles.
///
/// # Safety
///
/// The program says that `count` handles lie at `at`.
unsafe fn fences(file: &File, at: u64, count: u32) -> Answer<Vec<Fence>> {
    // SAFETY: as the caller says.
    let handles: Vec<u32> = unsafe { argument::list(at, count as usize)? };
    let objects = file.objects();
    let fences = handles.iter().map(|handle| objects.fences.get(*handle));
    fences.map(|fence| fence.cloned()).collect()
}

/// Ioctls of fences.
///
/// # Safety
///
/// As [`ioctl`].
unsafe fn fence(file: &File, number: u32, at: *mut c_void) -> Answer {
    // SAFETY: as in `ioctl`.
    unsafe {
        match number {
            number::SYNCOBJ_CREATE => argument::with(at, |made: &mut FenceHandle| {
                let fence = Fence::new(u64::from(made.flags & CREATE_SIGNALLED))?;
                made.handle = file.objects().fences.add(fence);
                Ok(())
            }),
            number::SYNCOBJ_DESTROY => argument::with(at, |gone: &mut FenceHandle| {
                file.objects().fences.remove(gone.handle).map(|_| ())
            }),
            number::SYNCOBJ_HANDLE_TO_FD => argument::with(at, |given: &mut FenceFile| {
                let fence = file.objects().fences.get(given.handle)?.clone();
                given.file = if given.flags & SYNC_FILE == 0 {
                    fence.export()?
                } else if fence.point() == 0 {
                    // Nothing was submitted that could signal.
                    return Err(Errno::INVALID);
                } else {
                    sync::signalled_file()?
                }
                .into_raw_fd();
                Ok(())
            }),
            number::SYNCOBJ_FD_TO_HANDLE => argument::with(at, |given: &mut FenceFile| {
                let copy = sync::opened(given.file)?;
                if given.flags & SYNC_FILE == 0 {
                    given.handle = file.objects().fences.add(Fence::import(copy.as_fd())?);
                    Ok(())
                } else {
                    // Every `sync_file` is signalled.
                    file.objects().fences.get(given.handle)?.signal(1);
                    Ok(())
                }
            }),
            number::SYNCOBJ_WAIT => argument::with(at, |asked: &mut Wait| {
                let fences = fences(file, asked.handles, asked.count)?;
                let fences: Vec<(Fence, u64)> = fences.into_iter().map(|f| (f, 1)).collect();
                asked.first = wait(&fences, asked.flags, asked.until)?;
                Ok(())
            }),
            number::SYNCOBJ_TIMELINE_WAIT => argument::with(at, |asked: &mut TimelineWait| {
                let fences = fences(file, asked.handles, asked.count)?;
                let points: Vec<u64> = argument::list(asked.points, asked.count as usize)?;
                let fences: Vec<(Fence, u64)> = fences.into_iter().zip(points).collect();
                asked.first = wait(&fences, asked.flags, asked.until)?;
                Ok(())
            }),
            number::SYNCOBJ_RESET | number::SYNCOBJ_SIGNAL => {
                argument::with(at, |asked: &mut FenceList| {
                    for fence in fences(file, asked.handles, asked.count)? {
                        fence.set(u64::from(number == number::SYNCOBJ_SIGNAL));
                    }
                    Ok(())
                })
            }
            number::SYNCOBJ_QUERY => argument::with(at, |asked: &mut Timeline| {
                let fences = fences(file, asked.handles, asked.count)?;
                let points: Vec<u64> = fences.iter().map(Fence::point).collect();
                argument::store(asked.points, &points)
            }),
            number::SYNCOBJ_TIMELINE_SIGNAL => argument::with(at, |asked: &mut Timeline| {
                let fences = fences(file, asked.handles, asked.count)?;
                let points: Vec<u64> = argument::list(asked.points, asked.count as usize)?;
                for (fence, point) in fences.iter().zip(points) {
                    fence.signal(point);
                }
                Ok(())
            }),
            number::SYNCOBJ_TRANSFER => argument::with(at, |asked: &mut Transfer| {
                let objects = file.objects();
                let (from, to) = (
                    objects.fences.get(asked.from)?,
                    objects.fences.get(asked.to)?,
                );
                if from.point() < asked.from_point.max(1) {
                    return Err(Errno::INVALID);
                }
                to.signal(asked.to_point.max(1));
                Ok(())
            }),
            number => {
                tracing::warn!("ioctl {number:#x} of drm.h is refused");
                Err(Errno::INVALID)
            }
        }
    }
}

fn wait(fences: &[(Fence, u64)], flags: u32, until: i64) -> Answer<u32> {
    let (all, submitted) = (flags & WAIT_ALL != 0, flags & WAIT_FOR_SUBMIT != 0);
    sync::wait(fences, all, submitted, until)
}
