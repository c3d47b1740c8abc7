//! Depth and stencil tests of a draw against its surfaces, before or after the pixel shader.

mod reject;
mod tile;

use tile::HeldTiles;
pub(crate) use tile::{Depths, TestedTiles, TileDepths, TileTest};

use crate::fragment::depth::{self, Depth, DepthFormat};
use crate::fragment::hi_z::HiZ;
use crate::fragment::scan::{MAX_BATCH, MAX_SAMPLES};
use crate::fragment::stencil::{DepthStencil, Face, Facing};
use crate::fragment::surface::{LanePixels, Plane, Texels, TileBytes, Traffic, Words};
use crate::memory::Memory;
use crate::texture::sample::Lanes;
use host::SimdLevel;

/// Lanes that are tested one by one.
const FEW: u32 = 6;

/// Where stencil values lie.
#[derive(Clone, Debug)]
pub enum StencilPlace {
    /// In a surface of their own, a byte each.
    Own(Plane),
    /// In a byte of the depth surface's texels.
    WithDepth {
        /// Word of the texel.
        word: usize,
        /// Lowest bit of the byte.
        shift: u32,
    },
    /// In the lowest byte of the depth surface's texels, whose depth is in the bits above.
    BelowDepth,
}

/// State of one draw.
#[derive(Clone, Debug, Default)]
pub struct DepthOutput {
    /// The tests; those without a surface are off.
    pub test: DepthStencil,
    /// The surface of depths; also bound when only the stencil values in it are tested.
    pub depth: Option<Plane>,
    /// Stencil values, if they are tested.
    pub stencil: Option<StencilPlace>,
    /// The tests run before the pixel shader.
    pub early: bool,
    /// Counts samples after the tests, not after the shader.
    pub counts_early: bool,
    /// The shader gives the depth.
    pub exports_depth: bool,
    /// The shader gives reference values of the stencil test.
    pub exports_stencil: bool,
    /// The shader gives the sample mask.
    pub exports_mask: bool,
    /// Hi-Z may reject tiles. No shader stores to memory in this draw.
    pub hi_z: bool,
    /// Late tests may be preceded by tests that only reject: nobody sees whether a rejected sample's shader ran.
    pub may_reject: bool,
    /// Those tests, once [`check_surfaces`](crate::draw::check_surfaces) has found that they are allowed.
    pub rejecting: Option<Box<DepthOutput>>,
}

/// Rows that a test works on.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct DepthRows {
    /// Depths of the tile, encoded.
    pub(crate) new: [u32; 64],
    /// As stored, when the test has run.
    pub(crate) depth: Words,
    stencil: Words,
    /// Of a tile's samples: depths to test, two words of texels, and stencil values.
    z: [f32; 64],
    tile: [[Lanes; 2]; MAX_SAMPLES],
    stencils: [[Lanes; 2]; MAX_SAMPLES],
    /// Of several tiles: texels and stencil values.
    depths: [Lanes; MAX_BATCH],
    bytes: [TileBytes; MAX_BATCH],
    held: HeldTiles,
    /// Bytes moved.
    pub(crate) traffic: Traffic,
}

impl Default for DepthRows {
    fn default() -> DepthRows {
        DepthRows {
            new: [0; 64],
            depth: [[0; 64]; 4],
            stencil: [[0; 64]; 4],
            z: [0.0; 64],
            tile: [[[0; 64]; 2]; MAX_SAMPLES],
            stencils: [[[0; 64]; 2]; MAX_SAMPLES],
            depths: [[0; 64]; MAX_BATCH],
            bytes: [TileBytes::default(); MAX_BATCH],
            held: HeldTiles::default(),
            traffic: Traffic::default(),
        }
    }
}

impl DepthRows {
    /// The depths of a tile of a batch after [`TileTest::run_tiles`].
    pub(crate) fn of_tile(&self, n: usize) -> &Lanes {
        &self.depths[n]
    }
}

impl DepthOutput {
    /// Whether there is anything to test.
    #[inline]
    pub fn is_active(&self) -> bool {
        self.test.depth.is_some() || self.test.stencil.is_some()
    }

    /// The depth test, if Hi-Z may reject tiles before it: samples that fail it change nothing, and full tiles are
    /// read.
    #[inline]
    pub(crate) fn hi_z_test(&self) -> Option<&Depth> {
        let changes = |faces: &[Face; 2]| faces.iter().any(Face::changes_on_failure);
        let plain = self.hi_z && !self.test.stencil.as_ref().is_some_and(changes);
        let apart = matches!(self.stencil, None | Some(StencilPlace::BelowDepth));
        let rows = apart && self.depth.as_ref().is_some_and(Plane::reads_tiles);
        let whole = plain && (rows || self.tile_test().is_some());
        let state = self.test.depth.as_ref().filter(|_| whole);
        state.filter(|state| HiZ::helps(state))
    }

