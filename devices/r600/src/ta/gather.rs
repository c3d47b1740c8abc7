//! Texels of footprints that several instructions of a clause take one by one.

use lanes::{Fault, LANES, Row, Wave};
use silicon::fragment::mask::merge;
use silicon::texture::sample::rules::pack_offsets;
use silicon::texture::sample::{self, Filter, Lanes, Lod as Detail, Out, Repeats, Sampler};
use silicon::{Memory, SimdLevel};

use super::{
    Bound, FACE_ORIGIN, Image, Unit, ZERO, elements, filter, layer_element, reference_element,
};
use crate::isa::fetch::{Lod, TexOp, TexSem};
use crate::isa::words::{Select, Tex};
use crate::isa::{ACTIVE, Port, Setup};
use crate::resource::dim;

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
    /// Those of an instruction, but for offsets across and down.
    fn anywhere(inst: &Tex) -> Footprints {
        let all = Footprints::of(inst);
        Footprints {
            offsets: [0, 0, all.offsets[2]],
            ..all
        }
    }

    /// Those of an instruction.
    fn of(inst: &Tex) -> Footprints {
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

/// What an instruction takes of footprints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    footprints: Footprints,
    /// Which texel, in the order of gathers.
    pub(super) side: usize,
    /// A bit for each component.
    components: u8,
}

impl Pick {
    /// The components that are taken.
    pub(super) fn components(self) -> impl Iterator<Item = usize> {
        (0..4).filter(move |n| self.components >> n & 1 == 1)
    }

    /// Names the texels that have a component.
    pub(super) fn key(&self, component: usize, active: u64) -> Key {
        (self.footprints, component, active)
    }
}

/// What an instruction takes of footprints: point samples half a texel away, across and down, take a texel of that of a linear
/// filter. None for offsets of whole texels, and for what is not a sample of texels.
pub(super) fn pick(inst: &Tex, image: &Image, sampler: &Sampler) -> Result<Option<Pick>, Fault> {
    let offsets = [inst.offset_x, inst.offset_y, inst.offset_z];
    let odd = offsets.map(|half| half & 1 == 1);
    let texels = matches!(inst.op.sem(), TexSem::Sample { .. }) && !inst.bc_frac_mode;
    if !texels || odd == [false; 3] {
        return Ok(None);
    }
    let flat = !matches!(image.kind, dim::D1 | dim::D1_ARRAY | dim::D3);
    let points = [sampler.mag, sampler.min] == [Filter::Nearest; 2];
    if odd != [true, true, false] || !flat || !points {
        return Err(Fault::Illegal {
            reason: format!(
                "{} with offsets of {offsets:?} half texels is executed with point filters, and halves across and down, only",
                inst.op.name()
            ),
        });
    }
    let component = |select: Select| match select {
        Select::X | Select::Y | Select::Z | Select::W => 1 << select as u8,
        Select::Zero | Select::One | Select::Mask => 0,
    };
    Ok(Some(Pick {
        footprints: Footprints::of(inst),
        side: side(halves(inst).map(|half| half > 0)),
        components: inst
            .selects()
            .map(component)
            .iter()
            .fold(0, |all, one| all | one),
    }))
}

/// An offset in half texels as whole ones; of an odd number, those from the texel that [`pick`] names.
pub(super) fn whole(half: i8) -> i8 {
    match half & 1 {
        0 => half >> 1,
        _ => ((half + 1) >> 1) - i8::from(half > 0),
    }
}

/// Footprints, component and active lanes.
pub(super) type Key = (Footprints, usize, u64);

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
    let (Ok(Some(pick)), Some(selects)) = (pick(inst, image, &bound.rules), filter::selects(inst))
    else {
        return false;
    };
    let mut components = pick.components();
    let (Some(component), None) = (components.next(), components.next()) else {
        return false;
    };
    let active = wave.mask(ACTIVE);
    let found = elements(inst, port, setup, wave);
    let key = pick.key(component, active);
    let Some(texels) = unit.clause.gathered.known(key, found) else {
        return false;
    };
    let Some(target) = port.register(inst.dst_gpr, inst.dst_rel, setup, wave) else {
        return true;
    };
    if let Some(row) = &mut filter::registers(selects, unit.level, target, wave)[component] {
        merge(unit.level, active, &texels[pick.side], row);
    }
    true
}

