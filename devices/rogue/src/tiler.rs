//! The tiling engine: primitives to blocks, and a control stream for every tile, in the pages of a parameter buffer.
//! [Rogue 15.3]
//!
//! Pages of 4 KiB come from a free list that goes through their first words; a page joins it as the one before it is taken. A control stream lies in chunks: PRIM words
//! with base and mask of the primitives of a block that touch the tile, LINK to the next chunk, TERM. Region headers say
//! where each stream starts. The insides of blocks are not public: these are the words of [`Block`].

mod block;

pub use block::{Block, MOST_PRIMITIVES, PRIMITIVE_WORDS, Stored};

use silicon::Memory;

/// Bytes of a page.
pub const PAGE: u64 = 4096;
/// Words of a page.
pub const PAGE_WORDS: usize = 1024;
/// Bytes of a chunk of a control stream.
const CHUNK: u64 = 128;
/// Words of a PRIM entry: its word, the base and the mask.
const ENTRY_WORDS: u64 = 3;

/// Control-stream words.
mod word {
    /// A block. Bits 25:19 are how many primitives, less one, 18:17 the form of the mask (3 for all), 15:0 the state.
    pub const PRIM: u32 = 0;
    /// Goes on at the address in bits 29:3.
    pub const LINK: u32 = 2 << 30;
    /// The end.
    pub const TERM: u32 = 3 << 30;
}

/// Where the parameter buffer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// First page.
    pub base: u64,
    /// Pages.
    pub pages: u32,
    /// Region headers, a word a tile.
    pub regions: u64,
    /// Tiles.
    pub tiles: u32,
}

/// The parameter buffer does not have the pages that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// The parameter buffer of a render.
#[derive(Clone, Debug)]
pub struct ParameterBuffer {
    memory: Memory,
    place: Place,
    /// Number of the first free page, and how many are free.
    free: u32,
    left: u32,
    /// Page of blocks, and its words in use.
    blocks: Option<(u64, usize)>,
    /// Page of chunks, and its bytes in use.
    chunks: Option<(u64, u64)>,
    /// Where the next word of each stream goes; 0 where there is none.
    next: Vec<u64>,
    /// The tiles that are touched.
    pub touched: u64,
}

impl ParameterBuffer {
    /// An empty one, or why it lies nowhere.
    pub fn new(memory: &Memory, place: Place) -> Result<ParameterBuffer, String> {
        let Place { base, pages, .. } = place;
        let end = base.saturating_add(PAGE * u64::from(pages));
        let regions_end = place.regions.saturating_add(4 * u64::from(place.tiles));
        if !base.is_multiple_of(PAGE) || base >> 32 != 0 || end > memory.size() || pages == 0 {
            return Err(format!("a parameter buffer of {pages} pages at {base:#x}"));
        }
        if !place.regions.is_multiple_of(4) || regions_end > memory.size() {
            let (tiles, at) = (place.tiles, place.regions);
            return Err(format!("region headers of {tiles} tiles at {at:#x}"));
        }
        let mut buffer = ParameterBuffer {
            memory: memory.clone(),
            place,
            free: 0,
            left: 0,
            blocks: None,
            chunks: None,
            next: Vec::new(),
            touched: 0,
        };
        buffer.reset();
        Ok(buffer)
    }

    /// Gives all pages back and empties all tiles.
    pub fn reset(&mut self) {
        let Place { base, pages, .. } = self.place;
        self.put(base, 1);
        (self.free, self.left) = (0, pages);
        (self.blocks, self.chunks) = (None, None);
        self.next.clear();
        self.next.resize(self.place.tiles as usize, 0);
        self.touched = 0;
        for tile in 0..u64::from(self.place.tiles) {
            self.put(self.place.regions + 4 * tile, word::TERM);
        }
    }

    /// Pages in use.
    pub fn used(&self) -> u32 {
        self.place.pages - self.left
    }

    fn put(&self, at: u64, value: u32) {
        let done = self.memory.store(at, value);
        debug_assert!(done.is_some(), "checked when the buffer was made");
    }

    fn page(&mut self) -> Result<u64, Full> {
        if self.left == 0 {
            return Err(Full);
        }
        let page = self.place.base + PAGE * u64::from(self.free);
        let last = self.place.pages - 1;
        self.free = self.memory.load(page).unwrap_or(0).min(last);
        if self.left > 1 {
            let next = self.place.base + PAGE * u64::from(self.free);
            self.put(next, self.free + 1);
        }
        self.left -= 1;
        Ok(page)
    }

    /// Whether a block and a word for each of these tiles find room.
    pub fn has_room(&self, words: usize, tiles: &[(u32, u32)]) -> bool {
        let full = self
            .blocks
            .is_none_or(|(_, used)| used + words > PAGE_WORDS);
        let pages = u32::from(full);
        let chunks = tiles
            .iter()
            .filter(|(tile, _)| self.needs_chunk(*tile))
            .count() as u64;
        let here = self.chunks.map_or(0, |(_, used)| (PAGE - used) / CHUNK);
        let more = chunks.saturating_sub(here).div_ceil(PAGE / CHUNK);
        u64::from(pages) + more <= u64::from(self.left)
    }

    /// Entries leave room for a link.
    fn needs_chunk(&self, tile: u32) -> bool {
        let next = self.next[tile as usize];
        next == 0 || next % CHUNK + 4 * (ENTRY_WORDS + 1) > CHUNK
    }

