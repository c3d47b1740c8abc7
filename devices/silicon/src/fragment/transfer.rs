//! Moves boxes of elements between tiled surfaces and plain rows. Offsets are tables along the axes; whole micro tiles
//! move at once, the rest of a box in runs of neighbours.

use std::convert::Infallible;
use std::ops::Range;

use crate::fragment::bins::Threads;
use crate::fragment::surface::Layout;
use crate::memory::{Addr, Memory, MemoryError};
use crate::texture::sample::Lanes;

/// Elements along an edge of a micro tile.
pub const TILE_LINES: usize = 8;
const EDGE: usize = TILE_LINES;
/// Bytes that tiles are loaded and stored by.
const BLOCK: usize = 64;
/// Tiles between one that is moved and one that the processor is told of.
const AHEAD: usize = 3;
/// Bytes that one thread moves at a time.
const BAND_BYTES: usize = 1 << 18;
/// The largest element.
const MAX_BYTES: usize = 16;

/// How rows of elements lie outside of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Bytes from one row of elements to the next.
    pub row_bytes: u64,
    /// Bytes from one slice to the next.
    pub slice_bytes: u64,
}

impl Rows {
    /// Rows without padding, `height` of them a slice.
    pub fn tight(row_bytes: u64, height: u64) -> Rows {
        let slice_bytes = row_bytes * height;
        Rows {
            row_bytes,
            slice_bytes,
        }
    }

    fn at(&self, slice: usize, line: usize) -> usize {
        (slice as u64 * self.slice_bytes + line as u64 * self.row_bytes) as usize
    }
}

/// Bytes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementBytes {
    /// In plain rows.
    pub plain: u32,
    /// In memory, from the first; the others are zeros when read.
    pub held: u32,
    /// From one element to the next in memory: more than it holds where another plane lies between.
    pub stored: u32,
}

/// A box of elements of one sample of a surface.
#[derive(Clone, Debug)]
pub struct Elements {
    x: Vec<u64>,
    y: Vec<u64>,
    slices: Vec<u64>,
    start: u64,
    xor: u64,
    bytes: ElementBytes,
    /// Columns that follow each other in memory, in every row.
    runs: Vec<Range<usize>>,
    tiles: Option<Tiles>,
}

/// The whole micro tiles of a box, or halves or quarters of them. They all have the same order.
#[derive(Clone, Debug)]
struct Tiles {
    columns: Range<usize>,
    lines: Range<usize>,
    /// Lines of one: 8, or fewer where tiles differ in how lines lie.
    height: usize,
    /// Which runs the columns are.
    runs: Range<usize>,
    /// Where each block of a tile lies, from its first element.
    blocks: Vec<u64>,
    /// Whether pairs of bytes change places on the way: see [`exchange`].
    exchanged: bool,
    /// Bytes that are neighbours in a row and in memory, or there once they are exchanged.
    piece: usize,
    /// Pieces of a row.
    across: usize,
    /// Number of each piece of the rows among the blocks.
    order: Vec<u16>,
}

/// Something of a box that is moved at once.
enum Part<'a> {
    /// A micro tile, and where one lies that follows soon.
    Tile(&'a Tiles, u64),
    /// Elements of a row.
    Run(usize),
}

/// Where a part is.
struct Place {
    column: usize,
    line: usize,
    offset: u64,
}

/// A micro tile on its way, block by block.
type Tile = [[u32; BLOCK / 4]; MAX_BYTES];
type Bytes = [u8; EDGE * EDGE * MAX_BYTES];

/// Turns words into bytes of little-endian memory, or back.
fn in_memory_order(words: &mut [u32]) {
    for word in words {
        *word = word.to_le();
    }
}

fn always(done: Result<(), Infallible>) {
    match done {
        Ok(()) => {}
        Err(never) => match never {},
    }
}

