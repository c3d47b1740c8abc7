//! Numbers of passes, commands inside them, and draws.

use std::num::NonZeroU64;

use girih::*;

use super::bounds;
use crate::pipelines::{attribute, build, depth, pipeline_layout};
use crate::recording::{
    ATTACHED, COLOR, begin, bound, color, depth_attachment, drawing, fetching, multisampled, open,
    plain, set_of,
};
use crate::sets::{dynamic, entry, layout, sampled, storage, uniform};
use crate::{Fixture, extent};

fn target(t: &Fixture, [width, height]: [u32; 2]) -> ImageView {
    let image = t.device.create_image(&ImageDescriptor {
        size: extent(width, height, 1),
        ..crate::image(COLOR, ATTACHED)
    });
    t.view_of(&image.unwrap())
}

/// Binds a set with a dynamic range of 1024 bytes from byte 256 on.
fn offset_by(
    t: &Fixture,
    size: Option<u64>,
    least: Option<u64>,
    offsets: &[u32],
) -> Result<(), CommandError> {
    let ty = match dynamic() {
        BindingType::Buffer { ty, .. } => BindingType::Buffer {
            ty,
            has_dynamic_offset: true,
            min_binding_size: least.and_then(NonZeroU64::new),
        },
        other => other,
    };
    let layout = layout(t, &[entry(0, ty)]).unwrap();
    let set = set_of(
        t,
        &layout,
        Descriptor::Buffer(BufferBinding {
            buffer: t.buffer(1280, BufferUsages::UNIFORM),
            offset: 256,
            size,
        }),
    );
    open(t).bind_descriptor_set(0, &set, offsets)
}

fn viewport(x: f32, [width, height]: [f32; 2], [min_depth, max_depth]: [f32; 2]) -> Viewport {
    Viewport {
        x,
        y: 0.0,
        width,
        height,
        min_depth,
        max_depth,
    }
}

/// Draws from a buffer of vertices of 8 bytes, 12 apart.
fn vertices(t: &Fixture, step: VertexStepMode, bytes: u64, count: u32) -> Result<(), DrawError> {
    let layout = pipeline_layout(t, &[], 0).unwrap();
    let pipeline = build(t, &layout, "white", |desc| {
        desc.vertex.entry = Some("fetching");
        desc.buffers = Vec::leak(vec![VertexBufferLayout {
            stride: 12,
            step,
            attributes: Vec::leak(vec![attribute(0, VertexFormat::Float32x2, 0)]),
        }]);
    });
    let mut commands = drawing(t, &pipeline.unwrap());
    let buffer = t.buffer(bytes, BufferUsages::VERTEX);
    commands.bind_vertex_buffer(0, &buffer, 0).unwrap();
    match step {
        VertexStepMode::Vertex => commands.draw(0..count, 0..1),
        VertexStepMode::Instance => commands.draw(0..1, 0..count),
    }
}

/// Draws with a uniform or storage buffer of some bytes.
fn set_size(t: &Fixture, text: &str, ty: BindingType, bytes: u64) -> Result<(), DrawError> {
    let text = format!(
        "{text}
         @vertex fn vertex() -> @builtin(position) vec4f {{ return vec4f(0.0); }}
         @fragment fn fragment() -> @location(0) vec4f {{ return vec4f(f32(take())); }}"
    );
    let module = t
        .device
        .create_shader_module(&ShaderModuleDescriptor::wgsl(&text));
    let module = module.unwrap();
    let sets = layout(t, &[entry(0, ty)]).unwrap();
    let pipeline = t
        .device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            layout: Some(&pipeline_layout(t, &[&sets], 0).unwrap()),
            fragment: Some((&module).into()),
            targets: &[Some(COLOR.into())],
            ..GraphicsPipelineDescriptor::new(&module)
        });
    let buffer = t.buffer(bytes, BufferUsages::UNIFORM | BufferUsages::STORAGE);
    let set = set_of(t, &sets, (&buffer).into());
    let mut commands = drawing(t, &pipeline.unwrap());
    commands.bind_descriptor_set(0, &set, &[]).unwrap();
    commands.draw(0..3, 0..1)
}

