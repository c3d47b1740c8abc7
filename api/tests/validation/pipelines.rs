//! Rules of pipeline layouts and graphics pipelines.

use girih::*;

use crate::sets::{entry, layout, sampled, storage, uniform};
use crate::{Fixture, breaks};

/// A shader that takes and gives whatever a test needs.
pub const SHADER: &str = "
    struct Params { color: vec4f }
    @group(0) @binding(0) var<uniform> params: Params;
    @group(0) @binding(1) var<storage, read_write> words: array<u32>;
    var<immediate> shift: vec4f;
    @vertex fn plain(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
        return vec4f(f32(i & 1u), f32(i >> 1u), 0.0, 1.0);
    }
    @vertex fn fetching(@location(0) position: vec2f) -> @builtin(position) vec4f {
        return vec4f(position, 0.0, 1.0);
    }
    @fragment fn white() -> @location(0) vec4f { return vec4f(1.0); }
    @fragment fn bound() -> @location(0) vec4f { return params.color; }
    @fragment fn storing() -> @location(0) vec4f { words[0] = 1u; return vec4f(1.0); }
    @fragment fn pushed() -> @location(0) vec4f { return shift; }
    @fragment fn varied(@location(3) x: f32) -> @location(0) vec4f { return vec4f(x); }
    struct Corner { @builtin(position) at: vec4f }
    const first_max_vertices: u32 = 1u;
    fn emit_vertex(v: Corner) {}
    fn first(in: array<Corner, 3>) { emit_vertex(Corner(in[0].at)); }
";

pub fn shader(t: &Fixture) -> ShaderModule {
    t.device
        .create_shader_module(&ShaderModuleDescriptor {
            label: Some("shader"),
            source: ShaderSource::Wgsl(SHADER.into()),
        })
        .unwrap()
}

pub fn pipeline_layout(
    t: &Fixture,
    sets: &[&DescriptorSetLayout],
    push_constant_bytes: u32,
) -> Result<PipelineLayout, PipelineLayoutError> {
    t.device.create_pipeline_layout(&PipelineLayoutDescriptor {
        label: Some("layout"),
        sets,
        push_constant_bytes,
    })
}

/// Makes a pipeline from `plain` and `fragment`, changed by `change`.
pub fn build(
    t: &Fixture,
    layout: &PipelineLayout,
    fragment: &str,
    change: impl FnOnce(&mut GraphicsPipelineDescriptor<'_>),
) -> Result<GraphicsPipeline, GraphicsPipelineError> {
    let module = shader(t);
    let stage = |entry| ShaderStage {
        module: &module,
        entry: Some(entry),
        constants: &[],
    };
    let targets = [Some(TextureFormat::Rgba8Unorm.into())];
    let mut desc = GraphicsPipelineDescriptor {
        label: Some("pipeline"),
        layout: Some(layout),
        vertex: stage("plain"),
        buffers: &[],
        geometry: None,
        stream: None,
        fragment: Some(stage(fragment)),
        targets: &targets,
        primitive: PrimitiveState::default(),
        depth_stencil: None,
        multisample: MultisampleState::default(),
        raster: RasterState::default(),
    };
    change(&mut desc);
    t.device.create_graphics_pipeline(&desc)
}

/// A pipeline whose geometry shader emits the first vertex of each triangle, some times.
pub fn geometry(t: &Fixture, invocations: u32) -> Result<GraphicsPipeline, GraphicsPipelineError> {
    changed(t, |desc| {
        desc.geometry = Some(GeometryStage {
            shader: ShaderStage {
                entry: Some("first"),
                ..desc.vertex
            },
            output: GeometryOutput::Points,
            invocations,
        });
    })
}

/// The same with an empty layout.
pub fn changed(
    t: &Fixture,
    change: impl FnOnce(&mut GraphicsPipelineDescriptor<'_>),
) -> Result<GraphicsPipeline, GraphicsPipelineError> {
    let layout = pipeline_layout(t, &[], 0).unwrap();
    build(t, &layout, "white", change)
}

/// A pipeline of two modules whose layout is derived.
fn derived(
    t: &Fixture,
    vertex: &str,
    fragment: &str,
) -> Result<GraphicsPipeline, GraphicsPipelineError> {
    let module = |text| {
        t.device
            .create_shader_module(&ShaderModuleDescriptor::wgsl(text))
    };
    let (vertex, fragment) = (module(vertex).unwrap(), module(fragment).unwrap());
    t.device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            fragment: Some((&fragment).into()),
            targets: &[Some(TextureFormat::Rgba8Unorm.into())],
            ..GraphicsPipelineDescriptor::new(&vertex)
        })
}

