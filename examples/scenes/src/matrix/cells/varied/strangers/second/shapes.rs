//! Fragment shaders of shapes: fractals, noise that curls, glass, strokes, boxes by inverse matrices, and air.

use super::*;

const NEWTON: Program = (
    "newton fractal",
    "fn times(a: vec2f, b: vec2f) -> vec2f { return vec2f(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
    fn over(a: vec2f, b: vec2f) -> vec2f { return vec2f(dot(a, b), a.y * b.x - a.x * b.y) / dot(b, b); }
    const ROOTS = array<vec2f, 3>(vec2f(1.0, 0.0), vec2f(-0.5, 0.8660254), vec2f(-0.5, -0.8660254));",
    "var z = v.uv * 3.0 - 2.4;
    var n = 0;
    var root = -1;
    while n < 24 {
        let zz = times(z, z);
        z -= over(times(zz, z) - vec2f(1.0, 0.0), zz * 3.0);
        for (var k = 0; k < 3; k++) {
            if distance(z, ROOTS[k]) < 0.01 { root = k; }
        }
        if root >= 0 { break; }
        n++;
    }
    var c = vec3f(0.1);
    if root >= 0 { c[root] = 1.0; }
    return vec4f(c * (1.0 - f32(n) / 24.0), 1.0);",
);

const BULB: Program = (
    "mandelbulb",
    "fn field(p: vec3f) -> vec2f {
        var z = p;
        var dr = 1.0;
        var r = length(z);
        var trap = 9.0;
        for (var i = 0; i < 3; i++) {
            if r > 2.0 { break; }
            let theta = acos(z.z / r) * 8.0;
            let phi = atan2(z.y, z.x) * 8.0;
            let r7 = pow(r, 7.0);
            dr = r7 * 8.0 * dr + 1.0;
            z = r7 * r * vec3f(sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)) + p;
            r = length(z);
            trap = min(trap, dot(z.xy, z.xy));
        }
        return vec2f(0.5 * log(r) * r / dr, trap);
    }",
    "let d = normalize(vec3f(v.at.xy / 128.0 - 1.0, 1.8));
    let o = vec3f(0.1, -0.2, -2.6);
    var t = 1.2;
    for (var i = 0; i < 28; i++) {
        let p = o + d * t;
        let h = field(p.yzx);
        if h.x < 0.008 {
            return vec4f(vec3f(0.9, 0.6, 0.3) * sqrt(min(h.y, 1.0)) * (1.9 - 0.6 * t), 1.0);
        }
        t += h.x;
        if t > 4.0 { break; }
    }
    return vec4f(0.1, 0.15, 0.2, 1.0);",
);

