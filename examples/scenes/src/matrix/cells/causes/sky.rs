//! Spheres that reflect a sky of clouds: mirrors that take the level from how far reflections spread, and rougher ones
//! that ask for it, for the reflection and for what light falls on them.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::super::plan::{Contents, Draw, Pipeline, Plan, Resource, Sampling, Texture};
use super::Loaded;
use crate::math::normalized;
use crate::mesh::{Numbers, sphere};

const EDGE: u32 = 256;
const MIRRORS: usize = 120;
const ROUGH: usize = 280;
const EYE: [f32; 3] = [0.0, 1.5, 16.0];

const SCENE: &str = "
struct Scene { camera: mat4x4f, eye: vec4f };
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var sky: texture_cube<f32>;
@group(0) @binding(2) var s: sampler;
";

const BALL: &str = "
struct V {
    @builtin(position) at: vec4f,
    @location(0) normal: vec3f,
    @location(1) place: vec3f,
    @location(2) color: vec4f,
};
@vertex fn vs(
    @location(0) place: vec3f,
    @location(1) normal: vec3f,
    @location(2) ball: vec4f,
    @location(3) color: vec4f,
) -> V {
    let world = place * ball.w + ball.xyz;
    return V(scene.camera * vec4f(world, 1.0), normal, world, color);
}
@fragment fn fs(v: V) -> @location(0) vec4f {
    let normal = normalize(v.normal);
    let view = normalize(v.place - scene.eye.xyz);
    let mirrored = reflect(view, normal);
    let facing = 1.0 - max(dot(-view, normal), 0.0);
    let fresnel = 0.08 + 0.92 * facing * facing * facing * facing * facing;
";

const MIRROR: &str = "
    let light = textureSample(sky, s, mirrored).rgb;
    return vec4f(light * mix(v.color.rgb, vec3f(1.0), fresnel), 1.0);
}
";

const PAINT: &str = "
    let level = v.color.a * 7.0;
    let shine = textureSampleLevel(sky, s, mirrored, level).rgb;
    let light = textureSampleLevel(sky, s, normal, 7.0).rgb;
    return vec4f(mix(light * v.color.rgb, shine, min(fresnel + 0.1, 1.0)), 1.0);
}
";

const BOX: &str = "
struct V { @builtin(position) at: vec4f, @location(0) way: vec3f };
@vertex fn vs(@location(0) place: vec3f, @location(1) normal: vec3f) -> V {
    let at = scene.camera * vec4f(place * 50.0 + scene.eye.xyz, 1.0);
    return V(at.xyww, place);
}
@fragment fn fs(v: V) -> @location(0) vec4f {
    return vec4f(textureSample(sky, s, v.way).rgb, 1.0);
}
";

/// Where a texel of a face lies on the cube from -1 to 1. Faces are in the order +x, -x, +y, -y, +z, -z.
fn direction(face: u32, column: u32, row: u32) -> [f32; 3] {
    let place = |n: u32| (n as f32 + 0.5) / EDGE as f32 * 2.0 - 1.0;
    let (x, y) = (place(column), place(row));
    match face {
        0 => [1.0, -y, -x],
        1 => [-1.0, -y, x],
        2 => [x, 1.0, y],
        3 => [x, -1.0, -y],
        4 => [x, -y, 1.0],
        _ => [-x, -y, -1.0],
    }
}

fn sky() -> Vec<u8> {
    let sun = normalized([0.5, 0.55, -0.6]);
    super::mipped(EDGE, 6, |face, column, row| {
        let way = normalized(direction(face, column, row));
        let near = (0..3).map(|k| way[k] * sun[k]).sum::<f32>();
        let glow = ((near - 0.9) * 10.0).max(0.0);
        let glow = glow * glow * glow * 0.8 + if near > 0.997 { 1.0 } else { 0.0 };
        let [low, high, white] = match way[1] < 0.0 {
            true => [[0.35, 0.33, 0.28], [0.16, 0.14, 0.11], [0.24, 0.27, 0.15]],
            false => [[0.75, 0.82, 0.90], [0.18, 0.38, 0.72], [0.95, 0.95, 0.96]],
        };
        let up = way[1].abs();
        let cover = (super::clouds(way.map(|c| c * 5.0), 4) * 3.0 - 1.2).clamp(0.0, 1.0);
        let color = |k: usize| {
            let clear: f32 = low[k] + (high[k] - low[k]) * up;
            clear + (white[k] - clear) * cover + glow
        };
        [color(0), color(1), color(2), 1.0]
    })
}

fn balls(count: usize, numbers: &mut Numbers) -> Vec<[f32; 8]> {
    (0..count)
        .map(|_| {
            let place = [
                numbers.between(-13.0, 13.0),
                numbers.between(-6.0, 8.0),
                numbers.between(-14.0, 8.0),
            ];
            let radius = numbers.between(0.25, 0.9);
            let [red, green, blue] = std::array::from_fn(|_| numbers.between(0.4, 1.0));
            let roughness = numbers.unit();
            let [x, y, z] = place;
            [x, y, z, radius, red, green, blue, roughness]
        })
        .collect()
}

pub(super) fn plan() -> Plan {
    let mut plan = super::scene("sky");
    let camera = super::camera(EYE, [0.0, 1.0, 0.0], 55.0, [0.1, 200.0]);
    let [x, y, z] = EYE;
    let constants = super::uniform(&mut plan, camera, &[[x, y, z, 0.0]]);
    let texture = plan.texture(Texture {
        format: F::Rgba8Unorm,
        view: TextureViewDimension::Cube,
        size: [EDGE, EDGE, 6],
        levels: EDGE.ilog2() + 1,
        samples: 1,
        contents: Contents::Made(sky),
    });
    let set = plan.set(vec![
        constants,
        Resource::Texture(texture, super::FILTERED),
        Resource::Sampler(Sampling::TRILINEAR.clamped()),
    ]);
    let ball = Loaded::new(&mut plan, &sphere(32, 16));
    let cube = Loaded::new(&mut plan, &crate::mesh::cube());
    let mut numbers = Numbers(5);
    let mut draws: Vec<Draw> = Vec::new();
    for (count, text) in [(MIRRORS, MIRROR), (ROUGH, PAINT)] {
        let pipeline = plan.pipeline(Pipeline {
            set: Some(set),
            buffers: vec![super::corners(), super::per_instance(2, 2)],
            depth: super::depth(CompareFunction::Less),
            cull: Some(Face::Back),
            ..Pipeline::new(format!("{SCENE}{BALL}{text}"), &[F::Rgba8Unorm])
        });
        let places = super::instances(&mut plan, &balls(count, &mut numbers));
        draws.push(ball.draw_instances(pipeline, set, places, count));
    }
    let pipeline = plan.pipeline(Pipeline {
        set: Some(set),
        buffers: vec![super::corners()],
        depth: super::depth(CompareFunction::LessEqual),
        ..Pipeline::new(format!("{SCENE}{BOX}"), &[F::Rgba8Unorm])
    });
    draws.push(cube.draw(pipeline, set));
    super::pass(&mut plan, [0.0; 3], draws);
    plan
}
