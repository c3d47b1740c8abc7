//! Registers of the shader processor input: programs, user data, interpolation, export formats.

use radeon::r6xx::regs::*;

radeon::registers! {
    pub(super) TABLE:
    SPI_PS_INPUT_CNTL_0: SpiPsInputCntl [32; 4];
    SPI_VS_OUT_CONFIG: SpiVsOutConfig;
    /// Trap handler of the pixel shader; bits 47:40 and the same of its memory (TMA) follow.
    SPI_SHADER_TBA_LO_PS: Base256b = 0x0b000;
    SPI_SHADER_TBA_HI_PS: BaseHi = 0x0b004;
    SPI_SHADER_TMA_LO_PS: Base256b = 0x0b008;
    SPI_SHADER_TMA_HI_PS: BaseHi = 0x0b00c;
    /// Pixel shader.
    SPI_SHADER_PGM_LO_PS: Base256b = 0x0b020;
    SPI_SHADER_PGM_HI_PS: BaseHi = 0x0b024;
    SPI_SHADER_PGM_RSRC1_PS: SpiShaderPgmRsrc1Ps = 0x0b028;
    SPI_SHADER_PGM_RSRC2_PS: SpiShaderPgmRsrc2Ps = 0x0b02c;
    /// First user SGPR of the pixel shader.
    SPI_SHADER_USER_DATA_PS_0 = 0x0b030 [16; 4];
    /// Trap handler of the vertex shader; bits 47:40 and the same of its memory (TMA) follow.
    SPI_SHADER_TBA_LO_VS: Base256b = 0x0b100;
    SPI_SHADER_TBA_HI_VS: BaseHi = 0x0b104;
    SPI_SHADER_TMA_LO_VS: Base256b = 0x0b108;
    SPI_SHADER_TMA_HI_VS: BaseHi = 0x0b10c;
    /// Vertex shader.
    SPI_SHADER_PGM_LO_VS: Base256b = 0x0b120;
    SPI_SHADER_PGM_HI_VS: BaseHi = 0x0b124;
    SPI_SHADER_PGM_RSRC1_VS: SpiShaderPgmRsrc1Vs = 0x0b128;
    SPI_SHADER_PGM_RSRC2_VS: SpiShaderPgmRsrc2Vs = 0x0b12c;
    /// First user SGPR of the vertex shader.
    SPI_SHADER_USER_DATA_VS_0 = 0x0b130 [16; 4];
    /// Trap handler of the geometry shader; bits 47:40 and the same of its memory (TMA) follow.
    SPI_SHADER_TBA_LO_GS: Base256b = 0x0b200;
    SPI_SHADER_TBA_HI_GS: BaseHi = 0x0b204;
    SPI_SHADER_TMA_LO_GS: Base256b = 0x0b208;
    SPI_SHADER_TMA_HI_GS: BaseHi = 0x0b20c;
    /// Geometry shader.
    SPI_SHADER_PGM_LO_GS: Base256b = 0x0b220;
    SPI_SHADER_PGM_HI_GS: BaseHi = 0x0b224;
    SPI_SHADER_PGM_RSRC1_GS: SpiShaderPgmRsrc1Gs = 0x0b228;
    SPI_SHADER_PGM_RSRC2_GS: SpiShaderPgmRsrc2Gs = 0x0b22c;
    /// First user SGPR of the geometry shader.
    SPI_SHADER_USER_DATA_GS_0 = 0x0b230 [16; 4];
    /// Trap handler of the export shader; bits 47:40 and the same of its memory (TMA) follow.
    SPI_SHADER_TBA_LO_ES: Base256b = 0x0b300;
    SPI_SHADER_TBA_HI_ES: BaseHi = 0x0b304;
    SPI_SHADER_TMA_LO_ES: Base256b = 0x0b308;
    SPI_SHADER_TMA_HI_ES: BaseHi = 0x0b30c;
    /// Export shader: the vertex shader before a geometry shader.
    SPI_SHADER_PGM_LO_ES: Base256b = 0x0b320;
    SPI_SHADER_PGM_HI_ES: BaseHi = 0x0b324;
    SPI_SHADER_PGM_RSRC1_ES: SpiShaderPgmRsrc1Es = 0x0b328;
    SPI_SHADER_PGM_RSRC2_ES: SpiShaderPgmRsrc2Es = 0x0b32c;
    /// First user SGPR of the export shader.
    SPI_SHADER_USER_DATA_ES_0 = 0x0b330 [16; 4];
    /// Trap handler of the hull shader; bits 47:40 and the same of its memory (TMA) follow.
    SPI_SHADER_TBA_LO_HS: Base256b = 0x0b400;
    SPI_SHADER_TBA_HI_HS: BaseHi = 0x0b404;
    SPI_SHADER_TMA_LO_HS: Base256b = 0x0b408;
    SPI_SHADER_TMA_HI_HS: BaseHi = 0x0b40c;
    /// Hull shader: finds out how patches are divided.
    SPI_SHADER_PGM_LO_HS: Base256b = 0x0b420;
    SPI_SHADER_PGM_HI_HS: BaseHi = 0x0b424;
    SPI_SHADER_PGM_RSRC1_HS: SpiShaderPgmRsrc1Hs = 0x0b428;
    SPI_SHADER_PGM_RSRC2_HS: SpiShaderPgmRsrc2Hs = 0x0b42c;
    /// First user SGPR of the hull shader.
    SPI_SHADER_USER_DATA_HS_0 = 0x0b430 [16; 4];
    /// Trap handler of the local shader; bits 47:40 and the same of its memory (TMA) follow.
    SPI_SHADER_TBA_LO_LS: Base256b = 0x0b500;
    SPI_SHADER_TBA_HI_LS: BaseHi = 0x0b504;
    SPI_SHADER_TMA_LO_LS: Base256b = 0x0b508;
    SPI_SHADER_TMA_HI_LS: BaseHi = 0x0b50c;
    /// Local shader: the vertex shader before a hull shader.
    SPI_SHADER_PGM_LO_LS: Base256b = 0x0b520;
    SPI_SHADER_PGM_HI_LS: BaseHi = 0x0b524;
    SPI_SHADER_PGM_RSRC1_LS: SpiShaderPgmRsrc1Ls = 0x0b528;
    SPI_SHADER_PGM_RSRC2_LS: SpiShaderPgmRsrc2Ls = 0x0b52c;
    /// First user SGPR of the local shader.
    SPI_SHADER_USER_DATA_LS_0 = 0x0b530 [16; 4];
    /// Pixel inputs that are computed.
    SPI_PS_INPUT_ENA: SpiPsInputs = 0x286cc;
    /// Pixel inputs that have VGPRs, a superset of ENA.
    SPI_PS_INPUT_ADDR: SpiPsInputs = 0x286d0;
    SPI_PS_IN_CONTROL: SpiPsInControl = 0x286d8;
    SPI_BARYC_CNTL: SpiBarycCntl = 0x286e0;
    /// Scratch ring.
    SPI_TMPRING_SIZE: SpiTmpringSize = 0x286e8;
    /// Values in [`pos_format`].
    SPI_SHADER_POS_FORMAT: SpiShaderPosFormat = 0x2870c;
    /// Format of the MRTZ export; values in [`col_format`].
    SPI_SHADER_Z_FORMAT: SpiShaderZFormat = 0x28710;
    /// Values in [`col_format`].
    SPI_SHADER_COL_FORMAT: SpiShaderColFormat = 0x28714;
}

