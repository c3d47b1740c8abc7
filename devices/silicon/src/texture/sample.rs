//! Texture sampling, 64 lanes at a time. In: one row per coordinate, an execution mask, a prepared [`Texture`] and
//! [`Sampler`]. Out: up to four rows. Addressing, LOD and filtering; fraction bits are a parameter ([`Precision`]).
//!
//! Row code gives the bits of the lane-by-lane reference. No descriptors, shaders or tiling here: a texel address is
//! one table lookup per axis ([`Axes`]), filled by the chip.

mod access;
mod axes;
mod by_lane;
mod bytes;
mod compared;
mod corners;
mod cost;
mod cube;
mod edges;
mod faces;
mod finish;
mod footprint;
mod gather;
mod gathers;
mod kept;
mod lines;
mod locate;
mod lod;
mod moved;
mod neighbours;
mod numbered;
mod pairs;
mod path;
mod positions;
mod prepared;
mod quads;
pub mod reference;
mod repeats;
mod room;
pub mod rows;
pub mod rules;
mod scratch;
mod squares;
mod stages;
mod sums;
mod target;
mod values;
mod wave;

pub(crate) use access::one_by_one;
pub use access::{Access, Loading, Numbered, Sink, load};
pub use cost::{cost, texels};
pub use cube::{faces, split_faces, to_faces};
pub use finish::Out;
pub use gathers::{Gather, Gathers};
pub use lines::Lines;
use prepared::Taps;
pub use prepared::{MAX_LEVELS, PreparedSampler, PreparedTexture, TextureError};
pub use repeats::Repeats;
pub use scratch::{MAX_WAVES, Plain, Sampling, Scratch};
pub use squares::{Square, Squares};

use std::sync::Arc;

use crate::fragment::depth::Compare;
use crate::memory::Memory;
use crate::texture::format::{Format, Read};
use host::SimdLevel;

/// Lanes of a wave.
pub const LANES: usize = 64;

/// One register across a wave: floats as their bits, integers as they are.
pub type Lanes = [u32; LANES];

/// Shape of a texture. An array has more than one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// A row of texels.
    D1,
    /// A rectangle.
    D2,
    /// A box.
    D3,
    /// Six squares: +x, -x, +y, -y, +z, -z.
    Cube,
}

impl Dim {
    /// Coordinates that texels are filtered along.
    pub(crate) fn axes(self) -> usize {
        match self {
            Dim::D1 => 1,
            Dim::D2 | Dim::Cube => 2,
            Dim::D3 => 3,
        }
    }
}

/// Which part of a depth-stencil format is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Aspect {
    /// All there is, or depth when there is depth.
    #[default]
    First,
    /// Stencil of a depth-stencil format.
    Stencil,
}

/// Byte offset of an element (texel or block) from the base of its mip level, one table per axis.
///
/// `offset = ((x[i] & !xor) + (y[j] & !xor) + ...) + ((x[i] ^ y[j] ^ ...) & xor)`: exclusive or for bank and pipe bits,
/// addition for the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axes {
    /// Per column.
    pub x: Arc<[u32]>,
    /// Per row.
    pub y: Arc<[u32]>,
    /// Per slice: depth of a 3D texture, layer (or 6 * layer + face) of the others.
    pub slice: Arc<[u32]>,
    /// Per sample of a multisampled texture.
    pub sample: Arc<[u32]>,
    /// Bits that combine by exclusive or.
    pub xor: u32,
}

/// One mip level of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// Texels across.
    pub width: u32,
    /// Texels down.
    pub height: u32,
    /// Slices of a 3D texture, 1 otherwise.
    pub depth: u32,
    /// Byte address of the level.
    pub base: u64,
    /// Offsets from `base`.
    pub axes: Axes,
}

/// A texture as a shader sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Shape.
    pub dim: Dim,
    /// Format.
    pub format: Format,
    /// Which part of it.
    pub aspect: Aspect,
    /// What x, y, z and w of the result are: components of the format, or constants.
    pub select: [Read; 4],
    /// Layers of an array; of a cube array, cubes.
    pub layers: u32,
    /// Samples per texel.
    pub samples: u32,
    /// Lowest level of detail, relative to `levels[0]`.
    pub min_lod: f32,
    /// Levels of the view, largest first.
    pub levels: Vec<Level>,
}

/// What happens outside a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// Starts again.
    Repeat,
    /// Turns round at every edge.
    Mirror,
    /// Last texel.
    ClampToEdge,
    /// Turns round at zero, then last texel.
    MirrorClampToEdge,
    /// Half way between last texel and border.
    HalfBorder,
    /// Turns round at zero, then half way between last texel and border.
    MirrorHalfBorder,
    /// Border colour.
    Border,
    /// Turns round at zero, then border colour.
    MirrorBorder,
}

/// Filter within a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Filter {
    /// One texel.
    Nearest,
    /// Two texels per axis.
    Linear,
}

/// Filter between levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MipFilter {
    /// Level 0 only.
    None,
    /// One level.
    Nearest,
    /// Two levels.
    Linear,
}

