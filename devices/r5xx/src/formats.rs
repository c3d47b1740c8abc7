//! What this chip calls the formats: textures, colour targets, depth. [R5xx 3, TX_FORMAT1, RB3D_COLORPITCH, US_OUT_FMT]
//!
//! Components are counted from the lowest bits, C0 first; selectors bring them to colours, so there is no order in a
//! format. What the manual names without saying where the bits lie, or what they mean, is [`Missing`].

use silicon::Format;
use silicon::texture::format::Read;

/// Why a format is not executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// A reserved code.
    #[error("texture format {0} is reserved")]
    Reserved(u32),
    /// The manual does not say where the bits lie.
    #[error("the manual does not say where the bits of {0} lie")]
    Placement(&'static str),
    /// The manual does not say what the numbers mean.
    #[error("the manual does not say what the numbers of {0} mean")]
    Meaning(&'static str),
    /// Some components are signed and some are not.
    #[error("signs {signs:#06b} of {name}: all of its components or none")]
    Signs {
        /// Of the texture.
        name: &'static str,
        /// A bit for each component.
        signs: u32,
    },
    /// Components that are stored in the sRGB encoding.
    #[error("gamma of {0} is not executed")]
    Gamma(&'static str),
    /// A target and a shader output that do not fit.
    #[error("COLORFORMAT {target} does not take US_OUT_FMT {output} with signs {signs:#06b}")]
    Target {
        /// RB3D_COLORPITCH.COLORFORMAT.
        target: u32,
        /// US_OUT_FMT.OUT_FMT.
        output: u32,
        /// US_OUT_FMT.OUT_SIGN.
        signs: u32,
    },
}

/// What a texture format code stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Texels {
    /// Unsigned, then signed and sRGB where there are such.
    Rows(Format, Option<Format>, Option<Format>),
    /// Nothing that is executed.
    Missing(Missing),
}

/// A row of the table of textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureRow {
    /// Code: TXFORMAT, and TXFORMAT_MSB as bit 5.
    pub code: u32,
    /// Name.
    pub name: &'static str,
    texels: Texels,
}

const fn row(code: u32, name: &'static str, texels: Texels) -> TextureRow {
    TextureRow { code, name, texels }
}

const fn unsigned(format: Format) -> Texels {
    Texels::Rows(format, None, None)
}

const fn both(format: Format, signed: Format) -> Texels {
    Texels::Rows(format, Some(signed), None)
}

const fn srgb(format: Format, encoded: Format) -> Texels {
    Texels::Rows(format, None, Some(encoded))
}

const fn missing(missing: Missing) -> Texels {
    Texels::Missing(missing)
}

