//! Primitives of every size and number of attributes, vertices from buffers, storage and textures, and draws by number
//! and by what changes between them.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::SIZE;
use super::plan::{Contents, Draw, Pipeline, Plan, Resource, Target, Texture, VertexBuffer};

/// Attributes that a fragment shader reads: declarations, what a vertex shader gives, and their sum.
struct Attributes {
    members: String,
    values: String,
    sum: String,
}

impl Attributes {
    fn new(count: u32, value: &str) -> Attributes {
        let list = |each: &dyn Fn(u32) -> String, separator: &str| {
            (0..count)
                .map(each)
                .collect::<Vec<String>>()
                .join(separator)
        };
        Attributes {
            members: list(&|n| format!("@location({n}) a{n}: vec4f"), ", "),
            values: list(&|n| format!("{value} * {n}.5"), ", "),
            sum: list(&|n| format!("v.a{n}"), " + "),
        }
    }

    /// Both stages; `place` gives `xy` from -1 to 1 of vertex `n`.
    fn shader(&self, inputs: &str, place: &str) -> String {
        let Attributes {
            members,
            values,
            sum,
        } = self;
        format!(
            "struct V {{ @builtin(position) at: vec4f, {members} }};
            @vertex fn vs({inputs}) -> V {{ {place} return V(vec4f(xy, 0.5, 1.0), {values}); }}
            @fragment fn fs(v: V) -> @location(0) vec4f {{ return fract(({sum}) * 0.1); }}"
        )
    }
}

/// Corner `n` of a grid of squares, two triangles each, over the whole picture.
fn grid(across: u32) -> String {
    format!(
        "let xy = (vec2f(f32(n / 6u % {across}u), f32(n / 6u / {across}u))
            + vec2f(f32(0x32u >> (n % 6u) & 1u), f32(0x2cu >> (n % 6u) & 1u))) * {:?} - 1.0;",
        2.0 / across as f32
    )
}

/// A plan of one pipeline without bindings.
fn one(name: String, pipeline: Pipeline, draw: Draw) -> Plan {
    let mut plan = Plan::new(name);
    let samples = pipeline.samples;
    let image = plan.target(F::Rgba8Unorm, [SIZE, SIZE], samples);
    let resolve = (samples > 1).then(|| plan.target(F::Rgba8Unorm, [SIZE, SIZE], 1));
    plan.picture = resolve.unwrap_or(image);
    plan.pipeline(pipeline);
    let target = Target {
        resolve,
        ..Target::cleared(image)
    };
    plan.pass(vec![target], None, vec![draw]);
    plan
}

fn sizes(cells: &mut Vec<Plan>) {
    // Squares across, and pixels of their triangles.
    for (across, pixels) in [(362, "1"), (114, "10"), (36, "100"), (1, "131072")] {
        for count in [1, 4, 8] {
            for samples in [1, 4] {
                let text = Attributes::new(count, "xy.xyxy")
                    .shader("@builtin(vertex_index) n: u32", &grid(across));
                let mut pipeline = Pipeline::new(text, &[F::Rgba8Unorm]);
                pipeline.samples = samples;
                let draw = Draw {
                    instances: 0..4,
                    ..Draw::new(0, 0..6 * across * across)
                };
                let label = format!(
                    "primitive/triangles of {pixels} pixels/{count} attributes/{samples} samples"
                );
                cells.push(one(label, pipeline, draw));
            }
        }
    }
    for (label, topology, range, place) in [
        (
            "points",
            PrimitiveTopology::PointList,
            SIZE * SIZE,
            format!(
                "let xy = (vec2f(f32(n % {SIZE}u), f32(n / {SIZE}u)) + 0.5) * {:?} - 1.0;",
                2.0 / SIZE as f32
            ),
        ),
        (
            "lines",
            PrimitiveTopology::LineList,
            2 * SIZE,
            format!(
                "let xy = vec2f(f32(n % 2u) * 2.0, (f32(n / 2u) + 0.5) * {:?}) - 1.0;",
                2.0 / SIZE as f32
            ),
        ),
    ] {
        let text = Attributes::new(1, "xy.xyxy").shader("@builtin(vertex_index) n: u32", &place);
        let mut pipeline = Pipeline::new(text, &[F::Rgba8Unorm]);
        pipeline.topology = topology;
        cells.push(one(
            format!("primitive/{label}"),
            pipeline,
            Draw::new(0, 0..range),
        ));
    }
}

