//! Tests of one sample of several tiles of a primitive: tiles are read, tested and written side by side.

use super::{ROW, Test, TileTest};
use crate::fragment::depth::Depth;
use crate::fragment::interpolate::{SamplePositions, ScreenPlane};
use crate::fragment::output::DepthRows;
use crate::fragment::scan::MAX_BATCH;
use crate::fragment::stencil;
use crate::fragment::surface::{Plane, Traffic};
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

impl TileTest<'_> {
    /// Whether [`TileTest::run_tiles`] does them: values lie apart, sample after sample, and no bounds are tested.
    pub(crate) fn takes_tiles(&self) -> bool {
        let apart = |plane: Option<&Plane>| {
            plane.is_none_or(|plane| plane.has_sample_tiles() && plane.words() == 1)
        };
        let bounded = self.depth.is_some_and(|state| state.bounds.is_some());
        self.shared.is_none() && !bounded && apart(self.plane) && apart(self.own)
    }

    /// Tests the first sample of tiles, as [`TileTest::run`] does for each. For those of which no lane passes,
    /// [`DepthRows::of_tile`] has the contents.
    pub(crate) fn run_tiles(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (plane, sample_positions): (&ScreenPlane, &SamplePositions),
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
        let read = |plane: &Plane, rows: &mut [Lanes], traffic: &mut Traffic| {
            traffic.read += at.len() as u64 * plane.bytes_of(u64::MAX);
            plane.read_tiles(
                level,
                memory,
                (at, 0),
                &mut [rows, &mut [], &mut [], &mut []],
            );
        };
        if let Some(plane) = self.plane {
            read(plane, &mut depths[..], traffic);
        }
        let face = self.faces.map(|faces| &faces[usize::from(!front)]);
        let mut failed = [0; MAX_BATCH];
        if let Some((face, plane)) = face.zip(self.own) {
            read(plane, &mut bytes[..], traffic);
            for ((mask, failed), stencil) in masks.iter_mut().zip(&mut failed).zip(&*bytes) {
                let equal = stencil::test_row(level, face, stencil);
                (*mask, *failed) = (*mask & equal, *mask & !equal);
            }
        }
        let mut passed = [0; MAX_BATCH];
        passed[..masks.len()].copy_from_slice(masks);
        if let Some(state) = self.depth {
            level.run(Tests {
                state,
                plane,
                sample_positions,
                at,
                masks: &mut passed,
                texels: depths,
            });
        }
        if let Some((face, plane)) = face.zip(self.own).filter(|(face, _)| face.writes()) {
            for (n, stencil) in bytes.iter_mut().enumerate().take(at.len()) {
                let lanes = [failed[n], masks[n] & !passed[n], passed[n]];
                stencil::update_row(level, face, lanes, stencil);
            }
            write(plane, (level, memory), (at, u32::MAX), bytes, traffic);
        }
        if let Some((state, plane)) = self.depth.zip(self.plane)
            && state.write
        {
            let wrote = (0..at.len()).filter(|n| passed[*n] != 0);
            let wrote = wrote.fold(0, |wrote, n| wrote | 1 << n);
            write(plane, (level, memory), (at, wrote), depths, traffic);
        }
        masks.copy_from_slice(&passed[..masks.len()]);
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

/// The depth test of each tile; masks keep the lanes that pass.
struct Tests<'a> {
    state: &'a Depth,
    plane: &'a ScreenPlane,
    sample_positions: &'a SamplePositions,
    at: &'a [[i32; 2]],
    masks: &'a mut [u64; MAX_BATCH],
    texels: &'a mut [Lanes; MAX_BATCH],
}

impl Kernel for Tests<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (n, [x, y]) in self.at.iter().enumerate().take(MAX_BATCH) {
            let test = Test {
                state: self.state,
                z: self.plane.tile(*x, *y),
                sample_positions: self.sample_positions,
                mask: self.masks[n],
                texels: &mut self.texels[n],
            };
            self.masks[n] = test.by_format::<R, false>(&ROW);
        }
    }
}
