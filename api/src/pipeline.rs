//! Pipeline layouts and graphics pipelines: description in, compiled and linked pipeline out. [VULKAN Pipelines]

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use pipeline::codegen::CompileError;
use pipeline::compile::{
    CompiledPipeline, LinkedStages, PipelineError, PipelineSource, StageSource,
};
use pipeline::ir::{Interface, Slot};
use pipeline::layout::{MAX_DESCRIPTOR_SETS, MAX_PUSH_CONSTANT_BYTES};
use pipeline::link::LinkError;
use pipeline::names::Name;
use pipeline::silicon::MemoryError;
use pipeline::spirv::LaidOut;
pub use pipeline::state::{GeometryOutput, MAX_GEOMETRY_INVOCATIONS};
use pipeline::state::{
    GeometryState, GraphicsState, VertexBufferLayout as OwnedVertexBufferLayout,
};
pub use pipeline::state::{LineMode, LineStipple, LogicOp, ProvokingVertex, RasterState};
use pipeline::stream::{StreamLayout, StreamOutput};
use pipeline::wgsl::CheckedModule;
use wgpu_types as wgt;

use crate::binding::BindingType;
use crate::derive::{self, DeriveError, StageUse};
use crate::descriptor::DescriptorSetLayout;
use crate::device::{Device, Shared};
use crate::error::{Label, counted, rules};
use crate::memory::Allocation;
use crate::reflect::ShaderInterface;
use crate::shader::{ShaderError, ShaderModule, Stage};
use crate::validate;

rules! {
    /// A pipeline layout that cannot be made.
    pub enum PipelineLayoutError {
        /// A layout has at most as many sets as the device.
        "pipeline-layout-sets", "{label} has {count} sets; the device has {limit}"
        => Sets { label: Label, count: u32, limit: u32 };
        /// Push constants are whole words and fit into the device's.
        "pipeline-layout-push-constants", "{label} has {bytes} bytes of push constants; multiples of 4 up to {limit} are allowed"
        => PushConstants { label: Label, bytes: u32, limit: u32 };
        /// Stages for which a layout is made use a binding in the same way.
        "pipeline-layout-conflict", "binding {binding} of set {group} in {label} is {one} for one stage and {other} for another"
        => Conflict { label: Label, group: u32, binding: u32, one: String, other: String };
        /// The set layouts belong to the device of the layout.
        "pipeline-layout-device", "{set}, which {label} has, was made for another device"
        => Device { label: Label, set: Label };
    }
}

