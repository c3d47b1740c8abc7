//! Planes, weights and clipping against double precision.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use silicon::SimdLevel;
use silicon::fragment::interpolate::{
    BatchRows, CENTRES, InTile, Packed, Planes, SamplePositions, ScreenPlane, Value, Wanted,
    Weights, bits, lanes, perspective, position as places, reciprocals, tile_positions,
    tile_values, tile_weights, values,
};
use silicon::fragment::multisample::Samples;
use silicon::fragment::raster::{Coverage, rasterize};
use silicon::fragment::scan::MAX_BATCH;
use silicon::fragment::tile::{LANE_X, LANE_Y, Rect};
use silicon::geometry::clip::{self, DepthRange, Verdict, Volume};
use silicon::geometry::setup::{
    Corners, Grid, LineShape, Primitive, Projected, Setup, Viewport, Winding,
};

const GRID: Grid = Grid::new(8);
const SCREEN: Rect = Rect {
    x0: 0,
    y0: 0,
    x1: 128,
    y1: 128,
};
const SETUP: Setup = Setup {
    grid: GRID,
    front: Winding::Clockwise,
    cull_front: false,
    cull_back: false,
    bias: None,
    multisampled: false,
    scissor: SCREEN,
};
const VIEWPORT: Viewport = Viewport {
    scale: [64.0, 64.0, 1.0],
    offset: [64.0, 64.0, 0.0],
    z_is_w: false,
};
const VOLUME: Volume = Volume {
    depth: DepthRange::ZeroToOne,
    near: true,
    far: true,
    guard: [200.0, 200.0],
    clip_distances: 0,
    cull_distances: 0,
};

fn floats(row: &[u32; 64]) -> [f32; 64] {
    row.map(f32::from_bits)
}

fn corner() -> impl Strategy<Value = Projected> {
    (
        -20_000i32..50_000,
        -20_000i32..50_000,
        0f32..1.0,
        0.05f32..20.0,
    )
        .prop_map(|(x, y, z, inv_w)| Projected { x, y, z, inv_w })
}

