//! Meshes: limbs that bend, cones that meet, balls with depths of their own, hulls, wires, patches and strokes.

use super::*;

/// Directions of 16 corners of a square, made as long as one.
fn around(k: u32) -> [f32; 2] {
    let f = (k % 4) as f32 / 2.0 - 1.0;
    let [x, y] = match k / 4 % 4 {
        0 => [f, -1.0],
        1 => [1.0, f],
        2 => [-f, 1.0],
        _ => [-1.0, -f],
    };
    let r = (x * x + y * y).sqrt();
    [x / r, y / r]
}

/// Indices of a net of rows and columns of corners.
pub(in super::super) fn net(rows: u32, columns: u32) -> Vec<u8> {
    let square = |n: u32| {
        let a = n / (columns - 1) * columns + n % (columns - 1);
        [a, a + 1, a + columns, a + columns, a + 1, a + columns + 1]
    };
    words((0..(rows - 1) * (columns - 1)).flat_map(square))
}

/// A pass of draws over the picture and new depths.
pub(in super::super) fn with_depths(mut plan: Plan, draws: Vec<Draw>) -> Plan {
    let depth = plan.target(F::Depth32Float, [SIZE, SIZE], 1);
    let target = Target {
        clear: Some([0.55, 0.6, 0.65, 1.0]),
        ..Target::cleared(0)
    };
    plan.pass(vec![target], Some(depth), draws);
    plan
}

/// 64 limbs of eight bones: two shapes are mixed into each corner, then four bones move it.
fn limbs() -> Plan {
    const RINGS: u32 = 33;
    const SIDES: u32 = 17;
    use VertexFormat::*;
    let text = "
        @group(0) @binding(0) var<storage, read> bones: array<mat4x4f>;
        @group(0) @binding(1) var<storage, read> shapes: array<array<vec4f, 2>>;
        struct V { @builtin(position) at: vec4f, @location(0) n: vec3f, @location(1) c: vec3f };
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32,
            @location(0) place: vec4f, @location(1) normal: vec4f, @location(2) joints: vec4u, @location(3) weights: vec4f) -> V {
            let mixed = vec2f(f32(i & 7u), f32(i >> 3u)) / 8.0;
            let p = vec4f(place.xyz + shapes[n][0].xyz * mixed.x + shapes[n][1].xyz * mixed.y, 1.0);
            var w = vec4f();
            var d = vec4f();
            for (var k = 0; k < 4; k++) {
                let bone = bones[i * 8u + joints[k]];
                w += weights[k] * (bone * p);
                d += weights[k] * (bone * vec4f(normal.xyz, 0.0));
            }
            let o = vec2f(f32(i & 7u), f32(i >> 3u)) / 4.0 - 0.9;
            return V(vec4f(o + w.xy * 0.4, 0.5 - w.z * 0.5, 1.0), d.xyz, vec3f(mixed, place.x));
        }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let n = normalize(v.n);
            let light = max(dot(n, normalize(vec3f(0.4, 0.6, 0.8))), 0.0);
            return vec4f((0.3 + 0.6 * v.c) * (0.3 + light) + pow(light, 16.0), 1.0);
        }";
    let short = |n: f32| ((n * 32767.0) as i16).to_le_bytes();
    let (mut vertices, mut shapes) = (Vec::new(), Vec::new());
    for n in 0..RINGS * SIDES {
        let (ring, [y, z]) = (n / SIDES, around(n % SIDES % 16));
        let x = ring as f32 / (RINGS - 1) as f32;
        let r = 0.12 - 0.08 * x;
        vertices.extend([x, r * y, r * z, 0.0].into_iter().flat_map(short));
        let signed = |n: f32| (n * 127.0) as i8 as u8;
        vertices.extend([0, signed(y), signed(z), 0]);
        let along = ring * 7 * 255 / (RINGS - 1);
        let bone = (along / 255).min(6) as u8;
        let share = (along - u32::from(bone) * 255) as u8;
        vertices.extend([bone, bone + 1, bone.saturating_sub(1), (bone + 2).min(7)]);
        vertices.extend([(255 - share) / 5 * 4, share / 5 * 4, 25, 26]);
        let bulge = x * (1.0 - x) * 0.4;
        shapes.extend([
            0.0,
            bulge * y,
            bulge * z,
            0.0,
            0.0,
            0.1 * x * y * y,
            -0.1 * x,
            0.0,
        ]);
    }
    let mut bones = Vec::new();
    for limb in 0..64 {
        let (mut p, mut d) = ([0.0_f32, 0.0], [1.0_f32, 0.0]);
        for bone in 0..8 {
            let t = part(limb * 8 + bone) * 0.5 - 0.25;
            let [c, s] = [1.0 - t * t, 2.0 * t].map(|n| n / (1.0 + t * t));
            d = [d[0] * c - d[1] * s, d[0] * s + d[1] * c];
            let rest = bone as f32 / 7.0;
            bones.extend([
                d[0], d[1], 0.0, 0.0, -d[1], d[0], 0.0, 0.0, 0.0, 0.0, 1.0, 0.0,
            ]);
            bones.extend([p[0] - d[0] * rest, p[1] - d[1] * rest, 0.0, 1.0]);
            p = [p[0] + d[0] / 7.0, p[1] + d[1] / 7.0];
        }
    }
    let mut plan = empty("mesh/limbs with bones and shapes");
    let vertices = vec![plan.buffer(BufferUsages::VERTEX, vertices)];
    let indices = Some(plan.buffer(BufferUsages::INDEX, net(RINGS, SIDES)));
    let [bones, shapes] =
        [bones, shapes].map(|numbers| plan.buffer(BufferUsages::STORAGE, floats(numbers)));
    let formats = [Snorm16x4, Snorm8x4, Uint8x4, Unorm8x4];
    let pipeline = Pipeline {
        buffers: vec![VertexBuffer::packed(VertexStepMode::Vertex, 0, &formats)],
        depth: nearer(),
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    };
    let resources = vec![Resource::Storage(bones), Resource::Storage(shapes)];
    let draw = drawn(
        &mut plan,
        pipeline,
        resources,
        0..6 * (RINGS - 1) * (SIDES - 1),
    );
    let draw = Draw {
        vertices,
        indices,
        ..instances(draw, 64)
    };
    with_depths(plan, vec![draw])
}

