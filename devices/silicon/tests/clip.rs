//! Clipping against its definition: outcodes at, just inside and just outside each plane; cut polygons against the
//! points of the triangle that the planes keep.
#![allow(clippy::unwrap_used)]

use silicon::SimdLevel;
use silicon::geometry::clip::{
    BEHIND, CLIP_DISTANCES, CULL_DISTANCES, Corner, DepthRange, FAR, INVALID, MIN_W, NEAR, Outcode,
    Verdict, Volume, outcodes, verdict, verdict_line, verdict_point,
};

const VOLUME: Volume = Volume {
    depth: DepthRange::MinusOneToOne,
    near: true,
    far: true,
    guard: [2.0, 4.0],
    clip_distances: 0,
    cull_distances: 0,
};

const LEFT: Outcode = 1;
const RIGHT: Outcode = 2;
const TOP: Outcode = 4;
const BOTTOM: Outcode = 8;
const GUARD_LEFT: Outcode = 1 << 8;
const GUARD_RIGHT: Outcode = 1 << 9;
const GUARD_TOP: Outcode = 1 << 10;
const GUARD_BOTTOM: Outcode = 1 << 11;

struct Random(u64);

impl Random {
    /// From -1 to 1.
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / 8_388_608.0 - 1.0
    }
}

/// With w = 2 a coordinate on a plane is inside, and the next float is outside.
#[test]
fn planes_belong_to_the_inside() {
    let check = |volume: &Volume, position: [f32; 4], expected: Outcode| {
        assert_eq!(volume.outcode(position), expected, "{position:?}");
        for level in SimdLevel::available() {
            let words = position.map(|v| [v.to_bits(); 64]);
            let (mut rows, mut out) = ([[0.0; 64]; 4], [0; 64]);
            let common = outcodes(level, volume, &words, 64, &mut rows, &mut out);
            assert_eq!(out, [expected; 64], "{position:?}");
            assert_eq!((rows, common), (position.map(|v| [v; 64]), expected));
            // What one lane does not have is not common, unless the lane does not count.
            let mut words = words;
            words.iter_mut().for_each(|row| row[37] = 0);
            for (lanes, left) in [(64, 0), (38, 0), (37, u32::MAX)] {
                let common = outcodes(level, volume, &words, lanes, &mut rows, &mut out);
                assert_eq!(common & !BEHIND, expected & left & !BEHIND, "{position:?}");
            }
        }
    };
    for (axis, plane, outside) in [
        (0, -2.0, LEFT),
        (0, 2.0, RIGHT),
        (1, -2.0, TOP),
        (1, 2.0, BOTTOM),
        (0, -4.0, LEFT | GUARD_LEFT),
        (0, 4.0, RIGHT | GUARD_RIGHT),
        (1, -8.0, TOP | GUARD_TOP),
        (1, 8.0, BOTTOM | GUARD_BOTTOM),
        (2, -2.0, NEAR),
        (2, 2.0, FAR),
    ] {
        let at = |v: f32| {
            let mut position = [0.5, 0.5, 0.5, 2.0];
            position[axis] = v;
            position
        };
        let guards = GUARD_LEFT | GUARD_RIGHT | GUARD_TOP | GUARD_BOTTOM;
        let beside = if outside & guards != 0 {
            outside & 15
        } else {
            0
        };
        check(&VOLUME, at(plane), beside);
        let beyond = f32::from_bits(plane.to_bits() + 1);
        check(&VOLUME, at(beyond), outside);
    }
    let zero_to_one = Volume {
        depth: DepthRange::ZeroToOne,
        ..VOLUME
    };
    check(&zero_to_one, [0.0, 0.0, 0.0, 2.0], 0);
    check(&zero_to_one, [0.0, 0.0, -1e-30, 2.0], NEAR);
    check(&zero_to_one, [0.0, 0.0, 2.1, 2.0], FAR);
    let clamped = Volume {
        near: false,
        far: false,
        ..VOLUME
    };
    check(&clamped, [0.0, 0.0, -5.0, 2.0], 0);
    check(&clamped, [0.0, 0.0, 5.0, 2.0], 0);
    check(&clamped, [0.0, 0.0, 0.0, MIN_W], 0);
    let below = f32::from_bits(MIN_W.to_bits() - 1);
    check(&clamped, [0.0, 0.0, 0.0, below], BEHIND);
    for (n, bad) in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY]
        .into_iter()
        .enumerate()
    {
        for axis in 0..4 {
            let mut position = [0.0, 0.0, 0.0, 1.0];
            position[axis] = bad;
            assert_ne!(VOLUME.outcode(position) & INVALID, 0, "{n} {axis}");
        }
    }
}

