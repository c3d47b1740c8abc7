//! Descriptors: buffer resources (V#), image resources (T#) and samplers (S#), as shaders load them from memory.

isa::word! {
    /// V#, 16 bytes. [SI table 8.5]
    ///
    /// `stride` 0 makes `num_records` a size in bytes.
    pub struct BufferResource: u128 where {
        kind: u8 [127:126],
        reserved_123: u8 [125:123],
        heap: bool [122:122],
        hash_enable: bool [121:121],
        reserved_120: bool [120:120],
        add_tid_enable: bool [119:119],
        /// 8, 16, 32, 64 records.
        index_stride: u8 [118:117],
        /// 2, 4, 8, 16 bytes.
        element_size: u8 [116:115],
        data_format: u8 [114:111],
        num_format: u8 [110:108],
        dst_sel_w: u8 [107:105],
        dst_sel_z: u8 [104:102],
        dst_sel_y: u8 [101:99],
        dst_sel_x: u8 [98:96],
        num_records: u32 [95:64],
        swizzle_enable: bool [63:63],
        cache_swizzle: bool [62:62],
        /// Bytes between records.
        stride: u16 [61:48],
        /// Byte address.
        base_address: u64 [47:0],
    }
}

isa::word! {
    /// Words 0 to 3 of a T#, and all of a short one. [SI table 8.11]
    pub struct ImageResource: u128 where {
        /// Values in [`dim`].
        kind: u8 [127:124],
        reserved_122: u8 [123:122],
        pow2_pad: bool [121:121],
        tiling_index: u8 [120:116],
        /// Last level of the view; with several samples, log2 of their number.
        last_level: u8 [115:112],
        base_level: u8 [111:108],
        dst_sel_w: u8 [107:105],
        dst_sel_z: u8 [104:102],
        dst_sel_y: u8 [101:99],
        dst_sel_x: u8 [98:96],
        interlaced: bool [95:95],
        perf_mod: u8 [94:92],
        /// Height of level 0, less 1.
        height: u16 [91:78],
        /// Width of level 0, less 1.
        width: u16 [77:64],
        reserved_62: u8 [63:62],
        num_format: u8 [61:58],
        data_format: u8 [57:52],
        /// Unsigned 4.8.
        min_lod: u16 [51:40],
        /// Byte address / 256.
        base_address: u64 [39:0],
    }
}

isa::word! {
    /// Words 4 to 7 of a T#. [SI table 8.11]
    pub struct ImageResourceHigh: u128 where {
        reserved_76: u64 [127:76],
        min_lod_warn: u16 [75:64],
        reserved_58: u8 [63:58],
        /// Last slice of the view, inclusive. Cubes count six slices each.
        last_array: u16 [57:45],
        base_array: u16 [44:32],
        reserved_27: u8 [31:27],
        /// Texels between rows of level 0, less 1.
        pitch: u16 [26:13],
        /// Depth of a 3D image, or slices of an array, less 1.
        depth: u16 [12:0],
    }
}

isa::word! {
    /// S#, 16 bytes. [SI table 8.12]
    pub struct ImageSampler: u128 where {
        border_color_type: u8 [127:126],
        reserved_108: u32 [125:108],
        border_color_ptr: u16 [107:96],
        reserved_95: bool [95:95],
        filter_prec_fix: bool [94:94],
        disable_lsb_ceil: bool [93:93],
        mip_point_preclamp: bool [92:92],
        /// Values in [`mip_filter`].
        mip_filter: u8 [91:90],
        /// Values in [`mip_filter`].
        z_filter: u8 [89:88],
        /// Values in [`xy_filter`].
        xy_min_filter: u8 [87:86],
        /// Values in [`xy_filter`].
        xy_mag_filter: u8 [85:84],
        lod_bias_sec: u8 [83:78],
        /// Signed 5.8.
        lod_bias: i16 [77:64],
        perf_z: u8 [63:60],
        perf_mip: u8 [59:56],
        /// Unsigned 4.8.
        max_lod: u16 [55:44],
        /// Unsigned 4.8.
        min_lod: u16 [43:32],
        reserved_31: bool [31:31],
        /// 0 weighted mean, 1 minimum, 2 maximum.
        filter_mode: u8 [30:29],
        disable_cube_wrap: bool [28:28],
        trunc_coord: bool [27:27],
        aniso_bias: u8 [26:21],
        force_degamma: bool [20:20],
        mc_coord_trunc: bool [19:19],
        aniso_threshold: u8 [18:16],
        force_unnormalized: bool [15:15],
        /// Values as `regs::compare`.
        depth_compare_func: u8 [14:12],
        /// log2 of the largest ratio.
        max_aniso_ratio: u8 [11:9],
        /// Values in [`clamp`].
        clamp_z: u8 [8:6],
        /// Values in [`clamp`].
        clamp_y: u8 [5:3],
        /// Values in [`clamp`].
        clamp_x: u8 [2:0],
    }
}

/// Component selectors of V# and T#.
pub mod dst_sel {
    /// 0.
    pub const ZERO: u8 = 0;
    /// 1.
    pub const ONE: u8 = 1;
    /// First component.
    pub const X: u8 = 4;
    /// Second component.
    pub const Y: u8 = 5;
    /// Third component.
    pub const Z: u8 = 6;
    /// Fourth component.
    pub const W: u8 = 7;
}

/// Shapes: `ImageResource::kind`.
pub mod dim {
    /// One dimension.
    pub const D1: u8 = 8;
    /// Two dimensions.
    pub const D2: u8 = 9;
    /// Three dimensions.
    pub const D3: u8 = 10;
    /// Six faces, and arrays of them.
    pub const CUBE: u8 = 11;
    /// Array of one dimension.
    pub const D1_ARRAY: u8 = 12;
    /// Array of two dimensions.
    pub const D2_ARRAY: u8 = 13;
    /// Several samples.
    pub const D2_MSAA: u8 = 14;
    /// Array with several samples.
    pub const D2_MSAA_ARRAY: u8 = 15;
}

pub use radeon::r6xx::codes::{border, clamp, mip_filter};

/// Filters within a level.
pub mod xy_filter {
    /// Nearest.
    pub const POINT: u8 = 0;
    /// Linear.
    pub const BILINEAR: u8 = 1;
    /// Nearest, several along the footprint.
    pub const ANISO_POINT: u8 = 2;
    /// Linear, several along the footprint.
    pub const ANISO_BILINEAR: u8 = 3;
}
