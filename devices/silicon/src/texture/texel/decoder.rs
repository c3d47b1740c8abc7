//! The components of texels of one format, looked up once: rows of words to a row per component.

use super::{Conversion, Field, Reading, field, low, sign_extend};
use crate::texture::exact::Exact;
use crate::texture::fixed::{RECIPROCALS, from_snorm_no_zero};
use crate::texture::float::{from_f16, from_small};
use crate::texture::format::{Format, Layout, Read};
use crate::texture::sample::{LANES, Lanes};
use crate::texture::srgb;
use host::{Kernel, Rounding, SimdLevel};

/// Where a component comes from.
#[derive(Clone, Copy)]
enum From {
    Field(Field),
    /// Nine bits at this position, scaled by the exponent that all components share.
    SharedExponent(u32),
    Constant(u32),
}

/// How the components of a texel are read from its words.
#[derive(Clone, Copy)]
pub struct Decoder([From; 4]);

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Decoder")
    }
}

impl Decoder {
    /// Of the texels of a plain format.
    pub fn new(format: Format, reading: Option<Reading>) -> Decoder {
        let class = reading.map_or(format.class(), Reading::class);
        if format.row().layout == Layout::SharedExponent {
            let [r, g, b] = [0, 9, 18].map(From::SharedExponent);
            return Decoder([r, g, b, From::Constant(1f32.to_bits())]);
        }
        Decoder([0, 1, 2, 3].map(|c| match field(format, reading, c) {
            Some(field) => From::Field(field),
            None if format.row().reads[c] == Read::One => From::Constant(class.one()),
            None => From::Constant(0),
        }))
    }

    /// Of words that are values.
    pub fn values() -> Decoder {
        Decoder([0, 1, 2, 3].map(|word| {
            From::Field(Field {
                word,
                shift: 0,
                conversion: Conversion::Word,
            })
        }))
    }

    /// The word that a component is in, if it is in one.
    pub fn word(&self, component: usize) -> Option<usize> {
        match self.0[component] {
            From::Field(field) => Some(field.word),
            From::SharedExponent(_) => Some(0),
            From::Constant(_) => None,
        }
    }

    /// The word that a component is, if it takes no arithmetic.
    pub(crate) fn plain_word(&self, component: usize) -> Option<usize> {
        match self.0[component] {
            From::Field(Field {
                word,
                shift: 0,
                conversion: Conversion::Word,
            }) => Some(word & 3),
            _ => None,
        }
    }

    /// The word and lowest bit of the byte that a component is, if that is on the sRGB scale.
    pub(crate) fn srgb_byte(&self, component: usize) -> Option<(usize, u32)> {
        match self.0[component] {
            From::Field(Field {
                word,
                shift,
                conversion: Conversion::Srgb,
            }) => Some((word & 3, shift)),
            _ => None,
        }
    }

    /// The word and lowest bit of a component, if that is a float of 16 bits.
    pub(crate) fn half(&self, component: usize) -> Option<(usize, u32)> {
        match self.0[component] {
            From::Field(Field {
                word,
                shift,
                conversion: Conversion::F16,
            }) => Some((word & 3, shift)),
            _ => None,
        }
    }

    /// Whether the first components are floats of 16 bits, from the lowest bit of the texel on.
    pub(crate) fn has_halves(&self, components: usize) -> bool {
        let place = |c: usize| (c / 2, c as u32 % 2 * 16);
        (0..components.min(4)).all(|c| self.half(c) == Some(place(c)))
    }

    /// Component `component` of texels of the words that it is in.
    #[inline(always)]
    pub(crate) fn decode_with<R: Rounding>(
        &self,
        component: usize,
        words: &[Lanes],
        out: &mut [Lanes],
    ) {
        let from = self.0[component];
        Decode { from, words, out }.run::<R>();
    }

    /// Component `component` of texels: `words[w][t]` has word `w` of texel `t` of each lane.
    pub fn decode(
        &self,
        level: SimdLevel,
        component: usize,
        words: &[[Lanes; 4]; 4],
        out: &mut [Lanes],
    ) {
        let word = self.word(component).unwrap_or(0) & 3;
        let from = self.0[component];
        let words = &words[word];
        level.run(Decode { from, words, out });
    }
}

struct Decode<'a> {
    from: From,
    words: &'a [Lanes],
    out: &'a mut [Lanes],
}

impl Kernel for Decode<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (out, words) in self.out.iter_mut().zip(self.words) {
            match self.from {
                From::Field(field) => unpack::<R>(field, words, out),
                From::SharedExponent(shift) => shared(shift, words, out),
                From::Constant(value) => *out = [value; LANES],
            }
        }
    }
}

#[inline(always)]
fn shared(shift: u32, words: &Lanes, out: &mut Lanes) {
    for (out, word) in out.iter_mut().zip(words) {
        let scale = f32::from_bits(((word >> 27) + 127 - 24) << 23);
        *out = ((word >> shift & 0x1ff) as i32 as f32 * scale).to_bits();
    }
}

