//! Line stipple: a 16-bit pattern masks pixels along a line. [VULKAN Line Stipple]
//!
//! The counter runs from first to second vertex, in units of the grid: pixels on thin lines, distance from the first
//! end on rectangular ones. It carries over along a strip, fractions included.

use crate::fragment::multisample::Samples;
use crate::fragment::raster::Coverage;
use crate::fragment::tile::{LANE_X, LANE_Y};
use crate::geometry::line::Span;
use crate::geometry::setup::{Grid, Primitive, Shape};

/// State of stippled lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stipple {
    /// The lowest bit is that of the first pixels; pixels where it is 0 are not drawn.
    pub pattern: u16,
    /// Pixels of a bit, 1 to 256.
    pub repeat: u32,
    /// The counter restarts with every line, not with every strip.
    pub restarts: bool,
}

impl Stipple {
    /// What a line adds to the counter.
    pub fn length(&self, grid: Grid, primitive: &Primitive) -> u64 {
        match primitive.shape {
            Shape::ThinLine => Span::new(grid, primitive).map_or(0, |span| {
                (span.last - span.first + 1).max(0) as u64 * grid.unit() as u64
            }),
            Shape::Line | Shape::UprightLine | Shape::LevelLine => {
                length(primitive).round_ties_even() as u64
            }
            Shape::Triangle | Shape::Point => 0,
        }
    }

    /// The pattern bit at a counter value, in whole pixels.
    #[inline(always)]
    fn draws(&self, pixel: u64) -> bool {
        let bit = pixel / u64::from(self.repeat.clamp(1, 256)) % 16;
        self.pattern >> bit & 1 != 0
    }

    /// Masks the coverage of a line by the pattern. `start` is its counter.
    pub fn cut(
        &self,
        grid: Grid,
        primitive: &Primitive,
        start: u64,
        samples: &Samples,
        coverage: &mut Coverage,
    ) {
        match primitive.shape {
            Shape::ThinLine => self.cut_thin(grid, primitive, start, samples, coverage),
            Shape::Line | Shape::UprightLine | Shape::LevelLine => {
                self.cut_rectangle(grid, primitive, start, samples, coverage);
            }
            Shape::Triangle | Shape::Point => {}
        }
    }

    fn cut_thin(
        &self,
        grid: Grid,
        primitive: &Primitive,
        start: u64,
        samples: &Samples,
        coverage: &mut Coverage,
    ) {
        let Some(span) = Span::new(grid, primitive) else {
            return;
        };
        let before = start >> grid.bits;
        for (n, tile) in coverage.tiles.iter_mut().enumerate() {
            let kept = filter(tile.mask, |lane| {
                let at = match span.steep {
                    true => tile.y + LANE_Y[lane],
                    false => tile.x + LANE_X[lane],
                };
                let passed = match span.forward {
                    true => i64::from(at) - span.first,
                    false => span.last - i64::from(at),
                };
                self.draws(before + passed.max(0) as u64)
            });
            tile.mask = kept;
            if samples.count() > 1 {
                for mask in &mut coverage.samples[n * samples.count()..][..samples.count()] {
                    *mask &= kept;
                }
            }
        }
    }

    fn cut_rectangle(
        &self,
        grid: Grid,
        primitive: &Primitive,
        start: u64,
        samples: &Samples,
        coverage: &mut Coverage,
    ) {
        let (x, y) = (i64::from(primitive.x[0]), i64::from(primitive.y[0]));
        let (dx, dy) = (i64::from(primitive.x[1]) - x, i64::from(primitive.y[1]) - y);
        let length = length(primitive);
        if length == 0.0 {
            return;
        }
        let draws = |tile: (i32, i32), lane: usize, (sx, sy): (u8, u8)| {
            let at = |v: i32, sub: u8| {
                (i64::from(v) << grid.bits) + i64::from(sub) * i64::from(grid.unit()) / 16
            };
            let (px, py) = (at(tile.0 + LANE_X[lane], sx), at(tile.1 + LANE_Y[lane], sy));
            let along = ((px - x) * dx + (py - y) * dy).max(0) as f64 / length;
            self.draws((start as f64 + along) as u64 >> grid.bits)
        };
        for (n, tile) in coverage.tiles.iter_mut().enumerate() {
            let place = (tile.x, tile.y);
            if samples.count() == 1 {
                let centre = samples.positions()[0];
                tile.mask = filter(tile.mask, |lane| draws(place, lane, centre));
                continue;
            }
            tile.mask = 0;
            let masks = &mut coverage.samples[n * samples.count()..][..samples.count()];
            for (mask, position) in masks.iter_mut().zip(samples.positions()) {
                *mask = filter(*mask, |lane| draws(place, lane, *position));
                tile.mask |= *mask;
            }
        }
    }
}

/// Length of a line on the grid.
fn length(primitive: &Primitive) -> f64 {
    let difference = |v: [i32; 3]| i64::from(v[1]) - i64::from(v[0]);
    let (dx, dy) = (difference(primitive.x), difference(primitive.y));
    ((dx * dx + dy * dy) as f64).sqrt()
}

fn filter(mask: u64, keep: impl Fn(usize) -> bool) -> u64 {
    crate::fragment::interpolate::lanes(mask)
        .filter(|lane| keep(*lane))
        .fold(0, |kept, lane| kept | 1 << lane)
}