rules! {
    /// A graphics pipeline that cannot be made.
    pub enum GraphicsPipelineError {
        /// Both shaders can be lowered: entry points exist, constants fit, nothing unsupported is used.
        "pipeline-shader", "{label}, {stage} shader in {module}: {source}", stage = stage.name()
        => Shader { label: Label, stage: Stage, module: Label, source: ShaderError };
        /// Both shaders compile for the device.
        "pipeline-compile", "{label}, {stage} shader in {module}: {source}", stage = stage.name()
        => Compile { label: Label, stage: Stage, module: Label, source: Box<CompileError> };
        /// Stages, vertex buffers and color targets fit together.
        "pipeline-link", "{label}: {source}"
        => Link { label: Label, source: LinkError };
        /// Every resource of a shader is in the layout, with the same kind and visible to its stage.
        "pipeline-binding", "{label}: @group({group}) @binding({binding}) `{name}` of the {stage} shader is {wanted}, but {layout} has {found}", stage = stage.name()
        => Binding { label: Label, layout: Label, stage: Stage, group: u32, binding: u32, name: String, wanted: String, found: String };
        /// A shader reads no more push constants than the layout has.
        "pipeline-push-constants", "{label}: the {stage} shader reads {wanted} bytes of push constants, but {layout} has {found}", stage = stage.name()
        => PushConstants { label: Label, layout: Label, stage: Stage, wanted: u32, found: u32 };
        /// There are no more vertex buffers and attributes than the device has.
        "pipeline-vertex-count", "{label} has {count} {what}; the device has {limit}"
        => VertexCount { label: Label, what: &'static str, count: u32, limit: u32 };
        /// Every attribute location occurs once.
        "pipeline-vertex-location", "{label} has two vertex attributes at location {location}"
        => VertexLocation { label: Label, location: u32 };
        /// The device can fetch an attribute's format.
        "pipeline-vertex-format", "{label}: the device cannot fetch vertex format {format}", format = format.name()
        => VertexFormat { label: Label, format: wgt::VertexFormat };
        /// Strides are multiples of 4 within the device's limit, and attributes are aligned and lie within their stride.
        "pipeline-vertex-stride", "{label}: attribute {location} of {bytes} bytes at offset {offset} does not fit a stride of {stride}; offsets are multiples of {align}, strides of 4 up to {limit}"
        => VertexStride { label: Label, location: u32, bytes: u64, offset: u64, stride: u32, align: u64, limit: u32 };
        /// There are no more color targets than the device has.
        "pipeline-target-count", "{label} has {count} color targets; the device has {limit}"
        => TargetCount { label: Label, count: u32, limit: u32 };
        /// The device can render to a target's format, and blend it where blending is on.
        "pipeline-target-format", "{label}: color target {target} has format {format}, which the device cannot {verb}", format = format.name()
        => TargetFormat { label: Label, target: u32, format: wgt::TextureFormat, verb: &'static str };
        /// The depth-stencil format is one that the device can test.
        "pipeline-depth-format", "{label}: {format} is no depth-stencil format of the device", format = format.name()
        => DepthFormat { label: Label, format: wgt::TextureFormat };
        /// Depth tests need a depth aspect, stencil tests a stencil aspect.
        "pipeline-depth-aspect", "{label} tests or writes {aspect}, which {format} has not", format = format.name()
        => DepthAspect { label: Label, aspect: &'static str, format: wgt::TextureFormat };
        /// A pipeline has as many samples a pixel as the device has of the formats of its attachments.
        "pipeline-samples", "{label} has {count}, which the device has not of {format}",
        count = counted(*count, "sample"), format = format.name()
        => Samples { label: Label, count: u32, format: wgt::TextureFormat };
        /// Sizes of points and lines are above 0 and at most 8191 pixels.
        "pipeline-size", "{label} draws {what} of {size} pixels; the device takes sizes above 0 and up to 8191"
        => Size { label: Label, what: &'static str, size: f32 };
        /// Every bit of a stipple pattern stands for 1 to 256 pixels.
        "pipeline-line-stipple", "{label} stipples lines with {factor} pixels for a bit; 1 to 256 are possible"
        => LineStipple { label: Label, factor: u16 };
        /// Depth bounds are in order within 0..1, and need a depth aspect.
        "pipeline-depth-bounds", "{label} has depth bounds {min} to {max} with {format}; they go from 0 to 1, upwards, and test a depth aspect",
        format = format.map_or("no depth format".to_owned(), |format| format!("depth format {}", format.name()))
        => DepthBounds { label: Label, min: f32, max: f32, format: Option<wgt::TextureFormat> };
        /// Only the depths of triangles are biased.
        "pipeline-depth-bias", "{label} biases the depths of a {topology}; only those of triangles can be", topology = topology.name()
        => DepthBias { label: Label, topology: wgt::PrimitiveTopology };
        /// A logic operation stands instead of blending.
        "pipeline-logic-op", "{label} has a logic operation, but blends color target {target}"
        => LogicOp { label: Label, target: u32 };
        /// Two sources blend into color target 0 alone.
        "pipeline-dual-source", "{label} blends color target {target} of {count} from two sources; only a single target 0 can be, and the fragment shader has to write both"
        => DualSource { label: Label, target: u32, count: u32 };
        /// Alpha becomes coverage of several samples, from the alpha of color target 0, where the shader gives no sample mask.
        "pipeline-alpha-to-coverage", "{label} makes coverage from alpha, but {reason}"
        => AlphaToCoverage { label: Label, reason: &'static str };
        /// A geometry shader runs a number of times for each primitive.
        "pipeline-geometry-invocations", "{label} runs its geometry shader {invocations} times for each primitive; 1 to {limit} are possible"
        => GeometryInvocations { label: Label, invocations: u32, limit: u32 };
        /// What goes to stream buffers is one to four whole words side by side, within a vertex, and apart from others.
        "pipeline-stream", "{label} writes output {output} of its stream to buffer {buffer}, but {reason}"
        => Stream { label: Label, output: u32, buffer: u32, reason: String };
        /// A pipeline has at least one attachment, unless it writes to stream buffers.
        "pipeline-attachments", "{label} has neither a color target nor a depth-stencil state"
        => NoAttachment { label: Label };
        /// The fixed-function feature exists on the device.
        "pipeline-feature", "{label} asks for {feature}, which the device has not"
        => Feature { label: Label, feature: &'static str };
        /// The layout belongs to the device of the pipeline.
        "pipeline-device", "{layout}, which {label} has, was made for another device"
        => Device { label: Label, layout: Label };
        /// Where the layout is derived, both shaders use a binding as the same thing.
        "pipeline-derive", "{label}: the layout cannot be derived, as @group({group}) @binding({binding}) is {vertex} in the vertex shader and {fragment} in the fragment shader"
        => Derive { label: Label, group: u32, binding: u32, vertex: String, fragment: String };
        /// A derived layout keeps the rules of layouts.
        "pipeline-derived-layout", "{label}: {source}"
        => DerivedLayout { label: Label, source: PipelineLayoutError };
        /// The code fits into the free video memory.
        "pipeline-memory", "{label}: {source}"
        => Memory { label: Label, source: MemoryError };
    }
}

/// Describes a pipeline layout, for [`Device::create_pipeline_layout`]. The default has neither sets nor push
/// constants.
#[derive(Clone, Copy, Debug, Default)]
pub struct PipelineLayoutDescriptor<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
    /// Set layouts by set number: `@group(n)` of a shader reads set `n`. At most [`MAX_DESCRIPTOR_SETS`].
    pub sets: &'a [&'a DescriptorSetLayout],
    /// Bytes of push constants, a multiple of 4, at most [`MAX_PUSH_CONSTANT_BYTES`].
    pub push_constant_bytes: u32,
}

/// Which sets and push constants a pipeline takes. Here, a fragment shader reads its colour from push constants:
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let (image, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
/// let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
///     label: Some("a color"),
///     sets: &[],
///     push_constant_bytes: 16,
/// })?;
/// let module = device.create_shader_module(&ShaderModuleDescriptor {
///     label: None,
///     source: ShaderSource::Wgsl("
///         var<immediate> color: vec4f;
///         @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
///             return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.5, 1.0);
///         }
///         @fragment fn fs() -> @location(0) vec4f { return color; }".into()),
/// })?;
/// # let stage = ShaderStage { module: &module, entry: None, constants: &[] };
/// # let pipeline = device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
/// #     label: None, layout: Some(&layout), vertex: stage, buffers: &[], geometry: None, stream: None, fragment: Some(stage),
/// #     targets: &[Some(TextureFormat::Rgba8Unorm.into())], primitive: PrimitiveState::default(), depth_stencil: None,
/// #     multisample: MultisampleState::default(), raster: RasterState::default(),
/// # })?;
/// # let mut commands = device.create_command_buffer(None);
/// # commands.begin_pass(&RenderPass { colors: &[Some(setup::blue(&view))], ..RenderPass::default() })?;
/// # commands.bind_pipeline(&pipeline)?;
/// commands.push_constants(0, &[0.0_f32, 1.0, 1.0, 1.0].map(f32::to_le_bytes).concat())?;
/// commands.draw(0..3, 0..1)?;
/// # commands.end_pass()?;
/// # queue.submit(&[&commands], &[])?;
/// assert_eq!(queue.read_picture(&image)?.get_pixel(8, 8).0, [0, 255, 255, 255]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PipelineLayout {
    pub(crate) inner: Arc<LayoutInner>,
}

#[derive(Debug)]
pub(crate) struct LayoutInner {
    pub(crate) label: Label,
    pub(crate) shared: Arc<Shared>,
    pub(crate) sets: Vec<DescriptorSetLayout>,
    pub(crate) layout: pipeline::layout::PipelineLayout,
}

impl PipelineLayout {
    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.inner.label
    }

    /// Set layouts by set number.
    pub fn sets(&self) -> &[DescriptorSetLayout] {
        &self.inner.sets
    }

    /// Bytes of push constants, a multiple of 4.
    pub fn push_constant_bytes(&self) -> u32 {
        self.inner.layout.push_constant_bytes
    }
}

/// How the elements of one vertex buffer lie: a stride and attributes within it. [VULKAN Vertex Input Description]
#[derive(Clone, Copy, Debug, Default)]
pub struct VertexBufferLayout<'a> {
    /// Bytes from one element to the next, a multiple of 4 up to
    /// [`Limits::vertex_stride`](crate::Limits::vertex_stride); 0 gives every vertex the first element.
    pub stride: u32,
    /// Whether the next element is read for the next vertex or for the next instance.
    pub step: wgt::VertexStepMode,
    /// What an element holds: format, byte offset and shader location of each attribute. Offsets are multiples of 4, or
    /// of the attribute's size if that is less.
    pub attributes: &'a [wgt::VertexAttribute],
}

/// An entry point of a module, with values for its overrides.
#[derive(Clone, Copy, Debug)]
pub struct ShaderStage<'a> {
    /// The checked shader.
    pub module: &'a ShaderModule,
    /// Name of the entry point; the only one of the stage when absent.
    pub entry: Option<&'a str>,
    /// Values of overrides, by name or `@id` number; others keep their defaults.
    pub constants: &'a [(&'a str, f64)],
}

