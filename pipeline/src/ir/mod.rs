//! The compiler's form of a shader: SSA over 32-bit scalars, in structured control flow.
//!
//! - A value is one 32-bit word or one bool per invocation. Vectors and matrices are taken apart when naga's module is
//!   lowered; a value has no signedness, the operation has.
//! - Arithmetic is [`lanes::LaneOp`], so folding is `LaneOp::eval` and selection looks for the row with that meaning.
//!   An operand or result that `LaneOp` types as `Bool` is a value of [`Type::Bool`]; all others are [`Type::Word`].
//! - Control flow is structured as in SPIR-V: a [`Terminator::Branch`] names the block where its sides meet again
//!   (`merge`), a loop header carries [`Loop`]. A side may instead leave through `break` (a jump to the loop's
//!   `merge`) or `continue` (a jump to its `continuing`). There is one `Return`, in the last block.
//! - SSA is by block parameters: a jump passes one argument per parameter of its target.
//! - Functions are inlined: one [`Function`] is one entry point.

mod builder;
mod dominance;
mod origin;
mod query;
mod subgroup;
mod text;
mod verify;

use std::fmt;

use crate::stream::StreamLayout;

pub use builder::{Builder, Exit, Known};
pub use dominance::{Dominators, reverse_postorder};
pub use lanes::{LaneOp, Operand};
pub use origin::{Origin, Text};
pub use query::image_operands;
pub use subgroup::{SubgroupOp, exclusive_start, identity};
pub use text::{ParseError, parse, print};
pub use verify::{VerifyError, image_results, result_type, verify};

use crate::state::GeometryOutput;

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// A basic block; block 0 is the entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl fmt::Debug for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b{}", self.0)
    }
}

/// Type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// 32 bits.
    Word,
    /// True or false; a lane mask on the machine.
    Bool,
}

/// Shader stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Vertex.
    Vertex,
    /// Geometry.
    Geometry,
    /// Fragment.
    Fragment,
    /// Compute.
    Compute,
}

/// One entry point.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Name of the entry point.
    pub name: String,
    /// Stage.
    pub stage: Stage,
    /// Type of every value.
    pub types: Vec<Type>,
    /// Blocks; the order is such that a block comes after every block that dominates it.
    pub blocks: Vec<Block>,
    /// Arrays of words that belong to one invocation and are indexed at run time.
    pub locals: Vec<Local>,
    /// What the entry point exchanges with the fixed-function parts.
    pub interface: Interface,
    /// The text that origins are places of.
    pub text: Text,
}

/// A private array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Name for listings.
    pub name: String,
    /// Length.
    pub words: u32,
    /// Where it is declared.
    pub origin: Origin,
}

/// What an entry point takes and gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// User inputs, by location: vertex attributes or varyings.
    pub inputs: Vec<Varying>,
    /// Fragment: what is taken of each vertex, as the source has it. Among the inputs are its halves.
    pub per_vertex: Vec<Varying>,
    /// User outputs, by location: varyings or colours.
    pub outputs: Vec<Varying>,
    /// Resources used.
    pub resources: Vec<Resource>,
    /// Bytes of push constants read (highest end).
    pub push_constant_bytes: u32,
    /// `@early_depth_test(force)`: depth and stencil are tested and stored before the shader. A depth that
    /// it stores itself has no effect.
    pub early_depth: bool,
    /// The fragment shader asks to run once a sample.
    pub sample_shading: bool,
    /// Vertex and geometry: which of the clip distances cull, a bit each: a primitive goes where all its vertices are outside
    /// of one, and none is cut.
    pub cull_distances: u8,
    /// Stores to buffers or images, or atomics, occur.
    pub side_effects: bool,
    /// Compute: what runs as one.
    pub workgroup: Workgroup,
    /// Geometry: what primitives become.
    pub geometry: Option<Geometry>,
    /// What goes to buffers, as the shader says.
    pub stream: Option<StreamLayout>,
}

/// What a geometry stage takes and gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Vertices of the primitives that come in: 1 to 4, or 6 with neighbours.
    pub vertices: u32,
    /// Vertices that an invocation may emit.
    pub max_vertices: u32,
    /// What the shader says of them itself; in WGSL, which cannot, the pipeline alone does.
    pub declared: Option<Primitives>,
    /// What an emitted vertex has besides the outputs.
    pub builtins: Vec<OutputBuiltin>,
}

