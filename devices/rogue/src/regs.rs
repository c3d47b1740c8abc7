//! Registers, in this crate's own numbering: no public manual numbers those of the geometry, 3D and compute kicks.
//!
//! Words of the ISP and the PPP have the fields of the manual [Rogue 15.2, 15.4]; all others are choices of this tree.
//! [`ROWS`] is the one table: numbers, names and fields, for the decoder, the driver and dumps.

pub mod fields;

pub use fields::*;

use isa::{Content, Layout};

/// A register, or an array of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Name.
    pub name: &'static str,
    /// Number of the first.
    pub number: u32,
    /// How many.
    pub count: u32,
    /// What a word holds, where it has fields.
    pub content: Option<Content>,
}

/// Words of the register file.
pub const COUNT: usize = 1024;
/// Render targets.
pub const TARGETS: u32 = 8;
/// Viewports.
pub const VIEWPORTS: u32 = 16;
/// Attributes.
pub const ATTRIBUTES: u32 = 32;
/// Inputs of pixel programs.
pub const INPUTS: u32 = 33;
/// Vertex inputs of an instance.
pub const VERTEX_INPUTS: u32 = 248;
/// Words of a vertex.
pub const VERTEX_WORDS: u32 = 256;
/// Shared registers that the driver fills, of each stage.
pub const DRIVER_SHARED: u32 = 16;
/// Registers of a render target.
pub const TARGET_STRIDE: u32 = 16;
/// Words of a viewport.
pub const VIEWPORT_STRIDE: u32 = 6;

