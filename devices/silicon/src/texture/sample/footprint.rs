//! Where the texels of a wave lie: table entries, weights and borders per axis, and slices. Coordinates of one mip
//! level or of one per lane come in; [`Footprint`] comes out.

#![expect(
    clippy::needless_range_loop,
    reason = "a lane number indexes several rows"
)]

use super::moved::Moved;
use super::pairs::{Extent, Grid};
use super::rules::{
    self, FRACTION_BITS, ONE, exact_linear_texel, near_floor, near_linear_texel, near_position,
    position,
};
use super::scratch::{Plain, WaveFootprint};
use super::{Address, Dim, Filter, LANES, Lanes};
use crate::fragment::mask;
use crate::memory::plane::{Cut, Positions};
use crate::texture::exact::Exact;
use host::{Kernel, Rounding, SimdLevel};

/// Where the texels of a wave lie.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Footprint {
    /// Entries of the tables of x, y and slices.
    pub at: Positions,
    /// Weights of the second texels.
    pub w: [Lanes; 3],
    /// Lanes whose first and second texels are the border, per axis.
    pub outside: [[u64; 2]; 3],
    /// Texels before borders are known.
    pub numbers: [i32; LANES],
}

impl Footprint {
    pub const ZERO: Footprint = Footprint {
        at: Positions::ZERO,
        w: [[0; LANES]; 3],
        outside: [[0; 2]; 3],
        numbers: [0; LANES],
    };

    /// Lanes whose texel `tap` of the 2x2 of slice `k` is the border.
    #[inline(always)]
    pub fn border(&self, tap: usize, k: usize) -> u64 {
        let [x, y, z] = &self.outside;
        x[tap & 1] | y[tap >> 1 & 1] | z[k & 1]
    }

    /// Whether some lane sees the border.
    #[inline(always)]
    pub fn has_border(&self) -> bool {
        let [x, y, z] = self.outside.map(|[first, second]| first | second);
        x | y | z != 0
    }
}

/// Per lane: mip level sizes, table entries of texel 0, and bits that carry in sums of shares.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Extents {
    size: [[f32; LANES]; 3],
    start: [Lanes; 3],
    carries: Lanes,
}

impl Extents {
    pub const ZERO: Extents = Extents {
        size: [[0.0; LANES]; 3],
        start: [[0; LANES]; 3],
        carries: [0; LANES],
    };

    /// Sizes and table entries along an axis.
    #[inline(always)]
    pub fn along(&self, axis: usize) -> (&[f32; LANES], &Lanes) {
        (&self.size[axis], &self.start[axis])
    }

    /// Bits that carry in each lane's sum.
    pub fn carries(&self) -> &Lanes {
        &self.carries
    }

    /// Takes the numbers of level `levels[lane] + step`: along axes that the texture has.
    pub fn fill(&mut self, grid: &Grid, levels: &[i32; LANES], step: i32) {
        let axes = 2 + usize::from(grid.plane.is_deep());
        let of = |level: i32| {
            let level = level + step;
            (grid.extent(level), grid.join(level).carries())
        };
        let mut last = levels[0];
        let (mut extent, mut carries) = of(last);
        for (quad, levels) in levels.as_chunks::<4>().0.iter().enumerate() {
            // Mostly the lanes of a quad have the same, and often those of the one before.
            if *levels == [levels[0]; 4] {
                if levels[0] != last {
                    last = levels[0];
                    (extent, carries) = of(last);
                }
                for axis in 0..axes {
                    let (size, start) = extent[axis];
                    self.size[axis].as_chunks_mut().0[quad] = [size; 4];
                    self.start[axis].as_chunks_mut().0[quad] = [start; 4];
                }
                self.carries.as_chunks_mut().0[quad] = [carries; 4];
                continue;
            }
            for (lane, level) in levels.iter().enumerate() {
                let lane = 4 * quad + lane;
                let (extent, carries) = of(*level);
                for axis in 0..axes {
                    (self.size[axis][lane], self.start[axis][lane]) = extent[axis];
                }
                self.carries[lane] = carries;
            }
        }
    }
}

