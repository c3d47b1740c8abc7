//! What this chip calls the formats: one table for texture state words, and what can be done with each.
//!
//! A code says where the components are. Whether integers are normalised is the instruction's business (SMP .fcnorm),
//! gamma and the order of components the state words'. Absence from the table means that the chip has no such format.

use silicon::Format;
use silicon::texture::format::{Class, FormatCapabilities};

use crate::pbe;

/// The code of a format in texture state words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// TEXFORMAT, 7 bits.
    pub number: u8,
    /// The number is one of the compressed formats.
    pub compressed: bool,
}

const fn plain(number: u8) -> Code {
    Code {
        number,
        compressed: false,
    }
}

const fn compressed(number: u8) -> Code {
    Code {
        number,
        compressed: true,
    }
}

/// Formats and their codes. [Rogue 11.4] The first row of a code and a class is the one that [`from_code`] finds.
#[rustfmt::skip]
pub const TABLE: &[(Format, Code)] = &[
    (Format::R8Unorm, plain(0)), (Format::R8Uint, plain(0)), (Format::S8Uint, plain(0)),
    (Format::R8Snorm, plain(1)), (Format::R8Sint, plain(1)),
    (Format::A4R4G4B4Unorm, plain(2)), (Format::A1R5G5B5Unorm, plain(4)), (Format::B5G6R5Unorm, plain(5)),
    (Format::R8G8Unorm, plain(7)), (Format::R8G8Uint, plain(7)),
    (Format::R8G8Snorm, plain(8)), (Format::R8G8Sint, plain(8)),
    (Format::R16Unorm, plain(9)), (Format::R16Uint, plain(9)), (Format::D16Unorm, plain(9)),
    (Format::R16Snorm, plain(10)), (Format::R16Sint, plain(10)),
    (Format::R16Float, plain(11)),
    (Format::R8G8B8A8Unorm, plain(12)), (Format::R8G8B8A8Uint, plain(12)), (Format::R8G8B8A8Srgb, plain(12)),
    (Format::B8G8R8A8Unorm, plain(12)), (Format::B8G8R8A8Srgb, plain(12)), (Format::B8G8R8X8Unorm, plain(12)),
    (Format::R8G8B8A8Snorm, plain(13)), (Format::R8G8B8A8Sint, plain(13)),
    (Format::A2B10G10R10Unorm, plain(14)), (Format::A2B10G10R10Uint, plain(14)),
    (Format::R16G16Unorm, plain(15)), (Format::R16G16Uint, plain(15)),
    (Format::R16G16Snorm, plain(16)), (Format::R16G16Sint, plain(16)),
    (Format::R16G16Float, plain(17)),
    (Format::R32Float, plain(18)), (Format::D32Float, plain(18)),
    (Format::D24UnormX8, plain(21)), (Format::D24UnormS8Uint, plain(22)),
    (Format::R32Uint, plain(24)), (Format::R32Sint, plain(25)),
    (Format::E5B9G9R9Float, plain(26)), (Format::B11G11R10Float, plain(27)),
    (Format::R16G16B16A16Float, plain(28)),
    (Format::R16G16B16A16Unorm, plain(29)), (Format::R16G16B16A16Uint, plain(29)),
    (Format::R16G16B16A16Snorm, plain(30)), (Format::R16G16B16A16Sint, plain(30)),
    (Format::R32G32Float, plain(34)), (Format::R32G32Uint, plain(35)), (Format::R64Uint, plain(35)),
    (Format::R32G32Sint, plain(36)),
    (Format::R32G32B32A32Float, plain(61)), (Format::R32G32B32A32Uint, plain(62)),
    (Format::R32G32B32A32Sint, plain(63)),
    (Format::R32G32B32Float, plain(64)), (Format::R32G32B32Uint, plain(65)), (Format::R32G32B32Sint, plain(66)),
    (Format::R10G10B10A2Unorm, plain(85)), (Format::R10G10B10A2Uint, plain(85)),
    (Format::B10G11R11Float, plain(88)),

    (Format::Astc4x4Unorm, compressed(0)), (Format::Astc4x4Srgb, compressed(0)),
    (Format::Astc5x4Unorm, compressed(1)), (Format::Astc5x4Srgb, compressed(1)),
    (Format::Astc5x5Unorm, compressed(2)), (Format::Astc5x5Srgb, compressed(2)),
    (Format::Astc6x5Unorm, compressed(3)), (Format::Astc6x5Srgb, compressed(3)),
    (Format::Astc6x6Unorm, compressed(4)), (Format::Astc6x6Srgb, compressed(4)),
    (Format::Astc8x5Unorm, compressed(5)), (Format::Astc8x5Srgb, compressed(5)),
    (Format::Astc8x6Unorm, compressed(6)), (Format::Astc8x6Srgb, compressed(6)),
    (Format::Astc8x8Unorm, compressed(7)), (Format::Astc8x8Srgb, compressed(7)),
    (Format::Astc10x5Unorm, compressed(8)), (Format::Astc10x5Srgb, compressed(8)),
    (Format::Astc10x6Unorm, compressed(9)), (Format::Astc10x6Srgb, compressed(9)),
    (Format::Astc10x8Unorm, compressed(10)), (Format::Astc10x8Srgb, compressed(10)),
    (Format::Astc10x10Unorm, compressed(11)), (Format::Astc10x10Srgb, compressed(11)),
    (Format::Astc12x10Unorm, compressed(12)), (Format::Astc12x10Srgb, compressed(12)),
    (Format::Astc12x12Unorm, compressed(13)), (Format::Astc12x12Srgb, compressed(13)),
    (Format::Bc1RgbaUnorm, compressed(44)), (Format::Bc1RgbaSrgb, compressed(44)),
    (Format::Bc2RgbaUnorm, compressed(45)), (Format::Bc2RgbaSrgb, compressed(45)),
    (Format::Bc3RgbaUnorm, compressed(46)), (Format::Bc3RgbaSrgb, compressed(46)),
    (Format::Bc4RUnorm, compressed(47)), (Format::Bc4RSnorm, compressed(48)),
    (Format::Bc5RgUnorm, compressed(49)), (Format::Bc5RgSnorm, compressed(50)),
    (Format::Bc6hRgbUfloat, compressed(51)), (Format::Bc6hRgbFloat, compressed(52)),
    (Format::Bc7RgbaUnorm, compressed(53)), (Format::Bc7RgbaSrgb, compressed(53)),
    (Format::Etc2Rgb8Unorm, compressed(68)), (Format::Etc2Rgb8Srgb, compressed(68)),
    (Format::Etc2Rgba8Unorm, compressed(69)), (Format::Etc2Rgba8Srgb, compressed(69)),
    (Format::Etc2Rgb8A1Unorm, compressed(70)), (Format::Etc2Rgb8A1Srgb, compressed(70)),
    (Format::EacR11Unorm, compressed(71)), (Format::EacR11Snorm, compressed(72)),
    (Format::EacRg11Unorm, compressed(73)), (Format::EacRg11Snorm, compressed(74)),
];

