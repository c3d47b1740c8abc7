//! A colour target: registers of a tile from memory at its start and to memory at its end.

use silicon::fragment::resolve::{ResolveMode, resolve};
use silicon::fragment::surface::{Cache, LanePixels, Plane, Texels};
use silicon::fragment::tile::Rect;
use silicon::host::SimdLevel;
use silicon::texture::sample::Lanes;
use silicon::texture::texel::{pack_row, unpack_row};
use silicon::{Format, Memory};

use super::touched::{Touched, parts};
use super::{Mode, OnChip, PIXEL_WORDS, format, on_chip};
use crate::isp::TileWorker;
use crate::layout::{Order, Surface};
use crate::regs::{self, CrRender, PbeControl, Registers, SurfaceLayout, load};
use crate::tile::{PARTS, Region, TileMemory};

pub(super) type Words = [Lanes; 4];

/// A colour target of a render.
#[derive(Clone, Debug)]
pub struct Target {
    format: Format,
    /// How registers hold it.
    pub kept: OnChip,
    /// First output register.
    pub first: usize,
    load: u8,
    clear: [u32; 4],
    /// Of each layer.
    planes: Vec<Plane>,
    store: bool,
    /// Of each layer; none where it is not resolved.
    resolves: Vec<Plane>,
}

/// Layers of a surface of five words: address low and high, layout, pitch of linear ones, slice. Layers of a box are its slices,
/// others lie so many bytes apart.
pub fn surfaces(
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
    [low, high, layout, pitch, first]: [u32; 5],
    (layers, layer_bytes): (u32, u32),
    element_bytes: u32,
) -> Result<Vec<Plane>, String> {
    let layout = SurfaceLayout::from_word(layout);
    let order = match layout.memory_layout {
        0 => Order::Linear,
        1 => Order::Twiddled,
        2 => Order::Twiddled3d,
        other => return Err(format!("memory layout {other} is not executed")),
    };
    if layout
        .log2_width
        .max(layout.log2_height)
        .max(layout.log2_depth)
        > 14
    {
        return Err("a surface of more than 16384 pixels".to_owned());
    }
    let surface = Surface {
        order,
        element_bytes,
        pitch: match order {
            Order::Linear => pitch.clamp(1, 1 << 14),
            _ => 1 << layout.log2_width,
        },
        height: 1 << layout.log2_height,
        depth: 1 << layout.log2_depth,
        samples: 1 << layout.samples,
        layer_bytes: layer_bytes.into(),
    };
    let base = u64::from(low) | u64::from(high) << 32;
    let plane = |layer: u32| {
        let slice = match order {
            Order::Twiddled3d => first.saturating_add(layer),
            _ => layer,
        };
        if order == Order::Twiddled3d && slice >= surface.depth {
            let depth = surface.depth;
            return Err(format!("slice {slice} of a surface of {depth}"));
        }
        surfaces.plane(memory, surface, base, slice)
    };
    (0..layers).map(plane).collect()
}

/// Exchanges the lowest byte of each word and the third.
fn swap_bytes(words: &mut Lanes) {
    for word in words {
        *word = *word & 0xff00_ff00 | *word >> 16 & 0xff | (*word & 0xff) << 16;
    }
}

impl Target {
    /// Target `n` of the registers; none where there is none.
    pub fn new(
        registers: &Registers,
        n: u32,
        memory: &Memory,
        surfaces: &mut Cache<Surface>,
    ) -> Result<Option<Target>, String> {
        let at = n * regs::TARGET_STRIDE;
        let control = PbeControl::from_word(registers.get(regs::PBE_CONTROL0 + at));
        if !control.present {
            return Ok(None);
        }
        let mode = Mode {
            packmode: control.packmode,
            norm: control.norm,
            gamma: control.gamma,
            swap: control.swap,
        };
        let format =
            format(mode).ok_or_else(|| format!("target {n} has {mode:x?}, which is no format"))?;
        let kept = on_chip(format).ok_or_else(|| format!("target {n} cannot be {format:?}"))?;
        let first = usize::from(control.first_register);
        if first as u32 + kept.registers > PIXEL_WORDS {
            return Err(format!(
                "target {n} ends behind the {PIXEL_WORDS} words of a pixel"
            ));
        }
        let layers = CrRender::from_word(registers.get(regs::CR_RENDER)).layers();
        let mut planes = |first: u32, layer_bytes: u32| {
            let words = registers.all(first + at);
            let layers = (layers, registers.get(layer_bytes + n));
            self::surfaces(memory, surfaces, words, layers, format.size_bytes())
        };
        Ok(Some(Target {
            format,
            kept,
            first,
            load: control.load,
            clear: registers.all(regs::PBE_CLEAR0 + at),
            planes: planes(regs::PBE_SURFACE0, regs::PBE_LAYER_BYTES)?,
            store: control.store,
            resolves: match control.resolve {
                true => planes(regs::PBE_RESOLVE0, regs::PBE_RESOLVE_LAYER_BYTES)?,
                false => Vec::new(),
            },
        }))
    }

