//! Meshes of scenes: corners of position and normal, indices of triangles that turn counterclockwise seen from outside.

use crate::math::{cross, normalized, sin_cos_radians};

pub(super) struct Mesh {
    /// Position and normal of each corner.
    pub(super) corners: Vec<[[f32; 3]; 2]>,
    pub(super) indices: Vec<u32>,
}

/// A sphere of radius 1 with its poles on the y axis.
pub(super) fn sphere(segments: u32, rings: u32) -> Mesh {
    use std::f32::consts::{PI, TAU};
    let mut corners = Vec::new();
    let mut indices = Vec::new();
    for ring in 0..=rings {
        let (ring_sin, ring_cos) = sin_cos_radians(PI * ring as f32 / rings as f32);
        for segment in 0..=segments {
            let (sin, cos) = sin_cos_radians(TAU * segment as f32 / segments as f32);
            let normal = [ring_sin * cos, ring_cos, ring_sin * sin];
            corners.push([normal; 2]);
        }
    }
    let across = segments + 1;
    for ring in 0..rings {
        for segment in 0..segments {
            let a = ring * across + segment;
            let [b, c, d] = [a + 1, a + across, a + across + 1];
            // One of the two triangles has no area at each pole.
            if ring != 0 {
                indices.extend([a, b, c]);
            }
            if ring != rings - 1 {
                indices.extend([b, d, c]);
            }
        }
    }
    Mesh { corners, indices }
}

/// A cube of edge 2 around the origin.
pub(super) fn cube() -> Mesh {
    let mut corners = Vec::new();
    let mut indices = Vec::new();
    for axis in 0..3 {
        for sign in [-1.0f32, 1.0] {
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            let mut right = [0.0; 3];
            right[(axis + 1) % 3] = 1.0;
            let up = cross(normal, right);
            let first = corners.len() as u32;
            for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0f32)] {
                let position = std::array::from_fn(|k| normal[k] + a * right[k] + b * up[k]);
                corners.push([position, normal]);
            }
            indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
        }
    }
    Mesh { corners, indices }
}

/// Sizes a mesh, then moves it.
pub(super) fn moved(mut mesh: Mesh, size: f32, to: [f32; 3]) -> Mesh {
    for [at, _] in &mut mesh.corners {
        *at = std::array::from_fn(|k| at[k] * size + to[k]);
    }
    mesh
}

/// Waves over the square from -1 to 1 in x and z, of `cells` by `cells` times two triangles.
pub(super) fn terrain(cells: u32) -> Mesh {
    let sin = |x: f32| sin_cos_radians(x).0;
    let cos = |x: f32| sin_cos_radians(x).1;
    let height = |x: f32, z: f32| {
        0.10 * sin(x * 5.0) * cos(z * 4.0)
            + 0.05 * sin(x * 13.0 + z * 7.0)
            + 0.02 * cos(x * 31.0 - z * 29.0)
            + 0.006 * sin(x * 90.0) * sin(z * 83.0)
    };
    let mut corners = Vec::new();
    let place = |i: u32| i as f32 / cells as f32 * 2.0 - 1.0;
    for j in 0..=cells {
        for i in 0..=cells {
            let (x, z) = (place(i), place(j));
            let step = 1e-3;
            let normal = normalized([
                height(x - step, z) - height(x + step, z),
                2.0 * step,
                height(x, z - step) - height(x, z + step),
            ]);
            corners.push([[x, height(x, z), z], normal]);
        }
    }
    let across = cells + 1;
    let mut indices = Vec::new();
    for j in 0..cells {
        for i in 0..cells {
            let a = j * across + i;
            let b = a + across;
            indices.extend([a, b, a + 1, a + 1, b, b + 1]);
        }
    }
    Mesh { corners, indices }
}

/// Numbers that look random and are the same everywhere: PCG-XSH-RR with a fixed increment.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn word(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mixed = ((self.0 >> 18) ^ self.0) >> 27;
        (mixed as u32).rotate_right((self.0 >> 59) as u32)
    }

    /// From 0 to below 1.
    pub(super) fn unit(&mut self) -> f32 {
        (self.word() >> 8) as f32 / (1 << 24) as f32
    }

    pub(super) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mesh: &Mesh, corners: usize, triangles: usize) {
        assert_eq!(mesh.corners.len(), corners);
        assert_eq!(mesh.indices.len(), 3 * triangles);
        assert!(mesh.indices.iter().all(|i| (*i as usize) < corners));
    }

    #[test]
    fn sizes() {
        check(&sphere(24, 16), 25 * 17, 2 * 24 * 15);
        check(&cube(), 24, 12);
        check(&terrain(20), 21 * 21, 800);
    }

    #[test]
    fn closed_meshes_face_outwards() {
        for mesh in [sphere(24, 16), cube()] {
            for triangle in mesh.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|i| mesh.corners[triangle[i] as usize][0]);
                let edge = |to: [f32; 3]| std::array::from_fn(|k| to[k] - a[k]);
                let normal = cross(edge(b), edge(c));
                let outward: f32 = (0..3).map(|k| normal[k] * (a[k] + b[k] + c[k])).sum();
                assert!(outward > 0.0, "{triangle:?}");
            }
        }
    }
}
