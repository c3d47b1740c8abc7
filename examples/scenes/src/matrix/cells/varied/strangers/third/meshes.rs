//! Meshes of unusual corners: instances of eight formats, tubes of dual quaternions, faces of blocks in a word, splats in
//! order, ground of four textures, and lines of charts.

use super::second::meshes::{net, with_depths};
use super::*;

/// Draws of triangles with vertex buffers over depths.
fn with_buffers(
    plan: &mut Plan,
    pipeline: Pipeline,
    (vertices, indices): (Vec<Vec<u8>>, Option<Vec<u8>>),
    resources: Vec<Resource>,
    range: Range<u32>,
) -> Draw {
    let vertices = vertices
        .into_iter()
        .map(|bytes| plan.buffer(BufferUsages::VERTEX, bytes))
        .collect();
    let indices = indices.map(|bytes| plan.buffer(BufferUsages::INDEX, bytes));
    Draw {
        vertices,
        indices,
        ..drawn(plan, pipeline, resources, range)
    }
}

/// 6000 gems, whose places, turns, colours and kinds come from three buffers of eight formats.
fn gems() -> Plan {
    use VertexFormat::*;
    let text = "
        struct V { @builtin(position) at: vec4f, @location(0) c: vec4f, @location(1) n: vec3f, @location(2) @interpolate(flat) kind: vec2i };
        @vertex fn vs(@location(0) corner: vec2f, @location(1) rise: i32, @location(2) tint: vec4f, @location(3) place: vec4f,
            @location(4) turn: vec4f, @location(5) size: vec2f, @location(6) kind: vec2i, @location(7) bits: vec2u) -> V {
            let t = normalize(turn.xy - 0.5001);
            let grown = corner * (size.x * 0.03 + 0.015);
            let p = vec2f(grown.x * t.x - grown.y * t.y, grown.x * t.y + grown.y * t.x);
            let z = place.z * 0.45 + 0.5 - f32(rise) * 0.02 * size.y;
            let c = select(tint, tint.zxyw, (bits.x >> (bits.y & 7u) & 1u) == 1u);
            return V(vec4f(place.xy + p, z, 1.0), c, vec3f(p * 30.0, f32(rise)), kind);
        }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let n = normalize(v.n + vec3f(0.0, 0.0, 0.3));
            var light = max(dot(n, vec3f(0.48, 0.6, 0.64)), 0.0);
            switch v.kind.x {
                case -2: { light = floor(light * 4.0) / 4.0; }
                case -1: { light = light * light; }
                case 0: { light = 1.0 - light; }
                case 1: { light = fract(light * 3.0); }
                default: {}
            }
            return vec4f(v.c.rgb * (0.25 + light) + f32(v.kind.y) * 0.0005, 1.0);
        }";
    let around = [[4, 0], [2, 3], [-2, 3], [-4, 0], [-2, -3], [2, -3]];
    let mut corners = Vec::new();
    for k in 0..6 {
        let [a, b] = [around[k], around[(k + 1) % 6]];
        for ([x, y], rise) in [(a, 0_i32), (b, 0), ([0, 0], 2)] {
            corners.extend(half(x as f32 / 4.0));
            corners.extend(half(y as f32 / 4.0));
            corners.extend(rise.to_le_bytes());
        }
    }
    let (mut looks, mut places) = (Vec::new(), Vec::new());
    for n in 0..6000 {
        let h = [0, 1, 2, 3].map(|k| mixed(n * 4 + k));
        looks.extend(h[0].to_le_bytes());
        looks.extend(half((h[3] & 63) as f32 / 64.0));
        looks.extend(half((h[3] >> 6 & 7) as f32 / 4.0));
        looks.extend(((h[3] >> 10) as i16 % 3).to_le_bytes());
        looks.extend((h[3] as i16 / 200).to_le_bytes());
        places.extend(h[1].to_le_bytes());
        places.extend((h[2] & 0xffff_0000 | h[2] >> 16).to_le_bytes());
        places.extend((h[2] ^ h[0] << 3).to_le_bytes());
        places.extend([h[1] as u8, h[2] as u8]);
        places.extend([0; 2]);
    }
    let mut place = VertexBuffer::packed(
        VertexStepMode::Instance,
        0,
        &[Snorm16x4, Unorm10_10_10_2, Uint8x2],
    );
    for (attribute, location) in std::iter::zip(&mut place.attributes, [3, 4, 7]) {
        attribute.shader_location = location;
    }
    place.stride = 16;
    let mut look = VertexBuffer::packed(
        VertexStepMode::Instance,
        0,
        &[Unorm8x4, Float16x2, Sint16x2],
    );
    for (attribute, location) in std::iter::zip(&mut look.attributes, [2, 5, 6]) {
        attribute.shader_location = location;
    }
    let mut plan = empty("mesh/gems of eight formats");
    let corner = VertexBuffer::packed(VertexStepMode::Vertex, 0, &[Float16x2, Sint32]);
    let pipeline = Pipeline {
        buffers: vec![corner, look, place],
        depth: nearer(),
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    };
    let bytes = (vec![corners, looks, places], None);
    let draw = with_buffers(&mut plan, pipeline, bytes, Vec::new(), 0..18);
    with_depths(plan, vec![instances(draw, 6000)])
}

