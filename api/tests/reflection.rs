//! What modules say of themselves is the same in every language, and SPIR-V keeps what only it can say.
#![allow(clippy::unwrap_used)]

mod setup {
    #![allow(dead_code)]
    include!("examples/setup.rs");
}

use std::num::NonZeroU32;

use girih::*;

const TINTED: &[u8] = include_bytes!("reflection/tinted.frag.spv");

/// The same shader as `reflection/tinted.frag`.
const WGSL: &str = "
    struct Tint { tint: vec4f, turn: mat4x4f }
    @id(4) override gain: f32 = 2.0;
    @group(1) @binding(2) var<uniform> tint: Tint;
    @group(0) @binding(0) var image: texture_2d<f32>;
    @group(0) @binding(1) var filtering: sampler;
    var<immediate> shift: vec2f;
    struct Out { @location(0) color: vec4f, @location(1) ids: vec2u }
    @fragment fn main(@location(3) at: vec2f, @location(5) @interpolate(flat) number: u32) -> Out {
        let color = textureSample(image, filtering, at + shift) * (tint.turn * tint.tint) * gain;
        return Out(color, vec2u(number, 1u));
    }";

fn glsl(device: &Device, text: &str, stage: Stage) -> ShaderModule {
    let source = ShaderSource::Glsl {
        text: text.to_owned().into(),
        stage,
    };
    let desc = ShaderModuleDescriptor {
        label: Some("glsl"),
        source,
    };
    device.create_shader_module(&desc).unwrap()
}

fn spirv(device: &Device, bytes: &[u8]) -> ShaderModule {
    let chunks = bytes.chunks_exact(4);
    let words: Vec<u32> = chunks
        .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
        .collect();
    let source = ShaderSource::SpirV(words.into());
    let desc = ShaderModuleDescriptor {
        label: Some("words"),
        source,
    };
    device.create_shader_module(&desc).unwrap()
}

#[test]
fn languages_agree_on_interfaces() {
    let (device, _) = setup::device().unwrap();
    let source = include_str!("reflection/tinted.frag");
    let modules = [
        spirv(&device, TINTED),
        setup::shader(&device, WGSL).unwrap(),
        glsl(&device, source, Stage::Fragment),
    ];
    for module in &modules {
        let points = module.entry_points();
        assert_eq!(points, [("main".to_owned(), Some(Stage::Fragment))]);
    }
    let [words, text, glsl] = modules.each_ref().map(|module| {
        let mut interface = module.interface(None, Some(Stage::Fragment), &[]).unwrap();
        for binding in &mut interface.bindings {
            binding.name.clear();
        }
        interface
    });
    assert_eq!(words, text);
    assert_eq!(words, glsl);
    let slots: Vec<_> = words
        .bindings
        .iter()
        .map(|binding| (binding.set, binding.entry.binding))
        .collect();
    assert_eq!(slots, [(0, 0), (0, 1), (1, 2)]);
    let BindingType::Buffer {
        min_binding_size, ..
    } = words.bindings[2].entry.ty
    else {
        panic!("{:?}", words.bindings[2]);
    };
    assert_eq!(min_binding_size.unwrap().get(), 80);
    assert_eq!(words.push_constant_bytes, 8);
    let locations: Vec<_> = words
        .inputs
        .iter()
        .map(|input| (input.location, input.components, input.scalar))
        .collect();
    assert_eq!(locations, [(3, 2, Scalar::Float), (5, 1, Scalar::Uint)]);
    for module in &modules {
        let constants = module.constants();
        let [gain] = &constants[..] else {
            panic!("{constants:?}");
        };
        assert_eq!((gain.key.as_str(), gain.name.as_str()), ("4", "gain"));
        assert_eq!(
            (gain.scalar, gain.default),
            (Some(Scalar::Float), Some(2.0))
        );
    }
    let unknown = modules[0].interface(None, None, &[("9", 1.0)]);
    assert_eq!(unknown.unwrap_err().rule(), "shader-override-unknown");
}

/// Two inputs of each vertex, and one that is interpolated.
const PER_VERTEX: &str = "
    enable wgpu_per_vertex;
    @fragment fn main(
        @location(1) smoothed: vec2f,
        @location(4) @interpolate(per_vertex) numbers: array<u32, 3>,
        @location(2) @interpolate(per_vertex) colors: array<vec3f, 3>,
    ) -> @location(0) vec4f {
        return vec4f(colors[0].xy + smoothed, colors[1].z, f32(numbers[2]));
    }";

