//! Compressed blocks. In: up to four words, first byte lowest. Out: texels, as bytes for 8-bit codecs ([`bytes`]) or as
//! register bits ([`value`]). A block is parsed once for all its wanted texels; interpolated 8-bit colours round to
//! nearest.

mod astc;
mod bc;
mod bc6h;
mod bc7;
pub mod cache;
mod etc;
mod partition;
pub mod rows;

use bc::{Channel, Colors};
use bc6h::Bc6h;
use bc7::Bc7;
use etc::Rgb;

use crate::texture::fixed::from_unorm;
use crate::texture::float::from_f16;
use crate::texture::format::{Codec, Format, Layout};
use crate::texture::srgb;

/// The texels that are wanted of a block.
trait Wanted<T> {
    type Output;
    /// Takes them from a block, which gives the one at a column and a row.
    fn from(self, texel: impl Fn(u32, u32) -> T) -> Self::Output;
}

/// The one at a column and a row.
struct One(u32, u32);

/// All of a block of 4 by 4, line by line.
struct All;

/// All of a block of this width, line by line.
struct Rows<'a, T>(&'a mut [T], u32);

/// As values that are made of bytes, sRGB or not.
struct Values<W>(W, bool);

impl<T> Wanted<T> for One {
    type Output = T;
    #[inline(always)]
    fn from(self, texel: impl Fn(u32, u32) -> T) -> T {
        texel(self.0, self.1)
    }
}

impl<T> Wanted<T> for All {
    type Output = [T; 16];
    #[inline(always)]
    fn from(self, texel: impl Fn(u32, u32) -> T) -> [T; 16] {
        std::array::from_fn(|at| texel(at as u32 & 3, at as u32 >> 2))
    }
}

impl<T> Wanted<T> for Rows<'_, T> {
    type Output = ();
    #[inline(always)]
    fn from(self, texel: impl Fn(u32, u32) -> T) {
        let lines = self.0.chunks_mut(self.1 as usize);
        for (y, line) in lines.enumerate() {
            for (x, out) in line.iter_mut().enumerate() {
                *out = texel(x as u32, y as u32);
            }
        }
    }
}

impl<W: Wanted<[u32; 4]>> Wanted<u32> for Values<W> {
    type Output = W::Output;
    #[inline(always)]
    fn from(self, texel: impl Fn(u32, u32) -> u32) -> W::Output {
        self.0.from(|x, y| from_bytes(texel(x, y), self.1))
    }
}

/// The texel at column `x` and row `y` of a block as bytes (x lowest), for codecs of 8-bit channels; 0 for others.
pub fn bytes(codec: Codec, block: [u32; 4], x: u32, y: u32) -> u32 {
    bytes_of(codec, block, One(x & 3, y & 3))
}

/// The texel at column `x` and row `y` of a block of a compressed format; zeros for other formats.
pub fn value(format: Format, block: [u32; 4], x: u32, y: u32) -> [u32; 4] {
    match format.row().layout {
        Layout::Block {
            width: 4,
            height: 4,
            ..
        } => values_of(format, block, One(x & 3, y & 3)),
        _ => values_of(format, block, One(x, y)),
    }
}

/// [`bytes`] of all texels of a block of 4 by 4, line by line.
pub fn all_bytes(codec: Codec, block: [u32; 4]) -> [u32; 16] {
    bytes_of(codec, block, All)
}

/// [`value`] of all texels of a block, line by line.
fn decode_values(format: Format, block: [u32; 4], texels: &mut [[u32; 4]]) {
    let (width, _) = format.block_size();
    values_of(format, block, Rows(texels, width));
}

fn bytes_of<W: Wanted<u32>>(codec: Codec, block: [u32; 4], wanted: W) -> W::Output {
    let (low, high) = ([block[0], block[1]], [block[2], block[3]]);
    const COLOR: u32 = 0xff_ffff;
    match codec {
        Codec::Bc1 => {
            let colors = Colors::new(low, true);
            wanted.from(|x, y| colors.texel(4 * y + x))
        }
        Codec::Bc2 => {
            let colors = Colors::new(high, false);
            wanted.from(|x, y| {
                let at = 4 * y + x;
                colors.texel(at) & COLOR | bc::alpha4(low, at)
            })
        }
        Codec::Bc3 => {
            let (colors, alphas) = (Colors::new(high, false), Channel::alpha(low));
            wanted.from(|x, y| {
                let at = 4 * y + x;
                colors.texel(at) & COLOR | alphas.texel(at)
            })
        }
        Codec::Bc7 => match Bc7::new(block) {
            Some(block) => wanted.from(|x, y| block.texel(4 * y + x)),
            None => wanted.from(|_, _| 0),
        },
        Codec::Etc2Rgb8 | Codec::Etc2Rgb8A1 => {
            let colors = Rgb::new(low, codec == Codec::Etc2Rgb8A1);
            wanted.from(|x, y| colors.texel(x, y))
        }
        Codec::Etc2Rgba8 => {
            let colors = Rgb::new(high, false);
            wanted.from(|x, y| colors.texel(x, y) & COLOR | etc::alpha(low, x, y) << 24)
        }
        _ => wanted.from(|_, _| 0),
    }
}

