//! Fragment shaders that read: tiles of a palette, letters of three distances, edges that are smoothed, blocks that rays walk
//! through, and cones of light.

use super::*;

/// Numbers without a sign.
const UINT: TextureSampleType = TextureSampleType::Uint;

/// A map of 64 by 64 tiles with flips; a tile is 8 by 8 numbers of a layer, each a colour of one of eight palettes. Two such
/// maps move over each other, and 24 sprites lie between them.
fn tiles() -> Plan {
    let declared = "
        fn tile(at: vec2u, back: u32) -> u32 {
            let entry = textureLoad(t0, at / 8u & vec2u(63u), 0).r;
            var p = at & vec2u(7u);
            if (entry & 0x400u) != 0u { p.x = 7u - p.x; }
            if (entry & 0x800u) != 0u { p.y = 7u - p.y; }
            if (entry & 0x2000u) != 0u { p = p.yx; }
            let n = textureLoad(t1, p, (entry + back) & 63u, 0).r;
            return select((entry >> 6u & 7u) * 16u + n, 0u, n == 0u);
        }
        fn sprite(at: vec2u, i: u32) -> u32 {
            let h = mixed(i);
            let p = at - vec2u(h & 255u, h >> 8u & 255u);
            let edge = 8u << (h >> 30u);
            if any(p >= vec2u(edge)) { return 0u; }
            let n = textureLoad(t1, p & vec2u(7u), (h >> 16u) + p.x / 8u + p.y / 8u * 4u & 63u, 0).r;
            return select((h >> 20u & 7u) * 16u + n, 0u, n == 0u);
        }";
    let body = "let at = vec2u(v.at.xy) / 2u;
        var n = tile(at + vec2u(u32(20.0 + 12.0 * sin(v.at.y * 0.03)), 9u), 0u);
        for (var i = 0u; i < 24u; i++) {
            let s = sprite(at, i);
            if s != 0u {
                n = s;
                break;
            }
        }
        let front = tile(at * 3u / 2u + vec2u(0u, 100u), 17u);
        if front != 0u && (at.y / 32u & 1u) == 1u { n = front; }
        let c = textureLoad(t2, vec2u(n & 15u, n >> 4u), 0).rgb;
        let line = select(1.0, 0.8, (u32(v.at.y) & 1u) == 1u);
        return vec4f(c * line, 1.0);";
    let map = || {
        let entry = |n: u32| {
            let [x, y] = [n % 64, n / 64];
            let land = (mixed(x / 4 + y / 4 * 64) & 3) * 16;
            (mixed(n + 5) & 0x2c0f) | land | land << 4
        };
        (0..64 * 64)
            .flat_map(|n| (entry(n) as u16).to_le_bytes())
            .collect()
    };
    let atlas = || {
        let texel = |n: u32| {
            let [x, y, layer] = [n % 8, n / 8 % 8, n / 64];
            let r = x.abs_diff(3).pow(2) + y.abs_diff(4).pow(2);
            match layer / 16 {
                0 => 1 + (x + y * (layer + 1)) % 4,
                1 if r < 4 + layer % 16 => 5 + r % 7,
                2 if (x ^ y) & 3 == layer & 3 => 9 + x % 5,
                3 if mixed(n) & 3 == 0 => 3 + layer % 12,
                _ => 0,
            }
        };
        (0..64 * 64).map(|n| texel(n) as u8).collect()
    };
    let palette = || {
        let color = |n: u32| {
            let shade = 90 + n % 16 * 11;
            let part =
                |k| ((mixed(n / 16 * 3 + k) & 191) * shade / 160 + n % 16 * 8 + 24).min(255) as u8;
            [part(1), part(2), part(3), 255]
        };
        (0..128).flat_map(color).collect()
    };
    let reads = vec![
        Read(
            made_as(F::R16Uint, D::D2, [64, 64, 1], 1, map),
            UINT,
            "texture_2d<u32>",
        ),
        Read(
            made_as(F::R8Uint, D::D2Array, [8, 8, 64], 1, atlas),
            UINT,
            "texture_2d_array<u32>",
        ),
        Read(
            made_as(F::Rgba8UnormSrgb, D::D2, [16, 8, 1], 1, palette),
            FILTERED,
            "texture_2d<f32>",
        ),
    ];
    let declared = format!("{MIXED}{declared}");
    reading(
        "program/tiles of a palette".to_owned(),
        (&declared, body),
        reads,
        &[],
        1,
    )
}

