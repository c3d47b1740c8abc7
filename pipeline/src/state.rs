//! Fixed-function state of a graphics pipeline and of a pass, in the vocabulary of `wgpu-types`, chip-neutral.
//!
//! Everything here has been validated by the caller; a chip's [`Chip`](crate::targets::Chip) turns it into registers.

use std::ops::Range;

use silicon::Addr;
pub use silicon::fragment::blend::Logic as LogicOp;
use wgpu_types as wgt;

pub use silicon::texture::sample::Reduction;

use crate::image::{ImageMemory, ResolveMode};
use crate::layout::MAX_TEXEL_BUFFER_TEXELS;
use crate::stream::StreamLayout;

/// One vertex buffer of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VertexBufferLayout {
    /// Bytes from one element to the next.
    pub stride: u32,
    /// Advances by vertex or by instance.
    pub step: wgt::VertexStepMode,
    /// What an element holds.
    pub attributes: Vec<wgt::VertexAttribute>,
}

/// Which vertex of a primitive gives flat varyings their value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ProvokingVertex {
    /// The first.
    #[default]
    First,
    /// The last.
    Last,
}

/// Which pixels a line covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LineMode {
    /// Lines up to one pixel wide by the diamond-exit rule, wider ones as rectangles.
    #[default]
    Bresenham,
    /// The rectangle around the line, with ends square to it.
    Rectangular,
}

/// A pattern along lines: of the pixels of a line, counted from its first vertex, number `n` is drawn if bit
/// `n / factor % 16` of the pattern is set. Lines of a strip go on counting, those of a list and the edges of triangles
/// start at 0. [VULKAN Line Stipple]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineStipple {
    /// Pixels of a bit, 1 to 256.
    pub factor: u16,
    /// The lowest bit is the first.
    pub pattern: u16,
}

/// Fixed-function state that `wgpu-types` has no words for. The default is what WebGPU does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RasterState {
    /// Which vertex gives flat varyings their value.
    pub provoking_vertex: ProvokingVertex,
    /// Which pixels a line covers.
    pub line_mode: LineMode,
    /// Width of lines in pixels, in eighths; above 0 and below 8192.
    pub line_width: f32,
    /// Pixels of lines that are left out.
    pub line_stipple: Option<LineStipple>,
    /// Edge of points in pixels, in eighths, where the vertex shader gives none; above 0 and below 8192. What reaches into
    /// a viewport is shown of points beside it, too.
    pub point_size: f32,
    /// Pixels pass whose stored depth, before the draw, is between these two, each in 0 to 1.
    pub depth_bounds: Option<[f32; 2]>,
    /// Bitwise operation instead of blending. Float and sRGB targets are not touched by it: they are written plainly.
    pub logic_op: Option<LogicOp>,
    /// The fragment shader runs for every sample, whatever it reads.
    pub sample_shading: bool,
    /// Location of the vertex shader's output, a single integer, that says which viewport and scissor the primitive goes
    /// through: that of its provoking vertex counts, modulo 16. None draws through the first. Shading languages that
    /// `naga` reads have no word for it.
    pub viewport_output: Option<u32>,
    /// Nothing is drawn: vertices only go where shaders and stream output store them.
    pub discard: bool,
}

impl Default for RasterState {
    fn default() -> RasterState {
        RasterState {
            provoking_vertex: ProvokingVertex::First,
            line_mode: LineMode::Bresenham,
            line_width: 1.0,
            line_stipple: None,
            point_size: 1.0,
            depth_bounds: None,
            logic_op: None,
            sample_shading: false,
            viewport_output: None,
            discard: false,
        }
    }
}

/// What the vertices that a geometry shader emits make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GeometryOutput {
    /// Points.
    Points,
    /// Line strips.
    LineStrip,
    /// Triangle strips.
    #[default]
    TriangleStrip,
}

/// Most invocations of a geometry shader for a primitive.
pub const MAX_GEOMETRY_INVOCATIONS: u32 = 32;

