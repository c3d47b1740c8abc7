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
    at: [[i32; 2]; MAX_BATCH],
    masks: [u64; MAX_BATCH],
    count: usize,
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
        let TestedTiles { at, masks, count } = tiles;
        let (at, masks) = (&at[..*count], &mut masks[..*count]);
        let DepthRows {
            depths,
            bytes,
            traffic,
            ..
        } = rows;
        let face = self.faces.map(|faces| &faces[usize::from(!front)]);
        let own = self.own.filter(|_| face.is_some());
        let moved = |plane: &Plane| at.len() as u64 * plane.bytes_of(u64::MAX);
        if let Some(plane) = self.plane {
            traffic.read += moved(plane);
            let rows = &mut [&mut depths[..], &mut [], &mut [], &mut []];
            plane.read_tiles(level, memory, (at, 0), rows);
        }
        if let Some(plane) = own {
            traffic.read += moved(plane);
            plane.read_bytes(memory, (at, 0), bytes);
        }
        level.run(Tests {
            shared: self.shared,
            state: self.depth,
            face,
            depths: depths_of,
            at,
            masks,
            texels: depths,
            stencils: bytes,
        });
        let writes_stencil = face.is_some_and(Face::writes);
        if let Some(plane) = own.filter(|_| writes_stencil) {
            traffic.written += moved(plane);
            plane.write_bytes(memory, (at, 0), bytes);
        }
        let writes = self.depth.is_some_and(|state| state.write);
        if let Some(plane) = self.plane {
            let wrote = match (self.shared.is_some() && writes_stencil, writes) {
                (true, _) => u32::MAX,
                (false, true) => samples_of(masks),
                (false, false) => 0,
            };
            if wrote != 0 {
                write(plane, (level, memory), (at, wrote), depths, traffic);
            }
        }
        if let Some(shared) = self.shared {
            let rows = masks.iter().zip(depths);
            for (_, row) in rows.filter(|(mask, _)| **mask == 0) {
                level.run(Cut {
                    row,
                    shift: shared.depth_shift,
                    bits: shared.depth_bits,
                });
            }
        }
    }
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
struct Tests<'a> {
    shared: Option<Shared>,
    state: Option<&'a Depth>,
    face: Option<&'a Face>,
    depths: TileDepths<'a>,
    at: &'a [[i32; 2]],
    masks: &'a mut [u64],
    texels: &'a mut [Lanes; MAX_BATCH],
    stencils: &'a mut [TileBytes; MAX_BATCH],
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
                    }
                    .by_format::<R, false>(&ROW),
                    TileDepths::Rows(rows) => Test {
                        state,
                        z: ZERO,
                        sample_positions: &CENTRES,
                        mask: equal,
                        texels,
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
            if let Some(shared) = self.shared {
                shared.join(texels, &stencil.0);
            }
        }
    }
}

/// Stencil values, aligned.
#[repr(align(64))]
struct Bytes([u8; 64]);

impl Shared {
    /// Takes stencil values from words, and shifts depths down.
    #[inline(always)]
    fn part(&self, words: &mut Lanes, stencil: &mut [u8; 64]) {
        for (byte, word) in stencil.iter_mut().zip(&*words) {
            *byte = (word >> self.shift) as u8;
        }
        if self.depth_shift != 0 {
            for word in words {
                *word >>= self.depth_shift;
            }
        }
    }

    /// The other way.
    #[inline(always)]
    fn join(&self, words: &mut Lanes, stencil: &[u8; 64]) {
        let kept = !(0xff << self.shift);
        for (word, byte) in words.iter_mut().zip(stencil) {
            *word = *word << self.depth_shift & kept | u32::from(*byte) << self.shift;
        }
    }
}
