//! Registers of primitive assembly (clip, setup) and the scan converter.

/// First of 16 viewports of six floats ([`VPORT_STRIDE`] apart): scale and offset of x, y, z in turn.
pub const PA_CL_VPORT_XSCALE_0: u32 = 0x2843c;
/// Bytes between viewports.
pub const VPORT_STRIDE: u32 = 0x18;
/// First of six user clip planes, four floats each.
pub const PA_CL_UCP_0_X: u32 = 0x285bc;
/// [`PaClClipCntl`].
pub const PA_CL_CLIP_CNTL: u32 = 0x28810;
/// [`PaClVteCntl`].
pub const PA_CL_VTE_CNTL: u32 = 0x28818;
/// [`PaClVsOutCntl`].
pub const PA_CL_VS_OUT_CNTL: u32 = 0x2881c;
/// Clip treatment of NaN and infinity; kept, not acted upon.
pub const PA_CL_NANINF_CNTL: u32 = 0x28820;
/// Guard band factor, vertical, clipping (float).
pub const PA_CL_GB_VERT_CLIP_ADJ: u32 = 0x28be8;
/// Guard band factor, vertical, discarding (float).
pub const PA_CL_GB_VERT_DISC_ADJ: u32 = 0x28bec;
/// Guard band factor, horizontal, clipping (float).
pub const PA_CL_GB_HORZ_CLIP_ADJ: u32 = 0x28bf0;
/// Guard band factor, horizontal, discarding (float).
pub const PA_CL_GB_HORZ_DISC_ADJ: u32 = 0x28bf4;
/// Point expansion radius in x (float).
pub const PA_CL_POINT_X_RAD: u32 = 0x287d4;
/// Point expansion radius in y (float).
pub const PA_CL_POINT_Y_RAD: u32 = 0x287d8;
/// Point size (float).
pub const PA_CL_POINT_SIZE: u32 = 0x287dc;
/// Point cull radius (float).
pub const PA_CL_POINT_CULL_RAD: u32 = 0x287e0;
/// [`PaSuScModeCntl`].
pub const PA_SU_SC_MODE_CNTL: u32 = 0x28814;
/// [`PaSuPolyOffsetDbFmtCntl`].
pub const PA_SU_POLY_OFFSET_DB_FMT_CNTL: u32 = 0x28b78;
/// Largest depth bias (float).
pub const PA_SU_POLY_OFFSET_CLAMP: u32 = 0x28b7c;
/// Slope factor times 16 of front faces (float).
pub const PA_SU_POLY_OFFSET_FRONT_SCALE: u32 = 0x28b80;
/// Constant bias of front faces (float).
pub const PA_SU_POLY_OFFSET_FRONT_OFFSET: u32 = 0x28b84;
/// Slope factor times 16 of back faces (float).
pub const PA_SU_POLY_OFFSET_BACK_SCALE: u32 = 0x28b88;
/// Constant bias of back faces (float).
pub const PA_SU_POLY_OFFSET_BACK_OFFSET: u32 = 0x28b8c;
/// Half extents in 12.4: [`PaSuPointSize`].
pub const PA_SU_POINT_SIZE: u32 = 0x28a00;
/// Half sizes in 12.4: [`PaSuPointMinmax`].
pub const PA_SU_POINT_MINMAX: u32 = 0x28a04;
/// Half width in 12.4: [`PaSuLineCntl`].
pub const PA_SU_LINE_CNTL: u32 = 0x28a08;
/// [`PaScLineStipple`]; AUTO_RESET_CNTL is a code of [`silicon::geometry::stipple::reset`].
pub const PA_SC_LINE_STIPPLE: u32 = 0x28a0c;
/// [`PaSuVtxCntl`].
pub const PA_SU_VTX_CNTL: u32 = 0x28be4;
/// [`PaScScreenScissorTl`].
pub const PA_SC_SCREEN_SCISSOR_TL: u32 = 0x28030;
/// [`PaScScreenScissorBr`], exclusive.
pub const PA_SC_SCREEN_SCISSOR_BR: u32 = 0x28034;
/// [`PaScWindowOffset`].
pub const PA_SC_WINDOW_OFFSET: u32 = 0x28200;
/// [`PaScScissorTl`].
pub const PA_SC_WINDOW_SCISSOR_TL: u32 = 0x28204;
/// [`PaScScissorBr`], exclusive.
pub const PA_SC_WINDOW_SCISSOR_BR: u32 = 0x28208;
/// Clip rectangle rule; 0xffff draws everywhere.
pub const PA_SC_CLIPRECT_RULE: u32 = 0x2820c;
/// First of four clip rectangles, top-left then bottom-right.
pub const PA_SC_CLIPRECT_0_TL: u32 = 0x28210;
/// Edge rule; 0xaaaaaaaa is top-left.
pub const PA_SC_EDGERULE: u32 = 0x28230;
/// [`PaScScissorTl`].
pub const PA_SC_GENERIC_SCISSOR_TL: u32 = 0x28240;
/// [`PaScScissorBr`], exclusive.
pub const PA_SC_GENERIC_SCISSOR_BR: u32 = 0x28244;
/// First of 16 viewport scissors, 8 bytes apart: [`PaScScissorTl`].
pub const PA_SC_VPORT_SCISSOR_0_TL: u32 = 0x28250;
/// [`PaScScissorBr`], exclusive.
pub const PA_SC_VPORT_SCISSOR_0_BR: u32 = 0x28254;
/// First of 16 viewport depth ranges, 8 bytes apart: least depth (float).
pub const PA_SC_VPORT_ZMIN_0: u32 = 0x282d0;
/// Greatest depth (float).
pub const PA_SC_VPORT_ZMAX_0: u32 = 0x282d4;
/// How tiles are dealt to render backends; kept, not acted upon.
pub const PA_SC_RASTER_CONFIG: u32 = 0x28350;
/// [`PaScModeCntl0`].
pub const PA_SC_MODE_CNTL_0: u32 = 0x28a48;
/// [`PaScModeCntl1`].
pub const PA_SC_MODE_CNTL_1: u32 = 0x28a4c;
/// [`PaScLineCntl`].
pub const PA_SC_LINE_CNTL: u32 = 0x28bdc;
/// [`PaScAaConfig`].
pub const PA_SC_AA_CONFIG: u32 = 0x28be0;
/// First of 16 words, four per pixel of a quad: [`PaScAaSampleLocs`].
pub const PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0: u32 = 0x28bf8;
/// [`PaScAaMask`] of the upper pixels of a quad.
pub const PA_SC_AA_MASK_X0Y0_X1Y0: u32 = 0x28c38;
/// [`PaScAaMask`] of the lower pixels of a quad.
pub const PA_SC_AA_MASK_X0Y1_X1Y1: u32 = 0x28c3c;

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
    /// PA_CL_VS_OUT_CNTL.
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
    /// PA_SU_POLY_OFFSET_DB_FMT_CNTL.
    pub struct PaSuPolyOffsetDbFmtCntl: u32 where {
        reserved_9: u32 [31:9],
        poly_offset_db_is_float_fmt: bool [8:8],
        poly_offset_neg_num_db_bits: i8 [7:0],
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
    /// PA_SU_VTX_CNTL.
    pub struct PaSuVtxCntl: u32 where {
        reserved_6: u32 [31:6],
        quant_mode: u8 [5:3],
        round_mode: u8 [2:1],
        pix_center: bool [0:0],
    }
}

