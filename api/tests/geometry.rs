//! Geometry shaders: what they take in which order, what becomes of what they emit, and what is counted.

#![allow(clippy::unwrap_used)]

mod harness;
mod scattered;

use girih::*;
use harness::*;
use scattered::*;

/// A device of every chip with the stage.
fn all_devices() -> impl Iterator<Item = Harness> {
    Harness::all().filter(|harness| harness.device.features().geometry)
}

/// Those with integers, which most shaders here compute with.
fn devices() -> impl Iterator<Item = Harness> {
    all_devices().filter(|harness| harness.device.features().integers)
}

/// A shader that emits its primitive.
fn copies(vertices: u32) -> String {
    format!(
        "{SCATTERED}
        const gs_max_vertices = {vertices}u;
        fn gs(corners: array<Vertex, {vertices}>) {{
            for (var i = 0u; i < {vertices}u; i++) {{ emit_vertex(corners[i]); }}
        }}"
    )
}

#[test]
fn copies_of_primitives_draw_what_they_do() {
    for harness in devices() {
        copies_draw_the_same(|setup, copies_of| {
            let text = copies_of.map_or(SCATTERED.to_owned(), |(vertices, _)| copies(vertices));
            let setup = Setup {
                geometry: copies_of.map(|(_, output)| (output, 1)),
                ..setup.clone()
            };
            harness.draw(&setup, &text, 200)[0].clone()
        });
    }
}

/// Draws `count` points of a shader with a geometry shader that emits points: each a pixel of the target.
fn points(harness: &Harness, text: &str, count: u32, invocations: u32) -> Vec<u8> {
    let setup = Setup {
        size: [64, 64],
        geometry: Some((GeometryOutput::Points, invocations)),
        ..Setup::topology(PrimitiveTopology::PointList)
    };
    harness.draw(&setup, text, count)[0].clone()
}

/// Emitted words land on the pixel that the second number says, the later ones over the earlier.
const PIXELS: &str = "
    enable primitive_index;
    struct Vertex { @builtin(position) at: vec4f, @location(0) @interpolate(flat) number: u32 }
    struct Pixel { @builtin(position) at: vec4f, @location(0) @interpolate(flat) value: u32 }
    struct System { @builtin(primitive_index) primitive: u32, invocation: u32 }
    @vertex fn vertex(@builtin(vertex_index) i: u32, @builtin(instance_index) n: u32) -> Vertex {
        return Vertex(vec4f(0.0, 0.0, 0.5, 1.0), i + 100u * n);
    }
    @fragment fn fragment(p: Pixel) -> @location(0) vec4f { return unpack4x8unorm(p.value); }
    fn emit_vertex(p: Pixel) {}
    fn end_primitive() {}
    fn pixel(value: u32, place: u32) {
        let at = (vec2f(f32(place & 63u), f32(place >> 6u)) + 0.5) / 32.0 - 1.0;
        emit_vertex(Pixel(vec4f(at.x, -at.y, 0.5, 1.0), value));
    }
    fn spot(value: u32, x: u32, y: u32) {
        let at = (vec2f(f32(x), f32(y)) + 0.5) / 32.0 - 1.0;
        emit_vertex(Pixel(vec4f(at.x, -at.y, 0.5, 1.0), value));
    }
";

#[test]
fn the_last_of_primitives_invocations_and_vertices_is_seen() {
    let text = format!(
        "{PIXELS}
        const gs_max_vertices = 5u;
        fn gs(points: array<Vertex, 1>, system: System) {{
            for (var n = 0u; n < points[0].number % 7u; n++) {{
                pixel(system.primitive << 16u | system.invocation << 8u | n, system.primitive % 50u);
                pixel(n, 100u + n);
            }}
        }}"
    );
    for harness in devices() {
        let bytes = points(&harness, &text, 1000, 3);
        let words = bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|word| u32::from_le_bytes(*word));
        let words: Vec<u32> = words.collect();
        let mut expected = vec![0; 64 * 64];
        for primitive in 0..1000 {
            for invocation in 0..3 {
                let mut left = 5;
                for n in 0..primitive % 7 {
                    let both = [
                        (primitive << 16 | invocation << 8 | n, primitive % 50),
                        (n, 100 + n),
                    ];
                    for (value, place) in both {
                        if left > 0 {
                            expected[place as usize] = value;
                            left -= 1;
                        }
                    }
                }
            }
        }
        assert!(words == expected);
    }
}

