//! Arithmetic of fragment shaders, with uniform and with divergent control flow.

use wgpu_types::BufferUsages;

use super::plan::{Plan, Resource};
use super::{Screen, fractions};

/// Bodies of functions that return a colour.
const BODIES: [(&str, &str); 18] = [
    ("constant", "return vec4f(0.5);"),
    (
        "sums",
        "var s = v.uv.xyxy; for (var i = 0; i < 16; i++) { s = s * 0.9 + v.uv.yxyx; } return s * 0.1;",
    ),
    (
        "exp, log, sin, pow",
        "return vec4f(exp2(v.uv.x), log2(v.uv.y + 0.1), sin(v.uv.x * 9.0), pow(v.uv.x, 2.2)) * 0.3;",
    ),
    (
        "roots and quotients",
        "return vec4f(sqrt(v.uv.x), inverseSqrt(v.uv.y + 0.1), v.uv.x / (v.uv.y + 0.1), length(v.uv)) * 0.3;",
    ),
    (
        "normalised vectors",
        "let n = normalize(vec3f(v.uv, 0.5)); let l = normalize(vec3f(0.3, v.uv)); return vec4f(reflect(l, n) * max(dot(n, l), 0.0), 1.0);",
    ),
    (
        "integers",
        "var n = bitcast<u32>(v.uv.x); for (var i = 0; i < 8; i++) { n = n * 1664525u + 1013904223u; n ^= n >> 13u; } return vec4f(f32(n & 255u) / 255.0);",
    ),
    (
        "integer quotients",
        "let n = u32(v.at.x) + 7u; return vec4f(f32(u32(v.at.y) / n + u32(v.at.y) % n) / 64.0);",
    ),
    (
        "uniform loop",
        "var s = 0.0; for (var i = 0; i < 24; i++) { s += fract(v.uv.y * f32(i)); } return vec4f(s / 24.0);",
    ),
    (
        "divergent loop",
        "var s = 0.0; for (var i = 0; i < i32(v.at.x) % 16; i++) { s += v.uv.y * 0.1; } return vec4f(s);",
    ),
    (
        "divergent branches",
        "var c = v.uv.xyxy; if fract(v.uv.x * 30.0) < 0.5 { c = sin(c * 5.0); } else { c = sqrt(c); } return c;",
    ),
    (
        "coherent branches",
        "var c = v.uv.xyxy; if v.uv.x < 0.7 { c = sin(c * 5.0); } else { c = sqrt(c); } return c;",
    ),
    (
        "half discarded",
        "if (u32(v.at.x) + u32(v.at.y)) % 2u == 0u { discard; } return v.uv.xyxy;",
    ),
    (
        "array",
        "var a = array(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8); return vec4f(a[u32(v.at.x) & 7u]);",
    ),
    (
        "derivatives",
        "return vec4f(fwidth(v.uv), abs(dpdx(v.uv))) * 99.0;",
    ),
    (
        "matrices",
        "let m = mat4x4f(v.uv.xyxy, v.uv.yxyx, v.uv.xxyy, vec4f(0.5)); return m * (m * v.uv.xyyx) * 0.1;",
    ),
    (
        "uniforms",
        "var c = vec4f(); for (var i = 0u; i < 8u; i++) { c += u[i] * v.uv.xyxy; } return c * 0.05;",
    ),
    (
        "indexed uniforms",
        "var c = vec4f(); for (var i = 0u; i < 8u; i++) { c += u[(i + u32(v.at.x)) & 63u]; } return c * 0.05;",
    ),
    (
        "storage",
        "var c = vec4f(); for (var i = 0u; i < 4u; i++) { c += d[(u32(v.at.x) * 4u + i) & 1023u]; } return c * 0.1;",
    ),
];

pub(super) fn cells() -> Vec<Plan> {
    let cell = |&(label, body): &(&str, &str)| {
        let text = format!(
            "@group(0) @binding(0) var<uniform> u: array<vec4f, 64>;
            @group(0) @binding(1) var<storage, read> d: array<vec4f>;
            @fragment fn fs(v: V) -> @location(0) vec4f {{ {body} }}"
        );
        let mut screen = Screen::new(format!("arithmetic/{label}"), &text, 4);
        let uniforms = screen.plan.buffer(BufferUsages::UNIFORM, fractions(1, 256));
        let storage = screen
            .plan
            .buffer(BufferUsages::STORAGE, fractions(2, 4096));
        screen.plan.set(vec![
            Resource::Uniform(uniforms),
            Resource::Storage(storage),
        ]);
        screen.plan()
    };
    BODIES.iter().map(cell).collect()
}
