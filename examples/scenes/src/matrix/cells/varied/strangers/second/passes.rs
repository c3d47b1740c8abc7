//! Frames of several passes over boxes: records of four formats, decals, layers that are peeled, shadows around a lamp, and a
//! floor that mirrors.

use super::*;

/// Boxes of instances in perspective.
pub(super) const BOXES: &str = "
struct Corner { p: vec3f, n: vec3f };
fn cube(n: u32) -> Corner {
    let side = select(-1.0, 1.0, n >= 18u);
    var c = Corner(vec3f(corner(n % 6u) * 2.0 - 1.0, side), vec3f(0.0, 0.0, side));
    for (var k = n / 6u % 3u; k > 0u; k--) { c = Corner(c.p.yzx, c.n.yzx); }
    return c;
}
fn unit(n: u32) -> vec3f {
    let h = mixed(n);
    return vec3f(f32(h & 1023u), f32(h >> 10u & 1023u), f32(h >> 20u & 1023u)) / 1023.0;
}
fn placed(n: u32, i: u32) -> Corner {
    let c = cube(n);
    let o = unit(i);
    let size = 0.12 + 0.25 * unit(i + 999u) + select(0.0, 0.2, i >= 200u);
    let a = o.x * 6.0;
    let turn = mat3x3f(cos(a), 0.0, sin(a), 0.0, 1.0, 0.0, -sin(a), 0.0, cos(a));
    return Corner(turn * (c.p * size) + vec3f(o.x * 5.0 - 2.5, o.y * 4.0 - 2.0, 2.5 + o.z * 5.0), turn * c.n);
}
fn seen(p: vec3f) -> vec4f { return vec4f(p.xy * 1.6, (p.z - 0.5) * (12.0 / 11.5), p.z); }
fn behind(at: vec2f, z: f32) -> vec3f {
    let w = 0.5 / (1.0 - z * 11.5 / 12.0);
    return vec3f((at / 256.0 - 1.0) * vec2f(1.0, -1.0) / 1.6 * w, w);
}
fn tint(i: u32) -> vec3f { return 0.35 + 0.6 * unit(i * 7u + 3u); }
";

fn boxes(text: impl AsRef<str>) -> String {
    format!("{MIXED}{CORNER}{BOXES}{}", text.as_ref())
}

/// Boxes with their tints, and a light from the side.
pub(super) const LIT: &str = "
struct V { @builtin(position) at: vec4f, @location(0) n: vec3f, @location(1) p: vec3f, @location(2) @interpolate(flat) i: u32 };
@vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
    let c = placed(n, i);
    return V(seen(c.p), c.n, c.p, i);
}
";

const LIGHT: &str = "
@fragment fn fs(v: V) -> @location(0) vec4f {
    let light = max(dot(normalize(v.n), normalize(vec3f(0.4, 0.7, -0.6))), 0.0);
    return vec4f(tint(v.i) * (0.25 + 0.75 * light), 1.0);
}";

fn depths_of(plan: &mut Plan) -> usize {
    plan.target(F::Depth32Float, [SIZE, SIZE], 1)
}

