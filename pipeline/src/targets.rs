//! The chips that can be driven: one row each.

use silicon::gpu::{Gpu, Info};
use silicon::texture::format::FormatCapabilities;
use silicon::{Addr, Format, Memory, SimdLevel, Start};
use wgpu_types as wgt;

use crate::codegen::geometry::VertexWords;
use crate::codegen::radeon::r6xx::known::Known;
use crate::codegen::{self, Binary, CompileError, Options, r5xx, r600, rogue, southern_islands};
use crate::compile::CompiledGeometry;
use crate::driver::{ConstantTable, TableFull};
use crate::encode::{Encoder, OpenPass};
use crate::format::{texel_format, texture_format, vertex_format};
use crate::image::{Elements, ImageMemory, ImageShape, Region, ResolveMode};
use crate::ir::Function;
use crate::layout::{DescriptorBytes, MAX_DESCRIPTOR_SETS};
use crate::link::Link;
use crate::query::{QueryKind, QueryValue};
use crate::state::{
    AttributeFetch, BufferRange, ClearAttachment, Draw, DynamicState, GraphicsState, ImageBinding,
    IndirectDraw, PassTargets, Rect, SamplerState, TexelRange, Viewport,
};
use crate::stream::{StreamDraw, Streams};
use crate::upload::Result;

/// Every chip.
pub const TARGETS: &[Target] = &[
    Target {
        info: &::southern_islands::INFO,
        power_on: |on| {
            ::southern_islands::SouthernIslands::power_on(Memory::new(on.memory_bytes), on.start())
        },
        compile: |function, options| {
            codegen::compile(
                function,
                options,
                &::southern_islands::INFO,
                southern_islands::compile,
            )
        },
        lanes: southern_islands::lanes,
        tools: &::southern_islands::TOOLS,
        chip: &southern_islands::state::SouthernIslands,
    },
    Target {
        info: &::r600::INFO,
        power_on: |on| ::r600::R600::power_on(Memory::new(on.memory_bytes), on.start()),
        compile: |function, options| {
            codegen::compile(function, options, &::r600::INFO, r600::compile)
        },
        lanes: r600::lanes,
        tools: &::r600::TOOLS,
        chip: &r600::state::R600,
    },
    Target {
        info: &::r5xx::INFO,
        power_on: |on| ::r5xx::R5xx::power_on(Memory::new(on.memory_bytes), on.start()),
        compile: |function, options| {
            codegen::compile(function, options, &::r5xx::INFO, r5xx::compile)
        },
        lanes: r5xx::lanes,
        tools: &::r5xx::TOOLS,
        chip: &r5xx::state::R5xx,
    },
    Target {
        info: &::rogue::INFO,
        power_on: |on| ::rogue::Rogue::power_on(Memory::new(on.memory_bytes), on.start()),
        compile: |function, options| {
            codegen::compile(function, options, &::rogue::INFO, rogue::compile)
        },
        lanes: rogue::lanes,
        tools: &::rogue::TOOLS,
        chip: &rogue::state::Rogue,
    },
];

/// How a device is switched on. Results never depend on `threads`, `simd` and `fine_depth`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PowerOn {
    /// Bytes of video memory.
    pub memory_bytes: u64,
    /// Threads that share the work of a draw; none takes as many as the machine has.
    pub threads: Option<usize>,
    /// Vector instructions of the host that are used; none takes the widest it has.
    pub simd: Option<SimdLevel>,
    /// What one wave may cost before the watchdog stops it.
    pub wave_cost: u64,
    /// Every pixel's depth is tested, also in tiles that bounds of the depths would rule out.
    pub fine_depth: bool,
    /// Programs that rely on what the chip's manual leaves undefined are traps.
    pub strict: bool,
}

impl PowerOn {
    fn start(&self) -> Start {
        Start {
            threads: self.threads,
            level: self.simd.unwrap_or_else(SimdLevel::current),
            wave_cost: self.wave_cost,
            fine_depth: self.fine_depth,
            strict: self.strict,
        }
    }
}

/// A chip as its driver sees it.
pub struct Target {
    /// What the chip is and can do.
    pub info: &'static Info,
    /// Switches a device on.
    pub power_on: fn(&PowerOn) -> Box<dyn Gpu>,
    /// Compiles an entry point.
    pub compile: fn(&Function, &Options) -> Result<Binary, CompileError>,
    /// The lane program that compiled code is lifted to, as text.
    pub lanes: fn(&Binary) -> String,
    /// Its instruction sets, for people and scripts.
    pub tools: &'static dyn isa::Tools,
    /// State, descriptors, images and command words.
    pub chip: &'static dyn Chip,
}

