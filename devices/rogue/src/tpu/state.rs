//! Texture state and sampler words. [Rogue 11.4]
//!
//! Word 1 has bit 57 where the format is a compressed one: which bit says so is not public.

use std::ops::Range;

use silicon::Memory;
use silicon::fragment::depth::Compare;
use silicon::fragment::surface::Layout;
use silicon::texture::format::{Class, Read};
use silicon::texture::sample::{
    Address, Aspect, Axes, Border, Dim, Filter, Level, MipFilter, Precision, Reduction, Sampler,
    Texture,
};

use crate::formats::{Code, from_code};
use crate::layout::{self, Order, Shape};

/// Fraction bits. [Rogue 11.3]
pub const PRECISION: Precision = Precision {
    weight_bits: 8,
    lod_bits: 8,
};

isa::word! {
    /// IMAGE_WORD0.
    pub struct Image0: u64 where {
        smpcnt: u8 [63:62], height: u16 [61:48], width: u16 [47:34], texformat: u8 [33:27], minlod: u16 [26:17],
        swiz0: u8 [16:14], swiz1: u8 [13:11], swiz2: u8 [10:8], swiz3: u8 [7:5], twocomp_gamma: bool [4:4], gamma: bool [3:3],
        textype: u8 [2:0]
    }
}

isa::word! {
    /// IMAGE_WORD1 of all types but strided ones.
    pub struct Image1: u64 where {
        baselevel: u8 [63:60], alpha_msb: bool [59:59], border: bool [58:58], compressed: bool [57:57], compression: u8 [56:54],
        texaddr: u64 [53:16], mipmaps_present: bool [15:15], depth: u16 [14:4], num_mip_levels: u8 [3:0]
    }
}

isa::word! {
    /// SAMPLER word 0.
    pub struct Sampler0: u64 where {
        reserved_62: u8 [63:62], cmp_mode: u8 [61:59], addrmode_w: u8 [58:56], bordercolor: u8 [55:50],
        non_normalized: bool [49:49], lumakey: bool [48:48], lumakey_alphamult: bool [47:47], addrmode_v: u8 [46:44],
        addrmode_u: u8 [43:41], mipfilter: bool [40:40], minfilter: u8 [39:38], magfilter: u8 [37:36],
        anisoctl: u8 [35:33], maxlod: u16 [32:23], minlod: u16 [22:13], dadjust: u16 [12:0]
    }
}

isa::word! {
    /// SAMPLER word 1.
    pub struct Sampler1: u64 where { cemedge_dontfilter: bool [63:63], reserved_0: u64 [62:0] }
}

/// textype.
pub mod textype {
    /// A row.
    pub const D1: u8 = 0;
    /// A rectangle, or layers of them.
    pub const D2: u8 = 1;
    /// A box.
    pub const D3: u8 = 2;
    /// Six squares, or layers of those.
    pub const CUBE: u8 = 3;
    /// Rows of texels with a stride.
    pub const STRIDE: u8 = 4;
}

/// Texture state: four words of the manual. Words 4 and 5 count the layers where there are more than word 1 can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureWords(pub [u32; 6]);

impl TextureWords {
    fn images(&self) -> (Image0, Image1) {
        let [a, b, c, d, ..] = self.0.map(u64::from);
        (
            Image0::from_word(a | b << 32),
            Image1::from_word(c | d << 32),
        )
    }

    /// Where each component of a store comes from: red of texels whose red and blue are exchanged is the data's blue.
    pub fn sources(&self) -> [usize; 4] {
        let (image, _) = self.images();
        let swizzle = [image.swiz0, image.swiz1, image.swiz2, image.swiz3];
        std::array::from_fn(|channel| {
            let found = swizzle
                .iter()
                .position(|from| usize::from(*from) == channel);
            found.unwrap_or(channel)
        })
    }

