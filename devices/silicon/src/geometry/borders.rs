//! Borders of points and rectangles: which own the samples exactly on them.

use super::setup::Grid;

/// Which borders of axis-aligned primitives own the samples exactly on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Borders {
    /// Of points.
    pub points: Owned,
    /// Of rectangles.
    pub rectangles: Owned,
}

/// One of the two vertical borders and one of the two horizontal ones; left and top as triangles have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owned {
    /// The right border instead of the left one.
    pub right: bool,
    /// The bottom border instead of the top one.
    pub bottom: bool,
}

impl Owned {
    /// Moves a coordinate of each axis by the least step where other borders than left and top own samples: what lies on
    /// the border changes sides, nothing else does. Borders between pixels have no samples and stay.
    pub(super) fn moved(self, grid: Grid, x: i32, y: i32) -> [i32; 2] {
        let between = |at: i32| at & (grid.unit() - 1) == 0;
        [
            x + i32::from(self.right && !between(x)),
            y + i32::from(self.bottom && !between(y)),
        ]
    }
}
