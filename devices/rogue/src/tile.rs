//! What is on the chip while a tile is drawn: depth, stencil, tags and output registers of every sample.

use silicon::fragment::bins::Bin;
use silicon::fragment::interpolate::lanes;
use silicon::fragment::mask::merge;
use silicon::fragment::tile::Rect;
use silicon::host::SimdLevel;

/// log2 of the pixels along an edge of a tile. [Rogue 1.3]
pub const SHIFT: u32 = 5;
/// Parts of 8x8 pixels, line by line: what the ISP works on at a time.
pub const PARTS: usize = 16;
/// Samples of a pixel, at most.
pub const SAMPLES: usize = 8;
/// Lanes that are written one by one sooner than as a row.
const FEW: u32 = 8;

/// The part of a tile that a pixel is in.
#[inline(always)]
pub fn part_of(x: i32, y: i32) -> usize {
    ((y >> 3 & 3) << 2 | x >> 3 & 3) as usize
}

/// First pixel of a part, from the tile's.
#[inline(always)]
pub fn place_of(part: usize) -> [i32; 2] {
    [(part as i32 & 3) << 3, (part as i32 >> 2) << 3]
}

/// Where a tile of a render is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its pixels.
    pub area: Rect,
    /// Its first pixel, a multiple of 32 each way.
    pub at: [i32; 2],
    /// Its layer.
    pub layer: usize,
}

impl Region {
    /// Whether all pixels of the tile are drawn.
    pub fn is_whole(&self) -> bool {
        self.area == Rect::new(self.at[0], self.at[1], 1 << SHIFT, 1 << SHIFT)
    }
}

impl From<Bin> for Region {
    fn from(bin: Bin) -> Region {
        let edge = 1 << SHIFT;
        Region {
            area: bin.area,
            at: [bin.area.x0 & -edge, bin.area.y0 & -edge],
            layer: bin.layer as usize,
        }
    }
}

/// Rows of 64 lanes: pixels of a part in Morton order.
#[derive(Clone, Debug, Default)]
pub struct TileMemory {
    samples: usize,
    registers: usize,
    /// Bits of depths.
    pub depth: Vec<[u32; 64]>,
    /// Stencil.
    pub stencil: Vec<[u8; 64]>,
    /// What is seen of each part, where it has a tag.
    tags: Vec<[u32; 64]>,
    /// The tag of all lanes of a part.
    only: [u32; PARTS],
    /// Parts whose tags are rows, a bit each.
    mixed: u16,
    /// Parts with a tag, a bit each.
    tagged: u16,
    outputs: Vec<[u32; 64]>,
}

impl TileMemory {
    /// Makes room for a render.
    pub fn resize(&mut self, samples: usize, registers: usize) {
        if (samples, registers) == (self.samples, self.registers) && !self.depth.is_empty() {
            return;
        }
        (self.samples, self.registers) = (samples, registers);
        let rows = PARTS * samples;
        self.depth.resize(rows, [0; 64]);
        self.stencil.resize(rows, [0; 64]);
        self.tags.resize(rows, [0; 64]);
        self.outputs.resize(rows * registers, [0; 64]);
    }

    /// Samples of a pixel.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Output registers of a pixel.
    pub fn registers(&self) -> usize {
        self.registers
    }

    /// Number of the rows of a part and sample.
    #[inline(always)]
    pub fn row(&self, part: usize, sample: usize) -> usize {
        part * self.samples + sample
    }

    /// Whether a part has a tag.
    #[inline(always)]
    pub fn is_tagged(&self, part: usize) -> bool {
        self.tagged >> part & 1 == 1
    }

    /// Parts with a tag, a bit each.
    pub fn tagged(&self) -> u16 {
        self.tagged
    }

    /// Tags lanes of the samples of a part: the number of an object, from 1.
    #[inline]
    pub fn tag(&mut self, level: SimdLevel, part: usize, tag: u32, masks: &[u64]) {
        let bit = 1 << part;
        if masks.iter().all(|mask| *mask == u64::MAX) {
            self.only[part] = tag;
            self.mixed &= !bit;
            self.tagged |= bit;
            return;
        }
        let first = self.row(part, 0);
        let rows = &mut self.tags[first..first + self.samples];
        if self.mixed & bit == 0 {
            let below = if self.tagged & bit == 0 {
                0
            } else {
                self.only[part]
            };
            rows.fill([below; 64]);
            self.mixed |= bit;
            self.tagged |= bit;
        }
        for (row, mask) in rows.iter_mut().zip(masks) {
            match mask.count_ones() {
                ..=FEW => lanes(*mask).for_each(|lane| row[lane] = tag),
                _ => merge(level, *mask, &[tag; 64], row),
            }
        }
    }

    /// The tag of all samples of a part that has one, if there is but one.
    pub fn only_tag(&self, part: usize) -> Option<u32> {
        (self.mixed >> part & 1 == 0).then_some(self.only[part])
    }

    /// The tags of a part where they differ, 0 where all is shaded.
    #[inline(always)]
    pub fn tags(&self, part: usize, sample: usize) -> &[u32; 64] {
        &self.tags[self.row(part, sample)]
    }

    /// All of a part is shaded.
    pub fn clear_tags(&mut self, part: usize) {
        self.tagged &= !(1 << part);
        self.mixed &= !(1 << part);
    }

    /// All of the tile is.
    pub fn clear_all_tags(&mut self) {
        (self.tagged, self.mixed) = (0, 0);
    }

    /// An output register.
    #[inline(always)]
    pub fn output(&self, part: usize, sample: usize, register: usize) -> &[u32; 64] {
        &self.outputs[self.row(part, sample) * self.registers + register]
    }

    /// The only output register in all parts, where there is one and pixels have one sample.
    pub fn register(&self, register: usize) -> Option<&[[u32; 64]]> {
        let only = (self.samples, self.registers, register) == (1, 1, 0);
        only.then_some(&self.outputs[..PARTS])
    }

    /// The same, to be written.
    #[inline(always)]
    pub fn output_mut(&mut self, part: usize, sample: usize, register: usize) -> &mut [u32; 64] {
        let row = self.row(part, sample);
        &mut self.outputs[row * self.registers + register]
    }

    /// Takes over what another tile memory holds, tags apart.
    pub fn copy_from(&mut self, other: &TileMemory) {
        self.depth.clone_from(&other.depth);
        self.stencil.clone_from(&other.stencil);
        self.outputs.clone_from(&other.outputs);
    }

    /// A copy to be kept while other tiles are drawn, without tags.
    pub fn kept(&self) -> TileMemory {
        TileMemory {
            tags: Vec::new(),
            tagged: 0,
            mixed: 0,
            ..self.clone()
        }
    }
}
