//! BC6H: half-float colours. [VK-DF BPTC]

use super::partition::{anchors, index, subset, weight};

/// One mode: its code in the low bits, the layout of the bits after it, and sizes in bits.
struct Mode {
    code: u32,
    /// Fields in the order of rising bits: channel (r, g, b), end point (w, x, y, z), first and last bit.
    layout: &'static str,
    base: u32,
    deltas: [u32; 3],
    /// Whether end points other than the first are differences from it.
    relative: bool,
    two: bool,
}

const fn mode(code: u32, base: u32, deltas: [u32; 3], layout: &'static str) -> Mode {
    Mode {
        code,
        layout,
        base,
        deltas,
        relative: code != 0b11110 && code != 0b00011,
        two: code & 3 != 3,
    }
}

#[rustfmt::skip]
const MODES: [Mode; 14] = [
    mode(0b00, 10, [5, 5, 5], "gy4 by4 bz4 rw0-9 gw0-9 bw0-9 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3"),
    mode(0b01, 7, [6, 6, 6], "gy5 gz4 gz5 rw0-6 bz0 bz1 by4 gw0-6 by5 bz2 gy4 bw0-6 bz3 bz5 bz4 rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 by0-3 ry0-5 rz0-5"),
    mode(0b00010, 11, [5, 4, 4], "rw0-9 gw0-9 bw0-9 rx0-4 rw10 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-3 bw10 bz1 by0-3 ry0-4 bz2 rz0-4 bz3"),
    mode(0b00110, 11, [4, 5, 4], "rw0-9 gw0-9 bw0-9 rx0-3 rw10 gz4 gy0-3 gx0-4 gw10 gz0-3 bx0-3 bw10 bz1 by0-3 ry0-3 bz0 bz2 rz0-3 gy4 bz3"),
    mode(0b01010, 11, [4, 4, 5], "rw0-9 gw0-9 bw0-9 rx0-3 rw10 by4 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-4 bw10 by0-3 ry0-3 bz1 bz2 rz0-3 bz4 bz3"),
    mode(0b01110, 9, [5, 5, 5], "rw0-8 by4 gw0-8 gy4 bw0-8 bz4 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3"),
    mode(0b10010, 8, [6, 5, 5], "rw0-7 gz4 by4 gw0-7 bz2 gy4 bw0-7 bz3 bz4 rx0-5 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-5 rz0-5"),
    mode(0b10110, 8, [5, 6, 5], "rw0-7 bz0 by4 gw0-7 gy5 gy4 bw0-7 gz5 bz4 rx0-4 gz4 gy0-3 gx0-5 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3"),
    mode(0b11010, 8, [5, 5, 6], "rw0-7 bz1 by4 gw0-7 by5 gy4 bw0-7 bz5 bz4 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-5 by0-3 ry0-4 bz2 rz0-4 bz3"),
    mode(0b11110, 6, [6, 6, 6], "rw0-5 gz4 bz0 bz1 by4 gw0-5 gy5 by5 bz2 gy4 bw0-5 gz5 bz3 bz5 bz4 rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 by0-3 ry0-5 rz0-5"),
    mode(0b00011, 10, [10, 10, 10], "rw0-9 gw0-9 bw0-9 rx0-9 gx0-9 bx0-9"),
    mode(0b00111, 11, [9, 9, 9], "rw0-9 gw0-9 bw0-9 rx0-8 rw10 gx0-8 gw10 bx0-8 bw10"),
    mode(0b01011, 12, [8, 8, 8], "rw0-9 gw0-9 bw0-9 rx0-7 rw11-10 gx0-7 gw11-10 bx0-7 bw11-10"),
    mode(0b01111, 16, [4, 4, 4], "rw0-9 gw0-9 bw0-9 rx0-3 rw15-10 gx0-3 gw15-10 bx0-3 bw15-10"),
];

/// Most bits of end points that a mode has.
const MOST: usize = 75;

/// Where each bit after the mode goes: end point and channel (`4 * channel + end`), and bit.
type Targets = [(u8, u8); MOST];

const fn position(byte: u8, of: &[u8]) -> u8 {
    let mut i = 0;
    while i < of.len() {
        if of[i] == byte {
            return i as u8;
        }
        i += 1;
    }
    panic!("no such letter")
}

const fn number(text: &[u8], mut at: usize) -> (u8, usize) {
    let mut n = 0;
    while at < text.len() && text[at].is_ascii_digit() {
        n = 10 * n + (text[at] - b'0');
        at += 1;
    }
    (n, at)
}

