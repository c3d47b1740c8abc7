//! Tests that run after the shader may be preceded by tests that only reject. Nothing shows but the number of
//! invocations: pictures and counted samples are those of a device that tests each pixel once.

#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::*;

/// Triangles of any size and depth, sloped, in colours of their own.
const TRIANGLES: &str = "
    struct V {
        @builtin(position) p: vec4f,
        @location(0) c: vec4f,
        @location(1) @interpolate(perspective, centroid) k: vec4f,
    }
    fn noise(n: u32) -> f32 {
        let m = (n ^ 0x9e37u) * 0x85ebca6bu;
        return f32(((m ^ (m >> 13u)) * 0xc2b2ae35u) >> 8u) / 16777216.0;
    }
    @vertex fn vertex(@builtin(vertex_index) i: u32) -> V {
        let t = i / 3u;
        let size = select(0.4, 2.5, t % 5u == 0u);
        let centre = vec2f(noise(t * 7u), noise(t * 7u + 1u)) * 2.0 - 1.0;
        let at = centre + size * (vec2f(noise(i * 5u + 2u), noise(i * 5u + 3u)) - 0.5);
        let z = select(noise(t * 7u + 4u), noise(i * 5u + 4u), t % 3u == 0u);
        let c = vec4f(noise(t * 3u), noise(t * 3u + 1u), noise(t * 3u + 2u), noise(i));
        return V(vec4f(at, floor(z * 16.0) / 16.0, 1.0), c, c);
    }
    fn drops(v: V) -> bool { return fract(v.p.x * 0.37 + v.p.y * 0.61 + v.c.x * 9.0) < 0.4; }
";

const DISCARDS: &str = "@fragment fn fragment(v: V) -> @location(0) vec4f {
    let edge = dpdx(v.c.w) + dpdy(v.c.w);
    if drops(v) { discard; }
    return v.c + edge;
}";
/// The centroid is that of the covered samples, rejected or not, also in neighbours.
const CENTROIDS: &str = "@fragment fn fragment(v: V) -> @location(0) vec4f {
    let edge = dpdx(v.k.xyz) * 4.0;
    if drops(v) { discard; }
    return vec4f(fract(v.k.xyz * 16.0) + edge, v.c.w);
}";
const MASKS: &str = "struct Out { @location(0) color: vec4f, @builtin(sample_mask) mask: u32 }
    @fragment fn fragment(v: V) -> Out { return Out(v.c, select(0xdu, 0x2u, drops(v))); }";
const READS_MASK: &str =
    "@fragment fn fragment(v: V, @builtin(sample_mask) m: u32) -> @location(0) vec4f {
    if drops(v) { discard; }
    return vec4f(f32(m) / 16.0, dpdx(f32(m)), v.c.xw);
}";
const DEPTHS: &str = "struct Out { @location(0) color: vec4f, @builtin(frag_depth) depth: f32 }
    @fragment fn fragment(v: V) -> Out { return Out(v.c, fract(v.p.z + v.c.x)); }";
const COVERS: &str = "@fragment fn fragment(v: V) -> @location(0) vec4f { return v.c; }";

struct Case {
    fragment: &'static str,
    compare: CompareFunction,
    stencil: StencilFaceState,
    samples: u32,
    covers: bool,
}

/// The picture, samples that passed, and invocations.
fn drawn(gpu: &PhysicalDevice, case: &Case, fine_depth: bool) -> (Vec<u8>, u64, u64) {
    let harness = Harness::with_depth(gpu, fine_depth);
    let format = TextureFormat::Depth24PlusStencil8;
    let state = |compare, face: StencilFaceState| DepthStencilState {
        stencil: StencilState {
            front: face,
            back: face,
            read_mask: 0x3,
            write_mask: 0xff,
        },
        ..depth(format, compare)
    };
    let targets = vec![ColorTargetState {
        blend: Some(BlendState::ALPHA_BLENDING),
        ..TextureFormat::Rgba8Unorm.into()
    }];
    let mut setup = Setup {
        size: [72, 56],
        targets,
        depth: Some(state(CompareFunction::LessEqual, StencilFaceState::IGNORE)),
        ..Setup::samples(case.samples)
    };
    // What lies below: depths, and stencil values that grow with each layer.
    let first = setup.depth.as_mut().unwrap();
    first.stencil.front.pass_op = StencilOperation::IncrementClamp;
    first.stencil.back.pass_op = StencilOperation::IncrementClamp;
    let below = harness.pipeline(&setup, &format!("{TRIANGLES}{COVERS}"));
    setup.depth = Some(state(case.compare, case.stencil));
    setup.multisample.alpha_to_coverage_enabled = case.covers;
    let text = format!("{TRIANGLES}{}", case.fragment);
    let pipeline = harness.pipeline(&setup, &text);
    let before = harness.device.stats();
    let bytes = harness.record(&setup, |commands| {
        commands.bind_pipeline(&below).unwrap();
        commands.set_stencil_reference(1).unwrap();
        commands.draw(0..90, 0..1).unwrap();
        commands.bind_pipeline(&pipeline).unwrap();
        commands.draw(90..420, 0..1).unwrap();
    });
    let stats = harness.device.stats().since(before);
    let picture = bytes.into_iter().next().unwrap();
    (picture, stats.samples_passed, stats.fragment_lanes)
}

