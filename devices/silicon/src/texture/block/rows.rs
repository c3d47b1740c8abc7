//! BC1 to BC5, one texel of a block per lane: the same bits as a block that is decoded whole, without one. In: the words
//! of each lane's block and the number of its texel, line by line. Branch-free, so that lanes decode side by side.

use crate::texture::format::Codec;
use crate::texture::sample::{LANES, Lanes};
use host::{Kernel, Rounding};

/// Whether the texels of a codec are decoded in rows.
pub fn decodes(codec: Codec) -> bool {
    matches!(
        codec,
        Codec::Bc1
            | Codec::Bc2
            | Codec::Bc3
            | Codec::Bc4
            | Codec::Bc4Snorm
            | Codec::Bc5
            | Codec::Bc5Snorm
    )
}

/// A texel of each lane's block.
pub struct RowTexels<'a> {
    /// What they are coded in.
    pub codec: Codec,
    /// Words of the blocks.
    pub blocks: &'a [Lanes; 4],
    /// Number of the texel in its block.
    pub at: &'a Lanes,
    /// Four bytes for BC1 to BC3; red and green as floats for BC4 and BC5, where green is wanted.
    pub out: [Option<&'a mut Lanes>; 2],
}

impl Kernel for RowTexels<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        const COLOR: u32 = 0xff_ffff;
        let RowTexels {
            codec,
            blocks: [a, b, c, d],
            at,
            out: [first, second],
        } = self;
        let mut none = [0; LANES];
        let out = first.unwrap_or(&mut none);
        match codec {
            Codec::Bc1 => {
                for l in 0..LANES {
                    out[l] = color(a[l], b[l], at[l], true);
                }
            }
            Codec::Bc2 => {
                for l in 0..LANES {
                    let half = if at[l] < 8 { a[l] } else { b[l] };
                    let alpha = 17 * (half >> (4 * (at[l] & 7)) & 15);
                    out[l] = color(c[l], d[l], at[l], false) & COLOR | alpha << 24;
                }
            }
            Codec::Bc3 => {
                for l in 0..LANES {
                    let alpha = Step::new([a[l], b[l]], at[l], false).byte();
                    out[l] = color(c[l], d[l], at[l], false) & COLOR | alpha << 24;
                }
            }
            Codec::Bc4 => floats(a, b, at, false, out),
            Codec::Bc4Snorm => floats(a, b, at, true, out),
            Codec::Bc5 | Codec::Bc5Snorm => {
                let signed = codec == Codec::Bc5Snorm;
                match signed {
                    true => floats(a, b, at, true, out),
                    false => floats(a, b, at, false, out),
                }
                match (second, signed) {
                    (Some(out), true) => floats(c, d, at, true, out),
                    (Some(out), false) => floats(c, d, at, false, out),
                    (None, _) => {}
                }
            }
            _ => {}
        }
    }
}

#[inline(always)]
fn floats(low: &Lanes, high: &Lanes, at: &Lanes, signed: bool, out: &mut Lanes) {
    for l in 0..LANES {
        out[l] = Step::new([low[l], high[l]], at[l], signed).float(signed);
    }
}

/// Texel `at` of a colour block as bytes; `punch` lets the order of the end points choose three colours and transparent
/// black.
#[inline(always)]
fn color(ends: u32, indices: u32, at: u32, punch: bool) -> u32 {
    let index = indices >> (2 * at) & 3;
    let three = punch && ends & 0xffff <= ends >> 16;
    // Weight of the second end, in thirds or halves: two bits per index.
    let weights = if three { 0b01_10_00u32 } else { 0b10_01_11_00 };
    let whole = if three { 2 } else { 3 };
    // A product and a shift divide sums of up to 766 by 3.
    let reciprocal = if three { 0x8000 } else { 0x5556 };
    let second = weights >> (2 * index) & 3;
    let first = whole - second;
    let mix = |a: u32, b: u32| ((a * first + b * second + 1) * reciprocal) >> 16;
    let five = |c: u32| (c & 31) << 3 | c >> 2 & 7;
    let six = |c: u32| (c & 63) << 2 | c >> 4 & 3;
    let red = mix(five(ends >> 11), five(ends >> 27));
    let green = mix(six(ends >> 5), six(ends >> 21));
    let blue = mix(five(ends), five(ends >> 16));
    let word = red | green << 8 | blue << 16 | 0xff << 24;
    if three && index == 3 { 0 } else { word }
}

/// A value of an interpolated channel, in sevenths or fifths of the units of its end points.
struct Step {
    numerator: i32,
    seven: bool,
}