    /// The depths of a tile as [`DepthOutput::run`] left them, encoded.
    pub(crate) fn stored(&self, rows: &DepthRows) -> [u32; 64] {
        match self.stencil {
            Some(StencilPlace::BelowDepth) => rows.depth[0].map(|word| word >> 8),
            _ => rows.depth[0],
        }
    }

    /// Whether testing lane by lane beats a whole row.
    #[inline(always)]
    pub(crate) fn are_few(mask: u64) -> bool {
        // Counting bits is not one instruction everywhere.
        let mut left = mask;
        for _ in 0..FEW {
            left &= left.wrapping_sub(1);
        }
        left == 0
    }

    /// The plane and the test, if the draw only tests depth.
    #[inline]
    pub(crate) fn depth_test(&self) -> Option<(&Plane, &Depth)> {
        let plain = self.stencil.is_none() && self.test.stencil.is_none();
        let both = self.depth.as_ref().zip(self.test.depth.as_ref());
        both.filter(|_| plain)
    }

    /// As [`DepthOutput::run`] for [`DepthOutput::depth_test`], lane by lane; `z` gives the depth of one.
    #[inline]
    pub(crate) fn run_few(
        (plane, state): (&Plane, &Depth),
        memory: &Memory,
        texels: &Texels,
        traffic: &mut Traffic,
        z: impl Fn(usize) -> f32,
    ) -> u64 {
        let bits = state.format.bits();
        let (mut passed, mut tested, mut written) = (0, 0, 0);
        plane.each_word(memory, texels, |lane, old| {
            let new = state.stored(z(lane));
            let passes = state.passes(new, old & bits);
            passed |= u64::from(passes) << lane;
            tested += 1;
            written += u64::from(passes & state.write);
            (passes && state.write).then_some(new)
        });
        traffic.read += tested * plane.texel_bytes();
        traffic.written += written * plane.texel_bytes();
        passed
    }

    /// The planes bound.
    pub fn planes(&self) -> impl Iterator<Item = &Plane> {
        let own = match &self.stencil {
            Some(StencilPlace::Own(plane)) => Some(plane),
            _ => None,
        };
        self.depth.iter().chain(own)
    }

    /// Tests texels, updates memory, and returns the lanes that pass.
    pub fn run(
        &self,
        level: SimdLevel,
        memory: &Memory,
        texels: &Texels,
        facing: Facing<'_>,
        z: &[f32; 64],
        rows: &mut DepthRows,
    ) -> u64 {
        let one_word = match self.stencil {
            Some(StencilPlace::WithDepth { word, shift }) => Some((word, shift, 0)),
            Some(StencilPlace::BelowDepth) => Some((0, 0, 8)),
            _ => None,
        };
        if let Some(places) = one_word {
            return self.run_one_word(level, memory, texels, (facing, z), rows, places);
        }
        let mut bytes = [0; 64];
        if let (Some(plane), Some(state)) = (&self.depth, &self.test.depth) {
            depth::encode(level, state, z, &mut rows.new);
            rows.traffic.read += plane.bytes_read(texels);
            plane.read(memory, texels, &mut rows.depth);
            if state.format == DepthFormat::Unorm24 {
                for value in &mut rows.depth[0] {
                    *value &= 0xff_ffff;
                }
            }
        }
        if let Some(StencilPlace::Own(plane)) = &self.stencil {
            rows.traffic.read += plane.bytes_read(texels);
            plane.read(memory, texels, &mut rows.stencil);
            bytes = rows.stencil[0].map(|word| word as u8);
        }
        let passed = self.test.run(
            level,
            texels.mask,
            facing,
            &rows.new,
            &mut rows.depth[0],
            &mut bytes,
        );
        // Full tiles are read and written whole: a tile belongs to one bin, so to one thread.
        let kept = matches!(texels.place, LanePixels::Tile(..));
        if let (Some(plane), Some(state)) = (&self.depth, &self.test.depth)
            && state.write
            && passed != 0
        {
            let written = Texels {
                mask: passed,
                ..*texels
            };
            rows.traffic.written += plane.bytes_written(&written, kept);
            plane.write(memory, &written, kept, &rows.depth);
        }
        if let Some(StencilPlace::Own(plane)) = &self.stencil {
            rows.stencil[0] = bytes.map(u32::from);
            rows.traffic.written += plane.bytes_written(texels, kept);
            plane.write(memory, texels, kept, &rows.stencil);
        }
        passed
    }

