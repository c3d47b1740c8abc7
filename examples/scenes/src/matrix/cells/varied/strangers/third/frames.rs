//! Frames over a town of boxes: mirrors found on the screen, dark corners, and shadows by volumes in the stencil and by three
//! maps.

use super::*;

/// Boxes on a floor, which is box 0, before an eye that looks down a little.
pub(super) const TOWN: &str = "
struct Corner { p: vec3f, n: vec3f };
fn unit(n: u32) -> vec3f {
    let h = mixed(n);
    return vec3f(f32(h & 1023u), f32(h >> 10u & 1023u), f32(h >> 20u & 1023u)) / 1023.0;
}
fn fitted(p: vec3f, i: u32) -> vec3f {
    if i == 0u { return vec3f(p.x * 12.0, p.y * 0.5 - 0.5, p.z * 12.0 + 6.0); }
    let u = unit(i);
    let o = vec2f(f32(i % 16u), f32(i / 16u)) + u.xy * 0.5;
    let size = vec3f(0.12 + 0.2 * u.y, 0.15 + 0.9 * u.z * u.z, 0.12 + 0.2 * u.x);
    return vec3f(o.x * 0.75 - 6.0, size.y, o.y * 0.75 - 1.0) + p * size;
}
fn axes(p: vec3f, k: u32) -> vec3f {
    if k == 1u { return p.zxy; }
    return select(p, p.yzx, k == 2u);
}
fn block(n: u32, i: u32) -> Corner {
    let side = select(-1.0, 1.0, n >= 18u);
    let c = corner(n % 6u) * 2.0 - 1.0;
    let k = n / 6u % 3u;
    return Corner(fitted(axes(vec3f(c.x * side, c.y, side), k), i), axes(vec3f(0.0, 0.0, side), k));
}
const UP = vec2f(0.9, 0.436);
fn seen(p: vec3f) -> vec3f {
    let q = p - vec3f(0.0, 2.4, -3.5);
    return vec3f(q.x, q.y * UP.x + q.z * UP.y, q.z * UP.x - q.y * UP.y);
}
fn world(v: vec3f) -> vec3f { return vec3f(v.x, v.y * UP.x - v.z * UP.y, v.z * UP.x + v.y * UP.y) + vec3f(0.0, 2.4, -3.5); }
fn clipped(v: vec3f) -> vec4f { return vec4f(v.xy * 1.5, (v.z - 0.5) * (20.0 / 19.5), v.z); }
fn away(z: f32) -> f32 { return 0.5 / (1.0 - z * 0.975); }
fn behind(at: vec2f, z: f32) -> vec3f {
    let w = away(z);
    return vec3f((at / 256.0 - 1.0) * vec2f(1.0, -1.0) / 1.5 * w, w);
}
fn tint(i: u32) -> vec3f {
    if i == 0u { return vec3f(0.5, 0.5, 0.45); }
    return 0.3 + 0.6 * unit(i * 7u + 3u);
}
const SUN = vec3f(-0.45, 0.78, -0.43);
";

/// Boxes of the town, the floor too.
const COUNT: u32 = 256;

/// Corners of the town as fragments get them.
const CORNERS: &str = "
struct V { @builtin(position) at: vec4f, @location(0) n: vec3f, @location(1) p: vec3f, @location(2) @interpolate(flat) i: u32 };
@vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
    let c = block(n, i);
    return V(clipped(seen(c.p)), c.n, c.p, i);
}
";

fn town(text: &str) -> String {
    format!("{MIXED}{CORNER}{TOWN}{text}")
}

/// A pass over the picture that knows the town.
pub(super) fn over(plan: &mut Plan, image: usize, text: &str, resources: Vec<Resource>) {
    cover(plan, image, &town(text), resources);
}

