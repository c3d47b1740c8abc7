//! Depth and stencil tests of a tile with all its samples: interpolate, compare, store, one vector of lanes at a time.
//! For surfaces whose tiles are rows. Same bytes as [`DepthOutput::run`].

mod batch;
mod held;

pub(crate) use batch::{TestedTiles, TileDepths};
pub(super) use held::HeldTiles;

use super::{DepthOutput, DepthRows, StencilPlace};
use crate::fragment::depth::{self, Compare, Depth, DepthFormat, limit, limit_row};
use crate::fragment::interpolate::{self, InTile, SamplePositions, ScreenPlane};
use crate::fragment::mask::{self, BIT};
use crate::fragment::scan::MAX_SAMPLES;
use crate::fragment::stencil::{self, Face};
use crate::fragment::surface::{Plane, Traffic};
use crate::memory::Memory;
use crate::texture::exact::Exact;
use crate::texture::float::canonical;
use crate::texture::sample::Lanes;
use host::{Kernel, Rounding, SimdLevel};

/// Lanes that stay in registers from the new depth to the stored one.
const CHUNK: usize = 16;

/// Tests that [`TileTest::run`] does.
#[derive(Clone, Copy)]
pub(crate) struct TileTest<'a> {
    /// The surface of depths, and of stencil values that lie with them.
    plane: Option<&'a Plane>,
    depth: Option<&'a Depth>,
    /// Stencil values in a surface of their own.
    own: Option<&'a Plane>,
    faces: Option<&'a [Face; 2]>,
    /// Where depth and stencil values lie in one surface.
    shared: Option<Shared>,
}

/// Word and lowest bit of the stencil byte, lowest bit and width of the depth.
#[derive(Clone, Copy)]
struct Shared {
    word: usize,
    shift: u32,
    depth_shift: u32,
    depth_bits: u32,
}

/// What a tile's depths are computed from.
#[derive(Clone, Copy)]
pub(crate) enum Depths<'a> {
    /// A plane, at each sample; limited first, if viewports differ.
    Plane(&'a ScreenPlane, &'a [SamplePositions], Option<[f32; 2]>),
    /// The bits of a depth per lane, for all samples.
    Row(&'a Lanes),
}

impl DepthOutput {
    /// The tests by tiles, if all surfaces allow them.
    pub(crate) fn tile_test(&self) -> Option<TileTest<'_>> {
        let depth = self.test.depth.as_ref();
        let faces = self.test.stencil.as_ref();
        let depth_bits = depth.map_or(0, |state| state.format.bits());
        let shared = |word: usize, shift: u32, depth_shift: u32| Shared {
            word: word & 1,
            shift,
            depth_shift,
            depth_bits,
        };
        let (own, shared) = match &self.stencil {
            Some(StencilPlace::Own(plane)) => (Some(plane), None),
            Some(StencilPlace::WithDepth { word, shift }) => (None, Some(shared(*word, *shift, 0))),
            Some(StencilPlace::BelowDepth) => (None, Some(shared(0, 0, 8))),
            None => (None, None),
        };
        let test = TileTest {
            plane: self.depth.as_ref(),
            depth: depth.filter(|_| self.depth.is_some()),
            own,
            faces: faces.filter(|_| self.stencil.is_some()),
            shared,
        };
        let is = |plane: &Plane| plane.has_tiles() && plane.texel_bytes() <= 8;
        let lie_so = test.plane.is_none_or(is) && own.is_none_or(is);
        let held = depth.is_none() || test.depth.is_some();
        let held = held && (faces.is_none() || test.faces.is_some());
        let found = shared.is_none() || test.plane.is_some();
        (lie_so && held && found).then_some(test)
    }
}

/// Samples in which a mask has lanes, one bit each.
#[inline(always)]
fn samples_of(masks: &[u64]) -> u32 {
    let some = masks.iter().enumerate();
    some.fold(0, |all, (n, mask)| all | u32::from(*mask != 0) << n)
}

