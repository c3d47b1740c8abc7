//! BC1 to BC5. [VK-DF S3TC, RGTC]

/// Red, green and blue of a 5:6:5 colour, widened to 8 bits.
fn expand565(c: u32) -> [u32; 3] {
    let (r, g, b) = (c >> 11 & 31, c >> 5 & 63, c & 31);
    [r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2]
}

/// A texel of a colour block; `punch` lets the order of the end points choose three colours and transparent black.
pub fn bc1(block: [u32; 2], at: u32, punch: bool) -> u32 {
    let (c0, c1) = (block[0] & 0xffff, block[0] >> 16);
    let index = block[1] >> (2 * at) & 3;
    let four = c0 > c1 || !punch;
    if !four && index == 3 {
        return 0;
    }
    let (a, b) = (expand565(c0), expand565(c1));
    let mut word = 0xff << 24;
    for c in 0..3 {
        let x = match (index, four) {
            (0, _) => a[c],
            (1, _) => b[c],
            (2, true) => (2 * a[c] + b[c] + 1) / 3,
            (_, true) => (a[c] + 2 * b[c] + 1) / 3,
            (_, false) => (a[c] + b[c]).div_ceil(2),
        };
        word |= x << (8 * c);
    }
    word
}

/// A texel with 4-bit alpha.
pub fn bc2(block: [u32; 4], at: u32) -> u32 {
    let alpha = block[(at / 8) as usize] >> (4 * (at % 8)) & 15;
    bc1([block[2], block[3]], at, false) & 0xff_ffff | (alpha * 17) << 24
}

/// A texel with interpolated alpha.
pub fn bc3(block: [u32; 4], at: u32) -> u32 {
    let (numerator, denominator) = ramp([block[0], block[1]], at, false);
    let alpha = (2 * numerator as u32 + denominator as u32) / (2 * denominator as u32);
    bc1([block[2], block[3]], at, false) & 0xff_ffff | alpha << 24
}

/// The interpolated value of a texel as a fraction, in units of the end points.
fn ramp(block: [u32; 2], at: u32, signed: bool) -> (i32, i32) {
    let bits = u64::from(block[0]) | u64::from(block[1]) << 32;
    let index = (bits >> (16 + 3 * at)) as i32 & 7;
    let end = |shift: u32| {
        let byte = (bits >> shift) as u8;
        if signed {
            i32::from(byte as i8).max(-127)
        } else {
            i32::from(byte)
        }
    };
    let (a, b) = (end(0), end(8));
    match index {
        0 => (a, 1),
        1 => (b, 1),
        _ if a > b => ((8 - index) * a + (index - 1) * b, 7),
        6 => (if signed { -127 } else { 0 }, 1),
        7 => (if signed { 127 } else { 255 }, 1),
        _ => ((6 - index) * a + (index - 1) * b, 5),
    }
}

/// An interpolated unsigned channel.
pub fn bc4(block: [u32; 2], at: u32) -> f32 {
    let (numerator, denominator) = ramp(block, at, false);
    numerator as f32 / (255 * denominator) as f32
}

/// An interpolated signed channel.
pub fn bc4_snorm(block: [u32; 2], at: u32) -> f32 {
    let (numerator, denominator) = ramp(block, at, true);
    numerator as f32 / (127 * denominator) as f32
}