impl<'a> From<&'a ShaderModule> for ShaderStage<'a> {
    /// The only entry point of the stage, with the defaults of overrides.
    fn from(module: &'a ShaderModule) -> ShaderStage<'a> {
        ShaderStage {
            module,
            entry: None,
            constants: &[],
        }
    }
}

/// The geometry shader of a pipeline, which makes other primitives of those that are drawn.
///
/// In WGSL it is a plain function, for example `gs`, that the module marks by a constant `gs_max_vertices`. It takes an
/// array of the vertices of a primitive: 1, 2 or 3, or with neighbours 4 for lines and 6 for triangles. The topology of the
/// pipeline says how those are found. It calls `emit_vertex` and `end_primitive`, functions with nothing in them. Sets that
/// are visible to vertex shaders are visible to it.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let (image, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
/// let module = device.create_shader_module(&ShaderModuleDescriptor::wgsl("
///     struct Vertex { @builtin(position) at: vec4f }
///     @vertex fn vs() -> Vertex { return Vertex(vec4f(0.0, 0.0, 0.5, 1.0)); }
///     fn emit_vertex(v: Vertex) {}
///     const gs_max_vertices: u32 = 4u;
///     fn gs(points: array<Vertex, 1>) {
///         for (var i = 0u; i < 4u; i++) {
///             let corner = vec2f(f32(i & 1u), f32(i >> 1u)) * 2.0 - 1.0;
///             emit_vertex(Vertex(points[0].at + vec4f(corner * 0.5, 0.0, 0.0)));
///         }
///     }
///     @fragment fn fs() -> @location(0) vec4f { return vec4f(1.0, 1.0, 0.0, 1.0); }"))?;
/// let pipeline = device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
///     geometry: Some(GeometryStage::new(&module, GeometryOutput::TriangleStrip)),
///     fragment: Some((&module).into()),
///     targets: &[Some(TextureFormat::Rgba8Unorm.into())],
///     primitive: PrimitiveState { topology: PrimitiveTopology::PointList, ..PrimitiveState::default() },
///     ..GraphicsPipelineDescriptor::new(&module)
/// })?;
/// # let mut commands = device.create_command_buffer(None);
/// # commands.begin_pass(&RenderPass { colors: &[Some(setup::blue(&view))], ..RenderPass::default() })?;
/// # commands.bind_pipeline(&pipeline)?;
/// commands.draw(0..1, 0..1)?;
/// # commands.end_pass()?;
/// # queue.submit(&[&commands], &[])?;
/// assert_eq!(queue.read_picture(&image)?.get_pixel(8, 8).0, [255, 255, 0, 255]);
/// assert_eq!(queue.read_picture(&image)?.get_pixel(1, 1).0, [0, 0, 255, 255]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GeometryStage<'a> {
    /// The shader.
    pub shader: ShaderStage<'a>,
    /// What the vertices make that it emits.
    pub output: GeometryOutput,
    /// How often it runs for each primitive, 1 to [`MAX_GEOMETRY_INVOCATIONS`].
    pub invocations: u32,
}

