//! Copies, scaled copies and clears, end to end: bytes in, bytes out.

#![allow(clippy::unwrap_used)]

use girih::*;

#[path = "transfers/boxes.rs"]
mod boxes;

const COPIED: TextureUsages = TextureUsages::COPY_SRC.union(TextureUsages::COPY_DST);

struct Fixture {
    device: Device,
    queue: Queue,
}

fn extent(width: u32, height: u32, depth_or_array_layers: u32) -> Extent3d {
    Extent3d {
        width,
        height,
        depth_or_array_layers,
    }
}

impl Fixture {
    /// On every device.
    fn each() -> impl Iterator<Item = Fixture> {
        Instance::new()
            .physical_devices()
            .filter(|gpu| gpu.features().integers)
            .map(Fixture::on)
    }

    fn on(gpu: PhysicalDevice) -> Fixture {
        let device = gpu
            .create_device(&DeviceDescriptor {
                label: Some("transfers"),
                memory_bytes: Some(32 << 20),
                ..DeviceDescriptor::default()
            })
            .unwrap();
        Fixture {
            queue: device.queue(),
            device,
        }
    }

    /// An image in layout General.
    fn image(
        &self,
        format: TextureFormat,
        dimension: TextureDimension,
        size: Extent3d,
        levels: u32,
        usage: TextureUsages,
    ) -> Image {
        let image = self
            .device
            .create_image(&ImageDescriptor {
                label: Some("image"),
                dimension,
                size,
                levels,
                samples: 1,
                format,
                usage: COPIED | usage,
                placement: None,
            })
            .unwrap();
        self.queue.transition(&image, ImageLayout::General).unwrap();
        image
    }

    fn flat(&self, format: TextureFormat, width: u32, height: u32) -> Image {
        let size = extent(width, height, 1);
        self.image(
            format,
            TextureDimension::D2,
            size,
            1,
            TextureUsages::empty(),
        )
    }

    fn write(&self, image: &Image, texels: &[u8]) {
        let at = ImageCopy::level(image, 0);
        self.queue.write_image(&at, image.size(), texels).unwrap();
    }

    fn read(&self, image: &Image, level: u32) -> Vec<u8> {
        let mut size = image.level_size(level);
        size.depth_or_array_layers *= image.layers();
        self.queue
            .read_image(&ImageCopy::level(image, level), size)
            .unwrap()
    }

    fn run(&self, record: impl FnOnce(&mut CommandBuffer)) {
        let mut commands = self.device.create_command_buffer(Some("transfers"));
        record(&mut commands);
        self.queue.submit(&[&commands], &[]).unwrap();
    }

    fn blit(&self, from: &ImageBlit<'_>, to: &ImageBlit<'_>, filter: FilterMode) {
        self.run(|commands| commands.blit_image(from, to, filter).unwrap());
    }
}

fn counting(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|i| (i * 7 + i / 251) as u8).collect()
}

fn corners(from: [u32; 3], to: [u32; 3]) -> [Origin3d; 2] {
    [from, to].map(|[x, y, z]| Origin3d { x, y, z })
}

#[test]
fn texels_go_between_buffers_images_and_layers() {
    for t in Fixture::each() {
        let size = extent(20, 12, 3);
        let usage = TextureUsages::TEXTURE_BINDING;
        let layers = t.image(
            TextureFormat::Rgba8Unorm,
            TextureDimension::D2,
            size,
            3,
            usage,
        );
        let deep = t.image(TextureFormat::R32Uint, TextureDimension::D3, size, 1, usage);
        let bytes = counting(20 * 12 * 3 * 4);
        t.write(&layers, &bytes);
        t.run(|commands| {
            // Layers become slices; two formats of four bytes have the same elements.
            let (from, to) = (ImageCopy::level(&layers, 0), ImageCopy::level(&deep, 0));
            commands.copy_image(&from, &to, size).unwrap();
        });
        assert_eq!(t.read(&deep, 0), bytes);
        // A box of one slice into the middle of a smaller level of another layer.
        t.run(|commands| {
            let from = ImageCopy {
                origin: Origin3d { x: 3, y: 2, z: 1 },
                ..ImageCopy::level(&deep, 0)
            };
            let to = ImageCopy {
                origin: Origin3d { x: 1, y: 1, z: 2 },
                ..ImageCopy::level(&layers, 1)
            };
            commands.copy_image(&from, &to, extent(4, 3, 1)).unwrap();
        });
        let small = t.read(&layers, 1);
        for y in 0..6 {
            for x in 0..10 {
                let inside = (1..5).contains(&x) && (1..4).contains(&y);
                let expected = match inside {
                    true => {
                        let at = ((12 + 2 + y - 1) * 20 + 3 + x - 1) * 4;
                        bytes[at..at + 4].to_vec()
                    }
                    false => vec![0; 4],
                };
                let at = ((2 * 6 + y) * 10 + x) * 4;
                assert_eq!(small[at..at + 4], expected, "{x},{y}");
            }
        }
    }
}

