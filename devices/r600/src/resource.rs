//! Resources and samplers: what vertex and texture fetches read from. [R600D SQ_TEX_RESOURCE, SQ_VTX_CONSTANT, SQ_TEX_SAMPLER]
//!
//! A resource is seven words, a buffer ([`VertexResource`]) or an image ([`TextureResource`]) as its last word says; a
//! sampler is three ([`Sampler`]). SET_RESOURCE and SET_SAMPLER put them into registers.

isa::word! {
    /// SQ_TEX_RESOURCE_WORD0: shape, tiling, pitch / 8 - 1, width - 1.
    pub struct TexResourceWord0: u32 where {
        tex_width: u16 [31:19],
        pitch: u16 [18:8],
        tile_type: bool [7:7],
        tile_mode: u8 [6:3],
        dim: u8 [2:0],
    }
}

isa::word! {
    /// SQ_TEX_RESOURCE_WORD1: height - 1, depth or layers - 1, format.
    pub struct TexResourceWord1: u32 where {
        data_format: u8 [31:26],
        tex_depth: u16 [25:13],
        tex_height: u16 [12:0],
    }
}

isa::word! {
    /// SQ_TEX_RESOURCE_WORD4: how channels are read.
    pub struct TexResourceWord4: u32 where {
        base_level: u8 [31:28],
        dst_sel_w: u8 [27:25],
        dst_sel_z: u8 [24:22],
        dst_sel_y: u8 [21:19],
        dst_sel_x: u8 [18:16],
        request_size: u8 [15:14],
        endian_swap: u8 [13:12],
        force_degamma: bool [11:11],
        srf_mode_all: bool [10:10],
        num_format_all: u8 [9:8],
        format_comp_w: u8 [7:6],
        format_comp_z: u8 [5:4],
        format_comp_y: u8 [3:2],
        format_comp_x: u8 [1:0],
    }
}

isa::word! {
    /// SQ_TEX_RESOURCE_WORD5: the view. With several samples LAST_LEVEL is log2 of their number.
    pub struct TexResourceWord5: u32 where {
        reserved_30: u8 [31:30],
        last_array: u16 [29:17],
        base_array: u16 [16:4],
        last_level: u8 [3:0],
    }
}

isa::word! {
    /// SQ_TEX_RESOURCE_WORD6: values of TYPE in [`kind`].
    pub struct TexResourceWord6: u32 where {
        kind: u8 [31:30],
        reserved_9: u32 [29:9],
        interlaced: bool [8:8],
        perf_modulation: u8 [7:5],
        max_aniso: u8 [4:2],
        mpeg_clamp: u8 [1:0],
    }
}

isa::word! {
    /// SQ_VTX_CONSTANT_WORD2: stride in bytes and format.
    pub struct VtxConstantWord2: u32 where {
        endian_swap: u8 [31:30],
        srf_mode_all: bool [29:29],
        format_comp_all: bool [28:28],
        num_format_all: u8 [27:26],
        data_format: u8 [25:20],
        clamp_x: bool [19:19],
        stride: u16 [18:8],
        base_address_hi: u8 [7:0],
    }
}

isa::word! {
    /// SQ_TEX_SAMPLER_WORD0.
    pub struct TexSamplerWord0: u32 where {
        lod_uses_minor_axis: bool [31:31],
        chroma_key: u8 [30:29],
        depth_compare_function: u8 [28:26],
        tex_array_override: bool [25:25],
        point_sampling_clamp: bool [24:24],
        border_color_type: u8 [23:22],
        max_aniso_ratio: u8 [21:19],
        mip_filter: u8 [18:17],
        z_filter: u8 [16:15],
        xy_min_filter: u8 [14:12],
        xy_mag_filter: u8 [11:9],
        clamp_z: u8 [8:6],
        clamp_y: u8 [5:3],
        clamp_x: u8 [2:0],
    }
}

isa::word! {
    /// SQ_TEX_SAMPLER_WORD1: limits of the level in unsigned 4.6, bias in signed 5.6.
    pub struct TexSamplerWord1: u32 where {
        lod_bias: i16 [31:20],
        max_lod: u16 [19:10],
        min_lod: u16 [9:0],
    }
}