/// The town, drawn to images and depths.
pub(super) fn drawn_town(
    plan: &mut Plan,
    images: &[usize],
    text: &str,
    resources: Vec<Resource>,
) -> usize {
    let depth = plan.target(F::Depth32Float, [SIZE, SIZE], 1);
    let formats: Vec<F> = images.iter().map(|&n| plan.textures[n].format).collect();
    let pipeline = Pipeline {
        depth: nearer(),
        ..Pipeline::new(town(&format!("{CORNERS}{text}")), &formats)
    };
    let draw = drawn(plan, pipeline, resources, 0..36);
    let targets = images.iter().map(|&image| Target::cleared(image));
    plan.pass(targets.collect(), Some(depth), vec![instances(draw, COUNT)]);
    depth
}

/// The floor and some boxes are mirrors: rays go over the depths of the picture until they are behind something, and halve
/// their last step.
fn mirrors() -> Plan {
    let filled = "struct O { @location(0) c: vec4f, @location(1) n: vec4f };
        @fragment fn fs(v: V) -> O {
            let light = 0.3 + 0.7 * max(dot(v.n, SUN), 0.0);
            let k = floor(v.p * 4.0 + 0.01);
            let check = fract((k.x + k.y + k.z) * 0.5) * 0.3;
            let shine = select(select(0.0, 1.0, (v.i & 7u) == 0u), 0.67, v.i == 0u);
            return O(vec4f(tint(v.i) * (light - check), 1.0), vec4f(v.n * 0.5 + 0.5, shine));
        }";
    let mirrored = "
        @group(0) @binding(0) var colors: texture_2d<f32>;
        @group(0) @binding(1) var normals: texture_2d<f32>;
        @group(0) @binding(2) var depths: texture_depth_2d;
        fn place(v: vec3f) -> vec2f { return (v.xy * 1.5 / v.z * vec2f(1.0, -1.0) + 1.0) * 256.0; }
        fn under(v: vec3f) -> f32 { return v.z - away(textureLoad(depths, vec2i(place(v)), 0)); }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let at = vec2i(v.at.xy);
            let own = textureLoad(colors, at, 0).rgb;
            let n = textureLoad(normals, at, 0);
            let z = textureLoad(depths, at, 0);
            if z == 1.0 { return vec4f(mix(vec3f(0.75, 0.8, 0.85), vec3f(0.3, 0.5, 0.8), v.uv.y * 0.7), 1.0); }
            if n.w == 0.0 { return vec4f(own, 1.0); }
            let p = behind(v.at.xy, z);
            let w = normalize(n.xyz * 2.0 - 1.0);
            let d = reflect(normalize(p), vec3f(w.x, w.y * UP.x + w.z * UP.y, w.z * UP.x - w.y * UP.y));
            var c = vec3f(0.5, 0.6, 0.7);
            var step = 0.07;
            var q = p + d * 0.02;
            for (var i = 0; i < 24; i++) {
                let before = q;
                q += d * step;
                let to = place(q);
                if q.z < 0.5 || any(to < vec2f()) || any(to >= vec2f(512.0)) { break; }
                let e = under(q);
                if e > 0.0 {
                    if e > step * 1.5 + 0.1 {
                        step *= 1.1;
                        continue;
                    }
                    var near = before;
                    var far = q;
                    for (var k = 0; k < 5; k++) {
                        let middle = (near + far) * 0.5;
                        if under(middle) > 0.0 { far = middle; } else { near = middle; }
                    }
                    let from_edge = abs(place(far) / 256.0 - 1.0);
                    let fade = 1.0 - smoothstep(0.7, 1.0, max(from_edge.x, from_edge.y));
                    c = mix(c, textureLoad(colors, vec2i(place(far)), 0).rgb, fade);
                    break;
                }
                step *= 1.1;
            }
            let edge = 0.2 + 0.8 * pow(1.0 - max(dot(-normalize(p), normalize(d - normalize(p))), 0.0), 3.0);
            return vec4f(mix(own, c, edge * select(0.6, 0.9, n.w > 0.8)), 1.0);
        }";
    let mut plan = empty("frame/mirrors found on the screen");
    let images =
        [F::Rgba8Unorm, F::Rgb10a2Unorm].map(|format| plan.target(format, [SIZE, SIZE], 1));
    let depth = drawn_town(&mut plan, &images, filled, Vec::new());
    let resources = vec![
        Resource::Texture(images[0], FILTERED),
        Resource::Texture(images[1], FILTERED),
        Resource::Texture(depth, TextureSampleType::Depth),
    ];
    over(&mut plan, 0, mirrored, resources);
    plan
}

