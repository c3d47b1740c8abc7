//! What the fixed-function parts and resources do, end to end: each test draws a few pixels and knows their bytes.

#![allow(clippy::unwrap_used)]

use girih::*;

const SIDE: u32 = 8;

/// A full-screen triangle; fragment shaders are added behind it.
const CORNERS: &str =
    "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(vec2f(f32(i & 1u), f32(i >> 1u)) * 4.0 - 1.0, 0.5, 1.0);
}
";

fn devices() -> impl Iterator<Item = Device> {
    let chips = Instance::new().physical_devices();
    let chips = chips.filter(|gpu| gpu.features().integers);
    chips.map(|gpu| {
        gpu.create_device(&DeviceDescriptor {
            label: Some("features"),
            memory_bytes: Some(32 << 20),
            ..DeviceDescriptor::default()
        })
        .unwrap()
    })
}

fn image(
    device: &Device,
    format: TextureFormat,
    size: [u32; 3],
    dimension: TextureDimension,
    usage: TextureUsages,
) -> Image {
    let desc = ImageDescriptor {
        label: Some("image"),
        dimension,
        size: Extent3d {
            width: size[0],
            height: size[1],
            depth_or_array_layers: size[2],
        },
        levels: 1,
        samples: 1,
        format,
        usage,
        placement: None,
    };
    device.create_image(&desc).unwrap()
}

fn target(device: &Device, format: TextureFormat) -> ImageView {
    let usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC;
    let image = image(device, format, [SIDE, SIDE, 1], TextureDimension::D2, usage);
    device
        .create_image_view(&image, &ImageViewDescriptor::default())
        .unwrap()
}

fn pipeline(
    device: &Device,
    sets: &[&DescriptorSetLayout],
    fragment: &str,
    targets: &[Option<ColorTargetState>],
    depth_stencil: Option<DepthStencilState>,
) -> GraphicsPipeline {
    let source = ShaderSource::Wgsl(format!("{CORNERS}{fragment}").into());
    let module = device
        .create_shader_module(&ShaderModuleDescriptor {
            label: Some("shader"),
            source,
        })
        .unwrap();
    let stage = ShaderStage {
        module: &module,
        entry: None,
        constants: &[],
    };
    let layout = PipelineLayoutDescriptor {
        label: Some("layout"),
        sets,
        push_constant_bytes: 0,
    };
    let desc = GraphicsPipelineDescriptor {
        label: Some("pipeline"),
        layout: Some(&device.create_pipeline_layout(&layout).unwrap()),
        vertex: stage,
        buffers: &[],
        stream: None,
        geometry: None,
        fragment: Some(stage),
        targets,
        primitive: PrimitiveState::default(),
        depth_stencil,
        multisample: MultisampleState::default(),
        raster: RasterState::default(),
    };
    device.create_graphics_pipeline(&desc).unwrap()
}

/// Draws into attachments and gives the bytes of each colour.
fn draw(
    device: &Device,
    colors: &[(&ImageView, Color)],
    depth_stencil: Option<&ImageView>,
    record: impl FnOnce(&mut CommandBuffer),
) -> Vec<Vec<u8>> {
    let mut commands = device.create_command_buffer(Some("draw"));
    for (view, _) in colors {
        commands
            .transition(
                view.image(),
                ImageLayout::Undefined,
                ImageLayout::ColorAttachment,
            )
            .unwrap();
    }
    if let Some(view) = depth_stencil {
        commands
            .transition(
                view.image(),
                ImageLayout::Undefined,
                ImageLayout::DepthStencilAttachment,
            )
            .unwrap();
    }
    let attachments: Vec<_> = colors
        .iter()
        .map(|(view, clear)| {
            Some(ColorAttachment {
                view,
                resolve: None,
                load: LoadOp::Clear(*clear),
                store: StoreOp::Store,
            })
        })
        .collect();
    commands
        .begin_pass(&RenderPass {
            label: Some("pass"),
            colors: &attachments,
            depth_stencil: depth_stencil.map(|view| DepthStencilAttachment {
                view,
                depth: AspectAccess::Write {
                    load: LoadOp::Clear(1.0),
                    store: StoreOp::Discard,
                },
                stencil: AspectAccess::Write {
                    load: LoadOp::Clear(0),
                    store: StoreOp::Discard,
                },
                resolve: None,
            }),
        })
        .unwrap();
    record(&mut commands);
    commands.end_pass().unwrap();
    for (view, _) in colors {
        commands
            .transition(
                view.image(),
                ImageLayout::ColorAttachment,
                ImageLayout::CopySource,
            )
            .unwrap();
    }
    let queue = device.queue();
    queue.submit(&[&commands], &[]).unwrap();
    let read = |view: &ImageView| {
        queue
            .read_image(&ImageCopy::level(view.image(), 0), view.image().size())
            .unwrap()
    };
    colors.iter().map(|(view, _)| read(view)).collect()
}

