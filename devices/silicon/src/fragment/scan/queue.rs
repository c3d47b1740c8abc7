//! Queues pixel waves until a wave batch is full, then shades it and writes its exports in queue order. Waves of a
//! batch may overlap on screen: each pixel still sees its primitives in order.

use super::late::{FinishedTiles, LatePlanes};
use super::list::{AnyWave, List, PixelWaves, WaveRows};
use super::pack::{Pack, bit, place};
use super::{Drawn, MAX_SAMPLES, PixelShader, Scan, TileLanes};
use crate::fragment::interpolate::Planes;
use crate::fragment::surface::LanePixels;
use crate::gpu::Trap;

/// Queued waves.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waves: Vec<Queued>,
    /// Free packs and tiles.
    #[expect(clippy::vec_box, reason = "boxes go from here into waves and back")]
    free: Vec<Box<Pack>>,
    #[expect(clippy::vec_box, reason = "boxes go from here into waves and back")]
    free_tiles: Vec<Box<QueuedTile>>,
    /// Slots of tiles with queued lanes, one bit each.
    places: u64,
}

/// A queued wave: any tiles and primitives.
#[derive(Debug)]
pub(super) struct Queued {
    what: What,
    /// The last primitive when the wave was complete.
    order: u64,
}

#[derive(Debug)]
enum What {
    Tile(Box<QueuedTile>),
    Quads(Box<Pack>),
}

/// Covered lanes of a tile.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct QueuedTile {
    /// The primitive's planes.
    pub(super) planes: Planes,
    /// First pixel.
    pub(super) at: [i32; 2],
    pub(super) exec: u64,
    /// Lanes of each sample that there is.
    pub(super) masks: [u64; MAX_SAMPLES],
    /// The same before tests that only reject.
    pub(super) covered: [u64; MAX_SAMPLES],
    /// The sample that is shaded, in per-sample shading.
    pub(super) sample: Option<u8>,
    pub(super) front: bool,
    pub(super) viewport: u8,
    /// Block of the primitive.
    pub(super) block: u32,
}

impl Queued {
    fn exec(&self) -> u64 {
        match &self.what {
            What::Tile(tile) => tile.exec,
            What::Quads(pack) => pack.exec,
        }
    }

    fn sample(&self) -> Option<usize> {
        match &self.what {
            What::Tile(tile) => tile.sample.map(usize::from),
            What::Quads(_) => None,
        }
    }

    /// Blocks of its primitives: see [`PixelWave::primitives`](super::PixelWave::primitives).
    pub(super) fn primitives(&self) -> &[u32] {
        match &self.what {
            What::Tile(tile) => std::slice::from_ref(&tile.block),
            What::Quads(pack) => pack.primitives(),
        }
    }

    /// The wave in a list.
    pub(super) fn wave<'a>(&'a self, list: &'a PixelWaves, rows: &'a mut WaveRows) -> AnyWave<'a> {
        match &self.what {
            What::Tile(tile) => AnyWave::Tile(list.tile(tile, rows)),
            What::Quads(pack) => AnyWave::Quads(list.quads(pack, rows)),
        }
    }
}

impl Queue {
    /// Empties the queue.
    pub(super) fn clear(&mut self) {
        self.places = 0;
        for queued in self.waves.drain(..) {
            match queued.what {
                What::Tile(tile) => self.free_tiles.push(tile),
                What::Quads(pack) => self.free.push(pack),
            }
        }
    }

    /// An empty pack.
    pub(super) fn pack(&mut self) -> Box<Pack> {
        let mut pack = self.free.pop().unwrap_or_default();
        pack.clear();
        pack
    }

    /// Whether nothing is queued.
    pub(super) fn is_empty(&self) -> bool {
        self.waves.is_empty()
    }

    /// Whether a tile has queued lanes. Tiles may share a bit, so the answer may be a false yes.
    pub(super) fn waits(&self, [x, y]: [i32; 2]) -> bool {
        self.places & bit(place(x, y)) != 0
    }
}

