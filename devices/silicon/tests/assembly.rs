//! Primitive assembly: what points, lines, triangles and rectangles become, clipped or not, and with which weights.
#![allow(clippy::unwrap_used)]

use silicon::SimdLevel;
use silicon::exports::VertexExports;
use silicon::fragment::tile::Rect;
use silicon::geometry::assembly::{
    Assembly, Borders, FaceMode, Fill, Outlined, Owned, Positions, Primitives, VertexRows,
    guard_band,
};
use silicon::geometry::clip::{DepthRange, Volume};
use silicon::geometry::setup::{
    Bias, BiasUnit, Grid, LineShape, Primitive, Setup, Shape, Viewport, WHOLE, Winding,
};
use silicon::geometry::topology::Kind;
use silicon::geometry::vertices::Assembled;

const GRID: Grid = Grid::new(8);

/// One unit of clip space over w is 100 pixels; the origin is at (100, 100).
const VIEWPORT: Viewport = Viewport {
    scale: [100.0, 100.0, 1.0],
    offset: [100.0, 100.0, 0.0],
    z_is_w: false,
};

fn assembly() -> Assembly {
    let side = Setup {
        grid: GRID,
        front: Winding::Clockwise,
        cull_front: false,
        cull_back: false,
        bias: None,
        multisampled: false,
        scissor: Rect::new(-400, -400, 1000, 1000),
    };
    Assembly {
        viewports: vec![VIEWPORT],
        volume: Volume {
            depth: DepthRange::ZeroToOne,
            near: true,
            far: true,
            guard: [3.0; 2],
            clip_distances: 0,
            cull_distances: 0,
        },
        front: side,
        back: side,
        vertex_layers: false,
        fill: Fill::Solid,
        line_width: 2.0,
        line_shape: LineShape::Rectangle,
        last_provokes: false,
        biases_parallelograms: false,
        keeps_lines: false,
        positions: Positions::default(),
        user_planes: Vec::new(),
        borders: Borders::default(),
        sprites: false,
        outlined: Outlined::default(),
        point_size: [4.0; 2],
        vertex_point_size: None,
        draws: true,
    }
}

/// Positions of the first vertices; `extra` are the other exports: point size in x, viewport in w.
fn rows(
    assembly: &Assembly,
    kind: Kind,
    positions: &[[f32; 4]],
    extra: &[[u32; 4]],
) -> Vec<VertexRows> {
    let mut exports = VertexExports::default();
    for (lane, position) in positions.iter().enumerate() {
        for (row, value) in exports.positions[0].iter_mut().zip(position) {
            row[lane] = value.to_bits();
        }
    }
    for (lane, words) in extra.iter().enumerate() {
        for (row, word) in exports.positions[1].iter_mut().zip(words) {
            row[lane] = *word;
        }
    }
    let mut rows = VertexRows::default();
    assembly.project(SimdLevel::current(), kind, &exports, 64, &mut rows);
    vec![rows]
}

fn assemble_with(
    assembly: &Assembly,
    kind: Kind,
    positions: &[[f32; 4]],
    extra: &[[u32; 4]],
    vertices: [u32; 3],
) -> Primitives {
    let mut out = Primitives::default();
    let rows = rows(assembly, kind, positions, extra);
    let run = [Assembled { vertices }];
    assembly.assemble(SimdLevel::current(), kind, &rows, &run, 7, &mut out);
    assert!(out.list.iter().all(|primitive| primitive.id == 7));
    out
}

fn assemble(assembly: &Assembly, kind: Kind, positions: &[[f32; 4]]) -> Primitives {
    let last = positions.len() as u32 - 1;
    assemble_with(assembly, kind, positions, &[], [0, 1.min(last), last])
}

/// The corners in pixels.
fn corners(primitive: &Primitive) -> [(f32, f32); 3] {
    [0, 1, 2].map(|k| (primitive.x[k] as f32 / 256.0, primitive.y[k] as f32 / 256.0))
}

const TRIANGLE: [[f32; 4]; 3] = [
    [0.0, 0.0, 0.25, 1.0],
    [0.5, 0.0, 0.5, 1.0],
    [0.0, 1.5, 1.5, 2.0],
];

