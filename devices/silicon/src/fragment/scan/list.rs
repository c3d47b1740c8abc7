//! Wave batches for a pixel shader: fully covered tiles of one primitive, or any tiles and quads.

use super::queue::Queued;
use super::stage::{PixelWave, WavePlanes};
use crate::fragment::interpolate::{CENTRES, InTile, PlaneRow, Planes};
use crate::fragment::tile::{LANE_X, LANE_Y};

/// Pixel waves to run, in order.
#[derive(Clone, Copy, Debug)]
pub struct PixelWaves<'a> {
    pub(super) list: List<'a>,
    pub(super) blocks: &'a [u32],
    pub(super) needs_position: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum List<'a> {
    Full(FullTiles<'a>),
    Queued(&'a [Queued]),
    One(AnyWave<'a>),
}

/// A wave with the planes of one primitive, or a row of planes per quad.
#[derive(Clone, Copy, Debug)]
pub enum AnyWave<'a> {
    /// Lanes of a tile that one primitive covers.
    Tile(PixelWave<'a, InTile<'a>>),
    /// Quads of several tiles and primitives.
    Quads(PixelWave<'a, &'a PlaneRow>),
}

/// Fully covered tiles of one primitive, in surfaces of one sample.
#[derive(Clone, Copy, Debug)]
pub struct FullTiles<'a> {
    /// The primitive's planes.
    pub planes: &'a Planes,
    /// First pixel of each tile.
    pub at: &'a [[i32; 2]],
    /// Block of the primitive: its first word in [`PixelWaves::blocks`].
    pub block: u32,
    /// The primitive's front faces the viewer.
    pub front: bool,
}

/// Room for the columns and lines of a wave's lanes.
pub type Position = [[i32; 64]; 2];

impl<'a> PixelWaves<'a> {
    /// How many; at least 1.
    pub fn count(&self) -> usize {
        match self.list {
            List::Full(tiles) => tiles.at.len(),
            List::Queued(waves) => waves.len(),
            List::One(_) => 1,
        }
    }

    /// The attribute blocks of all buffered primitives.
    pub fn blocks(&self) -> &'a [u32] {
        self.blocks
    }

    /// The tiles, if all waves are full tiles of one primitive: equal masks, primitives and facing.
    pub fn full_tiles(&self) -> Option<&FullTiles<'a>> {
        match &self.list {
            List::Full(tiles) => Some(tiles),
            _ => None,
        }
    }

    /// Blocks of the primitives of a wave: see [`PixelWave::primitives`].
    pub fn primitives(&self, wave: usize) -> &[u32] {
        match &self.list {
            List::Full(tiles) => std::slice::from_ref(&tiles.block),
            List::Queued(waves) => waves[wave].primitives(),
            List::One(AnyWave::Tile(wave)) => wave.primitives,
            List::One(AnyWave::Quads(wave)) => wave.primitives,
        }
    }

    /// A wave.
    pub fn wave<'b>(&'b self, wave: usize, position: &'b mut Position) -> AnyWave<'b> {
        match &self.list {
            List::Full(tiles) => {
                let lanes = (tiles.at[wave], u64::MAX, tiles.front);
                AnyWave::Tile(self.tile(tiles.planes, &tiles.block, lanes, position))
            }
            List::Queued(waves) => waves[wave].wave(self, position),
            List::One(wave) => *wave,
        }
    }

    /// The wave of a tile: its first pixel, covered lanes, and whether they are of a front face.
    #[inline(always)]
    pub(super) fn tile<'b>(
        &'b self,
        planes: &'b Planes,
        block: &'b u32,
        ([x, y], exec, front): ([i32; 2], u64, bool),
        position: &'b mut Position,
    ) -> PixelWave<'b, InTile<'b>> {
        let [columns, lines] = position;
        if self.needs_position {
            for lane in 0..64 {
                columns[lane] = x + LANE_X[lane];
                lines[lane] = y + LANE_Y[lane];
            }
        }
        PixelWave {
            planes: WavePlanes::in_tile(planes, x, y),
            exec,
            starts: 0,
            primitives: std::slice::from_ref(block),
            blocks: self.blocks,
            position: [columns, lines],
            front: if front { u64::MAX } else { 0 },
            centres: &CENTRES,
            centroids: &CENTRES,
            samples: &CENTRES,
            coverage: None,
            sample: 0,
        }
    }
}

impl<'a> FullTiles<'a> {
    /// The planes of a wave.
    pub fn planes(&self, tile: usize) -> WavePlanes<InTile<'a>> {
        let [x, y] = self.at[tile];
        WavePlanes::in_tile(self.planes, x, y)
    }
}
