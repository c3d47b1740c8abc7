//! What this chip calls the formats: one table, and what descriptors and registers make of a row.
//!
//! Absence from the table means that the chip has no such format. Number formats follow from the format's class;
//! component order follows from how the format is read.

use std::sync::OnceLock;

use radeon::r6xx::codes::{self, component_order, number_type_of};
use silicon::Format;
use silicon::texture::format::{Class, FormatCapabilities, Read};
use silicon::texture::texel::Reading;

use crate::descriptor::dst_sel;
use crate::regs::z_format;

/// Data format of V#, T# and (below 32) CB_COLORn_INFO. [SI table 8.13]
#[rustfmt::skip]
pub const DATA_FORMATS: &[(Format, u8)] = &[
    (Format::R8Unorm, 1), (Format::R8Snorm, 1), (Format::R8Uint, 1), (Format::R8Sint, 1),
    (Format::S8Uint, 1),
    (Format::R16Unorm, 2), (Format::R16Snorm, 2), (Format::R16Uint, 2), (Format::R16Sint, 2), (Format::R16Float, 2),
    (Format::D16Unorm, 2),
    (Format::R8G8Unorm, 3), (Format::R8G8Snorm, 3), (Format::R8G8Uint, 3), (Format::R8G8Sint, 3),
    (Format::R32Uint, 4), (Format::R32Sint, 4), (Format::R32Float, 4), (Format::D32Float, 4),
    (Format::R16G16Unorm, 5), (Format::R16G16Snorm, 5), (Format::R16G16Uint, 5), (Format::R16G16Sint, 5),
    (Format::R16G16Float, 5),
    (Format::B10G11R11Float, 6), (Format::B10G11R11Unorm, 6), (Format::B10G11R11Snorm, 6), (Format::B10G11R11Uint, 6),
    (Format::B10G11R11Sint, 6),
    (Format::B11G11R10Float, 7), (Format::B11G11R10Unorm, 7), (Format::B11G11R10Snorm, 7),
    (Format::R10G10B10A2Unorm, 8), (Format::R10G10B10A2Uint, 8),
    (Format::A2B10G10R10Unorm, 9), (Format::A2B10G10R10Snorm, 9), (Format::A2B10G10R10Uint, 9),
    (Format::A2B10G10R10Sint, 9), (Format::A2R10G10B10Unorm, 9),
    (Format::R8G8B8A8Unorm, 10), (Format::R8G8B8A8Srgb, 10), (Format::R8G8B8A8Snorm, 10), (Format::R8G8B8A8Uint, 10),
    (Format::R8G8B8A8Sint, 10), (Format::B8G8R8A8Unorm, 10), (Format::B8G8R8A8Srgb, 10), (Format::B8G8R8X8Unorm, 10),
    (Format::R32G32Uint, 11), (Format::R32G32Sint, 11), (Format::R32G32Float, 11),
    (Format::R16G16B16A16Unorm, 12), (Format::R16G16B16A16Snorm, 12), (Format::R16G16B16A16Uint, 12),
    (Format::R16G16B16A16Sint, 12), (Format::R16G16B16A16Float, 12),
    (Format::R32G32B32Uint, 13), (Format::R32G32B32Sint, 13), (Format::R32G32B32Float, 13),
    (Format::R32G32B32A32Uint, 14), (Format::R32G32B32A32Sint, 14), (Format::R32G32B32A32Float, 14),
    (Format::B5G6R5Unorm, 16),
    (Format::A1R5G5B5Unorm, 17),
    (Format::R5G5B5A1Unorm, 18),
    (Format::A4B4G4R4Unorm, 19), (Format::A4R4G4B4Unorm, 19),
    (Format::R24G8Unorm, 20), (Format::D24UnormX8, 20), (Format::R8G24Unorm, 21), (Format::S8UintD24Unorm, 21),
    (Format::R32FloatG8Uint, 22),
    (Format::B8G8R8G8Unorm, 32), (Format::G8B8G8R8Unorm, 33),
    (Format::E5B9G9R9Float, 34),
    (Format::Bc1RgbaUnorm, 35), (Format::Bc1RgbaSrgb, 35), (Format::Bc2RgbaUnorm, 36), (Format::Bc2RgbaSrgb, 36),
    (Format::Bc3RgbaUnorm, 37), (Format::Bc3RgbaSrgb, 37), (Format::Bc4RUnorm, 38), (Format::Bc4RSnorm, 38),
    (Format::Bc5RgUnorm, 39), (Format::Bc5RgSnorm, 39), (Format::Bc6hRgbUfloat, 40), (Format::Bc6hRgbFloat, 40),
    (Format::Bc7RgbaUnorm, 41), (Format::Bc7RgbaSrgb, 41),
    // FMASK, see `sample_bits`.
    (Format::R8Uint, 47), (Format::R8Uint, 48), (Format::R8Uint, 49), (Format::R16Uint, 50), (Format::R16Uint, 51),
    (Format::R32Uint, 52), (Format::R32Uint, 53), (Format::R32Uint, 54), (Format::R64Uint, 55), (Format::R64Uint, 56),
    (Format::G4R4Unorm, 57),
    (Format::R6G5B5Unorm, 58), (Format::R6G5B5Snorm, 58),
    (Format::R1Unorm, 59), (Format::R1ReversedUnorm, 60),
    // Other orders of components, which targets have; and one byte in sRGB.
    (Format::R8Srgb, 1), (Format::A8Unorm, 1), (Format::A8Snorm, 1), (Format::A8Uint, 1), (Format::A8Sint, 1),
    (Format::A16Unorm, 2), (Format::A16Snorm, 2), (Format::A16Uint, 2), (Format::A16Sint, 2), (Format::A16Float, 2),
    (Format::R8A8Unorm, 3), (Format::R8A8Snorm, 3), (Format::R8A8Uint, 3), (Format::R8A8Sint, 3), (Format::A32Uint, 4),
    (Format::A32Sint, 4), (Format::A32Float, 4), (Format::R16A16Unorm, 5), (Format::R16A16Snorm, 5),
    (Format::R16A16Uint, 5), (Format::R16A16Sint, 5), (Format::R16A16Float, 5), (Format::A2R10G10B10Uint, 9),
    (Format::A8B8G8R8Unorm, 10), (Format::A8B8G8R8Srgb, 10), (Format::A8B8G8R8Snorm, 10), (Format::A8B8G8R8Uint, 10),
    (Format::A8B8G8R8Sint, 10), (Format::A8R8G8B8Unorm, 10), (Format::A8R8G8B8Srgb, 10), (Format::A8R8G8B8Snorm, 10),
    (Format::A8R8G8B8Uint, 10), (Format::A8R8G8B8Sint, 10), (Format::B8G8R8A8Snorm, 10), (Format::B8G8R8A8Uint, 10),
    (Format::B8G8R8A8Sint, 10), (Format::R32A32Uint, 11), (Format::R32A32Sint, 11), (Format::R32A32Float, 11),
    (Format::R5G6B5Unorm, 16), (Format::R5G6A5Unorm, 16), (Format::A5G6R5Unorm, 16), (Format::A1B5G5R5Unorm, 17),
    (Format::R1G5B5A5Unorm, 17), (Format::B1G5R5A5Unorm, 17), (Format::A5B5G5R1Unorm, 18),
    (Format::A5R5G5B1Unorm, 18), (Format::B5G5R5A1Unorm, 18), (Format::R4G4B4A4Unorm, 19),
    (Format::B4G4R4A4Unorm, 19),
];

