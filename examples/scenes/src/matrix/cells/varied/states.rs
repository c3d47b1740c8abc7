//! States of draws and passes that programs use beside their shaders: scissors, updates, numbers of draws in memory, counted
//! samples, edges, stencils, equal depths, many targets, and images that fragments store.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::*;

/// So many squares of a grid, one a draw, each with a colour of its own from its first instance.
const SQUARES: &str = "
struct V { @builtin(position) at: vec4f, @location(0) c: vec3f };
@vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
    let corner = vec2f(f32(0x32u >> n & 1u), f32(0x2cu >> n & 1u));
    let o = (vec2f(f32(i % 32u), f32(i / 32u % 32u)) + corner * 1.5) / 16.0 - 1.0;
    return V(vec4f(o, f32(i % 7u) * 0.1, 1.0), vec3f(corner, f32(i % 5u) * 0.2));
}
@fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.c, 0.5); }
";

fn squares(count: u32) -> Vec<Draw> {
    let draw = |n| Draw {
        instances: n..n + 1,
        ..Draw::new(0, 0..6)
    };
    (0..count).map(draw).collect()
}

/// One pass of draws to a picture of bytes, and to depths that all pipelines test.
fn pass(label: &str, pipelines: Vec<Pipeline>, draws: Vec<Draw>) -> Plan {
    let mut plan = Plan::new(label);
    plan.picture = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 1);
    let depth = pipelines[0].depth.as_ref().map(|depth| depth.format);
    let depth = depth.map(|format| plan.target(format, [SIZE, SIZE], 1));
    for pipeline in pipelines {
        plan.pipeline(pipeline);
    }
    plan.pass(vec![Target::cleared(plan.picture)], depth, draws);
    plan
}

fn over(mut pipeline: Pipeline) -> Pipeline {
    for target in &mut pipeline.targets {
        target.blend = Some(BlendState::ALPHA_BLENDING);
    }
    pipeline
}

fn draws(cells: &mut Vec<Plan>) {
    let bytes = [F::Rgba8Unorm];
    let mut scissored = squares(1000);
    for (n, draw) in (0..).zip(&mut scissored) {
        draw.scissor = Some([n % 32 * 16, n / 32 * 16, 9 + n % 8, 15]);
    }
    let blended = over(Pipeline::new(SQUARES, &bytes));
    cells.push(pass("draw/1000 scissors", vec![blended.clone()], scissored));

    let draw = Draw {
        indirect: Some(0),
        ..Draw::new(0, 0..6)
    };
    let label = "draw/1000 with numbers in memory";
    let mut plan = pass(label, vec![blended], vec![draw; 1000]);
    let numbers = [6u32, 50, 0, 0].map(u32::to_le_bytes).concat();
    plan.buffer(BufferUsages::INDIRECT, numbers);
    cells.push(plan);

    let depth = Pipeline {
        depth: Some(depth_state(F::Depth32Float, CompareFunction::Less, true)),
        ..Pipeline::new(SQUARES, &bytes)
    };
    let mut plan = pass("draw/1000 counted", vec![depth], squares(1000));
    if let Some(Step::Pass(pass)) = plan.steps.last_mut() {
        pass.counted = true;
    }
    cells.push(plan);
}

/// Constants that the host writes between passes.
fn updates(cells: &mut Vec<Plan>) {
    let text = "
        @group(0) @binding(0) var<uniform> u: vec4f;
        @vertex fn vs(@builtin(vertex_index) n: u32) -> @builtin(position) vec4f {
            let corner = vec2f(f32(0x32u >> n & 1u), f32(0x2cu >> n & 1u));
            return vec4f(u.xy + corner * 0.25, 0.5, 1.0);
        }
        @fragment fn fs() -> @location(0) vec4f { return u; }";
    let mut plan = Plan::new("pass/128 updates");
    plan.picture = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 1);
    let buffer = plan.buffer(BufferUsages::UNIFORM | BufferUsages::COPY_DST, vec![0; 16]);
    let set = plan.set(vec![Resource::Uniform(buffer)]);
    plan.pipeline(Pipeline {
        set: Some(set),
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    });
    let draw = Draw {
        set: Some(set),
        ..Draw::new(0, 0..6)
    };
    for n in 0..128u32 {
        let numbers = [
            (n % 16) as f32 / 8.0 - 1.0,
            (n / 16) as f32 / 4.0 - 1.0,
            0.5,
            1.0,
        ];
        let bytes = numbers.map(f32::to_le_bytes).concat();
        plan.steps.push(Step::Update(buffer, bytes));
        let target = Target {
            clear: (n == 0).then_some([0.0; 4]),
            ..Target::cleared(plan.picture)
        };
        plan.pass(vec![target], None, vec![draw.clone()]);
    }
    cells.push(plan);
}

/// Edges of triangles of ten pixels and of hundreds.
fn edges(cells: &mut Vec<Plan>) {
    for (label, count) in [
        ("edges of small triangles", 100),
        ("edges of large triangles", 12),
    ] {
        let text = format!(
            "struct V {{ @builtin(position) at: vec4f, @location(0) c: vec3f }};
            @vertex fn vs(@builtin(vertex_index) n: u32) -> V {{
                let corner = vec2f(f32(0x32u >> n % 6u & 1u), f32(0x2cu >> n % 6u & 1u));
                let o = vec2f(f32(n / 6u % {count}u), f32(n / 6u / {count}u)) + corner;
                return V(vec4f(o * {:?} - 1.0, 0.5, 1.0), vec3f(corner, 0.5));
            }}
            @fragment fn fs(v: V) -> @location(0) vec4f {{ return vec4f(v.c, 1.0); }}",
            2.0 / count as f32
        );
        let pipeline = Pipeline {
            fill: PolygonMode::Line,
            ..Pipeline::new(text, &[F::Rgba8Unorm])
        };
        let draw = Draw::new(0, 0..6 * count * count);
        let label = format!("primitive/{label}");
        cells.push(pass(&label, vec![pipeline], vec![draw]));
    }
}

