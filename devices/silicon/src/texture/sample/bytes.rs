//! Filters texels of bytes: one pass reads them, sixteen lanes at a time, averages them as integers and writes registers.

#![expect(
    clippy::needless_range_loop,
    reason = "a lane number indexes several rows"
)]

use super::footprint::Footprint;
use super::pairs::Grid;
use super::room::Blocks;
use super::rules::ONE;
use super::scratch::{MAX_WAVES, WaveFootprint};
use super::target::{CHUNKS, Target, part, part_mut, put};
use super::{Filter, Lanes};
use crate::fragment::mask;
use crate::memory::plane::CHUNK;
use crate::memory::window::{
    ByteFilter, ByteTaps, Footprints, Lookup, Quads, Window, filter_bytes,
};
use crate::texture::exact::{Divisor, Exact};
use host::{Kernel, Rounding};

/// Weighted sums of the four bytes of four words, in units of 2^-16. Two bytes share a word until the last product:
/// byte sums with weights that add to 256 fit 16 bits.
#[inline(always)]
fn average(t: [u32; 4], wx: u32, wy: u32) -> [u32; 4] {
    const LOW: u32 = 0x00ff_00ff;
    let even = |a: u32, b: u32| {
        let (a, b) = (a & LOW, b & LOW);
        (a << 8).wrapping_add(b.wrapping_sub(a).wrapping_mul(wx))
    };
    let odd = |a: u32, b: u32| {
        let rest = (b >> 8 & LOW).wrapping_sub(a >> 8 & LOW);
        (a & !LOW).wrapping_add(rest.wrapping_mul(wx))
    };
    let down = |top: u32, low: u32| (top << 8).wrapping_add(low.wrapping_sub(top).wrapping_mul(wy));
    let (top, low) = (even(t[0], t[1]), even(t[2], t[3]));
    let (top_odd, low_odd) = (odd(t[0], t[1]), odd(t[2], t[3]));
    [
        down(top & 0xffff, low & 0xffff),
        down(top_odd & 0xffff, low_odd & 0xffff),
        down(top >> 16, low >> 16),
        down(top_odd >> 16, low_odd >> 16),
    ]
}

/// The sums of bytes above fit their words because weights have 8 bits.
const _: () = assert!(ONE == 256);

/// Bytes of texels to floats.
pub(super) struct Bytes<'a, 'b> {
    pub grid: &'a Grid<'a>,
    pub filter: Filter,
    /// What texels outside are, as they are stored.
    pub border: u32,
    /// At least as many waves as targets.
    pub places: &'a [WaveFootprint; MAX_WAVES],
    /// How texels are taken from windows.
    pub lookup: Lookup,
    /// Where texels are compressed.
    pub blocks: Option<Blocks<'a>>,
    /// Those of this wave and the one before, on two levels.
    pub windows: &'a mut [[Window; 2]; 2],
    pub quads: &'a mut Quads,
    /// Texels of this wave and the one before, on two levels: words, of which the first counts.
    pub words: &'a mut [[[[Lanes; 4]; 4]; 2]; 2],
    pub targets: &'a mut [Target<'b>],
}

/// How the texels of a wave are read.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    /// There are none.
    Nothing,
    /// In windows, ahead.
    Windows,
    /// Sixteen lanes at a time, words of one slice.
    Chunks,
    /// At once, ahead.
    Whole,
}

impl Kernel for Bytes<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(mut self) {
        let count = self.targets.len().min(MAX_WAVES);
        let mut before = Reading::Nothing;
        // A load that spans several stores waits for them (no forwarding), so texels are read one step ahead.
        for wave in 0..=count {
            let now = match wave < count {
                true => self.ahead(wave),
                false => Reading::Nothing,
            };
            if wave > 0 {
                self.wave::<R>(wave - 1, before);
            }
            before = now;
        }
    }
}

/// Texels that a filter takes.
#[inline(always)]
fn count(filter: Filter) -> usize {
    match filter {
        Filter::Linear => 4,
        Filter::Nearest => 1,
    }
}

