//! Pack modes: what the PBE calls the formats of targets. [Rogue 15.7]

use silicon::Format;

/// PACKMODE, and the bits beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// PACKMODE.
    pub packmode: u8,
    /// Fractions, not integers.
    pub norm: bool,
    /// The sRGB curve.
    pub gamma: bool,
    /// Red and blue are exchanged.
    pub swap: bool,
}

const fn row(packmode: u8, norm: bool) -> Mode {
    Mode {
        packmode,
        norm,
        gamma: false,
        swap: false,
    }
}

const fn swapped(mode: Mode) -> Mode {
    Mode { swap: true, ..mode }
}

const fn gamma(mode: Mode) -> Mode {
    Mode {
        gamma: true,
        ..mode
    }
}

#[rustfmt::skip]
const MODES: &[(Format, Mode)] = &[
    (Format::R8G8B8A8Unorm, row(0x00, true)), (Format::R8G8B8A8Uint, row(0x00, false)),
    (Format::R8G8B8A8Srgb, gamma(row(0x00, true))),
    (Format::B8G8R8A8Unorm, swapped(row(0x00, true))), (Format::B8G8R8A8Srgb, gamma(swapped(row(0x00, true)))),
    (Format::R8G8B8A8Snorm, row(0x01, true)), (Format::R8G8B8A8Sint, row(0x01, false)),
    (Format::A1R5G5B5Unorm, row(0x04, true)), (Format::R5G5B5A1Unorm, row(0x05, true)),
    (Format::A4R4G4B4Unorm, row(0x06, true)),
    (Format::R16G16B16A16Unorm, row(0x08, true)), (Format::R16G16B16A16Uint, row(0x08, false)),
    (Format::R16G16B16A16Snorm, row(0x09, true)), (Format::R16G16B16A16Sint, row(0x09, false)),
    (Format::R16G16B16A16Float, row(0x0a, false)),
    (Format::R32G32B32A32Uint, row(0x0b, false)), (Format::R32G32B32A32Sint, row(0x0c, false)),
    (Format::R32G32B32A32Float, row(0x0d, false)),
    (Format::A2B10G10R10Unorm, row(0x0e, true)), (Format::A2B10G10R10Uint, row(0x0e, false)),
    (Format::R10G10B10A2Unorm, row(0x0f, true)),
    (Format::B5G6R5Unorm, row(0x14, true)),
    (Format::B11G11R10Float, row(0x1c, false)), (Format::B10G11R11Float, row(0x1d, false)),
    (Format::R8G8Unorm, row(0x23, true)), (Format::R8G8Uint, row(0x23, false)),
    (Format::R8G8Snorm, row(0x24, true)), (Format::R8G8Sint, row(0x24, false)),
    (Format::R16G16Unorm, row(0x25, true)), (Format::R16G16Uint, row(0x25, false)),
    (Format::R16G16Snorm, row(0x26, true)), (Format::R16G16Sint, row(0x26, false)),
    (Format::R16G16Float, row(0x27, false)),
    (Format::R32G32Uint, row(0x28, false)), (Format::R32G32Sint, row(0x29, false)),
    (Format::R32G32Float, row(0x2a, false)),
    (Format::R8Unorm, row(0x2f, true)), (Format::R8Uint, row(0x2f, false)),
    (Format::R8Snorm, row(0x30, true)), (Format::R8Sint, row(0x30, false)),
    (Format::R16Unorm, row(0x31, true)), (Format::R16Uint, row(0x31, false)),
    (Format::R16Snorm, row(0x32, true)), (Format::R16Sint, row(0x32, false)),
    (Format::R16Float, row(0x33, false)),
    (Format::R32Uint, row(0x34, false)), (Format::R32Sint, row(0x35, false)), (Format::R32Float, row(0x36, false)),
];

/// The mode of a format; none where it is no target.
pub fn mode(format: Format) -> Option<Mode> {
    let row = MODES.iter().find(|(known, _)| *known == format);
    row.map(|(_, mode)| *mode)
}

/// The format of a mode.
pub fn format(mode: Mode) -> Option<Format> {
    let row = MODES.iter().find(|(_, known)| *known == mode);
    row.map(|(format, _)| *format)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_lead_back_to_formats() {
        for (known, row) in MODES {
            assert_eq!(format(*row), Some(*known));
        }
    }
}