/// `c / (2^bits - 1)` of each lane, correctly rounded, but at least `least`. That is no second pass over the row: the
/// compiler makes stores of chosen lanes of one, which take a processor ten times as long as others.
#[inline(always)]
fn quotients(bits: u32, words: &Lanes, least: f32, out: &mut Lanes, number: impl Fn(u32) -> i32) {
    let from = |x: f32| (if x > least { x } else { least }).to_bits();
    match RECIPROCALS.get(bits as usize) {
        Some([high, low]) => {
            for (out, word) in out.iter_mut().zip(words) {
                let c = number(*word) as f32;
                *out = from(c * high + c * low);
            }
        }
        None => {
            let by = ((1u32 << bits) - 1) as f32;
            for (out, word) in out.iter_mut().zip(words) {
                *out = from(number(*word) as f32 / by);
            }
        }
    }
}

/// A byte of each lane's word, from 0 to 1. A shift by a constant moves it to where fractions are at once.
#[inline(always)]
fn bytes<R: Rounding, const SHIFT: u32>(words: &Lanes, out: &mut Lanes) {
    for (out, word) in out.iter_mut().zip(words) {
        *out = R::from_unorm(word >> SHIFT & 0xff, 8).to_bits();
    }
}

/// [`super::unpack_field`] of 64 lanes. The conversion is chosen once, outside the loop.
#[inline(always)]
fn unpack<R: Rounding>(field: Field, words: &Lanes, out: &mut Lanes) {
    let shift = field.shift;
    macro_rules! each {
        (|$raw:ident| $value:expr) => {
            for (o, w) in out.iter_mut().zip(words) {
                let $raw = *w >> shift;
                *o = $value;
            }
        };
    }
    match field.conversion {
        Conversion::Unorm(8) => match shift {
            0 => bytes::<R, 0>(words, out),
            8 => bytes::<R, 8>(words, out),
            16 => bytes::<R, 16>(words, out),
            24 => bytes::<R, 24>(words, out),
            _ => each!(|x| R::from_unorm(x & 0xff, 8).to_bits()),
        },
        Conversion::Unorm(bits) => {
            let mask = low(bits);
            quotients(bits, words, 0.0, out, |w| (w >> shift & mask) as i32);
        }
        Conversion::Srgb => each!(|x| srgb::to_linear(x as u8).to_bits()),
        Conversion::Snorm(bits) => {
            quotients(bits - 1, words, -1.0, out, |w| {
                sign_extend(w >> shift, bits)
            });
        }
        Conversion::BiasedNorm(bits) => {
            let flip = 1 << (bits - 1);
            quotients(bits - 1, words, -1.0, out, |w| {
                sign_extend(w >> shift ^ flip, bits)
            });
        }
        Conversion::Uint(bits) => each!(|x| x & low(bits)),
        Conversion::Sint(bits) => each!(|x| sign_extend(x, bits) as u32),
        Conversion::Uscaled(bits) => each!(|x| ((x & low(bits)) as f32).to_bits()),
        Conversion::Sscaled(bits, flip) => {
            each!(|x| (sign_extend(x ^ flip, bits) as f32).to_bits());
        }
        Conversion::SnormNoZero(bits, flip) => {
            each!(|x| from_snorm_no_zero(sign_extend(x ^ flip, bits), bits).to_bits());
        }
        Conversion::BiasedInt(bits) => {
            each!(|x| sign_extend(x ^ 1 << (bits - 1), bits) as u32);
        }
        Conversion::F10 => each!(|x| from_small::<5>(x & 0x3ff)),
        Conversion::F11 => each!(|x| from_small::<6>(x & 0x7ff)),
        Conversion::F16 => each!(|x| from_f16(x)),
        Conversion::Word => *out = *words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::texel::reading::tests::ALL;

    /// Every plain format, in every reading that fits it, on many words.
    #[test]
    fn components_are_those_of_texels() {
        let mut x = 1u32;
        let mut next = || {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            x ^ x >> 15
        };
        let plain = |layout| matches!(layout, Layout::Plain(_) | Layout::SharedExponent);
        for &format in Format::ALL.iter().filter(|f| plain(f.row().layout)) {
            let readings = ALL.iter().copied().filter(|reading| reading.fits(format));
            for reading in readings.map(Some).chain([None]) {
                let decoder = Decoder::new(format, reading);
                let words: [[Lanes; 4]; 4] =
                    [(); 4].map(|()| [(); 4].map(|()| [(); LANES].map(|()| next())));
                for level in SimdLevel::available() {
                    for c in 0..4 {
                        let mut out = [[7; LANES]; 4];
                        decoder.decode(level, c, &words, &mut out);
                        for (t, row) in out.iter().enumerate() {
                            for (lane, got) in row.iter().enumerate() {
                                let texel = [0, 1, 2, 3].map(|w: usize| words[w][t][lane]);
                                let expected = format.unpack_words_as(reading, texel)[c];
                                assert_eq!(
                                    *got, expected,
                                    "{format:?} {reading:?} {c} of {texel:x?}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}
