//! The register file: what the command processor writes and a draw reads.

use radeon::r6xx::power;
use radeon::registers::RegisterFile;

use crate::regs;

/// The state after power-on: registers that must not be zero to draw have their neutral values.
pub(crate) fn power_on() -> RegisterFile {
    let one = |register: u32| register..register + 4;
    let borders = |first: u32| first..first + 16 * regs::SAMPLERS;
    let banks = |first: u32| first..first + 64;
    let bound = [
        regs::RESOURCE,
        regs::SAMPLER,
        regs::LOOP_CONST,
        regs::BOOL_CONST,
        regs::ALU_CONST,
        borders(regs::TD_PS_SAMPLER0_BORDER_RED),
        borders(regs::TD_VS_SAMPLER0_BORDER_RED),
        borders(regs::TD_GS_SAMPLER0_BORDER_RED),
        banks(regs::ALU_CONST_BUFFER_SIZE_PS_0),
        banks(regs::ALU_CONST_BUFFER_SIZE_VS_0),
        banks(regs::ALU_CONST_BUFFER_SIZE_GS_0),
        banks(regs::ALU_CONST_CACHE_PS_0),
        banks(regs::ALU_CONST_CACHE_VS_0),
        banks(regs::ALU_CONST_CACHE_GS_0),
        one(regs::SQ_VTX_BASE_VTX_LOC),
        one(regs::SQ_VTX_START_INST_LOC),
    ];
    let own = [
        one(regs::VGT_INDX_OFFSET),
        one(regs::VGT_DMA_NUM_INSTANCES),
        one(regs::VGT_DMA_INDEX_TYPE),
    ];
    let registers = RegisterFile::new(&regs::SPACES);
    let mut registers = registers.bound(&bound).read_by_draws(&own);
    power::neutral(&mut registers, 0x2000_2000, regs::PA_CL_GB_VERT_CLIP_ADJ);
    registers.set(regs::GB_TILING_CONFIG, regs::TILING_CONFIG);
    registers.set(regs::PA_SC_AA_MASK, u32::MAX);
    registers.set(regs::CB_COLOR_CONTROL, u32::from(regs::ROP3_COPY) << 16);
    registers
}
