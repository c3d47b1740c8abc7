//! Compressed blocks: one texel of a block, in whole numbers.
//!
//! A block is up to four words, first byte lowest. Codecs of 8-bit channels give bytes, [`bytes`]; every codec gives a
//! value in register bits, [`value`]. Interpolated 8-bit colours are the nearest integers to the exact ones.

mod astc;
mod bc;
mod bc6h;
mod bc7;
mod etc;
mod partition;
mod recent;

use bc6h::Bc6h;
use bc7::Bc7;
pub use recent::Recent;

use crate::fixed::from_unorm;
use crate::float::from_f16;
use crate::format::{Codec, Format, Layout};
use crate::srgb;

/// The texel at column `x` and row `y` of a block as bytes (x lowest), for codecs of 8-bit channels; 0 for others.
pub fn bytes(codec: Codec, block: [u32; 4], x: u32, y: u32) -> u32 {
    let at = 4 * (y & 3) + (x & 3);
    match codec {
        Codec::Bc1 => bc::bc1([block[0], block[1]], at, true),
        Codec::Bc2 => bc::bc2(block, at),
        Codec::Bc3 => bc::bc3(block, at),
        Codec::Bc7 => Bc7::new(block).map_or(0, |block| block.texel(at)),
        Codec::Etc2Rgb8 => etc::rgb([block[0], block[1]], x & 3, y & 3, false),
        Codec::Etc2Rgb8A1 => etc::rgb([block[0], block[1]], x & 3, y & 3, true),
        Codec::Etc2Rgba8 => {
            let (low, high) = ([block[0], block[1]], [block[2], block[3]]);
            let color = etc::rgb(high, x & 3, y & 3, false) & 0xff_ffff;
            color | etc::alpha(low, x & 3, y & 3) << 24
        }
        _ => 0,
    }
}

/// The texel at column `x` and row `y` of a block of a compressed format; zeros for other formats.
pub fn value(format: Format, block: [u32; 4], x: u32, y: u32) -> [u32; 4] {
    let Layout::Block {
        codec,
        width,
        height,
        ..
    } = format.row().layout
    else {
        return [0; 4];
    };
    let at = 4 * (y & 3) + (x & 3);
    let one = 1f32.to_bits();
    let (low, high) = ([block[0], block[1]], [block[2], block[3]]);
    match codec {
        Codec::Bc4 | Codec::Bc4Snorm => {
            let signed = codec == Codec::Bc4Snorm;
            [bc::bc4(low, at, signed).to_bits(), 0, 0, one]
        }
        Codec::Bc5 | Codec::Bc5Snorm => {
            let signed = codec == Codec::Bc5Snorm;
            let [r, g] = [low, high].map(|half| bc::bc4(half, at, signed).to_bits());
            [r, g, 0, one]
        }
        Codec::Bc6hUfloat | Codec::Bc6hFloat => {
            let signed = codec == Codec::Bc6hFloat;
            let texel = Bc6h::new(block, signed).map_or([0; 3], |block| block.texel(at));
            let [r, g, b] = texel.map(from_f16);
            [r, g, b, one]
        }
        Codec::EacR11 => [etc::r11(low, x & 3, y & 3).to_bits(), 0, 0, one],
        Codec::EacR11Snorm => [etc::r11_snorm(low, x & 3, y & 3).to_bits(), 0, 0, one],
        Codec::EacRg11 => {
            let [r, g] = [low, high].map(|b| etc::r11(b, x & 3, y & 3).to_bits());
            [r, g, 0, one]
        }
        Codec::EacRg11Snorm => {
            let [r, g] = [low, high].map(|b| etc::r11_snorm(b, x & 3, y & 3).to_bits());
            [r, g, 0, one]
        }
        Codec::Astc => {
            let srgb = format.is_srgb();
            let size = [u32::from(width), u32::from(height)];
            let texel = astc::texel(block, size, x, y, srgb);
            [0, 1, 2, 3].map(|c: usize| match (srgb, c) {
                (true, 3) => from_unorm(texel[c] >> 8, 8).to_bits(),
                (true, _) => srgb::to_linear((texel[c] >> 8) as u8).to_bits(),
                _ => from_f16(astc_half(texel[c])),
            })
        }
        Codec::Bits | Codec::BitsReversed => {
            let at = if codec == Codec::Bits {
                x & 7
            } else {
                7 - (x & 7)
            };
            [from_unorm(block[0] >> at & 1, 1).to_bits(), 0, 0, one]
        }
        Codec::PairGreenFirst | Codec::PairGreenLast => {
            let bytes = block[0].to_le_bytes();
            let at = |i: usize| from_unorm(bytes[i].into(), 8).to_bits();
            let (green, shared) = if codec == Codec::PairGreenFirst {
                (0, 1)
            } else {
                (1, 0)
            };
            let texel = 2 * (x & 1) as usize;
            [at(shared + 2), at(green + texel), at(shared), one]
        }
        Codec::Bc1
        | Codec::Bc2
        | Codec::Bc3
        | Codec::Bc7
        | Codec::Etc2Rgb8
        | Codec::Etc2Rgb8A1
        | Codec::Etc2Rgba8 => from_bytes(bytes(codec, block, x, y), format.is_srgb()),
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

/// [`bytes`] of all texels of a block of 4 by 4, line by line.
pub fn all_bytes(codec: Codec, block: [u32; 4]) -> [u32; 16] {
    let low = [block[0], block[1]];
    match codec {
        Codec::Bc1 => bc::all_bc1(low, true),
        Codec::Bc2 => bc::all_bc2(block),
        Codec::Bc3 => bc::all_bc3(block),
        Codec::Bc7 => match Bc7::new(block) {
            Some(block) => std::array::from_fn(|at| block.texel(at as u32)),
            None => [0; 16],
        },
        _ => std::array::from_fn(|at| bytes(codec, block, at as u32 & 3, at as u32 >> 2)),
    }
}

/// [`value`] of all texels of a block of 4 by 4, line by line.
pub fn all_values(format: Format, block: [u32; 4]) -> [[u32; 4]; 16] {
    let Layout::Block { codec, .. } = format.row().layout else {
        return [[0; 4]; 16];
    };
    let one = 1f32.to_bits();
    let (low, high) = ([block[0], block[1]], [block[2], block[3]]);
    match codec {
        Codec::Bc4 | Codec::Bc4Snorm => {
            let reds = bc::all_bc4(low, codec == Codec::Bc4Snorm);
            reds.map(|r| [r.to_bits(), 0, 0, one])
        }
        Codec::Bc5 | Codec::Bc5Snorm => {
            let [reds, greens] = [low, high].map(|b| bc::all_bc4(b, codec == Codec::Bc5Snorm));
            std::array::from_fn(|at| [reds[at].to_bits(), greens[at].to_bits(), 0, one])
        }
        Codec::Bc6hUfloat | Codec::Bc6hFloat => match Bc6h::new(block, codec == Codec::Bc6hFloat) {
            Some(block) => std::array::from_fn(|at| {
                let [r, g, b] = block.texel(at as u32).map(from_f16);
                [r, g, b, one]
            }),
            None => [[0, 0, 0, one]; 16],
        },
        Codec::Bc1 | Codec::Bc2 | Codec::Bc3 | Codec::Bc7 => {
            all_bytes(codec, block).map(|texel| from_bytes(texel, format.is_srgb()))
        }
        _ => std::array::from_fn(|at| value(format, block, at as u32 & 3, at as u32 >> 2)),
    }
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
