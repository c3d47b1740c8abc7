//! A device and its driver, without an API above.

use std::cell::RefCell;

use pipeline::codegen::rogue::{self, state::Rogue};
use pipeline::compile::{CompiledPipeline, LinkedStages, PipelineSource, StageSource};
use pipeline::driver::{DRIVER_BYTES, Driver};
use pipeline::encode::Encoder;
use pipeline::image::{self, ImageMemory, ImageShape, Part, Region, Rows};
use pipeline::layout::{DescriptorKind, PipelineLayout, SetBinding, SetLayout};
use pipeline::state::{
    AspectAccess, Attachment, BufferRange, ColorTarget, DepthStencilTarget, Draw, GraphicsState,
    PassTargets, VertexBufferLayout,
};
use pipeline::targets::{Surfaces, Target};
use pipeline::upload::Request;
use pipeline::wgsl::{self, Source};
use silicon::{Addr, Gpu, Memory, Start, Stats};
use wgpu_types as wgt;
use wgt::TextureFormat as Format;

/// Pixels of an edge of the targets: more than a tile, and no whole tiles.
pub const SIZE: u32 = 40;

pub static TARGET: Target = Target {
    info: &::rogue::INFO,
    power_on: |on| ::rogue::Rogue::power_on(Memory::new(on.memory_bytes), start()),
    compile: rogue::compile,
    lanes: rogue::lanes,
    tools: &::rogue::TOOLS,
    chip: &Rogue,
};

pub fn start() -> Start {
    Start {
        threads: Some(2),
        ..Start::default()
    }
}

pub const SHADERS: &str = "
struct Varying { @builtin(position) at: vec4f, @location(0) vector: vec4f }
@group(0) @binding(0) var<uniform> color: vec4f;
@group(0) @binding(1) var texels: texture_2d<f32>;
@group(0) @binding(2) var filters: sampler;
@vertex fn plain(@location(0) at: vec4f) -> @builtin(position) vec4f { return at; }
@vertex fn pair(@location(0) at: vec4f, @location(1) vector: vec4f) -> Varying { return Varying(at, vector); }
@fragment fn constant() -> @location(0) vec4f { return color; }
@fragment fn vector(@location(0) vector: vec4f) -> @location(0) vec4f { return vector; }
struct Three { @location(0) a: vec4f, @location(1) b: vec4f, @location(2) c: vec4f }
@fragment fn three() -> Three { return Three(color, color.wzyx, color); }
@fragment fn cut(@location(0) at: vec4f) -> @location(0) vec4f { if at.x > 1.0 { discard; } return at; }
@fragment fn texture(@location(0) at: vec4f) -> @location(0) vec4f { return textureSample(texels, filters, at.xy); }
";

/// A device and its driver.
pub struct Rig {
    pub driver: Driver,
    pub gpu: RefCell<Box<dyn Gpu>>,
    pub next: u64,
}

pub struct Image {
    pub base: Addr,
    pub memory: ImageMemory,
}

impl Image {
    pub fn attachment(&self) -> Attachment<'_> {
        Attachment {
            base: self.base,
            memory: &self.memory,
            format: self.memory.shape.format,
            level: 0,
            first_layer: 0,
            layers: 1,
            samples: self.memory.shape.samples,
        }
    }

    pub fn region(&self, level: u32) -> Region {
        let found = &self.memory.planes[0].levels[level as usize];
        Region {
            plane: 0,
            level,
            x: 0..found.width,
            y: 0..found.height,
            slices: 0..found.slices,
        }
    }

    pub fn part<'a>(&'a self, region: &'a Region) -> Part<'a> {
        Part {
            base: self.base,
            image: &self.memory,
            region,
            sample: 0,
        }
    }
}

impl Rig {
    pub fn new() -> Rig {
        let gpu = ::rogue::Rogue::power_on(Memory::new(64 << 20), start());
        Rig {
            driver: Driver::new(&TARGET, &*gpu),
            gpu: RefCell::new(gpu),
            next: DRIVER_BYTES,
        }
    }

    pub fn put(&mut self, bytes: &[u8]) -> Addr {
        let at = self.next.next_multiple_of(4096);
        self.next = at + bytes.len() as u64;
        self.driver.memory.write(Addr(at), bytes).unwrap();
        Addr(at)
    }

    pub fn words(&mut self, words: &[u32]) -> Addr {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.put(&bytes)
    }

    pub fn floats(&mut self, floats: &[f32]) -> BufferRange {
        let words: Vec<u32> = floats.iter().map(|value| value.to_bits()).collect();
        BufferRange {
            address: self.words(&words),
            bytes: 4 * floats.len() as u64,
        }
    }

    pub fn image(&mut self, format: Format, [x, y]: [u32; 2], samples: u32) -> Image {
        let shape = ImageShape {
            format,
            dimension: wgt::TextureDimension::D2,
            size: wgt::Extent3d {
                width: x,
                height: y,
                depth_or_array_layers: 1,
            },
            levels: 1,
            samples,
            usage: wgt::TextureUsages::all(),
        };
        let memory = Rogue.image_memory(&shape).unwrap();
        let base = self.put(&vec![0; memory.bytes as usize]);
        Image { base, memory }
    }

    pub fn target(&mut self, format: Format) -> Image {
        self.image(format, [SIZE; 2], 1)
    }

