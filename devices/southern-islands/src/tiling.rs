//! Where the elements of a surface lie: linear, micro-tiled and macro-tiled array modes of GFX6. [TILING 2, 5]
//!
//! A tile mode is one entry of the GB_TILE_MODE table; [`TAHITI`] is the table of this chip. [`Surface`] maps
//! coordinates to byte offsets, one level at a time; [`layout`](self::layout()) places the levels of an image. The
//! texture unit and the driver use the same [`layout`](self::layout()), so a T# need not say where levels are.

mod layout;
mod table;

pub use layout::{ImageLayout, ImageShape, layout, padded, tile_index};
pub use radeon::r6xx::tiling::{ImageKind, Swizzle};
pub(crate) use table::pipe;
pub use table::{PIPE_INTERLEAVE_BYTES, TAHITI, tile_mode};

use radeon::r6xx::tiling;
use silicon::fragment::surface::{Extent, Layout};

/// How surfaces are cut into tiles: GB_TILE_MODE.ARRAY_MODE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayMode {
    /// Rows.
    Linear,
    /// Micro tiles in rows.
    Micro,
    /// Macro tiles over pipes and banks.
    Macro {
        /// How slices differ.
        rotation: Rotation,
        /// Pipe and bank repeat in every macro tile (partially resident textures).
        repeats: bool,
    },
}

/// How the pipe and bank of a tile change from slice to slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rotation {
    /// Not at all.
    None,
    /// Banks rotate.
    Banks,
    /// Pipes and banks rotate.
    Pipes,
}

/// Order of elements in a micro tile: GB_TILE_MODE.MICRO_TILE_MODE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MicroMode {
    /// Scan-out order, by element size.
    Display,
    /// Morton order.
    Thin,
    /// Morton order, samples of a texel together.
    Depth,
    /// Order of thick tiles of later chips.
    Thick,
}

/// One entry of the tile mode table, unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileMode {
    /// Tiling.
    pub array: ArrayMode,
    /// Slices of a micro tile: 1, 4 or 8.
    pub thickness: u32,
    /// Order in a micro tile.
    pub micro: MicroMode,
    /// GB_TILE_MODE.PIPE_CONFIG.
    pub pipe_config: u8,
    /// Bytes after which a micro tile is cut.
    pub split_bytes: u32,
    /// Micro tiles across in one bank.
    pub bank_width: u32,
    /// Micro tiles down in one bank.
    pub bank_height: u32,
    /// Ratio of macro tiles.
    pub aspect: u32,
    /// Banks.
    pub banks: u32,
}

impl TileMode {
    /// Pipes.
    pub fn pipes(&self) -> u32 {
        1 << table::pipe_bits(self.pipe_config).len()
    }

    /// Elements across a macro tile (micro tile, element).
    pub fn tile_width(&self) -> u32 {
        match self.array {
            ArrayMode::Linear => 1,
            ArrayMode::Micro => 8,
            ArrayMode::Macro { .. } => 8 * self.bank_width * self.pipes() * self.aspect,
        }
    }

    /// Elements down a macro tile (micro tile, element).
    pub fn tile_height(&self) -> u32 {
        match self.array {
            ArrayMode::Linear => 1,
            ArrayMode::Micro => 8,
            ArrayMode::Macro { .. } => 8 * self.bank_height * self.banks / self.aspect,
        }
    }
}

/// One level of a surface: from coordinates to byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Surface {
    /// Tile mode.
    pub mode: TileMode,
    /// Bytes of an element: a texel, or a block of a compressed format.
    pub element_bytes: u32,
    /// Elements from row to row, padded to tiles.
    pub pitch: u32,
    /// Rows, padded to tiles.
    pub height: u32,
    /// Samples of a texel.
    pub samples: u32,
    /// Pipe and bank bits of the base address, added in front.
    pub swizzle: Swizzle,
}

