//! LOD and texel positions in one pass, for waves whose quads share a mip level.

use super::cube::flattened;
use super::footprint::{Rules, find_all};
use super::pairs::Grid;
use super::quads::{Common, Differences, Sure, common_lanes, common_of, levels_of, spread};
use super::scratch::{MAX_WAVES, Plain, WaveFootprint};
use super::stages::LodRule;
use super::{Dim, LANES, Lanes, MipFilter};
use crate::texture::exact::Exact;
use host::{Kernel, Rounding};

/// Where the levels of an instruction come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Levels {
    /// All lanes sample this level, and the next one with a weight.
    Uniform(i32, u32),
    /// From differences within quads.
    Computed(LodRule, MipFilter),
    /// They are known: see [`ByLane`](super::by_lane::ByLane).
    Given,
}

/// Coordinates that a wave's quads have on one face each, which `flat` takes where they are not.
#[inline(always)]
pub(super) fn on_one_face<'a>(
    dim: Dim,
    wave: &Plain<'a>,
    flat: &'a mut [Lanes; 2],
) -> [&'a Lanes; 3] {
    let [u, _, face] = wave.coords;
    match dim {
        Dim::Cube if flattened(wave.coords, flat) => [&flat[0], &flat[1], face],
        Dim::D1 => [u, &[0; LANES], &[0; LANES]],
        _ => wave.coords,
    }
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
    pub differences: &'a mut Differences,
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
            differences,
            guess,
        } = self;
        // LOD of all waves first, to hide its latency.
        let (mut sure, mut trust) = (None, true);
        let mut known = [false; MAX_WAVES];
        if let Levels::Computed(rule, mip) = levels {
            sure = Sure::of(rule, mip, last, *guess);
            for ((places, wave), known) in places.iter_mut().zip(waves).zip(&mut known) {
                let coords = on_one_face(grid.dim(), wave, flat);
                // After a full wave with another footprint, others are likely.
                // No closure: one that is not inlined has only the host's least instructions.
                *known = match sure {
                    Some(sure) if trust => sure.all(coords, rule.scale, differences),
                    _ => false,
                };
                if !*known {
                    levels_of(rule, mip, last, coords, &mut places.quads);
                    trust &= wave.exec != u64::MAX;
                }
            }
        }
        for (n, (places, wave)) in places.iter_mut().zip(waves).enumerate() {
            places.found = match (levels, sure) {
                (Levels::Given, _) => {
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
            let found = places.found;
            if found.level.is_some() && found.mixed && matches!(levels, Levels::Computed(..)) {
                spread(&places.quads.mix, &mut places.mix);
            }
        }
        // Waves that follow each other mostly sample the same levels.
        let (mut waves, mut places) = (waves, &mut places[..]);
        while let Some(first) = places.first().filter(|_| !waves.is_empty()) {
            let found = first.found;
            let same = places
                .iter()
                .zip(waves)
                .take_while(|(places, _)| places.found == found);
            let (these, more) = waves.split_at(same.count().max(1));
            let (here, rest) = places.split_at_mut(these.len());
            (waves, places) = (more, rest);
            let Some(level) = found.level else {
                continue;
            };
            *guess = level;
            if these[0].offsets.is_some() {
                // Found wave by wave.
                continue;
            }
            for step in 0..found.levels() {
                find_step::<R>(grid, rules, level, these, (here, step));
            }
        }
    }
}

/// Finds the texels of waves that share a level, in that level or, in step 1, in the next one.
#[inline(always)]
fn find_step<F: Exact>(
    grid: &Grid,
    rules: &Rules,
    level: i32,
    waves: &[Plain],
    (places, step): (&mut [WaveFootprint], usize),
) {
    let level = level + step as i32;
    if grid.varies() {
        let carries = grid.join(level).carries();
        for places in &mut *places {
            places.footprint[step & 1].at.carry(&[carries; LANES]);
        }
    }
    find_all::<F>(grid, rules, &grid.extent(level), waves, (places, step));
}

/// Waves whose levels are known.
pub(super) struct Find<'a, 'b> {
    pub grid: &'a Grid<'a>,
    pub rules: &'a Rules,
    pub level: i32,
    /// Levels from that one on.
    pub steps: usize,
    pub waves: &'a [Plain<'b>],
    pub places: &'a mut [WaveFootprint],
}

impl Kernel for Find<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for step in 0..self.steps {
            let at = (&mut *self.places, step);
            find_step::<R>(self.grid, self.rules, self.level, self.waves, at);
        }
    }
}
