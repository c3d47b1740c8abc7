//! The input assembler: registers to the state of index reading.

use radeon::r6xx::vgt;
use radeon::registers::RegisterFile;
use silicon::geometry::vertices::InputAssembler;

use crate::regs;

/// State of one draw, or the reason why it cannot be drawn.
pub(crate) fn input_assembler(registers: &RegisterFile) -> Result<InputAssembler, String> {
    let stages = registers.get(regs::VGT_GS_MODE);
    if stages & 3 != 0 {
        return Err(format!(
            "VGT_GS_MODE {stages:#x}: only vertex and pixel shaders run"
        ));
    }
    if registers.get(regs::VGT_STRMOUT_EN) & 1 != 0 {
        return Err("VGT_STRMOUT_EN: vertices are not stored".to_owned());
    }
    vgt::input_assembler(registers, registers.get(regs::VGT_DMA_NUM_INSTANCES))
}
