//! Rules of passes, commands, draws, copies and submissions.

use girih::*;

use crate::pipelines::{attribute, build, depth, pipeline_layout};
use crate::sets::{dynamic, entry, layout, sampled, uniform};
use crate::{Fixture, breaks, extent};

pub const COLOR: TextureFormat = TextureFormat::Rgba8Unorm;
pub const ATTACHED: TextureUsages = TextureUsages::RENDER_ATTACHMENT;
pub const COPIED: TextureUsages = TextureUsages::COPY_SRC.union(TextureUsages::COPY_DST);

pub fn color(view: &ImageView) -> Option<ColorAttachment<'_>> {
    Some(ColorAttachment {
        view,
        resolve: None,
        load: LoadOp::Clear(Color::BLACK),
        store: StoreOp::Store,
    })
}

pub fn begin(
    commands: &mut CommandBuffer,
    colors: &[Option<ColorAttachment<'_>>],
) -> Result<(), PassError> {
    commands.begin_pass(&RenderPass {
        label: Some("pass"),
        colors,
        depth_stencil: None,
    })
}

/// A command buffer with an open pass on a 16 by 16 target.
pub fn open(t: &Fixture) -> CommandBuffer {
    let mut commands = t.commands();
    let target = t.target();
    begin(&mut commands, &[color(&target)]).unwrap();
    commands
}

pub fn depth_attachment(view: &ImageView, clear: f32) -> Option<DepthStencilAttachment<'_>> {
    Some(DepthStencilAttachment {
        view,
        depth: AspectAccess::Write {
            load: LoadOp::Clear(clear),
            store: StoreOp::Store,
        },
        stencil: AspectAccess::ReadOnly,
        resolve: None,
    })
}

/// An attachment of four samples.
pub fn multisampled(t: &Fixture) -> ImageView {
    let desc = ImageDescriptor {
        samples: 4,
        ..crate::image(COLOR, ATTACHED | COPIED)
    };
    t.view_of(&t.device.create_image(&desc).unwrap())
}

pub fn plain(t: &Fixture) -> GraphicsPipeline {
    let layout = pipeline_layout(t, &[], 0).unwrap();
    build(t, &layout, "white", |_| {}).unwrap()
}

/// A pipeline that reads a uniform buffer, and its set layout.
pub fn bound(t: &Fixture) -> (GraphicsPipeline, DescriptorSetLayout) {
    let set = layout(t, &[entry(0, uniform())]).unwrap();
    let layout = pipeline_layout(t, &[&set], 0).unwrap();
    (build(t, &layout, "bound", |_| {}).unwrap(), set)
}

/// A pipeline that reads one vertex buffer of a stride of 8 bytes.
pub fn fetching(t: &Fixture) -> GraphicsPipeline {
    let layout = pipeline_layout(t, &[], 0).unwrap();
    build(t, &layout, "white", |desc| {
        desc.vertex.entry = Some("fetching");
        desc.buffers = Vec::leak(vec![VertexBufferLayout {
            stride: 8,
            step: VertexStepMode::Vertex,
            attributes: Vec::leak(vec![attribute(0, VertexFormat::Float32x2, 0)]),
        }]);
    })
    .unwrap()
}

pub fn set_of(t: &Fixture, layout: &DescriptorSetLayout, descriptor: Descriptor) -> DescriptorSet {
    t.device
        .create_descriptor_set(&DescriptorSetDescriptor {
            label: Some("set"),
            layout,
            entries: &[(0, descriptor)],
        })
        .unwrap()
}

pub fn drawing(t: &Fixture, pipeline: &GraphicsPipeline) -> CommandBuffer {
    let mut commands = open(t);
    commands.bind_pipeline(pipeline).unwrap();
    commands
}

pub fn host_copy(
    t: &Fixture,
    image: &Image,
    level: u32,
    size: Extent3d,
) -> Result<Vec<u8>, CopyError> {
    t.queue.transition(image, ImageLayout::General).unwrap();
    t.queue.read_image(&ImageCopy::level(image, level), size)
}