impl<'a> GeometryStage<'a> {
    /// One invocation for each primitive.
    pub fn new(shader: impl Into<ShaderStage<'a>>, output: GeometryOutput) -> GeometryStage<'a> {
        GeometryStage {
            shader: shader.into(),
            output,
            invocations: 1,
        }
    }
}

/// Describes a graphics pipeline: everything that shaders are compiled for. Viewport, scissor, blend constant and
/// stencil reference are set by commands.
#[derive(Clone, Debug)]
pub struct GraphicsPipelineDescriptor<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
    /// Sets and push constants; none derives them from what the shaders use. Descriptor sets are then made with
    /// [`GraphicsPipeline::set_layout`].
    pub layout: Option<&'a PipelineLayout>,
    /// Vertex shader.
    pub vertex: ShaderStage<'a>,
    /// Vertex buffers by slot, up to [`Limits::vertex_buffers`](crate::Limits::vertex_buffers), with up to
    /// [`Limits::vertex_attributes`](crate::Limits::vertex_attributes) attributes in all.
    pub buffers: &'a [VertexBufferLayout<'a>],
    /// Geometry shader, on devices that have [`Features::geometry`](crate::Features::geometry).
    pub geometry: Option<GeometryStage<'a>>,
    /// What is written to buffers before anything is drawn, on devices that have
    /// [`Features::stream_output`](crate::Features::stream_output).
    pub stream: Option<StreamOutput<'a>>,
    /// Fragment shader; none writes depth and stencil only, and `targets` does not count.
    pub fragment: Option<ShaderStage<'a>>,
    /// Format, blending and write mask of each colour attachment, by number; up to
    /// [`Limits::color_attachments`](crate::Limits::color_attachments). Attachments that are none here are left alone.
    pub targets: &'a [Option<wgt::ColorTargetState>],
    /// Topology, culling, winding, fill mode.
    pub primitive: wgt::PrimitiveState,
    /// Depth and stencil tests, and the format of the attachment; none tests nothing.
    pub depth_stencil: Option<wgt::DepthStencilState>,
    /// Samples: how many (`docs/multisampling.md` says where they are), which of them are drawn, alpha to coverage.
    pub multisample: wgt::MultisampleState,
    /// Everything that WebGPU has no words for: wide lines and points, stipple, depth bounds, logic operations.
    pub raster: RasterState,
}

