//! The fixed-function tessellator. In: the levels of a patch. Out: points of its domain, and the points, lines or triangles
//! that they make. [D3D11 7.11], [GL 11.2.2]
//!
//! Coordinates are fixed point with 16 bits after the point, so both patches at an edge divide it at the same places.
//! A domain is a series of rings, the outer one divided by the outer levels, the others by the inner levels.

mod division;
mod rings;

use division::{Division, HALF, ONE};
use rings::{Diagonals, Ring, Stitch};

/// What is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Lines in `u`, one above the other in `v`. Outer levels: segments of a line, lines.
    Isolines,
    /// Barycentric coordinates, the third being 1 - u - v. Outer levels: edges u = 0, v = 0, w = 0; one inner level.
    Triangles,
    /// A unit square. Outer levels: edges u = 0, v = 0, u = 1, v = 1; inner levels along u and v.
    Quads,
}

impl Domain {
    /// Number of levels: outer ones, then inner ones.
    pub fn levels(self) -> [usize; 2] {
        match self {
            Domain::Isolines => [2, 0],
            Domain::Triangles => [3, 1],
            Domain::Quads => [4, 2],
        }
    }
}

/// How a level divides an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spacing {
    /// Into as many equal segments, rounded up.
    Integer,
    /// The same, rounded up to a power of two.
    PowerOfTwo,
    /// Into an odd number, two of which grow with the level.
    FractionalOdd,
    /// Into an even number, two of which grow with the level.
    FractionalEven,
}

/// What the points make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// Each is a point.
    Points,
    /// Lines along isolines; of other domains, from each point to the next.
    Lines,
    /// Triangles, clockwise where u goes right and v down.
    Clockwise,
    /// Triangles, the other way.
    CounterClockwise,
}

/// How patches are divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tessellator {
    /// What is divided.
    pub domain: Domain,
    /// How.
    pub spacing: Spacing,
    /// Into what.
    pub output: Output,
    /// Smallest and largest level; others are clamped.
    pub limits: [f32; 2],
}

/// A patch, divided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mesh {
    /// `u` and `v` of the points, in units of 1 / 65536.
    pub points: Vec<[u32; 2]>,
    /// Points of each primitive; points and lines repeat their last.
    pub primitives: Vec<[u32; 3]>,
    /// Room for the indices of two sides.
    sides: [Vec<u32>; 2],
}

impl Mesh {
    fn point(&mut self, u: u32, v: u32) {
        self.points.push([u, v]);
    }
}

/// Most segments of an edge.
const MOST: f32 = 64.0;

impl Tessellator {
    /// Divides a patch; `levels` are the outer ones and then the inner ones. Patches with an outer level that is not above
    /// zero are dropped.
    pub fn run(&self, levels: [f32; 6], mesh: &mut Mesh) {
        mesh.points.clear();
        mesh.primitives.clear();
        let [outer, inner] = self.domain.levels();
        let (outer, inner) = (&levels[..outer], &levels[outer..outer + inner]);
        // What is no number is not above zero either.
        if !outer.iter().all(|level| *level > 0.0) {
            return;
        }
        match self.domain {
            Domain::Isolines => return self.isolines(outer, mesh),
            Domain::Triangles => self.triangles(outer, inner, mesh),
            Domain::Quads => self.quads(outer, inner, mesh),
        }
        match self.output {
            Output::Points => self.join(mesh, 1),
            Output::Lines => self.join(mesh, 2),
            Output::Clockwise => {}
            Output::CounterClockwise => {
                for triangle in &mut mesh.primitives {
                    triangle.swap(1, 2);
                }
            }
        }
    }

    /// Points, or lines from each point to the next, instead of triangles.
    fn join(&self, mesh: &mut Mesh, corners: u32) {
        mesh.primitives.clear();
        let count = (mesh.points.len() as u32 + 1).saturating_sub(corners);
        let last = corners - 1;
        mesh.primitives
            .extend((0..count).map(|n| [n, n + last, n + last]));
    }

