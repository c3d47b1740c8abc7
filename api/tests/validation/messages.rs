//! What messages say: which object, which call, and values in the words of WebGPU.

use girih::*;

use crate::pipelines::{SHADER, build, changed, depth, pipeline_layout};
use crate::recording::{ATTACHED, COLOR, COPIED, begin, color, drawing, open, plain, set_of};
use crate::sets::{entry, layout, sampled, uniform};
use crate::{Fixture, extent};

/// Checks the message of an error.
fn says<T, E: std::fmt::Display>(result: Result<T, E>, expected: &str) {
    let Err(error) = result else {
        panic!("accepted instead of: {expected}");
    };
    assert_eq!(error.to_string(), expected);
}

/// A command buffer whose second pass draws three times, the last time with a texture, which is in `layout`.
fn textured(t: &Fixture, layout_of_texture: ImageLayout) -> (CommandBuffer, Image) {
    let view = t.view(COLOR, COPIED | TextureUsages::TEXTURE_BINDING);
    t.queue.transition(view.image(), layout_of_texture).unwrap();
    let sets = layout(t, &[entry(3, sampled())]).unwrap();
    let set = t.device.create_descriptor_set(&DescriptorSetDescriptor {
        label: Some("material"),
        layout: &sets,
        entries: &[(3, (&view).into())],
    });
    let layout = pipeline_layout(t, &[&sets], 0).unwrap();
    let textured = build(t, &layout, "white", |_| {}).unwrap();
    let target = t.target();
    t.queue
        .transition(target.image(), ImageLayout::General)
        .unwrap();
    let mut commands = t.commands();
    begin(&mut commands, &[color(&target)]).unwrap();
    commands.end_pass().unwrap();
    let pass = RenderPass {
        colors: &[color(&target)],
        ..RenderPass::default()
    };
    commands.begin_pass(&pass).unwrap();
    commands.bind_pipeline(&plain(t)).unwrap();
    commands.draw(0..3, 0..1).unwrap();
    commands.draw(0..3, 0..1).unwrap();
    commands.bind_pipeline(&textured).unwrap();
    commands.bind_descriptor_set(0, &set.unwrap(), &[]).unwrap();
    commands.draw(0..3, 0..1).unwrap();
    commands.end_pass().unwrap();
    (commands, view.image().clone())
}

/// A missing transition of a texture names draw and binding.
#[test]
fn missing_transitions_of_textures() {
    let t = &Fixture::new();
    let (commands, image) = textured(t, ImageLayout::CopyDestination);
    says(
        t.queue.submit(&[&commands], &[]),
        "level 0, layer 0 of image \"image\" is CopyDestination, but the 3rd draw of pass #2, by binding 3 of descriptor \
         set \"material\" at 0, of command buffer \"test\" needs ShaderReadOnly, DepthStencilReadOnly or General; call \
         `transition` before",
    );
    t.queue
        .transition(&image, ImageLayout::ShaderReadOnly)
        .unwrap();
    t.queue.submit(&[&commands], &[]).unwrap();
}

/// A missing transition of an attachment names pass and attachment, one of a copy the copy.
#[test]
fn missing_transitions_of_attachments_and_copies() {
    let t = &Fixture::new();
    let mut commands = open(t);
    commands.end_pass().unwrap();
    says(
        t.queue.submit(&[&commands], &[]),
        "level 0, layer 0 of image \"image\" is Undefined, but color attachment 0 of pass \"pass\" of command buffer \
         \"test\" needs ColorAttachment or General; call `transition` before",
    );

    let (from, to) = (t.image(COLOR, COPIED), t.image(COLOR, COPIED));
    let [a, b] = [&from, &to].map(|image| ImageCopy::level(image, 0));
    let mut commands = t.commands();
    let layouts = [(&from, ImageLayout::General), (&to, ImageLayout::General)];
    commands.transition_all(&layouts).unwrap();
    commands.copy_image(&a, &b, extent(16, 16, 1)).unwrap();
    commands
        .transition_all(&[(&from, ImageLayout::Present)])
        .unwrap();
    commands.copy_image(&a, &b, extent(16, 16, 1)).unwrap();
    says(
        t.queue.submit(&[&commands], &[]),
        "level 0, layer 0 of image \"image\" is Present, but the 2nd `copy_image` of command buffer \"test\" needs \
         CopySource or General; call `transition` before",
    );

    let mut commands = t.commands();
    let general = ImageLayout::General;
    commands
        .transition(&from, ImageLayout::Undefined, general)
        .unwrap();
    commands
        .transition(&from, ImageLayout::CopySource, general)
        .unwrap();
    says(
        t.queue.submit(&[&commands], &[]),
        "level 0, layer 0 of image \"image\" is General, but the 2nd `transition` of command buffer \"test\" brings it \
         from CopySource",
    );
}

/// Objects without a name have the number that they have among those of their kind.
#[test]
fn unnamed_objects_are_numbered() {
    let t = &Fixture::new();
    let images = [(); 3].map(|()| {
        t.device.create_image(&ImageDescriptor {
            usage: TextureUsages::COPY_DST,
            ..ImageDescriptor::default()
        })
    });
    let [_, _, third] = images.map(Result::unwrap);
    says(
        t.device.create_buffer(&BufferDescriptor::default()),
        "buffer #1 would have no bytes",
    );
    says(
        t.device.create_buffer(&BufferDescriptor::default()),
        "buffer #2 would have no bytes",
    );
    says(
        t.queue.read_picture(&third),
        "image #3 lacks the usage COPY_SRC",
    );
    says(
        t.gpu().create_device(&DeviceDescriptor {
            memory_bytes: Some(1),
            ..Default::default()
        }),
        &format!(
            "the device is to have 1 bytes of video memory; {} takes 1048576 to {}",
            t.gpu().name(),
            t.device.limits().memory_bytes
        ),
    );
    let counted = Fixture::new();
    let first = counted.device.create_command_buffer(None);
    assert_eq!(first.label().to_string(), "command buffer #1");
}

