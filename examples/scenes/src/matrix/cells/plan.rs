//! A frame as data: what lies in memory, and the passes and copies that are timed.
//!
//! Nothing here names an interface, so that girih and a Vulkan driver draw the same frame (`draw.rs` beside this file, and
//! `api/tests/vulkan`).

use std::ops::Range;

use wgpu_types::*;

/// A frame.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// What is drawn, from the general to the special: `texture/2d/r8unorm/linear`.
    pub name: String,
    /// Images, by number.
    pub textures: Vec<Texture>,
    /// Buffers, by number.
    pub buffers: Vec<Buffer>,
    /// What shaders read through group 0, by number.
    pub sets: Vec<Vec<Resource>>,
    /// Pipelines, by number.
    pub pipelines: Vec<Pipeline>,
    /// Compute pipelines, by number.
    pub computes: Vec<Compute>,
    /// The timed work, in order.
    pub steps: Vec<Step>,
    /// The image that two drivers are compared by.
    pub picture: usize,
}

/// An image.
#[derive(Clone, Debug)]
pub struct Texture {
    /// Format.
    pub format: TextureFormat,
    /// Shape of the view that shaders have of it.
    pub view: TextureViewDimension,
    /// Texels across and down, slices or layers.
    pub size: [u32; 3],
    /// Mip levels.
    pub levels: u32,
    /// Samples a texel.
    pub samples: u32,
    /// What it holds before the first frame.
    pub contents: Contents,
}

/// What an image holds before the first frame.
#[derive(Clone, Debug)]
pub enum Contents {
    /// What passes draw.
    Drawn,
    /// Bytes of [`noise`], another sequence for each seed.
    Noise(u32),
    /// Bytes of every level, largest first, rows without padding.
    Bytes(Vec<u8>),
    /// The same, made when the image is.
    Made(fn() -> Vec<u8>),
}

/// A buffer.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// What it is bound as.
    pub usage: BufferUsages,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// What is bound at the binding of its number.
#[derive(Clone, Debug)]
pub enum Resource {
    /// A whole image; the type says how shaders see it.
    Texture(usize, TextureSampleType),
    /// A sampler.
    Sampler(Sampling),
    /// A whole buffer of constants.
    Uniform(usize),
    /// As many bytes of a buffer of constants, at an offset that each draw gives.
    DynamicUniform(usize, u64),
    /// A whole buffer that is read at will.
    Storage(usize),
    /// A whole buffer that compute shaders write.
    Written(usize),
    /// The first level of an image that compute shaders store texels to.
    Stored(usize),
}

/// A sampler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// What coordinates outside of the texture become.
    pub address: AddressMode,
    /// Filter within a level.
    pub filter: FilterMode,
    /// Filter between levels.
    pub levels: MipmapFilterMode,
    /// Most probes along the longer axis.
    pub anisotropy: u16,
    /// Comparison with a reference.
    pub compare: Option<CompareFunction>,
}

impl Sampling {
    /// Linear within a level, repeated.
    pub const LINEAR: Sampling = Sampling {
        address: AddressMode::Repeat,
        filter: FilterMode::Linear,
        levels: MipmapFilterMode::Nearest,
        anisotropy: 1,
        compare: None,
    };

    /// The nearest texel, repeated.
    pub const NEAREST: Sampling = Sampling {
        filter: FilterMode::Nearest,
        ..Sampling::LINEAR
    };

    /// Linear between levels, too.
    pub const TRILINEAR: Sampling = Sampling {
        levels: MipmapFilterMode::Linear,
        ..Sampling::LINEAR
    };

    /// The kind of binding it needs.
    pub fn binding(&self) -> SamplerBindingType {
        match (self.compare, self.filter) {
            (Some(_), _) => SamplerBindingType::Comparison,
            (None, FilterMode::Linear) => SamplerBindingType::Filtering,
            (None, FilterMode::Nearest) => SamplerBindingType::NonFiltering,
        }
    }