    /// Texels of four bytes.
    pub fn texels(&self, image: &Image) -> Vec<[u8; 4]> {
        let region = image.region(0);
        let rows = Rows::tight(4 * region.x.len() as u64, region.y.len() as u64);
        let mut bytes = vec![0; rows.slice_bytes as usize];
        image::read(&self.driver, image.part(&region), rows, &mut bytes).unwrap();
        bytes.as_chunks().0.to_vec()
    }

    pub fn upload(&self, image: &Image, texels: &[u8]) {
        let region = image.region(0);
        let rows = Rows::tight(4 * region.x.len() as u64, region.y.len() as u64);
        image::write(&self.driver, image.part(&region), rows, texels).unwrap();
    }

    pub fn pipeline(&mut self, names: [&str; 2], state: GraphicsState) -> CompiledPipeline {
        let module = wgsl::parse(Source::Wgsl(SHADERS)).unwrap();
        let [vertex, fragment] = names.map(|name| StageSource {
            module: &module,
            entry: Some(name),
            constants: &[],
        });
        let source = PipelineSource {
            vertex,
            geometry: None,
            fragment: Some(fragment),
        };
        let linked = LinkedStages::link(&TARGET, &source, state).unwrap();
        let kinds = [
            DescriptorKind::Buffer,
            DescriptorKind::Texture,
            DescriptorKind::Sampler,
        ];
        let binding = |(binding, kind)| SetBinding {
            binding,
            kind,
            count: 1,
        };
        let bindings: Vec<SetBinding> = (0..).zip(kinds).map(binding).collect();
        let layout = PipelineLayout {
            sets: vec![SetLayout::new(&bindings, Rogue.descriptor_bytes())],
            push_constant_bytes: 0,
        };
        let mut compiled = linked.compile(&TARGET, &layout).unwrap();
        let mut next = self.next;
        let mut allocate = |Request { bytes, align, .. }: Request| {
            let at = next.next_multiple_of(align);
            next = at + bytes;
            Ok(Addr(at))
        };
        compiled.upload(&self.driver, &mut allocate).unwrap();
        self.next = next;
        compiled
    }

    /// Runs a stream; what it counted.
    pub fn run<'e>(
        &'e self,
        record: impl FnOnce(&mut Encoder<'e>) -> pipeline::upload::Result<()>,
    ) -> Stats {
        let mut next = self.next;
        // It lives as long as what is recorded.
        let allocate = Box::leak(Box::new(move |Request { bytes, align, .. }: Request| {
            let at = next.next_multiple_of(align);
            next = at + bytes;
            Ok(Addr(at))
        }));
        let mut encoder = Encoder::new(&self.driver, allocate);
        record(&mut encoder).unwrap();
        let stream = encoder.finish().unwrap();
        self.gpu.borrow_mut().execute(stream).unwrap()
    }
}

pub fn state(buffers: u32, format: Format) -> GraphicsState {
    let buffer = |n: u32| VertexBufferLayout {
        stride: 16,
        step: wgt::VertexStepMode::Vertex,
        attributes: vec![wgt::VertexAttribute {
            format: wgt::VertexFormat::Float32x4,
            offset: 0,
            shader_location: n,
        }],
    };
    GraphicsState {
        vertex_buffers: (0..buffers).map(buffer).collect(),
        targets: vec![Some(format.into())],
        ..GraphicsState::default()
    }
}

pub fn pass<'a>(color: &'a Image, clear: wgt::Color, depth: Option<&'a Image>) -> PassTargets<'a> {
    PassTargets {
        colors: vec![Some(ColorTarget {
            view: color.attachment(),
            load: wgt::LoadOp::Clear(clear),
            store: wgt::StoreOp::Store,
            resolve: None,
        })],
        depth_stencil: depth.map(|image| DepthStencilTarget {
            view: image.attachment(),
            depth: AspectAccess::Write {
                load: wgt::LoadOp::Clear(1.0),
                store: wgt::StoreOp::Store,
            },
            stencil: AspectAccess::Write {
                load: wgt::LoadOp::Clear(0),
                store: wgt::StoreOp::Store,
            },
            resolve: None,
        }),
        width: SIZE,
        height: SIZE,
    }
}

/// The upper left half, at a depth.
pub fn half(z: f32) -> [f32; 12] {
    [-1.0, 1.0, z, 1.0, 1.0, 1.0, z, 1.0, -1.0, -1.0, z, 1.0]
}

/// Everything, at a depth.
pub fn cover(z: f32) -> [f32; 12] {
    [-1.0, 1.0, z, 1.0, 3.0, 1.0, z, 1.0, -1.0, -3.0, z, 1.0]
}

pub const THREE: Draw = Draw {
    count: 3,
    first: 0,
    instances: 1,
    first_instance: 0,
    indices: None,
    draw_index: 0,
};

/// A set with a uniform buffer of one colour.
pub fn uniforms(rig: &mut Rig, color: [f32; 4]) -> Addr {
    let buffer = rig.floats(&color);
    let mut words = Vec::new();
    Rogue.buffer_descriptor(buffer, &mut words);
    rig.words(&words)
}

pub fn is_upper(n: usize) -> bool {
    let size = SIZE as usize;
    n % size + n / size < size - 1
}
