//! Five thousand small things, each a draw with constants of its own, of three pipelines and four textures in the order
//! in which they stand.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::super::plan::{Contents, Draw, Pipeline, Plan, Resource, Sampling, Texture};
use super::Loaded;
use crate::math::Mat4;
use crate::mesh::{Numbers, cube, sphere};

const ACROSS: usize = 100;
const DEEP: usize = 50;

/// Bytes from one thing's constants to the next one's.
const STRIDE: usize = 256;

const THING: &str = "
struct Scene { camera: mat4x4f, eye: vec4f };
struct Thing { place: mat4x4f, color: vec4f };
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var<uniform> thing: Thing;
@group(0) @binding(2) var t: texture_2d<f32>;
@group(0) @binding(3) var s: sampler;
struct V {
    @builtin(position) at: vec4f,
    @location(0) place: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
};
@vertex fn vs(@location(0) place: vec3f, @location(1) normal: vec3f) -> V {
    let world = thing.place * vec4f(place, 1.0);
    let turned = (thing.place * vec4f(normal, 0.0)).xyz;
    return V(scene.camera * world, world.xyz, turned, place.xy + place.z * 0.5);
}
@fragment fn fs(v: V) -> @location(0) vec4f {
    let normal = normalize(v.normal);
    let sun = vec3f(0.48, 0.72, 0.5);
    let light = 0.3 + 0.7 * max(dot(normal, sun), 0.0);
";

/// Ends of the fragment shader: painted, shiny, and lit from behind.
const ENDS: [&str; 3] = [
    "return vec4f(textureSample(t, s, v.uv).rgb * thing.color.rgb * light, 1.0); }",
    "let view = normalize(scene.eye.xyz - v.place);
    let shine = pow(max(dot(normal, normalize(view + sun)), 0.0), 32.0);
    return vec4f(textureSample(t, s, v.uv).rgb * light + shine * thing.color.rgb, 1.0); }",
    "let view = normalize(scene.eye.xyz - v.place);
    let rim = 1.0 - max(dot(normal, view), 0.0);
    return vec4f(thing.color.rgb * (light + rim * rim), 1.0); }",
];

/// Bricks, planks, checks and clouds.
const TEXTURES: [fn() -> Vec<u8>; 4] = [
    || {
        painted(|x, y| {
            let row = y * 8.0;
            let along = x * 4.0 + row.floor() * 0.5;
            let mortar = row.fract() < 0.12 || along.fract() < 0.06;
            if mortar {
                [0.8, 0.78, 0.72]
            } else {
                [0.7, 0.3, 0.2]
            }
        })
    },
    || {
        painted(|x, y| {
            let grain = super::clouds([x * 4.0, y * 40.0, 0.0], 3) * 0.4 + 0.6;
            let gap = if (x * 5.0).fract() < 0.05 { 0.4 } else { 1.0 };
            [0.75, 0.55, 0.3].map(|c| c * grain * gap)
        })
    },
    || {
        painted(|x, y| {
            let odd = ((x * 8.0) as u32 + (y * 8.0) as u32) % 2 == 1;
            if odd { [0.9; 3] } else { [0.25; 3] }
        })
    },
    || {
        painted(|x, y| {
            [0.3, 0.55, 0.9].map(|c| c * (0.4 + super::clouds([x * 6.0, y * 6.0, 3.0], 4)))
        })
    },
];

const EDGE: u32 = 64;

/// Levels of a colour over the square from 0 to 1.
fn painted(color: impl Fn(f32, f32) -> [f32; 3]) -> Vec<u8> {
    super::mipped(EDGE, 1, |_, column, row| {
        let [x, y] = [column, row].map(|n| (n as f32 + 0.5) / EDGE as f32);
        let [red, green, blue] = color(x, y);
        [red, green, blue, 1.0]
    })
}

/// Where each thing stands and its colour, at a multiple of [`STRIDE`].
fn constants(numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ACROSS * DEEP * STRIDE);
    for n in 0..ACROSS * DEEP {
        let x = (n % ACROSS) as f32 - ACROSS as f32 * 0.5 + numbers.between(-0.3, 0.3);
        let z = (n / ACROSS) as f32 - DEEP as f32 + 4.0 + numbers.between(-0.3, 0.3);
        let size = numbers.between(0.2, 0.42);
        let turned = Mat4::rotation_y(f64::from(numbers.unit()))
            * Mat4::rotation_x(f64::from(numbers.unit()));
        let sized = Mat4(turned.0.map(|column| column.map(|c| c * size)));
        let mut place = Mat4::translation(x * 0.7, 0.0, z) * sized;
        place.0[3] = [x * 0.7, numbers.between(0.0, 0.6), z, 1.0];
        let [red, green, blue] = std::array::from_fn(|_| numbers.between(0.3, 1.0));
        let color = [red, green, blue, 1.0];
        bytes.extend(super::floats(place.0.into_iter().chain([color]).flatten()));
        bytes.resize((n + 1) * STRIDE, 0);
    }
    bytes
}

pub(super) fn plan() -> Plan {
    const EYE: [f32; 3] = [0.0, 9.0, 9.0];
    let mut plan = super::scene("draws");
    let mut numbers = Numbers(64);
    let camera = super::camera(EYE, [0.0, -2.0, -12.0], 50.0, [0.1, 150.0]);
    let [x, y, z] = EYE;
    let scene = super::uniform(&mut plan, camera, &[[x, y, z, 1.0]]);
    let things = constants(&mut numbers);
    let things = plan.buffer(BufferUsages::UNIFORM, things);
    let sets = TEXTURES.map(|make| {
        let texture = plan.texture(Texture {
            format: F::Rgba8Unorm,
            view: TextureViewDimension::D2,
            size: [EDGE, EDGE, 1],
            levels: EDGE.ilog2() + 1,
            samples: 1,
            contents: Contents::Made(make),
        });
        plan.set(vec![
            scene.clone(),
            Resource::DynamicUniform(things, 80),
            Resource::Texture(texture, super::FILTERED),
            Resource::Sampler(Sampling::TRILINEAR),
        ])
    });
    let pipelines = ENDS.map(|end| {
        plan.pipeline(Pipeline {
            set: Some(sets[0]),
            buffers: vec![super::corners()],
            depth: super::depth(CompareFunction::Less),
            cull: Some(Face::Back),
            ..Pipeline::new(format!("{THING}{end}"), &[F::Rgba8Unorm])
        })
    });
    let meshes = [cube(), sphere(8, 6), sphere(12, 8)].map(|mesh| Loaded::new(&mut plan, &mesh));
    let mut draws: Vec<Draw> = Vec::new();
    for n in 0..ACROSS * DEEP {
        // Things of one kind often stand beside each other.
        let previous = draws.last().filter(|_| !numbers.word().is_multiple_of(4));
        let [mesh, pipeline, set] = std::array::from_fn(|_| numbers.word() as usize);
        let draw = match previous {
            Some(last) => last.clone(),
            None => meshes[mesh % 3].draw(pipelines[pipeline % 3], sets[set % 4]),
        };
        draws.push(Draw {
            offsets: vec![(n * STRIDE) as u32],
            ..draw
        });
    }
    super::pass(&mut plan, [0.5, 0.6, 0.7], draws);
    plan
}
