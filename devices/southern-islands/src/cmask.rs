//! CMASK: four bits for each 8x8 tile of a colour surface, 0 where the tile has the clear colour instead of its texels. FMASK:
//! which of the colours of a pixel each of its samples has.
//!
//! Surfaces hold all of their texels here. Before a draw to a target whose mask says that tiles are cleared, they get the clear
//! colour, and the mask says that the texels count: what the pass that eliminates fast clears does at the latest.
//! (ERRATA 46) Every sample has a colour of its own, and before a draw FMASK says so, for shaders that read it. (ERRATA 52)

use radeon::packets::Processor;
use silicon::{Addr, Memory, MemoryError, Trap};

use crate::SouthernIslands;
use crate::cb;
use crate::cp::trap;
use crate::formats;
use crate::mask::{self, TileMask};
use crate::regs::{
    self, CB_COLOR_STRIDE, CbColorAttrib, CbColorCmaskSlice, CbColorFmaskSlice, CbColorInfo,
    CbColorPitch, CbColorSlice, CbColorView, color_format,
};
use crate::tiling::{Surface, tile_mode};

/// Bytes of the mask for 128x128 pixels, in which CB_COLOR_CMASK_SLICE counts.
const UNIT_BYTES: u64 = 128;
/// Bytes of a block of the mask, and those of one pipe.
const BLOCK_BYTES: u64 = 1024;
const RUN_BYTES: u64 = 128;
/// A word of the mask of tiles whose texels count.
const TEXELS: u32 = 0xcccc_cccc;

/// A word of FMASK where each sample has the colour of its number: 2, 4 and 8 samples, and bytes of a pixel.
const OWN_COLORS: [(u32, u64); 3] = [(0x0202_0202, 1), (0xe4e4_e4e4, 1), (0x7654_3210, 4)];

/// What is cleared of a slice.
struct Cleared {
    /// Where the mask begins, and the blocks of the slice in it.
    mask: u64,
    blocks: std::ops::Range<u64>,
    color: [u32; 2],
    texels: Texels,
}

/// Which texels.
enum Texels {
    /// All: where they begin, and how many words they are.
    All(Addr, u64),
    /// Those of some tiles of a slice of the surface at an address.
    Tiles(Surface, u64, u64, Vec<[u64; 2]>),
}

impl SouthernIslands {
    /// Writes the clear colours of targets that are cleared by their masks.
    ///
    /// Errors: formats without a clear colour, memory that is not there.
    pub(crate) fn expand_cleared(&mut self) -> Result<(), Trap> {
        let wrong = |reason: String| trap(u64::MAX, 0, reason);
        let (mut cleared, mut fills) = (Vec::new(), Vec::new());
        for index in 0..8 {
            self.shared_colors(index, &mut fills).map_err(wrong)?;
            self.cleared(index, &mut cleared).map_err(wrong)?;
        }
        if cleared.is_empty() && fills.is_empty() {
            return Ok(());
        }
        self.finish_draws()?;
        for (at, words, value) in fills {
            self.threads
                .fill(&self.memory, at, words, value)
                .map_err(|error| wrong(format!("FMASK: {error}")))?;
        }
        for slice in cleared {
            self.fill_slice(&slice)
                .map_err(|error| wrong(error.to_string()))?;
        }
        Ok(())
    }

