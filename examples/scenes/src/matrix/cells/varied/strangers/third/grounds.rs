//! Meshes: splats in order, ground of four textures, and lines of charts.

use super::meshes::with_buffers;
use super::second::meshes::{net, with_depths};
use super::*;

/// 5000 soft ellipsoids, far ones first: vertices find how they look on the picture, and each blends over what lies behind.
fn splats() -> Plan {
    let text = format!(
        "{CORNER}
        struct Splat {{ place: vec3f, color: u32, size: vec3f, cover: f32, turn: vec4f }};
        @group(0) @binding(0) var<storage, read> splats: array<Splat>;
        @group(0) @binding(1) var<storage, read> order: array<u32>;
        struct V {{ @builtin(position) at: vec4f, @location(0) p: vec2f, @location(1) c: vec4f }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
            let s = splats[order[i]];
            let q = normalize(s.turn);
            let x = q.xyz * 2.0;
            let turn = mat3x3f(
                1.0 - x.y * q.y - x.z * q.z, x.x * q.y + x.z * q.w, x.x * q.z - x.y * q.w,
                x.x * q.y - x.z * q.w, 1.0 - x.x * q.x - x.z * q.z, x.y * q.z + x.x * q.w,
                x.x * q.z + x.y * q.w, x.y * q.z - x.x * q.w, 1.0 - x.x * q.x - x.y * q.y);
            let m = mat3x3f(turn[0] * s.size.x, turn[1] * s.size.y, turn[2] * s.size.z);
            let w = m * transpose(m);
            let z = s.place.z;
            let f = 1.5 / z;
            let j = mat3x2f(f, 0.0, 0.0, f, -f * s.place.x / z, -f * s.place.y / z);
            let c = j * w * transpose(j);
            let a = c[0].x + 0.00001;
            let b = c[0].y;
            let d = c[1].y + 0.00001;
            let middle = 0.5 * (a + d);
            let off = sqrt(max(middle * middle - (a * d - b * b), 0.0));
            let long = middle + off;
            let way = normalize(vec2f(b + 1e-9, long - a + 1e-9));
            let p = (corner(n) * 2.0 - 1.0) * 3.0;
            let offset = way * p.x * sqrt(long) + vec2f(-way.y, way.x) * p.y * sqrt(max(middle - off, 0.0));
            return V(vec4f(s.place.xy * f + offset, 0.5, 1.0), p, vec4f(unpack4x8unorm(s.color).rgb, s.cover));
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let e = dot(v.p, v.p);
            if e > 9.0 {{ discard; }}
            let a = v.c.a * exp(-0.5 * e);
            return vec4f(v.c.rgb * a, a);
        }}"
    );
    let (mut numbers, mut depths) = (Vec::new(), Vec::new());
    for n in 0..5000 {
        let h = |k: u32| part(n * 16 + k);
        // On three shells that lie within each other.
        let d = [0, 1, 2].map(|k| h(k) - 0.5);
        let l = (0.5 + 0.35 * (n % 3) as f32)
            / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.0001).sqrt();
        let place = [d[0] * l, d[1] * l, 2.5 + d[2] * l];
        let color = [
            80 + (n % 3) * 70,
            (100.0 + 150.0 * h(3)) as u32,
            (60.0 + 180.0 * d[1].abs()) as u32,
        ];
        let color = color[0] | color[1] << 8 | color[2] << 16;
        depths.push((place[2].to_bits(), n));
        numbers.extend(floats(place));
        numbers.extend(color.to_le_bytes());
        numbers.extend(floats([
            0.01 + 0.05 * h(4),
            0.01 + 0.03 * h(5),
            0.008,
            0.3 + 0.6 * h(6),
        ]));
        numbers.extend(floats([7, 8, 9, 10].map(|k| h(k) - 0.5)));
    }
    depths.sort_unstable();
    let mut plan = empty("mesh/splats in order");
    let order = words(depths.iter().rev().map(|&(_, n)| n));
    let [splats, order] = [numbers, order].map(|bytes| plan.buffer(BufferUsages::STORAGE, bytes));
    let mut pipeline = Pipeline::new(text, &[F::Rgba8Unorm]);
    pipeline.targets[0].blend = Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING);
    let resources = vec![Resource::Storage(splats), Resource::Storage(order)];
    let draw = drawn(&mut plan, pipeline, resources, 0..6);
    plan.pass(vec![Target::cleared(0)], None, vec![instances(draw, 5000)]);
    plan
}

