//! Frames of meshes and small textures: materials by triangle, lists of the layers of pixels, matrices of instances, eight
//! vertex buffers, and textures that the host writes.

use super::*;

fn state() -> Option<DepthStencilState> {
    Some(depth_state(F::Depth32Float, CompareFunction::Less, true))
}

/// A large record of storage and a way to light it for each triangle of a net.
fn materials() -> Plan {
    let text = format!(
        "{MIXED}{CORNER}
        struct Material {{ base: vec4f, shine: vec4f, axes: mat3x3f, steps: array<vec4f, 4>, kind: u32, power: f32, repeat: vec2f }};
        @group(0) @binding(0) var<storage, read> materials: array<Material>;
        struct V {{ @builtin(position) at: vec4f, @location(0) n: vec3f, @location(1) uv: vec2f, @location(2) @interpolate(flat) id: u32 }};
        @vertex fn vs(@builtin(vertex_index) n: u32) -> V {{
            let uv = (vec2f(f32(n / 6u % 40u), f32(n / 240u)) + corner(n % 6u)) / 40.0;
            let z = 0.5 + 0.2 * sin(uv.x * 9.0) * cos(uv.y * 7.0);
            return V(vec4f(uv * 2.0 - 1.0, z, 1.0), vec3f(cos(uv.x * 9.0), sin(uv.y * 7.0), 2.0), uv, mixed(n / 3u) % 16u);
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let m = materials[v.id];
            let n = normalize(m.axes * v.n * 0.1 + v.n);
            let l = normalize(vec3f(0.3, 0.5, 0.8));
            let d = max(dot(n, l), 0.0);
            var c = m.base.rgb;
            switch m.kind % 6u {{
                case 0u: {{ c *= d; }}
                case 1u: {{ c = c * d + m.shine.rgb * pow(d, 8.0 + m.power); }}
                case 2u: {{ c = m.steps[u32(d * 3.99)].rgb; }}
                case 3u: {{
                    let t = fract(v.uv * 40.0 * (1.0 + m.repeat));
                    c *= select(0.5, 1.0, (t.x < 0.5) == (t.y < 0.5)) * d;
                }}
                case 4u: {{
                    for (var i = 0; i < 4; i++) {{ c += m.steps[i].rgb * sin(v.uv.x * 100.0 * f32(i)) * 0.2; }}
                }}
                default: {{ c = mix(c, m.shine.rgb, 1.0 - d); }}
            }}
            return vec4f(sqrt(abs(c)), 1.0);
        }}"
    );
    // The kind is the number after 36 floats.
    let mut records = fractions(21, 16 * 40);
    for (n, record) in (0u32..).zip(records.chunks_mut(160)) {
        record[144..148].copy_from_slice(&(n * 5 % 16).to_le_bytes());
    }
    let draw = Draw::new(0, 0..6 * 40 * 40);
    of_records("frame/materials by triangle", text, records, draw)
}

/// Draws to a picture and depths with one storage buffer.
fn of_records(label: &str, text: impl Into<String>, records: Vec<u8>, draw: Draw) -> Plan {
    let mut plan = empty(label);
    let depth = plan.target(F::Depth32Float, [SIZE, SIZE], 1);
    let records = plan.buffer(BufferUsages::STORAGE, records);
    let set = Some(plan.set(vec![Resource::Storage(records)]));
    plan.pipeline(Pipeline {
        set,
        depth: state(),
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    });
    let draw = Draw { set, ..draw };
    plan.pass(vec![Target::cleared(0)], Some(depth), vec![draw]);
    plan
}

