//! Neighbour tables for the footprints of [`Plane`]: one per axis and address mode, all mip levels, from the position
//! before the first texel to the furthest one the mode reaches. Positions need no wrapping. Built on a sampler's first
//! use.

use std::sync::OnceLock;

use super::prepared::LevelInfo;
use super::{Address, Dim, Level, MAX_LEVELS, PreparedSampler, PreparedTexture, Taps, rules, wave};
use crate::memory::Memory;
use crate::memory::plane::{Columns, Join, Lines, Plane, Tables};

/// Address modes that have tables. Modes with borders use that of the same mode without: what lies outside is known
/// from the number of the texel.
const MODES: [Address; 4] = [
    Address::Repeat,
    Address::Mirror,
    Address::ClampToEdge,
    Address::MirrorClampToEdge,
];

/// Largest level that has tables, in texels.
const LARGEST: i32 = 16_384;

/// The table of an axis, and the entry of texel 0 of each level.
#[derive(Clone, Debug)]
struct Along<T> {
    table: T,
    start: [u32; MAX_LEVELS],
}

/// How the shares of a texture combine.
#[derive(Clone, Copy, Debug)]
struct Joins {
    /// In all levels, if there is one way.
    common: Option<Join>,
    levels: [Join; MAX_LEVELS],
}

/// Tables made so far, by address mode.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    joins: Option<Joins>,
    columns: [OnceLock<Along<Columns>>; MODES.len()],
    lines: [OnceLock<Along<Lines>>; MODES.len()],
    slices: [OnceLock<Along<Lines>>; MODES.len()],
}

/// Number of the table of an address mode among [`MODES`].
fn table(address: Address) -> usize {
    match address {
        Address::Repeat => 0,
        Address::Mirror => 1,
        Address::ClampToEdge | Address::Border | Address::HalfBorder => 2,
        Address::MirrorClampToEdge | Address::MirrorBorder | Address::MirrorHalfBorder => 3,
    }
}

/// Bytes that shares count.
fn unit(texture: &PreparedTexture) -> u32 {
    match texture.element_bytes.is_multiple_of(4) {
        true => 4,
        false => 1,
    }
}

/// Whether elements are blocks whose texels tables can number.
fn is_blocks(texture: &PreparedTexture) -> bool {
    texture.block == (4, 4) && matches!(texture.element_bytes, 8 | 16)
}

/// A share of so many bytes as a table has it.
fn scaled(texture: &PreparedTexture, bytes: u32) -> u32 {
    match is_blocks(texture) {
        true => 2 * bytes,
        false => bytes / unit(texture),
    }
}

/// Whether there are several slices: those of a box, faces, layers, or samples.
fn is_deep(texture: &PreparedTexture) -> bool {
    matches!(texture.dim, Dim::D3 | Dim::Cube) || texture.layers > 1 || texture.samples > 1
}

/// Whether the third axis has samples: where there are no layers.
fn has_samples(texture: &PreparedTexture, axis: usize) -> bool {
    axis == 2 && texture.samples > 1 && texture.layers == 1 && texture.dim == Dim::D2
}

/// The shares of a level along an axis.
fn shares<'a>(texture: &'a PreparedTexture, info: &LevelInfo, axis: usize) -> &'a [u32] {
    match has_samples(texture, axis) {
        true => &texture.sample_table[info.start_sample as usize..],
        false => &texture.tables[axis][info.start[axis] as usize..],
    }
}

/// Texels of a level along an axis; layers, faces and samples are the third.
fn extent(texture: &PreparedTexture, info: &LevelInfo, axis: usize) -> i32 {
    match axis {
        2 if has_samples(texture, axis) => texture.samples as i32,
        2 if texture.dim == Dim::Cube => 6 * texture.layers as i32,
        2 if texture.dim != Dim::D3 => texture.layers as i32,
        _ => info.size[axis],
    }
}