/// Number formats of V# and T#. [SI table 11.11]
pub mod num_format {
    /// `c / (2^n - 1)`.
    pub const UNORM: u8 = 0;
    /// `max(c / (2^(n-1) - 1), -1)`.
    pub const SNORM: u8 = 1;
    /// Unsigned integer as a float.
    pub const USCALED: u8 = 2;
    /// Signed integer as a float.
    pub const SSCALED: u8 = 3;
    /// Unsigned integer.
    pub const UINT: u8 = 4;
    /// Signed integer.
    pub const SINT: u8 = 5;
    /// `(2 c + 1) / (2^n - 1)`.
    pub const SNORM_NZ: u8 = 6;
    /// Float.
    pub const FLOAT: u8 = 7;
    /// sRGB curve; images only, like the rest.
    pub const SRGB: u8 = 9;
    /// `c - 2^(n-1)` as SNORM.
    pub const UBNORM: u8 = 10;
    /// `c - 2^(n-1)` as SNORM_NZ.
    pub const UBNORM_NZ: u8 = 11;
    /// `c - 2^(n-1)` as an integer.
    pub const UBINT: u8 = 12;
    /// `c - 2^(n-1)` as a float.
    pub const UBSCALED: u8 = 13;
}

/// Bits of a texel for each sample, of FMASK with as many colours as samples. Loads give four for each. (ERRATA 40)
pub(crate) fn sample_bits(data: u8) -> Option<u32> {
    match data {
        47 => Some(1),
        49 => Some(2),
        _ => None,
    }
}

