//! Level of detail. In: derivatives. Out: a mip level and, for anisotropic filters, a row of probes.

use super::rules::{clamp_lod, fixed_lod, floor, half_log2, layer, steepen};
use super::{Dim, Lod, PreparedSampler, PreparedTexture, Request, cube};

/// What one lane samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Detail {
    /// Level of detail in units of 1/256.
    pub lod: i32,
    /// The same before clamping.
    pub raw: f32,
    /// The same as a float, clamped.
    pub clamped: f32,
    /// Probes along the longer axis of the footprint.
    pub probes: u32,
    /// That axis, in coordinates.
    pub step: [f32; 3],
}

/// Coordinate of probe `index` (1 to `probes`) along an axis. [VK texel anisotropic filtering]
#[inline(always)]
pub(super) fn probe(coordinate: f32, step: f32, index: u32, probes: u32) -> f32 {
    coordinate + step * (index as i32 as f32 / (probes + 1) as i32 as f32 - 0.5)
}

/// Squared length of a derivative in texels.
#[inline(always)]
pub(super) fn squared(d: [f32; 3], scale: [f32; 3]) -> f32 {
    let [x, y, z] = [d[0] * scale[0], d[1] * scale[1], d[2] * scale[2]];
    x * x + y * y + z * z
}

/// Probes of a footprint whose axes have these squared lengths.
#[inline(always)]
pub(super) fn probe_count(longer: f32, shorter: f32, most: u32) -> u32 {
    let ratio = (longer / shorter).sqrt();
    let most = most as i32 as f32;
    // NaN (no footprint at all) gives 1.
    let ratio = if ratio > 1.0 { ratio } else { 1.0 };
    let ratio = if ratio < most { ratio } else { most };
    let whole = floor(ratio);
    (whole + i32::from((whole as f32) < ratio)) as u32
}

/// Texels per unit of each coordinate; 0 for coordinates that the shape does not have.
pub(super) fn scale(texture: &PreparedTexture, sampler: &PreparedSampler) -> [f32; 3] {
    let size = if sampler.sampler.unnormalized {
        [1.0; 3]
    } else {
        texture.levels[0].size_f
    };
    match texture.dim {
        Dim::D1 => [size[0], 0.0, 0.0],
        Dim::D2 | Dim::Cube => [size[0], size[1], 0.0],
        Dim::D3 => size,
    }
}

/// Derivatives to the right and down, explicit or implicit.
fn derivatives(texture: &PreparedTexture, request: &Request, lane: usize) -> [[f32; 3]; 2] {
    if let Lod::Gradient { dx, dy } = request.lod {
        let at = |rows: [&super::Lanes; 3]| rows.map(|row| f32::from_bits(row[lane]));
        return [at(dx), at(dy)].map(|d| present(texture.dim, d));
    }
    let quad = lane & !3;
    let at = |lane: usize| request.coords.map(|row| f32::from_bits(row[lane]));
    let [origin, right, below] = [at(quad), at(quad + 1), at(quad + 2)];
    let subtract = |a: [f32; 3]| [a[0] - origin[0], a[1] - origin[1], a[2] - origin[2]];
    if texture.dim == Dim::Cube {
        // Neighbours on another face project onto the first lane's face.
        let face = layer(origin[2], 6);
        return [right, below].map(|a| {
            let (s, t) =
                cube::project(a[0], a[1], layer(a[2], 6), face).unwrap_or((origin[0], origin[1]));
            [s - origin[0], t - origin[1], 0.0]
        });
    }
    [right, below].map(|a| present(texture.dim, subtract(a)))
}

/// Zeroes components that the shape does not have.
fn present(dim: Dim, d: [f32; 3]) -> [f32; 3] {
    match dim {
        Dim::D1 => [d[0], 0.0, 0.0],
        Dim::D2 | Dim::Cube => [d[0], d[1], 0.0],
        Dim::D3 => d,
    }
}

/// Level of detail of a lane. [VK 16.5.7 scale factor, level of detail and image level selection]
pub(super) fn lane(
    texture: &PreparedTexture,
    sampler: &PreparedSampler,
    request: &Request,
    lane: usize,
) -> Detail {
    let s = &sampler.sampler;
    let mut probes = 1;
    let mut step = [0.0; 3];
    let raw = match request.lod {
        Lod::Zero => 0.0,
        Lod::Explicit(row) => f32::from_bits(row[lane]) + s.lod_bias,
        Lod::Implicit | Lod::Bias(_) | Lod::Gradient { .. } => {
            let d = derivatives(texture, request, lane);
            let scale = scale(texture, sampler);
            let [x, y] = d.map(|d| squared(d, scale));
            let (longer, shorter) = if x > y { (x, y) } else { (y, x) };
            if s.anisotropy > 1 && texture.dim != Dim::D3 {
                probes = probe_count(longer, shorter, s.anisotropy);
                step = if x > y { d[0] } else { d[1] };
                step[2] = 0.0;
            }
            let n = probes as i32 as f32;
            let lod = half_log2(longer / (n * n)) + s.lod_bias;
            match request.lod {
                Lod::Bias(row) => lod + f32::from_bits(row[lane]),
                _ => lod,
            }
        }
    };
    finish(texture, sampler, request, lane, raw, probes, step)
}

#[inline(always)]
fn finish(
    texture: &PreparedTexture,
    sampler: &PreparedSampler,
    request: &Request,
    lane: usize,
    raw: f32,
    probes: u32,
    step: [f32; 3],
) -> Detail {
    let s = &sampler.sampler;
    let low = lowest(texture, sampler);
    let low = match request.lod_clamp {
        Some(row) => {
            let given = f32::from_bits(row[lane]);
            if given > low { given } else { low }
        }
        None => low,
    };
    let clamped = clamp_lod(raw, low, s.lod_max);
    Detail {
        lod: steepen(
            fixed_lod(clamped, sampler.precision.lod_bits),
            sampler.steepness,
        ),
        raw,
        clamped,
        probes,
        step,
    }
}

/// Lower LOD clamp: the tighter of sampler and texture.
#[inline(always)]
pub(super) fn lowest(texture: &PreparedTexture, sampler: &PreparedSampler) -> f32 {
    let (a, b) = (sampler.sampler.lod_min, texture.min_lod);
    if a > b { a } else { b }
}
