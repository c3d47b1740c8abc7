//! Sampling 64 lanes at a time, stage by stage over rows: same bits as [`super::reference`]. A wave on one mip level
//! pays for one; otherwise lanes carry level numbers in rows. Nothing is allocated.

use super::cube;
use super::pairs::Grid;
use super::quads;
use super::room::{Bound, Room};
use super::stages::{self, Details, LodRule};
use super::wave::{Wave, borders};
use super::{
    Dim, Filter, LANES, Lanes, Lod, MipFilter, PreparedSampler, PreparedTexture, Request, lod,
};
use crate::texture::format::{Class, Read};
use host::SimdLevel;

/// How levels of detail come about.
pub(super) fn lod_rule(texture: &PreparedTexture, sampler: &PreparedSampler) -> LodRule {
    let s = &sampler.sampler;
    LodRule {
        scale: lod::scale(texture, sampler),
        anisotropy: texture.anisotropy(sampler),
        bias: s.lod_bias,
        low: lod::lowest(texture, sampler),
        high: s.lod_max,
        bits: sampler.precision.lod_bits,
        steepness: sampler.steepness,
    }
}

/// LOD of a wave; `None` if nothing depends on it.
pub(super) fn details(
    level: SimdLevel,
    texture: &PreparedTexture,
    sampler: &PreparedSampler,
    request: &Request,
) -> Option<Details> {
    let s = &sampler.sampler;
    if s.mip == MipFilter::None && s.mag == s.min && s.anisotropy == 1 {
        return None;
    }
    let mut out = Details {
        lod: [0; LANES],
        probes: [1; LANES],
        step: [[0; LANES]; 2],
    };
    let rule = lod_rule(texture, sampler);
    let count = texture.dim.axes();
    let mut d = [[[0; LANES]; 3]; 2];
    let [dx, dy] = &mut d;
    match request.lod {
        Lod::Zero => {
            let rule = LodRule { bias: 0.0, ..rule };
            stages::given_lods(level, rule, &[0; LANES], request.lod_clamp, &mut out.lod);
            return Some(out);
        }
        Lod::Explicit(row) => {
            stages::given_lods(level, rule, row, request.lod_clamp, &mut out.lod);
            return Some(out);
        }
        Lod::Gradient { dx: x, dy: y } => {
            for axis in 0..count {
                dx[axis] = *x[axis];
                dy[axis] = *y[axis];
            }
        }
        Lod::Implicit | Lod::Bias(_) => {
            let mut flat = [[0; LANES]; 2];
            let [s, t, face] = request.coords;
            let coords = match texture.dim {
                Dim::Cube if cube::flatten(level, [s, t, face], &mut flat) => {
                    [&flat[0], &flat[1], face]
                }
                _ => request.coords,
            };
            for axis in 0..count {
                stages::differences(level, coords[axis], &mut dx[axis], &mut dy[axis]);
            }
        }
    }
    let bias = match request.lod {
        Lod::Bias(row) => Some(row),
        _ => None,
    };
    stages::details(level, rule, dx, dy, bias, request.lod_clamp, &mut out);
    Some(out)
}

/// Lanes whose filter is linear.
fn linear_lanes(level: SimdLevel, sampler: &PreparedSampler, details: Option<&Details>) -> u64 {
    let s = &sampler.sampler;
    let magnified = match details.filter(|_| s.mag != s.min) {
        Some(details) => stages::at_most(level, &details.lod, 0),
        None => u64::MAX,
    };
    match s.mag {
        Filter::Linear => magnified,
        Filter::Nearest => !magnified,
    }
}

/// Layers of the lanes, `None` when all are 0.
pub(super) fn slices(
    level: SimdLevel,
    texture: &PreparedTexture,
    request: &Request,
) -> Option<Lanes> {
    let mut row = [0; LANES];
    if texture.layers > 1
        && let Some(layer) = request.layer
        && texture.dim != Dim::D3
    {
        stages::layers(level, layer, texture.layers, &mut row);
    } else if texture.dim != Dim::Cube {
        return None;
    }
    if texture.dim == Dim::Cube {
        let mut faces = [0; LANES];
        stages::layers(level, request.coords[2], 6, &mut faces);
        for (row, face) in row.iter_mut().zip(&faces) {
            *row = 6 * *row + face;
        }
    }
    Some(row)
}

/// Comparison references, clamped to 0..1 for normalised depth.
pub(super) fn clamped_references(
    level: SimdLevel,
    texture: &PreparedTexture,
    request: &Request,
) -> Option<Lanes> {
    request.reference.map(|row| match texture.class {
        Class::Unorm => {
            let mut clamped = [0; LANES];
            stages::clamp_references(level, row, &mut clamped);
            clamped
        }
        _ => *row,
    })
}

/// What is uniform about a wave.
fn wave<'a>(
    level: SimdLevel,
    bound: Bound<'a>,
    grid: Option<&'a Grid<'a>>,
    request: &Request<'a>,
) -> Wave<'a> {
    let Bound {
        memory,
        texture,
        sampler,
    } = bound;
    let compared = request.reference.is_some();
    let mut needed = [false; 4];
    for read in texture.outputs {
        if let Read::Channel(c) = read {
            needed[if compared { 0 } else { c as usize }] = true;
        }
    }
    Wave {
        level,
        memory,
        texture,
        sampler,
        exec: request.exec,
        filter: Filter::Linear,
        slice: slices(level, texture, request),
        offsets: request.offsets,
        reference: clamped_references(level, texture, request),
        needed,
        borders: borders(texture, sampler),
        border: match borders(texture, sampler).contains(&true) {
            true => texture.border(sampler.sampler.border),
            false => [0; 4],
        },
        grid,
    }
}