    /// The component that a word of the pixel is, where its texels have less precision than the word: what a program
    /// reads has theirs.
    pub fn rounds(&self, word: usize) -> Option<usize> {
        let inside = (self.first..self.first + self.kept.registers as usize).contains(&word);
        (self.format.is_srgb() && inside).then(|| word - self.first)
    }

    /// Values of a component as texels have them.
    pub fn round(&self, level: SimdLevel, component: usize, row: &mut Lanes) {
        let (mut values, mut words) = ([[0; 64]; 4], [[0; 64]; 4]);
        values[component] = *row;
        pack_row(level, self.format, &values, &mut words);
        unpack_row(level, self.format, &words, &mut values);
        *row = values[component];
    }

    /// Pixels that it has.
    pub fn area(&self) -> Rect {
        // Layers are of the same size.
        let both = [&self.planes, &self.resolves];
        let areas = both.into_iter().filter_map(|planes| planes.first());
        areas.fold(Rect::new(0, 0, i32::MAX, i32::MAX), |area, plane| {
            area.intersect(plane.area)
        })
    }

    /// Samples of a pixel.
    pub fn samples(&self) -> usize {
        self.planes.first().map_or(1, Plane::samples)
    }

    /// Whether memory changes, or is resolved, where nothing is drawn.
    pub fn moves(&self) -> bool {
        self.load == load::CLEAR && self.store || !self.resolves.is_empty()
    }

    /// Fills the registers of a tile.
    pub fn load(&self, level: SimdLevel, memory: &Memory, region: Region, worker: &mut TileWorker) {
        let count = self.kept.registers as usize;
        let tile = &mut worker.tile;
        let samples = tile.samples();
        if self.load != load::MEMORY {
            for part in 0..PARTS {
                for (sample, (n, word)) in (0..samples).flat_map(|s| {
                    self.clear
                        .iter()
                        .enumerate()
                        .take(count)
                        .map(move |c| (s, c))
                }) {
                    *tile.output_mut(part, sample, self.first + n) = [*word; 64];
                }
            }
            return;
        }
        let mut words: Words = [[0; 64]; 4];
        for (part, [x, y], mask) in parts(region) {
            for sample in 0..samples {
                let texels = Texels {
                    place: LanePixels::Tile(x, y),
                    sample,
                    mask,
                };
                self.planes[region.layer].read(memory, &texels, &mut words);
                worker.stats.color_bytes_read +=
                    u64::from(mask.count_ones() * self.format.size_bytes());
                self.take(level, &mut words);
                for (n, row) in words.iter().enumerate().take(count) {
                    *tile.output_mut(part, sample, self.first + n) = *row;
                }
            }
        }
    }

    /// Words of texels to registers.
    fn take(&self, level: SimdLevel, words: &mut Words) {
        let kept = self.kept.format();
        if kept == Some(self.format) {
            return;
        }
        if self.format == Format::B8G8R8A8Unorm {
            return swap_bytes(&mut words[0]);
        }
        let mut values = [[0; 64]; 4];
        unpack_row(level, self.format, words, &mut values);
        match kept {
            Some(kept) => pack_row(level, kept, &values, words),
            None => *words = values,
        }
    }

    /// Registers to words of texels.
    fn give(
        &self,
        level: SimdLevel,
        tile: &TileMemory,
        (part, sample): (usize, usize),
        words: &mut Words,
    ) {
        for (n, row) in words
            .iter_mut()
            .enumerate()
            .take(self.kept.registers as usize)
        {
            *row = *tile.output(part, sample, self.first + n);
        }
        self.texels(level, words);
    }

