//! Registers of primitive assembly (clip, setup) and the scan converter.

radeon::registers! {
    pub(super) TABLE:
    /// First of six user clip planes, four floats each.
    PA_CL_UCP_0_X = 0x285bc;
    /// Guard band factor, vertical, clipping (float).
    PA_CL_GB_VERT_CLIP_ADJ = 0x28be8;
    /// Guard band factor, vertical, discarding (float).
    PA_CL_GB_VERT_DISC_ADJ = 0x28bec;
    /// Guard band factor, horizontal, clipping (float).
    PA_CL_GB_HORZ_CLIP_ADJ = 0x28bf0;
    /// Guard band factor, horizontal, discarding (float).
    PA_CL_GB_HORZ_DISC_ADJ = 0x28bf4;
    /// Point expansion radius in x (float).
    PA_CL_POINT_X_RAD = 0x287d4;
    /// Point expansion radius in y (float).
    PA_CL_POINT_Y_RAD = 0x287d8;
    /// Point size (float).
    PA_CL_POINT_SIZE = 0x287dc;
    /// Point cull radius (float).
    PA_CL_POINT_CULL_RAD = 0x287e0;
    /// [`super::PaSuPolyOffsetDbFmtCntl`].
    PA_SU_POLY_OFFSET_DB_FMT_CNTL = 0x28b78;
    /// Largest depth bias (float).
    PA_SU_POLY_OFFSET_CLAMP = 0x28b7c;
    /// Slope factor times 16 of front faces (float).
    PA_SU_POLY_OFFSET_FRONT_SCALE = 0x28b80;
    /// Constant bias of front faces (float).
    PA_SU_POLY_OFFSET_FRONT_OFFSET = 0x28b84;
    /// Slope factor times 16 of back faces (float).
    PA_SU_POLY_OFFSET_BACK_SCALE = 0x28b88;
    /// Constant bias of back faces (float).
    PA_SU_POLY_OFFSET_BACK_OFFSET = 0x28b8c;
    /// How the line stipple goes on; draws need 0.
    PA_SU_LINE_STIPPLE_CNTL = 0x28824;
    /// Primitives that become larger; draws need none.
    PA_SU_PRIM_FILTER_CNTL = 0x2882c;
    /// [`super::PaSuVtxCntl`].
    PA_SU_VTX_CNTL = 0x28be4;
    /// How tiles are dealt to render backends; kept, not acted upon.
    PA_SC_RASTER_CONFIG = 0x28350;
    /// [`PaScModeCntl0`].
    PA_SC_MODE_CNTL_0 = 0x28a48;
    /// [`PaScModeCntl1`].
    PA_SC_MODE_CNTL_1 = 0x28a4c;
    /// [`super::PaScLineCntl`].
    PA_SC_LINE_CNTL = 0x28bdc;
    /// [`PaScAaConfig`].
    PA_SC_AA_CONFIG = 0x28be0;
    /// First of 16 words, four per pixel of a quad: sample positions in sixteenths, four a word.
    PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0 = 0x28bf8;
    /// Samples that are drawn of the upper pixels of a quad, 16 bits each, the left one low.
    PA_SC_AA_MASK_X0Y0_X1Y0 = 0x28c38;
    /// The same of the lower pixels.
    PA_SC_AA_MASK_X0Y1_X1Y1 = 0x28c3c;
}

isa::word! {
    /// PA_SC_SCREEN_SCISSOR_BR.
    pub struct PaScScreenScissorBr: u32 where {
        br_y: u16 [31:16],
        br_x: u16 [15:0],
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
