//! Samplers.

use std::sync::Arc;

use wgpu_types as wgt;

use crate::device::Device;
use crate::error::{Label, rules};

rules! {
    /// A sampler that cannot be made.
    pub enum SamplerError {
        /// Level clamps are not negative, not NaN, and the least is not above the greatest.
        "sampler-lod", "{label} clamps the level of detail to {min}..{max}"
        => Lod { label: Label, min: f32, max: f32 };
        /// Anisotropy is at least 1.
        "sampler-anisotropy", "{label} has an anisotropy of {clamp}; the least is 1"
        => Anisotropy { label: Label, clamp: u16 };
        /// Anisotropic samplers filter linearly everywhere.
        "sampler-anisotropy-filter", "{label} has an anisotropy of {clamp}, so all its filters must be linear"
        => AnisotropyFilter { label: Label, clamp: u16 };
        /// Clamping to a border needs a border colour.
        "sampler-border", "{label} clamps to a border but has no border color"
        => NoBorder { label: Label };
    }
}

/// Describes a sampler, with the names of `wgpu-types`.
pub type SamplerDescriptor<'a> = wgt::SamplerDescriptor<Option<&'a str>>;

/// How a texture is sampled.
#[derive(Clone, Debug)]
pub struct Sampler {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) label: Label,
    pub(crate) desc: wgt::SamplerDescriptor<()>,
    /// The descriptor as the chip reads it.
    pub(crate) words: Vec<u32>,
}

impl Sampler {
    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.inner.label
    }
}

impl Device {
    /// Makes a sampler.
    pub fn create_sampler(&self, desc: &SamplerDescriptor<'_>) -> Result<Sampler, SamplerError> {
        let label = Label::new("sampler", desc.label);
        let (min, max) = (desc.lod_min_clamp, desc.lod_max_clamp);
        if !(min >= 0.0 && max >= min) {
            return Err(SamplerError::Lod { label, min, max });
        }
        let clamp = desc.anisotropy_clamp;
        if clamp == 0 {
            return Err(SamplerError::Anisotropy { label, clamp });
        }
        let linear = [desc.mag_filter, desc.min_filter] == [wgt::FilterMode::Linear; 2]
            && desc.mipmap_filter == wgt::MipmapFilterMode::Linear;
        if clamp > 1 && !linear {
            return Err(SamplerError::AnisotropyFilter { label, clamp });
        }
        let modes = [
            desc.address_mode_u,
            desc.address_mode_v,
            desc.address_mode_w,
        ];
        if modes.contains(&wgt::AddressMode::ClampToBorder) && desc.border_color.is_none() {
            return Err(SamplerError::NoBorder { label });
        }
        let desc = desc.map_label(|_| ());
        let mut words = Vec::new();
        self.shared
            .target
            .chip
            .sampler_descriptor(&desc, &mut words);
        Ok(Sampler {
            inner: Arc::new(Inner { label, desc, words }),
        })
    }
}
