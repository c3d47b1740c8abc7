//! Texels around a position for gathers, through neighbour tables.

use super::footprint::Source;
use super::rules::{
    each_mode, moved_entry, moved_position, near_floor, near_position, offset, wrap_far,
};
use super::stages::{Axis, AxisRule};
use super::{Address, LANES, Lanes};
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
        let rows = (coords, offsets, number);
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
pub(super) fn corner_of<F: Exact>(
    rule: AxisRule,
    (coords, offsets, number): (&Lanes, Option<&Lanes>, usize),
    extent: impl Fn(usize) -> (f32, u32),
    at: Cut,
    axis: &mut Axis,
) {
    match offsets {
        None => {
            let rows = (coords, &[0; LANES], number);
            each_mode!(rule.mode, MODE => corner::<F, false>(MODE, rows, extent, at, axis));
        }
        Some(offsets) => {
            let rows = (coords, offsets, number);
            each_mode!(rule.mode, MODE => corner::<F, true>(MODE, rows, extent, at, axis));
        }
    }
}

#[inline(always)]
fn corner<F: Exact, const MOVED: bool>(
    mode: Address,
    (coords, offsets, number): (&Lanes, &Lanes, usize),
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
        let offset = if MOVED { offset(offsets[l], number) } else { 0 };
        let (x, offset) = match mode {
            Repeat | Mirror => (near_position::<F>(mode, coordinate, size_f), offset),
            _ => moved_position(mode, coordinate, size_f, false, offset),
        };
        // As `gather_texel`.
        let i = near_floor::<F>(x - 0.5) + offset;
        // The entries of a table.
        let inside = match mode {
            _ if MOVED => moved_entry::<F>(mode, i, size),
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
pub(super) struct Words<'a, 'b, const N: usize> {
    pub plane: &'a Plane<'b>,
    pub positions: &'a Positions,
    pub rows: &'a mut [Lanes; 4],
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
