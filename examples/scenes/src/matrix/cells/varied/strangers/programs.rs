//! Fragment shaders of loops and tables: fields, noise from permutations, equations, arrays that lanes write, wide integers,
//! loops with several exits, and lamps of tiles.

use super::*;

/// Body of `fs(v: V) -> vec4f`, with functions before it.
type Program = (&'static str, &'static str, &'static str);

const FIELD: Program = (
    "field with shadows",
    "fn field(p: vec3f) -> vec2f {
        var d = vec2f(p.y + 0.5, 0.0);
        let b = vec3f(fract(p.x + 0.5) - 0.5, p.y + 0.3, p.z - 3.0);
        let q = abs(b) - vec3f(0.2, 0.2, 0.2);
        let box = length(max(q, vec3f())) + min(max(q.x, max(q.y, q.z)), 0.0) - 0.03;
        if box < d.x { d = vec2f(box, 1.0); }
        let ball = length(p - vec3f(0.3, 0.3, 3.0)) - 0.4;
        if ball < d.x { d = vec2f(ball, 2.0); }
        let ring = length(vec2f(length(p.xz - vec2f(-0.6, 2.6)) - 0.4, p.y)) - 0.12;
        if ring < d.x { d = vec2f(ring, 3.0); }
        return d;
    }
    fn normal(p: vec3f) -> vec3f {
        let e = vec2f(1.0, -1.0) * 0.001;
        return normalize(e.xyy * field(p + e.xyy).x + e.yyx * field(p + e.yyx).x
            + e.yxy * field(p + e.yxy).x + e.xxx * field(p + e.xxx).x);
    }
    fn shadow(p: vec3f, l: vec3f) -> f32 {
        var s = 1.0;
        var t = 0.02;
        for (var i = 0; i < 24; i++) {
            let h = field(p + l * t).x;
            s = min(s, 8.0 * h / t);
            t += clamp(h, 0.02, 0.3);
            if s < 0.01 || t > 3.0 { break; }
        }
        return clamp(s, 0.0, 1.0);
    }",
    "let d = normalize(vec3f(v.uv - 0.8, 1.2));
    let o = vec3f(0.0, 0.4, -0.2);
    var t = 0.5;
    var m = -1.0;
    for (var i = 0; i < 48; i++) {
        let h = field(o + d * t);
        if h.x < 0.001 * t { m = h.y; break; }
        t += h.x;
        if t > 12.0 { break; }
    }
    if m < 0.0 { return vec4f(0.5, 0.7, 0.9, 1.0); }
    let p = o + d * t;
    let n = normal(p);
    let l = normalize(vec3f(0.5, 0.7, -0.4));
    var c = vec3f(0.3 + 0.2 * m, 0.6 - 0.1 * m, 0.4);
    if m == 0.0 { c = vec3f(0.3 + 0.2 * abs(floor(p.x * 2.0) + floor(p.z * 2.0) - 2.0 * floor((floor(p.x * 2.0) + floor(p.z * 2.0)) / 2.0))); }
    let lit = max(dot(n, l), 0.0);
    var s = 0.0;
    if lit > 0.0 { s = shadow(p, l); }
    return vec4f(sqrt(c * (0.15 + lit * s)), 1.0);",
);

