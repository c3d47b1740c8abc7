//! Fragment shaders of whole numbers and matrices: fixed point of 64 bits, turns taken out of matrices, letters searched in a
//! text, bits counted and moved, light of random paths, and glass that splits colours.

use super::*;

const FIXED: Program = (
    "mandelbrot of 64 bits",
    "fn plus(a: vec2u, b: vec2u) -> vec2u {
        let low = a.x + b.x;
        return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
    }
    fn negated(a: vec2u) -> vec2u { return plus(~a, vec2u(1u, 0u)); }
    fn positive(a: vec2u) -> vec2u {
        if a.y >> 31u == 1u { return negated(a); }
        return a;
    }
    fn product(a: u32, b: u32) -> vec2u {
        let p = (a & 0xffffu) * (b & 0xffffu);
        let q = (a & 0xffffu) * (b >> 16u);
        let r = (a >> 16u) * (b & 0xffffu);
        let middle = (p >> 16u) + (q & 0xffffu) + (r & 0xffffu);
        return vec2u((p & 0xffffu) | middle << 16u, (a >> 16u) * (b >> 16u) + (q >> 16u) + (r >> 16u) + (middle >> 16u));
    }
    // 56 bits lie behind the point.
    fn times(a: vec2u, b: vec2u) -> vec2u {
        let p = positive(a);
        let q = positive(b);
        let s = plus(product(p.x, q.y), vec2u(product(p.x, q.x).y, 0u));
        let t = plus(product(p.y, q.x), vec2u(s.x, 0u));
        let high = plus(plus(product(p.y, q.y), vec2u(s.y, 0u)), vec2u(t.y, 0u));
        let shifted = vec2u(t.x >> 24u | high.x << 8u, high.x >> 24u | high.y << 8u);
        if (a.y ^ b.y) >> 31u == 1u { return negated(shifted); }
        return shifted;
    }",
    "let at = vec2u(v.at.xy);
    let cx = plus(vec2u(0xe5e72a9bu, 0xffe61e0bu), vec2u(at.x * 0x01234567u, at.x));
    let cy = plus(vec2u(0xc7e549a8u, 0x00f4ceb0u), vec2u(at.y * 0x01234567u, at.y));
    var x = vec2u();
    var y = vec2u();
    var n = 0u;
    while n < 64u {
        let xx = times(x, x);
        let yy = times(y, y);
        if plus(xx, yy).y >= 0x04000000u { break; }
        let xy = times(x, y);
        x = plus(plus(xx, negated(yy)), cx);
        y = plus(plus(xy, xy), cy);
        n++;
    }
    return vec4f(f32(n * 5u % 65u) / 64.0, f32(n) / 64.0, f32(n * 11u % 65u) / 64.0, 1.0);",
);

const TURNS: Program = (
    "turns of matrices",
    "struct Parts { turn: mat3x3f, stretch: mat3x3f, steps: u32 };
    fn cofactors(m: mat3x3f) -> mat3x3f { return mat3x3f(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])); }
    fn size(m: mat3x3f) -> f32 { return dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2]); }
    fn taken_apart(m: mat3x3f, to: ptr<function, Parts>) {
        var now = m;
        for (var i = 0u; i < 8u; i++) {
            let next = 0.5 * (now + cofactors(now) * (1.0 / determinant(now)));
            let change = size(next - now);
            now = next;
            (*to).steps = i;
            if change < 1e-6 { break; }
        }
        (*to).turn = now;
        (*to).stretch = transpose(now) * m;
    }",
    "var p = Parts(mat3x3f(), mat3x3f(), 0u);
    let s = sin(v.uv.xyx * vec3f(9.0, 7.0, 5.0));
    let c = cos(v.uv.yxy * vec3f(6.0, 8.0, 4.0));
    let m = mat3x3f(1.3 + s.x, c.y * 0.5, s.z * 0.4, s.y * 0.6, 1.2 + c.x * 0.5, c.z * 0.5, c.y * 0.3, s.x * 0.4, 1.4 + s.z * 0.5);
    taken_apart(m, &p);
    let trace = p.turn[0].x + p.turn[1].y + p.turn[2].z;
    return vec4f(0.5 + 0.5 * p.turn[0].y, trace / 3.0, p.stretch[1].y * 0.4 + f32(p.steps & 1u) * 0.2, 1.0);",
);

