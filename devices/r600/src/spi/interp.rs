//! Interpolation of the attributes of a wave's primitives into registers.

use lanes::{LANES, Row};
use silicon::attributes::{ATTRIBUTE_WORDS, quad_row};
use silicon::float::canonical;
use silicon::interpolate::{self, Coefficients, Spots};
use silicon::level::{Kernel, Level};
use silicon::sample::Lanes;
use silicon::scan::PixelWave;

use super::{At, Place};

/// Where lanes are evaluated.
pub(super) fn spots<'a, P>(at: At, pixel: &PixelWave<'a, P>) -> &'a Spots {
    match at {
        At::Centre => pixel.centres,
        At::Centroid => pixel.centroids,
        At::Sample => pixel.samples,
    }
}

/// Weights i and j of a place.
#[repr(C, align(64))]
struct Weights {
    i: Lanes,
    j: Lanes,
}

impl Weights {
    fn fill<P: Coefficients>(&mut self, level: Level, place: Place, pixel: &PixelWave<P>) {
        let (planes, spots) = (&pixel.planes, spots(place.at, pixel));
        let Weights { i, j } = self;
        if place.linear {
            interpolate::bits(level, planes.i, spots, i);
            interpolate::bits(level, planes.j, spots, j);
        } else {
            let from = [planes.i_w, planes.j_w, planes.inv_w];
            interpolate::perspective(level, from, spots, i, j);
        }
    }
}

/// Fills register n with attribute n.
pub(super) fn fill<P: Coefficients>(
    level: Level,
    places: &[Place],
    pixel: &PixelWave<P>,
    rows: &mut [Row],
) {
    let mut weights = Weights {
        i: [0; LANES],
        j: [0; LANES],
    };
    let mut last = None;
    for (n, (place, rows)) in places.iter().zip(rows.chunks_exact_mut(4)).enumerate() {
        // Neighbours mostly have the same place.
        if last != Some(*place) {
            weights.fill(level, *place, pixel);
            last = Some(*place);
        }
        for (component, row) in rows.iter_mut().enumerate() {
            let word = ATTRIBUTE_WORDS * n + component;
            attribute(level, &weights, pixel, word, &mut row.0);
        }
    }
}

/// One component: P0 + P10 * i + P20 * j.
fn attribute<P>(
    level: Level,
    weights: &Weights,
    pixel: &PixelWave<P>,
    word: usize,
    out: &mut Lanes,
) {
    let (i, j) = (&weights.i, &weights.j);
    if pixel.starts == 0 {
        // One primitive: the same numbers in all lanes.
        let start = pixel.primitives.first().map_or(0, |at| *at as usize) + word;
        let number = |k: usize| pixel.blocks.get(start + 4 * k).copied().unwrap_or(0);
        let [p0, p10, p20] = [0, 1, 2].map(|k| f32::from_bits(number(k)));
        if p10 == 0.0 && p20 == 0.0 {
            // Also flat integers, whose bits are no numbers.
            out.fill(number(0));
            return;
        }
        level.run(One {
            numbers: [p0, p10, p20],
            i,
            j,
            out,
        });
        return;
    }
    let row = |k: usize| quad_row(pixel.blocks, pixel.primitives, pixel.starts, word + 4 * k);
    let [p0, p10, p20] = [&row(0), &row(1), &row(2)];
    level.run(Many {
        numbers: [p0, p10, p20],
        i,
        j,
        out,
    });
}

/// Lanes that are computed before any is stored.
const CHUNK: usize = 16;

#[inline(always)]
fn value([p0, p10, p20]: [f32; 3], i: u32, j: u32) -> u32 {
    // No register holds the first sum, so that its NaN need not be the one.
    canonical(p20 * f32::from_bits(j) + (p10 * f32::from_bits(i) + p0))
}

struct One<'a> {
    numbers: [f32; 3],
    i: &'a Lanes,
    j: &'a Lanes,
    out: &'a mut Lanes,
}

impl Kernel for One<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for first in (0..LANES).step_by(CHUNK) {
            let mut chunk = [0; CHUNK];
            for (n, chunk) in chunk.iter_mut().enumerate() {
                *chunk = value(self.numbers, self.i[first + n], self.j[first + n]);
            }
            self.out[first..first + CHUNK].copy_from_slice(&chunk);
        }
    }
}

struct Many<'a> {
    numbers: [&'a Lanes; 3],
    i: &'a Lanes,
    j: &'a Lanes,
    out: &'a mut Lanes,
}

impl Kernel for Many<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let [p0, p10, p20] = self.numbers;
        for lane in 0..LANES {
            let flat = (p10[lane] | p20[lane]) << 1 == 0;
            let numbers = [p0[lane], p10[lane], p20[lane]].map(f32::from_bits);
            let value = value(numbers, self.i[lane], self.j[lane]);
            self.out[lane] = if flat { p0[lane] } else { value };
        }
    }
}
