//! Depths of 24 bits in 16: an exponent of three bits, which counts the leading ones or zeros, and the thirteen bits behind
//! the first other one. Later depths have larger numbers.

/// Bits of a depth.
const BITS: u32 = 24;
/// Bits of the mantissa.
const MANTISSA: u32 = 13;
/// The largest count; the bit behind so many is not known.
const MOST: u32 = 7;

/// Bits of the depth below the mantissa, and those of it that the exponent stands for.
const fn dropped(count: u32) -> (u32, u32) {
    let known = if count < MOST { count + 1 } else { MOST };
    (BITS - known - MANTISSA, known)
}

/// The number of a depth: `ones` are counted, or zeros.
#[inline]
pub(super) fn encode(depth: u32, ones: bool) -> u32 {
    let depth = if ones {
        depth
    } else {
        !depth & ((1 << BITS) - 1)
    };
    let count = (depth << (32 - BITS)).leading_ones().min(MOST);
    let (below, _) = dropped(count);
    let number = count << MANTISSA | depth >> below & ((1 << MANTISSA) - 1);
    if ones { number } else { !number & 0xffff }
}

/// The least depth of a number that counts ones, the greatest of one that counts zeros.
#[inline]
pub(super) fn decode(number: u32, ones: bool) -> u32 {
    let number = if ones { number } else { !number } & 0xffff;
    let count = number >> MANTISSA;
    let (below, known) = dropped(count);
    let counted = ((1 << count) - 1) << (known - count);
    let depth = counted << (BITS - known) | (number & ((1 << MANTISSA) - 1)) << below;
    if ones {
        depth
    } else {
        !depth & ((1 << BITS) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_hand() {
        // No leading one: bits 22 to 10. One: bits 21 to 9. Six and seven: bits 16 to 4.
        let cases = [
            (0x00_0000, 0x0000),
            (0x00_03ff, 0x0000),
            (0x00_0400, 0x0001),
            (0x7f_ffff, 0x1fff),
            (0x80_0000, 0x2000),
            (0x80_0200, 0x2001),
            (0xfc_0000, 0xc000),
            (0xfd_ffff, 0xdfff),
            (0xfe_0000, 0xe000),
            (0xfe_0010, 0xe001),
            (0xff_ffff, 0xffff),
        ];
        for (depth, number) in cases {
            assert_eq!(encode(depth, true), number, "{depth:#x}");
            let other = !depth & 0xff_ffff;
            assert_eq!(encode(other, false), !number & 0xffff, "{other:#x}");
        }
    }

    #[test]
    fn numbers_are_in_the_order_of_their_depths() {
        for ones in [true, false] {
            let mut before = 0;
            for number in 0..0x1_0000 {
                let depth = decode(number, ones);
                assert_eq!(encode(depth, ones), number);
                assert!(number == 0 || depth > before, "{number:#x}");
                before = depth;
            }
            for depth in (0..0xff_ffff).step_by(97) {
                assert!(encode(depth, ones) <= encode(depth + 1, ones), "{depth:#x}");
            }
        }
    }
}