#[test]
fn draws_that_rings_do_not_hold_are_drawn_in_parts() {
    // 64 vertices of 29 words: a wave of them has 475,136 bytes, and there are 63 waves.
    let text = format!(
        "{}
        const gs_max_vertices = 34u;
        fn gs(points: array<Vertex, 1>, system: System) {{
            for (var n = 0u; n < 34u; n++) {{
                let at = (vec2f(f32(n), f32(system.primitive % 64u)) + 0.5) / 32.0 - 1.0;
                let value = system.primitive * 64u + n;
                let v = vec4f(f32(value));
                emit_vertex(Pixel(vec4f(at.x, -at.y, 0.5, 1.0), value, v, v, v, v, v, v));
            }}
        }}",
        PIXELS
            .replace(
                "value: u32 }",
                "value: u32, @location(1) a: vec4f, @location(2) b: vec4f, @location(3) c: vec4f,
                 @location(4) d: vec4f, @location(5) e: vec4f, @location(6) f: vec4f }"
            )
            .replace("fn pixel", "fn none() {} /*")
            .trim_end()
            .to_owned()
            + "*/"
    );
    for harness in devices() {
        let bytes = points(&harness, &text, 4000, 1);
        for (at, word) in bytes.as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = (at as u32 % 64, at as u32 / 64);
            // The last primitive of the line, of those below 4000.
            let last = (0..4000)
                .rev()
                .find(|primitive| primitive % 64 == y)
                .unwrap();
            let expected = if x < 34 { last * 64 + x } else { 0 };
            assert_eq!(u32::from_le_bytes(*word), expected, "{x}, {y}");
        }
    }
}

/// The numbers of the vertices of each primitive of a draw, a line of pixels for each.
fn vertices(
    harness: &Harness,
    topology: PrimitiveTopology,
    corners: u32,
    count: u32,
) -> Vec<Vec<u8>> {
    // Small numbers, which floats hold, too.
    let text = format!(
        "{}
        const gs_max_vertices = {corners}u;
        fn gs(corners: array<Vertex, {corners}>, system: System) {{
            for (var n = 0u; n < {corners}u; n++) {{
                spot(corners[n].number + 1u, n, system.primitive);
            }}
        }}",
        PIXELS
            .replace("i + 100u * n", "i")
            .replace("unpack4x8unorm(p.value)", "vec4f(f32(p.value) / 255.0)")
    );
    let setup = Setup {
        size: [64, 64],
        geometry: Some((GeometryOutput::Points, 1)),
        ..Setup::topology(topology)
    };
    let bytes = harness.draw(&setup, &text, count).remove(0);
    let lines = bytes.chunks(256).map(|line| {
        let numbers = line.chunks(4).map(|pixel| pixel[0]);
        numbers
            .take_while(|number| *number > 0)
            .map(|number| number - 1)
            .collect()
    });
    lines
        .take_while(|line: &Vec<u8>| !line.is_empty())
        .collect()
}

#[test]
fn neighbours_come_in_order() {
    use PrimitiveTopology::*;
    for harness in all_devices() {
        let of = |topology, corners, count| vertices(&harness, topology, corners, count);
        assert_eq!(of(TriangleStrip, 3, 5), [[0, 1, 2], [1, 3, 2], [2, 3, 4]]);
        assert_eq!(of(LineList, 4, 9), [[0, 1, 2, 3], [4, 5, 6, 7]]);
        assert_eq!(
            of(LineStrip, 4, 6),
            [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5]]
        );
        assert_eq!(of(TriangleList, 6, 11), [[0, 1, 2, 3, 4, 5]]);
        let strip = of(TriangleStrip, 6, 10);
        assert_eq!(
            strip,
            [[0, 1, 2, 6, 4, 3], [2, 5, 6, 8, 4, 0], [4, 2, 6, 9, 8, 7]]
        );
    }
}

