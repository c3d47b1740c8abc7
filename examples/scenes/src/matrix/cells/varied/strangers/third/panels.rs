//! Pages of an array's layers, panels that are cut off, and numbers of a sensor.

use super::*;

/// 16 steps of a wheel, each drawn to its own layer of four samples that are averaged elsewhere, then a page of them all, mixed
/// between layers.
fn layered() -> Plan {
    let wheel = format!(
        "{CORNER}
        struct V {{ @builtin(position) at: vec4f, @location(0) @interpolate(flat) c: vec3f, @location(1) r: f32 }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
            let tooth = n / 3u;
            let turn = f32(i) * 0.06 * select(-1.5, 1.0, tooth < 24u);
            let r = select(0.55, 0.95, tooth < 24u);
            let k = f32(tooth % 24u) + select(0.0, select(0.2, 0.8, n % 3u == 2u), n % 3u != 0u);
            let a = k * 0.2618 + turn;
            let away = select(r, 0.1, n % 3u == 0u);
            let hue = fract(vec3f(0.0, 0.33, 0.67) + f32(tooth) / 24.0);
            return V(vec4f(vec2f(cos(a), sin(a)) * away, 0.5, 1.0), abs(hue * 2.0 - 1.0), away);
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{ return vec4f(v.c * (0.4 + 0.6 * v.r), 1.0); }}"
    );
    let page = "@group(0) @binding(0) var t: texture_2d_array<f32>;
        @group(0) @binding(1) var s: sampler;
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let p = v.at.xy / 128.0;
            let cell = floor(p);
            let uv = fract(p) * 1.1 - 0.05;
            let step = cell.x + cell.y * 4.0 + (fract(p).x - 0.5) * 0.8;
            let first = i32(floor(step)) & 15;
            let next = (first + 1) & 15;
            let share = fract(step);
            let gx = dpdx(v.at.xy) * 1.1 / 128.0;
            let gy = dpdy(v.at.xy) * 1.1 / 128.0;
            let a = textureSampleGrad(t, s, uv, first, gx, gy).rgb;
            let b = textureSampleGrad(t, s, uv, next, gx, gy).rgb;
            let ghost = textureSampleLevel(t, s, v.at.xy / 512.0, (next + 7) & 15, 0.0).rgb;
            return vec4f(mix(mix(a, b, share), ghost, 0.15), 1.0);
        }";
    let mut plan = empty("target/layers of an array");
    let layers = plan.texture(Texture {
        contents: Contents::Drawn,
        ..noise_texture(F::Rgba8UnormSrgb, D::D2Array, [256, 256, 16], 1)
    });
    let draw = drawn(
        &mut plan,
        Pipeline::new(wheel, &[F::Rgba8UnormSrgb]),
        Vec::new(),
        0..144,
    );
    for layer in 0..16 {
        let target = Target {
            layer,
            clear: Some([0.02, 0.03, f64::from(layer) / 64.0, 1.0]),
            ..Target::cleared(layers)
        };
        let instances = layer..layer + 1;
        plan.pass(
            vec![target],
            None,
            vec![Draw {
                instances,
                ..draw.clone()
            }],
        );
    }
    let resources = vec![
        Resource::Texture(layers, FILTERED),
        Resource::Sampler(Sampling::LINEAR.clamped()),
    ];
    cover(&mut plan, 0, page, resources);
    plan
}

