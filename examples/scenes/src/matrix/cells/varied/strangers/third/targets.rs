//! What is drawn to: numbers of four formats, masks of samples, leaves that alpha covers, single channels, layers of an array,
//! panels that are cut off, and numbers of a sensor.

use super::*;

/// Disks write their number, slope, place and bits to targets of whole numbers; a last pass makes colours of them.
fn numbers() -> Plan {
    let formats = [F::Rgba8Sint, F::Rg16Uint, F::R16Sint, F::Rgba32Uint];
    let disks = format!(
        "{MIXED}{CORNER}
        struct V {{ @builtin(position) at: vec4f, @location(0) p: vec2f, @location(1) @interpolate(flat) i: u32 }};
        struct O {{ @location(0) n: vec4i, @location(1) place: vec2u, @location(2) height: i32, @location(3) bits: vec4u }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
            let h = mixed(i + 3u);
            let c = corner(n) * 2.0 - 1.0;
            let o = vec2f(f32(h & 1023u), f32(h >> 10u & 1023u)) / 511.5 - 1.0;
            return V(vec4f(o + c * (0.06 + f32(h >> 24u) / 2000.0), f32(h >> 20u) / 4096.0, 1.0), c, i);
        }}
        @fragment fn fs(v: V) -> O {{
            let e = 1.0 - dot(v.p, v.p);
            if e < 0.0 {{ discard; }}
            let n = vec3f(v.p, sqrt(e));
            let bits = vec4u(v.i, mixed(v.i), u32(v.at.x) << (v.i & 7u), pack4x8snorm(vec4f(n, -1.0)));
            return O(vec4i(vec4f(n, -e) * 127.0), vec2u(v.at.xy * 64.0), i32(n.z * 4000.0) - i32(v.i) * 8, bits);
        }}"
    );
    let shown = "
        @group(0) @binding(0) var t: texture_2d<i32>;
        @group(0) @binding(1) var places: texture_2d<u32>;
        @group(0) @binding(2) var heights: texture_2d<i32>;
        @group(0) @binding(3) var bits: texture_2d<u32>;
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let at = vec2i(v.at.xy);
            let n = vec4f(textureLoad(t, at, 0)) / 127.0;
            let place = textureLoad(places, at, 0).xy;
            let height = textureLoad(heights, at, 0).r;
            let b = textureLoad(bits, at, 0);
            if b.x == 0u && place.x == 0u { return vec4f(0.1, 0.1, 0.15, 1.0); }
            let light = max(dot(n.xyz, vec3f(0.5, 0.6, 0.62)), 0.0);
            let ring = select(1.0, 0.7, (height >> 9u & 1) == 1);
            let c = unpack4x8unorm(b.y).rgb * ring + unpack4x8snorm(b.w).rgb * 0.2;
            let k = (place >> vec2u(9u)) ^ (b.zz >> vec2u(b.x & 7u));
            return vec4f(c * (0.2 + 0.8 * light) + f32(k.x & k.y & 8u) * 0.02, 1.0);
        }";
    let mut plan = empty("target/numbers of four formats");
    let depth = plan.target(F::Depth32Float, [SIZE, SIZE], 1);
    let images = formats.map(|format| plan.target(format, [SIZE, SIZE], 1));
    let pipeline = Pipeline {
        depth: nearer(),
        ..Pipeline::new(disks, &formats)
    };
    let draw = drawn(&mut plan, pipeline, Vec::new(), 0..6);
    let targets = images.map(|image| Target {
        clear: Some([0.0; 4]),
        ..Target::cleared(image)
    });
    plan.pass(targets.into(), Some(depth), vec![instances(draw, 400)]);
    use TextureSampleType::{Sint, Uint};
    let resources = std::iter::zip(images, [Sint, Uint, Sint, Uint])
        .map(|(n, kind)| Resource::Texture(n, kind));
    cover(&mut plan, 0, shown, resources.collect());
    plan
}

