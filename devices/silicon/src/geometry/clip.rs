//! Clipping to the view volume, guard band and user planes. In: clip positions, clip and cull distances. Out: all
//! inside (the usual case, from [`outcodes`]), nothing, or a convex [`Polygon`] with barycentric weights per corner.
//!
//! x and y are clipped at the guard band only; the rasteriser's rectangle does the rest. A vertex that is not finite
//! drops its primitive. Edges are cut from their inner end in double precision: shared edges are cut at one point.

use host::per_level;

/// Values of `z / w` inside the view volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DepthRange {
    /// From 0 to 1.
    ZeroToOne,
    /// From -1 to 1.
    MinusOneToOne,
}

/// Smallest w that is kept: its reciprocal and products with it are far from the limits of a float.
pub const MIN_W: f32 = 1.0 / (1u64 << 60) as f32;

/// Corners of a triangle after all planes: 3, and one more for each of 7 + 8 planes.
pub const MAX_CORNERS: usize = 18;

/// What primitives are clipped against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Volume {
    /// Range of z / w.
    pub depth: DepthRange,
    /// Clips at the near plane. Off with depth clamping.
    pub near: bool,
    /// Clips at the far plane. Off with depth clamping.
    pub far: bool,
    /// Limits of |x / w| and |y / w|: the guard band, at least 1. With the viewport they must stay within
    /// [`crate::geometry::setup::MAX_COORDINATE`].
    pub guard: [f32; 2],
    /// Bit `i`: clip distance `i` is used; the part where it is negative is cut off.
    pub clip_distances: u8,
    /// Bit `i`: cull distance `i` is used; a primitive all of whose vertices have it negative vanishes.
    pub cull_distances: u8,
}

/// Where a vertex is outside. Bits: see the constants.
pub type Outcode = u32;

/// x < -w, x > w, y < -w, y > w: only to drop whole triangles.
pub const BESIDE: Outcode = 0xf;
/// w below [`MIN_W`].
pub const BEHIND: Outcode = 1 << 4;
/// Before the near plane.
pub const NEAR: Outcode = 1 << 5;
/// Behind the far plane.
pub const FAR: Outcode = 1 << 6;
/// Outside the guard band: left, right, top, bottom.
pub const GUARD: Outcode = 0xf << 8;
/// Free for who keeps codes.
pub const MARK: Outcode = 1 << 12;
/// A position that is not finite.
pub const INVALID: Outcode = 1 << 15;
/// Clip distances below zero.
pub const CLIP_DISTANCES: Outcode = 0xff << 16;
/// Cull distances below zero.
pub const CULL_DISTANCES: Outcode = 0xff << 24;

const CUT: Outcode = BEHIND | NEAR | FAR | GUARD | CLIP_DISTANCES;

/// The verdict of a primitive's outcodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Inside: use the vertices as they are.
    Accept,
    /// Nothing is left of it.
    Reject,
    /// It has to be cut.
    Clip,
}

/// Decides on a triangle.
#[inline(always)]
pub fn verdict(codes: [Outcode; 3]) -> Verdict {
    let [a, b, c] = codes;
    let (any, all) = (a | b | c, a & b & c);
    if any & INVALID != 0 || all != 0 {
        Verdict::Reject
    } else if any & CUT != 0 {
        Verdict::Clip
    } else {
        Verdict::Accept
    }
}

/// The verdict on a line: a wide one may reach into the volume from outside.
#[inline(always)]
pub fn verdict_line(codes: [Outcode; 2]) -> Verdict {
    let [a, b] = codes.map(|c| c & !BESIDE);
    verdict([a, b, b])
}

/// The verdict on a point: drawn whole or dropped.
#[inline(always)]
pub fn verdict_point(code: Outcode) -> Verdict {
    if code & !BESIDE == 0 {
        Verdict::Accept
    } else {
        Verdict::Reject
    }
}

