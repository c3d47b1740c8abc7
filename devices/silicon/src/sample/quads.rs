//! Level of detail of a wave whose coordinates are those of quads: one number for four lanes.

#![expect(
    clippy::needless_range_loop,
    reason = "the number of a quad indexes several rows"
)]

use super::rules::{linear_level, nearest_level};
use super::stages::{LodRule, detail};
use super::{LANES, Lanes, MipFilter};
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

leveled! {
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
        let (mut ux, mut uy) = ([0.0; QUADS], [0.0; QUADS]);
        let (mut vx, mut vy) = ([0.0; QUADS], [0.0; QUADS]);
        differences(u, &mut ux, &mut uy);
        differences(v, &mut vx, &mut vy);
        let mut lods = [0i32; QUADS];
        for q in 0..QUADS {
            let (right, below) = ([ux[q], vx[q], 0.0], [uy[q], vy[q], 0.0]);
            let found = detail(rule, right, below);
            lods[q] = rule.fixed(found.raw, rule.low);
            if rule.anisotropy > 1 {
                out.probes[q] = found.probes;
                out.step[0][q] = found.step[0].to_bits();
                out.step[1][q] = found.step[1].to_bits();
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
