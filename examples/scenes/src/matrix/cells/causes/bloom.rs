//! Lamps so bright that they glow: a picture in 16-bit floats, its bright parts made smaller five times and larger again,
//! and the sum as eight-bit colours.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::super::plan::{Draw, Pipeline, Plan, Resource, Sampling, Target};
use super::Loaded;
use crate::mesh::{Numbers, cube, sphere};

const LAMPS: usize = 90;
const BLOCKS: usize = 260;
const LEVELS: u32 = 5;

const SCENE: &str = "
struct Scene { camera: mat4x4f, eye: vec4f };
@group(0) @binding(0) var<uniform> scene: Scene;
struct V {
    @builtin(position) at: vec4f,
    @location(0) place: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
};
@vertex fn vs(
    @location(0) place: vec3f,
    @location(1) normal: vec3f,
    @location(2) box: vec4f,
    @location(3) size: vec4f,
    @location(4) color: vec4f,
) -> V {
    let world = place * size.xyz + box.xyz;
    return V(scene.camera * vec4f(world, 1.0), world, normal, color);
}
@fragment fn fs(v: V) -> @location(0) vec4f {
    let normal = normalize(v.normal);
    let view = normalize(scene.eye.xyz - v.place);
    let moon = normalize(vec3f(-0.4, 0.8, 0.3));
    let light = 0.06 + 0.3 * max(dot(normal, moon), 0.0);
    let shine = pow(max(dot(normal, normalize(view + moon)), 0.0), 40.0);
    let lamp = v.color.rgb * v.color.a * (0.4 + 0.6 * max(dot(normal, view), 0.0));
    return vec4f(v.color.rgb * light + shine * 0.4 + lamp, 1.0);
}
";

/// Thirteen texels of the larger picture; the first time only what is brighter than white.
const DOWN: &str = "
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
fn at(uv: vec2f, texel: vec2f, x: f32, y: f32) -> vec3f {
    return textureSampleLevel(t, s, uv + texel * vec2f(x, y), 0.0).rgb;
}
@fragment fn fs(v: V) -> @location(0) vec4f {
    let texel = 1.0 / vec2f(textureDimensions(t));
    let inner = at(v.uv, texel, -1.0, -1.0) + at(v.uv, texel, 1.0, -1.0)
        + at(v.uv, texel, -1.0, 1.0) + at(v.uv, texel, 1.0, 1.0);
    let cross = at(v.uv, texel, 0.0, -2.0) + at(v.uv, texel, -2.0, 0.0)
        + at(v.uv, texel, 2.0, 0.0) + at(v.uv, texel, 0.0, 2.0);
    let corners = at(v.uv, texel, -2.0, -2.0) + at(v.uv, texel, 2.0, -2.0)
        + at(v.uv, texel, -2.0, 2.0) + at(v.uv, texel, 2.0, 2.0);
    let middle = at(v.uv, texel, 0.0, 0.0);
    let color = inner * 0.125 + cross * 0.0625 + corners * 0.03125 + middle * 0.125;
";

const BRIGHT: &str = "
    let most = max(color.r, max(color.g, color.b));
    return vec4f(color * max(most - 1.0, 0.0) / max(most, 0.0001), 1.0);
}
";

const ALL: &str = "
    return vec4f(color, 1.0);
}
";

/// Nine texels of the smaller picture, added to the larger one.
const UP: &str = "
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@fragment fn fs(v: V) -> @location(0) vec4f {
    let texel = 1.0 / vec2f(textureDimensions(t));
    var sum = vec3f(0.0);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y))) / 16.0;
            let uv = v.uv + vec2f(f32(x), f32(y)) * texel;
            sum += textureSampleLevel(t, s, uv, 0.0).rgb * weight;
        }
    }
    return vec4f(sum, 1.0);
}
";

const TONES: &str = "
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var glow: texture_2d<f32>;
@group(0) @binding(2) var s: sampler;
@fragment fn fs(v: V) -> @location(0) vec4f {
    let sharp = textureLoad(picture, vec2i(v.at.xy), 0).rgb;
    let x = sharp + textureSampleLevel(glow, s, v.uv, 0.0).rgb * 0.25;
    let mapped = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
    return vec4f(pow(clamp(mapped, vec3f(0.0), vec3f(1.0)), vec3f(1.0 / 2.2)), 1.0);
}
";

