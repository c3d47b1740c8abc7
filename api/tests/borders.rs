//! Border colours are red, green, blue and alpha in every format, wherever its texels keep these.

#![allow(clippy::unwrap_used)]

mod harness;

use ::pipeline::format::texture_format;
use girih::*;
use harness::*;
use silicon::texture::format::Read;

const COLOR: [f32; 4] = [0.75, 0.125, 0.25, 0.5];

/// What a sample far outside of a texture gives.
fn outside(harness: &Harness, view: &ImageView, border: BorderColor) -> Vec<f32> {
    let sampler = SamplerDescriptor {
        address_mode_u: AddressMode::ClampToBorder,
        mag_filter: FilterMode::Linear,
        min_filter: FilterMode::Linear,
        border_color: Some(border),
        ..SamplerDescriptor::default()
    };
    let (layout, set) = harness.sampled(view, &sampler);
    let setup = Setup {
        sets: vec![&layout],
        ..Setup::format(TextureFormat::Rgba32Float)
    };
    let fragment = "@group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @fragment fn fragment() -> @location(0) vec4f {
            return textureSampleLevel(t, s, vec2f(-3.0, 0.5), 0.0);
        }";
    let pipeline = harness.pipeline(&setup, &(EVERYWHERE.to_owned() + fragment));
    let texels = harness.record(&setup, |commands| {
        commands.bind_pipeline(&pipeline).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        commands.draw(0..3, 0..1).unwrap();
    });
    let words = words(&texels[0]);
    words[..4]
        .iter()
        .map(|word| f32::from_bits(*word))
        .collect()
}

#[test]
fn components_keep_their_places() {
    for harness in Harness::each() {
        let gpu = harness.device.physical_device();
        let mut met = 0;
        for format in gpu.formats() {
            let plain = !format.is_depth_stencil_format() && !format.is_multi_planar_format();
            if !plain || !gpu.format_capabilities(format).filterable {
                continue;
            }
            met += 1;
            let (width, height) = format.block_dimensions();
            let size = [4 * width, 4 * height, 1];
            let image = harness.image(format, size, 1, TextureUsages::TEXTURE_BINDING);
            harness
                .queue
                .transition(&image, ImageLayout::ShaderReadOnly)
                .unwrap();
            let view = harness.view(&image);
            let row = texture_format(format).unwrap();
            for (border, color) in [
                (BorderColor::Float(COLOR), COLOR),
                (BorderColor::OpaqueWhite, [1.0; 4]),
                (BorderColor::OpaqueBlack, [0.0, 0.0, 0.0, 1.0]),
            ] {
                let found = outside(&harness, &view, border);
                for (n, read) in row.row().reads.iter().enumerate() {
                    let expected = match read {
                        Read::Channel(_) => color[n],
                        Read::Zero => 0.0,
                        Read::One => 1.0,
                    };
                    // Beside texels of bytes a border is of bytes.
                    let near = (found[n] - expected).abs() < 0.6 / 255.0;
                    assert!(near, "{format:?}, {border:?}: {found:?}");
                }
            }
        }
        assert!(met > 20, "{met} formats");
    }
}