/// How shares combine, if they do in every level.
fn joins(levels: &[Level], texture: &PreparedTexture) -> Option<Joins> {
    let blocks = is_blocks(texture);
    let bits = |info: &LevelInfo, axis: usize| {
        let table = shares(texture, info, axis);
        let size = extent(texture, info, axis) as usize;
        let size = if blocks && axis < 2 {
            size.div_ceil(4)
        } else {
            size
        };
        table.iter().take(size).fold(0, |bits, share| bits | share)
    };
    // Texels of 3 bytes lie anywhere, those of 6 at halves.
    let most = if blocks { 8 } else { 4 };
    let align = (1 << texture.element_bytes.trailing_zeros()).min(most);
    let fits = |join: Join, (level, info): (&Level, &LevelInfo)| {
        let [x, y, z] = [0, 1, 2].map(|axis| bits(info, axis));
        let (shared, base) = (x & y | (x | y) & z, info.base);
        let all = x | y | z;
        let xor = level.axes.xor;
        let whole = (all | base) & (align - 1) == 0 && (is_deep(texture) || z == 0);
        let whole = whole && (!blocks || (all | base) < 1 << 30);
        // The share of a column holds the base of the level as well.
        whole
            && match join {
                Join::Sum => shared == 0 || xor == 0,
                Join::Xor => shared & !xor == 0 && base & all == 0,
                Join::Without(bits) => {
                    let bits = if blocks {
                        bits / 2
                    } else {
                        unit(texture) * bits
                    };
                    let up_to = u32::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0);
                    let apart = up_to & !(bits & xor);
                    shared & apart == 0 && base & up_to == 0 && xor & !bits == 0
                }
                Join::Carries => false,
            }
    };
    let each = || levels.iter().zip(&texture.levels);
    let ways = |xor: u32| [Join::Sum, Join::Xor, Join::Without(scaled(texture, xor))].into_iter();
    let xor = levels.iter().fold(0, |bits, level| bits | level.axes.xor);
    let common = ways(xor).find(|way| each().all(|at| fits(*way, at)));
    let mut found = Joins {
        common,
        levels: [Join::Sum; MAX_LEVELS],
    };
    for (at, found) in each().zip(&mut found.levels) {
        *found = common.or_else(|| ways(at.0.axes.xor).find(|way| fits(*way, at)))?;
    }
    Some(found)
}

impl Pairs {
    /// Tables of a texture; none if its layout does not fit.
    pub(super) fn new(levels: &[Level], texture: &PreparedTexture) -> Pairs {
        let small = |info: &LevelInfo| info.size.iter().all(|size| *size <= LARGEST);
        let plain = matches!(texture.taps, Taps::Bytes | Taps::Words);
        let fits = (plain || is_blocks(texture)) && texture.levels.iter().all(small);
        Pairs {
            joins: fits.then(|| joins(levels, texture)).flatten(),
            ..Pairs::default()
        }
    }
}

/// Shares of neighbours along an axis.
fn along<T>(
    texture: &PreparedTexture,
    axis: usize,
    mode: Address,
    table: impl Fn(&[[u32; 2]]) -> T,
) -> Along<T> {
    let mut pairs = Vec::new();
    let mut start = [0; MAX_LEVELS];
    let blocks = is_blocks(texture) && axis < 2;
    let levels = texture.levels.iter().take(texture.levels() as usize);
    for (info, start) in levels.zip(&mut start) {
        let size = extent(texture, info, axis);
        let share = |i: i32| {
            let number = rules::wrap(mode, i, size, true) as u32;
            let (element, part) = match blocks {
                true => (number / 4, (number % 4) << (2 * axis)),
                false => (number, 0),
            };
            let base = if axis == 0 { info.base } else { 0 };
            let share = shares(texture, info, axis)[element as usize];
            scaled(texture, base.wrapping_add(share)) + part
        };
        let [first, last] = match mode {
            Address::Mirror => [-1, 2 * size],
            Address::MirrorClampToEdge => [-1 - size, size],
            _ => [-1, size],
        };
        *start = pairs.len() as u32 + first.unsigned_abs();
        // The last neighbour has an entry too: windows take texels from their own.
        pairs.extend((first..=last + 1).map(|i| [i, i + 1].map(share)));
    }
    Along {
        table: table(&pairs),
        start,
    }
}

/// A texture's texels as a sampler addresses them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid<'a> {
    pub plane: Plane<'a>,
    pub modes: [Address; 3],
    texture: &'a PreparedTexture,
    start: [&'a [u32; MAX_LEVELS]; 3],
    joins: &'a [Join; MAX_LEVELS],
}

/// Where the tables of a [`Grid`] are entered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entries {
    dim: Dim,
    layers: u32,
    last_level: i32,
    sizes: [[i32; 3]; MAX_LEVELS],
    start: [[u32; MAX_LEVELS]; 3],
    deep: bool,
}

/// Size of a level and entry of its texel 0, on each axis.
pub(super) type Extent = [(f32, u32); 3];

