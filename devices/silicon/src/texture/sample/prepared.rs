//! Prepared textures and samplers: checked, with one flat table per axis over all mip levels.

use super::pairs::Pairs;
use super::{Aspect, Border, Dim, Level, MipFilter, Precision, Sampler, Texture, rules};
use crate::texture::block::cache::Texels;
use crate::texture::fixed::{from_unorm, to_unorm};
use crate::texture::format::{Aspects, Channel, Class, Codec, Format, Kind, Layout, Read};
use crate::texture::texel::{Decoder, Reading};

/// Levels that a texture may have.
pub const MAX_LEVELS: usize = 16;

/// A texture that cannot be prepared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextureError {
    /// No level, or too many.
    #[error("a texture has 1 to {MAX_LEVELS} levels, not {levels}")]
    Levels {
        /// Levels given.
        levels: usize,
    },
    /// A level has no texels or more than the arithmetic can count.
    #[error("level {level} is {width} by {height} by {depth} texels; each must be 1 to 32768")]
    Size {
        /// Index of the level.
        level: usize,
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
        /// Its depth.
        depth: u32,
    },
    /// An address table is too short.
    #[error("the {axis} table of level {level} has {len} entries and needs {need}")]
    Table {
        /// `x`, `y`, `slice` or `sample`.
        axis: &'static str,
        /// Index of the level.
        level: usize,
        /// Entries.
        len: usize,
        /// Entries needed.
        need: usize,
    },
    /// Levels lie too far apart.
    #[error("level {level} at {base:#x} is 4 GiB or more above the first byte of the texture")]
    Spread {
        /// Index of the level.
        level: usize,
        /// Its address.
        base: u64,
    },
    /// A format that cannot be sampled as one image.
    #[error("{format:?} has planes; sample them one by one")]
    Planar {
        /// The format.
        format: Format,
    },
}

/// How taps are read and combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taps {
    /// 8-bit normalised channels in one word: filtered as integers.
    Bytes,
    /// Plain texels, unpacked to floats or integers.
    Words,
    /// Compressed texels of four bytes: filtered as integers.
    BlockBytes(Codec),
    /// Other compressed texels.
    Block(Codec),
}

/// What the row code looks up per level.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LevelInfo {
    pub size: [i32; 3],
    pub size_f: [f32; 3],
    /// Offset of the level from the base of the texture.
    pub base: u32,
    /// Start of the level's part of each axis table.
    pub start: [u32; 3],
    /// First entry of the sample table.
    pub start_sample: u32,
    pub xor: u32,
}

/// A texture ready for sampling.
#[derive(Clone, Debug)]
pub struct PreparedTexture {
    pub(super) dim: Dim,
    pub(super) format: Format,
    /// Overrides the number type of the format.
    pub(super) reading: Option<Reading>,
    pub(super) class: Class,
    pub(super) taps: Taps,
    pub(super) layers: u32,
    pub(super) samples: u32,
    pub(super) min_lod: f32,
    /// Bytes of an element.
    pub(super) element_bytes: u32,
    pub(super) block: (u32, u32),
    pub(super) base: u64,
    pub(super) levels: [LevelInfo; MAX_LEVELS],
    pub(super) last_level: i32,
    /// Axis tables of all levels, one after the other.
    pub(super) tables: [Vec<u32>; 3],
    pub(super) sample_table: Vec<u32>,
    /// Tables of neighbours.
    pub(super) pairs: Pairs,
    /// Results in terms of the unpacked components of a texel.
    pub(super) outputs: [Read; 4],
    /// The stored byte that each result comes from, where texels are averaged as bytes.
    pub(super) sources: [Option<usize>; 4],
    /// Whether each result is the byte of its number.
    pub(super) in_order: bool,
    /// Whether x is the second component of a texel: stencil beside depth.
    reads_second: bool,
    /// What blocks are decoded to, and words of a texel there.
    pub(super) decoded: Option<Texels>,
    pub(super) decoder_words: u32,
    /// Words of texels, as they are read or decoded, to components.
    pub(super) decoder: Decoder,
}

