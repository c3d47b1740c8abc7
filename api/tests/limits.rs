//! Numbers at the limits of what calls take: they work, or are refused by name.

#![allow(clippy::unwrap_used)]

mod harness;

use std::num::NonZeroU32;

use girih::*;
use harness::*;

const WHITE: &str = "@fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";

/// A pipeline of one attribute in elements `stride` bytes apart.
fn fetching(harness: &Harness, stride: u32) -> Result<GraphicsPipeline, GraphicsPipelineError> {
    let vertex = "@vertex fn vertex(@location(0) at: vec2f) -> @builtin(position) vec4f {
        return vec4f(at, 0.5, 1.0);
    }
    ";
    let module = harness.module(&(vertex.to_owned() + WHITE));
    let stage = ShaderStage {
        module: &module,
        entry: None,
        constants: &[],
    };
    let layout = PipelineLayoutDescriptor::default();
    harness
        .device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            label: None,
            layout: Some(&harness.device.create_pipeline_layout(&layout).unwrap()),
            vertex: stage,
            buffers: &[VertexBufferLayout {
                stride,
                step: VertexStepMode::Vertex,
                attributes: &[VertexAttribute {
                    format: VertexFormat::Float32x2,
                    offset: 0,
                    shader_location: 0,
                }],
            }],
            geometry: None,
            stream: None,
            fragment: Some(stage),
            targets: &[Some(TextureFormat::Rgba8Unorm.into())],
            primitive: PrimitiveState::default(),
            depth_stencil: None,
            multisample: MultisampleState::default(),
            raster: RasterState::default(),
        })
}