const SEARCHED: Program = (
    "letters searched",
    "@group(0) @binding(0) var<uniform> text: array<vec4u, 64>;
    fn letter(n: u32) -> u32 { return extractBits(text[n >> 4u & 63u][n >> 2u & 3u], (n & 3u) * 8u, 8u); }
    // How far a match begins again after a letter that differs.
    fn failures(word: ptr<function, array<u32, 8>>, count: u32, to: ptr<function, array<u32, 8>>) {
        var k = 0u;
        (*to)[0] = 0u;
        for (var i = 1u; i < count; i++) {
            while k > 0u && (*word)[i] != (*word)[k] { k = (*to)[k - 1u]; }
            if (*word)[i] == (*word)[k] { k++; }
            (*to)[i] = k;
        }
    }",
    "let at = vec2u(v.at.xy) / 8u;
    let count = 1u + at.y / 8u % 4u;
    var word: array<u32, 8>;
    for (var i = 0u; i < count; i++) { word[i] = letter(at.x * 7u + at.y * 13u + i); }
    var back: array<u32, 8>;
    failures(&word, count, &back);
    var found = 0u;
    var last = 0u;
    var k = 0u;
    for (var i = 0u; i < 96u; i++) {
        let c = letter(i);
        while k > 0u && word[k] != c { k = back[k - 1u]; }
        if word[k] == c { k++; }
        if k == count {
            found++;
            last = i;
            k = back[k - 1u];
        }
    }
    let inside = vec2u(v.at.xy) % 8u;
    if inside.y == 7u { return vec4f(vec3f(f32(word[0]) / 4.0), 1.0); }
    return vec4f(f32(found % 8u) / 7.0, f32(last) / 96.0, f32(count) / 5.0, 1.0);",
);

const MOVED: Program = (
    "bits counted and moved",
    "fn spread(n: u32) -> u32 {
        var x = n & 0xffffu;
        x = (x | x << 8u) & 0x00ff00ffu;
        x = (x | x << 4u) & 0x0f0f0f0fu;
        x = (x | x << 2u) & 0x33333333u;
        return (x | x << 1u) & 0x55555555u;
    }
    fn gray(n: u32) -> u32 { return n ^ n >> 1u; }",
    "let at = vec2u(v.at.xy);
    var code = spread(at.x) | spread(at.y) << 1u;
    var sum = vec3u();
    for (var i = 0u; i < 5u; i++) {
        let g = gray(code);
        sum.x += countOneBits(g);
        sum.y += firstLeadingBit(g) + countTrailingZeros(g | 0x80000000u);
        sum.z += u32(firstLeadingBit(bitcast<i32>(~g))) & 31u;
        code = insertBits(reverseBits(g) >> 14u, extractBits(code, i, 5u), 18u, 9u) + countLeadingZeros(code);
        let signed = extractBits(bitcast<i32>(code), 4u + i, 6u);
        sum.z += u32(signed * signed) & 63u;
        sum.y += dot4U8Packed(g & 0x01010101u, 0x01030507u);
    }
    let parts = frexp(vec3f(sum) * 0.37 + 1.0);
    let cut = modf(ldexp(parts.fract, parts.exp & vec3i(3)));
    return vec4f(quantizeToF16(cut.fract) * 0.7 + cut.whole * 0.05, 1.0);",
);

