//! Frames of several targets: history that is clamped to neighbours, samples that a shader resolves, and panels of glyphs.

use super::passes::{BOXES, LIT};
use super::*;

/// Three frames of moved boxes, each mixed into what the last ones made, as far as its neighbours allow.
fn history() -> Plan {
    const FRAMES: usize = 3;
    let scene = format!(
        "{MIXED}{CORNER}{BOXES}
        struct V {{ @builtin(position) at: vec4f, @location(0) n: vec3f, @location(1) @interpolate(flat) i: u32 }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) k: u32) -> V {{
            let frame = k / 120u;
            let c = placed(n, k % 120u);
            let p = seen(c.p + vec3f(f32(frame) * 0.02, 0.0, 0.0));
            let shift = vec2f(f32(frame * 2u % 3u) - 1.0, f32(frame * 5u % 7u) / 3.0 - 1.0) / 1024.0;
            return V(p + vec4f(shift * p.w, 0.0, 0.0), c.n, k % 120u);
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let light = max(dot(normalize(v.n), normalize(vec3f(0.4, 0.7, -0.6))), 0.0);
            return vec4f(tint(v.i) * (0.25 + 0.75 * light), 1.0);
        }}"
    );
    let mix = "
        @group(0) @binding(0) var now: texture_2d<f32>;
        @group(0) @binding(1) var before: texture_2d<f32>;
        @group(0) @binding(2) var s: sampler;
        fn split(c: vec3f) -> vec3f {
            return vec3f(dot(c, vec3f(0.25, 0.5, 0.25)), dot(c, vec3f(0.5, 0.0, -0.5)), dot(c, vec3f(-0.25, 0.5, -0.25)));
        }
        fn whole(c: vec3f) -> vec3f { return vec3f(c.x + c.y - c.z, c.x + c.z, c.x - c.y - c.z); }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let at = vec2i(v.at.xy);
            var mean = vec3f();
            var squares = vec3f();
            var here = vec3f();
            for (var y = -1; y <= 1; y++) {
                for (var x = -1; x <= 1; x++) {
                    let c = split(textureLoad(now, clamp(at + vec2i(x, y), vec2i(), vec2i(511)), 0).rgb);
                    mean += c / 9.0;
                    squares += c * c / 9.0;
                    if x == 0 && y == 0 { here = c; }
                }
            }
            let spread = sqrt(abs(squares - mean * mean)) * 1.25;
            let from_last = v.at.xy / 512.0 - vec2f(0.003, 0.0);
            var old = split(textureSampleLevel(before, s, from_last, 0.0).rgb);
            let off = (old - mean) / max(spread, vec3f(0.001));
            let most = max(max(abs(off.x), abs(off.y)), abs(off.z));
            if most > 1.0 { old = mean + (old - mean) / most; }
            return vec4f(whole(mix(old, here, 0.2)), 1.0);
        }";
    let mut plan = empty("frame/history clamped to neighbours");
    let depth = plan.target(F::Depth32Float, [SIZE, SIZE], 1);
    let now = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 1);
    let other = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 1);
    let pipeline = Pipeline {
        depth: nearer(),
        ..Pipeline::new(scene, &[F::Rgba8Unorm])
    };
    let boxes = drawn(&mut plan, pipeline, Vec::new(), 0..36);
    let sets = [[other, 0], [0, other]].map(|[before, to]| {
        let resources = vec![
            Resource::Texture(now, FILTERED),
            Resource::Texture(before, FILTERED),
            Resource::Sampler(Sampling::LINEAR.clamped()),
        ];
        let pipeline = Pipeline::new(format!("{SCREEN}{mix}"), &[F::Rgba8Unorm]);
        (drawn(&mut plan, pipeline, resources, 0..3), to)
    });
    plan.pass(vec![Target::cleared(0)], None, Vec::new());
    for frame in 0..FRAMES {
        let first = frame as u32 * 120;
        let instances = first..first + 120;
        let draw = Draw {
            instances,
            ..boxes.clone()
        };
        plan.pass(vec![Target::cleared(now)], Some(depth), vec![draw]);
        let (draw, to) = &sets[(frame + 1) % 2];
        plan.pass(vec![Target::cleared(*to)], None, vec![draw.clone()]);
    }
    plan
}