/// Sheets that are seen through by which samples their fragments write, over rings of which each sample is shaded.
fn masks() -> Plan {
    let rings = format!(
        "{SCREEN}
        @fragment fn fs(v: V, @builtin(sample_index) i: u32) -> @location(0) vec4f {{
            let o = vec2f(f32(i & 1u), f32(i >> 1u)) * 0.5;
            let p = (v.at.xy + o - 256.0) / 256.0;
            let ring = step(0.5, fract(dot(p, p) * 24.0));
            return vec4f(mix(vec3f(0.1, 0.15, 0.3), vec3f(0.9, 0.95, 0.8), ring), 1.0);
        }}"
    );
    let sheets = format!(
        "{MIXED}{CORNER}
        struct V {{ @builtin(position) at: vec4f, @location(0) p: vec2f, @location(1) @interpolate(flat) h: u32 }};
        struct O {{ @location(0) c: vec4f, @builtin(sample_mask) mask: u32 }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
            let h = mixed(i + 8u);
            let c = corner(n) * 2.0 - 1.0;
            let a = f32(h >> 22u) * 0.00614;
            let t = vec2f(c.x * cos(a) - c.y * sin(a), c.x * sin(a) + c.y * cos(a));
            let o = vec2f(f32(h & 1023u), f32(h >> 10u & 1023u)) / 511.5 - 1.0;
            return V(vec4f(o * 0.54 + t * vec2f(0.3, 0.2), f32(h >> 20u & 255u) / 256.0, 1.0), c, h);
        }}
        @fragment fn fs(v: V, @builtin(sample_mask) covered: u32) -> O {{
            let alpha = 1.0 - dot(v.p, v.p) * 0.5;
            let at = vec2u(v.at.xy);
            let turn = (at.x * 3u + at.y * 5u + v.h) & 3u;
            let four = (1u << u32(clamp(alpha, 0.0, 1.0) * 4.99)) - 1u;
            let mask = (four << turn | four >> (4u - turn)) & 15u;
            let edge = select(1.0, 0.4, countOneBits(covered) < 4u);
            return O(vec4f(unpack4x8unorm(v.h * 31u).rgb * edge, 1.0), mask);
        }}"
    );
    let mut plan = empty("target/masks of samples");
    let samples = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 4);
    let depth = plan.target(F::Depth32Float, [SIZE, SIZE], 4);
    let always = Some(depth_state(F::Depth32Float, CompareFunction::Always, false));
    let draws = [(rings, always, 3, 1), (sheets, nearer(), 6, 120)].map(
        |(text, depth, vertices, count)| {
            let pipeline = Pipeline {
                samples: 4,
                depth,
                ..Pipeline::new(text, &[F::Rgba8Unorm])
            };
            instances(drawn(&mut plan, pipeline, Vec::new(), 0..vertices), count)
        },
    );
    let target = Target {
        resolve: Some(0),
        ..Target::cleared(samples)
    };
    plan.pass(vec![target], Some(depth), draws.into());
    plan
}

/// 700 leaves of a texture whose alpha becomes the samples that they cover, sharper by how fast it changes.
fn leaves() -> Plan {
    let text = format!(
        "{MIXED}{CORNER}
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        struct V {{ @builtin(position) at: vec4f, @location(0) uv: vec2f, @location(1) c: vec3f }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
            let h = mixed(i);
            let g = mixed(i + 100000u);
            let c = corner(n) * 2.0 - 1.0;
            let a = f32(g & 1023u) * 0.00614;
            let lean = 0.3 + f32(g >> 10u & 255u) / 300.0;
            let t = vec2f(c.x * cos(a) - c.y * sin(a), (c.x * sin(a) + c.y * cos(a)) * lean);
            let d = f32(h >> 20u & 1023u) / 1023.0;
            let away = sqrt(f32(h & 1023u) / 1023.0) * 0.9;
            let b = f32(h >> 10u & 1023u) * 0.00614;
            let o = vec2f(cos(b), sin(b)) * away;
            let shade = 0.35 + 0.65 * (1.0 - d);
            return V(vec4f(o + t * 0.1, d, 1.0), corner(n), vec3f(0.3 + f32(g >> 20u & 255u) / 400.0, 0.8, 0.25) * shade);
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let c = textureSample(t, s, v.uv);
            let alpha = (c.a - 0.5) / max(fwidth(c.a), 0.001) + 0.5;
            return vec4f(c.rgb * v.c, alpha);
        }}"
    );
    let leaf = || {
        let mut bytes = Vec::new();
        for level in 0..7 {
            let edge = 64_i32 >> level;
            for n in 0..edge * edge {
                let [x, y] = [n % edge, n / edge].map(|k| (2 * k + 1) * (1 << level) - 64);
                let wide = (4096 - y * y) / 110;
                let tooth = (y + 64) % 12;
                let inside = wide - tooth - x.abs();
                let vein = x.abs() < 3 || (y + 64 + x.abs()) % 24 < 3;
                let light = if vein { 250 } else { 170 + (x + y) / 4 };
                bytes.extend(
                    [light, light, light * 3 / 4, 128 + inside * 8].map(|n| n.clamp(0, 255) as u8),
                );
            }
        }
        bytes
    };
    let mut plan = empty("target/leaves that alpha covers");
    let samples = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 4);
    let depth = plan.target(F::Depth24Plus, [SIZE, SIZE], 4);
    let texture = plan.texture(made_as(F::Rgba8Unorm, D::D2, [64, 64, 1], 7, leaf));
    let pipeline = Pipeline {
        samples: 4,
        alpha_to_coverage: true,
        depth: Some(depth_state(F::Depth24Plus, CompareFunction::Less, true)),
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    };
    let resources = vec![
        Resource::Texture(texture, FILTERED),
        Resource::Sampler(Sampling::TRILINEAR.clamped()),
    ];
    let draw = drawn(&mut plan, pipeline, resources, 0..6);
    let target = Target {
        resolve: Some(0),
        clear: Some([0.6, 0.75, 0.9, 1.0]),
        ..Target::cleared(samples)
    };
    plan.pass(vec![target], Some(depth), vec![instances(draw, 700)]);
    plan
}