isa::word! {
    /// Bits 47:40 of an address, above [`Base256b`].
    pub struct BaseHi: u32 where {
        reserved_8: u32 [31:8],
        base_hi: u8 [7:0],
    }
}

isa::word! {
    /// SPI_PS_INPUT_ENA and SPI_PS_INPUT_ADDR.
    pub struct SpiPsInputs: u32 where {
        reserved_16: u16 [31:16],
        pos_fixed_pt_ena: bool [15:15],
        sample_coverage_ena: bool [14:14],
        ancillary_ena: bool [13:13],
        front_face_ena: bool [12:12],
        pos_w_float_ena: bool [11:11],
        pos_z_float_ena: bool [10:10],
        pos_y_float_ena: bool [9:9],
        pos_x_float_ena: bool [8:8],
        line_stipple_tex_ena: bool [7:7],
        linear_centroid_ena: bool [6:6],
        linear_center_ena: bool [5:5],
        linear_sample_ena: bool [4:4],
        persp_pull_model_ena: bool [3:3],
        persp_centroid_ena: bool [2:2],
        persp_center_ena: bool [1:1],
        persp_sample_ena: bool [0:0],
    }
}

isa::word! {
    /// SPI_SHADER_POS_FORMAT.
    pub struct SpiShaderPosFormat: u32 where {
        reserved_16: u16 [31:16],
        pos3_export_format: u8 [15:12],
        pos2_export_format: u8 [11:8],
        pos1_export_format: u8 [7:4],
        pos0_export_format: u8 [3:0],
    }
}

