//! Samples that take coordinates as they are in registers: results go from texels straight into registers.

use lanes::Wave;
use silicon::fragment::interpolate::lanes as lanes_of;
use silicon::texture::sample::{Lanes, Lod as Detail, Request};

use super::{Bound, Image, Unit, elements};
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
    let Some(sample) = Plain::new(inst, image) else {
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
    sampling.finish(unit.scratch, sample.registers(target, wave));
    true
}

/// A sample of an image of two coordinates that takes no more than those and a reference.
struct Plain {
    compare: bool,
    detail: Detail<'static>,
    /// What each element of the register gets; no component twice.
    selects: [Select; 4],
}

impl Plain {
    fn new(inst: &Tex, image: &Image) -> Option<Plain> {
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
            Lod::Biased | Lod::Explicit => return None,
        };
        let selects = inst.selects();
        let twice = (0..4).any(|component| {
            let named = |select: &&Select| **select as usize == component;
            selects.iter().filter(named).count() > 1
        });
        let moved = [inst.offset_x, inst.offset_y, inst.offset_z] != [0; 3];
        let flat = image.kind == dim::D2;
        (flat && !moved && !twice && !inst.bc_frac_mode).then_some(Plain {
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

    /// The row that each component goes to, where there is one; the constant elements of the register are set.
    fn registers<'a>(&self, target: u8, wave: &'a mut Wave) -> [Option<&'a mut Lanes>; 4] {
        let active = wave.mask(ACTIVE);
        let rows = wave.rows[4 * usize::from(target)..].iter_mut();
        let mut out = [None, None, None, None];
        for (row, select) in rows.map(|row| &mut row.0).zip(self.selects) {
            let constant = match select {
                Select::X | Select::Y | Select::Z | Select::W => {
                    out[select as usize] = Some(row);
                    continue;
                }
                Select::Zero => ZEROS[0],
                Select::One => ONES[0],
                Select::Mask => continue,
            };
            lanes_of(active).for_each(|lane| row[lane] = constant);
        }
        out
    }
}
