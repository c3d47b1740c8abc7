//! Packs and unpacks texels by the format table. A texel is up to four words, first byte lowest; a value is four
//! registers (float bits or integers). [`unpack_row`] and [`pack_row`] do 64 lanes with the bits of
//! [`Format::unpack_words`] and [`Format::pack_words`]. Compressed formats: `crate::texture::block`.

mod codec;
mod decoder;
mod reading;

use crate::texture::exact::Exact;
use crate::texture::fixed::{
    from_snorm, from_snorm_no_zero, from_unorm, to_integer, to_snorm, to_snorm_no_zero, to_unorm,
};
use crate::texture::float::{
    from_f16, from_shared_exponent, from_small, to_f16, to_shared_exponent, to_unsigned_small,
};
use crate::texture::format::{Channel, Format, Kind, Layout, Read};
use crate::texture::sample::{LANES, Lanes};
use crate::texture::srgb;
pub use codec::Packed;
pub(crate) use codec::{Codec, Stored, Visit};
pub use decoder::Decoder;
use host::{Separate, per_level};
pub use reading::Reading;

/// Conversion of one stored channel to a value: a channel of the table, sRGB kept apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Conversion {
    Unorm(u32),
    Srgb,
    Snorm(u32),
    Uint(u32),
    Sint(u32),
    Uscaled(u32),
    /// The second number is what turns the stored bits into two's complement.
    Sscaled(u32, u32),
    SnormNoZero(u32, u32),
    BiasedNorm(u32),
    BiasedInt(u32),
    F10,
    F11,
    F16,
    Word,
}

/// A channel's place and conversion.
#[derive(Clone, Copy)]
struct Field {
    word: usize,
    shift: u32,
    conversion: Conversion,
}

/// The field that component `component` of a read comes from, for plain formats.
#[inline(always)]
fn field(format: Format, reading: Option<Reading>, component: usize) -> Option<Field> {
    let row = format.row();
    let (Layout::Plain(channels), Read::Channel(index)) = (row.layout, row.reads[component]) else {
        return None;
    };
    let at: u32 = channels[..index as usize]
        .iter()
        .map(|c| u32::from(c.bits))
        .sum();
    let Channel { kind, bits } = channels[index as usize];
    let bits = u32::from(bits);
    let conversion = match (kind, bits) {
        (Kind::Unorm, 8) if row.srgb && component < 3 => Conversion::Srgb,
        (Kind::Unorm, _) => Conversion::Unorm(bits),
        (Kind::Snorm, _) => Conversion::Snorm(bits),
        (_, 32) => Conversion::Word,
        (Kind::Uint | Kind::Void, _) => Conversion::Uint(bits),
        (Kind::Sint, _) => Conversion::Sint(bits),
        (Kind::Float, 10) => Conversion::F10,
        (Kind::Float, 11) => Conversion::F11,
        (Kind::Float, _) => Conversion::F16,
    };
    let field = Field {
        word: (at / 32) as usize,
        shift: at % 32,
        conversion,
    };
    let channel = channels[index as usize];
    Some(match reading {
        Some(reading) => reading::reread(field, reading, channel, component),
        None => field,
    })
}

#[inline(always)]
fn low(bits: u32) -> u32 {
    u32::MAX >> (32 - bits)
}

#[inline(always)]
fn sign_extend(x: u32, bits: u32) -> i32 {
    ((x << (32 - bits)) as i32) >> (32 - bits)
}