isa::word! {
    /// SQ_TEX_SAMPLER_WORD2.
    pub struct TexSamplerWord2: u32 where {
        kind: bool [31:31],
        reserved_28: u8 [30:28],
        sample_is_pcf: bool [27:27],
        fetch_4: bool [26:26],
        reserved_20: u8 [25:20],
        perf_z: u8 [19:18],
        perf_mip: u8 [17:15],
        high_precision_filter: bool [14:14],
        force_degamma: bool [13:13],
        mc_coord_truncate: bool [12:12],
        lod_bias_sec: u16 [11:0],
    }
}

/// A buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexResource {
    /// Byte address, 40 bits.
    pub base: u64,
    /// Bytes.
    pub size: u32,
    /// Stride and format; the high bits of the address are those of `base`.
    pub word2: VtxConstantWord2,
}

/// An image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextureResource {
    /// Shape and tiling.
    pub word0: TexResourceWord0,
    /// Height, depth, format.
    pub word1: TexResourceWord1,
    /// Byte address / 256 of level 0.
    pub base: u32,
    /// Byte address / 256 of level 1.
    pub mip_base: u32,
    /// Channels.
    pub word4: TexResourceWord4,
    /// The view.
    pub word5: TexResourceWord5,
    /// Kind of resource.
    pub word6: TexResourceWord6,
}

/// A sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// Address modes, filters, comparison.
    pub word0: TexSamplerWord0,
    /// Levels.
    pub word1: TexSamplerWord1,
    /// The rest.
    pub word2: TexSamplerWord2,
}

/// A resource of either kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    /// A buffer.
    Vertex(VertexResource),
    /// An image.
    Texture(TextureResource),
}

impl Resource {
    /// From seven words; none where nothing is bound.
    pub fn from_words(words: &[u32; 7]) -> Option<Resource> {
        match TexResourceWord6::from_word(words[6]).kind {
            kind::VALID_TEXTURE => Some(Resource::Texture(TextureResource::from_words(words))),
            kind::VALID_BUFFER => Some(Resource::Vertex(VertexResource::from_words(words))),
            _ => None,
        }
    }
}

impl VertexResource {
    /// From seven words.
    pub fn from_words(words: &[u32; 7]) -> VertexResource {
        let word2 = VtxConstantWord2::from_word(words[2]);
        VertexResource {
            base: u64::from(words[0]) | u64::from(word2.base_address_hi) << 32,
            size: words[1].wrapping_add(1),
            word2,
        }
    }

    /// The seven words.
    pub fn words(&self) -> [u32; 7] {
        let word2 = VtxConstantWord2 {
            base_address_hi: (self.base >> 32) as u8,
            ..self.word2
        };
        let last = u32::from(kind::VALID_BUFFER) << 30;
        let size = self.size.wrapping_sub(1);
        [self.base as u32, size, word2.pack(), 0, 0, 0, last]
    }
}

impl TextureResource {
    /// From seven words.
    pub fn from_words(words: &[u32; 7]) -> TextureResource {
        TextureResource {
            word0: TexResourceWord0::from_word(words[0]),
            word1: TexResourceWord1::from_word(words[1]),
            base: words[2],
            mip_base: words[3],
            word4: TexResourceWord4::from_word(words[4]),
            word5: TexResourceWord5::from_word(words[5]),
            word6: TexResourceWord6::from_word(words[6]),
        }
    }

    /// The seven words.
    pub fn words(&self) -> [u32; 7] {
        [
            self.word0.pack(),
            self.word1.pack(),
            self.base,
            self.mip_base,
            self.word4.pack(),
            self.word5.pack(),
            self.word6.pack(),
        ]
    }
}

impl Sampler {
    /// From three words.
    pub fn from_words([word0, word1, word2]: [u32; 3]) -> Sampler {
        Sampler {
            word0: TexSamplerWord0::from_word(word0),
            word1: TexSamplerWord1::from_word(word1),
            word2: TexSamplerWord2::from_word(word2),
        }
    }

