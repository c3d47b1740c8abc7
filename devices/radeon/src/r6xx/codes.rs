//! Register codes that R600 and its successors share, decoded to pipeline state.

use silicon::fragment::blend::{Equation, Factor, Logic, Operation};
use silicon::fragment::depth::Compare;
use silicon::geometry::attributes::Source;
use silicon::geometry::topology::Topology;
use silicon::texture::format::{Class, Format, Read};
use silicon::texture::sample::{Address, Border, Filter, MipFilter};

/// Values of VGT_PRIMITIVE_TYPE.
pub mod prim_type {
    /// Points.
    pub const POINTLIST: u32 = 1;
    /// Separate lines.
    pub const LINELIST: u32 = 2;
    /// Connected lines.
    pub const LINESTRIP: u32 = 3;
    /// Separate triangles.
    pub const TRILIST: u32 = 4;
    /// Triangles around the first vertex.
    pub const TRIFAN: u32 = 5;
    /// Connected triangles.
    pub const TRISTRIP: u32 = 6;
    /// Separate lines with neighbours.
    pub const LINELIST_ADJ: u32 = 10;
    /// Connected lines with neighbours.
    pub const LINESTRIP_ADJ: u32 = 11;
    /// Separate triangles with neighbours.
    pub const TRILIST_ADJ: u32 = 12;
    /// Connected triangles with neighbours.
    pub const TRISTRIP_ADJ: u32 = 13;
    /// Axis-aligned rectangles of three vertices.
    pub const RECTLIST: u32 = 17;
    /// Closed connected lines.
    pub const LINELOOP: u32 = 18;
    /// Separate quadrilaterals.
    pub const QUADLIST: u32 = 19;
    /// Connected quadrilaterals.
    pub const QUADSTRIP: u32 = 20;
    /// One convex polygon.
    pub const POLYGON: u32 = 21;
}

/// Topologies by VGT_PRIMITIVE_TYPE.
#[rustfmt::skip]
const TOPOLOGIES: [(u32, Topology); 15] = [
    (prim_type::POINTLIST,     Topology::Points),
    (prim_type::LINELIST,      Topology::Lines),
    (prim_type::LINESTRIP,     Topology::LineStrip),
    (prim_type::TRILIST,       Topology::Triangles),
    (prim_type::TRIFAN,        Topology::TriangleFan),
    (prim_type::TRISTRIP,      Topology::TriangleStrip),
    (prim_type::LINELIST_ADJ,  Topology::LinesAdjacency),
    (prim_type::LINESTRIP_ADJ, Topology::LineStripAdjacency),
    (prim_type::TRILIST_ADJ,   Topology::TrianglesAdjacency),
    (prim_type::TRISTRIP_ADJ,  Topology::TriangleStripAdjacency),
    (prim_type::RECTLIST,      Topology::Rectangles),
    (prim_type::LINELOOP,      Topology::LineLoop),
    (prim_type::QUADLIST,      Topology::Quads),
    (prim_type::QUADSTRIP,     Topology::QuadStrip),
    (prim_type::POLYGON,       Topology::Polygon),
];

/// The topology of a VGT_PRIMITIVE_TYPE.
pub fn topology(code: u32) -> Option<Topology> {
    let row = TOPOLOGIES.iter().find(|(own, _)| *own == code);
    row.map(|(_, topology)| *topology)
}

/// Comparison functions of depth and stencil.
pub mod compare {
    /// Never.
    pub const NEVER: u8 = 0;
    /// New value less.
    pub const LESS: u8 = 1;
    /// Equal.
    pub const EQUAL: u8 = 2;
    /// Less or equal.
    pub const LEQUAL: u8 = 3;
    /// Greater.
    pub const GREATER: u8 = 4;
    /// Not equal.
    pub const NOTEQUAL: u8 = 5;
    /// Greater or equal.
    pub const GEQUAL: u8 = 6;
    /// Always.
    pub const ALWAYS: u8 = 7;
}

/// The comparison of a code. [`compare`]
pub fn comparison(code: u8) -> Compare {
    match code & 7 {
        compare::NEVER => Compare::Never,
        compare::LESS => Compare::Less,
        compare::EQUAL => Compare::Equal,
        compare::LEQUAL => Compare::LessEqual,
        compare::GREATER => Compare::Greater,
        compare::NOTEQUAL => Compare::NotEqual,
        compare::GEQUAL => Compare::GreaterEqual,
        _ => Compare::Always,
    }
}

/// Values of PA_SC_LINE_STIPPLE.AUTO_RESET_CNTL: when the pattern starts anew.
pub mod stipple_reset {
    /// With every line.
    pub const PRIMITIVE: u8 = 1;
    /// With every strip, and every draw.
    pub const PACKET: u8 = 2;
}

