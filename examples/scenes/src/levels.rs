//! Mip levels of textures that are made by code: each texel is the mean of four of the level above, as stored.

use crate::Failure;
use girih::*;

/// The next smaller level: the mean of every two by two texels of four bytes.
fn half(texels: &[u8], size: u32) -> Vec<u8> {
    let texel = |x: u32, y: u32, c: u32| u32::from(texels[((y * size + x) * 4 + c) as usize]);
    let mut out = Vec::with_capacity(texels.len() / 4);
    for y in (0..size).step_by(2) {
        for x in (0..size).step_by(2) {
            out.extend((0..4).map(|c| {
                let sum = texel(x, y, c)
                    + texel(x + 1, y, c)
                    + texel(x, y + 1, c)
                    + texel(x + 1, y + 1, c);
                ((sum + 2) / 4) as u8
            }));
        }
    }
    out
}

/// Writes level 0 of a square image of four bytes a texel, and all levels below it; the image is then ready to be
/// sampled. Its size is a power of two.
pub(super) fn upload(device: &Device, image: &Image, level_0: Vec<u8>) -> Result<(), Failure> {
    let queue = device.queue();
    queue.transition(image, ImageLayout::CopyDestination)?;
    let mut texels = level_0;
    for level in 0..image.levels() {
        let size = image.level_size(level);
        queue.write_image(&ImageCopy::level(image, level), size, &texels)?;
        if size.width > 1 {
            texels = half(&texels, size.width);
        }
    }
    queue.transition(image, ImageLayout::ShaderReadOnly)?;
    Ok(())
}
