//! Registers of the sequencer and of the shader export block: programs, constants, rings.

use radeon::r6xx::regs::*;

radeon::registers! {
    pub(super) TABLE:
    SQ_CONFIG: SqConfig = 0x08c00;
    SQ_GPR_RESOURCE_MGMT_1: SqGprResourceMgmt1 = 0x08c04;
    /// General registers of other stages; kept, not acted upon.
    SQ_GPR_RESOURCE_MGMT_2: SqGprResourceMgmt2 = 0x08c08;
    /// Threads of the stages; kept, not acted upon.
    SQ_THREAD_RESOURCE_MGMT: SqThreadResourceMgmt = 0x08c0c;
    /// Stack entries of the stages; kept, not acted upon.
    SQ_STACK_RESOURCE_MGMT_1: SqStackResourceMgmt1 = 0x08c10;
    /// Stack entries of the stages; kept, not acted upon.
    SQ_STACK_RESOURCE_MGMT_2: SqStackResourceMgmt2 = 0x08c14;
    /// Ring from the export to the geometry program.
    SQ_ESGS_RING_BASE: Base256b = 0x08c40;
    /// Its bytes / 256.
    SQ_ESGS_RING_SIZE = 0x08c44;
    /// Ring from the geometry to the copy program.
    SQ_GSVS_RING_BASE: Base256b = 0x08c48;
    /// Its bytes / 256.
    SQ_GSVS_RING_SIZE = 0x08c4c;
    /// Scratch memory of export waves.
    SQ_ESTMP_RING_BASE: Base256b = 0x08c50;
    /// Its bytes / 256.
    SQ_ESTMP_RING_SIZE = 0x08c54;
    /// Scratch memory of geometry waves.
    SQ_GSTMP_RING_BASE: Base256b = 0x08c58;
    /// Its bytes / 256.
    SQ_GSTMP_RING_SIZE = 0x08c5c;
    /// Scratch memory of vertex waves.
    SQ_VSTMP_RING_BASE: Base256b = 0x08c60;
    /// Its bytes / 256.
    SQ_VSTMP_RING_SIZE = 0x08c64;
    /// Scratch memory of pixel waves.
    SQ_PSTMP_RING_BASE: Base256b = 0x08c68;
    /// Its bytes / 256.
    SQ_PSTMP_RING_SIZE = 0x08c6c;
    /// First component of the border colour of pixel sampler 0.
    TD_PS_SAMPLER0_BORDER_RED: f32 = 0x0a400 [18; 16];
    TD_PS_SAMPLER0_BORDER_GREEN: f32 = 0x0a404 [18; 16];
    TD_PS_SAMPLER0_BORDER_BLUE: f32 = 0x0a408 [18; 16];
    TD_PS_SAMPLER0_BORDER_ALPHA: f32 = 0x0a40c [18; 16];
    /// First component of the border colour of vertex sampler 0.
    TD_VS_SAMPLER0_BORDER_RED: f32 = 0x0a600 [18; 16];
    TD_VS_SAMPLER0_BORDER_GREEN: f32 = 0x0a604 [18; 16];
    TD_VS_SAMPLER0_BORDER_BLUE: f32 = 0x0a608 [18; 16];
    TD_VS_SAMPLER0_BORDER_ALPHA: f32 = 0x0a60c [18; 16];
    /// First component of the border colour of geometry sampler 0.
    TD_GS_SAMPLER0_BORDER_RED: f32 = 0x0a800 [18; 16];
    TD_GS_SAMPLER0_BORDER_GREEN: f32 = 0x0a804 [18; 16];
    TD_GS_SAMPLER0_BORDER_BLUE: f32 = 0x0a808 [18; 16];
    TD_GS_SAMPLER0_BORDER_ALPHA: f32 = 0x0a80c [18; 16];
    /// Bytes / 256 of a constant buffer of pixel waves.
    ALU_CONST_BUFFER_SIZE_PS_0: AluConstBufferSize = 0x28140 [16; 4];
    /// Bytes / 256 of a constant buffer of vertex waves.
    ALU_CONST_BUFFER_SIZE_VS_0: AluConstBufferSize = 0x28180 [16; 4];
    /// Bytes / 256 of a constant buffer of geometry waves.
    ALU_CONST_BUFFER_SIZE_GS_0: AluConstBufferSize = 0x281c0 [16; 4];
    /// Several passes; draws need 0.
    SX_MISC: SxMisc = 0x28350;
    /// Name of the vertex attribute that semantic fetches put into register 1.
    SQ_VTX_SEMANTIC_0: SqVtxSemantic = 0x28380 [32; 4];
    SX_ALPHA_TEST_CONTROL: SxAlphaTestControl = 0x28410;
    /// Reference of the alpha test.
    SX_ALPHA_REF: f32 = 0x28438;
    /// Pixel program; 0 is none.
    SQ_PGM_START_PS: Base256b = 0x28840;
    SQ_PGM_RESOURCES_PS: SqPgmResources = 0x28850;
    SQ_PGM_EXPORTS_PS: SqPgmExportsPs = 0x28854;
    /// Vertex program.
    SQ_PGM_START_VS: Base256b = 0x28858;
    SQ_PGM_RESOURCES_VS: SqPgmResources = 0x28868;
    /// Geometry program.
    SQ_PGM_START_GS: Base256b = 0x2886c;
    SQ_PGM_RESOURCES_GS: SqPgmResources = 0x2887c;
    /// Export program.
    SQ_PGM_START_ES: Base256b = 0x28880;
    SQ_PGM_RESOURCES_ES: SqPgmResources = 0x28890;
    /// Fetch program.
    SQ_PGM_START_FS: Base256b = 0x28894;
    SQ_PGM_RESOURCES_FS: SqPgmResources = 0x288a4;
    /// Words of a vertex in the ring to the geometry program.
    SQ_ESGS_RING_ITEMSIZE: SqRingItemsize = 0x288a8;
    /// Words of all vertices of an invocation in the ring from the geometry program.
    SQ_GSVS_RING_ITEMSIZE: SqRingItemsize = 0x288ac;
    /// Scratch words of an export lane.
    SQ_ESTMP_RING_ITEMSIZE: SqRingItemsize = 0x288b0;
    /// Scratch words of a geometry lane.
    SQ_GSTMP_RING_ITEMSIZE: SqRingItemsize = 0x288b4;
    /// Scratch words of a vertex lane.
    SQ_VSTMP_RING_ITEMSIZE: SqRingItemsize = 0x288b8;
    /// Scratch words of a pixel lane.
    SQ_PSTMP_RING_ITEMSIZE: SqRingItemsize = 0x288bc;
    /// Words of an emitted vertex.
    SQ_GS_VERT_ITEMSIZE: SqRingItemsize = 0x288c8;
    /// First control flow instruction of the pixel program, in 8 bytes.
    SQ_PGM_CF_OFFSET_PS: SqPgmCfOffset = 0x288cc;
    /// First control flow instruction of the vertex program, in 8 bytes.
    SQ_PGM_CF_OFFSET_VS: SqPgmCfOffset = 0x288d0;
    /// First control flow instruction of the geometry program, in 8 bytes.
    SQ_PGM_CF_OFFSET_GS: SqPgmCfOffset = 0x288d4;
    /// First control flow instruction of the export program, in 8 bytes.
    SQ_PGM_CF_OFFSET_ES: SqPgmCfOffset = 0x288d8;
    /// First control flow instruction of the fetch program, in 8 bytes.
    SQ_PGM_CF_OFFSET_FS: SqPgmCfOffset = 0x288dc;
    /// Semantics that are written as nothing; kept, not acted upon.
    SQ_VTX_SEMANTIC_CLEAR = 0x288e0;
    /// Constant buffer of pixel waves.
    ALU_CONST_CACHE_PS_0: Base256b = 0x28940 [16; 4];
    /// Constant buffer of vertex waves.
    ALU_CONST_CACHE_VS_0: Base256b = 0x28980 [16; 4];
    /// Constant buffer of geometry waves.
    ALU_CONST_CACHE_GS_0: Base256b = 0x289c0 [16; 4];
    /// First component of constant 0: 256 of pixel waves, then 256 of vertex waves.
    SQ_ALU_CONSTANT0_0: f32 = 0x30000 [512; 16];
    SQ_ALU_CONSTANT1_0: f32 = 0x30004 [512; 16];
    SQ_ALU_CONSTANT2_0: f32 = 0x30008 [512; 16];
    SQ_ALU_CONSTANT3_0: f32 = 0x3000c [512; 16];
    /// Added to the vertex number of fetches of vertex data.
    SQ_VTX_BASE_VTX_LOC = 0x3cff0;
    /// Added to the instance number of fetches of instance data.
    SQ_VTX_START_INST_LOC = 0x3cff4;
    /// 32 of pixel waves, then 32 of vertex waves, then 32 of geometry waves.
    SQ_LOOP_CONST_0: SqLoopConst = 0x3e200 [96; 4];
    /// 32 booleans of pixel waves; those of vertex and geometry waves follow.
    SQ_BOOL_CONST_0 = 0x3e380 [3; 4];
}