impl<'a> Grid<'a> {
    /// None where the tables do not fit the texture or the sampler.
    pub fn new(
        memory: &'a Memory,
        texture: &'a PreparedTexture,
        sampler: &PreparedSampler,
    ) -> Option<Grid<'a>> {
        let pairs = &texture.pairs;
        let joins = pairs.joins.as_ref().filter(|_| exist(texture, sampler))?;
        let modes = [0, 1, 2].map(|axis| match axis < texture.dim.axes() {
            true => wave::mode(texture, sampler, axis),
            false => Address::ClampToEdge,
        });
        let [x, y, z] = modes.map(table);
        let columns = pairs.columns[x].get_or_init(|| along(texture, 0, MODES[x], Columns::new));
        let lines = pairs.lines[y].get_or_init(|| along(texture, 1, MODES[y], Lines::new));
        let slices = is_deep(texture)
            .then(|| pairs.slices[z].get_or_init(|| along(texture, 2, MODES[z], Lines::new)));
        let tables = Tables {
            columns: &columns.table,
            lines: &lines.table,
            slices: slices.map(|slices| &slices.table),
            join: joins.common.unwrap_or(Join::Carries),
            bytes: texture.element_bytes,
            blocks: is_blocks(texture),
        };
        Some(Grid {
            plane: memory.plane(texture.base, tables)?,
            modes,
            texture,
            joins: &joins.levels,
            start: [
                &columns.start,
                &lines.start,
                slices.map_or(&[0; MAX_LEVELS], |slices| &slices.start),
            ],
        })
    }

    /// Shape of the texture.
    #[inline(always)]
    pub fn dim(&self) -> Dim {
        self.texture.dim
    }

    /// Layers of the texture.
    #[inline(always)]
    pub fn layers(&self) -> u32 {
        self.texture.layers
    }

    /// How shares combine in each level.
    pub fn joins(&self) -> &[Join; MAX_LEVELS] {
        self.joins
    }

    /// Whether levels combine shares in different ways.
    #[inline(always)]
    pub fn varies(&self) -> bool {
        self.plane.join() == Join::Carries
    }

    /// Number of a level that exists.
    #[inline(always)]
    fn number(&self, level: i32) -> usize {
        level.min(self.texture.last_level) as usize % MAX_LEVELS
    }

    /// How shares combine in a level.
    #[inline(always)]
    pub fn join(&self, level: i32) -> Join {
        self.joins[self.number(level)]
    }

    /// The plane where all lanes are in a level, or each in one of its own.
    #[inline(always)]
    pub fn plane_of(&self, level: Option<i32>) -> Plane<'a> {
        match level {
            Some(level) => self.plane.joined(self.join(level)),
            None => self.plane,
        }
    }

    /// Where tables are entered: places that were found in one are those of another that is entered so.
    pub fn entries(&self) -> Entries {
        let texture = self.texture;
        Entries {
            dim: texture.dim,
            layers: texture.layers,
            last_level: texture.last_level,
            sizes: texture.levels.map(|level| level.size),
            start: self.start.map(|start| *start),
            deep: self.plane.is_deep(),
        }
    }

    /// Size of a level and entry of its texel 0, per axis. The last one stands for levels beyond it.
    #[inline(always)]
    pub fn extent(&self, level: i32) -> Extent {
        let level = self.number(level);
        let [width, height, depth] = self.texture.levels[level].size_f;
        let [x, y, z] = self.start;
        [(width, x[level]), (height, y[level]), (depth, z[level])]
    }
}

/// Whether there are tables for a texture and a sampler.
pub(super) fn exist(texture: &PreparedTexture, sampler: &PreparedSampler) -> bool {
    texture.pairs.joins.is_some() && sampler.has_tables
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::Axes;
    use super::super::tests::texture;
    use super::*;
    use crate::Format;

    /// Join of a texture of one level whose texels lie where a function says.
    fn join(width: u32, base: u64, xor: u32, offset: impl Fn(u32, u32) -> u32) -> Option<Join> {
        let memory = Memory::new(1 << 20);
        let size = [width, 40, 1];
        let format = Format::R8G8B8A8Unorm;
        let mut t = texture(&memory, Dim::D2, format, size, 1, 2, &mut || 0);
        t.levels[0].base = 0;
        t.levels[1].base = base;
        for level in &mut t.levels {
            let size = [level.width, level.height, 1, 1];
            level.axes = Axes::new(size, xor, |x, y, _, _| offset(x, y));
        }
        PreparedTexture::new(&t)
            .unwrap()
            .pairs
            .joins
            .and_then(|joins| joins.common)
    }

    #[test]
    fn one_way_for_all_levels() {
        let rows = |x, y| 4 * (x + 40 * y);
        assert_eq!(join(40, 0x8000, 0, rows), Some(Join::Sum));
        // Columns and lines share bits 8 and 9; above them, bits of columns and of lines are apart or not.
        let tiles = |across: u32| {
            move |x: u32, y: u32| {
                let part = (x >> 3 ^ y >> 4) & 1 | ((y >> 3 ^ x >> 4) & 1) << 1;
                (x & 7) << 2 | (y & 7) << 5 | part << 8 | (x / 16 + across * (y / 16)) << 10
            }
        };
        assert_eq!(join(40, 0x8000, 0x300, tiles(4)), Some(Join::Xor));
        assert_eq!(
            join(40, 0x8000, 0x300, tiles(3)),
            Some(Join::Without(0x300 >> 2))
        );
        // A level that starts among the bits of its texels.
        let inside = join(40, 0x9400, 0x300, tiles(4));
        assert_eq!(inside, Some(Join::Without(0x300 >> 2)));
        assert_eq!(join(40, 0x8100, 0x300, tiles(4)), None);
        // Texels that are no whole words apart.
        assert_eq!(join(40, 0x8000, 0, |x, y| 5 * x + 200 * y), None);
    }
}
