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

/// A colour block.
pub struct Colors {
    palette: [u32; 4],
    indices: u32,
}

impl Colors {
    /// `punch` lets the order of the end points choose three colours and transparent black.
    pub fn new([ends, indices]: [u32; 2], punch: bool) -> Colors {
        Colors {
            palette: palette(ends, punch),
            indices,
        }
    }

    /// A texel as bytes.
    pub fn texel(&self, at: u32) -> u32 {
        self.palette[(self.indices >> (2 * at) & 3) as usize]
    }
}

/// 4-bit alpha of a texel, as a byte at its place.
pub fn alpha4(block: [u32; 2], at: u32) -> u32 {
    (17 * (block[(at / 8) as usize & 1] >> (4 * (at % 8)) & 15)) << 24
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

/// Indices of a ramp with what its eight values are.
pub struct Channel<T> {
    ramp: Ramp,
    values: [T; 8],
}

impl<T: Copy> Channel<T> {
    fn new(ramp: Ramp, value: fn(&Ramp, i32) -> T) -> Channel<T> {
        let values = [0, 1, 2, 3, 4, 5, 6, 7].map(|index| value(&ramp, index));
        Channel { ramp, values }
    }

    /// The value of a texel.
    pub fn texel(&self, at: u32) -> T {
        self.values[self.ramp.index(at) as usize]
    }
}

impl Channel<u32> {
    /// Interpolated alpha, as bytes at their place.
    pub fn alpha(block: [u32; 2]) -> Channel<u32> {
        Channel::new(Ramp::new(block, false), |ramp, index| {
            ramp.byte(index) << 24
        })
    }
}

impl Channel<f32> {
    /// An interpolated channel of numbers of at most 1.
    pub fn float(block: [u32; 2], signed: bool) -> Channel<f32> {
        Channel::new(Ramp::new(block, signed), Ramp::float)
    }
}