/// Strips of up to six vertices on whole pixels, of which some are left out and some end a strip; flat numbers say whose
/// vertex provokes.
const STRIPS: &str = "
    struct Vertex { @builtin(position) at: vec4f, @location(0) @interpolate(flat) number: u32 }
    struct Corner { @builtin(position) at: vec4f, @location(0) @interpolate(flat) value: vec3f }
    struct System { invocation: u32 }
    @vertex fn vertex(@builtin(vertex_index) i: u32) -> Vertex {
        let line = floor(f32(i) * 0.125);
        let cell = vec2f(f32(i) - 8.0 * line, line) * 8.0;
        return Vertex(vec4f(cell, f32(i) / 64.0, 1.0), i);
    }
    @fragment fn fragment(c: Corner) -> @location(0) vec4f {
        return vec4f(c.value / 255.0, 1.0);
    }
    fn emit_vertex(c: Corner) {}
    fn end_primitive() {}
    fn corner(v: Vertex, n: u32, invocation: u32) {
        let place = vec2f(f32(n / 2u) * 2.0, f32(n % 2u) * 3.0 + f32(invocation) * 4.0);
        let at = (v.at.xy + place) / 32.0 - 1.0;
        let value = vec3f(f32(n), f32(v.number), f32(invocation));
        emit_vertex(Corner(vec4f(at.x, -at.y, v.at.z, 1.0), value));
    }
    const gs_max_vertices = 6u;
    fn gs(points: array<Vertex, 1>, system: System) {
        for (var n = 0u; n < 6u; n++) {
            if (points[0].number + n * 5u) % 7u != 3u { corner(points[0], n, system.invocation); }
            if (points[0].number + n) % 5u == 0u { end_primitive(); }
        }
    }";

/// Every device draws the same, with any number of threads: what is on whole pixels depends on no grid.
#[test]
fn strips_end_where_shaders_say() {
    use GeometryOutput as Out;
    for output in [Out::Points, Out::LineStrip, Out::TriangleStrip] {
        for provoking_vertex in [ProvokingVertex::First, ProvokingVertex::Last] {
            for cull_mode in [None, Some(Face::Back)] {
                let mut expected = None;
                for gpu in Instance::new().physical_devices() {
                    if !gpu.features().geometry {
                        continue;
                    }
                    let mut setup = Setup {
                        size: [64, 64],
                        raster: RasterState {
                            provoking_vertex,
                            ..RasterState::default()
                        },
                        geometry: Some((output, 2)),
                        ..Setup::topology(PrimitiveTopology::PointList)
                    };
                    setup.primitive.cull_mode = cull_mode;
                    for threads in [1, 2, 7] {
                        let harness = Harness::on(&gpu, Some(threads));
                        let found = harness.draw(&setup, STRIPS, 64);
                        let expected = expected.get_or_insert_with(|| found.clone());
                        assert!(
                            found == *expected,
                            "{} {output:?} {provoking_vertex:?} {cull_mode:?} {threads}",
                            gpu.name()
                        );
                    }
                }
                let drawn = expected.unwrap()[0].chunks(4).filter(|p| p[3] != 0).count();
                assert!(drawn > 300, "{output:?} {drawn}");
            }
        }
    }
}

#[test]
fn stages_are_counted() {
    let text = format!(
        "{PIXELS}
        const gs_max_vertices = 4u;
        fn gs(points: array<Vertex, 1>, system: System) {{
            for (var n = 0u; n < points[0].number % 5u; n++) {{
                pixel(n, n * 65u);
                if n == 1u {{ end_primitive(); }}
            }}
        }}"
    );
    for harness in devices() {
        let setup = Setup {
            size: [64, 64],
            geometry: Some((GeometryOutput::LineStrip, 2)),
            ..Setup::topology(PrimitiveTopology::PointList)
        };
        let pipeline = harness.pipeline(&setup, &text);
        let queries = harness
            .device
            .create_query_set(&QuerySetDescriptor {
                label: None,
                kind: QueryKind::Statistics,
                precise: true,
                count: 1,
            })
            .unwrap();
        harness.record(&setup, |commands| {
            commands.begin_query(&queries, 0).unwrap();
            commands.bind_pipeline(&pipeline).unwrap();
            commands.draw(0..10, 0..3).unwrap();
            commands.end_query(&queries, 0).unwrap();
        });
        let answer = harness.queue.read_queries(&queries, 0..1).unwrap();
        let [Some(QueryValue::Statistics(found))] = answer[..] else {
            panic!("{answer:?}");
        };
        // Of five points with 0 to 4 vertices, the last three have a line, the last one two.
        let lines = 2 * 3 * 2 * 4;
        assert_eq!(found.input_vertices, 30);
        assert_eq!(found.input_primitives, 30);
        assert_eq!(found.vertex_invocations, 30);
        assert_eq!(found.geometry_invocations, 60);
        assert_eq!(found.geometry_primitives, lines);
        assert_eq!(found.clipping_invocations, lines);
        assert_eq!(found.clipping_primitives, lines);
    }
}