fn texel(bytes: &[u8], x: u32, y: u32) -> [u8; 4] {
    let at = ((y * SIDE + x) * 4) as usize;
    bytes[at..at + 4].try_into().unwrap()
}

fn entry(binding: u32, ty: BindingType) -> BindGroupLayoutEntry {
    BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::FRAGMENT,
        ty,
        count: None,
    }
}

fn set(
    device: &Device,
    entries: &[(BindGroupLayoutEntry, Descriptor)],
) -> (DescriptorSetLayout, DescriptorSet) {
    let layout_entries: Vec<_> = entries.iter().map(|(entry, _)| *entry).collect();
    let desc = DescriptorSetLayoutDescriptor {
        label: Some("set layout"),
        entries: &layout_entries,
    };
    let layout = device.create_descriptor_set_layout(&desc).unwrap();
    let bound: Vec<_> = entries
        .iter()
        .map(|(entry, what)| (entry.binding, what.clone()))
        .collect();
    let desc = DescriptorSetDescriptor {
        label: Some("set"),
        layout: &layout,
        entries: &bound,
    };
    let set = device.create_descriptor_set(&desc).unwrap();
    (layout, set)
}

#[test]
fn several_targets_blend_and_mask_on_their_own() {
    for device in devices() {
        let (blended, masked) = (
            target(&device, TextureFormat::Rgba8Unorm),
            target(&device, TextureFormat::Rgba8Unorm),
        );
        let integer = target(&device, TextureFormat::R32Uint);
        let over = ColorTargetState {
            format: TextureFormat::Rgba8Unorm,
            blend: Some(BlendState::ALPHA_BLENDING),
            write_mask: ColorWrites::ALL,
        };
        let green = ColorTargetState {
            blend: None,
            write_mask: ColorWrites::GREEN,
            ..over.clone()
        };
        let pipeline = pipeline(
            &device,
            &[],
            "struct Out { @location(0) a: vec4f, @location(1) b: vec4f, @location(2) c: u32 }
         @fragment fn fragment(@builtin(position) p: vec4f) -> Out {
             return Out(vec4f(0.5, 0.25, 1.0, 0.5), vec4f(1.0), u32(p.x) + 100u * u32(p.y));
         }",
            &[Some(over), Some(green), Some(TextureFormat::R32Uint.into())],
            None,
        );
        let grey = Color {
            r: 0.2,
            g: 0.2,
            b: 0.2,
            a: 1.0,
        };
        let bytes = draw(
            &device,
            &[
                (&blended, grey),
                (&masked, grey),
                (&integer, Color::TRANSPARENT),
            ],
            None,
            |commands| {
                commands.bind_pipeline(&pipeline).unwrap();
                commands.draw(0..3, 0..1).unwrap();
            },
        );
        // 0.5 * source + 0.5 * 0.2, alpha 0.5 + 0.5 * 1.
        assert_eq!(texel(&bytes[0], 3, 5), [89, 57, 153, 255]);
        assert_eq!(texel(&bytes[1], 3, 5), [51, 255, 51, 255]);
        assert_eq!(u32::from_le_bytes(texel(&bytes[2], 3, 5)), 503);
    }
}

