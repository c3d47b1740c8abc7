//! Rules of compute pipelines, compute passes and dispatches.

use girih::*;

use crate::boundaries::bounds;
use crate::pipelines::pipeline_layout;
use crate::sets::{layout, storage, uniform};
use crate::{Fixture, breaks};

const SHADER: &str = "
    override width: u32 = 64;
    struct Sums { total: vec4u, each: array<vec4u> }
    @group(0) @binding(0) var<storage, read_write> sums: Sums;
    var<immediate> shift: vec4u;
    @compute @workgroup_size(width) fn idle() {}
    @compute @workgroup_size(64) fn sum() { sums.total.x = 1; }
    @compute @workgroup_size(64) fn pushed() { sums.total = shift; }
";

/// A device that runs compute shaders.
fn gpu() -> Fixture {
    Fixture::with(|features| features.compute)
}

fn entry() -> BindGroupLayoutEntry {
    BindGroupLayoutEntry {
        visibility: ShaderStages::COMPUTE,
        ..crate::sets::entry(0, storage())
    }
}

fn build(
    t: &Fixture,
    layout: Option<&PipelineLayout>,
    entry: &str,
    constants: &[(&str, f64)],
) -> Result<ComputePipeline, ComputePipelineError> {
    let desc = ShaderModuleDescriptor::wgsl(SHADER);
    let module = t.device.create_shader_module(&desc).unwrap();
    t.device
        .create_compute_pipeline(&ComputePipelineDescriptor {
            label: Some("pipeline"),
            layout,
            compute: ShaderStage {
                module: &module,
                entry: Some(entry),
                constants,
            },
        })
}

fn sum(t: &Fixture) -> ComputePipeline {
    let set = layout(t, &[entry()]).unwrap();
    let layout = pipeline_layout(t, &[&set], 0).unwrap();
    build(t, Some(&layout), "sum", &[]).unwrap()
}

/// A set for [`sum`] with a buffer of some bytes.
fn set(t: &Fixture, pipeline: &ComputePipeline, bytes: u64) -> DescriptorSet {
    let buffer = t.buffer(bytes, BufferUsages::STORAGE);
    t.device
        .create_descriptor_set(&DescriptorSetDescriptor {
            label: Some("set"),
            layout: pipeline.set_layout(0).unwrap(),
            entries: &[(0, (&buffer).into())],
        })
        .unwrap()
}

/// A command buffer in a compute pass.
fn open(t: &Fixture) -> CommandBuffer {
    let mut commands = t.commands();
    let pass = ComputePass {
        label: Some("pass"),
    };
    commands.begin_compute_pass(&pass).unwrap();
    commands
}

/// The same with a pipeline that takes nothing.
fn ready(t: &Fixture) -> CommandBuffer {
    let mut commands = open(t);
    let idle = build(t, None, "idle", &[]).unwrap();
    commands.bind_compute_pipeline(&idle).unwrap();
    commands
}

