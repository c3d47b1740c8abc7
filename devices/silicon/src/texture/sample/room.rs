//! Rows that a filter works in, kept between waves, and the texels of one mip level that it reads into them.

use super::edges::Edges;
use super::footprint::Extents;
use super::prepared::LevelInfo;
use super::reference::lanes;
use super::stages::{self, Axis};
use super::{Dim, Filter, LANES, Lanes, MAX_LEVELS, PreparedSampler, PreparedTexture};
use crate::memory::plane::Positions;
use crate::memory::{Memory, look_up};
use crate::texture::block::cache::{self, Cache, Source};
use crate::texture::block::rows::{self, RowTexels};
use crate::texture::format::{Codec, Layout};
use host::SimdLevel;

/// What an instruction reads from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound<'a> {
    pub memory: &'a Memory,
    pub texture: &'a PreparedTexture,
    pub sampler: &'a PreparedSampler,
}

impl Bound<'_> {
    /// Whether footprints may leave a face of a cube for the next one.
    pub fn has_seams(&self) -> bool {
        let s = &self.sampler.sampler;
        self.texture.dim == Dim::Cube && s.seamless && s.min == Filter::Linear
    }
}

/// The numbers of each lane's level.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct LevelRows {
    pub size_f: [[f32; LANES]; 3],
    pub size: [[i32; LANES]; 3],
    pub start: [Lanes; 3],
    base: Lanes,
    xor: Lanes,
}

impl LevelRows {
    const ZERO: LevelRows = LevelRows {
        size_f: [[0.0; LANES]; 3],
        size: [[0; LANES]; 3],
        start: [[0; LANES]; 3],
        base: [0; LANES],
        xor: [0; LANES],
    };

    fn splat(&mut self, info: &LevelInfo, axes: usize) {
        for axis in 0..axes {
            self.size_f[axis] = [info.size_f[axis]; LANES];
            self.size[axis] = [info.size[axis]; LANES];
            self.start[axis] = [info.start[axis]; LANES];
        }
        self.start[2] = [info.start[2]; LANES];
        self.base = [info.base; LANES];
        self.xor = [info.xor; LANES];
    }

    fn set(&mut self, lane: usize, info: &LevelInfo, axes: usize) {
        for axis in 0..axes {
            self.size_f[axis][lane] = info.size_f[axis];
            self.size[axis][lane] = info.size[axis];
            self.start[axis][lane] = info.start[axis];
        }
        self.start[2][lane] = info.start[2];
        self.base[lane] = info.base;
        self.xor[lane] = info.xor;
    }

    /// Takes the numbers of level `index[lane]` of each lane, or of level `uniform`.
    pub fn fill(&mut self, texture: &PreparedTexture, index: &[i32; LANES], uniform: Option<i32>) {
        let axes = texture.dim.axes();
        let info = |index: i32| &texture.levels[index as usize % MAX_LEVELS];
        match uniform {
            Some(index) => self.splat(info(index), axes),
            None => {
                for (lane, &index) in index.iter().enumerate() {
                    self.set(lane, info(index), axes);
                }
            }
        }
    }
}

/// Rows of one mip level: texel numbers and weights, what address tables give, and words of texels.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Room {
    /// Of neighbour tables.
    pub extents: Extents,
    pub positions: Positions,
    pub levels: LevelRows,
    pub axes: [Axis; 3],
    index: Lanes,
    /// Shares of the offset, per axis and texel.
    entries: [[Lanes; 2]; 3],
    /// Column in a block, and texels before the line in it.
    inner: [[Lanes; 2]; 2],
    slice: Lanes,
    line: [Lanes; 2],
    offsets: Lanes,
    /// Words of up to four texels: `words[w][t]` is word `w` of texel `t`.
    pub words: [[Lanes; 4]; 4],
    /// One component of the texels.
    pub values: [Lanes; 4],
    /// Weights as floats.
    pub weights: [Lanes; 4],
    pub blocks: Cache,
    /// Lanes whose footprints leave a face of a cube.
    pub edges: Edges,
}

impl Default for Room {
    fn default() -> Room {
        Room {
            extents: Extents::ZERO,
            positions: Positions::ZERO,
            levels: LevelRows::ZERO,
            axes: [Axis::UNIT; 3],
            index: [0; LANES],
            entries: [[[0; LANES]; 2]; 3],
            inner: [[[0; LANES]; 2]; 2],
            slice: [0; LANES],
            line: [[0; LANES]; 2],
            offsets: [0; LANES],
            words: [[[0; LANES]; 4]; 4],
            values: [[0; LANES]; 4],
            weights: [[0; LANES]; 4],
            blocks: Cache::default(),
            edges: Edges::default(),
        }
    }
}