#[test]
fn blocks_and_texels_of_the_same_size_are_copied_to_each_other() {
    for t in Fixture::each() {
        let usage = TextureUsages::TEXTURE_BINDING;
        let size = extent(16, 8, 1);
        for (blocks, texels, bytes) in [
            (TextureFormat::Bc1RgbaUnorm, TextureFormat::Rg32Uint, 8),
            (TextureFormat::Bc3RgbaUnorm, TextureFormat::Rgba32Uint, 16),
        ] {
            let compressed = t.image(blocks, TextureDimension::D2, size, 5, usage);
            let plain = t.flat(texels, 4, 2);
            let elements = counting(8 * bytes);
            t.write(&plain, &elements);
            t.run(|commands| {
                let (from, to) = (
                    ImageCopy::level(&plain, 0),
                    ImageCopy::level(&compressed, 0),
                );
                commands.copy_image(&from, &to, extent(4, 2, 1)).unwrap();
            });
            assert_eq!(t.read(&compressed, 0), elements);
            // The last levels are smaller than a block, which is copied whole.
            t.run(|commands| {
                let from = ImageCopy {
                    origin: Origin3d { x: 3, y: 1, z: 0 },
                    ..ImageCopy::level(&plain, 0)
                };
                let to = ImageCopy::level(&compressed, 4);
                commands.copy_image(&from, &to, extent(1, 1, 1)).unwrap();
                let (from, to) = (to, ImageCopy::level(&plain, 0));
                commands.copy_image(&from, &to, extent(1, 1, 1)).unwrap();
            });
            assert_eq!(t.read(&compressed, 4), elements[7 * bytes..]);
            assert_eq!(t.read(&plain, 0)[..bytes], elements[7 * bytes..]);
        }
    }
}

#[test]
fn depth_stencil_and_planes_are_copied_one_by_one() {
    for t in Fixture::each() {
        let both = t.flat(TextureFormat::Depth32FloatStencil8, 5, 3);
        let read = |image: &Image, aspect, size| {
            let from = ImageCopy {
                aspect,
                ..ImageCopy::level(image, 0)
            };
            t.queue.read_image(&from, size)
        };
        let write = |image: &Image, aspect, size, texels: &[u8]| {
            let to = ImageCopy {
                aspect,
                ..ImageCopy::level(image, 0)
            };
            t.queue.write_image(&to, size, texels)
        };
        let (depth, stencil) = (counting(60), counting(15));
        write(&both, TextureAspect::DepthOnly, extent(5, 3, 1), &depth).unwrap();
        write(&both, TextureAspect::StencilOnly, extent(5, 3, 1), &stencil).unwrap();
        assert_eq!(
            read(&both, TextureAspect::DepthOnly, extent(5, 3, 1)),
            Ok(depth)
        );
        assert_eq!(
            read(&both, TextureAspect::StencilOnly, extent(5, 3, 1)),
            Ok(stencil)
        );

        let size = extent(6, 4, 1);
        let usage = TextureUsages::TEXTURE_BINDING;
        let video = t.image(TextureFormat::NV12, TextureDimension::D2, size, 1, usage);
        let (luma, chroma) = (counting(24), counting(12));
        write(&video, TextureAspect::Plane0, size, &luma).unwrap();
        write(&video, TextureAspect::Plane1, extent(3, 2, 1), &chroma).unwrap();
        assert_eq!(read(&video, TextureAspect::Plane0, size), Ok(luma));
        assert_eq!(
            read(&video, TextureAspect::Plane1, extent(3, 2, 1)),
            Ok(chroma)
        );
        let error = read(&video, TextureAspect::All, size).unwrap_err();
        assert_eq!(error.rule(), "copy-aspect");
        let error = read(&video, TextureAspect::Plane1, size).unwrap_err();
        assert_eq!(error.rule(), "copy-region");
    }
}

