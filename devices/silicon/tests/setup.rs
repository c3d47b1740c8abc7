//! Snapping, facing, culling, bounds, bias and bin lists.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use silicon::SimdLevel;
use silicon::fragment::bins::{Bins, Lists, Threads};
use silicon::fragment::multisample::Samples;
use silicon::fragment::raster::{Coverage, rasterize};
use silicon::fragment::tile::Rect;
use silicon::geometry::setup::{
    Bias, BiasUnit, Grid, LineShape, MAX_COORDINATE, Primitive, Projected, Provoking, Setup, Snap,
    Viewport, Winding, project_row, triangles,
};

const GRID: Grid = Grid::new(8);
const SCREEN: Rect = Rect {
    x0: 0,
    y0: 0,
    x1: 640,
    y1: 480,
};

fn setup() -> Setup {
    Setup {
        grid: GRID,
        front: Winding::CounterClockwise,
        cull_front: false,
        cull_back: false,
        bias: None,
        multisampled: false,
        scissor: SCREEN,
    }
}

fn at(x: f32, y: f32, z: f32) -> Projected {
    Projected {
        x: GRID.snap(x),
        y: GRID.snap(y),
        z,
        inv_w: 1.0,
    }
}

#[test]
fn snapping() {
    for (v, expected) in [
        (0.0, 0),
        (1.0, 256),
        (-1.5, -384),
        // Ties go to even.
        (0.5 / 256.0, 0),
        (1.5 / 256.0, 2),
        (-2.5 / 256.0, -2),
        (1e30, MAX_COORDINATE),
        (f32::NEG_INFINITY, -MAX_COORDINATE),
        (32767.996, MAX_COORDINATE),
    ] {
        assert_eq!(GRID.snap(v), expected, "{v}");
    }
    assert_eq!(Grid::new(4).snap(1.03125), 16);
    assert_eq!(Grid::new(4).snap(1.04), 17);
    assert_eq!(Grid::new(12).snap(-3.0 / 4096.0), -3);
    let truncated = Grid {
        snap: Snap::Truncated,
        ..GRID
    };
    for (v, expected) in [
        (1.0, 256),
        (0.999 / 256.0, 0),
        (-1.999 / 256.0, -1),
        (1e30, MAX_COORDINATE),
    ] {
        assert_eq!(truncated.snap(v), expected, "{v}");
    }
}

#[test]
fn facing_and_culling() {
    // Clockwise on the screen, where y points down.
    let clockwise = [
        at(10.0, 10.0, 0.0),
        at(50.0, 10.0, 0.0),
        at(10.0, 50.0, 0.0),
    ];
    let counter = Provoking::Last.first([clockwise[0], clockwise[2], clockwise[1]]);
    assert_eq!(counter[0], clockwise[1]);
    let mut s = setup();
    assert!(!s.triangle(clockwise, 0).unwrap().front);
    assert!(s.triangle(counter, 0).unwrap().front);
    s.cull_back = true;
    assert_eq!(s.triangle(clockwise, 0), None);
    assert!(s.triangle(counter, 0).is_some());
    s.front = Winding::Clockwise;
    assert!(s.triangle(clockwise, 0).is_some());
    assert_eq!(s.triangle(counter, 0), None);
    s.cull_front = true;
    assert_eq!(s.triangle(clockwise, 0), None);
    let flat = [at(0.0, 0.0, 0.0), at(5.0, 5.0, 0.0), at(9.0, 9.0, 0.0)];
    assert_eq!(setup().triangle(flat, 0), None);
}

#[test]
fn bounds() {
    let t = |s: &Setup, v: [(f32, f32); 3]| s.triangle(v.map(|(x, y)| at(x, y, 0.0)), 0);
    // Between pixel centres: gone, unless there may be samples.
    let small = [(10.6, 10.6), (11.4, 10.6), (10.6, 11.4)];
    assert_eq!(t(&setup(), small), None);
    let multisampled = Setup {
        multisampled: true,
        ..setup()
    };
    let bounds = t(&multisampled, small).unwrap().bounds(GRID, true);
    assert_eq!(bounds, Rect::new(10, 10, 2, 2));
    let p = t(&setup(), [(10.5, 10.5), (12.5, 10.5), (10.5, 13.4)]).unwrap();
    assert_eq!(p.bounds(GRID, false), Rect::new(10, 10, 3, 3));
    // Outside the scissor.
    assert_eq!(
        t(&setup(), [(-10.0, 10.0), (-2.0, 10.0), (-10.0, 40.0)]),
        None
    );
    assert!(t(&setup(), [(-10.0, 10.0), (2.0, 10.0), (-10.0, 40.0)]).is_some());
}

