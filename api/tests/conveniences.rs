//! What shortens programs: one error, defaults, filled buffers, lists of attributes and transitions, derived layouts,
//! pictures of any format.

#![allow(clippy::unwrap_used)]

mod harness;

use std::error::Error as _;
use std::fmt::Debug;

use girih::*;
use harness::*;

/// Rule, message and source of an error, before and after it becomes the one for all.
fn converts<T, E>(result: Result<T, E>, rule: &str)
where
    E: std::error::Error + Clone + Into<Error>,
{
    let Err(error) = result else {
        panic!("{rule} was not broken")
    };
    let any: Error = error.clone().into();
    assert_eq!(any.rule(), rule);
    assert_eq!(any.to_string(), error.to_string());
    let text = |source: Option<&dyn std::error::Error>| source.map(ToString::to_string);
    assert_eq!(text(any.source()), text(error.source()));
}

fn wgsl(device: &Device, text: &str) -> ShaderModule {
    let desc = ShaderModuleDescriptor::wgsl(text);
    device.create_shader_module(&desc).unwrap()
}

/// Every family of errors becomes [`Error`].
#[test]
fn errors_become_one() {
    let t = Harness::new();
    let (device, queue) = (&t.device, &t.queue);
    let gpu = device.physical_device();
    let size = |bytes| BufferDescriptor {
        size: bytes,
        usage: BufferUsages::COPY_DST,
        ..Default::default()
    };
    let image = t.image(
        TextureFormat::R32Uint,
        [4, 4, 1],
        1,
        TextureUsages::COPY_DST,
    );
    let layout = device
        .create_descriptor_set_layout(&DescriptorSetLayoutDescriptor::default())
        .unwrap();
    let buffer = device.create_buffer(&size(16)).unwrap();
    let mut commands = device.create_command_buffer(None);
    converts(Instance::new().physical_device("abacus"), "device-name");
    let no_threads = DeviceDescriptor {
        threads: Some(0),
        ..Default::default()
    };
    converts(gpu.create_device(&no_threads), "device-threads");
    converts(device.create_heap(&HeapDescriptor::default()), "heap-size");
    converts(device.create_buffer(&size(1 << 40)), "buffer-memory");
    converts(buffer.write(15, &[0; 2]), "buffer-access-range");
    converts(
        device.create_image(&ImageDescriptor::default()),
        "image-usage",
    );
    let view = ImageViewDescriptor {
        base_mip_level: 1,
        ..Default::default()
    };
    converts(device.create_image_view(&image, &view), "view-levels");
    let sampler = SamplerDescriptor {
        anisotropy_clamp: 0,
        ..Default::default()
    };
    converts(device.create_sampler(&sampler), "sampler-anisotropy");
    let twice = [BindGroupLayoutEntry {
        binding: 0,
        visibility: ShaderStages::VERTEX,
        ty: BindingType::Sampler(SamplerBindingType::Filtering),
        count: None,
    }; 2];
    let twice = DescriptorSetLayoutDescriptor {
        label: None,
        entries: &twice,
    };
    converts(
        device.create_descriptor_set_layout(&twice),
        "set-layout-duplicate",
    );
    let set = DescriptorSetDescriptor {
        label: None,
        layout: &layout,
        entries: &[(0, (&buffer).into())],
    };
    converts(device.create_descriptor_set(&set), "set-unknown");
    let push = PipelineLayoutDescriptor {
        push_constant_bytes: 2,
        ..Default::default()
    };
    converts(
        device.create_pipeline_layout(&push),
        "pipeline-layout-push-constants",
    );
    let broken = ShaderModuleDescriptor::wgsl("fn f() -> f32 { return 1u; }");
    converts(device.create_shader_module(&broken), "shader-invalid");
    let module = wgsl(device, EVERYWHERE);
    let nothing = GraphicsPipelineDescriptor::new(&module);
    converts(
        device.create_graphics_pipeline(&nothing),
        "pipeline-attachments",
    );
    converts(commands.end_pass(), "pass-open");
    converts(
        commands.set_blend_constant(Color::RED),
        "command-inside-pass",
    );
    converts(commands.draw(0..3, 0..1), "draw-pass");
    converts(queue.read_picture(&image), "copy-picture");
    let general = ImageLayout::General;
    converts(
        commands.generate_levels(&image, general, general),
        "blit-levels",
    );
    converts(commands.clear_attachments(&[], &[]), "clear-recording");
    let none = QuerySetDescriptor {
        count: 0,
        ..Default::default()
    };
    converts(device.create_query_set(&none), "query-count");
    let fence = device.create_fence(None, 1);
    converts(queue.submit(&[], &[(&fence, 1)]), "submit-fence");
    converts(fence.signal(1), "fence-order");
    converts(queue.read_memory(Addr(u64::MAX), &mut [0]), "memory-access");
}

