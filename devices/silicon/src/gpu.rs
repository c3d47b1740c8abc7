//! A powered-on GPU, as its driver sees it.

use std::ops::Range;
use std::sync::Arc;

use host::SimdLevel;

use crate::fragment::bins::Threads;
use crate::fragment::target::Target;
use crate::memory::{Addr, Memory};

pub use crate::stats::Stats;

/// What one wave may cost unless its device is told otherwise: a second of one core, if a unit of cost is a nanosecond
/// as on the machine of `docs/performance.md`. A batch of waves runs away in less than twice that.
pub const WAVE_COST: u64 = 1_000_000_000;

/// A powered-on GPU. What crosses this boundary is words in video memory and a "go".
pub trait Gpu: Send {
    /// What the chip is and what it can do.
    fn info(&self) -> &'static Info;
    /// Its video memory. Cheap to call; the memory itself is shared with the caller (see [`Memory`]).
    fn memory(&self) -> &Memory;
    /// Its threads, which whoever moves much of the memory may use, too.
    fn threads(&self) -> &Arc<Threads>;
    /// Runs the command words at `stream` to the end.
    fn execute(&mut self, stream: Range<Addr>) -> Result<Stats, Trap>;
    /// What the first colour target holds inside of the scissors, or what a resolve is written to, as the registers are after
    /// the last stream. `None` where they name no target, and on chips whose targets are gone after a pass.
    ///
    /// Errors: why the registers are no target.
    fn target(&mut self) -> Result<Option<Target>, String> {
        Ok(None)
    }
}

/// Facts about a chip.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Stable name, as on the command line.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Limits.
    pub limits: Limits,
    /// Optional features.
    pub features: Features,
}

/// Optional features. A device refuses what it lacks by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Features {
    /// Depth bounds test: pixels are tested by stored depth.
    pub depth_bounds: bool,
    /// Min and max filters.
    pub sampler_reduction: bool,
    /// Samplers take unnormalized coordinates, in texels.
    pub unnormalized_samplers: bool,
    /// Cube maps are filtered per face.
    pub separate_cube_faces: bool,
    /// Shaders store, and do atomic operations, in buffers and textures.
    pub shader_stores: bool,
    /// Shaders compute with integers of 32 bits; attributes, textures and targets hold them.
    pub integers: bool,
    /// Colour targets are blended each in its own way.
    pub independent_blend: bool,
    /// Blend factors take a second colour of the fragment shader.
    pub dual_source_blend: bool,
    /// Depths in front of the viewport and behind it are clamped instead of clipped.
    pub depth_clamp: bool,
    /// Depth bias has a limit.
    pub depth_bias_clamp: bool,
    /// Lines are stippled, and thin ones drawn as rectangles.
    pub line_modes: bool,
    /// Masks of samples, and coverage from alpha.
    pub sample_coverage: bool,
    /// Fragment shaders run for every sample.
    pub sample_shading: bool,
    /// Images have any number of layers, and volumes any depth; shaders see several layers, or one with all its levels.
    pub texture_arrays: bool,
    /// Passes draw to several layers of their attachments, to one that a shader chooses for each primitive.
    pub layered_passes: bool,
    /// Queries count what the stages of the pipeline did.
    pub statistics: bool,
    /// Queries read the clock.
    pub timestamps: bool,
    /// Geometry shaders make other primitives of those that are drawn.
    pub geometry: bool,
    /// Vertices are written to buffers before they are drawn.
    pub stream_output: bool,
    /// Workgroups run compute shaders.
    pub compute: bool,
    /// Fragment shaders give the reference value of the stencil test.
    pub stencil_export: bool,
    /// Invocations of a wave, a subgroup of 64, vote, and read and combine each other's values in compute and fragment
    /// shaders.
    pub subgroups: bool,
}

impl Features {
    /// Everything.
    pub const ALL: Features = Features {
        depth_bounds: true,
        sampler_reduction: true,
        unnormalized_samplers: true,
        separate_cube_faces: true,
        shader_stores: true,
        integers: true,
        independent_blend: true,
        dual_source_blend: true,
        depth_clamp: true,
        depth_bias_clamp: true,
        line_modes: true,
        sample_coverage: true,
        sample_shading: true,
        texture_arrays: true,
        layered_passes: true,
        statistics: true,
        timestamps: true,
        geometry: true,
        stream_output: true,
        compute: true,
        stencil_export: true,
        subgroups: true,
    };

