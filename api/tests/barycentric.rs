//! Weights of vertices as inputs of fragment shaders, and what each vertex has. [VULKAN Fragment Shader Barycentric]
#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::{Harness, Setup};

/// All corners but the first far outside, so that they are cut off; what fragments take is there interpolated and as it is.
const VERTEX: &str = "
    struct Out {
        @builtin(position) @invariant at: vec4f,
        @location(0) smoothed: vec3f,
        @location(1) @interpolate(linear) linear_: vec2f,
        @location(2) color: vec3f,
        @location(3) flat_: vec2f,
        @location(4) @interpolate(flat) number: u32,
    }
    @vertex fn vertex(@builtin(vertex_index) i: u32) -> Out {
        let at = array(vec2f(-0.7, -0.9), vec2f(0.5, 3.0), vec2f(3.0, 0.9))[i];
        let w = f32(i + 1u) * 1.5;
        let color = vec3f(0.3, 0.1, -0.7) * f32(i * i) + vec3f(0.0, 1.0, 0.2);
        let pair = vec2f(f32(i), 3.0 - f32(i));
        return Out(vec4f(at * w, 0.5 * w, w), color, pair, color, pair, 0xfe80ba98u + 0x01010101u * i);
    }";

/// naga takes one kind of weights in an entry point.
const FRAGMENT: &str = "
    enable wgpu_per_vertex;
    struct In {
        @builtin(barycentric) b: vec3f,
        @location(0) smoothed: vec3f,
        @location(2) @interpolate(per_vertex) colors: array<vec3f, 3>,
        @location(4) @interpolate(per_vertex) numbers: array<u32, 3>,
    }
    @fragment fn fragment(v: In) -> @location(0) vec4f {
        var sum = vec3f();
        var whole = true;
        for (var i = 0u; i < 3u; i++) {
            if v.b[i] == 0.0 { continue; }
            sum += v.b[i] * v.colors[i];
            whole = whole && v.numbers[i] == 0xfe80ba98u + 0x01010101u * i;
        }
        let near = all(abs(sum - v.smoothed) < vec3f(1e-4));
        return vec4f(f32(near), 1.0, f32(whole), 1.0);
    }";

fn has_barycentrics(harness: &Harness) -> bool {
    harness.device.physical_device().name() == "southern-islands"
}

#[test]
fn weights_of_vertices_give_what_is_interpolated() {
    for harness in Harness::each() {
        let vertex = harness.module(VERTEX);
        let words = harness.words(include_bytes!("spirv/barycentric.frag.spv"));
        for fragment in [words, harness.module(FRAGMENT)] {
            for topology in [
                PrimitiveTopology::TriangleList,
                PrimitiveTopology::LineStrip,
                PrimitiveTopology::PointList,
            ] {
                for provoking_vertex in [ProvokingVertex::First, ProvokingVertex::Last] {
                    let setup = Setup {
                        size: [32, 32],
                        ..Setup::topology(topology)
                    };
                    let stage = |module| ShaderStage {
                        module,
                        entry: None,
                        constants: &[],
                    };
                    let made =
                        harness
                            .device
                            .create_graphics_pipeline(&GraphicsPipelineDescriptor {
                                fragment: Some(stage(&fragment)),
                                targets: &[Some(TextureFormat::Rgba8Unorm.into())],
                                primitive: setup.primitive,
                                raster: RasterState {
                                    provoking_vertex,
                                    ..RasterState::default()
                                },
                                ..GraphicsPipelineDescriptor::new(stage(&vertex))
                            });
                    if !has_barycentrics(&harness) {
                        let error = made.unwrap_err().to_string();
                        let named = ["barycentric coordinates", "inputs of each vertex"];
                        assert!(named.iter().any(|name| error.contains(name)), "{error}");
                        continue;
                    }
                    let made = made.unwrap();
                    let drawn = harness.record(&setup, |commands| {
                        commands.bind_pipeline(&made).unwrap();
                        // Of lines and points the first primitive, whose vertices have the first numbers.
                        let count = match topology {
                            PrimitiveTopology::PointList => 1,
                            PrimitiveTopology::LineStrip => 2,
                            _ => 3,
                        };
                        commands.draw(0..count, 0..1).unwrap();
                    });
                    let seen: Vec<_> = drawn[0].chunks(4).filter(|pixel| pixel[3] > 0).collect();
                    let which = format!("{topology:?}, {provoking_vertex:?}");
                    let least = match topology {
                        PrimitiveTopology::PointList => 1,
                        _ => 12,
                    };
                    assert!(seen.len() >= least, "{which}: {}", seen.len());
                    for pixel in seen {
                        assert_eq!(pixel, [255; 4], "{which}");
                    }
                }
            }
        }
    }
}
