//! Cube faces (+x, -x, +y, -y, +z, -z): neighbours across edges, and coordinates on another face. s and t run as in
//! Direct3D and Vulkan. [VK 16.5.4 cube map face selection]

use super::rules::layer;
use super::{LANES, Lanes};
use crate::texture::exact::Exact;
use host::{Kernel, Rounding, SimdLevel, per_level};

/// Axis and sign of s, t and the face's own direction, per face.
const FACES: [[(usize, i32); 3]; 6] = [
    [(2, -1), (1, -1), (0, 1)],
    [(2, 1), (1, -1), (0, -1)],
    [(0, 1), (2, 1), (1, 1)],
    [(0, 1), (2, -1), (1, -1)],
    [(0, 1), (1, -1), (2, 1)],
    [(0, -1), (1, -1), (2, -1)],
];

/// What is behind the edges of faces: left, right, above, below. Bit `4 * face + edge` of each word.
pub(super) struct Edges {
    /// Bits of the number of the face there.
    pub face: [u32; 3],
    /// Whether what counts along the edge is that face's row.
    pub swapped: u32,
    /// Whether it counts the other way.
    pub turned: u32,
    /// Whether the edge is that face's last column or row.
    pub far: u32,
}

/// The edges of all faces.
pub(super) const EDGES: Edges = {
    let mut edges = Edges {
        face: [0; 3],
        swapped: 0,
        turned: 0,
        far: 0,
    };
    let mut at = 0;
    while at < 24 {
        let [s, t, m] = FACES[at / 4];
        let (over, along) = if at % 4 < 2 { (s, t) } else { (t, s) };
        // The next face lies where the step leads.
        let back = (at % 2 == 1) == (over.1 < 0);
        let next = 2 * over.0 + back as usize;
        let [s, t, _] = FACES[next];
        let swapped = t.0 == along.0;
        let (free, fixed) = if swapped { (t, s) } else { (s, t) };
        let mut bit = 0;
        while bit < 3 {
            edges.face[bit] |= ((next >> bit & 1) as u32) << at;
            bit += 1;
        }
        edges.swapped |= (swapped as u32) << at;
        edges.turned |= ((free.1 != along.1) as u32) << at;
        edges.far |= ((fixed.1 == m.1) as u32) << at;
        at += 1;
    }
    edges
};

/// A texel of a cube: face, column, row.
pub(super) type FaceTexel = (u32, i32, i32);

/// Puts the coordinates of a quad's lanes on the face of its first lane, as [`project`] does; a place behind that
/// face becomes the first lane's. False, and no coordinates, where faces do not differ in any quad.
#[inline(always)]
pub(super) fn flattened(coords: [&Lanes; 3], out: &mut [Lanes; 2]) -> bool {
    let [s, t, faces] = coords;
    let (mut from, mut differs) = ([0; LANES], 0);
    for l in 0..LANES {
        from[l] = layer(f32::from_bits(faces[l]), 6);
    }
    let mut to = [0; LANES];
    for (to, from) in to
        .as_chunks_mut::<4>()
        .0
        .iter_mut()
        .zip(from.as_chunks::<4>().0)
    {
        *to = [from[0]; 4];
    }
    for l in 0..LANES {
        differs |= from[l] ^ to[l];
    }
    if differs == 0 {
        return false;
    }
    for (row, out) in [s, t].into_iter().zip(&mut *out) {
        let quads = row.as_chunks::<4>().0.iter();
        for (out, row) in out.as_chunks_mut::<4>().0.iter_mut().zip(quads) {
            *out = [row[0]; 4];
        }
    }
    let [out_s, out_t] = out;
    for l in 0..LANES {
        let (a, b) = (f32::from_bits(s[l]), f32::from_bits(t[l]));
        let [ns, nt, major] = turn(a * 2.0 - 1.0, b * 2.0 - 1.0, from[l], to[l]);
        let place = |n: f32| ((n / major + 1.0) * 0.5).to_bits();
        let (same, behind) = (from[l] == to[l], major <= 0.0);
        let pick = |own: u32, new: u32, first: u32| {
            let other = if behind { first } else { new };
            if same { own } else { other }
        };
        out_s[l] = pick(s[l], place(ns), out_s[l]);
        out_t[l] = pick(t[l], place(nt), out_t[l]);
    }
    true
}

