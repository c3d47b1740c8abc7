//! Batches of primitives to blocks of the parameter buffer. [Rogue 15.3]

use silicon::geometry::binning::BinnedPrimitives;

use crate::tiler::{Block, ParameterBuffer};

/// Room to sort the primitives of a batch into blocks.
#[derive(Default)]
pub struct Sorter {
    block: Block,
    /// Block and number in it of every primitive of a run.
    places: Vec<(u32, u32)>,
    /// For each block, the tiles with the mask of its primitives.
    tiles: Vec<Vec<(u32, u32)>>,
    /// First primitive of each block.
    starts: Vec<usize>,
}

impl Sorter {
    /// Puts the primitives of a batch into the parameter buffer. `full` makes room, or says that there is none.
    pub fn sort<E>(
        &mut self,
        primitives: &BinnedPrimitives,
        (state, stride): (u16, usize),
        tiles: usize,
        buffer: &mut ParameterBuffer,
        mut full: impl FnMut(&mut ParameterBuffer) -> Result<(), E>,
    ) -> Result<(), E> {
        let parameters = primitives.parameters();
        for run in primitives.runs() {
            let list = &run.primitives.list;
            let stippled = |n: usize| run.stippled.get(n).copied().unwrap_or(0);
            self.places.clear();
            self.starts.clear();
            self.block.clear();
            for (n, primitive) in list.iter().enumerate() {
                if self.starts.is_empty() || !self.block.has_room(stride) {
                    self.block.clear();
                    self.starts.push(n);
                }
                let block = self.starts.len() as u32 - 1;
                self.places.push((block, self.block.count() as u32));
                let vertices = parameters.primitives[primitive.id as usize].vertices;
                let stippled = stippled(n);
                self.block
                    .push((primitive, stippled), vertices, &run.primitives.corners);
            }
            if self.tiles.len() < self.starts.len() {
                self.tiles.resize_with(self.starts.len(), Vec::new);
            }
            self.tiles.iter_mut().for_each(Vec::clear);
            for tile in 0..tiles {
                for index in run.lists.of(tile) {
                    let (block, place) = self.places[*index as usize];
                    let list = &mut self.tiles[block as usize];
                    match list.last_mut() {
                        Some((last, mask)) if *last == tile as u32 => *mask |= 1 << place,
                        _ => list.push((tile as u32, 1 << place)),
                    }
                }
            }
            for n in 0..self.starts.len() {
                if self.tiles[n].is_empty() {
                    continue;
                }
                let end = self.starts.get(n + 1).copied().unwrap_or(list.len());
                self.block.clear();
                let some = list.iter().enumerate().take(end);
                for (at, primitive) in some.skip(self.starts[n]) {
                    let vertices = parameters.primitives[primitive.id as usize].vertices;
                    self.block
                        .push((primitive, stippled(at)), vertices, &run.primitives.corners);
                }
                let count = self.block.count() as u32;
                let words = self.block.close(|vertex| {
                    let (wave, lane) = (vertex as usize / 64, vertex as usize % 64);
                    &parameters.waves[wave][lane * stride..(lane + 1) * stride]
                });
                let touched = &self.tiles[n];
                if !buffer.has_room(words.len(), touched) {
                    full(buffer)?;
                }
                if buffer.add(words, state, count, touched).is_err() {
                    // Even an empty buffer is too small.
                    full(buffer)?;
                }
            }
        }
        Ok(())
    }
}
