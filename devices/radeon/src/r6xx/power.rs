//! Registers with non-zero reset values: after power-on and CLEAR_STATE.

use super::regs;
use super::viewports::VIEWPORTS;
use crate::registers::RegisterFile;

/// Sets the neutral values. `whole` is the exclusive corner of a scissor that leaves everything, `clip_adjust` the
/// address of PA_CL_GB_VERT_CLIP_ADJ, the first of four.
pub fn neutral(registers: &mut RegisterFile, whole: u32, clip_adjust: u32) {
    for register in [
        regs::PA_SC_SCREEN_SCISSOR_BR,
        regs::PA_SC_WINDOW_SCISSOR_BR,
        regs::PA_SC_GENERIC_SCISSOR_BR,
    ] {
        registers.set(register, whole);
    }
    for n in 0..VIEWPORTS {
        registers.set(regs::PA_SC_VPORT_SCISSOR_0_BR + 8 * n, whole);
        registers.set(regs::PA_SC_VPORT_ZMAX_0 + 8 * n, 1f32.to_bits());
    }
    for n in 0..4 {
        registers.set(clip_adjust + 4 * n, 1f32.to_bits());
    }
    registers.set(regs::PA_SC_CLIPRECT_RULE, 0xffff);
    registers.set(regs::PA_SC_EDGERULE, 0xaaaa_aaaa);
    registers.set(regs::VGT_MAX_VTX_INDX, u32::MAX);
}
