//! Sprites, slivers, triangles that are not seen, lines, and ways to interpolate.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::*;

/// A kind of primitives.
struct Shape {
    label: &'static str,
    /// Attribute of the colour.
    interpolation: &'static str,
    /// Gives `xy` of vertex `n` of instance `i`; may set `z` and `w`.
    place: &'static str,
    topology: PrimitiveTopology,
    cull: Option<Face>,
    vertices: u32,
    instances: u32,
    samples: u32,
}

/// Squares of two triangles, ten across, that overlap.
const SPRITES: Shape = Shape {
    label: "big sprites",
    interpolation: "",
    place: "let corner = vec2f(f32(n & 1u), f32(n >> 1u));
        let o = vec2f(f32(i % 10u), f32(i / 10u)) / 5.0 - 1.0;
        let xy = o + corner * 0.5;",
    topology: PrimitiveTopology::TriangleStrip,
    cull: None,
    vertices: 4,
    instances: 100,
    samples: 1,
};

/// Triangles of one instance.
const TRIANGLES: Shape = Shape {
    topology: PrimitiveTopology::TriangleList,
    instances: 1,
    ..SPRITES
};

/// Small ones, all facing the same way.
const FACING: Shape = Shape {
    place: "let q = n / 3u;
        let k = n % 3u;
        let o = vec2f(f32(q % 256u), f32(q / 256u)) / 128.0 - 1.0;
        let xy = o + vec2f(f32(k & 1u), f32(k >> 1u)) * 0.01;",
    vertices: 3 * 65536,
    ..TRIANGLES
};

const SHAPES: [Shape; 14] = [
    Shape {
        label: "strip of sprites",
        place: "let corner = vec2f(f32(n & 1u), f32(n >> 1u));
            let o = vec2f(f32(i % 100u), f32(i / 100u)) / 50.0 - 1.0;
            let xy = o + corner * 0.03;",
        instances: 10000,
        ..SPRITES
    },
    SPRITES,
    Shape {
        label: "flat",
        interpolation: "@interpolate(flat)",
        ..SPRITES
    },
    Shape {
        label: "without perspective",
        interpolation: "@interpolate(linear)",
        ..SPRITES
    },
    Shape {
        label: "centroid",
        interpolation: "@interpolate(perspective, centroid)",
        samples: 4,
        ..SPRITES
    },
    Shape {
        label: "per sample",
        interpolation: "@interpolate(perspective, sample)",
        samples: 4,
        ..SPRITES
    },
    Shape {
        label: "slivers",
        place: "let q = n / 3u;
            let k = n % 3u;
            let a = f32(q) * 0.0031415;
            let r = select(0.0, 1.0, k > 0u);
            let b = a + f32(k) * 0.002;
            let xy = vec2f(cos(b), sin(b)) * r;",
        vertices: 6000,
        ..TRIANGLES
    },
    Shape {
        label: "culled",
        cull: Some(Face::Front),
        ..FACING
    },
    Shape {
        label: "culled by the other side",
        cull: Some(Face::Back),
        ..FACING
    },
    Shape {
        label: "clipped",
        place: "let q = n / 3u;
            let k = n % 3u;
            let a = f32(q) * 0.01;
            let xy = vec2f(cos(a + f32(k)), sin(a + f32(k) * 1.3)) * 1.5;
            z = 0.3 + f32(k) * 0.4;
            w = f32(k) - 0.5 + a * 0.01;",
        vertices: 3000,
        ..TRIANGLES
    },
    Shape {
        label: "outside",
        place: "let q = n / 3u;
            let k = n % 3u;
            let xy = vec2f(2.0 + f32(q & 15u), f32(k));",
        vertices: 300000,
        ..TRIANGLES
    },
    Shape {
        label: "line strip",
        place: "let a = f32(n) * 0.05;
            let xy = vec2f(cos(a), sin(a * 1.1)) * 0.9;",
        topology: PrimitiveTopology::LineStrip,
        vertices: 20000,
        ..TRIANGLES
    },
    Shape {
        label: "short lines",
        place: "let q = n / 2u;
            let o = vec2f(f32(q % 128u), f32(q / 128u % 128u)) / 64.0 - 1.0;
            let xy = o + vec2f(0.012, 0.008) * f32(n & 1u);",
        topology: PrimitiveTopology::LineList,
        vertices: 65536,
        ..TRIANGLES
    },
    Shape {
        label: "fan of overlapping",
        place: "let a = f32(n % 3u) * 2.1 + f32(n / 3u);
            let xy = vec2f(cos(a), sin(a)) * 0.8;",
        vertices: 300,
        samples: 4,
        ..TRIANGLES
    },
];

fn cell(shape: &Shape) -> Plan {
    let Shape {
        interpolation,
        place,
        ..
    } = shape;
    let text = format!(
        "struct V {{ @builtin(position) at: vec4f, @location(0) {interpolation} c: vec3f }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
            var z = 0.5;
            var w = 1.0;
            {place}
            return V(vec4f(xy, z, w), vec3f(fract(xy * 3.0), 0.5));
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{ return vec4f(v.c, 1.0); }}"
    );
    let pipeline = Pipeline {
        topology: shape.topology,
        cull: shape.cull,
        samples: shape.samples,
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    };
    let draw = Draw {
        instances: 0..shape.instances,
        ..Draw::new(0, 0..shape.vertices)
    };
    let label = format!("primitive/{}", shape.label);
    covering(label, pipeline, draw, [0.0, 0.0, 0.0, 1.0])
}

pub(super) fn cells() -> Vec<Plan> {
    SHAPES.iter().map(cell).collect()
}
