//! ETC2 and EAC. A block is read as one big-endian number; texels run down columns. [VK-DF ETC2]

/// Small and large modifier of each table of the individual and differential modes.
const MODIFIERS: [[i32; 2]; 8] = [
    [2, 8],
    [5, 17],
    [9, 29],
    [13, 42],
    [18, 60],
    [24, 80],
    [33, 106],
    [47, 183],
];

/// Distances of the T and H modes.
const DISTANCES: [i32; 8] = [3, 6, 11, 16, 23, 32, 41, 64];

/// Modifiers of EAC.
#[rustfmt::skip]
const EAC: [[i32; 8]; 16] = [
    [-3, -6, -9, -15, 2, 5, 8, 14],
    [-3, -7, -10, -13, 2, 6, 9, 12],
    [-2, -5, -8, -13, 1, 4, 7, 12],
    [-2, -4, -6, -13, 1, 3, 5, 12],
    [-3, -6, -8, -12, 2, 5, 7, 11],
    [-3, -7, -9, -11, 2, 6, 8, 10],
    [-4, -7, -8, -11, 3, 6, 7, 10],
    [-3, -5, -8, -11, 2, 4, 7, 10],
    [-2, -6, -8, -10, 1, 5, 7, 9],
    [-2, -5, -8, -10, 1, 4, 7, 9],
    [-2, -4, -8, -10, 1, 3, 7, 9],
    [-2, -5, -7, -10, 1, 4, 6, 9],
    [-3, -4, -7, -10, 2, 3, 6, 9],
    [-1, -2, -3, -10, 0, 1, 2, 9],
    [-4, -6, -8, -9, 3, 5, 7, 8],
    [-3, -5, -7, -9, 2, 4, 6, 8],
];

fn number(block: [u32; 2]) -> u64 {
    u64::from(block[0].swap_bytes()) << 32 | u64::from(block[1].swap_bytes())
}

fn clamp(x: i32) -> u32 {
    x.clamp(0, 255) as u32
}

fn pack(rgb: [i32; 3]) -> u32 {
    clamp(rgb[0]) | clamp(rgb[1]) << 8 | clamp(rgb[2]) << 16 | 0xff << 24
}

/// A colour block.
pub struct Rgb {
    bits: u64,
    /// Index 2 is transparent black otherwise.
    opaque: bool,
    mode: Mode,
}

enum Mode {
    /// A base colour for each half.
    Halves([[i32; 3]; 2]),
    /// Four colours.
    Paints([u32; 4]),
    /// A plane through the colours of the origin, to its right and below it.
    Planar([[i32; 3]; 3]),
}

impl Rgb {
    /// `punch` is the format with punch-through alpha, where the differential bit says whether a block is opaque.
    pub fn new(block: [u32; 2], punch: bool) -> Rgb {
        let bits = number(block);
        let flag = bits >> 33 & 1 != 0;
        let mode = match punch || flag {
            true => differential(bits),
            // Individual: two colours of 4 bits.
            false => Mode::Halves([0, 4].map(|shift| {
                [60, 52, 44].map(|low| field(bits, low + 3 - shift, low - shift) * 17)
            })),
        };
        Rgb {
            bits,
            opaque: !punch || flag,
            mode,
        }
    }

    /// A texel as bytes.
    pub fn texel(&self, x: u32, y: u32) -> u32 {
        let at = 4 * x + y;
        let index = ((self.bits >> (16 + at) & 1) << 1 | self.bits >> at & 1) as usize;
        match &self.mode {
            Mode::Planar(colors) => plane(colors, x as i32, y as i32),
            _ if !self.opaque && index == 2 => 0,
            Mode::Paints(paints) => paints[index],
            Mode::Halves(bases) => self.shade(bases, [x, y], index),
        }
    }

    /// A colour of a half block plus the modifier of a texel.
    fn shade(&self, bases: &[[i32; 3]; 2], [x, y]: [u32; 2], index: usize) -> u32 {
        let flipped = self.bits >> 32 & 1 != 0;
        let half = usize::from(if flipped { y >= 2 } else { x >= 2 });
        let table = (self.bits >> (37 - 3 * half) & 7) as usize;
        let [small, large] = MODIFIERS[table];
        let modifier = match index {
            0 if self.opaque => small,
            0 => 0,
            1 => large,
            2 => -small,
            _ => -large,
        };
        pack(bases[half].map(|c| c + modifier))
    }
}

