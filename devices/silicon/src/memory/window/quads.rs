//! Texels of a window as vectors of four words, on any host: the components of a texel, or one component of a 2x2
//! footprint. A lane reads a vector at its texel's number; four lanes are transposed to rows.
//!
//! # Safety
//!
//! Numbers of texels are masked, and so are [`Steps`] when they are made: their sums are inside of the table.

#![expect(
    clippy::needless_range_loop,
    reason = "numbers of groups, lanes and taps index several arrays"
)]

use super::{LANES, Row, TEXELS};
use crate::memory::vector::{Four, transposed};
use crate::texture::float::canonical;
use crate::texture::sample::rules::add_weighted;

/// Numbers that texels may have: of a lane's first one, a slice, a line and a column further.
const NUMBERS: usize = 2 * TEXELS + 32;

/// A vector for each texel.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Quads([Four; NUMBERS]);

/// From a texel to those of its footprint.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    /// To the next slice, less than [`TEXELS`].
    slice: usize,
    /// To the next line, less than 31.
    line: usize,
}

impl Steps {
    pub(super) fn new(slice: u32, line: u32) -> Steps {
        Steps {
            slice: slice as usize % TEXELS,
            line: (line as usize).min(30),
        }
    }

    /// To texel `tap` of the 2x2 of slice `k`.
    #[inline(always)]
    fn to(self, k: usize, tap: usize) -> usize {
        self.slice * (k & 1) + self.line * (tap >> 1 & 1) + (tap & 1)
    }
}

impl Quads {
    pub(crate) const ZERO: Quads = Quads([Four::ZERO; NUMBERS]);

    /// Takes the components of the first `rows * 64` texels, a table for each component.
    #[inline(always)]
    pub(super) fn components(&mut self, tables: [&[Row; 4]; 4], rows: usize) {
        let at = |c: usize| tables[c].as_flattened().as_chunks::<4>().0;
        let [a, b, c, d] = [at(0), at(1), at(2), at(3)];
        let quads = self.0.as_chunks_mut::<4>().0;
        for four in 0..(rows * LANES / 4).min(TEXELS / 4) {
            let [a, b] = [Four::new(&a[four]), Four::new(&b[four])];
            let [c, d] = [Four::new(&c[four]), Four::new(&d[four])];
            quads[four] = transposed([a, b, c, d]);
        }
    }

    /// Takes the 2x2 footprints of the first `count` texels.
    #[inline(always)]
    pub(super) fn footprints(&mut self, table: &[Row; 4], count: u32, steps: Steps) {
        let table = table.as_flattened();
        // What lies behind the last texel is of no footprint; the texels before it are.
        let four = |at: usize| {
            let rest = table.get(at..).unwrap_or(&[]);
            match rest.first_chunk() {
                Some(words) => Four::new(words),
                None => {
                    let mut words = [0; 4];
                    words[..rest.len()].copy_from_slice(rest);
                    Four::new(&words)
                }
            }
        };
        let firsts = (0..(count as usize).min(TEXELS)).step_by(4);
        for (quads, at) in self.0.as_chunks_mut::<4>().0.iter_mut().zip(firsts) {
            let of = |tap: usize| four(at + steps.to(0, tap));
            *quads = transposed([of(0), of(1), of(2), of(3)]);
        }
    }

    /// The vector of a texel of the footprint whose first one has a number. Lanes that do not take part have any.
    #[inline(always)]
    fn get(&self, number: u32, steps: Steps, k: usize, tap: usize) -> Four {
        let at = number as usize % TEXELS + steps.to(k, tap);
        // SAFETY: twice less than 256, less than 31, and one are less than the length.
        unsafe { *self.0.get_unchecked(at) }
    }

    /// The footprints of four lanes in slice `k`, transposed.
    #[inline(always)]
    fn four(&self, first: &[u32; 4], steps: Steps, k: usize) -> [Four; 4] {
        let [a, b, c, d] = *first;
        let of = |number: u32| self.get(number, steps, k, 0);
        transposed([of(a), of(b), of(c), of(d)])
    }

    /// Takes each lane's 2x2 footprint in slice `k`.
    #[inline(always)]
    pub(super) fn take(&self, first: &Row, steps: Steps, k: usize, out: [&mut Row; 4]) {
        let [o, p, q, r] = out;
        let [o, p] = [o.as_chunks_mut::<4>().0, p.as_chunks_mut::<4>().0];
        let [q, r] = [q.as_chunks_mut::<4>().0, r.as_chunks_mut::<4>().0];
        for (group, first) in first.as_chunks::<4>().0.iter().enumerate() {
            let [a, b, c, d] = self.four(first, steps, k);
            (o[group], p[group]) = (a.words(), b.words());
            (q[group], r[group]) = (c.words(), d.words());
        }
    }