/// Layers that count in the stencil, then one where the counts are above 2; layers that return with equal depths; biased ones.
fn tests(cells: &mut Vec<Plan>) {
    let layer = "@fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.uv, 0.5, 0.5); }";
    let stencil = |compare, pass_op| {
        let face = StencilFaceState {
            compare,
            pass_op,
            fail_op: StencilOperation::Keep,
            depth_fail_op: StencilOperation::IncrementWrap,
        };
        let mut state = depth_state(F::Depth24PlusStencil8, CompareFunction::Less, false);
        state.stencil = StencilState {
            read_mask: 0x1f,
            ..both_faces(face)
        };
        state
    };
    let mut counting = Pipeline {
        depth: Some(stencil(
            CompareFunction::Always,
            StencilOperation::IncrementWrap,
        )),
        ..Pipeline::new(SQUARES, &[F::Rgba8Unorm])
    };
    counting.targets[0].write_mask = ColorWrites::empty();
    let above = Pipeline {
        depth: Some(stencil(CompareFunction::Less, StencilOperation::Zero)),
        ..Pipeline::new(format!("{SCREEN}{layer}"), &[F::Rgba8Unorm])
    };
    let many = |pipeline| Draw {
        instances: 0..8192,
        ..Draw::new(pipeline, 0..6)
    };
    let masked = Draw {
        stencil: 2,
        ..Draw::new(1, 0..3)
    };
    let label = "depth/counted in the stencil";
    cells.push(pass(label, vec![counting, above], vec![many(0), masked]));

    let mut prepass = Pipeline {
        depth: Some(depth_state(F::Depth32Float, CompareFunction::Less, true)),
        ..Pipeline::new(SQUARES, &[F::Rgba8Unorm])
    };
    prepass.targets[0].write_mask = ColorWrites::empty();
    let equal = Pipeline {
        depth: Some(depth_state(F::Depth32Float, CompareFunction::Equal, false)),
        ..Pipeline::new(SQUARES, &[F::Rgba8Unorm])
    };
    let label = "depth/equal after a first pass";
    cells.push(pass(label, vec![prepass, equal], vec![many(0), many(1)]));

    let mut biased = depth_state(F::Depth24Plus, CompareFunction::Less, true);
    biased.bias = DepthBiasState {
        constant: 2,
        slope_scale: 1.5,
        clamp: 0.0,
    };
    let biased = Pipeline {
        depth: Some(biased),
        ..Pipeline::new(SQUARES, &[F::Rgba8Unorm])
    };
    cells.push(pass("depth/biased", vec![biased], vec![many(0)]));
}

/// Several targets, each with its own blending, and images that fragments store.
fn targets(cells: &mut Vec<Plan>) {
    let text = format!(
        "{SCREEN}
        struct O {{ @location(0) sum: vec4f, @location(1) seen: f32 }};
        @fragment fn fs(v: V) -> O {{
            let w = clamp(0.03 / (0.00001 + v.at.z * v.at.z), 0.01, 3.0);
            return O(vec4f(v.uv * w, w, 0.3 * w), 0.3);
        }}"
    );
    let mut weighted = Pipeline::new(text, &[F::Rgba16Float, F::R8Unorm]);
    let component = |src_factor, dst_factor| BlendComponent {
        src_factor,
        dst_factor,
        operation: BlendOperation::Add,
    };
    let blends = [
        component(BlendFactor::One, BlendFactor::One),
        component(BlendFactor::Zero, BlendFactor::OneMinusSrc),
    ];
    for (target, blend) in weighted.targets.iter_mut().zip(blends) {
        target.blend = Some(BlendState {
            color: blend,
            alpha: blend,
        });
    }
    let label = "target/weighted transparency".to_owned();
    cells.push(covering(label, weighted, layers(8), [0.0, 0.0, 0.0, 1.0]));

    let members = (0..4).map(|n| format!("@location({n}) c{n}: vec4f,"));
    let members: String = members.collect();
    let values = (0..4).map(|n| format!("vec4f(v.uv, {:?}, 1.0),", n as f32 / 8.0));
    let values: String = values.collect();
    let text = format!(
        "{SCREEN}
        struct O {{ {members} }};
        @fragment fn fs(v: V) -> O {{ return O({values}); }}"
    );
    let four = Pipeline::new(text, &[F::Rgba8Unorm; 4]);
    cells.push(covering(
        "target/four".to_owned(),
        four,
        layers(4),
        [0.0; 4],
    ));

    for format in [F::Rgba8Unorm, F::R32Float] {
        let text = format!(
            "@group(0) @binding(0) var o: texture_storage_2d<{}, write>;
            @fragment fn fs(v: V) -> @location(0) vec4f {{
                textureStore(o, vec2i(v.at.yx), vec4f(v.uv, 0.5, 1.0));
                return vec4f(v.uv, 0.5, 1.0);
            }}",
            name(format)
        );
        let label = format!("fragment/stores of {}", name(format));
        let mut screen = Screen::new(label, &text, 1);
        let image = screen.plan.target(format, [SIZE, SIZE], 1);
        screen.plan.set(vec![Resource::Stored(image)]);
        cells.push(screen.plan());
    }
}

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = Vec::new();
    draws(&mut cells);
    updates(&mut cells);
    edges(&mut cells);
    tests(&mut cells);
    targets(&mut cells);
    cells
}