impl Target {
    /// What can be done with a texture format.
    pub fn format_capabilities(&self, format: wgt::TextureFormat) -> FormatCapabilities {
        let Some(format) = texture_format(format) else {
            return FormatCapabilities::default();
        };
        let mut found = match format.planes() {
            [] => self.chip.format_capabilities(format),
            planes => {
                // Planes are read one at a time, and nothing else is done with them.
                let planes = planes.iter().map(|p| self.chip.format_capabilities(*p));
                let all = planes.reduce(|a, b| a.both(&b)).unwrap_or_default();
                FormatCapabilities {
                    sampled: all.sampled,
                    filterable: all.filterable,
                    sample_counts: all.sample_counts & 1,
                    ..FormatCapabilities::default()
                }
            }
        };
        // The driver scales and converts whatever shaders can read and passes can write.
        found.blit_source = found.sampled && format.planes().is_empty();
        found.blit_target = found.renderable || found.depth_stencil;
        found
    }

    /// Whether shaders load texels of a format from buffers.
    pub fn loads_texels(&self, format: wgt::TextureFormat) -> bool {
        texel_format(format).is_some_and(|format| self.chip.loads_texels(format))
    }

    /// Whether shaders store texels of a format to buffers.
    pub fn stores_texels(&self, format: wgt::TextureFormat) -> bool {
        texel_format(format).is_some_and(|format| self.chip.stores_texels(format))
    }

    /// Whether vertex attributes of a format are fetched.
    pub fn fetches_vertices(&self, format: wgt::VertexFormat) -> bool {
        vertex_format(format).is_some_and(|format| self.chip.format_capabilities(format).vertex)
    }
}

/// An image that a chip cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsupported(pub String);

/// A linked pipeline whose code is in video memory.
#[derive(Clone, Copy, Debug)]
pub struct PipelineParts<'a> {
    /// Everything that is not a shader.
    pub state: &'a GraphicsState,
    /// Where each fragment input comes from.
    pub links: &'a [Link],
    /// Vertex shader and where its code is: of a pipeline with a geometry shader, the copy of what that emits, where the
    /// chip has one run.
    pub vertex: (&'a Binary, Addr),
    /// What comes before it then.
    pub geometry: Option<GeometryParts<'a>>,
    /// Fragment shader and where its code is.
    pub fragment: (&'a Binary, Addr),
    /// The fragment shader runs once a sample.
    pub per_sample: bool,
}

/// The stages up to a geometry shader, whose code is in video memory.
#[derive(Clone, Copy, Debug)]
pub struct GeometryParts<'a> {
    /// Vertex shader and where its code is.
    pub vertex: (&'a Binary, Addr),
    /// Geometry shader and where its code is.
    pub shader: (&'a Binary, Addr),
    /// Where vertices and emitted vertices go.
    pub rings: [BufferRange; 2],
}

impl PipelineParts<'_> {
    /// All shaders.
    pub fn binaries(&self) -> impl Iterator<Item = &Binary> {
        let geometry = self.geometry.iter();
        let before = geometry.flat_map(|geometry| [geometry.vertex.0, geometry.shader.0]);
        [self.vertex.0, self.fragment.0].into_iter().chain(before)
    }

    /// Bytes of scratch memory that a wave of any of them needs.
    pub fn scratch_bytes(&self) -> u32 {
        let bytes = self.binaries().map(|binary| binary.scratch_bytes);
        bytes.max().unwrap_or(0)
    }
}

/// A compute pipeline whose code is in video memory.
#[derive(Clone, Copy, Debug)]
pub struct ComputeParts<'a> {
    /// The shader and where its code is.
    pub shader: (&'a Binary, Addr),
    /// Descriptor of its scratch memory, empty where it needs none.
    pub scratch: &'a [u32],
}

/// What a dispatch finds bound.
#[derive(Clone, Copy, Debug)]
pub struct ComputeBindings<'a> {
    /// The shader.
    pub shader: &'a Binary,
    /// Where descriptors and push constants lie.
    pub data: &'a UserData,
    /// Where the three words lie that say how many workgroups there are, where the shader reads them.
    pub count: Addr,
}

/// Puts bytes into memory that lasts until the stream has run, at a multiple of some bytes.
pub type Put<'a> = dyn FnMut(&[u8], u64) -> Result<Addr> + 'a;

/// Workgroups that run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dispatch {
    /// As many along each axis.
    Direct([u32; 3]),
    /// As many as three words in memory say.
    Indirect(Addr),
}

/// What shaders find in registers when they start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UserData {
    /// Addresses of the descriptor sets.
    pub sets: [Addr; MAX_DESCRIPTOR_SETS as usize],
    /// Address of the push constants.
    pub push_constants: Addr,
    /// Address of the attribute descriptors, one per location.
    pub attributes: Addr,
}