    /// What registers hold to words of texels.
    fn texels(&self, level: SimdLevel, words: &mut Words) {
        let kept = self.kept.format();
        if kept == Some(self.format) {
            return;
        }
        if self.format == Format::B8G8R8A8Unorm {
            return swap_bytes(&mut words[0]);
        }
        let mut values = *words;
        if let Some(kept) = kept {
            unpack_row(level, kept, words, &mut values);
        }
        pack_row(level, self.format, &values, words);
    }

    /// Words that a texel has a part of.
    fn texel_words(&self) -> usize {
        self.format.size_bytes().div_ceil(4) as usize
    }

    /// Writes the registers of a tile to memory, and what they are resolved to.
    pub fn store(
        &self,
        level: SimdLevel,
        memory: &Memory,
        region: Region,
        worker: &mut TileWorker,
    ) {
        let TileWorker {
            tile,
            texels,
            rows,
            stats,
            ..
        } = worker;
        let touched = Touched::of(region);
        let (to, texel) = ((level, memory), u64::from(self.format.size_bytes()));
        let used = self.texel_words();
        if self.store {
            let same = self.kept.format() == Some(self.format) && touched.first_parts();
            for sample in 0..tile.samples() {
                if let Some(row) = tile.register(self.first).filter(|_| same)
                    && self.kept.registers == 1
                {
                    stats.color_bytes_written += texel
                        * touched.write(
                            &self.planes[region.layer],
                            to,
                            sample,
                            &[row, &[], &[], &[]],
                        );
                    continue;
                }
                let words =
                    |part: usize, words: &mut Words| self.give(level, tile, (part, sample), words);
                let rows = touched.fill(rows, used, words);
                stats.color_bytes_written +=
                    texel * touched.write(&self.planes[region.layer], to, sample, &rows);
            }
        }
        if let Some(plane) = self.resolves.get(region.layer) {
            let mode = match self.format.class().is_integer() {
                true => ResolveMode::SampleZero,
                false => ResolveMode::Average,
            };
            texels.resize(tile.samples(), [[0; 64]; 4]);
            let rows = touched.fill(rows, used, |part, mean| {
                for (sample, words) in texels.iter_mut().enumerate() {
                    self.give(level, tile, (part, sample), words);
                }
                resolve(level, self.format, mode, texels, mean);
            });
            stats.color_bytes_written += texel * touched.write(plane, to, 0, &rows);
        }
    }

    /// Whether a tile that nothing is drawn to takes no more than its clear colour to memory.
    pub fn is_plain(&self) -> bool {
        self.resolves.is_empty() && (self.load == load::CLEAR || !self.store)
    }

    /// The words of a texel with the clear colour.
    fn clear_texel(&self, level: SimdLevel) -> [u32; 4] {
        if self.kept.format() == Some(self.format) {
            return self.clear;
        }
        let mut texels = self.clear.map(|word| [word; 64]);
        self.texels(level, &mut texels);
        texels.map(|row| row[0])
    }

    /// Writes the clear colour to a tile that nothing is drawn to.
    pub fn store_clear(
        &self,
        level: SimdLevel,
        memory: &Memory,
        region: Region,
        worker: &mut TileWorker,
    ) {
        if !self.store {
            return;
        }
        let TileWorker {
            tile, rows, stats, ..
        } = worker;
        let touched = Touched::of(region);
        let texel = u64::from(self.format.size_bytes());
        let used = self.texel_words();
        let plane = &self.planes[region.layer];
        let one = self.clear_texel(level);
        if (0..tile.samples()).all(|sample| touched.write_one(plane, memory, sample, &one)) {
            stats.color_bytes_written += texel * touched.texels() * tile.samples() as u64;
            return;
        }
        let texels = one.map(|word| [word; 64]);
        let rows = touched.fill(rows, used, |_, words| {
            words[..used].copy_from_slice(&texels[..used]);
        });
        for sample in 0..tile.samples() {
            stats.color_bytes_written +=
                texel * touched.write(plane, (level, memory), sample, &rows);
        }
    }
}