/// Applies a field's unpacking to every element. The conversion is chosen once, outside the loop.
#[inline(always)]
fn unpack_field<const N: usize>(field: Field, words: &[u32; N], out: &mut [u32; N]) {
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
        Conversion::Unorm(8) => each!(|x| from_unorm(x & 0xff, 8).to_bits()),
        Conversion::Unorm(bits) => each!(|x| from_unorm(x & low(bits), bits).to_bits()),
        Conversion::Srgb => each!(|x| srgb::to_linear(x as u8).to_bits()),
        Conversion::Snorm(bits) => each!(|x| from_snorm(sign_extend(x, bits), bits).to_bits()),
        Conversion::Uint(bits) => each!(|x| x & low(bits)),
        Conversion::Sint(bits) => each!(|x| sign_extend(x, bits) as u32),
        Conversion::Uscaled(bits) => each!(|x| ((x & low(bits)) as f32).to_bits()),
        Conversion::Sscaled(bits, flip) => {
            each!(|x| (sign_extend(x ^ flip, bits) as f32).to_bits());
        }
        Conversion::SnormNoZero(bits, flip) => {
            each!(|x| from_snorm_no_zero(sign_extend(x ^ flip, bits), bits).to_bits());
        }
        Conversion::BiasedNorm(bits) => {
            each!(|x| from_snorm(sign_extend(x ^ 1 << (bits - 1), bits), bits).to_bits());
        }
        Conversion::BiasedInt(bits) => {
            each!(|x| sign_extend(x ^ 1 << (bits - 1), bits) as u32);
        }
        Conversion::F10 => each!(|x| from_small::<5>(x & 0x3ff)),
        Conversion::F11 => each!(|x| from_small::<6>(x & 0x7ff)),
        Conversion::F16 => each!(|x| from_f16(x)),
        Conversion::Word => each!(|x| x),
    }
}

/// Adds a field's packed value to every element of `words`.
#[inline(always)]
fn pack_field<E: Exact, const N: usize>(field: Field, values: &[u32; N], words: &mut [u32; N]) {
    let shift = field.shift;
    macro_rules! each {
        (|$value:ident| $raw:expr) => {
            for (w, v) in words.iter_mut().zip(values) {
                let $value = *v;
                *w |= $raw << shift;
            }
        };
    }
    match field.conversion {
        Conversion::Unorm(bits) if bits <= 16 => {
            each!(|x| E::limited_unorm(f32::from_bits(x), bits));
        }
        Conversion::Unorm(bits) => each!(|x| to_unorm(f32::from_bits(x), bits)),
        Conversion::Srgb => each!(|x| u32::from(srgb::from_linear(f32::from_bits(x)))),
        Conversion::Snorm(bits) => {
            each!(|x| to_snorm(f32::from_bits(x), bits) as u32 & low(bits));
        }
        Conversion::Uint(bits) => each!(|x| if x < low(bits) { x } else { low(bits) }),
        Conversion::Sint(bits) => {
            let max = low(bits - 1) as i32;
            each!(|x| (x as i32).clamp(-max - 1, max) as u32 & low(bits));
        }
        Conversion::Uscaled(bits) => {
            each!(|x| to_integer(f32::from_bits(x), 0, low(bits).into()) as u32);
        }
        Conversion::Sscaled(bits, flip) => {
            let max = i64::from(low(bits - 1));
            each!(|x| (to_integer(f32::from_bits(x), -max - 1, max) as u32 & low(bits)) ^ flip);
        }
        Conversion::SnormNoZero(bits, flip) => {
            each!(|x| (to_snorm_no_zero(f32::from_bits(x), bits) as u32 & low(bits)) ^ flip);
        }
        Conversion::BiasedNorm(bits) => {
            each!(|x| (to_snorm(f32::from_bits(x), bits) as u32 & low(bits)) ^ 1 << (bits - 1));
        }
        Conversion::BiasedInt(bits) => {
            let max = low(bits - 1) as i32;
            each!(|x| ((x as i32).clamp(-max - 1, max) as u32 & low(bits)) ^ 1 << (bits - 1));
        }
        Conversion::F10 => each!(|x| to_unsigned_small::<5>(x)),
        Conversion::F11 => each!(|x| to_unsigned_small::<6>(x)),
        Conversion::F16 => each!(|x| to_f16(x)),
        Conversion::Word => each!(|x| x),
    }
}

#[inline(always)]
fn unpack_elements<const N: usize>(
    format: Format,
    reading: Option<Reading>,
    words: &[[u32; N]; 4],
    out: &mut [[u32; N]; 4],
) {
    let class = reading.map_or(format.class(), Reading::class);
    let row = format.row();
    if row.layout == Layout::SharedExponent {
        for i in 0..N {
            let rgb = from_shared_exponent(words[0][i]);
            for c in 0..3 {
                out[c][i] = rgb[c].to_bits();
            }
        }
        out[3] = [1f32.to_bits(); N];
        return;
    }
    for (c, o) in out.iter_mut().enumerate() {
        match field(format, reading, c) {
            Some(field) => unpack_field(field, &words[field.word], o),
            None if row.reads[c] == Read::One => *o = [class.one(); N],
            None => *o = [0; N],
        }
    }
}

