//! Buffers, push constants and private arrays; the slots that resources are bound to.
//!
//! In: loads and stores of the SSA. Out: constant-buffer operands where the address is known, fetches where it is not, and
//! what the driver binds to which slot.

use r600::isa::export::MemoryOp;
use r600::isa::fetch::{Fetch, Vtx};
use r600::isa::words::FetchType;

use super::images::BANK_WORD;
use super::machine::{Alu, Column, From, Inst, Lane, MemoryAccess, Operand, Part, Relative, Unit};
use super::select::Select;
use crate::codegen::{Bound, Result, Slots as BoundSlots, descriptor_offset};
use crate::ir::{Access, ImageKind, ImageOp, Inst as IrInst, Op, ResourceKind};
use crate::layout::{DescriptorBytes, DescriptorKind};
use r600::isa::alu::Op2;

/// Bytes of descriptors: a resource is seven words. A sampler is three, and four of its border colour; twice, as it is and
/// with point filters.
pub const BYTES: DescriptorBytes = DescriptorBytes {
    buffer: 32,
    texture: 32,
    sampler: 64,
    set_align: 64,
};

/// Where the border colour is in a sampler.
pub(super) const BORDER_AT: u32 = 16;
/// Where a sampler with point filters is behind the same one with its own.
const POINT_SAMPLER_AT: u32 = 32;

/// First resource that a shader's own bindings take; those below are vertex attributes by location.
pub const FIRST_RESOURCE: u32 = 32;
/// Resources of the descriptor sets themselves, from which sizes of buffers are read.
pub const SET_RESOURCE: u32 = 152;
/// Resource of the push constants.
pub const PUSH_RESOURCE: u32 = 156;
/// Resource of the ring that a geometry shader or a copy of what it emits reads.
pub const RING_RESOURCE: u32 = 157;
/// Constant buffer of the push constants.
pub const PUSH_BANK: u8 = 15;
/// Constants of the push constants' buffer that the driver writes: draw index, first instance.
pub const DRIVER_CONSTANT: u16 = 16;
/// Samplers of a stage.
const SAMPLERS: u32 = 18;
/// Words of a buffer that constant addresses reach.
const BANK_BYTES: u32 = 1 << 16;
/// Words of private arrays that are kept in registers; the longest of the others are in scratch memory.
const REGISTER_WORDS: u32 = 160;
/// Longest array in registers: the index register goes to 255, and others want registers too.
const LONGEST_ARRAY: u32 = 64;
/// Slots of scratch memory that an access reaches.
const SCRATCH_SLOTS: u32 = 4096;
/// DATA_FORMAT of one to four 32-bit words.
const WORD_FORMATS: [u8; 4] = [13, 29, 47, 34];

/// Where a private array is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Array {
    /// Registers.
    Registers(Column),
    /// Scratch memory: first slot and slots; one word in each.
    Scratch(u16, u16),
    /// Not used.
    None,
}

/// Hardware slots of the shader's resources: that of element 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// Resource, by resource of the interface.
    resource: Vec<Option<u32>>,
    /// Sampler.
    sampler: Vec<Option<u32>>,
    /// The same with point filters, for gathers.
    point_sampler: Vec<Option<u32>>,
    /// Constant buffer.
    bank: Vec<Option<u32>>,
}

