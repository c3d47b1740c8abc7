//! Targets of four normalised bytes per texel: unpack, blend and pack in one pass over packed texels, for the common
//! blend equations. Same bytes as [`crate::texture::texel`] and [`crate::fragment::blend`] in sequence.

use crate::fragment::blend::{Equation, Factor, Operation, Path, Plan, Range, Source};
use crate::fragment::mask::{BIT, expand};
use crate::fragment::output::Aligned;
use crate::texture::exact::Exact;
use crate::texture::format::{Channel, Format, Kind, Layout, Read};
use crate::texture::sample::Lanes;
use host::{Kernel, Rounding};

/// A format and a blend plan for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes {
    order: Order,
    /// Bits of the components that are written.
    written: u32,
    sum: Sum,
}

/// What is added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sum {
    /// The source alone.
    Opaque,
    /// [`Path::Over`].
    Over,
    /// [`Path::Premultiplied`].
    Premultiplied,
    /// Source and destination.
    Both,
    /// The same of colours; alpha is the source's.
    BothColors,
}

impl Sum {
    fn new(plan: &Plan) -> Option<Sum> {
        const BOTH: Equation = Equation {
            src: Factor::One,
            dst: Factor::One,
            op: Operation::Add,
        };
        let state = plan.state();
        match (plan.path(), state.color, state.alpha) {
            (Path::Opaque, ..) => Some(Sum::Opaque),
            (Path::Over, ..) => Some(Sum::Over),
            (Path::Premultiplied, ..) => Some(Sum::Premultiplied),
            (Path::General, BOTH, BOTH) => Some(Sum::Both),
            (Path::General, BOTH, Equation::REPLACE) => Some(Sum::BothColors),
            _ => None,
        }
    }
}

/// Which byte is which; the orders that screens have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Rgba,
    Bgra,
}

/// Lowest bit of red, green, blue and alpha, by [`Order`]. Constants, as loops with other shifts are not vectorised.
const SHIFTS: [[u32; 4]; 2] = [[0, 8, 16, 24], [16, 8, 0, 24]];

/// Lanes that stay in registers from the first step to the last.
const CHUNK: usize = 16;

impl Bytes {
    /// `None` for other channels or rare plans.
    pub(super) fn new(format: Format, plan: &Plan) -> Option<Bytes> {
        let row = format.row();
        let byte = |c: &Channel| c.kind == Kind::Unorm && c.bits == 8;
        let Layout::Plain(channels) = row.layout else {
            return None;
        };
        if channels.len() != 4 || !channels.iter().all(byte) || row.srgb {
            return None;
        }
        let mut shifts = [0; 4];
        for (shift, read) in shifts.iter_mut().zip(row.reads) {
            let Read::Channel(channel) = read else {
                return None;
            };
            *shift = 8 * u32::from(channel);
        }
        let order = match shifts {
            [0, 8, 16, 24] => Order::Rgba,
            [16, 8, 0, 24] => Order::Bgra,
            _ => return None,
        };
        let sum = Sum::new(plan)?;
        if plan.state().range != Range::Unorm {
            return None;
        }
        let written = (0..4).filter(|c| plan.state().write >> c & 1 != 0);
        Some(Bytes {
            order,
            written: written.fold(0, |bits, c: usize| bits | 0xff << shifts[c]),
            sum,
        })
    }

    /// Blends a source into the texels of `mask`; others stay.
    #[inline]
    pub(super) fn write(
        &self,
        level: crate::SimdLevel,
        source: Source,
        mask: u64,
        texels: &mut Lanes,
    ) {
        let blend = Blend {
            state: self,
            sources: &[source],
            bits: None,
            texels: std::slice::from_mut(texels),
        };
        if mask == u64::MAX && self.written == u32::MAX {
            level.run(blend);
            return;
        }
        let mut bits = Aligned([0; 64]);
        expand(level, mask, [0, self.written], &mut bits.0);
        level.run(Blend {
            bits: Some(&bits.0),
            ..blend
        });
    }

