//! ASTC, 2D blocks of the LDR profile. Illegal blocks decode to the error colour, opaque magenta. [VK-DF ASTC]

mod ends;
mod ise;

use ends::end_points;
use ise::Range;

/// Opaque magenta.
const ERROR: [u32; 4] = [0xffff, 0, 0xffff, 0xffff];

/// What the first 11 bits of a block say.
struct Grid {
    width: u32,
    height: u32,
    planes: u32,
    range: Range,
}

fn field(block: u128, low: u32, bits: u32) -> u32 {
    (block >> low) as u32 & ((1 << bits) - 1)
}

fn grid(block: u128) -> Option<Grid> {
    let f = |low, bits| field(block, low, bits);
    let (a, b) = (f(5, 2), f(7, 2));
    let mut dual = f(10, 1);
    let mut high = f(9, 1);
    let (low, width, height);
    if f(0, 2) != 0 {
        low = f(0, 2);
        (width, height) = match f(2, 2) {
            0 => (b + 4, a + 2),
            1 => (b + 8, a + 2),
            2 => (a + 2, b + 8),
            _ if f(8, 1) == 0 => (a + 2, f(7, 1) + 6),
            _ => (f(7, 1) + 2, a + 2),
        };
    } else {
        low = f(2, 2);
        (width, height) = match b {
            0 => (12, a + 2),
            1 => (a + 2, 12),
            2 => {
                (dual, high) = (0, 0);
                (a + 6, f(9, 2) + 6)
            }
            _ if a == 0 => (6, 10),
            _ if a == 1 => (10, 6),
            _ => return None,
        };
        if low == 0 {
            return None;
        }
    }
    // A range number below 2 is reserved.
    let number = (low << 1 | f(4, 1)).checked_sub(2)?;
    Some(Grid {
        width,
        height,
        planes: dual + 1,
        range: Range::of_weights(number + 6 * high)?,
    })
}

/// A constant block.
fn constant(block: u128) -> [u32; 4] {
    let limits = [12, 25, 38, 51].map(|low| field(block, low, 13));
    let unset = limits.iter().all(|&l| l == 0x1fff);
    let ordered = limits[0] < limits[1] && limits[2] < limits[3];
    let float = field(block, 9, 1) != 0;
    if float || field(block, 10, 2) != 3 || !(unset || ordered) {
        return ERROR;
    }
    [64, 80, 96, 112].map(|low| field(block, low, 16))
}

fn hash(mut p: u32) -> u32 {
    p ^= p >> 15;
    p = p.wrapping_sub(p << 17);
    p = p.wrapping_add(p << 7);
    p = p.wrapping_add(p << 4);
    p ^= p >> 5;
    p = p.wrapping_add(p << 16);
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^ p >> 17
}

/// Partition of a texel.
fn partition(seed: u32, count: u32, x: u32, y: u32, small: bool) -> usize {
    if count == 1 {
        return 0;
    }
    let (x, y) = if small { (2 * x, 2 * y) } else { (x, y) };
    let seed = seed + (count - 1) * 1024;
    let random = hash(seed);
    let first = if seed & 2 != 0 { 4 } else { 5 };
    let second = if count == 3 { 6 } else { 5 };
    let shifts = if seed & 1 != 0 {
        [first, second]
    } else {
        [second, first]
    };
    let factor = |n: u32| {
        let nibble = random >> (4 * n) & 15;
        (nibble * nibble) >> shifts[n as usize & 1]
    };
    let sum =
        |n: u32| (factor(n) * x + factor(n + 1) * y).wrapping_add(random >> (14 - 2 * n)) & 63;
    let mut value = [sum(0), sum(2), sum(4), sum(6)];
    value[count as usize..].fill(0);
    let [a, b, c, d] = value;
    if a >= b && a >= c && a >= d {
        0
    } else if b >= c && b >= d {
        1
    } else {
        usize::from(c < d) + 2
    }
}

/// Weight of a texel in 64ths, from the grid that the block stores.
fn weight(grid: &Grid, weights: &[u32; 64], size: [u32; 2], at: [u32; 2], plane: u32) -> u32 {
    let place = |size: u32, at: u32, count: u32| {
        let step = (1024 + size / 2) / (size - 1);
        let fine = (step * at * (count - 1) + 32) >> 6;
        (fine >> 4, fine & 15)
    };
    let (i, s) = place(size[0], at[0], grid.width);
    let (j, t) = place(size[1], at[1], grid.height);
    let read = |i: u32, j: u32| {
        let index = (j * grid.width + i) * grid.planes + plane;
        weights.get(index as usize).copied().unwrap_or(0)
    };
    let w11 = (s * t + 8) >> 4;
    let (w10, w01) = (t - w11, s - w11);
    let w00 = 16 + w11 - s - t;
    (read(i, j) * w00 + read(i + 1, j) * w01 + read(i, j + 1) * w10 + read(i + 1, j + 1) * w11 + 8)
        >> 4
}