/// Strips that end at a restart index, and invocations of all their primitives.
#[test]
fn invocations_of_strips_are_counted() {
    let text = format!(
        "{PIXELS}
        const gs_max_vertices = 1u;
        fn gs(points: array<Vertex, 2>, system: System) {{ pixel(1u, system.primitive); }}"
    );
    for harness in devices() {
        let mut setup = Setup {
            size: [64, 64],
            geometry: Some((GeometryOutput::Points, 3)),
            ..Setup::topology(PrimitiveTopology::LineStrip)
        };
        setup.primitive.strip_index_format = Some(IndexFormat::Uint16);
        let pipeline = harness.pipeline(&setup, &text);
        let indices: [u16; 10] = [0, 1, 2, 0xffff, 3, 0xffff, 4, 5, 6, 7];
        let indices = harness
            .device
            .create_buffer_init(&BufferInitDescriptor {
                label: None,
                contents: &indices.map(u16::to_le_bytes).concat(),
                usage: BufferUsages::INDEX,
            })
            .unwrap();
        let queries = harness
            .device
            .create_query_set(&QuerySetDescriptor {
                label: None,
                kind: QueryKind::Statistics,
                precise: true,
                count: 1,
            })
            .unwrap();
        harness.record(&setup, |commands| {
            commands.begin_query(&queries, 0).unwrap();
            commands.bind_pipeline(&pipeline).unwrap();
            let format = IndexFormat::Uint16;
            commands.bind_index_buffer(&indices, 0, format).unwrap();
            commands.draw_indexed(0..10, 0, 0..2).unwrap();
            commands.end_query(&queries, 0).unwrap();
        });
        let answer = harness.queue.read_queries(&queries, 0..1).unwrap();
        let [Some(QueryValue::Statistics(found))] = answer[..] else {
            panic!("{answer:?}");
        };
        let lines = (2 + 3) * 2;
        assert_eq!(found.input_primitives, lines);
        assert_eq!(found.geometry_invocations, 3 * lines);
        assert_eq!(found.geometry_primitives, 3 * lines);
    }
}

