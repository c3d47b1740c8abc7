//! From primitives to the pixels and samples they cover, tile by tile.
//!
//! In: a [`Primitive`] and a rectangle of the screen (a bin, cut by the scissor). Out: [`Coverage`], one entry per 8x8
//! tile that has a covered pixel. A point is inside an edge when the edge function is positive there, or zero on a
//! left or horizontal top edge, so triangles that share an edge cover each point of it once. Edge functions are exact
//! integers of the whole screen: the result does not depend on the rectangle.

use crate::edges::{Edge, Edges};
use crate::level::{Level, leveled};
use crate::line;
use crate::multisample::Samples;
use crate::setup::{Grid, Primitive, Shape};
use crate::small::{self, Dots};
use crate::tile::{Rect, TILE};

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

    /// Adds a tile whose samples are all covered where its pixels are.
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
    fn push_samples(&mut self, x: i32, y: i32, masks: &[u64]) {
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
    level: Level,
    grid: Grid,
    primitive: &Primitive,
    area: Rect,
    samples: &Samples,
    out: &mut Coverage,
) {
    let bounds = primitive.bounds(grid, !samples.is_centre());
    if primitive.dots != 0 && samples.is_centre() {
        let dots = Dots::new(primitive.dots, (bounds.x0, bounds.y0), area);
        out.tiles.extend_from_slice(dots.tiles());
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
        Shape::Triangle | Shape::Line => convex(level, grid, primitive, area, samples, out),
        Shape::ThinLine => line::walk(grid, primitive, area, samples, out),
        Shape::Point => square(grid, primitive, area, samples, out),
    }
}

leveled! {
    fn convex<'a>(
        grid: Grid,
        primitive: &'a Primitive,
        area: Rect,
        samples: &'a Samples,
        out: &'a mut Coverage,
    ) {
        if primitive.shape == Shape::Triangle {
            let edges = Inside::all(grid, &Edges::weights(primitive).edges);
            polygon(grid, &edges, area, samples, out);
        } else {
            let edges = Inside::all(grid, &line::rectangle(primitive));
            polygon(grid, &edges, area, samples, out);
        }
    }
}

/// An edge as coverage needs it: a pixel is inside when `c / unit + a * x + b * y >= 0`, the quotient rounded down.
#[derive(Clone, Copy, Debug, Default)]
struct Inside {
    a: i32,
    b: i32,
    /// At the centre of pixel (0, 0), made smaller by one grid step where the edge does not own its border.
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

    /// A plain loop: `array::map` is not inlined, and what is not inlined is not compiled for the level.
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

/// Steps of an edge to the pixels of a 4x4 block, and from block to block.
#[derive(Clone, Copy, Default)]
pub(crate) struct Steps {
    pixels: [i32; 16],
    blocks: [i32; 4],
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

impl Steps {
    #[inline(always)]
    pub(crate) fn new(a: i32, b: i32) -> Steps {
        let [x0, x1, y0, y1] = &BLOCK_BITS;
        let mut pixels = [0; 16];
        for (i, pixel) in pixels.iter_mut().enumerate() {
            *pixel = (a & x0[i]) + ((2 * a) & x1[i]) + (b & y0[i]) + ((2 * b) & y1[i]);
        }
        Steps {
            pixels,
            blocks: [0, 4 * a, 4 * b, 4 * (a + b)],
        }
    }
}

/// Lanes where all of the edges, given by their values at the first pixel, are not negative.
#[inline(always)]
pub(crate) fn lanes_inside<const N: usize>(steps: &[Steps; N], at: [i32; N]) -> u64 {
    let mut mask = 0;
    for block in 0..4 {
        let mut signs = [0i32; 16];
        for k in 0..N {
            let start = at[k] + steps[k].blocks[block];
            for (sign, step) in signs.iter_mut().zip(&steps[k].pixels) {
                *sign |= start + *step;
            }
        }
        let mut bits = 0u32;
        for (i, sign) in signs.iter().enumerate() {
            bits |= u32::from(*sign >= 0) << i;
        }
        mask |= u64::from(bits) << (16 * block);
    }
    mask
}

/// Any value that stays positive in all lanes, for an edge that has all of a tile inside.
const FAR_INSIDE: i32 = 1 << 29;

/// The lanes of the tile at `x`, `y` that are inside all edges.
#[inline(always)]
fn tile<const N: usize>(edges: &[Inside; N], steps: &[Steps; N], x: i32, y: i32) -> u64 {
    let mut at = [FAR_INSIDE; N];
    let (mut partial, mut outside) = (false, false);
    for k in 0..N {
        let e = edges[k].at(x, y);
        let (most, least) = edges[k].reach();
        outside |= e + most < 0;
        if e + least < 0 {
            partial = true;
            at[k] = e as i32;
        }
    }
    if outside {
        0
    } else if partial {
        lanes_inside(steps, at)
    } else {
        u64::MAX
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
#[inline(always)]
fn polygon<const N: usize>(
    grid: Grid,
    edges: &[Inside; N],
    area: Rect,
    samples: &Samples,
    out: &mut Coverage,
) {
    let mut steps = [Steps::default(); N];
    for (steps, edge) in steps.iter_mut().zip(edges) {
        *steps = Steps::new(edge.a, edge.b);
    }
    let count = samples.count();
    let mut moved = [*edges; 16];
    if !samples.is_centre() {
        for (edges, (x, y)) in moved.iter_mut().zip(samples.positions()) {
            let offset = |v: u8| ((i32::from(v) - 8) * grid.unit()) / 16;
            for edge in edges {
                *edge = edge.moved(grid, offset(*x), offset(*y));
            }
        }
    }
    let (tx0, ty0) = (area.x0 & -TILE, area.y0 & -TILE);
    let all = count == 1 && covers(&moved[0], area);
    for y in (ty0..area.y1).step_by(TILE as usize) {
        for x in (tx0..area.x1).step_by(TILE as usize) {
            let within = area.mask(x, y);
            if all {
                out.tiles.push(Covered { x, y, mask: within });
                continue;
            }
            if count == 1 {
                let mask = tile(&moved[0], &steps, x, y) & within;
                if mask != 0 {
                    out.tiles.push(Covered { x, y, mask });
                }
                continue;
            }
            let mut masks = [0; 16];
            for (mask, edges) in masks.iter_mut().zip(&moved[..count]) {
                *mask = tile(edges, &steps, x, y) & within;
            }
            out.push_samples(x, y, &masks[..count]);
        }
    }
}

/// The pixels that a point covers in the sample at `place`.
#[inline(always)]
pub(crate) fn pixels_of_point(grid: Grid, point: &Primitive, (x, y): (u8, u8)) -> Rect {
    let (left, top) = (point.x[0] - point.size / 2, point.y[0] - point.size / 2);
    let first = |edge: i32, sample: u8| {
        let place = i32::from(sample) * grid.unit() / 16;
        (edge - place + grid.unit() - 1) >> grid.bits
    };
    Rect {
        x0: first(left, x),
        y0: first(top, y),
        x1: first(left + point.size, x),
        y1: first(top + point.size, y),
    }
}

/// The square of a point: left and top borders belong to it.
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