impl TileTest<'_> {
    /// Tests the lanes of each sample of a tile, updates memory, and leaves the lanes that pass. For those of which none
    /// pass, [`TileTest::depths`] has the contents.
    #[inline]
    pub(crate) fn run(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (at, front): ([i32; 2], bool),
        depths: Depths,
        masks: &mut [u64],
        rows: &mut DepthRows,
    ) {
        let count = masks.len().min(MAX_SAMPLES);
        let tested = samples_of(masks);
        let DepthRows {
            z,
            tile,
            stencils,
            traffic,
            ..
        } = rows;
        let face = self.faces.map(|faces| &faces[usize::from(!front)]);
        self.read(
            level,
            memory,
            (at, tested),
            (&mut tile[..count], &mut stencils[..count]),
            traffic,
        );
        let (mut wrote_depth, mut wrote_stencil) = (0, 0);
        for (sample, mask) in masks.iter_mut().enumerate().take(count) {
            if *mask == 0 {
                continue;
            }
            let words = &mut tile[sample];
            let stencil = &mut stencils[sample][0];
            if let Some(shared) = self.shared {
                stencil.copy_from_slice(&words[shared.word]);
                level.run(Cut {
                    row: &mut *stencil,
                    shift: shared.shift,
                    bits: 0xff,
                });
                if shared.depth_shift != 0 {
                    let (shift, bits) = (shared.depth_shift, u32::MAX);
                    level.run(Cut {
                        row: &mut words[0],
                        shift,
                        bits,
                    });
                }
            }
            let mut lanes = *mask;
            if let Some(state) = self.depth.filter(|state| state.bounds.is_some()) {
                let mut old = words[0];
                level.run(Cut {
                    row: &mut old,
                    shift: 0,
                    bits: state.format.bits(),
                });
                lanes &= depth::within(level, state, &old);
            }
            let equal = match face {
                Some(face) => stencil::test_row(level, face, stencil) & lanes,
                None => lanes,
            };
            let passed = match self.depth {
                Some(state) => {
                    let sample_positions = match depths {
                        Depths::Plane(_, all, _) => &all[sample],
                        Depths::Row(_) => &interpolate::CENTRES,
                    };
                    let bits;
                    let row = match depths {
                        Depths::Plane(_, _, None) => None,
                        Depths::Plane(plane, _, Some(range)) => {
                            let [x, y] = at;
                            interpolate::values(level, InTile { plane, x, y }, sample_positions, z);
                            limit_row(range, z);
                            bits = z.map(f32::to_bits);
                            Some(&bits)
                        }
                        Depths::Row(row) => Some(row),
                    };
                    let plane = match depths {
                        Depths::Plane(plane, ..) => plane.tile(at[0], at[1]),
                        Depths::Row(_) => ZERO,
                    };
                    let test = Test {
                        state,
                        z: plane,
                        sample_positions,
                        mask: equal,
                        texels: &mut words[0],
                        holds: false,
                    };
                    match row {
                        None => level.run(test),
                        Some(z) => level.run(RowTest { test, z }),
                    }
                }
                None => equal,
            };
            if let Some(state) = self.depth
                && state.write
                && passed != 0
            {
                wrote_depth |= 1 << sample;
            }
            if let Some(face) = face.filter(|face| face.writes()) {
                stencil::update_row(
                    level,
                    face,
                    [lanes & !equal, equal & !passed, passed],
                    stencil,
                );
                wrote_stencil |= 1 << sample;
            }
            if let Some(shared) = self.shared {
                level.run(Put {
                    shared,
                    words,
                    stencil: &*stencil,
                });
            }
            *mask = passed;
        }
        if self.shared.is_some() {
            wrote_depth |= wrote_stencil;
        }
        if let Some(plane) = self.plane {
            let tile = &mut tile[..count];
            traffic.written += plane.write_samples(level, memory, (at, wrote_depth), tile);
        }
        if let Some(plane) = self.own {
            let stencils = &mut stencils[..count];
            traffic.written += plane.write_samples(level, memory, (at, wrote_stencil), stencils);
        }
    }

    /// The depths of a sample after a test.
    pub(crate) fn depths<'a>(
        &self,
        level: SimdLevel,
        sample: usize,
        rows: &'a mut DepthRows,
    ) -> &'a Lanes {
        let Some(shared) = self.shared else {
            return &rows.tile[sample][0];
        };
        rows.new = rows.tile[sample][0];
        level.run(Cut {
            row: &mut rows.new,
            shift: shared.depth_shift,
            bits: shared.depth_bits,
        });
        &rows.new
    }

    #[inline(always)]
    fn read(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (at, wanted): ([i32; 2], u32),
        (tile, stencils): (&mut [[Lanes; 2]], &mut [[Lanes; 2]]),
        traffic: &mut Traffic,
    ) {
        if let Some(plane) = self.plane {
            traffic.read += plane.read_samples(level, memory, (at, wanted), tile);
        }
        if let Some(plane) = self.own.filter(|_| self.faces.is_some()) {
            traffic.read += plane.read_samples(level, memory, (at, wanted), stencils);
        }
    }
}

