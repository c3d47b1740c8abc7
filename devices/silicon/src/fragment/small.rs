//! Coverage of small triangles at one sample per pixel. Same masks as [`super::raster`], with edge functions in 32 bits
//! relative to the first tile; the smallest bring a 2x2 coverage from culling.

pub(crate) mod samples;

use crate::fragment::mask;
use crate::fragment::raster::{self, Coverage, Covered, Steps, lanes_inside};
use crate::fragment::tile::{LANE_X, LANE_Y, Rect, TILE, lane};
use crate::geometry::setup::{Grid, Primitive};
use host::{Kernel, Rounding, SimdLevel};

/// Extent of a small triangle in grid units: products of its coordinates fit 32 bits.
const SMALL: i32 = 1 << 13;

#[inline(always)]
pub(crate) fn is_small(triangle: &Primitive) -> bool {
    let extent = |v: &[i32; 3]| v[0].max(v[1]).max(v[2]) - v[0].min(v[1]).min(v[2]);
    extent(&triangle.x) < SMALL && extent(&triangle.y) < SMALL
}

/// An edge: inside are the pixels, counted from the first tile, where `a * x + b * y + c >= 0`.
#[derive(Clone, Copy, Default)]
struct Edge {
    a: i32,
    b: i32,
    c: i32,
}

impl Edge {
    #[inline(always)]
    fn at(&self, x: i32, y: i32) -> i32 {
        self.c + self.a * x + self.b * y
    }
}

/// Coverage of a primitive within 2x2 pixels: its tiles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coverage2x2 {
    tiles: [Covered; 4],
    count: usize,
}

impl Coverage2x2 {
    /// No pixel.
    pub(crate) const EMPTY: Coverage2x2 = Coverage2x2 {
        tiles: [Covered {
            x: 0,
            y: 0,
            mask: 0,
        }; 4],
        count: 0,
    };

    /// Adds the pixels of `coverage_2x2` inside an area; the first pixel is at `x`, `y`. In place, as a result is moved by
    /// wide loads that wait for the narrow stores before them.
    #[inline(always)]
    pub(crate) fn cover(&mut self, coverage_2x2: u8, (x, y): (i32, i32), area: Rect) {
        let column = |x: i32, coverage_2x2: u8| {
            if area.x0 <= x && x < area.x1 {
                coverage_2x2
            } else {
                0
            }
        };
        let line = |y: i32, coverage_2x2: u8| {
            if area.y0 <= y && y < area.y1 {
                coverage_2x2
            } else {
                0
            }
        };
        let columns = column(x, 0b0101) | column(x + 1, 0b1010);
        let coverage_2x2 = coverage_2x2 & columns & (line(y, 0b0011) | line(y + 1, 0b1100));
        let last = TILE - 1;
        match (x & last == last, y & last == last) {
            (false, false) => self.add(coverage_2x2, x, y),
            (true, false) => {
                self.add(coverage_2x2 & 0b0101, x, y);
                self.add(coverage_2x2 >> 1 & 0b0101, x + 1, y);
            }
            (false, true) => {
                self.add(coverage_2x2 & 0b0011, x, y);
                self.add(coverage_2x2 >> 2, x, y + 1);
            }
            (true, true) => {
                self.add(coverage_2x2 & 1, x, y);
                self.add(coverage_2x2 >> 1 & 1, x + 1, y);
                self.add(coverage_2x2 >> 2 & 1, x, y + 1);
                self.add(coverage_2x2 >> 3, x + 1, y + 1);
            }
        }
    }

    /// Adds pixels of a 2x2 area, all of them in the tile of the first pixel.
    #[inline(always)]
    fn add(&mut self, coverage_2x2: u8, x: i32, y: i32) {
        let (left, right) = (SPREAD[(x & 7) as usize], SPREAD[((x + 1) & 7) as usize]);
        let (top, below) = (
            2 * SPREAD[(y & 7) as usize],
            2 * SPREAD[((y + 1) & 7) as usize],
        );
        let bit = |n: u32, lane: u32| u64::from(coverage_2x2 >> n & 1) << lane;
        let mask =
            bit(0, left | top) | bit(1, right | top) | bit(2, left | below) | bit(3, right | below);
        if mask != 0 {
            self.tiles[self.count & 3] = Covered {
                x: x & -TILE,
                y: y & -TILE,
                mask,
            };
            self.count += 1;
        }
    }

    /// The tiles, line by line.
    #[inline(always)]
    pub(crate) fn tiles(&self) -> &[Covered] {
        &self.tiles[..self.count.min(4)]
    }
}

/// Lanes of the first line of a tile.
const SPREAD: [u32; 8] = {
    let mut lanes = [0; 8];
    let mut x = 0;
    while x < 8 {
        lanes[x] = lane(x as u32, 0);
        x += 1;
    }
    lanes
};