isa::word! {
    /// SPI_SHADER_Z_FORMAT.
    pub struct SpiShaderZFormat: u32 where {
        reserved_4: u32 [31:4],
        z_export_format: u8 [3:0],
    }
}

isa::word! {
    /// SPI_SHADER_COL_FORMAT.
    pub struct SpiShaderColFormat: u32 where {
        col7_export_format: u8 [31:28],
        col6_export_format: u8 [27:24],
        col5_export_format: u8 [23:20],
        col4_export_format: u8 [19:16],
        col3_export_format: u8 [15:12],
        col2_export_format: u8 [11:8],
        col1_export_format: u8 [7:4],
        col0_export_format: u8 [3:0],
    }
}

isa::word! {
    /// SPI_SHADER_PGM_RSRC1_PS.
    pub struct SpiShaderPgmRsrc1Ps: u32 where {
        reserved_25: u8 [31:25],
        cu_group_disable: bool [24:24],
        ieee_mode: bool [23:23],
        debug_mode: bool [22:22],
        dx10_clamp: bool [21:21],
        privileged: bool [20:20],
        float_mode: u8 [19:12],
        priority: u8 [11:10],
        sgprs: u8 [9:6],
        vgprs: u8 [5:0],
    }
}

isa::word! {
    /// SPI_SHADER_PGM_RSRC2_PS.
    pub struct SpiShaderPgmRsrc2Ps: u32 where {
        reserved_23: u16 [31:23],
        excp_en: u8 [22:16],
        extra_lds_size: u8 [15:8],
        wave_cnt_en: bool [7:7],
        reserved_6: bool [6:6],
        user_sgpr: u8 [5:1],
        scratch_en: bool [0:0],
    }
}

isa::word! {
    /// SPI_SHADER_PGM_RSRC1_VS.
    pub struct SpiShaderPgmRsrc1Vs: u32 where {
        reserved_27: u8 [31:27],
        cu_group_enable: bool [26:26],
        vgpr_comp_cnt: u8 [25:24],
        ieee_mode: bool [23:23],
        debug_mode: bool [22:22],
        dx10_clamp: bool [21:21],
        privileged: bool [20:20],
        float_mode: u8 [19:12],
        priority: u8 [11:10],
        sgprs: u8 [9:6],
        vgprs: u8 [5:0],
    }
}

isa::word! {
    /// SPI_SHADER_PGM_RSRC2_VS.
    pub struct SpiShaderPgmRsrc2Vs: u32 where {
        reserved_20: u16 [31:20],
        excp_en: u8 [19:13],
        so_en: bool [12:12],
        so_base3_en: bool [11:11],
        so_base2_en: bool [10:10],
        so_base1_en: bool [9:9],
        so_base0_en: bool [8:8],
        oc_lds_en: bool [7:7],
        reserved_6: bool [6:6],
        user_sgpr: u8 [5:1],
        scratch_en: bool [0:0],
    }
}

