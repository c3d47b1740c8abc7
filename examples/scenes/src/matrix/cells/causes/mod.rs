//! Whole scenes, each of what one kind of program draws, as it would be written without this renderer in mind.

mod bloom;
mod crowd;
mod deferred;
mod draws;
mod foliage;
mod sky;
mod text;
mod volume;

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::floats;
use super::plan::{Draw, Plan, Resource, Target, VertexBuffer};
use crate::math::Mat4;
use crate::mesh::Mesh;

/// Pixels across and down.
const SIZE: [u32; 2] = [1280, 720];

pub(super) fn cells() -> Vec<Plan> {
    vec![
        foliage::plan(),
        sky::plan(),
        volume::plan(),
        text::plan(),
        crowd::plan(),
        bloom::plan(),
        draws::plan(),
        deferred::plan(),
    ]
}

/// Both stages: a triangle over the picture, with `uv` from 0 at the upper left to 1.
const SCREEN: &str = "
struct V { @builtin(position) at: vec4f, @location(0) uv: vec2f };
@vertex fn vs(@builtin(vertex_index) n: u32) -> V {
    let uv = vec2f(f32(n << 1u & 2u), f32(n & 2u));
    return V(vec4f(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.0, 1.0), uv);
}
";

const FILTERED: TextureSampleType = TextureSampleType::Float { filterable: true };

/// A plan whose picture is its image 0, in colour, beside image 1, depth.
fn scene(name: &str) -> Plan {
    let mut plan = Plan::new(format!("cause/{name}"));
    plan.picture = plan.target(F::Rgba8Unorm, SIZE, 1);
    plan.target(F::Depth32Float, SIZE, 1);
    plan
}

/// A pass to the two images of [`scene`].
fn pass(plan: &mut Plan, background: [f64; 3], draws: Vec<Draw>) {
    let [r, g, b] = background;
    let target = Target {
        clear: Some([r, g, b, 1.0]),
        ..Target::cleared(0)
    };
    plan.pass(vec![target], Some(1), draws);
}

/// Depth that is written and compared.
fn depth(compare: CompareFunction) -> Option<DepthStencilState> {
    Some(super::depth_state(F::Depth32Float, compare, true))
}

/// From the world to the picture.
fn camera(eye: [f32; 3], at: [f32; 3], degrees: f64, [near, far]: [f32; 2]) -> Mat4 {
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    Mat4::perspective(Mat4::focal(degrees), aspect, near, far) * Mat4::look_at(eye, at)
}

/// A buffer of constants: a matrix and vectors.
fn uniform(plan: &mut Plan, matrix: Mat4, vectors: &[[f32; 4]]) -> Resource {
    let values = matrix.0.iter().chain(vectors).flatten().copied();
    Resource::Uniform(plan.buffer(BufferUsages::UNIFORM, floats(values)))
}

/// Vertices of each instance, of so many floats.
fn instances<const N: usize>(plan: &mut Plan, values: &[[f32; N]]) -> usize {
    plan.buffer(
        BufferUsages::VERTEX,
        floats(values.iter().flatten().copied()),
    )
}

/// Position and normal at locations 0 and 1.
fn corners() -> VertexBuffer {
    VertexBuffer::packed(VertexStepMode::Vertex, 0, &[VertexFormat::Float32x3; 2])
}

/// So many vectors of four floats for each instance, from a location on.
fn per_instance(first: u32, vectors: usize) -> VertexBuffer {
    let formats = vec![VertexFormat::Float32x4; vectors];
    VertexBuffer::packed(VertexStepMode::Instance, first, &formats)
}

/// A mesh in buffers of a plan.
struct Loaded {
    corners: usize,
    indices: usize,
    count: u32,
}

impl Loaded {
    fn new(plan: &mut Plan, mesh: &Mesh) -> Loaded {
        let corners = floats(mesh.corners.iter().flatten().flatten().copied());
        let indices = mesh.indices.iter().flat_map(|n| n.to_le_bytes()).collect();
        Loaded {
            corners: plan.buffer(BufferUsages::VERTEX, corners),
            indices: plan.buffer(BufferUsages::INDEX, indices),
            count: mesh.indices.len() as u32,
        }
    }

    fn draw(&self, pipeline: usize, set: usize) -> Draw {
        Draw {
            set: Some(set),
            vertices: vec![self.corners],
            indices: Some(self.indices),
            ..Draw::new(pipeline, 0..self.count)
        }
    }

    /// With a second buffer, of so many instances.
    fn draw_instances(&self, pipeline: usize, set: usize, buffer: usize, count: usize) -> Draw {
        Draw {
            vertices: vec![self.corners, buffer],
            instances: 0..count as u32,
            ..self.draw(pipeline, set)
        }
    }
}

/// Square layers of four bytes a texel and all their levels, where a texel is the mean of four of the level above.
fn mipped(edge: u32, layers: u32, texel: impl Fn(u32, u32, u32) -> [f32; 4]) -> Vec<u8> {
    let across = |layer, n| texel(layer, n % edge, n / edge);
    let mut level: Vec<Vec<[f32; 4]>> = (0..layers)
        .map(|layer| (0..edge * edge).map(|n| across(layer, n)).collect())
        .collect();
    let mut bytes = Vec::new();
    let mut edge = edge as usize;
    loop {
        let channels = level.iter().flatten().flatten();
        bytes.extend(channels.map(|c| (c.clamp(0.0, 1.0) * 255.0 + 0.5) as u8));
        if edge == 1 {
            return bytes;
        }
        let mean = |texels: &Vec<[f32; 4]>| {
            let half = edge / 2;
            let four = |n: usize| {
                let first = n / half * 2 * edge + n % half * 2;
                let [a, b, c, d] = [0, 1, edge, edge + 1].map(|next| texels[first + next]);
                std::array::from_fn(|k| (a[k] + b[k] + c[k] + d[k]) * 0.25)
            };
            (0..half * half).map(four).collect()
        };
        level = level.iter().map(mean).collect();
        edge /= 2;
    }
}

/// Smooth noise of several octaves, from 0 to 1.
fn clouds(point: [f32; 3], octaves: u32) -> f32 {
    let octave = |(sum, weight, scale): (f32, f32, f32), n: u32| {
        let value = lattice(point.map(|c| c * scale + n as f32 * 17.0));
        (sum + value * weight, weight * 0.5, scale * 2.0)
    };
    let (sum, last, _) = (0..octaves).fold((0.0, 0.5, 1.0), octave);
    sum / (1.0 - 2.0 * last)
}

/// Random numbers at whole coordinates, blended between them.
fn lattice(point: [f32; 3]) -> f32 {
    let low = point.map(f32::floor);
    let [x, y, z]: [f32; 3] = std::array::from_fn(|k| {
        let t = point[k] - low[k];
        t * t * (3.0 - 2.0 * t)
    });
    let corner = |n: u32| {
        let word = (0..3).fold(0x9e37_79b9_u32, |word, k| {
            let place = low[k as usize] as i32 as u32;
            let mixed = (word ^ place.wrapping_add(n >> k & 1)).wrapping_mul(0x85eb_ca6b);
            mixed ^ mixed >> 15
        });
        (word >> 8) as f32 / (1 << 24) as f32
    };
    let blend = |a: f32, b: f32, t: f32| a + (b - a) * t;
    let row = |n| blend(corner(n), corner(n + 1), x);
    let plane = |n| blend(row(n), row(n + 2), y);
    blend(plane(0), plane(4), z)
}