/// The words of up to 64 neighbours of a row, one lane each: `words[w][lane]` is word `w`. Bytes beyond an element are
/// zeros.
pub fn to_lanes(texels: &[u8], bytes: usize, words: &mut [Lanes; 4]) {
    match bytes {
        1 => split::<1>(texels, words),
        2 => split::<2>(texels, words),
        4 => split::<4>(texels, words),
        8 => split::<8>(texels, words),
        12 => split::<12>(texels, words),
        _ => split::<16>(texels, words),
    }
}

/// The words of any texels of a row, one lane each, as [`to_lanes`].
pub fn pick_lanes(texels: &[u8], bytes: usize, at: &Lanes, words: &mut [Lanes; 4]) {
    match bytes {
        1 => pick::<1>(texels, at, words),
        2 => pick::<2>(texels, at, words),
        4 => pick::<4>(texels, at, words),
        8 => pick::<8>(texels, at, words),
        12 => pick::<12>(texels, at, words),
        _ => pick::<16>(texels, at, words),
    }
}

/// Up to 64 neighbours of a row from the words of lanes; the inverse of [`to_lanes`].
pub fn from_lanes(words: &[Lanes; 4], bytes: usize, texels: &mut [u8]) {
    match bytes {
        1 => join::<1>(words, texels),
        2 => join::<2>(words, texels),
        4 => join::<4>(words, texels),
        8 => join::<8>(words, texels),
        12 => join::<12>(words, texels),
        _ => join::<16>(words, texels),
    }
}

fn split<const BYTES: usize>(texels: &[u8], words: &mut [Lanes; 4]) {
    let texels = texels.as_chunks::<BYTES>().0;
    if BYTES < 4 {
        for (word, texel) in words[0].iter_mut().zip(texels) {
            let high = texel.get(1).copied().unwrap_or(0);
            *word = u32::from_le_bytes([texel[0], high, 0, 0]);
        }
        return;
    }
    for (n, words) in words.iter_mut().enumerate().take(BYTES / 4) {
        for (word, texel) in words.iter_mut().zip(texels) {
            *word = u32::from_le_bytes(texel.as_chunks().0[n]);
        }
    }
}

fn pick<const BYTES: usize>(texels: &[u8], at: &Lanes, words: &mut [Lanes; 4]) {
    let texels = texels.as_chunks::<BYTES>().0;
    for (lane, at) in at.iter().enumerate() {
        take(&texels[*at as usize], lane, words);
    }
}

#[inline(always)]
fn take<const BYTES: usize>(texel: &[u8; BYTES], lane: usize, words: &mut [Lanes; 4]) {
    let (whole, rest) = texel.as_chunks();
    for (row, word) in words.iter_mut().zip(whole) {
        row[lane] = u32::from_le_bytes(*word);
    }
    if let [byte, rest @ ..] = rest {
        let high = rest.first().copied().unwrap_or(0);
        words[BYTES / 4][lane] = u32::from_le_bytes([*byte, high, 0, 0]);
    }
}

fn join<const BYTES: usize>(words: &[Lanes; 4], texels: &mut [u8]) {
    let texels = texels.as_chunks_mut::<BYTES>().0;
    if BYTES < 4 {
        for (texel, word) in texels.iter_mut().zip(&words[0]) {
            texel.copy_from_slice(&word.to_le_bytes()[..BYTES]);
        }
        return;
    }
    for (n, words) in words.iter().enumerate().take(BYTES / 4) {
        for (texel, word) in texels.iter_mut().zip(words) {
            texel.as_chunks_mut().0[n] = word.to_le_bytes();
        }
    }
}

impl Elements {
    /// The elements of some columns, lines and slices of a surface that lies `start` bytes into an image.
    pub fn new(
        surface: &impl Layout,
        start: u64,
        [x, y, slices]: [Range<u32>; 3],
        sample: u32,
        bytes: ElementBytes,
    ) -> Elements {
        let first = [x.start, y.start];
        let across = |x| surface.offset(x, 0, 0, 0);
        let down = |y| surface.offset(0, y, 0, 0);
        let (xor, tile) = (surface.xor_bits(), surface.tile_edge());
        let mut elements = Elements {
            x: offsets(x, tile, xor, across),
            y: offsets(y, tile, xor, down),
            slices: slices.map(|z| surface.offset(0, 0, z, sample)).collect(),
            start,
            xor,
            bytes,
            runs: Vec::new(),
            tiles: None,
        };
        let heights = [EDGE, EDGE / 2, EDGE / 4].into_iter();
        elements.tiles = heights
            .filter_map(|height| elements.whole_tiles(first, height))
            .next();
        elements.runs = elements.neighbours();
        if let Some(tiles) = &mut elements.tiles {
            let at = |column| elements.runs.partition_point(|run| run.start < column);
            tiles.runs = at(tiles.columns.start)..at(tiles.columns.end);
        }
        elements
    }

