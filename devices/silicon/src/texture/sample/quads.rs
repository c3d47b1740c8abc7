//! LOD per quad: one value for four lanes.

#![expect(
    clippy::needless_range_loop,
    reason = "the number of a quad indexes several rows"
)]

use super::rules::{linear_level, nearest_level};
use super::stages::{LodRule, detail};
use super::{LANES, Lanes, MipFilter, lod};
use host::per_level;

/// Quads of a wave.
const QUADS: usize = LANES / 4;

/// LOD, mip weight and probes of a wave, per quad. Shared rows are kept in memory: the compiler splits local ones.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Quads {
    /// Levels of detail in units of 1/256.
    lods: [i32; QUADS],
    pub level: [i32; QUADS],
    /// Weight of the next level.
    pub mix: [u32; QUADS],
    /// Probes along the longer axis of the footprint.
    pub probes: [u32; QUADS],
    /// That axis, in coordinates.
    pub step: [[u32; QUADS]; 2],
    /// Coordinates that nothing depends on.
    unused: [[u32; QUADS]; 2],
    /// Differences along z.
    deep: [[f32; QUADS]; 2],
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

    /// One level, and the next one with a weight.
    #[inline(always)]
    pub fn uniform(level: i32, mix: u32) -> Common {
        Common {
            level: Some(level),
            mixed: mix != 0,
            probes: 1,
        }
    }

    /// How many levels are sampled.
    #[inline(always)]
    pub fn levels(&self) -> usize {
        1 + usize::from(self.mixed)
    }
}

impl Quads {
    pub const ZERO: Quads = Quads {
        lods: [0; QUADS],
        level: [0; QUADS],
        mix: [0; QUADS],
        probes: [1; QUADS],
        step: [[0; QUADS]; 2],
        unused: [[0; QUADS]; 2],
        deep: [[0.0; QUADS]; 2],
    };
}

/// Rows of differences in quads, shared by the waves of a batch.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Differences {
    /// From the first lane of the quad, per axis.
    from_first: [[f32; LANES]; 3],
    /// Squared lengths of these.
    pub lengths: [f32; LANES],
}

impl Differences {
    pub const ZERO: Differences = Differences {
        from_first: [[0.0; LANES]; 3],
        lengths: [0.0; LANES],
    };
}

/// Puts the numbers of quads into a row.
#[inline(always)]
pub(super) fn spread<T: Copy>(quads: &[T; QUADS], row: &mut [T; LANES]) {
    for (lanes, value) in row.as_chunks_mut::<4>().0.iter_mut().zip(quads) {
        *lanes = [*value; 4];
    }
}

/// Squared lengths of the longer derivative of each quad.
#[inline(always)]
fn longest(
    [u, v, _]: [&Lanes; 3],
    scale: [f32; 3],
    [right, down]: &[[f32; QUADS]; 2],
    out: &mut [f32; QUADS],
    unused: &mut [[u32; QUADS]; 2],
) {
    let [u3, v3] = unused;
    for q in 0..QUADS {
        let difference = |row: &Lanes, step: usize| {
            f32::from_bits(row[4 * q + step]) - f32::from_bits(row[4 * q])
        };
        let x = lod::squared([difference(u, 1), difference(v, 1), right[q]], scale);
        let y = lod::squared([difference(u, 2), difference(v, 2), down[q]], scale);
        out[q] = if x > y { x } else { y };
        // Reads without a gap, which become whole vectors.
        u3[q] = u[4 * q + 3];
        v3[q] = v[4 * q + 3];
    }
}

/// Differences in quads to the right and down.
#[inline(always)]
fn differences(
    row: &Lanes,
    right: &mut [f32; QUADS],
    down: &mut [f32; QUADS],
    unused: &mut [u32; QUADS],
) {
    let quads = row.as_chunks::<4>().0;
    for q in 0..QUADS {
        let first = f32::from_bits(quads[q][0]);
        right[q] = f32::from_bits(quads[q][1]) - first;
        down[q] = f32::from_bits(quads[q][2]) - first;
        unused[q] = quads[q][3];
    }
}

