//! Loads and stores by texel number, without a sampler.

use std::cell::OnceCell;

use super::numbered;
use super::prepared::LevelInfo;
use super::reference::lanes;
use super::room::{Reader, Room};
use super::rules;
use super::stages;
use super::{Dim, LANES, Lanes, Out, PreparedTexture, Scratch};
use crate::memory::{Memory, look_up};
use crate::texture::format::Read;
use crate::texture::texel::pack_row_as;
use host::{SimdLevel, per_level};

/// Texels of one load, store or atomic of a wave. Numbers are unsigned; missing rows are zero; out-of-range texels are
/// not touched.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// Lanes that take part.
    pub exec: u64,
    /// Column.
    pub x: &'a Lanes,
    /// Row; ignored by 1D textures.
    pub y: &'a Lanes,
    /// Slice of a 3D texture, layer of an array, 6 * layer + face of a cube.
    pub slice: Option<&'a Lanes>,
    /// Level, relative to the first of the view.
    pub level: Option<&'a Lanes>,
    /// Sample.
    pub sample: Option<&'a Lanes>,
}

/// Byte address of the texel or block of one lane, if there is one: what rows must agree with.
#[cfg(test)]
pub(super) fn address(texture: &PreparedTexture, access: &Access, lane: usize) -> Option<u64> {
    let number = |row: Option<&Lanes>| row.map_or(0, |row| row[lane]);
    let index = number(access.level);
    if index > texture.last_level as u32 {
        return None;
    }
    let level = &texture.levels[index as usize];
    let y = match texture.dim {
        Dim::D1 => 0,
        _ => access.y[lane],
    };
    let at = [access.x[lane], y, number(access.slice)];
    let sample = number(access.sample);
    let inside = at[0] < level.size[0] as u32
        && at[1] < level.size[1] as u32
        && at[2] < slices(texture, level)
        && sample < texture.samples;
    let block = [at[0] / texture.block.0, at[1] / texture.block.1, at[2]];
    inside.then(|| texture.address(level, block, sample))
}

/// Slices, layers or faces of a level.
pub(super) fn slices(texture: &PreparedTexture, level: &LevelInfo) -> u32 {
    match texture.dim {
        Dim::D3 => level.size[2] as u32,
        Dim::Cube => 6 * texture.layers,
        _ => texture.layers,
    }
}

/// Byte addresses of texels (of blocks, when compressed) as offsets from the base of the texture. Returns the lanes whose
/// texel exists; the others get 0.
fn offsets(level: SimdLevel, texture: &PreparedTexture, access: &Access, out: &mut Lanes) -> u64 {
    const NONE: &Lanes = &[0; LANES];
    let mut rows = Extent::ZERO;
    let mut outside = [0; LANES];
    rows.fill(texture, access, &mut outside);
    let y = match texture.dim {
        Dim::D1 => NONE,
        _ => access.y,
    };
    let [tx, ty, tz] = &texture.tables;
    let axes = [
        (Some(access.x), texture.block.0, tx),
        (Some(y), texture.block.1, ty),
        (access.slice, 1, tz),
        (access.sample, 1, &texture.sample_table),
    ];
    let mut entries = [[0; LANES]; 2];
    for (axis, (row, block, table)) in axes.into_iter().enumerate() {
        // The first slice and sample add nothing unless tables say so.
        if row.is_none() && first_adds_nothing(texture, axis, table) {
            continue;
        }
        let row = row.unwrap_or(NONE);
        let (count, start) = (&rows.count[axis], &rows.start[axis]);
        let mut at = [0; LANES];
        within(level, row, count, start, block, &mut at, &mut outside);
        match axis {
            0 | 1 => look_up(table, &at, &mut entries[axis]),
            _ => {
                let mut entry = [0; LANES];
                look_up(table, &at, &mut entry);
                stages::join(level, &entry, &rows.xor, &mut entries[1]);
            }
        }
    }
    let Extent { base, xor, .. } = &rows;
    stages::combine(level, &entries[0], &entries[1], base, xor, out);
    access.exec & inside(level, &outside, out)
}

/// Whether number 0 on an axis (slice or sample) adds nothing to an offset, on any level.
fn first_adds_nothing(texture: &PreparedTexture, axis: usize, table: &[u32]) -> bool {
    let levels = &texture.levels[..texture.levels() as usize];
    levels.iter().all(|info| {
        let start = if axis == 2 {
            info.start[2]
        } else {
            info.start_sample
        };
        table[start as usize] == 0
    })
}