/// A draw of instances without buffers, over depths.
fn plain(label: &str, text: &str, vertices: u32, count: u32) -> Plan {
    let mut plan = empty(&format!("mesh/{label}"));
    let pipeline = Pipeline {
        depth: nearer(),
        ..Pipeline::new(format!("{MIXED}{CORNER}{text}"), &[F::Rgba8Unorm])
    };
    let draw = drawn(&mut plan, pipeline, Vec::new(), 0..vertices);
    with_depths(plan, vec![instances(draw, count)])
}

/// The nearest of 128 points, by cones that meet half way.
const CONES: &str = "
    struct V { @builtin(position) at: vec4f, @location(0) @interpolate(flat) h: u32 };
    @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
        let h = mixed(i);
        let o = vec2f(f32(h & 1023u), f32(h >> 10u & 1023u)) / 511.5 - 1.0;
        let a = f32(n / 3u + n % 3u - 1u) * 6.2831853 / 48.0;
        if n % 3u == 0u { return V(vec4f(o, 0.0, 1.0), h); }
        return V(vec4f(o + vec2f(cos(a), sin(a)) * 0.4, 0.9, 1.0), h);
    }
    @fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(unpack4x8unorm(v.h * 97u).rgb * (1.0 - v.at.z), 1.0); }";

/// Squares that show balls, whose depths fragments write.
const BALLS: &str = "
    struct V { @builtin(position) at: vec4f, @location(0) p: vec2f, @location(1) @interpolate(flat) ball: vec4f, @location(2) @interpolate(flat) h: u32 };
    struct O { @location(0) c: vec4f, @builtin(frag_depth) z: f32 };
    @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
        let h = mixed(i);
        let p = vec3f(f32(h & 1023u), f32(h >> 10u & 1023u), f32(h >> 20u & 1023u)) / 1023.0;
        let ball = vec4f(p.xy * 2.0 - 1.0, 0.2 + 0.6 * p.z, 0.06 + f32(h >> 7u & 15u) * 0.008);
        let c = corner(n) * 2.0 - 1.0;
        return V(vec4f(ball.xy + c * ball.w, ball.z, 1.0), c, ball, h);
    }
    @fragment fn fs(v: V) -> O {
        let e = 1.0 - dot(v.p, v.p);
        if e <= 0.0 { discard; }
        let n = vec3f(v.p, sqrt(e));
        let stripe = fract(n.y * 3.0 + n.x * f32(v.h & 3u)) < 0.5;
        let light = normalize(vec3f(0.5, 0.6, 0.7));
        let half = normalize(light + vec3f(0.0, 0.0, 1.0));
        let c = select(unpack4x8unorm(v.h).rgb, vec3f(0.9), stripe);
        let lit = c * (0.15 + 0.8 * max(dot(n, light), 0.0)) + 0.5 * pow(max(dot(n, half), 0.0), 32.0);
        return O(vec4f(lit, 1.0), v.ball.z - n.z * v.ball.w);
    }";

