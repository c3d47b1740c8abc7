use super::*;

const ALL: [Spacing; 4] = [
    Spacing::Integer,
    Spacing::PowerOfTwo,
    Spacing::FractionalOdd,
    Spacing::FractionalEven,
];

fn divide(domain: Domain, spacing: Spacing, output: Output, levels: &[f32]) -> Mesh {
    let mut all = [0.0; 6];
    all[..levels.len()].copy_from_slice(levels);
    let mut mesh = Mesh::default();
    Tessellator {
        domain,
        spacing,
        output,
        limits: [0.0, 64.0],
    }
    .run(all, &mut mesh);
    mesh
}

/// Twice the area of a triangle in units of 2^-32, positive if it is clockwise where u goes right and v down.
fn area(mesh: &Mesh, triangle: &[u32; 3]) -> i64 {
    let [a, b, c] = triangle.map(|n| mesh.points[n as usize].map(i64::from));
    (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
}

/// How often each edge is there, one way and the other.
fn edges(mesh: &Mesh) -> std::collections::HashMap<(u32, u32), i32> {
    let mut found = std::collections::HashMap::new();
    for [a, b, c] in &mesh.primitives {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *found.entry((*from, *to)).or_insert(0) += 1;
        }
    }
    found
}

/// Points on an edge of the domain, along it.
fn along(mesh: &Mesh, on: impl Fn(u32, u32) -> bool, axis: usize) -> Vec<u32> {
    let on = mesh.points.iter().filter(|[u, v]| on(*u, *v));
    let mut found: Vec<u32> = on.map(|point| point[axis]).collect();
    found.sort_unstable();
    found
}

fn levels() -> Vec<f32> {
    let some = [
        1.0, 1.25, 2.0, 2.5, 3.0, 4.0, 4.75, 5.0, 7.0, 8.5, 12.0, 13.0, 31.5, 63.0, 64.0,
    ];
    some.to_vec()
}

#[test]
fn levels_of_one_make_the_smallest_meshes() {
    let one = divide(
        Domain::Triangles,
        Spacing::Integer,
        Output::Clockwise,
        &[1.0; 4],
    );
    assert_eq!(one.points, [[0, ONE], [0, 0], [ONE, 0]]);
    assert_eq!(one.primitives, [[0, 1, 2]]);
    let one = divide(
        Domain::Quads,
        Spacing::Integer,
        Output::CounterClockwise,
        &[1.0; 6],
    );
    assert_eq!(one.points, [[0, 0], [ONE, 0], [ONE, ONE], [0, ONE]]);
    assert_eq!(one.primitives, [[0, 3, 1], [1, 3, 2]]);
    let one = divide(
        Domain::Isolines,
        Spacing::Integer,
        Output::Lines,
        &[1.0, 1.0],
    );
    assert_eq!(one.points, [[0, 0], [ONE, 0]]);
    assert_eq!(one.primitives, [[0, 1, 1]]);
}

#[test]
fn a_triangle_with_a_frame_has_a_centre() {
    // One edge in two parts: an inner level of one counts as two.
    let levels = [2.0, 1.0, 1.0, 1.0];
    let mesh = divide(
        Domain::Triangles,
        Spacing::Integer,
        Output::Clockwise,
        &levels,
    );
    assert_eq!(
        mesh.points,
        [[0, ONE], [0, HALF], [0, 0], [ONE, 0], [ONE / 3, ONE / 3]]
    );
    assert_eq!(
        mesh.primitives,
        [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]
    );
}