/// Samples the lanes of `mask`, whose linear footprints leave a face of a cube, as unpacked components.
pub(super) fn sample_beyond(
    level: SimdLevel,
    room: &mut Room,
    bound: Bound,
    request: &Request,
    mask: u64,
    (first, mix): (&[i32; LANES], &Lanes),
    out: &mut [Lanes; 4],
) {
    let wave = wave(level, bound, None, request);
    wave.filter_beyond(mask, request.coords, first, mix, room, out);
}

/// Samples a texture at a vector level; the grid, if there is one, is that of texture and sampler.
pub(super) fn sample(
    level: SimdLevel,
    room: &mut Room,
    bound: Bound,
    grid: Option<&Grid>,
    request: &Request,
    out: &mut [Lanes; 4],
) {
    let Bound {
        texture, sampler, ..
    } = bound;
    let details = details(level, texture, sampler, request);
    let linear = request.exec & linear_lanes(level, sampler, details.as_ref());
    room.blocks.start();
    let mut wave = wave(level, bound, grid, request);
    let mut levels = Levels {
        details: details.as_ref(),
        first: [0; LANES],
        mix: [0; LANES],
    };
    if let Some(details) = &details {
        let last = texture.last_level;
        let mip = sampler.sampler.mip;
        let Levels { first, mix, .. } = &mut levels;
        stages::select_levels(level, mip, &details.lod, last, first, mix);
    }
    // Lanes that magnify may have another filter than lanes that minify.
    let filters = [
        (linear, Filter::Linear),
        (request.exec & !linear, Filter::Nearest),
    ];
    for (exec, filter) in filters.into_iter().filter(|(exec, _)| *exec != 0) {
        (wave.exec, wave.filter) = (exec, filter);
        levels.run(&mut wave, request.coords, room, out);
    }
}

/// Levels of detail of a wave.
struct Levels<'a> {
    details: Option<&'a Details>,
    first: [i32; LANES],
    mix: Lanes,
}

impl Levels<'_> {
    /// Results of the lanes of a wave.
    fn run(&self, wave: &mut Wave, coords: [&Lanes; 3], room: &mut Room, out: &mut [Lanes; 4]) {
        if wave.exec == 0 {
            return;
        }
        let Levels { first, mix, .. } = self;
        let lead = first[wave.exec.trailing_zeros() as usize];
        let same = stages::all_equal(wave.level, wave.exec, first, lead);
        let uniform = same.then_some(lead);
        let most = match self.details {
            Some(details) if wave.sampler.sampler.anisotropy > 1 => {
                quads::common(wave.level, wave.exec, first, mix, &details.probes).probes
            }
            _ => 1,
        };
        let mut value = [[0; LANES]; 4];
        match self.details {
            Some(details) if most > 1 => {
                let many = Probes {
                    details,
                    most,
                    first,
                    mix,
                    uniform,
                };
                many.run(wave, coords, room, &mut value);
            }
            _ => wave.filtered(coords, first, mix, uniform, room, &mut value),
        }
        let compared = wave.reference.is_some();
        let one = match compared {
            true => Class::Float,
            false => wave.texture.class,
        };
        let one = [one.one(); LANES];
        for (out, read) in out.iter_mut().zip(wave.texture.outputs) {
            let row = match read {
                Read::Channel(c) => &value[if compared { 0 } else { c as usize }],
                Read::Zero => &[0; LANES],
                Read::One => &one,
            };
            stages::merge(wave.level, wave.exec, row, out);
        }
    }
}

/// The probes of anisotropic footprints.
struct Probes<'a> {
    details: &'a Details,
    most: u32,
    first: &'a [i32; LANES],
    mix: &'a Lanes,
    uniform: Option<i32>,
}

impl Probes<'_> {
    fn run(&self, wave: &mut Wave, coords: [&Lanes; 3], room: &mut Room, sum: &mut [Lanes; 4]) {
        let Details { probes, step, .. } = self.details;
        let level = wave.level;
        let reduction = wave.sampler.sampler.reduction;
        let all = wave.exec;
        let mut at = [[0; LANES]; 2];
        let mut value = [[0; LANES]; 4];
        let mut sums = [[[0; LANES]; 2]; 4];
        for index in 1..=self.most {
            for axis in 0..2 {
                stages::probe(
                    level,
                    coords[axis],
                    &step[axis],
                    index,
                    probes,
                    &mut at[axis],
                );
            }
            wave.exec = all & stages::at_least(level, probes, index);
            let coords = [&at[0], &at[1], coords[2]];
            wave.filtered(coords, self.first, self.mix, self.uniform, room, &mut value);
            for c in (0..4).filter(|&c| wave.needed[c]) {
                stages::add_probe(level, reduction, index, &value[c], probes, &mut sums[c]);
            }
        }
        wave.exec = all;
        for c in (0..4).filter(|&c| wave.needed[c]) {
            let (most, out) = (self.most, &mut sum[c]);
            stages::finish_probes(level, reduction, most, probes, &sums[c], out);
        }
    }
}
