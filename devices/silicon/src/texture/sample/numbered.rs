//! Texels by their numbers, through the tables that find texels of a texture.

#![expect(
    clippy::needless_range_loop,
    reason = "a lane number indexes several rows"
)]

use std::cell::RefCell;

use super::corners::Words;
use super::finish::Out;
use super::pairs::Grid;
use super::room::{Bound, Room};
use super::stages;
use super::values::convert;
use super::{
    Access, Address, Border, Dim, Filter, LANES, Lanes, MipFilter, Precision, PreparedSampler,
    PreparedTexture, Reduction, Sampler, access, rules,
};
use crate::fragment::depth::Compare;
use crate::fragment::mask;
use crate::memory::Memory;
use crate::memory::near::Near;
use crate::memory::plane::{Cut, Plane};
use crate::memory::window::Lookup;
use crate::texture::format::Read;
use host::{Kernel, Rounding, SimdLevel};

const ZERO: &Lanes = &[0; LANES];

/// Texels by number are those of a sampler that clamps to the edge.
const LOADS: PreparedSampler = PreparedSampler {
    sampler: Sampler {
        address: [Address::ClampToEdge; 3],
        mag: Filter::Nearest,
        min: Filter::Nearest,
        slices: None,
        mip: MipFilter::None,
        lod_bias: 0.0,
        lod_min: 0.0,
        lod_max: 0.0,
        border: Border::TransparentBlack,
        compare: Compare::Always,
        unnormalized: false,
        anisotropy: 1,
        reduction: Reduction::Average,
        seamless: false,
    },
    precision: Precision {
        weight_bits: rules::FRACTION_BITS,
        lod_bits: rules::FRACTION_BITS,
    },
    steepness: 0,
    has_tables: true,
};

/// The tables that find texels of a texture by number.
#[derive(Debug)]
pub(super) struct Loads<'a> {
    level: SimdLevel,
    lookup: Lookup,
    grid: Grid<'a>,
    bound: Bound<'a>,
    room: RefCell<RowsRoom>,
}

/// Rows between numbers and components, kept from wave to wave: those on a stack are cleared and not aligned.
#[derive(Debug)]
#[repr(C, align(64))]
struct RowsRoom {
    columns: Lanes,
    lines: Lanes,
    words: [Lanes; 4],
    value: [Lanes; 1],
}

impl RowsRoom {
    const ZERO: RowsRoom = RowsRoom {
        columns: [0; LANES],
        lines: [0; LANES],
        words: [[0; LANES]; 4],
        value: [[0; LANES]],
    };
}

