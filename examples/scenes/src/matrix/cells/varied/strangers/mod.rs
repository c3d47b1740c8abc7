//! Programs as they come from elsewhere: filters and surfaces, frames of many states, and dispatches whose results are drawn.

mod compute;
mod filters;
mod frames;
mod images;
mod programs;
mod second;
mod targets;
mod third;

use TextureViewDimension as D;
use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::*;

/// A texture of one level that is made.
fn made(format: F, edge: u32, make: fn() -> Vec<u8>) -> Read {
    let texture = Texture {
        contents: Contents::Made(make),
        ..noise_texture(format, D::D2, [edge, edge, 1], 1)
    };
    Read(texture, FILTERED, "texture_2d<f32>")
}

/// 512 by 512 texels: disks of several sizes over a gradient, with how far away they are as alpha.
fn disks() -> Vec<u8> {
    let texel = |n: u32| {
        let [x, y] = [n % 512, n / 512];
        let kind = (x / 64 * 7 + y / 64 * 11) % 13;
        let away = [x, y].map(|n| (n % 64).abs_diff(32).pow(2));
        if away[0] + away[1] < (8 + 2 * kind).pow(2) {
            let [red, green, blue] = [5, 3, 7].map(|k| (kind * k * 17 % 200 + 55) as u8);
            [red, green, blue, (kind * 20) as u8]
        } else {
            [(x / 4) as u8, (y / 4) as u8, 64, (y / 2) as u8]
        }
    };
    (0..512 * 512).flat_map(texel).collect()
}

/// 256 by 256 heights of hills that repeat.
fn hills() -> Vec<u8> {
    // Up and down in 64 texels, of parabolas: the same everywhere. -256 to 256.
    let wave = |n: u32| {
        let up = (n % 32 * (32 - n % 32)) as i32;
        if n % 64 < 32 { up } else { -up }
    };
    let height = |n: u32| {
        let [x, y] = [n % 256, n / 256];
        let tall = wave(x) * wave(y) / 256;
        (128 + (70 * tall + 40 * wave(2 * x + y)) / 256) as u8
    };
    (0..256 * 256).map(height).collect()
}

/// A corner of a square of two triangles.
const CORNER: &str = "
fn corner(n: u32) -> vec2f { return vec2f(f32(0x32u >> n & 1u), f32(0x2cu >> n & 1u)); }
";

/// A picture that nothing has been drawn to, as the first image.
fn empty(label: &str) -> Plan {
    let mut plan = Plan::new(label);
    plan.picture = plan.target(F::Rgba8Unorm, [SIZE, SIZE], 1);
    plan
}

fn words(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = filters::cells();
    cells.extend(programs::cells());
    cells.extend(frames::cells());
    cells.extend(targets::cells());
    cells.extend(compute::cells());
    cells.extend(images::cells());
    cells.extend(second::cells());
    cells.extend(third::cells());
    cells
}
