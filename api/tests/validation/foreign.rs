//! Objects of one device where another is meant.

use girih::*;

use crate::pipelines::{build, pipeline_layout};
use crate::sets::{entry, layout, sampled, uniform};
use crate::{Fixture, breaks, buffer, extent, image};

const COLOR: TextureFormat = TextureFormat::Rgba8Unorm;
const USED: TextureUsages = TextureUsages::COPY_SRC
    .union(TextureUsages::COPY_DST)
    .union(TextureUsages::RENDER_ATTACHMENT)
    .union(TextureUsages::TEXTURE_BINDING);

fn heap(t: &Fixture) -> Heap {
    let desc = HeapDescriptor {
        label: Some("heap"),
        bytes: 1 << 16,
    };
    t.device.create_heap(&desc).unwrap()
}

fn placed(heap: &Heap) -> Option<Placement<'_>> {
    Some(Placement { heap, offset: 0 })
}

fn set_of(
    t: &Fixture,
    layout: &DescriptorSetLayout,
    descriptor: Descriptor,
) -> Result<DescriptorSet, SetError> {
    t.device.create_descriptor_set(&DescriptorSetDescriptor {
        label: Some("set"),
        layout,
        entries: &[(0, descriptor)],
    })
}

breaks! {
    buffer_placement_device "buffer-placement-device" = |t| {
        let heap = heap(&Fixture::new());
        t.device.create_buffer(&BufferDescriptor {
            placement: placed(&heap),
            ..buffer(16, BufferUsages::UNIFORM)
        })
    };
    image_placement_device "image-placement-device" = |t| {
        let heap = heap(&Fixture::new());
        t.device.create_image(&ImageDescriptor {
            placement: placed(&heap),
            ..image(COLOR, USED)
        })
    };
    view_device "view-device" = |t| {
        let image = Fixture::new().image(COLOR, USED);
        t.device.create_image_view(&image, &ImageViewDescriptor::default())
    };
    set_device "set-device" = |t| {
        let layout = layout(t, &[entry(0, uniform())]).unwrap();
        let buffer = Fixture::new().buffer(256, BufferUsages::UNIFORM);
        set_of(t, &layout, (&buffer).into())
    };
    pipeline_layout_device "pipeline-layout-device" = |t| {
        let set = layout(&Fixture::new(), &[]).unwrap();
        pipeline_layout(t, &[&set], 0)
    };
    pipeline_device "pipeline-device" = |t| {
        let layout = pipeline_layout(&Fixture::new(), &[], 0).unwrap();
        build(t, &layout, "white", |_| {})
    };
    copy_device "copy-device" = |t| {
        let other = Fixture::new();
        let image = other.image(COLOR, USED);
        other.queue.transition(&image, ImageLayout::General).unwrap();
        t.queue.read_image(&ImageCopy::level(&image, 0), extent(16, 16, 1))
    };
    submit_object "submit-object" = |t| {
        let buffer = Fixture::new().buffer(256, BufferUsages::COPY_DST);
        let mut commands = t.commands();
        commands.fill_buffer(&buffer, 0..256, 1).unwrap();
        t.queue.submit(&[&commands], &[])
    };
}

/// Sets take nothing of another device, whatever is bound and whichever chip it is of.
#[test]
fn sets_hold_objects_of_their_device() {
    let t = &Fixture::new();
    let others = Instance::new().physical_devices().map(Fixture::on);
    for other in others {
        let uniforms = layout(t, &[entry(0, uniform())]).unwrap();
        let textures = layout(t, &[entry(0, sampled())]).unwrap();
        let sampling = BindingType::Sampler(SamplerBindingType::Filtering);
        let samplers = layout(t, &[entry(0, sampling)]).unwrap();
        let (buffer, view) = (
            other.buffer(256, BufferUsages::UNIFORM),
            other.view(COLOR, USED),
        );
        let sampler = other.device.create_sampler(&SamplerDescriptor::default());
        let foreign = layout(&other, &[entry(0, uniform())]).unwrap();
        let own = t.buffer(256, BufferUsages::UNIFORM);
        let set = set_of(t, &uniforms, (&own).into()).unwrap();
        for made in [
            set_of(t, &textures, (&view).into()).map(drop),
            set_of(t, &samplers, (&sampler.unwrap()).into()).map(drop),
            set_of(t, &foreign, (&own).into()).map(drop),
            set.update(&[(0, (&buffer).into())]),
        ] {
            assert_eq!(made.unwrap_err().rule(), "set-device");
        }
    }
}

