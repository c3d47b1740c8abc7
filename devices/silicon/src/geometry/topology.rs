//! Topologies: runs of vertices to points, lines and triangles.

use std::ops::Range;

/// What the vertices of a draw make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topology {
    /// A point each.
    Points,
    /// Pairs.
    Lines,
    /// Each with the one before.
    LineStrip,
    /// As the strip, and the last with the first.
    LineLoop,
    /// Fours, of which the middle two are drawn.
    LinesAdjacency,
    /// A strip whose ends are not drawn.
    LineStripAdjacency,
    /// Threes.
    Triangles,
    /// Each with the two before.
    TriangleStrip,
    /// Pairs with the first.
    TriangleFan,
    /// Sixes, of which every other is drawn.
    TrianglesAdjacency,
    /// A strip of every other.
    TriangleStripAdjacency,
    /// Fours.
    Quads,
    /// Pairs with the pair before.
    QuadStrip,
    /// One polygon, flat attributes from its first vertex.
    Polygon,
    /// Threes: corners of a rectangle; the fourth is opposite the first.
    Rectangles,
}

/// What the primitives of a draw are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One vertex.
    Points,
    /// Two vertices.
    Lines,
    /// Three vertices.
    Triangles,
    /// Three corners of a rectangle; the fourth is opposite the first.
    Rectangles,
}

impl Topology {
    /// What comes out.
    pub fn kind(self) -> Kind {
        use Topology::*;
        match self {
            Points => Kind::Points,
            Lines | LineStrip | LineLoop | LinesAdjacency | LineStripAdjacency => Kind::Lines,
            Rectangles => Kind::Rectangles,
            _ => Kind::Triangles,
        }
    }

    /// Emits the primitives of `n` vertices, as vertex numbers. The provoking vertex comes first: the first of a
    /// primitive or (`last`) its last. Points and lines repeat their last vertex.
    pub fn primitives<E>(
        self,
        n: usize,
        last: bool,
        emit: &mut impl FnMut([usize; 3]) -> Result<(), E>,
    ) -> Result<(), E> {
        use Topology::*;
        let line = |a: usize, b: usize| if last { [b, a, a] } else { [a, b, b] };
        // Rotates a triangle with winding a, b, c so that its first or last corner leads.
        let reversed = |a, b, c| if last { [c, a, b] } else { [a, b, c] };
        match self {
            Points => each(emit, 0..n, |i| [i; 3]),
            Lines => each(emit, 0..n / 2, |i| line(2 * i, 2 * i + 1)),
            LinesAdjacency => each(emit, 0..n / 4, |i| line(4 * i + 1, 4 * i + 2)),
            LineStrip => each(emit, 1..n, |i| line(i - 1, i)),
            LineStripAdjacency => each(emit, 2..n.saturating_sub(1), |i| line(i - 1, i)),
            LineLoop => {
                each(emit, 1..n, |i| line(i - 1, i))?;
                each(emit, 0..usize::from(n >= 2), |_| line(n - 1, 0))
            }
            Triangles | Rectangles => {
                each(emit, 0..n / 3, |i| reversed(3 * i, 3 * i + 1, 3 * i + 2))
            }
            TrianglesAdjacency => each(emit, 0..n / 6, |i| reversed(6 * i, 6 * i + 2, 6 * i + 4)),
            TriangleStrip | TriangleStripAdjacency => {
                let step = if self == TriangleStrip { 1 } else { 2 };
                each(emit, 0..(n / step).saturating_sub(2), |i| {
                    let [a, b, c] = [i, i + 1, i + 2].map(|v| v * step);
                    // Every other triangle is wound the other way; its provoking vertex stays the first (or last).
                    match (i % 2 == 1, last) {
                        (false, _) => reversed(a, b, c),
                        (true, false) => [a, c, b],
                        (true, true) => [c, b, a],
                    }
                })
            }
            // The hub is not the provoking vertex: that is the first or second of the rim.
            TriangleFan => each(
                emit,
                2..n,
                |i| if last { [i, 0, i - 1] } else { [i - 1, i, 0] },
            ),
            Polygon => each(emit, 2..n, |i| [0, i - 1, i]),
            Quads => each(emit, 0..n / 4 * 2, |i| {
                quad([0, 1, 2, 3].map(|v| i / 2 * 4 + v), i % 2, last)
            }),
            // Around the quadrilateral, which ends before its last vertex of the strip leads.
            QuadStrip => each(emit, 0..(n / 2).saturating_sub(1) * 2, |i| {
                let corners = if last { [2, 0, 1, 3] } else { [0, 1, 3, 2] };
                quad(corners.map(|v| i / 2 * 2 + v), i % 2, last)
            }),
        }
    }
}

/// Emits one primitive per number of the range.
#[inline(always)]
fn each<E>(
    emit: &mut impl FnMut([usize; 3]) -> Result<(), E>,
    mut range: Range<usize>,
    primitive: impl Fn(usize) -> [usize; 3],
) -> Result<(), E> {
    range.try_for_each(|i| emit(primitive(i)))
}

/// Half of a quadrilateral, its provoking vertex first.
fn quad([a, b, c, d]: [usize; 4], half: usize, last: bool) -> [usize; 3] {
    match (last, half) {
        (true, 0) => [d, a, b],
        (true, _) => [d, b, c],
        (false, 0) => [a, b, c],
        (false, _) => [a, c, d],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(topology: Topology, n: usize, first: &[[usize; 3]], last: &[[usize; 3]]) {
        for (provoking, expected) in [(false, first), (true, last)] {
            let mut found = Vec::new();
            let done = topology.primitives(n, provoking, &mut |p| {
                found.push(p);
                Ok::<(), ()>(())
            });
            assert_eq!(done, Ok(()));
            assert_eq!(found, expected, "{topology:?} of {n}, last {provoking}");
        }
    }

    #[test]
    fn provoking_vertex_first_and_winding_kept() {
        use Topology::*;
        check(Points, 2, &[[0; 3], [1; 3]], &[[0; 3], [1; 3]]);
        check(Lines, 5, &[[0, 1, 1], [2, 3, 3]], &[[1, 0, 0], [3, 2, 2]]);
        check(
            LineLoop,
            2,
            &[[0, 1, 1], [1, 0, 0]],
            &[[1, 0, 0], [0, 1, 1]],
        );
        check(LineLoop, 1, &[], &[]);
        check(LinesAdjacency, 4, &[[1, 2, 2]], &[[2, 1, 1]]);
        check(LineStripAdjacency, 4, &[[1, 2, 2]], &[[2, 1, 1]]);
        check(Triangles, 5, &[[0, 1, 2]], &[[2, 0, 1]]);
        check(
            TriangleStrip,
            4,
            &[[0, 1, 2], [1, 3, 2]],
            &[[2, 0, 1], [3, 2, 1]],
        );
        check(
            TriangleFan,
            4,
            &[[1, 2, 0], [2, 3, 0]],
            &[[2, 0, 1], [3, 0, 2]],
        );
        check(TrianglesAdjacency, 6, &[[0, 2, 4]], &[[4, 0, 2]]);
        check(Quads, 7, &[[0, 1, 2], [0, 2, 3]], &[[3, 0, 1], [3, 1, 2]]);
        check(
            QuadStrip,
            4,
            &[[0, 1, 3], [0, 3, 2]],
            &[[3, 2, 0], [3, 0, 1]],
        );
        check(Polygon, 4, &[[0, 1, 2], [0, 2, 3]], &[[0, 1, 2], [0, 2, 3]]);
        check(TriangleStrip, 1, &[], &[]);
    }
}