isa::word! {
    /// SQ_GPR_RESOURCE_MGMT_2.
    pub struct SqGprResourceMgmt2: u32 where {
        reserved_24: u8 [31:24],
        num_es_gprs: u8 [23:16],
        reserved_8: u8 [15:8],
        num_gs_gprs: u8 [7:0],
    }
}

isa::word! {
    /// SQ_THREAD_RESOURCE_MGMT.
    pub struct SqThreadResourceMgmt: u32 where {
        num_es_threads: u8 [31:24],
        num_gs_threads: u8 [23:16],
        num_vs_threads: u8 [15:8],
        num_ps_threads: u8 [7:0],
    }
}

isa::word! {
    /// SQ_STACK_RESOURCE_MGMT_1.
    pub struct SqStackResourceMgmt1: u32 where {
        reserved_28: u8 [31:28],
        num_vs_stack_entries: u16 [27:16],
        reserved_12: u8 [15:12],
        num_ps_stack_entries: u16 [11:0],
    }
}

isa::word! {
    /// SQ_STACK_RESOURCE_MGMT_2.
    pub struct SqStackResourceMgmt2: u32 where {
        reserved_28: u8 [31:28],
        num_es_stack_entries: u16 [27:16],
        reserved_12: u8 [15:12],
        num_gs_stack_entries: u16 [11:0],
    }
}

