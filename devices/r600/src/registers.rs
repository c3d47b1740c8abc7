//! The register file: what the command processor writes and a draw reads.

use radeon::registers::RegisterFile;

use crate::regs;

/// The state after power-on: registers that must not be zero to draw have their neutral values.
pub(crate) fn power_on() -> RegisterFile {
    let mut registers = RegisterFile::new(&regs::SPACES);
    const WHOLE: u32 = 0x2000_2000;
    for register in [
        regs::PA_SC_SCREEN_SCISSOR_BR,
        regs::PA_SC_WINDOW_SCISSOR_BR,
        regs::PA_SC_GENERIC_SCISSOR_BR,
    ] {
        registers.set(register, WHOLE);
    }
    for n in 0..16 {
        registers.set(regs::PA_SC_VPORT_SCISSOR_0_BR + 8 * n, WHOLE);
        registers.set(regs::PA_SC_VPORT_ZMAX_0 + 8 * n, 1f32.to_bits());
    }
    for register in [
        regs::PA_CL_GB_VERT_CLIP_ADJ,
        regs::PA_CL_GB_VERT_DISC_ADJ,
        regs::PA_CL_GB_HORZ_CLIP_ADJ,
        regs::PA_CL_GB_HORZ_DISC_ADJ,
    ] {
        registers.set(register, 1f32.to_bits());
    }
    registers.set(regs::GB_TILING_CONFIG, regs::TILING_CONFIG);
    registers.set(regs::PA_SC_CLIPRECT_RULE, 0xffff);
    registers.set(regs::PA_SC_EDGERULE, 0xaaaa_aaaa);
    registers.set(regs::PA_SC_AA_MASK, u32::MAX);
    registers.set(regs::VGT_MAX_VTX_INDX, u32::MAX);
    registers.set(regs::CB_COLOR_CONTROL, u32::from(regs::ROP3_COPY) << 16);
    registers
}