#[test]
fn distances_below_zero_count_where_they_are_used() {
    let volume = Volume {
        clip_distances: 0b0000_0111,
        cull_distances: 0b1010_0000,
        ..VOLUME
    };
    let distances = [-1.0, 0.0, f32::NAN, -1.0, -1.0, f32::NAN, -1.0, -0.0];
    let code = volume.distance_code(&distances);
    assert_eq!(code & CLIP_DISTANCES, 0b101 << 16);
    assert_eq!(code & CULL_DISTANCES, 1 << 29);
    assert_eq!(code & !(CLIP_DISTANCES | CULL_DISTANCES), 0);
}

#[test]
fn verdicts() {
    use Verdict::*;
    for (codes, expected) in [
        ([0, 0, 0], Accept),
        ([LEFT, RIGHT, 0], Accept),
        ([LEFT, LEFT, LEFT], Reject),
        ([LEFT, LEFT, RIGHT], Accept),
        ([NEAR, 0, 0], Clip),
        ([0, FAR, 0], Clip),
        ([0, 0, BEHIND], Clip),
        ([GUARD_TOP, 0, 0], Clip),
        ([1 << 20, 0, 0], Clip),
        ([1 << 25, 0, 0], Accept),
        ([1 << 25, 1 << 25, 1 << 25], Reject),
        ([INVALID, 0, 0], Reject),
        ([0, 0, INVALID | NEAR], Reject),
        ([NEAR, NEAR, NEAR | FAR], Reject),
    ] {
        assert_eq!(verdict(codes), expected, "{codes:x?}");
    }
    // A wide line or point beside the volume may reach into it.
    assert_eq!(verdict_line([LEFT, LEFT]), Accept);
    assert_eq!(verdict_line([LEFT | GUARD_LEFT, 0]), Clip);
    assert_eq!(verdict_line([NEAR, NEAR]), Reject);
    assert_eq!(verdict_line([NEAR, 0]), Clip);
    assert_eq!(verdict_point(RIGHT), Accept);
    assert_eq!(verdict_point(RIGHT | GUARD_RIGHT), Reject);
    assert_eq!(verdict_point(NEAR), Reject);
}

/// What each plane that the codes name keeps: not negative inside.
fn kept(volume: &Volume, position: [f64; 4], distances: &[f64; 8]) -> f64 {
    let [x, y, z, w] = position;
    let [gx, gy] = volume.guard.map(f64::from);
    let near = match volume.depth {
        DepthRange::ZeroToOne => z,
        DepthRange::MinusOneToOne => w + z,
    };
    let planes = [
        w,
        near,
        w - z,
        gx * w + x,
        gx * w - x,
        gy * w + y,
        gy * w - y,
    ];
    let user = (0..8).filter(|i| volume.clip_distances >> i & 1 != 0);
    planes
        .into_iter()
        .chain(user.map(|i| distances[i]))
        .fold(f64::INFINITY, f64::min)
}

fn mixed<const N: usize>(of: &[[f32; N]; 3], weights: [f64; 3]) -> [f64; N] {
    std::array::from_fn(|i| (0..3).map(|k| f64::from(of[k][i]) * weights[k]).sum())
}

/// Vertices around the volume, about a third of them behind the eye.
fn vertex(random: &mut Random) -> ([f32; 4], [f32; 8]) {
    let position = [
        7.0 * random.next(),
        9.0 * random.next(),
        3.0 * random.next(),
        1.0 + 3.0 * random.next(),
    ];
    (position, std::array::from_fn(|_| 0.4 + random.next()))
}

fn volumes() -> [Volume; 3] {
    [
        VOLUME,
        Volume {
            depth: DepthRange::ZeroToOne,
            guard: [1.5, 1.0],
            ..VOLUME
        },
        Volume {
            clip_distances: 0b1000_0101,
            ..VOLUME
        },
    ]
}

fn codes<const N: usize>(volume: &Volume, vertices: [&([f32; 4], [f32; 8]); N]) -> [Outcode; N] {
    vertices
        .map(|(position, distances)| volume.outcode(*position) | volume.distance_code(distances))
}

