//! Eight targets, outlines in the stencil, and sparks that add.

use super::*;

fn added() -> Option<BlendState> {
    let added = BlendComponent {
        src_factor: BlendFactor::One,
        dst_factor: BlendFactor::One,
        operation: BlendOperation::Add,
    };
    Some(BlendState {
        color: added,
        alpha: added,
    })
}

/// Four layers that go over what eight targets of six formats hold.
fn eight() -> Plan {
    let formats = [
        F::Rgba8Unorm,
        F::Rgba16Float,
        F::Rg16Float,
        F::R16Float,
        F::Rg8Unorm,
        F::R8Unorm,
        F::R8Unorm,
        F::Rg16Float,
    ];
    let members: String = (0..8)
        .map(|n| format!("@location({n}) c{n}: vec4f,"))
        .collect();
    let values: String = (0..8)
        .map(|n| format!("vec4f(v.uv, {:?}, 0.4),", f64::from(n) / 8.0))
        .collect();
    let text = format!(
        "{SCREEN} struct O {{ {members} }}; @fragment fn fs(v: V) -> O {{ return O({values}); }}"
    );
    let mut pipeline = Pipeline::new(text, &formats);
    for target in &mut pipeline.targets {
        target.blend = Some(BlendState::ALPHA_BLENDING);
    }
    covering(
        "target/eight formats".to_owned(),
        pipeline,
        layers(4),
        [0.0; 4],
    )
}

/// Disks, and around each what of a larger one its number is not in the stencil of.
fn outlines() -> Plan {
    let text = |grown: f32, color: &str| {
        format!(
            "{MIXED}
            struct V {{ @builtin(position) at: vec4f, @location(0) @interpolate(flat) h: u32 }};
            @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
                let h = mixed(i);
                let a = f32(n / 3u + n % 3u) * 6.2832 / 32.0;
                let r = select(0.1 + f32(h & 31u) * 0.005 + {grown:?}, 0.0, n % 3u == 2u);
                let o = vec2f(f32(h >> 6u & 1023u), f32(h >> 16u & 1023u)) / 511.5 - 1.0;
                return V(vec4f(o + vec2f(cos(a), sin(a)) * r, 0.5, 1.0), h);
            }}
            @fragment fn fs(v: V) -> @location(0) vec4f {{ return {color}; }}"
        )
    };
    let stencil = |compare, pass_op| {
        let face = StencilFaceState {
            compare,
            pass_op,
            ..StencilFaceState::IGNORE
        };
        let mut state = depth_state(F::Depth24PlusStencil8, CompareFunction::Always, false);
        state.stencil = both_faces(face);
        Some(state)
    };
    let mut plan = empty("target/outlines in the stencil");
    let depth = plan.target(F::Depth24PlusStencil8, [SIZE, SIZE], 1);
    plan.pipeline(Pipeline {
        depth: stencil(CompareFunction::Always, StencilOperation::Replace),
        ..Pipeline::new(text(0.0, "unpack4x8unorm(v.h)"), &[F::Rgba8Unorm])
    });
    plan.pipeline(Pipeline {
        depth: stencil(CompareFunction::NotEqual, StencilOperation::Keep),
        ..Pipeline::new(text(0.02, "vec4f(1.0, 0.8, 0.1, 1.0)"), &[F::Rgba8Unorm])
    });
    let draws = (0..200).map(|n| Draw {
        instances: n / 2..n / 2 + 1,
        stencil: 1 + n / 2,
        ..Draw::new(n as usize % 2, 0..96)
    });
    plan.pass(vec![Target::cleared(0)], Some(depth), draws.collect());
    plan
}

/// Large sprites of halves that add to each other, behind squares of a first draw, then toned to bytes.
fn sparks(samples: u32) -> Plan {
    let text = |edge: f32, z: &str, fragment: &str| {
        format!(
            "{MIXED}{CORNER}
            struct V {{ @builtin(position) at: vec4f, @location(0) uv: vec2f, @location(1) c: vec3f }};
            @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
                let h = mixed(i * 3u + {samples}u);
                let o = vec2f(f32(h & 1023u), f32(h >> 10u & 1023u)) / 511.5 - 1.0;
                return V(vec4f(o + (corner(n) - 0.5) * {edge:?}, {z}, 1.0), corner(n) * 2.0 - 1.0, unpack4x8unorm(h).rgb);
            }}
            @fragment fn fs(v: V) -> @location(0) vec4f {{ {fragment} }}"
        )
    };
    let solid = text(0.15, "0.5", "return vec4f(v.c * 0.4, 1.0);");
    let spark = text(
        0.5,
        "f32(h >> 24u) / 255.0",
        "let e = max(1.0 - length(v.uv), 0.0); return vec4f(v.c * e * e * 0.3, 0.0);",
    );
    let format = F::Rgba16Float;
    let depth = |writes| Some(depth_state(F::Depth32Float, CompareFunction::Less, writes));
    let solid = Pipeline {
        samples,
        depth: depth(true),
        ..Pipeline::new(solid, &[format])
    };
    let mut spark = Pipeline {
        samples,
        depth: depth(false),
        ..Pipeline::new(spark, &[format])
    };
    spark.targets[0].blend = added();
    let draw = |pipeline, count| Draw {
        instances: 0..count,
        ..Draw::new(pipeline, 0..6)
    };
    let label = format!("target/sparks/{samples} samples");
    let mut plan = covering(label, solid, draw(0, 60), [0.0; 4]);
    plan.pipeline(spark);
    if let Some(Step::Pass(pass)) = plan.steps.last_mut() {
        pass.draws.push(draw(1, 150));
    }
    let toned = format!(
        "{SCREEN}
        @group(0) @binding(0) var t: texture_2d<f32>;
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let c = textureLoad(t, vec2i(v.at.xy), 0).rgb;
            return vec4f(sqrt(c / (1.0 + c)), 1.0);
        }}"
    );
    let set = Some(plan.set(vec![Resource::Texture(plan.picture, FILTERED)]));
    plan.pipeline(Pipeline {
        set,
        ..Pipeline::new(toned, &[F::Rgba8Unorm])
    });
    plan.picture = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 1);
    let draw = Draw {
        set,
        pipeline: 2,
        ..layers(1)
    };
    plan.pass(vec![Target::cleared(plan.picture)], None, vec![draw]);
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![eight(), outlines(), sparks(1), sparks(4)]
}