/// The geometry stage of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GeometryState {
    /// What emitted vertices make.
    pub output: GeometryOutput,
    /// Invocations for each primitive, 1 to [`MAX_GEOMETRY_INVOCATIONS`].
    pub invocations: u32,
    /// Vertices that a primitive has when it comes in: 4 and 6 with neighbours. Linking finds it out.
    pub vertices: u32,
    /// Emitted vertices choose their viewport. Linking finds it out.
    pub chooses_viewport: bool,
}

impl GeometryState {
    /// Of a pipeline that is not linked yet.
    pub fn new(output: GeometryOutput, invocations: u32) -> GeometryState {
        GeometryState {
            output,
            invocations,
            vertices: 0,
            chooses_viewport: false,
        }
    }

    /// Whether primitives come in with their neighbours.
    pub fn adjacency(&self) -> bool {
        matches!(self.vertices, 4 | 6)
    }
}

/// Everything of a graphics pipeline that is not a shader.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphicsState {
    /// Vertex buffers by slot.
    pub vertex_buffers: Vec<VertexBufferLayout>,
    /// Topology, culling, winding.
    pub primitive: wgt::PrimitiveState,
    /// Depth and stencil tests.
    pub depth_stencil: Option<wgt::DepthStencilState>,
    /// Samples.
    pub multisample: wgt::MultisampleState,
    /// Everything else.
    pub raster: RasterState,
    /// The geometry stage, if there is one.
    pub geometry: Option<GeometryState>,
    /// What goes to buffers.
    pub stream: Option<StreamLayout>,
    /// Colour targets by attachment number.
    pub targets: Vec<Option<wgt::ColorTargetState>>,
}

impl GraphicsState {
    /// Whether vertices choose their viewport.
    pub fn chooses_viewport(&self) -> bool {
        let emitted = self
            .geometry
            .is_some_and(|geometry| geometry.chooses_viewport);
        emitted || self.raster.viewport_output.is_some()
    }
}

/// Maps clip space to the window. A negative height turns the picture over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Left edge in pixels.
    pub x: f32,
    /// Top edge in pixels (the bottom one when the height is negative).
    pub y: f32,
    /// Width in pixels.
    pub width: f32,
    /// Height in pixels.
    pub height: f32,
    /// Window depth of clip depth 0.
    pub min_depth: f32,
    /// Window depth of clip depth 1.
    pub max_depth: f32,
}

impl Viewport {
    /// All of some pixels.
    pub fn of(width: u32, height: u32) -> Viewport {
        Viewport {
            x: 0.0,
            y: 0.0,
            width: width as f32,
            height: height as f32,
            min_depth: 0.0,
            max_depth: 1.0,
        }
    }
}

/// A rectangle of pixels; the origin is the top left corner of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// Left edge.
    pub x: u32,
    /// Top edge.
    pub y: u32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// A range of layers of one level of an image, as an attachment.
#[derive(Clone, Debug)]
pub struct Attachment<'a> {
    /// Where the image starts.
    pub base: Addr,
    /// How it lies in memory.
    pub memory: &'a ImageMemory,
    /// Format that the pass sees.
    pub format: wgt::TextureFormat,
    /// Level.
    pub level: u32,
    /// First layer (or depth slice).
    pub first_layer: u32,
    /// Layers.
    pub layers: u32,
    /// Samples of a texel.
    pub samples: u32,
}

impl<'a> Attachment<'a> {
    /// One of its layers.
    pub fn of_layer(&self, layer: u32) -> Attachment<'a> {
        Attachment {
            first_layer: self.first_layer + layer,
            layers: 1,
            ..self.clone()
        }
    }

    /// Its layers as slices of the image.
    pub fn slices(&self) -> Range<u32> {
        self.first_layer..self.first_layer + self.layers
    }
}

/// What happens to one aspect of a depth-stencil attachment. An aspect that the format lacks may have either.
#[derive(Clone, Copy, Debug)]
pub enum AspectAccess<V> {
    /// It is tested but not written; shaders may read it when the other aspect is read only, too.
    ReadOnly,
    /// It is tested and written.
    Write {
        /// What it holds at the start.
        load: wgt::LoadOp<V>,
        /// Whether it is kept at the end.
        store: wgt::StoreOp,
    },
}

