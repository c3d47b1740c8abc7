//! What R600's instructions reach outside a wave: fetches, textures, exports, scratch memory.

use std::collections::BTreeMap;
use std::ops::Range;

use lanes::{Batch, Fault, LANES, LaneOp, PortFault, Ports, Wave};
use pipeline::codegen::direct::{Element, Resources};
use pipeline::codegen::{Binary, Bound, r600 as back};
use pipeline::ir::{Dim, Function, ResourceKind};
use r600::isa::export::{Export, Space};
use r600::isa::fetch::{Lod, Tex, TexSem, Vtx};
use r600::isa::words::{Elem, FetchType, Select, SourceSelect};
use r600::isa::{ACTIVE, Action, Constants, Port, Setup};
use r600::smx;
use r600::sx::{Element as Exported, exported, taking_part};

use super::{BASE_VERTEX, DRAW_INDEX, FIRST_INSTANCE};
use crate::direct::World;
use crate::harness::access::{Kind, TextureAccess, samples_log2};
use crate::harness::{Outcome, taken};

/// The ports of a wave.
pub struct Side<'a> {
    pub function: &'a Function,
    pub binary: &'a Binary,
    pub ports: &'a [Port],
    pub setup: &'a Setup<'a>,
    pub world: World,
    pub outcome: Outcome,
    /// By lane and word.
    pub scratch: BTreeMap<(usize, u64), u32>,
    /// Derivatives along x, then y, that the lanes have set.
    pub slopes: [[u32; 6]; LANES],
}

fn wrong(reason: String) -> Fault {
    Fault::Illegal { reason }
}

/// The resource in a slot.
fn bound(list: &[Bound], slot: u32) -> Result<Element, Fault> {
    let found = list.iter().find(|bound| bound.slot == slot);
    let found = found.ok_or_else(|| wrong(format!("nothing in slot {slot}")))?;
    Ok(Element {
        resource: found.resource,
        element: found.element,
    })
}

fn active(wave: &Wave) -> impl Iterator<Item = usize> + use<> {
    let mask = wave.mask(ACTIVE);
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}