const CURL: Program = (
    "curled simplex noise",
    "fn mod289(x: vec4f) -> vec4f { return x - floor(x * (1.0 / 289.0)) * 289.0; }
    fn permute(x: vec4f) -> vec4f { return mod289((x * 34.0 + 1.0) * x); }
    fn simplex(p: vec3f) -> f32 {
        let c = vec2f(1.0 / 6.0, 1.0 / 3.0);
        var i = floor(p + dot(p, c.yyy));
        let x0 = p - i + dot(i, c.xxx);
        let g = step(x0.yzx, x0.xyz);
        let l = 1.0 - g;
        let i1 = min(g.xyz, l.zxy);
        let i2 = max(g.xyz, l.zxy);
        let x1 = x0 - i1 + c.xxx;
        let x2 = x0 - i2 + c.yyy;
        let x3 = x0 - 0.5;
        i = i - floor(i / 289.0) * 289.0;
        let q = permute(permute(permute(i.z + vec4f(0.0, i1.z, i2.z, 1.0)) + i.y + vec4f(0.0, i1.y, i2.y, 1.0))
            + i.x + vec4f(0.0, i1.x, i2.x, 1.0));
        let j = q - 49.0 * floor(q / 49.0);
        let a = floor(j / 7.0);
        let x = a * (2.0 / 7.0) - 0.9285714;
        let y = floor(j - 7.0 * a) * (2.0 / 7.0) - 0.9285714;
        let h = 1.0 - abs(x) - abs(y);
        let b0 = vec4f(x.xy, y.xy);
        let b1 = vec4f(x.zw, y.zw);
        let s0 = floor(b0) * 2.0 + 1.0;
        let s1 = floor(b1) * 2.0 + 1.0;
        let sh = -step(h, vec4f());
        let a0 = b0.xzyw + s0.xzyw * sh.xxyy;
        let a1 = b1.xzyw + s1.xzyw * sh.zzww;
        var g0 = vec3f(a0.xy, h.x);
        var g1 = vec3f(a0.zw, h.y);
        var g2 = vec3f(a1.xy, h.z);
        var g3 = vec3f(a1.zw, h.w);
        let norm = 1.7928429 - 0.8537347 * vec4f(dot(g0, g0), dot(g1, g1), dot(g2, g2), dot(g3, g3));
        g0 *= norm.x;
        g1 *= norm.y;
        g2 *= norm.z;
        g3 *= norm.w;
        var m = max(0.6 - vec4f(dot(x0, x0), dot(x1, x1), dot(x2, x2), dot(x3, x3)), vec4f());
        m *= m;
        return 42.0 * dot(m * m, vec4f(dot(g0, x0), dot(g1, x1), dot(g2, x2), dot(g3, x3)));
    }
    fn curl(p: vec2f, z: f32) -> vec2f {
        let e = 0.01;
        let y = simplex(vec3f(p + vec2f(0.0, e), z)) - simplex(vec3f(p - vec2f(0.0, e), z));
        let x = simplex(vec3f(p + vec2f(e, 0.0), z)) - simplex(vec3f(p - vec2f(e, 0.0), z));
        return vec2f(y, -x) / (2.0 * e);
    }",
    "var p = v.uv * 4.0 + 0.3;
    p += curl(p, 0.7) * 0.05;
    p += curl(p * 1.7, 1.9) * 0.03;
    let c = simplex(vec3f(p, 0.2));
    return vec4f(vec3f(0.5, 0.4, 0.7) + vec3f(0.4, 0.3, -0.3) * c, 1.0);",
);

/// Rays that split at glass, on a stack.
const GLASS: Program = (
    "glass and mirrors",
    "struct Ray { o: vec3f, d: vec3f, power: vec3f, deep: u32 };
    struct Hit { t: f32, p: vec3f, n: vec3f, kind: u32 };
    struct Ball { c: vec3f, r: f32, kind: u32 };
    const BALLS = array<Ball, 5>(Ball(vec3f(-0.7, -0.2, 3.2), 0.6, 0u), Ball(vec3f(0.5, -0.3, 2.6), 0.5, 1u),
        Ball(vec3f(0.2, 0.7, 4.0), 0.7, 2u), Ball(vec3f(-1.2, 0.8, 3.6), 0.4, 1u), Ball(vec3f(1.3, 0.4, 3.4), 0.4, 3u));
    fn met(ray: Ray, ball: Ball, last: Hit) -> Hit {
        let m = ray.o - ball.c;
        let b = dot(m, ray.d);
        let e = b * b - dot(m, m) + ball.r * ball.r;
        if e < 0.0 { return last; }
        var t = -b - sqrt(e);
        if t < 0.002 { t = -b + sqrt(e); }
        if t < 0.002 || t >= last.t { return last; }
        let p = ray.o + ray.d * t;
        return Hit(t, p, (p - ball.c) / ball.r, ball.kind);
    }
    fn nearest(ray: Ray) -> Hit {
        var hit = Hit(1e9, vec3f(), vec3f(), 9u);
        for (var i = 0; i < 5; i++) { hit = met(ray, BALLS[i], hit); }
        let t = (-0.8 - ray.o.y) / ray.d.y;
        if t > 0.002 && t < hit.t && t < 40.0 { return Hit(t, ray.o + ray.d * t, vec3f(0.0, 1.0, 0.0), 4u); }
        return hit;
    }
    fn shaded(color: vec3f, hit: Hit, light: vec3f, soft: f32) -> vec3f {
        return color * (soft + (1.0 - soft) * max(dot(hit.n, light), 0.0));
    }",
    "var rays: array<Ray, 6>;
    rays[0] = Ray(vec3f(), normalize(vec3f(v.at.x / 256.0 - 1.0, 1.0 - v.at.y / 256.0, 1.3)), vec3f(1.0), 0u);
    var top = 1;
    var c = vec3f();
    let light = normalize(vec3f(0.4, 0.8, -0.5));
    for (var k = 0; k < 12 && top > 0; k++) {
        top--;
        let ray = rays[top];
        let hit = nearest(ray);
        if hit.kind == 9u {
            c += ray.power * mix(vec3f(0.3, 0.5, 0.8), vec3f(0.9), max(ray.d.y, 0.0));
            continue;
        }
        if hit.kind == 4u {
            let check = (u32(i32(floor(hit.p.x * 2.0)) + i32(floor(hit.p.z * 2.0))) & 1u) == 1u;
            c += ray.power * shaded(select(vec3f(0.2), vec3f(0.8), check), hit, light, 0.3);
            continue;
        }
        if hit.kind == 2u || hit.kind == 3u {
            c += ray.power * 0.5 * shaded(vec3f(0.9, 0.3, f32(hit.kind) * 0.2), hit, light, 0.2);
        }
        if ray.deep >= 3u || top > 4 { continue; }
        let inside = dot(ray.d, hit.n) > 0.0;
        let n = select(hit.n, -hit.n, inside);
        let bounce = 0.04 + 0.96 * pow(1.0 + dot(ray.d, n), 5.0);
        let power = ray.power * select(select(0.5, bounce, hit.kind == 0u), 0.8, hit.kind == 1u);
        rays[top] = Ray(hit.p + n * 0.002, reflect(ray.d, n), power, ray.deep + 1u);
        top++;
        if hit.kind == 0u {
            let d = refract(ray.d, n, select(0.67, 1.5, inside));
            if dot(d, d) > 0.5 {
                rays[top] = Ray(hit.p - n * 0.002, d, ray.power * (1.0 - bounce) * vec3f(0.9, 1.0, 0.95), ray.deep + 1u);
                top++;
            }
        }
    }
    return vec4f(sqrt(c), 1.0);",
);

