//! Level of detail of a wave whose coordinates are those of quads: one number for four lanes.

#![expect(
    clippy::needless_range_loop,
    reason = "the number of a quad indexes several rows"
)]

use super::rules::{linear_level, nearest_level};
use super::stages::{LodRule, detail};
use super::{LANES, Lanes, MipFilter, lod};
use crate::level::leveled;

/// Quads of a wave.
const QUADS: usize = LANES / 4;

/// What the quads of a wave sample.
#[derive(Clone, Debug)]
pub(super) struct Quads {
    pub level: [i32; QUADS],
    /// Weight of the next level.
    pub mix: [u32; QUADS],
    /// Probes along the longer axis of the footprint.
    pub probes: [u32; QUADS],
    /// That axis, in coordinates.
    pub step: [[u32; QUADS]; 2],
}

/// What quads with enabled lanes have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Common {
    /// The level, if it is the same.
    pub level: Option<i32>,
    /// Whether some mix two levels.
    pub mixed: bool,
    /// Most probes.
    pub probes: u32,
}

impl Common {
    /// Level 0 in one probe.
    pub const FIRST: Common = Common {
        level: Some(0),
        mixed: false,
        probes: 1,
    };
}

impl Quads {
    pub const ZERO: Quads = Quads {
        level: [0; QUADS],
        mix: [0; QUADS],
        probes: [1; QUADS],
        step: [[0; QUADS]; 2],
    };
}

/// Puts the numbers of quads into a row.
pub(super) fn spread<T: Copy>(quads: &[T; QUADS], row: &mut [T; LANES]) {
    for (lanes, value) in row.as_chunks_mut::<4>().0.iter_mut().zip(quads) {
        *lanes = [*value; 4];
    }
}

/// Differences in quads to the right and down.
#[inline(always)]
fn differences(row: &Lanes, right: &mut [f32; QUADS], down: &mut [f32; QUADS]) {
    let quads = row.as_chunks::<4>().0;
    for q in 0..QUADS {
        let first = f32::from_bits(quads[q][0]);
        right[q] = f32::from_bits(quads[q][1]) - first;
        down[q] = f32::from_bits(quads[q][2]) - first;
    }
}

/// Squared length of the longer derivative of the quad that begins with a lane.
#[inline(always)]
fn longest(u: &Lanes, v: &Lanes, scale: [f32; 3], lane: usize) -> f32 {
    let difference =
        |row: &Lanes, step: usize| f32::from_bits(row[lane + step]) - f32::from_bits(row[lane]);
    let x = lod::squared([difference(u, 1), difference(v, 1), 0.0], scale);
    let y = lod::squared([difference(u, 2), difference(v, 2), 0.0], scale);
    if x > y { x } else { y }
}

leveled! {
    /// What enabled lanes have in common.
    pub(super) fn common<'a>(
        exec: u64,
        levels: &'a [i32; LANES],
        mix: &'a Lanes,
        probes: &'a Lanes,
    ) -> Common {
        let lead = levels[exec.trailing_zeros() as usize % LANES];
        let (mut other, mut mixed, mut most) = (0, 0, 1);
        for l in 0..LANES {
            let live = 0u32.wrapping_sub((exec >> l) as u32 & 1);
            other |= (levels[l] ^ lead) as u32 & live;
            mixed |= mix[l] & live;
            let probes = probes[l] & live;
            most = if probes > most { probes } else { most };
        }
        Common {
            level: (other == 0).then_some(lead),
            mixed: mixed != 0,
            probes: most,
        }
    }

    /// Levels of detail from differences of coordinates in two dimensions.
    pub(super) fn details<'a>(
        rule: LodRule,
        mip: MipFilter,
        last: i32,
        exec: u64,
        coords: [&'a Lanes; 2],
        out: &'a mut Quads,
    ) -> Common {
        let [u, v] = coords;
        let mut lods = [0i32; QUADS];
        if rule.anisotropy > 1 {
            let (mut ux, mut uy) = ([0.0; QUADS], [0.0; QUADS]);
            let (mut vx, mut vy) = ([0.0; QUADS], [0.0; QUADS]);
            differences(u, &mut ux, &mut uy);
            differences(v, &mut vx, &mut vy);
            for q in 0..QUADS {
                let found = detail(rule, [ux[q], vx[q], 0.0], [uy[q], vy[q], 0.0]);
                lods[q] = rule.fixed(found.raw, rule.low);
                out.probes[q] = found.probes;
                out.step[0][q] = found.step[0].to_bits();
                out.step[1][q] = found.step[1].to_bits();
            }
        } else {
            let mut longer = [0.0; LANES];
            // The last sixteen lanes that have two behind them hold the first lanes of all quads left.
            for lane in 0..LANES - 16 {
                longer[lane] = longest(u, v, rule.scale, lane);
            }
            for lane in LANES - 18..LANES - 2 {
                longer[lane] = longest(u, v, rule.scale, lane);
            }
            // A loop of its own, as one with gaps between its reads ends in steps of one.
            let mut firsts = [0.0; QUADS];
            for (first, quad) in firsts.iter_mut().zip(longer.as_chunks::<4>().0) {
                *first = quad[0];
            }
            for q in 0..QUADS {
                lods[q] = rule.fixed(rule.isotropic(firsts[q]), rule.low);
            }
        }
        match mip {
            MipFilter::None => {
                out.level = [0; QUADS];
                out.mix = [0; QUADS];
            }
            MipFilter::Nearest => {
                for q in 0..QUADS {
                    out.level[q] = nearest_level(lods[q], last);
                }
                out.mix = [0; QUADS];
            }
            MipFilter::Linear => {
                for q in 0..QUADS {
                    (out.level[q], out.mix[q]) = linear_level(lods[q], last);
                }
            }
        }
        let lead = out.level[exec.trailing_zeros() as usize / 4 % QUADS];
        let (mut other, mut mixed, mut most) = (0, 0, 1);
        for q in 0..QUADS {
            let live = exec >> (4 * q) & 15 != 0;
            let probes = if rule.anisotropy > 1 { out.probes[q] } else { 1 };
            other |= if live { out.level[q] ^ lead } else { 0 };
            mixed |= if live { out.mix[q] } else { 0 };
            most = if live && probes > most { probes } else { most };
        }
        Common {
            level: (other == 0).then_some(lead),
            mixed: mixed != 0,
            probes: most,
        }
    }
}
