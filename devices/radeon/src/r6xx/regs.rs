//! Registers that R600 and Southern Islands share: same address, same fields. Bits that one chip reserves are marked.
//! Moved or changed registers are in each chip's `regs`. Literals name the fields that matter and take the rest from
//! `from_word(0)`.

use std::ops::Range;

pub use super::codes::{
    blend, comb_fcn, comp_swap, compare, number_type, point_sprite, prim_type, stipple_reset,
};
pub use super::packets::event;

/// First register that SET_CONFIG_REG writes; where the space ends is the chip's.
pub const CONFIG_START: u32 = 0x8000;
/// Registers that SET_CONTEXT_REG writes.
pub const CONTEXT: Range<u32> = 0x28000..0x29000;

crate::registers! {
    pub SHARED_REGISTERS:
    /// Upper left corner of what may be drawn.
    PA_SC_SCREEN_SCISSOR_TL: PaScScreenScissorTl = 0x28030;
    /// Offset of windows; draws need 0.
    PA_SC_WINDOW_OFFSET: PaScWindowOffset = 0x28200;
    /// Draws need 0xffff, which is everywhere.
    PA_SC_CLIPRECT_RULE: PaScCliprectRule = 0x2820c;
    /// Upper left corner of a clip rectangle.
    PA_SC_CLIPRECT_0_TL: PaScCliprect = 0x28210 [4; 8];
    /// Lower right corner, exclusive.
    PA_SC_CLIPRECT_0_BR: PaScCliprect = 0x28214 [4; 8];
    /// Draws need 0xaaaaaaaa but for lines, which is top-left.
    PA_SC_EDGERULE: PaScEdgerule = 0x28230;
    /// Least depth of a viewport.
    PA_SC_VPORT_ZMIN_0: f32 = 0x282d0 [16; 8];
    /// Greatest depth of a viewport.
    PA_SC_VPORT_ZMAX_0: f32 = 0x282d4 [16; 8];
    /// First of the six floats of viewport 0; the viewports are [`VPORT_STRIDE`] apart.
    PA_CL_VPORT_XSCALE_0: f32 = 0x2843c [16; 0x18];
    PA_CL_VPORT_XOFFSET_0: f32 = 0x28440 [16; 0x18];
    PA_CL_VPORT_YSCALE_0: f32 = 0x28444 [16; 0x18];
    PA_CL_VPORT_YOFFSET_0: f32 = 0x28448 [16; 0x18];
    PA_CL_VPORT_ZSCALE_0: f32 = 0x2844c [16; 0x18];
    PA_CL_VPORT_ZOFFSET_0: f32 = 0x28450 [16; 0x18];
    PA_CL_CLIP_CNTL: PaClClipCntl = 0x28810;
    PA_SU_SC_MODE_CNTL: PaSuScModeCntl = 0x28814;
    PA_CL_VTE_CNTL: PaClVteCntl = 0x28818;
    PA_CL_VS_OUT_CNTL: PaClVsOutCntl = 0x2881c;
    /// Clip treatment of NaN and infinity; draws need 0.
    PA_CL_NANINF_CNTL: PaClNaninfCntl = 0x28820;
    /// Half extents in 12.4.
    PA_SU_POINT_SIZE: PaSuPointSize = 0x28a00;
    /// Half sizes in 12.4.
    PA_SU_POINT_MINMAX: PaSuPointMinmax = 0x28a04;
    /// Half width in 12.4.
    PA_SU_LINE_CNTL: PaSuLineCntl = 0x28a08;
    /// AUTO_RESET_CNTL is a code of [`stipple_reset`].
    PA_SC_LINE_STIPPLE: PaScLineStipple = 0x28a0c;
    /// Address / 256 of the Hi-Z surface; kept, not acted upon.
    DB_HTILE_DATA_BASE: Base256b = 0x28014;
    /// Stencil value of fast clears; kept, not acted upon.
    DB_STENCIL_CLEAR: DbStencilClear = 0x28028;
    /// Depth of fast clears; kept, not acted upon.
    DB_DEPTH_CLEAR: f32 = 0x2802c;
    /// Components that are written.
    CB_TARGET_MASK: CbTargetMask = 0x28238;
    /// Components that the shader exports.
    CB_SHADER_MASK: CbShaderMask = 0x2823c;
    /// Blend constant.
    CB_BLEND_RED: f32 = 0x28414;
    /// Blend constant.
    CB_BLEND_GREEN: f32 = 0x28418;
    /// Blend constant.
    CB_BLEND_BLUE: f32 = 0x2841c;
    /// Blend constant.
    CB_BLEND_ALPHA: f32 = 0x28420;
    /// On R600 only with CB_COLOR_CONTROL.PER_MRT_BLEND.
    CB_BLEND0_CONTROL: CbBlendControl = 0x28780 [8; 4];
    SPI_INTERP_CONTROL_0: SpiInterpControl0 = 0x286d4;
    /// Values in [`prim_type`].
    VGT_PRIMITIVE_TYPE: VgtPrimitiveType = 0x08958;
    /// Largest vertex index; larger ones are clamped.
    VGT_MAX_VTX_INDX = 0x28400;
    /// Smallest vertex index; smaller ones are clamped.
    VGT_MIN_VTX_INDX = 0x28404;
    /// Added to every index.
    VGT_INDX_OFFSET = 0x28408;
    /// Index that restarts a strip.
    VGT_MULTI_PRIM_IB_RESET_INDX = 0x2840c;
    VGT_DRAW_INITIATOR: VgtDrawInitiator = 0x287f0;
    /// Words of a buffer of a stream, and of its vertices.
    VGT_STRMOUT_BUFFER_SIZE_0 = 0x28ad0 [4; 0x10];
    VGT_STRMOUT_VTX_STRIDE_0: VgtStrmoutVtxStride = 0x28ad4 [4; 0x10];
    /// Where a buffer starts; kept, as STRMOUT_BUFFER_UPDATE says it.
    VGT_STRMOUT_BUFFER_OFFSET_0 = 0x28adc [4; 0x10];
    /// What draws from counts of streams take their vertices from.
    VGT_STRMOUT_DRAW_OPAQUE_OFFSET = 0x28b28;
    VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE = 0x28b2c;
    VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE = 0x28b30;
    /// How vertices reach primitive assembly; draws need no tessellation.
    VGT_OUTPUT_PATH_CNTL: VgtOutputPathCntl = 0x28a10;
    /// Tessellation without shaders; draws need 0.
    VGT_HOS_CNTL: VgtHosCntl = 0x28a14;
    /// Geometry stage mode; 0 is off.
    VGT_GS_MODE = 0x28a40;
    /// Values in [`super::rings::out_prim_type`].
    VGT_GS_OUT_PRIM_TYPE: VgtGsOutPrimType = 0x28a6c;
    /// The primitive number is wanted.
    VGT_PRIMITIVEID_EN: VgtPrimitiveidEn = 0x28a84;
    /// Restart is on.
    VGT_MULTI_PRIM_IB_RESET_EN: VgtMultiPrimIbResetEn = 0x28a94;
    /// Divisor of the instance number: R0.y on R600, v1 on Southern Islands.
    VGT_INSTANCE_STEP_RATE_0 = 0x28aa0;
    /// Second divisor: R0.z on R600.
    VGT_INSTANCE_STEP_RATE_1 = 0x28aa4;
    /// Shared vertices are shaded again.
    VGT_REUSE_OFF: VgtReuseOff = 0x28ab4;
    /// Vertices are counted over several draws; Southern Islands needs 0.
    VGT_VTX_CNT_EN: VgtVtxCntEn = 0x28ab8;
}

