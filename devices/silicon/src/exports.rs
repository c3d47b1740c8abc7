//! Where waves leave what they export.

use std::ops::{Deref, DerefMut};

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

impl Default for ExportRows<[Lanes; 4]> {
    fn default() -> Self {
        ExportRows(Box::new(Aligned([[0; 64]; 4])))
    }
}

impl<const N: usize> Default for ExportRows<[[Lanes; 4]; N]> {
    fn default() -> Self {
        ExportRows(Box::new(Aligned([[[0; 64]; 4]; N])))
    }
}
