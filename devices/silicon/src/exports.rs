//! Where waves leave what they export.

use std::ops::{Deref, DerefMut};

use bytemuck::Zeroable;

use crate::texture::sample::Lanes;

/// Rows of exports, aligned for vectors, in memory of their own: what is asked of every wave stays in few cache lines.
#[derive(Clone, Debug)]
pub struct ExportRows<T>(Box<Aligned<T>>);

#[derive(Clone, Debug)]
#[repr(align(64))]
struct Aligned<T>(T);

impl<T> Deref for ExportRows<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0.0
    }
}

impl<T> DerefMut for ExportRows<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0.0
    }
}

impl<T: Zeroable> Default for ExportRows<T> {
    fn default() -> Self {
        ExportRows(Box::new(Aligned(T::zeroed())))
    }
}

/// Most parameters of a vertex, of four words each.
pub const PARAMETERS: usize = 32;

/// What a vertex wave exported.
#[derive(Clone, Debug, Default)]
pub struct VertexExports {
    /// Position, point size and such, clip and cull distances 0 to 3 and 4 to 7; x y z w each.
    pub positions: ExportRows<[[Lanes; 4]; 4]>,
    /// Which positions were exported.
    pub position_mask: u8,
    /// Parameters.
    pub params: ExportRows<[[Lanes; 4]; PARAMETERS]>,
    /// Which parameters were exported.
    pub param_mask: u32,
}

impl VertexExports {
    /// Forgets what the wave before exported; the rows keep their contents.
    pub fn clear(&mut self) {
        self.position_mask = 0;
        self.param_mask = 0;
    }
}