/// PaScScreenScissorBr of the chip, exclusive.
pub const PA_SC_SCREEN_SCISSOR_BR: u32 = 0x28034;
/// PaScScissorTl of the chip.
pub const PA_SC_WINDOW_SCISSOR_TL: u32 = 0x28204;
/// PaScScissorBr of the chip, exclusive.
pub const PA_SC_WINDOW_SCISSOR_BR: u32 = 0x28208;
/// PaScScissorTl of the chip.
pub const PA_SC_GENERIC_SCISSOR_TL: u32 = 0x28240;
/// PaScScissorBr of the chip, exclusive.
pub const PA_SC_GENERIC_SCISSOR_BR: u32 = 0x28244;
/// First of 16 viewport scissors, 8 bytes apart: PaScScissorTl of the chip.
pub const PA_SC_VPORT_SCISSOR_0_TL: u32 = 0x28250;
/// PaScScissorBr of the chip, exclusive.
pub const PA_SC_VPORT_SCISSOR_0_BR: u32 = 0x28254;
/// Reference and masks of front faces.
pub const DB_STENCILREFMASK: u32 = 0x28430;
/// Reference and masks of back faces.
pub const DB_STENCILREFMASK_BF: u32 = 0x28434;
/// DbDepthControl of the chip; functions are codes of [`compare`].
pub const DB_DEPTH_CONTROL: u32 = 0x28800;
/// DbShaderControl of the chip.
pub const DB_SHADER_CONTROL: u32 = 0x2880c;
/// CbColorControl of the chip.
pub const CB_COLOR_CONTROL: u32 = 0x28808;
/// First of 32 SpiPsInputCntl of the chip, 4 bytes apart.
pub const SPI_PS_INPUT_CNTL_0: u32 = 0x28644;
/// SpiVsOutConfig of the chip.
pub const SPI_VS_OUT_CONFIG: u32 = 0x286c4;

