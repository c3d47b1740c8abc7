//! Dispatches whose results are drawn: cloth of springs, a sparse matrix, means of colours, and cells of particles.

use super::second::meshes::with_depths;
use super::*;

/// 48 by 48 weights between springs fall over a ball in 40 steps, then are drawn with normals from their neighbours.
fn cloth() -> Plan {
    let first = "
        struct Weight { place: vec3f, fixed: u32, before: vec3f, pad: u32 };
        @group(0) @binding(0) var<storage, read_write> a: array<Weight>;
        @compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) g: vec3u) {
            let p = (vec2f(g.xy) - 23.5) * 0.04;
            let place = vec3f(p.x, 0.3 + p.x * 0.1, p.y);
            a[g.x + g.y * 48u] = Weight(place, select(0u, 1u, g.y == 0u && g.x % 47u == 0u), place, 0u);
        }";
    let step = "
        struct Weight { place: vec3f, fixed: u32, before: vec3f, pad: u32 };
        @group(0) @binding(0) var<storage, read_write> a: array<Weight>;
        @group(0) @binding(1) var<storage, read_write> b: array<Weight>;
        @compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) g: vec3u) {
            let i = g.x + g.y * 48u;
            var w = a[i];
            if w.fixed == 1u {
                b[i] = w;
                return;
            }
            var force = vec3f(0.0, -2.0, 0.0);
            for (var k = 0; k < 12; k++) {
                let o = array<vec2i, 12>(vec2i(1, 0), vec2i(-1, 0), vec2i(0, 1), vec2i(0, -1), vec2i(1, 1), vec2i(-1, 1), vec2i(1, -1), vec2i(-1, -1), vec2i(2, 0), vec2i(-2, 0), vec2i(0, 2), vec2i(0, -2))[k];
                let p = vec2i(g.xy) + o;
                if any(p < vec2i()) || any(p >= vec2i(48)) { continue; }
                let way = a[u32(p.x + p.y * 48)].place - w.place;
                let l = length(way);
                let rest = length(vec2f(o)) * 0.04;
                force += way / max(l, 0.0001) * (l - rest) * select(300.0, 120.0, k >= 8);
            }
            let now = w.place;
            var next = now + (now - w.before) * 0.985 + force * 0.0009;
            let c = next - vec3f(0.1, -0.35, 0.0);
            if length(c) < 0.5 { next = vec3f(0.1, -0.35, 0.0) + normalize(c) * 0.5; }
            next.y = max(next.y, -0.95);
            w.before = now;
            w.place = next;
            b[i] = w;
        }";
    let text = format!(
        "{CORNER}
        struct Weight {{ place: vec3f, fixed: u32, before: vec3f, pad: u32 }};
        @group(0) @binding(0) var<storage, read> a: array<Weight>;
        struct V {{ @builtin(position) at: vec4f, @location(0) n: vec3f, @location(1) uv: vec2f }};
        fn place(p: vec2i) -> vec3f {{
            let q = clamp(p, vec2i(), vec2i(47));
            return a[q.x + q.y * 48].place;
        }}
        @vertex fn vs(@builtin(vertex_index) n: u32) -> V {{
            let k = n / 6u;
            let at = vec2i(i32(k % 47u), i32(k / 47u)) + vec2i(corner(n % 6u));
            let p = place(at);
            let d = cross(place(at + vec2i(0, 1)) - place(at - vec2i(0, 1)), place(at + vec2i(1, 0)) - place(at - vec2i(1, 0)));
            let y = p.y * 0.9 - p.z * 0.43;
            let z = p.z * 0.9 + p.y * 0.43;
            return V(vec4f(p.x * 0.9, y * 0.9 + 0.1, 0.5 + z * 0.3, 1.0), d, vec2f(at) / 47.0);
        }}
        @fragment fn fs(v: V, @builtin(front_facing) front: bool) -> @location(0) vec4f {{
            let n = normalize(v.n);
            let light = 0.25 + 0.75 * abs(dot(n, normalize(vec3f(0.4, 0.8, -0.45))));
            let k = vec2u(v.uv * 12.0);
            let c = select(vec3f(0.8, 0.2, 0.25), vec3f(0.95, 0.9, 0.8), ((k.x ^ k.y) & 1u) == 1u);
            return vec4f(select(c * 0.7, c, front) * light, 1.0);
        }}"
    );
    let mut plan = empty("compute/cloth of springs");
    let [a, b] = [0; 2].map(|_| space(&mut plan, 8 * 48 * 48));
    run(&mut plan, first, vec![Resource::Written(a)], [6, 6, 1]);
    for n in 0..40 {
        let [from, to] = if n % 2 == 0 { [a, b] } else { [b, a] };
        run(
            &mut plan,
            step,
            vec![Resource::Written(from), Resource::Written(to)],
            [6, 6, 1],
        );
    }
    let pipeline = Pipeline {
        depth: nearer(),
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    };
    let draw = drawn(
        &mut plan,
        pipeline,
        vec![Resource::Storage(a)],
        0..6 * 47 * 47,
    );
    with_depths(plan, vec![draw])
}