/// 64 panels of nine slices of a small texture, each with constants of its own and cut off at the edge of the one around it,
/// with bars and knobs in them.
fn panels() -> Plan {
    const STRIDE: usize = 256;
    let text = format!(
        "{CORNER}
        struct Panel {{ place: vec2f, size: vec2f, tint: vec4f, border: f32, turn: f32, bars: vec2f }};
        @group(0) @binding(0) var<uniform> u: Panel;
        @group(0) @binding(1) var t: texture_2d<f32>;
        @group(0) @binding(2) var s: sampler;
        struct V {{ @builtin(position) at: vec4f, @location(0) uv: vec2f, @location(1) c: vec4f }};
        fn cut(p: u32, size: f32) -> vec2f {{
            let near = u.border / size;
            switch p {{
                case 0u: {{ return vec2f(0.0, 0.0); }}
                case 1u: {{ return vec2f(near, 0.3125); }}
                case 2u: {{ return vec2f(1.0 - near, 0.6875); }}
                default: {{ return vec2f(1.0, 1.0); }}
            }}
        }}
        @vertex fn vs(@builtin(vertex_index) n: u32) -> V {{
            let k = n / 6u;
            let c = vec2u(corner(n % 6u));
            var p: vec2f;
            var uv: vec2f;
            var tint = u.tint;
            if k < 9u {{
                let x = cut(k % 3u + c.x, u.size.x);
                let y = cut(k / 3u + c.y, u.size.y);
                p = vec2f(x.x, y.x) * u.size;
                uv = vec2f(x.y, y.y);
            }} else {{
                let bar = f32(k - 9u);
                let long = fract(u.bars.x * (bar + 1.0)) * 0.8 + 0.1;
                p = vec2f(u.border, u.border + bar * 12.0) + vec2f(c) * vec2f((u.size.x - 2.0 * u.border) * long, 8.0);
                uv = vec2f(0.4, 0.4) + vec2f(c) * 0.2;
                tint = vec4f(fract(tint.rgb + u.bars.y + bar * 0.21), 0.85);
            }}
            return V(vec4f(((u.place + p) / 256.0 - 1.0) * vec2f(1.0, -1.0), 0.5, 1.0), uv, tint);
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let c = textureSample(t, s, v.uv) * v.c;
            return vec4f(c.rgb, c.a);
        }}"
    );
    let frame = || {
        let texel = |n: u32| {
            let [x, y] = [n % 32, n / 32].map(|k| k.min(31 - k));
            let [a, b] = [x, y].map(|k| 10_u32.saturating_sub(k));
            let r = if x < 10 && y < 10 {
                a * a + b * b
            } else {
                a.max(b) * a.max(b)
            };
            let light = match r {
                0..=36 => 190 + (n / 32) as u8,
                37..=64 => 255,
                _ => 60,
            };
            [
                light,
                light,
                light,
                if r > 100 {
                    0
                } else if r > 81 {
                    128
                } else {
                    230
                },
            ]
        };
        (0..32 * 32).flat_map(texel).collect()
    };
    let mut plan = empty("frame/panels of nine slices");
    let (mut bytes, mut cuts) = (Vec::new(), Vec::new());
    for n in 0..64_u32 {
        let h = |k| mixed(n * 8 + k);
        let whole = n % 4 == 0;
        let [x, y, wide, high] = if whole {
            [n / 4 % 4 * 128 + 4, n / 16 * 128 + 4, 120, 120]
        } else {
            [
                n / 4 % 4 * 128 + 10 + h(0) % 70,
                n / 16 * 128 + 10 + h(1) % 80,
                40 + h(2) % 60,
                30 + h(3) % 50,
            ]
        };
        cuts.push(if whole {
            [0, 0, 512, 512]
        } else {
            [n / 4 % 4 * 128 + 12, n / 16 * 128 + 12, 104, 104]
        });
        let shades = [4, 5, 6].map(|k| 0.4 + 0.6 * part(h(k)));
        let [x, y, wide, high] = [x, y, wide, high].map(|k| k as f32);
        let numbers = [
            [x, y, wide, high],
            [
                shades[0],
                shades[1],
                shades[2],
                if whole { 1.0 } else { 0.8 },
            ],
            [if whole { 12.0 } else { 8.0 }, 0.0, part(n), part(n + 99)],
        ];
        bytes.extend(floats(numbers.into_iter().flatten()));
        bytes.resize((n as usize + 1) * STRIDE, 0);
    }
    let constants = plan.buffer(BufferUsages::UNIFORM, bytes);
    let texture = plan.texture(made_as(F::Rgba8UnormSrgb, D::D2, [32, 32, 1], 1, frame));
    let resources = vec![
        Resource::DynamicUniform(constants, 48),
        Resource::Texture(texture, FILTERED),
        Resource::Sampler(Sampling::LINEAR.clamped()),
    ];
    let mut pipeline = Pipeline::new(text, &[F::Rgba8Unorm]);
    pipeline.targets[0].blend = Some(BlendState::ALPHA_BLENDING);
    let draw = drawn(&mut plan, pipeline, resources, 0..6 * 12);
    let draws = std::iter::zip(0.., cuts).map(|(n, cut)| Draw {
        offsets: vec![n * STRIDE as u32],
        scissor: Some(cut),
        ..draw.clone()
    });
    let draws = draws.collect();
    plan.pass(vec![Target::cleared(0)], None, draws);
    plan
}

