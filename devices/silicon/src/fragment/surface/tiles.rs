//! Whole tiles as rows. In memory a tile is a few blocks of neighbouring bytes, in one of the orders that chips have,
//! its samples after each other or beside each other; here it is a row of lanes for each word of a texel.

mod rows;

use std::ops::Range;

use super::{Axes, Layout, Plane, inside};
use crate::fragment::tile::{LANE_X, LANE_Y};
use crate::memory::Memory;
use crate::texture::sample::Lanes;
use host::SimdLevel;
use rows::{Aligned, Join, Part, Read, Same, Write};

/// The bit of a lane that each bit of a place in memory is: x bits are 0, 2 and 4, y bits 1, 3 and 5.
const ORDERS: [[u32; 6]; 8] = [
    [0, 1, 2, 3, 4, 5],
    [0, 2, 1, 4, 3, 5],
    [0, 2, 4, 3, 1, 5],
    [0, 2, 4, 1, 3, 5],
    [0, 1, 2, 4, 3, 5],
    [1, 0, 2, 4, 3, 5],
    [0, 2, 1, 3, 4, 5],
    [1, 0, 3, 2, 5, 4],
];
/// Words of the largest tile, with the samples that are beside each other.
const WORDS: usize = 1024;
/// Tiles that are turned before any of them is stored.
pub(super) const STAGED: usize = 8;
/// Bytes of blocks, widest first.
const BLOCKS: [u32; 3] = [256, 128, 64];

/// The lane of a place in memory.
#[inline(always)]
const fn lane_of(order: usize, place: usize) -> usize {
    let (mut lane, mut bit) = (0, 0);
    while bit < 6 {
        lane |= (place >> bit & 1) << ORDERS[order][bit];
        bit += 1;
    }
    lane
}

/// The place in memory of a lane.
#[inline(always)]
const fn place_of(order: usize, lane: usize) -> usize {
    let (mut place, mut bit) = (0, 0);
    while bit < 6 {
        place |= (lane >> ORDERS[order][bit] & 1) << bit;
        bit += 1;
    }
    place
}

/// How the texels of each tile lie.
#[derive(Debug)]
pub(super) struct Blocks {
    /// Of one block, at a multiple of as many.
    bytes: u32,
    /// Offset of each block in a tile.
    steps: Box<[u32]>,
    /// Samples beside each other: all or 1.
    beside: usize,
    /// Index into [`ORDERS`].
    order: usize,
}

impl Blocks {
    /// Those of a surface, if all its tiles have one layout.
    pub(super) fn new(surface: &impl Layout, axes: &Axes) -> Option<Blocks> {
        let extent = surface.extent();
        let bytes = extent.element_bytes;
        let samples = extent.samples as usize;
        let second = (samples > 1).then(|| surface.offset(0, 0, 0, 1));
        let first = surface.offset(0, 0, 0, 0);
        let beside = match second == Some(first + u64::from(bytes)) {
            true => samples,
            false => 1,
        };
        let held = matches!(bytes, 1 | 2 | 4 | 8 | 16);
        let packs = beside == 1 || beside <= 8 && bytes <= 8;
        if !axes.whole || !held || !packs {
            return None;
        }
        let unit = 64 * bytes * beside as u32;
        let orders = 0..if beside == 1 { ORDERS.len() } else { 1 };
        let forms = orders.flat_map(|order| BLOCKS.map(|bytes| (order, bytes)));
        let mut forms = forms.filter(|(_, block)| {
            *block <= unit
                && axes.xor & (block - 1) == 0
                && surface.base_align().is_multiple_of(u64::from(*block))
        });
        let texels = |block: u32| (block / bytes) as usize / beside;
        let (order, block) = forms.find(|&(order, block)| {
            axes.are_blocks(order, (texels(block), bytes * beside as u32, block))
        })?;
        let steps = (0..64).step_by(texels(block)).map(|place| {
            let lane = lane_of(order, place);
            let (dx, dy) = (LANE_X[lane] as usize, LANE_Y[lane] as usize);
            axes.are_steps([dx, dy])
                .then(|| axes.join(axes.x[dx], axes.y[dy]))
        });
        Some(Blocks {
            bytes: block,
            steps: steps.collect::<Option<_>>()?,
            beside,
            order,
        })
    }