/// Heat on 64K nodes with three to nine neighbours each, in rows of a sparse matrix: six products.
fn sparse() -> Plan {
    let text = "
        @group(0) @binding(0) var<storage, read> starts: array<u32>;
        @group(0) @binding(1) var<storage, read> columns: array<u32>;
        @group(0) @binding(2) var<storage, read> numbers: array<f32>;
        @group(0) @binding(3) var<storage, read_write> x: array<f32>;
        @group(0) @binding(4) var<storage, read_write> y: array<f32>;
        @compute @workgroup_size(128) fn cs(@builtin(global_invocation_id) g: vec3u) {
            var sum = 0.0;
            let end = starts[g.x + 1u];
            for (var k = starts[g.x]; k < end; k++) { sum = fma(numbers[k], x[columns[k]], sum); }
            let i = g.x;
            y[i] = select(sum, 1.0, i % 8191u == 77u);
        }";
    let (mut starts, mut columns, mut numbers) = (vec![0], Vec::new(), Vec::new());
    for n in 0..1_u32 << 16 {
        let [x, y] = [n % 256, n / 256];
        let count = 3 + mixed(n) % 7;
        for k in 0..count {
            let h = mixed(n * 16 + k);
            let spread = if k < 4 {
                [k % 2 * 2 + 255, k / 2 * 2 + 255]
            } else {
                [h % 17 + 248, h / 17 % 17 + 248]
            };
            columns.push((x + spread[0]) % 256 + (y + spread[1]) % 256 * 256);
            numbers.push(0.995 / count as f32);
        }
        starts.push(columns.len() as u32);
    }
    let start: Vec<f32> = (0..1_u32 << 16)
        .map(|n| (mixed(n / 16 % 16 + n / 4096 * 16) & 3 == 0) as u8 as f32)
        .collect();
    let mut plan = empty("compute/rows of a sparse matrix");
    let [starts, columns] =
        [starts, columns].map(|list| plan.buffer(BufferUsages::STORAGE, words(list)));
    let numbers = plan.buffer(BufferUsages::STORAGE, floats(numbers));
    let first = plan.buffer(BufferUsages::STORAGE, floats(start));
    let lists = [0; 2].map(|_| space(&mut plan, 1 << 16));
    let copy = "@group(0) @binding(0) var<storage, read> a: array<vec4f>;
        @group(0) @binding(1) var<storage, read_write> b: array<vec4f>;
        @compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) { b[g.x] = a[g.x]; }";
    run(
        &mut plan,
        copy,
        vec![Resource::Storage(first), Resource::Written(lists[0])],
        [256, 1, 1],
    );
    for n in 0..6 {
        let mut resources: Vec<Resource> = [starts, columns, numbers].map(Resource::Storage).into();
        resources.extend([lists[n % 2], lists[(n + 1) % 2]].map(Resource::Written));
        run(&mut plan, text, resources, [512, 1, 1]);
    }
    let color = "let t = bitcast<f32>(b[at.x / 2u + at.y / 2u * 256u]);
        return vec4f(smoothstep(0.1, 0.4, t), smoothstep(0.2, 0.7, t), 0.3 + 0.5 * t, 1.0);";
    shown(&mut plan, lists[0], color);
    plan
}

