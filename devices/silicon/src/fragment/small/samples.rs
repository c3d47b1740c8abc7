//! Coverage of small triangles at several samples per pixel. Same masks as [`super::super::raster`].

#![expect(
    clippy::needless_range_loop,
    reason = "the number of a sample indexes several arrays"
)]

use super::{BLOCK, Edge, WindowSteps, edges, packed, unpacked};
use crate::fragment::mask;
use crate::fragment::multisample::Samples;
use crate::fragment::raster::{Coverage, Steps, lanes_of_signs};
use crate::fragment::scan::MAX_SAMPLES;
use crate::fragment::tile::{Rect, TILE, lane};
use crate::geometry::setup::{Grid, Primitive};
use host::{Kernel, Rounding, SimdLevel};

/// Up to this many pixels, testing each beats testing a whole window.
const FEW_PIXELS: i32 = 4;

/// Appends the tiles of a small triangle and the lanes of each sample. `area` is not empty and inside its bounds.
pub(crate) fn triangle(
    level: SimdLevel,
    grid: Grid,
    triangle: &Primitive,
    area: Rect,
    samples: &Samples,
    out: &mut Coverage,
) {
    let (left, top) = (area.x0 & -TILE, area.y0 & -TILE);
    let at = At::new(grid, &edges(grid, triangle, left, top), samples);
    let (width, height) = (area.x1 - area.x0, area.y1 - area.y0);
    let in_one = area.x1 <= left + TILE && area.y1 <= top + TILE;
    let mut masks = [0; MAX_SAMPLES];
    if in_one && width * height <= FEW_PIXELS {
        let first = [area.x0 - left, area.y0 - top];
        level.run(Few {
            at: &at,
            first,
            size: [width, height],
            masks: &mut masks,
        });
        out.push_samples(left, top, &masks[..samples.count()]);
        return;
    }
    if width <= TILE && height <= TILE {
        let first = packed([area.x0 - left, area.y0 - top]);
        level.run(InWindow {
            at: &at,
            first,
            masks: &mut masks,
        });
        for y in (top..area.y1).step_by(TILE as usize) {
            for x in (left..area.x1).step_by(TILE as usize) {
                let within = area.mask(x, y);
                let mut inside = [0; MAX_SAMPLES];
                for (inside, mask) in inside.iter_mut().zip(&masks[..samples.count()]) {
                    *inside = mask & within;
                }
                out.push_samples(x, y, &inside[..samples.count()]);
            }
        }
        return;
    }
    let steps = Steps::new(at.edges.map(|edge| [edge.a, edge.b]));
    for y in (top..area.y1).step_by(TILE as usize) {
        for x in (left..area.x1).step_by(TILE as usize) {
            level.run(InTile {
                at: &at,
                from: [x - left, y - top],
                steps: &steps,
                masks: &mut masks,
            });
            let within = area.mask(x, y);
            for mask in &mut masks[..samples.count()] {
                *mask &= within;
            }
            out.push_samples(x, y, &masks[..samples.count()]);
        }
    }
}

/// The edges of a triangle, and their values at each sample of the first pixel of the first tile.
#[repr(C, align(64))]
struct At {
    values: [[i32; MAX_SAMPLES]; 3],
    edges: [Edge; 3],
    count: usize,
}

impl At {
    #[inline(always)]
    fn new(grid: Grid, edges: &[Edge; 3], samples: &Samples) -> At {
        let mut values = [[0; MAX_SAMPLES]; 3];
        let offset = |v: u8| ((i32::from(v) - 8) * grid.unit()) / 16;
        for (sample, (x, y)) in samples.positions().iter().enumerate() {
            let (x, y) = (offset(*x), offset(*y));
            for (values, edge) in values.iter_mut().zip(edges) {
                values[sample] = (edge.c + edge.a * x + edge.b * y) >> grid.bits;
            }
        }
        At {
            values,
            edges: *edges,
            count: samples.count(),
        }
    }
}

/// Lanes of a line of a tile whose columns are the bits of a byte.
static COLUMNS: [u32; 256] = {
    let mut lanes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut x = 0;
        while x < 8 {
            lanes[byte] |= (byte as u32 >> x & 1) << lane(x, 0);
            x += 1;
        }
        byte += 1;
    }
    lanes
};

/// Few pixels of the first tile: all samples of a pixel at once.
struct Few<'a> {
    at: &'a At,
    first: [i32; 2],
    size: [i32; 2],
    masks: &'a mut [u64; MAX_SAMPLES],
}