/// What shaders find of a draw behind the push constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawConstants {
    /// Its number among those of one command.
    pub index: u32,
    /// First instance.
    pub first_instance: u32,
    /// What is added to indices, or the first vertex.
    pub base_vertex: u32,
}

/// What a draw finds bound.
#[derive(Clone, Copy, Debug)]
pub struct Bindings<'a> {
    /// Where it lies.
    pub data: UserData,
    /// Vertex and fragment shader.
    pub shaders: [&'a Binary; 2],
    /// What is between them.
    pub geometry: Option<&'a CompiledGeometry>,
    /// Everything else of the pipeline.
    pub state: &'a GraphicsState,
    /// The first viewport.
    pub viewport: Viewport,
}

/// Images, buffers and samplers as one chip has them in memory.
pub trait Surfaces {
    /// Bytes of descriptors.
    fn descriptor_bytes(&self) -> DescriptorBytes;
    /// What the chip does with a format. Scaled copies are the driver's ([`Target::format_capabilities`]).
    fn format_capabilities(&self, format: Format) -> FormatCapabilities;
    /// Lays an image out.
    fn image_memory(&self, shape: &ImageShape) -> Result<ImageMemory, Unsupported>;
    /// Where the elements of a region lie, in one sample.
    fn elements(&self, image: &ImageMemory, region: &Region, sample: u32) -> Elements;

    /// The descriptor of a buffer.
    fn buffer_descriptor(&self, range: BufferRange, out: &mut Vec<u32>);
    /// The descriptor of an image view.
    fn image_descriptor(&self, view: &ImageBinding<'_>, out: &mut Vec<u32>);
    /// The descriptor of a sampler, which may name entries of the table.
    fn sampler_descriptor(
        &self,
        sampler: &SamplerState,
        constants: &mut ConstantTable,
        out: &mut Vec<u32>,
    ) -> Result<(), TableFull>;
    /// The descriptor through which the vertex shader fetches an attribute.
    fn attribute_descriptor(&self, attribute: &AttributeFetch, out: &mut Vec<u32>);

    /// Whether shaders load texels of a format from buffers.
    fn loads_texels(&self, _format: Format) -> bool {
        false
    }
    /// Whether shaders store texels of a format to buffers, and load what was stored.
    fn stores_texels(&self, _format: Format) -> bool {
        false
    }
    /// The descriptor of a texel buffer of a format that the chip loads.
    fn texel_descriptor(&self, _texels: &TexelRange, _out: &mut Vec<u32>) {}
    /// Bytes behind a buffer of some bytes that the chip asks for when it is a texel buffer.
    fn texel_slack(&self, _bytes: u64) -> u64 {
        0
    }

    /// Bytes of scratch memory for as many waves as may run at once, each with this many.
    fn scratch_bytes(&self, wave_bytes: u32) -> u64;
    /// The descriptor of scratch memory, seen from one wave.
    fn scratch_descriptor(&self, at: Addr, wave_bytes: u32, out: &mut Vec<u32>);
}

/// Queries, fills and copies, and the end of a stream.
pub trait Transfers {
    /// Bytes that a query takes in memory, a multiple of 8. Zeros are a query that was not asked.
    fn query_bytes(&self, kind: QueryKind) -> u64;
    /// Begins a query at an address; time stamps have no beginning.
    fn begin_query(&self, kind: QueryKind, at: Addr, out: &mut Vec<u32>);
    /// Ends a query, or takes a time stamp.
    fn end_query(&self, kind: QueryKind, at: Addr, out: &mut Vec<u32>);
    /// Adds invocations of geometry shaders to statistics that have ended: of chips that do not count all.
    fn add_invocations(&self, _at: Addr, _count: u64, _out: &mut Vec<u32>) {}
    /// What the bytes of a query say; nothing when it did not end.
    fn query_value(&self, kind: QueryKind, bytes: &[u8]) -> Option<QueryValue>;
    /// Fills memory with a word; address and length are multiples of 4.
    fn fill(&self, at: Addr, bytes: u64, word: u32, out: &mut Vec<u32>);
    /// Copies memory; the ranges do not overlap.
    fn copy(&self, from: Addr, to: Addr, bytes: u64, out: &mut Vec<u32>);
    /// The end of every command stream.
    fn end(&self, out: &mut Vec<u32>);
    /// Leaves out of `words` from `first` on what writes to registers what they hold already.
    fn keep_changes(&self, _known: &mut Known, _words: &mut Vec<u32>, _first: usize) {}
}

/// The part of the driver that knows one chip. Everything it is given is valid; words go to the end of `out`.
pub trait Chip: Surfaces + Transfers + Sync {
    /// Alignment of code.
    fn code_align(&self) -> u64;
    /// What shaders find at the address of the push constants: those, and what the chip keeps behind them. `scratch` is
    /// the descriptor of scratch memory, empty where the pipeline has none.
    fn constants(&self, push: &[u8], scratch: &[u32], draw: DrawConstants) -> Vec<u8>;
    /// What shaders find there of a draw; nothing where they find it elsewhere.
    fn draw_constants(&self, _draw: &Draw) -> DrawConstants {
        DrawConstants::default()
    }
    /// Alignment of that.
    fn constants_align(&self) -> u64;

