//! Fragment shaders of whole surfaces: materials lit from cube maps, history, discs of samples, trees in storage, palettes,
//! maps of tiles, mixed ground, fog through shadows, curves and blobs.

use TextureViewDimension as D;
use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::*;

/// A cell of `reading`: label, declarations, body.
type Surface = (&'static str, &'static str, &'static str);

const LIT: Surface = (
    "lit by cubes",
    "",
    "let n = normalize(textureSample(t2, s0, v.uv * 3.0).xyz * 2.0 - 1.0);
    let base = textureSample(t1, s0, v.uv * 3.0).rgb;
    let orm = textureSample(t3, s0, v.uv * 3.0).rgb;
    let view = normalize(vec3f(v.uv - 0.5, 1.0));
    let r = reflect(-view, n);
    let nv = clamp(dot(n, view), 0.0, 1.0);
    let f0 = mix(vec3f(0.04), base, orm.b);
    let env = textureSampleLevel(t0, s1, r, orm.g * 6.0).rgb;
    let irr = textureSampleLevel(t0, s1, n, 6.0).rgb;
    let brdf = textureSampleLevel(t4, s1, vec2f(nv, orm.g), 0.0).rg;
    let c = base * irr * (1.0 - orm.b) + env * (f0 * brdf.x + brdf.y);
    return vec4f(pow(c / (c + 1.0), vec3f(1.0 / 2.2)), orm.r);",
);

const HISTORY: Surface = (
    "history",
    "",
    "let at = vec2i(v.at.xy);
    var low = vec3f(1e9);
    var high = vec3f(-1e9);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let c = textureLoad(t0, clamp(at + vec2i(x, y), vec2i(), vec2i(511)), 0).rgb;
            low = min(low, c);
            high = max(high, c);
        }
    }
    let speed = textureLoad(t2, at & vec2i(511), 0).xy * 0.01;
    let old = textureSampleLevel(t1, s0, v.at.xy / 512.0 - speed, 0.0).rgb;
    let now = textureLoad(t0, at & vec2i(511), 0).rgb;
    return vec4f(mix(now, clamp(old, low, high), 0.9), 1.0);",
);

const DISC: Surface = (
    "disc of samples",
    "",
    "var c = vec3f();
    let r = 0.02 * textureSampleLevel(t0, s0, v.uv, 0.0).a + 0.01;
    var a = 0.0;
    for (var i = 0; i < 32; i++) {
        let p = vec2f(cos(a), sin(a)) * sqrt(f32(i) / 32.0) * r;
        c += textureSampleLevel(t0, s0, v.uv + p, 0.0).rgb;
        a += 2.399963;
    }
    return vec4f(c / 32.0, 1.0);",
);

const PALETTE: Surface = (
    "palette",
    "",
    "let n = textureLoad(t0, vec2i(v.at.xy) & vec2i(255), 0).r;
    return textureLoad(t1, vec2i(i32(n), 0), 0);",
);

const TILES: Surface = (
    "map of tiles",
    "",
    "let p = v.uv * 24.0;
    let tile = textureLoad(t0, vec2i(p) & vec2i(255), 0).r & 15u;
    return textureSampleLevel(t1, s0, fract(p), tile, 0.0);",
);

const GROUND: Surface = (
    "mixed ground",
    "",
    "let w = textureSample(t0, s0, v.uv);
    let a = textureSample(t1, s0, v.uv * 8.0).rgb;
    let b = textureSample(t2, s0, v.uv * 12.0).rgb;
    let c = textureSample(t3, s0, v.uv * 7.0).rgb;
    let n = textureSample(t4, s0, v.uv * 9.0).xyz * 2.0 - 1.0;
    let l = max(dot(normalize(n), normalize(vec3f(0.4, 0.3, 0.8))), 0.1);
    let fog = exp(-v.uv.y * 2.0);
    return vec4f(mix(vec3f(0.5, 0.6, 0.7), (a * w.r + b * w.g + c * w.b) * l, fog), 1.0);",
);

const FOG: Surface = (
    "fog through shadows",
    "",
    "var p = vec3f(v.uv, 0.0);
    let d = vec3f(0.01, 0.007, 0.02);
    var light = 0.0;
    for (var i = 0; i < 24; i++) {
        light += textureSampleCompareLevel(t0, s0, p.xy, p.z) * exp(-p.z * 2.0);
        p += d;
    }
    return vec4f(vec3f(light / 24.0), 1.0);",
);

const CURVES: Surface = (
    "curves",
    "fn curve(p: vec2f, a: vec2f, b: vec2f, c: vec2f) -> f32 {
        var d = 9.0;
        var last = a;
        for (var i = 1; i <= 8; i++) {
            let t = f32(i) / 8.0;
            let q = mix(mix(a, b, t), mix(b, c, t), t);
            let e = q - last;
            let f = p - last;
            d = min(d, length(f - e * clamp(dot(e, f) / dot(e, e), 0.0, 1.0)));
            last = q;
        }
        return d;
    }",
    "var d = 9.0;
    for (var i = 0; i < 3; i++) {
        let o = f32(i) * 0.2;
        d = min(d, curve(v.uv, vec2f(0.1, 0.2 + o), vec2f(0.6, 0.9 - o), vec2f(1.2, 0.3 + o)));
    }
    return vec4f(vec3f(1.0 - smoothstep(0.0, 2.0 * fwidth(v.uv.x), d - 0.01)), 1.0);",
);