fn taps(format: Format) -> Taps {
    match format.row().layout {
        Layout::Block { codec, .. } => match has_bytes(codec) && !format.is_srgb() {
            true => Taps::BlockBytes(codec),
            false => Taps::Block(codec),
        },
        Layout::Plain(channels)
            if !format.is_srgb()
                && format.class() == Class::Unorm
                && channels
                    .iter()
                    .all(|c| c.bits == 8 && matches!(c.kind, Kind::Unorm | Kind::Void)) =>
        {
            Taps::Bytes
        }
        _ => Taps::Words,
    }
}

/// Whether the texels of a codec are four bytes.
fn has_bytes(codec: Codec) -> bool {
    matches!(
        codec,
        Codec::Bc1
            | Codec::Bc2
            | Codec::Bc3
            | Codec::Bc7
            | Codec::Etc2Rgb8
            | Codec::Etc2Rgb8A1
            | Codec::Etc2Rgba8
    )
}

/// What blocks are decoded to, words of a texel, and how these are read.
fn decoding(format: Format) -> (Option<Texels>, u32, Decoder) {
    match format.row().layout {
        Layout::Block { codec, .. } if has_bytes(codec) => {
            let bytes = match format.is_srgb() {
                true => Format::R8G8B8A8Srgb,
                false => Format::R8G8B8A8Unorm,
            };
            (Some(Texels::Bytes(codec)), 1, Decoder::new(bytes, None))
        }
        Layout::Block { .. } => (Some(Texels::Values), 4, Decoder::values()),
        _ => {
            let words = format.size_bytes().div_ceil(4);
            (None, words, Decoder::new(format, None))
        }
    }
}

impl PreparedTexture {
    /// Checks a texture and lays out its tables.
    pub fn new(texture: &Texture) -> Result<PreparedTexture, TextureError> {
        let format = texture.format;
        if let Layout::Planar(_) = format.row().layout {
            return Err(TextureError::Planar { format });
        }
        let count = texture.levels.len();
        if count == 0 || count > MAX_LEVELS {
            return Err(TextureError::Levels { levels: count });
        }
        let base = texture.levels.iter().map(|l| l.base).min().unwrap_or(0);
        let (stencil, class) = match (texture.aspect, format.aspects()) {
            (Aspect::Stencil, Aspects::DepthStencil) => (true, Class::Uint),
            _ => (false, format.class()),
        };
        let component = |c: u8| match (format.aspects(), c) {
            (Aspects::DepthStencil, 0) => Read::Channel(u8::from(stencil)),
            (Aspects::DepthStencil, 3) => Read::One,
            (Aspects::DepthStencil, _) => Read::Zero,
            _ => match format.row().reads[c as usize] {
                Read::Channel(_) => Read::Channel(c),
                constant => constant,
            },
        };
        let outputs = texture.select.map(|read| match read {
            Read::Channel(c) => component(c & 3),
            constant => constant,
        });
        let (decoded, decoder_words, decoder) = decoding(format);
        let mut prepared = PreparedTexture {
            dim: texture.dim,
            format,
            reading: None,
            class,
            taps: taps(format),
            layers: texture.layers.max(1),
            samples: texture.samples.max(1),
            min_lod: texture.min_lod,
            element_bytes: format.size_bytes(),
            block: format.block_size(),
            base,
            levels: [LevelInfo::default(); MAX_LEVELS],
            last_level: count as i32 - 1,
            tables: [const { Vec::new() }; 3],
            sample_table: Vec::new(),
            pairs: Pairs::default(),
            outputs,
            sources: [None; 4],
            in_order: false,
            reads_second: stencil,
            decoded,
            decoder_words,
            decoder,
        };
        for (index, level) in texture.levels.iter().enumerate() {
            prepared.levels[index] = prepared.add_level(index, level)?;
        }
        prepared.sources = prepared.sources();
        prepared.in_order = prepared.sources == [0, 1, 2, 3].map(Some);
        prepared.pairs = Pairs::new(&texture.levels, &prepared);
        Ok(prepared)
    }

    /// The same texture with another reading of its channels; only plain formats change.
    pub fn read_as(mut self, reading: Reading) -> PreparedTexture {
        if matches!(self.taps, Taps::Bytes | Taps::Words) {
            self.reading = Some(reading);
            self.class = reading.class();
            self.taps = Taps::Words;
            self.decoder = Decoder::new(self.format, Some(reading));
        }
        self
    }

