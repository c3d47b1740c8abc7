//! Dispatches over buffers, whose results are drawn: sorted digits, a tiled product, distances that jump, an automaton of bits,
//! a flock, and arrays of invocations.

use super::*;

/// Draws a buffer: `color(at)` is the colour of a pixel.
pub(super) fn shown(plan: &mut Plan, buffer: usize, color: &str) {
    let text = format!(
        "{SCREEN}
        @group(0) @binding(0) var<storage, read> b: array<u32>;
        fn color(at: vec2u) -> vec4f {{ {color} }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{ return color(vec2u(v.at.xy)); }}"
    );
    let set = Some(plan.set(vec![Resource::Storage(buffer)]));
    plan.pipeline(Pipeline {
        set,
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    });
    let draw = Draw { set, ..layers(1) };
    plan.pass(vec![Target::cleared(plan.picture)], None, vec![draw]);
}

/// Buffers that shaders read and write, of so many words each, after one of other bytes.
fn buffers<const N: usize>(
    plan: &mut Plan,
    bytes: Vec<u8>,
    words: [usize; N],
) -> (usize, [usize; N]) {
    let from = plan.buffer(BufferUsages::STORAGE, bytes);
    (
        from,
        words.map(|count| plan.buffer(BufferUsages::STORAGE, vec![0; 4 * count])),
    )
}

/// A pass of a sort of 64K keys by four bits: counts of each block, their sums, and the new places.
fn radix() -> Plan {
    let declared = "
        @group(0) @binding(0) var<storage, read> keys: array<u32>;
        @group(0) @binding(1) var<storage, read_write> counts: array<u32>;
        @group(0) @binding(2) var<storage, read_write> sorted: array<u32>;
        fn digit(key: u32) -> u32 { return key >> 26u & 15u; }";
    let count = "
        var<workgroup> h: array<atomic<u32>, 16>;
        @compute @workgroup_size(256) fn cs(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32, @builtin(workgroup_id) w: vec3u) {
            atomicAdd(&h[digit(keys[g.x])], 1u);
            workgroupBarrier();
            if l < 16u { counts[l * 256u + w.x] = atomicLoad(&h[l]); }
            if g.x > 1000000u { sorted[0] = 0u; }
        }";
    let sums = "
        var<workgroup> s: array<u32, 256>;
        @compute @workgroup_size(256) fn cs(@builtin(local_invocation_index) l: u32) {
            var own: array<u32, 16>;
            var sum = 0u;
            for (var i = 0u; i < 16u; i++) {
                own[i] = sum;
                sum += counts[l * 16u + i];
            }
            s[l] = sum;
            workgroupBarrier();
            for (var n = 1u; n < 256u; n <<= 1u) {
                var t = s[l];
                if l >= n { t += s[l - n]; }
                workgroupBarrier();
                s[l] = t;
                workgroupBarrier();
            }
            for (var i = 0u; i < 16u; i++) { counts[l * 16u + i] = s[l] - sum + own[i]; }
            if l > 1000u { sorted[0] = keys[0]; }
        }";
    let places = "
        var<workgroup> digits: array<u32, 256>;
        @compute @workgroup_size(256) fn cs(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32, @builtin(workgroup_id) w: vec3u) {
            let key = keys[g.x];
            let mine = digit(key);
            digits[l] = mine;
            workgroupBarrier();
            var rank = 0u;
            for (var i = 0u; i < l; i++) { rank += select(0u, 1u, digits[i] == mine); }
            sorted[counts[mine * 256u + w.x] + rank] = key;
        }";
    let mut plan = empty("compute/radix");
    let (keys, [counts, sorted]) = buffers(&mut plan, noise(41, 4 << 16), [4096, 1 << 16]);
    let resources = [
        Resource::Storage(keys),
        Resource::Written(counts),
        Resource::Written(sorted),
    ];
    let steps = [(count, 256), (sums, 1), (places, 256)].map(|(text, groups)| {
        let compute = plan.compute(format!("{declared}{text}"), resources.to_vec());
        plan.dispatch(compute, [groups, 1, 1])
    });
    plan.steps.push(Step::Compute(steps.into()));
    shown(
        &mut plan,
        sorted,
        "return vec4f(unpack4x8unorm(b[at.x / 2u + at.y / 2u * 256u]).wxy * 4.0, 1.0);",
    );
    plan
}