/// Bright slivers and boxes of four samples, which a shader weighs by their light; samples with different depths are lines.
fn resolved() -> Plan {
    let bright = format!(
        "{MIXED}{CORNER}{BOXES}{LIT}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let light = max(dot(normalize(v.n), normalize(vec3f(0.4, 0.7, -0.6))), 0.0);
            let lamp = select(1.0, 12.0, (v.i & 7u) == 0u);
            return vec4f(tint(v.i) * (0.15 + light) * lamp, 1.0);
        }}"
    );
    let weighed = "
        @group(0) @binding(0) var t: texture_multisampled_2d<f32>;
        @group(0) @binding(1) var z: texture_depth_multisampled_2d;
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let at = vec2i(v.at.xy);
            var c = vec3f();
            var total = 0.0;
            var near = 1.0;
            var far = 0.0;
            for (var i = 0; i < i32(textureNumSamples(t)); i++) {
                let e = textureLoad(t, at, i).rgb;
                let w = 1.0 / (1.0 + max(e.r, max(e.g, e.b)));
                c += e * w;
                total += w;
                let d = textureLoad(z, at, i);
                near = min(near, d);
                far = max(far, d);
            }
            c /= total;
            let mapped = c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14);
            let line = smoothstep(0.002, 0.02, far - near);
            return vec4f(sqrt(clamp(mapped, vec3f(), vec3f(1.0))) * (1.0 - 0.7 * line), 1.0);
        }";
    let mut plan = empty("target/samples weighed by light");
    let image = plan.target(F::Rgba16Float, [SIZE, SIZE], 4);
    let depth = plan.target(F::Depth32Float, [SIZE, SIZE], 4);
    let pipeline = Pipeline {
        samples: 4,
        depth: nearer(),
        ..Pipeline::new(bright, &[F::Rgba16Float])
    };
    let draw = drawn(&mut plan, pipeline, Vec::new(), 0..36);
    plan.pass(
        vec![Target::cleared(image)],
        Some(depth),
        vec![instances(draw, 150)],
    );
    let resources = vec![
        Resource::Texture(image, TextureSampleType::Float { filterable: false }),
        Resource::Texture(depth, TextureSampleType::Depth),
    ];
    cover(&mut plan, 0, weighed, resources);
    plan
}

/// 64 glyphs of 8 by 16 texels, which are the same on both sides.
fn glyphs() -> Vec<u8> {
    let texel = |n: u32| {
        let [x, y] = [n % 128, n / 128];
        let glyph = x / 8 + y / 16 * 16;
        let [x, y] = [x % 8, y % 16];
        let side = if x < 4 { x } else { 7 - x };
        let inside = (1..=6).contains(&x) && (3..=13).contains(&y);
        let on = inside && mixed(glyph * 64 + side + y / 2 * 8) & 1 == 0;
        if on { 255 } else { 0 }
    };
    (0..128 * 64).map(texel).collect()
}

