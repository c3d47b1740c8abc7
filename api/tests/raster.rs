//! Points, lines, outlines, culling, bias, clipping, restarts, provoking vertices and the views that can be drawn to.

#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::*;

const WHITE: &str = "@fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";

/// A vertex shader that takes window positions, in pixels of an eight by eight target, from a list.
fn at(places: &[[f32; 2]]) -> String {
    let list: Vec<String> = places
        .iter()
        .map(|[x, y]| format!("vec2f({x}, {y})"))
        .collect();
    format!(
        "const PLACES = array({});
         @vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
             let p = PLACES[i];
             return vec4f(p.x / 4.0 - 1.0, 1.0 - p.y / 4.0, 0.5, 1.0);
         }}
         ",
        list.join(", ")
    )
}

/// What is drawn from vertices at these places, as text.
fn drawn(harness: &Harness, setup: &Setup<'_>, places: &[[f32; 2]]) -> String {
    let bytes = harness.draw(setup, &(at(places) + WHITE), places.len() as u32);
    shape(&bytes[0], 8)
}

fn picture(lines: [&str; 8]) -> String {
    lines.map(|line| format!("{line}\n")).concat()
}

fn with_raster(topology: PrimitiveTopology, raster: RasterState) -> Setup<'static> {
    Setup {
        raster,
        ..Setup::topology(topology)
    }
}

#[test]
fn points_are_squares_of_their_size() {
    for harness in Harness::each() {
        let points = |point_size, places: &[[f32; 2]]| {
            let raster = RasterState {
                point_size,
                ..RasterState::default()
            };
            drawn(
                &harness,
                &with_raster(PrimitiveTopology::PointList, raster),
                places,
            )
        };
        // Of one pixel: the pixel that holds the point.
        let expected = picture([
            "........", ".#......", "........", "........", "......#.", "........", "........",
            "........",
        ]);
        assert_eq!(points(1.0, &[[1.25, 1.75], [6.5, 4.5]]), expected);
        let expected = picture([
            "........", ".###....", ".###....", ".###....", "........", "........", "......##",
            "......##",
        ]);
        assert_eq!(points(3.0, &[[2.5, 2.5], [7.5, 7.5]]), expected);
        // Pixels whose centres are within 1.25 of the point.
        let expected = picture([
            "........", "........", "........", "...##...", "...##...", "........", "........",
            "........",
        ]);
        assert_eq!(points(2.5, &[[4.0, 4.0]]), expected);
        // What reaches in of points beside the picture.
        let expected = picture([
            "........", "........", "........", "#.......", "#.......", "#.......", "........",
            "........",
        ]);
        assert_eq!(points(3.0, &[[-0.5, 4.5], [-2.0, 1.0]]), expected);
    }
}

const POINT_GLSL: &str = "#version 450
void main() {
    gl_Position = vec4(0.0, 0.0, 0.5, 1.0);
    gl_PointSize = 4.0;
}";

