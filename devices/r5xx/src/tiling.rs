//! Where the texels of a surface lie: micro tiles of 32 bytes, macro tiles of 2 KiB, in all four combinations.
//! [R5xx 2 "Tiling", 2.1, 2.2]
//!
//! The manual states the order of tiles; the order inside both kinds is that of public drivers: rows of texels in a micro
//! tile, and a macro tile whose 8x8 micro tiles are permuted by their own coordinates and the macro tile's lowest bits.
//! [`layout`](self::layout()) places the levels of a texture.

mod layout;
mod samples;

pub use layout::{Level, Shape, layout};

use silicon::fragment::surface::{Extent, Layout};

/// Bytes of a micro tile, and what rows of linear surfaces are padded to.
pub const MICRO_BYTES: u32 = 32;
/// Bytes of a macro tile.
pub const MACRO_BYTES: u32 = 2048;
/// Bits of an offset that choose a micro tile in its macro tile, without the lowest two, each of one axis alone.
const MICRO_BITS: u64 = 0x780;

/// The shape of the smallest unit of texels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Micro {
    /// A row.
    #[default]
    Linear,
    /// A rectangle.
    Tiled,
    /// Four by four texels of 16 bits.
    Square,
}

/// How a surface is tiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tiling {
    /// Micro tiles are grouped by 64.
    pub macro_tiled: bool,
    /// Texels of a micro tile.
    pub micro: Micro,
}

impl Micro {
    /// From a MICRO_TILE field; none of a reserved code.
    pub const fn from_code(code: u32) -> Option<Micro> {
        match code {
            0 => Some(Micro::Linear),
            1 => Some(Micro::Tiled),
            2 => Some(Micro::Square),
            _ => None,
        }
    }

    /// The value of a MICRO_TILE field.
    pub const fn code(self) -> u32 {
        match self {
            Micro::Linear => 0,
            Micro::Tiled => 1,
            Micro::Square => 2,
        }
    }

    /// Texels across and down, of an element of some bytes; none where the chip has no such tile.
    pub const fn size(self, element_bytes: u32) -> Option<[u32; 2]> {
        match (self, element_bytes) {
            (Micro::Linear, 1 | 2 | 4 | 8 | 16) => Some([MICRO_BYTES / element_bytes, 1]),
            (Micro::Tiled, 1) => Some([8, 4]),
            (Micro::Tiled, 2) => Some([8, 2]),
            (Micro::Tiled, 4) => Some([4, 2]),
            (Micro::Tiled, 8) => Some([2, 2]),
            (Micro::Square, 2) => Some([4, 4]),
            _ => None,
        }
    }
}

impl Tiling {
    /// From the macro bit and the micro code of a register; none of a reserved code.
    pub fn new(macro_tiled: bool, micro: u32) -> Option<Tiling> {
        let micro = Micro::from_code(micro)?;
        Some(Tiling { macro_tiled, micro })
    }

    /// What a base address must be a multiple of.
    pub const fn base_align(self) -> u64 {
        match self.macro_tiled {
            true => MACRO_BYTES as u64,
            false => MICRO_BYTES as u64,
        }
    }

    /// Texels across and down that a surface is padded to; none where the chip has no such tile.
    pub const fn granularity(self, element_bytes: u32) -> Option<[u32; 2]> {
        match self.micro.size(element_bytes) {
            Some([width, height]) if self.macro_tiled => Some([8 * width, 8 * height]),
            size => size,
        }
    }
}

/// One level of a surface: from coordinates to byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Surface {
    /// How it is tiled; of a multisampled one it says nothing.
    pub tiling: Tiling,
    /// Bytes of an element: a texel, or a block of texels.
    pub element_bytes: u32,
    /// Elements from row to row, padded to tiles.
    pub pitch: u32,
    /// Rows, padded to tiles.
    pub height: u32,
    /// Samples of a texel: 1, 2, 3, 4 or 6.
    pub samples: u32,
    /// The element that coordinates 0 and 0 name.
    pub origin: [u32; 2],
}

impl Surface {
    /// A surface of at least this size, or why there is none.
    pub fn new(
        tiling: Tiling,
        element_bytes: u32,
        [width, height]: [u32; 2],
        samples: u32,
    ) -> Result<Surface, String> {
        if width == 0 || height == 0 {
            return Err(format!("a surface of {width} by {height} elements"));
        }
        let granularity = match samples {
            1 => tiling.granularity(element_bytes),
            _ => samples::granularity(element_bytes, samples),
        };
        let Some([across, down]) = granularity else {
            return Err(format!(
                "{tiling:?} has no elements of {element_bytes} bytes and {samples} samples"
            ));
        };
        Ok(Surface {
            tiling,
            element_bytes,
            pitch: width.next_multiple_of(across),
            height: height.next_multiple_of(down),
            samples,
            origin: [0; 2],
        })
    }

