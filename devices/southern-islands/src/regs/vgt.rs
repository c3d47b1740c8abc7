//! Registers of the vertex grouper and tessellator.

radeon::registers! {
    pub(super) TABLE:
    /// 0 for 16-bit, 1 for 32-bit indices.
    VGT_INDEX_TYPE: VgtIndexType = 0x0895c;
    /// Instances of the next draw.
    VGT_NUM_INSTANCES = 0x08974;
    /// Values in [`super::event`].
    VGT_EVENT_INITIATOR: VgtEventInitiator = 0x28a90;
    /// First primitive number.
    VGT_PRIMITIVEID_RESET = 0x28a8c;
    /// Streams that vertices are stored to; draws need none.
    VGT_STRMOUT_CONFIG: VgtStrmoutConfig = 0x28b94;
    /// Which stages run; 0 is vertex and pixel shader.
    VGT_SHADER_STAGES_EN: VgtShaderStagesEn = 0x28b54;
    /// Work distribution; kept, not acted upon.
    IA_MULTI_VGT_PARAM: IaMultiVgtParam = 0x28aa8;
}

isa::word! {
    /// VGT_INDEX_TYPE.
    pub struct VgtIndexType: u32 where {
        reserved_4: u32 [31:4],
        swap_mode: u8 [3:2],
        index_type: u8 [1:0],
    }
}

isa::word! {
    /// VGT_EVENT_INITIATOR.
    pub struct VgtEventInitiator: u32 where {
        reserved_28: u8 [31:28],
        extended_event: bool [27:27],
        address_hi: u16 [26:18],
        reserved_6: u16 [17:6],
        event_type: u8 [5:0],
    }
}

isa::word! {
    /// VGT_STRMOUT_CONFIG.
    pub struct VgtStrmoutConfig: u32 where {
        use_rast_stream_mask: bool [31:31],
        reserved_12: u32 [30:12],
        rast_stream_mask: u8 [11:8],
        reserved_7: bool [7:7],
        rast_stream: u8 [6:4],
        streamout_3_en: bool [3:3],
        streamout_2_en: bool [2:2],
        streamout_1_en: bool [1:1],
        streamout_0_en: bool [0:0],
    }
}

isa::word! {
    /// VGT_SHADER_STAGES_EN.
    pub struct VgtShaderStagesEn: u32 where {
        reserved_9: u32 [31:9],
        dynamic_hs: bool [8:8],
        vs_en: u8 [7:6],
        gs_en: bool [5:5],
        es_en: u8 [4:3],
        hs_en: bool [2:2],
        ls_en: u8 [1:0],
    }
}

isa::word! {
    /// IA_MULTI_VGT_PARAM.
    pub struct IaMultiVgtParam: u32 where {
        reserved_20: u16 [31:20],
        switch_on_eoi: bool [19:19],
        partial_es_wave_on: bool [18:18],
        switch_on_eop: bool [17:17],
        partial_vs_wave_on: bool [16:16],
        primgroup_size: u16 [15:0],
    }
}
