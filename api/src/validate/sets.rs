//! Rules of what sets hold: dynamic offsets when a set is bound; sizes, attachments and layouts when something is drawn.

use std::convert::Infallible;
use std::ops::Range;

use crate::binding::BindingType;
use crate::command::CommandError;
use crate::descriptor::{Descriptor, DescriptorSet, range_at};
use crate::device::Device;
use crate::error::Label;
use crate::image::{Image, ImageLayout, ImageView, Subresources};
use crate::own_pixels::is_own;
use crate::pipeline::BufferNeed;
use crate::recorded::{BoundSet, Pass};
use crate::validate::draw::DrawError;

/// A buffer that is bound and does not hold what a shader takes of it.
pub(crate) struct TooSmall {
    pub(crate) need: BufferNeed,
    pub(crate) set: Label,
    pub(crate) buffer: Label,
    pub(crate) bytes: u64,
}

/// Every buffer that is bound holds what the shaders of a pipeline take of it. Sets that are not bound are not looked at.
pub(crate) fn sizes<'a>(
    needs: &[BufferNeed],
    bound: impl Fn(u32) -> Option<&'a BoundSet>,
) -> Result<(), Box<TooSmall>> {
    for need in needs {
        let Some(BoundSet { set, offsets }) = bound(need.group) else {
            continue;
        };
        let mut dynamic = set.layout().dynamic().iter();
        let position = dynamic.position(|binding| *binding == need.binding);
        let offset = position.and_then(|at| offsets.get(at)).copied();
        let held = set.bound();
        let buffers = held.get(&need.binding).map_or(&[][..], Descriptor::buffers);
        for buffer in buffers {
            let bytes = range_at(buffer, offset.unwrap_or(0)).bytes;
            if bytes < need.bytes {
                return Err(Box::new(TooSmall {
                    need: need.clone(),
                    set: set.label().clone(),
                    buffer: buffer.buffer.label().clone(),
                    bytes,
                }));
            }
        }
    }
    Ok(())
}

/// No image of a set is written by the pass, but for input attachments that show just what is drawn to.
pub(crate) fn feedback(pass: &Pass, set: &DescriptorSet) -> Result<(), DrawError> {
    visit_views(set, |_, ty, view| {
        let own = matches!(ty, BindingType::InputAttachment { .. });
        let clash = |written: &ImageView| {
            written.image() == view.image()
                && written.subresources().overlaps(view.subresources())
                && !(own && is_own(written, view))
        };
        if pass.written().any(clash) {
            return Err(DrawError::Feedback {
                set: set.label().clone(),
                image: view.image().label().clone(),
                pass: pass.label.clone(),
            });
        }
        Ok(())
    })
}

/// Visits the images of a set: binding, what the layout says of it, view.
fn visit_views<E>(
    set: &DescriptorSet,
    mut visit: impl FnMut(u32, &BindingType, &ImageView) -> Result<(), E>,
) -> Result<(), E> {
    for (&binding, descriptor) in set.bound().iter() {
        let ty = &set.layout().inner.entries[&binding].ty;
        let mut views = descriptor.views();
        views.try_for_each(|view| visit(binding, ty, view))?;
    }
    Ok(())
}

/// An image of a set, and how it must lie.
pub(crate) struct BoundImage {
    pub(crate) binding: u32,
    pub(crate) image: Image,
    pub(crate) range: Subresources,
    pub(crate) allowed: &'static [ImageLayout],
}

/// Images that a set reads or writes, with the layouts that they must be in.
pub(crate) fn images(set: &DescriptorSet) -> Vec<BoundImage> {
    let mut found = Vec::new();
    let Ok(()) = visit_views(set, |binding, ty, view| {
        let allowed: &'static [ImageLayout] = match ty {
            BindingType::StorageTexture { .. } | BindingType::StorageImage { .. } => {
                &[ImageLayout::General]
            }
            _ => &[
                ImageLayout::ShaderReadOnly,
                ImageLayout::DepthStencilReadOnly,
                ImageLayout::General,
            ],
        };
        found.push(BoundImage {
            binding,
            image: view.image().clone(),
            range: view.subresources(),
            allowed,
        });
        Ok::<(), Infallible>(())
    });
    found
}

/// One offset for each dynamic binding, aligned and within its buffer.
pub(crate) fn dynamic_offsets(
    device: &Device,
    set: &DescriptorSet,
    offsets: &[u32],
) -> Result<(), CommandError> {
    let wanted = set.layout().dynamic().len() as u32;
    let wrong = |reason: String| CommandError::DynamicOffset {
        set: set.label().clone(),
        offsets: offsets.to_vec(),
        wanted,
        reason,
    };
    if offsets.len() as u32 != wanted {
        return Err(wrong(format!("its dynamic bindings take {wanted}")));
    }
    let align = device.limits().buffer_offset_align;
    let bound = set.bound();
    for (binding, &offset) in set.layout().dynamic().iter().zip(offsets) {
        if !offset.is_multiple_of(align) {
            return Err(wrong(format!("{offset} is not a multiple of {align}")));
        }
        let least = || match set.layout().inner.entries[binding].ty {
            BindingType::Buffer {
                min_binding_size: Some(least),
                ..
            } => least.get(),
            _ => 1,
        };
        let buffers = bound.get(binding).map_or(&[][..], Descriptor::buffers);
        for held in buffers {
            let bytes = held.size.unwrap_or_else(least);
            let Range { start, end } = taken(held.offset, offset, bytes);
            let (buffer, size) = (held.buffer.label(), held.buffer.size());
            if end > size {
                return Err(wrong(format!(
                    "binding {binding} takes bytes {start} to {end} of {buffer}, which has {size}"
                )));
            }
        }
    }
    Ok(())
}

fn taken(offset: u64, dynamic: u32, bytes: u64) -> Range<u64> {
    let start = offset + u64::from(dynamic);
    start..start + bytes
}
