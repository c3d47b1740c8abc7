//! What the chip calls the formats of the interface: the rows of its tables that store texels in the same bits, and the
//! selectors that bring components to their place. [R5XX 3]

use ::r5xx::formats::{self, TARGETS, TEXTURES, TX_FMT_Y8};
use silicon::Format;
use silicon::texture::format::{Class, FormatCapabilities, Read};

/// Selectors of TX_FORMAT1 that are no component.
const SELECT_ZERO: u32 = 4;
const SELECT_ONE: u32 = 5;
/// Signs of all components.
const ALL_SIGNED: u32 = 15;

/// A texture's format in the terms of TX_FORMAT1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextureCode {
    /// TXFORMAT, and TXFORMAT_MSB as bit 5.
    pub code: u32,
    /// SIGNED_COMP0 to SIGNED_COMP3.
    pub signs: u32,
    /// GAMMA.
    pub gamma: bool,
    /// SEL_RED, SEL_GREEN, SEL_BLUE, SEL_ALPHA.
    pub select: [u32; 4],
}

/// A colour target's format in the terms of RB3D_COLORPITCH and US_OUT_FMT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TargetCode {
    /// COLORFORMAT.
    pub color: u32,
    /// OUT_FMT.
    pub output: u32,
    /// OUT_SIGN.
    pub signs: u32,
    /// Which channel of a colour, red to alpha, each of the chip's components C0 to C3 stores.
    pub channels: [u8; 4],
}

/// How depth and stencil are stored. [R5XX ZB_FORMAT]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DepthCode {
    /// DEPTHFORMAT.
    pub code: u32,
    /// What is in memory.
    pub stored: Format,
}

/// How an image of depth or stencil is stored: 24 bits and stencil share a word, stencil alone takes one too.
pub(super) fn depth_code(format: Format) -> Option<DepthCode> {
    let (code, stored) = match format {
        Format::D16Unorm => (0, Format::D16Unorm),
        Format::D24UnormX8 | Format::D24UnormS8Uint | Format::S8Uint => (2, Format::S8UintD24Unorm),
        _ => return None,
    };
    Some(DepthCode { code, stored })
}

/// What an image of a format holds in memory.
pub(super) fn stored(format: Format) -> Format {
    depth_code(format).map_or(format, |code| code.stored)
}

/// The texture format whose texels have the same bits.
pub(super) fn texture_code(format: Format) -> Option<TextureCode> {
    // Stencil is an integer.
    let depth = format.has_depth() || format.has_stencil();
    if format == Format::S8Uint || depth && depth_code(format).is_none() {
        return None;
    }
    let wanted = stored(format);
    let readings = [(0, false), (ALL_SIGNED, false), (0, true)];
    let rows = TEXTURES.iter().filter(|row| row.code != TX_FMT_Y8);
    let mut all = rows.flat_map(|row| readings.map(|(signs, gamma)| (row.code, signs, gamma)));
    let (code, signs, gamma) = all.find(|&(code, signs, gamma)| {
        formats::texture(code, signs, gamma).is_ok_and(|found| same_texels(found, wanted))
    })?;
    let select = match format.has_depth() {
        true => [0, SELECT_ZERO, SELECT_ZERO, SELECT_ONE],
        false => format.row().reads.map(|read| match read {
            Read::Channel(stored) => u32::from(stored),
            Read::Zero => SELECT_ZERO,
            Read::One => SELECT_ONE,
        }),
    };
    Some(TextureCode {
        code,
        signs,
        gamma,
        select,
    })
}

