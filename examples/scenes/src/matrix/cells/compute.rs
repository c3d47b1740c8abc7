//! Compute shaders: bodies that attract each other, and blurs along rows, then columns, of a full picture.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::plan::{Contents, Draw, Pipeline, Plan, Resource, Step, Target, Texture};

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = vec![
        bodies("shared tiles", SHARED),
        bodies("storage reads", READ),
    ];
    cells.push(blur("shared lines", LINES));
    cells.push(blur("texture loads", LOADS));
    cells
}

/// Bodies that attract each other.
const BODIES: u32 = 4096;

/// How a body takes its new place, from the force on it.
const BODY: &str = "
struct Body { place: vec3f, mass: f32, speed: vec3f, pad: f32 };
@group(0) @binding(0) var<storage, read> bodies: array<Body>;
@group(0) @binding(1) var<storage, read_write> moved: array<Body>;
fn pull(here: vec3f, other: vec4f) -> vec3f {
    let away = other.xyz - here;
    let square = dot(away, away) + 0.01;
    let inverse = inverseSqrt(square);
    return away * (other.w * inverse * inverse * inverse);
}
fn move_body(i: u32, force: vec3f) {
    let body = bodies[i];
    let speed = body.speed + force * 0.02;
    moved[i] = Body(body.place + speed * 0.02, body.mass, speed, 0.0);
}
";

/// A group loads bodies to shared memory, a tile at a time.
const SHARED: &str = "
var<workgroup> tile: array<vec4f, 256>;
@compute @workgroup_size(256)
fn cs(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let here = bodies[id.x].place;
    var force = vec3f(0.0);
    for (var first = 0u; first < arrayLength(&bodies); first += 256u) {
        let other = bodies[first + local];
        tile[local] = vec4f(other.place, other.mass);
        workgroupBarrier();
        for (var n = 0u; n < 256u; n++) {
            force += pull(here, tile[n]);
        }
        workgroupBarrier();
    }
    move_body(id.x, force);
}
";

/// Every body reads all others from the buffer.
const READ: &str = "
@compute @workgroup_size(64)
fn cs(@builtin(global_invocation_id) id: vec3u) {
    let here = bodies[id.x].place;
    var force = vec3f(0.0);
    for (var n = 0u; n < arrayLength(&bodies); n++) {
        force += pull(here, vec4f(bodies[n].place, bodies[n].mass));
    }
    move_body(id.x, force);
}
";

/// Draws the bodies as points.
const POINTS: &str = "
struct Body { place: vec3f, mass: f32, speed: vec3f, pad: f32 };
@group(0) @binding(0) var<storage, read> bodies: array<Body>;
@vertex fn vs(@builtin(vertex_index) n: u32) -> @builtin(position) vec4f {
    return vec4f(bodies[n].place.xy, 0.5, 1.0);
}
@fragment fn fs() -> @location(0) vec4f {
    return vec4f(1.0, 0.9, 0.7, 1.0);
}
";

/// Reads the bodies from one buffer and writes them to another, so that every frame is the same.
fn bodies(label: &str, shader: &str) -> Plan {
    let mut plan = Plan::new(format!("compute/{BODIES} bodies/{label}"));
    plan.picture = plan.target(F::Rgba8Unorm, [256, 256], 1);
    let mut state = 1_u32;
    let mut number = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let mut numbers = Vec::new();
    for _ in 0..BODIES {
        numbers.extend([number(), number(), number(), 0.1 + 0.05 * number()]);
        numbers.extend([number(), number(), number(), 0.0]);
    }
    let bytes: Vec<u8> = numbers.iter().flat_map(|n: &f32| n.to_le_bytes()).collect();
    let count = bytes.len();
    let from = plan.buffer(BufferUsages::STORAGE, bytes);
    let to = plan.buffer(BufferUsages::STORAGE, vec![0; count]);
    let resources = vec![Resource::Storage(from), Resource::Written(to)];
    let compute = plan.compute(format!("{BODY}{shader}"), resources);
    let of_group = if shader == SHARED { 256 } else { 64 };
    let dispatch = plan.dispatch(compute, [BODIES / of_group, 1, 1]);
    plan.steps.push(Step::Compute(vec![dispatch]));

    let set = Some(plan.set(vec![Resource::Storage(to)]));
    let pipeline = plan.pipeline(Pipeline {
        set,
        topology: PrimitiveTopology::PointList,
        ..Pipeline::new(POINTS, &[F::Rgba8Unorm])
    });
    let draw = Draw {
        set,
        ..Draw::new(pipeline, 0..BODIES)
    };
    let target = Target::cleared(plan.picture);
    plan.pass(vec![target], None, vec![draw]);
    plan
}

/// Texels across and down of what is blurred.
const SIZE: [u32; 2] = [1920, 1080];