/// Shifts bits of a row down.
struct Cut<'a> {
    row: &'a mut Lanes,
    shift: u32,
    bits: u32,
}

impl Kernel for Cut<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for word in self.row {
            *word = *word >> self.shift & self.bits;
        }
    }
}

/// Puts depths and stencil values into the words that they share. The depths of `words` are shifted down.
struct Put<'a> {
    shared: Shared,
    words: &'a mut [Lanes; 2],
    stencil: &'a Lanes,
}

impl Kernel for Put<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Shared {
            word,
            shift,
            depth_shift,
            ..
        } = self.shared;
        if depth_shift != 0 {
            for word in &mut self.words[0] {
                *word <<= depth_shift;
            }
        }
        for (word, stencil) in self.words[word].iter_mut().zip(self.stencil) {
            *word = *word & !(0xff << shift) | stencil << shift;
        }
    }
}

const ZERO: interpolate::Plane = interpolate::Plane {
    base: 0.0,
    dx: 0.0,
    dy: 0.0,
};

struct Test<'a> {
    state: &'a Depth,
    z: interpolate::Plane,
    sample_positions: &'a SamplePositions,
    mask: u64,
    /// As stored, before and after the test.
    texels: &'a mut Lanes,
    /// Afterwards they are the new depths, passing or not.
    holds: bool,
}

/// How depths are stored in a word.
trait Stored {
    type Value: PartialOrd + Copy;
    /// What counts of the word.
    const BITS: u32;
    /// The word of a depth that is in `range`; `rest` stands for what is no number.
    fn encode<R: Rounding>(z: f32, range: [f32; 2], rest: f32) -> u32;
    /// What is compared.
    fn value(word: u32) -> Self::Value;
}

struct Float;

impl Stored for Float {
    type Value = f32;
    const BITS: u32 = u32::MAX;
    #[inline(always)]
    fn encode<R: Rounding>(z: f32, range: [f32; 2], rest: f32) -> u32 {
        let limited = limit(z, range);
        canonical(if z.is_nan() { rest } else { limited })
    }
    #[inline(always)]
    fn value(word: u32) -> f32 {
        f32::from_bits(word)
    }
}

struct Narrow;

impl Stored for Narrow {
    type Value = i32;
    const BITS: u32 = 0xffff;
    #[inline(always)]
    fn encode<R: Rounding>(z: f32, range: [f32; 2], _: f32) -> u32 {
        R::to_unorm(limit(limit(z, range), [0.0, 1.0]), 16)
    }
    #[inline(always)]
    fn value(word: u32) -> i32 {
        word as i32
    }
}

struct Counted<const ONES: bool>;

impl<const ONES: bool> Stored for Counted<ONES> {
    type Value = i32;
    const BITS: u32 = 0xffff;
    #[inline(always)]
    fn encode<R: Rounding>(z: f32, range: [f32; 2], _: f32) -> u32 {
        DepthFormat::Counted16 { ones: ONES }.encode(limit(z, range))
    }
    #[inline(always)]
    fn value(word: u32) -> i32 {
        word as i32
    }
}

struct Unorm;

impl Stored for Unorm {
    type Value = i32;
    const BITS: u32 = 0xff_ffff;
    #[inline(always)]
    fn encode<R: Rounding>(z: f32, range: [f32; 2], _: f32) -> u32 {
        R::to_unorm24(limit(limit(z, range), [0.0, 1.0]))
    }
    #[inline(always)]
    fn value(word: u32) -> i32 {
        word as i32
    }
}

impl Kernel for Test<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<R: Rounding>(self) -> u64 {
        self.by_format::<R, false>(&ROW)
    }
}

/// The same where depths come as a row.
struct RowTest<'a> {
    test: Test<'a>,
    z: &'a Lanes,
}

