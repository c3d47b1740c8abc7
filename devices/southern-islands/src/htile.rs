//! HTILE: a word for each 8x8 tile of a depth surface. It says whether the tile has the clear values instead of its texels,
//! and bounds the depths.
//!
//! Surfaces hold all of their texels here. Before a draw that reaches depths or stencil values whose words say that they are
//! cleared, they get the clear values, and the words say that the texels count and are of any value. Nothing reads bounds:
//! rejecting tiles is [`silicon::fragment`]'s. Drivers clear the words of whole slices, so a slice is cleared or it is not.
//! (ERRATA 51)

use std::ops::Range;

use radeon::packets::Processor;
use silicon::fragment::depth::DepthFormat;
use silicon::{Addr, MemoryError, Trap};

use crate::SouthernIslands;
use crate::cp::trap;
use crate::regs::{
    self, DbDepthControl, DbDepthSize, DbDepthSlice, DbDepthView, DbRenderControl, DbStencilClear,
    DbStencilInfo, DbZInfo, z_format,
};

/// Tiles along both edges of the blocks that the words of a slice are in, of a chip with 8 pipes. [TILING HTILE]
const BLOCK_TILES: u64 = 64;
/// Bits that are zero where the depths of a tile are cleared.
const DEPTH: u32 = 0xf;
/// Bits that are zero where its stencil values are cleared, if the words know them.
const STENCIL: u32 = 0x300;
/// Bounds of depths that may be any.
const ANY_DEPTH: u32 = 0xfffc_0000;
/// The same where the words know stencil values.
const ANY_DEPTH_BESIDE_STENCIL: u32 = 0xffff_f000;

/// What makes a slice that is cleared one that is not.
struct Cleared {
    /// Texels and the word that they are filled with.
    texels: Vec<(Range<u64>, u32)>,
    /// Its words, and where they lie.
    words: Vec<u32>,
    at: Addr,
}

impl SouthernIslands {
    /// Writes the clear values of the depth and stencil surfaces that a draw reaches, where HTILE says that they are clear.
    ///
    /// Errors: a slice that is cleared in part, memory that is not there.
    pub(crate) fn expand_cleared_depths(&mut self) -> Result<(), Trap> {
        let wrong = |reason: String| trap(u64::MAX, 0, reason);
        let z_info = DbZInfo::from_word(self.registers.get(regs::DB_Z_INFO));
        if !z_info.tile_surface_enable || !self.reaches_depths() {
            return Ok(());
        }
        let view = DbDepthView::from_word(self.registers.get(regs::DB_DEPTH_VIEW));
        for slice in u64::from(view.slice_start)..=view.slice_max.max(view.slice_start).into() {
            let Some(cleared) = self.cleared_slice(&z_info, slice).map_err(wrong)? else {
                continue;
            };
            self.finish_draws()?;
            self.expand_slice(&cleared)
                .map_err(|error| wrong(error.to_string()))?;
        }
        Ok(())
    }

    fn expand_slice(&self, cleared: &Cleared) -> Result<(), MemoryError> {
        for (at, value) in &cleared.texels {
            let count = (at.end - at.start) / 4;
            self.threads
                .fill(&self.memory, Addr(at.start), count, *value)?;
        }
        self.memory.write_words(cleared.at, &cleared.words)
    }

    /// Whether a draw reads or writes depths or stencil values.
    fn reaches_depths(&self) -> bool {
        let control = DbDepthControl::from_word(self.registers.get(regs::DB_DEPTH_CONTROL));
        let render = DbRenderControl::from_word(self.registers.get(regs::DB_RENDER_CONTROL));
        control.z_enable
            || control.stencil_enable
            || control.depth_bounds_enable
            || render.depth_compress_disable
            || render.stencil_compress_disable
            || render.depth_copy
            || render.stencil_copy
    }

    /// What expands a slice, if it is cleared.
    fn cleared_slice(&self, z_info: &DbZInfo, slice: u64) -> Result<Option<Cleared>, String> {
        let get = |register: u32| self.registers.get(register);
        let size = DbDepthSize::from_word(get(regs::DB_DEPTH_SIZE));
        let [width, height] = [size.pitch_tile_max, size.height_tile_max]
            .map(|max| (u64::from(max) + 1).next_multiple_of(BLOCK_TILES));
        let bytes = 4 * width * height;
        let first = (u64::from(get(regs::DB_HTILE_DATA_BASE)) << 8) + slice * bytes;
        let s_info = DbStencilInfo::from_word(get(regs::DB_STENCIL_INFO));
        let knows_stencil = !s_info.tile_stencil_disable;
        if first + bytes > self.memory.size() {
            return Err(format!(
                "HTILE of slice {slice} at {first:#x} is outside memory"
            ));
        }
        let mut words = vec![0; (bytes / 4) as usize];
        self.memory.load_words(first, &mut words);
        let cleared = |mask: u32, of: &str| match words.iter().filter(|w| *w & mask == 0).count() {
            0 => Ok(false),
            count if count == words.len() => Ok(true),
            count => Err(format!(
                "{of} of slice {slice} are cleared in part by HTILE, {count} of {} tiles, which is not executed",
                words.len()
            )),
        };
        let depth = cleared(DEPTH, "depths")?;
        let stencil = knows_stencil && cleared(STENCIL, "stencil values")?;
        if !depth && !stencil {
            return Ok(None);
        }
        let mut texels = Vec::new();
        let tiles =
            u64::from(DbDepthSlice::from_word(get(regs::DB_DEPTH_SLICE)).slice_tile_max) + 1;
        let mut fill = |base: u32, texel_bytes: u64, value: u32| {
            let bytes = (tiles * 64 * texel_bytes) << z_info.num_samples;
            let first = (u64::from(get(base)) << 8) + slice * bytes;
            texels.push((first..first + bytes, value));
        };
        let far = self.registers.float(regs::DB_DEPTH_CLEAR);
        match z_info.format {
            z_format::Z_16 if depth => {
                let value = DepthFormat::Unorm16.encode(far);
                fill(regs::DB_Z_WRITE_BASE, 2, value | value << 16);
            }
            z_format::Z_24 if depth => {
                fill(regs::DB_Z_WRITE_BASE, 4, DepthFormat::Unorm24.encode(far));
            }
            z_format::Z_32_FLOAT if depth => {
                fill(regs::DB_Z_WRITE_BASE, 4, DepthFormat::Float32.encode(far));
            }
            _ => {}
        }
        if stencil && s_info.format {
            let clear = DbStencilClear::from_word(get(regs::DB_STENCIL_CLEAR)).clear;
            let value = u32::from(clear) * 0x0101_0101;
            fill(regs::DB_STENCIL_WRITE_BASE, 1, value);
        }
        let any = match (depth, knows_stencil) {
            (false, _) => 0,
            (true, true) => DEPTH | ANY_DEPTH_BESIDE_STENCIL,
            (true, false) => DEPTH | ANY_DEPTH,
        };
        let any = any | if stencil { STENCIL } else { 0 };
        words.iter_mut().for_each(|word| *word |= any);
        Ok(Some(Cleared {
            texels,
            words,
            at: Addr(first),
        }))
    }
}