/// Twelve places near each second pixel are compared with depths, a blur keeps to its own depth, and the whole picture reads
/// the result with weights by depth.
fn corners() -> Plan {
    let filled = "@fragment fn fs(v: V) -> @location(0) vec2f {
            let n = v.n;
            return vec2f(n.x, select(n.y, n.z * 0.5 + 0.25, abs(n.z) > 0.5));
        }";
    let shaded = "
        @group(0) @binding(0) var depths: texture_depth_2d;
        @fragment fn fs(v: V) -> @location(0) f32 {
            let at = vec2i(v.at.xy) * 2;
            let z = textureLoad(depths, at, 0);
            if z == 1.0 { return 1.0; }
            let p = behind(vec2f(at) + 0.5, z);
            let right = behind(vec2f(at) + vec2f(1.5, 0.5), textureLoad(depths, min(at + vec2i(1, 0), vec2i(511)), 0)) - p;
            let down = behind(vec2f(at) + vec2f(0.5, 1.5), textureLoad(depths, min(at + vec2i(0, 1), vec2i(511)), 0)) - p;
            let n = normalize(cross(right, down));
            let spin = unit(u32(at.x & 6) + u32(at.y & 6) * 4u);
            let side = normalize(spin * 2.0 - 1.0 - n * dot(spin * 2.0 - 1.0, n));
            let turn = mat3x3f(side, cross(n, side), n);
            var dark = 0.0;
            for (var i = 0u; i < 12u; i++) {
                let u = unit(i + 500u);
                let r = 0.1 + 0.9 * f32(i * i) / 121.0;
                let q = p + turn * (normalize(vec3f(u.xy * 2.0 - 1.0, u.z + 0.05)) * r) * 0.35;
                let to = vec2i((q.xy * 1.5 / q.z * vec2f(1.0, -1.0) + 1.0) * 256.0);
                let there = away(textureLoad(depths, clamp(to, vec2i(), vec2i(511)), 0));
                if there < q.z - 0.01 { dark += smoothstep(0.0, 1.0, 0.35 / abs(p.z - there)); }
            }
            return 1.0 - dark / 12.0;
        }";
    let blurred = "
        @group(0) @binding(0) var depths: texture_depth_2d;
        @group(0) @binding(1) var t: texture_2d<f32>;
        @fragment fn fs(v: V) -> @location(0) f32 {
            let at = vec2i(v.at.xy);
            let own = away(textureLoad(depths, at * 2, 0));
            var sum = vec2f();
            for (var y = -2; y < 2; y++) {
                for (var x = -2; x < 2; x++) {
                    let p = clamp(at + vec2i(x, y), vec2i(), vec2i(255));
                    let w = max(0.0, 1.0 - 8.0 * abs(away(textureLoad(depths, p * 2, 0)) - own)) + 0.001;
                    sum += vec2f(textureLoad(t, p, 0).r * w, w);
                }
            }
            return sum.x / sum.y;
        }";
    let lit = "
        @group(0) @binding(0) var depths: texture_depth_2d;
        @group(0) @binding(1) var t: texture_2d<f32>;
        @group(0) @binding(2) var sides: texture_2d<f32>;
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let at = vec2i(v.at.xy);
            let own = away(textureLoad(depths, at, 0));
            let p = (v.at.xy - 1.0) * 0.5;
            let first = vec2i(floor(p));
            let f = fract(p);
            var sum = vec2f();
            for (var k = 0; k < 4; k++) {
                let o = vec2i(k & 1, k >> 1);
                let q = clamp(first + o, vec2i(), vec2i(255));
                let share = mix(1.0 - f, f, vec2f(o));
                let w = share.x * share.y / (0.01 + abs(away(textureLoad(depths, q * 2, 0)) - own));
                sum += vec2f(textureLoad(t, q, 0).r * w, w);
            }
            let n = textureLoad(sides, at, 0).rg;
            let c = vec3f(0.75 + 0.25 * n.y, 0.7 + 0.1 * n.x, 0.65 - 0.1 * n.x) * sum.x / max(sum.y, 0.0001);
            return vec4f(c, 1.0);
        }";
    let mut plan = empty("frame/dark corners");
    let sides = plan.target(F::Rg16Float, [SIZE, SIZE], 1);
    let halves = [0; 2].map(|_| plan.target(F::R8Unorm, [SIZE / 2, SIZE / 2], 1));
    let depth = drawn_town(&mut plan, &[sides], filled, Vec::new());
    let depths = || Resource::Texture(depth, TextureSampleType::Depth);
    let image = |n| Resource::Texture(n, FILTERED);
    over(&mut plan, halves[0], shaded, vec![depths()]);
    over(
        &mut plan,
        halves[1],
        blurred,
        vec![depths(), image(halves[0])],
    );
    over(
        &mut plan,
        0,
        lit,
        vec![depths(), image(halves[1]), image(sides)],
    );
    plan
}