impl<'a> Loads<'a> {
    /// None where tables do not fit the texture.
    pub fn new(
        level: SimdLevel,
        memory: &'a Memory,
        texture: &'a PreparedTexture,
    ) -> Option<Loads<'a>> {
        if texture.samples > 1 && texture.layers > 1 {
            return None;
        }
        Some(Loads {
            level,
            lookup: Lookup::of(level),
            grid: Grid::new(memory, texture, &LOADS)?,
            bound: Bound {
                memory,
                texture,
                sampler: &LOADS,
            },
            room: RefCell::new(RowsRoom::ZERO),
        })
    }

    /// The level that all lanes want.
    fn index(&self, access: &Access) -> Option<u32> {
        let Some(row) = access.level else {
            return Some(0);
        };
        let first = row[access.exec.trailing_zeros() as usize % LANES];
        let exists = first <= self.bound.texture.last_level as u32;
        (exists && stages::holds(self.level, access.exec, row, first)).then_some(first)
    }

    /// Texels of a level along each axis.
    fn counts(&self, index: u32) -> [u32; 3] {
        let texture = self.bound.texture;
        let info = &texture.levels[index as usize % texture.levels.len()];
        [
            info.size[0] as u32,
            info.size[1] as u32,
            match texture.samples {
                1 => access::slices(texture, info),
                samples => samples,
            },
        ]
    }

    /// Numbers along the third axis, of samples where there are several, else of slices; and the others, of which there is
    /// one.
    fn third<'r>(&self, access: &Access<'r>) -> [Option<&'r Lanes>; 2] {
        match self.bound.texture.samples {
            1 => [access.slice, access.sample],
            _ => [access.sample, access.slice],
        }
    }

    /// Rows of texels; a texture of one dimension has one.
    fn line<'r>(&self, access: &Access<'r>) -> &'r Lanes {
        match self.bound.texture.dim {
            Dim::D1 => ZERO,
            _ => access.y,
        }
    }

    /// Reads texels and writes the components that are wanted; says whether it did: see [`Loads::texels`].
    pub fn rows(&self, access: &Access, out: &mut Out) -> bool {
        let found = self.texels(access);
        if let Some(found) = found {
            self.components((access.exec, found), out);
        }
        found.is_some()
    }

    /// Reads the words of texels without blocks where all lanes want one level, and lanes are near each other or there is
    /// one slice; returns the lanes whose texel exists. Of other texels nothing is read.
    pub fn texels(&self, access: &Access) -> Option<u64> {
        let mut room = self.room.try_borrow_mut().ok()?;
        let (index, near) = self.near(access)?;
        let plane = self.grid.plane_of(Some(index));
        if plane.near(self.lookup, &near, &mut room.words) {
            return Some(access.exec);
        }
        plane.has_texels().then(|| {
            self.level.run(Texels {
                plane: &plane,
                near,
                room: &mut room,
            })
        })
    }

    /// Where texels are, in bytes from the start of the texture, where lanes are near each other and none is outside; says
    /// whether that is so.
    pub fn offsets(&self, access: &Access, offsets: &mut Lanes) -> bool {
        let Some((index, near)) = self.near(access) else {
            return false;
        };
        let plane = self.grid.plane_of(Some(index));
        plane.near_bytes(self.lookup, &near, offsets)
    }

    /// The level that all lanes want, and their texels there, if one axis is enough beside columns and lines.
    #[inline(always)]
    fn near<'r>(&self, access: &Access<'r>) -> Option<(i32, Near<'r>)> {
        let [third, other] = self.third(access);
        if other.is_some() || third.is_some() && !self.grid.plane.is_deep() {
            return None;
        }
        let index = self.index(access)?;
        let near = Near {
            exec: access.exec,
            numbers: [access.x, self.line(access), third.unwrap_or(ZERO)],
            counts: self.counts(index),
            start: self.grid.extent(index as i32).map(|(_, start)| start),
        };
        Some((index as i32, near))
    }

    /// Writes the components that are wanted of the texels that lanes have found; those without one get zeros.
    pub fn components(&self, (exec, found): (u64, u64), out: &mut Out) {
        if let Ok(mut room) = self.room.try_borrow_mut() {
            self.level.run(Components {
                lookup: self.lookup,
                texture: self.bound.texture,
                exec,
                found,
                room: &mut room,
                out,
            });
        }
    }

    /// Reads the words of texels where all lanes want one level; returns the lanes whose texel exists.
    pub fn load(&self, room: &mut Room, access: &Access) -> Option<u64> {
        let Loads { grid, bound, .. } = self;
        let level = self.level;
        let index = self.index(access)?;
        let extent = grid.extent(index as i32);
        let counts = self.counts(index);
        let y = self.line(access);
        let mut found = access.exec;
        let [third, other] = self.third(access);
        if let Some(other) = other {
            found &= stages::below(level, other, 1);
        }
        for (axis, row) in [Some(access.x), Some(y), third].into_iter().enumerate() {
            let at = room.positions.cut(&grid.plane, axis);
            if axis == 2 && !grid.plane.is_deep() {
                if let Some(slice) = row {
                    found &= stages::below(level, slice, 1);
                }
                continue;
            }
            found &= level.run(Numbers {
                row: row.unwrap_or(ZERO),
                count: counts[axis],
                start: extent[axis].1,
                at,
            });
        }
        let plane = grid.plane_of(Some(index as i32));
        if plane.is_flat_words() {
            let [rows, ..] = &mut room.words;
            level.run(Words::<1> {
                plane: &plane,
                positions: &room.positions,
                rows,
            });
        } else {
            plane.rows(&room.positions, 0, true, &mut room.words);
            room.decode(level, *bound, 1);
        }
        Some(found)
    }
}

