//! Draws that read the attachments of their own pass, as input attachments.
#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::{EVERYWHERE, Harness, Setup, depth};

const SIZE: [u32; 3] = [8, 8, 1];

/// An attachment that shaders of its pass may read.
fn attachment(harness: &Harness, format: TextureFormat, samples: u32) -> ImageView {
    let usage =
        TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_SRC;
    let image = harness.image(format, SIZE, samples, usage);
    harness
        .queue
        .transition(&image, ImageLayout::General)
        .unwrap();
    harness.view(&image)
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

#[test]
fn draws_see_what_was_drawn_before_them() {
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        let setup = Setup::default();
        let bytes = include_bytes!("spirv/own_pixels.frag.spv");
        let made = harness
            .words_pipeline(&harness.module(EVERYWHERE), bytes, &setup)
            .unwrap();
        let view = attachment(&harness, TextureFormat::Rgba8Unorm, 1);
        let set = set(&harness, &made, &view);
        let mut commands = harness.device.create_command_buffer(Some("own"));
        commands
            .begin_pass(&RenderPass {
                label: Some("pass"),
                colors: &[Some(clear(&view))],
                depth_stencil: None,
            })
            .unwrap();
        commands.bind_pipeline(&made).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
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

#[test]
fn samples_are_read_one_by_one() {
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        let setup = Setup::samples(4);
        let bytes = include_bytes!("spirv/own_samples.frag.spv");
        let made = harness
            .words_pipeline(&harness.module(EVERYWHERE), bytes, &setup)
            .unwrap();
        let view = attachment(&harness, TextureFormat::Rgba8Unorm, 4);
        let one = attachment(&harness, TextureFormat::Rgba8Unorm, 1);
        let set = set(&harness, &made, &view);
        let mut commands = harness.device.create_command_buffer(Some("own"));
        let color = ColorAttachment {
            resolve: Some(Resolve {
                view: &one,
                mode: ResolveMode::Average,
            }),
            store: StoreOp::Discard,
            ..clear(&view)
        };
        commands
            .begin_pass(&RenderPass {
                label: Some("pass"),
                colors: &[Some(color)],
                depth_stencil: None,
            })
            .unwrap();
        commands.bind_pipeline(&made).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
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
        let vertex = harness.module(EVERYWHERE);
        let fragment = harness.words(include_bytes!("spirv/own_depth.frag.spv"));
        let stage = |module| ShaderStage {
            module,
            entry: None,
            constants: &[],
        };
        let made = harness
            .device
            .create_graphics_pipeline(&GraphicsPipelineDescriptor {
                fragment: Some(stage(&fragment)),
                targets: &[Some(TextureFormat::Rgba8Unorm.into())],
                depth_stencil: setup.depth.clone(),
                ..GraphicsPipelineDescriptor::new(stage(&vertex))
            })
            .unwrap();
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
        let setup = Setup::default();
        let bytes = include_bytes!("spirv/own_pixels.frag.spv");
        let made = harness
            .words_pipeline(&harness.module(EVERYWHERE), bytes, &setup)
            .unwrap();
        let view = attachment(&harness, TextureFormat::Rgba8Unorm, 1);
        let set = set(&harness, &made, &view);
        harness
            .queue
            .transition(view.image(), ImageLayout::ColorAttachment)
            .unwrap();
        let mut commands = harness.device.create_command_buffer(Some("own"));
        commands
            .begin_pass(&RenderPass {
                label: Some("pass"),
                colors: &[Some(clear(&view))],
                depth_stencil: None,
            })
            .unwrap();
        commands.bind_pipeline(&made).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        commands.draw(0..3, 0..1).unwrap();
        commands.end_pass().unwrap();
        let error = harness.queue.submit(&[&commands], &[]).unwrap_err();
        assert!(error.to_string().contains("General"), "{error}");
    }
}