/// Lanes of each sample, to be changed: mostly there is one.
enum Masks {
    One(u64),
    Several([u64; MAX_SAMPLES], usize),
}

impl Masks {
    fn of(masks: &[u64; MAX_SAMPLES], count: usize) -> Masks {
        match count {
            1 => Masks::One(masks[0]),
            _ => Masks::Several(*masks, count),
        }
    }

    fn get(&mut self) -> &mut [u64] {
        match self {
            Masks::One(mask) => std::slice::from_mut(mask),
            Masks::Several(masks, count) => &mut masks[..*count],
        }
    }
}

impl<S: PixelShader> Scan<'_, S> {
    /// Queues lanes of a tile.
    pub(super) fn queue_tile(
        &mut self,
        shader: &S,
        of: &Drawn,
        lanes: &TileLanes,
    ) -> Result<(), Trap> {
        let [x, y] = lanes.at;
        // Filled where it stays: it is larger than what a wave's other steps copy.
        let mut tile = self.pixels.queue.free_tiles.pop().unwrap_or_default();
        of.fill(&mut tile, lanes);
        self.queue(shader, What::Tile(tile), bit(place(x, y)))
    }

    /// Queues a pack and begins another.
    pub(super) fn queue_pack(&mut self, shader: &S, pack: Box<Pack>) -> Result<(), Trap> {
        self.pixels.pack = Some(self.pixels.queue.pack());
        let places = pack.places();
        self.queue(shader, What::Quads(pack), places)
    }

    fn queue(&mut self, shader: &S, what: What, places: u64) -> Result<(), Trap> {
        let (order, batch) = (self.order, self.pixels.batch);
        let queue = &mut self.pixels.queue;
        queue.places |= places;
        queue.waves.push(Queued { what, order });
        match queue.waves.len() < batch {
            true => Ok(()),
            false => self.drain(shader),
        }
    }

    /// Shades the queued waves.
    pub(super) fn drain(&mut self, shader: &S) -> Result<(), Trap> {
        if self.pixels.queue.is_empty() {
            return Ok(());
        }
        self.pixels.depth_rows.let_go();
        let mut queue = std::mem::take(&mut self.pixels.queue);
        let list = List::Queued(&queue.waves);
        let lanes = |wave: usize| queue.waves[wave].exec();
        let (ended, result) = self.run(shader, list, lanes);
        let mut drawn = FinishedTiles::default();
        // Samples one after the other: their tiles are written side by side.
        for sample in self.stage.shaded() {
            for (wave, queued) in queue.waves[..ended].iter().enumerate() {
                if queued.sample() == sample {
                    self.finish_queued(wave, queued, &mut drawn);
                }
            }
        }
        self.write_finished(&mut drawn);
        if result.is_err() {
            self.order = queue.waves[ended].order;
        }
        queue.clear();
        self.pixels.queue = queue;
        result
    }

    fn finish_queued(&mut self, wave: usize, queued: &Queued, drawn: &mut FinishedTiles) {
        let stage = self.stage;
        let count = stage.sample_positions.len();
        match &queued.what {
            What::Tile(tile) => {
                let front = if tile.front { u64::MAX } else { 0 };
                let lanes = (tile.exec, front, tile.viewport);
                let mut masks = Masks::of(&tile.masks, count);
                let masks = masks.get();
                self.finish_tile((wave, tile.at), lanes, masks, &tile.planes.z, drawn);
            }
            What::Quads(pack) => {
                self.write_finished(drawn);
                let place = LanePixels::Quads([&pack.x, &pack.y]);
                // Packed primitives share a depth range.
                let lanes = (pack.exec, pack.front, 0);
                let mut masks = Masks::of(&pack.samples, count);
                let planes = LatePlanes::Quads(pack);
                self.finish(wave, place, lanes, masks.get(), planes);
            }
        }
    }
}