/// Data and number format of an image descriptor.
pub fn image_format(format: Format) -> Option<(u8, u8)> {
    let (_, data) = DATA_FORMATS.iter().find(|(f, _)| *f == format)?;
    Some((*data, number(format)))
}

/// Data and number format of a buffer descriptor.
pub fn buffer_format(format: Format) -> Option<(u8, u8)> {
    image_format(format).filter(|(data, num)| *data < 15 && *num <= num_format::FLOAT)
}

fn number(format: Format) -> u8 {
    if format == Format::Bc6hRgbUfloat {
        // One code for both half-float compressions: unsigned is the unnormalised form. [SI table 8.13]
        return num_format::UNORM;
    }
    match format.class() {
        _ if format.is_srgb() => num_format::SRGB,
        Class::Unorm => num_format::UNORM,
        Class::Snorm => num_format::SNORM,
        Class::Uint => num_format::UINT,
        Class::Sint => num_format::SINT,
        Class::Float => num_format::FLOAT,
    }
}

/// What a descriptor's codes say: where the channels are, and what they mean if not what the format says. None where
/// the chip has no such pair. Component order is the descriptor's business ([`selectors`]).
pub fn from_codes(data: u8, num: u8) -> Option<(Format, Option<Reading>)> {
    type Cell = Option<(Format, Option<Reading>)>;
    static TABLE: OnceLock<[[Cell; 16]; 64]> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = [[None; 16]; 64];
        for (format, data) in DATA_FORMATS.iter().rev() {
            let row = &mut table[usize::from(*data)];
            for (num, cell) in row.iter_mut().enumerate() {
                let reading = reading(num as u8).filter(|reading| reading.fits(*format));
                if reading.is_some() && !matches!(cell, Some((_, None))) {
                    *cell = Some((*format, reading));
                }
            }
        }
        for (format, data) in DATA_FORMATS.iter().rev() {
            table[usize::from(*data)][usize::from(number(*format))] = Some((*format, None));
        }
        table
    });
    *table.get(usize::from(data))?.get(usize::from(num))?
}

/// What a number format says of channels.
fn reading(num: u8) -> Option<Reading> {
    Some(match num {
        num_format::UNORM => Reading::Unorm,
        num_format::SNORM => Reading::Snorm,
        num_format::USCALED => Reading::Uscaled,
        num_format::SSCALED => Reading::Sscaled,
        num_format::UINT => Reading::Uint,
        num_format::SINT => Reading::Sint,
        num_format::SNORM_NZ => Reading::SnormNoZero,
        num_format::FLOAT => Reading::Float,
        num_format::SRGB => Reading::Srgb,
        num_format::UBNORM => Reading::BiasedNorm,
        num_format::UBNORM_NZ => Reading::BiasedNormNoZero,
        num_format::UBINT => Reading::BiasedInt,
        num_format::UBSCALED => Reading::BiasedScaled,
        _ => return None,
    })
}

/// What a component selector of V# or T# names, in terms of the components that a format is read as: selectors count
/// stored channels.
pub fn selected(format: Format, selector: u8) -> Read {
    match selector {
        dst_sel::ONE => Read::One,
        dst_sel::X..=dst_sel::W => codes::component_of(format, selector - dst_sel::X),
        _ => Read::Zero,
    }
}

/// DST_SEL_X..W that read a format as it is meant.
pub fn selectors(format: Format) -> [u8; 4] {
    codes::selectors(format, [dst_sel::ZERO, dst_sel::ONE, dst_sel::X])
}