impl Surface {
    /// Bytes of one slice with all its samples.
    pub fn slice_bytes(&self) -> u64 {
        self.extent().slice_bytes()
    }

    /// Bytes of the tallest unit that slices are stored in: one slice, or the slices of a thick tile.
    pub fn bytes(&self, slices: u32) -> u64 {
        let thick = self.mode.thickness;
        self.slice_bytes() * u64::from(slices.div_ceil(thick) * thick)
    }

    /// The surface at an address, whose channel bits are its swizzle; and the address without them.
    pub fn at(self, base: u64) -> (Surface, u64) {
        let channels = self.xor_bits();
        let channel = ((base & channels) / u64::from(PIPE_INTERLEAVE_BYTES)) as u32;
        let pipes = self.mode.pipes();
        let swizzle = Swizzle {
            pipe: channel % pipes,
            bank: channel / pipes,
        };
        (Surface { swizzle, ..self }, base & !channels)
    }

    /// Bits of an offset that are the exclusive or of what the coordinates give; all other bits are a sum.
    ///
    /// So `offset(x, y, slice, sample)` can be put together from the offsets along each axis.
    pub fn xor_bits(&self) -> u64 {
        match self.mode.array {
            ArrayMode::Macro { .. } => {
                u64::from(self.mode.pipes() * self.mode.banks - 1)
                    * u64::from(PIPE_INTERLEAVE_BYTES)
            }
            _ => 0,
        }
    }

    /// Byte offset of an element.
    pub fn offset(&self, x: u32, y: u32, slice: u32, sample: u32) -> u64 {
        match self.mode.array {
            ArrayMode::Linear => {
                let row = u64::from(self.height) * u64::from(slice * self.samples + sample)
                    + u64::from(y);
                (row * u64::from(self.pitch) + u64::from(x)) * u64::from(self.element_bytes)
            }
            ArrayMode::Micro => {
                let thick = u64::from(self.mode.thickness);
                let tile = u64::from(x / 8) + u64::from(y / 8) * u64::from(self.pitch / 8);
                let micro_bytes = 64 * thick * u64::from(self.element_bytes * self.samples);
                u64::from(slice) / thick * self.slice_bytes() * thick
                    + tile * micro_bytes
                    + u64::from(self.in_micro_tile(x, y, slice, sample))
            }
            ArrayMode::Macro { rotation, repeats } => {
                self.macro_offset([x, y, slice, sample], rotation, repeats)
            }
        }
    }

    /// Byte offset inside a micro tile with all its samples.
    fn in_micro_tile(&self, x: u32, y: u32, slice: u32, sample: u32) -> u32 {
        let index = micro_index(
            self.mode.micro,
            self.mode.thickness,
            self.element_bytes,
            [x, y, slice],
        );
        match self.mode.micro {
            MicroMode::Depth => (index * self.samples + sample) * self.element_bytes,
            _ => (index + sample * 64 * self.mode.thickness) * self.element_bytes,
        }
    }