/// The default of a description does what its documentation says.
#[test]
fn defaults_describe_the_least() {
    let t = Harness::new();
    let image = t.device.create_image(&ImageDescriptor {
        usage: TextureUsages::COPY_SRC,
        ..Default::default()
    });
    let image = image.unwrap();
    let one = Extent3d::default();
    assert_eq!((image.size(), image.levels(), image.samples()), (one, 1, 1));
    assert_eq!(image.format(), TextureFormat::Rgba8Unorm);
    let set = t
        .device
        .create_query_set(&QuerySetDescriptor::default())
        .unwrap();
    assert_eq!((set.kind(), set.count()), (QueryKind::Occlusion, 1));
    let buffer = t.device.create_buffer_init(&BufferInitDescriptor {
        contents: &[7, 8, 9],
        usage: BufferUsages::VERTEX,
        ..Default::default()
    });
    let (buffer, mut bytes) = (buffer.unwrap(), [0; 3]);
    buffer.read(0, &mut bytes).unwrap();
    assert_eq!((bytes, buffer.usage()), ([7, 8, 9], BufferUsages::VERTEX));
    let empty = t
        .device
        .create_buffer_init(&BufferInitDescriptor::default());
    assert_eq!(empty.unwrap_err().rule(), "buffer-size");
}

#[test]
fn attributes_follow_each_other() {
    const ATTRIBUTES: [VertexAttribute; 4] =
        vertex_attributes![3 => Float32x3, 0 => Unorm8x4, 1 => Float16x2, 9 => Uint32];
    let found = ATTRIBUTES.map(|a| (a.shader_location, a.offset, a.format));
    use VertexFormat::*;
    let expected = [
        (3, 0, Float32x3),
        (0, 12, Unorm8x4),
        (1, 16, Float16x2),
        (9, 20, Uint32),
    ];
    assert_eq!(found, expected);
    assert_eq!(vertex_attributes![], []);
}

/// Images come from whichever layout they are in, in the order of the commands, and keep their texels.
#[test]
fn transitions_start_from_any_layout() {
    for t in Harness::each() {
        let usage = TextureUsages::COPY_SRC | TextureUsages::COPY_DST;
        let images = [(); 2].map(|()| t.image(TextureFormat::R8Unorm, [1, 1, 1], 1, usage));
        let [one, other] = &images;
        let mut commands = t.device.create_command_buffer(None);
        let all = |layout| [(one, layout), (other, layout)];
        commands
            .transition_all(&all(ImageLayout::CopyDestination))
            .unwrap();
        for image in &images {
            commands
                .clear_color_image(image, image.subresources(), Color::WHITE)
                .unwrap();
        }
        let undefined = commands.transition_all(&[
            (one, ImageLayout::CopySource),
            (other, ImageLayout::Undefined),
        ]);
        assert_eq!(undefined.unwrap_err().rule(), "command-transition");
        // Nothing of it was recorded: the first image is still written.
        commands
            .clear_color_image(one, one.subresources(), Color::RED)
            .unwrap();
        commands
            .transition_all(&all(ImageLayout::CopySource))
            .unwrap();
        t.queue.submit(&[&commands], &[]).unwrap();
        for image in &images {
            let texel = t
                .queue
                .read_image(&ImageCopy::level(image, 0), image.size());
            assert_eq!(texel.unwrap(), [255]);
        }
        let view = t.attachment(TextureFormat::R8Unorm, [1, 1], 1);
        let pass = RenderPass {
            colors: &[Some((&view).into())],
            ..Default::default()
        };
        commands.begin_pass(&pass).unwrap();
        let inside = commands.transition_all(&all(ImageLayout::General));
        assert_eq!(inside.unwrap_err().rule(), "command-outside-pass");
    }
}

