//! The texture unit: texture instructions on images and samplers. [R600 17]

mod resource;

use std::sync::Arc;

use lanes::{Fault, LANES, Wave};
use silicon::Memory;
use silicon::float::canonical;
use silicon::sample::{self, Lanes, Lod as Detail, PreparedSampler, Request};

use crate::isa::fetch::{Lod, TexSem};
use crate::isa::words::{SourceSelect, Tex};
use crate::isa::{ACTIVE, Port, Setup};
use crate::resource::dim;
use crate::vc::write;

pub(crate) use resource::{Image, Images, sampler};

const ZERO: Lanes = [0; LANES];

/// A texture instruction of a draw, with what was bound.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// None: loads give zeros.
    pub(crate) image: Option<Arc<Image>>,
    pub(crate) sampler: PreparedSampler,
}

/// Gradients that SET_GRADIENTS left for the sample after them, x y z along each axis.
#[derive(Clone, Debug)]
pub(crate) struct Gradients {
    h: [Lanes; 3],
    v: [Lanes; 3],
}

impl Default for Gradients {
    fn default() -> Gradients {
        Gradients {
            h: [ZERO; 3],
            v: [ZERO; 3],
        }
    }
}

impl Gradients {
    /// At the end of a clause.
    pub(crate) fn forget(&mut self) {
        *self = Gradients::default();
    }
}

/// Coordinates of an instruction.
struct Coordinates {
    /// Elements as they come.
    elements: [Lanes; 4],
}

impl Coordinates {
    fn new(inst: &Tex, port: &Port, setup: &Setup<'_>, wave: &Wave) -> Coordinates {
        // Registers that are not allocated read as R0.
        let gpr = port.register(inst.src_gpr, inst.src_rel, setup, wave);
        let first = 4 * usize::from(gpr.unwrap_or(0));
        Coordinates {
            elements: inst.sources().map(|select| match select {
                SourceSelect::Zero => ZERO,
                SourceSelect::One => [1f32.to_bits(); LANES],
                element => wave.rows[first + element as usize].0,
            }),
        }
    }
}

/// Runs a texture instruction for the active lanes.
pub(crate) fn run(
    inst: &Tex,
    bound: &Bound,
    port: &Port,
    setup: &Setup<'_>,
    memory: &Memory,
    gradients: &mut Gradients,
    wave: &mut Wave,
) -> Result<(), Fault> {
    let active = wave.mask(ACTIVE);
    let Coordinates { elements } = Coordinates::new(inst, port, setup, wave);
    let sem = inst.op.sem();
    if inst.bc_frac_mode {
        return Err(illegal(inst, "with BC_FRAC_MODE"));
    }
    let mut out = [ZERO; 4];
    match (sem, bound.image.as_deref()) {
        (TexSem::SetGradientsH | TexSem::SetGradientsV, _) => {
            let [x, y, z, _] = elements;
            match sem {
                TexSem::SetGradientsH => gradients.h = [x, y, z],
                _ => gradients.v = [x, y, z],
            }
            return Ok(());
        }
        (TexSem::GradientsH, _) => out = elements.map(|row| differences(&row, 1)),
        (TexSem::GradientsV, _) => out = elements.map(|row| differences(&row, 2)),
        (_, None) => {}
        (TexSem::Load, Some(image)) => load(inst, image, &elements, memory, active, &mut out),
        (TexSem::Size, Some(image)) => {
            for lane in 0..LANES {
                let size = image.sizes.get(elements[0][lane] as usize);
                let [x, y, z] = size.copied().unwrap_or([0; 3]);
                let info = [x, y, z, image.sizes.len() as u32];
                for (row, value) in out.iter_mut().zip(info) {
                    row[lane] = value;
                }
            }
        }
        (TexSem::ComputedLod, Some(image)) => {
            let operands = Operands::new(inst, image, &elements);
            let request = operands.request(active, Detail::Implicit);
            let mut lod = [ZERO; 2];
            sample::query_lod(&image.texture, &bound.sampler, &request, &mut lod);
            [out[0], out[1]] = lod;
        }
        (
            TexSem::Sample {
                compare,
                gradients: given,
                lod,
            },
            Some(image),
        ) => {
            let mut operands = Operands::new(inst, image, &elements);
            // The reference takes W, and what else would be there goes to Z.
            let [_, _, z, w] = &elements;
            let extra = if compare { z } else { w };
            operands.reference = compare.then_some(w);
            let detail = match (lod, given) {
                (Lod::Explicit, _) => Detail::Explicit(extra),
                (Lod::Zero, _) => Detail::Zero,
                (Lod::Biased, false) => Detail::Bias(extra),
                (Lod::Computed, false) => Detail::Implicit,
                (Lod::Computed, true) => Detail::Gradient {
                    dx: gradients.h.each_ref(),
                    dy: gradients.v.each_ref(),
                },
                (Lod::Biased, true) => return Err(illegal(inst, "")),
            };
            let request = operands.request(active, detail);
            sample::sample(memory, &image.texture, &bound.sampler, &request, &mut out);
        }
        (
            TexSem::BorderFraction | TexSem::LerpFactors | TexSem::Weights | TexSem::Pass,
            Some(_),
        ) => return Err(illegal(inst, "")),
    }
    if let Some(target) = port.register(inst.dst_gpr, inst.dst_rel, setup, wave) {
        write(&out, inst.selects(), active, target, wave);
    }
    Ok(())
}