    /// Whether elements of plain bytes lie in another box as here, but for where that starts.
    pub fn same_layout(&self, other: &Elements) -> bool {
        let places = |e: &Elements| (e.xor, e.bytes);
        self.is_whole()
            && places(self) == places(other)
            && self.x == other.x
            && self.y == other.y
            && self.slices == other.slices
    }

    /// Byte offset, from the image's start, of an element of the box.
    pub fn offset(&self, column: usize, line: usize, slice: usize) -> u64 {
        let row = self.join(self.y[line], self.slices[slice]);
        self.start + self.join(self.x[column], row)
    }

    /// Copies elements out. `base` is where the image starts.
    pub fn read(
        &self,
        threads: &Threads,
        (memory, base): (&Memory, Addr),
        rows: Rows,
        texels: &mut [u8],
    ) -> Result<(), MemoryError> {
        let bands = self.bands(threads);
        for slice in 0..self.slices.len() {
            let mut rest = &mut texels[rows.at(slice, 0)..];
            let mut parts = Vec::with_capacity(bands.len());
            for lines in &bands {
                let part = match lines.end == self.y.len() {
                    true => std::mem::take(&mut rest),
                    false => rest
                        .split_off_mut(..rows.at(0, lines.len()))
                        .expect("texels have all lines"),
                };
                parts.push((lines.clone(), part));
            }
            let mut workers = threads.workers(|| ());
            threads.chunks(&mut parts, &mut workers, |_, (lines, part), ()| {
                let place = (slice, lines.clone());
                self.read_lines((memory, base), place, rows.row_bytes, part)
            })?;
        }
        Ok(())
    }

    /// Copies the elements of some lines of a slice of the box out.
    pub fn read_lines(
        &self,
        (memory, base): (&Memory, Addr),
        (slice, lines): (usize, Range<usize>),
        row_bytes: u64,
        texels: &mut [u8],
    ) -> Result<(), MemoryError> {
        let first = lines.start;
        let (plain, held) = (self.bytes.plain as usize, self.bytes.held as usize);
        let tiled = base.0.is_multiple_of(BLOCK as u64);
        let mut tile: Tile = [[0; _]; _];
        self.walk((slice, lines), tiled, |place, part| {
            let line = place.line - first;
            let to = &mut texels[line * row_bytes as usize + place.column * plain..];
            let at = base.0 + place.offset;
            match part {
                Part::Run(count) => {
                    to[count * held..count * plain].fill(0);
                    memory.read(Addr(at), &mut to[..count * held])
                }
                Part::Tile(tiles, soon) => {
                    tiles.expect(memory, base.0 + soon);
                    tiles.read((memory, at), &mut tile, row_bytes as usize, to)
                }
            }
        })
    }

    /// Copies elements in. `base` is where the image starts.
    pub fn write(
        &self,
        threads: &Threads,
        (memory, base): (&Memory, Addr),
        rows: Rows,
        texels: &[u8],
    ) -> Result<(), MemoryError> {
        let mut bands = self.bands(threads);
        let mut workers = threads.workers(|| ());
        for slice in 0..self.slices.len() {
            threads.chunks(&mut bands, &mut workers, |_, lines, ()| {
                let texels = &texels[rows.at(slice, lines.start)..];
                let place = (slice, lines.clone());
                self.write_lines((memory, base), place, rows.row_bytes, texels)
            })?;
        }
        Ok(())
    }

