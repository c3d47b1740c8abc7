//! The scan converter. In: the primitives of a bin. Out: pixel waves, in batches, as [`PixelShader`] runs them.
//!
//! A fully or almost fully covered tile is a wave of its own. Quads of other tiles are packed, sixteen to a wave,
//! across tiles and primitives. No sample is twice in a wave, and a tile never overtakes packed quads that share samples
//! with it: each sample sees its primitives in order. Per-sample shading makes one wave per covered sample of a tile.
//! Where depth and stencil are tested after the shader, tests before it may reject what fails anyway.

mod early;
mod late;
mod list;
mod pack;
mod queue;
mod stage;
mod waves;

pub use list::{AnyWave, FullTiles, PixelWaves, WaveRows};
pub use stage::{
    MAX_BATCH, PixelShader, PixelStage, PixelWave, ViewportBounds, WavePlanes, batch_of,
};

use crate::fragment::hi_z::HiZ;
use crate::fragment::interpolate::{Planes, Wanted};
use crate::fragment::output::{ColorRows, DepthRows, TileTest};
use crate::fragment::raster::{self, Coverage, Covered};
use crate::fragment::small::Coverage2x2;
use crate::fragment::surface::Plane;
use crate::fragment::tile::Rect;
use crate::fragment::turns::Turn;
use crate::fragment::undo::Undo;
use crate::geometry::binning::BinnedPrimitive;
use crate::geometry::vertices::Assembled;
use crate::gpu::{Stats, Trap};
use crate::memory::bring_near;
use early::EarlyTests;
use pack::{Pack, PackedLanes, QUADS, lanes_of, quads_of};
use queue::{Queue, QueuedTile};
use waves::passed;

/// A tile with this many covered quads becomes a wave of its own.
const DENSE: u32 = 13;
/// Samples of a pixel, at most.
pub const MAX_SAMPLES: usize = 16;

/// Masks of tiles that are tested at once: of one sample of several, or all samples of one.
const TESTED: usize = if MAX_BATCH > MAX_SAMPLES {
    MAX_BATCH
} else {
    MAX_SAMPLES
};
/// Attribute words after which packed quads are flushed, to free the blocks.
const MAX_BLOCK_WORDS: usize = 1 << 20;

/// Parameters of the vertices of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Parameters<'a> {
    /// The primitives of the batch.
    pub primitives: &'a [Assembled],
    /// Parameters of every wave of 64 vertices.
    pub waves: &'a [Vec<u32>],
    /// Words of a vertex.
    pub stride: usize,
}

impl Parameters<'_> {
    /// Of the three vertices of primitive `id`.
    #[inline]
    pub fn of(&self, id: u32) -> [&[u32]; 3] {
        let [a, b, c] = self.primitives[id as usize].vertices;
        let of = |vertex: u32| {
            let (wave, first) = self.place(vertex);
            &self.waves[wave][first..first + self.stride]
        };
        [of(a), of(b), of(c)]
    }

    /// Has the first ones of the three vertices of a primitive, which will be drawn soon, brought near.
    #[inline]
    pub(crate) fn bring_near(&self, id: u32) {
        let Some(primitive) = self.primitives.get(id as usize) else {
            return;
        };
        for vertex in primitive.vertices {
            let (wave, first) = self.place(vertex);
            if let Some(word) = self.waves.get(wave).and_then(|words| words.get(first)) {
                bring_near(word);
            }
        }
    }

    /// The wave of a vertex, and its first word there.
    #[inline(always)]
    fn place(&self, vertex: u32) -> (usize, usize) {
        let vertex = vertex as usize;
        (vertex / 64, vertex % 64 * self.stride)
    }
}

