//! Functions of WGSL and control flow that other cells do not have.

use wgpu_types::BufferUsages;

use super::*;

const FUNCTIONS: &str = "
fn hash(p: vec2f) -> f32 { return fract(sin(dot(p, vec2f(12.9898, 78.233))) * 43758.5453); }
fn value(p: vec2f) -> f32 {
    let i = floor(p);
    let f = fract(p);
    let u = f * f * (3.0 - 2.0 * f);
    let low = mix(hash(i), hash(i + vec2f(1.0, 0.0)), u.x);
    return mix(low, mix(hash(i + vec2f(0.0, 1.0)), hash(i + vec2f(1.0, 1.0)), u.x), u.y);
}
";

/// Bodies of functions that return a colour.
const BODIES: [(&str, &str); 23] = [
    (
        "fractal",
        "let c = v.uv * 2.0 - vec2f(1.5, 1.0);
        var z = vec2f();
        var n = 0;
        while n < 64 && dot(z, z) < 4.0 {
            z = vec2f(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
            n++;
        }
        return vec4f(f32(n) / 64.0);",
    ),
    (
        "noise of five octaves",
        "var s = 0.0;
        var a = 0.5;
        var p = v.uv * 8.0;
        for (var i = 0; i < 5; i++) {
            s += a * value(p);
            p = p * 2.03 + 1.7;
            a *= 0.5;
        }
        return vec4f(s);",
    ),
    (
        "spheres",
        "let d = normalize(vec3f(v.uv - 0.8, 1.0));
        var t = 0.0;
        for (var i = 0; i < 32; i++) {
            let p = d * t;
            let e = length(fract(p + 0.5) - 0.5) - 0.2;
            if e < 0.001 {
                break;
            }
            t += e;
        }
        return vec4f(t * 0.1);",
    ),
    (
        "switch",
        "var c = v.uv.xyxy;
        switch u32(v.at.x) / 16u % 5u {
            case 0u: {
                c = sqrt(c);
            }
            case 1u: {
                c = c * c;
            }
            case 2u: {
                c = sin(c);
            }
            case 3u: {
                c = c.yxwz + 0.1;
            }
            default: {
                c = exp2(c) * 0.3;
            }
        }
        return c;",
    ),
    (
        "written array",
        "var a: array<f32, 16>;
        for (var i = 0u; i < 16u; i++) {
            a[(i * 5u + u32(v.at.x)) & 15u] = v.uv.x * f32(i);
        }
        var s = 0.0;
        for (var i = 0u; i < 16u; i++) {
            s += a[i] * f32(i & 3u);
        }
        return vec4f(s * 0.01);",
    ),
    (
        "bits",
        "var n = bitcast<u32>(v.uv.x * v.uv.y);
        n = reverseBits(n) ^ countOneBits(n) ^ firstLeadingBit(n) ^ firstTrailingBit(n) ^ extractBits(n, 3u, 9u);
        n = insertBits(n, 5u, 2u, 7u);
        return unpack4x8unorm(n);",
    ),
    (
        "packing",
        "let a = pack2x16float(v.uv);
        let b = pack4x8unorm(v.uv.xyxy);
        let c = pack2x16snorm(v.uv);
        return unpack2x16float(a).xyxy + unpack4x8unorm(b) + unpack2x16snorm(c).xyxy;",
    ),
    (
        "angles",
        "return vec4f(atan2(v.uv.x, v.uv.y), acos(v.uv.x * 0.6), asin(v.uv.y * 0.6), tan(v.uv.x)) * 0.4;",
    ),
    (
        "hyperbolic",
        "return vec4f(sinh(v.uv.x), cosh(v.uv.y), tanh(v.uv.x), exp(v.uv.y)) * 0.3;",
    ),
    (
        "rounding",
        "let s = v.uv.xyxy * 7.0;
        return (round(s) + floor(s) + ceil(s) + trunc(s) + sign(s) + fract(s)) * 0.02;",
    ),
    (
        "modulo",
        "let s = v.uv.xyxy * 7.0; return s % vec4f(0.7, 0.9, 1.1, 1.3);",
    ),
    (
        "smooth steps",
        "return smoothstep(vec4f(0.1), vec4f(0.7), v.uv.xyxy) * mix(v.uv.xxyy, v.uv.yyxx, step(vec4f(0.4), v.uv.yxyx));",
    ),
    (
        "parts of floats",
        "let m = modf(v.uv * 9.0);
        let f = frexp(v.uv.x);
        return vec4f(m.fract, ldexp(f.fract, f.exp), f32(f.exp) * 0.1);",
    ),
    (
        "integer hash",
        "var n = u32(v.at.x) + u32(v.at.y) * 512u;
        for (var i = 0; i < 8; i++) {
            n = mixed(n + u32(i));
        }
        return unpack4x8unorm(n);",
    ),
    (
        "signed quotients",
        "let n = vec2i(v.at.xy) - 200;
        let d = vec2i(7, 13) + (n.yx & vec2i(15));
        return vec4f(vec4i(n / d, n % d)) / 64.0;",
    ),
    (
        "inverse matrix",
        "let m = mat3x3f(v.uv.x, 1.0, 0.2, v.uv.y, 0.3, 1.0, 0.5, v.uv.x, 2.0);
        let d = determinant(m);
        let t = transpose(m);
        return vec4f(t * vec3f(v.uv, d), d) * 0.2;",
    ),
    (
        "nested loops",
        "var s = 0.0;
        for (var y = 0; y < 6; y++) {
            for (var x = 0; x <= y; x++) {
                s += sin(v.uv.x * f32(x) + v.uv.y * f32(y));
            }
        }
        return vec4f(s * 0.05);",
    ),
    (
        "early return",
        "if v.uv.x < 0.3 {
            return vec4f(1.0, 0.0, 0.0, 1.0);
        }
        if v.uv.y > 0.6 {
            return vec4f(0.0, 1.0, 0.0, 1.0);
        }
        return sqrt(v.uv.xyxy);",
    ),
    (
        "lights",
        "var c = vec3f();
        let n = normalize(vec3f(v.uv - 0.5, 0.6));
        for (var i = 0; i < 8; i++) {
            let l = u[i * 2].xyz * 2.0 - vec3f(v.uv, 0.2);
            let d = dot(l, l);
            c += u[i * 2 + 1].rgb * max(dot(n, l * inverseSqrt(d)), 0.0) / (1.0 + d) * pow(max(n.z, 0.0), 16.0);
        }
        return vec4f(c, 1.0);",
    ),
    (
        "integer minima",
        "let a = vec4i(v.at * 3.0);
        return vec4f(clamp(min(a, a.yxwz), vec4i(3), vec4i(200)) + max(a, vec4i(40)) - abs(a - 100)) / 512.0;",
    ),
    (
        "wide products",
        "let a = u32(v.at.x) * 0x9e3779b9u;
        let b = u32(v.at.y) * 0x85ebca6bu;
        return vec4f(f32((a ^ b) >> 24u), f32((a * b) >> 24u), f32((a + b) >> 24u), 255.0) / 255.0;",
    ),
    (
        "integer dots",
        "let a = vec4i(v.at * 2.0); return vec4f(f32(dot(a, a.yzwx) & 255) / 255.0);",
    ),
    (
        "facing",
        "return select(vec4f(0.2), v.uv.xyxy, front);",
    ),
];

pub(super) fn cells() -> Vec<Plan> {
    let cell = |&(label, body): &(&str, &str)| {
        let text = format!(
            "@group(0) @binding(0) var<uniform> u: array<vec4f, 64>;
            {MIXED}{FUNCTIONS}
            @fragment fn fs(v: V, @builtin(front_facing) front: bool) -> @location(0) vec4f {{ {body} }}"
        );
        let mut screen = Screen::new(format!("arithmetic/{label}"), &text, 4);
        let uniforms = screen.plan.buffer(BufferUsages::UNIFORM, fractions(1, 256));
        screen.plan.set(vec![Resource::Uniform(uniforms)]);
        screen.plan()
    };
    BODIES.iter().map(cell).collect()
}
