//! Bindings as SPIR-V has them: a combined image sampler is one, and so are a texture and a sampler with one number.
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