/// GLSL has the words for what WGSL lacks: the size of a point and the place in it.
#[test]
fn vertices_give_sizes_and_points_have_places() {
    for harness in Harness::each() {
        let glsl = |text: &'static str, stage| {
            harness
                .device
                .create_shader_module(&ShaderModuleDescriptor {
                    label: Some("glsl"),
                    source: ShaderSource::Glsl {
                        text: text.into(),
                        stage,
                    },
                })
                .unwrap()
        };
        let vertex = glsl(POINT_GLSL, Stage::Vertex);
        let fragment = glsl(
            "#version 450
         layout(location = 0) out vec4 color;
         void main() { color = vec4(gl_PointCoord, 0.0, 1.0); }",
            Stage::Fragment,
        );
        let setup = Setup {
            samples: 1,
            ..Setup::format(TextureFormat::Rgba32Float)
        };
        let stage = |module| ShaderStage {
            module,
            entry: None,
            constants: &[],
        };
        let layout = PipelineLayoutDescriptor::default();
        let pipeline = harness
            .device
            .create_graphics_pipeline(&GraphicsPipelineDescriptor {
                label: None,
                layout: Some(&harness.device.create_pipeline_layout(&layout).unwrap()),
                vertex: stage(&vertex),
                buffers: &[],
                geometry: None,
                stream: None,
                fragment: Some(stage(&fragment)),
                targets: &[Some(TextureFormat::Rgba32Float.into())],
                primitive: PrimitiveState {
                    topology: PrimitiveTopology::PointList,
                    ..PrimitiveState::default()
                },
                depth_stencil: None,
                multisample: MultisampleState::default(),
                raster: RasterState::default(),
            })
            .unwrap();
        let bytes = harness.record(&setup, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.draw(0..1, 0..1).unwrap();
        });
        let texels: Vec<f32> = words(&bytes[0])
            .iter()
            .map(|w| f32::from_bits(*w))
            .collect();
        for (n, texel) in texels.chunks(4).enumerate() {
            let (x, y) = (n % 8, n / 8);
            let inside = (2..6).contains(&x) && (2..6).contains(&y);
            let place = |v: usize| (v as f32 - 2.0 + 0.5) / 4.0;
            let expected = if inside {
                [place(x), place(y), 0.0, 1.0]
            } else {
                [0.0; 4]
            };
            assert_eq!(texel, expected, "{x}, {y}");
        }
    }
}

#[test]
fn lines_are_diamonds_or_rectangles() {
    for harness in Harness::each() {
        let line = |line_mode, line_width, ends: [[f32; 2]; 2]| {
            let raster = RasterState {
                line_mode,
                line_width,
                ..RasterState::default()
            };
            drawn(
                &harness,
                &with_raster(PrimitiveTopology::LineList, raster),
                &ends,
            )
        };
        // The last pixel is not left, so it is not drawn.
        let flat = [[1.5, 2.5], [6.5, 4.5]];
        let expected = picture([
            "........", "........", ".##.....", "...##...", ".....#..", "........", "........",
            "........",
        ]);
        assert_eq!(line(LineMode::Bresenham, 1.0, flat), expected);
        // Pixel centres at most 1.5 above and below, and between the ends.
        let wide = [[1.0, 4.0], [7.0, 4.0]];
        let expected = picture([
            "........", "........", "........", ".######.", ".######.", "........", "........",
            "........",
        ]);
        assert_eq!(line(LineMode::Bresenham, 2.0, wide), expected);
        assert_eq!(line(LineMode::Rectangular, 2.0, wide), expected);
        // A rectangle of width 1 on a diagonal misses no centre on it.
        let diagonal = [[1.0, 1.0], [6.0, 6.0]];
        let expected = picture([
            "........", ".#......", "..#.....", "...#....", "....#...", ".....#..", "........",
            "........",
        ]);
        assert_eq!(line(LineMode::Rectangular, 1.0, diagonal), expected);
        // A line that does not leave the diamond of its pixel is none; as a rectangle it holds the centre.
        let short = [[3.25, 3.5], [3.75, 3.5]];
        assert!(!line(LineMode::Bresenham, 1.0, short).contains('#'));
        let expected = picture([
            "........", "........", "........", "...#....", "........", "........", "........",
            "........",
        ]);
        assert_eq!(line(LineMode::Rectangular, 1.0, short), expected);
    }
}

#[test]
fn outlines_and_corners_of_triangles() {
    for harness in Harness::each() {
        let places = [[0.5, 0.5], [6.5, 0.5], [0.5, 6.5]];
        let mode = |polygon_mode| {
            let mut setup = Setup::default();
            setup.primitive.polygon_mode = polygon_mode;
            drawn(&harness, &setup, &places)
        };
        let expected = picture([
            "#######.", "#....#..", "#...#...", "#..#....", "#.#.....", "##......", "#.......",
            "........",
        ]);
        assert_eq!(mode(PolygonMode::Line), expected);
        let expected = picture([
            "#.....#.", "........", "........", "........", "........", "........", "#.......",
            "........",
        ]);
        assert_eq!(mode(PolygonMode::Point), expected);
    }
}

