//! What a small draw costs, from recording to the last texel: with the same state, and with something that changes from
//! draw to draw. One thread unless GIRIH_THREADS says more; a row is nanoseconds a draw, the least of several frames.
//!
//!     cargo bench -p girih --bench draws -- [DEVICE] [PART OF A NAME]
//!
//! GIRIH_DRAWS is the number of draws of a frame. With GIRIH_ONCE there is one frame, so that a tool that counts
//! instructions sees the difference between two numbers of draws.

use std::time::{Duration, Instant};

use girih::*;

type Failure = Box<dyn std::error::Error>;

const SIZE: Extent3d = Extent3d {
    width: 1280,
    height: 720,
    depth_or_array_layers: 1,
};
/// Edges of the squares that triangles are half of.
const EDGES: [u32; 3] = [5, 16, 32];

/// What changes between two draws.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    Nothing,
    DynamicOffset,
    PushConstants,
    Set,
    Pipeline,
}

const CHANGES: [(&str, Change); 5] = [
    ("same", Change::Nothing),
    ("dynamic offset", Change::DynamicOffset),
    ("push constants", Change::PushConstants),
    ("set", Change::Set),
    ("pipeline", Change::Pipeline),
];

const SHADER: &str = "
    struct V { @builtin(position) at: vec4f, @location(0) color: vec4f };
    @group(0) @binding(0) var<uniform> tint: vec4f;
    var<immediate> push: vec4f;
    @vertex fn vs(@location(0) at: vec2f, @location(1) color: vec4f) -> V {
        return V(vec4f(at, push.x + 0.5, 1.0), color * tint);
    }
    @fragment fn fs(v: V) -> @location(0) vec4f { return v.color + push; }";

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let draws = number("GIRIH_DRAWS").unwrap_or(5000);
    let frames = if std::env::var_os("GIRIH_ONCE").is_some() {
        1
    } else {
        7
    };
    let physical: Vec<PhysicalDevice> = Instance::new().physical_devices().collect();
    let is_first = |gpu: &PhysicalDevice| words.first().is_some_and(|word| word == gpu.name());
    let named = physical.iter().any(is_first);
    let part = words.get(usize::from(named)).cloned().unwrap_or_default();
    for gpu in physical.iter().filter(|gpu| !named || is_first(gpu)) {
        let device = gpu.create_device(&DeviceDescriptor {
            threads: std::env::var_os("GIRIH_THREADS").is_none().then_some(1),
            ..DeviceDescriptor::default()
        })?;
        println!("{}: nanoseconds a draw", gpu.name());
        for (name, change) in CHANGES {
            for indexed in [false, true] {
                for edge in EDGES {
                    let how = if indexed { "indexed" } else { "counted" };
                    let name = format!("{name} {how} {edge}");
                    if !name.contains(&part) {
                        continue;
                    }
                    let scene = Scene::new(&device, edge, draws)?;
                    let times: Vec<Duration> = (0..frames)
                        .map(|_| scene.frame(change, indexed))
                        .collect::<Result<_, _>>()?;
                    let least = times.iter().min().map_or(0, Duration::as_nanos);
                    println!("{name:32} {:8.0}", least as f64 / f64::from(draws.max(1)));
                }
            }
        }
    }
    Ok(())
}

struct Scene {
    device: Device,
    draws: u32,
    pipelines: [GraphicsPipeline; 2],
    sets: [DescriptorSet; 2],
    vertices: Buffer,
    indices: Buffer,
    color: ImageView,
    depth: ImageView,
}