/// 40 panels, each a rounded square and its glyphs in one draw, cut off where the panel around it ends.
fn panels() -> Plan {
    use VertexFormat::*;
    let text = "
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        struct V { @builtin(position) at: vec4f, @location(0) uv: vec2f, @location(1) c: vec4f, @location(2) @interpolate(flat) kind: vec4f };
        @vertex fn vs(@location(0) at: vec2u, @location(1) uv: vec4f, @location(2) c: vec4f) -> V {
            let p = vec2f(at) / 256.0 - 1.0;
            return V(vec4f(p.x, -p.y, 0.5, 1.0), uv.xy, c, uv);
        }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            if v.kind.z > 0.5 {
                let q = abs(v.uv - 0.5) * v.kind.w * 255.0 - v.kind.w * 127.5 + 6.0;
                let d = length(max(q, vec2f())) - 6.0;
                let border = smoothstep(-2.5, -1.5, d);
                return vec4f(mix(v.c.rgb, vec3f(1.0), border * 0.5), v.c.a * (1.0 - smoothstep(-1.0, 0.0, d)));
            }
            let cover = textureSampleLevel(t, s, v.uv * 255.0 / vec2f(128.0, 64.0), 0.0).r;
            return vec4f(v.c.rgb, v.c.a * cover);
        }";
    let mut plan = empty("frame/panels of glyphs");
    let atlas = plan.texture(Texture {
        contents: Contents::Made(glyphs),
        ..noise_texture(F::R8Unorm, D::D2, [128, 64, 1], 1)
    });
    let (mut vertices, mut indices, mut cuts) = (Vec::new(), Vec::new(), Vec::new());
    let mut quad =
        |[x, y]: [u32; 2], [wide, high]: [u32; 2], uv: [u32; 4], rest: [u8; 2], color: u32| {
            let first = vertices.len() as u32 / 12;
            for [right, low] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
                let place = [x + right * wide, y + low * high].map(|n| n as u16);
                vertices.extend(place.into_iter().flat_map(u16::to_le_bytes));
                let [u, v] = [uv[0] + right * uv[2], uv[1] + low * uv[3]].map(|n| n as u8);
                vertices.extend([u, v, rest[0], rest[1]]);
                vertices.extend(color.to_le_bytes());
            }
            indices.extend([0, 1, 2, 2, 1, 3].map(|n| first + n));
            indices.len() as u32
        };
    for panel in 0..40 {
        let h = mixed(panel);
        let (edge, at) = (
            96 + h % 100,
            [h >> 8 & 255, h >> 16 & 255].map(|n| n * 7 / 5),
        );
        let first = quad(
            at,
            [edge, edge],
            [0, 0, 255, 255],
            [255, edge as u8],
            h | 0xe000_0000,
        ) - 6;
        let mut last = first;
        for n in 0..edge / 7 * 8 {
            let [column, row] = [n % (edge / 7), n / (edge / 7)];
            let glyph = mixed(n + panel * 512) % 64;
            let uv = [glyph % 16 * 8, glyph / 16 * 16, 8, 16];
            let place = [at[0] + 6 + column * 8, at[1] + 6 + row * 14];
            last = quad(
                place,
                [8, 16],
                uv,
                [0, 0],
                0xffff_ffff - (n % 5) * 0x0010_2030,
            );
        }
        let inner = [at[0].min(500), at[1].min(500)];
        let size = inner.map(|n| (edge - 4).min(512 - n));
        cuts.push((first..last, [inner[0], inner[1], size[0], size[1]]));
    }
    let vertices = vec![plan.buffer(BufferUsages::VERTEX, vertices)];
    let indices = Some(plan.buffer(BufferUsages::INDEX, words(indices)));
    let formats = [Uint16x2, Unorm8x4, Unorm8x4];
    let mut pipeline = Pipeline {
        buffers: vec![VertexBuffer::packed(VertexStepMode::Vertex, 0, &formats)],
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    };
    pipeline.targets[0].blend = Some(BlendState::ALPHA_BLENDING);
    let resources = vec![
        Resource::Texture(atlas, FILTERED),
        Resource::Sampler(Sampling::LINEAR.clamped()),
    ];
    let draw = drawn(&mut plan, pipeline, resources, 0..0);
    let draws = cuts.into_iter().map(|(range, scissor)| Draw {
        vertices: vertices.clone(),
        indices,
        range,
        scissor: Some(scissor),
        ..draw.clone()
    });
    let draws = draws.collect();
    plan.pass(vec![Target::cleared(0)], None, draws);
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![history(), resolved(), panels()]
}
