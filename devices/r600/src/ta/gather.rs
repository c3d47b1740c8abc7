//! Texels of footprints that several instructions of a clause take one by one.

use lanes::Wave;
use silicon::fragment::mask::merge;
use silicon::texture::sample::Lanes;

use super::{Bound, Unit, ZERO, elements, filter, halves, whole};
use crate::isa::fetch::{TexOp, TexSem};
use crate::isa::words::Tex;
use crate::isa::{ACTIVE, Port, Setup};

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

    /// The four texels of the last call, if they are those at these coordinates.
    fn known(&self, key: Key, elements: [&Lanes; 4]) -> Option<&[Lanes; 4]> {
        let same = self.key == Some(key) && self.elements.each_ref() == elements;
        same.then_some(&self.texels)
    }

    /// The four texels at these coordinates, from `gather` unless they are those of the last call.
    pub(super) fn get(
        &mut self,
        key: Key,
        elements: &[Lanes; 4],
        gather: impl FnOnce(&mut [Lanes; 4]),
    ) -> &[Lanes; 4] {
        if self.known(key, elements.each_ref()).is_none() {
            self.texels = [ZERO; 4];
            gather(&mut self.texels);
            (self.key, self.elements) = (Some(key), *elements);
        }
        &self.texels
    }
}

/// Takes one component of texels that the instruction before has gathered; says whether it did. Otherwise nothing is done.
pub(super) fn again(
    inst: &Tex,
    bound: &Bound,
    (port, setup): (&Port, &Setup<'_>),
    unit: &Unit<'_>,
    wave: &mut Wave,
) -> bool {
    let Some(image) = bound.image.as_deref() else {
        return false;
    };
    let filtered = matches!(inst.op.sem(), TexSem::Sample { .. }) && !inst.bc_frac_mode;
    let (Ok(Some(side)), Some(selects), true) = (
        halves(inst, image, &bound.rules),
        filter::selects(inst),
        filtered,
    ) else {
        return false;
    };
    let mut components = selects.into_iter().map(|select| select as usize);
    let (Some(component), None) = (
        components.find(|select| *select < 4),
        components.find(|select| *select < 4),
    ) else {
        return false;
    };
    let active = wave.mask(ACTIVE);
    let key = (Footprints::of(inst), component, active);
    let found = elements(inst, port, setup, wave);
    let Some(texels) = unit.clause.gathered.known(key, found) else {
        return false;
    };
    let Some(target) = port.register(inst.dst_gpr, inst.dst_rel, setup, wave) else {
        return true;
    };
    if let Some(row) = &mut filter::registers(selects, unit.level, target, wave)[component] {
        merge(unit.level, active, &texels[side], row);
    }
    true
}