#[test]
fn blits_scale_turn_and_convert() {
    for t in Fixture::each() {
        let from = t.flat(TextureFormat::Rgba8Unorm, 4, 2);
        let texels: Vec<u8> = (0..8)
            .flat_map(|i| [i * 30, 255 - i * 30, 0, 255])
            .collect();
        t.write(&from, &texels);
        let red = |image: &Image| t.read(image, 0).chunks(4).map(|c| c[0]).collect::<Vec<_>>();

        // Turned around along both axes.
        let turned = t.flat(TextureFormat::Rgba8Unorm, 4, 2);
        let source = ImageBlit {
            corners: corners([4, 2, 0], [0, 0, 1]),
            ..ImageBlit::level(&from, 0)
        };
        t.blit(&source, &ImageBlit::level(&turned, 0), FilterMode::Linear);
        assert_eq!(red(&turned), [210, 180, 150, 120, 90, 60, 30, 0]);

        // Blue first, twice as large.
        let large = t.flat(TextureFormat::Bgra8Unorm, 8, 4);
        t.blit(
            &ImageBlit::level(&from, 0),
            &ImageBlit::level(&large, 0),
            FilterMode::Nearest,
        );
        let bytes = t.read(&large, 0);
        assert_eq!(
            bytes[..12],
            [0, 255, 0, 255, 0, 255, 0, 255, 0, 225, 30, 255]
        );
        assert_eq!(bytes[(3 * 8 + 7) * 4..], [0, 45, 210, 255]);

        // Linear between centres, clamped at the edge; 8 bits to floats.
        let floats = t.flat(TextureFormat::R32Float, 8, 1);
        let row = ImageBlit {
            corners: corners([0, 0, 0], [4, 1, 1]),
            ..ImageBlit::level(&from, 0)
        };
        t.blit(&row, &ImageBlit::level(&floats, 0), FilterMode::Linear);
        let values: Vec<f32> = bytemuck::pod_collect_to_vec(&t.read(&floats, 0));
        let expected = [0.0, 7.5, 22.5, 37.5, 52.5, 67.5, 82.5, 90.0].map(|n: f32| n / 255.0);
        for (value, expected) in values.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-7, "{values:?}");
        }

        // Light is averaged, not codes: black and white make 188.
        let squares = t.flat(TextureFormat::Rgba8UnormSrgb, 2, 1);
        t.write(&squares, &[0, 0, 0, 255, 255, 255, 255, 255]);
        let grey = t.flat(TextureFormat::Rgba8UnormSrgb, 1, 1);
        t.blit(
            &ImageBlit::level(&squares, 0),
            &ImageBlit::level(&grey, 0),
            FilterMode::Linear,
        );
        assert_eq!(t.read(&grey, 0), [188, 188, 188, 255]);

        // Integers saturate.
        let wide = t.flat(TextureFormat::R32Sint, 2, 1);
        t.write(&wide, bytemuck::cast_slice(&[-1000i32, 77]));
        let narrow = t.flat(TextureFormat::R8Sint, 2, 1);
        t.blit(
            &ImageBlit::level(&wide, 0),
            &ImageBlit::level(&narrow, 0),
            FilterMode::Nearest,
        );
        assert_eq!(t.read(&narrow, 0), [0x80, 77]);
    }
}

#[test]
fn blits_decode_blocks_and_filter_depth() {
    for t in Fixture::each() {
        let blocks = t.flat(TextureFormat::Bc1RgbaUnorm, 4, 4);
        // End points red and blue, one row per index.
        t.write(&blocks, &[0x00, 0xf8, 0x1f, 0x00, 0x00, 0x55, 0xaa, 0xff]);
        let plain = t.flat(TextureFormat::Rgba8Unorm, 4, 4);
        t.blit(
            &ImageBlit::level(&blocks, 0),
            &ImageBlit::level(&plain, 0),
            FilterMode::Nearest,
        );
        let rows: Vec<Vec<u8>> = t
            .read(&plain, 0)
            .chunks(16)
            .map(|row| row[8..12].to_vec())
            .collect();
        assert_eq!(
            rows,
            [
                [255, 0, 0, 255],
                [0, 0, 255, 255],
                [170, 0, 85, 255],
                [85, 0, 170, 255]
            ]
        );

        // Eight texels of a box to one.
        let usage = TextureUsages::TEXTURE_BINDING;
        let deep = t.image(
            TextureFormat::R8Unorm,
            TextureDimension::D3,
            extent(2, 2, 2),
            2,
            usage,
        );
        t.write(&deep, &[0, 20, 40, 60, 80, 100, 120, 140]);
        t.run(|commands| {
            commands
                .generate_levels(&deep, ImageLayout::General, ImageLayout::General)
                .unwrap();
        });
        assert_eq!(t.read(&deep, 1), [70]);
    }
}

