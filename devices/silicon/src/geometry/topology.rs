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
    /// So many control points each, for tessellation. Nothing is drawn without it.
    Patches(u8),
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
            Patches(_) => Ok(()),
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

impl Topology {
    /// Vertices that a primitive has with its neighbours.
    pub fn corners(self) -> usize {
        use Topology::*;
        match self {
            LinesAdjacency | LineStripAdjacency => 4,
            TrianglesAdjacency | TriangleStripAdjacency => 6,
            _ => match self.kind() {
                Kind::Points => 1,
                Kind::Lines => 2,
                Kind::Triangles | Kind::Rectangles => 3,
            },
        }
    }

    /// Emits the primitives of `n` vertices with their neighbours, as vertex numbers in the order in which a geometry
    /// stage sees them: the provoking vertex is the first or (`last`) the last of the primitive's own. [VULKAN Drawing]
    pub fn gathered<E>(
        self,
        n: usize,
        last: bool,
        emit: &mut impl FnMut(&[usize]) -> Result<(), E>,
    ) -> Result<(), E> {
        use Topology::*;
        match self {
            LinesAdjacency => (0..n / 4).try_for_each(|i| emit(&[0, 1, 2, 3].map(|k| 4 * i + k))),
            LineStripAdjacency => {
                (0..n.saturating_sub(3)).try_for_each(|i| emit(&[0, 1, 2, 3].map(|k| i + k)))
            }
            TrianglesAdjacency => (0..n / 6).try_for_each(|i| {
                let corners: [usize; 6] = std::array::from_fn(|k| 6 * i + k);
                emit(&corners)
            }),
            TriangleStripAdjacency => {
                let count = (n / 2).saturating_sub(2);
                (0..count).try_for_each(|i| emit(&strip_neighbours(i, count, last)))
            }
            _ => self.primitives(n, last, &mut |[a, b, c]: [usize; 3]| match self.kind() {
                Kind::Points => emit(&[a]),
                Kind::Lines if last => emit(&[b, a]),
                Kind::Lines => emit(&[a, b]),
                _ if last => emit(&[b, c, a]),
                _ => emit(&[a, b, c]),
            }),
        }
    }
}

/// Triangle `i` of `count` of a strip, each corner followed by the vertex across the edge to the next.
fn strip_neighbours(i: usize, count: usize, last: bool) -> [usize; 6] {
    let at = 2 * i;
    // Across the edges from the first to the second corner in order of the strip, from the second to the third, and back.
    let before = if i == 0 { 1 } else { at - 2 };
    let after = if i + 1 == count { at + 5 } else { at + 6 };
    let (a, b, c) = ((at, before), (at + 2, after), (at + 4, at + 3));
    match (i % 2 == 1, last) {
        (false, _) => [a.0, a.1, b.0, b.1, c.0, c.1],
        // Wound the other way.
        (true, false) => [a.0, c.1, c.0, b.1, b.0, a.1],
        (true, true) => [b.0, a.1, a.0, c.1, c.0, b.1],
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

    fn gathered(topology: Topology, n: usize, last: bool) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        let done = topology.gathered(n, last, &mut |corners: &[usize]| {
            assert_eq!(corners.len(), topology.corners());
            found.push(corners.to_vec());
            Ok::<(), ()>(())
        });
        assert_eq!(done, Ok(()));
        found
    }

    #[test]
    fn neighbours_are_those_of_the_tables() {
        use Topology::*;
        assert_eq!(gathered(Points, 2, true), [[0], [1]]);
        assert_eq!(gathered(Lines, 4, true), [[0, 1], [2, 3]]);
        assert_eq!(
            gathered(LineStripAdjacency, 5, false),
            [[0, 1, 2, 3], [1, 2, 3, 4]]
        );
        assert_eq!(gathered(LinesAdjacency, 7, false), [[0, 1, 2, 3]]);
        assert_eq!(gathered(TriangleStrip, 4, false), [[0, 1, 2], [1, 3, 2]]);
        assert_eq!(gathered(TriangleStrip, 4, true), [[0, 1, 2], [2, 1, 3]]);
        assert_eq!(gathered(TriangleFan, 4, false), [[1, 2, 0], [2, 3, 0]]);
        assert_eq!(gathered(TrianglesAdjacency, 6, false), [[0, 1, 2, 3, 4, 5]]);
        // Only, first, middle and last triangles. [GL table 10.1, VULKAN Triangle Strips With Adjacency]
        assert_eq!(
            gathered(TriangleStripAdjacency, 6, false),
            [[0, 1, 2, 5, 4, 3]]
        );
        let strip = gathered(TriangleStripAdjacency, 12, true);
        let wanted = [
            [0, 1, 2, 6, 4, 3],
            [4, 0, 2, 5, 6, 8],
            [4, 2, 6, 10, 8, 7],
            [8, 4, 6, 9, 10, 11],
        ];
        assert_eq!(strip, wanted);
        let strip = gathered(TriangleStripAdjacency, 10, false);
        assert_eq!(strip[1], [2, 5, 6, 8, 4, 0]);
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
