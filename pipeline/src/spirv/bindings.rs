//! Which slots resources have: those of the source. A combined image sampler is a texture and a sampler in one slot, and so
//! are a texture and a sampler that are declared at one binding.

use spirv::Decoration;

use super::module::Module;
use super::types::{Image, Type};
use crate::ir::Slot;

/// What a layout says of a binding that modules leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaidOut {
    /// Elements.
    pub count: u32,
    /// It is an input attachment with layers.
    pub layered: bool,
}

impl Module {
    /// An image type, as the layout has it.
    pub(super) fn image_at(&self, slot: Option<Slot>, image: &Image) -> Image {
        let mut image = *image;
        let laid_out = slot.and_then(|slot| self.layout.get(&slot));
        image.shape.arrayed |= image.attachment && laid_out.is_some_and(|found| found.layered);
        image
    }

    /// The slot of a resource variable.
    pub(super) fn slot(&self, id: u32) -> Option<Slot> {
        Some(Slot {
            group: self.decorated(id, Decoration::DescriptorSet)?,
            binding: self.decorated(id, Decoration::Binding)?,
        })
    }

    /// What an array is of, and the id of its length; of other types, the type.
    pub(super) fn element(&self, ty: u32) -> (u32, Option<Option<u32>>) {
        match self.types.get(&ty) {
            Some(Type::Array(of, length)) => (*of, Some(Some(*length))),
            Some(Type::RuntimeArray(of)) => (*of, Some(None)),
            _ => (ty, None),
        }
    }
}