impl Kernel for Few<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Few {
            at,
            first: [x0, y0],
            size: [width, height],
            masks,
        } = self;
        let [a, b, c] = &at.edges;
        for y in y0..y0 + height {
            let mut columns = [0; MAX_SAMPLES];
            for x in x0..x0 + width {
                let step = |edge: &Edge| edge.a * x + edge.b * y;
                let (a, b, c) = (step(a), step(b), step(c));
                for sample in 0..MAX_SAMPLES {
                    let signs = (at.values[0][sample] + a)
                        | (at.values[1][sample] + b)
                        | (at.values[2][sample] + c);
                    columns[sample] |= if signs >= 0 { 1 << x } else { 0 };
                }
            }
            let shift = lane(0, y as u32);
            for sample in 0..at.count {
                let columns: u32 = columns[sample];
                masks[sample] |= u64::from(COLUMNS[(columns & 0xff) as usize]) << shift;
            }
        }
    }
}

/// All samples of an 8x8 window that begins anywhere in the first tile, each pixel in the lane that it has in its tile.
struct InWindow<'a> {
    at: &'a At,
    first: u64,
    masks: &'a mut [u64; MAX_SAMPLES],
}

impl Kernel for InWindow<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let InWindow { at, first, masks } = self;
        let mut steps = [[[0; BLOCK]; 4]; 3];
        for k in 0..3 {
            let edge = WindowSteps::new(&at.edges[k], unpacked(first), 0);
            for block in 0..4 {
                for lane in 0..BLOCK {
                    steps[k][block][lane] = edge.at(block, lane);
                }
            }
        }
        for sample in 0..at.count {
            let mut parts = [0; 4];
            for block in 0..4 {
                parts[block] = host::lanes(|lane| {
                    let mut signs = 0;
                    for k in 0..3 {
                        signs |= at.values[k][sample] + steps[k][block][lane];
                    }
                    signs >= 0
                });
            }
            masks[sample] = mask::joined(parts);
        }
    }
}

/// All samples of a tile.
struct InTile<'a> {
    at: &'a At,
    /// From the first tile.
    from: [i32; 2],
    steps: &'a Steps<3>,
    masks: &'a mut [u64; MAX_SAMPLES],
}

impl Kernel for InTile<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let InTile {
            at,
            from: [x, y],
            steps,
            masks,
        } = self;
        let (mut step, mut least, mut most) = ([0; 3], [0; 3], [0; 3]);
        for k in 0..3 {
            let Edge { a, b, .. } = at.edges[k];
            step[k] = a * x + b * y;
            least[k] = (a.min(0) + b.min(0)) * (TILE - 1);
            most[k] = (a.max(0) + b.max(0)) * (TILE - 1);
        }
        for sample in 0..at.count {
            let mut values = [0; 3];
            let (mut outside, mut partial) = (0, 0);
            for k in 0..3 {
                values[k] = at.values[k][sample] + step[k];
                outside |= values[k] + most[k];
                partial |= values[k] + least[k];
            }
            masks[sample] = if outside < 0 {
                0
            } else if partial < 0 {
                lanes_of_signs(steps, &values)
            } else {
                u64::MAX
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fragment::raster::convex;
    use crate::fragment::small::is_small;
    use crate::geometry::setup::{Projected, Setup, Winding};
    use proptest::prelude::*;

    proptest! {
        /// As edges of any size say, in all areas.
        #[test]
        fn small_triangles_are_triangles(
            at in [(0i32..9000, 0i32..9000), (0i32..9000, 0i32..9000), (0i32..9000, 0i32..9000)],
            size in prop_oneof![Just(1i32), Just(16), Just(300)],
            count in prop_oneof![Just(2u32), Just(4), Just(8), Just(16)],
            bits in prop_oneof![Just(4u32), Just(8), Just(10), Just(12)],
            area in prop_oneof![Just(Rect::new(-8, -8, 800, 800)), Just(Rect::new(3, 5, 37, 20))],
        ) {
            let corner = |(x, y): (i32, i32)| Projected { x: 700 + x / size, y: 900 + y / size, z: 0.5, inv_w: 1.0 };
            let samples = Samples::standard(count);
            let setup = Setup {
                grid: Grid::new(bits),
                front: Winding::Clockwise,
                cull_front: false,
                cull_back: false,
                bias: None,
                multisampled: true,
                scissor: area,
            };
            if let Some(primitive) = setup.triangle(at.map(corner), 0)
                && is_small(&primitive)
            {
                let area = area.intersect(primitive.bounds(setup.grid, true));
                for level in SimdLevel::available() {
                    let [mut small, mut any] = [(); 2].map(|()| Coverage::default());
                    triangle(level, setup.grid, &primitive, area, &samples, &mut small);
                    convex(level, setup.grid, &primitive, area, &samples, &mut any);
                    prop_assert_eq!(&small, &any);
                }
            }
        }
    }
}
