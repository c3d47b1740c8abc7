//! The input assembler: registers to the state of index reading.

use radeon::r6xx::vgt;
use radeon::registers::RegisterFile;
use silicon::geometry::vertices::InputAssembler;

use crate::regs;

/// State of one draw, or the reason why it cannot be drawn.
pub(crate) fn input_assembler(registers: &RegisterFile) -> Result<InputAssembler, String> {
    let stages = registers.get(regs::VGT_SHADER_STAGES_EN);
    if stages & 0x7f != 0 {
        return Err(format!(
            "VGT_SHADER_STAGES_EN {stages:#x}: only vertex and pixel shaders run"
        ));
    }
    vgt::input_assembler(registers, registers.get(regs::VGT_NUM_INSTANCES))
}