    /// A full mask overwrites every old texel.
    #[inline]
    pub(super) fn replaces(&self) -> bool {
        matches!(self.sum, Sum::Opaque) && self.written == u32::MAX
    }

    /// Blends sources into a row of texels each: into all of them, or those of a mask each.
    #[inline]
    pub(super) fn write_tiles(
        &self,
        level: crate::SimdLevel,
        sources: &[Source],
        masks: Option<&[u64]>,
        texels: &mut [Lanes],
    ) {
        if let Some(masks) = masks {
            level.run(BlendMasked {
                state: self,
                sources,
                masks,
                texels,
            });
            return;
        }
        let some;
        let bits = if self.written == u32::MAX {
            None
        } else {
            some = Aligned([self.written; 64]);
            Some(&some.0)
        };
        level.run(Blend {
            state: self,
            sources,
            bits,
            texels,
        });
    }
}

/// One call of [`Bytes::write`].
struct Blend<'a> {
    state: &'a Bytes,
    sources: &'a [Source<'a>],
    /// Write mask of each texel; `None` writes all. A row in memory: the compiler would split a local one.
    bits: Option<&'a Lanes>,
    /// A row for each source.
    texels: &'a mut [Lanes],
}

impl Kernel for Blend<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        match self.state.order {
            Order::Rgba => self.by_path::<R, { Order::Rgba as usize }>(),
            Order::Bgra => self.by_path::<R, { Order::Bgra as usize }>(),
        }
    }
}

/// The same where each row has a mask of lanes that are written.
struct BlendMasked<'a> {
    state: &'a Bytes,
    sources: &'a [Source<'a>],
    masks: &'a [u64],
    texels: &'a mut [Lanes],
}

impl Kernel for BlendMasked<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        match self.state.order {
            Order::Rgba => self.by_path::<R, { Order::Rgba as usize }>(),
            Order::Bgra => self.by_path::<R, { Order::Bgra as usize }>(),
        }
    }
}

impl BlendMasked<'_> {
    #[inline(always)]
    fn by_path<F: Exact, const ORDER: usize>(self) {
        match self.state.sum {
            Sum::Opaque => self.each::<F, ORDER, OPAQUE>(),
            Sum::Over => self.each::<F, ORDER, OVER>(),
            Sum::Premultiplied => self.each::<F, ORDER, PREMULTIPLIED>(),
            Sum::Both => self.each::<F, ORDER, BOTH>(),
            Sum::BothColors => self.each::<F, ORDER, BOTH_COLORS>(),
        }
    }

    #[inline(always)]
    fn each<F: Exact, const ORDER: usize, const SUM: u8>(self) {
        let written = self.state.written;
        let rows = self.sources.iter().zip(self.texels);
        for ((source, texels), mask) in rows.zip(self.masks) {
            for first in (0..64).step_by(CHUNK) {
                let lanes = (mask >> first) as u32;
                let old = words(texels, first);
                let mut new = blended::<F, ORDER, SUM>(source, first, &old);
                for i in 0..CHUNK {
                    let bits = if lanes & BIT[i] != 0 { written } else { 0 };
                    new[i] = new[i] & bits | old[i] & !bits;
                }
                texels[first..first + CHUNK].copy_from_slice(&new);
            }
        }
    }
}

impl Blend<'_> {
    #[inline(always)]
    fn by_path<F: Exact, const ORDER: usize>(self) {
        match self.state.sum {
            Sum::Opaque => self.each::<F, ORDER, OPAQUE>(),
            Sum::Over => self.each::<F, ORDER, OVER>(),
            Sum::Premultiplied => self.each::<F, ORDER, PREMULTIPLIED>(),
            Sum::Both => self.each::<F, ORDER, BOTH>(),
            Sum::BothColors => self.each::<F, ORDER, BOTH_COLORS>(),
        }
    }
}

const OPAQUE: u8 = Sum::Opaque as u8;
const OVER: u8 = Sum::Over as u8;
const PREMULTIPLIED: u8 = Sum::Premultiplied as u8;
const BOTH: u8 = Sum::Both as u8;
const BOTH_COLORS: u8 = Sum::BothColors as u8;

