//! What sampling costs a wave, for the watchdog: by what texture and sampler could ask for, not by what lanes do, so
//! that it is one product a wave. Units are those of the wave's cost, about nanoseconds.

use super::{Dim, Filter, MipFilter, PreparedSampler, PreparedTexture, Taps};
use crate::texture::format::Codec;

/// Coordinates, level of detail and results of 64 lanes.
const LOCATE: u64 = 1024;

impl PreparedTexture {
    /// Of one texel in each of 64 lanes.
    pub fn texel_cost(&self) -> u64 {
        let cost = match self.taps {
            Taps::Bytes => 256,
            Taps::Words => 512,
            Taps::BlockBytes(codec) | Taps::Block(codec) => match codec {
                Codec::Bc1 | Codec::Bc2 | Codec::Bc3 => 2048,
                Codec::Bc6hUfloat | Codec::Bc6hFloat | Codec::Astc => 32_768,
                _ => 8192,
            },
        };
        match self.dim {
            // Footprints that leave a face are filtered beside the others.
            Dim::Cube => 2 * cost,
            _ => cost,
        }
    }

    /// Of a gather, or of a question for levels of detail.
    pub fn gather_cost(&self) -> u64 {
        8 * LOCATE + 4 * self.texel_cost()
    }

    /// Of a load, a store or an atomic operation by texel number.
    pub fn access_cost(&self) -> u64 {
        LOCATE + 2 * self.texel_cost()
    }
}

/// Texels of the widest footprint of a sample.
pub fn texels(texture: &PreparedTexture, sampler: &PreparedSampler) -> u64 {
    let rules = &sampler.sampler;
    let linear = [rules.mag, rules.min].contains(&Filter::Linear);
    let texels = match (linear, texture.dim) {
        (false, _) => 1,
        (true, Dim::D1) => 2,
        (true, Dim::D2 | Dim::Cube) => 4,
        (true, Dim::D3) => 8,
    };
    let levels = match rules.mip {
        MipFilter::Linear if texture.last_level > 0 => 2,
        _ => 1,
    };
    u64::from(rules.anisotropy) * levels * texels
}

/// Of a sample.
pub fn cost(texture: &PreparedTexture, sampler: &PreparedSampler) -> u64 {
    let probes = u64::from(sampler.sampler.anisotropy);
    LOCATE + probes * LOCATE / 4 + texels(texture, sampler) * texture.texel_cost()
}
