//! Registers of the depth blocks.

use radeon::r6xx::regs::*;

radeon::registers! {
    pub(super) TABLE:
    DB_DEPTH_CONTROL: DbDepthControl;
    DB_SHADER_CONTROL: DbShaderControl;
    DB_STENCILREFMASK: DbStencilrefmask;
    DB_STENCILREFMASK_BF: DbStencilrefmask;
    /// Copies and clears; 0 in all draws.
    DB_RENDER_CONTROL: DbRenderControl = 0x28000;
    /// ZPASS_INCREMENT_DISABLE: passed samples are not counted.
    DB_COUNT_CONTROL: DbCountControl = 0x28004;
    DB_DEPTH_VIEW: DbDepthView = 0x28008;
    DB_RENDER_OVERRIDE: DbRenderOverride = 0x2800c;
    /// Second override word; kept, not acted upon.
    DB_RENDER_OVERRIDE2 = 0x28010;
    /// Least stored depth that passes.
    DB_DEPTH_BOUNDS_MIN: f32 = 0x28020;
    /// Greatest stored depth that passes.
    DB_DEPTH_BOUNDS_MAX: f32 = 0x28024;
    /// Depth address swizzle; not used.
    DB_DEPTH_INFO: DbDepthInfo = 0x2803c;
    DB_Z_INFO: DbZInfo = 0x28040;
    DB_STENCIL_INFO: DbStencilInfo = 0x28044;
    /// Depth that is read.
    DB_Z_READ_BASE: Base256b = 0x28048;
    /// Stencil that is read.
    DB_STENCIL_READ_BASE: Base256b = 0x2804c;
    /// Depth that is written.
    DB_Z_WRITE_BASE: Base256b = 0x28050;
    /// Stencil that is written.
    DB_STENCIL_WRITE_BASE: Base256b = 0x28054;
    DB_DEPTH_SIZE: DbDepthSize = 0x28058;
    DB_DEPTH_SLICE: DbDepthSlice = 0x2805c;
    /// Values in [`stencil_op`].
    DB_STENCIL_CONTROL: DbStencilControl = 0x2842c;
    /// Colour and depth have as many samples as PA_SC_AA_CONFIG says.
    DB_EQAA: DbEqaa = 0x28804;
    /// Hierarchical stencil test; two registers that draws need off.
    DB_SRESULTS_COMPARE_STATE0: DbSresultsCompareState0 = 0x28ac0;
    /// The second.
    DB_SRESULTS_COMPARE_STATE1: DbSresultsCompareState1 = 0x28ac4;
    /// How words of HTILE lie in memory.
    DB_HTILE_SURFACE: DbHtileSurface = 0x28abc;
    DB_ALPHA_TO_MASK: DbAlphaToMask = 0x28b70;
}

isa::word! {
    /// DB_RENDER_CONTROL.
    pub struct DbRenderControl: u32 where {
        reserved_12: u32 [31:12],
        copy_sample: u8 [11:8],
        copy_centroid: bool [7:7],
        depth_compress_disable: bool [6:6],
        stencil_compress_disable: bool [5:5],
        resummarize_enable: bool [4:4],
        stencil_copy: bool [3:3],
        depth_copy: bool [2:2],
        stencil_clear_enable: bool [1:1],
        depth_clear_enable: bool [0:0],
    }
}

isa::word! {
    /// DB_HTILE_SURFACE.
    pub struct DbHtileSurface: u32 where {
        reserved_17: u16 [31:17],
        dst_outside_zero_to_one: bool [16:16],
        prefetch_height: u8 [15:10],
        prefetch_width: u8 [9:4],
        preload: bool [3:3],
        htile_uses_preload_win: bool [2:2],
        full_cache: bool [1:1],
        linear: bool [0:0],
    }
}

isa::word! {
    /// DB_COUNT_CONTROL.
    pub struct DbCountControl: u32 where {
        reserved_7: u32 [31:7],
        sample_rate: u8 [6:4],
        reserved_2: u8 [3:2],
        perfect_zpass_counts: bool [1:1],
        zpass_increment_disable: bool [0:0],
    }
}

isa::word! {
    /// DB_DEPTH_INFO.
    pub struct DbDepthInfo: u32 where {
        reserved_4: u32 [31:4],
        addr5_swizzle_mask: u8 [3:0],
    }
}

isa::word! {
    /// DB_Z_INFO.
    pub struct DbZInfo: u32 where {
        zrange_precision: bool [31:31],
        reserved_30: bool [30:30],
        tile_surface_enable: bool [29:29],
        read_size: bool [28:28],
        allow_expclear: bool [27:27],
        reserved_23: u8 [26:23],
        tile_mode_index: u8 [22:20],
        reserved_4: u16 [19:4],
        num_samples: u8 [3:2],
        format: u8 [1:0],
    }
}

isa::word! {
    /// DB_STENCIL_INFO.
    pub struct DbStencilInfo: u32 where {
        reserved_30: u8 [31:30],
        tile_stencil_disable: bool [29:29],
        reserved_28: bool [28:28],
        allow_expclear: bool [27:27],
        reserved_23: u8 [26:23],
        tile_mode_index: u8 [22:20],
        reserved_1: u32 [19:1],
        format: bool [0:0],
    }
}

