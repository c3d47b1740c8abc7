//! Queries of draws whose counts are known.

#![allow(clippy::unwrap_used)]

use girih::*;

const SIDE: u32 = 16;

/// A quad of two triangles over the left half, at the depth of its instance.
const SHADER: &str = "
    @vertex fn vertex(@builtin(vertex_index) i: u32, @builtin(instance_index) n: u32)
        -> @builtin(position) vec4f {
        let corner = vec2f(f32(i & 1u), f32(i >> 1u));
        return vec4f(corner.x - 1.0, corner.y * 2.0 - 1.0, f32(n) * 0.25, 1.0);
    }
    @fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }
    // Twice as far out as the screen, so that it is clipped only beyond the guard band.
    @vertex fn huge(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
        return vec4f((vec2f(f32(i & 1u), f32(i >> 1u)) * 4.0 - 1.0), -0.5 + f32(i), 1.0);
    }";

struct Fixture {
    device: Device,
    queue: Queue,
    color: ImageView,
    depth: ImageView,
    quad: GraphicsPipeline,
    huge: GraphicsPipeline,
    indices: Buffer,
}

fn pipeline(device: &Device, entry: &'static str) -> GraphicsPipeline {
    let module = device
        .create_shader_module(&ShaderModuleDescriptor {
            label: Some("shader"),
            source: ShaderSource::Wgsl(SHADER.into()),
        })
        .unwrap();
    let stage = |entry| ShaderStage {
        module: &module,
        entry: Some(entry),
        constants: &[],
    };
    device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            label: Some(entry),
            layout: Some(
                &device
                    .create_pipeline_layout(&PipelineLayoutDescriptor::default())
                    .unwrap(),
            ),
            vertex: stage(entry),
            buffers: &[],
            geometry: None,
            stream: None,
            fragment: Some(stage("fragment")),
            targets: &[Some(TextureFormat::Rgba8Unorm.into())],
            primitive: PrimitiveState::default(),
            depth_stencil: Some(DepthStencilState {
                format: TextureFormat::Depth32Float,
                depth_write_enabled: Some(true),
                depth_compare: Some(CompareFunction::Less),
                stencil: StencilState::default(),
                bias: DepthBiasState::default(),
            }),
            multisample: MultisampleState::default(),
            raster: RasterState::default(),
        })
        .unwrap()
}

impl Fixture {
    /// On every device.
    fn each(threads: usize) -> impl Iterator<Item = Fixture> {
        let chips = Instance::new().physical_devices();
        let chips = chips.filter(|gpu| gpu.features().integers);
        chips.map(move |gpu| Fixture::on(gpu, threads))
    }

    fn on(gpu: PhysicalDevice, threads: usize) -> Fixture {
        let device = gpu
            .create_device(&DeviceDescriptor {
                label: Some("queries"),
                memory_bytes: Some(16 << 20),
                threads: Some(threads),
                ..DeviceDescriptor::default()
            })
            .unwrap();
        let view = |format| {
            let image = device
                .create_image(&ImageDescriptor {
                    label: Some("image"),
                    dimension: TextureDimension::D2,
                    size: Extent3d {
                        width: SIDE,
                        height: SIDE,
                        depth_or_array_layers: 1,
                    },
                    levels: 1,
                    samples: 1,
                    format,
                    usage: TextureUsages::RENDER_ATTACHMENT,
                    placement: None,
                })
                .unwrap();
            device
                .queue()
                .transition(&image, ImageLayout::General)
                .unwrap();
            device
                .create_image_view(&image, &ImageViewDescriptor::default())
                .unwrap()
        };
        let indices = device
            .create_buffer(&BufferDescriptor {
                label: Some("indices"),
                size: 12,
                usage: BufferUsages::INDEX,
                placement: None,
            })
            .unwrap();
        let quad: [u16; 6] = [0, 1, 2, 2, 1, 3];
        indices.write(0, bytemuck::cast_slice(&quad)).unwrap();
        Fixture {
            queue: device.queue(),
            color: view(TextureFormat::Rgba8Unorm),
            depth: view(TextureFormat::Depth32Float),
            quad: pipeline(&device, "vertex"),
            huge: pipeline(&device, "huge"),
            indices,
            device,
        }
    }

