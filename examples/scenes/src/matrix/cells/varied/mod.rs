//! States beside the regular ones: other ways to read, blend, test, draw and compute, and shaders as demos have them.

mod arithmetic;
mod compute;
mod frames;
mod further;
mod passes;
mod primitives;
mod programs;
mod states;
mod strangers;
mod surfaces;
mod targets;
mod textures;

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::plan::*;
use super::{SCREEN, SIZE, Screen, both_faces, covering, depth_state, floats, fractions, name};

/// A hash of 32 bits.
const MIXED: &str = "
fn mixed(x: u32) -> u32 {
    var n = x;
    n ^= n >> 16u;
    n *= 0x7feb352du;
    n ^= n >> 15u;
    n *= 0x846ca68bu;
    return n ^ n >> 16u;
}
";

/// Floats that samplers filter.
const FILTERED: TextureSampleType = TextureSampleType::Float { filterable: true };

/// A texture and its WGSL type.
struct Read(Texture, TextureSampleType, &'static str);

impl Read {
    /// A square of so many texels with all its levels, filtered.
    fn square(format: F, edge: u32) -> Read {
        let levels = edge.ilog2() + 1;
        let texture = noise_texture(format, TextureViewDimension::D2, [edge, edge, 1], levels);
        Read(texture, FILTERED, "texture_2d<f32>")
    }

    /// A shape of bytes with so many levels, filtered.
    fn bytes(view: TextureViewDimension, size: [u32; 3], levels: u32, ty: &'static str) -> Read {
        Read(
            noise_texture(F::Rgba8Unorm, view, size, levels),
            FILTERED,
            ty,
        )
    }
}

fn noise_texture(format: F, view: TextureViewDimension, size: [u32; 3], levels: u32) -> Texture {
    Texture {
        format,
        view,
        size,
        levels,
        samples: 1,
        contents: Contents::Noise(1),
    }
}

/// Textures `t0`, `t1` … and samplers `s0`, `s1` … for a fragment shader, after declarations of the shader's own.
fn reading(
    label: String,
    (declared, body): (&str, &str),
    reads: Vec<Read>,
    samplers: &[Sampling],
    layers: u32,
) -> Plan {
    let mut text = declared.to_owned();
    let mut binding = 0;
    let mut declare = |name: String, ty: &str| {
        text += &format!("@group(0) @binding({binding}) var {name}: {ty};\n");
        binding += 1;
    };
    for (n, Read(_, _, ty)) in reads.iter().enumerate() {
        declare(format!("t{n}"), ty);
    }
    for (n, sampler) in samplers.iter().enumerate() {
        let compares = sampler.compare.is_some();
        let ty = if compares {
            "sampler_comparison"
        } else {
            "sampler"
        };
        declare(format!("s{n}"), ty);
    }
    text += &format!("@fragment fn fs(v: V) -> @location(0) vec4f {{ {body} }}");
    let mut screen = Screen::new(label, &text, layers);
    let mut resources = Vec::new();
    for Read(texture, kind, _) in reads {
        resources.push(Resource::Texture(screen.plan.texture(texture), kind));
    }
    resources.extend(samplers.iter().map(|sampler| Resource::Sampler(*sampler)));
    if !resources.is_empty() {
        screen.plan.set(resources);
    }
    screen.plan()
}

/// Depths that are drawn to, as [`after_depths`] does.
fn depths() -> Read {
    let flat = TextureViewDimension::D2;
    let mut texture = noise_texture(F::Depth32Float, flat, [SIZE, SIZE, 1], 1);
    texture.contents = Contents::Drawn;
    Read(texture, TextureSampleType::Depth, "texture_depth_2d")
}

/// Draws 16 by 16 squares of depths to the first image before all else; `z` is one in terms of vertex `n`, its `corner` of a
/// square, and its place `o` in squares.
fn after_depths(mut plan: Plan, z: &str) -> Plan {
    let text = format!(
        "@vertex fn vs(@builtin(vertex_index) n: u32) -> @builtin(position) vec4f {{
            let corner = vec2f(f32(0x32u >> n % 6u & 1u), f32(0x2cu >> n % 6u & 1u));
            let o = vec2f(f32(n / 6u % 16u), f32(n / 96u)) + corner;
            return vec4f(o / 8.0 - 1.0, {z}, 1.0);
        }}"
    );
    let drawn = plan.pipeline(Pipeline {
        fragment: false,
        depth: Some(depth_state(F::Depth32Float, CompareFunction::Less, true)),
        ..Pipeline::new(text, &[])
    });
    let pass = Pass {
        depth: Some([0, 0]),
        draws: vec![Draw::new(drawn, 0..6 * 256)],
        ..Pass::default()
    };
    plan.steps.insert(0, Step::Pass(pass));
    plan
}

/// Layers over the whole picture.
fn layers(count: u32) -> Draw {
    Draw {
        instances: 0..count,
        ..Draw::new(0, 0..3)
    }
}

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = textures::cells();
    cells.extend(targets::cells());
    cells.extend(arithmetic::cells());
    cells.extend(primitives::cells());
    cells.extend(compute::cells());
    cells.extend(programs::cells());
    cells.extend(passes::cells());
    cells.extend(further::cells());
    cells.extend(states::cells());
    cells.extend(surfaces::cells());
    cells.extend(frames::cells());
    cells.extend(strangers::cells());
    cells
}
