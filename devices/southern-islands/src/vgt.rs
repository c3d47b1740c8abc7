//! The vertex grouper: registers to the state of index reading.

use radeon::r6xx::codes::topology;
use radeon::registers::RegisterFile;
use silicon::geometry::vertices::Grouper;

use crate::regs::{self, PaSuScModeCntl};

/// State of one draw, or the reason why it cannot be drawn.
pub(crate) fn grouper(registers: &RegisterFile) -> Result<Grouper, String> {
    let code = registers.get(regs::VGT_PRIMITIVE_TYPE) & 0x3f;
    let Some(topology) = topology(code) else {
        return Err(format!("VGT_PRIMITIVE_TYPE {code} is not drawn"));
    };
    let stages = registers.get(regs::VGT_SHADER_STAGES_EN);
    if stages & 0x7f != 0 {
        return Err(format!(
            "VGT_SHADER_STAGES_EN {stages:#x}: only vertex and pixel shaders run"
        ));
    }
    let mode = PaSuScModeCntl::from_word(registers.get(regs::PA_SU_SC_MODE_CNTL));
    let restart = registers.get(regs::VGT_MULTI_PRIM_IB_RESET_EN) & 1 != 0;
    Ok(Grouper {
        topology,
        instances: registers.get(regs::VGT_NUM_INSTANCES).max(1),
        restart: restart.then(|| registers.get(regs::VGT_MULTI_PRIM_IB_RESET_INDX)),
        offset: registers.get(regs::VGT_INDX_OFFSET),
        range: [
            registers.get(regs::VGT_MIN_VTX_INDX),
            registers.get(regs::VGT_MAX_VTX_INDX),
        ],
        provoking_last: mode.provoking_vtx_last,
        // The number of a primitive goes to the shader with its vertices, which then belong to it alone.
        reuse: registers.get(regs::VGT_REUSE_OFF) & 1 == 0
            && registers.get(regs::VGT_PRIMITIVEID_EN) & 1 == 0,
    })
}
