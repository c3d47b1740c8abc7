//! Gathers and queries of levels of detail. [SI 8.2]

use lanes::{LANES, Wave};
use silicon::texture::format::Class;
use silicon::texture::sample::{
    self, Lanes, Lod as Detail, Plain, PreparedSampler, Repeats, Request, rules,
};

use super::super::MemoryUnit;
use super::super::resource::{Image, Number};
use super::{
    Computed, Operands, Shaped, ZERO, bound_all, destination, lanes_in, lanes_of, watch, write,
};
use crate::descriptor::{ImageSampler, mip_filter};
use crate::isa::image::{ImageSem, Lod, Sampled};
use crate::isa::operand::EXEC;
use crate::isa::words::Mimg;
use crate::sqc::quad;

/// The component of a texel that an instruction gathers.
fn component(inst: &Mimg) -> usize {
    inst.dmask.trailing_zeros().min(3) as usize
}

/// Gathers for several waves at once; says whether it did. Otherwise nothing is done. `same` and `later` as in
/// [`super::sample_all`].
pub(super) fn gather_all(
    inst: &Mimg,
    registers: &mut [Wave],
    (same, later): (u16, bool),
    unit: &mut MemoryUnit,
) -> bool {
    let (ImageSem::Gather(sampled), false, Some(rows)) =
        (inst.op.sem(), inst.r128 || inst.tfe, destination(inst, 15))
    else {
        return false;
    };
    let first_level = sampled.lod == Lod::Zero && !sampled.clamp;
    let Some([image, sampler]) = bound_all(inst, registers, unit).filter(|_| first_level) else {
        return false;
    };
    let name = unit.descriptors.name(image, sampler);
    let (image, sampler) = unit.descriptors.pair(image, sampler);
    let (texture, scratch) = (&image.texture, &mut unit.scratch);
    // Integers are taken from other places. (ERRATA 55)
    if matches!(texture.class(), Class::Uint | Class::Sint) {
        return false;
    }
    let mut waves = [Plain::NONE; sample::MAX_WAVES];
    let operands = Shaped::new(inst, sampled, image.kind);
    for (plain, wave) in waves.iter_mut().zip(&*registers) {
        *plain = operands.of(wave);
    }
    let Some(waves) = waves.get(..registers.len()) else {
        return false;
    };
    let before = operands.count <= same;
    let gather = sample::Gather {
        component: component(inst),
        name,
        repeats: Repeats { before, later },
    };
    let bound = (texture, sampler);
    let gathers = scratch.begin_gathers(unit.level, &unit.memory, bound, gather, waves);
    let Some(gathers) = gathers else {
        return false;
    };
    let mut outs = [const { [None, None, None, None] }; sample::MAX_WAVES];
    let count = registers.len();
    for (out, wave) in outs.iter_mut().zip(registers) {
        wave.charge(texture.gather_cost());
        unit.texels += 4 * lanes_in(wave.mask(u16::from(EXEC)));
        for (out, row) in out.iter_mut().zip(&mut wave.rows[rows.clone()]) {
            *out = Some(&mut row.0);
        }
    }
    gathers.finish_all(scratch, &mut outs[..count]);
    true
}

/// Gathers, and levels of detail.
pub(super) fn query(
    inst: &Mimg,
    sem: ImageSem,
    [image, sampler]: [Number; 2],
    exec: u64,
    wave: &mut Wave,
    unit: &mut MemoryUnit,
) {
    watch(image, unit);
    let (image, sampler) = unit.descriptors.pair(image, sampler);
    wave.charge(image.texture.gather_cost());
    let mut computed = Computed::default();
    let mut out = [ZERO; 4];
    if let ImageSem::Gather(sampled) = sem {
        let operands = Operands::new(inst, wave).sample(image, sampled, &mut computed);
        let component = component(inst);
        let mut request = operands.request(exec, sampled.lod);
        let texture = &image.texture;
        let moved;
        if matches!(texture.class(), Class::Uint | Class::Sint) {
            let word = ImageSampler::from_word(quad(wave, u16::from(inst.ssamp) * 4));
            let levels = levels(image, (sampler, &word), &request);
            let unnormalized = inst.unorm || word.force_unnormalized;
            moved = moved_to_nearest(image, unnormalized, &levels, &request);
            request.coords = [&moved[0], &moved[1], request.coords[2]];
        }
        unit.texels += 4 * lanes_in(exec);
        sample::gather(
            &mut unit.scratch,
            &unit.memory,
            texture,
            sampler,
            &request,
            component,
            &mut out,
        );
    } else {
        let sampled = Sampled {
            lod: Lod::Implicit,
            compare: false,
            clamp: false,
            offset: false,
        };
        let operands = Operands::new(inst, wave).sample(image, sampled, &mut computed);
        let request = operands.request(exec, Lod::Implicit);
        let mut lod = [ZERO; 2];
        sample::query_lod(&image.texture, sampler, &request, &mut lod);
        [out[0], out[1]] = lod;
    }
    write(inst, sem, exec, &out, wave);
}

/// The level that each lane gathers from.
fn levels(
    image: &Image,
    (sampler, word): (&PreparedSampler, &ImageSampler),
    request: &Request,
) -> [usize; LANES] {
    let mut levels = [0; LANES];
    if !matches!(request.lod, Detail::Zero) && word.mip_filter != mip_filter::NONE {
        let mut lod = [ZERO; 2];
        sample::query_lod(&image.texture, sampler, request, &mut lod);
        let last = image.texture.levels() as i32 - 1;
        for lane in lanes_of(request.exec) {
            let fixed = (f32::from_bits(lod[0][lane]) * 256.0) as i32;
            levels[lane] = rules::nearest_level(fixed, last) as usize;
        }
    }
    levels
}

/// Both coordinates of a gather of integers: where a linear footprint begins at the texel that is nearest. (ERRATA 55)
fn moved_to_nearest(
    image: &Image,
    unnormalized: bool,
    levels: &[usize; LANES],
    request: &Request,
) -> [Lanes; 2] {
    let mut moved = [ZERO; 2];
    for (axis, moved) in moved.iter_mut().enumerate() {
        for lane in lanes_of(request.exec) {
            let size = match unnormalized {
                true => 1.0,
                false => image
                    .sizes
                    .get(levels[lane])
                    .map_or(1.0, |size| size[axis] as f32),
            };
            let at = f32::from_bits(request.coords[axis][lane]) * size;
            let first = ((at * 256.0 + 0.5).floor() / 256.0).floor();
            // Half a texel behind the middle of the first: rounding does not reach another.
            moved[lane] = ((first + 1.0) / size).to_bits();
        }
    }
    moved
}