#[test]
fn triangles() {
    let out = assemble(&assembly(), Kind::Triangles, &TRIANGLE);
    let [whole] = out.list.as_slice() else {
        panic!("{out:?}")
    };
    assert_eq!(whole.shape, Shape::Triangle);
    assert_eq!(
        corners(whole),
        [(100.0, 100.0), (150.0, 100.0), (100.0, 175.0)]
    );
    assert_eq!((whole.z, whole.inv_w), ([0.25, 0.5, 0.75], [1.0, 1.0, 0.5]));
    assert_eq!((whole.corners, whole.front, out.left), (WHOLE, true, 1));
    let mut culled = assembly();
    (culled.front.cull_front, culled.back.cull_front) = (true, true);
    let out = assemble(&culled, Kind::Triangles, &TRIANGLE);
    assert_eq!((out.list.len(), out.left), (0, 1));
}

#[test]
fn points() {
    let at = [[0.5, -0.5, 0.25, 1.0]];
    let out = assemble(&assembly(), Kind::Points, &at);
    let [point] = out.list.as_slice() else {
        panic!("{out:?}")
    };
    assert_eq!((point.shape, point.size), (Shape::Point, 4 * 256));
    assert_eq!(corners(point), [(150.0, 50.0); 3]);
    // Beside the view a point is kept, behind a depth plane it goes.
    assert_eq!(
        assemble(&assembly(), Kind::Points, &[[1.5, 0.0, 0.5, 1.0]]).left,
        1
    );
    assert_eq!(
        assemble(&assembly(), Kind::Points, &[[0.0, 0.0, 1.5, 1.0]]).left,
        0
    );
    let sized = Assembly {
        vertex_point_size: Some([2.0, 8.0]),
        ..assembly()
    };
    for (size, expected) in [(5.0, 5.0), (1.0, 2.0), (99.0, 8.0), (f32::NAN, 2.0)] {
        let extra = [[f32::to_bits(size), 0, 0, 0]];
        let out = assemble_with(&sized, Kind::Points, &at, &extra, [0; 3]);
        assert_eq!(out.list[0].size, (expected * 256.0) as i32, "{size}");
    }
}

#[test]
fn lines() {
    let ends = [[0.0, 0.0, 0.25, 1.0], [0.5, 0.5, 0.5, 2.0]];
    let out = assemble(&assembly(), Kind::Lines, &ends);
    let [line] = out.list.as_slice() else {
        panic!("{out:?}")
    };
    assert_eq!(
        (line.shape, line.size, line.corners),
        (Shape::Line, 512, WHOLE)
    );
    assert_eq!(
        corners(line),
        [(100.0, 100.0), (125.0, 125.0), (125.0, 125.0)]
    );
    assert_eq!((line.inv_w, out.left), ([1.0, 0.5, 0.5], 1));
    let thin = Assembly {
        line_shape: LineShape::Thin,
        ..assembly()
    };
    assert_eq!(
        assemble(&thin, Kind::Lines, &ends).list[0].shape,
        Shape::ThinLine
    );
    // Swapped ends keep their attributes: weight 1 of vertex 1 is at the first corner.
    let swapped = Assembly {
        last_provokes: true,
        ..assembly()
    };
    let out = assemble(&swapped, Kind::Lines, &ends);
    let line = &out.list[0];
    assert_eq!(
        corners(line),
        [(125.0, 125.0), (100.0, 100.0), (100.0, 100.0)]
    );
    let weights = out.corners[line.corners as usize];
    assert_eq!(
        (weights.i, weights.linear_i),
        ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0])
    );
    assert_eq!((weights.j, weights.linear_j), ([0.0; 3], [0.0; 3]));
}

/// A line from inside to behind the near plane ends where z is 0: three quarters of the way, at w 1.75.
#[test]
fn clipped_lines() {
    let ends = [[0.0, 0.0, 0.75, 1.0], [0.5, 0.5, -0.25, 2.0]];
    for last_provokes in [false, true] {
        let assembly = Assembly {
            last_provokes,
            ..assembly()
        };
        let out = assemble(&assembly, Kind::Lines, &ends);
        let [line] = out.list.as_slice() else {
            panic!("{out:?}")
        };
        let cut = (100.0 + 37.5 / 1.75, 100.0 + 37.5 / 1.75);
        let near =
            |a: (f32, f32), b: (f32, f32)| (a.0 - b.0).abs() < 0.01 && (a.1 - b.1).abs() < 0.01;
        let whole = usize::from(last_provokes);
        assert!(near(corners(line)[whole], (100.0, 100.0)), "{line:?}");
        assert!(near(corners(line)[1 - whole], cut), "{line:?}");
        let weights = out.corners[line.corners as usize];
        assert_eq!(weights.i[whole], 0.0);
        assert!((weights.i[1 - whole] - 0.75).abs() < 1e-6, "{weights:?}");
        // On the screen the cut is at (37.5 / 1.75) of 25 pixels.
        assert!(
            (weights.linear_i[1 - whole] - 1.5 / 1.75).abs() < 1e-6,
            "{weights:?}"
        );
        assert_eq!(out.left, 1);
    }
}