    fn set(&self, kind: QueryKind, count: u32, precise: bool) -> QuerySet {
        self.device
            .create_query_set(&QuerySetDescriptor {
                label: Some("queries"),
                kind,
                count,
                precise,
            })
            .unwrap()
    }

    fn commands(&self) -> CommandBuffer {
        self.device.create_command_buffer(Some("queries"))
    }

    fn begin(&self, commands: &mut CommandBuffer) {
        commands
            .begin_pass(&RenderPass {
                label: Some("pass"),
                colors: &[Some(ColorAttachment {
                    view: &self.color,
                    resolve: None,
                    load: LoadOp::Clear(Color::BLACK),
                    store: StoreOp::Store,
                })],
                depth_stencil: Some(DepthStencilAttachment {
                    view: &self.depth,
                    depth: AspectAccess::Write {
                        load: LoadOp::Clear(1.0),
                        store: StoreOp::Discard,
                    },
                    stencil: AspectAccess::ReadOnly,
                    resolve: None,
                }),
            })
            .unwrap();
        commands.bind_pipeline(&self.quad).unwrap();
        commands
            .bind_index_buffer(&self.indices, 0, IndexFormat::Uint16)
            .unwrap();
    }

    fn submit(&self, commands: &CommandBuffer) {
        self.queue.submit(&[commands], &[]).unwrap();
    }
}

const HALF: u64 = (SIDE * SIDE / 2) as u64;

#[test]
fn samples_that_pass_are_counted() {
    for t in Fixture::each(2) {
        let exact = t.set(QueryKind::Occlusion, 4, true);
        let any = t.set(QueryKind::Occlusion, 2, false);
        let mut commands = t.commands();
        t.begin(&mut commands);
        let draw = |commands: &mut CommandBuffer, instances: std::ops::Range<u32>| {
            commands.draw_indexed(0..6, 0, instances).unwrap();
        };
        // The far one passes, the near one passes over it, the far one again does not.
        commands.begin_query(&exact, 0).unwrap();
        draw(&mut commands, 2..3);
        draw(&mut commands, 1..2);
        commands.end_query(&exact, 0).unwrap();
        commands.begin_query(&exact, 1).unwrap();
        draw(&mut commands, 2..3);
        commands.end_query(&exact, 1).unwrap();
        commands.begin_query(&any, 0).unwrap();
        commands
            .set_scissor(Rect {
                x: 3,
                y: 0,
                width: 7,
                height: 2,
            })
            .unwrap();
        draw(&mut commands, 0..1);
        commands.end_query(&any, 0).unwrap();
        commands.begin_query(&exact, 3).unwrap();
        commands.end_query(&exact, 3).unwrap();
        commands.end_pass().unwrap();
        t.submit(&commands);
        let read = |set, range| t.queue.read_queries(set, range).unwrap();
        let passed = |n| Some(QueryValue::Occlusion(n));
        assert_eq!(
            read(&exact, 0..4),
            [passed(2 * HALF), passed(0), None, passed(0)]
        );
        assert_eq!(read(&any, 0..2), [passed(1), None]);

        // What is copied are the answers; those taken away are zeros.
        let buffer = t
            .device
            .create_buffer(&BufferDescriptor {
                label: Some("answers"),
                size: 80,
                usage: BufferUsages::QUERY_RESOLVE,
                placement: None,
            })
            .unwrap();
        let mut commands = t.commands();
        commands.reset_queries(&exact, 1..2).unwrap();
        let to = QueryCopy {
            buffer: &buffer,
            offset: 8,
            availability: true,
        };
        commands.copy_queries(&exact, 0..4, &to).unwrap();
        t.submit(&commands);
        let mut bytes = [0; 80];
        buffer.read(0, &mut bytes).unwrap();
        let numbers: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
        assert_eq!(numbers, [0, 2 * HALF, 1, 0, 0, 0, 0, 0, 1, 0]);
        assert_eq!(read(&exact, 1..2), [None]);
    }
}

