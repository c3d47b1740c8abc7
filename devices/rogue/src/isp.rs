//! The image synthesis processor: hidden surfaces are removed before anything is shaded. [Rogue 15.5]
//!
//! Opaque objects leave tags; what they hide is never shaded. A translucent object shades what is seen below it first. A
//! punch-through object, or one with depth feedback, is shaded at once, as its program says which pixels there are; later
//! objects wait for it where they meet.

mod clear;
mod waves;

use silicon::fragment::depth;
use silicon::fragment::interpolate::{self, InTile, Planes, SamplePositions};
use silicon::fragment::multisample::Samples;
use silicon::fragment::raster::{Coverage, rasterize};
use silicon::fragment::stencil::{DepthStencil, Facing};
use silicon::host::SimdLevel;
use silicon::{Memory, Stats, Trap};

use crate::lot::Lot;
use crate::regs::pass_type;
use crate::render::{Item, Render};
use crate::shade::Shader;
use crate::state::{GRID, PixelState};
use crate::tile::{PARTS, Region, SAMPLES, TileMemory, part_of};
use crate::tiler::{Entry, Stored};
use crate::tsp::Object;

/// What a thread keeps to draw tiles.
#[derive(Default)]
pub struct TileWorker {
    /// On the chip.
    pub tile: TileMemory,
    /// What the tile shows.
    objects: Vec<Object>,
    coefficients: Vec<u32>,
    coverage: Coverage,
    /// Waves to run, in order: the first so many, those behind them are kept for the space.
    queue: (Vec<Lot>, usize),
    /// A wave that is being filled.
    open: Option<Lot>,
    /// Lanes of each part and sample in waves to run.
    pending: Vec<[u64; SAMPLES]>,
    /// Parts where depths wait for a program.
    waiting: u16,
    /// Texels of a part, sample by sample, on their way to memory.
    pub texels: Vec<[[u32; 64]; 4]>,
    /// Words of the texels of all parts, on the same way.
    pub rows: [Vec<[u32; 64]>; 4],
    /// Counts by the addresses of their counters.
    pub counted: Vec<(u64, u64)>,
    /// Runs programs.
    pub shader: Shader,
    /// What the thread counts.
    pub stats: Stats,
}

/// Samples of a render.
#[derive(Clone, Debug)]
pub struct SamplePlaces {
    /// Positions.
    pub samples: Samples,
    /// Where each is in every lane of a part.
    pub positions: Vec<SamplePositions>,
}

impl SamplePlaces {
    /// Of so many samples. [Rogue 15.5 MSAA]
    pub fn new(count: u32) -> SamplePlaces {
        let samples = Samples::standard(count);
        let positions = (0..samples.count()).map(|n| SamplePositions::sample(&samples, n));
        SamplePlaces {
            positions: positions.collect(),
            samples,
        }
    }
}

/// A tile at work.
pub struct Tile<'a> {
    /// What all tiles share.
    pub render: &'a Render,
    /// What the thread keeps.
    pub worker: &'a mut TileWorker,
    /// Where it is.
    pub region: Region,
}