/// 128 by 128 heights of a texture; four layers are mixed by a map and by how steep it is.
fn ground() -> Plan {
    const EDGE: u32 = 128;
    let text = format!(
        "@group(0) @binding(0) var heights: texture_2d<f32>;
        @group(0) @binding(1) var layers: texture_2d_array<f32>;
        @group(0) @binding(2) var shares: texture_2d<f32>;
        @group(0) @binding(3) var s: sampler;
        struct V {{ @builtin(position) at: vec4f, @location(0) p: vec3f, @location(1) n: vec3f }};
        fn height(p: vec2f) -> f32 {{ return textureSampleLevel(heights, s, p, 0.0).r; }}
        @vertex fn vs(@builtin(vertex_index) n: u32) -> V {{
            let t = vec2f(f32(n % {EDGE}u), f32(n / {EDGE}u)) / {:?};
            let h = height(t);
            let e = 1.0 / 256.0;
            let slope = vec2f(height(t + vec2f(e, 0.0)) - height(t - vec2f(e, 0.0)), height(t + vec2f(0.0, e)) - height(t - vec2f(0.0, e)));
            let p = vec3f(t.x * 4.0 - 2.0, h * 0.7 - 1.1, t.y * 4.0 + 0.7);
            let y = p.y * 0.94 + p.z * 0.34;
            let z = p.z * 0.94 - p.y * 0.34;
            return V(vec4f(p.x * 1.4, y * 1.4 - 0.5, z - 0.4, z), vec3f(t, h), vec3f(-slope.x * 6.0, 1.0, -slope.y * 6.0));
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let n = normalize(v.n);
            var w = textureSample(shares, s, v.p.xy);
            w = w * w * vec4f(1.0, n.y, 1.0, 1.0 - n.y * 0.5);
            var c = vec3f();
            for (var i = 0; i < 4; i++) {{
                let scale = select(18.0, 6.0, i == 3);
                c += textureSample(layers, s, v.p.xy * scale, i).rgb * w[i];
            }}
            c /= dot(w, vec4f(1.0)) + 0.001;
            let light = 0.25 + 0.9 * max(dot(n, normalize(vec3f(0.6, 0.5, -0.3))), 0.0);
            let fog = smoothstep(1.5, 4.5, 1.0 / v.at.w);
            return vec4f(mix(c * light, vec3f(0.55, 0.6, 0.65), fog), 1.0);
        }}",
        (EDGE - 1) as f32
    );
    let layers = || {
        let mut bytes = Vec::new();
        for level in 0..8 {
            let edge = 128_u32 >> level;
            for n in 0..4 * edge * edge {
                let [x, y] = [n % edge, n / edge % edge].map(|k| k << level);
                let rough = (mixed(x / 4 + y / 4 * 64) & 63) >> (level / 2);
                bytes.extend(
                    match n / edge / edge {
                        0 => [60 + rough, 110 + rough, 40 + rough / 2, 255],
                        1 => [150 + rough, 130 + rough, 80 + rough / 2, 255],
                        2 => [220 + rough / 2, 224 + rough / 3, 230 + rough / 3, 255],
                        _ => [
                            90 + (x / 16 + y / 32 * 3) % 4 * 12,
                            84 + rough,
                            80 + rough,
                            255,
                        ],
                    }
                    .map(|n| n as u8),
                );
            }
        }
        bytes
    };
    let shares = || {
        let texel = |n: u32| {
            let [x, y] = [n % 64, n / 64];
            let h = mixed(x / 8 + y / 8 * 8);
            [
                h as u8,
                (h >> 8) as u8,
                (h >> 18 & 63) as u8 * ((x ^ y) & 1) as u8 * 4,
                (h >> 24) as u8 | 16,
            ]
        };
        (0..64 * 64).flat_map(texel).collect()
    };
    let mut plan = empty("mesh/ground of four layers");
    let heights = plan.texture(made_as(F::R8Unorm, D::D2, [256, 256, 1], 1, hills));
    let layers = plan.texture(made_as(
        F::Rgba8UnormSrgb,
        D::D2Array,
        [128, 128, 4],
        8,
        layers,
    ));
    let shares = plan.texture(made_as(F::Rgba8Unorm, D::D2, [64, 64, 1], 1, shares));
    let mut resources: Vec<Resource> = [heights, layers, shares]
        .map(|n| Resource::Texture(n, FILTERED))
        .into();
    resources.push(Resource::Sampler(Sampling::TRILINEAR));
    let pipeline = Pipeline {
        depth: nearer(),
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    };
    let bytes = (Vec::new(), Some(net(EDGE, EDGE)));
    let draw = with_buffers(
        &mut plan,
        pipeline,
        bytes,
        resources,
        0..6 * (EDGE - 1) * (EDGE - 1),
    );
    with_depths(plan, vec![draw])
}

