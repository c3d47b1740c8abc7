//! Wave batches for a pixel shader: fully covered tiles of one primitive, or any tiles and quads.

use super::MAX_SAMPLES;
use super::pack::{Pack, QUADS};
use super::queue::{Queued, QueuedTile};
use super::stage::{PixelWave, WavePlanes};
use crate::fragment::interpolate::{CENTRES, InTile, PlaneRow, Planes, SamplePositions};
use crate::fragment::mask::BIT;
use crate::fragment::multisample::Samples;
use crate::fragment::tile::{LANE_X, LANE_Y};
use host::{Kernel, Rounding, SimdLevel};

/// Pixel waves to run, in order.
#[derive(Clone, Copy, Debug)]
pub struct PixelWaves<'a> {
    pub(super) list: List<'a>,
    pub(super) blocks: &'a [u32],
    pub(super) inputs: Inputs<'a>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum List<'a> {
    Full(FullTiles<'a>),
    Queued(&'a [Queued]),
}

/// Rows that waves get besides planes, where the shader reads them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inputs<'a> {
    pub(super) level: SimdLevel,
    pub(super) position: bool,
    pub(super) coverage: bool,
    /// Centroids and samples.
    pub(super) places: bool,
    pub(super) samples: &'a Samples,
    pub(super) sample_positions: &'a [SamplePositions],
}

impl Inputs<'_> {
    fn are_multisampled(&self) -> bool {
        self.sample_positions.len() > 1
    }

    /// Fills the covered samples of every lane, if there are several and the shader reads them.
    fn cover<'a>(&self, masks: &[u64], row: &'a mut [u32; 64]) -> Option<&'a [u32; 64]> {
        if !self.coverage || !self.are_multisampled() {
            return None;
        }
        *row = [0; 64];
        for (sample, mask) in masks[..self.sample_positions.len()].iter().enumerate() {
            for (half, row) in row.chunks_exact_mut(32).enumerate() {
                let word = (mask >> (32 * half)) as u32;
                for (lane, bit) in row.iter_mut().zip(&BIT) {
                    *lane |= u32::from(word & bit != 0) << sample;
                }
            }
        }
        Some(row)
    }
}

/// A wave with the planes of one primitive, or a row of planes per quad.
#[derive(Clone, Copy, Debug)]
pub enum AnyWave<'a> {
    /// Lanes of a tile that one primitive covers.
    Tile(PixelWave<'a, InTile<'a>>),
    /// Quads of several tiles and primitives.
    Quads(PixelWave<'a, &'a PlaneRow>),
}

/// Fully covered tiles of one primitive: all samples of them, or the one that is shaded.
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
    /// The sample that is shaded, in per-sample shading.
    pub sample: Option<usize>,
    /// Where centroids and samples are; pixel centres where nothing reads others.
    pub samples: &'a SamplePositions,
}

/// Rows of a wave that are made when it starts.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct WaveRows {
    columns: [i32; 64],
    lines: [i32; 64],
    coverage: [u32; 64],
    centroids: SamplePositions,
}

impl Default for WaveRows {
    fn default() -> WaveRows {
        WaveRows {
            columns: [0; 64],
            lines: [0; 64],
            coverage: [0; 64],
            centroids: CENTRES,
        }
    }
}

/// Columns and lines of the lanes of a tile.
struct Places<'a> {
    first: [i32; 2],
    columns: &'a mut [i32; 64],
    lines: &'a mut [i32; 64],
}

impl Kernel for Places<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let [x, y] = self.first;
        for lane in 0..64 {
            self.columns[lane] = x + LANE_X[lane];
            self.lines[lane] = y + LANE_Y[lane];
        }
    }
}

/// The same of quads.
struct QuadPlaces<'a> {
    first: [&'a [i32; QUADS]; 2],
    columns: &'a mut [i32; 64],
    lines: &'a mut [i32; 64],
}

impl Kernel for QuadPlaces<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let [x, y] = self.first;
        for lane in 0..64 {
            self.columns[lane] = x[lane / 4] + LANE_X[lane % 4];
            self.lines[lane] = y[lane / 4] + LANE_Y[lane % 4];
        }
    }
}

impl<'a> PixelWaves<'a> {
    /// How many; at least 1.
    pub fn count(&self) -> usize {
        match self.list {
            List::Full(tiles) => tiles.at.len(),
            List::Queued(waves) => waves.len(),
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
            List::Queued(_) => None,
        }
    }

    /// Blocks of the primitives of a wave: see [`PixelWave::primitives`].
    pub fn primitives(&self, wave: usize) -> &[u32] {
        match &self.list {
            List::Full(tiles) => std::slice::from_ref(&tiles.block),
            List::Queued(waves) => waves[wave].primitives(),
        }
    }

