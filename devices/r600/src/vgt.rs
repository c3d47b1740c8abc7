//! The input assembler: registers to the state of index reading.

use radeon::r6xx::vgt;
use radeon::registers::RegisterFile;
use silicon::geometry::vertices::InputAssembler;

use crate::regs;

/// State of one draw, or the reason why it cannot be drawn.
pub(crate) fn input_assembler(registers: &RegisterFile) -> Result<InputAssembler, String> {
    vgt::input_assembler(registers, registers.get(regs::VGT_DMA_NUM_INSTANCES))
}