/// Wave-uniform settings of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rule {
    pub mode: Address,
    pub filter: Filter,
    /// Whether x and y are linear, which half-border modes ask.
    pub blends: bool,
    /// Whether weights of equal texels matter: sums of floats round by them.
    pub exact: bool,
}

/// Wave-uniform settings of all axes.
pub(super) type Rules = [Rule; 3];

/// Size and table entry of texel 0 on all axes, for one mip level or per lane.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Level(&'a Extent),
    Rows(&'a Extents),
}

impl Footprint {
    /// Finds the texels of a wave.
    pub fn find(
        &mut self,
        level: SimdLevel,
        grid: &Grid,
        rules: &Rules,
        source: Source,
        wave: &Plain,
    ) {
        if let Source::Rows(rows) = source {
            self.at.carry(rows.carries());
        }
        match wave.offsets {
            None => level.run(Find {
                grid,
                rules,
                source,
                wave,
                footprint: self,
            }),
            Some(offsets) => level.run(Moved {
                grid,
                rules,
                source,
                wave,
                offsets,
                footprint: self,
            }),
        }
    }
}

struct Find<'a> {
    grid: &'a Grid<'a>,
    rules: &'a Rules,
    source: Source<'a>,
    wave: &'a Plain<'a>,
    footprint: &'a mut Footprint,
}

impl Kernel for Find<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Find {
            grid,
            rules,
            source,
            wave,
            footprint,
        } = self;
        match source {
            Source::Level(extent) => {
                find_with::<R, _>(grid, rules, wave, footprint, |axis: usize| {
                    let along = extent[axis];
                    move |_| along
                });
            }
            Source::Rows(rows) => {
                find_with::<R, _>(grid, rules, wave, footprint, |axis: usize| {
                    let (size, start) = rows.along(axis);
                    move |l: usize| (size[l], start[l])
                });
            }
        }
    }
}

/// Finds the texels of a wave, with sizes and table entries of each lane along an axis.
#[inline(always)]
pub(super) fn find_with<F: Exact, E: Fn(usize) -> (f32, u32)>(
    grid: &Grid,
    rules: &Rules,
    wave: &Plain,
    footprint: &mut Footprint,
    along: impl Fn(usize) -> E,
) {
    let Footprint {
        at,
        w,
        outside,
        numbers,
    } = footprint;
    let dim = grid.dim();
    *outside = [[0; 2]; 3];
    for axis in 0..dim.axes() {
        let line = Line {
            rule: rules[axis],
            coords: wave.coords[axis],
            extent: along(axis),
        };
        let at = at.cut(&grid.plane, axis);
        line.run::<F>(at, &mut w[axis], numbers, &mut outside[axis]);
    }
    other_axes(grid, wave, footprint, along);
}

/// Finds lines and slices where coordinates do not say them.
#[inline(always)]
pub(super) fn other_axes<E: Fn(usize) -> (f32, u32)>(
    grid: &Grid,
    wave: &Plain,
    footprint: &mut Footprint,
    along: impl Fn(usize) -> E,
) {
    let Footprint { at, w, .. } = footprint;
    let dim = grid.dim();
    if dim == Dim::D1 {
        // The one line, without the next one.
        let mut at = at.cut(&grid.plane, 1);
        w[1] = [0; LANES];
        let extent = along(1);
        for l in 0..LANES {
            at.put(l, extent(l).1);
        }
    }
    if dim != Dim::D3 {
        let at = at.cut(&grid.plane, 2);
        if grid.plane.is_deep() {
            let extent = along(2);
            slices(grid, wave, at, |l: usize| extent(l).1);
        }
    }
}

