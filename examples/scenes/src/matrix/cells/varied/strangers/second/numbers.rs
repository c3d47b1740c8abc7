//! Fragment shaders of numbers: pairs of floats, primes, queens, curves of bits, an interpreter, a network, eigenvectors and
//! printed digits.

use super::*;

const PAIRS: Program = (
    "mandelbrot of float pairs",
    "// Zero, which only runs know: keeps drivers from taking rounding for nothing.
    var<private> zero: u32;
    fn kept(a: f32) -> f32 { return bitcast<f32>(bitcast<u32>(a) ^ zero); }
    fn sum(a: f32, b: f32) -> vec2f {
        let s = kept(a + b);
        let e = kept(s - a);
        return vec2f(s, (a - kept(s - e)) + (b - e));
    }
    fn quick(a: f32, b: f32) -> vec2f {
        let s = kept(a + b);
        return vec2f(s, b - kept(s - a));
    }
    fn halves(a: f32) -> vec2f {
        let high = bitcast<f32>(bitcast<u32>(a) & 0xfffff000u);
        return vec2f(high, a - high);
    }
    fn added(a: vec2f, b: vec2f) -> vec2f {
        let s = sum(a.x, b.x);
        return quick(s.x, s.y + a.y + b.y);
    }
    fn times(a: vec2f, b: vec2f) -> vec2f {
        let p = a.x * b.x;
        let h = halves(a.x);
        let k = halves(b.x);
        let e = ((h.x * k.x - p) + h.x * k.y + h.y * k.x) + h.y * k.y;
        return quick(p, e + (a.x * b.y + a.y * b.x));
    }",
    "zero = u32(v.at.z);
    let off = (v.at.xy - 128.0) * 3e-9;
    let c = array<vec2f, 2>(sum(0.0, off.x), sum(1.0, off.y));
    var x = c[0];
    var y = c[1];
    var n = 0u;
    loop {
        let xx = times(x, x);
        let yy = times(y, y);
        if xx.x + yy.x > 16.0 || n >= 48u { break; }
        let xy = times(x, y);
        x = added(added(xx, -yy), c[0]);
        y = added(xy * 2.0, c[1]);
        n++;
    }
    return vec4f(f32(n & 3u) / 3.0, f32(n) / 48.0, f32(n % 7u) / 6.0, 1.0);",
);

const PRIMES: Program = (
    "spiral of primes",
    "fn spiral(p: vec2i) -> u32 {
        let r = max(abs(p.x), abs(p.y));
        let edge = 2 * r - 1;
        var first = edge * edge;
        if p.x == r && p.y > -r { return u32(first + r + p.y); }
        first += 2 * r;
        if p.y == r { return u32(first + r - p.x); }
        first += 2 * r;
        if p.x == -r { return u32(first + r - p.y); }
        return u32(first + 2 * r + r + p.x);
    }
    fn least(n: u32) -> u32 {
        if n % 2u == 0u { return 2u; }
        for (var d = 3u; d * d <= n; d += 2u) {
            if n % d == 0u { return d; }
        }
        return n;
    }",
    "let n = spiral(vec2i(v.at.xy) - 128) + 1u;
    let d = least(n);
    if d == n { return vec4f(1.0, 0.9, 0.5, 1.0); }
    let q = n / d;
    return vec4f(f32(d & 15u) / 30.0, f32(q % d) / f32(d) * 0.5, 0.2, 1.0);",
);

