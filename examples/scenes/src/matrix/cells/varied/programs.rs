//! Fragment shaders as demos have them.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::*;

const DECLARED: &str = "
fn random(state: ptr<function, u32>) -> f32 {
    *state = mixed(*state);
    return f32(*state >> 8u) / 16777216.0;
}
const POISSON = array<vec2f, 16>(
    vec2f(-0.94, -0.4), vec2f(0.94, -0.77), vec2f(-0.09, -0.93), vec2f(0.34, 0.29),
    vec2f(-0.92, 0.46), vec2f(-0.81, -0.88), vec2f(-0.38, 0.28), vec2f(0.97, 0.44),
    vec2f(0.44, -0.97), vec2f(0.54, -0.47), vec2f(-0.26, -0.42), vec2f(0.79, 0.19),
    vec2f(-0.24, 1.0), vec2f(-0.81, 0.91), vec2f(0.2, 0.79), vec2f(0.14, -0.14),
);
";

/// Name, what is read, how, layers over each other, and the body.
type Program<'a> = (&'a str, Vec<Read>, &'a [Sampling], u32, &'a str);

fn screens() -> Vec<Plan> {
    let square = Read::square;
    let linear = Sampling::LINEAR.clamped();
    let nearest = Sampling::NEAREST.clamped();
    let trilinear = Sampling::TRILINEAR;
    let flat = TextureViewDimension::D2;
    let life = Read(
        noise_texture(F::R8Uint, flat, [512, 512, 1], 1),
        TextureSampleType::Uint,
        "texture_2d<u32>",
    );
    let voxels = Read(
        noise_texture(F::R8Unorm, TextureViewDimension::D3, [32, 32, 32], 1),
        FILTERED,
        "texture_3d<f32>",
    );
    let tones = Read::bytes(flat, [64, 1, 1], 1, "texture_2d<f32>");
    let all: [Program; 15] = [
        (
            "occlusion",
            vec![square(F::R32Float, 256), square(F::Rgba8Unorm, 16)],
            &[linear, Sampling::NEAREST],
            1,
            "let d = textureSampleLevel(t0, s0, v.uv, 0.0).r;
            let r = textureSampleLevel(t1, s1, v.at.xy / 16.0, 0.0).xy * 8.0 - 1.0;
            var o = 0.0;
            for (var i = 0; i < 16; i++) {
                let p = reflect(POISSON[i], r) * 0.02;
                let e = textureSampleLevel(t0, s0, v.uv + p, 0.0).r;
                o += select(0.0, 1.0, e < d) * smoothstep(0.0, 1.0, 0.1 / abs(e - d));
            }
            return vec4f(1.0 - o / 16.0);",
        ),
        (
            "paths",
            Vec::new(),
            &[],
            1,
            "var seed = u32(v.at.x) + u32(v.at.y) * 512u;
            var o = vec3f(v.uv - 0.5, -2.0);
            var d = normalize(vec3f(v.uv - 0.7, 1.0));
            var c = vec3f(1.0);
            for (var b = 0; b < 4; b++) {
                var t = 1e9;
                var n = vec3f();
                var k = 0;
                for (var i = 0; i < 6; i++) {
                    let q = vec3f(f32(i) * 0.4 - 1.0, sin(f32(i)) * 0.5, 1.0) - o;
                    let bb = dot(q, d);
                    let h = bb * bb - dot(q, q) + 0.09;
                    if h > 0.0 {
                        let e = bb - sqrt(h);
                        if e > 0.001 && e < t {
                            t = e;
                            n = normalize(d * e - q);
                            k = i;
                        }
                    }
                }
                if t > 1e8 {
                    c *= vec3f(0.6, 0.7, 0.9) * (0.5 + 0.5 * d.y);
                    break;
                }
                o += d * t;
                c *= vec3f(0.3 + 0.1 * f32(k), 0.6, 0.5);
                let r = normalize(vec3f(random(&seed), random(&seed), random(&seed)) * 2.0 - 1.0);
                d = normalize(n + r);
            }
            return vec4f(c, 1.0);",
        ),
        (
            "life",
            vec![life],
            &[],
            1,
            "var n = 0u;
            let p = vec2i(v.at.xy);
            for (var y = -1; y <= 1; y++) {
                for (var x = -1; x <= 1; x++) {
                    n += textureLoad(t0, (p + vec2i(x, y)) & vec2i(511), 0).r & 1u;
                }
            }
            return vec4f(select(0.0, 1.0, n == 3u || n == 4u));",
        ),
        (
            "advection",
            vec![square(F::Rg16Float, 256), square(F::Rgba16Float, 256)],
            &[linear],
            1,
            "let s = textureSampleLevel(t0, s0, v.uv, 0.0).xy;
            let p = v.uv - s * 0.01;
            let c = textureSampleLevel(t1, s0, p, 0.0);
            let dx = textureSampleLevel(t1, s0, p + vec2f(0.004, 0.0), 0.0) - textureSampleLevel(t1, s0, p - vec2f(0.004, 0.0), 0.0);
            return c * 0.99 + dx * 0.1;",
        ),
        (
            "soft shadows",
            vec![square(F::R32Float, 256)],
            &[nearest],
            1,
            "var sum = 0.0;
            var seed = u32(v.at.x) * 7u + u32(v.at.y) * 131u;
            let a = random(&seed) * 6.28;
            let m = mat2x2f(cos(a), sin(a), -sin(a), cos(a));
            for (var i = 0; i < 16; i++) {
                let p = v.uv + m * POISSON[i] * 0.01;
                sum += select(0.0, 1.0, textureSampleLevel(t0, s0, p, 0.0).r < 0.1);
            }
            return vec4f(sum / 16.0);",
        ),
        (
            "antialiasing",
            vec![square(F::Rgba8Unorm, 512)],
            &[linear],
            1,
            "let weights = vec3f(0.3, 0.6, 0.1);
            let here = textureSampleLevel(t0, s0, v.uv, 0.0);
            let m = dot(here.rgb, weights);
            let a = dot(textureSampleLevel(t0, s0, v.uv, 0.0, vec2i(-1, -1)).rgb, weights);
            let b = dot(textureSampleLevel(t0, s0, v.uv, 0.0, vec2i(1, -1)).rgb, weights);
            let c = dot(textureSampleLevel(t0, s0, v.uv, 0.0, vec2i(-1, 1)).rgb, weights);
            let d = dot(textureSampleLevel(t0, s0, v.uv, 0.0, vec2i(1, 1)).rgb, weights);
            let low = min(m, min(min(a, b), min(c, d)));
            let high = max(m, max(max(a, b), max(c, d)));
            if high - low < 0.03 { return here; }
            var way = vec2f(-(a + b - c - d), a + c - b - d);
            way = clamp(way / (min(abs(way.x), abs(way.y)) + 0.01), vec2f(-8.0), vec2f(8.0)) / 512.0;
            let near = textureSampleLevel(t0, s0, v.uv - way * 0.17, 0.0)
                + textureSampleLevel(t0, s0, v.uv + way * 0.17, 0.0);
            let far = textureSampleLevel(t0, s0, v.uv - way * 0.5, 0.0)
                + textureSampleLevel(t0, s0, v.uv + way * 0.5, 0.0);
            let wide = near * 0.25 + far * 0.25;
            let light = dot(wide.rgb, weights);
            return select(wide, near * 0.5, light < low || light > high);",
        ),
        (
            "glyphs of distances",
            vec![square(F::R8Unorm, 256)],
            &[linear],
            4,
            "let d = textureSample(t0, s0, v.uv).r;
            let w = fwidth(d) * 0.7;
            return vec4f(vec3f(0.9), smoothstep(0.12 - w, 0.12 + w, d));",
        ),
        (
            "normal map",
            vec![square(F::Rgba8UnormSrgb, 256), square(F::Rgba8Unorm, 256)],
            &[trilinear],
            4,
            "let n = normalize(textureSample(t1, s0, v.uv).xyz * 8.0 - 1.0);
            let l = normalize(vec3f(0.5, 0.4, 1.0) - vec3f(v.uv, 0.0));
            let h = normalize(l + vec3f(0.0, 0.0, 1.0));
            let a = textureSample(t0, s0, v.uv).rgb;
            return vec4f(a * max(dot(n, l), 0.0) + pow(max(dot(n, h), 0.0), 32.0), 1.0);",
        ),
        (
            "kaleidoscope",
            vec![square(F::Rgba8Unorm, 256)],
            &[trilinear],
            4,
            "let p = v.uv - 0.7;
            let r = length(p);
            var a = atan2(p.y, p.x) * 3.0;
            a = abs(fract(a / 6.28) - 0.5) * 2.0;
            return textureSample(t0, s0, vec2f(cos(a), sin(a)) * r + vec2f(0.3, 0.7));",
        ),
        (
            "waves",
            Vec::new(),
            &[],
            4,
            "var n = vec2f();
            var h = 0.0;
            for (var i = 0; i < 8; i++) {
                let k = vec2f(cos(f32(i) * 1.7), sin(f32(i) * 1.7)) * (3.0 + f32(i));
                let a = dot(v.uv, k) * 4.0 + f32(i);
                h += sin(a) * 0.1;
                n += k * cos(a) * 0.1;
            }
            let q = normalize(vec3f(-n, 1.0));
            return vec4f(q * 0.5 + 0.5, h);",
        ),
        (
            "dithered",
            vec![square(F::Rgba8Unorm, 256)],
            &[trilinear],
            4,
            "let b = array<u32, 16>(0u, 8u, 2u, 10u, 12u, 4u, 14u, 6u, 3u, 11u, 1u, 9u, 15u, 7u, 13u, 5u);
            let t = f32(b[(u32(v.at.x) & 3u) + (u32(v.at.y) & 3u) * 4u]) / 16.0;
            let c = textureSample(t0, s0, v.uv);
            if c.r * 4.0 < t {
                discard;
            }
            return c * 4.0;",
        ),
        (
            "voxels",
            vec![voxels],
            &[],
            1,
            "let d = normalize(vec3f(v.uv - 0.7, 1.0));
            var p = vec3f(16.0, 16.0, 0.5);
            var c = vec3i(p);
            let s = vec3i(sign(d));
            let inv = 1.0 / abs(d);
            var t = (vec3f(c) + max(vec3f(s), vec3f(0.0)) - p) / d;
            var n = 0;
            for (var i = 0; i < 40; i++) {
                if textureLoad(t0, c & vec3i(31), 0).r > 0.24 {
                    break;
                }
                if t.x < t.y && t.x < t.z {
                    c.x += s.x;
                    t.x += inv.x;
                } else if t.y < t.z {
                    c.y += s.y;
                    t.y += inv.y;
                } else {
                    c.z += s.z;
                    t.z += inv.z;
                }
                n++;
            }
            return vec4f(f32(n) / 40.0);",
        ),
        (
            "tone curve",
            vec![square(F::Rgba16Float, 512), square(F::Rgba16Float, 128)],
            &[linear],
            4,
            "let c = textureSample(t0, s0, v.uv).rgb + textureSample(t1, s0, v.uv).rgb * 0.1;
            let a = c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14);
            return vec4f(pow(clamp(a, vec3f(0.0), vec3f(1.0)), vec3f(1.0 / 2.2)), 1.0);",
        ),
        (
            "blur of 13",
            vec![square(F::Rgba16Float, 256)],
            &[linear],
            1,
            "var c = vec4f();
            for (var i = -6; i <= 6; i++) {
                c += textureSampleLevel(t0, s0, v.uv + vec2f(f32(i) / 256.0, 0.0), 0.0) * exp(-f32(i * i) / 18.0);
            }
            return c / 7.5;",
        ),
        (
            "cel shading",
            vec![tones],
            &[nearest],
            4,
            "let n = normalize(vec3f(v.uv * 2.0 - 1.4, 0.8));
            let l = max(dot(n, normalize(vec3f(0.4, 0.7, 0.5))), 0.0);
            let c = textureSample(t0, s0, vec2f(l, 0.5));
            return select(c, vec4f(0.0, 0.0, 0.0, 1.0), n.z < 0.35);",
        ),
    ];
    let declared = format!("{MIXED}{DECLARED}");
    let plan = |(label, reads, samplers, layers, body): Program| {
        let label = format!("program/{label}");
        reading(label, (&declared, body), reads, samplers, layers)
    };
    all.into_iter().map(plan).collect()
}

/// Lights that each pixel goes through.
fn lights() -> Plan {
    let text = "
        struct Light { at: vec4f, color: vec4f };
        @group(0) @binding(0) var<storage, read> lights: array<Light>;
        @fragment fn fs(v: V) -> @location(0) vec4f {
            var c = vec3f();
            for (var i = 0u; i < arrayLength(&lights); i++) {
                let l = lights[i].at.xyz - vec3f(v.uv, 0.0);
                let d = dot(l, l);
                if d < lights[i].at.w {
                    c += lights[i].color.rgb * max(l.z, 0.0) / (d + 0.1);
                }
            }
            return vec4f(c * 0.1, 1.0);
        }";
    let mut screen = Screen::new("program/lights in storage", text, 1);
    let lights = screen
        .plan
        .buffer(BufferUsages::STORAGE, fractions(1, 64 * 8));
    screen.plan.set(vec![Resource::Storage(lights)]);
    screen.plan()
}

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = screens();
    cells.push(lights());
    cells
}