isa::word! {
    /// Byte address / 256 of a surface, a table or a program.
    pub struct Base256b: u32 where {
        base_256b: u32 [31:0],
    }
}

isa::word! {
    /// PA_SC_SCREEN_SCISSOR_TL. R600 has no bits 31 and 15.
    pub struct PaScScreenScissorTl: u32 where {
        tl_y: u16 [31:16],
        tl_x: u16 [15:0],
    }
}

isa::word! {
    /// PA_SC_WINDOW_OFFSET. R600 has no bits 31 and 15.
    pub struct PaScWindowOffset: u32 where {
        window_y_offset: u16 [31:16],
        window_x_offset: u16 [15:0],
    }
}

isa::word! {
    /// PA_SC_CLIPRECT_RULE.
    pub struct PaScCliprectRule: u32 where {
        reserved_16: u16 [31:16],
        clip_rule: u16 [15:0],
    }
}

isa::word! {
    /// PA_SC_CLIPRECT_n_TL and _BR. R600 has no bits 30 and 14.
    pub struct PaScCliprect: u32 where {
        reserved_31: bool [31:31],
        y: u16 [30:16],
        reserved_15: bool [15:15],
        x: u16 [14:0],
    }
}

isa::word! {
    /// VGT_STRMOUT_VTX_STRIDE_n.
    pub struct VgtStrmoutVtxStride: u32 where {
        reserved_10: u32 [31:10],
        stride: u16 [9:0],
    }
}

isa::word! {
    /// CP_STRMOUT_CNTL, which each chip has at another place.
    pub struct CpStrmoutCntl: u32 where {
        reserved_1: u32 [31:1],
        /// Counters of streamed vertices are up to date; SO_VGTSTREAMOUT_FLUSH sets it.
        offset_update_done: bool [0:0],
    }
}

isa::word! {
    /// PA_SC_EDGERULE.
    pub struct PaScEdgerule: u32 where {
        er_line_bt: u8 [31:28],
        er_line_tb: u8 [27:24],
        er_line_rl: u8 [23:18],
        er_line_lr: u8 [17:12],
        er_rect: u8 [11:8],
        er_point: u8 [7:4],
        er_tri: u8 [3:0],
    }
}