/// Vertices are fetched as far apart as the device says, and pipelines with more are refused.
#[test]
fn the_largest_vertex_stride_is_real() {
    for harness in Harness::each() {
        let most = harness.device.limits().vertex_stride / 4 * 4;
        let pipeline = fetching(&harness, most).unwrap();
        let buffer = BufferDescriptor {
            label: None,
            size: 3 * u64::from(most),
            usage: BufferUsages::VERTEX,
            placement: None,
        };
        let buffer = harness.device.create_buffer(&buffer).unwrap();
        for (n, corner) in (0..).zip([[-1f32, -1.0], [3.0, -1.0], [-1.0, 3.0]]) {
            let bytes: Vec<u8> = corner.iter().flat_map(|x| x.to_le_bytes()).collect();
            buffer.write(n * u64::from(most), &bytes).unwrap();
        }
        let texels = harness.record(&Setup::default(), |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.bind_vertex_buffer(0, &buffer, 0).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        assert_eq!(texels[0], [255; 8 * 8 * 4]);
        for stride in [most + 4, 1 << 16, u32::MAX - 3] {
            let error = fetching(&harness, stride).unwrap_err();
            assert_eq!(error.rule(), "pipeline-vertex-stride", "{error}");
        }
    }
}

/// A viewport may lie beyond everything: nothing is drawn.
#[test]
fn far_viewports_show_nothing() {
    let far = [20_000.0, 100_000.0, 1e9, f32::MAX];
    for harness in Harness::each() {
        let setup = Setup::default();
        let pipeline = harness.pipeline(&setup, &(EVERYWHERE.to_owned() + WHITE));
        for at in far
            .into_iter()
            .flat_map(|at| [[at, 0.0], [0.0, at], [at, at], [-at, -at]])
        {
            let texels = harness.record(&setup, |commands| {
                commands.bind_pipeline(&pipeline).unwrap();
                let viewport = Viewport {
                    x: at[0],
                    y: at[1],
                    width: 8.0,
                    height: 8.0,
                    min_depth: 0.0,
                    max_depth: 1.0,
                };
                commands.set_viewport(viewport).unwrap();
                commands.draw(0..3, 0..1).unwrap();
            });
            assert_eq!(texels[0], [0; 8 * 8 * 4], "{at:?}");
        }
    }
}

/// A layout may ask for more descriptors than there is memory: no set of it can be made.
#[test]
fn layouts_may_be_larger_than_memory() {
    for harness in Harness::each() {
        for count in [1 << 24, 1 << 29, u32::MAX] {
            let entry = |binding| BindGroupLayoutEntry {
                binding,
                visibility: ShaderStages::FRAGMENT,
                ty: BindingType::Sampler(SamplerBindingType::Filtering),
                count: NonZeroU32::new(count),
            };
            let desc = DescriptorSetLayoutDescriptor {
                label: None,
                entries: &[entry(0), entry(1), entry(u32::MAX)],
            };
            let layout = harness.device.create_descriptor_set_layout(&desc).unwrap();
            let desc = DescriptorSetDescriptor {
                label: None,
                layout: &layout,
                entries: &[],
            };
            let error = harness.device.create_descriptor_set(&desc).unwrap_err();
            assert_eq!(error.rule(), "set-missing", "{error}");
        }
    }
}

/// A dynamic offset is checked when a set is bound. If the set then takes a smaller buffer, what lies beyond that buffer is
/// not seen; with less than the shader's type in it, nothing is drawn.
#[test]
fn offsets_beyond_an_updated_buffer_read_zero() {
    for harness in Harness::each() {
        let entry = BindGroupLayoutEntry {
            binding: 0,
            visibility: ShaderStages::FRAGMENT,
            ty: BindingType::Buffer {
                ty: BufferBindingType::Storage { read_only: true },
                has_dynamic_offset: true,
                min_binding_size: None,
            },
            count: None,
        };
        let desc = DescriptorSetLayoutDescriptor {
            label: None,
            entries: &[entry],
        };
        let layout = harness.device.create_descriptor_set_layout(&desc).unwrap();
        let buffer = |size: usize| {
            let buffer = harness.device.create_buffer_init(&BufferInitDescriptor {
                contents: &vec![0xff; size],
                usage: BufferUsages::STORAGE,
                ..Default::default()
            });
            Descriptor::Buffer(BufferBinding {
                buffer: buffer.unwrap(),
                offset: 0,
                size: Some(256),
            })
        };
        let (large, small, smallest) = (buffer(1024), buffer(768 + 128), buffer(768));
        // What lies behind them.
        let _neighbours = [(); 4].map(|()| buffer(1024));
        let desc = DescriptorSetDescriptor {
            label: None,
            layout: &layout,
            entries: &[(0, large)],
        };
        let set = harness.device.create_descriptor_set(&desc).unwrap();
        let setup = Setup {
            sets: vec![&layout],
            ..Setup::format(TextureFormat::Rg32Uint)
        };
        let fragment = "@group(0) @binding(0) var<storage, read> values: array<u32>;
            @fragment fn fragment() -> @location(0) vec2u { return vec2u(values[31], values[60]); }";
        let pipeline = harness.pipeline(&setup, &(EVERYWHERE.to_owned() + fragment));
        let draw = |commands: &mut CommandBuffer, to: &Descriptor| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.bind_descriptor_set(0, &set, &[768]).unwrap();
            commands.draw(0..3, 0..1).unwrap();
            set.update(&[(0, to.clone())]).unwrap();
        };
        let texels = harness.record(&setup, |commands| draw(commands, &small));
        let name = harness.device.physical_device().name();
        assert_eq!(words(&texels[0]), [u32::MAX, 0].repeat(64), "{name}");

        set.update(&[(0, buffer(1024))]).unwrap();
        let view = harness.attachment(TextureFormat::Rg32Uint, [8, 8], 1);
        let mut commands = harness.device.create_command_buffer(None);
        commands
            .transition_all(&[(view.image(), ImageLayout::ColorAttachment)])
            .unwrap();
        let pass = RenderPass {
            colors: &[Some((&view).into())],
            ..RenderPass::default()
        };
        commands.begin_pass(&pass).unwrap();
        draw(&mut commands, &smallest);
        commands.end_pass().unwrap();
        let error = harness.queue.submit(&[&commands], &[]).unwrap_err();
        assert_eq!(error.rule(), "submit-set", "{error}");
    }
}

/// Each thread has state of its own, so their number is bounded.
#[test]
fn a_device_has_256_threads_at_most() {
    for gpu in Instance::new().physical_devices() {
        let create = |threads| {
            gpu.create_device(&DeviceDescriptor {
                threads: Some(threads),
                memory_bytes: Some(1 << 20),
                ..DeviceDescriptor::default()
            })
        };
        for wanted in [0, 257, 2000, usize::MAX] {
            let error = create(wanted).unwrap_err();
            let DeviceError::Threads { threads, most, .. } = error else {
                panic!("{error}");
            };
            assert_eq!((threads, most), (wanted, 256));
            assert_eq!(error.rule(), "device-threads");
        }
        create(1).unwrap();
        create(256).unwrap();
    }
}
