//! The rasteriser. In: a [`Primitive`] and a rectangle (a bin, cut by the scissor). Out: [`Coverage`], one entry per
//! 8x8 tile with a covered pixel. Edge functions are exact integers of the whole screen and follow the top-left rule,
//! so triangles that share an edge cover each sample once, whatever the rectangle.

use crate::fragment::edges::{Edge, Edges};
use crate::fragment::mask;
use crate::fragment::multisample::Samples;
use crate::fragment::small::{self, Coverage2x2};
use crate::fragment::tile::{Rect, TILE};
use crate::geometry::line;
use crate::geometry::setup::{Grid, Primitive, Shape};
use host::{Kernel, Rounding, SimdLevel};

/// A tile that a primitive covers in part or whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Covered {
    /// Column of the tile's first pixel, a multiple of 8.
    pub x: i32,
    /// Line of the tile's first pixel, a multiple of 8.
    pub y: i32,
    /// Lanes with a covered sample; `u64::MAX` for a full tile.
    pub mask: u64,
}

/// Covered tiles, to be reused from primitive to primitive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Tiles, line by line.
    pub tiles: Vec<Covered>,
    /// With several samples per pixel: the lanes of each sample, for every tile in turn. With one: empty.
    pub samples: Vec<u64>,
}

impl Coverage {
    /// Forgets the tiles and keeps the space.
    #[inline]
    pub fn clear(&mut self) {
        self.tiles.clear();
        self.samples.clear();
    }

    /// The lanes of each sample of a tile.
    #[inline]
    pub fn samples_of(&self, tile: usize, samples: &Samples) -> &[u64] {
        if samples.count() == 1 {
            std::slice::from_ref(&self.tiles[tile].mask)
        } else {
            &self.samples[tile * samples.count()..][..samples.count()]
        }
    }

    /// Adds a tile whose covered pixels have all samples covered.
    #[inline(always)]
    pub(crate) fn push(&mut self, x: i32, y: i32, mask: u64, samples: &Samples) {
        if mask != 0 {
            self.tiles.push(Covered { x, y, mask });
            if samples.count() > 1 {
                self.samples
                    .extend(std::iter::repeat_n(mask, samples.count()));
            }
        }
    }

    #[inline(always)]
    pub(crate) fn push_samples(&mut self, x: i32, y: i32, masks: &[u64]) {
        let mask = masks.iter().fold(0, |m, s| m | s);
        if mask != 0 {
            self.tiles.push(Covered { x, y, mask });
            self.samples.extend_from_slice(masks);
        }
    }
}

/// Appends the tiles that `primitive` covers inside `area`.
#[inline]
pub fn rasterize(
    level: SimdLevel,
    grid: Grid,
    primitive: &Primitive,
    area: Rect,
    samples: &Samples,
    out: &mut Coverage,
) {
    let bounds = primitive.bounds(grid, !samples.is_centre());
    if primitive.coverage_2x2 != 0 && samples.is_centre() {
        let mut covered = Coverage2x2::EMPTY;
        covered.cover(primitive.coverage_2x2, (bounds.x0, bounds.y0), area);
        out.tiles.extend_from_slice(covered.tiles());
        return;
    }
    let area = area.intersect(bounds);
    if area.is_empty() {
        return;
    }
    match primitive.shape {
        Shape::Triangle if samples.is_centre() && small::is_small(primitive) => {
            small::triangle(level, grid, primitive, area, out);
        }
        Shape::Triangle if samples.count() > 1 && small::is_small(primitive) => {
            small::samples::triangle(level, grid, primitive, area, samples, out);
        }
        Shape::Triangle | Shape::Line | Shape::UprightLine | Shape::LevelLine => {
            convex(level, grid, primitive, area, samples, out);
        }
        Shape::ThinLine => line::walk(grid, primitive, area, samples, out),
        Shape::Point => square(grid, primitive, area, samples, out),
    }
}