isa::word! {
    /// PA_CL_NANINF_CNTL.
    pub struct PaClNaninfCntl: u32 where {
        reserved_21: u16 [31:21],
        vte_no_output_neg_0: bool [20:20],
        reserved_15: u8 [19:15],
        vs_clip_dist_inf_discard: bool [14:14],
        vs_w_inf_retain: bool [13:13],
        vs_w_nan_to_inf: bool [12:12],
        vs_z_inf_retain: bool [11:11],
        vs_z_nan_to_inf: bool [10:10],
        vs_xy_inf_retain: bool [9:9],
        vs_xy_nan_to_inf: bool [8:8],
        vte_w_recip_nan_is_0: bool [7:7],
        vte_w_nan_retain: bool [6:6],
        vte_z_nan_retain: bool [5:5],
        vte_xy_nan_retain: bool [4:4],
        vte_0xnaninf_is_0: bool [3:3],
        vte_w_inf_discard: bool [2:2],
        vte_z_inf_discard: bool [1:1],
        vte_xy_inf_discard: bool [0:0],
    }
}

isa::word! {
    /// DB_STENCIL_CLEAR. Southern Islands has no bits 23:16.
    pub struct DbStencilClear: u32 where {
        reserved_24: u8 [31:24],
        min: u8 [23:16],
        reserved_8: u8 [15:8],
        clear: u8 [7:0],
    }
}

isa::word! {
    /// CB_TARGET_MASK.
    pub struct CbTargetMask: u32 where {
        target7_enable: u8 [31:28],
        target6_enable: u8 [27:24],
        target5_enable: u8 [23:20],
        target4_enable: u8 [19:16],
        target3_enable: u8 [15:12],
        target2_enable: u8 [11:8],
        target1_enable: u8 [7:4],
        target0_enable: u8 [3:0],
    }
}

isa::word! {
    /// CB_SHADER_MASK.
    pub struct CbShaderMask: u32 where {
        output7_enable: u8 [31:28],
        output6_enable: u8 [27:24],
        output5_enable: u8 [23:20],
        output4_enable: u8 [19:16],
        output3_enable: u8 [15:12],
        output2_enable: u8 [11:8],
        output1_enable: u8 [7:4],
        output0_enable: u8 [3:0],
    }
}

isa::word! {
    /// VGT_PRIMITIVE_TYPE.
    pub struct VgtPrimitiveType: u32 where {
        reserved_6: u32 [31:6],
        prim_type: u8 [5:0],
    }
}

isa::word! {
    /// VGT_OUTPUT_PATH_CNTL. R600 has no bit 2.
    pub struct VgtOutputPathCntl: u32 where {
        reserved_3: u32 [31:3],
        path_select: u8 [2:0],
    }
}

isa::word! {
    /// VGT_HOS_CNTL.
    pub struct VgtHosCntl: u32 where {
        reserved_2: u32 [31:2],
        tess_mode: u8 [1:0],
    }
}

isa::word! {
    /// VGT_GS_OUT_PRIM_TYPE. R600 has the lowest six bits only.
    pub struct VgtGsOutPrimType: u32 where {
        unique_type_per_stream: bool [31:31],
        reserved_28: u8 [30:28],
        outprim_type_3: u8 [27:22],
        outprim_type_2: u8 [21:16],
        reserved_14: u8 [15:14],
        outprim_type_1: u8 [13:8],
        reserved_6: u8 [7:6],
        outprim_type: u8 [5:0],
    }
}

isa::word! {
    /// VGT_PRIMITIVEID_EN. R600 has no bit 1.
    pub struct VgtPrimitiveidEn: u32 where {
        reserved_2: u32 [31:2],
        disable_reset_on_eoi: bool [1:1],
        primitiveid_en: bool [0:0],
    }
}

isa::word! {
    /// VGT_MULTI_PRIM_IB_RESET_EN.
    pub struct VgtMultiPrimIbResetEn: u32 where {
        reserved_1: u32 [31:1],
        reset_en: bool [0:0],
    }
}

isa::word! {
    /// VGT_REUSE_OFF.
    pub struct VgtReuseOff: u32 where {
        reserved_1: u32 [31:1],
        reuse_off: bool [0:0],
    }
}