/// Where a triangle leaves the volume its edges end; the border of the volume is no edge.
#[test]
fn outlines_are_clipped() {
    for harness in Harness::each() {
        let shaders = "enable clip_distances;
         struct Out { @builtin(position) position: vec4f, @builtin(clip_distances) distances: array<f32, 1> }
         const PLACES = array(vec2f(0.5, 0.5), vec2f(6.5, 0.5), vec2f(0.5, 6.5));
         @vertex fn vertex(@builtin(vertex_index) i: u32) -> Out {
             let p = PLACES[i];
             return Out(vec4f(p.x / 4.0 - 1.0, 1.0 - p.y / 4.0, 0.5, 1.0), array(4.0 - p.x));
         }
         @fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";
        let draw = |polygon_mode| {
            let mut setup = Setup::default();
            setup.primitive.polygon_mode = polygon_mode;
            shape(&harness.draw(&setup, shaders, 3)[0], 8)
        };
        let expected = picture([
            "####....", "####....", "####....", "###.....", "##......", "#.......", "........",
            "........",
        ]);
        assert_eq!(draw(PolygonMode::Fill), expected);
        // The upper edge ends at the right corner of a diamond, which belongs to it: that pixel is not left.
        let expected = picture([
            "###.....", "#.......", "#.......", "#..#....", "#.#.....", "##......", "#.......",
            "........",
        ]);
        assert_eq!(draw(PolygonMode::Line), expected);
        let expected = picture([
            "#.......", "........", "........", "........", "........", "........", "#.......",
            "........",
        ]);
        assert_eq!(draw(PolygonMode::Point), expected);
    }
}

/// Edges and corners are biased as their triangle is, whether it is clipped or not.
#[test]
fn outlines_are_biased() {
    for harness in Harness::each() {
        let draw = |polygon_mode, near: f32, cull| {
            // Behind `near` the triangle is cut away; its depth rises by a sixteenth a pixel to the right.
            let shaders = format!(
            "enable clip_distances;
             struct Out {{ @builtin(position) position: vec4f, @builtin(clip_distances) distances: array<f32, 1> }}
             const PLACES = array(vec2f(0.5, 0.5), vec2f(6.5, 0.5), vec2f(0.5, 6.5));
             @vertex fn vertex(@builtin(vertex_index) i: u32) -> Out {{
                 let p = PLACES[i];
                 return Out(vec4f(p.x / 4.0 - 1.0, 1.0 - p.y / 4.0, p.x / 16.0, 1.0), array({near} - p.x));
             }}
             @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) vec4f {{
                 return vec4f(1.0, p.z - (p.x + 0.0) / 16.0, 0.0, 1.0);
             }}"
        );
            let mut setup = Setup::format(TextureFormat::Rgba32Float);
            setup.primitive.polygon_mode = polygon_mode;
            setup.primitive.cull_mode = cull;
            let mut state = depth(TextureFormat::Depth32Float, CompareFunction::Always);
            // Twice the step of the depth.
            state.bias.slope_scale = 2.0;
            setup.depth = Some(state);
            let values = words(&harness.draw(&setup, &shaders, 3)[0]);
            let pixels: Vec<[f32; 2]> = values
                .chunks(4)
                .map(|texel| [texel[0], texel[1]].map(f32::from_bits))
                .filter(|[drawn, _]| *drawn == 1.0)
                .collect();
            pixels
                .into_iter()
                .map(|[_, bias]| bias)
                .collect::<Vec<f32>>()
        };
        for mode in [PolygonMode::Fill, PolygonMode::Line, PolygonMode::Point] {
            for near in [4.0, 9.0] {
                let biases = draw(mode, near, None);
                assert!(!biases.is_empty());
                for bias in biases {
                    assert!((bias - 0.125).abs() < 1e-6, "{mode:?} {near} {bias}");
                }
                // The triangle is one of those sides; its outline goes with it.
                let sides =
                    [Face::Front, Face::Back].map(|cull| draw(mode, near, Some(cull)).len());
                assert!(
                    sides[0].min(sides[1]) == 0 && sides[0] != sides[1],
                    "{mode:?} {near}"
                );
            }
        }
    }
}

