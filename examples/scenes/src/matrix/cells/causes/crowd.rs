//! A crowd of people, each bent by the matrices of their bones, four samples a pixel.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::super::plan::{Draw, Pipeline, Plan, Resource, Target, VertexBuffer};
use crate::math::{Mat4, normalized, sin_cos};
use crate::mesh::Numbers;

const ACROSS: u32 = 20;
const DEEP: u32 = 12;
const SAMPLES: u32 = 4;

/// Bones and where each is turned about; people look along +z and stand on y = 0. A bone's parent comes before it.
const BONES: [(usize, [f32; 3]); 12] = [
    (0, [0.0, 1.0, 0.0]),
    (0, [0.0, 1.15, 0.0]),
    (1, [0.0, 1.35, 0.0]),
    (2, [0.0, 1.6, 0.0]),
    (2, [0.24, 1.5, 0.0]),
    (4, [0.26, 1.2, 0.0]),
    (2, [-0.24, 1.5, 0.0]),
    (6, [-0.26, 1.2, 0.0]),
    (0, [0.12, 0.95, 0.0]),
    (8, [0.12, 0.5, 0.0]),
    (0, [-0.12, 0.95, 0.0]),
    (10, [-0.12, 0.5, 0.0]),
];

/// A part of the body: radii and bones at heights from the lowest up, around a line at `x`; `wide` stretches it across.
struct Tube {
    x: f32,
    wide: f32,
    segments: u32,
    rings: u32,
    /// Height and radius; it is smooth between them.
    shape: &'static [[f32; 2]],
    bones: [usize; 4],
}

const BODY: [Tube; 6] = [
    Tube {
        x: 0.0,
        wide: 1.5,
        segments: 18,
        rings: 14,
        shape: &[
            [0.86, 0.0],
            [0.92, 0.13],
            [1.15, 0.11],
            [1.42, 0.15],
            [1.54, 0.06],
            [1.58, 0.0],
        ],
        bones: [0, 1, 2, 3],
    },
    Tube {
        x: 0.0,
        wide: 0.9,
        segments: 14,
        rings: 10,
        shape: &[
            [1.52, 0.0],
            [1.56, 0.06],
            [1.64, 0.09],
            [1.76, 0.11],
            [1.84, 0.08],
            [1.88, 0.0],
        ],
        bones: [3; 4],
    },
    Tube::arm(0.25, [2, 4, 5, 5]),
    Tube::arm(-0.25, [2, 6, 7, 7]),
    Tube::leg(0.12, [0, 8, 9, 9]),
    Tube::leg(-0.12, [0, 10, 11, 11]),
];

impl Tube {
    const fn arm(x: f32, bones: [usize; 4]) -> Tube {
        Tube {
            x,
            wide: 1.0,
            segments: 9,
            rings: 10,
            shape: &[
                [0.84, 0.0],
                [0.9, 0.05],
                [1.2, 0.05],
                [1.48, 0.07],
                [1.55, 0.0],
            ],
            bones,
        }
    }

    const fn leg(x: f32, bones: [usize; 4]) -> Tube {
        Tube {
            x,
            wide: 1.0,
            segments: 10,
            rings: 12,
            shape: &[
                [0.0, 0.0],
                [0.04, 0.06],
                [0.5, 0.07],
                [0.9, 0.1],
                [1.0, 0.0],
            ],
            bones,
        }
    }

    fn radius(&self, height: f32) -> f32 {
        let above = self.shape.iter().position(|[h, _]| *h >= height);
        let above = above.unwrap_or(self.shape.len() - 1).max(1);
        let ([low, a], [high, b]) = (self.shape[above - 1], self.shape[above]);
        let t = ((height - low) / (high - low)).clamp(0.0, 1.0);
        a + (b - a) * t * (2.0 - t)
    }

    /// How much each bone moves what is at a height: the nearer its middle, the more.
    fn weights(&self, height: f32) -> [u8; 4] {
        let limb = self.bones[2] == self.bones[3];
        let near = |n: usize| {
            let place = |n: usize| BONES[self.bones[n]].1[1];
            let middle = match (limb, n) {
                (false, _) => place(n),
                (true, 0) => place(1) + 0.12,
                (true, _) => place(n) - 0.18,
            };
            let far = (height - middle) * 5.0;
            let weight = 1.0 / (0.02 + far * far * far * far);
            if limb && n == 3 { 0.0 } else { weight }
        };
        let near: [f32; 4] = std::array::from_fn(near);
        let sum: f32 = near.iter().sum();
        let mut weights = near.map(|weight| (weight / sum * 255.0) as u8);
        weights[1] += (255 - weights.iter().map(|&w| u32::from(w)).sum::<u32>()) as u8;
        weights
    }

