//! The texture unit: texture instructions on images and samplers. [R600 17]

mod filter;
mod footprint;
mod gather;
mod resource;

use std::sync::Arc;

use lanes::{Fault, LANES, Wave};
use silicon::texture::float::canonical;
use silicon::texture::sample::rules::pack_offsets;
use silicon::texture::sample::{self, Lanes, Lod as Detail, PreparedSampler, Request};
use silicon::{Memory, SimdLevel};

use crate::isa::fetch::{Lod, TexSem};
use crate::isa::words::{SourceSelect, Tex};
use crate::isa::{ACTIVE, Port, Setup};
use crate::resource::dim;
use crate::sx::{ONES, ZEROS};
use crate::vc::write;

pub(crate) use filter::{load_all, run_all};
use footprint::{Footprint, footprint};
pub(crate) use gather::Picks;
use gather::{Gathered, whole};
pub(crate) use resource::{Image, Images, sampler};

const ZERO: Lanes = [0; LANES];

/// A texture instruction of a draw, with what was bound.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// None: loads give zeros.
    pub(crate) image: Option<Arc<Image>>,
    pub(crate) sampler: PreparedSampler,
    /// What the instruction costs a wave.
    pub(crate) cost: u64,
    /// Texels that a lane reads at most.
    texels: u64,
    /// The same as it was before it was made ready.
    pub(crate) rules: sample::Sampler,
}

/// What texture instructions leave for those after them in the clause.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClauseState {
    gradients: Gradients,
    gathered: Gathered,
}

impl ClauseState {
    /// At the end of a clause.
    pub(crate) fn forget(&mut self) {
        self.gathered.forget();
        self.gradients.set = [false; 2];
    }
}

/// Gradients that SET_GRADIENTS_H and SET_GRADIENTS_V left, x y z along each axis, where they did.
#[derive(Clone, Debug)]
struct Gradients {
    rows: [[Lanes; 3]; 2],
    set: [bool; 2],
}

impl Default for Gradients {
    fn default() -> Gradients {
        Gradients {
            rows: [[ZERO; 3]; 2],
            set: [false; 2],
        }
    }
}

impl Gradients {
    /// Keeps those to the right (0) or down (1).
    fn set(&mut self, side: usize, rows: [&Lanes; 3]) {
        for (to, from) in self.rows[side].iter_mut().zip(rows) {
            *to = *from;
        }
        self.set[side] = true;
    }

    /// Those to the right (0) or down (1), which are 0 unless set.
    fn along(&self, side: usize) -> [&Lanes; 3] {
        match self.set[side] {
            true => self.rows[side].each_ref(),
            false => [&ZEROS; 3],
        }
    }
}

/// What texture instructions reach beside the registers.
pub(crate) struct Unit<'a> {
    pub(crate) level: SimdLevel,
    pub(crate) memory: &'a Memory,
    /// Rows that samples are made in.
    pub(crate) scratch: &'a mut sample::Scratch,
    /// Of the wave.
    pub(crate) clause: &'a mut ClauseState,
}

impl Bound {
    /// An image with a sampler for an instruction.
    pub(crate) fn new(
        inst: &Tex,
        image: Option<Arc<Image>>,
        (sampler, rules): (PreparedSampler, sample::Sampler),
    ) -> Bound {
        let texture = image.as_deref().map(|image| &image.texture);
        let halves = [inst.offset_x, inst.offset_y, inst.offset_z].map(|half| half & 1 == 1);
        let cost = texture.map_or(0, |texture| match inst.op.sem() {
            // A gather for each component.
            TexSem::Sample { .. } if halves.contains(&true) => 4 * texture.gather_cost(),
            TexSem::Sample { .. } if inst.bc_frac_mode => texture.gather_cost(),
            TexSem::Sample { .. } => sample::cost(texture, &sampler),
            TexSem::Load => texture.access_cost(),
            _ => texture.gather_cost(),
        });
        let texels = texture.map_or(0, |texture| match inst.op.sem() {
            TexSem::Sample { .. } => sample::texels(texture, &sampler),
            TexSem::Load => 1,
            _ => 0,
        });
        Bound {
            image,
            sampler,
            cost,
            texels,
            rules,
        }
    }
}