    fn add_level(&mut self, index: usize, level: &Level) -> Result<LevelInfo, TextureError> {
        let Level {
            width,
            height,
            depth,
            base,
            ref axes,
        } = *level;
        if [width, height, depth].iter().any(|&n| n == 0 || n > 32_768) {
            return Err(TextureError::Size {
                level: index,
                width,
                height,
                depth,
            });
        }
        let slices = match self.dim {
            Dim::D3 => depth,
            Dim::Cube => 6 * self.layers,
            _ => self.layers,
        };
        let need = [
            ("x", axes.x.len(), width.div_ceil(self.block.0)),
            ("y", axes.y.len(), height.div_ceil(self.block.1)),
            ("slice", axes.slice.len(), slices),
            ("sample", axes.sample.len(), self.samples),
        ];
        for (axis, len, need) in need {
            if len < need as usize {
                return Err(TextureError::Table {
                    axis,
                    level: index,
                    len,
                    need: need as usize,
                });
            }
        }
        let Ok(offset) = u32::try_from(base - self.base) else {
            return Err(TextureError::Spread { level: index, base });
        };
        let start = [0, 1, 2].map(|a: usize| self.tables[a].len() as u32);
        let start_sample = self.sample_table.len() as u32;
        for (axis, table) in [&axes.x, &axes.y, &axes.slice].into_iter().enumerate() {
            self.tables[axis].extend_from_slice(&table[..need[axis].2 as usize]);
        }
        // The x table includes sample 0: single-sampled reads need no lookup.
        let (keep, first) = (!axes.xor, axes.sample[0]);
        for entry in &mut self.tables[0][start[0] as usize..] {
            *entry =
                (*entry & keep).wrapping_add(first & keep) & keep | (*entry ^ first) & axes.xor;
        }
        self.sample_table.extend(
            axes.sample[..self.samples as usize]
                .iter()
                .map(|s| (s & keep).wrapping_sub(first & keep) & keep | (s ^ first) & axes.xor),
        );
        // Without shared bits sums equal exclusive ors, which are cheaper.
        let bits = [0, 1, 2].map(|a: usize| {
            self.tables[a][start[a] as usize..]
                .iter()
                .fold(0, |all, entry| all | entry)
                & keep
        });
        let samples = self.sample_table[start_sample as usize..]
            .iter()
            .fold(0, |all, entry| all | entry)
            & keep;
        let shared = bits[0] & bits[1]
            | (bits[0] | bits[1]) & bits[2]
            | (bits[0] | bits[1] | bits[2]) & samples;
        let xor = if shared == 0 { u32::MAX } else { axes.xor };
        Ok(LevelInfo {
            size: [width as i32, height as i32, depth as i32],
            size_f: [width as f32, height as f32, depth as f32],
            base: offset,
            start,
            start_sample,
            xor,
        })
    }

    /// Levels.
    pub fn levels(&self) -> u32 {
        self.last_level as u32 + 1
    }

    /// Type of the results.
    pub fn class(&self) -> Class {
        self.class
    }

    /// Whether x is the second component of a texel: stencil beside depth.
    pub(super) fn reads_second(&self) -> bool {
        self.reads_second
    }

    /// Byte address of an element (texel or block) that exists.
    #[inline(always)]
    pub(super) fn address(&self, level: &LevelInfo, at: [u32; 3], sample: u32) -> u64 {
        let t = [0, 1, 2].map(|a: usize| self.tables[a][(level.start[a] + at[a]) as usize]);
        let s = self.sample_table[(level.start_sample + sample) as usize];
        let keep = !level.xor;
        let sum = (t[0] & keep)
            .wrapping_add(t[1] & keep)
            .wrapping_add(t[2] & keep)
            .wrapping_add(s & keep);
        let xor = (t[0] ^ t[1] ^ t[2] ^ s) & level.xor;
        self.base + u64::from(level.base.wrapping_add(sum & keep | xor))
    }

