//! Decoded blocks, kept from instruction to instruction. A block is found by its address and believed when memory still
//! holds the bytes that it was decoded from; one comparison of those bytes an instruction, whoever wrote them.

use super::{all_bytes, decode_values};
use crate::memory::Memory;
use crate::texture::format::{Codec, Format};
use crate::texture::sample::{LANES, Lanes};

/// Words of the decoded texels of a block: bytes of 4 by 4 texels, values of as many, values of up to 12 by 12.
const SIZES: [usize; 3] = [16, 64, 576];

/// Blocks that are kept of each size; neighbours in memory have places of their own. Those of 256 by 256 texels are kept at
/// once where they are 4 by 4.
const PLACES: [usize; 3] = [4096, 4096, 64];

/// A key that no block has.
const NONE: u64 = u64::MAX;

/// What the blocks of a texture are decoded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texels {
    /// The four bytes of each texel in a word.
    Bytes(Codec),
    /// Four values per texel.
    Values,
}

/// The blocks of a texture.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Where they are.
    pub memory: &'a Memory,
    /// Address that offsets count from.
    pub base: u64,
    /// Bytes of a block, a power of two.
    pub bytes: u32,
    /// Texels of a block.
    pub size: (u32, u32),
    /// Their format.
    pub format: Format,
    /// What they are decoded to.
    pub texels: Texels,
}

impl Source<'_> {
    fn raw(&self, offset: u32) -> [u32; 4] {
        let at = self.base.saturating_add(u64::from(offset));
        if self.bytes < 4 {
            return [self.memory.load_byte(at).unwrap_or(0).into(), 0, 0, 0];
        }
        [0, 4, 8, 12].map(|byte: u32| match byte < self.bytes {
            true => self.memory.load(at + u64::from(byte)).unwrap_or(0),
            false => 0,
        })
    }

    fn words(&self) -> usize {
        let texels = (self.size.0 * self.size.1) as usize;
        match self.texels {
            Texels::Bytes(_) => texels,
            Texels::Values => 4 * texels,
        }
    }
}

/// Blocks of one size.
#[derive(Clone, Debug, Default)]
struct Shelf {
    /// Instruction and number of the block of each place.
    keys: Vec<u64>,
    /// What it was decoded from.
    from: Vec<(Format, [u32; 4])>,
    texels: Vec<u32>,
}

/// Decoded blocks, and room for the words of those that are not kept.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Cache {
    /// Words of the block of each lane.
    pub raw: [Lanes; 4],
    /// Number of the texel of each lane in its block.
    pub at: Lanes,
    shelves: [Shelf; 3],
    instruction: u32,
}

impl Default for Cache {
    fn default() -> Cache {
        Cache {
            raw: [[0; LANES]; 4],
            at: [0; LANES],
            shelves: Default::default(),
            instruction: 0,
        }
    }
}

impl Cache {
    /// Forgets that memory was seen to hold what blocks were decoded from.
    pub fn start(&mut self) {
        self.instruction = self.instruction.wrapping_add(1);
        if self.instruction == 0 {
            self.shelves
                .iter_mut()
                .for_each(|shelf| shelf.keys.fill(NONE));
        }
    }

    /// The blocks of a texture during an instruction.
    pub fn of<'a>(&'a mut self, source: Source<'a>) -> Blocks<'a> {
        let words = source.words();
        let size = SIZES.iter().position(|size| words <= *size).unwrap_or(2);
        let shelf = &mut self.shelves[size];
        if shelf.keys.is_empty() {
            shelf.keys = vec![NONE; PLACES[size]];
            shelf.from = vec![(Format::R8Unorm, [0; 4]); PLACES[size]];
            shelf.texels = vec![0; PLACES[size] * SIZES[size]];
        }
        Blocks {
            shift: source.bytes.trailing_zeros(),
            source,
            shelf,
            size: SIZES[size],
            instruction: u64::from(self.instruction) << 32,
        }
    }
}

/// The blocks of a texture during an instruction.
pub struct Blocks<'a> {
    source: Source<'a>,
    shelf: &'a mut Shelf,
    /// Words of a place.
    size: usize,
    instruction: u64,
    shift: u32,
}

impl Blocks<'_> {
    /// The texels of the block at `offset`, line by line.
    #[inline(always)]
    pub fn texels(&mut self, offset: u32) -> &[u32] {
        let key = self.instruction | u64::from(offset);
        let place = (offset >> self.shift) as usize & (self.shelf.keys.len() - 1);
        if self.shelf.keys[place] != key {
            self.fetch(offset, place);
            self.shelf.keys[place] = key;
        }
        &self.shelf.texels[place * self.size..][..self.size]
    }

    /// Decodes a block unless its place holds what it gives.
    #[cold]
    #[inline(never)]
    fn fetch(&mut self, offset: u32, place: usize) {
        let from = (self.source.format, self.source.raw(offset));
        if self.shelf.from[place] == from {
            return;
        }
        self.shelf.from[place] = from;
        let texels = &mut self.shelf.texels[place * self.size..][..self.source.words()];
        match self.source.texels {
            Texels::Bytes(codec) => texels.copy_from_slice(&all_bytes(codec, from.1)),
            Texels::Values => decode_values(from.0, from.1, texels.as_chunks_mut().0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of both kinds that share places, before and after memory changes.
    #[test]
    fn blocks_are_those_of_memory() {
        let memory = Memory::new(1 << 16);
        for at in (0..1 << 16).step_by(4) {
            memory.store(at, (at as u32).wrapping_mul(0x9e37_79b9) ^ 0x1234_5678);
        }
        let mut cache = Cache::default();
        let formats = [
            Format::Bc1RgbaUnorm,
            Format::Bc3RgbaUnorm,
            Format::Bc5RgSnorm,
            Format::Astc6x5Unorm,
        ];
        for round in 0..3u32 {
            for format in formats {
                cache.start();
                let bytes = matches!(format, Format::Bc1RgbaUnorm | Format::Bc3RgbaUnorm);
                let codec = if format == Format::Bc1RgbaUnorm {
                    Codec::Bc1
                } else {
                    Codec::Bc3
                };
                let source = Source {
                    memory: &memory,
                    base: 64,
                    bytes: format.size_bytes(),
                    size: format.block_size(),
                    format,
                    texels: if bytes {
                        Texels::Bytes(codec)
                    } else {
                        Texels::Values
                    },
                };
                let mut blocks = cache.of(source);
                for block in (0..2000).step_by(7).chain([0, 256, 512]) {
                    let offset = block * source.bytes;
                    let raw = source.raw(offset);
                    let got = blocks.texels(offset);
                    if bytes {
                        assert_eq!(got, all_bytes(codec, raw), "{format:?} {block}");
                        continue;
                    }
                    let (width, height) = source.size;
                    for at in 0..width * height {
                        let expected = super::super::value(format, raw, at % width, at / width);
                        assert_eq!(got[4 * at as usize..][..4], expected, "{format:?} {block}");
                    }
                }
                memory.store(64 + 700 * u64::from(round), round);
            }
        }
    }
}
