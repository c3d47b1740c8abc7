//! Meshes of unusual corners: instances of eight formats, tubes of dual quaternions, and faces of blocks in a word.

use super::second::meshes::{net, with_depths};
use super::*;

/// Draws of triangles with vertex buffers over depths.
pub(super) fn with_buffers(
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

pub(super) fn cells() -> Vec<Plan> {
    vec![gems(), tubes(), faces()]
}