    /// Puts another address into the words.
    pub fn set_address(words: &mut [u32; 6], address: u64) {
        let word = u64::from(words[2]) | u64::from(words[3]) << 32;
        let image = Image1 {
            texaddr: address >> 2 & ((1 << 38) - 1),
            ..Image1::from_word(word)
        };
        let word = image.pack();
        (words[2], words[3]) = (word as u32, (word >> 32) as u32);
    }

    /// Whether texels are floats as they are.
    pub fn is_float(&self) -> bool {
        let (image, more) = self.images();
        let code = Code {
            number: image.texformat,
            compressed: more.compressed,
        };
        from_code(code, true, false).is_ok_and(|format| format.class() == Class::Float)
    }

    /// The texture, inside a memory of some bytes, and the bytes that its texels lie in. `normalized`: integers are
    /// fractions.
    pub fn texture(
        &self,
        memory: &Memory,
        normalized: bool,
    ) -> Result<(Texture, Range<u64>), String> {
        let (image, more) = self.images();
        let code = Code {
            number: image.texformat,
            compressed: more.compressed,
        };
        if more.compression != 0 {
            return Err(format!(
                "compression mode {} is not executed",
                more.compression
            ));
        }
        for (set, what) in [
            (image.twocomp_gamma, "gamma of two components"),
            (more.alpha_msb, "alpha_msb"),
            (more.border, "a border of texels"),
        ] {
            if set {
                return Err(format!("{what} is not executed"));
            }
        }
        let format =
            from_code(code, normalized, image.gamma).map_err(|missing| missing.to_string())?;
        let (dim, order) = match image.textype {
            textype::D1 => (Dim::D1, Order::Twiddled),
            textype::D2 => (Dim::D2, Order::Twiddled),
            textype::D3 => (Dim::D3, Order::Twiddled3d),
            textype::CUBE => (Dim::Cube, Order::Twiddled),
            textype::STRIDE => (Dim::D2, Order::Linear),
            other => return Err(format!("texture type {other} is not executed")),
        };
        let strided = image.textype == textype::STRIDE;
        let (size, block) = (
            [u32::from(image.width) + 1, u32::from(image.height) + 1],
            format.block_size(),
        );
        let depth = if strided {
            1
        } else {
            u32::from(more.depth) + 1
        };
        let (count, base_level) = match strided {
            true => (1, 0),
            false => (u32::from(more.num_mip_levels), u32::from(more.baselevel)),
        };
        let count = base_level + count.max(1);
        let shape = Shape {
            order,
            element_bytes: format.size_bytes(),
            block: [block.0, block.1],
            size: [size[0], size[1], if dim == Dim::D3 { depth } else { 1 }],
            pitch: strided.then(|| (self.0[2] & 0x7fff) + 1),
            levels: if more.mipmaps_present {
                count.max(2)
            } else {
                count
            },
            samples: 1 << image.smpcnt,
        };
        let slices = match dim {
            Dim::D3 => depth,
            Dim::Cube => 6 * depth,
            _ => depth,
        };
        let address = more.texaddr << 2;
        let levels = layout::levels(&shape);
        let levels = levels
            .get(base_level as usize..count as usize)
            .unwrap_or(&[]);
        let ends = levels
            .iter()
            .map(|level| level.offset + level.surface.bytes(slices));
        let end = ends.max().unwrap_or(0);
        if address + end > memory.size() || end > u64::from(u32::MAX) {
            let size = memory.size();
            let ([width, height, depth], count) = (shape.size, levels.len());
            return Err(format!(
                "a texture of {width}x{height}x{depth} texels, {count} levels, {slices} slices: {end} bytes at \
                 {address:#x}, outside the {size} bytes of video memory"
            ));
        }
        let level = |level: &layout::ImageLevel| {
            let [width, height, deep] = level.size;
            let along = [width.div_ceil(block.0), height.div_ceil(block.1)];
            let slices = if dim == Dim::D3 { deep } else { slices };
            let surface = level.surface;
            Level {
                width,
                height,
                depth: deep,
                base: address + level.offset,
                axes: Axes::new(
                    [along[0], along[1], slices, shape.samples],
                    0,
                    |x, y, z, s| surface.offset(x, y, z, s) as u32,
                ),
            }
        };
        let texture = Texture {
            dim,
            format,
            aspect: Aspect::First,
            select: select([image.swiz0, image.swiz1, image.swiz2, image.swiz3])?,
            layers: if dim == Dim::D3 { 1 } else { depth },
            samples: shape.samples,
            min_lod: f32::from(image.minlod) / 64.0,
            levels: levels.iter().map(level).collect(),
        };
        Ok((texture, address..address + end))
    }
}