const SHADER: &str = "
    struct Both { scale: vec4f, last: f32 }
    @group(0) @binding(0) var<uniform> both: Both;
    @group(0) @binding(5) var<storage, read> words: array<vec2u>;
    @group(2) @binding(0) var sampled: texture_2d<f32>;
    @group(2) @binding(1) var loaded: texture_2d_array<f32>;
    @group(2) @binding(2) var numbers: texture_3d<u32>;
    @group(2) @binding(3) var depths: texture_depth_cube;
    @group(2) @binding(4) var plain: sampler;
    @group(2) @binding(5) var compared: sampler_comparison;
    @group(2) @binding(6) var samples: texture_multisampled_2d<i32>;
    @group(3) @binding(0) var unused: texture_1d<f32>;
    struct Push { a: f32, b: vec2f }
    var<immediate> push: Push;
    @vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
        return both.scale * vec4f(f32(words[0].x));
    }
    @fragment fn fragment() -> @location(0) vec4f {
        var sum = textureSample(sampled, plain, vec2f(0.5)) + textureLoad(loaded, vec2i(0), 0, 0);
        sum += vec4f(f32(textureLoad(numbers, vec3i(0), 0).x + u32(textureLoad(samples, vec2i(0), 0).x)));
        return sum * textureSampleCompare(depths, compared, vec3f(1.0), 0.5) * both.last * push.b.x;
    }";

fn shown(entry: &BindGroupLayoutEntry) -> (u32, ShaderStages, BindingType) {
    assert_eq!(entry.count, None);
    (entry.binding, entry.visibility, entry.ty)
}

fn equal<T: PartialEq + Debug>(found: Vec<T>, expected: &[T]) {
    assert_eq!(found, expected);
}

/// A derived layout has what the shaders use, as they use it.
#[test]
fn layouts_are_derived() {
    let t = Harness::new();
    let module = wgsl(&t.device, SHADER);
    let pipeline = t
        .device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            fragment: Some((&module).into()),
            targets: &[Some(TextureFormat::Rgba8Unorm.into())],
            ..GraphicsPipelineDescriptor::new(&module)
        });
    let pipeline = pipeline.unwrap();
    assert_eq!(pipeline.layout().push_constant_bytes(), 16);
    assert_eq!(pipeline.layout().sets().len(), 3);
    let entries = |set| -> Vec<_> {
        pipeline
            .set_layout(set)
            .unwrap()
            .entries()
            .map(shown)
            .collect()
    };
    let buffer = |ty, bytes| BindingType::Buffer {
        ty,
        has_dynamic_offset: false,
        min_binding_size: std::num::NonZeroU64::new(bytes),
    };
    let storage = BufferBindingType::Storage { read_only: true };
    let (vertex, fragment) = (ShaderStages::VERTEX, ShaderStages::FRAGMENT);
    let uniform = buffer(BufferBindingType::Uniform, 32);
    equal(
        entries(0),
        &[
            (0, ShaderStages::VERTEX_FRAGMENT, uniform),
            (5, vertex, buffer(storage, 8)),
        ],
    );
    equal(entries(1), &[]);
    let texture = |sample_type, view_dimension, multisampled| BindingType::Texture {
        sample_type,
        view_dimension,
        multisampled,
    };
    use TextureSampleType::{Depth, Float, Sint, Uint};
    use TextureViewDimension as View;
    let [filtered, unfiltered] = [true, false].map(|filterable| Float { filterable });
    equal(
        entries(2),
        &[
            (0, fragment, texture(filtered, View::D2, false)),
            (1, fragment, texture(unfiltered, View::D2Array, false)),
            (2, fragment, texture(Uint, View::D3, false)),
            (3, fragment, texture(Depth, View::Cube, false)),
            (
                4,
                fragment,
                BindingType::Sampler(SamplerBindingType::Filtering),
            ),
            (
                5,
                fragment,
                BindingType::Sampler(SamplerBindingType::Comparison),
            ),
            (6, fragment, texture(Sint, View::D2, true)),
        ],
    );
    assert!(pipeline.set_layout(3).is_none());
}

