//! Fragments as demos have them, samples read one by one, stores of fragments, meshes of instances and large vertex
//! programs.

use TextureViewDimension as D;
use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::*;

/// Body of `fs(v: V) -> vec4f`, with functions before it.
type Fragment = (&'static str, &'static str, &'static str);

const FRAGMENTS: [Fragment; 15] = [
    (
        "voronoi",
        "",
        "let p = v.uv * 12.0;
        var d = 9.0;
        for (var y = -1; y <= 1; y++) {
            for (var x = -1; x <= 1; x++) {
                let c = vec2i(floor(p)) + vec2i(x, y);
                let h = mixed(u32(c.x) * 1973u + u32(c.y) * 9277u);
                let o = vec2f(f32(h & 255u), f32(h >> 8u & 255u)) / 255.0;
                d = min(d, length(vec2f(c) + o - p));
            }
        }
        return vec4f(d);",
    ),
    (
        "value noise",
        "fn at(p: vec2i) -> f32 { return f32(mixed(u32(p.x) + u32(p.y) * 57u) & 65535u) / 65535.0; }
        fn noise(p: vec2f) -> f32 {
            let i = vec2i(floor(p));
            let f = smoothstep(vec2f(), vec2f(1.0), fract(p));
            return mix(mix(at(i), at(i + vec2i(1, 0)), f.x), mix(at(i + vec2i(0, 1)), at(i + vec2i(1, 1)), f.x), f.y);
        }",
        "var s = 0.0;
        var a = 0.5;
        var p = v.uv * 6.0;
        for (var i = 0; i < 5; i++) { s += a * noise(p); a *= 0.5; p *= 2.03; }
        return vec4f(s);",
    ),
    (
        "marched field",
        "fn field(p: vec3f) -> f32 {
            let q = abs(fract(p) - 0.5) - 0.2;
            return length(max(q, vec3f())) + min(max(q.x, max(q.y, q.z)), 0.0) - 0.02;
        }",
        "let d = normalize(vec3f(v.uv - 0.75, 1.0));
        var t = 0.0;
        for (var i = 0; i < 48; i++) {
            let h = field(vec3f(0.5, 0.1, 0.0) + d * t);
            if h < 0.002 || t > 9.0 { break; }
            t += h;
        }
        return vec4f(t * 0.1);",
    ),
    (
        "julia",
        "",
        "var z = v.uv * 2.0 - 1.5;
        var n = 0.0;
        for (var i = 0; i < 40; i++) {
            z = vec2f(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + vec2f(-0.8, 0.156);
            if dot(z, z) > 16.0 { break; }
            n += 1.0;
        }
        return vec4f(n / 40.0);",
    ),
    (
        "hues",
        "fn rgb(h: f32, s: f32, l: f32) -> vec3f {
            let k = (vec3f(0.0, 8.0, 4.0) + h * 12.0) % 12.0;
            return l - s * min(l, 1.0 - l) * max(min(min(k - 3.0, 9.0 - k), vec3f(1.0)), vec3f(-1.0));
        }",
        "return vec4f(rgb(v.uv.x * 0.6, 0.8, v.uv.y * 0.6), 1.0);",
    ),
    (
        "quaternions",
        "fn turned(q: vec4f, p: vec3f) -> vec3f { return p + 2.0 * cross(q.xyz, cross(q.xyz, p) + q.w * p); }",
        "var p = vec3f(v.uv, 0.5);
        for (var i = 0; i < 6; i++) { p = turned(normalize(vec4f(p.zx, v.uv)), p); }
        return vec4f(abs(p), 1.0);",
    ),
    (
        "random walk",
        "",
        "var n = mixed(u32(v.at.x) + u32(v.at.y) * 512u);
        var p = vec2f();
        for (var i = 0; i < 16; i++) {
            n = n * 747796405u + 2891336453u;
            let w = ((n >> ((n >> 28u) + 4u)) ^ n) * 277803737u;
            p += vec2f(f32(w >> 22u), f32(w >> 12u & 1023u)) / 1023.0 - 0.5;
        }
        return vec4f(abs(p) * 0.3, 0.5, 1.0);",
    ),
    (
        "harmonics",
        "const C = array<vec3f, 9>(vec3f(0.8, 0.4, 0.5), vec3f(0.4, 0.3, 0.5), vec3f(0.3, -0.2, -0.2), vec3f(-0.3, -0.2, -0.1),
            vec3f(-0.1, -0.1, -0.1), vec3f(0.5, -0.2, -0.1), vec3f(-0.1, 0.0, 0.0), vec3f(-0.2, -0.1, -0.2), vec3f(0.2, 0.1, -0.1));",
        "let n = normalize(vec3f(v.uv - 0.7, 0.6));
        return vec4f(C[0] + C[1] * n.y + C[2] * n.z + C[3] * n.x + C[4] * n.x * n.y + C[5] * n.y * n.z
            + C[6] * (3.0 * n.z * n.z - 1.0) + C[7] * n.x * n.z + C[8] * (n.x * n.x - n.y * n.y), 1.0);",
    ),
    (
        "sorted eight",
        "",
        "var a: array<f32, 8>;
        for (var i = 0; i < 8; i++) { a[i] = fract(v.uv.x * f32(i * i + 3) + v.uv.y * 7.0); }
        for (var i = 0; i < 7; i++) {
            for (var j = 0; j < 7 - i; j++) {
                let x = a[j];
                let y = a[j + 1];
                a[j] = min(x, y);
                a[j + 1] = max(x, y);
            }
        }
        return vec4f(a[3], a[4], a[0], a[7]);",
    ),
    (
        "stack",
        "",
        "var s: array<u32, 12>;
        var top = 1;
        s[0] = u32(v.at.x) & 15u;
        var sum = 0u;
        for (var i = 0; i < 24 && top > 0; i++) {
            top--;
            let n = s[top];
            sum += n;
            if n > 1u && top < 10 { s[top] = n / 2u; s[top + 1] = n / 3u; top += 2; }
        }
        return vec4f(f32(sum) / 64.0);",
    ),
    (
        "checked by steps",
        "",
        "let w = fwidth(v.uv) * 20.0;
        let i = 2.0 * (abs(fract((v.uv * 20.0 - 0.5 * w) / 2.0) - 0.5) - abs(fract((v.uv * 20.0 + 0.5 * w) / 2.0) - 0.5)) / w;
        return vec4f(0.5 - 0.5 * i.x * i.y);",
    ),
    (
        "reflected light",
        "fn ggx(h: f32, a: f32) -> f32 { let d = h * h * (a * a - 1.0) + 1.0; return a * a / (3.14159 * d * d); }
        fn smith(c: f32, k: f32) -> f32 { return c / (c * (1.0 - k) + k); }",
        "let n = normalize(vec3f(v.uv - 0.7, 0.8));
        let e = normalize(vec3f(0.1, 0.2, 1.0));
        var c = vec3f();
        for (var i = 0; i < 4; i++) {
            let l = normalize(vec3f(f32(i) - 1.5, 1.0, 1.0));
            let h = normalize(l + e);
            let nl = max(dot(n, l), 0.0);
            let nv = max(dot(n, e), 0.001);
            let f = 0.04 + 0.96 * pow(1.0 - max(dot(h, e), 0.0), 5.0);
            c += (0.3 * (1.0 - f) + ggx(max(dot(n, h), 0.0), 0.3) * smith(nl, 0.2) * smith(nv, 0.2) * f) * nl;
        }
        return vec4f(pow(c, vec3f(0.4545)), 1.0);",
    ),
    (
        "wood",
        "",
        "let r = length(v.uv * 9.0 + 0.2 * sin(v.uv.yx * 21.0));
        let g = smoothstep(0.2, 0.9, abs(sin(r * 6.0))) + 0.1 * cos(v.uv.y * 200.0);
        return vec4f(mix(vec3f(0.4, 0.2, 0.1), vec3f(0.7, 0.5, 0.3), g), 1.0);",
    ),
    (
        "bytes of words",
        "",
        "let n = mixed(u32(v.at.x) ^ u32(v.at.y) << 9u);
        let c = unpack4x8unorm(n);
        return unpack4x8unorm(pack4x8unorm(c * c)) + vec4f(unpack2x16float(pack2x16float(c.xy)), 0.0, 0.0) * 0.1;",
    ),
    (
        "digits",
        "",
        "let p = vec2i(v.at.xy) & vec2i(7);
        let bits = array<u32, 4>(0x3c66e63cu, 0x18381818u, 0x3c660c7eu, 0x3c1c663cu);
        let d = bits[(u32(v.at.x) / 8u) % 4u];
        return vec4f(f32(d >> (u32(p.x) + u32(p.y) * 4u) % 32u & 1u));",
    ),
];

