//! Passes: many small ones that read each other's images, clears, a large target, and depths alone.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::*;

/// So many passes over two images in turns, each reading what the one before drew.
fn turns(count: usize, size: u32, format: F) -> Plan {
    let filterable = format != F::R32Float;
    let sampling = match filterable {
        true => Sampling::LINEAR.clamped(),
        false => Sampling::NEAREST.clamped(),
    };
    let text = format!(
        "{SCREEN}
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            return textureSampleLevel(t, s, v.uv, 0.0) * 0.98 + 0.01;
        }}"
    );
    let mut plan = Plan::new(format!("pass/{count} of {size} by {size}/{}", name(format)));
    let images = [0, 1].map(|_| plan.target(format, [size, size], 1));
    plan.picture = images[0];
    let kind = TextureSampleType::Float { filterable };
    let sets = images.map(|image| {
        plan.set(vec![
            Resource::Texture(image, kind),
            Resource::Sampler(sampling),
        ])
    });
    plan.pipeline(Pipeline {
        set: Some(sets[0]),
        ..Pipeline::new(text, &[format])
    });
    // Every frame begins with the same.
    plan.pass(vec![Target::cleared(images[1])], None, Vec::new());
    for n in 0..count {
        let draw = Draw {
            set: Some(sets[1 - n % 2]),
            ..layers(1)
        };
        plan.pass(vec![Target::cleared(images[n % 2])], None, vec![draw]);
    }
    plan
}

/// A layer after passes that only clear.
fn cleared(label: &str, size: u32, format: F, samples: u32, clears: u32) -> Plan {
    let mut plan = Plan::new(format!("pass/{label}"));
    let image = plan.target(format, [size, size], samples);
    let resolve = (samples > 1).then(|| plan.target(format, [size, size], 1));
    plan.picture = resolve.unwrap_or(image);
    let body = "@fragment fn fs(v: V) -> @location(0) vec4f { return v.uv.xyxy * 0.5; }";
    plan.pipeline(Pipeline {
        samples,
        ..Pipeline::new(format!("{SCREEN}{body}"), &[format])
    });
    let target = Target {
        resolve,
        ..Target::cleared(image)
    };
    for _ in 0..clears {
        plan.pass(vec![target.clone()], None, Vec::new());
    }
    plan.pass(vec![target], None, vec![layers(1)]);
    plan
}

/// A map of depths: four layers of a grid of squares without a fragment shader.
fn depths(label: &str, across: u32) -> Plan {
    let mut plan = Plan::new(format!("pass/depths alone/{label}"));
    plan.picture = plan.target(F::Rgba8Unorm, [64, 64], 1);
    let depth = plan.target(F::Depth32Float, [1024, 1024], 1);
    let text = format!(
        "@vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32)
            -> @builtin(position) vec4f {{
            let corner = vec2f(f32(0x32u >> (n % 6u) & 1u), f32(0x2cu >> (n % 6u) & 1u));
            let o = vec2f(f32(n / 6u % {across}u), f32(n / 6u / {across}u)) + corner;
            return vec4f(o * {:?} - 1.0, 0.5 + 0.1 * sin(o.x + f32(i)), 1.0);
        }}",
        2.0 / across as f32
    );
    plan.pipeline(Pipeline {
        fragment: false,
        depth: Some(depth_state(F::Depth32Float, CompareFunction::Less, true)),
        ..Pipeline::new(text, &[])
    });
    let draw = Draw {
        instances: 0..4,
        ..Draw::new(0, 0..6 * across * across)
    };
    plan.pass(Vec::new(), Some(depth), vec![draw]);
    plan.pass(vec![Target::cleared(plan.picture)], None, Vec::new());
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    let (bytes, halves) = (F::Rgba8Unorm, F::Rgba16Float);
    vec![
        turns(256, 32, bytes),
        turns(64, 128, bytes),
        turns(64, 128, halves),
        turns(64, 128, F::R32Float),
        turns(16, 512, bytes),
        cleared("2048 by 2048", 2048, bytes, 1, 0),
        cleared("16 clears/rgba8unorm/1 samples", 512, bytes, 1, 16),
        cleared("16 clears/rgba8unorm/4 samples", 512, bytes, 4, 16),
        cleared("16 clears/rgba16float/1 samples", 512, halves, 1, 16),
        depths("large triangles", 4),
        depths("small triangles", 200),
    ]
}
