//! Bindings as SPIR-V has them: a combined image sampler is one, and so are a texture and a sampler with one number; texel
//! buffers are ranges of buffers with a format.
#![allow(clippy::unwrap_used)]

mod harness;

use std::num::NonZeroU32;

use girih::*;
use harness::{EVERYWHERE, Harness, Setup};

fn words(bytes: &[u8]) -> ShaderSource<'static> {
    let words = bytes.as_chunks().0.iter();
    let words: Vec<u32> = words.map(|word| u32::from_le_bytes(*word)).collect();
    ShaderSource::SpirV(words.into())
}

fn module(device: &Device, bytes: &[u8]) -> ShaderModule {
    let desc = ShaderModuleDescriptor {
        label: Some("words"),
        source: words(bytes),
    };
    device.create_shader_module(&desc).unwrap()
}

fn pipeline(
    harness: &Harness,
    fragment: &[u8],
    layout: Option<&PipelineLayout>,
) -> Result<GraphicsPipeline, GraphicsPipelineError> {
    let stage = |module| ShaderStage {
        module,
        entry: None,
        constants: &[],
    };
    let fragment = module(&harness.device, fragment);
    harness
        .device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            fragment: Some(stage(&fragment)),
            targets: &[Some(ColorTargetState::from(TextureFormat::Rgba8Unorm))],
            layout,
            ..GraphicsPipelineDescriptor::new(stage(&harness.module(EVERYWHERE)))
        })
}

const COMBINED: &[u8] = include_bytes!("spirv/combined.frag.spv");
const SEPARATE: &[u8] = include_bytes!("spirv/separate.frag.spv");

fn entry(binding: u32, ty: BindingType, count: u32) -> BindGroupLayoutEntry {
    BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::FRAGMENT,
        ty,
        count: NonZeroU32::new(count),
    }
}

fn combined(sampler: SamplerBindingType) -> BindingType {
    BindingType::CombinedImageSampler {
        sample_type: TextureSampleType::Float { filterable: true },
        view_dimension: TextureViewDimension::D2,
        multisampled: false,
        sampler,
    }
}

/// A texture of two texels.
fn texture(harness: &Harness, [left, right]: [u8; 2]) -> ImageView {
    let usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST;
    let image = harness.image(TextureFormat::Rgba8Unorm, [2, 1, 1], 1, usage);
    let bytes = [left, 0, 0, 0, right, 0, 0, 0];
    let copy = ImageCopy::level(&image, 0);
    let size = Extent3d {
        width: 2,
        ..Extent3d::default()
    };
    harness
        .queue
        .transition(&image, ImageLayout::CopyDestination)
        .unwrap();
    harness.queue.write_image(&copy, size, &bytes).unwrap();
    harness
        .queue
        .transition(&image, ImageLayout::ShaderReadOnly)
        .unwrap();
    harness.view(&image)
}

fn samplers(device: &Device) -> [Sampler; 2] {
    [AddressMode::Repeat, AddressMode::ClampToEdge].map(|mode| {
        let desc = SamplerDescriptor {
            address_mode_u: mode,
            ..SamplerDescriptor::default()
        };
        device.create_sampler(&desc).unwrap()
    })
}