const STROKES: Program = (
    "strokes of curves",
    "fn away(p: vec2f, a: vec2f, b: vec2f, c: vec2f) -> f32 {
        let m = b - a;
        let n = a - 2.0 * b + c;
        let k = 1.0 / dot(n, n);
        let x = k * dot(m, n);
        let y = k * (2.0 * dot(m, m) + dot(a - p, n)) / 3.0;
        let z = k * dot(a - p, m);
        let e = y - x * x;
        let q = x * (2.0 * x * x - 3.0 * y) + z;
        let h = q * q + 4.0 * e * e * e;
        if h >= 0.0 {
            let w = (vec2f(1.0, -1.0) * sqrt(h) - q) / 2.0;
            let roots = sign(w) * pow(abs(w), vec2f(1.0 / 3.0));
            let t = clamp(roots.x + roots.y - x, 0.0, 1.0);
            let d = a - p + (2.0 * m + n * t) * t;
            return length(d);
        }
        let r = sqrt(-e);
        let angle = acos(q / (e * r * 2.0)) / 3.0;
        let u = cos(angle);
        let o = sin(angle) * 1.7320508;
        let t = clamp(vec2f(u + u, -o - u) * r - x, vec2f(), vec2f(1.0));
        let d0 = a - p + (2.0 * m + n * t.x) * t.x;
        let d1 = a - p + (2.0 * m + n * t.y) * t.y;
        return sqrt(min(dot(d0, d0), dot(d1, d1)));
    }
    fn point(n: u32) -> vec2f {
        let h = mixed(n);
        return vec2f(f32(h & 1023u), f32(h >> 12u & 1023u)) / 1023.0;
    }",
    "let p = v.at.xy / 512.0;
    var c = vec3f(0.95);
    for (var i = 0u; i < 8u; i++) {
        let d = away(p, point(i * 3u), point(i * 3u + 1u), point(i * 3u + 2u));
        let wide = 0.004 + f32(i & 3u) * 0.004;
        c = mix(fract(vec3f(0.3, 0.7, 0.1) * f32(i)), c, smoothstep(wide, wide + 0.003, d));
    }
    return vec4f(c, 1.0);",
);

