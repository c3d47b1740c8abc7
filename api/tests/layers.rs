//! Passes with several layers: where primitives go, what is cleared, loaded, tested and resolved, and what shaders see.

#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::*;

const SIZE: [u32; 2] = [24, 20];
const LAYERS: u32 = 5;

/// Devices that draw to several layers, with any number of threads.
fn devices() -> impl Iterator<Item = Harness> {
    let chips = Instance::new().physical_devices();
    let chips = chips.filter(|gpu| gpu.features().layered_passes);
    chips.flat_map(|gpu| [1, 2, 7].map(|threads| Harness::on(&gpu, Some(threads))))
}

/// The same with geometry shaders.
fn with_geometry() -> impl Iterator<Item = Harness> {
    devices().filter(|harness| harness.device.features().geometry)
}

fn name(harness: &Harness) -> &'static str {
    harness.device.physical_device().name()
}

/// A view of new layers.
fn layered(harness: &Harness, format: TextureFormat, layers: u32, samples: u32) -> ImageView {
    let usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC;
    let image = harness.image(format, [SIZE[0], SIZE[1], layers], samples, usage);
    harness
        .queue
        .transition(&image, ImageLayout::General)
        .unwrap();
    harness.view(&image)
}

/// The texels of a slice.
fn slice(harness: &Harness, image: &Image, slice: u32) -> Vec<[u8; 4]> {
    let copy = ImageCopy {
        origin: Origin3d {
            x: 0,
            y: 0,
            z: slice,
        },
        ..ImageCopy::level(image, 0)
    };
    let size = Extent3d {
        width: SIZE[0],
        height: SIZE[1],
        depth_or_array_layers: 1,
    };
    let bytes = harness.queue.read_image(&copy, size).unwrap();
    bytes.as_chunks().0.to_vec()
}

/// Four invocations a point, each a triangle over half of the layer that is its point's number plus the invocation, less
/// one: so some are not there. The nearer of two is seen.
const POINTS: &str = "
    struct Vertex { @builtin(position) at: vec4f, @location(0) @interpolate(flat) number: u32 }
    struct Corner {
        @builtin(position) at: vec4f,
        @location(0) @interpolate(flat) color: vec4f,
        layer: u32,
    }
    struct System { invocation: u32 }
    @vertex fn vertex(@builtin(vertex_index) i: u32) -> Vertex { return Vertex(vec4f(0.0), i); }
    @fragment fn fragment(@location(0) @interpolate(flat) color: vec4f) -> @location(0) vec4f { return color; }
    fn emit_vertex(c: Corner) {}
    const gs_max_vertices = 3u;
    fn gs(points: array<Vertex, 1>, system: System) {
        let number = points[0].number;
        let left = f32(number & 1u) - 1.0;
        for (var i = 0u; i < 3u; i++) {
            let at = vec2f(left + f32(i & 1u) * 2.0, f32(i >> 1u) * 4.0 - 1.0);
            let color = vec4f(f32(number) / 255.0, f32(system.invocation) / 255.0, 0.0, 1.0);
            let z = f32((number * 7u + system.invocation * 3u) % 11u) / 11.0;
            emit_vertex(Corner(vec4f(at, z, 1.0), color, number + system.invocation - 1u));
        }
    }";

/// What a pixel of a layer shows of those points, drawn with or without a depth test.
fn expected(layer: u32, pixel: usize, count: u32, tested: bool) -> [u8; 4] {
    let (x, y) = (pixel as u32 % SIZE[0], pixel as u32 / SIZE[0]);
    let mut seen = ([0, 0, 9, 255], 11);
    for number in 0..count {
        for invocation in 0..4 {
            // Three corners: a right angle at the lower left, two by four of clip space.
            let [u, v] = [
                (f64::from(x) + 0.5) / f64::from(SIZE[0]) * 2.0 - 1.0,
                1.0 - (f64::from(y) + 0.5) / f64::from(SIZE[1]) * 2.0,
            ];
            let left = f64::from(number & 1) - 1.0;
            let inside = u > left && (u - left) / 2.0 + (v + 1.0) / 4.0 < 1.0;
            let z = (number * 7 + invocation * 3) % 11;
            let near = !tested || z < seen.1;
            if inside && near && number + invocation == layer + 1 {
                seen = ([number as u8, invocation as u8, 0, 255], z);
            }
        }
    }
    seen.0
}

