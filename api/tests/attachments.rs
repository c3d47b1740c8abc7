//! Which parts of images can be drawn to: layers, faces, slices, levels.

#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::*;

const WHITE: &str = "@fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";

/// Draws white to one view and gives the bytes of a level of its image.
fn fill_view(
    harness: &Harness,
    image: &Image,
    desc: &ImageViewDescriptor<'_>,
    level: u32,
) -> Vec<u8> {
    let view = harness.device.create_image_view(image, desc).unwrap();
    let pipeline = harness.pipeline(&Setup::default(), &(EVERYWHERE.to_owned() + WHITE));
    let mut commands = harness.device.create_command_buffer(None);
    let (old, new) = (ImageLayout::Undefined, ImageLayout::ColorAttachment);
    commands.transition(image, old, new).unwrap();
    commands
        .begin_pass(&RenderPass {
            label: None,
            colors: &[Some(ColorAttachment {
                view: &view,
                resolve: None,
                load: LoadOp::Load,
                store: StoreOp::Store,
            })],
            depth_stencil: None,
        })
        .unwrap();
    commands.bind_pipeline(&pipeline).unwrap();
    commands.draw(0..3, 0..1).unwrap();
    commands.end_pass().unwrap();
    harness.queue.submit(&[&commands], &[]).unwrap();
    harness
        .queue
        .transition(image, ImageLayout::CopySource)
        .unwrap();
    let mut size = image.level_size(level);
    if image.layers() > 1 {
        size.depth_or_array_layers = image.layers();
    }
    harness
        .queue
        .read_image(&ImageCopy::level(image, level), size)
        .unwrap()
}

#[test]
fn layers_faces_slices_and_levels_are_drawn_to() {
    for harness in Harness::each() {
        let image = |dimension, size: [u32; 3], levels| {
            harness
                .device
                .create_image(&ImageDescriptor {
                    label: Some("many"),
                    dimension,
                    size: Extent3d {
                        width: size[0],
                        height: size[1],
                        depth_or_array_layers: size[2],
                    },
                    levels,
                    samples: 1,
                    format: TextureFormat::Rgba8Unorm,
                    usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
                    placement: None,
                })
                .unwrap()
        };
        let one = |layer, level| ImageViewDescriptor {
            dimension: Some(TextureViewDimension::D2),
            base_array_layer: layer,
            array_layer_count: Some(1),
            base_mip_level: level,
            mip_level_count: Some(1),
            ..ImageViewDescriptor::default()
        };
        // Which slices of a level are white, the others being empty.
        let white = |bytes: &[u8], slices: usize| -> Vec<bool> {
            bytes
                .chunks(bytes.len() / slices)
                .map(|slice| {
                    let first = slice[0];
                    assert!(slice.iter().all(|byte| *byte == first));
                    first == 255
                })
                .collect()
        };
        for layer in 0..6 {
            let faces = image(TextureDimension::D2, [16, 16, 6], 3);
            for level in 0..3 {
                let bytes = fill_view(&harness, &faces, &one(layer, level), level);
                let expected: Vec<bool> = (0..6).map(|n| n == layer).collect();
                assert_eq!(white(&bytes, 6), expected, "face {layer}, level {level}");
            }
        }
        for level in 0..3 {
            let depth = 8 >> level;
            for slice in 0..depth {
                let volume = image(TextureDimension::D3, [16, 8, 8], 4);
                let bytes = fill_view(&harness, &volume, &one(slice, level), level);
                let expected: Vec<bool> = (0..depth).map(|n| n == slice).collect();
                assert_eq!(
                    white(&bytes, depth as usize),
                    expected,
                    "slice {slice}, level {level}"
                );
            }
        }
    }
}