    /// Whether these offsets of samples leave blocks whole.
    pub(super) fn keep(&self, samples: &[u32], element_bytes: u32) -> bool {
        let aligned = |offset: u32| offset.is_multiple_of(self.bytes);
        if self.beside == 1 {
            return samples.iter().copied().all(aligned);
        }
        let at = |(n, offset): (usize, &u32)| *offset == samples[0] + n as u32 * element_bytes;
        aligned(samples[0]) && samples.iter().enumerate().all(at)
    }
}

impl Axes {
    /// Whether every tile is blocks of so many texels, each of so many bytes, in an order.
    fn are_blocks(&self, order: usize, (texels, bytes, block): (usize, u32, u32)) -> bool {
        let is = |x: usize, y: usize| {
            (0..64).step_by(texels).all(|first| {
                let offset = |place: usize| {
                    let lane = lane_of(order, place);
                    let (dx, dy) = (LANE_X[lane] as usize, LANE_Y[lane] as usize);
                    self.join(self.x[x + dx], self.y[y + dy])
                };
                let start = offset(first);
                let near = |n: usize| offset(first + n) == start.wrapping_add(n as u32 * bytes);
                start.is_multiple_of(block) && (0..texels).all(near)
            })
        };
        let columns = (0..self.x.len()).step_by(8).all(|x| is(x, 0));
        columns && (0..self.y.len()).step_by(8).all(|y| is(0, y))
    }

    /// Whether a texel is as far from the first of its tile in every tile.
    fn are_steps(&self, [dx, dy]: [usize; 2]) -> bool {
        let is = |axis: &[u32], step: usize| {
            let mut tiles = (0..axis.len()).step_by(8);
            tiles.all(|first| axis[first + step] == self.join(axis[first], axis[step]))
        };
        is(&self.x, dx) && is(&self.y, dy)
    }
}

/// Words of a tile in the order of memory.
#[repr(align(64))]
struct Unit<const N: usize>([u32; N]);

/// The texels of a tile, a byte each.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct TileBytes([u32; 16]);

impl TileBytes {
    /// Lane by lane.
    #[inline(always)]
    pub(crate) fn get(&self, bytes: &mut [u8; 64]) {
        for (bytes, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(&self.0) {
            *bytes = word.to_le_bytes();
        }
    }

    /// The other way.
    #[inline(always)]
    pub(crate) fn set(&mut self, bytes: &[u8; 64]) {
        for (word, bytes) in self.0.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
    }

    /// Exchanges the orders of lanes and of memory.
    fn turn(&mut self, place: impl Fn(usize) -> usize) {
        let (mut from, mut to) = ([0; 64], [0; 64]);
        self.get(&mut from);
        for (lane, byte) in to.iter_mut().enumerate() {
            *byte = from[place(lane)];
        }
        self.set(&to);
    }
}

fn load<const N: usize>(memory: &Memory, address: u64, block: &mut [u32]) {
    let done = block.first_chunk_mut::<N>();
    inside(done.is_some_and(|block| memory.load_block(address, block).is_ok()));
}

/// Rows of the words of several tiles: row `n` of word `w` is `[w][n]`.
pub(crate) type TileRows<'a> = [&'a mut [Lanes]; 4];
/// The same to read.
pub(crate) type TileWords<'a> = [&'a [Lanes]; 4];

impl Plane {
    /// Whether whole tiles are read and written as rows.
    #[inline(always)]
    pub(crate) fn has_tiles(&self) -> bool {
        self.tiles
    }

    /// Whether tiles of one sample are.
    #[inline(always)]
    pub(crate) fn has_sample_tiles(&self) -> bool {
        self.tiles && self.axes.blocks.as_ref().is_some_and(|b| b.beside == 1)
    }

    #[inline(always)]
    fn load_unit(
        &self,
        memory: &Memory,
        blocks: &Blocks,
        ([x, y], sample): ([i32; 2], usize),
        unit: &mut [u32],
    ) {
        let words = blocks.bytes as usize / 4;
        let tile = self.offset(x, y, sample);
        for (step, block) in blocks.steps.iter().zip(unit.chunks_exact_mut(words)) {
            let address = self.address_from(tile, *step);
            match words {
                64 => load::<64>(memory, address, block),
                32 => load::<32>(memory, address, block),
                _ => load::<16>(memory, address, block),
            }
        }
    }

