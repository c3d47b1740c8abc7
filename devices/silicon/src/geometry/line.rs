//! Lines: the rectangle or parallelogram of a wide one, the diamond-exit pixels of a thin one.

use crate::fragment::edges::{Edge, Edges};
use crate::fragment::multisample::Samples;
use crate::fragment::raster::Coverage;
use crate::fragment::tile::{Rect, TILE, lane};
use crate::geometry::setup::{Grid, Primitive, Shape};

/// The four edges around a line: two across its ends, two along its sides.
#[inline(always)]
pub(crate) fn edges(primitive: &Primitive) -> [Edge; 4] {
    match primitive.shape {
        Shape::UprightLine => parallelogram(primitive, primitive.x, primitive.y),
        Shape::LevelLine => {
            let swapped = parallelogram(primitive, primitive.y, primitive.x);
            swapped.map(|Edge { a, b, c }| Edge { a: b, b: a, c })
        }
        _ => rectangle(primitive),
    }
}

/// The edges of a line along `u` whose ends are at right angles to that axis.
fn parallelogram(primitive: &Primitive, u: [i32; 3], v: [i32; 3]) -> [Edge; 4] {
    let ([u0, u1, _], [v0, v1, _]) = (u.map(i64::from), v.map(i64::from));
    let (du, dv) = (u1 - u0, v1 - v0);
    if du == 0 {
        return [Edge { a: 0, b: 0, c: -1 }; 4];
    }
    let sign = du.signum();
    // How far a place is off the line along v, times the line's length along u.
    let c = dv * u0 - du * v0;
    let half = du.abs() * i64::from(primitive.size) / 2;
    [
        Edge {
            a: sign,
            b: 0,
            c: -sign * u0,
        },
        Edge {
            a: -sign,
            b: 0,
            c: sign * u1,
        },
        Edge {
            a: -dv,
            b: du,
            c: c + half,
        },
        Edge {
            a: dv,
            b: -du,
            c: half - c,
        },
    ]
}

/// The rectangle around a line. [VULKAN Basic Line Segment Rasterization, strictLines]
#[inline(always)]
fn rectangle(primitive: &Primitive) -> [Edge; 4] {
    let Edges { edges, area } = Edges::weights(primitive);
    let [back, along, _] = edges;
    // Distance from the line times its length, so that it is an integer function of the grid.
    let (x, y) = (i64::from(primitive.x[0]), i64::from(primitive.y[0]));
    let (a, b) = (-along.b, along.a);
    let c = -(a * x + b * y);
    let half = ((area as f64).sqrt() * f64::from(primitive.size) * 0.5).round_ties_even() as i64;
    [
        back,
        along,
        Edge { a, b, c: c + half },
        Edge {
            a: -a,
            b: -b,
            c: half - c,
        },
    ]
}

/// A thin line along its longer axis, x or y.
pub(crate) struct Span {
    /// The longer axis is y.
    pub(crate) steep: bool,
    /// The line goes to larger coordinates of the axis.
    pub(crate) forward: bool,
    /// First and last pixel on the axis; none when `last` is below `first`.
    pub(crate) first: i64,
    /// Last pixel on the axis.
    pub(crate) last: i64,
    start: (i64, i64),
    major: i64,
    minor: i64,
}