    /// A level in fixed point, clamped and rounded.
    fn clamped(&self, level: f32) -> u32 {
        let [least, most] = match self.spacing {
            Spacing::Integer | Spacing::PowerOfTwo => [1.0, MOST],
            Spacing::FractionalOdd => [1.0, MOST - 1.0],
            Spacing::FractionalEven => [2.0, MOST],
        };
        // What is no number becomes the smallest level.
        let limited = level.max(self.limits[0]).min(self.limits[1]);
        let fixed = division::fixed(limited.max(least).min(most));
        match self.spacing {
            Spacing::Integer => (fixed + ONE - 1) & !(ONE - 1),
            Spacing::PowerOfTwo => fixed.next_power_of_two(),
            Spacing::FractionalOdd | Spacing::FractionalEven => fixed,
        }
    }

    fn outer(&self, level: f32) -> Division {
        let level = self.clamped(level);
        Division::new(level, self.is_odd(level))
    }

    fn is_odd(&self, level: u32) -> bool {
        match self.spacing {
            Spacing::Integer | Spacing::PowerOfTwo => level & ONE != 0,
            Spacing::FractionalOdd => true,
            Spacing::FractionalEven => false,
        }
    }

    /// An inner level; where anything else is divided (`framed`), a level of one gets a ring, too.
    fn inner(&self, level: f32, framed: bool) -> Division {
        match self.clamped(level) {
            ONE if framed => match self.spacing {
                Spacing::FractionalOdd => Division::new(ONE + 1, true),
                _ => Division::new(2 * ONE, false),
            },
            level => Division::new(level, self.is_odd(level)),
        }
    }

    fn isolines(&self, outer: &[f32], mesh: &mut Mesh) {
        let along = self.outer(outer[0]);
        // Lines are at equal distances; that at v = 1 is left out.
        let whole = Tessellator {
            spacing: Spacing::Integer,
            ..*self
        };
        let across = whole.outer(outer[1]);
        let points = along.points();
        for line in 0..across.points() - 1 {
            let (v, first) = (across.place(line), line * points);
            for point in 0..points {
                mesh.point(along.place(point), v);
            }
            if self.output == Output::Points {
                let all = first..first + points;
                mesh.primitives.extend(all.map(|n| [n; 3]));
            } else {
                let pairs = first..first + points - 1;
                mesh.primitives.extend(pairs.map(|n| [n, n + 1, n + 1]));
            }
        }
    }

    fn triangles(&self, outer: &[f32], inner: &[f32], mesh: &mut Mesh) {
        let framed = outer.iter().any(|level| self.clamped(*level) > ONE);
        let inside = self.inner(inner[0], framed);
        let outside: [Division; 3] = std::array::from_fn(|edge| self.outer(outer[edge]));
        for (edge, division) in outside.iter().enumerate() {
            // Edges run from v = 1 to w = 1, to u = 1 and back.
            let end = division.points() - 1;
            for p in 0..end {
                let along = division.place(if edge == 1 { p } else { end - p });
                match edge {
                    0 => mesh.point(0, along),
                    1 => mesh.point(along, 0),
                    _ => mesh.point(along, ONE - along),
                }
            }
        }
        let mut ring = Ring::new(0, &outside.map(|division| division.points() - 1));
        let points = inside.points();
        for n in 1..points.div_ceil(2) {
            let end = points - 1 - n;
            let inner = Ring::new(mesh.points.len() as u32, &[end - n; 3]);
            // Distance from the edge, as a part of the way to the centre that is a third of the height.
            let depth = ((u64::from(inside.place(n)) * 0xaaaa + u64::from(HALF)) >> 16) as u32;
            for edge in 0..3 {
                for p in n..end {
                    let along = inside.place(if edge == 1 { p } else { end + n - p });
                    let along = along - depth.div_ceil(2);
                    match edge {
                        0 => mesh.point(depth, along),
                        1 => mesh.point(along, depth),
                        _ => mesh.point(along, ONE - along - depth),
                    }
                }
            }
            if end == n {
                mesh.point(ONE / 3, ONE / 3);
            }
            for (edge, division) in outside.iter().enumerate() {
                let stitch = match n {
                    1 => Stitch::Transition([&inside, division]),
                    _ => Stitch::Regular(Diagonals::Mirrored),
                };
                mesh.stitch([(&inner, edge), (&ring, edge)], stitch);
            }
            ring = inner;
        }
        if inside.odd {
            let centre = ring.corner_indices();
            mesh.primitives.push([centre[0], centre[1], centre[2]]);
        }
    }