    /// A wave.
    pub fn wave<'b>(&'b self, wave: usize, rows: &'b mut WaveRows) -> AnyWave<'b> {
        match &self.list {
            List::Full(tiles) => {
                self.position(tiles.at[wave], rows);
                let lanes = (u64::MAX, tiles.front);
                let covered = tiles.sample.is_some_and(|sample| {
                    let mut masks = [0; MAX_SAMPLES];
                    masks[sample] = u64::MAX;
                    self.inputs.cover(&masks, &mut rows.coverage).is_some()
                });
                let rows = &*rows;
                let mut wave = self.centred(tiles.planes(wave), &tiles.block, lanes, rows);
                (wave.centroids, wave.samples) = (tiles.samples, tiles.samples);
                wave.sample = tiles.sample.unwrap_or(0) as u32;
                wave.coverage = covered.then_some(&rows.coverage);
                AnyWave::Tile(wave)
            }
            List::Queued(waves) => waves[wave].wave(self, rows),
        }
    }

    fn position(&self, [x, y]: [i32; 2], rows: &mut WaveRows) {
        if self.inputs.position {
            let WaveRows { columns, lines, .. } = rows;
            self.inputs.level.run(Places {
                first: [x, y],
                columns,
                lines,
            });
        }
    }

    /// A wave of a tile, interpolated at pixel centres: its covered lanes, and whether they are of a front face.
    #[inline(always)]
    fn centred<'b>(
        &'b self,
        planes: WavePlanes<InTile<'b>>,
        block: &'b u32,
        (exec, front): (u64, bool),
        rows: &'b WaveRows,
    ) -> PixelWave<'b, InTile<'b>> {
        PixelWave {
            planes,
            exec,
            starts: 0,
            primitives: std::slice::from_ref(block),
            blocks: self.blocks,
            position: [&rows.columns, &rows.lines],
            front: if front { u64::MAX } else { 0 },
            centres: &CENTRES,
            centroids: &CENTRES,
            samples: &CENTRES,
            coverage: None,
            sample: 0,
        }
    }

    /// The wave of a tile.
    #[inline(always)]
    pub(super) fn tile<'b>(
        &'b self,
        tile: &'b QueuedTile,
        rows: &'b mut WaveRows,
    ) -> PixelWave<'b, InTile<'b>> {
        let inputs = &self.inputs;
        let [x, y] = tile.at;
        self.position(tile.at, rows);
        let covered = inputs.cover(&tile.masks, &mut rows.coverage).is_some();
        let elsewhere = inputs.places && inputs.are_multisampled() && tile.sample.is_none();
        if elsewhere {
            let covered = &tile.covered[..inputs.sample_positions.len()];
            rows.centroids = SamplePositions::centroid(inputs.samples, covered);
        }
        let planes = WavePlanes::in_tile(&tile.planes, x, y);
        let rows = &*rows;
        let lanes = (tile.exec, tile.front);
        let mut wave = self.centred(planes, &tile.block, lanes, rows);
        if elsewhere {
            (wave.centroids, wave.samples) = (&rows.centroids, &inputs.sample_positions[0]);
        }
        if let Some(sample) = tile.sample {
            let place = &inputs.sample_positions[usize::from(sample)];
            (wave.centroids, wave.samples) = (place, place);
            wave.sample = sample.into();
        }
        wave.coverage = covered.then_some(&rows.coverage);
        wave
    }

    /// The wave of packed quads.
    pub(super) fn quads<'b>(
        &'b self,
        pack: &'b Pack,
        rows: &'b mut WaveRows,
    ) -> PixelWave<'b, &'b PlaneRow> {
        let inputs = &self.inputs;
        if inputs.position {
            let WaveRows { columns, lines, .. } = &mut *rows;
            inputs.level.run(QuadPlaces {
                first: [&pack.x, &pack.y],
                columns,
                lines,
            });
        }
        let covered = inputs.cover(&pack.samples, &mut rows.coverage).is_some();
        let rows = &*rows;
        let planes = &pack.planes;
        PixelWave {
            planes: WavePlanes {
                z: &planes.z,
                inv_w: &planes.inv_w,
                i_w: &planes.i_w,
                j_w: &planes.j_w,
                i: &planes.i,
                j: &planes.j,
            },
            exec: pack.exec,
            starts: pack.starts,
            primitives: pack.primitives(),
            blocks: self.blocks,
            position: [&rows.columns, &rows.lines],
            front: pack.front,
            centres: &planes.sample_positions,
            centroids: &planes.sample_positions,
            samples: &planes.sample_positions,
            coverage: covered.then_some(&rows.coverage),
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
