//! The register file: what the command processor writes and a draw reads.

use radeon::r6xx::{pa, power};
use radeon::registers::RegisterFile;

use crate::regs;

/// Groups of registers whose changes are counted apart: see [`RegisterFile::rebinds_of`].
pub(crate) mod groups {
    /// Resources, samplers, and where vertices begin.
    pub(crate) const RESOURCES: usize = 0;
    /// Constants that stages share the registers of.
    pub(crate) const CONSTANTS: usize = 1;
    /// Constant buffers of pixel waves.
    pub(crate) const BUFFERS_PS: usize = 2;
    /// Of vertex waves.
    pub(crate) const BUFFERS_VS: usize = 3;
    /// Of geometry waves.
    pub(crate) const BUFFERS_GS: usize = 4;
}

/// The state after power-on: registers that must not be zero to draw have their neutral values.
pub(crate) fn power_on() -> RegisterFile {
    let one = |register: u32| register..register + 4;
    let borders = |first: u32| first..first + 16 * regs::SAMPLERS;
    let banks = |first: u32| first..first + 64;
    let resources = [
        regs::RESOURCE,
        regs::SAMPLER,
        borders(regs::TD_PS_SAMPLER0_BORDER_RED),
        borders(regs::TD_VS_SAMPLER0_BORDER_RED),
        borders(regs::TD_GS_SAMPLER0_BORDER_RED),
        one(regs::SQ_VTX_BASE_VTX_LOC),
        one(regs::SQ_VTX_START_INST_LOC),
    ];
    let constants = [regs::LOOP_CONST, regs::BOOL_CONST, regs::ALU_CONST];
    let buffers = |sizes: u32, bases: u32| [banks(sizes), banks(bases)];
    let bound = [
        &resources[..],
        &constants,
        &buffers(regs::ALU_CONST_BUFFER_SIZE_PS_0, regs::ALU_CONST_CACHE_PS_0),
        &buffers(regs::ALU_CONST_BUFFER_SIZE_VS_0, regs::ALU_CONST_CACHE_VS_0),
        &buffers(regs::ALU_CONST_BUFFER_SIZE_GS_0, regs::ALU_CONST_CACHE_GS_0),
    ];
    let own = [
        one(regs::VGT_INDX_OFFSET),
        one(regs::VGT_DMA_NUM_INSTANCES),
        one(regs::VGT_DMA_INDEX_TYPE),
    ];
    let registers = RegisterFile::new(&regs::SPACES);
    let registers = bound.into_iter().fold(registers, RegisterFile::bound);
    let mut registers = registers.read_by_draws(&own).places(&pa::PLACES);
    power::neutral(&mut registers, 0x2000_2000, regs::PA_CL_GB_VERT_CLIP_ADJ);
    registers.set(regs::GB_TILING_CONFIG, regs::TILING_CONFIG);
    registers.set(regs::PA_SC_AA_MASK, u32::MAX);
    registers.set(regs::CB_COLOR_CONTROL, u32::from(regs::ROP3_COPY) << 16);
    registers
}