#[test]
fn counts_are_those_of_the_levels() {
    let count = |domain, spacing, levels: &[f32]| {
        let mesh = divide(domain, spacing, Output::Clockwise, levels);
        (mesh.points.len(), mesh.primitives.len())
    };
    for n in 1..=64usize {
        let level = n as f32;
        // n squares along both axes.
        let quads = ((n + 1) * (n + 1), 2 * n * n);
        assert_eq!(count(Domain::Quads, Spacing::Integer, &[level; 6]), quads);
        if n % 2 == 0 {
            let even = count(Domain::Quads, Spacing::FractionalEven, &[level; 6]);
            assert_eq!(even, quads);
        } else {
            let odd = count(Domain::Quads, Spacing::FractionalOdd, &[level; 6]);
            assert_eq!(odd, quads);
        }
        // Rings of n, n - 2, … segments a side; the middle is a point or a triangle.
        let sides = || (0..=n).rev().step_by(2);
        let points: usize = sides().map(|side| (3 * side).max(1)).sum();
        let between = |side: usize| 3 * (2 * side).saturating_sub(2);
        let triangles: usize = sides().map(between).sum::<usize>() + n % 2;
        let found = count(Domain::Triangles, Spacing::Integer, &[level; 4]);
        assert_eq!(found, (points, triangles), "{n}");
    }
    assert_eq!(
        count(Domain::Quads, Spacing::PowerOfTwo, &[5.0; 6]),
        (81, 128)
    );
    assert_eq!(
        count(Domain::Quads, Spacing::FractionalEven, &[4.5; 6]).0,
        49
    );
}

#[test]
fn isolines_are_joined_along_themselves() {
    let mesh = divide(
        Domain::Isolines,
        Spacing::Integer,
        Output::Lines,
        &[2.0, 2.5],
    );
    let third = 0x5555;
    let u = [0, HALF, ONE];
    let wanted = [0, third, ONE - third].map(|v| u.map(|u| [u, v])).concat();
    assert_eq!(mesh.points, wanted);
    let lines: Vec<u32> = mesh.primitives.iter().map(|line| line[0]).collect();
    assert_eq!(lines, [0, 1, 3, 4, 6, 7]);
    assert!(
        mesh.primitives
            .iter()
            .all(|l| l[1] == l[0] + 1 && l[2] == l[1])
    );
}

#[test]
fn triangles_fill_the_domain_once() {
    let values = levels();
    let mut state = 7u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        values[(state >> 8) as usize % values.len()]
    };
    for spacing in ALL {
        for round in 0..400 {
            for (domain, whole) in [(Domain::Triangles, 1i64 << 32), (Domain::Quads, 2i64 << 32)] {
                let levels: [f32; 6] = std::array::from_fn(|_| random());
                let mesh = divide(domain, spacing, Output::Clockwise, &levels);
                let what = format!("{domain:?} {spacing:?} {levels:?} {round}");
                let areas: Vec<i64> = mesh.primitives.iter().map(|t| area(&mesh, t)).collect();
                assert!(areas.iter().all(|area| *area >= 0), "{what}");
                assert_eq!(areas.iter().sum::<i64>(), whole, "{what}");
                // Edges inside are there once each way, those of the rim one way.
                let found = edges(&mesh);
                let on_rim = |n: u32| {
                    let [u, v] = mesh.points[n as usize];
                    let far = match domain {
                        Domain::Triangles => u + v == ONE,
                        _ => u == ONE || v == ONE,
                    };
                    u == 0 || v == 0 || far
                };
                for ((from, to), count) in &found {
                    assert_eq!(*count, 1, "{what}");
                    let back = found.contains_key(&(*to, *from));
                    assert!(back || on_rim(*from) && on_rim(*to), "{what}");
                }
                // All points are used.
                let mut used = vec![false; mesh.points.len()];
                let corners = mesh.primitives.iter().flatten();
                corners.for_each(|n| used[*n as usize] = true);
                assert!(used.iter().all(|used| *used), "{what}");
            }
        }
    }
}