#[test]
fn vertices_choose_viewports() {
    let text = "
        struct Vertex { @builtin(position) at: vec4f }
        struct Corner { @builtin(position) at: vec4f, viewport_index: u32 }
        @vertex fn vertex() -> Vertex { return Vertex(vec4f(0.0, 0.0, 0.5, 1.0)); }
        @fragment fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f { return vec4f(1.0); }
        fn emit_vertex(c: Corner) {}
        const gs_max_vertices = 3u;
        struct System { invocation: u32 }
        fn gs(points: array<Vertex, 1>, system: System) {
            for (var i = 0u; i < 3u; i++) {
                let at = vec2f(f32(i & 1u), f32(i >> 1u)) * 4.0 - 1.0;
                emit_vertex(Corner(vec4f(at, 0.5, 1.0), system.invocation));
            }
        }";
    for harness in devices() {
        let setup = Setup {
            geometry: Some((GeometryOutput::TriangleStrip, 2)),
            ..Setup::topology(PrimitiveTopology::PointList)
        };
        let pipeline = harness.pipeline(&setup, text);
        let bytes = harness.record(&setup, |commands| {
            let part = |x, y| Viewport {
                x,
                y,
                ..Viewport::of(2, 3)
            };
            commands
                .set_viewports(0, &[part(1.0, 0.0), part(5.0, 4.0)])
                .unwrap();
            commands.bind_pipeline(&pipeline).unwrap();
            commands.draw(0..1, 0..1).unwrap();
        });
        let wanted = [
            ".##.....", ".##.....", ".##.....", "........", ".....##.", ".....##.", ".....##.",
            "........",
        ];
        assert_eq!(
            shape(&bytes[0], 8),
            wanted.map(|line| format!("{line}\n")).concat()
        );
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let text = copies(3);
    for harness in Harness::all() {
        let attempt = |setup: &Setup<'_>, text: &str| {
            harness
                .try_pipeline(setup, text)
                .map(drop)
                .map_err(|error| (error.rule(), error.to_string()))
        };
        let setup = Setup {
            geometry: Some((GeometryOutput::TriangleStrip, 1)),
            ..Setup::default()
        };
        if !harness.device.features().geometry {
            let (rule, text) = attempt(&setup, &text).unwrap_err();
            assert_eq!(rule, "pipeline-feature");
            assert!(text.contains("a geometry shader"), "{text}");
            continue;
        }
        if !harness.device.features().integers {
            continue;
        }
        assert_eq!(attempt(&setup, &text), Ok(()));
        for invocations in [0, 33] {
            let setup = Setup {
                geometry: Some((GeometryOutput::TriangleStrip, invocations)),
                ..setup.clone()
            };
            let (rule, _) = attempt(&setup, &text).unwrap_err();
            assert_eq!(rule, "pipeline-geometry-invocations");
        }
        // Nine words a vertex, in whole groups of four: one chip keeps those of all invocations of a primitive.
        let many = text.replace("gs_max_vertices = 3u", "gs_max_vertices = 100u");
        let all = Setup {
            geometry: Some((GeometryOutput::TriangleStrip, 32)),
            ..setup.clone()
        };
        match attempt(&all, &many) {
            Ok(()) => assert_ne!(harness.device.physical_device().name(), "r600"),
            Err((_, message)) => {
                assert_eq!(harness.device.physical_device().name(), "r600");
                assert!(message.contains("38400"), "{message}");
                assert!(message.contains("16384"), "{message}");
            }
        }
        let lines = Setup {
            geometry: setup.geometry,
            ..Setup::topology(PrimitiveTopology::LineList)
        };
        let (rule, message) = attempt(&lines, &text).unwrap_err();
        assert_eq!(rule, "pipeline-link");
        assert!(message.contains("3 vertices"), "{message}");
        // The places are those of the shader that reads.
        let other = "struct Other { @builtin(position) at: vec4f, @location(0) color: vec3f, @location(3) more: f32 }";
        let more = text.replace(
            "fn gs(corners: array<Vertex",
            &format!("{other} fn gs(corners: array<Other"),
        );
        let more = more.replace(
            "emit_vertex(corners[i])",
            "emit_vertex(Vertex(corners[i].at, corners[i].color * corners[i].more, 1u))",
        );
        let (rule, message) = attempt(&setup, &more).unwrap_err();
        assert_eq!(rule, "pipeline-link");
        assert!(message.contains("geometry input @location(3)"), "{message}");
        assert!(
            message.contains("vertex shader") && message.contains("line"),
            "{message}"
        );
        let less = text.replace(
            "fn emit_vertex(v: Vertex)",
            "struct Less { @builtin(position) at: vec4f } fn emit_vertex(v: Less)",
        );
        let less = less.replace(
            "emit_vertex(corners[i])",
            "emit_vertex(Less(corners[i].at))",
        );
        let (_, message) = attempt(&setup, &less).unwrap_err();
        assert!(message.contains("by the geometry shader"), "{message}");
    }
}

/// Draws of a device with these threads and vector instructions.
fn on(gpu: &PhysicalDevice, threads: usize, simd: Simd) -> Harness {
    let device = gpu
        .create_device(&DeviceDescriptor {
            label: Some("host"),
            memory_bytes: Some(64 << 20),
            threads: Some(threads),
            simd: Some(simd),
            ..DeviceDescriptor::default()
        })
        .unwrap();
    Harness {
        queue: device.queue(),
        device,
    }
}

