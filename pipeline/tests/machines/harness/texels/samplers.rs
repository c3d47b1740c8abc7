//! Random samplers, and what they mean to silicon.

use silicon::fragment::depth::Compare;
use silicon::texture::sample::{
    Address, Border, Filter, MipFilter, Precision, PreparedSampler, Reduction, Sampler,
};
use wgpu_types as wgt;

use crate::direct::Random;
use crate::harness::Machine;

pub fn sampler(random: &mut Random, comparison: bool) -> wgt::SamplerDescriptor<()> {
    use wgt::{AddressMode as A, CompareFunction as C, FilterMode as F};
    let mut one_of = |count: u32| (random.next() >> 4) as usize % count as usize;
    let modes = [A::ClampToEdge, A::Repeat, A::MirrorRepeat, A::ClampToBorder];
    let filters = [F::Nearest, F::Linear];
    let mipmaps = [
        wgt::MipmapFilterMode::Nearest,
        wgt::MipmapFilterMode::Linear,
    ];
    let borders = [
        None,
        Some(wgt::SamplerBorderColor::OpaqueBlack),
        Some(wgt::SamplerBorderColor::OpaqueWhite),
    ];
    wgt::SamplerDescriptor {
        label: (),
        address_mode_u: modes[one_of(4)],
        address_mode_v: modes[one_of(4)],
        address_mode_w: modes[one_of(4)],
        mag_filter: filters[one_of(2)],
        min_filter: filters[one_of(2)],
        mipmap_filter: mipmaps[one_of(2)],
        lod_min_clamp: [0.0, 0.5][one_of(2)],
        lod_max_clamp: [1.25, 32.0][one_of(2)],
        compare: comparison
            .then(|| [C::Less, C::GreaterEqual, C::LessEqual, C::NotEqual][one_of(4)]),
        anisotropy_clamp: 1,
        border_color: borders[one_of(3)],
    }
}

/// What the descriptor means, said again.
pub fn prepared(sampler: &wgt::SamplerDescriptor<()>, machine: &dyn Machine) -> PreparedSampler {
    use wgt::{AddressMode as A, CompareFunction as C};
    let address = |mode| match mode {
        A::ClampToEdge => Address::ClampToEdge,
        A::Repeat => Address::Repeat,
        A::MirrorRepeat => Address::Mirror,
        A::ClampToBorder => Address::Border,
    };
    let filter = |mode| match mode {
        wgt::FilterMode::Nearest => Filter::Nearest,
        wgt::FilterMode::Linear => Filter::Linear,
    };
    let sampler = Sampler {
        address: [
            sampler.address_mode_u,
            sampler.address_mode_v,
            sampler.address_mode_w,
        ]
        .map(address),
        mag: filter(sampler.mag_filter),
        min: filter(sampler.min_filter),
        slices: None,
        mip: match sampler.mipmap_filter {
            wgt::MipmapFilterMode::Nearest => MipFilter::Nearest,
            wgt::MipmapFilterMode::Linear => MipFilter::Linear,
        },
        lod_bias: 0.0,
        lod_min: sampler.lod_min_clamp,
        lod_max: sampler.lod_max_clamp,
        border: match sampler.border_color {
            Some(wgt::SamplerBorderColor::OpaqueBlack) => Border::OpaqueBlack,
            Some(wgt::SamplerBorderColor::OpaqueWhite) => Border::OpaqueWhite,
            _ => Border::TransparentBlack,
        },
        compare: match sampler.compare {
            Some(C::Less) => Compare::Less,
            Some(C::GreaterEqual) => Compare::GreaterEqual,
            Some(C::LessEqual) => Compare::LessEqual,
            Some(C::NotEqual) => Compare::NotEqual,
            _ => Compare::Never,
        },
        unnormalized: false,
        anisotropy: 1,
        reduction: Reduction::Average,
        seamless: machine.has_seamless_cubes(),
    };
    PreparedSampler::new(
        sampler,
        Precision {
            weight_bits: 8,
            lod_bits: machine.level_bits(),
        },
    )
}
