//! The scan converter: a primitive's tiles to pixel waves, inside one bin.
//!
//! A tile that a primitive covers in whole, or nearly so, becomes a wave of its own; quads of other tiles wait until
//! sixteen of them, of whatever tiles and primitives, fill a wave. No pixel is twice in a wave, and a tile does not
//! pass quads of itself that wait, so the pixels of a bin are written in the order of the primitives.

use std::sync::Arc;

use lanes::{Interpreter, Wave};
use silicon::interpolate::{self, CENTRES, Packed, Plane as TilePlane, Planes, Spots, TilePlanes};
use silicon::level::Level;
use silicon::multisample::Samples;
use silicon::raster::{self, Coverage};
use silicon::setup::{Corners, Primitive};
use silicon::tile::{LANE_X, LANE_Y, Rect};
use silicon::{Memory, Stats, Trap};

use crate::cb::{ColorRows, Target};
use crate::db::{DepthBlock, DepthRows};
use crate::pa::GRID;
use crate::spi::interp::Attributes;
use crate::spi::{AttributeMap, Launch, PixelInputs, PixelWave, WavePlanes};
use crate::sq::{Outside, Shader};
use crate::surface::{Place, Texels};
use crate::sx::{ExportFormats, Exports};
use crate::ta::MemoryUnit;

/// Quads of a wave.
const QUADS: usize = 16;
/// A tile with this many covered quads becomes a wave of its own.
const DENSE: u32 = 13;
/// Samples of a pixel, at most.
const MAX_SAMPLES: usize = 16;
/// Words of attribute blocks after which waiting quads are drawn, so that the blocks can go.
const MAX_BLOCK_WORDS: usize = 1 << 20;

/// The pixel half of a draw: what all bins share.
pub(crate) struct PixelStage<'a> {
    pub(crate) memory: &'a Memory,
    pub(crate) engine: &'a Interpreter,
    pub(crate) level: Level,
    /// None: only depth and stencil are drawn.
    pub(crate) shader: Option<Arc<Shader>>,
    pub(crate) launch: Launch,
    pub(crate) inputs: PixelInputs,
    pub(crate) map: AttributeMap,
    pub(crate) formats: ExportFormats,
    pub(crate) targets: Vec<Target>,
    pub(crate) depth: DepthBlock,
    pub(crate) samples: Samples,
    /// Where each sample is, in every lane of a tile.
    pub(crate) spots: Vec<Spots>,
    /// PA_SC_AA_MASK.
    pub(crate) sample_mask: u32,
    pub(crate) area: Rect,
    /// Quads of several tiles may share a wave.
    pub(crate) packs: bool,
    pub(crate) limit: u64,
}

/// Parameters of the vertices of a batch and which of them a primitive has.
pub(crate) trait Parameters {
    /// The parameters of the three vertices of primitive `id`.
    fn of(&self, id: u32) -> [&[u32]; 3];
}

/// What a thread keeps for pixels.
pub(crate) struct PixelWorker {
    wave: Wave,
    exports: Box<Exports>,
    coverage: Coverage,
    /// Taken out while its wave runs.
    pack: Option<Box<Pack>>,
    blocks: Vec<u32>,
    depth_rows: DepthRows,
    color_rows: ColorRows,
    z: [f32; 64],
    columns: [i32; 64],
    lines: [i32; 64],
    coverage_row: [u32; 64],
}

/// Quads that wait for a wave.
struct Pack {
    planes: Packed,
    count: usize,
    /// Tile of each quad, and the quad in it.
    tiles: [u32; QUADS],
    quads: [u32; QUADS],
    covered: [u8; QUADS],
    columns: [i32; 64],
    lines: [i32; 64],
    front: u64,
    exec: u64,
    samples: [u64; MAX_SAMPLES],
    /// Blocks of the wave's primitives.
    primitives: Vec<u32>,
    /// PRIM_MASK of the wave.
    prim_mask: u32,
    last: Option<u32>,
}

impl Pack {
    fn new() -> Pack {
        Pack {
            planes: Packed::default(),
            count: 0,
            tiles: [u32::MAX; QUADS],
            quads: [0; QUADS],
            covered: [0; QUADS],
            columns: [0; 64],
            lines: [0; 64],
            front: 0,
            exec: 0,
            samples: [0; MAX_SAMPLES],
            primitives: Vec::with_capacity(QUADS),
            prim_mask: 0,
            last: None,
        }
    }