/// Per lane and axis (x, y, slice, sample): how many elements there are and where their table begins.
struct Extent {
    count: [Lanes; 4],
    start: [Lanes; 4],
    base: Lanes,
    xor: Lanes,
}

impl Extent {
    const ZERO: Extent = Extent {
        count: [[0; LANES]; 4],
        start: [[0; LANES]; 4],
        base: [0; LANES],
        xor: [0; LANES],
    };

    /// Takes the levels of the lanes; those of no level are marked and get the first.
    fn fill(&mut self, texture: &PreparedTexture, access: &Access, outside: &mut Lanes) {
        let Some(levels) = access.level else {
            return self.splat(texture, 0);
        };
        let first = levels[access.exec.trailing_zeros() as usize % LANES];
        let exists = |index: u32| index <= texture.last_level as u32;
        if exists(first) && lanes(access.exec).all(|lane| levels[lane] == first) {
            return self.splat(texture, first);
        }
        for (lane, &index) in levels.iter().enumerate() {
            outside[lane] = u32::from(!exists(index));
            let (numbers, info) = self::numbers(texture, if exists(index) { index } else { 0 });
            for (axis, (count, start)) in numbers.into_iter().enumerate() {
                (self.count[axis][lane], self.start[axis][lane]) = (count, start);
            }
            (self.base[lane], self.xor[lane]) = (info.base, info.xor);
        }
    }

    fn splat(&mut self, texture: &PreparedTexture, index: u32) {
        let (numbers, info) = numbers(texture, index);
        for (axis, (count, start)) in numbers.into_iter().enumerate() {
            self.count[axis] = [count; LANES];
            self.start[axis] = [start; LANES];
        }
        (self.base, self.xor) = ([info.base; LANES], [info.xor; LANES]);
    }
}

/// Elements and table starts of a level.
fn numbers(texture: &PreparedTexture, index: u32) -> ([(u32, u32); 4], &LevelInfo) {
    let info = &texture.levels[index as usize % texture.levels.len()];
    let [width, height, _] = info.size.map(|size| size as u32);
    let [x, y, z] = info.start;
    let numbers = [
        (width, x),
        (height, y),
        (slices(texture, info), z),
        (texture.samples, info.start_sample),
    ];
    (numbers, info)
}

per_level! {
    /// Maps numbers to entries of a table at `start`, one per `block` numbers; numbers from `count` on go to its start
    /// and are marked.
    fn within<'a>(
        row: &'a Lanes,
        count: &'a Lanes,
        start: &'a Lanes,
        block: u32,
        at: &'a mut Lanes,
        outside: &'a mut Lanes,
    ) {
        let factor = rules::block_factor(block);
        for l in 0..LANES {
            let exists = row[l] < count[l];
            let number = if exists { row[l] } else { 0 };
            at[l] = start[l] + rules::block_of(number, block, factor);
            outside[l] |= u32::from(!exists);
        }
    }

    /// Lanes that were not marked; the others get offset 0.
    fn inside<'a>(outside: &'a Lanes, offsets: &'a mut Lanes) -> u64 {
        let mut found = 0u64;
        for l in 0..LANES {
            offsets[l] = if outside[l] == 0 { offsets[l] } else { 0 };
            found |= u64::from(outside[l] == 0) << l;
        }
        found
    }
}

/// A load whose coordinates are read: registers of them may be written.
#[derive(Clone, Copy, Debug)]
pub struct Loading {
    level: SimdLevel,
    exec: u64,
    /// Lanes whose texel exists.
    found: u64,
}

/// Texels of a texture by their numbers, as waves load and store them.
#[derive(Debug)]
pub struct Numbered<'a> {
    level: SimdLevel,
    memory: &'a Memory,
    texture: &'a PreparedTexture,
    tables: OnceCell<Option<numbered::Loads<'a>>>,
}