    /// The same where both lie in one surface: word and lowest bit of the stencil byte, lowest bit of the depth.
    fn run_one_word(
        &self,
        level: SimdLevel,
        memory: &Memory,
        texels: &Texels,
        (facing, z): (Facing<'_>, &[f32; 64]),
        rows: &mut DepthRows,
        (word, shift, depth_shift): (usize, u32, u32),
    ) -> u64 {
        let Some(plane) = &self.depth else {
            return texels.mask;
        };
        let word = word & 3;
        rows.traffic.read += plane.bytes_read(texels);
        plane.read(memory, texels, &mut rows.depth);
        let mut bytes = rows.depth[word].map(|value| (value >> shift) as u8);
        let mut depths = rows.depth[0];
        let bits = match &self.test.depth {
            Some(state) => {
                depth::encode(level, state, z, &mut rows.new);
                state.format.bits()
            }
            None => 0,
        };
        for value in &mut depths {
            *value = *value >> depth_shift & bits;
        }
        let passed = self.test.run(
            level,
            texels.mask,
            facing,
            &rows.new,
            &mut depths,
            &mut bytes,
        );
        for (row, value) in rows.depth[0].iter_mut().zip(&depths) {
            *row = *row & !(bits << depth_shift) | value << depth_shift;
        }
        for (row, byte) in rows.depth[word].iter_mut().zip(&bytes) {
            *row = *row & !(0xff << shift) | u32::from(*byte) << shift;
        }
        let kept = matches!(texels.place, LanePixels::Tile(..));
        rows.traffic.written += plane.bytes_written(texels, kept);
        plane.write(memory, texels, kept, &rows.depth);
        passed
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::fragment::depth::Compare;
    use crate::fragment::surface::{Cache, Extent, Layout};
    use crate::fragment::tile::lane;
    use proptest::prelude::*;

    /// Two tiles beside each other, texel after texel.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    struct Tiles {
        bytes: u32,
    }

    impl Layout for Tiles {
        fn extent(&self) -> Extent {
            Extent {
                pitch: 16,
                height: 8,
                samples: 1,
                element_bytes: self.bytes,
            }
        }
        fn bytes(&self, _: u32) -> u64 {
            128 * u64::from(self.bytes)
        }
        fn xor_bits(&self) -> u64 {
            0
        }
        fn offset(&self, x: u32, y: u32, _: u32, _: u32) -> u64 {
            u64::from((lane(x & 7, y) + (x & 8) * 8) * self.bytes)
        }
    }

    fn float() -> impl Strategy<Value = f32> {
        prop_oneof![-0.2f32..1.2, any::<f32>(), Just(0.5), Just(f32::NAN)]
    }

    /// Memories with the same words, and a plane in each.
    fn two(bytes: u32) -> [(Memory, Plane); 2] {
        [(); 2].map(|()| {
            let memory = Memory::new(4096);
            for word in 0..1024 {
                memory.store(4 * word, 0xdead_0000 + word as u32).unwrap();
            }
            let plane = Cache::default().plane(&memory, Tiles { bytes }, 256, 0);
            (memory, plane.unwrap())
        })
    }

    fn texels_of(mask: u64) -> Texels<'static> {
        Texels {
            place: LanePixels::Tile(8, 0),
            sample: 0,
            mask,
        }
    }

    fn words(memory: &Memory) -> Vec<Option<u32>> {
        (0..4096).step_by(4).map(|at| memory.load(at)).collect()
    }

    fn output(state: Depth, plane: &Plane) -> DepthOutput {
        DepthOutput {
            test: DepthStencil {
                depth: Some(state),
                stencil: None,
            },
            depth: Some(plane.clone()),
            ..DepthOutput::default()
        }
    }