impl Span {
    /// The diamond-exit rule: one pixel per step of the major axis, if the segment leaves that pixel's diamond (a start
    /// past the middle of the diamond leaves it too). Both ends are nudged left, and far less up, so none is on a
    /// border. `None` if no diamond is left.
    pub(crate) fn new(grid: Grid, primitive: &Primitive) -> Option<Span> {
        let (dx, dy) = (
            i64::from(primitive.x[1]) - i64::from(primitive.x[0]),
            i64::from(primitive.y[1]) - i64::from(primitive.y[0]),
        );
        let steep = dy.abs() > dx.abs();
        let at = |k: usize| {
            let (x, y) = (i64::from(primitive.x[k]), i64::from(primitive.y[k]));
            if steep { (y, x) } else { (x, y) }
        };
        let (start, end) = (at(0), at(1));
        let (major, minor) = (end.0 - start.0, end.1 - start.1);
        if major == 0 {
            return None;
        }
        let unit = i64::from(grid.unit());
        let half = unit / 2;
        let forward = major > 0;
        // Pixels whose middle lies between the ends; a middle exactly at an end counts as behind it.
        let ceil = |v: i64| (v - half + unit - 1).div_euclid(unit);
        let (low, high) = (start.0.min(end.0), start.0.max(end.0));
        let (mut first, mut last) = (ceil(low), ceil(high) - 1);
        let middle = |v: i64| (v - 1).div_euclid(unit) * unit + half;
        let diamond = |p: (i64, i64)| {
            let (u, v) = (p.0 - middle(p.0), p.1 - middle(p.1));
            let right = if steep { v > 0 } else { u > 0 };
            u.abs() + v.abs() < half + i64::from(right)
        };
        let passed = |p: (i64, i64)| (p.0 > middle(p.0)) == forward;
        if diamond(start) && passed(start) {
            if forward {
                first -= 1;
            } else {
                last += 1;
            }
        }
        if diamond(end) && passed(end) {
            if forward {
                last -= 1;
            } else {
                first += 1;
            }
        }
        Some(Span {
            steep,
            forward,
            first,
            last,
            start,
            major,
            minor,
        })
    }

    /// Columns and lines of the pixels from `first` to `last` on the axis.
    fn pixels(&self, grid: Grid, [first, last]: [i64; 2]) -> impl Iterator<Item = (i32, i32)> {
        let unit = i64::from(grid.unit());
        let middle = first * unit + unit / 2;
        // start.1 + (middle - start.0) * minor / major, in whole pixels.
        let crossing = (self.start.1 * self.major + (middle - self.start.0) * self.minor)
            * self.major.signum();
        // Ties: the nudged line is above the border, or left of it if steep; a falling one is below.
        let falls = !self.steep && self.minor.signum() == self.major.signum();
        let crossing = crossing - i64::from(!falls);
        let pixel = self.major.abs() * unit;
        let (mut v, mut rest) = (crossing.div_euclid(pixel), crossing.rem_euclid(pixel));
        // One pixel along the axis is at most one across it.
        let step = unit * self.minor * self.major.signum();
        let steep = self.steep;
        (first..last + 1).map(move |u| {
            let at = if steep { (v, u) } else { (u, v) };
            rest += step;
            let (over, under) = (rest >= pixel, rest < 0);
            v += i64::from(over) - i64::from(under);
            rest += if under { pixel } else { 0 } - if over { pixel } else { 0 };
            (at.0 as i32, at.1 as i32)
        })
    }
}

