//! The input assembler. In: registers. Out: index fetch and topology of a draw.

use silicon::geometry::topology::Topology;
use silicon::geometry::vertices::InputAssembler;

use super::codes::topology;
use super::regs::{self, PaSuScModeCntl};
use crate::registers::RegisterFile;

/// Input assembler state of a draw, or why it is unsupported.
pub fn input_assembler(registers: &RegisterFile) -> Result<InputAssembler, String> {
    let code = registers.get(regs::VGT_PRIMITIVE_TYPE) & 0x3f;
    let Some(topology) = topology(code) else {
        return Err(format!("VGT_PRIMITIVE_TYPE {code} is not drawn"));
    };
    Ok(assembler_of(registers, topology))
}

/// The same with a topology that the chip finds elsewhere.
pub fn assembler_of(registers: &RegisterFile, topology: Topology) -> InputAssembler {
    let mode = PaSuScModeCntl::from_word(registers.get(regs::PA_SU_SC_MODE_CNTL));
    let restart = registers.get(regs::VGT_MULTI_PRIM_IB_RESET_EN) & 1 != 0;
    InputAssembler {
        topology,
        restart: restart.then(|| registers.get(regs::VGT_MULTI_PRIM_IB_RESET_INDX)),
        range: [
            registers.get(regs::VGT_MIN_VTX_INDX),
            registers.get(regs::VGT_MAX_VTX_INDX),
        ],
        provoking_last: mode.provoking_vtx_last,
        // The number of a primitive goes to the shader with its vertices, which then belong to it alone.
        reuse: registers.get(regs::VGT_REUSE_OFF) & 1 == 0
            && registers.get(regs::VGT_PRIMITIVEID_EN) & 1 == 0,
        gathers: None,
    }
}