/// What the components of a result are: 0 to 3 are red to alpha of the format.
fn select(codes: [u8; 4]) -> Result<[Read; 4], String> {
    let mut out = [Read::Zero; 4];
    for (out, code) in out.iter_mut().zip(codes) {
        *out = match code {
            channel @ 0..=3 => Read::Channel(channel),
            4 => Read::One,
            5 => Read::Zero,
            other => return Err(format!("swizzle {other}")),
        };
    }
    Ok(out)
}

/// Sampler words: four of the manual. Comparisons have the codes of the ISP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplerWords(pub [u32; 4]);

/// The first border colours, by index: the manual does not say what its table holds. Those behind are in memory, four
/// words each, from [`crate::regs::TPU_BORDERS_LO`] on.
pub const BORDERS: [Border; 3] = [
    Border::TransparentBlack,
    Border::OpaqueBlack,
    Border::OpaqueWhite,
];

impl SamplerWords {
    fn word(&self) -> Sampler0 {
        let [a, b, ..] = self.0.map(u64::from);
        Sampler0::from_word(a | b << 32)
    }

    /// Number of the border colour in the table in memory; none if it is one of [`BORDERS`].
    pub fn border_entry(&self) -> Option<u64> {
        u64::from(self.word().bordercolor).checked_sub(BORDERS.len() as u64)
    }

    /// The sampler; `texels`: the instruction's coordinates are texels. `border`: the colour of
    /// [`SamplerWords::border_entry`].
    pub fn sampler(&self, texels: bool, border: [u32; 4]) -> Result<Sampler, String> {
        let word = self.word();
        if word.lumakey || word.lumakey_alphamult {
            return Err("luma keys are not executed".to_owned());
        }
        if let Some(filter) = [word.minfilter, word.magfilter].iter().find(|f| **f > 1) {
            return Err(format!("filter {filter} is not executed"));
        }
        let [.., low, high] = self.0.map(u64::from);
        let edges = Sampler1::from_word(low | high << 32);
        let address = |code: u8| match code {
            0 => Address::Repeat,
            1 => Address::Mirror,
            3 => Address::MirrorClampToEdge,
            4 => Address::Border,
            5 => Address::HalfBorder,
            _ => Address::ClampToEdge,
        };
        let filter = |code: u8| match code {
            0 => Filter::Nearest,
            _ => Filter::Linear,
        };
        Ok(Sampler {
            address: [word.addrmode_u, word.addrmode_v, word.addrmode_w].map(address),
            mag: filter(word.magfilter),
            min: filter(word.minfilter),
            slices: None,
            mip: match word.mipfilter {
                true => MipFilter::Linear,
                false => MipFilter::Nearest,
            },
            lod_bias: (f32::from(word.dadjust) - 4095.0) / 256.0,
            lod_min: f32::from(word.minlod) / 64.0,
            lod_max: f32::from(word.maxlod) / 64.0,
            border: match BORDERS.get(usize::from(word.bordercolor)) {
                Some(fixed) => *fixed,
                None => Border::Custom(border),
            },
            compare: Compare::ALL[usize::from(word.cmp_mode)],
            unnormalized: word.non_normalized || texels,
            anisotropy: 1 << word.anisoctl.min(4),
            reduction: Reduction::Average,
            seamless: !edges.cemedge_dontfilter,
        })
    }
}
