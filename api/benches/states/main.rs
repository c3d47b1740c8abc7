//! What a fragment costs in one state after another: target formats, blending, depth and stencil, textures, shaders,
//! primitives. One thread unless GIRIH_THREADS says more; a row is nanoseconds a fragment, the least of several frames.
//!
//!     cargo bench -p girih --bench states -- [DEVICE] [PART OF A NAME]

mod rows;

use std::time::{Duration, Instant};

use girih::*;
use rows::{Primitives, Row, Texture, rows};

type Failure = Box<dyn std::error::Error>;

/// Columns and lines of the targets.
const SIZE: u32 = 512;
/// Layers that are drawn over each other in a frame.
const LAYERS: u32 = 8;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let is_device = |name: &str| words.first().is_some_and(|word| word == name);
    let physical: Vec<PhysicalDevice> = Instance::new().physical_devices().collect();
    let named = physical.iter().any(|gpu| is_device(gpu.name()));
    let part = words.get(usize::from(named)).cloned().unwrap_or_default();
    for gpu in physical
        .iter()
        .filter(|gpu| !named || is_device(gpu.name()))
    {
        let device = gpu.create_device(&DeviceDescriptor {
            threads: std::env::var_os("GIRIH_THREADS").is_none().then_some(1),
            ..DeviceDescriptor::default()
        })?;
        println!("{}: nanoseconds a fragment", gpu.name());
        for row in rows().iter().filter(|row| row.name.contains(&part)) {
            match measure(&device, row) {
                Ok((time, fragments)) => println!(
                    "{:32} {:8.2}",
                    row.name,
                    time.as_nanos() as f64 / fragments as f64
                ),
                Err(failure) => println!("{:32} {failure}", row.name),
            }
        }
    }
    Ok(())
}

/// The least time of a frame, and its fragments.
fn measure(device: &Device, row: &Row) -> Result<(Duration, u64), Failure> {
    let scene = Scene::new(device, row)?;
    let mut least = Duration::MAX;
    let mut fragments = 0;
    for _ in 0..5 {
        let before = device.stats().fragment_lanes;
        let start = Instant::now();
        scene.draw(device)?;
        least = least.min(start.elapsed());
        fragments = device.stats().fragment_lanes - before;
    }
    Ok((least, fragments.max(1)))
}

struct Scene<'a> {
    row: &'a Row,
    pipeline: GraphicsPipeline,
    set: Option<DescriptorSet>,
    colors: Vec<ImageView>,
    depth: Option<ImageView>,
}

impl Scene<'_> {
    fn new<'a>(device: &Device, row: &'a Row) -> Result<Scene<'a>, Failure> {
        let image = |format| attachment(device, format, row.samples);
        let (layout, set) = bindings(device, row)?.unzip();
        let sets: Vec<&DescriptorSetLayout> = layout.iter().collect();
        Ok(Scene {
            row,
            pipeline: pipeline(device, row, &sets)?,
            set,
            colors: row
                .targets
                .iter()
                .map(|target| image(target.format))
                .collect::<Result<_, _>>()?,
            depth: row
                .depth
                .as_ref()
                .map(|depth| image(depth.format))
                .transpose()?,
        })
    }

    fn draw(&self, device: &Device) -> Result<(), Failure> {
        let mut commands = device.create_command_buffer(None);
        let mut attachments = Vec::new();
        for view in &self.colors {
            commands.transition(
                view.image(),
                ImageLayout::Undefined,
                ImageLayout::ColorAttachment,
            )?;
            attachments.push(Some(ColorAttachment {
                view,
                resolve: None,
                load: LoadOp::Load,
                store: StoreOp::Store,
            }));
        }
        if let Some(view) = &self.depth {
            commands.transition(
                view.image(),
                ImageLayout::Undefined,
                ImageLayout::DepthStencilAttachment,
            )?;
        }
        commands.begin_pass(&RenderPass {
            label: None,
            colors: &attachments,
            depth_stencil: self.depth.as_ref().map(|view| DepthStencilAttachment {
                view,
                depth: AspectAccess::Write {
                    load: LoadOp::Clear(1.0),
                    store: StoreOp::Store,
                },
                stencil: AspectAccess::Write {
                    load: LoadOp::Clear(0),
                    store: StoreOp::Store,
                },
                resolve: None,
            }),
        })?;
        commands.bind_pipeline(&self.pipeline)?;
        if let Some(set) = &self.set {
            commands.bind_descriptor_set(0, set, &[])?;
        }
        let squares = |edge: u32| (SIZE / edge).pow(2);
        match self.row.primitives {
            Primitives::Screen => commands.draw(0..3, 0..LAYERS)?,
            Primitives::Grid(edge) => commands.draw(0..6 * squares(edge), 0..LAYERS)?,
            Primitives::Draws(edge) => {
                for square in 0..squares(edge) {
                    commands.draw(6 * square..6 * square + 6, 0..1)?;
                }
            }
            Primitives::Points(edge) => commands.draw(0..squares(edge), 0..LAYERS)?,
            Primitives::Lines => commands.draw(0..2 * SIZE, 0..LAYERS)?,
        }
        commands.end_pass()?;
        device.queue().submit(&[&commands], &[])?;
        Ok(())
    }
}