/// NaN becomes 0.
#[inline(always)]
fn limit(v: f32) -> f32 {
    let v = if v > 0.0 { v } else { 0.0 };
    if v < 1.0 { v } else { 1.0 }
}

/// Sixteen lanes. A loop, as library calls that are not inlined compile for the baseline.
#[inline(always)]
fn load(row: &Lanes, first: usize) -> [f32; CHUNK] {
    let mut lanes = [0.0; CHUNK];
    for (lane, bits) in lanes.iter_mut().zip(&row[first..first + CHUNK]) {
        *lane = f32::from_bits(*bits);
    }
    lanes
}

impl Blend<'_> {
    #[inline(always)]
    fn each<F: Exact, const ORDER: usize, const SUM: u8>(self) {
        let Blend {
            sources,
            bits,
            texels,
            ..
        } = self;
        // One loop per variant: the compiler splits a chunk that two paths build.
        match bits {
            None => {
                for (source, texels) in sources.iter().zip(texels) {
                    for first in (0..64).step_by(CHUNK) {
                        let old = words(texels, first);
                        let new = blended::<F, ORDER, SUM>(source, first, &old);
                        texels[first..first + CHUNK].copy_from_slice(&new);
                    }
                }
            }
            Some(bits) => {
                for (source, texels) in sources.iter().zip(texels) {
                    for first in (0..64).step_by(CHUNK) {
                        let (old, bits) = (words(texels, first), words(bits, first));
                        let mut new = blended::<F, ORDER, SUM>(source, first, &old);
                        for i in 0..CHUNK {
                            new[i] = new[i] & bits[i] | old[i] & !bits[i];
                        }
                        texels[first..first + CHUNK].copy_from_slice(&new);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn words(row: &Lanes, first: usize) -> [u32; CHUNK] {
    let mut words = [0; CHUNK];
    words.copy_from_slice(&row[first..first + CHUNK]);
    words
}

/// Blends a chunk. One loop over lanes: an outer loop over components vectorises across components and gathers.
#[inline(always)]
fn packed<F: Exact, const ORDER: usize>(source: &Source, first: usize) -> [u32; CHUNK] {
    let [red, green, blue, alpha] = [
        load(source[0], first),
        load(source[1], first),
        load(source[2], first),
        load(source[3], first),
    ];
    let shifts = SHIFTS[ORDER];
    let mut new = [0; CHUNK];
    for i in 0..CHUNK {
        new[i] = F::limited_unorm(red[i], 8) << shifts[0]
            | F::limited_unorm(green[i], 8) << shifts[1]
            | F::limited_unorm(blue[i], 8) << shifts[2]
            | F::limited_unorm(alpha[i], 8) << shifts[3];
    }
    new
}

/// The texels of a chunk after those of `old`.
#[inline(always)]
fn blended<F: Exact, const ORDER: usize, const SUM: u8>(
    source: &Source,
    first: usize,
    old: &[u32; CHUNK],
) -> [u32; CHUNK] {
    if SUM == OPAQUE {
        return packed::<F, ORDER>(source, first);
    }
    let mut alpha = load(source[3], first);
    let mut rest = [0.0; CHUNK];
    for i in 0..CHUNK {
        alpha[i] = limit(alpha[i]);
        rest[i] = 1.0 - alpha[i];
    }
    let mut new = [0; CHUNK];
    for c in 0..4 {
        let color = load(source[c], first);
        let shift = SHIFTS[ORDER][c];
        for i in 0..CHUNK {
            let s = limit(color[i]);
            let value = if SUM == BOTH_COLORS && c == 3 {
                s
            } else {
                let d = F::from_unorm(old[i] >> shift & 0xff, 8);
                let s = if SUM == OVER && c < 3 {
                    s * alpha[i]
                } else {
                    s
                };
                let d = if SUM == BOTH || SUM == BOTH_COLORS {
                    d
                } else {
                    d * rest[i]
                };
                s + d
            };
            // `s * a` is at most a and `d * rest` at most the rest, and the rounded sum of those is at most 1.
            let value = if SUM != OVER && value >= 1.0 {
                1.0
            } else {
                value
            };
            new[i] |= F::to_unorm(value, 8) << shift;
        }
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimdLevel;
    use crate::fragment::blend::{self, Color};
    use crate::texture::texel::{pack_row, unpack_row};

    /// Sources from awkward values and a count.
    fn colors() -> Color {
        let awkward = [0.0, -1.0, 0.5, 1.0, 1.5, f32::NAN, f32::INFINITY, 1e-30];
        std::array::from_fn(|c| {
            std::array::from_fn(|i| {
                let value = match i % 3 {
                    0 => awkward[(i / 3 + c) % awkward.len()],
                    _ => (i * 37 + c * 11) as f32 / 2500.0,
                };
                value.to_bits()
            })
        })
    }

    #[test]
    fn one_pass_gives_what_three_give() {
        let over = |src| Equation {
            src,
            dst: Factor::OneMinusSrcAlpha,
            op: Operation::Add,
        };
        let both = Equation {
            dst: Factor::One,
            ..Equation::REPLACE
        };
        let equations = [
            [Equation::REPLACE; 2],
            [over(Factor::SrcAlpha), over(Factor::One)],
            [over(Factor::One); 2],
            [both; 2],
            [both, Equation::REPLACE],
        ];
        let source = colors();
        let start: Lanes = std::array::from_fn(|i| (i as u32).wrapping_mul(0x9e37_79b9));
        for format in [Format::R8G8B8A8Unorm, Format::B8G8R8A8Unorm] {
            for [color, alpha] in equations {
                for write in [15, 7, 8, 1] {
                    let state = blend::Blend {
                        color,
                        alpha,
                        write,
                        ..blend::Blend::opaque(Range::Unorm)
                    };
                    let bytes = Bytes::new(format, &state.plan()).expect("a common plan");
                    for mask in [u64::MAX, 0xffff, 0x8000_1234_0000_ffff, 1 << 63] {
                        let mut words = [start; 4];
                        let mut values = [[0; 64]; 4];
                        unpack_row(SimdLevel::BASELINE, format, &words, &mut values);
                        let plan = state.general_plan();
                        blend::blend(
                            SimdLevel::BASELINE,
                            &plan,
                            source.each_ref(),
                            None,
                            mask,
                            &mut values,
                        );
                        pack_row(SimdLevel::BASELINE, format, &values, &mut words);
                        for level in SimdLevel::available() {
                            let mut texels = start;
                            bytes.write(level, source.each_ref(), mask, &mut texels);
                            assert_eq!(texels, words[0], "{format:?} {state:?} {mask:x}");
                            if mask == u64::MAX {
                                let mut rows = [start; 3];
                                let sources = [source.each_ref(); 3];
                                bytes.write_tiles(level, &sources, None, &mut rows);
                                assert_eq!(rows, [words[0]; 3], "{format:?} {state:?}");
                            }
                            let (mut rows, masks) = ([start; 2], [mask, 0]);
                            let sources = [source.each_ref(); 2];
                            bytes.write_tiles(level, &sources, Some(&masks), &mut rows);
                            assert_eq!(rows, [words[0], start], "{format:?} {state:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn other_formats_and_plans_go_the_long_way() {
        let opaque = blend::Blend::opaque(Range::Unorm).plan();
        assert!(Bytes::new(Format::R8G8B8A8Srgb, &opaque).is_none());
        assert!(Bytes::new(Format::R8Unorm, &opaque).is_none());
        let least = Equation {
            op: Operation::Min,
            ..Equation::REPLACE
        };
        let general = blend::Blend {
            color: least,
            ..blend::Blend::opaque(Range::Unorm)
        };
        assert!(Bytes::new(Format::R8G8B8A8Unorm, &general.plan()).is_none());
    }
}