#[test]
fn faces_are_culled_and_told_apart() {
    for harness in Harness::each() {
        // Red where front facing, green where not. As seen, counter-clockwise, then clockwise.
        let shaders = at(&[
            [0.0, 0.0],
            [0.0, 8.0],
            [4.0, 0.0],
            [8.0, 0.0],
            [8.0, 8.0],
            [4.0, 0.0],
        ])
            + "@fragment fn fragment(@builtin(front_facing) front: bool) -> @location(0) vec4f {
              return select(vec4f(0.0, 1.0, 0.0, 1.0), vec4f(1.0, 0.0, 0.0, 1.0), front);
          }";
        let corners = |front_face, cull_mode| {
            let mut setup = Setup::default();
            setup.primitive.front_face = front_face;
            setup.primitive.cull_mode = cull_mode;
            let bytes = &harness.draw(&setup, &shaders, 6)[0];
            [0, 7].map(|x: usize| [bytes[4 * x], bytes[4 * x + 1]])
        };
        let (red, green, none) = ([255, 0], [0, 255], [0, 0]);
        assert_eq!(corners(FrontFace::Ccw, None), [red, green]);
        assert_eq!(corners(FrontFace::Cw, None), [green, red]);
        assert_eq!(corners(FrontFace::Ccw, Some(Face::Back)), [red, none]);
        assert_eq!(corners(FrontFace::Ccw, Some(Face::Front)), [none, green]);
        assert_eq!(corners(FrontFace::Cw, Some(Face::Back)), [none, red]);
        assert_eq!(corners(FrontFace::Cw, Some(Face::Front)), [green, none]);
    }
}

/// The depths that a draw leaves, as the format has them.
fn depths(
    harness: &Harness,
    format: TextureFormat,
    bias: DepthBiasState,
    unclipped: bool,
    vertex: &str,
) -> Vec<u8> {
    let mut setup = Setup {
        targets: Vec::new(),
        depth: Some(DepthStencilState {
            bias,
            ..depth(format, CompareFunction::Always)
        }),
        ..Setup::default()
    };
    setup.primitive.unclipped_depth = unclipped;
    let pipeline = harness.pipeline(&setup, vertex);
    let target = harness.attachment(format, [8, 8], 1);
    let mut commands = harness.device.create_command_buffer(None);
    let (old, new) = (ImageLayout::Undefined, ImageLayout::DepthStencilAttachment);
    commands.transition(target.image(), old, new).unwrap();
    commands
        .begin_pass(&RenderPass {
            label: None,
            colors: &[],
            depth_stencil: Some(DepthStencilAttachment {
                view: &target,
                depth: AspectAccess::Write {
                    load: LoadOp::Clear(0.25),
                    store: StoreOp::Store,
                },
                stencil: AspectAccess::ReadOnly,
                resolve: None,
            }),
        })
        .unwrap();
    commands.bind_pipeline(&pipeline).unwrap();
    commands.draw(0..3, 0..1).unwrap();
    commands.end_pass().unwrap();
    harness.queue.submit(&[&commands], &[]).unwrap();
    harness.read(&target)
}

/// A triangle over everything whose depth is `z` at the left edge and rises by `step` a pixel.
fn sloped(z: f32, step: f32) -> String {
    format!(
        "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
             let x = f32(i & 1u) * 2.0;
             return vec4f(x * 2.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, {z:?} + x * {:?}, 1.0);
         }}",
        step * 8.0
    )
}

