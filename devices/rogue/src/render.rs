//! A render: what all tiles share, and the pixel phase over the tiles. [Rogue 15.1]

use std::sync::Arc;

use lanes::DefaultEngine;
use silicon::fragment::bins::{Bins, Threads};
use silicon::fragment::tile::Rect;
use silicon::host::SimdLevel;
use silicon::{Memory, Trap};

use crate::isp::{SamplePlaces, Tile, TileWorker};
use crate::lot::Lot;
use crate::pbe::Target;
use crate::state::PixelState;
use crate::stream::Clear;
use crate::tile::{Region, TileMemory};
use crate::tiler::ParameterBuffer;
use crate::usc::SCRATCH_WAVES;
use crate::zls::Zls;

/// What an entry of a tile's stream draws.
pub enum Item {
    /// Primitives.
    Draw(Box<PixelState>),
    /// A cleared rectangle.
    Clear(Rect, Clear),
}

/// How the pixel phase runs.
#[derive(Clone, Copy)]
struct Phase {
    /// Tiles go on later.
    partial: bool,
    /// Depth or stencil are asked for.
    tests: bool,
}

/// What all tiles of a render share.
pub struct Render {
    /// Video memory.
    pub memory: Memory,
    /// Vector instructions of the host.
    pub level: SimdLevel,
    /// Runs programs.
    pub engine: Arc<DefaultEngine>,
    /// What one wave may cost.
    pub limit: u64,
    /// States of the draws, and clears, in order.
    pub items: Vec<Item>,
    /// Samples.
    pub places: SamplePlaces,
    /// Pixels.
    pub area: Rect,
    /// Tiles of all layers.
    pub bins: Bins,
    /// Colour targets; absent ones hold no registers.
    pub targets: Vec<Option<Target>>,
    /// Depth and stencil in memory.
    pub zls: Zls,
    /// Output registers in use.
    pub registers: usize,
    /// A shader stores to memory: tiles are drawn in order, by one thread.
    pub serial: bool,
}

impl Render {
    /// First output register of a target, and how many it has.
    pub fn registers_of(&self, target: u32) -> (usize, usize) {
        let target = self.targets.get(target as usize).and_then(Option::as_ref);
        target.map_or((0, 0), |target| {
            (target.first, target.kept.registers as usize)
        })
    }

    /// What pixels hold in a word, as a program reads it.
    pub fn read(&self, (lot, tile): (&Lot, &TileMemory), word: usize, row: &mut [u32; 64]) {
        if word >= tile.registers() {
            return;
        }
        lot.read(tile, word, row);
        for target in self.targets.iter().flatten() {
            if let Some(component) = target.rounds(word) {
                target.round(self.level, component, row);
            }
        }
    }

    /// Runs the pixel phase: all of it, or in part, after which the tiles go on where they were. `kept` is what is on the
    /// chip of tiles that partial renders have begun.
    pub fn run(
        &self,
        threads: &Threads,
        workers: &mut [TileWorker],
        buffer: &ParameterBuffer,
        kept: &mut Vec<Option<Box<TileMemory>>>,
        partial: bool,
    ) -> Result<(), Trap> {
        kept.resize_with(self.bins.count(), || None);
        let scratch = self.items.iter().any(|item| match item {
            Item::Draw(state) => state
                .program
                .as_ref()
                .is_some_and(|found| found.uses_scratch()),
            Item::Clear(..) => false,
        });
        let most = match (self.serial, scratch) {
            (true, _) => 1,
            (_, true) => SCRATCH_WAVES.min(workers.len()),
            _ => workers.len(),
        };
        let workers = &mut workers[..most];
        let phase = Phase {
            partial,
            tests: self.tests(),
        };
        threads.chunks(kept, workers, |index, kept, worker| {
            self.tile(worker, buffer, (index, phase), kept)
        })
    }

    /// Whether a draw asks for depth or stencil, or memory gets them.
    fn tests(&self) -> bool {
        let tests = |item: &Item| match item {
            Item::Draw(state) => state
                .tests
                .iter()
                .any(|tests| tests.depth.is_some() || tests.stencil.is_some()),
            Item::Clear(..) => false,
        };
        self.zls.stored() || self.items.iter().any(tests)
    }

    fn tile(
        &self,
        worker: &mut TileWorker,
        buffer: &ParameterBuffer,
        (index, phase): (usize, Phase),
        kept: &mut Option<Box<TileMemory>>,
    ) -> Result<(), Trap> {
        let (empty, partial) = (buffer.is_empty(index as u32), phase.partial);
        if empty && (partial || kept.is_none() && !self.moves()) {
            return Ok(());
        }
        let region = Region::from(self.bins.bin(index));
        worker
            .tile
            .resize(self.places.samples.count(), self.registers);
        let mut targets = self.targets.iter().flatten();
        if empty && kept.is_none() && !self.zls.moves() && targets.all(Target::is_plain) {
            for target in self.targets.iter().flatten() {
                target.store_clear(self.level, &self.memory, region, worker);
            }
            return Ok(());
        }
        match kept.take() {
            Some(kept) => worker.tile.copy_from(&kept),
            None => self.load(worker, region, partial || phase.tests),
        }
        if !empty {
            worker.stats.bins += 1;
            let mut tile = Tile::begin(self, worker, region);
            for entry in buffer.entries(index as u32) {
                tile.entry(&self.memory, entry)?;
            }
            tile.end(&self.memory)?;
        }
        match partial {
            true => *kept = Some(Box::new(worker.tile.kept())),
            false => self.store(worker, region),
        }
        Ok(())
    }

    /// Whether tiles without primitives change memory.
    fn moves(&self) -> bool {
        let targets = self.targets.iter().flatten();
        targets.into_iter().any(Target::moves) || self.zls.moves()
    }

    /// Fills a tile; depth and stencil if anybody asks for them.
    fn load(&self, worker: &mut TileWorker, region: Region, tests: bool) {
        for target in self.targets.iter().flatten() {
            target.load(self.level, &self.memory, region, worker);
        }
        if tests {
            self.zls.load(&self.memory, region, worker);
        }
    }

    fn store(&self, worker: &mut TileWorker, region: Region) {
        for target in self.targets.iter().flatten() {
            target.store(self.level, &self.memory, region, worker);
        }
        self.zls.store(&self.memory, region, worker);
    }
}
