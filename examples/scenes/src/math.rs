//! Matrices for scenes. Only operations that IEEE 754 defines to the last bit are used, so every host computes the same.

/// A column-major matrix, as shaders have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mat4(pub(super) [[f32; 4]; 4]);

impl Mat4 {
    pub(super) fn translation(x: f32, y: f32, z: f32) -> Mat4 {
        Mat4([
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [x, y, z, 1.0],
        ])
    }

    /// About the x axis, in turns.
    pub(super) fn rotation_x(turns: f64) -> Mat4 {
        let (s, c) = sin_cos(turns);
        Mat4([
            [1.0, 0.0, 0.0, 0.0],
            [0.0, c, s, 0.0],
            [0.0, -s, c, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ])
    }

    /// About the y axis, in turns.
    pub(super) fn rotation_y(turns: f64) -> Mat4 {
        let (s, c) = sin_cos(turns);
        Mat4([
            [c, 0.0, -s, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [s, 0.0, c, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ])
    }

    /// About an axis of any length, by an angle in radians.
    pub(super) fn rotation(axis: [f32; 3], angle: f32) -> Mat4 {
        let [x, y, z] = normalized(axis);
        let (s, c) = sin_cos_radians(angle);
        let t = 1.0 - c;
        Mat4([
            [t * x * x + c, t * x * y + s * z, t * x * z - s * y, 0.0],
            [t * x * y - s * z, t * y * y + c, t * y * z + s * x, 0.0],
            [t * x * z + s * y, t * y * z - s * x, t * z * z + c, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ])
    }

    /// From the world to a camera that looks from `eye` to `at`, y up.
    pub(super) fn look_at(eye: [f32; 3], at: [f32; 3]) -> Mat4 {
        let forward = normalized(std::array::from_fn(|k| at[k] - eye[k]));
        let right = normalized(cross(forward, [0.0, 1.0, 0.0]));
        let up = cross(right, forward);
        let axis = |k: usize| [right[k], up[k], -forward[k], 0.0];
        let moved = [-dot(right, eye), -dot(up, eye), dot(forward, eye), 1.0];
        Mat4([axis(0), axis(1), axis(2), moved])
    }

    /// Looking along -z at a box around the axis: half its width and height, depth 0 at `near` and 1 at `far`.
    pub(super) fn orthographic([width, height]: [f32; 2], near: f32, far: f32) -> Mat4 {
        Mat4([
            [1.0 / width, 0.0, 0.0, 0.0],
            [0.0, 1.0 / height, 0.0, 0.0],
            [0.0, 0.0, 1.0 / (near - far), 0.0],
            [0.0, 0.0, near / (near - far), 1.0],
        ])
    }

    /// Distance over half the height of a picture that is `degrees` high.
    pub(super) fn focal(degrees: f64) -> f32 {
        let (sin, cos) = series(degrees / 720.0);
        (cos / sin) as f32
    }

    /// A point, where the last row of the matrix is 0, 0, 0, 1.
    pub(super) fn transform(&self, point: [f32; 3]) -> [f32; 3] {
        let [x, y, z, moved] = self.0;
        std::array::from_fn(|k| x[k] * point[0] + y[k] * point[1] + z[k] * point[2] + moved[k])
    }

    /// Looking along -z: y up, depth 0 at `near` and 1 at `far`. `focal` is the distance over half the height.
    pub(super) fn perspective(focal: f32, aspect: f32, near: f32, far: f32) -> Mat4 {
        let depth = far / (near - far);
        Mat4([
            [focal / aspect, 0.0, 0.0, 0.0],
            [0.0, focal, 0.0, 0.0],
            [0.0, 0.0, depth, -1.0],
            [0.0, 0.0, near * depth, 0.0],
        ])
    }
}

impl std::ops::Mul for Mat4 {
    type Output = Mat4;

    fn mul(self, other: Mat4) -> Mat4 {
        Mat4(other.0.map(|column| {
            std::array::from_fn(|row| (0..4).fold(0.0, |sum, k| sum + self.0[k][row] * column[k]))
        }))
    }
}

/// Sine and cosine of an angle in turns.
pub(super) fn sin_cos(turns: f64) -> (f32, f32) {
    let (sin, cos) = series(turns);
    (sin as f32, cos as f32)
}

/// Sine and cosine of an angle in radians.
pub(super) fn sin_cos_radians(angle: f32) -> (f32, f32) {
    sin_cos(f64::from(angle) / std::f64::consts::TAU)
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector at right angles to both, right-handed.
pub(super) fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i] * b[j] - a[j] * b[i]
    })
}

/// The vector made one long; it is not zero.
pub(super) fn normalized(a: [f32; 3]) -> [f32; 3] {
    let length = dot(a, a).sqrt();
    a.map(|c| c / length)
}

/// Sine and cosine of an angle in turns, by series within a quarter turn.
fn series(turns: f64) -> (f64, f64) {
    let quarters = (turns - turns.floor()) * 4.0;
    let x = (quarters - quarters.floor()) * std::f64::consts::FRAC_PI_2;
    let square = x * x;
    let sum = |first: f64, from: u32| {
        (0..10).fold((first, 0.0), |(term, sum), i| {
            let n = f64::from(from + 2 * i);
            (-term * square / ((n + 1.0) * (n + 2.0)), sum + term)
        })
    };
    let (sin, cos) = (sum(x, 1).1, sum(1.0, 0).1);
    match quarters as u32 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles() {
        for i in -40..80 {
            let turns = f64::from(i) / 37.0;
            let (s, c) = sin_cos(turns);
            let angle = turns * std::f64::consts::TAU;
            assert!((f64::from(s) - angle.sin()).abs() < 1e-7, "{turns}");
            assert!((f64::from(c) - angle.cos()).abs() < 1e-7, "{turns}");
        }
    }

    #[test]
    fn cameras_look_where_they_are_told() {
        let view = Mat4::look_at([1.0, 2.0, 3.0], [1.0, 2.0, -4.0]);
        assert_eq!(view.transform([1.0, 2.0, 1.0]), [0.0, 0.0, -2.0]);
        let half_up = Mat4::orthographic([2.0, 4.0], 1.0, 5.0) * view;
        assert_eq!(half_up.transform([3.0, 4.0, 0.0]), [1.0, 0.5, 0.5]);
        assert!((Mat4::focal(90.0) - 1.0).abs() < 1e-6);
        let turned = Mat4::rotation([0.0, 3.0, 0.0], 0.5);
        let expected = Mat4::rotation_y(0.5 / std::f64::consts::TAU);
        for (a, b) in turned.0.iter().zip(expected.0) {
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6));
        }
    }

    #[test]
    fn depth_is_zero_to_one() {
        let m = Mat4::perspective(2.0, 1.5, 0.5, 10.0) * Mat4::translation(0.0, 0.0, -0.5);
        let [_, _, z, w] = m.0[3];
        assert!(z.abs() < 1e-6 && (w - 0.5).abs() < 1e-6);
    }
}
