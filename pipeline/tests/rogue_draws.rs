//! Rogue: draws through the driver, with shaders that the back end compiles.
#![allow(clippy::unwrap_used)]

use std::cell::RefCell;

use pipeline::codegen::rogue::{self, state::Rogue};
use pipeline::compile::{CompiledPipeline, LinkedStages, PipelineSource, StageSource};
use pipeline::driver::{DRIVER_BYTES, Driver};
use pipeline::encode::Encoder;
use pipeline::image::{self, ImageMemory, ImageShape, Part, Region, Rows};
use pipeline::layout::{DescriptorKind, PipelineLayout, SetBinding, SetLayout};
use pipeline::query::{QueryKind, QueryValue};
use pipeline::state::{
    AspectAccess, Attachment, BufferRange, ClearAttachment, ColorTarget, DepthStencilTarget, Draw,
    GraphicsState, ImageBinding, Indices, PassTargets, Rect, SamplerState, VertexBufferLayout,
};
use pipeline::targets::{Surfaces, Target, Transfers};
use pipeline::wgsl::{self, Source};
use silicon::{Addr, Gpu, Memory, Start, Stats};
use wgpu_types as wgt;
use wgt::TextureFormat as Format;

/// Pixels of an edge of the targets: more than a tile, and no whole tiles.
const SIZE: u32 = 40;

static TARGET: Target = Target {
    info: &::rogue::INFO,
    power_on: |on| ::rogue::Rogue::power_on(Memory::new(on.memory_bytes), start()),
    compile: rogue::compile,
    lanes: rogue::lanes,
    tools: &::rogue::TOOLS,
    chip: &Rogue,
};

fn start() -> Start {
    Start {
        threads: Some(2),
        ..Start::default()
    }
}

const SHADERS: &str = "
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
struct Rig {
    driver: Driver,
    gpu: RefCell<Box<dyn Gpu>>,
    next: u64,
}

struct Image {
    base: Addr,
    memory: ImageMemory,
}

impl Image {
    fn attachment(&self) -> Attachment<'_> {
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

    fn region(&self, level: u32) -> Region {
        let found = &self.memory.planes[0].levels[level as usize];
        Region {
            plane: 0,
            level,
            x: 0..found.width,
            y: 0..found.height,
            slices: 0..found.slices,
        }
    }

    fn part<'a>(&'a self, region: &'a Region) -> Part<'a> {
        Part {
            base: self.base,
            image: &self.memory,
            region,
            sample: 0,
        }
    }
}

impl Rig {
    fn new() -> Rig {
        let gpu = ::rogue::Rogue::power_on(Memory::new(64 << 20), start());
        Rig {
            driver: Driver::new(&TARGET, &*gpu),
            gpu: RefCell::new(gpu),
            next: DRIVER_BYTES,
        }
    }

    fn put(&mut self, bytes: &[u8]) -> Addr {
        let at = self.next.next_multiple_of(4096);
        self.next = at + bytes.len() as u64;
        self.driver.memory.write(Addr(at), bytes).unwrap();
        Addr(at)
    }

    fn words(&mut self, words: &[u32]) -> Addr {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.put(&bytes)
    }

    fn floats(&mut self, floats: &[f32]) -> BufferRange {
        let words: Vec<u32> = floats.iter().map(|value| value.to_bits()).collect();
        BufferRange {
            address: self.words(&words),
            bytes: 4 * floats.len() as u64,
        }
    }

