//! HTILE: a word for each 8x8 tile of a depth surface. It says whether the tile has the clear values instead of its texels,
//! and bounds the depths.
//!
//! Surfaces hold all of their texels here. Before a draw that reaches depths or stencil values whose words say that they are
//! cleared, they get the clear values, and the words say that the texels count and are of any value. Nothing reads bounds:
//! rejecting tiles is [`silicon::fragment`]'s. (ERRATA 51)

use std::ops::Range;

use radeon::packets::Processor;
use silicon::fragment::depth::DepthFormat;
use silicon::{Addr, MemoryError, Trap};

use crate::cmask::fill_tile;
use crate::cp::trap;
use crate::mask::{self, TileMask};
use crate::regs::{
    self, DbDepthControl, DbDepthSize, DbDepthSlice, DbDepthView, DbRenderControl, DbStencilClear,
    DbStencilInfo, DbZInfo, z_format,
};
use crate::tiling::Surface;
use crate::{SouthernIslands, db};

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
    texels: Vec<(Texels, u32)>,
    /// Its words, and where they lie.
    words: Vec<u32>,
    at: Addr,
}

/// Which texels.
enum Texels {
    /// Those at these addresses.
    All(Range<u64>),
    /// Those of some tiles of a slice of the surface at an address.
    Tiles(Surface, u64, u32, Vec<[u64; 2]>),
}

impl SouthernIslands {
    /// Writes the clear values of the depth and stencil surfaces that a draw reaches, where HTILE says that they are clear.
    ///
    /// Errors: memory that is not there.
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
        for (texels, value) in &cleared.texels {
            match texels {
                Texels::All(at) => {
                    let count = (at.end - at.start) / 4;
                    self.threads
                        .fill(&self.memory, Addr(at.start), count, *value)?;
                }
                Texels::Tiles(surface, base, slice, tiles) => {
                    let place = (*base, *slice);
                    let fill = |tile| fill_tile(&self.memory, surface, place, tile, [*value; 2]);
                    tiles.iter().copied().try_for_each(fill)?;
                }
            }
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
        let cleared = |mask: u32| words.iter().filter(|w| *w & mask == 0).count();
        let depths = cleared(DEPTH);
        let stencils = if knows_stencil { cleared(STENCIL) } else { 0 };
        if depths == 0 && stencils == 0 {
            return Ok(None);
        }
        let mut texels = Vec::new();
        let tiles =
            u64::from(DbDepthSlice::from_word(get(regs::DB_DEPTH_SLICE)).slice_tile_max) + 1;
        let mut fill = |base: u32, (texel_bytes, index): (u32, u8), mask: u32, value: u32| {
            let base = u64::from(get(base)) << 8;
            let bytes = (tiles * 64 * u64::from(texel_bytes)) << z_info.num_samples;
            let first = base + slice * bytes;
            let part = match cleared(mask) == words.len() {
                true => Texels::All(first..first + bytes),
                false => {
                    let surface = db::surface(&self.registers, z_info, texel_bytes, index);
                    let (surface, base) = surface.at(base);
                    let size = [u64::from(surface.pitch) / 8, u64::from(surface.height) / 8];
                    let places = TileMask::new(mask::HTILE, &surface.mode, size[0])?;
                    let all = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| [x, y]));
                    let is_cleared = |[x, y]: &[u64; 2]| {
                        let word = words.get((places.bit(0, *x, *y) / 32) as usize);
                        word.is_some_and(|word| word & mask == 0)
                    };
                    Texels::Tiles(
                        surface,
                        base,
                        slice as u32,
                        all.filter(is_cleared).collect(),
                    )
                }
            };
            texels.push((part, value));
            Ok::<(), String>(())
        };
        let far = self.registers.float(regs::DB_DEPTH_CLEAR);
        let format = match z_info.format {
            z_format::Z_16 => Some((2, DepthFormat::Unorm16)),
            z_format::Z_24 => Some((4, DepthFormat::Unorm24)),
            z_format::Z_32_FLOAT => Some((4, DepthFormat::Float32)),
            _ => None,
        };
        if let Some((bytes, format)) = format.filter(|_| depths != 0) {
            let value = format.encode(far);
            let value = if bytes == 2 {
                value | value << 16
            } else {
                value
            };
            let texel = (bytes, z_info.tile_mode_index);
            fill(regs::DB_Z_WRITE_BASE, texel, DEPTH, value)?;
        }
        if stencils != 0 && s_info.format {
            let clear = DbStencilClear::from_word(get(regs::DB_STENCIL_CLEAR)).clear;
            let texel = (1, s_info.tile_mode_index);
            let value = u32::from(clear) * 0x0101_0101;
            fill(regs::DB_STENCIL_WRITE_BASE, texel, STENCIL, value)?;
        }
        let (depth, stencil) = (depths != 0, stencils != 0);
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
