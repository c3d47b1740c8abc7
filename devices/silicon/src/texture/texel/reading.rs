//! How channel bits are read, apart from their position. A [`Reading`] overrides the number type of a format row, for
//! descriptors that choose it themselves: integers read as floats, biased signs.

use super::{Conversion, Field};
use crate::texture::format::{Channel, Class, Format, Kind, Layout};

/// A meaning for all channels of a plain format.
///
/// Biased numbers are `c - 2^(n-1)` where two's complement numbers are `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// `c / (2^n - 1)`.
    Unorm,
    /// The same, with x, y and z in the sRGB encoding; channels of 8 bits only.
    Srgb,
    /// `max(c / (2^(n-1) - 1), -1)`.
    Snorm,
    /// `(2 c + 1) / (2^n - 1)` of a two's complement number: no zero, and -1 once.
    SnormNoZero,
    /// An unsigned integer as a float.
    Uscaled,
    /// A two's complement integer as a float.
    Sscaled,
    /// An unsigned integer.
    Uint,
    /// A two's complement integer.
    Sint,
    /// A float of 10 or 11 bits (without sign), 16 or 32 bits.
    Float,
    /// [`Reading::Snorm`] of a biased number.
    BiasedNorm,
    /// [`Reading::SnormNoZero`] of a biased number.
    BiasedNormNoZero,
    /// [`Reading::Sint`] of a biased number.
    BiasedInt,
    /// [`Reading::Sscaled`] of a biased number.
    BiasedScaled,
}

impl Reading {
    /// The type a shader sees.
    pub const fn class(self) -> Class {
        match self {
            Reading::Unorm | Reading::Srgb => Class::Unorm,
            Reading::Snorm
            | Reading::SnormNoZero
            | Reading::BiasedNorm
            | Reading::BiasedNormNoZero => Class::Snorm,
            Reading::Uscaled | Reading::Sscaled | Reading::BiasedScaled | Reading::Float => {
                Class::Float
            }
            Reading::Uint => Class::Uint,
            Reading::Sint | Reading::BiasedInt => Class::Sint,
        }
    }

    /// Whether every channel of a format can be read so: floats need their widths, fractions at most 24 bits, signs 2.
    pub fn fits(self, format: Format) -> bool {
        let Layout::Plain(channels) = format.row().layout else {
            return false;
        };
        channels.iter().all(|channel| match (self, channel.bits) {
            _ if channel.kind == Kind::Void => true,
            (Reading::Float, bits) => matches!(bits, 10 | 11 | 16 | 32),
            (Reading::Srgb, bits) => bits == 8,
            (Reading::Unorm, bits) => bits <= 24,
            (Reading::Uint | Reading::Uscaled, _) => true,
            (Reading::Sint | Reading::Sscaled, bits) => bits >= 2,
            (_, bits) => (2..=24).contains(&bits),
        })
    }

    #[inline(always)]
    pub(super) fn conversion(self, bits: u32, component: usize) -> Conversion {
        let flip = match self {
            Reading::BiasedNorm
            | Reading::BiasedNormNoZero
            | Reading::BiasedInt
            | Reading::BiasedScaled => 1 << (bits - 1),
            _ => 0,
        };
        match self {
            Reading::Srgb if component < 3 => Conversion::Srgb,
            Reading::Unorm | Reading::Srgb => Conversion::Unorm(bits),
            Reading::Snorm => Conversion::Snorm(bits),
            Reading::Uint if bits == 32 => Conversion::Word,
            Reading::Sint if bits == 32 => Conversion::Word,
            Reading::Uint => Conversion::Uint(bits),
            Reading::Sint => Conversion::Sint(bits),
            Reading::Uscaled => Conversion::Uscaled(bits),
            Reading::Sscaled | Reading::BiasedScaled => Conversion::Sscaled(bits, flip),
            Reading::SnormNoZero | Reading::BiasedNormNoZero => Conversion::SnormNoZero(bits, flip),
            Reading::BiasedNorm => Conversion::BiasedNorm(bits),
            Reading::BiasedInt => Conversion::BiasedInt(bits),
            Reading::Float => match bits {
                10 => Conversion::F10,
                11 => Conversion::F11,
                16 => Conversion::F16,
                _ => Conversion::Word,
            },
        }
    }
}

/// [`super::field`] with another meaning.
#[inline(always)]
pub(super) fn reread(field: Field, reading: Reading, channel: Channel, component: usize) -> Field {
    Field {
        conversion: match channel.kind {
            Kind::Void => field.conversion,
            _ => reading.conversion(channel.bits.into(), component),
        },
        ..field
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) const ALL: [Reading; 13] = [
        Reading::Unorm,
        Reading::Srgb,
        Reading::Snorm,
        Reading::SnormNoZero,
        Reading::Uscaled,
        Reading::Sscaled,
        Reading::Uint,
        Reading::Sint,
        Reading::Float,
        Reading::BiasedNorm,
        Reading::BiasedNormNoZero,
        Reading::BiasedInt,
        Reading::BiasedScaled,
    ];

    #[test]
    fn every_value_comes_back() {
        for reading in ALL {
            for (format, max) in [(Format::R8Uint, 0xff), (Format::R16Uint, 0xffff)] {
                if !reading.fits(format) {
                    continue;
                }
                for raw in 0..=max {
                    let value = format.unpack_words_as(Some(reading), [raw, 0, 0, 0]);
                    let [packed, ..] = format.pack_words_as(Some(reading), value);
                    let again = format.unpack_words_as(Some(reading), [packed, 0, 0, 0]);
                    assert_eq!(again, value, "{reading:?} {raw:#x}");
                }
            }
        }
    }

    #[test]
    fn known_values() {
        let read = |reading, raw| {
            let [x, ..] = Format::R8Uint.unpack_words_as(Some(reading), [raw, 0, 0, 0]);
            f32::from_bits(x)
        };
        assert_eq!(read(Reading::SnormNoZero, 0x7f), 1.0);
        assert_eq!(read(Reading::SnormNoZero, 0x80), -1.0);
        assert_eq!(read(Reading::SnormNoZero, 0), 1.0 / 255.0);
        assert_eq!(read(Reading::BiasedNorm, 0x80), 0.0);
        assert_eq!(read(Reading::BiasedNorm, 0), -1.0);
        assert_eq!(read(Reading::BiasedScaled, 0), -128.0);
        assert_eq!(read(Reading::Sscaled, 0xff), -1.0);
        assert!(!Reading::Float.fits(Format::R8Uint));
        assert!(!Reading::Snorm.fits(Format::R32Uint));
    }

    #[test]
    fn integers_are_rounded_and_clamped() {
        let store = |reading, x: f32| {
            Format::R8Uint.pack_words_as(Some(reading), [x.to_bits(), 0, 0, 0])[0]
        };
        for (x, code) in [(2.5, 2), (3.5, 4), (-1.0, 0), (300.0, 255), (f32::NAN, 0)] {
            assert_eq!(store(Reading::Uscaled, x), code);
        }
        for (x, code) in [(-2.5, 0xfe), (-128.7, 0x80), (f32::INFINITY, 0x7f)] {
            assert_eq!(store(Reading::Sscaled, x), code);
        }
        let full = Format::R32Uint.pack_words_as(Some(Reading::Uscaled), [1e20f32.to_bits(); 4]);
        assert_eq!(full[0], u32::MAX);
    }
}
