//! LOD and texel positions in one pass, for waves whose quads share a mip level.

use super::cube::flattened;
use super::footprint::{Rules, find_with};
use super::pairs::{Extent, Grid};
use super::quads::{Common, common_lanes, common_of, given, levels_of, spread};
use super::scratch::{MAX_WAVES, Plain, WaveFootprint};
use super::stages::LodRule;
use super::{Dim, LANES, Lanes, MipFilter};
use host::{Kernel, Rounding};

/// Where the levels of an instruction come from.
#[derive(Clone, Copy)]
pub(super) enum Levels {
    /// All lanes sample this level, and the next one with a weight.
    Uniform(i32, u32),
    /// From derivatives, or given per lane.
    Computed(LodRule, MipFilter),
}

/// Waves of one instruction whose footprints are one probe each.
pub(super) struct Locate<'a, 'b> {
    pub levels: Levels,
    pub grid: &'a Grid<'a>,
    pub rules: &'a Rules,
    pub last: i32,
    pub waves: &'a [Plain<'b>],
    /// Receives the shared state of each wave's quads and, on one mip level, their footprints.
    pub places: &'a mut [WaveFootprint; MAX_WAVES],
    /// Coordinates on one face per quad.
    pub flat: &'a mut [Lanes; 2],
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
            levels,
            grid,
            rules,
            last,
            waves,
            places,
            flat,
            guess,
        } = self;
        // LOD of all waves first, to hide its latency.
        if let Levels::Computed(rule, mip) = levels {
            for (places, wave) in places.iter_mut().zip(waves) {
                if let Some(lod) = wave.lod {
                    given(rule, mip, last, lod, (&mut places.level, &mut places.mix));
                    continue;
                }
                let [u, _, face] = wave.coords;
                let coords = match grid.dim() {
                    Dim::Cube if flattened(wave.coords, flat) => [&flat[0], &flat[1], face],
                    Dim::D1 => [u, &[0; LANES], &[0; LANES]],
                    _ => wave.coords,
                };
                levels_of(rule, mip, last, coords, &mut places.quads);
            }
        }
        for (places, wave) in places.iter_mut().zip(waves) {
            let expected = *guess;
            let mut extents = [grid.extent(expected), grid.extent(expected + 1)];
            let found = match levels {
                Levels::Computed(..) if wave.lod.is_some() => {
                    common_lanes(wave.exec, &places.level, &places.mix, &[1; LANES])
                }
                Levels::Computed(rule, mip) => common_of(wave.exec, rule, mip, &places.quads),
                Levels::Uniform(level, mix) => {
                    if mix != 0 {
                        places.mix = [mix; LANES];
                    }
                    Common::uniform(level, mix)
                }
            };
            places.found = found;
            let Some(level) = found.level else {
                continue;
            };
            if level != expected {
                *guess = level;
                extents = other_extents(grid, level);
            }
            if found.mixed && wave.lod.is_none() && matches!(levels, Levels::Computed(..)) {
                spread(&places.quads.mix, &mut places.mix);
            }
            let levels = (level..).zip(&extents).take(found.levels());
            for (footprint, (level, extent)) in places.footprint.iter_mut().zip(levels) {
                if grid.varies() {
                    footprint.at.carry(&[grid.join(level).carries(); LANES]);
                }
                find_with::<R, _>(grid, rules, wave, footprint, |axis: usize| {
                    let along = extent[axis];
                    move |_| along
                });
            }
        }
    }
}