#[test]
fn combined_image_samplers_have_one_binding() {
    for harness in Harness::all() {
        let device = &harness.device;
        let filtering = combined(SamplerBindingType::Filtering);
        let uniform = BindingType::Buffer {
            ty: BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: NonZeroU32::new(16).map(Into::into),
        };
        let entries = [
            entry(0, filtering, 0),
            entry(1, filtering, 2),
            entry(2, filtering, 0),
            entry(3, uniform, 0),
        ];
        let derived = pipeline(&harness, COMBINED, None).unwrap();
        let found: Vec<_> = derived.set_layout(0).unwrap().entries().copied().collect();
        assert_eq!(found, entries);
        let interface = module(device, COMBINED).interface(None, None, &[]).unwrap();
        let said: Vec<_> = interface.bindings.iter().map(|b| b.entry).collect();
        assert_eq!(said, entries);

        let said = device.derive_pipeline_layout(None, &[&interface]).unwrap();
        assert!(said.sets()[0].is_compatible(derived.set_layout(0).unwrap()));
        let given = pipeline(&harness, COMBINED, Some(&said)).unwrap();

        let [repeat, clamp] = samplers(device);
        let views = [[10, 20], [30, 40], [50, 60], [70, 80]].map(|two| texture(&harness, two));
        let tint = device
            .create_buffer_init(&BufferInitDescriptor {
                label: None,
                contents: &[1.0_f32, 0.5, 1.0, 1.0].map(f32::to_le_bytes).concat(),
                usage: BufferUsages::UNIFORM,
            })
            .unwrap();
        let [one, many0, many1, image] = views;
        let set = device
            .create_descriptor_set(&DescriptorSetDescriptor {
                label: Some("set"),
                layout: derived.set_layout(0).unwrap(),
                entries: &[
                    (0, (&one, &repeat).into()),
                    (
                        1,
                        Descriptor::CombinedArray(vec![
                            (many0, clamp.clone()),
                            (many1, repeat.clone()),
                        ]),
                    ),
                    (2, (&image, &clamp).into()),
                    (3, (&tint).into()),
                ],
            })
            .unwrap();
        let setup = Setup::default();
        let draw = |pipeline: &GraphicsPipeline| {
            let bytes = harness.record(&setup, |commands| {
                commands.bind_pipeline(pipeline).unwrap();
                commands.bind_descriptor_set(0, &set, &[]).unwrap();
                commands.draw(0..3, 0..1).unwrap();
            });
            bytes[0][..4].to_vec()
        };
        let name = device.physical_device().name();
        assert_eq!(draw(&derived), [10, 20, 50, 80], "{name}");
        assert_eq!(draw(&given), [10, 20, 50, 80], "{name}");
        set.update(&[(0, (&one, &clamp).into())]).unwrap();
        assert_eq!(draw(&derived), [20, 20, 50, 80], "{name}");
    }
}

#[test]
fn a_shader_takes_either_part_of_a_combined_image_sampler() {
    for harness in Harness::all() {
        let device = &harness.device;
        let filtering = combined(SamplerBindingType::Filtering);
        let set_layout = device
            .create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
                label: None,
                entries: &[entry(0, filtering, 0), entry(1, filtering, 0)],
            })
            .unwrap();
        let layout = device
            .create_pipeline_layout(&PipelineLayoutDescriptor {
                sets: &[&set_layout],
                ..PipelineLayoutDescriptor::default()
            })
            .unwrap();
        let pipeline = pipeline(&harness, SEPARATE, Some(&layout)).unwrap();
        let [repeat, clamp] = samplers(device);
        let [first, second] = [[10, 20], [30, 40]].map(|two| texture(&harness, two));
        // The texture of binding 0 with the sampler of binding 1.
        let set = device
            .create_descriptor_set(&DescriptorSetDescriptor {
                label: Some("set"),
                layout: &set_layout,
                entries: &[(0, (&first, &repeat).into()), (1, (&second, &clamp).into())],
            })
            .unwrap();
        let bytes = harness.record(&Setup::default(), |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.bind_descriptor_set(0, &set, &[]).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        assert_eq!(bytes[0][0], 20, "{}", device.physical_device().name());
    }
}

