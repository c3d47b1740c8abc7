//! What the scenes of geometry shaders are made of, and how they are seen. A program that draws them through Vulkan has the
//! same file.

use std::ops::Range;

use crate::math::{Mat4, normalized, sin_cos};
use crate::mesh::{Mesh, cube, moved, sphere};

/// Floats of `Scene` in the shaders: two matrices, two vectors.
pub const UNIFORM_FLOATS: usize = 40;

/// How far a mesh has turned in a frame.
pub fn turns_at(number: u32) -> f64 {
    f64::from(number) / 600.0 + 0.07
}

/// The same of what throws shadows.
pub fn shadow_turns_at(number: u32) -> f64 {
    f64::from(number) / 480.0 + 0.06
}

/// The same of what is mirrored.
pub fn mirror_turns_at(number: u32) -> f64 {
    f64::from(number) / 600.0 + 0.03
}

/// Where the viewer is, and the matrices and vectors that shaders take.
pub fn uniforms(aspect: f32, number: u32, turns: f64) -> [f32; UNIFORM_FLOATS] {
    const EYE: [f32; 3] = [0.0, 1.1, 3.6];
    let world = Mat4::rotation_y(turns);
    let clip = Mat4::perspective(2.0, aspect, 0.5, 20.0)
        * Mat4::look_at(EYE, [0.0, 0.0, 0.0])
        * Mat4::translation(0.0, 0.0, 0.0);
    let light = normalized([0.5, 0.8, 0.45]);
    let time = number as f32 / 60.0;
    let mut floats = [0.0; UNIFORM_FLOATS];
    let rows = clip.0.into_iter().chain(world.0).flatten();
    let rest = light.into_iter().chain([time]).chain(EYE).chain([1.0]);
    for (to, float) in floats.iter_mut().zip(rows.chain(rest)) {
        *to = float;
    }
    floats
}

/// Points with a colour instead of a normal.
fn points(corners: Vec<[[f32; 3]; 2]>) -> Mesh {
    let indices = (0..corners.len() as u32).collect();
    Mesh { corners, indices }
}

/// A spiral of points.
pub fn spiral() -> Mesh {
    let point = |n: u32| {
        let t = n as f32 / 180.0;
        let (sin, cos) = sin_cos(f64::from(n) / 36.0);
        let radius = 0.4 + 1.1 * t;
        [
            [radius * cos, 1.1 - 2.0 * t, radius * sin],
            [t, 0.5 + 0.5 * cos, 1.0 - t],
        ]
    };
    points((0..180).map(point).collect())
}

/// Points of a field, each a bit off its place in rows.
pub fn meadow() -> Mesh {
    let point = |n: u32| {
        let r = n.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let r = (r >> (r >> 28) ^ r).wrapping_mul(277_803_737);
        let part = |shift: u32| ((r >> shift & 255) as f32) / 255.0;
        let (x, z) = ((n % 40) as f32, (n / 40) as f32);
        [
            [(x + part(0)) / 10.0 - 2.0, -0.9, (z + part(8)) / 10.0 - 2.0],
            [part(16), part(24), part(4)],
        ]
    };
    points((0..1600).map(point).collect())
}

/// A place to 1/4096.
fn rounded(place: [f32; 3]) -> [i32; 3] {
    place.map(|x| (x * 4096.0).round_ties_even() as i32)
}

/// A mesh whose corners at one place are so to the bit: where a sphere begins and ends, sines differ in their last bits, and
/// what is drawn of it has cracks there.
fn welded(mut mesh: Mesh) -> Mesh {
    for n in 1..mesh.corners.len() {
        let place = rounded(mesh.corners[n][0]);
        let mut before = mesh.corners[..n].iter();
        if let Some([same, _]) = before.find(|[at, _]| rounded(*at) == place) {
            mesh.corners[n][0] = *same;
        }
    }
    mesh
}

/// Indices of triangles with the vertex across each edge, of a closed mesh whose corners at one place are one.
fn with_neighbours(mesh: &Mesh) -> Vec<u32> {
    let place = |index: u32| rounded(mesh.corners[index as usize][0]);
    let triangles: Vec<[u32; 3]> = mesh.indices.chunks(3).map(|t| [t[0], t[1], t[2]]).collect();
    let across = |from: u32, to: u32| {
        let edges = triangles
            .iter()
            .flat_map(|&[a, b, c]| [(a, b, c), (b, c, a), (c, a, b)]);
        let (from, to) = (place(from), place(to));
        let mut found = edges.filter(|(a, b, _)| place(*a) == to && place(*b) == from);
        found.next().map(|(.., opposite)| opposite)
    };
    let corners = triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b, c), (b, c, a), (c, a, b)]);
    // Where nothing is across, the triangle's own corner makes an edge of it.
    corners
        .flat_map(|(a, b, c)| [a, across(a, b).unwrap_or(c)])
        .collect()
}

/// A floor, a cube and spheres above it, and those once more as triangles with neighbours: the indices of each.
pub fn floor_and_objects() -> (Mesh, [Range<u32>; 3]) {
    let (mut corners, mut indices) = (Vec::new(), Vec::new());
    for (x, z) in [(-3.0, -3.0), (-3.0, 3.0), (3.0, 3.0), (3.0, -3.0)] {
        corners.push([[x, -1.0, z], [0.0, 1.0, 0.0]]);
    }
    indices.extend([0, 1, 2, 0, 2, 3]);
    let objects = [
        moved(cube(), 0.42, [0.0, 0.1, 0.0]),
        moved(sphere(16, 8), 0.3, [1.1, -0.1, 0.4]),
        moved(sphere(16, 8), 0.22, [-0.9, 0.2, 0.7]),
    ];
    let mut solid = Vec::new();
    let mut linked = Vec::new();
    for object in objects.map(welded) {
        let first = corners.len() as u32;
        solid.extend(object.indices.iter().map(|index| index + first));
        linked.extend(with_neighbours(&object).iter().map(|index| index + first));
        corners.extend(object.corners);
    }
    let ends = [6, 6 + solid.len() as u32];
    indices.extend(solid);
    indices.extend(linked);
    let parts = [0..ends[0], ends[0]..ends[1], ends[1]..indices.len() as u32];
    (Mesh { corners, indices }, parts)
}

/// A room with things in it, and a ball in its middle: the indices of each.
pub fn room_and_ball() -> (Mesh, [Range<u32>; 2]) {
    let mut all = Mesh {
        corners: Vec::new(),
        indices: Vec::new(),
    };
    let mut add = |mesh: Mesh| {
        let first = all.corners.len() as u32;
        all.corners.extend(mesh.corners);
        all.indices
            .extend(mesh.indices.iter().map(|index| index + first));
        all.indices.len() as u32
    };
    let mut walls = moved(cube(), 4.0, [0.0; 3]);
    for [_, normal] in &mut walls.corners {
        *normal = normal.map(|x| -x);
    }
    for triangle in walls.indices.chunks_mut(3) {
        triangle.swap(1, 2);
    }
    add(walls);
    for n in 0..7 {
        let (sin, cos) = sin_cos(f64::from(n) / 7.0);
        let height = 0.9 * sin_cos(f64::from(n) * 3.0 / 7.0).0;
        add(moved(sphere(20, 10), 0.34, [1.9 * cos, height, 1.9 * sin]));
    }
    let room = add(moved(cube(), 0.3, [0.0, 1.75, 0.0]));
    let ball = add(moved(sphere(48, 24), 0.95, [0.0; 3]));
    (all, [0..room, room..ball])
}
