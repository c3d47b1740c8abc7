//! Where CMASK and HTILE have the element of a tile of 8x8 pixels. [TILING HTILE]
//!
//! A slice is blocks of tiles in rows. The elements of a block are dealt to the pipes that have the tiles; those of a pipe
//! go by groups of 4x4 tiles.

use crate::tiling::{PIPE_INTERLEAVE_BYTES, TileMode, pipe};

/// The mask of one slice, on a chip with eight pipes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileMask {
    /// Bits of an element.
    pub(crate) element_bits: u64,
    /// Tiles across a block and down.
    pub(crate) block: [u64; 2],
    /// Tiles from row to row, padded to blocks.
    pub(crate) pitch: u64,
    /// GB_TILE_MODE.PIPE_CONFIG of the surface.
    pub(crate) pipe_config: u8,
}

/// CMASK: blocks of 64x32 tiles.
pub(crate) const CMASK: ([u64; 2], u64) = ([64, 32], 4);
/// HTILE: blocks of 64x64 tiles.
pub(crate) const HTILE: ([u64; 2], u64) = ([64, 64], 32);
/// The bits of a tile's number in a group that its pipe does not give, and groups that a pipe's elements are shared by:
/// P8_32x32_8x16, the only configuration of surfaces with masks here.
const PIPE_CONFIG: u8 = 10;
const GROUP_SHIFT: u64 = 1;
const INDEX_BITS: u64 = 2;
const PIPES: u64 = 8;

/// A place in what one pipe has, among all pipes.
fn dealt(of_pipe: u64, pipe: u64, interleave: u64) -> u64 {
    of_pipe % interleave + (of_pipe / interleave * PIPES + pipe) * interleave
}

/// Where the bytes of each pipe begin in a block of so many bytes.
pub(crate) fn pipe_runs(block: u64, bytes: u64) -> impl Iterator<Item = u64> {
    (0..PIPES).map(move |pipe| dealt(block * bytes / PIPES, pipe, PIPE_INTERLEAVE_BYTES.into()))
}

impl TileMask {
    /// The mask of a surface of a width in tiles.
    ///
    /// Errors: another pipe configuration.
    pub(crate) fn new(
        (block, element_bits): ([u64; 2], u64),
        mode: &TileMode,
        width: u64,
    ) -> Result<TileMask, String> {
        match mode.pipe_config {
            PIPE_CONFIG => Ok(TileMask {
                element_bits,
                block,
                pitch: width.next_multiple_of(block[0]),
                pipe_config: mode.pipe_config,
            }),
            other => Err(format!("masks with PIPE_CONFIG {other} are not executed")),
        }
    }

    /// The bit where the element of a tile begins, where `first` blocks are of slices before.
    pub(crate) fn bit(&self, first: u64, x: u64, y: u64) -> u64 {
        let [width, height] = self.block;
        let block = first + x / width + y / height * (self.pitch / width);
        let group = x % width / 4 + y % height / 4 * (width / 4);
        let [x1, y1] = [x >> 1 & 1, y >> 1 & 1];
        let index = x1 << 1 | (x1 ^ y1);
        let number = group << GROUP_SHIFT >> INDEX_BITS << INDEX_BITS | index;
        let of_pipe = (block * (width * height / PIPES) + number) * self.element_bits;
        let pipe = u64::from(pipe(self.pipe_config, 8 * x as u32, 8 * y as u32));
        dealt(of_pipe, pipe, 8 * u64::from(PIPE_INTERLEAVE_BYTES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiling::{TAHITI, tile_mode};

    /// Every tile has an element of its own, and all bits of whole blocks are elements.
    #[test]
    fn elements_are_apart() {
        for (shape, width, height) in [(CMASK, 100, 64), (HTILE, 65, 64), (HTILE, 64, 128)] {
            let mask = TileMask::new(shape, &tile_mode(TAHITI[0]), width).expect("eight pipes");
            let count = mask.pitch * height;
            let mut met = vec![false; count as usize];
            for y in 0..height {
                for x in 0..mask.pitch {
                    let bit = mask.bit(0, x, y);
                    assert_eq!(bit % mask.element_bits, 0);
                    let element = (bit / mask.element_bits) as usize;
                    assert!(!std::mem::replace(&mut met[element], true), "{x}, {y}");
                }
            }
            assert!(met.iter().all(|met| *met));
        }
        // Blocks of 128 bytes a pipe: two of them share what a pipe has side by side.
        let runs = |block| pipe_runs(block, 1024).take(2).collect::<Vec<_>>();
        assert_eq!(runs(0), [0, 256]);
        assert_eq!(runs(1), [128, 384]);
        assert_eq!(runs(2), [2048, 2304]);
        assert!(TileMask::new(CMASK, &tile_mode(TAHITI[7]), 64).is_err());
    }
}
