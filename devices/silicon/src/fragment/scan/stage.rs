//! The pixel stage of a draw: fixed-function state and the chip's shader.

use std::ops::Range;

use super::PixelWaves;
use super::list::Inputs;
use crate::draw::Finished;
use crate::fragment::blend::Source;
use crate::fragment::interpolate::{InTile, Planes, SamplePositions, ScreenPlane, Wanted};
use crate::fragment::multisample::{AlphaToMask, Samples};
use crate::fragment::output::{ColorOutput, DepthOutput, Packing, PixelExports, TileTest};
use crate::fragment::tile::Rect;
use crate::fragment::turns::BinStores;
use crate::geometry::binning::BinnedPrimitive;
use crate::geometry::setup::Grid;
use crate::geometry::stipple::Stipple;
use crate::gpu::Trap;
use crate::memory::Memory;
use crate::texture::sample::Lanes;
use host::SimdLevel;

/// Largest wave batch.
pub const MAX_BATCH: usize = 32;

/// Batch size for a register count. What a batch costs by itself weighs more than rows that leave the L1 cache; those of
/// larger batches would leave the next one, too.
pub fn batch_of(registers: usize) -> usize {
    match registers {
        0..=24 => MAX_BATCH,
        25..=64 => MAX_BATCH / 2,
        _ => MAX_BATCH / 4,
    }
}

/// The pixel shader of a draw, as the chip runs it.
pub trait PixelShader: Send + Sync {
    /// What a thread keeps to run waves.
    type Worker: Send;
    /// What differs between draws of the same state.
    type Draw: Clone + Send + Sync;
    /// What waves store to memory, where that waits for the turn of their bin.
    type Stores: BinStores;

    /// Whether a wave may stop with a trap; what such draws overwrite is kept until others behind them are done.
    fn may_fail(&self) -> bool {
        true
    }

    /// Before the first wave of a draw in a bin.
    fn begin(&self, worker: &mut Self::Worker, draw: &Self::Draw);

    /// Appends the attribute block of a primitive from its vertex parameters, for [`PixelWaves::blocks`].
    fn block(&self, vertices: [&[u32]; 3], out: &mut Vec<u32>);

    /// The same for what is drawn of the primitive: an edge or a corner of it may have attributes of its own.
    fn piece_block(&self, _piece: &BinnedPrimitive<'_>, vertices: [&[u32]; 3], out: &mut Vec<u32>) {
        self.block(vertices, out);
    }

    /// Largest batch, 1 to [`MAX_BATCH`]. Above 1 only if waves do not depend on what other tiles write and other waves
    /// store.
    fn batch(&self, draw: &Self::Draw) -> usize;

    /// Whether what waves of a draw store waits: none loads it.
    fn stores_later(_draw: &Self::Draw) -> bool {
        false
    }

    /// Runs waves in order; returns how many ended, and the trap of the next one.
    fn run(&self, worker: &mut Self::Worker, waves: &PixelWaves) -> (usize, Result<(), Trap>);

    /// The same where stores wait; with `None` they go to memory at once, wave after wave.
    fn run_storing(
        &self,
        worker: &mut Self::Worker,
        waves: &PixelWaves,
        _stores: Option<&mut Self::Stores>,
    ) -> (usize, Result<(), Trap>) {
        self.run(worker, waves)
    }

    /// State of a wave of the last batch, failed ones included.
    fn finished(worker: &Self::Worker, wave: usize) -> Finished<'_, PixelExports>;

    /// An exported colour; undefined in lanes without an export.
    fn color(worker: &Self::Worker, wave: usize, target: usize) -> Source<'_>;

    /// Whether the waves of the last batch exported the words of texels in place of colours, for
    /// [`PixelStage::packed`].
    fn packed(_worker: &Self::Worker) -> bool {
        false
    }

