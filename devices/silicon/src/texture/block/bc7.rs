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

fn mix(a: u32, b: u32, weight: u32) -> u32 {
    ((64 - weight) * a + weight * b + 32) >> 6
}

/// A block with its end points taken out.
pub struct Bc7 {
    block: u128,
    mode: &'static Mode,
    /// Two for each subset, eight bits a channel.
    ends: [[u32; 4]; 6],
    partition: u32,
    rotation: u32,
    selection: u32,
    /// First bit of the indices.
    cursor: u32,
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
        Some(Bc7 {
            block,
            mode,
            ends,
            partition,
            rotation,
            selection,
            cursor,
        })
    }

    /// A texel as bytes.
    pub fn texel(&self, at: u32) -> u32 {
        let Bc7 { block, mode, .. } = *self;
        let set = 2 * subset(mode.subsets, self.partition, at) as usize;
        let anchors = anchors(mode.subsets, self.partition);
        let first = weight(
            mode.index,
            index(block, self.cursor, mode.index, anchors, at),
        );
        let second = if mode.second == 0 {
            first
        } else {
            let start = self.cursor + 16 * mode.index - mode.subsets;
            weight(mode.second, index(block, start, mode.second, anchors, at))
        };
        let (color, alpha) = if self.selection == 0 {
            (first, second)
        } else {
            (second, first)
        };
        let mut texel = [0, 1, 2, 3].map(|c: usize| {
            let weight = if c < 3 { color } else { alpha };
            mix(self.ends[set][c], self.ends[set + 1][c], weight)
        });
        if self.rotation != 0 {
            texel.swap(3, self.rotation as usize - 1);
        }
        u32::from_le_bytes(texel.map(|x| x as u8))
    }
}
