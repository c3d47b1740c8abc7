//! T# and S# made ready for silicon's sampler, and kept by their words. [SI 8.2]

use std::ops::Range;

use radeon::r6xx::codes;
use radeon::r6xx::texture::{Fields, View};
use silicon::texture::format::Read;
use silicon::texture::sample::{
    Dim, Filter, Precision, PreparedSampler, PreparedTexture, Reduction, Sampler, Texture,
};
use silicon::{Addr, Format, Memory};

use crate::descriptor::{ImageResource, ImageResourceHigh, ImageSampler, border, dim, xy_filter};
use crate::formats;
use crate::tiling::{self, Surface};

/// Fraction bits of this chip's texture unit. [SI 8.2.5]
const PRECISION: Precision = Precision {
    weight_bits: 8,
    lod_bits: 8,
};
/// Descriptors kept per worker; all are dropped when there are more.
const KEPT: usize = 64;
/// Pairs of an image and a sampler that are found by the registers of their descriptors.
const BOUND: usize = 16;

/// An image as instructions see it.
#[derive(Debug)]
pub(super) struct Image {
    /// `descriptor::dim`.
    pub kind: u8,
    /// Width, height, depth or slices of every level.
    pub sizes: Vec<[u32; 3]>,
    /// Format of the texels.
    pub format: Format,
    /// Bytes of memory that its texels lie in.
    pub bytes: Range<u64>,
    /// What the sampler works on.
    pub texture: PreparedTexture,
    /// FMASK: bits of a texel for each sample.
    pub(super) sample_bits: Option<u32>,
    /// Where stores take the components of a texel from.
    pub(super) stores: [Option<usize>; 4],
}

impl Image {
    /// What tells its accesses from those of others: where it begins.
    pub(super) fn site(&self) -> u32 {
        self.bytes.start as u32
    }
}

/// Why a T# cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ResourceError {
    #[error("T# of type {kind}, which is no image")]
    Kind { kind: u8 },
    #[error("T# with data format {data} and number format {num}")]
    Format { data: u8, num: u8 },
    #[error("T# with levels {base} to {last}")]
    Levels { base: u8, last: u8 },
    #[error("T# of {bytes} bytes at {address:#x}, outside the {size} bytes of video memory")]
    Outside { address: u64, bytes: u64, size: u64 },
    #[error("T#: {0}")]
    Texture(#[from] silicon::texture::sample::TextureError),
}

/// Decoded descriptors of one worker.
#[derive(Debug, Default)]
pub struct Descriptors {
    images: Vec<([u128; 2], Option<Image>)>,
    /// How often that list was emptied.
    emptied: u32,
    samplers: Vec<Kept>,
    /// How many samplers there have been.
    prepared: u32,
    bound: [Option<Bound>; BOUND],
}

/// What an instruction sampled with: the words of its descriptors, and what they stand for.
#[derive(Debug)]
struct Bound {
    image_words: [u32; 8],
    sampler_words: [u32; 4],
    unnormalized: bool,
    image: Number,
    sampler: Number,
}

/// First scalar registers of a T# of 8 words and of a S#.
#[derive(Clone, Copy, Debug)]
pub(super) struct Registers {
    pub image: usize,
    pub sampler: usize,
    pub unnormalized: bool,
}

impl Registers {
    fn place(self) -> usize {
        (self.image / 4 + self.sampler) % BOUND
    }

    /// The words there, if there are such registers.
    fn words(self, scalars: &[u32]) -> Option<(&[u32; 8], &[u32; 4])> {
        Some((
            scalars.get(self.image..)?.first_chunk()?,
            scalars.get(self.sampler..)?.first_chunk()?,
        ))
    }
}

/// A sampler by its words.
#[derive(Debug)]
struct Kept {
    word: u128,
    unnormalized: bool,
    /// Colours in the table are memory, which may change under the same words.
    table: bool,
    sampler: PreparedSampler,
    /// No other sampler has had this one.
    number: u32,
}

/// Place of a decoded descriptor, until the next one is decoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number(usize);

impl Descriptors {
    /// A number that no other image has had.
    pub(super) fn key(&self, image: Number) -> u32 {
        self.emptied
            .wrapping_mul(KEPT as u32)
            .wrapping_add(image.0 as u32)
    }

    /// A number that no other image with a sampler has had.
    pub(super) fn name(&self, image: Number, sampler: Number) -> u64 {
        let sampler = &self.samplers[sampler.0];
        u64::from(self.key(image)) << 32 | u64::from(sampler.number)
    }

