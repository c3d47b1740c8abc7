//! Images that SPIR-V has and WGSL has not: arrays of 1D and of multisampled images, storage images of cubes, and those whose
//! format the view says.
#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::{EVERYWHERE, Harness, Setup};

fn view(harness: &Harness, image: &Image, dimension: TextureViewDimension) -> ImageView {
    let desc = ImageViewDescriptor {
        dimension: Some(dimension),
        ..ImageViewDescriptor::default()
    };
    harness.device.create_image_view(image, &desc).unwrap()
}

/// The texels of all layers.
fn layers(harness: &Harness, image: &Image) -> Vec<u8> {
    let to = ImageLayout::CopySource;
    harness.queue.transition(image, to).unwrap();
    let copy = ImageCopy::level(image, 0);
    harness.queue.read_image(&copy, image.size()).unwrap()
}

/// An image whose layers are cleared to these reds.
fn cleared(harness: &Harness, size: [u32; 2], samples: u32, reds: &[f64]) -> Image {
    let usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING;
    let [width, height] = size;
    let size = [width, height, reds.len() as u32];
    let image = harness.image(TextureFormat::Rgba8Unorm, size, samples, usage);
    let mut commands = harness.device.create_command_buffer(Some("clear"));
    let (old, new) = (ImageLayout::Undefined, ImageLayout::ColorAttachment);
    commands.transition(&image, old, new).unwrap();
    for (layer, &red) in (0..).zip(reds) {
        let desc = ImageViewDescriptor {
            base_array_layer: layer,
            array_layer_count: Some(1),
            dimension: Some(TextureViewDimension::D2),
            ..ImageViewDescriptor::default()
        };
        let view = harness.device.create_image_view(&image, &desc).unwrap();
        let color = ColorAttachment {
            view: &view,
            resolve: None,
            load: LoadOp::Clear(Color {
                r: red,
                g: 0.0,
                b: 0.0,
                a: 1.0,
            }),
            store: StoreOp::Store,
        };
        commands
            .begin_pass(&RenderPass {
                label: None,
                colors: &[Some(color)],
                depth_stencil: None,
            })
            .unwrap();
        commands.end_pass().unwrap();
    }
    harness.queue.submit(&[&commands], &[]).unwrap();
    let to = ImageLayout::ShaderReadOnly;
    harness.queue.transition(&image, to).unwrap();
    image
}

#[test]
fn arrays_of_lines_and_of_multisampled_images() {
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        let setup = Setup::default();
        let bytes = include_bytes!("spirv/rows.frag.spv");
        let made = harness
            .words_pipeline(&harness.module(EVERYWHERE), bytes, &setup)
            .unwrap();
        // Arrays of 1D images are those of images of height 1.
        let rows = cleared(&harness, [8, 1], 1, &[0.25, 0.5]);
        let many = cleared(&harness, [8, 8], 4, &[1.0, 0.75]);
        let sampler = SamplerDescriptor {
            mag_filter: FilterMode::Linear,
            min_filter: FilterMode::Linear,
            ..SamplerDescriptor::default()
        };
        let sampler = harness.device.create_sampler(&sampler).unwrap();
        let rows = view(&harness, &rows, TextureViewDimension::D2Array);
        let many = view(&harness, &many, TextureViewDimension::D2Array);
        let desc = DescriptorSetDescriptor {
            label: None,
            layout: made.set_layout(0).unwrap(),
            entries: &[(0, (&rows, &sampler).into()), (1, (&many, &sampler).into())],
        };
        let set = harness.device.create_descriptor_set(&desc).unwrap();
        let drawn = harness.record(&setup, |commands| {
            commands.bind_pipeline(&made).unwrap();
            commands.bind_descriptor_set(0, &set, &[]).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        for pixel in drawn[0].chunks(4) {
            let wanted = [128, 64 + 128, 191, 255];
            let fits = pixel.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 1);
            assert!(fits, "{name}: {pixel:?}, {wanted:?}");
        }
    }
}