const fn targets(layout: &str) -> (Targets, usize) {
    let text = layout.as_bytes();
    let mut list = [(0, 0); MOST];
    let mut len = 0;
    let mut at = 0;
    while at < text.len() {
        let end = 4 * position(text[at], b"rgb") + position(text[at + 1], b"wxyz");
        let (first, after) = number(text, at + 2);
        let (last, after) = if after < text.len() && text[after] == b'-' {
            number(text, after + 1)
        } else {
            (first, after)
        };
        let mut bit = first;
        loop {
            list[len] = (end, bit);
            len += 1;
            if bit == last {
                break;
            }
            bit = if first < last { bit + 1 } else { bit - 1 };
        }
        at = after + 1;
    }
    (list, len)
}

static TARGETS: [(Targets, usize); 14] = {
    let mut all = [([(0, 0); MOST], 0); 14];
    let mut i = 0;
    while i < 14 {
        all[i] = targets(MODES[i].layout);
        let header = if MODES[i].code < 2 { 2 } else { 5 };
        let bits = if MODES[i].two { 77 } else { 65 };
        assert!(all[i].1 + header == bits, "a layout fills its mode");
        i += 1;
    }
    all
};

fn sign_extend(x: i32, bits: u32) -> i32 {
    x << (32 - bits) >> (32 - bits)
}

/// An end point of `bits` bits to 16.
fn widen(x: i32, bits: u32, signed: bool) -> i32 {
    if signed {
        let magnitude = x.abs();
        let wide = if bits >= 16 || magnitude == 0 {
            magnitude
        } else if magnitude >= (1 << (bits - 1)) - 1 {
            0x7fff
        } else {
            ((magnitude << 15) + 0x4000) >> (bits - 1)
        };
        if x < 0 { -wide } else { wide }
    } else if bits >= 15 || x == 0 {
        x
    } else if x == (1 << bits) - 1 {
        0xffff
    } else {
        ((x << 15) + 0x4000) >> (bits - 1)
    }
}

/// A block with its end points taken out.
pub struct Bc6h {
    block: u128,
    /// Two for each subset, 16 bits a channel.
    ends: [[i32; 3]; 4],
    partition: u32,
    /// Two subsets, not one.
    two: bool,
    signed: bool,
}

impl Bc6h {
    /// `None` for a block of no mode, whose texels are all zero.
    pub fn new(words: [u32; 4], signed: bool) -> Option<Bc6h> {
        let block = words
            .iter()
            .rev()
            .fold(0u128, |block, &w| block << 32 | u128::from(w));
        let code = if block & 3 < 2 { block & 3 } else { block & 31 } as u32;
        let number = MODES.iter().position(|m| m.code == code)?;
        let mode = &MODES[number];
        let header = if code < 2 { 2 } else { 5 };
        let (targets, len) = &TARGETS[number];
        let mut stored = [0i32; 12];
        for (i, &(end, bit)) in targets.iter().enumerate().take(*len) {
            stored[end as usize] |= ((block >> (header + i)) as i32 & 1) << bit;
        }
        let mut ends = [[0; 3]; 4];
        for c in 0..3 {
            let base = stored[4 * c];
            let first = if signed {
                sign_extend(base, mode.base)
            } else {
                base
            };
            for (e, end) in ends.iter_mut().enumerate() {
                let x = stored[4 * c + e];
                let x = if mode.relative || signed {
                    sign_extend(x, mode.deltas[c])
                } else {
                    x
                };
                let x = match (e, mode.relative, signed) {
                    (0, ..) => first,
                    (_, false, _) => x,
                    (_, true, false) => (first + x) & ((1 << mode.base) - 1),
                    (_, true, true) => sign_extend(first + x, mode.base),
                };
                end[c] = widen(x, mode.base, signed);
            }
        }
        let partition = if mode.two {
            (block >> 77) as u32 & 31
        } else {
            0
        };
        Some(Bc6h {
            block,
            ends,
            partition,
            two: mode.two,
            signed,
        })
    }

    /// Red, green and blue of a texel as half floats.
    pub fn texel(&self, at: u32) -> [u32; 3] {
        let (start, bits, subsets) = if self.two { (82, 3, 2) } else { (65, 4, 1) };
        let set = 2 * subset(subsets, self.partition, at) as usize;
        let anchors = anchors(subsets, self.partition);
        let weight = weight(bits, index((self.block >> start) as u64, bits, anchors, at)) as i32;
        [0, 1, 2].map(|c: usize| {
            let (a, b) = (self.ends[set][c], self.ends[set + 1][c]);
            let x = (a * (64 - weight) + b * weight + 32) >> 6;
            if !self.signed {
                ((x * 31) >> 6) as u32
            } else if x < 0 {
                0x8000 | ((-x * 31) >> 5) as u32
            } else {
                ((x * 31) >> 5) as u32
            }
        })
    }
}
