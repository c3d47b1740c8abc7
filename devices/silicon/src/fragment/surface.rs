//! Reads and writes texels of surfaces: whole 8x8 tiles, or one address per lane. A chip's tiling is a [`Layout`]; x
//! and y offsets are tables per surface shape. A contiguous tile is one row of memory, permuted into lane order.

mod scanout;
mod tiles;

pub(crate) use tiles::{TileBytes, TileRows};

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use crate::fragment::interpolate::lanes;
use crate::fragment::mask::ones;
use crate::fragment::tile::{LANE_X, LANE_Y, Rect, lane};
use crate::memory::Memory;
use crate::texture::sample::Lanes;
use host::SimdLevel;
use scanout::Scanout;
use tiles::Blocks;

/// Shapes that are kept.
const MAX_SHAPES: usize = 256;

/// Up to four words of every lane's texel.
pub type Words = [Lanes; 4];

/// A chip's tiling of one mip level: texel coordinates to byte offsets.
///
/// The offset combines per-axis offsets `offset(x, 0, 0, 0)`, `offset(0, y, 0, 0)` and `offset(0, 0, slice, sample)`:
/// exclusive or in [`Layout::xor_bits`], addition elsewhere.
pub trait Layout: Copy + Eq + Hash {
    /// Its size, padding included.
    fn extent(&self) -> Extent;
    /// Bytes of the first slices.
    fn bytes(&self, slices: u32) -> u64;
    /// What a base address must be a multiple of, in bytes.
    fn base_align(&self) -> u64 {
        256
    }
    /// Offset bits that combine by exclusive or.
    fn xor_bits(&self) -> u64;
    /// Elements along an edge of tiles inside of which all offsets from the first element are the same, and combine with that
    /// of the tile as those of axes do. 1 where no such tiles are known.
    fn tile_edge(&self) -> u32 {
        1
    }
    /// Byte offset of a texel.
    fn offset(&self, x: u32, y: u32, slice: u32, sample: u32) -> u64;
}

/// The size of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extent {
    /// Texels from row to row.
    pub pitch: u32,
    /// Rows.
    pub height: u32,
    /// Samples of a texel.
    pub samples: u32,
    /// Bytes of a texel: 1, 2, 4, 8, 12 or 16.
    pub element_bytes: u32,
}

impl Extent {
    /// Bytes of one slice with all its samples.
    pub fn slice_bytes(&self) -> u64 {
        u64::from(self.pitch)
            * u64::from(self.height)
            * u64::from(self.element_bytes)
            * u64::from(self.samples)
    }
}

/// The tables of surfaces seen so far.
#[derive(Debug)]
pub struct Cache<L> {
    axes: HashMap<L, Arc<Axes>>,
}

impl<L> Default for Cache<L> {
    fn default() -> Cache<L> {
        Cache {
            axes: HashMap::new(),
        }
    }
}

/// The order of a tile's texels in memory.
#[derive(Debug)]
enum Order {
    /// Contiguous, in lane order.
    Lanes,
    /// Contiguous four-byte texels, in [`Scanout`] order.
    Scanout,
    /// Contiguous; the memory index of each lane.
    Turned(Box<[u8; 64]>),
    /// Scattered words.
    Scattered,
}

/// Byte offsets along the axes of one slice.
#[derive(Debug)]
struct Axes {
    x: Vec<u32>,
    y: Vec<u32>,
    xor: u32,
    order: Order,
    /// Columns and lines are multiples of a tile's.
    whole: bool,
    /// How whole tiles are read.
    blocks: Option<Blocks>,
}

impl Axes {
    fn new(surface: &impl Layout) -> Axes {
        let Extent { pitch, height, .. } = surface.extent();
        let x = (0..pitch).map(|x| surface.offset(x, 0, 0, 0) as u32);
        let y = (0..height).map(|y| surface.offset(0, y, 0, 0) as u32);
        let whole = pitch.is_multiple_of(8) && height.is_multiple_of(8) && pitch * height > 0;
        let mut axes = Axes {
            x: x.collect(),
            y: y.collect(),
            xor: surface.xor_bits() as u32,
            whole,
            order: if whole {
                order(surface)
            } else {
                Order::Scattered
            },
            blocks: None,
        };
        axes.blocks = Blocks::new(surface, &axes);
        axes
    }