breaks! {
    pass_nested "pass-nested" = |t| begin(&mut open(t), &[color(&t.target())]);
    pass_open "pass-open" = |t| t.commands().end_pass();
    pass_attachments "pass-attachments" = |t| begin(&mut t.commands(), &[]);
    pass_view "pass-view" = |t| {
        let view = t.view(COLOR, TextureUsages::TEXTURE_BINDING);
        begin(&mut t.commands(), &[color(&view)])
    };
    pass_format "pass-format" = |t| {
        let view = t.view(TextureFormat::Depth32Float, ATTACHED);
        begin(&mut t.commands(), &[color(&view)])
    };
    pass_size "pass-size" = |t| {
        let other = t.device.create_image(&ImageDescriptor {
            size: extent(8, 8, 1),
            ..crate::image(COLOR, ATTACHED)
        }).unwrap();
        begin(&mut t.commands(), &[color(&t.target()), color(&t.view_of(&other))])
    };
    pass_layers "pass-layers" = |t| {
        let several = t.device.create_image(&ImageDescriptor {
            size: extent(16, 16, 2),
            ..crate::image(COLOR, ATTACHED)
        }).unwrap();
        begin(&mut t.commands(), &[color(&t.target()), color(&t.view_of(&several))])
    };
    pass_twice "pass-twice" = |t| {
        let view = t.target();
        begin(&mut t.commands(), &[color(&view), color(&view)])
    };
    pass_resolve "pass-resolve" = |t| {
        let (view, resolve) = (t.target(), t.target());
        let attachment = ColorAttachment { resolve: Some((&resolve).into()), ..color(&view).unwrap() };
        begin(&mut t.commands(), &[Some(attachment)])
    };
    pass_samples "pass-samples" = |t| {
        let (one, four) = (t.target(), multisampled(t));
        begin(&mut t.commands(), &[color(&one), color(&four)])
    };
    pass_depth_clear "pass-depth-clear" = |t| {
        let view = t.view(TextureFormat::Depth32Float, ATTACHED);
        t.commands().begin_pass(&RenderPass {
            depth_stencil: depth_attachment(&view, 1.5),
            ..RenderPass::default()
        })
    };

    command_inside_pass "command-inside-pass" = |t| t.commands().bind_pipeline(&plain(t));
    command_outside_pass "command-outside-pass" = |t| {
        let buffer = t.buffer(16, BufferUsages::COPY_DST);
        open(t).fill_buffer(&buffer, 0..16, 0)
    };
    command_buffer_usage "command-buffer-usage" = |t| {
        let buffer = t.buffer(16, BufferUsages::COPY_DST);
        open(t).bind_vertex_buffer(0, &buffer, 0)
    };
    command_buffer_range "command-buffer-range" = |t| {
        let buffer = t.buffer(16, BufferUsages::COPY_DST);
        t.commands().fill_buffer(&buffer, 8..20, 0)
    };
    command_buffer_align "command-buffer-align" = |t| {
        let buffer = t.buffer(16, BufferUsages::COPY_DST);
        t.commands().fill_buffer(&buffer, 2..10, 0)
    };
    command_vertex_slot "command-vertex-slot" = |t| {
        let buffer = t.buffer(16, BufferUsages::VERTEX);
        open(t).bind_vertex_buffer(99, &buffer, 0)
    };
    command_set_index "command-set-index" = |t| {
        let layout = layout(t, &[entry(0, uniform())]).unwrap();
        let buffer = t.buffer(16, BufferUsages::UNIFORM);
        let set = set_of(t, &layout, (&buffer).into());
        open(t).bind_descriptor_set(99, &set, &[])
    };
    command_dynamic_offset "command-dynamic-offset" = |t| {
        let layout = layout(t, &[entry(0, dynamic())]).unwrap();
        let buffer = t.buffer(16, BufferUsages::UNIFORM);
        let set = set_of(t, &layout, (&buffer).into());
        open(t).bind_descriptor_set(0, &set, &[])
    };
    command_push_constants "command-push-constants" = |t| open(t).push_constants(2, &[0; 4]);
    command_viewport "command-viewport" = |t| open(t).set_viewport(Viewport {
        x: 0.0,
        y: 0.0,
        width: 0.0,
        height: 16.0,
        min_depth: 0.0,
        max_depth: 1.0,
    });
    command_viewport_index "command-viewport-index" = |t| {
        let viewport = Viewport { x: 0.0, y: 0.0, width: 1.0, height: 1.0, min_depth: 0.0, max_depth: 1.0 };
        open(t).set_viewports(t.device.limits().viewports, &[viewport])
    };
    command_scissor "command-scissor" = |t| open(t).set_scissor(Rect { x: 8, y: 8, width: 8, height: 9 });
    command_subresources "command-subresources" = |t| {
        let image = t.image(COLOR, ATTACHED);
        let range = Subresources { level: 0, levels: 2, layer: 0, layers: 1 };
        t.commands().transition_range(&image, range, ImageLayout::Undefined, ImageLayout::General)
    };
    command_transition "command-transition" = |t| {
        let image = t.image(COLOR, ATTACHED);
        t.commands().transition(&image, ImageLayout::Undefined, ImageLayout::Undefined)
    };

    command_transition_device "command-transition-device" = |t| {
        let image = Fixture::new().image(COLOR, ATTACHED);
        t.queue.transition(&image, ImageLayout::General)
    };

    draw_pass "draw-pass" = |t| t.commands().draw(0..3, 0..1);
    draw_pipeline "draw-pipeline" = |t| open(t).draw(0..3, 0..1);
    draw_attachment_format "draw-attachment-format" = |t| {
        let view = t.view(TextureFormat::Rgba16Float, ATTACHED);
        let mut commands = t.commands();
        begin(&mut commands, &[color(&view)]).unwrap();
        commands.bind_pipeline(&plain(t)).unwrap();
        commands.draw(0..3, 0..1)
    };
    draw_samples "draw-samples" = |t| {
        let mut commands = t.commands();
        begin(&mut commands, &[color(&multisampled(t))]).unwrap();
        commands.bind_pipeline(&plain(t)).unwrap();
        commands.draw(0..3, 0..1)
    };
    draw_read_only "draw-read-only" = |t| {
        let layout = pipeline_layout(t, &[], 0).unwrap();
        let pipeline = build(t, &layout, "white", |desc| {
            desc.depth_stencil = Some(depth(TextureFormat::Depth32Float));
        }).unwrap();
        let (target, view) = (t.target(), t.view(TextureFormat::Depth32Float, ATTACHED));
        let mut commands = t.commands();
        commands.begin_pass(&RenderPass {
            label: None,
            colors: &[color(&target)],
            depth_stencil: Some(DepthStencilAttachment {
                view: &view,
                depth: AspectAccess::ReadOnly,
                stencil: AspectAccess::ReadOnly,
                resolve: None,
            }),
        }).unwrap();
        commands.bind_pipeline(&pipeline).unwrap();
        commands.draw(0..3, 0..1)
    };
    draw_set "draw-set" = |t| drawing(t, &bound(t).0).draw(0..3, 0..1);
    draw_set_layout "draw-set-layout" = |t| {
        let other = layout(t, &[entry(0, dynamic())]).unwrap();
        let buffer = t.buffer(256, BufferUsages::UNIFORM);
        let set = set_of(t, &other, (&buffer).into());
        let mut commands = drawing(t, &bound(t).0);
        commands.bind_descriptor_set(0, &set, &[0]).unwrap();
        commands.draw(0..3, 0..1)
    };
    draw_set_size "draw-set-size" = |t| {
        let (pipeline, layout) = bound(t);
        let set = set_of(t, &layout, (&t.buffer(12, BufferUsages::UNIFORM)).into());
        let mut commands = drawing(t, &pipeline);
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        // A draw that was refused is refused again.
        commands.draw(0..3, 0..1).unwrap_err();
        commands.draw(0..3, 0..1)
    };
    draw_vertex_buffer "draw-vertex-buffer" = |t| drawing(t, &fetching(t)).draw(0..3, 0..1);
    draw_vertex_range "draw-vertex-range" = |t| {
        let mut commands = drawing(t, &fetching(t));
        commands.bind_vertex_buffer(0, &t.buffer(16, BufferUsages::VERTEX), 0).unwrap();
        commands.draw(0..3, 0..1)
    };
    draw_index_buffer "draw-index-buffer" = |t| drawing(t, &plain(t)).draw_indexed(0..3, 0, 0..1);
    draw_index_range "draw-index-range" = |t| {
        let mut commands = drawing(t, &plain(t));
        let indices = t.buffer(4, BufferUsages::INDEX);
        commands.bind_index_buffer(&indices, 0, IndexFormat::Uint16).unwrap();
        commands.draw_indexed(0..3, 0, 0..1)
    };
    draw_indirect "draw-indirect" = |_t| {
        // A device without them.
        let mut devices = Instance::new().physical_devices();
        let gpu = devices.find(|gpu| !gpu.info().limits.indirect_draws).unwrap();
        let device = gpu.create_device(&DeviceDescriptor::default()).unwrap();
        let other = &Fixture { queue: device.queue(), device };
        let arguments = other.buffer(16, BufferUsages::INDIRECT);
        drawing(other, &plain(other)).draw_indirect(&arguments, 0, 1, 0)
    };
    draw_indirect_usage "draw-indirect-usage" = |t| {
        let arguments = t.buffer(16, BufferUsages::VERTEX);
        drawing(t, &plain(t)).draw_indirect(&arguments, 0, 1, 0)
    };
    draw_indirect_align "draw-indirect-align" = |t| {
        let arguments = t.buffer(64, BufferUsages::INDIRECT);
        drawing(t, &plain(t)).draw_indirect(&arguments, 0, 2, 12)
    };
    draw_indirect_range "draw-indirect-range" = |t| {
        let arguments = t.buffer(64, BufferUsages::INDIRECT);
        drawing(t, &plain(t)).draw_indirect(&arguments, 4, u32::MAX, u32::MAX - 3)
    };
    #[allow(clippy::reversed_empty_ranges)]
    draw_range "draw-range" = |t| drawing(t, &plain(t)).draw(3..0, 0..1);
    draw_strip_format "draw-strip-format" = |t| {
        let layout = pipeline_layout(t, &[], 0).unwrap();
        let pipeline = build(t, &layout, "white", |desc| {
            desc.primitive.topology = PrimitiveTopology::TriangleStrip;
            desc.primitive.strip_index_format = Some(IndexFormat::Uint32);
        }).unwrap();
        let mut commands = drawing(t, &pipeline);
        let indices = t.buffer(16, BufferUsages::INDEX);
        commands.bind_index_buffer(&indices, 0, IndexFormat::Uint16).unwrap();
        commands.draw_indexed(0..3, 0, 0..1)
    };
    draw_feedback "draw-feedback" = |t| {
        let view = t.view(COLOR, ATTACHED | TextureUsages::TEXTURE_BINDING);
        let set_layout = layout(t, &[entry(0, sampled())]).unwrap();
        let set = set_of(t, &set_layout, (&view).into());
        let layout = pipeline_layout(t, &[&set_layout], 0).unwrap();
        let pipeline = build(t, &layout, "white", |_| {}).unwrap();
        let mut commands = t.commands();
        begin(&mut commands, &[color(&view)]).unwrap();
        commands.bind_pipeline(&pipeline).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        // A draw that was refused is refused again.
        commands.draw(0..3, 0..1).unwrap_err();
        commands.draw(0..3, 0..1)
    };

    copy_usage "copy-usage" = |t| host_copy(t, &t.image(COLOR, ATTACHED), 0, extent(16, 16, 1));
    copy_region "copy-region" = |t| host_copy(t, &t.image(COLOR, COPIED), 0, extent(17, 16, 1));
    copy_blocks "copy-blocks" = |t| host_copy(t, &t.image(TextureFormat::Bc1RgbaUnorm, COPIED), 0, extent(6, 4, 1));
    copy_samples "copy-samples" = |t| host_copy(t, multisampled(t).image(), 0, extent(16, 16, 1));
    copy_aspect "copy-aspect" = |t| {
        let format = TextureFormat::Depth32FloatStencil8;
        host_copy(t, &t.image(format, COPIED), 0, extent(16, 16, 1))
    };
    copy_bytes "copy-bytes" = |t| {
        let image = t.image(COLOR, COPIED);
        let buffer = t.buffer(1000, BufferUsages::COPY_SRC);
        t.commands().copy_buffer_to_image(&BufferCopy::at(&buffer, 0), &ImageCopy::level(&image, 0), extent(16, 16, 1))
    };
    copy_pitch "copy-pitch" = |t| {
        let image = t.image(COLOR, COPIED);
        let buffer = t.buffer(4096, BufferUsages::COPY_SRC);
        let from = BufferCopy { bytes_per_row: Some(60), ..BufferCopy::at(&buffer, 0) };
        t.commands().copy_buffer_to_image(&from, &ImageCopy::level(&image, 0), extent(16, 16, 1))
    };
    copy_format "copy-format" = |t| {
        let (from, to) = (t.image(COLOR, COPIED), t.image(TextureFormat::R8Unorm, COPIED));
        t.commands().copy_image(&ImageCopy::level(&from, 0), &ImageCopy::level(&to, 0), extent(16, 16, 1))
    };
    copy_layout "copy-layout" = |t| {
        let image = t.image(COLOR, COPIED);
        t.queue.read_image(&ImageCopy::level(&image, 0), extent(16, 16, 1))
    };
    copy_outside_pass "copy-outside-pass" = |t| {
        let image = t.image(COLOR, COPIED);
        let buffer = t.buffer(4096, BufferUsages::COPY_DST);
        open(t).copy_image_to_buffer(&ImageCopy::level(&image, 0), &BufferCopy::at(&buffer, 0), extent(16, 16, 1))
    };
    copy_picture "copy-picture" = |t| {
        let image = t.image(TextureFormat::R32Uint, COPIED);
        t.queue.transition(&image, ImageLayout::General).unwrap();
        t.queue.read_picture(&image)
    };

    submit_device "submit-device" = |t| Fixture::new().queue.submit(&[&t.commands()], &[]);
    submit_open_pass "submit-open-pass" = |t| t.queue.submit(&[&open(t)], &[]);
    submit_layout "submit-layout" = |t| {
        let mut commands = open(t);
        commands.end_pass().unwrap();
        t.queue.submit(&[&commands], &[])
    };
    submit_transition "submit-transition" = |t| {
        let mut commands = t.commands();
        let image = t.image(COLOR, COPIED);
        commands.transition(&image, ImageLayout::General, ImageLayout::CopySource).unwrap();
        t.queue.submit(&[&commands], &[])
    };
    submit_set "submit-set" = |t| {
        let (pipeline, layout) = bound(t);
        let set = set_of(t, &layout, (&t.buffer(16, BufferUsages::UNIFORM)).into());
        let target = t.target();
        let mut commands = t.commands();
        commands.transition_all(&[(target.image(), ImageLayout::ColorAttachment)]).unwrap();
        begin(&mut commands, &[color(&target)]).unwrap();
        commands.bind_pipeline(&pipeline).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        commands.draw(0..3, 0..1).unwrap();
        commands.end_pass().unwrap();
        set.update(&[(0, (&t.buffer(12, BufferUsages::UNIFORM)).into())]).unwrap();
        t.queue.submit(&[&commands], &[])
    };
    submit_fence "submit-fence" = |t| {
        let fence = t.device.create_fence(Some("fence"), 7);
        t.queue.submit(&[&t.commands()], &[(&fence, 6)])
    };
    submit_memory "submit-memory" = |t| {
        let buffer = t.buffer(256, BufferUsages::COPY_DST);
        let mut commands = t.commands();
        commands.fill_buffer(&buffer, 0..256, 1).unwrap();
        let heaps: Vec<Heap> = [16 << 20, 1 << 20, 64 << 10]
            .into_iter()
            .flat_map(|bytes| std::iter::from_fn(move || t.device.create_heap(&HeapDescriptor { label: None, bytes }).ok()))
            .collect();
        let rest: Vec<Buffer> = std::iter::from_fn(|| {
            t.device.create_buffer(&crate::buffer(4, BufferUsages::UNIFORM)).ok()
        }).collect();
        let result = t.queue.submit(&[&commands], &[]);
        drop((heaps, rest));
        result
    };
    device_lost "device-lost" = |t| crate::lost::run_endless_loop(&t.device);
}

