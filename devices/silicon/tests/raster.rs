//! Coverage: against a per-sample oracle, watertight, independent of bins and of the SIMD level.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use proptest::prelude::*;
use silicon::SimdLevel;
use silicon::exports::VertexExports;
use silicon::fragment::multisample::Samples;
use silicon::fragment::raster::{Coverage, rasterize};
use silicon::fragment::tile::{Rect, lane_x, lane_y};
use silicon::geometry::assembly::{
    Assembly, Borders, Fill, Outlined, Positions, Primitives, VertexRows,
};
use silicon::geometry::clip::{DepthRange, Volume};
use silicon::geometry::setup::{Grid, LineShape, Primitive, Projected, Setup, Viewport, Winding};
use silicon::geometry::topology::Kind;
use silicon::geometry::vertices::Assembled;

const GRID: Grid = Grid::new(8);
const SCREEN: Rect = Rect {
    x0: 0,
    y0: 0,
    x1: 96,
    y1: 80,
};

fn setup(multisampled: bool) -> Setup {
    setup_on(GRID, multisampled)
}

fn setup_on(grid: Grid, multisampled: bool) -> Setup {
    Setup {
        grid,
        front: Winding::Clockwise,
        cull_front: false,
        cull_back: false,
        bias: None,
        multisampled,
        scissor: SCREEN,
    }
}

fn vertex(x: i32, y: i32) -> Projected {
    Projected {
        x,
        y,
        z: 0.5,
        inv_w: 1.0,
    }
}

/// Covered samples of a primitive: (x, y, sample) to how often.
fn covered(
    level: SimdLevel,
    primitive: &Primitive,
    bin: i32,
    samples: &Samples,
) -> HashMap<(i32, i32, usize), u32> {
    covered_on(GRID, level, primitive, bin, samples)
}

fn covered_on(
    grid: Grid,
    level: SimdLevel,
    primitive: &Primitive,
    bin: i32,
    samples: &Samples,
) -> HashMap<(i32, i32, usize), u32> {
    let mut out = HashMap::new();
    let mut coverage = Coverage::default();
    for y in (SCREEN.y0..SCREEN.y1).step_by(bin as usize) {
        for x in (SCREEN.x0..SCREEN.x1).step_by(bin as usize) {
            coverage.clear();
            let area = Rect::new(x, y, bin, bin).intersect(SCREEN);
            rasterize(level, grid, primitive, area, samples, &mut coverage);
            for (i, tile) in coverage.tiles.iter().enumerate() {
                let masks = coverage.samples_of(i, samples);
                assert_ne!(tile.mask, 0);
                assert_eq!(masks.iter().fold(0, |m, s| m | s), tile.mask);
                for (sample, mask) in masks.iter().enumerate() {
                    for lane in (0..64).filter(|l| mask >> l & 1 != 0) {
                        let at = (tile.x + lane_x(lane) as i32, tile.y + lane_y(lane) as i32);
                        *out.entry((at.0, at.1, sample)).or_insert(0) += 1;
                    }
                }
            }
        }
    }
    out
}

/// Covered samples of a primitive in an area.
fn covered_in(
    level: SimdLevel,
    primitive: &Primitive,
    area: Rect,
    samples: &Samples,
) -> HashMap<(i32, i32, usize), u32> {
    let mut coverage = Coverage::default();
    rasterize(level, GRID, primitive, area, samples, &mut coverage);
    let mut out = HashMap::new();
    for (i, tile) in coverage.tiles.iter().enumerate() {
        for (sample, mask) in coverage.samples_of(i, samples).iter().enumerate() {
            for lane in (0..64).filter(|l| mask >> l & 1 != 0) {
                let at = (tile.x + lane_x(lane) as i32, tile.y + lane_y(lane) as i32);
                *out.entry((at.0, at.1, sample)).or_insert(0) += 1;
            }
        }
    }
    out
}

/// The same, a sample at a time, straight from the definition of a top-left edge.
fn oracle(corners: [(i64, i64); 3], samples: &Samples) -> HashMap<(i32, i32, usize), u32> {
    oracle_in(SCREEN, corners, samples)
}

fn oracle_in(
    area: Rect,
    corners: [(i64, i64); 3],
    samples: &Samples,
) -> HashMap<(i32, i32, usize), u32> {
    oracle_on(GRID, area, corners, samples)
}

