//! Where resources lie in shared registers; buffers, push constants, private arrays.

use ::rogue::isa::backend::{Amount, Atomic, Backend, LoadCache, StoreCache};
use ::rogue::isa::bitwise::Shift2;
use ::rogue::isa::{Condition, Register};

use super::machine::{
    Access as Slot, Back, Body, Dst, Effect, Inst, Main, Operand, TRUE, Unit, ZERO, shared,
    shared_element,
};
use super::select::Select;
use crate::codegen::{Bound, Result, Slots, descriptor_offset};
use crate::ir::{Access, AtomicOp, Inst as IrInst, Op, Origin, ResourceKind, Value};
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
/// Words that private arrays take in registers, and the longest of them.
const ARRAY_REGISTERS: u32 = 96;
const LONGEST_ARRAY: u32 = 64;
/// Words of private arrays in memory.
const SCRATCH_WORDS: u32 = 3072;

/// Where the words of a resource are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bank {
    first: u16,
    /// Words of one element.
    words: u16,
}

/// First shared register of every resource that is used, by its number.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    /// Contents of uniform buffers.
    banks: Vec<Option<Bank>>,
    /// Descriptors of buffers and textures.
    resources: Vec<Option<u16>>,
    samplers: Vec<Option<u16>>,
    /// Push constants.
    push: Option<Bank>,
    /// Behind the last register.
    pub end: u16,
}

