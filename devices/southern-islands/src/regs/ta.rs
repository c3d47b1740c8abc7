//! Registers of the texture addresser.

use radeon::r6xx::regs::*;

radeon::registers! {
    pub(super) TABLE:
    /// Border colour table: entries of four dwords, red first, that samplers name by number.
    TA_BC_BASE_ADDR: Base256b = 0x28080;
    /// The same for groups, where `sid.h` has it: R_00950C_TA_CS_BC_BASE_ADDR. [PM4]
    TA_CS_BC_BASE_ADDR: Base256b = 0x0950c;
}