/// Weights of the corners at a point of the grid, from the definition.
fn weights(p: &Primitive, x: f64, y: f64) -> [f64; 3] {
    let v: [(f64, f64); 3] = std::array::from_fn(|k| (f64::from(p.x[k]), f64::from(p.y[k])));
    let cross = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| {
        (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
    };
    let area = cross(v[0], v[1], v[2]);
    let at = (x, y);
    [(v[1], v[2]), (v[2], v[0]), (v[0], v[1])].map(|(a, b)| cross(a, b, at) / area)
}

/// One place in each pixel of a tile, in sixteenths from the centre.
fn shifted(by: [i8; 2]) -> SamplePositions {
    let [dx, dy] = by.map(|by| f32::from(by) / 16.0);
    SamplePositions {
        x: CENTRES.x.map(|x| x + dx),
        y: CENTRES.y.map(|y| y + dy),
    }
}

proptest! {
    #[test]
    fn planes_are_exact_enough(corners in [corner(), corner(), corner()], tile in (0i32..16, 0i32..16), sample in 0usize..8) {
        let Some(primitive) = SETUP.triangle(corners, 0) else { return Ok(()); };
        let planes = Planes::new(GRID, &primitive, &[]).tile(tile.0 * 8, tile.1 * 8);
        let samples = Samples::standard(8);
        for sample_positions in [CENTRES, SamplePositions::sample(&samples, sample)] {
            let mut rows = [[0; 64]; 7];
            let [i, j, li, lj, z, w, again] = &mut rows;
            for level in SimdLevel::available() {
                perspective(level, [&planes.i_w, &planes.j_w, &planes.inv_w], &sample_positions, i, j);
                bits(level, &planes.i, &sample_positions, li);
                bits(level, &planes.j, &sample_positions, lj);
                bits(level, &planes.inv_w, &sample_positions, w);
                bits(level, &planes.z, &sample_positions, z);
                let mut depths = [0.0; 64];
                values(level, &planes.z, &sample_positions, &mut depths);
                prop_assert_eq!(depths.map(f32::to_bits), *z);
                perspective(SimdLevel::BASELINE, [&planes.i_w, &planes.j_w, &planes.inv_w], &sample_positions, again, &mut [0; 64]);
                prop_assert_eq!(&*again, &*i);
            }
            let exact: Vec<[f64; 3]> = (0..64).map(|n| {
                let at = |tile: i32, spot: f32| f64::from(tile * 2048 + 128) + f64::from(spot) * 256.0;
                weights(&primitive, at(tile.0, sample_positions.x[n]), at(tile.1, sample_positions.y[n]))
            }).collect();
            let linear = |n: usize, v: [f32; 3]| (0..3).map(|k| exact[n][k] * f64::from(v[k])).sum::<f64>();
            // Two units of the largest value in the tile. The slack is for the tile's first pixel outside it.
            let largest = |f: &dyn Fn(usize) -> f64| (0..64).fold(0.0f64, |m, n| m.max(f(n).abs()));
            let ulp = 2f64.powi(-23) * 2.0;
            for (row, vertex_values) in [
                (&rows[2], [0.0, 1.0, 0.0]), (&rows[3], [0.0, 0.0, 1.0]), (&rows[4], primitive.z), (&rows[5], primitive.inv_w),
            ] {
                let row = floats(row);
                let f = |n: usize| linear(n, vertex_values);
                let bound = ulp * largest(&f) * 2.0 + 1e-12;
                for (n, v) in row.iter().enumerate() {
                    prop_assert!((f64::from(*v) - f(n)).abs() <= bound, "{} {} {}", v, f(n), bound);
                }
            }
            // Perspective weights where all corners' weights are positive: inside the triangle.
            for k in 1..3 {
                let row = floats(&rows[k - 1]);
                let top = largest(&|n| exact[n][k] * f64::from(primitive.inv_w[k]));
                let bottom = largest(&|n| linear(n, primitive.inv_w));
                for n in 0..64 {
                    if exact[n].iter().all(|w| *w >= 0.0) {
                        let w = linear(n, primitive.inv_w);
                        let value = exact[n][k] * f64::from(primitive.inv_w[k]) / w;
                        let bound = (top + value * bottom) / w * ulp * 2.0 + 1e-7;
                        prop_assert!((f64::from(row[n]) - value).abs() <= bound);
                    }
                }
            }
        }
    }

    /// Several whole tiles at once have the values and places that each has alone, numbers or not.
    #[test]
    fn values_of_whole_tiles_equal_single_ones(numbers in prop::collection::vec((0usize..9, -3f64..3.0), 3), tiles in prop::collection::vec((-9i32..160, -9i32..160), 1..=MAX_BATCH), shift in [-8i8..8, -8i8..8]) {
        let places_of = shifted(shift);
        let awkward = [f64::INFINITY, f64::NAN, 1e31, -0.0, 0.0, 1.0];
        let mut numbers = numbers.iter().map(|(kind, value)| *awkward.get(*kind).unwrap_or(value));
        let mut next = || numbers.next().unwrap();
        let plane = ScreenPlane { base: next(), dx: next(), dy: next() };
        let at: Vec<[i32; 2]> = tiles.iter().map(|(x, y)| [8 * x, 8 * y]).collect();
        for level in SimdLevel::available() {
            let mut rows = [[[7; 64]; 4]; MAX_BATCH];
            let mut row = |n: usize, fill: &dyn Fn(&mut BatchRows)| {
                fill(&mut rows.each_mut().map(|rows| Some(&mut rows[n])));
            };
            row(0, &|rows| tile_values(level, Value::Own, &plane, (&at, &places_of), rows));
            row(1, &|rows| tile_values(level, Value::Reciprocal, &plane, (&at, &places_of), rows));
            row(2, &|rows| tile_positions(level, 0, 0.5, (&at, &places_of), rows));
            row(3, &|rows| tile_positions(level, 1, 0.0, (&at, &places_of), rows));
            for (&[x, y], found) in at.iter().zip(&rows) {
                let inside = InTile { plane: &plane, x, y };
                let mut expected = [[0; 64]; 4];
                bits(SimdLevel::BASELINE, inside, &places_of, &mut expected[0]);
                reciprocals(SimdLevel::BASELINE, inside, &places_of, &mut expected[1]);
                let (columns, lines) = (LANE_X.map(|lane| x + lane), LANE_Y.map(|lane| y + lane));
                places(&columns, 0.5, [&places_of.x, &CENTRES.x], &mut expected[2]);
                places(&lines, 0.0, [&places_of.y, &CENTRES.y], &mut expected[3]);
                prop_assert_eq!(*found, expected);
            }
        }
    }

    /// Several whole tiles at once have the weights that each has alone, numbers or not.
    #[test]
    fn whole_tiles_equal_single_ones(numbers in prop::collection::vec((0usize..12, -3f64..3.0), 15), tiles in prop::collection::vec((-9i32..160, -9i32..160), 1..=MAX_BATCH), shift in [-8i8..8, -8i8..8]) {
        let places_of = shifted(shift);
        let awkward = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e31, -0.0, 0.0, 1.0, 1.0];
        let mut numbers = numbers.iter().map(|(kind, value)| *awkward.get(*kind).unwrap_or(value));
        let mut plane = || {
            let mut next = || numbers.next().unwrap();
            ScreenPlane { base: next(), dx: next(), dy: next() }
        };
        let mut planes = Planes { inv_w: plane(), i_w: plane(), j_w: plane(), i: plane(), j: plane(), ..Planes::default() };
        let at: Vec<[i32; 2]> = tiles.iter().map(|(x, y)| [8 * x, 8 * y]).collect();
        for flat in [false, true] {
            if flat {
                planes.inv_w = ScreenPlane { base: 1.0, ..ScreenPlane::default() };
            }
            for weights in [Weights::Perspective, Weights::Linear] {
                for level in SimdLevel::available() {
                    let mut rows = [[[7; 64]; 2]; MAX_BATCH];
                    let mut each = rows.each_mut().map(|[i, j]| Some([i, j]));
                    tile_weights(level, weights, &planes, (&at, &places_of), &mut each);
                    for (&[x, y], row) in at.iter().zip(&rows) {
                        let inside = |plane| InTile { plane, x, y };
                        let [mut i, mut j] = [[0; 64]; 2];
                        if weights == Weights::Perspective {
                            let from = [&planes.i_w, &planes.j_w, &planes.inv_w].map(inside);
                            perspective(SimdLevel::BASELINE, from, &places_of, &mut i, &mut j);
                        } else {
                            bits(SimdLevel::BASELINE, inside(&planes.i), &places_of, &mut i);
                            bits(SimdLevel::BASELINE, inside(&planes.j), &places_of, &mut j);
                        }
                        prop_assert_eq!(*row, [i, j]);
                    }
                }
            }
        }
    }

    /// A wave of quads from several tiles and primitives has the values of the tiles.
    #[test]
    fn packed_quads_equal_tiles(corners in prop::collection::vec([corner(), corner(), corner()], 16), quads in prop::collection::vec((0usize..16, -3i32..12), 16)) {
        let mut packed = Packed::default();
        let mut expected = [[0; 64]; 3];
        for (slot, (corners, (quad, tile))) in corners.iter().zip(&quads).enumerate() {
            let Some(primitive) = Setup { scissor: Rect::new(-9999, -9999, 99_999, 99_999), ..SETUP }.triangle(*corners, 0) else { continue };
            let planes = Planes::new(GRID, &primitive, &[]).tile(tile * 8, 16);
            packed.set_quad(slot, (&planes, Wanted::ALL), *quad, &CENTRES);
            let mut rows = [[0; 64]; 3];
            let [i, j, z] = &mut rows;
            perspective(SimdLevel::BASELINE, [&planes.i_w, &planes.j_w, &planes.inv_w], &CENTRES, i, j);
            bits(SimdLevel::BASELINE, &planes.z, &CENTRES, z);
            for (e, r) in expected.iter_mut().zip(&rows) {
                e[slot * 4..slot * 4 + 4].copy_from_slice(&r[quad * 4..quad * 4 + 4]);
            }
        }
        for level in SimdLevel::available() {
            let mut rows = [[0; 64]; 3];
            let [i, j, z] = &mut rows;
            perspective(level, [&packed.i_w, &packed.j_w, &packed.inv_w], &packed.sample_positions, i, j);
            bits(level, &packed.z, &packed.sample_positions, z);
            for lane in 0..64 {
                if corners[lane / 4][0] != corners[lane / 4][1] {
                    for k in 0..3 {
                        let (a, b) = (f32::from_bits(rows[k][lane]), f32::from_bits(expected[k][lane]));
                        prop_assert!(a.to_bits() == b.to_bits() || a.is_nan() && b == 0.0, "{} {}", a, b);
                    }
                }
            }
        }
    }
}

