//! The texture unit's registers made ready for silicon's sampler. [R5xx 14 "TX"]
//!
//! A disabled unit gives 0, 0, 0, 1 and is none here. Not executed, each a [`TextureError`] of its own: MPEG rounding.
//! `converted` has formats that silicon lacks, and texels that match a key, `kernel` has Filter4.

mod converted;
mod kernel;

pub(crate) use converted::swapped;
pub(crate) use kernel::Filtered;
pub use kernel::Weights;

use radeon::registers::RegisterFile;
use silicon::Memory;
use silicon::fragment::depth::Compare;
use silicon::texture::format::{Channel, Class, Read};
use silicon::texture::sample::{
    Address, Aspect, Axes, Border, Dim, Filter, Level, MipFilter, Precision, PreparedSampler,
    PreparedTexture, Reduction, Sampler, Texture,
};

use crate::formats::{self, Missing, TX_FMT_Y8};
use crate::regs::{
    Field, Register, TX_BORDER_COLOR, TX_CHROMA_KEY, TX_ENABLE, TX_FILTER0, TX_FILTER1, TX_FORMAT0,
    TX_FORMAT1, TX_FORMAT2, TX_OFFSET,
};
use crate::tiling::{self, Shape, Tiling};

/// Units of the chip.
pub const UNITS: u32 = 16;

/// MAG_FILTER and MIN_FILTER; the manual reserves the last, which public drivers use.
const POINT: u32 = 1;
const LINEAR: u32 = 2;
const ANISOTROPIC: u32 = 3;
/// Logarithm of the most probes of a footprint.
const MOST_ANISO: u32 = 4;

/// Beyond every level.
const MOST_LEVEL: f32 = 15.0;

/// Fraction bits: six between levels as the manual says, eight between texels.
pub const PRECISION: Precision = Precision {
    weight_bits: 8,
    lod_bits: 6,
};

/// Why a texture cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextureError {
    /// Its format.
    #[error("texture {unit}: {missing}")]
    Format {
        /// Unit.
        unit: u32,
        /// Why.
        missing: Missing,
    },
    /// A field with a value that is not executed.
    #[error("texture {unit}: {register}.{field} {value} is not executed")]
    Field {
        /// Unit.
        unit: u32,
        /// Register.
        register: &'static str,
        /// Field.
        field: &'static str,
        /// Value.
        value: u32,
    },
    /// Where its texels lie.
    #[error("texture {unit}: {reason}")]
    Layout {
        /// Unit.
        unit: u32,
        /// Why.
        reason: String,
    },
    /// Beyond video memory.
    #[error(
        "texture {unit}: {bytes} bytes at {address:#x}, outside the {size} bytes of video memory"
    )]
    Outside {
        /// Unit.
        unit: u32,
        /// Where it begins.
        address: u64,
        /// How long it is.
        bytes: u64,
        /// Of the memory.
        size: u64,
    },
}

/// Most probes along the longer axis of a footprint, as a logarithm: bits that the manual reserves and public drivers use.
pub const MAX_ANISO: Field = TX_FILTER0::RESERVED_21;

/// Fields that enable what is not executed: all must be zero.
const UNEXECUTED: [(&str, Field); 5] = [
    ("TX_FILTER1", TX_FILTER1::MC_ROUND),
    ("TX_FILTER1", TX_FILTER1::MC_COORD_TRUNCATE),
    // A threshold of anisotropy, and probes in finer steps, that public drivers have in reserved bits.
    ("TX_FILTER1", TX_FILTER1::RESERVED_17),
    ("TX_FILTER1", TX_FILTER1::RESERVED_23),
    ("TX_FILTER1", TX_FILTER1::RESERVED_30),
];

/// The units whose lookups stop pixels, a bit each: those with a key that a texel may match.
pub fn stopping(registers: &RegisterFile) -> u16 {
    let stops = |unit: &Unit| unit.get(TX_FILTER1::CHROMA_KEY_MODE) == converted::STOP_MATCHES;
    units(registers)
        .filter(stops)
        .fold(0, |set, unit| set | 1 << unit.number)
}

/// A unit of a draw.
#[derive(Clone, Copy)]
pub struct Unit<'a> {
    /// The registers.
    pub registers: &'a RegisterFile,
    /// Which.
    pub number: u32,
}

/// The enabled texture units, each with its number.
pub fn units(registers: &RegisterFile) -> impl Iterator<Item = Unit<'_>> {
    let enabled = TX_ENABLE.read(registers, 0);
    (0..UNITS)
        .filter(move |n| enabled >> n & 1 == 1)
        .map(|number| Unit { registers, number })
}

