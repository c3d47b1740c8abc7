//! Dispatches over words: digests, a table that is filled by exchanges, strings that are aligned, and keys sorted in many
//! dispatches.

use super::*;

/// SHA-256 of a block of each invocation, twice.
fn sha() -> Plan {
    let text = "
        const K = array<u32, 64>(
            0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
            0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
            0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
            0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
            0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
            0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
            0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
            0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u);
        @group(0) @binding(0) var<storage, read_write> digests: array<u32>;
        fn turned(x: u32, n: u32) -> u32 { return x >> n | x << (32u - n); }
        fn digest(state: array<u32, 8>, block: array<u32, 16>) -> array<u32, 8> {
            var w = block;
            var s = state;
            for (var i = 0u; i < 64u; i++) {
                if i >= 16u {
                    let x = w[(i + 1u) & 15u];
                    let y = w[(i + 14u) & 15u];
                    let low = turned(x, 7u) ^ turned(x, 18u) ^ x >> 3u;
                    let high = turned(y, 17u) ^ turned(y, 19u) ^ y >> 10u;
                    w[i & 15u] += low + w[(i + 9u) & 15u] + high;
                }
                let e = s[4];
                let a = s[0];
                let t = s[7] + (turned(e, 6u) ^ turned(e, 11u) ^ turned(e, 25u)) + ((e & s[5]) ^ (~e & s[6])) + K[i] + w[i & 15u];
                let u = (turned(a, 2u) ^ turned(a, 13u) ^ turned(a, 22u)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
                s = array<u32, 8>(t + u, a, s[1], s[2], s[3] + t, e, s[5], s[6]);
            }
            for (var i = 0; i < 8; i++) { s[i] += state[i]; }
            return s;
        }
        @compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
            var state = array<u32, 8>(0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u);
            var block: array<u32, 16>;
            block[0] = g.x;
            block[1] = 0x80000000u;
            block[15] = 32u;
            state = digest(state, block);
            for (var i = 0; i < 8; i++) { block[i] = state[i]; }
            state = digest(state, block);
            digests[g.x] = state[0] ^ state[7];
        }";
    let mut plan = empty("compute/sha of words");
    let to = space(&mut plan, 1 << 14);
    run(&mut plan, text, vec![Resource::Written(to)], [256, 1, 1]);
    let color = "return vec4f(unpack4x8unorm(b[at.x / 4u + at.y / 4u * 128u]).rgb, 1.0);";
    shown(&mut plan, to, color);
    plan
}

/// Keccak: 25 pairs of words, 24 rounds.
fn keccak() -> Plan {
    let text = "
        const ROUNDS = array<vec2u, 24>(
            vec2u(0x1u, 0x0u), vec2u(0x8082u, 0x0u), vec2u(0x808au, 0x80000000u), vec2u(0x80008000u, 0x80000000u),
            vec2u(0x808bu, 0x0u), vec2u(0x80000001u, 0x0u), vec2u(0x80008081u, 0x80000000u), vec2u(0x8009u, 0x80000000u),
            vec2u(0x8au, 0x0u), vec2u(0x88u, 0x0u), vec2u(0x80008009u, 0x0u), vec2u(0x8000000au, 0x0u),
            vec2u(0x8000808bu, 0x0u), vec2u(0x8bu, 0x80000000u), vec2u(0x8089u, 0x80000000u), vec2u(0x8003u, 0x80000000u),
            vec2u(0x8002u, 0x80000000u), vec2u(0x80u, 0x80000000u), vec2u(0x800au, 0x0u), vec2u(0x8000000au, 0x80000000u),
            vec2u(0x80008081u, 0x80000000u), vec2u(0x8080u, 0x80000000u), vec2u(0x80000001u, 0x0u), vec2u(0x80008008u, 0x80000000u));
        const TURNS = array<u32, 24>(1u, 3u, 6u, 10u, 15u, 21u, 28u, 36u, 45u, 55u, 2u, 14u, 27u, 41u, 56u, 8u, 25u, 43u, 62u, 18u, 39u, 61u, 20u, 44u);
        const PLACES = array<u32, 24>(10u, 7u, 11u, 17u, 18u, 3u, 5u, 16u, 8u, 21u, 24u, 4u, 15u, 23u, 19u, 13u, 12u, 2u, 20u, 14u, 22u, 9u, 6u, 1u);
        @group(0) @binding(0) var<storage, read_write> digests: array<vec2u>;
        fn turned(x: vec2u, n: u32) -> vec2u {
            let y = select(x, x.yx, n >= 32u);
            let k = n & 31u;
            return select(y << vec2u(k) | y.yx >> vec2u((32u - k) & 31u), y, k == 0u);
        }
        @compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
            var s: array<vec2u, 25>;
            s[0] = vec2u(g.x, 1u);
            s[1] = vec2u(6u, g.x * 3u);
            s[16] = vec2u(0u, 0x80000000u);
            for (var round = 0u; round < 24u; round++) {
                var c: array<vec2u, 5>;
                for (var i = 0u; i < 5u; i++) { c[i] = s[i] ^ s[i + 5u] ^ s[i + 10u] ^ s[i + 15u] ^ s[i + 20u]; }
                for (var i = 0u; i < 5u; i++) {
                    let d = c[(i + 4u) % 5u] ^ turned(c[(i + 1u) % 5u], 1u);
                    for (var j = 0u; j < 25u; j += 5u) { s[j + i] ^= d; }
                }
                var t = s[1];
                for (var i = 0u; i < 24u; i++) {
                    let to = PLACES[i];
                    let next = s[to];
                    s[to] = turned(t, TURNS[i]);
                    t = next;
                }
                for (var j = 0u; j < 25u; j += 5u) {
                    for (var i = 0u; i < 5u; i++) { c[i] = s[j + i]; }
                    for (var i = 0u; i < 5u; i++) { s[j + i] = c[i] ^ (~c[(i + 1u) % 5u] & c[(i + 2u) % 5u]); }
                }
                s[0] ^= ROUNDS[round];
            }
            digests[g.x] = s[0] ^ s[3];
        }";
    let mut plan = empty("compute/keccak");
    let to = space(&mut plan, 1 << 13);
    run(&mut plan, text, vec![Resource::Written(to)], [64, 1, 1]);
    let color = "return vec4f(unpack4x8unorm(b[at.x / 4u % 64u + at.y / 4u * 64u]).rgb, 1.0);";
    shown(&mut plan, to, color);
    plan
}

