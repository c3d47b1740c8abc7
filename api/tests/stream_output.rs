//! Stream output: what vertices become in memory, in which order, how far, and what is counted.

#![allow(clippy::unwrap_used)]

mod harness;

use std::ops::Range;

use girih::*;
use harness::*;

/// Chips with the stage.
const CHIPS: [&str; 2] = ["southern-islands", "r600"];

/// Devices with the stage, with any number of threads.
fn devices() -> impl Iterator<Item = Harness> {
    let chips = Instance::new().physical_devices();
    let chips = chips.filter(|gpu| {
        let there = gpu.features().stream_output;
        assert_eq!(there, CHIPS.contains(&gpu.name()), "{}", gpu.name());
        there
    });
    chips.flat_map(|gpu| [1, 2, 7].map(|threads| Harness::on(&gpu, Some(threads))))
}

const SHADER: &str = "
    struct Vertex {
        @builtin(position) at: vec4f,
        @location(0) @interpolate(flat) number: u32,
        @location(2) both: vec3f,
    }
    @vertex fn vertex(@builtin(vertex_index) i: u32, @builtin(instance_index) n: u32) -> Vertex {
        let number = i + 1000u * n;
        return Vertex(vec4f(f32(i), 2.0, 0.5, 1.0), number, vec3f(0.5, f32(i) * 0.25, f32(n)));
    }
    @fragment fn fragment(v: Vertex) -> @location(0) vec4f { return vec4f(v.both, f32(v.number)); }";

/// A word of a location.
fn word(location: u32, first: u32, buffer: u32, offset: u32) -> StreamedOutput {
    StreamedOutput {
        source: StreamSource::Location(location),
        first,
        components: 1,
        buffer,
        offset,
    }
}

fn pipeline(
    harness: &Harness,
    text: &str,
    primitive: PrimitiveState,
    geometry: Option<GeometryOutput>,
    stream: StreamOutput<'_>,
    provoking_vertex: ProvokingVertex,
) -> GraphicsPipeline {
    let module = harness.module(text);
    let desc = GraphicsPipelineDescriptor {
        stream: Some(stream),
        geometry: geometry.map(|output| GeometryStage::new(&module, output)),
        fragment: Some((&module).into()),
        targets: &[Some(TextureFormat::Rgba8Unorm.into())],
        primitive,
        raster: RasterState {
            provoking_vertex,
            ..RasterState::default()
        },
        ..GraphicsPipelineDescriptor::new(&module)
    };
    harness.device.create_graphics_pipeline(&desc).unwrap()
}

fn buffer(harness: &Harness, size: u64) -> Buffer {
    let desc = BufferDescriptor {
        size,
        usage: BufferUsages::STORAGE | BufferUsages::VERTEX,
        ..BufferDescriptor::default()
    };
    let buffer = harness.device.create_buffer(&desc).unwrap();
    buffer.write(0, &vec![0xee; size as usize]).unwrap();
    buffer
}

fn contents(buffer: &Buffer) -> Vec<u32> {
    let mut bytes = vec![0; buffer.size() as usize];
    buffer.read(0, &mut bytes).unwrap();
    words(&bytes)
}

/// What a byte pattern leaves where nothing is written.
const UNTOUCHED: u32 = 0xeeee_eeee;

fn record(harness: &Harness, record: impl FnOnce(&mut CommandBuffer)) {
    harness.record(&Setup::default(), record);
}

