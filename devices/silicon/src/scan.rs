//! The scan converter: a primitive's tiles to pixel waves, inside one bin.
//!
//! A tile that a primitive covers in whole, or nearly so, becomes a wave of its own; quads of other tiles wait until
//! sixteen of them, of whatever tiles and primitives, fill a wave. No pixel is twice in a wave, and a tile does not
//! pass quads of itself that wait, so the pixels of a bin are written in the order of the primitives. Whole tiles of a
//! primitive wait for each other, at most until the primitive's end, and take each step together. Where the shader
//! runs for every sample, a tile becomes a wave for each of its covered samples.
//!
//! What a wave is, the chip says: [`PixelShader`].

mod late;
mod pack;
mod stage;

pub use stage::{
    MAX_TOGETHER, PixelShader, PixelStage, PixelWave, ViewportBounds, WavePlanes, WholeTiles,
};

use crate::coarse::{self, Coarse, Tile};
use crate::depth::{self, Depth};
use crate::gpu::{Stats, Trap};
use crate::interpolate::{self, CENTRES, Coefficients, InTile, Planes, ScreenPlane, Spots};
use crate::output::{ColorRows, DepthOutput, DepthRows};
use crate::raster::{self, Coverage, Covered};
use crate::setup::{Corners, Primitive};
use crate::small::Dots;
use crate::surface::{Place, Plane, Texels};
use crate::tile::{LANE_X, LANE_Y, Rect};
use crate::vertices::Assembled;
use pack::{Pack, QUADS, quads_of};

/// A tile with this many covered quads becomes a wave of its own.
const DENSE: u32 = 13;
/// Samples of a pixel, at most.
pub const MAX_SAMPLES: usize = 16;
/// Words of attribute blocks after which waiting quads are drawn, so that the blocks can go.
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
    fn of(&self, id: u32) -> [&[u32]; 3] {
        let [a, b, c] = self.primitives[id as usize].vertices;
        let of = |vertex: u32| {
            let (wave, lane) = (vertex as usize / 64, vertex as usize % 64);
            &self.waves[wave][lane * self.stride..(lane + 1) * self.stride]
        };
        [of(a), of(b), of(c)]
    }
}

/// What a thread keeps for pixels.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct PixelWorker {
    depth_rows: DepthRows,
    coarse: Coarse,
    color_rows: ColorRows,
    z: [f32; 64],
    columns: [i32; 64],
    lines: [i32; 64],
    coverage_row: [u32; 64],
    coverage: Coverage,
    /// Taken out while its wave runs.
    pack: Option<Box<Pack>>,
    blocks: Vec<u32>,
    /// Whole tiles of the primitive that wait for each other, and how many at most; taken out while they run.
    whole: Vec<[i32; 2]>,
    together: usize,
}

impl Default for PixelWorker {
    fn default() -> PixelWorker {
        PixelWorker {
            coverage: Coverage::default(),
            pack: Some(Box::default()),
            blocks: Vec::new(),
            whole: Vec::with_capacity(MAX_TOGETHER),
            together: 1,
            depth_rows: DepthRows::default(),
            coarse: Coarse::default(),
            color_rows: ColorRows::default(),
            z: [0.0; 64],
            columns: [0; 64],
            lines: [0; 64],
            coverage_row: [0; 64],
        }
    }
}

/// A tile that a primitive covers, after the early tests.
struct TileWork<'a> {
    x: i32,
    y: i32,
    /// Lanes with a covered sample.
    any: u64,
    planes: &'a Planes,
    front: bool,
    viewport: u8,
    id: u32,
    /// Index of the primitive's block, once it has one.
    block: &'a mut Option<u32>,
}

fn tile_key(x: i32, y: i32) -> u32 {
    (y as u32 >> 3) << 16 | x as u32 >> 3
}

impl<'a> TileWork<'a> {
    fn inside(&self, plane: &'a ScreenPlane) -> InTile<'a> {
        InTile {
            plane,
            x: self.x,
            y: self.y,
        }
    }

    fn planes(&self) -> WavePlanes<InTile<'a>> {
        WavePlanes::in_tile(self.planes, self.x, self.y)
    }
}

/// The scan converter at work in one bin.
pub struct Scan<'a, S: PixelShader> {
    /// What all bins share.
    pub stage: &'a PixelStage<'a, S>,
    /// Parameters of the batch.
    pub parameters: Parameters<'a>,
    /// What the thread keeps.
    pub pixels: &'a mut PixelWorker,
    /// What the thread keeps for waves.
    pub worker: &'a mut S::Worker,
    /// What the thread counts.
    pub stats: &'a mut Stats,
}

