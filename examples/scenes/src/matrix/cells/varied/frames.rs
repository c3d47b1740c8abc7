//! Frames of several steps: particles that a dispatch moves, smoke before depths, water over a grid, shapes that mix, shadows,
//! fields that passes and dispatches relax, transforms, chains of levels, and rays.

use TextureViewDimension as D;
use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::*;

/// 64K particles that a dispatch moves, each drawn as a small square that adds.
fn particles() -> Plan {
    const COUNT: u32 = 1 << 16;
    let mut plan = Plan::new("frame/particles");
    plan.picture = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 1);
    let bytes = fractions(3, 4 * COUNT);
    let buffer = plan.buffer(BufferUsages::STORAGE, bytes);
    let compute = plan.compute(
        "@group(0) @binding(0) var<storage, read_write> p: array<vec4f>;
        @compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
            var q = p[g.x];
            let d = vec2f(0.5) - q.xy;
            q = vec4f(q.xy + q.zw * 0.01, q.zw * 0.99 + d * 0.02 / (dot(d, d) + 0.1));
            if any(q.xy < vec2f()) || any(q.xy > vec2f(1.0)) { q = vec4f(fract(q.xy), -q.zw); }
            p[g.x] = q;
        }",
        vec![Resource::Written(buffer)],
    );
    let set = plan.set(vec![Resource::Storage(buffer)]);
    let text = "@group(0) @binding(0) var<storage, read> p: array<vec4f>;
        struct V { @builtin(position) at: vec4f, @location(0) uv: vec2f, @location(1) speed: f32 };
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
            let corner = vec2f(f32(0x32u >> n & 1u), f32(0x2cu >> n & 1u)) * 2.0 - 1.0;
            let q = p[i];
            return V(vec4f(q.xy * 2.0 - 1.0 + corner * 0.008, 0.5, 1.0), corner, length(q.zw));
        }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let a = max(1.0 - dot(v.uv, v.uv), 0.0);
            return vec4f(vec3f(0.2, 0.1 + v.speed, 0.4) * a * 0.2, a);
        }";
    let mut pipeline = Pipeline {
        set: Some(set),
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    };
    let added = BlendComponent {
        src_factor: BlendFactor::One,
        dst_factor: BlendFactor::One,
        operation: BlendOperation::Add,
    };
    pipeline.targets[0].blend = Some(BlendState {
        color: added,
        alpha: added,
    });
    plan.pipeline(pipeline);
    let dispatch = plan.dispatch(compute, [COUNT / 64, 1, 1]);
    plan.steps.push(Step::Compute(vec![dispatch]));
    let draw = Draw {
        set: Some(set),
        instances: 0..COUNT,
        ..Draw::new(0, 0..6)
    };
    plan.pass(vec![Target::cleared(plan.picture)], None, vec![draw]);
    plan
}

/// Large sprites that fade where they come near to what was drawn before.
fn smoke() -> Plan {
    let mut plan = Plan::new("frame/smoke");
    plan.picture = plan.target(F::Rgba16Float, [SIZE, SIZE], 1);
    let depth = plan.target(F::Depth32Float, [SIZE, SIZE], 1);
    let puff = plan.texture(noise_texture(F::Rgba8Unorm, D::D2, [128, 128, 1], 8));
    let set = plan.set(vec![
        Resource::Texture(depth, TextureSampleType::Depth),
        Resource::Texture(puff, FILTERED),
        Resource::Sampler(Sampling::TRILINEAR.clamped()),
    ]);
    let ground = "@vertex fn vs(@builtin(vertex_index) n: u32) -> @builtin(position) vec4f {
            let corner = vec2f(f32(0x32u >> n % 6u & 1u), f32(0x2cu >> n % 6u & 1u));
            let o = vec2f(f32(n / 6u % 64u), f32(n / 384u)) + corner;
            return vec4f(o / 32.0 - 1.0, 0.5 + 0.4 * sin(o.x * 0.3) * cos(o.y * 0.2), 1.0);
        }";
    let sprites = format!(
        "{MIXED}
        @group(0) @binding(0) var d: texture_depth_2d;
        @group(0) @binding(1) var t: texture_2d<f32>;
        @group(0) @binding(2) var s: sampler;
        struct V {{ @builtin(position) at: vec4f, @location(0) uv: vec2f }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
            let corner = vec2f(f32(0x32u >> n & 1u), f32(0x2cu >> n & 1u));
            let h = mixed(i);
            let o = vec2f(f32(h & 1023u), f32(h >> 10u & 1023u)) / 511.5 - 1.25;
            let z = 0.9 - 0.004 * f32(i);
            return V(vec4f(o + corner * 0.5, z, 1.0), corner);
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let behind = textureLoad(d, vec2i(v.at.xy), 0);
            let c = textureSample(t, s, v.uv);
            let a = c.a * clamp((behind - v.at.z) * 8.0, 0.0, 1.0);
            return vec4f(c.rgb, a);
        }}"
    );
    plan.pipeline(Pipeline {
        fragment: false,
        depth: Some(depth_state(F::Depth32Float, CompareFunction::Less, true)),
        ..Pipeline::new(ground, &[])
    });
    let mut pipeline = Pipeline {
        set: Some(set),
        ..Pipeline::new(sprites, &[F::Rgba16Float])
    };
    pipeline.targets[0].blend = Some(BlendState::ALPHA_BLENDING);
    plan.pipeline(pipeline);
    plan.pass(Vec::new(), Some(depth), vec![Draw::new(0, 0..6 * 64 * 64)]);
    let draw = Draw {
        set: Some(set),
        instances: 0..200,
        ..Draw::new(1, 0..6)
    };
    plan.pass(vec![Target::cleared(plan.picture)], None, vec![draw]);
    plan
}