    /// Adds what fills FMASK of a target so that every sample has a colour of its own, unless it is filled: the place, how
    /// many words, and the word.
    fn shared_colors(&self, index: u32, out: &mut Vec<(Addr, u64, u32)>) -> Result<(), String> {
        let get = |register: u32| self.registers.get(register + index * CB_COLOR_STRIDE);
        let info = CbColorInfo::from_word(get(regs::CB_COLOR0_INFO));
        if !info.compression || info.format == color_format::INVALID {
            return Ok(());
        }
        let attrib = CbColorAttrib::from_word(get(regs::CB_COLOR0_ATTRIB));
        let samples = usize::from(attrib.num_samples);
        let Some((word, pixel_bytes)) = OWN_COLORS.get(samples.wrapping_sub(1)) else {
            return Err(format!(
                "colour target {index}: CB_COLOR0_INFO.COMPRESSION with NUM_SAMPLES {samples} is not executed"
            ));
        };
        let slice = CbColorFmaskSlice::from_word(get(regs::CB_COLOR0_FMASK_SLICE));
        let slice_bytes = (u64::from(slice.tile_max) + 1) * 64 * pixel_bytes;
        let view = CbColorView::from_word(get(regs::CB_COLOR0_VIEW));
        // The address has a swizzle in its lowest bits, as that of a target.
        let (surface, _) = cb::surface(&self.registers, index, 1);
        let mode = regs::GB_TILE_MODE0 + 4 * u32::from(attrib.fmask_tile_mode_index);
        let mode = tile_mode(self.registers.get(mode));
        let (_, base) = Surface { mode, ..surface }.at(u64::from(get(regs::CB_COLOR0_FMASK)) << 8);
        for n in u64::from(view.slice_start)..=u64::from(view.slice_max.max(view.slice_start)) {
            let at = base + n * slice_bytes;
            let last = at + slice_bytes - 4;
            if [at, last].map(|at| self.memory.load(at)) != [Some(*word); 2] {
                out.push((Addr(at), slice_bytes / 4, *word));
            }
        }
        Ok(())
    }

    /// Adds the cleared slices of a target that its view shows.
    fn cleared(&self, index: u32, out: &mut Vec<Cleared>) -> Result<(), String> {
        let get = |register: u32| self.registers.get(register + index * CB_COLOR_STRIDE);
        let info = CbColorInfo::from_word(get(regs::CB_COLOR0_INFO));
        if !info.fast_clear || info.format == color_format::INVALID {
            return Ok(());
        }
        let format = formats::from_color(info.format, info.number_type, info.comp_swap)?;
        let attrib = CbColorAttrib::from_word(get(regs::CB_COLOR0_ATTRIB));
        let slice = CbColorSlice::from_word(get(regs::CB_COLOR0_SLICE)).tile_max + 1;
        let mask_slice = CbColorCmaskSlice::from_word(get(regs::CB_COLOR0_CMASK_SLICE));
        let view = CbColorView::from_word(get(regs::CB_COLOR0_VIEW));
        let texel_bytes = u64::from(format.size_bytes());
        let slice_bytes = (u64::from(slice) * 64 * texel_bytes) << attrib.num_samples.min(4);
        let mask_bytes = (u64::from(mask_slice.tile_max) + 1) * UNIT_BYTES;
        let blocks = mask_bytes.div_ceil(BLOCK_BYTES);
        let (surface, base) = cb::surface(&self.registers, index, format.size_bytes());
        let words = [regs::CB_COLOR0_CLEAR_WORD0, regs::CB_COLOR0_CLEAR_WORD1].map(get);
        let mask = u64::from(get(regs::CB_COLOR0_CMASK)) << 8;
        for n in u64::from(view.slice_start)..=u64::from(view.slice_max.max(view.slice_start)) {
            let blocks = n * blocks..(n + 1) * blocks;
            let texels = match self.cleared_words(mask, &blocks) {
                None => {
                    return Err(format!(
                        "colour target {index}: its mask at {mask:#x} is outside memory"
                    ));
                }
                Some([false, _]) => continue,
                Some([true, false]) => Texels::All(Addr(base + n * slice_bytes), slice_bytes / 4),
                Some([true, true]) => {
                    let pitch = CbColorPitch::from_word(get(regs::CB_COLOR0_PITCH)).tile_max;
                    let size = [u64::from(pitch) + 1, u64::from(surface.height) / 8];
                    if info.cmask_is_linear {
                        return Err(format!(
                            "colour target {index}: CB_COLOR0_INFO.CMASK_IS_LINEAR is not executed where slices are cleared in part"
                        ));
                    }
                    let tiles = TileMask::new(mask::CMASK, &surface.mode, size[0])?;
                    let tiles = self.cleared_tiles(mask, &tiles, blocks.start, size);
                    Texels::Tiles(surface, base, n, tiles)
                }
            };
            let color = match texel_bytes {
                1 => [(words[0] & 0xff) * 0x0101_0101; 2],
                2 => [(words[0] & 0xffff) * 0x1_0001; 2],
                4 => [words[0]; 2],
                8 => words,
                bytes => {
                    return Err(format!(
                        "colour target {index}: texels of {bytes} bytes have no clear colour"
                    ));
                }
            };
            out.push(Cleared {
                mask,
                blocks,
                color,
                texels,
            });
        }
        Ok(())
    }

