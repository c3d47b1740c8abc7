//! Where the texels of an image lie: twiddled rectangles and boxes, and rows. [Rogue 16]
//!
//! An element is a texel or a block of a compressed format. A twiddled level is as large as powers of two allow; Y is in
//! the lowest bit of an index. Several samples of a pixel are neighbours on a larger grid. [`levels`] places a mip chain.

mod chain;

pub use chain::{ImageLevel, Shape, layer_bytes, levels};

use silicon::fragment::surface::{Extent, Layout};

/// What image bases, array layers and cube faces are multiples of.
pub const IMAGE_ALIGN: u64 = 4096;

/// The order of elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Rows.
    Linear,
    /// Bits of x and y in turn.
    #[default]
    Twiddled,
    /// Boxes of 4x4x4 whose coordinates are twiddled.
    Twiddled3d,
}

/// One level of an image: coordinates to byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Surface {
    /// How elements are ordered.
    pub order: Order,
    /// Bytes of an element.
    pub element_bytes: u32,
    /// Elements from row to row, in pixels; twiddled ones a power of two.
    pub pitch: u32,
    /// Rows, in pixels; twiddled ones a power of two.
    pub height: u32,
    /// Slices; of a 3D image a power of two.
    pub depth: u32,
    /// Samples of a pixel: 1, 2, 4 or 8.
    pub samples: u32,
    /// Bytes from one array layer to the next; a 3D image has none.
    pub layer_bytes: u64,
}

/// Bits of the grid that the samples of a pixel take, across and down. [Rogue 16 MSAA]
const fn sample_bits(samples: u32) -> [u32; 2] {
    match samples {
        2 => [0, 1],
        4 => [1, 1],
        8 => [1, 2],
        _ => [0, 0],
    }
}

/// Spreads the low bits of a number: bit n goes to 2n.
const fn spread(value: u32) -> u64 {
    let mut out = 0;
    let mut bit = 0;
    while bit < 32 {
        out |= ((value >> bit & 1) as u64) << (2 * bit);
        bit += 1;
    }
    out
}

/// The index of an element in a rectangle of `2^a` by `2^b`: Y lowest, then X, in turn; what is left of the longer side
/// follows.
pub const fn twiddle([x, y]: [u32; 2], [a, b]: [u32; 2]) -> u64 {
    let shared = if a < b { a } else { b };
    let low = (1u64 << shared) as u32 - 1;
    let rest = ((x & !low) | (y & !low)) as u64;
    spread(y & low) | spread(x & low) << 1 | rest << shared
}

/// The index of an element in a box of `2^bits` elements, each at least 4 along.
pub fn twiddle_3d([x, y, z]: [u32; 3], bits: [u32; 3]) -> u64 {
    let inner = u64::from((z & 3) << 4 | y & 1 | (x & 1) << 1 | (y & 2) << 1 | (x & 2) << 2);
    // Blocks of four: bits of y, x, z in turn while there are any.
    let order = [(y >> 2, bits[1]), (x >> 2, bits[0]), (z >> 2, bits[2])];
    let mut block = 0;
    let mut place = 0;
    for bit in 0..32 {
        for (at, bits) in order {
            if bit + 2 < bits {
                block |= u64::from(at >> bit & 1) << place;
                place += 1;
            }
        }
    }
    block << 6 | inner
}

impl Surface {
    /// Byte offset of an element.
    pub fn offset(&self, x: u32, y: u32, slice: u32, sample: u32) -> u64 {
        let [across, down] = sample_bits(self.samples);
        let x = x << across | sample & ((1 << across) - 1);
        let y = y << down | sample >> across;
        let bits = |size: u32| size.trailing_zeros();
        let (a, b) = (bits(self.pitch) + across, bits(self.height) + down);
        let bytes = u64::from(self.element_bytes);
        match self.order {
            Order::Linear => {
                let row = u64::from(self.pitch) << across;
                (u64::from(y) * row + u64::from(x)) * bytes + u64::from(slice) * self.layer_bytes
            }
            Order::Twiddled => {
                twiddle([x, y], [a, b]) * bytes + u64::from(slice) * self.layer_bytes
            }
            Order::Twiddled3d => twiddle_3d([x, y, slice], [a, b, bits(self.depth)]) * bytes,
        }
    }

    /// Bytes of one layer of the level, or of the whole box.
    pub fn level_bytes(&self) -> u64 {
        let depth = match self.order {
            Order::Twiddled3d => u64::from(self.depth),
            _ => 1,
        };
        self.extent().slice_bytes() * depth
    }
}

impl Layout for Surface {
    fn extent(&self) -> Extent {
        Extent {
            pitch: self.pitch,
            height: self.height,
            samples: self.samples,
            element_bytes: self.element_bytes,
        }
    }

    fn bytes(&self, slices: u32) -> u64 {
        u64::from(slices.saturating_sub(1)) * self.layer_bytes + self.level_bytes()
    }

    /// Levels of whole tiles of 8x8 elements: what comes before them in a chain are larger ones.
    fn base_align(&self) -> u64 {
        let tiles = self.order == Order::Twiddled && self.pitch >= 8 && self.height >= 8;
        match tiles && self.element_bytes.is_power_of_two() {
            true => 64 * u64::from(self.element_bytes),
            false => 4,
        }
    }

    fn xor_bits(&self) -> u64 {
        0
    }

    fn offset(&self, x: u32, y: u32, slice: u32, sample: u32) -> u64 {
        Surface::offset(self, x, y, slice, sample)
    }
}

#[cfg(test)]
mod tests;
