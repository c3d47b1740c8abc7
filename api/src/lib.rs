//! Virtual GPUs: shaders are compiled to the machine code of a real chip, which an emulated chip runs from video memory.
//!
//! The interface is explicit in the way of Vulkan and speaks the vocabulary of `wgpu-types`. Clip space is WebGPU's: y
//! points up, depth is 0 to 1. The origin of windows and images is the top left corner. A triangle:
//!
//! ```
//! use girih::*;
//!
//! let gpu = Instance::new().physical_devices().next().ok_or("no device")?;
//! let device = gpu.create_device(&DeviceDescriptor::default())?;
//! let queue = device.queue();
//!
//! let shader = device.create_shader_module(&ShaderModuleDescriptor {
//!     label: Some("triangle"),
//!     source: ShaderSource::Wgsl(
//!         "@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
//!              return vec4f(f32(i & 1u) * 2.0 - 1.0, f32(i >> 1u) * 2.0 - 1.0, 0.0, 1.0);
//!          }
//!          @fragment fn fs() -> @location(0) vec4f { return vec4f(1.0, 0.5, 0.0, 1.0); }"
//!             .into(),
//!     ),
//! })?;
//! let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor::default())?;
//! let stage = ShaderStage { module: &shader, entry: None, constants: &[] };
//! let pipeline = device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
//!     label: Some("triangle"),
//!     layout: Some(&layout),
//!     vertex: stage,
//!     buffers: &[],
//!     geometry: None,
//!     stream: None,
//!     fragment: Some(stage),
//!     targets: &[Some(TextureFormat::Rgba8Unorm.into())],
//!     primitive: PrimitiveState::default(),
//!     depth_stencil: None,
//!     multisample: MultisampleState::default(),
//!     raster: RasterState::default(),
//! })?;
//!
//! let image = device.create_image(&ImageDescriptor {
//!     label: Some("picture"),
//!     dimension: TextureDimension::D2,
//!     size: Extent3d { width: 64, height: 64, depth_or_array_layers: 1 },
//!     levels: 1,
//!     samples: 1,
//!     format: TextureFormat::Rgba8Unorm,
//!     usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
//!     placement: None,
//! })?;
//! let view = device.create_image_view(&image, &ImageViewDescriptor::default())?;
//!
//! let mut commands = device.create_command_buffer(Some("frame"));
//! commands.transition(&image, ImageLayout::Undefined, ImageLayout::ColorAttachment)?;
//! commands.begin_pass(&RenderPass {
//!     label: Some("draw"),
//!     colors: &[Some(ColorAttachment {
//!         view: &view,
//!         resolve: None,
//!         load: LoadOp::Clear(Color::BLUE),
//!         store: StoreOp::Store,
//!     })],
//!     depth_stencil: None,
//! })?;
//! commands.bind_pipeline(&pipeline)?;
//! commands.draw(0..3, 0..1)?;
//! commands.end_pass()?;
//! commands.transition(&image, ImageLayout::ColorAttachment, ImageLayout::CopySource)?;
//! queue.submit(&[&commands], &[])?;
//!
//! let picture = queue.read_picture(&image)?;
//! assert_eq!(picture.get_pixel(10, 50).0, [255, 128, 0, 255]);
//! assert_eq!(picture.get_pixel(50, 10).0, [0, 0, 255, 255]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Two passes: the first draws a triangle to a texture, the second shows the texture twice, side by side. Between them, a
//! transition says that the texture is done being drawn to. The layout of the set comes from the shader.
//!
//! ```
//! use girih::*;
//!
//! const SHADER: &str = "
//!     struct Corner { @builtin(position) at: vec4f, @location(0) uv: vec2f }
//!     @vertex fn corner(@location(0) at: vec2f, @location(1) uv: vec2f) -> Corner {
//!         return Corner(vec4f(at, 0.0, 1.0), uv);
//!     }
//!     @fragment fn orange() -> @location(0) vec4f { return vec4f(1.0, 0.5, 0.0, 1.0); }
//!
//!     @group(0) @binding(0) var texels: texture_2d<f32>;
//!     @group(0) @binding(1) var repeated: sampler;
//!     @fragment fn textured(in: Corner) -> @location(0) vec4f { return textureSample(texels, repeated, in.uv); }";
//!
//! fn draw(gpu: &PhysicalDevice) -> Result<[[u8; 4]; 4], Error> {
//!     let device = gpu.create_device(&DeviceDescriptor::default())?;
//!     let queue = device.queue();
//!     let module = device.create_shader_module(&ShaderModuleDescriptor::wgsl(SHADER))?;
//!     let stage = |entry| ShaderStage { entry: Some(entry), ..(&module).into() };
//!     let pipeline = |fragment| {
//!         device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
//!             label: Some(fragment),
//!             buffers: &[VertexBufferLayout {
//!                 stride: 16,
//!                 attributes: &vertex_attributes![0 => Float32x2, 1 => Float32x2],
//!                 ..Default::default()
//!             }],
//!             fragment: Some(stage(fragment)),
//!             targets: &[Some(TextureFormat::Rgba8Unorm.into())],
//!             ..GraphicsPipelineDescriptor::new(stage("corner"))
//!         })
//!     };
//!     let (orange, textured) = (pipeline("orange")?, pipeline("textured")?);
//!     // Three corners that cover everything: position, texture coordinate. The texture repeats.
//!     let corners = [[-1.0_f32, -1.0, 0.0, 1.0], [3.0, -1.0, 4.0, 1.0], [-1.0, 3.0, 0.0, -1.0]];
//!     let vertices = device.create_buffer_init(&BufferInitDescriptor {
//!         label: Some("corners"),
//!         contents: &corners.concat().into_iter().flat_map(f32::to_le_bytes).collect::<Vec<u8>>(),
//!         usage: BufferUsages::VERTEX,
//!     })?;
//!     let image = |label, edge, usage| {
//!         device.create_image(&ImageDescriptor {
//!             label: Some(label),
//!             size: Extent3d { width: edge, height: edge, depth_or_array_layers: 1 },
//!             usage: TextureUsages::RENDER_ATTACHMENT | usage,
//!             ..Default::default()
//!         })
//!     };
//!     let texture = image("texture", 32, TextureUsages::TEXTURE_BINDING)?;
//!     let picture = image("picture", 64, TextureUsages::COPY_SRC)?;
//!     let texture_view = device.create_image_view(&texture, &ImageViewDescriptor::default())?;
//!     let picture_view = device.create_image_view(&picture, &ImageViewDescriptor::default())?;
//!     let sampler = device.create_sampler(&SamplerDescriptor {
//!         address_mode_u: AddressMode::Repeat,
//!         address_mode_v: AddressMode::Repeat,
//!         ..Default::default()
//!     })?;
//!     let set = device.create_descriptor_set(&DescriptorSetDescriptor {
//!         label: Some("texture"),
//!         layout: textured.set_layout(0).expect("the shader has set 0"),
//!         entries: &[(0, (&texture_view).into()), (1, (&sampler).into())],
//!     })?;
//!
//!     let mut commands = device.create_command_buffer(Some("two passes"));
//!     let attached = ImageLayout::ColorAttachment;
//!     commands.transition_all(&[(&texture, attached), (&picture, attached)])?;
//!     let to_texture = ColorAttachment { load: LoadOp::Clear(Color::BLUE), ..(&texture_view).into() };
//!     commands.begin_pass(&RenderPass { colors: &[Some(to_texture)], ..Default::default() })?;
//!     commands.bind_pipeline(&orange)?;
//!     commands.bind_vertex_buffer(0, &vertices, 0)?;
//!     commands.set_scissor(Rect { x: 0, y: 0, width: 16, height: 32 })?; // the left half
//!     commands.draw(0..3, 0..1)?;
//!     commands.end_pass()?;
//!
//!     commands.transition_all(&[(&texture, ImageLayout::ShaderReadOnly)])?;
//!     commands.begin_pass(&RenderPass { colors: &[Some((&picture_view).into())], ..Default::default() })?;
//!     commands.bind_pipeline(&textured)?;
//!     commands.bind_descriptor_set(0, &set, &[])?;
//!     commands.bind_vertex_buffer(0, &vertices, 0)?;
//!     commands.draw(0..3, 0..1)?;
//!     commands.end_pass()?;
//!     commands.transition_all(&[(&picture, ImageLayout::CopySource)])?;
//!     queue.submit(&[&commands], &[])?;
//!
//!     let picture = queue.read_picture(&picture)?;
//!     Ok([8, 24, 40, 56].map(|x| picture.get_pixel(x, 32).0))
//! }
//!
//! for gpu in Instance::new().physical_devices() {
//!     let (orange, blue) = ([255, 128, 0, 255], [0, 0, 255, 255]);
//!     assert_eq!(draw(&gpu)?, [orange, blue, orange, blue]);
//! }
//! # Ok::<(), Error>(())
//! ```
//!
//! | Module | What is in it |
//! |---|---|
//! | [`instance`] | which devices there are |
//! | [`device`], [`queue`] | a powered-on chip; submitting; host copies |
//! | [`memory`], [`buffer`], [`image`](mod@image), [`sampler`] | resources |
//! | [`descriptor`] | what shaders read through groups and bindings |
//! | [`shader`], [`pipeline`], [`compute`] | shaders in, compiled pipelines out |
//! | [`command`], [`pass`], [`copy`], [`blit`], [`clear`], [`query`] | recording |
//! | [`sync`] | fences |
//! | [`capture`] | what a device executes, kept and executed again |
//! | [`tiling`] | how images lie in video memory |
//! | [`driver`] | compiler and assembler, for tools |
//!
//! Every error says which rule was broken; `docs/rules.md` lists the rules, and [`Error`] is any of them. Calls never panic on what they are given,
//! and what a shader does wrong on the chip loses the device, with the chip's own words for it, not the program.

