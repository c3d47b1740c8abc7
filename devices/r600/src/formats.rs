//! What this chip calls the formats: one table, and what resources and registers make of a row.
//!
//! Absence from the table means that the chip has no such format. One list of codes serves textures, vertex fetches and
//! colour targets; floats have codes of their own, other number formats follow from the format's class, and component
//! order from how the format is read.

use radeon::r6xx::codes::{self, component_order, number_type_of};
use silicon::Format;
use silicon::texture::format::{Class, FormatCapabilities};

use crate::regs::depth_format;
use crate::resource::{format_comp, num_format, sel};

/// DATA_FORMAT of resources, FORMAT of colour targets. [R600D FMT_*, COLOR_*]
#[rustfmt::skip]
pub const DATA_FORMATS: &[(Format, u8)] = &[
    (Format::R8Unorm, 1), (Format::R8Snorm, 1), (Format::R8Uint, 1), (Format::R8Sint, 1),
    (Format::G4R4Unorm, 2), (Format::A4R4Unorm, 2), (Format::R4G4Unorm, 2), (Format::R4A4Unorm, 2),
    (Format::R3G3B2Unorm, 3), (Format::B3G3R2Unorm, 3), (Format::A3G3R2Unorm, 3), (Format::R3G3A2Unorm, 3),
    (Format::R16Unorm, 5), (Format::R16Snorm, 5), (Format::R16Uint, 5), (Format::R16Sint, 5), (Format::D16Unorm, 5),
    (Format::R16Float, 6),
    (Format::R8G8Unorm, 7), (Format::R8G8Snorm, 7), (Format::R8G8Uint, 7), (Format::R8G8Sint, 7),
    (Format::B5G6R5Unorm, 8),
    (Format::R6G5B5Unorm, 9), (Format::R6G5B5Snorm, 9), (Format::B6G5R5Unorm, 9), (Format::B6G5R5Snorm, 9),
    (Format::A6G5R5Unorm, 9), (Format::A6G5R5Snorm, 9), (Format::R6G5A5Unorm, 9), (Format::R6G5A5Snorm, 9),
    (Format::A1R5G5B5Unorm, 10),
    (Format::A4B4G4R4Unorm, 11), (Format::A4R4G4B4Unorm, 11),
    (Format::R5G5B5A1Unorm, 12),
    (Format::R32Uint, 13), (Format::R32Sint, 13),
    (Format::R32Float, 14), (Format::D32Float, 14),
    (Format::R16G16Unorm, 15), (Format::R16G16Snorm, 15), (Format::R16G16Uint, 15), (Format::R16G16Sint, 15),
    (Format::R16G16Float, 16),
    (Format::D24UnormS8Uint, 17), (Format::D24UnormX8, 17),
    (Format::S8UintD24Unorm, 19),
    (Format::B10G11R11Unorm, 21), (Format::B10G11R11Snorm, 21), (Format::B10G11R11Uint, 21), (Format::B10G11R11Sint, 21),
    (Format::B10G11R11Float, 22),
    (Format::B11G11R10Unorm, 23), (Format::B11G11R10Snorm, 23),
    (Format::B11G11R10Float, 24),
    (Format::A2B10G10R10Unorm, 25), (Format::A2B10G10R10Snorm, 25), (Format::A2B10G10R10Uint, 25),
    (Format::A2B10G10R10Sint, 25), (Format::A2R10G10B10Unorm, 25),
    (Format::R8G8B8A8Unorm, 26), (Format::R8G8B8A8Srgb, 26), (Format::R8G8B8A8Snorm, 26), (Format::R8G8B8A8Uint, 26),
    (Format::R8G8B8A8Sint, 26), (Format::B8G8R8A8Unorm, 26), (Format::B8G8R8A8Srgb, 26), (Format::B8G8R8X8Unorm, 26),
    (Format::R10G10B10A2Unorm, 27), (Format::R10G10B10A2Uint, 27),
    (Format::D32FloatS8Uint, 28),
    (Format::R32G32Uint, 29), (Format::R32G32Sint, 29),
    (Format::R32G32Float, 30),
    (Format::R16G16B16A16Unorm, 31), (Format::R16G16B16A16Snorm, 31), (Format::R16G16B16A16Uint, 31),
    (Format::R16G16B16A16Sint, 31),
    (Format::R16G16B16A16Float, 32),
    (Format::R32G32B32A32Uint, 34), (Format::R32G32B32A32Sint, 34),
    (Format::R32G32B32A32Float, 35),
    (Format::R1Unorm, 37),
    (Format::B8G8R8G8Unorm, 39), (Format::G8B8G8R8Unorm, 40),
    (Format::E5B9G9R9Float, 43),
    (Format::R8G8B8Unorm, 44), (Format::R8G8B8Snorm, 44), (Format::R8G8B8Uint, 44), (Format::R8G8B8Sint, 44),
    (Format::R16G16B16Unorm, 45), (Format::R16G16B16Snorm, 45), (Format::R16G16B16Uint, 45), (Format::R16G16B16Sint, 45),
    (Format::R16G16B16Float, 46),
    (Format::R32G32B32Uint, 47), (Format::R32G32B32Sint, 47),
    (Format::R32G32B32Float, 48),
    (Format::Bc1RgbaUnorm, 49), (Format::Bc1RgbaSrgb, 49), (Format::Bc2RgbaUnorm, 50), (Format::Bc2RgbaSrgb, 50),
    (Format::Bc3RgbaUnorm, 51), (Format::Bc3RgbaSrgb, 51), (Format::Bc4RUnorm, 52), (Format::Bc4RSnorm, 52),
    (Format::Bc5RgUnorm, 53), (Format::Bc5RgSnorm, 53),
    // Other orders of components, which targets have; and one byte in sRGB.
    (Format::R8Srgb, 1), (Format::A8Unorm, 1), (Format::A8Snorm, 1), (Format::A8Uint, 1), (Format::A8Sint, 1),
    (Format::A16Unorm, 5), (Format::A16Snorm, 5), (Format::A16Uint, 5), (Format::A16Sint, 5), (Format::A16Float, 6),
    (Format::R8A8Unorm, 7), (Format::R8A8Snorm, 7), (Format::R8A8Uint, 7), (Format::R8A8Sint, 7), (Format::A32Uint, 13),
    (Format::A32Sint, 13), (Format::A32Float, 14), (Format::R16A16Unorm, 15), (Format::R16A16Snorm, 15),
    (Format::R16A16Uint, 15), (Format::R16A16Sint, 15), (Format::R16A16Float, 16), (Format::A2R10G10B10Uint, 25),
    (Format::A8B8G8R8Unorm, 26), (Format::A8B8G8R8Srgb, 26), (Format::A8B8G8R8Snorm, 26), (Format::A8B8G8R8Uint, 26),
    (Format::A8B8G8R8Sint, 26), (Format::A8R8G8B8Unorm, 26), (Format::A8R8G8B8Srgb, 26), (Format::A8R8G8B8Snorm, 26),
    (Format::A8R8G8B8Uint, 26), (Format::A8R8G8B8Sint, 26), (Format::B8G8R8A8Snorm, 26), (Format::B8G8R8A8Uint, 26),
    (Format::B8G8R8A8Sint, 26), (Format::R32A32Uint, 29), (Format::R32A32Sint, 29), (Format::R32A32Float, 30),
    (Format::R5G6B5Unorm, 8), (Format::R5G6A5Unorm, 8), (Format::A5G6R5Unorm, 8), (Format::A1B5G5R5Unorm, 10),
    (Format::R1G5B5A5Unorm, 10), (Format::B1G5R5A5Unorm, 10), (Format::R4G4B4A4Unorm, 11), (Format::B4G4R4A4Unorm, 11),
    (Format::A5B5G5R1Unorm, 12), (Format::A5R5G5B1Unorm, 12), (Format::B5G5R5A1Unorm, 12),
];