/// Shaders compiled to the chip's machine code, with the state that goes with them.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let (image, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
/// # let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor::default())?;
/// let text = "
///     @vertex fn vs(@location(0) at: vec2f) -> @builtin(position) vec4f { return vec4f(at, 0.0, 1.0); }
///     @fragment fn fs() -> @location(0) vec4f { return vec4f(1.0); }";
/// # let shader = setup::shader(&device, text)?;
/// let stage = ShaderStage { module: &shader, entry: None, constants: &[] };
/// let pipeline = device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
///     label: Some("red and alpha"),
///     layout: Some(&layout),
///     vertex: stage,
///     buffers: &[VertexBufferLayout {
///         stride: 8,
///         step: VertexStepMode::Vertex,
///         attributes: &[VertexAttribute { format: VertexFormat::Float32x2, offset: 0, shader_location: 0 }],
///     }],
///     geometry: None,
///     stream: None,
///     fragment: Some(stage),
///     targets: &[Some(ColorTargetState {
///         format: TextureFormat::Rgba8Unorm,
///         blend: None,
///         write_mask: ColorWrites::RED | ColorWrites::ALPHA,
///     })],
///     primitive: PrimitiveState::default(),
///     depth_stencil: None,
///     multisample: MultisampleState::default(),
///     raster: RasterState::default(),
/// })?;
/// assert!(pipeline.listing(Stage::Vertex).is_some_and(|text| !text.is_empty()));
///
/// # let corners = setup::buffer(&device, 24, BufferUsages::VERTEX)?;
/// corners.write(0, &[-1.0_f32, -1.0, 3.0, -1.0, -1.0, 3.0].map(f32::to_le_bytes).concat())?;
/// # let mut commands = device.create_command_buffer(None);
/// # commands.begin_pass(&RenderPass { colors: &[Some(setup::blue(&view))], ..RenderPass::default() })?;
/// commands.bind_pipeline(&pipeline)?;
/// commands.bind_vertex_buffer(0, &corners, 0)?;
/// commands.draw(0..3, 0..1)?;
/// # commands.end_pass()?;
/// # queue.submit(&[&commands], &[])?;
/// assert_eq!(queue.read_picture(&image)?.get_pixel(8, 8).0, [255, 0, 255, 255]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphicsPipeline {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) label: Label,
    pub(crate) layout: PipelineLayout,
    pub(crate) compiled: CompiledPipeline,
    /// What the shaders take of buffers.
    pub(crate) buffers: Vec<BufferNeed>,
    /// Keeps the code where it is.
    _code: Vec<Allocation>,
}

