//! Lines: the rectangle of a wide one, the pixels of a thin one.

use crate::edges::{Edge, Edges};
use crate::multisample::Samples;
use crate::raster::Coverage;
use crate::setup::{Grid, Primitive};
use crate::tile::{Rect, TILE, lane};

/// The four edges of the rectangle around a line: two across its ends, two along its sides.
/// [VULKAN Basic Line Segment Rasterization, strictLines]
#[inline(always)]
pub(crate) fn rectangle(primitive: &Primitive) -> [Edge; 4] {
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
    /// Along the longer axis the line crosses the middle of one pixel per column (or per line of pixels); that pixel's
    /// diamond is left unless the segment ends inside it. A start right of the middle but inside the diamond leaves it
    /// too. On a border the larger coordinate wins. Nothing for a line that leaves no diamond.
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
        // Pixels whose middle is in start..end, in the direction of the line.
        let ceil = |v: i64| (v - half + unit - 1).div_euclid(unit);
        let floor = |v: i64| (v - half).div_euclid(unit);
        let (mut first, mut last) = if forward {
            (ceil(start.0), ceil(end.0) - 1)
        } else {
            (floor(end.0) + 1, floor(start.0))
        };
        let pixel = |p: (i64, i64)| (p.0.div_euclid(unit), p.1.div_euclid(unit));
        let diamond = |p: (i64, i64)| {
            let (u, v) = pixel(p);
            (p.0 - u * unit - half).abs() + (p.1 - v * unit - half).abs() < half
        };
        let passed = |p: (i64, i64)| {
            let middle = pixel(p).0 * unit + half;
            if forward { p.0 > middle } else { p.0 < middle }
        };
        if diamond(start) && diamond(end) && pixel(start) == pixel(end) {
            return None;
        }
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

    /// Column and line of the pixel at `u` on the axis.
    fn pixel(&self, grid: Grid, u: i64) -> (i32, i32) {
        let unit = i64::from(grid.unit());
        let middle = u * unit + unit / 2;
        // start.1 + (middle - start.0) * minor / major, in whole pixels.
        let crossing = (self.start.1 * self.major + (middle - self.start.0) * self.minor)
            * self.major.signum();
        let v = crossing.div_euclid(self.major.abs() * unit);
        if self.steep {
            (v as i32, u as i32)
        } else {
            (u as i32, v as i32)
        }
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
    for u in span.first.max(i64::from(low))..=span.last.min(i64::from(high) - 1) {
        let (x, y) = span.pixel(grid, u);
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
