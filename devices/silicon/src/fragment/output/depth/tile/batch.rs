//! Tests of one sample of several tiles of a primitive: tiles are read, tested and written side by side.

use super::{Cut, ROW, Shared, Test, TileTest, ZERO, samples_of};
use crate::fragment::depth::Depth;
use crate::fragment::interpolate::{CENTRES, SamplePositions, ScreenPlane};
use crate::fragment::output::DepthRows;
use crate::fragment::scan::MAX_BATCH;
use crate::fragment::stencil::{self, Face};
use crate::fragment::surface::{Plane, TileBytes, Traffic};
use crate::memory::Memory;
use crate::texture::sample::Lanes;
use host::{Kernel, Rounding, SimdLevel};

/// Tiles of a batch, at most [`MAX_BATCH`], none of them twice, and the lanes of each.
#[derive(Clone, Copy, Default)]
pub(crate) struct TestedTiles {
    pub(super) at: [[i32; 2]; MAX_BATCH],
    pub(super) masks: [u64; MAX_BATCH],
    pub(super) count: usize,
}

impl TestedTiles {
    pub(crate) fn add(&mut self, at: [i32; 2], mask: u64) {
        (self.at[self.count], self.masks[self.count]) = (at, mask);
        self.count += 1;
    }

    /// First pixels.
    pub(crate) fn at(&self) -> &[[i32; 2]] {
        &self.at[..self.count]
    }

    /// Lanes; after a test, those that pass.
    pub(crate) fn masks(&self) -> &[u64] {
        &self.masks[..self.count]
    }
}

/// What the depths of tiles are computed from.
#[derive(Clone, Copy)]
pub(crate) enum TileDepths<'a> {
    /// A plane, at the sample.
    Plane(&'a ScreenPlane, &'a SamplePositions),
    /// The bits of a depth per lane, a row for each tile.
    Rows(&'a [&'a Lanes]),
}

impl TileTest<'_> {
    /// Whether [`TileTest::run_tiles`] does them: texels are words, sample after sample, and no bounds are tested.
    pub(crate) fn takes_tiles(&self) -> bool {
        let apart = |plane: Option<&Plane>| {
            plane.is_none_or(|plane| plane.has_sample_tiles() && plane.words() == 1)
        };
        let bytes = self.own.is_none_or(|plane| plane.texel_bytes() == 1);
        let bounded = self.depth.is_some_and(|state| state.bounds.is_some());
        !bounded && bytes && apart(self.plane) && apart(self.own)
    }

    /// Tests the first sample of tiles, as [`TileTest::run`] does for each. For those of which no lane passes,
    /// [`DepthRows::of_tile`] has the depths.
    pub(crate) fn run_tiles(
        &self,
        level: SimdLevel,
        memory: &Memory,
        depths_of: TileDepths,
        (tiles, front): (&mut TestedTiles, bool),
        rows: &mut DepthRows,
    ) {
        rows.let_go();
        self.read_tiles(level, memory, tiles.at(), rows);
        let TestedTiles { at, masks, count } = &mut *tiles;
        level.run(Tests {
            shared: self.shared,
            state: self.depth,
            face: self.face(front),
            depths: depths_of,
            at: &at[..*count],
            masks: &mut masks[..*count],
            texels: &mut rows.depths,
            stencils: &mut rows.bytes,
            holds: false,
        });
        self.write_tested(level, memory, tiles, front, rows);
        if let Some(shared) = self.shared {
            let rows = tiles.masks().iter().zip(&mut rows.depths);
            for (_, row) in rows.filter(|(mask, _)| **mask == 0) {
                level.run(Cut {
                    row,
                    shift: shared.depth_shift,
                    bits: shared.depth_bits,
                });
            }
        }
    }

    /// Stencil tests and operations of a side.
    #[inline]
    pub(super) fn face(&self, front: bool) -> Option<&Face> {
        self.faces.map(|faces| &faces[usize::from(!front)])
    }

    /// Reads texels and stencil values of tiles.
    pub(super) fn read_tiles(
        &self,
        level: SimdLevel,
        memory: &Memory,
        at: &[[i32; 2]],
        rows: &mut DepthRows,
    ) {
        if let Some(plane) = self.plane {
            rows.traffic.read += moved(plane, at);
            let rows = &mut [&mut rows.depths[..], &mut [], &mut [], &mut []];
            plane.read_tiles(level, memory, (at, 0), rows);
        }
        self.read_stencils(memory, at, rows);
    }

    /// Reads stencil values of tiles that have a surface of their own.
    pub(super) fn read_stencils(&self, memory: &Memory, at: &[[i32; 2]], rows: &mut DepthRows) {
        if let Some(plane) = self.own.filter(|_| self.faces.is_some()) {
            rows.traffic.read += moved(plane, at);
            plane.read_bytes(memory, (at, 0), &mut rows.bytes);
        }
    }

    /// Writes what a test of tiles changes.
    pub(super) fn write_tested(
        &self,
        level: SimdLevel,
        memory: &Memory,
        tiles: &TestedTiles,
        front: bool,
        rows: &mut DepthRows,
    ) {
        let DepthRows {
            depths,
            bytes,
            traffic,
            ..
        } = rows;
        let at = tiles.at();
        let writes_stencil = self.face(front).is_some_and(Face::writes);
        if let Some(plane) = self.own.filter(|_| writes_stencil) {
            traffic.written += moved(plane, at);
            plane.write_bytes(memory, (at, 0), bytes);
        }
        let writes = self.depth.is_some_and(|state| state.write);
        if let Some(plane) = self.plane {
            let wrote = match (self.shared.is_some() && writes_stencil, writes) {
                (true, _) => u32::MAX,
                (false, true) => samples_of(tiles.masks()),
                (false, false) => 0,
            };
            if wrote != 0 {
                write(plane, (level, memory), (at, wrote), depths, traffic);
            }
        }
    }
}

