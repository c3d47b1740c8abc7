//! The fast path of row code: 2D textures of four-byte texels without border, offsets or layers. One pass computes the
//! footprints of a wave from its coordinates; a second reads texels, sixteen lanes at a time, and writes registers.

#![expect(
    clippy::needless_range_loop,
    reason = "a lane number indexes several rows"
)]

use super::pairs::{Extent, Grid};
use super::rules::{FRACTION_BITS, ONE, near_linear_texel, near_position, nearest_texel};
use super::scratch::{MAX_WAVES, WaveFootprint};
use super::{Address, Filter, LANES, Lanes};
use crate::fragment::depth::Compare;
use crate::memory::plane::{CHUNK, Cut, Plane, Positions};
use crate::texture::exact::{Divisor, Exact};
use host::{Kernel, Rounding, SimdLevel};

/// Where the texels of a wave lie.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Footprint {
    /// Entries of the tables of x and y.
    pub at: Positions,
    /// Weights of the second texels.
    pub w: [Lanes; 2],
}

impl Footprint {
    pub const ZERO: Footprint = Footprint {
        at: Positions::ZERO,
        w: [[0; LANES]; 2],
    };
}

/// Per lane: mip level sizes and table entries of texel 0.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Extents {
    size: [[f32; LANES]; 3],
    start: [Lanes; 3],
}

impl Extents {
    pub const ZERO: Extents = Extents {
        size: [[0.0; LANES]; 3],
        start: [[0; LANES]; 3],
    };

    /// Sizes and table entries along an axis.
    #[inline(always)]
    pub fn along(&self, axis: usize) -> (&[f32; LANES], &Lanes) {
        (&self.size[axis], &self.start[axis])
    }

    /// Takes the numbers of level `levels[lane] + step` on the first axes.
    pub fn fill(&mut self, grid: &Grid, levels: &[i32; LANES], step: i32, axes: usize) {
        for (quad, levels) in levels.as_chunks::<4>().0.iter().enumerate() {
            // Mostly the lanes of a quad have the same.
            let first = grid.extent(levels[0] + step);
            for (lane, level) in levels.iter().enumerate() {
                let extent = match *level == levels[0] {
                    true => first,
                    false => grid.extent(level + step),
                };
                for axis in 0..axes {
                    let lane = 4 * quad + lane;
                    (self.size[axis][lane], self.start[axis][lane]) = extent[axis];
                }
            }
        }
    }
}

/// Wave-uniform settings of an axis.
pub(super) type Rule = (Address, Filter);

/// Size and table entry of texel 0 on all axes, for one mip level or per lane.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Level(&'a Extent),
    Rows(&'a Extents),
}

impl Footprint {
    /// Finds the texels at coordinates.
    pub fn find(
        &mut self,
        level: SimdLevel,
        grid: &Grid,
        source: Source,
        filter: Filter,
        coords: [&Lanes; 2],
    ) {
        for axis in 0..2 {
            let (at, w) = (self.at.cut(&grid.plane, axis), &mut self.w[axis]);
            let (rule, coords) = ((grid.modes[axis], filter), coords[axis]);
            match source {
                Source::Level(extent) => level.run(Line {
                    rule,
                    coords,
                    extent: extent[axis],
                    at,
                    w,
                }),
                Source::Rows(rows) => level.run(LineOfRows {
                    rule,
                    coords,
                    size: &rows.size[axis],
                    start: &rows.start[axis],
                    at,
                    w,
                }),
            }
        }
    }

    #[inline(always)]
    fn read<F: Exact, const N: usize>(&self, plane: &Plane, chunk: usize, taps: &mut Taps) {
        plane.read::<F, N>(&self.at, chunk, taps.each_mut());
    }
}

/// Sixteen lanes of a row.
#[inline(always)]
fn part(row: &Lanes, chunk: usize) -> &[u32; CHUNK] {
    &row.as_chunks().0[chunk]
}

