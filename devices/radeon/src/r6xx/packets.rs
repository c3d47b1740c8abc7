//! Opcodes and events that R600 and Southern Islands share. [PM4 packets]

pub use crate::packets::{NOP, Packet, header};

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