/// Boxes go to colours, normals, halves and numbers; each pixel takes them apart for 24 lamps, and edges between numbers are
/// dark.
fn records() -> Plan {
    let formats = [F::Rgba8Unorm, F::Rgb10a2Unorm, F::Rg16Float, F::R32Uint];
    let filled = boxes(format!(
        "{LIT}
        struct O {{ @location(0) c: vec4f, @location(1) n: vec4f, @location(2) h: vec2f, @location(3) id: u32 }};
        @fragment fn fs(v: V) -> O {{
            let check = f32((i32(floor(v.p.x * 8.0)) + i32(floor(v.p.y * 8.0)) + i32(floor(v.p.z * 8.0))) & 1);
            return O(vec4f(tint(v.i), 0.3 + 0.5 * check), vec4f(v.n * 0.5 + 0.5, 1.0), vec2f(v.p.z, 8.0 + f32(v.i & 31u)), v.i + 1u);
        }}"
    ));
    let light = format!(
        "{MIXED}{CORNER}{BOXES}
        @group(0) @binding(0) var colors: texture_2d<f32>;
        @group(0) @binding(1) var normals: texture_2d<f32>;
        @group(0) @binding(2) var halves: texture_2d<f32>;
        @group(0) @binding(3) var ids: texture_2d<u32>;
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let at = vec2i(v.at.xy);
            let id = textureLoad(ids, at, 0).r;
            if id == 0u {{ return vec4f(0.05, 0.05, 0.1, 1.0); }}
            let next = vec2u(textureLoad(ids, min(at + vec2i(1, 0), vec2i(511)), 0).r, textureLoad(ids, min(at + vec2i(0, 1), vec2i(511)), 0).r);
            if any(next != vec2u(id)) {{ return vec4f(0.0, 0.0, 0.0, 1.0); }}
            let color = textureLoad(colors, at, 0);
            let n = normalize(textureLoad(normals, at, 0).xyz * 2.0 - 1.0);
            let half = textureLoad(halves, at, 0).xy;
            let p = vec3f((v.at.xy / 256.0 - 1.0) * vec2f(1.0, -1.0) / 1.6, 1.0) * half.x;
            var c = color.rgb * 0.1;
            for (var i = 0u; i < 24u; i++) {{
                let way = unit(i * 31u) * vec3f(6.0, 5.0, 7.0) - vec3f(3.0, 2.5, -1.0) - p;
                let square = dot(way, way);
                if square > 4.0 {{ continue; }}
                let l = way * inverseSqrt(square);
                let h = normalize(l - normalize(p));
                let fall = (1.0 - square / 4.0) * (1.0 - square / 4.0);
                c += fall * tint(i * 5u) * (color.rgb * max(dot(n, l), 0.0) + color.a * pow(max(dot(n, h), 0.0), half.y));
            }}
            return vec4f(sqrt(c * 4.0 / (1.0 + c * 4.0)), 1.0);
        }}"
    );
    let mut plan = empty("frame/records of four formats");
    let depth = depths_of(&mut plan);
    let images = formats.map(|format| plan.target(format, [SIZE, SIZE], 1));
    let pipeline = Pipeline {
        depth: nearer(),
        ..Pipeline::new(filled, &formats)
    };
    let draw = drawn(&mut plan, pipeline, Vec::new(), 0..36);
    let targets = images.map(|image| Target {
        clear: Some([0.0; 4]),
        ..Target::cleared(image)
    });
    plan.pass(targets.into(), Some(depth), vec![instances(draw, 200)]);
    let kinds = [FILTERED, FILTERED, FILTERED, TextureSampleType::Uint];
    let resources = std::iter::zip(images, kinds).map(|(n, kind)| Resource::Texture(n, kind));
    cover(&mut plan, 0, &light, resources.collect());
    plan
}

/// Stains in 120 boxes that are drawn from behind, where what lies there by its depth is inside.
fn decals() -> Plan {
    let stain = boxes(
        "@group(0) @binding(0) var t: texture_depth_2d;
        struct V { @builtin(position) at: vec4f, @location(0) @interpolate(flat) i: u32 };
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
            return V(seen(placed(n, i + 200u).p), i);
        }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let p = behind(v.at.xy, textureLoad(t, vec2i(v.at.xy), 0));
            let i = v.i + 200u;
            let o = unit(i);
            let a = o.x * 6.0;
            let turn = mat3x3f(cos(a), 0.0, sin(a), 0.0, 1.0, 0.0, -sin(a), 0.0, cos(a));
            let q = transpose(turn) * (p - vec3f(o.x * 5.0 - 2.5, o.y * 4.0 - 2.0, 2.5 + o.z * 5.0)) / (0.32 + 0.25 * unit(i + 999u));
            if any(abs(q) > vec3f(1.0)) { discard; }
            let rings = sin(length(q.xy) * 14.0) * 0.5 + 0.5;
            return vec4f(1.0 - tint(i), rings * (1.0 - smoothstep(0.6, 1.0, max(abs(q.x), abs(q.y)))));
        }",
    );
    let mut plan = empty("frame/decals on depths");
    let depth = depths_of(&mut plan);
    let pipeline = Pipeline {
        depth: nearer(),
        ..Pipeline::new(boxes(format!("{LIT}{LIGHT}")), &[F::Rgba8Unorm])
    };
    let draw = drawn(&mut plan, pipeline, Vec::new(), 0..36);
    plan.pass(
        vec![Target::cleared(0)],
        Some(depth),
        vec![instances(draw, 200)],
    );
    let mut pipeline = Pipeline {
        cull: Some(Face::Front),
        ..Pipeline::new(stain, &[F::Rgba8Unorm])
    };
    pipeline.targets[0].blend = Some(BlendState::ALPHA_BLENDING);
    let depths = vec![Resource::Texture(depth, TextureSampleType::Depth)];
    let draw = drawn(&mut plan, pipeline, depths, 0..36);
    let target = Target {
        clear: None,
        ..Target::cleared(0)
    };
    plan.pass(vec![target], None, vec![instances(draw, 120)]);
    plan
}

