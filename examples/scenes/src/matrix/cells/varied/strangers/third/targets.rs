//! What is drawn to: numbers of four formats, masks of samples, leaves that alpha covers, and single channels.

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

pub(super) fn cells() -> Vec<Plan> {
    vec![numbers(), masks(), leaves(), channels()]
}