/// A product of matrices of 256 by 256: a group makes 32 by 32 numbers, an invocation four by four of them.
fn product() -> Plan {
    let text = "
        @group(0) @binding(0) var<storage, read> a: array<vec4f>;
        @group(0) @binding(1) var<storage, read_write> c: array<vec4f>;
        var<workgroup> p: array<vec4f, 256>;
        var<workgroup> q: array<vec4f, 256>;
        @compute @workgroup_size(8, 8) fn cs(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_id) l: vec3u) {
            var sums: array<vec4f, 4>;
            for (var t = 0u; t < 8u; t++) {
                for (var k = 0u; k < 4u; k++) {
                    let row = l.y * 4u + k;
                    p[row * 8u + l.x] = a[(w.y * 32u + row) * 64u + t * 8u + l.x];
                    q[row * 8u + l.x] = a[(t * 32u + row) * 64u + w.x * 8u + l.x];
                }
                workgroupBarrier();
                for (var k = 0u; k < 8u; k++) {
                    let b0 = q[(k * 4u) * 8u + l.x];
                    let b1 = q[(k * 4u + 1u) * 8u + l.x];
                    let b2 = q[(k * 4u + 2u) * 8u + l.x];
                    let b3 = q[(k * 4u + 3u) * 8u + l.x];
                    for (var i = 0u; i < 4u; i++) {
                        let r = p[(l.y * 4u + i) * 8u + k];
                        sums[i] += b0 * r.x + b1 * r.y + b2 * r.z + b3 * r.w;
                    }
                }
                workgroupBarrier();
            }
            for (var i = 0u; i < 4u; i++) { c[(w.y * 32u + l.y * 4u + i) * 64u + w.x * 8u + l.x] = sums[i]; }
        }";
    let mut plan = empty("compute/product of tiles");
    let (from, [to]) = buffers(&mut plan, fractions(43, 1 << 16), [1 << 16]);
    let compute = plan.compute(text, vec![Resource::Storage(from), Resource::Written(to)]);
    plan.steps
        .push(Step::Compute(vec![plan.dispatch(compute, [8, 8, 1])]));
    let color =
        "return vec4f(vec3f(fract(bitcast<f32>(b[at.x / 2u + at.y / 2u * 256u]) * 0.1)), 1.0);";
    shown(&mut plan, to, color);
    plan
}

/// The nearest of a few points for each of 256 by 256 places, by steps of halves.
fn flooding() -> Plan {
    let mut plan = empty("compute/jump flooding");
    let seeds = (0..1u32 << 16).map(|n| {
        if n % 683 == 5 * (n / 4096) {
            n
        } else {
            u32::MAX
        }
    });
    let (first, images) = buffers(&mut plan, words(seeds), [1 << 16; 2]);
    let dispatches: Vec<Dispatch> = (0..8)
        .map(|n| {
            let text = format!(
                "@group(0) @binding(0) var<storage, read> a: array<u32>;
                @group(0) @binding(1) var<storage, read_write> b: array<u32>;
                @compute @workgroup_size(16, 16) fn cs(@builtin(global_invocation_id) g: vec3u) {{
                    let here = vec2i(g.xy);
                    var best = 0xffffffffu;
                    var least = 1e9;
                    for (var y = -1; y <= 1; y++) {{
                        for (var x = -1; x <= 1; x++) {{
                            let at = here + vec2i(x, y) * {};
                            if any(at < vec2i()) || any(at > vec2i(255)) {{ continue; }}
                            let seed = a[at.x + at.y * 256];
                            if seed == 0xffffffffu {{ continue; }}
                            let d = distance(vec2f(f32(seed & 255u), f32(seed >> 8u)), vec2f(here));
                            if d < least {{
                                least = d;
                                best = seed;
                            }}
                        }}
                    }}
                    b[g.x + g.y * 256u] = best;
                }}",
                128 >> n
            );
            let from = if n == 0 { first } else { images[(n + 1) % 2] };
            let compute = plan.compute(
                text,
                vec![Resource::Storage(from), Resource::Written(images[n % 2])],
            );
            plan.dispatch(compute, [16, 16, 1])
        })
        .collect();
    plan.steps.push(Step::Compute(dispatches));
    let color = "let seed = b[at.x / 2u + at.y / 2u * 256u];
        let d = distance(vec2f(f32(seed & 255u), f32(seed >> 8u)), vec2f(at / 2u));
        return vec4f(unpack4x8unorm(seed * 2654435761u).rgb * (1.0 - d / 80.0), 1.0);";
    shown(&mut plan, images[1], color);
    plan
}

