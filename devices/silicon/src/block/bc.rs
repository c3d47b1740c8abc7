//! BC1 to BC5. [VK-DF S3TC, RGTC]

/// Red, green and blue of a 5:6:5 colour, widened to 8 bits.
fn expand565(c: u32) -> [u32; 3] {
    let (r, g, b) = (c >> 11 & 31, c >> 5 & 63, c & 31);
    [r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2]
}

/// The four colours of a block; `punch` lets the order of the end points choose three colours and transparent black.
fn palette(ends: u32, punch: bool) -> [u32; 4] {
    let (c0, c1) = (ends & 0xffff, ends >> 16);
    let (a, b) = (expand565(c0), expand565(c1));
    let color = |mix: &dyn Fn(u32, u32) -> u32| {
        (0..3).fold(0xff << 24, |word, c| word | mix(a[c], b[c]) << (8 * c))
    };
    let (first, second) = (color(&|a, _| a), color(&|_, b| b));
    if c0 > c1 || !punch {
        let third = color(&|a, b| (2 * a + b + 1) / 3);
        [first, second, third, color(&|a, b| (a + 2 * b + 1) / 3)]
    } else {
        [first, second, color(&|a, b| (a + b).div_ceil(2)), 0]
    }
}

fn color_index(block: [u32; 2], at: u32) -> usize {
    (block[1] >> (2 * at) & 3) as usize
}

/// A texel of a colour block; `punch` as for the colours.
pub fn bc1(block: [u32; 2], at: u32, punch: bool) -> u32 {
    palette(block[0], punch)[color_index(block, at)]
}

/// All texels of a colour block.
pub fn all_bc1(block: [u32; 2], punch: bool) -> [u32; 16] {
    let colors = palette(block[0], punch);
    std::array::from_fn(|at| colors[color_index(block, at as u32)])
}

/// A texel with 4-bit alpha.
pub fn bc2(block: [u32; 4], at: u32) -> u32 {
    bc1([block[2], block[3]], at, false) & 0xff_ffff | bc2_alpha(block, at) << 24
}

fn bc2_alpha(block: [u32; 4], at: u32) -> u32 {
    17 * (block[(at / 8) as usize] >> (4 * (at % 8)) & 15)
}

/// All texels with 4-bit alpha.
pub fn all_bc2(block: [u32; 4]) -> [u32; 16] {
    let colors = all_bc1([block[2], block[3]], false);
    std::array::from_fn(|at| colors[at] & 0xff_ffff | bc2_alpha(block, at as u32) << 24)
}

/// A texel with interpolated alpha.
pub fn bc3(block: [u32; 4], at: u32) -> u32 {
    let ramp = Ramp::new([block[0], block[1]], false);
    bc1([block[2], block[3]], at, false) & 0xff_ffff | ramp.byte(ramp.index(at)) << 24
}

/// All texels with interpolated alpha.
pub fn all_bc3(block: [u32; 4]) -> [u32; 16] {
    let ramp = Ramp::new([block[0], block[1]], false);
    let alphas: [u32; 8] = std::array::from_fn(|index| ramp.byte(index as i32));
    let colors = all_bc1([block[2], block[3]], false);
    std::array::from_fn(|at| colors[at] & 0xff_ffff | alphas[ramp.index(at as u32) as usize] << 24)
}

/// A block of one interpolated channel.
struct Ramp {
    bits: u64,
    ends: [i32; 2],
    signed: bool,
}

impl Ramp {
    fn new(block: [u32; 2], signed: bool) -> Ramp {
        let bits = u64::from(block[0]) | u64::from(block[1]) << 32;
        let ends = [bits as u8, (bits >> 8) as u8].map(|byte| match signed {
            true => i32::from(byte as i8).max(-127),
            false => i32::from(byte),
        });
        Ramp { bits, ends, signed }
    }

    /// Which of the eight values a texel has.
    fn index(&self, at: u32) -> i32 {
        (self.bits >> (16 + 3 * at)) as i32 & 7
    }

    /// One of the values as a fraction, in units of the end points.
    fn fraction(&self, index: i32) -> (i32, i32) {
        let [a, b] = self.ends;
        match index {
            0 => (a, 1),
            1 => (b, 1),
            _ if a > b => ((8 - index) * a + (index - 1) * b, 7),
            6 => (if self.signed { -127 } else { 0 }, 1),
            7 => (if self.signed { 127 } else { 255 }, 1),
            _ => ((6 - index) * a + (index - 1) * b, 5),
        }
    }

    /// One of the values rounded to a byte.
    fn byte(&self, index: i32) -> u32 {
        let (numerator, denominator) = self.fraction(index);
        (2 * numerator as u32 + denominator as u32) / (2 * denominator as u32)
    }

    /// One of the values as a number of at most 1.
    fn float(&self, index: i32) -> f32 {
        let (numerator, denominator) = self.fraction(index);
        let one = if self.signed { 127 } else { 255 };
        numerator as f32 / (one * denominator) as f32
    }
}

/// An interpolated channel.
pub fn bc4(block: [u32; 2], at: u32, signed: bool) -> f32 {
    let ramp = Ramp::new(block, signed);
    ramp.float(ramp.index(at))
}

/// All texels of an interpolated channel.
pub fn all_bc4(block: [u32; 2], signed: bool) -> [f32; 16] {
    let ramp = Ramp::new(block, signed);
    let values: [f32; 8] = std::array::from_fn(|index| ramp.float(index as i32));
    std::array::from_fn(|at| values[ramp.index(at as u32) as usize])
}
