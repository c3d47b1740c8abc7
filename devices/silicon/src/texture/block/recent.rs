//! A small cache of decoded blocks.

/// Blocks that are kept. Neighbours in memory have places of their own.
const PLACES: usize = 16;
/// An offset that no block has, as blocks are at least eight bytes.
const NONE: u32 = u32::MAX;

/// The last decoded blocks of 4 by 4 texels of one texture, by their offsets. Kept no longer than an instruction runs,
/// so that it sees what memory holds.
pub struct Recent {
    offsets: [u32; PLACES],
    texels: [[[u32; 4]; 16]; PLACES],
}

impl Default for Recent {
    fn default() -> Recent {
        Recent {
            offsets: [NONE; PLACES],
            texels: [[[0; 4]; 16]; PLACES],
        }
    }
}

impl Recent {
    /// The texels of the block at `offset`, of `bytes` bytes (a power of two); `decode` gives them if they are not
    /// here.
    pub fn block(
        &mut self,
        offset: u32,
        bytes: u32,
        decode: impl FnOnce() -> [[u32; 4]; 16],
    ) -> &[[u32; 4]; 16] {
        let place = (offset >> bytes.trailing_zeros()) as usize % PLACES;
        if self.offsets[place] != offset {
            self.texels[place] = decode();
            self.offsets[place] = offset;
        }
        &self.texels[place]
    }
}