/// A sheet of waves with smooth edges of all its triangles.
const WIRES: &str = "
    struct V { @builtin(position) at: vec4f, @location(0) b: vec3f, @location(1) h: f32 };
    @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
        let p = (vec2f(f32(i % 48u), f32(i / 48u)) + corner(n)) / 48.0;
        let h = sin(p.x * 14.0) * cos(p.y * 11.0 + p.x * 3.0);
        var b = vec3f();
        b[n % 3u] = 1.0;
        let w = 1.0 + p.y;
        return V(vec4f((p.x * 2.4 - 1.2) * 1.8, (p.y * 1.6 - 0.9) * w + h * 0.15, w * (0.2 + 0.3 * p.y), w), b, h);
    }
    @fragment fn fs(v: V) -> @location(0) vec4f {
        let wide = fwidth(v.b);
        let edge = smoothstep(vec3f(), wide * 1.2, v.b);
        let line = 1.0 - min(min(edge.x, edge.y), edge.z);
        return vec4f(mix(vec3f(0.1, 0.15 + 0.1 * v.h, 0.3), vec3f(0.6, 1.0, 0.7), line), 1.0);
    }";

/// Patches of 16 points, which every corner of a fine net goes over.
const PATCHES: &str = "
    struct V { @builtin(position) at: vec4f, @location(0) n: vec3f, @location(1) c: vec3f };
    fn point(number: u32, k: u32) -> vec3f {
        let h = mixed(number * 16u + k);
        return vec3f(f32(k & 3u), f32(k >> 2u), f32(h & 255u) / 80.0) / 3.0 - 0.5;
    }
    fn shares(t: f32) -> vec4f {
        let s = 1.0 - t;
        return vec4f(s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t);
    }
    fn slopes(t: f32) -> vec4f {
        let s = 1.0 - t;
        return vec4f(-3.0 * s * s, 3.0 * s * s - 6.0 * s * t, 6.0 * s * t - 3.0 * t * t, 3.0 * t * t);
    }
    @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
        let square = n / 6u;
        let t = (vec2f(f32(square % 16u), f32(square / 16u)) + corner(n % 6u)) / 16.0;
        let x = shares(t.x);
        let y = shares(t.y);
        let dx = slopes(t.x);
        let dy = slopes(t.y);
        var p = vec3f();
        var u = vec3f();
        var w = vec3f();
        for (var k = 0u; k < 16u; k++) {
            let q = point(i, k);
            p += q * x[k & 3u] * y[k >> 2u];
            u += q * dx[k & 3u] * y[k >> 2u];
            w += q * x[k & 3u] * dy[k >> 2u];
        }
        let turned = vec3f(p.x * 0.9 + p.z * 0.3, p.y * 0.8 + p.z * 0.5, p.z * 0.8 - p.y * 0.4);
        let o = vec2f(f32(i % 6u), f32(i / 6u)) / 3.0 - 0.83;
        return V(vec4f(o + turned.xy * 0.33, 0.5 - turned.z * 0.4, 1.0), cross(u, w), unpack4x8unorm(mixed(i)).rgb);
    }
    @fragment fn fs(v: V) -> @location(0) vec4f {
        let n = normalize(v.n);
        let c = 0.4 + 0.6 * v.c;
        return vec4f(c * (0.2 + 0.8 * abs(dot(n, normalize(vec3f(0.5, 0.4, 0.8))))), 1.0);
    }";

