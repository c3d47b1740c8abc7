//! The depth test of a tile in one pass: interpolate, compare, store, one vector of lanes at a time. For draws without
//! stencil on surfaces whose tiles are rows of words in lane order. Same bytes as [`DepthOutput::run`].

use super::{DepthOutput, DepthRows};
use crate::fragment::depth::{Compare, Depth, DepthFormat, limit};
use crate::fragment::interpolate::{self, SamplePositions, ScreenPlane};
use crate::fragment::mask::BIT;
use crate::fragment::surface::Plane;
use crate::memory::Memory;
use crate::texture::fixed::to_unorm;
use crate::texture::float::canonical;
use crate::texture::sample::Lanes;
use host::{Kernel, Rounding, SimdLevel};

/// Lanes that stay in registers from the new depth to the stored one.
const CHUNK: usize = 16;

/// A depth test that [`TileTest::run`] does.
#[derive(Clone, Copy)]
pub(crate) struct TileTest<'a> {
    plane: &'a Plane,
    state: &'a Depth,
}

impl DepthOutput {
    /// The one-pass tile test, if the draw allows it.
    pub(crate) fn tile_test(&self) -> Option<TileTest<'_>> {
        let (plane, state) = self.depth_test()?;
        let plain = state.format != DepthFormat::Unorm16 && state.bounds.is_none();
        (plain && plane.has_quads()).then_some(TileTest { plane, state })
    }
}

impl TileTest<'_> {
    /// Tests the lanes of `mask` in a tile, updates memory, and returns the lanes that pass. `z` is the depth plane;
    /// `rows.new` receives the tile's new contents.
    #[inline]
    pub(crate) fn run(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (at, sample, mask): ([i32; 2], usize, u64),
        (z, sample_positions): (&ScreenPlane, &SamplePositions),
        rows: &mut DepthRows,
    ) -> u64 {
        let DepthRows {
            new,
            depth,
            traffic,
            ..
        } = rows;
        let tile = self.plane.tile(at, sample);
        traffic.read += self.plane.bytes_of(u64::MAX);
        tile.read(memory, &mut depth[0]);
        let passed = level.run(Test {
            state: self.state,
            z: z.tile(at[0], at[1]),
            sample_positions,
            mask,
            old: &depth[0],
            out: new,
        });
        if self.state.write && passed != 0 {
            traffic.written += self.plane.bytes_of(u64::MAX);
            tile.write(memory, new);
        }
        passed
    }
}

struct Test<'a> {
    state: &'a Depth,
    z: interpolate::Plane,
    sample_positions: &'a SamplePositions,
    mask: u64,
    old: &'a Lanes,
    /// Not `old` itself: a partial store would stall the copy that follows.
    out: &'a mut Lanes,
}

/// How depths are stored in a word.
trait Stored {
    type Value: PartialOrd + Copy;
    /// What counts of the word.
    const BITS: u32;
    /// The word of a depth that is in `range`; `rest` stands for what is no number.
    fn encode(z: f32, range: [f32; 2], rest: f32) -> u32;
    /// What is compared.
    fn value(word: u32) -> Self::Value;
}

struct Float;

impl Stored for Float {
    type Value = f32;
    const BITS: u32 = u32::MAX;
    #[inline(always)]
    fn encode(z: f32, range: [f32; 2], rest: f32) -> u32 {
        let limited = limit(z, range);
        canonical(if z.is_nan() { rest } else { limited })
    }
    #[inline(always)]
    fn value(word: u32) -> f32 {
        f32::from_bits(word)
    }
}

struct Unorm;

impl Stored for Unorm {
    type Value = i32;
    const BITS: u32 = 0xff_ffff;
    #[inline(always)]
    fn encode(z: f32, range: [f32; 2], _: f32) -> u32 {
        to_unorm(limit(z, range), 24)
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
        match self.state.format {
            DepthFormat::Float32 => self.by_compare::<Float>(),
            DepthFormat::Unorm16 | DepthFormat::Unorm24 => self.by_compare::<Unorm>(),
        }
    }
}

impl Test<'_> {
    /// The comparison is chosen outside the loop.
    #[inline(always)]
    fn by_compare<S: Stored>(self) -> u64 {
        match self.state.compare {
            Compare::Never => self.lanes::<S, { Compare::Never as usize }>(),
            Compare::Less => self.lanes::<S, { Compare::Less as usize }>(),
            Compare::Equal => self.lanes::<S, { Compare::Equal as usize }>(),
            Compare::LessEqual => self.lanes::<S, { Compare::LessEqual as usize }>(),
            Compare::Greater => self.lanes::<S, { Compare::Greater as usize }>(),
            Compare::NotEqual => self.lanes::<S, { Compare::NotEqual as usize }>(),
            Compare::GreaterEqual => self.lanes::<S, { Compare::GreaterEqual as usize }>(),
            Compare::Always => self.lanes::<S, { Compare::Always as usize }>(),
        }
    }

    #[inline(always)]
    #[expect(
        clippy::needless_range_loop,
        reason = "iterators keep the loops from being unrolled"
    )]
    fn lanes<S: Stored, const COMPARE: usize>(self) -> u64 {
        let Test {
            state,
            z: plane,
            sample_positions,
            mask,
            old,
            out,
        } = self;
        let unlimited = [f32::NEG_INFINITY, f32::INFINITY];
        let (range, rest) = match state.clamp {
            Some(range) => (range, limit(f32::NAN, range)),
            None => (unlimited, f32::NAN),
        };
        let mut passed = [0u32; 2];
        for half in 0..2 {
            let word = (mask >> (32 * half)) as u32;
            let mut bits = [0u32; CHUNK];
            for part in 0..2 {
                let first = 32 * half + CHUNK * part;
                let mut new = [0; CHUNK];
                for i in 0..CHUNK {
                    let (x, y) = (sample_positions.x[first + i], sample_positions.y[first + i]);
                    let z = (plane.base + plane.dx * x) + plane.dy * y;
                    new[i] = S::encode(z, range, rest);
                }
                let mut stored = [0; CHUNK];
                for i in 0..CHUNK {
                    let (bit, old) = (BIT[CHUNK * part + i], old[first + i] & S::BITS);
                    let holds = Compare::ALL[COMPARE].holds(S::value(new[i]), S::value(old));
                    let passes = holds & (word & bit != 0);
                    bits[i] |= if passes { bit } else { 0 };
                    stored[i] = if passes { new[i] } else { old };
                }
                out[first..first + CHUNK].copy_from_slice(&stored);
            }
            for lane in bits {
                passed[half] |= lane;
            }
        }
        u64::from(passed[0]) | u64::from(passed[1]) << 32
    }
}
