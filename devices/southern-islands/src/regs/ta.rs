//! Registers of the texture addresser.

/// Border colour table, address bits 39:8: entries of four dwords, red first, that samplers name by number.
pub const TA_BC_BASE_ADDR: u32 = 0x28080;