#![forbid(unsafe_code)]

mod any;
mod bind;
mod binding;
pub mod blit;
pub mod buffer;
pub mod capture;
pub mod clear;
pub mod command;
pub mod compute;
pub mod copy;
mod derive;
pub mod descriptor;
pub mod device;
pub mod driver;
mod encode;
pub mod error;
pub mod image;
pub mod instance;
pub mod memory;
mod own_pixels;
pub mod pass;
mod picture;
pub mod pipeline;
#[cfg(feature = "window")]
pub mod present;
pub mod query;
pub mod queue;
mod recorded;
pub mod reflect;
mod resolve;
pub mod rules;
pub mod sampler;
pub mod shader;
pub mod stream;
pub mod sync;
pub mod tiling;
mod validate;
mod vertex;

pub use any::Error;
pub use binding::{BindGroupLayoutEntry, BindingType};
pub use blit::{BlitError, ImageBlit};
pub use buffer::{AccessError, Buffer, BufferDescriptor, BufferError, BufferInitDescriptor};
pub use capture::{Capture, CaptureError, CapturedPicture, Step};
pub use clear::{ClearAttachment, ClearError};
pub use command::{CommandBuffer, CommandError};
pub use compute::{ComputePipeline, ComputePipelineDescriptor, ComputePipelineError};
pub use copy::{BufferCopy, CopyError, ImageCopy};
pub use descriptor::{
    BufferBinding, Descriptor, DescriptorSet, DescriptorSetDescriptor, DescriptorSetLayout,
    DescriptorSetLayoutDescriptor, SetError, SetLayoutError, TexelBinding,
};
pub use device::{Device, DeviceDescriptor, DeviceError, Queue, Simd, TrappedShader};
pub use error::{Label, Rule};
pub use image::{
    Image, ImageDescriptor, ImageError, ImageLayout, ImageView, ImageViewDescriptor,
    ImageViewError, Subresources,
};
pub use instance::{Instance, InstanceError, PhysicalDevice};
pub use memory::{Heap, HeapDescriptor, HeapError, Placement};
pub use pass::{
    AspectAccess, ColorAttachment, ComputePass, DepthStencilAttachment, DepthStencilResolve,
    PassError, RenderPass, Resolve, ResolveMode,
};
pub use pipeline::{
    GeometryOutput, GeometryStage, GraphicsPipeline, GraphicsPipelineDescriptor,
    GraphicsPipelineError, LineMode, LineStipple, LogicOp, MAX_GEOMETRY_INVOCATIONS,
    PipelineLayout, PipelineLayoutDescriptor, PipelineLayoutError, ProvokingVertex, RasterState,
    ShaderStage, VertexBufferLayout,
};
pub use query::{
    Clock, QueryCopy, QueryError, QueryKind, QuerySet, QuerySetDescriptor, QueryValue, Statistics,
    StreamCounts,
};
pub use queue::SubmitError;
pub use reflect::{
    Interpolation, Scalar, ShaderBinding, ShaderConstant, ShaderGeometry, ShaderInterface,
    ShaderVariable,
};
pub use sampler::{BorderColor, Reduction, Sampler, SamplerDescriptor, SamplerError};
pub use shader::{ShaderError, ShaderModule, ShaderModuleDescriptor, ShaderSource, Stage};
pub use stream::{
    CountedDraw, MAX_STREAM_STRIDE, StreamCounter, StreamError, StreamOutput, StreamSource,
    StreamedOutput,
};
pub use sync::{Fence, FenceError};
pub use tiling::{ImageMemory, Part, Surface};
pub use validate::dispatch::DispatchError;
pub use validate::draw::DrawError;