const BARYCENTRIC: &[u8] = include_bytes!("spirv/barycentric.frag.spv");

#[test]
fn inputs_of_each_vertex_are_listed() {
    let (device, _) = setup::device().unwrap();
    let inputs = |module: ShaderModule| -> Vec<_> {
        let interface = module.interface(None, None, &[]).unwrap();
        let inputs = interface.inputs.into_iter();
        inputs
            .map(|input| {
                let ShaderVariable {
                    location,
                    components,
                    scalar,
                    per_vertex,
                    ..
                } = input;
                (location, components, scalar, per_vertex)
            })
            .collect()
    };
    assert_eq!(
        inputs(setup::shader(&device, PER_VERTEX).unwrap()),
        [
            (1, 2, Scalar::Float, false),
            (2, 3, Scalar::Float, true),
            (4, 1, Scalar::Uint, true),
        ]
    );
    assert_eq!(
        inputs(spirv(&device, BARYCENTRIC)),
        [
            (0, 3, Scalar::Float, false),
            (1, 2, Scalar::Float, false),
            (2, 3, Scalar::Float, true),
            (3, 2, Scalar::Float, true),
            (4, 1, Scalar::Uint, true),
        ]
    );
}

/// Vertex shaders, buffers that are written, arrays of bindings and storage images.
#[test]
fn bindings_have_types_sizes_and_elements() {
    let (device, _) = setup::device().unwrap();
    let module = spirv(&device, include_bytes!("reflection/bindings.vert.spv"));
    let interface = module.interface(None, None, &[]).unwrap();
    let vertex = interface.inputs.iter();
    let vertex: Vec<_> = vertex
        .map(|v| (v.location, v.components, v.scalar))
        .collect();
    let float = Scalar::Float;
    // A matrix takes a location for each column.
    let columns = [(1, 3, float), (2, 3, float), (3, 3, float)];
    assert_eq!(vertex[0], (0, 4, Scalar::Sint));
    assert_eq!(vertex[1..], columns);
    let outputs = interface.outputs.iter();
    let outputs: Vec<_> = outputs.map(|o| (o.location, o.components)).collect();
    assert_eq!(outputs, [(0, 2), (5, 1)]);
    let bindings: Vec<_> = interface
        .bindings
        .iter()
        .map(|b| (b.set, b.name.as_str(), b.entry))
        .collect();
    let entry = |binding, ty, count| BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::VERTEX,
        ty,
        count: NonZeroU32::new(count),
    };
    let buffer = |ty, bytes| BindingType::Buffer {
        ty,
        has_dynamic_offset: false,
        min_binding_size: std::num::NonZeroU64::new(bytes),
    };
    let storage = |read_only| BufferBindingType::Storage { read_only };
    let image = BindingType::StorageTexture {
        access: StorageTextureAccess::WriteOnly,
        format: TextureFormat::R32Float,
        view_dimension: TextureViewDimension::D3,
    };
    let combined = BindingType::CombinedImageSampler {
        sample_type: TextureSampleType::Float { filterable: true },
        view_dimension: TextureViewDimension::Cube,
        multisampled: false,
        sampler: SamplerBindingType::Filtering,
    };
    assert_eq!(
        bindings,
        [
            (0, "values", entry(1, buffer(storage(true), 20), 0)),
            (0, "counts", entry(4, buffer(storage(false), 8), 0)),
            (2, "volume", entry(0, image, 0)),
            (2, "skies", entry(3, combined, 5)),
        ]
    );
    assert_eq!(interface.push_constant_bytes, 80);
    let constants = module.constants();
    let constants: Vec<_> = constants
        .iter()
        .map(|c| (c.key.as_str(), c.scalar, c.default))
        .collect();
    assert_eq!(
        constants,
        [
            ("1", None, Some(1.0)),
            ("7", Some(Scalar::Sint), Some(-3.0)),
        ]
    );
    // A layout of the interface has room for the module's own resources.
    let layout = device.derive_pipeline_layout(None, &[&interface]).unwrap();
    assert_eq!(layout.sets().len(), 3);
}