/// What a geometry stage says that it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Primitives {
    /// What emitted vertices make.
    pub output: GeometryOutput,
    /// Invocations for each primitive.
    pub invocations: u32,
}

impl Interface {
    /// Whether vertices that a geometry stage emits have a built-in output.
    pub fn emits(&self, builtin: OutputBuiltin) -> bool {
        let mut stages = self.geometry.iter();
        stages.any(|geometry| geometry.builtins.contains(&builtin))
    }

    /// Words of a vertex that a geometry stage emits.
    pub fn emitted_words(&self) -> usize {
        let builtins = self.geometry.iter().flat_map(|geometry| &geometry.builtins);
        let outputs = self.outputs.iter().map(|output| output.components as usize);
        builtins.map(|builtin| builtin.words()).sum::<usize>() + outputs.sum::<usize>()
    }
}

/// Invocations that wait for each other and share memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Workgroup {
    /// Invocations along each axis; zeros in other stages.
    pub size: [u32; 3],
    /// Bytes of memory that they share, a multiple of 4.
    pub shared_bytes: u32,
}

impl Workgroup {
    /// Number of invocations.
    pub fn invocations(&self) -> u32 {
        let product = |all: u32, size: &u32| all.saturating_mul(*size);
        self.size.iter().fold(1, product)
    }
}

/// Location of the first four clip distances as inputs of a geometry or fragment shader; the others are at the next one.
pub const CLIP_DISTANCES: u32 = u32::MAX - 3;
/// The same of cull distances.
pub const CULL_DISTANCES: u32 = CLIP_DISTANCES + 2;
/// Location of the number of the viewport as an input of a fragment shader.
pub const VIEWPORT_INDEX: u32 = CLIP_DISTANCES - 1;
/// Location of the size of points as an input of a geometry shader.
pub const POINT_SIZE: u32 = CLIP_DISTANCES - 2;
/// Location of the number of the primitive, where a geometry shader says it.
pub const PRIMITIVE_INDEX: u32 = CLIP_DISTANCES - 3;
/// Locations up to this one are taken of each vertex of a fragment's primitive.
pub const VERTEX_LOCATIONS: u32 = 64;
/// What a fragment shader takes of each vertex comes in halves, whose sums and differences are exact: the lower 16 bits of
/// the words at location `n` as floats at `HALVES + 2 * n`, the upper ones at the next.
pub const HALVES: u32 = PRIMITIVE_INDEX - 2 * VERTEX_LOCATIONS;
/// First of the locations that are no user's.
pub const BUILTIN_LOCATIONS: u32 = HALVES;

/// One user input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Varying {
    /// `@location`, or that of a built-in from [`BUILTIN_LOCATIONS`] on.
    pub location: u32,
    /// Second source of dual-source blending (`@blend_src(1)`).
    pub second: bool,
    /// 1 to 4.
    pub components: u32,
    /// How the words are read.
    pub scalar: Scalar,
    /// How a varying is interpolated.
    pub interpolation: Interpolation,
    /// Where it is declared.
    pub origin: Origin,
}

/// How the words of a varying, colour or texel are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// f32.
    Float,
    /// i32.
    Sint,
    /// u32.
    Uint,
}

/// How a fragment input comes from the vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// Perspective-correct, at the pixel centre.
    #[default]
    Perspective,
    /// Perspective-correct, at a covered point.
    PerspectiveCentroid,
    /// Perspective-correct, at the sample.
    PerspectiveSample,
    /// Linear in window space, at the pixel centre.
    Linear,
    /// Linear, at a covered point.
    LinearCentroid,
    /// Linear, at the sample.
    LinearSample,
    /// The provoking vertex's value.
    Flat,
}

/// Group and binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// `@group`, a descriptor set.
    pub group: u32,
    /// `@binding`.
    pub binding: u32,
}

/// One resource that a shader uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Where it is bound.
    pub slot: Slot,
    /// Name in the source.
    pub name: String,
    /// What it is.
    pub kind: ResourceKind,
    /// Elements of a binding array; 1 for a plain binding.
    pub count: u32,
}

