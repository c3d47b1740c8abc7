//! Texture descriptors: what the fields of a resource or T# say of an image's texels.

use silicon::Format;
use silicon::texture::sample::{Axes, Dim, Level};

use super::tiling::{ImageShape, LevelLayout};

/// Fields of a descriptor.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    /// Shape.
    pub dim: Dim,
    /// There are slices to choose from.
    pub arrayed: bool,
    /// LAST_LEVEL is the logarithm of the samples.
    pub multisampled: bool,
    /// Width, height and depth, each less 1.
    pub size: [u16; 3],
    /// Slices, unless three-dimensional; cubes have six each.
    pub layers: u32,
    /// BASE_LEVEL and LAST_LEVEL.
    pub levels: [u8; 2],
    /// BASE_ARRAY and LAST_ARRAY.
    pub array: [u16; 2],
}

/// The texels that a descriptor shows.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Shape.
    pub dim: Dim,
    /// Width, height and depth of level 0, in texels.
    pub size: [u32; 3],
    /// Slices of the image; 1 when three-dimensional.
    pub layers: u32,
    /// Samples of a texel.
    pub samples: u32,
    /// First and last level.
    pub levels: [u8; 2],
    /// First slice.
    pub first: u32,
    /// Slices from there on.
    pub slices: u32,
}

impl Fields {
    /// What they show; none when the last level comes before the first.
    pub fn view(self) -> Option<View> {
        let [width, height, depth] = self.size.map(|less| u32::from(less) + 1);
        let (levels, samples) = match self.multisampled {
            true => ([0, 0], 1 << self.levels[1].min(3)),
            false => (self.levels, 1),
        };
        let (depth, layers) = match self.dim {
            Dim::D3 => (depth, 1),
            _ => (1, self.layers),
        };
        let [base, last] = self.array.map(u32::from);
        let first = base.min(layers - 1);
        let last = match self.arrayed {
            true => last.clamp(first, layers - 1),
            false => first,
        };
        let height = if self.dim == Dim::D1 { 1 } else { height };
        (levels[0] <= levels[1]).then_some(View {
            dim: self.dim,
            size: [width, height, depth],
            layers,
            samples,
            levels,
            first,
            slices: last - first + 1,
        })
    }
}

impl View {
    /// The image in memory; `pitch` is that of level 0, in elements.
    pub fn shape<M>(&self, mode: M, format: Format, pitch: u32) -> ImageShape<M> {
        let [width, height, depth] = self.size;
        ImageShape {
            mode,
            element_bytes: format.size_bytes(),
            block: format.block_size().into(),
            width,
            height,
            depth,
            layers: self.layers,
            single_cube: self.dim == Dim::Cube && self.layers == 6,
            levels: u32::from(self.levels[1]) + 1,
            samples: self.samples,
            pitch,
        }
    }

    /// Width, height, and depth or slices of a level, in texels.
    pub fn level_size(&self, level: u8) -> [u32; 3] {
        let [width, height, depth] = self.size.map(|n| (n >> level).max(1));
        match self.dim {
            Dim::D3 => [width, height, depth],
            _ => [width, height, self.slices],
        }
    }

    /// A level at an address, where `offset` has the bytes of an element by x, y, slice and sample. Bits of `xor` are
    /// the exclusive or of what the coordinates give.
    pub fn level<M, S>(
        &self,
        level: u8,
        at: &LevelLayout<M, S>,
        base: u64,
        xor: u64,
        offset: impl Fn(u32, u32, u32, u32) -> u64,
    ) -> Level {
        let [width, height, deep] = self.level_size(level);
        let size = [at.width, at.height, deep, self.samples];
        let offset = |x, y, z, s| offset(x, y, self.first + z, s) as u32;
        Level {
            width,
            height,
            depth: if self.dim == Dim::D3 { deep } else { 1 },
            base,
            axes: Axes::new(size, xor as u32, offset),
        }
    }
}
