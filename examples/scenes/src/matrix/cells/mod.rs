//! Generated frames, one for each way that a frame may be made: every kind of texture, target, primitive, draw and
//! arithmetic on its own, small and repeatable, and a few whole scenes. Nothing in this folder names an interface.

mod arithmetic;
mod causes;
mod compute;
pub mod plan;
mod primitives;
mod targets;
mod textures;
mod transfers;
mod varied;

use plan::{Draw, Pipeline, Plan, Target, noise};
use wgpu_types::*;

/// Pixels across and down of most frames.
const SIZE: u32 = 512;

/// Every cell.
pub fn cells() -> Vec<Plan> {
    let mut cells = textures::cells();
    cells.extend(targets::cells());
    cells.extend(primitives::cells());
    cells.extend(arithmetic::cells());
    cells.extend(transfers::cells());
    cells.extend(causes::cells());
    cells.extend(compute::cells());
    cells.extend(varied::cells());
    cells
}

/// A vertex shader that covers the picture with each instance, nearer ones later.
const SCREEN: &str = "
struct V { @builtin(position) at: vec4f, @location(0) uv: vec2f };
@vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) layer: u32) -> V {
    let xy = vec2f(f32(n % 2u) * 4.0, f32(n / 2u) * 4.0);
    return V(vec4f(xy - 1.0, 1.0 - (f32(layer) + 1.0) / 16.0, 1.0), xy * 0.7 + 0.1);
}
";

/// A plan of one pass that draws over the whole picture several times.
struct Screen {
    plan: Plan,
    format: TextureFormat,
    layers: u32,
    /// State besides shader and targets.
    pipeline: Pipeline,
}

impl Screen {
    fn new(name: impl Into<String>, fragment: &str, layers: u32) -> Screen {
        let format = TextureFormat::Rgba8Unorm;
        Screen {
            plan: Plan::new(name),
            format,
            layers,
            pipeline: Pipeline::new(format!("{SCREEN}{fragment}"), &[format]),
        }
    }

    /// The plan, with a target after all that has been added.
    fn plan(mut self) -> Plan {
        let target = self.plan.target(self.format, [SIZE, SIZE], 1);
        self.plan.picture = target;
        self.pipeline.set = (!self.plan.sets.is_empty()).then_some(0);
        let draw = Draw {
            set: self.pipeline.set,
            instances: 0..self.layers,
            ..Draw::new(0, 0..3)
        };
        self.plan.pipeline(self.pipeline);
        self.plan
            .pass(vec![Target::cleared(target)], None, vec![draw]);
        self.plan
    }
}

/// A format in the words of WGSL: `rgba8unorm`, `bc1rgbaunorm`.
fn name(format: TextureFormat) -> String {
    format!("{format:?}").to_lowercase()
}

/// Draws a pipeline to the formats that it has, over a colour.
fn covering(label: String, pipeline: Pipeline, draw: Draw, clear: [f64; 4]) -> Plan {
    let mut plan = Plan::new(label);
    let samples = pipeline.samples;
    let mut colors = Vec::new();
    for target in &pipeline.targets {
        let image = plan.target(target.format, [SIZE, SIZE], samples);
        let resolve =
            (samples > 1 && colors.is_empty()).then(|| plan.target(target.format, [SIZE, SIZE], 1));
        if colors.is_empty() {
            plan.picture = resolve.unwrap_or(image);
        }
        colors.push(Target {
            resolve,
            clear: Some(clear),
            ..Target::cleared(image)
        });
    }
    let format = pipeline.depth.as_ref().map(|depth| depth.format);
    let depth = format.map(|format| plan.target(format, [SIZE, SIZE], samples));
    plan.pipeline(pipeline);
    plan.pass(colors, depth, vec![draw]);
    plan
}

/// Depth that is compared, and stored or not, without stencil.
fn depth_state(format: TextureFormat, compare: CompareFunction, writes: bool) -> DepthStencilState {
    DepthStencilState {
        format,
        depth_write_enabled: Some(writes),
        depth_compare: Some(compare),
        stencil: StencilState::default(),
        bias: DepthBiasState::default(),
    }
}

/// A stencil of all bits with the same test for both faces.
fn both_faces(face: StencilFaceState) -> StencilState {
    StencilState {
        front: face,
        back: face,
        read_mask: 255,
        write_mask: 255,
    }
}

fn floats(numbers: impl IntoIterator<Item = f32>) -> Vec<u8> {
    numbers.into_iter().flat_map(f32::to_le_bytes).collect()
}

/// Numbers from 0 to 1, another sequence for each seed.
fn fractions(seed: u32, count: u32) -> Vec<u8> {
    let bytes = noise(seed, count).into_iter();
    let numbers = bytes.map(|byte| f32::from(byte) / 64.0);
    numbers.flat_map(f32::to_le_bytes).collect()
}
