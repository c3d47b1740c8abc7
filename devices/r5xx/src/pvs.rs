//! The vertex unit: registers and memory to what its programs run with. [R5XX 7.5]
//!
//! [`crate::isa::pvs`] lifts the program; here is where its control and its constants lie.

use radeon::registers::RegisterFile;

use crate::isa::pvs::{Constant, Control, FlowSlot, MAX_INSTRUCTIONS, assemble};
use crate::regs::*;
use crate::vap::Output;

/// Vectors of code and constants in the vector memory.
pub const CONSTANTS: usize = MAX_INSTRUCTIONS;

/// How the bound program runs.
pub fn control(registers: &RegisterFile) -> Control {
    let slots = std::array::from_fn(|slot| {
        let slot = slot as u32;
        [
            VAP_PVS_FLOW_CNTL_ADDRS_LW.read(registers, slot),
            VAP_PVS_FLOW_CNTL_ADDRS_UW.read(registers, slot),
            VAP_PVS_FLOW_CNTL_LOOP_INDEX.read(registers, slot),
        ]
    });
    Control {
        first: VAP_PVS_CODE_CNTL_0::PVS_FIRST_INST.read(registers) as u16,
        last: VAP_PVS_CODE_CNTL_0::PVS_LAST_INST.read(registers) as u16,
        slots: FlowSlot::all(VAP_PVS_FLOW_CNTL_OPC.read(registers, 0), &slots),
        const_base: VAP_PVS_CONST_CNTL::PVS_CONST_BASE_OFFSET.read(registers) as u8,
        const_max: VAP_PVS_CONST_CNTL::PVS_MAX_CONST_ADDR.read(registers) as u8,
    }
}

/// What the vertices of a draw without vertex programs pass through: each output is the input vector at its place in the
/// memory that GA reads. Position, point size, colours and textures have fixed places there, from 0, 1, 2 and 6 on, as
/// Mesa's driver sends them. [R5xx VAP_CNTL_STATUS.PVS_BYPASS]
pub fn bypass(outputs: &[Output]) -> (Control, Vec<[u32; 4]>) {
    let lines = outputs.iter().enumerate().map(|(n, output)| {
        let place = match output {
            Output::Position => 0,
            Output::PointSize => 1,
            Output::Color(color) => 2 + color,
            Output::Texture { set, .. } => 6 + set,
        };
        format!("VE_ADD OUT{n}, I{place}, I{place}.0000\n")
    });
    let text: String = lines.collect();
    let code = assemble(&text).expect("copies are instructions");
    let words = code
        .iter()
        .filter_map(|words| words.as_slice().try_into().ok());
    let words: Vec<[u32; 4]> = words.collect();
    (Control::straight(words.len()), words)
}

/// The value of a constant, from the vector memory; zero where that ends.
pub fn constant(vectors: &[[u32; 4]], constant: Constant) -> u32 {
    let vector = vectors.get(CONSTANTS + usize::from(constant.index));
    vector.map_or(0, |vector| vector[usize::from(constant.component & 3)])
}