/// The code of a format; none where the chip has no such format.
pub fn code(format: Format) -> Option<Code> {
    let row = TABLE.iter().find(|(known, _)| *known == format);
    row.map(|(_, code)| *code)
}

/// Why a code is no texture format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// PVRTC, whose blocks nothing here decodes.
    #[error("compressed format {0} is PVRTC, which is not executed")]
    Pvrtc(u8),
    /// No format has the code.
    #[error("no format has code {0:?}")]
    Code(Code),
}

/// The format of a code. `normalized`: integers are fractions. `gamma`: the sRGB curve, which formats without one ignore.
pub fn from_code(code: Code, normalized: bool, gamma: bool) -> Result<Format, Missing> {
    if code.compressed && (40..=43).contains(&code.number) {
        return Err(Missing::Pvrtc(code.number));
    }
    let rows = || TABLE.iter().filter(|(_, known)| *known == code);
    let wanted = |format: Format| {
        let integer = matches!(format.class(), Class::Uint | Class::Sint);
        integer != normalized && format.is_srgb() == gamma
    };
    let found = rows()
        .find(|(format, _)| wanted(*format))
        .or_else(|| rows().next());
    found.map(|(format, _)| *format).ok_or(Missing::Code(code))
}

/// What the chip does with a format.
pub fn capabilities(format: Format) -> FormatCapabilities {
    let class = format.class();
    let depth_stencil = matches!(
        format,
        Format::D16Unorm
            | Format::D24UnormX8
            | Format::D32Float
            | Format::S8Uint
            | Format::D24UnormS8Uint
            | Format::D32FloatS8Uint
    );
    let sampled = code(format).is_some() || depth_stencil;
    let plain = sampled && !format.is_block();
    let color = plain && !depth_stencil && format.size_bytes() != 12;
    let float = matches!(class, Class::Unorm | Class::Snorm | Class::Float);
    let renderable = color && pbe::on_chip(format).is_some();
    FormatCapabilities {
        sampled,
        filterable: sampled && float && format != Format::S8Uint,
        storage: renderable && !format.is_srgb(),
        renderable,
        blendable: renderable && float,
        depth_stencil,
        vertex: vertex(format),
        sample_counts: if renderable || depth_stencil {
            0b1111
        } else {
            1
        },
        ..FormatCapabilities::default()
    }
}

/// The PDS unpacks any plain colour format of whole bytes.
fn vertex(format: Format) -> bool {
    use silicon::texture::format::{Aspects, Layout};
    matches!(format.row().layout, Layout::Plain(_))
        && format.aspects() == Aspects::Color
        && !format.is_srgb()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn codes_lead_back_to_formats() {
        for (format, code) in TABLE {
            let integer = matches!(format.class(), Class::Uint | Class::Sint);
            let found = from_code(*code, !integer, format.is_srgb()).unwrap();
            assert_eq!(found.size_bytes(), format.size_bytes(), "{format:?}");
            assert_eq!(found.class(), format.class(), "{format:?} {found:?}");
            assert_eq!(found.block_size(), format.block_size(), "{format:?}");
        }
    }

    #[test]
    fn missing_codes_have_names() {
        assert_eq!(
            from_code(plain(6), true, false),
            Err(Missing::Code(plain(6)))
        );
        let pvrtc = from_code(compressed(41), true, false).unwrap_err();
        assert!(pvrtc.to_string().contains("PVRTC"));
    }
}