    /// Offsets of a tile, lane by lane: a line of eight at a time, its pairs to their lanes.
    #[inline]
    fn tile(&self, x: i32, y: i32, sample: u32) -> [u32; 64] {
        let mut out = [0; 64];
        let eight = |axis: &[u32], at: i32| -> [u32; 8] {
            let eight = axis.get(at as usize..).and_then(|rest| rest.first_chunk());
            *eight.expect("the area has whole tiles")
        };
        let (xs, ys) = (eight(&self.x, x), eight(&self.y, y));
        for (line, y) in ys.into_iter().enumerate() {
            let mut offsets = [0; 8];
            for (offset, x) in offsets.iter_mut().zip(xs) {
                *offset = self.join(self.join(x, y), sample);
            }
            for pair in 0..4 {
                let lane = lane(2 * pair as u32, line as u32) as usize;
                out[lane] = offsets[2 * pair];
                out[lane + 1] = offsets[2 * pair + 1];
            }
        }
        out
    }

    /// Combines the offsets of two axes.
    #[inline(always)]
    fn join(&self, a: u32, b: u32) -> u32 {
        ((a & !self.xor).wrapping_add(b & !self.xor)) | (a ^ b) & self.xor
    }
}

fn order(surface: &impl Layout) -> Order {
    let bytes = u64::from(surface.extent().element_bytes);
    let first = surface.offset(0, 0, 0, 0);
    // Rows of a tile are read whole at multiples of 64, and all tiles in one order.
    let uniform = surface.xor_bits() & (64 * bytes - 1) == 0;
    if !uniform || !surface.base_align().is_multiple_of(64) {
        return Order::Scattered;
    }
    let mut reversed = Box::new([0; 64]);
    for (lane, place) in reversed.iter_mut().enumerate() {
        let (x, y) = (LANE_X[lane] as u32, LANE_Y[lane] as u32);
        match surface.offset(x, y, 0, 0).checked_sub(first) {
            Some(offset) if offset < 64 * bytes => *place = (offset / bytes) as u8,
            _ => return Order::Scattered,
        }
    }
    let is = |place: fn(usize) -> usize| (0..64).all(|n| place(n) == usize::from(reversed[n]));
    if is(|lane| lane) {
        Order::Lanes
    } else if bytes == 4 && is(Scanout::place) {
        Order::Scanout
    } else {
        Order::Turned(reversed)
    }
}

/// Words between the two lines of a quad in scan-out order.
const SCANOUT_PAIRS: usize = 4;

/// Rows as wide as vectors are.
#[repr(align(64))]
struct Aligned(Lanes);

/// One slice of a surface in memory.
#[derive(Clone, Debug)]
pub struct Plane {
    axes: Arc<Axes>,
    base: u64,
    /// Behind the slice.
    end: u64,
    /// Offsets of the samples of the slice.
    samples: Vec<u32>,
    bytes: u32,
    /// Whole tiles are blocks.
    tiles: bool,
    /// Pixels that have texels.
    pub area: Rect,
}

/// Which texels are meant.
#[derive(Clone, Copy, Debug)]
pub enum LanePixels<'a> {
    /// The tile whose first pixel this is.
    Tile(i32, i32),
    /// Column and line of the first pixel of every quad of lanes.
    Quads([&'a [i32; 16]; 2]),
}

/// Lanes of a place, in one sample.
#[derive(Clone, Copy, Debug)]
pub struct Texels<'a> {
    /// Where.
    pub place: LanePixels<'a>,
    /// Sample number.
    pub sample: usize,
    /// Lanes.
    pub mask: u64,
}

/// Bytes moved between surfaces and rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// From surfaces.
    pub read: u64,
    /// To surfaces.
    pub written: u64,
}

