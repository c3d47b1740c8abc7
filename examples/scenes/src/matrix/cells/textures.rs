//! Textures: shapes, formats, filters, what is outside, levels, and ways to read.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::plan::{Contents, Pass, Plan, Resource, Sampling, Step, Texture};
use super::{Screen, name};

/// Layers that are drawn over each other.
const LAYERS: u32 = 4;

/// A shape, the WGSL type and coordinates of it.
struct Shape {
    name: &'static str,
    view: TextureViewDimension,
    suffix: &'static str,
    /// Arguments of a sample after texture and sampler.
    at: &'static str,
}

const SHAPES: [Shape; 4] = [
    Shape {
        name: "2d",
        view: TextureViewDimension::D2,
        suffix: "2d",
        at: "v.uv",
    },
    Shape {
        name: "array",
        view: TextureViewDimension::D2Array,
        suffix: "2d_array",
        at: "v.uv, i32(v.at.x) / 96",
    },
    Shape {
        name: "cube",
        view: TextureViewDimension::Cube,
        suffix: "cube",
        at: "vec3f(v.uv - 0.7, 0.6)",
    },
    Shape {
        name: "3d",
        view: TextureViewDimension::D3,
        suffix: "3d",
        at: "vec3f(v.uv, v.uv.x * 0.4)",
    },
];

/// A format of each size and kind.
const FORMATS: [F; 18] = [
    F::R8Unorm,
    F::Rg8Unorm,
    F::Rgba8Unorm,
    F::Rgba8UnormSrgb,
    F::Rgba8Snorm,
    F::R16Float,
    F::Rg16Float,
    F::Rgba16Float,
    F::R32Float,
    F::Rgba32Float,
    F::Rgb10a2Unorm,
    F::Rg11b10Ufloat,
    F::Rgb9e5Ufloat,
    F::Bc1RgbaUnorm,
    F::Bc3RgbaUnormSrgb,
    F::Bc5RgUnorm,
    F::Bc7RgbaUnorm,
    F::Bc6hRgbUfloat,
];

fn texture(shape: &Shape, format: F) -> Texture {
    let (edge, depth) = match shape.view {
        TextureViewDimension::D2 => (256, 1),
        TextureViewDimension::D3 => (64, 64),
        _ => (256, 6),
    };
    Texture {
        format,
        view: shape.view,
        size: [edge, edge, depth],
        levels: edge.ilog2() + 1,
        samples: 1,
        contents: Contents::Noise(1),
    }
}

/// A frame that reads one texture; `read` is the colour, from `t`, `s` and `v`.
fn cell(label: String, shape: &Shape, format: F, sampling: Sampling, read: &str) -> Plan {
    let compares = sampling.compare.is_some();
    let (suffix, sampler) = (shape.suffix, if compares { "_comparison" } else { "" });
    let ty = match compares {
        true => format!("texture_depth_{suffix}"),
        false => format!("texture_{suffix}<f32>"),
    };
    let text = format!(
        "@group(0) @binding(0) var t: {ty};
        @group(0) @binding(1) var s: sampler{sampler};
        @fragment fn fs(v: V) -> @location(0) vec4f {{ return {read}; }}"
    );
    let mut screen = Screen::new(
        format!("texture/{}/{}/{label}", shape.name, name(format)),
        &text,
        LAYERS,
    );
    let texture = screen.plan.texture(texture(shape, format));
    let kind = match (compares, sampling.filter) {
        (true, _) => TextureSampleType::Depth,
        (false, filter) => TextureSampleType::Float {
            filterable: filter == FilterMode::Linear,
        },
    };
    screen.plan.set(vec![
        Resource::Texture(texture, kind),
        Resource::Sampler(sampling),
    ]);
    screen.plan()
}

/// Every shape, format and filter.
fn filtered(cells: &mut Vec<Plan>) {
    let filters = [
        ("nearest", Sampling::NEAREST),
        ("linear", Sampling::LINEAR),
        ("trilinear", Sampling::TRILINEAR),
    ];
    for shape in &SHAPES {
        for format in FORMATS {
            // Blocks lie in planes.
            if format.is_compressed() && shape.view == TextureViewDimension::D3 {
                continue;
            }
            for (label, sampling) in filters {
                let read = format!("textureSample(t, s, {})", shape.at);
                cells.push(cell(label.to_owned(), shape, format, sampling, &read));
            }
        }
    }
}