fn oracle_on(
    grid: Grid,
    area: Rect,
    corners: [(i64, i64); 3],
    samples: &Samples,
) -> HashMap<(i32, i32, usize), u32> {
    let [a, b, c] = corners;
    let cross = |p: (i64, i64), q: (i64, i64), r: (i64, i64)| {
        (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0)
    };
    let [a, b, c] = if cross(a, b, c) < 0 {
        [a, c, b]
    } else {
        [a, b, c]
    };
    let mut out = HashMap::new();
    if cross(a, b, c) == 0 {
        return out;
    }
    for y in area.y0..area.y1 {
        for x in area.x0..area.x1 {
            for (sample, (sx, sy)) in samples.positions().iter().enumerate() {
                let unit = i64::from(grid.unit());
                let p = (
                    i64::from(x) * unit + i64::from(*sx) * unit / 16,
                    i64::from(y) * unit + i64::from(*sy) * unit / 16,
                );
                let inside = [(a, b), (b, c), (c, a)].iter().all(|&(from, to)| {
                    let e = cross(from, to, p);
                    // Clockwise with y down: a left edge goes up, a top edge to the right.
                    let owned = to.1 < from.1 || to.1 == from.1 && to.0 > from.0;
                    e > 0 || e == 0 && owned
                });
                if inside {
                    out.insert((x, y, sample), 1);
                }
            }
        }
    }
    out
}

fn coordinate() -> impl Strategy<Value = i32> {
    prop_oneof![
        4 => -2000i32..26000,
        // On pixel centres and corners, where the border rule decides.
        3 => (0i32..200).prop_map(|v| v * 128),
        1 => -8_388_607i32..8_388_607,
        2 => 5000i32..5600,
    ]
}

fn point() -> impl Strategy<Value = (i32, i32)> {
    (coordinate(), coordinate())
}

