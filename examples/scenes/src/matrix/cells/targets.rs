//! Targets: formats, blending, samples; depth and stencil, tested before and after the shader.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::plan::{Draw, Pipeline, Plan};
use super::{SCREEN, covering, name};

/// Layers that are drawn over each other.
const LAYERS: u32 = 8;

/// Draws a pipeline over the whole picture, to the formats that it has.
fn cell(label: String, pipeline: Pipeline, layers: u32) -> Plan {
    let draw = Draw {
        instances: 0..layers,
        ..Draw::new(0, 0..3)
    };
    covering(label, pipeline, draw, [0.0, 0.0, 0.0, 1.0])
}

/// Whether Vulkan blends and resolves a format everywhere.
fn resolves(format: F) -> bool {
    !matches!(format, F::R32Uint | F::R32Float | F::Rgba32Float)
}

fn formats(cells: &mut Vec<Plan>) {
    let added = BlendState {
        color: BlendComponent {
            src_factor: BlendFactor::One,
            dst_factor: BlendFactor::One,
            operation: BlendOperation::Add,
        },
        alpha: BlendComponent::REPLACE,
    };
    let blends = [
        ("stored", None),
        ("over", Some(BlendState::ALPHA_BLENDING)),
        ("added", Some(added)),
    ];
    let floats =
        "@fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.uv * 0.5, 0.5, 0.5); }";
    let integers = "@fragment fn fs(v: V) -> @location(0) vec4u { return vec4u(v.at); }";
    let all = [
        F::R8Unorm,
        F::Rg8Unorm,
        F::Rgba8Unorm,
        F::Rgba8UnormSrgb,
        F::Bgra8Unorm,
        F::Rgb10a2Unorm,
        F::R16Float,
        F::Rg16Float,
        F::Rgba16Float,
        F::R32Float,
        F::Rgba32Float,
        F::R32Uint,
    ];
    for format in all {
        for (label, blend) in blends {
            if blend.is_some() && !resolves(format) {
                continue;
            }
            for samples in [1, 4] {
                if samples > 1 && !resolves(format) {
                    continue;
                }
                let body = if format == F::R32Uint {
                    integers
                } else {
                    floats
                };
                let mut pipeline = Pipeline::new(format!("{SCREEN}{body}"), &[format]);
                pipeline.targets[0].blend = blend;
                pipeline.samples = samples;
                let label = format!("target/{}/{label}/{samples} samples", name(format));
                cells.push(cell(label, pipeline, LAYERS));
            }
        }
    }
    let four = format!(
        "{SCREEN}struct O {{ @location(0) a: vec4f, @location(1) b: vec4f, @location(2) c: vec4f, @location(3) d: vec4f }};
        @fragment fn fs(v: V) -> O {{ return O(v.uv.xyxy, v.uv.yxxy, v.uv.xxyy, vec4f(0.5)); }}"
    );
    for format in [F::Rgba8Unorm, F::Rgba16Float] {
        let pipeline = Pipeline::new(four.as_str(), &[format; 4]);
        cells.push(cell(
            format!("target/four of {}", name(format)),
            pipeline,
            LAYERS,
        ));
    }
}

/// What the fragment shader does to the depth test.
const SHADERS: [(&str, &str); 3] = [
    (
        "plain",
        "@fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.uv, 0.5, 0.5); }",
    ),
    (
        "discard",
        "@fragment fn fs(v: V) -> @location(0) vec4f {
            if fract(v.uv.x * 40.0) + fract(v.uv.y * 40.0) < 0.6 { discard; }
            return vec4f(v.uv, 0.5, 0.5);
        }",
    ),
    (
        "written",
        "struct O { @location(0) c: vec4f, @builtin(frag_depth) d: f32 };
        @fragment fn fs(v: V) -> O { return O(v.uv.xyxy, v.at.z * 0.9 + v.uv.x * 0.01); }",
    ),
];

fn depths(cells: &mut Vec<Plan>) {
    let tests = [
        ("less, nearer", CompareFunction::Less),
        ("less, farther", CompareFunction::Less),
        ("always", CompareFunction::Always),
    ];
    let face = StencilFaceState {
        compare: CompareFunction::Always,
        pass_op: StencilOperation::IncrementWrap,
        ..StencilFaceState::IGNORE
    };
    for (test, compare) in tests {
        for (shader, body) in SHADERS {
            for (format, stencil) in [
                (F::Depth32Float, false),
                (F::Depth16Unorm, false),
                (F::Depth24PlusStencil8, true),
            ] {
                for samples in [1, 4] {
                    // Later layers are nearer unless the order is turned round.
                    let screen = match test {
                        "less, farther" => SCREEN.replace(
                            "1.0 - (f32(layer) + 1.0) / 16.0",
                            "(f32(layer) + 1.0) / 16.0",
                        ),
                        _ => SCREEN.to_owned(),
                    };
                    let mut pipeline = Pipeline::new(format!("{screen}{body}"), &[F::Rgba8Unorm]);
                    pipeline.samples = samples;
                    pipeline.depth = Some(DepthStencilState {
                        stencil: match stencil {
                            true => super::both_faces(face),
                            false => StencilState::default(),
                        },
                        ..super::depth_state(format, compare, true)
                    });
                    let label = format!("depth/{}/{test}/{shader}/{samples} samples", name(format));
                    cells.push(cell(label, pipeline, LAYERS));
                }
            }
        }
    }
}

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = Vec::new();
    formats(&mut cells);
    depths(&mut cells);
    cells
}