/// A grid whose heights come from a texture, with a mirror and what lies below.
fn water() -> Plan {
    let text = "
        @group(0) @binding(0) var heights: texture_2d<f32>;
        @group(0) @binding(1) var below: texture_2d<f32>;
        @group(0) @binding(2) var sky: texture_cube<f32>;
        @group(0) @binding(3) var s: sampler;
        struct V { @builtin(position) at: vec4f, @location(0) uv: vec2f, @location(1) n: vec3f, @location(2) view: vec3f };
        @vertex fn vs(@builtin(vertex_index) n: u32) -> V {
            let corner = vec2f(f32(0x32u >> n % 6u & 1u), f32(0x2cu >> n % 6u & 1u));
            let uv = (vec2f(f32(n / 6u % 128u), f32(n / 768u)) + corner) / 128.0;
            let e = vec2f(1.0 / 128.0, 0.0);
            let h = textureSampleLevel(heights, s, uv, 2.0).r;
            let x = textureSampleLevel(heights, s, uv + e.xy, 2.0).r - h;
            let y = textureSampleLevel(heights, s, uv + e.yx, 2.0).r - h;
            let w = 1.4 - uv.y;
            let at = vec4f((uv.x * 2.0 - 1.0) * 1.4, uv.y * 1.6 - 1.0 + h * 0.2, 0.5 * w, w);
            return V(at, uv, vec3f(-x, 0.1, -y), vec3f(uv.x - 0.5, 0.4, 1.0 - uv.y));
        }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let fine = textureSample(heights, s, v.uv * 9.0).xyz - 0.12;
            let n = normalize(v.n + fine * 0.2);
            let view = normalize(v.view);
            let fresnel = 0.02 + 0.98 * pow(1.0 - clamp(dot(n, view), 0.0, 1.0), 5.0);
            let mirrored = textureSample(sky, s, reflect(-view, n)).rgb;
            let through = textureSample(below, s, v.uv * 3.0 + n.xz * 0.05).rgb;
            return vec4f(mix(through * vec3f(0.3, 0.6, 0.7), mirrored, fresnel), 1.0);
        }";
    let mut plan = Plan::new("frame/water");
    plan.picture = plan.target(F::Rgba8UnormSrgb, [SIZE, SIZE], 1);
    let depth = plan.target(F::Depth24Plus, [SIZE, SIZE], 1);
    let heights = plan.texture(noise_texture(F::Rgba8Unorm, D::D2, [256, 256, 1], 9));
    let below = plan.texture(noise_texture(F::Rgba8UnormSrgb, D::D2, [256, 256, 1], 9));
    let sky = plan.texture(noise_texture(F::Rgba8UnormSrgb, D::Cube, [128, 128, 6], 8));
    let mut resources: Vec<Resource> = [heights, below, sky]
        .map(|image| Resource::Texture(image, FILTERED))
        .into();
    resources.push(Resource::Sampler(Sampling::TRILINEAR));
    let set = plan.set(resources);
    plan.pipeline(Pipeline {
        set: Some(set),
        depth: Some(depth_state(F::Depth24Plus, CompareFunction::Less, true)),
        ..Pipeline::new(text, &[F::Rgba8UnormSrgb])
    });
    let draw = Draw {
        set: Some(set),
        ..Draw::new(0, 0..6 * 128 * 128)
    };
    plan.pass(vec![Target::cleared(plan.picture)], Some(depth), vec![draw]);
    plan
}

