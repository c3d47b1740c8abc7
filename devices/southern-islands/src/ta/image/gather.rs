//! Gathers and queries of levels of detail. [SI 8.2]

use lanes::{LANES, Wave};
use silicon::texture::format::Class;
use silicon::texture::sample::{self, Lanes, Lod as Detail, PreparedSampler, Request, rules};

use super::super::MemoryUnit;
use super::super::resource::{Image, Number};
use super::{Computed, Operands, ZERO, lanes_in, lanes_of, sampler, watch, write};
use crate::descriptor::{ImageSampler, mip_filter};
use crate::isa::image::{ImageSem, Lod, Sampled};
use crate::isa::words::Mimg;
use crate::sqc::quad;

/// Gathers, and levels of detail.
pub(super) fn query(
    inst: &Mimg,
    sem: ImageSem,
    image: Number,
    exec: u64,
    wave: &mut Wave,
    unit: &mut MemoryUnit,
) {
    watch(image, unit);
    let sampler = sampler(inst, wave, unit);
    let (image, sampler) = unit.descriptors.pair(image, sampler);
    wave.charge(image.texture.gather_cost());
    let mut computed = Computed::default();
    let mut out = [ZERO; 4];
    if let ImageSem::Gather(sampled) = sem {
        let operands = Operands::new(inst, wave).sample(image, sampled, &mut computed);
        let component = inst.dmask.trailing_zeros().min(3) as usize;
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