/// Twelve means of the colours of a picture: every texel goes to the nearest, groups add up whole numbers first; two rounds.
fn means() -> Plan {
    let declared = "
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var<storage, read_write> means: array<vec4f, 12>;
        @group(0) @binding(2) var<storage, read_write> sums: array<atomic<u32>, 48>;
        fn nearest(c: vec3f) -> u32 {
            var best = 0u;
            var least = 1e9;
            for (var i = 0u; i < 12u; i++) {
                let d = c - means[i].xyz;
                let e = dot(d * d, vec3f(2.0, 4.0, 1.0));
                if e < least {
                    least = e;
                    best = i;
                }
            }
            return best;
        }";
    let first = "@compute @workgroup_size(16) fn cs(@builtin(local_invocation_index) l: u32) {
            if l < 12u { means[l] = vec4f(floor(textureLoad(t, vec2u(l % 4u * 128u + 32u, l / 4u * 128u + 32u), 0).rgb * 255.0), 0.0); }
            if l > 20u { atomicStore(&sums[0], 0u); }
        }";
    let sorted = "var<workgroup> s: array<atomic<u32>, 48>;
        @compute @workgroup_size(16, 8) fn cs(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32) {
            for (var k = 0u; k < 4u; k++) {
                let c = floor(textureLoad(t, g.xy * 2u + vec2u(k & 1u, k >> 1u), 0).rgb * 255.0);
                let i = nearest(c) * 4u;
                let n = vec3u(c);
                atomicAdd(&s[i], n.x);
                atomicAdd(&s[i + 1u], n.y);
                atomicAdd(&s[i + 2u], n.z);
                atomicAdd(&s[i + 3u], 1u);
            }
            workgroupBarrier();
            if l < 48u && atomicLoad(&s[l]) > 0u { atomicAdd(&sums[l], atomicLoad(&s[l])); }
        }";
    let divided = "@compute @workgroup_size(16) fn cs(@builtin(local_invocation_index) l: u32) {
            if l >= 12u { return; }
            let n = atomicExchange(&sums[l * 4u + 3u], 0u);
            let c = vec3f(vec3u(atomicExchange(&sums[l * 4u], 0u), atomicExchange(&sums[l * 4u + 1u], 0u), atomicExchange(&sums[l * 4u + 2u], 0u)));
            if n > 0u { means[l] = vec4f(floor(c / f32(n)), f32(n)); }
            if n > 0x7fffffffu { means[l] = textureLoad(t, vec2u(l), 0); }
        }";
    let text = "@group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var<storage, read> means: array<vec4f, 12>;
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let at = vec2u(v.at.xy);
            if at.y >= 496u { return vec4f(means[at.x * 12u / 512u].rgb / 255.0, 1.0); }
            let c = floor(textureLoad(t, at, 0).rgb * 255.0);
            var best = means[0];
            var least = 1e9;
            for (var i = 0; i < 12; i++) {
                let d = c - means[i].xyz;
                let e = dot(d * d, vec3f(2.0, 4.0, 1.0));
                if e < least {
                    least = e;
                    best = means[i];
                }
            }
            return vec4f(best.rgb / 255.0, 1.0);
        }";
    let mut plan = empty("compute/means of colours");
    let Read(picture, kind, _) = made(F::Rgba8Unorm, 512, disks);
    let image = plan.texture(picture);
    let [means, sums] = [space(&mut plan, 48), space(&mut plan, 48)];
    let resources = || {
        vec![
            Resource::Texture(image, kind),
            Resource::Written(means),
            Resource::Written(sums),
        ]
    };
    run(
        &mut plan,
        format!("{declared}{first}"),
        resources(),
        [1, 1, 1],
    );
    for _ in 0..2 {
        run(
            &mut plan,
            format!("{declared}{sorted}"),
            resources(),
            [16, 32, 1],
        );
        run(
            &mut plan,
            format!("{declared}{divided}"),
            resources(),
            [1, 1, 1],
        );
    }
    cover(
        &mut plan,
        0,
        text,
        vec![Resource::Texture(image, kind), Resource::Storage(means)],
    );
    plan
}