fn illegal(inst: &Tex, how: &str) -> Fault {
    Fault::Illegal {
        reason: format!("{} {how} is not executed", inst.op.name()),
    }
}

/// Differences within quads, to the right (1) or down (2).
fn differences(row: &Lanes, step: usize) -> Lanes {
    std::array::from_fn(|lane| {
        let first = lane & !step;
        let [a, b] = [first, first | step].map(|at| f32::from_bits(row[at]));
        canonical(b - a)
    })
}

/// Where the array layer is, if the shape has one.
fn layer_element(kind: u8) -> Option<usize> {
    match kind {
        dim::D1_ARRAY => Some(1),
        dim::D2_ARRAY | dim::D2_ARRAY_MSAA => Some(2),
        _ => None,
    }
}

/// An offset in half texels, as whole texels in every lane.
fn texels(half: i8) -> Lanes {
    [i32::from(half >> 1) as u32; LANES]
}

fn load(
    inst: &Tex,
    image: &Image,
    elements: &[Lanes; 4],
    memory: &Memory,
    active: u64,
    out: &mut [Lanes; 4],
) {
    let moved = |axis: usize, half: i8| match half {
        0 => elements[axis],
        _ => elements[axis].map(|v| v.wrapping_add(i32::from(half >> 1) as u32)),
    };
    let x = moved(0, inst.offset_x);
    let y = match image.kind {
        dim::D1 | dim::D1_ARRAY => ZERO,
        _ => moved(1, inst.offset_y),
    };
    let slice = match (image.kind, layer_element(image.kind)) {
        (_, Some(element)) => elements[element],
        (dim::D3, _) => moved(2, inst.offset_z),
        (dim::CUBEMAP, _) => elements[2].map(|id| (id >> 3).wrapping_mul(6) + (id & 7)),
        _ => ZERO,
    };
    let multisampled = matches!(image.kind, dim::D2_MSAA | dim::D2_ARRAY_MSAA);
    let access = sample::Access {
        exec: active,
        x: &x,
        y: &y,
        slice: Some(&slice),
        level: (!multisampled).then_some(&elements[3]),
        sample: multisampled.then_some(&elements[3]),
    };
    sample::load(memory, &image.texture, &access, out);
}

/// Operands of a sample.
struct Operands<'a> {
    coords: [Lanes; 3],
    layer: Option<Lanes>,
    offsets: Option<[Lanes; 3]>,
    reference: Option<&'a Lanes>,
}

impl<'a> Operands<'a> {
    fn new(inst: &Tex, image: &Image, elements: &'a [Lanes; 4]) -> Operands<'a> {
        let [x, y, z, _] = *elements;
        let mut coords = [x, y, z];
        let mut layer = layer_element(image.kind).map(|element| elements[element]);
        if image.kind == dim::CUBEMAP {
            // Face coordinates go from 0 to 1; face_id = 8 * layer + face. [ERRATA 5]
            let id = z.map(|id| lanes::math::round_even(f32::from_bits(id)));
            let cube = id.map(|id| lanes::math::floor(id / 8.0));
            for lane in 0..LANES {
                coords[2][lane] = (id[lane] - 8.0 * cube[lane]).to_bits();
            }
            layer = Some(cube.map(f32::to_bits));
        }
        let halves = [inst.offset_x, inst.offset_y, inst.offset_z];
        Operands {
            coords,
            layer,
            offsets: (halves != [0; 3]).then(|| halves.map(texels)),
            reference: None,
        }
    }

    fn request<'r>(&'r self, active: u64, lod: Detail<'r>) -> Request<'r> {
        Request {
            exec: active,
            coords: self.coords.each_ref(),
            layer: self.layer.as_ref(),
            lod,
            lod_clamp: None,
            reference: self.reference,
            offsets: self.offsets.as_ref().map(|offsets| offsets.each_ref()),
        }
    }
}