    #[inline(always)]
    fn store_unit(
        &self,
        memory: &Memory,
        blocks: &Blocks,
        ([x, y], sample): ([i32; 2], usize),
        unit: &[u32],
    ) {
        let tile = self.offset(x, y, sample);
        match blocks.bytes / 4 {
            64 => self.store_blocks::<64>(memory, blocks, tile, unit),
            32 => self.store_blocks::<32>(memory, blocks, tile, unit),
            _ => self.store_blocks::<16>(memory, blocks, tile, unit),
        }
    }

    #[inline(always)]
    fn store_blocks<const N: usize>(
        &self,
        memory: &Memory,
        blocks: &Blocks,
        tile: u32,
        unit: &[u32],
    ) {
        for (step, block) in blocks.steps.iter().zip(unit.as_chunks::<N>().0) {
            let address = self.address_from(tile, *step);
            inside(memory.store_block(address, block).is_ok());
        }
    }

    /// Whether all samples of a tile have the same texels. Asked where [`Plane::has_sample_tiles`] holds.
    pub(crate) fn samples_agree(
        &self,
        level: SimdLevel,
        memory: &Memory,
        [x, y]: [i32; 2],
    ) -> bool {
        let Some(blocks) = &self.axes.blocks else {
            return false;
        };
        let words = blocks.bytes as usize / 4;
        let mut read = [Unit([0; 64]), Unit([0; 64])];
        blocks.steps.iter().all(|step| {
            (0..self.samples.len()).all(|sample| {
                let tile = self.offset(x, y, sample);
                let address = self.address_from(tile, *step);
                let block = &mut read[usize::from(sample > 0)].0;
                match words {
                    64 => load::<64>(memory, address, block),
                    32 => load::<32>(memory, address, block),
                    _ => load::<16>(memory, address, block),
                }
                let [one, other] = &read;
                sample == 0 || level.run(Same(&one.0, &other.0))
            })
        })
    }

    /// Reads a sample of tiles for which [`Plane::has_sample_tiles`] holds.
    pub(crate) fn read_tiles(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (tiles, sample): (&[[i32; 2]], usize),
        rows: &mut TileRows,
    ) {
        let Some(blocks) = &self.axes.blocks else {
            return;
        };
        if self.has_rows() {
            self.read_words(level, memory, (tiles, sample), rows[0]);
            return;
        }
        match self.bytes {
            ..=4 => self.read_units::<64>((level, memory, blocks), (tiles, sample), rows),
            8 => self.read_units::<128>((level, memory, blocks), (tiles, sample), rows),
            _ => self.read_units::<256>((level, memory, blocks), (tiles, sample), rows),
        }
    }

    fn read_units<const N: usize>(
        &self,
        (level, memory, blocks): (SimdLevel, &Memory, &Blocks),
        (tiles, sample): (&[[i32; 2]], usize),
        rows: &mut TileRows,
    ) {
        let mut unit = Unit([0; N]);
        let words = 16 * self.bytes as usize;
        for (n, at) in tiles.iter().enumerate() {
            self.load_unit(memory, blocks, (*at, sample), &mut unit.0[..words]);
            level.run(Read {
                bytes: self.bytes,
                order: blocks.order,
                unit: &unit.0,
                rows: &mut *rows,
                n,
            });
        }
    }

    /// Writes the same to several samples of such tiles.
    pub(crate) fn write_tiles(
        &self,
        level: SimdLevel,
        memory: &Memory,
        tiles: (&[[i32; 2]], Range<usize>),
        rows: &TileWords,
    ) {
        self.write_each(level, memory, tiles, |n| rows.map(|rows| rows.get(n)));
    }

