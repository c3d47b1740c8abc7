//! Which slots resources have. A combined image sampler takes two: its texture the binding that it has, its sampler the
//! next one, and later bindings of the group move up.

use std::collections::{BTreeMap, HashMap};

use spirv::{Decoration, StorageClass};

use super::module::Module;
use super::types::Type;
use crate::ir::Slot;

/// What became of one binding of a group that holds a texture and a sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// `DescriptorSet` in the source.
    pub group: u32,
    /// `Binding` in the source.
    pub from: u32,
    /// Binding of the texture after the split.
    pub texture: u32,
    /// Binding of the sampler after the split.
    pub sampler: u32,
}

/// The slots of all resources.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings {
    /// By variable: the slot of a buffer, texture or sampler.
    slots: HashMap<u32, Slot>,
    pub(super) moved: Vec<Moved>,
}

/// What lies at a binding.
#[derive(Default)]
struct Holds {
    variables: Vec<u32>,
    texture: bool,
    sampler: bool,
}

impl Bindings {
    pub(super) fn of(module: &Module) -> Bindings {
        let mut groups: BTreeMap<u32, BTreeMap<u32, Holds>> = BTreeMap::new();
        for &id in &module.variables {
            let Some((class, ty)) = module.variable(id) else {
                continue;
            };
            let group = module.decorated(id, Decoration::DescriptorSet);
            let binding = module.decorated(id, Decoration::Binding);
            let (Some(group), Some(binding)) = (group, binding) else {
                continue;
            };
            let holds = groups.entry(group).or_default().entry(binding).or_default();
            holds.variables.push(id);
            if class == StorageClass::UniformConstant {
                match module.types.get(&module.element(ty).0) {
                    Some(Type::SampledImage(_)) => (holds.texture, holds.sampler) = (true, true),
                    Some(Type::Sampler) => holds.sampler = true,
                    _ => holds.texture = true,
                }
            }
        }
        let mut bindings = Bindings::default();
        for (group, set) in groups {
            let mut shift: u32 = 0;
            for (from, holds) in set {
                let binding = from.saturating_add(shift);
                let slot = Slot { group, binding };
                let slots = holds.variables.into_iter().map(|id| (id, slot));
                bindings.slots.extend(slots);
                if holds.texture && holds.sampler {
                    bindings.moved.push(Moved {
                        group,
                        from,
                        texture: binding,
                        sampler: binding.saturating_add(1),
                    });
                    shift += 1;
                }
            }
        }
        bindings
    }

    /// The slots of a variable, as a texture or buffer and as a sampler.
    pub(super) fn slots(&self, id: u32) -> Option<[Slot; 2]> {
        let slot = *self.slots.get(&id)?;
        let key = (slot.group, slot.binding);
        let split = self.moved.iter().any(|m| (m.group, m.texture) == key);
        let sampler = Slot {
            binding: slot.binding.saturating_add(u32::from(split)),
            ..slot
        };
        Some([slot, sampler])
    }
}

impl Module {
    /// What an array is of, and the id of its length; of other types, the type.
    pub(super) fn element(&self, ty: u32) -> (u32, Option<Option<u32>>) {
        match self.types.get(&ty) {
            Some(Type::Array(of, length)) => (*of, Some(Some(*length))),
            Some(Type::RuntimeArray(of)) => (*of, Some(None)),
            _ => (ty, None),
        }
    }
}
