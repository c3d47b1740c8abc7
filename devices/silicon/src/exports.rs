//! Where waves leave what they export.

use std::ops::{Deref, DerefMut};

use bytemuck::Zeroable;

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