impl<L: Layout> Cache<L> {
    /// A slice of a surface at `base`, or the reason why it is none.
    pub fn plane(
        &mut self,
        memory: &Memory,
        surface: L,
        base: u64,
        slice: u32,
    ) -> Result<Plane, String> {
        let Extent { pitch, height, .. } = surface.extent();
        let bytes = surface.bytes(slice.saturating_add(1));
        let end = base.saturating_add(bytes);
        if end > memory.size() || bytes > u64::from(u32::MAX) {
            return Err(format!(
                "a surface of {pitch} by {height} texels at {base:#x} ends at {end:#x}, beyond video memory"
            ));
        }
        let align = surface.base_align();
        if !base.is_multiple_of(align) {
            return Err(format!(
                "a surface at {base:#x} is not a multiple of {align}"
            ));
        }
        if self.axes.len() >= MAX_SHAPES && !self.axes.contains_key(&surface) {
            self.axes.clear();
        }
        let axes = self
            .axes
            .entry(surface)
            .or_insert_with(|| Arc::new(Axes::new(&surface)))
            .clone();
        let samples: Vec<u32> = (0..surface.extent().samples)
            .map(|sample| surface.offset(0, 0, slice, sample) as u32)
            .collect();
        let bytes = surface.extent().element_bytes;
        let blocks = axes.blocks.as_ref();
        Ok(Plane {
            tiles: blocks.is_some_and(|blocks| blocks.keep(&samples, bytes)),
            axes,
            base,
            end,
            samples,
            bytes,
            area: Rect::new(0, 0, pitch as i32, height as i32),
        })
    }
}

/// Unwraps a store result: the area was checked when the plane was made.
#[inline(always)]
fn inside(done: bool) {
    debug_assert!(done, "checked when the plane was made");
}

/// Where a tile lies whose texels are words in one row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileRow(u64);

impl TileRow {
    #[inline(always)]
    pub(crate) fn read(self, memory: &Memory, row: &mut Lanes) {
        inside(memory.load_row(self.0, row).is_ok());
    }

    #[inline(always)]
    pub(crate) fn write(self, memory: &Memory, row: &Lanes) {
        inside(memory.store_row(self.0, row).is_ok());
    }
}

impl Plane {
    /// Where the words of a whole tile lie in a row, in any order.
    #[inline(always)]
    pub(crate) fn whole_row(&self, texels: &Texels) -> Option<TileRow> {
        let one = self.bytes == 4 && texels.mask == u64::MAX;
        one.then(|| self.row(texels).map(TileRow)).flatten()
    }

    /// Whether one texel read fetches its whole tile.
    pub fn reads_tiles(&self) -> bool {
        match self.axes.order {
            Order::Scattered => self.has_sample_tiles() || self.has_words(),
            _ => self.bytes <= 8 || self.has_sample_tiles(),
        }
    }

    /// The tile that these texels are in, if it is read and written whole.
    #[inline(always)]
    fn whole(&self, texels: &Texels) -> Option<[i32; 2]> {
        match texels.place {
            LanePixels::Tile(x, y) if self.has_sample_tiles() && !self.has_rows() => Some([x, y]),
            _ => None,
        }
    }

    /// Whether texels are words in scattered tiles.
    fn has_words(&self) -> bool {
        self.bytes == 4 && self.axes.whole && matches!(self.axes.order, Order::Scattered)
    }

    /// Byte offsets of a tile whose words are read one by one.
    fn apart(&self, texels: &Texels) -> Option<[u32; 64]> {
        match texels.place {
            LanePixels::Tile(x, y) if self.has_words() => {
                Some(self.axes.tile(x, y, self.samples[texels.sample]))
            }
            _ => None,
        }
    }