/// Formats, types and states are called what WebGPU and WGSL call them.
#[test]
fn values_have_webgpu_names() {
    let t = &Fixture::new();
    let module = t
        .device
        .create_shader_module(&ShaderModuleDescriptor::wgsl(SHADER))
        .unwrap();
    let sets = layout(t, &[entry(0, sampled())]).unwrap();
    let layout = pipeline_layout(t, &[&sets], 0).unwrap();
    says(
        build(t, &layout, "bound", |_| {}),
        "graphics pipeline \"pipeline\": @group(0) @binding(0) `params` of the fragment shader is var<uniform>, but \
         pipeline layout \"layout\" has texture_2d<f32>",
    );
    says(
        build(t, &pipeline_layout(t, &[], 0).unwrap(), "varied", |_| {}),
        "graphics pipeline \"pipeline\": fragment input @location(3) is not written by the vertex shader\n  at line 16, \
         column 26\n   16 |     @fragment fn varied(@location(3) x: f32) -> @location(0) vec4f { return vec4f(x); }\n      \
         |                          ^^^^^^^^^^^",
    );
    says(
        changed(t, |desc| {
            desc.depth_stencil = Some(depth(TextureFormat::Rgba8UnormSrgb))
        }),
        "graphics pipeline \"pipeline\": rgba8unorm-srgb is no depth-stencil format of the device",
    );
    says(
        changed(t, |desc| desc.raster.depth_bounds = Some([0.0, 0.5])),
        "graphics pipeline \"pipeline\" has depth bounds 0 to 0.5 with no depth format; they go from 0 to 1, upwards, and \
         test a depth aspect",
    );
    drop(module);
    let buffer = t.buffer(16, BufferUsages::COPY_DST);
    says(
        open(t).bind_vertex_buffer(0, &buffer, 0),
        "bind_vertex_buffer needs buffer \"buffer\" to have usage VERTEX",
    );
    let view = t.view(TextureFormat::Rgba16Float, ATTACHED);
    let mut commands = t.commands();
    begin(&mut commands, &[color(&view)]).unwrap();
    commands.bind_pipeline(&plain(t)).unwrap();
    says(
        commands.draw(0..3, 0..1),
        "color attachment 0 of pass \"pass\" is rgba16float, but graphics pipeline \"pipeline\" was made for rgba8unorm",
    );
    let depth = t.view(TextureFormat::Depth16Unorm, ATTACHED);
    let mut commands = t.commands();
    let pass = RenderPass {
        label: Some("shadow"),
        depth_stencil: Some((&depth).into()),
        ..RenderPass::default()
    };
    commands.begin_pass(&pass).unwrap();
    commands.bind_pipeline(&plain(t)).unwrap();
    says(
        commands.draw(0..3, 0..1),
        "color attachment 0 of pass \"shadow\" is missing, but graphics pipeline \"pipeline\" was made for rgba8unorm",
    );
    says(
        open(t).set_scissor(Rect {
            x: 8,
            y: 8,
            width: 9,
            height: 8,
        }),
        "the rectangle of 9x8 pixels at 8,8 is not within pass \"pass\" of 16x16",
    );
}

/// A binding names its type and its sizes.
#[test]
fn sets_name_types() {
    let t = &Fixture::new();
    let sets = layout(t, &[entry(0, uniform())]).unwrap();
    let view = t.view(COLOR, TextureUsages::TEXTURE_BINDING);
    let set = t.device.create_descriptor_set(&DescriptorSetDescriptor {
        label: None,
        layout: &sets,
        entries: &[(0, (&view).into())],
    });
    says(
        set,
        "binding 0 of descriptor set #1 is an image view, but descriptor set layout \"layout\" has var<uniform>",
    );
    let sets = layout(t, &[entry(0, sampled())]).unwrap();
    let view = t.view(TextureFormat::R32Uint, TextureUsages::TEXTURE_BINDING);
    let set = t.device.create_descriptor_set(&DescriptorSetDescriptor {
        label: None,
        layout: &sets,
        entries: &[(0, (&view).into())],
    });
    says(
        set,
        "binding 0 of descriptor set #2: image view #2 is 2d of r32uint with 1 level, but descriptor set layout \
         \"layout\" has texture_2d<f32>",
    );
    let layout = layout(t, &[entry(0, crate::sets::dynamic())]).unwrap();
    let set = set_of(t, &layout, (&t.buffer(256, BufferUsages::UNIFORM)).into());
    let mut commands = drawing(t, &plain(t));
    says(
        commands.bind_descriptor_set(0, &set, &[]),
        "descriptor set \"set\" is bound with no dynamic offset: its dynamic bindings take 1",
    );
    says(
        commands.bind_descriptor_set(0, &set, &[256]),
        "descriptor set \"set\" is bound with the dynamic offset 256: binding 0 takes bytes 256 to 257 of buffer \
         \"buffer\", which has 256",
    );
}

/// No message shows a value as Rust prints it for debugging.
#[test]
fn messages_are_in_words() {
    let sources = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![sources];
    let mut messages = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            for line in code.filter(|line| !line.contains("debug_assert")) {
                messages += usize::from(line.contains("\"{"));
                assert!(!line.contains(":?}"), "{}: {line}", path.display());
            }
        }
    }
    assert!(messages > 100);
}
