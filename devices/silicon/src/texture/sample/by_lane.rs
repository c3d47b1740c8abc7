//! Levels of detail that lanes of a quad may differ in: given, biased, clamped, or from given derivatives.

#![expect(
    clippy::needless_range_loop,
    reason = "a lane number indexes several rows"
)]

use super::locate::on_one_face;
use super::quads::{Differences, Quads, raw_levels};
use super::rules::{linear_level, nearest_level};
use super::scratch::{MAX_WAVES, Plain, WaveFootprint};
use super::stages::LodRule;
use super::{Dim, LANES, Lanes, Lod, MipFilter, lod};
use host::{Kernel, Rounding};

static ZERO: Lanes = [0; LANES];

/// Levels of waves whose lanes may differ in them. A kernel of its own: the loop that finds texels is slower beside it.
pub(super) struct ByLane<'a, 'b> {
    pub rule: LodRule,
    pub mip: MipFilter,
    pub last: i32,
    pub dim: Dim,
    pub waves: &'a [Plain<'b>],
    /// Receives levels and weights of the next ones.
    pub places: &'a mut [WaveFootprint; MAX_WAVES],
    pub flat: &'a mut [Lanes; 2],
    pub differences: &'a mut Differences,
}

impl Kernel for ByLane<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let ByLane {
            rule, mip, last, ..
        } = self;
        for (places, wave) in self.places.iter_mut().zip(self.waves) {
            let WaveFootprint {
                quads, level, mix, ..
            } = &mut *places;
            if let (Lod::Explicit(lod), None) = (wave.lod, wave.lod_clamp) {
                given(rule, mip, last, lod, (level, mix));
                continue;
            }
            let coords = on_one_face(self.dim, wave, self.flat);
            let rows = (quads, &mut *self.differences);
            levels_by_lane(rule, mip, last, (wave, coords), rows, (level, mix));
        }
    }
}

/// Levels of detail to levels and weights of the next ones, which are 0 where levels do not mix.
#[inline(always)]
fn select(rule: LodRule, mip: MipFilter, last: i32, (level, mix): (&mut [i32; LANES], &mut Lanes)) {
    rule.steepen(level);
    match mip {
        MipFilter::None => {
            *level = [0; LANES];
            *mix = [0; LANES];
        }
        MipFilter::Nearest => {
            for l in 0..LANES {
                level[l] = nearest_level(level[l], last);
            }
            *mix = [0; LANES];
        }
        MipFilter::Linear => {
            for l in 0..LANES {
                (level[l], mix[l]) = linear_level(level[l], last);
            }
        }
    }
}

/// Given levels of detail to levels and weights of the next ones.
#[inline(always)]
fn given(
    rule: LodRule,
    mip: MipFilter,
    last: i32,
    lods: &Lanes,
    (level, mix): (&mut [i32; LANES], &mut Lanes),
) {
    for l in 0..LANES {
        level[l] = rule.fixed(f32::from_bits(lods[l]) + rule.bias, rule.low);
    }
    select(rule, mip, last, (level, mix));
}

/// Derivatives along the axes that a texture has.
#[inline(always)]
fn present(rule: LodRule, slopes: [&Lanes; 3]) -> [&Lanes; 3] {
    let [x, y, z] = slopes;
    let [_, height, depth] = rule.scale;
    [
        x,
        if height == 0.0 { &ZERO } else { y },
        if depth == 0.0 { &ZERO } else { z },
    ]
}

/// Levels and weights of the next ones of a wave whose quads have these coordinates on one face.
#[inline(always)]
fn levels_by_lane(
    rule: LodRule,
    mip: MipFilter,
    last: i32,
    (wave, coords): (&Plain, [&Lanes; 3]),
    (quads, rows): (&mut Quads, &mut Differences),
    (level, mix): (&mut [i32; LANES], &mut Lanes),
) {
    let raw = &mut rows.lengths;
    let f = f32::from_bits;
    match wave.lod {
        Lod::Zero => *raw = [0.0; LANES],
        Lod::Explicit(given) => {
            for l in 0..LANES {
                raw[l] = f(given[l]) + rule.bias;
            }
        }
        Lod::Implicit => raw_levels(rule, coords, quads, raw),
        Lod::Bias(bias) => {
            raw_levels(rule, coords, quads, raw);
            for l in 0..LANES {
                raw[l] += f(bias[l]);
            }
        }
        Lod::Gradient { dx, dy } => {
            let [[ax, ay, az], [bx, by, bz]] = [present(rule, dx), present(rule, dy)];
            for l in 0..LANES {
                let x = lod::squared([f(ax[l]), f(ay[l]), f(az[l])], rule.scale);
                let y = lod::squared([f(bx[l]), f(by[l]), f(bz[l])], rule.scale);
                raw[l] = rule.isotropic(if x > y { x } else { y });
            }
        }
    }
    match wave.lod_clamp {
        None => {
            for l in 0..LANES {
                level[l] = rule.fixed(raw[l], rule.low);
            }
        }
        Some(clamp) => {
            for l in 0..LANES {
                let given = f(clamp[l]);
                let low = if given > rule.low { given } else { rule.low };
                level[l] = rule.fixed(raw[l], low);
            }
        }
    }
    select(rule, mip, last, (level, mix));
}