/// Kinds of resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    /// Uniform buffer; the least size in bytes that the shader's type needs.
    Uniform {
        /// Bytes.
        min_bytes: u32,
    },
    /// Storage buffer.
    Storage {
        /// Bytes.
        min_bytes: u32,
        /// No store or atomic.
        read_only: bool,
    },
    /// Sampled texture.
    Texture {
        /// Shape.
        shape: Shape,
        /// What a texel reads as.
        scalar: Scalar,
        /// A depth texture.
        depth: bool,
        /// An input attachment: fragments load the texel of their own pixel.
        attachment: bool,
    },
    /// Storage texture.
    StorageTexture {
        /// Shape.
        shape: Shape,
        /// The format of its texels.
        format: TexelFormat,
        /// Loads occur.
        read: bool,
        /// Stores occur.
        write: bool,
    },
    /// Sampler.
    Sampler {
        /// A comparison sampler.
        comparison: bool,
    },
}

/// What says the format of a storage texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TexelFormat {
    /// The declaration.
    Declared(wgpu_types::TextureFormat),
    /// The view that is bound; its texels read as this.
    OfView(Scalar),
}

impl TexelFormat {
    /// How the words of a texel are read.
    pub fn scalar(self) -> Scalar {
        use wgpu_types::TextureSampleType as Type;
        match self {
            TexelFormat::OfView(scalar) => scalar,
            TexelFormat::Declared(format) => match format.sample_type(None, None) {
                Some(Type::Sint) => Scalar::Sint,
                Some(Type::Uint) => Scalar::Uint,
                _ => Scalar::Float,
            },
        }
    }
}

/// Shape of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Dimensionality.
    pub dim: Dim,
    /// Has layers.
    pub arrayed: bool,
    /// Has samples.
    pub multisampled: bool,
}

/// Dimensionality of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// 1D.
    D1,
    /// 2D.
    D2,
    /// 3D.
    D3,
    /// Cube.
    Cube,
    /// Texels in a buffer: a texel buffer, whose coordinate is a texel's number.
    Buffer,
}

/// A resource access: which binding, and which element of a binding array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Index into [`Interface::resources`].
    pub resource: u32,
    /// Element of a binding array, a value (checked by the lowering to be below `count`); none for a plain binding.
    pub element: Option<Value>,
}

/// One basic block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Values given by the jumps that lead here.
    pub params: Vec<Value>,
    /// Instructions.
    pub insts: Vec<Inst>,
    /// How it ends.
    pub end: Terminator,
    /// This block is the header of a loop.
    pub looping: Option<Loop>,
}

/// A loop, noted on its header. The header is entered from before the loop and from the end of `continuing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Where `break` goes.
    pub merge: BlockId,
    /// Where `continue` goes; its last block jumps back to the header, or branches between header and merge.
    pub continuing: BlockId,
}