#[test]
fn a_combined_image_sampler_takes_what_its_layout_says() {
    let harness = Harness::new();
    let device = &harness.device;
    let layout = |ty| {
        let entries = &[entry(0, ty, 0)];
        let desc = DescriptorSetLayoutDescriptor {
            label: None,
            entries,
        };
        device.create_descriptor_set_layout(&desc).unwrap()
    };
    let compares = layout(combined(SamplerBindingType::Comparison));
    let filters = layout(combined(SamplerBindingType::Filtering));
    let view = texture(&harness, [1, 2]);
    let [sampler, _] = samplers(device);
    let rule = |layout, descriptor: Descriptor| {
        let desc = DescriptorSetDescriptor {
            label: None,
            layout,
            entries: &[(0, descriptor)],
        };
        let made = device.create_descriptor_set(&desc);
        made.err().map(|error| error.rule())
    };
    assert_eq!(rule(&filters, (&view, &sampler).into()), None);
    assert_eq!(
        rule(&compares, (&view, &sampler).into()),
        Some("set-sampler")
    );
    assert_eq!(rule(&filters, (&view).into()), Some("set-type"));
    assert_eq!(rule(&filters, (&sampler).into()), Some("set-type"));
    let plain = layout(BindingType::Sampler(SamplerBindingType::Filtering));
    assert_eq!(rule(&plain, (&view, &sampler).into()), Some("set-type"));
}

const TEXELS: &[u8] = include_bytes!("spirv/texels.frag.spv");
const STORED: &[u8] = include_bytes!("spirv/stored_texels.frag.spv");
const COUNTED: &[u8] = include_bytes!("spirv/counted_texels.frag.spv");

/// A texel buffer of all of a buffer that holds some bytes.
fn texels(
    harness: &Harness,
    format: TextureFormat,
    bytes: &[u8],
    usage: BufferUsages,
) -> TexelBinding {
    let desc = BufferInitDescriptor {
        label: Some("texels"),
        contents: bytes,
        usage,
    };
    TexelBinding {
        buffer: BufferBinding {
            buffer: harness.device.create_buffer_init(&desc).unwrap(),
            offset: 0,
            size: None,
        },
        format,
    }
}

/// Bytes that are no infinity and no NaN in any format.
fn pattern(len: usize) -> Vec<u8> {
    (0..len as u32)
        .map(|n| (n * 37 + n / 7 + 11) as u8 & 0xb7)
        .collect()
}

/// Draws and reads four targets: what texels read as, and how many there are.
fn fetched(harness: &Harness, set: &[(u32, Descriptor)], first: i32) -> Vec<Vec<u8>> {
    use TextureFormat as F;
    let device = &harness.device;
    let formats = [F::Rgba32Float, F::Rgba32Sint, F::Rgba32Uint, F::Rgba32Sint];
    let setup = Setup {
        targets: formats.map(ColorTargetState::from).to_vec(),
        ..Setup::default()
    };
    let fragment = module(device, TEXELS);
    let stage = |module| ShaderStage {
        module,
        entry: None,
        constants: &[],
    };
    let pipeline = device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            fragment: Some(stage(&fragment)),
            targets: &formats.map(|format| Some(ColorTargetState::from(format))),
            ..GraphicsPipelineDescriptor::new(stage(&harness.module(EVERYWHERE)))
        })
        .unwrap();
    let set = device
        .create_descriptor_set(&DescriptorSetDescriptor {
            label: Some("set"),
            layout: pipeline.set_layout(0).unwrap(),
            entries: set,
        })
        .unwrap();
    harness.record(&setup, |commands| {
        commands.bind_pipeline(&pipeline).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        commands.push_constants(0, &first.to_le_bytes()).unwrap();
        commands.draw(0..3, 0..1).unwrap();
    })
}