impl Bytes<'_, '_> {
    /// Reads the windows of a wave, if it has some.
    #[inline(always)]
    fn ahead(&mut self, wave: usize) -> Reading {
        let exec = self.targets[wave].exec;
        let WaveFootprint {
            footprint, found, ..
        } = &self.places[wave];
        if exec == 0 {
            return Reading::Nothing;
        }
        let Some(level) = found.level else {
            return self.ahead_by_lane(wave);
        };
        let footprints = Footprints {
            exec,
            four: self.filter == Filter::Linear,
            deep: false,
        };
        if !self.lookup.gains(footprints, self.blocks.is_some()) {
            return self.ahead_by_lane(wave);
        }
        for step in 0..found.levels() {
            let plane = self.grid.plane_of(Some(level + step as i32));
            let window = &mut self.windows[wave & 1][step];
            if !window.load(self.lookup, &plane, &footprint[step].at, footprints) {
                return self.ahead_by_lane(wave);
            }
            if let Some(blocks) = &mut self.blocks {
                blocks.decode(window.rows(), window.words_mut());
            }
        }
        Reading::Windows
    }

    /// Reads the texels of each lane, unless that is done sixteen lanes at a time.
    #[inline(always)]
    fn ahead_by_lane(&mut self, wave: usize) -> Reading {
        if self.grid.plane.is_flat_words() {
            return Reading::Chunks;
        }
        self.read_all(wave);
        Reading::Whole
    }

    /// Filters the texels of a wave.
    #[inline(always)]
    fn wave<F: Exact>(&mut self, wave: usize, reading: Reading) {
        match reading {
            Reading::Nothing => return,
            Reading::Windows if self.filter_window(wave) => return,
            Reading::Windows => self.take(wave),
            Reading::Chunks => self.read::<F>(wave, 0),
            Reading::Whole => {}
        }
        let WaveFootprint {
            footprint, found, ..
        } = &self.places[wave];
        let mut levels = footprint.iter().take(found.levels());
        let bordered = levels.any(Footprint::has_border);
        if self.filter == Filter::Nearest && !found.mixed && reading != Reading::Chunks {
            return self.nearest::<F>(wave, bordered);
        }
        for chunk in 0..CHUNKS {
            if reading == Reading::Chunks && chunk + 1 < CHUNKS {
                self.read::<F>(wave, chunk + 1);
            }
            self.combine::<F>(wave, chunk, bordered);
        }
    }

    /// Filters the texels of a wave's windows on the way to registers, where lanes permute. A call, as its values would
    /// leave the other ways fewer registers.
    #[inline(never)]
    fn filter_window(&mut self, wave: usize) -> bool {
        let WaveFootprint {
            footprint,
            found,
            mix,
            ..
        } = &self.places[wave];
        let windows = &self.windows[wave & 1];
        let taps = |step: usize| {
            let footprint = &footprint[step];
            let [x, y, _] = &footprint.w;
            let outside = [0, 1, 2, 3].map(|tap| footprint.border(tap, 0));
            ByteTaps {
                window: &windows[step],
                weights: (self.filter == Filter::Linear).then_some([x, y]),
                outside,
                bordered: outside[0] | outside[1] | outside[2] | outside[3] != 0,
            }
        };
        let Target { exec, rows } = &mut self.targets[wave];
        let by = ByteFilter {
            levels: (taps(0), found.mixed.then(|| taps(1))),
            mix,
            border: self.border,
            exec: *exec,
        };
        filter_bytes(self.lookup, &by, &mut self.words[wave & 1][0][0], rows)
    }

    /// Takes the texels of a wave from its windows.
    #[inline(always)]
    fn take(&mut self, wave: usize) {
        let (found, four) = (self.places[wave].found, self.filter == Filter::Linear);
        let words = &mut self.words[wave & 1];
        let levels = self.windows[wave & 1].iter().zip(words);
        for (window, [words, ..]) in levels.take(found.levels()) {
            let (lookup, quads) = (self.lookup, &mut *self.quads);
            window.take(lookup, window.words(0), 0, four, quads, words.each_mut());
        }
    }

