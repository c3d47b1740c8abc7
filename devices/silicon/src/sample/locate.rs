//! Positions of a wave whose quads share a level: its level of detail and the places of its texels in one pass.

use super::footprint::{Beyond, Feet, line_of_level};
use super::pairs::Grid;
use super::quads::{Common, Quads, common_of, levels_of, spread};
use super::stages::LodRule;
use super::{Filter, Lanes, MipFilter};
use crate::level::Kernel;

/// A wave whose footprints are one probe each.
pub(super) struct Locate<'a> {
    /// How levels of detail come about; nothing where there is one level.
    pub rule: Option<(LodRule, MipFilter)>,
    pub grid: &'a Grid<'a>,
    pub filter: Filter,
    pub last: i32,
    pub exec: u64,
    pub coords: [&'a Lanes; 2],
    pub quads: &'a mut Quads,
    /// Weight of the next level.
    pub mix: &'a mut Lanes,
    /// In the level and the next one.
    pub feet: &'a mut [Feet; 2],
    /// The level of the wave before.
    pub guess: &'a mut i32,
}

/// Where a level lies that is not the expected one. Not inlined, so that positions in the expected level are computed
/// while the processor still finds out which level it is.
#[cold]
#[inline(never)]
fn other_extents(grid: &Grid, level: i32) -> [[(f32, u32); 2]; 2] {
    [grid.extent(level), grid.extent(level + 1)]
}

impl Kernel for Locate<'_> {
    /// What quads have in common. If that is a level, positions are found.
    type Output = Common;

    #[inline(always)]
    fn run(self) -> Common {
        let Locate {
            rule,
            grid,
            filter,
            last,
            exec,
            coords,
            quads,
            mix,
            feet,
            guess,
        } = self;
        let expected = *guess;
        let mut extents = [grid.extent(expected), grid.extent(expected + 1)];
        let mut found = Common::FIRST;
        if let Some((rule, mip)) = rule {
            levels_of(rule, mip, last, coords, quads);
            found = common_of(exec, rule, mip, quads);
        }
        let Some(level) = found.level else {
            return found;
        };
        if level != expected {
            *guess = level;
            extents = other_extents(grid, level);
        }
        if found.mixed {
            spread(&quads.mix, mix);
        }
        let [near, far] = feet;
        for axis in 0..2 {
            let rule = (grid.modes[axis], filter, Beyond::Any);
            let (at, w) = (near.at.cut(&grid.plane, axis), &mut near.w[axis]);
            line_of_level(rule, coords[axis], extents[0][axis], at, w);
            if found.mixed {
                let (at, w) = (far.at.cut(&grid.plane, axis), &mut far.w[axis]);
                line_of_level(rule, coords[axis], extents[1][axis], at, w);
            }
        }
        found
    }
}