/// Waves whose vertices are all outside are projected late, and whole runs of their triangles dropped: primitives are those
/// of the same vertices mixed with others.
#[test]
fn waves_outside_of_the_view() {
    let vertex = |n: u32| {
        let at = |factor: u32| (n * factor % 61) as f32 / 30.0;
        match n {
            0..64 => [
                1.25 + at(7),
                at(11) - 1.0,
                at(5) - 0.5,
                1.0 + (n % 2) as f32 / 8.0,
            ],
            64..128 => [at(7) - 1.0, 1.25 + at(13), 0.5, 1.0],
            _ => [at(7) - 1.0, at(17) - 1.0, at(3) - 0.25, 1.0 + at(5)],
        }
    };
    let mut biased = assembly();
    biased.front.bias = Some(Bias {
        constant: 2.0,
        slope: 1.0,
        clamp: 0.0,
        unit: BiasUnit::Unorm(24),
    });
    let mut outlined = assembly();
    outlined.fill = Fill::Modes([FaceMode::Lines, FaceMode::Points]);
    let mut culled = assembly();
    (culled.front.cull_front, culled.back.cull_front) = (true, true);
    for assembly in [assembly(), biased, outlined, culled] {
        let waves = |number: fn(u32) -> u32| -> Vec<VertexRows> {
            let wave = |wave: u32| {
                let lanes = (0..64).map(|lane| vertex(number(64 * wave + lane)));
                let positions: Vec<[f32; 4]> = lanes.collect();
                rows(&assembly, Kind::Triangles, &positions, &[]).remove(0)
            };
            (0..3).map(wave).collect()
        };
        // In their places, and each wave a third of each.
        let (apart, mixed) = (waves(|n| n), waves(|n| n % 3 * 64 + n / 3));
        let mut run: Vec<[u32; 3]> = (0..40).map(|n| [n, n + 5, n + 20]).collect();
        run.extend((0..200).map(|n| [n * 5 % 192, n * 7 % 192, n * 11 % 192]));
        let mut lists = [(apart, 1), (mixed, 3)].map(|(rows, places)| {
            let place = |v: u32| if places == 1 { v } else { v % 64 * 3 + v / 64 };
            let triangle = |v: &[u32; 3]| Assembled {
                vertices: v.map(place),
            };
            let run: Vec<Assembled> = run.iter().map(triangle).collect();
            let mut out = Primitives::default();
            let level = SimdLevel::current();
            assembly.assemble(level, Kind::Triangles, &rows, &run, 0, &mut out);
            out
        });
        let [apart, mixed] = &mut lists;
        assert!(apart.list.len() > 50);
        assert_eq!((&apart.list, apart.left), (&mixed.list, mixed.left));
        assert_eq!(apart.corners, mixed.corners);
    }
}

