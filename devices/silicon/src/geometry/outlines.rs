//! Triangles that are parts of quadrilaterals and polygons, where they are drawn as edges or corners.

use super::setup::Corners;
use super::vertices::Assembled;

/// What triangles are parts of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outlined {
    /// Nothing: all edges are drawn.
    #[default]
    Triangles,
    /// Quadrilaterals: of each two the last edge of the first and the first edge of the second are the same.
    Quads,
    /// A polygon: edges that a triangle shares with the one before or behind it are inside. Of one with more than 2048
    /// triangles some of these are drawn.
    Polygon,
}

/// Edges and corners of a triangle that others draw, or none, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hidden {
    /// Edges that are inside: from vertex 0 on, 1 on, 2 on.
    edges: u8,
}

impl Outlined {
    /// What a triangle of a run hides; the first triangle of its draw has number 0.
    pub(super) fn hidden(self, run: &[Assembled], n: usize, id: u32) -> Hidden {
        let shares = |first: Option<&Assembled>, second: Option<&Assembled>| match (first, second) {
            (Some(first), Some(second)) => {
                let ([a, _, b], [c, d, _]) = (first.vertices, second.vertices);
                [a, b] == [c, d]
            }
            _ => false,
        };
        let (first, last) = match self {
            Outlined::Triangles => (false, false),
            Outlined::Quads => (id % 2 == 1, id.is_multiple_of(2)),
            Outlined::Polygon => {
                let before = n.checked_sub(1).and_then(|before| run.get(before));
                let (this, behind) = (run.get(n), run.get(n + 1));
                (shares(before, this), shares(this, behind))
            }
        };
        Hidden {
            edges: u8::from(first) | u8::from(last) << 2,
        }
    }
}

impl Hidden {
    /// Whether an edge is inside.
    pub(super) fn edge(self, n: usize) -> bool {
        self.edges >> n & 1 == 1
    }

    /// Whether the triangle before has a corner too.
    pub(super) fn corner(self, n: usize) -> bool {
        n < 2 && self.edge(0)
    }
}

/// Weights of vertices 1 and 2 at the three vertices of a triangle.
pub(super) const WEIGHTS: [[f32; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];

/// The weights of a point that is a vertex: linear ones go across it.
pub(super) fn sprite(vertex: usize) -> Corners {
    let places = |k: usize| WEIGHTS.map(|weights| weights[k]);
    Corners {
        linear_i: places(0),
        linear_j: places(1),
        ..at_ends([vertex; 3])
    }
}

/// The weights of a piece whose corners are these vertices.
pub(super) fn at_ends(ends: [usize; 3]) -> Corners {
    let weights = |k: usize| ends.map(|end| WEIGHTS[end][k]);
    Corners {
        i: weights(0),
        j: weights(1),
        linear_i: weights(0),
        linear_j: weights(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::topology::Topology;

    /// Edges that are drawn, as pairs of vertices, and corners.
    fn drawn(
        topology: Topology,
        outlined: Outlined,
        count: usize,
        last: bool,
    ) -> (Vec<[u32; 2]>, Vec<u32>) {
        let mut run = Vec::new();
        let emit = &mut |vertices: [usize; 3]| {
            let vertices = vertices.map(|vertex| vertex as u32);
            run.push(Assembled { vertices });
            Ok::<(), ()>(())
        };
        topology
            .primitives(count, last, emit)
            .expect("nothing fails");
        let (mut edges, mut corners) = (Vec::new(), Vec::new());
        for (n, assembled) in run.iter().enumerate() {
            let hidden = outlined.hidden(&run, n, n as u32);
            let [a, b, c] = assembled.vertices;
            for (k, [from, to]) in [[a, b], [b, c], [c, a]].into_iter().enumerate() {
                if !hidden.edge(k) {
                    edges.push([from, to]);
                }
                if !hidden.corner(k) {
                    corners.push(from);
                }
            }
        }
        edges.sort_unstable();
        corners.sort_unstable();
        (edges, corners)
    }

    #[test]
    fn inner_edges_are_hidden() {
        let around = |first: u32| (0..4).map(move |n| [first + n, first + (n + 1) % 4]);
        let quads: Vec<_> = around(0).chain(around(4)).collect();
        for last in [false, true] {
            let (edges, corners) = drawn(Topology::Quads, Outlined::Quads, 8, last);
            assert_eq!((edges, corners), (quads.clone(), (0..8).collect()));
        }
        let polygon = (0..6).map(|n| [n, (n + 1) % 6]).collect();
        let found = drawn(Topology::Polygon, Outlined::Polygon, 6, true);
        assert_eq!(found, (polygon, (0..6).collect()));
        let strip = [
            [0, 1],
            [1, 3],
            [2, 0],
            [2, 3],
            [3, 5],
            [4, 2],
            [3, 2],
            [5, 4],
        ];
        let mut sorted = strip.to_vec();
        sorted.sort_unstable();
        let found = drawn(Topology::QuadStrip, Outlined::Quads, 6, false);
        assert_eq!(found.0, sorted);
        let triangles = drawn(Topology::Triangles, Outlined::Triangles, 3, false);
        assert_eq!(triangles.0, [[0, 1], [1, 2], [2, 0]]);
    }
}
