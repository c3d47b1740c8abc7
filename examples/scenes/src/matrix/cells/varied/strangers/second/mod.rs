//! More programs from elsewhere: fractals, interpreters and searches of fragments, hashes, transforms and lists of dispatches,
//! and frames of meshes, records and masks.

mod frames;
mod hashes;
mod lists;
pub(super) mod meshes;
mod numbers;
mod passes;
mod shapes;
mod transforms;
mod trees;

use std::ops::Range;

use super::compute::shown;
use super::*;

/// Body of `fs(v: V) -> vec4f`, with functions before it.
pub(super) type Program = (&'static str, &'static str, &'static str);

/// Layers of a program over a square picture.
pub(super) fn program((label, declared, body): Program, edge: u32, count: u32) -> Plan {
    let text = format!(
        "{SCREEN}{MIXED}{declared}@fragment fn fs(v: V) -> @location(0) vec4f {{ {body} }}"
    );
    let mut plan = Plan::new(format!("program/{label}"));
    plan.picture = plan.target(F::Rgba8Unorm, [edge, edge], 1);
    plan.pipeline(Pipeline::new(text, &[F::Rgba8Unorm]));
    plan.pass(vec![Target::cleared(0)], None, vec![layers(count)]);
    plan
}

/// A buffer of constants for all draws of a plan of one pipeline.
pub(super) fn with_constants(mut plan: Plan, bytes: Vec<u8>) -> Plan {
    let buffer = plan.buffer(BufferUsages::UNIFORM, bytes);
    let set = Some(plan.set(vec![Resource::Uniform(buffer)]));
    for pipeline in &mut plan.pipelines {
        pipeline.set = set;
    }
    for step in &mut plan.steps {
        if let Step::Pass(pass) = step {
            pass.draws.iter_mut().for_each(|draw| draw.set = set);
        }
    }
    plan
}

/// An empty buffer of so many words.
pub(super) fn space(plan: &mut Plan, words: u32) -> usize {
    plan.buffer(BufferUsages::STORAGE, vec![0; 4 * words as usize])
}

/// Adds a dispatch of a shader, and what is bound to it.
pub(super) fn run(
    plan: &mut Plan,
    text: impl Into<String>,
    resources: Vec<Resource>,
    groups: [u32; 3],
) {
    let compute = plan.compute(text, resources);
    let dispatch = plan.dispatch(compute, groups);
    match plan.steps.last_mut() {
        Some(Step::Compute(dispatches)) => dispatches.push(dispatch),
        _ => plan.steps.push(Step::Compute(vec![dispatch])),
    }
}

/// Adds a pipeline with what is bound to it, and gives a draw of it.
pub(super) fn drawn(
    plan: &mut Plan,
    pipeline: Pipeline,
    resources: Vec<Resource>,
    range: Range<u32>,
) -> Draw {
    let set = (!resources.is_empty()).then(|| plan.set(resources));
    let number = plan.pipeline(Pipeline { set, ..pipeline });
    Draw {
        set,
        ..Draw::new(number, range)
    }
}

/// Adds a pass that covers an image with a fragment shader.
pub(super) fn cover(plan: &mut Plan, image: usize, fragment: &str, resources: Vec<Resource>) {
    let format = plan.textures[image].format;
    let pipeline = Pipeline::new(format!("{SCREEN}{fragment}"), &[format]);
    let draw = drawn(plan, pipeline, resources, 0..3);
    plan.pass(vec![Target::cleared(image)], None, vec![draw]);
}

/// Nearer depths, written.
pub(super) fn nearer() -> Option<DepthStencilState> {
    Some(depth_state(F::Depth32Float, CompareFunction::Less, true))
}

/// Instances of a draw.
pub(super) fn instances(draw: Draw, count: u32) -> Draw {
    Draw {
        instances: 0..count,
        ..draw
    }
}

/// A hash of 32 bits.
pub(super) fn mixed(n: u32) -> u32 {
    let n = (n ^ n >> 16).wrapping_mul(0x7feb_352d);
    let n = (n ^ n >> 15).wrapping_mul(0x846c_a68b);
    n ^ n >> 16
}

/// A number from 0 to 1 without a pattern.
pub(super) fn part(n: u32) -> f32 {
    (mixed(n) >> 8) as f32 / (1 << 24) as f32
}

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = numbers::cells();
    cells.extend(shapes::cells());
    cells.extend(hashes::cells());
    cells.extend(transforms::cells());
    cells.extend(lists::cells());
    cells.extend(trees::cells());
    cells.extend(meshes::cells());
    cells.extend(passes::cells());
    cells.extend(frames::cells());
    cells
}