/// Each corner of each piece is where its weights say, in clip space and on the screen.
#[test]
fn clipped_triangles() {
    let mut state = 5u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / 8_388_608.0 - 1.0
    };
    let mut pieces = 0;
    for round in 0..3000 {
        let mut vertex = || {
            let w = 1.5 + random();
            [
                w * 6.0 * random(),
                w * 4.0 * random(),
                w * (0.5 + random()),
                w,
            ]
        };
        let positions = [vertex(), vertex(), vertex()];
        let out = assemble(&assembly(), Kind::Triangles, &positions);
        let screen = positions.map(|p| [100.0 + 100.0 * p[0] / p[3], 100.0 + 100.0 * p[1] / p[3]]);
        for piece in out.list.iter().filter(|piece| piece.corners != WHOLE) {
            pieces += 1;
            let weights = out.corners[piece.corners as usize];
            for k in 0..3 {
                let at = corners(piece)[k];
                let blend = |i: f32, j: f32, of: &dyn Fn(usize) -> f32| {
                    (1.0 - i - j) * of(0) + i * of(1) + j * of(2)
                };
                let (i, j) = (weights.i[k], weights.j[k]);
                let clip: [f32; 4] = std::array::from_fn(|n| blend(i, j, &|v| positions[v][n]));
                let x = 100.0 + 100.0 * clip[0] / clip[3];
                let y = 100.0 + 100.0 * clip[1] / clip[3];
                let close = |a: f32, b: f32| (a - b).abs() < 0.02;
                assert!(
                    close(at.0, x) && close(at.1, y),
                    "{round} {piece:?} {x} {y}"
                );
                assert!((piece.z[k] - clip[2] / clip[3]).abs() < 1e-4);
                assert!((piece.inv_w[k] * clip[3] - 1.0).abs() < 1e-4);
                let (i, j) = (weights.linear_i[k], weights.linear_j[k]);
                let x = blend(i, j, &|v| screen[v][0]);
                let y = blend(i, j, &|v| screen[v][1]);
                assert!(
                    close(at.0, x) && close(at.1, y),
                    "{round} {piece:?} {x} {y}"
                );
            }
        }
    }
    assert!(pieces > 1500, "{pieces}");
}

#[test]
fn rectangles() {
    let positions = [
        [0.0, 0.0, 0.5, 1.0],
        [0.5, 0.0, 0.5, 1.0],
        [0.0, 0.25, 0.5, 1.0],
    ];
    let out = assemble(&assembly(), Kind::Rectangles, &positions);
    let [first, second] = out.list.as_slice() else {
        panic!("{out:?}")
    };
    assert_eq!(
        corners(first),
        [(100.0, 100.0), (150.0, 100.0), (100.0, 125.0)]
    );
    assert_eq!(
        corners(second),
        [(150.0, 100.0), (150.0, 125.0), (100.0, 125.0)]
    );
    assert_eq!((out.left, first.front, second.front), (1, true, true));
    // The fourth corner is b + c - a.
    let weights = out.corners[second.corners as usize];
    assert_eq!((weights.i, weights.j), ([1.0, 1.0, 0.0], [0.0, 1.0, 1.0]));
    // Depth and 1 / w of the fourth corner follow the same rule.
    let uneven = [
        [0.0, 0.0, 0.25, 1.0],
        [0.5, 0.0, 0.5, 1.0],
        [0.0, 0.5, 0.75, 2.0],
    ];
    let out = assemble(&assembly(), Kind::Rectangles, &uneven);
    let second = &out.list[1];
    assert_eq!(
        (second.z, second.inv_w),
        ([0.5, 0.625, 0.375], [1.0, 0.5, 0.5])
    );
    // The last vertex leads: the fourth corner is still opposite the first of the draw.
    let last = Assembly {
        last_provokes: true,
        ..assembly()
    };
    let out = assemble_with(&last, Kind::Rectangles, &positions, &[], [2, 0, 1]);
    let halves: Vec<_> = out.list.iter().map(corners).collect();
    let [a, b, c] = [(100.0, 100.0), (150.0, 100.0), (100.0, 125.0)];
    assert_eq!(halves, [[c, a, b], [b, (150.0, 125.0), c]]);
    // Weights of the vertices behind the leading one, a and b: d is b + c - a.
    let weights = out.corners[out.list[1].corners as usize];
    assert_eq!((weights.i, weights.j), ([0.0, -1.0, 0.0], [1.0, 1.0, 0.0]));
    let mut behind = positions;
    behind[1][3] = -1.0;
    assert!(
        assemble(&assembly(), Kind::Rectangles, &behind)
            .list
            .is_empty()
    );
}

