//! Filtered comparisons of floats of one level: shadow maps. Others go through [`super::values`].

use std::ops::Range;

use super::Lanes;
use super::bytes::Taps;
use super::pairs::Grid;
use super::rules::ONE;
use super::scratch::{MAX_WAVES, WaveFootprint};
use super::target::{CHUNKS, Target, part, part_mut, put};
use crate::fragment::depth::Compare;
use crate::memory::plane::CHUNK;
use crate::memory::window::{Comparison, Footprints, Lookup, Window};
use crate::texture::exact::Exact;
use host::{Kernel, Rounding};

/// Depth comparison: sums the weights of the texels that pass. Weights are multiples of 1/65536 that add to 1, so the
/// sum is exact in any order.
pub(super) struct Compared<'a, 'b> {
    pub grid: &'a Grid<'a>,
    pub op: Compare,
    /// At least as many waves as targets.
    pub places: &'a [WaveFootprint; MAX_WAVES],
    /// How texels are taken from windows.
    pub lookup: Lookup,
    /// Those of this wave and the one before; the first level counts.
    pub windows: &'a mut [[Window; 2]; 2],
    pub taps: &'a mut [[Taps; 2]; 2],
    /// Texels of a wave; the first word counts.
    pub words: &'a mut [[Lanes; 4]; 4],
    /// The first row counts.
    pub targets: &'a mut [Target<'b>],
}

impl Compared<'_, '_> {
    #[inline(always)]
    fn read<F: Exact>(&mut self, wave: usize, chunk: usize) {
        let WaveFootprint {
            footprint: [footprint, _],
            found,
            ..
        } = &self.places[wave];
        let (plane, at) = (&self.grid.plane, &footprint.at);
        let flat = plane.is_flat_words();
        if chunk == 0 && !flat && self.targets[wave].exec != 0 {
            let plane = self.grid.plane_of(found.level);
            plane.rows(at, 0, false, self.words);
        }
        if self.targets[wave].mask(chunk) == 0 {
            return;
        }
        let taps = &mut self.taps[chunk & 1][0];
        if flat {
            return plane.read::<F, 4>(at, chunk, taps.each_mut());
        }
        for (taps, row) in taps.iter_mut().zip(&self.words[0]) {
            *taps = *part(row, chunk);
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

impl Compared<'_, '_> {
    /// Reads the window of a wave; false where it has none.
    #[inline(always)]
    fn ahead(&mut self, wave: usize) -> bool {
        let (exec, place) = (self.targets[wave].exec, &self.places[wave]);
        let Some(level) = place.found.level.filter(|_| exec != 0) else {
            return false;
        };
        let footprints = Footprints {
            exec,
            four: true,
            deep: false,
        };
        let plane = self.grid.plane_of(Some(level));
        let window = &mut self.windows[wave & 1][0];
        window.load(self.lookup, &plane, &place.footprint[0].at, footprints)
    }

    /// Compares the texels of a wave's window; false where that is not done.
    #[inline(always)]
    fn window(&mut self, wave: usize) -> bool {
        let place = &self.places[wave];
        let Target { exec, rows } = &mut self.targets[wave];
        let [Some(out), ..] = rows else {
            return true;
        };
        let [x, y, _] = &place.footprint[0].w;
        let by = Comparison {
            op: self.op,
            reference: &place.reference,
            weights: [x, y],
            exec: *exec,
        };
        self.windows[wave & 1][0].compare(self.lookup, &by, out)
    }

    /// Reads and compares sixteens of lanes, of four a wave.
    #[inline(always)]
    fn direct<F: Exact>(&mut self, chunks: Range<usize>) {
        for step in chunks.start..=chunks.end {
            if step < chunks.end {
                self.read::<F>(step / CHUNKS, step % CHUNKS);
            }
            if step > chunks.start {
                self.combine((step - 1) / CHUNKS, (step - 1) % CHUNKS);
            }
        }
    }
}

impl Kernel for Compared<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(mut self) {
        let count = self.targets.len().min(MAX_WAVES);
        if !self.lookup.permutes() {
            return self.direct::<R>(0..count * CHUNKS);
        }
        // Windows are read one wave ahead: loads that span several stores wait for them.
        let mut before = false;
        for wave in 0..=count {
            let now = wave < count && self.ahead(wave);
            let found = std::mem::replace(&mut before, now);
            if wave > 0 && !(found && self.window(wave - 1)) {
                self.direct::<R>(CHUNKS * (wave - 1)..CHUNKS * wave);
            }
        }
    }
}