impl Select<'_> {
    /// Chooses slots for the resources that are used.
    pub fn bind(&mut self) -> Result<Slots> {
        let interface = &self.function.interface;
        let count = interface.resources.len();
        let mut used = vec![None; count];
        // How a sampler is used: with its own filters, with point filters.
        let mut filters = vec![[false; 2]; count];
        for inst in self.function.insts() {
            for access in inst.accesses() {
                used[access.resource as usize].get_or_insert(inst.origin);
            }
            if let Op::Image(image) = &inst.op
                && let Some(sampler) = image.sampler
            {
                let gathers = matches!(image.kind, ImageKind::Gather { .. });
                filters[sampler.resource as usize][usize::from(gathers)] = true;
            }
        }
        let mut slots = Slots {
            resource: vec![None; count],
            sampler: vec![None; count],
            point_sampler: vec![None; count],
            bank: vec![None; count],
        };
        let (mut resource, mut sampler, mut bank) = (FIRST_RESOURCE, 0, 0);
        for (at, binding) in interface.resources.iter().enumerate() {
            let Some(origin) = used[at] else { continue };
            self.origin = origin;
            if binding.slot.group >= 4 {
                return Err(self.unsupported(format!("@group({})", binding.slot.group)));
            }
            self.descriptor_offset(at as u32)?;
            match DescriptorKind::from(&binding.kind) {
                DescriptorKind::Sampler => {
                    let lists = [&mut slots.sampler, &mut slots.point_sampler];
                    for (list, used) in lists.into_iter().zip(filters[at]) {
                        if used {
                            list[at] = Some(sampler);
                            sampler += binding.count;
                        }
                    }
                }
                _ => {
                    slots.resource[at] = Some(resource);
                    resource += binding.count;
                }
            }
            let uniform = matches!(binding.kind, ResourceKind::Uniform { .. });
            if uniform && bank + binding.count <= u32::from(PUSH_BANK) {
                slots.bank[at] = Some(bank);
                bank += binding.count;
            }
        }
        if resource > SET_RESOURCE {
            let most = SET_RESOURCE - FIRST_RESOURCE;
            let found = resource - FIRST_RESOURCE;
            return Err(self.unsupported(format!(
                "{found} buffers and textures in one shader, more than the {most}"
            )));
        }
        if sampler > SAMPLERS {
            return Err(self.unsupported(format!(
                "{sampler} samplers in one shader, more than the {SAMPLERS}"
            )));
        }
        Ok(slots)
    }

    /// Byte offset of a binding's first descriptor in its set.
    fn descriptor_offset(&self, resource: u32) -> Result<u32> {
        descriptor_offset(self.function, self.options, resource, BYTES, self.origin)
    }

    /// What the driver binds for the shader.
    pub fn bound(&self) -> Result<BoundSlots> {
        let interface = &self.function.interface;
        let mut all = BoundSlots {
            attributes: self.entry.locations.clone(),
            sets: self.entry.reads_sets,
            fetches_push: self.entry.fetches_push,
            draw_constants: self.entry.draw_constants,
            ..BoundSlots::default()
        };
        for (at, binding) in interface.resources.iter().enumerate() {
            let slots = &self.bindings;
            let lists = [&slots.resource, &slots.sampler, &slots.point_sampler];
            if lists.iter().all(|list| list[at].is_none()) {
                continue;
            }
            let first = self.descriptor_offset(at as u32)?;
            let bytes = BYTES.of(DescriptorKind::from(&binding.kind));
            let add = |slots: &[Option<u32>], list: &mut Vec<Bound>, within: u32| {
                let Some(slot) = slots[at] else { return };
                list.extend((0..binding.count).map(|element| Bound {
                    slot: slot + element,
                    set: binding.slot.group,
                    offset: first + within + element * bytes,
                    resource: at as u32,
                    element,
                }));
            };
            add(&slots.resource, &mut all.resources, 0);
            add(&slots.bank, &mut all.banks, 0);
            add(&slots.sampler, &mut all.samplers, 0);
            add(&slots.point_sampler, &mut all.samplers, POINT_SAMPLER_AT);
        }
        Ok(all)
    }

    /// The element of a binding array: it must be known, as instructions name their resources by number.
    fn element(&self, access: Access) -> Result<u32> {
        match access.element {
            None => Ok(0),
            Some(value) => self
                .defs
                .constant(value)
                .ok_or_else(|| self.unsupported("a binding array indexed at run time")),
        }
    }

    pub fn resource_slot(&self, access: Access) -> Result<u8> {
        let element = self.element(access)?;
        let slot = self.bindings.resource[access.resource as usize];
        Ok((slot.unwrap_or(FIRST_RESOURCE) + element) as u8)
    }

    pub fn sampler_slot(&self, access: Access) -> Result<u8> {
        let element = self.element(access)?;
        let slot = self.bindings.sampler[access.resource as usize];
        Ok((slot.unwrap_or(0) + element) as u8)
    }

    /// The slot of a sampler with point filters.
    pub fn point_sampler_slot(&self, access: Access) -> Result<u8> {
        let element = self.element(access)?;
        let slot = self.bindings.point_sampler[access.resource as usize];
        Ok((slot.unwrap_or(0) + element) as u8)
    }

    pub fn load_buffer(&mut self, access: Access, inst: &IrInst) -> Result<()> {
        let element = self.element(access)?;
        let bank = self.bindings.bank[access.resource as usize];
        if let (Some(bank), Some(offset)) = (bank, self.defs.constant(inst.args[0])) {
            let end = u64::from(offset) + 4 * inst.results.len() as u64;
            if end <= u64::from(BANK_BYTES) {
                self.constants((bank + element) as u8, offset, inst);
                return Ok(());
            }
        }
        let slot = self.resource_slot(access)?;
        self.fetch_words(slot, inst);
        Ok(())
    }

    /// Words of a constant buffer are operands.
    fn constants(&mut self, bank: u8, offset: u32, inst: &IrInst) {
        for (at, &result) in inst.results.iter().enumerate() {
            let word = offset / 4 + at as u32;
            let from = From::Kcache(bank, (word / 4) as u16, (word % 4) as u8);
            self.define(result, Operand::new(from));
        }
    }

    /// Fetches words at a byte offset that is known at run time.
    fn fetch_words(&mut self, slot: u8, inst: &IrInst) {
        let offset = self.word(inst.args[0]);
        let index = self.in_unit(offset);
        for (at, results) in inst.results.chunks(4).enumerate() {
            let used = |i: usize| results.get(i).filter(|v| self.is_used(**v)).copied();
            let wanted = [0, 1, 2, 3].map(used);
            if wanted.iter().all(Option::is_none) {
                continue;
            }
            let dst = wanted.map(|value| value.map(|value| self.result(value)));
            self.keep_together(dst);
            let mut vtx = fetch_of_words(slot, results.len());
            vtx.offset = 16 * at as u16;
            self.push(Inst::Fetch(vec![Part {
                inst: Fetch::Vtx(vtx),
                src: [Lane::Unit(index), Lane::None, Lane::None, Lane::None],
                dst,
            }]));
        }
    }

    /// Texels of a buffer: a vertex fetch whose format is the resource's.
    pub fn texel_buffer(&mut self, image: &ImageOp, inst: &IrInst) -> Result<()> {
        match image.kind {
            ImageKind::Load { .. } => {
                let slot = self.resource_slot(image.texture)?;
                let number = self.word(inst.args[0]);
                let index = self.in_unit(number);
                let used = |i: usize| inst.results.get(i).filter(|v| self.is_used(**v)).copied();
                let dst = [0, 1, 2, 3]
                    .map(used)
                    .map(|value| value.map(|value| self.result(value)));
                self.keep_together(dst);
                let mut vtx = Vtx::new(0, 0, slot);
                vtx.fetch_type = FetchType::NoIndexOffset;
                self.push(Inst::Fetch(vec![Part {
                    inst: Fetch::Vtx(vtx),
                    src: [Lane::Unit(index), Lane::None, Lane::None, Lane::None],
                    dst,
                }]));
                Ok(())
            }
            ImageKind::Size { .. } => {
                let count = self.descriptor_word(image.texture, BANK_WORD)?;
                let unit = self.result(inst.results[0]);
                self.move_to(unit, count);
                Ok(())
            }
            ImageKind::Atomic(_) => Err(self.unsupported("atomics on texel buffers")),
            _ => Err(self.unsupported("stores to texel buffers")),
        }
    }

    /// The results of one fetch lie in one register. Code that is emitted twice finds them so.
    pub fn keep_together(&mut self, units: [Option<u32>; 4]) {
        let units: Vec<u32> = units.into_iter().flatten().collect();
        if units
            .iter()
            .all(|&u| self.code.homes[u as usize].vector.is_none())
        {
            self.code.vector(units);
        }
    }

    /// The size is the second word of the descriptor, less one.
    pub fn buffer_bytes(&mut self, access: Access, result: crate::ir::Value) -> Result<()> {
        let size = self.descriptor_word(access, 1)?;
        let unit = self.result(result);
        let src = vec![size, Operand::word(1)];
        self.push_alu(Alu::new(Op2::ADD_INT, Some(unit), src));
        Ok(())
    }

    /// A word of a resource's descriptor.
    pub fn descriptor_word(&mut self, access: Access, word: u32) -> Result<Operand> {
        let element = self.element(access)?;
        let group = self.function.interface.resources[access.resource as usize]
            .slot
            .group;
        // Buffers and textures have descriptors of one size.
        let offset = self.descriptor_offset(access.resource)? + element * BYTES.buffer + 4 * word;
        self.entry.reads_sets |= 1 << group;
        let at = self.code.unit();
        self.move_to(at, Operand::word(offset));
        let vtx = fetch_of_words((SET_RESOURCE + group) as u8, 1);
        let found = self.code.unit();
        self.push(Inst::Fetch(vec![Part {
            inst: Fetch::Vtx(vtx),
            src: [Lane::Unit(at), Lane::None, Lane::None, Lane::None],
            dst: [Some(found), None, None, None],
        }]));
        Ok(Operand::unit(found))
    }

    pub fn load_push(&mut self, inst: &IrInst) {
        match self.defs.constant(inst.args[0]) {
            Some(offset) => self.constants(PUSH_BANK, offset, inst),
            None => {
                self.entry.fetches_push = true;
                self.fetch_words(PUSH_RESOURCE as u8, inst);
            }
        }
    }

    // ---- private arrays ----

    /// Finds places for the private arrays.
    pub fn make_arrays(&mut self) -> Result<()> {
        let mut used = vec![false; self.function.locals.len()];
        for inst in self.function.insts() {
            if let Op::LoadLocal(at) | Op::StoreLocal(at) = inst.op {
                used[at as usize] = true;
            }
        }
        let mut order: Vec<usize> = (0..used.len()).filter(|&at| used[at]).collect();
        order.sort_by_key(|&at| self.function.locals[at].words);
        let mut arrays = vec![Array::None; used.len()];
        let (mut registers, mut scratch) = (0, 0);
        for at in order {
            let words = self.function.locals[at].words;
            self.origin = self.function.locals[at].origin;
            if words <= LONGEST_ARRAY && registers + words <= REGISTER_WORDS {
                registers += words;
                arrays[at] = Array::Registers(self.code.array(words));
                continue;
            }
            if scratch + words > SCRATCH_SLOTS {
                let total: u32 = scratch + words;
                return Err(self.unsupported(format!(
                    "{total} words of indexed private arrays, more than the {SCRATCH_SLOTS}"
                )));
            }
            arrays[at] = Array::Scratch(scratch as u16, words as u16);
            scratch += words;
        }
        self.code.scratch_slots = scratch as u16;
        self.arrays = arrays;
        Ok(())
    }

    pub fn load_local(&mut self, local: u32, inst: &IrInst) {
        let result = inst.results[0];
        if !self.is_used(result) {
            return;
        }
        let index = self.word(inst.args[0]);
        match self.arrays[local as usize] {
            Array::Registers(array) => {
                let unit = self.result(result);
                if let From::Const(at) = index.from {
                    let at = at.min(array.words - 1);
                    self.move_to(unit, Operand::unit(array.first + at));
                    return;
                }
                let src = vec![Operand::unit(array.first), index];
                let mut alu = Alu::new(Op2::MOV, Some(unit), src);
                alu.relative = Some(Relative::Load(array));
                self.push(Inst::Alu(alu));
            }
            Array::Scratch(slot, slots) => {
                let unit = self.code.unit();
                let words = [Some(unit), None, None, None];
                self.scratch(slot, slots, index, words, true);
                let to = self.result(result);
                self.move_to(to, Operand::unit(unit));
            }
            Array::None => {}
        }
    }

    pub fn store_local(&mut self, local: u32, inst: &IrInst) {
        let index = self.word(inst.args[0]);
        let value = self.word(inst.args[1]);
        match self.arrays[local as usize] {
            Array::Registers(array) => {
                if let From::Const(at) = index.from {
                    let at = at.min(array.words - 1);
                    self.move_to(array.first + at, value);
                    return;
                }
                let mut alu = Alu::new(Op2::MOV, None, vec![value, index]);
                alu.relative = Some(Relative::Store(array));
                self.push_alu(alu);
            }
            Array::Scratch(slot, slots) => {
                // The word must be element X.
                let unit = self.code.unit();
                self.code.homes[unit as usize].elem = Some(0);
                self.move_to(unit, value);
                let words = [Some(unit), None, None, None];
                self.scratch(slot, slots, index, words, false);
            }
            Array::None => {}
        }
    }

    /// An access to scratch memory at a slot and an index.
    fn scratch(
        &mut self,
        slot: u16,
        slots: u16,
        index: Operand,
        words: [Option<u32>; 4],
        load: bool,
    ) {
        let (slot, slots, index) = match index.from {
            From::Const(at) => (slot + at.min(u32::from(slots) - 1) as u16, 1, None),
            _ => {
                let unit = self.code.unit();
                self.code.homes[unit as usize].elem = Some(0);
                self.move_to(unit, index);
                (slot, slots, Some(unit))
            }
        };
        let words = match load {
            true => whole(&mut self.code, words),
            false => words,
        };
        self.push(Inst::Memory(MemoryAccess {
            op: MemoryOp::MEM_SCRATCH,
            slot,
            slots,
            index,
            words,
            load,
        }));
    }

    /// Writes up to four words of a record: from a word of it on, and as many groups of four further as a unit says, below a
    /// limit.
    pub(super) fn write_record(
        &mut self,
        op: MemoryOp,
        first: u32,
        (index, slots): (Option<Unit>, u16),
        words: [Option<Operand>; 4],
    ) {
        let mut elem = 0;
        let units = words.map(|word| {
            let unit = word.map(|word| {
                let unit = self.code.unit();
                self.code.homes[unit as usize].elem = Some(elem);
                self.move_to(unit, word);
                unit
            });
            elem += 1;
            unit
        });
        self.keep_together(units);
        self.push(Inst::Memory(MemoryAccess {
            op,
            slot: first as u16,
            slots,
            index,
            words: units,
            load: false,
        }));
    }
}

/// Units for all elements of a register that a load from scratch memory fills.
pub(super) fn whole(code: &mut super::machine::Code, words: [Option<u32>; 4]) -> [Option<u32>; 4] {
    let mut units = Vec::new();
    for (elem, word) in words.into_iter().enumerate() {
        let unit = word.unwrap_or_else(|| code.unit());
        code.homes[unit as usize].elem = Some(elem as u8);
        units.push(unit);
    }
    code.vector(units.clone());
    [0, 1, 2, 3].map(|at| Some(units[at]))
}

/// A fetch of one to four words at a byte offset.
pub(super) fn fetch_of_words(slot: u8, words: usize) -> Vtx {
    let mut vtx = Vtx::new(0, 0, slot);
    vtx.use_const_fields = false;
    vtx.fetch_type = FetchType::NoIndexOffset;
    vtx.num_format_all = r600::isa::words::NumFormat::Int;
    vtx.data_format = WORD_FORMATS[words - 1];
    vtx.mega_fetch_count = (4 * words - 1) as u8;
    vtx
}
