//! A hall that is drawn to three images and depth, then lit by thirty-two lamps in one pass over the picture.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::super::plan::{Draw, Pipeline, Plan, Resource, Target};
use super::Loaded;
use crate::math::{Mat4, cross, normalized};
use crate::mesh::{Numbers, cube, sphere};

const LIGHTS: usize = 32;
const EYE: [f32; 3] = [0.0, 4.5, 15.0];
const AT: [f32; 3] = [0.0, 1.0, 0.0];
const DEGREES: f64 = 50.0;
const NEAR_FAR: [f32; 2] = [0.2, 80.0];

/// Colours, normals, and roughness, metal and light of its own.
const FORMATS: [F; 3] = [F::Rgba8Unorm, F::Rgba16Float, F::Rgb10a2Unorm];

const SURFACE: &str = "
@group(0) @binding(0) var<uniform> camera: mat4x4f;
struct V {
    @builtin(position) at: vec4f,
    @location(0) normal: vec3f,
    @location(1) place: vec3f,
    @location(2) color: vec4f,
};
struct G {
    @location(0) color: vec4f,
    @location(1) normal: vec4f,
    @location(2) matter: vec4f,
};
@vertex fn vs(
    @location(0) place: vec3f,
    @location(1) normal: vec3f,
    @location(2) box: vec4f,
    @location(3) size: vec4f,
    @location(4) color: vec4f,
) -> V {
    let world = place * size.xyz + box.xyz;
    return V(camera * vec4f(world, 1.0), normalize(normal / size.xyz), world, color);
}
@fragment fn fs(v: V) -> G {
    let tile = fract(v.place * 0.5);
    let line = select(1.0, 0.7, any(tile < vec3f(0.03)));
    let rough = 0.25 + 0.5 * fract(v.color.a * 7.0);
    return G(
        vec4f(v.color.rgb * line, 1.0),
        vec4f(normalize(v.normal), 0.0),
        vec4f(rough, v.color.a, 0.0, 1.0),
    );
}
";

const LIT: &str = "
struct Light { place: vec4f, color: vec4f };
struct Scene {
    eye: vec4f,
    right: vec4f,
    up: vec4f,
    forward: vec4f,
    lights: array<Light, 32>,
};
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var colors: texture_2d<f32>;
@group(0) @binding(2) var normals: texture_2d<f32>;
@group(0) @binding(3) var matters: texture_2d<f32>;
@group(0) @binding(4) var depths: texture_depth_2d;

@fragment fn fs(v: V) -> @location(0) vec4f {
    let pixel = vec2i(v.at.xy);
    let depth = textureLoad(depths, pixel, 0);
    if depth == 1.0 {
        return vec4f(0.02, 0.02, 0.04, 1.0);
    }
    let color = textureLoad(colors, pixel, 0).rgb;
    let normal = textureLoad(normals, pixel, 0).xyz;
    let matter = textureLoad(matters, pixel, 0);
    let plane = v.uv * 2.0 - 1.0;
    let ray = scene.forward.xyz + scene.right.xyz * plane.x - scene.up.xyz * plane.y;
    let near = scene.eye.w;
    let far = scene.forward.w;
    let place = scene.eye.xyz + ray * (near * far / (far - depth * (far - near)));
    let view = -normalize(ray);
    let power = 2.0 / (matter.x * matter.x);
    let mirror = mix(vec3f(0.04), color, matter.y);
    var sum = color * 0.05;
    for (var i = 0u; i < 32u; i++) {
        let light = scene.lights[i];
        let to = light.place.xyz - place;
        let square = dot(to, to);
        let reach = max(1.0 - square / (light.place.w * light.place.w), 0.0);
        let way = to * inverseSqrt(square);
        let facing = max(dot(normal, way), 0.0);
        let shine = pow(max(dot(normal, normalize(way + view)), 0.0), power);
        let surface = color * (1.0 - matter.y) + mirror * shine * (power + 2.0) * 0.125;
        sum += surface * light.color.rgb * (facing * reach * reach / (0.3 + square));
    }
    let mapped = sum / (1.0 + sum);
    return vec4f(sqrt(mapped), 1.0);
}
";