    /// What [`Descriptors::bind`] was told last of these registers, if the same words are in them.
    #[inline]
    pub(super) fn bound(&self, registers: Registers, scalars: &[u32]) -> Option<[Number; 2]> {
        let bound = self.bound[registers.place()].as_ref()?;
        let (image, sampler) = registers.words(scalars)?;
        let same = bound.image_words == *image
            && bound.sampler_words == *sampler
            && bound.unnormalized == registers.unnormalized;
        same.then_some([bound.image, bound.sampler])
    }

    /// Keeps an image and a sampler that were found by the words in these registers.
    pub(super) fn bind(
        &mut self,
        registers: Registers,
        scalars: &[u32],
        [image, sampler]: [Number; 2],
    ) {
        // Colours of a table may change under the same words.
        if self.samplers[sampler.0].table {
            return;
        }
        self.bound[registers.place()] =
            registers
                .words(scalars)
                .map(|(image_words, sampler_words)| Bound {
                    image_words: *image_words,
                    sampler_words: *sampler_words,
                    unnormalized: registers.unnormalized,
                    image,
                    sampler,
                });
    }

    /// The image of a T#; none when it is unbound.
    pub(super) fn image(
        &mut self,
        words: [u128; 2],
        memory: &Memory,
    ) -> Result<Option<Number>, ResourceError> {
        let mut images = self.images.iter();
        let found = images.position(|(key, _)| *key == words);
        let number = match found {
            Some(number) => number,
            None => {
                let image = decode(words, memory)?;
                if self.images.len() == KEPT {
                    self.images.clear();
                    self.emptied = self.emptied.wrapping_add(1);
                    self.bound = Default::default();
                }
                self.images.push((words, image));
                self.images.len() - 1
            }
        };
        Ok(self.images[number].1.is_some().then_some(Number(number)))
    }

    /// Bytes that the texels of a T# lie in; none when it is unbound or no image.
    pub(crate) fn image_bytes(&mut self, words: [u128; 2], memory: &Memory) -> Option<Range<u64>> {
        let number = self.image(words, memory).ok()??;
        Some(self.numbered(number).bytes.clone())
    }

    /// The sampler of a S#. `border_table` is the address that TA_BC_BASE_ADDR holds.
    pub(super) fn sampler(
        &mut self,
        word: u128,
        unnormalized: bool,
        memory: &Memory,
        border_table: u64,
    ) -> Number {
        let same = |kept: &Kept| kept.word == word && kept.unnormalized == unnormalized;
        let found = self.samplers.iter().position(same);
        if let Some(number) = found.filter(|number| !self.samplers[*number].table) {
            return Number(number);
        }
        let sampler = sampler(word, unnormalized, memory, border_table);
        self.prepared = self.prepared.wrapping_add(1);
        let kept = Kept {
            number: self.prepared,
            word,
            unnormalized,
            table: ImageSampler::from_word(word).border_color_type == border::REGISTER,
            sampler: PreparedSampler::new(sampler, PRECISION),
        };
        if let Some(number) = found {
            self.samplers[number] = kept;
            return Number(number);
        }
        if self.samplers.len() == KEPT {
            self.samplers.clear();
            self.bound = Default::default();
        }
        self.samplers.push(kept);
        Number(self.samplers.len() - 1)
    }

    /// The image that [`Descriptors::image`] found.
    pub(super) fn numbered(&self, image: Number) -> &Image {
        let (_, image) = &self.images[image.0];
        image.as_ref().expect("a number is that of a bound image")
    }

    /// An image and a sampler that were found.
    pub(super) fn pair(&self, image: Number, sampler: Number) -> (&Image, &PreparedSampler) {
        (self.numbered(image), &self.samplers[sampler.0].sampler)
    }
}

/// Layers of an image, and the first and last of a view. (ERRATA 47)
fn layers(kind: u8, high: &ImageResourceHigh) -> (u32, [u16; 2]) {
    let (count, base, last) = (u32::from(high.depth) + 1, high.base_array, high.last_array);
    if kind != dim::CUBE {
        return (count, [base, last]);
    }
    let last = last.max(base + 5);
    let counts_faces = count > u32::from(last);
    (if counts_faces { count } else { 6 * count }, [base, last])
}

fn view(low: &ImageResource, high: &ImageResourceHigh) -> Result<Option<View>, ResourceError> {
    let (layers, array) = layers(low.kind, high);
    let fields = Fields {
        dim: match low.kind {
            dim::D1 | dim::D1_ARRAY => Dim::D1,
            dim::D2 | dim::D2_ARRAY | dim::D2_MSAA | dim::D2_MSAA_ARRAY => Dim::D2,
            dim::D3 => Dim::D3,
            dim::CUBE => Dim::Cube,
            kind => return Err(ResourceError::Kind { kind }),
        },
        arrayed: matches!(
            low.kind,
            dim::D1_ARRAY | dim::D2_ARRAY | dim::D2_MSAA_ARRAY | dim::CUBE
        ),
        multisampled: matches!(low.kind, dim::D2_MSAA | dim::D2_MSAA_ARRAY),
        size: [low.width, low.height, high.depth],
        layers,
        levels: [low.base_level, low.last_level],
        array,
    };
    Ok(fields.view())
}