pub fn attribute(shader_location: u32, format: VertexFormat, offset: u64) -> VertexAttribute {
    VertexAttribute {
        format,
        offset,
        shader_location,
    }
}

pub fn vertex_buffers(
    t: &Fixture,
    buffers: &[VertexBufferLayout<'static>],
) -> Result<GraphicsPipeline, GraphicsPipelineError> {
    // The description borrows for as long as the closure runs.
    let buffers: &'static [VertexBufferLayout<'static>] = Vec::leak(buffers.to_vec());
    changed(t, |desc| desc.buffers = buffers)
}

pub fn buffer(stride: u32, attributes: &[VertexAttribute]) -> VertexBufferLayout<'static> {
    VertexBufferLayout {
        stride,
        step: VertexStepMode::Vertex,
        attributes: Vec::leak(attributes.to_vec()),
    }
}

pub fn depth(format: TextureFormat) -> DepthStencilState {
    DepthStencilState {
        format,
        depth_write_enabled: Some(true),
        depth_compare: Some(CompareFunction::Less),
        stencil: StencilState::default(),
        bias: DepthBiasState::default(),
    }
}

/// One target that is blended.
fn blended(src_factor: BlendFactor) -> &'static [Option<ColorTargetState>] {
    let component = BlendComponent {
        src_factor,
        ..BlendComponent::REPLACE
    };
    Vec::leak(vec![Some(ColorTargetState {
        format: TextureFormat::Rgba8Unorm,
        blend: Some(BlendState {
            color: component,
            alpha: component,
        }),
        write_mask: ColorWrites::ALL,
    })])
}