/// 49 tubes, each corner of which is moved by two of six pairs of quaternions, without narrowing where it bends.
fn tubes() -> Plan {
    const RINGS: u32 = 48;
    const SIDES: u32 = 16;
    let text = "
        struct Dual { real: vec4f, dual: vec4f };
        struct Constants { bones: array<Dual, 294> };
        @group(0) @binding(0) var<uniform> u: Constants;
        struct V { @builtin(position) at: vec4f, @location(0) n: vec3f, @location(1) t: vec2f };
        fn product(a: vec4f, b: vec4f) -> vec4f { return vec4f(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz)); }
        fn turned(q: vec4f, p: vec3f) -> vec3f { return p + 2.0 * cross(q.xyz, cross(q.xyz, p) + q.w * p); }
        fn moved(d: Dual, p: vec3f) -> vec3f {
            let shift = 2.0 * (d.real.w * d.dual.xyz - d.dual.w * d.real.xyz + cross(d.real.xyz, d.dual.xyz));
            return turned(d.real, p) + shift;
        }
        fn mixed_duals(a: Dual, b: Dual, t: f32) -> Dual {
            let s = select(t, -t, dot(a.real, b.real) < 0.0);
            var r = Dual(a.real * (1.0 - t) + b.real * s, a.dual * (1.0 - t) + b.dual * s);
            let l = 1.0 / length(r.real);
            r.real *= l;
            r.dual *= l;
            return r;
        }
        @vertex fn vs(@location(0) t: vec2f, @location(1) bones: vec2u, @builtin(instance_index) i: u32) -> V {
            let share = fract(t.x * 4.9999);
            let d = mixed_duals(u.bones[i * 6u + bones.x], u.bones[i * 6u + bones.y], smoothstep(0.2, 0.8, share));
            let a = t.y * 6.2831853;
            let round = vec3f(0.0, cos(a), sin(a));
            let r = 0.1 + 0.02 * sin(t.x * 40.0);
            let p = moved(d, vec3f(t.x * 2.0 - 1.0, 0.0, 0.0) + round * r) * 0.3;
            let o = vec2f(f32(i % 7u), f32(i / 7u)) / 3.5 - 0.86;
            return V(vec4f(o + p.xy, 0.5 - p.z, 1.0), turned(d.real, round), t);
        }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let n = normalize(v.n);
            let k = vec2i(floor(v.t * vec2f(20.0, 8.0)));
            let check = f32((k.x + k.y) & 1);
            let light = max(dot(n, normalize(vec3f(0.4, 0.6, 0.8))), 0.0);
            return vec4f(mix(vec3f(0.9, 0.3, 0.2), vec3f(0.95, 0.9, 0.7), check) * (0.25 + 0.7 * light) + 0.4 * pow(light, 24.0), 1.0);
        }";
    let mut corners = Vec::new();
    for n in 0..RINGS * SIDES {
        let [x, y] = [
            n / SIDES * 65535 / (RINGS - 1),
            n % SIDES * 65535 / (SIDES - 1),
        ];
        corners.extend([x as u16, y as u16].into_iter().flat_map(u16::to_le_bytes));
        let bone = (x * 5 / 65536) as u8;
        corners.extend([bone, bone + 1, 0, 0]);
    }
    let product = |a: [f32; 4], b: [f32; 4]| {
        [
            a[3] * b[0] + b[3] * a[0] + a[1] * b[2] - a[2] * b[1],
            a[3] * b[1] + b[3] * a[1] + a[2] * b[0] - a[0] * b[2],
            a[3] * b[2] + b[3] * a[2] + a[0] * b[1] - a[1] * b[0],
            a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
        ]
    };
    let mut bones = Vec::new();
    for tube in 0..49 {
        let (mut real, mut dual) = ([0.0, 0.0, 0.0, 1.0_f32], [0.0_f32; 4]);
        for bone in 0..6 {
            bones.extend(real.into_iter().chain(dual));
            // A turn about an axis through the joint.
            let joint = (bone as f32 + 0.5) * 0.4 - 1.0;
            let t = [0, 1, 2].map(|k| (part(tube * 32 + bone * 3 + k) - 0.5) * 0.9);
            let l = 1.0 / (1.0 + t[0] * t[0] + t[1] * t[1] + t[2] * t[2]).sqrt();
            let q = [t[0] * l, t[1] * l, t[2] * l, l];
            let to = product([joint / 2.0, 0.0, 0.0, 0.0], q);
            let back = product(q, [-joint / 2.0, 0.0, 0.0, 0.0]);
            let shift = [0, 1, 2, 3].map(|k| to[k] + back[k]);
            let [p, r] = [product(real, shift), product(dual, q)];
            dual = [0, 1, 2, 3].map(|k| p[k] + r[k]);
            real = product(real, q);
        }
    }
    let mut plan = empty("mesh/tubes of dual quaternions");
    let bones = plan.buffer(BufferUsages::UNIFORM, floats(bones));
    let mut layout = VertexBuffer::packed(
        VertexStepMode::Vertex,
        0,
        &[VertexFormat::Unorm16x2, VertexFormat::Uint8x2],
    );
    layout.stride = 8;
    let pipeline = Pipeline {
        buffers: vec![layout],
        depth: nearer(),
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    };
    let bytes = (vec![corners], Some(net(RINGS, SIDES)));
    let range = 0..6 * (RINGS - 1) * (SIDES - 1);
    let draw = with_buffers(
        &mut plan,
        pipeline,
        bytes,
        vec![Resource::Uniform(bones)],
        range,
    );
    with_depths(plan, vec![instances(draw, 49)])
}

