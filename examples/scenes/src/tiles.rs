//! The texture of the cube: a girih pattern of eight-pointed stars and crosses, made by code, with its mip levels.

use crate::{Failure, levels};
use girih::*;

/// Texels across and down.
const SIZE: u32 = 256;
/// Repeats across and down.
const REPEATS: u32 = 2;

/// Red, green, blue as stored.
const STAR: [i32; 3] = [38, 166, 154];
const CROSS: [i32; 3] = [27, 64, 121];
const STRAP: [i32; 3] = [240, 226, 190];
const EDGE: [i32; 3] = [52, 36, 28];

/// Colour of the pattern, `x` and `y` in units of 1/1024 of a repeat.
fn color(x: i32, y: i32) -> [i32; 3] {
    // A star is the union of a square and the same square turned by 45 degrees. Its outline is where the distance to the
    // union is zero; both distances are in the same unit, and 1448 / 1024 is the square root of two.
    let (dx, dy) = ((x - 512).abs(), (y - 512).abs());
    let straight = dx.max(dy);
    let turned = (dx + dy) * 1024 / 1448;
    let star = straight.min(turned) - 362;
    // Straps also cross in the middle of the crosses, at the corners of the repeat.
    let (ex, ey) = ((dx - 512).abs(), (dy - 512).abs());
    let cross = (ex.min(ey) - 4).max(190 - ex.max(ey));
    let strap = star.abs().min(cross.abs());
    if strap < 26 {
        STRAP
    } else if strap < 40 {
        EDGE
    } else if star < 0 {
        STAR
    } else {
        CROSS
    }
}

/// Level 0 as rows of red, green, blue, alpha: the mean of 16 samples a texel.
fn pattern() -> Vec<u8> {
    let mut texels = Vec::with_capacity((SIZE * SIZE * 4) as usize);
    let step = (1024 * REPEATS / SIZE) as i32;
    for y in 0..SIZE as i32 {
        for x in 0..SIZE as i32 {
            let mut sum = [0; 3];
            for sample in 0..16 {
                let at = |i: i32, s: i32| (i * step + (2 * s + 1) * step / 8) % 1024;
                let c = color(at(x, sample % 4), at(y, sample / 4));
                sum = std::array::from_fn(|i| sum[i] + c[i]);
            }
            texels.extend(sum.map(|c| (c / 16) as u8));
            texels.push(255);
        }
    }
    texels
}

/// The texture, ready to be sampled.
pub(super) fn texture(device: &Device) -> Result<ImageView, Failure> {
    let image = device.create_image(&ImageDescriptor {
        label: Some("tiles"),
        dimension: TextureDimension::D2,
        size: Extent3d {
            width: SIZE,
            height: SIZE,
            depth_or_array_layers: 1,
        },
        levels: SIZE.ilog2() + 1,
        samples: 1,
        format: TextureFormat::Rgba8UnormSrgb,
        usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
        placement: None,
    })?;
    levels::upload(device, &image, pattern())?;
    Ok(device.create_image_view(&image, &ImageViewDescriptor::default())?)
}