/// Values of CB_COLORn_INFO.NUMBER_TYPE.
pub mod number_type {
    /// Unsigned, 0..1.
    pub const UNORM: u8 = 0;
    /// Signed, -1..1.
    pub const SNORM: u8 = 1;
    /// Unsigned integer.
    pub const UINT: u8 = 4;
    /// Signed integer.
    pub const SINT: u8 = 5;
    /// sRGB curve on red, green and blue.
    pub const SRGB: u8 = 6;
    /// Float.
    pub const FLOAT: u8 = 7;
}

/// NUMBER_TYPE of a colour target of this format.
pub fn number_type_of(format: Format) -> u8 {
    match format.class() {
        _ if format.is_srgb() => number_type::SRGB,
        Class::Unorm => number_type::UNORM,
        Class::Snorm => number_type::SNORM,
        Class::Uint => number_type::UINT,
        Class::Sint => number_type::SINT,
        Class::Float => number_type::FLOAT,
    }
}

/// The format with this FORMAT, NUMBER_TYPE and COMP_SWAP among a chip's colour targets; `codes` maps a format to them.
pub fn color_target(
    formats: &[(Format, u8)],
    codes: impl Fn(Format) -> Option<(u8, u8, u8)>,
    wanted @ (format, number, swap): (u8, u8, u8),
) -> Result<Format, String> {
    let mut formats = formats.iter().map(|(format, _)| *format);
    let found = formats.find(|candidate| codes(*candidate) == Some(wanted));
    found.ok_or_else(|| {
        format!("format {format}, number type {number}, order {swap}, which together are none")
    })
}

/// Identity component selectors of a format: `x` is the code of the first stored channel, the others follow.
pub fn selectors(format: Format, [zero, one, x]: [u8; 3]) -> [u8; 4] {
    format.row().reads.map(|read| match read {
        Read::Zero => zero,
        Read::One => one,
        Read::Channel(c) => x + c,
    })
}

/// The component of a stored channel, as selectors count.
pub fn component_of(format: Format, channel: u8) -> Read {
    let mut reads = format.row().reads.iter();
    let at = reads.position(|read| *read == Read::Channel(channel));
    at.map_or(Read::Zero, |at| Read::Channel(at as u8))
}

/// Values of CB_COLORn_INFO.COMP_SWAP: which component lies in the lowest bits.
pub mod comp_swap {
    /// Red lowest.
    pub const STD: u8 = 0;
    /// Blue lowest; with one component green, with two red and alpha.
    pub const ALT: u8 = 1;
    /// Alpha lowest.
    pub const STD_REV: u8 = 2;
    /// Alpha, then red.
    pub const ALT_REV: u8 = 3;
}

/// The components of a colour target's stored channels, lowest first. [`comp_swap`]
pub fn stored_components(channels: usize, swap: u8) -> &'static [u8] {
    match (channels, swap) {
        (1, comp_swap::STD) => &[0],
        (1, comp_swap::ALT) => &[1],
        (1, comp_swap::STD_REV) => &[2],
        (1, _) => &[3],
        (2, comp_swap::STD) => &[0, 1],
        (2, comp_swap::ALT) => &[0, 3],
        (2, comp_swap::STD_REV) => &[1, 0],
        (2, _) => &[3, 0],
        (3, comp_swap::STD) => &[0, 1, 2],
        (3, comp_swap::ALT) => &[0, 1, 3],
        (3, comp_swap::STD_REV) => &[2, 1, 0],
        (3, _) => &[3, 1, 0],
        (_, comp_swap::STD) => &[0, 1, 2, 3],
        (_, comp_swap::ALT) => &[2, 1, 0, 3],
        (_, comp_swap::STD_REV) => &[3, 2, 1, 0],
        (_, _) => &[3, 0, 1, 2],
    }
}

/// COMP_SWAP of a colour target of this format, if it is any of them.
pub fn component_order(format: Format) -> Option<u8> {
    let channels = format.channels();
    let component = |channel: usize| {
        (0..4u8).find(|c| format.row().reads[*c as usize] == Read::Channel(channel as u8))
    };
    (0..4u8).find(|swap| {
        stored_components(channels.len(), *swap)
            .iter()
            .enumerate()
            .all(|(channel, own)| component(channel).is_none_or(|c| c == *own))
    })
}