impl<V: Copy> AspectAccess<V> {
    /// The value that it is cleared to, if it is.
    pub fn clear(&self) -> Option<V> {
        match self {
            AspectAccess::Write {
                load: wgt::LoadOp::Clear(value),
                ..
            } => Some(*value),
            _ => None,
        }
    }

    /// Whether it is not written.
    pub fn is_read_only(&self) -> bool {
        matches!(self, AspectAccess::ReadOnly)
    }
}

/// A colour attachment of a pass, shown by a view.
#[derive(Clone, Debug)]
pub struct ColorTarget<View> {
    /// What is drawn to.
    pub view: View,
    /// What it holds at the start.
    pub load: wgt::LoadOp<wgt::Color>,
    /// Whether it is kept at the end.
    pub store: wgt::StoreOp,
    /// Where its samples go as one at the end, and which value stands for them.
    pub resolve: Option<(View, ResolveMode)>,
}

/// The depth-stencil attachment of a pass, shown by a view.
#[derive(Clone, Debug)]
pub struct DepthStencilTarget<View> {
    /// What is tested and drawn to.
    pub view: View,
    /// Depth.
    pub depth: AspectAccess<f32>,
    /// Stencil.
    pub stencil: AspectAccess<u32>,
    /// Where its samples go as one at the end, and which depth and which stencil value stand for them.
    pub resolve: Option<(View, [Option<ResolveMode>; 2])>,
}

/// The attachments of a pass: what they hold at its start, what is kept and resolved at its end.
#[derive(Clone, Debug)]
pub struct Targets<View> {
    /// Colour attachments by number.
    pub colors: Vec<Option<ColorTarget<View>>>,
    /// Depth-stencil attachment.
    pub depth_stencil: Option<DepthStencilTarget<View>>,
    /// Width of the pass in pixels.
    pub width: u32,
    /// Height of the pass in pixels.
    pub height: u32,
}

/// The attachments of a pass as a chip sees them.
pub type PassTargets<'a> = Targets<Attachment<'a>>;

impl<View> Targets<View> {
    /// The same through other views.
    pub fn map<'a, To>(&'a self, view: impl Fn(&'a View) -> To) -> Targets<To> {
        let color = |color: &'a ColorTarget<View>| ColorTarget {
            view: view(&color.view),
            load: color.load,
            store: color.store,
            resolve: (color.resolve.as_ref()).map(|(to, mode)| (view(to), *mode)),
        };
        let depth = |depth: &'a DepthStencilTarget<View>| DepthStencilTarget {
            view: view(&depth.view),
            depth: depth.depth,
            stencil: depth.stencil,
            resolve: (depth.resolve.as_ref()).map(|(to, modes)| (view(to), *modes)),
        };
        let colors = self
            .colors
            .iter()
            .map(|attached| attached.as_ref().map(color));
        Targets {
            colors: colors.collect(),
            depth_stencil: self.depth_stencil.as_ref().map(depth),
            width: self.width,
            height: self.height,
        }
    }
}

/// What `CommandBuffer::clear_attachments` clears an attachment of the pass to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClearAttachment {
    /// A colour attachment, by number.
    Color {
        /// Number of the attachment.
        index: u32,
        /// Its colour; integer formats take the whole numbers.
        value: wgt::Color,
    },
    /// Depth of the depth-stencil attachment, 0 to 1.
    Depth(f32),
    /// Stencil of the depth-stencil attachment; the low 8 bits count.
    Stencil(u32),
}

/// Most viewports of a draw on any chip.
pub const MAX_VIEWPORTS: usize = 16;

/// State that commands change between draws.
#[derive(Clone, Debug, PartialEq)]
pub struct DynamicState {
    /// Viewports; the first counts where vertices do not choose.
    pub viewports: [Viewport; MAX_VIEWPORTS],
    /// Of each viewport: pixels outside are not drawn.
    pub scissors: [Rect; MAX_VIEWPORTS],
    /// Constant of the blend factors: red, green, blue, alpha.
    pub blend_constant: [f32; 4],
    /// Stencil reference.
    pub stencil_reference: u32,
}