    fn clear(&mut self) {
        self.count = 0;
        self.tiles = [u32::MAX; QUADS];
        self.front = 0;
        self.exec = 0;
        self.samples = [0; MAX_SAMPLES];
        self.primitives.clear();
        self.prim_mask = 0;
        self.last = None;
    }

    fn holds_tile(&self, tile: u32) -> bool {
        self.tiles
            .iter()
            .fold(false, |found, t| found | (*t == tile))
    }

    /// Whether a pixel of a quad waits already.
    fn holds_pixel(&self, tile: u32, quad: u32, covered: u8) -> bool {
        (0..QUADS).fold(false, |found, n| {
            found
                | ((self.tiles[n] == tile)
                    & (self.quads[n] == quad)
                    & (self.covered[n] & covered != 0))
        })
    }
}

/// A tile that a primitive covers, after the early tests.
struct TileWork<'a> {
    x: i32,
    y: i32,
    /// Covered lanes of each sample.
    masks: [u64; MAX_SAMPLES],
    /// Lanes with a covered sample.
    any: u64,
    planes: TilePlanes,
    front: bool,
    id: u32,
    /// Index of the primitive's block, once it has one.
    block: &'a mut Option<u32>,
}

fn tile_key(x: i32, y: i32) -> u32 {
    (y as u32 >> 3) << 16 | x as u32 >> 3
}

fn plane_refs(planes: &TilePlanes) -> WavePlanes<&TilePlane> {
    WavePlanes {
        z: &planes.z,
        inv_w: &planes.inv_w,
        i_w: &planes.i_w,
        j_w: &planes.j_w,
        i: &planes.i,
        j: &planes.j,
    }
}

impl PixelWorker {
    pub(crate) fn new() -> PixelWorker {
        PixelWorker {
            wave: Wave::new(0, 0),
            exports: Exports::new(),
            coverage: Coverage::default(),
            pack: Some(Box::new(Pack::new())),
            blocks: Vec::new(),
            depth_rows: DepthRows::new(),
            color_rows: ColorRows::new(),
            z: [0.0; 64],
            columns: [0; 64],
            lines: [0; 64],
            coverage_row: [0; 64],
        }
    }

    /// Before the first primitive of a bin.
    pub(crate) fn begin(&mut self, stage: &PixelStage) {
        self.pack
            .get_or_insert_with(|| Box::new(Pack::new()))
            .clear();
        self.blocks.clear();
        if let Some(shader) = &stage.shader {
            shader.bind(&mut self.wave);
        }
    }

    /// Draws the part of a primitive that lies in `area`.
    pub(crate) fn primitive(
        &mut self,
        stage: &PixelStage,
        unit: &mut MemoryUnit,
        stats: &mut Stats,
        parameters: &dyn Parameters,
        (primitive, corners): (&Primitive, &[Corners]),
        area: Rect,
    ) -> Result<(), Trap> {
        let mut coverage = std::mem::take(&mut self.coverage);
        coverage.clear();
        raster::rasterize(
            stage.level,
            GRID,
            primitive,
            area.intersect(stage.area),
            &stage.samples,
            &mut coverage,
        );
        let result = self.tiles(
            stage,
            unit,
            stats,
            parameters,
            (primitive, corners),
            &coverage,
        );
        self.coverage = coverage;
        result
    }