/// A device that takes arguments from memory.
fn indirect(
    [bytes, offset]: [u64; 2],
    [draws, stride]: [u32; 2],
    indexed: bool,
) -> Result<(), DrawError> {
    let mut chips = Instance::new().physical_devices();
    let chip = chips.find(|gpu| gpu.limits().indirect_draws).unwrap();
    let t = &Fixture::on(chip);
    let arguments = t.buffer(bytes, BufferUsages::INDIRECT);
    let mut commands = drawing(t, &plain(t));
    let indices = t.buffer(6, BufferUsages::INDEX);
    commands
        .bind_index_buffer(&indices, 0, IndexFormat::Uint16)
        .unwrap();
    match indexed {
        true => commands.draw_indexed_indirect(&arguments, offset, draws, stride),
        false => commands.draw_indirect(&arguments, offset, draws, stride),
    }
}

/// Reads a slice of an image with two layers while the other, or the same, is drawn to.
fn feedback(t: &Fixture, layer: u32) -> Result<(), DrawError> {
    let image = t.device.create_image(&ImageDescriptor {
        size: extent(16, 16, 2),
        ..crate::image(COLOR, ATTACHED | TextureUsages::TEXTURE_BINDING)
    });
    let view = |base_array_layer| {
        let desc = ImageViewDescriptor {
            dimension: Some(TextureViewDimension::D2),
            base_array_layer,
            ..Default::default()
        };
        t.device
            .create_image_view(image.as_ref().unwrap(), &desc)
            .unwrap()
    };
    let sets = layout(t, &[entry(0, sampled())]).unwrap();
    let set = set_of(t, &sets, (&view(layer)).into());
    let layout = pipeline_layout(t, &[&sets], 0).unwrap();
    let pipeline = build(t, &layout, "white", |_| {}).unwrap();
    let mut commands = t.commands();
    begin(&mut commands, &[color(&view(0))]).unwrap();
    commands.bind_pipeline(&pipeline).unwrap();
    commands.bind_descriptor_set(0, &set, &[]).unwrap();
    commands.draw(0..3, 0..1)
}

/// Declarations of bindings and of a function that uses them.
const ROW: &str = "struct Row { a: vec4f, b: f32 }
    @group(0) @binding(0) var<uniform> row: Row;
    fn take() -> f32 { return row.b; }";
const WORDS: &str = "@group(0) @binding(0) var<storage, read> words: array<vec2u>;
    fn take() -> u32 { return words[3].y; }";
const TAIL: &str = "struct Tail { count: u32, pairs: array<vec2u> }
    @group(0) @binding(0) var<storage, read> tail: Tail;
    fn take() -> u32 { return tail.count; }";

fn reading() -> BindingType {
    BindingType::Buffer {
        ty: BufferBindingType::Storage { read_only: true },
        has_dynamic_offset: false,
        min_binding_size: None,
    }
}

