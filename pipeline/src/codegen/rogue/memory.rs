//! Where resources lie in shared registers; words of uniform buffers and push constants.

use ::rogue::isa::Register;
use ::rogue::isa::bitwise::Shift2;

use super::machine::{Dst, Operand, ZERO, shared, shared_element};
use super::select::Select;
use crate::codegen::{Bound, Result, Slots, descriptor_offset};
use crate::ir::{Access, Inst as IrInst, Op, Origin, ResourceKind};
use crate::layout::{DescriptorBytes, DescriptorKind};

/// Bytes of descriptors.
pub const BYTES: DescriptorBytes = DescriptorBytes {
    buffer: 32,
    texture: 32,
    sampler: 16,
    set_align: 64,
};
/// First shared register of the constants.
pub const CONSTANTS: u16 = 20;
/// Zeros among them, where what an index misses is read.
const ZEROS: u16 = 16;
/// Words of buffers and descriptors that a program may have in shared registers.
const MOST_SHARED: u32 = 1024;
/// Largest uniform buffer that is preloaded as a whole, in words.
const LARGEST_BANK: u32 = 512;
/// Words of the descriptors of buffers and textures, and of samplers.
const RESOURCE_WORDS: u16 = 8;
const SAMPLER_WORDS: u16 = 4;
/// Where the words of a resource are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bank {
    pub first: u16,
    /// Words of one element.
    pub words: u16,
}

/// First shared register of every resource that is used, by its number.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    /// Contents of uniform buffers.
    pub banks: Vec<Option<Bank>>,
    /// Descriptors of buffers and textures.
    pub resources: Vec<Option<u16>>,
    pub samplers: Vec<Option<u16>>,
    /// Push constants.
    pub push: Option<Bank>,
    /// Behind the last register.
    pub end: u16,
}