/// Table entries of layers and faces.
#[inline(always)]
fn slices(grid: &Grid, wave: &Plain, mut at: Cut, start: impl Fn(usize) -> u32) {
    let number = |row: &Lanes, l: usize, count: u32| rules::layer(f32::from_bits(row[l]), count);
    let (layers, face) = (grid.layers(), wave.coords[2]);
    match (grid.dim() == Dim::Cube, wave.layer.filter(|_| layers > 1)) {
        (false, None) => {
            for l in 0..LANES {
                at.put(l, start(l));
            }
        }
        (false, Some(layer)) => {
            for l in 0..LANES {
                at.put(l, start(l).wrapping_add(number(layer, l, layers)));
            }
        }
        (true, None) => {
            for l in 0..LANES {
                at.put(l, start(l).wrapping_add(number(face, l, 6)));
            }
        }
        (true, Some(layer)) => {
            for l in 0..LANES {
                let slice = 6 * number(layer, l, layers) + number(face, l, 6);
                at.put(l, start(l).wrapping_add(slice));
            }
        }
    }
}

/// Coordinates along an axis.
pub(super) struct Line<'a, E> {
    pub rule: Rule,
    pub coords: &'a Lanes,
    pub extent: E,
}

/// Calls a macro with an axis's mode, whether positions are near those that tables have, and whether texels may be the
/// border, as constants.
macro_rules! by_mode {
    ($rule:expr, $call:ident $args:tt) => {
        match $rule.mode {
            Address::Repeat => $call!(Address::Repeat, true, false, $args),
            Address::Mirror => $call!(Address::Mirror, true, false, $args),
            Address::ClampToEdge if $rule.exact => {
                $call!(Address::ClampToEdge, false, false, $args)
            }
            Address::ClampToEdge => $call!(Address::ClampToEdge, true, false, $args),
            Address::MirrorClampToEdge => $call!(Address::MirrorClampToEdge, false, false, $args),
            Address::HalfBorder => $call!(Address::HalfBorder, false, true, $args),
            Address::MirrorHalfBorder => $call!(Address::MirrorHalfBorder, false, true, $args),
            Address::Border => $call!(Address::Border, false, true, $args),
            Address::MirrorBorder => $call!(Address::MirrorBorder, false, true, $args),
        }
    };
}

pub(super) use by_mode;

/// Finds the texels of a line.
macro_rules! one_line {
    ($mode:expr, $near:literal, $borders:literal, ($line:expr, $at:expr, $w:expr, $numbers:expr, $outside:expr)) => {{
        $line.find::<F>($mode, $near, $at, $w, $numbers);
        if $borders {
            *$outside = $line.borders($mode, $numbers);
        }
    }};
}

/// Finds the texels of several waves along an axis.
macro_rules! all_lines {
    ($mode:expr, $near:literal, $borders:literal, ($grid:expr, $rule:expr, ($axis:expr, $along:expr), $waves:expr, $places:expr, $step:expr)) => {
        for (wave, places) in $waves.iter().zip(&mut *$places) {
            let line = Line {
                rule: $rule,
                coords: wave.coords[$axis],
                extent: move |_| $along,
            };
            let Footprint {
                at,
                w,
                outside,
                numbers,
            } = &mut places.footprint[$step];
            let (at, w, outside) = (
                at.cut(&$grid.plane, $axis),
                &mut w[$axis],
                &mut outside[$axis],
            );
            one_line!($mode, $near, $borders, (line, at, w, numbers, outside));
        }
    };
}

/// Finds the texels of waves in a level that they share, to footprints of that step: axis by axis, as the choice of code
/// costs as much as a row.
#[inline(always)]
pub(super) fn find_all<F: Exact>(
    grid: &Grid,
    rules: &Rules,
    extent: &Extent,
    waves: &[Plain],
    (places, step): (&mut [WaveFootprint], usize),
) {
    let step = step & 1;
    let dim = grid.dim();
    for places in &mut *places {
        places.footprint[step].outside = [[0; 2]; 3];
    }
    for (axis, rule) in rules.iter().enumerate().take(dim.axes()) {
        let (rule, along) = (*rule, extent[axis]);
        by_mode!(
            rule,
            all_lines(grid, rule, (axis, along), waves, places, step)
        );
    }
    for (wave, places) in waves.iter().zip(places) {
        let along = |axis: usize| {
            let along = extent[axis];
            move |_| along
        };
        other_axes(grid, wave, &mut places.footprint[step], along);
    }
}

