//! Dispatches whose results are drawn: life in an image, triangles that are filled, shallow water, words of a stream, and
//! pictures in blocks.

use super::*;

/// An image that dispatches store to.
fn stored(plan: &mut Plan, format: F, edge: u32) -> usize {
    plan.target(format, [edge, edge], 1)
}

/// Ten generations of 256 by 256 cells in two images; what dies leaves a trace.
fn life() -> Plan {
    let first = format!(
        "{MIXED}
        @group(0) @binding(0) var to: texture_storage_2d<rgba8unorm, write>;
        @compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) g: vec3u) {{
            let alive = (mixed(g.x + g.y * 256u) & 7u) < 3u + (g.x / 64u & 1u);
            textureStore(to, g.xy, vec4f(select(0.0, 1.0, alive), 0.0, 0.0, 1.0));
        }}"
    );
    let next = "
        @group(0) @binding(0) var from_last: texture_2d<f32>;
        @group(0) @binding(1) var to: texture_storage_2d<rgba8unorm, write>;
        @compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) g: vec3u) {
            var sum = 0.0;
            for (var k = 0u; k < 9u; k++) {
                if k == 4u { continue; }
                let p = (g.xy + vec2u(k % 3u, k / 3u) + 255u) & vec2u(255u);
                sum += textureLoad(from_last, p, 0).r;
            }
            let own = textureLoad(from_last, g.xy, 0);
            let count = u32(sum + 0.5);
            let alive = count == 3u || (count == 2u && own.r > 0.5);
            let trace = select(own.g * 0.875, 1.0, !alive && own.r > 0.5);
            let age = select(0.0, min(own.b + 0.125, 1.0), alive);
            textureStore(to, g.xy, vec4f(select(0.0, 1.0, alive), trace, age, 1.0));
        }";
    let color = "@group(0) @binding(0) var t: texture_2d<f32>;
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let c = textureLoad(t, vec2u(v.at.xy) / 2u, 0);
            return vec4f(mix(vec3f(c.g * 0.5, 0.0, c.g * 0.3), vec3f(1.0 - c.b, 1.0, c.b), c.r), 1.0);
        }";
    let mut plan = empty("compute/life in an image");
    let images = [0; 2].map(|_| stored(&mut plan, F::Rgba8Unorm, 256));
    run(
        &mut plan,
        first,
        vec![Resource::Stored(images[0])],
        [32, 32, 1],
    );
    for n in 0..10 {
        let resources = vec![
            Resource::Texture(images[n % 2], FILTERED),
            Resource::Stored(images[(n + 1) % 2]),
        ];
        run(&mut plan, next, resources, [32, 32, 1]);
    }
    cover(
        &mut plan,
        0,
        color,
        vec![Resource::Texture(images[0], FILTERED)],
    );
    plan
}

/// 3000 triangles that dispatches fill: an invocation for each, with whole numbers for edges, and the least of depth and
/// number in every pixel.
fn filled() -> Plan {
    let declared = format!(
        "{MIXED}
        fn place(i: u32, k: u32) -> vec3i {{
            let h = mixed(i * 7u);
            let m = vec3i(vec3u(h & 511u, h >> 9u & 511u, h >> 18u & 4095u));
            let g = mixed(i * 7u + k + 1u);
            return m * vec3i(16, 16, 1) + vec3i(vec3u(g & 511u, g >> 9u & 511u, g >> 18u & 511u)) - 256;
        }}"
    );
    let cleared = "@group(0) @binding(0) var<storage, read_write> b: array<u32>;
        @compute @workgroup_size(256) fn cs(@builtin(global_invocation_id) g: vec3u) { b[g.x] = 0xffffffffu; }";
    let text = format!(
        "{declared}
        @group(0) @binding(0) var<storage, read_write> b: array<atomic<u32>>;
        fn edge(a: vec2i, b: vec2i, p: vec2i) -> i32 {{ return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); }}
        @compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {{
            if g.x >= 3000u {{ return; }}
            let p0 = place(g.x, 0u);
            var p1 = place(g.x, 1u);
            var p2 = place(g.x, 2u);
            var area = edge(p0.xy, p1.xy, p2.xy);
            if area == 0 {{ return; }}
            if area < 0 {{
                let t = p1;
                p1 = p2;
                p2 = t;
                area = -area;
            }}
            let low = clamp(min(p0.xy, min(p1.xy, p2.xy)) >> vec2u(4u), vec2i(), vec2i(511));
            let high = clamp((max(p0.xy, max(p1.xy, p2.xy)) >> vec2u(4u)) + 1, vec2i(), vec2i(511));
            for (var y = low.y; y <= high.y; y++) {{
                var inside = false;
                for (var x = low.x; x <= high.x; x++) {{
                    let p = vec2i(x, y) * 16 + 8;
                    let e = vec3i(edge(p1.xy, p2.xy, p), edge(p2.xy, p0.xy, p), edge(p0.xy, p1.xy, p));
                    if min(e.x, min(e.y, e.z)) < 0 {{
                        if inside {{ break; }}
                        continue;
                    }}
                    inside = true;
                    let z = dot(vec3f(e), vec3f(vec3i(p0.z, p1.z, p2.z))) / f32(area) + 512.0;
                    atomicMin(&b[u32(x + y * 512)], u32(z) << 12u | g.x);
                }}
            }}
        }}"
    );
    let color = "let n = b[at.x + at.y * 512u];
        if n == 0xffffffffu { return vec4f(0.1, 0.1, 0.12, 1.0); }
        let z = f32(n >> 12u) / 5120.0;
        return vec4f((0.3 + 0.7 * unpack4x8unorm((n & 4095u) * 2654435761u).yzw) * (1.0 - 0.8 * z), 1.0);";
    let mut plan = empty("compute/triangles filled");
    let list = space(&mut plan, 1 << 18);
    run(
        &mut plan,
        cleared,
        vec![Resource::Written(list)],
        [1024, 1, 1],
    );
    run(&mut plan, text, vec![Resource::Written(list)], [47, 1, 1]);
    shown(&mut plan, list, color);
    plan
}