/// Waves of all stages run on several threads, and what they emit comes in order. Long arrays have all stages use scratch
/// memory, of which each thread has a part.
#[test]
fn pictures_do_not_depend_on_the_host() {
    let text = format!(
        "{}
        const gs_max_vertices = 9u;
        struct System {{ @builtin(primitive_index) primitive: u32, invocation: u32 }}
        fn gs(corners: array<Vertex, 3>, system: System) {{
            var seen: array<u32, 300>;
            for (var i = 0u; i < 300u; i += 7u) {{ seen[i] = i * corners[0].number; }}
            let strips = (corners[0].number + system.invocation) % 4u;
            for (var n = 0u; n < strips; n++) {{
                for (var i = 0u; i < 3u; i++) {{
                    var v = corners[i];
                    v.at += vec4f(f32(n), f32(system.invocation), 0.0, 0.0) * 0.1;
                    v.number = seen[(corners[i].number * 7u) % 300u] + system.primitive;
                    emit_vertex(v);
                }}
                end_primitive();
            }}
        }}",
        SCATTERED.replace(
            "let w = 0.5 + f.w;",
            "var long: array<f32, 200>; long[i % 200u] = f.w; let w = 0.5 + long[(i * 3u) % 200u];"
        )
    );
    let setup = Setup {
        size: [96, 96],
        geometry: Some((GeometryOutput::TriangleStrip, 2)),
        ..Setup::topology(PrimitiveTopology::TriangleStrip)
    };
    let chips = Instance::new().physical_devices();
    for gpu in chips.filter(|gpu| gpu.features().geometry && gpu.features().integers) {
        let wanted = on(&gpu, 1, Simd::BASELINE).draw(&setup, &text, 1500);
        assert!(wanted[0].iter().any(|byte| *byte != 0));
        for threads in [1, 2, 7] {
            for simd in Simd::available() {
                let found = on(&gpu, threads, simd).draw(&setup, &text, 1500);
                let which = format!("{}, {threads} threads, {}", gpu.name(), simd.name());
                assert!(found == wanted, "{which}");
            }
        }
    }
}