#[test]
fn stores_to_cubes_lines_and_any_format() {
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        let setup = Setup::format(TextureFormat::Rgba32Float);
        let bytes = include_bytes!("spirv/stored.frag.spv");
        let made = match harness.words_pipeline(&harness.module(EVERYWHERE), bytes, &setup) {
            Err(error) if name == "r600" => {
                assert!(error.to_string().contains("stores to textures"), "{error}");
                continue;
            }
            made => made.unwrap(),
        };
        let layout = made.set_layout(0).unwrap();
        let stored = |format, size| {
            let usage = TextureUsages::STORAGE_BINDING | TextureUsages::COPY_SRC;
            let image = harness.image(format, size, 1, usage);
            harness
                .queue
                .transition(&image, ImageLayout::General)
                .unwrap();
            image
        };
        for format in [TextureFormat::Rgba8Unorm, TextureFormat::Rgba32Float] {
            let any = stored(format, [8, 8, 1]);
            let cube = stored(TextureFormat::Rgba8Unorm, [8, 8, 6]);
            let rows = stored(TextureFormat::R32Float, [8, 1, 2]);
            let views = [
                harness.view(&any),
                view(&harness, &cube, TextureViewDimension::Cube),
                harness.view(&any),
                view(&harness, &rows, TextureViewDimension::D2Array),
            ];
            let entries: Vec<(u32, Descriptor)> = (0..)
                .zip(&views)
                .map(|(n, view)| (n, view.into()))
                .collect();
            let desc = DescriptorSetDescriptor {
                label: None,
                layout,
                entries: &entries,
            };
            let set = harness.device.create_descriptor_set(&desc).unwrap();
            let mut drawn = Vec::new();
            // What the first draw stores, the second loads.
            for _ in 0..2 {
                drawn = harness.record(&setup, |commands| {
                    commands.bind_pipeline(&made).unwrap();
                    commands.bind_descriptor_set(0, &set, &[]).unwrap();
                    commands.draw(0..3, 0..1).unwrap();
                });
            }
            let floats = drawn[0].as_chunks().0.iter();
            let floats: Vec<f32> = floats.map(|word| f32::from_le_bytes(*word)).collect();
            for (n, pixel) in floats.chunks(4).enumerate() {
                let wanted = [(n % 8) as f32 / 8.0, (n / 8) as f32 / 8.0, 0.0, 1.0];
                let fits = pixel.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 0.005);
                assert!(fits, "{name} {format:?} {n}: {pixel:?}, {wanted:?}");
            }
            let faces = layers(&harness, &cube);
            assert_eq!(faces.len(), 6 * 8 * 8 * 4);
            for (face, texels) in faces.chunks(8 * 8 * 4).enumerate() {
                let wanted = match face {
                    4 => [64, 128, 191, 255],
                    _ => [0; 4],
                };
                let fits = |texel: &[u8]| texel.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 1);
                assert!(texels.chunks(4).all(fits), "{name}, face {face}");
            }
            let rows = layers(&harness, &rows);
            let rows: Vec<f32> = rows
                .as_chunks()
                .0
                .iter()
                .map(|word| f32::from_le_bytes(*word))
                .collect();
            let counted = (0..8).map(|x| x as f32);
            let wanted: Vec<f32> = std::iter::repeat_n(0.0, 8).chain(counted).collect();
            assert_eq!(rows, wanted, "{name}");
        }
    }
}

#[test]
fn input_attachments_are_the_pixels_of_passes_before() {
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        let setup = Setup::default();
        let bytes = include_bytes!("spirv/attachment.frag.spv");
        let made = harness
            .words_pipeline(&harness.module(EVERYWHERE), bytes, &setup)
            .unwrap();
        let ramp = harness
            .words_pipeline(
                &harness.module(EVERYWHERE),
                include_bytes!("spirv/ramp.frag.spv"),
                &setup,
            )
            .unwrap();
        let usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING;
        let before = harness.image(TextureFormat::Rgba8Unorm, [8, 8, 1], 1, usage);
        let before = harness.view(&before);
        let many = cleared(&harness, [8, 8], 4, &[0.75]);
        let desc = DescriptorSetDescriptor {
            label: None,
            layout: made.set_layout(0).unwrap(),
            entries: &[
                (0, (&before).into()),
                (1, (&view(&harness, &many, TextureViewDimension::D2)).into()),
            ],
        };
        let set = harness.device.create_descriptor_set(&desc).unwrap();
        let mut commands = harness.device.create_command_buffer(Some("before"));
        let (old, new) = (ImageLayout::Undefined, ImageLayout::ColorAttachment);
        commands.transition(before.image(), old, new).unwrap();
        let color = ColorAttachment {
            view: &before,
            resolve: None,
            load: LoadOp::Clear(Color::TRANSPARENT),
            store: StoreOp::Store,
        };
        let pass = RenderPass {
            label: Some("first"),
            colors: &[Some(color)],
            depth_stencil: None,
        };
        commands.begin_pass(&pass).unwrap();
        commands.bind_pipeline(&ramp).unwrap();
        commands.draw(0..3, 0..1).unwrap();
        commands.end_pass().unwrap();
        let (old, new) = (ImageLayout::ColorAttachment, ImageLayout::ShaderReadOnly);
        commands.transition(before.image(), old, new).unwrap();
        harness.queue.submit(&[&commands], &[]).unwrap();
        let drawn = harness.record(&setup, |commands| {
            commands.bind_pipeline(&made).unwrap();
            commands.bind_descriptor_set(0, &set, &[]).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        for (n, pixel) in drawn[0].chunks(4).enumerate() {
            let wanted = [(n % 8) as u8 * 32, (n / 8) as u8 * 32, 191, 255];
            let fits = pixel.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 1);
            assert!(fits, "{name} {n}: {pixel:?}, {wanted:?}");
        }
    }
}

