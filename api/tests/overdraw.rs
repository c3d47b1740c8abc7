//! Opaque triangles over each other in any order: every chip draws the same picture, and one that removes hidden surfaces
//! shades each pixel once. So it is with more primitives than a chip that draws tiles keeps at once.

#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::*;

/// Edge of the target.
const SIDE: u32 = 128;

/// A triangle an instance: corners, depth and colour are hashes of its number.
fn triangles(reach: u32) -> String {
    format!(
        "fn mix(n: u32) -> u32 {{
            let x = n * 747796405u + 2891336453u;
            let y = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u;
            return (y >> 22u) ^ y;
        }}
        struct Out {{ @builtin(position) at: vec4f, @location(0) @interpolate(flat) color: u32 }}
        @vertex fn vertex(@builtin(vertex_index) i: u32, @builtin(instance_index) n: u32) -> Out {{
            let first = mix(n);
            let corner = mix(3u * n + i + 1000000u);
            let place = vec2u(first & 1023u, first >> 10u & 1023u) + vec2u(corner % {reach}u, corner >> 16u) % {reach}u;
            let depth = f32(mix(n + 5000000u) & 0xffffu) / 65536.0;
            return Out(vec4f(vec2f(place) / 512.0 - 1.0, depth, 1.0), mix(n + 7000000u));
        }}
        @fragment fn fragment(in: Out) -> @location(0) vec4f {{ return unpack4x8unorm(in.color | 0xff000000u); }}"
    )
}

/// Draws so many triangles; the picture and what was counted.
fn drawn(harness: &Harness, count: u32, reach: u32, state: Option<BlendState>) -> (Vec<u8>, Stats) {
    let mut setup = Setup {
        size: [SIDE; 2],
        depth: Some(depth(TextureFormat::Depth32Float, CompareFunction::Less)),
        ..Setup::default()
    };
    setup.targets[0].blend = state;
    let pipeline = harness.pipeline(&setup, &triangles(reach));
    let before = harness.device.stats();
    let pictures = harness.record(&setup, |commands| {
        commands.bind_pipeline(&pipeline).unwrap();
        commands.draw(0..3, 0..count).unwrap();
    });
    (pictures[0].clone(), harness.device.stats().since(before))
}

#[test]
fn hidden_surfaces_change_no_picture() {
    let mut first: Option<Vec<u8>> = None;
    for harness in Harness::each() {
        let (picture, stats) = drawn(&harness, 2000, 700, None);
        let covered = picture.chunks(4).filter(|pixel| pixel[3] != 0).count() as u64;
        assert!(covered > 8_000);
        match harness.is_deferred() {
            true => assert_eq!(stats.fragment_lanes, covered),
            false => assert!(stats.fragment_lanes > 2 * covered),
        }
        let wanted = first.get_or_insert_with(|| picture.clone());
        assert!(
            picture == *wanted,
            "{}",
            harness.device.physical_device().name()
        );
    }
}

/// More than 4 MiB of primitives.
#[test]
fn frames_of_any_size_are_drawn() {
    for state in [None, Some(BlendState::ALPHA_BLENDING)] {
        let mut first: Option<Vec<u8>> = None;
        for harness in Harness::each() {
            let (picture, _) = drawn(&harness, 100_000, 40, state);
            let wanted = first.get_or_insert_with(|| picture.clone());
            assert!(
                picture == *wanted,
                "{} {state:?}",
                harness.device.physical_device().name()
            );
        }
    }
}