/// What a thread keeps for pixels.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct PixelWorker {
    depth_rows: DepthRows,
    hi_z: HiZ,
    color_rows: ColorRows,
    z: [f32; 64],
    /// Taken out while its tiles are drawn.
    coverage: Option<Box<Coverage>>,
    /// The wave in packing; taken out while it runs.
    pack: Option<Box<Pack>>,
    packed: PackedLanes,
    blocks: Vec<u32>,
    /// Full tiles of the current primitive, and the batch size; taken out while they run.
    whole: Vec<[i32; 2]>,
    batch: usize,
    /// All other waves, up to the batch size.
    queue: Queue,
    /// Tiles to depth-test before the first of them is shaded, at most.
    tested: usize,
    /// Texels before draws that wait.
    pub(super) undo: Undo,
}

impl PixelWorker {
    /// Whether any of these lanes of a tile is packed in one of the same samples: `masks` are the lanes of each.
    #[inline(always)]
    fn waits(&self, place: u8, lanes: u64, masks: &[u64]) -> bool {
        self.packed.waits(place, lanes, masks)
    }

    /// Adds the bytes moved since the last call.
    pub(crate) fn count_traffic(&mut self, stats: &mut Stats) {
        let color = std::mem::take(&mut self.color_rows.traffic);
        let depth = std::mem::take(&mut self.depth_rows.traffic);
        stats.color_bytes_read += color.read;
        stats.color_bytes_written += color.written;
        stats.depth_bytes_read += depth.read;
        stats.depth_bytes_written += depth.written;
    }
}

impl Default for PixelWorker {
    fn default() -> PixelWorker {
        PixelWorker {
            coverage: Some(Box::default()),
            pack: Some(Box::default()),
            packed: PackedLanes::default(),
            blocks: Vec::new(),
            whole: Vec::with_capacity(MAX_BATCH),
            batch: 1,
            queue: Queue::default(),
            tested: 1,
            undo: Undo::default(),
            depth_rows: DepthRows::default(),
            hi_z: HiZ::default(),
            color_rows: ColorRows::default(),
            z: [0.0; 64],
        }
    }
}

/// A primitive whose tiles are drawn.
#[derive(Clone, Copy)]
struct Drawn<'a> {
    planes: &'a Planes,
    /// By reference: a copy by wide loads waits for the narrow stores before it.
    piece: &'a BinnedPrimitive<'a>,
    front: bool,
    viewport: u8,
    id: u32,
}

/// Lanes of a tile that are queued.
#[derive(Clone, Copy)]
struct TileLanes<'a> {
    /// First pixel.
    at: [i32; 2],
    /// Lanes with a covered sample.
    exec: u64,
    /// Lanes of each sample after tests.
    masks: &'a [u64],
    /// The same as covered.
    covered: &'a [u64],
    /// The sample that is shaded, in per-sample shading.
    sample: Option<usize>,
    /// Block of the primitive.
    block: u32,
}

impl Drawn<'_> {
    /// Makes lanes of a tile a queue entry: what it held before is replaced, as far as samples go.
    fn fill(&self, tile: &mut QueuedTile, lanes: &TileLanes) {
        let TileLanes { masks, covered, .. } = *lanes;
        tile.planes = *self.planes;
        tile.at = lanes.at;
        tile.exec = lanes.exec;
        for (to, mask) in tile.masks.iter_mut().zip(masks) {
            *to = *mask;
        }
        for (to, mask) in tile.covered.iter_mut().zip(covered) {
            *to = *mask;
        }
        tile.sample = lanes.sample.map(|sample| sample as u8);
        tile.front = self.front;
        tile.viewport = self.viewport;
        tile.block = lanes.block;
    }
}

/// A tile that a primitive covers, after the early tests.
struct TileWork<'a> {
    x: i32,
    y: i32,
    /// Lanes with a covered sample.
    any: u64,
    /// Lanes of each sample before tests that only reject.
    covered: &'a [u64],
    of: &'a Drawn<'a>,
    /// Index of the primitive's block, once it has one.
    block: &'a mut Option<u32>,
}

