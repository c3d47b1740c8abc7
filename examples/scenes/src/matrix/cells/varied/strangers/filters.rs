//! Fragment shaders that read pictures and depths: parallax, shadows, mirrors, filters and blurs, and ground of several textures.

use super::*;

const DECLARED: &str = "
const POISSON = array<vec2f, 8>(
    vec2f(-0.94, -0.4), vec2f(0.94, -0.77), vec2f(-0.09, -0.93), vec2f(0.34, 0.29),
    vec2f(-0.92, 0.46), vec2f(-0.38, 0.28), vec2f(0.97, 0.44), vec2f(0.2, 0.79),
);
fn light(c: vec4f) -> f32 { return dot(c.rgb, vec3f(0.3, 0.6, 0.1)); }
fn turned(a: f32) -> mat2x2f { return mat2x2f(cos(a), sin(a), -sin(a), cos(a)); }
";

const PARALLAX: &str = "
let dx = dpdx(v.uv);
let dy = dpdy(v.uv);
let view = normalize(vec3f(v.uv - 0.8, 0.5));
let steps = mix(32.0, 8.0, view.z);
let way = view.xy / view.z * 0.06 / steps;
var p = v.uv;
var depth = 0.0;
var last = 0.0;
var here = 0.0;
for (var i = 0; i < 32; i++) {
    here = 1.0 - textureSampleGrad(t0, s0, p, dx, dy).r - depth;
    if here <= 0.0 { break; }
    last = here;
    p -= way;
    depth += 1.0 / steps;
}
p += way * clamp(here / min(here - last, -0.0001), 0.0, 1.0);
let top = textureSampleLevel(t0, s0, p, 0.0).r;
var shade = 1.0;
for (var i = 1; i <= 8; i++) {
    let above = textureSampleLevel(t0, s0, p + vec2f(0.004, 0.002) * f32(i), 0.0).r - f32(i) * 0.05;
    if above > top + 0.02 {
        shade = 0.4;
        break;
    }
}
return vec4f(textureSampleGrad(t1, s0, p, dx, dy).rgb * shade, 1.0);";

const GATHERED: &str = "
let m = turned(f32(mixed(u32(v.at.x) + u32(v.at.y) * 512u) & 1023u) / 163.0);
let reference = 0.3 + 0.4 * v.uv.x;
var sum = 0.0;
for (var i = 0; i < 8; i++) {
    let p = v.uv * 0.6 + m * POISSON[i] * 0.02;
    sum += dot(textureGatherCompare(t0, s0, p, reference), vec4f(0.25));
    if i == 3 && (sum == 0.0 || sum == 4.0) {
        sum *= 2.0;
        break;
    }
}
return vec4f(vec3f(sum / 8.0), 1.0);";

const MIRRORED: &str = "
let at = vec2i(v.at.xy);
let here = textureLoad(t0, at, 0);
let base = textureLoad(t1, at, 0);
let x = textureLoad(t0, min(at + vec2i(1, 0), vec2i(511)), 0) - here;
let y = textureLoad(t0, min(at + vec2i(0, 1), vec2i(511)), 0) - here;
let n = normalize(vec3f(-x * 20.0, -y * 20.0, -1.0));
let d = reflect(normalize(vec3f(v.uv - 0.8, 1.0)), n);
let way = vec3f(d.xy * 4.0, d.z * 0.01);
var p = vec3f(v.at.xy, here);
var c = vec4f(0.1, 0.2, 0.3, 1.0);
for (var i = 0; i < 40; i++) {
    p += way;
    if any(p.xy < vec2f()) || any(p.xy >= vec2f(512.0)) || p.z < 0.0 { break; }
    let e = textureLoad(t0, vec2i(p.xy), 0);
    if p.z > e && p.z < e + 0.1 {
        var step = way * 0.5;
        for (var k = 0; k < 4; k++) {
            let behind = p.z > textureLoad(t0, vec2i(p.xy), 0);
            p += select(step, -step, behind);
            step *= 0.5;
        }
        c = textureLoad(t1, clamp(vec2i(p.xy), vec2i(), vec2i(511)), 0);
        break;
    }
}
return mix(base, c, 0.6);";

const KUWAHARA: &str = "
let at = vec2i(v.at.xy);
var best = 9.0;
var c = vec3f();
for (var q = 0; q < 4; q++) {
    let corner = vec2i(q & 1, q >> 1u) * 3 - 3;
    var sum = vec3f();
    var squares = vec3f();
    for (var y = 0; y <= 3; y++) {
        for (var x = 0; x <= 3; x++) {
            let e = textureLoad(t0, clamp(at + corner + vec2i(x, y), vec2i(), vec2i(511)), 0).rgb;
            sum += e;
            squares += e * e;
        }
    }
    sum /= 16.0;
    let spread = abs(squares / 16.0 - sum * sum);
    let whole = spread.r + spread.g + spread.b;
    if whole < best {
        best = whole;
        c = sum;
    }
}
return vec4f(c, 1.0);";