    /// Of a wave that exported one: the bits of depth, the stencil reference or the sample mask, by number.
    fn depth(worker: &Self::Worker, wave: usize, component: usize) -> &Lanes {
        &Self::finished(worker, wave).exports.depth[component]
    }
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
    /// Quads at which the primitive changes, one bit each; never the first.
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
    /// Covered samples of every lane, with several samples and where the shader reads them.
    pub coverage: Option<&'a [u32; 64]>,
    /// Sample index in per-sample shading, else 0.
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

/// Pixel stage of a draw, shared by all bins.
#[derive(Clone)]
pub struct PixelStage<S> {
    /// Video memory.
    pub memory: Memory,
    /// Vector instructions of the host.
    pub level: SimdLevel,
    /// Grid of the vertices.
    pub grid: Grid,
    /// None: only depth and stencil are drawn.
    pub shader: Option<S>,
    /// Targets.
    pub colors: Vec<ColorOutput>,
    /// The same for waves that pack texels themselves: see [`PixelShader::packed`]. Empty where none do.
    pub packed: Vec<ColorOutput>,
    /// Tests.
    pub depth: DepthOutput,
    /// Sample positions.
    pub samples: Samples,
    /// Where each sample is, in every lane of a tile.
    pub sample_positions: Vec<SamplePositions>,
    /// Samples that are drawn.
    pub sample_mask: u32,
    /// Per-sample shading.
    pub per_sample: bool,
    /// Alpha to coverage, from colour 0.
    pub alpha_to_mask: Option<AlphaToMask>,
    /// Pixels that are drawn.
    pub area: Rect,
    /// Scissor and depth range per viewport, if vertices choose one. Differing ranges clamp here instead of in the
    /// depth test; then no wave mixes primitives.
    pub viewports: Vec<ViewportBounds>,
    /// Pattern along lines.
    pub stipple: Option<Stipple>,
    /// Quads of several tiles may share a wave.
    pub packs: bool,
    /// The shader reads pixel positions.
    pub needs_position: bool,
    /// The shader interpolates away from pixel centres.
    pub needs_places: bool,
    /// The shader reads which samples are covered.
    pub needs_coverage: bool,
    /// Planes that the shader reads, besides the perspective ones.
    pub needs_planes: Wanted,
    /// Where primitives choose one of several layers: the same with the surfaces of each layer behind the first.
    pub others: Vec<PixelStage<S>>,
}

impl<S: PixelShader> PixelStage<S> {
    /// Largest wave batch of this stage.
    pub(super) fn batch(&self, draw: &S::Draw) -> usize {
        let shader = self.shader.as_ref();
        shader.map_or(1, |shader| shader.batch(draw).clamp(1, MAX_BATCH))
    }
}

impl<S> PixelStage<S> {
    /// Layers that primitives may be drawn to.
    pub fn layers(&self) -> u32 {
        self.others.len() as u32 + 1
    }

    /// Adds layers up to so many; `bind` gives a stage that is the first one's the surfaces of another.
    pub fn add_layers<E>(
        &mut self,
        layers: u32,
        mut bind: impl FnMut(&mut PixelStage<S>, u32) -> Result<(), E>,
    ) -> Result<(), E>
    where
        S: Clone,
    {
        for layer in 1..layers {
            let mut stage = PixelStage {
                others: Vec::new(),
                ..self.clone()
            };
            bind(&mut stage, layer)?;
            self.others.push(stage);
        }
        Ok(())
    }

    /// How the shader may pack texels: of each target that takes them, or none, where colours have other uses.
    pub fn packings(&self) -> Vec<Packing> {
        let exports = |n: usize| self.colors.iter().filter(|color| color.takes(n)).count();
        let packings = self.colors.iter().filter_map(ColorOutput::packing);
        let alone = packings.filter(|packing| exports(packing.export) == 1);
        match self.alpha_to_mask {
            None => alone.collect(),
            Some(_) => Vec::new(),
        }
    }

    /// Lets the shader pack texels so, in all layers.
    pub fn take_packed(&mut self, packings: &[Packing]) {
        for other in &mut self.others {
            other.take_packed(packings);
        }
        let packing = |color: &ColorOutput| {
            let own = color.packing()?;
            packings.contains(&own).then_some(own)
        };
        let colors = self.colors.iter().map(|color| match packing(color) {
            Some(packing) => color.of_words(&packing),
            None => color.clone(),
        });
        self.packed = colors.collect();
    }

    /// Changes the shader of each layer.
    pub fn each_shader(&mut self, mut change: impl FnMut(&mut S)) {
        let layers = [&mut self.shader].into_iter();
        let layers = layers.chain(self.others.iter_mut().map(|other| &mut other.shader));
        layers.flatten().for_each(&mut change);
    }