    fn tiles(
        &mut self,
        stage: &PixelStage,
        unit: &mut MemoryUnit,
        stats: &mut Stats,
        parameters: &dyn Parameters,
        (primitive, corners): (&Primitive, &[Corners]),
        coverage: &Coverage,
    ) -> Result<(), Trap> {
        if coverage.tiles.is_empty() {
            return Ok(());
        }
        let planes = Planes::new(GRID, primitive, corners);
        let mut block = None;
        let count = stage.spots.len();
        for (n, tile) in coverage.tiles.iter().enumerate() {
            let mut masks = [0; MAX_SAMPLES];
            if count == 1 {
                masks[0] = tile.mask;
            } else {
                masks[..count].copy_from_slice(coverage.samples_of(n, &stage.samples));
            }
            for (sample, mask) in masks.iter_mut().enumerate().take(count) {
                if stage.sample_mask >> sample & 1 == 0 {
                    *mask = 0;
                }
            }
            let mut work = TileWork {
                x: tile.x,
                y: tile.y,
                masks,
                any: 0,
                planes: planes.tile(tile.x, tile.y),
                front: primitive.front,
                id: primitive.id,
                block: &mut block,
            };
            if stage.depth.early && stage.depth.is_active() {
                self.early_depth(stage, &mut work);
            }
            work.any = work.masks[..count].iter().fold(0, |any, mask| any | mask);
            if work.any == 0 {
                continue;
            }
            if stage.depth.early && (stage.depth.counts_early || stage.shader.is_none()) {
                stats.samples_passed += passed(&work.masks[..count]);
            }
            let Some(shader) = &stage.shader else {
                if !stage.depth.early {
                    stats.samples_passed += self.late_depth_only(stage, &mut work);
                }
                continue;
            };
            self.shade(stage, shader, unit, stats, parameters, work)?;
        }
        Ok(())
    }

    fn early_depth(&mut self, stage: &PixelStage, work: &mut TileWork) {
        let front = if work.front { u64::MAX } else { 0 };
        for (sample, spots) in stage.spots.iter().enumerate() {
            let mask = work.masks[sample];
            if mask == 0 {
                continue;
            }
            interpolate::values(stage.level, &work.planes.z, spots, &mut self.z);
            work.masks[sample] = stage.depth.run(
                stage.level,
                stage.memory,
                Texels {
                    place: Place::Tile(work.x, work.y),
                    sample,
                    mask,
                },
                front,
                &self.z,
                &mut self.depth_rows,
            );
        }
    }

    /// Without a shader the late tests are the early ones.
    fn late_depth_only(&mut self, stage: &PixelStage, work: &mut TileWork) -> u64 {
        self.early_depth(stage, work);
        passed(&work.masks[..stage.spots.len()])
    }

    /// Shades a tile now, or lets its quads wait.
    fn shade(
        &mut self,
        stage: &PixelStage,
        shader: &Shader,
        unit: &mut MemoryUnit,
        stats: &mut Stats,
        parameters: &dyn Parameters,
        work: TileWork,
    ) -> Result<(), Trap> {
        if self.blocks.len() > MAX_BLOCK_WORDS && work.block.is_none() {
            self.flush(stage, unit, stats)?;
            self.blocks.clear();
        }
        let block = *work.block.get_or_insert_with(|| {
            let start = self.blocks.len() as u32;
            stage.map.block(parameters.of(work.id), &mut self.blocks);
            start
        });
        let quads = quads_of(work.any);
        let key = tile_key(work.x, work.y);
        if !stage.packs || quads.count_ones() >= DENSE {
            if self.pack.as_ref().is_some_and(|pack| pack.holds_tile(key)) {
                self.flush(stage, unit, stats)?;
            }
            return self.tile(stage, shader, unit, stats, &work, block);
        }
        for quad in interpolate::lanes(quads) {
            let covered = (work.any >> (4 * quad) & 0xf) as u8;
            let full =
                |pack: &Pack| pack.count == QUADS || pack.holds_pixel(key, quad as u32, covered);
            if self.pack.as_deref().is_some_and(full) {
                self.flush(stage, unit, stats)?;
            }
            self.add(stage, &work, key, quad, covered, block);
        }
        Ok(())
    }

    /// Puts a quad into the waiting wave.
    fn add(
        &mut self,
        stage: &PixelStage,
        work: &TileWork,
        key: u32,
        quad: usize,
        covered: u8,
        block: u32,
    ) {
        let Some(pack) = &mut self.pack else {
            return;
        };
        let slot = pack.count;
        pack.count += 1;
        pack.planes.set_quad(slot, &work.planes, quad, &CENTRES);
        pack.tiles[slot] = key;
        pack.quads[slot] = quad as u32;
        pack.covered[slot] = covered;
        if pack.last != Some(block) {
            if slot > 0 {
                pack.prim_mask |= 1 << (15 + slot);
            }
            pack.primitives.push(block);
            pack.last = Some(block);
        }
        for lane in 0..4 {
            pack.columns[4 * slot + lane] = work.x + LANE_X[4 * quad + lane];
            pack.lines[4 * slot + lane] = work.y + LANE_Y[4 * quad + lane];
        }
        let shift = 4 * slot;
        if work.front {
            pack.front |= 0xf << shift;
        }
        pack.exec |= u64::from(covered) << shift;
        for sample in 0..stage.spots.len() {
            pack.samples[sample] |= (work.masks[sample] >> (4 * quad) & 0xf) << shift;
        }
    }