/// Instructions in a row that take texels of the same footprints, each one component to one element of a register.
pub(crate) struct Picks<'a> {
    inst: &'a Tex,
    bound: &'a Bound,
    image: &'a Image,
    /// But for offsets across and down.
    footprints: Footprints,
    compare: bool,
    component: usize,
    /// Offsets across and down in half texels, and the row that the texel there goes to.
    picked: [([i8; 2], usize); 4],
    /// Instructions.
    count: usize,
    /// The last one writes coordinates.
    ended: bool,
}

impl<'a> Picks<'a> {
    /// The first one, if an instruction is one of them that waves can run at once.
    pub(crate) fn of(inst: &'a Tex, bound: &'a Bound, setup: &Setup<'_>) -> Option<Picks<'a>> {
        if halves(inst).map(|half| half & 1) != [1; 2] {
            return None;
        }
        let TexSem::Sample {
            compare,
            gradients: false,
            lod: Lod::Zero,
        } = inst.op.sem()
        else {
            return None;
        };
        let image = bound.image.as_deref()?;
        let mut picks = Picks {
            inst,
            bound,
            image,
            footprints: Footprints::anywhere(inst),
            compare,
            component: Self::component(inst)?,
            picked: [([0; 2], 0); 4],
            count: 0,
            ended: false,
        };
        picks.take(inst, setup).then_some(picks)
    }

    /// The component that the one element of a register gets.
    fn component(inst: &Tex) -> Option<usize> {
        let mut selects = inst
            .selects()
            .into_iter()
            .filter(|select| *select != Select::Mask);
        match (selects.next()?, selects.next()) {
            (one @ (Select::X | Select::Y | Select::Z | Select::W), None) => Some(one as usize),
            _ => None,
        }
    }

    /// Whether an instruction picks from these texels, or others near the same coordinates, where no instruction has changed
    /// these.
    pub(crate) fn is_beside(&self, inst: &Tex) -> bool {
        let same = inst.src_gpr == self.inst.src_gpr && inst.sources() == self.inst.sources();
        let picks = matches!(pick(inst, self.image, &self.bound.rules), Ok(Some(_)));
        !self.ended && picks && same && Footprints::anywhere(inst) == self.footprints
    }

    /// Takes one more instruction; says whether it is one of them.
    pub(crate) fn take(&mut self, inst: &Tex, setup: &Setup<'_>) -> bool {
        // Loop indices may differ from wave to wave.
        let fixed = !inst.src_rel && !inst.dst_rel && inst.dst_gpr < setup.gprs;
        if !fixed || !self.is_beside(inst) || Self::component(inst) != Some(self.component) {
            return false;
        }
        let mut selects = inst.selects().into_iter();
        let element = selects.position(|select| select != Select::Mask);
        let element = element.unwrap_or(0);
        let (at, row) = (halves(inst), 4 * usize::from(inst.dst_gpr) + element);
        // Four texels are at two places along each axis.
        let fits = |(other, to): &([i8; 2], usize)| {
            let near = (0..2).all(|axis| [0, 2].contains(&at[axis].abs_diff(other[axis])));
            near && at != *other && row != *to
        };
        let Some(free) = self.picked.get_mut(self.count) else {
            return false;
        };
        *free = (at, row);
        if !self.picked[..self.count].iter().all(fits) {
            return false;
        }
        self.count += 1;
        let read = inst
            .sources()
            .iter()
            .any(|source| *source as usize == element);
        self.ended = inst.dst_gpr == inst.src_gpr && read;
        true
    }

    /// The first texel of footprints along both axes, and the row that each texel goes to, in the order of gathers.
    fn places(&self) -> ([i8; 2], [Option<usize>; 4]) {
        let picked = &self.picked[..self.count];
        let low = |axis: usize| picked.iter().map(|(at, _)| at[axis]).min().unwrap_or(1);
        let low = [low(0), low(1)];
        let mut rows = [None; 4];
        for (at, row) in picked {
            rows[side([at[0] > low[0], at[1] > low[1]])] = Some(*row);
        }
        (low.map(|half| (half + 1) >> 1), rows)
    }

    /// Gathers for several waves at once; says by how many instructions, or 0 where nothing is done. `repeats` says where
    /// others beside these run right before and behind.
    pub(crate) fn run(
        &self,
        (port, setup): (&Port, &Setup<'_>),
        (level, memory, scratch): (SimdLevel, &Memory, &mut sample::Scratch),
        repeats: Repeats,
        waves: &mut [Wave],
    ) -> u32 {
        let (image, sampler) = (self.image, &self.bound.sampler);
        let ([x, y], rows) = self.places();
        let packed = pack_offsets([x, y, self.footprints.offsets[2]].map(i32::from));
        let offsets = (packed != 0).then_some([packed; LANES]);
        let mut requests = [sample::Plain::NONE; sample::MAX_WAVES];
        let Some(requests) = requests.get_mut(..waves.len()) else {
            return 0;
        };
        for (request, wave) in requests.iter_mut().zip(&*waves) {
            let elements = elements(self.inst, port, setup, wave);
            let [x, y, z, _] = elements;
            *request = sample::Plain {
                exec: wave.mask(ACTIVE),
                coords: [x, y, z],
                layer: layer_element(image.kind).map(|element| elements[element]),
                face_ids: (image.kind == dim::CUBEMAP).then_some(FACE_ORIGIN),
                reference: self
                    .compare
                    .then_some(elements[reference_element(Lod::Zero)]),
                lod: Detail::Zero,
                lod_clamp: None,
                offsets: offsets.as_ref(),
            };
        }
        let gather = sample::Gather {
            component: self.component,
            name: packed.into(),
            repeats,
        };
        let bound = (&image.texture, sampler);
        let gathers = scratch.begin_gathers(level, memory, bound, gather, requests);
        let Some(gathers) = gathers else {
            return 0;
        };
        let mut outs = [const { [None, None, None, None] }; sample::MAX_WAVES];
        let (count, charge) = (waves.len(), self.count as u64 * self.bound.cost);
        let mut order = [0, 1, 2, 3];
        order.sort_unstable_by_key(|n| rows[*n]);
        for (out, wave) in outs.iter_mut().zip(waves) {
            wave.charge(charge);
            *out = apart(&mut wave.rows, rows, order);
        }
        gathers.finish_all(scratch, &mut outs[..count]);
        self.count as u32
    }
}

/// Which texel of a footprint is on the right, or below, in the order of gathers.
fn side([right, below]: [bool; 2]) -> usize {
    match [right, below] {
        [false, true] => 0,
        [true, true] => 1,
        [true, false] => 2,
        [false, false] => 3,
    }
}

/// Offsets across and down, in half texels.
fn halves(inst: &Tex) -> [i8; 2] {
    [inst.offset_x, inst.offset_y]
}

/// Rows that differ, of which some come before others.
fn apart(rows: &mut [Row], at: [Option<usize>; 4], order: [usize; 4]) -> Out<'_> {
    let (mut out, mut rest, mut start) = ([None, None, None, None], rows, 0);
    for n in order {
        let Some(index) = at[n] else { continue };
        let Some(([.., row], behind)) = rest.split_at_mut_checked(index + 1 - start) else {
            break;
        };
        out[n] = Some(&mut row.0);
        (rest, start) = (behind, index + 1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_apart() {
        let mut rows: Vec<Row> = (0..12).map(|n| Row([n; lanes::LANES])).collect();
        let out = apart(&mut rows, [Some(9), None, Some(0), Some(10)], [1, 2, 0, 3]);
        let found = out.map(|row| row.map(|row| row[3]));
        assert_eq!(found, [Some(9), None, Some(0), Some(10)]);
        assert!(apart(&mut rows, [Some(12), None, None, None], [1, 2, 3, 0])[0].is_none());
    }
}