/// What the boxes shade, as volumes that count in the stencil where they lie behind what is seen; light is added where the
/// count is 0.
fn volumes() -> Plan {
    let format = F::Depth24PlusStencil8;
    let dark = "@fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(tint(v.i) * (0.25 + 0.05 * v.n.y), 1.0); }";
    let light = "@fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(tint(v.i) * max(dot(v.n, SUN), 0.0) * 0.8, 1.0); }";
    let volume = "
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> @builtin(position) vec4f {
            var c: Corner;
            if n < 36u {
                c = block(n, i);
            } else {
                let edge = (n - 36u) / 6u;
                let k = edge / 4u;
                let s = vec2f(vec2u(edge, edge >> 1u) & vec2u(1u)) * 2.0 - 1.0;
                let q = corner(n % 6u);
                // Along the first axis, with the sides of the second and the third.
                let p = vec3f((q.y * 2.0 - 1.0) * s.x * s.y, s);
                let side = select(vec3f(0.0, s.x, 0.0), vec3f(0.0, 0.0, s.y), q.x > 0.5);
                c = Corner(fitted(axes(p, k), i), axes(side, k));
            }
            let from_sun = select(0.0, 4.0, dot(c.n, SUN) < 0.0);
            return clipped(seen(c.p - SUN * from_sun));
        }";
    let counted = |operation| StencilFaceState {
        compare: CompareFunction::Always,
        depth_fail_op: operation,
        ..StencilFaceState::IGNORE
    };
    let mut counts = depth_state(format, CompareFunction::Less, false);
    counts.stencil = StencilState {
        front: counted(StencilOperation::IncrementWrap),
        back: counted(StencilOperation::DecrementWrap),
        read_mask: 255,
        write_mask: 255,
    };
    counts.bias = DepthBiasState {
        constant: 4,
        slope_scale: 1.0,
        clamp: 0.0,
    };
    let mut lit = depth_state(format, CompareFunction::LessEqual, false);
    lit.stencil = both_faces(StencilFaceState {
        compare: CompareFunction::Equal,
        ..StencilFaceState::IGNORE
    });
    let mut plan = empty("frame/volumes of shadow");
    let depth = plan.target(format, [SIZE, SIZE], 1);
    let mut draws = Vec::new();
    let solid = Pipeline {
        depth: Some(depth_state(format, CompareFunction::Less, true)),
        ..Pipeline::new(town(&format!("{CORNERS}{dark}")), &[F::Rgba8Unorm])
    };
    draws.push(instances(drawn(&mut plan, solid, Vec::new(), 0..36), COUNT));
    let none = ColorTargetState {
        write_mask: ColorWrites::empty(),
        ..F::Rgba8Unorm.into()
    };
    let text = format!("{volume} @fragment fn fs() -> @location(0) vec4f {{ return vec4f(); }}");
    let volume = Pipeline {
        depth: Some(counts),
        targets: vec![none],
        ..Pipeline::new(town(&text), &[])
    };
    let draw = drawn(&mut plan, volume, Vec::new(), 0..108);
    draws.push(Draw {
        instances: 1..COUNT,
        ..draw
    });
    let mut added = Pipeline {
        depth: Some(lit),
        ..Pipeline::new(town(&format!("{CORNERS}{light}")), &[F::Rgba8Unorm])
    };
    added.targets[0].blend = Some(BlendState {
        color: BlendComponent {
            src_factor: BlendFactor::One,
            dst_factor: BlendFactor::One,
            operation: BlendOperation::Add,
        },
        alpha: BlendComponent::REPLACE,
    });
    draws.push(instances(drawn(&mut plan, added, Vec::new(), 0..36), COUNT));
    plan.pass(vec![Target::cleared(0)], Some(depth), draws);
    plan
}

