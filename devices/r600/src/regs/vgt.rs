//! Registers of the vertex grouper and tessellator, and of tiling.

use radeon::r6xx::regs::{Base256b, CpStrmoutCntl};

radeon::registers! {
    pub(super) TABLE:
    CP_STRMOUT_CNTL: CpStrmoutCntl = 0x08490;
    /// Work distribution; kept, not acted upon.
    VGT_GS_PER_ES = 0x088c8;
    VGT_ES_PER_GS = 0x088cc;
    VGT_GS_PER_VS = 0x088e8;
    /// Indices of the draw; kept, not acted upon.
    VGT_NUM_INDICES = 0x08970;
    GB_TILING_CONFIG: GbTilingConfig = 0x098f0;
    /// 0 for 16-bit, 1 for 32-bit indices.
    VGT_DMA_INDEX_TYPE: VgtDmaIndexType = 0x28a7c;
    /// Instances of the next draw.
    VGT_DMA_NUM_INSTANCES = 0x28a88;
    /// Vertices are stored.
    VGT_STRMOUT_EN: VgtStrmoutEn = 0x28ab0;
    /// Buffers of streams, which VGT_STRMOUT_EN enables.
    VGT_STRMOUT_BUFFER_EN: VgtStrmoutBufferEn = 0x28b20;
    /// Address / 256 of a buffer of the stream.
    VGT_STRMOUT_BUFFER_BASE_0: Base256b = 0x28ad8 [4; 0x10];
}

isa::word! {
    /// VGT_GS_MODE.
    pub struct VgtGsMode: u32 where {
        reserved_5: u32 [31:5],
        cut_mode: u8 [4:3],
        es_passthru: bool [2:2],
        mode: u8 [1:0],
    }
}

/// VGT_GS_MODE.MODE of geometry programs.
pub const GS_SCENARIO_G: u8 = 3;

isa::word! {
    /// VGT_DMA_INDEX_TYPE.
    pub struct VgtDmaIndexType: u32 where {
        reserved_4: u32 [31:4],
        swap_mode: u8 [3:2],
        index_type: u8 [1:0],
    }
}

isa::word! {
    /// VGT_STRMOUT_EN.
    pub struct VgtStrmoutEn: u32 where {
        reserved_1: u32 [31:1],
        streamout: bool [0:0],
    }
}

isa::word! {
    /// VGT_STRMOUT_BUFFER_EN.
    pub struct VgtStrmoutBufferEn: u32 where {
        reserved_4: u32 [31:4],
        buffer_3_en: bool [3:3],
        buffer_2_en: bool [2:2],
        buffer_1_en: bool [1:1],
        buffer_0_en: bool [0:0],
    }
}

isa::word! {
    /// GB_TILING_CONFIG. [TILING 3]
    pub struct GbTilingConfig: u32 where {
        backend_map: u16 [31:16],
        sample_split: u8 [15:14],
        bank_swaps: u8 [13:11],
        row_tiling: u8 [10:8],
        group_size: u8 [7:6],
        bank_tiling: u8 [5:4],
        pipe_tiling: u8 [3:1],
        reserved_0: bool [0:0],
    }
}