/// Vertices of a grid, read in several ways.
fn vertices(cells: &mut Vec<Plan>) {
    const ACROSS: u32 = 256;
    let corner = |n: u32| {
        let square = n / 6;
        let at = |bits: u32| (bits >> (n % 6) & 1) as f32;
        let x = (square % ACROSS) as f32 + at(0x32);
        let y = (square / ACROSS) as f32 + at(0x2c);
        [x, y].map(|c| c * 2.0 / ACROSS as f32 - 1.0)
    };
    let count = 6 * ACROSS * ACROSS;
    let packed = |floats: usize| -> Vec<u8> {
        let vertex = |n| {
            let [x, y] = corner(n);
            let values = [x, y, 0.25, 1.0];
            (0..floats).flat_map(move |i| values[i % 4].to_le_bytes())
        };
        (0..count).flat_map(vertex).collect()
    };
    for attributes in [1, 4, 8] {
        let mut plan = one(
            format!("vertex/buffer/{attributes} attributes"),
            Pipeline::new("", &[F::Rgba8Unorm]),
            Draw::new(0, 0..count),
        );
        let inputs: Vec<String> = (0..attributes)
            .map(|n| format!("@location({n}) i{n}: vec4f"))
            .collect();
        let sum: Vec<String> = (0..attributes).map(|n| format!("i{n}")).collect();
        let values = format!("({})", sum.join(" + "));
        let formats = vec![VertexFormat::Float32x4; attributes as usize];
        let pipeline = &mut plan.pipelines[0];
        pipeline.shader = Attributes::new(1, &values).shader(&inputs.join(", "), "let xy = i0.xy;");
        pipeline.buffers = vec![VertexBuffer::packed(VertexStepMode::Vertex, 0, &formats)];
        let buffer = plan.buffer(BufferUsages::VERTEX, packed(4 * attributes as usize));
        let draw = draw_of(&mut plan);
        draw.vertices = vec![buffer];
        cells.push(plan);
    }
    indexed(cells);
    let read = [
        (
            "storage",
            "@group(0) @binding(0) var<storage, read> d: array<vec4f>;",
            "let xy = d[n].xy;",
        ),
        (
            "texture",
            "@group(0) @binding(0) var t: texture_2d<f32>;",
            "let xy = textureLoad(t, vec2u(n % 1024u, n / 1024u), 0).xy;",
        ),
    ];
    for (label, binding, place) in read {
        let text = Attributes::new(1, "xy.xyxy").shader("@builtin(vertex_index) n: u32", place);
        let mut plan = one(
            format!("vertex/{label}"),
            Pipeline::new(format!("{binding}\n{text}"), &[F::Rgba8Unorm]),
            Draw::new(0, 0..count),
        );
        let resource = if label == "storage" {
            Resource::Storage(plan.buffer(BufferUsages::STORAGE, packed(4)))
        } else {
            let texture = plan.texture(Texture {
                format: F::Rgba32Float,
                view: TextureViewDimension::D2,
                size: [1024, count / 1024, 1],
                levels: 1,
                samples: 1,
                contents: Contents::Bytes(packed(4)),
            });
            Resource::Texture(texture, TextureSampleType::Float { filterable: false })
        };
        bind(&mut plan, resource);
        cells.push(plan);
    }
}

fn draw_of(plan: &mut Plan) -> &mut Draw {
    match &mut plan.steps[0] {
        super::plan::Step::Pass(pass) => &mut pass.draws[0],
        _ => unreachable!("a plan of one pass"),
    }
}

fn bind(plan: &mut Plan, resource: Resource) {
    let set = plan.set(vec![resource]);
    plan.pipelines[0].set = Some(set);
    draw_of(plan).set = Some(set);
}

/// A grid whose corners are shared.
fn indexed(cells: &mut Vec<Plan>) {
    const ACROSS: u32 = 256;
    let side = ACROSS + 1;
    let floats = (0..side * side)
        .flat_map(|n| [n % side, n / side].map(|c| c as f32 * 2.0 / ACROSS as f32 - 1.0));
    let positions = floats.flat_map(f32::to_le_bytes).collect();
    let square = |n: u32| {
        let first = n / ACROSS * side + n % ACROSS;
        [0, 1, side, side, 1, side + 1].map(|corner| first + corner)
    };
    let indices: Vec<u32> = (0..ACROSS * ACROSS).flat_map(square).collect();
    let text = Attributes::new(1, "xy.xyxy").shader("@location(0) place: vec2f", "let xy = place;");
    let mut pipeline = Pipeline::new(text, &[F::Rgba8Unorm]);
    pipeline.buffers = vec![VertexBuffer::packed(
        VertexStepMode::Vertex,
        0,
        &[VertexFormat::Float32x2],
    )];
    let mut plan = one(
        "vertex/indexed".to_owned(),
        pipeline,
        Draw::new(0, 0..indices.len() as u32),
    );
    let vertices = plan.buffer(BufferUsages::VERTEX, positions);
    let indices = plan.buffer(
        BufferUsages::INDEX,
        indices.iter().flat_map(|n| n.to_le_bytes()).collect(),
    );
    let draw = draw_of(&mut plan);
    (draw.vertices, draw.indices) = (vec![vertices], Some(indices));
    cells.push(plan);
}