macro_rules! registers {
    ($($(#[$doc:meta])+ $name:ident $(: $content:ty)? = $number:literal $([$count:expr])?;)+) => {
        $($(#[$doc])+ pub const $name: u32 = $number;)+

        /// Every register.
        pub const ROWS: &[Row] = &[$(Row {
            name: stringify!($name),
            number: $number,
            count: [$($count,)? 1][0],
            content: [$(Some(<$content as Layout>::CONTENT),)? None][0],
        }),+];
    };
}

registers! {
    // What a PPP state block holds, in the order of its header.
    /// ISP state of both sides.
    ISPCTL: IspCtl = 0;
    /// Depth test and kind of front faces.
    ISPA_FRONT: IspA = 1;
    /// Stencil test of front faces.
    ISPB_FRONT: IspB = 2;
    /// Depth test and kind of back faces, if [`IspCtl::bpres`].
    ISPA_BACK: IspA = 3;
    /// Stencil test of back faces.
    ISPB_BACK: IspB = 4;
    /// What vertices have behind their position and varyings.
    OUTPUT_SEL: OutputSel = 5;
    /// Clipping and culling.
    PPP_CTRL: PppCtrl = 6;
    /// Offset and scale of x, y, z in turn.
    VIEWPORT: f32 = 8 [VIEWPORTS * VIEWPORT_STRIDE];

    // Tables of the manual that are registers here.
    /// Columns of each viewport's scissor.
    SCISSOR_X: Scissor = 104 [VIEWPORTS];
    /// Its lines.
    SCISSOR_Y: Scissor = 120 [VIEWPORTS];
    /// Depth bias: factor of the smallest step.
    BIAS_CONSTANT: f32 = 136;
    /// Factor of the slope.
    BIAS_SLOPE: f32 = 137;
    /// Limit; none if 0.
    BIAS_CLAMP: f32 = 138;
    /// Width of lines in pixels.
    LINE_WIDTH: f32 = 139;
    /// Size of points in pixels, where vertices give none.
    POINT_SIZE: f32 = 140;
    /// Samples of a pixel that are drawn.
    SAMPLE_MASK = 141;
    /// How primitives become pixels.
    RASTER: Raster = 142;
    /// Where samples that pass are counted, low.
    VISIBILITY_LO = 143;
    /// High.
    VISIBILITY_HI = 144;
    /// Where draws count what they do, low: see [`fields::counter`].
    STATISTICS_LO = 145;
    /// High.
    STATISTICS_HI = 146;
    /// Pattern along lines.
    LINE_STIPPLE: LineStipple = 147;

    // VDM.
    /// How vertices become primitives.
    VDM_CONTROL: VdmControl = 148;
    /// The index after which a strip starts anew.
    VDM_RESTART_INDEX = 149;
    /// Indices that the index buffer holds.
    VDM_INDEX_LIMIT = 150;

    // Vertex programs and their inputs.
    /// Address of the program, low.
    USC_VS_CODE_LO = 152;
    /// High.
    USC_VS_CODE_HI = 153;
    /// How it runs.
    USC_VS_CONTROL: VsControl = 154;
    /// Push constants in shared registers.
    USC_VS_PUSH: Push = 155;
    /// Address of the table of loads, low: see [`crate::pds`].
    PDS_VS_LOADS_LO = 156;
    /// High.
    PDS_VS_LOADS_HI = 157;
    /// Its length.
    PDS_VS_LOADS = 158;
    /// Address of the attribute descriptors, one for each location, low.
    PDS_ATTRIBUTES_LO = 159;
    /// High.
    PDS_ATTRIBUTES_HI = 160;
    /// Attributes that are fetched.
    PDS_ATTRIBUTE_COUNT = 161;
    /// Locations that advance once an instance, a bit each.
    PDS_ATTRIBUTE_STEP = 162;
    /// Number of the draw.
    PDS_DRAW_INDEX = 163;
    /// Location of each attribute that is fetched.
    PDS_ATTRIBUTE_LOCATION = 164 [ATTRIBUTES];
    /// The first shared registers.
    USC_VS_SHARED = 196 [DRIVER_SHARED];

    // Pixel programs and their inputs.
    /// Address of the program, low.
    USC_FS_CODE_LO = 212;
    /// High.
    USC_FS_CODE_HI = 213;
    /// How it runs.
    USC_FS_CONTROL: FsControl = 214;
    /// Push constants in shared registers.
    USC_FS_PUSH: Push = 215;
    /// Address of the table of loads, low.
    PDS_FS_LOADS_LO = 216;
    /// High.
    PDS_FS_LOADS_HI = 217;
    /// Its length.
    PDS_FS_LOADS = 218;
    /// Inputs.
    TSP_INPUTS = 219;
    /// Where each comes from.
    TSP_INPUT: TspInput = 220 [INPUTS];
    /// The first shared registers.
    USC_FS_SHARED = 254 [DRIVER_SHARED];
    /// Words of the pixel program.
    USC_FS_CODE_WORDS = 270;
    /// Words of the vertex program.
    USC_VS_CODE_WORDS = 271;

    // The render.
    /// Width and height.
    CR_SIZE: CrSize = 272;
    /// What all tiles share.
    CR_RENDER: CrRender = 273;
    /// Address of the parameter buffer, low.
    PM_BASE_LO = 274;
    /// High.
    PM_BASE_HI = 275;
    /// Its pages.
    PM_PAGES = 276;
    /// Address of the region headers, low.
    REGION_BASE_LO = 277;
    /// High.
    REGION_BASE_HI = 278;
    /// Loads and stores of depth and stencil.
    ISP_ZLSCTL: ZlsCtl = 279;
    /// Depth at the start: bits of the format.
    ISP_BGOBJ_DEPTH = 280;
    /// Stencil at the start.
    ISP_BGOBJ_STENCIL = 281;
    /// Depth surface: address low, high, layout, pitch, slice, layer bytes.
    ISP_DEPTH = 282 [6];
    /// Stencil surface, the same.
    ISP_STENCIL = 288 [6];
    /// Border colours behind the fixed ones, four words each: address, low.
    TPU_BORDERS_LO = 294;
    /// High.
    TPU_BORDERS_HI = 295;

    /// Format and what happens to target 0.
    PBE_CONTROL0: PbeControl = 304;
    /// Words that its output registers start with.
    PBE_CLEAR0 = 305 [4];
    /// Surface of target 0: address low, high, layout, pitch, slice.
    PBE_SURFACE0 = 309 [5];
    /// Where it is resolved to: address low, high, layout, pitch, slice.
    PBE_RESOLVE0 = 314 [5];
    /// Bytes from layer to layer of the surface of each target.
    PBE_LAYER_BYTES = 432 [TARGETS];
    /// The same of what it is resolved to.
    PBE_RESOLVE_LAYER_BYTES = 440 [TARGETS];

    // Compute programs and their groups.
    /// Address of the program, low.
    USC_CS_CODE_LO = 448;
    /// High.
    USC_CS_CODE_HI = 449;
    /// Words of the program.
    USC_CS_CODE_WORDS = 450;
    /// How it runs.
    USC_CS_CONTROL: CsControl = 451;
    /// Push constants in shared registers.
    USC_CS_PUSH: Push = 452;
    /// Address of the table of loads, low.
    PDS_CS_LOADS_LO = 453;
    /// High.
    PDS_CS_LOADS_HI = 454;
    /// Its length.
    PDS_CS_LOADS = 455;
    /// Instances of a group along each axis.
    CDM_GROUP: CdmGroup = 456;
    /// Bytes of memory that the tasks of a group share: see [`crate::cdm::GROUP_MEMORY`].
    CDM_SHARED = 457;
    /// Address of memory that instances have for themselves, low.
    CDM_PRIVATE_LO = 458;
    /// High.
    CDM_PRIVATE_HI = 459;
    /// Bytes of it for 64 instances; 0 where there is none.
    CDM_PRIVATE = 460;
    /// The first shared registers; those of the place of the group and of the number of groups are the data master's.
    USC_CS_SHARED = 464 [DRIVER_SHARED];

    // Geometry programs and their inputs, where PPP_CTRL.gs_topology has a geometry stage.
    /// Address of the program, low.
    USC_GS_CODE_LO = 512;
    /// High.
    USC_GS_CODE_HI = 513;
    /// Words of the program.
    USC_GS_CODE_WORDS = 514;
    /// How it runs.
    USC_GS_CONTROL: GsControl = 515;
    /// Push constants in shared registers.
    USC_GS_PUSH: Push = 516;
    /// Address of the table of loads, low.
    PDS_GS_LOADS_LO = 517;
    /// High.
    PDS_GS_LOADS_HI = 518;
    /// Its length.
    PDS_GS_LOADS = 519;
    /// The first shared registers.
    USC_GS_SHARED = 520 [DRIVER_SHARED];
    /// Words of each vertex of the primitive that are vertex inputs.
    PDS_GS_INPUTS = 536;
    /// Memory of the unified vertex store for vertices, low.
    UVS_VERTICES_LO = 537;
    /// High.
    UVS_VERTICES_HI = 538;
    /// Its bytes.
    UVS_VERTICES_BYTES = 539;
    /// The same for the vertices that a geometry program emits, low.
    UVS_EMITTED_LO = 540;
    /// High.
    UVS_EMITTED_HI = 541;
    /// Its bytes.
    UVS_EMITTED_BYTES = 542;
    /// Which words: numbers of vertex outputs, four a register from the lowest byte on.
    PDS_GS_INPUT_WORD = 544 [VERTEX_WORDS / 4];
}

/// Registers of geometry programs.
pub const GEOMETRY: std::ops::Range<u32> = USC_GS_CODE_LO..PDS_GS_INPUT_WORD + VERTEX_WORDS / 4;

/// Words of a surface: address low and high, layout, pitch of linear ones, slice.
pub const SURFACE_WORDS: u32 = 5;

/// The row of a register and the number in its array.
pub fn find(number: u32) -> Option<(&'static Row, u32)> {
    let targets = PBE_CONTROL0..PBE_CONTROL0 + TARGETS * TARGET_STRIDE;
    let first = match targets.contains(&number) {
        true => PBE_CONTROL0 + (number - PBE_CONTROL0) % TARGET_STRIDE,
        false => number,
    };
    let inside = |row: &&Row| (row.number..row.number + row.count).contains(&first);
    let row = ROWS.iter().find(inside)?;
    let element = match targets.contains(&number) {
        true => (number - PBE_CONTROL0) / TARGET_STRIDE * 16 + (first - row.number),
        false => number - row.number,
    };
    Some((row, element))
}

/// The register file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers(Box<[u32; COUNT]>);

impl Default for Registers {
    fn default() -> Registers {
        Registers(Box::new([0; COUNT]))
    }
}

impl Registers {
    /// A register; those that do not exist are zero.
    pub fn get(&self, number: u32) -> u32 {
        self.0.get(number as usize).copied().unwrap_or(0)
    }

    /// A register as a float.
    pub fn float(&self, number: u32) -> f32 {
        f32::from_bits(self.get(number))
    }

    /// Two registers as an address.
    pub fn address(&self, low: u32) -> u64 {
        u64::from(self.get(low)) | u64::from(self.get(low + 1)) << 32
    }

    /// Some registers in a row.
    pub fn all<const N: usize>(&self, first: u32) -> [u32; N] {
        std::array::from_fn(|n| self.get(first + n as u32))
    }

    /// Writes a register; says whether it exists.
    pub fn set(&mut self, number: u32, value: u32) -> bool {
        match self.0.get_mut(number as usize) {
            Some(register) if find(number).is_some() => {
                *register = value;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_apart() {
        for (n, row) in ROWS.iter().enumerate() {
            for other in &ROWS[..n] {
                let apart = other.number + other.count <= row.number
                    || row.number + row.count <= other.number;
                assert!(apart, "{} and {}", row.name, other.name);
            }
            assert!((row.number + row.count) as usize <= COUNT);
        }
        const { assert!(PBE_RESOLVE0 + 5 <= PBE_CONTROL0 + TARGET_STRIDE) };
        assert_eq!(
            find(PBE_CONTROL0 + 2 * TARGET_STRIDE).map(|(row, n)| (row.name, n)),
            Some(("PBE_CONTROL0", 32))
        );
        assert_eq!(find(300), None);
        // What follows the targets is no part of them.
        assert_eq!(
            find(PBE_CONTROL0 + TARGETS * TARGET_STRIDE + 1).map(|(row, n)| (row.name, n)),
            Some(("PBE_LAYER_BYTES", 1))
        );
    }
}