impl<S: PixelShader> Scan<'_, S> {
    /// Before the first primitive of a bin.
    pub fn begin(&mut self) {
        self.pixels.coarse.begin();
        self.pixels.pack.get_or_insert_default().clear();
        self.pixels.blocks.clear();
        self.pixels.whole.clear();
        self.pixels.together = self.stage.together();
        if let Some(shader) = &self.stage.shader {
            shader.begin(self.worker);
        }
    }

    /// Draws the part of a primitive that lies in `area`. `corners` are those of its piece, `stippled` is the counter
    /// of the stipple pattern at its start.
    pub fn primitive(
        &mut self,
        primitive: &Primitive,
        corners: &[Corners],
        stippled: u64,
        area: Rect,
    ) -> Result<(), Trap> {
        let stage = self.stage;
        let area = match stage.viewports.get(usize::from(primitive.viewport)) {
            Some(bounds) => area.intersect(bounds.area),
            None => area,
        };
        if primitive.dots != 0 && stage.samples.is_centre() && stage.stipple.is_none() {
            let bounds = primitive.bounds(stage.grid, false);
            let area = area.intersect(stage.area);
            let dots = Dots::new(primitive.dots, (bounds.x0, bounds.y0), area);
            return self.tiles(primitive, corners, dots.tiles(), &[]);
        }
        let mut coverage = std::mem::take(&mut self.pixels.coverage);
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
        let result = self.tiles(primitive, corners, &coverage.tiles, &coverage.samples);
        self.pixels.coverage = coverage;
        result
    }

    fn tiles(
        &mut self,
        primitive: &Primitive,
        corners: &[Corners],
        tiles: &[Covered],
        samples: &[u64],
    ) -> Result<(), Trap> {
        if tiles.is_empty() {
            return Ok(());
        }
        let stage = self.stage;
        let planes = Planes::new(stage.grid, primitive, corners);
        let mut block = None;
        let count = stage.spots.len();
        let mut all_masks = [0; MAX_SAMPLES];
        let masks = &mut all_masks[..count];
        for (n, tile) in tiles.iter().enumerate() {
            if let [mask] = &mut *masks {
                *mask = tile.mask;
            } else {
                masks.copy_from_slice(&samples[n * count..(n + 1) * count]);
            }
            for (sample, mask) in masks.iter_mut().enumerate() {
                if stage.sample_mask >> sample & 1 == 0 {
                    *mask = 0;
                }
            }
            let mut work = TileWork {
                x: tile.x,
                y: tile.y,
                any: 0,
                planes: &planes,
                front: primitive.front,
                viewport: primitive.viewport,
                id: primitive.id,
                block: &mut block,
            };
            if stage.depth.early && stage.depth.is_active() {
                self.early_depth(&work, masks);
            }
            work.any = masks.iter().fold(0, |any, mask| any | mask);
            if work.any == 0 {
                continue;
            }
            if stage.depth.early && (stage.depth.counts_early || stage.shader.is_none()) {
                self.stats.samples_passed += passed(masks);
            }
            let Some(shader) = &stage.shader else {
                if !stage.depth.early {
                    // Without a shader the late tests are the early ones.
                    self.early_depth(&work, masks);
                    self.stats.samples_passed += passed(masks);
                }
                continue;
            };
            let result = self.shade(shader, &mut work, masks);
            if result.is_err() {
                // What waits was before.
                self.whole_tiles(shader, (&planes, primitive.front, block))?;
                return result;
            }
        }
        match &stage.shader {
            Some(shader) => self.whole_tiles(shader, (&planes, primitive.front, block)),
            None => Ok(()),
        }
    }

    /// Tests the covered lanes of each sample and leaves those that pass.
    fn early_depth(&mut self, work: &TileWork, masks: &mut [u64]) {
        let stage = self.stage;
        let front = if work.front { u64::MAX } else { 0 };
        let test = stage.depth.depth_test();
        for (sample, mask) in masks.iter_mut().enumerate() {
            if *mask == 0 {
                continue;
            }
            let spots = &stage.spots[sample];
            let z = work.inside(&work.planes.z);
            if let Some(test) = test.filter(|_| DepthOutput::are_few(*mask)) {
                *mask = self.early_few(test, work, (sample, *mask));
                continue;
            }
            interpolate::values(stage.level, z, spots, &mut self.pixels.z);
            let coarse = stage.depth.coarse_test();
            let tile = Tile {
                at: [work.x, work.y],
                sample,
            };
            let bounded = coarse.filter(|_| {
                let PixelWorker { coarse, z, .. } = &*self.pixels;
                coarse.knows(tile) && coarse::tame(z)
            });
            stage.limit_depths(work.viewport, &mut self.pixels.z);
            let PixelWorker {
                coarse: bounds, z, ..
            } = &*self.pixels;
            if bounded.is_some_and(|state| bounds.hides(state, tile, z)) {
                *mask = 0;
                continue;
            }
            *mask = stage.depth.run(
                stage.level,
                stage.memory,
                &Texels {
                    place: Place::Tile(work.x, work.y),
                    sample,
                    mask: *mask,
                },
                front,
                &self.pixels.z,
                &mut self.pixels.depth_rows,
            );
            if let Some(state) = coarse
                && *mask == 0
            {
                let PixelWorker {
                    coarse, depth_rows, ..
                } = &mut *self.pixels;
                coarse.learn(state, tile, &depth_rows.depth[0]);
            }
        }
    }

    /// The same lane by lane.
    #[inline]
    fn early_few(
        &self,
        test: (&Plane, &Depth),
        work: &TileWork,
        (sample, mask): (usize, u64),
    ) -> u64 {
        let stage = self.stage;
        let (x, y) = (work.x, work.y);
        let texels = Texels {
            place: Place::Tile(x, y),
            sample,
            mask,
        };
        let plane = work.planes.z.tile(x, y);
        let spots = &stage.spots[sample];
        let range = stage.depth_range(work.viewport);
        DepthOutput::run_few(test, stage.memory, &texels, |lane| {
            let z = <&interpolate::Plane>::at(plane, lane, spots.x[lane], spots.y[lane]);
            range.map_or(z, |range| depth::limit(z, range))
        })
    }

    /// Shades a tile now, or lets its quads wait. `masks` are the covered lanes of each sample.
    fn shade(&mut self, shader: &S, work: &mut TileWork, masks: &mut [u64]) -> Result<(), Trap> {
        if self.pixels.blocks.len() > MAX_BLOCK_WORDS && work.block.is_none() {
            self.flush()?;
            self.pixels.blocks.clear();
        }
        let block = *work.block.get_or_insert_with(|| {
            let start = self.pixels.blocks.len() as u32;
            shader.block(self.parameters.of(work.id), &mut self.pixels.blocks);
            start
        });
        if self.stage.per_sample {
            for sample in 0..masks.len() {
                let mut only = [0; MAX_SAMPLES];
                only[sample] = masks[sample];
                if masks[sample] != 0 {
                    let only = &mut only[..masks.len()];
                    self.tile(shader, work, only, Some(sample), block)?;
                }
            }
            return Ok(());
        }
        let quads = quads_of(work.any);
        let key = tile_key(work.x, work.y);
        if !self.stage.packs || quads.count_ones() >= DENSE {
            let waits = |pack: &Pack| pack.count > 0 && pack.holds_tile(key);
            if self.pixels.pack.as_deref().is_some_and(waits) {
                self.flush()?;
            }
            if work.any == u64::MAX && self.pixels.together > 1 {
                self.pixels.whole.push([work.x, work.y]);
                return match self.pixels.whole.len() < self.pixels.together {
                    true => Ok(()),
                    false => self.whole_tiles(shader, (work.planes, work.front, Some(block))),
                };
            }
            return self.tile(shader, work, masks, None, block);
        }
        let planes = work.planes.tile(work.x, work.y);
        for quad in interpolate::lanes(quads) {
            let covered = (work.any >> (4 * quad) & 0xf) as u8;
            let full =
                |pack: &Pack| pack.count == QUADS || pack.holds_pixel(key, quad as u32, covered);
            if self.pixels.pack.as_deref().is_some_and(full) {
                self.flush()?;
            }
            if let Some(pack) = &mut self.pixels.pack {
                pack.add(work, &planes, masks, (key, quad, covered), block);
            }
        }
        Ok(())
    }

    /// Shades the whole tiles of the primitive that wait. They overlap nothing that waits: their own quads went before
    /// they began to wait, and other tiles of the primitive are elsewhere.
    fn whole_tiles(
        &mut self,
        shader: &S,
        (planes, front, block): (&Planes, bool, Option<u32>),
    ) -> Result<(), Trap> {
        let Some(block) = block else {
            return Ok(());
        };
        if self.pixels.whole.is_empty() {
            return Ok(());
        }
        let mut at = std::mem::take(&mut self.pixels.whole);
        let tiles = WholeTiles {
            planes,
            at: &at,
            block,
            blocks: &self.pixels.blocks,
            front,
        };
        let (ended, result) = shader.run_tiles(self.worker, &tiles);
        let ran = ended + usize::from(result.is_err());
        self.stats.waves += ran as u64;
        self.stats.fragment_lanes += 64 * ran as u64;
        self.stats.instructions += (0..ran)
            .map(|wave| S::instructions(self.worker, wave))
            .sum::<u64>();
        self.finish_tiles(&at[..ended], front);
        at.clear();
        self.pixels.whole = at;
        result
    }

    /// Shades the quads that wait.
    pub fn flush(&mut self) -> Result<(), Trap> {
        let (Some(shader), Some(mut pack)) = (&self.stage.shader, self.pixels.pack.take()) else {
            return Ok(());
        };
        let result = match pack.count {
            0 => Ok(()),
            _ => self.packed(shader, &pack),
        };
        pack.clear();
        self.pixels.pack = Some(pack);
        result
    }

    fn packed(&mut self, shader: &S, pack: &Pack) -> Result<(), Trap> {
        let stage = self.stage;
        let coverage = self.coverage_rows(&pack.samples);
        let planes = &pack.planes;
        let wave = PixelWave {
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
            primitives: &pack.primitives,
            blocks: &self.pixels.blocks,
            position: [&pack.columns, &pack.lines],
            front: pack.front,
            centres: &planes.spots,
            centroids: &planes.spots,
            samples: &planes.spots,
            coverage: coverage.as_ref(),
            sample: 0,
        };
        run(shader, self.worker, self.stats, &wave)?;
        let mut masks = pack.samples;
        self.finish(
            0,
            Place::Lanes([&pack.columns, &pack.lines]),
            (pack.exec, pack.front, 0),
            &mut masks[..stage.spots.len()],
            |_, out| interpolate::values(stage.level, &planes.z, &planes.spots, out),
        );
        Ok(())
    }

    /// Shades the lanes of `masks` in a tile, for one sample or for all together.
    fn tile(
        &mut self,
        shader: &S,
        work: &TileWork,
        masks: &mut [u64],
        sample: Option<usize>,
        block: u32,
    ) -> Result<(), Trap> {
        let stage = self.stage;
        let exec = match sample {
            Some(sample) => masks[sample],
            None => work.any,
        };
        if stage.needs_position {
            let PixelWorker { columns, lines, .. } = &mut *self.pixels;
            for lane in 0..64 {
                columns[lane] = work.x + LANE_X[lane];
                lines[lane] = work.y + LANE_Y[lane];
            }
        }
        let front = if work.front { u64::MAX } else { 0 };
        let coverage = self.coverage_rows(masks);
        let centroids;
        let places = if let Some(sample) = sample {
            (&stage.spots[sample], &stage.spots[sample])
        } else if stage.needs_places && stage.spots.len() > 1 {
            centroids = Spots::centroid(&stage.samples, masks);
            (&centroids, &stage.spots[0])
        } else {
            (&CENTRES, &CENTRES)
        };
        let wave = PixelWave {
            planes: work.planes(),
            exec,
            starts: 0,
            primitives: &[block],
            blocks: &self.pixels.blocks,
            position: [&self.pixels.columns, &self.pixels.lines],
            front,
            centres: &CENTRES,
            centroids: places.0,
            samples: places.1,
            coverage: coverage.as_ref(),
            sample: sample.unwrap_or(0) as u32,
        };
        run(shader, self.worker, self.stats, &wave)?;
        self.finish(
            0,
            Place::Tile(work.x, work.y),
            (exec, front, work.viewport),
            masks,
            |sample, out| {
                let z = work.inside(&work.planes.z);
                interpolate::values(stage.level, z, &stage.spots[sample], out);
            },
        );
        Ok(())
    }

    /// Covered samples of every lane, when there are several.
    fn coverage_rows(&mut self, masks: &[u64]) -> Option<[u32; 64]> {
        if self.stage.spots.len() == 1 {
            return None;
        }
        let rows = &mut self.pixels.coverage_row;
        for (lane, row) in rows.iter_mut().enumerate() {
            *row = masks.iter().enumerate().fold(0, |row, (sample, mask)| {
                row | ((mask >> lane & 1) as u32) << sample
            });
        }
        Some(*rows)
    }
}

/// Runs a wave and counts it.
fn run<S: PixelShader, P: Coefficients>(
    shader: &S,
    worker: &mut S::Worker,
    stats: &mut Stats,
    wave: &PixelWave<P>,
) -> Result<(), Trap> {
    let result = shader.run(worker, wave);
    stats.waves += 1;
    stats.fragment_lanes += ones(wave.exec);
    stats.instructions += S::instructions(worker, 0);
    result
}

fn passed(masks: &[u64]) -> u64 {
    match masks {
        [mask] => ones(*mask),
        _ => masks.iter().map(|mask| ones(*mask)).sum(),
    }
}

/// Number of the lanes in a mask, which mostly has all: not every host that the program may run on can count bits.
#[inline(always)]
fn ones(mask: u64) -> u64 {
    match mask {
        u64::MAX => 64,
        _ => mask.count_ones().into(),
    }
}
