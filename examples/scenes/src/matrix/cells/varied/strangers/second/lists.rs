//! Dispatches that append, cull and label: lines of a field, things that are seen, regions and bounds of tiles.

use super::*;

/// Numbers of an indirect draw of so many vertices, whose instances dispatches count.
fn counter(plan: &mut Plan, vertices: u32) -> usize {
    let numbers = words([vertices, 0, 0, 0]);
    let usage = BufferUsages::STORAGE | BufferUsages::INDIRECT | BufferUsages::COPY_DST;
    let buffer = plan.buffer(usage, numbers.clone());
    plan.steps.push(Step::Update(buffer, numbers));
    buffer
}

/// Lines of four heights of a field, found by squares, and drawn as strokes.
fn lines() -> Plan {
    let text = "
        struct Numbers { vertices: u32, instances: atomic<u32>, first: u32, base: u32 };
        @group(0) @binding(0) var<storage, read_write> numbers: Numbers;
        @group(0) @binding(1) var<storage, read_write> lines: array<vec4f>;
        const EDGES = array<vec2u, 16>(vec2u(4u), vec2u(3u, 0u), vec2u(0u, 1u), vec2u(3u, 1u), vec2u(1u, 2u), vec2u(3u, 2u), vec2u(0u, 2u), vec2u(3u, 2u),
            vec2u(2u, 3u), vec2u(2u, 0u), vec2u(0u, 3u), vec2u(2u, 1u), vec2u(1u, 3u), vec2u(1u, 0u), vec2u(0u, 3u), vec2u(4u));
        var<workgroup> heights: array<array<f32, 17>, 17>;
        fn field(p: vec2f) -> f32 {
            var s = 0.0;
            for (var i = 0; i < 9; i++) {
                let c = vec2f(f32(i * 5 % 9), f32(i * i * 7 % 11)) * vec2f(29.0, 24.0) + 12.0;
                s += 400.0 / (dot(p - c, p - c) + 90.0);
            }
            return s;
        }
        fn crossed(p: vec2f, edge: u32, h: vec4f, level: f32) -> vec2f {
            let a = h[edge];
            let b = h[(edge + 1u) & 3u];
            let t = (level - a) / (b - a);
            switch edge {
                case 0u: { return p + vec2f(t, 0.0); }
                case 1u: { return p + vec2f(1.0, t); }
                case 2u: { return p + vec2f(1.0 - t, 1.0); }
                default: { return p + vec2f(0.0, 1.0 - t); }
            }
        }
        @compute @workgroup_size(16, 16) fn cs(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_id) l: vec3u,
            @builtin(local_invocation_index) n: u32, @builtin(workgroup_id) w: vec3u) {
            for (var i = n; i < 289u; i += 256u) {
                let at = vec2u(i % 17u, i / 17u);
                heights[at.y][at.x] = field(vec2f(w.xy * 16u + at));
            }
            workgroupBarrier();
            let h = vec4f(heights[l.y][l.x], heights[l.y][l.x + 1u], heights[l.y + 1u][l.x + 1u], heights[l.y + 1u][l.x]);
            let p = vec2f(g.xy);
            for (var k = 0; k < 4; k++) {
                let level = 0.8 + 0.6 * f32(k);
                let bits = vec4u(h > vec4f(level));
                let edges = EDGES[bits.x | bits.y << 1u | bits.z << 2u | bits.w << 3u];
                if edges.x == 4u { continue; }
                let to = atomicAdd(&numbers.instances, 1u);
                if to < arrayLength(&lines) { lines[to] = vec4f(crossed(p, edges.x, h, level), crossed(p, edges.y, h, level)); }
            }
        }";
    let strokes = format!(
        "{CORNER}
        @group(0) @binding(0) var<storage, read> lines: array<vec4f>;
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> @builtin(position) vec4f {{
            let line = lines[i];
            let d = line.zw - line.xy;
            let way = d / max(length(d), 0.0001) * 0.6;
            let c = corner(n) * 2.0 - 1.0;
            let p = select(line.xy, line.zw, c.x > 0.0) + way * c.x + vec2f(-way.y, way.x) * c.y;
            return vec4f(p / 128.0 - 1.0, 0.5, 1.0);
        }}
        @fragment fn fs(@builtin(position) at: vec4f) -> @location(0) vec4f {{ return vec4f(1.0, at.xy / 512.0, 1.0); }}"
    );
    let mut plan = empty("compute/lines of a field");
    let numbers = counter(&mut plan, 6);
    let list = space(&mut plan, 1 << 18);
    let resources = vec![Resource::Written(numbers), Resource::Written(list)];
    run(&mut plan, text, resources, [16, 16, 1]);
    let pipeline = Pipeline::new(strokes, &[F::Rgba8Unorm]);
    let draw = drawn(&mut plan, pipeline, vec![Resource::Storage(list)], 0..6);
    let indirect = Some(numbers);
    plan.pass(
        vec![Target::cleared(0)],
        None,
        vec![Draw { indirect, ..draw }],
    );
    plan
}

