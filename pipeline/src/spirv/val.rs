//! What ids stand for while a function is lowered.

use std::rc::Rc;

use super::types::Image;
use crate::ir::{Access, Value};
use crate::lower::image::Texture;
use crate::lower::place::Pointer;
use crate::lower::types::Ty;

/// What an id is while a function is lowered.
#[derive(Clone)]
pub(super) enum Val {
    /// A value: its leaves.
    Words(Rc<[Value]>),
    /// A pointer to a variable or into a buffer.
    Pointer(Pointer),
    /// A texture, a sampler or both; or a pointer to one, or to an array of them.
    Handle(Handle),
    /// A pointer to an array of buffers.
    Buffers(Access, Rc<Ty>, u32),
    /// A pointer to a texel of a storage image.
    Texel(Texture, Rc<[Value]>),
}

/// A texture, a sampler or both.
#[derive(Clone, Copy)]
pub(super) struct Handle {
    pub(super) texture: Option<Access>,
    pub(super) sampler: Option<Access>,
    pub(super) image: Option<Image>,
    /// Of an array: its length.
    pub(super) count: Option<u32>,
}

impl Val {
    /// The SSA values that it is made of.
    pub(super) fn values(&self) -> Vec<Value> {
        match self {
            Val::Words(words) => words.to_vec(),
            Val::Pointer(pointer) => pointer.values().collect(),
            Val::Handle(handle) => {
                let parts = [handle.texture, handle.sampler].into_iter().flatten();
                parts.filter_map(|access| access.element).collect()
            }
            Val::Buffers(..) => Vec::new(),
            Val::Texel(texture, at) => texture
                .access
                .element
                .iter()
                .chain(&**at)
                .copied()
                .collect(),
        }
    }

    /// The same of other SSA values, as many.
    pub(super) fn with(&self, values: &[Value]) -> Val {
        let mut next = values.iter().copied();
        let mut element = |access: &mut Access| {
            if let Some(element) = &mut access.element {
                *element = next.next().unwrap_or(*element);
            }
        };
        match self {
            Val::Words(_) => Val::Words(values.into()),
            Val::Pointer(pointer) => Val::Pointer(pointer.with(values)),
            Val::Handle(handle) => {
                let mut handle = *handle;
                handle.texture.iter_mut().for_each(&mut element);
                handle.sampler.iter_mut().for_each(&mut element);
                Val::Handle(handle)
            }
            Val::Buffers(..) => self.clone(),
            Val::Texel(texture, _) => {
                let mut texture = *texture;
                element(&mut texture.access);
                Val::Texel(texture, next.collect())
            }
        }
    }
}