    proptest! {
        #[test]
        fn lane_by_lane_is_as_a_row_at_once(
            lanes in proptest::collection::vec(0u32..64, 1..=FEW as usize),
            new in proptest::collection::vec(float(), 64),
            stored in proptest::collection::vec(float(), 64),
            (format, bytes) in prop_oneof![
                Just((DepthFormat::Unorm16, 2)),
                Just((DepthFormat::Counted16 { ones: true }, 2)),
                Just((DepthFormat::Counted16 { ones: false }, 2)),
                Just((DepthFormat::Unorm24, 4)),
                Just((DepthFormat::Float32, 4)),
                Just((DepthFormat::Float32, 8)),
            ],
            compare in 0usize..8,
            write: bool,
            clamps: bool,
            bounded: bool,
        ) {
            let mask = lanes.iter().fold(0, |mask, lane| mask | 1u64 << lane);
            prop_assert!(DepthOutput::are_few(mask));
            let [one, other] = two(bytes);
            let state = Depth {
                format,
                compare: Compare::ALL[compare],
                write,
                clamp: clamps.then_some([0.25, 0.75]),
                bounds: bounded.then_some([0.1, 0.6]),
            };
            let mut rows = DepthRows::default();
            for (lane, z) in stored.iter().enumerate() {
                rows.depth[0][lane] = format.encode(*z);
                rows.depth[1][lane] = lane as u32;
            }
            for (memory, plane) in [&one, &other] {
                plane.write(memory, &texels_of(u64::MAX), true, &rows.depth);
            }
            let z: [f32; 64] = new.try_into().unwrap();
            let texels = texels_of(mask);
            let level = SimdLevel::current();
            let whole = output(state, &one.1).run(level, &one.0, &texels, Facing::of(0), &z, &mut rows);
            let few = output(state, &other.1);
            let test = few.depth_test().unwrap();
            let few = DepthOutput::run_few(test, &other.0, &texels, &mut Traffic::default(), |lane| z[lane]);
            prop_assert_eq!(whole, few);
            prop_assert_eq!(words(&one.0), words(&other.0));
        }
    }

    /// A stored depth at a bound lies within, the next one beyond does not, however many lanes live. The values are those
    /// of the formats: 16384 / 65535 and the like are no floats, so bounds are set from both sides of them.
    #[test]
    fn depth_bounds_belong_to_the_inside() {
        let unorm = |n: u32, bits: u32| (f64::from(n) / ((1u64 << bits) - 1) as f64) as f32;
        let cases = [
            (
                DepthFormat::Unorm16,
                2,
                [16384, 49152],
                unorm(16384, 16),
                unorm(49152, 16),
            ),
            (
                DepthFormat::Unorm24,
                4,
                [4_194_304, 12_582_912],
                unorm(4_194_304, 24),
                unorm(12_582_912, 24),
            ),
            (
                DepthFormat::Float32,
                4,
                [0.25f32.to_bits(), 0.75f32.to_bits()],
                0.25,
                0.75,
            ),
            (
                DepthFormat::Float32,
                8,
                [0.25f32.to_bits(), 0.75f32.to_bits()],
                0.25,
                0.75,
            ),
        ];
        for (format, bytes, [low, high], least, most) in cases {
            let stored = [low - 1, low, low + 1, high - 1, high, high + 1];
            let within = [false, true, true, true, true, false];
            for count in [1, 6, 7, 64] {
                let mask = u64::MAX >> (64 - count);
                let [one, other] = two(bytes);
                let mut rows = DepthRows::default();
                for (lane, word) in rows.depth[0].iter_mut().enumerate() {
                    *word = stored[lane % 6];
                }
                let state = Depth {
                    format,
                    compare: Compare::Always,
                    write: true,
                    clamp: None,
                    bounds: Some([least, most]),
                };
                let expected = (0..64).filter(|lane| within[lane % 6]);
                let expected = expected.fold(0, |all, lane| all | 1u64 << lane) & mask;
                let z = [1.0; 64];
                let texels = texels_of(mask);
                for (memory, plane) in [&one, &other] {
                    plane.write(memory, &texels_of(u64::MAX), true, &rows.depth);
                }
                let (memory, plane) = &one;
                let output_of = output(state, plane);
                let mut used = DepthRows::default();
                let level = SimdLevel::current();
                let whole = output_of.run(level, memory, &texels, Facing::of(0), &z, &mut used);
                assert_eq!(whole, expected, "{format:?} {count}");
                if !DepthOutput::are_few(mask) {
                    continue;
                }
                let (memory, plane) = &other;
                let output_of = output(state, plane);
                let test = output_of.depth_test().unwrap();
                let few =
                    DepthOutput::run_few(test, memory, &texels, &mut Traffic::default(), |lane| {
                        z[lane]
                    });
                assert_eq!(few, expected, "{format:?} {count}");
                // The others keep their depths.
                plane.read(memory, &texels_of(u64::MAX), &mut used.depth);
                for lane in 0..64 {
                    let one = format.encode(1.0);
                    let kept = if expected >> lane & 1 != 0 {
                        one
                    } else {
                        stored[lane % 6]
                    };
                    assert_eq!(used.depth[0][lane], kept, "{format:?} {lane}");
                }
            }
        }
    }

    #[test]
    fn few_lanes() {
        assert!(DepthOutput::are_few(0));
        assert!(DepthOutput::are_few(0x8000_0000_0000_001f));
        assert!(!DepthOutput::are_few(0x8000_0000_0000_003f));
    }
}