/// Eight generations of 1024 rows of 32 words, each of 32 cells.
fn automaton() -> Plan {
    let text = "
        @group(0) @binding(0) var<storage, read> a: array<u32>;
        @group(0) @binding(1) var<storage, read_write> b: array<u32>;
        struct Row { left: u32, here: u32, right: u32 };
        fn row(x: u32, y: u32) -> Row {
            let first = (y & 1023u) * 32u;
            let here = a[first + x];
            let left = here << 1u | a[first + ((x + 31u) & 31u)] >> 31u;
            return Row(left, here, here >> 1u | a[first + ((x + 1u) & 31u)] << 31u);
        }
        fn added(s: ptr<function, vec3u>, n: u32) {
            let carry = (*s).x & n;
            (*s).x ^= n;
            let more = (*s).y & carry;
            (*s).y ^= carry;
            (*s).z |= more;
        }
        @compute @workgroup_size(32, 4) fn cs(@builtin(global_invocation_id) g: vec3u) {
            let rows = array<Row, 3>(row(g.x, g.y + 1023u), row(g.x, g.y), row(g.x, g.y + 1u));
            var s = vec3u();
            for (var i = 0; i < 3; i++) {
                added(&s, rows[i].left);
                added(&s, rows[i].right);
                if i != 1 { added(&s, rows[i].here); }
            }
            b[g.x + g.y * 32u] = s.y & ~s.z & (s.x | rows[1].here);
        }";
    let mut plan = empty("compute/automaton of bits");
    let bits = (0..1u32 << 15)
        .map(|n| (n ^ n >> 7).wrapping_mul(2_654_435_761) ^ n.wrapping_mul(40_503) << 9);
    let (first, images) = buffers(&mut plan, words(bits), [1 << 15; 2]);
    let dispatches = (0..8).map(|n| {
        let from = if n == 0 { first } else { images[(n + 1) % 2] };
        let compute = plan.compute(
            text,
            vec![Resource::Storage(from), Resource::Written(images[n % 2])],
        );
        plan.dispatch(compute, [1, 256, 1])
    });
    let dispatches = dispatches.collect();
    plan.steps.push(Step::Compute(dispatches));
    let color = "return vec4f(vec3f(f32(b[at.x / 32u + at.y * 32u] >> (at.x & 31u) & 1u)), 1.0);";
    shown(&mut plan, images[1], color);
    plan
}

