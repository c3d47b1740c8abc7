//! Fields of registers.

isa::word! {
    /// ISP state of both sides. [Rogue 15.4 ISPCTL]
    pub struct IspCtl: u32 where {
        valid_id: u8 [31:26], upass: u8 [25:22], tag_write_disable: bool [21:21], ovg_mt_disable: bool [20:20],
        two_sided: bool [19:19], bpres: bool [18:18], dbenable: bool [17:17], scenable: bool [16:16], vis_test: bool [15:15],
        vis_bool: bool [14:14], vis_reg: u16 [13:0]
    }
}

isa::word! {
    /// Depth test and kind of an object. [Rogue 15.4 ISPA]
    pub struct IspA: u32 where {
        objtype: u8 [31:28], reserved_27: bool [27:27], passtype: u8 [26:24], ovg_vispass_mask_op: bool [23:23],
        mask_value: bool [22:22], dwrite_disable: bool [21:21], dfbz_test_enable: bool [20:20], dcmpmode: u8 [19:17],
        line_fill_last_pixel: bool [16:16], point_line_width: u8 [15:8], sref: u8 [7:0]
    }
}

isa::word! {
    /// Stencil test. [Rogue 15.4 ISPB]
    pub struct IspB: u32 where {
        reserved_31: u8 [31:28], scmpmode: u8 [27:25], sop1: u8 [24:22], sop2: u8 [21:19], sop3: u8 [18:16],
        scmpmask: u8 [15:8], swmask: u8 [7:0]
    }
}

isa::word! {
    /// What vertices have beside their position. [Rogue 12.1 OUTPUT_SEL]
    pub struct OutputSel: u32 where {
        vtxsize: u8 [31:24], reserved_23: u8 [23:22], tsp_unclamped_z: bool [21:21], render_tgt: bool [20:20],
        vpt_tgt: bool [19:19], psprite_size: bool [18:18], isp_position_depth_clamp_z: bool [17:17], rhw: bool [16:16],
        cullplane: u8 [15:8], plane: u8 [7:0]
    }
}

isa::word! {
    /// Clipping and culling. [Rogue 15.2 PPP_CTRL]
    pub struct PppCtrl: u32 where {
        reserved_31: u16 [31:16], prim_msaa: bool [15:15], gs_topology: u8 [14:13], prim_id: bool [12:12],
        clip_mode: u8 [11:10], draw_clipped_edges: bool [9:9], flatshade_vertex: u8 [8:7], pretransform: bool [6:6],
        wclampen: bool [5:5], wbuffen: bool [4:4], reset_bbox: bool [3:3], update_bbox: bool [2:2], cullmode: u8 [1:0]
    }
}

isa::word! {
    /// An edge of a scissor, its first pixel and the one behind its last. [Rogue 15.4 DBSC]
    pub struct Scissor: u32 where { first: u16 [31:16], end: u16 [15:0] }
}

isa::word! {
    /// How primitives become pixels.
    pub struct Raster: u32 where {
        reserved_16: u16 [31:16], point_limit: u8 [15:12], reserved_9: u8 [11:9],
        depth_clamp: bool [8:8], fill: u8 [7:6], rectangular_lines: bool [5:5], back_clockwise: bool [4:4],
        discards: bool [3:3], reserved_0: u8 [2:0]
    }
}

isa::word! {
    /// Pattern along lines, lowest bit first: pixels of a bit, less one; lines start anew, not strips alone.
    pub struct LineStipple: u32 where {
        enable: bool [31:31], restarts: bool [30:30], reserved_24: u8 [29:24], repeat: u8 [23:16], pattern: u16 [15:0]
    }
}

isa::word! {
    /// How vertices become primitives.
    pub struct VdmControl: u32 where { reserved_6: u32 [31:6], topology: u8 [5:2], provoking_last: bool [1:1], restart: bool [0:0] }
}

isa::word! {
    /// How a vertex program runs.
    pub struct VsControl: u32 where {
        reserved_18: u16 [31:18], side_effects: bool [17:17], parameters: u8 [16:11], reserved_8: u8 [10:8],
        temporaries: u8 [7:0]
    }
}

isa::word! {
    /// How a geometry program runs: invocations for each primitive, less one; vertices that each emits at most.
    pub struct GsControl: u32 where {
        reserved_31: bool [31:31], max_vertices: u16 [30:20], invocations: u8 [19:15], side_effects: bool [14:14],
        parameters: u8 [13:8], temporaries: u8 [7:0]
    }
}

isa::word! {
    /// How a pixel program runs.
    pub struct FsControl: u32 where {
        reserved_22: u16 [31:22], early_depth: bool [21:21], disabled: bool [20:20], per_sample: bool [19:19],
        side_effects: bool [18:18], pass_type: u8 [17:15], reserved_8: u8 [14:8], temporaries: u8 [7:0]
    }
}

isa::word! {
    /// How a compute program runs.
    pub struct CsControl: u32 where { reserved_8: u32 [31:8], temporaries: u8 [7:0] }
}

isa::word! {
    /// Instances of a group along each axis, less one.
    pub struct CdmGroup: u32 where { reserved_30: u8 [31:30], z: u16 [29:20], y: u16 [19:10], x: u16 [9:0] }
}

isa::word! {
    /// Push constants that are loaded to shared registers.
    pub struct Push: u32 where { count: u16 [31:16], first: u16 [15:0] }
}