#[test]
fn vertices_come_in_the_order_of_topologies() {
    use PrimitiveTopology::*;
    let stream = StreamOutput {
        outputs: &[word(0, 0, 0, 0)],
        strides: [4, 0, 0, 0],
    };
    for harness in devices() {
        for last in [false, true] {
            let strip = match last {
                false => [0, 1, 2, 1, 3, 2, 2, 3, 4],
                true => [0, 1, 2, 2, 1, 3, 2, 3, 4],
            };
            let cases: [(PrimitiveTopology, &[u32]); 5] = [
                (PointList, &[0, 1, 2, 3, 4]),
                (LineList, &[0, 1, 2, 3]),
                (LineStrip, &[0, 1, 1, 2, 2, 3, 3, 4]),
                (TriangleList, &[0, 1, 2]),
                (TriangleStrip, &strip),
            ];
            for (topology, expected) in cases {
                let primitive = PrimitiveState {
                    topology,
                    ..PrimitiveState::default()
                };
                let provoking = match last {
                    false => ProvokingVertex::First,
                    true => ProvokingVertex::Last,
                };
                let pipeline = pipeline(&harness, SHADER, primitive, None, stream, provoking);
                let out = buffer(&harness, 4096);
                record(&harness, |commands| {
                    commands.bind_pipeline(&pipeline).unwrap();
                    commands.bind_stream_buffers(0, &[(&out, 0..4096)]).unwrap();
                    commands.begin_stream_output(0, &[]).unwrap();
                    commands.draw(0..5, 0..2).unwrap();
                    commands.end_stream_output(0, &[]).unwrap();
                });
                let both = expected.iter().chain(expected);
                let numbers = (0..)
                    .zip(both)
                    .map(|(n, i)| i + 1000 * u32::from(n >= expected.len()));
                let mut expected: Vec<u32> = numbers.collect();
                expected.resize(1024, UNTOUCHED);
                assert!(contents(&out) == expected, "{topology:?}, {last}");
            }
        }
    }
}

/// Several waves, buffers with room for different numbers of primitives, and counters.
#[test]
fn what_has_no_room_is_dropped_and_counted() {
    let outputs = [
        word(0, 0, 0, 4),
        StreamedOutput {
            source: StreamSource::Location(2),
            first: 1,
            components: 2,
            buffer: 2,
            offset: 0,
        },
        StreamedOutput {
            source: StreamSource::Position,
            first: 0,
            components: 2,
            buffer: 0,
            offset: 8,
        },
    ];
    let stream = StreamOutput {
        outputs: &outputs,
        strides: [16, 0, 12, 0],
    };
    for harness in devices() {
        let first = ProvokingVertex::First;
        let pipeline = pipeline(
            &harness,
            SHADER,
            PrimitiveState::default(),
            None,
            stream,
            first,
        );
        // 400 vertices of 16 bytes, and 250 of 12 and a bit: 83 triangles.
        let (a, b, counters) = (
            buffer(&harness, 6400),
            buffer(&harness, 3008),
            buffer(&harness, 16),
        );
        let queries = harness.device.create_query_set(&QuerySetDescriptor {
            kind: QueryKind::StreamOutput,
            count: 2,
            ..QuerySetDescriptor::default()
        });
        let queries = queries.unwrap();
        record(&harness, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.bind_stream_buffers(0, &[(&a, 0..6400)]).unwrap();
            commands.bind_stream_buffers(2, &[(&b, 0..3008)]).unwrap();
            commands.begin_query(&queries, 0).unwrap();
            commands.begin_stream_output(0, &[]).unwrap();
            commands.draw(0..120, 0..1).unwrap();
            let both = [Some((&counters, 0)), None, Some((&counters, 4))];
            commands.end_stream_output(0, &both).unwrap();
            // Nothing is written between.
            commands.draw(0..30, 0..1).unwrap();
            commands.end_query(&queries, 0).unwrap();
            commands.begin_query(&queries, 1).unwrap();
            commands.begin_stream_output(0, &both).unwrap();
            commands.draw(500..740, 0..1).unwrap();
            commands.draw(0..30, 0..1).unwrap();
            let other = [Some((&counters, 8)), None, Some((&counters, 12))];
            commands.end_stream_output(0, &other).unwrap();
            commands.end_query(&queries, 1).unwrap();
        });
        let answers = harness.queue.read_queries(&queries, 0..2).unwrap();
        let counts =
            |written, needed| Some(QueryValue::StreamOutput(StreamCounts { written, needed }));
        assert_eq!(answers, [counts(40, 40), counts(43, 90)]);
        assert_eq!(
            contents(&counters),
            [120 * 16, 120 * 12, 249 * 16, 249 * 12]
        );
        let number = |n: u32| if n < 120 { n } else { n - 120 + 500 };
        for (n, vertex) in (0..).zip(contents(&a).chunks(4)) {
            let i = number(n);
            let expected = match n < 249 {
                true => [UNTOUCHED, i, (i as f32).to_bits(), 2f32.to_bits()],
                false => [UNTOUCHED; 4],
            };
            assert_eq!(vertex, expected, "{n}");
        }
        for (n, vertex) in (0..).zip(contents(&b)[..750].chunks(3)) {
            let expected = match n < 249 {
                true => [(number(n) as f32 * 0.25).to_bits(), 0, UNTOUCHED],
                false => [UNTOUCHED; 3],
            };
            assert_eq!(vertex, expected, "{n}");
        }
    }
}

