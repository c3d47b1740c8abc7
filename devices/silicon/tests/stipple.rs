//! Line stipple against its definition: pixel `n` of a line is drawn where bit `n / repeat % 16` of the pattern is set.
//! [VULKAN Line Stipple]
#![allow(clippy::unwrap_used)]

use silicon::SimdLevel;
use silicon::fragment::multisample::Samples;
use silicon::fragment::raster::{Coverage, rasterize};
use silicon::fragment::tile::{Rect, lane_x, lane_y};
use silicon::geometry::setup::{Grid, LineShape, Primitive, Projected, Setup, Winding};
use silicon::geometry::stipple::Stipple;

const GRID: Grid = Grid::new(8);
const SCREEN: Rect = Rect {
    x0: 0,
    y0: 0,
    x1: 96,
    y1: 96,
};

fn line(ends: [(i32, i32); 2], width: f32, shape: LineShape, multisampled: bool) -> Primitive {
    let setup = Setup {
        grid: GRID,
        front: Winding::Clockwise,
        cull_front: false,
        cull_back: false,
        bias: None,
        multisampled,
        scissor: SCREEN,
    };
    let vertex = |(x, y)| Projected {
        x,
        y,
        z: 0.5,
        inv_w: 1.0,
    };
    setup.line(ends.map(vertex), width, shape, 0).unwrap()
}

/// Pixels of the line that are left, each with the samples that are, before and after the pattern.
fn pixels(
    line: &Primitive,
    cut: Option<(&Stipple, u64)>,
    samples: &Samples,
) -> Vec<(i32, i32, usize)> {
    let mut coverage = Coverage::default();
    rasterize(
        SimdLevel::current(),
        GRID,
        line,
        SCREEN,
        samples,
        &mut coverage,
    );
    if let Some((stipple, start)) = cut {
        stipple.cut(GRID, line, start, samples, &mut coverage);
    }
    let mut out = Vec::new();
    for (n, tile) in coverage.tiles.iter().enumerate() {
        let masks = coverage.samples_of(n, samples);
        assert_eq!(masks.iter().fold(0, |m, s| m | s), tile.mask);
        for (sample, mask) in masks.iter().enumerate() {
            for lane in (0..64).filter(|lane| mask >> lane & 1 != 0) {
                out.push((
                    tile.x + lane_x(lane) as i32,
                    tile.y + lane_y(lane) as i32,
                    sample,
                ));
            }
        }
    }
    out.sort_unstable();
    out
}

const PATTERN: u16 = 0b1000_1111_0010_0101;

fn draws(pixel: i64, repeat: u32) -> bool {
    PATTERN >> (pixel / i64::from(repeat) % 16) & 1 != 0
}

/// From the middle of pixel 4 to the middle of pixel 70 along an axis: pixels 4 to 69, as the end is not drawn.
fn ends(steep: bool, back: bool) -> [(i32, i32); 2] {
    let (a, b) = (4 * 256 + 128, 70 * 256 + 128);
    let (a, b) = if back { (b, a) } else { (a, b) };
    [a, b].map(|v| {
        if steep {
            (20 * 256 + 100, v)
        } else {
            (v, 20 * 256 + 100)
        }
    })
}

#[test]
fn thin_lines() {
    for (steep, back) in [(false, false), (false, true), (true, false), (true, true)] {
        let line = line(ends(steep, back), 1.0, LineShape::Thin, false);
        let all = pixels(&line, None, &Samples::ONE);
        let major = |&(x, y, _): &(i32, i32, usize)| if steep { y } else { x };
        let (low, high) = (
            all.iter().map(major).min().unwrap(),
            all.iter().map(major).max().unwrap(),
        );
        assert_eq!(i64::from(high - low) + 1, 66);
        for (repeat, start) in [(1, 0), (3, 0), (2, 5), (256, 700)] {
            let stipple = Stipple {
                pattern: PATTERN,
                repeat,
                restarts: false,
            };
            assert_eq!(stipple.length(GRID, &line), 66 * 256);
            let expected: Vec<_> = all
                .iter()
                .copied()
                .filter(|pixel| {
                    let at = major(pixel);
                    let passed = if back { high - at } else { at - low };
                    draws(i64::from(passed) + start, repeat)
                })
                .collect();
            let got = pixels(&line, Some((&stipple, start as u64 * 256)), &Samples::ONE);
            assert_eq!(got, expected, "{steep} {back} {repeat} {start}");
        }
    }
}

#[test]
fn rectangles() {
    for samples in [Samples::ONE, Samples::standard(4)] {
        for (steep, back) in [(false, false), (false, true), (true, false), (true, true)] {
            let ends = ends(steep, back);
            let line = line(ends, 5.0, LineShape::Rectangle, samples.count() > 1);
            let all = pixels(&line, None, &samples);
            assert!(all.len() >= 66 * 5 * samples.count());
            for (repeat, start) in [(1, 0), (3, 0), (2, 5)] {
                let stipple = Stipple {
                    pattern: PATTERN,
                    repeat,
                    restarts: false,
                };
                assert_eq!(stipple.length(GRID, &line), 66 * 256);
                let expected: Vec<_> = all
                    .iter()
                    .copied()
                    .filter(|&(x, y, sample)| {
                        let (sx, sy) = samples.positions()[sample];
                        let (at, from) = match steep {
                            true => (y * 256 + i32::from(sy) * 16, ends[0].1),
                            false => (x * 256 + i32::from(sx) * 16, ends[0].0),
                        };
                        let passed = if back { from - at } else { at - from };
                        draws(i64::from(passed.max(0) >> 8) + start, repeat)
                    })
                    .collect();
                let got = pixels(&line, Some((&stipple, start as u64 * 256)), &samples);
                assert_eq!(got, expected, "{steep} {back} {repeat} {start}");
            }
        }
    }
    // Along a slope of 3 to 4 the distance counts, not the columns.
    let slope = line(
        [(0, 0), (40 * 256, 30 * 256)],
        3.0,
        LineShape::Rectangle,
        false,
    );
    let stipple = Stipple {
        pattern: 0b11,
        repeat: 5,
        restarts: true,
    };
    assert_eq!(stipple.length(GRID, &slope), 50 * 256);
    for (x, y, _) in pixels(&slope, Some((&stipple, 0)), &Samples::ONE) {
        let along = (f64::from(x) + 0.5) * 0.8 + (f64::from(y) + 0.5) * 0.6;
        assert!(along < 10.0, "{x} {y}");
    }
}
