//! Positions of a wave in neighbour tables, with the weights of the reference: sums of floats round by them.

#![expect(
    clippy::needless_range_loop,
    reason = "a lane number indexes several rows"
)]

use super::footprint::Source;
use super::rules::{
    FRACTION_BITS, ONE, each_mode, exact_linear_texel, moved_entry, moved_position, near_floor,
    near_linear_texel, near_position, offset, position, wrap_near,
};
use super::stages::{Axis, AxisRule};
use super::{Address, LANES, Lanes};
use crate::memory::plane::Cut;
use crate::texture::exact::Exact;
use host::{Kernel, Rounding};

/// Coordinates along an axis to table entries and weights; texel numbers are those of borders only.
pub(super) struct Place<'a> {
    pub rule: AxisRule,
    pub number: usize,
    pub coords: &'a Lanes,
    pub offsets: Option<&'a Lanes>,
    pub source: Source<'a>,
    pub at: Cut<'a>,
    pub axis: &'a mut Axis,
}

impl Kernel for Place<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Place {
            rule,
            number,
            coords,
            offsets,
            source,
            at,
            axis,
        } = self;
        axis.count = 1 + usize::from(rule.linear);
        let rows = (coords, offsets, number);
        match source {
            Source::Level(extent) => {
                let extent = extent[number];
                modes::<R>(rule, rows, |_| extent, at, axis);
            }
            Source::Rows(extents) => {
                let (size, start) = extents.along(number);
                modes::<R>(rule, rows, |l: usize| (size[l], start[l]), at, axis);
            }
        }
    }
}

#[inline(always)]
fn modes<F: Exact>(
    rule: AxisRule,
    (coords, offsets, number): (&Lanes, Option<&Lanes>, usize),
    extent: impl Fn(usize) -> (f32, u32),
    at: Cut,
    axis: &mut Axis,
) {
    match offsets {
        None => {
            let rows = (coords, &[0; LANES], number);
            each_mode!(rule.mode, MODE => place::<F, false>(MODE, rule, rows, extent, at, axis));
        }
        Some(offsets) => {
            let rows = (coords, offsets, number);
            each_mode!(rule.mode, MODE => place::<F, true>(MODE, rule, rows, extent, at, axis));
        }
    }
}

#[inline(always)]
fn place<F: Exact, const MOVED: bool>(
    mode: Address,
    rule: AxisRule,
    (coords, offsets, number): (&Lanes, &Lanes, usize),
    extent: impl Fn(usize) -> (f32, u32),
    mut at: Cut,
    axis: &mut Axis,
) {
    use Address::{Border, ClampToEdge, HalfBorder, Mirror, MirrorClampToEdge, Repeat};
    // The entries of a table.
    let inside = |i: i32, size: f32| match mode {
        _ if MOVED => moved_entry::<F>(mode, i, size as i32),
        Repeat | Mirror => i,
        ClampToEdge | HalfBorder | Border => i.max(-1).min(size as i32),
        _ => i.max(-1 - size as i32).min(size as i32),
    };
    let borders = !matches!(mode, Repeat | Mirror | ClampToEdge | MirrorClampToEdge);
    // A position, and what of the offset is added to texel numbers.
    let moved = |l: usize, coordinate: f32, size: f32| match mode {
        Repeat | Mirror => (0.0, offset(offsets[l], number)),
        _ => moved_position(mode, coordinate, size, false, offset(offsets[l], number)),
    };
    let [i0, i1] = &mut axis.i;
    let [w0, w1] = &mut axis.w;
    if rule.linear {
        for l in 0..LANES {
            let (size, start) = extent(l);
            let coordinate = f32::from_bits(coords[l]);
            let (i, w) = match mode {
                Repeat | Mirror => {
                    let x = near_position::<F>(mode, coordinate, size * ONE as i32 as f32);
                    let q = near_linear_texel::<F>(x);
                    let (_, by) = if MOVED {
                        moved(l, coordinate, size)
                    } else {
                        (0.0, 0)
                    };
                    ((q >> FRACTION_BITS) + by, q as u32 & (ONE - 1))
                }
                _ if MOVED => {
                    let (x, by) = moved(l, coordinate, size);
                    let (i, w) = exact_linear_texel::<F>(x);
                    (i + by, w)
                }
                _ => exact_linear_texel::<F>(position(mode, coordinate, size, false)),
            };
            at.put(l, start.wrapping_add(inside(i, size) as u32));
            w0[l] = ONE - w;
            w1[l] = w;
            if borders {
                i0[l] = wrap_near(mode, i, size as i32, rule.blends);
                i1[l] = wrap_near(mode, i + 1, size as i32, rule.blends);
            }
        }
    } else {
        for l in 0..LANES {
            let (size, start) = extent(l);
            let coordinate = f32::from_bits(coords[l]);
            let (x, by) = if MOVED {
                moved(l, coordinate, size)
            } else {
                (0.0, 0)
            };
            let i = near_floor::<F>(match mode {
                Repeat | Mirror => near_position::<F>(mode, coordinate, size),
                _ if MOVED => x,
                _ => position(mode, coordinate, size, false),
            }) + by;
            at.put(l, start.wrapping_add(inside(i, size) as u32));
            if borders {
                i0[l] = wrap_near(mode, i, size as i32, rule.blends);
            }
        }
        *w0 = [ONE; LANES];
    }
}

/// Table entries of slices, or of the one line of a row of texels.
pub(super) struct Slices<'a> {
    pub number: usize,
    pub slice: Option<&'a Lanes>,
    pub source: Source<'a>,
    pub at: Cut<'a>,
}

impl Kernel for Slices<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Slices {
            number,
            slice,
            source,
            mut at,
        } = self;
        let slice = slice.unwrap_or(&[0; LANES]);
        match source {
            Source::Level(extent) => {
                let (_, start) = extent[number];
                for l in 0..LANES {
                    at.put(l, start.wrapping_add(slice[l]));
                }
            }
            Source::Rows(rows) => {
                let (_, start) = rows.along(number);
                for l in 0..LANES {
                    at.put(l, start[l].wrapping_add(slice[l]));
                }
            }
        }
    }
}
