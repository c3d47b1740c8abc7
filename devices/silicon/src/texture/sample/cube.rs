//! Cube faces (+x, -x, +y, -y, +z, -z): neighbours across edges, and coordinates on another face. s and t run as in
//! Direct3D and Vulkan. [VK 16.5.4 cube map face selection]

/// Axis and sign of s, t and the face's own direction, per face.
const FACES: [[(usize, i32); 3]; 6] = [
    [(2, -1), (1, -1), (0, 1)],
    [(2, 1), (1, -1), (0, -1)],
    [(0, 1), (2, 1), (1, 1)],
    [(0, 1), (2, -1), (1, -1)],
    [(0, 1), (1, -1), (2, 1)],
    [(0, -1), (1, -1), (2, -1)],
];

/// A texel of a cube: face, column, row.
pub(super) type FaceTexel = (u32, i32, i32);

/// The texel at column `i`, row `j` of a face; one of them may be one step outside, on the neighbouring face. `None` at
/// a cube corner, which has no fourth texel.
pub(super) fn neighbour(face: u32, i: i32, j: i32, size: i32) -> Option<FaceTexel> {
    let inside = |n: i32| (0..size).contains(&n);
    match (inside(i), inside(j)) {
        (true, true) => return Some((face, i, j)),
        (false, false) => return None,
        _ => {}
    }
    // Texel centres in half texels from the face centre; a step outside folds over the edge.
    let [s, t, m] = FACES[face as usize];
    let half = |n: i32| 2 * n + 1 - size;
    let mut v = [0; 3];
    let fold = |n: i32| {
        if inside(n) {
            half(n)
        } else {
            size * half(n).signum()
        }
    };
    v[s.0] = s.1 * fold(i);
    v[t.0] = t.1 * fold(j);
    v[m.0] = m.1 * (size - 1);
    let major = if inside(i) { t.0 } else { s.0 };
    let face = 2 * major as u32 + u32::from(v[major] < 0);
    let [s, t, _] = FACES[face as usize];
    let texel = |(axis, sign): (usize, i32)| (sign * v[axis] + size - 1) / 2;
    Some((face, texel(s), texel(t)))
}

/// Coordinates on the plane of face `to` of the point at `s`, `t` of face `from`; `None` when it is behind that plane.
pub(super) fn project(s: f32, t: f32, from: u32, to: u32) -> Option<(f32, f32)> {
    if from == to {
        return Some((s, t));
    }
    let mut v = [0.0; 3];
    let [fs, ft, fm] = FACES[from as usize];
    v[fs.0] = fs.1 as f32 * (s * 2.0 - 1.0);
    v[ft.0] = ft.1 as f32 * (t * 2.0 - 1.0);
    v[fm.0] = fm.1 as f32;
    let [ts, tt, tm] = FACES[to as usize];
    let major = tm.1 as f32 * v[tm.0];
    if major <= 0.0 {
        return None;
    }
    let coordinate = |(axis, sign): (usize, i32)| (sign as f32 * v[axis] / major + 1.0) * 0.5;
    Some((coordinate(ts), coordinate(tt)))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    /// Position of a texel centre in space, in half texels.
    fn place(face: u32, i: i32, j: i32, size: i32) -> [i32; 3] {
        let [s, t, m] = FACES[face as usize];
        let mut v = [0; 3];
        v[s.0] = s.1 * (2 * i + 1 - size);
        v[t.0] = t.1 * (2 * j + 1 - size);
        v[m.0] = m.1 * size;
        v
    }

    #[test]
    fn neighbours_touch() {
        for size in [1, 2, 5, 8] {
            for face in 0..6 {
                for k in 0..size {
                    for (i, j, inner_i, inner_j) in [
                        (-1, k, 0, k),
                        (size, k, size - 1, k),
                        (k, -1, k, 0),
                        (k, size, k, size - 1),
                    ] {
                        let (f, a, b) = neighbour(face, i, j, size).unwrap();
                        assert_ne!(f, face);
                        assert!((0..size).contains(&a) && (0..size).contains(&b));
                        let (p, q) = (place(f, a, b, size), place(face, inner_i, inner_j, size));
                        let distance: i32 = (0..3).map(|n| (p[n] - q[n]).abs()).sum();
                        assert_eq!(distance, 2, "face {face} ({i}, {j}) of {size}");
                    }
                }
                assert_eq!(neighbour(face, -1, size, size), None);
            }
        }
    }

    #[test]
    fn projections() {
        // Straight ahead on +z, seen from +x: to its side, at infinity.
        assert_eq!(project(0.5, 0.5, 4, 0), None);
        // The common edge of +x (s = 0) and +z (s = 1).
        assert_eq!(project(1.0, 0.25, 4, 0), Some((0.0, 0.25)));
        assert_eq!(project(0.3, 0.7, 2, 2), Some((0.3, 0.7)));
    }
}