const BICUBIC: &str = "
let size = vec2f(textureDimensions(t0));
let p = v.uv * size * 0.2 - 0.5;
let f = fract(p);
let i = floor(p);
let w0 = f * (f * (-f + 3.0) - 3.0) + 1.0;
let w1 = f * f * (3.0 * f - 6.0) + 4.0;
let w3 = f * f * f;
let w2 = 6.0 - w0 - w1 - w3;
let g0 = w0 + w1;
let g1 = w2 + w3;
let a = (i - 0.5 + w1 / g0) / size;
let b = (i + 1.5 + w3 / g1) / size;
let low = textureSampleLevel(t0, s0, a, 0.0) * g0.x + textureSampleLevel(t0, s0, vec2f(b.x, a.y), 0.0) * g1.x;
let high = textureSampleLevel(t0, s0, vec2f(a.x, b.y), 0.0) * g0.x + textureSampleLevel(t0, s0, b, 0.0) * g1.x;
return (low * g0.y + high * g1.y) / 36.0;";

const SOBEL: &str = "
let at = vec2i(v.at.xy);
let weights = array<f32, 3>(1.0, 2.0, 1.0);
var x = 0.0;
var y = 0.0;
for (var j = -1; j <= 1; j++) {
    for (var i = -1; i <= 1; i++) {
        let l = light(textureLoad(t0, clamp(at + vec2i(i, j), vec2i(), vec2i(511)), 0));
        x += l * f32(i) * weights[j + 1];
        y += l * f32(j) * weights[i + 1];
    }
}
return mix(textureLoad(t0, at, 0), vec4f(0.0, 0.0, 0.0, 1.0), smoothstep(0.2, 0.6, length(vec2f(x, y))));";

const MEDIAN: &str = "
var a: array<f32, 9>;
for (var i = 0; i < 9; i++) {
    let at = vec2i(v.at.xy) + vec2i(i % 3, i / 3) - 1;
    a[i] = light(textureLoad(t0, clamp(at, vec2i(), vec2i(511)), 0));
}
for (var i = 0; i < 5; i++) {
    var least = i;
    for (var j = i + 1; j < 9; j++) {
        if a[j] < a[least] { least = j; }
    }
    let x = a[i];
    a[i] = a[least];
    a[least] = x;
}
return vec4f(vec3f(a[4]), 1.0);";

const MOTION: &str = "
let here = textureSampleLevel(t0, s0, v.uv, 0.0);
let speed = (textureSampleLevel(t1, s0, v.uv, 0.0).rr - vec2f(0.5, 0.3)) * 0.1;
let count = clamp(i32(length(speed) * 512.0), 1, 16);
var c = vec3f();
for (var i = 0; i < count; i++) {
    let p = v.uv + speed * (f32(i) / f32(count) - 0.5);
    let fringe = (p - 0.8) * 0.01;
    c.r += textureSampleLevel(t0, s0, p + fringe, 0.0).r;
    c.g += textureSampleLevel(t0, s0, p, 0.0).g;
    c.b += textureSampleLevel(t0, s0, p - fringe, 0.0).b;
}
return vec4f(mix(here.rgb, c / f32(count), 0.9), 1.0);";

const FOCUS: &str = "
let at = v.at.xy / 512.0;
let here = textureSampleLevel(t0, s0, at, 0.0);
let blur = abs(here.a - 0.5) * 9.0;
var c = here.rgb;
var total = 1.0;
var radius = 0.8;
var angle = 0.0;
while radius < 9.0 {
    let e = textureSampleLevel(t0, s0, at + vec2f(cos(angle), sin(angle)) * radius / 512.0, 0.0);
    var size = abs(e.a - 0.5) * 9.0;
    if e.a > here.a { size = min(size, blur * 2.0); }
    let m = smoothstep(radius - 0.5, radius + 0.5, size);
    c += mix(c / total, e.rgb, m);
    total += 1.0;
    angle += 2.399963;
    radius += 1.5 / radius;
}
return vec4f(c / total, 1.0);";

const PLANES: &str = "
let p = vec3f(v.uv * 3.0, sin(v.uv.x * 5.0) * cos(v.uv.y * 5.0));
let n = normalize(vec3f(cos(v.uv.x * 5.0), sin(v.uv.y * 4.0), 0.5));
let dx = dpdx(p);
let dy = dpdy(p);
let raised = pow(abs(n), vec3f(4.0));
let w = raised / (raised.x + raised.y + raised.z);
var c = vec3f();
if w.x > 0.02 { c += w.x * textureSampleGrad(t0, s0, p.yz, dx.yz, dy.yz).rgb; }
if w.y > 0.02 { c += w.y * textureSampleGrad(t1, s0, p.zx, dx.zx, dy.zx).rgb; }
if w.z > 0.02 { c += w.z * textureSampleGrad(t2, s0, p.xy, dx.xy, dy.xy).rgb; }
return vec4f(c * 9.0, 1.0);";