isa::word! {
    /// VGT_VTX_CNT_EN.
    pub struct VgtVtxCntEn: u32 where {
        reserved_1: u32 [31:1],
        vtx_cnt_en: bool [0:0],
    }
}

isa::word! {
    /// DB_SRESULTS_COMPARE_STATE0.
    pub struct DbSresultsCompareState0: u32 where {
        reserved_25: u8 [31:25],
        enable0: bool [24:24],
        reserved_20: u8 [23:20],
        comparemask0: u8 [19:12],
        comparevalue0: u8 [11:4],
        reserved_3: bool [3:3],
        comparefunc0: u8 [2:0],
    }
}

isa::word! {
    /// DB_SRESULTS_COMPARE_STATE1.
    pub struct DbSresultsCompareState1: u32 where {
        reserved_25: u8 [31:25],
        enable1: bool [24:24],
        reserved_20: u8 [23:20],
        comparemask1: u8 [19:12],
        comparevalue1: u8 [11:4],
        reserved_3: bool [3:3],
        comparefunc1: u8 [2:0],
    }
}

isa::word! {
    /// PA_CL_CLIP_CNTL.
    pub struct PaClClipCntl: u32 where {
        reserved_28: u8 [31:28],
        zclip_far_disable: bool [27:27],
        zclip_near_disable: bool [26:26],
        vte_vport_provoke_disable: bool [25:25],
        dx_linear_attr_clip_ena: bool [24:24],
        reserved_23: bool [23:23],
        dx_rasterization_kill: bool [22:22],
        vtx_kill_or: bool [21:21],
        dis_clip_err_detect: bool [20:20],
        dx_clip_space_def: bool [19:19],
        boundary_edge_flag_ena: bool [18:18],
        ucp_cull_only_ena: bool [17:17],
        clip_disable: bool [16:16],
        ps_ucp_mode: u8 [15:14],
        ps_ucp_y_scale_neg: bool [13:13],
        reserved_6: u8 [12:6],
        ucp_ena_5: bool [5:5],
        ucp_ena_4: bool [4:4],
        ucp_ena_3: bool [3:3],
        ucp_ena_2: bool [2:2],
        ucp_ena_1: bool [1:1],
        ucp_ena_0: bool [0:0],
    }
}

isa::word! {
    /// PA_SU_SC_MODE_CNTL.
    pub struct PaSuScModeCntl: u32 where {
        reserved_22: u16 [31:22],
        multi_prim_ib_ena: bool [21:21],
        persp_corr_dis: bool [20:20],
        provoking_vtx_last: bool [19:19],
        reserved_17: u8 [18:17],
        vtx_window_offset_enable: bool [16:16],
        reserved_14: u8 [15:14],
        poly_offset_para_enable: bool [13:13],
        poly_offset_back_enable: bool [12:12],
        poly_offset_front_enable: bool [11:11],
        polymode_back_ptype: u8 [10:8],
        polymode_front_ptype: u8 [7:5],
        poly_mode: u8 [4:3],
        face: bool [2:2],
        cull_back: bool [1:1],
        cull_front: bool [0:0],
    }
}

isa::word! {
    /// PA_CL_VTE_CNTL.
    pub struct PaClVteCntl: u32 where {
        reserved_11: u32 [31:11],
        vtx_w0_fmt: bool [10:10],
        vtx_z_fmt: bool [9:9],
        vtx_xy_fmt: bool [8:8],
        reserved_6: u8 [7:6],
        vport_z_offset_ena: bool [5:5],
        vport_z_scale_ena: bool [4:4],
        vport_y_offset_ena: bool [3:3],
        vport_y_scale_ena: bool [2:2],
        vport_x_offset_ena: bool [1:1],
        vport_x_scale_ena: bool [0:0],
    }
}