fn fragments(cells: &mut Vec<Plan>) {
    for (label, functions, body) in FRAGMENTS {
        let declared = format!("{MIXED}{functions}");
        let label = format!("fragment/{label}");
        cells.push(reading(label, (&declared, body), Vec::new(), &[], 4));
    }
}

/// Several textures, and shapes with the filters that they lack elsewhere.
fn textures(cells: &mut Vec<Plan>) {
    let trilinear = Sampling::TRILINEAR;
    let steep = Sampling {
        anisotropy: 8,
        ..trilinear
    };
    let rgba = || Read::square(F::Rgba8Unorm, 256);
    let sum: Vec<String> = (0..12)
        .map(|n| format!("textureSample(t{n}, s0, v.uv * {:?})", 1.0 + n as f32 * 0.1))
        .collect();
    let sum = format!("return ({}) / 12.0;", sum.join(" + "));
    let stack = Read::bytes(D::D2Array, [64, 64, 16], 7, "texture_2d_array<f32>");
    let cube = Read::bytes(D::Cube, [128, 128, 6], 8, "texture_cube<f32>");
    let halves = || Read::square(F::Rgba16Float, 256);
    for (label, body, reads, sampler) in [
        (
            "twelve textures",
            sum.as_str(),
            (0..12).map(|_| rgba()).collect(),
            trilinear,
        ),
        (
            "array/anisotropic 8",
            "return textureSample(t0, s0, v.uv * vec2f(9.0, 1.0), i32(v.uv.x * 9.0));",
            vec![stack],
            steep,
        ),
        (
            "cube/anisotropic 8",
            "return textureSample(t0, s0, vec3f(v.uv * vec2f(3.0, 0.3) - 0.7, 0.6));",
            vec![cube],
            steep,
        ),
        (
            "rgba8unorm/four gathers",
            "return (textureGather(0, t0, s0, v.uv) + textureGather(1, t0, s0, v.uv)
                + textureGather(2, t0, s0, v.uv) + textureGather(3, t0, s0, v.uv)) * 0.25;",
            vec![rgba()],
            trilinear,
        ),
        (
            "rgba8unorm/gathered at offsets",
            "return textureGather(0, t0, s0, v.uv, vec2i(1, 2)) * 0.5 + textureGather(1, t0, s0, v.uv, vec2i(-2, 1)) * 0.5;",
            vec![rgba()],
            trilinear,
        ),
        (
            "rgba16float/nine samples",
            "var c = vec4f();
            for (var i = -4; i <= 4; i++) { c += textureSampleLevel(t0, s0, v.uv + vec2f(f32(i) / 256.0, 0.0), 0.0); }
            return c / 9.0;",
            vec![halves()],
            trilinear,
        ),
        (
            "rgba8unorm/levels counted",
            "let n = f32(textureNumLevels(t0));
            return textureSampleLevel(t0, s0, v.uv, fract(v.uv.x) * n);",
            vec![rgba()],
            trilinear,
        ),
        (
            "rgba8unorm/loads of a row",
            "var c = vec4f();
            for (var i = 0; i < 8; i++) { c += textureLoad(t0, (vec2i(v.at.xy) + vec2i(i, 0)) & vec2i(255), 0); }
            return c / 8.0;",
            vec![rgba()],
            trilinear,
        ),
        (
            "rgba8unorm/refined twice",
            "let a = textureSampleLevel(t0, s0, v.uv, 0.0).xy;
            let b = textureSampleLevel(t0, s0, v.uv + a * 0.02, 0.0).xy;
            return textureSampleLevel(t0, s0, v.uv + b * 0.02, 0.0);",
            vec![rgba()],
            trilinear,
        ),
    ] {
        let label = format!("texture/other/{label}");
        cells.push(reading(label, ("", body), reads, &[sampler], 4));
    }
}

