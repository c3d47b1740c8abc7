//! Copies of boxes against rows on the host.

use super::*;

const WIDTH: u32 = 300;
const HEIGHT: u32 = 205;

/// Where a box is taken from and put, and its size.
const BOXES: [[[u32; 2]; 3]; 4] = [
    [[0, 0], [0, 0], [WIDTH, HEIGHT]],
    [[8, 16], [24, 8], [200, 120]],
    [[3, 5], [1, 2], [250, 190]],
    [[0, 3], [10, 7], [290, 150]],
];

const FORMATS: [(TextureFormat, usize); 4] = [
    (TextureFormat::R8Unorm, 1),
    (TextureFormat::Rgba8Unorm, 4),
    (TextureFormat::Rgba16Float, 8),
    (TextureFormat::Rgba32Float, 16),
];

fn corner(image: &Image, [x, y]: [u32; 2]) -> ImageCopy<'_> {
    ImageCopy {
        origin: Origin3d { x, y, z: 0 },
        ..ImageCopy::level(image, 0)
    }
}

/// Where a line of a box begins in the bytes of an image.
fn byte([x, y]: [u32; 2], line: usize, texel: usize) -> usize {
    ((y as usize + line) * WIDTH as usize + x as usize) * texel
}

/// Whole levels, and boxes at any texel, between images and within one.
#[test]
fn boxes_go_to_other_images_and_places() {
    for t in Fixture::each() {
        for (format, texel) in FORMATS {
            let images = [(); 2].map(|()| t.flat(format, WIDTH, HEIGHT));
            let first = counting((WIDTH * HEIGHT) as usize * texel);
            t.write(&images[0], &first);
            let mut held = [first.clone(), vec![0; first.len()]];
            for ([from, to, [width, height]], source) in
                BOXES.iter().flat_map(|b| [(*b, 0), (*b, 1)])
            {
                t.run(|commands| {
                    let places = [corner(&images[source], from), corner(&images[1], to)];
                    let size = extent(width, height, 1);
                    commands.copy_image(&places[0], &places[1], size).unwrap();
                });
                let before = held[source].clone();
                let count = width as usize * texel;
                for line in 0..height as usize {
                    let texels = &before[byte(from, line, texel)..][..count];
                    held[1][byte(to, line, texel)..][..count].copy_from_slice(texels);
                }
                let how = format!("{format:?} {from:?} of {source} to {to:?}, {width}x{height}");
                assert!(t.read(&images[1], 0) == held[1], "{how}");
            }
        }
    }
}

/// To a buffer with bytes between rows, which stay, and back.
#[test]
fn boxes_go_to_padded_rows_and_back() {
    const OFFSET: usize = 5;
    for t in Fixture::each() {
        for (format, texel) in FORMATS {
            let image = t.flat(format, WIDTH, HEIGHT);
            let held = counting((WIDTH * HEIGHT) as usize * texel);
            let pitch = WIDTH as usize * texel + 3;
            for [_, at, [width, height]] in BOXES {
                t.write(&image, &held);
                let buffer = t.device.create_buffer_init(&BufferInitDescriptor {
                    contents: &vec![9; OFFSET + pitch * HEIGHT as usize],
                    usage: BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
                    ..Default::default()
                });
                let buffer = buffer.unwrap();
                let rows = BufferCopy {
                    bytes_per_row: Some(pitch as u64),
                    ..BufferCopy::at(&buffer, OFFSET as u64)
                };
                let (place, size) = (corner(&image, at), extent(width, height, 1));
                t.run(|commands| commands.copy_image_to_buffer(&place, &rows, size).unwrap());
                let mut got = vec![0; buffer.size() as usize];
                buffer.read(0, &mut got).unwrap();
                let count = width as usize * texel;
                let lines = got[OFFSET..].chunks(pitch).enumerate();
                for (line, bytes) in lines.take(height as usize) {
                    let texels = &held[byte(at, line, texel)..][..count];
                    assert!(bytes[..count] == *texels, "{format:?} {at:?} {line}");
                    assert!(bytes[count..].iter().all(|byte| *byte == 9));
                }
                t.write(&image, &vec![0; held.len()]);
                t.run(|commands| commands.copy_buffer_to_image(&rows, &place, size).unwrap());
                let got = t.read(&image, 0);
                let mut expected = vec![0; held.len()];
                for line in 0..height as usize {
                    let line = byte(at, line, texel);
                    expected[line..][..count].copy_from_slice(&held[line..][..count]);
                }
                assert!(got == expected, "{format:?} {at:?} from a buffer");
            }
        }
    }
}
