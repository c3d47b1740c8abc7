//! Packets and events that R600 and Southern Islands share. [PM4 packets]

use super::predication::PredicationControl;
use super::regs::{CONFIG_START, CONTEXT, VGT_DRAW_INITIATOR};

pub use crate::packets::{NOP, Packet, SHARED_PACKETS, header};

#[rustfmt::skip]
crate::packets! {
    pub FAMILY_PACKETS:
    SET_PREDICATION = 0x20 "address low, operation and address high"
        [Word("START_ADDRESS_LO"), Fields("CONTROL", PredicationControl::FIELDS)];
    DRAW_INDEX_2 = 0x27 "largest number of indices, address, count, initiator"
        [Word("MAX_SIZE"), Address("INDEX_BASE"), Word("INDEX_COUNT"), Register(VGT_DRAW_INITIATOR)];
    CONTEXT_CONTROL = 0x28 "load enables, shadow enables" [Word("LOAD_ENABLE"), Word("SHADOW_ENABLE")];
    INDEX_TYPE = 0x2a "0 for 16-bit, 1 for 32-bit" [Word("INDEX_TYPE")];
    DRAW_INDEX_AUTO = 0x2d "count, initiator" [Word("INDEX_COUNT"), Register(VGT_DRAW_INITIATOR)];
    NUM_INSTANCES = 0x2f "count" [Word("NUM_INSTANCES")];
    INDIRECT_BUFFER = 0x32 "address, words in bits 19:0" [Stream];
    STRMOUT_BUFFER_UPDATE = 0x34 "control, address of what is stored, offset or its address"
        [Fields("CONTROL", StreamControl::FIELDS), Address("DST_ADDR"), Address("SRC_ADDR")];
    WAIT_REG_MEM = 0x3c "function, address, reference, mask, interval"
        [Fields("CONTROL", WaitControl::FIELDS), Address("POLL_ADDRESS"), Word("REFERENCE"), Word("MASK"),
         Word("POLL_INTERVAL")];
    CP_DMA = 0x41 "source low, control and source high, destination, bytes in bits 20:0"
        [Word("SRC_ADDR_LO"), Fields("CONTROL", DmaControl::FIELDS), Address("DST_ADDR"),
         Fields("COMMAND", DmaCommand::FIELDS)];
    SURFACE_SYNC = 0x43 "caches, size, base, interval"
        [Word("CP_COHER_CNTL"), Word("CP_COHER_SIZE"), Word("CP_COHER_BASE"), Word("POLL_INTERVAL")];
    EVENT_WRITE = 0x46 "event; address for counters"
        [Fields("EVENT", EventWord::FIELDS), Optional(&Address("ADDRESS"))];
    EVENT_WRITE_EOP = 0x47 "event, address low, selection and address high, data low, high"
        [Fields("EVENT", EventWord::FIELDS), Word("ADDRESS_LO"), Fields("CONTROL", EopControl::FIELDS), Word("DATA_LO"),
         Word("DATA_HI")];
    SET_CONFIG_REG = 0x68 "word offset in the configuration space, values" [Set(CONFIG_START)];
    SET_CONTEXT_REG = 0x69 "word offset in the context space, values" [Set(CONTEXT.start)];
}

isa::word! {
    /// First word of EVENT_WRITE and EVENT_WRITE_EOP; values of EVENT_TYPE in [`event`].
    pub struct EventWord: u32 where {
        reserved_12: u32 [31:12],
        event_index: u8 [11:8],
        reserved_6: u8 [7:6],
        event_type: u8 [5:0],
    }
}

isa::word! {
    /// Third word of EVENT_WRITE_EOP.
    pub struct EopControl: u32 where {
        data_sel: u8 [31:29],
        reserved_26: u8 [28:26],
        int_sel: u8 [25:24],
        reserved_16: u8 [23:16],
        address_hi: u16 [15:0],
    }
}

isa::word! {
    /// First word of STRMOUT_BUFFER_UPDATE. SOURCE_SELECT: 0 the packet, 1 what the chip counts, 2 memory, 3 nothing.
    pub struct StreamControl: u32 where {
        reserved_10: u32 [31:10],
        buffer_select: u8 [9:8],
        /// Bytes instead of words.
        data_type: bool [7:7],
        reserved_3: u8 [6:3],
        source_select: u8 [2:1],
        update_memory: bool [0:0],
    }
}

isa::word! {
    /// First word of WAIT_REG_MEM.
    pub struct WaitControl: u32 where {
        reserved_9: u32 [31:9],
        engine: bool [8:8],
        reserved_5: u8 [7:5],
        mem_space: bool [4:4],
        reserved_3: bool [3:3],
        function: u8 [2:0],
    }
}

isa::word! {
    /// Second word of CP_DMA.
    pub struct DmaControl: u32 where {
        cp_sync: bool [31:31],
        src_sel: u8 [30:29],
        reserved_28: bool [28:28],
        engine: bool [27:27],
        reserved_22: u8 [26:22],
        dst_sel: u8 [21:20],
        reserved_16: u8 [19:16],
        src_addr_hi: u16 [15:0],
    }
}

isa::word! {
    /// Last word of CP_DMA.
    pub struct DmaCommand: u32 where {
        flags: u16 [31:21],
        byte_count: u32 [20:0],
    }
}

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
    /// Write the counters of primitives of streams 1 to 3.
    pub const SAMPLE_STREAMOUTSTATS_1_TO_3: std::ops::RangeInclusive<u32> = 1..=3;
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
    /// Tell when counters of streamed vertices are up to date.
    pub const SO_VGTSTREAMOUT_FLUSH: u32 = 31;
    /// Write the counters of primitives that streams have written.
    pub const SAMPLE_STREAMOUTSTATS: u32 = 32;
    /// Time stamp at the end of the pipe.
    pub const BOTTOM_OF_PIPE_TS: u32 = 40;
}
