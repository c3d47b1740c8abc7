//! What a device counts besides the picture.

#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::*;

/// Counters of a draw of 64x64 pixels with a fragment shader's body that reads `t`, of two levels, through `s`.
fn counted(harness: &Harness, filter: FilterMode, body: &str) -> Stats {
    let image = ImageDescriptor {
        label: None,
        dimension: TextureDimension::D2,
        size: Extent3d {
            width: 2,
            height: 2,
            depth_or_array_layers: 1,
        },
        levels: 2,
        samples: 1,
        format: TextureFormat::Rgba8Unorm,
        usage: TextureUsages::TEXTURE_BINDING,
        placement: None,
    };
    let image = harness.device.create_image(&image).unwrap();
    let layout = ImageLayout::ShaderReadOnly;
    harness.queue.transition(&image, layout).unwrap();
    let sampler = SamplerDescriptor {
        mag_filter: filter,
        min_filter: filter,
        mipmap_filter: match filter {
            FilterMode::Linear => MipmapFilterMode::Linear,
            FilterMode::Nearest => MipmapFilterMode::Nearest,
        },
        ..SamplerDescriptor::default()
    };
    let (layout, set) = harness.sampled(&harness.view(&image), &sampler);
    let setup = Setup {
        size: [64, 64],
        sets: vec![&layout],
        ..Setup::default()
    };
    let text = format!(
        "{EVERYWHERE}
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @fragment fn fragment(@builtin(position) pos: vec4f) -> @location(0) vec4f {{ {body} }}"
    );
    let pipeline = harness.pipeline(&setup, &text);
    let before = harness.device.stats();
    harness.record(&setup, |commands| {
        commands.bind_pipeline(&pipeline).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        commands.draw(0..3, 0..1).unwrap();
    });
    harness.device.stats().since(before)
}

#[test]
fn texels_are_those_of_the_widest_footprint() {
    let sample = "return textureSampleLevel(t, s, pos.xy, 0.5);";
    for harness in Harness::each() {
        for (filter, body, each) in [
            (FilterMode::Linear, sample, 8),
            (FilterMode::Nearest, sample, 1),
            (
                FilterMode::Linear,
                "return textureLoad(t, vec2u(pos.xy) % 2u, 0);",
                1,
            ),
            // Lanes that do not take the branch read nothing.
            (
                FilterMode::Nearest,
                "if pos.x < 16.0 { return textureSampleLevel(t, s, pos.xy, 0.0); } return vec4f(0.0);",
                0,
            ),
            (
                FilterMode::Linear,
                "return pos + textureSampleLevel(t, s, vec2f(0.0), 0.0) * 0.0;",
                8,
            ),
        ] {
            let stats = counted(&harness, filter, body);
            let wanted = match each {
                0 => 16 * 64,
                each => each * 64 * 64,
            };
            assert_eq!(stats.texels, wanted, "{filter:?} {body}");
            assert_eq!((stats.fragment_lanes, stats.fragment_waves), (4096, 64));
            assert_eq!((stats.vertex_lanes, stats.vertex_waves), (3, 1));
            let bins = if harness.is_deferred() { 4 } else { 1 };
            assert_eq!((stats.bins, stats.bin_entries), (bins, bins));
            assert_eq!(
                (stats.color_bytes_read, stats.color_bytes_written),
                (0, 4 * 4096)
            );
            assert_eq!((stats.depth_bytes_read, stats.depth_bytes_written), (0, 0));
        }
    }
}

/// Covered lanes of a wave of fragments, on average.
fn lanes_a_wave(stats: Stats) -> f64 {
    stats.fragment_lanes as f64 / stats.fragment_waves as f64
}