    /// Adds corners of position, normal, bones and weights, and triangles.
    fn add(&self, corners: &mut Vec<u8>, indices: &mut Vec<u32>) {
        let first = corners.len() as u32 / STRIDE;
        let [bottom, top] = [self.shape[0][0], self.shape[self.shape.len() - 1][0]];
        for ring in 0..=self.rings {
            let height = bottom + (top - bottom) * ring as f32 / self.rings as f32;
            let radius = self.radius(height);
            let slope = self.radius(height - 0.01) - self.radius(height + 0.01);
            for segment in 0..=self.segments {
                let (s, c) = sin_cos(f64::from(segment) / f64::from(self.segments));
                let place = [self.x + c * radius * self.wide, height, s * radius];
                let normal = normalized([c / self.wide, slope * 50.0, s]);
                corners.extend(place.into_iter().chain(normal).flat_map(f32::to_le_bytes));
                corners.extend(self.bones.map(|bone| bone as u8));
                corners.extend(self.weights(height));
            }
        }
        let across = self.segments + 1;
        for n in 0..self.rings * self.segments {
            let (ring, segment) = (n / self.segments, n % self.segments);
            let a = first + ring * across + segment;
            indices.extend([a, a + across, a + 1, a + 1, a + across, a + across + 1]);
        }
    }
}

/// Bytes of a corner.
const STRIDE: u32 = 32;

const SCENE: &str = "
struct Scene { camera: mat4x4f, eye: vec4f, sun: vec4f };
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var<storage, read> bones: array<mat4x4f>;
struct V {
    @builtin(position) at: vec4f,
    @location(0) place: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec3f,
};
@fragment fn fs(v: V) -> @location(0) vec4f {
    let normal = normalize(v.normal);
    let view = normalize(scene.eye.xyz - v.place);
    let sun = max(dot(normal, scene.sun.xyz), 0.0);
    let sky = mix(vec3f(0.22, 0.20, 0.18), vec3f(0.36, 0.42, 0.52), normal.y * 0.5 + 0.5);
    let shine = pow(max(dot(normal, normalize(view + scene.sun.xyz)), 0.0), 24.0);
    return vec4f(v.color * (sky + sun * vec3f(0.9, 0.82, 0.7)) + shine * sun * 0.2, 1.0);
}
";

const PERSON: &str = "
@vertex fn vs(
    @builtin(instance_index) person: u32,
    @location(0) place: vec3f,
    @location(1) normal: vec3f,
    @location(2) bone: vec4u,
    @location(3) weight: vec4f,
    @location(4) color: vec4f,
) -> V {
    let first = person * 12u;
    let skin = bones[first + bone.x] * weight.x + bones[first + bone.y] * weight.y
        + bones[first + bone.z] * weight.z + bones[first + bone.w] * weight.w;
    let world = skin * vec4f(place, 1.0);
    let turned = (skin * vec4f(normal, 0.0)).xyz;
    return V(scene.camera * world, world.xyz, turned, color.rgb);
}
";

const GROUND: &str = "
@vertex fn vs(@builtin(vertex_index) n: u32) -> V {
    let place = vec3f(f32(n & 1u) * 2.0 - 1.0, 0.0, 1.0 - f32(n >> 1u) * 2.0) * 60.0;
    return V(scene.camera * vec4f(place, 1.0), place, vec3f(0.0, 1.0, 0.0), vec3f(0.45, 0.43, 0.4));
}
";

/// A person's bones in the world: walking, at some point of a step.
fn pose(root: Mat4, step: f64) -> [Mat4; BONES.len()] {
    let swing = sin_cos(step).0;
    let [bend, lift] = [0.0, 0.5].map(|later| f64::from(sin_cos(step + later + 0.2).0.max(0.0)));
    let swing = f64::from(swing);
    let turns = [
        0.0,
        0.01,
        0.02 * swing,
        -0.02 * swing,
        0.08 * swing,
        -0.06,
        -0.08 * swing,
        -0.06,
        -0.08 * swing,
        0.12 * bend,
        0.08 * swing,
        0.12 * lift,
    ];
    let mut bones = [root; BONES.len()];
    for (n, (parent, [x, y, z])) in BONES.into_iter().enumerate() {
        let about =
            Mat4::translation(x, y, z) * Mat4::rotation_x(turns[n]) * Mat4::translation(-x, -y, -z);
        bones[n] = bones[parent] * about;
    }
    bones
}