/// Many draws of a square each.
fn draws(cells: &mut Vec<Plan>) {
    for (count, across) in [
        (1, 1),
        (16, 4),
        (256, 16),
        (1024, 32),
        (4096, 64),
        (10_000, 100),
    ] {
        for change in ["nothing", "offsets", "sets", "pipelines", "constants"] {
            cells.push(many(count, across, change));
        }
    }
}

fn many(count: u32, across: u32, change: &str) -> Plan {
    let color = match change {
        "constants" => "var<immediate> u: vec4f;",
        _ => "@group(0) @binding(0) var<uniform> u: vec4f;",
    };
    let text = format!(
        "{color}\n{}",
        Attributes::new(1, "(xy.xyxy + u)").shader("@builtin(vertex_index) n: u32", &grid(across))
    );
    let mut plan = Plan::new(format!("draw/{count} draws/{change} changed"));
    let image = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 1);
    plan.picture = image;
    let slot = |n: u32| -> Vec<u8> {
        let color = [n as f32, 1.0, 2.0, 3.0];
        color
            .iter()
            .flat_map(|c| c.to_le_bytes())
            .chain([0; 240])
            .collect()
    };
    let buffers: Vec<usize> = (0..2)
        .map(|n| {
            plan.buffer(
                BufferUsages::UNIFORM,
                (0..64).flat_map(|i| slot(n + i)).collect(),
            )
        })
        .collect();
    let mut pipeline = Pipeline::new(text, &[F::Rgba8Unorm]);
    if change == "constants" {
        pipeline.immediates = 16;
    } else {
        for &buffer in &buffers {
            plan.set(vec![match change {
                "offsets" => Resource::DynamicUniform(buffer, 16),
                _ => Resource::Uniform(buffer),
            }]);
        }
        pipeline.set = Some(0);
    }
    plan.pipeline(pipeline.clone());
    if change == "pipelines" {
        pipeline.targets[0].blend = Some(BlendState::ALPHA_BLENDING);
        plan.pipeline(pipeline);
    }
    let draw = |n: u32| {
        let turn = n as usize % 2;
        Draw {
            pipeline: if change == "pipelines" { turn } else { 0 },
            set: match change {
                "constants" => None,
                "sets" => Some(turn),
                _ => Some(0),
            },
            offsets: if change == "offsets" {
                vec![n % 64 * 256]
            } else {
                Vec::new()
            },
            immediates: if change == "constants" {
                slot(n)[..16].to_vec()
            } else {
                Vec::new()
            },
            ..Draw::new(0, 6 * n..6 * n + 6)
        }
    };
    let draws = (0..count).map(draw).collect();
    plan.pass(vec![Target::cleared(image)], None, draws);
    plan
}

/// A picture of small squares for each format of a vertex attribute.
fn formats(cells: &mut Vec<Plan>) {
    let all = [
        VertexFormat::Unorm8x4,
        VertexFormat::Snorm16x2,
        VertexFormat::Float16x4,
        VertexFormat::Uint8x4,
        VertexFormat::Unorm10_10_10_2,
    ];
    for format in all {
        let (ty, value) = match format {
            VertexFormat::Uint8x4 => ("vec4u", "vec4f(c)"),
            VertexFormat::Snorm16x2 => ("vec2f", "c.xyxy"),
            _ => ("vec4f", "c"),
        };
        let text = Attributes::new(1, value).shader(
            &format!("@builtin(vertex_index) n: u32, @location(0) c: {ty}"),
            &grid(256),
        );
        let mut pipeline = Pipeline::new(text, &[F::Rgba8Unorm]);
        pipeline.buffers = vec![VertexBuffer::packed(VertexStepMode::Vertex, 0, &[format])];
        let count = 6 * 256 * 256;
        let label = format!("vertex/{}", format!("{format:?}").to_lowercase());
        let mut plan = one(label, pipeline, Draw::new(0, 0..count));
        let buffer = plan.buffer(
            BufferUsages::VERTEX,
            super::plan::noise(5, count * format.size() as u32),
        );
        draw_of(&mut plan).vertices = vec![buffer];
        cells.push(plan);
    }
}

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = Vec::new();
    sizes(&mut cells);
    vertices(&mut cells);
    formats(&mut cells);
    draws(&mut cells);
    cells
}
