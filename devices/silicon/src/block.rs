//! Compressed blocks: one texel of a block, in whole numbers.
//!
//! A block is up to four words, first byte lowest. Codecs of 8-bit channels give bytes, [`bytes`]; every codec gives a
//! value in register bits, [`value`]. Interpolated 8-bit colours are the nearest integers to the exact ones.

mod bc;

use crate::fixed::from_unorm;
use crate::format::{Codec, Format, Layout};
use crate::srgb;

/// The texel at column `x` and row `y` of a block as bytes (x lowest), for codecs of 8-bit channels; 0 for others.
pub fn bytes(codec: Codec, block: [u32; 4], x: u32, y: u32) -> u32 {
    let at = 4 * (y & 3) + (x & 3);
    match codec {
        Codec::Bc1 => bc::bc1([block[0], block[1]], at, true),
        Codec::Bc2 => bc::bc2(block, at),
        Codec::Bc3 => bc::bc3(block, at),
        _ => 0,
    }
}

/// The texel at column `x` and row `y` of a block of a compressed format; zeros for other formats.
pub fn value(format: Format, block: [u32; 4], x: u32, y: u32) -> [u32; 4] {
    let Layout::Block { codec, .. } = format.row().layout else {
        return [0; 4];
    };
    let at = 4 * (y & 3) + (x & 3);
    let one = 1f32.to_bits();
    let (low, high) = ([block[0], block[1]], [block[2], block[3]]);
    match codec {
        Codec::Bc4 => [bc::bc4(low, at).to_bits(), 0, 0, one],
        Codec::Bc4Snorm => [bc::bc4_snorm(low, at).to_bits(), 0, 0, one],
        Codec::Bc5 => [
            bc::bc4(low, at).to_bits(),
            bc::bc4(high, at).to_bits(),
            0,
            one,
        ],
        Codec::Bc5Snorm => [
            bc::bc4_snorm(low, at).to_bits(),
            bc::bc4_snorm(high, at).to_bits(),
            0,
            one,
        ],
        _ => {
            let texel = bytes(codec, block, x, y).to_le_bytes();
            let srgb = format.is_srgb();
            [0, 1, 2, 3].map(|c: usize| {
                if srgb && c < 3 {
                    srgb::to_linear(texel[c]).to_bits()
                } else {
                    from_unorm(u32::from(texel[c]), 8).to_bits()
                }
            })
        }
    }
}

#[cfg(test)]
mod tests;
