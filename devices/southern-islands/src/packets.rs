//! PM4 packets: headers, opcodes and bodies that driver and command processor share, and the printer. [PM4 packets]

use isa::LoadWord;
use radeon::packets::Dictionary;
use radeon::registers::named;

use crate::regs::{COMPUTE_DISPATCH_INITIATOR, SH, TABLES, VGT_DRAW_INITIATOR};

pub use radeon::r6xx::packets::*;

#[rustfmt::skip]
radeon::packets! {
    pub TABLE:
    SET_BASE = 0x11 "index (1 = indirect arguments), address" [Word("BASE_INDEX"), Address("ADDRESS")];
    CLEAR_STATE = 0x12 "one word, 0" [Word("CMD")];
    INDEX_BUFFER_SIZE = 0x13 "largest number of indices" [Word("INDEX_BUFFER_SIZE")];
    DISPATCH_DIRECT = 0x15 "groups in x, y and z, initiator"
        [Word("DIM_X"), Word("DIM_Y"), Word("DIM_Z"), Register(COMPUTE_DISPATCH_INITIATOR)];
    DISPATCH_INDIRECT = 0x16 "offset, initiator"
        [Word("DATA_OFFSET"), Register(COMPUTE_DISPATCH_INITIATOR)];
    DRAW_INDIRECT = 0x24 "offset, base vertex register, first instance register, initiator"
        [Word("DATA_OFFSET"), Word("BASE_VTX_LOC"), Word("START_INST_LOC"), Register(VGT_DRAW_INITIATOR)];
    DRAW_INDEX_INDIRECT = 0x25 "offset, base vertex register, first instance register, initiator"
        [Word("DATA_OFFSET"), Word("BASE_VTX_LOC"), Word("START_INST_LOC"), Register(VGT_DRAW_INITIATOR)];
    INDEX_BASE = 0x26 "address" [Address("INDEX_BASE")];
    DRAW_INDEX_OFFSET_2 = 0x35 "largest number of indices, first index, count, initiator"
        [Word("MAX_SIZE"), Word("INDEX_OFFSET"), Word("INDEX_COUNT"), Register(VGT_DRAW_INITIATOR)];
    WRITE_DATA = 0x37 "control (destination in bits 11:8), address, data"
        [Fields("CONTROL", WriteControl::FIELDS), Address("DST_ADDR"), Rest("data")];
    COPY_DATA = 0x40 "control, source, destination"
        [Fields("CONTROL", CopyControl::FIELDS), Address("SRC_ADDR"), Address("DST_ADDR")];
    PFP_SYNC_ME = 0x42 "0" [Word("DUMMY")];
    SET_SH_REG = 0x76 "word offset in SH, values" [Set(SH.start)];
}

/// Whether a packet draws.
pub const fn draws(opcode: u8) -> bool {
    matches!(
        opcode,
        DRAW_INDEX_2 | DRAW_INDEX_AUTO | DRAW_INDEX_OFFSET_2 | DRAW_INDIRECT | DRAW_INDEX_INDIRECT
    )
}

isa::word! {
    /// First word of WRITE_DATA.
    pub struct WriteControl: u32 where {
        engine_sel: u8 [31:30],
        reserved_21: u16 [29:21],
        wr_confirm: bool [20:20],
        reserved_17: u8 [19:17],
        wr_one_addr: bool [16:16],
        reserved_12: u8 [15:12],
        dst_sel: u8 [11:8],
        reserved_0: u8 [7:0],
    }
}

isa::word! {
    /// First word of COPY_DATA.
    pub struct CopyControl: u32 where {
        engine_sel: u8 [31:30],
        reserved_21: u16 [29:21],
        wr_confirm: bool [20:20],
        reserved_17: u8 [19:17],
        count_sel: bool [16:16],
        reserved_12: u8 [15:12],
        dst_sel: u8 [11:8],
        reserved_4: u8 [7:4],
        src_sel: u8 [3:0],
    }
}

/// What the printer of packets knows of this chip.
pub static DICTIONARY: Dictionary = Dictionary {
    chip: crate::CHIP,
    packets: &[SHARED_PACKETS, FAMILY_PACKETS, TABLE],
    written: radeon::packets::written,
    register: |written| named(&TABLES, written),
    started: |_| None,
};

/// The packets of a stream that starts at `address`, with names and values.
pub fn dump(words: &[u32], address: u64, memory: LoadWord<'_>) -> String {
    DICTIONARY.dump(words, address, memory)
}