#[test]
fn shared_edges_have_the_same_points() {
    for spacing in ALL {
        for level in levels() {
            // The same edge as each of the edges of quads and triangles, with other levels around it.
            let quad = |edge: usize, inner: f32| {
                let mut levels = [3.0, 3.0, 3.0, 3.0, inner, 5.0];
                levels[edge] = level;
                divide(Domain::Quads, spacing, Output::Clockwise, &levels)
            };
            let first = along(&quad(0, 2.0), |u, _| u == 0, 1);
            let triangle = |edge: usize| {
                let mut levels = [7.0, 7.0, 7.0, 6.0];
                levels[edge] = level;
                divide(Domain::Triangles, spacing, Output::Clockwise, &levels)
            };
            let others = [
                along(&quad(1, 9.0), |_, v| v == 0, 0),
                along(&quad(2, 3.0), |u, _| u == ONE, 1),
                along(&quad(3, 4.5), |_, v| v == ONE, 0),
                along(&triangle(0), |u, _| u == 0, 1),
                along(&triangle(1), |_, v| v == 0, 0),
                along(&triangle(2), |u, v| u + v == ONE, 0),
            ];
            for other in others {
                assert_eq!(first, other, "{spacing:?} {level}");
            }
            // From either end.
            let turned: Vec<u32> = first.iter().rev().map(|at| ONE - at).collect();
            assert_eq!(first, turned, "{spacing:?} {level}");
            assert!(first.is_sorted() && first.first() == Some(&0) && first.last() == Some(&ONE));
        }
    }
}

#[test]
fn fractional_points_move_between_whole_levels() {
    let places = |spacing, level: f32| {
        let mesh = divide(Domain::Isolines, spacing, Output::Lines, &[level, 1.0]);
        mesh.points.iter().map(|p| p[0]).collect::<Vec<u32>>()
    };
    let sixth = |n: u32| n * 0x2aab;
    assert_eq!(places(Spacing::FractionalEven, 2.0), [0, HALF, ONE]);
    // Half the way from two to four segments: one new point a half has moved half the way.
    assert_eq!(
        places(Spacing::FractionalEven, 3.0),
        [0, ONE / 4 + ONE / 8, HALF, ONE - ONE / 4 - ONE / 8, ONE]
    );
    assert_eq!(places(Spacing::FractionalOdd, 1.0), [0, ONE]);
    assert_eq!(
        places(Spacing::FractionalOdd, 3.0),
        [0, 0x5555, ONE - 0x5555, ONE]
    );
    assert_eq!(
        places(Spacing::FractionalOdd, 2.0),
        [0, 0x2aab, ONE - 0x2aab, ONE]
    );
    assert_eq!(
        places(Spacing::Integer, 5.5),
        [
            0,
            sixth(1),
            sixth(2),
            HALF,
            ONE - sixth(2),
            ONE - sixth(1),
            ONE
        ]
    );
}

#[test]
fn levels_are_clamped_and_patches_dropped() {
    let run = |limits, levels: [f32; 6]| {
        let mut mesh = Mesh::default();
        Tessellator {
            domain: Domain::Quads,
            spacing: Spacing::Integer,
            output: Output::Points,
            limits,
        }
        .run(levels, &mut mesh);
        assert_eq!(mesh.points.len(), mesh.primitives.len());
        mesh.points.len()
    };
    let nan = f32::NAN;
    assert_eq!(run([0.0, 64.0], [4.0, 4.0, 0.0, 4.0, 4.0, 4.0]), 0);
    assert_eq!(run([0.0, 64.0], [4.0, nan, 1.0, 4.0, 4.0, 4.0]), 0);
    assert_eq!(run([0.0, 64.0], [4.0, 4.0, 4.0, 4.0, -1.0, nan]), 16 + 1);
    assert_eq!(
        run([0.0, 3.0], [9.0, 9.0, 9.0, f32::INFINITY, 9.0, 9.0]),
        16
    );
    assert_eq!(run([4.0, 64.0], [0.5; 6]), 25);
    assert_eq!(run([0.0, 64.0], [1e30; 6]), 65 * 65);
}