/// All textures. 15 to 17 are reserved in the manual: compressed blocks in public drivers.
#[rustfmt::skip]
pub const TEXTURES: &[TextureRow] = &[
    row(0, "TX_FMT_8", both(Format::R8Unorm, Format::R8Snorm)),
    row(1, "TX_FMT_16", both(Format::R16Unorm, Format::R16Snorm)),
    row(2, "TX_FMT_4_4", unsigned(Format::G4R4Unorm)),
    row(3, "TX_FMT_8_8", both(Format::R8G8Unorm, Format::R8G8Snorm)),
    row(4, "TX_FMT_16_16", both(Format::R16G16Unorm, Format::R16G16Snorm)),
    row(5, "TX_FMT_3_3_2", unsigned(Format::R3G3B2Unorm)),
    row(6, "TX_FMT_5_6_5", unsigned(Format::B5G6R5Unorm)),
    row(7, "TX_FMT_6_5_5", both(Format::R6G5B5Unorm, Format::R6G5B5Snorm)),
    row(8, "TX_FMT_11_11_10", both(Format::B11G11R10Unorm, Format::B11G11R10Snorm)),
    row(9, "TX_FMT_10_11_11", both(Format::B10G11R11Unorm, Format::B10G11R11Snorm)),
    row(10, "TX_FMT_4_4_4_4", unsigned(Format::A4B4G4R4Unorm)),
    row(11, "TX_FMT_1_5_5_5", unsigned(Format::A1R5G5B5Unorm)),
    row(12, "TX_FMT_8_8_8_8", Texels::Rows(Format::R8G8B8A8Unorm, Some(Format::R8G8B8A8Snorm), Some(Format::R8G8B8A8Srgb))),
    row(13, "TX_FMT_2_10_10_10", both(Format::A2B10G10R10Unorm, Format::A2B10G10R10Snorm)),
    row(14, "TX_FMT_16_16_16_16", both(Format::R16G16B16A16Unorm, Format::R16G16B16A16Snorm)),
    row(15, "reserved (DXT1 in public drivers)", srgb(Format::Bc1RgbaUnorm, Format::Bc1RgbaSrgb)),
    row(16, "reserved (DXT3 in public drivers)", srgb(Format::Bc2RgbaUnorm, Format::Bc2RgbaSrgb)),
    row(17, "reserved (DXT5 in public drivers)", srgb(Format::Bc3RgbaUnorm, Format::Bc3RgbaSrgb)),
    row(18, "TX_FMT_Y8", unsigned(Format::R8Unorm)),
    row(19, "TX_FMT_AVYU444", unsigned(Format::B8G8R8A8Unorm)),
    row(20, "TX_FMT_VYUY422", unsigned(Format::R8G8Unorm)),
    row(21, "TX_FMT_YVYU422", unsigned(Format::R8G8Unorm)),
    row(22, "TX_FMT_16_MPEG", missing(Missing::Meaning("TX_FMT_16_MPEG"))),
    row(23, "TX_FMT_16_16_MPEG", missing(Missing::Meaning("TX_FMT_16_16_MPEG"))),
    row(24, "TX_FMT_16f", unsigned(Format::R16Float)),
    row(25, "TX_FMT_16f_16f", unsigned(Format::R16G16Float)),
    row(26, "TX_FMT_16f_16f_16f_16f", unsigned(Format::R16G16B16A16Float)),
    row(27, "TX_FMT_32f", unsigned(Format::R32Float)),
    row(28, "TX_FMT_32f_32f", unsigned(Format::R32G32Float)),
    row(29, "TX_FMT_32f_32f_32f_32f", unsigned(Format::R32G32B32A32Float)),
    row(30, "TX_FMT_W24_FP", missing(Missing::Placement("TX_FMT_W24_FP"))),
    row(31, "TX_FMT_ATI2N", both(Format::Bc5RgUnorm, Format::Bc5RgSnorm)),
    row(32, "TX_FMT_1", unsigned(Format::R1Unorm)),
    row(33, "TX_FMT_1_REVERSE", unsigned(Format::R1ReversedUnorm)),
    row(34, "TX_FMT_10", missing(Missing::Placement("TX_FMT_10"))),
    row(35, "TX_FMT_10_10", missing(Missing::Placement("TX_FMT_10_10"))),
    row(36, "TX_FMT_10_10_10_10", missing(Missing::Placement("TX_FMT_10_10_10_10"))),
    row(37, "TX_FMT_ATI1N", both(Format::Bc4RUnorm, Format::Bc4RSnorm)),
    row(38, "TX_FMT_24_8", unsigned(Format::S8UintD24Unorm)),
];

/// The codes of one and of two bytes.
pub const TX_FMT_8: u32 = 0;
/// Two bytes.
pub const TX_FMT_8_8: u32 = 3;
/// The code of luminance, whose signs and selectors are ignored.
pub const TX_FMT_Y8: u32 = 18;
/// The codes of luminance and colour differences, whose signs and selectors are ignored too: texels of four bytes, or of two
/// that have the luminance and one of a pair's differences.
pub const TX_FMT_AVYU444: u32 = 19;
/// From the highest byte on: V, the right luminance, U, the left.
pub const TX_FMT_VYUY422: u32 = 20;
/// The right luminance, V, the left, U.
pub const TX_FMT_YVYU422: u32 = 21;