    #[inline(always)]
    fn read<F: Exact>(&mut self, wave: usize, chunk: usize) {
        if self.targets[wave].mask(chunk) == 0 {
            return;
        }
        let WaveFootprint {
            footprint, found, ..
        } = &self.places[wave];
        let plane = &self.grid.plane;
        let levels = footprint.iter().zip(&mut self.words[wave & 1]);
        for (footprint, [words, ..]) in levels.take(found.levels()) {
            let at = &footprint.at;
            let [a, b, c, d] = words;
            let taps = [
                part_mut(a, chunk),
                part_mut(b, chunk),
                part_mut(c, chunk),
                part_mut(d, chunk),
            ];
            match self.filter {
                Filter::Linear => plane.read::<F, 4>(at, chunk, taps),
                Filter::Nearest => plane.read::<F, 1>(at, chunk, taps),
            }
        }
    }

    /// Reads all texels of a wave.
    #[inline(always)]
    fn read_all(&mut self, wave: usize) {
        let WaveFootprint {
            footprint, found, ..
        } = &self.places[wave];
        let one = self.filter == Filter::Nearest;
        for step in 0..found.levels() {
            let level = found.level.map(|level| level + step as i32);
            let plane = self.grid.plane_of(level);
            let words = &mut self.words[wave & 1][step];
            plane.rows(&footprint[step].at, 0, one, words);
            if let Some(blocks) = &mut self.blocks {
                blocks.decode(count(self.filter), words);
            }
        }
    }

    /// Takes the one texel of each lane, which may be the border where the wave is `bordered`.
    #[inline(always)]
    fn nearest<F: Exact>(&mut self, wave: usize, bordered: bool) {
        let [[texels, ..], ..] = &mut self.words[wave & 1][0];
        if bordered {
            let outside = self.places[wave].footprint[0].border(0, 0);
            mask::replace(outside, texels, |_| self.border);
        }
        let Target { exec, rows } = &mut self.targets[wave];
        for (byte, row) in rows.iter_mut().enumerate() {
            if let Some(row) = row {
                let shift = 8 * byte as u32;
                mask::replace(*exec, row, |l| {
                    F::from_unorm(texels[l] >> shift & 0xff, 8).to_bits()
                });
            }
        }
    }

    /// Filters the texels of sixteen lanes; some may be the border where the wave is `bordered`.
    #[inline(always)]
    fn combine<F: Exact>(&mut self, wave: usize, chunk: usize, bordered: bool) {
        let target = &mut self.targets[wave];
        let mask = target.mask(chunk);
        if mask == 0 {
            return;
        }
        let mut values = [[0; CHUNK]; 4];
        let WaveFootprint {
            footprint,
            found,
            mix,
            ..
        } = &self.places[wave];
        let texels = count(self.filter);
        if bordered {
            let levels = footprint.iter().zip(&mut self.words[wave & 1]);
            for (footprint, [words, ..]) in levels.take(found.levels()) {
                cover(footprint, self.border, chunk, &mut words[..texels]);
            }
        }
        let [[t, ..], [u, ..]] = &self.words[wave & 1];
        let [t, u] = [taps(t, chunk), taps(u, chunk)];
        match (found.mixed, self.filter) {
            (false, Filter::Linear) => linear::<F>(t, &footprint[0], chunk, &mut values),
            (false, Filter::Nearest) => nearest::<F>(t[0], &mut values),
            (true, Filter::Linear) => levels::<F>([t, u], footprint, mix, chunk, &mut values),
            (true, Filter::Nearest) => {
                nearest_levels::<F>([t[0], u[0]], part(mix, chunk), &mut values);
            }
        }
        for (row, values) in target.rows.iter_mut().zip(&values) {
            if let Some(row) = row {
                put(mask, part_mut(row, chunk), values);
            }
        }
    }
}

/// Puts the border where texels of sixteen lanes are outside.
#[inline(always)]
fn cover(footprint: &Footprint, border: u32, chunk: usize, taps: &mut [Lanes]) {
    for (tap, texels) in taps.iter_mut().enumerate() {
        let mask = footprint.border(tap, 0) >> (CHUNK * chunk) & 0xffff;
        if mask != 0 {
            put(mask, part_mut(texels, chunk), &[border; CHUNK]);
        }
    }
}