impl Bound {
    /// Texels that a wave reads at most.
    pub(crate) fn texels_of(&self, wave: &Wave) -> u64 {
        u64::from(wave.mask(ACTIVE).count_ones()) * self.texels
    }
}

/// The coordinates of an instruction, element by element.
fn elements<'a>(inst: &Tex, port: &Port, setup: &Setup<'_>, wave: &'a Wave) -> [&'a Lanes; 4] {
    // Registers that are not allocated read as R0.
    let gpr = port.register(inst.src_gpr, inst.src_rel, setup, wave);
    let first = 4 * usize::from(gpr.unwrap_or(0));
    inst.sources().map(|select| match select {
        SourceSelect::Zero | SourceSelect::Mask => &ZEROS,
        SourceSelect::One => &ONES,
        element => &wave.rows[first + element as usize].0,
    })
}

/// Runs a texture instruction for the active lanes.
pub(crate) fn run(
    inst: &Tex,
    bound: &Bound,
    port: &Port,
    setup: &Setup<'_>,
    mut unit: Unit<'_>,
    wave: &mut Wave,
) -> Result<(), Fault> {
    wave.charge(bound.cost);
    let side = match inst.op.sem() {
        TexSem::SetGradientsH => Some(0),
        TexSem::SetGradientsV => Some(1),
        _ => None,
    };
    if let Some(side) = side {
        let [x, y, z, _] = elements(inst, port, setup, wave);
        unit.clause.gradients.set(side, [x, y, z]);
        return Ok(());
    }
    let done = filter::run(inst, bound, port, setup, &mut unit, wave)
        || gather::again(inst, bound, (port, setup), &unit, wave);
    match done {
        true => Ok(()),
        false => any(inst, bound, port, setup, unit, wave),
    }
}

