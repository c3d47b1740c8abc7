//! Rules of stream output.

use crate::boundaries::bounds;
use crate::recording::{drawing, open, plain};
use crate::{Fixture, breaks};
use girih::*;

const WORD: StreamedOutput = StreamedOutput {
    source: StreamSource::Position,
    first: 0,
    components: 1,
    buffer: 1,
    offset: 0,
};

fn made(
    t: &Fixture,
    outputs: &[StreamedOutput],
    stride: u32,
) -> Result<GraphicsPipeline, GraphicsPipelineError> {
    let text = "
        @vertex fn vertex() -> @builtin(position) vec4f { return vec4f(0.0); }
        @fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";
    let module = t
        .device
        .create_shader_module(&ShaderModuleDescriptor::wgsl(text))
        .unwrap();
    t.device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            stream: Some(StreamOutput {
                outputs,
                strides: [0, stride, 0, 0],
            }),
            fragment: Some((&module).into()),
            targets: &[Some(TextureFormat::Rgba8Unorm.into())],
            ..GraphicsPipelineDescriptor::new(&module)
        })
}

/// A pipeline that writes to stream buffer 1 is bound.
fn streamed(t: &Fixture) -> CommandBuffer {
    drawing(t, &made(t, &[WORD], 4).unwrap())
}

/// Stream output is on.
fn streaming(t: &Fixture) -> CommandBuffer {
    let mut commands = streamed(t);
    let buffer = t.buffer(64, BufferUsages::STORAGE);
    commands
        .bind_stream_buffers(1, &[(&buffer, 0..64)])
        .unwrap();
    commands.begin_stream_output(0, &[]).unwrap();
    commands
}

fn counted(t: &Fixture, stride: u32) -> Result<(), StreamError> {
    let buffer = t.buffer(64, BufferUsages::STORAGE);
    let draw = CountedDraw {
        counter: (&buffer, 60),
        counter_offset: 0,
        stride,
    };
    streamed(t).draw_counted(&draw, 0..1)
}

breaks! {
    stream_feature "stream-feature" = |_t| {
        let without = &Fixture::with(|features| !features.stream_output);
        drawing(without, &plain(without)).begin_stream_output(0, &[])
    };
    stream_recording "stream-recording" = |t| {
        let buffer = t.buffer(64, BufferUsages::VERTEX);
        streamed(t).bind_stream_buffers(0, &[(&buffer, 0..64)])
    };
    stream_device "stream-device" = |t| {
        let buffer = Fixture::new().buffer(64, BufferUsages::STORAGE);
        streamed(t).bind_stream_buffers(0, &[(&buffer, 0..64)])
    };
    stream_slot "stream-slot" = |t| streaming(t).end_stream_output(1, &[None; 4]);
    stream_active "stream-active" = |t| streaming(t).begin_stream_output(0, &[]);
    stream_begun "stream-begun" = |t| streamed(t).end_stream_output(0, &[]);
    stream_pipeline "stream-pipeline" = |t| drawing(t, &plain(t)).begin_stream_output(0, &[]);
    stream_buffer "stream-buffer" = |t| {
        let buffer = t.buffer(64, BufferUsages::STORAGE);
        let mut commands = streamed(t);
        commands.bind_stream_buffers(0, &[(&buffer, 0..64)]).unwrap();
        commands.begin_stream_output(0, &[])
    };
    stream_stride "stream-stride" = |t| counted(t, 6);
    stream_draw "stream-draw" = |t| {
        let buffer = t.buffer(64, BufferUsages::STORAGE);
        let draw = CountedDraw { counter: (&buffer, 0), counter_offset: 0, stride: 4 };
        open(t).draw_counted(&draw, 0..1)
    };
    command_streaming "command-streaming" = |t| streaming(t).bind_pipeline(&plain(t));
    pass_stream "pass-stream" = |t| streaming(t).end_pass();
    pipeline_stream "pipeline-stream" = |t| made(t, &[WORD, WORD], 4);
}