const INVERTED: Program = (
    "boxes by inverse matrices",
    "fn inverted(m: mat4x4f) -> mat4x4f {
        var r: mat4x4f;
        for (var i = 0u; i < 4u; i++) {
            for (var j = 0u; j < 4u; j++) {
                var minor: mat3x3f;
                for (var a = 0u; a < 3u; a++) {
                    for (var b = 0u; b < 3u; b++) {
                        minor[a][b] = m[a + select(0u, 1u, a >= i)][b + select(0u, 1u, b >= j)];
                    }
                }
                r[j][i] = determinant(minor) * select(1.0, -1.0, ((i + j) & 1u) == 1u);
            }
        }
        return r * (1.0 / determinant(m));
    }
    fn placed(n: f32) -> mat4x4f {
        let c = cos(n * 1.3);
        let s = sin(n * 1.3);
        let turn = mat4x4f(c, 0.0, s, 0.0, 0.0, 1.0, 0.0, 0.0, -s, 0.0, c, 0.0, 0.0, 0.0, 0.0, 1.0);
        let skew = mat4x4f(0.5, 0.1, 0.0, 0.0, 0.2, 0.4, 0.1, 0.0, 0.0, 0.1, 0.6, 0.0, cos(n * 2.0), sin(n * 2.0), 3.5 + n * 0.2, 1.0);
        return skew * transpose(turn);
    }",
    "let d = normalize(vec3f((v.at.xy + 0.2) / 64.0 - 1.0, 1.5));
    var best = 1e9;
    var c = vec3f(0.1, 0.1, 0.2);
    for (var i = 0; i < 4; i++) {
        let m = inverted(placed(f32(i)));
        let o = (m * vec4f(0.0, 0.0, 0.0, 1.0)).xyz;
        let w = (m * vec4f(d, 0.0)).xyz;
        let k = 1.0 / w;
        let near = -k * o - abs(k);
        let far = -k * o + abs(k);
        let t = max(max(near.x, near.y), near.z);
        if t > min(min(far.x, far.y), far.z) || t < 0.0 || t > best { continue; }
        best = t;
        let n = -sign(w) * step(near.yzx, near) * step(near.zxy, near);
        c = (0.6 + 0.4 * normalize((transpose(m) * vec4f(n, 0.0)).xyz)) * (0.4 + 0.15 * f32(i));
    }
    return vec4f(c, 1.0);",
);

const AIR: Program = (
    "air",
    "fn through(o: vec3f, d: vec3f, r: f32) -> vec2f {
        let b = dot(o, d);
        let e = b * b - dot(o, o) + r * r;
        if e < 0.0 { return vec2f(1.0, -1.0); }
        return vec2f(-b - sqrt(e), -b + sqrt(e));
    }",
    "let light = normalize(vec3f(0.0, 0.25, -1.0));
    let d = normalize(vec3f(v.at.x / 128.0 - 1.0, 1.0 - v.at.y / 128.0, -1.0));
    let o = vec3f(0.0, 1.002, 0.0);
    var span = through(o, d, 1.02);
    let ground = through(o, d, 1.0);
    if ground.x > 0.0 && ground.y > ground.x { span.y = min(span.y, ground.x); }
    let step = (span.y - max(span.x, 0.0)) / 10.0;
    let b = vec3f(4.0, 9.0, 22.0);
    var red = vec3f();
    var mist = vec3f();
    var above = vec2f();
    for (var i = 0; i < 10; i++) {
        let p = o + d * (f32(i) + 0.5) * step;
        let h = length(p) - 1.0;
        let e = exp(-vec2f(h / 0.005, h / 0.002)) * step;
        above += e;
        let reach = through(p, light, 1.02).y / 5.0;
        var sun = vec2f();
        var dark = false;
        for (var j = 0; j < 5; j++) {
            let q = length(p + light * (f32(j) + 0.5) * reach) - 1.0;
            if q < 0.0 {
                dark = true;
                break;
            }
            sun += exp(-vec2f(q / 0.005, q / 0.002)) * reach;
        }
        if dark { continue; }
        let left = exp(-(b * (above.x + sun.x) + 20.0 * (above.y + sun.y)));
        red += e.x * left;
        mist += e.y * left;
    }
    let mu = dot(d, light);
    let g = 0.76;
    let c = red * b * 0.06 * (1.0 + mu * mu) + mist * 20.0 * 0.04 * (1.0 + mu * mu) / pow(1.0 + g * g - 2.0 * g * mu, 1.5);
    return vec4f(1.0 - exp(-c * 12.0), 1.0);",
);

pub(super) fn cells() -> Vec<Plan> {
    vec![
        program(NEWTON, 512, 1),
        program(BULB, 256, 1),
        program(CURL, 256, 1),
        program(GLASS, 512, 1),
        program(STROKES, 512, 1),
        program(INVERTED, 128, 1),
        program(AIR, 256, 1),
    ]
}
