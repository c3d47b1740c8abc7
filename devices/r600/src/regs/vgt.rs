//! Registers of the vertex grouper and tessellator, and of tiling.

pub use radeon::packets::event;
pub use radeon::r6xx::codes::prim_type;

super::registers! {
    /// Topology in bits 5:0; values in [`prim_type`].
    VGT_PRIMITIVE_TYPE = 0x08958;
    /// Indices of the draw; kept, not acted upon.
    VGT_NUM_INDICES = 0x08970;
    /// [`GbTilingConfig`].
    GB_TILING_CONFIG = 0x098f0;
    /// Largest vertex index; larger ones are clamped.
    VGT_MAX_VTX_INDX = 0x28400;
    /// Smallest vertex index; smaller ones are clamped.
    VGT_MIN_VTX_INDX = 0x28404;
    /// Added to every index.
    VGT_INDX_OFFSET = 0x28408;
    /// Index that restarts a strip.
    VGT_MULTI_PRIM_IB_RESET_INDX = 0x2840c;
    /// [`VgtDrawInitiator`].
    VGT_DRAW_INITIATOR = 0x287f0;
    /// Geometry stage mode; 0 is off.
    VGT_GS_MODE = 0x28a40;
    /// Bits 1:0: 0 for 16-bit, 1 for 32-bit indices.
    VGT_DMA_INDEX_TYPE = 0x28a7c;
    /// Bit 0: the primitive number is wanted.
    VGT_PRIMITIVEID_EN = 0x28a84;
    /// Instances of the next draw.
    VGT_DMA_NUM_INSTANCES = 0x28a88;
    /// Bit 0: restart is on.
    VGT_MULTI_PRIM_IB_RESET_EN = 0x28a94;
    /// Divisor of the instance number in R0.y.
    VGT_INSTANCE_STEP_RATE_0 = 0x28aa0;
    /// Divisor of the instance number in R0.z.
    VGT_INSTANCE_STEP_RATE_1 = 0x28aa4;
    /// Bit 0: vertices are stored; not executed.
    VGT_STRMOUT_EN = 0x28ab0;
    /// Bit 0: shared vertices are shaded again.
    VGT_REUSE_OFF = 0x28ab4;
    /// Vertex counter; kept, not acted upon.
    VGT_VTX_CNT_EN = 0x28ab8;
    /// Output path; kept, not acted upon.
    VGT_OUTPUT_PATH_CNTL = 0x28a10;
    /// Stream buffers; not executed.
    VGT_STRMOUT_BUFFER_EN = 0x28b20;
}

isa::word! {
    /// VGT_DRAW_INITIATOR.
    pub struct VgtDrawInitiator: u32 where {
        reserved_7: u32 [31:7],
        use_opaque: bool [6:6],
        not_eop: bool [5:5],
        sprite_en: bool [4:4],
        major_mode: u8 [3:2],
        source_select: u8 [1:0],
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
