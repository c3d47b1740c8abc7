//! What the scenes of geometry shaders are made of, and how they are seen. A program that draws them through Vulkan has the
//! same file.

use crate::math::{Mat4, normalized};
use crate::mesh::Mesh;

/// Floats of `Scene` in the shaders: two matrices, two vectors.
pub const UNIFORM_FLOATS: usize = 40;

/// How far a mesh has turned in a frame.
pub fn turns_at(number: u32) -> f64 {
    f64::from(number) / 600.0 + 0.07
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
        let (sin, cos) = crate::math::sin_cos(f64::from(n) / 36.0);
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