    /// Whether tiles of a slice are cleared, and whether tiles are not; none where the mask is outside of memory.
    fn cleared_words(&self, mask: u64, blocks: &std::ops::Range<u64>) -> Option<[bool; 2]> {
        let mut met = [false; 2];
        for run in blocks
            .clone()
            .flat_map(|block| mask::pipe_runs(block, BLOCK_BYTES))
        {
            for at in (mask + run..mask + run + RUN_BYTES).step_by(4) {
                let word = self.memory.load(at)?;
                // A bit for each group of four that is not zero.
                let set = (word | word >> 1 | word >> 2 | word >> 3) & 0x1111_1111;
                met[0] |= set != 0x1111_1111;
                met[1] |= set != 0;
            }
            if met == [true; 2] {
                break;
            }
        }
        Some(met)
    }

    /// The tiles of a surface of this size that are cleared.
    fn cleared_tiles(
        &self,
        mask: u64,
        tiles: &TileMask,
        first: u64,
        [width, height]: [u64; 2],
    ) -> Vec<[u64; 2]> {
        let all = (0..height).flat_map(|y| (0..width).map(move |x| [x, y]));
        let is_cleared = |[x, y]: &[u64; 2]| {
            let bit = tiles.bit(first, *x, *y);
            let word = self.memory.load(mask + bit / 32 * 4).unwrap_or(u32::MAX);
            word >> (bit % 32) & 0xf == 0
        };
        all.filter(is_cleared).collect()
    }

    fn fill_slice(&mut self, slice: &Cleared) -> Result<(), MemoryError> {
        let [low, high] = slice.color;
        match &slice.texels {
            Texels::All(at, words) if low == high => {
                self.threads.fill(&self.memory, *at, *words, low)?;
            }
            Texels::All(at, words) => {
                let row = [low, high].repeat(512);
                for first in (0..*words).step_by(row.len()) {
                    let words = (words - first).min(row.len() as u64) as usize;
                    let at = Addr(at.0 + 4 * first);
                    self.memory.write_words(at, &row[..words])?;
                }
            }
            Texels::Tiles(surface, base, n, tiles) => {
                for tile in tiles {
                    fill_tile(
                        &self.memory,
                        surface,
                        (*base, *n as u32),
                        *tile,
                        slice.color,
                    )?;
                }
            }
        }
        for run in slice
            .blocks
            .clone()
            .flat_map(|block| mask::pipe_runs(block, BLOCK_BYTES))
        {
            self.memory
                .fill(Addr(slice.mask + run), RUN_BYTES / 4, TEXELS)?;
        }
        Ok(())
    }
}

/// Fills a tile of 8x8 pixels with the words of two texels of four bytes, or of one of eight.
pub(crate) fn fill_tile(
    memory: &Memory,
    surface: &Surface,
    (base, slice): (u64, u32),
    [x, y]: [u64; 2],
    words: [u32; 2],
) -> Result<(), MemoryError> {
    let count = surface.element_bytes.div_ceil(4) as usize;
    for place in 0..64 {
        let (x, y) = (8 * x as u32 + place % 8, 8 * y as u32 + place / 8);
        for sample in 0..surface.samples {
            // Smaller texels share a word with others of the tile.
            let at = base + surface.offset(x, y, slice, sample);
            memory.write_words(Addr(at & !3), &words[..count])?;
        }
    }
    Ok(())
}