bounds! {
    pass_attachments "pass-attachments" = |t, count: u32| {
        let views: Vec<ImageView> = (0..count).map(|_| t.target()).collect();
        let colors: Vec<_> = views.iter().map(color).collect();
        begin(&mut t.commands(), &colors)
    };
    accepts [1, t.device.limits().color_attachments]; refuses [0, t.device.limits().color_attachments + 1];

    pass_view "pass-view" = |t, range: [u32; 2]| {
        let image = t.device.create_image(&ImageDescriptor {
            size: extent(16, 16, 2),
            levels: 2,
            ..crate::image(COLOR, ATTACHED)
        });
        let desc = ImageViewDescriptor {
            mip_level_count: Some(range[0]),
            array_layer_count: Some(range[1]),
            ..Default::default()
        };
        let view = t.device.create_image_view(&image.unwrap(), &desc).unwrap();
        begin(&mut t.commands(), &[color(&view)])
    };
    accepts [[1, 1], [1, 2]]; refuses [[2, 1], [2, 2]];

    pass_size "pass-size" = |t, size| begin(&mut t.commands(), &[color(&t.target()), color(&target(t, size))]);
    accepts [[16, 16]]; refuses [[15, 16], [17, 16], [16, 15], [16, 17]];

    pass_layers "pass-layers" = |t, counts| {
        let image = || t.device.create_image(&ImageDescriptor { size: extent(16, 16, 3), ..crate::image(COLOR, ATTACHED) });
        let view = |count| t.device.create_image_view(&image().unwrap(), &ImageViewDescriptor {
            dimension: Some(TextureViewDimension::D2Array),
            array_layer_count: Some(count),
            ..Default::default()
        }).unwrap();
        let [first, second] = counts;
        begin(&mut t.commands(), &[color(&view(first)), color(&view(second))])
    };
    accepts [[1, 1], [2, 2], [3, 3]]; refuses [[1, 2], [3, 2]];

    pass_twice "pass-twice" = |t, layer| {
        let image = t.device.create_image(&ImageDescriptor { size: extent(16, 16, 2), ..crate::image(COLOR, ATTACHED) });
        let view = |base_array_layer| t.device.create_image_view(image.as_ref().unwrap(), &ImageViewDescriptor {
            dimension: Some(TextureViewDimension::D2),
            base_array_layer,
            ..Default::default()
        }).unwrap();
        begin(&mut t.commands(), &[color(&view(0)), color(&view(layer))])
    };
    accepts [1]; refuses [0];

    pass_samples "pass-samples" = |t, several: [bool; 2]| {
        let views = several.map(|several| if several { multisampled(t) } else { t.target() });
        begin(&mut t.commands(), &[color(&views[0]), color(&views[1])])
    };
    accepts [[true, true], [false, false]]; refuses [[true, false], [false, true]];

    pass_depth_clear "pass-depth-clear" = |t, value| {
        let view = t.view(TextureFormat::Depth32Float, ATTACHED);
        t.commands().begin_pass(&RenderPass { depth_stencil: depth_attachment(&view, value), ..RenderPass::default() })
    };
    accepts [0.0, 1.0]; refuses [1.0_f32.next_up(), -f32::MIN_POSITIVE, f32::NAN];

    vertex_slot "command-vertex-slot" = |t, slot| {
        open(t).bind_vertex_buffer(slot, &t.buffer(16, BufferUsages::VERTEX), 0)
    };
    accepts [0, t.device.limits().vertex_buffers - 1]; refuses [t.device.limits().vertex_buffers, u32::MAX];

    set_index "command-set-index" = |t, index| {
        let layout = layout(t, &[entry(0, uniform())]).unwrap();
        let set = set_of(t, &layout, (&t.buffer(16, BufferUsages::UNIFORM)).into());
        open(t).bind_descriptor_set(index, &set, &[])
    };
    accepts [0, MAX_DESCRIPTOR_SETS - 1]; refuses [MAX_DESCRIPTOR_SETS, u32::MAX];

    dynamic_offset_count "command-dynamic-offset" = |t, count| offset_by(t, None, None, &vec![0; count]);
    accepts [1]; refuses [0, 2];

    dynamic_offset "command-dynamic-offset" = |t, offset| offset_by(t, Some(256), None, &[offset]);
    accepts [0, 256, 768]; refuses [1, 255, 1024, u32::MAX - 255];

    dynamic_offset_to_the_end "command-dynamic-offset" = |t, offset| offset_by(t, None, None, &[offset]);
    accepts [0, 768]; refuses [1024, 1280, u32::MAX - 255];

    dynamic_offset_of_least_size "command-dynamic-offset" = |t, offset| offset_by(t, None, Some(512), &[offset]);
    accepts [0, 512]; refuses [768];

    push_constants "command-push-constants" = |t, place: (u32, usize)| open(t).push_constants(place.0, &vec![0; place.1]);
    accepts [(0, MAX_PUSH_CONSTANT_BYTES as usize), (MAX_PUSH_CONSTANT_BYTES - 4, 4), (MAX_PUSH_CONSTANT_BYTES, 0)];
    refuses [(0, MAX_PUSH_CONSTANT_BYTES as usize + 4), (MAX_PUSH_CONSTANT_BYTES, 4), (2, 4), (0, 2), (u32::MAX - 3, 4)];

    viewport_area "command-viewport" = |t, size| open(t).set_viewport(viewport(0.0, size, [0.0, 1.0]));
    accepts [[f32::MIN_POSITIVE, 1.0], [1.0, f32::MIN_POSITIVE], [1.0, -1.0]];
    refuses [[0.0, 1.0], [-1.0, 1.0], [1.0, 0.0], [f32::INFINITY, 1.0], [1.0, f32::NAN]];

    viewport_depth "command-viewport" = |t, depth| open(t).set_viewport(viewport(0.0, [1.0, 1.0], depth));
    accepts [[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]];
    refuses [[-f32::MIN_POSITIVE, 1.0], [0.0, 1.0_f32.next_up()], [1.0_f32.next_up(), 1.0], [0.0, f32::NAN]];

    viewport_place "command-viewport" = |t, x| open(t).set_viewport(viewport(x, [1.0, 1.0], [0.0, 1.0]));
    accepts [-100.0, f32::MAX]; refuses [f32::INFINITY, f32::NAN];

    viewport_index "command-viewport-index" = |t, first| {
        open(t).set_viewports(first, &[viewport(0.0, [1.0, 1.0], [0.0, 1.0])])
    };
    accepts [0, t.device.limits().viewports - 1]; refuses [t.device.limits().viewports, u32::MAX];

    scissor "command-scissor" = |t, rect: [u32; 4]| {
        let [x, y, width, height] = rect;
        open(t).set_scissor(Rect { x, y, width, height })
    };
    accepts [[0, 0, 16, 16], [8, 8, 8, 8], [16, 16, 0, 0]];
    refuses [[0, 0, 17, 16], [0, 0, 16, 17], [8, 8, 9, 8], [8, 8, 8, 9], [17, 0, 0, 0], [0, u32::MAX, 1, 1]];

    draw_samples "draw-samples" = |t, several: bool| {
        let view = if several { multisampled(t) } else { t.target() };
        let mut commands = t.commands();
        begin(&mut commands, &[color(&view)]).unwrap();
        commands.bind_pipeline(&plain(t)).unwrap();
        commands.draw(0..3, 0..1)
    };
    accepts [false]; refuses [true];

    uniform_size "draw-set-size" = |t, bytes| set_size(t, ROW, uniform(), bytes);
    accepts [32, 36]; refuses [1, 20, 31];

    array_size "draw-set-size" = |t, bytes| set_size(t, WORDS, reading(), bytes);
    accepts [8, 12]; refuses [4, 7];

    tail_size "draw-set-size" = |t, bytes| set_size(t, TAIL, reading(), bytes);
    accepts [16, 24]; refuses [8, 15];

    vertex_range "draw-vertex-range" = |t, case: (u64, u32)| vertices(t, VertexStepMode::Vertex, case.0, case.1);
    accepts [(36, 3), (32, 3), (8, 1), (4, 0)]; refuses [(31, 3), (43, 4), (36, 4), (7, 1), (32, u32::MAX)];

    instance_range "draw-vertex-range" = |t, case: (u64, u32)| vertices(t, VertexStepMode::Instance, case.0, case.1);
    accepts [(36, 3), (32, 3), (8, 1)]; refuses [(31, 3), (36, 4), (7, 1)];

    vertex_range_from_an_offset "draw-vertex-range" = |t, offset| {
        let mut commands = drawing(t, &fetching(t));
        commands.bind_vertex_buffer(0, &t.buffer(32, BufferUsages::VERTEX), offset).unwrap();
        commands.draw(1..3, 0..1)
    };
    accepts [0, 8]; refuses [12, 16];

    index_range "draw-index-range" = |t, end| {
        let mut commands = drawing(t, &plain(t));
        commands.bind_index_buffer(&t.buffer(8, BufferUsages::INDEX), 2, IndexFormat::Uint16).unwrap();
        commands.draw_indexed(0..end, 0, 0..1)
    };
    accepts [0, 3]; refuses [4, u32::MAX];

    draw_range "draw-range" = |t, range: [u32; 2]| drawing(t, &plain(t)).draw(range[0]..range[1], range[0]..range[1]);
    accepts [[3, 3], [3, 4], [0, u32::MAX]]; refuses [[3, 2], [1, 0], [u32::MAX, 0]];

    indirect_align "draw-indirect-align" = |_t, case: ([u64; 2], [u32; 2], bool)| indirect(case.0, case.1, case.2);
    accepts [([64, 4], [2, 16], false), ([64, 0], [2, 20], true), ([64, 0], [1, 0], false)];
    refuses [([64, 2], [1, 16], false), ([64, 0], [2, 12], false), ([64, 0], [2, 18], false), ([64, 0], [2, 16], true)];

    indirect_range "draw-indirect-range" = |_t, case: ([u64; 2], [u32; 2], bool)| indirect(case.0, case.1, case.2);
    accepts [([64, 48], [1, 0], false), ([64, 0], [4, 16], false), ([40, 0], [2, 20], true), ([64, 64], [0, 16], false)];
    refuses [
        ([64, 52], [1, 0], false), ([64, 0], [5, 16], false), ([39, 0], [2, 20], true), ([64, 4], [u32::MAX, u32::MAX - 3], false),
        ([64, u64::MAX - 3], [1, 0], false),
    ];

    draw_feedback "draw-feedback" = |t, layer| feedback(t, layer);
    accepts [1]; refuses [0];

    submit_set "submit-set" = |t, bytes| {
        let (pipeline, layout) = bound(t);
        let set = set_of(t, &layout, (&t.buffer(32, BufferUsages::UNIFORM)).into());
        let target = t.target();
        let mut commands = t.commands();
        commands.transition_all(&[(target.image(), ImageLayout::ColorAttachment)]).unwrap();
        begin(&mut commands, &[color(&target)]).unwrap();
        commands.bind_pipeline(&pipeline).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        commands.draw(0..3, 0..1).unwrap();
        commands.end_pass().unwrap();
        set.update(&[(0, (&t.buffer(bytes, BufferUsages::UNIFORM)).into())]).unwrap();
        t.queue.submit(&[&commands], &[])
    };
    accepts [16]; refuses [15, 4];
}