/// 8192 turning boxes; those within a cone and large enough go to a list, which is drawn with the count that came of it.
fn seen() -> Plan {
    let declared = format!(
        "{MIXED}
        struct Thing {{ place: vec3f, size: f32 }};
        fn thing(i: u32) -> Thing {{
            let h = mixed(i);
            let g = mixed(i + 77777u);
            let p = vec3f(f32(h & 1023u), f32(h >> 10u & 1023u), f32(g & 1023u)) / 511.5 - 1.0;
            return Thing(p * vec3f(30.0, 30.0, 30.0) + vec3f(0.0, 0.0, 32.0), 0.2 + f32(g >> 12u & 255u) / 600.0);
        }}"
    );
    let cull = format!(
        "{declared}
        struct Numbers {{ vertices: u32, instances: atomic<u32>, first: u32, base: u32 }};
        @group(0) @binding(0) var<storage, read_write> numbers: Numbers;
        @group(0) @binding(1) var<storage, read_write> list: array<u32>;
        var<workgroup> count: atomic<u32>;
        var<workgroup> first: u32;
        @compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32) {{
            let t = thing(g.x);
            let planes = array<vec3f, 4>(vec3f(0.8, 0.0, 0.6), vec3f(-0.8, 0.0, 0.6), vec3f(0.0, 0.8, 0.6), vec3f(0.0, -0.8, 0.6));
            var inside = t.place.z > 2.0 && t.size / t.place.z > 0.008;
            for (var i = 0; i < 4; i++) {{ inside &= dot(planes[i], t.place) > -t.size * 2.0; }}
            var at = 0u;
            if inside {{ at = atomicAdd(&count, 1u); }}
            workgroupBarrier();
            if l == 0u {{ first = atomicAdd(&numbers.instances, atomicLoad(&count)); }}
            workgroupBarrier();
            if inside {{ list[first + at] = g.x; }}
        }}"
    );
    let boxes = format!(
        "{declared}
        @group(0) @binding(0) var<storage, read> list: array<u32>;
        struct V {{ @builtin(position) at: vec4f, @location(0) c: vec3f }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) k: u32) -> V {{
            let i = list[k];
            let t = thing(i);
            let face = n / 6u;
            let side = select(-1.0, 1.0, face > 2u);
            let square = vec2f(f32(0x32u >> n % 6u & 1u), f32(0x2cu >> n % 6u & 1u)) * 2.0 - 1.0;
            var p = vec3f(square, side);
            var q = vec3f(0.0, 0.0, side);
            switch face % 3u {{
                case 1u: {{ p = p.yzx; q = q.yzx; }}
                case 2u: {{ p = p.zxy; q = q.zxy; }}
                default: {{}}
            }}
            let a = f32(i) * 0.7;
            let turn = mat3x3f(cos(a), 0.0, sin(a), 0.0, 1.0, 0.0, -sin(a), 0.0, cos(a));
            let w = t.place + turn * p * t.size;
            let color = unpack4x8unorm(mixed(i * 3u)).rgb * 0.7 + 0.3;
            return V(vec4f(w.xy * 1.33, w.z * w.z * 0.014, w.z), color * (0.5 + 0.5 * dot(turn * q, vec3f(0.3, 0.8, -0.5))));
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{ return vec4f(v.c, 1.0); }}"
    );
    let mut plan = empty("compute/things that are seen");
    let depth = plan.target(F::Depth32Float, [SIZE, SIZE], 1);
    let numbers = counter(&mut plan, 36);
    let list = space(&mut plan, 1 << 14);
    let resources = vec![Resource::Written(numbers), Resource::Written(list)];
    run(&mut plan, cull, resources, [128, 1, 1]);
    let pipeline = Pipeline {
        depth: nearer(),
        ..Pipeline::new(boxes, &[F::Rgba8Unorm])
    };
    let draw = drawn(&mut plan, pipeline, vec![Resource::Storage(list)], 0..36);
    let indirect = Some(numbers);
    plan.pass(
        vec![Target::cleared(0)],
        Some(depth),
        vec![Draw { indirect, ..draw }],
    );
    plan
}

