//! Dispatches over images: a volume that is smoothed, and histograms of tiles that are made even.

use super::*;

/// A volume that groups of four by four by four smooth, drawn as 64 slices.
fn volume() -> Plan {
    let text = "
        @group(0) @binding(0) var t: texture_3d<f32>;
        @group(0) @binding(1) var o: texture_storage_3d<r32float, write>;
        @compute @workgroup_size(4, 4, 4) fn cs(@builtin(global_invocation_id) g: vec3u) {
            let p = vec3i(g);
            var s = textureLoad(t, p, 0).r * 2.0;
            for (var axis = 0; axis < 3; axis++) {
                var e = vec3i();
                e[axis] = 1;
                s += textureLoad(t, (p + e) & vec3i(63), 0).r + textureLoad(t, (p - e) & vec3i(63), 0).r;
            }
            textureStore(o, p, vec4f(s / 8.0, 0.0, 0.0, 0.0));
        }";
    let slices = format!(
        "{SCREEN}
        @group(0) @binding(0) var t: texture_3d<f32>;
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let p = vec2i(v.at.xy);
            let s = textureLoad(t, vec3i(p & vec2i(63), p.x / 64 + p.y / 64 * 8), 0).r;
            return vec4f(vec3f(s * 4.0 - 1.5), 1.0);
        }}"
    );
    let mut plan = empty("compute/smoothed volume");
    let shape = Texture {
        contents: Contents::Made(|| fractions(51, 64 * 64 * 64)),
        ..noise_texture(F::R32Float, D::D3, [64, 64, 64], 1)
    };
    let mut images = vec![plan.texture(shape.clone())];
    for _ in 0..2 {
        images.push(plan.texture(Texture {
            contents: Contents::Drawn,
            ..shape.clone()
        }));
    }
    let kind = TextureSampleType::Float { filterable: false };
    let dispatches = [[0, 1], [1, 2]].map(|pair| {
        let [from, to] = pair.map(|n| images[n]);
        let compute = plan.compute(
            text,
            vec![Resource::Texture(from, kind), Resource::Stored(to)],
        );
        plan.dispatch(compute, [16, 16, 16])
    });
    plan.steps.push(Step::Compute(dispatches.into()));
    let set = Some(plan.set(vec![Resource::Texture(images[2], kind)]));
    plan.pipeline(Pipeline {
        set,
        ..Pipeline::new(slices, &[F::Rgba8Unorm])
    });
    let draw = Draw { set, ..layers(1) };
    plan.pass(vec![Target::cleared(0)], None, vec![draw]);
    plan
}

/// Histograms of 8 by 8 tiles of a picture, cut off, summed up to tables, and blended between the tiles.
fn even() -> Plan {
    let tables = "
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var<storage, read_write> b: array<f32>;
        var<workgroup> h: array<atomic<u32>, 256>;
        var<workgroup> s: array<u32, 256>;
        @compute @workgroup_size(16, 16) fn cs(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_id) l: vec3u, @builtin(local_invocation_index) n: u32) {
            for (var i = 0u; i < 16u; i++) {
                let at = w.xy * 64u + l.xy + vec2u(i & 3u, i >> 2u) * 16u;
                let c = dot(textureLoad(t, at, 0).rgb, vec3f(0.3, 0.6, 0.1));
                atomicAdd(&h[u32(c * 255.0)], 1u);
            }
            workgroupBarrier();
            s[n] = min(atomicLoad(&h[n]), 64u) + 1u;
            workgroupBarrier();
            for (var k = 1u; k < 256u; k <<= 1u) {
                let sum = s[n] + select(0u, s[max(n, k) - k], n >= k);
                workgroupBarrier();
                s[n] = sum;
                workgroupBarrier();
            }
            b[(w.y * 8u + w.x) * 256u + n] = f32(s[n]) / f32(s[255]);
        }";
    let drawn = format!(
        "{SCREEN}
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var<storage, read> b: array<f32>;
        fn even(tile: vec2i, n: u32) -> f32 {{
            let at = clamp(tile, vec2i(), vec2i(7));
            return b[u32(at.y * 8 + at.x) * 256u + n];
        }}
        @fragment fn fs(v: V) -> @location(0) vec4f {{
            let c = textureLoad(t, vec2i(v.at.xy), 0).rgb;
            let l = dot(c, vec3f(0.3, 0.6, 0.1));
            let n = u32(l * 255.0);
            let p = v.at.xy / 64.0 - 0.5;
            let i = vec2i(floor(p));
            let f = fract(p);
            let low = mix(even(i, n), even(i + vec2i(1, 0), n), f.x);
            let high = mix(even(i + vec2i(0, 1), n), even(i + vec2i(1, 1), n), f.x);
            return vec4f(c / max(l, 0.01) * mix(low, high, f.y), 1.0);
        }}"
    );
    let mut plan = empty("compute/even histograms");
    let Read(picture, kind, _) = made(F::Rgba8Unorm, 512, disks);
    let image = plan.texture(picture);
    let to = plan.buffer(BufferUsages::STORAGE, vec![0; 4 * 64 * 256]);
    let compute = plan.compute(
        tables,
        vec![Resource::Texture(image, kind), Resource::Written(to)],
    );
    plan.steps
        .push(Step::Compute(vec![plan.dispatch(compute, [8, 8, 1])]));
    let set = Some(plan.set(vec![Resource::Texture(image, kind), Resource::Storage(to)]));
    plan.pipeline(Pipeline {
        set,
        ..Pipeline::new(drawn, &[F::Rgba8Unorm])
    });
    let draw = Draw { set, ..layers(1) };
    plan.pass(vec![Target::cleared(0)], None, vec![draw]);
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![volume(), even()]
}
