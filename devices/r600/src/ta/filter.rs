//! Samples that take coordinates as they are in registers: results go from texels straight into registers.

use lanes::{LANES, Wave};
use silicon::fragment::mask::merge;
use silicon::texture::sample::{self, Lanes, Lod as Detail, Repeats, Request};
use silicon::{Memory, SimdLevel};

use super::{
    Bound, ClauseState, FACE_ORIGIN, Numbers, Unit, elements, layer_element, offset,
    reference_element,
};
use crate::isa::fetch::{Lod, TexSem};
use crate::isa::words::{Select, Tex};
use crate::isa::{ACTIVE, Port, Setup};
use crate::resource::dim;
use crate::sx::{ONES, ZEROS};

/// Samples for the active lanes; says whether it did. Otherwise nothing is done.
pub(super) fn run(
    inst: &Tex,
    bound: &Bound,
    port: &Port,
    setup: &Setup<'_>,
    unit: &mut Unit<'_>,
    wave: &mut Wave,
) -> bool {
    let Some(image) = bound.image.as_deref() else {
        return false;
    };
    if image.kind != dim::D2 {
        return false;
    }
    let Some(sample) = Plain::new(inst) else {
        return false;
    };
    let Some(target) = port.register(inst.dst_gpr, inst.dst_rel, setup, wave) else {
        return true;
    };
    let found = elements(inst, port, setup, wave);
    let offsets = sample.offset.map(|offset| [offset; LANES]);
    let set = (&*unit.clause, offsets.as_ref());
    let plain = sample.request(image.kind, found, set, wave);
    let request = Request {
        exec: plain.exec,
        coords: plain.coords,
        layer: None,
        lod: plain.lod,
        lod_clamp: None,
        reference: plain.reference,
        offsets: plain.offsets,
    };
    let sampling = unit.scratch.begin(
        unit.level,
        unit.memory,
        &image.texture,
        &bound.sampler,
        &request,
    );
    sampling.finish(
        unit.scratch,
        registers(sample.selects, unit.level, target, wave),
    );
    true
}

/// Samples for several waves at once; says whether it did. Otherwise nothing is done.
pub(crate) fn run_all<'c>(
    inst: &Tex,
    bound: &Bound,
    (port, setup): (&Port, &Setup<'_>),
    (level, memory, scratch): (SimdLevel, &Memory, &mut sample::Scratch),
    clauses: impl Iterator<Item = &'c ClauseState>,
    waves: &mut [Wave],
) -> bool {
    let Some(image) = bound.image.as_deref() else {
        return false;
    };
    // Loop indices may differ from wave to wave.
    if inst.src_rel || inst.dst_rel || inst.dst_gpr >= setup.gprs {
        return false;
    }
    let Some(how) = Plain::new(inst) else {
        return false;
    };
    let mut requests = [sample::Plain::NONE; sample::MAX_WAVES];
    let Some(requests) = requests.get_mut(..waves.len()) else {
        return false;
    };
    let offsets = how.offset.map(|offset| [offset; LANES]);
    for ((request, wave), clause) in requests.iter_mut().zip(&*waves).zip(clauses) {
        let found = elements(inst, port, setup, wave);
        let set = (clause, offsets.as_ref());
        *request = how.request(image.kind, found, set, wave);
    }
    let (texture, sampler) = (&image.texture, &bound.sampler);
    let sampling = scratch.begin_all(
        level,
        memory,
        texture,
        sampler,
        requests,
        Repeats::default(),
    );
    let Some(sampling) = sampling else {
        return false;
    };
    let mut outs = [const { [None, None, None, None] }; sample::MAX_WAVES];
    let count = waves.len();
    for (out, wave) in outs.iter_mut().zip(waves) {
        wave.charge(bound.cost);
        *out = registers(how.selects, level, inst.dst_gpr, wave);
    }
    sampling.finish_all(scratch, &mut outs[..count]);
    true
}

