//! Loads and stores of buffers.

use ::rogue::isa::Condition;
use ::rogue::isa::backend::{Amount, Backend, LoadCache, StoreCache};

use super::machine::{Access as Slot, Back, Body, Dst, Effect, Inst, Main, Operand, TRUE, Unit};
use super::memory::Bank;
use super::select::Select;
use crate::codegen::Result;
use crate::ir::{Access, Inst as IrInst, Value};

impl Select<'_> {
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
    pub(super) fn load(&mut self, row: Unit, count: u32, address: Unit, effect: Effect) {
        self.load_where(row, count, address, effect, Condition::PE);
    }

    /// The same in some lanes; the others keep what they have.
    pub(super) fn load_where(
        &mut self,
        row: Unit,
        count: u32,
        address: Unit,
        effect: Effect,
        condition: Condition,
    ) {
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
        inst.condition = condition;
        inst.effect = effect;
        self.push(inst);
    }

    /// A word to the address in a pair of units, in lanes whose mask is not zero.
    pub(super) fn store(&mut self, data: Operand, address: Unit, mask: Option<Operand>) {
        self.store_as(false, data, address, mask);
    }

    /// The same, to memory or to the words of the pixel.
    pub(super) fn store_as(
        &mut self,
        tiled: bool,
        data: Operand,
        address: Unit,
        mask: Option<Operand>,
    ) {
        let data = Operand::Unit(self.in_unit(data));
        let op = Backend::St {
            drc: 0,
            data: 3,
            size: 2,
            burst: Amount::Number(1),
            address: 4,
            mask: mask.map(|_| 2),
            tiled,
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
    pub(super) fn may_write(&self) -> Operand {
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

    pub(super) fn buffer_bytes(&mut self, access: Access, result: Value) -> Result<()> {
        let bytes = self.described(access, 2)?;
        self.define(result, bytes);
        Ok(())
    }
}