/// Heights and speeds of water over hills, 12 steps over 256 by 256 places with a border of a tile in shared memory.
fn water() -> Plan {
    let first = "@group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var<storage, read_write> b: array<vec4f>;
        @compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) g: vec3u) {
            let ground = textureLoad(t, g.xy, 0).r * 2.0;
            let d = vec2f(g.xy) - vec2f(90.0, 120.0);
            let drop = max(0.0, 1.0 - dot(d, d) / 1600.0) * 1.2;
            b[g.x + g.y * 256u] = vec4f(max(1.1 - ground, 0.0) + drop, 0.0, 0.0, ground);
        }";
    let next = "@group(0) @binding(0) var<storage, read> a: array<vec4f>;
        @group(0) @binding(1) var<storage, read_write> b: array<vec4f>;
        var<workgroup> s: array<array<vec4f, 18>, 18>;
        fn level(c: vec4f) -> f32 { return c.x + c.w; }
        fn slope(own: vec4f, low: vec4f, high: vec4f) -> f32 {
            let l = select(level(low), level(own), low.x < 0.001 && level(low) > level(own));
            let h = select(level(high), level(own), high.x < 0.001 && level(high) > level(own));
            return h - l;
        }
        @compute @workgroup_size(16, 16) fn cs(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_id) l: vec3u,
            @builtin(local_invocation_index) n: u32, @builtin(workgroup_id) w: vec3u) {
            for (var i = n; i < 324u; i += 256u) {
                let p = vec2i(w.xy * 16u + vec2u(i % 18u, i / 18u)) - 1;
                let q = clamp(p, vec2i(), vec2i(255));
                s[i / 18u][i % 18u] = a[u32(q.x + q.y * 256)];
            }
            workgroupBarrier();
            let c = l.xy + 1u;
            let own = s[c.y][c.x];
            let west = s[c.y][c.x - 1u];
            let east = s[c.y][c.x + 1u];
            let north = s[c.y - 1u][c.x];
            let south = s[c.y + 1u][c.x];
            let mean = (west + east + north + south) * 0.25;
            var speed = mix(own.yz, mean.yz, 0.1) - 0.1 * vec2f(slope(own, west, east), slope(own, north, south));
            let flow = east.x * east.y - west.x * west.y + south.x * south.z - north.x * north.z;
            let height = max(own.x - 0.25 * flow, 0.0);
            speed *= select(0.0, 0.995, height > 0.001);
            b[g.x + g.y * 256u] = vec4f(height, clamp(speed, vec2f(-0.8), vec2f(0.8)), own.w);
        }";
    let text = "@group(0) @binding(0) var<storage, read> b: array<vec4f>;
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let at = vec2u(v.at.xy) / 2u;
            let c = b[at.x + at.y * 256u];
            let e = b[min(at.x + 1u, 255u) + at.y * 256u];
            let ground = mix(vec3f(0.25, 0.4, 0.15), vec3f(0.8, 0.75, 0.6), c.w * 0.6);
            let slope = (e.x + e.w - c.x - c.w) * 4.0;
            let deep = 1.0 - exp(-c.x * 2.0);
            let foam = smoothstep(0.05, 0.5, length(c.yz));
            let sea = mix(vec3f(0.2, 0.6, 0.7), vec3f(0.02, 0.15, 0.4), deep) + slope + foam * 0.4;
            return vec4f(mix(ground, sea, min(deep * 3.0, 1.0)), 1.0);
        }";
    let mut plan = empty("compute/shallow water");
    let heights = plan.texture(made_as(F::R8Unorm, D::D2, [256, 256, 1], 1, hills));
    let lists = [0; 2].map(|_| space(&mut plan, 4 << 16));
    let resources = vec![
        Resource::Texture(heights, FILTERED),
        Resource::Written(lists[0]),
    ];
    run(&mut plan, first, resources, [32, 32, 1]);
    for n in 0..12 {
        let resources = vec![
            Resource::Storage(lists[n % 2]),
            Resource::Written(lists[(n + 1) % 2]),
        ];
        run(&mut plan, next, resources, [16, 16, 1]);
    }
    cover(&mut plan, 0, text, vec![Resource::Storage(lists[0])]);
    plan
}