fn sample_count() -> impl Strategy<Value = u32> {
    prop_oneof![Just(1u32), Just(2), Just(4), Just(8), Just(16)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn triangle_is_what_its_edges_say(a in point(), b in point(), c in point(), count in sample_count()) {
        let samples = Samples::standard(count);
        let corners = [a, b, c].map(|(x, y)| (i64::from(x), i64::from(y)));
        let expected = oracle(corners, &samples);
        let primitive = setup(count > 1).triangle([a, b, c].map(|(x, y)| vertex(x, y)), 7);
        let Some(primitive) = primitive else {
            prop_assert!(expected.is_empty());
            return Ok(());
        };
        for level in SimdLevel::available() {
            prop_assert_eq!(&covered(level, &primitive, 64, &samples), &expected);
        }
        prop_assert_eq!(&covered(SimdLevel::BASELINE, &primitive, 16, &samples), &expected);
    }

    #[test]
    fn finer_grids_have_the_same_rules(
        a in point(), b in point(), c in point(),
        finer in 1u32..=4, low in any::<u32>(), count in sample_count(),
    ) {
        let grid = Grid::new(8 + finer);
        let samples = Samples::standard(count);
        let corners = [(a, 0), (b, 8), (c, 16)].map(|((x, y), shift)| {
            let bits = |at: i32, shift: u32| {
                let at = (at.clamp(-500_000, 500_000) << finer) + (low >> shift & 15) as i32;
                // Of those on pixel centres some stay there.
                if low >> 28 < 8 { at & !((1 << finer) - 1) } else { at }
            };
            (bits(x, shift), bits(y, shift + 4))
        });
        let expected = oracle_on(grid, SCREEN, corners.map(|(x, y)| (i64::from(x), i64::from(y))), &samples);
        let primitive = setup_on(grid, count > 1).triangle(corners.map(|(x, y)| vertex(x, y)), 7);
        let Some(primitive) = primitive else {
            prop_assert!(expected.is_empty());
            return Ok(());
        };
        for level in SimdLevel::available() {
            prop_assert_eq!(&covered_on(grid, level, &primitive, 64, &samples), &expected);
        }
    }

    /// A triangle cut again and again at points of the grid is covered as before, each sample once.
    #[test]
    fn watertight(a in point(), b in point(), c in point(), seed in any::<u64>(), count in sample_count()) {
        let samples = Samples::standard(count);
        let whole = [a, b, c].map(|(x, y)| (i64::from(x), i64::from(y)));
        let mut state = seed | 1;
        let mut random = |n: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64 % n
        };
        let area = |t: &[(i64, i64); 3]| {
            (t[1].0 - t[0].0) * (t[2].1 - t[0].1) - (t[1].1 - t[0].1) * (t[2].0 - t[0].0)
        };
        let sign = area(&whole).signum();
        let mut mesh = vec![whole];
        for _ in 0..24 {
            let i = random(mesh.len() as i64) as usize;
            let t = mesh[i];
            let (u, v) = (random(1000), random(1000));
            let (u, v) = if u + v > 1000 { (1000 - u, 1000 - v) } else { (u, v) };
            let at = |k: fn(&(i64, i64)) -> i64| {
                k(&t[0]) + ((k(&t[1]) - k(&t[0])) * u + (k(&t[2]) - k(&t[0])) * v) / 1000
            };
            let p = (at(|p| p.0), at(|p| p.1));
            let parts = [[t[0], t[1], p], [t[1], t[2], p], [t[2], t[0], p]];
            if parts.iter().all(|t| area(t).signum() == sign) {
                mesh.swap_remove(i);
                mesh.extend(parts);
            }
        }
        let mut sum = HashMap::new();
        for t in &mesh {
            let corners = t.map(|(x, y)| vertex(x as i32, y as i32));
            if let Some(primitive) = setup(count > 1).triangle(corners, 0) {
                for (at, n) in covered(SimdLevel::current(), &primitive, 32, &samples) {
                    *sum.entry(at).or_insert(0) += n;
                }
            }
        }
        prop_assert_eq!(sum, oracle(whole, &samples));
    }

    /// A point covers the samples of its rectangle: left and top border inside, right and bottom outside.
    #[test]
    fn point_is_a_rectangle(at in (0i32..20000, 0i32..20000), size in (0i32..9000, 0i32..9000), count in sample_count()) {
        let samples = Samples::standard(count);
        let primitive = setup(count > 1).point(vertex(at.0, at.1), [size.0, size.1].map(|v| v as f32 / 256.0), 0);
        let got = primitive.map(|p| covered(SimdLevel::current(), &p, 64, &samples)).unwrap_or_default();
        let (left, top) = (at.0 - size.0 / 2, at.1 - size.1 / 2);
        for y in SCREEN.y0..SCREEN.y1 {
            for x in SCREEN.x0..SCREEN.x1 {
                for (sample, (sx, sy)) in samples.positions().iter().enumerate() {
                    let p = (x * 256 + i32::from(*sx) * 16, y * 256 + i32::from(*sy) * 16);
                    let inside = (left..left + size.0).contains(&p.0) && (top..top + size.1).contains(&p.1);
                    prop_assert_eq!(got.contains_key(&(x, y, sample)), inside);
                }
            }
        }
    }

    /// A thin line covers one pixel per step of its longer axis, without gaps, wherever bins are cut.
    #[test]
    fn thin_line_steps_once(a in (500i32..24000, 500i32..20000), b in (500i32..24000, 500i32..20000)) {
        let line = setup(false).line([a, b].map(|(x, y)| vertex(x, y)), 1.0, LineShape::Thin, 0).unwrap();
        let got = covered(SimdLevel::current(), &line, 96, &Samples::ONE);
        prop_assert_eq!(&covered(SimdLevel::BASELINE, &line, 8, &Samples::ONE), &got);
        let steep = (b.1 - a.1).abs() > (b.0 - a.0).abs();
        let mut steps: Vec<_> = got.keys().map(|&(x, y, _)| if steep { (y, x) } else { (x, y) }).collect();
        steps.sort_unstable();
        for pair in steps.windows(2) {
            prop_assert_eq!(pair[1].0, pair[0].0 + 1);
            prop_assert!((pair[1].1 - pair[0].1).abs() <= 1);
        }
        let length = (b.0 - a.0).abs().max((b.1 - a.1).abs());
        // An end adds its pixel when it is past the middle: less than one more at each end.
        prop_assert!((steps.len() as f64 - f64::from(length) / 256.0).abs() < 2.0);
        // Every pixel is within half a pixel of the line, measured along the shorter axis.
        for (u, v) in steps {
            let (a, b) = if steep { ((a.1, a.0), (b.1, b.0)) } else { (a, b) };
            let t = f64::from(u * 256 + 128 - a.0) / f64::from(b.0 - a.0);
            let exact = f64::from(a.1) + t * f64::from(b.1 - a.1);
            prop_assert!((exact - f64::from(v * 256 + 128)).abs() <= 128.0 + 1e-6);
        }
    }

    /// Lines that continue each other share no pixel and leave none out: the end of one belongs to the next.
    #[test]
    fn polyline_has_no_doubles(a in (500i32..24000, 500i32..20000), d in (-90i32..90, -90i32..90), n in 2i32..9) {
        prop_assume!(d != (0, 0));
        let at = |k: i32| vertex(a.0 + d.0 * k * 7, a.1 + d.1 * k * 7);
        let mut sum = HashMap::new();
        for k in 0..n {
            if let Some(line) = setup(false).line([at(k), at(k + 1)], 1.0, LineShape::Thin, 0) {
                for (p, c) in covered(SimdLevel::current(), &line, 96, &Samples::ONE) {
                    *sum.entry(p).or_insert(0) += c;
                }
            }
        }
        let whole = setup(false).line([at(0), at(n)], 1.0, LineShape::Thin, 0)
            .map(|l| covered(SimdLevel::current(), &l, 96, &Samples::ONE)).unwrap_or_default();
        prop_assert_eq!(sum, whole);
    }
}