/// Modes of the end points of each partition; how many bits below the weights they take; the first bit after them.
fn end_modes(block: u128, count: u32, weight_bits: u32) -> ([u32; 4], u32, u32) {
    if count == 1 {
        return ([field(block, 13, 4); 4], 0, 17);
    }
    let head = field(block, 23, 6);
    if head & 3 == 0 {
        return ([head >> 2; 4], 0, 29);
    }
    let extra = 3 * count - 4;
    let bits = head | field(block, 128 - weight_bits - extra, extra) << 6;
    let class = (bits & 3) - 1;
    let modes = [0, 1, 2, 3].map(|p: u32| {
        let up = bits >> (2 + p) & 1;
        (class + up) << 2 | bits >> (2 + count + 2 * p) & 3
    });
    (modes, extra, 29)
}

/// A block.
#[expect(
    clippy::large_enum_variant,
    reason = "lives on the stack while its texels are taken"
)]
pub enum Block {
    /// One colour.
    Constant([u32; 4]),
    /// Colours between end points.
    Mixed(Mixed),
}

/// A block with its weights and end points taken out.
pub struct Mixed {
    size: [u32; 2],
    grid: Grid,
    weights: [u32; 64],
    /// Seed and number of the partitions.
    partition: (u32, u32),
    ends: [([u32; 4], [u32; 4]); 4],
    /// The component that the second plane of weights is for; 4 without.
    second: usize,
    srgb: bool,
}

impl Block {
    /// A block of `size` texels. `srgb` selects the rule that widens end points for the sRGB encoding; the encoded
    /// colour is then in the upper bytes.
    pub fn new(words: [u32; 4], size: [u32; 2], srgb: bool) -> Block {
        let block = words
            .iter()
            .rev()
            .fold(0u128, |block, &w| block << 32 | u128::from(w));
        if field(block, 0, 9) == 0x1fc {
            return Block::Constant(constant(block));
        }
        Mixed::new(block, size, srgb).map_or(Block::Constant(ERROR), Block::Mixed)
    }

    /// The texel at column `x` and row `y`, as 16-bit values.
    pub fn texel(&self, x: u32, y: u32) -> [u32; 4] {
        match self {
            Block::Constant(texel) => *texel,
            Block::Mixed(block) => block.texel(x, y),
        }
    }
}

impl Mixed {
    /// `None` for a block that is an error.
    fn new(block: u128, size: [u32; 2], srgb: bool) -> Option<Mixed> {
        let grid = grid(block)?;
        let weight_count = grid.width * grid.height * grid.planes;
        let weight_bits = grid.range.bits(weight_count);
        let count = field(block, 11, 2) + 1;
        if grid.width > size[0]
            || grid.height > size[1]
            || weight_count > 64
            || !(24..=96).contains(&weight_bits)
            || count == 4 && grid.planes == 2
        {
            return None;
        }
        let (modes, extra, start) = end_modes(block, count, weight_bits);
        let modes = &modes[..count as usize];
        let plane_bits = 2 * (grid.planes - 1);
        let value_count: u32 = modes.iter().map(|m| 2 * (m >> 2) + 2).sum();
        let room = 128u32.checked_sub(weight_bits + extra + plane_bits + start)?;
        if value_count > 18 {
            return None;
        }
        let colors = Range::widest_color(value_count, room)?;
        let mut values = [0; 18];
        colors.read(block >> start, value_count, &mut values);
        for value in &mut values[..value_count as usize] {
            *value = colors.color(*value);
        }
        let mut weights = [0; 64];
        grid.range
            .read(block.reverse_bits(), weight_count, &mut weights);
        for value in &mut weights[..weight_count as usize] {
            *value = grid.range.weight(*value);
        }
        // A mode of the high dynamic range in any partition is an error in all.
        if modes.iter().any(|m| matches!(m, 2 | 3 | 7 | 11 | 14 | 15)) {
            return None;
        }
        let mut ends = [([0; 4], [0; 4]); 4];
        let mut before = 0;
        for (ends, mode) in ends.iter_mut().zip(modes) {
            *ends = end_points(*mode, &values[before..])?;
            before += 2 * (*mode as usize >> 2) + 2;
        }
        let second = match grid.planes {
            2 => field(block, 128 - weight_bits - extra - 2, 2) as usize,
            _ => 4,
        };
        Some(Mixed {
            size,
            grid,
            weights,
            partition: (field(block, 13, 10), count),
            ends,
            second,
            srgb,
        })
    }

    fn texel(&self, x: u32, y: u32) -> [u32; 4] {
        let small = self.size[0] * self.size[1] < 31;
        let (seed, count) = self.partition;
        let (a, b) = self.ends[partition(seed, count, x, y, small)];
        let plane = |plane: u32| {
            let plane = plane.min(self.grid.planes - 1);
            weight(&self.grid, &self.weights, self.size, [x, y], plane)
        };
        let planes = [plane(0), plane(1)];
        [0, 1, 2, 3].map(|c: usize| {
            let w = planes[usize::from(c == self.second)];
            let widen = |e: u32| e << 8 | if self.srgb { 0x80 } else { e };
            (widen(a[c]) * (64 - w) + widen(b[c]) * w + 32) >> 6
        })
    }
}