/// Every level of every layer is cleared to values of its own; one pixel of each is drawn to.
fn draw_to_levels(harness: &Harness, format: TextureFormat, size: [u32; 2], levels: u32) {
    let image = harness
        .device
        .create_image(&ImageDescriptor {
            label: Some("levels"),
            dimension: TextureDimension::D2,
            size: Extent3d {
                width: size[0],
                height: size[1],
                depth_or_array_layers: 2,
            },
            levels,
            samples: 1,
            format,
            usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
            placement: None,
        })
        .unwrap();
    let mut setup = Setup {
        targets: Vec::new(),
        depth: Some(depth(format, CompareFunction::Less)),
        ..Setup::default()
    };
    if let Some(depth) = setup.depth.as_mut().filter(|_| format.has_stencil_aspect()) {
        let face = StencilFaceState {
            compare: CompareFunction::Always,
            pass_op: StencilOperation::IncrementClamp,
            ..StencilFaceState::default()
        };
        depth.stencil = StencilState {
            front: face,
            back: face,
            read_mask: 0xff,
            write_mask: 0xff,
        };
    }
    let pipeline = harness.pipeline(&setup, EVERYWHERE);
    let mut commands = harness.device.create_command_buffer(None);
    let (old, new) = (ImageLayout::Undefined, ImageLayout::DepthStencilAttachment);
    commands.transition(&image, old, new).unwrap();
    for level in 0..levels {
        for layer in 0..2 {
            let desc = ImageViewDescriptor {
                dimension: Some(TextureViewDimension::D2),
                base_array_layer: layer,
                array_layer_count: Some(1),
                base_mip_level: level,
                mip_level_count: Some(1),
                ..ImageViewDescriptor::default()
            };
            let view = harness.device.create_image_view(&image, &desc).unwrap();
            commands
                .begin_pass(&RenderPass {
                    label: None,
                    colors: &[],
                    depth_stencil: Some(DepthStencilAttachment {
                        view: &view,
                        depth: AspectAccess::Write {
                            load: LoadOp::Clear(1.0 / (2.0 + (level + layer) as f32)),
                            store: StoreOp::Store,
                        },
                        stencil: AspectAccess::Write {
                            load: LoadOp::Clear(10 * level + layer),
                            store: StoreOp::Store,
                        },
                        resolve: None,
                    }),
                })
                .unwrap();
            commands.bind_pipeline(&pipeline).unwrap();
            // The last pixel, at a depth that passes: 0.5 of a sixteenth.
            let size = view.size();
            commands
                .set_viewport(Viewport {
                    x: (size.width - 1) as f32,
                    y: (size.height - 1) as f32,
                    width: 1.0,
                    height: 1.0,
                    min_depth: 0.0,
                    max_depth: 0.0625,
                })
                .unwrap();
            commands.draw(0..3, 0..1).unwrap();
            commands.end_pass().unwrap();
        }
    }
    harness.queue.submit(&[&commands], &[]).unwrap();
    harness
        .queue
        .transition(&image, ImageLayout::CopySource)
        .unwrap();
    for level in 0..levels {
        let mut size = image.level_size(level);
        size.depth_or_array_layers = 2;
        let read = |aspect| {
            let copy = ImageCopy {
                aspect,
                ..ImageCopy::level(&image, level)
            };
            harness.queue.read_image(&copy, size).unwrap()
        };
        let texels = words(&read(TextureAspect::DepthOnly));
        let per_layer = texels.len() / 2;
        for (n, word) in texels.iter().enumerate() {
            let layer = n / per_layer;
            let expected = match n % per_layer == per_layer - 1 {
                true => 0.03125,
                false => 1.0 / (2.0 + (level as usize + layer) as f32),
            };
            let found = f32::from_bits(*word);
            assert_eq!(
                found, expected,
                "{format:?} {size:?} level {level}, texel {n}"
            );
        }
        if !format.has_stencil_aspect() {
            continue;
        }
        for (n, value) in read(TextureAspect::StencilOnly).iter().enumerate() {
            let last = u32::from(n % per_layer == per_layer - 1);
            let expected = 10 * level + (n / per_layer) as u32 + last;
            assert_eq!(
                u32::from(*value),
                expected,
                "{size:?} level {level}, texel {n}"
            );
        }
    }
}