/// How the texels of a footprint become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// Weighted average.
    Average,
    /// Minimum of the texels with a weight.
    Min,
    /// Maximum of the texels with a weight.
    Max,
}

/// Colour outside a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Border {
    /// 0, 0, 0, 0.
    TransparentBlack,
    /// 0, 0, 0, 1.
    OpaqueBlack,
    /// 1, 1, 1, 1.
    OpaqueWhite,
    /// Register bits of x, y, z and w before [`Texture::select`]: floats, or integers for integer formats.
    Custom([u32; 4]),
}

/// How a texture is sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// Address modes of x, y and z.
    pub address: [Address; 3],
    /// Filter when magnified (level of detail at most 0).
    pub mag: Filter,
    /// Filter when minified.
    pub min: Filter,
    /// Filter between slices of a 3D texture; `None` follows `mag` and `min`.
    pub slices: Option<Filter>,
    /// Filter between levels.
    pub mip: MipFilter,
    /// Added to the level of detail.
    pub lod_bias: f32,
    /// Lower clamp of the level of detail.
    pub lod_min: f32,
    /// Upper clamp of the level of detail.
    pub lod_max: f32,
    /// Colour outside.
    pub border: Border,
    /// `reference OP texel`, where the instruction gives a reference.
    pub compare: Compare,
    /// Coordinates count texels instead of going from 0 to 1.
    pub unnormalized: bool,
    /// Largest ratio of an anisotropic footprint: 1, 2, 4, 8 or 16.
    pub anisotropy: u32,
    /// How texels combine.
    pub reduction: Reduction,
    /// Filters a cube across its edges.
    pub seamless: bool,
}

/// Fraction bits of a chip's texture unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precision {
    /// Of the position between two texels, at most 8.
    pub weight_bits: u32,
    /// Of the level of detail, at most 8.
    pub lod_bits: u32,
}

/// Where the level of detail comes from.
#[derive(Clone, Copy, Debug)]
pub enum Lod<'a> {
    /// Differences of the coordinates within quads.
    Implicit,
    /// The same plus a bias per lane.
    Bias(&'a Lanes),
    /// Level 0 of the view.
    Zero,
    /// Given per lane.
    Explicit(&'a Lanes),
    /// From derivatives of x, y and z.
    Gradient {
        /// To the right.
        dx: [&'a Lanes; 3],
        /// Down.
        dy: [&'a Lanes; 3],
    },
}

/// One sample instruction of one wave.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Lanes that want a result; the others keep theirs. Quads take part in derivatives whole.
    pub exec: u64,
    /// x, y and z as floats. A cube takes its face coordinates (0 to 1) and the face number; rows that the shape does
    /// not need are ignored.
    pub coords: [&'a Lanes; 3],
    /// Array layer as a float, rounded to nearest even and clamped.
    pub layer: Option<&'a Lanes>,
    /// Level of detail.
    pub lod: Lod<'a>,
    /// Lower clamp of the level of detail per lane.
    pub lod_clamp: Option<&'a Lanes>,
    /// Reference value of a comparison.
    pub reference: Option<&'a Lanes>,
    /// Texel offsets in x, y and z: signed, six bits each from bits 0, 8 and 16 on ([`rules::pack_offsets`]).
    pub offsets: Option<&'a Lanes>,
}

/// Samples a texture: filtered values, or comparison results when the request has a reference. Disabled lanes of `out`
/// keep their values. Where `out` may alias coordinates, use [`Scratch::begin`] and [`Sampling::finish`].
pub fn sample(
    scratch: &mut Scratch,
    memory: &Memory,
    texture: &PreparedTexture,
    sampler: &PreparedSampler,
    request: &Request,
    out: &mut [Lanes; 4],
) {
    let level = SimdLevel::current();
    let sampling = scratch.begin(level, memory, texture, sampler, request);
    sampling.finish(scratch, out.each_mut().map(Some));
}

/// Gathers component `component` (0 to 3, counted after [`Texture::select`]) of the four texels of a linear footprint,
/// in the order (0, 1), (1, 1), (1, 0), (0, 0); or the results of comparing them.
pub fn gather(
    scratch: &mut Scratch,
    memory: &Memory,
    texture: &PreparedTexture,
    sampler: &PreparedSampler,
    request: &Request,
    component: usize,
    out: &mut [Lanes; 4],
) {
    let level = SimdLevel::current();
    let bound = room::Bound {
        memory,
        texture,
        sampler,
    };
    gather::gather(level, &mut scratch.room, bound, request, component, out);
}

/// The level of detail that [`sample`] uses, as floats: clamped in `out[0]`, before clamping in `out[1]`.
pub fn query_lod(
    texture: &PreparedTexture,
    sampler: &PreparedSampler,
    request: &Request,
    out: &mut [Lanes; 2],
) {
    for index in reference::lanes(request.exec) {
        let detail = lod::lane(texture, sampler, request, index);
        out[0][index] = detail.clamped.to_bits();
        out[1][index] = detail.raw.to_bits();
    }
}

#[cfg(test)]
mod agree;
#[cfg(test)]
mod tests;
