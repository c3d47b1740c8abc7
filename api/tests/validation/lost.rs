//! What a shader does wrong on the chip loses the device, not the program.

use girih::*;

use crate::{Fixture, extent};

/// Draws a triangle over a target with a fragment shader; gives what the target holds.
fn draw(
    device: &Device,
    fragment: &str,
    set: Option<(&DescriptorSetLayout, &DescriptorSet)>,
) -> Result<Vec<u8>, SubmitError> {
    let text = format!(
        "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
            return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
        }}
        {fragment}"
    );
    let module = device
        .create_shader_module(&ShaderModuleDescriptor {
            label: Some("shader"),
            source: ShaderSource::Wgsl(text.into()),
        })
        .unwrap();
    let sets: Vec<&DescriptorSetLayout> = set.iter().map(|(layout, _)| *layout).collect();
    let layout = device
        .create_pipeline_layout(&PipelineLayoutDescriptor {
            label: None,
            sets: &sets,
            push_constant_bytes: 0,
        })
        .unwrap();
    let stage = ShaderStage {
        module: &module,
        entry: None,
        constants: &[],
    };
    let pipeline = device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            label: Some("pipeline"),
            layout: Some(&layout),
            vertex: stage,
            buffers: &[],
            geometry: None,
            stream: None,
            fragment: Some(stage),
            targets: &[Some(TextureFormat::R32Uint.into())],
            primitive: PrimitiveState::default(),
            depth_stencil: None,
            multisample: MultisampleState::default(),
            raster: RasterState::default(),
        })
        .unwrap();
    let image = device
        .create_image(&crate::image(
            TextureFormat::R32Uint,
            TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
        ))
        .unwrap();
    let view = device
        .create_image_view(&image, &ImageViewDescriptor::default())
        .unwrap();
    let mut commands = device.create_command_buffer(Some("commands"));
    commands
        .transition(&image, ImageLayout::Undefined, ImageLayout::General)
        .unwrap();
    commands
        .begin_pass(&RenderPass {
            label: None,
            colors: &[Some(ColorAttachment {
                view: &view,
                resolve: None,
                load: LoadOp::Clear(Color::TRANSPARENT),
                store: StoreOp::Store,
            })],
            depth_stencil: None,
        })
        .unwrap();
    commands.bind_pipeline(&pipeline).unwrap();
    if let Some((_, set)) = set {
        commands.bind_descriptor_set(0, set, &[]).unwrap();
    }
    commands.draw(0..3, 0..1).unwrap();
    commands.end_pass().unwrap();
    device.queue().submit(&[&commands], &[])?;
    Ok(device
        .queue()
        .read_image(&ImageCopy::level(&image, 0), extent(16, 16, 1))
        .unwrap())
}

/// A loop whose end the compiler cannot foresee, and that does not come.
const ENDLESS: &str = "
    @group(0) @binding(0) var<uniform> limit: vec4u;
    @fragment fn fragment() -> @location(0) vec4u {
        var i = 0u;
        loop {
            i += 2u;
            if i == limit.x { break; }
        }
        return vec4u(i);
    }";

/// Submits a draw that never ends, on a device with a short-tempered watchdog.
pub fn run_endless_loop(device: &Device) -> Result<(), SubmitError> {
    let device = device
        .physical_device()
        .create_device(&DeviceDescriptor {
            label: Some("watched"),
            memory_bytes: Some(8 << 20),
            threads: Some(1),
            wave_cost: Some(1_000_000),
            ..DeviceDescriptor::default()
        })
        .unwrap();
    let (layout, set) = uniform_set(&device, &[1, 0, 0, 0]);
    draw(&device, ENDLESS, Some((&layout, &set))).map(drop)
}

fn uniform_set(device: &Device, words: &[u32]) -> (DescriptorSetLayout, DescriptorSet) {
    let entry = crate::sets::entry(0, crate::sets::uniform());
    set_with(device, entry, BufferUsages::UNIFORM, words)
}

fn set_with(
    device: &Device,
    entry: BindGroupLayoutEntry,
    usage: BufferUsages,
    words: &[u32],
) -> (DescriptorSetLayout, DescriptorSet) {
    let buffer = device
        .create_buffer(&crate::buffer(words.len() as u64 * 4, usage))
        .unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    buffer.write(0, &bytes).unwrap();
    let layout = device
        .create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
            label: None,
            entries: &[entry],
        })
        .unwrap();
    let set = device
        .create_descriptor_set(&DescriptorSetDescriptor {
            label: None,
            layout: &layout,
            entries: &[(0, (&buffer).into())],
        })
        .unwrap();
    (layout, set)
}

#[test]
fn the_watchdog_ends_endless_loops() {
    for gpu in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().integers)
    {
        let device = gpu.create_device(&DeviceDescriptor {
            memory_bytes: Some(8 << 20),
            ..DeviceDescriptor::default()
        });
        let error = run_endless_loop(&device.unwrap()).unwrap_err();
        let SubmitError::Lost { trap, shader } = &error else {
            panic!("{error}");
        };
        assert!(trap.reason.contains("a cost of 1000000"), "{trap}");
        assert_eq!(trap.chip, gpu.name());
        assert!(trap.address > 0);

        // The trap is told with its pipeline, stage and line.
        let shader = shader.as_ref().unwrap();
        assert_eq!(shader.stage, Stage::Fragment);
        let at = shader.at.as_ref().unwrap();
        let parts = ["loop {", "i += 2u;", "if i == limit.x { break; }"];
        assert!(parts.contains(&at.excerpt.trim()), "{error}");
        let place = format!(
            ", in the fragment shader of {}\n  at line {}, ",
            shader.pipeline, at.line
        );
        assert!(error.to_string().contains(&place), "{error}");
    }
}