/// Boxes of glass in four passes, each of what lies behind the last one's depths, then all over each other.
fn peeled() -> Plan {
    const PASSES: usize = 4;
    let text = |first: bool| {
        let tested = "if v.at.z <= textureLoad(t, vec2i(v.at.xy), 0) { discard; }";
        boxes(format!(
            "{LIT}
            @group(0) @binding(0) var t: texture_depth_2d;
            @fragment fn fs(v: V) -> @location(0) vec4f {{
                {}
                let facing = abs(dot(normalize(v.n), normalize(v.p)));
                return vec4f(tint(v.i) * (0.4 + 0.6 * facing), 0.75 - 0.4 * facing);
            }}",
            if first { "" } else { tested }
        ))
    };
    let mut plan = empty("frame/layers peeled");
    let mut layers = Vec::new();
    let mut before: Option<usize> = None;
    for _ in 0..PASSES {
        let depth = depths_of(&mut plan);
        let image = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 1);
        let resources = before.map(|n| Resource::Texture(n, TextureSampleType::Depth));
        let pipeline = Pipeline {
            depth: nearer(),
            ..Pipeline::new(text(before.is_none()), &[F::Rgba8Unorm])
        };
        let draw = drawn(&mut plan, pipeline, resources.into_iter().collect(), 0..36);
        let target = Target {
            clear: Some([0.0; 4]),
            ..Target::cleared(image)
        };
        plan.pass(vec![target], Some(depth), vec![instances(draw, 80)]);
        before = Some(depth);
        layers.push(image);
    }
    let declared: String = (0..PASSES)
        .map(|n| format!("@group(0) @binding({n}) var t{n}: texture_2d<f32>;\n"))
        .collect();
    let over: String = (0..PASSES)
        .rev()
        .map(|n| format!("c = over(c, textureLoad(t{n}, at, 0));\n"))
        .collect();
    let text = format!(
        "{declared}
        fn over(c: vec3f, e: vec4f) -> vec3f {{ return mix(c, e.rgb, e.a); }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let at = vec2i(v.at.xy);
            var c = vec3f(0.9);
            {over}
            return vec4f(c, 1.0);
        }}"
    );
    let resources = layers.into_iter().map(|n| Resource::Texture(n, FILTERED));
    cover(&mut plan, 0, &text, resources.collect());
    plan
}

/// Depths around a lamp in six faces, then boxes that the lamp sees or not.
fn lamp() -> Plan {
    const BOXES: u32 = 160;
    let around = boxes(format!(
        "@vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) k: u32) -> @builtin(position) vec4f {{
            let d = placed(n, k % {BOXES}u).p - vec3f(0.2, 0.1, 4.5);
            var q = d;
            switch k / {BOXES}u {{
                case 0u: {{ q = vec3f(-d.z, d.y, d.x); }}
                case 1u: {{ q = vec3f(d.z, d.y, -d.x); }}
                case 2u: {{ q = vec3f(d.x, -d.z, d.y); }}
                case 3u: {{ q = vec3f(d.x, d.z, -d.y); }}
                case 4u: {{ q = d; }}
                default: {{ q = vec3f(-d.x, d.y, -d.z); }}
            }}
            return vec4f(q.xy, (q.z - 0.2) * (10.0 / 9.8), q.z);
        }}"
    ));
    let lit = boxes(format!(
        "{LIT}
        @group(0) @binding(0) var t: texture_depth_cube;
        @group(0) @binding(1) var s: sampler_comparison;
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let d = v.p - vec3f(0.2, 0.1, 4.5);
            let away = max(max(abs(d.x), abs(d.y)), abs(d.z)) - 0.03;
            let z = (away - 0.2) * (10.0 / 9.8) / away;
            var seen = 0.0;
            for (var i = 0u; i < 4u; i++) {{
                seen += textureSampleCompareLevel(t, s, d + (unit(i + 50u) - 0.5) * 0.06, z) / 4.0;
            }}
            let lit = max(dot(normalize(v.n), -normalize(d)), 0.0) * seen * 4.0 / (1.0 + dot(d, d));
            return vec4f(tint(v.i) * (0.15 + lit), 1.0);
        }}"
    ));
    let mut plan = empty("frame/shadows around a lamp");
    let depth = depths_of(&mut plan);
    let faces = plan.texture(Texture {
        contents: Contents::Drawn,
        ..noise_texture(F::Depth32Float, D::Cube, [256, 256, 6], 1)
    });
    let pipeline = Pipeline {
        fragment: false,
        depth: nearer(),
        ..Pipeline::new(around, &[])
    };
    let draw = drawn(&mut plan, pipeline, Vec::new(), 0..36);
    for face in 0..6 {
        let first = face * BOXES;
        let instances = first..first + BOXES;
        plan.steps.push(Step::Pass(Pass {
            depth: Some([faces, face as usize]),
            draws: vec![Draw {
                instances,
                ..draw.clone()
            }],
            ..Pass::default()
        }));
    }
    let compared = Sampling {
        compare: Some(CompareFunction::Less),
        ..Sampling::LINEAR.clamped()
    };
    let resources = vec![
        Resource::Texture(faces, TextureSampleType::Depth),
        Resource::Sampler(compared),
    ];
    let pipeline = Pipeline {
        depth: nearer(),
        ..Pipeline::new(lit, &[F::Rgba8Unorm])
    };
    let draw = drawn(&mut plan, pipeline, resources, 0..36);
    plan.pass(
        vec![Target::cleared(0)],
        Some(depth),
        vec![instances(draw, BOXES)],
    );
    plan
}