/// The format of a texture: code, a sign bit for each component, and whether gamma is removed.
pub fn texture(code: u32, signs: u32, gamma: bool) -> Result<Format, Missing> {
    let found = TEXTURES.iter().find(|row| row.code == code);
    let row = found.ok_or(Missing::Reserved(code))?;
    let (plain, signed, encoded) = match row.texels {
        Texels::Rows(plain, signed, encoded) => (plain, signed, encoded),
        Texels::Missing(missing) => return Err(missing),
    };
    let name = row.name;
    // Floats have signs anyway, luminance none.
    let is_float = plain.class() == silicon::texture::format::Class::Float;
    let all = (1 << components(plain)) - 1;
    let signs = match is_float || (TX_FMT_Y8..=TX_FMT_YVYU422).contains(&code) {
        true => 0,
        false => signs & all,
    };
    match (signs, gamma) {
        (0, false) => Ok(plain),
        (0, true) => encoded.ok_or(Missing::Gamma(name)),
        (_, true) => Err(Missing::Gamma(name)),
        (signs, false) if signs == all => signed.ok_or(Missing::Signs { name, signs }),
        (signs, false) => Err(Missing::Signs { name, signs }),
    }
}

/// Components that a texel has, 1 to 4.
fn components(format: Format) -> usize {
    match format.channels().len() {
        0 => format.components() as usize,
        channels => channels,
    }
}

/// Component `n` of the chip as silicon counts them, which is how the format is read.
pub fn component(format: Format, n: u8) -> Read {
    let reads = &format.row().reads;
    // Depth is component 0 wherever it lies; blocks are read in order.
    if format.channels().is_empty() || format.has_depth() {
        return match reads[usize::from(n & 3)] {
            Read::Channel(_) => Read::Channel(n & 3),
            constant => constant,
        };
    }
    let place = reads.iter().position(|read| *read == Read::Channel(n));
    place.map_or(Read::Zero, |place| Read::Channel(place as u8))
}

/// Codes of RB3D_COLORPITCH.COLORFORMAT.
pub mod color_format {
    /// 1, 5, 5 and 5 bits.
    pub const ARGB1555: u32 = 3;
    /// 5, 6 and 5 bits.
    pub const RGB565: u32 = 4;
    /// 2 and three times 10 bits.
    pub const ARGB2101010: u32 = 5;
    /// Four bytes.
    pub const ARGB8888: u32 = 6;
    /// Four words.
    pub const ARGB32323232: u32 = 7;
    /// A byte.
    pub const I8: u32 = 9;
    /// Four halves.
    pub const ARGB16161616: u32 = 10;
    /// Two bytes.
    pub const UV88: u32 = 13;
    /// Four times 4 bits.
    pub const ARGB4444: u32 = 15;
}

/// Codes of US_OUT_FMT.OUT_FMT.
pub mod out_fmt {
    /// 8 bits each.
    pub const C4_8: u32 = 0;
    /// 10 bits each.
    pub const C4_10: u32 = 1;
    /// The same in the sRGB encoding.
    pub const C4_10_GAMMA: u32 = 2;
    /// 16 bits.
    pub const C_16: u32 = 3;
    /// Twice 16 bits.
    pub const C2_16: u32 = 4;
    /// Four times 16 bits.
    pub const C4_16: u32 = 5;
    /// 11, 11 and 10 bits.
    pub const C_11_11_10: u32 = 11;
    /// 10, 11 and 11 bits.
    pub const C_10_11_11: u32 = 12;
    /// 2 and three times 10 bits.
    pub const C_2_10_10_10: u32 = 13;
    /// The target is not written.
    pub const UNUSED: u32 = 15;
    /// A half float.
    pub const C_16_FP: u32 = 16;
    /// Two.
    pub const C2_16_FP: u32 = 17;
    /// Four.
    pub const C4_16_FP: u32 = 18;
    /// A float.
    pub const C_32_FP: u32 = 19;
    /// Two.
    pub const C2_32_FP: u32 = 20;
    /// Four.
    pub const C4_32_FP: u32 = 21;
}

