//! Frames of light: lamps in bits of tiles, fog in a volume, and a cube of rough levels.

use super::frames::{TOWN, drawn_town, over};
use super::*;

/// Groups find the depths of their tile and which of 96 lamps reach in between, as bits; pixels go through the bits.
fn lamps() -> Plan {
    let lamp = "
        fn lamp(i: u32) -> vec4f {
            let u = unit(i + 4000u);
            return vec4f(u.x * 10.0 - 5.0, 0.1 + u.y * 0.8, u.z * 10.0 - 1.5, 0.5 + u.x * 0.9);
        }";
    let filled = "@fragment fn fs(v: V) -> @location(0) vec4f {
            return vec4f(tint(v.i), dot(v.n * v.n, vec3f(0.0, 0.4, 0.8)) + select(0.0, 0.2, dot(v.n, vec3f(1.0)) > 0.0));
        }";
    let bits = format!(
        "{MIXED}{CORNER}{TOWN}{lamp}
        @group(0) @binding(0) var depths: texture_depth_2d;
        @group(0) @binding(1) var<storage, read_write> tiles: array<vec4u>;
        var<workgroup> least: atomic<u32>;
        var<workgroup> most: atomic<u32>;
        var<workgroup> found: array<atomic<u32>, 3>;
        @compute @workgroup_size(16, 16) fn cs(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32, @builtin(workgroup_id) w: vec3u) {{
            if l == 0u {{ atomicStore(&least, 0xffffffffu); }}
            workgroupBarrier();
            let z = away(min(textureLoad(depths, g.xy, 0), 0.9999));
            atomicMin(&least, bitcast<u32>(z));
            atomicMax(&most, bitcast<u32>(z));
            workgroupBarrier();
            let near = bitcast<f32>(atomicLoad(&least));
            let far = bitcast<f32>(atomicLoad(&most));
            if l < 96u {{
                let a = lamp(l);
                let p = seen(a.xyz);
                let low = (vec2f(w.xy) / 16.0 - 1.0) / 1.5;
                let high = low + 1.0 / 24.0;
                let xs = vec2f(p.x - low.x * p.z, high.x * p.z - p.x) / sqrt(1.0 + vec2f(low.x * low.x, high.x * high.x));
                let ys = vec2f(-p.y - low.y * p.z, high.y * p.z + p.y) / sqrt(1.0 + vec2f(low.y * low.y, high.y * high.y));
                let inside = all(xs > vec2f(-a.w)) && all(ys > vec2f(-a.w)) && p.z + a.w > near && p.z - a.w < far;
                if inside {{ atomicOr(&found[l / 32u], 1u << (l & 31u)); }}
            }}
            workgroupBarrier();
            if l == 0u {{ tiles[w.x + w.y * 32u] = vec4u(atomicLoad(&found[0]), atomicLoad(&found[1]), atomicLoad(&found[2]), bitcast<u32>(far)); }}
        }}"
    );
    let lit = format!(
        "{lamp}
        @group(0) @binding(0) var depths: texture_depth_2d;
        @group(0) @binding(1) var colors: texture_2d<f32>;
        @group(0) @binding(2) var<storage, read> tiles: array<vec4u>;
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let at = vec2u(v.at.xy);
            let z = textureLoad(depths, at, 0);
            if z == 1.0 {{ return vec4f(0.02, 0.02, 0.05, 1.0); }}
            let color = textureLoad(colors, at, 0);
            let p = world(behind(v.at.xy, z));
            let axis = u32(color.a * 2.5 + 0.1);
            var n = vec3f();
            n[axis] = select(-1.0, 1.0, fract(color.a * 2.5 + 0.1) > 0.3);
            let tile = tiles[at.x / 16u + at.y / 16u * 32u];
            var sum = vec3f(0.06);
            var count = 0u;
            for (var k = 0u; k < 3u; k++) {{
                var bits = tile[k];
                while bits != 0u {{
                    let i = k * 32u + firstTrailingBit(bits);
                    bits &= bits - 1u;
                    count++;
                    let a = lamp(i);
                    let way = a.xyz - p;
                    let d = dot(way, way) / (a.w * a.w);
                    if d < 1.0 {{
                        let l = normalize(way);
                        sum += (1.0 - d) * (1.0 - d) * (0.2 + unit(i * 3u)) * max(dot(n, l), 0.0) * 1.5;
                    }}
                }}
            }}
            return vec4f(sqrt(color.rgb * sum) + vec3f(f32(count) * 0.004, 0.0, 0.0), 1.0);
        }}"
    );
    let mut plan = empty("frame/lamps in bits of tiles");
    let colors = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 1);
    let tiles = space(&mut plan, 4 << 10);
    let depth = drawn_town(&mut plan, &[colors], filled, Vec::new());
    let depths = || Resource::Texture(depth, TextureSampleType::Depth);
    run(
        &mut plan,
        bits,
        vec![depths(), Resource::Written(tiles)],
        [32, 32, 1],
    );
    let resources = vec![
        depths(),
        Resource::Texture(colors, FILTERED),
        Resource::Storage(tiles),
    ];
    over(&mut plan, 0, &lit, resources);
    plan
}

