//! Registers of the colour block.

use radeon::r6xx::regs::*;

radeon::registers! {
    pub(super) TABLE:
    CB_COLOR_CONTROL: CbColorControl;
    /// First of eight targets, [`CB_COLOR_STRIDE`] apart.
    CB_COLOR0_BASE: Base256b = 0x28040 [8; 4];
    CB_COLOR0_SIZE: CbColorSize = 0x28060 [8; 4];
    CB_COLOR0_VIEW: CbColorView = 0x28080 [8; 4];
    CB_COLOR0_INFO: CbColorInfo = 0x280a0 [8; 4];
    /// Compression masks, which draws do not use.
    CB_COLOR0_TILE: Base256b = 0x280c0 [8; 4];
    /// Fragment masks, which draws do not use.
    CB_COLOR0_FRAG: Base256b = 0x280e0 [8; 4];
    /// Sizes of both; kept, not acted upon.
    CB_COLOR0_MASK: CbColorMask = 0x28100 [8; 4];
    /// Targets that the shader exports.
    CB_SHADER_CONTROL: CbShaderControl = 0x287a0;
    /// Blending of all targets otherwise.
    CB_BLEND_CONTROL: CbBlendControl = 0x28804;
    /// Colour compare, which draws need off.
    CB_CLRCMP_CONTROL: CbClrcmpControl = 0x28c30;
    /// Colour compare, source.
    CB_CLRCMP_SRC = 0x28c34;
    /// Colour compare, destination.
    CB_CLRCMP_DST = 0x28c38;
    /// Colour compare, mask.
    CB_CLRCMP_MSK = 0x28c3c;
}

isa::word! {
    /// CB_COLORn_MASK.
    pub struct CbColorMask: u32 where {
        fmask_tile_max: u32 [31:12],
        cmask_block_max: u16 [11:0],
    }
}

isa::word! {
    /// CB_SHADER_CONTROL.
    pub struct CbShaderControl: u32 where {
        reserved_8: u32 [31:8],
        rt7_enable: bool [7:7],
        rt6_enable: bool [6:6],
        rt5_enable: bool [5:5],
        rt4_enable: bool [4:4],
        rt3_enable: bool [3:3],
        rt2_enable: bool [2:2],
        rt1_enable: bool [1:1],
        rt0_enable: bool [0:0],
    }
}

isa::word! {
    /// CB_CLRCMP_CONTROL.
    pub struct CbClrcmpControl: u32 where {
        reserved_26: u8 [31:26],
        clrcmp_fcn_sel: u8 [25:24],
        reserved_11: u16 [23:11],
        clrcmp_fcn_dst: u8 [10:8],
        reserved_3: u8 [7:3],
        clrcmp_fcn_src: u8 [2:0],
    }
}

isa::word! {
    /// CB_COLORn_SIZE: pitch / 8 - 1 and texels of a slice / 64 - 1.
    pub struct CbColorSize: u32 where {
        reserved_30: u8 [31:30],
        slice_tile_max: u32 [29:10],
        pitch_tile_max: u16 [9:0],
    }
}

isa::word! {
    /// CB_COLORn_INFO. Formats are those of [`crate::formats`].
    pub struct CbColorInfo: u32 where {
        reserved_28: u8 [31:28],
        source_format: bool [27:27],
        tile_compact: bool [26:26],
        round_mode: bool [25:25],
        simple_float: bool [24:24],
        blend_float32: bool [23:23],
        blend_bypass: bool [22:22],
        clear_color: bool [21:21],
        blend_clamp: bool [20:20],
        tile_mode: u8 [19:18],
        comp_swap: u8 [17:16],
        read_size: bool [15:15],
        number_type: u8 [14:12],
        array_mode: u8 [11:8],
        format: u8 [7:2],
        endian: u8 [1:0],
    }
}

isa::word! {
    /// CB_COLOR_CONTROL.
    pub struct CbColorControl: u32 where {
        reserved_24: u8 [31:24],
        rop3: u8 [23:16],
        target_blend_enable: u8 [15:8],
        per_mrt_blend: bool [7:7],
        special_op: u8 [6:4],
        degamma_enable: bool [3:3],
        dither_enable: bool [2:2],
        multiwrite_enable: bool [1:1],
        fog_enable: bool [0:0],
    }
}

/// Bytes from a register of one target to that of the next.
pub const CB_COLOR_STRIDE: u32 = 4;

/// Values of CB_COLOR_CONTROL.SPECIAL_OP.
pub mod special_op {
    /// Draws.
    pub const NORMAL: u8 = 0;
    /// Nothing is written.
    pub const DISABLE: u8 = 1;
    /// Clear colours, textures and samples that masks stand for are written: EXPAND_COLOR, EXPAND_TEXTURE, EXPAND_SAMPLES.
    pub const EXPAND: std::ops::RangeInclusive<u8> = 4..=6;
    /// The samples of target 0 are averaged into target 1.
    pub const RESOLVE_BOX: u8 = 7;
}

/// CB_COLOR_CONTROL.ROP3 of a plain copy.
pub const ROP3_COPY: u8 = 0xcc;
