//! Registers: addresses and layouts, one file per hardware block, in the spelling of the published register lists.
//!
//! Addresses are byte addresses in register space. PM4 packets name them by the word offset from the base of the space
//! they lie in ([`CONFIG`], [`SH`], [`CONTEXT`]). A layout is a [`isa::word!`] struct; a literal names the fields that
//! matter and takes the rest from `from_word(0)`.

mod cb;
mod compute;
mod db;
mod pa;
mod spi;
mod ta;
mod vgt;

pub use radeon::r6xx::regs::*;

pub use cb::*;
pub use compute::*;
pub use db::*;
pub use pa::*;
pub use spi::*;
pub use ta::*;
pub use vgt::*;

use std::ops::Range;

/// Registers that SET_CONFIG_REG writes.
pub const CONFIG: Range<u32> = CONFIG_START..0xb000;
/// Registers that SET_SH_REG writes.
pub const SH: Range<u32> = 0xb000..0xc000;

/// GB_ADDR_CONFIG of a Tahiti: 8 pipes, 256 bytes of interleave, rows of 2 KiB. [TILING 5]
pub const TAHITI_ADDR_CONFIG: u32 = 0x1201_1003;

/// All registers, a table a block. [`radeon::registers::find`]
pub const TABLES: [&[radeon::registers::Register]; 8] = [
    radeon::r6xx::regs::SHARED_REGISTERS,
    cb::TABLE,
    compute::TABLE,
    db::TABLE,
    pa::TABLE,
    spi::TABLE,
    ta::TABLE,
    vgt::TABLE,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_register_lies_in_a_space_and_has_a_name_of_its_own() {
        assert_eq!(
            radeon::registers::misplaced(&TABLES, &[CONTEXT, SH, CONFIG]),
            None
        );
        assert_eq!(
            radeon::registers::name(&TABLES, 0x28810),
            Some("PA_CL_CLIP_CNTL")
        );
    }
}