impl Side<'_> {
    fn fetch(&mut self, inst: &Vtx, wave: &mut Wave) -> Result<(), Fault> {
        let source = 4 * usize::from(inst.src_gpr) + inst.src_sel_x as usize;
        for lane in active(wave) {
            let index = wave.rows[source].0[lane];
            let mut result = [0; 4];
            for (at, value) in result.iter_mut().enumerate() {
                if inst.selects().iter().any(|select| *select as usize == at) {
                    *value = self.word(inst, index, at as u32)?;
                }
            }
            put(wave, inst.dst & 127, inst.selects(), lane, result);
        }
        Ok(())
    }

    /// Word `at` of what a fetch finds at an index.
    fn word(&mut self, inst: &Vtx, index: u32, at: u32) -> Result<u32, Fault> {
        let slot = u32::from(inst.buffer_id);
        if inst.use_const_fields {
            let mut inputs = self.function.interface.inputs.iter();
            let input = inputs.position(|input| input.location == slot);
            let input = input.ok_or_else(|| wrong(format!("no attribute {slot}")))?;
            let words = self.world.inputs[input].get(at as usize);
            return Ok(words.map_or(0, |words| words[index as usize]));
        }
        if inst.fetch_type != FetchType::NoIndexOffset {
            return Err(wrong("an offset index".into()));
        }
        let address = u64::from(index) + u64::from(inst.offset) + 4 * u64::from(at);
        let Ok(address) = u32::try_from(address) else {
            return Ok(0);
        };
        if slot == back::PUSH_RESOURCE {
            return Ok(self.world.push_constant(address));
        }
        let resources = &self.binary.slots.resources;
        let Some(set) = slot.checked_sub(back::SET_RESOURCE) else {
            let at = bound(resources, slot)?;
            return Ok(self.world.load_buffer(at, address));
        };
        // The size of a buffer, the samples of a texture.
        let found = resources.iter().find(|bound| {
            let word = address.wrapping_sub(bound.offset);
            bound.set == set && [4, 20].contains(&word)
        });
        let found = found.ok_or_else(|| wrong(format!("descriptor {address}")))?;
        let at = bound(resources, found.slot)?;
        Ok(match address - found.offset {
            4 => self.world.buffer_bytes(at) - 1,
            // The rest of the word is something else.
            _ => 0xabc0 | samples_log2([at.resource, at.element]),
        })
    }

    fn tex(&mut self, inst: &Tex, wave: &mut Wave) -> Result<(), Fault> {
        let base = 4 * usize::from(inst.src_gpr);
        let coordinates = |wave: &Wave, lane: usize| {
            inst.sources().map(|select| match select {
                SourceSelect::Zero => 0,
                SourceSelect::One => 1f32.to_bits(),
                select => wave.rows[base + select as usize].0[lane],
            })
        };
        let sem = inst.op.sem();
        let mut results = [[0u32; 4]; LANES];
        for lane in active(wave) {
            let place = coordinates(wave, lane);
            match sem {
                TexSem::GradientsH | TexSem::GradientsV => {
                    let step = if sem == TexSem::GradientsH { 1 } else { 2 };
                    let [low, high] = [lane & !step, lane | step].map(|at| coordinates(wave, at));
                    let difference = |elem: usize| LaneOp::FSub.eval([high[elem], low[elem], 0]);
                    results[lane] = [0, 1, 2, 3].map(difference);
                }
                TexSem::SetGradientsH => self.slopes[lane][..3].copy_from_slice(&place[..3]),
                TexSem::SetGradientsV => self.slopes[lane][3..].copy_from_slice(&place[..3]),
                _ => {
                    let access = self.access(inst, place, self.slopes[lane])?;
                    results[lane] = [0, 1, 2, 3].map(|at| access.component(at));
                }
            }
        }
        for lane in active(wave) {
            put(wave, inst.dst_gpr, inst.selects(), lane, results[lane]);
        }
        Ok(())
    }

    /// What a texture instruction does at a place; elements without a meaning have to be zero.
    fn access(
        &self,
        inst: &Tex,
        place: [u32; 4],
        slopes: [u32; 6],
    ) -> Result<TextureAccess, Fault> {
        let slots = &self.binary.slots;
        let pair = |at: Element| [at.resource, at.element];
        let texture = bound(&slots.resources, inst.resource_id.into())?;
        let resource = &self.function.interface.resources[texture.resource as usize];
        let (ResourceKind::Texture { shape, .. } | ResourceKind::StorageTexture { shape, .. }) =
            resource.kind
        else {
            return Err(wrong(format!(
                "resource {} is no texture",
                texture.resource
            )));
        };
        let dims = shape.coordinates();
        let mut place = place;
        if shape.arrayed && shape.dim == Dim::D1 && inst.op.sem() != TexSem::Size {
            // The layer is the third element.
            place.swap(1, 2);
        }
        let used = dims + usize::from(shape.arrayed && shape.dim != Dim::Cube);
        let new = |kind, sampler| TextureAccess::new(kind, pair(texture), sampler);
        let (mut found, used) = match inst.op.sem() {
            TexSem::Sample {
                compare,
                gradients,
                lod,
            } => {
                let kind = match (gradients, lod) {
                    (true, _) => Kind::SampleGradient,
                    (_, Lod::Computed) => Kind::Sample,
                    (_, Lod::Biased) => Kind::SampleBias,
                    (_, Lod::Explicit) => Kind::SampleLevel,
                    (_, Lod::Zero) => Kind::SampleZero,
                };
                let sampler = bound(&slots.samplers, inst.sampler_id.into())?;
                let mut found = new(kind, Some(pair(sampler)));
                let last = Some(place[3]);
                found.reference = last.filter(|_| compare);
                found.lod = last.filter(|_| matches!(lod, Lod::Biased | Lod::Explicit));
                if gradients {
                    found.slopes = [&slopes[..dims], &slopes[3..3 + dims]].concat();
                }
                (found, used)
            }
            TexSem::Load => {
                let mut found = new(Kind::Load, None);
                found.lod = Some(if shape.multisampled { 0 } else { place[3] });
                (found, used)
            }
            TexSem::Size => {
                let mut found = new(Kind::Size, None);
                found.lod = Some(place[0]);
                return Ok(found);
            }
            _ => return Err(wrong(format!("{inst:?}"))),
        };
        found.place = place[..used].to_vec();
        if found.kind == Kind::Load && shape.multisampled {
            found.place.push(place[3]);
        }
        found.offset = [inst.offset_x, inst.offset_y, inst.offset_z].map(i32::from);
        let last = found.kind == Kind::Load || found.lod.or(found.reference).is_some();
        let unused = &place[used..if last { 3 } else { 4 }];
        match unused.iter().all(|word| *word == 0) {
            true => Ok(found),
            false => Err(wrong(format!("{unused:x?} out_of_range the coordinates"))),
        }
    }

    fn export(&mut self, inst: &Export, port: &Port, wave: &Wave) -> Result<(), Fault> {
        let taking = taking_part(inst, wave);
        for export in exported(inst, self.setup.gprs, port.loop_index(wave))? {
            for (at, element) in export.elements.into_iter().enumerate() {
                if element != Exported::Masked {
                    let lanes = taken(element.lanes(wave), taking);
                    let key = (export.target.name(), at);
                    self.outcome.outputs.insert(key, lanes);
                }
            }
        }
        Ok(())
    }
}