    /// A border colour as unpacked components, rounded to bytes for byte texels. In result order, whatever the swizzle:
    /// red stays red in BGR formats.
    pub(super) fn border(&self, border: Border) -> [u32; 4] {
        let one = self.class.one();
        let color = match border {
            Border::TransparentBlack => [0; 4],
            Border::OpaqueBlack => [0, 0, 0, one],
            Border::OpaqueWhite => [one; 4],
            Border::Custom(bits) => bits,
        };
        let result = |c: usize| {
            let selects = |read: &Read| *read == Read::Channel(c as u8);
            self.outputs.iter().position(selects).unwrap_or(c)
        };
        let value = [0, 1, 2, 3].map(|c: usize| match self.format.row().reads[c] {
            Read::Channel(_) => color[result(c)],
            Read::Zero => 0,
            Read::One => one,
        });
        match self.taps {
            Taps::Bytes | Taps::BlockBytes(_) => value.map(|c| {
                let byte = to_unorm(f32::from_bits(c), 8);
                from_unorm(byte, 8).to_bits()
            }),
            _ => value,
        }
    }

    /// A border colour as the four bytes of unpacked components.
    pub(super) fn border_bytes(&self, border: Border) -> [u8; 4] {
        self.border(border)
            .map(|c| to_unorm(f32::from_bits(c), 8) as u8)
    }

    /// The border as a stored texel of bytes.
    pub(super) fn border_word(&self, sampler: &PreparedSampler) -> u32 {
        let bytes = self.border_bytes(sampler.sampler.border);
        let value = bytes.map(|byte| (f32::from(byte) / 255.0).to_bits());
        match self.taps {
            Taps::Bytes => self.format.pack_words(value)[0],
            _ => u32::from_le_bytes(bytes),
        }
    }

    /// Most probes of a footprint.
    pub(super) fn anisotropy(&self, sampler: &PreparedSampler) -> u32 {
        match self.dim {
            Dim::D3 => 1,
            _ => sampler.sampler.anisotropy,
        }
    }

    /// Whether the words of texels are the floats that they stand for.
    pub(super) fn is_float(&self) -> bool {
        let float = |c: &Channel| c.kind == Kind::Float && c.bits == 32;
        let plain = self.reading.is_none();
        matches!(self.format.row().layout, Layout::Plain([c]) if plain && float(c))
    }

    /// The stored byte that unpacked component `c` comes from, where texels are averaged as bytes.
    pub(super) fn byte_of(&self, c: usize) -> usize {
        match (self.taps, self.format.row().reads[c]) {
            (Taps::Bytes, Read::Channel(byte)) => byte as usize,
            _ => c,
        }
    }

    /// The stored byte that each result comes from.
    fn sources(&self) -> [Option<usize>; 4] {
        self.outputs.map(|read| match read {
            Read::Channel(c) => Some(self.byte_of(c.into())),
            _ => None,
        })
    }

    /// Whether a weighted average of texels is computed on bytes.
    pub(super) fn averages_bytes(&self) -> bool {
        self.has_bytes() && self.dim != Dim::D3
    }

    /// Whether components are bytes, from 0 to 1.
    pub(super) fn has_bytes(&self) -> bool {
        matches!(self.taps, Taps::Bytes | Taps::BlockBytes(_))
    }
}

/// A sampler ready for sampling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreparedSampler {
    pub(super) sampler: Sampler,
    pub(super) precision: Precision,
    /// How much longer than linear filters between levels stay at one: see [`rules::steepen`].
    pub(super) steepness: u32,
    /// Whether positions are those of neighbour tables.
    pub(super) has_tables: bool,
}

impl PreparedSampler {
    /// Joins a sampler with the precision of the chip, clamped to what the arithmetic carries.
    pub fn new(sampler: Sampler, precision: Precision) -> PreparedSampler {
        PreparedSampler {
            sampler: Sampler {
                anisotropy: sampler.anisotropy.clamp(1, 16),
                ..sampler
            },
            precision: Precision {
                weight_bits: precision.weight_bits.clamp(1, 8),
                lod_bits: precision.lod_bits.clamp(1, 8),
            },
            steepness: 0,
            has_tables: !sampler.unnormalized && precision.weight_bits == rules::FRACTION_BITS,
        }
    }

    /// The same with a filter between levels that begins to mix `eighths` of the way, at most 3, and ends as early.
    pub fn steeper(self, eighths: u32) -> PreparedSampler {
        let is_linear = self.sampler.mip == MipFilter::Linear;
        PreparedSampler {
            steepness: if is_linear { eighths.min(3) } else { 0 },
            ..self
        }
    }
}