/// Samples of a target, read one by one.
fn samples(cells: &mut Vec<Plan>) {
    for format in [F::Rgba8Unorm, F::Rgba16Float] {
        let texture = Texture {
            samples: 4,
            contents: Contents::Drawn,
            ..noise_texture(format, D::D2, [SIZE, SIZE, 1], 1)
        };
        let kind = TextureSampleType::Float { filterable: false };
        let read = Read(texture, kind, "texture_multisampled_2d<f32>");
        let body = "var c = vec4f();
            for (var i = 0; i < 4; i++) { c += textureLoad(t0, vec2i(v.at.xy), i); }
            return c * 0.25;";
        let label = format!("texture/other/{}/samples", name(format));
        let mut plan = reading(label, ("", body), vec![read], &[], 1);
        let drawn = plan.pipeline(Pipeline {
            samples: 4,
            ..Pipeline::new(
                format!("{SCREEN}@fragment fn fs(v: V) -> @location(0) vec4f {{ return vec4f(v.uv, 0.5, 1.0); }}"),
                &[format],
            )
        });
        let pass = Step::Pass(Pass {
            colors: vec![Target::cleared(0)],
            depth: None,
            draws: vec![Draw::new(drawn, 0..3)],
            counted: false,
        });
        plan.steps.insert(0, pass);
        cells.push(plan);
    }
}