#[test]
fn depths_are_biased_by_units_and_slopes() {
    for harness in Harness::each() {
        let bias = |constant, slope_scale, clamp| DepthBiasState {
            constant,
            slope_scale,
            clamp,
        };
        let first = |format, bias, vertex: &str| {
            let bytes = depths(&harness, format, bias, false, vertex);
            match format {
                TextureFormat::Depth16Unorm => u16::from_le_bytes([bytes[0], bytes[1]]).into(),
                _ => words(&bytes)[0],
            }
        };
        use TextureFormat as F;
        let flat = sloped(0.5, 0.0);
        // 0.5 + n / 2^16, as a fraction of 65535.
        let unorm16 = |n: i32| ((0.5 + f64::from(n) / 65536.0) * 65535.0).round_ties_even() as u32;
        for n in [0, 3, -4, 1000] {
            assert_eq!(
                first(F::Depth16Unorm, bias(n, 0.0, 0.0), &flat),
                unorm16(n),
                "{n}"
            );
        }
        let unorm24 = |n: i32| {
            let max = f64::from((1 << 24) - 1);
            ((0.5 + f64::from(n) / f64::from(1 << 24)) * max).round_ties_even() as u32
        };
        for n in [0, 3, -4, 1000] {
            let found = first(F::Depth24Plus, bias(n, 0.0, 0.0), &flat) & 0xff_ffff;
            assert_eq!(found, unorm24(n), "{n}");
        }
        // For floats the unit is that of the largest depth: 0.5 has the exponent -1.
        let float = |bias, vertex: &str| f32::from_bits(first(F::Depth32Float, bias, vertex));
        assert_eq!(float(bias(3, 0.0, 0.0), &flat), 0.5 + 3.0 / 16_777_216.0);
        // A slope of 1/64 a pixel, at the centre of the first pixel.
        let slope = sloped(0.25, 1.0 / 64.0);
        let plain = 0.25 + 0.5 / 64.0;
        assert_eq!(float(bias(0, 0.0, 0.0), &slope), plain);
        assert_eq!(float(bias(0, 2.0, 0.0), &slope), plain + 2.0 / 64.0);
        assert_eq!(float(bias(0, -1.0, 0.0), &slope), plain - 1.0 / 64.0);
        assert_eq!(
            float(bias(0, 2.0, 1.0 / 128.0), &slope),
            plain + 1.0 / 128.0
        );
        assert_eq!(
            float(bias(0, -2.0, -1.0 / 128.0), &slope),
            plain - 1.0 / 128.0
        );
    }
}

#[test]
fn depth_is_clipped_or_clamped() {
    for harness in Harness::each() {
        // From -0.5 to 1.5 over eight pixels.
        let vertex = sloped(-0.5, 0.25);
        let row = |unclipped| -> Vec<f32> {
            let bias = DepthBiasState::default();
            let bytes = depths(
                &harness,
                TextureFormat::Depth32Float,
                bias,
                unclipped,
                &vertex,
            );
            words(&bytes)[..8]
                .iter()
                .map(|w| f32::from_bits(*w))
                .collect()
        };
        // Where nothing is drawn the clear value stays.
        assert_eq!(
            row(false),
            [0.25, 0.25, 0.125, 0.375, 0.625, 0.875, 0.25, 0.25]
        );
        assert_eq!(row(true), [0.0, 0.0, 0.125, 0.375, 0.625, 0.875, 1.0, 1.0]);
    }
}