fn faces() -> [StencilFaceState; 4] {
    let face =
        |compare, [fail_op, depth_fail_op, pass_op]: [StencilOperation; 3]| StencilFaceState {
            compare,
            fail_op,
            depth_fail_op,
            pass_op,
        };
    let keep = StencilOperation::Keep;
    let grow = StencilOperation::IncrementWrap;
    [
        StencilFaceState::IGNORE,
        face(CompareFunction::NotEqual, [keep; 3]),
        face(CompareFunction::LessEqual, [keep, keep, grow]),
        face(CompareFunction::Equal, [grow, grow, keep]),
    ]
}

#[test]
fn only_invocations_show() {
    let mut saved = 0;
    for gpu in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().integers)
    {
        for (fragment, covers) in [
            (DISCARDS, false),
            (CENTROIDS, false),
            (MASKS, false),
            (READS_MASK, false),
            (DEPTHS, false),
            (COVERS, true),
        ] {
            for compare in [
                CompareFunction::Less,
                CompareFunction::LessEqual,
                CompareFunction::Equal,
                CompareFunction::NotEqual,
                CompareFunction::Greater,
                CompareFunction::Always,
            ] {
                for (n, stencil) in faces().into_iter().enumerate() {
                    let samples = if covers || n % 2 == 1 { 4 } else { 1 };
                    let case = Case {
                        fragment,
                        compare,
                        stencil,
                        samples,
                        covers,
                    };
                    let what = format!("{} {fragment} {compare:?} {n}", gpu.name());
                    let (picture, passed, lanes) = drawn(&gpu, &case, true);
                    let (other, others, fewer) = drawn(&gpu, &case, false);
                    assert!(picture == other, "{what}: the pictures differ");
                    assert_eq!(passed, others, "{what}");
                    assert!(fewer <= lanes, "{what}: {fewer} {lanes}");
                    let free = [DEPTHS, READS_MASK].contains(&fragment) || n == 3;
                    assert!(!free || fewer == lanes, "{what}: nothing may be rejected");
                    // Hidden surfaces are removed in any case where a chip does that.
                    let always = gpu.name() == "rogue";
                    let less = compare == CompareFunction::Less && !free && !always;
                    assert!(!less || fewer * 10 < lanes * 9, "{what}: {fewer} {lanes}");
                    saved += lanes - fewer;
                }
            }
        }
    }
    assert!(saved > 0);
}

/// Draws over the whole picture, of which every other writes depths: what the tests before one found is not taken for
/// another's.
#[test]
fn depths_that_passed_are_of_one_draw() {
    const SCREEN: &str = "
        struct V { @builtin(position) p: vec4f, @location(0) c: vec4f }
        @vertex fn vertex(@builtin(vertex_index) i: u32) -> V {
            let at = vec2f(f32(i % 3u & 1u), f32(i % 3u >> 1u)) * 4.0 - 1.0;
            let z = 0.9 - 0.06 * f32(i / 3u) - 0.1 * f32(i % 3u);
            return V(vec4f(at, z, 1.0), vec4f(0.03 * f32(i), 0.1 * f32(i / 3u), at * 0.2));
        }
        fn drops(v: V) -> bool { return fract(v.p.x * 0.37 + v.p.y * 0.61) < 0.4; }
    ";
    for gpu in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().integers)
    {
        for format in [
            TextureFormat::Depth16Unorm,
            TextureFormat::Depth24PlusStencil8,
        ] {
            let picture = |fine_depth| {
                let harness = Harness::with_depth(&gpu, fine_depth);
                let setup = Setup {
                    size: [72, 72],
                    depth: Some(depth(format, CompareFunction::Less)),
                    ..Setup::samples(1)
                };
                let shaders = [DISCARDS, DEPTHS];
                let pipelines =
                    shaders.map(|text| harness.pipeline(&setup, &format!("{SCREEN}{text}")));
                harness.record(&setup, |commands| {
                    for n in 0..8 {
                        commands.bind_pipeline(&pipelines[n % 2]).unwrap();
                        let first = 3 * n as u32;
                        commands.draw(first..first + 3, 0..1).unwrap();
                    }
                })
            };
            let name = gpu.name();
            assert!(picture(true) == picture(false), "{name} {format:?}");
        }
    }
}