/// Three distances a texel whose middle one has sharp corners: filled, with an edge, a shadow and a glow.
fn distances() -> Plan {
    let declared = "
        fn middle(c: vec3f) -> f32 { return max(min(c.r, c.g), min(max(c.r, c.g), c.b)); }
        fn away(uv: vec2f, letter: vec2f) -> f32 {
            if any(uv < vec2f()) || any(uv > vec2f(1.0)) { return -0.5; }
            return middle(textureSampleLevel(t0, s0, (letter * 32.0 + 1.0 + uv * 30.0) / 256.0, 0.0).rgb) - 0.5;
        }";
    let body = "let size = 24.0 + floor(v.at.y / 128.0) * 16.0;
        let at = v.at.xy + vec2f(0.0, 10.0 * sin(v.at.x * 0.02));
        let cell = floor(at / size);
        let letter = vec2f(f32(i32(cell.x) & 7), f32(i32(cell.x + cell.y * 3.0) & 7));
        let uv = fract(at / size) * 1.2 - 0.1;
        let wide = 1.2 / size * 2.0;
        let d = away(uv, letter);
        let shadow = smoothstep(-0.2, 0.1, away(uv - vec2f(0.06), letter));
        var c = mix(vec3f(0.9, 0.88, 0.8), vec3f(0.4, 0.38, 0.4), shadow * 0.7);
        c = mix(c, vec3f(0.15, 0.1, 0.2), smoothstep(-wide, wide, d + 0.12));
        c = mix(c, mix(vec3f(1.0, 0.5, 0.1), vec3f(0.9, 0.1, 0.4), uv.y), smoothstep(-wide, wide, d));
        return vec4f(c, 1.0);";
    let atlas = || {
        let texel = |n: u32| {
            let [x, y] = [n % 256, n / 256].map(|k| (k % 32) as i32 - 16);
            let letter = n / 256 / 32 * 8 + n % 256 / 32;
            let side = |k: u32| {
                let h = mixed(letter * 3 + k);
                let slope = (h & 15) as i32 - 7;
                let away = match (k + letter) % 3 {
                    0 => 11 * 8 - x.abs() * 8 + slope * y,
                    1 => 12 * 8 - y.abs() * 8 + slope * x,
                    _ => 6 * 8 - (x + y).abs() * 6 + slope * (x - y) / 2,
                };
                (128 + away).clamp(0, 255) as u8
            };
            [side(0), side(1), side(2), 255]
        };
        (0..256 * 256).flat_map(texel).collect()
    };
    let samplers = [Sampling::LINEAR.clamped()];
    let reads = vec![made(F::Rgba8Unorm, 256, atlas)];
    reading(
        "program/letters of three distances".to_owned(),
        (declared, body),
        reads,
        &samplers,
        1,
    )
}

/// Edges of light are followed both ways to their ends, and texels are mixed across them.
fn smoothed() -> Plan {
    let declared = "
        fn texel(p: vec2f) -> vec3f { return textureSampleLevel(t0, s0, p / 512.0, 0.0).rgb; }
        fn light(p: vec2f) -> f32 { return sqrt(dot(texel(p), vec3f(0.299, 0.587, 0.114))); }";
    let body = "let p = v.at.xy;
        let m = light(p);
        let n = light(p - vec2f(0.0, 1.0));
        let s = light(p + vec2f(0.0, 1.0));
        let w = light(p - vec2f(1.0, 0.0));
        let e = light(p + vec2f(1.0, 0.0));
        let low = min(m, min(min(n, s), min(w, e)));
        let high = max(m, max(max(n, s), max(w, e)));
        if high - low < max(0.03, high * 0.12) { return vec4f(texel(p), 1.0); }
        let nw = light(p - 1.0);
        let se = light(p + 1.0);
        let ne = light(p + vec2f(1.0, -1.0));
        let sw = light(p + vec2f(-1.0, 1.0));
        let across = abs(nw + sw - 2.0 * w) + 2.0 * abs(n + s - 2.0 * m) + abs(ne + se - 2.0 * e);
        let down = abs(nw + ne - 2.0 * n) + 2.0 * abs(w + e - 2.0 * m) + abs(sw + se - 2.0 * s);
        let flat = across >= down;
        let before = select(w, n, flat);
        let after = select(e, s, flat);
        let steeper = abs(before - m) >= abs(after - m);
        var step = select(vec2f(1.0, 0.0), vec2f(0.0, 1.0), flat);
        if steeper { step = -step; }
        let edge = 0.5 * (m + select(after, before, steeper));
        let least = 0.25 * max(abs(before - m), abs(after - m));
        let along = select(vec2f(0.0, 1.0), vec2f(1.0, 0.0), flat);
        var ends: array<f32, 2>;
        var reached: array<f32, 2>;
        for (var k = 0; k < 2; k++) {
            let way = along * select(1.0, -1.0, k == 0);
            var d = 1.0;
            var l = 0.0;
            for (var i = 0; i < 10; i++) {
                l = light(p + step * 0.5 + way * d) - edge;
                if abs(l) >= least { break; }
                d += select(1.0, 2.0, i > 4);
            }
            ends[k] = d;
            reached[k] = l;
        }
        let near = select(1, 0, ends[0] < ends[1]);
        let right = (reached[near] < 0.0) != (m < edge);
        let part = select(0.0, 0.5 - min(ends[0], ends[1]) / (ends[0] + ends[1]), right);
        let mean = (2.0 * (n + s + w + e) + nw + ne + sw + se) / 12.0;
        let single = smoothstep(0.0, 1.0, abs(mean - m) / (high - low));
        return vec4f(texel(p + step * max(part, single * single * 0.75)), 1.0);";
    let samplers = [Sampling::LINEAR.clamped()];
    let reads = vec![made(F::Rgba8Unorm, 512, disks)];
    reading(
        "program/edges smoothed".to_owned(),
        (declared, body),
        reads,
        &samplers,
        1,
    )
}