impl Volume {
    /// Where a vertex is outside.
    #[inline(always)]
    pub fn outcode(&self, [x, y, z, w]: [f32; 4]) -> Outcode {
        let near = match self.depth {
            DepthRange::ZeroToOne => 0.0,
            DepthRange::MinusOneToOne => -w,
        };
        let (gx, gy) = (self.guard[0] * w, self.guard[1] * w);
        let bit = |set: bool, at: u32| u32::from(set) << at;
        let finite = |v: f32| v.abs() < f32::INFINITY;
        bit(x < -w, 0)
            | bit(x > w, 1)
            | bit(y < -w, 2)
            | bit(y > w, 3)
            | bit(w < MIN_W, 4)
            | bit(self.near & (z < near), 5)
            | bit(self.far & (z > w), 6)
            | bit(x < -gx, 8)
            | bit(x > gx, 9)
            | bit(y < -gy, 10)
            | bit(y > gy, 11)
            | bit(!(finite(x) & finite(y) & finite(z) & finite(w)), 15)
    }

    /// Bits of clip and cull distances. NaN counts as negative.
    #[inline(always)]
    pub fn distance_code(&self, distances: &[f32; 8]) -> Outcode {
        let mut negative = 0u32;
        for (i, d) in distances.iter().enumerate() {
            negative |= u32::from(*d < 0.0 || d.is_nan()) << i;
        }
        (negative & u32::from(self.clip_distances)) << 16
            | (negative & u32::from(self.cull_distances)) << 24
    }

    /// Cuts a triangle at the planes that its outcodes name. `distances` are needed when clip distances are in use.
    pub fn triangle(
        &self,
        positions: [[f32; 4]; 3],
        distances: Option<&[[f32; 8]; 3]>,
        codes: [Outcode; 3],
    ) -> Polygon {
        let mut polygon = Polygon::new(&positions, distances);
        self.cut(&mut polygon, codes.iter().fold(0, |m, c| m | c), true);
        polygon
    }

    /// Cuts a line; the polygon has two corners or none.
    pub fn line(
        &self,
        positions: [[f32; 4]; 2],
        distances: Option<&[[f32; 8]; 2]>,
        codes: [Outcode; 2],
    ) -> Polygon {
        let distances = distances.map(|d| d.as_slice());
        let mut polygon = Polygon::from_slices(&positions, distances);
        self.cut(&mut polygon, codes[0] | codes[1], false);
        polygon
    }

    fn cut(&self, polygon: &mut Polygon, codes: Outcode, closed: bool) {
        if codes & INVALID != 0 {
            polygon.len = 0;
            return;
        }
        let mut plane = |bit: Outcode, distance: &dyn Fn(&Corner) -> f64| {
            if codes & bit != 0 {
                polygon.cut(closed, distance);
            }
        };
        plane(BEHIND, &|c| c.position[3] - f64::from(MIN_W));
        match self.depth {
            DepthRange::ZeroToOne => plane(NEAR, &|c| c.position[2]),
            DepthRange::MinusOneToOne => plane(NEAR, &|c| c.position[3] + c.position[2]),
        }
        plane(FAR, &|c| c.position[3] - c.position[2]);
        for axis in 0..2 {
            let guard = f64::from(self.guard[axis]);
            let bits = (1 << (8 + 2 * axis), 1 << (9 + 2 * axis));
            // A vertex behind the eye may be inside the guard band by its code, yet outside after a cut.
            let behind = codes & BEHIND != 0;
            let force = |bit| if behind { BEHIND } else { bit };
            plane(force(bits.0), &|c| guard * c.position[3] + c.position[axis]);
            plane(force(bits.1), &|c| guard * c.position[3] - c.position[axis]);
        }
        for i in 0..8 {
            plane(1 << (16 + i), &|c| c.distances[i]);
        }
    }
}