const PERMUTED: Program = (
    "permutations",
    "@group(0) @binding(0) var<uniform> table: array<vec4u, 64>;
    fn at(n: i32) -> i32 {
        let i = u32(n) & 255u;
        return i32(table[i >> 2u][i & 3u]);
    }
    fn slope(h: i32, p: vec3f) -> f32 {
        let u = select(p.y, p.x, (h & 8) == 0);
        let w = select(select(p.z, p.x, (h & 13) == 12), p.y, (h & 12) == 0);
        return select(-u, u, (h & 1) == 0) + select(-w, w, (h & 2) == 0);
    }
    fn perlin(p: vec3f) -> f32 {
        let i = vec3i(floor(p));
        let f = fract(p);
        let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
        let a = at(i.x) + i.y;
        let b = at(i.x + 1) + i.y;
        let aa = at(a) + i.z;
        let ab = at(a + 1) + i.z;
        let ba = at(b) + i.z;
        let bb = at(b + 1) + i.z;
        let near = mix(mix(slope(at(aa), f), slope(at(ba), f - vec3f(1.0, 0.0, 0.0)), u.x),
            mix(slope(at(ab), f - vec3f(0.0, 1.0, 0.0)), slope(at(bb), f - vec3f(1.0, 1.0, 0.0)), u.x), u.y);
        let far = mix(mix(slope(at(aa + 1), f - vec3f(0.0, 0.0, 1.0)), slope(at(ba + 1), f - vec3f(1.0, 0.0, 1.0)), u.x),
            mix(slope(at(ab + 1), f - vec3f(0.0, 1.0, 1.0)), slope(at(bb + 1), f - vec3f(1.0, 1.0, 1.0)), u.x), u.y);
        return mix(near, far, u.z);
    }",
    "var s = 0.5;
    var a = 0.5;
    var p = vec3f(v.uv * 5.0, 0.7);
    for (var i = 0; i < 3; i++) { s += a * perlin(p); a *= 0.5; p *= 2.0; }
    return vec4f(vec3f(s), 1.0);",
);

const SOLVED: Program = (
    "equations solved",
    "",
    "var m: mat4x4f;
    var b = vec4f(v.uv, 0.5, 1.0);
    for (var i = 0; i < 4; i++) {
        for (var j = 0; j < 4; j++) { m[i][j] = fract(v.uv.x * f32(i * 5 + j) + v.uv.y * f32(j * 3 + 1)); }
        m[i][3 - i] += 2.0;
    }
    for (var k = 0; k < 4; k++) {
        var pivot = k;
        for (var i = k + 1; i < 4; i++) {
            if abs(m[i][k]) > abs(m[pivot][k]) { pivot = i; }
        }
        let row = m[k];
        m[k] = m[pivot];
        m[pivot] = row;
        let e = b[k];
        b[k] = b[pivot];
        b[pivot] = e;
        for (var i = k + 1; i < 4; i++) {
            let f = m[i][k] / m[k][k];
            m[i] -= f * m[k];
            b[i] -= f * b[k];
        }
    }
    var x = vec4f();
    for (var k = 3; k >= 0; k--) { x[k] = (b[k] - dot(m[k], x)) / m[k][k]; }
    return vec4f(abs(x.xyz), 1.0);",
);

const HITS: Program = (
    "hits in order",
    "struct Hit { t: f32, id: u32, c: vec4f };",
    "var hits: array<Hit, 8>;
    var n = 0u;
    for (var i = 0u; i < 16u; i++) {
        let h = mixed(i + 5u);
        let o = vec3f(f32(h & 255u), f32(h >> 8u & 255u), f32(h >> 16u & 255u)) / 160.0;
        let away = v.uv - o.xy;
        let e = 0.09 - dot(away, away);
        if e < 0.0 || n == 8u { continue; }
        let t = o.z - sqrt(e);
        var j = n;
        while j > 0u {
            if hits[j - 1u].t <= t { break; }
            hits[j] = hits[j - 1u];
            j--;
        }
        hits[j] = Hit(t, i, vec4f(fract(vec3f(0.37, 0.73, 0.19) * f32(i)), sqrt(e)));
        n++;
    }
    var c = vec3f();
    var through = 1.0;
    for (var i = 0u; i < n; i++) {
        let hit = hits[i];
        c += through * hit.c.a * hit.c.rgb * (1.0 + f32(hit.id & 3u) * 0.3);
        through *= 1.0 - hit.c.a;
    }
    return vec4f(c + through * 0.3, 1.0);",
);

