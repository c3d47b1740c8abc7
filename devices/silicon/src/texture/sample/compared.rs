//! Filtered comparisons of the floats of one slice: shadow maps. Others go through [`super::values`].

use super::bytes::Taps;
use super::rules::ONE;
use super::scratch::{MAX_WAVES, WaveFootprint};
use super::target::{CHUNKS, Target, part, part_mut, put};
use crate::fragment::depth::Compare;
use crate::memory::plane::{CHUNK, Plane};
use crate::texture::exact::Exact;
use host::{Kernel, Rounding};

/// Depth comparison: sums the weights of the texels that pass. Weights are multiples of 1/65536 that add to 1, so the
/// sum is exact in any order.
pub(super) struct Compared<'a, 'b> {
    pub plane: Plane<'a>,
    pub op: Compare,
    /// At least as many waves as targets.
    pub places: &'a [WaveFootprint; MAX_WAVES],
    pub taps: &'a mut [[Taps; 2]; 2],
    /// The first row counts.
    pub targets: &'a mut [Target<'b>],
}

impl Compared<'_, '_> {
    #[inline(always)]
    fn read<F: Exact>(&mut self, wave: usize, chunk: usize) {
        if self.targets[wave].mask(chunk) != 0 {
            let taps = &mut self.taps[chunk & 1][0];
            let at = &self.places[wave].footprint[0].at;
            self.plane.read::<F, 4>(at, chunk, taps.each_mut());
        }
    }

    #[inline(always)]
    fn combine(&mut self, wave: usize, chunk: usize) {
        const SCALE: f32 = 1.0 / 65_536.0;
        let target = &mut self.targets[wave];
        let mask = target.mask(chunk);
        let [Some(out), ..] = &mut target.rows else {
            return;
        };
        if mask == 0 {
            return;
        }
        let t = &self.taps[chunk & 1][0];
        let WaveFootprint {
            footprint: [footprint, _],
            reference,
            ..
        } = &self.places[wave];
        let (x, y) = (part(&footprint.w[0], chunk), part(&footprint.w[1], chunk));
        let reference = part(reference, chunk);
        let mut values = [0; CHUNK];
        macro_rules! ops {
            ($($op:ident)*) => {
                match self.op {
                    $(Compare::$op => {
                        for l in 0..CHUNK {
                            let given = f32::from_bits(reference[l]);
                            // Whole numbers up to 65536: no float is rounded, and products of integers take longer.
                            let (x, y) = (x[l] as i32 as f32, y[l] as i32 as f32);
                            let (left, top) = (ONE as f32 - x, ONE as f32 - y);
                            let holds = |t: u32, w: f32| {
                                if Compare::$op.holds(given, f32::from_bits(t)) { w } else { 0.0 }
                            };
                            let upper = holds(t[0][l], left) + holds(t[1][l], x);
                            let lower = holds(t[2][l], left) + holds(t[3][l], x);
                            values[l] = ((upper * top + lower * y) * SCALE).to_bits();
                        }
                    })*
                }
            };
        }
        ops!(Never Less Equal LessEqual Greater NotEqual GreaterEqual Always);
        put(mask, part_mut(out, chunk), &values);
    }
}

impl Kernel for Compared<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(mut self) {
        let count = self.targets.len().min(MAX_WAVES) * CHUNKS;
        for step in 0..=count {
            if step < count {
                self.read::<R>(step / CHUNKS, step % CHUNKS);
            }
            if step > 0 {
                self.combine((step - 1) / CHUNKS, (step - 1) % CHUNKS);
            }
        }
    }
}