/// To the nearest whole number, ties to even.
#[inline(always)]
fn nearest<F: Exact>(x: f32) -> f32 {
    if F::FUSED {
        return x.round_ties_even();
    }
    const MAGIC: f32 = (1u32 << 23) as f32;
    let near = (x.abs() + MAGIC - MAGIC).copysign(x);
    if x.abs() < MAGIC { near } else { x }
}

/// [`to_faces`] in place.
pub fn faces(coords: &mut [Lanes; 3]) {
    let given = *coords;
    to_faces(SimdLevel::current(), given.each_ref(), coords.each_mut());
}

per_level! {
    /// Directions to coordinates on a face, 0 to 1, and the number of the face: that of the largest component, the last of
    /// equal ones.
    pub fn to_faces<'a>(coords: [&'a Lanes; 3], out: [&'a mut Lanes; 3]) {
        let ([xs, ys, zs], [out_s, out_t, out_face]) = (coords, out);
        for l in 0..LANES {
            let [x, y, z] = [xs[l], ys[l], zs[l]].map(f32::from_bits);
            let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
            let on_z = (az >= ax) & (az >= ay);
            let on_y = ay >= ax;
            let pick = |z: f32, y: f32, x: f32| {
                let other = if on_y { y } else { x };
                if on_z { z } else { other }
            };
            let major = pick(z, y, x);
            let negative = major < 0.0;
            // Column and row of the face whose direction is positive; of the other, the column turns, or on y the row.
            let s = pick(x, x, -z);
            let t = pick(-y, z, -y);
            let turned = pick(-s, s, -s);
            let s = if negative { turned } else { s };
            let turned = pick(t, -t, t);
            let t = if negative { turned } else { t };
            let sign = if negative { 1.0 } else { 0.0 };
            let size = major.abs();
            out_s[l] = (s / size * 0.5 + 0.5).to_bits();
            out_t[l] = (t / size * 0.5 + 0.5).to_bits();
            out_face[l] = (pick(4.0, 2.0, 0.0) + sign).to_bits();
        }
    }
}

/// Takes apart what chips give for a cube.
struct Split<'a> {
    origin: f32,
    coords: [&'a Lanes; 3],
    out: &'a mut [Lanes; 4],
}

impl Kernel for Split<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let [s, t, id] = self.coords;
        let [x, y, face, layer] = self.out;
        for l in 0..LANES {
            x[l] = (f32::from_bits(s[l]) - self.origin).to_bits();
            y[l] = (f32::from_bits(t[l]) - self.origin).to_bits();
            let id = nearest::<R>(f32::from_bits(id[l]));
            let cube = <R as Exact>::floor(id * 0.125);
            face[l] = (id - 8.0 * cube).to_bits();
            layer[l] = cube.to_bits();
        }
    }
}

/// Takes apart what chips give for a cube: coordinates on a face that count from `origin`, and 8 * layer + face.
/// Gives coordinates from 0, face and layer.
pub fn split_faces(level: SimdLevel, origin: f32, coords: [&Lanes; 3], out: &mut [Lanes; 4]) {
    level.run(Split {
        origin,
        coords,
        out,
    });
}

per_level! {
    /// [`flattened`] by itself.
    pub(super) fn flatten<'a>(coords: [&'a Lanes; 3], out: &'a mut [Lanes; 2]) -> bool {
        flattened(coords, out)
    }
}

/// s, t and major coordinate on face `to` of a place on face `from`, from -1 to 1.
#[inline(always)]
fn turn(a: f32, b: f32, from: u32, to: u32) -> [f32; 3] {
    let signed = |x: f32, face: u32| if face & 1 == 1 { -x } else { x };
    // In space: x, y, z.
    let ahead = signed(1.0, from);
    let (on_x, on_y, on_z) = (from < 2, from & 6 == 2, from >= 4);
    let x = if on_x {
        ahead
    } else if from == 5 {
        -a
    } else {
        a
    };
    let y = if on_y { ahead } else { -b };
    let side = if on_x {
        -signed(a, from)
    } else {
        signed(b, from)
    };
    let z = if on_z { ahead } else { side };
    // On the other face; each coordinate is the other way's.
    let (to_x, to_y) = (to < 2, to & 6 == 2);
    let major = if to_x {
        x
    } else if to_y {
        y
    } else {
        z
    };
    let s = if to_x {
        -signed(z, to)
    } else if to == 5 {
        -x
    } else {
        x
    };
    let t = if to_y { signed(z, to) } else { -y };
    [s, t, signed(major, to)]
}

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