#[test]
fn stored_depths_outside_the_bounds_stop_pixels() {
    for harness in Harness::each().filter(|harness| harness.device.features().depth_bounds) {
        let writes = Setup {
            depth: Some(depth(TextureFormat::Depth32Float, CompareFunction::Always)),
            ..Setup::default()
        };
        let mut bounded = writes.clone();
        bounded.raster.depth_bounds = Some([0.25, 0.625]);
        if let Some(depth) = &mut bounded.depth {
            depth.depth_write_enabled = Some(false);
        }
        let black = "@fragment fn fragment() -> @location(0) vec4f { return vec4f(0.0); }";
        let first = harness.pipeline(&writes, &(sloped(0.0, 0.125) + black));
        let second = harness.pipeline(&bounded, &(EVERYWHERE.to_owned() + WHITE));
        let bytes = harness.record(&writes, |commands| {
            for pipeline in [&first, &second] {
                commands.bind_pipeline(pipeline).unwrap();
                commands.draw(0..3, 0..1).unwrap();
            }
        });
        // Depths of the pixels are odd sixteenths.
        assert_eq!(&shape(&bytes[0], 8)[..9], "..###...\n");
    }
}

/// Where the stored depth is out of bounds, stencil is not tested either, and no operation changes it.
#[test]
fn depth_bounds_come_before_stencil() {
    for harness in Harness::each().filter(|harness| harness.device.features().depth_bounds) {
        let format = TextureFormat::Depth32FloatStencil8;
        let mut marks = Setup {
            depth: Some(depth(format, CompareFunction::Always)),
            ..Setup::default()
        };
        let slope = harness.pipeline(&marks, &(sloped(0.0, 0.125) + WHITE));
        // Whatever fails or passes counts.
        let count = StencilFaceState {
            compare: CompareFunction::NotEqual,
            fail_op: StencilOperation::IncrementClamp,
            depth_fail_op: StencilOperation::IncrementClamp,
            pass_op: StencilOperation::IncrementClamp,
        };
        let mut state = depth(format, CompareFunction::Less);
        state.depth_write_enabled = Some(false);
        (state.stencil.front, state.stencil.back) = (count, count);
        (state.stencil.read_mask, state.stencil.write_mask) = (0xff, 0xff);
        let mut counts = marks.clone();
        counts.depth = Some(state.clone());
        counts.raster.depth_bounds = Some([0.25, 0.625]);
        let bounded = harness.pipeline(&counts, &(EVERYWHERE.to_owned() + WHITE));
        // Shows what was counted once.
        let shown = StencilFaceState {
            compare: CompareFunction::Equal,
            ..StencilFaceState::default()
        };
        (state.stencil.front, state.stencil.back) = (shown, shown);
        state.depth_compare = Some(CompareFunction::Always);
        marks.depth = Some(state);
        let black = "@fragment fn fragment() -> @location(0) vec4f { return vec4f(0.0); }";
        let show = harness.pipeline(&marks, &(EVERYWHERE.to_owned() + black));
        for reference in [0, 1] {
            let bytes = harness.record(&marks, |commands| {
                for (pipeline, reference) in [(&slope, 0), (&bounded, reference), (&show, 0)] {
                    commands.bind_pipeline(pipeline).unwrap();
                    commands.set_stencil_reference(reference).unwrap();
                    commands.draw(0..3, 0..1).unwrap();
                }
            });
            // Depths of the pixels are odd sixteenths.
            assert_eq!(&shape(&bytes[0], 8)[..9], "..###...\n", "{reference}");
        }
    }
}

/// Flat colours tell which vertex gave them: its number, one more than that.
fn provoked(
    harness: &Harness,
    topology: PrimitiveTopology,
    vertex: ProvokingVertex,
    places: &[[f32; 2]],
) -> Vec<u32> {
    let raster = RasterState {
        provoking_vertex: vertex,
        ..RasterState::default()
    };
    let mut setup = with_raster(topology, raster);
    setup.targets = vec![TextureFormat::R32Uint.into()];
    let shaders = at(places)
        .replace("@builtin(position) vec4f {", "Out {")
        .replace("return vec4f(", "return Out(vec4f(")
        .replace("0.5, 1.0);", "0.5, 1.0), i + 1u);")
        + "struct Out { @builtin(position) position: vec4f, @location(0) @interpolate(flat) n: u32 }
           @fragment fn fragment(in: Out) -> @location(0) u32 { return in.n; }";
    words(&harness.draw(&setup, &shaders, places.len() as u32)[0])
}