/// What geometry shaders emit is written as they make it.
#[test]
fn emitted_primitives_are_written() {
    let text = format!(
        "{SHADER}
        fn emit_vertex(v: Vertex) {{}}
        fn end_primitive() {{}}
        const gs_max_vertices = 4u;
        fn gs(points: array<Vertex, 1>) {{
            var v = points[0];
            for (var i = 0u; i < v.number % 5u; i++) {{
                v.number = points[0].number * 10u + i;
                emit_vertex(v);
                v.number = points[0].number;
                if v.number % 2u == 0u && i == 1u {{ end_primitive(); }}
            }}
        }}"
    );
    let stream = StreamOutput {
        outputs: &[word(0, 0, 1, 0)],
        strides: [0, 4, 0, 0],
    };
    let (topology, lines) = (PrimitiveTopology::PointList, GeometryOutput::LineStrip);
    for harness in devices().filter(|harness| harness.device.features().geometry) {
        let primitive = PrimitiveState {
            topology,
            ..PrimitiveState::default()
        };
        let first = ProvokingVertex::First;
        let pipeline = pipeline(&harness, &text, primitive, Some(lines), stream, first);
        let out = buffer(&harness, 16384);
        record(&harness, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands
                .bind_stream_buffers(1, &[(&out, 0..16384)])
                .unwrap();
            commands.begin_stream_output(0, &[]).unwrap();
            commands.draw(0..300, 0..1).unwrap();
            commands.end_stream_output(0, &[]).unwrap();
        });
        let mut expected = Vec::new();
        for point in 0..300 {
            for i in 1..(point % 5u32).min(4) {
                // Even points have strips of two vertices first.
                if point % 2 == 1 || i != 2 {
                    expected.extend([point * 10 + i - 1, point * 10 + i]);
                }
            }
        }
        let found = contents(&out);
        assert_eq!(found[..expected.len()], expected);
        assert!(
            found[expected.len()..]
                .iter()
                .all(|word| *word == UNTOUCHED)
        );
    }
}

/// The vertices that were written are drawn, as many as there are, and as often as there are instances.
#[test]
fn counted_draws_draw_what_was_written() {
    let text = "
        struct Vertex { @builtin(position) at: vec4f }
        @vertex fn vertex(@builtin(vertex_index) i: u32) -> Vertex {
            return Vertex(vec4f(f32(i % 8u) / 4.0 - 0.875, 0.875 - f32(i / 8u) / 4.0, 0.5, 1.0));
        }
        @fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";
    let again = "
        @vertex fn vertex(@location(0) at: vec4f, @builtin(instance_index) n: u32) -> @builtin(position) vec4f {
            return at - vec4f(0.0, f32(n) / 4.0, 0.0, 0.0);
        }
        @fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";
    let position = StreamedOutput {
        source: StreamSource::Position,
        first: 0,
        components: 4,
        buffer: 3,
        offset: 0,
    };
    let stream = StreamOutput {
        outputs: &[position],
        strides: [0, 0, 0, 16],
    };
    for harness in devices() {
        let points = PrimitiveState {
            topology: PrimitiveTopology::PointList,
            ..PrimitiveState::default()
        };
        let module = harness.module(text);
        let writes = GraphicsPipelineDescriptor {
            stream: Some(stream),
            primitive: points,
            raster: RasterState {
                discard: true,
                ..RasterState::default()
            },
            ..GraphicsPipelineDescriptor::new(&module)
        };
        let writes = harness.device.create_graphics_pipeline(&writes).unwrap();
        let module = harness.module(again);
        let draws = GraphicsPipelineDescriptor {
            primitive: points,
            buffers: &[VertexBufferLayout {
                stride: 16,
                attributes: &vertex_attributes![0 => Float32x4],
                ..VertexBufferLayout::default()
            }],
            fragment: Some((&module).into()),
            targets: &[Some(TextureFormat::Rgba8Unorm.into())],
            ..GraphicsPipelineDescriptor::new(&module)
        };
        let draws = harness.device.create_graphics_pipeline(&draws).unwrap();
        let (out, counter) = (buffer(&harness, 1024), buffer(&harness, 4));
        let setup = Setup::default();
        let picture = |from: u32, instances: Range<u32>| {
            let bytes = harness.record(&setup, |commands| {
                commands.bind_pipeline(&writes).unwrap();
                commands.bind_stream_buffers(3, &[(&out, 0..1024)]).unwrap();
                commands.begin_stream_output(0, &[]).unwrap();
                commands.draw(0..13, 0..1).unwrap();
                commands
                    .end_stream_output(3, &[Some((&counter, 0))])
                    .unwrap();
                commands.bind_pipeline(&draws).unwrap();
                commands.bind_vertex_buffer(0, &out, 0).unwrap();
                let draw = CountedDraw {
                    counter: (&counter, 0),
                    counter_offset: from,
                    stride: 16,
                };
                commands.draw_counted(&draw, instances).unwrap();
            });
            shape(&bytes[0], 8)
        };
        let rest = "........\n".repeat(6);
        assert_eq!(picture(0, 0..1), format!("########\n#####...\n{rest}"));
        assert_eq!(picture(80, 0..1), format!("########\n........\n{rest}"));
        let (rest, none) = (&rest[..9 * 4], "........\n".repeat(2));
        assert_eq!(
            picture(80, 2..4),
            format!("{none}########\n########\n{rest}")
        );
    }
}