    /// Every name, in the order of the fields, and whether it is there.
    pub fn list(&self) -> [(&'static str, bool); 22] {
        [
            ("depth-bounds", self.depth_bounds),
            ("sampler-reduction", self.sampler_reduction),
            ("unnormalized-samplers", self.unnormalized_samplers),
            ("separate-cube-faces", self.separate_cube_faces),
            ("shader-stores", self.shader_stores),
            ("integers", self.integers),
            ("independent-blend", self.independent_blend),
            ("dual-source-blend", self.dual_source_blend),
            ("depth-clamp", self.depth_clamp),
            ("depth-bias-clamp", self.depth_bias_clamp),
            ("line-modes", self.line_modes),
            ("sample-coverage", self.sample_coverage),
            ("sample-shading", self.sample_shading),
            ("texture-arrays", self.texture_arrays),
            ("layered-passes", self.layered_passes),
            ("statistics", self.statistics),
            ("timestamps", self.timestamps),
            ("geometry", self.geometry),
            ("stream-output", self.stream_output),
            ("compute", self.compute),
            ("stencil-export", self.stencil_export),
            ("subgroups", self.subgroups),
        ]
    }
}

/// What fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of video memory.
    pub memory_bytes: u64,
    /// Largest width and height of a 2D image, in texels.
    pub image_2d: u32,
    /// Largest edge of a 3D image, in texels.
    pub image_3d: u32,
    /// Largest number of array layers.
    pub image_layers: u32,
    /// Colour attachments of one pass.
    pub color_attachments: u32,
    /// Vertex attributes of one pipeline.
    pub vertex_attributes: u32,
    /// Vertex buffers of one pipeline.
    pub vertex_buffers: u32,
    /// Most bytes from one element of a vertex buffer to the next.
    pub vertex_stride: u32,
    /// Four-component varyings between vertex and fragment shader.
    pub varyings: u32,
    /// Largest range of a uniform buffer, in bytes.
    pub uniform_range_bytes: u32,
    /// Largest range of a storage buffer, in bytes.
    pub storage_range_bytes: u32,
    /// Alignment of a uniform or storage buffer offset, in bytes.
    pub buffer_offset_align: u32,
    /// Viewports of one draw.
    pub viewports: u32,
    /// Draws may take their arguments from memory.
    pub indirect_draws: bool,
    /// What one wave may cost before the watchdog stops it: [`WAVE_COST`].
    pub wave_cost: u64,
    /// What a workgroup may be.
    pub workgroup: WorkgroupLimits,
}

/// What a workgroup of a compute shader may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkgroupLimits {
    /// Most invocations along each axis.
    pub size: [u32; 3],
    /// Most invocations.
    pub invocations: u32,
    /// Bytes of memory that they share.
    pub shared_bytes: u32,
    /// Most workgroups of a dispatch along each axis.
    pub count: u32,
}

impl WorkgroupLimits {
    /// Of a chip without a compute stage.
    pub const NONE: WorkgroupLimits = WorkgroupLimits {
        size: [0; 3],
        invocations: 0,
        shared_bytes: 0,
        count: 0,
    };
}

/// How a device is switched on. Results do not depend on `threads`, `level` and `fine_depth`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Threads per draw; `None` uses all processors.
    pub threads: Option<usize>,
    /// Vector instructions of the host that are used.
    pub level: SimdLevel,
    /// What one wave may cost before the watchdog stops it: [`WAVE_COST`].
    pub wave_cost: u64,
    /// Every pixel's depth is tested, also in tiles that bounds of the depths would rule out, and only where the test
    /// counts: none is rejected by a test before its shader if another follows.
    pub fine_depth: bool,
    /// A program that relies on undefined timing, on registers that its waves do not have or on the alignment of
    /// misaligned addresses is a trap, on chips that can tell.
    pub strict: bool,
}

impl Default for Start {
    fn default() -> Start {
        Start {
            threads: None,
            level: SimdLevel::current(),
            wave_cost: WAVE_COST,
            fine_depth: false,
            strict: false,
        }
    }
}

/// The device is lost: what a program or command stream did wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{chip} at {address:#x}: {reason} (word {word:#010x})")]
pub struct Trap {
    /// Name of the chip.
    pub chip: &'static str,
    /// Byte address of the instruction or packet in video memory.
    pub address: u64,
    /// The word there.
    pub word: u32,
    /// What is wrong, with the numbers.
    pub reason: String,
}

impl Trap {
    /// At a byte address, with the word there.
    pub fn new(chip: &'static str, address: u64, word: u32, reason: impl Into<String>) -> Trap {
        Trap {
            chip,
            address,
            word,
            reason: reason.into(),
        }
    }
}