isa::word! {
    /// SPI_SHADER_PGM_RSRC1_ES.
    pub struct SpiShaderPgmRsrc1Es: u32 where {
        reserved_27: u8 [31:27],
        cu_group_enable: bool [26:26],
        vgpr_comp_cnt: u8 [25:24],
        ieee_mode: bool [23:23],
        debug_mode: bool [22:22],
        dx10_clamp: bool [21:21],
        privileged: bool [20:20],
        float_mode: u8 [19:12],
        priority: u8 [11:10],
        sgprs: u8 [9:6],
        vgprs: u8 [5:0],
    }
}

isa::word! {
    /// SPI_SHADER_PGM_RSRC2_ES.
    pub struct SpiShaderPgmRsrc2Es: u32 where {
        reserved_15: u32 [31:15],
        excp_en: u8 [14:8],
        oc_lds_en: bool [7:7],
        reserved_6: bool [6:6],
        user_sgpr: u8 [5:1],
        scratch_en: bool [0:0],
    }
}

isa::word! {
    /// SPI_SHADER_PGM_RSRC1_HS.
    pub struct SpiShaderPgmRsrc1Hs: u32 where {
        reserved_24: u8 [31:24],
        ieee_mode: bool [23:23],
        debug_mode: bool [22:22],
        dx10_clamp: bool [21:21],
        privileged: bool [20:20],
        float_mode: u8 [19:12],
        priority: u8 [11:10],
        sgprs: u8 [9:6],
        vgprs: u8 [5:0],
    }
}

isa::word! {
    /// SPI_SHADER_PGM_RSRC2_HS.
    pub struct SpiShaderPgmRsrc2Hs: u32 where {
        reserved_16: u16 [31:16],
        excp_en: u8 [15:9],
        tg_size_en: bool [8:8],
        oc_lds_en: bool [7:7],
        reserved_6: bool [6:6],
        user_sgpr: u8 [5:1],
        scratch_en: bool [0:0],
    }
}

isa::word! {
    /// SPI_SHADER_PGM_RSRC1_LS.
    pub struct SpiShaderPgmRsrc1Ls: u32 where {
        reserved_26: u8 [31:26],
        vgpr_comp_cnt: u8 [25:24],
        ieee_mode: bool [23:23],
        debug_mode: bool [22:22],
        dx10_clamp: bool [21:21],
        privileged: bool [20:20],
        float_mode: u8 [19:12],
        priority: u8 [11:10],
        sgprs: u8 [9:6],
        vgprs: u8 [5:0],
    }
}

isa::word! {
    /// SPI_SHADER_PGM_RSRC2_LS. LDS_SIZE counts 64 words of a group.
    pub struct SpiShaderPgmRsrc2Ls: u32 where {
        reserved_23: u16 [31:23],
        excp_en: u8 [22:16],
        lds_size: u16 [15:7],
        reserved_6: bool [6:6],
        user_sgpr: u8 [5:1],
        scratch_en: bool [0:0],
    }
}

isa::word! {
    /// SPI_SHADER_PGM_RSRC1_GS.
    pub struct SpiShaderPgmRsrc1Gs: u32 where {
        reserved_25: u8 [31:25],
        cu_group_enable: bool [24:24],
        ieee_mode: bool [23:23],
        debug_mode: bool [22:22],
        dx10_clamp: bool [21:21],
        privileged: bool [20:20],
        float_mode: u8 [19:12],
        priority: u8 [11:10],
        sgprs: u8 [9:6],
        vgprs: u8 [5:0],
    }
}