/// Bytes of whole tiles.
fn moved(plane: &Plane, tiles: &[[i32; 2]]) -> u64 {
    tiles.len() as u64 * plane.bytes_of(u64::MAX)
}

/// Writes those of the tiles that are set.
fn write(
    plane: &Plane,
    (level, memory): (SimdLevel, &Memory),
    (at, set): (&[[i32; 2]], u32),
    rows: &[Lanes],
    traffic: &mut Traffic,
) {
    let all = u32::MAX >> (32 - at.len().clamp(1, 32));
    let mut put = |tiles: std::ops::Range<usize>| {
        traffic.written += tiles.len() as u64 * plane.bytes_of(u64::MAX);
        let rows = [&rows[tiles.clone()], &[], &[], &[]];
        plane.write_tiles(level, memory, (&at[tiles], 0..1), &rows);
    };
    match set & all == all {
        true => put(0..at.len()),
        false => (0..at.len())
            .filter(|n| set >> n & 1 != 0)
            .for_each(|n| put(n..n + 1)),
    }
}

/// The tests of each tile; masks keep the lanes that pass.
pub(super) struct Tests<'a> {
    pub(super) shared: Option<Shared>,
    pub(super) state: Option<&'a Depth>,
    pub(super) face: Option<&'a Face>,
    pub(super) depths: TileDepths<'a>,
    pub(super) at: &'a [[i32; 2]],
    pub(super) masks: &'a mut [u64],
    pub(super) texels: &'a mut [Lanes; MAX_BATCH],
    pub(super) stencils: &'a mut [TileBytes; MAX_BATCH],
    /// Rows get the new depth of every lane, and nothing else.
    pub(super) holds: bool,
}

impl Kernel for Tests<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let rows = self.texels.iter_mut().zip(self.stencils);
        let tiles = self.at.iter().zip(self.masks).zip(rows);
        for (n, (([x, y], mask), (texels, stored))) in tiles.enumerate() {
            let lanes = *mask;
            let mut stencil = Bytes([0; 64]);
            if let Some(shared) = self.shared {
                shared.part(texels, &mut stencil.0);
            } else if self.face.is_some() {
                stored.get(&mut stencil.0);
            }
            let equal = match self.face {
                Some(face) => stencil::equal(face, &stencil.0) & lanes,
                None => lanes,
            };
            if let Some(state) = self.state {
                *mask = match self.depths {
                    TileDepths::Plane(plane, sample_positions) => Test {
                        state,
                        z: plane.tile(*x, *y),
                        sample_positions,
                        mask: equal,
                        texels,
                        holds: self.holds,
                    }
                    .by_format::<R, false>(&ROW),
                    TileDepths::Rows(rows) => Test {
                        state,
                        z: ZERO,
                        sample_positions: &CENTRES,
                        mask: equal,
                        texels,
                        holds: self.holds,
                    }
                    .by_format::<R, true>(rows[n]),
                };
            } else {
                *mask = equal;
            }
            if let Some(face) = self.face.filter(|face| face.writes()) {
                let passed = *mask;
                let lanes = [lanes & !equal, equal & !passed, passed];
                stencil::change_all(face, lanes, &mut stencil.0);
                if self.shared.is_none() {
                    stored.set(&stencil.0);
                }
            }
            if let Some(shared) = self.shared.filter(|_| !self.holds) {
                shared.join(texels, &stencil.0);
            }
        }
    }
}

/// Stencil values, aligned.
#[repr(align(64))]
pub(super) struct Bytes(pub(super) [u8; 64]);

impl Shared {
    /// Takes stencil values from words, and shifts depths down.
    #[inline(always)]
    fn part(&self, words: &mut Lanes, stencil: &mut [u8; 64]) {
        self.bytes(words, stencil);
        if self.depth_shift != 0 {
            for word in words {
                *word >>= self.depth_shift;
            }
        }
    }

    /// Stencil values of words.
    #[inline(always)]
    pub(super) fn bytes(&self, words: &Lanes, stencil: &mut [u8; 64]) {
        for (byte, word) in stencil.iter_mut().zip(words) {
            *byte = (word >> self.shift) as u8;
        }
    }

    /// The other way.
    #[inline(always)]
    pub(super) fn join(&self, words: &mut Lanes, stencil: &[u8; 64]) {
        let kept = !(0xff << self.shift);
        for (word, byte) in words.iter_mut().zip(stencil) {
            *word = *word << self.depth_shift & kept | u32::from(*byte) << self.shift;
        }
    }
}