#[test]
fn fill_modes() {
    let mut outlined = Assembly {
        fill: Fill::Modes([FaceMode::Lines, FaceMode::Points]),
        ..assembly()
    };
    let bias = |constant| {
        Some(Bias {
            constant,
            slope: 0.0,
            clamp: 0.0,
            unit: BiasUnit::Unorm(1),
        })
    };
    (outlined.front.bias, outlined.back.bias) = (bias(1.0), bias(2.0));
    let out = assemble(&outlined, Kind::Triangles, &TRIANGLE);
    let [a, b, c] = [(100.0, 100.0), (150.0, 100.0), (100.0, 175.0)];
    let found: Vec<_> = out.list.iter().map(corners).collect();
    assert_eq!(found, [[a, b, b], [b, c, c], [c, a, a]]);
    for (line, z) in out
        .list
        .iter()
        .zip([[0.75, 1.0, 1.0], [1.0, 1.25, 1.25], [1.25, 0.75, 0.75]])
    {
        assert_eq!((line.shape, line.front, line.z), (Shape::Line, true, z));
    }
    let weights: Vec<_> = out
        .list
        .iter()
        .map(|l| out.corners[l.corners as usize])
        .collect();
    assert_eq!(weights[0].i, [0.0, 1.0, 1.0]);
    assert_eq!(weights[1].j, [0.0, 1.0, 1.0]);
    assert_eq!(weights[2].j, [1.0, 0.0, 0.0]);
    // The other winding is a back face: its corners.
    let reversed = [TRIANGLE[0], TRIANGLE[2], TRIANGLE[1]];
    let out = assemble(&outlined, Kind::Triangles, &reversed);
    let found: Vec<_> = out.list.iter().map(corners).collect();
    assert_eq!(found, [[a; 3], [c; 3], [b; 3]]);
    assert!(out.list.iter().all(|p| p.shape == Shape::Point && !p.front));
    assert_eq!(out.list[0].z, [1.25; 3]);
    // A clipped triangle keeps its own edges only: the two that reach through the near plane are cut.
    let mut cut = TRIANGLE;
    cut[0][2] = -0.25;
    let out = assemble(&outlined, Kind::Triangles, &cut);
    assert_eq!(out.list.len(), 3);
    assert!(out.list.iter().all(|p| p.shape == Shape::Line && p.front));
    let mut uncut = out
        .list
        .iter()
        .filter(|l| corners(l)[0] == b && corners(l)[1] == c);
    assert_eq!(uncut.next().unwrap().z, [1.0, 1.25, 1.25]);
    assert_eq!(uncut.next(), None);
}

/// Points and lines get the bias of front faces where the draw says so; the step of a line is that along its longer axis.
#[test]
fn biased_parallelograms() {
    let mut assembly = assembly();
    assembly.front.bias = Some(Bias {
        constant: 64.0,
        slope: 2.0,
        clamp: 0.0,
        unit: BiasUnit::Unorm(10),
    });
    // 50 pixels along x, 25 along y.
    let ends = [[0.0, 0.0, 0.25, 1.0], [0.5, 0.25, 0.75, 1.0]];
    let depths = |assembly: &Assembly, kind| assemble(assembly, kind, &ends).list[0].z;
    let plain = [Kind::Points, Kind::Lines].map(|kind| depths(&assembly, kind));
    assert_eq!(plain, [[0.25; 3], [0.25, 0.75, 0.75]]);
    assembly.biases_parallelograms = true;
    let biased = [Kind::Points, Kind::Lines].map(|kind| depths(&assembly, kind));
    let offset = (0.0625_f64 + 2.0 * 0.5 / 50.0) as f32;
    assert_eq!(biased[0], [0.3125; 3]);
    assert_eq!(biased[1], plain[1].map(|z| z + offset));
}

/// Outlines are wider than their triangle: one that lies beside the scissor shows the half of them that reaches in.
#[test]
fn outlines_reach_into_the_scissor() {
    let mut outlined = Assembly {
        fill: Fill::Modes([FaceMode::Lines; 2]),
        line_width: 10.0,
        ..assembly()
    };
    let scissor = Rect::new(80, 80, 40, 40);
    (outlined.front.scissor, outlined.back.scissor) = (scissor, scissor);
    let beside = |x: [f32; 3], y: [f32; 3]| {
        let at = |v: f32| (v - 100.0) / 100.0;
        let positions = [0, 1, 2].map(|k| [at(x[k]), at(y[k]), 0.5, 1.0]);
        assemble(&outlined, Kind::Triangles, &positions).list.len()
    };
    let (near, far) = ([123.0, 123.0, 150.0], [140.0, 140.0, 150.0]);
    let across = [90.0, 110.0, 100.0];
    let mirrored = |v: [f32; 3]| v.map(|v| 200.0 - v);
    for (close, distant) in [(near, far), (mirrored(near), mirrored(far))] {
        assert!(
            beside(close, across) > 0 && beside(across, close) > 0,
            "{close:?}"
        );
        assert_eq!((beside(distant, across), beside(across, distant)), (0, 0));
    }
}