/// A jump's target and arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Block.
    pub block: BlockId,
    /// One per parameter of the block.
    pub args: Vec<Value>,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Terminator {
    /// Goes on elsewhere.
    Jump(Target),
    /// Goes one of two ways.
    Branch {
        /// Bool.
        condition: Value,
        /// Where true.
        yes: Target,
        /// Where false.
        no: Target,
        /// Where both sides meet. A side may be the merge itself, or leave the construct by break or continue.
        merge: BlockId,
    },
    /// Ends the invocation.
    Return,
    /// Never reached: a merge block that all sides left, or a block behind an endless loop.
    Unreachable,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// Operands, as the operation says.
    pub args: Vec<Value>,
    /// Results, as the operation says.
    pub results: Vec<Value>,
    /// The expression or statement that it belongs to.
    pub origin: Origin,
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// () -> word
    Const(u32),
    /// () -> bool
    ConstBool(bool),
    /// Typed by the operation.
    Alu(LaneOp),
    /// (bool, word or bool where true, the same where false) -> that type
    Select,
    /// (bool, bool) -> bool
    Bool(BoolOp),
    /// (bool) -> bool
    BoolNot,

    /// () -> words: components `first..first + results` of the user input at `location` (an index into `inputs`).
    Input {
        /// Index into [`Interface::inputs`].
        input: u32,
        /// First component.
        first: u32,
    },
    /// () -> word (bool for `FrontFacing`)
    Builtin(Builtin),
    /// (words) -> (): components of the user output; the last store before `Return` counts. Stores are in the last
    /// block only.
    Output {
        /// Index into [`Interface::outputs`].
        output: u32,
        /// First component.
        first: u32,
    },
    /// (words) -> (): 4 words for `Position`, 1 for the others. In the last block only.
    OutputBuiltin(OutputBuiltin),

    /// () -> words: as [`Op::Input`], of a vertex of the primitive: in geometry shaders, and in fragment shaders before
    /// interpolation, of [`HALVES`] alone.
    VertexInput {
        /// Number of the vertex, below [`Geometry::vertices`], and below 3 in fragment shaders.
        vertex: u32,
        /// Index into [`Interface::inputs`].
        input: u32,
        /// First component.
        first: u32,
    },
    /// () -> 4 words: position of a vertex of the primitive, below [`Geometry::vertices`].
    VertexPosition(u32),
    /// (number, words) -> (): the next vertex of the strip. The number is how many the invocation has emitted before, less
    /// than [`Geometry::max_vertices`]; the words are those of [`Geometry::builtins`], then all of the outputs.
    EmitVertex,
    /// () -> (): the next vertex begins another strip.
    EndPrimitive,

    /// (byte offset) -> words: consecutive words of a uniform or storage buffer. The offset is a multiple of 4; words
    /// outside the bound range read as zero.
    LoadBuffer(Access),
    /// (byte offset, words) -> (): consecutive words of a storage buffer; words outside are dropped.
    StoreBuffer(Access),
    /// (byte offset, value) or (byte offset, value, comparator) -> word: the old value, zero outside.
    AtomicBuffer(Access, AtomicOp),
    /// (byte offset) -> words: consecutive words of the memory of the workgroup. The offset is a multiple of 4; words
    /// outside read as zero.
    LoadShared,
    /// (byte offset, words) -> (): consecutive words of the memory of the workgroup; words outside are dropped.
    StoreShared,
    /// As [`Op::AtomicBuffer`], in the memory of the workgroup.
    AtomicShared(AtomicOp),
    /// () -> (): goes on when all invocations of the workgroup are here; what they have stored is seen behind it.
    Barrier,
    /// () -> (): what was stored before is seen before what follows.
    Fence,
    /// () -> word: bytes bound.
    BufferBytes(Access),
    /// (byte offset) -> words of the push constants.
    LoadPush,
    /// (index) -> word of a private array (index into `locals`); the lowering keeps the index in range.
    LoadLocal(u32),
    /// (index, word) -> ()
    StoreLocal(u32),

    /// A texture operation, see [`ImageOp`].
    Image(ImageOp),

    /// (word) -> word: difference between neighbours of the quad.
    Derivative {
        /// Across or down.
        axis: Axis,
        /// Which neighbours.
        detail: Detail,
    },
    /// Between the invocations of a wave, see [`SubgroupOp`].
    Subgroup(SubgroupOp),
    /// (bool) -> (): invocations where it is true become helpers: they write nothing from here on.
    Discard,
}

/// Logic on bools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoolOp {
    /// Both.
    And,
    /// One or both.
    Or,
    /// Exactly one.
    Xor,
}

/// Direction of a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Across.
    X,
    /// Down the framebuffer (growing y of the window).
    Y,
}

/// Precision of a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Detail {
    /// One difference for the quad: that of its first row or column.
    Coarse,
    /// The difference in the invocation's own row or column.
    Fine,
}

/// Built-in inputs, one word each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// Vertex: index with base vertex added.
    VertexIndex,
    /// Vertex: instance with first instance added.
    InstanceIndex,
    /// Vertex: number of the draw in a multi-draw.
    DrawIndex,
    /// Vertex: what is added to indices; of a draw without them, its first vertex.
    BaseVertex,
    /// Vertex: first instance of the draw.
    BaseInstance,
    /// Fragment: window position component 0..3: x, y, depth, 1/w.
    FragCoord(u8),
    /// Fragment, bool.
    FrontFacing,
    /// Geometry and fragment.
    PrimitiveIndex,
    /// Geometry: number of the invocation for the same primitive.
    InvocationIndex,
    /// Fragment: sample number.
    SampleIndex,
    /// Fragment: samples of a pixel, which the pipeline's state says.
    SampleCount,
    /// Fragment: coverage mask.
    SampleMask,
    /// Fragment: array layer.
    Layer,
    /// Fragment: weight of a vertex of the primitive, in the order of the draw: 0..3 with perspective, 3..6 linear in the
    /// window. Of lines the third is 0, of points the second, too.
    Barycentric(u8),
    /// Fragment: component of the position in a point, 0..1.
    PointCoord(u8),
    /// Compute: place in the workgroup along an axis, 0..3.
    LocalId(u8),
    /// Compute: place of the workgroup along an axis, 0..3.
    WorkgroupId(u8),
    /// Compute: number of workgroups along an axis, 0..3.
    WorkgroupCount(u8),
    /// Invocations of a subgroup, which is a wave.
    SubgroupSize,
    /// Number in the subgroup.
    SubgroupInvocation,
    /// Compute: number of the subgroup in its workgroup.
    SubgroupId,
    /// Compute: subgroups of a workgroup.
    SubgroupCount,
}