/// Bytes that a stage reads or writes through a binding, at least: its type, with one element of a run-time array.
/// [WEBGPU minimum buffer binding size]
#[derive(Clone, Debug)]
pub(crate) struct BufferNeed {
    pub(crate) group: u32,
    pub(crate) binding: u32,
    pub(crate) stage: Stage,
    /// Name in the shader.
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

impl GraphicsPipeline {
    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.inner.label
    }

    /// Its layout, derived or given.
    pub fn layout(&self) -> &PipelineLayout {
        &self.inner.layout
    }

    /// The layout of set `index`, for sets of this pipeline; none for a number that it does not have.
    pub fn set_layout(&self, index: u32) -> Option<&DescriptorSetLayout> {
        self.inner.layout.sets().get(index as usize)
    }

    /// Assembly text of the machine code of a stage, as the device's assembler reads it; none for a stage that is not
    /// there.
    pub fn listing(&self, stage: Stage) -> Option<String> {
        self.inner
            .compiled
            .binary(stage)
            .map(|binary| binary.listing())
    }

    /// The device that it belongs to.
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.inner.layout.inner.shared
    }

    pub(crate) fn state(&self) -> &GraphicsState {
        &self.inner.compiled.state
    }
}

impl<'a> GraphicsPipelineDescriptor<'a> {
    /// A vertex shader with everything else as it is by default: the derived layout, no fragment shader, no targets,
    /// triangles, one sample.
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
    /// # use girih::*;
    /// # let (device, queue) = setup::device()?;
    /// let shader = device.create_shader_module(&ShaderModuleDescriptor::wgsl("
    ///     @group(0) @binding(0) var<uniform> tint: vec4f;
    ///     @vertex fn vs() -> @builtin(position) vec4f { return vec4f(0.0); }
    ///     @fragment fn fs() -> @location(0) vec4f { return tint; }"))?;
    /// let pipeline = device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
    ///     fragment: Some((&shader).into()),
    ///     targets: &[Some(TextureFormat::Rgba8Unorm.into())],
    ///     ..GraphicsPipelineDescriptor::new(&shader)
    /// })?;
    /// let layout = pipeline.set_layout(0).ok_or("no set 0")?;
    /// let entry = layout.entries().next().ok_or("no binding")?;
    /// assert_eq!((entry.binding, entry.visibility), (0, ShaderStages::FRAGMENT));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(vertex: impl Into<ShaderStage<'a>>) -> GraphicsPipelineDescriptor<'a> {
        GraphicsPipelineDescriptor {
            label: None,
            layout: None,
            vertex: vertex.into(),
            buffers: &[],
            geometry: None,
            stream: None,
            fragment: None,
            targets: &[],
            primitive: wgt::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgt::MultisampleState::default(),
            raster: RasterState::default(),
        }
    }
}