pub(crate) fn convex(
    level: SimdLevel,
    grid: Grid,
    primitive: &Primitive,
    area: Rect,
    samples: &Samples,
    out: &mut Coverage,
) {
    if primitive.shape == Shape::Triangle {
        let edges = Inside::all(grid, &Edges::weights(primitive).edges);
        polygon(level, grid, &edges, area, samples, out);
    } else {
        let edges = Inside::all(grid, &line::edges(primitive));
        polygon(level, grid, &edges, area, samples, out);
    }
}

/// An edge as coverage needs it: a pixel is inside when `c / unit + a * x + b * y >= 0`, the quotient rounded down.
#[derive(Clone, Copy, Debug, Default)]
struct Inside {
    a: i32,
    b: i32,
    /// At the centre of pixel (0, 0), one grid step less for edges outside the top-left rule.
    c: i64,
    /// The same in pixel steps.
    pixel: i64,
}

impl Inside {
    #[inline(always)]
    fn new(grid: Grid, edge: &Edge) -> Inside {
        let c = edge.at_pixel(grid, 0, 0) - i64::from(!edge.owns_border());
        Inside {
            a: edge.a as i32,
            b: edge.b as i32,
            c,
            pixel: c >> grid.bits,
        }
    }

    #[inline(always)]
    fn all<const N: usize>(grid: Grid, edges: &[Edge; N]) -> [Inside; N] {
        let mut out = [Inside::default(); N];
        for (out, edge) in out.iter_mut().zip(edges) {
            *out = Inside::new(grid, edge);
        }
        out
    }

    /// The same edge for a sample away from the centre, in grid units.
    #[inline(always)]
    fn moved(&self, grid: Grid, x: i32, y: i32) -> Inside {
        let c = self.c + i64::from(self.a) * i64::from(x) + i64::from(self.b) * i64::from(y);
        Inside {
            c,
            pixel: c >> grid.bits,
            ..*self
        }
    }

    #[inline(always)]
    fn at(&self, x: i32, y: i32) -> i64 {
        self.pixel + i64::from(self.a) * i64::from(x) + i64::from(self.b) * i64::from(y)
    }

    /// Largest and smallest change from the first pixel of a tile to another of its pixels.
    #[inline(always)]
    fn reach(&self) -> (i64, i64) {
        let (a, b) = (
            i64::from(self.a) * i64::from(TILE - 1),
            i64::from(self.b) * i64::from(TILE - 1),
        );
        (a.max(0) + b.max(0), a.min(0) + b.min(0))
    }
}

/// Edge steps to the pixels of a tile. Kept in memory: the compiler splits local rows.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Steps<const N: usize> {
    /// To the pixels of a 4x4 block.
    pixels: [[i32; 16]; N],
    /// From block to block.
    blocks: [[i32; 4]; N],
}

/// All ones where a bit of the column or line inside a 4x4 block is set: x0, x1, y0, y1.
const BLOCK_BITS: [[i32; 16]; 4] = {
    let mut bits = [[0; 16]; 4];
    let mut i = 0;
    while i < 16 {
        bits[0][i] = -(i as i32 & 1);
        bits[2][i] = -(i as i32 >> 1 & 1);
        bits[1][i] = -(i as i32 >> 2 & 1);
        bits[3][i] = -(i as i32 >> 3 & 1);
        i += 1;
    }
    bits
};

impl<const N: usize> Steps<N> {
    /// Of edges with these steps to the right and down.
    #[inline(always)]
    pub(crate) fn new(edges: [[i32; 2]; N]) -> Steps<N> {
        let [x0, x1, y0, y1] = &BLOCK_BITS;
        let mut steps = Steps {
            pixels: [[0; 16]; N],
            blocks: [[0; 4]; N],
        };
        for (k, [a, b]) in edges.into_iter().enumerate() {
            for (i, pixel) in steps.pixels[k].iter_mut().enumerate() {
                *pixel = (a & x0[i]) + ((2 * a) & x1[i]) + (b & y0[i]) + ((2 * b) & y1[i]);
            }
            steps.blocks[k] = [0, 4 * a, 4 * b, 4 * (a + b)];
        }
        steps
    }
}