const BLOBS: Surface = (
    "blobs",
    "",
    "var s = 0.0;
    var c = vec3f();
    for (var i = 0u; i < 24u; i++) {
        let h = mixed(i);
        let p = vec2f(f32(h & 1023u), f32(h >> 10u & 1023u)) / 700.0;
        let w = 0.002 / (dot(v.uv - p, v.uv - p) + 0.0001);
        s += w;
        c += w * vec3f(f32(h >> 20u & 15u), f32(h >> 24u & 15u), f32(h >> 28u)) / 15.0;
    }
    return vec4f(select(vec3f(0.05), c / s, s > 0.6), 1.0);",
);

/// Boxes of a tree in storage, walked with a stack.
const TREE: Surface = (
    "tree in storage",
    "struct Node { low: vec4f, high: vec4f };
    @group(0) @binding(0) var<storage, read> nodes: array<Node>;",
    "let o = vec3f(v.uv, -1.0);
    let d = 1.0 / normalize(vec3f(0.05, 0.03, 1.0) + vec3f(v.uv, 0.0) * 0.1);
    var stack: array<u32, 12>;
    var top = 1;
    stack[0] = 0u;
    var best = 9.0;
    while top > 0 {
        top--;
        let n = stack[top];
        let node = nodes[n];
        let a = (node.low.xyz - o) * d;
        let b = (node.high.xyz - o) * d;
        let near = max(max(min(a.x, b.x), min(a.y, b.y)), min(a.z, b.z));
        let far = min(min(max(a.x, b.x), max(a.y, b.y)), max(a.z, b.z));
        if near > far || near > best { continue; }
        if n >= 255u {
            best = min(best, near);
        } else {
            stack[top] = n * 2u + 1u;
            stack[top + 1] = n * 2u + 2u;
            top += 2;
        }
    }
    return vec4f(vec3f(best * 0.2), 1.0);",
);

/// A tree of 511 boxes, each half of the one above it.
fn tree() -> Vec<u8> {
    let mut boxes = vec![[[0.0f32, 0.0, 0.0], [1.6, 1.6, 2.0]]];
    for n in 0..255 {
        let [low, high] = boxes[n];
        let axis = (n + 1).ilog2() as usize % 3;
        let middle = 0.5 * (low[axis] + high[axis]);
        let gap = 0.06 * (high[axis] - low[axis]);
        let (mut left, mut right) = ([low, high], [low, high]);
        left[1][axis] = middle - gap;
        right[0][axis] = middle + gap;
        boxes.extend([left, right]);
    }
    let corner = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
    let floats = boxes.into_iter().flatten().flat_map(corner);
    floats.flat_map(f32::to_le_bytes).collect()
}

fn integers(format: F) -> Read {
    let texture = noise_texture(format, D::D2, [256, 256, 1], 1);
    Read(texture, TextureSampleType::Uint, "texture_2d<u32>")
}

fn unfiltered(format: F, size: [u32; 2]) -> Read {
    let texture = noise_texture(format, D::D2, [size[0], size[1], 1], 1);
    let kind = TextureSampleType::Float { filterable: false };
    Read(texture, kind, "texture_2d<f32>")
}

fn surface(surface: Surface, reads: Vec<Read>, samplers: &[Sampling]) -> Plan {
    let (label, declared, body) = surface;
    let label = format!("surface/{label}");
    let declared = format!("{MIXED}{declared}");
    reading(label, (&declared, body), reads, samplers, 1)
}

pub(super) fn cells() -> Vec<Plan> {
    let material = || Read::square(F::Rgba8Unorm, 256);
    let colors = || Read::square(F::Rgba8UnormSrgb, 256);
    let halves = || Read::square(F::Rgba16Float, 512);
    let (trilinear, clamped) = (Sampling::TRILINEAR, Sampling::TRILINEAR.clamped());
    let cube = Read(
        noise_texture(F::Rgba16Float, D::Cube, [128, 128, 6], 8),
        FILTERED,
        "texture_cube<f32>",
    );
    let table = Read(
        noise_texture(F::Rg16Float, D::D2, [64, 64, 1], 1),
        FILTERED,
        "texture_2d<f32>",
    );
    let compared = Sampling {
        compare: Some(CompareFunction::Less),
        ..Sampling::LINEAR.clamped()
    };
    let tiles = Read::bytes(D::D2Array, [32, 32, 16], 1, "texture_2d_array<f32>");
    let mut cells = vec![
        surface(
            LIT,
            vec![cube, colors(), material(), material(), table],
            &[trilinear, clamped],
        ),
        surface(
            HISTORY,
            vec![halves(), halves(), unfiltered(F::Rg16Float, [512, 512])],
            &[Sampling::LINEAR.clamped()],
        ),
        surface(DISC, vec![halves()], &[Sampling::LINEAR.clamped()]),
        surface(
            PALETTE,
            vec![integers(F::R8Uint), unfiltered(F::Rgba8Unorm, [256, 1])],
            &[],
        ),
        surface(
            TILES,
            vec![integers(F::R32Uint), tiles],
            &[Sampling::NEAREST.clamped()],
        ),
        surface(
            GROUND,
            vec![material(), colors(), colors(), colors(), material()],
            &[trilinear],
        ),
        surface(CURVES, Vec::new(), &[]),
        surface(BLOBS, Vec::new(), &[]),
    ];

    // What is compared with lies in the depth that a pass draws.
    let fog = surface(FOG, vec![depths()], &[compared]);
    let fog = after_depths(fog, "fract(o.x * 0.37 + o.y * 0.21)");
    cells.push(fog);

    let (label, declared, body) = TREE;
    let text = format!("{declared}@fragment fn fs(v: V) -> @location(0) vec4f {{ {body} }}");
    let mut screen = Screen::new(format!("surface/{label}"), &text, 1);
    let nodes = screen.plan.buffer(BufferUsages::STORAGE, tree());
    screen.plan.set(vec![Resource::Storage(nodes)]);
    cells.push(screen.plan());
    cells
}