    /// Sums the weighted texels of each lane's footprints, slice by slice, where vectors are components.
    #[inline(always)]
    pub(super) fn sum_components<const SLICES: usize, const COUNT: usize>(
        &self,
        first: &Row,
        steps: Steps,
        weights: &[[Row; 4]; SLICES],
        clean: bool,
        mut out: [&mut Row; COUNT],
    ) {
        let firsts = first.as_chunks::<4>().0;
        let mut strange = 0;
        for (group, first) in firsts.iter().enumerate() {
            let mut sums = [Four::ZERO; 4];
            for lane in 0..4 {
                let mut sum = Four::ZERO;
                for k in 0..SLICES {
                    for tap in 0..4 {
                        let weight = Four::splat(weights[k][tap][4 * group + lane]);
                        sum = sum.plus(self.get(first[lane], steps, k, tap).times(weight));
                    }
                }
                sums[lane] = sum;
            }
            let sums = transposed(sums);
            let nan = sums[0].any_nan(sums[1]) | sums[2].any_nan(sums[3]);
            strange |= u32::from(nan) << group;
            for c in 0..COUNT {
                out[c].as_chunks_mut::<4>().0[group] = sums[c].words();
            }
        }
        for lane in (0..LANES).filter(|lane| strange >> (lane / 4) & 1 != 0) {
            for (c, out) in out.iter_mut().enumerate() {
                let texel = |k: usize, tap: usize| self.get(first[lane], steps, k, tap).words()[c];
                out[lane] = weighted(texel, weights, lane, clean);
            }
        }
    }

    /// The same where vectors are footprints of one component.
    #[inline(always)]
    pub(super) fn sum_footprints<const SLICES: usize>(
        &self,
        first: &Row,
        steps: Steps,
        weights: &[[Row; 4]; SLICES],
        clean: bool,
        out: &mut Row,
    ) {
        let firsts = first.as_chunks::<4>().0;
        let mut strange = 0;
        for (group, first) in firsts.iter().enumerate() {
            let mut sum = Four::ZERO;
            for k in 0..SLICES {
                let taps = self.four(first, steps, k);
                for tap in 0..4 {
                    let weights = Four::new(&weights[k][tap].as_chunks::<4>().0[group]);
                    sum = sum.plus(taps[tap].times(weights));
                }
            }
            strange |= u32::from(sum.any_nan(sum)) << group;
            out.as_chunks_mut::<4>().0[group] = sum.words();
        }
        for lane in (0..LANES).filter(|lane| strange >> (lane / 4) & 1 != 0) {
            let texel = |k: usize, tap: usize| self.get(first[lane], steps, k, 0).words()[tap];
            out[lane] = weighted(texel, weights, lane, clean);
        }
    }
}

/// The sum of a lane's weighted texels. Those without a weight add nothing, not even infinity.
#[cold]
#[inline(never)]
fn weighted(
    texel: impl Fn(usize, usize) -> u32,
    weights: &[[Row; 4]],
    lane: usize,
    clean: bool,
) -> u32 {
    let mut sum = 0.0;
    for (k, weights) in weights.iter().enumerate() {
        for (tap, weights) in weights.iter().enumerate() {
            let weight = f32::from_bits(weights[lane]);
            sum = add_weighted(sum, f32::from_bits(texel(k, tap)), weight);
        }
    }
    if clean { canonical(sum) } else { sum.to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each texel up to the last of a full window is in the footprints that have it.
    #[test]
    fn footprints_reach_the_last_texel() {
        let mut table = [[0; LANES]; 4];
        for (number, word) in (0..).zip(table.as_flattened_mut()) {
            *word = number;
        }
        let mut quads = Quads::ZERO;
        for line in [2, 6, 14, 16, 30] {
            let steps = Steps::new(0, line);
            quads.footprints(&table, TEXELS as u32, steps);
            for first in 0..TEXELS as u32 - line - 1 {
                let footprint = [first, first + 1, first + line, first + line + 1];
                assert_eq!(quads.get(first, steps, 0, 0).words(), footprint);
            }
        }
    }
}
