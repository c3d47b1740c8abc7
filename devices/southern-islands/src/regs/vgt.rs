//! Registers of the vertex grouper and tessellator.

radeon::registers! {
    pub(super) TABLE:
    /// 0 for 16-bit, 1 for 32-bit indices.
    VGT_INDEX_TYPE = 0x0895c;
    /// Instances of the next draw.
    VGT_NUM_INSTANCES = 0x08974;
    /// Event type in bits 5:0; values in [`super::event`].
    VGT_EVENT_INITIATOR = 0x28a90;
    /// First primitive number.
    VGT_PRIMITIVEID_RESET = 0x28a8c;
    /// Streams that vertices are stored to; draws need none.
    VGT_STRMOUT_CONFIG = 0x28b94;
    /// Which stages run; 0 is vertex and pixel shader.
    VGT_SHADER_STAGES_EN = 0x28b54;
    /// Work distribution; kept, not acted upon.
    IA_MULTI_VGT_PARAM = 0x28aa8;
}