    /// The same, clamped to the edge.
    pub const fn clamped(self) -> Sampling {
        Sampling {
            address: AddressMode::ClampToEdge,
            ..self
        }
    }
}

/// A pipeline. Entry points are `vs` and, where there is a target or a depth is written, `fs`.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// WGSL of both stages.
    pub shader: String,
    /// Whether it has a fragment shader.
    pub fragment: bool,
    /// Vertex buffers.
    pub buffers: Vec<VertexBuffer>,
    /// Set whose layout it has, for group 0.
    pub set: Option<usize>,
    /// Colour targets.
    pub targets: Vec<ColorTargetState>,
    /// Depth and stencil.
    pub depth: Option<DepthStencilState>,
    /// Samples a pixel.
    pub samples: u32,
    /// Whether coverage comes from alpha.
    pub alpha_to_coverage: bool,
    /// Primitives.
    pub topology: PrimitiveTopology,
    /// Faces that are not drawn.
    pub cull: Option<Face>,
    /// Whether triangles are filled or only their edges drawn.
    pub fill: PolygonMode,
    /// Bytes of push constants.
    pub immediates: u32,
}

impl Pipeline {
    /// Triangles of a shader into targets, without depth.
    pub fn new(shader: impl Into<String>, targets: &[TextureFormat]) -> Pipeline {
        Pipeline {
            shader: shader.into(),
            fragment: true,
            buffers: Vec::new(),
            set: None,
            targets: targets.iter().map(|&format| format.into()).collect(),
            depth: None,
            samples: 1,
            alpha_to_coverage: false,
            topology: PrimitiveTopology::TriangleList,
            cull: None,
            fill: PolygonMode::Fill,
            immediates: 0,
        }
    }
}

/// A compute pipeline. The entry point is `cs`.
#[derive(Clone, Debug)]
pub struct Compute {
    /// WGSL.
    pub shader: String,
    /// Set whose layout it has, for group 0.
    pub set: usize,
}

/// Layout of a vertex buffer.
#[derive(Clone, Debug)]
pub struct VertexBuffer {
    /// Bytes from one element to the next.
    pub stride: u64,
    /// Whether an element is a vertex's or an instance's.
    pub step: VertexStepMode,
    /// Attributes.
    pub attributes: Vec<VertexAttribute>,
}

impl VertexBuffer {
    /// Attributes one after the other, from a location on.
    pub fn packed(step: VertexStepMode, first: u32, formats: &[VertexFormat]) -> VertexBuffer {
        let mut stride = 0;
        let attribute = |(n, &format): (usize, &VertexFormat)| {
            let offset = stride;
            stride += format.size();
            VertexAttribute {
                format,
                offset,
                shader_location: first + n as u32,
            }
        };
        let attributes = formats.iter().enumerate().map(attribute).collect();
        VertexBuffer {
            stride,
            step,
            attributes,
        }
    }
}

/// One step of a frame.
#[derive(Clone, Debug)]
pub enum Step {
    /// Draws.
    Pass(Pass),
    /// Dispatches, in one compute pass.
    Compute(Vec<Dispatch>),
    /// The first level of an image to another of the same size and format.
    Copy(usize, usize),
    /// The first level of an image to the host.
    Read(usize),
    /// Bytes of the host into the first level of an image.
    Write(usize, Vec<u8>),
    /// Bytes of the host into the beginning of a buffer.
    Update(usize, Vec<u8>),
}

/// Groups of a compute pipeline.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// Pipeline.
    pub compute: usize,
    /// What is bound as group 0.
    pub set: usize,
    /// Groups along each axis.
    pub groups: [u32; 3],
}

/// Draws to the same attachments.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    /// Colour attachments.
    pub colors: Vec<Target>,
    /// Image and layer of depth, cleared to 1 and stencil to 0.
    pub depth: Option<[usize; 2]>,
    /// Draws, in order.
    pub draws: Vec<Draw>,
    /// Whether the samples of each draw that pass are counted.
    pub counted: bool,
}