/// The scan converter at work in one bin.
pub struct Scan<'a, S: PixelShader> {
    /// What all bins share.
    stage: &'a PixelStage<S>,
    /// What is kept of tiles before they are drawn to.
    planes: &'a [&'a Plane],
    /// Parameters of the batch.
    parameters: Parameters<'a>,
    /// What the thread keeps.
    pixels: &'a mut PixelWorker,
    /// What the thread keeps for waves.
    worker: &'a mut S::Worker,
    /// What the thread counts.
    stats: &'a mut Stats,
    /// Where stores of waves wait, if they do.
    turn: Option<Turn<'a, S::Stores>>,
    tests: Option<EarlyTests<'a>>,
    /// Tests after the shader, by tiles.
    late: Option<TileTest<'a>>,
    /// The same of several tiles in one pass.
    late_tiles: Option<TileTest<'a>>,
    order: u64,
    /// Planes that packed quads need.
    wanted: Wanted,
    batches_full_tiles: bool,
    /// Nothing but the rasteriser decides which samples the shader runs for.
    untested: bool,
    /// Samples count before the shader runs.
    counts_early: bool,
}

impl<'a, S: PixelShader> Scan<'a, S> {
    /// Begins a draw in a bin; `worker`, `pixels` and `stats` are the thread's. Tiles of the planes are kept before they are
    /// drawn to; stores of waves wait for a turn, if there is one.
    pub(super) fn begin(
        (stage, draw): (&'a PixelStage<S>, &S::Draw),
        (planes, turn): (&'a [&'a Plane], Option<Turn<'a, S::Stores>>),
        parameters: Parameters<'a>,
        worker: &'a mut S::Worker,
        (pixels, stats): (&'a mut PixelWorker, &'a mut Stats),
    ) -> Scan<'a, S> {
        pixels.hi_z.begin();
        pixels.depth_rows.let_go();
        let pack = pixels.pack.get_or_insert_default();
        pixels.packed.forget(pack, MAX_SAMPLES);
        pack.clear();
        pixels.blocks.clear();
        pixels.whole.clear();
        pixels.queue.clear();
        pixels.batch = stage.batch(draw);
        pixels.tested = match stage.shader {
            Some(_) => pixels.batch,
            None => MAX_BATCH,
        };
        if let Some(shader) = &stage.shader {
            shader.begin(worker, draw);
        }
        let tests = EarlyTests::new(stage);
        let late = match stage.tests_late() {
            true => stage.depth.tile_test(),
            false => None,
        };
        Scan {
            stage,
            planes,
            parameters,
            pixels,
            worker,
            stats,
            turn,
            tests,
            late,
            late_tiles: stage.late_tiles(),
            order: 0,
            wanted: stage.wanted(),
            batches_full_tiles: stage.batches_full_tiles(),
            untested: tests.is_none() && !stage.cuts_samples(),
            counts_early: stage.depth.early && stage.depth.counts_early,
        }
    }
}

