//! The register file: what the command processor writes and a draw reads.

use radeon::r6xx::power;
use radeon::registers::RegisterFile;

use crate::regs;

/// The state after power-on: registers that must not be zero to draw have their neutral values.
pub(crate) fn power_on() -> RegisterFile {
    let mut registers = RegisterFile::new(&regs::SPACES);
    power::neutral(&mut registers, 0x2000_2000, regs::PA_CL_GB_VERT_CLIP_ADJ);
    registers.set(regs::GB_TILING_CONFIG, regs::TILING_CONFIG);
    registers.set(regs::PA_SC_AA_MASK, u32::MAX);
    registers.set(regs::CB_COLOR_CONTROL, u32::from(regs::ROP3_COPY) << 16);
    registers
}