    /// Lines that one thread moves at a time. Whole tiles stay whole, and few texels are the calling thread's.
    fn bands(&self, threads: &Threads) -> Vec<Range<usize>> {
        let row_bytes = self.x.len() * self.bytes.plain as usize;
        let height = self.y.len();
        if threads.count() == 1 || row_bytes * height < 2 * BAND_BYTES {
            return std::iter::once(0..height).collect();
        }
        let lines = (BAND_BYTES / row_bytes.max(1))
            .next_multiple_of(EDGE)
            .max(EDGE);
        let first = self.tiles.as_ref().map_or(0, |tiles| tiles.lines.start);
        let starts = std::iter::once(0).chain((first + lines..height).step_by(lines));
        let ends = (first + lines..height).step_by(lines).chain([height]);
        starts.zip(ends).map(|(start, end)| start..end).collect()
    }

    /// Copies the elements of some lines of a slice of the box in.
    pub fn write_lines(
        &self,
        (memory, base): (&Memory, Addr),
        (slice, lines): (usize, Range<usize>),
        row_bytes: u64,
        texels: &[u8],
    ) -> Result<(), MemoryError> {
        let first = lines.start;
        let (plain, held) = (self.bytes.plain as usize, self.bytes.held as usize);
        let tiled = base.0.is_multiple_of(BLOCK as u64);
        let mut tile: Tile = [[0; _]; _];
        self.walk((slice, lines), tiled, |place, part| {
            let line = place.line - first;
            let from = &texels[line * row_bytes as usize + place.column * plain..];
            let at = base.0 + place.offset;
            match part {
                Part::Run(count) => memory.write(Addr(at), &from[..count * held]),
                Part::Tile(tiles, soon) => {
                    tiles.expect(memory, base.0 + soon);
                    tiles.write((memory, at), &mut tile, row_bytes as usize, from)
                }
            }
        })
    }

    /// Copies elements out of the bytes of an image.
    pub fn untile(&self, tiled: &[u8], rows: Rows, texels: &mut [u8]) {
        let (plain, held) = (self.bytes.plain as usize, self.bytes.held as usize);
        self.each_run(|slice, place, count| {
            let to = &mut texels[rows.at(slice, place.line) + place.column * plain..];
            to[count * held..count * plain].fill(0);
            to[..count * held].copy_from_slice(&tiled[place.offset as usize..][..count * held]);
        });
    }

    /// Copies elements to the bytes of an image.
    pub fn tile(&self, texels: &[u8], rows: Rows, tiled: &mut [u8]) {
        let (plain, held) = (self.bytes.plain as usize, self.bytes.held as usize);
        self.each_run(|slice, place, count| {
            let from = &texels[rows.at(slice, place.line) + place.column * plain..];
            tiled[place.offset as usize..][..count * held].copy_from_slice(&from[..count * held]);
        });
    }

    /// Appends the bytes of the elements, from the image's start, as ranges in no order that do not overlap.
    pub fn ranges(&self, out: &mut Vec<Range<u64>>) {
        let held = u64::from(self.bytes.held);
        for slice in 0..self.slices.len() {
            let done = self.walk((slice, 0..self.y.len()), true, |place, part| {
                let at = place.offset;
                match part {
                    Part::Run(count) => out.push(at..at + count as u64 * held),
                    Part::Tile(tiles, _) => {
                        let blocks = tiles.blocks.iter().map(|block| at + block);
                        out.extend(blocks.map(|at| at..at + BLOCK as u64));
                    }
                }
                Ok(())
            });
            always(done);
        }
    }

    fn each_run(&self, mut visit: impl FnMut(usize, Place, usize)) {
        for slice in 0..self.slices.len() {
            let done = self.walk((slice, 0..self.y.len()), false, |place, part| {
                if let Part::Run(count) = part {
                    visit(slice, place, count);
                }
                Ok(())
            });
            always(done);
        }
    }

