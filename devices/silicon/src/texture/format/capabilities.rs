//! What a device can do with a format.

/// Operations that a device supports on images or vertex attributes of a format. Unlisted ones are unsupported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FormatCapabilities {
    /// Shaders load texels and sample them without a filter.
    pub sampled: bool,
    /// Shaders sample with linear filters.
    pub filterable: bool,
    /// Colour attachment.
    pub renderable: bool,
    /// Colour attachment that is blended with.
    pub blendable: bool,
    /// Shaders store texels, and load what was stored.
    pub storage: bool,
    /// Shaders do atomic operations on texels.
    pub storage_atomic: bool,
    /// Depth-stencil attachment.
    pub depth_stencil: bool,
    /// Vertex attributes.
    pub vertex: bool,
    /// Scaled copies read from it.
    pub blit_source: bool,
    /// Scaled copies write to it.
    pub blit_target: bool,
    /// Numbers of samples that an attachment can have, each the bit of its own value: 1, 2, 4, 8, 16.
    pub sample_counts: u32,
}

impl FormatCapabilities {
    /// Names of what can be done, in the order of the fields.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        [
            ("sampled", self.sampled),
            ("filterable", self.filterable),
            ("renderable", self.renderable),
            ("blendable", self.blendable),
            ("storage", self.storage),
            ("storage-atomic", self.storage_atomic),
            ("depth-stencil", self.depth_stencil),
            ("vertex", self.vertex),
            ("blit-source", self.blit_source),
            ("blit-target", self.blit_target),
        ]
        .into_iter()
        .filter_map(|(name, has)| has.then_some(name))
    }

    /// Whether an attachment can have this many samples.
    pub fn has_samples(&self, count: u32) -> bool {
        count.is_power_of_two() && self.sample_counts & count != 0
    }

    /// Capabilities of a format that combines two.
    pub fn both(&self, other: &FormatCapabilities) -> FormatCapabilities {
        FormatCapabilities {
            sampled: self.sampled && other.sampled,
            filterable: self.filterable && other.filterable,
            renderable: self.renderable && other.renderable,
            blendable: self.blendable && other.blendable,
            storage: self.storage && other.storage,
            storage_atomic: self.storage_atomic && other.storage_atomic,
            depth_stencil: self.depth_stencil && other.depth_stencil,
            vertex: self.vertex && other.vertex,
            blit_source: self.blit_source && other.blit_source,
            blit_target: self.blit_target && other.blit_target,
            sample_counts: self.sample_counts & other.sample_counts,
        }
    }
}
