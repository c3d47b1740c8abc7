//! Numbers of graphics pipelines.

use girih::*;

use super::bounds;
use crate::Fixture;
use crate::pipelines::{
    attribute, buffer, build, changed, depth, geometry, pipeline_layout, vertex_buffers,
};

type Made = Result<GraphicsPipeline, GraphicsPipelineError>;

/// One attribute in one buffer.
fn fetched(t: &Fixture, stride: u32, format: VertexFormat, offset: u64) -> Made {
    vertex_buffers(t, &[buffer(stride, &[attribute(0, format, offset)])])
}

/// Attributes of location 0 and up.
fn attributes(count: u32) -> Vec<VertexAttribute> {
    let one = |n| attribute(n, VertexFormat::Float32, 4 * u64::from(n));
    (0..count).map(one).collect()
}

/// A device that tests depth bounds.
fn depth_bounds(bounds: [f32; 2]) -> Made {
    let t = &Fixture::with(|features| features.depth_bounds);
    changed(t, |desc| {
        desc.depth_stencil = Some(depth(TextureFormat::Depth32Float));
        desc.raster.depth_bounds = Some(bounds);
    })
}

/// A pipeline that reads a group.
fn grouped(t: &Fixture, group: u32) -> Made {
    let text = format!(
        "@group({group}) @binding(0) var<uniform> place: vec4f;
         @vertex fn vertex() -> @builtin(position) vec4f {{ return place; }}
         @fragment fn fragment() -> @location(0) vec4f {{ return vec4f(1.0); }}"
    );
    let module = t
        .device
        .create_shader_module(&ShaderModuleDescriptor::wgsl(&text));
    let module = module.unwrap();
    t.device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            fragment: Some((&module).into()),
            targets: &[Some(TextureFormat::Rgba8Unorm.into())],
            ..GraphicsPipelineDescriptor::new(&module)
        })
}

bounds! {
    pipeline_push_constants "pipeline-push-constants" = |t, bytes| {
        let layout = pipeline_layout(t, &[], bytes).unwrap();
        build(t, &layout, "pushed", |_| {})
    };
    accepts [16, 20]; refuses [0, 12];

    pipeline_derived_layout "pipeline-derived-layout" = |t, group| grouped(t, group);
    accepts [0, MAX_DESCRIPTOR_SETS - 1]; refuses [MAX_DESCRIPTOR_SETS];

    vertex_buffer_count "pipeline-vertex-count" = |t, count| vertex_buffers(t, &vec![buffer(4, &[]); count as usize]);
    accepts [0, t.device.limits().vertex_buffers]; refuses [t.device.limits().vertex_buffers + 1];

    vertex_attribute_count "pipeline-vertex-count" = |t, count| vertex_buffers(t, &[buffer(256, &attributes(count))]);
    accepts [1, t.device.limits().vertex_attributes]; refuses [t.device.limits().vertex_attributes + 1];

    vertex_location "pipeline-vertex-location" = |t, location| {
        vertex_buffers(t, &[buffer(4, &[attribute(location, VertexFormat::Float32, 0)])])
    };
    accepts [0, t.device.limits().vertex_attributes - 1];
    refuses [t.device.limits().vertex_attributes, u32::MAX];

    vertex_stride "pipeline-vertex-stride" = |t, stride| fetched(t, stride, VertexFormat::Float32x2, 0);
    accepts [0, 8, t.device.limits().vertex_stride / 4 * 4];
    refuses [4, 7, 9, 10, t.device.limits().vertex_stride / 4 * 4 + 4, u32::MAX - 3];

    vertex_offset "pipeline-vertex-stride" = |t, offset| fetched(t, 16, VertexFormat::Float32x2, offset);
    accepts [0, 4, 8]; refuses [1, 2, 9, 12, u64::MAX - 3];

    vertex_offset_of_bytes "pipeline-vertex-stride" = |t, offset| fetched(t, 4, VertexFormat::Unorm8x2, offset);
    accepts [0, 2]; refuses [1, 3, 4];

    vertex_offset_without_stride "pipeline-vertex-stride" = |t, offset| fetched(t, 0, VertexFormat::Float32, offset);
    accepts [0, 2044]; refuses [2048];

    target_count "pipeline-target-count" = |t, count| changed(t, |desc| {
        let mut targets = desc.targets.to_vec();
        targets.resize(count as usize, None);
        desc.targets = Vec::leak(targets);
    });
    accepts [1, t.device.limits().color_attachments]; refuses [t.device.limits().color_attachments + 1];

    samples "pipeline-samples" = |t, count| changed(t, |desc| desc.multisample.count = count);
    accepts [1, 2, 4, 8]; refuses [0, 3, 5, 7, 9, 17, 32, u32::MAX];

    line_width "pipeline-size" = |t, width| changed(t, |desc| desc.raster.line_width = width);
    accepts [f32::MIN_POSITIVE, 8191.0]; refuses [0.0, -1.0, 8191.0_f32.next_up(), f32::NAN, f32::INFINITY];

    point_size "pipeline-size" = |t, size| changed(t, |desc| desc.raster.point_size = size);
    accepts [f32::MIN_POSITIVE, 8191.0]; refuses [0.0, -1.0, 8191.0_f32.next_up(), f32::NAN, f32::INFINITY];

    geometry_invocations "pipeline-geometry-invocations" = |t, invocations| geometry(t, invocations);
    accepts [1, 32]; refuses [0, 33, u32::MAX];

    line_stipple "pipeline-line-stipple" = |t, factor| changed(t, |desc| {
        desc.raster.line_stipple = Some(LineStipple { factor, pattern: 1 });
    });
    accepts [1, 256]; refuses [0, 257, u16::MAX];

    depth_bounds_in_order "pipeline-depth-bounds" = |_t, bounds| depth_bounds(bounds);
    accepts [[0.0, 1.0], [0.0, 0.0], [1.0, 1.0], [0.5, 0.5]];
    refuses [
        [0.5, 0.5_f32.next_down()], [-f32::MIN_POSITIVE, 1.0], [0.0, 1.0_f32.next_up()], [f32::NAN, 1.0], [0.0, f32::NAN],
    ];
}