impl Step {
    #[inline(always)]
    fn new([low, high]: [u32; 2], at: u32, signed: bool) -> Step {
        // Three bits per texel after the two end points.
        let bits = if at < 8 {
            low >> 16 | high << 16
        } else {
            high >> 8
        };
        let index = (bits >> (3 * (at & 7)) & 7) as i32;
        let end = |byte: u32| match signed {
            true => ((byte << 24) as i32 >> 24).max(-127),
            false => (byte & 0xff) as i32,
        };
        let (a, b) = (end(low), end(low >> 8));
        let seven = a > b;
        let whole = if seven { 7 } else { 5 };
        let first = match index {
            0 => whole,
            1 => 0,
            _ => whole + 1 - index,
        };
        let between = first * a + (whole - first) * b;
        let (least, most) = if signed { (-127, 127) } else { (0, 255) };
        let limit = 5 * if index == 6 { least } else { most };
        let numerator = if !seven && index > 5 { limit } else { between };
        Step { numerator, seven }
    }

    /// Rounded to a byte.
    #[inline(always)]
    fn byte(&self) -> u32 {
        let twice = 2 * self.numerator as u32;
        // Products and shifts divide sums of up to 3577 by 14 and 2555 by 10.
        let (half, reciprocal) = if self.seven { (7, 4682) } else { (5, 6554) };
        ((twice + half) * reciprocal) >> 16
    }

    /// As a number of at most 1.
    #[inline(always)]
    fn float(&self, signed: bool) -> u32 {
        let one = if signed { 127 } else { 255 };
        let by = if self.seven { 7 * one } else { 5 * one };
        (self.numerator as f32 / by as f32).to_bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;
    use crate::texture::block::{bytes, value};
    use crate::texture::format::Layout;
    use host::SimdLevel;

    const FORMATS: [Format; 7] = [
        Format::Bc1RgbaUnorm,
        Format::Bc2RgbaUnorm,
        Format::Bc3RgbaUnorm,
        Format::Bc4RUnorm,
        Format::Bc4RSnorm,
        Format::Bc5RgUnorm,
        Format::Bc5RgSnorm,
    ];

    /// Compares the texels of 64 blocks with those of blocks that are decoded one by one.
    fn check(format: Format, blocks: &[Lanes; 4], at: &Lanes) {
        let Layout::Block { codec, .. } = format.row().layout else {
            panic!("{format:?} has no blocks");
        };
        assert!(decodes(codec));
        for level in SimdLevel::available() {
            let mut out = [[7; LANES]; 2];
            let [first, second] = out.each_mut();
            level.run(RowTexels {
                codec,
                blocks,
                at,
                out: [Some(first), Some(second)],
            });
            for lane in 0..LANES {
                let block = [0, 1, 2, 3].map(|word: usize| blocks[word][lane]);
                let (x, y) = (at[lane] & 3, at[lane] >> 2);
                let got = [out[0][lane], out[1][lane]];
                let how = || format!("{format:?} {block:x?} {x} {y} {}", level.name());
                match codec {
                    Codec::Bc1 | Codec::Bc2 | Codec::Bc3 => {
                        assert_eq!(got[0], bytes(codec, block, x, y), "{}", how());
                    }
                    Codec::Bc4 | Codec::Bc4Snorm => {
                        assert_eq!(got[0], value(format, block, x, y)[0], "{}", how());
                    }
                    _ => assert_eq!(got, value(format, block, x, y)[..2], "{}", how()),
                }
            }
        }
    }

    #[test]
    fn rows_are_the_texels_of_blocks() {
        let mut x = 1u32;
        let mut next = || {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            x ^ x >> 15
        };
        for format in FORMATS {
            for round in 0..200 {
                let mut blocks: [Lanes; 4] = [(); 4].map(|()| [(); LANES].map(|()| next()));
                if round % 4 == 0 {
                    // Equal end points.
                    for word in &mut blocks {
                        word[5] = word[5] & 0xffff | word[5] << 16;
                        word[6] = word[6] & 0xffff_00ff | (word[6] & 0xff) << 8;
                    }
                }
                check(format, &blocks, &[(); LANES].map(|()| next() & 15));
            }
        }
    }

    /// Pairs of end points with every index.
    #[test]
    fn channels_of_all_indices() {
        const INDICES: u64 = 0o7654_3210_7654_3210;
        let at: Lanes = std::array::from_fn(|lane| lane as u32 & 15);
        for a in (0..256).step_by(3) {
            for first in (0..256).step_by(4) {
                let blocks = [0, 32, 0, 32].map(|half: u32| -> Lanes {
                    std::array::from_fn(|lane| {
                        let ends = a | (first + lane as u64 / 16) << 8;
                        ((ends | INDICES << 16) >> half) as u32
                    })
                });
                check(Format::Bc3RgbaUnorm, &blocks, &at);
                check(Format::Bc5RgUnorm, &blocks, &at);
                check(Format::Bc5RgSnorm, &blocks, &at);
            }
        }
    }
}