/// 4096 streams of bits, each of 64 numbers in codes of one to 14 bits, which each invocation reads one after the other.
fn streams() -> Plan {
    let text = "
        @group(0) @binding(0) var<storage, read> starts: array<u32>;
        @group(0) @binding(1) var<storage, read> bits: array<u32>;
        @group(0) @binding(2) var<storage, read_write> to: array<u32>;
        struct Reader { at: u32, held: u32, count: u32 };
        fn peeked(r: ptr<function, Reader>, n: u32) -> u32 {
            if (*r).count < n {
                let word = (*r).at >> 5u;
                let shift = (*r).at & 31u;
                let high = select(bits[word + 1u] >> (32u - shift), 0u, shift == 0u);
                (*r).held = bits[word] << shift | high;
                (*r).count = 32u;
            }
            return (*r).held >> (32u - n);
        }
        fn skipped(r: ptr<function, Reader>, n: u32) {
            (*r).at += n;
            (*r).held <<= n;
            (*r).count -= n;
        }
        @compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
            var r = Reader(starts[g.x], 0u, 0u);
            var own = 128;
            for (var i = 0u; i < 16u; i++) {
                var word = 0u;
                for (var k = 0u; k < 4u; k++) {
                    let zeros = countLeadingZeros(peeked(&r, 8u) << 24u | 0x800000u);
                    skipped(&r, zeros + 1u);
                    if zeros > 0u {
                        let n = peeked(&r, zeros) | 1u << zeros;
                        skipped(&r, zeros);
                        own += select(-i32(n >> 1u), i32(n >> 1u), (n & 1u) == 1u);
                    }
                    word |= u32(own & 255) << (8u * k);
                }
                to[g.x * 16u + i] = word;
            }
        }";
    let (mut starts, mut bits) = (Vec::new(), Vec::<bool>::new());
    let ground = hills();
    for stream in 0..4096_u32 {
        starts.push(bits.len() as u32);
        let mut last = 128_i32;
        for k in 0..64 {
            // Blocks of 8 by 8 of 512 by 512 heights.
            let [x, y] = [stream % 64 * 8 + k % 8, stream / 64 * 8 + k / 8];
            let height =
                i32::from(ground[(y / 2 * 256 + x / 2) as usize]) + (mixed(x + y * 512) & 3) as i32;
            let change = (height - last).clamp(-60, 60);
            last += change;
            let n = match change {
                0 => 1,
                _ => 2 * change.unsigned_abs() + u32::from(change > 0),
            };
            let count = n.ilog2();
            bits.extend((0..count).map(|_| false));
            bits.extend((0..=count).rev().map(|k| n >> k & 1 == 1));
        }
    }
    bits.resize(bits.len().next_multiple_of(32) + 32, false);
    let packed = bits
        .chunks(32)
        .map(|bits| bits.iter().fold(0, |word, &bit| word << 1 | u32::from(bit)));
    let mut plan = empty("compute/streams of bits");
    let starts = plan.buffer(BufferUsages::STORAGE, words(starts));
    let packed = plan.buffer(BufferUsages::STORAGE, words(packed));
    let to = space(&mut plan, 1 << 16);
    let resources = vec![
        Resource::Storage(starts),
        Resource::Storage(packed),
        Resource::Written(to),
    ];
    run(&mut plan, text, resources, [64, 1, 1]);
    let color = "let block = at.x / 8u + at.y / 8u * 64u;
        let k = at.x % 8u + at.y % 8u * 8u;
        let n = f32(extractBits(b[block * 16u + k / 4u], k % 4u * 8u, 8u)) / 255.0;
        return vec4f(n, 1.0 - abs(n - 0.5) * 2.0, 1.0 - n, 1.0);";
    shown(&mut plan, to, color);
    plan
}