bounds! {
    stride_of_a_pipeline "pipeline-stream" = |t, stride| made(t, &[WORD], stride);
    accepts [4, MAX_STREAM_STRIDE]; refuses [0, 2, 6, MAX_STREAM_STRIDE + 4];

    number_of_a_buffer "stream-slot" = |t, first| {
        let buffer = t.buffer(64, BufferUsages::STORAGE);
        streamed(t).bind_stream_buffers(first, &[(&buffer, 0..64)])
    };
    accepts [0, 3]; refuses [4, u32::MAX];

    buffer_of_a_pipeline "stream-buffer" = |t, slot| {
        let buffer = t.buffer(64, BufferUsages::STORAGE);
        let mut commands = streamed(t);
        commands.bind_stream_buffers(slot, &[(&buffer, 0..64)]).unwrap();
        commands.begin_stream_output(0, &[])
    };
    accepts [1]; refuses [0, 2];

    stride_of_a_draw "stream-stride" = |t, stride| counted(t, stride);
    accepts [4, u32::MAX - 3]; refuses [0, 2, 6];
}

/// Every number of a stream has an edge.
#[test]
fn streams_end_where_they_end() {
    let t = &Fixture::new();
    let rule =
        |outputs: &[StreamedOutput], stride| made(t, outputs, stride).err().map(|e| e.rule());
    let wrong = Some("pipeline-stream");
    assert_eq!(rule(&[WORD], MAX_STREAM_STRIDE), None);
    assert_eq!(rule(&[WORD], MAX_STREAM_STRIDE + 4), wrong);
    assert_eq!(rule(&[WORD], 6), wrong);
    assert_eq!(rule(&[WORD], 0), wrong);
    let all = StreamedOutput {
        components: 4,
        ..WORD
    };
    assert_eq!(rule(&[all], 16), None);
    assert_eq!(rule(&[all], 12), wrong);
    assert_eq!(
        rule(
            &[StreamedOutput {
                components: 5,
                ..all
            }],
            32
        ),
        wrong
    );
    assert_eq!(
        rule(
            &[StreamedOutput {
                components: 0,
                ..all
            }],
            32
        ),
        wrong
    );
    assert_eq!(rule(&[StreamedOutput { buffer: 4, ..all }], 16), wrong);
    assert_eq!(rule(&[StreamedOutput { offset: 2, ..all }], 32), wrong);
    assert_eq!(rule(&[StreamedOutput { offset: 16, ..all }, all], 32), None);
    assert_eq!(
        rule(&[StreamedOutput { offset: 12, ..all }, all], 32),
        wrong
    );
    // The position has four components, and there is no location 0.
    let linked = Some("pipeline-link");
    assert_eq!(rule(&[StreamedOutput { first: 1, ..all }], 16), linked);
    let location = StreamSource::Location(0);
    assert_eq!(
        rule(
            &[StreamedOutput {
                source: location,
                ..WORD
            }],
            4
        ),
        linked
    );
    assert_eq!(
        rule(
            &[StreamedOutput {
                source: StreamSource::PointSize,
                ..WORD
            }],
            4
        ),
        linked
    );
}

/// What a stream takes stays bound, and lies where the device asks for it.
#[test]
fn stream_buffers_are_ranges_of_words() {
    let t = &Fixture::new();
    let buffer = t.buffer(64, BufferUsages::STORAGE);
    let mut commands = streamed(t);
    let mut rule = |range| {
        commands
            .bind_stream_buffers(3, &[(&buffer, range)])
            .err()
            .map(|e| e.rule())
    };
    assert_eq!(rule(0..64), None);
    assert_eq!(rule(60..64), None);
    let reversed = std::ops::Range { start: 8, end: 4 };
    for wrong in [0..68, 2..62, 0..62, 64..64, reversed] {
        assert_eq!(rule(wrong.clone()), Some("stream-recording"), "{wrong:?}");
    }
    assert_eq!(counted(t, 4), Ok(()));
    let mut commands = streaming(t);
    let bound = commands.bind_stream_buffers(1, &[(&buffer, 0..64)]);
    assert_eq!(bound.err().map(|e| e.rule()), Some("stream-active"));
    commands.draw(0..3, 0..1).unwrap();
    commands
        .end_stream_output(0, &[None, Some((&buffer, 60))])
        .unwrap();
    commands.end_pass().unwrap();
}