/// The texels that a T# shows; none when it has no level.
fn decode(words: [u128; 2], memory: &Memory) -> Result<Option<Image>, ResourceError> {
    let low = ImageResource::from_word(words[0]);
    let high = ImageResourceHigh::from_word(words[1]);
    if low.data_format == 0 {
        return Ok(None);
    }
    let (data, num) = (low.data_format, low.num_format);
    let (format, reading) =
        formats::from_codes(data, num).ok_or(ResourceError::Format { data, num })?;
    let view = view(&low, &high)?.ok_or(ResourceError::Levels {
        base: low.base_level,
        last: low.last_level,
    })?;
    // In texels, which lie in blocks.
    let pitch = (u32::from(high.pitch) + 1).div_ceil(format.block_size().0);
    let shape = view.shape(low.tiling_index, format, pitch);
    let layout = tiling::padded(&shape, low.pow2_pad || shape.levels > 1);
    // Drivers put a swizzle of the channels into the address of what is in macro tiles.
    let (first, address) = layout.levels[0].surface.at(low.base_address << 8);
    let (bytes, size) = (layout.bytes, memory.size());
    if address.checked_add(bytes).is_none_or(|end| end > size) {
        return Err(ResourceError::Outside {
            address,
            bytes,
            size,
        });
    }
    let shown = view.levels[0]..=view.levels[1];
    let levels = shown.clone().map(|level| {
        let at = &layout.levels[usize::from(level)];
        let surface = Surface {
            swizzle: first.swizzle,
            ..at.surface
        };
        let offset = |x, y, z, s| surface.offset(x, y, z, s);
        let base = address + at.offset;
        view.level(level, at, base, at.surface.xor_bits(), offset)
    });
    let texture = Texture {
        dim: view.dim,
        format,
        aspect: Default::default(),
        select: [low.dst_sel_x, low.dst_sel_y, low.dst_sel_z, low.dst_sel_w]
            .map(|s| formats::selected(format, s)),
        layers: match view.dim {
            Dim::Cube => view.slices / 6,
            _ => view.slices,
        },
        samples: view.samples,
        min_lod: (f32::from(low.min_lod) / 256.0 - f32::from(view.levels[0])).max(0.0),
        levels: levels.collect(),
    };
    let select = texture.select;
    let stores = [0, 1, 2, 3].map(|c| select.iter().position(|read| *read == Read::Channel(c)));
    let texture = PreparedTexture::new(&texture)?;
    Ok(Some(Image {
        kind: low.kind,
        sizes: shown.map(|level| view.level_size(level)).collect(),
        format,
        bytes: address..address + bytes,
        stores,
        sample_bits: formats::sample_bits(data),
        texture: match reading {
            Some(reading) => texture.read_as(reading),
            None => texture,
        },
    }))
}

fn sampler(word: u128, unnormalized: bool, memory: &Memory, border_table: u64) -> Sampler {
    let s = ImageSampler::from_word(word);
    let filter = |f: u8| match f {
        xy_filter::POINT | xy_filter::ANISO_POINT => Filter::Nearest,
        _ => Filter::Linear,
    };
    let anisotropic =
        s.xy_min_filter >= xy_filter::ANISO_POINT || s.xy_mag_filter >= xy_filter::ANISO_POINT;
    let custom = |entry: u16| {
        let mut bytes = [0; 16];
        // A table outside memory reads as black.
        let _ = memory.read(Addr(border_table + 16 * u64::from(entry)), &mut bytes);
        [0, 4, 8, 12]
            .map(|i| u32::from_le_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]))
    };
    Sampler {
        address: [s.clamp_x, s.clamp_y, s.clamp_z].map(codes::address),
        mag: filter(s.xy_mag_filter),
        min: filter(s.xy_min_filter),
        slices: codes::between_slices(s.z_filter),
        mip: codes::between_levels(s.mip_filter),
        lod_bias: f32::from(s.lod_bias) / 256.0,
        lod_min: f32::from(s.min_lod) / 256.0,
        lod_max: f32::from(s.max_lod) / 256.0,
        border: codes::border_color(s.border_color_type, || custom(s.border_color_ptr)),
        compare: codes::comparison(s.depth_compare_func),
        unnormalized: unnormalized || s.force_unnormalized,
        anisotropy: codes::anisotropy(anisotropic, s.max_aniso_ratio),
        reduction: match s.filter_mode {
            1 => Reduction::Min,
            2 => Reduction::Max,
            _ => Reduction::Average,
        },
        seamless: !s.disable_cube_wrap,
    }
}