#[test]
fn ends_of_lines_may_lie_along_an_axis() {
    let samples = Samples::ONE;
    let at = |(x, y): (i32, i32)| vertex(x * 256 + 128, y * 256 + 128);
    let pixels = |a, b, shape| {
        let line = setup(false).line([at(a), at(b)], 3.0, shape, 0).unwrap();
        let got = covered(SimdLevel::current(), &line, 64, &samples);
        let mut pixels: Vec<_> = got.keys().map(|&(x, y, _)| (x, y)).collect();
        pixels.sort_unstable();
        pixels
    };
    // Three pixels of every column from 10 to 29: the line climbs a third of a pixel each.
    let upright: Vec<_> = (10..30)
        .flat_map(|x| {
            let middle = 20 + (x - 10 + 1) / 3;
            (middle - 1..=middle + 1).map(move |y| (x, y))
        })
        .collect();
    let ends = [(10, 20), (40, 30)];
    let found = pixels(ends[0], ends[1], LineShape::Upright);
    assert_eq!(found[..60], upright);
    assert_eq!(pixels(ends[0], ends[1], LineShape::BySlope), found);
    assert_eq!(found.len(), 90);
    // The same with both axes swapped.
    let swap = |(x, y)| (y, x);
    let mut swapped: Vec<_> = found.into_iter().map(swap).collect();
    swapped.sort_unstable();
    let [a, b] = ends.map(swap);
    assert_eq!(pixels(a, b, LineShape::Level), swapped);
    assert_eq!(pixels(a, b, LineShape::BySlope), swapped);
    // Along its own ends a line has no area.
    assert_eq!(pixels((5, 5), (5, 9), LineShape::Upright), []);
}