#[test]
fn bias() {
    let z = |bias: Bias| {
        let s = Setup {
            bias: Some(bias),
            ..setup()
        };
        // z rises by 1/64 per pixel in x and by 1/128 in y.
        let v = [at(0.0, 0.0, 0.25), at(32.0, 0.0, 0.75), at(0.0, 32.0, 0.5)];
        s.triangle(v, 0).unwrap().z[0] - 0.25
    };
    let none = Bias {
        constant: 0.0,
        slope: 0.0,
        clamp: 0.0,
        unit: BiasUnit::Unorm(16),
    };
    assert_eq!(z(none), 0.0);
    let constant = Bias {
        constant: 4.0,
        ..none
    };
    assert_eq!(z(constant), 4.0 / 65536.0);
    let float = Bias {
        constant: 256.0,
        unit: BiasUnit::Float,
        ..none
    };
    // The largest depth, 0.75, has exponent -1: a unit is 2^-24.
    assert_eq!(z(float), 256.0 / 16_777_216.0);
    let slope = Bias { slope: 2.0, ..none };
    assert_eq!(z(slope), 2.0 / 64.0);
    assert_eq!(
        z(Bias {
            clamp: 0.01,
            ..slope
        }),
        0.26 - 0.25
    );
    assert_eq!(
        z(Bias {
            slope: -2.0,
            clamp: -0.01,
            ..none
        }),
        0.24 - 0.25
    );
}

#[test]
fn batches_equal_single_triangles() {
    let viewport = Viewport {
        scale: [320.0, -240.0, 0.5],
        offset: [320.0, 240.0, 0.5],
        z_is_w: false,
    };
    let mut state = 1u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 40) as f32 / 8_388_608.0 - 1.0
    };
    let rows: [[f32; 64]; 4] = std::array::from_fn(|k| {
        std::array::from_fn(|_| {
            if k == 3 {
                random().abs() + 0.5
            } else {
                random()
            }
        })
    });
    let expected: Vec<Projected> = (0..64)
        .map(|i| viewport.project(GRID, [rows[0][i], rows[1][i], rows[2][i], rows[3][i]]))
        .collect();
    let indices: Vec<[u32; 3]> = (0..500u32)
        .map(|i| [i % 64, i * 7 % 64, i * 11 % 64])
        .collect();
    let s = setup();
    let singles: Vec<Primitive> = indices
        .iter()
        .enumerate()
        .filter_map(|(i, t)| s.triangle(t.map(|v| expected[v as usize]), 100 + i as u32))
        .collect();
    for level in SimdLevel::available() {
        let mut vertices = [Projected::default(); 64];
        project_row(level, &viewport, GRID, &rows, 64, &mut vertices);
        assert_eq!(vertices.as_slice(), expected);
        for lanes in [0, 1, 3, 16, 17, 63] {
            let mut some = [Projected::default(); 64];
            project_row(level, &viewport, GRID, &rows, lanes, &mut some);
            assert_eq!(some[..lanes], expected[..lanes]);
        }
        let mut out = Vec::new();
        triangles(level, &s, &vertices, &indices, 100, &mut out);
        assert_eq!(out, singles);
        assert!(out.len() > 300);
    }
}

fn vertex() -> impl Strategy<Value = Projected> {
    (-100f32..800.0, -100f32..600.0).prop_map(|(x, y)| at(x, y, 0.5))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    /// Every bin that a primitive covers has it in its list, in order, and drawing bin by bin on any number of threads
    /// covers what drawing the whole screen covers.
    #[test]
    fn lists_are_complete(corners in prop::collection::vec([vertex(), vertex(), vertex()], 1..30), points in prop::collection::vec((vertex(), 0f32..90.0), 0..5), shift in 5u32..8) {
        let s = setup();
        let mut primitives: Vec<Primitive> = corners.iter().enumerate().filter_map(|(i, c)| s.triangle(*c, i as u32)).collect();
        primitives.extend(points.iter().filter_map(|(p, size)| s.point(*p, [*size; 2], 99)));
        primitives.extend(corners.iter().filter_map(|c| s.line([c[0], c[1]], 5.0, LineShape::Rectangle, 98)));
        let scissor = Rect::new(30, 20, 500, 400);
        let bins = Bins::new(SCREEN, shift);
        let mut lists = Lists::default();
        lists.fill(&bins, GRID, false, scissor, (&primitives, &[]));
        let pixels = |area: Rect, items: &mut dyn Iterator<Item = usize>| -> Vec<(usize, i32, i32, u64)> {
            let mut coverage = Coverage::default();
            let mut out = Vec::new();
            for item in items {
                coverage.clear();
                rasterize(SimdLevel::current(), GRID, &primitives[item], area.intersect(scissor), &Samples::ONE, &mut coverage);
                out.extend(coverage.tiles.iter().map(|t| (item, t.y, t.x, t.mask)));
            }
            out
        };
        let mut whole = pixels(SCREEN, &mut (0..primitives.len()));
        whole.sort_unstable();
        for count in [1, 3] {
            let threads = Threads::new(count);
            let mut workers = threads.workers(Vec::new);
            threads.for_each_bin(&bins, &mut workers, |bin, out| {
                let list = lists.of(bin.index);
                assert!(list.windows(2).all(|w| w[0] < w[1]));
                out.extend(pixels(bin.area, &mut list.iter().map(|i| *i as usize)));
                Ok::<(), silicon::fragment::bins::Failure<()>>(())
            }).unwrap();
            let mut all: Vec<_> = workers.into_iter().flatten().collect();
            all.sort_unstable();
            prop_assert_eq!(&all, &whole);
        }
        prop_assert_eq!(lists.len(), (0..bins.count()).map(|b| lists.of(b).len()).sum::<usize>());
    }
}
