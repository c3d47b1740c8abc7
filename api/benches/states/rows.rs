//! The rows of the table.

use girih::*;

/// One row of the table.
pub struct Row {
    pub name: &'static str,
    /// WGSL of the fragment entry point, and of what it reads.
    pub fragment: String,
    pub targets: Vec<ColorTargetState>,
    pub samples: u32,
    pub depth: Option<DepthStencilState>,
    pub texture: Option<Texture>,
    pub primitives: Primitives,
}

/// A texture at binding 0 and its sampler at binding 1.
#[derive(Clone, Copy)]
pub struct Texture {
    pub format: TextureFormat,
    pub dimension: TextureViewDimension,
    pub sampler: SamplerDescriptor<'static>,
}

#[derive(Clone, Copy)]
pub enum Primitives {
    /// A triangle over everything.
    Screen,
    /// A grid of right triangles, two to a square of so many pixels.
    Grid(u32),
    /// One draw for each square of so many pixels.
    Draws(u32),
    /// Points with an edge of so many pixels, side by side.
    Points(u32),
    /// Horizontal lines, one a pixel row.
    Lines,
}

const PLAIN: &str = "@fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.uv, 0.5, 0.5); }";
const TEXTURED: &str =
    "@fragment fn fs(v: V) -> @location(0) vec4f { return textureSample(t, s, v.uv); }";

fn row(name: &'static str) -> Row {
    Row {
        name,
        fragment: PLAIN.to_owned(),
        targets: vec![TextureFormat::Rgba8Unorm.into()],
        samples: 1,
        depth: None,
        texture: None,
        primitives: Primitives::Screen,
    }
}

fn target(name: &'static str, format: TextureFormat, blend: Option<BlendState>) -> Row {
    let state = ColorTargetState {
        format,
        blend,
        write_mask: ColorWrites::ALL,
    };
    Row {
        targets: vec![state],
        ..row(name)
    }
}

fn body(name: &'static str, text: &str) -> Row {
    let fragment = format!("@fragment fn fs(v: V) -> @location(0) vec4f {{ {text} }}");
    Row {
        fragment,
        ..row(name)
    }
}

fn textured(
    name: &'static str,
    format: TextureFormat,
    edit: impl Fn(&mut Texture, &mut Row),
) -> Row {
    let mut texture = Texture {
        format,
        dimension: TextureViewDimension::D2,
        sampler: SamplerDescriptor {
            mag_filter: FilterMode::Linear,
            min_filter: FilterMode::Linear,
            address_mode_u: AddressMode::Repeat,
            address_mode_v: AddressMode::Repeat,
            ..SamplerDescriptor::default()
        },
    };
    let mut row = Row {
        fragment: TEXTURED.to_owned(),
        ..row(name)
    };
    edit(&mut texture, &mut row);
    row.texture = Some(texture);
    row
}

fn depth(name: &'static str, compare: CompareFunction, stencil: bool, early: bool) -> Row {
    let face = StencilFaceState {
        compare: CompareFunction::Always,
        pass_op: StencilOperation::IncrementWrap,
        ..StencilFaceState::IGNORE
    };
    let mut row = row(name);
    row.depth = Some(DepthStencilState {
        format: match stencil {
            true => TextureFormat::Depth24PlusStencil8,
            false => TextureFormat::Depth32Float,
        },
        depth_write_enabled: Some(true),
        depth_compare: Some(compare),
        stencil: match stencil {
            true => StencilState {
                front: face,
                back: face,
                read_mask: 255,
                write_mask: 255,
            },
            false => StencilState::default(),
        },
        bias: DepthBiasState::default(),
    });
    if !early {
        row.fragment = "@fragment fn fs(v: V) -> @location(0) vec4f {
            if v.uv.x < -1.0 { discard; }
            return vec4f(v.uv, 0.5, 0.5);
        }"
        .to_owned();
    }
    row
}

