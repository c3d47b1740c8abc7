//! Registers of the depth block.

use radeon::r6xx::regs::*;

radeon::registers! {
    pub(super) TABLE:
    DB_DEPTH_CONTROL: DbDepthControl;
    DB_SHADER_CONTROL: DbShaderControl;
    DB_STENCILREFMASK: DbStencilrefmask;
    DB_STENCILREFMASK_BF: DbStencilrefmask;
    DB_DEPTH_SIZE: DbDepthSize = 0x28000;
    DB_DEPTH_VIEW: DbDepthView = 0x28004;
    DB_DEPTH_BASE: Base256b = 0x2800c;
    DB_DEPTH_INFO: DbDepthInfo = 0x28010;
    DB_RENDER_CONTROL: DbRenderControl = 0x28d0c;
    DB_RENDER_OVERRIDE: DbRenderOverride = 0x28d10;
    /// Shape of the Hi-Z surface; kept, not acted upon.
    DB_HTILE_SURFACE: DbHtileSurface = 0x28d24;
    /// Hierarchical stencil test; two registers that draws need off.
    DB_SRESULTS_COMPARE_STATE0: DbSresultsCompareState0 = 0x28d28;
    /// The second.
    DB_SRESULTS_COMPARE_STATE1: DbSresultsCompareState1 = 0x28d2c;
    /// Rows of tiles; kept, not acted upon.
    DB_PREFETCH_LIMIT: DbPrefetchLimit = 0x28d34;
    DB_ALPHA_TO_MASK: DbAlphaToMask = 0x28d44;
}

isa::word! {
    /// DB_RENDER_CONTROL: draws that clear or copy instead of testing.
    pub struct DbRenderControl: u32 where {
        reserved_12: u32 [31:12],
        zpass_increment_disable: bool [11:11],
        copy_sample: u8 [10:8],
        copy_centroid: bool [7:7],
        depth_compress_disable: bool [6:6],
        stencil_compress_disable: bool [5:5],
        resummarize_enable: bool [4:4],
        stencil_copy_enable: bool [3:3],
        depth_copy_enable: bool [2:2],
        stencil_clear_enable: bool [1:1],
        depth_clear_enable: bool [0:0],
    }
}

isa::word! {
    /// DB_HTILE_SURFACE.
    pub struct DbHtileSurface: u32 where {
        reserved_18: u16 [31:18],
        prefetch_height: u8 [17:12],
        prefetch_width: u8 [11:6],
        preload: bool [5:5],
        htile_uses_preload_win: bool [4:4],
        full_cache: bool [3:3],
        linear: bool [2:2],
        htile_height: bool [1:1],
        htile_width: bool [0:0],
    }
}

isa::word! {
    /// DB_PREFETCH_LIMIT.
    pub struct DbPrefetchLimit: u32 where {
        reserved_10: u32 [31:10],
        depth_height_tile_max: u16 [9:0],
    }
}

isa::word! {
    /// DB_DEPTH_SIZE: pitch / 8 - 1 and texels of a slice / 64 - 1.
    pub struct DbDepthSize: u32 where {
        reserved_30: u8 [31:30],
        slice_tile_max: u32 [29:10],
        pitch_tile_max: u16 [9:0],
    }
}

isa::word! {
    /// DB_DEPTH_INFO.
    pub struct DbDepthInfo: u32 where {
        zrange_precision: bool [31:31],
        reserved_27: u8 [30:27],
        tile_compact: bool [26:26],
        tile_surface_enable: bool [25:25],
        reserved_19: u8 [24:19],
        array_mode: u8 [18:15],
        reserved_4: u16 [14:4],
        read_size: bool [3:3],
        format: u8 [2:0],
    }
}

isa::word! {
    /// DB_STENCILREFMASK and DB_STENCILREFMASK_BF.
    pub struct DbStencilrefmask: u32 where {
        reserved_24: u8 [31:24],
        stencilwritemask: u8 [23:16],
        stencilmask: u8 [15:8],
        stencilref: u8 [7:0],
    }
}

isa::word! {
    /// DB_DEPTH_CONTROL.
    pub struct DbDepthControl: u32 where {
        stencilzfail_bf: u8 [31:29],
        stencilzpass_bf: u8 [28:26],
        stencilfail_bf: u8 [25:23],
        stencilfunc_bf: u8 [22:20],
        stencilzfail: u8 [19:17],
        stencilzpass: u8 [16:14],
        stencilfail: u8 [13:11],
        stencilfunc: u8 [10:8],
        backface_enable: bool [7:7],
        zfunc: u8 [6:4],
        reserved_3: bool [3:3],
        z_write_enable: bool [2:2],
        z_enable: bool [1:1],
        stencil_enable: bool [0:0],
    }
}

isa::word! {
    /// DB_SHADER_CONTROL.
    pub struct DbShaderControl: u32 where {
        reserved_10: u32 [31:10],
        dual_export_enable: bool [9:9],
        mask_export_enable: bool [8:8],
        reserved_7: bool [7:7],
        kill_enable: bool [6:6],
        z_order: u8 [5:4],
        reserved_2: u8 [3:2],
        stencil_ref_export_enable: bool [1:1],
        z_export_enable: bool [0:0],
    }
}

/// Values of DB_DEPTH_INFO.FORMAT. Names read from the highest bit down.
pub mod depth_format {
    /// No surface.
    pub const INVALID: u8 = 0;
    /// 16 bits, normalised.
    pub const DEPTH_16: u8 = 1;
    /// 24 bits, normalised, in the low bits.
    pub const DEPTH_X8_24: u8 = 2;
    /// The same, stencil in the high bits.
    pub const DEPTH_8_24: u8 = 3;
    /// 24-bit floats.
    pub const DEPTH_X8_24_FLOAT: u8 = 4;
    /// The same, stencil in the high bits.
    pub const DEPTH_8_24_FLOAT: u8 = 5;
    /// 32-bit floats.
    pub const DEPTH_32_FLOAT: u8 = 6;
    /// The same in a low word, stencil in the lowest byte of a high word.
    pub const DEPTH_X24_8_32_FLOAT: u8 = 7;
}

/// Stencil operations.
pub mod stencil_op {
    /// The value stays.
    pub const KEEP: u8 = 0;
    /// Zero.
    pub const ZERO: u8 = 1;
    /// The reference value.
    pub const REPLACE: u8 = 2;
    /// One more, at most 255.
    pub const INCR: u8 = 3;
    /// One less, at least 0.
    pub const DECR: u8 = 4;
    /// All bits inverted.
    pub const INVERT: u8 = 5;
    /// One more, 0 after 255.
    pub const INCR_WRAP: u8 = 6;
    /// One less, 255 after 0.
    pub const DECR_WRAP: u8 = 7;
}

/// Values of DB_SHADER_CONTROL.Z_ORDER.
pub mod z_order {
    /// After the shader.
    pub const LATE_Z: u8 = 0;
    /// Before it, unless the shader decides.
    pub const EARLY_Z_THEN_LATE_Z: u8 = 1;
}