/// Places, sizes and colours with how much of it shines: a floor and blocks on it, or lamps above.
fn things(lamps: bool) -> Vec<[f32; 12]> {
    let mut numbers = Numbers(if lamps { 8 } else { 9 });
    let thing = |n: usize| {
        let (x, z) = (numbers.between(-16.0, 16.0), numbers.between(-24.0, 6.0));
        let [red, green, blue] = std::array::from_fn(|_| numbers.between(0.15, 1.0));
        let size = numbers.between(0.3, 0.8);
        if lamps {
            let (y, shine) = (numbers.between(0.3, 6.0), numbers.between(2.0, 12.0));
            let size = size * 0.4;
            return [x, y, z, 0.0, size, size, size, 0.0, red, green, blue, shine];
        }
        if n == 0 {
            return [
                0.0, -1.0, 0.0, 0.0, 40.0, 1.0, 40.0, 0.0, 0.5, 0.5, 0.55, 0.0,
            ];
        }
        let high = numbers.between(0.3, 2.5);
        [
            x, high, z, 0.0, size, high, size, 0.0, red, green, blue, 0.0,
        ]
    };
    let count = if lamps { LAMPS } else { BLOCKS };
    (0..count).map(thing).collect()
}

/// The lit scene into an image of floats.
fn lit(plan: &mut Plan) -> usize {
    const EYE: [f32; 3] = [0.0, 3.5, 12.0];
    let image = plan.target(F::Rgba16Float, super::SIZE, 1);
    let depth = plan.target(F::Depth32Float, super::SIZE, 1);
    let camera = super::camera(EYE, [0.0, 1.5, 0.0], 55.0, [0.1, 100.0]);
    let [x, y, z] = EYE;
    let constants = super::uniform(plan, camera, &[[x, y, z, 1.0]]);
    let set = plan.set(vec![constants]);
    let pipeline = plan.pipeline(Pipeline {
        set: Some(set),
        buffers: vec![super::corners(), super::per_instance(2, 3)],
        depth: super::depth(CompareFunction::Less),
        cull: Some(Face::Back),
        ..Pipeline::new(SCENE, &[F::Rgba16Float])
    });
    let draws = [(cube(), false), (sphere(24, 16), true)].map(|(mesh, lamps)| {
        let things = things(lamps);
        let mesh = Loaded::new(plan, &mesh);
        let places = super::instances(plan, &things);
        mesh.draw_instances(pipeline, set, places, things.len())
    });
    let target = Target {
        clear: Some([0.01, 0.015, 0.03, 1.0]),
        ..Target::cleared(image)
    };
    plan.pass(vec![target], Some(depth), draws.into());
    image
}

/// A pass over all of an image, from others; it is added to what is there, or replaces it.
fn screen(plan: &mut Plan, from: &[usize], to: usize, text: &str, added: bool) {
    let mut resources: Vec<Resource> = from
        .iter()
        .map(|&texture| Resource::Texture(texture, super::FILTERED))
        .collect();
    resources.push(Resource::Sampler(Sampling::LINEAR.clamped()));
    let set = plan.set(resources);
    let format = plan.textures[to].format;
    let mut pipeline = Pipeline::new(format!("{}{text}", super::SCREEN), &[format]);
    pipeline.set = Some(set);
    let sum = BlendComponent {
        src_factor: BlendFactor::One,
        dst_factor: BlendFactor::One,
        operation: BlendOperation::Add,
    };
    pipeline.targets[0].blend = added.then_some(BlendState {
        color: sum,
        alpha: sum,
    });
    let pipeline = plan.pipeline(pipeline);
    let draw = Draw {
        set: Some(set),
        ..Draw::new(pipeline, 0..3)
    };
    let mut target = Target::cleared(to);
    if added {
        target.clear = None;
    }
    plan.pass(vec![target], None, vec![draw]);
}

pub(super) fn plan() -> Plan {
    let mut plan = Plan::new("cause/bloom");
    let image = lit(&mut plan);
    let [wide, high] = super::SIZE;
    let levels: Vec<usize> = (1..=LEVELS)
        .map(|n| plan.target(F::Rgba16Float, [wide >> n, high >> n], 1))
        .collect();
    screen(
        &mut plan,
        &[image],
        levels[0],
        &format!("{DOWN}{BRIGHT}"),
        false,
    );
    for pair in levels.windows(2) {
        screen(
            &mut plan,
            &pair[..1],
            pair[1],
            &format!("{DOWN}{ALL}"),
            false,
        );
    }
    for pair in levels.windows(2).rev() {
        screen(&mut plan, &pair[1..], pair[0], UP, true);
    }
    plan.picture = plan.target(F::Rgba8Unorm, super::SIZE, 1);
    let picture = plan.picture;
    screen(&mut plan, &[image, levels[0]], picture, TONES, false);
    plan
}
