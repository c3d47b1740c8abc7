//! What scenes want of a device that not every one has.

use std::fmt;

use girih::PhysicalDevice;

use crate::{COLOR, Scene};

/// Something that a scene cannot be drawn without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// As many samples a pixel of a scene's colours.
    Samples(u32),
    /// Compute shaders.
    Compute,
    /// Geometry shaders.
    Geometry,
    /// Passes with several layers.
    LayeredPasses,
}

impl Need {
    /// Whether a device has it.
    pub fn is_met(self, gpu: &PhysicalDevice) -> bool {
        match self {
            Need::Samples(count) => gpu.format_capabilities(COLOR).has_samples(count),
            Need::Geometry => gpu.features().geometry,
            Need::LayeredPasses => gpu.features().layered_passes,
            Need::Compute => gpu.features().compute,
        }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Need::Samples(count) => write!(f, "{count} samples a pixel"),
            Need::Geometry => write!(f, "geometry shaders"),
            Need::LayeredPasses => write!(f, "passes with several layers"),
            Need::Compute => write!(f, "compute shaders"),
        }
    }
}

impl Scene {
    /// What a device lacks of what the scene needs.
    pub fn lacks(&self, gpu: &PhysicalDevice) -> Option<Need> {
        let mut needs = self.needs.iter().copied();
        needs.find(|need| !need.is_met(gpu))
    }

    /// Whether a device has what the scene needs.
    pub fn suits(&self, gpu: &PhysicalDevice) -> bool {
        self.lacks(gpu).is_none()
    }
}