/// The pixels of a thin line by the diamond-exit rule. [VULKAN Bresenham Line Segment Rasterization]
pub(crate) fn walk(
    grid: Grid,
    primitive: &Primitive,
    area: Rect,
    samples: &Samples,
    out: &mut Coverage,
) {
    let Some(span) = Span::new(grid, primitive) else {
        return;
    };
    let (low, high) = if span.steep {
        (area.y0, area.y1)
    } else {
        (area.x0, area.x1)
    };
    let mut tile: Option<(i32, i32, u64)> = None;
    let first = span.first.max(low.into());
    let last = span.last.min(i64::from(high) - 1);
    for (x, y) in span.pixels(grid, [first, last]) {
        if x < area.x0 || x >= area.x1 || y < area.y0 || y >= area.y1 {
            continue;
        }
        let (tx, ty) = (x & -TILE, y & -TILE);
        let bit = 1u64 << lane((x - tx) as u32, (y - ty) as u32);
        tile = match tile {
            Some((x, y, mask)) if (x, y) == (tx, ty) => Some((x, y, mask | bit)),
            Some((x, y, mask)) => {
                out.push(x, y, mask, samples);
                Some((tx, ty, bit))
            }
            None => Some((tx, ty, bit)),
        };
    }
    if let Some((x, y, mask)) = tile {
        out.push(x, y, mask, samples);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::setup::Shape;
    use std::collections::BTreeSet;

    /// Sub-units per grid unit for the nudge of both ends: far more left than up, below one grid step.
    const UNIT: i128 = 1 << 44;
    const LEFT: i128 = 1 << 30;
    const UP: i128 = 1 << 10;

    /// Whether a segment meets the diamond around a centre, and ends outside of it. [VULKAN Bresenham Line Segment
    /// Rasterization]
    fn leaves([start, end]: [[i128; 2]; 2], centre: [i128; 2]) -> bool {
        let [mut low, mut high] = [(0, 1), (1, 1)];
        let less = |a: (i128, i128), b: (i128, i128)| a.0 * b.1 < b.0 * a.1;
        let mut ends_inside = true;
        for [s, t] in [[1, 1], [1, -1], [-1, 1], [-1, -1]] {
            // Negative inside of the edge.
            let side = |p: [i128; 2]| s * (p[0] - centre[0]) + t * (p[1] - centre[1]) - UNIT / 2;
            let (a, b) = (side(start), side(end));
            ends_inside &= b < 0;
            match (a < 0, b < 0) {
                (true, true) => {}
                (false, false) => return false,
                (true, false) if less((-a, b - a), high) => high = (-a, b - a),
                (false, true) if less(low, (a, a - b)) => low = (a, a - b),
                _ => {}
            }
        }
        !ends_inside && less(low, high)
    }

    /// Every line between places of a coarse grid, where most are on borders, and random ones.
    #[test]
    fn pixels_whose_diamonds_are_left() {
        let grid = Grid::new(8);
        let mut state = 1u32;
        let mut random = |most: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % most
        };
        let mut lines = Vec::new();
        for n in 0..9u32.pow(4) {
            lines.push(
                [n % 9, n / 9 % 9, n / 81 % 9, n / 729].map(|place| place as i32 * 128 + 256),
            );
        }
        for step in [1, 2, 16, 64] {
            lines.extend((0..1000).map(|_| [(); 4].map(|()| (random(1536 / step) * step) as i32)));
        }
        for [x0, y0, x1, y1] in lines {
            let primitive = Primitive {
                x: [x0, x1, x1],
                y: [y0, y1, y1],
                z: [0.0; 3],
                inv_w: [1.0; 3],
                id: 0,
                corners: 0,
                size: 256,
                shape: Shape::ThinLine,
                front: true,
                viewport: 0,
                coverage_2x2: 0,
            };
            let moved = |x: i32, y: i32| {
                let place = |v: i32| i128::from(v) * (UNIT >> 8);
                [place(x) - LEFT, place(y) - UP]
            };
            let ends = [moved(x0, y0), moved(x1, y1)];
            let mut expected = BTreeSet::new();
            for (x, y) in (-1..7).flat_map(|y| (-1..7).map(move |x| (x, y))) {
                if leaves(ends, [x, y].map(|v: i32| i128::from(v) * UNIT + UNIT / 2)) {
                    expected.insert((x, y));
                }
            }
            let span = Span::new(grid, &primitive);
            let found: BTreeSet<_> = span
                .iter()
                .flat_map(|span| span.pixels(grid, [span.first, span.last]))
                .collect();
            assert_eq!(found, expected, "{x0},{y0} to {x1},{y1}");
            // From any pixel on, as parts of a line are drawn.
            for u in span.iter().flat_map(|span| span.first..span.last + 1) {
                let Some(span) = &span else { continue };
                let one: Vec<_> = span.pixels(grid, [u, u]).collect();
                assert!(one.len() == 1 && found.contains(&one[0]));
            }
        }
    }
}
