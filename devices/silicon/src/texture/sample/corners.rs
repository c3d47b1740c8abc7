//! Texels without a filter, through neighbour tables: those around a position for gathers, those of a number for loads.

#![expect(
    clippy::needless_range_loop,
    reason = "a lane number indexes several rows"
)]

use super::footprint::Source;
use super::pairs::Grid;
use super::room::{Bound, Room};
use super::rules::{gather_texel, modulo_texel, near_position, position, wrap_far};
use super::stages::{self, Axis, AxisRule};
use super::{
    Access, Address, Border, Dim, Filter, LANES, Lanes, MipFilter, Precision, PreparedSampler,
    PreparedTexture, Reduction, Sampler, access, rules,
};
use crate::fragment::depth::Compare;
use crate::fragment::mask;
use crate::memory::Memory;
use crate::memory::plane::{Cut, Plane, Positions};
use crate::texture::exact::Exact;
use host::{Kernel, Rounding, SimdLevel};

/// The first of both texels of a gather along an axis, as entries of a table; their numbers are those of borders only.
pub(super) struct Corner<'a> {
    pub rule: AxisRule,
    pub number: usize,
    pub coords: &'a Lanes,
    pub offsets: Option<&'a Lanes>,
    pub source: Source<'a>,
    pub at: Cut<'a>,
    pub axis: &'a mut Axis,
}

impl Kernel for Corner<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Corner {
            rule,
            number,
            coords,
            offsets,
            source,
            at,
            axis,
        } = self;
        axis.count = 2;
        let rows = (coords, offsets);
        match source {
            Source::Level(extent) => {
                let extent = extent[number];
                corner_of::<R>(rule, rows, |_| extent, at, axis);
            }
            Source::Rows(extents) => {
                let (size, start) = extents.along(number);
                corner_of::<R>(rule, rows, |l: usize| (size[l], start[l]), at, axis);
            }
        }
    }
}

#[inline(always)]
fn corner_of<F: Exact>(
    rule: AxisRule,
    (coords, offsets): (&Lanes, Option<&Lanes>),
    extent: impl Fn(usize) -> (f32, u32),
    at: Cut,
    axis: &mut Axis,
) {
    macro_rules! modes {
        ($moved:literal, $offsets:expr, [$($mode:ident)*]) => {
            match rule.mode {
                $(Address::$mode => {
                    let rows = (coords, $offsets);
                    corner::<F, $moved>(Address::$mode, rows, extent, at, axis);
                })*
            }
        };
    }
    match offsets {
        None => modes!(
            false,
            &[0; LANES],
            [Repeat Mirror ClampToEdge MirrorClampToEdge HalfBorder MirrorHalfBorder Border MirrorBorder]
        ),
        Some(offsets) => modes!(
            true,
            offsets,
            [Repeat Mirror ClampToEdge MirrorClampToEdge HalfBorder MirrorHalfBorder Border MirrorBorder]
        ),
    }
}

#[inline(always)]
fn corner<F: Exact, const MOVED: bool>(
    mode: Address,
    (coords, offsets): (&Lanes, &Lanes),
    extent: impl Fn(usize) -> (f32, u32),
    mut at: Cut,
    axis: &mut Axis,
) {
    use Address::{Border, ClampToEdge, HalfBorder, Mirror, MirrorClampToEdge, Repeat};
    let borders = !matches!(mode, Repeat | Mirror | ClampToEdge | MirrorClampToEdge);
    let [i0, i1] = &mut axis.i;
    for l in 0..LANES {
        let (size_f, start) = extent(l);
        let size = size_f as i32;
        let coordinate = f32::from_bits(coords[l]);
        let x = match mode {
            Repeat | Mirror => near_position::<F>(mode, coordinate, size_f),
            _ => position(mode, coordinate, size_f, false),
        };
        let mut i = gather_texel(x);
        if MOVED {
            i += (offsets[l] as i32).clamp(-32, 31);
        }
        // The entries of a table.
        let inside = match mode {
            Repeat if MOVED => modulo_texel(i, size),
            Mirror if MOVED => modulo_texel(i, 2 * size),
            Repeat | Mirror => i,
            ClampToEdge | HalfBorder | Border => i.max(-1).min(size),
            _ => i.max(-1 - size).min(size),
        };
        at.put(l, start.wrapping_add(inside as u32));
        if borders {
            i0[l] = wrap_far(mode, i, size, true);
            i1[l] = wrap_far(mode, i + 1, size, true);
        }
    }
}

/// Reads the 2x2 texels of all lanes.
pub(super) fn read(
    level: SimdLevel,
    plane: &Plane,
    positions: &Positions,
    words: &mut [[Lanes; 4]; 4],
) {
    if plane.is_flat_words() {
        let [rows, ..] = words;
        level.run(Words::<4> {
            plane,
            positions,
            rows,
        });
    } else {
        plane.rows(positions, 0, false, words);
    }
}

/// The first texel of each lane, or all four.
struct Words<'a, 'b, const N: usize> {
    plane: &'a Plane<'b>,
    positions: &'a Positions,
    rows: &'a mut [Lanes; 4],
}

impl<const N: usize> Kernel for Words<'_, '_, N> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let [a, b, c, d] = self.rows.each_mut().map(|row| row.as_chunks_mut().0);
        let chunks = a.iter_mut().zip(b).zip(c).zip(d);
        for (chunk, (((a, b), c), d)) in chunks.enumerate() {
            self.plane.read::<R, N>(self.positions, chunk, [a, b, c, d]);
        }
    }
}

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
    grid: Grid<'a>,
    bound: Bound<'a>,
}

impl<'a> Loads<'a> {
    /// None where tables do not fit the texture.
    pub fn new(memory: &'a Memory, texture: &'a PreparedTexture) -> Option<Loads<'a>> {
        if texture.samples > 1 {
            return None;
        }
        Some(Loads {
            grid: Grid::new(memory, texture, &LOADS)?,
            bound: Bound {
                memory,
                texture,
                sampler: &LOADS,
            },
        })
    }

    /// Reads the words of texels where all lanes want one level; returns the lanes whose texel exists.
    pub fn load(&self, level: SimdLevel, room: &mut Room, access: &Access) -> Option<u64> {
        let Loads { grid, bound } = self;
        let texture = bound.texture;
        let index = match access.level {
            None => 0,
            Some(row) => {
                let first = row[access.exec.trailing_zeros() as usize % LANES];
                let exists = first <= texture.last_level as u32;
                let same = exists && stages::holds(level, access.exec, row, first);
                same.then_some(first)?
            }
        };
        let extent = grid.extent(index as i32);
        let info = &texture.levels[index as usize % texture.levels.len()];
        let counts = [
            info.size[0] as u32,
            info.size[1] as u32,
            access::slices(texture, info),
        ];
        const ZERO: &Lanes = &[0; LANES];
        let y = if texture.dim == Dim::D1 {
            ZERO
        } else {
            access.y
        };
        let mut found = access.exec;
        if let Some(sample) = access.sample {
            found &= stages::below(level, sample, 1);
        }
        for (axis, row) in [Some(access.x), Some(y), access.slice]
            .into_iter()
            .enumerate()
        {
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