/// A pass in which one aspect is read only takes pipelines that leave that aspect alone.
#[test]
fn one_aspect_is_read_only() {
    let t = &Fixture::new();
    let format = TextureFormat::Depth32FloatStencil8;
    let layout = pipeline_layout(t, &[], 0).unwrap();
    let write = AspectAccess::Write {
        load: LoadOp::Clear(0),
        store: StoreOp::Store,
    };
    let face = |pass_op| StencilFaceState {
        compare: CompareFunction::Always,
        fail_op: StencilOperation::Keep,
        depth_fail_op: StencilOperation::Keep,
        pass_op,
    };
    // Stencil of the pass, operation and write mask of the pipeline.
    for (stencil, operation, write_mask, accepted) in [
        (write, StencilOperation::Replace, 0xff, true),
        (
            AspectAccess::ReadOnly,
            StencilOperation::Replace,
            0xff,
            false,
        ),
        (AspectAccess::ReadOnly, StencilOperation::Replace, 1, false),
        (AspectAccess::ReadOnly, StencilOperation::Replace, 0, true),
        (AspectAccess::ReadOnly, StencilOperation::Keep, 0xff, true),
    ] {
        let pipeline = build(t, &layout, "white", |desc| {
            let mut state = depth(format);
            state.depth_write_enabled = Some(false);
            state.stencil = StencilState {
                front: face(operation),
                back: face(operation),
                read_mask: 0xff,
                write_mask,
            };
            desc.depth_stencil = Some(state);
        });
        let (target, view) = (t.target(), t.view(format, ATTACHED));
        let mut commands = t.commands();
        let attachment = DepthStencilAttachment {
            depth: AspectAccess::ReadOnly,
            stencil,
            ..DepthStencilAttachment::from(&view)
        };
        let pass = RenderPass {
            label: Some("pass"),
            colors: &[color(&target)],
            depth_stencil: Some(attachment),
        };
        commands.begin_pass(&pass).unwrap();
        commands.bind_pipeline(&pipeline.unwrap()).unwrap();
        let drawn = commands.draw(0..3, 0..1);
        let rule = drawn.as_ref().err().map(DrawError::rule);
        let expected = (!accepted).then_some("draw-read-only");
        assert_eq!(rule, expected, "{stencil:?}, {operation:?}, {write_mask}");
        if let Err(error) = drawn {
            assert!(error.to_string().contains("writes stencil"), "{error}");
        }
    }
}

/// The storage buffer of a shader that stores is as large as its type, too.
#[test]
fn stored_buffers_are_large_enough() {
    let t = &Fixture::with(|features| features.shader_stores);
    let text = "@group(0) @binding(0) var<storage, read_write> words: array<vec4u, 2>;
        fn take() -> u32 { words[0].x = 1u; return 1u; }";
    set_size(t, text, storage(), 32).unwrap();
    let error = set_size(t, text, storage(), 31).unwrap_err();
    let expected = "descriptor set \"set\" at 0 binds 31 bytes of buffer \"buffer\" to binding 0, but `words` of the \
        fragment shader of graphics pipeline #2 takes 32";
    assert_eq!(error.to_string(), expected);
}