isa::word! {
    /// ALU_CONST_BUFFER_SIZE_PS_n, _VS_n and _GS_n.
    pub struct AluConstBufferSize: u32 where {
        reserved_9: u32 [31:9],
        data: u16 [8:0],
    }
}

isa::word! {
    /// SX_MISC.
    pub struct SxMisc: u32 where {
        reserved_1: u32 [31:1],
        multipass: bool [0:0],
    }
}

isa::word! {
    /// SQ_VTX_SEMANTIC_n.
    pub struct SqVtxSemantic: u32 where {
        reserved_8: u32 [31:8],
        semantic_id: u8 [7:0],
    }
}

isa::word! {
    /// SQ_ESGS_RING_ITEMSIZE, SQ_GS_VERT_ITEMSIZE and others.
    pub struct SqRingItemsize: u32 where {
        reserved_15: u32 [31:15],
        itemsize: u16 [14:0],
    }
}

isa::word! {
    /// SQ_PGM_CF_OFFSET_PS, _VS, _GS, _ES and _FS.
    pub struct SqPgmCfOffset: u32 where {
        reserved_20: u16 [31:20],
        pgm_cf_offset: u32 [19:0],
    }
}

isa::word! {
    /// SQ_CONFIG.
    pub struct SqConfig: u32 where {
        es_prio: u8 [31:30],
        gs_prio: u8 [29:28],
        vs_prio: u8 [27:26],
        ps_prio: u8 [25:24],
        reserved_10: u16 [23:10],
        clause_seq_prio: u8 [9:8],
        reserved_5: u8 [7:5],
        dx10_clamp: bool [4:4],
        alu_inst_prefer_vector: bool [3:3],
        dx9_consts: bool [2:2],
        export_src_c: bool [1:1],
        vc_enable: bool [0:0],
    }
}

isa::word! {
    /// SQ_GPR_RESOURCE_MGMT_1.
    pub struct SqGprResourceMgmt1: u32 where {
        num_clause_temp_gprs: u8 [31:28],
        reserved_24: u8 [27:24],
        num_vs_gprs: u8 [23:16],
        reserved_8: u8 [15:8],
        num_ps_gprs: u8 [7:0],
    }
}

isa::word! {
    /// SQ_PGM_RESOURCES_PS, _VS, _GS, _ES and _FS.
    pub struct SqPgmResources: u32 where {
        clamp_consts: bool [31:31],
        reserved_29: u8 [30:29],
        uncached_first_inst: bool [28:28],
        reserved_27: bool [27:27],
        fetch_cache_lines: u8 [26:24],
        reserved_22: u8 [23:22],
        dx10_clamp: bool [21:21],
        reserved_16: u8 [20:16],
        stack_size: u8 [15:8],
        num_gprs: u8 [7:0],
    }
}

isa::word! {
    /// SQ_PGM_EXPORTS_PS.
    pub struct SqPgmExportsPs: u32 where {
        reserved_5: u32 [31:5],
        export_colors: u8 [4:1],
        export_z: bool [0:0],
    }
}

isa::word! {
    /// SX_ALPHA_TEST_CONTROL.
    pub struct SxAlphaTestControl: u32 where {
        reserved_9: u32 [31:9],
        alpha_test_bypass: bool [8:8],
        reserved_4: u8 [7:4],
        alpha_test_enable: bool [3:3],
        alpha_func: u8 [2:0],
    }
}

isa::word! {
    /// SQ_LOOP_CONST_n.
    pub struct SqLoopConst: u32 where {
        inc: i8 [31:24],
        init: u16 [23:12],
        count: u16 [11:0],
    }
}