/// A colour attachment.
#[derive(Clone, Debug)]
pub struct Target {
    /// Image.
    pub texture: usize,
    /// Its level.
    pub level: u32,
    /// Its layer.
    pub layer: u32,
    /// Image that samples are averaged into.
    pub resolve: Option<usize>,
    /// Colour that it is cleared to; it is loaded where there is none.
    pub clear: Option<[f64; 4]>,
}

impl Target {
    /// The first level of an image, cleared to black.
    pub fn cleared(texture: usize) -> Target {
        Target {
            texture,
            level: 0,
            layer: 0,
            resolve: None,
            clear: Some([0.0, 0.0, 0.0, 1.0]),
        }
    }
}

/// A draw, and all the state it has.
#[derive(Clone, Debug)]
pub struct Draw {
    /// Pipeline.
    pub pipeline: usize,
    /// What is bound as group 0.
    pub set: Option<usize>,
    /// Offsets of the set's dynamic bindings.
    pub offsets: Vec<u32>,
    /// Vertex buffers.
    pub vertices: Vec<usize>,
    /// Buffer of 32-bit indices; without one, vertices are counted.
    pub indices: Option<usize>,
    /// Push constants.
    pub immediates: Vec<u8>,
    /// Vertices or indices.
    pub range: Range<u32>,
    /// Instances.
    pub instances: Range<u32>,
    /// Pixels that are drawn: left, top, width and height; all where there are none.
    pub scissor: Option<[u32; 4]>,
    /// What stencils are compared with.
    pub stencil: u32,
    /// Buffer that begins with the numbers of a draw, in place of the two ranges.
    pub indirect: Option<usize>,
}

impl Draw {
    /// Vertices by number, nothing bound.
    pub fn new(pipeline: usize, range: Range<u32>) -> Draw {
        Draw {
            pipeline,
            set: None,
            offsets: Vec::new(),
            vertices: Vec::new(),
            indices: None,
            immediates: Vec::new(),
            range,
            instances: 0..1,
            scissor: None,
            stencil: 0,
            indirect: None,
        }
    }
}

impl Plan {
    /// A plan of nothing.
    pub fn new(name: impl Into<String>) -> Plan {
        Plan {
            name: name.into(),
            ..Plan::default()
        }
    }

    /// Adds an image to draw to.
    pub fn target(&mut self, format: TextureFormat, size: [u32; 2], samples: u32) -> usize {
        self.texture(Texture {
            format,
            view: TextureViewDimension::D2,
            size: [size[0], size[1], 1],
            levels: 1,
            samples,
            contents: Contents::Drawn,
        })
    }

    /// Adds an image.
    pub fn texture(&mut self, texture: Texture) -> usize {
        self.textures.push(texture);
        self.textures.len() - 1
    }

    /// Adds a buffer.
    pub fn buffer(&mut self, usage: BufferUsages, bytes: Vec<u8>) -> usize {
        self.buffers.push(Buffer { usage, bytes });
        self.buffers.len() - 1
    }

    /// Adds what group 0 is.
    pub fn set(&mut self, resources: Vec<Resource>) -> usize {
        self.sets.push(resources);
        self.sets.len() - 1
    }

    /// Adds a pipeline.
    pub fn pipeline(&mut self, pipeline: Pipeline) -> usize {
        self.pipelines.push(pipeline);
        self.pipelines.len() - 1
    }

    /// Adds a compute pipeline with what is bound to it.
    pub fn compute(&mut self, shader: impl Into<String>, resources: Vec<Resource>) -> usize {
        let set = self.set(resources);
        let shader = shader.into();
        self.computes.push(Compute { shader, set });
        self.computes.len() - 1
    }

    /// Groups of a compute pipeline, with what was bound to it.
    pub fn dispatch(&self, compute: usize, groups: [u32; 3]) -> Dispatch {
        Dispatch {
            compute,
            set: self.computes[compute].set,
            groups,
        }
    }