/// Two attachments do not resolve into one image.
#[test]
fn resolves_have_images_of_their_own() {
    let t = &Fixture::new();
    let (one, other, target) = (multisampled(t), multisampled(t), t.target());
    let into = |view, to| {
        let resolve = Some(Resolve::from(to));
        color(view).map(|color| ColorAttachment { resolve, ..color })
    };
    let colors = [into(&one, &target), into(&other, &target)];
    let error = begin(&mut t.commands(), &colors).unwrap_err();
    assert_eq!(error.rule(), "pass-twice", "{error}");
    let second = t.target();
    let colors = [into(&one, &target), into(&other, &second)];
    begin(&mut t.commands(), &colors).unwrap();
}

/// Views that share a layer are one image twice, and all layers of an attachment are resolved.
#[test]
fn attachments_share_no_layer() {
    let t = &Fixture::with(|features| features.layered_passes);
    let image = t.device.create_image(&ImageDescriptor {
        size: extent(16, 16, 3),
        ..crate::image(COLOR, ATTACHED)
    });
    let image = image.unwrap();
    let view = |first: u32, count: u32| {
        let desc = ImageViewDescriptor {
            dimension: Some(TextureViewDimension::D2Array),
            base_array_layer: first,
            array_layer_count: Some(count),
            ..Default::default()
        };
        t.device.create_image_view(&image, &desc).unwrap()
    };
    let (low, high) = (view(0, 2), view(1, 2));
    let error = begin(&mut t.commands(), &[color(&low), color(&high)]).unwrap_err();
    assert_eq!(error.rule(), "pass-twice", "{error}");
    begin(&mut t.commands(), &[color(&view(0, 1)), color(&view(1, 1))]).unwrap();

    let one = multisampled(t);
    let attachment = color(&one).map(|color| ColorAttachment {
        resolve: Some((&low).into()),
        ..color
    });
    let error = begin(&mut t.commands(), &[attachment]).unwrap_err();
    assert_eq!(error.rule(), "pass-resolve", "{error}");
}