/// What a texture of one row and the same bytes reads as.
fn loaded(harness: &Harness, format: TextureFormat, bytes: &[u8]) -> Vec<u8> {
    let size = bytes.len() as u32 / format.block_copy_size(None).unwrap();
    let usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST;
    let image = harness.image(format, [size, 1, 1], 1, usage);
    let (queue, device) = (&harness.queue, &harness.device);
    queue
        .transition(&image, ImageLayout::CopyDestination)
        .unwrap();
    let extent = Extent3d {
        width: size,
        ..Extent3d::default()
    };
    queue
        .write_image(&ImageCopy::level(&image, 0), extent, bytes)
        .unwrap();
    queue
        .transition(&image, ImageLayout::ShaderReadOnly)
        .unwrap();
    let (scalar, target) = match format.sample_type(None, None).unwrap() {
        TextureSampleType::Sint => ("i32", TextureFormat::Rgba32Sint),
        TextureSampleType::Uint => ("u32", TextureFormat::Rgba32Uint),
        _ => ("f32", TextureFormat::Rgba32Float),
    };
    let text = format!(
        "{EVERYWHERE}
        @group(0) @binding(0) var image: texture_2d<{scalar}>;
        @fragment fn fs(@builtin(position) at: vec4f) -> @location(0) vec4<{scalar}> {{
            return textureLoad(image, vec2i(i32(at.x) + 8 * i32(at.y), 0), 0);
        }}"
    );
    let module = harness.module(&text);
    let stage = ShaderStage {
        module: &module,
        entry: None,
        constants: &[],
    };
    let pipeline = device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            fragment: Some(stage),
            targets: &[Some(target.into())],
            ..GraphicsPipelineDescriptor::new(stage)
        })
        .unwrap();
    let set = device
        .create_descriptor_set(&DescriptorSetDescriptor {
            label: Some("set"),
            layout: pipeline.set_layout(0).unwrap(),
            entries: &[(0, (&harness.view(&image)).into())],
        })
        .unwrap();
    let bytes = harness.record(&Setup::format(target), |commands| {
        commands.bind_pipeline(&pipeline).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        commands.draw(0..3, 0..1).unwrap();
    });
    bytes[0].clone()
}

/// Chips with texel buffers, which are those with integers.
fn chips() -> impl Iterator<Item = Harness> {
    Harness::each()
}

#[test]
fn texels_of_a_buffer_read_as_those_of_a_texture() {
    use TextureFormat as F;
    let mut seen = 0;
    for harness in chips() {
        let gpu = harness.device.physical_device();
        let name = gpu.name();
        let formats = gpu.formats().filter(|format| gpu.loads_texels(*format));
        let formats: Vec<F> = formats
            .filter(|f| gpu.format_capabilities(*f).sampled)
            .collect();
        for wanted in [
            F::R8Unorm,
            F::Rgba8Snorm,
            F::Rgba16Float,
            F::R32Uint,
            F::Rgba32Sint,
        ] {
            assert!(formats.contains(&wanted), "{name}: {wanted:?}");
        }
        let one = |format, len: u32| {
            let bytes = pattern(40 * len as usize);
            Descriptor::Texels(texels(&harness, format, &bytes, BufferUsages::UNIFORM))
        };
        for format in formats {
            seen += 1;
            let len = format.block_copy_size(None).unwrap();
            let bytes = pattern(40 * len as usize);
            let found = texels(&harness, format, &bytes, BufferUsages::UNIFORM);
            let zero = texels(&harness, F::Rgba32Uint, &[0; 16], BufferUsages::UNIFORM);
            let plain = [one(F::R32Float, 4), one(F::R32Sint, 4)];
            let sample = format.sample_type(None, None).unwrap();
            let [floats, signed] = plain;
            let words = Descriptor::TexelsArray(vec![zero.clone(), zero.clone()]);
            let (set, target) = match sample {
                TextureSampleType::Sint => {
                    ([(0, floats), (1, Descriptor::Texels(found)), (2, words)], 1)
                }
                TextureSampleType::Uint => {
                    let both = Descriptor::TexelsArray(vec![zero, found]);
                    ([(0, floats), (1, signed), (2, both)], 2)
                }
                _ => ([(0, Descriptor::Texels(found)), (1, signed), (2, words)], 0),
            };
            let drawn = fetched(&harness, &set, 0);
            let expected = loaded(&harness, format, &bytes);
            // Behind the last texel there are zeros, in the alpha of what has none too.
            let inside = 16 * 40;
            assert_eq!(
                drawn[target][..inside],
                expected[..inside],
                "{name}: {format:?}"
            );
            let behind = drawn[target][inside..].chunks(16);
            assert!(
                behind.clone().all(|texel| texel[..12] == [0; 12]),
                "{name}: {format:?}"
            );
        }
    }
    assert!(seen > 60, "{seen} formats");
}