/// Stages that use a binding in two ways get one that suits both; without a fragment shader, its bindings are not there.
#[test]
fn derived_layouts_suit_both_stages() {
    let t = Harness::new();
    let vertex = wgsl(
        &t.device,
        "@group(0) @binding(0) var texels: texture_2d<f32>;
         @group(0) @binding(1) var<uniform> place: vec4f;
         @vertex fn vertex() -> @builtin(position) vec4f { return textureLoad(texels, vec2i(0), 0) + place; }",
    );
    let fragment = wgsl(
        &t.device,
        "@group(0) @binding(0) var texels: texture_2d<f32>;
         @group(0) @binding(1) var<uniform> colors: array<vec4f, 3>;
         @group(0) @binding(2) var smooth_: sampler;
         @fragment fn fragment() -> @location(0) vec4f { return textureSample(texels, smooth_, colors[2].xy); }",
    );
    let pipeline = t
        .device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            fragment: Some((&fragment).into()),
            targets: &[Some(TextureFormat::Rgba8Unorm.into())],
            ..GraphicsPipelineDescriptor::new(&vertex)
        });
    let pipeline = pipeline.unwrap();
    let names: Vec<_> = (pipeline.set_layout(0).unwrap().entries())
        .map(|entry| (driver::Name::name(&entry.ty), entry.visibility))
        .collect();
    let both = ShaderStages::VERTEX_FRAGMENT;
    equal(
        names,
        &[
            ("texture_2d<f32>".to_owned(), both),
            ("var<uniform>".to_owned(), both),
            ("sampler".to_owned(), ShaderStages::FRAGMENT),
        ],
    );
    let uniform = pipeline.set_layout(0).unwrap().entries().nth(1).unwrap().ty;
    assert!(!uniform.has_dynamic_offset());
    assert!(
        matches!(uniform, BindingType::Buffer { min_binding_size: Some(n), .. } if n.get() == 48)
    );

    let depth = depth(TextureFormat::Depth32Float, CompareFunction::Less);
    let pipeline = t
        .device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            depth_stencil: Some(depth),
            ..GraphicsPipelineDescriptor::new(&vertex)
        });
    let pipeline = pipeline.unwrap();
    assert_eq!(pipeline.set_layout(0).unwrap().entries().count(), 2);
}

/// Storage textures are derived with the access that the shader has.
#[test]
fn derived_storage_has_its_access() {
    let mut chips = Instance::new().physical_devices();
    let chip = chips.find(|gpu| gpu.features().shader_stores).unwrap();
    let t = Harness::on(&chip, Some(1));
    let text = "
        @group(0) @binding(0) var written: texture_storage_2d<rgba8unorm, write>;
        @group(0) @binding(1) var counted: texture_storage_2d<r32uint, atomic>;
        @group(0) @binding(2) var<storage, read_write> words: array<u32, 4>;
        @fragment fn fragment() -> @location(0) vec4f {
            textureStore(written, vec2i(0), vec4f(1.0));
            textureAtomicAdd(counted, vec2i(0), 1u);
            words[1] = 2u;
            return vec4f(1.0);
        }";
    let module = wgsl(&t.device, &(EVERYWHERE.to_owned() + text));
    let pipeline = t
        .device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            fragment: Some((&module).into()),
            targets: &[Some(TextureFormat::Rgba8Unorm.into())],
            ..GraphicsPipelineDescriptor::new(&module)
        });
    let pipeline = pipeline.unwrap();
    let names: Vec<String> = (pipeline.set_layout(0).unwrap().entries())
        .map(|entry| driver::Name::name(&entry.ty))
        .collect();
    equal(
        names,
        &[
            "texture_storage_2d<rgba8unorm, write>".to_owned(),
            "texture_storage_2d<r32uint, atomic>".to_owned(),
            "var<storage, read_write>".to_owned(),
        ],
    );
}

