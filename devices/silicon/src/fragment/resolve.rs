//! Multisample resolve. In: the packed samples of a texel. Out: one packed texel, channel by channel.
//!
//! Averages round once: normalised channels sum as integers (ties to even), floats and linear sRGB values in double
//! precision in sample order. An average with a NaN is the quiet NaN; minimum and maximum skip NaNs unless all are.

use crate::texture::float::{canonical, from_f16, from_small, to_f16, to_unsigned_small};
use crate::texture::format::{Channel, Format, Kind, Read};
use crate::texture::sample::Lanes;
use crate::texture::srgb;
use host::per_level;

/// Which value stands for all samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResolveMode {
    /// Their mean; integers have none.
    #[default]
    Average,
    /// That of sample 0.
    SampleZero,
    /// The least, component by component.
    Min,
    /// The greatest, component by component.
    Max,
}

impl ResolveMode {
    /// Whether texels of a format can be resolved so.
    pub const fn suits(self, format: Format) -> bool {
        let has_mean = !format.class().is_integer();
        !format.channels().is_empty() && (has_mean || !matches!(self, ResolveMode::Average))
    }
}

per_level! {
    /// Resolves 64 texels: `samples[s][w][lane]` is word `w` of sample `s` of a packed texel, `out[w][lane]` that of
    /// the result. The number of samples is a power of two, at most 16. Words that the format does not have stay what
    /// they are, unused bits become zero.
    pub fn resolve<'a>(
        format: Format,
        mode: ResolveMode,
        samples: &'a [[Lanes; 4]],
        out: &'a mut [Lanes; 4],
    ) {
        let words = format.size_bytes().div_ceil(4) as usize;
        let Some(first) = samples.first() else { return };
        if mode == ResolveMode::SampleZero || samples.len() == 1 {
            out[..words].copy_from_slice(&first[..words]);
            return;
        }
        for row in &mut out[..words] {
            row.fill(0);
        }
        let mut at = 0;
        for (index, channel) in format.channels().iter().enumerate() {
            let place = ChannelBits { word: at / 32, shift: at as u32 % 32, bits: channel.bits.into() };
            at += usize::from(channel.bits);
            let linear = format.is_srgb() && format.row().reads[3] != Read::Channel(index as u8);
            place.resolve(*channel, linear, mode, samples, &mut out[place.word]);
        }
    }
}

/// Where a channel lies.
#[derive(Clone, Copy)]
struct ChannelBits {
    word: usize,
    shift: u32,
    bits: u32,
}

impl ChannelBits {
    #[inline(always)]
    fn resolve(
        self,
        channel: Channel,
        linear: bool,
        mode: ResolveMode,
        samples: &[[Lanes; 4]],
        out: &mut Lanes,
    ) {
        // At least two samples.
        let shift = samples.len().ilog2();
        match (channel.kind, mode) {
            (Kind::Void, _) => {}
            (Kind::Unorm, ResolveMode::Average) if linear => self.float(
                |raw| srgb::to_linear(raw as u8),
                |mean| srgb::from_linear(odd(mean)).into(),
                samples,
                out,
            ),
            (Kind::Float, mode) => match (self.bits, mode) {
                (32, ResolveMode::Average) => {
                    self.float(f32::from_bits, |mean| canonical(mean as f32), samples, out);
                }
                (16, ResolveMode::Average) => self.float(
                    |raw| f32::from_bits(from_f16(raw)),
                    |mean| to_f16(canonical(odd(mean))),
                    samples,
                    out,
                ),
                (11, ResolveMode::Average) => self.float(
                    |raw| f32::from_bits(from_small::<6>(raw)),
                    |mean| to_unsigned_small::<6>(canonical(odd(mean))),
                    samples,
                    out,
                ),
                (_, ResolveMode::Average) => self.float(
                    |raw| f32::from_bits(from_small::<5>(raw)),
                    |mean| to_unsigned_small::<5>(canonical(odd(mean))),
                    samples,
                    out,
                ),
                (32, _) => self.extreme(f32::from_bits, mode, samples, out),
                (16, _) => self.extreme(|raw| f32::from_bits(from_f16(raw)), mode, samples, out),
                (11, _) => {
                    self.extreme(
                        |raw| f32::from_bits(from_small::<6>(raw)),
                        mode,
                        samples,
                        out,
                    );
                }
                _ => self.extreme(
                    |raw| f32::from_bits(from_small::<5>(raw)),
                    mode,
                    samples,
                    out,
                ),
            },
            (Kind::Unorm | Kind::Uint, ResolveMode::Average) => {
                self.integer(
                    |raw| raw,
                    |a, b| a.wrapping_add(b),
                    samples,
                    out,
                    |sum| (sum + (1 << (shift - 1)) - 1 + (sum >> shift & 1)) >> shift,
                );
            }
            (Kind::Snorm | Kind::Sint, ResolveMode::Average) => {
                let least = -((1i64 << (self.bits - 1)) - 1) as i32;
                let extend = |raw: u32| (self.signed(raw)).max(least) as u32;
                self.integer(
                    extend,
                    |a, b| a.wrapping_add(b),
                    samples,
                    out,
                    |sum| {
                        let sum = sum as i32;
                        ((sum + (1 << (shift - 1)) - 1 + (sum >> shift & 1)) >> shift) as u32
                    },
                );
            }
            (Kind::Unorm | Kind::Uint, ResolveMode::Min) => {
                self.integer(|raw| raw, u32::min, samples, out, |raw| raw);
            }
            (Kind::Unorm | Kind::Uint, _) => {
                self.integer(|raw| raw, u32::max, samples, out, |raw| raw);
            }
            (Kind::Snorm | Kind::Sint, mode) => {
                let extend = |raw: u32| self.signed(raw) as u32;
                let choose = |a: u32, b: u32| match mode {
                    ResolveMode::Min => (a as i32).min(b as i32) as u32,
                    _ => (a as i32).max(b as i32) as u32,
                };
                self.integer(extend, choose, samples, out, |raw| raw);
            }
        }
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        u32::MAX >> (32 - self.bits)
    }