impl<S: PixelShader> Scan<'_, S> {
    /// The last drawn primitive, or the last one when the failed wave was complete.
    pub fn order(&self) -> u64 {
        self.order
    }

    /// Draws the part of a primitive that lies in `area`.
    pub fn primitive(&mut self, piece: &BinnedPrimitive<'_>, area: Rect) -> Result<(), Trap> {
        let BinnedPrimitive {
            primitive,
            stippled,
            ..
        } = *piece;
        let stage = self.stage;
        self.order = primitive.id.into();
        let area = match stage.viewports.get(usize::from(primitive.viewport)) {
            Some(bounds) => area.intersect(bounds.area),
            None => area,
        };
        if primitive.coverage_2x2 != 0 && stage.samples.is_centre() && stage.stipple.is_none() {
            let bounds = primitive.bounds(stage.grid, false);
            let area = area.intersect(stage.area);
            let mut covered = Coverage2x2::EMPTY;
            covered.cover(primitive.coverage_2x2, (bounds.x0, bounds.y0), area);
            return self.tiles(piece, covered.tiles(), &[]);
        }
        let mut coverage = self.pixels.coverage.take().unwrap_or_default();
        coverage.clear();
        raster::rasterize(
            stage.level,
            stage.grid,
            primitive,
            area.intersect(stage.area),
            &stage.samples,
            &mut coverage,
        );
        if let Some(stipple) = &stage.stipple {
            stipple.cut(
                stage.grid,
                primitive,
                stippled,
                &stage.samples,
                &mut coverage,
            );
        }
        let result = self.tiles(piece, &coverage.tiles, &coverage.samples);
        self.pixels.coverage = Some(coverage);
        // A result that is handed on is copied by wide loads, which wait for the store of its tag.
        match result {
            Ok(()) => Ok(()),
            trapped => trapped,
        }
    }

    fn tiles(
        &mut self,
        piece: &BinnedPrimitive<'_>,
        tiles: &[Covered],
        samples: &[u64],
    ) -> Result<(), Trap> {
        let primitive = piece.primitive;
        if tiles.is_empty() {
            return Ok(());
        }
        self.stats.tiles += tiles.len() as u64;
        if !self.planes.is_empty() {
            for tile in tiles {
                let memory = &self.stage.memory;
                self.pixels.undo.keep(memory, self.planes, [tile.x, tile.y]);
            }
        }
        let stage = self.stage;
        let of = Drawn {
            planes: &match stage.shader {
                Some(_) => Planes::at_level(stage.level, stage.grid, primitive, piece.corners),
                None => Planes::of_depth(stage.level, stage.grid, primitive),
            },
            piece,
            front: primitive.front,
            viewport: primitive.viewport,
            id: primitive.id,
        };
        let mut block = None;
        let result = match &stage.shader {
            Some(shader) if self.untested => {
                self.untested_tiles(shader, &of, &mut block, (tiles, samples))
            }
            _ => self.tested_tiles(&of, &mut block, (tiles, samples)),
        };
        let Some(shader) = &stage.shader else {
            return result;
        };
        if result.is_err() {
            if self.order == u64::from(of.id) {
                // Queued waves come earlier in submission order.
                self.whole_tiles(shader, &of, block)?;
            }
            return result;
        }
        self.last_whole_tiles(shader, &of, block)
    }

    /// Shades tiles of a primitive that nothing is tested in before. `samples` are the lanes of each sample of each tile,
    /// where there are several.
    fn untested_tiles(
        &mut self,
        shader: &S,
        of: &Drawn,
        block: &mut Option<u32>,
        (mut tiles, mut samples): (&[Covered], &[u64]),
    ) -> Result<(), Trap> {
        let count = self.stage.sample_positions.len();
        loop {
            let full = self.full_tiles(shader, of, block, (tiles, samples))?;
            let Some((tile, others)) = tiles[full..].split_first() else {
                return Ok(());
            };
            let mut masks = std::slice::from_ref(&tile.mask);
            if count > 1 {
                (masks, samples) = samples[full * count..].split_at(count);
            }
            tiles = others;
            if self.counts_early {
                self.stats.samples_passed += passed(masks);
            }
            let mut work = TileWork {
                x: tile.x,
                y: tile.y,
                any: tile.mask,
                covered: masks,
                of,
                block: &mut *block,
            };
            self.shade(shader, &mut work, masks)?;
        }
    }

    /// Tests tiles of a primitive, and shades what is left of them.
    fn tested_tiles(
        &mut self,
        of: &Drawn,
        block: &mut Option<u32>,
        (tiles, samples): (&[Covered], &[u64]),
    ) -> Result<(), Trap> {
        let stage = self.stage;
        let tests = self.tests;
        let count = stage.sample_positions.len();
        let cuts_samples = stage.cuts_samples();
        let rejects = tests.is_some_and(|tests| tests.rejects);
        let step = if count == 1 { self.pixels.tested } else { 1 };
        let mut first = 0;
        let mut rest = tiles;
        while !rest.is_empty() {
            let (tested, others) = rest.split_at(step.min(rest.len()));
            rest = others;
            let mut all = [0; TESTED];
            if count == 1 {
                for (mask, tile) in all.iter_mut().zip(tested) {
                    *mask = tile.mask;
                }
            } else {
                all[..count].copy_from_slice(&samples[first * count..(first + 1) * count]);
            }
            first += tested.len();
            if cuts_samples {
                for (n, mask) in all.iter_mut().enumerate() {
                    if stage.sample_mask >> (n % count) & 1 == 0 {
                        *mask = 0;
                    }
                }
            }
            let covered = rejects.then_some(all);
            if let Some(tests) = &tests {
                self.early_tests(tests, of, tested, &mut all[..tested.len() * count]);
            }
            let mut next = 0;
            while next < tested.len() {
                if let Some(shader) = &stage.shader {
                    let masks = &all[next * count..];
                    let whole = |masks: &[u64]| masks.iter().all(|mask| *mask == u64::MAX);
                    let is_full = |n: usize| whole(&masks[n * count..(n + 1) * count]);
                    next += self.full_ones(shader, of, block, (&tested[next..], is_full))?;
                }
                let Some(tile) = tested.get(next) else {
                    break;
                };
                let at = next * count..(next + 1) * count;
                next += 1;
                let masks = &all[at.clone()];
                let covered = covered.as_ref().map_or(masks, |covered| &covered[at]);
                let any = masks.iter().fold(0, |any, mask| any | mask);
                if any == 0 {
                    continue;
                }
                let Some(shader) = &stage.shader else {
                    self.stats.samples_passed += passed(masks);
                    continue;
                };
                if self.counts_early {
                    self.stats.samples_passed += passed(masks);
                }
                let mut work = TileWork {
                    x: tile.x,
                    y: tile.y,
                    any,
                    covered,
                    of,
                    block: &mut *block,
                };
                self.shade(shader, &mut work, masks)?;
            }
            if tests.is_some_and(|tests| tests.holds)
                && let Some(shader) = &stage.shader
                && self.pixels.whole.len() >= waves::ENOUGH
            {
                // What is held of them is lost with the next tests.
                self.whole_tiles(shader, of, *block)?;
            }
        }
        Ok(())
    }

    /// Collects full tiles from the front of these, up to one in which packed quads wait, and shades them batch by batch;
    /// returns how many. `samples` are the lanes of each sample of each tile, where there are several.
    fn full_tiles(
        &mut self,
        shader: &S,
        of: &Drawn,
        block: &mut Option<u32>,
        (tiles, samples): (&[Covered], &[u64]),
    ) -> Result<usize, Trap> {
        let count = self.stage.sample_positions.len();
        let is_full = |n: usize| {
            let whole = |masks: &[u64]| masks.iter().all(|mask| *mask == u64::MAX);
            let samples = || samples.get(n * count..(n + 1) * count);
            tiles[n].mask == u64::MAX && (count == 1 || samples().is_some_and(whole))
        };
        self.full_ones(shader, of, block, (tiles, is_full))
    }

    /// The same, where a function says which tiles are full.
    #[inline]
    fn full_ones(
        &mut self,
        shader: &S,
        of: &Drawn,
        block: &mut Option<u32>,
        (tiles, is_full): (&[Covered], impl Fn(usize) -> bool),
    ) -> Result<usize, Trap> {
        if !self.batches_full_tiles || block.is_none() && self.has_many_blocks() {
            return Ok(0);
        }
        let count = self.stage.sample_positions.len();
        let mut done = 0;
        while done < tiles.len() {
            let room = self.pixels.batch.saturating_sub(self.pixels.whole.len());
            let mut full = 0;
            for (n, tile) in tiles.iter().enumerate().skip(done).take(room) {
                if !is_full(n) || self.pixels.packed.has(pack::place(tile.x, tile.y)) {
                    break;
                }
                full += 1;
            }
            if full > 0 {
                self.block(shader, of, block);
                let at = tiles[done..done + full].iter().map(|tile| [tile.x, tile.y]);
                self.pixels.whole.extend(at);
                done += full;
                if self.counts_early {
                    self.stats.samples_passed += (64 * count * full) as u64;
                }
            }
            if full < room {
                break;
            }
            self.whole_tiles(shader, of, *block)?;
        }
        Ok(done)
    }

    /// Whether blocks take so much room that packed quads are flushed.
    fn has_many_blocks(&self) -> bool {
        self.pixels.blocks.len() > MAX_BLOCK_WORDS
    }

    /// The block of a primitive, made when its first tile is shaded.
    #[inline(always)]
    fn block(&mut self, shader: &S, of: &Drawn, block: &mut Option<u32>) -> u32 {
        *block.get_or_insert_with(|| {
            let start = self.pixels.blocks.len() as u32;
            let vertices = self.parameters.of(of.id);
            shader.piece_block(of.piece, vertices, &mut self.pixels.blocks);
            start
        })
    }

    /// Queues a wave for each covered sample of a tile. `masks` are the lanes of each.
    fn queue_samples(
        &mut self,
        shader: &S,
        of: &Drawn,
        (at, masks): ([i32; 2], &[u64]),
        block: u32,
    ) -> Result<(), Trap> {
        for (sample, &mask) in masks.iter().enumerate() {
            if mask != 0 {
                let mut only = [0; MAX_SAMPLES];
                only[sample] = mask;
                let only = &only[..masks.len()];
                let lanes = TileLanes {
                    at,
                    exec: mask,
                    masks: only,
                    covered: only,
                    sample: Some(sample),
                    block,
                };
                self.queue_tile(shader, of, &lanes)?;
            }
        }
        Ok(())
    }

    /// Shades a tile, or packs its quads. `masks` are the covered lanes of each sample.
    fn shade(&mut self, shader: &S, work: &mut TileWork, masks: &[u64]) -> Result<(), Trap> {
        if self.has_many_blocks() && work.block.is_none() {
            self.flush()?;
            self.pixels.blocks.clear();
        }
        let block = self.block(shader, work.of, work.block);
        let at = [work.x, work.y];
        if self.stage.per_sample {
            return self.queue_samples(shader, work.of, (at, masks), block);
        }
        let place = pack::place(work.x, work.y);
        let whole = work.any == u64::MAX;
        let quads = if whole {
            u64::MAX >> 48
        } else {
            quads_of(work.any)
        };
        if !self.stage.packs || whole || quads.count_ones() >= DENSE {
            if self.pixels.waits(place, u64::MAX, masks) {
                self.end_pack()?;
            }
            if !(self.batches_full_tiles && masks.iter().all(|mask| *mask == u64::MAX)) {
                let lanes = TileLanes {
                    at,
                    exec: work.any,
                    masks,
                    covered: work.covered,
                    sample: None,
                    block,
                };
                return self.queue_tile(shader, work.of, &lanes);
            }
            self.pixels.whole.push(at);
            return match self.pixels.whole.len() < self.pixels.batch {
                true => Ok(()),
                false => self.whole_tiles(shader, work.of, Some(block)),
            };
        }
        let wanted = self.wanted;
        let planes = work.of.planes.wanted_in_tile(work.x, work.y, wanted);
        let apart = self.pixels.waits(place, work.any, masks);
        let mut rest = quads;
        while rest != 0 {
            // Quads that share samples with packed ones are looked at one by one.
            let some = if apart {
                rest & rest.wrapping_neg()
            } else {
                rest
            };
            if apart && self.pixels.waits(place, lanes_of(some), masks) {
                self.end_pack()?;
            }
            let PixelWorker { pack, packed, .. } = &mut *self.pixels;
            let Some(pack) = pack else { break };
            let left = pack.add(packed, work, (&planes, wanted), masks, (place, some), block);
            rest = rest & !some | left;
            if pack.count == QUADS {
                self.end_pack()?;
            }
        }
        Ok(())
    }
}