pub use ::pipeline::layout::{
    MAX_DESCRIPTOR_SETS, MAX_PUSH_CONSTANT_BYTES, MAX_TEXEL_BUFFER_TEXELS,
};
/// naga, in the version whose modules [`ShaderSource::Naga`] takes.
pub use ::pipeline::naga;
pub use ::pipeline::silicon::texture::format::FormatCapabilities;
pub use ::pipeline::silicon::{
    Addr, Features, Info, Limits, MemoryError, Stats, Trap, WorkgroupLimits,
};
pub use ::pipeline::state::{Rect, Viewport};
/// The vocabulary of formats, states and usages that this interface speaks; what it uses is named below, too.
pub use wgpu_types;
pub use wgpu_types::{
    AddressMode, AstcBlock, AstcChannel, BlendComponent, BlendFactor, BlendOperation, BlendState,
    BufferBindingType, BufferUsages, Color, ColorTargetState, ColorWrites, CompareFunction,
    DepthBiasState, DepthStencilState, Extent3d, Face, FilterMode, FrontFace, IndexFormat, LoadOp,
    MipmapFilterMode, MultisampleState, Origin3d, PolygonMode, PrimitiveState, PrimitiveTopology,
    SamplerBindingType, ShaderStages, StencilFaceState, StencilOperation, StencilState,
    StorageTextureAccess, StoreOp, TextureAspect, TextureDimension, TextureFormat,
    TextureSampleType, TextureUsages, TextureViewDimension, VertexAttribute, VertexFormat,
    VertexStepMode,
};
