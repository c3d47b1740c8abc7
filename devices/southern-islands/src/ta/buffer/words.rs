//! Stores of a word a lane to buffers of bytes and to rings, whose records are those of the lanes: what shaders around
//! the geometry stage and streams do. Everything else goes lane by lane, and is what this must agree with.

use lanes::Wave;
use silicon::Memory;

use super::{BufferResource, LANES, Operands, lanes_of};

/// Such a store.
pub(super) struct Words {
    base: u64,
    /// Bytes that offsets stay below, with their word.
    bound: u64,
    /// Bytes between words of a record, and between runs of records; none of a buffer of bytes.
    ring: Option<(u64, u64)>,
}

impl Words {
    /// Nothing where it is another, or a word may lie outside of video memory.
    pub fn new(
        ops: &Operands,
        buffer: &BufferResource,
        soffset: u32,
        memory: &Memory,
    ) -> Option<Words> {
        let base = buffer.base_address + u64::from(soffset);
        let stride = u64::from(buffer.stride);
        if ops.addr64 || ops.idxen || ops.tfe || ops.lds || !base.is_multiple_of(4) {
            return None;
        }
        let (words, span) = match (buffer.swizzle_enable, buffer.add_tid_enable) {
            (false, false) if stride == 0 => {
                let bound = u64::from(buffer.num_records.saturating_sub(soffset));
                let bytes = Words {
                    base,
                    bound: (bound + 1).saturating_sub(4),
                    ring: None,
                };
                (bytes, bound)
            }
            (true, true) if buffer.element_size == 1 && stride > 0 => {
                let records = 8u64 << buffer.index_stride;
                let own = buffer.num_records as usize >= LANES && stride.is_multiple_of(4);
                let ring = Words {
                    base,
                    bound: stride,
                    ring: Some((records, records * stride)),
                };
                (own.then_some(ring)?, LANES as u64 * stride)
            }
            _ => return None,
        };
        (base.checked_add(span)? <= memory.size()).then_some(words)
    }

    /// Stores the words of the lanes in `exec`.
    pub fn store(&self, ops: &Operands, exec: u64, wave: &Wave, memory: &Memory) {
        const NONE: &[u32; LANES] = &[0; LANES];
        let data = &wave.rows[ops.vdata].0;
        let offsets = match ops.offen {
            true => &wave.rows[ops.vaddr & 255].0,
            false => NONE,
        };
        if exec == u64::MAX && offsets.iter().fold(0, |all, at| all | (at ^ offsets[0])) == 0 {
            let offset = u64::from(offsets[0]) + u64::from(ops.offset);
            if self.store_runs(offset, data, memory) {
                return;
            }
        }
        let mut put = |lane: usize| {
            let offset = u64::from(offsets[lane]) + u64::from(ops.offset);
            if offset >= self.bound {
                return;
            }
            let word = offset & !3;
            let at = match self.ring {
                None => word,
                Some((records, run)) => {
                    let lane = lane as u64;
                    let (im, il) = (lane / records, lane % records);
                    im * run + word * records + 4 * il
                }
            };
            let done = memory.store(self.base + at, data[lane]);
            debug_assert!(done.is_some(), "the whole buffer lies in memory");
        };
        match exec {
            u64::MAX => (0..LANES).for_each(&mut put),
            _ => lanes_of(exec).for_each(put),
        }
    }

    /// Stores a word at one offset of the records of all lanes, which lie side by side in runs; says whether they do.
    fn store_runs(&self, offset: u64, data: &[u32; LANES], memory: &Memory) -> bool {
        let Some((records, run)) = self.ring else {
            return false;
        };
        if offset >= self.bound {
            return true;
        }
        let first = self.base + (offset & !3) * records;
        match records {
            64 => memory.store_row(first, data).is_ok(),
            16 => {
                let (runs, _) = data.as_chunks::<16>();
                let mut at = (first..).step_by(run as usize).zip(runs);
                at.all(|(at, words)| memory.store_block(at, words).is_ok())
            }
            _ => false,
        }
    }
}
