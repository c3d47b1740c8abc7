//! The end of the pipeline. In: exports of pixel waves. Out: texels in depth and colour surfaces.

mod bytes;
mod color;
mod components;
mod depth;

pub use color::{ColorOutput, ColorRows, Cut, TileBatch};
pub use depth::{DepthOutput, DepthRows, StencilPlace};
pub(crate) use depth::{Depths, TestedTiles, TileDepths, TileTest};

use crate::texture::sample::Lanes;

/// A row that vectors reach at once.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Aligned(Lanes);

/// Rows that a pixel wave exported.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct PixelExports {
    /// Lanes that the shader kept.
    pub valid: u64,
    /// Which colours were exported.
    pub color_mask: u8,
    /// Whether `depth` was exported.
    pub has_depth: bool,
    /// Colours 0 to 7, red green blue alpha each, as 32-bit floats or integers.
    pub colors: [[Lanes; 4]; 8],
    /// Depth, stencil, sample mask, unused.
    pub depth: [Lanes; 4],
}

impl PixelExports {
    /// Nothing exported.
    pub const NONE: PixelExports = PixelExports {
        colors: [[[0; 64]; 4]; 8],
        color_mask: 0,
        depth: [[0; 64]; 4],
        has_depth: false,
        valid: 0,
    };

    /// Forgets what the wave before exported; the rows keep their contents.
    #[inline]
    pub fn clear(&mut self) {
        self.color_mask = 0;
        self.has_depth = false;
        self.valid = 0;
    }
}