pub fn rows() -> Vec<Row> {
    use TextureFormat as F;
    let over = Some(BlendState::ALPHA_BLENDING);
    let four: Vec<ColorTargetState> = vec![F::Rgba8Unorm.into(); 4];
    let astc = F::Astc {
        block: AstcBlock::B4x4,
        channel: AstcChannel::Unorm,
    };
    let cube = "@fragment fn fs(v: V) -> @location(0) vec4f {
        return textureSample(t, s, vec3f(v.uv - 0.3, 0.7));
    }";
    let deep = "@fragment fn fs(v: V) -> @location(0) vec4f { return textureSample(t, s, vec3f(v.uv, 0.3)); }";
    let layered =
        "@fragment fn fs(v: V) -> @location(0) vec4f { return textureSample(t, s, v.uv, 3); }";
    let fetched = "@fragment fn fs(v: V) -> @location(0) vec4f { return textureLoad(t, vec2i(v.at.xy) & vec2i(255), 0); }";
    let gathered =
        "@fragment fn fs(v: V) -> @location(0) vec4f { return textureGather(0, t, s, v.uv); }";
    let level = "@fragment fn fs(v: V) -> @location(0) vec4f { return textureSampleLevel(t, s, v.uv, 0.0); }";
    let scattered = "@fragment fn fs(v: V) -> @location(0) vec4f {
        return textureSampleLevel(t, s, fract(v.uv * vec2f(913.7, 517.3)), 0.0);
    }";
    let compared = "@fragment fn fs(v: V) -> @location(0) vec4f {
        return vec4f(textureSampleCompareLevel(t, s, v.uv, 0.5));
    }";
    let many = "struct O { @location(0) a: vec4f, @location(1) b: vec4f, @location(2) c: vec4f, @location(3) d: vec4f };
        @fragment fn fs(v: V) -> O { return O(v.uv.xyxy, v.uv.yxxy, v.uv.xxyy, vec4f(0.5)); }";
    vec![
        target("target rgba8", F::Rgba8Unorm, None),
        target("target rgba8, blended", F::Rgba8Unorm, over),
        target(
            "target rgba8, added",
            F::Rgba8Unorm,
            Some(BlendState {
                color: BlendComponent {
                    src_factor: BlendFactor::One,
                    dst_factor: BlendFactor::One,
                    operation: BlendOperation::Add,
                },
                alpha: BlendComponent::REPLACE,
            }),
        ),
        target("target rgba8 srgb", F::Rgba8UnormSrgb, None),
        target("target rgba8 srgb, blended", F::Rgba8UnormSrgb, over),
        target("target bgra8", F::Bgra8Unorm, None),
        target("target r8", F::R8Unorm, None),
        target("target rgb10a2, blended", F::Rgb10a2Unorm, over),
        target("target rg11b10, blended", F::Rg11b10Ufloat, over),
        target("target rgba16f", F::Rgba16Float, None),
        target("target rgba16f, blended", F::Rgba16Float, over),
        target("target r32f", F::R32Float, None),
        target("target rgba32f", F::Rgba32Float, None),
        Row {
            targets: four,
            fragment: many.to_owned(),
            ..row("four targets rgba8")
        },
        Row {
            samples: 4,
            ..row("4 samples")
        },
        Row {
            samples: 4,
            ..target("4 samples, blended", F::Rgba8Unorm, over)
        },
        depth("depth less", CompareFunction::Less, false, true),
        depth("depth always", CompareFunction::Always, false, true),
        depth(
            "depth always, discard",
            CompareFunction::Always,
            false,
            false,
        ),
        depth("depth and stencil", CompareFunction::Always, true, true),
        depth(
            "depth and stencil, discard",
            CompareFunction::Always,
            true,
            false,
        ),
        Row {
            fragment: "struct O { @location(0) c: vec4f, @builtin(frag_depth) d: f32 };
                @fragment fn fs(v: V) -> O { return O(v.uv.xyxy, v.uv.x); }"
                .to_owned(),
            ..depth(
                "depth from the shader",
                CompareFunction::Always,
                false,
                true,
            )
        },
        textured("texture nearest", F::Rgba8Unorm, |t, _| {
            (t.sampler.mag_filter, t.sampler.min_filter) =
                (FilterMode::Nearest, FilterMode::Nearest);
        }),
        textured("texture bilinear", F::Rgba8Unorm, |_, _| {}),
        textured("texture bilinear, clamped", F::Rgba8Unorm, |t, _| {
            (t.sampler.address_mode_u, t.sampler.address_mode_v) =
                (AddressMode::ClampToEdge, AddressMode::ClampToEdge);
        }),
        textured("texture bilinear, border", F::Rgba8Unorm, |t, _| {
            t.sampler.address_mode_u = AddressMode::ClampToBorder;
            t.sampler.border_color = Some(BorderColor::OpaqueBlack);
        }),
        textured("texture trilinear", F::Rgba8Unorm, |t, _| {
            t.sampler.mipmap_filter = MipmapFilterMode::Linear
        }),
        textured("texture level 0", F::Rgba8Unorm, |_, row| {
            row.fragment = level.to_owned()
        }),
        textured("texture scattered", F::Rgba8Unorm, |_, row| {
            row.fragment = scattered.to_owned()
        }),
        textured("texture fetched", F::Rgba8Unorm, |_, row| {
            row.fragment = fetched.to_owned()
        }),
        textured("texture gathered", F::Rgba8Unorm, |_, row| {
            row.fragment = gathered.to_owned()
        }),
        textured("texture r8", F::R8Unorm, |_, _| {}),
        textured("texture rg8", F::Rg8Unorm, |_, _| {}),
        textured("texture rgba8 srgb", F::Rgba8UnormSrgb, |_, _| {}),
        textured("texture rgba16f", F::Rgba16Float, |_, _| {}),
        textured("texture rgb10a2", F::Rgb10a2Unorm, |_, _| {}),
        textured("texture rgb9e5", F::Rgb9e5Ufloat, |_, _| {}),
        textured("texture bc1", F::Bc1RgbaUnorm, |_, _| {}),
        textured("texture bc3", F::Bc3RgbaUnorm, |_, _| {}),
        textured("texture bc7", F::Bc7RgbaUnorm, |_, _| {}),
        textured("texture etc2", F::Etc2Rgb8Unorm, |_, _| {}),
        textured("texture astc 4x4", astc, |_, _| {}),
        textured("texture cube", F::Rgba8Unorm, |t, row| {
            t.dimension = TextureViewDimension::Cube;
            row.fragment = cube.to_owned();
        }),
        textured("texture 3D", F::Rgba8Unorm, |t, row| {
            t.dimension = TextureViewDimension::D3;
            row.fragment = deep.to_owned();
        }),
        textured("texture array", F::Rgba8Unorm, |t, row| {
            t.dimension = TextureViewDimension::D2Array;
            row.fragment = layered.to_owned();
        }),
        textured("texture compared", F::Depth32Float, |t, row| {
            t.sampler.compare = Some(CompareFunction::Less);
            row.fragment = compared.to_owned();
        }),
        body("shader: constant", "return vec4f(0.5);"),
        body(
            "shader: exp, log, sin, pow",
            "return vec4f(exp2(v.uv.x), log2(v.uv.y), sin(v.uv.x), pow(v.uv.x, v.uv.y));",
        ),
        body(
            "shader: integers",
            "var n = bitcast<u32>(v.uv.x); for (var i = 0; i < 8; i++) { n = n * 1664525u + 1013904223u; n ^= n >> 13u; } return vec4f(f32(n & 255u) / 255.0);",
        ),
        body(
            "shader: integer division",
            "let n = u32(v.at.x) + 7u; return vec4f(f32(u32(v.at.y) / n + u32(v.at.y) % n));",
        ),
        body(
            "shader: divergent",
            "var s = 0.0; for (var i = 0; i < i32(v.at.x) % 16; i++) { s += v.uv.y * 0.1; } return vec4f(s);",
        ),
        body(
            "shader: half discarded",
            "if ((u32(v.at.x) + u32(v.at.y)) % 2u == 0u) { discard; } return v.uv.xyxy;",
        ),
        body(
            "shader: array",
            "var a = array(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8); return vec4f(a[u32(v.at.x) & 7u]);",
        ),
        body(
            "shader: derivatives",
            "return vec4f(fwidth(v.uv), dpdx(v.uv));",
        ),
        Row {
            primitives: Primitives::Grid(16),
            ..row("triangles of 16 pixels")
        },
        Row {
            primitives: Primitives::Grid(4),
            ..row("triangles of 4 pixels")
        },
        Row {
            primitives: Primitives::Grid(2),
            ..row("triangles of 2 pixels")
        },
        Row {
            primitives: Primitives::Draws(16),
            ..row("draws of 16 pixels")
        },
        Row {
            primitives: Primitives::Points(1),
            ..row("points of 1 pixel")
        },
        Row {
            primitives: Primitives::Points(4),
            ..row("points of 4 pixels")
        },
        Row {
            primitives: Primitives::Lines,
            ..row("lines")
        },
    ]
}