isa::word! {
    /// Where an input of pixel programs comes from.
    pub struct TspInput: u32 where { reserved_16: u16 [31:16], source: u8 [15:8], parameter: u8 [7:0] }
}

isa::word! {
    /// Pixels of a render, less one.
    pub struct CrSize: u32 where { height: u16 [31:16], width: u16 [15:0] }
}

isa::word! {
    /// What all tiles share: layers less one, log2 of the samples.
    pub struct CrRender: u32 where { reserved_13: u32 [31:13], last_layer: u16 [12:2], samples: u8 [1:0] }
}

impl CrRender {
    /// Layers of the render.
    pub fn layers(self) -> u32 {
        u32::from(self.last_layer) + 1
    }
}

isa::word! {
    /// Loads and stores of depth and stencil. [Rogue 15.5 ZLS]
    pub struct ZlsCtl: u32 where {
        reserved_27: u8 [31:27], store_format: u8 [26:25], load_format: u8 [24:23], reserved_20: u8 [22:20],
        z_store: bool [19:19], s_store: bool [18:18], store_twiddled: bool [17:17], reserved_16: bool [16:16], z_load: bool [15:15],
        s_load: bool [14:14], load_twiddled: bool [13:13], stencil_present: bool [12:12], depth_present: bool [11:11],
        reserved_0: u16 [10:0]
    }
}

isa::word! {
    /// Format of a target and what happens to it.
    pub struct PbeControl: u32 where {
        present: bool [31:31], load: u8 [30:29], store: bool [28:28], resolve: bool [27:27], reserved_21: u8 [26:21],
        first_register: u8 [20:16], swap: bool [15:15], gamma: bool [14:14], norm: bool [13:13], packmode: u8 [12:7],
        reserved_0: u8 [6:0]
    }
}

isa::word! {
    /// How the texels of a surface lie.
    pub struct SurfaceLayout: u32 where {
        reserved_24: u8 [31:24], memory_layout: u8 [23:22], samples: u8 [21:20], reserved_15: u8 [19:15],
        log2_depth: u8 [14:10], log2_height: u8 [9:5], log2_width: u8 [4:0]
    }
}

/// What draws and dispatches count at STATISTICS: 64-bit numbers in this order.
pub mod counter {
    /// Vertices that were fetched.
    pub const VERTICES: u64 = 0;
    /// Primitives made of them.
    pub const PRIMITIVES: u64 = 1;
    /// Invocations of the vertex program.
    pub const VERTEX_INVOCATIONS: u64 = 2;
    /// Primitives that clipping left, before culling.
    pub const CLIPPED: u64 = 3;
    /// Invocations of the pixel program, helpers not counted. Hidden pixels have none.
    pub const PIXEL_INVOCATIONS: u64 = 4;
    /// Invocations of the geometry program.
    pub const GEOMETRY_INVOCATIONS: u64 = 5;
    /// Primitives that it emits.
    pub const GEOMETRY_PRIMITIVES: u64 = 6;
    /// Primitives that clipping takes.
    pub const CLIPPING: u64 = 7;
    /// Invocations of compute programs.
    pub const COMPUTE_INVOCATIONS: u64 = 8;
    /// How many there are.
    pub const COUNT: u64 = 9;
}

/// PPP_CTRL.cullmode.
pub mod cullmode {
    /// Nothing.
    pub const NONE: u8 = 0;
    /// Clockwise triangles.
    pub const CLOCKWISE: u8 = 1;
    /// The others.
    pub const COUNTER_CLOCKWISE: u8 = 2;
}

/// PPP_CTRL.gs_topology: the codes are choices of this tree.
pub mod gs_topology {
    /// There is no geometry stage.
    pub const NONE: u8 = 0;
    /// What it emits are points.
    pub const POINTS: u8 = 1;
    /// Line strips.
    pub const LINE_STRIP: u8 = 2;
    /// Triangle strips.
    pub const TRIANGLE_STRIP: u8 = 3;
}

/// ISPA.passtype and FsControl.pass_type. [Rogue 15.5]
pub mod pass_type {
    /// Hides what is behind it, unshaded.
    pub const OPAQUE: u8 = 0;
    /// Sees what is behind it.
    pub const TRANSLUCENT: u8 = 1;
    /// Its program says which pixels there are.
    pub const PUNCH_THROUGH: u8 = 2;
    /// Its program says how deep they are.
    pub const DEPTH_FEEDBACK: u8 = 5;
}

/// TspInput.source.
pub mod source {
    /// Interpolated with perspective.
    pub const PERSPECTIVE: u8 = 0;
    /// Linear on the screen.
    pub const LINEAR: u8 = 1;
    /// That of the provoking vertex.
    pub const FLAT: u8 = 2;
    /// The place in a point.
    pub const POINT: u8 = 3;
    /// The number of the primitive.
    pub const PRIMITIVE: u8 = 4;
}

/// PbeControl.load.
pub mod load {
    /// The clear words.
    pub const CLEAR: u8 = 0;
    /// What memory holds.
    pub const MEMORY: u8 = 1;
}

/// Raster.fill: what triangles are drawn as.
pub mod fill {
    /// Triangles.
    pub const SOLID: u8 = 0;
    /// Edges.
    pub const LINES: u8 = 1;
    /// Corners.
    pub const POINTS: u8 = 2;
}