/// How the bits of a channel are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberFormat {
    /// Values in [`num_format`].
    pub num_format: u8,
    /// Two's complement: [`format_comp`].
    pub signed: bool,
    /// The sRGB curve is undone: FORCE_DEGAMMA.
    pub degamma: bool,
}

/// DATA_FORMAT of a format.
pub fn data_format(format: Format) -> Option<u8> {
    let row = DATA_FORMATS.iter().find(|(own, _)| *own == format);
    row.map(|(_, code)| *code)
}

/// NUM_FORMAT_ALL, FORMAT_COMP and FORCE_DEGAMMA of a format.
pub fn number_format(format: Format) -> NumberFormat {
    let class = format.class();
    NumberFormat {
        num_format: match class {
            Class::Uint | Class::Sint => num_format::INT,
            _ => num_format::NORM,
        },
        signed: matches!(class, Class::Snorm | Class::Sint),
        degamma: format.is_srgb(),
    }
}

/// The format of a resource's codes. Component order is the resource's business ([`selectors`]).
pub fn from_resource(data: u8, number: NumberFormat) -> Option<Format> {
    DATA_FORMATS
        .iter()
        .filter(|(_, code)| *code == data)
        .map(|(format, _)| *format)
        .find(|format| {
            let own = number_format(*format);
            // Floats and their kin have one reading; what the fields say of them does not matter.
            format.class() == Class::Float || own == number
        })
}

/// DST_SEL_X to W that read a format as it is meant.
pub fn selectors(format: Format) -> [u8; 4] {
    codes::selectors(format, [sel::ZERO, sel::ONE, sel::X])
}

/// FORMAT_COMP_X to W: the same for all stored channels.
pub fn format_comps(format: Format) -> u8 {
    match number_format(format).signed {
        true => format_comp::SIGNED,
        false => format_comp::UNSIGNED,
    }
}

