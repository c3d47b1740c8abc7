//! Texels of footprints that several instructions of a clause take one by one.

use silicon::texture::sample::Lanes;

use super::{ZERO, whole};
use crate::isa::fetch::TexOp;
use crate::isa::words::Tex;

/// What instructions have in common that take texels of the same footprints at the same coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Footprints {
    op: TexOp,
    resource: u8,
    sampler: u8,
    /// In texels.
    offsets: [i8; 3],
    lod_bias: i8,
    normalized: [bool; 4],
}

impl Footprints {
    /// Those of an instruction.
    pub(super) fn of(inst: &Tex) -> Footprints {
        Footprints {
            op: inst.op,
            resource: inst.resource_id,
            sampler: inst.sampler_id,
            offsets: [inst.offset_x, inst.offset_y, inst.offset_z].map(whole),
            lod_bias: inst.lod_bias,
            normalized: [
                inst.coord_type_x,
                inst.coord_type_y,
                inst.coord_type_z,
                inst.coord_type_w,
            ],
        }
    }
}

/// Footprints, component and active lanes.
type Key = (Footprints, usize, u64);

/// The texels that were gathered last.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    key: Option<Key>,
    elements: [Lanes; 4],
    texels: [Lanes; 4],
}

impl Default for Gathered {
    fn default() -> Gathered {
        Gathered {
            key: None,
            elements: [ZERO; 4],
            texels: [ZERO; 4],
        }
    }
}

impl Gathered {
    /// Forgets them.
    pub(super) fn forget(&mut self) {
        self.key = None;
    }

    /// The four texels at these coordinates, from `gather` unless they are those of the last call.
    pub(super) fn get(
        &mut self,
        key: Key,
        elements: &[Lanes; 4],
        gather: impl FnOnce(&mut [Lanes; 4]),
    ) -> &[Lanes; 4] {
        if self.key != Some(key) || self.elements != *elements {
            self.texels = [ZERO; 4];
            gather(&mut self.texels);
            (self.key, self.elements) = (Some(key), *elements);
        }
        &self.texels
    }
}
