//! LOD and texel positions in one pass, for waves whose quads share a mip level.

use super::cube::flattened;
use super::footprint::{FindLevel, Rules, find_all};
use super::pairs::Grid;
use super::quads::{Common, Sure, common_lanes, common_of, given, levels_of, spread};
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
        let mut sure = None;
        let mut known = [false; MAX_WAVES];
        if let Levels::Computed(rule, mip) = levels {
            sure = Sure::of(rule, mip, last, *guess);
            for ((places, wave), known) in places.iter_mut().zip(waves).zip(&mut known) {
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
                *known = levels_of(rule, mip, last, sure, coords, &mut places.quads);
            }
        }
        let mut finds = [FindLevel::NONE; 2 * MAX_WAVES];
        let mut count = 0;
        for (n, wave) in waves.iter().enumerate().take(MAX_WAVES) {
            let places = &mut places[n];
            let found = match (levels, sure) {
                (Levels::Computed(..), _) if wave.lod.is_some() => {
                    common_lanes(wave.exec, &places.level, &places.mix, &[1; LANES])
                }
                (Levels::Computed(..), Some(sure)) if known[n] => Common::uniform(sure.level, 0),
                (Levels::Computed(rule, mip), _) => common_of(wave.exec, rule, mip, &places.quads),
                (Levels::Uniform(level, mix), _) => {
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
            *guess = level;
            if found.mixed && wave.lod.is_none() && matches!(levels, Levels::Computed(..)) {
                spread(&places.quads.mix, &mut places.mix);
            }
            for step in 0..found.levels() {
                let level = level + step as i32;
                if grid.varies() {
                    let carries = grid.join(level).carries();
                    places.footprint[step].at.carry(&[carries; LANES]);
                }
                finds[count % (2 * MAX_WAVES)] = FindLevel {
                    wave: n,
                    step,
                    extent: grid.extent(level),
                };
                count += 1;
            }
        }
        let finds = &finds[..count.min(2 * MAX_WAVES)];
        find_all::<R>(grid, rules, waves, finds, places);
    }
}