/// Places, sizes and colours with how much of a metal it is: a floor, columns and balls.
fn things(balls: bool) -> Vec<[f32; 12]> {
    let mut numbers = Numbers(if balls { 21 } else { 22 });
    let mut color = |[x, y, z]: [f32; 3], [wide, high, deep]: [f32; 3]| {
        let [red, green, blue, metal] = std::array::from_fn(|_| numbers.between(0.3, 0.95));
        [x, y, z, 1.0, wide, high, deep, 0.0, red, green, blue, metal]
    };
    let place = |n: i32, across: i32, step: f32| {
        let column = (n % across) as f32 - (across - 1) as f32 * 0.5;
        [column * step, 4.0 - (n / across) as f32 * step]
    };
    if balls {
        return (0..160)
            .map(|n| (n, place(n, 16, 1.5)))
            .map(|(n, [x, z])| color([x, 0.5 + (n % 3) as f32 * 0.5, z], [0.5; 3]))
            .collect();
    }
    let mut things = vec![color([0.0, -0.5, 0.0], [30.0, 0.5, 30.0])];
    things.extend(
        (0..28)
            .map(|n| place(n, 7, 4.0))
            .map(|[x, z]| color([x, 2.0, z - 1.0], [0.35, 2.0, 0.35])),
    );
    things
}

/// The eye, axes of the picture, and lamps with how far they reach.
fn lamps() -> Vec<u8> {
    let forward = normalized(std::array::from_fn(|k| AT[k] - EYE[k]));
    let right = normalized(cross(forward, [0.0, 1.0, 0.0]));
    let up = cross(right, forward);
    let half = 1.0 / Mat4::focal(DEGREES);
    let wide = half * super::SIZE[0] as f32 / super::SIZE[1] as f32;
    let [near, far] = NEAR_FAR;
    let row = |[x, y, z]: [f32; 3], w: f32| [x, y, z, w];
    let mut rows = vec![
        row(EYE, near),
        row(right.map(|c| c * wide), 0.0),
        row(up.map(|c| c * half), 0.0),
        row(forward, far),
    ];
    let mut numbers = Numbers(23);
    for n in 0..LIGHTS {
        let x = (n % 8) as f32 * 3.2 - 11.2 + numbers.between(-1.0, 1.0);
        let z = 5.0 - (n / 8) as f32 * 5.0 + numbers.between(-1.5, 1.5);
        rows.push([x, numbers.between(0.8, 3.5), z, numbers.between(5.0, 9.0)]);
        let [red, green, blue] = std::array::from_fn(|_| numbers.between(0.5, 5.0));
        rows.push([red, green, blue, 0.0]);
    }
    super::floats(rows.into_iter().flatten())
}

pub(super) fn plan() -> Plan {
    let mut plan = super::scene("deferred");
    let images = FORMATS.map(|format| plan.target(format, super::SIZE, 1));
    let depth = 1;
    let camera = super::camera(EYE, AT, DEGREES, NEAR_FAR);
    let camera = super::uniform(&mut plan, camera, &[]);
    let set = plan.set(vec![camera]);
    let pipeline = plan.pipeline(Pipeline {
        set: Some(set),
        buffers: vec![super::corners(), super::per_instance(2, 3)],
        depth: super::depth(CompareFunction::Less),
        cull: Some(Face::Back),
        ..Pipeline::new(SURFACE, &FORMATS)
    });
    let draws = [(cube(), false), (sphere(24, 16), true)].map(|(mesh, balls)| {
        let things = things(balls);
        let mesh = Loaded::new(&mut plan, &mesh);
        let places = super::instances(&mut plan, &things);
        mesh.draw_instances(pipeline, set, places, things.len())
    });
    plan.pass(
        images.map(Target::cleared).into(),
        Some(depth),
        draws.into(),
    );
    let lamps = plan.buffer(BufferUsages::UNIFORM, lamps());
    let loaded = TextureSampleType::Float { filterable: false };
    let mut resources = vec![Resource::Uniform(lamps)];
    resources.extend(images.map(|image| Resource::Texture(image, loaded)));
    resources.push(Resource::Texture(depth, TextureSampleType::Depth));
    let set = plan.set(resources);
    let lit = plan.pipeline(Pipeline {
        set: Some(set),
        ..Pipeline::new(format!("{}{LIT}", super::SCREEN), &[F::Rgba8Unorm])
    });
    let draw = Draw {
        set: Some(set),
        ..Draw::new(lit, 0..3)
    };
    plan.pass(vec![Target::cleared(0)], None, vec![draw]);
    plan
}
