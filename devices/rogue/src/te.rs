//! Batches of primitives to blocks of the parameter buffer. [Rogue 15.3]

use silicon::fragment::bins::Lists;
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
    /// Words of all blocks of a run.
    words: Vec<u32>,
    /// Where those of each block end, and how many primitives it has.
    ends: Vec<(usize, u32)>,
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
        let words_of = |vertex: u32| {
            let (wave, lane) = (vertex as usize / 64, vertex as usize % 64);
            &parameters.waves[wave][lane * stride..(lane + 1) * stride]
        };
        for run in primitives.runs() {
            self.places.clear();
            self.words.clear();
            self.ends.clear();
            self.block.clear();
            for (n, primitive) in run.primitives.list.iter().enumerate() {
                if !self.block.has_room(stride) {
                    self.close(words_of);
                }
                let place = (self.ends.len() as u32, self.block.count() as u32);
                self.places.push(place);
                let vertices = parameters.primitives[primitive.id as usize].vertices;
                let stippled = run.stippled.get(n).copied().unwrap_or(0);
                self.block
                    .push((primitive, stippled), vertices, &run.primitives.corners);
            }
            self.close(words_of);
            self.touch(run.lists, tiles);
            let mut first = 0;
            for ((end, count), touched) in self.ends.iter().zip(&self.tiles) {
                let words = &self.words[first..*end];
                first = *end;
                if touched.is_empty() {
                    continue;
                }
                if !buffer.has_room(words.len(), touched) {
                    full(buffer)?;
                }
                if buffer.add(words, state, *count, touched).is_err() {
                    // Even an empty buffer is too small.
                    full(buffer)?;
                }
            }
        }
        Ok(())
    }

    /// Ends the block, and begins another.
    fn close<'a>(&mut self, words_of: impl Fn(u32) -> &'a [u32]) {
        let count = self.block.count() as u32;
        if count > 0 {
            self.block.close(words_of, &mut self.words);
            self.ends.push((self.words.len(), count));
        }
        self.block.clear();
    }

    /// Finds the tiles that each block touches.
    fn touch(&mut self, lists: &Lists, tiles: usize) {
        if self.tiles.len() < self.ends.len() {
            self.tiles.resize_with(self.ends.len(), Vec::new);
        }
        self.tiles.iter_mut().for_each(Vec::clear);
        for tile in 0..tiles {
            for index in lists.of(tile) {
                let (block, place) = self.places[*index as usize];
                let list = &mut self.tiles[block as usize];
                match list.last_mut() {
                    Some((last, mask)) if *last == tile as u32 => *mask |= 1 << place,
                    _ => list.push((tile as u32, 1 << place)),
                }
            }
        }
    }
}