fn field(bits: u64, high: u32, low: u32) -> i32 {
    (bits >> low) as i32 & ((1 << (high - low + 1)) - 1)
}

/// The modes that a colour and a difference choose: where their sum is no colour, another one.
fn differential(bits: u64) -> Mode {
    let field = |high, low| field(bits, high, low);
    let start = [59, 51, 43].map(|low| field(low + 4, low));
    let delta = [56, 48, 40].map(|low| field(low + 2, low) << 29 >> 29);
    let end = [0, 1, 2].map(|c: usize| start[c] + delta[c]);
    let outside = |x: i32| !(0..32).contains(&x);
    if outside(end[0]) {
        // T: one colour, and another with three shades.
        let first = [
            (field(60, 59) << 2 | field(57, 56)) * 17,
            field(55, 52) * 17,
            field(51, 48) * 17,
        ];
        let second = [field(47, 44), field(43, 40), field(39, 36)].map(|c| c * 17);
        let d = DISTANCES[(field(35, 34) << 1 | field(32, 32)) as usize];
        let paints = [first, second.map(|c| c + d), second, second.map(|c| c - d)];
        return Mode::Paints(paints.map(pack));
    }
    if outside(end[1]) {
        // H: two colours with two shades each.
        let first = [
            field(62, 59) * 17,
            (field(58, 56) << 1 | field(52, 52)) * 17,
            (field(51, 51) << 3 | field(49, 47)) * 17,
        ];
        let second = [field(46, 43), field(42, 39), field(38, 35)].map(|c| c * 17);
        let order = |c: [i32; 3]| c[0] << 16 | c[1] << 8 | c[2];
        let low = i32::from(order(first) >= order(second));
        let d = DISTANCES[(field(34, 34) << 2 | field(32, 32) << 1 | low) as usize];
        let paints = [
            first.map(|c| c + d),
            first.map(|c| c - d),
            second.map(|c| c + d),
            second.map(|c| c - d),
        ];
        return Mode::Paints(paints.map(pack));
    }
    if outside(end[2]) {
        let six = |c: i32| c << 2 | c >> 4;
        let seven = |c: i32| c << 1 | c >> 6;
        return Mode::Planar([
            [
                six(field(62, 57)),
                seven(field(56, 56) << 6 | field(54, 49)),
                six(field(48, 48) << 5 | field(44, 43) << 3 | field(41, 39)),
            ],
            [
                six(field(38, 34) << 1 | field(32, 32)),
                seven(field(31, 25)),
                six(field(24, 19)),
            ],
            [six(field(18, 13)), seven(field(12, 6)), six(field(5, 0))],
        ]);
    }
    let widen = |c: i32| c << 3 | c >> 2;
    Mode::Halves([start.map(widen), end.map(widen)])
}

/// A plane through three colours.
fn plane([origin, right, below]: &[[i32; 3]; 3], x: i32, y: i32) -> u32 {
    pack([0, 1, 2].map(|c: usize| {
        (x * (right[c] - origin[c]) + y * (below[c] - origin[c]) + 4 * origin[c] + 2) >> 2
    }))
}

/// Base, multiplier and modifier of a texel.
fn eac(block: [u32; 2], x: u32, y: u32) -> (i32, i32, i32) {
    let bits = number(block);
    let index = bits >> (45 - 3 * (4 * x + y)) & 7;
    let table = EAC[(bits >> 48 & 15) as usize];
    (
        (bits >> 56) as i32,
        (bits >> 52 & 15) as i32,
        table[index as usize],
    )
}

/// 8-bit alpha.
pub fn alpha(block: [u32; 2], x: u32, y: u32) -> u32 {
    let (base, multiplier, modifier) = eac(block, x, y);
    clamp(base + modifier * multiplier)
}

/// An 11-bit channel.
pub fn r11(block: [u32; 2], x: u32, y: u32) -> f32 {
    let (base, multiplier, modifier) = eac(block, x, y);
    let scale = if multiplier == 0 { 1 } else { 8 * multiplier };
    let value = (8 * base + 4 + modifier * scale).clamp(0, 2047);
    value as f32 / 2047.0
}

/// A signed 11-bit channel.
pub fn r11_snorm(block: [u32; 2], x: u32, y: u32) -> f32 {
    let (base, multiplier, modifier) = eac(block, x, y);
    let base = i32::from(base as u8 as i8).max(-127);
    let scale = if multiplier == 0 { 1 } else { 8 * multiplier };
    let value = (8 * base + modifier * scale).clamp(-1023, 1023);
    value as f32 / 1023.0
}
