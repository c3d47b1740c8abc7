//! CMASK: four bits for each 8x8 tile of a colour surface, 0 where the tile has the clear colour instead of its texels. FMASK:
//! which of the colours of a pixel each of its samples has.
//!
//! Surfaces hold all of their texels here. Before a draw to a target whose mask says that it is cleared, it gets the clear
//! colour, and the mask says that the texels count: what the pass that eliminates fast clears does at the latest. Drivers
//! clear masks of whole slices, so a slice is cleared or it is not. (ERRATA 46) Every sample has a colour of its own, and
//! before a draw FMASK says so, for shaders that read it. (ERRATA 52)

use radeon::packets::Processor;
use silicon::{Addr, Trap};

use crate::SouthernIslands;
use crate::cb;
use crate::cp::trap;
use crate::formats;
use crate::regs::{
    self, CB_COLOR_STRIDE, CbColorAttrib, CbColorCmaskSlice, CbColorFmaskSlice, CbColorInfo,
    CbColorSlice, CbColorView, color_format,
};

/// Bytes of the mask for 128x128 pixels, in which CB_COLOR_CMASK_SLICE counts.
const BLOCK_BYTES: u64 = 128;
/// A word of the mask of tiles whose texels count.
const TEXELS: u32 = 0xcccc_cccc;

/// A word of FMASK where each sample has the colour of its number: 2, 4 and 8 samples, and bytes of a pixel.
const OWN_COLORS: [(u32, u64); 3] = [(0x0202_0202, 1), (0xe4e4_e4e4, 1), (0x7654_3210, 4)];

/// A slice whose mask is all clear.
struct Cleared {
    mask: Addr,
    mask_words: u64,
    texels: Addr,
    texel_words: u64,
    color: [u32; 2],
}

impl SouthernIslands {
    /// Writes the clear colours of targets that are cleared by their masks.
    ///
    /// Errors: a slice that is cleared in part, formats without a clear colour, memory that is not there.
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
        let samples = CbColorAttrib::from_word(get(regs::CB_COLOR0_ATTRIB)).num_samples;
        let Some((word, pixel_bytes)) = OWN_COLORS.get(usize::from(samples).wrapping_sub(1)) else {
            return Err(format!(
                "colour target {index}: CB_COLOR0_INFO.COMPRESSION with NUM_SAMPLES {samples} is not executed"
            ));
        };
        let slice = CbColorFmaskSlice::from_word(get(regs::CB_COLOR0_FMASK_SLICE));
        let slice_bytes = (u64::from(slice.tile_max) + 1) * 64 * pixel_bytes;
        let view = CbColorView::from_word(get(regs::CB_COLOR0_VIEW));
        for n in u64::from(view.slice_start)..=u64::from(view.slice_max.max(view.slice_start)) {
            let at = (u64::from(get(regs::CB_COLOR0_FMASK)) << 8) + n * slice_bytes;
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
        let mask_bytes = (u64::from(mask_slice.tile_max) + 1) * BLOCK_BYTES;
        let (_, base) = cb::surface(&self.registers, index, format.size_bytes());
        let words = [regs::CB_COLOR0_CLEAR_WORD0, regs::CB_COLOR0_CLEAR_WORD1].map(get);
        for n in u64::from(view.slice_start)..=u64::from(view.slice_max.max(view.slice_start)) {
            let mask = Addr((u64::from(get(regs::CB_COLOR0_CMASK)) << 8) + n * mask_bytes);
            if !self.is_cleared(index, n, mask, mask_bytes)? {
                continue;
            }
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
                mask_words: mask_bytes / 4,
                texels: Addr(base + n * slice_bytes),
                texel_words: slice_bytes / 4,
                color,
            });
        }
        Ok(())
    }

    /// Whether all tiles of a slice are cleared; none may be alone.
    fn is_cleared(&self, index: u32, slice: u64, mask: Addr, bytes: u64) -> Result<bool, String> {
        let mut any = [false; 2];
        for at in (mask.0..mask.0 + bytes).step_by(4) {
            let word = self.memory.load(at).ok_or_else(|| {
                format!("colour target {index}: its mask at {at:#x} is outside memory")
            })?;
            // A bit for each group of four that is not zero.
            let set = (word | word >> 1 | word >> 2 | word >> 3) & 0x1111_1111;
            any[0] |= set != 0x1111_1111;
            any[1] |= set != 0;
            if any == [true; 2] {
                return Err(format!(
                    "colour target {index}: slice {slice} is cleared in part by its mask, {word:#x} at {at:#x}, which is not executed"
                ));
            }
        }
        let [cleared, _] = any;
        Ok(cleared)
    }

    fn fill_slice(&mut self, slice: &Cleared) -> Result<(), silicon::MemoryError> {
        let [low, high] = slice.color;
        if low == high {
            let (memory, threads) = (&self.memory, &self.threads);
            threads.fill(memory, slice.texels, slice.texel_words, low)?;
        } else {
            let row = [low, high].repeat(512);
            let row_words = row.len() as u64;
            for first in (0..slice.texel_words).step_by(row.len()) {
                let words = (slice.texel_words - first).min(row_words) as usize;
                let at = Addr(slice.texels.0 + 4 * first);
                self.memory.write_words(at, &row[..words])?;
            }
        }
        self.memory.fill(slice.mask, slice.mask_words, TEXELS)
    }
}