    #[inline(always)]
    fn signed(self, raw: u32) -> i32 {
        (raw << (32 - self.bits)) as i32 >> (32 - self.bits)
    }

    #[inline(always)]
    fn raw(self, word: u32) -> u32 {
        word >> self.shift & self.mask()
    }

    /// Reduces the integers of all samples; `finish` maps the result into `out`.
    #[inline(always)]
    fn integer(
        self,
        load: impl Fn(u32) -> u32,
        join: impl Fn(u32, u32) -> u32,
        samples: &[[Lanes; 4]],
        out: &mut Lanes,
        finish: impl Fn(u32) -> u32,
    ) {
        let mut sum = [0; 64];
        for (sum, word) in sum.iter_mut().zip(&samples[0][self.word]) {
            *sum = load(self.raw(*word));
        }
        for sample in &samples[1..] {
            for (sum, word) in sum.iter_mut().zip(&sample[self.word]) {
                *sum = join(*sum, load(self.raw(*word)));
            }
        }
        for (out, sum) in out.iter_mut().zip(&sum) {
            *out |= (finish(*sum) & self.mask()) << self.shift;
        }
    }

    /// Averages floats.
    #[inline(always)]
    fn float(
        self,
        load: impl Fn(u32) -> f32,
        store: impl Fn(f64) -> u32,
        samples: &[[Lanes; 4]],
        out: &mut Lanes,
    ) {
        let mut sum = [0.0; 64];
        for sample in samples {
            for (sum, word) in sum.iter_mut().zip(&sample[self.word]) {
                *sum += f64::from(load(self.raw(*word)));
            }
        }
        // A power of two, so the quotient is exact.
        let scale = 1.0 / samples.len() as f64;
        for (out, sum) in out.iter_mut().zip(&sum) {
            *out |= (store(*sum * scale) & self.mask()) << self.shift;
        }
    }

    /// Selects floats by value; keeps their bits.
    #[inline(always)]
    fn extreme(
        self,
        load: impl Fn(u32) -> f32,
        mode: ResolveMode,
        samples: &[[Lanes; 4]],
        out: &mut Lanes,
    ) {
        let better = |new: f32, old: f32| match mode {
            ResolveMode::Min => new < old || old.is_nan(),
            _ => new > old || old.is_nan(),
        };
        let choose = |old: u32, new: u32| {
            if better(load(new), load(old)) {
                new
            } else {
                old
            }
        };
        self.integer(|raw| raw, choose, samples, out, |raw| raw);
    }
}

