//! Footprints with texel offsets: those of [`super::footprint`] with texel numbers that are moved, and wrapped again where
//! a mode wraps.

#![expect(
    clippy::needless_range_loop,
    reason = "a lane number indexes several rows"
)]

use super::footprint::{Footprint, Line, Rules, Source, by_mode, other_axes};
use super::pairs::Grid;
use super::rules::{
    exact_linear_texel, moved_entry, moved_position, near_floor, near_position, offset,
};
use super::scratch::Plain;
use super::{Address, Filter, LANES, Lanes};
use crate::memory::plane::Cut;
use crate::texture::exact::Exact;
use host::{Kernel, Rounding};

/// Finds the texels of a line.
macro_rules! moved_line {
    ($mode:expr, $near:literal, $borders:literal, ($line:expr, $moved:expr, $at:expr, $w:expr, $numbers:expr, $outside:expr)) => {{
        $line.find_moved::<F, $borders>($mode, $moved, $at, (&mut *$w, &mut *$numbers));
        if $borders {
            *$outside = $line.borders($mode, $numbers);
        }
    }};
}

/// Finds the texels of a wave.
pub(super) struct Moved<'a> {
    pub grid: &'a Grid<'a>,
    pub rules: &'a Rules,
    pub source: Source<'a>,
    pub wave: &'a Plain<'a>,
    pub offsets: &'a Lanes,
    pub footprint: &'a mut Footprint,
}

impl Kernel for Moved<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        match self.source {
            Source::Level(extent) => {
                self.find::<R, _>(|axis: usize| {
                    let along = extent[axis];
                    move |_| along
                });
            }
            Source::Rows(rows) => {
                self.find::<R, _>(|axis: usize| {
                    let (size, start) = rows.along(axis);
                    move |l: usize| (size[l], start[l])
                });
            }
        }
    }
}

impl Moved<'_> {
    #[inline(always)]
    fn find<F: Exact, E: Fn(usize) -> (f32, u32)>(self, along: impl Fn(usize) -> E) {
        let Moved {
            grid,
            rules,
            wave,
            offsets,
            footprint,
            ..
        } = self;
        let Footprint {
            at,
            w,
            outside,
            numbers,
        } = footprint;
        *outside = [[0; 2]; 3];
        for axis in 0..grid.dim().axes() {
            let line = Line {
                rule: rules[axis],
                coords: wave.coords[axis],
                extent: along(axis),
            };
            let at = at.cut(&grid.plane, axis);
            let (w, outside) = (&mut w[axis], &mut outside[axis]);
            by_mode!(
                line.rule,
                moved_line(line, (offsets, axis), at, w, numbers, outside)
            );
        }
        other_axes(grid, wave, footprint, along);
    }
}

impl<E: Fn(usize) -> (f32, u32)> Line<'_, E> {
    /// Finds table entries, weights of the second texels, and numbers where some may be the border.
    #[inline(always)]
    fn find_moved<F: Exact, const BORDERS: bool>(
        &self,
        mode: Address,
        (offsets, axis): (&Lanes, usize),
        mut at: Cut,
        (w, numbers): (&mut Lanes, &mut [i32; LANES]),
    ) {
        use Address::{Mirror, Repeat};
        // A position, and what is added to texel numbers there.
        let position = |l: usize, size: f32| {
            let (s, by) = (f32::from_bits(self.coords[l]), offset(offsets[l], axis));
            match mode {
                Repeat | Mirror => (near_position::<F>(mode, s, size), by),
                _ => moved_position(mode, s, size, false, by),
            }
        };
        match self.rule.filter {
            Filter::Linear => {
                for l in 0..LANES {
                    let (size, start) = (self.extent)(l);
                    let (x, by) = position(l, size);
                    let (i, weight) = exact_linear_texel::<F>(x);
                    let entry = moved_entry::<F>(mode, i + by, size as i32);
                    at.put(l, start.wrapping_add(entry as u32));
                    w[l] = weight;
                    if BORDERS {
                        numbers[l] = i + by;
                    }
                }
            }
            Filter::Nearest => {
                for l in 0..LANES {
                    let (size, start) = (self.extent)(l);
                    let (x, by) = position(l, size);
                    let i = near_floor::<F>(x) + by;
                    let entry = moved_entry::<F>(mode, i, size as i32);
                    at.put(l, start.wrapping_add(entry as u32));
                    if BORDERS {
                        numbers[l] = i;
                    }
                }
            }
        }
    }
}
