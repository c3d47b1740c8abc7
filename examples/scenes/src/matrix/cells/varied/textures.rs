//! Texels read by number, at gradients and offsets, in divergent code, from several textures, and of other shapes.

use TextureViewDimension as D;
use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::*;

/// Layers that are drawn over each other.
const LAYERS: u32 = 4;

fn cell(label: &str, body: &str, reads: Vec<Read>, samplers: &[Sampling]) -> Plan {
    let label = format!("texture/other/{label}");
    reading(label, ("", body), reads, samplers, LAYERS)
}

fn flat(format: F, levels: u32) -> Texture {
    noise_texture(format, D::D2, [256, 256, 1], levels)
}

/// Texels by number.
fn loads(cells: &mut Vec<Plan>) {
    use TextureSampleType::{Sint, Uint};
    let nearest = TextureSampleType::Float { filterable: false };
    let (floats, unsigned) = ("texture_2d<f32>", "texture_2d<u32>");
    for (format, kind, ty) in [
        (F::R8Uint, Uint, unsigned),
        (F::Rgba8Uint, Uint, unsigned),
        (F::Rgba16Uint, Uint, unsigned),
        (F::R32Uint, Uint, unsigned),
        (F::Rgba32Uint, Uint, unsigned),
        (F::Rg16Sint, Sint, "texture_2d<i32>"),
        (F::Rgb10a2Uint, Uint, unsigned),
        (F::Rgba32Float, nearest, floats),
        (F::Rgb9e5Ufloat, FILTERED, floats),
        (F::Bc7RgbaUnorm, FILTERED, floats),
    ] {
        let label = format!("{}/loads", name(format));
        let body = "return vec4f(textureLoad(t0, vec2i(v.at.xy) & vec2i(255), 0)) * 0.01;";
        cells.push(cell(
            &label,
            body,
            vec![Read(flat(format, 1), kind, ty)],
            &[],
        ));
    }
}

/// Ways to sample four bytes, trilinearly.
const SAMPLES: [(&str, &str); 15] = [
    (
        "gradients",
        "return textureSampleGrad(t0, s0, v.uv, vec2f(0.01, 0.002), vec2f(0.0, 0.01));",
    ),
    (
        "gradients vary",
        "return textureSampleGrad(t0, s0, v.uv, vec2f(0.01, 0.002) * v.uv.x, vec2f(0.0, 0.01) * v.uv.y);",
    ),
    ("bias", "return textureSampleBias(t0, s0, v.uv, 1.5);"),
    (
        "offset",
        "return textureSample(t0, s0, v.uv, vec2i(1, -1));",
    ),
    (
        "nine offsets",
        "var c = vec4f();
        for (var y = -1; y <= 1; y++) {
            for (var x = -1; x <= 1; x++) {
                c += textureSampleLevel(t0, s0, v.uv + vec2f(f32(x), f32(y)) / 256.0, 0.0);
            }
        }
        return c / 9.0;",
    ),
    (
        "dependent",
        "let a = textureSample(t0, s0, v.uv);
        return textureSample(t0, s0, v.uv + a.xy * 0.1);",
    ),
    (
        "dependent at random",
        "let a = textureSample(t0, s0, v.uv * 16.0);
        return textureSampleLevel(t0, s0, a.xy * 4.0, 0.0);",
    ),
    (
        "in a branch",
        "if fract(v.uv.x * 30.0) < 0.5 { return textureSampleLevel(t0, s0, v.uv, 0.0); }
        return vec4f(0.2);",
    ),
    (
        "size",
        "return textureSample(t0, s0, v.at.xy / vec2f(textureDimensions(t0)));",
    ),
    (
        "one channel",
        "return vec4f(textureSample(t0, s0, v.uv).g);",
    ),
    (
        "divergent count",
        "var c = vec4f();
        let n = 1 + i32(v.at.x / 64.0);
        for (var i = 0; i < n; i++) {
            c += textureSampleLevel(t0, s0, v.uv * (1.0 + f32(i) * 0.1), 0.0);
        }
        return c / f32(n);",
    ),
    (
        "parallax",
        "var p = v.uv;
        var h = 1.0;
        for (var i = 0; i < 16; i++) {
            if textureSampleLevel(t0, s0, p, 0.0).r > h { break; }
            h -= 0.06;
            p += vec2f(0.004, 0.002);
        }
        return vec4f(p, h, 1.0);",
    ),
    (
        "rotated",
        "return textureSample(t0, s0, mat2x2f(0.8, 0.6, -0.6, 0.8) * v.uv);",
    ),
    (
        "repeated 8 times",
        "return textureSample(t0, s0, v.uv * 8.0);",
    ),
    (
        "projected",
        "return textureSample(t0, s0, v.uv / (0.2 + v.uv.y));",
    ),
];