/// Bones and colours of everybody.
fn people() -> (Vec<Mat4>, Vec<[f32; 4]>) {
    let mut numbers = Numbers(12);
    let (mut bones, mut colors) = (Vec::new(), Vec::new());
    for n in 0..ACROSS * DEEP {
        let mut near = |c: u32, half: f32| c as f32 * 1.1 - half + numbers.between(-0.25, 0.25);
        let (x, z) = (near(n % ACROSS, 10.5), -near(n / ACROSS, 2.0));
        let turned = f64::from(numbers.between(-0.15, 0.15));
        let root = Mat4::translation(x, 0.0, z) * Mat4::rotation_y(turned);
        bones.extend(pose(root, f64::from(numbers.unit())));
        let [red, green, blue] = std::array::from_fn(|_| numbers.between(0.2, 0.9));
        colors.push([red, green, blue, 1.0]);
    }
    (bones, colors)
}

pub(super) fn plan() -> Plan {
    const EYE: [f32; 3] = [0.0, 3.2, 7.5];
    let mut plan = Plan::new("cause/crowd");
    let image = plan.target(F::Rgba8Unorm, super::SIZE, SAMPLES);
    let depth = plan.target(F::Depth32Float, super::SIZE, SAMPLES);
    plan.picture = plan.target(F::Rgba8Unorm, super::SIZE, 1);
    let (mut corners, mut indices) = (Vec::new(), Vec::new());
    BODY.iter()
        .for_each(|tube| tube.add(&mut corners, &mut indices));
    let (bones, colors) = people();
    let camera = super::camera(EYE, [0.0, 0.9, 0.0], 50.0, [0.1, 100.0]);
    let [x, y, z] = EYE;
    let [sun_x, sun_y, sun_z] = normalized([0.4, 0.8, 0.5]);
    let vectors = [[x, y, z, 1.0], [sun_x, sun_y, sun_z, 0.0]];
    let constants = super::uniform(&mut plan, camera, &vectors);
    let matrices = super::floats(bones.iter().flat_map(|bone| bone.0).flatten());
    let matrices = plan.buffer(BufferUsages::STORAGE, matrices);
    let set = plan.set(vec![constants, Resource::Storage(matrices)]);
    let base = |text: &str| Pipeline {
        set: Some(set),
        depth: super::depth(CompareFunction::Less),
        samples: SAMPLES,
        ..Pipeline::new(format!("{SCENE}{text}"), &[F::Rgba8Unorm])
    };
    use VertexFormat::{Float32x3, Uint8x4, Unorm8x4};
    let corner = [Float32x3, Float32x3, Uint8x4, Unorm8x4];
    let person = plan.pipeline(Pipeline {
        buffers: vec![
            VertexBuffer::packed(VertexStepMode::Vertex, 0, &corner),
            super::per_instance(4, 1),
        ],
        cull: Some(Face::Back),
        ..base(PERSON)
    });
    let ground = plan.pipeline(Pipeline {
        topology: PrimitiveTopology::TriangleStrip,
        ..base(GROUND)
    });
    let count = indices.len() as u32;
    let indices = indices.iter().flat_map(|n| n.to_le_bytes()).collect();
    let everybody = Draw {
        set: Some(set),
        vertices: vec![
            plan.buffer(BufferUsages::VERTEX, corners),
            super::instances(&mut plan, &colors),
        ],
        indices: Some(plan.buffer(BufferUsages::INDEX, indices)),
        instances: 0..ACROSS * DEEP,
        ..Draw::new(person, 0..count)
    };
    let floor = Draw {
        set: Some(set),
        ..Draw::new(ground, 0..4)
    };
    let target = Target {
        resolve: Some(plan.picture),
        clear: Some([0.6, 0.7, 0.8, 1.0]),
        ..Target::cleared(image)
    };
    plan.pass(vec![target], Some(depth), vec![everybody, floor]);
    plan
}
