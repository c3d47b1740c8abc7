//! Integer sequence encoding (bits, trits, quints), and unquantisation of weights and colours. [VK-DF ASTC]

/// Values from 0 to `levels - 1`: `bits` low bits, and on top of them nothing, a trit or a quint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    bits: u32,
    digits: Digits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Digits {
    None,
    Trits,
    Quints,
}

const fn range(bits: u32, digits: Digits) -> Range {
    Range { bits, digits }
}

/// All ranges, narrowest first: 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, ... 256 levels.
const RANGES: [Range; 21] = {
    use Digits::{None, Quints, Trits};
    [
        range(1, None),
        range(0, Trits),
        range(2, None),
        range(0, Quints),
        range(1, Trits),
        range(3, None),
        range(1, Quints),
        range(2, Trits),
        range(4, None),
        range(2, Quints),
        range(3, Trits),
        range(5, None),
        range(3, Quints),
        range(4, Trits),
        range(6, None),
        range(4, Quints),
        range(5, Trits),
        range(7, None),
        range(5, Quints),
        range(6, Trits),
        range(8, None),
    ]
};

impl Range {
    /// The range of weights with this number, 0 to 11.
    pub fn of_weights(number: u32) -> Option<Range> {
        RANGES[..12].get(number as usize).copied()
    }

    /// The widest range whose `count` values fit `room` bits; `None` when not even 6 levels do.
    pub fn widest_color(count: u32, room: u32) -> Option<Range> {
        RANGES[4..]
            .iter()
            .rev()
            .find(|r| r.bits(count) <= room)
            .copied()
    }

    /// Bits of `count` values.
    pub fn bits(self, count: u32) -> u32 {
        let digits = match self.digits {
            Digits::None => 0,
            Digits::Trits => (8 * count).div_ceil(5),
            Digits::Quints => (7 * count).div_ceil(3),
        };
        count * self.bits + digits
    }

    /// Reads `count` values, the digit above the bits. Bits after the last value count as zero.
    pub fn read(self, stream: u128, count: u32, out: &mut [u32]) {
        let total = self.bits(count);
        let stream = if total < 128 {
            stream & ((1u128 << total) - 1)
        } else {
            stream
        };
        let mut at = 0;
        let mut take = |bits: u32| {
            let value = if at < 128 {
                (stream >> at) as u32 & ((1 << bits) - 1)
            } else {
                0
            };
            at += bits;
            value
        };
        let pieces: &[u32] = match self.digits {
            Digits::None => &[0],
            Digits::Trits => &[2, 2, 1, 2, 1],
            Digits::Quints => &[3, 2, 2],
        };
        for group in out[..count as usize].chunks_mut(pieces.len()) {
            let mut packed = 0;
            let mut shift = 0;
            for (i, &piece) in pieces.iter().enumerate() {
                let low = take(self.bits);
                packed |= take(piece) << shift;
                shift += piece;
                if let Some(value) = group.get_mut(i) {
                    *value = low;
                }
            }
            let digits = match self.digits {
                Digits::None => [0; 5],
                Digits::Trits => trits(packed),
                Digits::Quints => quints(packed),
            };
            for (value, digit) in group.iter_mut().zip(digits) {
                *value |= digit << self.bits;
            }
        }
    }

    /// A weight, 0 to 64.
    pub fn weight(self, value: u32) -> u32 {
        let low = value & ((1 << self.bits) - 1);
        let digit = value >> self.bits;
        let wide = match (self.digits, self.bits) {
            (Digits::None, bits) => repeat(low, bits, 6),
            (Digits::Trits, 0) => [0, 32, 63][digit as usize],
            (Digits::Quints, 0) => [0, 16, 32, 47, 63][digit as usize],
            (digits, bits) => {
                let (b, c, d) = (low >> 1 & 1, low >> 2 & 1, digit);
                let (add, factor) = match (digits, bits) {
                    (Digits::Trits, 1) => (0, 50),
                    (Digits::Trits, 2) => (b * 0b100_0101, 23),
                    (Digits::Trits, _) => ((c * 0b100_0010) | (b * 0b010_0001), 11),
                    (_, 1) => (0, 28),
                    (_, _) => (b * 0b100_0010, 13),
                };
                let a = if low & 1 != 0 { 0x7f } else { 0 };
                a & 0x20 | ((d * factor + add) ^ a) >> 2
            }
        };
        wide + u32::from(wide > 32)
    }