impl<'a> Numbered<'a> {
    /// Accesses at a vector level.
    pub fn new(level: SimdLevel, memory: &'a Memory, texture: &'a PreparedTexture) -> Numbered<'a> {
        Numbered {
            level,
            memory,
            texture,
            tables: OnceCell::new(),
        }
    }

    /// The tables that find texels, if there are some.
    fn tables(&self) -> Option<&numbered::Loads<'a>> {
        let find = || numbered::Loads::new(self.level, self.memory, self.texture);
        self.tables.get_or_init(find).as_ref()
    }

    /// Reads texels in one go, where that is possible, and says whether it was: components go to the rows that are given,
    /// lanes outside the texture get zeros. Otherwise nothing is done.
    pub fn rows(&self, access: &Access, out: &mut Out) -> bool {
        let tables = self.tables();
        tables.is_some_and(|tables| tables.rows(access, out))
    }

    /// The first half of [`Numbered::rows`]: reads texels, and returns the lanes whose texel exists.
    pub fn texels(&self, access: &Access) -> Option<u64> {
        self.tables()?.texels(access)
    }

    /// The second half: writes components of what was read last, for some lanes of which some have a texel. Rows of numbers
    /// may be written.
    pub fn components(&self, lanes: (u64, u64), out: &mut Out) {
        if let Some(tables) = self.tables() {
            tables.components(lanes, out);
        }
    }

    /// Vector level.
    pub(super) fn level(&self) -> SimdLevel {
        self.level
    }

    /// Columns and lines of a level of a texture of two dimensions, if there is one.
    pub(super) fn size(&self, level: u32) -> Option<[u32; 2]> {
        let exists = level <= self.texture.last_level as u32 && self.texture.dim == Dim::D2;
        let [width, height, _] = self.texture.levels.get(level as usize)?.size;
        exists.then_some([width as u32, height as u32])
    }

    /// Reads the words of texels.
    pub fn begin(&self, scratch: &mut Scratch, access: &Access) -> Loading {
        let room = &mut scratch.room;
        room.blocks.start();
        let tables = self.tables();
        let found = tables.and_then(|tables| tables.load(room, access));
        Loading {
            level: self.level,
            exec: access.exec,
            found: found.unwrap_or_else(|| {
                load_by_address(self.level, room, self.memory, self.texture, access)
            }),
        }
    }

    /// Byte addresses of texels (of blocks, when compressed). Returns the lanes whose texel exists; the others get an address
    /// in the texture.
    pub fn addresses(&self, access: &Access, addresses: &mut [u64; LANES]) -> u64 {
        let mut at = [0; LANES];
        let found = self.offsets(access, &mut at);
        for (address, offset) in addresses.iter_mut().zip(&at) {
            *address = self.texture.base + u64::from(*offset);
        }
        found
    }

    /// The same as offsets from the base of the texture.
    fn offsets(&self, access: &Access, out: &mut Lanes) -> u64 {
        let tables = self.tables();
        match tables.is_some_and(|tables| tables.offsets(access, out)) {
            true => access.exec,
            false => offsets(self.level, self.texture, access, out),
        }
    }

    /// Writes texels of a format without blocks, in lane order; lanes outside the texture write nothing.
    pub fn store(&self, access: &Access, values: [&Lanes; 4], sink: &mut impl Sink) {
        let Numbered { level, texture, .. } = *self;
        if texture.format.is_block() {
            return;
        }
        let mut words = [[0; LANES]; 4];
        pack_row_as(level, texture.format, texture.reading, values, &mut words);
        self.store_words(access, words.each_ref(), sink);
    }

    /// Writes the words of texels as they are given, without conversion.
    pub fn store_words(&self, access: &Access, words: [&Lanes; 4], sink: &mut impl Sink) {
        let texture = self.texture;
        let mut at = [0; LANES];
        let found = self.offsets(access, &mut at);
        let bytes = texture.element_bytes;
        if bytes.is_multiple_of(4) {
            let rows = (bytes as usize / 4).min(words.len());
            sink.words(found, (texture.base, &at), &words[..rows]);
            return;
        }
        let mut part = Part::default();
        for lane in lanes(found) {
            let (address, word) = (texture.base + u64::from(at[lane]), words[0][lane]);
            if bytes == 3 {
                // May lie in two words.
                for (address, byte) in (address..).zip(&word.to_le_bytes()[..3]) {
                    part.put(address, 0xff, u32::from(*byte), sink);
                }
            } else {
                let mask = (1u32 << (8 * bytes)) - 1;
                part.put(address, mask, word & mask, sink);
            }
        }
        part.end(sink);
    }

    /// Reads the words of texels as they are stored, without conversion; lanes outside the texture get zeros.
    pub fn load_words(&self, access: &Access, out: &mut [Lanes; 4]) {
        let Numbered {
            memory, texture, ..
        } = *self;
        let mut at = [0; LANES];
        let found = self.offsets(access, &mut at);
        let mut words = [[0; LANES]; 4];
        let (base, bytes) = (texture.base, texture.element_bytes);
        memory.elements(base, bytes, &at, words.each_mut());
        for (out, words) in out.iter_mut().zip(&words) {
            stages::merge(self.level, found, words, out);
            stages::merge(self.level, access.exec & !found, &[0; LANES], out);
        }
    }
}