/// What reading takes beside the rows.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub level: SimdLevel,
    pub memory: &'a Memory,
    pub texture: &'a PreparedTexture,
    /// Lanes whose texels are used.
    pub exec: u64,
    /// Which words of a texel are used.
    pub words: [bool; 4],
}

impl Room {
    /// Looks up the texel numbers of all axes, and the slice of each lane.
    pub fn look_up(&mut self, reader: Reader, slice: Option<&Lanes>) {
        let Reader { level, texture, .. } = reader;
        let count = texture.dim.axes();
        let (bw, bh) = texture.block;
        for (axis, size, stride) in [(0, bw, 1), (1, bh, bw)].into_iter().take(count) {
            for k in 0..self.axes[axis].count {
                let (numbers, start) = (&self.axes[axis].i[k], &self.levels.start[axis]);
                if texture.block == (1, 1) {
                    stages::entry(level, numbers, start, &mut self.index);
                } else {
                    let inner = &mut self.inner[axis][k];
                    stages::block_entry(
                        level,
                        numbers,
                        start,
                        (size, stride),
                        &mut self.index,
                        inner,
                    );
                }
                look_up(
                    &texture.tables[axis],
                    &self.index,
                    &mut self.entries[axis][k],
                );
            }
        }
        self.flatten(count);
        if count < 2 {
            self.entries[1] = [[0; LANES]; 2];
            self.inner[1] = [[0; LANES]; 2];
        }
        if count == 3 {
            for k in 0..self.axes[2].count {
                let (numbers, start) = (&self.axes[2].i[k], &self.levels.start[2]);
                stages::entry(level, numbers, start, &mut self.index);
                look_up(&texture.tables[2], &self.index, &mut self.entries[2][k]);
            }
            return;
        }
        if let Some(slice) = slice {
            stages::slice_entry(level, slice, &self.levels.start[2], &mut self.index);
            look_up(&texture.tables[2], &self.index, &mut self.slice);
            for k in 0..self.axes[1].count {
                stages::join(
                    level,
                    &self.slice,
                    &self.levels.xor,
                    &mut self.entries[1][k],
                );
            }
        }
    }

    /// Leaves one texel on axes that the texture does not have.
    pub fn flatten(&mut self, axes: usize) {
        for axis in &mut self.axes[axes..] {
            if axis.count != 1 || axis.w[0][0] != 1 {
                *axis = Axis::UNIT;
            }
        }
    }

    /// Reads the texels of slice `k` of the footprint; returns how many there are.
    pub fn read(&mut self, reader: Reader, k: usize) -> usize {
        let Reader { level, texture, .. } = reader;
        let [across, down, _] = self.axes.each_ref().map(|axis| axis.count);
        let deep = texture.dim.axes() == 3;
        for j in 0..down {
            let line = if deep {
                let line = &mut self.line[j];
                *line = self.entries[1][j];
                stages::join(level, &self.entries[2][k], &self.levels.xor, line);
                &*line
            } else {
                &self.entries[1][j]
            };
            for i in 0..across {
                let (column, LevelRows { base, xor, .. }) = (&self.entries[0][i], &self.levels);
                stages::combine(level, column, line, base, xor, &mut self.offsets);
                let tap = across * j + i;
                let inner = [&self.inner[0][i], &self.inner[1][j]];
                let (blocks, words) = (&mut self.blocks, &mut self.words);
                read_elements(reader, blocks, &self.offsets, inner, tap, words);
            }
        }
        across * down
    }
}

impl Room {
    /// Reads one texel per lane: its element is at `offsets`, and it is number `x`, `y` of its level.
    pub fn load(&mut self, reader: Reader, [x, y]: [&Lanes; 2], offsets: &Lanes) {
        let texture = reader.texture;
        let (bw, bh) = texture.block;
        let axes = [(x, bw, 1), (y, bh, bw)].into_iter().enumerate();
        for (axis, (row, size, stride)) in axes.filter(|_| (bw, bh) != (1, 1)) {
            let inner = &mut self.inner[axis][0];
            stages::block_entry(
                reader.level,
                &row.map(|n| n as i32 & 0x7fff),
                &[0; LANES],
                (size, stride),
                &mut self.index,
                inner,
            );
        }
        let inner = [&self.inner[0][0], &self.inner[1][0]];
        read_elements(reader, &mut self.blocks, offsets, inner, 0, &mut self.words);
    }
}

impl Room {
    /// Puts the first texels of each lane where neighbour tables found their places in blocks, if the texture has some.
    pub fn decode(&mut self, level: SimdLevel, bound: Bound, count: usize) {
        if let Some(mut blocks) = Blocks::of(level, bound, &mut self.blocks) {
            blocks.decode(count, &mut self.words);
        }
    }
}

