//! Where the samples of a multisampled surface lie. [R5xx 7.5 "Multisample buffer addressing"]
//!
//! Blocks of four by four texels, all texels of a sample next to each other; two rows of blocks alternate. With four
//! samples, every other block swaps its halves. The surface's tiling is that of what it will be resolved to.

use super::Surface;

/// Bytes of one sample of a block.
fn sample_bytes(element_bytes: u32) -> u32 {
    16 * element_bytes
}

/// Texels across and down that such a surface is padded to; none where there is none.
pub fn granularity(element_bytes: u32, samples: u32) -> Option<[u32; 2]> {
    let fits = matches!(samples, 2 | 3 | 4 | 6) && matches!(element_bytes, 4 | 8);
    fits.then_some([4, 8])
}

/// Byte offset of a sample.
pub fn offset(surface: &Surface, [x, y]: [u32; 2], sample: u32) -> u64 {
    let each = sample_bytes(surface.element_bytes);
    let block = u64::from(surface.samples * each);
    let across = u64::from(surface.pitch / 4);
    let blocks = u64::from(x / 4 * 2 + ((y / 4) & 1)) + u64::from(y / 8) * across * 2;
    let inside = sample * each + (y % 4 * 4 + x % 4) * surface.element_bytes;
    // The higher bit of the sample's number is turned over in odd columns of blocks.
    let swapped = xor_bits(surface) * u64::from((x / 4) & 1);
    blocks * block + (u64::from(inside) ^ swapped)
}

/// Bits of an offset that combine by exclusive or.
pub fn xor_bits(surface: &Surface) -> u64 {
    match surface.samples {
        4 => u64::from(2 * sample_bytes(surface.element_bytes)),
        _ => 0,
    }
}