/// 2048 of a flock, each of which looks at all others, drawn as triangles.
fn flock() -> Plan {
    const COUNT: u32 = 2048;
    let text = "
        struct Bird { place: vec2f, speed: vec2f };
        @group(0) @binding(0) var<storage, read> a: array<Bird>;
        @group(0) @binding(1) var<storage, read_write> b: array<Bird>;
        @compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
            var me = a[g.x];
            var middle = vec2f();
            var apart = vec2f();
            var speed = vec2f();
            var near = 0u;
            var seen = 0u;
            for (var i = 0u; i < arrayLength(&a); i++) {
                if i == g.x { continue; }
                let other = a[i];
                let d = distance(other.place, me.place);
                if d < 0.1 { middle += other.place; near++; }
                if d < 0.025 { apart -= other.place - me.place; }
                if d < 0.05 { speed += other.speed; seen++; }
            }
            if near > 0u { middle = middle / f32(near) - me.place; }
            if seen > 0u { speed = speed / f32(seen); }
            me.speed += middle * 0.02 + apart * 0.05 + speed * 0.005 - 0.01;
            me.speed = normalize(me.speed + 0.0001) * clamp(length(me.speed), 0.0, 0.1);
            me.place = fract(me.place + me.speed);
            b[g.x] = me;
        }";
    let drawn = "
        struct Bird { place: vec2f, speed: vec2f };
        @group(0) @binding(0) var<storage, read> b: array<Bird>;
        struct V { @builtin(position) at: vec4f, @location(0) c: vec3f };
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
            let bird = b[i];
            let angle = -atan2(bird.speed.x, bird.speed.y);
            let p = array<vec2f, 3>(vec2f(-0.01, -0.02), vec2f(0.01, -0.02), vec2f(0.0, 0.02))[n];
            let turned = vec2f(p.x * cos(angle) - p.y * sin(angle), p.x * sin(angle) + p.y * cos(angle));
            return V(vec4f(bird.place * 2.0 - 1.0 + turned, 0.5, 1.0), vec3f(fract(f32(i) * 0.37), 0.6, f32(n) * 0.4));
        }
        @fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.c, 1.0); }";
    let mut plan = empty("compute/flock");
    let (from, [to]) = buffers(&mut plan, fractions(47, 4 * COUNT), [4 * COUNT as usize]);
    let compute = plan.compute(text, vec![Resource::Storage(from), Resource::Written(to)]);
    plan.steps.push(Step::Compute(vec![
        plan.dispatch(compute, [COUNT / 64, 1, 1]),
    ]));
    let set = Some(plan.set(vec![Resource::Storage(to)]));
    plan.pipeline(Pipeline {
        set,
        ..Pipeline::new(drawn, &[F::Rgba8Unorm])
    });
    let draw = Draw {
        set,
        instances: 0..COUNT,
        ..Draw::new(0, 0..3)
    };
    plan.pass(vec![Target::cleared(0)], None, vec![draw]);
    plan
}

/// An array of 64 numbers of each invocation, mixed in an order that the numbers give.
fn own_values() -> Plan {
    let text = "
        @group(0) @binding(0) var<storage, read> a: array<u32>;
        @group(0) @binding(1) var<storage, read_write> b: array<u32>;
        @compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
            var r: array<u32, 64>;
            for (var i = 0u; i < 64u; i++) { r[i] = a[(g.x + i * 37u) & 65535u]; }
            for (var i = 0u; i < 63u; i++) {
                let j = r[i] & 63u;
                r[j] = r[j] * 5u + r[i + 1u];
            }
            var h = 0u;
            for (var i = 0u; i < 64u; i++) { h = h * 31u + r[i]; }
            b[g.x] = h;
        }";
    let mut plan = empty("compute/64 values of an invocation");
    let (from, [to]) = buffers(&mut plan, noise(53, 4 << 16), [1 << 14]);
    let compute = plan.compute(text, vec![Resource::Storage(from), Resource::Written(to)]);
    plan.steps
        .push(Step::Compute(vec![plan.dispatch(compute, [256, 1, 1])]));
    let color = "return vec4f(unpack4x8unorm(b[at.x / 4u + at.y / 4u * 128u]).rgb, 1.0);";
    shown(&mut plan, to, color);
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![
        radix(),
        product(),
        flooding(),
        automaton(),
        flock(),
        own_values(),
    ]
}
