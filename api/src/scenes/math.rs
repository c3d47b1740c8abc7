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

/// Sine and cosine of an angle in turns, by series within a quarter turn.
pub(super) fn sin_cos(turns: f64) -> (f32, f32) {
    let quarters = (turns - turns.floor()) * 4.0;
    let x = (quarters - quarters.floor()) * std::f64::consts::FRAC_PI_2;
    let square = x * x;
    let series = |first: f64, from: u32| {
        (0..10).fold((first, 0.0), |(term, sum), i| {
            let n = f64::from(from + 2 * i);
            (-term * square / ((n + 1.0) * (n + 2.0)), sum + term)
        })
    };
    let (sin, cos) = (series(x, 1).1, series(1.0, 0).1);
    let (sin, cos) = match quarters as u32 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    };
    (sin as f32, cos as f32)
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
    fn depth_is_zero_to_one() {
        let m = Mat4::perspective(2.0, 1.5, 0.5, 10.0) * Mat4::translation(0.0, 0.0, -0.5);
        let [_, _, z, w] = m.0[3];
        assert!(z.abs() < 1e-6 && (w - 0.5).abs() < 1e-6);
    }
}
