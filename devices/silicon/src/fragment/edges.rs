//! Edge functions of primitives: exact integers on the sub-pixel grid.

use crate::fragment::tile::Rect;
use crate::geometry::setup::{Grid, Primitive, Shape};

/// `a * x + b * y + c` on the grid; positive inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// Step per grid unit to the right; magnitude below 2^25.
    pub a: i64,
    /// Step per grid unit down; magnitude below 2^25.
    pub b: i64,
    /// Value at the grid's origin.
    pub c: i64,
}

impl Edge {
    /// Value at the centre of a pixel.
    #[inline(always)]
    pub fn at_pixel(&self, grid: Grid, x: i32, y: i32) -> i64 {
        let at = |v: i32| (i64::from(v) << grid.bits) + i64::from(grid.unit() / 2);
        self.a * at(x) + self.b * at(y) + self.c
    }

    /// The edge through two points, positive to the right of its direction (y down).
    #[inline(always)]
    fn through(from: (i64, i64), to: (i64, i64)) -> Edge {
        let (a, b) = (from.1 - to.1, to.0 - from.0);
        Edge {
            a,
            b,
            c: -(a * from.0 + b * from.1),
        }
    }

    /// The top-left rule: whether points on the edge are inside.
    #[inline(always)]
    pub fn owns_border(&self) -> bool {
        self.a > 0 || self.a == 0 && self.b > 0
    }
}

/// Edge functions; divided by `area` they are the barycentric weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edges {
    /// Edge `k` is zero on the side opposite to corner `k` and `area` at corner `k`.
    pub edges: [Edge; 3],
    /// Twice the area of a triangle, the squared length of a line, in grid units; not negative.
    pub area: i64,
}

impl Edges {
    /// Of a triangle or a line; a point has none and gets a zero area.
    #[inline(always)]
    pub fn weights(primitive: &Primitive) -> Edges {
        let at = |k: usize| (i64::from(primitive.x[k]), i64::from(primitive.y[k]));
        let v = [at(0), at(1), at(2)];
        match primitive.shape {
            Shape::Triangle => {
                let area =
                    (v[1].0 - v[0].0) * (v[2].1 - v[0].1) - (v[2].0 - v[0].0) * (v[1].1 - v[0].1);
                let edge = |from, to| {
                    if area < 0 {
                        Edge::through(to, from)
                    } else {
                        Edge::through(from, to)
                    }
                };
                Edges {
                    edges: [edge(v[1], v[2]), edge(v[2], v[0]), edge(v[0], v[1])],
                    area: area.abs(),
                }
            }
            Shape::Line | Shape::UprightLine | Shape::LevelLine | Shape::ThinLine => {
                let (dx, dy) = (v[1].0 - v[0].0, v[1].1 - v[0].1);
                let along = Edge {
                    a: dx,
                    b: dy,
                    c: -(dx * v[0].0 + dy * v[0].1),
                };
                let area = dx * dx + dy * dy;
                let back = Edge {
                    a: -dx,
                    b: -dy,
                    c: area - along.c,
                };
                Edges {
                    edges: [back, along, Edge::default()],
                    area,
                }
            }
            Shape::Point => Edges {
                edges: [Edge::default(); 3],
                area: 0,
            },
        }
    }

    /// Trivial reject: whether no sample of `area` can be inside a triangle.
    #[inline]
    pub fn misses(&self, grid: Grid, area: Rect) -> bool {
        let grow = |v: i32| i64::from(v) << grid.bits;
        self.edges.iter().any(|e| {
            let x = if e.a > 0 { area.x1 } else { area.x0 };
            let y = if e.b > 0 { area.y1 } else { area.y0 };
            e.a * grow(x) + e.b * grow(y) + e.c < 0
        })
    }
}
