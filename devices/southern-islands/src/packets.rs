//! PM4 packets: headers and opcodes that driver and command processor share. [PM4 packets]

pub use radeon::r6xx::packets::*;

/// SET_SH_REG: word offset in [`crate::regs::SH`], values.
pub const SET_SH_REG: u8 = 0x76;
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
/// DRAW_INDEX_OFFSET_2: largest number of indices, first index, count, initiator.
pub const DRAW_INDEX_OFFSET_2: u8 = 0x35;
/// WRITE_DATA: control (destination in bits 11:8), address low, high, data.
pub const WRITE_DATA: u8 = 0x37;
/// COPY_DATA: control, source low, high, destination low, high.
pub const COPY_DATA: u8 = 0x40;
/// PFP_SYNC_ME: 0.
pub const PFP_SYNC_ME: u8 = 0x42;