/// A group reads its line and 16 texels beyond both ends once.
const LINES: &str = "
const REACH = 16;
var<workgroup> line: array<vec3f, 160>;
fn fill(i: i32, first: vec2i) {
    let at = clamp(first + (i - REACH) * STEP, vec2i(0), vec2i(textureDimensions(source)) - 1);
    line[i] = textureLoad(source, at, 0).rgb;
}
@compute @workgroup_size(128)
fn cs(@builtin(local_invocation_index) index: u32, @builtin(workgroup_id) group: vec3u) {
    let i = i32(index);
    let first = i32(group.x) * 128 * STEP + i32(group.y) * STEP.yx;
    fill(i, first);
    if i < 2 * REACH {
        fill(i + 128, first);
    }
    workgroupBarrier();
    var sum = vec3f(0.0);
    for (var tap = 0; tap <= 2 * REACH; tap++) {
        sum += line[i + tap] * weights[tap].x;
    }
    textureStore(blurred, first + i * STEP, vec4f(sum, 1.0));
}
";

/// Each texel reads all that it is made of.
const LOADS: &str = "
const REACH = 16;
@compute @workgroup_size(8, 8)
fn cs(@builtin(global_invocation_id) id: vec3u) {
    let last = vec2i(textureDimensions(source)) - 1;
    var sum = vec3f(0.0);
    for (var tap = 0; tap <= 2 * REACH; tap++) {
        let at = clamp(vec2i(id.xy) + (tap - REACH) * STEP, vec2i(0), last);
        sum += textureLoad(source, at, 0).rgb * weights[tap].x;
    }
    textureStore(blurred, id.xy, vec4f(sum, 1.0));
}
";

const BLUR: &str = "
@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var blurred: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(2) var<uniform> weights: array<vec4f, 33>;
";

/// Blurs rows, then columns.
fn blur(label: &str, shader: &str) -> Plan {
    let mut plan = Plan::new(format!("compute/1080p blur/{label}"));
    let source = plan.texture(Texture {
        format: F::Rgba8Unorm,
        view: TextureViewDimension::D2,
        size: [SIZE[0], SIZE[1], 1],
        levels: 1,
        samples: 1,
        contents: Contents::Made(disks),
    });
    let rows = plan.target(F::Rgba8Unorm, SIZE, 1);
    plan.picture = plan.target(F::Rgba8Unorm, SIZE, 1);
    let weights = plan.buffer(BufferUsages::UNIFORM, weights());
    let passes = [
        ("vec2i(1, 0)", [source, rows], [SIZE[0], SIZE[1]]),
        ("vec2i(0, 1)", [rows, plan.picture], [SIZE[1], SIZE[0]]),
    ];
    let mut dispatches = Vec::new();
    for (step, [from, to], [along, across]) in passes {
        let resources = vec![
            Resource::Texture(from, TextureSampleType::Float { filterable: true }),
            Resource::Stored(to),
            Resource::Uniform(weights),
        ];
        let compute = plan.compute(format!("const STEP = {step};{BLUR}{shader}"), resources);
        let groups = match shader == LINES {
            true => [along.div_ceil(128), across, 1],
            false => [SIZE[0].div_ceil(8), SIZE[1].div_ceil(8), 1],
        };
        dispatches.push(plan.dispatch(compute, groups));
    }
    plan.steps.push(Step::Compute(dispatches));
    plan
}

/// Weights that fall off by the square of the distance, and add up to one, each as a vector.
fn weights() -> Vec<u8> {
    let raw: Vec<f32> = (-16..=16)
        .map(|away: i32| 1.0 / (1.0 + (away * away) as f32 / 32.0))
        .collect();
    let sum: f32 = raw.iter().sum();
    let all = raw.iter().flat_map(|weight| [weight / sum, 0.0, 0.0, 0.0]);
    all.flat_map(f32::to_le_bytes).collect()
}

/// Disks of several sizes and colours, with hard edges.
fn disks() -> Vec<u8> {
    let mut bytes = Vec::new();
    for y in 0..SIZE[1] {
        for x in 0..SIZE[0] {
            let (cell, at) = ([x / 120, y / 120], [x % 120, y % 120]);
            let away = at.map(|n| n.abs_diff(60) * n.abs_diff(60));
            let radius = 10 + (cell[0] * 7 + cell[1] * 11) % 45;
            let inside = away[0] + away[1] < radius * radius;
            let hue = (cell[0] * 5 + cell[1] * 3) % 7 + 1;
            let channel = |bit: u32| {
                if inside && hue >> bit & 1 == 1 {
                    255
                } else {
                    16
                }
            };
            bytes.extend([channel(0), channel(1), channel(2), 255]);
        }
    }
    bytes
}