    /// A colour value, 0 to 255.
    pub fn color(self, value: u32) -> u32 {
        let low = value & ((1 << self.bits) - 1);
        let digit = value >> self.bits;
        if self.digits == Digits::None {
            return repeat(low, self.bits, 8);
        }
        // The bits above the lowest, in the places that each range gives them.
        let h = low >> 1;
        let (add, factor) = match (self.digits, self.bits) {
            (Digits::Trits, 1) => (0, 204),
            (Digits::Trits, 2) => (h * 0b1_0001_0110, 93),
            (Digits::Trits, 3) => (h << 7 | h << 2 | h, 44),
            (Digits::Trits, 4) => (h << 6 | h, 22),
            (Digits::Trits, 5) => (h << 5 | h >> 2, 11),
            (Digits::Trits, _) => (h << 4 | h >> 4, 5),
            (_, 1) => (0, 113),
            (_, 2) => (h * 0b1_0000_1100, 54),
            (_, 3) => (h << 7 | h << 1 | h >> 1, 26),
            (_, 4) => (h << 6 | h >> 1, 13),
            (_, _) => (h << 5 | h >> 3, 6),
        };
        let a = if low & 1 != 0 { 0x1ff } else { 0 };
        a & 0x80 | ((digit * factor + add) ^ a) >> 2
    }
}

/// The bits of `x` repeated to fill `to` bits.
fn repeat(x: u32, bits: u32, to: u32) -> u32 {
    let mut wide = 0;
    let mut have = 0;
    while have < to {
        wide = wide << bits | x;
        have += bits;
    }
    wide >> (have - to)
}

/// Five trits of 8 bits.
fn trits(t: u32) -> [u32; 5] {
    let (c, t4, t3) = if t >> 2 & 7 == 7 {
        ((t >> 5 & 7) << 2 | t & 3, 2, 2)
    } else if t >> 5 & 3 == 3 {
        (t & 31, 2, t >> 7 & 1)
    } else {
        (t & 31, t >> 7 & 1, t >> 5 & 3)
    };
    let pair = |high: u32, low: u32| high << 1 | low & !high & 1;
    let (t2, t1, t0) = if c & 3 == 3 {
        (2, c >> 4 & 1, pair(c >> 3 & 1, c >> 2 & 1))
    } else if c >> 2 & 3 == 3 {
        (2, 2, c & 3)
    } else {
        (c >> 4 & 1, c >> 2 & 3, pair(c >> 1 & 1, c & 1))
    };
    [t0, t1, t2, t3, t4]
}

/// Three quints of 7 bits.
fn quints(q: u32) -> [u32; 5] {
    let bit = |n: u32| q >> n & 1;
    if q >> 1 & 3 == 3 && q >> 5 & 3 == 0 {
        let q2 = bit(0) << 2 | (bit(4) & !bit(0)) << 1 | bit(3) & !bit(0);
        return [4, 4, q2, 0, 0];
    }
    let (q2, c) = if q >> 1 & 3 == 3 {
        (4, (q >> 3 & 3) << 3 | (!(q >> 5) & 3) << 1 | bit(0))
    } else {
        (q >> 5 & 3, q & 31)
    };
    if c & 7 == 5 {
        [c >> 3 & 3, 4, q2, 0, 0]
    } else {
        [c & 7, c >> 3 & 3, q2, 0, 0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn digits_are_all_reachable() {
        let all: BTreeSet<_> = (0..256).map(trits).collect();
        assert_eq!(all.len(), 243);
        assert!(all.iter().flatten().all(|&t| t < 3));
        let all: BTreeSet<_> = (0..128).map(quints).collect();
        assert_eq!(all.len(), 125);
        assert!(all.iter().flatten().all(|&q| q < 5));
    }

    #[test]
    fn values_cover_their_scale() {
        for range in RANGES {
            let digits = match range.digits {
                Digits::None => 1,
                Digits::Trits => 3,
                Digits::Quints => 5,
            };
            let levels = digits << range.bits;
            let colors: BTreeSet<_> = (0..levels).map(|v| range.color(v)).collect();
            if levels >= 6 {
                assert_eq!(colors.len() as u32, levels, "{range:?}");
                assert_eq!((colors.first(), colors.last()), (Some(&0), Some(&255)));
                // Evenly spread: a colour is never more than one off its place.
                for (i, &c) in colors.iter().enumerate() {
                    let place = 255.0 * i as f64 / f64::from(levels - 1);
                    assert!((f64::from(c) - place).abs() < 1.6, "{range:?} {i}: {c}");
                }
            }
            if levels <= 32 {
                let weights: BTreeSet<_> = (0..levels).map(|v| range.weight(v)).collect();
                assert_eq!(weights.len() as u32, levels, "{range:?}");
                assert_eq!((weights.first(), weights.last()), (Some(&0), Some(&64)));
                for (i, &w) in weights.iter().enumerate() {
                    let place = 64.0 * i as f64 / f64::from(levels - 1);
                    assert!((f64::from(w) - place).abs() < 1.6, "{range:?} {i}: {w}");
                }
            }
        }
    }
}