isa::word! {
    /// PA_SC_SCREEN_SCISSOR_TL.
    pub struct PaScScreenScissorTl: u32 where {
        tl_y: u16 [31:16],
        tl_x: u16 [15:0],
    }
}

isa::word! {
    /// PA_SC_SCREEN_SCISSOR_BR.
    pub struct PaScScreenScissorBr: u32 where {
        br_y: u16 [31:16],
        br_x: u16 [15:0],
    }
}

isa::word! {
    /// PA_SC_WINDOW_OFFSET.
    pub struct PaScWindowOffset: u32 where {
        window_y_offset: i16 [31:16],
        window_x_offset: i16 [15:0],
    }
}

isa::word! {
    /// PA_SC_WINDOW_SCISSOR_TL, PA_SC_GENERIC_SCISSOR_TL, PA_SC_VPORT_SCISSOR_n_TL.
    pub struct PaScScissorTl: u32 where {
        window_offset_disable: bool [31:31],
        tl_y: u16 [30:16],
        reserved_15: bool [15:15],
        tl_x: u16 [14:0],
    }
}

isa::word! {
    /// PA_SC_WINDOW_SCISSOR_BR, PA_SC_GENERIC_SCISSOR_BR, PA_SC_VPORT_SCISSOR_n_BR.
    pub struct PaScScissorBr: u32 where {
        reserved_31: bool [31:31],
        br_y: u16 [30:16],
        reserved_15: bool [15:15],
        br_x: u16 [14:0],
    }
}