/// Address modes of samplers.
pub mod clamp {
    /// Repeat.
    pub const WRAP: u8 = 0;
    /// Repeat mirrored.
    pub const MIRROR: u8 = 1;
    /// Last texel.
    pub const LAST_TEXEL: u8 = 2;
    /// Mirror once, then the last texel.
    pub const MIRROR_ONCE_LAST_TEXEL: u8 = 3;
    /// Half way to the border colour.
    pub const HALF_BORDER: u8 = 4;
    /// Mirror once, then half way to the border colour.
    pub const MIRROR_ONCE_HALF_BORDER: u8 = 5;
    /// Border colour.
    pub const BORDER: u8 = 6;
    /// Mirror once, then the border colour.
    pub const MIRROR_ONCE_BORDER: u8 = 7;
}

/// How an address mode leaves the image. [`clamp`]
pub fn address(mode: u8) -> Address {
    match mode {
        clamp::WRAP => Address::Repeat,
        clamp::MIRROR => Address::Mirror,
        clamp::LAST_TEXEL => Address::ClampToEdge,
        clamp::MIRROR_ONCE_LAST_TEXEL => Address::MirrorClampToEdge,
        clamp::HALF_BORDER => Address::HalfBorder,
        clamp::MIRROR_ONCE_HALF_BORDER => Address::MirrorHalfBorder,
        clamp::BORDER => Address::Border,
        _ => Address::MirrorBorder,
    }
}

/// Filters of samplers between levels, and between slices of 3D images.
pub mod mip_filter {
    /// Level 0 only; slices as the filter within a level.
    pub const NONE: u8 = 0;
    /// Nearest.
    pub const POINT: u8 = 1;
    /// Linear.
    pub const LINEAR: u8 = 2;
}

/// The filter between levels. [`mip_filter`]
pub fn between_levels(code: u8) -> MipFilter {
    match code {
        mip_filter::NONE => MipFilter::None,
        mip_filter::POINT => MipFilter::Nearest,
        _ => MipFilter::Linear,
    }
}

/// The filter between slices; none where it is that within a level. [`mip_filter`]
pub fn between_slices(code: u8) -> Option<Filter> {
    match code {
        mip_filter::POINT => Some(Filter::Nearest),
        mip_filter::LINEAR => Some(Filter::Linear),
        _ => None,
    }
}

/// Border colours of samplers.
pub mod border {
    /// 0, 0, 0, 0.
    pub const TRANSPARENT_BLACK: u8 = 0;
    /// 0, 0, 0, 1.
    pub const OPAQUE_BLACK: u8 = 1;
    /// 1, 1, 1, 1.
    pub const OPAQUE_WHITE: u8 = 2;
    /// R600: TD_*_SAMPLERn_BORDER_*. Southern Islands: an entry of the border colour table.
    pub const REGISTER: u8 = 3;
}

/// The border colour of a code; `custom` finds that of [`border::REGISTER`].
pub fn border_color(code: u8, custom: impl FnOnce() -> [u32; 4]) -> Border {
    match code {
        border::TRANSPARENT_BLACK => Border::TransparentBlack,
        border::OPAQUE_BLACK => Border::OpaqueBlack,
        border::OPAQUE_WHITE => Border::OpaqueWhite,
        _ => Border::Custom(custom()),
    }
}

/// The largest ratio of an anisotropic sampler: MAX_ANISO_RATIO is its logarithm.
pub fn anisotropy(enabled: bool, ratio: u8) -> u32 {
    if enabled { 1 << ratio.min(4) } else { 1 }
}

/// Values of SPI_INTERP_CONTROL_0.PNT_SPRITE_OVRD_X to W: what a component of a point's texture coordinate is.
pub mod point_sprite {
    /// 0.
    pub const ZERO: u8 = 0;
    /// 1.
    pub const ONE: u8 = 1;
    /// From left to right.
    pub const S: u8 = 2;
    /// From top to bottom.
    pub const T: u8 = 3;
    /// The parameter as exported.
    pub const NONE: u8 = 4;
}

/// Point coordinate components from their codes; `top_1` starts T at 1. Parameters in their place are unsupported.
pub fn point_coordinates(codes: [u8; 4], top_1: bool) -> Source {
    let mut rows = [[0.0; 4]; 3];
    for (n, code) in codes.into_iter().enumerate() {
        match code {
            point_sprite::ONE => rows[0][n] = 1.0,
            point_sprite::S => rows[1][n] = 1.0,
            point_sprite::T if top_1 => {
                rows[0][n] = 1.0;
                rows[2][n] = -1.0;
            }
            point_sprite::T => rows[2][n] = 1.0,
            _ => {}
        }
    }
    Source::Point(rows)
}