/// Lanes where all of the edges, given by their values at the first pixel, are not negative.
#[inline]
pub(crate) fn lanes_inside<const N: usize>(
    level: SimdLevel,
    steps: &Steps<N>,
    at: &[i32; N],
) -> u64 {
    const { assert!(N <= 4, "two pairs") }
    let mut pairs = [0; 2];
    for (k, at) in at.iter().enumerate() {
        pairs[k / 2] |= u64::from(*at as u32) << (32 * (k % 2));
    }
    level.run(Signs { steps, pairs })
}

struct Signs<'a, const N: usize> {
    steps: &'a Steps<N>,
    /// Values at the first pixel, two by two: a wide load waits for narrow stores before it.
    pairs: [u64; 2],
}

impl<const N: usize> Kernel for Signs<'_, N> {
    type Output = u64;
    #[inline(always)]
    fn run<R: Rounding>(self) -> u64 {
        let Signs { steps, pairs } = self;
        let mut at = [0; N];
        for k in 0..N {
            at[k] = (pairs[k / 2] >> (32 * (k % 2))) as i32;
        }
        lanes_of_signs(steps, &at)
    }
}

/// Lanes where no edge is negative.
#[inline(always)]
#[expect(
    clippy::needless_range_loop,
    reason = "iterators keep the loops from being unrolled"
)]
pub(crate) fn lanes_of_signs<const N: usize>(steps: &Steps<N>, at: &[i32; N]) -> u64 {
    let mut parts = [0; 4];
    for part in 0..4 {
        let mut start = [0; N];
        for k in 0..N {
            start[k] = at[k] + steps.blocks[k][part];
        }
        parts[part] = host::lanes(|lane| {
            let mut signs = 0;
            for k in 0..N {
                signs |= start[k] + steps.pixels[k][lane];
            }
            signs >= 0
        });
    }
    mask::joined(parts)
}

/// The value of an edge that contains the whole tile: positive in all lanes.
const FAR_INSIDE: i32 = 1 << 29;

/// The edges of a polygon, or one of its samples, at the tiles of a line.
struct Tiles<'a, const N: usize> {
    level: SimdLevel,
    steps: &'a Steps<N>,
    /// At the first pixel of a tile.
    at: [i64; N],
    /// From tile to tile.
    step: [i64; N],
    /// Largest and smallest change inside a tile.
    reach: [(i64, i64); N],
}