#[test]
fn levels_are_made_from_those_above() {
    for t in Fixture::each() {
        let usage = TextureUsages::TEXTURE_BINDING;
        let image = t.image(
            TextureFormat::R8Unorm,
            TextureDimension::D2,
            extent(8, 4, 2),
            4,
            usage,
        );
        let texels: Vec<u8> = (0..64).map(|i| i * 4).collect();
        t.write(&image, &texels);
        t.run(|commands| {
            commands
                .generate_levels(&image, ImageLayout::General, ImageLayout::ShaderReadOnly)
                .unwrap();
        });
        t.queue.transition(&image, ImageLayout::General).unwrap();
        let half = |texels: &[u8], width: usize, height: usize| -> Vec<u8> {
            let at = |x: usize, y: usize| u32::from(texels[y.min(height - 1) * width + x]);
            let (w, h) = (width / 2, (height / 2).max(1));
            let mean = |x: usize, y: usize| {
                at(2 * x, 2 * y)
                    + at(2 * x + 1, 2 * y)
                    + at(2 * x, 2 * y + 1)
                    + at(2 * x + 1, 2 * y + 1)
            };
            (0..w * h)
                .map(|i| (f64::from(mean(i % w, i / w)) / 4.0).round_ties_even() as u8)
                .collect()
        };
        for layer in 0..2 {
            let mut above = texels[layer * 32..][..32].to_vec();
            for (level, width, height) in [(1, 8, 4), (2, 4, 2), (3, 2, 1)] {
                above = half(&above, width, height);
                let all = t.read(&image, level);
                let bytes = all.len() / 2;
                assert_eq!(
                    all[layer * bytes..][..bytes],
                    above,
                    "level {level} of layer {layer}"
                );
            }
        }
    }
}

#[test]
fn images_are_cleared_in_every_kind_of_format() {
    for t in Fixture::each() {
        let value = Color {
            r: 1.0,
            g: 0.5,
            b: 0.25,
            a: 0.0,
        };
        let usage = TextureUsages::TEXTURE_BINDING;
        for (format, texel) in [
            (TextureFormat::R8Unorm, &[255][..]),
            (TextureFormat::Rg8Snorm, &[127, 64]),
            (TextureFormat::Rgba8UnormSrgb, &[255, 188, 137, 0]),
            (TextureFormat::Rg16Float, &[0, 0x3c, 0, 0x38]),
            (
                TextureFormat::Rgba16Float,
                &[0, 0x3c, 0, 0x38, 0, 0x34, 0, 0],
            ),
            (
                TextureFormat::Rgba32Uint,
                &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            ),
        ] {
            let image = t.image(format, TextureDimension::D2, extent(9, 5, 3), 2, usage);
            let range = Subresources {
                level: 1,
                levels: 1,
                layer: 1,
                layers: 2,
            };
            t.run(|commands| commands.clear_color_image(&image, range, value).unwrap());
            assert!(
                t.read(&image, 0).iter().all(|byte| *byte == 0),
                "{format:?}"
            );
            let level = t.read(&image, 1);
            let (first, rest) = level.split_at(level.len() / 3);
            assert!(first.iter().all(|byte| *byte == 0), "{format:?}");
            assert_eq!(rest, texel.repeat(2 * 4 * 2), "{format:?}");
        }
        let both = t.flat(TextureFormat::Depth24PlusStencil8, 3, 3);
        t.run(|commands| {
            commands
                .clear_depth_stencil_image(&both, both.subresources(), None, Some(9))
                .unwrap();
        });
        let read = |aspect| {
            let from = ImageCopy {
                aspect,
                ..ImageCopy::level(&both, 0)
            };
            t.queue.read_image(&from, extent(3, 3, 1)).unwrap()
        };
        assert_eq!(read(TextureAspect::StencilOnly), [9; 9]);
        assert_eq!(read(TextureAspect::DepthOnly), [0; 36]);
    }
}