#[test]
fn wide_line_is_a_rectangle() {
    let samples = Samples::ONE;
    // From (10, 20) to (30, 20), 4 wide: columns 10..30, lines 18..22.
    let line = setup(false)
        .line(
            [vertex(10 * 256, 20 * 256), vertex(30 * 256, 20 * 256)],
            4.0,
            LineShape::Rectangle,
            0,
        )
        .unwrap();
    let got = covered(SimdLevel::current(), &line, 64, &samples);
    let expected: HashMap<_, _> = (18..22)
        .flat_map(|y| (10..30).map(move |x| ((x, y, 0), 1)))
        .collect();
    assert_eq!(got, expected);
    // The diagonal, one pixel wide and 10 * sqrt 2 long, has about that area.
    let line = setup(false)
        .line(
            [vertex(10 * 256, 10 * 256), vertex(40 * 256, 40 * 256)],
            2.0,
            LineShape::Rectangle,
            0,
        )
        .unwrap();
    let got = covered(SimdLevel::current(), &line, 64, &samples).len() as f64;
    assert!((got - 30.0 * 2f64.sqrt() * 2.0).abs() < 6.0, "{got}");
    // Neighbours that share an end cross-section, on the same line, meet without doubles.
    let at = |k: i32| vertex(2600 + k * 1111, 3000 + k * 700);
    let mut sum = HashMap::new();
    for k in 0..4 {
        let line = setup(false)
            .line([at(k), at(k + 1)], 5.0, LineShape::Rectangle, 0)
            .unwrap();
        for (p, n) in covered(SimdLevel::current(), &line, 64, &samples) {
            *sum.entry(p).or_insert(0) += n;
        }
    }
    let whole = setup(false)
        .line([at(0), at(4)], 5.0, LineShape::Rectangle, 0)
        .unwrap();
    assert_eq!(sum, covered(SimdLevel::current(), &whole, 64, &samples));
    // Without length there is nothing.
    let none = setup(false)
        .line([at(0), at(0)], 5.0, LineShape::Rectangle, 0)
        .unwrap();
    assert!(covered(SimdLevel::current(), &none, 64, &samples).is_empty());
}

#[test]
fn full_tiles_are_full() {
    let big = setup(false)
        .triangle(
            [
                vertex(-100_000, -100_000),
                vertex(900_000, -100_000),
                vertex(-100_000, 900_000),
            ],
            0,
        )
        .unwrap();
    let mut coverage = Coverage::default();
    rasterize(
        SimdLevel::current(),
        GRID,
        &big,
        Rect::new(64, 0, 32, 64),
        &Samples::ONE,
        &mut coverage,
    );
    assert_eq!(coverage.tiles.len(), 4 * 8);
    assert!(coverage.tiles.iter().all(|t| t.mask == u64::MAX));
    // A scissor that cuts tiles cuts their masks.
    coverage.clear();
    rasterize(
        SimdLevel::current(),
        GRID,
        &big,
        Rect::new(3, 2, 10, 3),
        &Samples::ONE,
        &mut coverage,
    );
    let pixels: u32 = coverage.tiles.iter().map(|t| t.mask.count_ones()).sum();
    assert_eq!((coverage.tiles.len(), pixels), (2, 30));
}

/// All triangles between the points of a lattice of half pixels, around a corner of four tiles: every edge that is
/// horizontal, vertical or diagonal through pixel centres, in both windings.
#[test]
fn small_triangles_own_their_top_and_left_edges() {
    let at = |n: i32| (7 * 256 + n % 5 * 128, 15 * 256 + n / 5 * 128);
    let area = Rect::new(6, 14, 6, 6);
    for (a, b, c) in (0..25 * 25 * 25).map(|n| (n % 25, n / 25 % 25, n / 625)) {
        let corners = [at(a), at(b), at(c)];
        let wide = corners.map(|(x, y)| (i64::from(x), i64::from(y)));
        let expected = oracle_in(area, wide, &Samples::ONE);
        let got = setup(false)
            .triangle(corners.map(|(x, y)| vertex(x, y)), 0)
            .map(|primitive| covered_in(SimdLevel::current(), &primitive, area, &Samples::ONE));
        assert_eq!(got.unwrap_or_default(), expected, "{corners:?}");
    }
}

/// Triangles larger than the 32-bit edge functions take, with horizontal and vertical edges through sample positions.
#[test]
fn large_triangles_own_their_top_and_left_edges() {
    for count in [1, 4] {
        let samples = Samples::standard(count);
        // 10.5 and 60.5 lie on pixel centres, 10.375 and 60.375 on the first of four samples.
        let offset = if count == 1 { 128 } else { 96 };
        let (low, high) = (10 * 256 + offset, 60 * 256 + offset);
        let square = [(low, low), (high, low), (high, high), (low, high)];
        for leave in 0..4 {
            for turn in [[0, 1, 2], [0, 2, 1]] {
                let kept: Vec<_> = (0..4).filter(|n| *n != leave).collect();
                let corners = turn.map(|n| square[kept[n]]);
                let wide = corners.map(|(x, y)| (i64::from(x), i64::from(y)));
                let primitive = setup(count > 1).triangle(corners.map(|(x, y)| vertex(x, y)), 0);
                let got = covered(SimdLevel::current(), &primitive.unwrap(), 64, &samples);
                assert_eq!(got, oracle(wide, &samples), "{corners:?}");
            }
        }
    }
}