const PLAIN: &str = "return textureSample(t0, s0, v.uv);";

fn samples(cells: &mut Vec<Plan>) {
    let trilinear = Sampling::TRILINEAR;
    let rgba = || Read::square(F::Rgba8Unorm, 256);
    for (label, body) in SAMPLES {
        let label = format!("rgba8unorm/{label}");
        cells.push(cell(&label, body, vec![rgba()], &[trilinear]));
    }
    let mirrored = Sampling {
        address: AddressMode::MirrorRepeat,
        ..trilinear
    };
    let others = [
        ("mirror trilinear", mirrored),
        ("clamped trilinear", trilinear.clamped()),
    ];
    for (label, sampling) in others {
        let label = format!("rgba8unorm/{label}");
        cells.push(cell(&label, PLAIN, vec![rgba()], &[sampling]));
    }
    for size in [[300u32, 200, 1], [1024; 3], [2048; 3], [16; 3], [1; 3]] {
        let [width, height, _] = size;
        let levels = width.max(height).ilog2() + 1;
        let read = Read::bytes(D::D2, [width, height, 1], levels, "texture_2d<f32>");
        let label = format!("rgba8unorm/{width} by {height}");
        cells.push(cell(&label, PLAIN, vec![read], &[trilinear]));
    }
    for format in [F::Bc4RUnorm, F::Bc2RgbaUnorm, F::Bc5RgSnorm] {
        let label = format!("{}/trilinear", name(format));
        cells.push(cell(
            &label,
            PLAIN,
            vec![Read::square(format, 256)],
            &[trilinear],
        ));
    }
    for format in [F::Bc7RgbaUnorm, F::Bc3RgbaUnorm] {
        for (label, at) in [
            ("minified", "v.uv * 8.0"),
            ("scattered", "fract(v.uv * vec2f(913.7, 517.3))"),
        ] {
            let label = format!("{}/{label}", name(format));
            let body = format!("return textureSampleLevel(t0, s0, {at}, 0.0);");
            cells.push(cell(
                &label,
                &body,
                vec![Read::square(format, 256)],
                &[trilinear],
            ));
        }
    }
    cells.push(cell(
        "three textures",
        "return textureSample(t0, s0, v.uv) * textureSample(t1, s0, v.uv) + textureSample(t2, s0, v.uv * 2.0);",
        vec![rgba(), rgba(), rgba()],
        &[trilinear],
    ));
    let formats = [F::Rgba8UnormSrgb, F::Rg8Unorm, F::R8Unorm];
    cells.push(cell(
        "albedo, normal, roughness",
        "let n = textureSample(t1, s0, v.uv).xy * 2.0 - 1.0;
        return textureSample(t0, s0, v.uv) * dot(n, vec2f(0.5)) + textureSample(t2, s0, v.uv).r;",
        formats.map(|format| Read::square(format, 256)).into(),
        &[trilinear],
    ));
}