#[test]
fn stages_are_counted() {
    for t in Fixture::each(2) {
        let set = t.set(QueryKind::Statistics, 2, true);
        let mut commands = t.commands();
        // Around two passes.
        commands.begin_query(&set, 0).unwrap();
        t.begin(&mut commands);
        commands.draw_indexed(0..6, 0, 0..3).unwrap();
        commands.end_pass().unwrap();
        t.begin(&mut commands);
        commands.draw(0..3, 0..1).unwrap();
        commands.end_pass().unwrap();
        commands.end_query(&set, 0).unwrap();
        t.begin(&mut commands);
        commands.bind_pipeline(&t.huge).unwrap();
        commands.begin_query(&set, 1).unwrap();
        commands.draw(0..3, 0..1).unwrap();
        commands.end_query(&set, 1).unwrap();
        commands.end_pass().unwrap();
        t.submit(&commands);
        let values = t.queue.read_queries(&set, 0..2).unwrap();
        // A quad has four vertices, each fetched once. The nearest instance is the first, so the others hide behind it.
        // Pixels of an 8 by 16 rectangle whose centres are on one side of its diagonal, which passes through none.
        let triangle = HALF / 2;
        let Some(QueryValue::Statistics(first)) = values[0] else {
            panic!("{values:?}");
        };
        assert_eq!(
            first,
            Statistics {
                input_vertices: 3 * 4 + 3,
                input_primitives: 3 * 2 + 1,
                vertex_invocations: 3 * 4 + 3,
                clipping_invocations: 3 * 2 + 1,
                clipping_primitives: 3 * 2 + 1,
                fragment_invocations: HALF + triangle,
                geometry_invocations: 0,
                geometry_primitives: 0,
                compute_invocations: 0,
            }
        );
        // One corner is in front of the near plane, one behind the far plane: a polygon of five corners.
        let Some(QueryValue::Statistics(second)) = values[1] else {
            panic!("{values:?}");
        };
        assert_eq!(second.clipping_invocations, 1);
        assert!(second.clipping_primitives > 1, "{second:?}");
    }
}

/// Time stamps are the same in every run, with any number of threads, and grow with the work.
#[test]
fn clocks_count_work() {
    for gpu in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().timestamps)
    {
        let stamps = |threads| {
            let t = Fixture::on(gpu, threads);
            let set = t.set(QueryKind::Timestamp, 3, true);
            let mut commands = t.commands();
            commands.write_timestamp(&set, 0).unwrap();
            t.begin(&mut commands);
            commands.draw_indexed(0..6, 0, 0..1).unwrap();
            commands.write_timestamp(&set, 1).unwrap();
            commands.draw_indexed(0..6, 0, 0..2).unwrap();
            commands.end_pass().unwrap();
            commands.write_timestamp(&set, 2).unwrap();
            let before = t.queue.clock();
            t.submit(&commands);
            let after = t.queue.clock();
            assert!(after.host > before.host);
            let values = t.queue.read_queries(&set, 0..3).unwrap();
            let cycles: Vec<u64> = values
                .iter()
                .map(|value| match value {
                    Some(QueryValue::Timestamp(cycles)) => *cycles,
                    other => panic!("{other:?}"),
                })
                .collect();
            assert_eq!((cycles[0], cycles[2]), (before.cycles, after.cycles));
            cycles
        };
        let one = stamps(1);
        assert!(one[0] < one[1] && one[1] < one[2], "{one:?}");
        assert_eq!(one, stamps(2));
    }
}