isa::word! {
    /// PA_CL_VS_OUT_CNTL. R600 has no bits 25:24.
    pub struct PaClVsOutCntl: u32 where {
        reserved_26: u8 [31:26],
        use_vtx_gs_cut_flag: bool [25:25],
        vs_out_misc_side_bus_ena: bool [24:24],
        vs_out_ccdist1_vec_ena: bool [23:23],
        vs_out_ccdist0_vec_ena: bool [22:22],
        vs_out_misc_vec_ena: bool [21:21],
        use_vtx_kill_flag: bool [20:20],
        use_vtx_viewport_indx: bool [19:19],
        use_vtx_render_target_indx: bool [18:18],
        use_vtx_edge_flag: bool [17:17],
        use_vtx_point_size: bool [16:16],
        cull_dist_ena_7: bool [15:15],
        cull_dist_ena_6: bool [14:14],
        cull_dist_ena_5: bool [13:13],
        cull_dist_ena_4: bool [12:12],
        cull_dist_ena_3: bool [11:11],
        cull_dist_ena_2: bool [10:10],
        cull_dist_ena_1: bool [9:9],
        cull_dist_ena_0: bool [8:8],
        clip_dist_ena_7: bool [7:7],
        clip_dist_ena_6: bool [6:6],
        clip_dist_ena_5: bool [5:5],
        clip_dist_ena_4: bool [4:4],
        clip_dist_ena_3: bool [3:3],
        clip_dist_ena_2: bool [2:2],
        clip_dist_ena_1: bool [1:1],
        clip_dist_ena_0: bool [0:0],
    }
}

isa::word! {
    /// PA_SU_POINT_SIZE.
    pub struct PaSuPointSize: u32 where {
        width: u16 [31:16],
        height: u16 [15:0],
    }
}

isa::word! {
    /// PA_SU_POINT_MINMAX.
    pub struct PaSuPointMinmax: u32 where {
        max_size: u16 [31:16],
        min_size: u16 [15:0],
    }
}

isa::word! {
    /// PA_SU_LINE_CNTL.
    pub struct PaSuLineCntl: u32 where {
        reserved_16: u16 [31:16],
        width: u16 [15:0],
    }
}

isa::word! {
    /// PA_SC_LINE_STIPPLE.
    pub struct PaScLineStipple: u32 where {
        reserved_31: bool [31:31],
        auto_reset_cntl: u8 [30:29],
        pattern_bit_order: bool [28:28],
        reserved_24: u8 [27:24],
        repeat_count: u8 [23:16],
        line_pattern: u16 [15:0],
    }
}

isa::word! {
    /// PA_SC_LINE_CNTL. R600 has no bits 12:11.
    pub struct PaScLineCntl: u32 where {
        reserved_13: u32 [31:13],
        dx10_diamond_test_ena: bool [12:12],
        perpendicular_endcap_ena: bool [11:11],
        last_pixel: bool [10:10],
        expand_line_width: bool [9:9],
        reserved_0: u16 [8:0],
    }
}

isa::word! {
    /// PA_SU_VTX_CNTL.
    pub struct PaSuVtxCntl: u32 where {
        reserved_6: u32 [31:6],
        quant_mode: u8 [5:3],
        round_mode: u8 [2:1],
        pix_center: bool [0:0],
    }
}

isa::word! {
    /// PA_SU_POLY_OFFSET_DB_FMT_CNTL.
    pub struct PaSuPolyOffsetDbFmtCntl: u32 where {
        reserved_9: u32 [31:9],
        poly_offset_db_is_float_fmt: bool [8:8],
        poly_offset_neg_num_db_bits: i8 [7:0],
    }
}

isa::word! {
    /// DB_DEPTH_VIEW. R600 has no bits 25:24.
    pub struct DbDepthView: u32 where {
        reserved_26: u8 [31:26],
        stencil_read_only: bool [25:25],
        z_read_only: bool [24:24],
        slice_max: u16 [23:13],
        reserved_11: u8 [12:11],
        slice_start: u16 [10:0],
    }
}