/// Keys go to the first free slot of a table; how often each is there is counted, and looked up.
fn table() -> Plan {
    let declared = format!(
        "{MIXED}
        @group(0) @binding(0) var<storage, read_write> slots: array<atomic<u32>, 65536>;
        @group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>, 65536>;
        @group(0) @binding(2) var<storage, read_write> found: array<u32>;
        fn key(n: u32) -> u32 {{ return 1u + mixed(n) % 20011u; }}
        fn slot(key: u32) -> u32 {{ return mixed(key * 77u) >> 16u; }}
        @compute @workgroup_size(256) fn cs(@builtin(global_invocation_id) g: vec3u) {{"
    );
    let clear = "
            atomicStore(&slots[g.x], 0u);
            atomicStore(&counts[g.x], 0u);
        }";
    let fill = "
            let k = key(g.x);
            var at = slot(k);
            for (var tries = 0u; tries < 4096u; tries++) {
                let seen = atomicLoad(&slots[at]);
                if seen == k { break; }
                if seen == 0u {
                    let put = atomicCompareExchangeWeak(&slots[at], 0u, k);
                    if put.exchanged || put.old_value == k { break; }
                    if put.old_value == 0u { continue; }
                }
                at = (at + 1u) & 0xffffu;
            }
            atomicAdd(&counts[at], 1u);
        }";
    let find = "
            let k = 1u + g.x;
            var at = slot(k);
            var n = 0u;
            loop {
                let seen = atomicLoad(&slots[at]);
                if seen == k { n = atomicLoad(&counts[at]); }
                if seen == k || seen == 0u { break; }
                at = (at + 1u) & 0xffffu;
            }
            found[g.x] = n;
        }";
    let mut plan = empty("compute/table of keys");
    let buffers = [1 << 16, 1 << 16, 1 << 16].map(|count| space(&mut plan, count));
    for (body, groups) in [(clear, 256), (fill, 256), (find, 64)] {
        let resources = buffers.map(Resource::Written).into();
        run(
            &mut plan,
            format!("{declared}{body}"),
            resources,
            [groups, 1, 1],
        );
    }
    let color = "let n = b[at.x / 4u + at.y / 4u * 128u];
        return vec4f(f32(n) / 12.0, f32(n & 3u) / 4.0, f32(n == 0u), 1.0);";
    shown(&mut plan, buffers[2], color);
    plan
}

