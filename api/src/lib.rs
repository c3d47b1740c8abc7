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
//! Two passes: the first draws orange to a texture, the second samples it, half as bright, into a picture. Between the two,
//! a transition says that the texture is done being drawn to.
//!
//! ```
//! # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
//! # use girih::*;
//! # let (device, queue) = setup::device()?;
//! # let (texture, texture_view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
//! # let (image, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
//! # let orange = setup::pipeline(&device, setup::FILL, &[], |_| ())?;
//! let entry = |binding, ty| BindGroupLayoutEntry {
//!     binding,
//!     visibility: ShaderStages::FRAGMENT,
//!     ty,
//!     count: None,
//! };
//! let layout = device.create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
//!     label: Some("a texture"),
//!     entries: &[
//!         entry(0, BindingType::Texture {
//!             sample_type: TextureSampleType::Float { filterable: true },
//!             view_dimension: TextureViewDimension::D2,
//!             multisampled: false,
//!         }),
//!         entry(1, BindingType::Sampler(SamplerBindingType::Filtering)),
//!     ],
//! })?;
//! let sampler = device.create_sampler(&SamplerDescriptor::default())?;
//! let set = device.create_descriptor_set(&DescriptorSetDescriptor {
//!     label: Some("the first picture"),
//!     layout: &layout,
//!     entries: &[(0, (&texture_view).into()), (1, (&sampler).into())],
//! })?;
//! let shader = "
//!     @group(0) @binding(0) var texels: texture_2d<f32>;
//!     @group(0) @binding(1) var filtered: sampler;
//!     @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
//!         return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
//!     }
//!     @fragment fn fs(@builtin(position) at: vec4f) -> @location(0) vec4f {
//!         return vec4f(textureSample(texels, filtered, at.xy / 16.0).rgb * 0.5, 1.0);
//!     }";
//! # let darker = setup::pipeline(&device, shader, &[&layout], |_| ())?;
//!
//! let mut commands = device.create_command_buffer(Some("two passes"));
//! let draw = (&texture, &texture_view, &orange, None);
//! let sample = (&image, &view, &darker, Some(&set));
//! for (target, view, pipeline, set) in [draw, sample] {
//!     commands.transition(target, ImageLayout::Undefined, ImageLayout::ColorAttachment)?;
//!     commands.begin_pass(&RenderPass {
//!         label: None,
//!         colors: &[Some(ColorAttachment {
//!             view,
//!             resolve: None,
//!             load: LoadOp::Clear(Color::BLACK),
//!             store: StoreOp::Store,
//!         })],
//!         depth_stencil: None,
//!     })?;
//!     commands.bind_pipeline(pipeline)?;
//!     if let Some(set) = set {
//!         commands.bind_descriptor_set(0, set, &[])?;
//!     }
//!     commands.draw(0..3, 0..1)?;
//!     commands.end_pass()?;
//!     commands.transition(target, ImageLayout::ColorAttachment, ImageLayout::ShaderReadOnly)?;
//! }
//! commands.transition(&image, ImageLayout::ShaderReadOnly, ImageLayout::CopySource)?;
//! queue.submit(&[&commands], &[])?;
//! let [red, green, ..] = queue.read_picture(&image)?.get_pixel(8, 8).0;
//! assert!((127..=128).contains(&red) && green == 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | Module | What is in it |
//! |---|---|
//! | [`instance`] | which devices there are |
//! | [`device`], [`queue`] | a powered-on chip; submitting; host copies |
//! | [`memory`], [`buffer`], [`image`](mod@image), [`sampler`] | resources |
//! | [`descriptor`] | what shaders read through groups and bindings |
//! | [`shader`], [`pipeline`] | shaders in, compiled pipelines out |
//! | [`command`], [`pass`], [`copy`], [`blit`], [`clear`], [`query`] | recording |
//! | [`sync`] | fences |
//! | [`tiling`] | how images lie in video memory |
//! | [`driver`] | compiler and assembler, for tools |
//!
//! Every error says which rule was broken; `docs/rules.md` lists the rules. Calls never panic on what they are given,
//! and what a shader does wrong on the chip loses the device, with the chip's own words for it, not the program.