#[inline(always)]
fn part_mut(row: &mut Lanes, chunk: usize) -> &mut [u32; CHUNK] {
    &mut row.as_chunks_mut().0[chunk]
}

#[inline(always)]
fn line_loop<F: Exact>(
    (mode, filter): Rule,
    coords: &Lanes,
    extent: impl Fn(usize) -> (f32, u32),
    mut at: Cut,
    w: &mut Lanes,
) {
    match filter {
        Filter::Linear => {
            for l in 0..LANES {
                let (size, start) = extent(l);
                let x =
                    near_position::<F>(mode, f32::from_bits(coords[l]), size * ONE as i32 as f32);
                let q = near_linear_texel::<F>(x);
                at.put(l, start.wrapping_add((q >> FRACTION_BITS) as u32));
                w[l] = q as u32 & (ONE - 1);
            }
        }
        Filter::Nearest => {
            for l in 0..LANES {
                let (size, start) = extent(l);
                let i = nearest_texel(near_position::<F>(mode, f32::from_bits(coords[l]), size));
                at.put(l, start.wrapping_add(i as u32));
            }
        }
    }
}

#[inline(always)]
fn line_of<F: Exact>(
    (mode, filter): Rule,
    coords: &Lanes,
    extent: impl Fn(usize) -> (f32, u32),
    at: Cut,
    w: &mut Lanes,
) {
    use Address::{ClampToEdge, Mirror, Repeat};
    match mode {
        Repeat => line_loop::<F>((Repeat, filter), coords, extent, at, w),
        Mirror => line_loop::<F>((Mirror, filter), coords, extent, at, w),
        _ => line_loop::<F>((ClampToEdge, filter), coords, extent, at, w),
    }
}

/// Coordinates along an axis of one level to table entries and weights.
#[inline(always)]
pub(super) fn line_of_level<F: Exact>(
    rule: Rule,
    coords: &Lanes,
    extent: (f32, u32),
    at: Cut,
    w: &mut Lanes,
) {
    line_of::<F>(rule, coords, |_| extent, at, w);
}

/// [`line_of_level`] by itself.
struct Line<'a> {
    rule: Rule,
    coords: &'a Lanes,
    extent: (f32, u32),
    at: Cut<'a>,
    w: &'a mut Lanes,
}

impl Kernel for Line<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        line_of_level::<R>(self.rule, self.coords, self.extent, self.at, self.w);
    }
}

/// The same with a level per lane.
struct LineOfRows<'a> {
    rule: Rule,
    coords: &'a Lanes,
    size: &'a [f32; LANES],
    start: &'a Lanes,
    at: Cut<'a>,
    w: &'a mut Lanes,
}

impl Kernel for LineOfRows<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let (size, start) = (self.size, self.start);
        let extent = |l: usize| (size[l], start[l]);
        line_of::<R>(self.rule, self.coords, extent, self.at, self.w);
    }
}

/// Registers that results go to.
pub(super) struct Target<'a> {
    /// Lanes that get one.
    pub exec: u64,
    /// Destination register of each texel byte. A comparison goes to the first.
    pub rows: [Option<&'a mut Lanes>; 4],
}

impl Target<'_> {
    /// Of a wave that gets nothing.
    pub const NONE: Self = Target {
        exec: 0,
        rows: [None, None, None, None],
    };

    /// Which of the sixteen lanes of a chunk get a result.
    #[inline(always)]
    fn mask(&self, chunk: usize) -> u64 {
        self.exec >> (CHUNK * chunk) & 0xffff
    }
}

/// Writes the enabled lanes of sixteen.
#[inline(always)]
fn put(mask: u64, row: &mut [u32; CHUNK], values: &[u32; CHUNK]) {
    if mask == 0xffff {
        *row = *values;
    } else {
        for l in 0..CHUNK {
            let taken = 0u32.wrapping_sub(mask as u32 >> l & 1);
            row[l] = values[l] & taken | row[l] & !taken;
        }
    }
}

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