/// Runs any texture instruction. Not inlined, as room for what it computes is large.
#[inline(never)]
fn any(
    inst: &Tex,
    bound: &Bound,
    port: &Port,
    setup: &Setup<'_>,
    unit: Unit<'_>,
    wave: &mut Wave,
) -> Result<(), Fault> {
    let (active, level) = (wave.mask(ACTIVE), unit.level);
    let elements = elements(inst, port, setup, wave).map(|row| *row);
    let sem = inst.op.sem();
    let mut out = [ZERO; 4];
    match (sem, bound.image.as_deref()) {
        (TexSem::GradientsH, _) => out = elements.map(|row| differences(&row, 1)),
        (TexSem::GradientsV, _) => out = elements.map(|row| differences(&row, 2)),
        (_, None) => {}
        (TexSem::Load, Some(image)) => {
            let numbers = Numbers::new(inst, image, elements.each_ref());
            let (texture, access) = (&image.texture, numbers.access(active));
            sample::load(unit.scratch, unit.memory, texture, &access, &mut out);
        }
        (TexSem::Size, Some(image)) => {
            for lane in 0..LANES {
                let size = image.sizes.get(elements[0][lane] as usize);
                let [x, mut y, z] = size.copied().unwrap_or([0; 3]);
                if image.kind == dim::D1_ARRAY {
                    // The layers follow the extents.
                    y = z;
                }
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
        // Element W is what compilers take this opcode for. [ERRATA 46]
        (TexSem::BorderFraction, Some(image)) if image.samples > 1 => {
            out[3] = [image.samples; LANES];
        }
        (TexSem::BorderFraction | TexSem::LerpFactors | TexSem::Weights, Some(image)) => {
            for (lane, found) in footprints(inst, bound, image, &elements, active) {
                let [x, y] = found.lerp.map(f32::to_bits);
                let values = match sem {
                    TexSem::BorderFraction => [found.border.to_bits(), 0, 0, image.samples],
                    TexSem::LerpFactors => [x, y, 0, 0],
                    _ => found.weights.map(f32::to_bits),
                };
                for (row, value) in out.iter_mut().zip(values) {
                    row[lane] = value;
                }
            }
        }
        // Black texels and a white border: every element is the border's share.
        (TexSem::Sample { .. }, Some(image)) if inst.bc_frac_mode => {
            for (lane, found) in footprints(inst, bound, image, &elements, active) {
                for row in &mut out {
                    row[lane] = found.border.to_bits();
                }
            }
        }
        (TexSem::Sample { .. }, Some(image)) => {
            sampled(inst, bound, image, &elements, unit, active, &mut out)?;
        }
        (TexSem::Pass | TexSem::SetGradientsH | TexSem::SetGradientsV, Some(_)) => {
            return Err(illegal(inst));
        }
    }
    if let Some(target) = port.register(inst.dst_gpr, inst.dst_rel, setup, wave) {
        write(level, &out, inst.selects(), active, target, wave);
    }
    Ok(())
}

/// A filtered sample, or single texels of its footprint.
fn sampled(
    inst: &Tex,
    bound: &Bound,
    image: &Image,
    elements: &[Lanes; 4],
    unit: Unit<'_>,
    active: u64,
    out: &mut [Lanes; 4],
) -> Result<(), Fault> {
    let TexSem::Sample {
        compare,
        gradients: given,
        lod,
    } = inst.op.sem()
    else {
        return Err(illegal(inst));
    };
    let Unit {
        memory,
        scratch,
        clause,
        ..
    } = unit;
    let ClauseState {
        gradients,
        gathered,
    } = clause;
    let mut operands = Operands::new(inst, image, elements);
    // A level or a bias.
    let extra = &elements[3];
    operands.reference = compare.then_some(&elements[reference_element(lod)]);
    // A level of detail is raised by making the gradients longer.
    let biased = (lod == Lod::Biased && given)
        .then(|| [0, 1].map(|side| lengthened(gradients.along(side), extra)));
    let detail = match (lod, &biased) {
        (Lod::Biased, Some([dx, dy])) => Detail::Gradient {
            dx: dx.each_ref(),
            dy: dy.each_ref(),
        },
        (Lod::Biased, None) => Detail::Bias(extra),
        (Lod::Explicit, _) => Detail::Explicit(extra),
        (Lod::Zero, _) => Detail::Zero,
        (Lod::Computed, _) if given => Detail::Gradient {
            dx: gradients.along(0),
            dy: gradients.along(1),
        },
        (Lod::Computed, _) => Detail::Implicit,
    };
    let request = operands.request(active, detail);
    let (texture, sampler) = (&image.texture, &bound.sampler);
    let Some(pick) = gather::pick(inst, image, &bound.rules)? else {
        sample::sample(scratch, memory, texture, sampler, &request, out);
        return Ok(());
    };
    for component in pick.components() {
        let gather = |texels: &mut [Lanes; 4]| {
            let request = &request;
            sample::gather(
                scratch, memory, texture, sampler, request, component, texels,
            );
        };
        let key = pick.key(component, active);
        out[component] = gathered.get(key, elements, gather)[pick.side];
    }
    Ok(())
}

fn illegal(inst: &Tex) -> Fault {
    Fault::Illegal {
        reason: format!("{} is not executed", inst.op.name()),
    }
}

/// Gradients times 2 to the power of a row.
fn lengthened(gradient: [&Lanes; 3], by: &Lanes) -> [Lanes; 3] {
    use lanes::LaneOp::{FExp2, FMul};
    let factor = by.map(|bits| FExp2.eval([bits, 0, 0]));
    gradient.map(|row| std::array::from_fn(|lane| FMul.eval([row[lane], factor[lane], 0])))
}

/// The footprints of the active lanes at their level of detail.
fn footprints(
    inst: &Tex,
    bound: &Bound,
    image: &Image,
    elements: &[Lanes; 4],
    active: u64,
) -> Vec<(usize, Footprint)> {
    let operands = Operands::new(inst, image, elements);
    let mut lod = [ZERO; 2];
    let request = operands.request(active, Detail::Implicit);
    sample::query_lod(&image.texture, &bound.sampler, &request, &mut lod);
    let offsets = [inst.offset_x, inst.offset_y].map(|half| i32::from(half >> 1));
    let lanes = silicon::fragment::interpolate::lanes(active);
    lanes
        .map(|lane| {
            let level = f32::from_bits(lod[0][lane]);
            let found = footprint(image, &bound.rules, &operands.coords, offsets, level, lane);
            (lane, found)
        })
        .collect()
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
        dim::D1_ARRAY | dim::D2_ARRAY | dim::D2_ARRAY_MSAA => Some(2),
        _ => None,
    }
}

/// Where the reference of a comparison is: a level or a bias takes its place in W. [ERRATA 45]
fn reference_element(lod: Lod) -> usize {
    match lod {
        Lod::Computed | Lod::Zero => 3,
        Lod::Explicit | Lod::Biased => 2,
    }
}

/// The offsets of an instruction in texels, in one word, where there are some.
fn offset(inst: &Tex) -> Option<u32> {
    let offsets = [inst.offset_x, inst.offset_y, inst.offset_z].map(whole);
    (offsets != [0; 3]).then(|| pack_offsets(offsets.map(i32::from)))
}

/// The texels of a load, by number.
struct Numbers {
    x: Lanes,
    y: Lanes,
    slice: Option<Lanes>,
    /// The level, or the sample; 0 where there is none.
    w: Option<Lanes>,
    multisampled: bool,
}

impl Numbers {
    fn new(inst: &Tex, image: &Image, elements: [&Lanes; 4]) -> Numbers {
        let moved = |axis: usize, half: i8| match half {
            0 => *elements[axis],
            _ => elements[axis].map(|v| v.wrapping_add(i32::from(half >> 1) as u32)),
        };
        Numbers {
            x: moved(0, inst.offset_x),
            y: match image.kind {
                dim::D1 | dim::D1_ARRAY => ZERO,
                _ => moved(1, inst.offset_y),
            },
            slice: match (image.kind, layer_element(image.kind)) {
                (_, Some(element)) => Some(*elements[element]),
                (dim::D3, _) => Some(moved(2, inst.offset_z)),
                (dim::CUBEMAP, _) => {
                    Some(elements[2].map(|id| (id >> 3).wrapping_mul(6) + (id & 7)))
                }
                _ => None,
            },
            w: (inst.sources()[3] != SourceSelect::Zero).then(|| *elements[3]),
            multisampled: matches!(image.kind, dim::D2_MSAA | dim::D2_ARRAY_MSAA),
        }
    }

    fn access(&self, active: u64) -> sample::Access<'_> {
        sample::Access {
            exec: active,
            x: &self.x,
            y: &self.y,
            slice: self.slice.as_ref(),
            level: self.w.as_ref().filter(|_| !self.multisampled),
            sample: self.w.as_ref().filter(|_| self.multisampled),
        }
    }
}

/// Where coordinates on the face of a cube count from. [ERRATA 5]
const FACE_ORIGIN: f32 = 1.0;

/// Operands of a sample.
struct Operands<'a> {
    coords: [Lanes; 3],
    layer: Option<Lanes>,
    offsets: Option<Lanes>,
    reference: Option<&'a Lanes>,
}

impl<'a> Operands<'a> {
    fn new(inst: &Tex, image: &Image, elements: &'a [Lanes; 4]) -> Operands<'a> {
        let [x, y, z, _] = *elements;
        let mut coords = [x, y, z];
        let mut layer = layer_element(image.kind).map(|element| elements[element]);
        if image.kind == dim::CUBEMAP {
            // Face coordinates go from 1 to 2; face_id = 8 * layer + face. [ERRATA 5]
            let mut split = [ZERO; 4];
            sample::split_faces(SimdLevel::current(), FACE_ORIGIN, [&x, &y, &z], &mut split);
            [coords[0], coords[1], coords[2], _] = split;
            layer = Some(split[3]);
        }
        Operands {
            coords,
            layer,
            offsets: offset(inst).map(|offset| [offset; LANES]),
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
            offsets: self.offsets.as_ref(),
        }
    }
}