/// Twelve charts in cells of their own: ground lines, areas below curves, and thick curves with soft edges and round ends.
fn charts() -> Plan {
    let declared = format!(
        "{CORNER}
        @group(0) @binding(0) var<storage, read> values: array<f32>;
        struct V {{ @builtin(position) at: vec4f, @location(0) p: vec2f, @location(1) @interpolate(flat) l: f32, @location(2) @interpolate(flat) i: u32 }};
        fn place(chart: u32, p: vec2f) -> vec4f {{
            let cell = vec2f(f32(chart % 3u), f32(chart / 3u));
            return vec4f((cell + 0.06 + p * 0.88) / vec2f(1.5, 2.0) - 1.0, 0.5, 1.0);
        }}
        fn value(i: u32, k: u32) -> vec2f {{ return vec2f(f32(k) / 199.0, values[i * 200u + k]); }}"
    );
    let rules = "
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
            return V(place(i, corner(n)), corner(n), 0.0, i);
        }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let t = v.p * vec2f(10.0, 5.0);
            let near = abs(fract(t + 0.5) - 0.5) / fwidth(t);
            let line = 1.0 - min(min(near.x, near.y), 1.0);
            return vec4f(vec3f(0.97 - 0.25 * line), 1.0);
        }";
    let areas = "
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
            let k = n / 6u + (0x32u >> n % 6u & 1u);
            let top = value(i * 3u, k);
            let p = vec2f(top.x, select(0.0, top.y, (0x2cu >> n % 6u & 1u) == 1u));
            return V(place(i, p), p, top.y, i);
        }
        @fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(0.3, 0.6, 0.9, 0.15 + 0.5 * v.p.y); }";
    let curves = "
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
            let k = n / 6u;
            let size = vec2f(150.0, 112.0);
            let a = value(i, k) * size;
            let b = value(i, k + 1u) * size;
            let l = distance(a, b);
            let way = (b - a) / max(l, 0.001);
            let r = 2.5;
            let c = corner(n % 6u);
            let along = c.x * (l + 2.0 * r) - r;
            let across = (c.y * 2.0 - 1.0) * r;
            let p = a + way * along + vec2f(-way.y, way.x) * across;
            return V(place(i / 3u, p / size), vec2f(along, across), l, i);
        }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let d = length(vec2f(v.p.x - clamp(v.p.x, 0.0, v.l), v.p.y));
            let cover = clamp(1.9 - d, 0.0, 1.0);
            let colors = array<vec3f, 3>(vec3f(0.1, 0.35, 0.8), vec3f(0.85, 0.3, 0.15), vec3f(0.15, 0.6, 0.3));
            return vec4f(colors[v.i % 3u], cover);
        }";
    let mut values = Vec::new();
    for curve in 0..36 {
        let (mut y, mut speed) = (0.2 + 0.6 * part(curve), 0.0);
        for k in 0..200 {
            speed = speed * 0.9 + (part(curve * 200 + k) - 0.5) * 0.03 + (0.5 - y) * 0.004;
            y = (y + speed).clamp(0.02, 0.98);
            values.push(y);
        }
    }
    let mut plan = empty("mesh/lines of charts");
    let values = plan.buffer(BufferUsages::STORAGE, floats(values));
    let parts = [(rules, 6, 12), (areas, 6 * 199, 12), (curves, 6 * 199, 36)];
    let draws = parts.map(|(text, vertices, count)| {
        let mut pipeline = Pipeline::new(format!("{declared}{text}"), &[F::Rgba8Unorm]);
        pipeline.targets[0].blend = Some(BlendState::ALPHA_BLENDING);
        let draw = drawn(
            &mut plan,
            pipeline,
            vec![Resource::Storage(values)],
            0..vertices,
        );
        instances(draw, count)
    });
    let target = Target {
        clear: Some([0.9, 0.9, 0.88, 1.0]),
        ..Target::cleared(0)
    };
    plan.pass(vec![target], None, draws.into());
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![splats(), ground(), charts()]
}
