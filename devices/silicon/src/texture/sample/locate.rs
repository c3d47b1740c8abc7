//! LOD and texel positions in one pass, for waves whose quads share a mip level.

#![expect(
    clippy::needless_range_loop,
    reason = "the number of an axis indexes several tables"
)]

use super::footprint::line_of_level;
use super::pairs::{Extent, Grid};
use super::quads::{Common, common_of, levels_of, spread};
use super::scratch::{MAX_WAVES, Plain, WaveFootprint};
use super::stages::LodRule;
use super::{Filter, MipFilter};
use host::{Kernel, Rounding};

/// Waves of one instruction whose footprints are one probe each.
pub(super) struct Locate<'a, 'b> {
    /// LOD rule; `None` for a single mip level.
    pub rule: Option<(LodRule, MipFilter)>,
    pub grid: &'a Grid<'a>,
    pub filter: Filter,
    pub last: i32,
    pub waves: &'a [Plain<'b>],
    /// Receives the shared state of each wave's quads and, on one mip level, their footprints.
    pub places: &'a mut [WaveFootprint; MAX_WAVES],
    /// The level of the wave before.
    pub guess: &'a mut i32,
}

/// Footprints on a level other than predicted. Not inlined: the processor speculates on the predicted one.
#[cold]
#[inline(never)]
fn other_extents(grid: &Grid, level: i32) -> [Extent; 2] {
    [grid.extent(level), grid.extent(level + 1)]
}

impl Kernel for Locate<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Locate {
            rule,
            grid,
            filter,
            last,
            waves,
            places,
            guess,
        } = self;
        // LOD of all waves first, to hide its latency.
        if let Some((rule, mip)) = rule {
            for (places, wave) in places.iter_mut().zip(waves) {
                levels_of(rule, mip, last, wave.coords, &mut places.quads);
            }
        }
        for (places, wave) in places.iter_mut().zip(waves) {
            let expected = *guess;
            let mut extents = [grid.extent(expected), grid.extent(expected + 1)];
            let found = match rule {
                Some((rule, mip)) => common_of(wave.exec, rule, mip, &places.quads),
                None => Common::FIRST,
            };
            places.found = found;
            let Some(level) = found.level else {
                continue;
            };
            if level != expected {
                *guess = level;
                extents = other_extents(grid, level);
            }
            if found.mixed {
                spread(&places.quads.mix, &mut places.mix);
            }
            let [near, far] = &mut places.footprint;
            for axis in 0..2 {
                let coords = wave.coords[axis];
                let rule = (grid.modes[axis], filter);
                let (at, w) = (near.at.cut(&grid.plane, axis), &mut near.w[axis]);
                line_of_level::<R>(rule, coords, extents[0][axis], at, w);
                if found.mixed {
                    let (at, w) = (far.at.cut(&grid.plane, axis), &mut far.w[axis]);
                    line_of_level::<R>(rule, coords, extents[1][axis], at, w);
                }
            }
        }
    }
}