    /// Places all layers on the screen.
    pub fn place(&mut self, grid: Grid, area: Rect, viewports: &[ViewportBounds]) {
        for other in &mut self.others {
            other.place(grid, area, viewports);
        }
        (self.grid, self.area) = (grid, area);
        self.viewports.clear();
        self.viewports.extend_from_slice(viewports);
    }

    /// Takes a shader that stores nothing out where its waves change nothing else: no colour is written, and tests and counts
    /// of samples are before it.
    pub fn take_idle_shader(&mut self) -> Option<S> {
        let idle = |stage: &PixelStage<S>| {
            let before = stage.depth.early && stage.depth.counts_early;
            let decides = !before || stage.alpha_to_mask.is_some();
            !(decides || stage.colors.iter().any(ColorOutput::writes))
        };
        if !self.each_layer().all(idle) {
            return None;
        }
        self.others.iter_mut().for_each(|stage| stage.shader = None);
        self.shader.take()
    }

    /// Whether some of these bytes of memory may be drawn to.
    pub fn draws_to(&self, bytes: &Range<u64>) -> bool {
        let holds = |stage: &PixelStage<S>| {
            let colors = stage.colors.iter().map(ColorOutput::plane);
            let mut planes = colors.chain(stage.depth.planes());
            planes.any(|plane| plane.holds(bytes))
        };
        self.each_layer().any(holds)
    }

    /// The stage of each layer.
    pub(in crate::fragment) fn each_layer(&self) -> impl Iterator<Item = &PixelStage<S>> {
        [self].into_iter().chain(&self.others)
    }

    /// The stage of a layer; a layer that is not there is the first.
    pub(in crate::fragment) fn of_layer(&self, layer: u32) -> &PixelStage<S> {
        let other = layer.checked_sub(1).map(|n| n as usize);
        other.and_then(|n| self.others.get(n)).unwrap_or(self)
    }

    /// What takes the exports of waves.
    #[inline(always)]
    pub(super) fn targets(&self, packed: bool) -> &[ColorOutput] {
        match packed {
            true => &self.packed,
            false => &self.colors,
        }
    }

    /// Planes that the shader or a late test reads.
    pub(super) fn wanted(&self) -> Wanted {
        Wanted {
            z: self.needs_planes.z || self.tests_late(),
            ..self.needs_planes
        }
    }

    /// Whether depth and stencil are tested after the shader.
    pub(super) fn tests_late(&self) -> bool {
        self.depth.is_active() && !self.depth.early
    }

    /// Whether a finished wave may lose samples that its shader kept.
    pub(super) fn cuts_waves(&self) -> bool {
        self.tests_late() || self.depth.exports_mask || self.alpha_to_mask.is_some()
    }

    /// The samples that waves of a tile are for, one after the other; `None` is all of them in one.
    pub(super) fn shaded(&self) -> impl Iterator<Item = Option<usize>> + use<S> {
        let apart = self.per_sample;
        let count = if apart {
            self.sample_positions.len()
        } else {
            1
        };
        (0..count).map(move |sample| apart.then_some(sample))
    }

    /// Whether full tiles start as [`super::FullTiles`]: all that they read is at one place in all pixels.
    pub(super) fn batches_full_tiles(&self) -> bool {
        let one = self.sample_positions.len() == 1;
        self.per_sample || one || !(self.needs_places || self.needs_coverage)
    }

    /// Whether some samples are never drawn.
    pub(super) fn cuts_samples(&self) -> bool {
        let every = u32::MAX >> (32 - self.sample_positions.len());
        self.sample_mask & every != every
    }

    /// Whether tests after the shader are all that a finished wave of one sample may lose lanes to.
    pub(super) fn tests_late_alone(&self) -> bool {
        let others = self.depth.exports_mask || self.alpha_to_mask.is_some();
        let plain = !self.depth.exports_stencil && self.viewports.is_empty();
        self.tests_late() && plain && !others && self.sample_positions.len() == 1
    }

    /// Tests after the shader of several tiles in one pass.
    pub(super) fn late_tiles(&self) -> Option<TileTest<'_>> {
        let test = self.tests_late_alone().then(|| self.depth.tile_test());
        test.flatten().filter(TileTest::takes_tiles)
    }

    /// Rows that waves get.
    pub(super) fn inputs(&self) -> Inputs<'_> {
        Inputs {
            level: self.level,
            position: self.needs_position,
            coverage: self.needs_coverage,
            places: self.needs_places,
            samples: &self.samples,
            sample_positions: &self.sample_positions,
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