/// Integers too large for a target become the largest it has.
#[test]
fn small_integers_saturate() {
    for device in devices() {
        let formats = [
            TextureFormat::Rgba8Uint,
            TextureFormat::Rg16Sint,
            TextureFormat::Rgba8Sint,
            TextureFormat::Rgb10a2Uint,
        ];
        let views = formats.map(|format| target(&device, format));
        let targets = formats.map(|format| Some(format.into()));
        let pipeline = pipeline(
        &device,
        &[],
        "struct Out { @location(0) a: vec4u, @location(1) b: vec2i, @location(2) c: vec4i, @location(3) d: vec4u }
         @fragment fn fragment(@builtin(position) p: vec4f) -> Out {
             let x = u32(p.x);
             return Out(vec4u(300u, 70000u, x, 0xffffffffu), vec2i(-40000, 40000 + i32(x)),
                 vec4i(-200, 70000, i32(x), -5), vec4u(2000u, x, 70000u, 9u));
         }",
        &targets,
        None,
    );
        let clears = views.each_ref().map(|view| (view, Color::TRANSPARENT));
        let bytes = draw(&device, &clears, None, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        assert_eq!(texel(&bytes[0], 3, 5), [255, 255, 3, 255]);
        assert_eq!(texel(&bytes[1], 3, 5), [0x00, 0x80, 0xff, 0x7f]);
        assert_eq!(texel(&bytes[2], 3, 5), [128, 127, 3, 251]);
        let word = 1023 | 3 << 10 | 1023 << 20 | 3u32 << 30;
        assert_eq!(u32::from_le_bytes(texel(&bytes[3], 3, 5)), word);
    }
}

#[test]
fn stencil_limits_a_draw_to_what_another_marked() {
    for device in devices() {
        let color = target(&device, TextureFormat::Rgba8Unorm);
        let depth = target(&device, TextureFormat::Depth24PlusStencil8);
        let state = |compare, pass_op| DepthStencilState {
            format: TextureFormat::Depth24PlusStencil8,
            depth_write_enabled: Some(false),
            depth_compare: Some(CompareFunction::Always),
            stencil: StencilState {
                front: StencilFaceState {
                    compare,
                    pass_op,
                    fail_op: StencilOperation::Keep,
                    depth_fail_op: StencilOperation::Keep,
                },
                back: StencilFaceState {
                    compare,
                    pass_op,
                    fail_op: StencilOperation::Keep,
                    depth_fail_op: StencilOperation::Keep,
                },
                read_mask: 0xff,
                write_mask: 0xff,
            },
            bias: DepthBiasState::default(),
        };
        let targets = [Some(TextureFormat::Rgba8Unorm.into())];
        let red =
            "@fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0, 0.0, 0.0, 1.0); }";
        let blue =
            "@fragment fn fragment() -> @location(0) vec4f { return vec4f(0.0, 0.0, 1.0, 1.0); }";
        let mark = pipeline(
            &device,
            &[],
            red,
            &targets,
            Some(state(CompareFunction::Always, StencilOperation::Replace)),
        );
        let test = pipeline(
            &device,
            &[],
            blue,
            &targets,
            Some(state(CompareFunction::Equal, StencilOperation::Keep)),
        );
        let bytes = draw(
            &device,
            &[(&color, Color::BLACK)],
            Some(&depth),
            |commands| {
                commands.bind_pipeline(&mark).unwrap();
                commands.set_stencil_reference(3).unwrap();
                commands
                    .set_scissor(Rect {
                        x: 0,
                        y: 0,
                        width: 4,
                        height: SIDE,
                    })
                    .unwrap();
                commands.draw(0..3, 0..1).unwrap();
                commands
                    .set_scissor(Rect {
                        x: 2,
                        y: 0,
                        width: 6,
                        height: SIDE,
                    })
                    .unwrap();
                commands.bind_pipeline(&test).unwrap();
                commands.draw(0..3, 0..1).unwrap();
            },
        );
        let row = [0, 3, 5].map(|x| texel(&bytes[0], x, 4));
        assert_eq!(row, [[255, 0, 0, 255], [0, 0, 255, 255], [0, 0, 0, 255]]);
    }
}

#[test]
fn textures_of_every_shape_are_sampled() {
    for device in devices() {
        let queue = device.queue();
        let filled = |size: [u32; 3], dimension, view_dimension, first: u8| {
            let usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST;
            let image = image(&device, TextureFormat::Rgba8Unorm, size, dimension, usage);
            let texels: Vec<u8> = (0..size[2] as u8)
                .flat_map(|slice| vec![first + slice; (size[0] * size[1] * 4) as usize])
                .collect();
            queue
                .transition(&image, ImageLayout::CopyDestination)
                .unwrap();
            queue
                .write_image(&ImageCopy::level(&image, 0), image.size(), &texels)
                .unwrap();
            queue
                .transition(&image, ImageLayout::ShaderReadOnly)
                .unwrap();
            let desc = ImageViewDescriptor {
                dimension: Some(view_dimension),
                ..ImageViewDescriptor::default()
            };
            device.create_image_view(&image, &desc).unwrap()
        };
        let cube = filled(
            [4, 4, 6],
            TextureDimension::D2,
            TextureViewDimension::Cube,
            10,
        );
        let array = filled(
            [4, 4, 3],
            TextureDimension::D2,
            TextureViewDimension::D2Array,
            20,
        );
        let volume = filled(
            [4, 4, 2],
            TextureDimension::D3,
            TextureViewDimension::D3,
            30,
        );
        let sampler = device
            .create_sampler(&SamplerDescriptor::default())
            .unwrap();
        let sampled = |view_dimension| BindingType::Texture {
            sample_type: TextureSampleType::Float { filterable: true },
            view_dimension,
            multisampled: false,
        };
        let (layout, set) = set(
            &device,
            &[
                (
                    entry(0, sampled(TextureViewDimension::Cube)),
                    (&cube).into(),
                ),
                (
                    entry(1, sampled(TextureViewDimension::D2Array)),
                    (&array).into(),
                ),
                (
                    entry(2, sampled(TextureViewDimension::D3)),
                    (&volume).into(),
                ),
                (
                    entry(3, BindingType::Sampler(SamplerBindingType::Filtering)),
                    (&sampler).into(),
                ),
            ],
        );
        let pipeline = pipeline(
        &device,
        &[&layout],
        "@group(0) @binding(0) var cube: texture_cube<f32>;
         @group(0) @binding(1) var layers: texture_2d_array<f32>;
         @group(0) @binding(2) var volume: texture_3d<f32>;
         @group(0) @binding(3) var nearest: sampler;
         @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) vec4f {
             let i = u32(p.x);
             var direction = vec3f(0.1, -0.2, 0.3);
             direction[(i / 2u) % 3u] = 2.0 - 4.0 * f32(i & 1u);
             return vec4f(
                 textureSampleLevel(cube, nearest, direction, 0.0).r,
                 textureSampleLevel(layers, nearest, vec2f(0.4), i % 3u, 0.0).r,
                 textureSampleLevel(volume, nearest, vec3f(0.4, 0.4, 0.25 + 0.5 * f32(i & 1u)), 0.0).r,
                 textureLoad(layers, vec2u(1u, 2u), 2u, 0).r);
         }",
        &[Some(TextureFormat::Rgba8Unorm.into())],
        None,
    );
        let color = target(&device, TextureFormat::Rgba8Unorm);
        let bytes = draw(&device, &[(&color, Color::BLACK)], None, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.bind_descriptor_set(0, &set, &[]).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        for x in 0..6u8 {
            let expected = [10 + x, 20 + x % 3, 30 + x % 2, 22];
            assert_eq!(texel(&bytes[0], u32::from(x), 2), expected, "column {x}");
        }
    }
}

/// Six layers are a cube to one view and an array to another, with the same texels in every level.
#[test]
fn six_layers_are_a_cube_and_an_array() {
    const EDGE: u32 = 32;
    const LEVELS: u32 = 6;
    for device in devices() {
        let queue = device.queue();
        let size = |edge| Extent3d {
            width: edge,
            height: edge,
            depth_or_array_layers: 6,
        };
        let image = device.create_image(&ImageDescriptor {
            label: Some("layers"),
            dimension: TextureDimension::D2,
            size: size(EDGE),
            levels: LEVELS,
            samples: 1,
            format: TextureFormat::Rgba8Unorm,
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
            placement: None,
        });
        let image = image.unwrap();
        let go = |layout| queue.transition(&image, layout).unwrap();
        go(ImageLayout::CopyDestination);
        for level in 0..LEVELS {
            let edge = EDGE >> level;
            let layer = |n: u8| vec![10 * level as u8 + n; (edge * edge * 4) as usize];
            let texels: Vec<u8> = (0..6).flat_map(layer).collect();
            queue
                .write_image(&ImageCopy::level(&image, level), size(edge), &texels)
                .unwrap();
        }
        go(ImageLayout::ShaderReadOnly);
        let view = |dimension| {
            let desc = ImageViewDescriptor {
                dimension: Some(dimension),
                ..ImageViewDescriptor::default()
            };
            device.create_image_view(&image, &desc).unwrap()
        };
        let [cube, array] = [TextureViewDimension::Cube, TextureViewDimension::D2Array].map(view);
        let sampler = device
            .create_sampler(&SamplerDescriptor::default())
            .unwrap();
        let sampled = |view_dimension| BindingType::Texture {
            sample_type: TextureSampleType::Float { filterable: true },
            view_dimension,
            multisampled: false,
        };
        let filtering = BindingType::Sampler(SamplerBindingType::Filtering);
        let (layout, set) = set(
            &device,
            &[
                (
                    entry(0, sampled(TextureViewDimension::Cube)),
                    (&cube).into(),
                ),
                (
                    entry(1, sampled(TextureViewDimension::D2Array)),
                    (&array).into(),
                ),
                (entry(2, filtering), (&sampler).into()),
            ],
        );
        let pipeline = pipeline(
            &device,
            &[&layout],
            "@group(0) @binding(0) var cube: texture_cube<f32>;
             @group(0) @binding(1) var layers: texture_2d_array<f32>;
             @group(0) @binding(2) var nearest: sampler;
             @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) vec4f {
                 let face = min(u32(p.x), 5u);
                 let level = min(u32(p.y), 5u);
                 var direction = vec3f(0.1, -0.2, 0.3);
                 direction[face / 2u] = 2.0 - 4.0 * f32(face & 1u);
                 return vec4f(
                     textureSampleLevel(cube, nearest, direction, f32(level)).r,
                     textureSampleLevel(layers, nearest, vec2f(0.4), face, f32(level)).r,
                     textureLoad(layers, vec2u(0u), face, level).r,
                     1.0);
             }",
            &[Some(TextureFormat::Rgba8Unorm.into())],
            None,
        );
        let color = target(&device, TextureFormat::Rgba8Unorm);
        let bytes = draw(&device, &[(&color, Color::BLACK)], None, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.bind_descriptor_set(0, &set, &[]).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        for (level, face) in (0..36u8).map(|n| (n / 6, n % 6)) {
            let found = texel(&bytes[0], face.into(), level.into());
            let value = 10 * level + face;
            let expected = [value, value, value, 255];
            assert_eq!(found, expected, "face {face} of level {level}");
        }
    }
}

#[test]
fn fragments_store_to_images_and_count_in_buffers() {
    for device in devices().filter(|device| device.features().shader_stores) {
        let usage = TextureUsages::STORAGE_BINDING | TextureUsages::COPY_SRC;
        let image = image(
            &device,
            TextureFormat::R32Uint,
            [SIDE, SIDE, 1],
            TextureDimension::D2,
            usage,
        );
        let view = device
            .create_image_view(&image, &ImageViewDescriptor::default())
            .unwrap();
        let queue = device.queue();
        queue.transition(&image, ImageLayout::General).unwrap();
        let usage = BufferUsages::STORAGE;
        let counter = device
            .create_buffer(&BufferDescriptor {
                label: Some("counter"),
                size: 8,
                usage,
                placement: None,
            })
            .unwrap();
        counter.write(0, &[0; 8]).unwrap();
        let storage = BindingType::Buffer {
            ty: BufferBindingType::Storage { read_only: false },
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let stored = BindingType::StorageTexture {
            access: StorageTextureAccess::WriteOnly,
            format: TextureFormat::R32Uint,
            view_dimension: TextureViewDimension::D2,
        };
        let (layout, set) = set(
            &device,
            &[
                (entry(0, storage), (&counter).into()),
                (entry(1, stored), (&view).into()),
            ],
        );
        let pipeline = pipeline(
            &device,
            &[&layout],
            "@group(0) @binding(0) var<storage, read_write> counts: array<atomic<u32>, 2>;
         @group(0) @binding(1) var numbers: texture_storage_2d<r32uint, write>;
         @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) vec4f {
             let at = vec2u(p.xy);
             textureStore(numbers, at, vec4u(at.x + 10u * at.y, 0u, 0u, 0u));
             atomicAdd(&counts[0], 1u);
             atomicMax(&counts[1], at.x * at.y);
             return vec4f(1.0);
         }",
            &[Some(TextureFormat::Rgba8Unorm.into())],
            None,
        );
        let color = target(&device, TextureFormat::Rgba8Unorm);
        draw(&device, &[(&color, Color::BLACK)], None, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.bind_descriptor_set(0, &set, &[]).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        let mut counts = [0; 8];
        counter.read(0, &mut counts).unwrap();
        assert_eq!(counts, [SIDE as u8 * SIDE as u8, 0, 0, 0, 49, 0, 0, 0]);
        queue.transition(&image, ImageLayout::CopySource).unwrap();
        let numbers = queue
            .read_image(&ImageCopy::level(&image, 0), image.size())
            .unwrap();
        assert_eq!(u32::from_le_bytes(texel(&numbers, 7, 3)), 37);
    }
}