/// To single precision, rounded to odd, so that a second rounding to fewer bits is exact.
#[inline(always)]
fn odd(x: f64) -> f32 {
    let near = x as f32;
    let inexact = f64::from(near) != x && !x.is_nan();
    // Steps back towards zero where rounding went past.
    let beyond = f64::from(near).abs() > x.abs();
    let down = near.to_bits() - u32::from(inexact && beyond);
    f32::from_bits(down | u32::from(inexact))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimdLevel;

    /// Resolves texels of up to 16 bytes, given as sample after sample, and gives the words of the result.
    fn check(format: Format, mode: ResolveMode, samples: &[[u32; 4]]) -> [u32; 4] {
        let rows: Vec<[Lanes; 4]> = samples.iter().map(|s| s.map(|word| [word; 64])).collect();
        let results: Vec<[u32; 4]> = SimdLevel::available()
            .into_iter()
            .map(|level| {
                let mut out = [[0; 64]; 4];
                resolve(level, format, mode, &rows, &mut out);
                out.map(|row| {
                    assert!(row.iter().all(|word| *word == row[0]));
                    row[0]
                })
            })
            .collect();
        assert!(results.iter().all(|result| *result == results[0]));
        results[0]
    }

    fn one(format: Format, mode: ResolveMode, samples: &[u32]) -> u32 {
        let samples: Vec<[u32; 4]> = samples.iter().map(|word| [*word, 0, 0, 0]).collect();
        check(format, mode, &samples)[0]
    }

    #[test]
    fn normalised_channels_round_to_even() {
        use ResolveMode::*;
        let average = |a: u32, b: u32| one(Format::R8Unorm, Average, &[a, b]);
        for a in 0..256 {
            for b in 0..256 {
                let expected = (f64::from(a + b) / 2.0).round_ties_even() as u32;
                assert_eq!(average(a, b), expected, "{a} {b}");
            }
        }
        let four = [0xff00_0000, 0xff01_00ff, 0x0002_00ff, 0x0000_01ff];
        assert_eq!(one(Format::R8G8B8A8Unorm, Average, &four), 0x8001_00bf);
        // -128 is -1, as is -127.
        assert_eq!(one(Format::R8Snorm, Average, &[0x80, 0x81]), 0x81);
        assert_eq!(one(Format::R8Snorm, Average, &[0xff, 0]), 0);
        assert_eq!(one(Format::R8Snorm, Average, &[0xfd, 0]), 0xfe);
        assert_eq!(
            one(Format::D24UnormX8, Average, &[0xffff_ffff, 0x00ff_fffd]),
            0x00ff_fffe
        );
    }

    #[test]
    fn srgb_averages_light_and_not_codes() {
        let format = Format::R8G8B8A8Srgb;
        let result = one(format, ResolveMode::Average, &[0, u32::MAX]);
        // Half the light is code 188, half the alpha is 127.5.
        assert_eq!(result, 0x80bc_bcbc);
        assert_eq!(
            one(format, ResolveMode::Average, &[0x1234_5678; 8]),
            0x1234_5678
        );
    }

    #[test]
    fn floats_are_rounded_once() {
        let halves = |a: u32, b: u32| one(Format::R16Float, ResolveMode::Average, &[a, b]);
        assert_eq!(halves(0x3c00, 0x4000), 0x3e00);
        // 1 and the float above: the mean is a tie, which goes to the even one.
        assert_eq!(halves(0x3c00, 0x3c01), 0x3c00);
        assert_eq!(halves(0x3c01, 0x3c02), 0x3c02);
        assert_eq!(halves(0x7c00, 0xfc00), 0x7e00);
        let words = [1f32, 2.0, 4.0, f32::NAN].map(f32::to_bits);
        let float = |mode| one(Format::R32Float, mode, &words);
        assert_eq!(float(ResolveMode::Average), 0x7fc0_0000);
        assert_eq!(float(ResolveMode::Min), 1f32.to_bits());
        assert_eq!(float(ResolveMode::Max), 4f32.to_bits());
    }

    #[test]
    fn integers_are_chosen() {
        let words = [5, u32::MAX, 7, 3];
        let of = |format, mode| one(format, mode, &words);
        assert_eq!(of(Format::R32Uint, ResolveMode::Min), 3);
        assert_eq!(of(Format::R32Uint, ResolveMode::Max), u32::MAX);
        assert_eq!(of(Format::R32Sint, ResolveMode::Min), u32::MAX);
        assert_eq!(of(Format::R32Sint, ResolveMode::Max), 7);
        assert_eq!(of(Format::R32Sint, ResolveMode::SampleZero), 5);
        assert!(!ResolveMode::Average.suits(Format::R32Sint));
        assert!(ResolveMode::Average.suits(Format::D16Unorm));
        assert!(!ResolveMode::Min.suits(Format::Bc1RgbaUnorm));
    }

    #[test]
    fn wide_texels_have_all_their_words() {
        let samples = [[1f32, 2.0, 3.0, 4.0], [3.0, 2.0, 1.0, 0.0]].map(|s| s.map(f32::to_bits));
        let result = check(Format::R32G32B32A32Float, ResolveMode::Average, &samples);
        assert_eq!(result, [2f32; 4].map(f32::to_bits));
    }
}