/// Lines, layers, cubes and volumes.
fn shapes(cells: &mut Vec<Plan>) {
    let linear = Sampling::LINEAR.clamped();
    let trilinear = Sampling::TRILINEAR;
    let line = Read::bytes(D::D1, [256, 1, 1], 1, "texture_1d<f32>");
    cells.push(cell(
        "1d/rgba8unorm/linear",
        "return textureSample(t0, s0, v.uv.x);",
        vec![line],
        &[linear],
    ));
    let stack = || Read::bytes(D::D2Array, [64, 64, 16], 7, "texture_2d_array<f32>");
    let cube = || Read::bytes(D::Cube, [128, 128, 6], 8, "texture_cube<f32>");
    let cubes = || Read::bytes(D::CubeArray, [64, 64, 12], 7, "texture_cube_array<f32>");
    for (label, body, read) in [
        (
            "array/layers vary",
            "return textureSample(t0, s0, v.uv, i32(v.at.x + v.at.y * 3.0) & 15);",
            stack(),
        ),
        (
            "array/layers of quads",
            "return textureSample(t0, s0, v.uv, (i32(v.at.x) / 2 + i32(v.at.y) / 2) & 15);",
            stack(),
        ),
        (
            "array/blended layers",
            "let l = v.uv.x * 5.0;
            let near = textureSample(t0, s0, v.uv, i32(l));
            return mix(near, textureSample(t0, s0, v.uv, i32(l) + 1), fract(l));",
            stack(),
        ),
        (
            "cube/reflections",
            "let n = normalize(vec3f(v.uv - 0.5, 0.7));
            return textureSample(t0, s0, reflect(vec3f(0.0, 0.2, -1.0), n));",
            cube(),
        ),
        (
            "cube/rough normals",
            "let n = normalize(vec3f(sin(v.at.x * 0.9), cos(v.at.y * 1.3), 0.4));
            return textureSampleLevel(t0, s0, n, 2.5);",
            cube(),
        ),
        (
            "cube array/trilinear",
            "return textureSample(t0, s0, vec3f(v.uv - 0.7, 0.6), i32(v.at.x) / 256);",
            cubes(),
        ),
    ] {
        cells.push(cell(label, body, vec![read], &[trilinear]));
    }
    let volume = || Read::bytes(D::D3, [32, 32, 32], 1, "texture_3d<f32>");
    cells.push(cell(
        "3d/colour table",
        "let c = textureSample(t0, s0, v.uv);
        return textureSampleLevel(t1, s0, c.rgb * 3.0, 0.0);",
        vec![Read::square(F::Rgba8Unorm, 256), volume()],
        &[linear],
    ));
    cells.push(cell(
        "3d/loads",
        "return textureLoad(t0, vec3i(vec3f(v.at.xy, v.at.x + v.at.y)) & vec3i(31), 0);",
        vec![volume()],
        &[],
    ));
}

/// Depth images, which passes clear.
fn depths(cells: &mut Vec<Plan>) {
    let compare = Sampling {
        compare: Some(CompareFunction::LessEqual),
        ..Sampling::LINEAR.clamped()
    };
    let nearest = Sampling::NEAREST.clamped();
    for (label, body, samplers, layers) in [
        (
            "sampled",
            "return vec4f(textureSample(t0, s0, v.uv));",
            &[nearest][..],
            1,
        ),
        (
            "loads",
            "return vec4f(textureLoad(t0, vec2i(v.at.xy) & vec2i(255), 0));",
            &[],
            1,
        ),
        (
            "gathered comparisons",
            "return textureGatherCompare(t0, s0, v.uv, v.uv.x);",
            &[compare],
            1,
        ),
        (
            "nine comparisons",
            "var c = 0.0;
            for (var y = -1; y <= 1; y++) {
                for (var x = -1; x <= 1; x++) {
                    let p = v.uv + vec2f(f32(x), f32(y)) / 256.0;
                    c += textureSampleCompareLevel(t0, s0, p, v.uv.y);
                }
            }
            return vec4f(c / 9.0);",
            &[compare],
            1,
        ),
        (
            "cascades",
            "return vec4f(textureSampleCompareLevel(t0, s0, v.uv, i32(v.uv.x * 2.0), v.uv.y));",
            &[compare],
            4,
        ),
    ] {
        let (view, ty) = match layers {
            1 => (D::D2, "texture_depth_2d"),
            _ => (D::D2Array, "texture_depth_2d_array"),
        };
        let texture = Texture {
            contents: Contents::Drawn,
            ..noise_texture(F::Depth32Float, view, [256, 256, layers], 1)
        };
        let read = Read(texture, TextureSampleType::Depth, ty);
        let mut plan = cell(&format!("depth32float/{label}"), body, vec![read], samplers);
        let clear = |layer| {
            Step::Pass(Pass {
                depth: Some([0, layer as usize]),
                ..Pass::default()
            })
        };
        plan.steps.splice(0..0, (0..layers).map(clear));
        cells.push(plan);
    }
}

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = Vec::new();
    loads(&mut cells);
    samples(&mut cells);
    shapes(&mut cells);
    depths(&mut cells);
    cells
}