/// Bumps with dark hulls around them, and light in steps.
fn hulls() -> Plan {
    let text = |grown: f32, color: &str| {
        format!(
            "{MIXED}{CORNER}
            struct V {{ @builtin(position) at: vec4f, @location(0) n: vec3f, @location(1) @interpolate(flat) h: u32 }};
            fn place(p: vec2f) -> vec3f {{
                let a = p * vec2f(6.2831853, 3.1415927);
                let n = vec3f(cos(a.x) * sin(a.y), cos(a.y), sin(a.x) * sin(a.y));
                return n * (1.0 + 0.2 * sin(a.x * 4.0) * sin(a.y * 3.0));
            }}
            @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
                let square = n / 6u;
                let t = (vec2f(f32(square % 24u), f32(square / 24u)) + corner(n % 6u)) / 24.0;
                let p = place(t);
                let d = cross(place(t + vec2f(0.0, 0.01)) - place(t - vec2f(0.0, 0.01)), place(t + vec2f(0.01, 0.0)) - place(t - vec2f(0.01, 0.0)));
                let normal = -d / max(length(d), 0.000001);
                let h = mixed(i);
                let o = vec3f(f32(h & 1023u), f32(h >> 10u & 1023u), f32(h >> 20u & 1023u)) / 1023.0;
                let w = p + normal * {grown:?};
                return V(vec4f(o.xy * 1.8 - 0.9 + w.xy * 0.12, 0.2 + 0.6 * o.z - w.z * 0.12, 1.0), normal, h);
            }}
            @fragment fn fs(v: V) -> @location(0) vec4f {{ {color} }}"
        )
    };
    let steps = "let light = dot(normalize(v.n), normalize(vec3f(-0.4, 0.5, 0.7)));
        return vec4f((0.4 + 0.6 * unpack4x8unorm(v.h).rgb) * (0.3 + floor(max(light, 0.0) * 3.99) * 0.2), 1.0);";
    let mut plan = empty("mesh/hulls around bumps");
    let mut draws = Vec::new();
    for (text, cull) in [
        (
            text(0.08, "return vec4f(0.05, 0.0, 0.1, 1.0);"),
            Face::Front,
        ),
        (text(0.0, steps), Face::Back),
    ] {
        let pipeline = Pipeline {
            depth: nearer(),
            cull: Some(cull),
            ..Pipeline::new(text, &[F::Rgba8Unorm])
        };
        let draw = drawn(&mut plan, pipeline, Vec::new(), 0..6 * 24 * 24);
        draws.push(instances(draw, 40));
    }
    with_depths(plan, draws)
}

/// Strips along 160 ways of 48 points, wider in their middles, with corners cut between the parts.
fn strokes() -> Plan {
    let text = "
        @group(0) @binding(0) var<storage, read> points: array<vec2f>;
        struct V { @builtin(position) at: vec4f, @location(0) side: f32, @location(1) c: vec3f };
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
            let k = n / 2u;
            let first = i * 48u;
            let p = points[first + k];
            let before = points[first + max(k, 1u) - 1u];
            let after = points[first + min(k + 1u, 47u)];
            let a = normalize(select(p - before, after - p, k == 0u));
            let b = normalize(select(after - p, p - before, k == 47u));
            let across = normalize(vec2f(-a.y - b.y, a.x + b.x));
            let cut = min(1.0 / max(dot(across, vec2f(-a.y, a.x)), 0.3), 2.0);
            let t = f32(k) / 47.0;
            let side = select(-1.0, 1.0, (n & 1u) == 1u);
            let wide = 0.004 + 0.1 * t * (1.0 - t);
            return V(vec4f(p + across * side * cut * wide, 0.5, 1.0), side, vec3f(fract(f32(i) * 0.37), t, fract(f32(i) * 0.61)));
        }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let soft = 1.0 - smoothstep(0.6, 1.0, abs(v.side));
            return vec4f(v.c, 0.6 * soft);
        }";
    let mut points = Vec::new();
    for way in 0..160 {
        let [mut x, mut y] = [part(way * 3) * 2.0 - 1.0, part(way * 3 + 1) * 2.0 - 1.0];
        let mut d = [0.03_f32, 0.0];
        for k in 0..48 {
            points.extend([x, y]);
            let t = (part(way * 977 + k / 6) - 0.5) * 0.4;
            let [c, s] = [1.0 - t * t, 2.0 * t].map(|n| n / (1.0 + t * t));
            d = [d[0] * c - d[1] * s, d[0] * s + d[1] * c];
            [x, y] = [x + d[0], y + d[1]];
        }
    }
    let mut plan = empty("mesh/strokes of strips");
    let points = plan.buffer(BufferUsages::STORAGE, floats(points));
    let mut pipeline = Pipeline {
        topology: PrimitiveTopology::TriangleStrip,
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    };
    pipeline.targets[0].blend = Some(BlendState::ALPHA_BLENDING);
    let draw = drawn(&mut plan, pipeline, vec![Resource::Storage(points)], 0..96);
    plan.pass(vec![Target::cleared(0)], None, vec![instances(draw, 160)]);
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![
        limbs(),
        plain("cones of nearest points", CONES, 3 * 48, 128),
        plain("balls with depths", BALLS, 6, 500),
        plain("wires of a sheet", WIRES, 6, 48 * 48),
        plain("patches", PATCHES, 6 * 256, 36),
        hulls(),
        strokes(),
    ]
}