/// Vertices that mix four shapes in storage by weights.
fn shapes() -> Plan {
    let text = "
        @group(0) @binding(0) var<storage, read> shapes: array<vec4f>;
        @group(0) @binding(1) var<uniform> weights: vec4f;
        struct V { @builtin(position) at: vec4f, @location(0) n: vec3f };
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
            var p = vec3f();
            var q = vec3f();
            for (var k = 0u; k < 4u; k++) {
                p += shapes[k * 8192u + n * 2u].xyz * weights[k];
                q += shapes[k * 8192u + n * 2u + 1u].xyz * weights[k];
            }
            let o = vec2f(f32(i % 4u), f32(i / 4u)) * 0.5 - 1.0;
            let grid = vec2f(f32(n / 3u % 36u), f32(n / 108u)) / 80.0;
            return V(vec4f(o + grid + p.xy * 0.05, p.z, 1.0), q - 0.5);
        }
        @fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(vec3f(max(normalize(v.n).z, 0.1)), 1.0); }";
    let mut plan = Plan::new("frame/mixed shapes");
    plan.picture = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 1);
    let depth = plan.target(F::Depth32Float, [SIZE, SIZE], 1);
    let buffer = plan.buffer(BufferUsages::STORAGE, fractions(5, 4 * 4 * 8192));
    let weights = [0.4f32, 0.3, 0.2, 0.1].map(f32::to_le_bytes).concat();
    let weights = plan.buffer(BufferUsages::UNIFORM, weights);
    let set = plan.set(vec![Resource::Storage(buffer), Resource::Uniform(weights)]);
    plan.pipeline(Pipeline {
        set: Some(set),
        depth: Some(depth_state(F::Depth32Float, CompareFunction::Less, true)),
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    });
    let draw = Draw {
        set: Some(set),
        instances: 0..16,
        ..Draw::new(0, 0..3888)
    };
    plan.pass(vec![Target::cleared(plan.picture)], Some(depth), vec![draw]);
    plan
}

/// A map of depths, drawn and then compared with in four places for every pixel.
fn shadows() -> Plan {
    let place = "
        fn place(n: u32, i: u32) -> vec3f {
            let corner = vec2f(f32(0x32u >> n % 6u & 1u), f32(0x2cu >> n % 6u & 1u));
            let o = vec2f(f32(i % 40u), f32(i / 40u)) + corner * 0.8;
            return vec3f(o / 20.0 - 1.0, 0.5 + 0.4 * sin(f32(i)));
        }";
    let drawn = format!(
        "{place}
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> @builtin(position) vec4f {{
            return vec4f(place(n, i), 1.0);
        }}"
    );
    let seen = format!(
        "{place}
        @group(0) @binding(0) var map: texture_depth_2d;
        @group(0) @binding(1) var s: sampler_comparison;
        struct V {{ @builtin(position) at: vec4f, @location(0) p: vec3f }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
            let p = place(n, i);
            return V(vec4f(p.yx, p.z, 1.0), vec3f(p.xy * 0.45 + 0.5, p.z - 0.1));
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            var l = 0.2;
            for (var y = 0; y < 2; y++) {{
                for (var x = 0; x < 2; x++) {{
                    let o = (vec2f(f32(x), f32(y)) - 0.5) / 1024.0;
                    l += 0.2 * textureSampleCompareLevel(map, s, v.p.xy + o, v.p.z);
                }}
            }}
            return vec4f(vec3f(l), 1.0);
        }}"
    );
    let mut plan = Plan::new("frame/shadows");
    plan.picture = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 1);
    let depth = plan.target(F::Depth32Float, [SIZE, SIZE], 1);
    let map = plan.target(F::Depth32Float, [1024, 1024], 1);
    let compared = Sampling {
        compare: Some(CompareFunction::Less),
        ..Sampling::LINEAR.clamped()
    };
    let set = plan.set(vec![
        Resource::Texture(map, TextureSampleType::Depth),
        Resource::Sampler(compared),
    ]);
    let state = || Some(depth_state(F::Depth32Float, CompareFunction::Less, true));
    plan.pipeline(Pipeline {
        fragment: false,
        depth: state(),
        ..Pipeline::new(drawn, &[])
    });
    plan.pipeline(Pipeline {
        set: Some(set),
        depth: state(),
        ..Pipeline::new(seen, &[F::Rgba8Unorm])
    });
    let draw = |pipeline, set| Draw {
        set,
        instances: 0..1600,
        ..Draw::new(pipeline, 0..6)
    };
    plan.pass(Vec::new(), Some(map), vec![draw(0, None)]);
    let draws = vec![draw(1, Some(set))];
    plan.pass(vec![Target::cleared(plan.picture)], Some(depth), draws);
    plan
}

