//! Draws that read the attachments of their own pass, as input attachments.
#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::{EVERYWHERE, Harness, Setup, depth};

const SIZE: [u32; 3] = [8, 8, 1];

/// An attachment that shaders of its pass may read, of one layer or more.
fn layers(harness: &Harness, format: TextureFormat, [samples, layers]: [u32; 2]) -> ImageView {
    let usage =
        TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_SRC;
    let size = [SIZE[0], SIZE[1], layers];
    let image = harness.image(format, size, samples, usage);
    harness
        .queue
        .transition(&image, ImageLayout::General)
        .unwrap();
    harness.view(&image)
}

fn attachment(harness: &Harness, format: TextureFormat, samples: u32) -> ImageView {
    layers(harness, format, [samples, 1])
}

fn set(harness: &Harness, made: &GraphicsPipeline, view: &ImageView) -> DescriptorSet {
    let desc = DescriptorSetDescriptor {
        label: Some("own"),
        layout: made.set_layout(0).unwrap(),
        entries: &[(0, view.into())],
    };
    harness.device.create_descriptor_set(&desc).unwrap()
}

fn clear(view: &ImageView) -> ColorAttachment<'_> {
    ColorAttachment {
        view,
        resolve: None,
        load: LoadOp::Clear(Color::TRANSPARENT),
        store: StoreOp::Store,
    }
}

/// Commands that have begun a pass to an attachment, bound a pipeline, and let it read the same attachment.
fn begun(harness: &Harness, made: &GraphicsPipeline, color: ColorAttachment<'_>) -> CommandBuffer {
    let set = set(harness, made, color.view);
    let mut commands = harness.device.create_command_buffer(Some("own"));
    commands
        .begin_pass(&RenderPass {
            label: Some("pass"),
            colors: &[Some(color)],
            depth_stencil: None,
        })
        .unwrap();
    commands.bind_pipeline(made).unwrap();
    commands.bind_descriptor_set(0, &set, &[]).unwrap();
    commands
}

/// A pipeline that reads the attachment it draws to.
fn pipeline(harness: &Harness, fragment: &[u8], setup: &Setup<'_>) -> GraphicsPipeline {
    let vertex = harness.module(EVERYWHERE);
    harness.words_pipeline(&vertex, fragment, setup).unwrap()
}

const PIXELS: &[u8] = include_bytes!("spirv/own_pixels.frag.spv");

#[test]
fn draws_see_what_was_drawn_before_them() {
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        let made = pipeline(&harness, PIXELS, &Setup::default());
        let view = attachment(&harness, TextureFormat::Rgba8Unorm, 1);
        let mut commands = begun(&harness, &made, clear(&view));
        // Both triangles of a draw see what was there before the draw.
        commands.draw(0..3, 0..2).unwrap();
        commands.draw(0..3, 0..1).unwrap();
        let left = Rect {
            x: 0,
            y: 0,
            width: 4,
            height: 8,
        };
        commands.set_scissors(0, &[left]).unwrap();
        commands.draw(0..3, 0..1).unwrap();
        commands.draw(0..3, 0..1).unwrap();
        commands.end_pass().unwrap();
        harness.queue.submit(&[&commands], &[]).unwrap();
        let read = harness.read(&view);
        for (n, pixel) in read.chunks(4).enumerate() {
            let draws = if n % 8 < 4 { 4 } else { 2 };
            assert_eq!(pixel, [16 * draws, draws, 0, 0], "{name} {n}");
        }
    }
}

/// A pipeline whose vertices say a layer, and whose fragments read the attachment's.
fn layered(harness: &Harness) -> Result<GraphicsPipeline, GraphicsPipelineError> {
    let entry = BindGroupLayoutEntry {
        binding: 0,
        visibility: ShaderStages::FRAGMENT,
        ty: BindingType::InputAttachment {
            sample_type: TextureSampleType::Float { filterable: false },
            multisampled: false,
            layered: true,
        },
        count: None,
    };
    let sets = DescriptorSetLayoutDescriptor {
        label: None,
        entries: &[entry],
    };
    let set = harness.device.create_descriptor_set_layout(&sets).unwrap();
    let layout = PipelineLayoutDescriptor {
        label: None,
        sets: &[&set],
        push_constant_bytes: 0,
    };
    let layout = harness.device.create_pipeline_layout(&layout).unwrap();
    let (vertex, fragment) = (harness.words(LAYERS), harness.words(PIXELS));
    let stage = |module| ShaderStage {
        module,
        entry: None,
        constants: &[],
    };
    harness
        .device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            layout: Some(&layout),
            fragment: Some(stage(&fragment)),
            targets: &[Some(TextureFormat::Rgba8Unorm.into())],
            ..GraphicsPipelineDescriptor::new(stage(&vertex))
        })
}