/// Draws points into layers; the view is of four samples and resolved where another is given.
fn draw(harness: &Harness, view: &ImageView, resolve: Option<&ImageView>, tested: bool) {
    let samples = view.image().samples();
    let format = TextureFormat::Depth32Float;
    let depth_format = if tested { Some(format) } else { None };
    let setup = Setup {
        samples,
        geometry: Some((GeometryOutput::TriangleStrip, 4)),
        depth: depth_format.map(|format| depth(format, CompareFunction::Less)),
        ..Setup::topology(PrimitiveTopology::PointList)
    };
    let pipeline = harness.pipeline(&setup, POINTS);
    let layers = view.subresources().layers;
    let depths = depth_format.map(|format| layered(harness, format, layers, samples));
    let mut commands = harness.device.create_command_buffer(None);
    commands
        .begin_pass(&RenderPass {
            label: None,
            colors: &[Some(ColorAttachment {
                view,
                resolve: resolve.map(Resolve::from),
                load: LoadOp::Clear(Color {
                    r: 0.0,
                    g: 0.0,
                    b: 9.0 / 255.0,
                    a: 1.0,
                }),
                store: StoreOp::Store,
            })],
            depth_stencil: depths.as_ref().map(DepthStencilAttachment::from),
        })
        .unwrap();
    commands.bind_pipeline(&pipeline).unwrap();
    // Two draws, which wait for each other.
    commands.draw(0..3, 0..1).unwrap();
    commands.draw(3..7, 0..1).unwrap();
    commands.end_pass().unwrap();
    harness.queue.submit(&[&commands], &[]).unwrap();
}

#[test]
fn primitives_go_to_the_layers_that_they_choose() {
    for harness in with_geometry() {
        for tested in [false, true] {
            let view = layered(&harness, TextureFormat::Rgba8Unorm, LAYERS, 1);
            draw(&harness, &view, None, tested);
            for layer in 0..LAYERS {
                for (n, texel) in slice(&harness, view.image(), layer).iter().enumerate() {
                    let which = format!("{}, tested {tested}: {layer}, {n}", name(&harness));
                    assert_eq!(*texel, expected(layer, n, 7, tested), "{which}");
                }
            }
        }
    }
}

#[test]
fn views_begin_at_any_layer_and_end_before_the_last() {
    for harness in with_geometry() {
        let whole = layered(&harness, TextureFormat::Rgba8Unorm, LAYERS, 1);
        let part = ImageViewDescriptor {
            dimension: Some(TextureViewDimension::D2Array),
            base_array_layer: 1,
            array_layer_count: Some(3),
            ..ImageViewDescriptor::default()
        };
        let part = harness
            .device
            .create_image_view(whole.image(), &part)
            .unwrap();
        draw(&harness, &part, None, true);
        for layer in 0..LAYERS {
            for (n, texel) in slice(&harness, whole.image(), layer).iter().enumerate() {
                let expected = match layer {
                    1..=3 => expected(layer - 1, n, 7, true),
                    _ => [0; 4],
                };
                assert_eq!(*texel, expected, "{}: {layer}, {n}", name(&harness));
            }
        }
    }
}