#[inline(always)]
fn pack_elements<E: Exact, const N: usize>(
    format: Format,
    reading: Option<Reading>,
    values: [&[u32; N]; 4],
    words: &mut [[u32; N]; 4],
) {
    let count = format.size_bytes().div_ceil(4) as usize;
    for w in &mut words[..count] {
        *w = [0; N];
    }
    if format.row().layout == Layout::SharedExponent {
        for i in 0..N {
            words[0][i] =
                to_shared_exponent([0, 1, 2].map(|c: usize| f32::from_bits(values[c][i])));
        }
        return;
    }
    for (c, v) in values.into_iter().enumerate() {
        if let Some(field) = field(format, reading, c) {
            pack_field::<E, N>(field, v, &mut words[field.word]);
        }
    }
}

per_level! {
    /// Unpacks 64 texels: `words[w][lane]` is word `w`, `out[c][lane]` component `c`. Missing words are not read;
    /// missing components become their constants.
    pub fn unpack_row<'a>(format: Format, words: &'a [Lanes; 4], out: &'a mut [Lanes; 4]) {
        unpack_elements::<LANES>(format, None, words, out);
    }

    /// [`unpack_row`] with another meaning of the channels.
    pub fn unpack_row_as<'a>(format: Format, reading: Option<Reading>, words: &'a [Lanes; 4], out: &'a mut [Lanes; 4]) {
        unpack_elements::<LANES>(format, reading, words, out);
    }

    /// Packs 64 values; writes only the words that the format has.
    pub fn pack_row<'a>(format: Format, values: &'a [Lanes; 4], words: &'a mut [Lanes; 4]) {
        pack_elements::<R, LANES>(format, None, values.each_ref(), words);
    }

    /// [`pack_row`] with another meaning of the channels.
    pub fn pack_row_as<'a>(format: Format, reading: Option<Reading>, values: [&'a Lanes; 4], words: &'a mut [Lanes; 4]) {
        pack_elements::<R, LANES>(format, reading, values, words);
    }
}

impl Format {
    /// The value of one texel of a format without blocks or planes.
    pub fn unpack_words(self, words: [u32; 4]) -> [u32; 4] {
        self.unpack_words_as(None, words)
    }

    /// The same with another meaning of the channels.
    pub fn unpack_words_as(self, reading: Option<Reading>, words: [u32; 4]) -> [u32; 4] {
        let mut out = [[0]; 4];
        unpack_elements::<1>(self, reading, &words.map(|w| [w]), &mut out);
        out.map(|o| o[0])
    }

    /// One texel of a format without blocks or planes.
    pub fn pack_words(self, value: [u32; 4]) -> [u32; 4] {
        self.pack_words_as(None, value)
    }

    /// The same with another meaning of the channels.
    pub fn pack_words_as(self, reading: Option<Reading>, value: [u32; 4]) -> [u32; 4] {
        let mut words = [[0]; 4];
        pack_elements::<Separate, 1>(self, reading, value.map(|v| [v]).each_ref(), &mut words);
        words.map(|w| w[0])
    }

    /// The value of the texel in `bytes`; bytes that are missing count as zero.
    pub fn unpack(self, bytes: &[u8]) -> [u32; 4] {
        let mut words = [0; 4];
        for (i, &b) in bytes.iter().take(self.size_bytes() as usize).enumerate() {
            words[i / 4] |= u32::from(b) << (8 * (i % 4));
        }
        self.unpack_words(words)
    }

    /// Writes one texel to the first bytes of `bytes`.
    pub fn pack(self, value: [u32; 4], bytes: &mut [u8]) {
        let words = self.pack_words(value);
        for (i, b) in bytes
            .iter_mut()
            .take(self.size_bytes() as usize)
            .enumerate()
        {
            *b = (words[i / 4] >> (8 * (i % 4))) as u8;
        }
    }
}

#[cfg(test)]
mod tests;
