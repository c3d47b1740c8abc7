//! Descriptor set layouts: which binding lies at which byte of a set.
//!
//! Bindings lie in ascending order of their number, each aligned to the size of its descriptor; elements of a binding
//! array are consecutive. The sizes are the chip's.

use std::collections::BTreeMap;

use crate::ir::{Resource, ResourceKind, Slot};

/// Most descriptor sets of a pipeline, on any chip.
pub const MAX_DESCRIPTOR_SETS: u32 = 4;
/// Most bytes of push constants, on any chip.
pub const MAX_PUSH_CONSTANT_BYTES: u32 = 256;

/// Kinds of descriptors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DescriptorKind {
    /// Uniform or storage buffer.
    Buffer,
    /// Sampled or storage texture.
    Texture,
    /// Sampler.
    Sampler,
}

impl From<&ResourceKind> for DescriptorKind {
    fn from(kind: &ResourceKind) -> DescriptorKind {
        match kind {
            ResourceKind::Uniform { .. } | ResourceKind::Storage { .. } => DescriptorKind::Buffer,
            ResourceKind::Texture { .. } | ResourceKind::StorageTexture { .. } => {
                DescriptorKind::Texture
            }
            ResourceKind::Sampler { .. } => DescriptorKind::Sampler,
        }
    }
}

/// Bytes of each kind of descriptor on a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescriptorBytes {
    /// Buffers.
    pub buffer: u32,
    /// Textures.
    pub texture: u32,
    /// Samplers.
    pub sampler: u32,
    /// Alignment of a whole set.
    pub set_align: u32,
}

impl DescriptorBytes {
    /// Bytes of one descriptor.
    pub fn of(&self, kind: DescriptorKind) -> u32 {
        match kind {
            DescriptorKind::Buffer => self.buffer,
            DescriptorKind::Texture => self.texture,
            DescriptorKind::Sampler => self.sampler,
        }
    }
}

/// One binding of a set layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetBinding {
    /// `@binding`.
    pub binding: u32,
    /// What it is.
    pub kind: DescriptorKind,
    /// Elements; 1 for a plain binding.
    pub count: u32,
}

/// Where the bindings of one set lie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetLayout {
    /// Byte offset of every binding.
    pub offsets: BTreeMap<u32, u32>,
    /// Bytes of the set.
    pub bytes: u32,
}

impl SetLayout {
    /// The layout of set `group` with all the bindings in it that a shader names, as it is where nothing else gives one.
    pub fn of_shader(resources: &[Resource], group: u32, sizes: DescriptorBytes) -> SetLayout {
        let bindings: Vec<SetBinding> = resources
            .iter()
            .filter(|resource| resource.slot.group == group)
            .map(|resource| SetBinding {
                binding: resource.slot.binding,
                kind: DescriptorKind::from(&resource.kind),
                count: resource.count,
            })
            .collect();
        SetLayout::new(&bindings, sizes)
    }

    /// Lays bindings out. Their order does not matter. Where they need more than `bytes` can say, it stays at its largest,
    /// and no video memory holds a set.
    pub fn new(bindings: &[SetBinding], sizes: DescriptorBytes) -> SetLayout {
        let mut sorted: Vec<&SetBinding> = bindings.iter().collect();
        sorted.sort_by_key(|binding| binding.binding);
        let mut layout = SetLayout::default();
        for binding in sorted {
            let size = sizes.of(binding.kind);
            let at = layout.bytes.checked_next_multiple_of(size);
            let at = at.unwrap_or(u32::MAX);
            layout.offsets.insert(binding.binding, at);
            layout.bytes = at.saturating_add(size.saturating_mul(binding.count));
        }
        layout
    }
}

/// The sets of a pipeline, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PipelineLayout {
    /// Sets.
    pub sets: Vec<SetLayout>,
    /// Bytes of push constants.
    pub push_constant_bytes: u32,
}

impl PipelineLayout {
    /// Byte offset of a binding in its set.
    pub fn offset(&self, slot: Slot) -> Option<u32> {
        let set = self.sets.get(slot.group as usize)?;
        set.offsets.get(&slot.binding).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bindings_are_sorted_and_aligned() {
        let sizes = DescriptorBytes {
            buffer: 16,
            texture: 32,
            sampler: 16,
            set_align: 64,
        };
        let binding = |binding, kind, count| SetBinding {
            binding,
            kind,
            count,
        };
        let layout = SetLayout::new(
            &[
                binding(7, DescriptorKind::Sampler, 1),
                binding(0, DescriptorKind::Buffer, 1),
                binding(3, DescriptorKind::Texture, 2),
            ],
            sizes,
        );
        let offsets: Vec<_> = layout.offsets.into_iter().collect();
        assert_eq!(offsets, [(0, 0), (3, 32), (7, 96)]);
        assert_eq!(layout.bytes, 112);
    }
}