/// Pairs of strings of 64 letters: a group goes over the diagonals of a table of all pairs of letters.
fn aligned() -> Plan {
    let text = format!(
        "{MIXED}
        @group(0) @binding(0) var<storage, read_write> best: array<u32>;
        var<workgroup> letters: array<u32, 64>;
        var<workgroup> diagonals: array<array<i32, 65>, 3>;
        @compute @workgroup_size(64) fn cs(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) l: u32) {{
            let mine = mixed(l / 5u * 7u + w.x * 131u) >> 7u & 3u;
            letters[l] = mixed(l / 3u + w.y * 977u) >> 9u & 3u;
            for (var i = 0; i < 3; i++) {{
                diagonals[i][l] = 0;
                if l == 63u {{ diagonals[i][64] = 0; }}
            }}
            workgroupBarrier();
            var most = 0;
            for (var d = 0u; d < 127u; d++) {{
                let now = d % 3u;
                let last = (d + 2u) % 3u;
                let before = (d + 1u) % 3u;
                if l <= d && d - l < 64u {{
                    let same = letters[d - l] == mine;
                    let through = diagonals[before][l] + select(-1, 2, same);
                    let s = max(max(through, 0), max(diagonals[last][l], diagonals[last][l + 1u]) - 1);
                    diagonals[now][l + 1u] = s;
                    most = max(most, s);
                }}
                workgroupBarrier();
            }}
            best[(w.x + w.y * 16u) * 64u + l] = u32(most);
        }}"
    );
    let mut plan = empty("compute/strings aligned");
    let to = space(&mut plan, 64 << 8);
    run(&mut plan, text, vec![Resource::Written(to)], [16, 16, 1]);
    let color = "let tile = at / 32u;
        let inner = at % 32u / 4u;
        let n = f32(b[(tile.x + tile.y * 16u) * 64u + inner.x + inner.y * 8u]);
        return vec4f(n / 40.0, n / 20.0 - 0.5, 0.3, 1.0);";
    shown(&mut plan, to, color);
    plan
}

/// 16K keys: groups sort 512 of them, and pairs that are farther apart are compared in dispatches of their own.
fn bitonic() -> Plan {
    let local = |first: u32, last: u32| {
        format!(
            "@group(0) @binding(0) var<storage, read_write> keys: array<u32>;
            var<workgroup> s: array<u32, 512>;
            @compute @workgroup_size(256) fn cs(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) l: u32) {{
                let base = w.x * 512u;
                s[l] = keys[base + l];
                s[l + 256u] = keys[base + l + 256u];
                workgroupBarrier();
                for (var k = {first}u; k <= {last}u; k <<= 1u) {{
                    for (var j = min(k >> 1u, 256u); j > 0u; j >>= 1u) {{
                        let a = (l & ~(j - 1u)) << 1u | (l & (j - 1u));
                        let up = ((base + a) & k) == 0u;
                        let x = s[a];
                        let y = s[a + j];
                        if (x > y) == up {{
                            s[a] = y;
                            s[a + j] = x;
                        }}
                        workgroupBarrier();
                    }}
                }}
                keys[base + l] = s[l];
                keys[base + l + 256u] = s[l + 256u];
            }}"
        )
    };
    let far = |k: u32, j: u32| {
        format!(
            "@group(0) @binding(0) var<storage, read_write> keys: array<u32>;
            @compute @workgroup_size(256) fn cs(@builtin(global_invocation_id) g: vec3u) {{
                let a = (g.x & ~({j}u - 1u)) << 1u | (g.x & ({j}u - 1u));
                let x = keys[a];
                let y = keys[a + {j}u];
                if (x > y) == ((a & {k}u) == 0u) {{
                    keys[a] = y;
                    keys[a + {j}u] = x;
                }}
            }}"
        )
    };
    let made = format!(
        "{MIXED}
        @group(0) @binding(0) var<storage, read_write> keys: array<u32>;
        @compute @workgroup_size(256) fn cs(@builtin(global_invocation_id) g: vec3u) {{ keys[g.x] = mixed(g.x); }}"
    );
    let mut plan = empty("compute/bitonic in dispatches");
    let keys = space(&mut plan, 1 << 14);
    let mut steps = vec![(made, 64), (local(2, 512), 32)];
    for size in 10..=14 {
        let k = 1 << size;
        steps.extend((9..size).rev().map(|n| (far(k, 1 << n), 32)));
        steps.push((local(k, k), 32));
    }
    for (text, groups) in steps {
        run(
            &mut plan,
            text,
            vec![Resource::Written(keys)],
            [groups, 1, 1],
        );
    }
    let color = "let key = b[at.x / 4u + at.y / 4u * 128u];
        return vec4f(f32(key >> 24u) / 255.0, f32(key >> 18u & 63u) / 63.0, 0.4, 1.0);";
    shown(&mut plan, keys, color);
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![sha(), keccak(), table(), aligned(), bitonic()]
}