#[test]
fn every_layer_is_resolved() {
    for harness in with_geometry() {
        let several = layered(&harness, TextureFormat::Rgba8Unorm, LAYERS, 4);
        let one = layered(&harness, TextureFormat::Rgba8Unorm, LAYERS, 1);
        draw(&harness, &several, Some(&one), true);
        // Away from edges a pixel is that of one sample.
        let single = layered(&harness, TextureFormat::Rgba8Unorm, LAYERS, 1);
        draw(&harness, &single, None, true);
        for layer in 0..LAYERS {
            let [found, wanted] = [&one, &single].map(|view| slice(&harness, view.image(), layer));
            let width = SIZE[0] as usize;
            let flat = (width + 1..found.len() - width - 1).filter(|at| {
                let around = [
                    0,
                    1,
                    2,
                    width,
                    width + 2,
                    2 * width,
                    2 * width + 1,
                    2 * width + 2,
                ];
                around
                    .iter()
                    .all(|step| wanted[at + step - width - 1] == wanted[*at])
            });
            let mut count = 0;
            for at in flat {
                assert_eq!(found[at], wanted[at], "{}: {layer}, {at}", name(&harness));
                count += 1;
            }
            assert!(count > 100, "{count}");
        }
    }
}

#[test]
fn slices_of_a_volume_are_layers() {
    for harness in with_geometry() {
        let image = harness.device.create_image(&ImageDescriptor {
            label: None,
            dimension: TextureDimension::D3,
            size: Extent3d {
                width: SIZE[0],
                height: SIZE[1],
                depth_or_array_layers: 6,
            },
            format: TextureFormat::Rgba8Unorm,
            usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
            ..ImageDescriptor::default()
        });
        let image = image.unwrap();
        harness
            .queue
            .transition(&image, ImageLayout::General)
            .unwrap();
        let view = |count| ImageViewDescriptor {
            dimension: Some(TextureViewDimension::D2Array),
            base_array_layer: 2,
            array_layer_count: Some(count),
            ..ImageViewDescriptor::default()
        };
        let error = harness
            .device
            .create_image_view(&image, &view(5))
            .unwrap_err();
        assert_eq!(error.rule(), "view-layers", "{error}");
        let view = harness.device.create_image_view(&image, &view(4)).unwrap();
        draw(&harness, &view, None, false);
        for layer in 0..6 {
            for (n, texel) in slice(&harness, &image, layer).iter().enumerate() {
                let expected = match layer {
                    2..=5 => expected(layer - 2, n, 7, false),
                    _ => [0; 4],
                };
                assert_eq!(*texel, expected, "{}: {layer}, {n}", name(&harness));
            }
        }
    }
}

