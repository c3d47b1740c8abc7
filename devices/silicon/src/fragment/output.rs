//! The end of the pipeline. In: exports of pixel waves. Out: texels in depth and colour surfaces.

mod bytes;
mod color;
mod components;
mod depth;

pub use color::{ColorOutput, ColorRows, Cut, PackedField, Packing, TileBatch};
pub use depth::{DepthOutput, DepthRows, StencilPlace};
pub(crate) use depth::{Depths, TestedTiles, TileDepths, TileTest};

use crate::exports::ExportRows;
use crate::texture::sample::Lanes;

/// A row that vectors reach at once.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Aligned(Lanes);

/// What a pixel wave exported. The rows keep their contents from wave to wave.
#[derive(Clone, Debug, Default)]
pub struct PixelExports {
    /// Lanes that the shader kept.
    pub valid: u64,
    /// Which colours were exported.
    pub color_mask: u8,
    /// Whether `depth` was exported.
    pub has_depth: bool,
    /// Colours 0 to 7, red green blue alpha each, as 32-bit floats or integers.
    pub colors: ExportRows<[[Lanes; 4]; 8]>,
    /// Depth, stencil, sample mask, unused.
    pub depth: ExportRows<[Lanes; 4]>,
}

impl PixelExports {
    /// Forgets what the wave before exported; the rows keep their contents.
    #[inline]
    pub fn clear(&mut self) {
        self.color_mask = 0;
        self.has_depth = false;
        self.valid = 0;
    }
}