    /// Shades the quads that wait.
    pub(crate) fn flush(
        &mut self,
        stage: &PixelStage,
        unit: &mut MemoryUnit,
        stats: &mut Stats,
    ) -> Result<(), Trap> {
        let (Some(shader), Some(mut pack)) = (&stage.shader, self.pack.take()) else {
            return Ok(());
        };
        let result = match pack.count {
            0 => Ok(()),
            _ => self.packed(stage, shader, unit, stats, &pack),
        };
        pack.clear();
        self.pack = Some(pack);
        result
    }

    fn packed(
        &mut self,
        stage: &PixelStage,
        shader: &Shader,
        unit: &mut MemoryUnit,
        stats: &mut Stats,
        pack: &Pack,
    ) -> Result<(), Trap> {
        let planes = WavePlanes {
            z: &pack.planes.z,
            inv_w: &pack.planes.inv_w,
            i_w: &pack.planes.i_w,
            j_w: &pack.planes.j_w,
            i: &pack.planes.i,
            j: &pack.planes.j,
        };
        let position = [&pack.columns, &pack.lines];
        let coverage = self.coverage_rows(stage, &pack.samples);
        let pixel = PixelWave {
            exec: pack.exec,
            prim_mask: pack.prim_mask,
            position,
            front: pack.front,
            centres: &pack.planes.spots,
            centroids: &pack.planes.spots,
            samples: &pack.planes.spots,
            coverage: coverage.as_ref(),
            ancillary: 0,
        };
        stage.inputs.start(
            stage.level,
            &stage.launch,
            planes,
            &pixel,
            &mut self.wave,
            stage.limit,
        );
        self.run(stage, shader, unit, stats, (pack.exec, &pack.primitives))?;
        if !stage.depth.early {
            interpolate::values(stage.level, &pack.planes.z, &pack.planes.spots, &mut self.z);
        }
        let z = self.z;
        self.finish(
            stage,
            stats,
            Place::Lanes(position),
            (pack.exec, pack.front),
            pack.samples,
            |_, out| *out = z,
        );
        Ok(())
    }

    fn tile(
        &mut self,
        stage: &PixelStage,
        shader: &Shader,
        unit: &mut MemoryUnit,
        stats: &mut Stats,
        work: &TileWork,
        block: u32,
    ) -> Result<(), Trap> {
        if stage.inputs.needs_position() {
            for lane in 0..64 {
                self.columns[lane] = work.x + LANE_X[lane];
                self.lines[lane] = work.y + LANE_Y[lane];
            }
        }
        let front = if work.front { u64::MAX } else { 0 };
        let coverage = self.coverage_rows(stage, &work.masks);
        let centroids;
        let places = if stage.inputs.needs_places() && stage.spots.len() > 1 {
            centroids = Spots::centroid(&stage.samples, &work.masks[..stage.spots.len()]);
            (&centroids, &stage.spots[0])
        } else {
            (&CENTRES, &CENTRES)
        };
        let pixel = PixelWave {
            exec: work.any,
            prim_mask: 0,
            position: [&self.columns, &self.lines],
            front,
            centres: &CENTRES,
            centroids: places.0,
            samples: places.1,
            coverage: coverage.as_ref(),
            ancillary: 0,
        };
        stage.inputs.start(
            stage.level,
            &stage.launch,
            plane_refs(&work.planes),
            &pixel,
            &mut self.wave,
            stage.limit,
        );
        self.run(stage, shader, unit, stats, (work.any, &[block]))?;
        self.finish(
            stage,
            stats,
            Place::Tile(work.x, work.y),
            (work.any, front),
            work.masks,
            |sample, out| {
                interpolate::values(stage.level, &work.planes.z, &stage.spots[sample], out);
            },
        );
        Ok(())
    }

