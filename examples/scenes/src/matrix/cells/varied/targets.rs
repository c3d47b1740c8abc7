//! Other blend equations, integers and wide texels, coverage that shaders give, and other tests of depth and stencil.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::*;

/// Layers that are drawn over each other.
const LAYERS: u32 = 8;
/// What they are drawn over.
const GREY: [f64; 4] = [0.2, 0.4, 0.6, 0.8];

const FLOATS: &str =
    "@fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.uv * 0.5, 0.5, 0.5); }";

fn cell(label: String, pipeline: Pipeline, clear: [f64; 4]) -> Plan {
    covering(label, pipeline, layers(LAYERS), clear)
}

fn pipeline(fragment: &str, targets: &[F], samples: u32) -> Pipeline {
    Pipeline {
        samples,
        ..Pipeline::new(format!("{SCREEN}{fragment}"), targets)
    }
}

fn blends(cells: &mut Vec<Plan>) {
    use BlendFactor::*;
    use BlendOperation::*;
    let equations = [
        ("multiplied", Dst, Zero, Add),
        ("premultiplied", One, OneMinusSrcAlpha, Add),
        ("min", One, One, Min),
        ("max", One, One, Max),
        ("subtracted", One, One, ReverseSubtract),
        ("screen", OneMinusDst, One, Add),
        ("by target alpha", DstAlpha, OneMinusDstAlpha, Add),
    ];
    for format in [F::Rgba8Unorm, F::Rgba16Float] {
        for (label, src_factor, dst_factor, operation) in equations {
            let component = BlendComponent {
                src_factor,
                dst_factor,
                operation,
            };
            for samples in [1, 4] {
                let mut pipeline = pipeline(FLOATS, &[format], samples);
                pipeline.targets[0].blend = Some(BlendState {
                    color: component,
                    alpha: component,
                });
                let label = format!("target/{}/{label}/{samples} samples", name(format));
                cells.push(cell(label, pipeline, GREY));
            }
        }
    }
    for format in [F::Rgba8Unorm, F::Rgba16Float, F::Rgba8UnormSrgb] {
        let mut pipeline = pipeline(FLOATS, &[format], 1);
        pipeline.targets[0].write_mask = ColorWrites::RED | ColorWrites::BLUE;
        let label = format!("target/{}/red and blue/1 samples", name(format));
        cells.push(cell(label, pipeline, GREY));
    }
}

fn formats(cells: &mut Vec<Plan>) {
    for (format, ty) in [
        (F::R8Uint, "u32"),
        (F::R16Uint, "u32"),
        (F::Rgba8Uint, "u32"),
        (F::Rgba16Uint, "u32"),
        (F::Rgba32Uint, "u32"),
        (F::Rg16Sint, "i32"),
        (F::Rg32Uint, "u32"),
        (F::Rg32Float, "f32"),
        (F::Rg11b10Ufloat, "f32"),
    ] {
        let body = format!(
            "@fragment fn fs(v: V) -> @location(0) vec4<{ty}> {{ return vec4<{ty}>(v.at * 0.25); }}"
        );
        let label = format!("target/{}/stored/1 samples", name(format));
        cells.push(cell(label, pipeline(&body, &[format], 1), [0.0; 4]));
    }
    let two = "struct O { @location(0) a: vec4f, @location(1) b: vec4f };
        @fragment fn fs(v: V) -> O { return O(v.uv.xyxy, v.uv.yxxy); }";
    for (label, formats) in [
        ("albedo and normal", [F::Rgba8UnormSrgb, F::Rgb10a2Unorm]),
        ("colour and speed", [F::Rgba16Float, F::Rg16Float]),
    ] {
        let label = format!("target/{label}");
        cells.push(cell(label, pipeline(two, &formats, 1), [0.0; 4]));
    }
}

fn coverage(cells: &mut Vec<Plan>) {
    for (label, body) in [
        (
            "sample shading",
            "@fragment fn fs(v: V, @builtin(sample_index) s: u32) -> @location(0) vec4f {
                return vec4f(v.uv * 0.5, f32(s) * 0.25, 0.5);
            }",
        ),
        (
            "mask written",
            "struct O { @location(0) c: vec4f, @builtin(sample_mask) m: u32 };
            @fragment fn fs(v: V) -> O {
                return O(vec4f(v.uv * 0.5, 0.5, 0.5), u32(v.at.x) & 15u);
            }",
        ),
        (
            "alpha to coverage",
            "@fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.uv * 0.5, 0.5, v.uv.x); }",
        ),
    ] {
        let mut pipeline = pipeline(body, &[F::Rgba8Unorm], 4);
        pipeline.alpha_to_coverage = label == "alpha to coverage";
        let label = format!("target/rgba8unorm/{label}/4 samples");
        cells.push(cell(label, pipeline, [0.0; 4]));
    }
}

fn depths(cells: &mut Vec<Plan>) {
    use CompareFunction::*;
    let drawn = |depth: DepthStencilState, samples| Pipeline {
        depth: Some(depth),
        ..pipeline(FLOATS, &[F::Rgba8Unorm], samples)
    };
    let tests = [
        ("less or equal", LessEqual, true),
        ("greater", Greater, true),
        ("read only", Less, false),
        ("equal", Equal, false),
    ];
    for samples in [1, 4] {
        for (label, compare, writes) in tests {
            let state = depth_state(F::Depth32Float, compare, writes);
            let label = format!("depth/depth32float/{label}/plain/{samples} samples");
            cells.push(cell(label, drawn(state, samples), [0.0; 4]));
        }
        // Depths alone, then the layer that is seen.
        let equal = depth_state(F::Depth32Float, Equal, false);
        let label = format!("depth/depth32float/first depths, then equal/{samples} samples");
        let mut plan = cell(label, drawn(equal, samples), [0.0; 4]);
        let mut first = drawn(depth_state(F::Depth32Float, Less, true), samples);
        first.targets[0].write_mask = ColorWrites::empty();
        let pipeline = plan.pipeline(first);
        if let Some(Step::Pass(pass)) = plan.steps.last_mut() {
            let draw = Draw {
                pipeline,
                ..layers(LAYERS)
            };
            pass.draws.insert(0, draw);
        }
        cells.push(plan);
        let masked = StencilFaceState {
            compare: Equal,
            ..StencilFaceState::IGNORE
        };
        let volumes = StencilFaceState {
            depth_fail_op: StencilOperation::DecrementWrap,
            ..StencilFaceState::IGNORE
        };
        let replaced = StencilFaceState {
            pass_op: StencilOperation::Replace,
            ..StencilFaceState::IGNORE
        };
        for (label, face) in [
            ("masked", masked),
            ("volumes", volumes),
            ("replaced", replaced),
        ] {
            let state = DepthStencilState {
                stencil: both_faces(face),
                ..depth_state(F::Depth24PlusStencil8, LessEqual, true)
            };
            let label = format!("depth/depth24plusstencil8/{label}/{samples} samples");
            cells.push(cell(label, drawn(state, samples), [0.0; 4]));
        }
    }
    let biased = DepthStencilState {
        bias: DepthBiasState {
            constant: 2,
            slope_scale: 1.5,
            clamp: 0.0,
        },
        ..depth_state(F::Depth32Float, Less, true)
    };
    let label = "depth/depth32float/biased/1 samples".to_owned();
    cells.push(cell(label, drawn(biased, 1), [0.0; 4]));
}

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = Vec::new();
    blends(&mut cells);
    formats(&mut cells);
    coverage(&mut cells);
    depths(&mut cells);
    cells
}
