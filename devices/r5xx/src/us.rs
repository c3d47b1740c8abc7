//! The pixel unit: registers and memory to what its programs run with. [R5XX 8]
//!
//! [`crate::isa::us`] lifts the program; here is where its set-up and its constants lie.

use radeon::registers::RegisterFile;

use crate::isa::us::{Constant, MAX_INSTRUCTIONS, Setup, flushed};
use crate::regs::*;

/// How waves of the bound program are set up. Interpolated registers have no denormals.
pub fn setup(registers: &RegisterFile) -> Setup {
    let offset = US_CODE_OFFSET::OFFSET_ADDR.read(registers) as u16;
    let address = |relative: u32| (relative as u16 + offset) % MAX_INSTRUCTIONS;
    Setup {
        start: address(US_CODE_ADDR::START_ADDR.read(registers)),
        end: address(US_CODE_ADDR::END_ADDR.read(registers)),
        offset,
        temps: US_PIXSIZE::PIX_SIZE.read(registers) as u16 + 1,
        full_flow: US_FC_CTRL::FULL_FC_EN.read(registers) == 1,
        zero_wins: US_CONFIG::ZERO_TIMES_ANYTHING_EQUALS_ZERO.read(registers) == 1,
        raw_inputs: false,
        stopping: crate::tx::stopping(registers),
    }
}

/// Where depths come from that do not come from planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthSource {
    /// They are zero.
    Zero,
    /// From the program.
    Program,
    /// From the rasteriser.
    Rasteriser,
}

/// Where depths come from that the depth block does not take from planes. [R5xx US_W_FMT]
pub fn depth_source(registers: &RegisterFile) -> Result<DepthSource, String> {
    use US_W_FMT::*;
    match (W_FMT.read(registers), W_SRC.on(registers)) {
        (0, _) => Ok(DepthSource::Zero),
        (1, false) => Ok(DepthSource::Program),
        (1, true) => Ok(DepthSource::Rasteriser),
        (2, _) => Err("US_W_FMT.W_FMT 2: the layout of W24_FP is not given".into()),
        (other, _) => Err(format!("US_W_FMT.W_FMT {other} is reserved")),
    }
}

/// The value of a constant, from the constant memory or from a register.
pub fn constant(constants: &[[u32; 4]], registers: &RegisterFile, constant: Constant) -> u32 {
    match constant {
        Constant::Float {
            index,
            channel,
            flushed: is_flushed,
        } => {
            let vector = constants.get(usize::from(index));
            let bits = vector.map_or(0, |vector| vector[usize::from(channel & 3)]);
            if is_flushed { flushed(bits) } else { bits }
        }
        Constant::Int { index, part } => {
            let word = US_FC_INT_CONST.read(registers, u32::from(index & 31));
            match part {
                0 => word & 255,
                1 => word >> 8 & 255,
                // The step has a sign.
                _ => (word >> 16) as u8 as i8 as i32 as u32,
            }
        }
        Constant::Bool(index) => US_FC_BOOL_CONST.read(registers, 0) >> (index & 31) & 1,
    }
}