impl Loading {
    /// Writes the components of texels to the rows that are given; lanes outside the texture get zeros.
    pub fn finish(self, scratch: &mut Scratch, texture: &PreparedTexture, out: Out) {
        let Loading { level, exec, found } = self;
        let Room { words, values, .. } = &mut scratch.room;
        let one = texture.class.one();
        for (out, read) in out.into_iter().zip(texture.outputs) {
            let Some(out) = out else { continue };
            match read {
                Read::Channel(c) if found == u64::MAX => {
                    let row = std::slice::from_mut(out);
                    texture.decoder.decode(level, c as usize & 3, words, row);
                }
                Read::Channel(c) => {
                    let row = &mut values[..1];
                    texture.decoder.decode(level, c as usize & 3, words, row);
                    stages::merge(level, found, &values[0], out);
                }
                Read::Zero => stages::merge(level, found, &[0; LANES], out),
                Read::One => stages::merge(level, found, &[one; LANES], out),
            }
            if exec & !found != 0 {
                stages::merge(level, exec & !found, &[0; LANES], out);
            }
        }
    }
}

/// Reads texels; lanes outside the texture get zeros.
pub fn load(
    scratch: &mut Scratch,
    memory: &Memory,
    texture: &PreparedTexture,
    access: &Access,
    out: &mut [Lanes; 4],
) {
    let numbered = Numbered::new(SimdLevel::current(), memory, texture);
    let loading = numbered.begin(scratch, access);
    loading.finish(scratch, texture, out.each_mut().map(Some));
}

/// Reads the words of texels whose addresses are computed; returns the lanes whose texel exists.
fn load_by_address(
    level: SimdLevel,
    room: &mut Room,
    memory: &Memory,
    texture: &PreparedTexture,
    access: &Access,
) -> u64 {
    let mut at = [0; LANES];
    let found = offsets(level, texture, access, &mut at);
    let reader = Reader {
        level,
        memory,
        texture,
        exec: found,
        words: [true; 4],
    };
    let y = match texture.dim {
        Dim::D1 => &[0; LANES],
        _ => access.y,
    };
    room.load(reader, [access.x, y], &at);
    found
}

/// Takes the words of texels that are stored.
pub trait Sink {
    /// Replaces the bits of `mask` in the word that holds a byte address.
    fn merge(&mut self, address: u64, mask: u32, word: u32);

    /// Writes whole words of `lanes`, side by side from an address and the offset of each on, multiples of 4 bytes: a row
    /// for the first ones, in the order of lanes, then one for the second ones.
    fn words(&mut self, lanes: u64, place: (u64, &Lanes), rows: &[&Lanes]) {
        one_by_one(self, lanes, place, rows);
    }
}

/// [`Sink::words`] by single words.
pub(crate) fn one_by_one<S: Sink + ?Sized>(
    sink: &mut S,
    exec: u64,
    (base, offsets): (u64, &Lanes),
    rows: &[&Lanes],
) {
    for (n, row) in (0..).zip(rows) {
        for lane in lanes(exec) {
            sink.merge(base + u64::from(offsets[lane]) + 4 * n, u32::MAX, row[lane]);
        }
    }
}

/// Outside memory nothing is written.
impl Sink for &Memory {
    fn merge(&mut self, address: u64, mask: u32, word: u32) {
        _ = Memory::merge(self, address, mask, word);
    }
}

/// What lanes store to 256 bytes, until one stores elsewhere: texels that share a word make one store.
#[derive(Debug)]
struct Part {
    /// Where the bytes begin.
    base: u64,
    masks: Lanes,
    words: Lanes,
}

impl Default for Part {
    fn default() -> Part {
        Part {
            base: u64::MAX,
            masks: [0; LANES],
            words: [0; LANES],
        }
    }
}

impl Part {
    /// Adds bits at an address.
    fn put(&mut self, address: u64, mask: u32, bits: u32, sink: &mut impl Sink) {
        const BYTES: u64 = 4 * LANES as u64;
        let base = address & !(BYTES - 1);
        if base != self.base {
            self.end(sink);
            self.base = base;
        }
        let shift = 8 * (address & 3);
        let n = (address % BYTES / 4) as usize;
        self.masks[n] |= mask << shift;
        self.words[n] = self.words[n] & !(mask << shift) | bits << shift;
    }

    /// Hands over what there is.
    fn end(&mut self, sink: &mut impl Sink) {
        for (at, (mask, word)) in (0..).zip(self.masks.iter_mut().zip(&self.words)) {
            if *mask != 0 {
                sink.merge(self.base + 4 * at, *mask, *word);
                *mask = 0;
            }
        }
    }
}