breaks! {
    compute_feature "compute-feature" = |_all| {
        build(&Fixture::with(|features| !features.compute), None, "idle", &[])
    };
    compute_shader "compute-shader" = |_all| build(&gpu(), None, "nothing", &[]);
    compute_compile "compute-compile" = |_all| build(&gpu(), None, "idle", &[("width", 1025.0)]);
    compute_binding "compute-binding" = |_all| {
        let t = &gpu();
        let set = layout(t, &[BindGroupLayoutEntry { ty: uniform(), ..entry() }]).unwrap();
        build(t, Some(&pipeline_layout(t, &[&set], 0).unwrap()), "sum", &[])
    };
    compute_push_constants "compute-push-constants" = |_all| {
        let t = &gpu();
        let set = layout(t, &[entry()]).unwrap();
        build(t, Some(&pipeline_layout(t, &[&set], 12).unwrap()), "pushed", &[])
    };
    compute_device "compute-device" = |_all| {
        let layout = pipeline_layout(&gpu(), &[], 0).unwrap();
        build(&gpu(), Some(&layout), "idle", &[])
    };
    compute_derived_layout "compute-derived-layout" = |_all| {
        let t = &gpu();
        let module = t.device.create_shader_module(&ShaderModuleDescriptor::wgsl("
            @group(4) @binding(0) var<storage, read_write> word: u32;
            @compute @workgroup_size(1) fn far() { word = 1; }")).unwrap();
        t.device.create_compute_pipeline(&ComputePipelineDescriptor::new(&module))
    };
    compute_memory "compute-memory" = |_all| {
        let t = &gpu();
        let mut heaps = Vec::new();
        for bytes in [16 << 20, 1 << 20, 64 << 10, 1 << 10, 64, 4] {
            while let Ok(heap) = t.device.create_heap(&HeapDescriptor { label: None, bytes }) {
                heaps.push(heap);
            }
        }
        let buffers: Vec<_> = std::iter::from_fn(|| {
            t.device.create_buffer(&crate::buffer(4, BufferUsages::UNIFORM)).ok()
        }).collect();
        let made = build(t, None, "idle", &[]);
        drop((heaps, buffers));
        made
    };
    pass_compute "pass-compute" = |_all| {
        let t = &Fixture::with(|features| !features.compute);
        t.commands().begin_compute_pass(&ComputePass::default())
    };
    dispatch_pass "dispatch-pass" = |_all| gpu().commands().dispatch([1; 3]);
    dispatch_pipeline "dispatch-pipeline" = |_all| open(&gpu()).dispatch([1; 3]);
    dispatch_set "dispatch-set" = |_all| {
        let t = &gpu();
        let mut commands = open(t);
        commands.bind_compute_pipeline(&sum(t)).unwrap();
        commands.dispatch([1; 3])
    };
    dispatch_set_layout "dispatch-set-layout" = |_all| {
        let t = &gpu();
        let other = layout(t, &[BindGroupLayoutEntry { ty: uniform(), ..entry() }]).unwrap();
        let set = t.device.create_descriptor_set(&DescriptorSetDescriptor {
            label: None,
            layout: &other,
            entries: &[(0, (&t.buffer(64, BufferUsages::UNIFORM)).into())],
        }).unwrap();
        let mut commands = open(t);
        commands.bind_compute_pipeline(&sum(t)).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        commands.dispatch([1; 3])
    };
    dispatch_set_size "dispatch-set-size" = |_all| dispatch_with(28);
    dispatch_groups "dispatch-groups" = |_all| ready(&gpu()).dispatch([1, 65536, 1]);
    dispatch_indirect_usage "dispatch-indirect-usage" = |_all| {
        let t = &gpu();
        ready(t).dispatch_indirect(&t.buffer(16, BufferUsages::STORAGE), 0)
    };
    dispatch_indirect_align "dispatch-indirect-align" = |_all| indirect(2);
    dispatch_indirect_range "dispatch-indirect-range" = |_all| indirect(8);
    submit_dispatch_set "submit-dispatch-set" = |_all| {
        let t = &gpu();
        let pipeline = sum(t);
        let set = set(t, &pipeline, 32);
        let mut commands = open(t);
        commands.bind_compute_pipeline(&pipeline).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        commands.dispatch([1; 3]).unwrap();
        commands.end_pass().unwrap();
        set.update(&[(0, (&t.buffer(28, BufferUsages::STORAGE)).into())]).unwrap();
        t.queue.submit(&[&commands], &[])
    };
}

fn dispatch_with(bytes: u64) -> Result<(), DispatchError> {
    let t = &gpu();
    let pipeline = sum(t);
    let mut commands = open(t);
    commands.bind_compute_pipeline(&pipeline).unwrap();
    let set = set(t, &pipeline, bytes);
    commands.bind_descriptor_set(0, &set, &[]).unwrap();
    commands.dispatch([1; 3])
}

/// Arguments in a buffer of 16 bytes.
fn indirect(offset: u64) -> Result<(), DispatchError> {
    let t = &gpu();
    let buffer = t.buffer(16, BufferUsages::INDIRECT);
    ready(t).dispatch_indirect(&buffer, offset)
}

mod bounded {
    use super::*;

    bounds! {
        workgroup_size "compute-compile" = |_t, width| build(&gpu(), None, "idle", &[("width", width)]);
            accepts [1.0, 1024.0]; refuses [1025.0];
        push_constants "compute-push-constants" = |_t, bytes: u32| {
            let t = &gpu();
            let set = layout(t, &[entry()]).unwrap();
            build(t, Some(&pipeline_layout(t, &[&set], bytes).unwrap()), "pushed", &[])
        };
            accepts [16, 20]; refuses [12];
        set_size "dispatch-set-size" = |_t, bytes: u64| dispatch_with(bytes);
            accepts [32]; refuses [28];
        groups "dispatch-groups" = |_t, groups: [u32; 3]| ready(&gpu()).dispatch(groups);
            accepts [[65535, 1, 1], [1, 1, 65535], [0; 3]]; refuses [[65536, 1, 1], [1, 1, u32::MAX]];
        indirect_align "dispatch-indirect-align" = |_t, offset: u64| indirect(offset);
            accepts [0, 4]; refuses [1, 2, 3];
        indirect_range "dispatch-indirect-range" = |_t, offset: u64| indirect(offset);
            accepts [4]; refuses [8, u64::MAX - 3];
    }
}
pub use bounded::BOUNDED;

/// Commands of draws have no place in a compute pass, and other passes none inside of it.
#[test]
fn compute_passes_take_dispatches_only() {
    let t = &gpu();
    let mut commands = open(t);
    let nested = commands.begin_compute_pass(&ComputePass::default());
    assert_eq!(nested.map_err(|error| error.rule()), Err("pass-nested"));
    let drawn = commands.draw(0..3, 0..1);
    assert_eq!(drawn.map_err(|error| error.rule()), Err("draw-pass"));
    let filled = commands.fill_buffer(&t.buffer(4, BufferUsages::COPY_DST), 0..4, 0);
    assert_eq!(
        filled.map_err(|error| error.rule()),
        Err("command-outside-pass")
    );
    let open = t.queue.submit(&[&commands], &[]);
    assert_eq!(open.map_err(|error| error.rule()), Err("submit-open-pass"));
    commands.end_pass().unwrap();
    assert_eq!(
        commands.end_pass().map_err(|error| error.rule()),
        Err("pass-open")
    );
    t.queue.submit(&[&commands], &[]).unwrap();
}