/// SPIR-V says by itself what goes where; what the pipeline says comes before.
#[test]
fn shaders_say_what_is_written() {
    let fragment = "@fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";
    for harness in devices() {
        let vertex = harness.words(include_bytes!("spirv/streams.vert.spv"));
        let fragment = harness.module(fragment);
        let desc = GraphicsPipelineDescriptor {
            fragment: Some((&fragment).into()),
            targets: &[Some(TextureFormat::Rgba8Unorm.into())],
            primitive: PrimitiveState {
                topology: PrimitiveTopology::PointList,
                ..PrimitiveState::default()
            },
            ..GraphicsPipelineDescriptor::new(&vertex)
        };
        let own = harness.device.create_graphics_pipeline(&desc).unwrap();
        let given = StreamOutput {
            outputs: &[word(1, 1, 2, 0)],
            strides: [0, 0, 4, 0],
        };
        let given = GraphicsPipelineDescriptor {
            stream: Some(given),
            ..desc
        };
        let given = harness.device.create_graphics_pipeline(&given).unwrap();
        let outs = [200, 400].map(|bytes| buffer(&harness, bytes));
        let other = buffer(&harness, 40);
        record(&harness, |commands| {
            for (pipeline, buffer) in [(&own, &outs[1]), (&given, &other)] {
                commands.bind_pipeline(pipeline).unwrap();
                commands
                    .bind_stream_buffers(0, &[(&outs[0], 0..200)])
                    .unwrap();
                let all = 0..buffer.size();
                commands.bind_stream_buffers(2, &[(buffer, all)]).unwrap();
                commands.begin_stream_output(0, &[]).unwrap();
                commands.draw(0..10, 0..1).unwrap();
                commands.end_stream_output(0, &[]).unwrap();
            }
        });
        let hole = f32::from_bits(UNTOUCHED);
        let expected = |vertex: &dyn Fn(f32) -> Vec<f32>| -> Vec<u32> {
            let all = (0..10u8).flat_map(|n| vertex(n.into()));
            all.map(f32::to_bits).collect()
        };
        let both = expected(&|n| vec![hole, n, n + 0.25, n + 0.5, n + 0.75]);
        assert_eq!(contents(&outs[0]), both);
        let rest = expected(&|n| vec![hole, hole, n, n * 2.0, n, 0.5, 0.25, 1.0, hole, hole]);
        assert_eq!(contents(&outs[1]), rest);
        assert_eq!(contents(&other), expected(&|n| vec![n]));
    }
}