isa::word! {
    /// SPI_SHADER_PGM_RSRC2_GS.
    pub struct SpiShaderPgmRsrc2Gs: u32 where {
        reserved_14: u32 [31:14],
        excp_en: u8 [13:7],
        reserved_6: bool [6:6],
        user_sgpr: u8 [5:1],
        scratch_en: bool [0:0],
    }
}

isa::word! {
    /// SPI_PS_INPUT_CNTL_n: where attribute n comes from. OFFSET bit 5 set means DEFAULT_VAL: 0 0000, 1 0001, 2 1110, 3 1111.
    pub struct SpiPsInputCntl: u32 where {
        reserved_19: u16 [31:19],
        dup: bool [18:18],
        pt_sprite_tex: bool [17:17],
        cyl_wrap: u8 [16:13],
        reserved_11: u8 [12:11],
        flat_shade: bool [10:10],
        default_val: u8 [9:8],
        reserved_6: u8 [7:6],
        offset: u8 [5:0],
    }
}

isa::word! {
    /// SPI_VS_OUT_CONFIG.
    pub struct SpiVsOutConfig: u32 where {
        reserved_13: u32 [31:13],
        vs_out_fog_vec_addr: u8 [12:8],
        vs_exports_fog: bool [7:7],
        vs_half_pack: bool [6:6],
        vs_export_count: u8 [5:1],
        reserved_0: bool [0:0],
    }
}

isa::word! {
    /// SPI_PS_IN_CONTROL.
    pub struct SpiPsInControl: u32 where {
        reserved_16: u16 [31:16],
        pass_fog_through_ps: bool [15:15],
        bc_optimize_disable: bool [14:14],
        fog_addr: u8 [13:7],
        param_gen: bool [6:6],
        num_interp: u8 [5:0],
    }
}

isa::word! {
    /// SPI_BARYC_CNTL.
    pub struct SpiBarycCntl: u32 where {
        reserved_25: u8 [31:25],
        front_face_all_bits: bool [24:24],
        reserved_21: u8 [23:21],
        pos_float_ulc: bool [20:20],
        reserved_18: u8 [19:18],
        pos_float_location: u8 [17:16],
        reserved_13: u8 [15:13],
        linear_centroid_cntl: bool [12:12],
        reserved_9: u8 [11:9],
        linear_center_cntl: bool [8:8],
        reserved_5: u8 [7:5],
        persp_centroid_cntl: bool [4:4],
        reserved_1: u8 [3:1],
        persp_center_cntl: bool [0:0],
    }
}

isa::word! {
    /// SPI_TMPRING_SIZE.
    pub struct SpiTmpringSize: u32 where {
        reserved_25: u8 [31:25],
        wavesize: u16 [24:12],
        waves: u16 [11:0],
    }
}

/// Formats of position exports.
pub mod pos_format {
    /// Nothing.
    pub const NONE: u8 = 0;
    /// One component.
    pub const COMP_1: u8 = 1;
    /// Two components.
    pub const COMP_2: u8 = 2;
    /// Four 16-bit components.
    pub const COMPRESS_4: u8 = 3;
    /// Four components.
    pub const COMP_4: u8 = 4;
}

/// Formats of colour and depth exports.
pub mod col_format {
    /// No export.
    pub const ZERO: u8 = 0;
    /// Red as 32 bits.
    pub const R_32: u8 = 1;
    /// Red and green as 32 bits.
    pub const GR_32: u8 = 2;
    /// Red and alpha as 32 bits.
    pub const AR_32: u8 = 3;
    /// Four half floats.
    pub const FP16_ABGR: u8 = 4;
    /// Four 16-bit unsigned normalised.
    pub const UNORM16_ABGR: u8 = 5;
    /// Four 16-bit signed normalised.
    pub const SNORM16_ABGR: u8 = 6;
    /// Four 16-bit unsigned integers.
    pub const UINT16_ABGR: u8 = 7;
    /// Four 16-bit signed integers.
    pub const SINT16_ABGR: u8 = 8;
    /// Four times 32 bits.
    pub const ABGR_32: u8 = 9;
}