const PATHS: Program = (
    "light of random paths",
    "struct Hit { t: f32, n: vec3f, kind: u32 };
    fn random(state: ptr<function, u32>) -> f32 {
        *state = *state * 747796405u + 2891336453u;
        let w = ((*state >> ((*state >> 28u) + 4u)) ^ *state) * 277803737u;
        return f32((w >> 22u ^ w) >> 8u) / 16777216.0;
    }
    fn wall(o: vec3f, d: vec3f, n: vec3f, away: f32, kind: u32, hit: ptr<function, Hit>) {
        let t = -(dot(o, n) + away) / dot(d, n);
        if dot(d, n) < 0.0 && t > 0.001 && t < (*hit).t { *hit = Hit(t, n, kind); }
    }
    fn ball(o: vec3f, d: vec3f, c: vec3f, r: f32, kind: u32, hit: ptr<function, Hit>) {
        let p = o - c;
        let b = dot(p, d);
        let e = b * b - dot(p, p) + r * r;
        if e < 0.0 { return; }
        let t = -b - sqrt(e);
        if t > 0.001 && t < (*hit).t { *hit = Hit(t, normalize(p + d * t), kind); }
    }
    fn nearest(o: vec3f, d: vec3f) -> Hit {
        var hit = Hit(1e9, vec3f(), 0u);
        wall(o, d, vec3f(0.0, 1.0, 0.0), 1.0, 1u, &hit);
        wall(o, d, vec3f(0.0, -1.0, 0.0), 1.0, 5u, &hit);
        wall(o, d, vec3f(1.0, 0.0, 0.0), 1.0, 2u, &hit);
        wall(o, d, vec3f(-1.0, 0.0, 0.0), 1.0, 3u, &hit);
        wall(o, d, vec3f(0.0, 0.0, -1.0), 1.0, 1u, &hit);
        ball(o, d, vec3f(-0.4, -0.6, 0.3), 0.4, 4u, &hit);
        ball(o, d, vec3f(0.45, -0.7, -0.2), 0.3, 1u, &hit);
        return hit;
    }",
    "var state = mixed(u32(v.at.x) + u32(v.at.y) * 256u);
    var light = vec3f();
    for (var path = 0; path < 3; path++) {
        var o = vec3f(0.0, 0.0, -3.0);
        var d = normalize(vec3f((v.at.x + random(&state) - 128.5) / 256.0, (128.5 - v.at.y - random(&state)) / 256.0, 1.0));
        var share = vec3f(1.0);
        var mirrored = true;
        for (var bounce = 0; bounce < 4; bounce++) {
            let hit = nearest(o, d);
            if hit.kind == 0u { break; }
            o += d * hit.t;
            if hit.kind == 5u {
                if abs(o.x) < 0.5 && abs(o.z) < 0.5 {
                    light += share * select(0.0, 4.0, mirrored);
                    break;
                }
            }
            if hit.kind == 4u {
                d = reflect(d, hit.n);
                share *= 0.9;
                mirrored = true;
                continue;
            }
            switch hit.kind {
                case 2u: { share *= vec3f(0.75, 0.2, 0.2); }
                case 3u: { share *= vec3f(0.2, 0.7, 0.25); }
                default: { share *= 0.75; }
            }
            mirrored = false;
            let way = vec3f(random(&state) - 0.5, 0.999, random(&state) - 0.5) - o;
            let l = normalize(way);
            let facing = dot(l, hit.n);
            if facing > 0.0 && nearest(o, l).kind == 5u { light += share * facing * l.y * 4.0 / (3.1415927 * dot(way, way)); }
            let a = random(&state) * 6.2831853;
            let z = random(&state) * 2.0 - 1.0;
            let r = sqrt(1.0 - z * z);
            d = normalize(hit.n * 1.001 + vec3f(r * cos(a), r * sin(a), z));
        }
    }
    let c = light / 3.0;
    return vec4f(sqrt(c / (1.0 + c)), 1.0);",
);

const PRISM: Program = (
    "glass that splits colours",
    "fn wave(l: f32) -> vec3f {
        let d = (vec3f(l) - vec3f(0.2, 0.5, 0.8)) * 3.5;
        return max(vec3f(1.0) - d * d, vec3f());
    }
    fn sky(d: vec3f) -> f32 {
        let k = floor(d * 6.0 + 50.0);
        let check = fract((k.x + k.y + k.z) * 0.5) * 2.0;
        return 0.15 + 0.6 * check + pow(max(dot(d, normalize(vec3f(0.3, 0.8, 0.4))), 0.0), 20.0) * 4.0;
    }",
    "let o = vec3f(v.uv - vec2f(0.8), -2.0);
    let d = normalize(vec3f((v.uv - 0.8) * 0.5, 1.0));
    let b = dot(o, d);
    let e = b * b - dot(o, o) + 0.36;
    if e < 0.0 { return vec4f(vec3f(sky(d)) * 0.6, 1.0); }
    let p = o + d * (-b - sqrt(e));
    let n = faceForward(normalize(p), d, normalize(p));
    var sum = vec3f();
    var whole = vec3f();
    for (var i = 0; i < 12; i++) {
        let l = (f32(i) + 0.5) / 12.0;
        let index = 1.2 + 0.25 * l * l;
        let within = refract(d, n, 1.0 / index);
        let q = p - within * 2.0 * dot(p, within);
        let m = -normalize(q);
        var out = refract(within, m, index);
        if all(out == vec3f()) { out = reflect(within, m); }
        let film = 0.5 + 0.5 * cos(dot(n, -d) * 24.0 / (0.5 + l));
        let edge = pow(1.0 - abs(dot(n, d)), 4.0);
        sum += wave(l) * mix(sky(out), film, edge);
        whole += wave(l);
    }
    let c = sum / whole;
    return vec4f(c / (0.6 + c), 1.0);",
);

/// 1024 letters of four kinds.
fn letters() -> Vec<u8> {
    (0..1024)
        .map(|n| (mixed(n / 3 * 2 + n % 3) & 3) as u8 + 1)
        .collect()
}

pub(super) fn cells() -> Vec<Plan> {
    vec![
        program(FIXED, 256, 1),
        program(TURNS, 512, 1),
        with_constants(program(SEARCHED, 256, 1), letters()),
        program(MOVED, 512, 1),
        program(PATHS, 256, 1),
        program(PRISM, 512, 1),
    ]
}