const WIDE: Program = (
    "wide integers",
    "fn sum(a: vec2u, b: vec2u) -> vec2u {
        let low = a.x + b.x;
        return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
    }
    fn whole(a: u32, b: u32) -> vec2u {
        let p = vec2u(a & 65535u, a >> 16u);
        let q = vec2u(b & 65535u, b >> 16u);
        let middle = p.y * q.x + ((p.x * q.x) >> 16u);
        let other = p.x * q.y + (middle & 65535u);
        return vec2u(a * b, p.y * q.y + (middle >> 16u) + (other >> 16u));
    }
    fn product(a: vec2u, b: vec2u) -> vec2u {
        let low = whole(a.x, b.x);
        return vec2u(low.x, low.y + a.x * b.y + a.y * b.x);
    }
    fn right(a: vec2u, n: u32) -> vec2u { return vec2u(a.x >> n | a.y << (32u - n), a.y >> n); }",
    "var s = vec2u(u32(v.at.x) / 8u, u32(v.at.y) / 8u);
    for (var i = 0; i < 8; i++) {
        s = sum(product(s, vec2u(0x4c957f2du, 0x5851f42du)), vec2u(0xf767814fu, 0x14057b7eu));
        s = s ^ right(s, 29u);
    }
    return vec4f(unpack4x8unorm(s.y).rgb, 1.0);",
);

/// The numbers of an array that lanes write and read, each where the last one says.
const CHASED: Program = (
    "vectors chased",
    "",
    "var r: array<vec4f, 12>;
    for (var i = 0u; i < 12u; i++) { r[i] = sin(v.uv.xyxy * f32(i)); }
    var j = u32(v.at.x) % 12u;
    var s = vec4f();
    for (var i = 0u; i < 12u; i++) {
        r[j] = r[(j * 5u + 3u) % 12u] * 0.9 + 0.1;
        j = u32(abs(r[j].x) * 11.9) % 12u;
        s += r[j];
    }
    return vec4f(fract(s.rgb * 0.2), 1.0);",
);

const INSERTED: Program = (
    "pairs inserted",
    "",
    "var a: array<vec2f, 8>;
    for (var i = 0u; i < 8u; i++) {
        let h = mixed(i + u32(v.at.x) / 4u * 64u + u32(v.at.y) / 4u * 8192u);
        a[i] = vec2f(f32(h & 1023u) / 1023.0, f32(i) / 8.0);
    }
    for (var i = 1u; i < 8u; i++) {
        let x = a[i];
        var j = i;
        while j > 0u && a[j - 1u].x > x.x {
            a[j] = a[j - 1u];
            j--;
        }
        a[j] = x;
    }
    return vec4f(a[3].x, a[u32(v.at.y) & 7u].y, a[0].x, 1.0);",
);

const EXITS: Program = (
    "loops with exits",
    "",
    "var n = u32(v.at.x) ^ (u32(v.at.y) * 3u);
    var c = 0u;
    var k = 0u;
    loop {
        if k > 12u { break; }
        if (n & 1u) == 1u {
            n = n * 3u + 1u;
            if n > 3000u { c += 7u; break; }
        } else {
            n >>= 1u;
            if n == 8u { continue; }
        }
        var j = 0u;
        while true {
            j++;
            if j > (n & 7u) { break; }
            if (n + j) % 11u == 0u {
                c += 3u;
                if c > 90u { return vec4f(0.2, 1.0, f32(k) / 12.0, 1.0); }
                break;
            }
            c++;
        }
        if n == 1u { break; }
        continuing {
            k++;
            c ^= k & 3u;
        }
    }
    return vec4f(f32(c & 63u) / 63.0, f32(k) / 13.0, f32(n & 255u) / 255.0, 1.0);",
);

