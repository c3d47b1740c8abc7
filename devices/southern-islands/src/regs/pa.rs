//! Registers of primitive assembly (clip, setup) and the scan converter.

use radeon::r6xx::regs::*;

radeon::registers! {
    pub(super) TABLE:
    PA_SC_SCREEN_SCISSOR_BR: PaScScreenScissorBr;
    PA_SC_WINDOW_SCISSOR_TL: PaScScissorTl;
    PA_SC_WINDOW_SCISSOR_BR: PaScScissorBr;
    PA_SC_GENERIC_SCISSOR_TL: PaScScissorTl;
    PA_SC_GENERIC_SCISSOR_BR: PaScScissorBr;
    PA_SC_VPORT_SCISSOR_0_TL: PaScScissorTl [16; 8];
    PA_SC_VPORT_SCISSOR_0_BR: PaScScissorBr [16; 8];
    /// First component of the first user clip plane.
    PA_CL_UCP_0_X: f32 = 0x285bc [6; 16];
    PA_CL_UCP_0_Y: f32 = 0x285c0 [6; 16];
    PA_CL_UCP_0_Z: f32 = 0x285c4 [6; 16];
    PA_CL_UCP_0_W: f32 = 0x285c8 [6; 16];
    /// Guard band factor, vertical, clipping.
    PA_CL_GB_VERT_CLIP_ADJ: f32 = 0x28be8;
    /// Guard band factor, vertical, discarding.
    PA_CL_GB_VERT_DISC_ADJ: f32 = 0x28bec;
    /// Guard band factor, horizontal, clipping.
    PA_CL_GB_HORZ_CLIP_ADJ: f32 = 0x28bf0;
    /// Guard band factor, horizontal, discarding.
    PA_CL_GB_HORZ_DISC_ADJ: f32 = 0x28bf4;
    /// Point expansion radius in x.
    PA_CL_POINT_X_RAD: f32 = 0x287d4;
    /// Point expansion radius in y.
    PA_CL_POINT_Y_RAD: f32 = 0x287d8;
    PA_CL_POINT_SIZE: f32 = 0x287dc;
    /// Point cull radius.
    PA_CL_POINT_CULL_RAD: f32 = 0x287e0;
    PA_SU_POLY_OFFSET_DB_FMT_CNTL: PaSuPolyOffsetDbFmtCntl = 0x28b78;
    /// Largest depth bias.
    PA_SU_POLY_OFFSET_CLAMP: f32 = 0x28b7c;
    /// Slope factor times 16 of front faces.
    PA_SU_POLY_OFFSET_FRONT_SCALE: f32 = 0x28b80;
    /// Constant bias of front faces.
    PA_SU_POLY_OFFSET_FRONT_OFFSET: f32 = 0x28b84;
    /// Slope factor times 16 of back faces.
    PA_SU_POLY_OFFSET_BACK_SCALE: f32 = 0x28b88;
    /// Constant bias of back faces.
    PA_SU_POLY_OFFSET_BACK_OFFSET: f32 = 0x28b8c;
    /// How the line stipple goes on; draws need 0.
    PA_SU_LINE_STIPPLE_CNTL: PaSuLineStippleCntl = 0x28824;
    /// Primitives that become larger; draws need none.
    PA_SU_PRIM_FILTER_CNTL: PaSuPrimFilterCntl = 0x2882c;
    PA_SU_VTX_CNTL: PaSuVtxCntl = 0x28be4;
    /// How tiles are dealt to render backends; kept, not acted upon.
    PA_SC_RASTER_CONFIG = 0x28350;
    PA_SC_MODE_CNTL_0: PaScModeCntl0 = 0x28a48;
    PA_SC_MODE_CNTL_1: PaScModeCntl1 = 0x28a4c;
    PA_SC_LINE_CNTL: PaScLineCntl = 0x28bdc;
    PA_SC_AA_CONFIG: PaScAaConfig = 0x28be0;
    /// First of 16 words, four per pixel of a quad: sample positions in sixteenths, four a word.
    PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0: PaScAaSampleLocs = 0x28bf8 [4; 4];
    PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y0_0: PaScAaSampleLocs = 0x28c08 [4; 4];
    PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y1_0: PaScAaSampleLocs = 0x28c18 [4; 4];
    PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y1_0: PaScAaSampleLocs = 0x28c28 [4; 4];
    /// Samples that are drawn of the upper pixels of a quad.
    PA_SC_AA_MASK_X0Y0_X1Y0: PaScAaMask = 0x28c38;
    /// The same of the lower pixels.
    PA_SC_AA_MASK_X0Y1_X1Y1: PaScAaMask = 0x28c3c;
}

isa::word! {
    /// PA_SC_AA_SAMPLE_LOCS_PIXEL_XnYm_k: four samples.
    pub struct PaScAaSampleLocs: u32 where {
        s3_y: u8 [31:28],
        s3_x: u8 [27:24],
        s2_y: u8 [23:20],
        s2_x: u8 [19:16],
        s1_y: u8 [15:12],
        s1_x: u8 [11:8],
        s0_y: u8 [7:4],
        s0_x: u8 [3:0],
    }
}

isa::word! {
    /// PA_SC_AA_MASK_X0Y0_X1Y0 and _X0Y1_X1Y1: the left and the right pixel.
    pub struct PaScAaMask: u32 where {
        aa_mask_x1: u16 [31:16],
        aa_mask_x0: u16 [15:0],
    }
}

isa::word! {
    /// PA_SU_LINE_STIPPLE_CNTL.
    pub struct PaSuLineStippleCntl: u32 where {
        reserved_5: u32 [31:5],
        diamond_adjust: bool [4:4],
        fractional_accum: bool [3:3],
        expand_full_length: bool [2:2],
        line_stipple_reset: u8 [1:0],
    }
}

isa::word! {
    /// PA_SU_PRIM_FILTER_CNTL.
    pub struct PaSuPrimFilterCntl: u32 where {
        reserved_16: u16 [31:16],
        prim_expand_constant: u8 [15:8],
        rectangle_expand_ena: bool [7:7],
        point_expand_ena: bool [6:6],
        line_expand_ena: bool [5:5],
        triangle_expand_ena: bool [4:4],
        rectangle_filter_disable: bool [3:3],
        point_filter_disable: bool [2:2],
        line_filter_disable: bool [1:1],
        triangle_filter_disable: bool [0:0],
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