#[test]
fn glsl_says_what_it_takes() {
    let (device, _) = setup::device().unwrap();
    let text = "#version 450
        layout(set = 0, binding = 3) uniform B { vec4 a; vec2 b; };
        layout(location = 2) in vec3 v;
        layout(location = 1) out vec4 c;
        void main() { c = vec4(v, a.x + b.y); }";
    let module = glsl(&device, text, Stage::Fragment);
    let interface = module.interface(Some("main"), None, &[]).unwrap();
    assert_eq!(
        (interface.inputs[0].location, interface.inputs[0].components),
        (2, 3)
    );
    assert_eq!(
        (
            interface.outputs[0].location,
            interface.outputs[0].components
        ),
        (1, 4)
    );
    assert_eq!(interface.bindings[0].entry.binding, 3);
    assert!(module.constants().is_empty());
}

/// A pipeline of a fragment shader's words, behind a triangle from the middle to the right and the upper edge.
fn pipeline(
    device: &Device,
    bytes: &[u8],
    layout: Option<&PipelineLayout>,
) -> Result<GraphicsPipeline, GraphicsPipelineError> {
    let corners = "@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
        return vec4f(f32(i & 1u), f32(i >> 1u), 0.5, 1.0);
    }";
    let vertex = setup::shader(device, corners).unwrap();
    let stage = |module| ShaderStage {
        module,
        entry: None,
        constants: &[],
    };
    let fragment = spirv(device, bytes);
    let target = ColorTargetState::from(TextureFormat::Rgba8Unorm);
    device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
        fragment: Some(stage(&fragment)),
        targets: &[Some(target)],
        layout,
        ..GraphicsPipelineDescriptor::new(stage(&vertex))
    })
}

fn devices() -> impl Iterator<Item = Device> {
    let chips = Instance::new().physical_devices();
    let chips = chips.filter(|gpu| gpu.features().integers);
    chips.map(|gpu| gpu.create_device(&DeviceDescriptor::default()).unwrap())
}

#[test]
fn helpers_are_seen_by_their_neighbours_alone() {
    for device in devices() {
        let pipeline =
            pipeline(&device, include_bytes!("reflection/helpers.frag.spv"), None).unwrap();
        let (image, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1).unwrap();
        let mut commands = device.create_command_buffer(None);
        commands
            .begin_pass(&RenderPass {
                colors: &[Some(setup::blue(&view))],
                ..RenderPass::default()
            })
            .unwrap();
        commands.bind_pipeline(&pipeline).unwrap();
        commands.draw(0..3, 0..1).unwrap();
        commands.end_pass().unwrap();
        let queue = device.queue();
        queue.submit(&[&commands], &[]).unwrap();
        let picture = queue.read_picture(&image).unwrap();
        let drawn: Vec<[u8; 4]> = picture
            .pixels()
            .map(|pixel| pixel.0)
            .filter(|pixel| pixel[2] == 0)
            .collect();
        assert!(drawn.iter().all(|pixel| pixel[0] == 0), "{drawn:?}");
        let beside = drawn.iter().filter(|pixel| pixel[1] == 255).count();
        assert!(
            beside > 0 && beside < drawn.len(),
            "{beside} of {}",
            drawn.len()
        );
    }
}

#[test]
fn layouts_give_binding_arrays_their_length() {
    let (device, _) = setup::device().unwrap();
    let bytes = include_bytes!("reflection/many.frag.spv");
    let alone = pipeline(&device, bytes, None).unwrap_err();
    assert!(alone.to_string().contains("without a length"), "{alone}");
    let set = device
        .create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
            label: None,
            entries: &[BindGroupLayoutEntry {
                binding: 0,
                visibility: ShaderStages::FRAGMENT,
                ty: BindingType::Texture {
                    sample_type: TextureSampleType::Float { filterable: false },
                    view_dimension: TextureViewDimension::D2,
                    multisampled: false,
                },
                count: NonZeroU32::new(3),
            }],
        })
        .unwrap();
    let layout = device
        .create_pipeline_layout(&PipelineLayoutDescriptor {
            label: None,
            sets: &[&set],
            push_constant_bytes: 0,
        })
        .unwrap();
    pipeline(&device, bytes, Some(&layout)).unwrap();
}