/// 16K particles are counted by cells, sums give each cell its place, particles go there, and each looks at nine cells for how
/// dense it is around it.
fn neighbours() -> Plan {
    let declared = format!(
        "{MIXED}
        @group(0) @binding(0) var<storage, read_write> counts: array<atomic<u32>, 4096>;
        @group(0) @binding(1) var<storage, read_write> sorted: array<vec4f>;
        @group(0) @binding(2) var<storage, read_write> dense: array<f32>;
        fn particle(i: u32) -> vec2f {{
            let h = mixed(i);
            let p = vec2f(f32(h & 0xffffu), f32(h >> 16u)) / 65536.0;
            let q = p * p * (3.0 - 2.0 * p);
            return select(p, q, (h & 1u) == 1u) * 64.0;
        }}
        fn cell(p: vec2f) -> u32 {{ return u32(p.x) + u32(p.y) * 64u; }}"
    );
    let cleared = "@compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
            atomicStore(&counts[g.x], 0u);
            if g.x > 5000u { sorted[0] = vec4f(); dense[0] = 0.0; }
        }";
    let counted = "@compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
            atomicAdd(&counts[cell(particle(g.x))], 1u);
            if g.x > 50000u { sorted[0] = vec4f(); dense[0] = 0.0; }
        }";
    let summed = "var<workgroup> s: array<u32, 256>;
        @compute @workgroup_size(256) fn cs(@builtin(local_invocation_index) l: u32) {
            var sum = 0u;
            for (var i = 0u; i < 16u; i++) { sum += atomicLoad(&counts[l * 16u + i]); }
            s[l] = sum;
            workgroupBarrier();
            for (var n = 1u; n < 256u; n <<= 1u) {
                let below = select(0u, s[max(l, n) - n], l >= n);
                workgroupBarrier();
                s[l] += below;
                workgroupBarrier();
            }
            var at = s[l] - sum;
            for (var i = 0u; i < 16u; i++) {
                let count = atomicLoad(&counts[l * 16u + i]);
                atomicStore(&counts[l * 16u + i], at);
                at += count;
            }
            if l > 500u { sorted[0] = vec4f(); dense[0] = 0.0; }
        }";
    // After this the count of a cell is where the next one begins.
    let moved = "@compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
            let p = particle(g.x);
            let to = atomicAdd(&counts[cell(p)], 1u);
            sorted[to] = vec4f(p, bitcast<f32>(g.x), 0.0);
            if g.x > 50000u { dense[0] = 0.0; }
        }";
    let looked = "@compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
            let own = sorted[g.x];
            let c = vec2i(own.xy);
            var sum = 0u;
            for (var y = max(c.y - 1, 0); y <= min(c.y + 1, 63); y++) {
                let low = u32(max(c.x - 1, 0) + y * 64);
                let high = u32(min(c.x + 1, 63) + y * 64);
                var first = 0u;
                if low > 0u { first = atomicLoad(&counts[low - 1u]); }
                let end = atomicLoad(&counts[high]);
                for (var k = first; k < end; k++) {
                    let d = sorted[k].xy - own.xy;
                    let e = 1.0 - dot(d, d);
                    if e > 0.0 { sum += u32(e * e * e * 4096.0); }
                }
            }
            dense[bitcast<u32>(own.z)] = f32(sum) / 4096.0;
        }";
    let text = format!(
        "{MIXED}{CORNER}
        @group(0) @binding(0) var<storage, read> dense: array<f32>;
        struct V {{ @builtin(position) at: vec4f, @location(0) p: vec2f, @location(1) d: f32 }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
            let h = mixed(i);
            let p = vec2f(f32(h & 0xffffu), f32(h >> 16u)) / 65536.0;
            let q = select(p, p * p * (3.0 - 2.0 * p), (h & 1u) == 1u);
            let c = corner(n) * 2.0 - 1.0;
            return V(vec4f(q * 2.0 - 1.0 + c * 0.012, 0.5, 1.0), c, dense[i]);
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let a = max(1.0 - dot(v.p, v.p), 0.0);
            return vec4f(v.d / 12.0, 0.5 - abs(v.d - 4.0) / 12.0, 1.0 - v.d / 6.0, 0.0) * a;
        }}"
    );
    let mut plan = empty("compute/cells of particles");
    let [counts, sorted, dense] = [4096, 4 << 14, 1 << 14].map(|count| space(&mut plan, count));
    for (text, groups) in [
        (cleared, 64),
        (counted, 256),
        (summed, 1),
        (moved, 256),
        (looked, 256),
    ] {
        let resources = [counts, sorted, dense].map(Resource::Written);
        run(
            &mut plan,
            format!("{declared}{text}"),
            resources.into(),
            [groups, 1, 1],
        );
    }
    let mut pipeline = Pipeline::new(text, &[F::Rgba8Unorm]);
    pipeline.targets[0].blend = Some(BlendState {
        color: BlendComponent {
            src_factor: BlendFactor::One,
            dst_factor: BlendFactor::One,
            operation: BlendOperation::Max,
        },
        alpha: BlendComponent::OVER,
    });
    let draw = drawn(&mut plan, pipeline, vec![Resource::Storage(dense)], 0..6);
    plan.pass(
        vec![Target::cleared(0)],
        None,
        vec![instances(draw, 1 << 14)],
    );
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![cloth(), sparse(), means(), neighbours()]
}
