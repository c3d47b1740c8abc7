//! What scenes want of a device that not every one has.

use std::fmt;

use girih::PhysicalDevice;

use crate::{COLOR, Scene};

/// Something that a scene cannot be drawn without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Integers of 32 bits, in shaders and in images.
    Integers,
    /// Samplers that compare at any level of detail, gathers and texel offsets.
    AllSamplers,
    /// Fragment shaders of more than 512 instructions, which is where those without integers end.
    LongShaders,
    /// As many samples a pixel of a scene's colours.
    Samples(u32),
    /// Stippled and rectangular lines.
    LineModes,
    /// As many viewports in a draw.
    Viewports(u32),
}

impl Need {
    /// Whether a device has it.
    pub fn is_met(self, gpu: &PhysicalDevice) -> bool {
        let (features, limits) = (gpu.features(), gpu.limits());
        match self {
            Need::Integers | Need::AllSamplers | Need::LongShaders => features.integers,
            Need::Samples(count) => gpu.format_capabilities(COLOR).has_samples(count),
            Need::LineModes => features.line_modes,
            Need::Viewports(count) => limits.viewports >= count,
        }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Need::Integers => f.write_str("integers of 32 bits"),
            Need::AllSamplers => f.write_str("comparisons of levels, gathers, texel offsets"),
            Need::LongShaders => f.write_str("more than 512 instructions in a fragment shader"),
            Need::Samples(count) => write!(f, "{count} samples a pixel"),
            Need::LineModes => f.write_str("stippled lines"),
            Need::Viewports(count) => write!(f, "{count} viewports"),
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
