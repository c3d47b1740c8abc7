//! Registers of resources and samplers, which fetches name by number. [R600D SQ_TEX_RESOURCE, SQ_VTX_CONSTANT, SQ_TEX_SAMPLER]

use radeon::r6xx::regs::Base256b;

use crate::resource::{
    TexResourceWord0, TexResourceWord1, TexResourceWord4, TexResourceWord5, TexResourceWord6,
    TexSamplerWord0, TexSamplerWord1, TexSamplerWord2, VtxConstantWord2,
};

radeon::registers! {
    pub(super) TABLE:
    SQ_TEX_RESOURCE_WORD0_0: TexResourceWord0 = 0x38000 [585; 28];
    SQ_TEX_RESOURCE_WORD1_0: TexResourceWord1 = 0x38004 [585; 28];
    SQ_TEX_RESOURCE_WORD2_0: Base256b = 0x38008 [585; 28];
    SQ_TEX_RESOURCE_WORD3_0: Base256b = 0x3800c [585; 28];
    SQ_TEX_RESOURCE_WORD4_0: TexResourceWord4 = 0x38010 [585; 28];
    SQ_TEX_RESOURCE_WORD5_0: TexResourceWord5 = 0x38014 [585; 28];
    SQ_TEX_RESOURCE_WORD6_0: TexResourceWord6 = 0x38018 [585; 28];
    SQ_TEX_SAMPLER_WORD0_0: TexSamplerWord0 = 0x3c000 [54; 12];
    SQ_TEX_SAMPLER_WORD1_0: TexSamplerWord1 = 0x3c004 [54; 12];
    SQ_TEX_SAMPLER_WORD2_0: TexSamplerWord2 = 0x3c008 [54; 12];
}

// The same registers where the resource is a buffer.
radeon::registers! {
    pub(crate) BUFFERS:
    SQ_VTX_CONSTANT_WORD0_0: VtxConstantWord0 = 0x38000 [585; 28];
    SQ_VTX_CONSTANT_WORD1_0: VtxConstantWord1 = 0x38004 [585; 28];
    SQ_VTX_CONSTANT_WORD2_0: VtxConstantWord2 = 0x38008 [585; 28];
    SQ_VTX_CONSTANT_WORD3_0: VtxConstantWord3 = 0x3800c [585; 28];
    SQ_VTX_CONSTANT_WORD4_0: Unused = 0x38010 [585; 28];
    SQ_VTX_CONSTANT_WORD5_0: Unused = 0x38014 [585; 28];
    SQ_VTX_CONSTANT_WORD6_0: TexResourceWord6 = 0x38018 [585; 28];
}

isa::word! {
    /// SQ_VTX_CONSTANT_WORD0: bits 31:0 of the address.
    pub struct VtxConstantWord0: u32 where {
        base_address: u32 [31:0],
    }
}

isa::word! {
    /// SQ_VTX_CONSTANT_WORD1: bytes - 1.
    pub struct VtxConstantWord1: u32 where {
        size: u32 [31:0],
    }
}

isa::word! {
    /// SQ_VTX_CONSTANT_WORD3.
    pub struct VtxConstantWord3: u32 where {
        reserved_4: u32 [31:4],
        uncached: u8 [3:2],
        mem_request_size: u8 [1:0],
    }
}

isa::word! {
    /// A word without a meaning.
    pub struct Unused: u32 where {
        reserved_0: u32 [31:0],
    }
}