/// Every fragment of 300 squares goes to the list of its pixel, and a layer after that sorts eight of them.
fn lists() -> Plan {
    let declared = format!(
        "{MIXED}{CORNER}
        struct Entry {{ color: u32, depth: f32, next: u32 }};
        @group(0) @binding(0) var<storage, read_write> heads: array<atomic<u32>>;
        @group(0) @binding(1) var<storage, read_write> entries: array<Entry>;
        struct V {{ @builtin(position) at: vec4f, @location(0) uv: vec2f, @location(1) @interpolate(flat) h: u32 }};
        fn pixel(v: V) -> u32 {{ return 1u + u32(v.at.x) + u32(v.at.y) * 512u; }}
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
            if i == 1000u {{ return V(vec4f(corner(n) * 2.0 - 1.0, 0.5, 1.0), corner(n), 0u); }}
            let h = mixed(i);
            let o = vec2f(f32(h & 1023u), f32(h >> 10u & 1023u)) / 511.5 - 1.1;
            return V(vec4f(o + corner(n) * 0.2, f32(h >> 16u) / 65536.0, 1.0), corner(n), h);
        }}"
    );
    let clear = "@fragment fn fs(v: V) -> @location(0) vec4f {
        atomicStore(&heads[pixel(v)], 0u);
        if pixel(v) == 1u { atomicStore(&heads[0], 0u); }
        return vec4f();
    }";
    let add = "@fragment fn fs(v: V) -> @location(0) vec4f {
        let n = 1u + atomicAdd(&heads[0], 1u);
        if n < arrayLength(&entries) {
            let next = atomicExchange(&heads[pixel(v)], n);
            let c = vec4f(unpack4x8unorm(v.h).rgb, 0.3 + 0.5 * v.uv.x);
            entries[n] = Entry(pack4x8unorm(c), v.at.z, next);
        }
        return vec4f();
    }";
    let sort = "@fragment fn fs(v: V) -> @location(0) vec4f {
        var depths: array<f32, 8>;
        var colors: array<u32, 8>;
        var count = 0u;
        var n = atomicLoad(&heads[pixel(v)]);
        while n != 0u && count < 8u {
            let entry = entries[n];
            var i = count;
            while i > 0u && depths[max(i, 1u) - 1u] < entry.depth {
                depths[i] = depths[i - 1u];
                colors[i] = colors[i - 1u];
                i--;
            }
            depths[i] = entry.depth;
            colors[i] = entry.color;
            count++;
            n = entry.next;
        }
        var c = vec3f(0.1);
        for (var i = 0u; i < count; i++) {
            let e = unpack4x8unorm(colors[i]);
            c = mix(c, e.rgb, e.a);
        }
        return vec4f(c, 1.0);
    }";
    let mut plan = empty("frame/lists of pixels");
    let heads = vec![0; 4 * (1 + SIZE * SIZE) as usize];
    let heads = plan.buffer(BufferUsages::STORAGE, heads);
    let entries = plan.buffer(BufferUsages::STORAGE, vec![0; 12 << 20]);
    let written = vec![Resource::Written(heads), Resource::Written(entries)];
    let set = Some(plan.set(written));
    for (n, (body, instances)) in [(clear, 1000..1001), (add, 0..300), (sort, 1000..1001)]
        .into_iter()
        .enumerate()
    {
        plan.pipeline(Pipeline {
            set,
            ..Pipeline::new(format!("{declared}{body}"), &[F::Rgba8Unorm])
        });
        let draw = Draw {
            set,
            instances,
            ..Draw::new(n, 0..6)
        };
        plan.pass(vec![Target::cleared(0)], None, vec![draw]);
    }
    plan
}

/// 3600 boxes, each with a record of matrices that vertices copy.
fn boxes() -> Plan {
    let text = "
        struct Box { world: mat4x4f, turn: mat3x3f, color: vec4f, bits: vec4u };
        @group(0) @binding(0) var<storage, read> boxes: array<Box>;
        struct V { @builtin(position) at: vec4f, @location(0) n: vec3f, @location(1) c: vec3f };
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {
            let box = boxes[i];
            let f = n / 6u;
            let k = n % 6u;
            let side = select(-1.0, 1.0, f >= 3u);
            var p = vec3f(f32(0x32u >> k & 1u) * 2.0 - 1.0, f32(0x2cu >> k & 1u) * 2.0 - 1.0, side);
            var q = vec3f(0.0, 0.0, side);
            if f % 3u == 1u { p = p.zxy; q = q.zxy; }
            if f % 3u == 2u { p = p.yzx; q = q.yzx; }
            let o = vec3f(f32(i % 60u) / 30.0 - 1.0, f32(i / 60u) / 30.0 - 1.0, 0.5);
            let turned = (box.world * vec4f(p, 0.0)).xyz + p;
            let c = select(box.color.rgb, box.color.bgr, (box.bits.y & 1u) == 1u);
            return V(vec4f(o + turned * vec3f(0.014, 0.014, 0.05), 1.0), box.turn * q + q, c);
        }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            return vec4f(v.c * (0.2 + max(dot(normalize(v.n), vec3f(0.4, 0.5, -0.7)), 0.0)), 1.0);
        }";
    let draw = Draw {
        instances: 0..3600,
        ..Draw::new(0, 0..36)
    };
    of_records(
        "frame/matrices of boxes",
        text,
        fractions(23, 36 * 3600),
        draw,
    )
}

