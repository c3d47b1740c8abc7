//! Registers of the colour blocks.

use radeon::r6xx::regs::*;

radeon::registers! {
    pub(super) TABLE:
    CB_COLOR_CONTROL: CbColorControl;
    /// First of eight colour targets, [`CB_COLOR_STRIDE`] apart.
    CB_COLOR0_BASE: Base256b = 0x28c60 [8; 0x3c];
    CB_COLOR0_PITCH: CbColorPitch = 0x28c64 [8; 0x3c];
    CB_COLOR0_SLICE: CbColorSlice = 0x28c68 [8; 0x3c];
    CB_COLOR0_VIEW: CbColorView = 0x28c6c [8; 0x3c];
    CB_COLOR0_INFO: CbColorInfo = 0x28c70 [8; 0x3c];
    CB_COLOR0_ATTRIB: CbColorAttrib = 0x28c74 [8; 0x3c];
    /// Fast clear mask.
    CB_COLOR0_CMASK: Base256b = 0x28c7c [8; 0x3c];
    CB_COLOR0_CMASK_SLICE: CbColorCmaskSlice = 0x28c80 [8; 0x3c];
    /// Which colours the samples of a pixel have.
    CB_COLOR0_FMASK: Base256b = 0x28c84 [8; 0x3c];
    CB_COLOR0_FMASK_SLICE: CbColorFmaskSlice = 0x28c88 [8; 0x3c];
    /// Fast clear colour, low word.
    CB_COLOR0_CLEAR_WORD0 "CB_COLOR{}_CLEAR_WORD0" = 0x28c8c [8; 0x3c];
    /// Fast clear colour, high word.
    CB_COLOR0_CLEAR_WORD1 = 0x28c90 [8; 0x3c];
    /// How memory is dealt to pipes: [`super::TAHITI_ADDR_CONFIG`].
    GB_ADDR_CONFIG: GbAddrConfig = 0x098f8;
    GB_TILE_MODE0: GbTileMode = 0x09910 [32; 4];
}

isa::word! {
    /// CB_COLORn_CMASK_SLICE: blocks of 128x128 pixels in a slice of the mask, less one.
    pub struct CbColorCmaskSlice: u32 where {
        reserved_14: u32 [31:14],
        tile_max: u16 [13:0],
    }
}

isa::word! {
    /// CB_COLORn_FMASK_SLICE: tiles of 8x8 pixels in a slice, less one.
    pub struct CbColorFmaskSlice: u32 where {
        reserved_22: u16 [31:22],
        tile_max: u32 [21:0],
    }
}

/// Bytes between colour targets.
pub const CB_COLOR_STRIDE: u32 = 0x3c;

isa::word! {
    /// GB_ADDR_CONFIG. [TILING 5]
    pub struct GbAddrConfig: u32 where {
        reserved_30: u8 [31:30],
        row_size: u8 [29:28],
        reserved_26: u8 [27:26],
        multi_gpu_tile_size: u8 [25:24],
        reserved_23: bool [23:23],
        num_gpus: u8 [22:20],
        reserved_19: bool [19:19],
        shader_engine_tile_size: u8 [18:16],
        reserved_14: u8 [15:14],
        num_shader_engines: u8 [13:12],
        reserved_11: bool [11:11],
        bank_interleave_size: u8 [10:8],
        reserved_7: bool [7:7],
        pipe_interleave_size: u8 [6:4],
        reserved_3: bool [3:3],
        num_pipes: u8 [2:0],
    }
}

isa::word! {
    /// CB_COLORn_PITCH: pitch / 8 - 1.
    pub struct CbColorPitch: u32 where {
        reserved_11: u32 [31:11],
        tile_max: u16 [10:0],
    }
}

isa::word! {
    /// CB_COLORn_SLICE: pitch * height / 64 - 1.
    pub struct CbColorSlice: u32 where {
        reserved_22: u16 [31:22],
        tile_max: u32 [21:0],
    }
}