fn position() -> impl Strategy<Value = [f32; 4]> {
    (-4f32..4.0, -4f32..4.0, -0.5f32..1.5, -1f32..3.0)
        .prop_map(|(x, y, z, w)| [x * 1.5, y * 1.5, z, w])
}

/// The three weights of a triangle given in clip space over w, as functions `a x + b y + c` of the pixel, whatever the signs of w.
fn homogeneous(v: &[[f32; 4]; 3]) -> [[f64; 3]; 3] {
    let p: [[f64; 3]; 3] = std::array::from_fn(|k| {
        let [vx, vy, _, vw] = v[k].map(f64::from);
        [vx * 64.0 + vw * 64.0, vy * 64.0 + vw * 64.0, vw]
    });
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let det = at(p[0], cross(p[1], p[2]));
    std::array::from_fn(|k| cross(p[(k + 1) % 3], p[(k + 2) % 3]).map(|c| c / det))
}

fn at(function: [f64; 3], [x, y, one]: [f64; 3]) -> f64 {
    function[0] * x + function[1] * y + function[2] * one
}

/// How far inside of all `edges` a point is, in pixels; negative outside of one.
fn depth_inside(edges: &[[f64; 3]], point: [f64; 3]) -> f64 {
    let distance = |e: &[f64; 3]| at(*e, point) / e[0].hypot(e[1]);
    edges.iter().map(distance).fold(f64::INFINITY, f64::min)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Clipping keeps what is inside the volume, and the weights of its pixels are those of the original triangle.
    #[test]
    fn clipped_triangles(v in [position(), position(), position()], user in prop::option::of(Just([1.0f32, -0.5, 0.25]))) {
        let mut volume = VOLUME;
        let distances = user.map(|d| d.map(|d| [d, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
        volume.clip_distances = u8::from(user.is_some());
        let codes: [u32; 3] = std::array::from_fn(|k| {
            volume.outcode(v[k]) | distances.map_or(0, |d| volume.distance_code(&d[k]))
        });
        let mut primitives = Vec::new();
        let mut corners: Vec<Corners> = Vec::new();
        match clip::verdict(codes) {
            Verdict::Reject => {}
            Verdict::Accept => primitives.extend(SETUP.triangle(v.map(|p| VIEWPORT.project(GRID, p)), 3)),
            Verdict::Clip => {
                let polygon = volume.triangle(v, distances.as_ref(), codes);
                SETUP.polygon(&VIEWPORT, &polygon, v.map(|p| p[3]), 3, &mut corners, &mut primitives);
            }
        }
        let mut found = std::collections::HashMap::new();
        let mut coverage = Coverage::default();
        for primitive in &primitives {
            prop_assert_eq!(primitive.id, 3);
            coverage.clear();
            rasterize(SimdLevel::current(), GRID, primitive, SCREEN, &Samples::ONE, &mut coverage);
            let planes = Planes::new(GRID, primitive, &corners);
            for tile in &coverage.tiles {
                let t = planes.tile(tile.x, tile.y);
                let (mut i, mut j) = ([0; 64], [0; 64]);
                perspective(SimdLevel::current(), [&t.i_w, &t.j_w, &t.inv_w], &CENTRES, &mut i, &mut j);
                for n in lanes(tile.mask) {
                    let at = (tile.x + CENTRES.x[n] as i32, tile.y + CENTRES.y[n] as i32);
                    let before = found.insert(at, (f32::from_bits(i[n]), f32::from_bits(j[n])));
                    prop_assert!(before.is_none(), "{:?} twice", at);
                }
            }
        }
        // The edges of the triangle and of the planes that cut it: all are linear in the pixel.
        let weights = homogeneous(&v);
        let mix = |f: &dyn Fn(usize) -> f32| std::array::from_fn(|c| (0..3).map(|k| weights[k][c] * f64::from(f(k))).sum::<f64>());
        let mut edges = weights.to_vec();
        edges.extend([mix(&|k| v[k][2]), mix(&|k| v[k][3] - v[k][2])]);
        edges.extend(user.map(|d| mix(&|k| d[k])));
        for y in 0..128 {
            for x in 0..128 {
                let centre = [f64::from(x) + 0.5, f64::from(y) + 0.5, 1.0];
                let depth = depth_inside(&edges, centre);
                let hit = found.get(&(x, y));
                // Snapping moves the corners by up to 1/512 of a pixel in x and in y, and so all edges by less than twice that.
                prop_assert!(hit.is_some() || depth < 1.0 / 256.0, "{} {} is missing: {}", x, y, depth);
                prop_assert!(hit.is_none() || depth > -1.0 / 256.0, "{} {} is too much: {}", x, y, depth);
                if let Some((i, j)) = hit && depth > 0.05 {
                    let found = [f64::from(*i), f64::from(*j)];
                    let exact = |dx: f64, dy: f64| {
                        let point = [centre[0] + dx, centre[1] + dy, 1.0];
                        let raw = weights.map(|w| at(w, point));
                        [raw[1], raw[2]].map(|r| r / raw.iter().sum::<f64>())
                    };
                    let here = exact(0.0, 0.0);
                    let around = [(-0.05, 0.0), (0.05, 0.0), (0.0, -0.05), (0.0, 0.05)].map(|(dx, dy)| exact(dx, dy));
                    for k in 0..2 {
                        let spread = around.iter().map(|a| (a[k] - here[k]).abs()).fold(0.0, f64::max);
                        prop_assert!((found[k] - here[k]).abs() < spread * 2.0 + 1e-4, "{} {}", found[k], here[k]);
                    }
                }
            }
        }
    }
}

#[test]
fn verdicts() {
    let code = |p: [f32; 4]| VOLUME.outcode(p);
    let inside = code([0.0, 0.0, 0.5, 1.0]);
    assert_eq!(inside, 0);
    assert_eq!(clip::verdict([inside; 3]), Verdict::Accept);
    // Beside the volume but inside the guard band: nothing to cut unless all are on one side.
    let left = code([-3.0, 0.0, 0.5, 1.0]);
    assert_eq!(left & clip::BESIDE, 1);
    assert_eq!(clip::verdict([left, inside, inside]), Verdict::Accept);
    assert_eq!(clip::verdict([left; 3]), Verdict::Reject);
    assert_eq!(clip::verdict_line([left; 2]), Verdict::Accept);
    assert_eq!(clip::verdict_point(left), Verdict::Accept);
    let far_left = code([-300.0, 0.0, 0.5, 1.0]);
    assert_eq!(clip::verdict([far_left, inside, inside]), Verdict::Clip);
    assert_eq!(clip::verdict_point(far_left), Verdict::Reject);
    let near = code([0.0, 0.0, -0.5, 1.0]);
    assert_eq!(near, clip::NEAR);
    assert_eq!(clip::verdict([near, inside, inside]), Verdict::Clip);
    assert_eq!(clip::verdict([near; 3]), Verdict::Reject);
    let clamped = Volume {
        near: false,
        far: false,
        ..VOLUME
    };
    assert_eq!(clamped.outcode([0.0, 0.0, -0.5, 1.0]), 0);
    assert_eq!(clamped.outcode([0.0, 0.0, 9.5, 1.0]), 0);
    let gl = Volume {
        depth: DepthRange::MinusOneToOne,
        ..VOLUME
    };
    assert_eq!(gl.outcode([0.0, 0.0, -0.5, 1.0]), 0);
    assert_eq!(gl.outcode([0.0, 0.0, -1.5, 1.0]), clip::NEAR);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for axis in 0..4 {
            let mut p = [0.0, 0.0, 0.5, 1.0];
            p[axis] = bad;
            assert_eq!(clip::verdict([code(p), inside, inside]), Verdict::Reject);
        }
    }
    let planes = Volume {
        clip_distances: 1,
        cull_distances: 2,
        ..VOLUME
    };
    let d =
        |clip: f32, cull: f32| planes.distance_code(&[clip, cull, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(
        clip::verdict([d(-1.0, 1.0), d(1.0, 1.0), d(1.0, 1.0)]),
        Verdict::Clip
    );
    assert_eq!(
        clip::verdict([d(1.0, -1.0), d(1.0, -1.0), d(1.0, 1.0)]),
        Verdict::Accept
    );
    assert_eq!(
        clip::verdict([d(1.0, -1.0), d(1.0, -1.0), d(1.0, f32::NAN)]),
        Verdict::Reject
    );
}

#[test]
fn clipped_line_keeps_its_weights() {
    let v = [[0.0, 0.0, -0.5, 1.0], [0.5, 0.0, 0.5, 1.0]];
    let codes = v.map(|p| VOLUME.outcode(p));
    assert_eq!(clip::verdict_line(codes), Verdict::Clip);
    let polygon = VOLUME.line(v, None, codes);
    assert_eq!(polygon.corners().len(), 2);
    assert_eq!(polygon.corners()[0].weights, [0.5, 0.5, 0.0]);
    assert_eq!(polygon.corners()[0].position, [0.25, 0.0, 0.0, 1.0]);
    let (mut corners, mut out) = (Vec::new(), Vec::new());
    SETUP.clipped_line(
        &VIEWPORT,
        &polygon,
        [1.0; 2],
        (2.0, LineShape::Rectangle),
        5,
        &mut corners,
        &mut out,
    );
    assert_eq!((out.len(), corners[0].i), (1, [0.5, 1.0, 1.0]));
    // From column 80 to 96; at the middle the weight of the second end is 3/4.
    let plane = Planes::new(GRID, &out[0], &corners).tile(80, 56);
    let mut i = [0.0; 64];
    values(SimdLevel::current(), &plane.i, &CENTRES, &mut i);
    assert!((i[21] - (0.5 + 7.5 / 32.0)).abs() < 1e-6, "{}", i[21]);
}

#[test]
fn centroid_is_a_covered_sample() {
    let samples = Samples::standard(4);
    // Lane 0: all samples; lane 1: only sample 2; lane 2: none; lane 3: samples 1 and 3.
    let sample_positions = SamplePositions::centroid(&samples, &[0b0001, 0b1001, 0b0011, 0b1001]);
    assert_eq!((sample_positions.x[0], sample_positions.y[0]), (0.0, 0.0));
    assert_eq!(
        (sample_positions.x[1], sample_positions.y[1]),
        (1.0 - 0.375, 0.125)
    );
    assert_eq!((sample_positions.x[2], sample_positions.y[2]), (0.0, 1.0));
    assert_eq!(
        (sample_positions.x[3], sample_positions.y[3]),
        (1.0 + 0.375, 1.0 - 0.125)
    );
}

/// A point sprite's weights are the position in its rectangle, 0 to 1 from its left and upper border, in every tile.
/// [VULKAN PointCoord]
#[test]
fn weights_of_a_point_are_the_place_in_its_rectangle() {
    let at = |x: f32, y: f32| Projected {
        x: GRID.snap(x),
        y: GRID.snap(y),
        z: 0.5,
        inv_w: 1.0,
    };
    let points = [
        (20.25, 30.75, [8.0, 8.0]),
        (50.0, 3.5, [25.0, 7.0]),
        (9.5, 9.5, [1.0, 6.0]),
    ];
    for (x, y, size) in points {
        let point = SETUP.point(at(x, y), size, 0).unwrap();
        for (tx, ty) in [(16, 24), (0, 8), (48, 0)] {
            let planes = Planes::new(GRID, &point, &[]).tile(tx, ty);
            let (mut i, mut j) = ([0.0; 64], [0.0; 64]);
            values(SimdLevel::current(), &planes.i, &CENTRES, &mut i);
            values(SimdLevel::current(), &planes.j, &CENTRES, &mut j);
            for lane in 0..64 {
                let (px, py) = (
                    tx as f32 + CENTRES.x[lane] + 0.5,
                    ty as f32 + CENTRES.y[lane] + 0.5,
                );
                let expected = (
                    (px - (x - size[0] / 2.0)) / size[0],
                    (py - (y - size[1] / 2.0)) / size[1],
                );
                assert!(
                    (i[lane] - expected.0).abs() < 1e-5,
                    "{} {expected:?}",
                    i[lane]
                );
                assert!(
                    (j[lane] - expected.1).abs() < 1e-5,
                    "{} {expected:?}",
                    j[lane]
                );
            }
        }
    }
}