#[test]
fn derived_levels_do_not_fall_below_the_least() {
    for harness in Harness::all() {
        let name = harness.device.physical_device().name();
        let setup = Setup::default();
        let made = match harness.words_pipeline(
            &harness.module(EVERYWHERE),
            include_bytes!("spirv/least.frag.spv"),
            &setup,
        ) {
            Err(error) if name != "southern-islands" => {
                let text = error.to_string();
                assert!(text.contains("the least level of a sample"), "{text}");
                continue;
            }
            made => made.unwrap(),
        };
        let usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING;
        let image = harness.device.create_image(&ImageDescriptor {
            label: Some("levels"),
            dimension: TextureDimension::D2,
            size: Extent3d {
                width: 16,
                height: 16,
                depth_or_array_layers: 1,
            },
            levels: 3,
            samples: 1,
            format: TextureFormat::Rgba8Unorm,
            usage,
            placement: None,
        });
        let image = image.unwrap();
        let mut commands = harness.device.create_command_buffer(Some("clear"));
        let (old, new) = (ImageLayout::Undefined, ImageLayout::ColorAttachment);
        commands.transition(&image, old, new).unwrap();
        for level in 0..3 {
            let desc = ImageViewDescriptor {
                base_mip_level: level,
                mip_level_count: Some(1),
                ..ImageViewDescriptor::default()
            };
            let view = harness.device.create_image_view(&image, &desc).unwrap();
            let red = f64::from(level + 1) / 4.0;
            let color = ColorAttachment {
                view: &view,
                resolve: None,
                load: LoadOp::Clear(Color {
                    r: red,
                    ..Color::TRANSPARENT
                }),
                store: StoreOp::Store,
            };
            commands
                .begin_pass(&RenderPass {
                    label: None,
                    colors: &[Some(color)],
                    depth_stencil: None,
                })
                .unwrap();
            commands.end_pass().unwrap();
        }
        harness.queue.submit(&[&commands], &[]).unwrap();
        let to = ImageLayout::ShaderReadOnly;
        harness.queue.transition(&image, to).unwrap();
        let sampler = SamplerDescriptor {
            mipmap_filter: MipmapFilterMode::Nearest,
            ..SamplerDescriptor::default()
        };
        let sampler = harness.device.create_sampler(&sampler).unwrap();
        let view = harness.view(&image);
        let desc = DescriptorSetDescriptor {
            label: None,
            layout: made.set_layout(0).unwrap(),
            entries: &[(0, (&view, &sampler).into())],
        };
        let set = harness.device.create_descriptor_set(&desc).unwrap();
        let drawn = harness.record(&setup, |commands| {
            commands.bind_pipeline(&made).unwrap();
            commands.bind_descriptor_set(0, &set, &[]).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        for pixel in drawn[0].chunks(4) {
            // Levels 2, 0, 1, and 1 by the bias.
            let wanted = [191, 64, 128, 128];
            let fits = pixel.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 1);
            assert!(fits, "{name}: {pixel:?}, {wanted:?}");
        }
    }
}

#[test]
fn views_of_other_kinds_do_not_suit_storage_images() {
    let harness = Harness::new();
    let entry = |ty| BindGroupLayoutEntry {
        binding: 0,
        visibility: ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let ty = |sample_type| BindingType::StorageImage {
        access: StorageTextureAccess::WriteOnly,
        sample_type,
        view_dimension: TextureViewDimension::D2,
    };
    let image = harness.image(
        TextureFormat::R32Uint,
        [8, 8, 1],
        1,
        TextureUsages::STORAGE_BINDING,
    );
    let view = harness.view(&image);
    let float = TextureSampleType::Float { filterable: false };
    for (sample_type, suits) in [(TextureSampleType::Uint, true), (float, false)] {
        let layout = DescriptorSetLayoutDescriptor {
            label: None,
            entries: &[entry(ty(sample_type))],
        };
        let layout = harness
            .device
            .create_descriptor_set_layout(&layout)
            .unwrap();
        let set = harness
            .device
            .create_descriptor_set(&DescriptorSetDescriptor {
                label: None,
                layout: &layout,
                entries: &[(0, (&view).into())],
            });
        assert_eq!(set.is_ok(), suits, "{sample_type:?}");
        if let Err(error) = set {
            assert!(error.to_string().contains("of any format"), "{error}");
        }
    }
}