    /// Covered samples of every lane, when there are several.
    fn coverage_rows(
        &mut self,
        stage: &PixelStage,
        masks: &[u64; MAX_SAMPLES],
    ) -> Option<[u32; 64]> {
        if stage.spots.len() == 1 {
            return None;
        }
        for (lane, row) in self.coverage_row.iter_mut().enumerate() {
            *row = masks.iter().enumerate().fold(0, |row, (sample, mask)| {
                row | ((mask >> lane & 1) as u32) << sample
            });
        }
        Some(self.coverage_row)
    }

    fn run(
        &mut self,
        stage: &PixelStage,
        shader: &Shader,
        unit: &mut MemoryUnit,
        stats: &mut Stats,
        (exec, primitives): (u64, &[u32]),
    ) -> Result<(), Trap> {
        self.exports.clear();
        if shader.uses_lds {
            unit.lds.fill(0);
        }
        let attributes = Attributes {
            blocks: &self.blocks,
            primitives,
            block_words: stage.map.block_words(),
        };
        let outside = Outside::new(unit, &mut self.exports, stage.formats, attributes);
        let result = shader.run(stage.engine, &mut self.wave, outside);
        stats.waves += 1;
        stats.fragment_lanes += u64::from(exec.count_ones());
        stats.instructions += self.wave.instructions;
        result
    }

    /// Late tests and colours of a wave that has ended.
    fn finish(
        &mut self,
        stage: &PixelStage,
        stats: &mut Stats,
        place: Place,
        (exec, front): (u64, u64),
        mut masks: [u64; MAX_SAMPLES],
        z: impl Fn(usize, &mut [f32; 64]),
    ) {
        let alive = exec & self.exports.valid;
        let exported = self.exports.has_depth;
        let count = stage.spots.len();
        for (sample, mask) in masks.iter_mut().enumerate().take(count) {
            *mask &= alive;
            if stage.depth.exports_mask && exported {
                let row = &self.exports.depth[2];
                for lane in interpolate::lanes(*mask) {
                    if row[lane] >> sample & 1 == 0 {
                        *mask &= !(1 << lane);
                    }
                }
            }
            if *mask == 0 {
                continue;
            }
            if !stage.depth.early && stage.depth.is_active() {
                if stage.depth.exports_depth && exported {
                    self.z = self.exports.depth[0].map(f32::from_bits);
                } else {
                    z(sample, &mut self.z);
                }
                *mask = stage.depth.run(
                    stage.level,
                    stage.memory,
                    Texels {
                        place,
                        sample,
                        mask: *mask,
                    },
                    front,
                    &self.z,
                    &mut self.depth_rows,
                );
            }
            if !stage.depth.early || !stage.depth.counts_early {
                stats.samples_passed += u64::from(mask.count_ones());
            }
            for target in &stage.targets {
                target.write(
                    stage.level,
                    stage.memory,
                    Texels {
                        place,
                        sample,
                        mask: *mask,
                    },
                    &self.exports,
                    &mut self.color_rows,
                );
            }
        }
    }
}

fn passed(masks: &[u64]) -> u64 {
    masks.iter().map(|mask| u64::from(mask.count_ones())).sum()
}

/// Quads with a covered lane, one bit each.
fn quads_of(mask: u64) -> u64 {
    let any = (mask | mask >> 1 | mask >> 2 | mask >> 3) & 0x1111_1111_1111_1111;
    // Gathers every fourth bit.
    let pairs = (any | any >> 3) & 0x0303_0303_0303_0303;
    let fours = (pairs | pairs >> 6) & 0x000f_000f_000f_000f;
    let eights = (fours | fours >> 12) & 0x0000_00ff_0000_00ff;
    (eights | eights >> 24) & 0xffff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quads_of_a_mask() {
        assert_eq!(quads_of(u64::MAX), 0xffff);
        assert_eq!(quads_of(0), 0);
        for quad in 0..16 {
            for lane in 0..4 {
                assert_eq!(quads_of(1 << (4 * quad + lane)), 1 << quad);
            }
        }
        assert_eq!(quads_of(0x8000_0000_0100_0020), 1 << 15 | 1 << 6 | 1 << 1);
    }
}