isa::word! {
    /// DB_RENDER_OVERRIDE. R600 has no bits 31:26 and 20:18.
    pub struct DbRenderOverride: u32 where {
        preserve_compression: bool [31:31],
        force_stencil_valid: bool [30:30],
        force_z_valid: bool [29:29],
        force_stencil_dirty: bool [28:28],
        force_z_dirty: bool [27:27],
        disable_tile_rate_tiles: bool [26:26],
        max_tiles_in_dtt: u8 [25:21],
        force_z_limit_summ: u8 [20:19],
        disable_fully_covered: bool [18:18],
        ignore_sc_zrange: bool [17:17],
        disable_viewport_clamp: bool [16:16],
        force_qc_smask_conflict: bool [15:15],
        force_full_z_range: u8 [14:13],
        force_stencil_read: bool [12:12],
        force_z_read: bool [11:11],
        force_color_kill: bool [10:10],
        noop_cull_disable: bool [9:9],
        fast_stencil_disable: bool [8:8],
        fast_z_disable: bool [7:7],
        force_shader_z_order: bool [6:6],
        force_his_enable1: u8 [5:4],
        force_his_enable0: u8 [3:2],
        force_hiz_enable: u8 [1:0],
    }
}

isa::word! {
    /// DB_ALPHA_TO_MASK.
    pub struct DbAlphaToMask: u32 where {
        reserved_17: u16 [31:17],
        offset_round: bool [16:16],
        alpha_to_mask_offset3: u8 [15:14],
        alpha_to_mask_offset2: u8 [13:12],
        alpha_to_mask_offset1: u8 [11:10],
        alpha_to_mask_offset0: u8 [9:8],
        reserved_1: u8 [7:1],
        alpha_to_mask_enable: bool [0:0],
    }
}

isa::word! {
    /// CB_COLORn_VIEW.
    pub struct CbColorView: u32 where {
        reserved_24: u8 [31:24],
        slice_max: u16 [23:13],
        reserved_11: u8 [12:11],
        slice_start: u16 [10:0],
    }
}

isa::word! {
    /// CB_BLENDn_CONTROL, and CB_BLEND_CONTROL of R600; values in [`blend`] and [`comb_fcn`].
    pub struct CbBlendControl: u32 where {
        /// Southern Islands: the target takes no part in logic operations.
        disable_rop3: bool [31:31],
        /// Southern Islands; R600 has CB_COLOR_CONTROL.TARGET_BLEND_ENABLE.
        enable: bool [30:30],
        separate_alpha_blend: bool [29:29],
        alpha_destblend: u8 [28:24],
        alpha_comb_fcn: u8 [23:21],
        alpha_srcblend: u8 [20:16],
        reserved_14: u8 [15:14],
        /// R600.
        opacity_weight: bool [13:13],
        color_destblend: u8 [12:8],
        color_comb_fcn: u8 [7:5],
        color_srcblend: u8 [4:0],
    }
}

isa::word! {
    /// SPI_INTERP_CONTROL_0.
    pub struct SpiInterpControl0: u32 where {
        reserved_15: u32 [31:15],
        pnt_sprite_top_1: bool [14:14],
        pnt_sprite_ovrd_w: u8 [13:11],
        pnt_sprite_ovrd_z: u8 [10:8],
        pnt_sprite_ovrd_y: u8 [7:5],
        pnt_sprite_ovrd_x: u8 [4:2],
        pnt_sprite_ena: bool [1:1],
        flat_shade_ena: bool [0:0],
    }
}

isa::word! {
    /// VGT_DRAW_INITIATOR. Southern Islands has no bit 4.
    pub struct VgtDrawInitiator: u32 where {
        reserved_7: u32 [31:7],
        use_opaque: bool [6:6],
        not_eop: bool [5:5],
        sprite_en: bool [4:4],
        major_mode: u8 [3:2],
        source_select: u8 [1:0],
    }
}

/// Bytes between viewports.
pub const VPORT_STRIDE: u32 = 0x18;

/// SPI_PS_INPUT_CNTL_n.DEFAULT_VAL: what an input gets that no parameter feeds.
pub const DEFAULT_VALUES: [[f32; 4]; 4] = [
    [0.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
    [1.0, 1.0, 1.0, 0.0],
    [1.0, 1.0, 1.0, 1.0],
];