    /// Stores a block of a state; `tiles` are those that it touches, each with a mask of its primitives.
    pub fn add(
        &mut self,
        words: &[u32],
        state: u16,
        count: u32,
        tiles: &[(u32, u32)],
    ) -> Result<(), Full> {
        if !self.has_room(words.len(), tiles) {
            return Err(Full);
        }
        let (page, used) = match self.blocks {
            Some((page, used)) if used + words.len() <= PAGE_WORDS => (page, used),
            _ => (self.page()?, 0),
        };
        let base = page + 4 * used as u64;
        // The next one starts at a multiple of four words.
        self.blocks = Some((page, used + words.len().next_multiple_of(4)));
        let (quads, rest) = words.as_chunks();
        for (at, quad) in (base..).step_by(16).zip(quads) {
            let done = self.memory.store_quad(at, quad);
            debug_assert!(done.is_some(), "a page is inside memory");
        }
        for (at, word) in (base + 16 * quads.len() as u64..).step_by(4).zip(rest) {
            self.put(at, *word);
        }
        let head = word::PRIM | (count - 1) << 19 | 3 << 17 | u32::from(state);
        for (tile, mask) in tiles {
            let at = self.entry(*tile)?;
            self.put(at, head);
            self.put(at + 4, base as u32);
            self.put(at + 8, *mask);
            self.put(at + 12, word::TERM);
            self.next[*tile as usize] = at + 4 * ENTRY_WORDS;
        }
        Ok(())
    }

    /// Where the next entry of a tile goes.
    fn entry(&mut self, tile: u32) -> Result<u64, Full> {
        let next = self.next[tile as usize];
        if !self.needs_chunk(tile) {
            return Ok(next);
        }
        let (page, used) = match self.chunks {
            Some((page, used)) if used < PAGE => (page, used),
            _ => (self.page()?, 0),
        };
        self.chunks = Some((page, used + CHUNK));
        let chunk = page + used;
        let link = word::LINK | chunk as u32 >> 3;
        match next {
            0 => {
                self.touched += 1;
                self.put(self.place.regions + 4 * u64::from(tile), link);
            }
            at => self.put(at, link),
        }
        Ok(chunk)
    }

    /// Whether no primitive touches a tile.
    pub fn is_empty(&self, tile: u32) -> bool {
        self.next[tile as usize] == 0
    }

    /// The entries of a tile in order.
    pub fn entries(&self, tile: u32) -> Entries<'_> {
        Entries {
            memory: &self.memory,
            at: self.place.regions + 4 * u64::from(tile),
        }
    }
}

/// A block in the stream of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Number of the state.
    pub state: u16,
    /// Byte address of the block.
    pub base: u64,
    /// Its primitives that touch the tile.
    pub mask: u32,
}

/// The entries of a tile.
pub struct Entries<'a> {
    memory: &'a Memory,
    at: u64,
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        loop {
            let head = self.memory.load(self.at)?;
            match head & 3 << 30 {
                word::PRIM => {
                    let base = self.memory.load(self.at + 4)?;
                    let mask = self.memory.load(self.at + 8)?;
                    self.at += 4 * ENTRY_WORDS;
                    return Some(Entry {
                        state: head as u16,
                        base: base.into(),
                        mask,
                    });
                }
                word::LINK => self.at = u64::from(head & !(3 << 30)) << 3,
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn buffer(pages: u32) -> ParameterBuffer {
        let memory = Memory::new(1 << 20);
        let place = Place {
            base: 0x10000,
            pages,
            regions: 0x1000,
            tiles: 6,
        };
        ParameterBuffer::new(&memory, place).unwrap()
    }

    #[test]
    fn streams_keep_the_order_of_blocks() {
        let mut buffer = buffer(20);
        let mut expected = Vec::new();
        for n in 0..50u32 {
            let block = vec![n; 100];
            buffer
                .add(&block, n as u16, 3, &[(1, n + 1), (4, 7)])
                .unwrap();
            expected.push((n as u16, n + 1));
        }
        let found: Vec<(u16, u32)> = buffer.entries(1).map(|e| (e.state, e.mask)).collect();
        assert_eq!(found, expected);
        assert!(
            buffer
                .entries(4)
                .all(|e| buffer.memory.load(e.base) == Some(e.state.into()))
        );
        assert_eq!(buffer.entries(4).count(), 50);
        assert_eq!(
            (
                buffer.entries(0).count(),
                buffer.is_empty(0),
                buffer.touched
            ),
            (0, true, 2)
        );
        // Ten blocks a page, ten entries a chunk.
        assert_eq!(buffer.used(), 5 + 1);
    }

    #[test]
    fn a_full_buffer_says_so_and_starts_again() {
        let mut buffer = buffer(2);
        let block = vec![1; 1000];
        assert_eq!(buffer.add(&block, 0, 1, &[(0, 1)]), Ok(()));
        assert_eq!(buffer.add(&block, 1, 1, &[(0, 1)]), Err(Full));
        // What failed left nothing behind.
        assert_eq!(buffer.entries(0).count(), 1);
        buffer.reset();
        assert_eq!(buffer.entries(0).count(), 0);
        assert_eq!(buffer.add(&block, 1, 1, &[(5, 1)]), Ok(()));
        assert_eq!(buffer.entries(5).next().map(|e| e.state), Some(1));
    }

    #[test]
    fn pages_lie_in_memory() {
        let memory = Memory::new(1 << 16);
        let place = Place {
            base: 0x8000,
            pages: 9,
            regions: 0,
            tiles: 1,
        };
        assert!(ParameterBuffer::new(&memory, place).is_err());
        assert!(ParameterBuffer::new(&memory, Place { pages: 8, ..place }).is_ok());
        assert!(
            ParameterBuffer::new(
                &memory,
                Place {
                    base: 0x100,
                    ..place
                }
            )
            .is_err()
        );
    }
}