/// Whatever a command does with an object of another device, it is not run, and neither device is lost.
#[test]
fn commands_name_objects_of_their_device() {
    let t = &Fixture::new();
    for other in Instance::new().physical_devices().map(Fixture::on) {
        let (ours, theirs) = (t.image(COLOR, USED), other.image(COLOR, USED));
        t.queue.transition(&ours, ImageLayout::General).unwrap();
        other
            .queue
            .transition(&theirs, ImageLayout::General)
            .unwrap();
        let view = other.view_of(&theirs);
        let usage = BufferUsages::all() - BufferUsages::MAP_READ - BufferUsages::MAP_WRITE;
        let (near, far) = (t.buffer(4096, usage), other.buffer(4096, usage));
        let none = pipeline_layout(&other, &[], 0).unwrap();
        let pipeline = build(&other, &none, "white", |_| {}).unwrap();
        let uniforms = layout(&other, &[entry(0, uniform())]).unwrap();
        let set = set_of(&other, &uniforms, (&far).into()).unwrap();
        let attached = |view| {
            Some(ColorAttachment {
                view,
                resolve: None,
                load: LoadOp::Clear(Color::WHITE),
                store: StoreOp::Store,
            })
        };
        let own = t.view_of(&ours);
        let (from, to) = (ImageCopy::level(&theirs, 0), ImageCopy::level(&ours, 0));
        let size = extent(16, 16, 1);
        let inside = |commands: &mut CommandBuffer, view, record: &dyn Fn(&mut CommandBuffer)| {
            let colors = &[attached(view)];
            let pass = RenderPass {
                colors,
                ..RenderPass::default()
            };
            commands.begin_pass(&pass).unwrap();
            record(commands);
            commands.end_pass().unwrap();
        };
        type Record<'a> = &'a dyn Fn(&mut CommandBuffer);
        let records: [Record<'_>; 14] = [
            &|c| c.copy_image(&from, &to, size).unwrap(),
            &|c| c.copy_image(&to, &from, size).unwrap(),
            &|c| {
                let [from, to] = [&ours, &theirs].map(|image| ImageBlit::level(image, 0));
                c.blit_image(&from, &to, FilterMode::Nearest).unwrap();
            },
            &|c| {
                c.copy_image_to_buffer(&to, &BufferCopy::at(&far, 0), size)
                    .unwrap();
            },
            &|c| {
                c.copy_buffer_to_image(&BufferCopy::at(&far, 0), &to, size)
                    .unwrap();
            },
            &|c| {
                c.copy_buffer(&BufferCopy::at(&near, 0), &BufferCopy::at(&far, 0), 8)
                    .unwrap();
            },
            &|c| c.update_buffer(&far, 0, &[0; 4]).unwrap(),
            &|c| {
                c.transition(&theirs, ImageLayout::General, ImageLayout::CopySource)
                    .unwrap();
            },
            &|c| {
                c.clear_color_image(&theirs, theirs.subresources(), Color::WHITE)
                    .unwrap();
            },
            &|c| inside(c, &view, &|_| {}),
            &|c| inside(c, &own, &|c| c.bind_pipeline(&pipeline).unwrap()),
            &|c| {
                inside(c, &own, &|c| {
                    c.bind_descriptor_set(0, &set, &[]).unwrap();
                });
            },
            &|c| inside(c, &own, &|c| c.bind_vertex_buffer(0, &far, 0).unwrap()),
            &|c| {
                inside(c, &own, &|c| {
                    c.bind_index_buffer(&far, 0, IndexFormat::Uint16).unwrap();
                });
            },
        ];
        for (n, record) in records.into_iter().enumerate() {
            let mut commands = t.commands();
            record(&mut commands);
            let error = t.queue.submit(&[&commands], &[]).unwrap_err();
            assert_eq!(error.rule(), "submit-object", "{n}: {error}");
        }
        assert_eq!((t.device.lost(), other.device.lost()), (None, None));
    }
}