/// Fragments that store.
fn stores(cells: &mut Vec<Plan>) {
    for (label, element, statement) in [
        (
            "stores",
            "u32",
            "b[u32(v.at.x) + u32(v.at.y) * 512u] = u32(v.uv.x * 255.0);",
        ),
        ("counter", "atomic<u32>", "atomicAdd(&b[0], 1u);"),
        (
            "histogram",
            "atomic<u32>",
            "atomicAdd(&b[u32(fract(v.uv.x * 7.0) * 255.0)], 1u);",
        ),
    ] {
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> b: array<{element}>;
            @fragment fn fs(v: V) -> @location(0) vec4f {{ {statement} return vec4f(v.uv, 0.5, 1.0); }}"
        );
        let mut screen = Screen::new(format!("fragment/{label}"), &text, 1);
        let bytes = vec![0; 4 * (SIZE * SIZE) as usize];
        let buffer = screen.plan.buffer(BufferUsages::STORAGE, bytes);
        screen.plan.set(vec![Resource::Written(buffer)]);
        cells.push(screen.plan());
    }
}

const MESHES: [(&str, u32, u32, &str); 5] = [
    (
        "cubes",
        36,
        2000,
        "let h = mixed(i);
        let f = n / 6u;
        let k = n % 6u;
        let a = vec2f(f32(0x32u >> k & 1u), f32(0x2cu >> k & 1u)) - 0.5;
        let s = select(-0.5, 0.5, (f & 1u) == 1u);
        var p = vec3f(a, s);
        if f / 2u == 1u { p = p.zxy; }
        if f / 2u == 2u { p = p.yzx; }
        let c = cos(f32(i));
        let d = sin(f32(i));
        p = vec3f(p.x * c - p.z * d, p.y, p.x * d + p.z * c) * 0.06;
        let o = vec3f(f32(h & 255u) / 127.5 - 1.0, f32(h >> 8u & 255u) / 127.5 - 1.0, f32(h >> 16u & 255u) / 300.0 + 0.1);
        at = vec4f(o.xy + p.xy, o.z + p.z * 0.5, 1.0);",
    ),
    (
        "grass",
        9,
        20000,
        "let h = mixed(i);
        let o = vec2f(f32(h & 1023u), f32(h >> 10u & 1023u)) / 511.5 - 1.0;
        let k = n / 3u + (n % 3u) / 2u;
        let y = f32(k) * 0.03;
        at = vec4f(o.x + f32(n % 2u) * 0.006 + y * y * sin(f32(i)) * 3.0, o.y + y, 0.5 + o.y * 0.4, 1.0);",
    ),
    (
        "sprites in space",
        6,
        20000,
        "let h = mixed(i);
        let k = vec2f(f32(0x32u >> n & 1u), f32(0x2cu >> n & 1u)) - 0.5;
        let z = f32(h >> 20u & 255u) / 255.0;
        at = vec4f((vec2f(f32(h & 1023u), f32(h >> 10u & 1023u)) / 511.5 - 1.0) + k * 0.03 * (1.2 - z), z, 1.0);",
    ),
    (
        "terrain",
        6,
        40000,
        "let c = vec2f(f32(i % 200u), f32(i / 200u)) + vec2f(f32(0x32u >> n & 1u), f32(0x2cu >> n & 1u));
        let p = c / 100.0 - 1.0;
        let h = 0.1 * sin(p.x * 9.0) * cos(p.y * 7.0) + 0.03 * sin(p.x * 31.0 + p.y * 23.0);
        let w = 1.6 + p.y;
        at = vec4f(p.x * 2.0, h - 0.7 + 0.9 * p.y, 0.5 * w, w);",
    ),
    (
        "rays from vertices",
        6,
        10000,
        "var z = vec2f(f32(i % 100u), f32(i / 100u)) / 50.0 - 1.0;
        let o = z + vec2f(f32(0x32u >> n & 1u), f32(0x2cu >> n & 1u)) * 0.018;
        for (var j = 0; j < 32; j++) { z = vec2f(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) * 0.6 + o * 0.4; }
        at = vec4f(o, clamp(abs(z.x), 0.0, 1.0), 1.0);",
    ),
];

/// Instances with depth, whose vertices are computed.
fn meshes(cells: &mut Vec<Plan>) {
    for (label, vertices, instances, place) in MESHES {
        let text = format!(
            "{MIXED}
            struct V {{ @builtin(position) at: vec4f, @location(0) c: vec3f }};
            @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
                var at = vec4f();
                {place}
                return V(at, vec3f(fract(at.xy * 3.0), 0.5));
            }}
            @fragment fn fs(v: V) -> @location(0) vec4f {{ return vec4f(v.c * v.c, 1.0); }}"
        );
        for samples in [1, 4] {
            let pipeline = Pipeline {
                samples,
                depth: Some(depth_state(F::Depth32Float, CompareFunction::Less, true)),
                ..Pipeline::new(&text, &[F::Rgba8Unorm])
            };
            let draw = Draw {
                instances: 0..instances,
                ..Draw::new(0, 0..vertices)
            };
            let label = format!("mesh/{label}/{samples} samples");
            cells.push(covering(label, pipeline, draw, [0.1, 0.2, 0.3, 1.0]));
        }
    }
}

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = Vec::new();
    fragments(&mut cells);
    textures(&mut cells);
    samples(&mut cells);
    stores(&mut cells);
    meshes(&mut cells);
    cells
}
