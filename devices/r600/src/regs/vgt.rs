//! Registers of the vertex grouper and tessellator, and of tiling.

radeon::registers! {
    pub(super) TABLE:
    /// Indices of the draw; kept, not acted upon.
    VGT_NUM_INDICES = 0x08970;
    /// [`GbTilingConfig`].
    GB_TILING_CONFIG = 0x098f0;
    /// Bits 1:0: 0 for 16-bit, 1 for 32-bit indices.
    VGT_DMA_INDEX_TYPE = 0x28a7c;
    /// Instances of the next draw.
    VGT_DMA_NUM_INSTANCES = 0x28a88;
    /// Bit 0: vertices are stored; draws need 0.
    VGT_STRMOUT_EN = 0x28ab0;
    /// Buffers of streams, which VGT_STRMOUT_EN enables.
    VGT_STRMOUT_BUFFER_EN = 0x28b20;
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
