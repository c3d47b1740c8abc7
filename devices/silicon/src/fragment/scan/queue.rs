//! Queues pixel waves until a wave batch is full, then shades it and writes its exports in queue order. Waves of a
//! batch may overlap on screen: each pixel still sees its primitives in order.

use super::list::{AnyWave, List, PixelWaves, Position};
use super::pack::{Pack, bit, place};
use super::{PixelShader, Scan};
use crate::fragment::interpolate::Planes;
use crate::fragment::surface::LanePixels;
use crate::gpu::Trap;

/// Queued waves.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waves: Vec<Queued>,
    /// Free packs.
    free: Vec<Box<Pack>>,
    /// Slots of tiles with queued lanes, one bit each.
    places: u64,
}

/// A queued wave: any tiles and primitives, one sample per pixel.
#[derive(Debug)]
pub(super) struct Queued {
    what: What,
    /// The last primitive when the wave was complete.
    order: u64,
}

#[derive(Debug)]
enum What {
    Tile(QueuedTile),
    Quads(Box<Pack>),
}

/// Covered lanes of a tile, one sample per pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueuedTile {
    /// The primitive's planes.
    pub(super) planes: Planes,
    /// First pixel.
    pub(super) at: [i32; 2],
    pub(super) exec: u64,
    pub(super) front: bool,
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

    /// Blocks of its primitives: see [`PixelWave::primitives`](super::PixelWave::primitives).
    pub(super) fn primitives(&self) -> &[u32] {
        match &self.what {
            What::Tile(tile) => std::slice::from_ref(&tile.block),
            What::Quads(pack) => &pack.primitives,
        }
    }

    /// The wave in a list.
    pub(super) fn wave<'a>(
        &'a self,
        list: &'a PixelWaves,
        position: &'a mut Position,
    ) -> AnyWave<'a> {
        match &self.what {
            What::Tile(tile) => {
                let lanes = (tile.at, tile.exec, tile.front);
                AnyWave::Tile(list.tile(&tile.planes, &tile.block, lanes, position))
            }
            What::Quads(pack) => AnyWave::Quads(pack.wave(list.blocks, None)),
        }
    }
}

impl Queue {
    /// Empties the queue.
    pub(super) fn clear(&mut self) {
        self.places = 0;
        for queued in self.waves.drain(..) {
            if let What::Quads(mut pack) = queued.what {
                pack.clear();
                self.free.push(pack);
            }
        }
    }

    /// An empty pack.
    pub(super) fn pack(&mut self) -> Box<Pack> {
        self.free.pop().unwrap_or_default()
    }

    /// Whether a tile has queued lanes. Tiles may share a bit, so the answer may be a false yes.
    pub(super) fn waits(&self, [x, y]: [i32; 2]) -> bool {
        self.places & bit(place(x, y)) != 0
    }
}

impl<S: PixelShader> Scan<'_, S> {
    /// Queues lanes of a tile.
    pub(super) fn queue_tile(&mut self, shader: &S, tile: QueuedTile) -> Result<(), Trap> {
        let [x, y] = tile.at;
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
        if self.pixels.queue.waves.is_empty() {
            return Ok(());
        }
        let mut queue = std::mem::take(&mut self.pixels.queue);
        let list = List::Queued(&queue.waves);
        let lanes = |wave: usize| queue.waves[wave].exec();
        let (ended, result) = self.run(shader, list, lanes);
        for (wave, queued) in queue.waves[..ended].iter().enumerate() {
            self.finish_queued(wave, queued);
        }
        if result.is_err() {
            self.order = queue.waves[ended].order;
        }
        queue.clear();
        self.pixels.queue = queue;
        result
    }

    fn finish_queued(&mut self, wave: usize, queued: &Queued) {
        // No test reads depths or viewport.
        match &queued.what {
            What::Tile(tile) => {
                let (place, front) = (LanePixels::Tile(tile.at[0], tile.at[1]), tile.front);
                let front = if front { u64::MAX } else { 0 };
                let lanes = (tile.exec, front, 0);
                self.finish(wave, place, lanes, &mut [tile.exec], |_, _| ());
            }
            What::Quads(pack) => {
                let place = LanePixels::Lanes([&pack.columns, &pack.lines]);
                let lanes = (pack.exec, pack.front, 0);
                self.finish(wave, place, lanes, &mut [pack.exec], |_, _| ());
            }
        }
    }
}