/// Two fields that react, 16 passes of nine loads.
fn reaction() -> Plan {
    let text = format!(
        "{SCREEN}
        @group(0) @binding(0) var t: texture_2d<f32>;
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let at = vec2i(v.at.xy);
            var l = vec2f();
            for (var y = -1; y <= 1; y++) {{
                for (var x = -1; x <= 1; x++) {{
                    let w = select(select(0.2, 0.05, x * y != 0), -1.0, x == 0 && y == 0);
                    l += w * textureLoad(t, (at + vec2i(x, y)) & vec2i(255), 0).rg;
                }}
            }}
            let c = textureLoad(t, at, 0).rg;
            let r = c.x * c.y * c.y;
            return vec4f(c + vec2f(l.x - r + 0.04 * (1.0 - c.x), 0.5 * l.y + r - 0.1 * c.y), 0.0, 1.0);
        }}"
    );
    let mut plan = Plan::new("frame/reaction");
    let images = [0, 1].map(|_| plan.target(F::Rgba16Float, [256, 256], 1));
    plan.picture = images[0];
    let kind = TextureSampleType::Float { filterable: false };
    let sets = images.map(|image| plan.set(vec![Resource::Texture(image, kind)]));
    plan.pipeline(Pipeline {
        set: Some(sets[0]),
        ..Pipeline::new(text, &[F::Rgba16Float])
    });
    let start = Target {
        clear: Some([0.5, 0.25, 0.0, 1.0]),
        ..Target::cleared(images[1])
    };
    plan.pass(vec![start], None, Vec::new());
    for n in 0..16 {
        let draw = Draw {
            set: Some(sets[1 - n % 2]),
            ..layers(1)
        };
        plan.pass(vec![Target::cleared(images[n % 2])], None, vec![draw]);
    }
    plan
}

/// Dispatches one after the other over two images or buffers in turns.
fn relaxed() -> Plan {
    let text = "
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var o: texture_storage_2d<r32float, write>;
        @compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) g: vec3u) {
            let p = vec2i(g.xy);
            let m = vec2i(255);
            let sum = textureLoad(t, (p + vec2i(1, 0)) & m, 0).r + textureLoad(t, (p - vec2i(1, 0)) & m, 0).r
                + textureLoad(t, (p + vec2i(0, 1)) & m, 0).r + textureLoad(t, (p - vec2i(0, 1)) & m, 0).r;
            textureStore(o, p, vec4f((sum + f32((g.x ^ g.y) & 31u) * 0.01) * 0.25));
        }";
    let mut plan = Plan::new("frame/relaxed field");
    plan.picture = plan.target(F::Rgba8Unorm, [64, 64], 1);
    let images = [0, 1].map(|_| plan.texture(noise_texture(F::R32Float, D::D2, [256, 256, 1], 1)));
    let kind = TextureSampleType::Float { filterable: false };
    let computes = [0, 1].map(|n| {
        let resources = vec![
            Resource::Texture(images[n], kind),
            Resource::Stored(images[1 - n]),
        ];
        plan.compute(text, resources)
    });
    let dispatches = (0..20).map(|n| plan.dispatch(computes[n % 2], [32, 32, 1]));
    plan.steps = vec![Step::Compute(dispatches.collect())];
    plan.pass(vec![Target::cleared(plan.picture)], None, Vec::new());
    plan
}