    fn quads(&self, outer: &[f32], inner: &[f32], mesh: &mut Mesh) {
        let above = |level: &f32| self.clamped(*level) > ONE;
        let framed = outer.iter().chain(inner).any(above);
        let inside: [Division; 2] = std::array::from_fn(|axis| self.inner(inner[axis], framed));
        if !framed {
            mesh.points.extend([[0, 0], [ONE, 0], [ONE, ONE], [0, ONE]]);
            mesh.primitives.extend([[0, 1, 3], [1, 2, 3]]);
            return;
        }
        let outside: [Division; 4] = std::array::from_fn(|edge| self.outer(outer[edge]));
        for (edge, division) in outside.iter().enumerate() {
            // Edges run from (0, 1) to (0, 0), (1, 0), (1, 1) and back.
            let end = division.points() - 1;
            for p in 0..end {
                let forward = edge == 1 || edge == 2;
                let along = division.place(if forward { p } else { end - p });
                match edge {
                    0 => mesh.point(0, along),
                    1 => mesh.point(along, 0),
                    2 => mesh.point(ONE, along),
                    _ => mesh.point(along, ONE),
                }
            }
        }
        let mut ring = Ring::new(0, &outside.each_ref().map(|division| division.points() - 1));
        let [across, down] = inside.each_ref().map(Division::points);
        for n in 1..across.min(down).div_ceil(2) {
            let first = mesh.points.len() as u32;
            let (u, v) = (across - 1 - n, down - 1 - n);
            let inner = Ring::new(first, &[v - n, u - n, v - n, u - n]);
            self.quad_ring(&inside, n, mesh);
            for (edge, division) in outside.iter().enumerate() {
                let stitch = match n {
                    1 => Stitch::Transition([&inside[(edge + 1) % 2], division]),
                    _ => Stitch::Regular(Diagonals::Mirrored),
                };
                mesh.stitch([(&inner, edge), (&ring, edge)], stitch);
            }
            ring = inner;
        }
        // A row of squares is left in the middle where the smaller level is odd.
        if across > down && inside[1].odd {
            mesh.stitch_row(&ring, 1, Diagonals::Forward);
        } else if down >= across && inside[0].odd {
            let diagonals = match inside[1].odd {
                true => Diagonals::ForwardButMiddle,
                false => Diagonals::Forward,
            };
            mesh.stitch_row(&ring, 0, diagonals);
        }
    }

    /// Points of ring `n` of a quad: clockwise from its (0, 1) corner, or a row where it has no height or no width.
    fn quad_ring(&self, inside: &[Division; 2], n: u32, mesh: &mut Mesh) {
        let [across, down] = inside.each_ref().map(|division| division.points() - 1 - n);
        let [u, v] = inside;
        if down == n && across > n {
            (n..=across).for_each(|p| mesh.point(u.place(p), HALF));
            return;
        }
        if across == n {
            (n..=down).rev().for_each(|p| mesh.point(HALF, v.place(p)));
            return;
        }
        let (left, right) = (u.place(n), u.place(across));
        let (top, bottom) = (v.place(n), v.place(down));
        (n + 1..=down)
            .rev()
            .for_each(|p| mesh.point(left, v.place(p)));
        (n..across).for_each(|p| mesh.point(u.place(p), top));
        (n..down).for_each(|p| mesh.point(right, v.place(p)));
        (n + 1..=across)
            .rev()
            .for_each(|p| mesh.point(u.place(p), bottom));
    }
}

#[cfg(test)]
mod tests;