/// The faces between blocks and air that the eye may see, a word each: place, side, kind, and how dark its corners are.
fn faces() -> Plan {
    let text = format!(
        "{CORNER}
        @group(0) @binding(0) var<storage, read> faces: array<u32>;
        struct V {{ @builtin(position) at: vec4f, @location(0) uv: vec2f, @location(1) shade: f32, @location(2) @interpolate(flat) kind: u32 }};
        @vertex fn vs(@builtin(vertex_index) n: u32) -> V {{
            let face = faces[n / 6u];
            let side = extractBits(face, 18u, 3u);
            let up = side & 1u;
            var k = n % 6u;
            if up == 0u {{ k = 5u - k; }}
            let c = corner(k);
            var p = vec3f(c, f32(up));
            switch side >> 1u {{
                case 0u: {{ p = p.zxy; }}
                case 1u: {{ p = p.yzx; }}
                default: {{}}
            }}
            p += vec3f(f32(extractBits(face, 0u, 6u)), f32(extractBits(face, 6u, 6u)), f32(extractBits(face, 12u, 6u)));
            let dark = extractBits(face, 24u + 2u * (u32(c.x) + 2u * u32(c.y)), 2u);
            let w = p - vec3f(24.0, 40.0, -6.0);
            let y = w.y * 0.85 + w.z * 0.52;
            let z = w.z * 0.85 - w.y * 0.52;
            let sun = array<f32, 6>(0.7, 0.8, 0.5, 1.0, 0.75, 0.6)[side];
            return V(vec4f(w.x, y, (z - 1.0) * 1.01, z), c, sun * (1.0 - 0.2 * f32(dark)), extractBits(face, 21u, 3u));
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            const COLORS = array<u32, 8>(0u, 0x4a9038u, 0x2f5588u, 0xf4f4f0u, 0x888888u, 0xc87830u, 0x307428u, 0x204468u);
            let k = vec2u(v.uv * 8.0);
            let grain = f32((k.x * 5u + k.y * 11u + k.x * k.y * 7u) % 5u) * 0.03;
            return vec4f(unpack4x8unorm(COLORS[v.kind]).rgb * (v.shade - grain), 1.0);
        }}"
    );
    let blocks = super::worlds::blocks();
    let kind = |p: [i32; 3]| match p {
        _ if p.iter().any(|k| !(0..64).contains(k)) => 0,
        [x, y, z] => u32::from(blocks[(x + y * 64 + z * 4096) as usize]),
    };
    let mut faces = Vec::new();
    for n in 0..64 * 64 * 64 {
        let p = [n % 64, n / 64 % 64, n / 4096];
        let own = kind(p);
        if own == 0 {
            continue;
        }
        for side in [0, 1, 3, 4] {
            let axis = side / 2;
            let mut next = p;
            next[axis] += if side % 2 == 1 { 1 } else { -1 };
            if kind(next) != 0 || next.iter().any(|k| !(0..64).contains(k)) {
                continue;
            }
            let (u, w) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut word = (p[0] | p[1] << 6 | p[2] << 12) as u32 | (side as u32) << 18 | own << 21;
            for corner in 0..4 {
                let mut solid = 0;
                let way = |k: usize| if corner >> k & 1 == 1 { 1 } else { -1 };
                for (a, b) in [(way(0), 0), (0, way(1)), (way(0), way(1))] {
                    let mut q = next;
                    q[u] += a;
                    q[w] += b;
                    solid += u32::from(kind(q) != 0);
                }
                word |= solid << (24 + 2 * corner);
            }
            faces.push(word);
        }
    }
    let count = faces.len() as u32;
    let mut plan = empty("mesh/faces of blocks");
    let faces = plan.buffer(BufferUsages::STORAGE, words(faces));
    let pipeline = Pipeline {
        depth: nearer(),
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    };
    let draw = drawn(
        &mut plan,
        pipeline,
        vec![Resource::Storage(faces)],
        0..6 * count,
    );
    with_depths(plan, vec![draw])
}

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
    vec![gems(), tubes(), faces(), splats(), ground(), charts()]
}