breaks! {
    pipeline_layout_conflict "pipeline-layout-conflict" = |t| {
        let module = |text| t.device.create_shader_module(&ShaderModuleDescriptor::wgsl(text));
        let interface = |text| module(text).unwrap().interface(None, None, &[]).unwrap();
        let one = interface("@group(0) @binding(1) var<uniform> a: vec4f;
            @fragment fn fs() -> @location(0) vec4f { return a; }");
        let other = interface("@group(0) @binding(1) var<storage> a: vec4f;
            @vertex fn vs() -> @builtin(position) vec4f { return a; }");
        t.device.derive_pipeline_layout(Some("derived"), &[&one, &other])
    };
    pipeline_layout_sets "pipeline-layout-sets" = |t| {
        let empty = layout(t, &[]).unwrap();
        pipeline_layout(t, &[&empty; 9], 0)
    };
    pipeline_layout_push_constants "pipeline-layout-push-constants" = |t| pipeline_layout(t, &[], 6);

    pipeline_shader "pipeline-shader" = |t| {
        let layout = pipeline_layout(t, &[], 0).unwrap();
        build(t, &layout, "missing", |_| {})
    };
    pipeline_link "pipeline-link" = |t| {
        let layout = pipeline_layout(t, &[], 0).unwrap();
        build(t, &layout, "varied", |_| {})
    };
    pipeline_compile "pipeline-compile" = |_all| {
        let lacking = &Fixture::with(|features| !features.shader_stores);
        let set = layout(lacking, &[entry(1, storage())]).unwrap();
        let layout = pipeline_layout(lacking, &[&set], 0).unwrap();
        build(lacking, &layout, "storing", |_| {})
    };
    pipeline_binding "pipeline-binding" = |t| {
        let set = layout(t, &[entry(0, sampled())]).unwrap();
        let layout = pipeline_layout(t, &[&set], 0).unwrap();
        build(t, &layout, "bound", |_| {})
    };
    pipeline_push_constants "pipeline-push-constants" = |t| {
        let layout = pipeline_layout(t, &[], 4).unwrap();
        build(t, &layout, "pushed", |_| {})
    };
    pipeline_vertex_count "pipeline-vertex-count" = |t| vertex_buffers(t, &[buffer(4, &[]); 99]);
    pipeline_vertex_location "pipeline-vertex-location" = |t| {
        let one = attribute(0, VertexFormat::Float32, 0);
        vertex_buffers(t, &[buffer(4, &[one]), buffer(4, &[one])])
    };
    pipeline_vertex_format "pipeline-vertex-format" = |t| {
        vertex_buffers(t, &[buffer(8, &[attribute(0, VertexFormat::Float64, 0)])])
    };
    pipeline_vertex_stride "pipeline-vertex-stride" = |t| {
        vertex_buffers(t, &[buffer(8, &[attribute(0, VertexFormat::Float32x2, 4)])])
    };
    pipeline_target_count "pipeline-target-count" = |t| changed(t, |desc| {
        desc.targets = &[const { None }; 9];
    });
    pipeline_target_format "pipeline-target-format" = |t| changed(t, |desc| {
        desc.targets = Vec::leak(vec![Some(TextureFormat::Rgb9e5Ufloat.into())]);
    });
    pipeline_depth_format "pipeline-depth-format" = |t| changed(t, |desc| {
        desc.depth_stencil = Some(depth(TextureFormat::R32Float));
    });
    pipeline_depth_aspect "pipeline-depth-aspect" = |t| changed(t, |desc| {
        desc.depth_stencil = Some(depth(TextureFormat::Stencil8));
    });
    pipeline_samples "pipeline-samples" = |t| changed(t, |desc| desc.multisample.count = 3);
    pipeline_size "pipeline-size" = |t| changed(t, |desc| desc.raster.line_width = 0.0);
    pipeline_geometry_invocations "pipeline-geometry-invocations" = |t| geometry(t, 0);
    pipeline_line_stipple "pipeline-line-stipple" = |t| changed(t, |desc| {
        desc.raster.line_stipple = Some(LineStipple { factor: 0, pattern: 1 });
    });
    pipeline_depth_bounds "pipeline-depth-bounds" = |t| changed(t, |desc| {
        desc.raster.depth_bounds = Some([0.0, 0.5]);
    });
    pipeline_depth_bias "pipeline-depth-bias" = |t| changed(t, |desc| {
        desc.primitive.topology = PrimitiveTopology::LineList;
        let mut state = depth(TextureFormat::Depth32Float);
        state.bias.constant = 1;
        desc.depth_stencil = Some(state);
    });
    pipeline_logic_op "pipeline-logic-op" = |t| changed(t, |desc| {
        desc.raster.logic_op = Some(LogicOp::Xor);
        desc.targets = blended(BlendFactor::One);
    });
    pipeline_dual_source "pipeline-dual-source" = |t| changed(t, |desc| {
        desc.targets = blended(BlendFactor::Src1);
    });
    pipeline_alpha_to_coverage "pipeline-alpha-to-coverage" = |t| changed(t, |desc| {
        desc.multisample.alpha_to_coverage_enabled = true;
    });
    pipeline_attachments "pipeline-attachments" = |t| changed(t, |desc| desc.targets = &[]);
    pipeline_feature "pipeline-feature" = |t| changed(t, |desc| desc.primitive.conservative = true);
    pipeline_derive "pipeline-derive" = |t| derived(t, "
        @group(0) @binding(0) var<uniform> place: vec4f;
        @vertex fn vertex() -> @builtin(position) vec4f { return place; }", "
        @group(0) @binding(0) var<storage, read> color: vec4f;
        @fragment fn fragment() -> @location(0) vec4f { return color; }");
    pipeline_derived_layout "pipeline-derived-layout" = |t| derived(t, "
        @vertex fn vertex() -> @builtin(position) vec4f { return vec4f(0.0); }", "
        @group(4) @binding(0) var<uniform> color: vec4f;
        @fragment fn fragment() -> @location(0) vec4f { return color; }");
    pipeline_memory "pipeline-memory" = |t| {
        let layout = pipeline_layout(t, &[], 0).unwrap();
        let mut heaps = Vec::new();
        for bytes in [16 << 20, 1 << 20, 64 << 10, 1 << 10, 64, 4] {
            while let Ok(heap) = t.device.create_heap(&HeapDescriptor { label: None, bytes }) {
                heaps.push(heap);
            }
        }
        let buffers: Vec<_> = std::iter::from_fn(|| {
            t.device.create_buffer(&crate::buffer(4, BufferUsages::UNIFORM)).ok()
        }).collect();
        let made = build(t, &layout, "white", |_| {});
        drop((heaps, buffers));
        made
    };
}

/// What the layout says is what the shader gets, so this pipeline is made.
#[test]
fn bound_pipelines_are_made() {
    let t = Fixture::new();
    let set = layout(&t, &[entry(0, uniform())]).unwrap();
    let layout = pipeline_layout(&t, &[&set], 0).unwrap();
    let pipeline = build(&t, &layout, "bound", |_| {}).unwrap();
    assert!(pipeline.listing(Stage::Fragment).unwrap().contains("exp"));
}

/// A binding that the layout lacks is said before any stage is compiled.
#[test]
fn interfaces_come_before_code() {
    let t = Fixture::new();
    let layout = pipeline_layout(&t, &[], 0).unwrap();
    let error = build(&t, &layout, "bound", |_| {}).unwrap_err();
    assert_eq!(error.rule(), "pipeline-binding", "{error}");
}

/// A second output may be left unused, but beside another target it is none.
#[test]
fn second_outputs_have_one_target() {
    const TEXT: &str = "
        enable dual_source_blending;
        struct Two { @location(0) @blend_src(0) one: vec4f, @location(0) @blend_src(1) two: vec4f }
        @vertex fn vertex() -> @builtin(position) vec4f { return vec4f(0.0); }
        @fragment fn fragment() -> Two { return Two(vec4f(1.0), vec4f(0.5)); }";
    for t in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().integers)
        .map(Fixture::on)
    {
        let module = ShaderModuleDescriptor::wgsl(TEXT);
        let module = t.device.create_shader_module(&module).unwrap();
        let with = |targets: &[Option<ColorTargetState>]| {
            let desc = GraphicsPipelineDescriptor {
                fragment: Some((&module).into()),
                targets,
                ..GraphicsPipelineDescriptor::new(&module)
            };
            t.device.create_graphics_pipeline(&desc)
        };
        let plain: ColorTargetState = TextureFormat::Rgba8Unorm.into();
        let unwritten = ColorTargetState {
            write_mask: ColorWrites::empty(),
            ..plain.clone()
        };
        with(&[Some(plain.clone())]).unwrap();
        with(blended(BlendFactor::Src1)).unwrap();
        let error = with(&[Some(plain), Some(unwritten)]).unwrap_err();
        assert_eq!(error.rule(), "pipeline-dual-source", "{error}");
    }
}

#[test]
fn alpha_becomes_coverage_where_there_is_some() {
    for t in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().integers)
        .map(Fixture::on)
    {
        let with = |format: TextureFormat| {
            changed(&t, |desc| {
                desc.multisample.alpha_to_coverage_enabled = true;
                desc.multisample.count = 4;
                desc.targets = Vec::leak(vec![Some(format.into())]);
            })
        };
        with(TextureFormat::Rgba8Unorm).unwrap();
        let error = with(TextureFormat::Rg8Unorm).unwrap_err();
        assert_eq!(error.rule(), "pipeline-alpha-to-coverage", "{error}");
        assert!(error.to_string().contains("no alpha"), "{error}");
    }
}