/// The blocks of a texture, for what finds places in them.
pub(super) struct Blocks<'a> {
    reader: Reader<'a>,
    cache: &'a mut Cache,
}

impl<'a> Blocks<'a> {
    /// Of a texture that is compressed.
    pub fn of(level: SimdLevel, bound: Bound<'a>, cache: &'a mut Cache) -> Option<Blocks<'a>> {
        let Bound {
            memory, texture, ..
        } = bound;
        let reader = Reader {
            level,
            memory,
            texture,
            exec: u64::MAX,
            words: [true; 4],
        };
        texture.decoded.map(|_| Blocks { reader, cache })
    }

    /// Puts texels where their places in blocks are: twice the offset of the block, and the number of the texel.
    pub fn decode(&mut self, count: usize, words: &mut [[Lanes; 4]; 4]) {
        let (mut offsets, mut inner) = ([0; LANES], [0; LANES]);
        for tap in 0..count.min(4) {
            for (lane, place) in words[0][tap].iter().enumerate() {
                offsets[lane] = place >> 4 << 3;
                inner[lane] = place & 15;
            }
            let inner = [&inner, &[0; LANES]];
            read_blocks(self.reader, self.cache, &offsets, inner, tap, words);
        }
    }
}

/// Reads the texels of the elements at `offsets` as texels `tap`; those of blocks are where `inner` says.
pub(super) fn read_elements(
    reader: Reader,
    blocks: &mut Cache,
    offsets: &Lanes,
    inner: [&Lanes; 2],
    tap: usize,
    words: &mut [[Lanes; 4]; 4],
) {
    let texture = reader.texture;
    if texture.block == (1, 1) {
        let rows = words.each_mut().map(|word| &mut word[tap]);
        let (base, bytes) = (texture.base, texture.element_bytes);
        reader.memory.elements(base, bytes, offsets, rows);
    } else {
        read_blocks(reader, blocks, offsets, inner, tap, words);
    }
}

/// Texels of the blocks at `offsets`.
fn read_blocks(
    reader: Reader,
    cache: &mut Cache,
    offsets: &Lanes,
    inner: [&Lanes; 2],
    tap: usize,
    words: &mut [[Lanes; 4]; 4],
) {
    let texture = reader.texture;
    let Some(texels) = texture.decoded else {
        return;
    };
    if let Layout::Block { codec, .. } = texture.format.row().layout
        && rows::decodes(codec)
    {
        let (base, bytes) = (texture.base, texture.element_bytes);
        let Cache { raw, at, .. } = cache;
        reader.memory.elements(base, bytes, offsets, raw.each_mut());
        stages::sum(reader.level, inner[0], inner[1], at);
        decode_rows(reader, codec, (raw, at), tap, words);
        return;
    }
    let source = Source {
        memory: reader.memory,
        base: texture.base,
        bytes: texture.element_bytes,
        size: texture.block,
        format: texture.format,
        texels,
    };
    take_cached(reader, cache.of(source), offsets, inner, tap, words);
}

/// Decodes a texel of the block of each lane.
fn decode_rows(
    reader: Reader,
    codec: Codec,
    (blocks, at): (&[Lanes; 4], &Lanes),
    tap: usize,
    words: &mut [[Lanes; 4]; 4],
) {
    // Values that these codecs lack. Green may follow.
    let lacking = [0, 0, 0, 1f32.to_bits()];
    for word in (1..reader.texture.decoder_words as usize).filter(|&word| reader.words[word]) {
        words[word][tap] = [lacking[word]; LANES];
    }
    let [first, second, ..] = words.each_mut().map(|word| &mut word[tap]);
    let second = (reader.texture.decoder_words > 1 && reader.words[1]).then_some(second);
    reader.level.run(RowTexels {
        codec,
        blocks,
        at,
        out: [Some(first), second],
    });
}

/// Texels of blocks that are decoded whole.
fn take_cached(
    reader: Reader,
    mut blocks: cache::Blocks,
    offsets: &Lanes,
    [column, line]: [&Lanes; 2],
    tap: usize,
    words: &mut [[Lanes; 4]; 4],
) {
    let at = |lane: usize| (line[lane] + column[lane]) as usize;
    if reader.texture.decoder_words == 1 {
        let row = &mut words[0][tap];
        for lane in lanes(reader.exec) {
            row[lane] = blocks
                .texels(offsets[lane])
                .get(at(lane))
                .copied()
                .unwrap_or(0);
        }
        return;
    }
    for lane in lanes(reader.exec) {
        let texels = blocks.texels(offsets[lane]).as_chunks::<4>().0;
        let texel = texels.get(at(lane)).copied().unwrap_or([0; 4]);
        for (word, used) in reader.words.into_iter().enumerate() {
            if used {
                words[word][tap][lane] = texel[word];
            }
        }
    }
}