/// An image to draw to.
fn attachment(device: &Device, format: TextureFormat, samples: u32) -> Result<ImageView, Failure> {
    let image = device.create_image(&ImageDescriptor {
        label: None,
        dimension: TextureDimension::D2,
        size: Extent3d {
            width: SIZE,
            height: SIZE,
            depth_or_array_layers: 1,
        },
        levels: 1,
        samples,
        format,
        usage: TextureUsages::RENDER_ATTACHMENT,
        placement: None,
    })?;
    Ok(device.create_image_view(&image, &ImageViewDescriptor::default())?)
}

/// Bytes that look like noise in most formats, and like small numbers in those of floats.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8 & 0x3f
    };
    std::iter::repeat_with(&mut next).take(count).collect()
}

/// A texture of 256 by 256 with all its levels, in six layers or 64 slices where it has them.
fn texture(device: &Device, texture: &Texture) -> Result<ImageView, Failure> {
    let deep = texture.dimension == TextureViewDimension::D3;
    let (edge, layers) = match texture.dimension {
        TextureViewDimension::D3 => (64, 64),
        TextureViewDimension::D2 => (256, 1),
        _ => (256, 6),
    };
    let image = device.create_image(&ImageDescriptor {
        label: None,
        dimension: if deep {
            TextureDimension::D3
        } else {
            TextureDimension::D2
        },
        size: Extent3d {
            width: edge,
            height: edge,
            depth_or_array_layers: layers,
        },
        levels: edge.ilog2() + 1,
        samples: 1,
        format: texture.format,
        usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
        placement: None,
    })?;
    let queue = device.queue();
    queue.transition(&image, ImageLayout::CopyDestination)?;
    let (wide, high) = texture.format.block_dimensions();
    let bytes = texture.format.block_copy_size(None).unwrap_or(4);
    for level in 0..image.levels() {
        let size = image.level_size(level);
        let blocks =
            size.width.div_ceil(wide) * size.height.div_ceil(high) * size.depth_or_array_layers;
        queue.write_image(
            &ImageCopy::level(&image, level),
            size,
            &noise((blocks * bytes) as usize),
        )?;
    }
    queue.transition(&image, ImageLayout::ShaderReadOnly)?;
    Ok(device.create_image_view(
        &image,
        &ImageViewDescriptor {
            dimension: Some(texture.dimension),
            ..ImageViewDescriptor::default()
        },
    )?)
}

/// The texture and the sampler of a row.
fn bindings(
    device: &Device,
    row: &Row,
) -> Result<Option<(DescriptorSetLayout, DescriptorSet)>, Failure> {
    let Some(wanted) = &row.texture else {
        return Ok(None);
    };
    let compares = wanted.sampler.compare.is_some();
    let entry = |binding, ty| BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let image = BindingType::Texture {
        sample_type: match compares {
            true => TextureSampleType::Depth,
            false => TextureSampleType::Float { filterable: true },
        },
        view_dimension: wanted.dimension,
        multisampled: false,
    };
    let sampler = BindingType::Sampler(match compares {
        true => SamplerBindingType::Comparison,
        false => SamplerBindingType::Filtering,
    });
    let layout = device.create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
        label: None,
        entries: &[entry(0, image), entry(1, sampler)],
    })?;
    let entries = [
        (0, Descriptor::from(&texture(device, wanted)?)),
        (
            1,
            Descriptor::from(&device.create_sampler(&wanted.sampler)?),
        ),
    ];
    let set = device.create_descriptor_set(&DescriptorSetDescriptor {
        label: None,
        layout: &layout,
        entries: &entries,
    })?;
    Ok(Some((layout, set)))
}

