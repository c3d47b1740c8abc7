//! Inputs and outputs of stages in SPIR-V that no other language has: inputs at other places of the pixel, distances that
//! cull, and distances as inputs.
#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::{Harness, Setup};

/// Three corners far outside; `flat_at.x` grows by 1/16 a pixel to the right and 1/8 upwards.
const SLOPED: &str = "
    struct Out {
        @builtin(position) at: vec4f,
        @location(0) near: f32,
        @location(1) @interpolate(linear) flat_at: vec2f,
        @location(2) @interpolate(flat) number: u32,
    }
    @vertex fn vs(@builtin(vertex_index) i: u32) -> Out {
        let x = f32(i & 1u) * 4.0 - 1.0;
        let y = f32(i >> 1u) * 4.0 - 1.0;
        let w = 1.0 + f32(i);
        return Out(vec4f(x * w, y * w, 0.5 * w, w), f32(i * i), vec2f(f32(i), 4.0 - f32(i)), 7u);
    }";

#[test]
fn inputs_at_samples_and_covered_places() {
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        // Sample 0 of 4 is 1/8 to the left and 3/8 up, sample 2 is 3/8 to the left and 1/8 down.
        for (samples, expected) in [(1, [0.5, 0.5]), (4, [0.8125, 0.1875])] {
            let setup = Setup::samples(samples);
            let bytes = include_bytes!("spirv/beside.frag.spv");
            let made = harness
                .words_pipeline(&harness.module(SLOPED), bytes, &setup)
                .unwrap();
            let drawn = harness.record(&setup, |commands| {
                commands.bind_pipeline(&made).unwrap();
                commands.draw(0..3, 0..1).unwrap();
            });
            for pixel in drawn[0].chunks(4) {
                let found = [0, 1, 2].map(|c| f32::from(pixel[c]) / 255.0);
                let [first, third] = expected;
                let errors = [found[0] - first, found[1] - third, found[2] - 0.5];
                assert!(
                    errors.iter().all(|error| error.abs() < 0.01),
                    "{name}, {samples} samples: {found:?}"
                );
            }
        }
    }
}

#[test]
fn offsets_count_from_the_middle_where_samples_are_shaded() {
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        for samples in [1, 4] {
            let setup = Setup::samples(samples);
            let bytes = include_bytes!("spirv/beside_samples.frag.spv");
            let made = harness
                .words_pipeline(&harness.module(SLOPED), bytes, &setup)
                .unwrap();
            let drawn = harness.record(&setup, |commands| {
                commands.bind_pipeline(&made).unwrap();
                commands.draw(0..3, 0..1).unwrap();
            });
            for pixel in drawn[0].chunks(4) {
                assert!(
                    pixel[0] < 3 && pixel[1] == 255,
                    "{name}, {samples} samples: {pixel:?}"
                );
            }
        }
    }
}

#[test]
fn distances_cull_whole_triangles_and_are_inputs() {
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        let setup = Setup::default();
        let vertex = harness.words(include_bytes!("spirv/distances.vert.spv"));
        let fragment = include_bytes!("spirv/distances.frag.spv");
        let made = harness.words_pipeline(&vertex, fragment, &setup).unwrap();
        for (cull, culled) in [([1.0_f32, -1.0, -1.0], false), ([-1.0, -0.5, -2.0], true)] {
            let drawn = harness.record(&setup, |commands| {
                commands.bind_pipeline(&made).unwrap();
                for (at, distance) in (0..).zip(cull) {
                    let bytes = distance.to_le_bytes();
                    commands.push_constants(4 * at, &bytes).unwrap();
                }
                commands.draw(0..3, 0..1).unwrap();
            });
            for (n, pixel) in drawn[0].chunks(4).enumerate() {
                let (x, y) = ((n % 8) as f32 + 0.5, (n / 8) as f32 + 0.5);
                let clip = x / 4.0 - 1.0;
                // Corner 0 is at the bottom left; the others have shares of a sixteenth a pixel.
                let other = (x + 8.0 - y) / 16.0;
                let cull = (1.0 - 2.0 * other).max(0.0);
                let expected = match culled || clip < 0.0 {
                    true => [0.0; 3],
                    false => [clip, cull, 0.0],
                };
                for (found, wanted) in pixel.iter().zip(expected) {
                    let error = f32::from(*found) / 255.0 - wanted;
                    assert!(error.abs() < 0.01, "{name} {n}: {pixel:?}, {expected:?}");
                }
                assert_eq!(pixel[3] == 0, culled || clip < 0.0, "{name} {n}");
            }
        }
    }
}

/// Four instances, each over all of the viewport of its number.
const CHOOSING: &str = "
    struct Out {
        @builtin(position) place: vec4f,
        @location(7) @interpolate(flat) viewport: u32,
    }
    @vertex fn vertex(@builtin(vertex_index) i: u32, @builtin(instance_index) n: u32) -> Out {
        return Out(vec4f(vec2f(f32(i & 1u), f32(i >> 1u)) * 4.0 - 1.0, 0.5, 1.0), n);
    }";

#[test]
fn fragments_know_their_viewport() {
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        let bytes = include_bytes!("spirv/viewport.frag.spv");
        let fragment = harness.words(bytes);
        let vertex = harness.module(CHOOSING);
        let stage = |module| ShaderStage {
            module,
            entry: None,
            constants: &[],
        };
        let setup = Setup::format(TextureFormat::Rgba8Uint);
        for viewport_output in [Some(7), None] {
            let targets: Vec<_> = setup.targets.iter().cloned().map(Some).collect();
            let made = harness
                .device
                .create_graphics_pipeline(&GraphicsPipelineDescriptor {
                    fragment: Some(stage(&fragment)),
                    targets: &targets,
                    raster: RasterState {
                        viewport_output,
                        ..RasterState::default()
                    },
                    ..GraphicsPipelineDescriptor::new(stage(&vertex))
                });
            let made = made.unwrap();
            let drawn = harness.record(&setup, |commands| {
                commands.bind_pipeline(&made).unwrap();
                let quarter = |n: u32| Viewport {
                    x: (n % 2 * 4) as f32,
                    y: (n / 2 * 4) as f32,
                    width: 4.0,
                    height: 4.0,
                    min_depth: 0.0,
                    max_depth: 1.0,
                };
                commands
                    .set_viewports(0, &[0, 1, 2, 3].map(quarter))
                    .unwrap();
                commands.draw(0..3, 0..4).unwrap();
            });
            for (n, pixel) in drawn[0].chunks(4).enumerate() {
                let quarter = n % 8 / 4 + n / 32 * 2;
                let wanted = match viewport_output {
                    Some(_) => quarter as u8 + 1,
                    None => u8::from(quarter == 0),
                };
                assert_eq!(pixel[0], wanted, "{name} {n}");
            }
        }
    }
}

#[test]
fn distances_that_are_not_written_are_named() {
    let harness = Harness::new();
    let fragment = include_bytes!("spirv/distances.frag.spv");
    let vertex = harness.module(SLOPED);
    let error = harness
        .words_pipeline(&vertex, fragment, &Setup::default())
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("clip distance 0, of which the vertex shader writes 0"),
        "{text}"
    );
}