impl Select<'_> {
    /// Gives shared registers to what the function uses. Constants come first, as many as there may be.
    pub(super) fn bind(&mut self) -> Result<Bindings> {
        let interface = &self.function.interface;
        let count = interface.resources.len();
        let mut used: Vec<Option<Origin>> = vec![None; count];
        let mut described = vec![false; count];
        for inst in self.function.insts() {
            for access in inst.accesses() {
                used[access.resource as usize].get_or_insert(inst.origin);
                described[access.resource as usize] |= matches!(inst.op, Op::BufferBytes(_));
            }
        }
        self.pool.base = CONSTANTS;
        self.pool.start(ZEROS, self.constants_wanted());
        let mut at = u32::from(CONSTANTS + self.pool.capacity());
        let mut take = |words: u32| {
            let first = at;
            at += words;
            first as u16
        };
        let push = interface.push_constant_bytes.div_ceil(4);
        let mut found = Bindings {
            banks: vec![None; count],
            resources: vec![None; count],
            samplers: vec![None; count],
            push: (push > 0).then(|| Bank {
                first: take(push.next_multiple_of(4)),
                words: push as u16,
            }),
            end: 0,
        };
        let mut banks = 0;
        for (at, binding) in interface.resources.iter().enumerate() {
            let Some(origin) = used[at] else { continue };
            self.origin = origin;
            let kind = DescriptorKind::from(&binding.kind);
            match (kind, &binding.kind) {
                (DescriptorKind::Sampler, _) => {
                    found.samplers[at] = Some(take(u32::from(SAMPLER_WORDS) * binding.count));
                }
                (_, ResourceKind::Uniform { min_bytes }) => {
                    let words = min_bytes.div_ceil(4).next_multiple_of(4);
                    let all = words.saturating_mul(binding.count);
                    if all <= LARGEST_BANK && banks + all <= MOST_SHARED {
                        banks += all;
                        let first = take(all);
                        let words = words as u16;
                        found.banks[at] = Some(Bank { first, words });
                    } else {
                        described[at] = true;
                    }
                }
                _ => described[at] = true,
            }
            if described[at] {
                found.resources[at] = Some(take(u32::from(RESOURCE_WORDS) * binding.count));
            }
            descriptor_offset(self.function, self.options, at as u32, BYTES, self.origin)?;
            if binding.slot.group >= 4 {
                return Err(self.unsupported(format!("@group({})", binding.slot.group)));
            }
        }
        if at > 4096 {
            return Err(self.unsupported(format!("{at} words of resources, more than the 4096")));
        }
        found.end = at as u16;
        Ok(found)
    }

    /// An upper bound of constants that are not in the chip's table.
    fn constants_wanted(&self) -> u16 {
        let constant = |inst: &IrInst| match inst.op {
            Op::Const(bits) => super::constants::number(bits).is_none().then_some(bits),
            _ => None,
        };
        let mut found: Vec<u32> = self.function.insts().filter_map(constant).collect();
        found.sort_unstable();
        found.dedup();
        (found.len() as u16).min(512) + 32
    }

    /// What the driver loads.
    pub(super) fn bound(&self) -> Result<Slots> {
        let interface = &self.function.interface;
        let inputs = interface.inputs.iter();
        let vertex = self.function.stage == crate::ir::Stage::Vertex;
        let mut all = Slots {
            attributes: match vertex {
                true => inputs.map(|input| input.location).collect(),
                false => Vec::new(),
            },
            constants: self.pool.vectors(),
            ..Slots::default()
        };
        for (at, binding) in interface.resources.iter().enumerate() {
            let known = &self.bindings;
            let bank = known.banks[at].map(|bank| (bank.first, bank.words));
            let resource = known.resources[at].map(|first| (first, RESOURCE_WORDS));
            let sampler = known.samplers[at].map(|first| (first, SAMPLER_WORDS));
            if bank.or(resource).or(sampler).is_none() {
                continue;
            }
            let offset = descriptor_offset(
                self.function,
                self.options,
                at as u32,
                BYTES,
                Origin::default(),
            )?;
            let bytes = BYTES.of(DescriptorKind::from(&binding.kind));
            let lists = [
                (bank, &mut all.banks),
                (resource, &mut all.resources),
                (sampler, &mut all.samplers),
            ];
            for (found, list) in lists {
                let Some((first, words)) = found else {
                    continue;
                };
                list.extend((0..binding.count).map(|element| Bound {
                    slot: u32::from(first) + element * u32::from(words),
                    set: binding.slot.group,
                    offset: offset + element * bytes,
                    resource: at as u32,
                    element,
                }));
            }
        }
        Ok(all)
    }

    /// First shared register and words of the push constants.
    pub(super) fn push_constants(&self) -> (u16, u16) {
        self.bindings
            .push
            .map_or((0, 0), |bank| (bank.first, bank.words))
    }

    /// The element of a binding array: it must be known, as instructions name shared registers.
    pub(super) fn element(&self, access: Access) -> Result<u16> {
        match access.element {
            None => Ok(0),
            Some(value) => self
                .defs
                .constant(value)
                .map(|element| element as u16)
                .ok_or_else(|| self.unsupported("a binding array indexed at run time")),
        }
    }

    /// A word of the descriptor of a buffer or texture.
    pub(super) fn described(&self, access: Access, word: u16) -> Result<Operand> {
        let first = self.bindings.resources[access.resource as usize].unwrap_or(0);
        let element = self.element(access)?;
        Ok(shared(first + element * RESOURCE_WORDS + word))
    }

    /// The first register of a sampler.
    pub(super) fn sampler(&self, access: Access) -> Result<Operand> {
        let first = self.bindings.samplers[access.resource as usize].unwrap_or(0);
        let element = self.element(access)?;
        Ok(shared(first + element * SAMPLER_WORDS))
    }

    // ---- words in shared registers ----

    /// Words of a bank at a byte offset; those outside are zero.
    pub(super) fn load_bank(&mut self, bank: Bank, inst: &IrInst) {
        if let Some(offset) = self.defs.constant(inst.args[0]) {
            for (n, &result) in (offset / 4..).zip(&inst.results) {
                let word = match n < u32::from(bank.words) {
                    true => shared(bank.first + n as u16),
                    false => ZERO,
                };
                self.define(result, word);
            }
            return;
        }
        let zeros = self.pool.zeros();
        let offset = self.word(inst.args[0]);
        let word = self.shifted_by(Shift2::SHR, offset, 2);
        // The index counts from the zeros, so that they are what 0 finds.
        let behind = self.constant(u32::from(bank.first - zeros));
        let place = self.integer_sum(word, behind, false);
        let words = self.constant(u32::from(bank.words));
        let index = Dst::Register(Register::Index(0));
        self.within(index, word, words, place);
        for (n, &result) in (0..).zip(&inst.results) {
            if self.is_used(result) {
                let unit = self.code.unit();
                self.move_to(unit, shared_element(zeros as u8 + n));
                self.define(result, Operand::Unit(unit));
            }
        }
    }

    pub(super) fn load_push(&mut self, inst: &IrInst) {
        match self.bindings.push {
            Some(bank) => self.load_bank(bank, inst),
            None => inst
                .results
                .iter()
                .for_each(|&result| self.define(result, ZERO)),
        }
    }
}
