//! How a channel is stored, as types: loops over rows of texels are compiled for each. The bits are those of
//! [`Format::unpack_words`] and [`Format::pack_words`].

use super::{Conversion, field, low, sign_extend};
use crate::texture::exact::Exact;
use crate::texture::fixed::{from_snorm, from_unorm, to_snorm, to_unorm};
use crate::texture::float::{
    canonical, from_f16, from_small, to_f16, to_moderate_f16, to_unsigned_small,
};
use crate::texture::format::{Class, Format, Layout};
use crate::texture::srgb;
use host::Rounding;

/// A channel's conversion. Values are bits of floats, or integers.
pub(crate) trait Codec: Copy {
    /// The nearest number that a target of the kind holds; NaN becomes zero in normalised ones.
    fn limit(v: f32) -> f32;
    /// The value of the low bits of a word.
    fn decode<R: Rounding>(self, raw: u32) -> u32;
    /// The bits of a value, and no others.
    fn encode<R: Rounding>(self, value: u32) -> u32;
    /// [`Codec::decode`] reads a table.
    const LOOKS_UP: bool = false;
    /// [`Codec::short`] is a way.
    const SHORT: bool = false;
    /// Values are stored as floats of 16 bits.
    const HALVES: bool = false;
    /// The bits of a value, and whether they may be others: for most values, with fewer operations than the encoding has.
    #[inline(always)]
    fn short<R: Rounding>(self, value: u32) -> (u32, bool) {
        (value, true)
    }
    /// The bits of a result of arithmetic.
    #[inline(always)]
    fn encode_sum<R: Rounding>(self, sum: f32) -> u32 {
        self.encode::<R>(sum.to_bits())
    }
}

/// A number of some bits that takes few operations to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Packed {
    /// A float of 0..=1 as the nearest of `0..2^bits`, ties to even, at most 16 bits. NaN is 0.
    Unorm(u32),
    /// An integer, limited to those that bits hold.
    Uint(u32),
    /// The same in two's complement.
    Sint(u32),
}

/// What is done with a conversion.
pub(crate) trait Visit {
    /// Does it.
    fn visit<C: Codec>(self, codec: C);
}

/// A component's place in the words of a texel.
#[derive(Clone, Copy)]
pub(crate) struct Stored {
    /// Which word.
    pub(crate) word: usize,
    /// Lowest bit.
    pub(crate) shift: u32,
    conversion: Conversion,
}

impl Stored {
    /// Of the components of a format's texels, those that are stored. `None`: not each in bits of its own.
    pub(crate) fn all(format: Format) -> Option<[Option<Stored>; 4]> {
        let Layout::Plain(_) = format.row().layout else {
            return None;
        };
        let mut used = [0; 4];
        let mut all = [None; 4];
        for (component, stored) in all.iter_mut().enumerate() {
            let Some(field) = field(format, None, component) else {
                continue;
            };
            let here = Stored {
                word: field.word,
                shift: field.shift,
                conversion: field.conversion,
            };
            let bits = here.bits()?;
            if used[here.word] & bits != 0 {
                return None;
            }
            used[here.word] |= bits;
            *stored = Some(here);
        }
        Some(all)
    }

    /// Its bits of the word.
    pub(crate) fn bits(&self) -> Option<u32> {
        let count = match self.conversion {
            Conversion::Unorm(bits) | Conversion::Snorm(bits) if bits <= 24 => bits,
            Conversion::Uint(bits) | Conversion::Sint(bits) => bits,
            Conversion::Srgb => 8,
            Conversion::F10 => 10,
            Conversion::F11 => 11,
            Conversion::F16 => 16,
            Conversion::Word => 32,
            _ => return None,
        };
        Some(low(count) << self.shift)
    }

    /// Whether it is stored as another one is, but for the place.
    pub(crate) fn converts_as(&self, other: &Stored) -> bool {
        self.conversion == other.conversion
    }

    /// Whether it is a word as it is.
    pub(crate) fn is_word(&self) -> bool {
        self.conversion == Conversion::Word && self.shift == 0
    }

    /// As what shaders may pack it.
    pub(crate) fn packed(&self) -> Option<Packed> {
        match self.conversion {
            Conversion::Unorm(bits) if bits <= 16 => Some(Packed::Unorm(bits)),
            Conversion::Uint(bits) => Some(Packed::Uint(bits)),
            Conversion::Sint(bits) => Some(Packed::Sint(bits)),
            _ => None,
        }
    }

    /// Whether numbers of the class are stored so.
    pub(crate) fn is_of(&self, class: Class) -> bool {
        match self.conversion {
            Conversion::Unorm(_) | Conversion::Srgb => class == Class::Unorm,
            Conversion::Snorm(_) => class == Class::Snorm,
            Conversion::F10 | Conversion::F11 | Conversion::F16 => class == Class::Float,
            Conversion::Word => class == Class::Float || class.is_integer(),
            _ => class.is_integer(),
        }
    }

    /// Does something with its conversion.
    pub(crate) fn visit(&self, visit: impl Visit) {
        match self.conversion {
            Conversion::Unorm(bits) if bits <= 16 => visit.visit(Unorm(bits)),
            Conversion::Unorm(bits) => visit.visit(WideUnorm(bits)),
            Conversion::Srgb => visit.visit(Srgb),
            Conversion::Snorm(bits) => visit.visit(Snorm(bits)),
            Conversion::Uint(bits) => visit.visit(Uint(bits)),
            Conversion::Sint(bits) => visit.visit(Sint(bits)),
            Conversion::F10 => visit.visit(Small::<5>),
            Conversion::F11 => visit.visit(Small::<6>),
            Conversion::F16 => visit.visit(Half),
            // The others are readings, which no target has: `bits` refuses them.
            _ => visit.visit(Word),
        }
    }
}