/// FORMAT, NUMBER_TYPE and COMP_SWAP of a colour target.
pub fn color_format(format: Format) -> Option<(u8, u8, u8)> {
    if !format.is_renderable() || depth_code(format).is_some() {
        return None;
    }
    let data = data_format(format).filter(|data| *data <= 35)?;
    Some((data, number_type_of(format), component_order(format)?))
}

/// The format of a colour target's codes.
pub fn from_color(format: u8, number: u8, swap: u8) -> Result<Format, String> {
    codes::color_target(DATA_FORMATS, color_format, (format, number, swap))
}

/// DB_DEPTH_INFO.FORMAT: depth and stencil lie together. Stencil alone is stored beside 24 unused bits.
pub fn depth_code(format: Format) -> Option<u8> {
    match format {
        Format::D16Unorm => Some(depth_format::DEPTH_16),
        Format::D24UnormX8 => Some(depth_format::DEPTH_X8_24),
        Format::D24UnormS8Uint => Some(depth_format::DEPTH_8_24),
        Format::D32Float => Some(depth_format::DEPTH_32_FLOAT),
        Format::D32FloatS8Uint => Some(depth_format::DEPTH_X24_8_32_FLOAT),
        _ => None,
    }
}

/// The format of a DB_DEPTH_INFO.FORMAT.
pub fn from_depth(code: u8) -> Option<Format> {
    let mut formats = DATA_FORMATS.iter().map(|(format, _)| *format);
    formats.find(|format| depth_code(*format) == Some(code))
}

/// The format that an image of this format is stored in.
pub fn stored(format: Format) -> Format {
    match format {
        Format::S8Uint => Format::D24UnormS8Uint,
        other => other,
    }
}

/// What the blocks of this chip do with a format. Scaled copies are not theirs.
pub fn capabilities(format: Format) -> FormatCapabilities {
    let depth_stencil = depth_code(stored(format)).is_some();
    let three = format.channels().len() == 3 && matches!(format.size_bytes(), 3 | 6 | 12);
    let sampled = data_format(stored(format)).is_some() && !three;
    let renderable = color_format(format).is_some();
    let target = renderable || depth_stencil;
    FormatCapabilities {
        sampled,
        filterable: sampled && format.is_filterable(),
        renderable,
        blendable: renderable && format.is_blendable(),
        depth_stencil,
        vertex: vertex_format(format).is_some(),
        // Samples of 1, 2, 4 and 8.
        sample_counts: if target { 0b1111 } else { u32::from(sampled) },
        ..FormatCapabilities::default()
    }
}

/// DATA_FORMAT of a vertex attribute.
pub fn vertex_format(format: Format) -> Option<u8> {
    let whole = format.channels().iter().all(|channel| channel.bits >= 8);
    data_format(format).filter(|data| {
        let plain = *data < 37 || matches!(*data, 44..=48);
        plain && whole && depth_code(format).is_none() && !format.is_srgb()
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::regs::{comp_swap, number_type};

    #[test]
    fn codes_lead_back_to_the_format() {
        for (format, data) in DATA_FORMATS {
            let found = from_resource(*data, number_format(*format)).unwrap();
            assert_eq!(found.size_bytes(), format.size_bytes(), "{format:?}");
            assert_eq!(found.class(), format.class(), "{format:?}");
            assert_eq!(found.is_srgb(), format.is_srgb(), "{format:?}");
            if let Some((color, number, swap)) = color_format(*format) {
                let found = from_color(color, number, swap).unwrap();
                assert_eq!(found.size_bytes(), format.size_bytes(), "{format:?}");
                assert_eq!(component_order(found), Some(swap), "{format:?}");
            }
        }
    }

    #[test]
    fn narrow_targets_have_every_order() {
        for (code, number) in [
            (2, number_type::UNORM),
            (3, number_type::UNORM),
            (9, number_type::UNORM),
            (9, number_type::SNORM),
        ] {
            let found = (0..4).map(|swap| from_color(code, number, swap).unwrap());
            let mut found: Vec<_> = found.collect();
            found.sort();
            found.dedup();
            assert_eq!(found.len(), 4, "format {code}");
        }
    }

    #[test]
    fn codes_of_the_list() {
        assert_eq!(
            color_format(Format::B8G8R8A8Unorm),
            Some((26, number_type::UNORM, comp_swap::ALT))
        );
        assert_eq!(
            color_format(Format::R16Float),
            Some((6, number_type::FLOAT, comp_swap::STD))
        );
        assert_eq!(selectors(Format::B8G8R8A8Unorm), [2, 1, 0, 3]);
        assert_eq!(selectors(Format::R8Unorm), [0, 4, 4, 5]);
        assert_eq!(color_format(Format::R32G32B32Float), None);
        assert_eq!(color_format(Format::D16Unorm), None);
        assert_eq!(vertex_format(Format::R32G32B32Float), Some(48));
        assert_eq!(vertex_format(Format::Bc1RgbaUnorm), None);
        assert_eq!(depth_code(stored(Format::S8Uint)), Some(3));
        assert_eq!(data_format(Format::Bc7RgbaUnorm), None);
    }
}
