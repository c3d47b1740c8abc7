//! Which texels a bilinear footprint takes and how much of each: what GET_LERP_FACTORS, GET_WEIGHTS and the border
//! queries ask. [R600 17]
//!
//! The level is the nearest one to the level of detail. Slices of 3D images do not count.

use silicon::texture::sample::rules::{
    OUTSIDE, fixed_lod, linear_texel, nearest_level, nearest_texel, position, wrap,
};
use silicon::texture::sample::{Filter, Lanes, Sampler};

use super::Image;
use super::resource::PRECISION;
use crate::resource::dim;

/// The footprint of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Footprint {
    /// Weight of the right texels and of the lower ones.
    pub(super) lerp: [f32; 2],
    /// Weights of the texels top left, top right, bottom left, bottom right.
    pub(super) weights: [f32; 4],
    /// How much of it lies on the border.
    pub(super) border: f32,
}

/// The footprint of a lane at a level of detail. `offsets` are in texels.
pub(super) fn footprint(
    image: &Image,
    sampler: &Sampler,
    coords: &[Lanes; 3],
    offsets: [i32; 2],
    lod: f32,
    lane: usize,
) -> Footprint {
    let last = image.sizes.len() as i32 - 1;
    let level = nearest_level(fixed_lod(lod, PRECISION.lod_bits), last);
    let size = image.sizes.get(level as usize).copied().unwrap_or([1; 3]);
    let axes = match image.kind {
        dim::D1 | dim::D1_ARRAY => 1,
        _ => 2,
    };
    let filter = if lod > 0.0 { sampler.min } else { sampler.mag };
    let linear = filter == Filter::Linear;
    // The first texel, the weight of the second, and which of the two are border.
    let axis = |n: usize| {
        if n >= axes {
            return (0.0, [false; 2]);
        }
        let mode = sampler.address[n];
        let s = f32::from_bits(coords[n][lane]);
        let at = position(mode, s, size[n] as f32, sampler.unnormalized) + offsets[n] as f32;
        let (first, weight) = linear_texel(at, PRECISION.weight_bits);
        // A cube goes on over its edges.
        let outside =
            |i| image.kind != dim::CUBEMAP && wrap(mode, i, size[n] as i32, linear) == OUTSIDE;
        match linear {
            true => (weight as f32 / 256.0, [first, first + 1].map(outside)),
            false => (weight as f32 / 256.0, [outside(nearest_texel(at)); 2]),
        }
    };
    let [(x, outside_x), (y, outside_y)] = [0, 1].map(axis);
    let weights = [(1.0 - x) * (1.0 - y), x * (1.0 - y), (1.0 - x) * y, x * y];
    let border = (0..4).filter(|n| outside_x[n & 1] || outside_y[n >> 1]);
    Footprint {
        lerp: [x, y],
        weights,
        border: border.map(|n| weights[n]).sum(),
    }
}