/// Chunks of a wave.
const CHUNKS: usize = LANES / CHUNK;

/// Bytes of texels to floats.
pub(super) struct Bytes<'a, 'b> {
    pub plane: Plane<'a>,
    pub filter: Filter,
    /// At least as many waves as targets.
    pub places: &'a [WaveFootprint; MAX_WAVES],
    pub taps: &'a mut [[Taps; 2]; 2],
    pub targets: &'a mut [Target<'b>],
}

impl Kernel for Bytes<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(mut self) {
        // A load that spans several stores waits for them (no forwarding), so texels are read one step ahead.
        let count = self.targets.len().min(MAX_WAVES) * CHUNKS;
        for step in 0..=count {
            if step < count {
                self.read::<R>(step / CHUNKS, step % CHUNKS);
            }
            if step > 0 {
                self.combine::<R>((step - 1) / CHUNKS, (step - 1) % CHUNKS);
            }
        }
    }
}

impl Bytes<'_, '_> {
    #[inline(always)]
    fn read<F: Exact>(&mut self, wave: usize, chunk: usize) {
        if self.targets[wave].mask(chunk) == 0 {
            return;
        }
        let [t, u] = &mut self.taps[chunk & 1];
        let WaveFootprint {
            footprint, found, ..
        } = &self.places[wave];
        if self.filter == Filter::Linear {
            footprint[0].read::<F, 4>(&self.plane, chunk, t);
            if found.mixed {
                footprint[1].read::<F, 4>(&self.plane, chunk, u);
            }
        } else {
            footprint[0].read::<F, 1>(&self.plane, chunk, t);
            if found.mixed {
                footprint[1].read::<F, 1>(&self.plane, chunk, u);
            }
        }
    }

    #[inline(always)]
    fn combine<F: Exact>(&mut self, wave: usize, chunk: usize) {
        let target = &mut self.targets[wave];
        let mask = target.mask(chunk);
        if mask == 0 {
            return;
        }
        let mut values = [[0; CHUNK]; 4];
        let [t, u] = &self.taps[chunk & 1];
        let WaveFootprint {
            footprint,
            found,
            mix,
            ..
        } = &self.places[wave];
        match (found.mixed, self.filter) {
            (false, Filter::Linear) => linear::<F>(t, &footprint[0], chunk, &mut values),
            (false, Filter::Nearest) => nearest::<F>(&t[0], &mut values),
            (true, Filter::Linear) => levels::<F>([t, u], footprint, mix, chunk, &mut values),
            (true, Filter::Nearest) => {
                nearest_levels::<F>([&t[0], &u[0]], part(mix, chunk), &mut values);
            }
        }
        for (row, values) in target.rows.iter_mut().zip(&values) {
            if let Some(row) = row {
                put(mask, part_mut(row, chunk), values);
            }
        }
    }
}

/// The 2x2 texels of sixteen lanes: (column, line), next column, then both in the next line.
pub(super) type Taps = [[u32; CHUNK]; 4];

/// Results of sixteen lanes, one row per byte.
type Values = [[u32; CHUNK]; 4];

#[inline(always)]
fn linear<F: Exact>(t: &Taps, footprint: &Footprint, chunk: usize, values: &mut Values) {
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
    [t, u]: [&Taps; 2],
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
            self.places[wave].footprint[0].read::<F, 4>(&self.plane, chunk, taps);
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
                            let (left, top) = (ONE - x[l], ONE - y[l]);
                            let holds = |t: u32, w: u32| {
                                if Compare::$op.holds(given, f32::from_bits(t)) { w } else { 0 }
                            };
                            let upper = holds(t[0][l], left) + holds(t[1][l], x[l]);
                            let lower = holds(t[2][l], left) + holds(t[3][l], x[l]);
                            let sum = upper * top + lower * y[l];
                            values[l] = (sum as i32 as f32 * SCALE).to_bits();
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