/// A polygon holds the points of its triangle that all planes keep, and no others.
#[test]
fn a_polygon_is_what_the_planes_keep() {
    let mut random = Random(3);
    let (mut cut, mut inside, mut outside) = (0, 0, 0);
    for round in 0..6000 {
        let volume = &volumes()[round % 3];
        let [a, b, c] = [(); 3].map(|()| vertex(&mut random));
        let codes = codes(volume, [&a, &b, &c]);
        if verdict(codes) != Verdict::Clip {
            continue;
        }
        cut += 1;
        let (positions, distances) = ([a.0, b.0, c.0], [a.1, b.1, c.1]);
        let polygon = volume.triangle(positions, Some(&distances), codes);
        for corner in polygon.corners() {
            let sum: f64 = corner.weights.iter().sum();
            assert!((sum - 1.0).abs() < 1e-12);
            let expected = mixed(&positions, corner.weights);
            for (got, expected) in corner.position.iter().zip(expected) {
                assert!((got - expected).abs() < 1e-12, "{corner:?}");
            }
            let least = kept(volume, corner.position, &corner.distances);
            assert!(least > -1e-12, "{least:e} {corner:?}");
        }
        for _ in 0..20 {
            let (i, j) = ((random.next() + 1.0) / 2.0, (random.next() + 1.0) / 2.0);
            let (i, j) = if i + j > 1.0 {
                (1.0 - i, 1.0 - j)
            } else {
                (i, j)
            };
            let weights = [
                1.0 - f64::from(i) - f64::from(j),
                f64::from(i),
                f64::from(j),
            ];
            let least = kept(
                volume,
                mixed(&positions, weights),
                &mixed(&distances, weights),
            );
            if least.abs() < 1e-4 {
                continue;
            }
            let holds = contains(polygon.corners(), [weights[1], weights[2]]);
            assert_eq!(
                holds,
                least > 0.0,
                "{least} at {weights:?} of {positions:?}"
            );
            *if holds { &mut inside } else { &mut outside } += 1;
        }
    }
    assert!(
        cut > 1500 && inside > 3000 && outside > 10_000,
        "{cut} {inside} {outside}"
    );
}

/// Whether a convex polygon, by the weights of vertices 1 and 2, holds a point; its winding is the triangle's.
fn contains(corners: &[Corner], [i, j]: [f64; 2]) -> bool {
    let at = |n: usize| [corners[n].weights[1], corners[n].weights[2]];
    corners.len() > 2
        && (0..corners.len()).all(|n| {
            let ([ai, aj], [bi, bj]) = (at(n), at((n + 1) % corners.len()));
            (bi - ai) * (j - aj) - (bj - aj) * (i - ai) > -1e-9
        })
}

/// The corners of a polygon on the edge between the first two vertices, in the order of their position.
fn on_edge(corners: &[Corner]) -> Vec<[u64; 4]> {
    let on = corners.iter().filter(|c| c.weights[2] == 0.0);
    let mut found: Vec<_> = on.map(|c| c.position.map(f64::to_bits)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Two triangles on both sides of an edge run through it in opposite directions, and are cut at the same points: no
/// crack opens between them. The same for a line drawn from either end.
#[test]
fn an_edge_is_cut_the_same_from_both_sides() {
    let mut random = Random(11);
    let mut cut = 0;
    for round in 0..6000 {
        let volume = &volumes()[round % 3];
        let [a, b, c, d] = [(); 4].map(|()| vertex(&mut random));
        // Planes of the third vertices would cut the edge's corners again.
        let inside = |v: &mut ([f32; 4], [f32; 8])| *v = ([0.1, 0.2, 0.3, 1.0], [1.0; 8]);
        let (mut c, mut d) = (c, d);
        inside(&mut c);
        inside(&mut d);
        d.0[0] = -0.1;
        let one = volume.triangle(
            [a.0, b.0, c.0],
            Some(&[a.1, b.1, c.1]),
            codes(volume, [&a, &b, &c]),
        );
        let other = volume.triangle(
            [b.0, a.0, d.0],
            Some(&[b.1, a.1, d.1]),
            codes(volume, [&b, &a, &d]),
        );
        let (one, other) = (on_edge(one.corners()), on_edge(other.corners()));
        assert_eq!(one, other, "{a:?} {b:?}");
        let line = volume.line([a.0, b.0], Some(&[a.1, b.1]), codes(volume, [&a, &b]));
        let back = volume.line([b.0, a.0], Some(&[b.1, a.1]), codes(volume, [&b, &a]));
        assert_eq!(
            on_edge(line.corners()),
            on_edge(back.corners()),
            "{a:?} {b:?}"
        );
        if line.corners().len() == 2 {
            // The ends of the line stay in order.
            let along = |n: usize| line.corners()[n].weights[1];
            assert!(along(0) <= along(1));
            cut += usize::from(codes(volume, [&a, &b]) != [0, 0]);
        }
    }
    assert!(cut > 800, "{cut}");
}