/// Butterflies of a Fourier transform of 256 rows of 512 numbers, nine dispatches.
fn transformed() -> Plan {
    let mut plan = Plan::new("frame/transformed rows");
    plan.picture = plan.target(F::Rgba8Unorm, [64, 64], 1);
    let buffers = [0, 1].map(|_| plan.buffer(BufferUsages::STORAGE, fractions(7, 2 * 512 * 256)));
    let computes: Vec<usize> = (0..9u32)
        .map(|n| {
            let text = format!(
                "@group(0) @binding(0) var<storage, read> a: array<vec2f>;
                @group(0) @binding(1) var<storage, read_write> b: array<vec2f>;
                @compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {{
                    let row = g.y * 512u;
                    let k = g.x & {low}u;
                    let p = a[row + g.x];
                    let q = a[row + g.x + 256u];
                    let angle = -3.14159265 * f32(k) / f32({half});
                    let w = vec2f(cos(angle), sin(angle));
                    let r = vec2f(q.x * w.x - q.y * w.y, q.x * w.y + q.y * w.x);
                    let to = row + (g.x - k) * 2u + k;
                    b[to] = p + r;
                    b[to + {half}u] = p - r;
                }}",
                low = (1u32 << n) - 1,
                half = 1u32 << n
            );
            let (from, to) = (buffers[n as usize % 2], buffers[1 - n as usize % 2]);
            plan.compute(text, vec![Resource::Storage(from), Resource::Written(to)])
        })
        .collect();
    let dispatches = computes.iter().map(|&n| plan.dispatch(n, [4, 256, 1]));
    plan.steps = vec![Step::Compute(dispatches.collect())];
    plan.pass(vec![Target::cleared(plan.picture)], None, Vec::new());
    plan
}

/// Spheres that rays of a dispatch meet, with two bounces, into an image.
fn rays() -> Plan {
    let text = "
        @group(0) @binding(0) var o: texture_storage_2d<rgba8unorm, write>;
        @group(0) @binding(1) var<storage, read> spheres: array<vec4f>;
        @compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) g: vec3u) {
            var p = vec3f(0.5, 0.5, -2.0);
            var d = normalize(vec3f(vec2f(g.xy) / 512.0 - 0.5, 1.0));
            var light = vec3f(1.0);
            for (var bounce = 0; bounce < 3; bounce++) {
                var t = 1e9;
                var hit = vec4f();
                for (var i = 0u; i < 16u; i++) {
                    let s = spheres[i];
                    let c = s.xyz * 2.0 - 0.5 - p;
                    let b = dot(c, d);
                    let r = 0.1 + s.w * 0.2;
                    let e = b * b - dot(c, c) + r * r;
                    if e > 0.0 {
                        let near = b - sqrt(e);
                        if near > 0.001 && near < t { t = near; hit = vec4f(s.xyz * 2.0 - 0.5, s.w); }
                    }
                }
                if t > 1e8 { light *= mix(vec3f(1.0), vec3f(0.4, 0.6, 1.0), 0.5 + 0.5 * d.y); break; }
                p += d * t;
                let n = normalize(p - hit.xyz);
                light *= vec3f(0.9, 0.5 + 0.5 * hit.w, 0.7);
                d = reflect(d, n);
            }
            textureStore(o, g.xy, vec4f(light, 1.0));
        }";
    let mut plan = Plan::new("frame/rays");
    plan.picture = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 1);
    let spheres = plan.buffer(BufferUsages::STORAGE, fractions(9, 64));
    let resources = vec![Resource::Stored(plan.picture), Resource::Storage(spheres)];
    let compute = plan.compute(text, resources);
    let dispatch = plan.dispatch(compute, [SIZE / 8, SIZE / 8, 1]);
    plan.steps.push(Step::Compute(vec![dispatch]));
    plan
}

/// Halves of an image, one after the other, each by a dispatch that filters.
fn halves() -> Plan {
    let text = "
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @group(0) @binding(2) var o: texture_storage_2d<rgba8unorm, write>;
        @compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) g: vec3u) {
            let size = vec2f(textureDimensions(o));
            textureStore(o, g.xy, textureSampleLevel(t, s, (vec2f(g.xy) + 0.5) / size, 0.0));
        }";
    let mut plan = Plan::new("frame/halves by dispatches");
    let first = noise_texture(F::Rgba8Unorm, D::D2, [1024, 1024, 1], 1);
    let mut images = vec![plan.texture(first)];
    images.extend(
        (3..10)
            .rev()
            .map(|log| plan.target(F::Rgba8Unorm, [1 << log, 1 << log], 1)),
    );
    plan.picture = images[7];
    let mut dispatches = Vec::new();
    for (n, pair) in images.windows(2).enumerate() {
        let resources = vec![
            Resource::Texture(pair[0], FILTERED),
            Resource::Sampler(Sampling::LINEAR.clamped()),
            Resource::Stored(pair[1]),
        ];
        let compute = plan.compute(text, resources);
        let groups = 64 >> n;
        dispatches.push(plan.dispatch(compute, [groups, groups, 1]));
    }
    plan.steps.push(Step::Compute(dispatches));
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![
        particles(),
        smoke(),
        water(),
        shapes(),
        shadows(),
        reaction(),
        relaxed(),
        transformed(),
        rays(),
        halves(),
    ]
}