const HEXAGONS: &str = "
let dx = dpdx(v.uv * 2.0);
let dy = dpdy(v.uv * 2.0);
let q = vec2f(v.uv.x * 7.0 - v.uv.y * 4.0, v.uv.y * 8.0);
let i = vec2i(floor(q));
let f = fract(q);
let z = 1.0 - f.x - f.y;
let s = select(0, 1, z < 0.0);
let w = abs(vec3f(z, f32(s) - f.y, f32(s) - f.x));
let corners = array<vec2i, 3>(i + s, i + vec2i(s, 1 - s), i + vec2i(1 - s, s));
var c = vec3f();
for (var k = 0; k < 3; k++) {
    let h = mixed(u32(corners[k].x * 131 + corners[k].y * 7919));
    let m = turned(f32(h & 255u) / 40.0);
    let p = m * (v.uv * 2.0) + vec2f(f32(h >> 8u & 255u), f32(h >> 16u & 255u)) / 256.0;
    c += w[k] * textureSampleGrad(t0, s0, p, m * dx, m * dy).rgb;
}
return vec4f(c * 9.0, 1.0);";

const LAYERS: &str = "
let n = textureSample(t1, s0, v.uv).r * 15.0;
let i = i32(n);
let dx = dpdx(v.uv * 9.0);
let dy = dpdy(v.uv * 9.0);
let a = textureSampleGrad(t0, s0, v.uv * 9.0, i, dx, dy);
let b = textureSampleGrad(t0, s0, v.uv * 9.0, min(i + 1, 15), dx, dy);
return vec4f((mix(a, b, fract(n)).rgb + 0.1) * (0.5 + n / 10.0), 1.0);";

const VIDEO: &str = "
let y = textureSample(t0, s0, v.uv).r * 1.1644 - 0.0729;
let u = textureSample(t1, s0, v.uv).r - 0.5;
let w = textureSample(t2, s0, v.uv).r - 0.5;
let c = vec3f(y + 1.7927 * w, y - 0.2132 * u - 0.5329 * w, y + 2.1124 * u);
return vec4f(clamp(c, vec3f(), vec3f(1.0)), 1.0);";

/// Steps of depths that are drawn before all else.
fn after_steps(plan: Plan) -> Plan {
    let z =
        "fract(f32(n / 6u % 16u) * 0.37 + f32(n / 96u) * 0.21) * 0.8 + 0.2 * corner.x * corner.y";
    after_depths(plan, z)
}

pub(super) fn cells() -> Vec<Plan> {
    let declared = format!("{MIXED}{DECLARED}");
    let cell = |label: &str, reads, samplers: &[Sampling], body| {
        reading(label.to_owned(), (&declared, body), reads, samplers, 1)
    };
    let picture = || made(F::Rgba8Unorm, 512, disks);
    let heights = || made(F::R8Unorm, 256, hills);
    let ground = || Read::square(F::Rgba8UnormSrgb, 256);
    let layers = Read::bytes(D::D2Array, [128, 128, 16], 8, "texture_2d_array<f32>");
    let (linear, steep) = (Sampling::LINEAR, Sampling::TRILINEAR);
    let clamped = [Sampling::LINEAR.clamped()];
    let compared = Sampling {
        compare: Some(CompareFunction::Less),
        ..clamped[0]
    };
    vec![
        cell(
            "surface/parallax",
            vec![heights(), picture()],
            &[linear],
            PARALLAX,
        ),
        after_steps(cell(
            "surface/gathered shadows",
            vec![depths()],
            &[compared],
            GATHERED,
        )),
        after_steps(cell(
            "surface/mirrors of depths",
            vec![depths(), picture()],
            &[],
            MIRRORED,
        )),
        cell("program/kuwahara", vec![picture()], &[], KUWAHARA),
        cell("program/bicubic", vec![picture()], &[linear], BICUBIC),
        cell("program/sobel", vec![picture()], &[], SOBEL),
        cell("program/median", vec![picture()], &[], MEDIAN),
        cell(
            "program/motion and fringes",
            vec![picture(), heights()],
            &[linear],
            MOTION,
        ),
        cell("program/depth of field", vec![picture()], &clamped, FOCUS),
        cell(
            "surface/three planes",
            vec![ground(), ground(), ground()],
            &[steep],
            PLANES,
        ),
        cell("surface/hexagons", vec![ground()], &[steep], HEXAGONS),
        cell(
            "surface/layers of ground",
            vec![layers, heights()],
            &[steep],
            LAYERS,
        ),
        cell(
            "program/video",
            vec![heights(), heights(), heights()],
            &[linear],
            VIDEO,
        ),
    ]
}
