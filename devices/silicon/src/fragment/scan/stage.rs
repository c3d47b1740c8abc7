//! The pixel stage of a draw: fixed-function state and the chip's shader.

use super::PixelWaves;
use crate::draw::Finished;
use crate::fragment::blend::Source;
use crate::fragment::interpolate::{InTile, Planes, SamplePositions, ScreenPlane, Wanted};
use crate::fragment::multisample::{AlphaToMask, Samples};
use crate::fragment::output::{ColorOutput, DepthOutput, PixelExports};
use crate::fragment::tile::Rect;
use crate::geometry::setup::Grid;
use crate::geometry::stipple::Stipple;
use crate::gpu::Trap;
use crate::memory::Memory;
use host::SimdLevel;

/// Waves of a batch, at most.
pub const MAX_BATCH: usize = 16;

/// Waves of a batch where they have so many registers: their rows are to stay in the first cache.
pub fn batch_of(registers: usize) -> usize {
    const ROWS: usize = 64;
    (ROWS / registers.max(1)).clamp(MAX_BATCH / 2, MAX_BATCH)
}

/// The pixel shader of a draw, as the chip runs it.
pub trait PixelShader: Sync {
    /// What a thread keeps to run waves.
    type Worker: Send;

    /// Before the first wave of a bin.
    fn begin(&self, worker: &mut Self::Worker);

    /// Appends the block of a primitive, from the parameters of its vertices: what its waves find in
    /// [`PixelWaves::blocks`].
    fn block(&self, vertices: [&[u32]; 3], out: &mut Vec<u32>);

    /// Waves that [`PixelShader::run`] takes at most, from 1 to [`MAX_BATCH`]. More than one only where it makes no
    /// difference whether a wave runs before the colours of another tile are written.
    fn batch(&self) -> usize;

    /// Runs waves in order; returns how many ended, and the trap of the next one.
    fn run(&self, worker: &mut Self::Worker, waves: &PixelWaves) -> (usize, Result<(), Trap>);

    /// What a wave of the last batch left, also one that failed.
    fn finished(worker: &Self::Worker, wave: usize) -> Finished<'_, PixelExports>;

    /// A colour that a wave exported, wherever it is kept; anything in lanes that did not export it.
    fn color(worker: &Self::Worker, wave: usize, target: usize) -> Source<'_>;
}

/// The planes of a wave: one set for all lanes, or one per quad.
#[derive(Clone, Copy, Debug)]
pub struct WavePlanes<P> {
    /// Depth.
    pub z: P,
    /// 1 / w.
    pub inv_w: P,
    /// Perspective i, divided by w.
    pub i_w: P,
    /// Perspective j, divided by w.
    pub j_w: P,
    /// i, linear on the screen.
    pub i: P,
    /// j, linear on the screen.
    pub j: P,
}

impl<'a> WavePlanes<InTile<'a>> {
    /// A primitive's planes inside the tile whose first pixel is `x`, `y`.
    #[inline(always)]
    pub(super) fn in_tile(planes: &'a Planes, x: i32, y: i32) -> WavePlanes<InTile<'a>> {
        let inside = |plane: &'a ScreenPlane| InTile { plane, x, y };
        WavePlanes {
            z: inside(&planes.z),
            inv_w: inside(&planes.inv_w),
            i_w: inside(&planes.i_w),
            j_w: inside(&planes.j_w),
            i: inside(&planes.i),
            j: inside(&planes.j),
        }
    }
}

/// What a pixel wave starts from.
#[derive(Clone, Copy, Debug)]
pub struct PixelWave<'a, P> {
    /// Interpolation.
    pub planes: WavePlanes<P>,
    /// Lanes that are covered.
    pub exec: u64,
    /// Quads that begin another primitive than the quad before; never the first.
    pub starts: u16,
    /// Blocks of the primitives of the wave, in order: their first words in `blocks`.
    pub primitives: &'a [u32],
    /// The attribute blocks of all buffered primitives.
    pub blocks: &'a [u32],
    /// Column and line of every lane.
    pub position: [&'a [i32; 64]; 2],
    /// Lanes of front faces.
    pub front: u64,
    /// Pixel centres, inside the tile each lane is from.
    pub centres: &'a SamplePositions,
    /// Centroids.
    pub centroids: &'a SamplePositions,
    /// The sample that is shaded.
    pub samples: &'a SamplePositions,
    /// Covered samples of every lane.
    pub coverage: Option<&'a [u32; 64]>,
    /// Number of the sample that is shaded; 0 where the wave stands for all.
    pub sample: u32,
}

/// What one of several viewports bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewportBounds {
    /// Pixels that are drawn.
    pub area: Rect,
    /// Least and greatest depth, where depths are limited.
    pub depth: Option<[f32; 2]>,
}

