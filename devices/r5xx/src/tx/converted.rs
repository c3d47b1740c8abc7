//! Textures that the sampler has no format for, as floats in a memory of their own: luminance and colour differences,
//! one or two encoded bytes, bytes in another order, texels that a key makes zero.
//!
//! The texels of a draw are converted once, before they are filtered.

use silicon::Memory;
use silicon::texture::format::Read;
use silicon::texture::sample::{Aspect, Axes, Level, PreparedTexture, Texture};
use silicon::texture::{fixed, srgb};

use super::{TextureError, Unit};
use crate::formats::{TX_FMT_8, TX_FMT_8_8, TX_FMT_AVYU444, TX_FMT_VYUY422, TX_FMT_YVYU422};
use crate::regs::{TX_CHROMA_KEY, TX_FILTER1, TX_FORMAT1, TX_OFFSET};
use crate::tiling::Level as Stored;

/// Bytes of a texel of four floats.
const BYTES: u32 = 16;
/// CHROMA_KEY_MODE: texels that match stop the pixel, or are zero.
pub(super) const STOP_MATCHES: u32 = 1;
const ZERO_MATCHES: u32 = 2;

/// What a converted texel holds.
#[derive(Clone, Copy, PartialEq)]
enum Holds {
    /// The colour.
    Color,
    /// The colour, or nothing where it matches this key.
    Unkeyed(u32),
    /// One where it matches this key, otherwise nothing.
    Match(u32),
}

/// A word whose bytes lie in another order: halves' bytes, all bytes, halves. [R5xx VC_SWAP, TX_OFFSET.ENDIAN_SWAP]
pub(crate) fn swapped(word: u32, swap: u32) -> u32 {
    match swap {
        0 => word,
        1 => word.swap_bytes().rotate_left(16),
        2 => word.swap_bytes(),
        _ => word.rotate_left(16),
    }
}

/// Red, green, blue and alpha of luminance and differences by ITU-R BT.601: luminance from 16 to 235, differences
/// around 128 in 224 steps.
fn rgb([alpha, v, y, u]: [u32; 4], clamps: bool) -> [f32; 4] {
    let [y, u, v] = [y as f32 - 16.0, u as f32 - 128.0, v as f32 - 128.0];
    let luminance = y / 219.0;
    let colors = [
        luminance + 1.402 * v / 224.0,
        luminance - (0.344_136 * u + 0.714_136 * v) / 224.0,
        luminance + 1.772 * u / 224.0,
    ];
    let [red, green, blue] = colors.map(|c| if clamps { c.clamp(0.0, 1.0) } else { c });
    [red, green, blue, alpha as f32 / 255.0]
}