/// Depths from the sun in three layers, each of a larger part of the town, and nine comparisons in the layer that a pixel's
/// distance asks for.
fn cascades() -> Plan {
    let light = "
        fn shone(p: vec3f, layer: u32) -> vec3f {
            let side = normalize(cross(SUN, vec3f(0.0, 0.0, 1.0)));
            let q = p - vec3f(0.0, 0.0, array<f32, 3>(-0.8, 1.2, 5.0)[layer]);
            let size = array<f32, 3>(1.6, 3.2, 9.0)[layer];
            return vec3f(dot(q, side) / size, dot(q, cross(SUN, side)) / size, 0.5 - dot(q, SUN) / 24.0);
        }";
    let map = format!(
        "{light}
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> @builtin(position) vec4f {{
            return vec4f(shone(block(n, i % {COUNT}u).p, i / {COUNT}u), 1.0);
        }}"
    );
    let lit = format!(
        "{light}
        @group(0) @binding(0) var maps: texture_depth_2d_array;
        @group(0) @binding(1) var s: sampler_comparison;
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let z = seen(v.p).z;
            let layer = select(select(0u, 1u, z > 4.2), 2u, z > 6.5);
            let q = shone(v.p + v.n * 0.03, layer);
            let uv = q.xy * vec2f(0.5, -0.5) + 0.5;
            var sum = 0.0;
            for (var y = -1; y <= 1; y++) {{
                for (var x = -1; x <= 1; x++) {{
                    sum += textureSampleCompareLevel(maps, s, uv + vec2f(f32(x), f32(y)) / 512.0, layer, q.z - 0.002);
                }}
            }}
            let direct = max(dot(v.n, SUN), 0.0) * sum / 9.0;
            let hue = mix(vec3f(1.0), vec3f(vec3u(layer) == vec3u(0u, 1u, 2u)), 0.15);
            return vec4f(tint(v.i) * hue * (0.25 + 0.8 * direct), 1.0);
        }}"
    );
    let mut plan = empty("frame/cascades of shadows");
    let maps = plan.texture(Texture {
        contents: Contents::Drawn,
        ..noise_texture(F::Depth32Float, D::D2Array, [SIZE, SIZE, 3], 1)
    });
    let pipeline = Pipeline {
        fragment: false,
        depth: nearer(),
        ..Pipeline::new(town(&map), &[])
    };
    let draw = drawn(&mut plan, pipeline, Vec::new(), 0..36);
    for layer in 0..3 {
        let first = layer as u32 * COUNT;
        let instances = first..first + COUNT;
        plan.steps.push(Step::Pass(Pass {
            depth: Some([maps, layer]),
            draws: vec![Draw {
                instances,
                ..draw.clone()
            }],
            ..Pass::default()
        }));
    }
    let compared = Sampling {
        compare: Some(CompareFunction::LessEqual),
        ..Sampling::LINEAR.clamped()
    };
    let resources = vec![
        Resource::Texture(maps, TextureSampleType::Depth),
        Resource::Sampler(compared),
    ];
    drawn_town(&mut plan, &[0], &lit, resources);
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![mirrors(), corners(), volumes(), cascades()]
}