/// Numbers of a sensor behind a mosaic of colours become a picture: five by five of them, a matrix, and a table of halves
/// between four of whose places each colour lies.
fn sensor() -> Plan {
    let declared = "
        fn raw(p: vec2i) -> f32 {
            let at = clamp(p, vec2i(), vec2i(511));
            return max(f32(textureLoad(t0, at, 0).r) - 64.0, 0.0) / 959.0;
        }
        fn graded(c: vec3f) -> vec3f {
            let p = clamp(c, vec3f(), vec3f(1.0)) * 15.0;
            let low = min(vec3i(p), vec3i(14));
            let f = p - vec3f(low);
            // First along the axis of the largest part, last along that of the least.
            let first = select(vec3i(0, 0, 1), select(vec3i(0, 1, 0), vec3i(1, 0, 0), f.x >= f.y), max(f.x, f.y) >= f.z);
            let last = select(select(vec3i(1, 0, 0), vec3i(0, 1, 0), f.y <= f.x), vec3i(0, 0, 1), f.z <= min(f.x, f.y));
            let most = max(f.x, max(f.y, f.z));
            let least = min(f.x, min(f.y, f.z));
            let o = vec3f(most, f.x + f.y + f.z - most - least, least);
            let a = textureLoad(t1, low, 0).rgb;
            let b = textureLoad(t1, low + first, 0).rgb;
            let c2 = textureLoad(t1, low + vec3i(1) - last, 0).rgb;
            let d = textureLoad(t1, low + vec3i(1), 0).rgb;
            return a * (1.0 - o.x) + b * (o.x - o.y) + c2 * (o.y - o.z) + d * o.z;
        }";
    let body = "let at = vec2i(v.at.xy);
        var n: array<array<f32, 5>, 5>;
        for (var y = 0; y < 5; y++) {
            for (var x = 0; x < 5; x++) { n[y][x] = raw(at + vec2i(x, y) - 2); }
        }
        let own = n[2][2];
        let cross = n[1][2] + n[3][2] + n[2][1] + n[2][3];
        let far = n[0][2] + n[4][2] + n[2][0] + n[2][4];
        let slanted = n[1][1] + n[1][3] + n[3][1] + n[3][3];
        let across = (5.0 * own + 4.0 * (n[2][1] + n[2][3]) - (n[2][0] + n[2][4]) - slanted + 0.5 * (n[0][2] + n[4][2])) / 8.0;
        let down = (5.0 * own + 4.0 * (n[1][2] + n[3][2]) - (n[0][2] + n[4][2]) - slanted + 0.5 * (n[2][0] + n[2][4])) / 8.0;
        let green = (4.0 * own + 2.0 * cross - far) / 8.0;
        let other = (6.0 * own + 2.0 * slanted - 1.5 * far) / 8.0;
        var c: vec3f;
        switch (at.x & 1) | (at.y & 1) << 1u {
            case 0: { c = vec3f(own, green, other); }
            case 1: { c = vec3f(across, own, down); }
            case 2: { c = vec3f(down, own, across); }
            default: { c = vec3f(other, green, own); }
        }
        let m = mat3x3f(1.5, -0.2, 0.0, -0.4, 1.4, -0.3, -0.1, -0.2, 1.3);
        return vec4f(graded(m * (c * vec3f(1.2, 1.0, 1.35))), 1.0);";
    let mosaic = || {
        let picture = disks();
        let number = |n: usize| {
            let channel = [0, 1, 1, 2][n % 2 + n / 512 % 2 * 2];
            let value = u32::from(picture[4 * n + channel]) * 3 + 64 + (mixed(n as u32) & 15);
            (value as u16).to_le_bytes()
        };
        (0..512 * 512).flat_map(number).collect()
    };
    // Halves of k / 256 for k below 256, from whole numbers.
    let table = || {
        let half = |k: u32| match k {
            0 => 0_u16,
            _ => ((7 + k.ilog2()) << 10 | (k << (10 - k.ilog2()) & 1023)) as u16,
        };
        let place = |n: u32| {
            let c = [n % 16, n / 16 % 16, n / 256];
            let light = (c[0] * 3 + c[1] * 6 + c[2]) / 10;
            let curve = |k: u32| (k * k * (45 - 2 * k) * 255 / 3375).min(255);
            let tone = c.map(|k| curve((k * 3 + light) / 4));
            [tone[0] * 15 / 16 + 15, tone[1], tone[2] * 7 / 8 + 20, 255].map(half)
        };
        (0..4096)
            .flat_map(place)
            .flat_map(u16::to_le_bytes)
            .collect()
    };
    let reads = vec![
        Read(
            made_as(F::R16Uint, D::D2, [512, 512, 1], 1, mosaic),
            TextureSampleType::Uint,
            "texture_2d<u32>",
        ),
        Read(
            made_as(F::Rgba16Float, D::D3, [16, 16, 16], 1, table),
            FILTERED,
            "texture_3d<f32>",
        ),
    ];
    reading(
        "program/colours of a sensor".to_owned(),
        (declared, body),
        reads,
        &[],
        1,
    )
}

pub(super) fn cells() -> Vec<Plan> {
    vec![layered(), panels(), sensor()]
}
