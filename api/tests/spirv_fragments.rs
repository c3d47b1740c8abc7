//! What fragment shaders in SPIR-V ask for and no other language does: levels that samples would take, positions of samples,
//! inputs beside the middle of the pixel.
#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::{EVERYWHERE, Harness, Setup};

fn floats(bytes: &[u8]) -> Vec<f32> {
    let words = bytes.as_chunks().0.iter();
    words.map(|word| f32::from_le_bytes(*word)).collect()
}

fn near(found: &[f32], expected: &[f32], by: f32) -> bool {
    let mut pairs = found.iter().zip(expected);
    found.len() == expected.len() && pairs.all(|(a, b)| (a - b).abs() <= by)
}

/// A view of zeros: 16 by 16 texels.
fn texture(harness: &Harness, levels: u32, layers: u32, view: TextureViewDimension) -> ImageView {
    let image = harness.device.create_image(&ImageDescriptor {
        label: Some("image"),
        dimension: TextureDimension::D2,
        size: Extent3d {
            width: 16,
            height: 16,
            depth_or_array_layers: layers,
        },
        levels,
        samples: 1,
        format: TextureFormat::Rgba8Unorm,
        usage: TextureUsages::TEXTURE_BINDING,
        placement: None,
    });
    let image = image.unwrap();
    let to = ImageLayout::ShaderReadOnly;
    harness.queue.transition(&image, to).unwrap();
    let desc = ImageViewDescriptor {
        dimension: Some(view),
        ..ImageViewDescriptor::default()
    };
    harness.device.create_image_view(&image, &desc).unwrap()
}

#[test]
fn levels_that_samples_would_take() {
    for harness in Harness::each() {
        let setup = Setup::format(TextureFormat::Rgba32Float);
        let fragment = include_bytes!("spirv/levels.frag.spv");
        let made = harness.words_pipeline(&harness.module(EVERYWHERE), fragment, &setup);
        let name = harness.device.physical_device().name();
        if name == "rogue" {
            let error = made.unwrap_err().to_string();
            assert!(
                error.contains("the level that a sample would take"),
                "{error}"
            );
            continue;
        }
        let made = made.unwrap();
        let sampler = SamplerDescriptor {
            min_filter: FilterMode::Linear,
            mipmap_filter: MipmapFilterMode::Linear,
            ..SamplerDescriptor::default()
        };
        let sampler = harness.device.create_sampler(&sampler).unwrap();
        let image = texture(&harness, 5, 1, TextureViewDimension::D2);
        let cube = texture(&harness, 1, 6, TextureViewDimension::Cube);
        let layers = texture(&harness, 1, 2, TextureViewDimension::D2Array);
        let set = harness
            .device
            .create_descriptor_set(&DescriptorSetDescriptor {
                label: None,
                layout: made.set_layout(0).unwrap(),
                entries: &[
                    (0, (&image, &sampler).into()),
                    (1, (&cube, &sampler).into()),
                    (2, (&layers, &sampler).into()),
                ],
            })
            .unwrap();
        let drawn = harness.record(&setup, |commands| {
            commands.bind_pipeline(&made).unwrap();
            commands.bind_descriptor_set(0, &set, &[]).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        for pixel in floats(&drawn[0]).chunks(4) {
            // The limited level, then the one of the derivatives.
            assert!(
                near(pixel, &[2.0, 2.0, 0.0, -2.0], 0.02),
                "{name}: {pixel:?}"
            );
        }
    }
}

#[test]
fn positions_of_samples() {
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        let fragment = include_bytes!("spirv/positions.frag.spv");
        for (samples, expected) in [(1, [0.25, 0.25, 0.25]), (4, [0.328_125, 0.328_125, 0.25])] {
            let setup = Setup::samples(samples);
            let made = harness
                .words_pipeline(&harness.module(EVERYWHERE), fragment, &setup)
                .unwrap();
            let drawn = harness.record(&setup, |commands| {
                commands.bind_pipeline(&made).unwrap();
                commands.draw(0..3, 0..1).unwrap();
            });
            for pixel in drawn[0].chunks(4) {
                let found: Vec<f32> = pixel[..3].iter().map(|&c| f32::from(c) / 255.0).collect();
                assert!(
                    near(&found, &expected, 0.005),
                    "{name}, {samples}: {found:?}"
                );
            }
        }
    }
}

/// Three corners, each with its own w; values that follow from their numbers.
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

/// The inputs of [`SLOPED`] at a place of the picture.
fn sloped(x: f32, y: f32) -> [f32; 3] {
    // Places of the corners: bottom left, far right, far top; y goes down in the picture.
    let (right, up) = (x / 16.0, (8.0 - y) / 16.0);
    let shares = [1.0 - right - up, right, up];
    let sum = |of: &dyn Fn(usize) -> f32| (0..3).map(|i| shares[i] * of(i)).sum::<f32>();
    let w = |i: usize| 1.0 + i as f32;
    let near = sum(&|i| (i * i) as f32 / w(i)) / sum(&|i| 1.0 / w(i));
    [near, sum(&|i| i as f32), sum(&|i| 4.0 - i as f32)]
}

#[test]
fn inputs_beside_the_middle() {
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        let setup = Setup::format(TextureFormat::Rgba32Float);
        let made = harness.words_pipeline(
            &harness.module(SLOPED),
            include_bytes!("spirv/offsets.frag.spv"),
            &setup,
        );
        let made = made.unwrap();
        let drawn = harness.record(&setup, |commands| {
            commands.bind_pipeline(&made).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        for (n, pixel) in floats(&drawn[0]).chunks(4).enumerate() {
            let (x, y) = ((n % 8) as f32 + 0.5, (n / 8) as f32 + 0.5);
            let at = |dx: f32, dy: f32| sloped(x + dx, y + dy);
            let (here, other, flat) = (at(0.0, 0.0), at(0.25, -0.5), at(0.5, 0.25));
            let expected = [
                other[0] - here[0],
                flat[1] - here[1],
                flat[2] - here[2],
                7.0,
            ];
            assert!(
                near(pixel, &expected, 1e-3),
                "{name} {n}: {pixel:?}, {expected:?}"
            );
        }
    }
}