    /// Visits all parts of some lines of a slice, line by line, a row of tiles where its first line is.
    fn walk<E>(
        &self,
        (slice, lines): (usize, Range<usize>),
        tiled: bool,
        mut visit: impl FnMut(Place, Part<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for line in lines {
            let down = self.y[line];
            let row = self.join(down, self.slices[slice]);
            let mut visit = |column: usize, part: Part<'_>| {
                let offset = self.start + self.join(self.x[column], row);
                let place = Place {
                    column,
                    line,
                    offset,
                };
                visit(place, part)
            };
            let tiles = self.tiles.as_ref().filter(|_| tiled);
            let tiles = tiles.filter(|tiles| tiles.lines.contains(&line));
            let mut run = |run: &Range<usize>| visit(run.start, Part::Run(run.len()));
            let Some(tiles) = tiles else {
                self.runs.iter().try_for_each(run)?;
                continue;
            };
            self.runs[..tiles.runs.start]
                .iter()
                .try_for_each(&mut run)?;
            self.runs[tiles.runs.end..].iter().try_for_each(run)?;
            if (line - tiles.lines.start).is_multiple_of(tiles.height) {
                for column in tiles.columns.clone().step_by(EDGE) {
                    let soon = (column + AHEAD * EDGE).min(tiles.columns.end - EDGE);
                    let soon = self.start + self.join(self.x[soon], row);
                    visit(column, Part::Tile(tiles, soon))?;
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn join(&self, a: u64, b: u64) -> u64 {
        combined(self.xor, a, b)
    }

    /// Whether plain rows and memory hold the same bytes of an element, and nothing else.
    fn is_whole(&self) -> bool {
        let ElementBytes {
            plain,
            held,
            stored,
        } = self.bytes;
        plain == held && plain == stored
    }

    /// Columns in runs of neighbours; runs end where whole tiles do.
    fn neighbours(&self) -> Vec<Range<usize>> {
        let columns = self.tiles.as_ref().map(|tiles| &tiles.columns);
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (i, &x) in self.x.iter().enumerate() {
            let follows = |last: &&mut Range<usize>| {
                let before = self.x[i - 1];
                let cut = columns.is_some_and(|tiles| i == tiles.start || i == tiles.end);
                self.is_whole()
                    && !cut
                    && last.end == i
                    && x == before + u64::from(self.bytes.stored)
                    && (x ^ before) & self.xor == 0
            };
            match runs.last_mut().filter(follows) {
                Some(last) => last.end += 1,
                None => runs.push(i..i + 1),
            }
        }
        runs
    }

    /// The whole micro tiles of so many lines, if their elements fill blocks in the same order in all of them. `first` is
    /// the box's first column and line.
    fn whole_tiles(&self, first: [u32; 2], height: usize) -> Option<Tiles> {
        let bytes = self.bytes.plain as usize;
        let held = bytes.is_power_of_two() && bytes <= MAX_BYTES;
        if !self.is_whole() || !held || EDGE * height * bytes < BLOCK {
            return None;
        }
        let inside = |first: u32, axis: &[u64], edge: usize| {
            let skip = (first.next_multiple_of(edge as u32) - first) as usize;
            let whole = axis.len().saturating_sub(skip) / edge * edge;
            let range = skip..skip + whole;
            let regular = whole > 0 && self.repeats(&axis[range.clone()], edge);
            regular.then_some(range)
        };
        let columns = inside(first[0], &self.x, EDGE)?;
        let lines = inside(first[1], &self.y, height)?;
        let aligned = |offset: &u64| offset.is_multiple_of(BLOCK as u64);
        if !self.slices.iter().all(aligned) || !aligned(&self.start) {
            return None;
        }

        let corner = self.offset(columns.start, lines.start, 0);
        let mut places = vec![(0, 0); EDGE * height];
        for (n, place) in places.iter_mut().enumerate() {
            let offset = self.offset(columns.start + n % EDGE, lines.start + n / EDGE, 0);
            *place = (offset.checked_sub(corner)?, n);
        }
        places.sort_unstable();
        let mut order = vec![0; EDGE * height];
        for (n, (_, element)) in places.iter().enumerate() {
            order[*element] = (n * bytes) as u16;
        }
        let mut blocks = Vec::with_capacity(bytes);
        for block in places.chunks(BLOCK / bytes) {
            let (start, _) = block[0];
            let dense = |(n, (at, _)): (usize, &(u64, usize))| *at == start + (n * bytes) as u64;
            if !aligned(&start) || !block.iter().enumerate().all(dense) {
                return None;
            }
            blocks.push(start);
        }
        let most = MAX_BYTES.min(EDGE * bytes);
        let (mut order, mut piece) = joined(order, bytes, most);
        let mut exchanged = false;
        if piece == 2 {
            let other = order
                .iter()
                .map(|at| at & !6 | (at & 2) << 1 | (at & 4) >> 1);
            let (other, larger) = joined(other.collect(), piece, most);
            if larger > piece {
                (order, piece, exchanged) = (other, larger, true);
            }
        }
        let order = order.into_iter().map(|at| at / piece as u16);
        Some(Tiles {
            columns,
            lines,
            height,
            runs: 0..0,
            blocks,
            exchanged,
            piece,
            across: EDGE * bytes / piece,
            order: order.collect(),
        })
    }

    /// Whether in every `edge` offsets all differ from the first, which is the start of a block, in the same way.
    fn repeats(&self, axis: &[u64], edge: usize) -> bool {
        let apart = |some: &[u64], i: usize| some[i].checked_sub(some[0]);
        axis.chunks(edge).all(|some| {
            (some[0] & !self.xor).is_multiple_of(BLOCK as u64)
                && (0..edge).all(|i| {
                    (some[i] ^ some[0]) & self.xor == 0 && apart(some, i) == apart(axis, i)
                })
        })
    }
}

/// Combines offsets of which some bits combine by exclusive or.
#[inline(always)]
fn combined(xor: u64, a: u64, b: u64) -> u64 {
    ((a & !xor) + (b & !xor)) | ((a ^ b) & xor)
}

/// Offsets along an axis, of which those inside of tiles are found once: see [`Layout::tile_edge`].
fn offsets(axis: Range<u32>, tile: u32, xor: u64, at: impl Fn(u32) -> u64) -> Vec<u64> {
    let start = at(0);
    let inside: Vec<u64> = (0..tile).map(|i| at(i) ^ start).collect();
    let (mut tile_at, mut first) = (u32::MAX, 0);
    axis.map(|i| {
        let of = i - i % tile;
        if of != tile_at {
            (tile_at, first) = (of, at(of));
        }
        combined(xor, first, inside[(i % tile) as usize])
    })
    .collect()
}

/// Joins halves of pieces while they are neighbours in all rows: places of pieces, and bytes of one, up to a largest.
fn joined(mut order: Vec<u16>, mut piece: usize, most: usize) -> (Vec<u16>, usize) {
    let follow = |pair: &[u16], piece: usize| pair[0] + piece as u16 == pair[1];
    while piece < most && order.chunks(2).all(|pair| follow(pair, piece)) {
        order = order.into_iter().step_by(2).collect();
        piece *= 2;
    }
    (order, piece)
}

/// Changes the places of the middle two of every four pairs of bytes: 2x2 texels of one byte follow each other in Morton
/// order, and four neighbours of a row after this.
fn exchange(words: &mut [u32]) {
    const ENDS: u64 = 0xffff_0000_0000_ffff;
    for pair in words.as_chunks_mut::<2>().0 {
        // In the order of memory, as words are.
        let [a, b] = pair.map(u32::from_le);
        let all = u64::from(a) | u64::from(b) << 32;
        let all = all & ENDS | (all & 0xffff_0000) << 16 | all >> 16 & 0xffff_0000;
        *pair = [all as u32, (all >> 32) as u32].map(u32::to_le);
    }
}

impl Tiles {
    /// Has the blocks of a tile brought near. Neighbours in a row of large tiles are far apart in memory.
    fn expect(&self, memory: &Memory, at: u64) {
        if self.blocks.len() > 2 {
            for block in &self.blocks {
                memory.prefetch(at + block);
            }
        }
    }

    fn read(
        &self,
        (memory, at): (&Memory, u64),
        tile: &mut Tile,
        row_bytes: usize,
        to: &mut [u8],
    ) -> Result<(), MemoryError> {
        for (block, words) in self.blocks.iter().zip(tile.iter_mut()) {
            memory.load_block(at + block, words)?;
            in_memory_order(words);
            if self.exchanged {
                exchange(words);
            }
        }
        let tile = bytemuck::cast_ref(tile);
        match self.piece {
            1 => self.give_pieces::<1>(tile, row_bytes, to),
            2 => self.give_pieces::<2>(tile, row_bytes, to),
            4 => self.give_pieces::<4>(tile, row_bytes, to),
            8 => self.give_pieces::<8>(tile, row_bytes, to),
            _ => self.give_pieces::<16>(tile, row_bytes, to),
        }
        Ok(())
    }

    fn write(
        &self,
        (memory, at): (&Memory, u64),
        tile: &mut Tile,
        row_bytes: usize,
        from: &[u8],
    ) -> Result<(), MemoryError> {
        let bytes = bytemuck::cast_mut(tile);
        match self.piece {
            1 => self.take_pieces::<1>(bytes, row_bytes, from),
            2 => self.take_pieces::<2>(bytes, row_bytes, from),
            4 => self.take_pieces::<4>(bytes, row_bytes, from),
            8 => self.take_pieces::<8>(bytes, row_bytes, from),
            _ => self.take_pieces::<16>(bytes, row_bytes, from),
        }
        for (block, words) in self.blocks.iter().zip(tile) {
            if self.exchanged {
                exchange(words);
            }
            in_memory_order(words);
            memory.store_block(at + block, words)?;
        }
        Ok(())
    }

    /// The number of pieces of a row is one that the compiler knows, so that nothing is checked for each.
    #[inline]
    fn give_pieces<const PIECE: usize>(&self, tile: &Bytes, row_bytes: usize, to: &mut [u8]) {
        match self.across {
            1 => self.give_rows::<PIECE, 1>(tile, row_bytes, to),
            2 => self.give_rows::<PIECE, 2>(tile, row_bytes, to),
            4 => self.give_rows::<PIECE, 4>(tile, row_bytes, to),
            _ => self.give_rows::<PIECE, 8>(tile, row_bytes, to),
        }
    }

    #[inline]
    fn give_rows<const PIECE: usize, const ACROSS: usize>(
        &self,
        tile: &Bytes,
        row_bytes: usize,
        to: &mut [u8],
    ) {
        let pieces = tile.as_chunks::<PIECE>().0;
        for (line, order) in self.order.as_chunks::<ACROSS>().0.iter().enumerate() {
            let row = &mut to[line * row_bytes..][..ACROSS * PIECE];
            for (to, &piece) in row.as_chunks_mut::<PIECE>().0.iter_mut().zip(order) {
                *to = pieces[usize::from(piece) % pieces.len()];
            }
        }
    }

    #[inline]
    fn take_pieces<const PIECE: usize>(&self, tile: &mut Bytes, row_bytes: usize, from: &[u8]) {
        match self.across {
            1 => self.take_rows::<PIECE, 1>(tile, row_bytes, from),
            2 => self.take_rows::<PIECE, 2>(tile, row_bytes, from),
            4 => self.take_rows::<PIECE, 4>(tile, row_bytes, from),
            _ => self.take_rows::<PIECE, 8>(tile, row_bytes, from),
        }
    }

    #[inline]
    fn take_rows<const PIECE: usize, const ACROSS: usize>(
        &self,
        tile: &mut Bytes,
        row_bytes: usize,
        from: &[u8],
    ) {
        let pieces = tile.as_chunks_mut::<PIECE>().0;
        let count = pieces.len();
        for (line, order) in self.order.as_chunks::<ACROSS>().0.iter().enumerate() {
            let row = &from[line * row_bytes..][..ACROSS * PIECE];
            for (from, &piece) in row.as_chunks::<PIECE>().0.iter().zip(order) {
                pieces[usize::from(piece) % count] = *from;
            }
        }
    }
}