#[test]
fn viewports() {
    let other = Viewport {
        scale: [10.0, 10.0, 1.0],
        offset: [500.0, 500.0, 0.0],
        z_is_w: false,
    };
    let several = Assembly {
        viewports: vec![VIEWPORT, other],
        ..assembly()
    };
    // The provoking vertex decides for all three; numbers beyond the last viewport mean the last.
    for (chosen, expected) in [([0, 1, 1], 0), ([1, 0, 0], 1), ([9, 0, 0], 1)] {
        let extra = chosen.map(|number| [0, 0, 0, number]);
        let out = assemble_with(&several, Kind::Triangles, &TRIANGLE, &extra, [0, 1, 2]);
        let triangle = &out.list[0];
        assert_eq!(triangle.viewport, expected);
        let corner = if expected == 0 {
            (150.0, 100.0)
        } else {
            (505.0, 500.0)
        };
        assert_eq!(corners(triangle)[1], corner, "{chosen:?}");
    }
}

#[test]
fn guard_bands() {
    // The grid reaches to 32767 pixels and nearly one more; a viewport of 100 pixels around 100 leaves 326 times that.
    let [x, y] = guard_band(GRID, &[VIEWPORT], [0.0, 5.0]);
    assert!((325.0..328.0).contains(&x), "{x}");
    assert_eq!(y, 5.0);
    let large = Viewport {
        scale: [16_000.0, 1.0, 1.0],
        offset: [16_000.0, 0.0, 0.0],
        z_is_w: false,
    };
    let [x, _] = guard_band(GRID, &[VIEWPORT, large], [8.0, 8.0]);
    assert!((1.0..1.1).contains(&x), "{x}");
}

#[test]
fn borders_of_points_own_their_samples() {
    // Four pixels wide around a pixel's centre: both borders lie on centres.
    let at = [[0.505, -0.495, 0.25, 1.0]];
    for (right, bottom) in [(false, false), (true, false), (false, true), (true, true)] {
        let owned = Owned { right, bottom };
        let owning = Assembly {
            borders: Borders {
                points: owned,
                rectangles: Owned::default(),
            },
            ..assembly()
        };
        let out = assemble(&owning, Kind::Points, &at);
        let moved = [right, bottom].map(i32::from);
        assert_eq!(
            [out.list[0].x[0], out.list[0].y[0]],
            [150 * 256 + 128 + moved[0], 50 * 256 + 128 + moved[1]]
        );
        // Borders between pixels have no samples on them.
        let out = assemble(&owning, Kind::Points, &[[0.5, -0.5, 0.25, 1.0]]);
        assert_eq!(corners(&out.list[0]), [(150.0, 50.0); 3]);
    }
}

#[test]
fn borders_of_rectangles_own_their_samples() {
    let owning = Assembly {
        borders: Borders {
            points: Owned::default(),
            rectangles: Owned {
                right: false,
                bottom: true,
            },
        },
        ..assembly()
    };
    let half = [
        [0.0, 0.005, 0.25, 1.0],
        [0.5, 0.005, 0.25, 1.0],
        [0.0, 0.5, 0.25, 1.0],
    ];
    let out = assemble(&owning, Kind::Rectangles, &half);
    assert_eq!(out.list.len(), 2);
    // Only the border at a pixel's centre moves.
    assert_eq!(out.list[0].y, [100 * 256 + 129, 100 * 256 + 129, 150 * 256]);
    assert_eq!(out.list[0].x, [100 * 256, 150 * 256, 100 * 256]);
}

#[test]
fn positions_may_be_divided() {
    let whole = assemble(&assembly(), Kind::Triangles, &TRIANGLE);
    let divided = TRIANGLE.map(|[x, y, z, w]| [x / w, y / w, z / w, 1.0 / w]);
    let out = assemble(
        &Assembly {
            positions: Positions {
                xy_divided: true,
                z_divided: true,
                inverse_w: true,
            },
            ..assembly()
        },
        Kind::Triangles,
        &divided,
    );
    assert_eq!(out.list, whole.list);
}