/// Where a private array is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Array {
    /// Nowhere: nothing accesses it.
    None,
    /// In units: the first and how many.
    Registers(Unit, u32),
    /// In scratch memory: first word and words.
    Scratch(u32, u32),
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
    fn element(&self, access: Access) -> Result<u16> {
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
    fn load_bank(&mut self, bank: Bank, inst: &IrInst) {
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

    // ---- buffers ----

    pub(super) fn load_buffer(&mut self, access: Access, inst: &IrInst) -> Result<()> {
        if !inst.results.iter().any(|&result| self.is_used(result)) {
            return Ok(());
        }
        if let Some(bank) = self.bindings.banks[access.resource as usize] {
            let element = self.element(access)?;
            let first = bank.first + element * bank.words;
            self.load_bank(Bank { first, ..bank }, inst);
            return Ok(());
        }
        let [low, high, bytes] = [0, 1, 2].map(|word| self.described(access, word));
        let (base, bytes) = ([low?, high?], bytes?);
        let offset = self.word(inst.args[0]);
        let offset = Operand::Unit(self.in_unit(offset));
        let safe = self.code.unit();
        self.within(Dst::Unit(safe), offset, bytes, offset);
        let address = self.address(base, Operand::Unit(safe));
        let count = inst.results.len() as u32;
        let row = self.code.row(count);
        self.load(row, count, address, Effect::Read);
        for (n, &result) in (0..).zip(&inst.results) {
            if !self.is_used(result) {
                continue;
            }
            let place = self.plus(offset, 4 * n);
            let unit = self.code.unit();
            self.within(Dst::Unit(unit), place, bytes, Operand::Unit(row + n));
            self.define(result, Operand::Unit(unit));
        }
        Ok(())
    }

    /// A sum with a small constant.
    pub(super) fn plus(&mut self, a: Operand, b: u32) -> Operand {
        if b == 0 {
            return a;
        }
        let b = self.constant(b);
        self.integer_sum(a, b, false)
    }

    /// Words from the address in a pair of units.
    fn load(&mut self, row: Unit, count: u32, address: Unit, effect: Effect) {
        let op = Backend::Ld {
            drc: 0,
            burst: Amount::Number(count as u8),
            address: 4,
            cache: LoadCache::NORMAL,
            slc: Some(0),
        };
        let slots = vec![(3, Slot::Writes(row, count)), (4, Slot::Reads(address, 2))];
        let mut inst = Inst::new(Body::Main(Main {
            back: Some(Back { op, slots }),
            ..Main::default()
        }));
        inst.effect = effect;
        self.push(inst);
    }

    /// A word to the address in a pair of units, in lanes whose mask is not zero.
    fn store(&mut self, data: Operand, address: Unit, mask: Option<Operand>) {
        let data = Operand::Unit(self.in_unit(data));
        let op = Backend::St {
            drc: 0,
            data: 3,
            size: 2,
            burst: Amount::Number(1),
            address: 4,
            mask: mask.map(|_| 2),
            tiled: false,
            cache: StoreCache::WRITETHROUGH,
            slc: 0,
        };
        let mut slots = vec![(3, Slot::Value(data)), (4, Slot::Reads(address, 2))];
        slots.extend(mask.map(|mask| (2, Slot::Value(mask))));
        let mut inst = Inst::new(Body::Main(Main {
            back: Some(Back { op, slots }),
            ..Main::default()
        }));
        inst.effect = Effect::Write;
        self.push(inst);
    }

    /// Not zero in lanes that may write.
    fn may_write(&self) -> Operand {
        self.entry.alive.map_or(TRUE, Operand::Unit)
    }

    pub(super) fn store_buffer(&mut self, access: Access, inst: &IrInst) -> Result<()> {
        let [low, high, bytes] = [0, 1, 2].map(|word| self.described(access, word));
        let (base, bytes) = ([low?, high?], bytes?);
        let offset = self.word(inst.args[0]);
        let offset = Operand::Unit(self.in_unit(offset));
        for (n, &arg) in (0..).zip(&inst.args[1..]) {
            let place = self.plus(offset, 4 * n);
            let mask = self.code.unit();
            let writes = self.may_write();
            self.within(Dst::Unit(mask), place, bytes, writes);
            let address = self.address(base, place);
            let data = self.word(arg);
            self.store(data, address, Some(Operand::Unit(mask)));
        }
        Ok(())
    }

    pub(super) fn atomic_buffer(
        &mut self,
        access: Access,
        op: AtomicOp,
        inst: &IrInst,
    ) -> Result<()> {
        let op = match op {
            AtomicOp::Add => Atomic::ADD,
            AtomicOp::Sub => Atomic::SUB,
            AtomicOp::And => Atomic::AND,
            AtomicOp::Or => Atomic::OR,
            AtomicOp::Xor => Atomic::XOR,
            AtomicOp::IMin => Atomic::IMIN,
            AtomicOp::IMax => Atomic::IMAX,
            AtomicOp::UMin => Atomic::UMIN,
            AtomicOp::UMax => Atomic::UMAX,
            AtomicOp::Exchange => Atomic::XCHG,
            AtomicOp::CompareExchange => {
                return Err(self.unsupported("compare-exchange on storage buffers"));
            }
        };
        let [low, high, bytes] = [0, 1, 2].map(|word| self.described(access, word));
        let (base, bytes) = ([low?, high?], bytes?);
        let offset = self.word(inst.args[0]);
        let mask = self.code.unit();
        let writes = self.may_write();
        self.within(Dst::Unit(mask), offset, bytes, writes);
        let pair = self.address(base, offset);
        let source = self.code.row(3);
        for (to, from) in [(source, pair), (source + 1, pair + 1)] {
            self.move_to(to, Operand::Unit(from));
        }
        let operand = self.word(inst.args[1]);
        self.move_to(source + 2, operand);
        let old = self.code.unit();
        self.move_to(old, ZERO);
        self.test_word(Operand::Unit(mask));
        let op = Backend::Atom {
            op,
            drc: 0,
            source: 3,
            destination: 4,
        };
        let slots = vec![(3, Slot::Reads(source, 3)), (4, Slot::Writes(old, 1))];
        let mut inst_ = Inst::new(Body::Main(Main {
            back: Some(Back { op, slots }),
            ..Main::default()
        }));
        inst_.effect = Effect::Write;
        inst_.condition = Condition::NOT_P0;
        self.push(inst_);
        self.define(inst.results[0], Operand::Unit(old));
        Ok(())
    }

    pub(super) fn buffer_bytes(&mut self, access: Access, result: Value) -> Result<()> {
        let bytes = self.described(access, 2)?;
        self.define(result, bytes);
        Ok(())
    }

    // ---- private arrays ----

    /// Finds places for the private arrays.
    pub(super) fn make_arrays(&mut self) -> Result<()> {
        let locals = &self.function.locals;
        let mut used = vec![false; locals.len()];
        for inst in self.function.insts() {
            if let Op::LoadLocal(at) | Op::StoreLocal(at) = inst.op {
                used[at as usize] = true;
            }
        }
        let mut order: Vec<usize> = (0..used.len()).filter(|&at| used[at]).collect();
        order.sort_by_key(|&at| locals[at].words);
        let mut arrays = vec![Array::None; used.len()];
        let (mut registers, mut scratch) = (0, 0);
        for at in order {
            let words = locals[at].words;
            self.origin = locals[at].origin;
            if words <= LONGEST_ARRAY && registers + words <= ARRAY_REGISTERS {
                registers += words;
                let first = self.code.row(words);
                self.code.kept.push(first);
                for unit in first..first + words {
                    self.push(Inst::new(Body::Undefined(unit)));
                }
                arrays[at] = Array::Registers(first, words);
                continue;
            }
            if scratch + words > SCRATCH_WORDS {
                let total = scratch + words;
                return Err(self.unsupported(format!(
                    "{total} words of indexed private arrays, more than the {SCRATCH_WORDS}"
                )));
            }
            arrays[at] = Array::Scratch(scratch, words);
            scratch += words;
        }
        if scratch > 0 {
            self.spills.begin(&mut self.code, &mut self.pool, scratch);
        }
        self.arrays = arrays;
        Ok(())
    }

    pub(super) fn load_local(&mut self, local: u32, inst: &IrInst) {
        let result = inst.results[0];
        if !self.is_used(result) {
            return;
        }
        let unit = self.code.unit();
        let index = self.defs.constant(inst.args[0]);
        match (self.arrays[local as usize], index) {
            (Array::Registers(first, words), Some(at)) => {
                self.move_to(unit, Operand::Unit(first + at.min(words - 1)));
            }
            (Array::Registers(first, words), None) => {
                self.point(inst.args[0]);
                self.move_to(unit, Operand::Element(first, words));
            }
            (Array::Scratch(first, words), _) => {
                let address = self.scratch_address(first, words, inst.args[0]);
                self.load(unit, 1, address, Effect::Read);
            }
            (Array::None, _) => {}
        }
        self.define(result, Operand::Unit(unit));
    }

    pub(super) fn store_local(&mut self, local: u32, inst: &IrInst) {
        let value = self.word(inst.args[1]);
        let index = self.defs.constant(inst.args[0]);
        match (self.arrays[local as usize], index) {
            (Array::Registers(first, words), Some(at)) => {
                self.move_to(first + at.min(words - 1), value);
            }
            (Array::Registers(first, words), None) => {
                self.point(inst.args[0]);
                self.move_into(Dst::Element(first, words), value);
            }
            (Array::Scratch(first, words), _) => {
                let address = self.scratch_address(first, words, inst.args[0]);
                self.store(value, address, None);
            }
            (Array::None, _) => {}
        }
    }

    /// The index register from a value.
    fn point(&mut self, index: Value) {
        let index = self.word(index);
        self.move_into(Dst::Register(Register::Index(0)), index);
    }

    /// The address of a word of an array in scratch memory.
    fn scratch_address(&mut self, first: u32, words: u32, index: Value) -> Unit {
        let base = self.spills.base();
        if let Some(at) = self.defs.constant(index) {
            let offset = self.constant(4 * (first + at.min(words - 1)));
            return self.address(base, offset);
        }
        let index = self.word(index);
        let start = self.constant(4 * first);
        let offset = self.integer_product(index, super::machine::constant(4), start);
        self.address(base, offset)
    }
}