/// Draws a mesh of triangles, two to a square of so many pixels, over 128x128 pixels; `layers` times, nearest first.
fn mesh(harness: &Harness, samples: u32, cell: f32, layers: u32, fragment: &str) -> Stats {
    let across = (128.0 / cell) as u32;
    let text = format!(
        "@vertex fn vertex(@builtin(vertex_index) i: u32, @builtin(instance_index) layer: u32)
            -> @builtin(position) vec4f {{
            var corners = array(vec2u(0, 0), vec2u(1, 0), vec2u(0, 1), vec2u(1, 0), vec2u(1, 1), vec2u(0, 1));
            let cell = vec2u(i / 6u % {across}u, i / 6u / {across}u) + corners[i % 6u];
            // Off the pixel grid, so that edges cut pixels.
            let at = (vec2f(cell) * {cell:?} + 0.3) / 64.0 - 1.0;
            return vec4f(at, 0.1 + 0.1 * f32(layer), 1.0);
        }}
        @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) vec4f {{ {fragment} }}"
    );
    let setup = Setup {
        size: [128, 128],
        depth: Some(depth(TextureFormat::Depth32Float, CompareFunction::Less)),
        ..Setup::samples(samples)
    };
    let pipeline = harness.pipeline(&setup, &text);
    let before = harness.device.stats();
    harness.record(&setup, |commands| {
        commands.bind_pipeline(&pipeline).unwrap();
        commands.draw(0..6 * across * across, 0..layers).unwrap();
    });
    harness.device.stats().since(before)
}

/// How full waves are: limits a little below what is reached.
#[test]
fn waves_are_full() {
    let plain = "return vec4f(p.xy / 128.0, 0.0, 1.0);";
    let discards = "if fract(p.x * 0.13 + p.y * 0.29) < 0.1 { discard; } return vec4f(1.0);";
    for harness in Harness::each() {
        for (samples, cell, fragment, least) in [
            (1, 1.0, plain, 15.0),
            (1, 3.0, plain, 26.0),
            (4, 1.0, plain, 16.0),
            (4, 3.0, plain, 24.0),
            (4, 3.0, discards, 24.0),
            (8, 3.0, plain, 27.0),
        ] {
            // Programs that say which pixels there are run at once, tile by tile.
            if harness.is_deferred() && fragment == discards {
                continue;
            }
            let stats = mesh(&harness, samples, cell, 1, fragment);
            let lanes = lanes_a_wave(stats);
            assert!(lanes > least, "{samples} samples, {cell}: {lanes}");
        }
        // Nearer layers hide the others, but for holes.
        for samples in [1, 4] {
            let stats = mesh(&harness, samples, 16.0, 4, discards);
            let each = stats.samples_passed as f64 / f64::from(samples);
            let shaded = stats.fragment_lanes as f64;
            assert!(shaded < 1.8 * each, "{samples} samples: {shaded} of {each}");
        }
    }
}

/// Draws that differ in their first vertex only run as one, and draw what one does.
#[test]
fn draws_of_one_state_run_as_one() {
    let text = "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
        let corner = i % 3u;
        let cell = vec2u(i / 3u % 8u + (corner & 1u), i / 24u + (corner >> 1u));
        return vec4f(vec2f(cell) / 4.0 - 1.0, 0.5, 1.0);
    }
    @fragment fn fragment() -> @location(0) vec4f { return vec4f(1.0); }";
    for harness in Harness::each().filter(|harness| !harness.is_deferred()) {
        let setup = Setup {
            size: [64, 64],
            ..Setup::default()
        };
        let pipeline = harness.pipeline(&setup, text);
        let drawn = |vertices: u32| {
            let before = harness.device.stats();
            let picture = harness.record(&setup, |commands| {
                commands.bind_pipeline(&pipeline).unwrap();
                for first in (0..48).step_by(vertices as usize) {
                    commands.draw(first..first + vertices, 0..1).unwrap();
                }
            });
            (picture, harness.device.stats().since(before).vertex_waves)
        };
        let (whole, waves) = drawn(48);
        assert_eq!(waves, 1, "16 triangles fit a wave");
        assert_eq!(drawn(3), (whole, 1));
    }
}