/// Strokes of five pipelines in turns, each with its own way of blending and channels that it writes.
fn channels() -> Plan {
    use BlendFactor::{Dst, One, OneMinusDst, OneMinusSrc, SrcAlpha, Zero};
    use BlendOperation::{Add, Max, Min, ReverseSubtract};
    let text = format!(
        "{MIXED}{CORNER}
        struct V {{ @builtin(position) at: vec4f, @location(0) p: vec2f, @location(1) c: vec4f }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
            let h = mixed(i + 50u);
            let c = corner(n) * 2.0 - 1.0;
            let a = f32(h >> 20u) * 0.00153;
            let t = vec2f(c.x * cos(a) - c.y * sin(a), c.x * sin(a) + c.y * cos(a)) * (0.15 + f32(h >> 28u) * 0.02);
            let o = vec2f(f32(h & 1023u), f32(h >> 10u & 1023u)) / 511.5 - 1.0;
            return V(vec4f(o + t, 0.5, 1.0), c, unpack4x8unorm(h * 77u));
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let soft = 1.0 - smoothstep(0.5, 1.0, max(abs(v.p.x), abs(v.p.y)));
            let bristle = 0.6 + 0.4 * sin(v.p.y * 40.0 + v.p.x * 3.0);
            return vec4f(v.c.rgb * soft * bristle, soft * v.c.a);
        }}"
    );
    let kinds = [
        (One, One, Max, ColorWrites::RED | ColorWrites::ALPHA),
        (OneMinusDst, One, Add, ColorWrites::GREEN),
        (
            One,
            OneMinusSrc,
            Add,
            ColorWrites::BLUE | ColorWrites::GREEN,
        ),
        (
            SrcAlpha,
            One,
            ReverseSubtract,
            ColorWrites::RED | ColorWrites::BLUE,
        ),
        (Dst, Zero, Add, ColorWrites::ALL),
        (One, One, Min, ColorWrites::ALPHA),
        (SrcAlpha, One, Add, ColorWrites::COLOR),
    ];
    let mut plan = empty("target/channels apart");
    let pipelines = kinds.map(|(src_factor, dst_factor, operation, write_mask)| {
        let color = BlendComponent {
            src_factor,
            dst_factor,
            operation,
        };
        let target = ColorTargetState {
            format: F::Rgba8Unorm,
            blend: Some(BlendState {
                color,
                alpha: color,
            }),
            write_mask,
        };
        plan.pipeline(Pipeline {
            targets: vec![target],
            ..Pipeline::new(text.clone(), &[])
        })
    });
    let draws = (0..42_u32).map(|n| {
        let pipeline = pipelines[n as usize % 7];
        let count = if n % 7 == 4 { 1 } else { 4 };
        Draw {
            instances: n * 6..n * 6 + count,
            ..Draw::new(pipeline, 0..6)
        }
    });
    let target = Target {
        clear: Some([0.3, 0.25, 0.35, 0.5]),
        ..Target::cleared(0)
    };
    plan.pass(vec![target], None, draws.collect());
    plan
}

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
    vec![
        numbers(),
        masks(),
        leaves(),
        channels(),
        layered(),
        panels(),
        sensor(),
    ]
}