fn put(wave: &mut Wave, gpr: u8, selects: [Select; 4], lane: usize, result: [u32; 4]) {
    for (elem, select) in selects.into_iter().enumerate() {
        let value = match select {
            Select::Mask => continue,
            Select::Zero => 0,
            Select::One => 1f32.to_bits(),
            select => result[select as usize],
        };
        wave.rows[4 * usize::from(gpr) + elem].0[lane] = value;
    }
}

impl Constants for Side<'_> {
    fn kcache(&self, bank: u8, index: u32, elem: Elem) -> u32 {
        let word = 4 * index + elem as u32;
        let words = match bank == back::PUSH_BANK {
            true => {
                let driver = 4 * u32::from(back::DRIVER_CONSTANT);
                match word.checked_sub(driver) {
                    Some(0) => return DRAW_INDEX,
                    Some(1) => return FIRST_INSTANCE,
                    Some(2) => return BASE_VERTEX,
                    _ => &self.world.push,
                }
            }
            false => {
                let at = bound(&self.binary.slots.banks, bank.into()).unwrap();
                &self.world.buffers[at.resource as usize][at.element as usize]
            }
        };
        words.get(word as usize).copied().unwrap_or(0)
    }
    fn file(&self, _: u8, _: Elem) -> u32 {
        0
    }
}

impl smx::Words for Side<'_> {
    fn load(&mut self, space: Space, lane: usize, at: u64) -> Result<u32, Fault> {
        assert_eq!(space, Space::Scratch);
        assert!(1024 * at < 4 * 64 * u64::from(self.binary.scratch_bytes));
        let word = self.scratch.get(&(lane, at));
        Ok(word.copied().unwrap_or(0xdead_beef))
    }
    fn store(&mut self, space: Space, lane: usize, at: u64, value: u32) -> Result<(), Fault> {
        assert_eq!(space, Space::Scratch);
        self.scratch.insert((lane, at), value);
        Ok(())
    }
}

impl Ports for Side<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| self.perform(port, wave))
    }
}

impl Side<'_> {
    fn perform(&mut self, port: u32, wave: &mut Wave) -> Result<(), Fault> {
        let port = self.ports[port as usize];
        let setup = self.setup;
        match &port.action {
            Action::Local(local) => {
                local.run(&port, setup, &*self, wave);
                Ok(())
            }
            Action::Export(inst) => self.export(inst, &port, wave),
            Action::Memory(inst) => smx::access(inst, &port, setup, wave, self),
            Action::Vtx(inst) => self.fetch(inst, wave),
            Action::Tex(inst) => self.tex(inst, wave),
            Action::EndTexClause => {
                self.slopes = [[0; 6]; LANES];
                Ok(())
            }
            Action::Emit { .. } => Err(wrong("a vertex".into())),
        }
    }
}