/// A picture in blocks of 4 by 4 as two colours of 16 bits and 16 numbers, found along the axis in which the colours vary
/// most, and the same picture from the blocks with what got lost.
fn packed() -> Plan {
    let text = "
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var<storage, read_write> to: array<vec2u>;
        fn short(c: vec3f) -> u32 {
            let n = vec3u(round(clamp(c, vec3f(), vec3f(1.0)) * vec3f(31.0, 63.0, 31.0)));
            return n.x << 11u | n.y << 5u | n.z;
        }
        fn long(n: u32) -> vec3f { return vec3f(f32(n >> 11u) / 31.0, f32(n >> 5u & 63u) / 63.0, f32(n & 31u) / 31.0); }
        @compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) g: vec3u) {
            var colors: array<vec3f, 16>;
            var mean = vec3f();
            for (var i = 0u; i < 16u; i++) {
                colors[i] = textureLoad(t, g.xy * 4u + vec2u(i & 3u, i >> 2u), 0).rgb;
                mean += colors[i] / 16.0;
            }
            var m = mat3x3f();
            for (var i = 0; i < 16; i++) {
                let d = colors[i] - mean;
                m += mat3x3f(d * d.x, d * d.y, d * d.z);
            }
            var axis = vec3f(0.57, 0.6, 0.55);
            for (var i = 0; i < 6; i++) {
                let next = m * axis;
                axis = next / max(max(abs(next.x), max(abs(next.y), abs(next.z))), 0.00001);
            }
            axis /= max(length(axis), 0.0001);
            var low = 1e9;
            var high = -1e9;
            for (var i = 0; i < 16; i++) {
                let e = dot(colors[i] - mean, axis);
                low = min(low, e);
                high = max(high, e);
            }
            var a = short(mean + axis * high);
            var b = short(mean + axis * low);
            if a < b {
                let k = a;
                a = b;
                b = k;
            }
            let ends = array<vec3f, 4>(long(a), long(b), mix(long(a), long(b), 1.0 / 3.0), mix(long(a), long(b), 2.0 / 3.0));
            var numbers = 0u;
            for (var i = 0u; i < 16u; i++) {
                var best = 0u;
                var least = 1e9;
                for (var k = 0u; k < 4u; k++) {
                    let d = colors[i] - ends[k];
                    let e = dot(d, d);
                    if e < least {
                        least = e;
                        best = k;
                    }
                }
                numbers = insertBits(numbers, best, 2u * i, 2u);
            }
            to[g.x + g.y * 128u] = vec2u(a | b << 16u, numbers);
        }";
    let fragment = "@group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var<storage, read> blocks: array<vec2u>;
        fn long(n: u32) -> vec3f { return vec3f(f32(n >> 11u & 31u) / 31.0, f32(n >> 5u & 63u) / 63.0, f32(n & 31u) / 31.0); }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let at = vec2u(v.at.xy);
            let block = blocks[at.x / 4u + at.y / 4u * 128u];
            let k = extractBits(block.y, 2u * (at.x % 4u + at.y % 4u * 4u), 2u);
            let a = long(block.x);
            let b = long(block.x >> 16u);
            let share = array<f32, 4>(0.0, 1.0, 1.0 / 3.0, 2.0 / 3.0)[k];
            let c = mix(a, b, share);
            let lost = abs(c - textureLoad(t, at, 0).rgb) * 8.0;
            return vec4f(select(c, lost, at.y > 384u), 1.0);
        }";
    let mut plan = empty("compute/pictures in blocks");
    let Read(picture, kind, _) = made(F::Rgba8Unorm, 512, disks);
    let image = plan.texture(picture);
    let to = space(&mut plan, 2 << 14);
    run(
        &mut plan,
        text,
        vec![Resource::Texture(image, kind), Resource::Written(to)],
        [16, 16, 1],
    );
    cover(
        &mut plan,
        0,
        fragment,
        vec![Resource::Texture(image, kind), Resource::Storage(to)],
    );
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![life(), filled(), water(), streams(), packed()]
}