#[test]
fn the_provoking_vertex_is_the_first_or_the_last() {
    for harness in Harness::each() {
        use PrimitiveTopology::*;
        let strip = [
            [0.0, 0.0],
            [0.0, 8.0],
            [4.0, 0.0],
            [4.0, 8.0],
            [8.0, 0.0],
            [8.0, 8.0],
        ];
        // The lower left and upper right of each half belong to the four triangles.
        let corners = |found: &[u32]| [0, 7 * 8 + 3, 4, 7 * 8 + 7].map(|n| found[n]);
        let first = provoked(&harness, TriangleStrip, ProvokingVertex::First, &strip);
        assert_eq!(corners(&first), [1, 2, 3, 4]);
        let last = provoked(&harness, TriangleStrip, ProvokingVertex::Last, &strip);
        assert_eq!(corners(&last), [3, 4, 5, 6]);
        let list = [[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]];
        assert_eq!(
            provoked(&harness, TriangleList, ProvokingVertex::First, &list)[0],
            1
        );
        assert_eq!(
            provoked(&harness, TriangleList, ProvokingVertex::Last, &list)[0],
            3
        );
        let lines = [[0.5, 0.5], [4.5, 0.5], [7.9, 0.5]];
        let row = |vertex| {
            let found = provoked(&harness, LineStrip, vertex, &lines);
            [found[1], found[6]]
        };
        assert_eq!(row(ProvokingVertex::First), [1, 2]);
        assert_eq!(row(ProvokingVertex::Last), [2, 3]);
    }
}

#[test]
fn strips_start_again() {
    for harness in Harness::each() {
        let mut setup = Setup::topology(PrimitiveTopology::TriangleStrip);
        let places = [
            [0.0, 0.0],
            [0.0, 2.0],
            [2.0, 0.0],
            [2.0, 2.0],
            [4.0, 4.0],
            [4.0, 6.0],
            [6.0, 4.0],
            [6.0, 6.0],
        ];
        for (format, restart) in [
            (IndexFormat::Uint16, 0xffff_u32),
            (IndexFormat::Uint32, u32::MAX),
        ] {
            setup.primitive.strip_index_format = Some(format);
            let pipeline = harness.pipeline(&setup, &(at(&places) + WHITE));
            let indices = [0, 1, 2, 3, restart, 4, 5, 6, 7];
            let bytes: Vec<u8> = indices
                .iter()
                .flat_map(|index| index.to_le_bytes()[..format.byte_size() as usize].to_vec())
                .collect();
            let buffer = harness
                .device
                .create_buffer(&BufferDescriptor {
                    label: None,
                    size: 64,
                    usage: BufferUsages::INDEX,
                    placement: None,
                })
                .unwrap();
            buffer.write(0, &bytes).unwrap();
            let drawn = harness.record(&setup, |commands| {
                commands.bind_pipeline(&pipeline).unwrap();
                commands.bind_index_buffer(&buffer, 0, format).unwrap();
                commands.draw_indexed(0..9, 0, 0..1).unwrap();
            });
            let expected = picture([
                "##......", "##......", "........", "........", "....##..", "....##..", "........",
                "........",
            ]);
            assert_eq!(shape(&drawn[0], 8), expected, "{format:?}");
        }
    }
}

/// Eight distances cut an octagon; without a point size they are exported as the second and third position.
#[test]
fn clip_distances_cut() {
    for harness in Harness::each() {
        let shaders = "enable clip_distances;
        struct Out { @builtin(position) position: vec4f, @builtin(clip_distances) distances: array<f32, 8> }
        @vertex fn vertex(@builtin(vertex_index) i: u32) -> Out {
            let p = vec2f(f32(i & 1u), f32(i >> 1u)) * 16.0;
            let q = p - 4.0;
            var out: Out;
            out.position = vec4f(p.x / 4.0 - 1.0, 1.0 - p.y / 4.0, 0.5, 1.0);
            out.distances = array(3.0 + q.x, 3.0 - q.x, 3.0 + q.y, 3.0 - q.y,
                4.25 + q.x + q.y, 4.25 - q.x + q.y, 4.25 + q.x - q.y, 4.25 - q.x - q.y);
            return out;
        }
        @fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";
        let expected = picture([
            "........", "..####..", ".######.", ".######.", ".######.", ".######.", "..####..",
            "........",
        ]);
        assert_eq!(
            shape(&harness.draw(&Setup::default(), shaders, 3)[0], 8),
            expected
        );
    }
}