impl Scene {
    fn new(device: &Device, edge: u32, draws: u32) -> Result<Scene, Failure> {
        let buffer = |contents: &[u8], usage| {
            device.create_buffer_init(&BufferInitDescriptor {
                label: None,
                contents,
                usage,
            })
        };
        let entry = BindGroupLayoutEntry {
            binding: 0,
            visibility: ShaderStages::VERTEX,
            ty: BindingType::Buffer {
                ty: BufferBindingType::Uniform,
                has_dynamic_offset: true,
                min_binding_size: None,
            },
            count: None,
        };
        let layout = device.create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
            label: None,
            entries: &[entry],
        })?;
        let tints: Vec<u8> = (0..256)
            .flat_map(|n| ((n % 7) as f32 / 7.0).to_le_bytes())
            .collect();
        let tints = buffer(&tints, BufferUsages::UNIFORM)?;
        let set = || {
            let bound = Descriptor::Buffer(BufferBinding {
                buffer: tints.clone(),
                offset: 0,
                size: Some(16),
            });
            device.create_descriptor_set(&DescriptorSetDescriptor {
                label: None,
                layout: &layout,
                entries: &[(0, bound)],
            })
        };
        let indices: Vec<u8> = (0..3 * draws).flat_map(u32::to_le_bytes).collect();
        Ok(Scene {
            device: device.clone(),
            draws,
            pipelines: [
                pipeline(device, &layout, SHADER)?,
                pipeline(device, &layout, &SHADER.replace("v.color +", "v.color -"))?,
            ],
            sets: [set()?, set()?],
            vertices: buffer(&triangles(edge, draws), BufferUsages::VERTEX)?,
            indices: buffer(&indices, BufferUsages::INDEX)?,
            color: attachment(device, TextureFormat::Rgba8Unorm)?,
            depth: attachment(device, TextureFormat::Depth32Float)?,
        })
    }

    /// Records and runs a frame.
    fn frame(&self, change: Change, indexed: bool) -> Result<Duration, Failure> {
        let start = Instant::now();
        let mut commands = self.device.create_command_buffer(None);
        commands.transition_all(&[
            (self.color.image(), ImageLayout::ColorAttachment),
            (self.depth.image(), ImageLayout::DepthStencilAttachment),
        ])?;
        commands.begin_pass(&RenderPass {
            label: None,
            colors: &[Some((&self.color).into())],
            depth_stencil: Some(DepthStencilAttachment {
                view: &self.depth,
                depth: AspectAccess::Write {
                    load: LoadOp::Clear(1.0),
                    store: StoreOp::Store,
                },
                stencil: AspectAccess::ReadOnly,
                resolve: None,
            }),
        })?;
        commands.bind_pipeline(&self.pipelines[0])?;
        commands.bind_descriptor_set(0, &self.sets[0], &[0])?;
        commands.bind_vertex_buffer(0, &self.vertices, 0)?;
        commands.bind_index_buffer(&self.indices, 0, IndexFormat::Uint32)?;
        for n in 0..self.draws {
            let other = n as usize % 2;
            match change {
                Change::Nothing => {}
                Change::DynamicOffset => {
                    commands.bind_descriptor_set(0, &self.sets[0], &[n % 32 * 16])?;
                }
                Change::PushConstants => {
                    commands.push_constants(0, &(n as f32 / 1e5).to_le_bytes())?;
                }
                Change::Set => commands.bind_descriptor_set(0, &self.sets[other], &[0])?,
                Change::Pipeline => commands.bind_pipeline(&self.pipelines[other])?,
            }
            match indexed {
                false => commands.draw(3 * n..3 * n + 3, 0..1)?,
                true => commands.draw_indexed(3 * n..3 * n + 3, 0, 0..1)?,
            }
        }
        commands.end_pass()?;
        self.device.queue().submit(&[&commands], &[])?;
        Ok(start.elapsed())
    }
}

/// Vertices of triangles side by side, row by row: place and colour.
fn triangles(edge: u32, count: u32) -> Vec<u8> {
    let (across, down) = (SIZE.width / edge, SIZE.height / edge);
    let mut bytes = Vec::new();
    for n in 0..count {
        let (x, y) = (n % across * edge, n / across % down * edge);
        for (right, low) in [(0, 0), (edge, 0), (0, edge)] {
            let at = [
                (x + right) as f32 / SIZE.width as f32 * 2.0 - 1.0,
                1.0 - (y + low) as f32 / SIZE.height as f32 * 2.0,
            ];
            let color = [
                right as f32 / edge as f32,
                low as f32 / edge as f32,
                0.5,
                1.0,
            ];
            let floats = at.iter().chain(&color);
            bytes.extend(floats.flat_map(|value| value.to_le_bytes()));
        }
    }
    bytes
}

fn attachment(device: &Device, format: TextureFormat) -> Result<ImageView, Failure> {
    let image = device.create_image(&ImageDescriptor {
        label: None,
        dimension: TextureDimension::D2,
        size: SIZE,
        levels: 1,
        samples: 1,
        format,
        usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
        placement: None,
    })?;
    Ok(device.create_image_view(&image, &ImageViewDescriptor::default())?)
}

fn pipeline(
    device: &Device,
    set: &DescriptorSetLayout,
    wgsl: &str,
) -> Result<GraphicsPipeline, Failure> {
    let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
        label: None,
        sets: &[set],
        push_constant_bytes: 16,
    })?;
    let module = device.create_shader_module(&ShaderModuleDescriptor {
        label: None,
        source: ShaderSource::Wgsl(wgsl.into()),
    })?;
    let attributes = vertex_attributes![0 => Float32x2, 1 => Float32x4];
    Ok(
        device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
            layout: Some(&layout),
            buffers: &[VertexBufferLayout {
                stride: 24,
                step: VertexStepMode::Vertex,
                attributes: &attributes,
            }],
            fragment: Some((&module).into()),
            targets: &[Some(TextureFormat::Rgba8Unorm.into())],
            depth_stencil: Some(DepthStencilState {
                format: TextureFormat::Depth32Float,
                depth_write_enabled: Some(true),
                depth_compare: Some(CompareFunction::LessEqual),
                stencil: StencilState::default(),
                bias: DepthBiasState::default(),
            }),
            ..GraphicsPipelineDescriptor::new(&module)
        })?,
    )
}
