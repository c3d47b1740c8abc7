//! Attribute blocks of a wave of several primitives. In: parameter memory and the first word of each quad's block. Out:
//! vectors of four words of each quad's block side by side, of which any word spreads to the lanes of its quads.

use crate::geometry::attributes::ATTRIBUTE_WORDS;

/// Quads of a wave.
pub const QUADS: usize = 16;
/// Words of a vector: P0, P10 or P20 of an attribute.
pub const VECTOR: usize = 4;
/// Vectors of an attribute.
const ATTRIBUTE: usize = ATTRIBUTE_WORDS / VECTOR;
/// Lanes of a chunk: the vectors of its quads fill one row of words.
pub const CHUNK: usize = 16;

/// First words of the blocks of each quad: the next primitive begins at the quads of `starts`, one bit each, but for the
/// first quad. `u32::MAX` behind the last primitive.
#[inline]
pub fn first_words(primitives: &[u32], starts: u32) -> [u32; QUADS] {
    let mut first = [0; 2 * QUADS];
    let (mut quad, mut starts) = (0, starts & 0xfffe);
    let mut primitives = primitives.iter();
    loop {
        // A whole row from this quad on, of which later primitives replace their part.
        let block = primitives.next().copied().unwrap_or(u32::MAX);
        first[quad..quad + QUADS].copy_from_slice(&[block; QUADS]);
        if starts == 0 {
            break;
        }
        quad = starts.trailing_zeros() as usize % QUADS;
        starts &= starts - 1;
    }
    std::array::from_fn(|quad| first[quad])
}

/// A vector of the block of every quad, by chunks of lanes.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Vectors([[u32; CHUNK]; QUADS * VECTOR / CHUNK]);

impl Vectors {
    const EMPTY: Vectors = Vectors([[0; CHUNK]; QUADS * VECTOR / CHUNK]);
}

/// Vectors of the blocks of quads, by place in the block. Kept by a thread and filled for each wave.
#[derive(Debug, Default)]
pub struct QuadTable(Vec<Vectors>);

impl QuadTable {
    /// Copies vectors `from..to` of the blocks that begin at these words; zeros where they are not all in `blocks`. All
    /// that a wave reads is copied at once: wide loads then find the narrow stores done.
    #[inline(always)]
    pub fn fill(
        &mut self,
        [from, to]: [usize; 2],
        blocks: &[u32],
        first: &[u32; QUADS],
    ) -> FilledTable<'_> {
        if self.0.len() < to {
            self.0.resize(to, Vectors::EMPTY);
        }
        let vectors = &mut self.0[from..to];
        for (quad, first) in first.iter().enumerate() {
            let (chunk, at) = (quad * VECTOR / CHUNK, quad * VECTOR % CHUNK);
            let first = *first as usize + VECTOR * from;
            let Some(words) = blocks.get(first..first + VECTOR * vectors.len()) else {
                for vector in &mut *vectors {
                    vector.0[chunk][at..at + VECTOR].fill(0);
                }
                continue;
            };
            // Attributes first: a loop of their vectors alone takes longer than these.
            let (attributes, others) = vectors.as_chunks_mut::<ATTRIBUTE>();
            let words = words.as_chunks::<VECTOR>().0;
            let (of_attributes, more) = words.as_chunks::<ATTRIBUTE>();
            for (vectors, words) in attributes.iter_mut().zip(of_attributes) {
                for (vector, words) in vectors.iter_mut().zip(words) {
                    vector.0[chunk][at..at + VECTOR].copy_from_slice(words);
                }
            }
            for (vector, words) in others.iter_mut().zip(more) {
                vector.0[chunk][at..at + VECTOR].copy_from_slice(words);
            }
        }
        FilledTable(&self.0)
    }
}

/// A table that is filled for a wave.
#[derive(Clone, Copy, Debug)]
pub struct FilledTable<'a>(&'a [Vectors]);

impl<'a> FilledTable<'a> {
    /// A word of the blocks, in a filled vector.
    #[inline(always)]
    pub fn word(&self, word: usize) -> QuadWord<'a> {
        QuadWord {
            vectors: &self.0[word / VECTOR],
            component: word % VECTOR,
        }
    }
}

/// A word of every quad's block.
#[derive(Clone, Copy, Debug)]
pub struct QuadWord<'a> {
    vectors: &'a Vectors,
    component: usize,
}

impl QuadWord<'_> {
    /// Those of the lanes of a chunk.
    #[inline(always)]
    pub fn lanes(&self, chunk: usize) -> [u32; CHUNK] {
        let vectors = &self.vectors.0[chunk];
        let component = self.component % VECTOR;
        let mut lanes = [0; CHUNK];
        for (lane, word) in lanes.iter_mut().enumerate() {
            *word = vectors[lane / VECTOR * VECTOR + component];
        }
        lanes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quads_have_the_blocks_of_their_primitives() {
        let blocks = [40, 7, 90, 3];
        for starts in [0, 1, 2, 0x8000, 0x0112, 0x8888, 0xffff] {
            let mut ordinal = 0;
            for (quad, first) in first_words(&blocks, starts).into_iter().enumerate() {
                ordinal += usize::from(quad > 0 && starts >> quad & 1 == 1);
                let expected = blocks.get(ordinal).copied().unwrap_or(u32::MAX);
                assert_eq!(first, expected, "quad {quad} of {starts:#x}");
            }
        }
    }

    #[test]
    fn every_lane_gets_the_word_of_its_quad() {
        const BLOCK: usize = 24;
        let blocks: Vec<u32> = (0..5 * BLOCK as u32).map(|n| n * 3 + 1).collect();
        let first: [u32; QUADS] = std::array::from_fn(|quad| (quad * 7 % 5 * BLOCK) as u32);
        let mut table = QuadTable::default();
        // The last block is cut off behind its fifth vector.
        let blocks = &blocks[..5 * BLOCK - VECTOR];
        for [from, to] in [[0, 6], [2, 3], [5, 6], [0, 0]] {
            let filled = table.fill([from, to], blocks, &first);
            for word in VECTOR * from..VECTOR * to {
                for lane in 0..4 * QUADS {
                    let found = filled.word(word).lanes(lane / CHUNK)[lane % CHUNK];
                    let block = first[lane / 4] as usize;
                    let whole = block + VECTOR * to <= blocks.len();
                    assert_eq!(found, if whole { blocks[block + word] } else { 0 });
                }
            }
        }
    }
}