const QUEENS: Program = (
    "queens of bits",
    "",
    "let at = vec2u(v.at.xy) / 2u;
    let taken = mixed(at.x + at.y * 128u) & 0x3fu;
    var columns: array<u32, 8>;
    var left: array<u32, 8>;
    var right: array<u32, 8>;
    var open: array<u32, 8>;
    columns[0] = 0u;
    left[0] = 0u;
    right[0] = 0u;
    open[0] = 63u & ~(taken & 21u);
    var row = 0u;
    var found = 0u;
    var tries = 0u;
    while true {
        if open[row] == 0u {
            if row == 0u { break; }
            row--;
            continue;
        }
        let bit = open[row] & (0u - open[row]);
        open[row] ^= bit;
        tries++;
        if row == 5u {
            found++;
            continue;
        }
        columns[row + 1u] = columns[row] | bit;
        left[row + 1u] = (left[row] | bit) << 1u;
        right[row + 1u] = (right[row] | bit) >> 1u;
        row++;
        open[row] = 63u & ~(columns[row] | left[row] | right[row]);
        if row == 1u && countOneBits(taken) > 3u { open[row] &= ~taken; }
    }
    return vec4f(f32(found) / 4.0, f32(tries) / 153.0, f32(countOneBits(taken)) / 6.0, 1.0);",
);

const HILBERT: Program = (
    "curve of bits",
    "fn part(n: u32) -> u32 {
        var x = n & 0xffffu;
        x = (x | x << 8u) & 0x00ff00ffu;
        x = (x | x << 4u) & 0x0f0f0f0fu;
        x = (x | x << 2u) & 0x33333333u;
        return (x | x << 1u) & 0x55555555u;
    }
    fn along(p: vec2u) -> u32 {
        var q = p;
        var d = 0u;
        for (var s = 256u; s > 0u; s >>= 1u) {
            let r = vec2u((q & vec2u(s)) > vec2u());
            d += s * s * ((3u * r.x) ^ r.y);
            if r.y == 0u {
                if r.x == 1u { q = vec2u(511u) - q; }
                q = q.yx;
            }
        }
        return d;
    }",
    "let p = vec2u(v.at.xy);
    let d = along(p);
    let z = part(p.x) | part(p.y) << 1u;
    let gray = z ^ z >> 1u;
    let back = reverseBits(d) >> 14u;
    var mark = insertBits(d, gray, 5u, 9u);
    mark ^= extractBits(back, firstLeadingBit(d | 1u) & 7u, 8u);
    mark += countTrailingZeros(mark | 0x10000u) * countLeadingZeros(z | 1u);
    let run = f32(firstTrailingBit(d | 0x40000u)) / 18.0;
    return vec4f(f32(d) / 262144.0, f32(countOneBits(mark)) / 20.0, run, 1.0);",
);

/// A program of 32 instructions runs on eight registers, with jumps that differ between pixels.
const BYTES: Program = (
    "byte code",
    "@group(0) @binding(0) var<uniform> code: array<vec4u, 8>;
    fn word(n: u32) -> u32 { return code[n >> 2u & 7u][n & 3u]; }",
    "var r: array<f32, 8>;
    r[0] = v.uv.x * 2.0 - 1.4;
    r[1] = v.uv.y * 2.0 - 1.4;
    r[7] = f32(u32(v.at.x) / 16u % 4u + 2u);
    var at = (u32(v.at.y) / 64u & 3u) * 2u;
    for (var clock = 0u; clock < 56u; clock++) {
        let w = word(at);
        at++;
        let a = r[w >> 5u & 7u];
        let b = r[w >> 8u & 7u];
        let to = w >> 11u & 7u;
        var x = r[to];
        switch w & 31u {
            case 0u: { x = a + b; }
            case 1u: { x = a - b; }
            case 2u: { x = a * b; }
            case 3u: { x = a / (abs(b) + 0.5); }
            case 4u: { x = min(a, b); }
            case 5u: { x = max(a, b); }
            case 6u: { x = abs(a); }
            case 7u: { x = a * 0.5 + 0.25; }
            case 8u: { x = fract(a); }
            case 9u: { x = sqrt(abs(a)); }
            case 10u: { x = floor(a * 4.0) * 0.25; }
            case 11u: { x = f32(w >> 14u & 255u) / 64.0; }
            case 12u: { x = select(a, b, a < b); }
            case 13u: { if a > 0.5 { at += 2u; } }
            case 14u: {
                r[7] -= 1.0;
                if r[7] > 0.0 { at = w >> 14u & 31u; }
            }
            case 15u, 16u: { x = clamp(a, -b, b); }
            case 17u: { break; }
            default: { x = -a; }
        }
        r[to] = x;
        if at >= 32u { break; }
    }
    return vec4f(abs(fract(vec3f(r[2], r[3], r[4] + r[5]))), 1.0);",
);