impl<'a, const N: usize> Tiles<'a, N> {
    #[inline(always)]
    fn new(level: SimdLevel, edges: &[Inside; N], steps: &'a Steps<N>) -> Tiles<'a, N> {
        let (mut step, mut reach) = ([0; N], [(0, 0); N]);
        for k in 0..N {
            step[k] = i64::from(edges[k].a) * i64::from(TILE);
            reach[k] = edges[k].reach();
        }
        Tiles {
            level,
            steps,
            at: [0; N],
            step,
            reach,
        }
    }

    /// Goes to the tile at `x`, `y`.
    #[inline(always)]
    fn begin(&mut self, edges: &[Inside; N], x: i32, y: i32) {
        for (at, edge) in self.at.iter_mut().zip(edges) {
            *at = edge.at(x, y);
        }
    }

    /// Lanes inside all edges; steps to the next tile.
    #[inline(always)]
    fn next(&mut self) -> u64 {
        let (mut outside, mut partial) = (0, 0);
        for k in 0..N {
            outside |= self.at[k] + self.reach[k].0;
            partial |= self.at[k] + self.reach[k].1;
        }
        let mask = if outside < 0 {
            0
        } else if partial < 0 {
            self.lanes()
        } else {
            u64::MAX
        };
        for k in 0..N {
            self.at[k] += self.step[k];
        }
        mask
    }

    #[inline(always)]
    fn lanes(&self) -> u64 {
        let mut at = [FAR_INSIDE; N];
        for (k, at) in at.iter_mut().enumerate() {
            if self.at[k] + self.reach[k].1 < 0 {
                *at = self.at[k] as i32;
            }
        }
        lanes_inside(self.level, self.steps, &at)
    }
}

/// Whether all pixels of an area are inside all edges.
#[inline(always)]
fn covers<const N: usize>(edges: &[Inside; N], area: Rect) -> bool {
    let mut all = true;
    for edge in edges {
        let x = if edge.a > 0 { area.x0 } else { area.x1 - 1 };
        let y = if edge.b > 0 { area.y0 } else { area.y1 - 1 };
        all &= edge.at(x, y) >= 0;
    }
    all
}

/// A convex polygon.
fn polygon<const N: usize>(
    level: SimdLevel,
    grid: Grid,
    edges: &[Inside; N],
    area: Rect,
    samples: &Samples,
    out: &mut Coverage,
) {
    let mut slopes = [[0; 2]; N];
    for (slopes, edge) in slopes.iter_mut().zip(edges) {
        *slopes = [edge.a, edge.b];
    }
    let steps = Steps::new(slopes);
    let moved = |sample: usize| {
        let mut edges = *edges;
        if !samples.is_centre() {
            let (x, y) = samples.positions()[sample];
            let offset = |v: u8| ((i32::from(v) - 8) * grid.unit()) / 16;
            for edge in &mut edges {
                *edge = edge.moved(grid, offset(x), offset(y));
            }
        }
        edges
    };
    let (left, top) = (area.x0 & -TILE, area.y0 & -TILE);
    let lines = (top..area.y1).step_by(TILE as usize);
    let columns = (left..area.x1).step_by(TILE as usize);
    let count = samples.count();
    if count == 1 {
        let edges = moved(0);
        if covers(&edges, area) {
            let columns = (area.x1 - left + TILE - 1) / TILE;
            for y in lines {
                let tile = |n: i32| {
                    let x = left + TILE * n;
                    let mask = area.mask(x, y);
                    Covered { x, y, mask }
                };
                out.tiles.extend((0..columns).map(tile));
            }
            return;
        }
        let mut tiles = Tiles::new(level, &edges, &steps);
        for y in lines {
            tiles.begin(&edges, left, y);
            for x in columns.clone() {
                let mask = tiles.next();
                if mask != 0 {
                    let mask = mask & area.mask(x, y);
                    if mask != 0 {
                        out.tiles.push(Covered { x, y, mask });
                    }
                }
            }
        }
        return;
    }
    let mut all = [*edges; 16];
    for (sample, edges) in all[..count].iter_mut().enumerate() {
        *edges = moved(sample);
    }
    let mut tiles = Tiles::new(level, edges, &steps);
    for y in lines {
        for x in columns.clone() {
            let within = area.mask(x, y);
            let mut masks = [0; 16];
            for (mask, edges) in masks.iter_mut().zip(&all[..count]) {
                tiles.begin(edges, x, y);
                *mask = tiles.next() & within;
            }
            out.push_samples(x, y, &masks[..count]);
        }
    }
}

/// The pixels that a point covers in the sample at `place`.
#[inline(always)]
pub(crate) fn pixels_of_point(grid: Grid, point: &Primitive, (x, y): (u8, u8)) -> Rect {
    let (left, top) = (
        point.x[0] - point.size / 2,
        point.y[0] - point.point_height() / 2,
    );
    let first = |edge: i32, sample: u8| {
        let place = i32::from(sample) * grid.unit() / 16;
        (edge - place + grid.unit() - 1) >> grid.bits
    };
    Rect {
        x0: first(left, x),
        y0: first(top, y),
        x1: first(left + point.size, x),
        y1: first(top + point.point_height(), y),
    }
}

/// The rectangle of a point: left and top borders belong to it.
fn square(grid: Grid, point: &Primitive, area: Rect, samples: &Samples, out: &mut Coverage) {
    let mut rects = [Rect::default(); 16];
    for (rect, place) in rects.iter_mut().zip(samples.positions()) {
        *rect = area.intersect(pixels_of_point(grid, point, *place));
    }
    for y in ((area.y0 & -TILE)..area.y1).step_by(TILE as usize) {
        for x in ((area.x0 & -TILE)..area.x1).step_by(TILE as usize) {
            if samples.count() == 1 {
                out.push(x, y, rects[0].mask(x, y), samples);
                continue;
            }
            let mut masks = [0; 16];
            for (mask, rect) in masks.iter_mut().zip(&rects).take(samples.count()) {
                *mask = rect.mask(x, y);
            }
            out.push_samples(x, y, &masks[..samples.count()]);
        }
    }
}