/// Light that fog throws towards the eye in 32 by 32 by 48 places, summed from the eye on by a second dispatch, and read at
/// the depth of each pixel.
fn fog() -> Plan {
    let thrown = format!(
        "{MIXED}{CORNER}{TOWN}
        @group(0) @binding(0) var to: texture_storage_3d<rgba16float, write>;
        @compute @workgroup_size(4, 4, 4) fn cs(@builtin(global_invocation_id) g: vec3u) {{
            let at = (vec3f(g) + 0.5) / vec3f(32.0, 32.0, 48.0);
            let z = 0.5 + 12.0 * at.z * at.z;
            let p = world(vec3f((at.xy * 2.0 - 1.0) * vec2f(1.0, -1.0) / 1.5 * z, z));
            var dense = 0.25 * exp(-max(p.y, 0.0) * 2.0);
            var light = vec3f(0.08, 0.1, 0.12);
            for (var i = 0u; i < 24u; i++) {{
                let u = unit(i + 70u);
                let q = vec3f(u.x * 8.0 - 4.0, 0.2 + u.y, u.z * 8.0 - 1.0) - p;
                light += unit(i * 5u) * 0.12 / (0.05 + dot(q, q));
            }}
            let k = floor(p * 2.0);
            dense *= 0.6 + 0.8 * unit(u32(i32(k.x) * 7 + i32(k.y) * 31 + i32(k.z) * 113 + 5000)).x;
            textureStore(to, g, vec4f(light * dense, dense));
        }}"
    );
    let summed = "
        @group(0) @binding(0) var t: texture_3d<f32>;
        @group(0) @binding(1) var to: texture_storage_3d<rgba16float, write>;
        @compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) g: vec3u) {
            var sum = vec4f(0.0, 0.0, 0.0, 1.0);
            for (var k = 0u; k < 48u; k++) {
                let here = textureLoad(t, vec3u(g.xy, k), 0);
                let thick = 12.0 * (f32(2u * k) + 1.0) / 2304.0;
                let left = exp(-here.a * thick);
                sum = vec4f(sum.rgb + sum.a * here.rgb * (1.0 - left) / max(here.a, 0.0001), sum.a * left);
                textureStore(to, vec3u(g.xy, k), sum);
            }
        }";
    let lit = "@group(0) @binding(0) var t: texture_3d<f32>;
        @group(0) @binding(1) var s: sampler;
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let light = 0.15 + 0.35 * max(dot(v.n, SUN), 0.0);
            let deep = sqrt(clamp((1.0 / v.at.w - 0.5) / 12.0, 0.0, 1.0));
            let fog = textureSampleLevel(t, s, vec3f(v.at.xy / 512.0, deep), 0.0);
            let c = tint(v.i) * light * fog.a + fog.rgb;
            return vec4f(sqrt(c / (0.5 + c)), 1.0);
        }";
    let mut plan = empty("frame/fog in a volume");
    let volumes = [0; 2].map(|_| {
        plan.texture(Texture {
            contents: Contents::Drawn,
            ..noise_texture(F::Rgba16Float, D::D3, [32, 32, 48], 1)
        })
    });
    run(
        &mut plan,
        thrown,
        vec![Resource::Stored(volumes[0])],
        [8, 8, 12],
    );
    let resources = vec![
        Resource::Texture(volumes[0], FILTERED),
        Resource::Stored(volumes[1]),
    ];
    run(&mut plan, summed, resources, [4, 4, 1]);
    let resources = vec![
        Resource::Texture(volumes[1], FILTERED),
        Resource::Sampler(Sampling::LINEAR.clamped()),
    ];
    drawn_town(&mut plan, &[0], lit, resources);
    plan
}