isa::word! {
    /// CB_COLORn_INFO; values in [`color_format`], [`super::number_type`], [`super::comp_swap`].
    pub struct CbColorInfo: u32 where {
        reserved_26: u8 [31:26],
        blend_opt_discard_pixel: u8 [25:23],
        blend_opt_dont_rd_dst: u8 [22:20],
        cmask_is_linear: bool [19:19],
        round_mode: bool [18:18],
        simple_float: bool [17:17],
        blend_bypass: bool [16:16],
        blend_clamp: bool [15:15],
        compression: bool [14:14],
        fast_clear: bool [13:13],
        comp_swap: u8 [12:11],
        number_type: u8 [10:8],
        linear_general: bool [7:7],
        format: u8 [6:2],
        endian: u8 [1:0],
    }
}

isa::word! {
    /// CB_COLORn_ATTRIB.
    pub struct CbColorAttrib: u32 where {
        reserved_18: u16 [31:18],
        force_dst_alpha_1: bool [17:17],
        num_fragments: u8 [16:15],
        num_samples: u8 [14:12],
        reserved_10: u8 [11:10],
        fmask_tile_mode_index: u8 [9:5],
        tile_mode_index: u8 [4:0],
    }
}

isa::word! {
    /// CB_COLOR_CONTROL.
    pub struct CbColorControl: u32 where {
        reserved_24: u8 [31:24],
        rop3: u8 [23:16],
        reserved_7: u16 [15:7],
        mode: u8 [6:4],
        degamma_enable: bool [3:3],
        reserved_0: u8 [2:0],
    }
}

isa::word! {
    /// GB_TILE_MODEn.
    pub struct GbTileMode: u32 where {
        reserved_22: u16 [31:22],
        num_banks: u8 [21:20],
        macro_tile_aspect: u8 [19:18],
        bank_height: u8 [17:16],
        bank_width: u8 [15:14],
        tile_split: u8 [13:11],
        pipe_config: u8 [10:6],
        array_mode: u8 [5:2],
        micro_tile_mode: u8 [1:0],
    }
}

/// Values of CB_COLORn_INFO.FORMAT; fields are named from the highest bits down.
pub mod color_format {
    /// No target.
    pub const INVALID: u8 = 0;
    /// 8 bits.
    pub const C_8: u8 = 1;
    /// 16 bits.
    pub const C_16: u8 = 2;
    /// Two of 8 bits.
    pub const C_8_8: u8 = 3;
    /// 32 bits.
    pub const C_32: u8 = 4;
    /// Two of 16 bits.
    pub const C_16_16: u8 = 5;
    /// 11, 11 and 10 bits from the lowest up.
    pub const C_10_11_11: u8 = 6;
    /// 10, 11 and 11 bits from the lowest up.
    pub const C_11_11_10: u8 = 7;
    /// 2 bits lowest.
    pub const C_10_10_10_2: u8 = 8;
    /// 2 bits highest.
    pub const C_2_10_10_10: u8 = 9;
    /// Four of 8 bits.
    pub const C_8_8_8_8: u8 = 10;
    /// Two of 32 bits.
    pub const C_32_32: u8 = 11;
    /// Four of 16 bits.
    pub const C_16_16_16_16: u8 = 12;
    /// Four of 32 bits.
    pub const C_32_32_32_32: u8 = 14;
    /// 5, 6 and 5 bits.
    pub const C_5_6_5: u8 = 16;
    /// 1 bit highest.
    pub const C_1_5_5_5: u8 = 17;
    /// 1 bit lowest.
    pub const C_5_5_5_1: u8 = 18;
    /// Four of 4 bits.
    pub const C_4_4_4_4: u8 = 19;
    /// A depth of 24 bits lowest, and stencil.
    pub const C_8_24: u8 = 20;
    /// Stencil lowest, and a depth of 24 bits.
    pub const C_24_8: u8 = 21;
    /// A depth of 32 bits lowest, and stencil in the second word.
    pub const C_X24_8_32_FLOAT: u8 = 22;
}

/// Values of CB_COLOR_CONTROL.MODE.
pub mod cb_mode {
    /// Nothing is written.
    pub const DISABLE: u8 = 0;
    /// Targets are written.
    pub const NORMAL: u8 = 1;
    /// Targets get their clear colours where their masks say so.
    pub const ELIMINATE_FAST_CLEAR: u8 = 2;
    /// Target 0 is averaged over its samples into target 1.
    pub const RESOLVE: u8 = 3;
    /// Samples get colours of their own where FMASK says that they share.
    pub const FMASK_DECOMPRESS: u8 = 5;
}
