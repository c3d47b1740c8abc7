//! The register file: what the command processor writes and a draw reads.

use radeon::r6xx::{pa, power};
use radeon::registers::RegisterFile;

use crate::regs::{self, CONFIG, CONTEXT, SH};

/// The state after power-on.
pub(crate) fn power_on() -> RegisterFile {
    let user = |first: u32| first..first + 64;
    let one = |register: u32| register..register + 4;
    let users = [
        regs::SPI_SHADER_USER_DATA_PS_0,
        regs::SPI_SHADER_USER_DATA_VS_0,
        regs::SPI_SHADER_USER_DATA_GS_0,
        regs::SPI_SHADER_USER_DATA_ES_0,
        regs::SPI_SHADER_USER_DATA_HS_0,
        regs::SPI_SHADER_USER_DATA_LS_0,
    ]
    .map(user);
    let own = [
        regs::VGT_NUM_INSTANCES,
        regs::VGT_INDEX_TYPE,
        regs::VGT_INDX_OFFSET,
    ]
    .map(one);
    let registers = RegisterFile::new(&[CONTEXT, SH, CONFIG]);
    let registers = registers.bound(&users).read_by_draws(&own);
    let mut registers = registers.places(&pa::PLACES);
    registers.set(regs::GB_ADDR_CONFIG, regs::TAHITI_ADDR_CONFIG);
    for (n, word) in crate::tiling::TAHITI.iter().enumerate() {
        registers.set(regs::GB_TILE_MODE0 + 4 * n as u32, *word);
    }
    clear_context(&mut registers);
    registers
}

/// CLEAR_STATE: context registers that must not be zero to draw get their neutral values.
pub(crate) fn clear_context(registers: &mut RegisterFile) {
    registers.clear(&CONTEXT);
    power::neutral(registers, 0x4000_4000, regs::PA_CL_GB_VERT_CLIP_ADJ);
    registers.set(regs::VGT_HOS_MAX_TESS_LEVEL, 64f32.to_bits());
    registers.set(regs::PA_SC_AA_MASK_X0Y0_X1Y0, u32::MAX);
    registers.set(regs::PA_SC_AA_MASK_X0Y1_X1Y1, u32::MAX);
}

/// A program address from its LO and HI registers.
pub(crate) fn program(registers: &RegisterFile, lo: u32) -> u64 {
    u64::from(registers.get(lo)) << 8 | u64::from(registers.get(lo + 4) & 0xff) << 40
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clearing_leaves_the_other_spaces() {
        let mut registers = power_on();
        assert!(registers.set(regs::VGT_PRIMITIVE_TYPE, 4));
        assert!(registers.set(regs::SPI_SHADER_PGM_LO_VS, 0x1234));
        assert!(registers.set(regs::DB_DEPTH_CONTROL, 7));
        assert!(!registers.set(0x7000, 1));
        assert!(!registers.set(0x2_9000, 1));
        assert_eq!(program(&registers, regs::SPI_SHADER_PGM_LO_VS), 0x12_3400);
        assert_eq!(registers.get(regs::DB_DEPTH_CONTROL), 7);
        clear_context(&mut registers);
        assert_eq!(registers.get(regs::DB_DEPTH_CONTROL), 0);
        assert_eq!(registers.get(regs::VGT_PRIMITIVE_TYPE), 4);
        assert_eq!(registers.get(regs::PA_SC_CLIPRECT_RULE), 0xffff);
    }
}