/// Pictures of formats of floats, of normalised numbers and of depth; values beyond 0 to 1 are clamped.
#[test]
fn pictures_of_any_format() {
    use TextureFormat as F;
    let halves = |halves: [u16; 4]| halves.map(u16::to_le_bytes).concat();
    let floats =
        |floats: &[f32]| -> Vec<u8> { floats.iter().flat_map(|f| f.to_le_bytes()).collect() };
    let cases: Vec<(F, Vec<u8>, [u8; 4])> = vec![
        (F::R8Unorm, vec![77], [77, 0, 0, 255]),
        (F::Rg8Snorm, vec![127, 0x81], [255, 0, 0, 255]),
        (F::Bgra8Unorm, vec![1, 2, 3, 4], [3, 2, 1, 4]),
        (F::Rgba8UnormSrgb, vec![1, 2, 3, 4], [1, 2, 3, 4]),
        (F::R16Unorm, vec![0, 0x80], [128, 0, 0, 255]),
        // 1, 0.5, -1 and 2.
        (
            F::Rgba16Float,
            halves([0x3c00, 0x3800, 0xbc00, 0x4000]),
            [255, 128, 0, 255],
        ),
        (F::R32Float, floats(&[0.2]), [51, 0, 0, 255]),
        (
            F::Rgba32Float,
            floats(&[0.4, f32::INFINITY, f32::NAN, 0.6]),
            [102, 255, 0, 153],
        ),
        (
            F::Rgb10a2Unorm,
            (1023_u32 | 2 << 30).to_le_bytes().to_vec(),
            [255, 0, 0, 170],
        ),
        (F::Depth16Unorm, vec![0xff, 0xff], [255, 255, 255, 255]),
        (F::Depth32Float, floats(&[0.2]), [51, 51, 51, 255]),
        (
            F::Depth32FloatStencil8,
            floats(&[0.8]),
            [204, 204, 204, 255],
        ),
        (
            F::Depth24PlusStencil8,
            vec![0, 0, 0x80, 0],
            [128, 128, 128, 255],
        ),
    ];
    for t in Harness::each() {
        let mut read = 0;
        for (format, texel, expected) in &cases {
            if !t
                .device
                .physical_device()
                .format_capabilities(*format)
                .sampled
            {
                continue;
            }
            let usage = TextureUsages::COPY_SRC | TextureUsages::COPY_DST;
            let image = t.image(*format, [3, 2, 1], 1, usage);
            t.queue.transition(&image, ImageLayout::General).unwrap();
            let at = ImageCopy {
                origin: Origin3d { x: 2, y: 1, z: 0 },
                aspect: match format.has_depth_aspect() {
                    true => TextureAspect::DepthOnly,
                    false => TextureAspect::All,
                },
                ..ImageCopy::level(&image, 0)
            };
            t.queue
                .write_image(&at, Extent3d::default(), texel)
                .unwrap();
            let picture = t.queue.read_picture(&image).unwrap();
            assert_eq!(picture.dimensions(), (3, 2));
            assert_eq!(picture.get_pixel(2, 1).0, *expected, "{format:?}");
            read += 1;
        }
        assert!(read >= 11, "{read}");
        for format in [F::R8Uint, F::Stencil8, F::Rgba16Sint] {
            let image = t.image(format, [3, 2, 1], 1, TextureUsages::COPY_SRC);
            t.queue.transition(&image, ImageLayout::General).unwrap();
            let error = t.queue.read_picture(&image).unwrap_err();
            assert_eq!(error.rule(), "copy-picture", "{format:?}");
        }
    }
}