    fn macro_offset(
        &self,
        [x, y, slice, sample]: [u32; 4],
        rotation: Rotation,
        repeats: bool,
    ) -> u64 {
        let mode = &self.mode;
        let (pipes, banks) = (mode.pipes(), mode.banks);
        let mut elem = self.in_micro_tile(x, y, slice, sample);
        let mut micro_bytes = 64 * mode.thickness * self.element_bytes * self.samples;
        let mut slices_per_tile = 1;
        let mut tile_slice = 0;
        if micro_bytes > mode.split_bytes && mode.thickness == 1 {
            slices_per_tile = micro_bytes / mode.split_bytes;
            tile_slice = elem / mode.split_bytes;
            elem %= mode.split_bytes;
            micro_bytes = mode.split_bytes;
        }
        let (width, height) = (mode.tile_width(), mode.tile_height());
        let macro_bytes = u64::from(micro_bytes) * u64::from(mode.bank_width * mode.bank_height);
        let per_row = u64::from(self.pitch / width);
        let deep = slice / mode.thickness;
        let macro_offset = (u64::from(y / height) * per_row + u64::from(x / width)) * macro_bytes;
        let slice_offset = per_row
            * u64::from(self.height / height)
            * macro_bytes
            * u64::from(tile_slice + slices_per_tile * deep);
        let tile_offset = u64::from(
            (y / 8 % mode.bank_height) * mode.bank_width + x / 8 / pipes % mode.bank_width,
        ) * u64::from(micro_bytes);
        let total = slice_offset + macro_offset + tile_offset + u64::from(elem);

        let (px, py) = if repeats {
            (x % width, y % height)
        } else {
            (x, y)
        };
        let mut pipe = table::pipe(mode.pipe_config, px, py);
        let mut bank = table::bank(mode, px, py);
        let pipe_turn = (pipes / 2).saturating_sub(1).max(1) * deep;
        let (turn_pipe, turn_bank) = match rotation {
            Rotation::None => (0, 0),
            Rotation::Banks => (0, (banks / 2 - 1) * deep),
            Rotation::Pipes => (pipe_turn, pipe_turn / pipes),
        };
        pipe = (pipe ^ (self.swizzle.pipe + turn_pipe)) & (pipes - 1);
        bank ^= self.swizzle.bank + turn_bank;
        bank ^= (banks / 2 + 1) * tile_slice;
        bank &= banks - 1;

        let group = u64::from(PIPE_INTERLEAVE_BYTES);
        let channel = u64::from(pipe + pipes * bank) * group;
        total % group + channel + total / group * group * u64::from(pipes * banks)
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
        Surface::bytes(self, slices)
    }

    fn xor_bits(&self) -> u64 {
        Surface::xor_bits(self)
    }

    fn tile_edge(&self) -> u32 {
        8
    }

    fn offset(&self, x: u32, y: u32, slice: u32, sample: u32) -> u64 {
        Surface::offset(self, x, y, slice, sample)
    }
}

/// Number of an element in its micro tile. [TILING 2]
fn micro_index(mode: MicroMode, thickness: u32, element_bytes: u32, [x, y, z]: [u32; 3]) -> u32 {
    // Which coordinate bit lands in each index bit, lowest first: 0..2 are bits of x, 3..5 of y, 6..8 of z.
    const X0: u8 = 0;
    const X1: u8 = 1;
    const X2: u8 = 2;
    const Y0: u8 = 3;
    const Y1: u8 = 4;
    const Y2: u8 = 5;
    const Z0: u8 = 6;
    const Z1: u8 = 7;
    const Z2: u8 = 8;
    let order: [u8; 9] = match (mode, element_bytes) {
        (MicroMode::Display, 1) => [X0, X1, X2, Y1, Y0, Y2, Z0, Z1, Z2],
        (MicroMode::Display, 2) => [X0, X1, X2, Y0, Y1, Y2, Z0, Z1, Z2],
        (MicroMode::Display, 4) => [X0, X1, Y0, X2, Y1, Y2, Z0, Z1, Z2],
        (MicroMode::Display, 8) => [X0, Y0, X1, X2, Y1, Y2, Z0, Z1, Z2],
        (MicroMode::Display, _) => [Y0, X0, X1, X2, Y1, Y2, Z0, Z1, Z2],
        (MicroMode::Thick, 1 | 2) => [X0, Y0, X1, Y1, Z0, Z1, X2, Y2, Z2],
        (MicroMode::Thick, 4) => [X0, Y0, X1, Z0, Y1, Z1, X2, Y2, Z2],
        (MicroMode::Thick, _) => [X0, Y0, Z0, X1, Y1, Z1, X2, Y2, Z2],
        (MicroMode::Thin | MicroMode::Depth, _) => [X0, Y0, X1, Y1, X2, Y2, Z0, Z1, Z2],
    };
    tiling::micro_index(order, [x, y, z & (thickness - 1)])
}

#[cfg(test)]
mod tests;