/// Built-in outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputBuiltin {
    /// Vertex and geometry: clip-space position, 4 words. Clip space is WebGPU's: y up, z in 0..w.
    Position,
    /// Vertex and geometry: point size in pixels.
    PointSize,
    /// Vertex and geometry: clip or cull distance of this number, see [`Interface::cull_distances`].
    ClipDistance(u8),
    /// Fragment: depth.
    FragDepth,
    /// Fragment: reference value of the stencil test, in the lowest byte.
    FragStencil,
    /// Fragment: sample mask.
    SampleMask,
    /// Vertex and geometry: array layer.
    Layer,
    /// Vertex and geometry: viewport.
    Viewport,
}

impl OutputBuiltin {
    /// Whether the tests of depth and stencil take it, where they come after the shader.
    pub fn is_tested(self) -> bool {
        matches!(self, OutputBuiltin::FragDepth | OutputBuiltin::FragStencil)
    }

    /// Words that it has.
    pub fn words(self) -> usize {
        match self {
            OutputBuiltin::Position => 4,
            _ => 1,
        }
    }
}

/// Read-modify-write operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Signed minimum.
    IMin,
    /// Signed maximum.
    IMax,
    /// Unsigned minimum.
    UMin,
    /// Unsigned maximum.
    UMax,
    /// The value.
    Exchange,
    /// The value, where the old one equals the comparator.
    CompareExchange,
}

/// A texture operation. Operands come in the order of the fields that are present, coordinates first.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageOp {
    /// What is done.
    pub kind: ImageKind,
    /// The texture.
    pub texture: Access,
    /// The sampler, where one is used.
    pub sampler: Option<Access>,
    /// Shape of the texture.
    pub shape: Shape,
}

/// What is done with a texture.
///
/// Operands in this order: coordinates (1 for 1D, 2 for 2D, 3 for 3D and cube: floats when sampling, integers
/// otherwise), layer (unsigned integer, if arrayed), then what the variant lists.
#[derive(Clone, Debug, PartialEq)]
pub enum ImageKind {
    /// Filtered. -> 4 words, or 1 with a comparison.
    Sample {
        /// (…, bias or level or gradients x then y)
        lod: Lod,
        /// (…, reference)
        compare: bool,
        /// (…, least level): that of the derivatives does not fall below it.
        least: bool,
        /// Constant texel offset.
        offset: [i8; 3],
    },
    /// The four texels that bilinear filtering would use: order (u min, v max), (max, max), (max, min), (min, min).
    /// -> 4 words
    Gather {
        /// Component, 0..3.
        component: u8,
        /// (…, reference)
        compare: bool,
        /// Constant texel offset.
        offset: [i8; 3],
    },
    /// (…, sample if multisampled, level if `level`) -> 4 words; zero outside (alpha included).
    Load {
        /// A level operand follows.
        level: bool,
    },
    /// (…, 4 words) -> (); dropped outside.
    Store,
    /// (…, value[, comparator]) -> word; storage textures of one 32-bit integer channel.
    Atomic(AtomicOp),
    /// (level if `level`) -> width, height, depth as far as the shape has them. No coordinates.
    Size {
        /// A level operand is given.
        level: bool,
    },
    /// () -> word. No coordinates.
    Levels,
    /// () -> word. No coordinates.
    Layers,
    /// () -> word. No coordinates.
    Samples,
    /// (coordinates, layer) -> the level that a sample would take by the quad's derivatives, and the one before the limits of
    /// sampler and texture: floats. Fragment shaders.
    QueryLod,
}

/// How the level of detail is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lod {
    /// From the quad's derivatives.
    Implicit,
    /// The same plus an operand.
    Bias,
    /// An operand.
    Level,
    /// Level 0.
    Zero,
    /// From operands: the derivative along x for every coordinate, then along y.
    Gradient,
}