/// 64 blocks each way: 0 is air.
pub(super) fn blocks() -> Vec<u8> {
    let ground = hills();
    let block = |n: u32| {
        let [x, y, z] = [n % 64, n / 64 % 64, n / 4096];
        let height = u32::from(ground[(z * 4 * 256 + x * 4) as usize]) / 6;
        let tree = mixed(x / 8 + z / 8 * 8) & 3 == 0;
        let leaf = [x % 8, z % 8]
            .map(|k| k.abs_diff(4).pow(2))
            .iter()
            .sum::<u32>()
            + y.abs_diff(height + 7).pow(2)
            < 8;
        match y {
            _ if y < height => 1 + (height - y > 1) as u8 + (height > 26) as u8 * 2,
            _ if y < 14 => 5,
            _ if tree && leaf => 6,
            _ if tree && x % 8 == 4 && z % 8 == 4 && y < height + 7 => 7,
            _ => 0,
        }
    };
    (0..64 * 64 * 64).map(block).collect()
}

/// Rays go from block to block, and once more to the sun.
fn walked() -> Plan {
    let declared = "
        struct Walk { cell: vec3i, n: vec3f, kind: u32, t: f32 };
        fn walk(o: vec3f, d: vec3f, most: i32) -> Walk {
            var w = Walk(vec3i(floor(o)), vec3f(), 0u, 0.0);
            let each = abs(1.0 / d);
            let side = vec3i(sign(d));
            var next = (vec3f(side) * (floor(o) - o) + vec3f(side) * 0.5 + 0.5) * each;
            for (var i = 0; i < most; i++) {
                let least = vec3<bool>(next.x <= min(next.y, next.z), next.y < min(next.x, next.z) || (next.y == next.z && next.y < next.x), next.z < min(next.x, next.y));
                let m = select(vec3f(), vec3f(1.0), least);
                w.t = min(next.x, min(next.y, next.z));
                next += m * each;
                w.cell += side * vec3i(m);
                w.n = -vec3f(side) * m;
                if w.cell.y < 0 || w.cell.y > 63 { break; }
                w.kind = textureLoad(t0, w.cell & vec3i(63), 0).r;
                if w.kind != 0u { break; }
            }
            return w;
        }";
    let body = "const COLORS = array<vec3f, 8>(vec3f(), vec3f(0.3, 0.6, 0.2), vec3f(0.5, 0.35, 0.2), vec3f(0.9), vec3f(0.5), vec3f(0.2, 0.4, 0.8), vec3f(0.15, 0.45, 0.15), vec3f(0.4, 0.25, 0.1));
        let o = vec3f(20.3, 52.0, 3.2);
        let d = normalize(vec3f((v.at.xy / 128.0 - 1.0) * vec2f(1.0, -1.0) + vec2f(0.013, -0.517), 1.3));
        let sky = mix(vec3f(0.8, 0.85, 0.9), vec3f(0.3, 0.5, 0.9), clamp(d.y * 2.0 + 0.3, 0.0, 1.0));
        let w = walk(o, d, 96);
        if w.kind == 0u { return vec4f(sky, 1.0); }
        let p = o + d * w.t;
        let sun = normalize(vec3f(0.51, 0.73, -0.39));
        let shaded = walk(p + w.n * 0.01, sun, 24).kind != 0u;
        let light = 0.35 + select(0.65 * max(dot(w.n, sun), 0.0), 0.0, shaded) + 0.1 * w.n.y;
        let inside = fract(p) * (1.0 - abs(w.n));
        let edge = select(1.0, 0.92, any(inside > vec3f(0.94)));
        return vec4f(mix(COLORS[w.kind] * light * edge, sky, clamp(w.t / 90.0 - 0.2, 0.0, 1.0)), 1.0);";
    let texture = made_as(F::R8Uint, D::D3, [64, 64, 64], 1, blocks);
    let reads = vec![Read(texture, UINT, "texture_3d<u32>")];
    reading(
        "program/blocks walked".to_owned(),
        (declared, body),
        reads,
        &[],
        1,
    )
}

