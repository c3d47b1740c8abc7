//! Bounds of the depths of tiles reject what is behind them, and nothing else shows of them.

#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::*;

const SIZE: [u32; 2] = [72, 56];
const TILES: u32 = SIZE[0] * SIZE[1] / 64;
const LAYERS: u32 = 8;

/// Layers over all of the target, at depths `first + layer * step`.
fn layers([first, step]: [f32; 2]) -> String {
    format!(
        "struct V {{ @builtin(position) p: vec4f, @location(0) c: vec4f }}
        @vertex fn vertex(@builtin(vertex_index) n: u32) -> V {{
            let i = n % 3u;
            let corner = vec2f(f32(i & 1u), f32(i >> 1u)) * 4.0 - 1.0;
            let layer = f32(n / 3u);
            let color = vec4f(1.0 - layer * 0.1, layer * 0.1, 0.5, 1.0);
            return V(vec4f(corner, {first:?} + layer * {step:?}, 1.0), color);
        }}
        @fragment fn fragment(v: V) -> @location(0) vec4f {{ return v.c; }}"
    )
}

/// The picture, samples that passed, and tiles that were rejected.
fn drawn(gpu: &PhysicalDevice, setup: &Setup, text: &str, fine_depth: bool) -> (Vec<u8>, u64, u64) {
    let harness = Harness::with_depth(gpu, fine_depth);
    let pipeline = harness.pipeline(setup, text);
    let before = harness.device.stats();
    let targets = harness.record(setup, |commands| {
        commands.bind_pipeline(&pipeline).unwrap();
        commands.draw(0..3 * LAYERS, 0..1).unwrap();
    });
    let stats = harness.device.stats().since(before);
    let picture = targets.into_iter().next().unwrap();
    (picture, stats.samples_passed, stats.tiles_rejected)
}

#[test]
fn layers_behind_are_rejected_by_tiles() {
    for gpu in Instance::new().physical_devices() {
        // From the front to the back, and from the back to the front.
        for (compare, clear_depth, order, hidden) in [
            (CompareFunction::Less, 1.0, [0.1, 0.1], LAYERS - 1),
            (CompareFunction::LessEqual, 1.0, [0.1, 0.1], LAYERS - 1),
            (CompareFunction::Greater, 0.0, [0.9, -0.1], LAYERS - 1),
            (CompareFunction::GreaterEqual, 0.0, [0.9, -0.1], LAYERS - 1),
            (CompareFunction::Less, 1.0, [0.9, -0.1], 0),
            (CompareFunction::Greater, 0.0, [0.1, 0.1], 0),
        ] {
            for samples in [1, 4] {
                let setup = Setup {
                    size: SIZE,
                    clear_depth,
                    depth: Some(depth(TextureFormat::Depth24PlusStencil8, compare)),
                    ..Setup::samples(samples)
                };
                let what = format!("{} {compare:?} {order:?} {samples}", gpu.name());
                let text = layers(order);
                let (picture, passed, none) = drawn(&gpu, &setup, &text, true);
                let (other, others, rejected) = drawn(&gpu, &setup, &text, false);
                assert!(picture == other, "{what}: the pictures differ");
                assert_eq!(passed, others, "{what}");
                let all = u64::from(SIZE[0] * SIZE[1] * samples * (LAYERS - hidden));
                assert_eq!(passed, all, "{what}");
                // A tile that fails whole is bounded by what it holds.
                if gpu.name() == "r5xx" {
                    let behind = u64::from(TILES * samples * hidden.saturating_sub(1));
                    assert_eq!((none, rejected), (0, behind), "{what}");
                }
            }
        }
    }
}
