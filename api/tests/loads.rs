//! Texels that fragments load again and again: those of the image that a draw has bound, as they are then.
#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::{EVERYWHERE, Harness, Setup, words};

const SIZE: [u32; 2] = [80, 24];

const FRAGMENT: &str = "
    @group(0) @binding(0) var picture: texture_2d<u32>;
    @fragment fn fragment(@builtin(position) at: vec4f) -> @location(0) u32 {
        var sum = 0u;
        for (var i = 0; i < 9; i++) {
            let near = min(vec2i(at.xy) + vec2i(i, i / 3), vec2i(79, 23));
            sum += textureLoad(picture, near, 0).x * u32(i + 1);
        }
        return sum;
    }";

/// What the shader gives of a picture.
fn sums(picture: &[u32]) -> Vec<u32> {
    let [width, height] = SIZE;
    let sum = |x: u32, y: u32| {
        let near = |i: u32| {
            let (x, y) = ((x + i).min(width - 1), (y + i / 3).min(height - 1));
            picture[(y * width + x) as usize].wrapping_mul(i + 1)
        };
        (0..9).map(near).fold(0, u32::wrapping_add)
    };
    (0..width * height)
        .map(|n| sum(n % width, n / width))
        .collect()
}

/// A picture of numbers.
fn numbers(seed: u32) -> Vec<u32> {
    let number = |n: u32| (n + seed).wrapping_mul(2_654_435_761) >> 8;
    (0..SIZE[0] * SIZE[1]).map(number).collect()
}

fn write(harness: &Harness, view: &ImageView, picture: &[u32]) {
    let bytes: Vec<u8> = picture.iter().flat_map(|word| word.to_le_bytes()).collect();
    let at = ImageCopy::level(view.image(), 0);
    let queue = &harness.queue;
    queue.write_image(&at, view.size(), &bytes).unwrap();
}

#[test]
fn draws_load_what_is_there() {
    for harness in Harness::each() {
        let name = harness.device.physical_device().name();
        let setup = Setup {
            size: SIZE,
            ..Setup::format(TextureFormat::R32Uint)
        };
        let module = harness.module(&format!("{EVERYWHERE}{FRAGMENT}"));
        let stage = ShaderStage {
            module: &module,
            entry: None,
            constants: &[],
        };
        let desc = GraphicsPipelineDescriptor {
            fragment: Some(stage),
            targets: &[Some(TextureFormat::R32Uint.into())],
            ..GraphicsPipelineDescriptor::new(stage)
        };
        let pipeline = harness.device.create_graphics_pipeline(&desc).unwrap();
        let picture = || {
            let usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST;
            let size = [SIZE[0], SIZE[1], 1];
            let image = harness.image(TextureFormat::R32Uint, size, 1, usage);
            let queue = &harness.queue;
            queue.transition(&image, ImageLayout::General).unwrap();
            harness.view(&image)
        };
        let views = [picture(), picture()];
        let sets = [0, 1].map(|n| {
            let desc = DescriptorSetDescriptor {
                label: None,
                layout: pipeline.set_layout(0).unwrap(),
                entries: &[(0, (&views[n]).into())],
            };
            harness.device.create_descriptor_set(&desc).unwrap()
        });
        for round in 0..3 {
            let pictures = [numbers(2 * round), numbers(2 * round + 1)];
            for (view, picture) in views.iter().zip(&pictures) {
                write(&harness, view, picture);
            }
            // Both draws are of one pass and one state but for the image.
            let drawn = harness.record(&setup, |commands| {
                commands.bind_pipeline(&pipeline).unwrap();
                for (set, left) in sets.iter().zip([0, SIZE[0] / 2]) {
                    let half = Rect {
                        x: left,
                        y: 0,
                        width: SIZE[0] / 2,
                        height: SIZE[1],
                    };
                    commands.set_scissors(0, &[half]).unwrap();
                    commands.bind_descriptor_set(0, set, &[]).unwrap();
                    commands.draw(0..3, 0..1).unwrap();
                }
            });
            let expected = pictures.map(|picture| sums(&picture));
            for (n, word) in words(&drawn[0]).into_iter().enumerate() {
                let (x, y) = (n as u32 % SIZE[0], n as u32 / SIZE[0]);
                let half = (x / (SIZE[0] / 2)) as usize;
                assert_eq!(word, expected[half][n], "{name} round {round}: {x},{y}");
            }
        }
    }
}