#[test]
fn rectangles_of_attachments_are_cleared_between_draws() {
    for t in Fixture::each() {
        let usage = TextureUsages::RENDER_ATTACHMENT;
        let size = extent(21, 13, 1);
        let view = |format| {
            let image = t.image(format, TextureDimension::D2, size, 1, usage);
            let desc = ImageViewDescriptor::default();
            t.device.create_image_view(&image, &desc).unwrap()
        };
        let (color, wide) = (
            view(TextureFormat::R8Unorm),
            view(TextureFormat::Rgba16Uint),
        );
        let depth = view(TextureFormat::Depth16Unorm);
        let attach = |view| {
            Some(ColorAttachment {
                view,
                resolve: None,
                load: LoadOp::Clear(Color::BLACK),
                store: StoreOp::Store,
            })
        };
        let rect = |x, y, width, height| Rect {
            x,
            y,
            width,
            height,
        };
        let rects = [rect(1, 2, 10, 3), rect(9, 4, 12, 9)];
        t.run(|commands| {
            commands
                .begin_pass(&RenderPass {
                    label: Some("pass"),
                    colors: &[attach(&color), attach(&wide)],
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
            let value = Color {
                r: 513.0,
                g: 2.0,
                b: 3.0,
                a: 65535.0,
            };
            commands
                .clear_attachments(
                    &[
                        ClearAttachment::Color {
                            index: 0,
                            value: Color::WHITE,
                        },
                        ClearAttachment::Color { index: 1, value },
                        ClearAttachment::Depth(0.0),
                    ],
                    &rects,
                )
                .unwrap();
            commands.end_pass().unwrap();
        });
        let [color, wide, depth] = [&color, &wide, &depth].map(|view| t.read(view.image(), 0));
        for y in 0..13 {
            for x in 0..21 {
                let inside = rects.iter().any(|r| {
                    (r.x..r.x + r.width).contains(&x) && (r.y..r.y + r.height).contains(&y)
                });
                let at = (y * 21 + x) as usize;
                assert_eq!(color[at], if inside { 255 } else { 0 }, "{x},{y}");
                assert_eq!(depth[2 * at], if inside { 0 } else { 255 }, "{x},{y}");
                let texel = match inside {
                    true => [1, 2, 2, 0, 3, 0, 255, 255],
                    false => [0, 0, 0, 0, 0, 0, 1, 0],
                };
                assert_eq!(wide[8 * at..8 * at + 8], texel, "{x},{y}");
            }
        }
    }
}

#[test]
fn samples_are_cleared_copied_and_resolved() {
    for t in Fixture::each() {
        let several = || {
            let image = t
                .device
                .create_image(&ImageDescriptor {
                    label: Some("samples"),
                    dimension: TextureDimension::D2,
                    size: extent(10, 6, 1),
                    levels: 1,
                    samples: 4,
                    format: TextureFormat::R8Unorm,
                    usage: COPIED | TextureUsages::RENDER_ATTACHMENT,
                    placement: None,
                })
                .unwrap();
            t.queue.transition(&image, ImageLayout::General).unwrap();
            image
        };
        let (a, b) = (several(), several());
        let one = t.flat(TextureFormat::R8Unorm, 10, 6);
        let view = t
            .device
            .create_image_view(&a, &ImageViewDescriptor::default())
            .unwrap();
        t.run(|commands| {
            let grey = Color {
                r: 0.2,
                ..Color::BLACK
            };
            commands
                .clear_color_image(&a, a.subresources(), grey)
                .unwrap();
            commands
                .begin_pass(&RenderPass {
                    label: Some("pass"),
                    colors: &[Some(ColorAttachment {
                        view: &view,
                        resolve: None,
                        load: LoadOp::Load,
                        store: StoreOp::Store,
                    })],
                    depth_stencil: None,
                })
                .unwrap();
            let white = ClearAttachment::Color {
                index: 0,
                value: Color::WHITE,
            };
            let rect = Rect {
                x: 3,
                y: 1,
                width: 4,
                height: 2,
            };
            commands.clear_attachments(&[white], &[rect]).unwrap();
            commands.end_pass().unwrap();
            let size = extent(10, 6, 1);
            let [a, b, one] = [&a, &b, &one].map(|image| ImageCopy::level(image, 0));
            commands.copy_image(&a, &b, size).unwrap();
            commands
                .resolve_image(&b, &one, size, ResolveMode::Average)
                .unwrap();
        });
        for (i, texel) in t.read(&one, 0).iter().enumerate() {
            let inside = (3..7).contains(&(i % 10)) && (1..3).contains(&(i / 10));
            assert_eq!(*texel, if inside { 255 } else { 51 }, "{i}");
        }
    }
}

#[test]
fn buffers_are_updated_by_recorded_bytes() {
    for t in Fixture::each() {
        let buffer = t
            .device
            .create_buffer(&BufferDescriptor {
                label: Some("buffer"),
                size: 64,
                usage: BufferUsages::COPY_DST,
                placement: None,
            })
            .unwrap();
        t.run(|commands| {
            commands.fill_buffer(&buffer, 0..64, 0x0101_0101).unwrap();
            commands
                .update_buffer(&buffer, 8, &[1, 2, 3, 4, 5, 6, 7, 8])
                .unwrap();
        });
        let mut bytes = [0; 64];
        buffer.read(0, &mut bytes).unwrap();
        assert_eq!(bytes[6..18], [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 1, 1]);
    }
}

#[test]
fn memory_is_seen_tiled_and_untiled() {
    for t in Fixture::each() {
        let attachment = TextureUsages::RENDER_ATTACHMENT;
        for (format, dimension, size, usage, planes) in [
            (
                TextureFormat::Rgba8Unorm,
                TextureDimension::D2,
                extent(40, 24, 1),
                attachment,
                1,
            ),
            (
                TextureFormat::R8Uint,
                TextureDimension::D2,
                extent(300, 17, 3),
                TextureUsages::empty(),
                1,
            ),
            (
                TextureFormat::Rgba32Float,
                TextureDimension::D3,
                extent(9, 20, 5),
                TextureUsages::empty(),
                1,
            ),
            (
                TextureFormat::Bc1RgbaUnorm,
                TextureDimension::D2,
                extent(64, 32, 6),
                TextureUsages::empty(),
                1,
            ),
            (
                TextureFormat::Depth24PlusStencil8,
                TextureDimension::D2,
                extent(50, 50, 1),
                attachment,
                2,
            ),
        ] {
            // An attachment with two planes has one level.
            let levels = 3 - planes as u32;
            let image = t.image(format, dimension, size, levels, usage);
            assert_eq!(image.surface().planes.len(), planes, "{format:?}");
            let fresh = image.tiled_bytes();
            assert_eq!(fresh.len() as u64, image.surface().bytes);
            let mut memory = fresh.clone();
            let mut parts = Vec::new();
            for plane in 0..planes {
                for level in 0..levels {
                    let part = Part {
                        plane,
                        level,
                        sample: 0,
                    };
                    let count = image.untile(&fresh, part).unwrap().len();
                    let mut rows: Vec<u8> = counting(count + 1)[1..].to_vec();
                    // Bytes that memory does not hold are zeros.
                    let shape = &image.surface().planes[plane];
                    for element in rows.chunks_mut(shape.element_bytes as usize) {
                        element[shape.held_bytes as usize..].fill(0);
                    }
                    image.tile(&rows, part, &mut memory).unwrap();
                    parts.push((part, rows));
                }
            }
            for (part, rows) in &parts {
                assert_eq!(
                    image.untile(&memory, *part).as_ref(),
                    Some(rows),
                    "{format:?} {part:?}"
                );
            }
            if planes == 1 {
                // What the chip itself keeps of the same rows.
                t.write(&image, &parts[0].1);
                let kept = image.tiled_bytes();
                assert_ne!(kept, fresh);
                assert_eq!(
                    image.untile(&kept, Part::default()),
                    Some(t.read(&image, 0))
                );
            }
            let none = Part {
                level: 2,
                ..Part::default()
            };
            assert_eq!(image.untile(&memory, none), None);
            assert_eq!(image.untile(&memory[1..], Part::default()), None);
            assert_eq!(image.tile(&[0], Part::default(), &mut memory), None);
        }
    }
}
