//! The chips that can be driven: one row each.

use silicon::gpu::{Gpu, Info};
use wgpu_types as wgt;

use crate::image::{ImageMemory, ImageShape, Region};
use crate::layout::DescriptorBytes;
use crate::state::{AttributeFetch, BufferRange, ImageBinding};

/// How a device is switched on. Results never depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PowerOn {
    /// Bytes of video memory.
    pub memory_bytes: u64,
    /// Threads that share the work of a draw; none takes as many as the machine has.
    pub threads: Option<usize>,
}

/// A chip as its driver sees it.
pub struct Target {
    /// What the chip is and can do.
    pub info: &'static Info,
    /// Switches a device on.
    pub power_on: fn(&PowerOn) -> Box<dyn Gpu>,
    /// Its instruction sets, for people and scripts.
    pub tools: &'static dyn isa::Tools,
    /// State, descriptors, images and command words.
    pub chip: &'static dyn Chip,
}

/// What a chip can do with a texture format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormatSupport {
    /// Sampled or loaded by shaders.
    pub sampled: bool,
    /// Linear filtering.
    pub filtered: bool,
    /// Stored by shaders.
    pub storage: bool,
    /// Colour attachment.
    pub color: bool,
    /// Blending.
    pub blended: bool,
    /// Depth-stencil attachment.
    pub depth_stencil: bool,
}

/// An image that a chip cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsupported(pub String);

/// The part of the driver that knows one chip.
pub trait Chip: Sync {
    /// Bytes of descriptors.
    fn descriptor_bytes(&self) -> DescriptorBytes;
    /// What can be done with a texture format.
    fn format_support(&self, format: wgt::TextureFormat) -> FormatSupport;
    /// Whether vertices can be fetched from a format.
    fn vertex_format_support(&self, format: wgt::VertexFormat) -> bool;

    /// Lays an image out.
    fn image_memory(&self, shape: &ImageShape) -> Result<ImageMemory, Unsupported>;
    /// Appends the byte offsets, from the image's start, of the elements of row `y` of a slice, for the region's columns.
    fn row_offsets(
        &self,
        image: &ImageMemory,
        region: &Region,
        y: u32,
        slice: u32,
        out: &mut Vec<u64>,
    );

    /// Appends the descriptor of a buffer.
    fn buffer_descriptor(&self, range: BufferRange, out: &mut Vec<u32>);
    /// Appends the descriptor of an image view.
    fn image_descriptor(&self, view: &ImageBinding<'_>, out: &mut Vec<u32>);
    /// Appends the descriptor of a sampler.
    fn sampler_descriptor(&self, sampler: &wgt::SamplerDescriptor<()>, out: &mut Vec<u32>);
    /// Appends the descriptor through which the vertex shader fetches an attribute.
    fn attribute_descriptor(&self, attribute: &AttributeFetch, out: &mut Vec<u32>);
}