    /// The three words.
    pub fn words(&self) -> [u32; 3] {
        [self.word0.pack(), self.word1.pack(), self.word2.pack()]
    }
}

/// Kinds of resources: `TexResourceWord6::kind`.
pub mod kind {
    /// No image.
    pub const INVALID_TEXTURE: u8 = 0;
    /// No buffer.
    pub const INVALID_BUFFER: u8 = 1;
    /// An image.
    pub const VALID_TEXTURE: u8 = 2;
    /// A buffer.
    pub const VALID_BUFFER: u8 = 3;
}

/// Shapes: `TexResourceWord0::dim`.
pub mod dim {
    /// One dimension.
    pub const D1: u8 = 0;
    /// Two dimensions.
    pub const D2: u8 = 1;
    /// Three dimensions.
    pub const D3: u8 = 2;
    /// Six faces.
    pub const CUBEMAP: u8 = 3;
    /// Array of one dimension.
    pub const D1_ARRAY: u8 = 4;
    /// Array of two dimensions.
    pub const D2_ARRAY: u8 = 5;
    /// Several samples.
    pub const D2_MSAA: u8 = 6;
    /// Array with several samples.
    pub const D2_ARRAY_MSAA: u8 = 7;
}

/// Component selectors.
pub mod sel {
    /// First channel.
    pub const X: u8 = 0;
    /// Second channel.
    pub const Y: u8 = 1;
    /// Third channel.
    pub const Z: u8 = 2;
    /// Fourth channel.
    pub const W: u8 = 3;
    /// 0.
    pub const ZERO: u8 = 4;
    /// 1.
    pub const ONE: u8 = 5;
    /// Not written; fetch instructions only.
    pub const MASK: u8 = 7;
}

/// Values of NUM_FORMAT_ALL.
pub mod num_format {
    /// 0 to 1, or -1 to 1.
    pub const NORM: u8 = 0;
    /// Integers.
    pub const INT: u8 = 1;
    /// Integers as floats.
    pub const SCALED: u8 = 2;
}

/// Values of FORMAT_COMP_X to W.
pub mod format_comp {
    /// Unsigned.
    pub const UNSIGNED: u8 = 0;
    /// Signed.
    pub const SIGNED: u8 = 1;
    /// Unsigned with a bias; not executed.
    pub const UNSIGNED_BIASED: u8 = 2;
}

pub use radeon::r6xx::codes::{border, clamp, mip_filter};

/// Filters within a level.
pub mod xy_filter {
    /// Nearest.
    pub const POINT: u8 = 0;
    /// Linear.
    pub const BILINEAR: u8 = 1;
    /// Cubic; not executed.
    pub const BICUBIC: u8 = 2;
    /// Nearest, several along the footprint.
    pub const ANISO_POINT: u8 = 4;
    /// Linear, several along the footprint.
    pub const ANISO_BILINEAR: u8 = 5;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_back() {
        let words = [0xffff_fff0, 0x7fff, 0x0000_1012, 0, 0, 0, 0xc000_0000];
        let Some(Resource::Vertex(buffer)) = Resource::from_words(&words) else {
            panic!("a buffer");
        };
        assert_eq!((buffer.base, buffer.size), (0x12_ffff_fff0, 0x8000));
        assert_eq!(buffer.word2.stride, 16);
        assert_eq!(buffer.words(), words);

        let words = [0x07f8_1f11, 0x6800_00ff, 7, 9, 0x0688_0200, 3, 0x8000_0000];
        let Some(Resource::Texture(image)) = Resource::from_words(&words) else {
            panic!("an image");
        };
        assert_eq!((image.word0.dim, image.word0.tile_mode), (dim::D2, 2));
        assert_eq!((image.word0.tex_width, image.word1.tex_height), (255, 255));
        assert_eq!(
            (image.word1.data_format, image.word4.dst_sel_w),
            (26, sel::W)
        );
        assert_eq!(image.words(), words);
        assert_eq!(Resource::from_words(&[0; 7]), None);
    }
}