    /// The same, where a function gives the rows of each tile, one for each word.
    pub(crate) fn write_each<'a>(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (tiles, samples): (&[[i32; 2]], Range<usize>),
        rows_of: impl Fn(usize) -> [Option<&'a Lanes>; 4],
    ) {
        let Some(blocks) = &self.axes.blocks else {
            return;
        };
        if self.has_rows() {
            self.write_words(level, memory, (tiles, samples), rows_of);
            return;
        }
        match self.bytes {
            ..=4 => self.write_units::<64, 1>((level, memory, blocks), (tiles, samples), rows_of),
            8 => self.write_units::<128, 2>((level, memory, blocks), (tiles, samples), rows_of),
            _ => self.write_units::<256, 4>((level, memory, blocks), (tiles, samples), rows_of),
        }
    }

    fn write_units<'a, const N: usize, const W: usize>(
        &self,
        to: (SimdLevel, &Memory, &Blocks),
        tiles: (&[[i32; 2]], Range<usize>),
        rows_of: impl Fn(usize) -> [Option<&'a Lanes>; 4],
    ) {
        match tiles.0.len() {
            ..=1 => self.write_staged::<N, W, 1, 1>(to, tiles, rows_of),
            // Rows of several of the largest leave the L1 cache.
            _ if W > 2 => self.write_staged::<N, W, STAGED, 1>(to, tiles, rows_of),
            _ => self.write_staged::<N, W, STAGED, STAGED>(to, tiles, rows_of),
        }
    }

    /// Turns some tiles, of `W` words in units of `N`, `T` at a time, then stores them: a load of what was just stored
    /// waits for all stores before it.
    fn write_staged<'a, const N: usize, const W: usize, const STAGED: usize, const T: usize>(
        &self,
        (level, memory, blocks): (SimdLevel, &Memory, &Blocks),
        (tiles, samples): (&[[i32; 2]], Range<usize>),
        rows_of: impl Fn(usize) -> [Option<&'a Lanes>; 4],
    ) {
        let words = 16 * self.bytes as usize;
        let mut units = [const { Unit([0; N]) }; STAGED];
        let mut turned = [const { [const { Aligned([0; 64]) }; T] }; W];
        let first = tiles.chunks(STAGED).enumerate();
        for (first, tiles) in first.map(|(n, tiles)| (STAGED * n, tiles)) {
            let mut rows = [[None; 4]; STAGED];
            for (n, rows) in rows.iter_mut().enumerate().take(tiles.len()) {
                *rows = rows_of(first + n);
            }
            level.run(Write {
                bytes: self.bytes,
                order: blocks.order,
                units: &mut units,
                rows: &rows[..tiles.len()],
                turned: &mut turned,
            });
            for (at, unit) in tiles.iter().zip(&units) {
                for sample in samples.clone() {
                    self.store_unit(memory, blocks, (*at, sample), &unit.0[..words]);
                }
            }
        }
    }

    /// Reads tiles of texels of a byte for which [`Plane::has_sample_tiles`] holds.
    pub(crate) fn read_bytes(
        &self,
        memory: &Memory,
        (tiles, sample): (&[[i32; 2]], usize),
        rows: &mut [TileBytes],
    ) {
        let Some(blocks) = &self.axes.blocks else {
            return;
        };
        for (at, row) in tiles.iter().zip(rows) {
            self.load_unit(memory, blocks, (*at, sample), &mut row.0);
            if blocks.order != 0 {
                row.turn(|lane| place_of(blocks.order, lane));
            }
        }
    }

    /// The other way.
    pub(crate) fn write_bytes(
        &self,
        memory: &Memory,
        (tiles, sample): (&[[i32; 2]], usize),
        rows: &[TileBytes],
    ) {
        let Some(blocks) = &self.axes.blocks else {
            return;
        };
        for (at, row) in tiles.iter().zip(rows) {
            let mut row = *row;
            if blocks.order != 0 {
                row.turn(|place| lane_of(blocks.order, place));
            }
            self.store_unit(memory, blocks, (*at, sample), &row.0);
        }
    }

    /// Writes all texels of a sample of some tiles; false where tiles are not rows.
    pub fn write_all(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (tiles, sample): (&[[i32; 2]], usize),
        rows: &[&[Lanes]; 4],
    ) -> bool {
        let whole = self.has_sample_tiles();
        if whole {
            self.write_tiles(level, memory, (tiles, sample..sample + 1), rows);
        }
        whole
    }