impl Unit<'_> {
    /// Whether texels are luminance and colour differences.
    pub(super) fn is_yuv(&self) -> bool {
        matches!(
            self.code(),
            TX_FMT_AVYU444 | TX_FMT_VYUY422 | TX_FMT_YVYU422
        )
    }

    /// Whether one or two bytes are in the sRGB encoding. Alpha is not, whichever byte it comes from.
    pub(super) fn removes_gamma(&self) -> bool {
        self.get(TX_FORMAT1::GAMMA) != 0 && matches!(self.code(), TX_FMT_8 | TX_FMT_8_8)
    }

    /// Red, green, blue and alpha of a texel's components.
    pub(super) fn selected(
        &self,
        format: silicon::Format,
        texel: [u32; 4],
    ) -> Result<[u32; 4], TextureError> {
        let mut color = self.select(format)?.map(|read| match read {
            Read::Channel(component) => texel[usize::from(component)],
            Read::Zero => 0,
            Read::One => 1f32.to_bits(),
        });
        if self.removes_gamma() {
            for bits in &mut color[..3] {
                let byte = fixed::to_unorm(f32::from_bits(*bits), 8) as u8;
                *bits = srgb::to_linear(byte).to_bits();
            }
        }
        Ok(color)
    }

    /// The colour that an AVYU word stands for, as bits.
    pub(super) fn yuv(&self, word: u32) -> [u32; 4] {
        let word = match self.get(TX_FORMAT1::SWAP_YUV) {
            0 => word,
            // The top bits of both differences.
            _ => word ^ 0x0080_0080,
        };
        let avyu = [24, 16, 8, 0].map(|low| word >> low & 0xff);
        let color = match self.get(TX_FORMAT1::YUV_TO_RGB) {
            0 => {
                let [alpha, v, y, u] = avyu.map(|byte| byte as f32 / 255.0);
                [v, y, u, alpha]
            }
            mode => rgb(avyu, mode == 1),
        };
        color.map(f32::to_bits)
    }

    /// A texture of ones where texels match the key, where that stops pixels.
    pub fn matches(
        &self,
        memory: &Memory,
    ) -> Result<Option<(Memory, PreparedTexture)>, TextureError> {
        let stops = self.get(TX_FILTER1::CHROMA_KEY_MODE) == STOP_MATCHES;
        let key = TX_CHROMA_KEY.read(self.registers, self.number);
        let converted = || self.convert(memory, Holds::Match(key));
        stops.then(converted).transpose()
    }

    /// Whether texels are converted.
    pub(super) fn is_converted(&self) -> bool {
        self.is_yuv()
            || self.removes_gamma()
            || self.get(TX_FILTER1::CHROMA_KEY_MODE) == ZERO_MATCHES
            || self.get(TX_OFFSET::ENDIAN_SWAP) != 0
    }

    /// The texture and its memory, where texels are converted.
    pub fn converted(
        &self,
        memory: &Memory,
    ) -> Result<Option<(Memory, PreparedTexture)>, TextureError> {
        if !self.is_converted() {
            return Ok(None);
        }
        let keyed = self.get(TX_FILTER1::CHROMA_KEY_MODE) == ZERO_MATCHES;
        let holds = match keyed {
            true => Holds::Unkeyed(TX_CHROMA_KEY.read(self.registers, self.number)),
            false => Holds::Color,
        };
        self.convert(memory, holds).map(Some)
    }

    /// All texels in a memory of their own.
    fn convert(
        &self,
        memory: &Memory,
        holds: Holds,
    ) -> Result<(Memory, PreparedTexture), TextureError> {
        let swap = self.get(TX_OFFSET::ENDIAN_SWAP);
        let format = self.format()?;
        if format.is_block() || format.channels().is_empty() {
            let (register, field) = match swap {
                0 => ("TX_FILTER1", TX_FILTER1::CHROMA_KEY_MODE),
                _ => ("TX_OFFSET", TX_OFFSET::ENDIAN_SWAP),
            };
            return Err(self.refuse(register, field));
        }
        let (address, levels) = self.levels(memory)?;
        let texels = |level: &Stored| {
            let [width, height, _] = level.size;
            u64::from(width) * u64::from(height) * u64::from(level.slices)
        };
        let bytes = u64::from(BYTES) * levels.iter().map(texels).sum::<u64>();
        if bytes > u64::from(u32::MAX) {
            return Err(self.layout_error(format!("{bytes} bytes of converted texels")));
        }
        let to = Memory::new(bytes.next_multiple_of(4096));
        let (mut base, mut converted) = (0, Vec::new());
        for level in &levels {
            let [width, height, depth] = level.size;
            let pitch = BYTES * width;
            let axes = Axes::linear([width, height, level.slices], BYTES, pitch, pitch * height);
            for z in 0..level.slices {
                for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                    let texel = self.texel(
                        memory,
                        address + level.offset,
                        level,
                        [x, y, z],
                        (swap, holds),
                    )?;
                    let at = base + u64::from(axes.offset(x, y, z, 0));
                    to.store_quad(at, &texel)
                        .ok_or_else(|| self.layout_error("no room for a texel".into()))?;
                }
            }
            converted.push(Level {
                width,
                height,
                depth,
                base,
                axes,
            });
            base += u64::from(BYTES) * texels(level);
        }
        let plain = self.is_yuv() || self.removes_gamma() || matches!(holds, Holds::Match(_));
        let select = match plain {
            true => [0, 1, 2, 3].map(Read::Channel),
            false => self.select(format)?,
        };
        let texture = Texture {
            dim: self.dim()?,
            format: silicon::Format::R32G32B32A32Float,
            aspect: Aspect::First,
            select,
            layers: 1,
            samples: 1,
            min_lod: 0.0,
            levels: converted,
        };
        let texture =
            PreparedTexture::new(&texture).map_err(|error| self.layout_error(error.to_string()))?;
        Ok((to, texture))
    }

    /// The components of a texel.
    fn texel(
        &self,
        memory: &Memory,
        base: u64,
        level: &Stored,
        [x, y, z]: [u32; 3],
        (swap, holds): (u32, Holds),
    ) -> Result<[u32; 4], TextureError> {
        let code = self.code();
        let pairs = matches!(code, TX_FMT_VYUY422 | TX_FMT_YVYU422);
        let left = if pairs { x & !1 } else { x };
        let at = base + level.surface.offset(left, y, z, 0);
        let mut words = [0; 4];
        for (n, word) in (0..).zip(&mut words) {
            let address = (at & !3) + 4 * n;
            if address < memory.size() {
                *word = swapped(memory.load(address).unwrap_or(0), swap);
            }
        }
        words[0] >>= 8 * (at & 3);
        let format = self.format()?;
        // Luminance of the left texel lies lower; both share the differences.
        let odd = 16 * (x & 1);
        let bits = match code {
            TX_FMT_VYUY422 => {
                let [v, y, u] = [words[0] >> 24, words[0] >> odd & 0xff, words[0] >> 8 & 0xff];
                0xff00_0000 | v << 16 | y << 8 | u
            }
            TX_FMT_YVYU422 => {
                let [v, y, u] = [
                    words[0] >> 16 & 0xff,
                    words[0] >> (8 + odd) & 0xff,
                    words[0] & 0xff,
                ];
                0xff00_0000 | v << 16 | y << 8 | u
            }
            _ if format.size_bytes() < 4 => words[0] & ((1 << (8 * format.size_bytes())) - 1),
            _ => words[0],
        };
        match holds {
            Holds::Match(key) => return Ok([f32::from(u8::from(bits == key)).to_bits(); 4]),
            Holds::Unkeyed(key) if bits == key => return Ok([0; 4]),
            Holds::Color | Holds::Unkeyed(_) => {}
        }
        words[0] = bits;
        Ok(match self.is_yuv() {
            true => self.yuv(bits),
            false if self.removes_gamma() => self.selected(format, format.unpack_words(words))?,
            false => format.unpack_words(words),
        })
    }
}
