//! `DRM_IOCTL_RADEON_CS`: a command stream and the buffers that it names.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::{r300, r600};
use crate::argument;
use crate::buffer::Buffer;
use crate::card::Addressing;
use crate::errno::{Answer, Errno};
use crate::file::File;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Stream {
    chunks: u32,
    id: u32,
    /// Addresses of chunks.
    at: u64,
    gart_limit: u64,
    vram_limit: u64,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Chunk {
    id: u32,
    words: u32,
    at: u64,
}

const CHUNK_RELOCATIONS: u32 = 1;
const CHUNK_STREAM: u32 = 2;
const CHUNK_FLAGS: u32 = 3;

/// `RADEON_CS_KEEP_TILING_FLAGS`.
const KEEP_TILING: u32 = 1;
/// `RADEON_CS_RING_*`.
const RING_GRAPHICS: u32 = 0;
const RING_COMPUTE: u32 = 1;

/// Words of `drm_radeon_cs_reloc`, of which the first is the handle.
const RELOCATION_WORDS: usize = 4;

/// A buffer that a stream names, and where the chip sees it.
pub(super) struct Named {
    pub(super) address: u64,
    pub(super) size: u64,
    /// `RADEON_TILING_*`.
    pub(super) tiling: u32,
}

/// Buffers that a stream names by numbers in its NOP packets.
pub(super) struct Relocations {
    named: Vec<Named>,
    /// Whether the stream says itself how its surfaces are tiled.
    pub(super) keep_tiling: bool,
}

impl Relocations {
    /// The buffer that the payload of a NOP packet names.
    pub(super) fn named(&self, word: u32) -> Answer<&Named> {
        let at = word as usize;
        if !at.is_multiple_of(RELOCATION_WORDS) {
            return Err(Errno::INVALID);
        }
        self.named.get(at / RELOCATION_WORDS).ok_or(Errno::INVALID)
    }
}

/// # Safety
///
/// The program says that chunks lie at the addresses that it gives.
pub(super) unsafe fn submit(file: &File, stream: &mut Stream) -> Answer {
    let (mut words, mut handles, mut flags) = (Vec::new(), Vec::new(), [0; 3]);
    // SAFETY: as the caller says.
    let chunks: Vec<u64> = unsafe { argument::list(stream.at, stream.chunks as usize)? };
    for at in chunks {
        // SAFETY: as the caller says.
        let chunk = unsafe { argument::one::<Chunk>(at)? };
        // SAFETY: as the caller says.
        let content: Vec<u32> = unsafe { argument::list(chunk.at, chunk.words as usize)? };
        match chunk.id {
            CHUNK_STREAM => words = content,
            CHUNK_RELOCATIONS => {
                let named = content.chunks_exact(RELOCATION_WORDS).map(|named| named[0]);
                handles = named.collect();
            }
            CHUNK_FLAGS => {
                for (flag, word) in flags.iter_mut().zip(content) {
                    *flag = word;
                }
            }
            _ => return Err(Errno::INVALID),
        }
    }
    if !matches!(flags[1], RING_GRAPHICS | RING_COMPUTE) {
        tracing::warn!("a stream for ring {} is refused", flags[1]);
        return Err(Errno::INVALID);
    }
    let mut machine = file.machine();
    let objects = file.objects();
    let buffers = handles
        .iter()
        .map(|handle| objects.buffers.get(*handle).cloned());
    let buffers: Vec<Arc<Buffer>> = buffers.collect::<Answer<_>>()?;
    drop(objects);
    if file.card.addressing != Addressing::Virtual {
        let named = buffers.iter().map(|buffer| {
            Ok(Named {
                address: machine.address(buffer).ok_or(Errno::INVALID)?,
                size: buffer.size(),
                tiling: buffer.notes().tiling,
            })
        });
        let relocations = Relocations {
            named: named.collect::<Answer<_>>()?,
            keep_tiling: flags[0] & KEEP_TILING != 0,
        };
        let patched = match file.card.addressing {
            Addressing::R300 => r300::patch(&mut words, &relocations),
            _ => r600::patch(&mut words, &relocations),
        };
        patched.inspect_err(|_| tracing::error!("a stream names what it does not have"))?;
    }
    machine.execute_copy(&words)
}