/// Squared lengths of footprints that mean one level and no weight of the next, which needs no logarithm.
#[derive(Clone, Copy)]
pub(super) struct Sure {
    /// The least, above which they are; NaN is of level 0.
    low: f32,
    high: f32,
    pub level: i32,
}

impl Sure {
    /// Those of a level, if there are some. Bounds leave out what rounding may decide: a level of detail is rounded to its
    /// fraction bits, from a logarithm within 2^-16.
    #[inline(always)]
    pub fn of(rule: LodRule, mip: MipFilter, last: i32, level: i32) -> Option<Sure> {
        let plain = rule.anisotropy <= 1 && rule.bias == 0.0 && rule.steepness == 0;
        let inside = rule.low <= level as f32 && rule.high >= level as f32;
        if !plain || !inside || !(0..=last).contains(&level) || rule.bits < 2 {
            return None;
        }
        // 4^level, and twice the error of a level of detail in octaves of the length.
        let size = f32::from_bits(((127 + 2 * level) as u32) << 23);
        let error = 2.0 / (1u32 << rule.bits) as f32;
        let (low, high) = match mip {
            MipFilter::None => return None,
            MipFilter::Nearest => (0.5 * size * (1.0 + error), 2.0 * size * (1.0 - error)),
            MipFilter::Linear if level > 0 && level == last => (size * (1.0 + error), f32::MAX),
            MipFilter::Linear if level > 0 => return None,
            MipFilter::Linear => (0.0, 1.0 - error),
        };
        Some(Sure {
            low: if level == 0 { 0.0 } else { low },
            high: if level == last { f32::MAX } else { high },
            level,
        })
    }

    /// Whether all quads are so. Lanes of a vector each subtract the first of their quad, which is less work than to
    /// take quads apart.
    #[inline(always)]
    pub fn all(&self, coords: [&Lanes; 3], scale: [f32; 3], rows: &mut Differences) -> bool {
        let Differences {
            from_first,
            lengths,
        } = rows;
        let axes = if scale[2] == 0.0 { 2 } else { 3 };
        for (row, differences) in coords.iter().zip(&mut *from_first).take(axes) {
            for (row, differences) in row.as_chunks().0.iter().zip(differences.as_chunks_mut().0) {
                subtract_first(row, differences);
            }
        }
        let [x, y, z] = from_first;
        for l in 0..LANES {
            lengths[l] = lod::squared([x[l], y[l], 0.0], scale);
        }
        if axes == 3 {
            for l in 0..LANES {
                lengths[l] = lod::squared([x[l], y[l], z[l]], scale);
            }
        }
        // Lanes 1 and 2 of each quad are to the right and down; the longer of both counts. Vectors of words are joined: a
        // mask of lanes would be assembled from parts.
        let mut far = 0;
        for l in 0..LANES {
            far |= if lengths[l] <= self.high {
                0
            } else {
                DERIVATIVES[l]
            };
        }
        if far != 0 || self.low <= 0.0 {
            return far == 0;
        }
        let mut near = 0;
        for lengths in lengths.as_chunks::<16>().0 {
            let others: [f32; 16] = std::array::from_fn(|l| lengths[l ^ 3]);
            for l in 0..16 {
                let long = (lengths[l] >= self.low) | (others[l] >= self.low);
                near |= if long { 0 } else { DERIVATIVES[l] };
            }
        }
        near == 0
    }
}

/// All ones in lanes 1 and 2 of each quad.
const DERIVATIVES: Lanes = {
    let mut lanes = [0; LANES];
    let mut l = 0;
    while l < LANES {
        if matches!(l % 4, 1 | 2) {
            lanes[l] = u32::MAX;
        }
        l += 1;
    }
    lanes
};

/// Sixteen lanes, each less the first one of its quad.
#[inline(always)]
fn subtract_first(row: &[u32; 16], out: &mut [f32; 16]) {
    let first: [f32; 16] = std::array::from_fn(|l| f32::from_bits(row[l & !3]));
    for l in 0..16 {
        out[l] = f32::from_bits(row[l]) - first[l];
    }
}

