//! Registers of the vertex grouper and tessellator.

use radeon::r6xx::regs::{Base256b, CpStrmoutCntl};

radeon::registers! {
    pub(super) TABLE:
    CP_STRMOUT_CNTL: CpStrmoutCntl = 0x084fc;
    /// 0 for 16-bit, 1 for 32-bit indices.
    VGT_INDEX_TYPE: VgtIndexType = 0x0895c;
    /// Instances of the next draw.
    VGT_NUM_INSTANCES = 0x08974;
    /// Values in [`super::event`].
    VGT_EVENT_INITIATOR: VgtEventInitiator = 0x28a90;
    /// First primitive number.
    VGT_PRIMITIVEID_RESET = 0x28a8c;
    /// Streams whose vertices are stored; 0 alone is executed.
    VGT_STRMOUT_CONFIG: VgtStrmoutConfig = 0x28b94;
    /// Buffers of each stream.
    VGT_STRMOUT_BUFFER_CONFIG: VgtStrmoutBufferConfig = 0x28b98;
    /// Which stages run; 0 is vertex and pixel shader.
    VGT_SHADER_STAGES_EN: VgtShaderStagesEn = 0x28b54;
    /// Bytes of the ring from the export to the geometry shader, in units of 256.
    VGT_ESGS_RING_SIZE = 0x088c8;
    /// Bytes of the ring from the geometry to the copy shader, in units of 256.
    VGT_GSVS_RING_SIZE = 0x088cc;
    /// Words of a vertex in the first ring.
    VGT_ESGS_RING_ITEMSIZE: VgtRingItemsize = 0x28aac;
    /// Words of all vertices of an invocation in the second ring.
    VGT_GSVS_RING_ITEMSIZE: VgtRingItemsize = 0x28ab0;
    /// Words of a vertex of each stream in the second ring.
    VGT_GS_VERT_ITEMSIZE: VgtRingItemsize = 0x28b5c;
    VGT_GS_VERT_ITEMSIZE_1: VgtRingItemsize = 0x28b60;
    VGT_GS_VERT_ITEMSIZE_2: VgtRingItemsize = 0x28b64;
    VGT_GS_VERT_ITEMSIZE_3: VgtRingItemsize = 0x28b68;
    /// Where the vertices of the other streams begin in the second ring.
    VGT_GSVS_RING_OFFSET_1 = 0x28a60;
    VGT_GSVS_RING_OFFSET_2 = 0x28a64;
    VGT_GSVS_RING_OFFSET_3 = 0x28a68;
    /// Vertices that an invocation emits at most.
    VGT_GS_MAX_VERT_OUT: VgtGsMaxVertOut = 0x28b38;
    VGT_GS_INSTANCE_CNT: VgtGsInstanceCnt = 0x28b90;
    /// Work distribution; kept, not acted upon.
    VGT_GS_PER_ES = 0x28a54;
    VGT_ES_PER_GS = 0x28a58;
    VGT_GS_PER_VS = 0x28a5c;
    /// Words of the ring of tessellation levels.
    VGT_TF_RING_SIZE: VgtTfRingSize = 0x08988;
    /// Buffers for what hull shaders leave outside of local data share.
    VGT_HS_OFFCHIP_PARAM: VgtHsOffchipParam = 0x089b0;
    /// The ring of tessellation levels, in units of 256 bytes.
    VGT_TF_MEMORY_BASE: Base256b = 0x089b8;
    /// Largest and smallest tessellation level, floats.
    VGT_HOS_MAX_TESS_LEVEL = 0x28a18;
    VGT_HOS_MIN_TESS_LEVEL = 0x28a1c;
    VGT_LS_HS_CONFIG: VgtLsHsConfig = 0x28b58;
    /// Values in [`super::tf`].
    VGT_TF_PARAM: VgtTfParam = 0x28b6c;
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
    /// VGT_STRMOUT_BUFFER_CONFIG.
    pub struct VgtStrmoutBufferConfig: u32 where {
        reserved_16: u16 [31:16],
        stream_3_buffer_en: u8 [15:12],
        stream_2_buffer_en: u8 [11:8],
        stream_1_buffer_en: u8 [7:4],
        stream_0_buffer_en: u8 [3:0],
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
    /// VGT_ESGS_RING_ITEMSIZE and others.
    pub struct VgtRingItemsize: u32 where {
        reserved_15: u32 [31:15],
        itemsize: u16 [14:0],
    }
}

isa::word! {
    /// VGT_GS_MAX_VERT_OUT.
    pub struct VgtGsMaxVertOut: u32 where {
        reserved_11: u32 [31:11],
        max_vert_out: u16 [10:0],
    }
}

isa::word! {
    /// VGT_GS_INSTANCE_CNT.
    pub struct VgtGsInstanceCnt: u32 where {
        reserved_9: u32 [31:9],
        cnt: u8 [8:2],
        reserved_1: bool [1:1],
        enable: bool [0:0],
    }
}

isa::word! {
    /// VGT_GS_MODE.
    pub struct VgtGsMode: u32 where {
        reserved_21: u16 [31:21],
        gs_write_optimize: bool [20:20],
        es_write_optimize: bool [19:19],
        suppress_cuts: bool [18:18],
        element_info_en: bool [17:17],
        partial_thd_at_eoi: bool [16:16],
        fast_compute_mode: bool [15:15],
        compute_mode: bool [14:14],
        reserved_13: bool [13:13],
        gs_c_pack_en: bool [12:12],
        reserved_6: u8 [11:6],
        cut_mode: u8 [5:4],
        reserved_3: bool [3:3],
        mode: u8 [2:0],
    }
}

isa::word! {
    /// VGT_TF_RING_SIZE.
    pub struct VgtTfRingSize: u32 where {
        reserved_16: u16 [31:16],
        size: u16 [15:0],
    }
}

isa::word! {
    /// VGT_HS_OFFCHIP_PARAM.
    pub struct VgtHsOffchipParam: u32 where {
        reserved_7: u32 [31:7],
        offchip_buffering: u8 [6:0],
    }
}

isa::word! {
    /// VGT_LS_HS_CONFIG: patches of a group, control points of a patch before and after the hull shader.
    pub struct VgtLsHsConfig: u32 where {
        reserved_20: u16 [31:20],
        hs_num_output_cp: u8 [19:14],
        hs_num_input_cp: u8 [13:8],
        num_patches: u8 [7:0],
    }
}

isa::word! {
    /// VGT_TF_PARAM.
    pub struct VgtTfParam: u32 where {
        reserved_15: u32 [31:15],
        disable_donuts: bool [14:14],
        num_ds_waves_per_simd: u8 [13:10],
        deprecated: bool [9:9],
        reserved_reduc_axis: bool [8:8],
        topology: u8 [7:5],
        partitioning: u8 [4:2],
        kind: u8 [1:0],
    }
}

/// Fields of VGT_TF_PARAM.
pub mod tf {
    /// TYPE: lines.
    pub const ISOLINE: u8 = 0;
    /// Triangles.
    pub const TRIANGLE: u8 = 1;
    /// Quads.
    pub const QUAD: u8 = 2;
    /// PARTITIONING: equal parts.
    pub const PART_INTEGER: u8 = 0;
    /// A power of two of equal parts.
    pub const PART_POW2: u8 = 1;
    /// An odd number of parts, two of which are smaller.
    pub const PART_FRAC_ODD: u8 = 2;
    /// An even number.
    pub const PART_FRAC_EVEN: u8 = 3;
    /// TOPOLOGY: points.
    pub const OUTPUT_POINT: u8 = 0;
    /// Lines.
    pub const OUTPUT_LINE: u8 = 1;
    /// Triangles, clockwise where v goes down.
    pub const OUTPUT_TRIANGLE_CW: u8 = 2;
    /// The other way.
    pub const OUTPUT_TRIANGLE_CCW: u8 = 3;
}

/// VGT_GS_MODE.MODE of geometry shaders.
pub const GS_SCENARIO_G: u8 = 3;
/// VGT_SHADER_STAGES_EN.ES_EN: vertex shaders.
pub const ES_STAGE_REAL: u8 = 2;
/// VGT_SHADER_STAGES_EN.ES_EN: the shader of domain points.
pub const ES_STAGE_DS: u8 = 1;
/// VGT_SHADER_STAGES_EN.VS_EN: the shader of domain points.
pub const VS_STAGE_DS: u8 = 1;
/// VGT_SHADER_STAGES_EN.VS_EN: a copy shader.
pub const VS_STAGE_COPY_SHADER: u8 = 2;
/// VGT_PRIMITIVE_TYPE of patches.
pub const PATCH: u32 = 9;

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