/// Regions of a picture of 256 by 256 bits, each with the least number of its texels, by unions that race.
fn regions() -> Plan {
    let declared = format!(
        "{MIXED}
        @group(0) @binding(0) var<storage, read_write> labels: array<atomic<u32>>;
        fn solid(p: vec2i) -> bool {{
            if any(p < vec2i()) || any(p >= vec2i(256)) {{ return false; }}
            let d = p - 128;
            let ring = (d.x * d.x + d.y * d.y) / 1500 % 2 == 0;
            let h = mixed(u32(p.x / 4 + p.y / 4 * 64)) & 255u;
            return h < select(120u, 190u, ring);
        }}
        fn root(n: u32) -> u32 {{
            var at = n;
            loop {{
                let up = atomicLoad(&labels[at]);
                if up == at {{ break; }}
                at = up;
            }}
            return at;
        }}
        fn joined(n: u32, m: u32) {{
            var a = root(n);
            var b = root(m);
            while a != b {{
                if a < b {{
                    let t = a;
                    a = b;
                    b = t;
                }}
                let old = atomicMin(&labels[a], b);
                if old == a {{ return; }}
                a = old;
            }}
        }}
        @compute @workgroup_size(16, 16) fn cs(@builtin(global_invocation_id) g: vec3u) {{
            let p = vec2i(g.xy);
            let n = g.x + g.y * 256u;"
    );
    let bodies = [
        "atomicStore(&labels[n], n); }",
        "if !solid(p) { return; }
            if solid(p - vec2i(1, 0)) { joined(n, n - 1u); }
            if solid(p - vec2i(0, 1)) { joined(n, n - 256u); }
        }",
        "if solid(p) { atomicStore(&labels[n], root(n)); } else { atomicStore(&labels[n], 0xffffffffu); } }",
    ];
    let mut plan = empty("compute/connected regions");
    let labels = space(&mut plan, 1 << 16);
    for body in bodies {
        let resources = vec![Resource::Written(labels)];
        run(
            &mut plan,
            format!("{declared}{body}"),
            resources,
            [16, 16, 1],
        );
    }
    let color = "let n = b[at.x / 2u + at.y / 2u * 256u];
        if n == 0xffffffffu { return vec4f(0.0, 0.0, 0.0, 1.0); }
        return vec4f(unpack4x8unorm(n * 2654435761u).yzw * 0.8 + 0.2, 1.0);";
    shown(&mut plan, labels, color);
    plan
}

/// Least, most and mean colours of tiles and where the lightest texel is, in a tree of structs that a group shares.
fn bounds() -> Plan {
    let declared =
        "struct Box { low: vec3f, light: f32, high: vec3f, place: u32, sum: vec3f, count: u32 };";
    let text = format!(
        "{declared}
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var<storage, read_write> boxes: array<Box>;
        var<workgroup> s: array<Box, 256>;
        fn both(a: Box, b: Box) -> Box {{
            var r = a;
            r.low = min(a.low, b.low);
            r.high = max(a.high, b.high);
            r.sum += b.sum;
            r.count += b.count;
            if b.light > a.light || (b.light == a.light && b.place < a.place) {{
                r.light = b.light;
                r.place = b.place;
            }}
            return r;
        }}
        @compute @workgroup_size(16, 16) fn cs(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32,
            @builtin(workgroup_id) w: vec3u) {{
            let c = textureLoad(t, g.xy, 0).rgb;
            s[l] = Box(c, round(dot(c, vec3f(76.0, 150.0, 29.0))), c, l, c, 1u);
            for (var n = 128u; n > 0u; n >>= 1u) {{
                workgroupBarrier();
                if l < n {{ s[l] = both(s[l], s[l + n]); }}
            }}
            if l == 0u {{ boxes[w.x + w.y * 32u] = s[0]; }}
        }}"
    );
    let fragment = format!(
        "{declared}
        @group(0) @binding(0) var<storage, read> boxes: array<Box>;
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let at = vec2u(v.at.xy);
            let box = boxes[at.x / 16u + at.y / 16u * 32u];
            let inner = at % 16u;
            if inner.x + inner.y * 16u == box.place {{ return vec4f(1.0, 0.0, 1.0, 1.0); }}
            if inner.y < 5u {{ return vec4f(box.low, 1.0); }}
            if inner.y < 10u {{ return vec4f(box.sum / f32(box.count), 1.0); }}
            return vec4f(box.high, 1.0);
        }}"
    );
    let mut plan = empty("compute/bounds of tiles");
    let Read(picture, kind, _) = made(F::Rgba8Unorm, 512, disks);
    let image = plan.texture(picture);
    let to = space(&mut plan, 12 << 10);
    let resources = vec![Resource::Texture(image, kind), Resource::Written(to)];
    run(&mut plan, text, resources, [32, 32, 1]);
    cover(&mut plan, 0, &fragment, vec![Resource::Storage(to)]);
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![lines(), seen(), regions(), bounds()]
}