    fn image(&mut self, format: Format, [x, y]: [u32; 2], samples: u32) -> Image {
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

    fn target(&mut self, format: Format) -> Image {
        self.image(format, [SIZE; 2], 1)
    }

    /// Texels of four bytes.
    fn texels(&self, image: &Image) -> Vec<[u8; 4]> {
        let region = image.region(0);
        let rows = Rows::tight(4 * region.x.len() as u64, region.y.len() as u64);
        let mut bytes = vec![0; rows.slice_bytes as usize];
        image::read(&self.driver, image.part(&region), rows, &mut bytes).unwrap();
        bytes.as_chunks().0.to_vec()
    }

    fn upload(&self, image: &Image, texels: &[u8]) {
        let region = image.region(0);
        let rows = Rows::tight(4 * region.x.len() as u64, region.y.len() as u64);
        image::write(&self.driver, image.part(&region), rows, texels).unwrap();
    }

    fn pipeline(&mut self, names: [&str; 2], state: GraphicsState) -> CompiledPipeline {
        let module = wgsl::parse(Source::Wgsl(SHADERS)).unwrap();
        let [vertex, fragment] = names.map(|name| StageSource {
            module: &module,
            entry: Some(name),
            constants: &[],
        });
        let source = PipelineSource {
            vertex,
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
        let mut allocate = |bytes: u64, align: u64| {
            let at = next.next_multiple_of(align);
            next = at + bytes;
            Ok(Addr(at))
        };
        compiled.upload(&self.driver, &mut allocate).unwrap();
        self.next = next;
        compiled
    }

    /// Runs a stream; what it counted.
    fn run<'e>(
        &'e self,
        record: impl FnOnce(&mut Encoder<'e>) -> pipeline::upload::Result<()>,
    ) -> Stats {
        let mut next = self.next;
        // It lives as long as what is recorded.
        let allocate = Box::leak(Box::new(move |bytes: u64, align: u64| {
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

fn state(buffers: u32, format: Format) -> GraphicsState {
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

fn pass<'a>(color: &'a Image, clear: wgt::Color, depth: Option<&'a Image>) -> PassTargets<'a> {
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
fn half(z: f32) -> [f32; 12] {
    [-1.0, 1.0, z, 1.0, 1.0, 1.0, z, 1.0, -1.0, -1.0, z, 1.0]
}

/// Everything, at a depth.
fn cover(z: f32) -> [f32; 12] {
    [-1.0, 1.0, z, 1.0, 3.0, 1.0, z, 1.0, -1.0, -3.0, z, 1.0]
}

const THREE: Draw = Draw {
    count: 3,
    first: 0,
    instances: 1,
    first_instance: 0,
    indices: None,
    draw_index: 0,
};

/// A set with a uniform buffer of one colour.
fn uniforms(rig: &mut Rig, color: [f32; 4]) -> Addr {
    let buffer = rig.floats(&color);
    let mut words = Vec::new();
    Rogue.buffer_descriptor(buffer, &mut words);
    rig.words(&words)
}

fn is_upper(n: usize) -> bool {
    let size = SIZE as usize;
    n % size + n / size < size - 1
}

#[test]
fn a_triangle_has_the_constant_of_a_uniform_buffer() {
    let mut rig = Rig::new();
    for (format, expected) in [
        (Format::Rgba8Unorm, [255, 128, 0, 64]),
        (Format::Bgra8Unorm, [0, 128, 255, 64]),
    ] {
        let target = rig.target(format);
        let set = uniforms(&mut rig, [1.0, 0.5, 0.0, 0.25]);
        let corners = rig.floats(&half(0.5));
        let pipeline = rig.pipeline(["plain", "constant"], state(1, format));
        let stats = rig.run(|out| {
            out.begin_pass(pass(&target, wgt::Color::GREEN, None))?;
            out.bind_pipeline(&pipeline);
            out.bind_set(0, set);
            out.bind_vertex_buffer(0, corners);
            out.draw(&THREE)?;
            out.end_pass()
        });
        assert_eq!(stats.draws, 1);
        for (n, pixel) in rig.texels(&target).iter().enumerate() {
            let expected = if is_upper(n) {
                expected
            } else {
                [0, 255, 0, 255]
            };
            assert_eq!(*pixel, expected, "{format:?} {n}");
        }
    }
}

#[test]
fn textures_are_sampled_where_they_were_written() {
    let mut rig = Rig::new();
    let sampler = SamplerState::from(wgt::SamplerDescriptor::default());
    for (format, order) in [
        (Format::Rgba8Unorm, [0, 1, 2, 3]),
        (Format::Bgra8Unorm, [2, 1, 0, 3]),
    ] {
        let image = rig.image(format, [SIZE; 2], 1);
        let texel = |n: u32| [n % SIZE, n / SIZE, n % 251, 255].map(|value| value as u8);
        let texels: Vec<u8> = (0..SIZE * SIZE).flat_map(texel).collect();
        rig.upload(&image, &texels);
        assert_eq!(rig.texels(&image).as_flattened(), texels);
        let bytes = Rogue.descriptor_bytes();
        let view = ImageBinding {
            base: image.base,
            memory: &image.memory,
            format,
            aspect: wgt::TextureAspect::All,
            dimension: wgt::TextureViewDimension::D2,
            first_level: 0,
            levels: 1,
            first_layer: 0,
            layers: 1,
        };
        // As the layout of the set places them: a buffer, a texture, a sampler.
        let mut words = vec![0; bytes.buffer as usize / 4];
        Rogue.image_descriptor(&view, &mut words);
        words.extend(rig.driver.sampler_descriptor(&sampler).unwrap());
        let set = rig.words(&words);
        let target = rig.target(Format::Rgba8Unorm);
        let corners = rig.floats(&cover(0.0));
        let places = rig.floats(&[0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 1.0, 0.0, 2.0, 0.0, 1.0]);
        let pipeline = rig.pipeline(["pair", "texture"], state(2, Format::Rgba8Unorm));
        rig.run(|out| {
            out.begin_pass(pass(&target, wgt::Color::BLACK, None))?;
            out.bind_pipeline(&pipeline);
            out.bind_set(0, set);
            out.bind_vertex_buffer(0, corners);
            out.bind_vertex_buffer(1, places);
            out.draw(&THREE)?;
            out.end_pass()
        });
        for (n, pixel) in rig.texels(&target).iter().enumerate() {
            let stored = texel(n as u32);
            assert_eq!(*pixel, order.map(|c: usize| stored[c]), "{format:?} {n}");
        }
    }
}

#[test]
fn depth_hides_and_queries_count() {
    let mut rig = Rig::new();
    for format in [
        Format::Depth16Unorm,
        Format::Depth32Float,
        Format::Depth24PlusStencil8,
        Format::Depth32FloatStencil8,
    ] {
        let target = rig.target(Format::Rgba8Unorm);
        let depth = rig.target(format);
        let [near, far] = [half(0.25), cover(0.75)].map(|corners| rig.floats(&corners));
        let [red, blue] =
            [[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]].map(|c| uniforms(&mut rig, c));
        let mut state = state(1, Format::Rgba8Unorm);
        state.depth_stencil = Some(wgt::DepthStencilState {
            format,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgt::CompareFunction::Less),
            stencil: wgt::StencilState::default(),
            bias: wgt::DepthBiasState::default(),
        });
        let pipeline = rig.pipeline(["plain", "constant"], state);
        let queries = [0; 2].map(|byte| rig.put(&[byte; 16]));
        rig.run(|out| {
            out.begin_pass(pass(&target, wgt::Color::BLACK, Some(&depth)))?;
            out.bind_pipeline(&pipeline);
            for (set, corners, query) in [(red, near, queries[0]), (blue, far, queries[1])] {
                out.bind_set(0, set);
                out.bind_vertex_buffer(0, corners);
                out.begin_query(QueryKind::Occlusion, query);
                out.draw(&THREE)?;
                out.end_query(QueryKind::Occlusion, query);
            }
            let rect = Rect {
                x: 35,
                y: 36,
                width: 2,
                height: 3,
            };
            let (index, value) = (0, wgt::Color::WHITE);
            out.clear_attachment(ClearAttachment::Color { index, value }, rect)?;
            out.end_pass()
        });
        for (n, pixel) in rig.texels(&target).iter().enumerate() {
            let (x, y) = (n % SIZE as usize, n / SIZE as usize);
            let expected = match is_upper(n) {
                true => [255, 0, 0, 255],
                false if (35..37).contains(&x) && (36..39).contains(&y) => [255; 4],
                false => [0, 0, 255, 255],
            };
            assert_eq!(*pixel, expected, "{format:?} {n}");
        }
        let upper = (0..(SIZE * SIZE) as usize).filter(|n| is_upper(*n)).count() as u64;
        for (query, passed) in queries
            .into_iter()
            .zip([upper, u64::from(SIZE * SIZE) - upper])
        {
            let mut bytes = [0; 16];
            rig.driver.memory.read(query, &mut bytes).unwrap();
            let found = Rogue.query_value(QueryKind::Occlusion, &bytes);
            assert_eq!(found, Some(QueryValue::Occlusion(passed)), "{format:?}");
        }
    }
}

#[test]
fn blending_reads_what_the_pixel_has() {
    let mut rig = Rig::new();
    let target = rig.target(Format::Rgba8Unorm);
    let set = uniforms(&mut rig, [1.0, 0.0, 0.0, 0.5]);
    let corners = rig.floats(&half(0.0));
    let indices = rig.words(&[9, 9, 0, 1, 2]);
    let mut state = state(1, Format::Rgba8Unorm);
    state.targets[0] = Some(wgt::ColorTargetState {
        format: Format::Rgba8Unorm,
        blend: Some(wgt::BlendState::ALPHA_BLENDING),
        write_mask: wgt::ColorWrites::COLOR,
    });
    let pipeline = rig.pipeline(["plain", "constant"], state);
    rig.run(|out| {
        out.begin_pass(pass(&target, wgt::Color::BLUE, None))?;
        out.bind_pipeline(&pipeline);
        out.bind_set(0, set);
        out.bind_vertex_buffer(0, corners);
        out.draw(&Draw {
            first: 2,
            indices: Some(Indices {
                buffer: BufferRange {
                    address: indices,
                    bytes: 20,
                },
                format: wgt::IndexFormat::Uint32,
                base_vertex: 0,
            }),
            ..THREE
        })?;
        out.end_pass()
    });
    for (n, pixel) in rig.texels(&target).iter().enumerate() {
        let expected = if is_upper(n) {
            [128, 0, 128, 255]
        } else {
            [0, 0, 255, 255]
        };
        assert_eq!(*pixel, expected, "{n}");
    }
}

/// A punch-through object whose pixels fail the depth test counts them in the stencil, those alone that it does not discard.
#[test]
fn discarded_pixels_leave_no_trace_in_the_stencil() {
    let mut rig = Rig::new();
    let format = Format::Depth24PlusStencil8;
    let (target, depth) = (rig.target(Format::Rgba8Unorm), rig.target(format));
    let [near, far] = [0.25, 0.75].map(|z| rig.floats(&cover(z)));
    // Alive where the first component is below 1: the left half.
    let sides = rig.floats(&[0.0, 0.0, 0.0, 1.0, 4.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    let [white, green] = [[1.0; 4], [0.0, 1.0, 0.0, 1.0]].map(|c| uniforms(&mut rig, c));
    let face = |compare, depth_fail_op| wgt::StencilFaceState {
        compare,
        depth_fail_op,
        ..wgt::StencilFaceState::default()
    };
    let pipeline = |rig: &mut Rig, names, buffers, face, compare| {
        let mut state = state(buffers, Format::Rgba8Unorm);
        state.depth_stencil = Some(wgt::DepthStencilState {
            format,
            depth_write_enabled: Some(true),
            depth_compare: Some(compare),
            stencil: wgt::StencilState {
                front: face,
                back: face,
                read_mask: 0xff,
                write_mask: 0xff,
            },
            bias: wgt::DepthBiasState::default(),
        });
        rig.pipeline(names, state)
    };
    use wgt::CompareFunction::{Always, Equal, Less};
    use wgt::StencilOperation::{IncrementClamp, Keep};
    let plain = pipeline(&mut rig, ["plain", "constant"], 1, face(Always, Keep), Less);
    let cut = pipeline(
        &mut rig,
        ["pair", "cut"],
        2,
        face(Always, IncrementClamp),
        Less,
    );
    let counted = pipeline(
        &mut rig,
        ["plain", "constant"],
        1,
        face(Equal, Keep),
        Always,
    );
    rig.run(|out| {
        out.begin_pass(pass(&target, wgt::Color::BLACK, Some(&depth)))?;
        for (pipeline, set, corners, reference) in [
            (&plain, white, near, 0),
            (&cut, white, far, 0),
            (&counted, green, far, 1),
        ] {
            out.bind_pipeline(pipeline);
            out.change(|state| state.stencil_reference = reference);
            out.bind_set(0, set);
            out.bind_vertex_buffer(0, corners);
            out.bind_vertex_buffer(1, sides);
            out.draw(&THREE)?;
        }
        out.end_pass()
    });
    for (n, pixel) in rig.texels(&target).iter().enumerate() {
        let left = n as u32 % SIZE < SIZE / 2;
        let expected = if left { [0, 255, 0, 255] } else { [255; 4] };
        assert_eq!(*pixel, expected, "{n}");
    }
}

/// Three targets of four words each: the last one's lie behind the output registers.
#[test]
fn targets_go_on_behind_the_output_registers() {
    let mut rig = Rig::new();
    let format = Format::Rgba32Float;
    let images = [0; 3].map(|_| rig.target(format));
    let set = uniforms(&mut rig, [1.0, 2.0, 3.0, 4.0]);
    let corners = rig.floats(&half(0.5));
    let add = wgt::BlendComponent {
        src_factor: wgt::BlendFactor::One,
        dst_factor: wgt::BlendFactor::One,
        operation: wgt::BlendOperation::Add,
    };
    let mut state = state(1, format);
    let target = |write_mask| {
        Some(wgt::ColorTargetState {
            format,
            blend: Some(wgt::BlendState {
                color: add,
                alpha: add,
            }),
            write_mask,
        })
    };
    let all = wgt::ColorWrites::ALL;
    state.targets = vec![target(all), target(all), target(wgt::ColorWrites::GREEN)];
    let pipeline = rig.pipeline(["plain", "three"], state);
    rig.run(|out| {
        let mut targets = pass(&images[0], wgt::Color::WHITE, None);
        let more = images[1..].iter().map(|image| ColorTarget {
            view: image.attachment(),
            ..targets.colors[0].clone().unwrap()
        });
        let more: Vec<_> = more.map(Some).collect();
        targets.colors.extend(more);
        out.begin_pass(targets)?;
        out.bind_pipeline(&pipeline);
        out.bind_set(0, set);
        out.bind_vertex_buffer(0, corners);
        out.draw(&THREE)?;
        out.draw(&THREE)?;
        out.end_pass()
    });
    let expected = [
        [3.0, 5.0, 7.0, 9.0],
        [9.0, 7.0, 5.0, 3.0],
        [1.0, 5.0, 1.0, 1.0],
    ];
    for (image, expected) in images.iter().zip(expected) {
        let region = image.region(0);
        let rows = Rows::tight(16 * u64::from(SIZE), SIZE.into());
        let mut bytes = vec![0; rows.slice_bytes as usize];
        image::read(&rig.driver, image.part(&region), rows, &mut bytes).unwrap();
        let floats: Vec<f32> = bytes
            .as_chunks()
            .0
            .iter()
            .map(|b| f32::from_le_bytes(*b))
            .collect();
        for (n, texel) in floats.as_chunks::<4>().0.iter().enumerate() {
            let expected = if is_upper(n) { expected } else { [1.0; 4] };
            assert_eq!(*texel, expected, "{n}");
        }
    }
}