impl Device {
    /// Makes the layout that the stages of a pipeline need, as their interfaces say it
    /// ([`ShaderModule::interface`](crate::ShaderModule::interface)). Its set layouts
    /// ([`PipelineLayout::sets`]) are those of descriptor sets, and may be shared by pipelines.
    ///
    /// Errors: [`PipelineLayoutError::Conflict`], [`Sets`](PipelineLayoutError::Sets),
    /// [`PushConstants`](PipelineLayoutError::PushConstants).
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
    /// # use girih::*;
    /// # let (device, queue) = setup::device()?;
    /// let shader = device.create_shader_module(&ShaderModuleDescriptor::wgsl("
    ///     @group(1) @binding(2) var<uniform> tint: vec4f;
    ///     @fragment fn fs() -> @location(0) vec4f { return tint; }
    /// "))?;
    /// let interface = shader.interface(None, None, &[])?;
    /// let layout = device.derive_pipeline_layout(Some("tinted"), &[&interface])?;
    /// assert_eq!(layout.sets()[1].entries().next(), Some(&interface.bindings[0].entry));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn derive_pipeline_layout(
        &self,
        label: Option<&str>,
        stages: &[&ShaderInterface],
    ) -> Result<PipelineLayout, PipelineLayoutError> {
        let label = self.label_of("pipeline layout", label);
        let bindings = stages.iter().flat_map(|stage| &stage.bindings);
        let used = bindings.map(|binding| (binding.set, binding.entry));
        let push = stages.iter().map(|stage| stage.push_constant_bytes).max();
        derive::of_bindings(self, &label, used, push.unwrap_or(0)).map_err(|error| match error {
            DeriveError::Conflict {
                group,
                binding,
                uses: [one, other],
            } => PipelineLayoutError::Conflict {
                label,
                group,
                binding,
                one: one.name(),
                other: other.name(),
            },
            DeriveError::Layout(source) => source,
        })
    }

    /// Makes a pipeline layout.
    ///
    /// Errors: any of [`PipelineLayoutError`].
    pub fn create_pipeline_layout(
        &self,
        desc: &PipelineLayoutDescriptor<'_>,
    ) -> Result<PipelineLayout, PipelineLayoutError> {
        let label = self.label_of("pipeline layout", desc.label);
        let count = desc.sets.len() as u32;
        if count > MAX_DESCRIPTOR_SETS {
            return Err(PipelineLayoutError::Sets {
                label,
                count,
                limit: MAX_DESCRIPTOR_SETS,
            });
        }
        let (bytes, limit) = (desc.push_constant_bytes, MAX_PUSH_CONSTANT_BYTES);
        if bytes > limit || !bytes.is_multiple_of(4) {
            return Err(PipelineLayoutError::PushConstants {
                label,
                bytes,
                limit,
            });
        }
        let other = |set: &&&DescriptorSetLayout| !self.shared.owns(&set.inner.shared);
        if let Some(set) = desc.sets.iter().find(other) {
            return Err(PipelineLayoutError::Device {
                label,
                set: set.label().clone(),
            });
        }
        let layouts = desc.sets.iter().map(|set| set.inner.layout.clone());
        Ok(PipelineLayout {
            inner: Arc::new(LayoutInner {
                label,
                shared: self.shared.clone(),
                sets: desc.sets.iter().map(|&set| set.clone()).collect(),
                layout: pipeline::layout::PipelineLayout {
                    sets: layouts.collect(),
                    push_constant_bytes: bytes,
                },
            }),
        })
    }

    /// Compiles, links and uploads a graphics pipeline.
    ///
    /// Errors: any of [`GraphicsPipelineError`]; those of shaders and compiling name the stage and the line.
    pub fn create_graphics_pipeline(
        &self,
        desc: &GraphicsPipelineDescriptor<'_>,
    ) -> Result<GraphicsPipeline, GraphicsPipelineError> {
        let label = self.label_of("graphics pipeline", desc.label);
        if let Some(layout) = desc.layout
            && !self.shared.owns(&layout.inner.shared)
        {
            return Err(GraphicsPipelineError::Device {
                label,
                layout: layout.label().clone(),
            });
        }
        let state = GraphicsState {
            vertex_buffers: desc.buffers.iter().map(owned).collect(),
            primitive: desc.primitive,
            depth_stencil: desc.depth_stencil.clone(),
            multisample: desc.multisample,
            raster: desc.raster,
            geometry: (desc.geometry.as_ref())
                .map(|stage| GeometryState::new(stage.output, stage.invocations)),
            stream: desc.stream.as_ref().map(|stream| StreamLayout {
                outputs: stream.outputs.to_vec(),
                strides: stream.strides,
            }),
            targets: match desc.fragment {
                Some(_) => desc.targets.to_vec(),
                None => Vec::new(),
            },
        };
        validate::pipeline::state(self, &label, &state)?;
        let open = desc.layout.map(laid_out).unwrap_or_default();
        let given = |stage: &ShaderStage<'_>| stage.module.inner.module.laid_out(&open);
        let vertex = given(&desc.vertex);
        let geometry = (desc.geometry.as_ref()).and_then(|stage| given(&stage.shader));
        let fragment = desc.fragment.as_ref().and_then(given);
        let source = PipelineSource {
            vertex: stage_source(&desc.vertex, vertex.as_ref()),
            geometry: (desc.geometry.as_ref())
                .map(|stage| stage_source(&stage.shader, geometry.as_ref())),
            fragment: (desc.fragment.as_ref()).map(|stage| stage_source(stage, fragment.as_ref())),
        };
        let failed = |error| failure(&label, desc, error);
        let linked =
            LinkedStages::link(self.shared.driver.target, &source, state).map_err(failed)?;
        let layout = match desc.layout {
            Some(layout) => layout.clone(),
            None => derived(self, &label, &linked)?,
        };
        let mut buffers = Vec::new();
        for stage in GRAPHICS_STAGES {
            if let Some(interface) = linked.interface(stage) {
                validate::interface::interface(&layout, stage, interface)
                    .map_err(|misfit| misfit.graphics(&label, &layout, stage))?;
                buffers.extend(buffer_needs(stage, interface));
            }
        }
        validate::raster::outputs(&label, &linked)?;
        let target = self.shared.driver.target;
        let mut compiled = linked
            .compile(target, &layout.inner.layout)
            .map_err(failed)?;
        let code = Allocation::of_code(&self.shared, |allocate| {
            compiled.upload(&self.shared.driver, allocate)
        });
        let code = match code {
            Err(source) => return Err(GraphicsPipelineError::Memory { label, source }),
            Ok(code) => code,
        };
        Ok(GraphicsPipeline {
            inner: Arc::new(Inner {
                label,
                layout,
                compiled,
                buffers,
                _code: code,
            }),
        })
    }
}