    /// The head of every command stream: state that no command changes.
    fn begin(&self, out: &mut Vec<u32>);
    /// Begins a pass: brings the attachments to where draws find them, as the pass loads or clears them, and sets them.
    /// Memory that the chip keeps until the pass ends is returned.
    fn begin_pass(&self, targets: &PassTargets<'_>, out: &mut Encoder<'_>) -> Result<Option<Addr>>;
    /// Clears a rectangle of an attachment between draws.
    fn clear_attachment(
        &self,
        pass: &OpenPass<'_>,
        clear: ClearAttachment,
        rect: Rect,
        out: &mut Encoder<'_>,
    ) -> Result<()>;
    /// Ends a pass: stores and resolves the attachments.
    fn end_pass(&self, pass: &OpenPass<'_>, out: &mut Encoder<'_>) -> Result<()>;
    /// Whether [`Chip::end_pass`] resolves an aspect in a mode. The driver does the others in software after the pass.
    fn resolves(&self, aspect: wgt::TextureAspect, mode: ResolveMode) -> bool {
        aspect == wgt::TextureAspect::All && mode == ResolveMode::Average
    }
    /// Sets everything that belongs to a pipeline.
    fn pipeline(&self, parts: &PipelineParts<'_>, out: &mut Vec<u32>);
    /// Sets what commands change between draws.
    fn dynamic(&self, dynamic: &DynamicState, pipeline: &GraphicsState, out: &mut Vec<u32>);
    /// Whether [`Chip::user_data`] and [`Chip::draw`] read what is bound from memory, so that everything that writes it
    /// must have run. Nothing writes it while a pass runs: such chips have no stores.
    fn reads_bindings(&self) -> bool {
        false
    }
    /// Sets what the vertex and the fragment shader find in registers.
    fn user_data(&self, bound: &Bindings<'_>, out: &mut Encoder<'_>) -> Result<()>;
    /// Draws.
    fn draw(&self, draw: &Draw, bound: &Bindings<'_>, out: &mut Encoder<'_>) -> Result<()>;
    /// Draws with arguments from memory; on chips whose limits say that they do so.
    fn draw_indirect(&self, draw: &IndirectDraw, bound: &Bindings<'_>, out: &mut Vec<u32>);
    /// How the vertices that a geometry shader emits come to be drawn.
    fn geometry_path(&self) -> GeometryPath {
        GeometryPath::Copied
    }
    /// The geometry stage, where the chip has one with rings in memory.
    fn rings(&self) -> Option<&dyn Rings> {
        None
    }
    /// Stream output, where the chip has it.
    fn streams(&self) -> Option<&dyn Streams> {
        None
    }
    /// Draws as many vertices as [`Streams::count`] has set.
    fn draw_counted(&self, _draw: &StreamDraw, _bound: &Bindings<'_>, _out: &mut Vec<u32>) {
        debug_assert!(false, "the chip has no stream output");
    }
    /// The compute stage, or what of the hardware it would need and the chip lacks.
    fn compute(&self) -> Result<&dyn Compute, &'static str>;
}

/// How the vertices that a geometry shader emits come to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeometryPath {
    /// A vertex shader that the driver makes copies them.
    Copied,
    /// The chip takes them as the geometry shader leaves them.
    Taken,
    /// A vertex shader that is both computes each that may be drawn.
    Merged,
}

/// The memory around the geometry stage of a chip.
pub trait Rings {
    /// Bytes for vertices and for emitted vertices, multiples of 256.
    fn ring_bytes(&self, words: &VertexWords) -> [u64; 2];
    /// Whether the stage runs several invocations of a primitive. Else the shader is a loop over them.
    fn has_invocations(&self) -> bool {
        true
    }
    /// The descriptors that shaders find behind that of scratch memory.
    fn ring_descriptors(&self, rings: [BufferRange; 2], words: &VertexWords, out: &mut Vec<u32>);
}

/// The compute stage of a chip.
pub trait Compute {
    /// Sets everything that belongs to a pipeline.
    fn pipeline(&self, parts: &ComputeParts<'_>, out: &mut Vec<u32>);
    /// Runs workgroups.
    fn dispatch(
        &self,
        dispatch: Dispatch,
        bound: &ComputeBindings<'_>,
        put: &mut Put<'_>,
        out: &mut Vec<u32>,
    ) -> Result<()>;
}