/// FORMAT, NUMBER_TYPE and COMP_SWAP of a colour target.
pub fn color_format(format: Format) -> Option<(u8, u8, u8)> {
    if !format.is_renderable() {
        return None;
    }
    let (data, _) = image_format(format)?;
    // Three 32-bit components are for buffers only.
    if data == 13 || data >= 20 {
        return None;
    }
    Some((data, number_type_of(format), component_order(format)?))
}

/// The format of a colour target's codes.
pub fn from_color(format: u8, number: u8, swap: u8) -> Result<Format, String> {
    codes::color_target(DATA_FORMATS, color_format, (format, number, swap))
}

/// DB_Z_INFO.FORMAT of a depth plane.
pub fn depth_format(format: Format) -> Option<u8> {
    match format {
        Format::D16Unorm => Some(z_format::Z_16),
        Format::D24UnormX8 => Some(z_format::Z_24),
        Format::D32Float => Some(z_format::Z_32_FLOAT),
        _ => None,
    }
}

/// What the blocks of this chip do with a format. Scaled copies are not theirs.
pub fn capabilities(format: Format) -> FormatCapabilities {
    let (depth, stencil) = depth_planes(format);
    let depth_stencil = depth.or(stencil).is_some();
    // Shaders read one plane at a time; the first stands for the format.
    let first = depth.or(stencil).unwrap_or(format);
    let sampled = image_format(first).is_some_and(|(data, _)| data != 13);
    let renderable = color_format(format).is_some() && !depth_stencil;
    let target = renderable || depth_stencil;
    FormatCapabilities {
        sampled,
        filterable: sampled && first.is_filterable(),
        renderable,
        blendable: renderable && format.is_blendable(),
        // What the colour blocks write, the texture unit stores; it has no sRGB curve for it. [SI table 8.13]
        storage: renderable && !format.is_srgb(),
        storage_atomic: matches!(format, Format::R32Uint | Format::R32Sint),
        depth_stencil,
        vertex: buffer_format(format).is_some() && !depth_stencil,
        // Samples of 1, 2, 4 and 8.
        sample_counts: if target { 0b1111 } else { u32::from(sampled) },
        ..FormatCapabilities::default()
    }
}

/// The planes that a depth-stencil format is stored in: this chip keeps depth and stencil apart.
pub fn depth_planes(format: Format) -> (Option<Format>, Option<Format>) {
    match format {
        Format::D16Unorm | Format::D32Float | Format::D24UnormX8 => (Some(format), None),
        Format::S8Uint => (None, Some(format)),
        Format::D24UnormS8Uint => (Some(Format::D24UnormX8), Some(Format::S8Uint)),
        Format::D32FloatS8Uint => (Some(Format::D32Float), Some(Format::S8Uint)),
        _ => (None, None),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::regs::{comp_swap, number_type};

    #[test]
    fn codes_lead_back_to_the_format() {
        for (format, _) in DATA_FORMATS {
            let (data, num) = image_format(*format).unwrap();
            let (found, reading) = from_codes(data, num).unwrap();
            assert_eq!(reading, None, "{format:?}");
            assert_eq!(
                found.channels().len(),
                format.channels().len(),
                "{format:?}"
            );
            assert_eq!(found.size_bytes(), format.size_bytes(), "{format:?}");
            if let Some((color, number, swap)) = color_format(*format) {
                let found = from_color(color, number, swap).unwrap();
                assert_eq!(found.size_bytes(), format.size_bytes(), "{format:?}");
            }
        }
    }

    #[test]
    fn blue_first_is_an_order_of_components() {
        assert_eq!(
            color_format(Format::B8G8R8A8Unorm),
            Some((10, number_type::UNORM, comp_swap::ALT))
        );
        assert_eq!(selectors(Format::B8G8R8A8Unorm), [6, 5, 4, 7]);
        assert_eq!(
            color_format(Format::B5G6R5Unorm),
            Some((16, number_type::UNORM, comp_swap::STD_REV))
        );
        assert_eq!(color_format(Format::R32G32B32Float), None);
        assert_eq!(color_format(Format::D16Unorm), None);
    }
}
