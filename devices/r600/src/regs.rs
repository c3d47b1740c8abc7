//! Registers: addresses and layouts, one file per hardware block, in the spelling of the published register lists.
//!
//! Addresses are byte addresses in register space. Packets name them by the word offset from the base of the space they
//! lie in ([`SPACES`]). A layout is a [`isa::word!`] struct; a literal names the fields that matter and takes the rest
//! from `from_word(0)`.

mod cb;
mod db;
mod fetch;
mod kept;
mod pa;
mod spi;
mod sq;
mod vgt;

pub use radeon::r6xx::regs::*;

pub use cb::*;
pub use db::*;
pub use fetch::*;
pub use kept::*;
pub use pa::*;
pub use spi::*;
pub use sq::*;
pub use vgt::*;

use std::ops::Range;

/// Registers that SET_CONFIG_REG writes.
pub const CONFIG: Range<u32> = CONFIG_START..0xac00;
/// Constants that SET_ALU_CONST writes: 256 of four words for pixel waves, then 256 for vertex waves.
pub const ALU_CONST: Range<u32> = 0x30000..0x32000;
/// Resources that SET_RESOURCE writes, seven words each. [`resource_at`]
pub const RESOURCE: Range<u32> = 0x38000..0x3c000;
/// Samplers that SET_SAMPLER writes, three words each. [`sampler_at`]
pub const SAMPLER: Range<u32> = 0x3c000..0x3cff0;
/// Words that SET_CTL_CONST writes.
pub const CTL_CONST: Range<u32> = 0x3cff0..0x3e200;
/// Loop constants that SET_LOOP_CONST writes.
pub const LOOP_CONST: Range<u32> = 0x3e200..0x3e380;
/// Booleans that SET_BOOL_CONST writes.
pub const BOOL_CONST: Range<u32> = 0x3e380..0x3e38c;

/// All spaces.
pub const SPACES: [Range<u32>; 8] = [
    CONTEXT, RESOURCE, SAMPLER, CONFIG, CTL_CONST, LOOP_CONST, BOOL_CONST, ALU_CONST,
];

/// Bytes of a resource.
pub const RESOURCE_STRIDE: u32 = 28;
/// Bytes of a sampler.
pub const SAMPLER_STRIDE: u32 = 12;

/// First resource of pixel waves.
pub const RESOURCES_PS: u32 = 0;
/// First resource of vertex waves.
pub const RESOURCES_VS: u32 = 160;
/// First resource of fetch programs, which is number 160 of vertex waves.
pub const RESOURCES_FS: u32 = 320;
/// First resource of geometry waves.
pub const RESOURCES_GS: u32 = 336;
/// First sampler of pixel waves.
pub const SAMPLERS_PS: u32 = 0;
/// First sampler of vertex waves.
pub const SAMPLERS_VS: u32 = 18;
/// First sampler of geometry waves.
pub const SAMPLERS_GS: u32 = 36;
/// Samplers of a stage.
pub const SAMPLERS: u32 = 18;

/// Address of a resource.
pub const fn resource_at(number: u32) -> u32 {
    RESOURCE.start + number * RESOURCE_STRIDE
}

/// Address of a sampler.
pub const fn sampler_at(number: u32) -> u32 {
    SAMPLER.start + number * SAMPLER_STRIDE
}

/// GB_TILING_CONFIG of this chip: two pipes, four banks, groups of 256 bytes, rows of 2 KiB. [TILING 3]
pub const TILING_CONFIG: u32 = 0x4_4902;

/// All registers, a table a block. [`radeon::registers::find`]
pub const TABLES: [&[radeon::registers::Register]; 9] = [
    radeon::r6xx::regs::SHARED_REGISTERS,
    cb::TABLE,
    db::TABLE,
    fetch::TABLE,
    kept::TABLE,
    pa::TABLE,
    spi::TABLE,
    sq::TABLE,
    vgt::TABLE,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_register_lies_in_a_space_and_has_a_name_of_its_own() {
        assert_eq!(radeon::registers::misplaced(&TABLES, &SPACES), None);
        assert_eq!(
            radeon::registers::name(&TABLES, 0x28810),
            Some("PA_CL_CLIP_CNTL")
        );
        assert_eq!(radeon::registers::name(&TABLES, 0x28814 + 2), None);
        assert_eq!(resource_at(336), 0x3a4c0);
        assert_eq!(sampler_at(36), 0x3c1b0);
    }

    #[test]
    fn tiling_of_the_sheet() {
        let word = GbTilingConfig::from_word(TILING_CONFIG);
        assert_eq!(
            (word.pipe_tiling, word.bank_tiling, word.group_size),
            (1, 0, 0)
        );
        assert_eq!(
            (word.row_tiling, word.bank_swaps, word.sample_split),
            (1, 1, 1)
        );
    }
}