#[test]
fn viewports_place_turn_over_and_scale_depth() {
    for harness in Harness::each() {
        let setup = Setup::format(TextureFormat::R32Float);
        let lower_left = at(&[[0.0, 0.0], [0.0, 8.0], [8.0, 8.0]])
            + "@fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) f32 { return p.z; }";
        let pipeline = harness.pipeline(&setup, &lower_left);
        let draw = |viewport| {
            let bytes = harness.record(&setup, |commands| {
                commands.bind_pipeline(&pipeline).unwrap();
                commands.set_viewport(viewport).unwrap();
                commands.draw(0..3, 0..1).unwrap();
            });
            let values = words(&bytes[0]);
            let cell = |value: &u32| if *value == 0 { '.' } else { '#' };
            let text: String = values
                .chunks(8)
                .flat_map(|line| line.iter().map(cell).chain(['\n']).collect::<Vec<_>>())
                .collect();
            let depth = values
                .iter()
                .map(|w| f32::from_bits(*w))
                .fold(0.0, f32::max);
            (text, depth)
        };
        let viewport = Viewport {
            x: 2.0,
            y: 1.0,
            width: 4.0,
            height: 4.0,
            min_depth: 0.25,
            max_depth: 0.75,
        };
        // Centres on the diagonal belong to the other side of it.
        let upright = picture([
            "........", "........", "..#.....", "..##....", "..###...", "........", "........",
            "........",
        ]);
        assert_eq!(draw(viewport), (upright, 0.5));
        let turned = picture([
            "........", "..###...", "..##....", "..#.....", "........", "........", "........",
            "........",
        ]);
        let viewport = Viewport {
            y: 5.0,
            height: -4.0,
            min_depth: 1.0,
            max_depth: 0.0,
            ..viewport
        };
        assert_eq!(draw(viewport), (turned, 0.5));
    }
}

/// `position.w` is 1 / w, linear on the screen.
#[test]
fn fragments_get_the_reciprocal_of_w() {
    for harness in Harness::each() {
        let setup = Setup::format(TextureFormat::R32Float);
        let shaders =
            "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
            let p = vec2f(f32(i & 1u), f32(i >> 1u)) * 2.0;
            // 1 / w from 1 at the left to 0.5 after eight pixels.
            let w = 1.0 / (1.0 - 0.5 * p.x / 2.0 * 1.0);
            return vec4f(p.x * 2.0 - 1.0, p.y * 2.0 - 1.0, 0.5, 1.0) * w;
        }
        @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) f32 { return p.w; }";
        let values = words(&harness.draw(&setup, shaders, 3)[0]);
        for (x, value) in values[..8].iter().enumerate() {
            let expected = 1.0 - (x as f32 + 0.5) / 32.0;
            let value = f32::from_bits(*value);
            assert!(
                (value - expected).abs() <= expected * 2.0 * f32::EPSILON,
                "{x}: {value} {expected}"
            );
        }
        let flat = EVERYWHERE.replace("0.5, 1.0)", "2.0, 4.0)")
            + "@fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) f32 { return p.w; }";
        let flat = flat.replace("* 4.0 - 1.0", "* 16.0 - 4.0");
        assert!(
            words(&harness.draw(&setup, &flat, 3)[0])
                .iter()
                .all(|w| f32::from_bits(*w) == 0.25)
        );
    }
}