/// Loads for several waves at once; says whether it did. Otherwise nothing is done.
pub(crate) fn load_all(
    inst: &Tex,
    bound: &Bound,
    (port, setup): (&Port, &Setup<'_>),
    (level, memory, scratch): (SimdLevel, &Memory, &mut sample::Scratch),
    waves: &mut [Wave],
) -> bool {
    let (Some(image), Some(selects)) = (bound.image.as_deref(), selects(inst)) else {
        return false;
    };
    // Loop indices may differ from wave to wave.
    let fixed = !inst.src_rel && !inst.dst_rel && inst.dst_gpr < setup.gprs;
    if inst.op.sem() != TexSem::Load || !fixed {
        return false;
    }
    let numbered = sample::Numbered::new(level, memory, &image.texture);
    for wave in waves {
        wave.charge(bound.cost);
        // Results may go to the registers of numbers.
        let numbers = Numbers::new(inst, image, elements(inst, port, setup, wave));
        let access = numbers.access(wave.mask(ACTIVE));
        let found = numbered.texels(&access);
        let mut out = registers(selects, level, inst.dst_gpr, wave);
        match found {
            Some(found) => numbered.components((access.exec, found), &mut out),
            None => {
                let loading = numbered.begin(scratch, &access);
                loading.finish(scratch, &image.texture, out);
            }
        }
    }
    true
}

/// What each element of the register gets, where no component is there twice.
pub(super) fn selects(inst: &Tex) -> Option<[Select; 4]> {
    let selects = inst.selects();
    let twice = (0..4).any(|component| {
        let named = |select: &&Select| **select as usize == component;
        selects.iter().filter(named).count() > 1
    });
    (!twice).then_some(selects)
}

/// The row that each component goes to, where there is one; the constant elements of the register are set.
pub(super) fn registers(
    selects: [Select; 4],
    level: SimdLevel,
    target: u8,
    wave: &mut Wave,
) -> [Option<&mut Lanes>; 4] {
    let active = wave.mask(ACTIVE);
    let rows = wave.rows[4 * usize::from(target)..].iter_mut();
    let mut out = [None, None, None, None];
    for (row, select) in rows.map(|row| &mut row.0).zip(selects) {
        let constants = match select {
            Select::X | Select::Y | Select::Z | Select::W => {
                out[select as usize] = Some(row);
                continue;
            }
            Select::Zero => &ZEROS,
            Select::One => &ONES,
            Select::Mask => continue,
        };
        merge(level, active, constants, row);
    }
    out
}

/// A sample that is no more than filtered texels.
struct Plain {
    compare: bool,
    gradients: bool,
    lod: Lod,
    /// Texel offsets, where there are some.
    offset: Option<u32>,
    /// What each element of the register gets; no component twice.
    selects: [Select; 4],
}

impl Plain {
    fn new(inst: &Tex) -> Option<Plain> {
        let TexSem::Sample {
            compare,
            gradients,
            lod,
        } = inst.op.sem()
        else {
            return None;
        };
        // Biased gradients are computed, and offsets of half texels take texels of footprints.
        let computed = gradients && lod == Lod::Biased;
        let halves = [inst.offset_x, inst.offset_y, inst.offset_z].map(|half| half & 1);
        let selects = selects(inst)?;
        (!computed && halves == [0; 3] && !inst.bc_frac_mode).then(|| Plain {
            compare,
            gradients,
            lod,
            offset: offset(inst),
            selects,
        })
    }

    /// Where levels of detail come from: element W, or what the clause has set.
    fn detail<'a>(&self, w: &'a Lanes, clause: &'a ClauseState) -> Detail<'a> {
        match self.lod {
            Lod::Computed if self.gradients => Detail::Gradient {
                dx: clause.gradients.along(0),
                dy: clause.gradients.along(1),
            },
            Lod::Computed => Detail::Implicit,
            Lod::Zero => Detail::Zero,
            Lod::Biased => Detail::Bias(w),
            Lod::Explicit => Detail::Explicit(w),
        }
    }

    /// The sample of a wave with an image of a kind.
    #[inline(always)]
    fn request<'a>(
        &self,
        kind: u8,
        elements: [&'a Lanes; 4],
        (clause, offsets): (&'a ClauseState, Option<&'a Lanes>),
        wave: &Wave,
    ) -> sample::Plain<'a> {
        let [x, y, z, w] = elements;
        sample::Plain {
            exec: wave.mask(ACTIVE),
            coords: [x, y, z],
            layer: layer_element(kind).map(|element| elements[element]),
            face_ids: (kind == dim::CUBEMAP).then_some(FACE_ORIGIN),
            reference: self
                .compare
                .then_some(elements[reference_element(self.lod)]),
            lod: self.detail(w, clause),
            lod_clamp: None,
            offsets,
        }
    }
}
