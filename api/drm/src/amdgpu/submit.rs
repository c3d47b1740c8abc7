//! `DRM_IOCTL_AMDGPU_CS`: streams in buffers, and fences before and after them.

use std::os::fd::IntoRawFd;

use bytemuck::{Pod, Zeroable};

use crate::argument;
use crate::errno::{Answer, Errno};
use crate::file::File;
use crate::sync::{self, Fence};

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Submission {
    /// In: the context and its list of buffers. Out: the number of the submission.
    words: [u32; 2],
    chunks: u32,
    flags: u32,
    /// Addresses of chunks.
    at: u64,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Chunk {
    id: u32,
    words: u32,
    at: u64,
}

/// `AMDGPU_CHUNK_ID_*`.
mod chunk {
    pub(super) const STREAM: u32 = 1;
    pub(super) const FENCE: u32 = 2;
    pub(super) const DEPENDENCIES: u32 = 3;
    pub(super) const FENCES_IN: u32 = 4;
    pub(super) const FENCES_OUT: u32 = 5;
    pub(super) const BUFFERS: u32 = 6;
    pub(super) const SCHEDULED_DEPENDENCIES: u32 = 7;
    pub(super) const TIMELINES_IN: u32 = 8;
    pub(super) const TIMELINES_OUT: u32 = 9;
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Stream {
    pad: u32,
    flags: u32,
    address: u64,
    bytes: u32,
    engine: u32,
    instance: u32,
    ring: u32,
}

/// A counter in a buffer that takes the number of the submission.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct UserFence {
    handle: u32,
    offset: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Point {
    handle: u32,
    flags: u32,
    point: u64,
}

/// `AMDGPU_HW_IP_GFX`, `AMDGPU_HW_IP_COMPUTE`: both are the same command processor here.
const ENGINES: std::ops::RangeInclusive<u32> = 0..=1;
/// `AMDGPU_IB_FLAG_CE`: for the constant engine.
const CONSTANT_ENGINE: u32 = 1;

/// # Safety
///
/// The program says that chunks lie at the addresses that it gives.
pub(super) unsafe fn submit(file: &File, submission: &mut Submission) -> Answer {
    let context = submission.words[0];
    file.objects().contexts.get(context)?;
    let (mut streams, mut after, mut counters) = (Vec::new(), Vec::new(), Vec::new());
    // SAFETY: as the caller says.
    let chunks: Vec<u64> = unsafe { argument::list(submission.at, submission.chunks as usize)? };
    for at in chunks {
        // SAFETY: as the caller says, here and for what the chunks hold.
        unsafe {
            let chunk = argument::one::<Chunk>(at)?;
            let bytes = 4 * chunk.words as usize;
            let plain = || argument::list::<u32>(chunk.at, chunk.words as usize);
            let points = || argument::list::<Point>(chunk.at, bytes / size_of::<Point>());
            match chunk.id {
                chunk::STREAM if bytes >= size_of::<Stream>() => {
                    streams.push(argument::one::<Stream>(chunk.at)?);
                }
                chunk::FENCE if bytes >= size_of::<UserFence>() => {
                    counters.push(argument::one::<UserFence>(chunk.at)?);
                }
                // What was submitted before has run, and all buffers are resident.
                chunk::DEPENDENCIES | chunk::SCHEDULED_DEPENDENCIES | chunk::BUFFERS => {}
                chunk::FENCES_IN => {
                    wait(
                        file,
                        plain()?.into_iter().map(|handle| (handle, 1)).collect(),
                    )?;
                }
                chunk::TIMELINES_IN => {
                    let points = points()?.into_iter().map(|p| (p.handle, p.point));
                    wait(file, points.collect())?;
                }
                chunk::FENCES_OUT => after.extend(plain()?.into_iter().map(|handle| (handle, 1))),
                chunk::TIMELINES_OUT => {
                    after.extend(points()?.into_iter().map(|p| (p.handle, p.point)));
                }
                id => {
                    tracing::warn!("a chunk of kind {id} is refused");
                    return Err(Errno::INVALID);
                }
            }
        }
    }
    let done = run(file, &streams);
    let mut objects = file.objects();
    objects.submissions += 1;
    let number = objects.submissions;
    if done.is_err() {
        objects.contexts.get_mut(context)?.failed += 1;
    }
    // Fences are signalled after failures as well: nobody shall wait for what was cancelled.
    for (handle, point) in after {
        objects.fences.get(handle)?.signal(point.max(1));
    }
    for counter in counters {
        objects
            .buffers
            .get(counter.handle)?
            .store(counter.offset.into(), number)?;
    }
    submission.words = [number as u32, (number >> 32) as u32];
    done
}

fn run(file: &File, streams: &[Stream]) -> Answer {
    let mut machine = file.machine();
    for stream in streams {
        if !ENGINES.contains(&stream.engine) || stream.flags & CONSTANT_ENGINE != 0 {
            tracing::warn!("a stream for engine {} is refused", stream.engine);
            return Err(Errno::INVALID);
        }
        machine.execute(stream.address, u64::from(stream.bytes / 4))?;
    }
    Ok(())
}

/// Waits for what a submission waits for: another thread may still signal it.
fn wait(file: &File, points: Vec<(u32, u64)>) -> Answer {
    let objects = file.objects();
    let fences = points.into_iter().map(|(handle, point)| {
        let fence = objects.fences.get(handle)?;
        Ok((fence.clone(), point))
    });
    let fences: Vec<(Fence, u64)> = fences.collect::<Answer<_>>()?;
    drop(objects);
    sync::wait(&fences, true, true, i64::MAX).map(|_| ())
}

/// `DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE`: a fence of a submission, which has run.
pub(super) fn fence(file: &File, what: u32) -> Answer<u32> {
    const SYNCOBJ: u32 = 0;
    const SYNCOBJ_FILE: u32 = 1;
    const SYNC_FILE: u32 = 2;
    let fence = Fence::new(1)?;
    Ok(match what {
        SYNCOBJ => file.objects().fences.add(fence),
        SYNCOBJ_FILE => fence.export()?.into_raw_fd() as u32,
        SYNC_FILE => sync::signalled_file()?.into_raw_fd() as u32,
        _ => return Err(Errno::INVALID),
    })
}