const NETWORK: Program = (
    "network of three layers",
    "@group(0) @binding(0) var<uniform> weights: array<mat4x4f, 24>;
    fn bent(x: vec4f) -> vec4f { return x / (1.0 + abs(x)); }
    fn layer(x: array<vec4f, 3>, first: u32) -> array<vec4f, 3> {
        var y: array<vec4f, 3>;
        for (var i = 0u; i < 3u; i++) {
            var s = weights[23][i] - 0.5;
            for (var j = 0u; j < 3u; j++) { s += 3.0 * (weights[first + i * 3u + j] * (x[j] - 0.5 * x[j].yzwx)); }
            y[i] = bent(s);
        }
        return y;
    }",
    "let p = v.uv * 4.0 - 3.0;
    var x = array<vec4f, 3>(sin(vec4f(p, p * 2.0)), cos(vec4f(p, p * 2.0)), vec4f(p, dot(p, p), 1.0));
    x = layer(x, 0u);
    x = layer(x, 9u);
    let y = weights[18] * x[0] - weights[19] * x[1] + (weights[20] - weights[21]) * x[2];
    return vec4f(1.0 / (1.0 + exp2(-3.0 * y.xyz)), 1.0);",
);

const EIGEN: Program = (
    "eigenvectors",
    "struct Parts { values: vec3f, vectors: mat3x3f };
    fn parts(whole: mat3x3f) -> Parts {
        var a = whole;
        var e = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        for (var sweep = 0; sweep < 5; sweep++) {
            for (var p = 0; p < 2; p++) {
                for (var q = p + 1; q < 3; q++) {
                    if abs(a[p][q]) < 1e-6 { continue; }
                    let w = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                    let t = select(-1.0, 1.0, w >= 0.0) / (abs(w) + sqrt(w * w + 1.0));
                    let c = inverseSqrt(t * t + 1.0);
                    let s = t * c;
                    for (var k = 0; k < 3; k++) {
                        let x = a[k][p];
                        let y = a[k][q];
                        a[k][p] = c * x - s * y;
                        a[k][q] = s * x + c * y;
                    }
                    let u = a[p];
                    let o = a[q];
                    a[p] = c * u - s * o;
                    a[q] = s * u + c * o;
                    let g = e[p];
                    e[p] = c * g - s * e[q];
                    e[q] = s * g + c * e[q];
                }
            }
        }
        return Parts(vec3f(a[0][0], a[1][1], a[2][2]), e);
    }",
    "let p = v.uv * 3.0 - 2.0;
    let m = mat3x3f(p.x, 0.3, p.y, 0.3, p.y - 0.4, p.x * p.y, p.y, p.x * p.y, 0.7);
    let e = parts(m);
    var most = 0;
    for (var k = 1; k < 3; k++) {
        if e.values[k] > e.values[most] { most = k; }
    }
    return vec4f(abs(e.vectors[most]) * (0.4 + 0.2 * abs(e.values[most])), 1.0);",
);