/// The colour target whose texels have the same bits.
pub(super) fn target_code(format: Format) -> Option<TargetCode> {
    let found = TARGETS.iter().find_map(|(color, output, plain, signed)| {
        if same_texels(*plain, format) {
            return Some((*color, *output, 0));
        }
        let signed = signed.filter(|signed| same_texels(*signed, format));
        signed.map(|_| (*color, *output, ALL_SIGNED))
    });
    let (color, output, signs) = found.filter(|_| format.is_renderable())?;
    // Components that are not stored are the rest of the colour, for blend factors.
    let mut channels = [0, 1, 2, 3];
    for (channel, stored) in formats::target_components(format).into_iter().enumerate() {
        if let Some(stored) = stored {
            channels[usize::from(stored)] = channel as u8;
        }
    }
    Some(TargetCode {
        color,
        output,
        signs,
        channels,
    })
}

/// Whether formats differ in the order of components at most.
fn same_texels(one: Format, other: Format) -> bool {
    one.row().layout == other.row().layout && one.is_srgb() == other.is_srgb()
}

/// DATA_TYPE, SIGNED, NORMALIZE and selectors of a vertex attribute; words of its element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ElementCode {
    /// DATA_TYPE.
    pub data_type: u32,
    /// SIGNED.
    pub signed: bool,
    /// NORMALIZE.
    pub normalize: bool,
    /// SWIZZLE_SELECT_X to W.
    pub select: [u32; 4],
    /// Words that it takes.
    pub words: u32,
}

/// A vertex attribute. Elements are whole words: formats of one or two bytes, of integers of 32 bits and of alphas of two
/// bits are missing. [R5XX VAP_PROG_STREAM_CNTL]
pub(super) fn element_code(format: Format) -> Option<ElementCode> {
    let channels = format.channels();
    let bits = channels.first()?.bits;
    let equal = channels.iter().all(|channel| channel.bits == bits);
    let (data_type, words) = match (format.class(), bits, channels.len()) {
        (Class::Float, 32, count) => (count as u32 - 1, count as u32),
        (Class::Float, 16, 2) => (11, 1),
        (Class::Float, 16, 4) => (12, 2),
        (Class::Float, ..) => return None,
        (_, 8, 4) => (4, 1),
        (_, 16, 2) => (6, 1),
        (_, 16, 4) => (7, 2),
        _ => return None,
    };
    let plain = equal && !format.is_srgb() && !format.has_depth() && !format.has_stencil();
    plain.then(|| ElementCode {
        data_type,
        signed: matches!(format.class(), Class::Snorm | Class::Sint),
        normalize: matches!(format.class(), Class::Unorm | Class::Snorm),
        select: format.row().reads.map(|read| match read {
            Read::Channel(stored) => u32::from(stored),
            Read::Zero => SELECT_ZERO,
            Read::One => SELECT_ONE,
        }),
        words,
    })
}

/// Whether pixels may have several samples: colours of 32 bits and four halves, depths of 24 bits. The colour block
/// averages numbers without sign. [R5XX 10.8.2, "FP16 AA"]
fn has_samples(format: Format) -> bool {
    let color = match format.class() {
        Class::Unorm => format.size_bytes() == 4 && format.channels().len() == 4,
        _ => format == Format::R16G16B16A16Float,
    };
    let depth = depth_code(format).is_some_and(|code| code.stored.size_bytes() == 4);
    color && target_code(format).is_some() || depth
}