/// The registers of a unit that say what it is.
pub(crate) const OF_UNIT: [Register; 8] = [
    TX_FILTER0,
    TX_FILTER1,
    TX_FORMAT0,
    TX_FORMAT1,
    TX_FORMAT2,
    TX_OFFSET,
    TX_CHROMA_KEY,
    TX_BORDER_COLOR,
];

/// Their words.
pub type Words = [u32; OF_UNIT.len()];

impl Unit<'_> {
    /// All that says what the unit is, without its number.
    pub fn words(&self) -> Words {
        OF_UNIT.map(|register| register.read(self.registers, self.number))
    }

    fn get(&self, field: Field) -> u32 {
        field.nth(self.registers, self.number)
    }

    fn refuse(&self, register: &'static str, field: Field) -> TextureError {
        TextureError::Field {
            unit: self.number,
            register,
            field: field.name,
            value: self.get(field),
        }
    }

    /// Whether the unit enables nothing that is not executed.
    pub fn check(&self) -> Result<(), TextureError> {
        for (register, field) in UNEXECUTED {
            if self.get(field) != 0 {
                return Err(self.refuse(register, field));
            }
        }
        if self.get(TX_FILTER1::CHROMA_KEY_MODE) == 3 {
            return Err(self.refuse("TX_FILTER1", TX_FILTER1::CHROMA_KEY_MODE));
        }
        for field in [TX_FORMAT1::YUV_TO_RGB, TX_FORMAT1::SWAP_YUV] {
            if self.get(field) != 0 && !self.is_yuv() {
                return Err(self.refuse("TX_FORMAT1", field));
            }
        }
        for field in [TX_FILTER0::MAG_FILTER, TX_FILTER0::MIN_FILTER] {
            if !self.has_kernel() && !matches!(self.get(field), POINT | LINEAR | ANISOTROPIC) {
                return Err(self.refuse("TX_FILTER0", field));
            }
        }
        if self.get(MAX_ANISO) > MOST_ANISO {
            return Err(self.refuse("TX_FILTER0", MAX_ANISO));
        }
        Ok(())
    }

    fn dim(&self) -> Result<Dim, TextureError> {
        match self.get(TX_FORMAT1::TEX_COORD_TYPE) {
            0 => Ok(Dim::D2),
            1 => Ok(Dim::D3),
            2 => Ok(Dim::Cube),
            _ => Err(self.refuse("TX_FORMAT1", TX_FORMAT1::TEX_COORD_TYPE)),
        }
    }

    /// Width, height and depth in texels.
    pub fn size(&self) -> [u32; 3] {
        let width = self.get(TX_FORMAT0::TXWIDTH) | self.get(TX_FORMAT2::TXWIDTH_11) << 11;
        let height = self.get(TX_FORMAT0::TXHEIGHT) | self.get(TX_FORMAT2::TXHEIGHT_11) << 11;
        let depth = match self.get(TX_FORMAT1::TEX_COORD_TYPE) {
            1 => 1 << self.get(TX_FORMAT0::TXDEPTH).min(12),
            _ => 1,
        };
        [width + 1, height + 1, depth]
    }

    fn format(&self) -> Result<silicon::Format, TextureError> {
        let code = self.code();
        let signs = [
            TX_FORMAT1::SIGNED_COMP0,
            TX_FORMAT1::SIGNED_COMP1,
            TX_FORMAT1::SIGNED_COMP2,
            TX_FORMAT1::SIGNED_COMP3,
        ];
        let signs = (0..).zip(signs).map(|(n, field)| self.get(field) << n);
        let gamma = self.get(TX_FORMAT1::GAMMA) != 0 && !self.removes_gamma();
        formats::texture(code, signs.sum(), gamma).map_err(|missing| TextureError::Format {
            unit: self.number,
            missing,
        })
    }

    /// Whether texels are floats.
    pub fn is_float(&self) -> Result<bool, TextureError> {
        Ok(self.format()?.class() == Class::Float)
    }

    fn code(&self) -> u32 {
        self.get(TX_FORMAT1::TXFORMAT) | self.get(TX_FORMAT2::TXFORMAT_MSB) << 5
    }

    /// Where red, green, blue and alpha come from.
    fn select(&self, format: silicon::Format) -> Result<[Read; 4], TextureError> {
        if self.code() == TX_FMT_Y8 {
            let luminance = Read::Channel(0);
            return Ok([luminance, luminance, luminance, Read::One]);
        }
        let fields = [
            TX_FORMAT1::SEL_RED,
            TX_FORMAT1::SEL_GREEN,
            TX_FORMAT1::SEL_BLUE,
            TX_FORMAT1::SEL_ALPHA,
        ];
        // Blocks of colours have red in the third component where a reserved bit of the manual says so, the first otherwise.
        let colors = format.is_block() && format.components() == 4;
        let swapped = colors && self.get(TX_FILTER1::RESERVED_21) != 0;
        let mut select = [Read::Zero; 4];
        for (read, field) in select.iter_mut().zip(fields) {
            *read = match self.get(field) {
                n @ (0 | 2) if swapped => formats::component(format, 2 - n as u8),
                n @ 0..=3 => formats::component(format, n as u8),
                4 => Read::Zero,
                5 => Read::One,
                _ => return Err(self.refuse("TX_FORMAT1", field)),
            };
        }
        Ok(select)
    }

    /// Where the texels lie.
    pub fn shape(&self) -> Result<Shape, TextureError> {
        let format = self.format()?;
        let micro = self.get(TX_OFFSET::MICRO_TILE);
        let tiling = Tiling::new(self.get(TX_OFFSET::MACRO_TILE) != 0, micro)
            .ok_or_else(|| self.refuse("TX_OFFSET", TX_OFFSET::MICRO_TILE))?;
        let (across, down) = format.block_size();
        let pitch = match self.get(TX_FORMAT0::TXPITCH_EN) {
            0 => None,
            _ => Some((self.get(TX_FORMAT2::TXPITCH) + 1).div_ceil(across)),
        };
        Ok(Shape {
            tiling,
            element_bytes: format.size_bytes(),
            block: [across, down],
            size: self.size(),
            pitch,
            levels: self.get(TX_FORMAT0::NUM_LEVELS) + 1,
            cube: self.dim()? == Dim::Cube,
            macro_switch: self.get(TX_FILTER1::MACRO_SWITCH) != 0,
        })
    }

    /// The components of a lookup, a bit each, that are bytes divided by 256 instead of 255.
    pub fn divided_by_256(&self) -> Result<u8, TextureError> {
        if self.get(TX_FORMAT2::POW2FIX2FLT) == 0 {
            return Ok(0);
        }
        let format = self.format()?;
        let bytes = |channel: &Channel| channel.bits == 8;
        if format.class() != Class::Unorm
            || format.channels().is_empty()
            || format.is_srgb()
            || !format.channels().iter().all(bytes)
        {
            return Err(self.refuse("TX_FORMAT2", TX_FORMAT2::POW2FIX2FLT));
        }
        let stored = self
            .select(format)?
            .map(|read| matches!(read, Read::Channel(_)));
        let bits = (0..).zip(stored).map(|(n, stored)| u8::from(stored) << n);
        Ok(bits.sum())
    }

    fn layout_error(&self, reason: String) -> TextureError {
        TextureError::Layout {
            unit: self.number,
            reason,
        }
    }

    /// The address of the texture, inside a memory of some bytes, and its levels.
    fn levels(&self, memory: &Memory) -> Result<(u64, Vec<tiling::Level>), TextureError> {
        let layout_error = |reason: String| self.layout_error(reason);
        let shape = self.shape()?;
        let levels = tiling::layout(&shape).map_err(layout_error)?;
        let address = u64::from(TX_OFFSET.read(self.registers, self.number) & !31);
        if !address.is_multiple_of(shape.tiling.base_align()) {
            let align = shape.tiling.base_align();
            return Err(layout_error(format!(
                "{address:#x} is not a multiple of {align}"
            )));
        }
        let ends = levels
            .last()
            .map(|level| level.offset + u64::from(level.slices) * level.surface.slice_bytes());
        let (bytes, size) = (ends.unwrap_or(0), memory.size());
        if address + bytes > size || bytes > u64::from(u32::MAX) {
            return Err(TextureError::Outside {
                unit: self.number,
                address,
                bytes,
                size,
            });
        }
        Ok((address, levels))
    }

    /// The texture, inside a memory of some bytes.
    pub fn texture(&self, memory: &Memory) -> Result<PreparedTexture, TextureError> {
        let (dim, format, shape) = (self.dim()?, self.format()?, self.shape()?);
        let (address, levels) = self.levels(memory)?;
        let levels = levels.iter().map(|level| {
            let surface = &level.surface;
            let [width, height, depth] = level.size;
            let [across, down] = shape.block;
            let elements = [
                width.div_ceil(across),
                height.div_ceil(down),
                level.slices,
                1,
            ];
            use silicon::fragment::surface::Layout;
            let xor = surface.xor_bits() as u32;
            Level {
                width,
                height,
                depth,
                base: address + level.offset,
                axes: Axes::new(elements, xor, |x, y, z, s| {
                    surface.offset(x, y, z, s) as u32
                }),
            }
        });
        let texture = Texture {
            dim,
            format,
            aspect: Aspect::First,
            select: self.select(format)?,
            layers: 1,
            samples: 1,
            min_lod: 0.0,
            levels: levels.collect(),
        };
        PreparedTexture::new(&texture).map_err(|error| self.layout_error(error.to_string()))
    }

    /// How it is sampled.
    pub fn sampler(&self) -> Result<PreparedSampler, TextureError> {
        let sampler = PreparedSampler::new(self.sampler_state()?, PRECISION);
        Ok(sampler.steeper(self.get(TX_FILTER1::TRI_PERF)))
    }

    /// The same before it is prepared.
    pub fn sampler_state(&self) -> Result<Sampler, TextureError> {
        self.check()?;
        let format = self.format()?;
        let is_float = self.is_float()?;
        // Floats are never filtered.
        let filter = |field: Field| match self.get(field) {
            LINEAR | ANISOTROPIC if !is_float => Filter::Linear,
            _ => Filter::Nearest,
        };
        let anisotropy = match self.get(TX_FILTER0::MIN_FILTER) {
            ANISOTROPIC if !is_float => 1 << self.get(MAX_ANISO),
            _ => 1,
        };
        let mip = match (self.get(TX_FILTER0::MIP_FILTER), is_float) {
            (0, _) => MipFilter::None,
            (1, _) | (2, true) => MipFilter::Nearest,
            (2, false) => MipFilter::Linear,
            _ => return Err(self.refuse("TX_FILTER0", TX_FILTER0::MIP_FILTER)),
        };
        let slices = match self.get(TX_FILTER0::VOL_FILTER) {
            0 => None,
            1 => Some(Filter::Nearest),
            2 => Some(filter(TX_FILTER0::VOL_FILTER)),
            _ => return Err(self.refuse("TX_FILTER0", TX_FILTER0::VOL_FILTER)),
        };
        let clamps = [
            TX_FILTER0::CLAMP_S,
            TX_FILTER0::CLAMP_T,
            TX_FILTER0::CLAMP_R,
        ];
        let bias = TX_FILTER1::LOD_BIAS;
        let filter1 = TX_FILTER1.read(self.registers, self.number);
        Ok(Sampler {
            address: clamps.map(|field| address(self.get(field))),
            mag: filter(TX_FILTER0::MAG_FILTER),
            min: filter(TX_FILTER0::MIN_FILTER),
            slices,
            mip,
            // One step is none. [ERRATA 28]
            lod_bias: (bias.signed(filter1) - 1) as f32 / 32.0,
            lod_min: self.get(TX_FILTER0::MAX_MIP_LEVEL) as f32,
            // The last level is the texture's: one that has no other is minified too.
            lod_max: MOST_LEVEL,
            border: Border::Custom(self.border(format)?),
            compare: Compare::Never,
            unnormalized: false,
            anisotropy,
            reduction: Reduction::Average,
            seamless: false,
        })
    }

    /// The border colour: a texel of the format, whose components are selected as those of others are. Wider ones repeat
    /// the register, blocks of colours have ARGB8888, those of one and two components have component 0 in the lowest byte.
    fn border(&self, format: silicon::Format) -> Result<[u32; 4], TextureError> {
        let word = TX_BORDER_COLOR.read(self.registers, self.number);
        if self.is_yuv() {
            return Ok(self.yuv(word));
        }
        self.selected(format, self.border_texel(format))
    }

    /// The components of the border colour.
    fn border_texel(&self, format: silicon::Format) -> [u32; 4] {
        let word = TX_BORDER_COLOR.read(self.registers, self.number);
        match format.is_block() {
            false => format.unpack_words([word; 4]),
            true if format.components() == 4 => {
                let [blue, green, red, alpha] = word.to_le_bytes();
                [red, green, blue, alpha].map(|byte| (f32::from(byte) / 255.0).to_bits())
            }
            true => {
                let texel = match format.class() {
                    Class::Snorm => silicon::Format::R8G8B8A8Snorm,
                    _ => silicon::Format::R8G8B8A8Unorm,
                };
                texel.unpack_words([word; 4])
            }
        }
    }
}

/// CLAMP_S, CLAMP_T and CLAMP_R.
fn address(code: u32) -> Address {
    match code {
        0 => Address::Repeat,
        1 => Address::Mirror,
        2 => Address::ClampToEdge,
        3 => Address::MirrorClampToEdge,
        4 => Address::HalfBorder,
        5 => Address::MirrorHalfBorder,
        6 => Address::Border,
        _ => Address::MirrorBorder,
    }
}
