//! Neighbour tables for the 2x2 footprints of [`Plane`]: one per axis and address mode, all mip levels, from the
//! position before the first texel to the furthest one the mode reaches. Positions need no wrapping. Built on a
//! sampler's first use.

use std::sync::OnceLock;

use super::prepared::LevelInfo;
use super::{Address, Dim, Level, MAX_LEVELS, PreparedSampler, PreparedTexture, Taps, rules};
use crate::memory::Memory;
use crate::memory::plane::{Columns, Join, Lines, Plane};

/// Address modes that have tables.
const MODES: [Address; 3] = [Address::Repeat, Address::Mirror, Address::ClampToEdge];

/// Largest level that has tables, in texels.
const LARGEST: i32 = 16_384;

/// The table of an axis, and the entry of texel 0 of each level.
#[derive(Clone, Debug)]
struct Along<T> {
    table: T,
    start: [u32; MAX_LEVELS],
}

/// Tables made so far, by address mode.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    join: Option<Join>,
    columns: [OnceLock<Along<Columns>>; MODES.len()],
    lines: [OnceLock<Along<Lines>>; MODES.len()],
}

/// Number of an address mode among [`MODES`].
pub(super) fn mode(address: Address) -> Option<usize> {
    MODES.iter().position(|mode| *mode == address)
}

/// The join of shares, if equal for all levels.
fn join(levels: &[Level], texture: &PreparedTexture) -> Option<Join> {
    let bits = |info: &LevelInfo, axis: usize| {
        let table = &texture.tables[axis][info.start[axis] as usize..];
        let size = info.size[axis] as usize;
        table.iter().take(size).fold(0, |bits, share| bits | share)
    };
    let fits = |join: Join| {
        levels.iter().zip(&texture.levels).all(|(level, info)| {
            let (x, y, xor) = (bits(info, 0), bits(info, 1), level.axes.xor);
            let (shared, base) = (x & y, info.base);
            let words = (x | y | base) & 3 == 0;
            // The share of a column holds the base of the level as well.
            words
                && match join {
                    Join::Sum => shared == 0 || xor == 0,
                    Join::Xor => shared & !xor == 0 && base & (x | y) == 0,
                    Join::Without(bits) => {
                        let up_to = u32::MAX
                            .checked_shr((4 * bits).leading_zeros())
                            .unwrap_or(0);
                        let apart = up_to & !((4 * bits) & xor);
                        shared & apart == 0 && base & up_to == 0 && xor & !(4 * bits) == 0
                    }
                }
        })
    };
    let xor = levels.iter().fold(0, |bits, level| bits | level.axes.xor);
    let joins = [Join::Sum, Join::Xor, Join::Without(xor >> 2)];
    joins.into_iter().find(|join| fits(*join))
}

impl Pairs {
    /// Tables of a texture; none if its layout does not fit.
    pub(super) fn new(levels: &[Level], texture: &PreparedTexture) -> Pairs {
        let small = |info: &LevelInfo| info.size[0] <= LARGEST && info.size[1] <= LARGEST;
        let fits = matches!(texture.taps, Taps::Bytes | Taps::Words)
            && texture.element_bytes == 4
            && texture.dim == Dim::D2
            && texture.layers == 1
            && texture.levels.iter().all(small);
        Pairs {
            join: fits.then(|| join(levels, texture)).flatten(),
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
    let levels = texture.levels.iter().take(texture.levels() as usize);
    for (info, start) in levels.zip(&mut start) {
        let size = info.size[axis];
        let share = |i: i32| {
            let at = info.start[axis] + rules::wrap(mode, i, size, true) as u32;
            let base = if axis == 0 { info.base } else { 0 };
            base.wrapping_add(texture.tables[axis][at as usize]) >> 2
        };
        let last = if mode == Address::Mirror {
            2 * size
        } else {
            size
        };
        *start = pairs.len() as u32 + 1;
        pairs.extend((-1..=last).map(|i| [i, i + 1].map(share)));
    }
    Along {
        table: table(&pairs),
        start,
    }
}

/// A texture's texels as a sampler addresses them.
#[derive(Clone, Copy)]
pub(super) struct Grid<'a> {
    pub plane: Plane<'a>,
    pub modes: [Address; 2],
    texture: &'a PreparedTexture,
    start: [&'a [u32; MAX_LEVELS]; 2],
}

impl<'a> Grid<'a> {
    /// None where the tables do not fit the texture or the sampler.
    pub fn new(
        memory: &'a Memory,
        texture: &'a PreparedTexture,
        sampler: &PreparedSampler,
    ) -> Option<Grid<'a>> {
        let pairs = &texture.pairs;
        let (join, [x, y]) = (pairs.join?, sampler.modes?);
        let columns = pairs.columns[x].get_or_init(|| along(texture, 0, MODES[x], Columns::new));
        let lines = pairs.lines[y].get_or_init(|| along(texture, 1, MODES[y], Lines::new));
        Some(Grid {
            plane: memory.plane(texture.base, &columns.table, &lines.table, join)?,
            modes: [MODES[x], MODES[y]],
            texture,
            start: [&columns.start, &lines.start],
        })
    }

    /// Size of a level and entry of its texel 0, per axis. The last one stands for levels beyond it.
    #[inline(always)]
    pub fn extent(&self, level: i32) -> [(f32, u32); 2] {
        let level = level.min(self.texture.last_level) as usize % MAX_LEVELS;
        let [width, height, _] = self.texture.levels[level].size_f;
        let [x, y] = self.start;
        [(width, x[level]), (height, y[level])]
    }
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
        PreparedTexture::new(&t).unwrap().pairs.join
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