    /// The stages that see a set.
    pub fn visibility(&self, set: usize) -> ShaderStages {
        let written =
            |resource: &Resource| matches!(resource, Resource::Written(_) | Resource::Stored(_));
        if self.computes.iter().any(|compute| compute.set == set) {
            ShaderStages::COMPUTE
        } else if self.sets[set].iter().any(written) {
            ShaderStages::FRAGMENT
        } else {
            ShaderStages::VERTEX_FRAGMENT
        }
    }

    /// Adds a pass, to the first layer of a depth image.
    pub fn pass(&mut self, colors: Vec<Target>, depth: Option<usize>, draws: Vec<Draw>) {
        self.steps.push(Step::Pass(Pass {
            colors,
            depth: depth.map(|texture| [texture, 0]),
            draws,
            counted: false,
        }));
    }

    /// The most draws of a pass whose samples are counted.
    pub fn counted(&self) -> u32 {
        let counts = self.steps.iter().map(|step| match step {
            Step::Pass(pass) if pass.counted => pass.draws.len() as u32,
            _ => 0,
        });
        counts.max().unwrap_or(0)
    }

    /// Everything that is done with an image.
    pub fn usage(&self, texture: usize) -> TextureUsages {
        let mut usage = TextureUsages::COPY_DST;
        let samples = self.textures[texture].samples;
        if samples > 1 {
            usage = TextureUsages::empty();
        }
        if texture == self.picture {
            usage |= TextureUsages::COPY_SRC;
        }
        for resource in self.sets.iter().flatten() {
            usage |= match resource {
                Resource::Texture(t, _) if *t == texture => TextureUsages::TEXTURE_BINDING,
                Resource::Stored(t) if *t == texture => TextureUsages::STORAGE_BINDING,
                _ => continue,
            };
        }
        for step in &self.steps {
            match step {
                Step::Pass(pass) => {
                    let drawn = |t: &Target| t.texture == texture || t.resolve == Some(texture);
                    let depth = pass.depth.is_some_and(|[depth, _]| depth == texture);
                    if depth || pass.colors.iter().any(drawn) {
                        usage |= TextureUsages::RENDER_ATTACHMENT;
                    }
                }
                Step::Copy(from, _) | Step::Read(from) if *from == texture => {
                    usage |= TextureUsages::COPY_SRC;
                }
                _ => {}
            }
        }
        usage
    }
}

impl Texture {
    /// Size of a level.
    pub fn level_size(&self, level: u32) -> Extent3d {
        let [width, height, depth] = self.size;
        let deep = self.view == TextureViewDimension::D3;
        Extent3d {
            width: (width >> level).max(1),
            height: (height >> level).max(1),
            depth_or_array_layers: if deep { (depth >> level).max(1) } else { depth },
        }
    }

    /// Bytes of a level without padding, of a row of blocks, and rows of blocks of a slice.
    pub fn level_bytes(&self, level: u32) -> [u32; 3] {
        let size = self.level_size(level);
        let (wide, high) = self.format.block_dimensions();
        let (columns, rows) = (size.width.div_ceil(wide), size.height.div_ceil(high));
        let row = columns * self.format.block_copy_size(None).unwrap_or(4);
        [row * rows * size.depth_or_array_layers, row, rows]
    }

    /// Bytes of every level.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match &self.contents {
            Contents::Drawn => None,
            Contents::Bytes(bytes) => Some(bytes.clone()),
            Contents::Made(make) => Some(make()),
            Contents::Noise(seed) => {
                let count = (0..self.levels)
                    .map(|level| self.level_bytes(level)[0])
                    .sum();
                Some(noise(*seed, count))
            }
        }
    }
}

/// Bytes without a pattern, below 64: small numbers in formats of floats, and never a NaN.
pub fn noise(seed: u32, count: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(747_796_405).wrapping_add(1);
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8 & 0x3f
    };
    std::iter::repeat_with(next).take(count as usize).collect()
}