/// A net whose corners come from eight buffers of small numbers.
fn streams() -> Plan {
    const ACROSS: u32 = 160;
    use VertexFormat::*;
    let formats = [
        Unorm16x2, Unorm8x4, Snorm8x4, Float16x4, Uint16x2, Snorm16x4, Unorm16x4, Sint8x4,
    ];
    let text = "
        struct V { @builtin(position) at: vec4f, @location(0) c: vec4f, @location(1) n: vec3f };
        @vertex fn vs(@location(0) place: vec2f, @location(1) color: vec4f, @location(2) normal: vec4f, @location(3) half: vec4f,
            @location(4) ids: vec2u, @location(5) tangent: vec4f, @location(6) ten: vec4f, @location(7) signs: vec4i) -> V {
            let n = normal.xyz + cross(tangent.xyz, half.xyz) + vec3f(signs.xyz) * 0.01 + vec3f(0.0, 0.0, 0.4);
            let bend = vec2f(f32(ids.x & 63u), f32(ids.y & 63u)) * 0.0001;
            return V(vec4f(place * 1.9 - 0.95 + bend, 0.5 + ten.x * 0.1, 1.0), color * 3.0 + ten.yzxw * 0.3, n);
        }
        @fragment fn fs(v: V) -> @location(0) vec4f { return v.c * normalize(v.n).z; }";
    let corners = ACROSS + 1;
    let mut plan = empty("vertex/eight buffers of small numbers");
    let places = (0..corners * corners)
        .flat_map(|n| [n % corners, n / corners].map(|n| (n * 65535 / ACROSS) as u16))
        .flat_map(u16::to_le_bytes);
    let mut vertices = vec![plan.buffer(BufferUsages::VERTEX, places.collect())];
    for (seed, format) in (30..).zip(&formats[1..]) {
        let bytes = noise(seed, format.size() as u32 * corners * corners);
        vertices.push(plan.buffer(BufferUsages::VERTEX, bytes));
    }
    let indices = (0..ACROSS * ACROSS).flat_map(|n| {
        let a = n / ACROSS * corners + n % ACROSS;
        [a, a + 1, a + corners, a + corners, a + 1, a + corners + 1]
    });
    let indices = Some(plan.buffer(BufferUsages::INDEX, words(indices)));
    let buffers = (0..)
        .zip(formats)
        .map(|(n, format)| VertexBuffer::packed(VertexStepMode::Vertex, n, &[format]));
    plan.pipeline(Pipeline {
        buffers: buffers.collect(),
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    });
    let draw = Draw {
        vertices,
        indices,
        ..Draw::new(0, 0..6 * ACROSS * ACROSS)
    };
    plan.pass(vec![Target::cleared(0)], None, vec![draw]);
    plan
}

/// 64 textures that the host writes, each drawn as a square.
fn written() -> Plan {
    let text = format!(
        "{CORNER}
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        struct V {{ @builtin(position) at: vec4f, @location(0) uv: vec2f }};
        @vertex fn vs(@builtin(vertex_index) n: u32, @builtin(instance_index) i: u32) -> V {{
            let o = vec2f(f32(i % 8u), f32(i / 8u)) + corner(n) * 0.9;
            return V(vec4f(o / 4.0 - 1.0, 0.5, 1.0), corner(n));
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{ return vec4f(vec3f(textureSample(t, s, v.uv).r * 4.0), 1.0); }}"
    );
    let mut plan = empty("transfer/64 small textures written");
    let mut draws = Vec::new();
    for n in 0..64 {
        let image = plan.target(F::R8Unorm, [24, 32], 1);
        plan.steps.push(Step::Write(image, noise(n, 24 * 32)));
        let sampler = Resource::Sampler(Sampling::LINEAR.clamped());
        let set = plan.set(vec![Resource::Texture(image, FILTERED), sampler]);
        draws.push(Draw {
            set: Some(set),
            instances: n..n + 1,
            ..Draw::new(0, 0..6)
        });
    }
    plan.pipeline(Pipeline {
        set: Some(0),
        ..Pipeline::new(text, &[F::Rgba8Unorm])
    });
    plan.pass(vec![Target::cleared(0)], None, draws);
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![materials(), lists(), boxes(), streams(), written()]
}