/// NaN becomes 0.
#[inline(always)]
fn unit(v: f32) -> f32 {
    let v = if v > 0.0 { v } else { 0.0 };
    if v < 1.0 { v } else { 1.0 }
}

#[derive(Clone, Copy)]
struct Unorm(u32);

impl Codec for Unorm {
    #[inline(always)]
    fn limit(v: f32) -> f32 {
        unit(v)
    }
    #[inline(always)]
    fn decode<R: Rounding>(self, raw: u32) -> u32 {
        R::from_unorm(raw & low(self.0), self.0).to_bits()
    }
    #[inline(always)]
    fn encode<R: Rounding>(self, value: u32) -> u32 {
        R::limited_unorm(f32::from_bits(value), self.0)
    }
}

#[derive(Clone, Copy)]
struct WideUnorm(u32);

impl Codec for WideUnorm {
    #[inline(always)]
    fn limit(v: f32) -> f32 {
        unit(v)
    }
    #[inline(always)]
    fn decode<R: Rounding>(self, raw: u32) -> u32 {
        from_unorm(raw & low(self.0), self.0).to_bits()
    }
    #[inline(always)]
    fn encode<R: Rounding>(self, value: u32) -> u32 {
        to_unorm(f32::from_bits(value), self.0)
    }
}

#[derive(Clone, Copy)]
struct Srgb;

impl Codec for Srgb {
    #[inline(always)]
    fn limit(v: f32) -> f32 {
        unit(v)
    }
    #[inline(always)]
    fn decode<R: Rounding>(self, raw: u32) -> u32 {
        srgb::to_linear(raw as u8).to_bits()
    }
    #[inline(always)]
    fn encode<R: Rounding>(self, value: u32) -> u32 {
        srgb::code(f32::from_bits(value))
    }
    const LOOKS_UP: bool = true;
    const SHORT: bool = true;
    #[inline(always)]
    fn short<R: Rounding>(self, value: u32) -> (u32, bool) {
        srgb::by_powers::<R>(f32::from_bits(value))
    }
}

#[derive(Clone, Copy)]
struct Snorm(u32);

impl Codec for Snorm {
    #[inline(always)]
    fn limit(v: f32) -> f32 {
        let v = if v.is_nan() { 0.0 } else { v };
        let v = if v > -1.0 { v } else { -1.0 };
        if v < 1.0 { v } else { 1.0 }
    }
    #[inline(always)]
    fn decode<R: Rounding>(self, raw: u32) -> u32 {
        from_snorm(sign_extend(raw, self.0), self.0).to_bits()
    }
    #[inline(always)]
    fn encode<R: Rounding>(self, value: u32) -> u32 {
        to_snorm(f32::from_bits(value), self.0) as u32 & low(self.0)
    }
}

/// Integers, which nothing is computed with.
#[derive(Clone, Copy)]
struct Uint(u32);

impl Codec for Uint {
    #[inline(always)]
    fn limit(v: f32) -> f32 {
        v
    }
    #[inline(always)]
    fn decode<R: Rounding>(self, raw: u32) -> u32 {
        raw & low(self.0)
    }
    #[inline(always)]
    fn encode<R: Rounding>(self, value: u32) -> u32 {
        let most = low(self.0);
        if value < most { value } else { most }
    }
}

#[derive(Clone, Copy)]
struct Sint(u32);

impl Codec for Sint {
    #[inline(always)]
    fn limit(v: f32) -> f32 {
        v
    }
    #[inline(always)]
    fn decode<R: Rounding>(self, raw: u32) -> u32 {
        sign_extend(raw, self.0) as u32
    }
    #[inline(always)]
    fn encode<R: Rounding>(self, value: u32) -> u32 {
        let most = low(self.0 - 1) as i32;
        (value as i32).clamp(-most - 1, most) as u32 & low(self.0)
    }
}

macro_rules! floats {
    ($(($name:ident $(<const $m:ident>)?, $decode:expr, $encode:expr $(, $short:expr)?);)*) => {$(
        #[derive(Clone, Copy)]
        struct $name $(<const $m: u32>)?;

        impl $(<const $m: u32>)? Codec for $name $(<$m>)? {
            #[inline(always)]
            fn limit(v: f32) -> f32 {
                v
            }
            #[inline(always)]
            fn decode<R: Rounding>(self, raw: u32) -> u32 {
                $decode(raw)
            }
            #[inline(always)]
            fn encode<R: Rounding>(self, value: u32) -> u32 {
                $encode(value)
            }
            #[inline(always)]
            fn encode_sum<R: Rounding>(self, sum: f32) -> u32 {
                $encode(canonical(sum))
            }
            $(
                // Of floats, only halves have a short way.
                const HALVES: bool = true;
                const SHORT: bool = true;
                #[inline(always)]
                fn short<R: Rounding>(self, value: u32) -> (u32, bool) {
                    $short(value)
                }
            )?
        }
    )*};
}

/// Bits as they are: floats of 32 bits, and integers.
#[inline(always)]
fn same(bits: u32) -> u32 {
    bits
}

#[inline(always)]
fn from_low<const M: u32>(raw: u32) -> u32 {
    from_small::<M>(raw & low(M + 5))
}

floats! {
    (Half, from_f16, to_f16, to_moderate_f16);
    (Small<const M>, from_low::<M>, to_unsigned_small::<M>);
    (Word, same, same);
}