/// Six faces of five levels, each drawn blurrier than the one before, then balls from smooth to rough that show them.
fn rough() -> Plan {
    let face = format!(
        "{MIXED}
        struct V {{ @builtin(position) at: vec4f, @location(0) xy: vec2f, @location(1) @interpolate(flat) i: u32 }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
            let xy = vec2f(f32(n % 2u) * 4.0, f32(n / 2u) * 4.0) - 1.0;
            return V(vec4f(xy, 0.5, 1.0), xy * vec2f(1.0, -1.0), i);
        }}
        fn sky(d: vec3f) -> vec3f {{
            let k = floor(d.xz / max(abs(d.y), 0.05) * 3.0);
            let ground = mix(vec3f(0.1, 0.3, 0.1), vec3f(0.8, 0.7, 0.4), fract((k.x + k.y) * 0.5) * 2.0);
            let above = mix(vec3f(0.9, 0.9, 0.8), vec3f(0.1, 0.3, 0.9), clamp(d.y * 1.5, 0.0, 1.0));
            let sun = 12.0 * smoothstep(0.95, 0.97, dot(d, normalize(vec3f(0.4, 0.5, -0.7))));
            return select(ground, above + sun, d.y > 0.0);
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let p = v.xy;
            var d: vec3f;
            switch v.i % 6u {{
                case 0u: {{ d = vec3f(1.0, -p.y, -p.x); }}
                case 1u: {{ d = vec3f(-1.0, -p.y, p.x); }}
                case 2u: {{ d = vec3f(p.x, 1.0, p.y); }}
                case 3u: {{ d = vec3f(p.x, -1.0, -p.y); }}
                case 4u: {{ d = vec3f(p.x, -p.y, 1.0); }}
                default: {{ d = vec3f(-p.x, -p.y, -1.0); }}
            }}
            d = normalize(d);
            let level = v.i / 6u;
            if level == 0u {{ return vec4f(sky(d), 1.0); }}
            var sum = vec3f();
            for (var i = 0u; i < 32u; i++) {{
                let h = mixed(i + level * 64u);
                let o = vec3f(f32(h & 1023u), f32(h >> 10u & 1023u), f32(h >> 20u)) / 511.5 - 1.0;
                sum += sky(normalize(d + o * f32(level) * 0.22));
            }}
            return vec4f(sum / 32.0, 1.0);
        }}"
    );
    let balls = format!(
        "{CORNER}
        @group(0) @binding(0) var t: texture_cube<f32>;
        @group(0) @binding(1) var s: sampler;
        struct V {{ @builtin(position) at: vec4f, @location(0) p: vec2f, @location(1) @interpolate(flat) i: u32 }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
            let c = corner(n);
            if i == 0u {{ return V(vec4f(c * 2.0 - 1.0, 0.9, 1.0), c * 2.0 - 1.0, i); }}
            let k = i - 1u;
            let o = vec2f(f32(k % 5u), f32(k / 5u)) * 0.4 - vec2f(0.98, 0.98);
            return V(vec4f(o + c * 0.36, 0.5, 1.0), c * 2.0 - 1.0, i);
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            var d = normalize(vec3f(v.p, 1.5));
            var level = 0.0;
            var share = vec3f(1.0);
            if v.i > 0u {{
                let e = 1.0 - dot(v.p, v.p);
                if e < 0.0 {{ discard; }}
                let n = vec3f(v.p, -sqrt(e));
                level = f32((v.i - 1u) % 5u);
                let row = (v.i - 1u) / 5u;
                let tint = mix(vec3f(1.0, 0.75, 0.3), vec3f(0.9), f32(row) / 4.0);
                share = tint + (1.0 - tint) * pow(1.0 - max(-n.z, 0.0), 5.0);
                let diffuse = textureSampleLevel(t, s, n, 4.0).rgb * f32(row) * 0.1;
                let c = textureSampleLevel(t, s, reflect(normalize(d * vec3f(0.3, 0.3, 1.0)), n), level).rgb * share + diffuse;
                return vec4f(sqrt(c / (0.8 + c)), 1.0);
            }}
            let c = textureSampleLevel(t, s, d, 0.5).rgb;
            return vec4f(sqrt(c / (0.8 + c)), 1.0);
        }}"
    );
    let mut plan = empty("frame/cube of rough levels");
    let cube = plan.texture(Texture {
        contents: Contents::Drawn,
        ..noise_texture(F::Rgba16Float, D::Cube, [128, 128, 6], 5)
    });
    let draw = drawn(
        &mut plan,
        Pipeline::new(face, &[F::Rgba16Float]),
        Vec::new(),
        0..3,
    );
    for n in 0..30 {
        let target = Target {
            level: n / 6,
            layer: n % 6,
            ..Target::cleared(cube)
        };
        let instances = n..n + 1;
        plan.pass(
            vec![target],
            None,
            vec![Draw {
                instances,
                ..draw.clone()
            }],
        );
    }
    let resources = vec![
        Resource::Texture(cube, FILTERED),
        Resource::Sampler(Sampling::TRILINEAR),
    ];
    let draw = drawn(
        &mut plan,
        Pipeline::new(balls, &[F::Rgba8Unorm]),
        resources,
        0..6,
    );
    plan.pass(vec![Target::cleared(0)], None, vec![instances(draw, 26)]);
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![lamps(), fog(), rough()]
}