/// The 2x2 texels of sixteen lanes of rows.
#[inline(always)]
fn taps(rows: &[Lanes; 4], chunk: usize) -> [&[u32; CHUNK]; 4] {
    let [a, b, c, d] = rows;
    [
        part(a, chunk),
        part(b, chunk),
        part(c, chunk),
        part(d, chunk),
    ]
}

/// The 2x2 texels of sixteen lanes: (column, line), next column, then both in the next line.
pub(super) type Taps = [[u32; CHUNK]; 4];

/// Results of sixteen lanes, one row per byte.
type Values = [[u32; CHUNK]; 4];

#[inline(always)]
fn linear<F: Exact>(
    t: [&[u32; CHUNK]; 4],
    footprint: &Footprint,
    chunk: usize,
    values: &mut Values,
) {
    const BY: Divisor = Divisor::new((255u32 << 16) as f32);
    let (x, y) = (part(&footprint.w[0], chunk), part(&footprint.w[1], chunk));
    let [v0, v1, v2, v3] = values;
    for l in 0..CHUNK {
        let sums = average([t[0][l], t[1][l], t[2][l], t[3][l]], x[l], y[l]);
        v0[l] = F::quotient(sums[0] as i32 as f32, BY).to_bits();
        v1[l] = F::quotient(sums[1] as i32 as f32, BY).to_bits();
        v2[l] = F::quotient(sums[2] as i32 as f32, BY).to_bits();
        v3[l] = F::quotient(sums[3] as i32 as f32, BY).to_bits();
    }
}

#[inline(always)]
fn nearest<F: Exact>(t: &[u32; CHUNK], values: &mut Values) {
    let [v0, v1, v2, v3] = values;
    for l in 0..CHUNK {
        v0[l] = F::from_unorm(t[l] & 0xff, 8).to_bits();
        v1[l] = F::from_unorm(t[l] >> 8 & 0xff, 8).to_bits();
        v2[l] = F::from_unorm(t[l] >> 16 & 0xff, 8).to_bits();
        v3[l] = F::from_unorm(t[l] >> 24, 8).to_bits();
    }
}

/// Sums of two levels, in units of 2^-16, to one value.
#[inline(always)]
fn mixed<F: Exact>(a: u32, b: u32, mix: u32) -> u32 {
    const BY: Divisor = Divisor::new((255u64 << 24) as f32);
    let sum = (a << 8).wrapping_add(b.wrapping_sub(a).wrapping_mul(mix));
    F::quotient(sum as f32, BY).to_bits()
}

#[inline(always)]
fn levels<F: Exact>(
    [t, u]: [[&[u32; CHUNK]; 4]; 2],
    [near, far]: &[Footprint; 2],
    mix: &Lanes,
    chunk: usize,
    values: &mut Values,
) {
    let (ax, ay) = (part(&near.w[0], chunk), part(&near.w[1], chunk));
    let (bx, by) = (part(&far.w[0], chunk), part(&far.w[1], chunk));
    let mix = part(mix, chunk);
    let [v0, v1, v2, v3] = values;
    for l in 0..CHUNK {
        let a = average([t[0][l], t[1][l], t[2][l], t[3][l]], ax[l], ay[l]);
        let b = average([u[0][l], u[1][l], u[2][l], u[3][l]], bx[l], by[l]);
        v0[l] = mixed::<F>(a[0], b[0], mix[l]);
        v1[l] = mixed::<F>(a[1], b[1], mix[l]);
        v2[l] = mixed::<F>(a[2], b[2], mix[l]);
        v3[l] = mixed::<F>(a[3], b[3], mix[l]);
    }
}

#[inline(always)]
fn nearest_levels<F: Exact>([t, u]: [&[u32; CHUNK]; 2], mix: &[u32; CHUNK], values: &mut Values) {
    for (byte, values) in values.iter_mut().enumerate() {
        for l in 0..CHUNK {
            let byte = |t: u32| (t >> (8 * byte) & 0xff) << 16;
            values[l] = mixed::<F>(byte(t[l]), byte(u[l]), mix[l]);
        }
    }
}
