//! Targets that drop the lowest bits of wider fixed-point numbers.

use crate::fragment::blend::Color;
use crate::texture::fixed::{from_unorm, to_unorm};
use crate::texture::format::{Format, Read};

/// Bits of the numbers of red, green, blue and alpha, and how many of these, from the highest on, are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut([Option<[u32; 2]>; 4]);

impl Cut {
    /// Of a format: numbers of some bits each, where they are cut. `None` where all are stored whole.
    pub fn new(format: Format, bits: [Option<u32>; 4]) -> Option<Cut> {
        let mut cut = [None; 4];
        for ((cut, wide), read) in cut.iter_mut().zip(bits).zip(format.row().reads) {
            let Read::Channel(channel) = read else {
                continue;
            };
            let kept = u32::from(format.channels()[usize::from(channel)].bits);
            *cut = wide.filter(|wide| kept < *wide).map(|wide| [wide, kept]);
        }
        (cut != [None; 4]).then_some(Cut(cut))
    }

    /// Cuts all lanes of a row; what is stored already stays as it is.
    pub(super) fn apply(&self, color: &mut Color) {
        for (row, cut) in color.iter_mut().zip(&self.0) {
            let Some([wide, kept]) = *cut else { continue };
            for value in row {
                let number = to_unorm(f32::from_bits(*value), wide);
                *value = from_unorm(number >> (wide - kept), kept).to_bits();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_numbers_stay() {
        for (wide, kept) in [8, 10]
            .into_iter()
            .flat_map(|wide| (1..8).map(move |kept| (wide, kept)))
        {
            let cut = Cut([Some([wide, kept]), None, None, None]);
            for number in 0..1 << kept {
                let value = from_unorm(number, kept).to_bits();
                let mut color = [[value; 64]; 4];
                cut.apply(&mut color);
                assert_eq!(color, [[value; 64]; 4], "{wide} {kept} {number}");
            }
        }
    }

    #[test]
    fn others_lose_their_lowest_bits() {
        let cut = Cut::new(Format::B5G6R5Unorm, [Some(8), Some(8), None, Some(8)]);
        let cut = cut.expect("the channels are narrower");
        let mut color = [[from_unorm(0x7f, 8).to_bits(); 64]; 4];
        cut.apply(&mut color);
        let expected = [
            from_unorm(15, 5),
            from_unorm(31, 6),
            from_unorm(0x7f, 8),
            from_unorm(0x7f, 8),
        ];
        assert_eq!(color.map(|row| f32::from_bits(row[9])), expected);
        assert_eq!(Cut::new(Format::R8G8B8A8Unorm, [Some(8); 4]), None);
    }
}