/// What the blocks of the chip do with a format. Floats are never filtered; texels of 32 bits a component are not blended.
pub(super) fn capabilities(format: Format) -> FormatCapabilities {
    let sampled = texture_code(format).is_some();
    let renderable = target_code(format).is_some();
    let depth_stencil = depth_code(format).is_some();
    let wide = |format: Format| format.channels().iter().any(|channel| channel.bits == 32);
    FormatCapabilities {
        sampled,
        filterable: sampled && format.class() != Class::Float,
        renderable,
        blendable: renderable && format.is_blendable() && !wide(format),
        depth_stencil,
        vertex: element_code(format).is_some(),
        sample_counts: match sampled || renderable || depth_stencil {
            true if has_samples(format) => 1 | 2 | 4,
            exists => u32::from(exists),
        },
        ..FormatCapabilities::default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn textures_are_read_in_the_order_of_the_format() {
        let code = |format| {
            let code = texture_code(format).unwrap();
            (code.code, code.signs, code.gamma, code.select)
        };
        assert_eq!(code(Format::R8G8B8A8Unorm), (12, 0, false, [0, 1, 2, 3]));
        assert_eq!(code(Format::B8G8R8A8Srgb), (12, 0, true, [2, 1, 0, 3]));
        assert_eq!(code(Format::R8G8Snorm), (3, 15, false, [0, 1, 4, 5]));
        assert_eq!(code(Format::A2B10G10R10Unorm), (13, 0, false, [0, 1, 2, 3]));
        assert_eq!(code(Format::Bc1RgbaSrgb), (15, 0, true, [0, 1, 2, 3]));
        assert_eq!(code(Format::Bc4RSnorm), (37, 15, false, [0, 4, 4, 5]));
        assert_eq!(code(Format::R16Float), (24, 0, false, [0, 4, 4, 5]));
        // Depth is component 0, beside stencil too.
        assert_eq!(code(Format::D16Unorm), (1, 0, false, [0, 4, 4, 5]));
        assert_eq!(code(Format::D24UnormS8Uint), (38, 0, false, [0, 4, 4, 5]));
        for format in [
            Format::S8Uint,
            Format::R8Uint,
            Format::Bc7RgbaUnorm,
            Format::E5B9G9R9Float,
            Format::B10G11R11Float,
            Format::D32Float,
        ] {
            assert_eq!(texture_code(format), None, "{format:?}");
        }
    }

    #[test]
    fn targets_store_the_channels_of_the_format() {
        let code = |format| {
            let code = target_code(format).unwrap();
            (code.color, code.output, code.signs, code.channels)
        };
        use formats::color_format::*;
        use formats::out_fmt::*;
        assert_eq!(
            code(Format::R8G8B8A8Unorm),
            (ARGB8888, C4_8, 0, [0, 1, 2, 3])
        );
        assert_eq!(
            code(Format::B8G8R8A8Unorm),
            (ARGB8888, C4_8, 0, [2, 1, 0, 3])
        );
        assert_eq!(
            code(Format::R8G8B8A8Srgb),
            (ARGB8888, C4_10_GAMMA, 0, [0, 1, 2, 3])
        );
        assert_eq!(code(Format::R8Snorm), (I8, C4_8, 15, [0, 1, 0, 3]));
        assert_eq!(code(Format::R8G8Unorm), (UV88, C4_8, 0, [1, 1, 0, 3]));
        assert_eq!(
            code(Format::A2B10G10R10Unorm),
            (ARGB2101010, C4_10, 0, [0, 1, 2, 3])
        );
        assert_eq!(
            code(Format::R16G16Float),
            (ARGB8888, C2_16_FP, 0, [0, 1, 2, 3])
        );
        for format in [
            Format::R8Uint,
            Format::D16Unorm,
            Format::Bc1RgbaUnorm,
            Format::B10G11R11Float,
        ] {
            assert_eq!(target_code(format), None, "{format:?}");
        }
    }

    #[test]
    fn elements_are_whole_words() {
        for format in Format::ALL {
            let Some(code) = element_code(*format) else {
                continue;
            };
            assert_eq!(4 * code.words, format.size_bytes(), "{format:?}");
        }
        let bytes = element_code(Format::B8G8R8A8Unorm).unwrap();
        assert_eq!((bytes.data_type, bytes.select), (4, [2, 1, 0, 3]));
        assert!(bytes.normalize && !bytes.signed);
        let halves = element_code(Format::R16G16Sint).unwrap();
        assert_eq!((halves.data_type, halves.select), (6, [0, 1, 4, 5]));
        for format in [
            Format::R8G8Unorm,
            Format::R16Float,
            Format::R32Uint,
            Format::A2B10G10R10Unorm,
        ] {
            assert_eq!(element_code(format), None, "{format:?}");
        }
    }
}