    /// Packed quads of tiles that are rows: which, its lanes, and the address.
    #[inline(always)]
    fn quads<'a>(
        &'a self,
        texels: &Texels<'a>,
    ) -> Option<impl Iterator<Item = (usize, u64, u64)> + 'a> {
        let Texels {
            place: LanePixels::Quads([x, y]),
            sample,
            mask,
        } = *texels
        else {
            return None;
        };
        let quad = move |n: usize| {
            let lanes = mask >> (4 * n) & 0xf;
            (lanes != 0).then(|| (n, lanes, self.address(x[n], y[n], sample)))
        };
        self.has_rows().then(|| (0..16).filter_map(quad))
    }

    /// Reads a quad of a tile that is a row.
    #[inline(always)]
    fn load_quad(&self, memory: &Memory, address: u64, quad: &mut [u32; 4]) {
        let done = match self.axes.order {
            Order::Lanes => memory.load_quad(address, quad),
            _ => memory.load_pairs(address, SCANOUT_PAIRS, quad),
        };
        inside(done.is_some());
    }

    /// The bits of the first word that texels have.
    #[inline(always)]
    fn first_bits(&self) -> u32 {
        u32::MAX >> (32 - 8 * self.bytes.min(4))
    }

    /// Writes the first word of a texel, or the texel where it is narrower.
    #[inline(always)]
    fn store_first(&self, memory: &Memory, address: u64, word: u32) -> Option<()> {
        match self.bytes {
            1 => memory.store_byte(address, word as u8),
            2 => memory.store_half(address, word as u16),
            _ => memory.store(address, word),
        }
    }

    /// Bytes that [`Plane::read`] reads: whole tiles where it reads those.
    #[inline]
    pub(crate) fn bytes_read(&self, texels: &Texels) -> u64 {
        let whole = matches!(texels.place, LanePixels::Tile(..)) && self.reads_tiles();
        self.bytes_of(if whole { u64::MAX } else { texels.mask })
    }

    /// Bytes that [`Plane::write`] writes.
    #[inline]
    pub(crate) fn bytes_written(&self, texels: &Texels, kept: bool) -> u64 {
        let row = self.bytes <= 8 && self.row(texels).is_some();
        let whole = kept && (row || self.whole(texels).is_some());
        self.bytes_of(if whole { u64::MAX } else { texels.mask })
    }

    /// Words that a texel touches.
    #[inline(always)]
    pub(crate) fn words(&self) -> usize {
        self.bytes.div_ceil(4) as usize
    }

    /// Bytes of a texel.
    #[inline(always)]
    pub(crate) fn texel_bytes(&self) -> u64 {
        self.bytes.into()
    }

    /// Bytes of the texels of these lanes.
    #[inline]
    pub(crate) fn bytes_of(&self, mask: u64) -> u64 {
        ones(mask) * self.texel_bytes()
    }

    /// Whether bytes of the two may be the same.
    pub fn overlaps(&self, other: &Plane) -> bool {
        self.holds(&(other.base..other.end))
    }

    /// Whether some of these bytes of memory may be texels.
    pub fn holds(&self, bytes: &Range<u64>) -> bool {
        self.base < bytes.end && bytes.start < self.end
    }

    /// Whether both are the same texels in the same places.
    pub(crate) fn is(&self, other: &Plane) -> bool {
        let same = Arc::ptr_eq(&self.axes, &other.axes) && self.samples == other.samples;
        same && (self.base, self.bytes) == (other.base, other.bytes)
    }

    /// Samples of a texel.
    pub fn samples(&self) -> usize {
        self.samples.len()
    }

    #[inline(always)]
    fn address(&self, x: i32, y: i32, sample: usize) -> u64 {
        self.base + u64::from(self.offset(x, y, sample))
    }

    /// Address of what is a step from an offset.
    #[inline(always)]
    fn address_from(&self, offset: u32, step: u32) -> u64 {
        self.base + u64::from(self.axes.join(offset, step))
    }

    /// Offset of a sample of a pixel from the base.
    #[inline(always)]
    fn offset(&self, x: i32, y: i32, sample: usize) -> u32 {
        let axes = &*self.axes;
        let at = axes.join(axes.x[x as usize], axes.y[y as usize]);
        axes.join(at, self.samples[sample])
    }

    /// Address of a contiguous tile.
    #[inline(always)]
    fn row(&self, texels: &Texels) -> Option<u64> {
        match (texels.place, &self.axes.order) {
            (LanePixels::Quads(_), _) | (_, Order::Scattered) => None,
            (LanePixels::Tile(x, y), _) => Some(self.address(x, y, texels.sample)),
        }
    }

    #[inline(always)]
    fn each(&self, texels: &Texels, mut run: impl FnMut(usize, u64)) {
        let Texels {
            place,
            sample,
            mask,
        } = *texels;
        match place {
            LanePixels::Tile(x, y) => {
                for lane in lanes(mask) {
                    run(
                        lane,
                        self.address(x + LANE_X[lane], y + LANE_Y[lane], sample),
                    );
                }
            }
            LanePixels::Quads([x, y]) => {
                for lane in lanes(mask) {
                    let (x, y) = (
                        x[lane / 4] + LANE_X[lane & 3],
                        y[lane / 4] + LANE_Y[lane & 3],
                    );
                    run(lane, self.address(x, y, sample));
                }
            }
        }
    }

    /// Read-modify-write by `run` on the first words of these texels, or on narrower texels.
    #[inline]
    pub(crate) fn each_word(
        &self,
        memory: &Memory,
        texels: &Texels,
        mut run: impl FnMut(usize, u32) -> Option<u32>,
    ) {
        let bits = self.first_bits();
        self.each(texels, |lane, address| {
            let word = memory.load(address).unwrap_or(0);
            let old = word >> (8 * (address & 3)) & bits;
            if let Some(new) = run(lane, old) {
                inside(self.store_first(memory, address, new).is_some());
            }
        });
    }

    /// Reads at least these texels. The area was checked when the plane was made, so every address is inside.
    pub fn read(&self, memory: &Memory, texels: &Texels, words: &mut Words) {
        if let Some(at) = self.whole(texels) {
            let mut rows = words.each_mut().map(std::slice::from_mut);
            let tile = (&[at][..], texels.sample);
            self.read_tiles(SimdLevel::current(), memory, tile, &mut rows);
            return;
        }
        if let Some(address) = self.row(texels)
            && self.bytes <= 8
        {
            match &self.axes.order {
                Order::Scanout => {
                    let mut row = Aligned([0; 64]);
                    inside(memory.load_row(address, &mut row.0).is_ok());
                    SimdLevel::current().run(Scanout {
                        from: &row.0,
                        to: &mut words[0],
                    });
                }
                Order::Turned(order) => {
                    self.read_row(memory, address, words);
                    for row in &mut words[..self.words()] {
                        let old = *row;
                        for (word, at) in row.iter_mut().zip(&**order) {
                            *word = old[usize::from(at & 63)];
                        }
                    }
                }
                Order::Lanes | Order::Scattered => self.read_row(memory, address, words),
            }
            return;
        }
        if let Some(quads) = self.quads(texels) {
            let (rows, _) = words[0].as_chunks_mut();
            for (n, _, address) in quads {
                self.load_quad(memory, address, &mut rows[n]);
            }
            return;
        }
        if let Some(offsets) = self.apart(texels) {
            memory.gather(self.base, &offsets, &mut words[0]);
            return;
        }
        let count = self.words();
        // Masks off the neighbours of narrow texels.
        let bits = self.first_bits();
        self.each(texels, |lane, address| {
            let shift = 8 * (address & 3);
            for (n, words) in words.iter_mut().enumerate().take(count) {
                let word = memory.load(address + 4 * n as u64).unwrap_or(0);
                words[lane] = word >> shift & bits;
            }
        });
    }

    /// A contiguous tile: 64 texels of at most eight bytes.
    #[inline(always)]
    fn read_row(&self, memory: &Memory, address: u64, words: &mut Words) {
        match self.bytes {
            4 => inside(memory.load_row(address, &mut words[0]).is_ok()),
            8 => {
                let mut block = [0; 128];
                inside(memory.load_block(address, &mut block).is_ok());
                for lane in 0..64 {
                    words[0][lane] = block[2 * lane];
                    words[1][lane] = block[2 * lane + 1];
                }
            }
            _ => {
                let per_word = 4 / self.bytes as usize;
                let bits = 8 * self.bytes;
                let mask = (1 << bits) - 1;
                let mut block = [0; 32];
                for (n, word) in block.iter_mut().enumerate().take(64 / per_word) {
                    *word = memory.load(address + 4 * n as u64).unwrap_or(0);
                }
                for lane in 0..64 {
                    let word = block[lane / per_word];
                    words[0][lane] = word >> (bits * (lane % per_word) as u32) & mask;
                }
            }
        }
    }

    /// Whether tiles are contiguous words in an order that quads and rows are quick to read in.
    #[inline(always)]
    pub(crate) fn has_rows(&self) -> bool {
        self.bytes == 4 && matches!(self.axes.order, Order::Lanes | Order::Scanout)
    }

    /// A tile for which [`Plane::has_rows`] holds.
    #[inline(always)]
    pub(crate) fn tile(&self, [x, y]: [i32; 2], sample: usize) -> TileRow {
        TileRow(self.address(x, y, sample))
    }

    /// Writes these texels. `kept`: `words` also holds the old contents of the other lanes.
    pub fn write(&self, memory: &Memory, texels: &Texels, kept: bool, words: &Words) {
        let whole = texels.mask == u64::MAX || kept;
        if whole && let Some(at) = self.whole(texels) {
            let rows = words.each_ref().map(std::slice::from_ref);
            let tile = (&[at][..], texels.sample..texels.sample + 1);
            self.write_tiles(SimdLevel::current(), memory, tile, &rows);
            return;
        }
        let whole = whole && self.bytes <= 8;
        if whole && let Some(address) = self.row(texels) {
            match &self.axes.order {
                Order::Scanout => {
                    let mut row = Aligned([0; 64]);
                    SimdLevel::current().run(Scanout {
                        from: &words[0],
                        to: &mut row.0,
                    });
                    inside(memory.store_row(address, &row.0).is_ok());
                }
                Order::Turned(order) => {
                    let mut reversed: [Lanes; 2] = [[0; 64]; 2];
                    let count = self.words();
                    for (to, from) in reversed.iter_mut().zip(words).take(count) {
                        for (word, at) in from.iter().zip(&**order) {
                            to[usize::from(at & 63)] = *word;
                        }
                    }
                    self.write_row(memory, address, &reversed);
                }
                Order::Lanes | Order::Scattered => self.write_row(memory, address, words),
            }
            return;
        }
        if let LanePixels::Quads(quads) = texels.place
            && self.has_rows()
        {
            self.write_quads(memory, quads, (texels.sample, &[texels.mask]), &words[0]);
            return;
        }
        if let Some(offsets) = self.apart(texels) {
            for lane in lanes(texels.mask) {
                let address = self.base + u64::from(offsets[lane]);
                inside(memory.store(address, words[0][lane]).is_some());
            }
            return;
        }
        let count = self.words();
        self.each(texels, |lane, address| {
            inside(self.store_first(memory, address, words[0][lane]).is_some());
            for (n, words) in words.iter().enumerate().take(count).skip(1) {
                let done = memory.store(address + 4 * n as u64, words[lane]);
                inside(done.is_some());
            }
        });
    }

    /// Writes lanes of packed quads where [`Plane::has_rows`] holds: masks of samples from a first one on.
    pub(crate) fn write_quads(
        &self,
        memory: &Memory,
        quads: [&[i32; 16]; 2],
        (first, masks): (usize, &[u64]),
        words: &Lanes,
    ) {
        let [columns, lines] = quads;
        let axes = &*self.axes;
        let any = masks.iter().fold(0, |any, mask| any | mask);
        // Places without lanes are not known to be inside.
        let mut offsets = [0; 16];
        for (n, offset) in offsets.iter_mut().enumerate() {
            if any >> (4 * n) & 0xf != 0 {
                *offset = axes.join(axes.x[columns[n] as usize], axes.y[lines[n] as usize]);
            }
        }
        let apart = match axes.order {
            Order::Lanes => 2,
            _ => SCANOUT_PAIRS,
        };
        for (mask, sample) in masks.iter().zip(&self.samples[first..]) {
            let mut at = [0; 16];
            for (at, offset) in at.iter_mut().zip(&offsets) {
                *at = axes.join(*offset, *sample);
            }
            inside(
                memory
                    .merge_quads((self.base, &at), apart, *mask, words)
                    .is_some(),
            );
        }
    }

    /// A contiguous tile: 64 texels of at most eight bytes.
    #[inline(always)]
    fn write_row(&self, memory: &Memory, address: u64, words: &[Lanes]) {
        match self.bytes {
            4 => inside(memory.store_row(address, &words[0]).is_ok()),
            8 => {
                let block: [u32; 128] = std::array::from_fn(|n| words[n % 2][n / 2]);
                inside(memory.store_block(address, &block).is_ok());
            }
            _ => {
                let per_word = 4 / self.bytes as usize;
                let bits = 8 * self.bytes;
                let texel = (1 << bits) - 1;
                for n in 0..64 / per_word {
                    let word = (0..per_word).fold(0, |word, k| {
                        word | (words[0][n * per_word + k] & texel) << (bits * k as u32)
                    });
                    inside(memory.store(address + 4 * n as u64, word).is_some());
                }
            }
        }
    }
}