/// Light and cover of 32 by 32 by 32 places and their means in five levels: lamps in a room with columns.
fn lit_volume() -> Vec<u8> {
    let mut level: Vec<[u32; 4]> = (0..32 * 32 * 32)
        .map(|n| {
            let [x, y, z] = [n % 32, n / 32 % 32, n / 1024_u32];
            let column = x % 8 < 2 && z % 8 < 2 && y < 20;
            let lamp = x % 16 == 12 && z % 16 == 12 && y > 16 && y < 20;
            match () {
                () if lamp => [255, 200 - z * 4, 60 + x * 6, 255],
                () if column || y < 1 || z > 30 => [4, 4, 6, 255],
                () => [0; 4],
            }
        })
        .collect();
    let mut bytes = Vec::new();
    let mut edge = 32;
    loop {
        bytes.extend(level.iter().flatten().flat_map(|&n| half(n as f32 / 255.0)));
        if edge == 1 {
            return bytes;
        }
        let half = edge / 2;
        level = (0..half * half * half)
            .map(|n| {
                let [x, y, z] = [n % half, n / half % half, n / half / half].map(|k| 2 * k);
                let corner = |k: usize| {
                    level[((z + (k >> 2)) * edge + y + (k >> 1 & 1)) * edge + x + (k & 1)]
                };
                [0, 1, 2, 3].map(|c| (0..8).map(|k| corner(k)[c]).sum::<u32>() / 8)
            })
            .collect();
        edge = half;
    }
}

/// A floor and columns that gather light by four wide cones and a narrow one, each reading coarser levels farther out.
fn cones() -> Plan {
    let declared = "
        fn cone(o: vec3f, d: vec3f, wide: f32, most: f32) -> vec4f {
            var sum = vec4f();
            var t = 0.06;
            while t < most && sum.a < 0.95 {
                let across = max(1.0 / 32.0, wide * t);
                let c = textureSampleLevel(t0, s0, o + d * t, log2(across * 32.0));
                sum += (1.0 - sum.a) * vec4f(c.rgb * 14.0, c.a) * select(1.0, 0.6, wide > 0.3);
                t += across;
            }
            return sum;
        }
        fn solid(p: vec3f) -> f32 {
            let q = abs(fract(p.xz * 4.0 + vec2f(0.375)) - 0.5) - 0.125;
            return min(min(p.y - 0.03125, 0.97 - p.z), max(max(q.x, q.y) * 0.25, p.y - 0.625));
        }";
    let body = "let o = vec3f(0.66, 0.42, 0.13);
        let d = normalize(vec3f((v.at.xy / 128.0 - 1.0) * vec2f(0.8, -0.8) - vec2f(0.0, 0.15), 1.0));
        var t = 0.0;
        for (var i = 0; i < 64; i++) {
            let e = solid(o + d * t);
            t += e * 0.9;
            if e < 0.0008 || t > 1.6 { break; }
        }
        let p = o + d * t;
        let h = 0.001;
        let n = normalize(vec3f(solid(p + vec3f(h, 0.0, 0.0)), solid(p + vec3f(0.0, h, 0.0)), solid(p + vec3f(0.0, 0.0, h))) - solid(p));
        let up = select(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), abs(n.y) > 0.9);
        let u = normalize(cross(up, n));
        let w = cross(n, u);
        var light = cone(p + n * 0.04, n, 1.0, 1.0).rgb * 0.25;
        for (var i = 0; i < 3; i++) {
            let a = f32(i) * 2.0943951;
            light += cone(p + n * 0.04, n * 0.5 + (u * cos(a) + w * sin(a)) * 0.866, 1.0, 1.0).rgb * 0.25;
        }
        let shine = cone(p + n * 0.04, reflect(d, n), 0.15, 1.4).rgb;
        let c = light * 1.6 + shine * 0.5 + cone(o, d, 0.03, t).rgb * 0.6 + 0.02;
        return vec4f(sqrt(c / (1.0 + c)), 1.0);";
    let texture = made_as(F::Rgba16Float, D::D3, [32, 32, 32], 6, lit_volume);
    let reads = vec![Read(texture, FILTERED, "texture_3d<f32>")];
    let samplers = [Sampling::TRILINEAR.clamped()];
    reading(
        "program/cones of light".to_owned(),
        (declared, body),
        reads,
        &samplers,
        1,
    )
}

/// The same over a picture of half the size.
fn halved(mut plan: Plan) -> Plan {
    plan.textures[plan.picture].size = [SIZE / 2, SIZE / 2, 1];
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![
        tiles(),
        distances(),
        smoothed(),
        halved(walked()),
        halved(cones()),
    ]
}