/// What is outside of a texture, levels that the shader gives, and long footprints.
fn samplers(cells: &mut Vec<Plan>) {
    let [flat, _, cube, deep] = &SHAPES;
    let addresses = [
        ("clamp", AddressMode::ClampToEdge),
        ("mirror", AddressMode::MirrorRepeat),
        ("border", AddressMode::ClampToBorder),
    ];
    for (shape, format) in [
        (flat, F::Rgba8Unorm),
        (flat, F::R8Unorm),
        (flat, F::Rgba16Float),
        (deep, F::R8Unorm),
    ] {
        for (filter, base) in [("nearest", Sampling::NEAREST), ("linear", Sampling::LINEAR)] {
            for (label, address) in addresses {
                let sampling = Sampling { address, ..base };
                let read = format!("textureSample(t, s, {})", shape.at);
                cells.push(cell(
                    format!("{filter}, {label}"),
                    shape,
                    format,
                    sampling,
                    &read,
                ));
            }
        }
    }
    for (shape, format) in [
        (flat, F::Rgba8Unorm),
        (flat, F::Rgba16Float),
        (cube, F::Rgba8Unorm),
        (cube, F::Rgba16Float),
        (deep, F::R8Unorm),
    ] {
        for (label, level) in [
            ("level 0", "0.0"),
            ("level 1.5", "1.5"),
            ("levels apart", "v.uv.x * 3.0"),
        ] {
            let read = format!("textureSampleLevel(t, s, {}, {level})", shape.at);
            cells.push(cell(
                label.to_owned(),
                shape,
                format,
                Sampling::TRILINEAR,
                &read,
            ));
        }
    }
    for format in [
        F::Rgba8Unorm,
        F::Rgba8UnormSrgb,
        F::Rgba16Float,
        F::Bc1RgbaUnorm,
    ] {
        for anisotropy in [4, 16] {
            let sampling = Sampling {
                anisotropy,
                ..Sampling::TRILINEAR
            };
            let read = "textureSample(t, s, v.uv * vec2f(8.0, 1.0))";
            cells.push(cell(
                format!("anisotropic {anisotropy}"),
                flat,
                format,
                sampling,
                read,
            ));
        }
    }
}

/// Comparisons, single texels, four texels, and texels far apart.
fn reads(cells: &mut Vec<Plan>) {
    let [flat, array, cube, _] = &SHAPES;
    let compare = Sampling {
        compare: Some(CompareFunction::Less),
        ..Sampling::LINEAR.clamped()
    };
    for (shape, format) in [
        (flat, F::Depth32Float),
        (flat, F::Depth16Unorm),
        (array, F::Depth32Float),
        (cube, F::Depth32Float),
    ] {
        let read = format!("vec4f(textureSampleCompareLevel(t, s, {}, 0.5))", shape.at);
        cells.push(compared(shape, format, compare, &read));
    }
    for format in [F::Rgba8Unorm, F::R8Unorm, F::Rgba16Float, F::Bc1RgbaUnorm] {
        let reads = [
            ("fetched", "textureLoad(t, vec2i(v.at.xy) & vec2i(255), 0)"),
            ("gathered", "textureGather(0, t, s, v.uv)"),
            (
                "scattered",
                "textureSampleLevel(t, s, fract(v.uv * vec2f(913.7, 517.3)), 0.0)",
            ),
            ("minified", "textureSampleLevel(t, s, v.uv * 8.0, 0.0)"),
            ("magnified", "textureSample(t, s, v.uv * 0.05)"),
        ];
        for (label, read) in reads {
            cells.push(cell(label.to_owned(), flat, format, Sampling::LINEAR, read));
        }
    }
}

/// A comparison with a depth image, which a pass clears: hosts cannot write all of these formats.
fn compared(shape: &Shape, format: F, sampling: Sampling, read: &str) -> Plan {
    let mut plan = cell("compared".to_owned(), shape, format, sampling, read);
    let texture = &mut plan.textures[0];
    texture.levels = 1;
    texture.contents = Contents::Drawn;
    let layers = texture.size[2] as usize;
    let clear = |layer| {
        Step::Pass(Pass {
            depth: Some([0, layer]),
            ..Pass::default()
        })
    };
    plan.steps.splice(0..0, (0..layers).map(clear));
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = Vec::new();
    filtered(&mut cells);
    samplers(&mut cells);
    reads(&mut cells);
    cells
}