impl<'a> Tile<'a> {
    /// Begins a tile; what is on the chip stays.
    pub fn begin(render: &'a Render, worker: &'a mut TileWorker, region: Region) -> Tile<'a> {
        worker.objects.clear();
        worker.coefficients.clear();
        worker.queue.1 = 0;
        worker.open = None;
        worker.pending.clear();
        worker.pending.resize(PARTS, [0; SAMPLES]);
        worker.waiting = 0;
        // The tile before this one may have stopped at a trap.
        worker.tile.clear_all_tags();
        Tile {
            render,
            worker,
            region,
        }
    }

    fn level(&self) -> SimdLevel {
        self.render.level
    }

    /// Draws the primitives of a block.
    pub fn entry(&mut self, memory: &Memory, entry: Entry) -> Result<(), Trap> {
        let render = self.render;
        match &render.items[usize::from(entry.state)] {
            Item::Clear(rect, clear) => self.clear(*rect, *clear),
            Item::Draw(state) => {
                let mut mask = entry.mask;
                while mask != 0 {
                    let number = mask.trailing_zeros();
                    mask &= mask - 1;
                    let stored = Stored::read(memory, entry.base, number);
                    self.primitive(memory, (entry.state, state), stored)?;
                }
                Ok(())
            }
        }
    }

    fn primitive(
        &mut self,
        memory: &Memory,
        (number, state): (u16, &'a PixelState),
        stored: Stored,
    ) -> Result<(), Trap> {
        let render = self.render;
        let viewport = usize::from(stored.primitive.viewport);
        let scissor = state.scissors.get(viewport).copied().unwrap_or_default();
        let area = self.region.area.intersect(scissor);
        let mut coverage = std::mem::take(&mut self.worker.coverage);
        coverage.clear();
        let places = &render.places;
        rasterize(
            self.level(),
            GRID,
            &stored.primitive,
            area,
            &places.samples,
            &mut coverage,
        );
        if let Some(stipple) = &state.stipple {
            let samples = &places.samples;
            stipple.cut(
                GRID,
                &stored.primitive,
                stored.stippled,
                samples,
                &mut coverage,
            );
        }
        self.worker.stats.bin_entries += 1;
        self.worker.stats.tiles += coverage.tiles.len() as u64;
        let result = match coverage.tiles.is_empty() {
            true => Ok(()),
            false => self.covered(memory, (number, state), stored, &coverage),
        };
        self.worker.coverage = coverage;
        result
    }

    fn covered(
        &mut self,
        memory: &Memory,
        (number, state): (u16, &'a PixelState),
        stored: Stored,
        coverage: &Coverage,
    ) -> Result<(), Trap> {
        let render = self.render;
        let weights = [stored.weights(memory)];
        let object = Object {
            state: number,
            planes: Planes::new(GRID, &stored.primitive, &weights),
            stored,
            coefficients: None,
        };
        let viewport = usize::from(stored.primitive.viewport).min(state.tests.len() - 1);
        let count = self.worker.tile.samples();
        let late = matches!(
            state.pass_type,
            pass_type::PUNCH_THROUGH | pass_type::DEPTH_FEEDBACK
        );
        let mut index = None;
        for (n, covered) in coverage.tiles.iter().enumerate() {
            let mut masks = [0; SAMPLES];
            masks[..count].copy_from_slice(coverage.samples_of(n, &render.places.samples));
            for (sample, mask) in masks.iter_mut().enumerate() {
                if state.sample_mask >> sample & 1 == 0 {
                    *mask = 0;
                }
            }
            let masks = &mut masks[..count];
            let part = part_of(covered.x, covered.y);
            if self.worker.waiting >> part & 1 == 1 {
                self.drain(memory)?;
            }
            if state.pass_type != pass_type::DEPTH_FEEDBACK {
                let tests = if late { &state.looks } else { &state.tests };
                let at = [covered.x, covered.y];
                self.test(&tests[viewport], &object, (at, part), masks, None);
            }
            if masks.iter().all(|mask| *mask == 0) {
                continue;
            }
            if !late {
                self.count(state, masks);
            }
            if state.program.is_none() {
                if late {
                    let at = [covered.x, covered.y];
                    self.test(&state.tests[viewport], &object, (at, part), masks, None);
                    self.count(state, masks);
                }
                continue;
            }
            let index = *index.get_or_insert_with(|| {
                self.worker.objects.push(object);
                (self.worker.objects.len() - 1) as u32
            });
            if state.pass_type == pass_type::OPAQUE && self.hides(state) {
                let level = self.level();
                self.worker.tile.tag(level, part, index + 1, masks);
                continue;
            }
            if self.worker.tile.is_tagged(part) {
                self.flush_part(memory, part)?;
            }
            self.emit(memory, index, part, masks)?;
            if late {
                self.worker.waiting |= 1 << part;
            }
        }
        Ok(())
    }

    /// Whether nothing is left of what was there before an object.
    fn hides(&self, state: &PixelState) -> bool {
        let registers = self.worker.tile.registers();
        state
            .program
            .as_ref()
            .is_some_and(|program| program.hides(registers))
            && !state.side_effects
    }

    fn count(&mut self, state: &PixelState, masks: &[u64]) {
        let passed = masks.iter().map(|mask| u64::from(mask.count_ones())).sum();
        self.worker.count(state, passed);
    }

    /// Tests the lanes of each sample; the masks keep those that pass. Depths are the plane's, or those of a row.
    fn test(
        &mut self,
        tests: &DepthStencil,
        object: &Object,
        (at, part): ([i32; 2], usize),
        masks: &mut [u64],
        depths: Option<&[u32; 64]>,
    ) {
        let render = self.render;
        if tests.depth.is_none() && tests.stencil.is_none() {
            return;
        }
        let front = if object.stored.primitive.front {
            u64::MAX
        } else {
            0
        };
        let tile = &mut self.worker.tile;
        let (mut z, mut new) = ([0.0; 64], [0; 64]);
        for (sample, mask) in masks.iter_mut().enumerate() {
            if *mask == 0 {
                continue;
            }
            if let Some(state) = &tests.depth {
                match depths {
                    Some(row) => z = row.map(f32::from_bits),
                    None => {
                        let plane = InTile {
                            plane: &object.planes.z,
                            x: at[0],
                            y: at[1],
                        };
                        interpolate::values(
                            render.level,
                            plane,
                            &render.places.positions[sample],
                            &mut z,
                        );
                    }
                }
                depth::encode(render.level, state, &z, &mut new);
            }
            let row = tile.row(part, sample);
            let (depth, stencil) = (&mut tile.depth[row], &mut tile.stencil[row]);
            let facing = Facing::of(front);
            *mask = tests.run(render.level, *mask, facing, &new, depth, stencil);
        }
    }
}

impl TileWorker {
    /// Of a thread.
    pub fn new(slot: usize) -> TileWorker {
        let mut worker = TileWorker::default();
        worker.shader.slot = slot;
        worker
    }

    fn count(&mut self, state: &PixelState, passed: u64) {
        self.stats.samples_passed += passed;
        if let Some(at) = state.visibility.filter(|_| passed > 0) {
            self.add(at, passed);
        }
    }

    /// Adds to the counter at an address, once the render ends.
    fn add(&mut self, at: u64, more: u64) {
        match self.counted.iter_mut().find(|(known, _)| *known == at) {
            Some((_, count)) => *count += more,
            None => self.counted.push((at, more)),
        }
    }
}
