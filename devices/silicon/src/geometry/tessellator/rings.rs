//! Triangles between rings of points. In: sides of an inner and an outer ring. Out: triangles, clockwise.

use super::Mesh;
use super::division::Division;

/// Points around a domain; a ring without width is a row, there and back.
pub(super) struct Ring {
    first: u32,
    /// Segments of each side.
    segments: [u32; 4],
    total: u32,
    /// It is a row.
    folded: bool,
}

/// Which way squares are cut.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Diagonals {
    /// From the inner side on to the outer one.
    Forward,
    /// The same, but for the square in the middle.
    ForwardButMiddle,
    /// Towards the middle of the inner side.
    Mirrored,
}

/// How two sides are joined.
pub(super) enum Stitch<'a> {
    /// Sides that are divided by these, the inner ring's and the outer ring's.
    Transition([&'a Division; 2]),
    /// The outer side has two segments more.
    Regular(Diagonals),
}

impl Ring {
    /// From its first point and the segments of its sides.
    pub(super) fn new(first: u32, sides: &[u32]) -> Ring {
        let mut segments = [0; 4];
        segments[..sides.len()].copy_from_slice(sides);
        Ring {
            first,
            segments,
            total: segments.iter().sum(),
            folded: sides.len() == 4 && sides[0].min(sides[1]) == 0,
        }
    }

    fn index(&self, at: u32) -> u32 {
        let place = match self.folded {
            true => at.min(self.total - at),
            false => at.checked_rem(self.total).unwrap_or(0),
        };
        self.first + place
    }

    /// Indices of the points of a side, ends included.
    fn side(&self, side: usize, out: &mut Vec<u32>) {
        let first: u32 = self.segments[..side].iter().sum();
        let all = first..=first + self.segments[side];
        out.clear();
        out.extend(all.map(|at| self.index(at)));
    }

    /// Indices of the points where sides begin.
    pub(super) fn corner_indices(&self) -> [u32; 4] {
        std::array::from_fn(|side| self.index(self.segments[..side].iter().sum()))
    }
}

/// When the segment at a place of a half appears, as levels grow to 64: first that at the corner, then as on a ruler.
fn order(place: u32) -> u32 {
    match place {
        0 => 0,
        1 => 32,
        _ => {
            let n = place - 1;
            let zeros = n.trailing_zeros();
            (16 >> zeros) + (n >> (zeros + 1))
        }
    }
}

/// Places of a half.
const PLACES: u32 = 33;

/// Where joining two sides stands.
struct Walk<'a> {
    inside: &'a [u32],
    outside: &'a [u32],
    at: [usize; 2],
    out: &'a mut Vec<[u32; 3]>,
}

impl Walk<'_> {
    /// A triangle on the next segment of the outer side.
    fn outer(&mut self) {
        let [i, o] = self.at;
        let triangle = [self.outside[o], self.outside[o + 1], self.inside[i]];
        self.out.push(triangle);
        self.at[1] += 1;
    }

    /// A triangle on the next segment of the inner side.
    fn inner(&mut self) {
        let [i, o] = self.at;
        let triangle = [self.inside[i], self.outside[o], self.inside[i + 1]];
        self.out.push(triangle);
        self.at[0] += 1;
    }

    fn transition(&mut self, [inside, outside]: [&Division; 2]) {
        let [i, o] = [inside, outside].map(Division::half_segments);
        // The inner ring has no segment at the corner.
        let is_inner = |place: u32| place > 0 && order(place) < i;
        let is_outer = |place: u32| order(place) < o;
        for place in 0..PLACES {
            if is_inner(place) {
                self.inner();
            }
            if is_outer(place) {
                self.outer();
            }
        }
        match (inside.odd, outside.odd) {
            (true, true) => {
                self.inner();
                self.outer();
            }
            (true, false) => self.inner(),
            (false, true) => self.outer(),
            (false, false) => {}
        }
        for place in (0..PLACES).rev() {
            if is_outer(place) {
                self.outer();
            }
            if is_inner(place) {
                self.inner();
            }
        }
    }

    /// Squares of sides with as many points.
    fn squares(&mut self, diagonals: Diagonals) {
        let points = self.inside.len();
        for p in 0..points - 1 {
            let forward = match diagonals {
                Diagonals::Forward => true,
                Diagonals::ForwardButMiddle => p + 1 != points / 2,
                Diagonals::Mirrored => p >= points / 2,
            };
            if forward {
                self.outer();
                self.inner();
            } else {
                self.inner();
                self.outer();
            }
        }
    }
}

impl Mesh {
    /// Joins sides of two rings, the inner one first.
    pub(super) fn stitch(&mut self, sides: [(&Ring, usize); 2], stitch: Stitch<'_>) {
        let [inside, outside] = &mut self.sides;
        sides[0].0.side(sides[0].1, inside);
        sides[1].0.side(sides[1].1, outside);
        let mut walk = Walk {
            inside,
            outside,
            at: [0; 2],
            out: &mut self.primitives,
        };
        match stitch {
            Stitch::Transition(divisions) => walk.transition(divisions),
            Stitch::Regular(diagonals) => {
                walk.outer();
                walk.squares(diagonals);
                walk.outer();
            }
        }
    }

    /// Joins a side of a ring with the opposite one, one segment away.
    pub(super) fn stitch_row(&mut self, ring: &Ring, side: usize, diagonals: Diagonals) {
        let [inside, outside] = &mut self.sides;
        ring.side(side + 2, inside);
        inside.reverse();
        ring.side(side, outside);
        let mut walk = Walk {
            inside,
            outside,
            at: [0; 2],
            out: &mut self.primitives,
        };
        walk.squares(diagonals);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_appear_as_on_a_ruler() {
        let found: Vec<u32> = (0..PLACES).map(order).collect();
        let wanted = [0, 32, 16, 8, 17, 4, 18, 9, 19, 2, 20, 10, 21, 5, 22, 11, 23];
        assert_eq!(found[..17], wanted);
        let mut all = found.clone();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..PLACES));
    }
}