const PRINTED: Program = (
    "printed numbers",
    "const GLYPHS = array<u32, 12>(31599u, 11415u, 29671u, 29647u, 23497u, 31183u, 31215u, 29257u, 31727u, 31695u, 448u, 2u);
    fn lit(glyph: u32, p: vec2i) -> bool {
        if any(p < vec2i()) || any(p >= vec2i(3, 5)) { return false; }
        return (GLYPHS[glyph] >> u32(14 - p.x - p.y * 3) & 1u) == 1u;
    }
    fn printed(number: f32, places: i32, p: vec2i) -> bool {
        var digit = p.x / 4;
        let inner = vec2i(p.x - digit * 4, p.y);
        if digit == 0 { return number < 0.0 && lit(10u, inner); }
        if digit == 4 { return lit(11u, inner); }
        if digit > 4 + places { return false; }
        var power = 1u;
        for (var i = 7; i > digit; i--) { power *= select(10u, 1u, i == 4); }
        return lit(u32(abs(number)) / power % 10u, inner);
    }",
    "let cell = vec2i(v.at.xy) / vec2i(64, 14);
    let inner = (vec2i(v.at.xy) - cell * vec2i(64, 14)) / 2;
    let number = f32((cell.x * cell.x * 7 - cell.y * 3) * 1000 + (cell.x * 37 + cell.y * 11) % 100 * 10);
    let on = printed(number, 1 + cell.y % 3, inner);
    return vec4f(select(vec3f(0.1, 0.1, 0.15), fract(vec3f(0.3, 0.5, 0.7) * f32(cell.y + 1)) * 0.5 + 0.5, on), 1.0);",
);

/// Round trips through numbers with a common exponent, halves, bytes with signs and parts of floats.
const ENCODED: Program = (
    "colours encoded",
    "fn encoded(c: vec3f) -> u32 {
        let most = max(max(c.x, c.y), max(c.z, 1e-8));
        let e = clamp(frexp(most).exp, -15, 16);
        let m = vec3u(round(ldexp(c, vec3i(9 - e))));
        return min(m.x, 511u) | min(m.y, 511u) << 9u | min(m.z, 511u) << 18u | u32(e + 15) << 27u;
    }
    fn decoded(n: u32) -> vec3f {
        let m = vec3f(f32(n & 511u), f32(n >> 9u & 511u), f32(n >> 18u & 511u));
        return ldexp(m, vec3i(i32(n >> 27u) - 24));
    }",
    "var c = vec3f(v.uv, v.uv.x * v.uv.y) * 3.0 + 0.05;
    for (var i = 0; i < 4; i++) {
        c = decoded(encoded(c * c)) + 0.01;
        let halves = vec4f(unpack2x16float(pack2x16float(c.xy)), unpack2x16float(pack2x16float(c.zz * 0.3)));
        let bytes = unpack4x8snorm(pack4x8snorm(vec4f(halves.xyz - 2.0, 0.5)));
        let shorts = unpack2x16unorm(pack2x16unorm(fract(halves.xy)));
        let split = modf(halves.yzx + bytes.xyz);
        c = sqrt(abs(split.fract) + vec3f(shorts, 0.3) * 0.7 + abs(split.whole) * 0.05);
    }
    return vec4f(c * 0.6, 1.0);",
);

/// An operation, the two registers it reads, the one it writes, and a number.
fn code() -> Vec<u8> {
    let program = (0..32u32).map(|n| {
        let kind = match n {
            15 | 27 => 14,
            9 | 20 => 13,
            _ => [2, 0, 1, 3, 6, 12, 9, 7, 5, 11, 2, 10, 8, 15, 4, 18, 0][n as usize % 17],
        };
        let number = if n == 15 { 6 } else { n * 11 % 24 };
        let [a, b, to] = [n * 3 % 7, (n * 5 + 1) % 7, 2 + n % 4];
        kind | a << 5 | b << 8 | to << 11 | number << 14
    });
    words(program)
}

pub(super) fn cells() -> Vec<Plan> {
    vec![
        program(PAIRS, 256, 1),
        program(PRIMES, 256, 1),
        program(QUEENS, 128, 1),
        program(HILBERT, 512, 1),
        with_constants(program(BYTES, 256, 1), code()),
        with_constants(program(NETWORK, 512, 1), fractions(61, 16 * 24)),
        program(EIGEN, 512, 1),
        program(PRINTED, 512, 1),
        program(ENCODED, 512, 1),
    ]
}
