//! Registers of the sequencer and of the shader export block: programs, constants, rings.

radeon::registers! {
    pub(super) TABLE:
    /// [`SqConfig`].
    SQ_CONFIG = 0x08c00;
    /// [`SqGprResourceMgmt1`].
    SQ_GPR_RESOURCE_MGMT_1 = 0x08c04;
    /// General registers of other stages; kept, not acted upon.
    SQ_GPR_RESOURCE_MGMT_2 = 0x08c08;
    /// Threads of the stages; kept, not acted upon.
    SQ_THREAD_RESOURCE_MGMT = 0x08c0c;
    /// Stack entries of the stages; kept, not acted upon.
    SQ_STACK_RESOURCE_MGMT_1 = 0x08c10;
    /// Stack entries of the stages; kept, not acted upon.
    SQ_STACK_RESOURCE_MGMT_2 = 0x08c14;
    /// Byte address / 256 of the scratch memory of vertex waves.
    SQ_VSTMP_RING_BASE = 0x08c60;
    /// Its bytes / 256.
    SQ_VSTMP_RING_SIZE = 0x08c64;
    /// Byte address / 256 of the scratch memory of pixel waves.
    SQ_PSTMP_RING_BASE = 0x08c68;
    /// Its bytes / 256.
    SQ_PSTMP_RING_SIZE = 0x08c6c;
    /// Border colour of pixel sampler 0, four floats; 17 more follow at 16 bytes.
    TD_PS_SAMPLER0_BORDER_RED = 0x0a400;
    /// Border colour of vertex sampler 0, four floats; 17 more follow at 16 bytes.
    TD_VS_SAMPLER0_BORDER_RED = 0x0a600;
    /// Bytes / 256 of constant buffer 0 of pixel waves; 15 more follow.
    ALU_CONST_BUFFER_SIZE_PS_0 = 0x28140;
    /// Bytes / 256 of constant buffer 0 of vertex waves; 15 more follow.
    ALU_CONST_BUFFER_SIZE_VS_0 = 0x28180;
    /// Bit 0: several passes; draws need 0.
    SX_MISC = 0x28350;
    /// Name of the vertex attribute that semantic fetches put into register 1; 31 more follow.
    SQ_VTX_SEMANTIC_0 = 0x28380;
    /// [`SxAlphaTestControl`].
    SX_ALPHA_TEST_CONTROL = 0x28410;
    /// Reference of the alpha test (float).
    SX_ALPHA_REF = 0x28438;
    /// Byte address / 256 of the pixel program; 0 is none.
    SQ_PGM_START_PS = 0x28840;
    /// [`SqPgmResources`].
    SQ_PGM_RESOURCES_PS = 0x28850;
    /// [`SqPgmExportsPs`].
    SQ_PGM_EXPORTS_PS = 0x28854;
    /// Byte address / 256 of the vertex program.
    SQ_PGM_START_VS = 0x28858;
    /// [`SqPgmResources`].
    SQ_PGM_RESOURCES_VS = 0x28868;
    /// Byte address / 256 of the geometry program.
    SQ_PGM_START_GS = 0x2886c;
    /// [`SqPgmResources`].
    SQ_PGM_RESOURCES_GS = 0x2887c;
    /// Byte address / 256 of the export program.
    SQ_PGM_START_ES = 0x28880;
    /// [`SqPgmResources`].
    SQ_PGM_RESOURCES_ES = 0x28890;
    /// Byte address / 256 of the fetch program.
    SQ_PGM_START_FS = 0x28894;
    /// [`SqPgmResources`].
    SQ_PGM_RESOURCES_FS = 0x288a4;
    /// Scratch words of a vertex lane.
    SQ_VSTMP_RING_ITEMSIZE = 0x288b8;
    /// Scratch words of a pixel lane.
    SQ_PSTMP_RING_ITEMSIZE = 0x288bc;
    /// First control flow instruction of the pixel program, in 8 bytes.
    SQ_PGM_CF_OFFSET_PS = 0x288cc;
    /// First control flow instruction of the vertex program, in 8 bytes.
    SQ_PGM_CF_OFFSET_VS = 0x288d0;
    /// First control flow instruction of the fetch program, in 8 bytes.
    SQ_PGM_CF_OFFSET_FS = 0x288dc;
    /// Semantics that are written as nothing; kept, not acted upon.
    SQ_VTX_SEMANTIC_CLEAR = 0x288e0;
    /// Byte address / 256 of constant buffer 0 of pixel waves; 15 more follow.
    ALU_CONST_CACHE_PS_0 = 0x28940;
    /// Byte address / 256 of constant buffer 0 of vertex waves; 15 more follow.
    ALU_CONST_CACHE_VS_0 = 0x28980;
    /// Added to the vertex number of fetches of vertex data.
    SQ_VTX_BASE_VTX_LOC = 0x3cff0;
    /// Added to the instance number of fetches of instance data.
    SQ_VTX_START_INST_LOC = 0x3cff4;
    /// [`SqLoopConst`] of pixel waves; 31 more follow, then 32 of vertex waves.
    SQ_LOOP_CONST_0 = 0x3e200;
    /// 32 booleans of pixel waves; those of vertex waves follow.
    SQ_BOOL_CONST_0 = 0x3e380;
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