#[test]
fn levels_of_depth_and_stencil_are_drawn_to() {
    for harness in Harness::each() {
        for format in [
            TextureFormat::Depth32Float,
            TextureFormat::Depth32FloatStencil8,
        ] {
            for (size, levels) in [
                ([64, 64], 7),
                ([40, 24], 6),
                ([256, 16], 9),
                ([1, 1], 1),
                ([16, 64], 7),
                ([32, 512], 10),
            ] {
                draw_to_levels(&harness, format, size, levels);
            }
        }
    }
}

/// A view of one aspect of an image with depth and stencil is an attachment with that aspect alone.
#[test]
fn aspects_are_drawn_to_on_their_own() {
    for harness in Harness::each() {
        for (format, depth_format) in [
            (
                TextureFormat::Depth24PlusStencil8,
                TextureFormat::Depth24Plus,
            ),
            (
                TextureFormat::Depth32FloatStencil8,
                TextureFormat::Depth32Float,
            ),
        ] {
            let usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC;
            let image = harness.image(format, [8, 8, 1], 1, usage);
            let view = |aspect| {
                let desc = ImageViewDescriptor {
                    aspect,
                    ..ImageViewDescriptor::default()
                };
                harness.device.create_image_view(&image, &desc).unwrap()
            };
            let face = StencilFaceState {
                compare: CompareFunction::Always,
                pass_op: StencilOperation::Replace,
                ..StencilFaceState::default()
            };
            let depth_only = Setup {
                targets: Vec::new(),
                depth: Some(depth(depth_format, CompareFunction::Less)),
                ..Setup::default()
            };
            let stencil_only = Setup {
                targets: Vec::new(),
                depth: Some(DepthStencilState {
                    depth_write_enabled: None,
                    depth_compare: None,
                    stencil: StencilState {
                        front: face,
                        back: face,
                        read_mask: 0xff,
                        write_mask: 0xff,
                    },
                    ..depth(TextureFormat::Stencil8, CompareFunction::Always)
                }),
                ..Setup::default()
            };
            let mut commands = harness.device.create_command_buffer(None);
            let (old, new) = (ImageLayout::Undefined, ImageLayout::DepthStencilAttachment);
            commands.transition(&image, old, new).unwrap();
            for (setup, aspect) in [
                (&depth_only, TextureAspect::DepthOnly),
                (&stencil_only, TextureAspect::StencilOnly),
            ] {
                let view = view(aspect);
                commands
                    .begin_pass(&RenderPass {
                        label: None,
                        colors: &[],
                        depth_stencil: Some(DepthStencilAttachment {
                            view: &view,
                            depth: AspectAccess::Write {
                                load: LoadOp::Clear(1.0),
                                store: StoreOp::Store,
                            },
                            stencil: AspectAccess::Write {
                                load: LoadOp::Clear(3),
                                store: StoreOp::Store,
                            },
                            resolve: None,
                        }),
                    })
                    .unwrap();
                commands
                    .bind_pipeline(&harness.pipeline(setup, EVERYWHERE))
                    .unwrap();
                commands.set_stencil_reference(77).unwrap();
                commands
                    .set_scissor(Rect {
                        x: 0,
                        y: 0,
                        width: 8,
                        height: 4,
                    })
                    .unwrap();
                commands.draw(0..3, 0..1).unwrap();
                commands.end_pass().unwrap();
            }
            harness.queue.submit(&[&commands], &[]).unwrap();
            harness
                .queue
                .transition(&image, ImageLayout::CopySource)
                .unwrap();
            let read = |aspect| {
                let copy = ImageCopy {
                    aspect,
                    ..ImageCopy::level(&image, 0)
                };
                harness.queue.read_image(&copy, image.size()).unwrap()
            };
            let stencil = read(TextureAspect::StencilOnly);
            assert_eq!(
                [stencil[0], stencil[31], stencil[32], stencil[63]],
                [77, 77, 3, 3]
            );
            let depths = words(&read(TextureAspect::DepthOnly));
            let (half, one) = match depth_format {
                TextureFormat::Depth24Plus => (0x80_0000, 0xff_ffff),
                _ => (0.5f32.to_bits(), 1f32.to_bits()),
            };
            let found =
                [0, 31, 32, 63].map(|n| depths[n] & if one == 0xff_ffff { one } else { u32::MAX });
            assert_eq!(found, [half, half, one, one], "{format:?}");
        }
    }
}

