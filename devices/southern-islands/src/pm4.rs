//! PM4 packets: headers and opcodes that driver and command processor share. [PM4 packets]

/// SET_CONFIG_REG: word offset in [`crate::regs::CONFIG`], values.
pub const SET_CONFIG_REG: u8 = 0x68;
/// SET_CONTEXT_REG: word offset in [`crate::regs::CONTEXT`], values.
pub const SET_CONTEXT_REG: u8 = 0x69;
/// SET_SH_REG: word offset in [`crate::regs::SH`], values.
pub const SET_SH_REG: u8 = 0x76;
/// NOP: anything.
pub const NOP: u8 = 0x10;
/// SET_BASE: index (1 = indirect arguments), address low, high.
pub const SET_BASE: u8 = 0x11;
/// CLEAR_STATE: one word, 0.
pub const CLEAR_STATE: u8 = 0x12;
/// INDEX_BUFFER_SIZE: largest number of indices.
pub const INDEX_BUFFER_SIZE: u8 = 0x13;
/// DRAW_INDIRECT: offset, base vertex register, first instance register, initiator.
pub const DRAW_INDIRECT: u8 = 0x24;
/// DRAW_INDEX_INDIRECT: the same.
pub const DRAW_INDEX_INDIRECT: u8 = 0x25;
/// INDEX_BASE: address low, high.
pub const INDEX_BASE: u8 = 0x26;
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
/// DRAW_INDEX_OFFSET_2: largest number of indices, first index, count, initiator.
pub const DRAW_INDEX_OFFSET_2: u8 = 0x35;
/// WRITE_DATA: control (destination in bits 11:8), address low, high, data.
pub const WRITE_DATA: u8 = 0x37;
/// WAIT_REG_MEM: function, address low, high, reference, mask, interval.
pub const WAIT_REG_MEM: u8 = 0x3c;
/// COPY_DATA: control, source low, high, destination low, high.
pub const COPY_DATA: u8 = 0x40;
/// CP_DMA: source low, control and source high, destination low, high, bytes in bits 20:0.
pub const CP_DMA: u8 = 0x41;
/// PFP_SYNC_ME: 0.
pub const PFP_SYNC_ME: u8 = 0x42;
/// SURFACE_SYNC: caches, size, base, interval.
pub const SURFACE_SYNC: u8 = 0x43;
/// EVENT_WRITE: event in bits 5:0, index in bits 11:8; address low, high for counters.
pub const EVENT_WRITE: u8 = 0x46;
/// EVENT_WRITE_EOP: event, address low, selection and address high, data low, high.
pub const EVENT_WRITE_EOP: u8 = 0x47;

/// Source of a draw's indices: VGT_DRAW_INITIATOR.SOURCE_SELECT.
pub mod source {
    /// An index buffer.
    pub const DMA: u32 = 0;
    /// Counting.
    pub const AUTO_INDEX: u32 = 2;
}

/// The header of a type 3 packet with `payload` words after it, at least one.
pub const fn header(opcode: u8, payload: u32) -> u32 {
    3 << 30 | (payload - 1) << 16 | (opcode as u32) << 8
}
