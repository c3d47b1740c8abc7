//! Samples that take coordinates as they are in registers: results go from texels straight into registers.

use lanes::Wave;
use silicon::fragment::mask::merge;
use silicon::texture::sample::{self, Lanes, Lod as Detail, Request};
use silicon::{Memory, SimdLevel};

use super::{Bound, FACE_ORIGIN, Numbers, Unit, elements, layer_element, reference_element};
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
    let Some(sample) = Plain::new(inst, false) else {
        return false;
    };
    let Some(target) = port.register(inst.dst_gpr, inst.dst_rel, setup, wave) else {
        return true;
    };
    let request = sample.request(elements(inst, port, setup, wave), wave);
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
pub(crate) fn run_all(
    inst: &Tex,
    bound: &Bound,
    (port, setup): (&Port, &Setup<'_>),
    (level, memory, scratch): (SimdLevel, &Memory, &mut sample::Scratch),
    waves: &mut [Wave],
) -> bool {
    let Some(image) = bound.image.as_deref() else {
        return false;
    };
    // Loop indices may differ from wave to wave.
    if inst.src_rel || inst.dst_rel || inst.dst_gpr >= setup.gprs {
        return false;
    }
    let given = is_given(inst);
    let reference = reference_element(if given { Lod::Explicit } else { Lod::Computed });
    let Some(how) = Plain::new(inst, given) else {
        return false;
    };
    let mut requests = [sample::Plain::NONE; sample::MAX_WAVES];
    let Some(requests) = requests.get_mut(..waves.len()) else {
        return false;
    };
    for (request, wave) in requests.iter_mut().zip(&*waves) {
        let elements = elements(inst, port, setup, wave);
        let [x, y, z, w] = elements;
        *request = sample::Plain {
            exec: wave.mask(ACTIVE),
            coords: [x, y, z],
            layer: match layer_element(image.kind) {
                Some(1) => Some(y),
                Some(_) => Some(z),
                None => None,
            },
            face_ids: (image.kind == dim::CUBEMAP).then_some(FACE_ORIGIN),
            reference: how.compare.then_some(elements[reference]),
            lod: given.then_some(w),
        };
    }
    let implicit = !given && matches!(how.detail, Detail::Implicit);
    let (texture, sampler) = (&image.texture, &bound.sampler);
    let sampling = scratch.begin_all(level, memory, texture, sampler, implicit, requests);
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
    let loader = sample::Loader::new(level, memory, &image.texture);
    for wave in waves {
        wave.charge(bound.cost);
        // Results may go to the registers of numbers.
        let numbers = Numbers::new(inst, image, elements(inst, port, setup, wave));
        let access = numbers.access(wave.mask(ACTIVE));
        let mut out = registers(selects, level, inst.dst_gpr, wave);
        if !loader.rows(&access, &mut out) {
            let loading = loader.begin(scratch, &access);
            loading.finish(scratch, &image.texture, out);
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

/// Whether an instruction says the level of detail.
fn is_given(inst: &Tex) -> bool {
    let lod = match inst.op.sem() {
        TexSem::Sample { lod, .. } => lod,
        _ => Lod::Computed,
    };
    lod == Lod::Explicit
}

/// A sample that takes no more than coordinates and a reference.
struct Plain {
    compare: bool,
    detail: Detail<'static>,
    /// What each element of the register gets; no component twice.
    selects: [Select; 4],
}

impl Plain {
    /// `given` allows a level of detail.
    fn new(inst: &Tex, given: bool) -> Option<Plain> {
        let TexSem::Sample {
            compare,
            gradients: false,
            lod,
        } = inst.op.sem()
        else {
            return None;
        };
        let detail = match lod {
            Lod::Computed => Detail::Implicit,
            Lod::Zero => Detail::Zero,
            Lod::Explicit if given => Detail::Zero,
            Lod::Biased | Lod::Explicit => return None,
        };
        let selects = selects(inst)?;
        let moved = [inst.offset_x, inst.offset_y, inst.offset_z] != [0; 3];
        (!moved && !inst.bc_frac_mode).then_some(Plain {
            compare,
            detail,
            selects,
        })
    }

    fn request<'a>(&self, [x, y, z, w]: [&'a Lanes; 4], wave: &Wave) -> Request<'a> {
        Request {
            exec: wave.mask(ACTIVE),
            coords: [x, y, z],
            layer: None,
            lod: self.detail,
            lod_clamp: None,
            reference: self.compare.then_some(w),
            offsets: None,
        }
    }
}