/// Lamps of the tile that a pixel is in, by numbers of a list.
const LAMPS: &str = "
struct Lamp { place: vec3f, reach: f32, color: vec3f, kind: u32 };
@group(0) @binding(0) var<storage, read> lamps: array<Lamp>;
@group(0) @binding(1) var<storage, read> tiles: array<vec2u>;
@group(0) @binding(2) var<storage, read> list: array<u32>;
@fragment fn fs(v: V) -> @location(0) vec4f {
    let at = vec2u(v.at.xy) / 32u;
    let tile = tiles[at.y * 16u + at.x];
    let p = vec3f(v.at.xy, 0.0);
    let n = normalize(vec3f(sin(v.at.x * 0.1), cos(v.at.y * 0.13), 3.0));
    var c = vec3f(0.03);
    for (var i = 0u; i < tile.y; i++) {
        let lamp = lamps[list[tile.x + i]];
        let way = lamp.place - p;
        let square = dot(way, way);
        if square > lamp.reach * lamp.reach { continue; }
        let l = way * inverseSqrt(square);
        var power = 1.0 - sqrt(square) / lamp.reach;
        switch lamp.kind {
            case 0u: { power *= power; }
            case 1u: { power *= smoothstep(0.5, 0.7, l.z); }
            default: {}
        }
        c += lamp.color * max(dot(n, l), 0.0) * power;
    }
    return vec4f(c, 1.0);
}";

fn lamps() -> Plan {
    let mut screen = Screen::new("program/lamps of tiles", LAMPS, 1);
    let lamps: Vec<[f32; 4]> = noise(11, 4 * 96)
        .chunks(4)
        .map(|b| {
            [
                f32::from(b[0]) * 8.0,
                f32::from(b[1]) * 8.0,
                20.0,
                30.0 + f32::from(b[2]) * 2.0,
            ]
        })
        .collect();
    let (mut tiles, mut list) = (Vec::new(), Vec::new());
    for tile in 0..16 * 16 {
        let near =
            |n: f32, first: u32| n.clamp(first as f32 * 32.0, first as f32 * 32.0 + 32.0) - n;
        let seen = |[x, y, _, reach]: &[f32; 4]| {
            near(*x, tile % 16).powi(2) + near(*y, tile / 16).powi(2) < reach * reach
        };
        let first = list.len() as u32;
        list.extend(
            (0..)
                .zip(&lamps)
                .filter(|(_, lamp)| seen(lamp))
                .map(|(n, _)| n),
        );
        tiles.extend([first, list.len() as u32 - first]);
    }
    let bytes = (0u32..).zip(&lamps).flat_map(|(n, lamp)| {
        let color = [n % 3, n % 5 / 2, n % 7 / 3].map(|c| c as f32 * 0.3 + 0.1);
        let numbers = lamp.iter().chain(&color).map(|n| n.to_bits());
        numbers.chain([n % 3]).collect::<Vec<u32>>()
    });
    let buffers = [words(bytes), words(tiles), words(list)];
    let buffers = buffers.map(|bytes| screen.plan.buffer(BufferUsages::STORAGE, bytes));
    screen.plan.set(buffers.map(Resource::Storage).into());
    screen.plan()
}

/// Every number of a byte once, without order.
fn permutation() -> Vec<u8> {
    words(
        (0..256u32)
            .map(|n| n * 167 + 13)
            .map(|n| n * (n + 1) / 2 % 256),
    )
}

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = Vec::new();
    for (label, declared, body) in [FIELD, PERMUTED, SOLVED, HITS, WIDE, CHASED, INSERTED, EXITS] {
        let text =
            format!("{MIXED}{declared}@fragment fn fs(v: V) -> @location(0) vec4f {{ {body} }}");
        let mut screen = Screen::new(format!("program/{label}"), &text, 1);
        if label == PERMUTED.0 {
            let table = screen.plan.buffer(BufferUsages::UNIFORM, permutation());
            screen.plan.set(vec![Resource::Uniform(table)]);
        }
        cells.push(screen.plan());
    }
    cells.push(lamps());
    cells
}