/// A geometry shader has bindings of its own: uniform words at known places and at others, a storage buffer, texels.
#[test]
fn stages_read_their_bindings() {
    let text = format!(
        "{PIXELS}
        struct Table {{ first: vec4u, all: array<vec4u, 8> }}
        @group(0) @binding(0) var<uniform> table: Table;
        @group(0) @binding(1) var<storage> more: array<u32>;
        @group(0) @binding(2) var image: texture_2d<f32>;
        const gs_max_vertices = 4u;
        fn gs(points: array<Vertex, 1>, system: System) {{
            let n = points[0].number;
            let texel = textureLoad(image, vec2u(n & 1u, 0u), 0);
            pixel(table.first.y, n * 64u);
            pixel(table.all[n][n & 3u], n * 64u + 1u);
            pixel(more[n + 2u] + arrayLength(&more), n * 64u + 2u);
            pixel(pack4x8unorm(texel), n * 64u + 3u);
        }}"
    );
    for harness in devices() {
        let device = &harness.device;
        let buffer = |words: &[u32], usage| {
            let contents: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let desc = BufferInitDescriptor {
                label: Some("words"),
                contents: &contents,
                usage,
            };
            device.create_buffer_init(&desc).unwrap()
        };
        let table: Vec<u32> = (0..36).map(|n| n * 3 + 1).collect();
        let table = buffer(&table, BufferUsages::UNIFORM);
        let more = buffer(&[10, 20, 30, 40, 50, 60, 70, 80], BufferUsages::STORAGE);
        let usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST;
        let image = harness.image(TextureFormat::Rgba8Unorm, [2, 1, 1], 1, usage);
        let size = Extent3d {
            width: 2,
            ..Extent3d::default()
        };
        let queue = &harness.queue;
        queue
            .transition(&image, ImageLayout::CopyDestination)
            .unwrap();
        let copy = ImageCopy::level(&image, 0);
        let texels = [1, 2, 3, 4, 5, 6, 7, 8];
        queue.write_image(&copy, size, &texels).unwrap();
        queue
            .transition(&image, ImageLayout::ShaderReadOnly)
            .unwrap();
        let view = harness.view(&image);
        let entry = |binding, ty| BindGroupLayoutEntry {
            binding,
            visibility: ShaderStages::VERTEX,
            ty,
            count: None,
        };
        let buffer = |ty| BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let texture = BindingType::Texture {
            sample_type: TextureSampleType::Float { filterable: true },
            view_dimension: TextureViewDimension::D2,
            multisampled: false,
        };
        let read_only = BufferBindingType::Storage { read_only: true };
        let layout = device
            .create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
                label: None,
                entries: &[
                    entry(0, buffer(BufferBindingType::Uniform)),
                    entry(1, buffer(read_only)),
                    entry(2, texture),
                ],
            })
            .unwrap();
        let set = device
            .create_descriptor_set(&DescriptorSetDescriptor {
                label: None,
                layout: &layout,
                entries: &[
                    (0, (&table).into()),
                    (1, (&more).into()),
                    (2, (&view).into()),
                ],
            })
            .unwrap();
        let setup = Setup {
            size: [64, 64],
            geometry: Some((GeometryOutput::Points, 1)),
            sets: vec![&layout],
            ..Setup::topology(PrimitiveTopology::PointList)
        };
        let pipeline = harness.pipeline(&setup, &text);
        let bytes = harness.record(&setup, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.bind_descriptor_set(0, &set, &[]).unwrap();
            commands.draw(0..6, 0..1).unwrap();
        });
        let words: Vec<u32> = bytes[0]
            .as_chunks::<4>()
            .0
            .iter()
            .map(|word| u32::from_le_bytes(*word))
            .collect();
        for n in 0..6u32 {
            let indexed = (4 + 4 * n + (n & 3)) * 3 + 1;
            let texel = [0x0403_0201, 0x0807_0605][n as usize & 1];
            let wanted = [4, indexed, (n + 3) * 10 + 8, texel];
            assert_eq!(words[64 * n as usize..][..4], wanted, "point {n}");
        }
    }
}

/// Where both stages are one program, what it needs is counted.
#[test]
fn programs_for_both_stages_have_limits() {
    let text = "
        struct Vertex { @builtin(position) at: vec4f, @location(0) a: vec4f, @location(1) b: vec4f, @location(2) c: vec4f }
        @vertex fn vertex(
            @location(0) at: vec4f, @location(1) a: vec4f, @location(2) b: vec4f, @location(3) c: vec4f,
        ) -> Vertex { return Vertex(at, a, b, c); }
        @fragment fn fragment(v: Vertex) -> @location(0) vec4f { return v.a + v.b + v.c; }
        fn emit_vertex(v: Vertex) {}
        const gs_max_vertices = 6u;
        fn gs(corners: array<Vertex, 6>) { for (var i = 0u; i < 6u; i++) { emit_vertex(corners[i]); } }";
    for harness in all_devices().filter(|harness| !harness.device.features().integers) {
        let module = harness.module(text);
        let stage = ShaderStage::from(&module);
        let attributes =
            vertex_attributes![0 => Float32x4, 1 => Float32x4, 2 => Float32x4, 3 => Float32x4];
        let made = harness
            .device
            .create_graphics_pipeline(&GraphicsPipelineDescriptor {
                buffers: &[VertexBufferLayout {
                    stride: 64,
                    attributes: &attributes,
                    ..VertexBufferLayout::default()
                }],
                geometry: Some(GeometryStage::new(&module, GeometryOutput::TriangleStrip)),
                fragment: Some(stage),
                targets: &[Some(TextureFormat::Rgba8Unorm.into())],
                primitive: PrimitiveState {
                    topology: PrimitiveTopology::TriangleList,
                    ..PrimitiveState::default()
                },
                ..GraphicsPipelineDescriptor::new(stage)
            });
        let error = made.map(drop).unwrap_err().to_string();
        assert!(
            error.contains("25 vertex inputs where there are 16"),
            "{error}"
        );
    }
}