/// Blend factors.
pub mod blend {
    /// 0.
    pub const ZERO: u8 = 0;
    /// 1.
    pub const ONE: u8 = 1;
    /// Source colour.
    pub const SRC_COLOR: u8 = 2;
    /// 1 - source colour.
    pub const ONE_MINUS_SRC_COLOR: u8 = 3;
    /// Source alpha.
    pub const SRC_ALPHA: u8 = 4;
    /// 1 - source alpha.
    pub const ONE_MINUS_SRC_ALPHA: u8 = 5;
    /// Destination alpha.
    pub const DST_ALPHA: u8 = 6;
    /// 1 - destination alpha.
    pub const ONE_MINUS_DST_ALPHA: u8 = 7;
    /// Destination colour.
    pub const DST_COLOR: u8 = 8;
    /// 1 - destination colour.
    pub const ONE_MINUS_DST_COLOR: u8 = 9;
    /// min(source alpha, 1 - destination alpha); 1 for alpha.
    pub const SRC_ALPHA_SATURATE: u8 = 10;
    /// Blend constant.
    pub const CONSTANT_COLOR: u8 = 13;
    /// 1 - blend constant.
    pub const ONE_MINUS_CONSTANT_COLOR: u8 = 14;
    /// Second source colour.
    pub const SRC1_COLOR: u8 = 15;
    /// 1 - second source colour.
    pub const INV_SRC1_COLOR: u8 = 16;
    /// Second source alpha.
    pub const SRC1_ALPHA: u8 = 17;
    /// 1 - second source alpha.
    pub const INV_SRC1_ALPHA: u8 = 18;
    /// Blend constant alpha.
    pub const CONSTANT_ALPHA: u8 = 19;
    /// 1 - blend constant alpha.
    pub const ONE_MINUS_CONSTANT_ALPHA: u8 = 20;
}

/// Blend equations.
pub mod comb_fcn {
    /// Source + destination.
    pub const DST_PLUS_SRC: u8 = 0;
    /// Source - destination.
    pub const SRC_MINUS_DST: u8 = 1;
    /// Minimum.
    pub const MIN_DST_SRC: u8 = 2;
    /// Maximum.
    pub const MAX_DST_SRC: u8 = 3;
    /// Destination - source.
    pub const DST_MINUS_SRC: u8 = 4;
}

/// A blend equation from two factors and a function, or the unknown code.
pub fn equation(src: u8, dst: u8, function: u8) -> Result<Equation, String> {
    Ok(Equation {
        src: factor(src)?,
        dst: factor(dst)?,
        op: match function {
            comb_fcn::DST_PLUS_SRC => Operation::Add,
            comb_fcn::SRC_MINUS_DST => Operation::Subtract,
            comb_fcn::MIN_DST_SRC => Operation::Min,
            comb_fcn::MAX_DST_SRC => Operation::Max,
            comb_fcn::DST_MINUS_SRC => Operation::ReverseSubtract,
            other => return Err(format!("there is no blend equation {other}")),
        },
    })
}

fn factor(code: u8) -> Result<Factor, String> {
    use blend::*;
    Ok(match code {
        ZERO => Factor::Zero,
        ONE => Factor::One,
        SRC_COLOR => Factor::SrcColor,
        ONE_MINUS_SRC_COLOR => Factor::OneMinusSrcColor,
        SRC_ALPHA => Factor::SrcAlpha,
        ONE_MINUS_SRC_ALPHA => Factor::OneMinusSrcAlpha,
        DST_ALPHA => Factor::DstAlpha,
        ONE_MINUS_DST_ALPHA => Factor::OneMinusDstAlpha,
        DST_COLOR => Factor::DstColor,
        ONE_MINUS_DST_COLOR => Factor::OneMinusDstColor,
        SRC_ALPHA_SATURATE => Factor::SrcAlphaSaturate,
        CONSTANT_COLOR => Factor::ConstantColor,
        ONE_MINUS_CONSTANT_COLOR => Factor::OneMinusConstantColor,
        SRC1_COLOR => Factor::Src1Color,
        INV_SRC1_COLOR => Factor::OneMinusSrc1Color,
        SRC1_ALPHA => Factor::Src1Alpha,
        INV_SRC1_ALPHA => Factor::OneMinusSrc1Alpha,
        CONSTANT_ALPHA => Factor::ConstantAlpha,
        ONE_MINUS_CONSTANT_ALPHA => Factor::OneMinusConstantAlpha,
        other => return Err(format!("there is no blend factor {other}")),
    })
}

/// The logic operation of a ROP3 code; `None` for copy.
pub fn logic(rop3: u8) -> Result<Option<Logic>, String> {
    let found = Logic::ALL
        .into_iter()
        .find(|op| op.apply(0b1100, 0b1010) & 15 == u32::from(rop3 & 15));
    match found {
        Some(op) if rop3 >> 4 == rop3 & 15 => Ok((op != Logic::Copy).then_some(op)),
        _ => Err(format!("ROP3 {rop3:#x} has a pattern, and there is none")),
    }
}