/// The vertex shader that makes the corners of a row's primitives from their numbers.
fn corners(primitives: Primitives) -> String {
    let place = match primitives {
        Primitives::Screen => "vec2f(f32(n % 2u) * 4.0, f32(n / 2u) * 4.0)".to_owned(),
        Primitives::Grid(edge) | Primitives::Draws(edge) => {
            let across = SIZE / edge;
            format!(
                "(vec2f(f32(n / 6u % {across}u), f32(n / 6u / {across}u))
                    + vec2f(f32(0x32u >> (n % 6u) & 1u), f32(0x2cu >> (n % 6u) & 1u))) * {:?}",
                2.0 / across as f32
            )
        }
        Primitives::Points(edge) => {
            let across = SIZE / edge;
            format!(
                "(vec2f(f32(n % {across}u), f32(n / {across}u)) + 0.5) * {:?}",
                2.0 / across as f32
            )
        }
        Primitives::Lines => format!(
            "vec2f(f32(n % 2u) * 2.0, (f32(n / 2u) + 0.5) * {:?})",
            2.0 / SIZE as f32
        ),
    };
    format!(
        "struct V {{ @builtin(position) at: vec4f, @location(0) uv: vec2f }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) layer: u32) -> V {{
            let xy = {place};
            return V(vec4f(xy - 1.0, 1.0 - f32(layer) / 16.0, 1.0), xy * 0.7 + 0.1);
        }}\n"
    )
}

fn pipeline(
    device: &Device,
    row: &Row,
    sets: &[&DescriptorSetLayout],
) -> Result<GraphicsPipeline, Failure> {
    let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
        sets,
        ..PipelineLayoutDescriptor::default()
    })?;
    let mut text = corners(row.primitives);
    if let Some(texture) = &row.texture {
        let compares = texture.sampler.compare.is_some();
        text += match texture.dimension {
            TextureViewDimension::Cube => "@group(0) @binding(0) var t: texture_cube<f32>;",
            TextureViewDimension::D3 => "@group(0) @binding(0) var t: texture_3d<f32>;",
            TextureViewDimension::D2Array => "@group(0) @binding(0) var t: texture_2d_array<f32>;",
            _ if compares => "@group(0) @binding(0) var t: texture_depth_2d;",
            _ => "@group(0) @binding(0) var t: texture_2d<f32>;",
        };
        text += match compares {
            true => "@group(0) @binding(1) var s: sampler_comparison;\n",
            false => "@group(0) @binding(1) var s: sampler;\n",
        };
    }
    text += &row.fragment;
    let module = device.create_shader_module(&ShaderModuleDescriptor {
        label: Some(row.name),
        source: ShaderSource::Wgsl(text.as_str().into()),
    })?;
    let stage = ShaderStage {
        module: &module,
        entry: None,
        constants: &[],
    };
    let targets: Vec<Option<ColorTargetState>> = row.targets.iter().cloned().map(Some).collect();
    Ok(
        device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
            label: Some(row.name),
            layout: Some(&layout),
            vertex: stage,
            buffers: &[],
            fragment: Some(stage),
            targets: &targets,
            primitive: PrimitiveState {
                topology: match row.primitives {
                    Primitives::Points(_) => PrimitiveTopology::PointList,
                    Primitives::Lines => PrimitiveTopology::LineList,
                    _ => PrimitiveTopology::TriangleList,
                },
                ..PrimitiveState::default()
            },
            depth_stencil: row.depth.clone(),
            multisample: MultisampleState {
                count: row.samples,
                ..MultisampleState::default()
            },
            raster: RasterState {
                point_size: match row.primitives {
                    Primitives::Points(edge) => edge as f32,
                    _ => 1.0,
                },
                ..RasterState::default()
            },
        })?,
    )
}
