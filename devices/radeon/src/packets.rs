//! PM4 packets: headers, opcodes and the packets that the ATI command processors execute alike. [PM4 packets]
//!
//! [`read`] cuts a stream into packets; [`Processor`] is what a chip brings to run them.

mod processor;

pub use processor::Processor;

use std::ops::Range;

use silicon::gpu::Trap;
use silicon::memory::{Addr, Memory};

/// NOP: anything.
pub const NOP: u8 = 0x10;
/// DRAW_INDEX_2: largest number of indices, address low, high, count, initiator.
pub const DRAW_INDEX_2: u8 = 0x27;
/// CONTEXT_CONTROL: load enables, shadow enables.
pub const CONTEXT_CONTROL: u8 = 0x28;
/// INDEX_TYPE: 0 for 16-bit, 1 for 32-bit.
pub const INDEX_TYPE: u8 = 0x2a;
/// DRAW_INDEX_AUTO: count, initiator.
pub const DRAW_INDEX_AUTO: u8 = 0x2d;
/// NUM_INSTANCES: count.
pub const NUM_INSTANCES: u8 = 0x2f;
/// INDIRECT_BUFFER: address low, high, words in bits 19:0.
pub const INDIRECT_BUFFER: u8 = 0x32;
/// WAIT_REG_MEM: function, address low, high, reference, mask, interval.
pub const WAIT_REG_MEM: u8 = 0x3c;
/// CP_DMA: source low, control and source high, destination low, high, bytes in bits 20:0.
pub const CP_DMA: u8 = 0x41;
/// SURFACE_SYNC: caches, size, base, interval.
pub const SURFACE_SYNC: u8 = 0x43;
/// EVENT_WRITE: event in bits 5:0, index in bits 11:8; address low, high for counters.
pub const EVENT_WRITE: u8 = 0x46;
/// EVENT_WRITE_EOP: event, address low, selection and address high, data low, high.
pub const EVENT_WRITE_EOP: u8 = 0x47;
/// SET_CONFIG_REG: word offset in the configuration space, values.
pub const SET_CONFIG_REG: u8 = 0x68;
/// SET_CONTEXT_REG: word offset in the context space, values.
pub const SET_CONTEXT_REG: u8 = 0x69;

/// Source of a draw's indices: VGT_DRAW_INITIATOR.SOURCE_SELECT.
pub mod source {
    /// An index buffer.
    pub const DMA: u32 = 0;
    /// The packet.
    pub const IMMEDIATE: u32 = 1;
    /// Counting.
    pub const AUTO_INDEX: u32 = 2;
}

/// Events. Those that name no counter only wait, and everything is finished before the next packet.
pub mod event {
    /// Flush with time stamp.
    pub const CACHE_FLUSH_TS: u32 = 4;
    /// Flush.
    pub const CACHE_FLUSH: u32 = 6;
    /// Wait for vertex work.
    pub const VS_PARTIAL_FLUSH: u32 = 15;
    /// Wait for pixel work.
    pub const PS_PARTIAL_FLUSH: u32 = 16;
    /// Flush and invalidate, with time stamp.
    pub const CACHE_FLUSH_AND_INV_TS: u32 = 20;
    /// Write the counters of passed samples.
    pub const ZPASS_DONE: u32 = 21;
    /// Flush and invalidate.
    pub const CACHE_FLUSH_AND_INV: u32 = 22;
    /// Write the pipeline statistics counters.
    pub const SAMPLE_PIPELINESTAT: u32 = 30;
    /// Time stamp at the end of the pipe.
    pub const BOTTOM_OF_PIPE_TS: u32 = 40;
}

/// The header of a type 3 packet with `payload` words after it, at least one.
pub const fn header(opcode: u8, payload: u32) -> u32 {
    3 << 30 | (payload - 1) << 16 | (opcode as u32) << 8
}

/// One packet of type 0 or 3: where it is and its payload.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    /// Name of the chip.
    pub chip: &'static str,
    /// Byte address of the header.
    pub address: u64,
    /// The header.
    pub header: u32,
    /// The words after it.
    pub payload: &'a [u32],
}

impl Packet<'_> {
    /// What is wrong with it.
    pub fn trap(&self, reason: impl Into<String>) -> Trap {
        Trap {
            chip: self.chip,
            address: self.address,
            word: self.header,
            reason: reason.into(),
        }
    }

    /// Opcode of a type 3 packet.
    pub fn opcode(&self) -> u8 {
        (self.header >> 8) as u8
    }

    /// Payload word `n`.
    pub fn word(&self, n: usize) -> Result<u32, Trap> {
        self.payload.get(n).copied().ok_or_else(|| {
            self.trap(format!(
                "packet {:#04x} has {} words and needs {}",
                self.opcode(),
                self.payload.len(),
                n + 1
            ))
        })
    }

    /// A 48-bit address in words `n` and `n + 1`.
    pub fn address(&self, n: usize) -> Result<u64, Trap> {
        Ok(u64::from(self.word(n)?) | u64::from(self.word(n + 1)? & 0xffff) << 32)
    }
}

/// Reads the packet at `at` of a stream that ends at `end`; its payload goes to `payload`. Returns header and the
/// address after the packet.
pub(crate) fn read(
    chip: &'static str,
    memory: &Memory,
    stream: &Range<Addr>,
    at: u64,
    payload: &mut Vec<u32>,
) -> Result<(u32, u64), Trap> {
    let trap = |word: u32, reason: String| Trap {
        chip,
        address: at,
        word,
        reason,
    };
    if !at.is_multiple_of(4) {
        return Err(trap(0, "the command stream is not dword aligned".into()));
    }
    let Some(header) = memory.load(at) else {
        return Err(trap(0, "the command stream leaves video memory".into()));
    };
    let words = match header >> 30 {
        2 => 0,
        0 | 3 => u64::from((header >> 16 & 0x3fff) + 1),
        _ => return Err(trap(header, "there are no type 1 packets".into())),
    };
    let end = at + 4 + 4 * words;
    if end > stream.end.0 || end > memory.size() {
        let reason = format!("a packet of {words} words leaves the stream");
        return Err(trap(header, reason));
    }
    payload.clear();
    payload.extend((0..words).map(|n| memory.load(at + 4 + 4 * n).unwrap_or(0)));
    Ok((header, end))
}