impl Kernel for RowTest<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<R: Rounding>(self) -> u64 {
        self.test.by_format::<R, true>(self.z)
    }
}

/// In place of a row that is not read.
static ROW: Lanes = [0; 64];

impl Test<'_> {
    #[inline(always)]
    fn by_format<R: Rounding, const ROW: bool>(self, z: &Lanes) -> u64 {
        match self.state.format {
            DepthFormat::Float32 => self.by_compare::<R, Float, ROW>(z),
            DepthFormat::Unorm24 => self.by_compare::<R, Unorm, ROW>(z),
            DepthFormat::Unorm16 => self.by_compare::<R, Narrow, ROW>(z),
            DepthFormat::Counted16 { ones: true } => self.by_compare::<R, Counted<true>, ROW>(z),
            DepthFormat::Counted16 { ones: false } => self.by_compare::<R, Counted<false>, ROW>(z),
        }
    }

    /// The comparison is chosen outside the loop.
    #[inline(always)]
    fn by_compare<R: Rounding, S: Stored, const ROW: bool>(self, z: &Lanes) -> u64 {
        match self.state.compare {
            Compare::Never => self.lanes::<R, S, ROW, { Compare::Never as usize }>(z),
            Compare::Less => self.lanes::<R, S, ROW, { Compare::Less as usize }>(z),
            Compare::Equal => self.lanes::<R, S, ROW, { Compare::Equal as usize }>(z),
            Compare::LessEqual => self.lanes::<R, S, ROW, { Compare::LessEqual as usize }>(z),
            Compare::Greater => self.lanes::<R, S, ROW, { Compare::Greater as usize }>(z),
            Compare::NotEqual => self.lanes::<R, S, ROW, { Compare::NotEqual as usize }>(z),
            Compare::GreaterEqual => self.lanes::<R, S, ROW, { Compare::GreaterEqual as usize }>(z),
            Compare::Always => self.lanes::<R, S, ROW, { Compare::Always as usize }>(z),
        }
    }

    #[inline(always)]
    #[expect(
        clippy::needless_range_loop,
        reason = "iterators keep the loops from being unrolled"
    )]
    fn lanes<R: Rounding, S: Stored, const ROW: bool, const COMPARE: usize>(
        self,
        row: &Lanes,
    ) -> u64 {
        let Test {
            state,
            z: plane,
            sample_positions,
            mask,
            texels,
            holds,
        } = self;
        let unlimited = [f32::NEG_INFINITY, f32::INFINITY];
        let (range, rest) = match state.clamp {
            Some(range) => (range, limit(f32::NAN, range)),
            None => (unlimited, f32::NAN),
        };
        let mut passed = [0u32; 2];
        for half in 0..2 {
            let word = (mask >> (32 * half)) as u32;
            let writes = if state.write { u32::MAX } else { 0 };
            let held = if holds { u32::MAX } else { 0 };
            let mut bits = [0u32; CHUNK];
            for part in 0..2 {
                let first = 32 * half + CHUNK * part;
                let mut new = [0; CHUNK];
                for i in 0..CHUNK {
                    let (x, y) = (sample_positions.x[first + i], sample_positions.y[first + i]);
                    let z = match ROW {
                        true => f32::from_bits(row[first + i]),
                        false => (plane.base + plane.dx * x) + plane.dy * y,
                    };
                    new[i] = S::encode::<R>(z, range, rest);
                }
                let mut stored = [0; CHUNK];
                for i in 0..CHUNK {
                    let (bit, old) = (BIT[CHUNK * part + i], texels[first + i] & S::BITS);
                    let holds = Compare::ALL[COMPARE].holds(S::value(new[i]), S::value(old));
                    let passes = holds & (word & bit != 0);
                    bits[i] |= if passes { bit } else { 0 };
                    let stored_now = passes & (writes & bit != 0) | (held & bit != 0);
                    stored[i] = if stored_now { new[i] } else { old };
                }
                if let Some(texels) = texels[first..].first_chunk_mut() {
                    mask::store(texels, stored);
                }
            }
            for lane in bits {
                passed[half] |= lane;
            }
        }
        u64::from(passed[0]) | u64::from(passed[1]) << 32
    }
}

#[cfg(test)]
mod tests;