/// Small levels have depths and stencil values with different pitches on some chips.
#[test]
fn layers_have_depth_and_stencil_of_their_own() {
    let text = "
        struct Vertex { @builtin(position) at: vec4f, @location(0) @interpolate(flat) number: u32 }
        struct Corner { @builtin(position) at: vec4f, layer: u32 }
        @vertex fn vertex(@builtin(vertex_index) i: u32) -> Vertex { return Vertex(vec4f(0.0), i); }
        @fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }
        fn emit_vertex(c: Corner) {}
        const gs_max_vertices = 3u;
        fn gs(points: array<Vertex, 1>) {
            for (var i = 0u; i < 3u; i++) {
                let at = vec2f(f32(i & 1u), f32(i >> 1u)) * 4.0 - 1.0;
                emit_vertex(Corner(vec4f(at, f32(points[0].number + 1u) / 8.0, 1.0), points[0].number));
            }
        }";
    const FORMAT: TextureFormat = TextureFormat::Depth32FloatStencil8;
    for harness in with_geometry() {
        for edge in [4, 12, 40] {
            let usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC;
            let depths = harness.view(&harness.image(FORMAT, [edge, edge, 4], 1, usage));
            harness
                .queue
                .transition(depths.image(), ImageLayout::General)
                .unwrap();
            let face = StencilFaceState {
                compare: CompareFunction::Always,
                pass_op: StencilOperation::IncrementWrap,
                ..StencilFaceState::IGNORE
            };
            let setup = Setup {
                targets: Vec::new(),
                geometry: Some((GeometryOutput::TriangleStrip, 1)),
                depth: Some(DepthStencilState {
                    stencil: StencilState {
                        front: face,
                        back: face,
                        read_mask: 255,
                        write_mask: 255,
                    },
                    ..depth(FORMAT, CompareFunction::Always)
                }),
                ..Setup::topology(PrimitiveTopology::PointList)
            };
            let pipeline = harness.pipeline(
                &setup,
                &text.replace("-> @location(0) vec4f { return vec4f(1.0); }", "{}"),
            );
            let mut commands = harness.device.create_command_buffer(None);
            commands
                .begin_pass(&RenderPass {
                    label: None,
                    colors: &[],
                    depth_stencil: Some((&depths).into()),
                })
                .unwrap();
            commands.bind_pipeline(&pipeline).unwrap();
            // Layer n gets n + 1 draws, but for the last one, which keeps what it was cleared to.
            for first in 0..3 {
                commands.draw(first..3, 0..1).unwrap();
            }
            commands.end_pass().unwrap();
            harness.queue.submit(&[&commands], &[]).unwrap();
            for layer in 0..4 {
                for aspect in [TextureAspect::DepthOnly, TextureAspect::StencilOnly] {
                    let copy = ImageCopy {
                        origin: Origin3d {
                            x: 0,
                            y: 0,
                            z: layer,
                        },
                        aspect,
                        ..ImageCopy::level(depths.image(), 0)
                    };
                    let size = Extent3d {
                        width: edge,
                        height: edge,
                        depth_or_array_layers: 1,
                    };
                    let bytes = harness.queue.read_image(&copy, size).unwrap();
                    let which = format!("{}: {edge}, layer {layer}, {aspect:?}", name(&harness));
                    match aspect {
                        TextureAspect::StencilOnly => {
                            let drawn = if layer < 3 { layer as u8 + 1 } else { 0 };
                            assert!(
                                bytes.iter().all(|byte| *byte == drawn),
                                "{which}: {bytes:?}"
                            );
                        }
                        _ => {
                            let drawn = if layer < 3 {
                                (layer + 1) as f32 / 8.0
                            } else {
                                1.0
                            };
                            assert!(
                                words(&bytes).iter().all(|word| *word == drawn.to_bits()),
                                "{which}"
                            );
                        }
                    }
                }
            }
        }
    }
}

/// A vertex shader chooses the layer, and a fragment shader sees it.
#[test]
fn vertex_shaders_choose_layers() {
    for harness in devices() {
        let view = layered(&harness, TextureFormat::Rgba8Uint, LAYERS, 1);
        let vertex = harness.words(include_bytes!("spirv/layer.vert.spv"));
        let bytes = include_bytes!("spirv/layer.frag.spv");
        let setup = Setup::format(TextureFormat::Rgba8Uint);
        let pipeline = harness.words_pipeline(&vertex, bytes, &setup);
        let pipeline = match (pipeline, name(&harness)) {
            (Ok(pipeline), _) => pipeline,
            (Err(error), "r600") => {
                let text = "the layer as an input of fragment shaders";
                assert!(error.to_string().contains(text), "{error}");
                continue;
            }
            (Err(error), _) => panic!("{error}"),
        };
        let mut commands = harness.device.create_command_buffer(None);
        let color = ColorAttachment {
            load: LoadOp::Clear(Color {
                r: 9.0,
                g: 9.0,
                b: 9.0,
                a: 9.0,
            }),
            ..(&view).into()
        };
        commands
            .begin_pass(&RenderPass {
                label: None,
                colors: &[Some(color)],
                depth_stencil: None,
            })
            .unwrap();
        commands.bind_pipeline(&pipeline).unwrap();
        // Instance n draws to layer 2 n.
        commands.draw(0..3, 0..4).unwrap();
        commands.end_pass().unwrap();
        harness.queue.submit(&[&commands], &[]).unwrap();
        for layer in 0..LAYERS {
            let texels = slice(&harness, view.image(), layer);
            let expected = match layer % 2 {
                0 => [layer as u8, layer as u8 / 2 + 1, 0, 1],
                _ => [9; 4],
            };
            assert!(
                texels.iter().all(|texel| *texel == expected),
                "{}: {layer}",
                name(&harness)
            );
        }
    }
}