/// After the trap the device refuses to work, and says why; memory can still be read.
#[test]
fn a_lost_device_stays_lost() {
    let t = Fixture::new();
    let device = t
        .gpu()
        .create_device(&DeviceDescriptor {
            memory_bytes: Some(8 << 20),
            threads: Some(2),
            wave_cost: Some(1_000_000),
            ..DeviceDescriptor::default()
        })
        .unwrap();
    let kept = device
        .create_buffer(&crate::buffer(4, BufferUsages::UNIFORM))
        .unwrap();
    kept.write(0, &[1, 2, 3, 4]).unwrap();
    let (layout, set) = uniform_set(&device, &[1, 0, 0, 0]);
    let first = draw(&device, ENDLESS, Some((&layout, &set))).unwrap_err();
    let empty = device.create_command_buffer(None);
    let second = device.queue().submit(&[&empty], &[]).unwrap_err();
    assert_eq!(first, second);
    assert!(device.lost().is_some());
    let mut bytes = [0; 4];
    kept.read(0, &mut bytes).unwrap();
    assert_eq!(bytes, [1, 2, 3, 4]);
}

/// Draws a loop of 200 iterations on a device whose waves may cost little, with a mipmapped texture and a sampler.
fn loop_of_200(gpu: &PhysicalDevice, body: &str, anisotropy_clamp: u16) -> Result<(), SubmitError> {
    let device = gpu
        .create_device(&DeviceDescriptor {
            memory_bytes: Some(8 << 20),
            threads: Some(1),
            wave_cost: Some(5_000_000),
            ..DeviceDescriptor::default()
        })
        .unwrap();
    let image = device
        .create_image(&ImageDescriptor {
            levels: 5,
            ..crate::image(TextureFormat::Rgba8Unorm, TextureUsages::TEXTURE_BINDING)
        })
        .unwrap();
    let view = device
        .create_image_view(&image, &ImageViewDescriptor::default())
        .unwrap();
    let linear = (FilterMode::Linear, MipmapFilterMode::Linear);
    let sampler = device
        .create_sampler(&SamplerDescriptor {
            mag_filter: linear.0,
            min_filter: linear.0,
            mipmap_filter: linear.1,
            anisotropy_clamp,
            ..SamplerDescriptor::default()
        })
        .unwrap();
    let filtering = BindingType::Sampler(SamplerBindingType::Filtering);
    let layout = device
        .create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
            label: None,
            entries: &[
                crate::sets::entry(0, crate::sets::sampled()),
                crate::sets::entry(1, filtering),
            ],
        })
        .unwrap();
    let set = device
        .create_descriptor_set(&DescriptorSetDescriptor {
            label: None,
            layout: &layout,
            entries: &[(0, (&view).into()), (1, (&sampler).into())],
        })
        .unwrap();
    let mut commands = device.create_command_buffer(None);
    commands
        .transition(&image, ImageLayout::Undefined, ImageLayout::General)
        .unwrap();
    device.queue().submit(&[&commands], &[])?;
    let text = format!(
        "@group(0) @binding(0) var t: texture_2d<f32>;
         @group(0) @binding(1) var s: sampler;
         @fragment fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4u {{
             var color = at;
             for (var i = 0; i < 200; i += 1) {{
                 {body}
             }}
             return vec4u(color);
         }}"
    );
    draw(&device, &text, Some((&layout, &set))).map(drop)
}

/// The watchdog counts what instructions cost: samples more than additions, and those of many texels most.
#[test]
fn samples_cost_what_their_sampler_asks_for() {
    const SAMPLE: &str = "color += textureSampleLevel(t, s, color.xy, 0.5);";
    for gpu in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().integers)
    {
        let additions = "color += at.yxzw + textureSampleLevel(t, s, at.xy, 0.0) * 0.0;";
        assert_eq!(loop_of_200(&gpu, "color += at.yxzw;", 16), Ok(()));
        assert_eq!(loop_of_200(&gpu, additions, 1), Ok(()));
        assert_eq!(loop_of_200(&gpu, SAMPLE, 1), Ok(()));
        let error = loop_of_200(&gpu, SAMPLE, 16).unwrap_err().to_string();
        assert!(error.contains("a cost of 5000000"), "{error}");
    }
}

/// The same loop ends by itself when its end comes.
#[test]
fn long_loops_are_not_endless() {
    let t = Fixture::new();
    let (layout, set) = uniform_set(&t.device, &[20_000, 0, 0, 0]);
    let texels = draw(&t.device, ENDLESS, Some((&layout, &set))).unwrap();
    assert!(
        texels
            .chunks_exact(4)
            .all(|texel| texel == 20_000u32.to_le_bytes())
    );
}

/// Reads outside of a buffer give zero, writes there are dropped.
#[test]
fn accesses_out_of_bounds_are_harmless() {
    let t = Fixture::new();
    let ty = BindingType::Buffer {
        ty: BufferBindingType::Storage { read_only: false },
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let mut entry = crate::sets::entry(0, ty);
    entry.visibility = ShaderStages::FRAGMENT;
    let (layout, set) = set_with(&t.device, entry, BufferUsages::STORAGE, &[7, 7, 7, 7]);
    let texels = draw(
        &t.device,
        "@group(0) @binding(0) var<storage, read_write> words: array<u32>;
         @fragment fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4u {
             let i = u32(at.x);
             words[i + 4u] = 9u;
             return vec4u(words[i]);
         }",
        Some((&layout, &set)),
    )
    .unwrap();
    let row: Vec<u32> = texels[..64]
        .chunks_exact(4)
        .map(|texel| u32::from_le_bytes(texel.try_into().unwrap()))
        .collect();
    assert_eq!(row[..4], [7; 4]);
    assert_eq!(row[4..], [0; 12]);
}