/// Instance n covers layer n.
const LAYERS: &[u8] = include_bytes!("spirv/own_layers.vert.spv");

#[test]
fn fragments_read_their_own_layer() {
    let mut devices = 0;
    for harness in Harness::each() {
        if !harness.device.features().layered_passes {
            continue;
        }
        let made = match layered(&harness) {
            Ok(made) => made,
            Err(error) => {
                assert!(error.to_string().contains("the layer"), "{error}");
                continue;
            }
        };
        devices += 1;
        let view = layers(&harness, TextureFormat::Rgba8Unorm, [1, 4]);
        let mut commands = begun(&harness, &made, clear(&view));
        // Layer n is drawn n times.
        for first in 1..4 {
            commands.draw(0..3, first..4).unwrap();
        }
        commands.end_pass().unwrap();
        harness.queue.submit(&[&commands], &[]).unwrap();
        let read = read_layers(&harness, &view);
        for (layer, bytes) in (0..).zip(read.chunks(4 * 64)) {
            for pixel in bytes.chunks(4) {
                assert_eq!(pixel, [16 * layer, layer, 0, 0], "{layer}");
            }
        }
    }
    assert_eq!(devices, 2);
}

fn read_layers(harness: &Harness, view: &ImageView) -> Vec<u8> {
    let size = Extent3d {
        depth_or_array_layers: view.subresources().layers,
        ..view.size()
    };
    let image = view.image();
    harness
        .queue
        .transition(image, ImageLayout::CopySource)
        .unwrap();
    let copy = ImageCopy::level(image, 0);
    harness.queue.read_image(&copy, size).unwrap()
}

#[test]
fn samples_are_read_one_by_one() {
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        let bytes = include_bytes!("spirv/own_samples.frag.spv");
        let made = pipeline(&harness, bytes, &Setup::samples(4));
        let view = attachment(&harness, TextureFormat::Rgba8Unorm, 4);
        let one = attachment(&harness, TextureFormat::Rgba8Unorm, 1);
        let color = ColorAttachment {
            resolve: Some(Resolve {
                view: &one,
                mode: ResolveMode::Average,
            }),
            store: StoreOp::Discard,
            ..clear(&view)
        };
        let mut commands = begun(&harness, &made, color);
        for _ in 0..3 {
            commands.draw(0..3, 0..1).unwrap();
        }
        commands.end_pass().unwrap();
        harness.queue.submit(&[&commands], &[]).unwrap();
        let read = harness.read(&one);
        for pixel in read.chunks(4) {
            assert_eq!(pixel, [48, 3, 0, 0], "{name}");
        }
    }
}

#[test]
fn depth_is_read_as_it_was() {
    let format = TextureFormat::Depth32Float;
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        let setup = Setup {
            depth: Some(depth(format, CompareFunction::Always)),
            ..Setup::default()
        };
        let bytes = include_bytes!("spirv/own_depth.frag.spv");
        let made = pipeline(&harness, bytes, &setup);
        let color = attachment(&harness, TextureFormat::Rgba8Unorm, 1);
        let depth = attachment(&harness, format, 1);
        let set = set(&harness, &made, &depth);
        let mut commands = harness.device.create_command_buffer(Some("own"));
        commands
            .begin_pass(&RenderPass {
                label: Some("pass"),
                colors: &[Some(clear(&color))],
                depth_stencil: Some(DepthStencilAttachment {
                    view: &depth,
                    depth: AspectAccess::Write {
                        load: LoadOp::Clear(1.0),
                        store: StoreOp::Store,
                    },
                    stencil: AspectAccess::ReadOnly,
                    resolve: None,
                }),
            })
            .unwrap();
        commands.bind_pipeline(&made).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        for _ in 0..3 {
            commands.draw(0..3, 0..1).unwrap();
        }
        commands.end_pass().unwrap();
        harness.queue.submit(&[&commands], &[]).unwrap();
        let read = harness.read(&color);
        for pixel in read.chunks(4) {
            assert!(pixel[0].abs_diff(64) <= 1, "{name}: {pixel:?}");
        }
    }
}

#[test]
fn what_is_read_has_the_layout_of_both() {
    for harness in Harness::each() {
        let made = pipeline(&harness, PIXELS, &Setup::default());
        let view = attachment(&harness, TextureFormat::Rgba8Unorm, 1);
        harness
            .queue
            .transition(view.image(), ImageLayout::ColorAttachment)
            .unwrap();
        let mut commands = begun(&harness, &made, clear(&view));
        commands.draw(0..3, 0..1).unwrap();
        commands.end_pass().unwrap();
        let error = harness.queue.submit(&[&commands], &[]).unwrap_err();
        assert!(error.to_string().contains("General"), "{error}");
    }
}
