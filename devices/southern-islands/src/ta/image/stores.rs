//! Stores of texels by number.

use lanes::Wave;
use silicon::texture::sample::Numbered;

use super::{MemoryUnit, Operands, Stores, ZERO, image_of_all};
use crate::isa::image::{ImageSem, Raw};
use crate::isa::memory::Atomic;
use crate::isa::operand::EXEC;
use crate::isa::words::Mimg;
use crate::sq::GroupSlot;
use crate::ta::resource::Image;

/// Stores the texels of a wave.
pub(super) fn store(
    inst: &Mimg,
    (mip, raw): (bool, Raw),
    (image, numbered): (&Image, &Numbered),
    wave: &Wave,
    stores: &mut Stores<Atomic>,
) {
    let operands = Operands::new(inst, wave);
    let mut faces = None;
    let access = operands.texels(image, wave.mask(u16::from(EXEC)), mip, &mut faces);
    let values = operands.data(inst);
    match raw {
        Raw::Converted => {
            // A component takes the first register whose selector names it, zero if none does.
            let values = image.stores.map(|from| from.map_or(&ZERO, |at| values[at]));
            numbered.store(&access, values, stores);
        }
        _ => numbered.store_words(&access, values, stores),
    }
}

/// Stores of several waves, each of which goes to the log of its group; says whether it did. Otherwise nothing is done.
pub(crate) fn store_all(
    inst: &Mimg,
    waves: &mut [Wave],
    groups: &[GroupSlot],
    unit: &mut MemoryUnit,
) -> bool {
    let ImageSem::Store { mip, raw } = inst.op.sem() else {
        return false;
    };
    let Some(number) = image_of_all(inst, waves, unit) else {
        return false;
    };
    unit.scratch.forget();
    let image = unit.descriptors.numbered(number);
    let numbered = Numbered::new(unit.level, &unit.memory, &image.texture);
    for (n, wave) in waves.iter_mut().enumerate() {
        if let Some(group) = groups.get(n) {
            unit.logs.current = group.log;
        }
        wave.charge(image.texture.access_cost());
        let mut stores = unit.logs.stores(image.site(), &unit.memory);
        store(inst, (mip, raw), (image, &numbered), wave, &mut stores);
    }
    true
}