isa::word! {
    /// PA_SC_MODE_CNTL_0.
    pub struct PaScModeCntl0: u32 where {
        reserved_4: u32 [31:4],
        send_unlit_stiles_to_pkr: bool [3:3],
        line_stipple_enable: bool [2:2],
        vport_scissor_enable: bool [1:1],
        msaa_enable: bool [0:0],
    }
}

isa::word! {
    /// PA_SC_MODE_CNTL_1.
    pub struct PaScModeCntl1: u32 where {
        reserved_31: bool [31:31],
        out_of_order_water_mark: u8 [30:28],
        out_of_order_primitive_enable: bool [27:27],
        force_eov_rez_enable: bool [26:26],
        force_eov_cntdwn_enable: bool [25:25],
        reserved_18: u8 [24:18],
        multi_shader_engine_prim_disc: bool [17:17],
        ps_iter_sample: bool [16:16],
        kill_pix_post_detail_mask: bool [15:15],
        kill_pix_post_hi_z: bool [14:14],
        zmm_rect_extent: bool [13:13],
        zmm_line_offset: bool [12:12],
        zmm_line_extent: bool [11:11],
        tile_cover_no_scissor: bool [10:10],
        tile_cover_disable: bool [9:9],
        tile_walk_order_enable: bool [8:8],
        supertile_walk_order_enable: bool [7:7],
        walk_fence_size: u8 [6:4],
        walk_fence_enable: bool [3:3],
        walk_align8_prim_fits_st: bool [2:2],
        walk_alignment: bool [1:1],
        walk_size: bool [0:0],
    }
}

isa::word! {
    /// PA_SC_LINE_CNTL.
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
    /// PA_SC_AA_CONFIG.
    pub struct PaScAaConfig: u32 where {
        reserved_26: u8 [31:26],
        detail_to_exposed_mode: u8 [25:24],
        reserved_23: bool [23:23],
        msaa_exposed_samples: u8 [22:20],
        reserved_17: u8 [19:17],
        max_sample_dist: u8 [16:13],
        reserved_5: u8 [12:5],
        aa_mask_centroid_dtmn: bool [4:4],
        reserved_3: bool [3:3],
        msaa_num_samples: u8 [2:0],
    }
}

isa::word! {
    /// Positions of four samples in sixteenths of a pixel from its centre.
    pub struct PaScAaSampleLocs: u32 where {
        s3_y: i8 [31:28],
        s3_x: i8 [27:24],
        s2_y: i8 [23:20],
        s2_x: i8 [19:16],
        s1_y: i8 [15:12],
        s1_x: i8 [11:8],
        s0_y: i8 [7:4],
        s0_x: i8 [3:0],
    }
}

isa::word! {
    /// Sample masks of two pixels of a quad.
    pub struct PaScAaMask: u32 where {
        aa_mask_x1y0: u16 [31:16],
        aa_mask_x0y0: u16 [15:0],
    }
}