/// The same where culling has looked first, which gives the smallest triangles their coverage.
#[test]
fn culled_triangles_own_their_top_and_left_edges() {
    let at = |n: i32| (7 * 256 + n % 5 * 64, 15 * 256 + n / 5 * 64);
    let area = Rect::new(6, 14, 6, 6);
    let viewport = Viewport {
        scale: [64.0; 3],
        offset: [0.0; 3],
        z_is_w: false,
    };
    let assembly = Assembly {
        viewports: vec![viewport],
        volume: Volume {
            depth: DepthRange::ZeroToOne,
            near: true,
            far: true,
            guard: [100.0; 2],
            clip_distances: 0,
            cull_distances: 0,
        },
        front: setup(false),
        back: setup(false),
        vertex_layers: false,
        fill: Fill::Solid,
        line_width: 1.0,
        line_shape: LineShape::Thin,
        last_provokes: false,
        biases_parallelograms: false,
        keeps_lines: false,
        positions: Positions::default(),
        user_planes: Vec::new(),
        borders: Borders::default(),
        sprites: false,
        outlined: Outlined::default(),
        point_size: [1.0; 2],
        vertex_point_size: None,
        draws: true,
    };
    let mut exports = VertexExports::default();
    for lane in 0..25 {
        let (x, y) = at(lane);
        let position = [x as f32 / 16384.0, y as f32 / 16384.0, 0.5, 1.0];
        for (row, value) in exports.positions[0].iter_mut().zip(position) {
            row[lane as usize] = value.to_bits();
        }
    }
    let mut rows = VertexRows::default();
    assembly.project(
        SimdLevel::current(),
        Kind::Triangles,
        &exports,
        64,
        &mut rows,
    );
    let triangles = (0..25 * 25 * 25).map(|n| [n % 25, n / 25 % 25, n / 625]);
    let run: Vec<_> = triangles.map(|vertices| Assembled { vertices }).collect();
    let mut out = Primitives::default();
    let kind = Kind::Triangles;
    assembly.assemble(SimdLevel::current(), kind, &[rows], &run, 0, &mut out);
    let mut shown = HashMap::new();
    for primitive in &out.list {
        shown.insert(primitive.id, primitive);
    }
    let (mut by_culling, mut pixels) = (0, 0);
    for (id, Assembled { vertices }) in run.iter().enumerate() {
        let corners = vertices.map(|v| at(v as i32));
        let wide = corners.map(|(x, y)| (i64::from(x), i64::from(y)));
        let expected = oracle_in(area, wide, &Samples::ONE);
        let got = shown.get(&(id as u32)).map(|primitive| {
            by_culling += usize::from(primitive.coverage_2x2 != 0);
            covered_in(SimdLevel::current(), primitive, area, &Samples::ONE)
        });
        pixels += expected.len();
        assert_eq!(got.unwrap_or_default(), expected, "{corners:?}");
    }
    assert!(by_culling > 1000 && pixels > 3000, "{by_culling} {pixels}");
}

/// Clear of any oracle: the half pixels of a square of two pixels. A pixel centre on the upper or left border is in,
/// one on the lower or right border is out.
#[test]
fn borders_of_a_square() {
    let (left, top, size) = (10 * 256 + 128, 20 * 256 + 128, 512);
    let corner = |x: i32, y: i32| vertex(left + x * size, top + y * size);
    let mut count = HashMap::new();
    for triangle in [
        [corner(0, 0), corner(1, 0), corner(0, 1)],
        [corner(1, 0), corner(1, 1), corner(0, 1)],
    ] {
        let primitive = setup(false).triangle(triangle, 0).unwrap();
        for (pixel, n) in covered(SimdLevel::current(), &primitive, 32, &Samples::ONE) {
            *count.entry(pixel).or_insert(0) += n;
        }
    }
    let pixels = [(10, 20), (11, 20), (10, 21), (11, 21)];
    let expected: HashMap<_, _> = pixels.into_iter().map(|(x, y)| ((x, y, 0), 1)).collect();
    assert_eq!(count, expected);
}