    /// Writes one texel, given by its words, all over a sample of some tiles; false where tiles are not rows.
    pub fn fill_all(
        &self,
        memory: &Memory,
        (tiles, sample): (&[[i32; 2]], usize),
        texel: &[u32; 4],
    ) -> bool {
        let Some(blocks) = self
            .axes
            .blocks
            .as_ref()
            .filter(|_| self.has_sample_tiles())
        else {
            return false;
        };
        let mut unit = Unit([0; 256]);
        let words = match self.bytes {
            1 => [(texel[0] & 0xff) * 0x0101_0101; 4],
            2 => [(texel[0] & 0xffff) * 0x0001_0001; 4],
            4 => [texel[0]; 4],
            8 => [texel[0], texel[1], texel[0], texel[1]],
            _ => *texel,
        };
        for quad in unit.0.as_chunks_mut().0 {
            *quad = words;
        }
        for at in tiles {
            let used = 16 * self.bytes as usize;
            self.store_unit(memory, blocks, (*at, sample), &unit.0[..used]);
        }
        true
    }

    /// Reads the samples of a tile for which [`Plane::has_tiles`] holds, at least those of `wanted`, into a pair of words
    /// each. Returns the bytes read.
    pub(crate) fn read_samples(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (at, wanted): ([i32; 2], u32),
        rows: &mut [[Lanes; 2]],
    ) -> u64 {
        let Some(blocks) = self.axes.blocks.as_ref().filter(|_| wanted != 0) else {
            return 0;
        };
        if blocks.beside > 1 {
            let words = 16 * self.bytes as usize * blocks.beside;
            match words {
                ..=256 => self.part::<256>((level, memory, blocks), (at, words), rows),
                _ => self.part::<WORDS>((level, memory, blocks), (at, words), rows),
            }
            return 4 * words as u64;
        }
        let mut read = 0;
        for (sample, [low, high]) in rows.iter_mut().enumerate() {
            if wanted >> sample & 1 != 0 {
                let (low, high) = (std::slice::from_mut(low), std::slice::from_mut(high));
                let mut rows = [low, high, &mut [], &mut []];
                self.read_tiles(level, memory, (&[at], sample), &mut rows);
                read += self.bytes_of(u64::MAX);
            }
        }
        read
    }

    fn part<const N: usize>(
        &self,
        (level, memory, blocks): (SimdLevel, &Memory, &Blocks),
        (at, words): ([i32; 2], usize),
        rows: &mut [[Lanes; 2]],
    ) {
        let mut unit = Unit([0; N]);
        self.load_unit(memory, blocks, (at, 0), &mut unit.0[..words]);
        level.run(Part {
            bytes: self.bytes,
            unit: &unit.0,
            rows,
        });
    }

    fn join<const N: usize>(
        &self,
        (level, memory, blocks): (SimdLevel, &Memory, &Blocks),
        (at, words): ([i32; 2], usize),
        rows: &[[Lanes; 2]],
    ) {
        let mut unit = Unit([0; N]);
        level.run(Join {
            bytes: self.bytes,
            unit: &mut unit.0,
            rows,
        });
        self.store_unit(memory, blocks, (at, 0), &unit.0[..words]);
    }

    /// Writes them, at least those of `wanted`. Returns the bytes written.
    pub(crate) fn write_samples(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (at, wanted): ([i32; 2], u32),
        rows: &[[Lanes; 2]],
    ) -> u64 {
        let Some(blocks) = self.axes.blocks.as_ref().filter(|_| wanted != 0) else {
            return 0;
        };
        if blocks.beside > 1 {
            let words = 16 * self.bytes as usize * blocks.beside;
            match words {
                ..=256 => self.join::<256>((level, memory, blocks), (at, words), rows),
                _ => self.join::<WORDS>((level, memory, blocks), (at, words), rows),
            }
            return 4 * words as u64;
        }
        let mut written = 0;
        for (sample, [low, high]) in rows.iter().enumerate() {
            if wanted >> sample & 1 != 0 {
                let (low, high) = (std::slice::from_ref(low), std::slice::from_ref(high));
                let rows = [low, high, &[], &[]];
                let samples = sample..sample + 1;
                self.write_tiles(level, memory, (&[at], samples), &rows);
                written += self.bytes_of(u64::MAX);
            }
        }
        written
    }
}