isa::word! {
    /// DB_DEPTH_SIZE: pitch / 8 - 1 and height / 8 - 1.
    pub struct DbDepthSize: u32 where {
        reserved_22: u16 [31:22],
        height_tile_max: u16 [21:11],
        pitch_tile_max: u16 [10:0],
    }
}

isa::word! {
    /// DB_DEPTH_SLICE: pitch * height / 64 - 1.
    pub struct DbDepthSlice: u32 where {
        reserved_22: u16 [31:22],
        slice_tile_max: u32 [21:0],
    }
}

isa::word! {
    /// DB_STENCIL_CONTROL.
    pub struct DbStencilControl: u32 where {
        reserved_24: u8 [31:24],
        stencilzfail_bf: u8 [23:20],
        stencilzpass_bf: u8 [19:16],
        stencilfail_bf: u8 [15:12],
        stencilzfail: u8 [11:8],
        stencilzpass: u8 [7:4],
        stencilfail: u8 [3:0],
    }
}

isa::word! {
    /// DB_STENCILREFMASK and DB_STENCILREFMASK_BF.
    pub struct DbStencilrefmask: u32 where {
        stencilopval: u8 [31:24],
        stencilwritemask: u8 [23:16],
        stencilmask: u8 [15:8],
        stenciltestval: u8 [7:0],
    }
}

isa::word! {
    /// DB_DEPTH_CONTROL.
    pub struct DbDepthControl: u32 where {
        disable_color_writes_on_depth_pass: bool [31:31],
        enable_color_writes_on_depth_fail: bool [30:30],
        reserved_23: u8 [29:23],
        stencilfunc_bf: u8 [22:20],
        reserved_11: u16 [19:11],
        stencilfunc: u8 [10:8],
        backface_enable: bool [7:7],
        zfunc: u8 [6:4],
        depth_bounds_enable: bool [3:3],
        z_write_enable: bool [2:2],
        z_enable: bool [1:1],
        stencil_enable: bool [0:0],
    }
}

isa::word! {
    /// DB_SHADER_CONTROL; Z_ORDER: 0 late, 1 early then late, 2 re-test, 3 early then re-test.
    pub struct DbShaderControl: u32 where {
        reserved_13: u32 [31:13],
        depth_before_shader: bool [12:12],
        alpha_to_mask_disable: bool [11:11],
        exec_on_noop: bool [10:10],
        exec_on_hier_fail: bool [9:9],
        mask_export_enable: bool [8:8],
        coverage_to_mask_enable: bool [7:7],
        kill_enable: bool [6:6],
        z_order: u8 [5:4],
        reserved_3: bool [3:3],
        stencil_op_val_export_enable: bool [2:2],
        stencil_test_val_export_enable: bool [1:1],
        z_export_enable: bool [0:0],
    }
}

isa::word! {
    /// DB_EQAA: numbers of samples as logarithms.
    pub struct DbEqaa: u32 where {
        reserved_28: u8 [31:28],
        enable_postz_overrasterization: bool [27:27],
        overrasterization_amount: u8 [26:24],
        reserved_22: u8 [23:22],
        interpolate_src_z: bool [21:21],
        static_anchor_associations: bool [20:20],
        interpolate_comp_z: bool [19:19],
        incoherent_eqaa_reads: bool [18:18],
        mask_export_high_quality: bool [17:17],
        high_quality_intersections: bool [16:16],
        reserved_15: bool [15:15],
        alpha_to_mask_num_samples: u8 [14:12],
        reserved_11: bool [11:11],
        mask_export_num_samples: u8 [10:8],
        reserved_7: bool [7:7],
        ps_iter_samples: u8 [6:4],
        reserved_3: bool [3:3],
        max_anchor_samples: u8 [2:0],
    }
}

/// Values of DB_Z_INFO.FORMAT.
pub mod z_format {
    /// No depth buffer.
    pub const INVALID: u8 = 0;
    /// 16-bit unsigned normalised.
    pub const Z_16: u8 = 1;
    /// 24-bit unsigned normalised in 32 bits.
    pub const Z_24: u8 = 2;
    /// Float.
    pub const Z_32_FLOAT: u8 = 3;
}

/// Stencil operations.
pub mod stencil_op {
    /// Unchanged.
    pub const KEEP: u8 = 0;
    /// 0.
    pub const ZERO: u8 = 1;
    /// All ones.
    pub const ONES: u8 = 2;
    /// STENCILTESTVAL.
    pub const REPLACE_TEST: u8 = 3;
    /// STENCILOPVAL.
    pub const REPLACE_OP: u8 = 4;
    /// + STENCILOPVAL, at most 255.
    pub const ADD_CLAMP: u8 = 5;
    /// - STENCILOPVAL, at least 0.
    pub const SUB_CLAMP: u8 = 6;
    /// Complement.
    pub const INVERT: u8 = 7;
    /// + STENCILOPVAL modulo 256.
    pub const ADD_WRAP: u8 = 8;
    /// - STENCILOPVAL modulo 256.
    pub const SUB_WRAP: u8 = 9;
    /// And STENCILOPVAL.
    pub const AND: u8 = 10;
    /// Or STENCILOPVAL.
    pub const OR: u8 = 11;
    /// Exclusive or STENCILOPVAL.
    pub const XOR: u8 = 12;
    /// Not and.
    pub const NAND: u8 = 13;
    /// Not or.
    pub const NOR: u8 = 14;
    /// Not exclusive or.
    pub const XNOR: u8 = 15;
}
