//! Registers of the texture addresser.

radeon::registers! {
    pub(super) TABLE:
    /// Border colour table, address bits 39:8: entries of four dwords, red first, that samplers name by number.
    TA_BC_BASE_ADDR = 0x28080;
}