/// Squared lengths of the longer derivative of each quad, in texels.
#[inline(always)]
fn longer_of(
    rule: LodRule,
    coords: [&Lanes; 3],
    unused: &mut [[u32; QUADS]; 2],
    deep: &mut [[f32; QUADS]; 2],
) -> [f32; QUADS] {
    let mut longer = [0.0; QUADS];
    if rule.scale[2] == 0.0 {
        *deep = [[0.0; QUADS]; 2];
    } else {
        let [right, down] = &mut *deep;
        differences(coords[2], right, down, &mut unused[0]);
    }
    longest(coords, rule.scale, deep, &mut longer, unused);
    longer
}

/// Levels of detail of one probe from differences of coordinates, before they are clamped, to the lanes of each quad.
#[inline(always)]
pub(super) fn raw_levels(
    rule: LodRule,
    coords: [&Lanes; 3],
    quads: &mut Quads,
    raw: &mut [f32; LANES],
) {
    let Quads { unused, deep, .. } = quads;
    let mut longer = longer_of(rule, coords, unused, deep);
    for longer in &mut longer {
        *longer = rule.isotropic(*longer);
    }
    spread(&longer, raw);
}

/// Levels of detail from differences of coordinates; z counts only where texels have a depth.
#[inline(always)]
pub(super) fn levels_of(
    rule: LodRule,
    mip: MipFilter,
    last: i32,
    coords: [&Lanes; 3],
    out: &mut Quads,
) {
    let Quads {
        lods, unused, deep, ..
    } = out;
    if rule.anisotropy > 1 {
        let [u, v, _] = coords;
        let (mut ux, mut uy) = ([0.0; QUADS], [0.0; QUADS]);
        let (mut vx, mut vy) = ([0.0; QUADS], [0.0; QUADS]);
        differences(u, &mut ux, &mut uy, &mut unused[0]);
        differences(v, &mut vx, &mut vy, &mut unused[1]);
        for q in 0..QUADS {
            let found = detail(rule, [ux[q], vx[q], 0.0], [uy[q], vy[q], 0.0]);
            lods[q] = rule.fixed(found.raw, rule.low);
            out.probes[q] = found.probes;
            out.step[0][q] = found.step[0].to_bits();
            out.step[1][q] = found.step[1].to_bits();
        }
    } else {
        let longer = longer_of(rule, coords, unused, deep);
        for q in 0..QUADS {
            lods[q] = rule.fixed(rule.isotropic(longer[q]), rule.low);
        }
    }
    rule.steepen(lods);
    match mip {
        MipFilter::None => out.level = [0; QUADS],
        MipFilter::Nearest => {
            for q in 0..QUADS {
                out.level[q] = nearest_level(lods[q], last);
            }
        }
        MipFilter::Linear => {
            for q in 0..QUADS {
                (out.level[q], out.mix[q]) = linear_level(lods[q], last);
            }
        }
    }
}

/// What quads with enabled lanes have in common.
#[inline(always)]
pub(super) fn common_of(exec: u64, rule: LodRule, mip: MipFilter, quads: &Quads) -> Common {
    let lead = quads.level[exec.trailing_zeros() as usize / 4 % QUADS];
    let all = exec == u64::MAX;
    let live = |q: usize| exec >> (4 * q) & 15 != 0;
    let (mut other, mut mixed, mut most) = (0, 0, 1);
    if all {
        // As rows, which become vectors; the sum of differences is taken apart into scalars.
        other = i32::from(quads.level != [lead; QUADS]);
    } else {
        for q in 0..QUADS {
            other |= if live(q) { quads.level[q] ^ lead } else { 0 };
        }
    }
    if mip == MipFilter::Linear {
        for q in 0..QUADS {
            mixed |= if all || live(q) { quads.mix[q] } else { 0 };
        }
    }
    if rule.anisotropy > 1 {
        for q in 0..QUADS {
            let probes = quads.probes[q];
            most = if (all || live(q)) && probes > most {
                probes
            } else {
                most
            };
        }
    }
    Common {
        level: (other == 0).then_some(lead),
        mixed: mixed != 0,
        probes: most,
    }
}