/// Numbers along an axis to table entries; lanes beyond the last number take it, and are not in the result.
struct Numbers<'a> {
    row: &'a Lanes,
    count: u32,
    start: u32,
    at: Cut<'a>,
}

impl Kernel for Numbers<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<R: Rounding>(self) -> u64 {
        let Numbers {
            row,
            count,
            start,
            mut at,
        } = self;
        for l in 0..LANES {
            at.put(l, start.wrapping_add(row[l].min(count - 1)));
        }
        mask::collect(|l| row[l] < count)
    }
}

/// Texels of one slice, from their numbers to their words; which lanes have one.
struct Texels<'a, 'b> {
    plane: &'a Plane<'b>,
    near: Near<'a>,
    room: &'a mut RowsRoom,
}

impl Kernel for Texels<'_, '_> {
    type Output = u64;
    #[inline(always)]
    fn run<R: Rounding>(self) -> u64 {
        let Texels { plane, near, room } = self;
        let Near {
            exec,
            numbers: [x, y, _],
            counts: [width, height, _],
            start: [first, top, _],
        } = near;
        let RowsRoom {
            columns,
            lines,
            words,
            ..
        } = room;
        // Not zero where a lane is outside.
        let mut any = 0;
        for l in 0..LANES {
            let (column, line) = (x[l].min(width - 1), y[l].min(height - 1));
            columns[l] = first.wrapping_add(column);
            lines[l] = top.wrapping_add(line);
            any |= (x[l] ^ column) | (y[l] ^ line);
        }
        let found = match any {
            0 => exec,
            _ => exec & mask::collect(|l| (x[l] < width) & (y[l] < height)),
        };
        // Not zero where a lane is not behind the one before it. Numbers are those of texels where no lane is outside.
        let pair = |row: &Lanes, n: usize| u64::from(row[2 * n]) | u64::from(row[2 * n + 1]) << 32;
        let mut apart = 0;
        for n in 0..LANES / 2 {
            let (x, y) = (pair(x, n), pair(y, n));
            apart |= (x >> 32) ^ (x & 0xffff_ffff).wrapping_add(1) | (y >> 32) ^ y & 0xffff_ffff;
        }
        plane.texels(columns, lines, any == 0 && apart == 0, words);
        found
    }
}

/// Words of texels to their components.
struct Components<'a, 'o> {
    lookup: Lookup,
    texture: &'a PreparedTexture,
    exec: u64,
    found: u64,
    room: &'a mut RowsRoom,
    out: &'a mut Out<'o>,
}

impl Kernel for Components<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Components {
            lookup,
            texture,
            exec,
            found,
            room,
            out,
        } = self;
        let RowsRoom { words, value, .. } = room;
        for (out, read) in out.iter_mut().zip(texture.outputs) {
            let Some(out) = out else { continue };
            let whole = found == u64::MAX;
            let to = match whole {
                true => std::slice::from_mut(&mut **out),
                false => &mut value[..],
            };
            match read {
                Read::Channel(c) => {
                    let (c, decoder) = (c as usize & 3, &texture.decoder);
                    let word = &words[decoder.word(c).unwrap_or(0) & 3];
                    convert::<R>(decoder, lookup, c, std::slice::from_ref(word), to);
                }
                Read::Zero => to.fill([0; LANES]),
                Read::One => to.fill([texture.class.one(); LANES]),
            }
            if whole {
                continue;
            }
            let [value] = &*value;
            for l in 0..LANES {
                let new = if found >> l & 1 == 0 { 0 } else { value[l] };
                out[l] = if exec >> l & 1 == 0 { out[l] } else { new };
            }
        }
    }
}