per_level! {
    /// Positions of 64 vertices as numbers, and their outcodes without clip and cull distances. Returns what those of the
    /// first `lanes` have in common.
    pub fn outcodes<'a>(
        volume: &'a Volume,
        words: &'a [[u32; 64]; 4],
        lanes: usize,
        position: &'a mut [[f32; 64]; 4],
        out: &'a mut [Outcode; 64],
    ) -> Outcode {
        // A copy, which no row is part of.
        let volume = *volume;
        let mut common = [Outcode::MAX; CHUNK];
        let (outs, _) = out.as_chunks_mut::<CHUNK>();
        for (at, out) in outs.iter_mut().enumerate() {
            let [a, b, c, d] = words;
            let (x, y, z, w) = (part(a, at), part(b, at), part(c, at), part(d, at));
            let mut codes = [0; CHUNK];
            for n in 0..CHUNK {
                codes[n] = volume.outcode([x[n], y[n], z[n], w[n]]);
                let counts = CHUNK * at + n < lanes;
                common[n] &= if counts { codes[n] } else { Outcode::MAX };
            }
            *out = codes;
            let [a, b, c, d] = &mut *position;
            a.as_chunks_mut::<CHUNK>().0[at] = x;
            b.as_chunks_mut::<CHUNK>().0[at] = y;
            c.as_chunks_mut::<CHUNK>().0[at] = z;
            d.as_chunks_mut::<CHUNK>().0[at] = w;
        }
        common.iter().fold(Outcode::MAX, |all, code| all & code)
    }
}

/// Lanes that a vector has.
const CHUNK: usize = 16;

/// Sixteen numbers of a row. A row of each axis: the compiler would put an array of all in memory.
#[inline(always)]
fn part(words: &[u32; 64], at: usize) -> [f32; CHUNK] {
    let mut numbers = [0.0; CHUNK];
    let words = &words.as_chunks::<CHUNK>().0[at];
    for n in 0..CHUNK {
        numbers[n] = f32::from_bits(words[n]);
    }
    numbers
}

/// A corner of a clipped primitive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    /// Clip position.
    pub position: [f64; 4],
    /// Weights of the original vertices.
    pub weights: [f64; 3],
    /// Clip distances.
    pub distances: [f64; 8],
}

impl Corner {
    fn between(&self, other: &Corner, t: f64) -> Corner {
        fn mix<const N: usize>(a: &[f64; N], b: &[f64; N], t: f64) -> [f64; N] {
            std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
        }
        Corner {
            position: mix(&self.position, &other.position, t),
            weights: mix(&self.weights, &other.weights, t),
            distances: mix(&self.distances, &other.distances, t),
        }
    }
}

/// A clipped primitive: a convex polygon, or the two ends of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polygon {
    corners: [Corner; MAX_CORNERS],
    len: usize,
}

impl Polygon {
    fn new(positions: &[[f32; 4]; 3], distances: Option<&[[f32; 8]; 3]>) -> Polygon {
        Polygon::from_slices(positions, distances.map(|d| d.as_slice()))
    }

    fn from_slices(positions: &[[f32; 4]], distances: Option<&[[f32; 8]]>) -> Polygon {
        let mut polygon = Polygon {
            corners: [Corner::default(); MAX_CORNERS],
            len: positions.len(),
        };
        for (i, corner) in polygon.corners[..positions.len()].iter_mut().enumerate() {
            corner.position = positions[i].map(f64::from);
            corner.weights[i] = 1.0;
            if let Some(distances) = distances {
                corner.distances = distances[i].map(f64::from);
            }
        }
        polygon
    }

    /// The corners, in the winding of the original.
    pub fn corners(&self) -> &[Corner] {
        &self.corners[..self.len]
    }

    /// Keeps the part where `distance` is not negative.
    fn cut(&mut self, closed: bool, distance: &dyn Fn(&Corner) -> f64) {
        let mut out = [Corner::default(); MAX_CORNERS];
        let mut len = 0;
        let mut push = |corner: Corner| {
            if len < MAX_CORNERS {
                out[len] = corner;
                len += 1;
            }
        };
        for i in 0..self.len {
            let from = &self.corners[i];
            let d = distance(from);
            if d >= 0.0 {
                push(*from);
            }
            let next = i + 1;
            if next == self.len && !closed {
                break;
            }
            let to = &self.corners[next % self.len];
            let e = distance(to);
            if (d >= 0.0) != (e >= 0.0) {
                // From the inner end: independent of edge direction.
                push(if d >= 0.0 {
                    from.between(to, d / (d - e))
                } else {
                    to.between(from, e / (e - d))
                });
            }
        }
        self.corners = out;
        self.len = len;
    }
}