#![forbid(unsafe_code)]

mod any;
mod bind;
pub mod blit;
pub mod buffer;
pub mod clear;
pub mod command;
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
pub mod pass;
mod picture;
pub mod pipeline;
#[cfg(feature = "window")]
pub mod present;
pub mod query;
pub mod queue;
mod recorded;
mod resolve;
pub mod rules;
pub mod sampler;
pub mod shader;
pub mod sync;
pub mod tiling;
mod validate;
mod vertex;

pub use any::Error;
pub use blit::{BlitError, ImageBlit};
pub use buffer::{AccessError, Buffer, BufferDescriptor, BufferError, BufferInitDescriptor};
pub use clear::{ClearAttachment, ClearError};
pub use command::{CommandBuffer, CommandError};
pub use copy::{BufferCopy, CopyError, ImageCopy};
pub use descriptor::{
    BufferBinding, Descriptor, DescriptorSet, DescriptorSetDescriptor, DescriptorSetLayout,
    DescriptorSetLayoutDescriptor, SetError, SetLayoutError,
};
pub use device::{Device, DeviceDescriptor, DeviceError, Queue, Simd};
pub use error::{Label, Rule};
pub use image::{
    Image, ImageDescriptor, ImageError, ImageLayout, ImageView, ImageViewDescriptor,
    ImageViewError, Subresources,
};
pub use instance::{Instance, InstanceError, PhysicalDevice};
pub use memory::{Heap, HeapDescriptor, HeapError, Placement};
pub use pass::{
    AspectAccess, ColorAttachment, DepthStencilAttachment, DepthStencilResolve, PassError,
    RenderPass, Resolve, ResolveMode,
};
pub use pipeline::{
    GraphicsPipeline, GraphicsPipelineDescriptor, GraphicsPipelineError, LineMode, LineStipple,
    LogicOp, PipelineLayout, PipelineLayoutDescriptor, PipelineLayoutError, ProvokingVertex,
    RasterState, ShaderStage, VertexBufferLayout,
};
pub use query::{
    Clock, QueryCopy, QueryError, QueryKind, QuerySet, QuerySetDescriptor, QueryValue, Statistics,
};
pub use queue::SubmitError;
pub use sampler::{BorderColor, Reduction, Sampler, SamplerDescriptor, SamplerError};
pub use shader::{ShaderError, ShaderModule, ShaderModuleDescriptor, ShaderSource, Stage};
pub use sync::{Fence, FenceError};
pub use tiling::{ImageMemory, Part, Surface};
pub use validate::draw::DrawError;

pub use ::pipeline::layout::{MAX_DESCRIPTOR_SETS, MAX_PUSH_CONSTANT_BYTES};
/// naga, in the version whose modules [`ShaderSource::Naga`] takes.
pub use ::pipeline::naga;
pub use ::pipeline::silicon::texture::format::FormatCapabilities;
pub use ::pipeline::silicon::{Addr, Features, Info, Limits, MemoryError, Stats, Trap};
pub use ::pipeline::state::{Rect, Viewport};
/// The vocabulary of formats, states and usages that this interface speaks; what it uses is named below, too.
pub use wgpu_types;
pub use wgpu_types::{
    AddressMode, AstcBlock, AstcChannel, BindGroupLayoutEntry, BindingType, BlendComponent,
    BlendFactor, BlendOperation, BlendState, BufferBindingType, BufferUsages, Color,
    ColorTargetState, ColorWrites, CompareFunction, DepthBiasState, DepthStencilState, Extent3d,
    Face, FilterMode, FrontFace, IndexFormat, LoadOp, MipmapFilterMode, MultisampleState, Origin3d,
    PolygonMode, PrimitiveState, PrimitiveTopology, SamplerBindingType, ShaderStages,
    StencilFaceState, StencilOperation, StencilState, StorageTextureAccess, StoreOp, TextureAspect,
    TextureDimension, TextureFormat, TextureSampleType, TextureUsages, TextureViewDimension,
    VertexAttribute, VertexFormat, VertexStepMode,
};