/// [`Primitive::coverage_2x2`] of a point with one sample per pixel, from its bounds.
#[inline]
pub(crate) fn dots_of_point(grid: Grid, point: &Primitive, bounds: Rect) -> u8 {
    if bounds.x1 - bounds.x0 > 2 || bounds.y1 - bounds.y0 > 2 {
        return 0;
    }
    let covered = raster::pixels_of_point(grid, point, (8, 8));
    let inside = |i: i32, j: i32| {
        let (x, y) = (bounds.x0 + i, bounds.y0 + j);
        covered.x0 <= x && x < covered.x1 && covered.y0 <= y && y < covered.y1
    };
    let bit = |n: u32, i: i32, j: i32| u8::from(inside(i, j)) << n;
    bit(0, 0, 0) | bit(1, 1, 0) | bit(2, 0, 1) | bit(3, 1, 1)
}

/// Appends the tiles of a small triangle. `area` is not empty and inside its bounds.
#[inline]
pub(crate) fn triangle(
    level: SimdLevel,
    grid: Grid,
    triangle: &Primitive,
    area: Rect,
    out: &mut Coverage,
) {
    let (left, top) = (area.x0 & -TILE, area.y0 & -TILE);
    if area.x1 - area.x0 > TILE || area.y1 - area.y0 > TILE {
        tiles(level, &pixel_edges(grid, triangle, left, top), area, out);
        return;
    }
    let inside = level.run(InWindow {
        grid,
        triangle,
        tile: packed([left, top]),
        first: packed([area.x0 - left, area.y0 - top]),
    });
    for y in (top..area.y1).step_by(TILE as usize) {
        for x in (left..area.x1).step_by(TILE as usize) {
            let mask = inside & area.mask(x, y);
            if mask != 0 {
                out.tiles.push(Covered { x, y, mask });
            }
        }
    }
}

/// Pixels of an 8x8 window that begins anywhere in the first tile, each in the lane that it has in its tile.
struct InWindow<'a> {
    grid: Grid,
    triangle: &'a Primitive,
    /// First pixel of the first tile, [`packed`].
    tile: u64,
    /// The first pixel, counted from the first tile.
    first: u64,
}

/// Two numbers in one word: a wide load of both waits for narrow stores before it.
#[inline(always)]
fn packed([x, y]: [i32; 2]) -> u64 {
    u64::from(x as u32) | u64::from(y as u32) << 32
}

#[inline(always)]
fn unpacked(both: u64) -> [i32; 2] {
    [both as i32, (both >> 32) as i32]
}

impl Kernel for InWindow<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<R: Rounding>(self) -> u64 {
        let InWindow {
            grid,
            triangle,
            tile,
            first,
        } = self;
        let ([left, top], first) = (unpacked(tile), unpacked(first));
        let [a, b, c] = &pixel_edges(grid, triangle, left, top);
        // Closures of `map` stay calls.
        let steps = [
            WindowSteps::new(a, first, a.c),
            WindowSteps::new(b, first, b.c),
            WindowSteps::new(c, first, c.c),
        ];
        lanes_inside_window(&steps)
    }
}

/// Values of an edge along the columns and lines of a window, sixteen lanes in a row. Their sums are those of the 4x4 blocks.
#[derive(Clone, Copy)]
struct WindowSteps {
    across: [[i32; BLOCK]; 2],
    down: [[i32; BLOCK]; 2],
}

/// Lanes of a 4x4 block.
const BLOCK: usize = 16;

impl WindowSteps {
    /// `start` is added to all.
    #[inline(always)]
    fn new(edge: &Edge, [x0, y0]: [i32; 2], start: i32) -> WindowSteps {
        let (mut across, mut down) = ([[0; BLOCK]; 2], [[0; BLOCK]; 2]);
        for half in 0..2 {
            for lane in 0..BLOCK {
                let (x, y) = (LANE_X[BLOCK * half + lane], LANE_Y[2 * BLOCK * half + lane]);
                across[half][lane] = start + edge.a * (x0 + ((x - x0) & (TILE - 1)));
                down[half][lane] = edge.b * (y0 + ((y - y0) & (TILE - 1)));
            }
        }
        WindowSteps { across, down }
    }

    #[inline(always)]
    fn at(&self, block: usize, lane: usize) -> i32 {
        self.across[block % 2][lane] + self.down[block / 2][lane]
    }
}

/// Lanes where no edge is negative.
#[inline(always)]
fn lanes_inside_window([a, b, c]: &[WindowSteps; 3]) -> u64 {
    let mut parts = [0; 4];
    for (block, part) in parts.iter_mut().enumerate() {
        *part =
            host::lanes(|lane| (a.at(block, lane) | b.at(block, lane) | c.at(block, lane)) >= 0);
    }
    mask::joined(parts)
}

/// The edges.
#[inline(always)]
fn pixel_edges(grid: Grid, triangle: &Primitive, left: i32, top: i32) -> [Edge; 3] {
    let mut edges = edges(grid, triangle, left, top);
    for edge in &mut edges {
        edge.c >>= grid.bits;
    }
    edges
}