#[test]
fn texel_buffers_are_long() {
    // More than a row and more than a texture is wide: the last texels, and what is behind them.
    for harness in chips() {
        let count = 100_003_i32;
        let bytes: Vec<u8> = (0..count).flat_map(i32::to_le_bytes).collect();
        let long = |format| texels(&harness, format, &bytes, BufferUsages::UNIFORM);
        let words = long(TextureFormat::R32Uint);
        let mut middle = words.clone();
        middle.buffer.offset = 1024;
        middle.buffer.size = Some(64 * 4 + 3);
        let set = [
            (0, Descriptor::Texels(long(TextureFormat::R32Float))),
            (1, Descriptor::Texels(long(TextureFormat::R32Sint))),
            (2, Descriptor::TexelsArray(vec![words, middle])),
        ];
        let first = count - 40;
        let drawn = fetched(&harness, &set, first);
        let name = harness.device.physical_device().name();
        let of = |target: usize| -> Vec<u32> {
            drawn[target]
                .chunks(16)
                .map(|t| harness::words(&t[..4])[0])
                .collect()
        };
        let expected: Vec<u32> = (0..64)
            .map(|n| if n < 40 { (first + n) as u32 } else { 0 })
            .collect();
        assert_eq!(of(1), expected, "{name}");
        assert_eq!(of(2), expected, "{name}");
        let sizes = harness::words(&drawn[3][..16]);
        assert_eq!(
            sizes,
            [count as u32, count as u32, count as u32, 64],
            "{name}"
        );
        let start = fetched(&harness, &set, -8);
        let start: Vec<u32> = start[2]
            .chunks(16)
            .map(|t| harness::words(&t[..4])[0])
            .collect();
        let expected: Vec<u32> = (0..64)
            .map(|n| if n < 8 { 0 } else { n - 8 + 256 + n - 8 })
            .collect();
        assert_eq!(start, expected, "{name}");
    }
}

