//! Registers of primitive assembly (clip, set-up) and the scan converter.

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
    /// Passes of a pixel shader, which draws need to be one.
    PA_SC_MPASS_PS_CNTL: PaScMpassPsCntl = 0x28a48;
    PA_SC_MODE_CNTL: PaScModeCntl = 0x28a4c;
    PA_SC_LINE_CNTL: PaScLineCntl = 0x28c00;
    PA_SC_AA_CONFIG: PaScAaConfig = 0x28c04;
    PA_SU_VTX_CNTL: PaSuVtxCntl = 0x28c08;
    /// Guard band factor, vertical, clipping.
    PA_CL_GB_VERT_CLIP_ADJ: f32 = 0x28c0c;
    /// Guard band factor, vertical, discarding.
    PA_CL_GB_VERT_DISC_ADJ: f32 = 0x28c10;
    /// Guard band factor, horizontal, clipping.
    PA_CL_GB_HORZ_CLIP_ADJ: f32 = 0x28c14;
    /// Guard band factor, horizontal, discarding.
    PA_CL_GB_HORZ_DISC_ADJ: f32 = 0x28c18;
    /// Samples 0 to 3: positions in sixteenths.
    PA_SC_AA_SAMPLE_LOCS_MCTX: PaScAaSampleLocs = 0x28c1c;
    /// Samples 4 to 7.
    PA_SC_AA_SAMPLE_LOCS_8S_WD1_MCTX: PaScAaSampleLocs = 0x28c20;
    /// Samples that are drawn, of the pixels of a quad, of which the first speaks for all.
    PA_SC_AA_MASK: PaScAaMask = 0x28c48;
    PA_SU_POLY_OFFSET_DB_FMT_CNTL: PaSuPolyOffsetDbFmtCntl = 0x28df8;
    /// Largest depth bias.
    PA_SU_POLY_OFFSET_CLAMP: f32 = 0x28dfc;
    /// Slope factor times 16 of front faces.
    PA_SU_POLY_OFFSET_FRONT_SCALE: f32 = 0x28e00;
    /// Constant bias of front faces.
    PA_SU_POLY_OFFSET_FRONT_OFFSET: f32 = 0x28e04;
    /// Slope factor times 16 of back faces.
    PA_SU_POLY_OFFSET_BACK_SCALE: f32 = 0x28e08;
    /// Constant bias of back faces.
    PA_SU_POLY_OFFSET_BACK_OFFSET: f32 = 0x28e0c;
    /// Point expansion radius in x.
    PA_CL_POINT_X_RAD: f32 = 0x28e10;
    /// Point expansion radius in y.
    PA_CL_POINT_Y_RAD: f32 = 0x28e14;
    PA_CL_POINT_SIZE: f32 = 0x28e18;
    /// Point cull radius.
    PA_CL_POINT_CULL_RAD: f32 = 0x28e1c;
    /// First component of the first user clip plane.
    PA_CL_UCP0_X: f32 = 0x28e20 [6; 16];
    PA_CL_UCP0_Y: f32 = 0x28e24 [6; 16];
    PA_CL_UCP0_Z: f32 = 0x28e28 [6; 16];
    PA_CL_UCP0_W: f32 = 0x28e2c [6; 16];
}

isa::word! {
    /// PA_SC_MPASS_PS_CNTL.
    pub struct PaScMpassPsCntl: u32 where {
        mpass_ps_ena: bool [31:31],
        reserved_20: u16 [30:20],
        mpass_pix_vec_per_pass: u32 [19:0],
    }
}

isa::word! {
    /// PA_SC_AA_SAMPLE_LOCS_MCTX and PA_SC_AA_SAMPLE_LOCS_8S_WD1_MCTX: four samples.
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
    /// PA_SC_AA_MASK.
    pub struct PaScAaMask: u32 where {
        aa_mask_lrc: u8 [31:24],
        aa_mask_llc: u8 [23:16],
        aa_mask_urc: u8 [15:8],
        aa_mask_ulc: u8 [7:0],
    }
}

isa::word! {
    /// PA_SC_SCREEN_SCISSOR_BR.
    pub struct PaScScreenScissorBr: u32 where {
        reserved_31: bool [31:31],
        br_y: u16 [30:16],
        reserved_15: bool [15:15],
        br_x: u16 [14:0],
    }
}

isa::word! {
    /// PA_SC_WINDOW_SCISSOR_TL, PA_SC_GENERIC_SCISSOR_TL, PA_SC_VPORT_SCISSOR_n_TL.
    pub struct PaScScissorTl: u32 where {
        window_offset_disable: bool [31:31],
        reserved_30: bool [30:30],
        tl_y: u16 [29:16],
        reserved_14: u8 [15:14],
        tl_x: u16 [13:0],
    }
}

isa::word! {
    /// PA_SC_WINDOW_SCISSOR_BR, PA_SC_GENERIC_SCISSOR_BR, PA_SC_VPORT_SCISSOR_n_BR.
    pub struct PaScScissorBr: u32 where {
        reserved_30: u8 [31:30],
        br_y: u16 [29:16],
        reserved_14: u8 [15:14],
        br_x: u16 [13:0],
    }
}

isa::word! {
    /// PA_SC_MODE_CNTL.
    pub struct PaScModeCntl: u32 where {
        reserved_23: u16 [31:23],
        r700_vport_scissor_enable: bool [22:22],
        reserved_21: bool [21:21],
        r700_zmm_line_offset: bool [20:20],
        reserved_18: u8 [19:18],
        ps_iter_sample: bool [17:17],
        force_eov_rez_enable: bool [16:16],
        force_eov_tile_enable: bool [15:15],
        force_eov_cntdwn_enable: bool [14:14],
        tile_cover_disable: bool [13:13],
        multi_chip_supertile_enable: bool [12:12],
        kill_pix_post_detail_mask: bool [11:11],
        kill_pix_post_hi_z: bool [10:10],
        tile_cover_no_scissor: bool [9:9],
        walk_align8_prim_fits_st: bool [8:8],
        walk_alignment: bool [7:7],
        walk_size: bool [6:6],
        halve_detail_sample_perf: bool [5:5],
        walk_order_enable: bool [4:4],
        multi_chip_prim_discard_enab: bool [3:3],
        line_stipple_enable: bool [2:2],
        cliprect_enable: bool [1:1],
        msaa_enable: bool [0:0],
    }
}

isa::word! {
    /// PA_SC_AA_CONFIG.
    pub struct PaScAaConfig: u32 where {
        reserved_17: u16 [31:17],
        max_sample_dist: u8 [16:13],
        reserved_5: u8 [12:5],
        aa_mask_centroid_dtmn: bool [4:4],
        reserved_2: u8 [3:2],
        msaa_num_samples: u8 [1:0],
    }
}
