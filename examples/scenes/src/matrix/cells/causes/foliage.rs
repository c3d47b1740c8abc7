//! Bushes of leaves that are cut out of a texture: each leaf writes depth, in no order, and most are hidden in the end.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::super::plan::{Contents, Draw, Pipeline, Plan, Resource, Sampling, Texture};
use crate::math::{cross, normalized};
use crate::mesh::Numbers;

const BUSHES: usize = 60;
const LEAVES: usize = 12_000;

const SCENE: &str = "
struct Scene { camera: mat4x4f, sun: vec4f };
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var leaf: texture_2d<f32>;
@group(0) @binding(2) var s: sampler;
";

const LEAF: &str = "
struct V {
    @builtin(position) at: vec4f,
    @location(0) uv: vec2f,
    @location(1) normal: vec3f,
    @location(2) tint: vec3f,
};

@vertex fn vs(
    @builtin(vertex_index) n: u32,
    @location(0) place: vec4f,
    @location(1) right: vec4f,
    @location(2) up: vec4f,
) -> V {
    let corner = vec2f(f32(n & 1u), f32(n >> 1u)) * 2.0 - 1.0;
    let offset = (right.xyz * corner.x + up.xyz * corner.y) * place.w;
    let tint = mix(vec3f(0.6, 0.8, 0.3), vec3f(1.0, 0.9, 0.5), right.w) * up.w;
    return V(
        scene.camera * vec4f(place.xyz + offset, 1.0),
        vec2f(corner.x, -corner.y) * 0.5 + 0.5,
        cross(right.xyz, up.xyz),
        tint,
    );
}

@fragment fn fs(v: V, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let texel = textureSample(leaf, s, v.uv);
    if texel.a < 0.5 {
        discard;
    }
    let normal = normalize(select(-v.normal, v.normal, front));
    let light = 0.35 + 0.65 * abs(dot(normal, scene.sun.xyz));
    return vec4f(texel.rgb * v.tint * light, 1.0);
}
";

const GROUND: &str = "
struct V { @builtin(position) at: vec4f, @location(0) place: vec2f };
@vertex fn vs(@builtin(vertex_index) n: u32) -> V {
    let place = (vec2f(f32(n & 1u), f32(n >> 1u)) * 2.0 - 1.0) * 40.0;
    return V(scene.camera * vec4f(place.x, 0.0, -place.y, 1.0), place);
}
@fragment fn fs(v: V) -> @location(0) vec4f {
    let texel = textureSample(leaf, s, v.place);
    return vec4f(vec3f(0.20, 0.24, 0.10) + texel.rgb * 0.15, 1.0);
}
";

/// A leaf with a midrib and saw teeth: brightness and green vary along the veins, alpha cuts it out.
fn leaf() -> Vec<u8> {
    const EDGE: u32 = 256;
    super::mipped(EDGE, 1, |_, column, row| {
        let place = |n: u32| (n as f32 + 0.5) / EDGE as f32 * 2.0 - 1.0;
        let (x, y) = (place(column).abs(), place(row));
        let teeth = (y * 12.0 + x * 6.0 + 20.0).fract() * 0.08;
        let half = (1.0 - y * y) * (0.75 - 0.2 * y) - teeth;
        let vein = ((y * 5.0 + x * 4.0 + 20.0).fract() - 0.5)
            .abs()
            .min(x * 4.0);
        let shade = 0.55 + 0.45 * vein.min(0.4) / 0.4;
        let alpha = ((half - x) * 40.0 + 0.5).clamp(0.0, 1.0);
        [0.35 * shade, 0.75 * shade, 0.18 * shade, alpha]
    })
}

fn leaves() -> Vec<[f32; 12]> {
    let mut numbers = Numbers(31);
    let bushes: Vec<[f32; 3]> = (0..BUSHES)
        .map(|_| {
            [
                numbers.between(-14.0, 14.0),
                numbers.between(-24.0, 4.0),
                numbers.between(0.9, 1.8),
            ]
        })
        .collect();
    (0..LEAVES)
        .map(|_| {
            let [x, z, radius] = bushes[numbers.word() as usize % BUSHES];
            let mut turned = || std::array::from_fn(|_| numbers.between(-1.0, 1.0));
            let out: [f32; 3] = normalized(turned());
            let right = normalized(turned());
            let up = normalized(cross(right, out));
            let far = radius * numbers.between(0.5, 1.0);
            let size = numbers.between(0.22, 0.4);
            let [r0, r1, r2] = right;
            let [u0, u1, u2] = up;
            let place = [
                x + out[0] * far,
                radius * 0.8 + out[1] * far,
                z + out[2] * far,
            ];
            let [p0, p1, p2] = place;
            let [ripe, bright] = [numbers.unit(), numbers.between(0.7, 1.1)];
            [p0, p1, p2, size, r0, r1, r2, ripe, u0, u1, u2, bright]
        })
        .collect()
}

pub(super) fn plan() -> Plan {
    let mut plan = super::scene("foliage");
    let camera = super::camera([0.5, 1.4, 9.0], [0.0, 1.2, 0.0], 55.0, [0.1, 80.0]);
    let [x, y, z] = normalized([0.5, 1.0, 0.6]);
    let texture = plan.texture(Texture {
        format: F::Rgba8Unorm,
        view: TextureViewDimension::D2,
        size: [256, 256, 1],
        levels: 9,
        samples: 1,
        contents: Contents::Made(leaf),
    });
    let constants = super::uniform(&mut plan, camera, &[[x, y, z, 0.0]]);
    let set = plan.set(vec![
        constants,
        Resource::Texture(texture, super::FILTERED),
        Resource::Sampler(Sampling::TRILINEAR),
    ]);
    let base = |text: &str| Pipeline {
        set: Some(set),
        depth: super::depth(CompareFunction::Less),
        topology: PrimitiveTopology::TriangleStrip,
        ..Pipeline::new(format!("{SCENE}{text}"), &[F::Rgba8Unorm])
    };
    let ground = plan.pipeline(base(GROUND));
    let mut leafy = base(LEAF);
    leafy.buffers = vec![super::per_instance(0, 3)];
    let leafy = plan.pipeline(leafy);
    let leaves = super::instances(&mut plan, &leaves());
    let draw = |pipeline| Draw {
        set: Some(set),
        ..Draw::new(pipeline, 0..4)
    };
    let draws = vec![
        draw(ground),
        Draw {
            vertices: vec![leaves],
            instances: 0..LEAVES as u32,
            ..draw(leafy)
        },
    ];
    super::pass(&mut plan, [0.55, 0.7, 0.85], draws);
    plan
}