#[test]
fn shaders_store_texels() {
    for harness in chips() {
        let device = &harness.device;
        let gpu = device.physical_device();
        let name = gpu.name();
        let made = pipeline(&harness, STORED, None);
        if !gpu.stores_texels(TextureFormat::R32Uint) {
            let error = made.unwrap_err().to_string();
            assert!(error.contains("texel buffers"), "{name}: {error}");
            continue;
        }
        let made = made.unwrap();
        let colors: Vec<u8> = (0..63_u8).flat_map(|n| [n, 2 * n, 3, 4]).collect();
        let words: Vec<u8> = (0..60_u32).flat_map(u32::to_le_bytes).collect();
        let storage = BufferUsages::STORAGE;
        let colors_at = texels(&harness, TextureFormat::Rgba8Unorm, &colors, storage);
        let words_at = texels(&harness, TextureFormat::R32Uint, &words, storage);
        let set = device
            .create_descriptor_set(&DescriptorSetDescriptor {
                label: Some("set"),
                layout: made.set_layout(0).unwrap(),
                entries: &[
                    (0, Descriptor::Texels(colors_at.clone())),
                    (1, Descriptor::Texels(words_at.clone())),
                ],
            })
            .unwrap();
        let drawn = harness.record(&Setup::default(), |commands| {
            commands.bind_pipeline(&made).unwrap();
            commands.bind_descriptor_set(0, &set, &[]).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        assert_eq!(drawn[0][..3], [0, 0, 0], "{name}");
        let mut found = vec![0; colors.len()];
        colors_at.buffer.buffer.read(0, &mut found).unwrap();
        let expected: Vec<u8> = (0..63_u8)
            .flat_map(|n| match n {
                n if n > 0 && n % 2 == 0 => [n - 1, 2 * (n - 1) + 51, 3, 4],
                n => [n, 2 * n, 3, 4],
            })
            .collect();
        assert_eq!(found, expected, "{name}");
        let mut found = vec![0; words.len()];
        words_at.buffer.buffer.read(0, &mut found).unwrap();
        let expected: Vec<u32> = (0..60).map(|n| 3 * n + 60).collect();
        assert_eq!(harness::words(&found), expected, "{name}");
    }
}

#[test]
fn shaders_count_in_texels_where_the_chip_can() {
    for harness in chips() {
        let device = &harness.device;
        let gpu = device.physical_device();
        let made = pipeline(&harness, COUNTED, None);
        let can = gpu
            .format_capabilities(TextureFormat::R32Uint)
            .storage_atomic
            && gpu.stores_texels(TextureFormat::R32Uint);
        let name = gpu.name();
        assert_eq!(made.is_ok(), can, "{name}: {:?}", made.err());
        let Ok(made) = made else { continue };
        let bytes: Vec<u8> = (0..6_u32).flat_map(u32::to_le_bytes).collect();
        let counts = texels(
            &harness,
            TextureFormat::R32Uint,
            &bytes,
            BufferUsages::STORAGE,
        );
        let set = device
            .create_descriptor_set(&DescriptorSetDescriptor {
                label: Some("set"),
                layout: made.set_layout(0).unwrap(),
                entries: &[(0, Descriptor::Texels(counts.clone()))],
            })
            .unwrap();
        harness.record(&Setup::default(), |commands| {
            commands.bind_pipeline(&made).unwrap();
            commands.bind_descriptor_set(0, &set, &[]).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        let mut found = vec![0; bytes.len()];
        counts.buffer.buffer.read(0, &mut found).unwrap();
        assert_eq!(harness::words(&found), [16, 17, 18, 19, 20, 21], "{name}");
    }
}

#[test]
fn texel_buffers_take_what_their_layout_says() {
    for harness in Harness::all() {
        let device = &harness.device;
        let gpu = device.physical_device();
        let layout = |ty| {
            let entries = &[entry(0, ty, 0)];
            let desc = DescriptorSetLayoutDescriptor {
                label: None,
                entries,
            };
            device.create_descriptor_set_layout(&desc)
        };
        let uint = BindingType::TexelBuffer {
            sample_type: TextureSampleType::Uint,
        };
        let layout = match layout(uint) {
            Ok(layout) => layout,
            Err(error) => {
                assert_eq!((gpu.name(), error.rule()), ("r5xx", "set-layout-type"));
                continue;
            }
        };
        let rule = |descriptor: Descriptor| {
            let desc = DescriptorSetDescriptor {
                label: None,
                layout: &layout,
                entries: &[(0, descriptor)],
            };
            device
                .create_descriptor_set(&desc)
                .err()
                .map(|error| error.rule())
        };
        let uniform = BufferUsages::UNIFORM;
        let with = |format, bytes: &[u8], usage| {
            Descriptor::Texels(texels(&harness, format, bytes, usage))
        };
        use TextureFormat as F;
        assert_eq!(rule(with(F::Rgba8Uint, &[0; 4], uniform)), None);
        assert_eq!(
            rule(with(F::Rgba8Unorm, &[0; 4], uniform)),
            Some("set-texel-format")
        );
        assert_eq!(
            rule(with(F::Depth32Float, &[0; 4], uniform)),
            Some("set-texel-format")
        );
        assert_eq!(
            rule(with(F::Rgba32Uint, &[0; 12], uniform)),
            Some("set-buffer-size")
        );
        assert_eq!(
            rule(with(F::R32Uint, &[0; 4], BufferUsages::STORAGE)),
            Some("set-usage")
        );
        let mut odd = texels(&harness, F::R32Uint, &[0; 64], uniform);
        odd.buffer.offset = 1;
        assert_eq!(rule(Descriptor::Texels(odd)), Some("set-buffer-align"));
        let plain = texels(&harness, F::R32Uint, &[0; 64], uniform);
        assert_eq!(rule(Descriptor::Buffer(plain.buffer)), Some("set-type"));
    }
}