/// Boxes over a floor, the floor in the stencil, boxes upside down where it is, and the floor over them.
fn mirrored() -> Plan {
    let scene = |flipped: &str| {
        boxes(format!(
            "struct V {{ @builtin(position) at: vec4f, @location(0) n: vec3f, @location(1) p: vec3f, @location(2) @interpolate(flat) i: u32 }};
            @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
                var c = placed(n, i);
                c.p.y = c.p.y * 0.4 + 0.3;
                {flipped}
                return V(seen(c.p), c.n, c.p, i);
            }}
            {LIGHT}"
        ))
    };
    let floor = boxes(
        "struct V { @builtin(position) at: vec4f, @location(0) p: vec2f };
        @vertex fn vs(@builtin(vertex_index) n: u32) -> V {
            let p = vec2f(corner(n).x * 8.0 - 4.0, 1.0 + corner(n).y * 8.0);
            return V(seen(vec3f(p.x, -0.7, p.y)), p);
        }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let check = (i32(floor(v.p.x * 2.0)) + i32(floor(v.p.y * 2.0))) & 1;
            return vec4f(vec3f(0.2 + 0.5 * f32(check)), 0.45);
        }",
    );
    let pipeline = |text, depth, (compare, pass_op), writes| {
        let face = StencilFaceState {
            compare,
            pass_op,
            ..StencilFaceState::IGNORE
        };
        let mut state = depth_state(F::Depth24PlusStencil8, depth, writes);
        state.stencil = both_faces(face);
        Pipeline {
            depth: Some(state),
            ..Pipeline::new(text, &[F::Rgba8Unorm])
        }
    };
    let always = (CompareFunction::Always, StencilOperation::Keep);
    let marked = (CompareFunction::Always, StencilOperation::Replace);
    let inside = (CompareFunction::Equal, StencilOperation::Keep);
    let upside = "c.p.y = -1.4 - c.p.y;
                c.n.y = -c.n.y;";
    let nearer = CompareFunction::Less;
    let mut mark = pipeline(floor.clone(), nearer, marked, false);
    mark.targets[0].write_mask = ColorWrites::empty();
    let mut over = pipeline(floor, CompareFunction::Always, inside, false);
    over.targets[0].blend = Some(BlendState::ALPHA_BLENDING);
    let mut plan = empty("frame/mirror in the stencil");
    let depth = plan.target(F::Depth24PlusStencil8, [SIZE, SIZE], 1);
    let draws = [
        (pipeline(scene(""), nearer, always, true), 36, 120),
        (mark, 6, 1),
        (pipeline(scene(upside), nearer, inside, true), 36, 120),
        (over, 6, 1),
    ];
    let draws = draws.map(|(pipeline, vertices, count)| {
        let draw = drawn(&mut plan, pipeline, Vec::new(), 0..vertices);
        Draw {
            stencil: 1,
            ..instances(draw, count)
        }
    });
    plan.pass(vec![Target::cleared(0)], Some(depth), draws.to_vec());
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![records(), decals(), peeled(), lamp(), mirrored()]
}
