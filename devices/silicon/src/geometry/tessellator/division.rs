//! Points along an edge. In: a level. Out: how many points there are, and where each lies.
//!
//! A fractional level lies between two numbers of segments. Each point moves from its place among fewer to its place among
//! more segments; on each half of the edge one point is new and moves away from its neighbour.

/// One, in fixed point.
pub(super) const ONE: u32 = 1 << 16;
/// One half.
pub(super) const HALF: u32 = ONE / 2;

/// A number between 0 and 64 in fixed point, to the nearest, ties to even.
pub(super) fn fixed(value: f32) -> u32 {
    // A power of two changes the exponent only.
    (value * ONE as f32).round_ties_even() as u32
}

/// How an edge is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Division {
    /// The number of segments is odd: no point lies in the middle.
    pub(super) odd: bool,
    /// Points of a half, without one in the middle.
    pub(super) half: u32,
    /// The point of the half after which one is new.
    split: u32,
    /// How far points have moved, from 0 to 1.
    moved: u32,
    /// Lengths of the segments, fewer and more of them.
    lengths: [u32; 2],
}

impl Division {
    /// From a level in fixed point.
    pub(super) fn new(level: u32, odd: bool) -> Division {
        let mut half = level.div_ceil(2);
        if odd || half == HALF {
            half += HALF;
        }
        let moved = half % ONE;
        let [fewer, more] = [half / ONE, half.div_ceil(ONE)];
        let without_top_bit = |n: u32| n & !(n.checked_ilog2().map_or(0, |bit| 1 << bit));
        let split = match (fewer == more, odd) {
            (true, _) => more + 1,
            (false, true) if fewer == 1 => 0,
            (false, true) => 2 * without_top_bit(fewer - 1) + 1,
            (false, false) => 2 * without_top_bit(fewer) + 1,
        };
        let length = |half: u32| {
            let segments = (2 * half).saturating_sub(odd.into()).max(1);
            (ONE + segments / 2) / segments
        };
        Division {
            odd,
            half: more,
            split,
            moved,
            lengths: [length(fewer), length(more)],
        }
    }

    /// How many points there are, ends included.
    pub(super) fn points(&self) -> u32 {
        2 * self.half + u32::from(!self.odd)
    }

    /// Where a point lies.
    pub(super) fn place(&self, point: u32) -> u32 {
        let mirrored = point >= self.half;
        let point = match mirrored {
            true => self.points() - 1 - point,
            false => point,
        };
        if point == self.half {
            return HALF;
        }
        let before = point - u32::from(point > self.split);
        let [from, to] = [before * self.lengths[0], point * self.lengths[1]].map(u64::from);
        let moved = u64::from(self.moved);
        let place = from * (u64::from(ONE) - moved) + to * moved + u64::from(HALF);
        let place = (place >> 16) as u32;
        if mirrored { ONE - place } else { place }
    }

    /// Whole segments of a half.
    pub(super) fn half_segments(&self) -> u32 {
        self.half - u32::from(self.odd)
    }
}