impl ViewportBounds {
    /// Whether all limit depths to the same range.
    pub fn share_depth_range(all: &[ViewportBounds]) -> bool {
        all.windows(2).all(|pair| pair[0].depth == pair[1].depth)
    }
}

/// The pixel half of a draw: what all bins share.
pub struct PixelStage<'a, S> {
    /// Video memory.
    pub memory: &'a Memory,
    /// Vector instructions of the host.
    pub level: SimdLevel,
    /// Grid of the vertices.
    pub grid: Grid,
    /// None: only depth and stencil are drawn.
    pub shader: Option<S>,
    /// Targets.
    pub colors: Vec<ColorOutput>,
    /// Tests.
    pub depth: DepthOutput,
    /// Sample positions.
    pub samples: Samples,
    /// Where each sample is, in every lane of a tile.
    pub sample_positions: Vec<SamplePositions>,
    /// Samples that are drawn.
    pub sample_mask: u32,
    /// The shader runs for every sample, not for every pixel.
    pub per_sample: bool,
    /// The alpha of colour 0 decides which samples are covered.
    pub alpha_to_mask: Option<AlphaToMask>,
    /// Pixels that are drawn.
    pub area: Rect,
    /// What bounds the primitives of each viewport, where vertices choose among several. Their depths are limited here
    /// and not by the depth test, if the ranges differ; then no quads of several primitives may share a wave.
    pub viewports: Vec<ViewportBounds>,
    /// Pattern along lines.
    pub stipple: Option<Stipple>,
    /// Quads of several tiles may share a wave.
    pub packs: bool,
    /// The shader wants the column and line of its pixels.
    pub needs_position: bool,
    /// The shader wants places other than the pixel centre.
    pub needs_places: bool,
    /// Planes that the shader reads, besides the perspective ones.
    pub needs_planes: Wanted,
}

impl<S: PixelShader> PixelStage<'_, S> {
    /// Waves of a batch, at most.
    pub(super) fn batch(&self) -> usize {
        let late = self.depth.is_active() && !self.depth.early || self.depth.exports_mask;
        let plain =
            self.sample_positions.len() == 1 && !self.per_sample && self.alpha_to_mask.is_none();
        match &self.shader {
            Some(shader) if plain && !late => shader.batch().min(MAX_BATCH),
            _ => 1,
        }
    }
}

impl<S> PixelStage<'_, S> {
    /// Planes that the shader or a late test reads.
    pub(super) fn wanted(&self) -> Wanted {
        let late = self.depth.is_active() && !self.depth.early;
        Wanted {
            z: self.needs_planes.z || late,
            ..self.needs_planes
        }
    }

    /// Limits depths to the range of a viewport.
    #[inline(always)]
    pub(super) fn limit_depths(&self, viewport: u8, z: &mut [f32; 64]) {
        if let Some(range) = self.depth_range(viewport) {
            crate::fragment::depth::limit_row(range, z);
        }
    }

    /// What depths are limited to there.
    #[inline(always)]
    pub(super) fn depth_range(&self, viewport: u8) -> Option<[f32; 2]> {
        let bounds = self.viewports.get(usize::from(viewport));
        bounds.and_then(|bounds| bounds.depth)
    }
}