/// Colour targets: the target's code, the shader output's, unsigned and signed.
#[rustfmt::skip]
pub const TARGETS: &[(u32, u32, Format, Option<Format>)] = {
    use color_format::*;
    use out_fmt::*;
    &[
        (ARGB1555, C4_8, Format::A1R5G5B5Unorm, None), (ARGB1555, C4_10, Format::A1R5G5B5Unorm, None),
        (RGB565, C4_8, Format::B5G6R5Unorm, None), (RGB565, C4_10, Format::B5G6R5Unorm, None),
        (ARGB4444, C4_8, Format::A4R4G4B4Unorm, None), (ARGB4444, C4_10, Format::A4R4G4B4Unorm, None),
        (ARGB2101010, C4_10, Format::A2R10G10B10Unorm, None),
        (ARGB2101010, C_2_10_10_10, Format::A2R10G10B10Unorm, Some(Format::A2B10G10R10Snorm)),
        (ARGB8888, C4_8, Format::B8G8R8A8Unorm, Some(Format::R8G8B8A8Snorm)),
        (ARGB8888, C4_10, Format::B8G8R8A8Unorm, None),
        (ARGB8888, C4_10_GAMMA, Format::B8G8R8A8Srgb, None),
        (ARGB8888, C2_16, Format::R16G16Unorm, Some(Format::R16G16Snorm)),
        (ARGB8888, C_11_11_10, Format::B11G11R10Unorm, Some(Format::B11G11R10Snorm)),
        (ARGB8888, C_10_11_11, Format::B10G11R11Unorm, Some(Format::B10G11R11Snorm)),
        (ARGB8888, C2_16_FP, Format::R16G16Float, None),
        (ARGB8888, C_32_FP, Format::R32Float, None),
        (I8, C4_8, Format::R8Unorm, Some(Format::R8Snorm)), (I8, C4_10, Format::R8Unorm, None),
        (UV88, C4_8, Format::R8G8Unorm, Some(Format::R8G8Snorm)), (UV88, C4_10, Format::R8G8Unorm, None),
        (UV88, C_16, Format::R16Unorm, Some(Format::R16Snorm)),
        (UV88, C_16_FP, Format::R16Float, None),
        (ARGB16161616, C4_16, Format::R16G16B16A16Unorm, Some(Format::R16G16B16A16Snorm)),
        (ARGB16161616, C4_16_FP, Format::R16G16B16A16Float, None),
        (ARGB16161616, C2_32_FP, Format::R32G32Float, None),
        (ARGB32323232, C4_32_FP, Format::R32G32B32A32Float, None),
    ]
};

/// The format of a colour target, from the codes of the target and of the shader output that it takes.
pub fn target(target: u32, output: u32, signs: u32) -> Result<Format, Missing> {
    let none = Missing::Target {
        target,
        output,
        signs,
    };
    let mut rows = TARGETS.iter();
    let found = rows.find(|(code, out, ..)| (*code, *out) == (target, output));
    let (.., plain, signed) = found.ok_or(none)?;
    let is_float = plain.class() == silicon::texture::format::Class::Float;
    let all = (1 << plain.channels().len()) - 1;
    match signs & all {
        _ if is_float => Ok(*plain),
        0 => Ok(*plain),
        signs if signs == all => signed.ok_or(none),
        _ => Err(none),
    }
}

/// The bits of a target as numbers that stand for themselves: what blocks behind the shader output see.
pub fn unencoded(format: Format) -> Format {
    match format {
        Format::B8G8R8A8Srgb => Format::B8G8R8A8Unorm,
        other => other,
    }
}

/// Which component C0 to C3 each of silicon's components of a target is; none of those that it has not. I8 stores C2, UV88
/// C2 below C0, and two floats of 32 bits are C0 and C2: Mesa's driver selects these.
pub fn target_components(format: Format) -> [Option<u8>; 4] {
    match format {
        Format::R8Unorm | Format::R8Snorm => [Some(2), None, None, None],
        Format::R8G8Unorm | Format::R8G8Snorm => [Some(2), Some(0), None, None],
        Format::R32G32Float => [Some(0), Some(2), None, None],
        _ => format.row().reads.map(|read| match read {
            Read::Channel(n) => Some(n),
            _ => None,
        }),
    }
}