/// What enabled lanes have in common.
#[inline(always)]
pub(super) fn common_lanes(
    exec: u64,
    levels: &[i32; LANES],
    mix: &Lanes,
    probes: &Lanes,
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

per_level! {
    /// What enabled lanes have in common.
    pub(super) fn common<'a>(
        exec: u64,
        levels: &'a [i32; LANES],
        mix: &'a Lanes,
        probes: &'a Lanes,
    ) -> Common {
        common_lanes(exec, levels, mix, probes)
    }

    /// [`levels_of`], and what the enabled lanes share.
    pub(super) fn details<'a>(
        rule: LodRule,
        mip: MipFilter,
        last: i32,
        exec: u64,
        coords: [&'a Lanes; 3],
        out: &'a mut Quads,
    ) -> Common {
        levels_of(rule, mip, last, coords, out);
        common_of(exec, rule, mip, out)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use host::SimdLevel;

    /// Footprints around the bounds of a level have that level wherever they are sure of it, and no weight of the next.
    #[test]
    fn sure_levels_are_those_of_the_logarithm() {
        let (last, mut seen) = (5, 0);
        for (bits, low, high) in [
            (8, 0.0, 15.0),
            (4, -3.0, 5.0),
            (6, 1.5, 3.25),
            (2, 0.0, 2.0),
        ] {
            let rule = LodRule {
                scale: [64.0, 64.0, 0.0],
                anisotropy: 1,
                bias: 0.0,
                low,
                high,
                bits,
                steepness: 0,
            };
            for mip in [MipFilter::Nearest, MipFilter::Linear] {
                for (level, step) in (0..=last).flat_map(|level| (0..4000).map(move |n| (level, n)))
                {
                    // Footprints of less than half to more than twice that of the level.
                    let length = (1 << level) as f32 / 64.0 * (0.45 + step as f32 / 2222.0);
                    let length = match step {
                        0 => f32::NAN,
                        1 => 0.0,
                        2 => f32::INFINITY,
                        _ => length,
                    };
                    let lanes = [0.0, length, -length, 0.0].map(f32::to_bits);
                    let mut row = [0; LANES];
                    row.as_chunks_mut::<4>().0.fill(lanes);
                    let coords = [&row, &[0; LANES], &[0; LANES]];
                    let Some(sure) = Sure::of(rule, mip, last, level) else {
                        continue;
                    };
                    let (mut quads, mut rows) = (Quads::ZERO, Differences::ZERO);
                    if sure.all(coords, rule.scale, &mut rows) {
                        let found = details(
                            SimdLevel::current(),
                            rule,
                            mip,
                            last,
                            u64::MAX,
                            coords,
                            &mut quads,
                        );
                        assert_eq!(found, Common::uniform(level, 0), "{length} {mip:?} {bits}");
                        seen += 1;
                    }
                }
            }
        }
        assert!(seen > 10_000, "{seen} of them");
    }

    #[test]
    fn sure_levels_need_plain_rules() {
        let plain = LodRule {
            scale: [1.0; 3],
            anisotropy: 1,
            bias: 0.0,
            low: 0.0,
            high: 8.0,
            bits: 8,
            steepness: 0,
        };
        let exists = |rule, level| Sure::of(rule, MipFilter::Nearest, 8, level).is_some();
        assert!(exists(plain, 0) && exists(plain, 8));
        assert!(!exists(plain, 9) && !exists(plain, -1));
        assert!(!exists(
            LodRule {
                bias: 0.25,
                ..plain
            },
            0
        ));
        assert!(!exists(
            LodRule {
                steepness: 1,
                ..plain
            },
            0
        ));
        assert!(!exists(
            LodRule {
                anisotropy: 2,
                ..plain
            },
            0
        ));
        assert!(!exists(LodRule { low: 1.0, ..plain }, 0));
        assert!(!exists(LodRule { high: 3.0, ..plain }, 4));
    }
}
