//! A cloud in a box: rays march through a texture of densities and look colours up.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::super::plan::{Contents, Draw, Pipeline, Plan, Resource, Sampling, Target, Texture};
use crate::math::{Mat4, cross, normalized};

const EDGE: u32 = 128;
const EYE: [f32; 3] = [1.1, 0.9, 1.9];

/// The box lies from 0 to 1; a ray begins at the eye or where it enters.
const MARCH: &str = "
struct Scene { eye: vec4f, right: vec4f, up: vec4f, forward: vec4f };
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var density: texture_3d<f32>;
@group(0) @binding(2) var colors: texture_2d<f32>;
@group(0) @binding(3) var s: sampler;

@fragment fn fs(v: V) -> @location(0) vec4f {
    let plane = v.uv * 2.0 - 1.0;
    let way = normalize(scene.forward.xyz + scene.right.xyz * plane.x - scene.up.xyz * plane.y);
    let background = mix(vec3f(0.16, 0.18, 0.24), vec3f(0.03, 0.03, 0.05), v.uv.y);
    let a = (vec3f(0.0) - scene.eye.xyz) / way;
    let b = (vec3f(1.0) - scene.eye.xyz) / way;
    let low = min(a, b);
    let high = max(a, b);
    let enter = max(max(low.x, low.y), max(low.z, 0.0));
    let leave = min(high.x, min(high.y, high.z));
    if enter >= leave {
        return vec4f(background, 1.0);
    }
    let stride = (leave - enter) / 48.0;
    var place = scene.eye.xyz + way * (enter + stride * 0.5);
    var color = vec3f(0.0);
    var clear = 1.0;
    for (var i = 0; i < 48; i++) {
        let d = textureSampleLevel(density, s, place, 0.0).r;
        let matter = textureSampleLevel(colors, s, vec2f(d, 0.5), 0.0);
        let alpha = 1.0 - pow(1.0 - matter.a, stride * 60.0);
        color += matter.rgb * alpha * clear;
        clear *= 1.0 - alpha;
        if clear < 0.02 {
            break;
        }
        place += way * stride;
    }
    return vec4f(color + background * clear, 1.0);
}
";

/// Denser towards the middle.
fn density() -> Vec<u8> {
    let texel = |n: u32| {
        let place = [n % EDGE, n / EDGE % EDGE, n / EDGE / EDGE]
            .map(|c| (c as f32 + 0.5) / EDGE as f32 * 2.0 - 1.0);
        let far: f32 = place.iter().map(|c| c * c).sum();
        let value = super::clouds(place.map(|c| c * 3.0), 4) * 1.7 - 0.2 - far * 0.7;
        (value.clamp(0.0, 1.0) * 255.0) as u8
    };
    (0..EDGE * EDGE * EDGE).map(texel).collect()
}

/// From nothing over blue smoke and an orange shell to a bright core.
fn colors() -> Vec<u8> {
    const STOPS: [(f32, [f32; 4]); 6] = [
        (0.0, [0.0, 0.0, 0.0, 0.0]),
        (0.15, [0.1, 0.2, 0.5, 0.0]),
        (0.3, [0.2, 0.4, 0.8, 0.12]),
        (0.5, [0.9, 0.4, 0.1, 0.3]),
        (0.7, [1.0, 0.8, 0.4, 0.6]),
        (1.0, [1.0, 1.0, 0.9, 0.9]),
    ];
    let color = |n: u32| {
        let at = n as f32 / 255.0;
        let last = STOPS.len() - 1;
        let next = STOPS.iter().position(|(stop, _)| *stop > at);
        let next = next.unwrap_or(last).max(1);
        let ((from, a), (to, b)) = (STOPS[next - 1], STOPS[next]);
        let t = (at - from) / (to - from);
        std::array::from_fn::<u8, 4, _>(|k| ((a[k] + (b[k] - a[k]) * t) * 255.0 + 0.5) as u8)
    };
    (0..256).flat_map(color).collect()
}

/// The eye, and axes of the picture, half as long as it is wide and high at a distance of 1.
fn rays() -> Vec<u8> {
    let forward = normalized(EYE.map(|c| 0.5 - c));
    let right = normalized(cross(forward, [0.0, 1.0, 0.0]));
    let up = cross(right, forward);
    let half = 1.0 / Mat4::focal(40.0);
    let wide = half * super::SIZE[0] as f32 / super::SIZE[1] as f32;
    let rows = [EYE, right.map(|c| c * wide), up.map(|c| c * half), forward];
    super::floats(rows.iter().flat_map(|&[x, y, z]| [x, y, z, 0.0]))
}

pub(super) fn plan() -> Plan {
    let mut plan = Plan::new("cause/volume");
    plan.picture = plan.target(F::Rgba8Unorm, super::SIZE, 1);
    let cloud = plan.texture(Texture {
        format: F::R8Unorm,
        view: TextureViewDimension::D3,
        size: [EDGE; 3],
        levels: 1,
        samples: 1,
        contents: Contents::Made(density),
    });
    let ramp = plan.texture(Texture {
        format: F::Rgba8Unorm,
        view: TextureViewDimension::D2,
        size: [256, 1, 1],
        levels: 1,
        samples: 1,
        contents: Contents::Made(colors),
    });
    let constants = plan.buffer(BufferUsages::UNIFORM, rays());
    let set = plan.set(vec![
        Resource::Uniform(constants),
        Resource::Texture(cloud, super::FILTERED),
        Resource::Texture(ramp, super::FILTERED),
        Resource::Sampler(Sampling::LINEAR.clamped()),
    ]);
    let text = format!("{}{MARCH}", super::SCREEN);
    plan.pipeline(Pipeline {
        set: Some(set),
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    });
    let draw = Draw {
        set: Some(set),
        ..Draw::new(0, 0..3)
    };
    plan.pass(vec![Target::cleared(plan.picture)], None, vec![draw]);
    plan
}