/// A device that draws to one layer at a time says so.
#[test]
fn layers_are_a_feature() {
    let t = &Fixture::with(|features| !features.layered_passes);
    let several = t.device.create_image(&ImageDescriptor {
        size: extent(16, 16, 6),
        ..crate::image(COLOR, ATTACHED)
    });
    let several = several.unwrap();
    let desc = ImageViewDescriptor {
        dimension: Some(TextureViewDimension::Cube),
        ..Default::default()
    };
    let view = t.device.create_image_view(&several, &desc).unwrap();
    let error = begin(&mut t.commands(), &[color(&view)]).unwrap_err();
    assert_eq!(error.rule(), "pass-view", "{error}");
}

/// A fence that is signalled twice grows, or nothing is run.
#[test]
fn fences_of_a_submission_grow() {
    let t = &Fixture::new();
    let buffer = t.buffer(4, BufferUsages::COPY_DST);
    let mut commands = t.commands();
    commands.fill_buffer(&buffer, 0..4, 9).unwrap();
    let fence = t.device.create_fence(None, 1);
    let error = t.queue.submit(&[&commands], &[(&fence, 5), (&fence, 3)]);
    assert_eq!(error.unwrap_err().rule(), "submit-fence");
    let mut bytes = [0; 4];
    buffer.read(0, &mut bytes).unwrap();
    assert_eq!((bytes, fence.value()), ([0; 4], 1));
    let signals = [(&fence, 3), (&fence, 5)];
    t.queue.submit(&[&commands], &signals).unwrap();
    assert_eq!(fence.value(), 5);
}