/// The edges, their last terms in grid units.
#[inline(always)]
fn edges(grid: Grid, triangle: &Primitive, left: i32, top: i32) -> [Edge; 3] {
    let origin = |tile: i32| (tile << grid.bits) + grid.unit() / 2;
    let (ox, oy) = (origin(left), origin(top));
    let (vx, vy) = (&triangle.x, &triangle.y);
    let (x, y) = (
        [vx[0] - ox, vx[1] - ox, vx[2] - ox],
        [vy[0] - oy, vy[1] - oy, vy[2] - oy],
    );
    let turn = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    let sign = if turn < 0 { -1 } else { 1 };
    let mut edges = [Edge::default(); 3];
    for (k, edge) in edges.iter_mut().enumerate() {
        let (from, to) = ((k + 1) % 3, (k + 2) % 3);
        let (a, b) = ((y[from] - y[to]) * sign, (x[to] - x[from]) * sign);
        let owned = a > 0 || a == 0 && b > 0;
        let c = -(a * x[from] + b * y[from]) - i32::from(!owned);
        *edge = Edge { a, b, c };
    }
    edges
}

fn tiles(level: SimdLevel, edges: &[Edge; 3], area: Rect, out: &mut Coverage) {
    let (left, top) = (area.x0 & -TILE, area.y0 & -TILE);
    let [a, b, c] = edges;
    let steps = Steps::new([[a.a, a.b], [b.a, b.b], [c.a, c.b]]);
    for y in (top..area.y1).step_by(TILE as usize) {
        for x in (left..area.x1).step_by(TILE as usize) {
            let mut at = [0; 3];
            let mut outside = 0;
            for (at, edge) in at.iter_mut().zip(edges) {
                *at = edge.at(x - left, y - top);
                outside |= *at + (edge.a.max(0) + edge.b.max(0)) * (TILE - 1);
            }
            if outside < 0 {
                continue;
            }
            let mask = lanes_inside(level, &steps, &at) & area.mask(x, y);
            if mask != 0 {
                out.tiles.push(Covered { x, y, mask });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fragment::multisample::Samples;
    use crate::fragment::raster::rasterize;
    use crate::geometry::setup::{Projected, Setup, Winding};
    use proptest::prelude::*;

    /// The area test is per pixel, so pixels outside on any side drop out.
    #[test]
    fn dots_are_cut_to_any_area() {
        let area = Rect {
            x0: 6,
            y0: 13,
            x1: 17,
            y1: 18,
        };
        for (x, y) in (0..24).flat_map(|x| (0..24).map(move |y| (x, y))) {
            for coverage_2x2 in 0..16 {
                let mut expected = Vec::new();
                for n in (0..4).filter(|n| coverage_2x2 >> n & 1 == 1) {
                    let (x, y) = (x + n % 2, y + n / 2);
                    if (6..17).contains(&x) && (13..18).contains(&y) {
                        expected.push((x, y));
                    }
                }
                let mut found = Vec::new();
                let mut covered = Coverage2x2::EMPTY;
                covered.cover(coverage_2x2 as u8, (x, y), area);
                for tile in covered.tiles() {
                    for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (x, y))) {
                        if tile.mask >> lane(x, y) & 1 == 1 {
                            found.push((tile.x + x as i32, tile.y + y as i32));
                        }
                    }
                }
                found.sort_unstable_by_key(|(x, y)| (*y, *x));
                assert_eq!(found, expected, "{coverage_2x2:04b} at {x} {y}");
            }
        }
    }

    proptest! {
        #[test]
        fn dots_of_points_are_their_pixels(
            x in -1000i32..20_000,
            y in -1000i32..20_000,
            size in 0.0f32..3.0,
            area in prop_oneof![Just(Rect::new(-8, -8, 200, 200)), Just(Rect::new(3, 5, 37, 20))],
        ) {
            let setup = Setup {
                grid: Grid::new(8),
                front: Winding::Clockwise,
                cull_front: false,
                cull_back: false,
                bias: None,
                multisampled: false,
                scissor: area,
            };
            let at = Projected { x, y, z: 0.5, inv_w: 1.0 };
            if let Some(point) = setup.point(at, [size; 2], 0) {
                let covered = [point.coverage_2x2, 0].map(|coverage_2x2| {
                    let point = Primitive { coverage_2x2, ..point };
                    let mut out = Coverage::default();
                    rasterize(SimdLevel::current(), setup.grid, &point, area, &Samples::ONE, &mut out);
                    out
                });
                prop_assert_eq!(&covered[0], &covered[1]);
                let inside = |tile: &Covered| tile.mask.count_ones();
                let pixels: u32 = covered[1].tiles.iter().map(inside).sum();
                prop_assert!(size > 1.0 || point.coverage_2x2 != 0 || pixels == 0);
            }
        }
    }
}
