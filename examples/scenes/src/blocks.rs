//! The simplest encoders of compressed blocks: the two extremes of a block are its end points.

use girih::TextureFormat as F;

/// A picture of `side` by `side` texels, a multiple of 4, in a format of BC1 to BC5 or ETC2 without alpha. Formats that are not here get
/// zeros.
pub(super) fn encode(format: F, picture: &[[f32; 4]], side: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    for block in 0..(side / 4) * (side / 4) {
        let (bx, by) = (block % (side / 4) * 4, block / (side / 4) * 4);
        let texels: [[f32; 4]; 16] = std::array::from_fn(|i| {
            picture[((by + i as u32 / 4) * side + bx + i as u32 % 4) as usize]
        });
        let channel = |c: usize| texels.map(|t| t[c]);
        match format {
            F::Bc1RgbaUnorm | F::Bc1RgbaUnormSrgb => bytes.extend(color(&texels)),
            F::Bc2RgbaUnorm => {
                let alpha = (0..16).fold(0u64, |bits, i| {
                    bits | ((texels[i][3] * 15.0) as u64) << (4 * i)
                });
                bytes.extend(alpha.to_le_bytes());
                bytes.extend(color(&texels));
            }
            F::Bc3RgbaUnorm => {
                bytes.extend(ramp(channel(3), 255.0));
                bytes.extend(color(&texels));
            }
            F::Bc4RUnorm => bytes.extend(ramp(channel(0), 255.0)),
            F::Bc4RSnorm => bytes.extend(ramp(channel(0), 127.0)),
            F::Bc5RgUnorm => {
                bytes.extend([ramp(channel(0), 255.0), ramp(channel(1), 255.0)].concat())
            }
            F::Bc5RgSnorm => {
                bytes.extend([ramp(channel(0), 127.0), ramp(channel(1), 127.0)].concat())
            }
            F::Etc2Rgb8Unorm => bytes.extend(halves(&texels)),
            _ => bytes.extend(vec![0; format.block_copy_size(None).unwrap_or(0) as usize]),
        }
    }
    bytes
}

/// Two colours of 5:6:5 bits, the larger first, and sixteen indices to them and their thirds.
fn color(texels: &[[f32; 4]; 16]) -> [u8; 8] {
    let pack = |t: &[f32; 4]| {
        let [r, g, b, _] = *t;
        ((r * 31.0) as u16) << 11 | ((g * 63.0) as u16) << 5 | (b * 31.0) as u16
    };
    let sum = |t: &[f32; 4]| t[0] + t[1] + t[2];
    let (mut low, mut high) = (&texels[0], &texels[0]);
    for texel in texels {
        if sum(texel) < sum(low) {
            low = texel;
        }
        if sum(texel) > sum(high) {
            high = texel;
        }
    }
    let (mut first, mut second) = (high, low);
    if pack(first) < pack(second) {
        (first, second) = (second, first);
    }
    let (from, to) = (sum(first), sum(second));
    let index = |texel: &[f32; 4]| {
        let thirds = if from == to {
            0.0
        } else {
            (sum(texel) - from) / (to - from) * 3.0
        };
        // In order along the line: 0, 2, 3, 1.
        [0, 2, 3, 1][((thirds + 0.5) as usize).min(3)]
    };
    let indices = (0..16).fold(0u32, |bits, i| bits | index(&texels[i]) << (2 * i));
    let ends = u32::from(pack(first)) | u32::from(pack(second)) << 16;
    (u64::from(ends) | u64::from(indices) << 32).to_le_bytes()
}

/// Two bytes, the larger first, and sixteen indices to them and six steps between.
fn ramp(values: [f32; 16], scale: f32) -> [u8; 8] {
    let high = values.iter().fold(0.0f32, |a, b| a.max(*b));
    let low = values.iter().fold(1.0f32, |a, b| a.min(*b));
    let index = |value: f32| {
        let sevenths = if high == low {
            0.0
        } else {
            (high - value) / (high - low) * 7.0
        };
        // In order along the line: 0, 2 to 7, 1.
        match (sevenths + 0.5) as u64 {
            0 => 0,
            n @ 1..=6 => n + 1,
            _ => 1,
        }
    };
    let indices = (0..16).fold(0u64, |bits, i| bits | index(values[i]) << (3 * i));
    let ends = (high * scale) as u64 | ((low * scale) as u64) << 8;
    (ends | indices << 16).to_le_bytes()
}

/// Steps of brightness of a half of a block of ETC, of 255.
const STEPS: [[i32; 2]; 8] = [
    [2, 8],
    [5, 17],
    [9, 29],
    [13, 42],
    [18, 60],
    [24, 80],
    [33, 106],
    [47, 183],
];

/// A colour of 4:4:4 bits for each half, left and right, and a step of brightness for each texel.
fn halves(texels: &[[f32; 4]; 16]) -> [u8; 8] {
    let mut block = 0u64;
    for half in 0..2 {
        let members: [usize; 8] = std::array::from_fn(|n| n / 2 * 4 + n % 2 + 2 * half);
        let mean = |c: usize| members.iter().fold(0.0, |sum, i| sum + texels[*i][c]) / 8.0;
        let base = [0, 1, 2].map(|c| (mean(c) * 15.0 + 0.5) as u64);
        for (c, value) in base.into_iter().enumerate() {
            block |= value << (60 - 8 * c - 4 * half);
        }
        let sum = base.iter().sum::<u64>() as f32 / 15.0;
        let brighter = |i: usize| {
            let [r, g, b, _] = texels[i];
            ((r + g + b - sum) * 85.0) as i32
        };
        let widest = members.iter().map(|i| brighter(*i).abs()).max();
        let table = STEPS.iter().position(|[_, most]| Some(*most) >= widest);
        let table = table.unwrap_or(STEPS.len() - 1);
        block |= (table as u64) << (37 - 3 * half);
        let [small, large] = STEPS[table];
        for i in members {
            let steps = [small, large, -small, -large];
            let nearest = (0..4).min_by_key(|n| (steps[*n] - brighter(i)).abs());
            let (step, place) = (nearest.unwrap_or(0) as u64, i % 4 * 4 + i / 4);
            block |= (step >> 1) << (16 + place) | (step & 1) << place;
        }
    }
    block.to_be_bytes()
}

/// Red, green and blue below 1 with one exponent: 9 bits each of 511ths.
pub(super) fn shared_exponent(texel: &[f32; 4]) -> u32 {
    // Exponent 15 counts 2^-9.
    let mantissa = |c: f32| (c * 511.0) as u32;
    mantissa(texel[0]) | mantissa(texel[1]) << 9 | mantissa(texel[2]) << 18 | 15 << 27
}