fn values_of<W: Wanted<[u32; 4]>>(format: Format, block: [u32; 4], wanted: W) -> W::Output {
    let Layout::Block {
        codec,
        width,
        height,
        ..
    } = format.row().layout
    else {
        return wanted.from(|_, _| [0; 4]);
    };
    let one = 1f32.to_bits();
    let (low, high) = ([block[0], block[1]], [block[2], block[3]]);
    let red = |r: f32| [r.to_bits(), 0, 0, one];
    let two = |r: f32, g: f32| [r.to_bits(), g.to_bits(), 0, one];
    match codec {
        Codec::Bc4 | Codec::Bc4Snorm => {
            let reds = Channel::float(low, codec == Codec::Bc4Snorm);
            wanted.from(|x, y| red(reds.texel(4 * y + x)))
        }
        Codec::Bc5 | Codec::Bc5Snorm => {
            let [r, g] = [low, high].map(|half| Channel::float(half, codec == Codec::Bc5Snorm));
            wanted.from(|x, y| two(r.texel(4 * y + x), g.texel(4 * y + x)))
        }
        Codec::Bc6hUfloat | Codec::Bc6hFloat => match Bc6h::new(block, codec == Codec::Bc6hFloat) {
            Some(block) => wanted.from(|x, y| {
                let [r, g, b] = block.texel(4 * y + x).map(from_f16);
                [r, g, b, one]
            }),
            None => wanted.from(|_, _| [0, 0, 0, one]),
        },
        Codec::EacR11 => wanted.from(|x, y| red(etc::r11(low, x, y))),
        Codec::EacR11Snorm => wanted.from(|x, y| red(etc::r11_snorm(low, x, y))),
        Codec::EacRg11 => wanted.from(|x, y| two(etc::r11(low, x, y), etc::r11(high, x, y))),
        Codec::EacRg11Snorm => {
            wanted.from(|x, y| two(etc::r11_snorm(low, x, y), etc::r11_snorm(high, x, y)))
        }
        Codec::Astc => {
            let srgb = format.is_srgb();
            let size = [u32::from(width), u32::from(height)];
            let block = astc::Block::new(block, size, srgb);
            wanted.from(|x, y| {
                let texel = block.texel(x, y);
                [0, 1, 2, 3].map(|c: usize| match (srgb, c) {
                    (true, 3) => from_unorm(texel[c] >> 8, 8).to_bits(),
                    (true, _) => srgb::to_linear((texel[c] >> 8) as u8).to_bits(),
                    _ => from_f16(astc_half(texel[c])),
                })
            })
        }
        Codec::Bits => wanted.from(|x, _| red(from_unorm(block[0] >> (x & 7) & 1, 1))),
        Codec::BitsReversed => wanted.from(|x, _| red(from_unorm(block[0] >> (!x & 7) & 1, 1))),
        Codec::PairGreenFirst | Codec::PairGreenLast => {
            let bytes = block[0].to_le_bytes();
            let at = |i: usize| from_unorm(bytes[i].into(), 8).to_bits();
            let (green, shared) = match codec {
                Codec::PairGreenFirst => (0, 1),
                _ => (1, 0),
            };
            wanted.from(|x, _| {
                let texel = 2 * (x & 1) as usize;
                [at(shared + 2), at(green + texel), at(shared), one]
            })
        }
        Codec::Bc1
        | Codec::Bc2
        | Codec::Bc3
        | Codec::Bc7
        | Codec::Etc2Rgb8
        | Codec::Etc2Rgb8A1
        | Codec::Etc2Rgba8 => bytes_of(codec, block, Values(wanted, format.is_srgb())),
    }
}

/// The four bytes of a texel as values.
fn from_bytes(texel: u32, srgb: bool) -> [u32; 4] {
    let texel = texel.to_le_bytes();
    [0, 1, 2, 3].map(|c: usize| {
        if srgb && c < 3 {
            srgb::to_linear(texel[c]).to_bits()
        } else {
            from_unorm(u32::from(texel[c]), 8).to_bits()
        }
    })
}

/// A 16-bit result of ASTC as a half float: `c / 65536` rounded toward zero, and 1 for the largest. [VK-DF ASTC]
fn astc_half(c: u32) -> u32 {
    if c == 0xffff {
        return 0x3c00;
    }
    let top = c.checked_ilog2().unwrap_or(0);
    if c < 4 {
        // 2^-16 is 256 units of the smallest half.
        return c << 8;
    }
    // Exponent of 2^(top - 16), then the ten bits below the leading one.
    let mantissa = if top >= 10 {
        c >> (top - 10)
    } else {
        c << (10 - top)
    };
    (top - 1) << 10 | mantissa & 0x3ff
}

#[cfg(test)]
mod tests;