/// Rectangles are cleared where the attachment is: in one slice, and in the aspects that the view shows.
#[test]
fn clears_stay_within_what_a_view_shows() {
    for harness in Harness::each() {
        let desc = ImageDescriptor {
            label: None,
            dimension: TextureDimension::D3,
            size: Extent3d {
                width: 8,
                height: 8,
                depth_or_array_layers: 4,
            },
            levels: 1,
            samples: 1,
            format: TextureFormat::Rgba8Unorm,
            usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
            placement: None,
        };
        let deep = harness.device.create_image(&desc).unwrap();
        let slice = ImageViewDescriptor {
            dimension: Some(TextureViewDimension::D2),
            base_array_layer: 2,
            array_layer_count: Some(1),
            ..ImageViewDescriptor::default()
        };
        let slice = harness.device.create_image_view(&deep, &slice).unwrap();
        let usage = TextureUsages::RENDER_ATTACHMENT;
        let both = harness.image(TextureFormat::Depth24PlusStencil8, [8, 8, 1], 1, usage);
        let depth = ImageViewDescriptor {
            aspect: TextureAspect::DepthOnly,
            ..ImageViewDescriptor::default()
        };
        let depth = harness.device.create_image_view(&both, &depth).unwrap();
        let mut commands = harness.device.create_command_buffer(None);
        for image in [&deep, &both] {
            let (old, new) = (ImageLayout::Undefined, ImageLayout::General);
            commands.transition(image, old, new).unwrap();
        }
        commands
            .begin_pass(&RenderPass {
                label: None,
                colors: &[Some(ColorAttachment {
                    view: &slice,
                    resolve: None,
                    load: LoadOp::Load,
                    store: StoreOp::Store,
                })],
                depth_stencil: Some(DepthStencilAttachment {
                    view: &depth,
                    depth: AspectAccess::Write {
                        load: LoadOp::Clear(1.0),
                        store: StoreOp::Store,
                    },
                    stencil: AspectAccess::Write {
                        load: LoadOp::Load,
                        store: StoreOp::Store,
                    },
                    resolve: None,
                }),
            })
            .unwrap();
        let rect = Rect {
            x: 0,
            y: 0,
            width: 8,
            height: 8,
        };
        let white = ClearAttachment::Color {
            index: 0,
            value: Color::WHITE,
        };
        commands
            .clear_attachments(&[white, ClearAttachment::Depth(0.0)], &[rect])
            .unwrap();
        let stencil = commands.clear_attachments(&[ClearAttachment::Stencil(1)], &[rect]);
        assert_eq!(stencil.unwrap_err().rule(), "clear-attachment");
        commands.end_pass().unwrap();
        harness.queue.submit(&[&commands], &[]).unwrap();
        let copy = ImageCopy::level(&deep, 0);
        let texels = harness.queue.read_image(&copy, deep.size()).unwrap();
        for (z, slice) in texels.chunks(256).enumerate() {
            let expected = if z == 2 { 255 } else { 0 };
            assert!(slice.iter().all(|byte| *byte == expected), "slice {z}");
        }
    }
}
