//! What a geometry shader costs: 100,352 triangles of which it makes four each, beside the 401,408 triangles drawn as they are.
//! One thread unless GIRIH_THREADS says more; times are milliseconds of a frame, the least of several.
//!
//!     cargo bench -p girih --bench geometry -- [DEVICE]

use std::time::{Duration, Instant};

use girih::*;

type Failure = Box<dyn std::error::Error>;

const SIZE: Extent3d = Extent3d {
    width: 1280,
    height: 720,
    depth_or_array_layers: 1,
};
/// Squares along the edge of the mesh that is amplified.
const CELLS: u32 = 224;
const FRAMES: usize = 7;

const SHADER: &str = "
    struct V { @builtin(position) at: vec4f, @location(0) color: vec3f }
    @vertex fn vs(@location(0) at: vec2f, @location(1) color: vec3f) -> V {
        return V(vec4f(at, 0.5, 1.0), color);
    }
    @fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.color, 1.0); }
    fn emit_vertex(v: V) {}
    fn end_primitive() {}
    const gs_max_vertices = 8u;
    fn middle(a: V, b: V) -> V { return V((a.at + b.at) * 0.5, (a.color + b.color) * 0.5); }
    fn gs(v: array<V, 3>) {
        let ab = middle(v[0], v[1]);
        let bc = middle(v[1], v[2]);
        let ca = middle(v[2], v[0]);
        emit_vertex(v[0]);
        emit_vertex(ab);
        emit_vertex(ca);
        emit_vertex(bc);
        emit_vertex(v[2]);
        end_primitive();
        emit_vertex(ab);
        emit_vertex(v[1]);
        emit_vertex(bc);
        end_primitive();
    }";

/// A square mesh: place and colour of each vertex, and the indices of its triangles.
struct Mesh {
    vertices: Vec<[f32; 5]>,
    indices: Vec<u32>,
}

fn mesh(cells: u32) -> Mesh {
    let part = |n: u32| n as f32 / cells as f32;
    let corner = |n: u32| {
        let (x, y) = (part(n % (cells + 1)), part(n / (cells + 1)));
        [1.9 * x - 0.95, 1.9 * y - 0.95, x, y, 1.0 - x * y]
    };
    let square = |n: u32| {
        let first = n / cells * (cells + 1) + n % cells;
        let [a, b, c, d] = [0, 1, cells + 1, cells + 2].map(|step| first + step);
        [a, b, c, b, d, c]
    };
    Mesh {
        vertices: (0..(cells + 1) * (cells + 1)).map(corner).collect(),
        indices: (0..cells * cells).flat_map(square).collect(),
    }
}

/// A mesh with the pipeline that draws it.
struct Draw {
    pipeline: GraphicsPipeline,
    vertices: Buffer,
    indices: Buffer,
    count: u32,
}

fn draw(device: &Device, mesh: &Mesh, amplifies: bool) -> Result<Draw, Failure> {
    let shader = device.create_shader_module(&ShaderModuleDescriptor::wgsl(SHADER))?;
    let stage = |entry| ShaderStage {
        entry: Some(entry),
        ..ShaderStage::from(&shader)
    };
    let attributes = vertex_attributes![0 => Float32x2, 1 => Float32x3];
    let bytes = |words: &mut dyn Iterator<Item = u32>| -> Vec<u8> {
        words.flat_map(u32::to_le_bytes).collect()
    };
    let filled = |usage, contents: &[u8]| {
        device.create_buffer_init(&BufferInitDescriptor {
            label: None,
            contents,
            usage,
        })
    };
    let floats = mesh.vertices.iter().flatten();
    Ok(Draw {
        pipeline: device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
            buffers: &[VertexBufferLayout {
                stride: 20,
                attributes: &attributes,
                ..VertexBufferLayout::default()
            }],
            geometry: amplifies
                .then(|| GeometryStage::new(stage("gs"), GeometryOutput::TriangleStrip)),
            fragment: Some(stage("fs")),
            targets: &[Some(TextureFormat::Rgba8Unorm.into())],
            ..GraphicsPipelineDescriptor::new(stage("vs"))
        })?,
        vertices: filled(
            BufferUsages::VERTEX,
            &bytes(&mut floats.map(|float| float.to_bits())),
        )?,
        indices: filled(
            BufferUsages::INDEX,
            &bytes(&mut mesh.indices.iter().copied()),
        )?,
        count: mesh.indices.len() as u32,
    })
}

/// The least time of several frames.
fn time(device: &Device, view: &ImageView, draw: &Draw) -> Result<Duration, Failure> {
    let queue = device.queue();
    let mut commands = device.create_command_buffer(None);
    commands.begin_pass(&RenderPass {
        label: None,
        colors: &[Some(view.into())],
        depth_stencil: None,
    })?;
    commands.bind_pipeline(&draw.pipeline)?;
    commands.bind_vertex_buffer(0, &draw.vertices, 0)?;
    commands.bind_index_buffer(&draw.indices, 0, IndexFormat::Uint32)?;
    commands.draw_indexed(0..draw.count, 0, 0..1)?;
    commands.end_pass()?;
    let mut least = Duration::MAX;
    for _ in 0..FRAMES {
        let start = Instant::now();
        queue.submit(&[&commands], &[])?;
        least = least.min(start.elapsed());
    }
    Ok(least)
}

fn main() -> Result<(), Failure> {
    let named = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let chips = Instance::new().physical_devices();
    let chips = chips.filter(|gpu| gpu.features().geometry);
    for gpu in chips.filter(|gpu| named.as_deref().is_none_or(|name| name == gpu.name())) {
        let device = gpu.create_device(&DeviceDescriptor {
            threads: std::env::var_os("GIRIH_THREADS").is_none().then_some(1),
            ..DeviceDescriptor::default()
        })?;
        let image = device.create_image(&ImageDescriptor {
            size: SIZE,
            format: TextureFormat::Rgba8Unorm,
            usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
            ..ImageDescriptor::default()
        })?;
        device
            .queue()
            .transition(&image, ImageLayout::ColorAttachment)?;
        let view = device.create_image_view(&image, &ImageViewDescriptor::default())?;
        let amplified = time(&device, &view, &draw(&device, &mesh(CELLS), true)?)?;
        let direct = time(&device, &view, &draw(&device, &mesh(2 * CELLS), false)?)?;
        println!(
            "{}: amplified {:.1} ms, as they are {:.1} ms, ratio {:.2}",
            gpu.name(),
            1e3 * amplified.as_secs_f64(),
            1e3 * direct.as_secs_f64(),
            amplified.as_secs_f64() / direct.as_secs_f64()
        );
    }
    Ok(())
}
