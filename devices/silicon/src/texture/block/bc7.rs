//! BC7. [VK-DF BPTC]

use super::partition::{anchors, index, subset, weight};

/// What a mode stores, in bits or counts.
struct Mode {
    subsets: u32,
    partition: u32,
    rotation: u32,
    selection: u32,
    color: u32,
    alpha: u32,
    /// Low bits of end points: one each, or one per subset.
    low: Low,
    index: u32,
    second: u32,
}

#[derive(PartialEq)]
enum Low {
    None,
    PerEnd,
    PerSubset,
}

#[expect(clippy::too_many_arguments, reason = "the columns of the table")]
const fn mode(
    subsets: u32,
    partition: u32,
    rotation: u32,
    selection: u32,
    color: u32,
    alpha: u32,
    low: Low,
    index: u32,
    second: u32,
) -> Mode {
    Mode {
        subsets,
        partition,
        rotation,
        selection,
        color,
        alpha,
        low,
        index,
        second,
    }
}

#[rustfmt::skip]
const MODES: [Mode; 8] = [
    //   subsets partition rotation selection color alpha low             index second
    mode(3,      4,        0,       0,        4,    0,    Low::PerEnd,    3,    0),
    mode(2,      6,        0,       0,        6,    0,    Low::PerSubset, 3,    0),
    mode(3,      6,        0,       0,        5,    0,    Low::None,      2,    0),
    mode(2,      6,        0,       0,        7,    0,    Low::PerEnd,    2,    0),
    mode(1,      0,        2,       1,        5,    6,    Low::None,      2,    3),
    mode(1,      0,        2,       0,        7,    8,    Low::None,      2,    2),
    mode(1,      0,        0,       0,        7,    7,    Low::PerEnd,    4,    0),
    mode(2,      6,        0,       0,        5,    5,    Low::PerEnd,    2,    0),
];

/// A value of `bits` bits widened to 8 by repeating its high bits.
fn widen(x: u32, bits: u32) -> u32 {
    let x = x << (8 - bits);
    x | x >> bits
}

/// Sixteen bits for each channel.
fn spread(texel: [u32; 4]) -> u64 {
    let [r, g, b, a] = texel.map(u64::from);
    r | g << 16 | b << 32 | a << 48
}

/// The end points of a subset: 64 times the first and what rounds, and the second less the first. Channels do not reach
/// each other in sums with weights up to 64.
#[derive(Clone, Copy, Default)]
struct Line {
    first: u64,
    step: u64,
}

impl Line {
    fn new(first: [u32; 4], second: [u32; 4]) -> Line {
        let (first, second) = (spread(first), spread(second));
        Line {
            first: 64 * first + spread([32; 4]),
            step: second.wrapping_sub(first),
        }
    }

    /// Channels as 16 bits, of which eight count.
    fn at(self, weight: u32) -> u64 {
        let sum = self
            .first
            .wrapping_add(self.step.wrapping_mul(u64::from(weight)));
        sum >> 6
    }
}

/// A block with its end points taken out.
pub struct Bc7 {
    mode: &'static Mode,
    lines: [Line; 3],
    partition: u32,
    rotation: u32,
    selection: u32,
    anchors: [u32; 3],
    /// Indices of both sets, from the first bit on.
    indices: [u64; 2],
}

impl Bc7 {
    /// `None` for a block of no mode, whose texels are all zero.
    pub fn new(words: [u32; 4]) -> Option<Bc7> {
        let block = words
            .iter()
            .rev()
            .fold(0u128, |block, &w| block << 32 | u128::from(w));
        let mode = MODES.get(block.trailing_zeros() as usize)?;
        let mut cursor = block.trailing_zeros() + 1;
        let mut take = |bits: u32| {
            let value = (block >> cursor) as u32 & ((1 << bits) - 1);
            cursor += bits;
            value
        };
        let partition = take(mode.partition);
        let rotation = take(mode.rotation);
        let selection = take(mode.selection);
        let count = 2 * mode.subsets as usize;
        let bits = |c: usize| if c < 3 { mode.color } else { mode.alpha };
        let mut ends = [[0u32; 4]; 6];
        for c in 0..4 {
            for end in ends.iter_mut().take(count) {
                end[c] = take(bits(c));
            }
        }
        let mut low = [0; 6];
        match mode.low {
            Low::None => {}
            Low::PerEnd => low[..count].iter_mut().for_each(|bit| *bit = take(1)),
            Low::PerSubset => {
                for pair in low[..count].chunks_exact_mut(2) {
                    pair.fill(take(1));
                }
            }
        }
        for (end, low) in ends.iter_mut().zip(low) {
            for (c, x) in end.iter_mut().enumerate() {
                *x = match (bits(c), &mode.low) {
                    (0, _) => 255,
                    (bits, Low::None) => widen(*x, bits),
                    (bits, _) => widen(*x << 1 | low, bits + 1),
                };
            }
        }
        let mut lines = [Line::default(); 3];
        for (line, [first, second]) in lines.iter_mut().zip(ends.as_chunks().0) {
            *line = Line::new(*first, *second);
        }
        let second = match mode.second {
            0 => cursor,
            _ => cursor + 16 * mode.index - mode.subsets,
        };
        Some(Bc7 {
            mode,
            lines,
            partition,
            rotation,
            selection,
            anchors: anchors(mode.subsets, partition),
            indices: [cursor, second].map(|first| (block >> first) as u64),
        })
    }

    /// A texel as bytes.
    pub fn texel(&self, at: u32) -> u32 {
        let Bc7 { mode, .. } = *self;
        let line = self.lines[subset(mode.subsets, self.partition, at) as usize % 3];
        let weight =
            |set: usize, bits: u32| weight(bits, index(self.indices[set], bits, self.anchors, at));
        let first = line.at(weight(0, mode.index));
        let sum = if mode.second == 0 {
            first
        } else {
            let second = line.at(weight(1, mode.second));
            let (color, alpha) = if self.selection == 0 {
                (first, second)
            } else {
                (second, first)
            };
            const COLOR: u64 = (1 << 48) - 1;
            color & COLOR | alpha & !COLOR
        };
        // Eight bits of each sixteen.
        let sum = sum & 0x00ff_00ff_00ff_00ff;
        let sum = (sum | sum >> 8) & 0xffff_0000_ffff;
        let texel = (sum | sum >> 16) as u32;
        if self.rotation == 0 {
            return texel;
        }
        let low = 8 * (self.rotation - 1);
        let exchanged = (texel >> 24 ^ texel >> low) & 0xff;
        texel ^ (exchanged << 24 | exchanged << low)
    }
}
