//! Descriptor set layouts: which binding lies at which byte of a set.
//!
//! Bindings lie in ascending order of their number, each aligned to the size of its descriptor; elements of a binding
//! array are consecutive. A combined image sampler is a texture and a sampler at one binding: all its textures lie before
//! all its samplers. The sizes are the chip's.

use std::collections::BTreeMap;

use crate::ir::{Dim, Resource, ResourceKind, Slot};

/// Most descriptor sets of a pipeline, on any chip.
pub const MAX_DESCRIPTOR_SETS: u32 = 4;
/// Most bytes of push constants, on any chip.
pub const MAX_PUSH_CONSTANT_BYTES: u32 = 256;

/// Most texels of a texel buffer, on any chip.
pub const MAX_TEXEL_BUFFER_TEXELS: u32 = 1 << 26;

/// Kinds of descriptors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DescriptorKind {
    /// Uniform, storage or texel buffer.
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
            ResourceKind::Texture { shape, .. } | ResourceKind::StorageTexture { shape, .. }
                if shape.dim == Dim::Buffer =>
            {
                DescriptorKind::Buffer
            }
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

/// One binding of a set layout. A texture and a sampler may have the same number.
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
    /// Byte offset of the first descriptor of a kind at a binding.
    pub offsets: BTreeMap<(u32, DescriptorKind), u32>,
    /// Bytes of the set.
    pub bytes: u32,
}

impl SetLayout {
    /// The layout of set `group` with all the bindings in it that a shader names, as it is where nothing else gives one.
    pub fn of_shader(resources: &[Resource], group: u32, sizes: DescriptorBytes) -> SetLayout {
        // Variables that share a binding share its descriptor.
        let mut counts: BTreeMap<(u32, DescriptorKind), u32> = BTreeMap::new();
        for resource in resources.iter().filter(|r| r.slot.group == group) {
            let key = (resource.slot.binding, DescriptorKind::from(&resource.kind));
            let count = counts.entry(key).or_default();
            *count = resource.count.max(*count);
        }
        let counts = counts.into_iter();
        let bindings = counts.map(|((binding, kind), count)| SetBinding {
            binding,
            kind,
            count,
        });
        SetLayout::new(&bindings.collect::<Vec<_>>(), sizes)
    }

    /// Lays bindings out. Their order does not matter. Where they need more than `bytes` can say, it stays at its largest,
    /// and no video memory holds a set.
    pub fn new(bindings: &[SetBinding], sizes: DescriptorBytes) -> SetLayout {
        let mut sorted: Vec<&SetBinding> = bindings.iter().collect();
        sorted.sort_by_key(|binding| (binding.binding, binding.kind));
        let mut layout = SetLayout::default();
        for binding in sorted {
            let size = sizes.of(binding.kind);
            let at = layout.bytes.checked_next_multiple_of(size);
            let at = at.unwrap_or(u32::MAX);
            layout.offsets.insert((binding.binding, binding.kind), at);
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
    /// Byte offset in its set of the first descriptor of a kind at a binding.
    pub fn offset(&self, slot: Slot, kind: DescriptorKind) -> Option<u32> {
        let set = self.sets.get(slot.group as usize)?;
        set.offsets.get(&(slot.binding, kind)).copied()
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
                binding(3, DescriptorKind::Sampler, 2),
                binding(3, DescriptorKind::Texture, 2),
            ],
            sizes,
        );
        let offsets: Vec<_> = layout.offsets.into_iter().collect();
        let expected = [
            ((0, DescriptorKind::Buffer), 0),
            ((3, DescriptorKind::Texture), 32),
            ((3, DescriptorKind::Sampler), 96),
            ((7, DescriptorKind::Sampler), 128),
        ];
        assert_eq!(offsets, expected);
        assert_eq!(layout.bytes, 144);
    }
}