    /// The same surface, its coordinates counted from an element; as many more rows are above it.
    pub fn from(self, origin: [u32; 2]) -> Result<Surface, String> {
        match origin[0] < self.pitch {
            true => Ok(Surface { origin, ..self }),
            false => Err(format!(
                "column {} of a surface with a pitch of {}",
                origin[0], self.pitch
            )),
        }
    }

    /// The slice that a plane of it shows. The offset of its origin does not follow from the axes: slice 0 begins there, slice 1
    /// at the base.
    pub fn slice(&self) -> u32 {
        u32::from(self.origin != [0; 2])
    }

    /// Byte offset of an element.
    pub fn offset(&self, x: u32, y: u32, slice: u32, sample: u32) -> u64 {
        let [left, above] = self.origin;
        let offset = self.inside(x + left, y + above, sample);
        match (self.slice(), slice) {
            (0, _) => u64::from(slice) * self.slice_bytes() + offset,
            (_, 0) => {
                let (first, xor) = (self.inside(left, above, 0), self.xor_bits());
                (offset & !xor).wrapping_sub(first & !xor) | (offset ^ first) & xor
            }
            _ => offset,
        }
    }

    /// Bytes of one slice with all its samples.
    pub fn slice_bytes(&self) -> u64 {
        self.extent().slice_bytes()
    }

    /// Byte offset of an element, counted from the first.
    fn inside(&self, x: u32, y: u32, sample: u32) -> u64 {
        match self.samples {
            1 => self.tiled(x, y),
            _ => samples::offset(self, [x, y], sample),
        }
    }

    fn tiled(&self, x: u32, y: u32) -> u64 {
        let size = self.tiling.micro.size(self.element_bytes);
        let [width, height] = size.expect("the surface was made with it");
        let inner = (y % height * width + x % width) * self.element_bytes;
        let (ux, uy) = (x / width, y / height);
        let tile = match self.tiling.macro_tiled {
            false => u64::from(uy) * u64::from(self.pitch / width) + u64::from(ux),
            true => {
                let (mx, my) = (ux / 8, uy / 8);
                let across = u64::from(self.pitch / (8 * width));
                let macro_tile = u64::from(my) * across + u64::from(mx);
                macro_tile * 64 + u64::from(micro_index([ux, uy], [mx, my]))
            }
        };
        tile * u64::from(MICRO_BYTES) + u64::from(inner)
    }
}

/// The place of a micro tile in its macro tile.
fn micro_index([ux, uy]: [u32; 2], [mx, my]: [u32; 2]) -> u32 {
    let bit = |value: u32, n: u32| value >> n & 1;
    bit(ux, 0)
        | bit(uy, 0) << 1
        | (bit(ux, 1) ^ bit(uy, 2)) << 2
        | (bit(uy, 1) ^ bit(ux, 2)) << 3
        | (bit(ux, 2) ^ bit(my, 0)) << 4
        | (bit(uy, 2) ^ bit(mx, 0)) << 5
}

impl Layout for Surface {
    fn extent(&self) -> Extent {
        Extent {
            pitch: self.pitch - self.origin[0],
            height: self.height,
            samples: self.samples,
            element_bytes: self.element_bytes,
        }
    }

    fn bytes(&self, slices: u32) -> u64 {
        let whole = Extent {
            pitch: self.pitch,
            height: self.height + self.origin[1],
            ..self.extent()
        };
        match self.slice() {
            0 => u64::from(slices) * whole.slice_bytes(),
            _ => whole.slice_bytes(),
        }
    }

    fn base_align(&self) -> u64 {
        self.tiling.base_align()
    }

    fn xor_bits(&self) -> u64 {
        match self.samples {
            1 if self.tiling.macro_tiled => MICRO_BITS,
            1 => 0,
            _ => samples::xor_bits(self),
        }
    }

    fn offset(&self, x: u32, y: u32, slice: u32, sample: u32) -> u64 {
        Surface::offset(self, x, y, slice, sample)
    }
}

#[cfg(test)]
mod tests;