impl<E: Fn(usize) -> (f32, u32)> Line<'_, E> {
    /// Finds table entries, weights of the second texels, and which of the two are the border where some may be.
    #[inline(always)]
    fn run<F: Exact>(
        &self,
        at: Cut,
        w: &mut Lanes,
        numbers: &mut [i32; LANES],
        outside: &mut [u64; 2],
    ) {
        by_mode!(self.rule, one_line(self, at, w, numbers, outside));
    }

    /// The same for one mode; near positions are clamped to what tables have.
    #[inline(always)]
    fn find<F: Exact>(
        &self,
        mode: Address,
        near: bool,
        mut at: Cut,
        w: &mut Lanes,
        numbers: &mut [i32; LANES],
    ) {
        use Address::{Border, ClampToEdge, HalfBorder, MirrorClampToEdge};
        let inside = |i: i32, size: f32| match mode {
            _ if near => i,
            ClampToEdge | HalfBorder | Border => i.max(-1).min(size as i32),
            _ => i.max(-1 - size as i32).min(size as i32),
        };
        let keeps = !near && !matches!(mode, ClampToEdge | MirrorClampToEdge);
        match self.rule.filter {
            Filter::Linear => {
                for l in 0..LANES {
                    let (size, start) = (self.extent)(l);
                    let s = f32::from_bits(self.coords[l]);
                    let (i, weight) = if near {
                        let q = near_linear_texel::<F>(near_position::<F>(
                            mode,
                            s,
                            size * ONE as i32 as f32,
                        ));
                        (q >> FRACTION_BITS, q as u32 & (ONE - 1))
                    } else {
                        exact_linear_texel::<F>(position(mode, s, size, false))
                    };
                    at.put(l, start.wrapping_add(inside(i, size) as u32));
                    w[l] = weight;
                    if keeps {
                        numbers[l] = i;
                    }
                }
            }
            Filter::Nearest => {
                for l in 0..LANES {
                    let (size, start) = (self.extent)(l);
                    let s = f32::from_bits(self.coords[l]);
                    let i = near_floor::<F>(match near {
                        true => near_position::<F>(mode, s, size),
                        false => position(mode, s, size, false),
                    });
                    at.put(l, start.wrapping_add(inside(i, size) as u32));
                    if keeps {
                        numbers[l] = i;
                    }
                }
            }
        }
    }

    /// Lanes whose texels of these numbers, and next to them, are the border. Numbers are used up.
    #[inline(always)]
    pub fn borders(&self, mode: Address, numbers: &mut [i32; LANES]) -> [u64; 2] {
        let blends = self.rule.blends || matches!(mode, Address::Border | Address::MirrorBorder);
        if !blends {
            return [0; 2];
        }
        let mirrors = matches!(mode, Address::MirrorHalfBorder | Address::MirrorBorder);
        for l in 0..LANES {
            let (size, _) = (self.extent)(l);
            let (first, size) = (numbers[l], size as i32);
            let next = first + 1;
            let mirrored = |i: i32| if mirrors && i < 0 { -1 - i } else { i };
            let (first, next) = (mirrored(first), mirrored(next));
            let first = i32::from((first < 0) | (first >= size));
            let next = i32::from((next < 0) | (next >= size));
            numbers[l] = first | next << 1;
        }
        let second = match self.rule.filter {
            Filter::Linear => mask::collect(|l| numbers[l] & 2 != 0),
            Filter::Nearest => 0,
        };
        [mask::collect(|l| numbers[l] & 1 != 0), second]
    }
}