/// Stages of graphics pipelines.
const GRAPHICS_STAGES: [Stage; 3] = [Stage::Vertex, Stage::Geometry, Stage::Fragment];

/// The layout with what the stages use.
fn derived(
    device: &Device,
    label: &Label,
    linked: &LinkedStages,
) -> Result<PipelineLayout, GraphicsPipelineError> {
    let stages = GRAPHICS_STAGES.into_iter();
    let stages = stages.filter_map(|stage| {
        Some(StageUse {
            stage,
            interface: linked.interface(stage)?,
            image_ops: linked.image_ops(stage).collect(),
        })
    });
    let stages: Vec<StageUse<'_>> = stages.collect();
    derive::layout(device, label, &stages).map_err(|error| match error {
        DeriveError::Conflict {
            group,
            binding,
            uses: [one, other],
        } => GraphicsPipelineError::Derive {
            label: label.clone(),
            group,
            binding,
            vertex: one.name(),
            fragment: other.name(),
        },
        DeriveError::Layout(source) => GraphicsPipelineError::DerivedLayout {
            label: label.clone(),
            source,
        },
    })
}

/// A failure of the driver as the interface says it.
fn failure(
    label: &Label,
    desc: &GraphicsPipelineDescriptor<'_>,
    error: PipelineError,
) -> GraphicsPipelineError {
    let label = label.clone();
    let module = |stage| match (stage, &desc.geometry, &desc.fragment) {
        (Stage::Fragment, _, Some(fragment)) => fragment.module.label().clone(),
        (Stage::Geometry, Some(geometry), _) => geometry.shader.module.label().clone(),
        _ => desc.vertex.module.label().clone(),
    };
    match error {
        PipelineError::Shader { stage, source } => GraphicsPipelineError::Shader {
            label,
            stage,
            module: module(stage),
            source,
        },
        PipelineError::Compile { stage, source } => GraphicsPipelineError::Compile {
            label,
            stage,
            module: module(stage),
            source: Box::new(source),
        },
        PipelineError::Link(source) => GraphicsPipelineError::Link { label, source },
    }
}

/// Buffers that a stage uses, with the bytes that it takes of them.
pub(crate) fn buffer_needs(
    stage: Stage,
    interface: &Interface,
) -> impl Iterator<Item = BufferNeed> {
    let needs = interface.resources.iter().map(move |resource| BufferNeed {
        group: resource.slot.group,
        binding: resource.slot.binding,
        stage,
        name: resource.name.clone(),
        bytes: derive::min_bytes(&resource.kind),
    });
    needs.filter(|need| need.bytes > 0)
}

fn owned(layout: &VertexBufferLayout<'_>) -> OwnedVertexBufferLayout {
    OwnedVertexBufferLayout {
        stride: layout.stride,
        step: layout.step,
        attributes: layout.attributes.to_vec(),
    }
}

/// What a layout says of every binding.
fn laid_out(layout: &PipelineLayout) -> BTreeMap<Slot, LaidOut> {
    let sets = (0..).zip(layout.sets());
    let all = sets.flat_map(|(group, set)| {
        let entries = set.inner.entries.iter();
        entries.map(move |(&binding, entry)| {
            let count = entry.count.map_or(1, NonZeroU32::get);
            let layered = matches!(entry.ty, BindingType::InputAttachment { layered: true, .. });
            (Slot { group, binding }, LaidOut { count, layered })
        })
    });
    all.collect()
}

/// A stage; `given` stands for its module where that leaves something to the layout.
pub(crate) fn stage_source<'a>(
    stage: &ShaderStage<'a>,
    given: Option<&'a CheckedModule>,
) -> StageSource<'a> {
    StageSource {
        module: given.unwrap_or(&stage.module.inner.module),
        entry: stage.entry,
        constants: stage.constants,
    }
}