/// A range of a buffer as a shader sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferRange {
    /// First byte.
    pub address: Addr,
    /// Bytes.
    pub bytes: u64,
}

impl BufferRange {
    /// No bytes.
    pub const NONE: BufferRange = BufferRange {
        address: Addr(0),
        bytes: 0,
    };
}

/// One vertex attribute as the vertex shader fetches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeFetch {
    /// Range of the vertex buffer from its bound offset to its end.
    pub buffer: BufferRange,
    /// Byte offset of the attribute in an element.
    pub offset: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
    /// Format.
    pub format: wgt::VertexFormat,
}

impl AttributeFetch {
    /// Bytes from the attribute of the first element to the end of the buffer.
    pub fn bytes(&self) -> u64 {
        self.buffer.bytes.saturating_sub(self.offset.into())
    }
}

/// A range of a buffer as a texel buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexelRange {
    /// Range; what is behind the last whole texel is not used.
    pub buffer: BufferRange,
    /// Format of the texels.
    pub format: silicon::texture::format::Format,
}

impl TexelRange {
    /// Texels in the range.
    pub fn count(&self) -> u32 {
        let texels = self.buffer.bytes / u64::from(self.format.size_bytes());
        texels.min(MAX_TEXEL_BUFFER_TEXELS.into()) as u32
    }
}

/// A view of an image as a shader sees it.
#[derive(Clone, Debug)]
pub struct ImageBinding<'a> {
    /// Where the image starts.
    pub base: Addr,
    /// How it lies in memory.
    pub memory: &'a ImageMemory,
    /// Format of the view.
    pub format: wgt::TextureFormat,
    /// Colour, depth or stencil.
    pub aspect: wgt::TextureAspect,
    /// Shape of the view.
    pub dimension: wgt::TextureViewDimension,
    /// First level.
    pub first_level: u32,
    /// Levels.
    pub levels: u32,
    /// First layer.
    pub first_layer: u32,
    /// Layers.
    pub layers: u32,
}

/// A sampler: what `wgpu-types` has words for, and what it has none for.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplerState {
    /// Filters, address modes, clamps, comparison and the fixed border colours.
    pub base: wgt::SamplerDescriptor<()>,
    /// Added to the level of detail, -16 to 16.
    pub lod_bias: f32,
    /// How the texels of a footprint become one.
    pub reduction: Reduction,
    /// Coordinates count texels, and there is one level.
    pub unnormalized: bool,
    /// Cubes are filtered across their edges.
    pub seamless: bool,
    /// Border colour instead of a fixed one: register bits of x, y, z and w.
    pub border_color: Option<[u32; 4]>,
}

impl From<wgt::SamplerDescriptor<()>> for SamplerState {
    fn from(base: wgt::SamplerDescriptor<()>) -> SamplerState {
        SamplerState {
            base,
            lod_bias: 0.0,
            reduction: Reduction::Average,
            unnormalized: false,
            seamless: true,
            border_color: None,
        }
    }
}

/// What a draw call asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Draw {
    /// Vertices or indices.
    pub count: u32,
    /// First vertex, or first index.
    pub first: u32,
    /// Instances.
    pub instances: u32,
    /// First instance.
    pub first_instance: u32,
    /// Index buffer; none draws vertices in order.
    pub indices: Option<Indices>,
    /// Number of the draw within a multi-draw.
    pub draw_index: u32,
}

/// What a draw call asks for that takes its arguments from memory: vertices or indices, instances, first vertex or index,
/// with indices what is added to them, and first instance, a word each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndirectDraw {
    /// Where the arguments are, a multiple of 4.
    pub arguments: Addr,
    /// Index buffer and size of an index; none draws vertices in order.
    pub indices: Option<(BufferRange, wgt::IndexFormat)>,
    /// Number of the draw within a multi-draw.
    pub draw_index: u32,
}

/// The index buffer of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indices {
    /// The bound range.
    pub buffer: BufferRange,
    /// Size of an index.
    pub format: wgt::IndexFormat,
    /// Added to every index.
    pub base_vertex: i32,
}
