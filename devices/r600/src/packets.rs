//! PM4 packets: headers and opcodes that driver and command processor share. [PM4 packets]

pub use radeon::r6xx::packets::*;

/// START_3D_CMDBUF: one word, 0.
pub const START_3D_CMDBUF: u8 = 0x24;
/// DRAW_INDEX: address low, high, count, initiator.
pub const DRAW_INDEX: u8 = 0x2b;
/// DRAW_INDEX_IMMD: count, initiator, indices.
pub const DRAW_INDEX_IMMD: u8 = 0x2e;
/// INDIRECT_BUFFER_MP: as INDIRECT_BUFFER.
pub const INDIRECT_BUFFER_MP: u8 = 0x38;
/// MEM_WRITE: address low, high and flags ([`mem_write`]), data low, high.
pub const MEM_WRITE: u8 = 0x3d;
/// LOAD_CONFIG_REG: as [`LOAD_RESOURCE`]. Those of the other spaces follow in the order of the SET packets.
pub const LOAD_CONFIG_REG: u8 = 0x60;
/// LOAD_RESOURCE: address low, high, then word offset and words of every run; memory is laid out as the space is.
pub const LOAD_RESOURCE: u8 = 0x65;
/// LOAD_SAMPLER: the same.
pub const LOAD_SAMPLER: u8 = 0x66;
/// LOAD_CTL_CONST: the same.
pub const LOAD_CTL_CONST: u8 = 0x67;
/// SET_ALU_CONST: word offset in [`crate::regs::ALU_CONST`], values.
pub const SET_ALU_CONST: u8 = 0x6a;
/// SET_BOOL_CONST: word offset in [`crate::regs::BOOL_CONST`], values.
pub const SET_BOOL_CONST: u8 = 0x6b;
/// SET_LOOP_CONST: word offset in [`crate::regs::LOOP_CONST`], values.
pub const SET_LOOP_CONST: u8 = 0x6c;
/// SET_RESOURCE: word offset in [`crate::regs::RESOURCE`], values.
pub const SET_RESOURCE: u8 = 0x6d;
/// SET_SAMPLER: word offset in [`crate::regs::SAMPLER`], values.
pub const SET_SAMPLER: u8 = 0x6e;
/// SET_CTL_CONST: word offset in [`crate::regs::CTL_CONST`], values.
pub const SET_CTL_CONST: u8 = 0x6f;
/// SURFACE_BASE_UPDATE: which bases were written.
pub const SURFACE_BASE_UPDATE: u8 = 0x73;

/// Flags of MEM_WRITE, in the word of the high address.
pub mod mem_write {
    /// The clock instead of the data.
    pub const CLOCK: u32 = 1 << 17;
    /// One word instead of two.
    pub const WORD: u32 = 1 << 18;
}
