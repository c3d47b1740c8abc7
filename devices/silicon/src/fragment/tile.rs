//! The 8x8 tile: pixels as lanes in Morton order (lane bits x0 y0 x1 y1 x2 y2), pixel sets as 64-bit masks. Four
//! consecutive lanes are a quad, sixteen a 4x4 block.

/// Pixels along an edge of a tile.
pub const TILE: i32 = 8;

/// Lane of the pixel at `x`, `y` in 0..8.
#[inline(always)]
pub const fn lane(x: u32, y: u32) -> u32 {
    spread(x) | spread(y) << 1
}

/// Column of a lane.
#[inline(always)]
pub const fn lane_x(lane: u32) -> u32 {
    lane & 1 | lane >> 1 & 2 | lane >> 2 & 4
}

/// Line of a lane.
#[inline(always)]
pub const fn lane_y(lane: u32) -> u32 {
    lane_x(lane >> 1)
}

const fn spread(v: u32) -> u32 {
    v & 1 | (v & 2) << 1 | (v & 4) << 2
}

/// Column of every lane.
pub static LANE_X: [i32; 64] = table(0);
/// Line of every lane.
pub static LANE_Y: [i32; 64] = table(1);

const fn table(shift: u32) -> [i32; 64] {
    let mut out = [0; 64];
    let mut i = 0;
    while i < 64 {
        out[i] = lane_x(i as u32 >> shift) as i32;
        i += 1;
    }
    out
}

/// Lanes whose column is below `i`.
const LEFT_OF: [u64; 9] = below(0);
/// Lanes whose line is below `i`.
const ABOVE: [u64; 9] = below(1);

const fn below(shift: u32) -> [u64; 9] {
    let mut out = [0; 9];
    let mut i = 0;
    while i < 9 {
        let mut lane = 0;
        while lane < 64 {
            if lane_x(lane >> shift) < i {
                out[i as usize] |= 1 << lane;
            }
            lane += 1;
        }
        i += 1;
    }
    out
}

/// Pixels `x0 <= x < x1`, `y0 <= y < y1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    /// First column.
    pub x0: i32,
    /// First line.
    pub y0: i32,
    /// Column after the last.
    pub x1: i32,
    /// Line after the last.
    pub y1: i32,
}

impl Rect {
    /// All pixels that there may be.
    pub const ALL: Rect = Rect {
        x0: 0,
        y0: 0,
        x1: i32::MAX,
        y1: i32::MAX,
    };

    /// From corner and size.
    pub const fn new(x: i32, y: i32, width: i32, height: i32) -> Rect {
        Rect {
            x0: x,
            y0: y,
            x1: x + width,
            y1: y + height,
        }
    }

    /// How many pixels it contains.
    pub fn pixels(self) -> u64 {
        let size = |from: i32, to: i32| (i64::from(to) - i64::from(from)).max(0) as u64;
        size(self.x0, self.x1) * size(self.y0, self.y1)
    }

    /// What both contain.
    #[inline]
    pub fn intersect(self, other: Rect) -> Rect {
        Rect {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    /// Whether it contains no pixel.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }

    /// The lanes of the tile at `x`, `y` that lie inside.
    #[inline]
    pub fn mask(self, x: i32, y: i32) -> u64 {
        let ends = |from: i32, to: i32, at: i32| from <= at && at <= to.saturating_sub(TILE);
        if ends(self.x0, self.x1, x) && ends(self.y0, self.y1, y) {
            return u64::MAX;
        }
        let at = |edge: i32, origin: i32| edge.saturating_sub(origin).clamp(0, TILE) as usize;
        LEFT_OF[at(self.x1, x)]
            & !LEFT_OF[at(self.x0, x)]
            & ABOVE[at(self.y1, y)]
            & !ABOVE[at(self.y0, y)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn morton_order() {
        assert_eq!(
            [
                (0, 0),
                (1, 0),
                (0, 1),
                (1, 1),
                (2, 0),
                (0, 2),
                (4, 0),
                (0, 4),
                (7, 7)
            ]
            .map(|(x, y)| lane(x, y)),
            [0, 1, 2, 3, 4, 8, 16, 32, 63]
        );
        for i in 0..64 {
            assert_eq!(lane(lane_x(i), lane_y(i)), i);
            assert_eq!(LANE_X[i as usize], lane_x(i) as i32);
            assert_eq!(LANE_Y[i as usize], lane_y(i) as i32);
        }
    }

    #[test]
    fn masks_of_rectangles() {
        let rect = Rect::new(3, -5, 20, 12);
        for (tx, ty) in [(0, 0), (8, 0), (16, 0), (24, 0), (0, -8), (0, 8), (-8, 0)] {
            let mut expected = 0;
            for i in 0..64 {
                let (x, y) = (tx + lane_x(i) as i32, ty + lane_y(i) as i32);
                if (3..23).contains(&x) && (-5..7).contains(&y) {
                    expected |= 1 << i;
                }
            }
            assert_eq!(rect.mask(tx, ty), expected);
        }
        assert!(rect.intersect(Rect::new(23, 0, 4, 4)).is_empty());
        assert_eq!(
            Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX).mask(0, 0),
            0
        );
    }
}
